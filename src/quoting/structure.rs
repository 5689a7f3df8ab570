//! Lines that are no plain prose: below them the words of somebody else may stand, even
//! if no known mail program writes them so.
//!
//! The known attributions, header blocks and separators are for comfort. These forms are
//! for safety: they ask for nothing but a source, an address or a date, in any language.

use std::sync::LazyLock;

use regex::Regex;

use crate::quoting::header_block::names_sender;
use crate::quoting::line::Line;

/// The fields of our own mails and posts, which name no source.
const OUR_FIELDS: [&str; 10] = [
    "Game", "Rules", "Options", "White", "Black", "Time", "Event", "Referee", "FEN", "Variant",
];

/// The most lines to which a program breaks a field.
const MOST_BROKEN: usize = 6;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    let ours = OUR_FIELDS.iter().map(|name| format!("{name}: x"));
    let others = [
        "Ti 20.11.2026 Ann <a@b.test> xyz",
        "xyzzy 20.11.2026 frobnicated:",
        "---- On Fri, 20 Nov 2026 Ann frobnicated ----",
        "Xyzzy: Ann\nFrobnicated: Friday",
    ];
    ours.chain(others.map(str::to_owned)).collect()
}

/// Returns the number of lines at the start that may introduce somebody else's words:
/// a line that names its source, or fields one below the other.
pub(super) fn length(lines: &[Line<'_>]) -> Option<usize> {
    let fields = lines
        .iter()
        .take_while(|line| is_free(line) && is_field(line.text));
    let fields = fields.count();
    if fields > 1 {
        return Some(fields);
    }
    let first = lines.first().filter(|line| is_free(line))?;
    if let Some(broken) = broken_fields(lines) {
        return Some(broken);
    }
    names_source(first.text).then_some(1)
}

/// Returns the number of lines at the start that are fields, of which a program has broken
/// the one with the sender: the name in it may be as long as its bearer likes.
fn broken_fields(lines: &[Line<'_>]) -> Option<usize> {
    lines.first().filter(|line| names_sender(line.text))?;
    let is_rest = |line: &&Line<'_>| is_free(line) && !is_field(line.text);
    let rest = lines[1..].iter().take_while(is_rest).count();
    let is_field = |line: &&Line<'_>| is_free(line) && is_field(line.text);
    let fields = lines[1 + rest..].iter().take_while(is_field).count();
    let has_address = |line: &Line<'_>| line.text.contains('@');
    let is_broken = rest <= MOST_BROKEN && lines[1..=rest].iter().any(has_address);
    (is_broken && fields > 0).then_some(1 + rest + fields)
}

fn is_free(line: &Line<'_>) -> bool {
    line.is_unmarked() && !line.is_blank()
}

/// Returns true if the line names a source: an address and a date, or one of them in a
/// line that ends with a colon or a word for writing, or stands between dashes.
fn names_source(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*\u{200e}\u{200f}".contains(c));
    let is_open = text.ends_with([':', '：'])
        || text.starts_with("--") && text.ends_with("--")
        || [
            "wrote",
            "writes",
            "schrieb",
            "écrit",
            "escribió",
            "scritto",
            "skrev",
        ]
        .iter()
        .any(|word| text.ends_with(word));
    // Cheap tests that spare most lines the patterns.
    if !is_open && !text.contains('@') {
        return false;
    }
    match (address(text), is_open) {
        (Some((before, after)), false) => has_date(before) || has_date(after),
        (Some(_), true) => true,
        (None, _) => has_date(text),
    }
}

/// Returns the text before and after the first address.
fn address(text: &str) -> Option<(&str, &str)> {
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[^\s<>@]+@[^\s<>@]*[\p{L}\d]").expect("the pattern is well-formed")
    });
    let found = ADDRESS.find(text)?;
    Some((&text[..found.start()], &text[found.end()..]))
}

/// Returns true if the text has a date or a time of day, in the figures of any language.
fn has_date(text: &str) -> bool {
    static DATE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\d{4}|\d{1,2}[./\-]\s?\d{1,2}[./\-]|\d{1,2}[:.]\d{2}\b|\d\s?[年月日년월일]")
            .expect("the pattern is well-formed")
    });
    DATE.is_match(text)
}

