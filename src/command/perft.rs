//! `parapost perft`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Perft, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'perft' is not written yet"))
}
