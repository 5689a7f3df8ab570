//! Putting the moves of a text in order.

use crate::notation::diagnostic::Problem;
use crate::notation::diagram::read::LocatedDiagram;
use crate::notation::header::Header;
use crate::notation::moves::{Gap, MoveEntry, Number};
use crate::notation::parsed_game::event::{self, TextItem, WeighedMove, Weight};
use crate::notation::parsed_game::{DiagramClaim, ParsedGame};
use crate::notation::place::Place;
use crate::notation::reader::Part;
use crate::quoting::line::Author;
use crate::rules::{Color, Variant};

/// The matches that a text tells, in their order. Where it has no moves, every
/// diagram is one without turns.
#[must_use]
pub fn parsed_games(parts: &[Part], variant: &Variant) -> Vec<ParsedGame> {
    let events = event::events(parts);
    let mut builder = Builder {
        variant,
        events: &events,
        beginnings: (0..events.len())
            .filter(|&at| is_beginning(&events[at]))
            .collect(),
        remark: None,
        parsed_games: Vec::new(),
        next: 0,
        behind: 0,
        is_dropped: false,
        is_halted: false,
        pending: None,
        runs: Vec::new(),
        floating: Vec::new(),
        settled: Vec::new(),
        early: Vec::new(),
        strays: Vec::new(),
    };
    for at in 0..events.len() {
        builder.take(at);
    }
    builder.finish()
}

/// Whether a numbered list begins at 1.
fn is_beginning(event: &TextItem<'_>) -> bool {
    matches!(event, TextItem::Move(said) if said.weight == Weight::Firm
        && said.entry.number.is_some()
        && said.entry.ply(0) == 0)
}

fn is_small(entry: &MoveEntry) -> bool {
    entry.text.starts_with(|c: char| c.is_ascii_lowercase())
}

fn is_capital(entry: &MoveEntry) -> bool {
    entry.text.starts_with(|c: char| c.is_ascii_uppercase())
}

struct Builder<'e, 't> {
    variant: &'e Variant,
    events: &'e [TextItem<'t>],
    /// The last number that no move followed.
    remark: Option<u32>,
    /// The events with which a numbered list begins at 1.
    beginnings: Vec<usize>,
    parsed_games: Vec<ParsedGame>,
    /// The half-move of the match that would come next, counted from 0.
    next: usize,
    /// The half-move after the one last looked at on this line.
    behind: usize,
    /// Whether the last move with a number on this line was passed over, and
    /// those that follow it with it.
    is_dropped: bool,
    /// Whether the list has a fault behind which nothing is read.
    is_halted: bool,
    /// A move said aside, and where the list stood: a later number may prove
    /// that it was played.
    pending: Option<(MoveEntry, usize)>,
    runs: Vec<Run>,
    /// Diagrams behind which no list has come yet.
    floating: Vec<Floating>,
    settled: Vec<Floating>,
    /// Moves that stand alone before the list.
    early: Vec<MoveEntry>,
    /// Problems, and the match during which they came up.
    strays: Vec<(usize, Problem)>,
}

/// A list from its beginning at 1 to the next beginning.
struct Run {
    course: usize,
    /// How many half-moves it comes to.
    reach: usize,
}

struct Floating {
    drawn: LocatedDiagram,
    /// The match before it, and how many half-moves of that.
    after: Option<(usize, usize)>,
    /// The run behind it.
    run: Option<usize>,
}

impl Builder<'_, '_> {
    fn take(&mut self, at: usize) {
        match &self.events[at] {
            TextItem::Diagram(drawn) => {
                let told = self
                    .parsed_games
                    .last()
                    .is_some_and(|course| !course.turns.is_empty());
                self.floating.push(Floating {
                    drawn: (*drawn).clone(),
                    after: told.then(|| (self.parsed_games.len() - 1, self.next)),
                    run: None,
                });
            }
            TextItem::BadDiagram(error) => {
                self.stray(Problem::error(error.place(), error.to_string()));
            }
            TextItem::Surplus(place) => {
                let message =
                    "there are too many moves or diagrams in this text: check it in parts";
                self.stray(Problem::error(*place, message));
            }
            TextItem::Move(said) => self.take_move(at, said),
            TextItem::Gap(gap) => self.take_gap(gap),
            TextItem::Setup(header) => self.take_setup(header),
        }
    }

