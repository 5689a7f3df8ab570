//! Why a move is not allowed, in a player's words.

use alloc::string::String;
use core::fmt;

/// A move that was understood and is not allowed. Its `Display` is the reason
/// in a player's words, a clause without a full stop: "White's king is still in
/// reserve, so White may not capture".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    reason: String,
}

impl IllegalMove {
    pub(crate) fn new(reason: String) -> IllegalMove {
        IllegalMove { reason }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl core::error::Error for IllegalMove {}
