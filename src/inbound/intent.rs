//! What a letter says in a match: a move, a command, a question, or talk.
//!
//! Nothing is guessed. A move counts where it stands alone on a line, where a
//! line begins with the right number and it, or where it ends a list that is
//! the match's own up to there. What stands in prose is shown and asked for;
//! what contradicts itself or the record is refused with both shown.

mod correction;
mod drawn;
mod found;
mod list;

use crate::matches::intent::{Intent, Played, Refusal, Request};
use crate::matches::takeback::Takeback;
use crate::notation::moves::MoveEntry;
use crate::notation::reader::ParsedText;
use crate::plural::half_moves;
use crate::quoting::id_line::IdLine;
use crate::quoting::line::Author;
use crate::rules::notation::{MoveText, ReadError, Reading, Voice};
use crate::rules::{Color, Ply, Record, Role};
use found::{Found, Stated};

/// The most moves in prose that are looked at, and asked about.
const MOST_MENTIONS: usize = 20;

/// Reads what a letter of that player says in a match with that record.
#[must_use]
pub fn read(record: &Record, sender: Color, text: &ParsedText<'_>, id_lines: &[IdLine]) -> Intent {
    let case = Case {
        record,
        sender,
        plies: record.steps().len(),
        text,
        id_lines,
    };
    let found = found::find(&case);
    let said = Reader { case, found }.read();
    drawn::hold(&case, said)
}

/// A letter, and the match it is about.
#[derive(Clone, Copy)]
struct Case<'a> {
    record: &'a Record,
    sender: Color,
    /// How many half-moves have been made.
    plies: usize,
    text: &'a ParsedText<'a>,
    id_lines: &'a [IdLine],
}

struct Reader<'a> {
    case: Case<'a>,
    found: Found<'a>,
}

impl Case<'_> {
    fn is_senders_turn(&self) -> bool {
        self.record.position().turn() == self.sender
    }

    fn line(&self, entry: &MoveEntry) -> String {
        let line = self.text.lines.get(entry.place.line - 1);
        line.map_or(entry.text.as_str(), |line| line.text)
            .trim()
            .to_owned()
    }

    /// Whether an entry is what the sender played on that half-move.
    fn is_again(&self, entry: &MoveEntry, ply: usize) -> bool {
        mover(ply) == self.sender && self.agrees(entry, ply)
    }

    /// Whether an entry is what was played on that half-move.
    fn agrees(&self, entry: &MoveEntry, ply: usize) -> bool {
        entry.is_step(self.record, ply)
    }

    /// What the id line says of it.
    fn id_line(&self) -> Option<usize> {
        let line = self.id_lines.first()?;
        // The sender's own program has counted the move it brings; a mailer
        // that quotes without marks has not.
        let counts_it = line.author == Author::Own && line.plies == self.plies + 1;
        Some(line.plies - usize::from(counts_it))
    }

    /// The text with the number of the move to be made before it.
    fn numbered(&self, text: &str) -> String {
        numbered(self.plies, text)
    }
}

