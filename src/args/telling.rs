//! How a command tells what became of messages.

use clap::Args;

/// How a command tells what became of messages. Without an option, a person at a
/// terminal gets sentences, and a program lines.
#[derive(Args, Clone, Copy, Default, Debug)]
#[group(multiple = false)]
pub struct Telling {
    /// Write a line with tabs for each message, as where standard output is no terminal
    #[arg(long)]
    pub porcelain: bool,
    /// Write a JSON object for each message, on a line each
    #[arg(long, conflicts_with = "print")]
    pub json: bool,
}
