//! The pixels of a drawing: reads the SVG that `picture` and `pieces` write, and no other, and
//! fills and strokes its shapes. A test holds the result to what `resvg` makes of the same SVG.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Point, Stroke,
    StrokeDash, Transform,
};

/// Draws a drawing in its width and height. Returns `None` if it has what no drawing of ours has.
pub(super) fn pixels(drawing: &str) -> Option<Pixmap> {
    let (head, rest) = drawing.split_once("<defs>\n")?;
    let (definitions, shapes) = rest.split_once("</defs>\n")?;
    let head = Tag(head);
    let size = |name| head.get(name)?.parse().ok();
    let mut canvas = Canvas {
        pixels: Pixmap::new(size("width")?, size("height")?)?,
        definitions,
    };
    let [_, _, wide, high] = numbers(head.get("viewBox")?)?[..] else {
        return None;
    };
    // As large as fits, in the middle.
    let [width, height] = ["width", "height"].map(|name| head.number(name));
    let scale = (width / wide).min(height / high);
    let [left, top] = [width - wide * scale, height - high * scale].map(|rest| rest / 2.0);
    let style = Style {
        transform: Transform::from_row(scale, 0.0, 0.0, scale, left, top),
        fill: None,
        stroke: None,
        width: 0.0,
    };
    canvas.draw(shapes.strip_suffix("</svg>\n")?, style)?;
    Some(canvas.pixels)
}

/// A tag from behind its `<`, and whatever follows it.
#[derive(Clone, Copy)]
struct Tag<'m>(&'m str);

impl<'m> Tag<'m> {
    fn name(self) -> &'m str {
        self.0.split([' ', '>']).next().unwrap_or_default()
    }

    /// Returns the value of an attribute. No value of ours holds a quotation mark or a `>`.
    fn get(self, name: &str) -> Option<&'m str> {
        let mut parts = self.0.split('>').next()?.split('"');
        loop {
            let (before, value) = (parts.next()?, parts.next()?);
            if before.rsplit(' ').next()?.strip_suffix('=') == Some(name) {
                return Some(value);
            }
        }
    }

    /// Returns the number in an attribute, 0 if there is none.
    fn number(self, name: &str) -> f32 {
        let number = self.get(name).and_then(|value| value.parse().ok());
        number.unwrap_or_default()
    }
}

/// How shapes are painted. A group has it for what is within.
#[derive(Clone, Copy)]
struct Style {
    transform: Transform,
    fill: Option<Color>,
    stroke: Option<Color>,
    /// The width of the stroke, before it is transformed.
    width: f32,
}

impl Style {
    /// Returns the style of a tag within.
    fn within(mut self, tag: Tag<'_>) -> Option<Style> {
        if let Some(text) = tag.get("transform") {
            self.transform = self.transform.pre_concat(transform(text)?);
        }
        if let Some(text) = tag.get("fill") {
            self.fill = color(text);
        }
        if let (Some(fill), Some(_)) = (&mut self.fill, tag.get("fill-opacity")) {
            fill.set_alpha((tag.number("fill-opacity") * 255.0).round() / 255.0);
        }
        if let Some(text) = tag.get("stroke") {
            self.stroke = color(text);
            self.width = tag.number("stroke-width");
        }
        Some(self)
    }
}

struct Canvas<'m> {
    pixels: Pixmap,
    /// The pieces, each a group on a line.
    definitions: &'m str,
}

