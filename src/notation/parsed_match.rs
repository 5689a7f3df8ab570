//! The matches in a text, with their moves put in order and played.
//!
//! A list may be split by other words, repeated, and continued where it was repeated. A
//! list that begins again at 1 without repeating the previous one is another match.
//! Moves in prose count only where no list contradicts them.

use std::borrow::Cow;
use std::mem;

use crate::mail::quoting::line::Author;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::LocatedDiagram;
use crate::notation::move_list::{Follower, Relation, may_be_rest, mover};
use crate::notation::moves::{Gap, Manner, MoveEntry, Moves, Number};
use crate::notation::reader::{PartKind, TextPart};
use crate::notation::voice::Evidence;
use crate::rules::notation::{ReadError, Reading, Voice};
use crate::rules::{Color, Position, Reason, Record, Variant};

/// A match in a text.
#[derive(Clone, Debug)]
pub struct ParsedMatch {
    /// The moves played, up to the first that cannot be played.
    line: Follower<'static>,
    /// Every turn in the text, including those that cannot be played.
    pub turns: Vec<ParsedMove>,
    /// The diagrams that belong to the match.
    pub claims: Vec<DiagramClaim>,
    /// The problems of the list as a list, and of diagrams that cannot be read.
    pub problems: Vec<Problem>,
}

/// A turn in a text.
#[derive(Clone, Debug)]
pub struct ParsedMove {
    /// The move in the text.
    pub entry: MoveEntry,
    /// The reading of the move, or why it cannot be played; none after a move that
    /// cannot be played.
    pub reading: Option<Result<Reading, ReadError>>,
    weight: Weight,
}

/// The weight of a move; later variants overrule earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Weight {
    /// In prose: counts only if nothing else has that turn.
    Prose,
    /// In a list's line, beside other words: counts only if no list contradicts it.
    Remark,
    /// In a list.
    List,
}

impl ParsedMove {
    /// Returns true unless the move is in prose.
    fn is_listed(&self) -> bool {
        self.weight > Weight::Prose
    }
}

/// A diagram and the positions it may show: the one after the moves before it, or any
/// of a list that begins after it. Without either, it stands alone.
#[derive(Clone, Debug)]
pub struct DiagramClaim {
    /// The diagram.
    pub drawn: LocatedDiagram,
    /// The number of half-moves before it.
    pub after: Option<usize>,
    /// The number of half-moves that the list after it reaches.
    pub before: Option<usize>,
}

impl DiagramClaim {
    /// Returns the index of the position that the diagram shows, or none if it shows
    /// none that it may.
    pub fn shown(&self, positions: &[&Position]) -> Option<usize> {
        let shows = |at: usize| self.drawn.diagram.shows(positions.get(at)?).then_some(at);
        self.after
            .and_then(shows)
            .or_else(|| (0..=self.before?).find_map(shows))
    }

    /// Returns true if the diagram can be judged when only `played` half-moves could be
    /// played.
    pub fn is_within(&self, played: usize) -> bool {
        self.after.max(self.before) <= Some(played)
    }
}

impl ParsedMatch {
    fn new(variant: &Variant) -> ParsedMatch {
        ParsedMatch::starting(variant.start(), Voice::List)
    }

