//! `parapost receive`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'receive' is not written yet"))
}
