//! The arguments of `doctor`.

use clap::Args;

/// `parapost doctor`
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "\
Example:
  parapost doctor

A line for each check: ok, note, or wrong with what to do. Nothing is changed,
neither here nor on a server.

Exit status: 0 if nothing is wrong; 1 if something is.")]
pub struct Doctor {}
