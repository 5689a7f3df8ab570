//! `parapost draw`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Draw, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'draw' is not written yet"))
}
