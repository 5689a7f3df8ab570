//! `parapost note`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Note, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'note' is not written yet"))
}
