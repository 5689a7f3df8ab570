//! Lengths as styles write them.

/// The size in pixels of letters that nothing says otherwise.
pub(super) const LETTER: f32 = 16.0;

/// Returns a length in pixels, or none if it is no length, or one that cannot be known.
/// `whole` is what a hundred percent are, `letter` the size of the letters around it.
pub(super) fn pixels(text: &str, letter: f32, whole: f32) -> Option<f32> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-')))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f32 = number
        .parse()
        .ok()
        .filter(|number: &f32| number.is_finite())?;
    let size = match unit {
        "" if number == 0.0 => 0.0,
        "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" | "rem" => LETTER,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 9.6 / 2.54,
        "em" => letter,
        "ex" | "ch" => letter / 2.0,
        "%" => whole / 100.0,
        // Of a narrow screen.
        "vw" | "vh" | "vmin" | "vmax" => 3.0,
        _ => return None,
    };
    Some(number * size)
}

#[cfg(test)]
mod tests {
    use super::pixels;

    #[test]
    fn what_cannot_be_known_is_no_length() {
        for (text, expected) in [
            ("2px", Some(2.0)),
            ("-.5em", Some(-5.0)),
            ("0", Some(0.0)),
            ("50%", Some(100.0)),
            ("1", None),
            ("calc(1px)", None),
            ("1e3px", None),
            ("", None),
        ] {
            assert_eq!(pixels(text, 10.0, 200.0), expected, "{text}");
        }
    }
}
