//! The question which of the matches a letter is about.

use serde::Serialize;

use crate::Error;
use crate::command::session::Desk;
use crate::inbound::incoming_message::Letter;
use crate::inbound::match_lookup::QUESTION;
use crate::matches::event::{Event, What};
use crate::matches::r#match::{Mail, Match};
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
    desk: &Desk,
    keeper: &mut Match,
    letter: &Letter,
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
    let text = desk.templates.render("which-game", values)?;
    keeper.push(
        Event::new(desk.now, What::Refused, side)
            .argument(QUESTION)
            .key("msg", Some(&letter.id)),
    )?;
    let mut mail = Mail::new(QUESTION, side)
        .answering(Some(letter.id.clone()))
        .saying(text)
        .automatic();
    if let Some(address) = &letter.sender {
        mail = mail.at_address(address.clone());
    }
    keeper.owe(desk.now, mail, &desk.ids).map(|_| ())
}