    /// Makes a match that begins in a position, with moves in the notation of a voice.
    pub(super) fn starting(start: Position, voice: Voice) -> ParsedMatch {
        let mut line = Follower::along(Cow::Owned(Record::new(start)));
        line.set_voice(voice);
        ParsedMatch {
            line,
            turns: Vec::new(),
            claims: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Returns the moves played, up to the first that cannot be played.
    pub fn record(&self) -> &Record {
        self.line.record()
    }

    /// Converts into the record of the moves played.
    pub(crate) fn into_record(self) -> Record {
        self.line.into_record()
    }

    /// Returns the first turn that cannot be played, counted from 0, and why.
    pub fn fault(&self) -> Option<(usize, &ReadError)> {
        let at = self.record().steps().len();
        match self.turns.get(at)?.reading.as_ref()? {
            Ok(_) => None,
            Err(reason) => Some((at, reason)),
        }
    }

    /// Returns the positions of the moves played, beginning with the start.
    pub fn positions(&self) -> Vec<&Position> {
        let plies = 0..=self.record().steps().len();
        plies.filter_map(|ply| self.record().at(ply)).collect()
    }

    /// Plays on when a count has ended the game.
    pub(super) fn play_on(&mut self) {
        self.line.play_on();
    }

    /// Returns the place of the first move after the end of the game, and the reason of the end.
    pub(super) fn ended_before(&self) -> Option<(TextPlace, Reason)> {
        let record = self.record();
        let outcome = record.outcome()?;
        let is_end = |plies: &usize| record.outcome_at(*plies).is_some();
        let end = (0..record.steps().len()).find(is_end)?;
        Some((self.turns[end].entry.place, outcome.reason))
    }

    /// Adds the next move of a list.
    pub(super) fn push_listed(&mut self, entry: MoveEntry) {
        self.push(entry, Weight::List);
    }

    fn push(&mut self, entry: MoveEntry, weight: Weight) {
        self.turns.push(ParsedMove {
            reading: self.line.push(&entry),
            entry,
            weight,
        });
    }

    fn truncate(&mut self, plies: usize) {
        self.turns.truncate(plies);
        self.line.truncate(plies);
    }

    /// Returns true if the match has a turn of this weight or a greater one.
    fn has(&self, weight: Weight) -> bool {
        self.turns.iter().any(|turn| turn.weight >= weight)
    }
}

/// A move and what its line says about it.
#[expect(clippy::struct_excessive_bools, reason = "each is said by itself")]
struct FoundMove<'t> {
    entry: &'t MoveEntry,
    weight: Weight,
    /// True if its line holds nothing but moves without numbers.
    is_bare: bool,
    /// The player of the line's moves, if it names one.
    player: Option<Color>,
    /// True if it is the first move of its line.
    is_first: bool,
    /// True if its line has no other move.
    is_alone: bool,
    /// True if its line goes on with the second player's half of the row above.
    is_rest: bool,
}

impl FoundMove<'_> {
    /// Returns true if a numbered list begins with it at 1.
    fn is_beginning(&self) -> bool {
        self.weight == Weight::List && self.entry.is_first()
    }
}

/// Returns the moves of a line, each with its weight.
/// `above` is the line of moves above it.
fn found_moves<'t>(
    moves: &'t Moves,
    above: Option<&'t Moves>,
) -> impl Iterator<Item = FoundMove<'t>> {
    let mut behind_words = false;
    let is_rest = above.is_some_and(|above| {
        let last = above.entries.last();
        let is_half = last.is_some_and(|last| last.number.is_some_and(|number| !number.is_second));
        is_half
            && above.manner == Manner::List
            && above.lines.end == moves.lines.start
            && may_be_rest(moves, above)
    });
    moves.entries.iter().enumerate().map(move |(at, entry)| {
        behind_words |= entry.is_aside;
        // "1. e4 is a good move" is no list, though it looks like one.
        let goes_on = entry.tail.starts_with(char::is_alphabetic);
        FoundMove {
            entry,
            weight: match moves.manner {
                Manner::Prose => Weight::Prose,
                Manner::List if behind_words || goes_on => Weight::Remark,
                Manner::List | Manner::Bare | Manner::Named(_) => Weight::List,
            },
            is_bare: matches!(moves.manner, Manner::Bare | Manner::Named(_)),
            player: match moves.manner {
                Manner::Named(color) if entry.place.line == moves.entries[0].place.line => {
                    Some(color)
                }
                // The moves of the line below are those of the other player.
                Manner::Named(color) => Some(!color),
                _ => None,
            },
            is_first: at == 0,
            is_alone: moves.entries.len() == 1,
            is_rest: is_rest && at == 0,
        }
    })
}

