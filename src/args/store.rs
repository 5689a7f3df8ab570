//! The arguments of the commands about where matches are kept.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lettre::Address;

/// `parapost store`
#[derive(Args, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Example:
  parapost store setup"
)]
pub struct Store {
    /// What to do.
    #[command(subcommand)]
    pub action: StoreAction,
}

/// What is done to the place of the matches.
#[derive(Subcommand, Clone, Copy, Debug)]
pub enum StoreAction {
    /// Make the tables in the configured database, or bring those of an earlier
    /// version up to date
    Setup,
}

/// `parapost export`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost export backup

A file for each match, byte by byte as the match is kept. A file that is there
already and differs is left as it is, and named.

With --person, what is kept of one person, for that person: a file for each match
with the moves and the person's own part of the log. It has no address and no
words of the other player, and nothing that proves who wrote.

Exit status: 0 if every match is in the folder; 1 if one is not.")]
pub struct Export {
    /// Write what is kept of the person with this address, and nothing of others
    #[arg(long, value_name = "ADDRESS")]
    pub person: Option<Address>,
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `parapost import`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost import games

Brings the matches of a folder to where matches are kept, byte by byte, damaged
ones too. A match that is there already and differs is left as it is, and named.

Exit status: 0 if every match of the folder is there; 1 if one is not.")]
pub struct Import {
    /// The folder, as 'parapost export' makes it or as --games names it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `parapost forget`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost forget anna@example.org --yes

In each match of this player the name and the addresses become 'Player N', and so do
the player's words. The moves and the results stay. Mail that is owed to the player
is dropped. It cannot be undone. What is outside the matches stays: mail that was
sent, the outbox folder, backups, files that were exported.

A match that goes on is refused: the player resigns first. Without --yes it says
what it would do.

Exit status: 0 if every match is changed; 1 if one is not.")]
pub struct Forget {
    /// The addresses of the player
    #[arg(value_name = "ADDRESS", required = true)]
    pub addresses: Vec<Address>,
    /// Do it
    #[arg(long)]
    pub yes: bool,
}

/// `parapost archive`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost archive /var/www/parapost

Writes finished matches as pages that any web server shows, or a browser from the
folder: a page for each match, lists by player, game, result and event, tables of
who played whom, and a feed (Atom). Names are shown as players gave them; never
addresses, words or Message-IDs. A later run writes what has changed, and takes
away what is no longer there.

Exit status: 0 if every match is there; 1 if one cannot be read.")]
pub struct Archive {
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Show the matches that go on, too
    #[arg(long)]
    pub running: bool,
    /// The address of the folder on the web, for the links of the feed
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
}
