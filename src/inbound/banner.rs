//! Lines that a gateway or a mail program puts into every letter of a player.
//!
//! The configuration names such lines, or two letters have them in common: if the program asks about a
//! letter, the log keeps a fingerprint of its first paragraph, and the answer to that question is read
//! without the same paragraph. The program treats quote marks before all words in the same way, and
//! doubt whether the writer sees the move.
//!
//! Somebody may forward another person's mail twice, and must not play that person's move. So a
//! banner names nobody but the writer and us.

use sha2::{Digest as _, Sha256};

use crate::inbound::closing::{is_greeting, without_closing};
use crate::mail::quoting::attribution::{has_source, is_attribution, tells_writing};
use crate::mail::quoting::header_block;
use crate::mail::quoting::line::{Author, DOUBT, Line};
use crate::matches::action::Request;
use crate::matches::hash::hex;
use crate::notation::reader::{HABITS, pasted};

/// Empties the lines that are a banner, wrapped or not. Only letters and digits count, so that rules
/// and frames around them may differ.
pub fn without(text: String, banners: &[String]) -> String {
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

/// The most lines of a banner, and the most bytes.
const MOST_LINES: usize = 12;
const LONGEST: usize = 4_000;

/// The fewest signs of a rule.
const SHORTEST_RULE: usize = 4;

/// The rule that the text of HTML has for `<hr>`.
const RULE_OF_HTML: &str = "---";

/// The fingerprint of a letter whose words are all quoted.
const QUOTED: &str = ">";

/// The fingerprint of a letter with a doubtful line.
const DOUBTED: &str = "?";

/// The fields of a banner, in small letters: those with the sender's address, besides those of a
/// header, those with our address or name, those with a time or the subject, and notices.
const SENDERS: &str = "sender absender expéditeur remitente mittente afzender reply-to";
const RECIPIENTS: &str = "to an à para a aan";
const TIMES: &str = "date sent datum gesendet envoyé enviado inviato verzonden";
const SUBJECTS: &str = "subject betreff objet asunto oggetto onderwerp ämne emne aihe temat тема";
const NOTICES: &str = "warning caution attention notice external outside extern externe externo warnung achtung \
                       vorsicht avertissement aviso advertencia attenzione atenção varning advarsel uwaga внимание";

/// What a notice calls a letter, in small letters.
const MESSAGES: &str = "message messaggio mensaje mensagem nachricht bericht meddelande meddelelse";

/// The most characters of a time.
const LONGEST_TIME: usize = 50;

/// What the fields of a banner may name. Addresses are in small letters.
pub(crate) struct Named {
    /// The addresses of the writer.
    pub(crate) writer: Vec<String>,
    /// The name of the writer.
    pub(crate) name: String,
    /// Our addresses, and our name in small letters.
    pub(crate) ours: Vec<String>,
    /// The subject.
    pub(crate) subject: String,
}

/// Returns the fingerprint of a letter that the program asks about: the hashes of the lines of its
/// banner, [`QUOTED`] or [`DOUBTED`]. Returns none for any other letter, and for a banner that has no
/// effect on the lines below.
///
/// A banner is one paragraph of fields: the writer's own address as the sender, our address, the
/// subject of the letter, a time, a notice. Any other field may name somebody else, whose words stand
/// below.
#[must_use]
pub(crate) fn fingerprint(lines: &[Line<'_>], named: &Named) -> Option<String> {
    let texts: Vec<&str> = lines.iter().map(|line| line.source).collect();
    let first = texts.iter().find(|text| !text.trim().is_empty());
    // An attribution above the words says that somebody else wrote them.
    if are_quoted(&texts) && first.is_some_and(|text| text.starts_with('>')) {
        return Some(QUOTED.to_owned());
    }
    let of_top = || {
        let top = top(&texts)?;
        let hashes = hashes(&texts[top.start..top.end], named, top.is_framed)?;
        let mut banner = lines[..top.end].iter();
        let has_effect = top.is_framed || banner.any(|line| line.author != Author::Own);
        has_effect.then(|| hashes.join(" "))
    };
    let is_doubted = || lines.iter().any(|line| line.is_doubtful);
    of_top().or_else(|| is_doubted().then(|| DOUBTED.to_owned()))
}

/// Returns the hashes of the lines of a banner. Returns none for other lines, and for too many. Lines
/// between rules need no sender if one is a notice, and then the notice may take several lines.
fn hashes(lines: &[&str], named: &Named, is_framed: bool) -> Option<Vec<String>> {
    if lines.len() > MOST_LINES || lines.iter().map(|text| text.len()).sum::<usize>() > LONGEST {
        return None;
    }
    let has_notice = is_framed && lines.iter().any(|text| has_word_of_notice(text));
    let has_sender = lines.iter().any(|text| names_sender(text));
    let hashes = lines.iter().map(|text| {
        let of_notice = || (has_notice && is_of_notice(text)).then(|| (*text).to_owned());
        let text = constant(text, named).or_else(of_notice)?;
        Some(hex(&Sha256::digest(signs(&text))[..4]))
    });
    let hashes = hashes.collect::<Option<_>>();
    hashes.filter(|_| has_sender || has_notice)
}

/// Returns the text of an answer to a question without what the letter that was asked about had, too,
/// by its fingerprint. `asked` are the lines of which the question asks for one. Returns none if the
/// text has nothing of it.
#[must_use]
pub(crate) fn without_repeated(
    text: &str,
    fingerprint: &str,
    named: &Named,
    asked: &[String],
) -> Option<String> {
    match fingerprint {
        QUOTED => unquoted(text, asked),
        DOUBTED => undoubted(text, asked, &named.name),
        known => without_top(text, known, named, asked),
    }
}

/// Empties the first paragraph of a text if that is a banner whose lines have these hashes. A banner
/// that has no empty line below, or no sender, goes only above a line that the question asks for.
fn without_top(text: &str, known: &str, named: &Named, asked: &[String]) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let top = top(&lines)?;
    let hashes = hashes(&lines[top.start..top.end], named, top.is_framed)?;
    if hashes.join(" ") != known {
        return None;
    }
    let below = &lines[top.below..];
    let is_settled = || {
        let at = first_words(below)?;
        Some(is_alone(
            below[at].trim(),
            &below[at + 1..],
            &named.name,
            asked,
        ))
    };
    if (top.is_framed || !top.is_parted) && is_settled() != Some(true) {
        return None;
    }
    let empty = std::iter::repeat_n("", top.below);
    Some(
        empty
            .chain(lines[top.below..].iter().copied())
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

/// Takes the quote mark off the move in a text of which all words are quoted, if the question asks
/// for it.
fn unquoted(text: &str, asked: &[String]) -> Option<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let at = quoted_move(&lines)?;
    lines[at] = lines[at].trim_start_matches('>').trim();
    is_asked_for(lines[at], asked).then(|| lines.join("\n"))
}

/// Takes the doubt off the line that a text begins with, below a greeting or not, if the question asks
/// for it, and no words of the writer's but a closing stand below.
fn undoubted(text: &str, asked: &[String], name: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let at = first_words(&lines)?;
    lines[at] = lines[at].strip_suffix(DOUBT)?.trim();
    is_alone(lines[at], &lines[at + 1..], name, asked).then(|| lines.join("\n"))
}

/// Returns the place of the first line with words, below a greeting or not.
fn first_words(lines: &[&str]) -> Option<usize> {
    let mut words = (0..lines.len()).filter(|at| !lines[*at].trim().is_empty());
    let first = words.next()?;
    if is_greeting(lines[first].trim_end_matches(DOUBT)) {
        return words.next();
    }
    Some(first)
}

/// Returns true if a question asks for a line, and no words of the writer's but a closing stand below.
fn is_alone(line: &str, below: &[&str], name: &str, asked: &[String]) -> bool {
    let plain = below.join("\n").replace(DOUBT, "");
    let below = pasted(&plain);
    let is_own = |line: &&Line<'_>| line.author.may_be_own() && !line.is_blank();
    // An attribution above marks stays the writer's own.
    let own = below.iter().filter(is_own);
    let own = own.filter(|line| !names_author(line.text));
    let own: Vec<&str> = own.map(|line| line.text).collect();
    let words = format!("{line}\n{}", own.join("\n"));
    without_closing(&words, name) == line && is_asked_for(line, asked)
}

/// Returns true for a line that a question asks for. An offer may stand behind a move.
fn is_asked_for(written: &str, asked: &[String]) -> bool {
    let is_it = |asked: &String| asked == written || asked.ends_with(&format!(". {written}"));
    asked.iter().any(is_it) && !written.contains('(')
}

/// Returns the place of the first line of a text in which all words are quoted, if that is a move, and
/// nothing but a quotation stands below.
#[must_use]
pub fn quoted_move(lines: &[&str]) -> Option<usize> {
    if !are_quoted(lines) {
        return None;
    }
    let mut words = (0..lines.len()).filter(|at| !inner(lines[*at]).is_empty());
    let first = words.next()?;
    let text = inner(lines[first]);
    let is_quotation = |text: &str| text.starts_with('>') || names_author(text);
    let is_move = has_move_like(text) && Request::parse(text).is_none() && !is_quotation(text);
    // Below an attribution without a mark the quotation has one.
    let mut words = words
        .map(|at| lines[at])
        .take_while(|line| line.starts_with('>'));
    (is_move && words.all(|line| is_quotation(inner(line)))).then_some(first)
}

/// Returns what stands behind the quote mark of a line.
fn inner(line: &str) -> &str {
    line.strip_prefix('>').unwrap_or(line).trim()
}

/// The first lines with words, which an empty line, a rule, or a line with an order follows.
struct Top {
    start: usize,
    end: usize,
    /// True if there is a rule above them, and one directly below or the same behind empty lines.
    is_framed: bool,
    /// True if an empty line follows, behind a rule or not.
    is_parted: bool,
    /// The start of the lines with words below.
    below: usize,
}

fn top(lines: &[&str]) -> Option<Top> {
    let empty = |from: usize| {
        let lines = lines[from..].iter();
        lines.take_while(|line| line.trim().is_empty()).count()
    };
    let rule = |at: usize| {
        lines
            .get(at)
            .map(|line| line.trim())
            .filter(|line| is_rule(line))
    };
    let above = empty(0);
    let upper = rule(above);
    let start = upper.map_or(above, |_| above + 1 + empty(above + 1));
    let words = lines[start..].iter();
    let words = words.take_while(|line| !is_apart(line) && !is_order(line));
    let end = start + words.count();
    // A second rule may be the first mark of a quotation, and so may another one behind a gap.
    let behind = end + empty(end);
    let lower = if rule(end).is_some() {
        Some(end)
    } else {
        upper.filter(|_| rule(behind) == upper).map(|_| behind)
    };
    let from = lower.map_or(end, |lower| lower + 1);
    let gap = empty(from);
    let ends = gap > 0 || lower.is_some() || lines.get(end).is_some_and(|line| is_order(line));
    (end > start && ends).then_some(Top {
        start,
        end,
        is_framed: upper.is_some() && lower.is_some(),
        is_parted: gap > 0,
        below: from + gap,
    })
}

/// Returns true for a line with nothing but a move, with its number or without, or an order.
fn is_order(line: &str) -> bool {
    let is_number = |word: &str| word.trim_end_matches('.').parse::<u32>().is_ok();
    let mut words = line.split_whitespace().skip_while(|word| is_number(word));
    let is_move = words.next().is_some_and(has_move_like) && words.next().is_none();
    is_move || Request::parse(line).is_some()
}

/// Returns true if there are words, and all of them are quoted or say whose the quotation is.
fn are_quoted(lines: &[&str]) -> bool {
    let mut words = lines.iter().filter(|line| !line.trim().is_empty());
    lines.iter().any(|line| line.starts_with('>'))
        && words.all(|line| line.starts_with('>') || names_author(line))
}

/// Returns true for an attribution that a program writes. A person's sentence may end with a colon, too,
/// but seldom has an address or a date.
fn names_author(line: &str) -> bool {
    is_attribution(line) && has_source(line)
}

/// Returns true for a line without words, and for a rule.
fn is_apart(line: &str) -> bool {
    line.trim().is_empty() || is_rule(line)
}

/// Returns true for a line of one sign. Several signs may mark words: `%<----`
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_of = |sign: char| !sign.is_alphanumeric() && line.chars().all(|c| c == sign);
    let is_long = line.chars().count() >= SHORTEST_RULE || line == RULE_OF_HTML;
    is_long && line.chars().next().is_some_and(is_of)
}

/// Returns the name of a field as the lists have it.
fn name_of(field: &str) -> String {
    let name = field.split(':').next().unwrap_or_default();
    name.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

fn names_sender(text: &str) -> bool {
    let name = name_of(text);
    header_block::names_sender(text) || SENDERS.split(' ').any(|known| known == name)
}

/// Returns what stays of a line of a banner from one letter to the next: not the time, nor the
/// subject. Returns none for a line that may name somebody but the writer and us.
fn constant(text: &str, named: &Named) -> Option<String> {
    let Some((_, value)) = text.split_once(':') else {
        return (is_plain(text) && has_word_of_notice(text)).then(|| text.to_owned());
    };
    let name = name_of(text);
    let value = value.trim_matches(|c: char| c == '*' || c.is_whitespace());
    let are = |known: &[String]| {
        let mut all = addresses(value).peekable();
        all.peek().is_some() && all.all(|address| known.contains(&address))
    };
    if names_sender(text) {
        let named_by = |part: &str| {
            let words = |text: &str| -> Vec<String> {
                let words = text.split(|c: char| !c.is_alphanumeric());
                words.map(str::to_lowercase).collect()
            };
            let name = words(&named.name);
            let mut words = words(part).into_iter().filter(|word| !word.is_empty());
            part.contains('@') || words.all(|word| name.contains(&word))
        };
        let is_writers = are(&named.writer) && value.split_whitespace().all(named_by);
        is_writers.then(|| text.to_owned())
    } else if is_one(RECIPIENTS, &name) {
        let is_ours = are(&named.ours) || named.ours.contains(&value.to_lowercase());
        is_ours.then(|| text.to_owned())
    } else if is_one(TIMES, &name) {
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let is_short = value.chars().count() <= LONGEST_TIME;
        (digits > 2 && is_short && !value.contains(['@', '?'])).then_some(name)
    } else if is_one(SUBJECTS, &name) {
        (without_prefix(value) == without_prefix(&named.subject)).then_some(name)
    } else {
        (has_word_of_notice(&name) && is_plain(text)).then(|| text.to_owned())
    }
}

/// Returns true if a name or a word is one of these, which are in small letters.
fn is_one(known: &str, word: &str) -> bool {
    known.split(' ').any(|known| known == word)
}

fn has_word_of_notice(text: &str) -> bool {
    let words = text.to_lowercase();
    let mut words = words.split(|c: char| !c.is_alphabetic());
    words.any(|word| is_one(NOTICES, word))
}

/// Returns true for a line of a notice that is not its first.
fn is_of_notice(text: &str) -> bool {
    is_plain(text) && !text.contains([':', '：'])
}

/// Returns true for words that name nobody, are no order, and do not say who wrote those below.
fn is_plain(text: &str) -> bool {
    // A notice may be about `this message`.
    let mut words = text.to_lowercase();
    for message in MESSAGES.split(' ') {
        words = words.replace(message, "");
    }
    let end = text.trim_end();
    let is_salutation = end.ends_with(',') && end.split_whitespace().count() < 4;
    let has_marks = text.contains(['@', '>', '|']) || end.ends_with([':', '：']) || is_salutation;
    !has_marks && !tells_writing(&words) && !has_move_like(text) && Request::parse(text).is_none()
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
        _ => subject.trim(),
    }
}

fn signs(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Named, fingerprint, undoubted, unquoted, without_repeated};
    use crate::notation::reader::pasted;

    /// What is left of a letter of Ben's in answer to a question about the same letter.
    fn left(text: &str) -> Option<String> {
        left_of(text, text)
    }

    fn left_of(first: &str, answer: &str) -> Option<String> {
        let named = Named {
            writer: vec!["ben@example.org".to_owned()],
            name: "Ben Black".to_owned(),
            ours: vec!["ref@example.org".to_owned(), "ref".to_owned()],
            subject: "Re: AW: [m] Anna - Ben".to_owned(),
        };
        let known = fingerprint(&pasted(first), &named)?;
        without_repeated(answer, &known, &named, &["1... n>g5".to_owned()])
    }

    const BANNER: &str =
        "Warning: this message is from outside.\nSender: ben@example.org\n--------------------\n";

    #[test]
    fn the_same_lines_above_two_letters_are_no_part_of_the_second() {
        for top in [
            BANNER,
            "From: Ben <ben@example.org>\nSent: 20.11.2026\nTo: Ref\nSubject: RE: [m] Anna - Ben\n",
            "External message\nFrom: Ben <ben@example.org>\nSent: Sunday, 29 November 2026 12:30\n",
            "*From:* ben@example.org\n*To:* ref@example.org\n*Date:* 2026-11-20\n",
            "----\nCAUTION: this message comes from outside. Do not click links\nunless you know the sender.\n----\n",
            "---\nThis mail is from outside of Example\n---\n",
            "____\n*** [CAUTION: external e-mail] ***\n____\n",
            "____\nACHTUNG: Diese Nachricht kommt von außen. Bitte keine Links öffnen,\nund keine Anhänge.\n____\n",
            "____\nEXTERNAL EMAIL: Use caution.\n____\n",
            "---\n\nThis mail is from outside of Example\n\n---\n",
        ] {
            let count = top.lines().count() + 1;
            let expected = "\n".repeat(count) + "n>g5\n";
            assert_eq!(left(&format!("{top}\nn>g5\n")), Some(expected), "{top}");
        }
    }

    #[test]
    fn the_time_may_differ_and_nothing_else() {
        let first =
            "*From:* Ben <ben@example.org>\n*Sent:* Friday, 20 November 2026 05:00\n*To:* Ref\n";
        let second = first.replace("05:00", "06:00");
        let left =
            |second: &str| left_of(&format!("{first}\nn>g5\n"), &format!("{second}\nn>g5\n"));
        assert_eq!(left(&second).as_deref(), Some("\n\n\n\nn>g5\n"));
        for other in [
            second.replace(
                "Friday, 20 November 2026 06:00",
                "only if she takes my rook",
            ),
            second.replace("06:00", "06:00, if you come?"),
            second.replace("*To:* Ref\n", ""),
            second.replace("*To:* Ref", "Warning: I am ill"),
        ] {
            assert_eq!(left(&other), None, "{other}");
        }
    }

    /// Each would be played, or lost, if it were taken for a banner.
    #[test]
    fn words_and_what_is_sent_on_stay() {
        for top in [
            "Hello Anna,\n",
            "My new number is 030 1234.\n\nWhere: Main Street\nWhen: Friday\n",
            "Hello, I am ill.\n--------------------\n",
            "--------------------\nForwarded by Carl, on Friday\n--------------------\n",
            "Anna <anna@example.org> wrote:\n",
            "From: Anna <anna@example.org>\nSent: 20.11.2026\nTo: Ref\n",
            "From: Benita <benita@x.test>\nSent: 20.11.2026\nTo: Ref\n",
            "From: Carl\nTo: ben@example.org\nDate: 20.11.2026\n",
            "FROM: Annie\nTO: ben@example.org\nSUBJECT: my plan\n",
            "Saatja: Annie\nSaaja: ben@example.org\nTeema: idee\n",
            "From: ben@example.org\nOn behalf of: Carl\nTo: Ref\n",
            "From: ben@example.org\nTo: Carl\nDate: 20.11.2026\n",
            "From: Be <ben@example.org>\nDate: 20.11.2026\nTo: Ref\n",
            "From: ben@example.org on behalf of Carl\nDate: 20.11.2026\nTo: Ref\n",
            "From: ben@example.org\nOnly if Anna agrees: [m] Anna - Ben\nTo: Ref\n",
            "From: ben@example.org\nTo: Ref\nSubject: hello\n",
            "---------- Forwarded message ---------\nFrom: ben@example.org\nTo: Ref\nDate: 20.11.2026\n",
            "Hi!\nFrom: ben@example.org\nTo: Ref\nDate: 20.11.2026\n",
            "Hi! My new address:\nMail: ben@example.org\nPhone: 030 1234\n",
            "> From: ben@example.org\n> To: Ref\n> Date: 20.11.2026\n",
            "From: ben@example.org\nWarning: n>g5\nTo: Ref\n",
            "***\nSender: ben@example.org\nTo: Ref\nDate: 20.11.2026\n",
            "-----\nAttention: Anna wrote:\n-----\n",
            "-----\nAttention, Anna wrote this\n-----\n",
            "-----\nExternal mail\nForwarded by Carl, on Friday\n-----\n",
            "-----\nExternal mail\nOriginal Message\n-----\n",
            "-----\nExternal mail\nFrom: Carl\n-----\n",
            "-----\nExternal mail\ncarl@example.org\n-----\n",
            "-----\nExternal mail\n> Hi\n-----\n",
            "-----\nExternal mail\nCarl,\n-----\n",
            "-----\nВнимание\nОт：Carl\n-----\n",
            "-----\nExternal mail\nFrom:Carl\n-----\n",
            "    -----\n    External mail\n    > Carl\n    -----\n",
            "-----\nI am ill today\n-----\n",
            "-----\nExternal mail\nresign\n-----\n",
            "-----Original Message-----\nExternal mail\n-----\n",
            "External mail\n-----\n",
        ] {
            let text = format!("{top}\nn>g5\n");
            assert_eq!(left(&text), None, "{text}");
        }
        // A notice between rules goes only above the line that was asked for, and with no other rule:
        // each of these was done.
        let framed = "-----\nCAUTION: external mail\n-----\n";
        let first = format!("{framed}\nMaybe n>g5, what do you think?\n");
        for below in [
            "-----\nresign\n-----\nThat is what Carl says.\n",
            "-----\nn>g5\n",
            "resign\n",
            "n>g5\n\nThat is what Carl says.\n",
            "Carl found this:\nn>g5\n",
        ] {
            let answer = format!("{framed}\n{below}");
            assert_eq!(left_of(&first, &answer), None, "{answer}");
        }
        let divided = "-----\nCAUTION: external mail\n\n________________\nn>g5\n";
        assert_eq!(left(divided), None);
        let fields = "Warning: from outside\nSender: ben@example.org\n\n";
        let quoted = "-----\nresign\n-----\nThat is what Carl says.\n";
        let expected = format!("\n\n\n{quoted}");
        assert_eq!(left(&format!("{fields}{quoted}")), Some(expected));
        // Words may go on in the same paragraph, and an order that stands alone does not.
        let fields = BANNER.trim_end_matches("-\n").trim_end_matches('-');
        assert_eq!(left(&format!("{fields}if you like: n>g5\n")), None);
        for top in [fields, BANNER] {
            let expected = "\n".repeat(top.lines().count()) + "n>g5\n";
            assert_eq!(left(&format!("{top}n>g5\n")), Some(expected));
        }
        for below in [
            "My words.\n\nn>g5\n",
            "if you like it\n\nn>g5\n",
            "-- \nn>g5\n",
            // Went wrong: the first mark of a quotation went with the rules of the banner.
            "%<-----\nn>g5\n-----%<\n",
        ] {
            let expected = format!("\n\n\n\n{below}");
            let text = format!("{BANNER}\n{below}");
            assert_eq!(left(&text), Some(expected), "{below}");
        }
    }

    #[test]
    fn a_mark_is_taken_off_the_line_that_was_asked_for_alone() {
        let asked = ["2... n>g5", "n>g5 (=)", "resign"].map(str::to_owned);
        for (text, expected) in [
            ("> n>g5\n", Some("n>g5\n")),
            ("> 2... n>g5\n>\n> > Hi\n", Some("2... n>g5\n>\n> > Hi\n")),
            (
                "> n>g5\n\nAnna <a@b.test> wrote:\n> Hi\n",
                Some("n>g5\n\nAnna <a@b.test> wrote:\n> Hi\n"),
            ),
            ("> n>g5\n\nNo, forget what I wrote:\n> Hi\n", None),
            ("> n>g5\n> No, forget what I wrote:\n> > Hi\n", None),
            ("> n>g5 (=)\n", None),
            ("> n>g5\n>\n> > Hi\n>\n> I do not want that.\n", None),
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
    fn words_below_an_attribution_are_not_the_writer_s() {
        let attribution = "On 20 Nov 2026, Anna <anna@example.org> wrote:\n\n";
        let named = Named {
            writer: Vec::new(),
            name: String::new(),
            ours: Vec::new(),
            subject: String::new(),
        };
        let of = |text: &str| fingerprint(&pasted(text), &named);
        assert_eq!(of("> n>g5\n").as_deref(), Some(">"));
        assert_eq!(of(&format!("{attribution}> n>g5\n")), None);
    }

    #[test]
    fn the_doubt_goes_off_the_line_that_was_asked_for_alone() {
        let asked = ["2... n>g5", "resign"].map(str::to_owned);
        for (text, expected) in [
            (
                "n>g5\u{fdd1}\nBen\u{fdd1}\n> Hi\n",
                Some("n>g5\nBen\u{fdd1}\n> Hi\n"),
            ),
            ("\n2... n>g5\u{fdd1}\n", Some("\n2... n>g5\n")),
            ("n>f6\u{fdd1}\n", None),
            ("resign\u{fdd1}\n", Some("resign\n")),
            (
                "resign\u{fdd1}\n\nAnna <a@b.test> wrote:\u{fdd1}\n> Hi\n",
                Some("resign\n\nAnna <a@b.test> wrote:\u{fdd1}\n> Hi\n"),
            ),
            ("resign\u{fdd1}\nnever\u{fdd1}\n", None),
            ("n>g5\u{fdd1}\n\nNo, I only quote him.\n", None),
            (
                "resign\u{fdd1}\n\nBen\u{fdd1}\nSent from my iPhone\u{fdd1}\n",
                Some("resign\n\nBen\u{fdd1}\nSent from my iPhone\u{fdd1}\n"),
            ),
            ("Hi\nn>g5\u{fdd1}\n", Some("Hi\nn>g5\n")),
            (
                "Hi Anna,\u{fdd1}\n\nn>g5\u{fdd1}\n",
                Some("Hi Anna,\u{fdd1}\n\nn>g5\n"),
            ),
            ("Carl says\nn>g5\u{fdd1}\n", None),
            ("> n>g5\u{fdd1}\n", None),
            ("n>g5\n", None),
            ("", None),
        ] {
            assert_eq!(
                undoubted(text, &asked, "Ben").as_deref(),
                expected,
                "{text}"
            );
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
