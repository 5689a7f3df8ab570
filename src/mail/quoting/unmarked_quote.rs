//! Quotations without marks: below `-----Original Message-----`, a header block, or an
//! attribution that no mark follows. Below a line that may introduce somebody else's
//! words, in whatever language, a quotation may stand, too.
//!
//! Such a quotation ends at the foot of our own mail, at a line that closes it, or
//! where the text returns to the margin. Without any of these the whole rest may be
//! quoted: its author is [`Author::Quoted`] with depth 0, and an order in it counts only
//! with further proof. A line of dashes or the like may stand above a quotation, and above
//! the order of a writer who sets it off.

use crate::quoting::attribution::{has_source, is_attribution, says_who_wrote};
use crate::quoting::habits::Habits;
use crate::quoting::header_block;
use crate::quoting::line::{Author, Line};

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &[">", "> "];

/// Marks the lines that are quoted without marks.
pub(super) fn mark(lines: &mut [Line<'_>], habits: &Habits) {
    let mut ends = ends(lines, habits).into_iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        let Some(Opening { body, is_vague }) = begin(lines, at, habits) else {
            at += 1;
            continue;
        };
        // Below an attribution, marks show how far the quotation goes.
        let is_marked = lines
            .get(body)
            .is_some_and(|line| matches!(line.author, Author::Quoted(_)));
        let marked = is_vague.then(|| marked_below(lines, body)).flatten();
        let known = if is_marked {
            Some(body)
        } else if let Some(marked) = marked {
            // The rest of the attribution. An order in it is asked about.
            for line in &mut lines[at..marked] {
                if line.author == Author::Own {
                    line.author = Author::Quoted(0);
                }
            }
            at = marked;
            continue;
        } else {
            while ends.next_if(|end| *end <= body).is_some() {}
            let end = ends.peek().copied();
            margin(&lines[..end.unwrap_or(lines.len())], at, body).or(end)
        };
        let (end, author) = match known {
            Some(end) => (end, Author::Quoted(1)),
            None => (lines.len(), Author::Quoted(0)),
        };
        // A quotation below a signature is not part of the signature.
        let is_signed = lines[at].author == Author::Signature;
        for line in &mut lines[at..end] {
            if line.author == Author::Own || is_signed && line.author == Author::Signature {
                line.author = author;
            }
        }
        at = end.max(at + 1);
    }
}

/// The most lines of an attribution that go on below its first.
const MOST_LINES: usize = 5;

/// Returns the line with a quote mark that follows shortly below.
fn marked_below(lines: &[Line<'_>], body: usize) -> Option<usize> {
    let below = (body..lines.len()).filter(|at| !lines[*at].is_blank());
    let mut near = below.take(MOST_LINES);
    near.find(|at| matches!(lines[*at].author, Author::Quoted(_)))
}

/// The start of a quotation without marks.
struct Opening {
    /// The line where the quoted words begin, after empty lines.
    body: usize,
    /// True if only the structure of the lines tells, as in an attribution in an unknown
    /// language.
    is_vague: bool,
}

/// Returns the start of the unmarked quotation that opens at `at`, if one does.
fn begin(lines: &[Line<'_>], at: usize, habits: &Habits) -> Option<Opening> {
    let line = &lines[at];
    let mut is_vague = false;
    let is_free = line.is_unmarked();
    // The first empty line above has already been tested for a header block.
    let is_looked_at = at.checked_sub(1).is_some_and(|above| {
        let above = &lines[above];
        above.is_unmarked() && above.is_blank()
    });
    let head = if is_free && header_block::opens(line.text) {
        let below = &lines[at + 1..];
        1 + header_block::length(below)
            .or_else(|| attribution(below))
            .unwrap_or_default()
    } else if is_free
        && !is_looked_at
        && let Some(count) = header_block::length(&lines[at..])
    {
        count
    } else if (is_free || line.source.starts_with(">>>")) && says_who_wrote(line) {
        let next = lines[at + 1..].iter().find(|line| !line.is_blank())?;
        (!matches!(next.author, Author::Quoted(_))).then_some(1)?
    } else if line.author != Author::Own {
        return None;
    } else if let Some(count) = header_block::structure_length(&lines[at..], habits) {
        is_vague = true;
        count
    } else {
        return None;
    };
    let body = lines[at + head..].iter().take_while(|line| line.is_blank());
    Some(Opening {
        body: at + head + body.count(),
        is_vague,
    })
}

/// Returns the number of lines of the attribution below a separator, including the
/// empty lines above it. It must name its source: a writer's own remark directly below
/// a separator is no attribution.
fn attribution(lines: &[Line<'_>]) -> Option<usize> {
    let at = lines.iter().position(|line| !line.is_blank())?;
    let line = &lines[at];
    let is_sourced = is_attribution(line.source) && has_source(line.source);
    (line.is_unmarked() && is_sourced).then_some(at + 1)
}

/// Returns the places where an unmarked quotation can end: after a line that closes it,
/// and after the foot of our own mail.
fn ends(lines: &[Line<'_>], habits: &Habits) -> Vec<usize> {
    (0..lines.len())
        .filter(|at| lines[*at].is_unmarked() || lines[*at].author == Author::Program)
        .filter_map(|at| {
            let foot = (habits.foot)(lines, at).map(|foot| foot.end);
            foot.or_else(|| header_block::closes(lines[at].text).then_some(at + 1))
        })
        .collect()
}

/// Returns the line where the text returns to the margin, if the quotation is indented.
fn margin(lines: &[Line<'_>], at: usize, body: usize) -> Option<usize> {
    let indent = |line: &Line<'_>| line.source.len() - line.source.trim_start().len();
    let is_deep = |line: &Line<'_>| line.is_blank() || indent(line) >= indent(&lines[at]);
    if indent(&lines[at]) == 0 {
        return None;
    }
    let deep = lines[body..].iter().take_while(|line| is_deep(line));
    Some(body + deep.count())
}

/// The signs that rules consist of.
const SIGNS: &str = "-_=*~—–―─━#";

/// Returns samples of what this pass reacts to.
pub(super) fn rule_tokens() -> Vec<String> {
    let rules = SIGNS.chars();
    rules.map(|sign| sign.to_string().repeat(8)).collect()
}

/// Marks what stands below a rule as unclear, but for the first line, up to the foot of
/// our own mail. Where a rule opens
/// a quotation that other passes know, nothing is unclear.
pub(super) fn mark_rules(lines: &mut [Line<'_>], habits: &Habits) {
    let Some(at) = (0..lines.len()).find(|at| opens_quotation(lines, *at)) else {
        return;
    };
    // Below the foot of our own mail everything is explained again.
    let end = ends(lines, habits).into_iter().find(|end| *end > at);
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
fn opens_quotation(lines: &[Line<'_>], at: usize) -> bool {
    if lines[at].author != Author::Own || !is_rule(lines, at) {
        return false;
    }
    let next = lines[at + 1..].iter().find(|line| !line.is_blank());
    next.is_some_and(|line| line.author == Author::Own)
}

/// How many lines above a rule a row of a drawn table may stand: an empty row looks like
/// two rules.
const RESERVE: usize = 3;

/// Returns true if a line is a rule: the same sign twice or more, and nothing else. The border of a framed diagram is none, and neither is an empty row.
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
        let cells = line
            .text
            .split_whitespace()
            .take_while(|word| word.chars().count() < 4);
        cells.count() > 5
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
        mark_rules(&mut lines, &Habits::NONE);
        let authors: Vec<Author> = lines.iter().map(|line| line.author).collect();
        assert_eq!(authors[3..], [Author::Own, Author::Unclear]);
    }
}