    /// Tells of a number with which the list would go on, were there a move.
    fn take_gap(&mut self, gap: &Gap) {
        let Number { value, place, .. } = gap.number;
        // Remarks that are numbered themselves come to any number.
        let is_remark = self
            .remark
            .replace(value)
            .is_some_and(|last| last + 1 == value);
        let ply = gap.number.ply();
        // What was said in prose may have been taken for it.
        let is_next = self.parsed_games.last().is_some_and(|course| {
            let is_told = |ply: usize| {
                let turn = course.turns.get(ply);
                turn.is_some_and(|turn| turn.weight > Weight::Prose)
            };
            ply.checked_sub(1).is_some_and(is_told) && !is_told(ply)
        });
        if !is_next || is_remark || self.is_halted {
            return;
        }
        let message = format!(
            "this is the number of {}'s move {value}, but no move follows it",
            self.player(ply)
        );
        if gap.is_row {
            self.stray(Problem::error(place, message));
            self.is_halted = true;
        } else {
            self.stray(Problem::warning(place, message));
        }
    }

    /// Tells of a list that does not begin at the beginning.
    fn take_setup(&mut self, header: &Header) {
        if header.begins_elsewhere(self.variant) {
            let message =
                "this list begins from another position: only one from the start can be checked";
            self.stray(Problem::error(header.place, message));
        }
    }

    fn stray(&mut self, problem: Problem) {
        self.strays
            .push((self.parsed_games.len().saturating_sub(1), problem));
    }

    fn take_move(&mut self, at: usize, said: &WeighedMove<'_>) {
        let entry = said.entry;
        if said.is_first {
            self.behind = self.next;
            self.is_dropped = false;
        }
        if self.begins_another(at, said) {
            self.leave_pending();
            if said.is_bare && self.beginnings.last().is_some_and(|&last| last > at) {
                self.early.push(entry.clone());
                return;
            }
            let is_first = entry.number.is_some() && entry.ply(0) == 0;
            if said.weight == Weight::Prose && !is_first {
                return;
            }
            self.parsed_games.push(ParsedGame::new(self.variant));
            self.pending = None;
            self.is_halted = false;
            (self.next, self.behind) = (0, 0);
        }
        if entry.number.is_none() && entry.is_aside {
            self.is_dropped = true;
            self.pending = match self.pending {
                _ if said.weight == Weight::Prose => return,
                // Of two moves said aside none can be told to be meant.
                Some((_, place)) if place == self.next => None,
                _ => Some((entry.clone(), self.next)),
            };
        } else if !self.is_halted {
            if entry.number.is_some() {
                self.is_dropped = false;
            }
            self.is_dropped = self.is_dropped || !self.place(said);
        }
    }

    /// Whether a move begins a match.
    fn begins_another(&mut self, at: usize, said: &WeighedMove<'_>) -> bool {
        let Some(course) = self.parsed_games.last() else {
            return true;
        };
        if !is_beginning(&self.events[at]) || course.is_below(Weight::Firm) {
            return false;
        }
        let is_again = self.is_answer(said) || self.repeats(at);
        if is_again {
            self.is_halted = false;
        }
        !is_again
    }

    /// Whether the list that begins at an event says, as far as both go, what
    /// the match at hand says.
    fn repeats(&self, at: usize) -> bool {
        let Some(course) = self.parsed_games.last() else {
            return false;
        };
        let mut next = 0;
        for (i, event) in self.events.iter().enumerate().skip(at) {
            let TextItem::Move(said) = event else {
                continue;
            };
            if said.weight < Weight::Firm {
                continue;
            }
            let mut ply = said.entry.ply(next);
            if i > at && is_beginning(event) {
                if next != 1 || !said.is_alone || !is_small(said.entry) {
                    return true;
                }
                ply = 1;
            }
            if ply >= course.turns.len() {
                return true;
            }
            if !course.says(ply, said.entry) {
                return false;
            }
            next = ply + 1;
        }
        true
    }

