//! What became of a message, in one word.

use std::fmt;

/// What became of a message. Its `Display` is the word in the output of
/// `receive`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Disposition {
    /// Its move is played.
    Accepted,
    /// It was dealt with before, or its move was.
    Duplicate,
    /// It asks for something that cannot be done.
    Refused,
    /// Its move can be read in several ways.
    Ambiguous,
    /// Its move stands in prose, and its sender is asked.
    Confirm,
    /// Its sender has no say.
    Stranger,
    /// It is the other player's move.
    NotYourTurn,
    /// It does not say which match it is about.
    UnknownMatch,
    /// The match is over.
    Over,
    /// Its command is carried out.
    Command,
    /// Its words are kept.
    Note,
    /// It asks for nothing.
    Ignored,
    /// It is to come again.
    Deferred,
}

impl Disposition {
    /// The word, which also names the template of the answer, if there is one.
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
            Disposition::Ignored => "ignored",
            Disposition::Deferred => "deferred",
        }
    }

    /// Whether its sender is answered, unless there were too many answers.
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
