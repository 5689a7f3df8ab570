//! The offers that stand in a match, and when they were made.

use crate::matches::event::{Event, EventKind};
use crate::matches::r#match::Match;
use crate::matches::takeback::Takeback;

impl Match {
    /// Returns the line of the log (from 1) at which the offer of a draw was made that
    /// stands.
    #[must_use]
    pub fn offered_at(&self) -> Option<usize> {
        let by = self.offer()?;
        self.last_line(|event| event.kind == EventKind::Offer && event.who == by.into())
    }

    /// Returns the line of the log (from 1) at which the proposal was made that stands,
    /// to take the last move back.
    #[must_use]
    pub fn proposed_at(&self) -> Option<usize> {
        let by = self.takeback()?;
        let propose = Takeback::Propose.to_string();
        self.last_line(|event| {
            event.kind == EventKind::Takeback
                && event.who == by.into()
                && event.argument.as_ref() == Some(&propose)
        })
    }

    fn last_line(&self, is_it: impl Fn(&Event) -> bool) -> Option<usize> {
        self.log.iter().rposition(is_it).map(|at| at + 1)
    }
}