    /// Puts a move where it belongs in the match at hand. Says whether it was
    /// taken.
    fn place(&mut self, said: &WeighedMove<'_>) -> bool {
        let entry = said.entry;
        let current = self.parsed_games.len() - 1;
        let mut ply = entry.ply(self.behind) + usize::from(self.is_answer(said));
        let told = self.parsed_games[current].turns.len();
        if said.is_bare && (ply < told || self.repeats_one(entry, ply)) {
            return true;
        }
        let mover = if ply.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        if said.player.is_some_and(|player| player != mover) {
            self.pass_over(entry);
            return false;
        }
        if ply == told + 1
            && said.weight > Weight::Prose
            && let Some((aside, place)) = self.pending.take()
            && place == told
        {
            // The number proves that what was said aside was played.
            self.parsed_games[current].push(aside, Weight::Remark);
        }
        let course = &mut self.parsed_games[current];
        let told = course.turns.len();
        if ply < told && course.says(ply, entry) {
            self.behind = ply + 1;
            if said.weight > Weight::Prose {
                self.settle(ply);
            }
            return true;
        }
        if ply < told {
            let before = course.turns[ply].weight;
            if said.weight <= before {
                match said.weight {
                    Weight::Firm => self.contradict(entry, ply),
                    Weight::Remark => self.pass_over(entry),
                    Weight::Prose => {}
                }
                return false;
            }
            course.truncate(ply);
        } else if ply > told {
            match said.weight {
                Weight::Firm => self.miss(entry, ply, told),
                // What stood before a numbered move of a list was no move.
                Weight::Remark if entry.number.is_some() => self.miss(entry, ply, told),
                Weight::Remark => self.pass_over(entry),
                Weight::Prose => {}
            }
            return false;
        }
        ply = course.turns.len();
        course.push(entry.clone(), said.weight);
        self.pending = None;
        self.behind = ply + 1;
        self.settle(ply);
        true
    }

    /// Notes that the list has come to a turn: diagrams that stood before it
    /// learn what is behind them.
    fn settle(&mut self, ply: usize) {
        self.next = ply + 1;
        if ply == 0 {
            self.runs.push(Run {
                course: self.parsed_games.len() - 1,
                reach: 0,
            });
        }
        let run = (ply == 0).then(|| self.runs.len() - 1);
        if let Some(run) = self.runs.last_mut() {
            run.reach = run.reach.max(ply + 1);
        }
        let floating = self.floating.drain(..);
        self.settled
            .extend(floating.map(|diagram| Floating { run, ..diagram }));
    }

    /// Whether a move is Black's with the number of White's before it written
    /// once more: `1. P>e3` and below it `1. n>g5`, or White's column left
    /// blank. Only the case of the letters tells.
    fn is_answer(&self, said: &WeighedMove<'_>) -> bool {
        let Some((course, number)) = self.parsed_games.last().zip(said.entry.number) else {
            return false;
        };
        let ply = said.entry.ply(0);
        !number.is_second
            && said.is_alone
            && (course.turns.len() == ply + 1 || self.next == ply + 1)
            && is_small(said.entry)
            && course
                .turns
                .get(ply)
                .is_some_and(|turn| is_capital(&turn.entry))
    }

    /// Whether a move on a line of its own says an earlier one once more: it
    /// is written in the letters of the player who is not to move, or can't
    /// be played again.
    fn repeats_one(&self, entry: &MoveEntry, ply: usize) -> bool {
        let Some(course) = self.parsed_games.last() else {
            return false;
        };
        // Castling is written with the same letter by both.
        let is_castling = entry.text.starts_with(['O', 'o']);
        let is_other = !is_castling
            && if ply.is_multiple_of(2) {
                is_small(entry)
            } else {
                is_capital(entry)
            };
        let played = &course.turns[..course.record.steps().len()];
        let says = crate::notation::parsed_game::plain(entry);
        played
            .iter()
            .any(|turn| crate::notation::parsed_game::plain(&turn.entry) == says)
            && (is_other || course.read(entry).is_err())
    }

