//! What a letter says in a match: a move, a command, a question, or talk.
//!
//! Nothing is guessed. A move counts where it stands alone on a line, where a
//! line begins with the right number and it, or where it ends a list that is
//! the match's own up to there. What stands in prose is shown and asked for;
//! what contradicts itself or the record is refused with both shown.

use super::finding::IdLine;
use super::request::Request;
use crate::rules::notation::{ReadError, Reading, Voice};
use crate::rules::{Color, Ply, Record, Role};
use crate::text::reader::What;
use crate::text::{Entry, Manner, Moves, Origin, Text};

/// The characters after which a line counts as filled by a mail program, so
/// that the next one may go on with its sentence.
const FILLED: usize = 60;

/// What a letter says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// A move, and perhaps an offer of a draw with it.
    Move(Played),
    /// A move the sender made before; the half-move it was, from 0.
    Again(usize),
    /// A move, when it is the other player's turn; the line it stands on.
    OutOfTurn(String),
    /// A command.
    Command(Request),
    /// Moves that stand in prose only, in canonical form, and the line of the
    /// first.
    Mention {
        /// The line.
        line: String,
        /// The moves that would be legal.
        moves: Vec<String>,
    },
    /// A move that can be read in several ways: their unmistakable forms.
    Ambiguous {
        /// The line it stands on.
        line: String,
        /// The forms.
        forms: Vec<String>,
    },
    /// Something that cannot be played.
    Refused(Refusal),
    /// Neither a move nor a command: conversation, or nothing at all.
    Talk,
}

/// A move that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The line it stands on.
    pub line: String,
    /// The move, and what was odd about the way it was written.
    pub reading: Reading,
    /// Whether a draw is offered with it.
    pub offers_draw: bool,
}

/// Why a letter's move is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The lines that were read.
    pub lines: Vec<String>,
    /// Why, in a sentence with its full stop.
    pub why: String,
    /// The piece that was to move, whose legal moves are of use.
    pub role: Option<Role>,
}

/// Reads what a letter of that player says in a match with that record.
#[must_use]
pub fn read(record: &Record, sender: Color, text: &Text<'_>, id_lines: &[IdLine]) -> Said {
    Reader {
        record,
        sender,
        plies: record.steps().len(),
        text,
        id_lines,
        found: Found::default(),
    }
    .read()
}

struct Reader<'a> {
    record: &'a Record,
    sender: Color,
    plies: usize,
    text: &'a Text<'a>,
    id_lines: &'a [IdLine],
    found: Found<'a>,
}

/// What was found so far.
#[derive(Default)]
struct Found<'a> {
    /// Moves stated as the next one.
    stated: Vec<Stated<'a>>,
    /// Moves that stand in prose.
    mentioned: Vec<&'a Entry>,
    /// The first of them that has the next move's number before it.
    tried: Option<&'a Entry>,
    /// The sender's moves that are stated though the record has them, by
    /// half-move.
    again: Vec<usize>,
    /// What the sender wrote that cannot be.
    wrong: Vec<Refusal>,
    /// The same in a quotation, which only counts where nothing else does.
    quoted_wrong: Vec<Refusal>,
    /// How many half-moves the longest list that is quoted has.
    quoted: Option<usize>,
}

struct Stated<'a> {
    entry: &'a Entry,
    voice: Voice,
    /// Whether its place in the game is said too: by a number, or by the list
    /// it ends.
    placed: bool,
}

impl<'a> Reader<'a> {
    fn read(mut self) -> Said {
        self.gather();
        let requests = self.requests();
        if self.found.stated.is_empty() && requests.is_empty() && self.found.again.is_empty() {
            self.found.wrong.append(&mut self.found.quoted_wrong);
        }
        if let Some(refusal) = self.found.wrong.first() {
            return Said::Refused(refusal.clone());
        }
        if !self.found.stated.is_empty() {
            return self.stated(&requests);
        }
        let orders: Vec<Request> = requests.iter().copied().filter(|r| r.is_order()).collect();
        match (orders.as_slice(), requests.first()) {
            ([order], _) => return Said::Command(*order),
            ([one, other, ..], _) => {
                return Said::Refused(Refusal {
                    lines: vec![one.to_string(), other.to_string()],
                    why: "These two can't both be done.".to_owned(),
                    role: None,
                });
            }
            ([], Some(request)) => return Said::Command(*request),
            ([], None) => {}
        }
        if let Some(ply) = self.found.again.last() {
            return Said::Again(*ply);
        }
        self.mentioned()
    }

