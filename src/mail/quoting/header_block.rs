//! The heads of unmarked quotations: header blocks, the worded rules that some programs draw
//! around a quotation, and whatever else may name the source of the words below it.
//!
//! The known header blocks and separators are for comfort. The other forms are for safety:
//! they ask for nothing but a source, an address or a date, in any language. A program may
//! have broken such a head, and the person who is quoted chooses the name in it, and so what
//! stands alone on a line above the rest.

use std::sync::LazyLock;

use regex::Regex;

use crate::Pattern;
use crate::quoting::attribution::{self, is_attribution, is_said_by_writer, tells_writing};
use crate::quoting::habits::Habits;
use crate::quoting::line::{Author, Line};
use crate::quoting::wrapped_line::has_room;

/// Returns true if the line is the postmark of a message in an mbox: `From ` at the
/// start and a date with its year at the end.
pub(super) fn is_postmark(text: &str) -> bool {
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    // The zone may follow the year.
    text.starts_with("From ") && text.split_whitespace().rev().take(2).any(is_year)
}

/// The names of the field with the sender.
const SENDERS: [&str; 22] = [
    "From",
    "Von",
    "De",
    "Da",
    "Van",
    "Från",
    "Fra",
    "Od",
    "Lähettäjä",
    "Feladó",
    "От",
    "Від",
    "Kimden",
    "Expéditeur",
    "Mittente",
    "Afzender",
    "Remitente",
    "Odesílatel",
    "发件人",
    "寄件者",
    "差出人",
    "보낸 사람",
];

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    let senders = SENDERS.iter().map(|name| format!("{name}: Anna"));
    let others = [
        "From: Anna <anna@white.test>\nSent: Friday\nTo: Ben\nSubject: hello",
        "Von: Anna\nGesendet: Freitag\nAn: Ben\nBetreff: hallo",
        "*From:* Ref <ref@example.org>",
        "From anna@white.test Fri Nov 20 03:00:00 2026",
    ];
    senders.chain(others.map(str::to_owned)).collect()
}

/// Returns true if a line begins with the name of such a field and its colon.
#[must_use]
pub fn names_sender(text: &str) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix('*').unwrap_or(text);
    SENDERS.iter().any(|name| {
        let Some(rest) = text.strip_prefix(name) else {
            return false;
        };
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        let rest = rest.strip_prefix(char::is_whitespace).unwrap_or(rest);
        let value = rest.strip_prefix(':');
        let value = value.map(|value| value.strip_prefix('*').unwrap_or(value));
        rest.starts_with('：') || value.is_some_and(|value| value.starts_with(char::is_whitespace))
    })
}

/// Returns true if a line looks like a field of a header: a word or a few, and a colon.
pub(super) fn is_field(text: &str) -> bool {
    static HEADER: Pattern = Pattern::new(r"^\s*\*?\p{L}[\p{L} -]{0,24}\*?\s?(?::\*?(?:\s|$)|：)");
    HEADER.is_match(text)
}

/// Returns the number of lines of the header block at the start of `lines`, including
/// the empty lines above it.
///
/// A block has at least three fields, and the first names the sender. The fields follow
/// each other directly, or each has an empty line below it. A postmark may stand above
/// them.
pub(super) fn length(lines: &[Line<'_>]) -> Option<usize> {
    let is_free = |line: &&Line<'_>| line.is_unmarked();
    let is_empty = |line: &&Line<'_>| line.is_blank() && is_free(line);
    let blanks = lines.iter().take_while(is_empty).count();
    let is_marked = |line: &Line<'_>| is_postmark(line.text.trim_start());
    let start = blanks + usize::from(lines.get(blanks).is_some_and(is_marked));
    let first = lines.get(start).filter(is_free)?;
    // Mostly nothing names a sender, and so no expression is needed.
    if !names_sender(first.text) {
        return None;
    }
    // An attribution ends with a colon, too.
    let is_head =
        |line: &&Line<'_>| is_free(line) && is_field(line.text) && !is_attribution(line.text);
    let rest = lines[start..].iter().take_while(is_free);
    // A long field continues on indented lines.
    let folded = |line: &&Line<'_>| {
        is_head(line) || (line.text.starts_with([' ', '\t']) && !line.is_blank())
    };
    let count = rest.take_while(folded).count();
    if lines[start..start + count].iter().filter(is_head).count() > 2 {
        return Some(start + count);
    }
    // Some programs put an empty line after every line.
    let is_doubled = |pair: &&[Line<'_>]| {
        is_head(&&pair[0])
            && pair
                .get(1)
                .is_none_or(|line| is_free(&line) && line.is_blank())
    };
    let count = lines[start..].chunks(2).take_while(is_doubled).count();
    (count > 2).then_some((start + 2 * count).min(lines.len()))
}

