//! Commands by mail, each alone on its line, and the letter by which a mail program
//! unsubscribes its user.
//!
//! A line break that a mail program may have inserted ends nothing. `stands_alone` says, for moves
//! and commands alike, whether a line may be a piece of a sentence.
//!
//! Our mails name that letter in `List-Unsubscribe` (RFC 2369). A program sends it on one
//! click, with an empty body or with words of its own, and cites nothing, so that its subject
//! has to say everything.

use std::ops::Range;

use lettre::Address;
use unicode_width::UnicodeWidthStr as _;

use crate::mail::quoting::line::{Author, Line};
use crate::mail::quoting::wrapped_line::is_open;
use crate::match_id::Id;
use crate::matches::action::{Action, Request};
use crate::matches::codes::AnswerCode;
use crate::matches::mail::MailWish;
use crate::notation::header;

impl Request {
    /// Parses a line that is a command and nothing else. Accepts `I` before it, an
    /// article and a full stop, but no question mark. A command that only asks for
    /// something may stand in the quote marks that our mails put around it.
    pub fn parse(line: &str) -> Option<Request> {
        if noted(line).is_some() {
            return Some(Request::Note);
        }
        let line = line.trim_matches(|c: char| c.is_whitespace() || is_isolate(c));
        if let Some(address) = added(line) {
            return Some(Request::AddAddress(address));
        }
        let marks = ['"', '\u{201c}', '\u{201d}', '\u{201e}'];
        if let Some(line) = line.strip_prefix(marks) {
            let line = line.trim_end_matches(['.', '!']).strip_suffix(marks)?;
            return Request::unquoted(line).filter(Request::is_question);
        }
        Request::unquoted(line)
    }

    fn unquoted(line: &str) -> Option<Request> {
        let line = line.trim_end_matches(['.', '!']).to_lowercase();
        let line = line.replace("take back", "takeback");
        let line = line.replace("take-back", "takeback");
        let words: Vec<&str> = line.split_whitespace().collect();
        let words = words.strip_prefix(&["i"]).unwrap_or(&words);
        let (verb, object) = match words {
            ["show", plies] => return Some(Request::Show(Some(plies.parse().ok()?))),
            ["puzzles", "weekly"] => return Some(Request::Mail(MailWish::PuzzlesWeekly)),
            ["puzzles", "off"] => return Some(Request::Mail(MailWish::PuzzlesOff)),
            ["mail", "puzzles", ..] => return None,
            ["mail", wish @ ..] => return MailWish::from_word(&wish.join(" ")).map(Request::Mail),
            ["no", "news"] => return Some(Request::Mail(MailWish::NewsOff)),
            [verb] => (*verb, ""),
            [verb, object] | [verb, "a" | "the" | "your", object] => (*verb, *object),
            _ => return None,
        };
        Some(match (verb, object) {
            ("show", "") => Request::Show(None),
            ("help", "") => Request::Help,
            ("rules", "") => Request::Rules,
            ("legal", "" | "moves") => Request::Legal,
            ("rematch", "") => Request::Rematch,
            ("decline" | "declines", "") => Request::Decline,
            ("resign" | "resigns", "match" | "game") => Request::ResignMatch,
            _ => {
                let verb = verb.strip_suffix('s').unwrap_or(verb);
                Request::Act(Action::of_command(verb, object)?)
            }
        })
    }
}

/// Returns true for a mark that some programs put around a text in another script.
fn is_isolate(c: char) -> bool {
    matches!(c, '\u{2066}' | '\u{2068}' | '\u{2069}')
}

/// The words that mean yes, in small letters.
const YES: [&str; 4] = ["yes", "ja", "oui", "ok"];

/// Returns true if a text is a word that means yes, with or without a full stop.
pub(super) fn is_yes(text: &str) -> bool {
    let word = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    YES.contains(&word.as_str())
}

