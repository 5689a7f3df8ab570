//! Indentation: the oldest mail programs quote by a tab before every line, and some
//! people by blanks below an attribution.

use crate::quoting::attribution::is_attribution;
use crate::quoting::line::{Author, Line};
use crate::quoting::wrapped_line;

/// The number of tabbed lines in a row that count as a quotation without an
/// attribution. Fewer may be a move that its writer has set off.
const ENOUGH: usize = 4;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    ["\t", "    ", " Anna wrote:", "  Ben wrote:"]
        .map(str::to_owned)
        .to_vec()
}

/// Cuts the indentation off quoted lines and marks them as quoted.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let is_indented = |line: &&Line<'_>| line.source.starts_with([' ', '\t']);
    let width = wrapped_line::width(lines.iter().filter(is_indented));
    // Caches the end of the last wrapped lines, and the first line with words after it,
    // so each line is scanned once.
    let (mut behind, mut next) = (0, None);
    let mut start = 0;
    while start < lines.len() {
        let Some(indent) = indent(&lines[start]) else {
            start += 1;
            continue;
        };
        let is_tab = indent.starts_with('\t');
        // Lines that the quotation itself quotes have their marks after the
        // indentation.
        let inside = |line: &Line<'_>| line.is_blank() || line.source.starts_with(indent);
        let mut end = start + 1;
        while end < lines.len() {
            if inside(&lines[end]) {
                end += 1;
                continue;
            }
            // A wrapped end belongs to the quotation if the quotation continues below
            // it.
            if behind <= end {
                behind = end + wrapped_line::count(lines, end, width);
                next = (behind > end)
                    .then(|| (behind..lines.len()).find(|at| !lines[*at].is_blank()))
                    .flatten();
            }
            if !next.is_some_and(|next| inside(&lines[next])) {
                break;
            }
            end = behind;
        }
        let run = &lines[start..end];
        let count = run.iter().filter(|line| !line.is_blank()).count();
        // One indented line with others directly below begins a paragraph.
        let is_paragraph = count == 1 && lines.get(end).is_some_and(|line| !line.is_blank());
        if is_attributed(&lines[..start]) && !is_paragraph || (is_tab && count >= ENOUGH) {
            let bytes = if is_tab { 1 } else { indent.len() };
            for line in &mut lines[start..end] {
                match line.author {
                    Author::Quoted(depth) => line.author = Author::Quoted(depth + 1),
                    _ if line.is_blank() => {}
                    _ if line.source.starts_with(indent) => line.cut(bytes, Author::Quoted(1)),
                    _ => line.author = Author::Quoted(1),
                }
            }
        }
        start = end;
    }
}

/// Returns the blanks at the start of an own line.
fn indent<'a>(line: &Line<'a>) -> Option<&'a str> {
    let text = line.source;
    if line.author != Author::Own || line.is_blank() {
        return None;
    }
    if text.starts_with('\t') {
        return Some("\t");
    }
    let spaces = text.len() - text.trim_start_matches(' ').len();
    (spaces > 0).then(|| &text[..spaces])
}

/// Returns true if the nearest line above with words says who wrote.
fn is_attributed(above: &[Line<'_>]) -> bool {
    above
        .iter()
        .rev()
        .take(3)
        .find(|line| !line.is_blank())
        .is_some_and(|line| line.author == Author::Own && is_attribution(line.text))
}