/// Returns true if the text has a year of our time, or another one beside a day or a month:
/// whoever sends a message chooses its date.
pub(super) fn has_year(text: &str) -> bool {
    // A hash has numbers between letters.
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let numbers: Vec<&str> = words.filter(is_number).collect();
    let has_day = numbers.iter().any(|number| number.len() < 3);
    numbers.iter().any(|number| {
        number.len() == 4 && (has_day && !number.starts_with('0') || is_of_our_time(number))
    })
}

fn is_of_our_time(year: &str) -> bool {
    year.starts_with("19") || year.starts_with("20")
}

/// Returns true if the text has the date and the time of a message.
pub(super) fn is_dated(text: &str) -> bool {
    static DATED: LazyLock<Regex> = LazyLock::new(|| {
        let date = r"(?:\b[1-9]\d{3}\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b)";
        let year = r"(?:19|20)\d\d";
        let time = r"\b\d{1,2}[:.]\d{2}\b";
        let clock = r"\b\d{1,2}:\d{2}\b";
        let pattern = format!("{year}.*{time}|{time}.*{year}|{date}.*{clock}|{clock}.*{date}");
        Regex::new(&pattern).expect("the pattern is well-formed")
    });
    // A cheap test that spares most lines the pattern.
    text.bytes().filter(u8::is_ascii_digit).count() >= 7 && DATED.is_match(text)
}

/// Returns true if the text has a time of the day: `3:00 PM`.
pub(super) fn has_clock(text: &str) -> bool {
    static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:^|[^\w:])\d{1,2}:\d{2}(?:$|[^\w:]|:\d{2})")
            .expect("the pattern is well-formed")
    });
    text.contains(':') && CLOCK.is_match(text)
}

/// Returns true if a line is nothing but an address, in brackets or not.
pub(super) fn is_address(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "<>()[],;*_".contains(c));
    let text = text.strip_prefix("mailto:").unwrap_or(text);
    let (user, domain) = text.split_once('@').unwrap_or_default();
    !user.is_empty() && domain.contains('.') && !text.contains(char::is_whitespace)
}

/// Returns true if the line looks like a header field: a word or a few, a colon, and a
/// value.
fn is_field(text: &str) -> bool {
    static FIELD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*[*_]?(\p{L}[\p{L}\p{M}'’ -]{0,24}?)[*_]?\s?[:：][*_]?\s*\S")
            .expect("the pattern is well-formed")
    });
    // Cheap tests that spare most lines the pattern, which takes longer to make than a match
    // to follow. What stands before the first colon can only be the name.
    let is_ours = |(name, _): (&str, &str)| OUR_FIELDS.contains(&name.trim());
    let is_like_one = text.contains([':', '：']) && !text.split_once(':').is_some_and(is_ours);
    let name = is_like_one.then(|| FIELD.captures(text)).flatten();
    name.is_some_and(|parts| !OUR_FIELDS.contains(&parts[1].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::line::split;

    fn opens(text: &str) -> Option<usize> {
        length(&split(text))
    }

    #[test]
    fn a_source_is_named_in_any_language() {
        for text in [
            "Ti 20.11.2026 Ann <a@b.test> xyz",
            "2013/7/20 name <a@b.test>",
            "ghItlh Ann (a@b.test) 03:00",
            "xyzzy 20.11.2026 frobnicated:",
            "xyzzy a@b.test frobnicated:",
            "---- On Fri, 20 Nov 2026 Ann frobnicated ----",
            "On Fri, 20 Nov 2026 Ann wrote",
        ] {
            assert_eq!(opens(text), Some(1), "{text}");
        }
        assert_eq!(
            opens("From: a long name\n<a@b.test>\nSubject: x\n\nhello"),
            Some(3)
        );
        assert_eq!(opens("Xyzzy: Ann\nFrobnicated :jeudi\n\nhello"), Some(2));
    }

    #[test]
    fn prose_names_no_source() {
        for text in [
            "My move:",
            "See move 12:",
            "a@b.test has played 1. P>e3.",
            "See my last message:",
            "As I said:",
            "write to a@b.test if you like",
            "I'll be back on 20.11.2026.",
            "PS: I liked that",
            "Game: Unachess II\nOptions: castling",
            "1. P>e3 n>g5",
        ] {
            assert_eq!(opens(text), None, "{text}");
        }
    }
}