/// Returns what the writer of a text wishes about the mail of the match, if it says that.
pub fn mail_wish(lines: &[Line<'_>]) -> Option<MailWish> {
    let own = (0..lines.len()).filter(|at| lines[*at].author == Author::Own);
    own.rev().find_map(|at| match command(lines, at) {
        Some(Request::Mail(wish)) => Some(wish),
        _ => None,
    })
}

/// Returns the command of a line that stands alone. Below a note the lines go on with it.
pub(super) fn command(lines: &[Line<'_>], at: usize) -> Option<Request> {
    let command = Request::parse(lines[at].text)?;
    let is_apart = match command {
        Request::Note => is_note(lines, at),
        _ => stands_alone(lines, at..at + 1),
    };
    is_apart.then_some(command)
}

/// Returns true if a line begins a note, and not by chance as a piece of a sentence.
pub(super) fn is_note(lines: &[Line<'_>], at: usize) -> bool {
    let is_wrapped = |above: usize| may_be_wrapped(&lines[above], &lines[at], width_at(lines, at));
    noted(lines[at].text).is_some() && !at.checked_sub(1).is_some_and(is_wrapped)
}

/// The most columns of a tab.
const TAB: usize = 8;

/// The least columns at which mail programs wrap lines.
pub(super) const NARROWEST: usize = 60;

/// Returns true if no mail program can have inserted the line breaks above and below these lines.
/// Then they are not a piece of a sentence.
pub(super) fn stands_alone(lines: &[Line<'_>], range: Range<usize>) -> bool {
    let last = range.end - 1;
    let above = range.start.checked_sub(1);
    let below = lines.get(range.end);
    let width = width_at(lines, range.start);
    !above.is_some_and(|above| may_be_wrapped(&lines[above], &lines[range.start], width))
        && !below.is_some_and(|below| may_be_wrapped(&lines[last], below, width))
        && !may_be_spaced(lines, range.start)
}

/// The most lines above and below an order that show the width of a letter.
const MOST_AROUND: usize = 40;

/// The least columns of a longest line at which a letter may be wrapped. The rows of a list are shorter.
const LEAST_WIDTH: usize = 30;

/// The least breaks within sentences that show that a program has wrapped a letter at its longest line.
const LEAST_BREAKS: usize = 3;

/// Returns the columns that a line and the next word have at least where a program has wrapped it:
/// [`NARROWEST`], or fewer where the lines around show that the letter is wrapped more narrowly.
fn width_at(lines: &[Line<'_>], at: usize) -> usize {
    let end = lines.len().min(at + MOST_AROUND);
    let around = &lines[at.saturating_sub(MOST_AROUND)..end];
    let has_words = |line: &&Line<'_>| line.source.trim().contains(' ');
    let longest = around.iter().filter(has_words);
    let longest = longest.map(|line| columns(line.source)).max();
    let Some(longest) = longest.filter(|longest| (LEAST_WIDTH..NARROWEST).contains(longest)) else {
        return NARROWEST;
    };
    let is_break = |pair: &&[Line<'_>]| {
        is_open(pair[0].source)
            && !pair[1].is_blank()
            && columns(pair[0].source) + 1 + columns(first_word(&pair[1])) > longest
    };
    if around.windows(2).filter(is_break).count() < LEAST_BREAKS {
        return NARROWEST;
    }
    longest + 1
}

/// Returns the most columns that a program counts in a text. Some count characters, or bytes, and a tab
/// as up to eight columns.
fn columns(text: &str) -> usize {
    let text = text.trim_end();
    text.width().max(text.len()) + (TAB - 1) * text.matches('\t').count()
}

/// Returns the first word of a line. No program breaks a line at a no-break space.
fn first_word<'t>(line: &Line<'t>) -> &'t str {
    let mut words = line.text.trim_start().split([' ', '\t']);
    words.next().unwrap_or_default()
}

/// Returns true if a line may continue the sentence of a line above it beyond blank lines. Some
/// programs make a paragraph of each line. Then the two lines above it both stand alone between
/// blank lines and may be wrapped, and the last one does not end its sentence.
pub(super) fn may_be_spaced(lines: &[Line<'_>], at: usize) -> bool {
    // The line above, if blank lines separate it, and the line may continue it.
    let spaced_above = |at: usize| {
        let blanks = lines[..at].iter().rev().take_while(|line| is_gap(line));
        let above = at.checked_sub(blanks.count() + 1)?;
        let is_wrapped = || may_be_wrapped(&lines[above], &lines[at], NARROWEST);
        (above + 1 < at && lines[above].author.may_be_own() && is_wrapped()).then_some(above)
    };
    let Some(above) = spaced_above(at).filter(|above| !is_closed(lines[*above].text)) else {
        return false;
    };
    spaced_above(above).is_some_and(|first| first == 0 || is_gap(&lines[first - 1]))
}

/// Returns true for an empty line that stands outside quotations.
pub(super) fn is_gap(line: &Line<'_>) -> bool {
    line.is_blank() && line.author.depth() == 0
}

/// Returns true if a line ends a sentence. The number of a move does not: `2...`
fn is_closed(line: &str) -> bool {
    let text = line.trim_end();
    let last = text.rsplit(' ').next().unwrap_or_default();
    text.ends_with(['.', '!', '?', ':', '…']) && !last.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns true if a mail program may have wrapped `above`, so that `below` continues its sentence:
/// `above`, a blank and the first word of `below` have at least as many columns as `width`, the
/// narrowest line.
///
/// Three kinds of lines are never wrapped: a line in quote marks, a line of a mail that is known to
/// the word, and the foot of one of our mails as one paragraph.
pub(super) fn may_be_wrapped(above: &Line<'_>, below: &Line<'_>, width: usize) -> bool {
    let is_apart = |line: &Line<'_>| {
        !line.text.contains(char::is_alphanumeric)
            || !line.author.may_be_own() && (line.column > 1 || line.is_of_parent)
    };
    let is_foot = || {
        let text = above.text.trim_end();
        let (words, hash) = text.rsplit_once(' ').unwrap_or_default();
        let is_named = words.ends_with(", hash") || words.ends_with("Hash of the moves:");
        is_named && header::is_hash(hash.trim_end_matches('.'))
    };
    !is_apart(above)
        && !is_apart(below)
        && columns(above.source) + 1 + columns(first_word(below)) >= width
        && !is_foot()
}

/// Returns the address after the words `add address`, if there is nothing else. Some
/// programs put a link of their own behind it.
fn added(line: &str) -> Option<Address> {
    let mut words = line.split_whitespace();
    let is_next = |word: Option<&str>, known| word?.eq_ignore_ascii_case(known).then_some(());
    is_next(words.next(), "add")?;
    is_next(words.next(), "address")?;
    let rest = words.next()?;
    let (address, glued) = rest.split_once("<mailto:").unwrap_or((rest, ""));
    let address: Address = address
        .trim_matches(['<', '>', '"', '.', '!'])
        .parse()
        .ok()?;
    let links = words.chain([glued].into_iter().filter(|glued| !glued.is_empty()));
    for link in links {
        let target = link.trim_start_matches("<mailto:").trim_end_matches('>');
        is_next(Some(target), address.as_ref())?;
    }
    Some(address)
}

/// Returns the words after the command `note`, if the line is one.
pub(super) fn noted(line: &str) -> Option<&str> {
    let line = line.trim();
    let (word, words) = line.split_at_checked("note".len())?;
    let words = words.strip_prefix(':').unwrap_or(words);
    let is_note = word.eq_ignore_ascii_case("note")
        && words.starts_with(char::is_whitespace)
        && words.contains(char::is_alphanumeric);
    is_note.then_some(words.trim())
}

/// The words that stand behind the id of the match, and what they ask for.
const WORDS: [(&str, MailWish); 2] = [
    ("unsubscribe", MailWish::Off),
    ("puzzles-off", MailWish::PuzzlesOff),
];

/// A letter that asks for no more mail about a match, or for no more puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsubscribe {
    /// The code by which it proves its sender, if it has one.
    pub code: Option<AnswerCode>,
    /// What it asks for.
    pub wish: MailWish,
}

impl Unsubscribe {
    /// Reads a subject: `[ID] unsubscribe-CODE` or `[ID] puzzles-off-CODE`, with or without the
    /// code.
    pub fn read(subject: &str, id: &Id) -> Option<Unsubscribe> {
        let rest = subject.trim().strip_prefix('[')?;
        let rest = rest.strip_prefix(id.as_str())?.strip_prefix(']')?;
        let rest = rest.trim();
        let (wish, code) = WORDS.into_iter().find_map(|(word, wish)| {
            let (said, behind) = rest.split_at_checked(word.len())?;
            said.eq_ignore_ascii_case(word).then_some((wish, behind))
        })?;
        let code = match code.strip_prefix('-') {
            Some(code) => Some(code.parse().ok()?),
            None if code.is_empty() => None,
            None => return None,
        };
        Some(Unsubscribe { code, wish })
    }
}

#[cfg(test)]
mod tests {
    use super::{MailWish, NARROWEST, Unsubscribe, is_yes, may_be_wrapped, noted, stands_alone};
    use crate::mail::quoting::sent::Sent;
    use crate::matches::action::Action::*;
    use crate::matches::action::Request::{self, *};
    use crate::notation::reader::classify;

    /// Some programs count bytes, of which a letter of Cyrillic or Greek has two.
    #[test]
    fn a_line_may_be_wrapped_by_its_bytes() {
        let wrapped = |text: &str| {
            let lines = classify(text, &Sent::nothing());
            may_be_wrapped(&lines[0], &lines[1], NARROWEST)
        };
        for (text, is_wrapped) in [
            ("Долго думал и не знаю, что делать, друзья\nresign.", true),
            ("Привет, Анна!\nn>g5", false),
            ("Hello Anna, how are you?\nn>g5", false),
        ] {
            assert_eq!(wrapped(text), is_wrapped, "{text}");
        }
    }

    /// Went wrong: a sentence of a mail of ours that a program had wrapped at 42 columns offered a draw.
    #[test]
    fn a_letter_may_be_wrapped_more_narrowly_than_usual() {
        let text = "N>g3\n\nBen (Black) has played 2... r>a4 and\noffers a draw.\n\n\
            To play, reply with your move on a line of\nits own above the quotation,\n\
            with or without its number, which is 3.\nnow. Alone on a line you may write and\n\
            \"offer draw\", and you are asked what it\nmeans.\n";
        let is_alone = |text: &str| {
            let lines = classify(text, &Sent::nothing());
            let at = lines.iter().position(|line| line.text == "offers a draw.");
            let at = at.expect("the line");
            stands_alone(&lines, at..at + 1)
        };
        assert!(!is_alone(text));
        assert!(is_alone(&text.replace("r>a4 and", "r>a4,")));
        assert!(is_alone("Black has played 2... r>a4 and\noffers a draw.\n"));
    }

    #[test]
    fn a_command_stands_alone() {
        for (line, expected) in [
            ("resign", Act(Resign)),
            ("  I resign.  ", Act(Resign)),
            ("RESIGNS", Act(Resign)),
            ("offer draw", Act(OfferDraw)),
            ("I offer a draw", Act(OfferDraw)),
            ("Accept Draw!", Act(AcceptDraw)),
            ("I accept the draw.", Act(AcceptDraw)),
            ("decline draw", Act(DeclineDraw)),
            ("claim draw", Act(ClaimDraw)),
            ("show", Show(None)),
            ("show 12", Show(Some(12))),
            ("help", Help),
            ("rules", Rules),
            ("Rules.", Rules),
            ("legal", Legal),
            ("legal moves", Legal),
            ("\u{2068}legal\u{2069}", Legal),
            ("I propose a takeback.", Act(ProposeTakeback)),
            ("propose take-back", Act(ProposeTakeback)),
            ("Accept take back", Act(AcceptTakeback)),
            ("decline the takeback", Act(DeclineTakeback)),
            ("decline", Decline),
            ("I decline.", Decline),
            ("decline the invitation", Act(DeclineInvitation)),
            ("withdraw invitation", Act(Withdraw)),
            ("I resign the game.", ResignMatch),
            ("resign match", ResignMatch),
            ("Rematch!", Rematch),
            ("mail off", Mail(MailWish::Off)),
            ("Mail on.", Mail(MailWish::On)),
            ("mail HTML off", Mail(MailWish::HtmlOff)),
            ("mail html on", Mail(MailWish::HtmlOn)),
            ("Mail news off.", Mail(MailWish::NewsOff)),
            ("no news", Mail(MailWish::NewsOff)),
            ("Puzzles weekly.", Mail(MailWish::PuzzlesWeekly)),
            ("puzzles off", Mail(MailWish::PuzzlesOff)),
            (
                "add address b@c.test",
                AddAddress("b@c.test".parse().unwrap()),
            ),
            (
                " Add address <b@c.test>.",
                AddAddress("b@c.test".parse().unwrap()),
            ),
            (
                "add address b@c.test<mailto:b@c.test>",
                AddAddress("b@c.test".parse().unwrap()),
            ),
            (
                "add address b@c.test <mailto:b@c.test>",
                AddAddress("b@c.test".parse().unwrap()),
            ),
        ] {
            assert_eq!(Request::parse(line).as_ref(), Some(&expected), "{line}");
            assert_eq!(Request::parse(&expected.to_string()), Some(expected));
        }
    }

    #[test]
    fn a_question_may_stand_in_our_quote_marks() {
        for line in [
            "\"rules\"",
            "\"Rules\".",
            "\u{201c}rules\u{201d}",
            " \"rules.\" ",
        ] {
            assert_eq!(Request::parse(line), Some(Rules), "{line}");
        }
        for line in [
            "\"resign\"",
            "\"offer draw\".",
            "\"",
            "\"\"",
            "\"rules",
            "\"\"rules\"\"",
        ] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }

    #[test]
    fn a_note_is_a_word_and_what_follows() {
        assert_eq!(
            noted("note n>g5 was my other idea"),
            Some("n>g5 was my other idea")
        );
        assert_eq!(noted(" Note: hello "), Some("hello"));
        assert_eq!(Request::parse("note hello"), Some(Note));
        for line in [
            "note",
            "note:",
            "note .",
            "notes of mine",
            "noteworthy x",
            "a note x",
        ] {
            assert_eq!(noted(line), None, "{line}");
        }
    }

    #[test]
    fn talk_of_a_command_is_none() {
        for line in [
            "",
            "I",
            "resign?",
            "should I resign",
            "I will not resign",
            "I resign myself to it",
            "offer",
            "draw",
            "draw?",
            "shall I offer draw",
            "show me",
            "show -1",
            "show 99999999999999999999999",
            "help me",
            "rules?",
            "house rules",
            "is it legal",
            "legal, I think",
            "> resign",
            "propose",
            "takeback",
            "decline?",
            "I must decline",
            "withdraw",
            "lapsed",
            "resign the move",
            "a rematch",
            "rematch?",
            "shall we play a rematch",
            "I take it back",
            "add address",
            "add address b",
            "add address b@c.test please",
            "add address b@c.test <mailto:d@c.test>",
            "you can add address b@c.test",
            "shall we take back",
            "mail",
            "mail off please",
            "mail html",
            "mail off on",
            "e-mail off",
            "mail puzzles weekly",
            "puzzles",
            "puzzles weekly please",
            "> puzzles weekly",
            "no puzzles weekly",
            "puzzles weekly?",
            "unsubscribe",
        ] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }

    #[test]
    fn only_a_subject_that_says_nothing_else_unsubscribes() {
        let id = "k7f3qd".parse().unwrap();
        let read = |subject: &str| Unsubscribe::read(subject, &id);
        let code = "abcdefghijklmn23";
        for (subject, expected) in [
            ("[k7f3qd] unsubscribe", None),
            (" [k7f3qd] Unsubscribe ", None),
            ("[k7f3qd] unsubscribe-abcdefghijklmn23", Some(code)),
        ] {
            let found = read(subject).unwrap();
            let expected = expected.map(|code| code.parse().unwrap());
            assert_eq!(
                (found.code, found.wish),
                (expected, MailWish::Off),
                "{subject}"
            );
        }
        let puzzles = read("[k7f3qd] puzzles-off-abcdefghijklmn23").unwrap();
        assert_eq!(puzzles.code, Some(code.parse().unwrap()));
        assert_eq!(puzzles.wish, MailWish::PuzzlesOff);
        for subject in [
            "",
            "unsubscribe",
            "[other1] unsubscribe",
            "Re: [k7f3qd] unsubscribe",
            "[k7f3qd] Unachess: unsubscribe",
            "[k7f3qd] unsubscribe me",
            "[k7f3qd] unsubscribe-abcdefghijklmn23 now",
            "[k7f3qd] unsubscribe-me",
            "[k7f3qd] unsubscribed",
            "[k7f3qd] puzzles-weekly-abcdefghijklmn23",
        ] {
            assert_eq!(read(subject), None, "{subject}");
        }
    }

    #[test]
    fn yes_is_a_word_alone() {
        for text in ["yes", " Yes. ", "JA", "oui!", "ok", "OK."] {
            assert!(is_yes(text), "{text}");
        }
        for text in [
            "",
            ".",
            "yes?",
            "yes, please",
            "yes\nyes",
            "no",
            "okay",
            "\"yes\"",
            "> yes",
            "yes no",
        ] {
            assert!(!is_yes(text), "{text}");
        }
    }
}