/// Returns the matches in a text, in their order. If there are no moves, every diagram
/// becomes a match without turns.
///
/// `voice` is the notation of the moves.
pub fn games(parts: &[TextPart], variant: &Variant, voice: Voice) -> Vec<ParsedMatch> {
    let mut above = None;
    let lines = parts.iter().filter_map(TextPart::moves);
    let lines = lines.map(|moves| (moves, above.replace(moves)));
    let moves: Vec<FoundMove<'_>> = lines
        .flat_map(|(moves, above)| found_moves(moves, above))
        .collect();
    let mut builder = GameBuilder {
        variant,
        voice,
        moves: &moves,
        last_beginning: moves.iter().rposition(FoundMove::is_beginning),
        last_gap: None,
        games: Vec::new(),
        next: 0,
        behind: 0,
        is_dropped: false,
        is_repeated: false,
        is_halted: false,
        pending: None,
        crowded: None,
        said: Vec::new(),
        early: Vec::new(),
        diagrams: Diagrams::default(),
        problems: Vec::new(),
    };
    let mut next = 0;
    for part in parts {
        match &part.kind {
            PartKind::Diagram(drawn) => builder.take_diagram(drawn),
            PartKind::BadDiagram(error) => builder.report(Problem::error(error.place, error)),
            PartKind::Moves(moves) => {
                for at in next..next + moves.entries.len() {
                    builder.take_move(at);
                }
                next += moves.entries.len();
            }
            PartKind::Gap(gap) => builder.take_gap(gap),
            PartKind::Surplus(place) => builder.report(Problem::error(*place, TOO_MANY)),
            PartKind::Header(header) if header.begins_elsewhere(variant) => {
                builder.report(Problem::error(header.place, ELSEWHERE));
            }
            PartKind::Header(_) | PartKind::Heading => {}
        }
    }
    builder.finish()
}

/// Puts the moves of both players in turn where each has a line of them, the first player's above
/// the second's: `White: P>e3, B>f4` and `Black: n>g5, n-e6`.
pub(super) fn in_turn(parts: Vec<TextPart>) -> Vec<TextPart> {
    let mut all = Vec::with_capacity(parts.len());
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let below = parts.next_if(|below| {
            let rows = part.moves().zip(below.moves());
            rows.is_some_and(|(row, below)| {
                let manners = [row.manner, below.manner];
                let counts = [row.entries.len(), below.entries.len()];
                manners == Color::ALL.map(Manner::Named)
                    && (counts[1]..=counts[1] + 1).contains(&counts[0])
            })
        });
        let rows = [Some(&part), below.as_ref()].map(|part| part?.moves());
        if let [Some(row), Some(below)] = rows {
            let mut theirs = below.entries.iter();
            let mut entries = Vec::with_capacity(row.entries.len() * 2);
            for entry in &row.entries {
                entries.push(entry.clone());
                entries.extend(theirs.next().cloned());
            }
            let lines = row.lines.start..below.lines.end;
            all.push(TextPart {
                lines: lines.clone(),
                kind: PartKind::Moves(Moves {
                    manner: row.manner,
                    lines,
                    entries,
                }),
            });
        } else {
            all.push(part);
        }
    }
    all
}

/// Returns what the moves of lists tell about their notation; without any, those of a list in a
/// sentence.
pub(super) fn evidence(parts: &[TextPart]) -> Evidence {
    let told = evidence_of(parts, |manner| manner != Manner::Prose);
    if told == Evidence::default() {
        return evidence_of(parts, |manner| manner == Manner::Prose);
    }
    told
}

fn evidence_of(parts: &[TextPart], is_meant: impl Fn(Manner) -> bool) -> Evidence {
    let mut evidence = Evidence::default();
    let lists = parts.iter().filter_map(TextPart::moves);
    for moves in lists.filter(|moves| is_meant(moves.manner)) {
        // Of a row without numbers nobody knows whose it is: its capital letters tell nothing.
        let (mut mover, alternates) = match moves.manner {
            Manner::Bare => (Some(Color::White), false),
            Manner::Named(color) => (Some(color), false),
            Manner::List | Manner::Prose => (None, true),
        };
        for entry in moves.of_list() {
            let side = |is_second| {
                if is_second {
                    Color::Black
                } else {
                    Color::White
                }
            };
            mover = entry.number.map(|number| side(number.is_second)).or(mover);
            if let (Some(color), Ok(text)) = (mover, &entry.parsed) {
                evidence.take(color, text);
                if alternates {
                    mover = Some(!color);
                }
            }
        }
    }
    evidence
}

