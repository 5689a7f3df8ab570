//! A player's name and addresses.

use std::fmt;
use std::str::FromStr;

use lettre::Address;
use lettre::message::Mailbox;

use crate::engine::Level;
use crate::matches::action::Request;
use crate::printable::{is_seen, is_unprintable};
use crate::rules::Color;
use crate::rules::notation::MoveText;

const NOT_IN_NAMES: &str = "the name has a character that does not belong in one";

/// A mail program writes the name of whoever it quotes above the quotation, perhaps alone on a line.
const ORDER: &str = "the name is a move or an order, so choose another";

/// A player: a name and one or more addresses. Mail goes to the first. Written
/// `Anna White <anna@example.org>, <anna@work.test>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    name: String,
    addresses: Vec<Address>,
}

impl Player {
    /// The longest name, in characters.
    pub const LONGEST_NAME: usize = 60;

    /// Creates a player.
    ///
    /// # Errors
    ///
    /// If the name has a character that does not belong in one, if it is too long, or a move or an
    /// order, or if there is no address.
    pub fn new(name: &str, addresses: Vec<Address>) -> Result<Player, ParsePlayerError> {
        let name = name.trim();
        if Request::parse(name).is_some() || name.parse::<MoveText>().is_ok() {
            return Err(ParsePlayerError::new(name, ORDER));
        }
        if name.is_empty() || is_seen(name) {
            Player::of_state(name, addresses)
        } else {
            Err(ParsePlayerError::new(name, NOT_IN_NAMES))
        }
    }

    /// Creates a player of a state file. Earlier versions accepted names with invisible characters.
    fn of_state(name: &str, addresses: Vec<Address>) -> Result<Player, ParsePlayerError> {
        let name = name.trim();
        let wrong = |why: &str| Err(ParsePlayerError::new(name, why));
        if name.chars().count() > Player::LONGEST_NAME {
            return wrong("the name is too long");
        }
        if name
            .chars()
            .any(|c| is_unprintable(c) || "<>\"".contains(c))
        {
            return wrong(NOT_IN_NAMES);
        }
        if addresses.is_empty() {
            return wrong("there is no address");
        }
        Ok(Player {
            name: name.to_owned(),
            addresses,
        })
    }

    /// Reads a player of a state file, written as [`Player::from_str`] reads it.
    ///
    /// # Errors
    ///
    /// As [`Player::from_str`], but accepts what earlier versions accepted.
    pub(crate) fn read_state(text: &str) -> Result<Player, ParsePlayerError> {
        let (name, addresses) = parts(text)?;
        Player::of_state(name, addresses)
    }

    /// Returns the same player with more addresses.
    pub(crate) fn with_addresses(&self, more: &[Address]) -> Player {
        let mut player = self.clone();
        player.addresses.extend_from_slice(more);
        player
    }

    /// Returns the same player with these addresses. There must be at least one.
    pub(super) fn at(&self, addresses: Vec<Address>) -> Player {
        debug_assert!(!addresses.is_empty());
        Player {
            name: self.name.clone(),
            addresses,
        }
    }

    /// Returns the same player with the address of this mailbox first.
    pub(crate) fn led_by(&self, address: &Address) -> Player {
        let mut player = self.clone();
        let own = &mut player.addresses;
        own.sort_by_key(|own| mailbox(own) != mailbox(address));
        player
    }

    /// Returns the name, or the address if no name was given.
    pub fn name(&self) -> &str {
        if self.name.is_empty() {
            self.address().as_ref()
        } else {
            &self.name
        }
    }

    /// Returns the name as it was given, which may be empty.
    pub(crate) fn given_name(&self) -> &str {
        &self.name
    }

    /// Returns the address that mail goes to.
    pub fn address(&self) -> &Address {
        &self.addresses[0]
    }

    /// Returns every address. Mail goes to the first.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Returns true if the address is one of the player's or a sub-address of
    /// one: `anna+chess@example.org` belongs to Anna like `anna@example.org`.
    pub fn has(&self, address: &Address) -> bool {
        self.addresses_in(address).next().is_some()
    }

    /// Returns true if the address is one of the player's, letter by letter.
    pub(crate) fn has_exactly(&self, address: &Address) -> bool {
        self.addresses.iter().any(|own| same_address(own, address))
    }

    /// Returns the player's addresses in the mailbox of this address.
    fn addresses_in(&self, address: &Address) -> impl Iterator<Item = &Address> {
        let own = self.addresses.iter();
        own.filter(move |own| mailbox(own) == mailbox(address))
    }

