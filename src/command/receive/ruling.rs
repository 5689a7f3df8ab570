//! The word for what became of a letter, and why.

use crate::command::receive::Disposition;

/// What becomes of a letter.
pub(super) struct Ruling {
    pub(super) word: Disposition,
    /// Why, for the person who runs the program; may be empty.
    pub(super) reason: String,
}

impl Ruling {
    pub(super) fn new(word: Disposition, reason: impl Into<String>) -> Ruling {
        Ruling {
            word,
            reason: reason.into(),
        }
    }
}
