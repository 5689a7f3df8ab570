//! The links of our own mails in plain text, as programs derive it from HTML. A tap on one
//! writes a message with a move in it.
//!
//! A link is known by what it does, not by its address or by today's templates: it writes a
//! mail with a subject or a text. So the links of every version, of every user's templates and
//! of an address that has changed since are known, and those that a gateway has put into a
//! link of its own.
//!
//! The forms are many: `P>e3 <mailto:…>`, `[P>e3](mailto:…)`, `P>e3 [1]` with
//! `[1] mailto:…` far below, broken anywhere and quoted again. So every line with such a
//! link is ours as a whole, and so is the line above a link that begins one, which has
//! its text.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::mail::quoting::line::DOUBT;
use crate::matches::intent::Request;

/// The most bytes of a link that is broken over lines. Ours have 500, and a gateway
/// that puts one into its own makes it three times as long.
const LONGEST: usize = 4000;

/// The length of the longest number of a link with its brackets, in bytes.
const LONGEST_NUMBER: usize = 10;

/// The most pieces of a link that is broken over lines.
const MOST_PIECES: usize = 60;

/// The longest line above a link that can be its text, in characters.
const LONGEST_LABEL: usize = 80;

/// The width above which a program may break the line of a reference, in characters.
const FILLED: usize = 50;

/// The number of letters and digits of an answer code, which ends most of our links.
const CODE: usize = 16;

/// Marks the lines that hold links of ours, or the texts of these, in `is_ours`. `lines`
/// are those of `text`. The cost is linear in the text.
pub(super) fn mark(text: &str, lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
    static HINT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)mailto|answer(?:\+|%(?:25)*20)code").expect("the pattern is well-formed")
    });
    let has_links = mentions_link(text);
    let mut numbers = HashSet::new();
    let mut at = 0;
    while let Some(hint) = HINT.find_at(text, at) {
        let from = text.as_bytes()[at..hint.start()].iter();
        let start = hint.start() - from.rev().take_while(|byte| is_uri(**byte)).count();
        let link = Link::at(text, start);
        at = link.end.max(hint.end());
        if !is_tap(&link.target) || !has_links && is_left_encoded(&link.target) {
            continue;
        }
        let line_of = |at: usize| lines.partition_point(|line| line.start <= at) - 1;
        let (first, last) = (line_of(start), line_of(link.end - 1));
        is_ours[first..=last].fill(true);
        if !link.target.contains('%') {
            let below = last + 1 + message_below(&lines[last + 1..]);
            is_ours[last + 1..below].fill(true);
        }
        let words = lines[first].text;
        let indent = words.as_ptr() as usize - text.as_ptr() as usize;
        let before = text[indent.min(start)..start].trim();
        let before = before.trim_end_matches(['<', '(', '[', '"']).trim_end();
        if let Some(number) = number(before) {
            numbers.insert(number);
        } else if before.is_empty()
            && !is_before_its_text(text, start)
            && let Some(above) = first.checked_sub(1)
            && is_label(&lines[above])
        {
            is_ours[above] = true;
            numbers.extend(number(lines[above].text));
        }
    }
    if !numbers.is_empty() {
        mark_references(lines, &numbers, is_ours);
    }
}

