//! `parapost move`: plays the user's own move.

use clap::Args;
use serde::Serialize;

use crate::Error;
use crate::command::arguments::Delivery;
use crate::command::context::{Context, JSON_AND_MAIL, json};
use crate::command::delivery::finish;
use crate::command::listed_match::ListedMatch;
use crate::command::status::Status;
use crate::config::transport::TransportSettings;
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::LogEntry;
use crate::notation::move_list;
use crate::referee::session::Session;
use crate::rules::Position;
use crate::rules::notation::{ReadError, Reading, Voice};

/// `parapost move`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost move k7f3qd 'n>g5' --send")]
pub(super) struct Move {
    /// The match
    pub(super) id: Id,
    /// The move, in quotes
    #[arg(value_name = "MOVE", required = true)]
    pub(super) words: Vec<String>,
    /// Write one JSON object instead
    #[arg(long, conflicts_with = "print")]
    pub(super) json: bool,
    /// The mail to the opponent.
    #[command(flatten)]
    pub(super) delivery: Delivery,
}

pub(super) fn run(args: &Move, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if args.json && args.delivery.send && session.config.transport == TransportSettings::Print {
        return Err(Error::usage(JSON_AND_MAIL));
    }
    let words = args.words.join(" ");
    let ((numbered, warnings), stored) = session.change(&args.id, |game| {
        let side = session.side(game)?;
        game.must_be_turn(side)?;
        let reading = read(game.position(), &words, &args.id)?;
        let text = game.position().text(&reading.ply);
        let numbered = move_list::number_of_position(game.position());
        game.push(LogEntry::new(session.now, Action::play(text), side))?;
        if reading.offers_draw && game.turn().is_some() && game.offer() != Some(side) {
            game.push(LogEntry::new(session.now, Action::OfferDraw, side))?;
        }
        session.tell_opponent(game, side)?;
        Ok((numbered, reading.warnings))
    })?;
    let game = &stored.game;
    let steps = game.record().steps();
    let step = steps.last().map(ToString::to_string).unwrap_or_default();
    if args.json {
        let played = Played {
            id: game.id().to_string(),
            ply: steps.len(),
            text: step.clone(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            game: ListedMatch::to_player(game, Some(&session.me.player), session.now),
        };
        // The move is on the disk, whatever becomes of its mail.
        context.report(json(&played)? + "\n")?;
    } else {
        for warning in &warnings {
            context.say(format_args!("warning: {warning}"));
        }
    }
    let done = format!("{numbered} {step} is played");
    finish(context, &session, stored, args.delivery, &done)
}

/// Reads a move as a person types it, with or without its number.
fn read(position: &Position, text: &str, id: &Id) -> Result<Reading, Error> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].trim_start();
    let bare = if digits > 0 && rest.starts_with(['.', ')', '…']) {
        // People may mistake whose turn it is, so one dot fits both sides.
        if text[..digits].parse() != Ok(position.number()) {
            return Err(Error::refused(format!(
                "'{text}': the next move is {}",
                move_list::number_of_position(position)
            )));
        }
        rest.trim_start_matches(['.', ')', '…', ' '])
    } else {
        text
    };
    position.read_with(bare, Voice::Alone).map_err(|error| {
        let refused = match &error {
            // This error names the text itself.
            ReadError::NotAMove(error) if bare == text => Error::refused(error),
            error => Error::refused(format!("'{text}': {error}")),
        };
        let refused = match error {
            ReadError::Illegal(_) => {
                refused.and(format_args!("'parapost legal {id}' lists the legal moves"))
            }
            _ => refused,
        };
        if bare.len() == 1 {
            // The shell leaves this of an unquoted n>g5.
            let hint = "A shell takes '>' for itself: write the move in quotes, like 'N>d5'.";
            match file_of_shell() {
                Some(name) => refused.and(format_args!(
                    "{hint}\nIt has made an empty file '{name}' of the rest, which you can delete."
                )),
                None => refused.and(hint),
            }
        } else {
            refused
        }
    })
}

/// Returns the name of the empty file in this folder that the shell has made of the square
/// behind an unquoted `>`: it is where standard output goes.
#[cfg(unix)]
fn file_of_shell() -> Option<String> {
    use std::fs::{self, File};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let stdout = std::io::stdout().as_fd().try_clone_to_owned().ok()?;
    let stdout = File::from(stdout).metadata().ok()?;
    if !stdout.is_file() || stdout.len() > 0 {
        return None;
    }
    let squares = ('a'..='i').flat_map(|file| ('1'..='9').map(move |rank| format!("{file}{rank}")));
    let is_stdout = |name: &String| {
        let found = fs::metadata(name);
        found.is_ok_and(|found| (found.dev(), found.ino()) == (stdout.dev(), stdout.ino()))
    };
    squares.into_iter().find(is_stdout)
}

#[cfg(not(unix))]
fn file_of_shell() -> Option<String> {
    None
}

/// A move that was played.
#[derive(Serialize)]
struct Played {
    id: String,
    /// The number of the half-move, from 1.
    ply: usize,
    /// The half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    text: String,
    warnings: Vec<String>,
    /// The match behind the move.
    #[serde(rename = "match")]
    game: ListedMatch,
}
