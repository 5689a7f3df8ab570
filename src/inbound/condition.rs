//! Conditions: what a player will do if the other one does something, `if n>g5 then 2. B>f4`.
//!
//! A player who reads a condition before moving knows the answer to the move. So the program passes
//! no line of a condition on, up to the next empty line, and asks about the moves and orders in it.
//! A `note` says that its words are meant for the other player.

use std::collections::HashSet;

use crate::inbound::request;
use crate::mail::Pattern;
use crate::mail::quoting::line::{Author, Line};
use crate::matches::action::Request;
use crate::matches::r#match::Match;
use crate::rules::Color;

/// The words with which a condition begins, in small letters, in the languages of the known
/// closings and some more.
#[rustfmt::skip]
const BEGINNINGS: &[&str] = &[
    "if", "whenever", "as long as", "unless", "should", "provided", "supposing", "suppose", "assuming", "in case", "in the event", "when", "once", "as soon as",
    "wenn", "falls", "sobald", "sollte", "sollten", "sofern", "im fall", "im falle",
    "quand", "lorsque", "dès que", "cuando", "quando", "wanneer", "når", "när", "kun", "kiedy", "когда", "коли",
    "si", "s'il", "s'ils", "au cas", "en caso", "caso", "se", "qualora", "als", "indien", "mocht",
    "hvis", "dersom", "om", "ifall", "jos", "jeśli", "jesli", "jeżeli", "jezeli", "gdyby",
    "jestli", "jestliže", "jestlize", "pokud", "když", "kdyz", "kdyby", "ha", "amennyiben",
    "если", "ежели", "якщо", "dacă", "daca", "eğer", "eger", "αν", "εάν", "ako", "че", "ако", "če", "ef", "kui", "jei", "jika", "nếu", "إذا", "اگر", "אם", "अगर",
    "conditional", "conditionals", "premove",
];

/// The same in languages that put no blank behind the word.
#[rustfmt::skip]
const UNSPACED: &[&str] = &["もし", "如果", "若", "假如", "要是", "假若", "만약", "만일", "ถ้า"];

/// The words that begin a condition within a clause: `I play B>f4 if …`
#[rustfmt::skip]
const MIDDLES: &[&str] = &[
    "if", "unless", "whenever", "provided", "assuming", "as soon as", "as long as", "in case", "in reply to", "in answer to",
    "wenn", "falls", "sobald", "sofern", "si", "s'il", "lorsque", "dès que", "quand", "cuando", "quando", "se", "caso",
    "wanneer", "indien", "hvis", "dersom", "jos", "jeśli", "jeżeli", "kiedy", "pokud", "když", "если", "якщо", "dacă", "eğer", "αν",
];

/// The words that may come before the first word of a condition.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "and", "but", "so", "or", "then", "only", "even", "now", "und", "aber", "oder", "nur", "et", "mais", "ou", "y", "e", "o",
    "ok", "okay", "well", "also", "next", "because", "please", "yes", "no", "pero", "ma", "mas", "en", "maar", "och", "men", "og", "ale", "i", "a", "и", "но",
];

/// The most bytes of the words with which a condition begins.
const LONGEST_BEGIN: usize = 100;

/// The signs after which a clause begins.
const ENDS: &[char] = &[
    ',', '.', ';', ':', '!', '?', '(', ')', '–', '—', '-', '…', '"', '“', '„', '«', '，', '、',
    '。', '；', '：', '{', '}', '[', ']', '<', '>', '‹', '›', '|', '/', '=', '→', '*', '•',
];

/// The most characters of a line in the answer.
const LONGEST: usize = 60;

