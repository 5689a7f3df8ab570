//! The questions that the program asks players by mail: which match a message is about, and whether a
//! message from an unknown address was the player's.
//!
//! A message from an unknown address may have the answer code of a mail: somebody has
//! it to whom the player gave it, or the player writes from elsewhere. Such a message
//! plays nothing. The player is asked, and may add the address.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::limits;
use crate::matches::codes::changes;
use crate::matches::decision::{Decision, DueMail, ENOUGH, FULL, Quota, Received};
use crate::matches::event::Disposition;
use crate::matches::event::{ADDRESS, Event, LogEntry};
use crate::matches::explanation::{Explanation, UnknownAddress, WhichMatch};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::Match;
use crate::matches::player::{Player, same_address};
use crate::matches::quota::{ADDRESS_QUESTION, Usage};
use crate::rules::Color;

/// Asks the sender which of several matches a message is about. The log of
/// `keeper`, one of them, records the question; `why` gives the reason in a
/// sentence.
pub fn which_match<'m>(
    keeper: &Match,
    received: &Received<'_>,
    own: impl IntoIterator<Item = &'m Match>,
    why: &str,
    now: DateTime<Utc>,
) -> Decision {
    let decision = Decision::new(Disposition::UnknownMatch, why);
    if received.is_known_to(keeper, |_| true) {
        return decision;
    }
    let games = own.into_iter().map(|game| line(game, received.address));
    let question = WhichMatch {
        text: why.to_owned(),
        id: keeper.id().to_string(),
        games: games.collect(),
    };
    let event = received.event(now, Event::Refused(Some(decision.disposition)));
    // A question names all matches of the player, so it goes to no address that a letter
    // invents: the part of a sub-address behind the `+` may be anything.
    let own = keeper.player(received.side).address();
    let known = received
        .address
        .filter(|address| is_registered(keeper, received.side, address));
    let mail = received
        .reply(MailKind::Question)
        .at_address(known.unwrap_or(own).clone());
    let question = DueMail::new(mail, Some(Explanation::WhichMatch(question)));
    ask(decision, keeper, received.quota, event, question)
}

/// Adds a question to a decision, unless a bound stops it.
fn ask(
    decision: Decision,
    keeper: &Match,
    quota: Quota,
    event: LogEntry,
    question: DueMail,
) -> Decision {
    if quota.answers == 0 {
        return decision.dropped(ENOUGH);
    } else if Usage::of(keeper, event.who, event.time).is_full() {
        return decision.dropped(FULL);
    }
    let is_last = quota.answers == 1;
    let mut decision = decision.event(event);
    decision.mails.push(DueMail {
        is_last,
        ..question
    });
    decision
}

/// Returns true if an address is one of a player's, letter by letter.
fn is_registered(game: &Match, side: Color, address: &Address) -> bool {
    let mut added = game.added_addresses();
    game.player(side).has_exactly(address) || added.any(|added| same_address(added, address))
}

/// Describes a match on one line, for somebody who plays in it. It names no other player:
/// the line is kept in another match's log, which is not theirs.
fn line(game: &Match, address: Option<&Address>) -> String {
    let side = address.and_then(|address| game.side_of(address));
    let state = match game.turn() {
        None => "over",
        turn if turn == side => "your move",
        Some(_) => "the other player's move",
    };
    let plays = side.map(|side| format!("you are {}, ", game.variant().player(side)));
    format!(
        "  [{}] {}: {}{state}",
        game.id(),
        game.variant().game().name,
        plays.unwrap_or_default()
    )
}

/// Returns true if an address can become one of this player's: it is not the other
/// player's, the referee's or the user's own, and has nothing but plain signs.
#[must_use]
pub fn may_be_added(game: &Match, side: Color, address: &Address, me: &Player) -> bool {
    let text: &str = address.as_ref();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@.-_+=~".contains(&byte);
    text.len() <= limits::ADDRESS
        && text.bytes().all(is_plain)
        && !me.has(address)
        && !game.is_referee(address)
        && !is_others(game, side, address)
}

/// Returns true if an address is of the mailbox of the player of the other side.
#[must_use]
pub fn is_others(game: &Match, side: Color, address: &Address) -> bool {
    game.player(!side).has(address) || game.speaks_for(!side, address)
}

/// Returns true if the player of this side was asked about an address in the match.
#[must_use]
pub fn was_asked(game: &Match, side: Color, address: &Address) -> bool {
    let mut log = game.log().iter();
    log.any(|event| is_question(event, side) && is_about(event, address))
}

/// Asks the player of this side whether a message from an unknown address was the
/// player's. `text` is its move, in canonical form, if it has one. The player is asked
/// about an address once a half-move, and a few times in a match.
pub fn whose_address(
    game: &Match,
    side: Color,
    address: &Address,
    text: Option<&str>,
    quota: Quota,
    now: DateTime<Utc>,
) -> Decision {
    let reason = "its sender does not play in this match, but has an answer code";
    let decision = Decision::new(Disposition::Confirm, reason);
    let mut since = game.log().iter().rev().take_while(|event| !changes(event));
    let is_asked = since.any(|event| is_question(event, side) && is_about(event, address));
    let questions = game.log().iter().filter(|event| is_question(event, side));
    if is_asked {
        return decision.dropped("the player has been asked");
    } else if questions.count() >= limits::ADDRESS_QUESTIONS {
        return decision.dropped("the player has been asked often enough");
    }
    let event = LogEntry::new(now, ADDRESS_QUESTION, side)
        .key(ADDRESS, Some(address))
        .key("move", text);
    let question = UnknownAddress {
        address: address.to_string(),
        played: text.unwrap_or_default().to_owned(),
    };
    let mail = NewMail::new(MailKind::Answer, side).automatic();
    let question = DueMail::new(mail, Some(Explanation::UnknownAddress(question)));
    ask(decision, game, quota, event, question)
}

/// Returns every address that speaks for a player of a match: those of its beginning and
/// those added since.
pub fn every_address(game: &Match) -> impl Iterator<Item = &Address> {
    let own = Color::ALL.map(|side| game.player(side).addresses());
    own.into_iter().flatten().chain(game.added_addresses())
}

fn is_question(event: &LogEntry, side: Color) -> bool {
    event.event == ADDRESS_QUESTION && event.who == side.into()
}

fn is_about(event: &LogEntry, address: &Address) -> bool {
    let known = event.get(ADDRESS).map(str::parse::<Address>);
    known.is_some_and(|known| known.is_ok_and(|known| same_address(&known, address)))
}
