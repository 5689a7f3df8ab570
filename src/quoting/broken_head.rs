//! Heads of quotations that a program has broken, or that have no name in them: the person
//! who is quoted chooses the name, and so what stands alone on a line above the rest.

use crate::quoting::attribution::{is_attribution, is_said_by_writer, tells_writing};
use crate::quoting::header_block::{is_field, names_sender};
use crate::quoting::line::{Author, Line};
use crate::quoting::wrapped_line::has_room;
use crate::quoting::{separator, structure};

/// The narrowest width, in characters, at which programs wrap lines.
const NARROWEST: usize = 50;

/// The most words of a date: the day, the month, `AM` or a zone.
const MOST_WORDS: usize = 3;

/// A line that tells that somebody else's words stand below it.
enum Head {
    /// It names the person, or never has a name.
    Whole,
    /// It is the rest of a sentence, the beginning of which has the name.
    Rest,
    /// It is a field or a date below a line with the name.
    Below,
}

/// Returns the first line of the head to which a line belongs that is a sign of somebody
/// else's words. The paragraph above it may be its beginning where it names nobody, and
/// above a date or a field the last line of the paragraph before. A command that has an
/// address in it is no head.
pub(super) fn first(
    lines: &[Line<'_>],
    sign: usize,
    is_command: impl Fn(&Line<'_>) -> bool,
) -> usize {
    let mut first = sign;
    if lines[sign].column > 1 {
        // What stands above marks need not be known as an attribution.
        let above = lines[..sign].iter().rposition(|line| !line.is_blank());
        let Some(above) = above.filter(|above| is_free(&lines[*above])) else {
            return sign;
        };
        if !names_source(&lines[above]) || is_command(&lines[above]) {
            return paragraph(lines, sign);
        }
        first = above;
    }
    let head = if first < sign && introduces(lines[first].text) {
        Head::Rest
    } else {
        head(&lines[first..])
    };
    let paragraph = paragraph(lines, first);
    match head {
        Head::Whole => {
            let goes_on = |at: &usize| !has_room(lines[*at].text, lines[*at + 1].text, NARROWEST);
            let broken = (paragraph..first).rev().take_while(goes_on).last();
            broken.unwrap_or(first)
        }
        Head::Below if paragraph == first => {
            let above = lines[..first].iter().rposition(|line| !line.is_blank());
            above
                .filter(|above| is_free(&lines[*above]))
                .unwrap_or(first)
        }
        Head::Rest | Head::Below => paragraph,
    }
}

fn is_free(line: &Line<'_>) -> bool {
    line.author == Author::Own && !line.is_blank()
}

/// Returns the first line of the paragraph of the writer's that ends above a line.
fn paragraph(lines: &[Line<'_>], end: usize) -> usize {
    let above = lines[..end].iter().rposition(|line| !is_free(line));
    above.map_or(0, |above| above + 1)
}

/// Returns true if the words end with a colon above quote marks and name nobody.
fn introduces(text: &str) -> bool {
    let is_open = text.trim_end().ends_with([':', '：']);
    is_open && !text.contains('@') && !is_attribution(text) && !is_said_by_writer(text)
}

fn names_source(line: &Line<'_>) -> bool {
    let text = line.text.trim_end();
    text.contains('@') || structure::is_dated(text) || text.ends_with([':', '：'])
}

/// Returns how the line at the start belongs to a head.
fn head(lines: &[Line<'_>]) -> Head {
    let Some(line) = lines.first() else {
        return Head::Whole;
    };
    let text = line
        .text
        .trim_matches(|c: char| c.is_whitespace() || "*_\u{200e}".contains(c));
    // Some scripts have no capitals.
    let is_name = |word: &str| {
        let is_capital = |c: char| c.is_alphabetic() && !c.is_lowercase();
        word.contains(is_capital) && !word.ends_with(':') && !tells_writing(word)
    };
    let is_rule = !text.contains(char::is_alphanumeric);
    if is_rule || separator::opens(text) || names_sender(text) {
        return Head::Whole;
    }
    let is_sentence = tells_writing(text) || is_attribution(text);
    if is_field(text) && !is_sentence && !structure::has_year(text) {
        // A line of the writer's own may look like one.
        let next = lines.get(1).map_or("", |line| line.text.trim_start());
        let goes_on = is_field(next) && !is_said_by_writer(next) || structure::has_year(next);
        return if !goes_on || is_said_by_writer(text) {
            Head::Whole
        } else if text.contains('@') {
            // It may be the sender's, in a language that nobody knows here.
            Head::Rest
        } else {
            Head::Below
        };
    }
    if let Some((before, _)) = text.split_once('@') {
        // The address itself is one word.
        let before = before.rsplit_once(char::is_whitespace);
        let before = before.map_or("", |(before, _)| before);
        let is_word = |word: &&str| word.contains(char::is_alphabetic);
        let count = before.split_whitespace().filter(is_word).count();
        // A name may have no capital, among the words of a date.
        let is_named = before.split_whitespace().any(is_name) || count > MOST_WORDS;
        return if is_named { Head::Whole } else { Head::Rest };
    }
    if is_sentence {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let begins = first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let is_whole = begins && !tells_writing(first) && text.split_whitespace().any(is_name);
        return if is_whole { Head::Whole } else { Head::Rest };
    }
    let is_date = structure::has_year(text) || structure::has_clock(text);
    if is_date || structure::is_dated(text) {
        // What says who wrote may go on below, with the name in it.
        let mut rest = lines.iter().take_while(|line| !line.is_blank());
        let is_of_sentence = |line: &Line<'_>| {
            let text = line.text.trim_end();
            text.contains('@') || text.ends_with([':', '：', ',']) || tells_writing(text)
        };
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.starts_with(char::is_alphabetic));
        return if words.count() > MOST_WORDS || rest.any(is_of_sentence) {
            Head::Rest
        } else {
            Head::Below
        };
    }
    // Initials may stand before a mark. Any other words are the writer's own, or a name.
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.ends_with(['>', '|', '}']) {
        Head::Rest
    } else {
        Head::Whole
    }
}

#[cfg(test)]
mod tests {
    use super::first;
    use crate::quoting::line::split;

    const LONG: &str = "<benedict.of.the.very.long.name.that.takes.a.line.of.its.own@black.test>";

    /// Returns the first line of the head of which the last line but those below a sign is
    /// the line with `sign`.
    fn first_of(text: &str, sign: &str) -> usize {
        let lines = split(text);
        let at = lines.iter().position(|line| line.text.contains(sign));
        first(&lines, at.unwrap(), |_| false)
    }

    #[test]
    fn a_name_above_the_rest_of_a_head_belongs_to_it() {
        for head in [
            &format!("{LONG} wrote:"),
            &format!("{} wrote:", &LONG[1..]),
            "ben@black.test",
            "(ben@black.test) wrote:",
            "[mailto:ben@black.test] wrote:",
            "wrote on Friday:",
            "Wrote on 20.11.2026 03:00:",
            "hat am 20.11.2026 03:00 geschrieben:",
            "ezt írta (2026-11-20 03:00):",
            "さんは書きました:",
            "20.11.2026 03:00\n\nTo\nAnna",
            "11/20/2026 03:00 PM",
            "11/20/26, 3:00 PM",
            "Nov 20, 2126",
            "3:00 PM",
            "Fri, 20 Nov 2026 03:00:00 +0000 CET",
            "Freitag, 20. November 2026 03:00",
            "- 11/20/2026 03:00 PM",
            "Date: 20.11.2026 03:00\nTo: Anna\nSubject: Friday",
            "Sent: Friday\nTo: Anna",
            "To: Anna\n20.11.2026 03:00",
            "(Message-ID: <friday@black.test>)",
            "in <friday@black.test>:",
        ] {
            let sign = head.lines().next().unwrap();
            assert_eq!(
                first_of(&format!("Yes!\n\nresign\n{head}"), sign),
                2,
                "{head}"
            );
        }
        let long = format!("{}\n", LONG.replace('@', ".")).repeat(9);
        let text = format!("Yes!\n\nresign\n{long}<ben@black.test> wrote:");
        assert_eq!(first_of(&text, "@"), 2);
        let text = format!("Yes!\n\nresign\n{}x {LONG} wrote:", "x".repeat(60));
        assert_eq!(first_of(&text, "@"), 2);
    }

    /// Old versions of Notes write each line as a paragraph.
    #[test]
    fn a_name_above_a_date_and_a_blank_line_belongs_to_it() {
        assert_eq!(
            first_of("Yes!\n\nresign\n\nFri 11/20/2026 3:00 PM", "2026"),
            2
        );
        assert_eq!(
            first_of("resign\n\nBen\n\nFri 11/20/2026 3:00 PM", "2026"),
            2
        );
        assert_eq!(first_of("resign\n\nBen\nFri 11/20/2026 3:00 PM", "2026"), 2);
    }

    #[test]
    fn a_name_directly_above_marks_belongs_to_them() {
        let lines = |text| {
            let mut lines = split(text);
            let last = lines.last_mut().unwrap();
            last.cut(2, crate::quoting::line::Author::Quoted(1));
            first(&lines, lines.len() - 1, |_| false)
        };
        assert_eq!(lines("Yes!\n\nresign\n> Hi"), 2);
        assert_eq!(lines("Yes!\n\nresign\nFriday:\n\n> Hi"), 2);
        assert_eq!(lines("Yes!\n\nresign\n20/11/26 03:00:\n> Hi"), 2);
        assert_eq!(lines("Yes!\nresign\n\n> Hi"), 3);
        assert_eq!(lines("Yes!\nresign\n11/20/2026 03:00 PM\n\n> Hi"), 0);
    }

    #[test]
    fn what_stands_above_a_whole_head_does_not() {
        for head in [
            "Ben <ben@black.test> wrote:",
            "-----Original Message-----",
            "From: Ben",
            "\n<ben@black.test> wrote:",
            "Ben wrote:",
            "On Friday, 20 November 2026, Ben Beta wrote:",
            "Am 20.11.2026 um 03:00 schrieb Ben:",
            "2026年11月20日(金) 12:00 Ben <ben@black.test>:",
            "пт, 20 нояб. 2026 г. в 06:00, Ben <ben@black.test>:",
            "PS: I liked that",
        ] {
            let text = format!("Yes!\nresign\n{head}");
            let sign = text.lines().count() - 1;
            assert_eq!(first(&split(&text), sign, |_| false), sign, "{text}");
        }
    }
}
