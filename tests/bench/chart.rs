//! Draws curves as SVG: both axes by powers of ten.

use std::fmt::Write as _;

/// A chart.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    pub(crate) lines: Vec<Line>,
}

/// A curve and its name.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(usize, f64)>,
}

/// The width and the height of a chart, and the place around it.
const SIZE: (f64, f64) = (280.0, 220.0);
const MARGIN: f64 = 50.0;

/// Colours that can be read on white and on black.
const COLORS: [&str; 4] = ["#2a7fd4", "#d9730d", "#3f9142", "#a05bc7"];

/// The axis of these values: its first and its last power of ten.
struct Axis {
    first: f64,
    last: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>) -> Axis {
        let powers: Vec<f64> = values.map(|value| value.max(0.001).log10()).collect();
        let first = powers.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let last = powers
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max)
            .ceil();
        Axis {
            first,
            last: last.max(first + 1.0),
        }
    }

    /// The part of the axis before a value.
    fn part(&self, value: f64) -> f64 {
        (value.max(0.001).log10() - self.first) / (self.last - self.first)
    }

    fn powers(&self) -> impl Iterator<Item = f64> {
        let (mut power, last) = (self.first - 1.0, self.last);
        std::iter::from_fn(move || {
            power += 1.0;
            (power <= last).then(|| 10_f64.powf(power))
        })
    }
}

/// Draws charts beside each other.
pub(crate) fn svg(charts: &[Chart]) -> String {
    let step = SIZE.0 + 2.0 * MARGIN;
    let count = u32::try_from(charts.len()).expect("a few charts");
    let (width, height) = (step * f64::from(count), SIZE.1 + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"#808080\">\n"
    );
    let mut left = MARGIN;
    for chart in charts {
        draw(chart, left, &mut text);
        left += step;
    }
    text.push_str("</svg>\n");
    text
}

fn draw(chart: &Chart, left: f64, text: &mut String) {
    let points = || chart.lines.iter().flat_map(|line| &line.points);
    let across = Axis::of(points().map(|point| number(point.0)));
    let up = Axis::of(points().map(|point| point.1));
    let x = |value: f64| left + across.part(value) * SIZE.0;
    let y = |value: f64| MARGIN + (1.0 - up.part(value)) * SIZE.1;
    let (bottom, right) = (MARGIN + SIZE.1, left + SIZE.0);
    let mut put = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    put(format!(
        "<text x=\"{left}\" y=\"{}\" font-size=\"13\">{}</text>",
        MARGIN - 18.0,
        chart.title
    ));
    for power in across.powers() {
        let at = x(power);
        put(format!(
            "<path d=\"M{at:.1} {MARGIN}V{bottom}\" stroke=\"#80808040\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{power}</text>",
            bottom + 16.0
        ));
    }
    for power in up.powers() {
        let at = y(power);
        put(format!(
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#80808040\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{power}</text>",
            left - 6.0,
            at + 4.0
        ));
    }
    for ((line, color), row) in chart.lines.iter().zip(COLORS).zip(0..) {
        let places = line
            .points
            .iter()
            .map(|(at, cost)| (x(number(*at)), y(*cost)));
        let path: Vec<String> = places.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        put(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join(" ")
        ));
        for (x, y) in line
            .points
            .iter()
            .map(|(at, cost)| (x(number(*at)), y(*cost)))
        {
            put(format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>"
            ));
        }
        put(format!(
            "<text x=\"{}\" y=\"{}\" fill=\"{color}\">{}</text>",
            left + 10.0,
            MARGIN + 16.0 + 14.0 * f64::from(row),
            line.name
        ));
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("not that many"))
}
