//! The answer that one of our links has begun: a move, and the answer code with the id of the
//! match and the number of half-moves made.
//!
//! Links of earlier versions wrote an id line above the code. What today's write is put into
//! that form, so that all else reads one form alone.
//!
//! Programs on the way change it: they write `<BR>` for the ends of its lines, join its
//! lines or break them, or leave it encoded. Where that can be told it is put back into
//! lines. The code is taken out of the text at once, so that nothing that is done with
//! the text can show it.
//!
//! A move that was sent by one of our links: that move is played, or its sender is asked.
//!
//! A link writes each move in one way. Where the text says anything else, a program on
//! the way may have made another move of it.

use std::borrow::Cow;

use crate::inbound::link_target::{self, letters};
use crate::inbound::own_html::mentions_link;
use crate::mail::Pattern;
use crate::mail::quoting::line::{Author, DOUBT, Line, doubted};
use crate::match_id::Id;
use crate::matches::action::{Intent, Played, Refusal};
use crate::matches::codes::AnswerCode;
use crate::matches::r#match::Match;
use crate::notation::move_list::clear_text;
use crate::printable::half_moves;
use crate::rules::notation::{MoveText, Voice};
use crate::rules::{Ply, Position, Role};

/// The mark in the place of an answer code.
const LABEL: &str = "Answer code:";

/// The most lines that a move may have been broken into.
const MOST_BROKEN: usize = 3;

/// The id line and the answer code that stand in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerForm {
    /// The number of the line with the code, from 1. The id line is directly above.
    line: usize,
    /// The match that it names.
    pub id: Id,
    /// The number of half-moves made in the mail with the link.
    pub plies: usize,
    /// The code.
    pub code: AnswerCode,
}

/// The answers that stand in a text which has been put back into lines.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AnswerForms {
    /// The answers, in the lines of that text.
    pub forms: Vec<AnswerForm>,
    /// The text with its own lines, if there are answers.
    plain: String,
}

impl AnswerForms {
    /// Returns the text to read and the answers in it: `restored`, the text that was put back
    /// into lines, if one of the first answers `is_proven` by a code that was made for the
    /// sender. Else the text as it came, without any: what looks like an answer may be somebody
    /// else's name, and its line would be broken where that person likes.
    pub fn read<'t>(
        &'t self,
        restored: &'t str,
        is_proven: impl Fn(&AnswerForm) -> bool,
    ) -> (&'t str, &'t [AnswerForm]) {
        if self.forms.is_empty() || self.forms.iter().take(MOST_FORMS).any(is_proven) {
            (restored, &self.forms)
        } else {
            (&self.plain, &[])
        }
    }
}

