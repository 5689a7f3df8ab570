//! The arguments of the commands about where matches are kept.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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

Exit status: 0 if every match is in the folder; 1 if one is not.")]
pub struct Export {
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
