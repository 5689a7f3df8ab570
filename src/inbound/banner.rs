//! Lines that a gateway or a mail program puts into every letter of a player.
//!
//! The configuration names such lines, or two letters show them: where the program asks about a
//! letter, the log keeps hashes of the paragraphs at its top. If the answer to that question begins
//! with the same paragraphs, they are no part of it. So it is with quote marks before all words.
//!
//! Whoever forwards somebody else's mail twice must not play that person's move. So such a paragraph
//! names nobody but the writer and us.

use sha2::{Digest as _, Sha256};

use crate::mail::quoting::attribution::is_attribution;
use crate::mail::quoting::header_block;
use crate::mail::quoting::line::{Author, Line};
use crate::matches::action::Request;
use crate::matches::hash::hex;
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

/// Stands for a letter whose words are all quoted.
const QUOTED: &str = ">";

/// The people of a letter, in small letters.
pub(crate) struct People {
    /// The addresses of the writer.
    pub(crate) writer: Vec<String>,
    /// Our addresses.
    pub(crate) ours: Vec<String>,
    /// The name of the other player.
    pub(crate) other: String,
}

/// Returns what the log keeps of a letter that is asked about: the hashes of its first lines, if a
/// gateway may have put them there, or [`QUOTED`]; none if there is nothing of the kind. `subject`
/// is that of the letter.
///
/// Such lines are whole paragraphs, each between rules or with a field and the writer's own address.
/// They hinder what stands below, and have no quotation, order or move, and no name or address of
/// anybody else.
#[must_use]
pub(crate) fn habits(lines: &[Line<'_>], subject: &str, people: &People) -> Option<String> {
    let texts: Vec<&str> = lines.iter().map(|line| line.source).collect();
    if are_quoted(&texts) {
        return Some(QUOTED.to_owned());
    }
    let subject = letters(without_prefix(subject));
    let is_banner = |paragraph: &Paragraph| {
        let may_be = |text: &&str| {
            let is_subject = !subject.is_empty() && letters(text).ends_with(&subject);
            is_subject && header_block::is_field(text) || may_be_banner(text, people)
        };
        let words = &texts[paragraph.start..paragraph.end];
        let is_writers = |text: &&str| addresses(text).any(|it| people.writer.contains(&it));
        let has_head =
            words.iter().any(|text| header_block::is_field(text)) && words.iter().any(is_writers);
        words.iter().all(may_be) && (paragraph.rules == [true; 2] || has_head)
    };
    let top = paragraphs(&texts).into_iter().take_while(is_banner);
    let top: Vec<Paragraph> = top
        .filter(|paragraph| paragraph.end <= MOST_LINES)
        .collect();
    let end = top.last()?.end;
    let hinders = lines[..end].iter().any(|line| line.author != Author::Own);
    let words = top
        .iter()
        .flat_map(|paragraph| &texts[paragraph.start..paragraph.end]);
    hinders.then(|| words.map(|text| hash(text)).collect::<Vec<_>>().join(" "))
}

/// Returns the text of an answer to a question without what the writer's programs put around all
/// words. `habits` is what the log keeps of the letter that was asked about, and `asked` are the
/// lines of which the question asks for one. Returns none if nothing is left out.
#[must_use]
pub fn without_habits(text: &str, habits: &str, asked: &[String]) -> Option<String> {
    match habits {
        QUOTED => unquoted(text, asked),
        hashes => without_top(text, hashes),
    }
}

/// Empties the paragraphs at the top of a text of which all lines have one of these hashes.
fn without_top(text: &str, hashes: &str) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_known = |text: &&str| {
        let hash = hash(text);
        !is_marked(text) && hashes.split(' ').any(|known| known == hash)
    };
    let known = |paragraph: &Paragraph| lines[paragraph.start..paragraph.end].iter().all(is_known);
    let top = paragraphs(&lines).into_iter().take_while(known);
    let end = top.last()?.below;
    let empty = std::iter::repeat_n("", end);
    Some(
        empty
            .chain(lines[end..].iter().copied())
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

/// Takes the quote mark off the move in a text of which all words are quoted, if the question asks
/// for it.
fn unquoted(text: &str, asked: &[String]) -> Option<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let at = quoted_move(&lines)?;
    let written = lines[at].trim_start_matches('>').trim();
    let is_it = |asked: &String| asked == written || asked.ends_with(&format!(". {written}"));
    lines[at] = written;
    asked.iter().any(is_it).then(|| lines.join("\n"))
}

/// Returns the place of the first line of a text in which all words are quoted, if that is a move, and
/// nothing but a quotation stands below.
#[must_use]
pub fn quoted_move(lines: &[&str]) -> Option<usize> {
    if !are_quoted(lines) {
        return None;
    }
    let inner = |at: usize| lines[at].strip_prefix('>').unwrap_or(lines[at]).trim();
    let mut words = (0..lines.len()).filter(|at| !inner(*at).is_empty());
    let first = words.next()?;
    let text = inner(first);
    let is_quotation = |text: &str| text.starts_with('>') || is_attribution(text);
    let is_move = has_move_like(text) && Request::parse(text).is_none() && !is_quotation(text);
    let is_alone = words.next().is_none_or(|below| is_quotation(inner(below)));
    (is_move && is_alone).then_some(first)
}

/// Lines with words that follow each other.
struct Paragraph {
    start: usize,
    end: usize,
    /// The start of the next one.
    below: usize,
    /// True if a rule stands above, and if one stands below.
    rules: [bool; 2],
}

/// Returns the paragraphs at the top, each with an empty line below it.
fn paragraphs(lines: &[&str]) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut at = 0;
    loop {
        let gap = |from: usize| {
            lines[from..]
                .iter()
                .take_while(|line| is_apart(line))
                .count()
        };
        let has_rule = |from, to| lines[from..to].iter().any(|line: &&str| is_rule(line));
        let above = paragraphs.last().map_or(0, |last| last.end);
        let start = at + gap(at);
        let words = lines[start..]
            .iter()
            .take_while(|line| !is_apart(line))
            .count();
        let end = start + words;
        let below = end + gap(end);
        let is_parted = lines[end..below].iter().any(|line| line.trim().is_empty());
        if words == 0 || !is_parted {
            return paragraphs;
        }
        paragraphs.push(Paragraph {
            start,
            end,
            below,
            rules: [has_rule(above, start), has_rule(end, below)],
        });
        at = below;
    }
}