/// Marks the lines that refer to links of ours by their numbers.
fn mark_references(lines: &[MarkedLine<'_>], numbers: &HashSet<&str>, is_ours: &mut [bool]) {
    static REFERENCE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[(\d{1,4})\]").expect("the pattern is well-formed"));
    for (i, line) in lines.iter().enumerate() {
        let mut found = REFERENCE.captures_iter(line.text);
        if !line.text.contains('[') || !found.any(|found| numbers.contains(&found[1])) {
            continue;
        }
        is_ours[i] = true;
        let is_alone = REFERENCE.replace_all(line.text, "").trim().is_empty();
        if let Some(above) = i.checked_sub(1).filter(|_| is_alone) {
            is_ours[above] |= is_label(&lines[above]);
        }
        // The text of the last link on the line may have been broken.
        let length = line.text.trim_end().chars().count();
        if let Some(next) = lines.get(i + 1)
            && let Some(word) = next.text.split_whitespace().next()
            && length + word.chars().count() > FILLED
        {
            is_ours[i + 1] |= is_label(next);
        }
    }
}

/// Returns true for a message that one of our links has written and that a program has
/// left encoded, which is the player's own. A link has more than the message.
fn is_left_encoded(target: &str) -> bool {
    !target.contains(['?', '=', '&', '/'])
}

/// Returns true if the text of a link stands behind it: `[url=mailto:…]P>e3[/url]`,
/// `[[mailto:…][P>e3]]`.
fn is_before_its_text(text: &str, start: usize) -> bool {
    let scheme = text[start..].split([':', '%']).next().unwrap_or_default();
    text[..start].ends_with("[[") || scheme.contains('=')
}

/// The most lines of a message that a decoded link writes, below its first.
const MESSAGE: usize = 4;

/// Returns the number of lines below a link that it writes into a message. Lynx decodes
/// the links that it lists.
fn message_below(lines: &[MarkedLine<'_>]) -> usize {
    let message = lines.iter().take(MESSAGE);
    let message = message.take_while(|line| !line.is_blank());
    let last = message
        .enumerate()
        .filter(|(_, line)| is_of_message(line.text))
        .last();
    last.map_or(0, |(i, _)| i + 1)
}

fn is_label(line: &MarkedLine<'_>) -> bool {
    !line.is_blank() && line.text.chars().count() <= LONGEST_LABEL
}

/// Returns the number of a link in a list of links, if the text is one: `[1]`, `1.`.
fn number(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.len() > LONGEST_NUMBER {
        return None;
    }
    let number = text.trim_matches(|c: char| "[](){}.:^".contains(c));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && number.len() < text.len()).then_some(number)
}

/// A link in plain text.
struct Link {
    /// The target, without the line ends and marks in it.
    target: String,
    /// Its end in the text, behind its closing bracket.
    end: usize,
}

impl Link {
    /// Reads the link whose target begins at a place of a text.
    fn at(text: &str, start: usize) -> Link {
        let bytes = text.as_bytes();
        let opening = start.checked_sub(1).map(|before| bytes[before]);
        let closing = match opening {
            Some(b'<') => Some(b'>'),
            Some(b'(') => Some(b')'),
            Some(b'[') => Some(b']'),
            _ => None,
        };
        let mut link = Link {
            target: String::new(),
            end: start,
        };
        for _ in 0..MOST_PIECES {
            let piece = piece(&text[link.end..]);
            link.target.push_str(piece);
            link.end += piece.len();
            let next = bytes.get(link.end).copied();
            if next.is_some() && next == closing {
                link.end += 1;
                break;
            }
            let gap = gap(&text[link.end..]);
            if gap == 0 || link.target.len() > LONGEST || !link.goes_on(text, gap, closing) {
                break;
            }
            link.end += gap;
        }
        link
    }

    /// Returns true if what stands behind a gap is a further piece of the link.
    fn goes_on(&self, text: &str, gap: usize, closing: Option<u8>) -> bool {
        let rest = &text[self.end + gap..];
        let piece = piece(rest);
        if piece.is_empty() {
            return false;
        }
        let behind = &rest.as_bytes()[piece.len()..];
        // In `n>g5` nothing is closed.
        let is_closed = closing.is_some()
            && behind.first().copied() == closing
            && !behind.get(1).is_some_and(u8::is_ascii_alphanumeric);
        is_closed
            || has_escape(piece)
            || is_cut_in_escape(&self.target)
            || !self.target.contains('?') && piece.contains(['?', '@'])
            || piece.len() <= missing(&self.target)
                && piece.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && !behind.first().is_some_and(|byte| is_sign(*byte))
    }
}

/// Returns the characters of a link at the start of a text.
fn piece(text: &str) -> &str {
    let length = text.bytes().take_while(|byte| is_uri(*byte)).count();
    &text[..length]
}

/// Returns the number of bytes between two pieces of a broken link: blanks, a line end
/// and the quote marks behind it.
fn gap(text: &str) -> usize {
    let blanks = text.len() - text.trim_start_matches([' ', '\t', '\r', DOUBT]).len();
    let Some(below) = text[blanks..].strip_prefix('\n') else {
        return blanks;
    };
    let line = below.split('\n').next().unwrap_or_default();
    let marked = unmarked(line);
    blanks + 1 + line.len() - marked.len()
}

fn is_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"%@?=&.-_+~!*',;:/#$".contains(&byte)
}

