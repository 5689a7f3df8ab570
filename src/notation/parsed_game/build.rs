//! Puts the moves of a text in order.

use crate::notation::diagnostic::Problem;
use crate::notation::follow::Relation;
use crate::notation::header::Header;
use crate::notation::move_number::mover;
use crate::notation::moves::{Gap, MoveEntry, Number};
use crate::notation::parsed_game::claims::Diagrams;
use crate::notation::parsed_game::item::{self, Item, MoveInContext};
use crate::notation::parsed_game::{Context, ParsedGame, ParsedMove};
use crate::notation::place::Place;
use crate::notation::reader::Part;
use crate::quoting::line::Author;
use crate::rules::Variant;

/// Returns the games in a text, in their order. If there are no moves, every diagram
/// becomes a game without turns.
#[must_use]
pub fn games(parts: &[Part], variant: &Variant) -> Vec<ParsedGame> {
    let items = item::items(parts);
    let mut builder = GameBuilder {
        variant,
        items: &items,
        last_beginning: items.iter().rposition(Item::is_beginning),
        last_gap: None,
        games: Vec::new(),
        next: 0,
        behind: 0,
        is_dropped: false,
        is_halted: false,
        pending: None,
        crowded: None,
        early: Vec::new(),
        diagrams: Diagrams::default(),
        problems: Vec::new(),
    };
    for at in 0..items.len() {
        builder.take(at);
    }
    builder.finish()
}

fn is_small(entry: &MoveEntry) -> bool {
    entry.text.starts_with(|c: char| c.is_ascii_lowercase())
}

fn is_capital(entry: &MoveEntry) -> bool {
    entry.text.starts_with(|c: char| c.is_ascii_uppercase())
}

struct GameBuilder<'e, 't> {
    variant: &'e Variant,
    items: &'e [Item<'t>],
    /// The last item at which a numbered list begins at 1.
    last_beginning: Option<usize>,
    /// The last number without a move after it.
    last_gap: Option<u32>,
    games: Vec<ParsedGame>,
    /// The next half-move of the last game, counted from 0.
    next: usize,
    /// The half-move after the last one examined on this line.
    behind: usize,
    /// True if the last move with a number on this line was passed over. The moves
    /// after it are passed over, too.
    is_dropped: bool,
    /// True after a fault in the list, which ends the reading.
    is_halted: bool,
    /// A move said aside, and where the list stood: a later number may prove that it
    /// was played.
    pending: Option<(MoveEntry, usize)>,
    /// Where the list stood when two moves were said aside.
    crowded: Option<usize>,
    /// Moves that stand alone before the list.
    early: Vec<MoveEntry>,
    diagrams: Diagrams,
    /// The problems, each with the index of the game in which it came up.
    problems: Vec<(usize, Problem)>,
}

impl GameBuilder<'_, '_> {
    fn take(&mut self, at: usize) {
        match &self.items[at] {
            Item::Diagram(drawn) => {
                let game = self.games.last().filter(|game| !game.turns.is_empty());
                let after = game.map(|_| (self.games.len() - 1, self.next));
                self.diagrams.push((*drawn).clone(), after);
            }
            Item::BadDiagram(error) => {
                self.report(Problem::error(error.place(), error.to_string()));
            }
            Item::Surplus(place) => {
                let message =
                    "there are too many moves or diagrams in this text: check it in parts";
                self.report(Problem::error(*place, message));
            }
            Item::Move(told) => self.take_move(at, told),
            Item::Gap(gap) => self.take_gap(gap),
            Item::Setup(header) => self.take_setup(header),
        }
    }