/// Returns the answers that stand in the sender's own lines, not in a quotation.
pub fn own<'f>(found: &'f [AnswerForm], lines: &[Line<'_>]) -> Vec<&'f AnswerForm> {
    let is_own = |form: &&AnswerForm| {
        let author = |at: usize| lines.get(at).map(|line| line.author);
        // Our mails have the id line, too, but never the code.
        author(form.line - 1) == Some(Author::Own)
            && matches!(author(form.line - 2), Some(Author::Own | Author::Program))
    };
    found.iter().filter(is_own).collect()
}

impl AnswerForm {
    /// Returns the indices of the id line and of the line with the code.
    pub fn lines(&self) -> [usize; 2] {
        [self.line - 2, self.line - 1]
    }

    /// Returns what may be its move: the text directly above the id line, and the text of
    /// two and of three lines above it, all without blanks.
    pub fn moves(&self, lines: &[Line<'_>]) -> Vec<String> {
        let above = lines.get(..self.line - 2).unwrap_or_default();
        let above = above.iter().rev().filter(|line| !line.is_blank());
        let mut whole = String::new();
        let texts = above.take(MOST_BROKEN).map(|line| {
            whole.insert_str(0, &squeezed(line.source));
            whole.clone()
        });
        texts.collect()
    }
}

/// Returns a text without its blanks, and with plain signs for dashes and entities.
pub fn squeezed(text: &str) -> String {
    let seen = text.chars().filter(|c| !is_nothing(*c));
    let text: String = seen.map(|c| if is_dash(c) { '-' } else { c }).collect();
    text.replace("&gt;", ">")
}

/// Puts each answer in a text back into lines and takes its code out. Returns the text
/// with the answers found. A text without an answer keeps its lines. The cost is linear in the
/// length of the text.
pub(super) fn restore(text: String) -> (String, AnswerForms) {
    if !letters(&text).contains("answercode") && !is_encoded(&text) {
        return (text, AnswerForms::default());
    }
    let plain = without_code(&text);
    // The links of a quoted mail hold answers that nobody has given.
    let restored = Restored::of(&text, !mentions_link(&text));
    let forms = restored.found;
    if forms.is_empty() {
        (plain, AnswerForms::default())
    } else {
        (restored.text, AnswerForms { forms, plain })
    }
}

/// Ends the lines of a text without quote marks where a program has encoded their ends. What is
/// quoted keeps its lines: those behind an end in it would stand there without marks.
fn in_lines(run: &str, is_to_decode: bool) -> Cow<'_, str> {
    static BREAK: Pattern = Pattern::new(r"(?i)<br\s*/?>|&lt;br\s*/?&gt;|%0d%0a|%0a");
    if !is_to_decode {
        return Cow::Borrowed(run);
    }
    let mut text = Cow::Borrowed(run);
    for _ in 0..link_target::ENCODINGS {
        if !is_encoded(&text) {
            break;
        }
        // Line ends, and the signs in ASCII.
        let is_sign = |byte| matches!(byte, b'\n' | b'\r' | b' '..=0x7F);
        text = Cow::Owned(link_target::decoded(&text, is_sign).replace("\r\n", "\n"));
    }
    Cow::Owned(BREAK.replace_all(&text, "\n").into_owned())
}

/// Returns true if the label of a code has its blank encoded, any number of times.
fn is_encoded(text: &str) -> bool {
    static LABEL: Pattern = Pattern::new(r"(?i)answer%(?:25)*20code");
    LABEL.is_match(text)
}

/// A text as it is put back into lines.
#[derive(Default)]
struct Restored {
    text: String,
    /// The number of its line ends.
    ends: usize,
    found: Vec<AnswerForm>,
}

impl Restored {
    fn of(text: &str, is_to_decode: bool) -> Restored {
        let mut restored = Restored::default();
        let mut run = String::new();
        for line in text.split_inclusive('\n') {
            if is_quoted(line) {
                restored.add(&in_lines(&run, is_to_decode));
                run.clear();
                restored.push(&without_code(line));
            } else {
                run.push_str(line);
            }
        }
        restored.add(&in_lines(&run, is_to_decode));
        restored
    }

    fn push(&mut self, text: &str) {
        self.ends += text.matches('\n').count();
        self.text.push_str(text);
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n");
        }
    }

    /// Adds lines without quote marks.
    fn add(&mut self, run: &str) {
        static FORM: Pattern = Pattern::new(
            r"(?i)(?:Game([a-z0-9][a-z0-9-]{0,31}),([0-9]{1,6})half-?moves?made\.?answer\+?code:?|answer\+?code:([a-z0-9][a-z0-9-]{0,31}),([0-9]{1,6}),)([a-z2-7]{16})",
        );
        let is_doubtful = |line: &str| line.ends_with(DOUBT) && line.len() > DOUBT.len_utf8();
        if run.lines().any(is_doubtful) {
            self.add_doubtful(run);
            return;
        }
        let (plain, places) = without_blanks(run);
        let mut done = 0;
        for found in FORM.captures_iter(&plain) {
            let either = |one, other| found.get(one).or_else(|| found.get(other));
            let (Some(id), Some(plies)) = (either(1, 3), either(2, 4)) else {
                continue;
            };
            let (Ok(id), Ok(plies), Ok(code)) = (
                id.as_str().to_ascii_lowercase().parse::<Id>(),
                plies.as_str().parse(),
                found[5].parse(),
            ) else {
                continue;
            };
            let whole = found.get_match();
            self.above(&run[done..places[whole.start()]]);
            self.push(&format!("Game {id}, {} made.\n{LABEL}", half_moves(plies)));
            self.found.push(AnswerForm {
                line: self.ends + 1,
                id,
                plies,
                code,
            });
            // The last sign of a code is one byte.
            done = places[whole.end() - 1] + 1;
            let rest = run[done..].trim_start_matches([' ', '\t']);
            done = run.len() - rest.len();
            if !rest.starts_with(['\n', '\r']) {
                self.push("\n");
            }
        }
        self.push(&without_code(&run[done..]));
    }

    /// Adds lines of which some are doubtful. If an answer stands there, all are.
    fn add_doubtful(&mut self, run: &str) {
        let mut restored = Restored::default();
        restored.add(&run.replace(DOUBT, ""));
        if restored.found.is_empty() {
            self.push(&without_code(run));
            return;
        }
        let above = self.ends;
        self.push(&doubted(&restored.text));
        let found = restored.found.into_iter().map(|form| AnswerForm {
            line: above + form.line,
            ..form
        });
        self.found.extend(found);
    }

    /// Adds what stands above an id line. Its last line may be a move with blanks in it.
    fn above(&mut self, text: &str) {
        let text = with_dash_mended(without_code(text));
        let end = text.trim_end().len();
        let start = text[..end].rfind('\n').map_or(0, |at| at + 1);
        self.push(&text[..start]);
        self.end_line();
        let last = squeezed(&text[start..end]);
        if last.parse::<MoveText>().is_ok() {
            self.push(&last);
        } else {
            self.push(&text[start..end]);
        }
        self.end_line();
        if let Some(at) = text[end..].find('\n') {
            self.push(&text[end + at + 1..]);
            self.end_line();
        }
    }
}

