//! Extracts the sender's words for the other player: a message without its moves,
//! commands and boards, and without what would prove who sent it.

use std::array;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use lettre::Address;

use crate::Error;
use crate::inbound::answer_form::AnswerForm;
use crate::inbound::{condition, own_html, request};
use crate::limits::NAMED;
use crate::mail::quoting::attribution;
use crate::mail::quoting::line::{Author, Line, Typed};
use crate::match_id::Id;
use crate::matches::action::Request;
use crate::matches::codes::{AnswerCode, codes_of};
use crate::matches::event::LogEntry;
use crate::matches::mail_id::{self, MailIds};
use crate::matches::r#match::Match;
use crate::notation::header::IdLine;
use crate::notation::moves::Manner;
use crate::notation::reader::{ParsedText, PartKind};
use crate::store::store::{Store, Stored};

/// The most characters that are passed on. A longer text is cut.
pub const LONGEST: usize = 4000;

/// Stands in place of words that were cut.
const CUT: &str = "[…]";

/// Returns the sender's own words in a message. Returns an empty text if there are
/// none, or if a program wrote the message. `forms` are the answers in it that our links
/// have begun, which are no words. A condition is not talk either, since its reader would know the
/// answer to a move before making it.
pub fn of(text: &ParsedText<'_>, id_lines: &[IdLine], forms: &[&AnswerForm]) -> String {
    let own = id_lines.iter().filter(|line| line.author == Author::Own);
    let of_forms = forms.iter().filter(|form| {
        let [id_line, _] = form.lines();
        text.lines[id_line].author == Author::Own
    });
    if own.count() > of_forms.count() {
        return String::new();
    }
    let is_talk = |at: usize| {
        let is_word = || request::command(&text.lines, at).is_none_or(|it| it == Request::Note);
        text.lines[at].author.may_be_own() && is_word()
    };
    let mut is_talk: Vec<bool> = (0..text.lines.len()).map(is_talk).collect();
    for part in &text.parts {
        let talks = match &part.kind {
            PartKind::Header(_) | PartKind::Gap(_) => true,
            PartKind::Moves(moves) => {
                let has_words = |tail: &str| tail.contains(char::is_alphabetic);
                matches!(moves.manner, Manner::Prose | Manner::Named(_))
                    || moves.entries.iter().any(|entry| has_words(&entry.tail))
            }
            PartKind::Heading
            | PartKind::Diagram(_)
            | PartKind::BadDiagram(_)
            | PartKind::Surplus(_) => false,
        };
        if !talks {
            is_talk[part.lines.clone()].fill(false);
        }
    }
    for at in forms.iter().flat_map(|form| form.lines()) {
        is_talk[at] = false;
    }
    for (is_talk, is_condition) in is_talk.iter_mut().zip(condition::find(&text.lines)) {
        *is_talk &= !is_condition;
    }
    let mut above = None;
    for (at, line) in text.lines.iter().enumerate() {
        if matches!(
            line.author,
            Author::Quoted(_) | Author::Carried | Author::Program
        ) && let Some(last) = above
        {
            take_attribution(&text.lines[..=last], &mut is_talk[..=last]);
        }
        if !line.is_blank() {
            above = Some(at);
        }
    }
    let mut words: Vec<&str> = text
        .lines
        .iter()
        .zip(is_talk)
        .filter(|(_, is_talk)| *is_talk)
        .map(|(line, _)| request::noted(line.text).unwrap_or(line.text.trim_end()))
        .collect();
    words.dedup_by(|next, last| next.is_empty() && last.is_empty());
    // What stood apart in the letter, and is left beside each other, may look like our mail.
    let words = own_html::without(words.join("\n"));
    cut(words.trim_matches('\n'))
}

/// Returns the words that a player's own copy of this program has put into a mail: below a
/// line that ends in `writes:`, in quote marks. Nothing else in such a mail is quoted.
#[must_use]
pub fn of_program(text: &str) -> String {
    let mut lines = text.lines().map(str::trim_end);
    if !lines.any(|line| line.ends_with("writes:")) {
        return String::new();
    }
    let quoted = lines.skip_while(|line| line.is_empty());
    let quoted = quoted.map_while(|line| line.strip_prefix('>'));
    let words: Vec<&str> = quoted
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let words = own_html::without(words.join("\n"));
    cut(words.trim_matches('\n'))
}

