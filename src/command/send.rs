//! `parapost send`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Send, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'send' is not written yet"))
}
