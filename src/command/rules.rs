//! `parapost rules`

use super::{Context, Status};
use crate::Error;
use crate::args;

pub(super) fn run(args: &args::Rules, context: &mut Context<'_>) -> Result<Status, Error> {
    let _ = (args, context);
    Err(Error::refused("'rules' is not written yet"))
}
