//! Finds the meaning of a written move in a position.

#[cfg(test)]
mod direct;
mod error;
mod meaning;
mod refusal;
mod voice;

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::game::Promotion;
use crate::movetext::{BoardText, MoveText, PromotionText, SquareText, Way};
use crate::outcome::Mark;
use crate::piece::Role;
use crate::ply::Ply;
use crate::position::Position;
use meaning::{drop, placement, promotion_of};

pub use error::ReadError;
pub use voice::Voice;

/// A move as it was meant.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::Voice;
/// use parapost_rules::Variant;
///
/// let start = Variant::find("chess", &[])?.start();
/// let reading = start.read("e2e4 (=)", Voice::Lone)?;
/// assert_eq!(start.text(&reading.ply), "P-e4");
/// assert_eq!(reading.warnings, ["'e2e4' is read as 'P-e4'"]);
/// assert!(reading.offers_draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The ply.
    pub ply: Ply,
    /// Oddities of the way it was written, for people: clauses
    /// without a full stop. Empty for canonical text with the right mark or
    /// none.
    pub warnings: Vec<String>,
    /// True if a draw was offered with the move.
    pub offers_draw: bool,
}

impl MoveText {
    /// Returns true if a piece follows a `=` that has a blank beside it: `S-e8= S`.
    #[must_use]
    pub fn is_parted(&self) -> bool {
        self.parted.is_some()
    }

    /// The move as it declines promotion, and as it promotes, if the text could mean
    /// both.
    fn both(&self) -> Option<[String; 2]> {
        let core = &self.core;
        self.parted
            .map(|_| [format!("{core}="), format!("{core}=+")])
    }
}

impl Position {
    /// Reads a move as somebody wrote it.
    ///
    /// # Errors
    ///
    /// If it is no move, not allowed, or could be several.
    pub fn read(&self, text: &str, voice: Voice) -> Result<Reading, ReadError> {
        let text = text.parse().map_err(ReadError::NotAMove)?;
        self.interpret(&text, voice)
    }

    /// Finds the one legal ply that a text can mean here.
    ///
    /// # Errors
    ///
    /// If it means none that is allowed, or several.
    pub fn interpret(&self, text: &MoveText, voice: Voice) -> Result<Reading, ReadError> {
        if let Some(both) = text.both() {
            return self.one_of(&both, text, voice);
        }
        let meant = self.meant(text);
        let ply = match meant.as_slice() {
            [ply] => {
                let unfinished = self.unfinished(text);
                if voice == Voice::Lone && !unfinished.is_empty() {
                    return Err(self.several(&[&[*ply], unfinished.as_slice()].concat()));
                }
                let board = text.rival().map(|text| self.meant(&text));
                if let Some(board) = board.filter(|board| !board.is_empty()) {
                    return Err(self.several(&[&[*ply], board.as_slice()].concat()));
                }
                *ply
            }
            [] => return Err(self.refusal(text, voice)),
            several => match several.iter().find(|ply| self.text(ply) == text.core) {
                Some(canonical) if voice == Voice::List && !self.may_promote_by(text) => *canonical,
                _ => return Err(self.several(several)),
            },
        };
        Ok(Reading {
            warnings: self.warnings(text, &ply),
            offers_draw: self.offers_draw(text),
            ply,
        })
    }
    /// Shogi: the one legal ply that texts mean of which one may have become the other.
    fn one_of(
        &self,
        texts: &[String],
        written: &MoveText,
        voice: Voice,
    ) -> Result<Reading, ReadError> {
        let mut meant: Vec<Ply> = Vec::new();
        let zone = matches!(self.variant().rules().promotion, Promotion::Zone { .. });
        for text in texts.iter().filter(|_| zone) {
            let text: MoveText = text.parse().map_err(ReadError::NotAMove)?;
            for ply in self.meant(&text) {
                if !meant.contains(&ply) {
                    meant.push(ply);
                }
            }
        }
        match meant.as_slice() {
            [ply] => Ok(Reading {
                warnings: self.warnings(written, ply),
                offers_draw: false,
                ply: *ply,
            }),
            [] => Err(self.refusal(written, voice)),
            several => Err(self.several(several)),
        }
    }

    /// Shogi: whether a `+` that touches the text, which canonical text does
    /// not have, could promote.
    fn may_promote_by(&self, text: &MoveText) -> bool {
        let zone = matches!(self.variant().rules().promotion, Promotion::Zone { .. });
        zone && text.mark.is_some() && text.mark_touches
    }

    /// The `=` behind a move is a draw offer in chess games, in shogi games it
    /// declines promotion.
    fn offers_draw(&self, text: &MoveText) -> bool {
        text.offer || (text.equals && self.has_chess_pawns())
    }

    /// The promotions that a small `b` could mean, were their piece not
    /// missing: `bxc1` of Black, which the bishop can play.
    fn unfinished(&self, text: &MoveText) -> Vec<Ply> {
        let pawns = text.ways.iter().filter_map(|way| match way {
            Way::Board(board) if board.role.is_none() => Some(board),
            _ => None,
        });
        pawns
            .filter(|_| text.ways.len() > 1)
            .flat_map(|board| self.promotions(board))
            .collect()
    }

