//! The arguments of `parapost mail`.

use clap::{Args, Subcommand};
use lettre::Address;

use crate::match_id::Id;

/// `parapost mail`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost mail list
  parapost mail retry k7f3qd --send
  parapost mail redirect k7f3qd ben@example.net
  parapost mail drop k7f3qd --only 12")]
pub struct Mail {
    /// What to do
    #[command(subcommand)]
    pub action: MailAction,
}

/// What to do with mail that has not gone.
#[derive(Subcommand, Debug)]
pub enum MailAction {
    /// List the mail that is owed or was refused for good
    List {
        /// The matches [default: all]
        ids: Vec<Id>,
        /// Write one JSON object instead
        #[arg(long)]
        json: bool,
    },
    /// Owe refused mail again
    Retry {
        /// The matches [default: all]
        ids: Vec<Id>,
        /// Only the mail with this number, which the list says
        #[arg(long, value_name = "N")]
        only: Option<usize>,
        /// Send it now
        #[arg(long)]
        send: bool,
    },
    /// Owe refused mail again, to another address
    Redirect {
        /// The mails.
        #[command(flatten)]
        choice: MailChoice,
        /// The address
        address: Address,
        /// Send it now
        #[arg(long)]
        send: bool,
    },
    /// Drop refused mail: it is not to go any more
    Drop {
        /// The mails.
        #[command(flatten)]
        choice: MailChoice,
    },
}

/// Mails of a match.
#[derive(Args, Clone, Debug)]
pub struct MailChoice {
    /// The match
    pub id: Id,
    /// Only the mail with this number, which the list says; it may be one that
    /// is still owed
    #[arg(long, value_name = "N")]
    pub only: Option<usize>,
}

/// What `parapost show` shows of the mail of a match.
#[derive(Args, Clone, Copy, Default, Debug)]
pub struct AnswerArgs {
    /// Show the answer that the links of the last mail of a match begin, with its code
    #[arg(long, conflicts_with_all = ["game", "options", "at", "flip", "mark", "indent"])]
    pub answer: bool,
}
