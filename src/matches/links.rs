//! The hashes that a match keeps of the lines of its log.

use crate::Error;
use crate::matches::chain::Link;
use crate::matches::event::Event;
use crate::matches::r#match::Match;

impl Match {
    /// Returns the hash of the last line of the log.
    pub(crate) fn last_link(&self) -> Link {
        match self.links.last() {
            Some(link) => *link,
            None => unreachable!("a log has its first line"),
        }
    }

    /// Returns the hash of a line of the log (from 0) whose text is known: it is that
    /// event, behind a line with the hash `previous`, or behind none.
    pub(crate) fn known_link(
        &self,
        at: usize,
        event: &Event,
        previous: Option<Link>,
    ) -> Option<Link> {
        let before = at.checked_sub(1).map(|before| self.links.get(before));
        let is_known = self.log.get(at) == Some(event) && before == previous.as_ref().map(Some);
        self.links.get(at).copied().filter(|_| is_known)
    }

    /// Adds an event to the log, of which the hash is known, and applies it.
    ///
    /// # Errors
    ///
    /// As [`Match::push`].
    pub(crate) fn push_linked(&mut self, event: Event, link: Link) -> Result<(), Error> {
        self.state
            .apply(self.log.len() + 1, &event)
            .map_err(Error::refused)?;
        self.log.push(event);
        self.links.push(link);
        Ok(())
    }
}
