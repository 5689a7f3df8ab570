//! What the mailing list of a match does to letters, and what those know who got a player's letter
//! beside us.
//!
//! A list sends a letter on to everybody, with what the letter cites: from then on, whoever reads the
//! list knows the ids of the mails that its writer had. And a list may put its own address into
//! `From`, with the writer's name before it, since its changes break the writer's signature. So
//! such a letter has lost what told whose it is, and is the player's whose mail it answers. Or it
//! puts the whole letter into a message of its own.

use lettre::Address;

use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::message::automated::Automated;
use crate::mail::message_id::MessageId;
use crate::matches::article::{LIST, QueuedArticle, Readers};
use crate::matches::event::{COPIED, LogEntry, Who};
use crate::matches::mail_id::match_of_article;
use crate::matches::r#match::Match;
use crate::matches::player::{Player, same_address};
use crate::rules::Color;

/// Returns true if a letter went to the list of a match, too, or came by it: everybody may have read
/// it.
pub(crate) fn went_to_list(message: &IncomingMessage, game: &Match) -> bool {
    let mut addresses = message.sender.iter().chain(&message.recipients);
    addresses.any(|address| game.is_list(address))
}

/// Returns true if a message is what a program has mailed to a list, by its id.
pub(crate) fn is_article(message: &IncomingMessage) -> bool {
    match_of_article(&message.id).is_some()
}

/// Returns true if a message is what a player's or the referee's program has mailed to the list of
/// a match, though the list has given it another id.
pub(crate) fn is_copy(message: &IncomingMessage, game: &Match) -> bool {
    let mut loops = message.loops.iter().filter_map(|text| text.parse().ok());
    went_to_list(message, game)
        && loops.any(|address| {
            let mut sides = Color::ALL.into_iter();
            game.is_referee(&address) || sides.any(|side| game.speaks_for(side, &address))
        })
}

/// Returns true if a message answers what was mailed to a list.
pub(crate) fn answers_article(message: &IncomingMessage, game: &Match) -> bool {
    let is_on_list = |article: &QueuedArticle| article.forum.list().is_some();
    let mut cites = message.cites.iter();
    cites.any(|cited| game.article(cited).is_some_and(is_on_list))
}

/// Returns a letter with the address of its writer in the place of the list's: the player whose mail
/// of ours it answers directly, or whose answer code it has, as `has_code` tells, else the one
/// whom it names as its writer. Nobody else's comment on a player's letter answers such a mail.
/// Whether the letter proves anything is another matter.
pub(crate) fn restored(
    message: &IncomingMessage,
    game: &Match,
    has_code: impl Fn(Color) -> bool,
) -> Option<IncomingMessage> {
    let is_lists = |address| game.is_list(address);
    if !message.sender.as_ref().is_some_and(is_lists) {
        return None;
    }
    let named: Vec<_> = message
        .writers
        .iter()
        .filter(|name| !is_lists(name))
        .collect();
    let is_named = |side: Color| named.iter().any(|name| game.speaks_for(side, name));
    let parent = message.parent.as_ref();
    let answers = |side: Color| parent.is_some_and(|parent| is_mail_to(game, side, parent));
    let of = |is_of: &dyn Fn(Color) -> bool| {
        let mut sides = Color::ALL.into_iter().filter(|side| is_of(*side));
        sides.next().filter(|_| sides.next().is_none())
    };
    let proven = of(&|side| answers(side) || has_code(side));
    let side = proven.filter(|side| named.is_empty() || is_named(*side));
    let side = side.or_else(|| of(&is_named))?;
    Some(IncomingMessage {
        sender: Some(game.player(side).address().clone()),
        ..message.clone()
    })
}

/// Returns the letter that the list of a match has put whole into a message of its own, which names
/// nobody else as its writer: who forwards a letter to the list is named. Whether the letter
/// proves anything is another matter, and what a server says of the list's message proves nothing.
pub(crate) fn unwrapped(message: &IncomingMessage, game: &Match) -> Option<IncomingMessage> {
    let is_lists = |address: &&Address| game.is_list(address);
    let list = message.sender.as_ref().filter(is_lists)?;
    message
        .machine
        .as_ref()
        .filter(|it| Automated::is_of_list(it))?;
    let letter = message.wrapped.as_deref()?;
    let writer = letter.sender.as_ref()?;
    let mut named = message.writers.iter().filter(|name| !is_lists(name));
    let is_writers = named.all(|name| same_address(name, writer));
    let recipients = letter.recipients.iter().chain([list]).cloned();
    is_writers.then(|| IncomingMessage {
        recipients: recipients.collect(),
        // What a program has written stays that.
        machine: letter.machine.clone().or_else(|| message.machine.clone()),
        results: Vec::new(),
        report: None,
        ..letter.clone()
    })
}

fn is_mail_to(game: &Match, side: Color, id: &MessageId) -> bool {
    let mut log = game.log().iter();
    log.any(|event| event.is_owed() && event.who == Who::Player(side) && event.went_out_as(id))
}

/// Returns who may have read a letter of this side beside its writer and us. `me` is the user. Where
/// no address is ours, one is taken for ours under another name.
pub(crate) fn readers(
    message: &IncomingMessage,
    game: &Match,
    side: Color,
    me: &Player,
) -> Readers {
    let is_us = |address: &&Address| me.has(address) || game.is_referee(address);
    let own = |address: &&Address| game.speaks_for(side, address);
    let recipients = message.recipients.iter();
    let (us, others): (Vec<_>, Vec<_>) = recipients.filter(|to| !own(to)).partition(is_us);
    match &game.settings().list {
        Some(list) if went_to_list(message, game) => Readers::List(list.clone()),
        _ if others.len() > usize::from(us.is_empty()) => Readers::Others,
        _ => Readers::Us,
    }
}

/// Returns true if a letter that caused a line of the log went to everybody.
fn is_public(event: &LogEntry) -> bool {
    event.get(LIST).is_some()
}

/// Returns the number of lines of the log up to the last such one that a letter of this side has caused.
fn lines_until(game: &Match, side: Color, is_such: impl Fn(&LogEntry) -> bool) -> usize {
    let mut log = game.log().iter();
    let last = log.rposition(|event| event.who == Who::Player(side) && is_such(event));
    last.map_or(0, |last| last + 1)
}

/// Returns the number of lines of the log up to the last that a letter of this side has caused which
/// other people may have read, too. Whoever has read it can give the id of a mail or a letter
/// from before to a mail of their own, so that the player's answer to that seems to answer us.
pub(crate) fn lines_disclosed(game: &Match, side: Color) -> usize {
    let is_known = |event: &LogEntry| event.get(COPIED).or(event.get(LIST)).is_some();
    lines_until(game, side, is_known)
}

/// Returns the lines of the log behind the last letter of this side that everybody may have read.
/// What was mailed to the player before may be known to everybody.
pub(crate) fn since_public(game: &Match, side: Color) -> &[LogEntry] {
    &game.log()[lines_until(game, side, is_public)..]
}

/// Returns true if everybody may have read a letter of this side in the present position, and its
/// answer code.
pub(crate) fn is_code_public(game: &Match, side: Color) -> bool {
    game.since_position()
        .any(|event| event.who == Who::Player(side) && is_public(event))
}
