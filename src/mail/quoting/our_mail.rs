//! Quotations of a mail of ours, and what their writer has typed into them.
//!
//! Whoever answers between the lines of a mail of ours writes what that mail does not have.
//! Without quote marks such a line is the writer's, if all around it is of the mail that
//! the letter answers. Behind quote marks it may be, so it is asked about.

use crate::quoting::attribution::{has_date, is_attribution, is_said_by_writer, tells_writing};
use crate::quoting::habits::{Foot, Habits};
use crate::quoting::header_block::{is_field, is_postmark, names_sender};
use crate::quoting::line::{Author, Line, Typed};
use crate::quoting::sent::{Found, MailText, has_source_of_quotation};
use crate::quoting::{header_block, line};

/// The most lines above a quotation without marks that say whose it is: a separator, a
/// header block, the banner of a gateway.
pub(super) const MOST_OPENING: usize = 16;

/// The most lines above quote marks that say whose words stand behind those.
pub(super) const MOST_ABOVE: usize = 3;

/// The most lines of a quotation into which orders were filled.
const MOST_FILLED: usize = 8;

/// The least lines of a mail between which somebody has typed.
const LEAST_AROUND: usize = 7;

/// The most lines that somebody has typed into a mail.
const MOST_TYPED: usize = 200;

