//! The arguments of the commands that play.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::args::delivery::Delivery;
use crate::match_id::Id;
use crate::matches::action::Action;

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
    #[arg(value_parser = actions("draw", [
        ("offer", "Offer one; the offer lapses at the opponent's next move"),
        ("accept", "Accept the opponent's offer"),
        ("decline", "Decline the opponent's offer"),
        ("claim", "Claim one by repetition or the count of moves, before moving"),
    ]))]
    pub action: Action,
    /// The match
    pub id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// `parapost takeback`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost takeback propose k7f3qd --send")]
pub struct Takeback {
    /// What to do
    #[arg(value_parser = actions("takeback", [
        ("propose", "Propose it; the proposal lapses at the next move"),
        ("accept", "Agree to the opponent's proposal: the move is taken back"),
        ("decline", "Decline the opponent's proposal"),
    ]))]
    pub action: Action,
    /// The match
    pub id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// Parses the verb of an action, with the help for each.
fn actions<const N: usize>(
    object: &'static str,
    verbs: [(&'static str, &'static str); N],
) -> impl TypedValueParser<Value = Action> {
    let verbs = verbs.map(|(verb, help)| PossibleValue::new(verb).help(help));
    PossibleValuesParser::new(verbs)
        .try_map(move |verb| Action::of_command(&verb, object).ok_or("this is no action"))
}
