//! Lines that a gateway or a mail program puts into every letter of a player.
//!
//! The configuration names such lines, or a letter shows them: where the program asks about a
//! letter, the log keeps hashes of the paragraphs at its top. If the answer to that question begins
//! with the same paragraphs, they are no part of it.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::inbound::condition;
use crate::inbound::request::is_yes;
use crate::mail::quoting::attribution::is_attribution;
use crate::mail::quoting::header_block;
use crate::mail::quoting::line::{Author, Line};
use crate::matches::action::Request;
use crate::matches::event::{ABOVE, LogEntry};
use crate::matches::hash::hex;
use crate::matches::player::Player;
use crate::notation::reader::HABITS;

/// Empties the lines that are a banner, wrapped or not. Only letters and digits count, so that rules
/// and frames around them may differ.
pub fn without(text: String, banners: &[String]) -> String {
    /// The most lines over which a banner may be wrapped.
    const MOST_LINES: usize = 12;
    let banners: Vec<String> = banners.iter().map(|banner| signs(banner)).collect();
    let banners: Vec<&String> = banners.iter().filter(|banner| !banner.is_empty()).collect();
    if banners.is_empty() {
        return text;
    }
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    while out.len() < lines.len() {
        let at = out.len();
        let first = signs(lines[at]);
        let length = banners.iter().find_map(|banner| {
            let mut left = banner.strip_prefix(&first).filter(|_| !first.is_empty())?;
            let mut below = lines[at + 1..].iter().take(MOST_LINES);
            let mut length = 1;
            while !left.is_empty() {
                left = left.strip_prefix(&signs(below.next()?))?;
                length += 1;
            }
            Some(length)
        });
        match length {
            Some(length) => {
                // A gateway may put rules around it.
                if let Some(above) = out.last_mut().filter(|above| is_rule(above)) {
                    *above = "";
                }
                out.extend(std::iter::repeat_n("", length));
                if lines.get(out.len()).is_some_and(|below| is_rule(below)) {
                    out.push("");
                }
            }
            None => out.push(lines[at]),
        }
    }
    out.join("\n")
}

/// The most lines of a letter that are remembered.
const MOST_LINES: usize = 12;

/// The fewest signs of a rule.
const SHORTEST_RULE: usize = 4;

