//! `parapost show`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Show, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'show' is not written yet"))
}
