//! The pieces in hand beside a Japanese board: `先手の持駒：飛　金二　歩十一`.

use crate::mail::quoting::line::Glyph;
use crate::notation::diagram::{DiagramError, kanji, row::place_of};
use crate::rules::{Color, Reserve, Variant};

/// The numerals from one to ten.
const NUMERALS: &str = "一二三四五六七八九十";

/// The names of the players, of whom one gives a handicap: `上手`.
const SIDES: [(&str, Color); 4] = [
    ("先手", Color::White),
    ("下手", Color::White),
    ("後手", Color::Black),
    ("上手", Color::Black),
];

/// Returns the player whose name a text begins with, and the rest.
pub(in crate::notation) fn side(text: &str) -> Option<(Color, &str)> {
    let named = |(name, color): &(&str, Color)| Some((*color, text.strip_prefix(name)?));
    SIDES.iter().find_map(named).or_else(|| {
        let mut chars = text.chars();
        Some((mark(chars.next()?)?, chars.as_str()))
    })
}

/// Returns the player whose sign this is.
pub(in crate::notation) fn mark(sign: char) -> Option<Color> {
    match sign {
        '▲' | '▼' | '☗' | '⛊' => Some(Color::White),
        '△' | '▽' | '☖' | '⛉' => Some(Color::Black),
        _ => None,
    }
}

/// The words for pieces in hand.
const IN_HAND: [&str; 2] = ["持駒", "持ち駒"];

/// Returns the player whose pieces in hand a text tells, and what tells them.
pub(super) fn heading(text: &[Glyph]) -> Option<(Color, &[Glyph])> {
    // The longest heading, and some blanks.
    let words: String = text.iter().take(24).map(|glyph| glyph.char).collect();
    let (color, rest) = side(words.trim_start())?;
    let rest = rest.trim_start_matches(['の', ' ', ':']);
    let rest = IN_HAND.iter().find_map(|word| rest.strip_prefix(word))?;
    let behind = words.chars().count() - rest.chars().count();
    Some((color, &text[behind..]))
}

/// Reads pieces with their numbers.
///
/// # Errors
///
/// If they are none, or too many.
pub(super) fn read(
    line: usize,
    text: &[Glyph],
    variant: &Variant,
) -> Result<Reserve, DiagramError> {
    let mut reserve = Reserve::EMPTY;
    let told: String = text.iter().map(|glyph| glyph.char).collect();
    let told = told.trim_matches([' ', ':']);
    if ["なし", "無し", "ナシ", "無", "-"].contains(&told) {
        return Ok(reserve);
    }
    let mut rest = text;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if matches!(first.char, ' ' | ':' | ',' | '、' | '.') {
            continue;
        }
        let wrong = |message| Err(DiagramError::new(place_of(line, *first), message));
        let role = kanji(first.char).filter(|role| variant.rules().has_slot(*role));
        let Some(role) = role else {
            return wrong(format!("'{}' is no piece in hand", first.char));
        };
        let length = rest
            .iter()
            .take_while(|glyph| is_numeral(glyph.char))
            .count();
        let count = number(&rest[..length]);
        rest = &rest[length..];
        // As many pawns as there are.
        if count.saturating_add(usize::from(reserve.count(role))) > 18 {
            return wrong(format!(
                "there are too many pieces '{}' in hand",
                first.char
            ));
        }
        for _ in 0..count {
            reserve.add(role);
        }
    }
    Ok(reserve)
}

fn is_numeral(sign: char) -> bool {
    sign.is_ascii_digit() || NUMERALS.contains(sign)
}

/// Reads a number in digits or numerals, as 十八; 1 where there is none.
fn number(text: &[Glyph]) -> usize {
    let value = text.iter().fold(0usize, |value, glyph| {
        let numeral = NUMERALS.chars().position(|numeral| numeral == glyph.char);
        match (glyph.char.to_digit(10), numeral) {
            (_, Some(9)) => value.max(1).saturating_mul(10),
            (_, Some(at)) if value.is_multiple_of(10) => value.saturating_add(at + 1),
            (_, Some(at)) => value.saturating_mul(10).saturating_add(at + 1),
            (digit, None) => value
                .saturating_mul(10)
                .saturating_add(digit.unwrap_or(0) as usize),
        }
    });
    if text.is_empty() { 1 } else { value }
}