/// Returns the hashes of the lines at the top of a letter that hinder what stands below, or none:
/// whole paragraphs with fields of a header or beside a rule, and those above. They have no
/// quotation, order, move or condition, and name no sender but this player.
#[must_use]
pub fn hashes(lines: &[Line<'_>], writer: &Player) -> Option<String> {
    let own = lines.iter().cloned().map(|line| Line {
        author: Author::Own,
        ..line
    });
    let conditions = condition::find(&own.collect::<Vec<_>>());
    let (mut hashes, mut kept, mut count) = (String::new(), 0, 0);
    let (mut hinders, mut has_field) = (false, false);
    for (line, is_condition) in lines.iter().zip(conditions) {
        if is_apart(line.source) {
            if has_field || is_rule(line.source) {
                kept = hashes.len();
            }
            has_field = false;
            continue;
        }
        count += 1;
        if count > MOST_LINES || is_condition || !may_be_banner(line, writer) {
            break;
        }
        hinders |= line.author != Author::Own;
        has_field |= header_block::is_field(line.source);
        let _ = write!(hashes, "{} ", hash(line.source));
    }
    hashes.truncate(kept);
    (hinders && kept > 0).then(|| hashes.trim_end().to_owned())
}

/// Returns the text of an answer to this question without what the writer's programs put around all
/// words: the lines at the top that the letter had, too, which was asked about, and quote marks.
/// Returns none if there is none of it.
#[must_use]
pub fn without_habits(text: &str, question: &LogEntry) -> Option<String> {
    let known = question.get(ABOVE);
    let without = known.and_then(|hashes| without_top(text, hashes));
    unquoted(without.as_deref().unwrap_or(text)).or(without)
}

/// Empties the paragraphs at the top of a text of which all lines have one of these hashes. Returns
/// none if there are none.
fn without_top(text: &str, hashes: &str) -> Option<String> {
    let (mut end, mut is_known) = (0, false);
    for (at, line) in text.split('\n').enumerate() {
        if is_apart(line) {
            end = if is_known { at + 1 } else { 0 };
        } else if hashes.split(' ').any(|known| known == hash(line)) {
            is_known = true;
        } else {
            break;
        }
    }
    let empty = std::iter::repeat_n("", end);
    let lines = empty.chain(text.split('\n').skip(end));
    (end > 0).then(|| lines.collect::<Vec<_>>().join("\n"))
}

/// Takes the quote marks off the first lines of a text in which all words are quoted, where a move
/// stands in them. Marks stay before orders, and around a quotation below. Returns none for another
/// text.
fn unquoted(text: &str) -> Option<String> {
    let inner = |line: &str| -> Option<String> {
        let text = line.strip_prefix('>')?;
        Some(text.strip_prefix(' ').unwrap_or(text).to_owned())
    };
    let is_quotation = |text: &str| text.starts_with('>') || is_attribution(text);
    let mut is_top = true;
    let (mut count, mut has_move) = (0, false);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let text = inner(line);
        let is_marked = text.is_some() || line.trim().is_empty();
        is_top &= is_marked && !text.as_deref().is_some_and(is_quotation);
        if !is_top && !is_marked && !is_attribution(line) {
            return None;
        }
        let text = text.filter(|_| is_top).unwrap_or_else(|| line.to_owned());
        let is_order = Request::parse(&text).is_some_and(|request| !request.is_question());
        has_move |= is_top && has_move_like(&text);
        count += usize::from(is_top && !text.trim().is_empty());
        lines.push(if is_order || is_yes(&text) {
            line.to_owned()
        } else {
            text
        });
    }
    (has_move && count <= MOST_LINES).then(|| lines.join("\n"))
}

/// Returns true for a line without words, and for a rule.
fn is_apart(line: &str) -> bool {
    line.trim().is_empty() || is_rule(line)
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= SHORTEST_RULE && !line.contains(char::is_alphanumeric)
}

fn may_be_banner(line: &Line<'_>, writer: &Player) -> bool {
    let text = line.source;
    let is_in = |name: &str| text.to_lowercase().contains(&name.to_lowercase());
    let is_writers = || {
        let mut addresses = writer.addresses().iter();
        is_in(writer.name()) || addresses.any(|address| is_in(address.as_ref()))
    };
    let names_somebody =
        header_block::names_sender(text) || text.contains('@') && !header_block::is_field(text);
    line.column == 1
        && !text.trim_start().starts_with(['>', '|'])
        && !is_attribution(text)
        && Request::parse(text).is_none()
        && !has_move_like(text)
        && (!names_somebody || is_writers())
}

/// Returns true if a line has a word that may be a move.
fn has_move_like(line: &str) -> bool {
    let is_like_move = |word: &str| (HABITS.is_like_order)(&signs(word));
    line.split_whitespace().any(is_like_move)
}