/// Returns for each line whether it belongs to a condition of the writer's. A note does not.
#[must_use]
pub fn find(lines: &[Line<'_>]) -> Vec<bool> {
    let mut is_found = vec![false; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let run = |from: usize, is_gap: bool| {
            let rest = lines[from..].iter();
            from + rest
                .take_while(|line| request::is_gap(line) == is_gap)
                .count()
        };
        let mut end = run(at, false);
        let mut next = run(end, true);
        // Blank lines that a program may have inserted end nothing.
        while end > at && next < lines.len() && request::may_be_spaced(lines, next) {
            end = run(next, false);
            next = run(end, true);
        }
        let count = end - at;
        let paragraph = &lines[at..at + count];
        if let Some(first) = begin(paragraph) {
            for (place, line) in paragraph.iter().enumerate().skip(first) {
                is_found[at + place] = is_words(paragraph, place) && !line.is_blank();
            }
        }
        at = next;
    }
    is_found
}

/// Marks the lines of a condition below its first line as doubtful, so that a move or an order with
/// a line to itself is asked about. In the first line, a move has other words beside it.
pub fn doubt(lines: &mut [Line<'_>]) {
    let is_found = find(lines);
    for at in 1..lines.len() {
        let is_below = is_found[at - 1] || condition(lines[at].text).is_none();
        if is_found[at] && is_below && lines[at].author == Author::Own {
            lines[at].author = Author::Unclear;
        }
    }
}

/// Returns the first line of a condition, from the word with which it begins.
#[must_use]
pub fn first<'t>(lines: &[Line<'t>]) -> Option<&'t str> {
    let at = find(lines).iter().position(|is_found| *is_found)?;
    let text = lines[at].text.trim();
    Some(condition(text).unwrap_or(text))
}

/// Returns the writer's lines, but for notes, that give away a later move without a word for a condition:
/// a move with a later number, or an unplayed move of the opponent followed by one of the writer.
#[must_use]
pub fn later_moves<'t>(lines: &[Line<'t>], game: &Match, sender: Color) -> Vec<&'t str> {
    let plies = game.record().steps().len();
    let steps = game.record().steps().iter();
    let made: HashSet<&str> = steps.map(|step| step.text.as_str()).collect();
    let own = (0..lines.len()).filter(|at| is_words(lines, *at));
    let texts = own.map(|at| (lines[at].text.trim_end(), lines[at].plain()));
    let found = texts
        .filter(|(_, plain)| has_later_number(plain, plies) || has_answer(plain, &made, sender));
    found.map(|(text, _)| text).collect()
}

/// Returns true if a line has a move with a later number than the next one.
fn has_later_number(text: &str, plies: usize) -> bool {
    static NUMBER: Pattern = Pattern::new(r"(?:^|[^0-9a-zA-Z])([0-9]{1,3})\.(\.\.)?");
    NUMBER.captures_iter(text).any(|found| {
        let full: usize = found[1].parse().unwrap_or_default();
        let ply = 2 * full.saturating_sub(1) + usize::from(found.get(2).is_some());
        let rest = text[found.get(0).map_or(0, |all| all.end())..].trim_start();
        let word = rest.split([' ', '\t']).next().unwrap_or_default();
        ply > plies && is_like_move(word)
    })
}

/// Returns true if a line has an unplayed move of the opponent followed by one of the sender, in the
/// letters of the 1994 format.
fn has_answer(text: &str, made: &HashSet<&str>, sender: Color) -> bool {
    static PIECE: Pattern = Pattern::new(r"\b[KQRBNPGSLkqrbnpgsl][a-i]?[1-9]?[>x@*-]?[a-i][1-9]");
    let new = PIECE.find_iter(text).map(|found| found.as_str());
    let mut new = new.filter(|text| !made.contains(text));
    let is_senders = |text: &str| text.starts_with(char::is_uppercase) == (sender == Color::White);
    new.any(|text| !is_senders(text)) && new.any(is_senders)
}

/// Tells a writer that the program did not pass on the words of a line.
#[must_use]
pub fn told_of_later_move(line: &str) -> String {
    format!(
        "Your line \"{}\" tells a move that you may play later. So its words were not passed on. To pass a line on, write \"note\" in front of it.",
        shown(line)
    )
}

/// Tells a writer that the program neither carried out nor passed on the lines from this one on.
#[must_use]
pub fn told(line: &str) -> String {
    let shown = shown(line);
    format!(
        "Your lines from \"{shown}\" to the next empty line tell what you may play. So they were not passed on, and nothing in them was done. To pass a line on, write \"note\" in front of it."
    )
}

