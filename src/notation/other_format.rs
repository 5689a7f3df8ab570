//! Recognises lists of moves in the formats of other programs, which are not read.

use std::fmt;

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::TextPlace;

/// A format of other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherFormat {
    /// KIF and KI2, in Japanese: `1 ７六歩(77)`, `▲７六歩`.
    Kif,
    /// CSA: `+7776FU`.
    Csa,
    /// A command of USI: `position startpos moves 7g7f`.
    Usi,
}

impl OtherFormat {
    /// Finds the first line that is written in such a format.
    #[must_use]
    pub fn find(lines: &[Line<'_>]) -> Option<(OtherFormat, TextPlace)> {
        lines.iter().find_map(|line| {
            if line.author == Author::Signature || line.text.len() > LONGEST {
                return None;
            }
            let text = line.text.trim();
            let format = OtherFormat::of(text)?;
            let before = line.text.len() - line.text.trim_start().len();
            let column = line.column + line.text[..before].chars().count();
            let place = TextPlace::new(line.number, column);
            Some((format, place.wide(text.chars().count())))
        })
    }

    /// Returns the format that a line with a move is written in.
    fn of(line: &str) -> Option<OtherFormat> {
        let begins = |start: &&str| {
            let head = line.as_bytes().get(..start.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
        };
        let commands = ["position startpos", "position sfen ", "startpos moves "];
        if commands.iter().any(begins) {
            Some(OtherFormat::Usi)
        } else if is_csa(line) {
            Some(OtherFormat::Csa)
        } else {
            is_kif(line).then_some(OtherFormat::Kif)
        }
    }
}

/// The longest line that is examined, in bytes.
const LONGEST: usize = 20_000;

impl fmt::Display for OtherFormat {
    /// Names the format, and the form to send instead.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            OtherFormat::Kif => "a list in KIF",
            OtherFormat::Csa => "a list in CSA",
            OtherFormat::Usi => "a command of USI",
        };
        write!(
            f,
            "this is {name}, which is not read; write the moves alone, as in '1. P-7f P-3d' or '7g7f 3c3d'"
        )
    }
}

/// Returns true for a move of CSA, `+7776FU`, perhaps with its time.
fn is_csa(line: &str) -> bool {
    let moved = line.split(',').next().unwrap_or(line).as_bytes();
    matches!(moved, [b'+' | b'-', squares @ .., a, b]
        if squares.len() == 4
            && squares.iter().all(u8::is_ascii_digit)
            && a.is_ascii_uppercase()
            && b.is_ascii_uppercase())
}

/// Returns true for a line that begins with a move of KIF or KI2.
fn is_kif(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let rest = rest.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let is_marked = rest.len() < line.len();
    let mut chars = rest.chars().filter(|c| !matches!(c, ' ' | '\u{3000}'));
    let is_square = match chars.next() {
        Some('同') => true,
        Some('1'..='9' | '１'..='９') => matches!(
            chars.next(),
            Some('一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九')
        ),
        _ => false,
    };
    let is_piece = |c: char| "玉王飛角金銀桂香歩龍竜馬全圭杏と成".contains(c);
    is_marked && is_square && chars.next().is_some_and(is_piece)
}

#[cfg(test)]
mod tests {
    use super::OtherFormat::{self, Csa, Kif, Usi};

    #[test]
    fn a_line_tells_its_format() {
        for (line, expected) in [
            ("1 ７六歩(77)   ( 0:16/00:00:16)", Some(Kif)),
            ("2 同　銀(31)", Some(Kif)),
            ("▲７六歩", Some(Kif)),
            ("☗2六歩 ☖3四歩", Some(Kif)),
            ("+7776FU", Some(Csa)),
            ("-3334FU,T12", Some(Csa)),
            ("position startpos moves 7g7f 3c3d", Some(Usi)),
            ("position sfen lnsgkgsnl/9/9/9/9/9/9/9/9 b - 1", Some(Usi)),
            ("7g7f 3c3d", None),
            ("1. P-7f P-3d", None),
            ("７六歩", None),
            ("+1234567", None),
            ("The position startpos is known", None),
            ("", None),
        ] {
            assert_eq!(OtherFormat::of(line), expected, "{line}");
        }
    }
}
