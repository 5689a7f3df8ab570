//! The text of a letter beside its HTML, which say the same in two ways.

use std::borrow::Cow;
use std::collections::HashSet;

use mail_parser::{Message, PartType};

use crate::Pattern;
use crate::message::html;
use crate::quoting::attribution::is_attribution;
use crate::quoting::habits::HtmlHabits;
use crate::quoting::{header_block, line};

/// The HTML of a letter, as text.
#[derive(Default)]
pub(super) struct Alternative {
    /// What a reader sees.
    shown: String,
    /// The same with what is struck out, if anything is.
    unstruck: Option<String>,
    /// True if a part is beyond a limit.
    is_cut: bool,
}

impl Alternative {
    /// Reads the HTML of a message. Returns none if it has none.
    pub(super) fn of(message: &Message<'_>, habits: &HtmlHabits) -> Option<Alternative> {
        static STRIKE: Pattern =
            Pattern::new(r"(?i)</?(?:s|strike|del)(?:\s[^<>]*)?>|\bline-through\b");
        let sources = message.html_bodies().filter_map(|part| match &part.body {
            PartType::Html(source) if !(habits.is_page)(source) => Some(source),
            _ => None,
        });
        let mut sources = sources.peekable();
        sources.peek()?;
        let mut read = Alternative::default();
        for source in sources {
            let mut text = |source: &str| {
                html::text(source, habits).unwrap_or_else(|_| {
                    read.is_cut = true;
                    String::new()
                })
            };
            let shown = text(source);
            if STRIKE.is_match(source) {
                let whole = text(&STRIKE.replace_all(source, ""));
                *read.unstruck.get_or_insert_default() += &whole;
            }
            read.shown += &shown;
        }
        Some(read)
    }

    /// Joins the lines of a text that stand on one line in the HTML of the same words: those of which
    /// the last word of one and the first word of the next stand beside each other there. Blank lines
    /// between them go. Quoted lines, and what is below a signature, stay as they are.
    pub(super) fn joined(&self, text: &str) -> String {
        let words = |line: &str| -> Vec<String> {
            let words = line.split_whitespace().map(signs);
            words.filter(|word| !word.is_empty()).collect()
        };
        let mut beside: HashSet<(String, String)> = HashSet::new();
        let own = self.shown.lines();
        let own = own.take_while(|line| !opens_quotation(line));
        for line in own.filter(|line| !line.starts_with('>')) {
            let words = words(line);
            beside.extend(words.iter().cloned().zip(words.iter().skip(1).cloned()));
        }
        let mut out = String::with_capacity(text.len());
        let mut last: Option<String> = None;
        let mut lines = text.split_inclusive('\n').peekable();
        while let Some(line) = lines.next_if(|line| line.trim_end() != "--") {
            if line.trim().is_empty() {
                out.push_str(line);
                continue;
            }
            let mut own = if line.starts_with('>') {
                Vec::new()
            } else {
                words(line)
            };
            let pair = last.take().zip(own.first().cloned());
            if pair.is_some_and(|pair| beside.contains(&pair)) && out.ends_with('\n') {
                out.truncate(out.trim_end().len());
                out.push(' ');
            }
            last = own.pop();
            out.push_str(line);
        }
        lines.for_each(|line| out.push_str(line));
        out
    }

    /// Doubts each order in a text that the HTML strikes out, or has in a quotation alone: at the top,
    /// or above words of the writer's. Doubts an order, too, that the HTML has on doubtful lines alone,
    /// above lines that are not. If the HTML is beyond a limit and strikes out something, all orders are
    /// doubtful.
    pub(super) fn doubted(&self, text: &str, habits: &HtmlHabits) -> String {
        let is_marked = |line: &&str| line.starts_with('>');
        // What a style sheet strikes out is shown with the mark of doubt.
        let is_seen = |line: &&str| !line.ends_with(line::DOUBT);
        let (quoted, own): (Vec<&str>, Vec<&str>) = self.shown.lines().partition(is_marked);
        let (own, unseen): (Vec<&str>, Vec<&str>) = own.into_iter().partition(is_seen);
        let [quoted, seen, unseen] = [quoted, own, unseen]
            .map(|lines| -> HashSet<String> { lines.into_iter().map(signs).collect() });
        let own: HashSet<&String> = match &self.unstruck {
            None => seen.union(&unseen).collect(),
            Some(_) => seen.iter().collect(),
        };
        let whole = self.unstruck.iter().flat_map(|text| text.lines());
        let whole: HashSet<String> = whole.filter(|line| !is_marked(line)).map(signs).collect();
        let is_unknown = self.is_cut && self.unstruck.is_some();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let is_own = |line: &&str| !signs(line).is_empty() && own.contains(&signs(line));
        let first = lines.iter().position(is_own).unwrap_or(lines.len());
        let last = lines.iter().rposition(is_own).unwrap_or(0);
        let is_end = |line: &&str| opens_quotation(line) || line.trim_end() == "--";
        let end = lines.iter().position(is_end).unwrap_or(lines.len());
        let is_seen = |line: &&str| !signs(line).is_empty() && seen.contains(&signs(line));
        let last_seen = lines[..end].iter().rposition(is_seen).unwrap_or(0);
        let marked = lines.iter().enumerate().map(|(at, line)| {
            let signs = signs(line);
            let is_among = at < first || at < last;
            let is_struck = whole.contains(&signs) || quoted.contains(&signs) && is_among;
            let is_struck = !own.contains(&signs) && (is_struck || is_unknown);
            let is_unseen = !seen.contains(&signs) && unseen.contains(&signs) && at < last_seen;
            if !is_marked(line) && (habits.is_order)(line) && (is_struck || is_unseen) {
                Cow::Owned(line::doubted(line))
            } else {
                Cow::Borrowed(*line)
            }
        });
        marked.collect()
    }
}

