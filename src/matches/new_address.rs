//! A further address of a player in one match.
//!
//! A message from an unknown address may have the answer code of a mail: somebody has
//! it to whom the player gave it, or the player writes from elsewhere. Such a message
//! plays nothing. The player is asked, and may add the address.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::limits;
use crate::matches::answer_code::changes;
use crate::matches::decision::{Decision, DueMail, ENOUGH, FULL, Quota};
use crate::matches::disposition::Disposition;
use crate::matches::event::{ADDRESS, ASKED, Event, EventKind, Who};
use crate::matches::explanation::{Explanation, UnknownAddress};
use crate::matches::r#match::{Match, NewMail};
use crate::matches::player::{Player, same_address};
use crate::matches::quota::Usage;
use crate::rules::Color;

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
pub fn ask(
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
    } else if quota.answers == 0 {
        return decision.dropped(ENOUGH);
    } else if Usage::of(game, Who::Player(side), now).is_full() {
        return decision.dropped(FULL);
    }
    let event = Event::new(now, EventKind::Address, side)
        .argument(ASKED)
        .key(ADDRESS, Some(address))
        .key("move", text);
    let question = UnknownAddress {
        address: address.to_string(),
        played: text.unwrap_or_default().to_owned(),
    };
    let mut decision = decision.event(event);
    let mail = NewMail::new("answer", side).automatic();
    decision.mails.push(DueMail {
        is_last: quota.answers == 1,
        ..DueMail::new(mail, Some(Explanation::UnknownAddress(question)))
    });
    decision
}

/// Returns every address that speaks for a player of a match: those of its beginning and
/// those added since.
pub fn every_address(game: &Match) -> impl Iterator<Item = &Address> {
    let own = Color::ALL.map(|side| game.player(side).addresses());
    own.into_iter().flatten().chain(game.added_addresses())
}

fn is_question(event: &Event, side: Color) -> bool {
    event.kind == EventKind::Address
        && event.who == side.into()
        && event.argument.as_deref() == Some(ASKED)
}

fn is_about(event: &Event, address: &Address) -> bool {
    let known = event.get(ADDRESS).map(str::parse::<Address>);
    known.is_some_and(|known| known.is_ok_and(|known| same_address(&known, address)))
}