impl Canvas<'_> {
    fn draw(&mut self, markup: &str, style: Style) -> Option<()> {
        let mut groups = vec![style];
        for tag in markup.split('<').skip(1).map(Tag) {
            let mut style = groups.last()?.within(tag)?;
            let number = |name| tag.number(name);
            let outline = match tag.name() {
                "g" => {
                    groups.push(style);
                    continue;
                }
                "/g" => {
                    groups.pop();
                    continue;
                }
                "use" => {
                    let moved = style.transform.pre_translate(number("x"), number("y"));
                    style.transform = moved;
                    let start = format!("<g id=\"{}\">", tag.get("href")?.strip_prefix('#')?);
                    let mut lines = self.definitions.lines();
                    self.draw(lines.find(|line| line.starts_with(&start))?, style)?;
                    continue;
                }
                "path" => path(tag.get("d")?)?,
                "circle" => circle(number("cx"), number("cy"), number("r"))?,
                "rect" => {
                    let size = (number("width"), number("height"));
                    rect(number("x"), number("y"), size, number("rx"))?
                }
                _ => return None,
            };
            let dashes = tag.get("stroke-dasharray").and_then(numbers);
            let dashes = dashes.and_then(|lengths| StrokeDash::new(lengths, 0.0));
            self.paint(&outline, style, dashes);
        }
        Some(())
    }

    fn paint(&mut self, outline: &Path, style: Style, dash: Option<StrokeDash>) {
        let (pixels, transform) = (&mut self.pixels, style.transform);
        let mut paint = Paint::default();
        if let Some(color) = style.fill {
            paint.set_color(color);
            pixels.fill_path(outline, &paint, FillRule::Winding, transform, None);
        }
        if let Some(color) = style.stroke {
            paint.set_color(color);
            let stroke = Stroke {
                width: style.width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash,
                ..Stroke::default()
            };
            pixels.stroke_path(outline, &paint, &stroke, transform, None);
        }
    }
}

/// Reads numbers with spaces between them.
fn numbers(text: &str) -> Option<Vec<f32>> {
    let words = text.split_ascii_whitespace();
    words.map(|word| word.parse().ok()).collect()
}

