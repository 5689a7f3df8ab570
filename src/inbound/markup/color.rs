//! Colors as styles and attributes write them.

/// A color with its opacity: red, green, blue and alpha, each from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Color(pub(super) [f32; 4]);

impl Color {
    pub(super) const BLACK: Color = Color([0.0, 0.0, 0.0, 1.0]);
    pub(super) const WHITE: Color = Color([1.0, 1.0, 1.0, 1.0]);

    pub(super) fn is_opaque(self) -> bool {
        let [.., alpha] = self.0;
        alpha >= 1.0
    }

    /// Returns what is seen of the color above another one.
    pub(super) fn over(self, below: Color, opacity: f32) -> Color {
        let [.., alpha] = self.0;
        let alpha = alpha * opacity;
        let mut seen = [1.0; 4];
        for ((seen, above), below) in seen.iter_mut().zip(self.0).zip(below.0).take(3) {
            *seen = above * alpha + below * (1.0 - alpha);
        }
        Color(seen)
    }

    /// Returns the contrast with another color, from 1 to 21, as the guidelines for
    /// accessible pages compute it.
    pub(super) fn contrast(self, other: Color) -> f32 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(self) -> f32 {
        let [red, green, blue, _] = self.0.map(|part| {
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Reads a color in lower case: one of the common names, or its numbers.
    pub(super) fn read(text: &str) -> Option<Color> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix('#') {
            return from_digits(digits);
        }
        if let Some((name, numbers)) = text.split_once('(') {
            let is_known = matches!(name.trim(), "rgb" | "rgba");
            return is_known
                .then(|| from_numbers(numbers.strip_suffix(')')?))
                .flatten();
        }
        let (_, digits) = NAMES.iter().find(|(name, _)| *name == text)?;
        from_digits(digits)
    }
}

/// Reads `fff`, `ffff`, `ffffff` or `ffffffff`.
fn from_digits(digits: &str) -> Option<Color> {
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut parts = [255.0; 4];
    let size = match digits.len() {
        3 | 4 => 1,
        6 | 8 => 2,
        _ => return None,
    };
    for (part, digits) in parts.iter_mut().zip(digits.as_bytes().chunks(size)) {
        let digits = std::str::from_utf8(digits).ok()?;
        let value = u8::from_str_radix(digits, 16).ok()?;
        *part = f32::from(if size == 1 { value * 17 } else { value });
    }
    Some(Color(parts.map(|part| part / 255.0)))
}

/// Reads `0, 0, 0`, `0 0 0 / 50%` and the like.
fn from_numbers(numbers: &str) -> Option<Color> {
    let mut parts = [1.0; 4];
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '/');
    let numbers: Vec<&str> = numbers
        .split(is_end)
        .filter(|number| !number.is_empty())
        .take(5)
        .collect();
    if !matches!(numbers.len(), 3 | 4) {
        return None;
    }
    for (i, number) in numbers.iter().enumerate() {
        let (number, whole) = match number.strip_suffix('%') {
            Some(number) => (number, 100.0),
            None if i < 3 => (*number, 255.0),
            None => (*number, 1.0),
        };
        let value: f32 = number
            .parse()
            .ok()
            .filter(|value: &f32| value.is_finite())?;
        parts[i] = (value / whole).clamp(0.0, 1.0);
    }
    Some(Color(parts))
}

/// The names that programs write.
const NAMES: [(&str, &str); 42] = [
    ("transparent", "0000"),
    ("black", "000"),
    ("white", "fff"),
    ("red", "f00"),
    ("green", "008000"),
    ("blue", "00f"),
    ("yellow", "ff0"),
    ("lime", "0f0"),
    ("aqua", "0ff"),
    ("cyan", "0ff"),
    ("fuchsia", "f0f"),
    ("magenta", "f0f"),
    ("gray", "808080"),
    ("grey", "808080"),
    ("silver", "c0c0c0"),
    ("maroon", "800000"),
    ("olive", "808000"),
    ("navy", "000080"),
    ("purple", "800080"),
    ("teal", "008080"),
    ("orange", "ffa500"),
    ("brown", "a52a2a"),
    ("pink", "ffc0cb"),
    ("gold", "ffd700"),
    ("indigo", "4b0082"),
    ("violet", "ee82ee"),
    ("crimson", "dc143c"),
    ("tomato", "ff6347"),
    ("orangered", "ff4500"),
    ("firebrick", "b22222"),
    ("darkred", "8b0000"),
    ("darkgreen", "006400"),
    ("darkblue", "00008b"),
    ("darkgray", "a9a9a9"),
    ("darkgrey", "a9a9a9"),
    ("dimgray", "696969"),
    ("dimgrey", "696969"),
    ("lightgray", "d3d3d3"),
    ("lightgrey", "d3d3d3"),
    ("whitesmoke", "f5f5f5"),
    ("royalblue", "4169e1"),
    ("slategray", "708090"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_read_in_every_form() {
        for text in [
            "#fff",
            "#ffffff",
            "#ffffffff",
            "white",
            "rgb(255,255,255)",
            "rgba(255, 255, 255, 1)",
            "rgb(100% 100% 100% / 100%)",
        ] {
            assert_eq!(Color::read(text), Some(Color::WHITE), "{text}");
        }
        for text in [
            "",
            "#ff",
            "#ggg",
            "rgb(1,2)",
            "hsl(0,0%,0%)",
            "var(--x)",
            "rgb(nan,0,0)",
        ] {
            assert_eq!(Color::read(text), None, "{text}");
        }
    }

    #[test]
    fn nearly_the_same_is_no_contrast() {
        let white = Color::WHITE;
        assert!((Color::BLACK.contrast(white) - 21.0).abs() < 0.01);
        let seen = Color::BLACK.over(white, 0.05);
        assert!(seen.contrast(white) < 1.5 && white.contrast(seen) < 1.5);
    }
}
