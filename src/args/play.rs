//! The arguments of the commands that play.

use clap::{Args, ValueEnum};

use crate::args::delivery::Delivery;
use crate::match_id::Id;

/// `parapost move`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost move k7f3qd 'n>g5' --send")]
pub struct Move {
    /// The match
    pub id: Id,
    /// The move, in quotes
    #[arg(value_name = "MOVE", required = true)]
    pub words: Vec<String>,
    /// Write one JSON object instead
    #[arg(long, conflicts_with = "print")]
    pub json: bool,
    /// The mail to the opponent.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// `parapost undo`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost undo k7f3qd")]
pub struct Undo {
    /// The match
    pub id: Id,
}

/// `parapost draw`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost draw offer k7f3qd --send")]
pub struct Draw {
    /// What to do
    #[arg(value_enum)]
    pub action: DrawAction,
    /// The match
    pub id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// The actions about a draw.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawAction {
    /// Offer one; the offer lapses at the opponent's next move
    Offer,
    /// Accept the opponent's offer
    Accept,
    /// Decline the opponent's offer
    Decline,
    /// Claim one by repetition or the count of moves, before moving
    Claim,
}

/// `parapost takeback`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost takeback propose k7f3qd --send")]
pub struct Takeback {
    /// What to do
    #[arg(value_enum)]
    pub action: TakebackAction,
    /// The match
    pub id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// The actions about taking the last move back.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakebackAction {
    /// Propose it; the proposal lapses at the next move
    Propose,
    /// Agree to the opponent's proposal: the move is taken back
    Accept,
    /// Decline the opponent's proposal
    Decline,
}
