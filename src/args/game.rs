//! The game on the command line.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::rules::{Game, Variant, games};
use crate::{Error, suggest};

/// The game and its options.
#[derive(Args, Clone, Default, Debug)]
pub struct GameArgs {
    /// The game
    #[arg(long, value_name = "G", value_parser = game_parser(), ignore_case = true)]
    pub game: Option<&'static Game>,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "O")]
    pub options: Vec<String>,
}

impl GameArgs {
    /// Returns a game with the chosen options.
    ///
    /// # Errors
    ///
    /// A usage error if the game lacks an option or two options exclude each
    /// other. It lists the game's options and suggests the nearest.
    pub fn variant_of(&self, game: &Game) -> Result<Variant, Error> {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        Variant::new(game, &options).map_err(|error| Error::usage(suggest::explain(&error)))
    }
}

/// Parses the name of a game. The argument must ignore case.
pub(super) fn game_parser() -> impl TypedValueParser<Value = &'static Game> {
    PossibleValuesParser::new(games::ALL.iter().map(|game| game.id)).map(|id| {
        games::find(&id.to_lowercase())
            .unwrap_or_else(|| unreachable!("only names of games are let through"))
    })
}

/// A position on the command line.
#[derive(Args, Clone, Default, Debug)]
#[group(multiple = false)]
pub struct PositionArgs {
    /// The position after these moves
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// The position of this FEN
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
}
