//! The id of a match.

use std::fmt;
use std::str::FromStr;

/// The id of a match: `[a-z0-9][a-z0-9-]{0,31}`. It is a valid file name on
/// every system, and never a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(String);

impl Id {
    /// The longest id, in characters.
    pub const LONGEST: usize = 32;

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Creates a random id: six letters and digits that are not easily
    /// confused.
    ///
    /// # Errors
    ///
    /// If the system has no source of random numbers.
    pub fn random() -> Result<Id, getrandom::Error> {
        let mut bytes = [0; 6];
        getrandom::fill(&mut bytes)?;
        Ok(Id::of_digest(&bytes))
    }

    /// Creates the id that the first bytes of a digest, or of random numbers, come to.
    pub(crate) fn of_digest(digest: &[u8]) -> Id {
        // 32 letters make all equally likely; i, l, o and u are left out.
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let letter = |byte: &u8| char::from(LETTERS[usize::from(byte & 31)]);
        Id(digest.iter().take(6).map(letter).collect())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error for a text that is not the id of a match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{}' is no id of a match: 1 to {} small letters, digits and hyphens, the first no hyphen", .0.escape_debug(), Id::LONGEST)]
pub struct ParseIdError(String);

impl FromStr for Id {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Id, ParseIdError> {
        let good = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=Id::LONGEST).contains(&text.len())
            && text.bytes().all(good)
            && !text.starts_with('-')
        {
            Ok(Id(text.to_owned()))
        } else {
            Err(ParseIdError(text.to_owned()))
        }
    }
}
