//! The question which of the matches a letter is about.

use serde::Serialize;

use crate::Error;
use crate::command::session::Session;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::match_lookup::QUESTION;
use crate::matches::event::{Event, EventKind};
use crate::matches::r#match::{Match, NewMail};
use crate::rules::Color;

#[derive(Serialize)]
struct WhichGame<'a> {
    /// Why it is asked, in a sentence.
    text: &'a str,
    /// The id of one of them.
    id: String,
    /// The player's matches, a line each.
    games: Vec<String>,
}

/// Asks the sender of a letter which of the matches it is about, and keeps the
/// question in the log of `keeper`.
pub(super) fn ask(
    session: &Session,
    keeper: &mut Match,
    letter: &IncomingMessage,
    own: &[Match],
    why: &str,
) -> Result<(), Error> {
    let Some(side) = crate::command::receive::side(keeper, letter) else {
        return Ok(());
    };
    if keeper.received(&letter.id).is_some() {
        return Ok(());
    }
    let games = own.iter().map(|game| {
        let [white, black] = Color::ALL.map(|color| game.player(color).name());
        let state = match game.turn() {
            None => "over",
            Some(turn) if Some(turn) == crate::command::receive::side(game, letter) => "your move",
            Some(_) => "the other player's move",
        };
        format!(
            "  [{}] {}: {white} - {black}, {state}",
            game.id(),
            game.variant().game().name
        )
    });
    let values = WhichGame {
        text: why,
        id: keeper.id().to_string(),
        games: games.collect(),
    };
    let text = session.templates.render("which-game", values)?;
    keeper.push(
        Event::new(session.now, EventKind::Refused, side)
            .argument(QUESTION)
            .key("msg", Some(&letter.id)),
    )?;
    let mut mail = NewMail::new(QUESTION, side)
        .answering(Some(letter.id.clone()))
        .saying(text)
        .automatic();
    if let Some(address) = &letter.sender {
        mail = mail.at_address(address.clone());
    }
    keeper.owe(session.now, mail, &session.ids).map(|_| ())
}