/// Returns true if there are words, and all of them are quoted or say whose the quotation is.
fn are_quoted(lines: &[&str]) -> bool {
    let mut words = lines.iter().filter(|line| !line.trim().is_empty());
    lines.iter().any(|line| line.starts_with('>'))
        && words.all(|line| line.starts_with('>') || is_attribution(line))
}

/// Returns true for a line without words, and for a rule.
fn is_apart(line: &str) -> bool {
    line.trim().is_empty() || is_rule(line)
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= SHORTEST_RULE && !line.contains(char::is_alphanumeric) && !is_marked(line)
}

/// Returns true if a line begins with a quote mark.
fn is_marked(line: &str) -> bool {
    line.trim_start().starts_with(['>', '|'])
}

fn may_be_banner(text: &str, people: &People) -> bool {
    let lower = text.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric());
    let mut names = people.other.split(|c: char| !c.is_alphanumeric());
    let names_other =
        names.any(|name| name.chars().count() > 2 && words().any(|word| word == name));
    let is_known = |it: &String| people.writer.contains(it) || people.ours.contains(it);
    let mut senders = addresses(text).filter(|it| people.writer.contains(it));
    !letters(text).is_empty()
        && !is_marked(text)
        && !names_other
        && addresses(text).all(|it| is_known(&it))
        && (!header_block::names_sender(text) || senders.next().is_some())
        // A separator, as above a message that was sent on.
        && !text.trim_start().starts_with(['-', '_', '='])
        && !is_attribution(text)
        && Request::parse(text).is_none()
        && !has_move_like(text)
}

/// Returns the mail addresses in a text, in small letters.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| c.is_whitespace() || "<>()[]\"',;:".contains(c));
    let addresses = parts.filter(|part| part.contains('@'));
    addresses.map(|part| part.trim_end_matches('.').to_lowercase())
}

/// Returns true if a line has a word that may be a move.
fn has_move_like(line: &str) -> bool {
    let mut words = line.split_whitespace().filter(|word| !word.contains('@'));
    words.any(|word| (HABITS.is_like_order)(&signs(word)))
}

/// Returns a subject without `Re:` and the like before it.
fn without_prefix(subject: &str) -> &str {
    match subject.split_once(':') {
        Some((prefix, rest)) if (1..=4).contains(&prefix.trim().chars().count()) => {
            without_prefix(rest)
        }
        _ => subject,
    }
}

fn signs(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the letters of a text: a gateway may write a time, which is another in each letter.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).collect()
}

/// Returns 32 bits of the hash of the letters in a line, in hexadecimal digits.
fn hash(line: &str) -> String {
    hex(&Sha256::digest(letters(line))[..4])
}

