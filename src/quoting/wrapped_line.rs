//! Ends of quoted lines that a program has torn off: it wraps what is too long
//! for it behind the quoting, so that they stand at the margin without a mark,
//! as the sender's own words do.

use crate::quoting::line::{Author, Line};

/// Gives what was torn off back to the quotation.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let is_quoted = |line: &Line<'_>| matches!(line.author, Author::Quoted(_));
    let width = width(lines.iter().filter(|line| is_quoted(line)));
    let mut at = 1;
    while at < lines.len() {
        let author = lines[at - 1].author;
        let mut end = at;
        if matches!(author, Author::Quoted(_)) {
            end += torn(lines, at, width);
        }
        if lines.get(end).is_some_and(is_quoted) {
            for line in &mut lines[at..end] {
                line.author = author;
            }
        }
        at = end + 1;
    }
}

/// How wide a program lets lines be, in characters: nothing is longer but a
/// word that it could not break.
pub(super) fn width<'l, 'a: 'l>(quoted: impl Iterator<Item = &'l Line<'a>>) -> usize {
    quoted
        .filter(|line| line.text.trim().contains(' '))
        .map(length)
        .max()
        .unwrap_or_default()
}

/// How many lines from that one on can be torn off the line above them.
pub(super) fn torn(lines: &[Line<'_>], at: usize, width: usize) -> usize {
    (at..lines.len())
        .take_while(|at| {
            lines[*at].author == Author::Own && is_torn(&lines[at - 1], &lines[*at], width)
        })
        .count()
}

/// Whether a line can be the end of the one above it: that does not come to an
/// end, and the first word below had no place in it any more.
fn is_torn(above: &Line<'_>, line: &Line<'_>, width: usize) -> bool {
    let first = line.text.split_whitespace().next();
    let text = above.text.trim_end();
    let ends = text.strip_suffix(['.', '!', '?', ':']).is_some_and(|text| {
        // The dot of a number is no full stop.
        !text.ends_with(|c: char| c.is_ascii_digit() || c == '.')
    });
    first.is_some_and(|word| length(above) + 1 + word.chars().count() > width) && !ends
}

fn length(line: &Line<'_>) -> usize {
    line.source.trim_end().chars().count()
}
