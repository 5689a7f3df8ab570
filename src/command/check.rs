//! `parapost check`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Check, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'check' is not written yet"))
}