/// Puts a dash that stands alone on a line behind what is above it, if these two and the last
/// line are a broken move. Else it would be the mark of a signature, below which nobody looks
/// for an answer.
fn with_dash_mended(text: String) -> String {
    let start_of_line = |text: &str| text.rfind('\n').map_or(0, |at| at + 1);
    let above = text[..start_of_line(text.trim_end())].trim_end();
    let dash = start_of_line(above);
    let before = above[..dash].trim_end();
    let is_broken = squeezed(&above[dash..]) == "-"
        && squeezed(&text[start_of_line(before)..])
            .parse::<MoveText>()
            .is_ok();
    if is_broken {
        format!("{before}{}", text[dash..].trim_start())
    } else {
        text
    }
}

/// Takes an answer code out of a text: the label stays. Where the code stands below its label, so
/// do the lines between, which may say who wrote what follows.
fn without_code(text: &str) -> String {
    static CODE: Pattern = Pattern::new(
        r"(?i)answer(?:[\s\x{fdd1}+]|%20)*code(?:[:\s\x{fdd1}]|%20|%3a)*(?:(?:[a-z0-9\s\x{fdd1}\x{2010}-\x{2015}\x{2212}-]|%2d){1,64}(?:,|%2c)(?:[0-9\s\x{fdd1}]|%20){1,16}(?:,|%2c)(?:[\s\x{fdd1}]|%20)*)?[a-z2-7]{16}\b",
    );
    let mut kept = String::with_capacity(text.len());
    let mut end = 0;
    for found in CODE.find_iter(text) {
        kept.push_str(&text[end..found.start()]);
        let found_text = found.as_str();
        kept.push_str(match found_text.rfind('\n') {
            Some(at) if found_text[..at].trim_end().ends_with(':') => LABEL,
            Some(at) => &found_text[..=at],
            None => LABEL,
        });
        end = found.end();
    }
    kept.push_str(&text[end..]);
    kept
}