/// The most lines to which a program breaks a field.
const MOST_BROKEN: usize = 6;

/// Returns samples of what this pass reacts to.
pub(super) fn structure_tokens(habits: &Habits) -> Vec<String> {
    let ours = habits.fields.iter().map(|name| format!("{name}: x"));
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
pub(super) fn structure_length(lines: &[Line<'_>], habits: &Habits) -> Option<usize> {
    let fields = lines
        .iter()
        .take_while(|line| is_plain(line) && is_other_field(line.text, habits));
    let fields = fields.count();
    if fields > 1 {
        return Some(fields);
    }
    let first = lines.first().filter(|line| is_plain(line))?;
    if let Some(broken) = broken_fields(lines, habits).or_else(|| between_dashes(lines)) {
        return Some(broken);
    }
    if names_writer(first.text) {
        return Some(1);
    }
    broken_source(lines)
}

/// Returns the number of lines at the start over which a program has broken a line that names
/// its source, where the next word had no room.
fn broken_source(lines: &[Line<'_>]) -> Option<usize> {
    let goes_on = |pair: &&[Line<'_>]| {
        let [above, below] = pair else { return false };
        is_plain(below) && !has_room(above.text, below.text, NARROWEST)
    };
    let more = lines
        .windows(2)
        .take(MOST_BROKEN)
        .take_while(goes_on)
        .count();
    let mut whole = lines.first()?.text.trim().to_owned();
    for (at, line) in lines.iter().enumerate().take(more + 1).skip(1) {
        whole.push(' ');
        whole.push_str(line.text.trim());
        let is_source = whole.contains('@') && names_writer(&whole)
            || is_attribution(&whole) && has_date(&whole);
        if is_source {
            // Marks show what is quoted.
            let mut below = lines[at + 1..].iter().filter(|line| !line.is_blank());
            return below
                .next()
                .is_none_or(|line| line.column == 1)
                .then_some(at + 1);
        }
    }
    None
}

/// Returns the number of lines at the start over which a program has broken what names a
/// source between dashes.
fn between_dashes(lines: &[Line<'_>]) -> Option<usize> {
    lines
        .first()
        .filter(|line| line.text.trim_start().starts_with("--"))?;
    let whole = lines
        .iter()
        .take(MOST_BROKEN)
        .take_while(|line| is_plain(line));
    let ends = |line: &Line<'_>| line.text.trim_end().ends_with("--");
    let count = whole.clone().position(ends)? + 1;
    let names = |line: &Line<'_>| line.text.contains('@') || has_date(line.text);
    (count > 1 && whole.take(count).any(names)).then_some(count)
}

/// Returns the number of lines at the start that are fields, of which a program has broken
/// the one with the sender: the name in it may be as long as its bearer likes.
fn broken_fields(lines: &[Line<'_>], habits: &Habits) -> Option<usize> {
    lines.first().filter(|line| names_sender(line.text))?;
    let is_rest = |line: &&Line<'_>| is_plain(line) && !is_other_field(line.text, habits);
    let rest = lines[1..].iter().take_while(is_rest).count();
    let is_field = |line: &&Line<'_>| is_plain(line) && is_other_field(line.text, habits);
    let fields = lines[1 + rest..].iter().take_while(is_field).count();
    let has_address = |line: &Line<'_>| line.text.contains('@');
    let is_broken = rest <= MOST_BROKEN && lines[1..=rest].iter().any(has_address);
    (is_broken && fields > 0).then_some(1 + rest + fields)
}

fn is_plain(line: &Line<'_>) -> bool {
    line.is_unmarked() && !line.is_blank()
}

/// Returns true if the line names a source: an address and a date, or one of them in a
/// line that ends with a colon or a word for writing, or stands between dashes.
fn names_writer(text: &str) -> bool {
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
    static ADDRESS: Pattern = Pattern::new(r"[^\s<>@]+@[^\s<>@]*[\p{L}\d]");
    let found = ADDRESS.find(text)?;
    Some((&text[..found.start()], &text[found.end()..]))
}

/// Returns true if the text has a date or a time of day, in the figures of any language.
fn has_date(text: &str) -> bool {
    static DATE: Pattern =
        Pattern::new(r"\d{4}|\d{1,2}[./\-]\s?\d{1,2}[./\-]|\d{1,2}[:.]\d{2}\b|\d\s?[年月日년월일]");
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
        let is_of_our_time = number.starts_with("19") || number.starts_with("20");
        number.len() == 4 && (has_day && !number.starts_with('0') || is_of_our_time)
    })
}

/// Returns true if a line has a date and a time, or has them together with the next one, which
/// a program has broken off.
pub(super) fn is_dated_at(lines: &[Line<'_>], at: usize) -> bool {
    let text = lines[at].text;
    let is_broken = || {
        let below = lines.get(at + 1).filter(|below| is_plain(below))?;
        let is_broken = !text.trim().is_empty() && !has_room(text, below.text, NARROWEST);
        is_broken.then(|| is_dated(&format!("{} {}", text.trim_end(), below.text.trim())))
    };
    is_dated(text) || is_broken().unwrap_or_default()
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
    static CLOCK: Pattern = Pattern::new(r"(?:^|[^\w:])\d{1,2}:\d{2}(?:$|[^\w:]|:\d{2})");
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
fn is_other_field(text: &str, habits: &Habits) -> bool {
    static FIELD: Pattern =
        Pattern::new(r"^\s*[*_]?(\p{L}[\p{L}\p{M}'’ -]{0,24}?)[*_]?\s?[:：][*_]?\s*\S");
    // Cheap tests that spare most lines the pattern, which takes longer to make than a match
    // to follow. What stands before the first colon can only be the name.
    let is_ours = |(name, _): (&str, &str)| habits.fields.contains(&name.trim());
    let is_like_one = text.contains([':', '：']) && !text.split_once(':').is_some_and(is_ours);
    let name = is_like_one.then(|| FIELD.captures(text)).flatten();
    name.is_some_and(|parts| !habits.fields.contains(&parts[1].trim()))
}

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
/// address in it is no head. Of a doubtful line, only such lines above it are.
pub(super) fn first(
    lines: &[Line<'_>],
    sign: usize,
    is_command: impl Fn(&Line<'_>) -> bool,
) -> usize {
    let mut first = sign;
    let is_set_off = |line: &Line<'_>| line.is_doubtful && !line.is_blank();
    if is_set_off(&lines[sign]) && lines[sign].column == 1 {
        // In HTML some programs write the head into an element of its own, which is doubtful.
        let above = lines[..sign].iter().rposition(|line| !is_set_off(line));
        return above.map_or(0, |above| above + 1);
    }
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
    let goes_on = |at: &usize| !has_room(lines[*at].text, lines[*at + 1].text, NARROWEST);
    let unbroken = |from: usize, line: usize| (from..line).rev().take_while(goes_on).last();
    match head {
        Head::Whole => unbroken(paragraph, first).unwrap_or(first),
        Head::Below if paragraph == first => {
            let mut top = first;
            for _ in 0..MOST_APART {
                let Some(above) = directly_above(lines, top) else {
                    break;
                };
                let below = lines[top].text;
                // The name may be as long as its bearer likes.
                top = unbroken(self::paragraph(lines, above), above).unwrap_or(above);
                let text = lines[above].text;
                let leads_on = asks_for_replies(text) || leads_on(text) && is_address(below);
                if is_command(&lines[above]) || !leads_on {
                    break;
                }
            }
            top
        }
        Head::Rest | Head::Below => paragraph,
    }
}

/// The most lines of a head that stand above one, each as a paragraph.
const MOST_APART: usize = 3;

/// Returns the last line of the writer's above one, with at most one blank line between.
fn directly_above(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let above = lines[..at].iter().rposition(|line| !line.is_blank())?;
    (at - above <= 2 && is_free(&lines[above])).then_some(above)
}

/// Returns true if a line ends in the middle of its words: `Please respond to`.
fn leads_on(text: &str) -> bool {
    let last = text.trim().rsplit_once(char::is_whitespace);
    last.is_some_and(|(_, last)| {
        last.starts_with(char::is_lowercase) && last.chars().all(char::is_alphabetic)
    })
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
    text.contains('@') || is_dated(text) || text.ends_with([':', '：'])
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
    if line.is_blank() {
        // Lines that were left out here may have been the rest of a head.
        return Head::Rest;
    }
    let is_rule = !text.contains(char::is_alphanumeric);
    if is_rule || opens(text) || names_sender(text) {
        return Head::Whole;
    }
    let is_sentence = |text: &str| tells_writing(text) || is_attribution(text);
    // Old versions of Notes write each line as a paragraph.
    let mut below = lines[1..].iter().filter(|line| !line.is_blank());
    let mut below = || below.next().map_or("", |line| line.text.trim_start());
    let (mut next, after) = (below(), below());
    // A name may look like a field, too: `King: Ben`, above its address and a date.
    let has_address =
        lines.get(1).is_some_and(|line| is_address(line.text)) && is_date_alone(after);
    let field = text.split([':', '：']).next().unwrap_or_default();
    // What a program calls a field has a capital at its start, and none behind that.
    let is_label = is_phrase(field) && !field.starts_with(char::is_lowercase);
    if is_field(text) && has_address && !is_label {
        return Head::Whole;
    }
    if is_date_alone(after) && is_between(next) && !is_sentence(next) {
        next = after;
    }
    // A line of the writer's own may look like a field.
    let is_said = is_said_by_writer(next) && next.contains(' ') && !is_filled(next);
    let is_next_field = is_field(next) && !is_said;
    let is_value = is_filled(text) && is_next_field && is_filled(next);
    if is_field(text) && !has_year(text) && (!is_sentence(text) || is_value) {
        // Its beginning is this line: `Ben: White`, `hat am 20.11.2026 geschrieben:`.
        let is_rest = is_sentence(next) && !is_filled(next) && next.contains(' ');
        let goes_on = (is_next_field || has_year(next)) && !is_rest;
        let is_apart = lines.get(1).is_some_and(Line::is_blank);
        return if !goes_on || is_said_by_writer(text) {
            Head::Whole
        } else if text.contains('@') && !(is_apart && has_year(next)) {
            // It may be the sender's, in a language that nobody knows here.
            Head::Rest
        } else {
            Head::Below
        };
    }
    let is_next_of_head = is_next_field && !is_sentence(next) && !names_sender(next);
    if (is_next_of_head || is_date_alone(next))
        && !is_sentence(text)
        && !has_year(text)
        && is_between(text)
    {
        return if asks_for_replies(text) || is_address(text) {
            Head::Below
        } else {
            Head::Rest
        };
    }
    if let Some(parts) = text.split_once('@') {
        return if names_bearer(parts, is_name) {
            Head::Whole
        } else if is_address(text) {
            Head::Below
        } else {
            Head::Rest
        };
    }
    if is_sentence(text) {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let begins = first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        let is_whole = begins && !tells_writing(first) && text.split_whitespace().any(is_name);
        return if is_whole { Head::Whole } else { Head::Rest };
    }
    let is_date = has_year(text) || has_clock(text);
    if is_date || is_dated(text) {
        // What says who wrote may go on below, with the name in it.
        let mut rest = lines.iter().take_while(|line| !line.is_blank());
        let is_of_sentence = |line: &Line<'_>| {
            let text = line.text.trim_end();
            text.contains('@') || text.ends_with([':', '：', ',']) || tells_writing(text)
        };
        return if has_many_words(text) || rest.any(is_of_sentence) {
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

/// Returns true for a field with something behind its colon.
fn is_filled(text: &str) -> bool {
    let value = text.split_once([':', '：']);
    is_field(text) && value.is_some_and(|(_, value)| !value.trim().is_empty())
}

fn has_many_words(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.starts_with(char::is_alphabetic));
    words.count() > MOST_WORDS
}

/// Returns true for a date with nothing beside it, as in a head of Notes.
fn is_date_alone(text: &str) -> bool {
    is_dated(text) && !has_many_words(text) && !tells_writing(text) && !text.contains('@')
}

/// Returns true if a line of a head stands below that with the name: `Please respond to "Ben Black"
/// <ben@example.org>`, `Sales/Black/Ben`, an address alone. In a name, and in an address with
/// its bearer's, all words begin with a capital.
fn is_between(text: &str) -> bool {
    if let Some((before, _)) = text.split_once('@') {
        let (bearer, address) = before.rsplit_once(char::is_whitespace).unwrap_or_default();
        return bearer.is_empty() || !address.starts_with(['<', '(', '[']) || is_phrase(bearer);
    }
    is_phrase(text) && !text.trim_end().ends_with(['.', '!', '?', ','])
}

/// Returns true if a line begins with what Notes writes before the address for replies.
fn asks_for_replies(text: &str) -> bool {
    const WORDS: [&str; 5] = [
        "please respond to",
        "bitte antwort an",
        "veuillez répondre à",
        "por favor, responda a",
        "per favore, rispondere a",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|words| text.starts_with(words))
}

/// Returns true if words are no name alone.
fn is_phrase(text: &str) -> bool {
    let mut words = text.split_whitespace();
    text.contains('/') || words.any(|word| word.starts_with(char::is_lowercase))
}

/// Returns true if a line names the bearer of its address, by what stands before the `@` and
/// behind it. A name may have no capital: among the words of a date, or before an address in
/// brackets and a word for writing, since programs break that line only where it is full.
fn names_bearer((before, behind): (&str, &str), is_name: impl Fn(&str) -> bool) -> bool {
    // The address itself is one word.
    let (before, address) = before.rsplit_once(char::is_whitespace).unwrap_or_default();
    let mut words = before.split_whitespace();
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let count = words.clone().filter(is_word).count();
    let is_bare_name = || {
        address.starts_with(['<', '(', '['])
            && tells_writing(behind)
            && !tells_writing(before)
            && !attribution::has_date(before)
    };
    words.any(is_name) || count > MOST_WORDS || count > 0 && is_bare_name()
}

/// Samples of what this pass reacts to.
pub(super) const SEPARATOR_TOKENS: &[&str] = &[
    "-----Original Message-----",
    "-------- Original-Nachricht --------",
    "---------- Forwarded message ---------",
    "Begin forwarded message:",
    "----- End forwarded message -----",
    "-- End of message --",
    "----- Ende der weitergeleiteten Nachricht -----",
    "--- fin du message ---",
];

/// Returns true if the line opens a quotation: a word for a message between dashes, as
/// in `-----Original Message-----`, or `Begin forwarded message:`.
pub(super) fn opens(text: &str) -> bool {
    static PATTERN: Pattern = Pattern::new(
        r"(?ix)^\s* (?: -{2,} [^-]* (?: messag | mensag | mensaj | nachricht | bericht
              | meddel | melding | besked | viesti | wiadomo | zpráv | üzenet | сообщени
              | письм | forwarded | weitergeleitet | transféré | reenviado | inoltrato
              | 邮件 | 郵件 | メッセージ | 메시지 ) .* -{2,}
              | -{3,} \s* forwarded\ message
              | begin\ forwarded\ message: | anfang\ der\ weitergeleiteten\ nachricht:
              | début\ du\ message\ (?:réexpédié|transféré)\s?: ) \s*$",
    );
    // A cheap test that spares most lines the pattern.
    // HTML programs set separators in bold.
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*_".contains(c));
    let is_like_one = text.contains("--") || text.ends_with(':');
    is_like_one && PATTERN.is_match(text) && !text.contains("PGP")
}

/// Returns true if the line closes a quotation: `----- End forwarded message -----`.
pub(super) fn closes(text: &str) -> bool {
    static PATTERN: Pattern = Pattern::new(
        r"(?i)^\s*-{2,}\s*(?:end|ende|fin|fine|slut)\b[^-]*(?:message|mail|nachricht|messaggio)\b\s*-*\s*$",
    );
    text.contains("--") && PATTERN.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::{first, *};
    use crate::quoting::helpdesk::HELPDESK;
    use crate::quoting::line::split;

    /// The same by the expression that was compiled for each run.
    #[test]
    fn a_sender_is_named_as_the_expression_says() {
        let sender = Regex::new(
            r"(?x)^\s* \*? (?: From | Von | De | Da | Van | Från | Fra | Od | Lähettäjä | Feladó
              | От | Від | Kimden | Expéditeur | Mittente | Afzender | Remitente | Odesílatel
              | 发件人 | 寄件者 | 差出人 | 보낸\ 사람 ) \*? \s? (?: : \*? \s | ： )",
        )
        .unwrap();
        let names = SENDERS
            .into_iter()
            .chain(["", "Fro", "from", "Game", "Ode", "X"]);
        for name in names {
            for before in ["", " ", "*", " *", "**", "\u{a0}*", "x", ">"] {
                for between in ["", "*", " ", "* ", " *", "  ", "\u{a0}", "x"] {
                    for behind in [":", ": ", ":* ", ":*", ":\t", "：", "：x", ":x", "", " :"] {
                        let text = format!("{before}{name}{between}{behind}Ann");
                        assert_eq!(names_sender(&text), sender.is_match(&text), "{text}");
                        let text = format!("{before}{name}{between}{behind}");
                        assert_eq!(names_sender(&text), sender.is_match(&text), "{text}");
                    }
                }
            }
        }
    }

    fn opens(text: &str) -> Option<usize> {
        structure_length(&split(text), &HELPDESK)
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
            "Ticket: 42\nUrgency: low",
            "1. P>e3 n>g5",
        ] {
            assert_eq!(opens(text), None, "{text}");
        }
    }

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

    #[test]
    fn a_name_without_a_capital_leaves_what_stands_above_to_the_writer() {
        for head in [
            "ben <ben@black.test> writes:",
            "q>h2 (benedict.of.the.very.long.name.at.home@black.test) schrieb:",
            "accept takeback <ben@black.test> a écrit :",
        ] {
            assert_eq!(first_of(&format!("n>g5\n{head}"), "@"), 1, "{head}");
        }
        for head in [
            "hat <ben@black.test> geschrieben am 20.11.:",
            "ben <ben@black.test>:",
        ] {
            let full = format!("{}\n{head}", "resign ".repeat(10));
            assert_eq!(first_of(&full, "@"), 0, "{head}");
        }
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
        for who in ["Jane", "jane@black.test", "Jane <jane@black.test>"] {
            let head = format!("resign\n\nSent by: {who}\n\nFri 11/20/2026 3:00 PM");
            assert_eq!(first_of(&head, "Sent by"), 0, "{who}");
        }
        for between in [
            "Please respond to jane@black.test",
            "Please respond to \"Ben Black\" <jane@black.test>",
            "Please respond to Ben Black",
            "Bitte Antwort an Ben Black <ben@black.test>",
            "Please respond to\n\njane@black.test",
        ] {
            let sign = between.lines().last().unwrap();
            for end in ["\n", "\n\n"] {
                for next in ["11/20/2026 3:00 PM", "Fri 11/20/2026 3:00 PM", "To: Anna"] {
                    let head = format!("resign{end}{between}{end}{next}\n");
                    assert_eq!(first_of(&head, sign), 0, "{head}");
                }
            }
        }
        for between in [
            "On behalf of Ben Black <ben@black.test>",
            "via Ben Black",
            "Sales/Black/Ben",
            "to Anna White <anna@white.test>",
        ] {
            let head = format!("resign\n{between}\n11/20/2026 3:00 PM\n");
            assert_eq!(first_of(&head, between), 0, "{head}");
        }
        for fields in [
            "Sent by: owner-x@black.test\nPlease respond to Ben Black\n11/20/2026 3:00 PM",
            "Sent by: owner-x@black.test\n\nPlease respond to Ben Black\n\n11/20/2026 3:00 PM",
            "Subject: Friday\nMessage:",
            "Subject: Ben writes:\nDate: Friday",
            "To: Anna\nSubject: Ben writes:",
            "To: Anna\n\nSubject: A message:",
            "Sent by: Sales\nben@black.test\n11/20/2026 3:00 PM",
        ] {
            let sign = fields.lines().next().unwrap();
            let end = if fields.contains("\n\n") {
                "\n\n"
            } else {
                "\n"
            };
            assert_eq!(
                first_of(&format!("resign{end}{fields}"), sign),
                0,
                "{fields}"
            );
        }
    }

    #[test]
    fn what_stands_above_a_doubtful_head_does_not_belong_to_it() {
        let head =
            "On Fri, Nov 20, 2026 at 3:00 AM resign\u{fdd1}\n<ben@black.test> wrote:\u{fdd1}";
        assert_eq!(first_of(&format!("n>g5\n{head}"), "@"), 1);
        assert_eq!(first_of(&format!("n>g5\n{head}"), "2026"), 1);
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
            "Ref:\n\nBen writes:",
            "Ben: White\nhat am 20.11.2026 03:00 geschrieben:",
            "PS: I liked that",
            "King: Ben\nben@black.test\nFri, Nov 20, 2026, 3:00 PM",
            "resign code: 2 Ben\n<ben@black.test>\n20.11.2026 03:00",
            "White       Black White: king:\nben@black.test\nFri, Nov 20, 2026, 3:00 PM",
        ] {
            let text = format!("Yes!\nresign\n{head}");
            // Some stand below a blank line.
            let sign = if head.starts_with('\n') { 3 } else { 2 };
            assert_eq!(first(&split(&text), sign, |_| false), sign, "{text}");
        }
    }
}
