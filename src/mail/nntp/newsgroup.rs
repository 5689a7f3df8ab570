//! The name of a newsgroup.

use std::fmt;
use std::str::FromStr;

/// The name of a newsgroup, such as `rec.games.abstract`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Newsgroup(String);

impl Newsgroup {
    /// The most bytes of a name.
    const MOST: usize = 200;

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Newsgroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// Returns true if a name is kept for the servers themselves (RFC 5536, 3.1.4): nobody posts there.
fn is_reserved(name: &str) -> bool {
    let is_kept = |part: &str| ["all", "ctl"].contains(&part);
    let first = name.split('.').next().unwrap_or_default();
    ["control", "example", "to"].contains(&first)
        || ["poster", "junk"].contains(&name)
        || name.split('.').any(is_kept)
}

/// The error for a text that is no name of a newsgroup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the name of a newsgroup, as in 'rec.games.abstract'")]
pub struct ParseNewsgroupError;

impl FromStr for Newsgroup {
    type Err = ParseNewsgroupError;

    /// Reads a name as RFC 5536 has it in 3.1.4.
    fn from_str(text: &str) -> Result<Newsgroup, ParseNewsgroupError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-_".contains(&byte);
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(is_plain);
        if text.len() > Newsgroup::MOST || !text.split('.').all(is_part) || is_reserved(text) {
            return Err(ParseNewsgroupError);
        }
        Ok(Newsgroup(text.to_owned()))
    }
}