    /// Creates a player of this side of whom only the name is known. The referee of the
    /// match has the address.
    ///
    /// # Errors
    ///
    /// As [`Player::new`], and if the name could be taken for an address.
    pub(crate) fn known_by_name(name: &str, side: Color) -> Result<Player, ParsePlayerError> {
        if name.trim().is_empty() || name.contains('@') {
            return Err(ParsePlayerError::new(name, "this is no name"));
        }
        let address = format!("{}@{UNKNOWN}", side.letter());
        let address = address
            .parse()
            .map_err(|error| ParsePlayerError::new(name, error))?;
        Player::new(name, vec![address])
    }

    /// Creates the program as a player of this level at the terminal.
    pub(crate) fn program(level: Level) -> Player {
        Player::named_for(level, LEVEL)
    }

    /// Creates the program as a player of this level by mail.
    pub(crate) fn partner(level: Level) -> Player {
        Player::named_for(level, PARTNER)
    }

    fn named_for(level: Level, mark: &str) -> Player {
        let number = level.number();
        Player {
            name: format!("parapost level {number} (program)"),
            addresses: vec![of_program(format!("{mark}{number}"))],
        }
    }

    /// Returns the level at which the program plays, if it is this player, at the terminal or by
    /// mail: its address says so, and no mail goes there.
    pub(crate) fn level(&self) -> Option<Level> {
        let address = self.address();
        let user = address.user();
        let number = user.strip_prefix(LEVEL).or(user.strip_prefix(PARTNER))?;
        let level = number.parse().ok().and_then(Level::new);
        level.filter(|_| address.domain() == PROGRAM)
    }

    /// Returns true if this is the program, and plays by mail.
    pub(crate) fn is_partner(&self) -> bool {
        self.level().is_some() && self.address().user().starts_with(PARTNER)
    }

    /// Returns the name alone if nothing else is known, else the name and the addresses.
    pub(super) fn as_known(&self) -> String {
        if self.address().domain() == UNKNOWN {
            return self.name.clone();
        }
        self.to_string()
    }
}

/// The domain of what stands for the address of a player of whom only the name is known:
/// none has this one (RFC 2606).
const UNKNOWN: &str = "opponent.invalid";

/// The domain of what stands for the program's address: none has this one, either.
const PROGRAM: &str = "program.invalid";

/// What stands before the `@` there, but for the number of the level, of the program at the
/// terminal.
const LEVEL: &str = "level-";

/// The same of the program that plays by mail: all its levels are sub-addresses of one mailbox, so
/// that one look finds its matches.
const PARTNER: &str = "partner+";

