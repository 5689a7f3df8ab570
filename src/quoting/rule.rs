//! Rules: a line of dashes or the like may stand above a quotation, and above the move
//! of a writer who sets it off.

use crate::quoting::line::{Author, Line};
use crate::quoting::unmarked_quote;

/// The signs that rules consist of.
const SIGNS: &str = "-_=*~—–―─━#";

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    let rules = SIGNS.chars();
    rules.map(|sign| sign.to_string().repeat(8)).collect()
}

/// Marks what stands below a rule as unclear, but for the first line, up to the foot of
/// our own mail. Where a rule opens
/// a quotation that other passes know, nothing is unclear.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let Some(at) = (0..lines.len()).find(|at| opens(lines, *at)) else {
        return;
    };
    // Below the foot of our own mail everything is explained again.
    let end = unmarked_quote::ends(lines)
        .into_iter()
        .find(|end| *end > at);
    let end = end.unwrap_or(lines.len());
    let mut below = lines[at + 1..end]
        .iter_mut()
        .filter(|line| !line.is_blank());
    below.next();
    below
        .filter(|line| line.author == Author::Own)
        .for_each(|line| line.author = Author::Unclear);
}

/// Returns true if the line is a rule of the writer's above more words of the writer's.
fn opens(lines: &[Line<'_>], at: usize) -> bool {
    if lines[at].author != Author::Own || !is_rule(lines, at) {
        return false;
    }
    let next = lines[at + 1..].iter().find(|line| !line.is_blank());
    next.is_some_and(|line| line.author == Author::Own)
}

/// How many lines above a rule a row of a board may stand: an empty reserve looks like
/// two rules.
const RESERVE: usize = 3;

/// Returns true if a line is a rule: the same sign twice or more, and nothing else. The border of a framed diagram is none, and neither is an empty reserve.
pub(super) fn is_rule(lines: &[Line<'_>], at: usize) -> bool {
    let text = lines[at].text.trim();
    let mut chars = text.chars();
    let Some(first) = chars.next().filter(|c| SIGNS.contains(*c)) else {
        return false;
    };
    let is_border = |at: Option<usize>| {
        let line = at.and_then(|at| lines.get(at));
        line.is_some_and(|line| line.text.contains('|'))
    };
    let above = lines[..at].iter().rev();
    let mut above = above.filter(|line| !line.is_blank()).take(RESERVE);
    let is_row = |line: &Line<'_>| {
        let squares = line
            .text
            .split_whitespace()
            .take_while(|word| word.chars().count() < 4);
        squares.count() > 5
    };
    text.chars().count() > 1
        && !above.any(is_row)
        && chars.all(|c| c == first)
        && !is_border(at.checked_sub(1))
        && !is_border(Some(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::line::split;

    #[test]
    fn a_rule_is_no_border() {
        let is_rule = |text: &str| is_rule(&split(text), 0);
        assert!(is_rule("-----\nhello") && is_rule(" ___ "));
        assert!(!is_rule("---\n| r | n |") && !is_rule("-") && !is_rule("--- 1 ---"));
    }

    #[test]
    fn the_first_line_below_a_rule_may_be_the_writer_s() {
        let mut lines = split("hello\n---\n\nn>g5\nn>f6");
        mark(&mut lines);
        let authors: Vec<Author> = lines.iter().map(|line| line.author).collect();
        assert_eq!(authors[3..], [Author::Own, Author::Unclear]);
    }
}