const ASIDE: &str = "this move stands among other words and is not judged";

const TOO_MANY: &str = "there are too many moves or diagrams in this text: check it in parts";

const ELSEWHERE: &str =
    "this list begins from another position: only one from the start can be checked";

fn is_small(entry: &MoveEntry) -> bool {
    entry.text.starts_with(|c: char| c.is_ascii_lowercase())
}

fn is_capital(entry: &MoveEntry) -> bool {
    entry.text.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Puts the moves of a text in order.
struct GameBuilder<'m> {
    variant: &'m Variant,
    voice: Voice,
    moves: &'m [FoundMove<'m>],
    /// The last move with which a numbered list begins at 1.
    last_beginning: Option<usize>,
    /// The last number without a move after it.
    last_gap: Option<u32>,
    games: Vec<ParsedMatch>,
    /// The next half-move of the last match, counted from 0.
    next: usize,
    /// The half-move after the last one examined on this line.
    behind: usize,
    /// True if the last move with a number on this line was passed over. The moves
    /// after it are passed over, too.
    is_dropped: bool,
    /// True if the last move repeats an earlier one.
    is_repeated: bool,
    /// True after a fault in the list, which ends the reading.
    is_halted: bool,
    /// A move said aside, and the turns of the list then: a later number may prove that
    /// the move was played.
    pending: Option<(MoveEntry, usize)>,
    /// The turns of the list when two moves were said aside.
    crowded: Option<usize>,
    /// The places of moves in sentences.
    said: Vec<TextPlace>,
    /// Moves that stand alone before the list.
    early: Vec<&'m FoundMove<'m>>,
    diagrams: Diagrams,
    /// The problems, each with the index of the match in which it came up.
    problems: Vec<(usize, Problem)>,
}

