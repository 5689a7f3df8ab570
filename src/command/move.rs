//! `parapost move`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Move, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'move' is not written yet"))
}
