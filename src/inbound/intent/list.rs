//! The rows of a list of moves in a letter.

use crate::inbound::intent::Case;
use crate::notation::moves::{Manner, Moves};
use crate::quoting::line::{Author, Line};

/// The rows of a list, all of the same origin.
#[derive(Default)]
pub(super) struct List<'a> {
    rows: Vec<&'a Moves>,
    /// The half-move behind the last row.
    next: usize,
    /// How many lines stand between the last two rows.
    gap: usize,
}

impl<'a> List<'a> {
    /// Whose words it is in; none before its first row.
    pub(super) fn author(&self) -> Option<Author> {
        self.rows.first().map(|row| row.entries[0].author)
    }

    /// The rows, after which a new list begins.
    pub(super) fn take(&mut self) -> Vec<&'a Moves> {
        std::mem::take(self).rows
    }

    /// Adds a row. A list without a number begins with the half-move `first`.
    pub(super) fn push(&mut self, row: &'a Moves, first: usize) {
        if self.rows.is_empty() {
            self.next = first;
        }
        for entry in row.entries.iter().filter(|entry| !entry.is_aside) {
            self.next = entry.ply(self.next) + 1;
        }
        if let Some(last) = self.rows.last() {
            self.gap = row.lines.start.saturating_sub(last.lines.end);
        }
        self.rows.push(row);
    }

    /// Whether moves without a number, on a line directly below, belong to the
    /// list: the column of the second player is narrow, and many a program or
    /// a placement breaks the row before it. They do if they are what the
    /// record has at that place. A move that is to be made now does only in a
    /// quotation with its marks, where it was typed in, and no farther down
    /// than rows are from each other: the sender's own stands for itself.
    pub(super) fn goes_on(&self, row: &Moves, case: &Case<'_>) -> bool {
        let (Some(author), Some(last)) = (self.author(), self.rows.last()) else {
            return false;
        };
        // A comment may end on the line that goes on.
        let between = case.text.lines.get(last.lines.end..row.lines.start);
        let between = between.unwrap_or_default();
        if row.manner != Manner::Bare
            || row.entries[0].author != author
            || !between.iter().all(Line::is_blank)
        {
            return false;
        }
        let is_typed_in = matches!(author, Author::Quoted(1..)) && between.len() <= self.gap;
        (self.next..)
            .zip(&row.entries)
            .all(|(ply, entry)| case.agrees(entry, ply) || (ply == case.plies && is_typed_in))
    }
}
