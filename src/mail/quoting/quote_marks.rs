//! Quote marks: most mail programs put one before each quoted line.
//!
//! A quote mark is `>`, `|` or `:` at the start of a line. Several may follow each
//! other, with or without blanks between them. The initials of a quoter with a `>`
//! (`AW>`) are one, too, where several lines share them, unless the program that reads the
//! text gives them another meaning.
//!
//! Any other sign is one where it stands before each of several lines of words. The oldest
//! programs quote by a tab before every line, and some people by blanks below an
//! attribution.

use std::collections::HashMap;

use crate::quoting::attribution::is_attribution;
use crate::quoting::habits::Habits;
use crate::quoting::line::{Author, Line, is_blank};
use crate::quoting::wrapped_line;

/// The length of the longest word that counts as a quoter's initials.
const LONGEST: usize = 10;

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &["> ", ">", "| ", ": ", "&gt; ", "AW> ", ">>> ", "> > "];

/// Cuts the quote marks off the lines and marks these as quoted.
pub(super) fn mark(lines: &mut [Line<'_>], habits: &Habits) {
    let quoters = quoters(lines.iter().map(|line| line.source), habits);
    for line in lines {
        let (depth, mark) = marks(line.source, &quoters, habits);
        if depth > 0 {
            line.cut(mark, Author::Quoted(depth));
        }
    }
}

/// The initials that mark quotations in a text.
type Quoters<'a> = HashMap<&'a str, Evidence>;

#[derive(Default)]
struct Evidence {
    /// The number of lines that begin with the initials.
    lines: usize,
    /// The number of these lines that cannot be meant otherwise.
    clear: usize,
}

/// Returns the initials that mark quotations in these lines.
fn quoters<'a>(lines: impl Iterator<Item = &'a str>, habits: &Habits) -> Quoters<'a> {
    let mut seen = Quoters::new();
    for line in lines {
        let mut rest = line;
        let pipes = is_framed(line);
        while let Some(mark) = plain_mark(rest, pipes) {
            rest = &rest[mark..];
        }
        if let Some((initials, behind)) = initials(rest, habits) {
            let evidence = seen.entry(initials).or_default();
            evidence.lines += 1;
            evidence.clear += usize::from(!(habits.may_be_no_mark)(initials, behind));
        }
    }
    // Requires at least two lines, one of which cannot be meant otherwise.
    seen.retain(|_, evidence| evidence.lines > 1 && evidence.clear > 0);
    seen
}

/// Returns how deep a line is quoted, and how many of its bytes are marks.
fn marks(line: &str, quoters: &Quoters<'_>, habits: &Habits) -> (usize, usize) {
    let is_framed = is_framed(line);
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &line[at..];
        let mark = plain_mark(rest, is_framed).or_else(|| {
            let (initials, behind) = initials(rest, habits)?;
            quoters.get(initials)?;
            Some(rest.len() - behind.len())
        });
        match mark {
            Some(mark) => (depth, at) = (depth + 1, at + mark),
            None => return (depth, at),
        }
    }
}

/// Returns true if the line is a row of a framed diagram, so that its first `|` is a
/// border. Such a row has a border at its end and inside, or the borders of many
/// cells, or those of a wide empty row.
fn is_framed(line: &str) -> bool {
    let borders = line.matches('|').count();
    let is_closed = line.trim_end().ends_with('|');
    // The part between the first and the last border.
    let inner = line
        .split_once('|')
        .and_then(|(_, rest)| rest.rsplit_once('|'));
    let is_empty = |text: &str| text.chars().all(is_blank) && text.chars().count() >= 8;
    borders > 6
        || inner.is_some_and(|(inner, _)| inner.split('|').any(is_empty))
        || (is_closed && (borders > 2 || line.contains("|        ")))
}

/// Returns the length in bytes of the mark at the start, with the blanks before it.
fn plain_mark(text: &str, is_framed: bool) -> Option<usize> {
    let mark = text.trim_start_matches(is_blank);
    // A colon directly before other text begins a smiley or a word.
    let is_apart = |behind: &&str| {
        let next = behind.chars().next();
        next.is_none_or(|c| is_blank(c) || c == ':' || c == '>')
    };
    let behind = mark
        .strip_prefix('>')
        .or(mark.strip_prefix("&gt;"))
        .or(mark.strip_prefix('|').filter(|_| !is_framed))
        .or(mark.strip_prefix(':').filter(is_apart))?;
    Some(text.len() - behind.len())
}