fn is_sign(byte: u8) -> bool {
    byte.is_ascii_punctuation()
}

fn has_escape(piece: &str) -> bool {
    let mut windows = piece.as_bytes().windows(3);
    windows.any(|bytes| {
        bytes[0] == b'%' && bytes[1].is_ascii_hexdigit() && bytes[2].is_ascii_hexdigit()
    })
}

fn is_cut_in_escape(target: &str) -> bool {
    let end = &target.as_bytes()[target.len().saturating_sub(2)..];
    end.contains(&b'%')
}

/// Returns how many letters and digits a target lacks of its answer code.
fn missing(target: &str) -> usize {
    let lower = target.to_ascii_lowercase();
    let Some((_, behind)) = lower.rsplit_once("code") else {
        return 0;
    };
    let mut code = behind;
    while let Some(rest) = ["%25", "%3a", "%20", "3a", "20", "+", ":"]
        .iter()
        .find_map(|sign| code.strip_prefix(sign))
    {
        code = rest;
    }
    let is_code = code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_code {
        CODE.saturating_sub(code.len())
    } else {
        0
    }
}

/// The most encodings of a link: by us, and by the gateways on its way.
const ENCODINGS: usize = 4;

/// The words that only a message of one of our links has, without signs and blanks.
const OURS: [&str; 3] = ["answercode", "halfmovesmade", "halfmovemade"];

/// Returns true if following the link writes a mail that has a subject or a text. The
/// target may be in any form in which a mail program or a gateway hands it on.
pub(super) fn is_tap(target: &str) -> bool {
    let is_kept = |c: &char| !c.is_whitespace();
    let mut plain: String = target.chars().filter(is_kept).collect();
    plain.make_ascii_lowercase();
    plain = plain.replace("&amp;", "&");
    for _ in 0..ENCODINGS {
        if writes_mail(&plain) {
            return true;
        }
        if !plain.contains('%') {
            return false;
        }
        plain = decoded(&plain);
    }
    writes_mail(&plain)
}

fn writes_mail(plain: &str) -> bool {
    if let Some((_, address)) = plain.split_once("mailto:")
        && address.contains('?')
    {
        return true;
    }
    is_of_message(plain)
}

/// Returns true if a text has what only a message that one of our links writes has: the
/// id line or the answer code.
pub(super) fn is_of_message(text: &str) -> bool {
    let letters = letters(text);
    OURS.iter().any(|word| letters.contains(word))
}

/// Returns true if a text has a link that writes a mail, or a part of one.
pub(super) fn mentions_link(text: &str) -> bool {
    let letters = letters(text);
    letters.contains("mailto") || letters.contains("subject5b")
}

/// Returns the letters and digits of a text, in small letters.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// Returns true if the text of a link to an address could be read as a move or a command.
/// A name and an address stay, because they tell who wrote what stands below.
pub(super) fn could_be_played(label: &str) -> bool {
    let has_move = || {
        let label = label.to_ascii_lowercase();
        let castlings = ["o-o", "0-0", "ooo"];
        label.contains(|c: char| c.is_ascii_digit())
            || castlings.iter().any(|castling| label.contains(castling))
    };
    !label.contains('@') && (has_move() || Request::parse(label).is_some())
}

/// Decodes `%3A` and the like once. What is encoded wrongly stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        let byte = bytes.get(at).copied()?;
        char::from(byte).to_digit(16)
    };
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.extend(u8::try_from(high * 16 + low));
                at += 3;
            }
            (byte, ..) => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    let mut plain = String::from_utf8_lossy(&plain).into_owned();
    plain.make_ascii_lowercase();
    plain
}

