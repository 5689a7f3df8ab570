//! `parapost new`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::New, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'new' is not written yet"))
}