impl GameBuilder<'_> {
    fn take_diagram(&mut self, drawn: &LocatedDiagram) {
        let game = self.games.last().filter(|game| !game.turns.is_empty());
        self.diagrams.open.push(UnclaimedDiagram {
            drawn: drawn.clone(),
            after: game.map(|_| (self.games.len() - 1, self.next)),
            list: None,
        });
    }

    /// Reports a number with which the list would continue if a move followed.
    fn take_gap(&mut self, gap: &Gap) {
        let Number { value, place, .. } = gap.number;
        // Remarks with numbers of their own reach any number.
        let last = self.last_gap.replace(value);
        let is_remark = last.is_some_and(|last| last + 1 == value);
        let ply = gap.number.ply();
        // A move in prose may have been taken for it.
        let turns = self.games.last().map_or(&[][..], |game| &game.turns);
        let is_listed = |ply: usize| turns.get(ply).is_some_and(ParsedMove::is_listed);
        let is_next = ply.checked_sub(1).is_some_and(is_listed) && !is_listed(ply);
        if !is_next || is_remark || self.is_halted {
            return;
        }
        let message = format!(
            "this is the number of {}'s move {value}, but no move follows it",
            self.player(ply)
        );
        if gap.is_row {
            self.halt(Problem::error(place, message));
        } else {
            self.report(Problem::warning(place, message));
        }
    }

    fn report(&mut self, problem: Problem) {
        let game = self.games.len().saturating_sub(1);
        self.problems.push((game, problem));
    }

    /// Reports a fault in the list, behind which nothing of it is read.
    fn halt(&mut self, problem: Problem) {
        self.report(problem);
        self.is_halted = true;
    }

    fn take_move(&mut self, at: usize) {
        let moves = self.moves;
        let found = &moves[at];
        let entry = found.entry;
        if found.is_first {
            self.behind = self.next;
            self.is_dropped = false;
        }
        if self.begins_another(at) {
            self.leave_pending();
            if found.is_bare && self.last_beginning > Some(at) {
                self.early.push(found);
                return;
            }
            if found.weight == Weight::Prose && !entry.is_first() {
                return;
            }
            self.games
                .push(ParsedMatch::starting(self.variant.start(), self.voice));
            self.is_halted = false;
            (self.next, self.behind) = (0, 0);
        }
        if entry.number.is_none() && entry.is_aside {
            self.is_dropped = true;
            if found.weight > Weight::Prose {
                self.take_aside(entry);
            } else {
                self.said.push(entry.place);
            }
        } else if !self.is_halted {
            if entry.number.is_some() {
                self.is_dropped = false;
            }
            self.is_dropped = self.is_dropped || !self.place(found);
        }
    }

    /// Keeps a move said aside until a number proves that it was played. Of two it is
    /// unclear which is meant.
    fn take_aside(&mut self, entry: &MoveEntry) {
        if self.crowded == Some(self.next) {
            self.pass_over(entry);
        } else if self.pending.as_ref().map(|(_, turns)| *turns) == Some(self.next) {
            self.leave_pending();
            self.pass_over(entry);
            self.crowded = Some(self.next);
        } else {
            self.leave_pending();
            self.pending = Some((entry.clone(), self.next));
        }
    }

    /// Returns true if a move begins a match.
    fn begins_another(&mut self, at: usize) -> bool {
        let Some(game) = self.games.last() else {
            return true;
        };
        let found = &self.moves[at];
        if !found.is_beginning() || !game.has(Weight::List) {
            return false;
        }
        let is_again = self.is_answer(found) || self.repeats(at);
        if is_again {
            self.is_halted = false;
        }
        !is_again
    }

    /// Returns true if the list that begins at a move agrees with the last match, as
    /// far as both go.
    fn repeats(&mut self, at: usize) -> bool {
        let Some(game) = self.games.last_mut() else {
            return false;
        };
        game.line.begin(0);
        let listed = |(_, found): &(usize, &FoundMove<'_>)| found.weight == Weight::List;
        for (i, found) in self.moves.iter().enumerate().skip(at).filter(listed) {
            let relation = if i > at && found.is_beginning() {
                if game.line.next() != 1 || !found.is_alone || !is_small(found.entry) {
                    return true;
                }
                // Black's move with White's number.
                game.line.follow_as(found.entry, 1)
            } else {
                game.line.follow(found.entry).1
            };
            if relation != Relation::Agrees {
                return relation != Relation::Differs;
            }
        }
        true
    }

    /// Puts a move into its place in the last match. Returns true if it was taken.
    fn place(&mut self, found: &FoundMove<'_>) -> bool {
        let entry = found.entry;
        let ply = entry.ply(self.behind) + usize::from(self.is_answer(found));
        let Some(game) = self.games.last_mut() else {
            return false;
        };
        let is_bare = found.is_bare && !found.is_rest;
        // Within a row only the moves behind a repeated one repeat others.
        self.is_repeated = is_bare
            && (found.is_first || self.is_repeated)
            && (ply < game.turns.len() || repeats_one(game, entry, ply));
        if self.is_repeated {
            return true;
        }
        if let Some(player) = found.player.filter(|player| *player != mover(ply)) {
            if found.is_first {
                self.pass_over(entry);
            } else {
                let [player, other] = [player, !player].map(|color| self.variant.player(color));
                let message = format!(
                    "this line has several moves of {player}, and no line of {other}'s below answers them"
                );
                self.halt(Problem::error(entry.place, message));
            }
            return false;
        }
        let turns = game.turns.len();
        if ply == turns + 1
            && found.weight > Weight::Prose
            && let Some((aside, at)) = self.pending.take()
            && at == turns
        {
            // The number proves that the move said aside was played.
            game.push(aside, Weight::Remark);
        }
        let relation = game.line.relation(entry, ply);
        match relation {
            Relation::Agrees => {
                self.behind = ply + 1;
                if found.weight > Weight::Prose {
                    self.reach(ply);
                }
                return true;
            }
            Relation::Differs if found.weight > game.turns[ply].weight => game.truncate(ply),
            Relation::Differs | Relation::Skips => {
                let is_missing = relation == Relation::Skips;
                match found.weight {
                    Weight::List if !is_missing => self.contradict(entry, ply),
                    Weight::List => self.miss(entry, ply),
                    // The text before a numbered move of a list was no move.
                    Weight::Remark if is_missing && entry.number.is_some() => self.miss(entry, ply),
                    Weight::Remark => self.pass_over(entry),
                    Weight::Prose => {}
                }
                return false;
            }
            Relation::Continues => {}
        }
        game.push(entry.clone(), found.weight);
        self.leave_pending();
        self.behind = ply + 1;
        self.reach(ply);
        true
    }

    /// Notes that the list has reached a turn.
    fn reach(&mut self, ply: usize) {
        self.next = ply + 1;
        self.diagrams.reach(self.games.len() - 1, ply);
    }

    /// Returns true if a move is Black's but repeats the number of White's move before
    /// it: `1. P>e3` and below it `1. n>g5`, or with White's column left blank. Only
    /// the case of the letters shows it.
    fn is_answer(&self, found: &FoundMove<'_>) -> bool {
        let Some((game, number)) = self.games.last().zip(found.entry.number) else {
            return false;
        };
        let ply = number.ply();
        let above = game.turns.get(ply);
        !number.is_second
            && found.is_alone
            && (game.turns.len() == ply + 1 || self.next == ply + 1)
            && is_small(found.entry)
            && above.is_some_and(|turn| is_capital(&turn.entry))
    }

    fn player(&self, ply: usize) -> &'static str {
        self.variant.player(mover(ply))
    }

    fn contradict(&mut self, entry: &MoveEntry, ply: usize) {
        let Some(turn) = self.games.last().and_then(|game| game.turns.get(ply)) else {
            return;
        };
        let (line, other) = (turn.entry.place.line, &turn.entry.text);
        let (player, number) = (self.player(ply), ply / 2 + 1);
        let message =
            format!("this is not what line {line} has as {player}'s move {number}: {other}");
        self.halt(Problem::error(entry.place, message));
    }

    fn miss(&mut self, entry: &MoveEntry, ply: usize) {
        let turns = self.games.last().map_or(0, |game| game.turns.len());
        let named = |ply: usize| format!("{}'s move {}", self.player(ply), ply / 2 + 1);
        let missing = named(turns);
        let message = if turns == 0 {
            format!("the list begins here, with {}", named(ply))
        } else {
            format!("{missing} is missing before this one")
        };
        let place = entry.number.map_or(entry.place, |number| number.place);
        let help = format!("the next move of the list is {missing}");
        self.halt(Problem::error(place, message).helping(help));
    }

    /// Reports a move said aside that no number has proved to be played.
    fn leave_pending(&mut self) {
        if let Some((aside, _)) = self.pending.take() {
            self.pass_over(&aside);
        }
    }

    fn pass_over(&mut self, entry: &MoveEntry) {
        self.report(Problem::warning(entry.place, ASIDE));
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
        for found in mem::take(&mut self.early) {
            if self.games.len() == 1 && answers(found.entry.author) {
                self.behind = self.games[0].turns.len();
                self.place(&FoundMove {
                    player: None,
                    ..*found
                });
            } else {
                let message = "this move stands alone before the list and is not judged";
                self.report(Problem::warning(found.entry.place, message));
            }
        }
    }

    fn finish(mut self) -> Vec<ParsedMatch> {
        self.leave_pending();
        self.take_early();
        let mut games = self.games;
        for game in &mut games {
            if let Some(last) = game.turns.iter().rposition(ParsedMove::is_listed) {
                // A move among words may be the next one of a list, by its number or directly below.
                let below = game.turns[last].entry.place.line + 1;
                let next = game.turns.get(last + 1);
                let next = next
                    .filter(|next| next.entry.number.is_some() || next.entry.place.line <= below)
                    .map(|next| next.entry.place)
                    .or_else(|| self.said.iter().find(|place| place.line == below).copied());
                let is_told = self.problems.iter().any(|(_, one)| one.place.line == below);
                if let Some(place) = next.filter(|_| !is_told) {
                    game.problems.push(Problem::warning(place, ASIDE));
                }
                game.truncate(last + 1);
            }
        }
        self.diagrams.claim(&mut games, self.variant);
        for (game, problem) in self.problems {
            if games.is_empty() {
                games.push(ParsedMatch::new(self.variant));
            }
            let last = games.len() - 1;
            games[game.min(last)].problems.push(problem);
        }
        games
    }
}

