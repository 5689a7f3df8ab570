//! The user's consent to invitations.

use clap::Args;

/// The user's consent to invitations.
#[derive(Args, Clone, Copy, Debug)]
pub struct Consent {
    /// Enter the matches that messages invite you to, without asking
    #[arg(long, conflicts_with = "deliver")]
    pub accept: bool,
}
