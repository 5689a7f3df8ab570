//! Quote marks: most mail programs put one before each quoted line.
//!
//! A quote mark is `>`, `|` or `:` at the start of a line. Several may follow each
//! other, with or without blanks between them. The initials of a quoter with a `>`
//! (`AW>`) are one, too, where several lines share them. Between a piece letter and a
//! square, without blanks, `>` is the drop sign and never a quote mark: `K>h1`.

use std::collections::HashMap;

use crate::quoting::line::{Author, Line, is_blank};

/// The letters that name a piece, of either side and any game.
const PIECES: &str = "KQRBNPGSL";

/// The length of the longest word that counts as a quoter's initials.
const LONGEST: usize = 10;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    ["> ", ">", "| ", ": ", "&gt; ", "AW> ", ">>> ", "> > "]
        .map(str::to_owned)
        .to_vec()
}

/// Cuts the quote marks off the lines and marks these as quoted.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let quoters = Quoters::of(lines.iter().map(|line| line.source));
    for line in lines {
        let (depth, mark) = quoters.marks(line.source);
        if depth > 0 {
            line.cut(mark, Author::Quoted(depth));
        }
    }
}

/// The initials that mark quotations in a text.
struct Quoters<'a>(HashMap<&'a str, Evidence>);

#[derive(Default)]
struct Evidence {
    /// The number of lines that begin with the initials.
    lines: usize,
    /// The number of these lines that cannot be meant as a drop.
    clear: usize,
}

impl<'a> Quoters<'a> {
    fn of(lines: impl Iterator<Item = &'a str>) -> Quoters<'a> {
        let mut seen: HashMap<&str, Evidence> = HashMap::new();
        for line in lines {
            let mut rest = line;
            let pipes = is_framed(line);
            while let Some(mark) = plain_mark(rest, pipes) {
                rest = &rest[mark..];
            }
            if let Some((initials, behind)) = initials(rest) {
                let evidence = seen.entry(initials).or_default();
                evidence.lines += 1;
                evidence.clear += usize::from(!could_be_drop(initials, behind));
            }
        }
        // Requires at least two lines, one of which cannot be a drop.
        seen.retain(|_, evidence| evidence.lines > 1 && evidence.clear > 0);
        Quoters(seen)
    }

    /// Returns how deep a line is quoted, and how many of its bytes are marks.
    fn marks(&self, line: &str) -> (usize, usize) {
        let is_framed = is_framed(line);
        let (mut depth, mut at) = (0, 0);
        loop {
            let rest = &line[at..];
            let mark = plain_mark(rest, is_framed).or_else(|| {
                let (initials, behind) = initials(rest)?;
                self.0.get(initials)?;
                Some(rest.len() - behind.len())
            });
            match mark {
                Some(mark) => (depth, at) = (depth + 1, at + mark),
                None => return (depth, at),
            }
        }
    }
}

/// Returns true if the line is a row of a framed diagram, so that its first `|` is a
/// border. Such a row has a border at its end and inside, or the borders of many
/// squares, or those of a wide empty row.
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
    let behind = if let Some(behind) = mark.strip_prefix('>').or(mark.strip_prefix("&gt;")) {
        behind
    } else if let Some(behind) = mark.strip_prefix('|').filter(|_| !is_framed) {
        behind
    } else {
        // A colon directly before other text begins a smiley or a word.
        mark.strip_prefix(':').filter(|behind| {
            behind
                .chars()
                .next()
                .is_none_or(|c| is_blank(c) || c == ':' || c == '>')
        })?
    };
    Some(text.len() - behind.len())
}

/// Returns the initials at the start and the text after their `>`, or none if that `>`
/// is a drop sign.
fn initials(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(is_blank);
    let end = text.find(|c: char| !c.is_alphanumeric())?;
    let (initials, sign) = text.split_at(end);
    let behind = sign.strip_prefix('>').or(sign.strip_prefix("&gt;"))?;
    let is_quoter = initials.starts_with(char::is_alphabetic)
        && initials.chars().count() <= LONGEST
        && !(names_piece(initials) && begins_with_square(behind));
    is_quoter.then_some((initials, behind))
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
