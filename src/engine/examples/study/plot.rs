//! Plots as SVG: a row for each set, in it a dot with its interval for each strength.

use std::fmt::Write as _;

/// A plot.
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    /// What stands below the axis.
    pub(crate) unit: &'static str,
    /// The step between two lines of the axis.
    pub(crate) step: f64,
    /// A line that is drawn more strongly.
    pub(crate) mark: Option<f64>,
    /// The names of the dots of a row, in their order.
    pub(crate) series: Vec<&'static str>,
    pub(crate) rows: Vec<Row>,
}

/// A set, with a dot for each series that it has games of.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) dots: Vec<Option<Dot>>,
}

/// A value with the ends of its interval, and the games that it comes from.
#[derive(Clone, Copy)]
pub(crate) struct Dot {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) games: usize,
}

/// Colours that can be read on white and on black, each for the same nodes in all plots.
const COLORS: [(&str, &str); 3] = [
    ("1,000 nodes", "#d9730d"),
    ("10,000 nodes", "#2a7fd4"),
    ("100,000 nodes", "#a05bc7"),
];
const NAMES: f64 = 250.0;
const WIDTH: f64 = 430.0;
const COUNTS: f64 = 90.0;
const TOP: f64 = 64.0;
/// The height of a row, and the way between two dots of one.
const ROW: f64 = 28.0;
const BETWEEN: f64 = 8.0;

impl Plot {
    pub(crate) fn svg(&self) -> String {
        let bottom = TOP + ROW * count(self.rows.len());
        let (width, height) = (NAMES + WIDTH + COUNTS, bottom + 44.0);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"#808080\">\n\
             <text x=\"8\" y=\"20\" font-size=\"14\">{}</text>\n",
            escaped(self.title)
        );
        self.frame(&mut text, bottom);
        for (row, at) in self.rows.iter().zip(0_u16..) {
            self.row(row, TOP + ROW * (f64::from(at) + 0.5), &mut text);
        }
        text.push_str("</svg>\n");
        text
    }

    /// The first and the last value of the axis: whole steps, with all intervals in it.
    fn axis(&self) -> (f64, f64) {
        let dots = self.rows.iter().flat_map(|row| row.dots.iter().flatten());
        let ends = dots.flat_map(|dot| [dot.low, dot.high]);
        let ends = ends.filter(|end| end.is_finite()).chain(self.mark);
        let (first, last) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), end| {
            (first.min(end), last.max(end))
        });
        if first > last {
            return (0.0, self.step);
        }
        let first = (first / self.step).floor() * self.step;
        (
            first,
            ((last / self.step).ceil() * self.step).max(first + self.step),
        )
    }

    fn x(&self, value: f64) -> f64 {
        let (first, last) = self.axis();
        NAMES + (value.clamp(first, last) - first) / (last - first) * WIDTH
    }

    /// The lines of the axis, and the names of the series above them.
    fn frame(&self, text: &mut String, bottom: f64) {
        let (first, last) = self.axis();
        for line in 0..=100_u16 {
            let value = first + self.step * f64::from(line);
            if value > last + self.step / 2.0 {
                break;
            }
            let x = self.x(value);
            let is_marked = self
                .mark
                .is_some_and(|mark| (mark - value).abs() < self.step / 2.0);
            let color = if is_marked { "#808080" } else { "#80808050" };
            let _ = writeln!(
                text,
                "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"{color}\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                bottom + 16.0
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            NAMES + WIDTH / 2.0,
            bottom + 36.0,
            escaped(self.unit)
        );
        for (name, at) in self.series.iter().zip(0_u16..) {
            let has_dots = |row: &Row| row.dots.get(usize::from(at)).is_some_and(Option::is_some);
            if !self.rows.iter().any(has_dots) {
                continue;
            }
            let color = color(name);
            let x = NAMES + 145.0 * f64::from(at);
            let _ = writeln!(
                text,
                "<circle cx=\"{}\" cy=\"42\" r=\"4\" fill=\"{color}\"/><text x=\"{}\" y=\"46\" fill=\"{color}\">{}</text>",
                x + 4.0,
                x + 14.0,
                escaped(name)
            );
        }
    }

    fn row(&self, row: &Row, middle: f64, text: &mut String) {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            NAMES - 10.0,
            middle + 4.0,
            escaped(&row.name)
        );
        let first = middle - BETWEEN * (count(row.dots.len()) - 1.0) / 2.0;
        let mut games = Vec::new();
        for ((dot, name), at) in row.dots.iter().zip(&self.series).zip(0_u16..) {
            let Some(dot) = dot else { continue };
            let color = color(name);
            let y = first + BETWEEN * f64::from(at);
            let [low, value, high] = [dot.low, dot.value, dot.high].map(|value| self.x(value));
            let _ = writeln!(
                text,
                "<path d=\"M{low:.1} {y:.1}H{high:.1}\" stroke=\"{color}\" stroke-width=\"2\"/>\
                 <circle cx=\"{value:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\"/>"
            );
            games.push(dot.games.to_string());
        }
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" font-size=\"10\">n = {}</text>",
            NAMES + WIDTH + 10.0,
            middle + 4.0,
            games.join(", ")
        );
    }
}

fn color(name: &str) -> &'static str {
    let found = COLORS.iter().find(|(of, _)| *of == name);
    found.map_or("#808080", |(_, color)| color)
}

fn count(of: usize) -> f64 {
    f64::from(u16::try_from(of).unwrap_or(u16::MAX))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