    /// Goes through all moves of the letter and sorts them.
    fn gather(&mut self) {
        let text = self.text;
        let mut list: Vec<&'a Moves> = Vec::new();
        for part in &text.parts {
            let What::Moves(moves) = &part.what else {
                // A board or a heading stands between two lists.
                self.list(&std::mem::take(&mut list));
                continue;
            };
            let origin = moves.entries[0].origin;
            if moves.manner == Manner::List && origin != Origin::Signature {
                if list
                    .last()
                    .is_some_and(|last| last.entries[0].origin != origin)
                {
                    self.list(&std::mem::take(&mut list));
                }
                list.push(moves);
                continue;
            }
            self.list(&std::mem::take(&mut list));
            match (moves.manner, origin) {
                (Manner::Bare, Origin::Own) => self.bare(moves),
                (Manner::Prose, Origin::Own) => self.found.mentioned.extend(&moves.entries),
                _ => {}
            }
        }
        self.list(&list);
    }

    /// A line of the sender's that holds nothing but moves.
    fn bare(&mut self, moves: &'a Moves) {
        let is_clean = moves.entries.iter().all(|entry| entry.tail.is_empty());
        if !is_clean || self.goes_on_above(moves.lines.start) {
            self.found.mentioned.extend(&moves.entries);
            return;
        }
        for entry in &moves.entries {
            self.found.stated.push(Stated {
                entry,
                voice: Voice::Lone,
                placed: false,
            });
        }
    }

    /// Whether a line is the end of a sentence that the line above begins: it
    /// was filled as far as a mail program fills a line, or speaks of moves,
    /// and does not come to an end.
    fn goes_on_above(&self, at: usize) -> bool {
        let Some(above) = at.checked_sub(1).map(|above| &self.text.lines[above]) else {
            return false;
        };
        let text = above.text.trim_end();
        let is_open = above.origin == Origin::Own
            && text.ends_with(|c: char| c.is_alphanumeric() || c == ',');
        let speaks_of_moves = || {
            self.text
                .moves()
                .any(|moves| moves.manner == Manner::Prose && moves.lines.contains(&(at - 1)))
        };
        is_open && (text.chars().count() > FILLED || speaks_of_moves())
    }