fn signs(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns 32 bits of the hash of the letters and digits in a line, in hexadecimal digits.
fn hash(line: &str) -> String {
    hex(&Sha256::digest(signs(line))[..4])
}

#[cfg(test)]
mod tests {
    use super::{hashes, unquoted, without_top};
    use crate::matches::player::Player;
    use crate::notation::reader::pasted;

    fn ben() -> Player {
        "Ben <ben@example.org>".parse().unwrap()
    }

    /// What is left of a letter in answer to a question about the same letter.
    fn left(text: &str) -> Option<String> {
        without_top(text, &hashes(&pasted(text), &ben())?)
    }

    #[test]
    fn the_same_lines_above_two_letters_are_no_part_of_the_second() {
        for top in [
            "Warning: from outside\nSender: ben@example.org\n--------------------\n",
            "From: Ben <ben@example.org>\nSent: Friday\nTo: Ref\nSubject: hello\n",
            "EXTERNAL MAIL\n\nFrom: ben@example.org\nTo: ref@example.org\nSubject: hello\n",
        ] {
            let count = top.lines().count() + 1;
            let expected = "\n".repeat(count) + "n>g5\n";
            assert_eq!(left(&format!("{top}\nn>g5\n")), Some(expected), "{top}");
        }
    }

    #[test]
    fn words_orders_conditions_and_other_peoples_names_stay() {
        for text in [
            // Nothing above is a sign of somebody else.
            "Hello Anna,\n\nn>g5\n",
            "Anna <anna@example.org> wrote:\n\nn>g5\n",
            "From: Anna <anna@example.org>\nSent: Friday\nTo: Ben\nSubject: hello\n\nn>g5\n",
            "From: Carl\nSent: Friday\nTo: Ben\nSubject: hello\n\nn>g5\n",
            "> From: ben@example.org\n\nn>g5\n",
            // No empty line or rule parts them from what stands below.
            "From: ben@example.org\nSent: Friday\nTo: Ref\nSubject: hello\nn>g5\n",
            "From: ben@example.org\nSent: Friday\nTo: Ref\nSubject: n>g5\n\nn>g5\n",
        ] {
            assert_eq!(left(text), None, "{text}");
        }
        let banner = "Warning: from outside\nSender: ben@example.org\n--------------------\n";
        for below in [
            "if you like it: n>f6, then\n\nn>g5\n",
            "My words.\n\nn>g5\n",
            "resign\n\nn>g5\n",
        ] {
            let expected = format!("\n\n\n{below}");
            assert_eq!(left(&format!("{banner}{below}")), Some(expected), "{below}");
        }
    }

    #[test]
    fn quote_marks_around_all_words_are_taken_off_but_not_before_orders() {
        for (text, expected) in [
            ("> n>g5\n", Some("n>g5\n")),
            ("> n>g5\n>\n> > n>f6\n", Some("n>g5\n\n> > n>f6\n")),
            ("> n>g5\n> yes\n> resign\n", Some("n>g5\n> yes\n> resign\n")),
            ("> resign\n", None),
            ("> yes\n", None),
            (
                "> n>g5\n\nAnna <a@b.test> wrote:\n> Hi\n",
                Some("n>g5\n\nAnna <a@b.test> wrote:\n> Hi\n"),
            ),
            ("> n>g5\n\nno\n", None),
            ("Anna wrote:\n> n>g5\n", None),
            ("n>g5\n", None),
            ("", None),
        ] {
            assert_eq!(unquoted(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_lines_of_a_gateway_are_nobodys_words() {
        let banners = ["CAUTION: this message is from outside the company.".to_owned()];
        let without = |text: &str| super::without(text.to_owned(), &banners);
        for (text, expected) in [
            (
                "CAUTION: this message is from outside the company.\n\nn>g5\n",
                "\n\nn>g5\n",
            ),
            (
                "*** CAUTION: this message is from\n outside the company. ***\nn>g5\n",
                "\n\nn>g5\n",
            ),
            (
                "=====\nCAUTION: this message is from outside the company.\n-----\nn>g5\n-- \nBen\n",
                "\n\n\nn>g5\n-- \nBen\n",
            ),
            (
                "CAUTION: this message\nn>g5\n",
                "CAUTION: this message\nn>g5\n",
            ),
            (
                "I read: CAUTION: this message is from outside the company.\n",
                "I read: CAUTION: this message is from outside the company.\n",
            ),
        ] {
            assert_eq!(without(text), expected);
        }
        assert_eq!(super::without("a\nb".to_owned(), &[String::new()]), "a\nb");
    }
}
