//! A player's message together with its match.

use crate::matches::r#match::Match;
use crate::notation::move_number;
use crate::notation::moves::MoveEntry;
use crate::notation::reader::ParsedText;
use crate::quoting::id_line::IdLine;
use crate::quoting::line::Author;
use crate::rules::{Color, Position, Record};

/// A player's message together with its match.
#[derive(Clone, Copy)]
pub(super) struct Reply<'a> {
    pub(super) game: &'a Match,
    pub(super) sender: Color,
    pub(super) text: &'a ParsedText<'a>,
    pub(super) id_lines: &'a [IdLine],
}

impl<'a> Reply<'a> {
    pub(super) fn record(&self) -> &'a Record {
        self.game.record()
    }

    pub(super) fn position(&self) -> &'a Position {
        self.record().position()
    }

    /// Returns the number of half-moves made.
    pub(super) fn plies(&self) -> usize {
        self.record().steps().len()
    }

    pub(super) fn is_senders_turn(&self) -> bool {
        self.position().turn() == self.sender
    }

    /// Returns the number of the next move.
    pub(super) fn next_number(&self) -> String {
        move_number::of_ply(self.plies())
    }

    /// Returns a line of the text by its number, counted from 1.
    pub(super) fn line(&self, number: usize) -> Option<String> {
        let line = self.text.lines.get(number.checked_sub(1)?)?;
        Some(line.text.trim().to_owned())
    }

    /// Returns the line that a move stands on.
    pub(super) fn line_of(&self, entry: &MoveEntry) -> String {
        let line = self.line(entry.place.line);
        line.unwrap_or_else(|| entry.text.trim().to_owned())
    }

    /// Returns the number of half-moves in the position that the message answers, if
    /// its id line gives it.
    pub(super) fn answered(&self) -> Option<usize> {
        let line = self.id_lines.first()?;
        // The sender's own program has already counted the move; a mailer that quotes
        // without marks has not.
        let counts_it = line.author == Author::Own && line.plies == self.plies() + 1;
        Some(line.plies - usize::from(counts_it))
    }
}
