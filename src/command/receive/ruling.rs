//! The word for what became of a letter, and why.

use crate::command::receive::Word;

/// What becomes of a letter.
pub(super) struct Ruling {
    pub(super) word: Word,
    /// Why, for the person who runs the program; may be empty.
    pub(super) reason: String,
}

impl Ruling {
    pub(super) fn new(word: Word, reason: impl Into<String>) -> Ruling {
        Ruling {
            word,
            reason: reason.into(),
        }
    }
}
