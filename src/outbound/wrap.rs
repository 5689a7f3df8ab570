//! Line wrapping to a width that no mail program wraps again, and the paragraphs of a text whose
//! lines were wrapped, for a page that wraps them itself.
//!
//! What of a text is folded on a page, so that the links below it stand within two screens of a
//! telephone.
//!
//! The encodings of the texts of mails.

use lettre::message::Body;
use lettre::message::header::ContentTransferEncoding;
use serde::Serialize;

use crate::printable::{is_unprintable, width};

/// The maximum width of a line in an outgoing mail, in columns.
pub const WIDTH: usize = 72;

/// Wraps lines longer than [`WIDTH`] columns. Cuts words longer than a line,
/// and indents the further lines of an item.
pub fn lines(text: &str) -> String {
    to_width(text, WIDTH).join("\n")
}

/// Puts `> ` before each line of a text.
pub fn quote(text: &str) -> String {
    let lines: Vec<String> = to_width(text, WIDTH - 2)
        .into_iter()
        .map(|line| format!("> {line}").trim_end().to_owned())
        .collect();
    lines.join("\n")
}

/// Cleans a whole message: it has no terminal controls, no line wider than
/// [`WIDTH`], no trailing blanks, no two empty lines in a row, and one line end
/// at the end.
pub fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut empty = true;
    for line in to_width(text, WIDTH) {
        let line = line.trim_end();
        if !(line.is_empty() && empty) {
            tidy.push_str(line);
            tidy.push('\n');
        }
        empty = line.is_empty();
    }
    tidy.truncate(tidy.trim_end().len());
    tidy.push('\n');
    tidy
}

/// Wraps as [`lines`] does, at another width.
pub(super) fn to_width(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let line: String = line
            .replace('\t', " ")
            .chars()
            .filter(|c| !is_unprintable(*c))
            .collect();
        if line.chars().count() <= width {
            lines.push(line);
        } else {
            // Aligns the further lines of an item.
            let indent = if line.starts_with("- ") { "  " } else { "" };
            // A move must not break at its hyphen.
            let options = textwrap::Options::new(width)
                .subsequent_indent(indent)
                .word_splitter(textwrap::WordSplitter::NoHyphenation);
            let wrapped = textwrap::wrap(&line, options);
            lines.extend(wrapped.into_iter().map(std::borrow::Cow::into_owned));
        }
    }
    lines
}

/// A part of a text.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    kind: Kind,
    text: String,
}

impl Block {
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Lines that belong together.
    Paragraph,
    /// An item, without its `- `.
    Item,
    /// An indented line, which stands alone.
    Line,
}

/// Joins the lines of a text into paragraphs. An empty line ends a paragraph, a line
/// that begins with `- ` is an item, and an indented line stands alone unless it
/// continues an item.
pub(super) fn flow(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let said = line.trim();
        if said.is_empty() {
            is_open = false;
            continue;
        }
        let is_indented = line.starts_with("  ");
        let last = blocks.last_mut().filter(|_| is_open);
        let continued = last.filter(|last| match last.kind {
            Kind::Item => is_indented,
            Kind::Paragraph => !is_indented && !said.starts_with("- "),
            Kind::Line => false,
        });
        if let Some(block) = continued {
            block.text.push(' ');
            block.text.push_str(said);
            continue;
        }
        let (kind, said) = match said.strip_prefix("- ") {
            Some(item) if !is_indented => (Kind::Item, item),
            _ if is_indented => (Kind::Line, said),
            _ => (Kind::Paragraph, said),
        };
        let text = said.to_owned();
        blocks.push(Block { kind, text });
        is_open = true;
    }
    blocks
}

/// The most rows of a text that are not folded.
const UNFOLDED: usize = 10;

/// How many columns of a text a telephone shows beside each other.
const COLUMNS: usize = 32;

/// Returns the text in one part, or in two of which the second is folded.
pub(super) fn folded(text: &str) -> Vec<String> {
    let (mut taken, mut room) = (0, UNFOLDED);
    for line in text.split_inclusive('\n') {
        let needed = rows(line);
        if needed > room {
            taken += cut(line, room * COLUMNS, room == UNFOLDED);
            break;
        }
        taken += line.len();
        room -= needed;
    }
    let (first, rest) = text.split_at(taken);
    let rest = rest.trim_start();
    if rest.is_empty() || first.trim().is_empty() {
        return vec![text.to_owned()];
    }
    vec![first.trim_end().to_owned(), rest.to_owned()]
}

/// Returns the blocks in one part, or in two of which the second is folded.
pub(super) fn folded_blocks(mut blocks: Vec<Block>) -> Vec<Vec<Block>> {
    let mut room = UNFOLDED;
    let shown = blocks.iter().take_while(|block| {
        let fits = rows(block.text()) <= room;
        room = room.saturating_sub(rows(block.text()));
        fits
    });
    let shown = shown.count().max(1);
    if shown >= blocks.len() {
        return vec![blocks];
    }
    let rest = blocks.split_off(shown);
    vec![blocks, rest]
}

/// Returns how many rows a line takes.
fn rows(line: &str) -> usize {
    width(line.trim_end()).div_ceil(COLUMNS).max(1)
}