fn is_quoted(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['>', '|']) || line.starts_with("&gt;")
}

/// Returns true for a character that shows nothing: a blank, or a place to break a line.
fn is_nothing(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
                | '\u{fe0f}' | '\u{feff}' | '\u{fffc}'
        )
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Returns the text in ASCII without blanks, and the place of each of its bytes.
fn without_blanks(text: &str) -> (String, Vec<usize>) {
    let seen = text.char_indices().filter(|(_, c)| !is_nothing(*c));
    let plain = seen.map(|(at, c)| {
        let plain = match c {
            c if is_dash(c) => '-',
            '\u{ff1a}' => ':',
            '\u{ff0c}' | '\u{60c}' => ',',
            c if c.is_ascii() => c,
            _ => '\u{1}',
        };
        (plain, at)
    });
    plain.unzip()
}

/// The most answers in a message that are compared.
const MOST_FORMS: usize = 4;

/// The most moves that are listed of a piece to drop.
const MOST_LISTED: usize = 100;

/// A message with answers that our links have begun.
pub struct TappedMove<'a> {
    /// The answers, at least one.
    pub forms: &'a [&'a AnswerForm],
    /// The lines of the message.
    pub lines: &'a [Line<'a>],
    /// The subject.
    pub subject: &'a str,
    /// True if a code is of a mail that showed another position.
    pub is_stale: bool,
    /// True if nothing but the code tells who the sender is.
    pub is_by_code: bool,
}

impl TappedMove<'_> {
    /// Returns what the message asks for: its move, or else why it is not played.
    pub fn intent(&self, intent: Intent, game: &Match) -> Intent {
        let position = game.position();
        match intent {
            Intent::Move(played) => match self.doubt(&played, game) {
                Some(why) => refused(vec![played.line], why),
                None => Intent::Move(played),
            },
            Intent::Words | Intent::Refused(_) if game.turn().is_some() => {
                match self.unfinished() {
                    Some((line, role)) => refused(vec![line], drops(position, role)),
                    None if intent == Intent::Words => refused(
                        Vec::new(),
                        "No move could be read in your message.".to_owned(),
                    ),
                    None => intent,
                }
            }
            Intent::Words
            | Intent::Refused(_)
            | Intent::Again(_)
            | Intent::OutOfTurn(_)
            | Intent::Command(_)
            | Intent::Mention { .. }
            | Intent::Ambiguous { .. } => intent,
        }
    }

    /// Returns why a move is asked about, in sentences.
    fn doubt(&self, played: &Played, game: &Match) -> Option<String> {
        let position = game.position();
        let made = game.record().steps().len();
        let ply = &played.reading.ply;
        if self.forms.len() > MOST_FORMS {
            return Some(format!(
                "Your message has the answers of several links. {ASK}"
            ));
        }
        for form in self.forms {
            if form.id != *game.id() {
                return Some(format!("Your link is of another match, {}.", form.id));
            }
            if form.plies != made {
                return Some(format!(
                    "Your link is of the position after {}; now {} made. {ASK}",
                    half_moves(form.plies),
                    match made {
                        1 => "1 half-move is".to_owned(),
                        _ => format!("{made} half-moves are"),
                    }
                ));
            }
        }
        if self.is_stale {
            return Some(format!(
                "Your link is of a position that has been taken back. {ASK}"
            ));
        }
        let clear = clear_text(position, ply);
        if !self
            .forms
            .iter()
            .all(|form| is_whole(&form.moves(self.lines), position, ply, clear.as_deref()))
        {
            let text = clear.unwrap_or_else(|| position.text(ply));
            return Some(format!(
                "A link writes this move {text} and nothing else above the id of the match, so it may have been changed on its way. {ASK}"
            ));
        }
        if let Some(subject) = self.other_in_subject(played, position) {
            return Some(format!("The subject of your message says {subject}. {ASK}"));
        }
        (self.is_by_code && played.offers_draw).then(|| {
            "A link sends a move alone. To offer a draw with it, please answer our mail.".to_owned()
        })
    }

    /// Returns the move in the subject, if it is another one.
    fn other_in_subject(&self, played: &Played, position: &Position) -> Option<String> {
        let subject = self.subject.replace("%5B", "[").replace("%5D", "]");
        let subject = subject
            .replace("%20", " ")
            .replace("%3E", ">")
            .replace("%2B", "+");
        let subject = subject
            .replace("%2D", "-")
            .replace("%3D", "=")
            .replace("%2F", "/");
        let (_, text) = subject.rsplit_once(']')?;
        let text = squeezed(text);
        let line = squeezed(&played.line);
        if text.eq_ignore_ascii_case(&line) {
            return None;
        }
        if let Some(piece) = text.strip_suffix('>').filter(|piece| piece.len() == 1) {
            let is_of_piece = line
                .split_once('>')
                .is_some_and(|(dropped, _)| dropped.eq_ignore_ascii_case(piece));
            return (!is_of_piece).then_some(text);
        }
        text.parse::<MoveText>().ok()?;
        let reading = position.read_with(&text, Voice::Alone);
        let is_same = reading.is_ok_and(|reading| reading.ply == played.reading.ply);
        (!is_same).then_some(text)
    }

    /// Returns the piece that an answer drops nowhere: `P>`.
    fn unfinished(&self) -> Option<(String, Role)> {
        let text = first_move(self.forms, self.lines)?;
        let mut piece = text.strip_suffix('>')?.chars();
        let role = Role::from_letter(piece.next()?)?;
        piece.next().is_none().then_some((text, role))
    }
}