    /// The rows of a list, all of the same origin.
    fn list(&mut self, rows: &[&'a Moves]) {
        let entries: Vec<&'a Entry> = rows.iter().flat_map(|row| &row.entries).collect();
        let Some(first) = entries.first() else { return };
        let is_own = first.origin == Origin::Own;
        let is_alone = entries.iter().filter(|entry| !entry.is_aside).count() == 1;
        let mut next = if is_own { self.plies } else { 0 };
        // The last half-move up to which it agrees with the record.
        let mut agreed: Option<usize> = None;
        let mut adds = false;
        for (i, &entry) in entries.iter().enumerate() {
            if entry.is_aside {
                if is_own {
                    self.found.mentioned.push(entry);
                }
                continue;
            }
            let ply = self.ply(entry, next, is_own && is_alone);
            next = ply + 1;
            let is_last = i + 1 == entries.len();
            let is_clear =
                is_only_commented(entry) && !entries[i + 1..].iter().any(|other| other.is_aside);
            if self.agrees(entry, ply) {
                agreed = Some(ply);
                if is_own && is_alone && is_clear && mover(ply) == self.sender {
                    self.found.again.push(ply);
                }
            } else if ply == self.plies
                && (is_own || agreed.is_some_and(|agreed| agreed + 1 == ply))
            {
                // What the quoted mail said already was not typed in.
                if !is_own && self.id_line().is_some_and(|then| then != self.plies) {
                    return;
                }
                adds = true;
                if is_clear {
                    let voice = if is_alone { Voice::Lone } else { Voice::List };
                    self.found.stated.push(Stated {
                        entry,
                        voice,
                        placed: true,
                    });
                } else {
                    self.found.mentioned.push(entry);
                    self.found.tried = self.found.tried.or(Some(entry));
                }
            } else {
                // Talk of a move, or a quotation from elsewhere, is no list of
                // this match; what was typed into one is.
                if adds || is_own && (is_clear || !is_alone) {
                    let refusal = self.contradiction(entry, ply, is_alone);
                    self.found.wrong.push(refusal);
                } else if !is_own && is_last && agreed.is_some() {
                    let refusal = self.contradiction(entry, ply, false);
                    self.found.quoted_wrong.push(refusal);
                }
                return;
            }
        }
        let Some(last) = agreed else { return };
        if !is_own {
            let length = self.found.quoted.unwrap_or_default().max(last + 1);
            self.found.quoted = Some(length);
        }
        // Whole, from the sender's own program; or typed into an older mail.
        let is_again = if is_own {
            !is_alone && last + 1 == self.plies
        } else {
            self.id_line() == Some(last)
        };
        if is_again && mover(last) == self.sender {
            self.found.again.push(last);
        }
    }

    /// Which half-move an entry is said to be. A number without dots before a
    /// lone move of the second player's is let pass.
    fn ply(&self, entry: &Entry, next: usize, is_lone: bool) -> usize {
        let ply = entry.ply(next);
        let has_dots = entry.number.is_none_or(|number| number.is_second);
        let is_second = is_lone
            && !has_dots
            && mover(ply + 1) == self.sender
            && !self.agrees(entry, ply)
            && (ply + 1 == self.plies || self.agrees(entry, ply + 1));
        ply + usize::from(is_second)
    }

    /// Why an entry that says it is that half-move can't be.
    fn contradiction(&self, entry: &Entry, ply: usize, is_alone: bool) -> Refusal {
        let why = match self.record.steps().get(ply) {
            _ if is_alone => format!(
                "That is not the number of the next move, which is {}.",
                self.numbered("").trim_end()
            ),
            Some(step) => format!(
                "The record has another move there: {}.",
                numbered(ply, &step.text)
            ),
            None => "Your list adds more than the one move that is to be made now.".to_owned(),
        };
        Refusal {
            lines: vec![self.line(entry)],
            why,
            role: None,
        }
    }

    /// The commands in the sender's own lines, each once.
    fn requests(&self) -> Vec<Request> {
        let mut requests = Vec::new();
        for line in self
            .text
            .lines
            .iter()
            .filter(|line| line.origin == Origin::Own)
        {
            if let Some(request) = Request::parse(line.text)
                && !requests.contains(&request)
            {
                requests.push(request);
            }
        }
        requests
    }

    fn is_senders_turn(&self) -> bool {
        self.record.position().turn() == self.sender
    }

    fn line(&self, entry: &Entry) -> String {
        let number = entry.place.line;
        let line = self.text.lines.iter().find(|line| line.number == number);
        line.map_or(entry.text.as_str(), |line| line.text)
            .trim()
            .to_owned()
    }

    /// What the moves stated as the next one come to.
    fn stated(&self, requests: &[Request]) -> Said {
        if !self.is_senders_turn() {
            return self.out_of_turn();
        }
        if let Some(said) = self.stale() {
            return said;
        }
        let position = self.record.position();
        let mut played: Option<Played> = None;
        let mut failed: Option<Said> = None;
        let mut seen: Vec<(&Stated<'_>, Option<Ply>)> = Vec::new();
        for stated in &self.found.stated {
            let entry = stated.entry;
            let line = self.line(entry);
            let result = entry
                .parsed
                .clone()
                .map_err(ReadError::NotAMove)
                .and_then(|text| position.interpret(&text, stated.voice));
            match result {
                Ok(reading) => {
                    seen.push((stated, Some(reading.ply)));
                    let offers = played.as_ref().is_some_and(|played| played.offers_draw);
                    let offers_draw = offers || reading.offers_draw;
                    played = Some(Played {
                        line,
                        reading,
                        offers_draw,
                    });
                }
                Err(error) => {
                    seen.push((stated, None));
                    failed = failed.or(Some(failure(error, line, entry)));
                }
            }
        }
        let (first, ply) = &seen[0];
        let other = seen.iter().find(|(stated, other)| match (ply, other) {
            (None, None) => !same_text(first.entry, stated.entry),
            _ => ply != other,
        });
        if let Some((second, _)) = other {
            return Said::Refused(Refusal {
                lines: vec![self.line(first.entry), self.line(second.entry)],
                why: "These are two different moves.".to_owned(),
                role: None,
            });
        }
        let Some(mut played) = played else {
            return failed.unwrap_or(Said::Talk);
        };
        for request in requests {
            match request {
                Request::OfferDraw => played.offers_draw = true,
                Request::DeclineDraw | Request::Show(_) | Request::Help => {}
                Request::Resign | Request::AcceptDraw | Request::ClaimDraw => {
                    return Said::Refused(Refusal {
                        lines: vec![played.line, request.to_string()],
                        why: format!("A move can't be played together with '{request}'."),
                        role: None,
                    });
                }
            }
        }
        Said::Move(played)
    }

    /// A move stated when it is the other player's turn: it may be the one
    /// that was made already.
    fn out_of_turn(&self) -> Said {
        let last = self.plies.checked_sub(1);
        let again = last.filter(|&ply| {
            self.found
                .stated
                .iter()
                .all(|stated| self.is_again(stated.entry, ply))
        });
        match again {
            Some(ply) => Said::Again(ply),
            None => Said::OutOfTurn(self.line(self.found.stated[0].entry)),
        }
    }

    /// Whether an entry is what the sender played on that half-move.
    fn is_again(&self, entry: &Entry, ply: usize) -> bool {
        mover(ply) == self.sender && self.agrees(entry, ply)
    }

    /// Whether an entry is what was played on that half-move.
    fn agrees(&self, entry: &Entry, ply: usize) -> bool {
        let (Some(position), Some(step), Ok(text)) = (
            self.record.at(ply),
            self.record.steps().get(ply),
            &entry.parsed,
        ) else {
            return false;
        };
        position
            .interpret(text, Voice::List)
            .is_ok_and(|reading| reading.ply == step.ply)
    }

    /// A move without a number, in an answer to an older position: perhaps the
    /// one that was made there, else none that can be known to be meant now.
    fn stale(&self) -> Option<Said> {
        if self.found.stated.iter().any(|stated| stated.placed) {
            return None;
        }
        let then = self.answered()?;
        if then == self.plies {
            return None;
        }
        let entry = self.found.stated[0].entry;
        if self
            .found
            .stated
            .iter()
            .all(|stated| self.is_again(stated.entry, then))
        {
            return Some(Said::Again(then));
        }
        let (lines, role) = (vec![self.line(entry)], role(entry));
        let why = if then < self.plies {
            format!(
                "Your message answers an older position, after {}; by now there are {}. If you mean the position now, put the number before the move: {}.",
                half_moves(then),
                self.plies,
                self.numbered(&entry.text)
            )
        } else {
            format!(
                "Your message answers a position after {}, but only {} are known here.",
                half_moves(then),
                self.plies
            )
        };
        Some(Said::Refused(Refusal { lines, why, role }))
    }

    /// How many half-moves had been made in the position that the letter
    /// answers, if it shows that: by the id line, else by the list, that it
    /// quotes.
    fn answered(&self) -> Option<usize> {
        self.id_line().or(self.found.quoted)
    }

    /// What the id line says of it.
    fn id_line(&self) -> Option<usize> {
        let line = self.id_lines.first()?;
        // The sender's own program has counted the move it brings; a mailer
        // that quotes without marks has not.
        let counts_it = line.origin == Origin::Own && line.plies == self.plies + 1;
        Some(line.plies - usize::from(counts_it))
    }

    /// The text with the number of the move to be made before it.
    fn numbered(&self, text: &str) -> String {
        numbered(self.plies, text)
    }

    /// What stands in prose: the moves of it that would be legal.
    fn mentioned(&self) -> Said {
        if !self.is_senders_turn() {
            return Said::Talk;
        }
        let position = self.record.position();
        let mut line = None;
        let mut moves: Vec<String> = Vec::new();
        for entry in &self.found.mentioned {
            let Ok(text) = &entry.parsed else { continue };
            let forms = match position.interpret(text, Voice::Lone) {
                Ok(reading) => vec![position.text(&reading.ply)],
                Err(ReadError::Ambiguous(forms) | ReadError::Promotion(forms)) => forms,
                Err(ReadError::NotAMove(_) | ReadError::Illegal(_)) => continue,
            };
            line.get_or_insert_with(|| self.line(entry));
            for form in forms {
                if !moves.contains(&form) {
                    moves.push(form);
                }
            }
        }
        if let Some(line) = line {
            return Said::Mention { line, moves };
        }
        let Some(entry) = self.found.tried else {
            return Said::Talk;
        };
        let error = match &entry.parsed {
            Ok(text) => position.interpret(text, Voice::Lone).err(),
            Err(error) => Some(ReadError::NotAMove(error.clone())),
        };
        error.map_or(Said::Talk, |error| failure(error, self.line(entry), entry))
    }
}

/// What becomes of a move that could not be read as one legal move.
fn failure(error: ReadError, line: String, entry: &Entry) -> Said {
    match error {
        ReadError::Ambiguous(forms) => Said::Ambiguous { line, forms },
        error => Said::Refused(Refusal {
            lines: vec![line],
            why: sentence(&error.to_string()),
            role: role(entry),
        }),
    }
}

fn role(entry: &Entry) -> Option<Role> {
    entry
        .parsed
        .as_ref()
        .ok()
        .and_then(crate::rules::notation::MoveText::role)
}

fn same_text(one: &Entry, other: &Entry) -> bool {
    match (&one.parsed, &other.parsed) {
        (Ok(one), Ok(other)) => one.as_str() == other.as_str(),
        _ => one.text == other.text,
    }
}

/// A clause as a sentence. The name of a square stays as it is.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first: String = match (chars.next(), clause.chars().nth(1)) {
        (Some(c), Some(next)) if !next.is_ascii_digit() => c.to_uppercase().collect(),
        (first, _) => first.into_iter().collect(),
    };
    let end = if clause.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{end}", chars.as_str())
}

/// Whose half-move that is, counted from 0.
fn mover(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

/// A move with its number: `3. B>f4`, `3... n-e6`.
fn numbered(ply: usize, text: &str) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots} {text}", ply / 2 + 1)
}

/// Whether what follows a move is only a comment: nothing at all, or something
/// set off by punctuation, a bracket or the capital of a new sentence.
fn is_only_commented(entry: &Entry) -> bool {
    let tail = entry.tail.as_str();
    let mut chars = tail.chars();
    let (first, second) = (chars.next(), chars.next());
    match first {
        None => true,
        _ if entry.text.ends_with(['.', ',', ';', ':']) => true,
        Some(c) if ".,;:!?()[]{}…–—\"“„»".contains(c) => true,
        // A dash between blanks, not part of a word.
        Some('-') => second.is_none_or(|c| c == '-' || c.is_whitespace()),
        // "I think" begins no sentence by its capital.
        Some(c) if c.is_uppercase() => {
            second.is_some_and(char::is_lowercase) && !tail.contains('?')
        }
        Some(_) => false,
    }
}

fn half_moves(count: usize) -> String {
    match count {
        1 => "1 half-move".to_owned(),
        _ => format!("{count} half-moves"),
    }
}
