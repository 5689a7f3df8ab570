//! Ends of quoted lines that a program has torn off: it wraps what is too long
//! for it behind the quoting, so that they stand at the margin without a mark,
//! as the sender's own words do.

use super::{Line, Origin};

/// No program wraps lines that are shorter, in characters.
pub(super) const NARROWEST: usize = 60;

/// Gives what was torn off back to the quotation.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let quoted = lines
        .iter()
        .filter(|line| matches!(line.origin, Origin::Quoted(_)));
    // Nothing is longer than the program lets it be.
    let width = quoted.map(|line| length(line)).max().unwrap_or_default();
    if width < NARROWEST {
        return;
    }
    for at in 1..lines.len().saturating_sub(1) {
        let origin = lines[at - 1].origin;
        let goes_on = matches!(lines[at + 1].origin, Origin::Quoted(_));
        if lines[at].origin == Origin::Own
            && matches!(origin, Origin::Quoted(_))
            && goes_on
            && is_torn(&lines[at - 1], &lines[at], width)
        {
            lines[at].origin = origin;
        }
    }
}

/// Whether a line can be the end of the one above it: that does not come to an
/// end, and the first word below had no place in it any more.
pub(super) fn is_torn(above: &Line<'_>, line: &Line<'_>, width: usize) -> bool {
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