fn of_program(user: String) -> Address {
    Address::new(user, PROGRAM).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Returns an address of the mailbox under which every match is found in which the program plays
/// by mail.
pub(crate) fn address_of_partner() -> Address {
    of_program(PARTNER.trim_end_matches('+').to_owned())
}

/// Returns true if two addresses are the same. RFC 5321 makes the part before
/// the `@` case-sensitive, but no provider does in practice. Only ASCII letters
/// match across case: other characters that look alike differ.
pub(crate) fn same_address(one: &Address, other: &Address) -> bool {
    let (one, other): (&str, &str) = (one.as_ref(), other.as_ref());
    one.eq_ignore_ascii_case(other)
}

/// Returns true for an address that no mail comes from (RFC 2606).
pub(crate) fn is_nobodys(address: &Address) -> bool {
    let domain = address.domain().to_ascii_lowercase();
    domain == "invalid" || domain.ends_with(".invalid")
}

/// Returns true if a mail can be written to an address. That is impossible if its name needs
/// quotation marks or if it has a number instead of a domain: readers of the mail's field would
/// read another address.
pub fn is_mailable(address: &Address) -> bool {
    let field = Mailbox::new(None, address.clone()).to_string();
    field
        .parse()
        .is_ok_and(|read: Mailbox| read.email == *address)
}

/// Returns the name and the domain of an address's mailbox, in small letters: the same
/// for all its sub-addresses, which differ only in the text from a `+` to the `@`
/// (RFC 5233).
pub fn mailbox(address: &Address) -> (String, String) {
    let user = address.user();
    let name = match user.split_once('+') {
        Some((name, _)) if !name.is_empty() => name,
        _ => user,
    };
    (
        name.to_ascii_lowercase(),
        address.domain().to_ascii_lowercase(),
    )
}

/// Returns true if both players have addresses of the mailbox of this address,
/// and not the same ones: only the whole address tells the players apart then.
pub(crate) fn is_shared_mailbox([one, other]: &[Player; 2], address: &Address) -> bool {
    let mut ones = one.addresses_in(address).peekable();
    let mut others = other.addresses_in(address).peekable();
    ones.peek().is_some()
        && others.peek().is_some()
        && !(ones.all(|address| other.has_exactly(address))
            && others.all(|address| one.has_exactly(address)))
}

/// Returns an address of each player, if they are of a mailbox that the players
/// share.
pub(crate) fn shared_mailbox(players: &[Player; 2]) -> Option<[&Address; 2]> {
    let [one, other] = players;
    let is_shared = |address: &&Address| is_shared_mailbox(players, address);
    let first = one.addresses().iter().find(is_shared)?;
    let differs = |address: &&Address| !same_address(address, first);
    let second = other.addresses_in(first).find(differs);
    Some([first, second.or(other.addresses_in(first).next())?])
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

/// The error for a text that is no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{}' is no player: {why}; write NAME <ADDRESS>", text.escape_debug())]
pub struct ParsePlayerError {
    text: String,
    why: String,
}

impl ParsePlayerError {
    fn new(text: &str, why: impl fmt::Display) -> ParsePlayerError {
        ParsePlayerError {
            text: text.to_owned(),
            why: why.to_string(),
        }
    }

    /// Returns the reason alone, for a name without an address.
    pub(crate) fn why(&self) -> &str {
        &self.why
    }
}

impl FromStr for Player {
    type Err = ParsePlayerError;

    /// Reads `NAME <ADDRESS>` or a bare address, followed by more addresses
    /// after commas, with or without `<` and `>`.
    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        let (name, addresses) = parts(text)?;
        Player::new(name, addresses)
    }
}

/// Reads the name and the addresses of a player.
fn parts(text: &str) -> Result<(&str, Vec<Address>), ParsePlayerError> {
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
        let address: Address = bare
            .trim()
            .parse()
            .map_err(|_| error(&format!("'{}' is no mail address", bare.escape_debug())))?;
        if !addresses.iter().any(|known| same_address(known, &address)) {
            addresses.push(address);
        }
    }
    Ok((name, addresses))
}

#[cfg(test)]
mod tests {
    use lettre::message::Message;

    use super::*;

    /// Tries everything that the library accepts as an address, and the mail that it writes to it.
    #[test]
    fn a_name_is_no_order() {
        for name in ["resign", "n>g5", "Accept draw"] {
            let address = "ben@example.org".parse().unwrap();
            assert!(Player::new(name, vec![address]).is_err(), "{name}");
        }
        assert!("Ben <ben@example.org>".parse::<Player>().is_ok());
    }

    #[test]
    fn a_mail_can_be_made_for_just_the_addresses_that_are_said_to_be_mailable() {
        let signs: Vec<char> = "ab.+-_'\"\\ []()<>@,;:1~=!é".chars().collect();
        let mut rng = fastrand::Rng::with_seed(49);
        let mut counts = [0, 0];
        for round in 0..200_000 {
            let mut word = |most: usize| -> String {
                (0..rng.usize(1..most))
                    .map(|_| signs[rng.usize(..signs.len())])
                    .collect()
            };
            let text = match round % 4 {
                0 => format!("{}@x.test", word(6)),
                1 => format!("\"{}\"@x.test", word(6)),
                2 => format!(
                    "eve@[{}]",
                    ["127.0.0.1", "IPv6:::1", "::1", "1"][round / 4 % 4]
                ),
                _ => format!("{}@{}.test", word(4), word(4)),
            };
            let Ok(address) = text.parse::<Address>() else {
                continue;
            };
            let mail = |name: Option<String>| {
                let builder = Message::builder().from("a@b.test".parse().unwrap());
                let mail = builder
                    .to(Mailbox::new(name, address.clone()))
                    .body(String::new());
                mail.is_ok_and(|mail| mail.envelope().to() == [address.clone()])
            };
            let is_made = mail(None) && mail(Some("Eve".to_owned()));
            assert_eq!(is_mailable(&address), is_made, "{text}");
            counts[usize::from(is_made)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
        for text in ["\"e v\"@x.test", "eve@[127.0.0.1]"] {
            assert!(!is_mailable(&text.parse().unwrap()), "{text}");
        }
    }
}