/// Returns true if a line opens a quotation, which some programs write without marks.
fn opens_quotation(line: &str) -> bool {
    header_block::names_sender(line) || is_attribution(line)
}

/// Returns the letters and digits of a text.
fn signs(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shown: &str, unstruck: Option<&str>) -> Alternative {
        Alternative {
            shown: shown.to_owned(),
            unstruck: unstruck.map(str::to_owned),
            is_cut: false,
        }
    }

    #[test]
    fn lines_that_html_has_as_one_are_joined() {
        let html = "Hello Ben,\n\nnobody should ever resign.\nn>g5\nYours\n\n> never resign\nFrom: Ben <b@b.test>\nn>g5 Anna\n";
        for (text, expected) in [
            (
                "Hello Ben,\n\nnobody should ever\nresign.\nn>g5\nYours\n",
                "Hello Ben,\n\nnobody should ever resign.\nn>g5\nYours\n",
            ),
            // The text may have its own signs and other words.
            (
                "nobody *should* ever\nresign.\n",
                "nobody *should* ever resign.\n",
            ),
            // The quotations of the HTML and of the text are ignored.
            ("never\nresign\n", "never\nresign\n"),
            ("n>g5\n\nAnna\n", "n>g5\n\nAnna\n"),
            ("Hello\n> ever\n> resign\n", "Hello\n> ever\n> resign\n"),
        ] {
            assert_eq!(of(html, None).joined(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_order_that_html_has_struck_out_or_quotes_is_doubtful() {
        let habits = HtmlHabits {
            is_order: |line| line.contains("order"),
            ..HtmlHabits::NONE
        };
        for (text, shown, unstruck, is_doubtful) in [
            ("order 7\nAnna\n", "Anna\n", Some("order 7\nAnna\n"), true),
            (
                "order 7\norder 8\n\nWait\n",
                "Wait\n",
                Some("order 7\norder 8\nWait\n"),
                true,
            ),
            (
                "x <https://x.test>\norder 7\n",
                "x\n",
                Some("x\norder 7\n"),
                true,
            ),
            // A style sheet strikes it out.
            ("order 7\n", "order 7\u{fdd1}\n", Some("order 7\n"), true),
            (
                "order 7\n\nBen wrote:\n> Hi\n",
                "> order 7\n\nBen wrote:\n> Hi\n",
                None,
                true,
            ),
            (
                "See:\nHello\norder 7\nBen\nNo!\n",
                "See:\n> Hello\n> order 7\n> Ben\nNo!\n",
                None,
                true,
            ),
            (
                "order 7\nAnna\n",
                "order 7\nAnna\n",
                Some("order 7\nAnna\nx\n"),
                false,
            ),
            // It is in a bare block quote, or in letters that are not seen.
            (
                "No!\n*order* 7\nAnna\n",
                "No!\norder 7\u{fdd1}\nAnna\n",
                None,
                true,
            ),
            // All of the letter is.
            (
                "order 7\nAnna\nBen wrote:\n> Hi\n",
                "order 7\u{fdd1}\nAnna\u{fdd1}\nBen wrote:\n> Hi\n",
                None,
                false,
            ),
            (
                "order 7\n-- \nAnna\n",
                "order 7\u{fdd1}\n-- \nAnna\n",
                None,
                false,
            ),
            // Our mail without marks.
            (
                "Hi\nBen wrote:\norder 7\n",
                "Hi\nBen wrote:\n> order 7\n",
                None,
                false,
            ),
            // Another part has it, or none.
            ("order 7\nAnna\n", "Anna\n", None, false),
            ("> order 7\nAnna\n", "Anna\n", Some("order 7\n"), false),
            ("words 7\nAnna\n", "Anna\n", Some("words 7\nAnna\n"), false),
        ] {
            let read = of(shown, unstruck).doubted(text, &habits);
            assert_eq!(read.contains(line::DOUBT), is_doubtful, "{text}: {read:?}");
        }
        let cut = Alternative {
            is_cut: true,
            ..of("", Some(""))
        };
        assert!(cut.doubted("order 7\n", &habits).contains(line::DOUBT));
    }
}
