//! `parapost export --person`: what is kept of one person, for that person.

use std::fmt::Write as _;
use std::path::Path;

use lettre::Address;

use crate::command::context::Context;
use crate::command::status::Status;
use crate::files::replace::replace_privately;
use crate::matches::event::{LogEntry, Who};
use crate::matches::r#match::Match;
use crate::notation::diagram::Diagram;
use crate::notation::header;
use crate::notation::move_list::MoveList;
use crate::plural::counted_matches;
use crate::rules::Color;
use crate::store::store::Store;
use crate::{Error, clock, files};

/// Writes a file for each match of the person.
///
/// # Errors
///
/// If the matches cannot be listed, or a file cannot be written.
pub(super) fn export(
    store: &dyn Store,
    address: &Address,
    folder: &Path,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let survey = store.by_address(address)?;
    let mut status = Status::Done;
    for (_, damaged) in &survey.damaged {
        context.say(format_args!("parapost: {damaged}"));
        status = Status::Refused;
    }
    if survey.matches.is_empty() {
        context.say("There is no match of this person.");
        return Ok(Status::Refused);
    }
    files::make_folder(folder).map_err(|error| Error::file(folder, &error))?;
    for stored in &survey.matches {
        let game = &stored.game;
        let sides: Vec<Color> = game.sides(address).collect();
        let path = folder.join(format!("{}.txt", game.id()));
        replace_privately(&path, text(game, &sides).as_bytes())
            .map_err(|error| Error::file(&path, &error))?;
    }
    let matches = counted_matches(survey.matches.len());
    context.say(format_args!("{matches} written to {}", folder.display()));
    Ok(status)
}

/// Writes what is kept of the player of these sides.
fn text(game: &Match, sides: &[Color]) -> String {
    let mut text = format!("Match: {}\n", game.id());
    for color in Color::ALL {
        let player = game.player(color);
        let side = game.variant().player(color);
        let line = if sides.contains(&color) {
            player.to_string()
        } else {
            player.given_name().to_owned()
        };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}", format!("{side}: {line}").trim_end());
    }
    let _ = writeln!(text, "Started: {}", clock::write(game.started()));
    let result = game.ending().map_or("*".to_owned(), |end| end.to_string());
    let _ = writeln!(text, "Result: {result}");
    for part in [
        header::write(game.variant()),
        Diagram::of(game.position()).to_string(),
        MoveList::of(game.record()).to_string(),
    ] {
        if !part.is_empty() {
            let _ = write!(text, "\n{part}");
        }
    }
    text.push_str("\nWhat the log has of this player:\n\n");
    let own = |event: &&LogEntry| sides.iter().any(|side| event.who == Who::Player(*side));
    for event in game.log().iter().filter(own) {
        let _ = writeln!(text, "{}", shown(event).line());
    }
    text
}

/// Returns a line of the log without the words of others, and without our Message-IDs,
/// which prove who wrote.
fn shown(event: &LogEntry) -> LogEntry {
    if event.is_of_outgoing_mail() {
        let kept = |key: &str, value| matches!(key, "to" | "at").then_some(value);
        return event.clone().with_values(kept);
    }
    event.clone()
}
