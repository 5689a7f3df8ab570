//! Undoes what forums do to a board that is pasted: empty lines behind each line, a number
//! before each, and entities that are escaped once more. Mail is read without this.

use std::borrow::Cow;
use std::ops::Range;

use crate::mail::quoting::line::Line;
use crate::notation::diagram::read::is_row;
use crate::notation::header;
use crate::rules::{Variant, games};

/// The fewest rows by which lines are those of a board.
const ROWS: usize = 8;

/// Returns the lines without the empty lines behind each, and without the number before each, where
/// they show a board.
pub(super) fn restored(mut lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    let mut at = 0;
    while at < lines.len() {
        let end = end_of_numbers(&lines, at);
        if end > at + 1 {
            cut_numbers(&mut lines[at..end]);
        }
        at = end.max(at + 1);
    }
    without_gaps(&mut lines, 3);
    without_gaps(&mut lines, 2);
    lines
}

/// Leaves out the empty lines between the lines of boards of which each takes so many.
fn without_gaps(lines: &mut Vec<Line<'_>>, step: usize) {
    let mut boards: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let end = end_of_apart(lines, at, step);
        if end > at + (ROWS - 1) * step && have_board(&lines[at..end], step) {
            boards.push(at..end);
        }
        at = end.max(at + 1);
    }
    let (mut boards, mut next) = (boards.into_iter().peekable(), 0);
    lines.retain(|_| {
        let at = next;
        next += 1;
        while boards.next_if(|board| board.end <= at).is_some() {}
        let around = boards.peek().filter(|board| board.contains(&at));
        around.is_none_or(|board| (at - board.start).is_multiple_of(step))
    });
}

/// Returns true if enough lines, one of each step, are rows of a board of eight or of nine.
fn have_board(lines: &[Line<'_>], step: usize) -> bool {
    [&games::CHESS, &games::SHOGI].into_iter().any(|game| {
        let is_plain = |variant: &Variant| {
            let lines = lines.iter().step_by(step);
            let rows = lines.filter(|line| is_row(line, variant));
            rows.take(ROWS).count() == ROWS
        };
        header::variant(game, "").is_ok_and(|variant| is_plain(&variant))
    })
}

/// Returns the end of the lines of which all are empty but the first of each step.
fn end_of_apart(lines: &[Line<'_>], start: usize, step: usize) -> usize {
    if lines[start].is_blank() {
        return start;
    }
    let between = (start..lines.len()).filter(|at| !(at - start).is_multiple_of(step));
    let filled = between.into_iter().find(|at| !lines[*at].is_blank());
    filled.unwrap_or(lines.len())
}

/// The number that a line begins with.
struct LineNumber<'t> {
    value: usize,
    /// The sign behind it, none for a blank.
    sign: Option<char>,
    is_padded: bool,
    rest: &'t str,
}

impl LineNumber<'_> {
    fn read(text: &str) -> Option<LineNumber<'_>> {
        let begun = text.trim_start();
        let digits = begun.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = begun.split_at(digits);
        let value = number.parse().ok().filter(|_| digits < 6)?;
        let apart = behind.trim_start();
        let sign = apart.chars().next().filter(|c| ":.)|".contains(*c));
        let rest = sign.map_or(behind, |sign| &apart[sign.len_utf8()..]);
        let is_apart = rest.is_empty() || sign.is_some() || rest.starts_with(char::is_whitespace);
        is_apart.then_some(LineNumber {
            value,
            sign,
            is_padded: number.starts_with('0'),
            rest,
        })
    }
}

/// Returns the end of the lines that are numbered, one more each, with one sign behind the numbers.
fn end_of_numbers(lines: &[Line<'_>], start: usize) -> usize {
    let Some(first) = LineNumber::read(lines[start].text) else {
        return start;
    };
    let mut next = first.value;
    let goes_on = |line: &&Line<'_>| {
        let number = LineNumber::read(line.text);
        let is_next = number.is_some_and(|it| it.value == next && it.sign == first.sign);
        next += 1;
        is_next
    };
    start + lines[start..].iter().take_while(goes_on).count()
}

/// Takes the numbers off the lines of a board. Those of ranks, which may stand on a board that is
/// seen from the other side, are never more than nine.
fn cut_numbers(lines: &mut [Line<'_>]) {
    let mut cut = lines.to_vec();
    let mut are_ranks = lines.len() < 10;
    for line in &mut cut {
        if let Some(number) = LineNumber::read(line.text) {
            are_ranks &= !number.is_padded && number.sign != Some(':');
            line.column += line.text[..line.text.len() - number.rest.len()]
                .chars()
                .count();
            line.text = number.rest;
        }
    }
    if !are_ranks && have_board(&cut, 1) {
        lines.clone_from_slice(&cut);
    }
}

/// Undoes an entity that is escaped once more: `&amp;gt;` for `&gt;`. Every other character keeps
/// its column.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    const ESCAPED: &str = "&amp;";
    let mut parts = text.split(ESCAPED);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let mut is_changed = false;
    for part in parts {
        let name = part.split(';').next().unwrap_or_default();
        let is_entity = name.len() < part.len()
            && (2..9).contains(&name.len())
            && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'#');
        // Four characters that show nothing stand for the four that are left out.
        plain.push_str(if is_entity {
            "\u{200b}\u{200b}\u{200b}\u{200b}&"
        } else {
            ESCAPED
        });
        is_changed |= is_entity;
        plain.push_str(part);
    }
    if is_changed {
        Cow::Owned(plain)
    } else {
        Cow::Borrowed(text)
    }
}
