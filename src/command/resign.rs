//! `parapost resign`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'resign' is not written yet"))
}
