//! What quoting has to know of our mails, and of the moves in a letter.

use crate::mail::quoting;
use crate::mail::quoting::habits::{Foot, Habits};
use crate::mail::quoting::line::{Line, is_blank, is_number};
use crate::mail::quoting::sent::Sent;
use crate::notation::id_line::{self, IdLine};

/// The habits of this program.
pub static HABITS: Habits = Habits {
    // The fields of our mails and posts.
    fields: &[
        "Game", "Rules", "Options", "White", "Black", "Time", "Event", "Referee", "FEN", "Variant",
    ],
    headings: &["reserve:", CODE],
    page: Some(["<!DOCTYPE html>", "<pre id=\"post\">", "</pre>", "</html>"]),
    is_no_mark: is_drop,
    may_be_no_mark: could_be_drop,
    is_like_order: is_like_move,
    foot: |lines, at| {
        let (IdLine { hash, .. }, end) = IdLine::at(lines, at)?;
        Some(Foot { hash, end })
    },
    is_of_form,
    samples,
};

/// Splits a text into lines and tells whose words each is
/// ([`quoting::classify::classify`]). The same text with the same `sent` has the same authors
/// in every command.
///
/// # Examples
///
/// ```
/// use parapost::notation::habits::classify;
/// use parapost::mail::quoting::line::Author;
/// use parapost::mail::quoting::sent::Sent;
///
/// // A drop is no quote mark.
/// let lines = classify("> K>h1\nK>h1\n", &Sent::nothing());
/// assert_eq!(lines[0].author, Author::Quoted(1));
/// assert_eq!(lines[1].author, Author::Own);
/// ```
#[must_use]
pub fn classify<'a>(text: &'a str, sent: &Sent) -> Vec<Line<'a>> {
    quoting::classify::classify(text, sent, &HABITS)
}

/// Classifies a text that a user gives to a command, with nothing known to have been
/// sent.
#[must_use]
pub fn pasted(text: &str) -> Vec<Line<'_>> {
    classify(text, &Sent::nothing())
}

/// Returns the name of everything that is looked for, with samples of it.
#[must_use]
pub fn tokens() -> Vec<(&'static str, Vec<String>)> {
    quoting::classify::tokens(&HABITS)
}

/// Stands before an answer code.
const CODE: &str = "Answer code:";

/// The letters that name a piece, of either side and any game.
const PIECES: &str = "KQRBNPGSL";

/// Returns true if `>` is the drop sign: it stands between a piece letter and a square,
/// without blanks, as in `K>h1`.
fn is_drop(initials: &str, behind: &str) -> bool {
    names_piece(initials) && begins_with_square(behind)
}

/// Returns true if a line with these initials could be a misspelt drop: `K> h1` or
/// `P>j9`.
fn could_be_drop(initials: &str, behind: &str) -> bool {
    let next = behind.trim_start_matches(is_blank);
    let touches = next.len() == behind.len() && !next.is_empty() && !next.starts_with('>');
    names_piece(initials) && (touches || begins_with_square(next))
}

fn names_piece(initials: &str) -> bool {
    initials.len() == 1 && PIECES.contains(&initials.to_ascii_uppercase())
}

/// Returns true if the text begins with a square in any notation: `e3`, or `7f` and
/// `76` of shogi.
fn begins_with_square(text: &str) -> bool {
    matches!(
        text.as_bytes(),
        [b'a'..=b'i' | b'A'..=b'I', b'1'..=b'9', ..] | [b'1'..=b'9', b'a'..=b'i' | b'1'..=b'9', ..]
    )
}

/// Returns true if a word may be a move: it has a digit among letters, or castles.
fn is_like_move(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && !is_number(word)
        || ["OO", "oo", "00"]
            .iter()
            .any(|castling| word.starts_with(castling))
}

/// Returns true if an answer has the line that a link of ours has begun: it names the
/// match or is the place of the answer code.
fn is_of_form(lines: &[Line<'_>], at: usize) -> bool {
    let is_code = |at: usize| {
        let line = lines.get(at);
        line.is_some_and(|line| line.text.trim_start().starts_with(CODE))
    };
    let is_id_line = |at: usize| IdLine::at(lines, at).is_some();
    is_code(at + 1) && is_id_line(at) || is_code(at) && at.checked_sub(1).is_some_and(is_id_line)
}

/// Makes samples of what our mails have.
fn samples() -> Vec<(&'static str, Vec<String>)> {
    let sent = [
        "It is your move, White.",
        "Received, thank you.",
        "White       Black",
        "'>' places a piece from the reserve, '-' moves one, 'x' captures;",
        "White's pieces in reserve:",
    ];
    vec![
        ("id_line", id_line::tokens()),
        ("sent", sent.map(str::to_owned).to_vec()),
    ]
}