/// Returns where to cut a line that has room for these columns: behind a word, or anywhere if
/// there is nothing else to show, as in Chinese, which has no blanks.
fn cut(line: &str, columns: usize, is_first: bool) -> usize {
    let mut seen = 0;
    let fitting = line.char_indices().find(|(_, c)| {
        seen += width(c.encode_utf8(&mut [0; 4]));
        seen > columns
    });
    let fitting = fitting.map_or(line.len(), |(at, _)| at);
    match line[..fitting].rfind(char::is_whitespace) {
        Some(at) => at,
        None if is_first => fitting,
        None => 0,
    }
}

/// Encodes the text as 7bit if it is ASCII, else as quoted-printable. Also
/// encodes a text with a line that begins with `From `, so that no mailbox
/// takes the line for a postmark.
pub(super) fn encoded(text: String) -> Body {
    let is_from = |line: &str| line.starts_with("From ");
    if text.is_ascii() && !text.lines().any(is_from) {
        let encoding = ContentTransferEncoding::SevenBit;
        if let Ok(body) = Body::new_with_encoding(text.clone(), encoding) {
            return body;
        }
    }
    quoted_printable(text)
}

/// Encodes a text as quoted-printable, no line of which begins with `From `.
pub(super) fn quoted_printable(text: String) -> Body {
    let encoding = ContentTransferEncoding::QuotedPrintable;
    match Body::new_with_encoding(text, encoding) {
        Ok(body) => {
            let lines =
                String::from_utf8_lossy(body.as_ref()).replace("\r\nFrom ", "\r\n=46rom =\r\n");
            let lines = match lines.strip_prefix("From ") {
                Some(rest) => format!("=46rom =\r\n{rest}"),
                None => lines,
            };
            Body::dangerous_pre_encoded(lines.into_bytes(), encoding)
        }
        Err(bytes) => Body::new(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_too_wide_is_wrapped() {
        let long = "word ".repeat(30);
        let text = format!("a  b\n\n{long}\n  - - n -\n{}", "x".repeat(100));
        let wrapped = lines(&text);
        assert!(wrapped.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(wrapped.starts_with("a  b\n\nword word"));
        assert!(wrapped.contains("\n  - - n -\nxxxx"));
        assert_eq!(wrapped.matches("word").count(), 30);
        assert_eq!(wrapped.matches('x').count(), 100);
    }

    #[test]
    fn a_move_is_never_broken_at_its_sign() {
        for blanks in 55..75 {
            let text = format!("{} n-e6 and so on.", "x".repeat(blanks));
            assert!(lines(&text).contains("n-e6"), "{blanks}");
        }
    }

    #[test]
    fn a_quotation_is_marked_on_every_line() {
        let quoted = quote(&format!("From me\n\n{}", "word ".repeat(30)));
        assert!(quoted.starts_with("> From me\n>\n> word"));
        assert!(
            quoted
                .lines()
                .all(|line| line.starts_with('>') && line.chars().count() <= WIDTH)
        );
    }

    #[test]
    fn nothing_in_a_message_steers_a_terminal() {
        assert_eq!(
            tidy("\n\na\u{1b}[2J\tb  \r\n\n\n\nc\u{202e}\n\n"),
            "a[2J b\n\nc\n"
        );
    }
}

#[cfg(test)]
mod blocks_tests {
    use super::{Kind, flow};

    #[test]
    fn lines_are_joined_as_they_belong_together() {
        let text = "One\nsentence.\n\nAnother:\n- an item\n  of two lines\n- a second\n\n    n>g5\n    p>e5\nand on.\n";
        let blocks = flow(text);
        let blocks: Vec<(Kind, &str)> = blocks
            .iter()
            .map(|block| (block.kind, block.text.as_str()))
            .collect();
        assert_eq!(
            blocks,
            [
                (Kind::Paragraph, "One sentence."),
                (Kind::Paragraph, "Another:"),
                (Kind::Item, "an item of two lines"),
                (Kind::Item, "a second"),
                (Kind::Line, "n>g5"),
                (Kind::Line, "p>e5"),
                (Kind::Paragraph, "and on."),
            ]
        );
    }
}

#[cfg(test)]
mod fold_tests {
    use super::*;

    #[test]
    fn a_short_text_is_not_folded() {
        for short in ["", "Hello!", "a\n\nb\n", &"word ".repeat(60)] {
            assert_eq!(folded(short), [short]);
        }
        assert_eq!(folded_blocks(flow("Hello!\n\n- one\n- two\n")).len(), 1);
        assert_eq!(folded_blocks(Vec::new()), [Vec::new()]);
    }

    #[test]
    fn a_long_text_is_folded_behind_a_word() {
        for (long, first) in [
            ("x\n".repeat(30), "x\n".repeat(10)),
            ("word ".repeat(100), "word ".repeat(64)),
            (format!("a\n\n{}", "b".repeat(1000)), "a".to_owned()),
            ("言".repeat(400), "言".repeat(160)),
            ("x".repeat(400), "x".repeat(320)),
        ] {
            let parts = folded(&long);
            assert_eq!((parts.len(), parts[0].as_str()), (2, first.trim_end()));
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&parts.concat()), bare(&long));
        }
        let parts = folded_blocks(flow(&format!("- {}\n", "word ".repeat(30)).repeat(5)));
        let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
        assert_eq!(counts, [2, 3]);
        let parts = folded_blocks(flow(&format!("{}\n\nb\n", "word ".repeat(100))));
        assert_eq!(parts.len(), 2);
    }
}