/// Takes what is quoted out of the lines of a mail that a copy of this program has made: it is
/// somebody's words, and must be read as nothing else. What stands below is the program's own
/// again, whatever those words look like.
pub fn remove_quoted(lines: &mut [Line<'_>]) {
    let is_words = |line: &Line<'_>| line.source.starts_with('>');
    let begins = |at: &usize| {
        let mut below = lines[at + 1..].iter().filter(|line| !line.is_blank());
        lines[*at].source.trim_end().ends_with("writes:") && below.next().is_some_and(is_words)
    };
    let start = (0..lines.len()).find(begins);
    for (at, line) in lines.iter_mut().enumerate() {
        let is_below = start.is_some_and(|start| at > start);
        let is_quoted = is_words(line) || !is_below && line.author.depth() > 0;
        if is_quoted || start == Some(at) {
            line.text = &line.text[..0];
            line.author = Author::Boilerplate;
        } else if is_below {
            (line.text, line.column) = (line.source, 1);
            (line.author, line.typed) = (Author::Own, Typed::No);
        }
    }
}

/// Removes the attribution above a quotation, `On Friday, Anna wrote:`, in one or two
/// lines, or a rule.
fn take_attribution(above: &[Line<'_>], is_talk: &mut [bool]) {
    let last = above.len() - 1;
    if !is_talk[last] {
        return;
    }
    let text = above[last].text.trim_end();
    let count = if text.contains(char::is_alphanumeric) {
        attribution::lines_at_end(above)
    } else {
        1
    };
    is_talk[above.len() - count..].fill(false);
}

fn cut(words: &str) -> String {
    match words.char_indices().nth(LONGEST) {
        None => words.to_owned(),
        Some((end, _)) => format!("{}\n{CUT}", &words[..end]),
    }
}

/// Returns a sender's words for the other player without pieces of the Message-IDs and the
/// codes of their match, and of the Message-IDs of others. `wait` is called before other
/// matches are read.
///
/// # Errors
///
/// If the store cannot tell now which matches they may be of. Then the words must not be
/// passed on.
pub(crate) fn passed_on(
    store: &dyn Store,
    wait: impl FnOnce(),
    mail_ids: &MailIds,
    sender: Option<&Address>,
    words: String,
    game: &Match,
) -> Result<String, Error> {
    let others = matches_told_of(store, wait, sender, &words)?;
    let logs = others.iter().map(|stored| stored.game.log());
    let codes = || {
        let mut codes = codes_of(game.log(), mail_ids);
        codes.extend(mail_ids.unsubscribe_codes(game));
        codes
    };
    let logs = logs.chain([game.log()]);
    let is_code = |code: &AnswerCode| mail_ids.has_made_code(code);
    Ok(without_secrets(words, logs, codes, is_code))
}

/// Returns the matches of which words may have a piece of a Message-ID: those of the words'
/// sender, whose program knows the mails it got, and those whose ids stand in the words.
/// Returns none for words without anything like a piece.
///
/// The match in which the words came is the caller's to add.
fn matches_told_of(
    store: &dyn Store,
    wait: impl FnOnce(),
    sender: Option<&Address>,
    words: &str,
) -> Result<Vec<Stored>, Error> {
    if !may_have_tokens(words) {
        return Ok(Vec::new());
    }
    wait();
    let mut matches = match sender {
        Some(sender) => store.by_address(sender)?.matches,
        None => Vec::new(),
    };
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.');
    let ids = words.split(is_between).filter_map(|word| {
        let (id, _) = word.split_once('.')?;
        id.to_ascii_lowercase().parse::<Id>().ok()
    });
    let ids: BTreeSet<Id> = ids.collect();
    let mut named = 0;
    for id in &ids {
        match store.find(id) {
            Ok(Some(stored)) => {
                matches.push(stored);
                named += 1;
                if named == NAMED {
                    break;
                }
            }
            Err(error) if error.is_transient() => return Err(error),
            // A damaged match has no mail that could be known.
            Ok(None) | Err(_) => {}
        }
    }
    Ok(matches)
}

/// The number of digits of a token that are recognised wherever they stand.
const PIECE: usize = 8;

/// Returns true if words have as many digits of a token as are recognised.
fn may_have_tokens(words: &str) -> bool {
    let digits: Vec<u8> = digits(words).map(|(digit, _)| digit).collect();
    let mut pieces = digits.windows(PIECE);
    pieces.any(|piece| piece.iter().all(u8::is_ascii_hexdigit))
}

/// Returns the letters and digits of words, each with its place: the rest is what wraps
/// and marks.
fn digits(words: &str) -> impl Iterator<Item = (u8, Range<usize>)> {
    words.char_indices().filter_map(|(at, c)| {
        let digit = plain_digit(c)?;
        Some((digit, at..at + c.len_utf8()))
    })
}

/// Replaces what is left of the tokens in the Message-IDs of our mails, and of answer
/// codes, wherever a program has wrapped them, marked them or changed their case. A
/// player's program writes tokens above what it quotes, and whoever reads one can pass
/// for that player. The codes are asked for only where the words may have a piece of one.
/// `is_code` knows the whole codes of all matches.
fn without_secrets<'l>(
    words: String,
    logs: impl IntoIterator<Item = &'l [LogEntry]>,
    codes: impl FnOnce() -> Vec<AnswerCode>,
    is_code: impl Fn(&AnswerCode) -> bool,
) -> String {
    let digits: Vec<(u8, Range<usize>)> = digits(&words).collect();
    if digits.len() < PIECE {
        return words;
    }
    let codes = codes();
    let mut pieces: HashMap<[u8; PIECE], Vec<usize>> = HashMap::new();
    for (start, window) in digits.windows(PIECE).enumerate() {
        let is_hex = || window.iter().all(|(byte, _)| byte.is_ascii_hexdigit());
        if !codes.is_empty() || is_hex() {
            let piece = array::from_fn(|i| window[i].0);
            pieces.entry(piece).or_default().push(start);
        }
    }
    let mut is_secret = vec![false; words.len()];
    let ids = logs
        .into_iter()
        .flatten()
        .filter_map(|event| event.get("msg"));
    let tokens = ids.filter_map(mail_id::token).map(ToOwned::to_owned);
    let codes = codes.iter().map(ToString::to_string);
    for secret in tokens.chain(codes) {
        for window in secret.as_bytes().windows(PIECE) {
            let piece = array::from_fn(|i| window[i].to_ascii_lowercase());
            for start in pieces.remove(&piece).unwrap_or_default() {
                let (first, last) = (&digits[start].1, &digits[start + PIECE - 1].1);
                is_secret[first.start..last.end].fill(true);
            }
        }
    }
    // The codes of the writer's other matches.
    for window in digits.windows(AnswerCode::LENGTH) {
        let text = window.iter().map(|(digit, _)| char::from(*digit));
        let code = text.collect::<String>().parse();
        if code.is_ok_and(|code| is_code(&code)) {
            is_secret[window[0].1.start..window[AnswerCode::LENGTH - 1].1.end].fill(true);
        }
    }
    if !is_secret.contains(&true) {
        return words;
    }
    let mut kept = String::with_capacity(words.len());
    let mut is_cut = false;
    // A word that has a piece goes as a whole, and so does what stands between pieces.
    for word in words.split_inclusive(char::is_whitespace) {
        let start = word.as_ptr() as usize - words.as_ptr() as usize;
        let bare = word.trim_end();
        let has_piece = is_secret[start..start + word.len()].contains(&true);
        if !has_piece {
            kept.push_str(word);
        } else if !is_cut {
            kept.push_str(CUT);
            kept.push_str(&word[bare.len()..]);
        }
        is_cut = has_piece;
    }
    kept
}

/// Returns a letter or digit of ASCII in its plain form: small, and not of full width.
fn plain_digit(c: char) -> Option<u8> {
    let wide = u32::from(c).checked_sub(0xFF01 - 0x21);
    let narrow = wide.filter(|code| (0x21..0x7F).contains(code));
    let byte = u8::try_from(narrow.unwrap_or(c.into())).ok()?;
    byte.is_ascii_alphanumeric()
        .then(|| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::quoting::sent::Sent;
    use crate::matches::event::Event;
    use crate::matches::mail::MailStep;
    use crate::notation::header;
    use crate::notation::reader::{self, classify};
    use crate::rules::Variant;

    fn of_body(body: &str) -> String {
        let lines = classify(body, &Sent::nothing());
        let text = reader::read_lines(lines, &Variant::find("unachess", &[]).unwrap());
        of(&text, &header::id_lines(&text.lines), &[])
    }

    #[test]
    fn words_are_kept_and_the_rest_is_not() {
        for (body, expected) in [
            ("n>g5\n", ""),
            ("Hello Anna,\n\nn>g5\n\nBye\n", "Hello Anna,\n\nBye"),
            ("1... n>g5, your move\n", "1... n>g5, your move"),
            ("n>g5\n-- \nBlack\n", ""),
            ("I resign.\nGood game!\n", "Good game!"),
            ("n>f6 was an idea\n", "n>f6 was an idea"),
            ("> 1. P>e3\n\nThanks\n", "Thanks"),
            ("Hi\n\nOn Friday, Anna wrote:\n> 1. P>e3\n", "Hi"),
            (
                "Hi\n\nOn Friday the twentieth of November,\nAnna <a@b.test> wrote:\n\n> 1. P>e3\n",
                "Hi",
            ),
            ("Hi\n____\n> 1. P>e3\n", "Hi"),
            ("Hi\n\nGame g7, 1 half-move made.\n", ""),
            ("n>g5\nif B>f4 then n-e6\nor so\n\nBye\n", "Bye"),
            (
                "If B>f4\nnote if B>f4 then n-e6\nthen n-e6\n",
                "if B>f4 then n-e6",
            ),
        ] {
            assert_eq!(of_body(body), expected, "{body:?}");
        }
    }

    #[test]
    fn a_word_with_a_piece_of_a_token_goes_and_the_others_stay() {
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let id = "<m.7.0123456789abcdef0123@example.org>";
        let owed = Event::Mail(MailStep::Owed, None);
        let log = [LogEntry::new(time, owed, crate::rules::Color::White).key("msg", Some(id))];
        let codes: [AnswerCode; 1] = ["abcdefgh234567ab".parse().unwrap()];
        let is_code = |code: &AnswerCode| code.to_string() == "zzzzyyyyxxxxwwww";
        let without =
            |words: &str| without_secrets(words.to_owned(), [&log[..]], || codes.to_vec(), is_code);
        for (words, expected) in [
            ("", ""),
            ("Hello, deadbeef!", "Hello, deadbeef!"),
            (
                "In message\n<m.7.0123456789ABCDEF0123@x>,\nAnna:",
                "In message\n[…]\nAnna:",
            ),
            ("it is 01234567 89abcdef 0123.", "it is […] "),
            ("é ０１２３４５６７８９ａｂｃ é", "é […] é"),
            ("0 1 2 3 4 5 6 7, 5 6 7 8", "[…] 5 6 7 8"),
            ("0 1 2 3 4 5 6 8", "0 1 2 3 4 5 6 8"),
            ("my ABCDEFGH-234567ab!", "my […]"),
            ("it ends in gh23\n4567ab.", "it ends in […]\n"),
            ("abcdefg h", "[…] "),
            ("x%252CZZZZ-yyyyxxxx wwww", "[…] "),
            ("ZZZZ-yyyyxxxx", "ZZZZ-yyyyxxxx"),
        ] {
            assert_eq!(without(words), expected, "{words:?}");
        }
    }

    #[test]
    fn the_words_of_a_program_are_those_in_its_quote_marks() {
        let mail = |words: &str| {
            format!(
                "Anna (White) has played 1. P>e3.\n\nresign\n\nAnna writes:\n\n{words}\n\nIt is your move, Black.\n\n> no words\n"
            )
        };
        assert_eq!(of_program(&mail("> Hi\n>\n> resign")), "Hi\n\nresign");
        assert_eq!(of_program(&mail("> > n>g5")), "> n>g5");
        assert_eq!(of_program(&mail("")), "");
        assert_eq!(of_program("> Hi\n"), "");
    }

    #[test]
    fn endless_talk_is_cut() {
        let talk = of_body(&"blah ".repeat(LONGEST));
        assert_eq!(talk.chars().count(), LONGEST + 4);
    }
}
