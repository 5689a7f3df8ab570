//! What the program sent to the writer of a text before.

use crate::quoting::words::Words;

/// How many words apart two carried words may stand and still count as near. A mail
/// program may drop a word between them.
const CARRIED_REACH: usize = 4;

/// How many words apart two words of our own may stand and still count as near.
const OWN_REACH: usize = 1;

/// How many words apart the number of a row and its last move stand.
const RECORD_REACH: usize = 2;

/// What the program sent to the writer of a text. It tells the writer's words from ours
/// and from those of other people that we carried.
///
/// The cost of making it is linear in the texts.
///
/// # Examples
///
/// ```
/// use parapost::quoting::classify::classify;
/// use parapost::quoting::line::Author;
/// use parapost::quoting::sent::Sent;
///
/// let sent = Sent::nothing().carried("I fear\n1. P>e3 n>g5 2. K>a1");
/// let lines = classify("Thanks!\n\nI fear\n1. P>e3 n>g5 2. K>a1\n", &sent);
/// assert_eq!(lines[0].author, Author::Own);
/// assert_eq!(lines[3].author, Author::Carried);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Sent {
    /// The words of other people.
    pub(super) carried: Words,
    /// Our own words around them.
    pub(super) ours: Words,
    /// The list of the moves played.
    pub(super) record: Words,
}

impl Sent {
    /// Nothing is known to have been sent, as for a pasted text.
    #[must_use]
    pub fn nothing() -> Sent {
        Sent::default()
    }

    /// Adds words of another person that were sent to the writer.
    #[must_use]
    pub fn carried(mut self, text: &str) -> Sent {
        self.carried.add(text, CARRIED_REACH);
        self
    }

    /// Adds words of our own.
    #[must_use]
    pub fn ours(mut self, text: &str) -> Sent {
        self.ours.add(text, OWN_REACH);
        self
    }

    /// Returns the same, for what is sent with many texts: it costs nothing to clone, and
    /// what is added to a clone costs no more than its own words.
    #[must_use]
    pub fn shared(self) -> Sent {
        Sent {
            carried: self.carried.shared(),
            ours: self.ours.shared(),
            record: self.record.shared(),
        }
    }

    /// Adds the list of the moves played. A row of it is the record's, even if somebody
    /// repeats it in words that were carried.
    #[must_use]
    pub fn record(mut self, list: &str) -> Sent {
        self.record.add(list, RECORD_REACH);
        self
    }
}