/// Returns the lines that the writer has typed into a quotation of a mail without marks: all
/// that the mail does not have. Returns none if the rest is not that mail to its foot, if
/// its head may name one of the others, or if a line may be somebody else's. `may_be_theirs`
/// tells that of a line by its place.
pub(super) fn typed_into(
    lines: &[Line<'_>],
    mail: &MailText,
    [ours, others]: [&[String]; 2],
    (is_order, habits): (&dyn Fn(&str) -> bool, &Habits),
    may_be_theirs: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let begin = begin_of(lines, mail)?;
    // Below another foot stands another message.
    if feet(lines, habits).count() > 1 {
        return None;
    }
    if names_one(&lines[..begin], [ours, others]) {
        return None;
    }
    let mut typed: Vec<usize> = (begin..lines.len())
        .filter(|at| is_added(&lines[*at], mail, is_order))
        .collect();
    typed.extend(repeated(lines, mail, false, habits));
    if typed.iter().any(|at| is_of_another(&lines[*at], mail)) {
        return None;
    }
    let is_typed = |at: &usize| typed.contains(at);
    let is_writers = |at: usize| {
        // What stands beside words that we have carried may be the end of those.
        let is_word = |at: &usize| !lines[*at].is_blank() && !is_typed(at);
        let beside = [
            (0..at).rev().find(is_word),
            (at + 1..lines.len()).find(is_word),
        ];
        let mut beside = beside.into_iter().flatten();
        lines[at].column == 1
            && lines[at].author != Author::Carried
            && !may_be_theirs(at)
            && beside.all(|at| lines[at].author != Author::Carried)
    };
    if typed.is_empty() || typed.len() > MOST_TYPED || !typed.iter().all(|at| is_writers(*at)) {
        return None;
    }
    let rest: Vec<Line<'_>> = (0..lines.len())
        .filter(|at| !is_typed(at))
        .map(|at| lines[at].clone())
        .collect();
    let is_mail = has_foot(&rest, &mail.hash, habits)
        && whole(&rest, mail) >= LEAST_AROUND
        && is_of(&rest, mail, false, [ours, others], habits);
    is_mail.then_some(typed)
}

/// Returns true if another question of ours was asked about a line, or asked for it. Two questions
/// about one position have the same words besides, and a quotation may be of either.
fn is_of_another(line: &Line<'_>, mail: &MailText) -> bool {
    let text = line.text.trim();
    !text.is_empty() && mail.elsewhere.iter().any(|asked| asked.starts_with(text))
}

/// Returns the place of the first line that the mail has as a whole.
fn begin_of(lines: &[Line<'_>], mail: &MailText) -> Option<usize> {
    let mut lines = lines.iter();
    lines.position(|line| begins_mail(line, mail.find(line)))
}

/// Returns true if a mail can begin with a line. An attribution that a question has repeated still says
/// whose words stand below.
fn begins_mail(line: &Line<'_>, found: Found) -> bool {
    found == Found::Whole && !has_source_of_quotation(line)
}

/// Returns true if the mail does not have a line: neither its words, nor the row of a list to
/// which it has added an order. An order of which the mail, or another of ours, only
/// speaks is added.
fn is_added(line: &Line<'_>, mail: &MailText, is_order: &dyn Fn(&str) -> bool) -> bool {
    if mail.carries(line) {
        return false;
    }
    if is_order(line.text) {
        return !mail.has_exactly(line.text);
    }
    if is_only_orders(line, mail) {
        return !mail.has_itself(line) && !mail.has_row_of(line);
    }
    match mail.find(line) {
        Found::No => true,
        Found::Extended => !mail.has_row_of(line),
        Found::Blank | Found::Usual | Found::Whole => false,
    }
}

/// Returns true if a line has nothing but orders and their numbers.
fn is_only_orders(line: &Line<'_>, mail: &MailText) -> bool {
    let words = line::of_line(line);
    let has_order = words.iter().any(|word| mail.is_like_order(word));
    has_order && (words.iter()).all(|word| mail.is_like_order(word) || line::is_number(word))
}

/// Returns the last of the places of each line that a question of ours has, if the
/// quotation has it once more: whoever was asked has written it again. `is_foot` tells
/// that nothing else of the question is left but its foot.
pub(super) fn repeated(
    lines: &[Line<'_>],
    mail: &MailText,
    is_foot: bool,
    habits: &Habits,
) -> Vec<usize> {
    let asked = &mail.asked;
    if asked.is_empty() || feet(lines, habits).count() > 1 {
        return Vec::new();
    }
    let again = asked.iter().filter_map(|text| {
        let places = (0..lines.len()).filter(|at| lines[*at].text.trim() == text);
        let places: Vec<usize> = places.collect();
        let asked = asked.iter().filter(|other| *other == text && !is_foot);
        let count = asked.count();
        (places.len() == count + 1).then(|| places[count])
    });
    again.collect()
}

/// Doubts what a quotation has besides the lines of a mail.
pub(super) fn doubt_added(
    lines: &mut [Line<'_>],
    mail: &MailText,
    is_order: &dyn Fn(&str) -> bool,
) {
    let quoted = |line: &&mut Line<'_>| matches!(line.author, Author::Quoted(1..));
    for line in lines.iter_mut().filter(quoted) {
        if is_added(line, mail, is_order) {
            line.typed = Typed::Added;
        }
    }
}

/// Gives lines to the writer, but for those that are doubtful.
pub(super) fn give(lines: &mut [Line<'_>], typed: &[usize]) {
    for at in typed {
        let line = &mut lines[*at];
        let is_taken = matches!(line.author, Author::Quoted(_) | Author::Program);
        if is_taken && !line.is_doubtful {
            line.author = Author::Own;
            line.typed = Typed::No;
        }
    }
}

/// Takes from the writer what stands above a mail in its quotation: it says whose it is.
pub(super) fn take_head(lines: &mut [Line<'_>], mail: &MailText) {
    let begin = begin_of(lines, mail).unwrap_or_default();
    let head = &mut lines[..begin];
    for line in head.iter_mut().filter(|line| line.author == Author::Own) {
        line.author = Author::Quoted(1);
    }
}

/// Takes from the writer the first line of an attribution without marks that a program has
/// wrapped behind its date: `On Friday, 20 November 2026,`.
pub(super) fn take_first_of_head(
    lines: &mut [Line<'_>],
    sign: usize,
    is_order: &dyn Fn(&str) -> bool,
    habits: &Habits,
) {
    let last = &lines[sign];
    let is_rest = matches!(last.author, Author::Quoted(_))
        && last.column == 1
        && is_attribution(last.text)
        && !has_date(last.text);
    let Some(above) = sign.checked_sub(1).map(|above| &mut lines[above]) else {
        return;
    };
    // A day may be `24th`.
    let is_like_order = |word: &String| {
        (habits.is_like_order)(word) && word.starts_with(|c: char| c.is_alphabetic())
    };
    let is_date = header_block::has_year(above.text)
        && above.text.trim_end().ends_with(',')
        && !is_order(above.text)
        && !line::of_line(above).iter().any(is_like_order);
    if is_rest && is_date && above.author == Author::Own {
        above.author = Author::Quoted(1);
    }
}

/// The months that are also names of people, in the languages whose attributions are known.
const MONTHS: [&str; 12] = [
    "jan", "mar", "mai", "may", "jun", "june", "april", "august", "julius", "avril", "marzo",
    "juli",
];

/// Returns true if lines may name another person than us as the one who is quoted. One of
/// the others may be us, and an address book may have our address under anybody's name.
fn names_one(head: &[Line<'_>], [ours, others]: [&[String]; 2]) -> bool {
    let is_our_name = |name: &str| {
        let mut names = ours.iter().filter(|our| !our.contains('@'));
        names.any(|our| has_phrase(our, name))
    };
    let tells = |line: &&Line<'_>| {
        let text = line.text.trim_start();
        let is_closed = text.trim_end().ends_with([':', '：']);
        !is_field(text) || names_sender(text) || is_attribution(text) || is_closed
    };
    let mut tells = (0..head.len()).filter(|at| tells(&&head[*at]) || is_in_other_block(head, *at));
    tells.any(|at| {
        let line = &head[at];
        let text = without_our_mailbox(line.text.to_lowercase(), [ours, others]);
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let day = |at: usize| words.get(at)?.parse().ok();
        let is_day = |at: usize| day(at).is_some_and(|day: u32| (1..=31).contains(&day));
        // A person may be called as a month is, but stands beside no day: `2027, Jan wrote`.
        let is_month =
            |at: usize| MONTHS.contains(&words[at]) && (is_day(at + 1) || at > 0 && is_day(at - 1));
        let is_another = |word: &str| others.iter().any(|name| name == word && !is_our_name(name));
        (0..words.len()).any(|at| is_another(words[at]) && !is_month(at))
    })
}

/// Returns true for a line of a block of fields of which none names a sender as we know it. Fields that
/// each stand between empty lines are no block.
fn is_in_other_block(head: &[Line<'_>], at: usize) -> bool {
    let near = |line: &&Line<'_>| !line.is_blank();
    let above = head[..at].iter().rev().take(MOST_OPENING).take_while(near);
    let below = head[at..].iter().take(MOST_OPENING).take_while(near);
    let block = &head[at - above.count()..at + below.count()];
    block.len() > 1
        && block.iter().all(|line| is_field(line.text.trim_start()))
        && !block.iter().any(|line| names_sender(line.text))
}

/// Returns a text in small letters without our addresses in angle brackets and the names of
/// others that stand directly before them.
fn without_our_mailbox(mut text: String, [ours, others]: [&[String]; 2]) -> String {
    let is_between = |c: char| c.is_whitespace() || c == '"';
    for our in ours.iter().filter(|our| our.contains('@')) {
        let Some((name, rest)) = text.split_once(&format!("<{our}>")) else {
            continue;
        };
        let mut name = name.trim_end_matches(is_between);
        let words = others.iter().filter(|other| !other.is_empty());
        while let Some(shorter) = words.clone().find_map(|word| name.strip_suffix(word)) {
            name = shorter.trim_end_matches(is_between);
        }
        text = format!("{name} {rest}");
    }
    text
}

/// Returns true if a line may say who wrote what stands below it, in any words. A heading of
/// our mails does not.
pub(super) fn opens(text: &str, habits: &Habits) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "*\u{200e}".contains(c));
    let is_heading = (habits.headings.iter()).any(|heading| text.ends_with(heading));
    is_attribution(text) || text.ends_with([':', '：']) && !is_heading && !is_said_by_writer(text)
}

/// Returns how many lines have words of the mail, besides the rows of its list.
pub(super) fn whole(lines: &[Line<'_>], mail: &MailText) -> usize {
    let is_row = |line: &Line<'_>| {
        line.text
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let is_whole =
        |line: &&Line<'_>| !is_row(line) && matches!(mail.find(line), Found::Whole | Found::Usual);
    lines.iter().filter(is_whole).count()
}

/// Returns true if the lines end with the foot of the mail with this hash.
pub(super) fn has_foot(lines: &[Line<'_>], hash: &str, habits: &Habits) -> bool {
    let last = lines.iter().rposition(|line| !line.is_blank());
    let ends = |end: usize| last.is_some_and(|last| last < end);
    feet(lines, habits).any(|foot| foot.hash.as_deref() == Some(hash) && ends(foot.end))
}

/// Returns true if lines have the foot of the mail with this hash.
pub(super) fn has_hash(lines: &[Line<'_>], hash: &str, habits: &Habits) -> bool {
    feet(lines, habits).any(|foot| foot.hash.as_deref() == Some(hash))
}

/// Returns the feet of our mails that lines have.
fn feet(lines: &[Line<'_>], habits: &Habits) -> impl Iterator<Item = Foot> {
    (0..lines.len()).filter_map(|at| (habits.foot)(lines, at))
}

/// Returns the words of a head, of which an address is one.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || "<>()[]\",;:".contains(c);
    text.split(is_end).filter(|word| !word.is_empty())
}

/// Returns the addresses in a text in small letters.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = &str> {
    words_of(text).filter(|word| word.contains('@'))
}

pub(super) fn is_ours(word: &str, ours: &[String]) -> bool {
    ours.iter().any(|our| our == word)
}

/// Returns true if the lines of a head are one attribution that a program has wrapped, with an
/// address in it: `Desk <desk@example.com>` above `wrote:`, or above the id of an article.
pub(super) fn is_wrapped_attribution(head: &[Line<'_>]) -> bool {
    let last = head.iter().rposition(|line| !line.is_blank());
    let head = &head[..last.map_or(0, |last| last + 1)];
    let words: Vec<&str> = head.iter().map(|line| line.text.trim()).collect();
    let whole = words.join(" ");
    let is_closed = || is_attribution(&whole) || whole.ends_with("...") && tells_writing(&whole);
    (2..=MOST_ABOVE).contains(&words.len())
        && words.iter().all(|text| !text.is_empty())
        && whole.contains('@')
        && is_closed()
}

/// Returns true if lines above a mail of ours may say that it is ours, and none that it is
/// somebody else's. Only what names a sender counts, since whoever writes chooses the subject
/// and the other recipients: each address in the field of the sender, in an attribution, and
/// in the first line with one where there is no such field, must be ours. Where there is none,
/// our name must stand there, or they name nobody.
pub(super) fn is_head_of_ours(
    head: &[Line<'_>],
    [ours, others]: [&[String]; 2],
    habits: &Habits,
) -> bool {
    if names_one(head, [ours, others]) {
        return false;
    }
    // The quoted person may have quoted a head of ours, too.
    let senders: Vec<&Line<'_>> = head.iter().filter(|line| names_sender(line.text)).collect();
    let names_us = |line: &&Line<'_>| {
        let text = line.text.to_lowercase();
        ours.iter().any(|our| has_phrase(&text, our))
    };
    if senders.len() > 1 && !senders.iter().all(names_us) {
        return false;
    }
    let has_sender = !senders.is_empty();
    let is_known =
        |line: &Line<'_>| header_block::opens(line.text) || is_field(line.text.trim_start());
    let has_letters = |line: &Line<'_>| line.text.chars().any(char::is_alphanumeric);
    let is_said = |line: &Line<'_>| has_letters(line) && !is_known(line);
    let first = head.iter().position(|line| line.text.contains('@'));
    let first = first.or_else(|| head.iter().position(is_said));
    let mut sources = String::new();
    let mut is_source = false;
    // A name and an address may stand on lines of their own above the rest of an attribution.
    let mut paragraph = 0;
    for (at, line) in head.iter().enumerate() {
        if line.is_blank() {
            paragraph = at + 1;
        }
        // A program may have broken the line of a source.
        let goes_on = is_source && !line.is_blank() && !is_field(line.text.trim_start());
        let is_attribution = is_like_attribution(line.text, habits);
        is_source = goes_on
            || is_attribution
            || names_sender(line.text)
            || is_in_other_block(head, at)
            || !has_sender && first == Some(at);
        if is_source {
            let begin = if is_attribution { paragraph } else { at };
            for line in &head[begin..=at] {
                sources.push_str(&line.text.to_lowercase());
                sources.push('\n');
            }
        }
    }
    let mut from = addresses(&sources).peekable();
    if from.peek().is_some() {
        return from.all(|address| is_ours(address, ours));
    }
    let names_nobody =
        |line: &Line<'_>| !has_letters(line) || is_known(line) && !names_sender(line.text);
    ours.iter().any(|our| has_phrase(&sources, our)) || head.iter().all(names_nobody)
}

/// Returns true if a line may be an attribution, or stands between dashes.
fn is_like_attribution(text: &str, habits: &Habits) -> bool {
    let text = text.trim();
    let is_field = || is_field(text) && !is_attribution(text);
    !is_field()
        && (opens(text, habits)
            || tells_writing(text)
            || text.starts_with("--") && text.ends_with("--"))
}

/// Returns true if a text has words one behind the other, and each as a whole.
fn has_phrase(text: &str, words: &str) -> bool {
    let of = |text: &str| -> String {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.fold(" ".to_owned(), |all, word| all + word + " ")
    };
    let wanted = of(words);
    wanted.len() > 1 && of(text).contains(&wanted)
}

/// Returns true if what stands directly above a quotation with marks says that another person
/// than us wrote it. Addresses tell, and where there are none, names.
pub(super) fn introduces_another(
    above: &[Line<'_>],
    [ours, others]: [&[String]; 2],
    habits: &Habits,
) -> bool {
    let words = above.iter().rposition(|line| !line.is_blank());
    let above = &above[..words.map_or(0, |last| last + 1)];
    let is_apart = |line: &Line<'_>| line.is_blank() || line.column > 1;
    let first = above.iter().rposition(is_apart).map_or(0, |at| at + 1);
    let near = &above[first.max(above.len().saturating_sub(MOST_ABOVE))..];
    let text: String = near.iter().flat_map(|line| [line.text, "\n"]).collect();
    let text = text.to_lowercase();
    let mut from = sources(&text, ours).into_iter().peekable();
    if from.peek().is_some() {
        return !from.all(|address| is_mailbox_of(address, ours));
    }
    let mut our_names = ours.iter().filter(|our| !our.contains('@'));
    if our_names.any(|our| has_phrase(&text, our)) {
        return false;
    }
    let introduces = |line: &Line<'_>| {
        let text = line.text.trim();
        is_like_attribution(text, habits)
            || names_sender(text)
            || text.ends_with([':', '：'])
            || text.starts_with(|c: char| !c.is_alphanumeric())
    };
    // A name may stand on the line above the rest of an attribution.
    near.iter().any(introduces) && names_one(near, [ours, others])
}

/// The words before the id of an article or a message in an attribution.
const BEFORE_ID: [&str; 7] = [
    "article",
    "message",
    "in",
    "artikel",
    "nachricht",
    "id",
    "news",
];

/// Returns the addresses in an attribution, without the ids of our mails.
fn sources<'t>(text: &'t str, ours: &[String]) -> Vec<&'t str> {
    let is_of_ours = |word: &str| {
        // Outlook Express ends so: `news:4f2a.1@example.com...`
        let host = word.rsplit_once('@').map_or("", |(_, host)| host);
        let host = host.trim_end_matches('.');
        let domains = ours.iter().filter_map(|our| our.rsplit_once('@'));
        domains.map(|(_, domain)| domain).any(|domain| {
            let above = host.strip_suffix(domain);
            above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        })
    };
    let mut before = "";
    let found = words_of(text).filter(|word| {
        let is_id = BEFORE_ID.contains(&before) && is_of_ours(word) && !is_ours(word, ours);
        before = word;
        word.contains('@') && !is_id
    });
    found.collect()
}

/// Returns true if an address is one of ours, whatever its sub-address is.
fn is_mailbox_of(address: &str, ours: &[String]) -> bool {
    let without_tag = |address: &str| {
        let (name, domain) = address.rsplit_once('@')?;
        let name = name.split_once('+').map_or(name, |(name, _)| name);
        Some(format!("{name}@{domain}"))
    };
    let address = without_tag(address);
    address.is_some() && ours.iter().any(|our| without_tag(our) == address)
}

/// Returns true if all lines are of the mail, but for a few above them that say whose
/// it is, and rows to which orders were added.
pub(super) fn is_of(
    lines: &[Line<'_>],
    mail: &MailText,
    is_marked: bool,
    people: [&[String]; 2],
    habits: &Habits,
) -> bool {
    // A gateway puts its banner above what it hands on, not between quote marks.
    let is_head = |line: &Line<'_>, found: Found| {
        let text = line.text.trim_start();
        !is_marked
            || matches!(found, Found::Blank | Found::Usual)
            || is_field(text)
            || is_postmark(text)
            || header_block::opens(text)
            || is_attribution(text)
    };
    let (mut begin, mut filled) = (None, 0);
    for (at, line) in lines.iter().enumerate() {
        let found = mail.find(line);
        if begins_mail(line, found) {
            begin.get_or_insert(at);
        }
        filled += usize::from(begin.is_some() && found == Found::Extended);
        let is_known = match begin {
            // What says who wrote is nobody's order.
            Some(_) if found == Found::Extended => {
                filled <= MOST_FILLED && !opens(line.text, habits)
            }
            Some(_) => found != Found::No,
            None => at < MOST_OPENING && is_head(line, found),
        };
        if !is_known {
            return false;
        }
    }
    begin.is_some_and(|begin| {
        // In marks it may begin with what another program has put above it.
        let is_put_above = |line: &&Line<'_>| !is_marked || mail.find(line) == Found::No;
        let above = lines[..begin].iter().filter(is_put_above);
        let above: Vec<Line<'_>> = above.cloned().collect();
        is_head_of_ours(&above, people, habits)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::helpdesk::HELPDESK;

    #[test]
    fn an_attribution_may_be_wrapped() {
        let is_one = |text: &str| is_wrapped_attribution(&line::split(text));
        for text in [
            "On Friday, Desk <desk@example.com>\nwrote:\n",
            "On Friday, Desk\n<desk@example.com> wrote:\n\n",
            "\"Desk\" <desk@example.com> wrote in message\nnews:4f2a.1@example.com...\n",
            "Desk <desk@example.com> wrote in\nnews:4f2a.1@example.com: \n",
        ] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "",
            "Desk <desk@example.com> wrote:\n",
            "Desk <desk@example.com>\n\nwrote:\n",
            "On Friday, Desk\nwrote:\n",
            "Write to desk@example.com\nif you like...\n",
            "Anna\nand Ben\nand <desk@example.com>\nwrote:\n",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }

    /// Went wrong: a move was filled into a quotation below fields with another person's address, an empty
    /// line, and a field with ours.
    #[test]
    fn fields_above_those_of_ours_may_name_another() {
        let ours = ["help desk", "desk@example.com"].map(str::to_owned);
        let others = ["anna", "white"].map(str::to_owned);
        for (head, is_of_ours) in [
            (
                "Frobnicator: Anna White <anna@white.test>\nXyzzied: Friday\n\n",
                false,
            ),
            ("Frobnicator: <ann@white.test>\nXyzzied: Friday\n\n", false),
            ("Frobnicator: Anna\nXyzzied: Friday\n\n", false),
            (
                "Frobnicator: Help Desk <desk@example.com>\nXyzzied: Friday\n\n",
                true,
            ),
            ("To: Anna White <anna@white.test>\n\nSent: Friday\n\n", true),
            ("", true),
        ] {
            let text = format!("{head}*From:* <desk@example.com>\nTo: Anna <anna@white.test>\n\n");
            let head = line::split(&text);
            let is_it = is_head_of_ours(&head, [&ours, &others], &HELPDESK);
            assert_eq!(is_it, is_of_ours, "{text}");
        }
    }

    /// Went wrong: a year beside the name of a person who is called as a month is, as in
    /// `2027, Jan wrote:`, made the name a month.
    #[test]
    fn what_stands_above_marks_names_another_or_us() {
        let ours = ["help desk", "desk@example.com"].map(str::to_owned);
        let others = ["anna", "white", "jan"].map(str::to_owned);
        for (above, is_another) in [
            ("", false),
            ("Desk <desk@example.com> wrote:", false),
            ("On Fri, 20 Nov 2026, desk@example.com wrote:", false),
            ("desk+42@example.com wrote:", false),
            ("Help Desk wrote:", false),
            ("Anna White <desk@example.com> wrote:", false),
            ("In article <4f2a.1@example.com>, Help Desk wrote:", false),
            ("In article <4f2a.1@white.test>, Help Desk wrote:", true),
            ("In article <4f2a.1@example.com>, Anna wrote:", true),
            (
                "\"Desk\" <desk@example.com> wrote in message\nnews:4f2a.1@example.com...",
                false,
            ),
            (
                "Desk <desk@example.com> wrote in\nnews:4f2a.1@example.com:",
                false,
            ),
            (
                "\"Anna\" <anna@white.test> wrote in message\nnews:4f2a.1@example.com...",
                true,
            ),
            (
                "\"Desk\" <desk@example.com> wrote in message\nnews:4f2a.1@white.test...",
                true,
            ),
            ("Anna wrote in\nnews:4f2a.1@example.com:", true),
            ("desk@example.com wrote in news:anna@white.test:", true),
            ("Help Desk <anna@white.test> wrote:", true),
            ("Anna White <anna@white.test> wrote:", true),
            ("anna+desk@example.com wrote:", true),
            ("Anna wrote:", true),
            ("Anna\nwrote:", true),
            ("Anna\n\nwrote:", false),
            ("-- Anna --", true),
            ("From: Anna", true),
            ("To: Anna", false),
            ("Hello Anna,", false),
            ("Hello Anna:", true),
            ("On 20 Jan 2026, somebody wrote:", false),
            ("On Jan 31, 2026, somebody wrote:", false),
            ("On 20 November 2027, Jan wrote:", true),
            ("On November 20 at 3:00, Jan wrote:", true),
        ] {
            let lines = line::split(above);
            let found = introduces_another(&lines, [&ours, &others], &Habits::NONE);
            assert_eq!(found, is_another, "{above}");
        }
    }
}
