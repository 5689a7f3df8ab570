//! The outcome of a message, in one word.

use std::fmt;

/// The outcome of a message. `Display` writes the word that `receive` prints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Disposition {
    /// The move is played.
    Accepted,
    /// The message was handled before, or its move was.
    Duplicate,
    /// The message asks for something that cannot be done.
    Refused,
    /// The move can be read in several ways.
    Ambiguous,
    /// The move stands in prose, and the sender is asked to confirm it.
    Confirm,
    /// The sender may not act in the match.
    Stranger,
    /// It is the other player's move.
    NotYourTurn,
    /// The message does not say which match it is about.
    UnknownMatch,
    /// The match is over.
    Over,
    /// The command is carried out.
    Command,
    /// The words are kept.
    Note,
    /// The match that the message invites to is entered.
    Invitation,
    /// A delivery report says that a mail of ours has not arrived.
    Undelivered,
    /// The message asks for nothing.
    Ignored,
    /// The message must be delivered again later.
    Deferred,
}

impl Disposition {
    /// Every outcome.
    pub const ALL: [Disposition; 14] = [
        Disposition::Accepted,
        Disposition::Duplicate,
        Disposition::Refused,
        Disposition::Ambiguous,
        Disposition::Confirm,
        Disposition::Stranger,
        Disposition::NotYourTurn,
        Disposition::UnknownMatch,
        Disposition::Over,
        Disposition::Command,
        Disposition::Note,
        Disposition::Invitation,
        Disposition::Ignored,
        Disposition::Deferred,
    ];

    /// Returns the word, which also names the template of the answer, if there
    /// is one.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Disposition::Accepted => "accepted",
            Disposition::Duplicate => "duplicate",
            Disposition::Refused => "refused",
            Disposition::Ambiguous => "ambiguous",
            Disposition::Confirm => "confirm",
            Disposition::Stranger => "stranger",
            Disposition::NotYourTurn => "not-your-turn",
            Disposition::UnknownMatch => "unknown-match",
            Disposition::Over => "over",
            Disposition::Command => "command",
            Disposition::Note => "note",
            Disposition::Invitation => "invitation",
            Disposition::Undelivered => "undelivered",
            Disposition::Ignored => "ignored",
            Disposition::Deferred => "deferred",
        }
    }

    /// Returns true if the sender gets an answer, within the quota.
    #[must_use]
    pub const fn is_answered(self) -> bool {
        matches!(
            self,
            Disposition::Refused
                | Disposition::Ambiguous
                | Disposition::Confirm
                | Disposition::NotYourTurn
                | Disposition::Over
                | Disposition::Command
        )
    }
}

impl fmt::Display for Disposition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
