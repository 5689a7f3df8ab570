//! `parapost perft`: counts the lines of play.

use clap::Args;

use crate::Error;
use crate::command::arguments::{GameArgs, PositionArgs};
use crate::command::context::Context;
use crate::command::source;
use crate::command::status::Status;
use crate::rules::{Ply, Position};

/// `parapost perft`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost perft --game unachess --divide 2")]
pub(super) struct Perft {
    /// The game.
    #[command(flatten)]
    pub(super) choice: GameArgs,
    /// The position to begin with.
    #[command(flatten)]
    pub(super) position: PositionArgs,
    /// Tell the count of each first move
    #[arg(long)]
    pub(super) divide: bool,
    /// How many half-moves deep
    pub(super) depth: u32,
}

pub(super) fn run(args: &Perft, context: &mut Context<'_>) -> Result<Status, Error> {
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
