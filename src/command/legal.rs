//! `parapost legal`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Legal, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'legal' is not written yet"))
}