#[cfg(test)]
mod tests {
    use super::{People, habits, unquoted, without_habits};
    use crate::notation::reader::pasted;

    /// What is left of a letter of Ben's in answer to a question about the same letter.
    fn left(text: &str) -> Option<String> {
        let people = People {
            writer: vec!["ben@example.org".to_owned()],
            ours: vec!["ref@example.org".to_owned()],
            other: "anna smith".to_owned(),
        };
        let habits = habits(&pasted(text), "Re: [m] Anna - Ben", &people)?;
        without_habits(text, &habits, &[])
    }

    const BANNER: &str =
        "Warning: from outside, 20.11.2026\nSender: ben@example.org\n--------------------\n";

    #[test]
    fn the_same_lines_above_two_letters_are_no_part_of_the_second() {
        for top in [
            BANNER,
            "From: Ben <ben@example.org>\nSent: Friday\nTo: Ref\nSubject: [m] Anna - Ben\n",
            "*********\nEXTERNAL MAIL: open nothing.\n*********\n",
            "*********\nEXTERNAL MAIL\n*********\n\nFrom: ben@example.org\nTo: ref@example.org\nSubject: Hi\n",
        ] {
            let count = top.lines().count() + 1;
            let expected = "\n".repeat(count) + "n>g5\n";
            assert_eq!(left(&format!("{top}\nn>g5\n")), Some(expected), "{top}");
        }
    }

    /// Each would be played, or lost, if it were taken for a banner.
    #[test]
    fn words_and_what_is_sent_on_stay() {
        for top in [
            "Hello Anna,\n",
            "My new number is 030 1234.\n\nWhere: Main Street\nWhen: Friday\n",
            "Hello, I am ill.\n--------------------\n",
            "Anna <anna@example.org> wrote:\n",
            "From: Anna <anna@example.org>\nSent: Friday\nTo: Ben\nSubject: hello\n",
            "From: Anna <anna@ben-club.test>\nTo: Ben <ben@example.org>\nSubject: hello\n",
            "From: Benita <benita@x.test>\nTo: ben@example.org\nSubject: hello\n",
            "From: Carl\nTo: ben@example.org\nSubject: hello\n",
            "Saatja: Anna <anna@white.test>\nSaaja: ben@example.org\nTeema: idee\n",
            "---------- Forwarded message ---------\nFrom: ben@example.org\nSubject: x\nTo: ref@example.org\n",
            "From: ben@example.org\nSubject: x\nTo: Anna\n",
            "Author: Carl\nProject: Chess\n--------------------\n",
            "Anna suggests:\nFrom: ben@example.org\n--------------------\n",
            "> From: ben@example.org\n",
            "From: ben@example.org\nSent: Friday\nSubject: n>g5\n",
            "***\nSender: ben@example.org\n",
        ] {
            let text = format!("{top}\nn>g5\n");
            assert_eq!(left(&text), None, "{text}");
        }
        // No empty line parts it from what stands below.
        assert_eq!(left(&format!("{BANNER}n>g5\n")), None);
        for below in [
            "My words.\n\nn>g5\n",
            "if you like it\n\nn>g5\n",
            "-- \nn>g5\n",
        ] {
            let expected = format!("\n\n\n\n{below}");
            let text = format!("{BANNER}\n{below}");
            assert_eq!(left(&text), Some(expected), "{below}");
        }
    }

    #[test]
    fn a_mark_is_taken_off_the_line_that_was_asked_for_alone() {
        let asked = ["2... n>g5".to_owned(), "resign".to_owned()];
        for (text, expected) in [
            ("> n>g5\n", Some("n>g5\n")),
            ("> 2... n>g5\n>\n> > Hi\n", Some("2... n>g5\n>\n> > Hi\n")),
            (
                "> n>g5\n\nAnna <a@b.test> wrote:\n> Hi\n",
                Some("n>g5\n\nAnna <a@b.test> wrote:\n> Hi\n"),
            ),
            ("> resign\n", None),
            ("> \u{feff}resign\n", None),
            ("> n>f6\n", None),
            ("> 5\n", None),
            ("> Anna:\n> n>g5\n", None),
            ("> n>g5\n>\n> was a bad idea\n", None),
            ("> n>g5\n\nno\n", None),
            ("Anna wrote:\n> n>g5\n> Hi\n", None),
            ("n>g5\n", None),
            ("", None),
        ] {
            assert_eq!(unquoted(text, &asked).as_deref(), expected, "{text}");
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
