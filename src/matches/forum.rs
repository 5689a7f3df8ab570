//! The places where everybody reads a match: a newsgroup or a mailing list.

use std::fmt;

use lettre::Address;

use crate::mail::nntp::newsgroup::Newsgroup;

/// The key of the newsgroup in the event that owes an article.
pub const GROUP: &str = "group";

/// The key of the mailing list in the event that owes an article to one, and in those that a letter
/// has caused which went there, too.
pub const LIST: &str = "list";

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

    /// Returns the key of its name in a line of the log.
    pub(super) const fn key(&self) -> &'static str {
        match self {
            Forum::Group(_) => GROUP,
            Forum::List(_) => LIST,
        }
    }
}

/// Who may have read a letter beside its writer and us, and so knows the ids that it cites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Readers {
    /// Nobody else.
    Us,
    /// Those whom the letter went to as well.
    Others,
    /// Everybody who reads this mailing list.
    List(Address),
}

impl fmt::Display for Forum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forum::Group(group) => group.fmt(f),
            Forum::List(address) => address.fmt(f),
        }
    }
}