/// Returns the text above the id line of the first answer, which may be its move.
fn first_move(forms: &[&AnswerForm], lines: &[Line<'_>]) -> Option<String> {
    forms.first()?.moves(lines).into_iter().next()
}

/// Returns the canonical text of the move in the first of these answers, if it is legal in the
/// position and was not damaged.
pub fn move_text(forms: &[&AnswerForm], lines: &[Line<'_>], position: &Position) -> Option<String> {
    let text = first_move(forms, lines)?;
    let ply = position.read_with(&text, Voice::Alone).ok()?.ply;
    let is_clear = clear_text(position, &ply)?.eq_ignore_ascii_case(&text);
    is_clear.then(|| position.text(&ply))
}

/// The next step for the sender of a doubtful move.
const ASK: &str =
    "If you mean this move, please send it alone on a line, in an answer to our last mail.";

fn refused(lines: Vec<String>, why: String) -> Intent {
    Intent::Refused(Refusal::new(lines, why))
}

/// Returns true if the text above an id line is a move as a link writes it, and not the
/// last part of another one that was broken.
fn is_whole(texts: &[String], position: &Position, ply: &Ply, clear: Option<&str>) -> bool {
    let Some((text, joined)) = texts.split_first() else {
        return false;
    };
    let is_other = |joined: &String| {
        let reading = position.read_with(joined, Voice::Alone);
        reading.is_ok_and(|reading| reading.ply != *ply)
    };
    clear.is_some_and(|clear| clear.eq_ignore_ascii_case(text)) && !joined.iter().any(is_other)
}

/// Lists the squares that a piece can be dropped on, in sentences.
fn drops(position: &Position, role: Role) -> String {
    let is_drop = |ply: &Ply| match ply {
        Ply::Drop { role: dropped, .. } | Ply::Relocation { role: dropped, .. } => *dropped == role,
        Ply::Move { .. } | Ply::Castle(_) | Ply::Placement(_) => false,
    };
    let plies = position.single_plies().into_iter().filter(is_drop);
    let mut texts: Vec<String> = plies.map(|ply| position.text(&ply)).collect();
    texts.sort_unstable();
    let surplus = texts.len().saturating_sub(MOST_LISTED);
    texts.truncate(MOST_LISTED);
    if surplus > 0 {
        texts.push(format!("and {surplus} more"));
    }
    if texts.is_empty() {
        return format!("No {role} can be placed alone now.");
    }
    format!(
        "The square is missing: add it behind the sign, without a blank. Legal: {}.",
        texts.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "abcdefgh234567ab";
    const WHOLE: &str = "P>e3\nGame m, 0 half-moves made.\nAnswer code:";

    fn restore_forms(text: &str) -> (String, Vec<AnswerForm>) {
        let (restored, answers) = restore(text.to_owned());
        (restored, answers.forms)
    }

    fn restored(text: &str) -> (String, usize) {
        let (restored, found) = restore_forms(text);
        for form in &found {
            assert_eq!(form.code.to_string(), CODE, "{text}");
            assert_eq!((form.id.as_str(), form.plies), ("m", 0), "{text}");
            assert_eq!(restored.lines().nth(form.line - 1), Some(LABEL), "{text}");
        }
        (restored.trim_end().to_owned(), found.len())
    }

    #[test]
    fn what_programs_make_of_an_answer_is_put_back() {
        for text in [
            "P>e3\nGame m, 0 half-moves made.\nAnswer code: abcdefgh234567ab\n",
            "P>e3\nGame m, 0 half-moves made.\nAnswer code: ABCDEFGH234567AB",
            "P>e3<BR>Game m, 0 half-moves made.<br/>Answer code: abcdefgh234567ab",
            "P>e3 Game m, 0 half-moves made. Answer code: abcdefgh234567ab",
            "P>e3Game m, 0 half-moves made.Answer code: abcdefgh234567ab",
            "P>e3 Game m, 0 half-\nmoves made. Answer\ncode: abcdefgh2\n34567ab",
            "P> e3 Game m, 0 half\u{2011}moves made. Answer code: abcdefgh234567ab",
            "P&gt;e3\u{a0}Game\u{a0}m, 0 half-moves made. Answer code: abcdefgh234567ab",
            "P%3Ee3%0D%0AGame%20m%2C%200%20half%2Dmoves%20made%2E%0D%0AAnswer%20code%3A%20abcdefgh234567ab",
            "P>e3%0D%0AGame m, 0 half-moves made.%0aAnswer code: abcdefgh234567ab",
            "P>e3\nAnswer code: m,0,abcdefgh234567ab\n",
            "P>e3\nAnswer code: m,0,ABCDEFGH234567AB",
            "P>e3<BR>Answer code: m, 0, abcdefgh234567ab",
            "P>e3Answer code:m,0,abcdefgh234567ab",
            "P> e3 Answer\ncode: m,\n0,abcdefgh2\n34567ab",
            "P&gt;e3\u{a0}Answer\u{a0}code: m,0,abcdefgh234567ab",
            "P%3Ee3%0D%0AAnswer%20code%3A%20m%2C0%2Cabcdefgh234567ab",
            "P>e3%0aAnswer code: m,0,abcdefgh234567ab",
            "P>e3\r\nAnswer+code:m,0,abcdefgh234567ab",
            "P%253Ee3%250D%250AAnswer%2520code%253A%2520m%252C0%252Cabcdefgh234567ab",
            "P>e3\nAnswer code\u{ff1a}m\u{ff0c}0\u{ff0c}abcdefgh234567ab",
            "P>e3\nANSWER CODE: M,0,ABCDEFGH234567AB",
        ] {
            assert_eq!(restored(text), (WHOLE.to_owned(), 1), "{text}");
        }
        let above = "Sent from my phone\n\nP>e3\nGame m, 0 half-moves made.\nAnswer code: abcdefgh234567abSent from my phone\n";
        let (text, _) = restored(above);
        assert_eq!(
            text,
            format!("Sent from my phone\n\n{WHOLE}\nSent from my phone")
        );
    }

    #[test]
    fn a_dash_of_a_broken_move_is_no_mark_of_a_signature() {
        let form = "Answer code: m,0,abcdefgh234567ab";
        for (above, mended) in [
            ("O\n-\nO", "O-\nO"),
            ("Hello!\n\nn\n\n \u{2013} \nd5", "Hello!\n\nn\u{2013} \nd5"),
            ("O-\nO\n-\nO", "O-\nO-\nO"),
            ("Anna\n-\nP>e3", "Anna\n-\nP>e3"),
            ("-\nP>e3", "-\nP>e3"),
        ] {
            let expected = WHOLE.replace("P>e3", mended);
            let text = format!("{above}\n{form}\n");
            assert_eq!(restored(&text), (expected, 1), "{text}");
        }
    }

    #[test]
    fn an_answer_in_doubtful_text_stays_doubtful() {
        let text = "P>e3\u{fdd1}\nGame m, 0 half-\u{fdd1}\nmoves made.\u{fdd1}\nAnswer code:\u{fdd1}\nabcdefgh234567ab\u{fdd1}\n";
        let (restored, found) = restore_forms(text);
        assert_eq!((restored, found.len()), (doubted(WHOLE) + "\n", 1));
        let alone = "Answer code:\u{fdd1}\nabcdefgh234567ab\u{fdd1}";
        let (restored, _) = restore_forms(alone);
        assert!(!restored.contains(CODE), "{restored}");
    }

    /// Somebody may be called so, and write what looks like a code.
    #[test]
    fn a_code_leaves_the_lines_above_it() {
        for (text, expected) in [
            (
                "Answer code wrote\n\nx,2,abcdefgh234567ab\nHi",
                "Answer code wrote\n\n\nHi",
            ),
            ("Answer\ncode: m,2,abcdefgh234567ab\nHi", "Answer\n\nHi"),
            ("Answer code:\nabcdefgh234567ab\nHi", "Answer code:\nHi"),
        ] {
            assert_eq!(without_code(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_quoted_stays_where_it_is_without_its_code() {
        for (text, expected) in [
            (
                "> P>e3\n> Game m, 0 half-moves made.\n> Answer code: abcdefgh234567ab",
                "> P>e3\n> Game m, 0 half-moves made.\n> Answer code:",
            ),
            ("the answer code: abcdefgh234567ab", "the Answer code:"),
            (
                "> P>e3\n> Answer code: a-match-1,12,abcdefgh234567ab",
                "> P>e3\n> Answer code:",
            ),
            (
                "> Answer%20code%3A%20m%2D1%2C12%2Cabcdefgh234567ab",
                "> Answer code:",
            ),
            ("my answer code is none", "my answer code is none"),
            ("no", "no"),
        ] {
            assert_eq!(restored(text), (expected.to_owned(), 0), "{text}");
        }
        let link = "+ <mailto:a@b.test?subject=%5Bm%5D&body=P%3Ee3%0D%0AAnswer%20code%3A%20m%2C0%2Cabcdefgh234567ab>";
        let (text, found) = restored(link);
        assert_eq!(found, 0);
        assert!(!text.contains(CODE) && !text.contains("P>e3"), "{text}");
        let link = "to d5 <mailto:a@b.test?subject=%5Bm%5D%20P%3Ee3&body=\nP%3Ee3%0D%0AGame%20m%2C%200%20half%2Dmoves%20made%2E%0D%0AAnswer%20code%3A%20abcdefgh234567ab>";
        let (text, found) = restored(link);
        assert_eq!(found, 0);
        assert!(!text.contains(CODE) && !text.contains("P>e3"), "{text}");
    }
}
