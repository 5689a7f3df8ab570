//! The signs that people and programs set in place of plain ones, or glue to a
//! move.

use alloc::string::String;

use crate::piece::Role;
use crate::shown::is_unprintable;

/// Figurines, dashes and other typographic signs as plain ones.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '♔' | '♕' | '♖' | '♗' | '♘' | '♙' => {
                out.push(figurine(c, '♔').to_ascii_uppercase());
            }
            '♚' | '♛' | '♜' | '♝' | '♞' | '♟' => out.push(figurine(c, '♚')),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push('-'),
            '×' | '✕' => out.push('x'),
            '\u{2018}' | '\u{2019}' | '`' | '\u{b4}' => out.push('\''),
            '\u{203a}' | '\u{ff1e}' => out.push('>'),
            c if is_arrow(c) && ends_with_piece(&out) => out.push('>'),
            '†' => out.push('+'),
            '‡' => out.push('#'),
            // Variation selectors that mail programs put after figurines, and
            // the marks they put around a word in another script.
            '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{2066}' | '\u{2068}' | '\u{2069}' => {}
            c if c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// An arrow to the right. Between a piece and a square it is a drop sign.
pub(super) fn is_arrow(c: char) -> bool {
    matches!(
        c,
        '\u{2192}' | '\u{27f6}' | '\u{2794}' | '\u{279c}' | '\u{279e}' | '\u{27a1}'
    )
}

/// Returns true if the last item of a text is a piece letter alone.
fn ends_with_piece(text: &str) -> bool {
    let item = text.rsplit(',').next().unwrap_or(text);
    let mut chars = item.trim_start().chars();
    chars.next().and_then(Role::from_letter).is_some() && chars.next().is_none()
}

/// Returns true for a sign that people and programs glue to a move as a
/// comment, and that means nothing in a move: `\u{b1}`, `\u{203c}`, `\u{25a1}`, an emoji, a
/// footnote's number.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::is_comment_sign;
///
/// assert!(['\u{b1}', '\u{221e}', '\u{b9}', '\u{1f44d}'].into_iter().all(is_comment_sign));
/// assert!(!['e', '3', '+', '\u{99ac}', '\u{202e}'].into_iter().any(is_comment_sign));
/// ```
#[must_use]
pub fn is_comment_sign(c: char) -> bool {
    let is_raised = matches!(
        c,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}'..='\u{209c}' | '\u{2460}'..='\u{249b}'
    );
    let is_text = c.is_ascii() || c.is_alphanumeric() || c.is_whitespace() || is_unprintable(c);
    is_raised || !(is_text || matches!(c, '\u{2020}' | '\u{2021}'))
}

fn figurine(c: char, king: char) -> char {
    let letters = ['k', 'q', 'r', 'b', 'n', 'p'];
    letters[(c as usize - king as usize).min(5)]
}
