//! The question which match a message is about.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::matches::decision::{Decision, DueMail, ENOUGH, FULL, Received};
use crate::matches::disposition::Disposition;
use crate::matches::event::{EventKind, Who};
use crate::matches::explanation::{Explanation, WhichGame};
use crate::matches::r#match::Match;
use crate::matches::player::same_address;
use crate::matches::quota::Usage;
use crate::rules::Color;

/// The kind of mail that asks which match is meant, and the mark in the log for
/// the message that caused it. Both are logged in one of the sender's matches,
/// for lack of a better place, and say nothing about that match.
pub const QUESTION: &str = "question";

/// Asks the sender which of several matches a message is about. The log of
/// `keeper`, one of them, records the question; `why` gives the reason in a
/// sentence.
pub fn ask<'m>(
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
    let is_full = || Usage::of(keeper, Who::Player(received.side), now).is_full();
    if received.quota.answers == 0 {
        return decision.dropped(ENOUGH);
    } else if is_full() {
        return decision.dropped(FULL);
    }
    let games = own.into_iter().map(|game| line(game, received.address));
    let question = WhichGame {
        text: why.to_owned(),
        id: keeper.id().to_string(),
        games: games.collect(),
    };
    let event = received.event(now, EventKind::Refused).argument(QUESTION);
    let mut decision = decision.event(event);
    // A question names all matches of the player, so it goes to no address that a letter
    // invents: the part of a sub-address behind the `+` may be anything.
    let own = keeper.player(received.side).address();
    let known = received
        .address
        .filter(|address| is_registered(keeper, received.side, address));
    let mail = received
        .reply(QUESTION)
        .at_address(known.unwrap_or(own).clone());
    decision.mails.push(DueMail {
        is_last: received.quota.answers == 1,
        ..DueMail::new(mail, Some(Explanation::WhichGame(question)))
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
