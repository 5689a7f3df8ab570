//! The outcome of a message, in one word.

use std::fmt;

/// Defines the enum, the list of its variants and their words from one table, so that none
/// can be left out.
macro_rules! dispositions {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)*) => {
        /// The outcome of a message. `Display` writes the word that `receive` prints.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Disposition {
            $($(#[$doc])* $name,)*
        }

        impl Disposition {
            /// Every outcome.
            pub const ALL: [Disposition; [$($word),*].len()] = [$(Disposition::$name),*];

            /// Returns the word, which also names the template of the answer, if there
            /// is one.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Disposition::$name => $word,)*
                }
            }
        }
    };
}

dispositions! {
    /// The move is played.
    Accepted => "accepted",
    /// The message was handled before, or its move was.
    Duplicate => "duplicate",
    /// The message asks for something that cannot be done.
    Refused => "refused",
    /// The move can be read in several ways.
    Ambiguous => "ambiguous",
    /// The move stands in prose, and the sender is asked to confirm it.
    Confirm => "confirm",
    /// The sender may not act in the match.
    Stranger => "stranger",
    /// It is the other player's move.
    NotYourTurn => "not-your-turn",
    /// The message does not say which match it is about.
    UnknownMatch => "unknown-match",
    /// The match is over.
    Over => "over",
    /// The command is carried out.
    Command => "command",
    /// The words are kept.
    Note => "note",
    /// The match that the message invites to is entered.
    Invitation => "invitation",
    /// A delivery report says that a mail of ours has not arrived.
    Undelivered => "undelivered",
    /// The message asks for nothing.
    Ignored => "ignored",
    /// The message must be delivered again later.
    Deferred => "deferred",
}

impl Disposition {
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
