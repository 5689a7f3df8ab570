//! A player: a name and the addresses that speak for it.

use std::fmt;
use std::str::FromStr;

use lettre::Address;

use crate::rules::is_unprintable;

/// A player: a name and one or more addresses, the first of which mail goes
/// to. Written `Anna White <anna@example.org>, <anna@work.test>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    name: String,
    addresses: Vec<Address>,
}

impl Player {
    /// The longest name, in characters.
    pub const LONGEST_NAME: usize = 60;

    /// The player of that name and those addresses.
    ///
    /// # Errors
    ///
    /// If the name has a character that does not belong in one, or is too
    /// long, or there is no address.
    pub fn new(name: &str, addresses: Vec<Address>) -> Result<Player, ParsePlayerError> {
        let name = name.trim();
        if name.chars().count() > Player::LONGEST_NAME {
            return Err(ParsePlayerError::new(name, "the name is too long"));
        }
        if name
            .chars()
            .any(|c| is_unprintable(c) || "<>\"".contains(c))
        {
            return Err(ParsePlayerError::new(
                name,
                "the name has a character that does not belong in one",
            ));
        }
        if addresses.is_empty() {
            return Err(ParsePlayerError::new(name, "there is no address"));
        }
        Ok(Player {
            name: name.to_owned(),
            addresses,
        })
    }

    /// What the player is called: the name, or the address where no name was
    /// given.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.name.is_empty() {
            self.address().as_ref()
        } else {
            &self.name
        }
    }

    /// The name as it was given, which may be empty.
    #[must_use]
    pub fn given_name(&self) -> &str {
        &self.name
    }

    /// The address that mail goes to.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.addresses[0]
    }

    /// Every address, the one that mail goes to first.
    #[must_use]
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Whether the address is one of the player's, or a sub-address of one:
    /// `anna+chess@example.org` is Anna's as `anna@example.org` is.
    #[must_use]
    pub fn has(&self, address: &Address) -> bool {
        self.addresses.iter().any(|own| same_mailbox(own, address))
    }
}

/// Whether two addresses are one. The part before the `@` is case-sensitive
/// by the letter of RFC 5321 and by nobody's practice. Only letters of ASCII are
/// one in both cases: what looks alike is not the same.
#[must_use]
pub fn same_address(one: &Address, other: &Address) -> bool {
    let (one, other): (&str, &str) = (one.as_ref(), other.as_ref());
    one.eq_ignore_ascii_case(other)
}

/// Whether two addresses belong to one mailbox: they are the same but for what
/// follows a `+` before the `@` (RFC 5233).
fn same_mailbox(one: &Address, other: &Address) -> bool {
    let mailbox = |address: &Address| {
        let user = address.user();
        let name = match user.split_once('+') {
            Some((name, _)) if !name.is_empty() => name,
            _ => user,
        };
        (
            name.to_ascii_lowercase(),
            address.domain().to_ascii_lowercase(),
        )
    };
    mailbox(one) == mailbox(other)
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, address) in self.addresses.iter().enumerate() {
            let between = match i {
                0 if self.name.is_empty() => "",
                0 => " ",
                _ => ", ",
            };
            write!(f, "{between}<{address}>")?;
        }
        Ok(())
    }
}

/// A text that is no player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePlayerError(String);

impl ParsePlayerError {
    fn new(text: &str, why: impl fmt::Display) -> ParsePlayerError {
        ParsePlayerError(format!(
            "'{}' is no player: {why}; write NAME <ADDRESS>",
            text.escape_debug()
        ))
    }
}

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParsePlayerError {}

impl FromStr for Player {
    type Err = ParsePlayerError;

    /// Reads `NAME <ADDRESS>` or a bare address, and after a comma more
    /// addresses, with or without `<` and `>`.
    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        let error = |why: &str| ParsePlayerError::new(text, why);
        let (name, list) = match text.find('<') {
            Some(start) => text.split_at(start),
            None => ("", text),
        };
        let name = name.trim();
        let name = name
            .strip_prefix('"')
            .and_then(|name| name.strip_suffix('"'))
            .unwrap_or(name);
        let mut addresses: Vec<Address> = Vec::new();
        for part in list.split(',').map(str::trim) {
            let bare = match part.strip_prefix('<') {
                Some(rest) => rest
                    .strip_suffix('>')
                    .ok_or_else(|| error("an address has no closing '>'"))?,
                None => part,
            };
            let address: Address = bare.trim().parse().map_err(|_| {
                ParsePlayerError::new(
                    text,
                    format!("'{}' is no mail address", bare.escape_debug()),
                )
            })?;
            if !addresses.iter().any(|known| same_address(known, &address)) {
                addresses.push(address);
            }
        }
        Player::new(name, addresses)
    }
}
