//! `parapost engine`: a player that looks ahead, for programs with a board.

use std::io;

use clap::Args;

use crate::Error;
use crate::command::context::{Context, Status};
use crate::engine::uci;

/// `parapost engine`
#[derive(Args, Debug)]
#[command(after_help = "\
It reads commands of the Universal Chess Interface from standard input, and
answers on standard output, until 'quit' or the end of the input.

Example:
  parapost engine < commands.txt")]
pub(super) struct Engine {}

pub(super) fn run(_: &Engine, context: &mut Context<'_>) -> Result<Status, Error> {
    context.without_games()?;
    // Those of the process, and not the context's: it answers while it waits for the next command.
    uci::serve(io::stdin().lock(), io::stdout()).map_err(|error| Error::stdout(&error))?;
    Ok(Status::Done)
}
