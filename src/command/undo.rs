//! `parapost undo`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Undo, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'undo' is not written yet"))
}