    fn player(&self, ply: usize) -> &'static str {
        self.variant.player(if ply.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        })
    }

    fn contradict(&mut self, entry: &MoveEntry, ply: usize) {
        let player = self.player(ply);
        let course = self.parsed_games.last_mut().expect("a match is at hand");
        let before = &course.turns[ply].entry;
        let message = format!(
            "this is not what line {} has as {player}'s move {}: {}",
            before.place.line,
            ply / 2 + 1,
            before.text
        );
        course.problems.push(Problem::error(entry.place, message));
        self.is_halted = true;
    }

    fn miss(&mut self, entry: &MoveEntry, ply: usize, told: usize) {
        let (missing, number) = (self.player(told), told / 2 + 1);
        let message = if told == 0 {
            format!(
                "the list begins here, with {}'s move {}",
                self.player(ply),
                ply / 2 + 1
            )
        } else {
            format!("{missing}'s move {number} is missing before this one")
        };
        let place = entry.number.map_or(entry.place, |number| Place {
            width: number.place.width,
            ..number.place
        });
        let problem = Problem::error(place, message).helping(format!(
            "the next move of the list is {missing}'s move {number}"
        ));
        let course = self.parsed_games.last_mut().expect("a match is at hand");
        course.problems.push(problem);
        self.is_halted = true;
    }

    /// Tells of a move said aside that no number has proved to be played.
    fn leave_pending(&mut self) {
        if let Some((aside, _)) = self.pending.take() {
            self.pass_over(&aside);
        }
    }

    fn pass_over(&mut self, entry: &MoveEntry) {
        let message = "this move stands among other words and is not judged";
        self.stray(Problem::warning(entry.place, message));
    }

    /// Puts the moves that stand above the list behind it, where the writer has
    /// answered a quoted list above it. Others are left.
    fn take_early(&mut self) {
        let list = self
            .parsed_games
            .first()
            .and_then(|course| course.turns.first());
        let list = list.map(|turn| turn.entry.author);
        let answers = |author| match (author, list) {
            (Author::Own, Some(Author::Quoted(_))) => true,
            // A whole message, with its header above, has no marks of its own.
            (Author::Quoted(0), Some(Author::Quoted(depth))) => depth > 0,
            _ => false,
        };
        for entry in std::mem::take(&mut self.early) {
            if self.parsed_games.len() == 1 && answers(entry.author) {
                self.behind = self.parsed_games[0].turns.len();
                self.place(&WeighedMove {
                    entry: &entry,
                    weight: Weight::Firm,
                    is_bare: true,
                    player: None,
                    is_first: true,
                    is_alone: true,
                });
            } else {
                let message = "this move stands alone before the list and is not judged";
                self.stray(Problem::warning(entry.place, message));
            }
        }
    }

    fn finish(mut self) -> Vec<ParsedGame> {
        self.leave_pending();
        self.take_early();
        self.settled.append(&mut self.floating);
        for course in self
            .parsed_games
            .iter_mut()
            .filter(|course| !course.is_below(Weight::Remark))
        {
            let end = course
                .turns
                .iter()
                .rposition(|turn| turn.weight > Weight::Prose);
            course.truncate(end.map_or(0, |end| end + 1));
        }
        for diagram in std::mem::take(&mut self.settled) {
            self.claim(diagram);
        }
        for (course, problem) in std::mem::take(&mut self.strays) {
            if self.parsed_games.is_empty() {
                self.parsed_games.push(ParsedGame::new(self.variant));
            }
            let last = self.parsed_games.len() - 1;
            self.parsed_games[course.min(last)].problems.push(problem);
        }
        self.parsed_games
    }

    /// Gives a diagram to the match it stands with.
    fn claim(&mut self, diagram: Floating) {
        let Floating { drawn, after, run } = diagram;
        let run = run.map(|run| &self.runs[run]);
        // What was said in prose may have been dropped since.
        let told = |course: usize, plies: usize| plies.min(self.parsed_games[course].turns.len());
        let mut claim = DiagramClaim {
            drawn,
            after: after.map(|(course, plies)| told(course, plies)),
            before: run.map(|run| told(run.course, run.reach)),
        };
        let course = match (after, run) {
            (Some((before, plies)), Some(run)) if run.course != before => {
                // Between two matches: of the first if it shows its end.
                let end = self.parsed_games[before].record.at(plies);
                if end.is_some_and(|position| claim.drawn.diagram.shows(position)) {
                    claim.before = None;
                    before
                } else {
                    claim.after = None;
                    run.course
                }
            }
            (_, Some(run)) => run.course,
            (Some((before, _)), None) => before,
            (None, None) => {
                self.parsed_games.push(ParsedGame::new(self.variant));
                self.parsed_games.len() - 1
            }
        };
        self.parsed_games[course].claims.push(claim);
    }
}