    /// Every legal ply the text can mean.
    fn meant(&self, text: &MoveText) -> Vec<Ply> {
        let mut meant: Vec<Ply> = Vec::new();
        for way in &text.ways {
            let plies = match way {
                Way::Castle(side) => self.if_legal(Ply::Castle(*side), &[]),
                Way::Board(board) => self.meant_on_board(board, text),
                Way::Drop(role, to) => self.if_legal(drop(*role, *to), &[*to]),
                Way::Relocation(role, to, pawn) => self.if_legal(
                    Ply::Relocation {
                        role: *role,
                        to: to.square,
                        pawn: pawn.square,
                    },
                    &[*to, *pawn],
                ),
                Way::Placement(drops) => self.meant_by_placement(drops),
            };
            for ply in plies {
                if !meant.contains(&ply) {
                    meant.push(ply);
                }
            }
        }
        meant
    }

    fn if_legal(&self, ply: Ply, squares: &[SquareText]) -> Vec<Ply> {
        let understood = squares.iter().all(|square| self.understands(*square));
        if understood && self.is_legal(&ply) {
            vec![ply]
        } else {
            Vec::new()
        }
    }

    fn meant_by_placement(&self, drops: &[(Role, SquareText)]) -> Vec<Ply> {
        let squares: Vec<SquareText> = drops.iter().map(|(_, to)| *to).collect();
        if !self.variant().rules().placement {
            return Vec::new();
        }
        match placement(drops) {
            Some(ply) => self.if_legal(ply, &squares),
            None => Vec::new(),
        }
    }

    fn meant_on_board(&self, board: &BoardText, text: &MoveText) -> Vec<Ply> {
        if !self.understands(board.target) {
            return Vec::new();
        }
        if let Some(castle) = self.castling_by_king(board) {
            return self.if_legal(castle, &[]);
        }
        let moves = self.moves_of(board);
        match self.variant().rules().promotion {
            Promotion::LastRank(_) => moves
                .into_iter()
                .filter(|ply| match (promotion_of(ply), board.promotion) {
                    (into, PromotionText::Nothing) => into.is_none(),
                    (into, PromotionText::To(role)) => into == Some(role),
                    (_, PromotionText::Plus) => false,
                })
                .collect(),
            Promotion::Zone { .. } => self.shogi_promotion(board, text, moves),
        }
    }

    /// Shogi: a `+` that touches the move promotes where that is possible,
    /// `=` declines, nothing declines but where promotion is forced.
    fn shogi_promotion(&self, board: &BoardText, text: &MoveText, moves: Vec<Ply>) -> Vec<Ply> {
        let promoting = |ply: &Ply| promotion_of(ply).is_some();
        let plus = text.mark_touches && matches!(text.mark, Some(Mark::Check | Mark::Mate));
        match board.promotion {
            PromotionText::Plus => moves.into_iter().filter(promoting).collect(),
            // `=S` in chess's way: whatever it meant, it is not understood.
            PromotionText::To(_) => Vec::new(),
            PromotionText::Nothing if text.equals => {
                moves.into_iter().filter(|ply| !promoting(ply)).collect()
            }
            PromotionText::Nothing if plus && moves.iter().any(promoting) => moves
                .into_iter()
                .filter(|ply| promoting(ply) || self.gives(ply, text.mark))
                .collect(),
            PromotionText::Nothing => {
                let declined: Vec<Ply> = moves
                    .iter()
                    .filter(|ply| !promoting(ply))
                    .copied()
                    .collect();
                if declined.is_empty() { moves } else { declined }
            }
        }
    }

    /// Returns true if a legal ply leads to that mark.
    fn gives(&self, ply: &Ply, mark: Option<Mark>) -> bool {
        self.play(ply)
            .is_ok_and(|after| match (after.mark(), mark) {
                (Mark::Check, Some(Mark::Check)) => true,
                (after, mark) => Some(after) == mark && after == Mark::Mate,
            })
    }

    fn several(&self, plies: &[Ply]) -> ReadError {
        let mut forms: Vec<String> = plies.iter().map(|ply| self.unmistakable(ply)).collect();
        forms.sort_unstable();
        ReadError::Ambiguous(forms)
    }

    fn warnings(&self, text: &MoveText, ply: &Ply) -> Vec<String> {
        let mut warnings = Vec::new();
        let canonical = self.text(ply);
        let forced = promotion_of(ply).is_some_and(Role::is_promoted)
            && text.ways.iter().all(
                |way| matches!(way, Way::Board(board) if board.promotion == PromotionText::Nothing),
            );
        let promoted_by_plus = forced && text.mark_touches && text.mark.is_some();
        if text.core != canonical {
            warnings.push(if forced && !promoted_by_plus {
                format!(
                    "the promotion is forced: '{}' is read as '{canonical}'",
                    text.core
                )
            } else {
                format!("'{}' is read as '{canonical}'", text.core)
            });
        }
        if let Some(mark) = text.mark.filter(|_| !promoted_by_plus) {
            match self.play(ply).map_or(Mark::None, |after| after.mark()) {
                right if mark == right => {}
                Mark::None => warnings.push(format!(
                    "the mark '{mark}' is wrong: the move gives no check"
                )),
                right => warnings.push(format!(
                    "the mark '{mark}' is wrong: it should be '{right}'"
                )),
            }
        }
        warnings
    }
}
