//! What to do with the mail that a command makes.

use clap::Args;

/// What to do with the mail that a command makes.
#[derive(Args, Clone, Copy, Default, Debug)]
#[group(multiple = false)]
pub struct Delivery {
    /// Send the mail now
    #[arg(long)]
    pub send: bool,
    /// Write the mail to standard output instead; that counts as sent
    #[arg(long)]
    pub print: bool,
}