/// Reads a colour, `#` and six digits. `none` is none.
fn color(text: &str) -> Option<Color> {
    let number = u32::from_str_radix(text.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some(Color::from_rgba8(red, green, blue, u8::MAX))
}

/// Reads a transformation. A rotation is half a turn.
fn transform(text: &str) -> Option<Transform> {
    let mut transform = Transform::identity();
    for part in text.split_terminator(')') {
        let (name, arguments) = part.trim_start().split_once('(')?;
        transform = match (name, &numbers(arguments)?[..]) {
            ("translate", &[x, y]) => transform.pre_translate(x, y),
            ("scale", &[by]) => transform.pre_scale(by, by),
            ("rotate", &[180.0, x, y]) => {
                let turned = Transform::from_row(-1.0, 0.0, 0.0, -1.0, 2.0 * x, 2.0 * y);
                transform.pre_concat(turned)
            }
            _ => return None,
        };
    }
    Some(transform)
}

fn circle(x: f32, y: f32, r: f32) -> Option<Path> {
    let (left, right, top, bottom) = (x - r, x + r, y - r, y + r);
    path(&format!(
        "M{right} {y}A{r} {r} 0 0 1 {x} {bottom}A{r} {r} 0 0 1 {left} {y}\
         A{r} {r} 0 0 1 {x} {top}A{r} {r} 0 0 1 {right} {y}Z"
    ))
}

fn rect(x: f32, y: f32, (width, height): (f32, f32), r: f32) -> Option<Path> {
    let (right, bottom) = (x + width, y + height);
    if r <= 0.0 {
        return path(&format!("M{x} {y}H{right}V{bottom}H{x}Z"));
    }
    let (left, top, to_right, to_bottom) = (x + r, y + r, right - r, bottom - r);
    path(&format!(
        "M{left} {y}H{to_right}A{r} {r} 0 0 1 {right} {top}V{to_bottom}\
         A{r} {r} 0 0 1 {to_right} {bottom}H{left}A{r} {r} 0 0 1 {x} {to_bottom}V{top}\
         A{r} {r} 0 0 1 {left} {y}Z"
    ))
}

/// Reads a path in the language of SVG, so much of it as ours are written in: each command has its
/// letter, that of a curve is a capital, and an arc is half of a circle at most.
fn path(text: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (mut start, mut at) = (Point::zero(), Point::zero());
    let mut rest = text;
    while let Some((command, tail)) = rest.split_at_checked(1) {
        let end = tail.find(char::is_alphabetic).unwrap_or(tail.len());
        let (arguments, next) = tail.split_at(end);
        rest = next;
        let arguments = &numbers(arguments)?[..];
        let from = at;
        let is_absolute = command.to_ascii_uppercase() == command;
        let base = if is_absolute { Point::zero() } else { from };
        at = match (command, arguments) {
            ("H" | "h", [x]) => Point::from_xy(base.x + x, from.y),
            ("V" | "v", [y]) => Point::from_xy(from.x, base.y + y),
            ("Z" | "z", []) => start,
            (_, &[.., x, y]) => base + Point::from_xy(x, y),
            _ => return None,
        };
        match (command, arguments) {
            ("M" | "m", [_, _]) => {
                start = at;
                path.move_to(at.x, at.y);
            }
            ("L" | "l", [_, _]) | ("H" | "h" | "V" | "v", _) => path.line_to(at.x, at.y),
            ("Q", &[x, y, _, _]) => path.quad_to(x, y, at.x, at.y),
            ("C", &[x1, y1, x2, y2, _, _]) => path.cubic_to(x1, y1, x2, y2, at.x, at.y),
            ("A" | "a", &[r, _, _, _, sweep, _, _]) => {
                let sign = if sweep > 0.0 { 1.0 } else { -1.0 };
                let [from, to] = [from, at].map(|point| [point.x, point.y].map(f64::from));
                arc(&mut path, from, to, f64::from(r), sign);
            }
            ("Z" | "z", _) => path.close(),
            _ => return None,
        }
    }
    path.finish()
}

/// Adds an arc of a circle, half of it at most, with the sign of its angle: a curve for each
/// quarter or less. The chord and the distance of the centre from it say all, so that no angle is
/// computed: that distance is the cosine of half the angle, in radii.
fn arc(path: &mut PathBuilder, from: [f64; 2], to: [f64; 2], radius: f64, sign: f64) {
    let ([x1, y1], [x2, y2]) = (from, to);
    let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
    let (dx, dy) = (x2 - x, y2 - y);
    let half = (dx * dx + dy * dy).sqrt();
    let height = (radius * radius - half * half).max(0.0).sqrt();
    // So far from the middle of the chord towards the centre.
    let along = |length: f64| {
        let length = length * sign / half;
        [x - dy * length, y + dx * length]
    };
    if height < 0.7 * radius {
        let top = along(height - radius);
        arc(path, from, top, radius, sign);
        arc(path, top, to, radius, sign);
        return;
    }
    let [x, y] = along(height);
    let arm = 4.0 / 3.0 * sign * ((radius - height) / (radius + height)).sqrt();
    let points = [
        x1 - (y1 - y) * arm,
        y1 + (x1 - x) * arm,
        x2 + (y2 - y) * arm,
        y2 - (x2 - x) * arm,
        x2,
        y2,
    ];
    #[allow(clippy::cast_possible_truncation, reason = "drawn in single precision")]
    let [x1, y1, x2, y2, x, y] = points.map(|number| number as f32);
    path.cubic_to(x1, y1, x2, y2, x, y);
}

#[cfg(test)]
mod tests {
    use resvg::usvg::{Options, Tree};

    use super::*;
    use crate::notation::diagram::Diagram;
    use crate::notation::judge;
    use crate::render::annotation::{Annotations, Coords};
    use crate::render::picture::{Picture, Theme, drawing};
    use crate::render::pieces::SHAPES;
    use crate::render::view::View;
    use crate::rules::{Color, Ply, Position, Record, Setup, Variant, games};

    /// Draws a drawing here, and by a library that draws any SVG.
    fn assert_alike(svg: &str) {
        let ours = pixels(svg).unwrap_or_else(|| panic!("not drawn:\n{svg}"));
        let tree = Tree::from_str(svg, &Options::default()).unwrap();
        let size = tree.size().to_int_size();
        assert_eq!((ours.width(), ours.height()), (size.width(), size.height()));
        let mut theirs = Pixmap::new(size.width(), size.height()).unwrap();
        resvg::render(&tree, Transform::identity(), &mut theirs.as_mut());
        let pairs = ours.data().iter().zip(theirs.data());
        let different = pairs.filter(|(one, other)| one != other).count();
        assert_eq!(different, 0, "{svg}");
    }

    fn picture(rng: &mut fastrand::Rng) -> Picture {
        let themes = [Theme::Light, Theme::Dark, Theme::Framed];
        Picture {
            size: *rng.choice(&[160, 240, 333, 480, 811]).unwrap(),
            is_flipped: rng.bool(),
            theme: *rng.choice(&themes).unwrap(),
            has_letters: rng.bool(),
            is_compact: rng.bool(),
            annotations: Annotations {
                arrows: vec!["b2d7:red".parse().unwrap()],
                circles: vec!["c3,d4:blue".parse().unwrap()],
                lights: vec!["h8".parse().unwrap()],
                caption: rng.bool().then(|| "Übung (2): façade, w&m?".to_owned()),
                coords: Some(
                    *rng.choice(&[Coords::Out, Coords::In, Coords::None])
                        .unwrap(),
                ),
            },
        }
    }

    #[test]
    fn every_pixel_is_that_of_a_library_for_any_svg() {
        let mut rng = fastrand::Rng::with_seed(29);
        for game in games::ALL {
            let mut record = Record::new(Variant::new(game, &[]).unwrap().start());
            for _ in 0..40 {
                assert_alike(&drawing(&View::of(&record), &picture(&mut rng)));
                let plies: Vec<Ply> = record.position().legal_plies().take(2000).collect();
                let Some(ply) = rng.choice(plies) else { break };
                record.play(&ply).unwrap();
            }
            let (white, size) = (Some(Some(Color::White)), 1600);
            for score in [None, Some(None), white] {
                let view = View::of(&record).ended(score, "resigned");
                assert_alike(&drawing(&view, &picture(&mut rng)));
            }
            let picture = picture(&mut rng);
            assert_alike(&drawing(&View::of(&record), &Picture { size, ..picture }));
        }
    }

    /// A castling, a relocation with its arrow, a placement, a king aimed at and in check, and
    /// reserves of two digits: each with what only it has in its drawing.
    #[test]
    fn marks_and_full_reserves_are_those_of_the_library_too() {
        let mut rng = fastrand::Rng::with_seed(30);
        for (game, moves, sign) in [
            (
                "chess",
                "1. P-e4 p-e5 2. N-f3 n-f6 3. B-c4 b-c5 4. O-O",
                "r=\"12\"",
            ),
            ("newchess", "1. N>a2/e4", "L"),
            ("kingchess", "1. K>b1,B>b2,P>c2", "m5 27"),
            ("unachess", "1. K>h1 n>f2 !+", "stroke-dasharray"),
            ("unachess", "1. K>h1 n>f2 !+ 2. Q>g3 k>d8 +", "26 -3l-16 21"),
        ] {
            let record = judge::record(moves, &Variant::find(game, &[]).unwrap()).unwrap();
            for _ in 0..8 {
                let svg = drawing(&View::of(&record), &picture(&mut rng));
                assert!(svg.contains(sign), "{moves}: {svg}");
                assert_alike(&svg);
            }
        }
        let shogi = Variant::find("shogi", &[]).unwrap();
        let fen = "4k4/9/9/9/9/9/9/9/4K4[PPPPPPPPPPPPLLLLNNNSSSGGGBBRRpppppp] w";
        let setup = Setup::from_fen(&shogi, fen).unwrap();
        let position = Position::from_setup(&shogi, &setup).unwrap();
        for _ in 0..8 {
            let view = View::drawn(Diagram::of(&position));
            assert_alike(&drawing(&view, &picture(&mut rng)));
        }
    }

    fn alone(shape: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"300\" \
             viewBox=\"0 0 100 100\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
             <defs>\n</defs>\n{shape}\n</svg>\n"
        )
    }

    #[test]
    fn every_outline_is_read() {
        let shapes = SHAPES.lines().flat_map(|line| line.split('\t').skip(1));
        for shape in shapes {
            assert!(path(shape).is_some(), "{shape}");
            assert_alike(&alone(&format!(
                "<path d=\"{shape}\" fill=\"#8fb339\" stroke=\"#141210\" stroke-width=\"4\"/>"
            )));
        }
    }

    #[test]
    fn what_no_drawing_of_ours_has_is_refused() {
        for shape in [
            "<text x=\"1\" y=\"2\" fill=\"#000000\">a</text>",
            "<use href=\"#wK\"/>",
            "<path fill=\"#000000\"/>",
            "<path d=\"M1 1T5 5\" fill=\"#000000\"/>",
            "<path d=\"M1 1L5 5 7 7\" fill=\"#000000\"/>",
            "<path d=\"M1 1H5V9Z\" transform=\"rotate(90 50 50)\" fill=\"#000000\"/>",
        ] {
            assert!(pixels(&alone(shape)).is_none(), "{shape}");
        }
        assert!(pixels("").is_none());
    }
}
