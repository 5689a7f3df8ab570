//! `parapost perft`: counts the lines of play.

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::source;
use crate::command::status::Status;
use crate::rules::{Ply, Position};

pub(super) fn run(args: &args::Perft, context: &mut Context<'_>) -> Result<Status, Error> {
    let record = source::record(&args.position, &args.choice)?;
    let position = record.position();
    if args.divide && args.depth > 0 {
        divide(position, args.depth, context)?;
    } else {
        context.print(format_args!("{}\n", position.perft(args.depth)))?;
    }
    Ok(Status::Done)
}

/// Writes the count of each first move, sorted, and their sum.
fn divide(position: &Position, depth: u32, context: &mut Context<'_>) -> Result<(), Error> {
    let count = |ply: Ply| {
        let after = position.play(&ply).map_err(Error::refused)?;
        Ok((position.text(&ply), after.perft(depth - 1)))
    };
    let counts: Result<Vec<(String, u64)>, Error> = position.legal_plies().map(count).collect();
    let mut counts = counts?;
    counts.sort_unstable();
    for (text, count) in &counts {
        context.print(format_args!("{text}: {count}\n"))?;
    }
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    context.print(format_args!("{sum}\n"))
}