    /// Reports a number with which the list would continue if a move followed.
    fn take_gap(&mut self, gap: &Gap) {
        let Number { value, place, .. } = gap.number;
        // Remarks with numbers of their own reach any number.
        let is_remark = self
            .last_gap
            .replace(value)
            .is_some_and(|last| last + 1 == value);
        let ply = gap.number.ply();
        // A move in prose may have been taken for it.
        let is_next = self.games.last().is_some_and(|game| {
            let is_told = |ply: usize| {
                let turn = game.turns.get(ply);
                turn.is_some_and(|turn| turn.context > Context::Prose)
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
            self.report(Problem::error(place, message));
            self.is_halted = true;
        } else {
            self.report(Problem::warning(place, message));
        }
    }

    /// Reports a list that begins from another position.
    fn take_setup(&mut self, header: &Header) {
        if header.begins_elsewhere(self.variant) {
            let message =
                "this list begins from another position: only one from the start can be checked";
            self.report(Problem::error(header.place, message));
        }
    }

    fn report(&mut self, problem: Problem) {
        self.problems
            .push((self.games.len().saturating_sub(1), problem));
    }

    fn take_move(&mut self, at: usize, told: &MoveInContext<'_>) {
        let entry = told.entry;
        if told.is_first {
            self.behind = self.next;
            self.is_dropped = false;
        }
        if self.begins_another(at, told) {
            self.leave_pending();
            if told.is_bare && self.last_beginning > Some(at) {
                self.early.push(entry.clone());
                return;
            }
            if told.context == Context::Prose && !entry.is_first() {
                return;
            }
            self.games.push(ParsedGame::new(self.variant));
            self.is_halted = false;
            (self.next, self.behind) = (0, 0);
        }
        if entry.number.is_none() && entry.is_aside {
            self.is_dropped = true;
            if told.context > Context::Prose {
                self.take_aside(entry);
            }
        } else if !self.is_halted {
            if entry.number.is_some() {
                self.is_dropped = false;
            }
            self.is_dropped = self.is_dropped || !self.place(told);
        }
    }

    /// Keeps a move said aside until a number proves that it was played. Of two it is
    /// unclear which is meant.
    fn take_aside(&mut self, entry: &MoveEntry) {
        let is_second = |place: usize| place == self.next;
        if self.crowded.is_some_and(is_second) {
            self.pass_over(entry);
        } else if self.pending.as_ref().is_some_and(|(_, at)| is_second(*at)) {
            self.leave_pending();
            self.pass_over(entry);
            self.crowded = Some(self.next);
        } else {
            self.leave_pending();
            self.pending = Some((entry.clone(), self.next));
        }
    }

    /// Returns true if a move begins a game.
    fn begins_another(&mut self, at: usize, told: &MoveInContext<'_>) -> bool {
        let Some(game) = self.games.last() else {
            return true;
        };
        if !self.items[at].is_beginning() || !game.has(Context::List) {
            return false;
        }
        let is_again = self.is_answer(told) || self.repeats(at);
        if is_again {
            self.is_halted = false;
        }
        !is_again
    }

    /// Returns true if the list that begins at an item agrees with the last game, as
    /// far as both go.
    fn repeats(&mut self, at: usize) -> bool {
        let Some(game) = self.games.last_mut() else {
            return false;
        };
        game.line.begin(0);
        for (i, item) in self.items.iter().enumerate().skip(at) {
            let Item::Move(told) = item else {
                continue;
            };
            if told.context < Context::List {
                continue;
            }
            let relation = if i > at && item.is_beginning() {
                if game.line.next() != 1 || !told.is_alone || !is_small(told.entry) {
                    return true;
                }
                // Black's move with White's number.
                game.line.follow_as(told.entry, 1)
            } else {
                game.line.follow(told.entry).1
            };
            if relation != Relation::Agrees {
                return relation != Relation::Differs;
            }
        }
        true
    }

    /// Puts a move into its place in the last game. Returns true if it was taken.
    fn place(&mut self, told: &MoveInContext<'_>) -> bool {
        let entry = told.entry;
        let ply = entry.ply(self.behind) + usize::from(self.is_answer(told));
        let Some(game) = self.games.last_mut() else {
            return false;
        };
        if told.is_bare && (ply < game.turns.len() || repeats_one(game, entry, ply)) {
            return true;
        }
        if told.player.is_some_and(|player| player != mover(ply)) {
            self.pass_over(entry);
            return false;
        }
        let turns = game.turns.len();
        if ply == turns + 1
            && told.context > Context::Prose
            && let Some((aside, place)) = self.pending.take()
            && place == turns
        {
            // The number proves that the move said aside was played.
            game.push(aside, Context::Remark);
        }
        match game.line.relation(entry, ply) {
            Relation::Agrees => {
                self.behind = ply + 1;
                if told.context > Context::Prose {
                    self.settle(ply);
                }
                return true;
            }
            Relation::Differs if told.context > game.turns[ply].context => game.truncate(ply),
            Relation::Differs => {
                match told.context {
                    Context::List => self.contradict(entry, ply),
                    Context::Remark => self.pass_over(entry),
                    Context::Prose => {}
                }
                return false;
            }
            Relation::Skips => {
                match told.context {
                    Context::List => self.miss(entry, ply),
                    // The text before a numbered move of a list was no move.
                    Context::Remark if entry.number.is_some() => self.miss(entry, ply),
                    Context::Remark => self.pass_over(entry),
                    Context::Prose => {}
                }
                return false;
            }
            Relation::Continues => {}
        }
        game.push(entry.clone(), told.context);
        self.leave_pending();
        self.behind = ply + 1;
        self.settle(ply);
        true
    }

    /// Notes that the list has reached a turn.
    fn settle(&mut self, ply: usize) {
        self.next = ply + 1;
        self.diagrams.settle(self.games.len() - 1, ply);
    }

    /// Returns true if a move is Black's but repeats the number of White's move before
    /// it: `1. P>e3` and below it `1. n>g5`, or with White's column left blank. Only
    /// the case of the letters tells.
    fn is_answer(&self, told: &MoveInContext<'_>) -> bool {
        let Some((game, number)) = self.games.last().zip(told.entry.number) else {
            return false;
        };
        let ply = number.ply();
        !number.is_second
            && told.is_alone
            && (game.turns.len() == ply + 1 || self.next == ply + 1)
            && is_small(told.entry)
            && game
                .turns
                .get(ply)
                .is_some_and(|turn| is_capital(&turn.entry))
    }

    fn player(&self, ply: usize) -> &'static str {
        self.variant.player(mover(ply))
    }

    fn contradict(&mut self, entry: &MoveEntry, ply: usize) {
        let turns = self.games.last().map(|game| &game.turns);
        let Some(turn) = turns.and_then(|turns| turns.get(ply)) else {
            return;
        };
        let message = format!(
            "this is not what line {} has as {}'s move {}: {}",
            turn.entry.place.line,
            self.player(ply),
            ply / 2 + 1,
            turn.entry.text
        );
        self.report(Problem::error(entry.place, message));
        self.is_halted = true;
    }

    fn miss(&mut self, entry: &MoveEntry, ply: usize) {
        let turns = self.games.last().map_or(0, |game| game.turns.len());
        let (missing, number) = (self.player(turns), turns / 2 + 1);
        let message = if turns == 0 {
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
        let help = format!("the next move of the list is {missing}'s move {number}");
        self.report(Problem::error(place, message).helping(help));
        self.is_halted = true;
    }

    /// Reports a move said aside that no number has proved to be played.
    fn leave_pending(&mut self) {
        if let Some((aside, _)) = self.pending.take() {
            self.pass_over(&aside);
        }
    }

    fn pass_over(&mut self, entry: &MoveEntry) {
        let message = "this move stands among other words and is not judged";
        self.report(Problem::warning(entry.place, message));
    }

    /// Appends the moves above the list to it, if their writer has answered a quoted
    /// list. Reports the others.
    fn take_early(&mut self) {
        let first = self.games.first().and_then(|game| game.turns.first());
        let list = first.map(|turn| turn.entry.author);
        let answers = |author| match (author, list) {
            (Author::Own, Some(Author::Quoted(_))) => true,
            // A whole message, with its header above, has no marks of its own.
            (Author::Quoted(0), Some(Author::Quoted(depth))) => depth > 0,
            _ => false,
        };
        for entry in std::mem::take(&mut self.early) {
            if self.games.len() == 1 && answers(entry.author) {
                self.behind = self.games[0].turns.len();
                self.place(&MoveInContext {
                    entry: &entry,
                    context: Context::List,
                    is_bare: true,
                    player: None,
                    is_first: true,
                    is_alone: true,
                });
            } else {
                let message = "this move stands alone before the list and is not judged";
                self.report(Problem::warning(entry.place, message));
            }
        }
    }

    fn finish(mut self) -> Vec<ParsedGame> {
        self.leave_pending();
        self.take_early();
        let mut games = self.games;
        for game in games.iter_mut().filter(|game| game.has(Context::Remark)) {
            let is_told = |turn: &ParsedMove| turn.context > Context::Prose;
            let end = game.turns.iter().rposition(is_told);
            game.truncate(end.map_or(0, |end| end + 1));
        }
        self.diagrams.claim(&mut games, self.variant);
        for (game, problem) in self.problems {
            if games.is_empty() {
                games.push(ParsedGame::new(self.variant));
            }
            let last = games.len() - 1;
            games[game.min(last)].problems.push(problem);
        }
        games
    }
}

/// Returns true if a move on a line of its own repeats an earlier one: it is written in
/// the letters of the player who is not to move, or cannot be played again.
fn repeats_one(game: &ParsedGame, entry: &MoveEntry, ply: usize) -> bool {
    // Both players may write castling with the same letter.
    let is_castling = entry.text.starts_with(['O', 'o']);
    let is_other = !is_castling
        && if ply.is_multiple_of(2) {
            is_small(entry)
        } else {
            is_capital(entry)
        };
    let played = &game.turns[..game.record().steps().len()];
    let says = entry.plain();
    played.iter().any(|turn| turn.entry.plain() == says)
        && (is_other || game.line.read(entry).is_err())
}
