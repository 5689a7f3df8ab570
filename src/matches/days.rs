//! The time limit for a move.

use std::fmt;
use std::str::FromStr;

/// A number of days for a move, 1 to 3650, written `10d`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Days(u16);

impl Days {
    /// The number of days.
    #[must_use]
    pub const fn days(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d", self.0)
    }
}

/// The error for a text that is no number of days.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{}' is no time for a move: write 1d to 3650d", .0.escape_debug())]
pub struct ParseDaysError(String);

impl FromStr for Days {
    type Err = ParseDaysError;

    fn from_str(text: &str) -> Result<Days, ParseDaysError> {
        text.strip_suffix('d')
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok())
            .filter(|days| (1..=3650).contains(days))
            .map(Days)
            .ok_or_else(|| ParseDaysError(text.to_owned()))
    }
}