/// Returns true if a move on a line of its own repeats an earlier one: it is written in
/// the letters of the player who is not to move, or cannot be played again.
fn repeats_one(game: &ParsedMatch, entry: &MoveEntry, ply: usize) -> bool {
    // Both players may write castling with the same letter.
    let is_of_other = |entry: &MoveEntry, ply: usize| {
        !entry.text.starts_with(['O', 'o'])
            && if ply.is_multiple_of(2) {
                is_small(entry)
            } else {
                is_capital(entry)
            }
    };
    let played = &game.turns[..game.record().steps().len()];
    let says = entry.plain();
    // In SAN the letters do not tell the players.
    let mut turns = played.iter().enumerate();
    let is_other =
        is_of_other(entry, ply) && !turns.any(|(ply, turn)| is_of_other(&turn.entry, ply));
    played.iter().any(|turn| turn.entry.plain() == says)
        && (is_other || game.line.read(entry).is_err())
}

/// The diagrams of a text while its moves are put in order.
#[derive(Default)]
struct Diagrams {
    lists: Vec<ListFromStart>,
    /// Diagrams that no list follows so far.
    open: Vec<UnclaimedDiagram>,
    /// The others.
    followed: Vec<UnclaimedDiagram>,
}

/// A list from its beginning at 1 to the next such beginning.
#[derive(Clone, Copy)]
struct ListFromStart {
    game: usize,
    /// The number of half-moves that it reaches.
    reach: usize,
}