/// Returns the initials at the start and the text after their `>`, or none if that `>`
/// is no mark.
fn initials<'t>(text: &'t str, habits: &Habits) -> Option<(&'t str, &'t str)> {
    let text = text.trim_start_matches(is_blank);
    let end = text.find(|c: char| !c.is_alphanumeric())?;
    let (initials, sign) = text.split_at(end);
    let behind = sign.strip_prefix('>').or(sign.strip_prefix("&gt;"))?;
    let is_quoter = initials.starts_with(char::is_alphabetic)
        && initials.chars().count() <= LONGEST
        && !(habits.is_no_mark)(initials, behind);
    is_quoter.then_some((initials, behind))
}

/// The signs that may mark quotations. None of them is a cell of a drawing or begins
/// a rule.
const STRANGE_SIGNS: &str = "│┃▌▏¦»›}]%§†‡•·※◦^*";

/// The least number of lines in a row that count as a quotation by the same strange sign,
/// or by a tab without an attribution. A list of the writer's is shorter, and so is an order
/// that the writer has set off.
const ENOUGH: usize = 4;

/// Returns samples of what this pass reacts to.
pub(super) fn strange_tokens() -> Vec<String> {
    STRANGE_SIGNS
        .chars()
        .map(|sign| format!("{sign} "))
        .collect()
}

/// Cuts the marks off the lines and marks these as quoted.
pub(super) fn mark_strange(lines: &mut [Line<'_>]) {
    let mut start = 0;
    while start < lines.len() {
        let Some(sign) = strange_sign(&lines[start]) else {
            start += 1;
            continue;
        };
        let is_inside = |line: &&Line<'_>| line.is_blank() || strange_sign(line) == Some(sign);
        let end = start + lines[start..].iter().take_while(is_inside).count();
        let words = lines[start..end].iter().filter(|line| has_words(line));
        if words.count() >= ENOUGH {
            let marked = lines[start..end].iter_mut().filter(|line| !line.is_blank());
            for line in marked {
                let mark = line.text.len() - line.text.trim_start().len() + sign.len_utf8();
                line.cut(mark, Author::Quoted(1));
            }
        }
        start = end;
    }
}

/// Returns the sign that an own line begins with, before a blank or alone.
fn strange_sign(line: &Line<'_>) -> Option<char> {
    let mut chars = line.text.trim_start().chars();
    let sign = chars.next().filter(|c| STRANGE_SIGNS.contains(*c))?;
    let is_apart = chars.next().is_none_or(is_blank);
    (line.author == Author::Own && is_apart).then_some(sign)
}

/// Returns true if the line has words, not only the cells of a drawn table.
fn has_words(line: &Line<'_>) -> bool {
    let words = line.text.split_whitespace();
    words.filter(|word| word.chars().count() > 2).count() > 1
}

/// Samples of what this pass reacts to.
pub(super) const INDENTED_TOKENS: &[&str] = &["\t", "    ", " Anna wrote:", "  Ben wrote:"];

/// Cuts the indentation off quoted lines and marks them as quoted.
pub(super) fn mark_indented(lines: &mut [Line<'_>]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::line::split;

    fn quoted(text: &str) -> usize {
        let mut lines = split(text);
        mark_strange(&mut lines);
        lines
            .iter()
            .filter(|line| line.author == Author::Quoted(1))
            .count()
    }

    #[test]
    fn the_same_sign_before_several_lines_is_a_quote_mark() {
        let text = "│ Anna has played\n│\n│ It is your move\n│ one two three four\n│ Game demo made\nn>g5\n";
        assert_eq!(quoted(text), 5);
        assert_eq!(quoted(&text.replace('\n', "\n\n")), 5);
    }

    #[test]
    fn a_short_list_and_a_board_are_the_writer_s() {
        assert_eq!(quoted("* first thing here\n* second thing here\n"), 0);
        assert_eq!(quoted(&"* r * * n * * *\n".repeat(8)), 0);
    }
}