/// Returns the beginning of a line.
fn shown(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Returns the line of a paragraph at which a condition with a move begins.
fn begin(paragraph: &[Line<'_>]) -> Option<usize> {
    let is_begin =
        |at: &usize| paragraph[*at].author.may_be_own() && condition_at(paragraph, *at).is_some();
    let first = (0..paragraph.len()).find(is_begin)?;
    let mut found = None;
    // True if the sentence of the current line goes on to a move.
    let mut has_move = false;
    for (at, line) in paragraph.iter().enumerate().skip(first).rev() {
        let text = line.plain();
        let goes_on = || may_go_on(line, &paragraph[at + 1..]);
        let is_own = is_words(paragraph, at);
        let leads_on = is_own && has_move && goes_on();
        has_move = is_own && (is_like_move(&text) || is_order(line) || leads_on);
        let part = condition_at(paragraph, at);
        if part.is_some_and(|part| leads_on || is_own && is_like_move(&part)) {
            found = Some(at);
        }
    }
    found
}

/// Returns true if a line may be the writer's and is no note.
fn is_words(lines: &[Line<'_>], at: usize) -> bool {
    lines[at].author.may_be_own() && !request::is_note(lines, at)
}

/// Returns true for an order, which may be a part of a condition as a move is.
fn is_order(line: &Line<'_>) -> bool {
    Request::parse(line.text).is_some_and(|request| request.is_order())
}

/// Returns true if the sentence of a line may go on below. A program may have wrapped it, or, if
/// the line does not end the sentence, its writer.
fn may_go_on(line: &Line<'_>, below: &[Line<'_>]) -> bool {
    let Some(next) = below.first() else {
        return false;
    };
    let is_closed = line.text.trim_end().ends_with(['.', '!', '?', ':']);
    !is_closed || request::may_be_wrapped(line, next, request::NARROWEST)
}

/// Returns the rest of a line of a paragraph from the first clause that begins as a condition. The
/// words with which it begins may go on in the line below: `…, in` / `case n>g5`.
fn condition_at(paragraph: &[Line<'_>], at: usize) -> Option<String> {
    let text = paragraph[at].plain();
    if let Some(part) = condition(&text) {
        return Some(part.to_owned());
    }
    let below = &paragraph[at + 1..];
    let next = below.first().filter(|_| may_go_on(&paragraph[at], below))?;
    let head: String = next.plain().chars().take(LONGEST_BEGIN).collect();
    let text = text.trim_end();
    let joined = format!("{text} {}", head.trim_start());
    let is_here = |at: &usize| *at < text.len();
    if let Some(begin) = clause(&joined).filter(is_here) {
        return Some(joined[begin..].trim_start().to_owned());
    }
    let middle = middle(&joined).filter(is_here);
    middle.map(|_| joined)
}

/// Returns the rest of a line from the first clause that begins as a condition, or all of it if a
/// condition follows within a clause: the move before it is a part of the plan.
fn condition(text: &str) -> Option<&str> {
    match clause(text) {
        Some(begin) => Some(text[begin..].trim_start()),
        None => middle(text).map(|_| text.trim_start()),
    }
}

/// Returns the place of the first word within a clause that makes a move a condition: one that
/// follows, or one before it that the line does not begin with.
fn middle(text: &str) -> Option<usize> {
    let begin = text.find(|c: char| !c.is_whitespace())?;
    let first_word = begin + text[begin..].find(char::is_whitespace)?;
    let mut plan = None;
    let mut last = None;
    for at in MOVE.find_iter(text).map(|found| found.start()) {
        plan = plan.or((at >= first_word).then_some(at));
        last = Some(at);
    }
    let has_move =
        |at: usize| last.is_some_and(|last| last > at) || plan.is_some_and(|plan| plan < at);
    let blanks = text.match_indices(char::is_whitespace);
    let mut words = blanks.map(|(at, blank)| at + blank.len());
    words.find(|at| has_move(*at) && is_middle(&text[*at..]))
}

/// Returns true if a text begins with one of the [`MIDDLES`].
fn is_middle(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(LONGEST_BEGIN)];
    let text = text.to_lowercase().replace('’', "'");
    let is_word = |word: &&str| {
        let rest = text.strip_prefix(*word);
        rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    MIDDLES.iter().any(is_word)
}

/// Returns the place of the first clause of a line that begins as a condition.
fn clause(text: &str) -> Option<usize> {
    let behind = text.match_indices(ENDS).map(|(at, sign)| at + sign.len());
    let is_apart = |at: &usize| {
        let above = text[..*at].strip_suffix(['-', '.', ':']);
        let is_within_word = above.is_some_and(|above| above.ends_with(char::is_alphanumeric))
            && text[*at..].starts_with(char::is_alphanumeric);
        !is_within_word
    };
    let mut clauses = [0].into_iter().chain(behind.filter(is_apart));
    clauses.find(|at| begins(&text[*at..]))
}

/// Returns true if a clause begins as a condition.
fn begins(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(LONGEST_BEGIN)];
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let text = text.to_lowercase().replace('’', "'");
    let begins = |text: &str| {
        let is_begun = |begin: &&str| {
            let rest = text.strip_prefix(*begin);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        BEGINNINGS.iter().any(is_begun) || UNSPACED.iter().any(|begin| text.starts_with(*begin))
    };
    let behind_first = || {
        let (word, rest) = text.split_once(char::is_whitespace)?;
        // The name of the reader: `Anna, if …`
        let name = word.trim_end_matches([',', ':']);
        let is_name = name.len() < word.len() && name.chars().all(char::is_alphabetic);
        let may_be_before = is_name || BEFORE.contains(&word);
        may_be_before.then_some(rest.trim_start())
    };
    begins(&text) || behind_first().is_some_and(begins)
}

/// Something like a move: a square with the signs of a move around it, in any notation that is
/// read, or castling.
static MOVE: Pattern = Pattern::new(
    r"(?xi)
        (?: ^ | [^a-z0-9] ) (?: [0-9]+ \.* )?
        (?: \+? \p{L}? (?: [a-i]? [1-9]? [x>@*':=→-]? | [a-i][1-9] ) [a-i][1-9]
          # Descriptive: QxP, P-K4, N-KB3, R(1)-K2
          | [kqrbnp] (?: \( [^()]{1,4} \) )? [x-] [kqrbnp]{1,3} [1-8]?
          # Hodges and USI: P-7f, P*5e, 7g7f, P-76
          | \+? [kqrbnpgsl] \+? [x>@*':=→-]? [1-9][a-i1-9]
          | [1-9][a-i] [1-9][a-i]
          | [o0] - [o0] | castl (?: es? | ed | ing ) )
        (?: $ | [^a-z0-9] | (?: [kqrbnpgsl] | ep ) (?: $ | [^a-z0-9] ) )",
);

/// Returns true if a line has something like a move.
fn is_like_move(text: &str) -> bool {
    MOVE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::quoting::sent::Sent;
    use crate::notation::reader::classify;

    /// Returns the lines that are found.
    fn found(text: &str) -> Vec<&str> {
        let lines = classify(text, &Sent::nothing());
        let lines = lines.iter().zip(find(&lines));
        let found = lines.filter(|(_, is_found)| *is_found);
        found.map(|(line, _)| line.text).collect()
    }

    #[test]
    fn a_condition_goes_to_the_next_empty_line() {
        for (text, expected) in [
            (
                "P>e3\nif n>g5 then 2. B>f4\n\nBye\n",
                vec!["if n>g5 then 2. B>f4"],
            ),
            (
                "If n>g5 then\n2. B>f4\nresign\nnote hello\nso be it\n\nBye\n",
                vec!["If n>g5 then", "2. B>f4", "resign", "so be it"],
            ),
            // After a greeting, after words, and after a move.
            (
                "Hi Anna, if n>g5 then 2. B>f4\n",
                vec!["Hi Anna, if n>g5 then 2. B>f4"],
            ),
            (
                "I thought for long, if B>f4 then n-e6\n",
                vec!["I thought for long, if B>f4 then n-e6"],
            ),
            (
                "1... n>g5, if B>f4 then n-e6\n",
                vec!["1... n>g5, if B>f4 then n-e6"],
            ),
            // A program has wrapped it.
            (
                "If my dear opponent should find nothing better than to play\nn>g5\nBye\n\nHi\n",
                vec![
                    "If my dear opponent should find nothing better than to play",
                    "n>g5",
                    "Bye",
                ],
            ),
            (
                "If you play\nB>c4\nI answer n-e6\n\nBen\n",
                vec!["If you play", "B>c4", "I answer n-e6"],
            ),
            (
                "Hello, if you\nresign\nI am happy\n",
                vec!["Hello, if you", "resign", "I am happy"],
            ),
            (
                "If you really play K>e8 next then I shall of course take good\nnote: B>c4 loses to n-d4 at once.\n",
                vec![
                    "If you really play K>e8 next then I shall of course take good",
                    "note: B>c4 loses to n-d4 at once.",
                ],
            ),
            // The move stands before it.
            (
                "I'll play B>e4 if you n-g5.\nBye\n\nHi\n",
                vec!["I'll play B>e4 if you n-g5.", "Bye"],
            ),
            (
                "I would think of B>e4 if you\ntake it.\n",
                vec!["I would think of B>e4 if you", "take it."],
            ),
            // Its writer has.
            (
                "- if you play\nwhat I fear,\nn>g5, I play B>f4\n",
                vec!["- if you play", "what I fear,", "n>g5, I play B>f4"],
            ),
            (
                "If n>g5\n> quoted\n>\nthen B>f4\n",
                vec!["If n>g5", "then B>f4"],
            ),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn conditions_are_known_in_many_languages() {
        for line in [
            "IF Nf3, 2. Bc4",
            "Unless e4 …",
            "In case of O-O, h4",
            "And if n>g5",
            "Anna, if n>g5",
            "Wenn n>g5, dann B>f4",
            "Falls Springer nach d4",
            "Si n>g5, B>f4",
            "S’il joue n>g5",
            "Se n>g5",
            "Als n>g5",
            "Hvis n>g5",
            "Om n>g5",
            "Jos n>g5",
            "Jeśli n>g5",
            "Pokud n>g5",
            "Ha n>g5",
            "Если n>g5",
            "もしn>g5",
            "もしe4",
            "如果 n>g5",
            "if P-76 S-8h",
            "if 7g7f",
            "if ♘d4",
            "if P@e3",
            "if exd6ep",
            "if 2...e8Q!",
            "if N>d2/c4",
            "P.S.: if n>g5",
            "When n>g5 comes, B>f4",
            "As soon as n>g5: B>f4",
            "(if the Knight goes to d4, the Queen to e5)",
            "If Nbd2 then Rae8",
            "if R1e2, R8e7",
            "If QxN then PxQ",
            "Si Cbd2, Cge7",
            "If P-K4, N-KB3",
            "If he castles, I resign",
            "Hmm… if K>e1, n-d4",
            "Anna,if K>e1 then n-d4",
            "Nota bene--if K>e1, n-d4",
            "I say: \"if K>e1, n-d4\"",
            "好的，如果 K>e1",
            "Quand K>e1, n-d4",
            "Когда K>e1, n-d4",
            "My answer is n-d4 unless you play K>e1",
            "Ich spiele n-d4 wenn du K>e1 spielst",
            "I play n-d4 in reply to K>e1",
        ] {
            assert_eq!(found(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn the_words_of_a_beginning_may_be_wrapped() {
        for text in [
            "This is what I am going to do next, as I have planned it all along, in\ncase p>d5 comes: B-g3\n",
            "I have thought about it for a while and am quite sure of it now, as\nsoon as p>d5 comes: B-g3\n",
            "Das habe ich mir schon lange so gedacht und will es auch tun, im\nFall dass p>d5 kommt: B-g3\n",
        ] {
            assert_eq!(found(text).len(), 2, "{text}");
        }
    }

    /// A line of nothing but signs took a second for four thousand of them.
    #[test]
    fn a_line_of_signs_takes_no_time() {
        for sign in ["-", ".", ":", "...", "-a"] {
            assert_eq!(condition(&sign.repeat(200_000)), None);
        }
    }

    #[test]
    fn a_later_move_is_known_by_its_number_or_behind_the_opponent_s() {
        let made = HashSet::from(["P>e3", "n>g5", "B>f4", "n-e6"]);
        let is_plan =
            |text: &str| has_later_number(text, 4) || has_answer(text, &made, Color::White);
        for text in [
            "3. P>d4 (3... n-g5 4. B>e4)",
            "3... any 4. B>e4",
            "4. B>e4 on n-g5",
            "On n-g5: B>e4",
            "n-g5? Then B>e4.",
            "After n-g5 I play B>e4.",
        ] {
            assert!(is_plan(text), "{text}");
        }
        for text in [
            "3. P>d4, your turn",
            "1. P>e3 n>g5 2. B>f4 n-e6 3. P>d4",
            "Your n-e6 surprised me, B>f4 was meant for something else.",
            "I feared n-g5 most.",
            "Come at 4. The train leaves on 12.11.2026.",
            "B>e4 was my plan, before n-e6.",
        ] {
            assert!(!is_plan(text), "{text}");
        }
    }

    #[test]
    fn other_words_are_no_condition() {
        for text in [
            "If you like, we talk.\nn>g5\nBye\n",
            "If it rains, I stay at home.\n",
            "If that is all right:\n1... n>g5\n",
            "If you like it:\n1... n>g5, your turn\n",
            "1... n>g5, if you please\n",
            "1... n>g5 (if that is all right).\n2. B>f4\n",
            "iffy n>g5\n",
            "note if n>g5 then 2. B>f4\n",
            "> if n>g5 then 2. B>f4\n",
            "n>g5 if you like\n",
            "I wonder if you are well.\nn>g5\n",
            "If you can, call at 9am, 10d, 4th street, 3d\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
