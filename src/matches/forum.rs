//! The places where everybody reads a match: a newsgroup or a mailing list.

use std::fmt;

use lettre::Address;

use crate::mail::nntp::newsgroup::Newsgroup;
use crate::matches::article::{GROUP, LIST};
use crate::matches::event::LogEntry;
use crate::matches::state::{NotAllowed, value};

/// A place where everybody reads a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forum {
    /// A newsgroup, to which a news server takes articles.
    Group(Newsgroup),
    /// A mailing list, to whose address mail goes.
    List(Address),
}

impl Forum {
    /// Returns the address, if it is a mailing list.
    pub fn list(&self) -> Option<&Address> {
        match self {
            Forum::Group(_) => None,
            Forum::List(address) => Some(address),
        }
    }

    /// Returns the name, if it is a newsgroup.
    pub fn group(&self) -> Option<&Newsgroup> {
        match self {
            Forum::Group(group) => Some(group),
            Forum::List(_) => None,
        }
    }

    /// Writes its name into a line of the log.
    pub(super) fn named_in(&self, event: LogEntry) -> LogEntry {
        match self {
            Forum::Group(group) => event.key(GROUP, Some(group)),
            Forum::List(address) => event.key(LIST, Some(address)),
        }
    }

    /// Returns the forum that a line of the log names.
    pub(super) fn of(event: &LogEntry) -> Result<Option<Forum>, NotAllowed> {
        if let Some(address) = value(event, LIST, "mail address")? {
            return Ok(Some(Forum::List(address)));
        }
        let group = value(event, GROUP, "name of a newsgroup")?;
        Ok(group.map(Forum::Group))
    }

    /// Returns true if a line of the log names it.
    pub(super) fn is_of(&self, event: &LogEntry) -> bool {
        Forum::of(event).is_ok_and(|forum| forum.as_ref() == Some(self))
    }
}

impl fmt::Display for Forum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forum::Group(group) => group.fmt(f),
            Forum::List(address) => address.fmt(f),
        }
    }
}
