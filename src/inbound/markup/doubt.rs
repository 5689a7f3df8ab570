//! Text that a reader may not see, on its way through the library that breaks lines.

use crate::quoting::doubt::without_noncharacters;
use crate::quoting::line::DOUBT;

/// Stands between the characters of a doubtful text in a reduced document. It has no
/// width, so wherever the library breaks a line, each of its lines has one.
const BETWEEN: char = '\u{e0fff}';

/// Puts the sign between all characters of a text. References stay whole.
pub(super) fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '&' => reference(rest),
            c => c.len_utf8(),
        };
        let (sign, behind) = rest.split_at(length);
        rest = behind;
        if c.is_whitespace() || BLANKS.contains(&sign) {
            out.push_str(sign);
        } else {
            out.push(BETWEEN);
            out.push_str(sign);
            out.push(BETWEEN);
        }
    }
    out
}

/// References to blanks, which programs write where nothing is to be seen.
const BLANKS: [&str; 7] = [
    "&nbsp;", "&#160;", "&#xa0;", "&#32;", "&zwnj;", "&#8203;", "&#8204;",
];

/// Returns the length of the reference at the start of a text, or of its `&`.
fn reference(text: &str) -> usize {
    let name = text[1..].bytes();
    let name = name.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
    let end = 1 + name.take(LONGEST).count();
    end + usize::from(text[end..].starts_with(';'))
}

/// The longest name of a character in HTML.
const LONGEST: usize = 32;

/// Returns a text without the signs.
pub(super) fn unmarked(text: &str) -> String {
    text.replace(BETWEEN, "")
}

/// Returns a line as it goes on: with the mark of doubt at its end if it has such text,
/// and without all characters that no text may have.
pub(in crate::inbound) fn ended(line: &str) -> String {
    let is_doubtful = line.contains(BETWEEN);
    let mut plain = without_noncharacters(&unmarked(line)).into_owned();
    plain.truncate(plain.trim_end_matches(' ').len());
    if is_doubtful && !plain.is_empty() {
        plain.push(DOUBT);
    }
    plain
}