/// A line of a text.
pub(super) struct MarkedLine<'a> {
    /// The line with its end.
    pub(super) source: &'a str,
    /// The place of `source` in the text, in bytes.
    pub(super) start: usize,
    /// The text behind quote marks and blanks, without the line end.
    pub(super) text: &'a str,
}

impl MarkedLine<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The longest initials before a quote mark, in bytes.
const INITIALS: usize = 10;

/// Returns a line without the quote marks and blanks at its start, with or without a
/// quoter's initials.
pub(super) fn unmarked(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || ">|:│┃▌¦»}*•\u{feff}".contains(c);
    let text = line.trim_start_matches(is_mark);
    let behind = text.trim_start_matches(char::is_alphanumeric);
    let initials = text.len() - behind.len();
    match behind.strip_prefix("> ") {
        Some(quoted) if (1..=INITIALS).contains(&initials) && !quoted.trim().is_empty() => {
            quoted.trim_start_matches(is_mark)
        }
        _ => text,
    }
}

/// Splits a text into lines. Each is behind the last, so together they are the text.
pub(super) fn split(text: &str) -> Vec<MarkedLine<'_>> {
    let mut start = 0;
    let line = |source| {
        let line = MarkedLine {
            source,
            start,
            text: unmarked(source.trim_end_matches('\n')),
        };
        start += source.len();
        line
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "mailto:ref@example.org?subject=%5Bm%5D%20P%3Ee4&body=P%3Ee4%0D%0AGame%20m%2C%206%20half-moves%20made.%0D%0AAnswer%20code%3A%20abcde4ghne4klmno";

    fn kept(text: &str) -> String {
        let lines = split(text);
        let mut is_ours = vec![false; lines.len()];
        mark(text, &lines, &mut is_ours);
        let kept = lines.iter().zip(is_ours).filter(|(_, is_ours)| !is_ours);
        kept.map(|(line, _)| line.source).collect()
    }

    #[test]
    fn a_link_of_ours_goes_with_its_text_in_every_form() {
        for form in [
            "P>e4 <LINK>",
            "P>e4<LINK>",
            "P>e4 (LINK)",
            "P>e4 [LINK]",
            "[P>e4](LINK)",
            "[P>e4](<LINK>)",
            "* [P>e4](LINK)",
            "P>e4: LINK",
            "P>e4\n<LINK>",
            "P>e4\nLINK",
            "[url=LINK]P>e4[/url]",
            "<a href=\"LINK\">P>e4</a>",
            "[[LINK][P>e4]]",
            "\"P>e4\":LINK",
            "P>e4 <LINK>, P-e4 <LINK>\n· P>e5 <LINK>",
            "P>e4 <https://safe.test/?url=ESCAPED&data=5>",
        ] {
            let escaped = LINK
                .replace('%', "%25")
                .replace(':', "%3A")
                .replace('?', "%3F");
            let ours = form.replace("LINK", LINK).replace("ESCAPED", &escaped);
            for mark in ["", "> ", ">> ", "| ", "AW> ", ": "] {
                let marked: Vec<String> = ours.lines().map(|line| mark.to_owned() + line).collect();
                let ours = marked.join("\n") + "\n";
                let text = format!("Hello\n\n{ours}n>g5\n{ours}\nBye\n");
                assert_eq!(kept(&text), "Hello\n\nn>g5\n\nBye\n", "{text}");
            }
        }
    }

    /// The end of an answer code on a line of its own was a move.
    #[test]
    fn a_link_may_be_broken_anywhere() {
        for form in ["P>e4 <LINK>", "[P>e4](LINK)", "P>e4 [LINK]", "[1] LINK"] {
            let whole = form.replace("LINK", LINK);
            let first = whole.find(':').unwrap() + 5;
            for at in first..whole.len() - 1 {
                for mark in ["", "> ", "AW> "] {
                    let broken = format!("{mark}{}\n{mark}{}", &whole[..at], &whole[at..]);
                    let text = format!("Hello\n\n{broken}\n\nn>g5\n");
                    assert_eq!(kept(&text), "Hello\n\n\nn>g5\n", "{text}");
                    let below = format!("{broken}\nn>g5\n");
                    assert_eq!(kept(&below), "n>g5\n", "{below}");
                }
            }
            for width in [20, 40, 76] {
                let bytes: Vec<&[u8]> = whole.as_bytes().chunks(width).collect();
                let broken = bytes.join(&b"\n> "[..]);
                let text = format!("> {}\n\nn>g5\n", String::from_utf8(broken).unwrap());
                assert_eq!(kept(&text), "\nn>g5\n", "{text}");
            }
        }
    }

    #[test]
    fn a_numbered_link_goes_with_what_refers_to_it() {
        for (text, list) in [
            ("[1]P>e4", "   1. LINK\n"),
            (
                "   [1]P>e4   [2]P>e5",
                "References\n\n   1. LINK\n   2. LINK\n",
            ),
            ("P>e4[1]", "[1] LINK\n"),
            ("P>e4 [1]", "[1]: LINK\n"),
            ("[P>e4][1]", "[1]: <LINK>\n"),
            ("P>e4\n[1]", "[1]\nLINK\n"),
            ("> P>e4 [1]", "> [1] LINK\n"),
            (
                "[1]to d4, [2]to d5, [3]to d6, [2]to d7, [3]to d8, takes\ne4",
                "[1] LINK\n[2] LINK\n[3] LINK\n",
            ),
        ] {
            let list = list.replace("LINK", LINK);
            let text = format!("Hello [9]\n\n{text}\n\nn>g5\n\n{list}");
            let kept = kept(&text).replace("References\n\n", "");
            assert_eq!(kept.trim_end(), "Hello [9]\n\n\nn>g5", "{text}");
        }
    }

    #[test]
    fn other_links_and_words_stay() {
        for text in [
            "On Friday, Anna <anna@example.org<mailto:anna@example.org>> wrote:\n",
            "Anna [mailto:anna@example.org]\nn>g5\n",
            "Anna [1]\nn>g5\n\n[1] mailto:anna@example.org\n[2] https://example.org/?body=x\n",
            "mailto\nmailto:\nmailto:?\n".trim_end_matches("mailto:?\n"),
            "1. P>e3 n>g5 [1]\n",
        ] {
            assert_eq!(kept(text), text);
        }
    }

    #[test]
    fn a_link_that_writes_a_message_is_ours_in_every_form() {
        for target in [
            "mailto:ref@example.org?subject=%5Bm%5D%20P%3Ee3&body=P%3Ee3",
            "MAILTO:ref@example.org?body=P%3Ee3",
            " mailto:ref@example.org?subject=x&amp;body=P%3Ee3",
            "mailto:ref@example.org?sub\r\n ject=x",
            "mailto:ref%40example.org%3Fbody=x",
            "https://safe.test/?url=mailto%3Aref%40example.org%3Fsubject%3Dx&data=05",
            "https://safe.test/?url=mailto%253Aref%2540example.org%253Fsubject%253Dx",
            "https://mail.test/?view=cm&to=ref@example.org&body=P%3Ee3%0D%0AAnswer+code:+abcd",
            "https://mail.test/compose?text=Game%20m%2C%206%20half-moves%20made.",
        ] {
            assert!(is_tap(target), "{target}");
        }
        for target in [
            "mailto:anna@example.org",
            "https://example.org/?a=b",
            "",
            "%",
            "%4",
            "#mailto",
        ] {
            assert!(!is_tap(target), "{target}");
        }
    }

    #[test]
    fn the_text_of_a_link_to_an_address_stays_if_it_is_a_name() {
        for label in ["P>e3", "O-O", "0-0-0", "resign", "Accept draw"] {
            assert!(could_be_played(label), "{label}");
        }
        for label in ["Anna White", "anna2@example.org", "", "P@e3"] {
            assert!(!could_be_played(label), "{label}");
        }
    }
}
