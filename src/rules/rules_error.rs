//! The check of rules, and its error.

use core::error::Error;
use core::fmt;

use crate::board_text::board;
use crate::fen_error::ParseFenError;
use crate::game::{Promotion, Rules};
use crate::piece::Role;
use crate::reserve::Reserve;

/// Rules that no game can be played by.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Game, Rules, RulesError, Variant, VariantError, games};
///
/// let wide = Game {
///     rules: Rules { width: 12, ..games::CHESS.rules.clone() },
///     ..games::CHESS.clone()
/// };
/// let error = Variant::new(&wide, &[]).unwrap_err();
/// assert_eq!(error, VariantError::Rules(RulesError::Width(12)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RulesError {
    /// The board is neither 8 nor 9 squares wide.
    Width(u8),
    /// [`Rules::start`] is no board of that width.
    Start(ParseFenError),
    /// The ranks on which a role is dropped are not on the board.
    DropRanks(Role),
    /// The ranks to which a pawn is relocated are not on the board.
    RelocationRanks,
    /// The promotion zone has no rank, or more than the board.
    PromotionZone(u8),
    /// There is castling on a board that is not 8 squares wide.
    Castling,
    /// The name of a player is not one word of letters, as it is read in lists
    /// and diagrams.
    Player(&'static str),
    /// There are more than [`Reserve::MOST`] pieces of a role.
    TooMany(Role),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::Width(width) => write!(f, "a board is 8 or 9 squares wide, not {width}"),
            RulesError::Start(_) => f.write_str("the start is no board"),
            RulesError::DropRanks(role) => {
                write!(f, "{role}s are dropped on ranks off the board")
            }
            RulesError::RelocationRanks => f.write_str("pawns are relocated off the board"),
            RulesError::PromotionZone(ranks) => {
                write!(f, "a promotion zone can't have {ranks} ranks")
            }
            RulesError::Castling => f.write_str("castling needs a board 8 squares wide"),
            RulesError::Player(name) => write!(f, "the player's name '{name}' is not one word"),
            RulesError::TooMany(role) => {
                write!(f, "there are more than {} {role}s", Reserve::MOST)
            }
        }
    }
}

impl Error for RulesError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RulesError::Start(error) => Some(error),
            _ => None,
        }
    }
}

impl Rules {
    /// Checks what the rest of the crate takes for granted.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub(crate) fn check(&self) -> Result<(), RulesError> {
        let width = self.width;
        if !matches!(width, 8 | 9) {
            return Err(RulesError::Width(width));
        }
        let is_word = |name: &str| !name.is_empty() && name.chars().all(char::is_alphabetic);
        if let Some(name) = self.players.into_iter().find(|name| !is_word(name)) {
            return Err(RulesError::Player(name));
        }
        let start = board(width, self.start).map_err(RulesError::Start)?;
        let on_board = |(first, last): (u8, u8)| first >= 1 && last <= width;
        for role in Role::ALL {
            if !on_board(self.drop_ranks[role.index()]) {
                return Err(RulesError::DropRanks(role));
            }
            let standing = start
                .pieces()
                .filter(|(_, piece)| piece.role.base() == role);
            let held: usize = self
                .slots()
                .filter(|(slot, _)| *slot == role && self.reserve_at_start)
                .map(|(_, count)| usize::from(count))
                .sum();
            if standing.count() + 2 * held > usize::from(Reserve::MOST) {
                return Err(RulesError::TooMany(role));
            }
        }
        if self.relocation.is_some_and(|ranks| !on_board(ranks)) {
            return Err(RulesError::RelocationRanks);
        }
        match self.promotion {
            Promotion::Zone { ranks, .. } if !(1..=width).contains(&ranks) => {
                Err(RulesError::PromotionZone(ranks))
            }
            _ if self.castling && width != 8 => Err(RulesError::Castling),
            _ => Ok(()),
        }
    }
}