struct UnclaimedDiagram {
    drawn: LocatedDiagram,
    /// The match before it, and the number of its half-moves.
    after: Option<(usize, usize)>,
    /// The list after it.
    list: Option<usize>,
}

impl Diagrams {
    /// Notes that the list has reached a turn of a match, which follows the diagrams before
    /// it.
    fn reach(&mut self, game: usize, ply: usize) {
        if ply == 0 {
            self.lists.push(ListFromStart { game, reach: 0 });
        }
        let list = (ply == 0).then(|| self.lists.len() - 1);
        if let Some(list) = self.lists.last_mut() {
            list.reach = list.reach.max(ply + 1);
        }
        let open = self.open.drain(..);
        self.followed
            .extend(open.map(|diagram| UnclaimedDiagram { list, ..diagram }));
    }

    /// Gives each diagram to its match. A diagram without a match becomes a match without
    /// turns.
    fn claim(mut self, games: &mut Vec<ParsedMatch>, variant: &Variant) {
        self.followed.append(&mut self.open);
        for UnclaimedDiagram { drawn, after, list } in self.followed {
            let list = list.map(|list| self.lists[list]);
            // Moves in prose may have been dropped since.
            let kept = |game: usize, plies: usize| plies.min(games[game].turns.len());
            let mut claim = DiagramClaim {
                drawn,
                after: after.map(|(game, plies)| kept(game, plies)),
                before: list.map(|list| kept(list.game, list.reach)),
            };
            let game = match (after, list) {
                (Some((before, plies)), Some(list)) if list.game != before => {
                    // Between two matches, the diagram belongs to the first if it shows its end.
                    let end = games[before].record().at(plies);
                    if end.is_some_and(|position| claim.drawn.diagram.shows(position)) {
                        claim.before = None;
                        before
                    } else {
                        claim.after = None;
                        list.game
                    }
                }
                (_, Some(list)) => list.game,
                (Some((before, _)), None) => before,
                (None, None) => {
                    games.push(ParsedMatch::new(variant));
                    games.len() - 1
                }
            };
            games[game].claims.push(claim);
        }
    }
}
