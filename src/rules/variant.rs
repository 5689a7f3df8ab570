//! A game with its options chosen.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::error::Error;
use core::hash::{Hash, Hasher};

use crate::board::{Board, Square};
use crate::game::{Game, Rules, RulesError};
use crate::games;
use crate::piece::{Color, Piece};
use crate::sentences::{sentences, shown};
use crate::state::Engine;

/// A game with its options chosen. Cheap to clone.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Variant, games};
///
/// let variant = Variant::find("unachess", &["no-double-step"])?;
/// assert_eq!(variant.game().name, "Unachess");
/// assert_eq!(variant.options(), ["no-double-step"]);
/// assert_eq!(variant.player(Color::White), "White");
/// assert_ne!(variant, Variant::new(&games::UNACHESS, &[])?);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    game: Game,
    options: Vec<&'static str>,
    engine: Engine,
}

impl Variant {
    /// The game with those options, in any order.
    ///
    /// # Errors
    ///
    /// If the game has no such option, two of them exclude each other, or the
    /// rules of a game of one's own make no game.
    pub fn new(game: &Game, options: &[&str]) -> Result<Variant, VariantError> {
        let mut rules = game.rules.clone();
        if let Some(unknown) = options
            .iter()
            .find(|name| !game.options.iter().any(|option| option.name == **name))
        {
            return Err(VariantError::UnknownOption {
                game: game.id,
                option: (*unknown).to_string(),
                known: game.options.iter().map(|option| option.name).collect(),
            });
        }
        let mut chosen: Vec<&'static str> = Vec::new();
        for option in game.options.iter().filter(|o| options.contains(&o.name)) {
            if let Some(other) = chosen.iter().find(|other| option.excludes.contains(other)) {
                return Err(VariantError::Excluded(other, option.name));
            }
            (option.apply)(&mut rules);
            chosen.push(option.name);
        }
        rules.check().map_err(VariantError::Rules)?;
        Ok(Variant(Arc::new(Inner {
            game: game.clone(),
            options: chosen,
            engine: Engine::new(&rules),
        })))
    }

    /// The game of that id with those options.
    ///
    /// # Errors
    ///
    /// As [`Variant::new`], and if there is no such game.
    pub fn find(game: &str, options: &[&str]) -> Result<Variant, VariantError> {
        match games::find(game) {
            Some(game) => Variant::new(game, options),
            None => Err(VariantError::UnknownGame(game.to_string())),
        }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.0.game
    }

    /// The options chosen, in the game's own order.
    #[must_use]
    pub fn options(&self) -> &[&'static str] {
        &self.0.options
    }

    pub(crate) fn names(&self) -> Names {
        Names {
            game: self.0.game.name,
            players: self.rules().players,
        }
    }

    /// The rules with the options worked in.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.0.engine.rules()
    }

    /// The rules worked out for the board.
    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// The player's name: White or Sente, Black or Gote.
    #[must_use]
    pub fn player(&self, color: Color) -> &'static str {
        self.rules().player(color)
    }

    /// A board of the game's size with nothing on it.
    #[must_use]
    pub fn empty_board(&self) -> Board {
        Board::blank(self.rules().width)
    }
}

impl PartialEq for Variant {
    /// The same game by its id, played with the same options and rules.
    fn eq(&self, other: &Variant) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.game().id == other.game().id
                && self.options() == other.options()
                && self.rules() == other.rules())
    }
}

impl Eq for Variant {}

impl Hash for Variant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.game().id.hash(state);
        self.options().hash(state);
    }
}

sentences! {
    /// A game or a choice of options that does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Variant, VariantError};
    ///
    /// let error = Variant::find("chess", &["no-castling"]).unwrap_err();
    /// assert!(matches!(error, VariantError::UnknownOption { .. }));
    /// assert_eq!(error.to_string(), "chess has no option 'no-castling'; it has none");
    /// ```
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum VariantError() {
        /// No game of that id.
        UnknownGame(id: String) => ("unknown game '{}'; known are {}", shown(id), known_games()),
        /// The game has no such option.
        UnknownOption {
            /// The game's id.
            game: &'static str,
            /// The unknown name.
            option: String,
            /// The options it has.
            known: Vec<&'static str>,
        } => ("{game} has no option '{}'; it has {}",
            shown(option), if known.is_empty() { "none".into() } else { known.join(", ") }),
        /// Two options that exclude each other.
        Excluded(one: &'static str, other: &'static str) =>
            ("the options '{one}' and '{other}' exclude each other"),
        /// A game of one's own: its rules make no game.
        Rules(error: RulesError) => ("{error}"),
    }
}

impl Error for VariantError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            VariantError::Rules(error) => error.source(),
            _ => None,
        }
    }
}

/// A game's name and what its players are called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Names {
    pub(crate) game: &'static str,
    pub(crate) players: [&'static str; 2],
}

impl Names {
    pub(crate) fn player(&self, color: Color) -> &'static str {
        self.players[color.index()]
    }

    /// "White's knight".
    pub(crate) fn piece(&self, piece: Piece) -> String {
        format!("{}'s {}", self.player(piece.color), piece.role)
    }

    /// "White's knight on g5".
    pub(crate) fn on(&self, (square, piece): (Square, Piece)) -> String {
        format!("{} on {square}", self.piece(piece))
    }
}

fn known_games() -> String {
    let ids: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
    ids.join(", ")
}
