//! Lists of moves: written as the 1994 post does, to the byte, and followed along a record,
//! entry by entry, to find where they differ; a move with its number; and the text of a move
//! that mail programs cannot spoil.
//!
//! `check`, the reading of replies and the comparison of records all follow lists here.
//! They differ only in how they use each [`Relation`].

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

use crate::notation::moves::{Manner, MoveEntry, Moves};
use crate::notation::reader::ParsedText;
use crate::rules::notation::{MoveText, ReadError, Reading, Voice};
use crate::rules::{Color, Ply, Position, Record, Step};

/// A list of moves in its written form: `Display` writes its heading and lines, each
/// with its line ending, or nothing if no move was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveList {
    players: [&'static str; 2],
    /// The number of the first move.
    first: u32,
    /// The turns of both players, in pairs; the last one may lack the second player's.
    turns: Vec<ListTurn>,
    /// The last column that a placement may reach.
    last_column: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ListTurn {
    text: String,
    /// True for a placement of several pieces, which never widens a column.
    is_placement: bool,
}

impl ListTurn {
    fn new(text: impl fmt::Display, is_placement: bool) -> ListTurn {
        let text = text.to_string();
        ListTurn { text, is_placement }
    }
}

/// The narrowest column of White's moves.
const NARROWEST: usize = 8;

/// The last column that a placement may reach in a message.
const LAST_COLUMN: usize = 72;

/// Writes the moves from half-move `from` (from 0) on, without their marks, on one
/// line. The numbers make it unambiguous.
pub fn line(record: &Record, from: usize) -> String {
    let mut line = Vec::new();
    for (ply, step) in record.steps().iter().enumerate().skip(from) {
        let before = record.at(ply).unwrap_or(record.start());
        if ply == from || before.turn() == Color::White {
            line.push(number_of_position(before));
        }
        line.push(step.text.clone());
    }
    line.join(" ")
}

impl MoveList {
    /// Makes the list of the moves played.
    pub fn of(record: &Record) -> MoveList {
        let start = record.start();
        let mut turns = Vec::new();
        if start.turn() == Color::Black && !record.steps().is_empty() {
            turns.push(ListTurn::new("...", false));
        }
        let turn = |step: &Step| ListTurn::new(step, matches!(step.ply, Ply::Placement(_)));
        turns.extend(record.steps().iter().map(turn));
        MoveList {
            players: start.variant().rules().players,
            first: start.number(),
            turns,
            last_column: LAST_COLUMN,
        }
    }

    /// Returns the list for a terminal with so many columns.
    #[must_use]
    pub fn within(self, columns: usize) -> MoveList {
        MoveList {
            last_column: columns.min(LAST_COLUMN),
            ..self
        }
    }

    /// Returns the width of the number column: one more than the longest number and its
    /// dot need.
    fn number_width(&self) -> usize {
        let last = (self.first as usize + self.turns.len().div_ceil(2)).saturating_sub(1);
        (last.to_string().len() + 2).max(4)
    }

    fn first_width(&self) -> usize {
        let firsts = self.turns.iter().step_by(2);
        let moves = firsts.filter(|first| !first.is_placement);
        let widths = moves.map(|first| first.text.len() + 2);
        widths.fold(NARROWEST, usize::max)
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns.is_empty() {
            return Ok(());
        }
        let (numbers, firsts) = (self.number_width(), self.first_width());
        let column = numbers + firsts;
        let [first, second] = self.players;
        writeln!(f, "{first:<column$}{second}\n")?;
        for (number, pair) in (self.first..).zip(self.turns.chunks(2)) {
            let (first, second) = (&pair[0], pair.get(1));
            write!(f, "{:<numbers$}", format!("{number}."))?;
            if first.text.len() + 2 <= firsts && second.is_some() {
                write!(f, "{:<firsts$}", first.text)?;
            } else {
                f.write_str(&broken_below(&first.text, numbers, self.last_column))?;
                if second.is_some() {
                    writeln!(f)?;
                    write!(f, "{:column$}", "")?;
                }
            }
            if let Some(second) = second {
                f.write_str(&broken_below(&second.text, column, self.last_column))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Breaks a move that begins at a column, counted from 0. A move that would pass the
/// last column is broken after the last comma that fits and continues below its own
/// first letter.
fn broken_below(text: &str, column: usize, last_column: usize) -> String {
    parts(text, last_column.saturating_sub(column)).join(&format!("\n{:column$}", ""))
}

/// Breaks a move that is wider than a terminal with so many columns after commas, and
/// indents what goes on.
pub fn broken(text: &str, columns: usize) -> String {
    const INDENT: &str = "  ";
    if text.len() <= columns {
        return text.to_owned();
    }
    parts(text, columns.saturating_sub(INDENT.len())).join(&format!("\n{INDENT}"))
}

/// Breaks a move after the last comma that fits, as long as it is too wide.
fn parts(text: &str, room: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > room {
        let Some(comma) = rest[..room].rfind(',') else {
            break;
        };
        let (part, behind) = rest.split_at(comma + 1);
        parts.push(part);
        rest = behind;
    }
    parts.push(rest);
    parts
}

/// Returns the player of a half-move, counted from 0.
pub fn mover(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

/// Returns the number of a half-move, counted from 0: `3.` or `3...`.
pub(crate) fn number_of_ply(ply: usize) -> String {
    written(ply / 2 + 1, mover(ply))
}

/// Returns the number of the next move in a position: `3.` or `3...`.
pub fn number_of_position(position: &Position) -> String {
    written(position.number() as usize, position.turn())
}

/// Formats a move with its number: `3. B>f4`, `3... n-e6`.
pub fn numbered(ply: usize, text: &str) -> String {
    format!("{} {text}", number_of_ply(ply))
}

/// Formats a half-move of a match, counted from 0, with its number and its mark.
///
/// # Panics
///
/// If the match has fewer half-moves.
pub(crate) fn numbered_step(record: &Record, ply: usize) -> String {
    let before = record.at(ply).unwrap_or(record.start());
    format!("{} {}", number_of_position(before), record.steps()[ply])
}

fn written(number: usize, color: Color) -> String {
    let dots = match color {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{number}{dots}")
}

/// Returns the text that our reader takes for this legal ply and no other, even if it
/// stands alone, and even if each `+` in it is lost or has become a blank: the canonical
/// text, or else one that has the square of origin or a capital letter. Returns none if
/// no text is so clear.
pub fn clear_text(position: &Position, ply: &Ply) -> Option<String> {
    let text = position.text(ply);
    // A small letter may be a file, and a letter before a rank may name a square. Without its
    // `+` a promoted piece is another one, that may have a move to the same square.
    let names_square = text.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    if !text.contains('+') && !text.starts_with(['b', 'g']) && !names_square {
        return Some(text);
    }
    let long = position.long_text(ply);
    let [capital, long_capital] = [&text, &long].map(|text| capitalized(text));
    let mut forms = [text, long, capital, long_capital].into_iter();
    forms.find(|text| is_clear(position, text, ply))
}

fn is_clear(position: &Position, text: &str, ply: &Ply) -> bool {
    let read = |text: &str| {
        position
            .read_with(text, Voice::Alone)
            .map(|reading| reading.ply)
    };
    let is_other = |damaged: String| read(&damaged).is_ok_and(|other| other != *ply);
    read(text).is_ok_and(|read| read == *ply)
        && !(text.contains('+')
            && ["", " "]
                .into_iter()
                .any(|sign| is_other(text.replace('+', sign))))
}

/// Returns a text with its first letter as a capital.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// The relation of an entry to the moves that its list is followed along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The entry is the move at its half-move.
    Agrees,
    /// The entry belongs to the half-move after the last one.
    Continues,
    /// Another move is at its half-move.
    Differs,
    /// Moves between the last one and the entry are missing.
    Skips,
}

thread_local! {
    static READINGS: Cell<u64> = const { Cell::new(0) };
}

/// Returns how many moves of lists this thread has given to the general reader so far,
/// which takes many times as long as canonical text does.
#[doc(hidden)]
pub fn listed_moves_interpreted() -> u64 {
    READINGS.get()
}

/// The moves that lists are followed along: a record and the moves that the lists add
/// to it.
#[derive(Clone, Debug)]
pub struct Follower<'r> {
    record: Cow<'r, Record>,
    /// The moves after the record, from the first that cannot be played.
    unplayed: Vec<String>,
    /// For each half-move, caches which texts mean its move, because one list may be
    /// quoted a thousand times.
    known: Vec<HashMap<String, bool>>,
    /// The half-move of an entry without a number.
    next: usize,
    /// The place where the moves are written.
    voice: Voice,
    /// True if moves are played on when a count has ended the game.
    plays_on: bool,
}

impl<'r> Follower<'r> {
    /// Follows lists along a record. The record is copied only when a list adds to it.
    pub fn new(record: &'r Record) -> Follower<'r> {
        Follower::along(Cow::Borrowed(record))
    }

    /// Follows lists along a record that is borrowed or owned.
    pub(super) fn along(record: Cow<'r, Record>) -> Follower<'r> {
        Follower {
            record,
            unplayed: Vec::new(),
            known: Vec::new(),
            next: 0,
            voice: Voice::List,
            plays_on: false,
        }
    }

    /// Plays on when a count has ended the game, as servers and players do.
    pub(super) fn play_on(&mut self) {
        self.plays_on = true;
    }

    /// Sets the notation in which the moves are written: SAN is [`Voice::Program`].
    pub(super) fn set_voice(&mut self, voice: Voice) {
        self.voice = voice;
    }

    /// Returns the record with all playable moves added to it.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Converts into the record with all playable moves added to it.
    pub(crate) fn into_record(self) -> Record {
        self.record.into_owned()
    }

    /// Returns the number of moves, including those that cannot be played.
    pub fn plies(&self) -> usize {
        self.record.steps().len() + self.unplayed.len()
    }

    /// Begins another list, whose first entry is half-move `ply` if it has no number.
    pub fn begin(&mut self, ply: usize) {
        self.next = ply;
    }

    /// Returns the half-move of the next entry, if that has no number.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Takes the next entry of a list. Returns its half-move and its relation to the
    /// moves.
    pub fn follow(&mut self, entry: &MoveEntry) -> (usize, Relation) {
        let ply = entry.ply(self.next);
        (ply, self.follow_as(entry, ply))
    }

    /// Counts the next entry of a list without reading it.
    pub fn pass(&mut self, entry: &MoveEntry) {
        self.next = entry.ply(self.next) + 1;
    }

    /// Takes the next entry of a list as half-move `ply`, regardless of its number.
    pub fn follow_as(&mut self, entry: &MoveEntry, ply: usize) -> Relation {
        self.next = ply + 1;
        self.relation(entry, ply)
    }

    /// Returns the relation of an entry to the moves, if taken as half-move `ply`.
    pub fn relation(&mut self, entry: &MoveEntry, ply: usize) -> Relation {
        match ply.cmp(&self.plies()) {
            std::cmp::Ordering::Less if self.has(entry, ply) => Relation::Agrees,
            std::cmp::Ordering::Less => Relation::Differs,
            std::cmp::Ordering::Equal => Relation::Continues,
            std::cmp::Ordering::Greater => Relation::Skips,
        }
    }

    /// Returns true if the entry is the move at half-move `ply`.
    pub fn has(&mut self, entry: &MoveEntry, ply: usize) -> bool {
        let steps = self.record.steps();
        let (Some(position), Some(step)) = (self.record.at(ply), steps.get(ply)) else {
            let unplayed = ply.checked_sub(steps.len());
            let move_there = unplayed.and_then(|at| self.unplayed.get(at));
            return move_there.is_some_and(|text| *text == entry.plain());
        };
        let Ok(text) = &entry.parsed else {
            return false;
        };
        // The canonical form needs no interpretation.
        if entry.text == step.text && self.is_canonical(text) {
            return true;
        }
        if self.known.len() <= ply {
            self.known.resize_with(ply + 1, HashMap::new);
        }
        let known = &mut self.known[ply];
        if let Some(is_move) = known.get(&entry.text) {
            return *is_move;
        }
        READINGS.set(READINGS.get() + 1);
        let reading = position.interpret(text, self.voice);
        let is_move = reading.is_ok_and(|reading| reading.ply == step.ply);
        known.insert(entry.text.clone(), is_move);
        is_move
    }

    /// Reads an entry as the next move.
    ///
    /// # Errors
    ///
    /// If the entry cannot be played. If the match is over, the error says so before any
    /// other, except for a text that is no move at all.
    pub fn read(&self, entry: &MoveEntry) -> Result<Reading, ReadError> {
        // A text that is no move is none in any position.
        let parsed = entry.parsed.as_ref();
        let parsed = parsed.map_err(|error| ReadError::NotAMove(error.clone()))?;
        READINGS.set(READINGS.get() + 1);
        if self.plays_on {
            return self.record.position().interpret(parsed, self.voice);
        }
        self.record.interpret(parsed, self.voice)
    }

    /// Adds an entry as the next move. Returns its reading, or none if an earlier move
    /// could not be played.
    pub fn push(&mut self, entry: &MoveEntry) -> Option<Result<Reading, ReadError>> {
        let result = self.unplayed.is_empty().then(|| {
            // Most lists are canonical, and need no interpretation.
            let parsed = entry.parsed.as_ref().ok();
            let parsed = parsed.filter(|text| self.is_canonical(text));
            if let Some(step) = parsed.and_then(|text| self.record.to_mut().play_marked(text)) {
                return Ok(Reading {
                    ply: step.ply,
                    warnings: Vec::new(),
                    offers_draw: false,
                });
            }
            let reading = self.read(entry)?;
            let record = self.record.to_mut();
            let played = if self.plays_on {
                record.play_on(&reading.ply)
            } else {
                record.play(&reading.ply)
            };
            played.map_err(ReadError::Illegal)?;
            Ok(reading)
        });
        if !matches!(result, Some(Ok(_))) {
            self.unplayed.push(entry.plain());
        }
        result
    }

    /// Returns true if a text in canonical form means what that form means. In SAN a small
    /// letter is a file.
    fn is_canonical(&self, text: &MoveText) -> bool {
        self.voice == Voice::List || !text.as_str().starts_with(|c: char| c.is_ascii_lowercase())
    }

    /// Takes back all moves after the first `plies`.
    pub fn truncate(&mut self, plies: usize) {
        let played = self.record.steps().len();
        self.unplayed.truncate(plies.saturating_sub(played));
        if plies < played {
            let record = self.record.to_mut();
            while record.steps().len() > plies {
                record.undo();
            }
            self.known.truncate(plies);
        }
    }
}

/// Returns true if a row without a number may be the rest of a list's row above it. The
/// second player's column is narrow, and a placement or a mail program breaks the row
/// before it.
pub(crate) fn may_be_rest(row: &Moves, above: &Moves) -> bool {
    row.manner == Manner::Bare && row.entries[0].author == above.entries[0].author
}

/// The result of following all lists of a text, which belong to one match, along its
/// record.
#[derive(Clone, Debug)]
pub struct FollowedList {
    /// The number of half-moves that the longest list reaches; none if there is no
    /// list.
    pub reach: Option<usize>,
    /// The record, extended by the lists.
    pub record: Record,
    /// The first half-move that differs or cannot be played.
    pub divergence: Option<Divergence>,
}

/// A half-move at which a list differs from the record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The half-move, from 0.
    pub ply: usize,
    /// The move in the list, as written.
    pub there: String,
    /// The number of its line, from 1.
    pub line: usize,
    /// The kind of difference.
    pub kind: DivergenceKind,
}

/// The ways in which a list can differ from a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DivergenceKind {
    /// The list has another move at this half-move.
    #[error("there is another move")]
    Other,
    /// The moves before it are missing.
    #[error("what comes before it is not told")]
    Gap,
    /// The list continues with a move that cannot be played.
    #[error("{0}")]
    Unplayable(#[source] ReadError),
}

/// Follows the lists of a text along a record and beyond its end. `is_list` returns
/// true for lines that belong to a list.
pub(crate) fn follow_lists(
    record: &Record,
    text: &ParsedText<'_>,
    is_list: impl Fn(Manner) -> bool,
) -> FollowedList {
    let mut follower = Follower::new(record);
    let (mut reach, mut divergence) = (None, None);
    let mut above: Option<&Moves> = None;
    let rows = text.moves().filter(|row| {
        let is_row = is_list(row.manner) || above.is_some_and(|above| is_rest(row, above));
        if is_row {
            above = Some(row);
        }
        is_row
    });
    for entry in rows.flat_map(Moves::of_list) {
        let (ply, relation) = follower.follow(entry);
        let kind = match relation {
            Relation::Agrees => None,
            Relation::Differs => Some(DivergenceKind::Other),
            // Nothing is played after the first difference.
            Relation::Continues if divergence.is_none() => {
                let error = follower.push(entry).and_then(Result::err);
                error.map(DivergenceKind::Unplayable)
            }
            Relation::Continues | Relation::Skips => Some(DivergenceKind::Gap),
        };
        if let Some(kind) = kind {
            let found = Divergence {
                ply,
                there: entry.text.clone(),
                line: entry.place.line,
                kind,
            };
            // Lists may differ beyond the record, but a difference within it takes
            // precedence.
            if ply < record.steps().len() {
                divergence = Some(found);
                break;
            }
            divergence.get_or_insert(found);
        }
        reach = reach.max(Some(ply + 1));
    }
    FollowedList {
        reach,
        record: follower.into_record(),
        divergence,
    }
}

/// Returns true if the row is the second player's half of the row above.
fn is_rest(row: &Moves, above: &Moves) -> bool {
    let [first] = above.entries.as_slice() else {
        return false;
    };
    may_be_rest(row, above)
        && row.entries.len() == 1
        && row.lines.start == above.lines.end
        && first.number.is_some_and(|number| !number.is_second)
}

/// Returns true for a numbered list. In a mail, a bare move is its sender's next one.
pub fn is_numbered(manner: Manner) -> bool {
    manner == Manner::List
}