impl Reader<'_> {
    fn read(mut self) -> Intent {
        let requests = self.requests();
        if self.found.stated.is_empty() && requests.is_empty() && self.found.again.is_empty() {
            self.found.wrong.append(&mut self.found.slips);
            self.found.wrong.append(&mut self.found.quoted_wrong);
        }
        if let Some(refusal) = self.found.wrong.first() {
            return Intent::Refused(refusal.clone());
        }
        if !self.found.stated.is_empty() {
            return self.stated(&requests);
        }
        let orders: Vec<Request> = requests.iter().copied().filter(|r| r.is_order()).collect();
        match (orders.as_slice(), requests.first()) {
            ([order], _) => return self.ordered(*order),
            ([one, other, ..], _) => {
                return Intent::Refused(Refusal {
                    lines: vec![one.to_string(), other.to_string()],
                    why: "These two can't both be done.".to_owned(),
                    role: None,
                });
            }
            ([], Some(request)) => return Intent::Command(*request),
            ([], None) => {}
        }
        if let Some(ply) = self.found.again.last() {
            return Intent::Again(*ply);
        }
        self.mentioned()
    }

    /// A command that changes the match. One about the last move is about the
    /// move that its sender has seen.
    fn ordered(&self, order: Request) -> Intent {
        let Request::Takeback(action) = order else {
            return Intent::Command(order);
        };
        // The sender's own program has taken the move back already.
        let taken = |line: &IdLine| {
            action == Takeback::Accept
                && line.author == Author::Own
                && line.plies + 1 == self.case.plies
        };
        let is_now = self.answered().is_none_or(|then| then == self.case.plies)
            || self.case.id_lines.first().is_some_and(taken);
        if is_now {
            return Intent::Command(order);
        }
        Intent::Refused(Refusal {
            lines: vec![order.to_string()],
            why: format!(
                "Your message answers another position than the one now, after {}.",
                half_moves(self.case.plies)
            ),
            role: None,
        })
    }

    /// The commands in the sender's own lines, each once; of several positions
    /// that are asked for the first.
    fn requests(&self) -> Vec<Request> {
        let is_show = |request: &Request| matches!(request, Request::Show(_));
        let mut requests = Vec::new();
        for line in self
            .case
            .text
            .lines
            .iter()
            .filter(|line| line.author == Author::Own)
        {
            if let Some(request) = Request::parse(line.text)
                && !requests.contains(&request)
                && !(is_show(&request) && requests.iter().any(is_show))
            {
                requests.push(request);
            }
        }
        requests
    }

    /// What the moves stated as the next one come to.
    fn stated(&self, requests: &[Request]) -> Intent {
        if !self.case.is_senders_turn() {
            return self.out_of_turn();
        }
        if let Some(said) = self.stale() {
            return said;
        }
        let (first, others) = (&self.found.stated[0], &self.found.stated[1..]);
        let result = self.interpret(first);
        let mut offers_draw = result.as_ref().is_ok_and(|reading| reading.offers_draw);
        for other in others {
            // A list quoted a hundred times is read once.
            if other.voice == first.voice && other.entry.text == first.entry.text {
                continue;
            }
            let is_same = match (&result, self.interpret(other)) {
                (Ok(one), Ok(other)) => {
                    offers_draw |= other.offers_draw;
                    one.ply == other.ply
                }
                (Err(_), Err(_)) => same_text(first.entry, other.entry),
                _ => false,
            };
            if !is_same {
                return Intent::Refused(Refusal {
                    lines: vec![self.case.line(first.entry), self.case.line(other.entry)],
                    why: "These are two different moves.".to_owned(),
                    role: None,
                });
            }
        }
        let line = self.case.line(first.entry);
        if let Ok(reading) = &result
            && let Some(other) = self.corrected(&reading.ply)
        {
            return Intent::Refused(Refusal {
                lines: vec![line, other],
                why: "These are two different moves.".to_owned(),
                role: None,
            });
        }
        let mut played = match result {
            Ok(reading) => Played {
                line,
                reading,
                offers_draw,
            },
            Err(error) => return failure(error, line, first.entry),
        };
        for request in requests {
            match request {
                Request::OfferDraw => played.offers_draw = true,
                Request::DeclineDraw
                | Request::Takeback(Takeback::Decline)
                | Request::Note
                | Request::Show(_)
                | Request::Help => {}
                Request::Resign
                | Request::AcceptDraw
                | Request::ClaimDraw
                | Request::Takeback(_) => {
                    return Intent::Refused(Refusal {
                        lines: vec![played.line, request.to_string()],
                        why: format!("A move can't be played together with '{request}'."),
                        role: None,
                    });
                }
            }
        }
        Intent::Move(played)
    }

    /// The line in prose by which the sender may have put another move in the
    /// place of that one.
    fn corrected(&self, stated: &Ply) -> Option<String> {
        let position = self.case.record.position();
        let mut mentioned = self.found.mentioned.iter().take(MOST_MENTIONS);
        mentioned.find_map(|entry| {
            let line = self.case.line(entry);
            let text = entry.parsed.as_ref().ok()?;
            let is_other = correction::is_correction(&line)
                && match position.interpret(text, Voice::Lone) {
                    Ok(reading) => reading.ply != *stated,
                    Err(error) => {
                        matches!(error, ReadError::Ambiguous(_) | ReadError::Promotion(_))
                    }
                };
            is_other.then_some(line)
        })
    }

    /// The one legal move that is stated there.
    fn interpret(&self, stated: &Stated<'_>) -> Result<Reading, ReadError> {
        let parsed = stated.entry.parsed.clone();
        let text = parsed.map_err(ReadError::NotAMove)?;
        let position = self.case.record.position();
        position.interpret(&text, stated.voice)
    }

    /// A move stated when it is the other player's turn: it may be the one
    /// that was made already.
    fn out_of_turn(&self) -> Intent {
        let last = self.case.plies.checked_sub(1);
        let again = last.filter(|&ply| {
            self.found
                .stated
                .iter()
                .all(|stated| self.case.is_again(stated.entry, ply))
        });
        match again {
            Some(ply) => Intent::Again(ply),
            None => Intent::OutOfTurn(self.case.line(self.found.stated[0].entry)),
        }
    }

    /// A move without a number, in an answer to an older position: perhaps the
    /// one that was made there, else none that can be known to be meant now.
    fn stale(&self) -> Option<Intent> {
        if self.found.stated.iter().any(|stated| stated.placed) {
            return None;
        }
        let then = self.answered()?;
        if then == self.case.plies {
            return None;
        }
        let entry = self.found.stated[0].entry;
        if self
            .found
            .stated
            .iter()
            .all(|stated| self.case.is_again(stated.entry, then))
        {
            return Some(Intent::Again(then));
        }
        let (lines, role) = (vec![self.case.line(entry)], role(entry));
        let plies = self.case.plies;
        let are = if plies == 1 { "is" } else { "are" };
        let why = if then < plies {
            format!(
                "Your message answers an older position, after {}; by now there {are} {plies}. If you mean the position now, put the number before the move: {}.",
                half_moves(then),
                self.case.numbered(&entry.text)
            )
        } else {
            format!(
                "Your message answers a position after {}, but only {plies} {are} known here.",
                half_moves(then)
            )
        };
        Some(Intent::Refused(Refusal { lines, why, role }))
    }

    /// How many half-moves had been made in the position that the letter
    /// answers, if it shows that: by the id line, else by the list, that it
    /// quotes.
    fn answered(&self) -> Option<usize> {
        self.case.id_line().or(self.found.quoted)
    }

    /// What stands in prose: the moves of it that would be legal.
    fn mentioned(&self) -> Intent {
        if !self.case.is_senders_turn() {
            return Intent::Talk;
        }
        let position = self.case.record.position();
        let mut line = None;
        let mut moves: Vec<String> = Vec::new();
        for entry in self.found.mentioned.iter().take(MOST_MENTIONS) {
            let Ok(text) = &entry.parsed else { continue };
            // "Your pawn on e4" names a square.
            if text.is_bare() && entry.number.is_none() {
                continue;
            }
            let forms = match position.interpret(text, Voice::Lone) {
                Ok(reading) => vec![position.text(&reading.ply)],
                Err(ReadError::Ambiguous(forms) | ReadError::Promotion(forms)) => forms,
                Err(_) => continue,
            };
            line.get_or_insert_with(|| self.case.line(entry));
            for form in forms {
                if !moves.contains(&form) {
                    moves.push(form);
                }
            }
        }
        if let Some(line) = line {
            return Intent::Mention { line, moves };
        }
        let Some(entry) = self.found.tried else {
            return Intent::Talk;
        };
        let error = match &entry.parsed {
            Ok(text) => position.interpret(text, Voice::Lone).err(),
            Err(error) => Some(ReadError::NotAMove(error.clone())),
        };
        error.map_or(Intent::Talk, |error| {
            failure(error, self.case.line(entry), entry)
        })
    }
}

/// What becomes of a move that could not be read as one legal move.
fn failure(error: ReadError, line: String, entry: &MoveEntry) -> Intent {
    match error {
        ReadError::Ambiguous(forms) => Intent::Ambiguous { line, forms },
        error => Intent::Refused(Refusal {
            lines: vec![line],
            why: sentence(&error.to_string()),
            role: role(entry),
        }),
    }
}

fn role(entry: &MoveEntry) -> Option<Role> {
    entry.parsed.as_ref().ok().and_then(MoveText::role)
}

fn same_text(one: &MoveEntry, other: &MoveEntry) -> bool {
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
pub(crate) fn numbered(ply: usize, text: &str) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots} {text}", ply / 2 + 1)
}
