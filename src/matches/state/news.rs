//! What the articles of others in a newsgroup do to the state of a match.

use crate::matches::event::LogEntry;
use crate::matches::state::{NotAllowed, State};

impl State {
    /// Takes back the last move, of which another article says that it was another one, with the
    /// mail and the articles that tell of it and have not gone.
    pub(in crate::matches) fn withdraw_move(&mut self, event: &LogEntry) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        let last = self.moves.last().filter(|last| last.is_by_public);
        let line = last.ok_or(NotAllowed::NothingPlayed)?.line;
        self.unplay();
        self.go_on_from(line);
        self.since = event.time;
        self.is_disputed = true;
        Ok(())
    }

    /// Returns the line of the last move if it came by what anybody may have read before.
    pub(in crate::matches) fn public_move(&self) -> Option<usize> {
        let last = self.moves.last().filter(|last| last.is_by_public);
        last.map(|last| last.line)
    }
}
