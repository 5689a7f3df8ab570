//! The invitation to a match with the partner, to the person who has asked for it.

use crate::Error;
use crate::matches::event::LogEntry;
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::rules::Color;

/// The key of the log's line about a letter that has more than the words for a match.
pub(super) const REST: &str = "rest";

/// Notes that the person who plays this side has asked for a match with the partner. Owes the first
/// mail if the person is to move; else it goes with the partner's first move.
pub(super) fn invite(
    game: &mut Match,
    side: Color,
    asked: LogEntry,
    ids: &MailIds,
) -> Result<(), Error> {
    let now = asked.time;
    game.push(asked)?;
    if game.turn() == Some(side) {
        game.owe(now, first_mail(game, side), ids)?;
    }
    Ok(())
}

/// Returns the first mail of a match with the partner, to the person, who plays this side.
pub(super) fn first_mail(game: &Match, side: Color) -> NewMail {
    // The match began with the line about that letter.
    let mut log = game.log().iter();
    let asked = log.find(|event| event.who == side.into() && !event.is_of_outgoing_mail());
    let words = asked.and_then(LogEntry::argument).unwrap_or_default();
    let mut text = format!(
        "You, or somebody in your name, asked for this by a letter to the referee: {words}. Your opponent is a program, whose moves come by themselves, most within minutes; it answers an offer of a draw, may offer one, and resigns when it is lost. Your first move counts in an answer to this mail alone. If you did not ask, nothing needs to be done: nothing more comes, and nobody else begins such a match in your name before you have answered."
    );
    if asked.is_some_and(|event| event.get(REST).is_some()) {
        text += " What else your letter says was not read.";
    }
    NewMail::new(MailKind::Invitation, side)
        .answering(game.last_received(side))
        .saying(text)
}
