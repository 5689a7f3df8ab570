//! The arguments of `fetch`.

use chrono::NaiveDate;
use clap::Args;

use crate::args::delivery::Delivery;
use crate::args::telling::Telling;

/// `parapost fetch`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost fetch --send
  parapost fetch --since 2026-11-20
  parapost fetch --watch --send

The mailbox is that of the section [imap] of the configuration. Of mail
from before the first run it reads only what names a match; with --since it reads all.")]
pub struct Fetch {
    /// What becomes of the answers.
    #[command(flatten)]
    pub delivery: Delivery,
    /// What is told of the messages.
    #[command(flatten)]
    pub telling: Telling,
    /// Say what would be done, and do nothing
    #[arg(long, conflicts_with_all = ["send", "print", "watch"])]
    pub dry_run: bool,
    /// Enter the matches that messages invite you to, without asking
    #[arg(long)]
    pub accept: bool,
    /// Read also what arrived on this day or later
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub since: Option<NaiveDate>,
    /// Wait for mail until the process is told to end; with --send also send what is owed
    #[arg(long)]
    pub watch: bool,
}
