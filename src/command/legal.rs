//! `parapost legal`: lists the legal moves of a position.

pub(super) mod moves;

use std::io::IsTerminal;

use crate::Error;
use crate::args::{self, Input, Source};
use crate::command::context::Context;
use crate::command::json::legal::LegalMoves;
use crate::command::legal::moves::{leaves_out, moves};
use crate::command::source::{self, One};
use crate::command::status::Status;
use crate::limits::PLACEMENTS;
use crate::notation::move_list;
use crate::rules::Record;

pub(super) fn run(args: &args::Legal, context: &mut Context<'_>) -> Result<Status, Error> {
    let record = record(args, context)?;
    if args.placements && leaves_out(&record) {
        context.say(format_args!(
            "There are more placements than the first {PLACEMENTS}, which are listed."
        ));
    }
    if args.json {
        context.print_json(&LegalMoves::of(&record, args.placements))?;
        return Ok(Status::Done);
    }
    if !args.placements && record.outcome().is_none() && record.position().needs_placement() {
        context.say("placement needed");
    }
    let room = context.room();
    for (text, _) in moves(&record, args.placements) {
        match room {
            Some(columns) => context.print(move_list::broken(&text, columns) + "\n")?,
            None => context.print(text + "\n")?,
        }
    }
    Ok(Status::Done)
}

fn record(args: &args::Legal, context: &mut Context<'_>) -> Result<Record, Error> {
    let stdin = Source::Input(Input::Stdin);
    let line = &args.position;
    let source = match &args.source {
        Some(source) => source,
        // Avoids waiting for a typed list that the user did not announce.
        None if line.moves.is_none() && line.fen.is_none() && !std::io::stdin().is_terminal() => {
            &stdin
        }
        None => return source::record(line, &args.choice),
    };
    match source::one(source, &args.choice, context)? {
        One::Record(record) => Ok(record),
        One::Drawn(_) => Err(Error::refused(
            "a diagram alone does not tell who is to move: the list of moves is needed too",
        )),
    }
}
