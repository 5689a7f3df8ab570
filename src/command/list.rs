//! `parapost list`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::List, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'list' is not written yet"))
}
