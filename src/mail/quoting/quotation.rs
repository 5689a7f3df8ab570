//! Quotations, with marks and without.
//!
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
//!
//! Without marks a quotation stands below `-----Original Message-----`, a header block, or an
//! attribution that no mark follows. Below a line that may introduce somebody else's
//! words, in whatever language, a quotation may stand, too.
//!
//! Such a quotation ends at the foot of our own mail, at a line that closes it, or
//! where the text returns to the margin. Without any of these the whole rest may be
//! quoted: its author is [`Author::Quoted`] with depth 0, and an order in it counts only
//! with further proof. A line of dashes or the like may stand above a quotation, and above
//! the order of a writer who sets it off.

use std::collections::HashMap;

use crate::quoting::attribution::{has_source, is_attribution, says_who_wrote};
use crate::quoting::habits::Habits;
use crate::quoting::line::{self, Author, Line, is_blank};
use crate::quoting::{header_block, wrapped_line};

/// The length of the longest word that counts as a quoter's initials.
const LONGEST: usize = 10;

/// Samples of what this pass reacts to.
pub(super) const MARK_TOKENS: &[&str] = &["> ", ">", "| ", ": ", "&gt; ", "AW> ", ">>> ", "> > "];

/// Cuts the quote marks off the lines and marks these as quoted.
pub(super) fn mark_quote_marks(lines: &mut [Line<'_>], habits: &Habits) {
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
    // A variation selector shows nothing.
    let is_seen = |sign: &char| !matches!(sign, '\u{fe0e}' | '\u{fe0f}');
    let words = line.text.split_whitespace();
    words
        .filter(|word| word.chars().filter(is_seen).count() > 2)
        .count()
        > 1
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

/// Samples of what this pass reacts to.
pub(super) const UNMARKED_TOKENS: &[&str] = &[">", "> "];

/// Marks the lines that are quoted without marks.
pub(super) fn mark_unmarked_quote(lines: &mut [Line<'_>], habits: &Habits) {
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
    } else if (is_free || line.source.starts_with(">>>") || ends_address(lines, at))
        && says_who_wrote(line)
    {
        let next = lines[at + 1..].iter().find(|line| !line.is_blank())?;
        (!matches!(next.author, Author::Quoted(_))).then_some(1)?
    } else if line.author != Author::Own {
        return None;
    } else if let Some(count) = header_block::structure_length(&lines[at..], habits) {
        is_vague = true;
        count
    } else if names_writer_like_order(line, habits) {
        is_vague = true;
        1
    } else {
        return None;
    };
    let body = lines[at + head..].iter().take_while(|line| line.is_blank());
    Some(Opening {
        body: at + head + body.count(),
        is_vague,
    })
}

/// Returns true for words with an order and the date of a message. A program puts the date beside the
/// name of the writer, and the order may be that name.
fn names_writer_like_order(line: &Line<'_>, habits: &Habits) -> bool {
    // A time has digits and letters, too: `2026-11-20T03:00:00Z`.
    let is_like_order =
        |word: &String| word.starts_with(char::is_alphabetic) && (habits.is_like_order)(word);
    header_block::is_dated(line.text) && line::of_line(line).iter().any(is_like_order)
}

/// Returns true if the mark of a line is the end of an address that begins in the line above.
fn ends_address(lines: &[Line<'_>], at: usize) -> bool {
    let mut above = lines[..at].iter().rev().take(3);
    let above = above.find(|line| !line.is_blank());
    let is_open = |line: &Line<'_>| line.source.rfind('<') > line.source.rfind('>');
    lines[at].source.starts_with('>') && above.is_some_and(is_open)
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

/// Returns true if the line is a rule of the writer's above more words of the writer's, or above
/// words of ours: whoever is quoted may begin with a sentence of ours.
fn opens_quotation(lines: &[Line<'_>], at: usize) -> bool {
    if lines[at].author != Author::Own || !is_rule(lines, at) {
        return false;
    }
    let next = lines[at + 1..].iter().find(|line| !line.is_blank());
    next.is_some_and(|line| matches!(line.author, Author::Own | Author::Program))
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

    /// Went wrong: the lines below were the writer's own.
    #[test]
    fn a_line_with_an_order_and_a_time_may_say_who_wrote() {
        for line in [
            "posted by A12 on Fri, 20 Nov 2026 03:00",
            "03:00, 20 Nov 2026: A12",
        ] {
            let text = format!("{line}\n\nB12\n");
            let lines = crate::quoting::helpdesk::pasted(&text);
            assert_eq!(lines.last().unwrap().author, Author::Quoted(0), "{line}");
        }
        for line in [
            "posted by Ann on Fri, 20 Nov 2026 03:00",
            "A12 at 3:00",
            "Ann is to move by 2026-11-30T03:00:00Z.",
        ] {
            let text = format!("{line}\n\nB12\n");
            let lines = crate::quoting::helpdesk::pasted(&text);
            assert_eq!(lines.last().unwrap().author, Author::Own, "{line}");
        }
    }

    /// Went wrong: the lines below were the writer's own.
    #[test]
    fn an_attribution_may_be_broken_within_its_address() {
        let text = "On Friday A12\n\n<\nmailto:A12 <ben@b.test\n> wrote:\n\nB12\n";
        let lines = crate::quoting::helpdesk::pasted(text);
        assert_eq!(lines.last().unwrap().author, Author::Quoted(0));
        let lines = crate::quoting::helpdesk::pasted("a < b\n> Ann\n\nB12\n");
        assert_eq!(lines.last().unwrap().author, Author::Own);
    }

    #[test]
    fn a_short_list_and_a_board_are_the_writer_s() {
        assert_eq!(quoted("* first thing here\n* second thing here\n"), 0);
        assert_eq!(quoted(&"* r * * n * * *\n".repeat(8)), 0);
    }

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
