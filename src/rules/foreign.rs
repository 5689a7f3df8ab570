//! Moves as other programs write them: SAN, UCI and USI.

use alloc::format;
use alloc::string::{String, ToString};

use crate::game::Promotion;
use crate::outcome::Mark;
use crate::piece::Role;
use crate::ply::{Ply, Side};
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// A legal ply in standard algebraic notation, as PGN has it: `Nf3`, `exd6`,
    /// `e8=Q+`, `O-O`. A drop is written `N@f3`, a pawn's `P@e4`.
    ///
    /// None where the notation has no form: relocations, placements of several
    /// pieces, games in which pieces promote in a zone.
    /// [`Voice::Program`](crate::notation::Voice::Program) reads it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::notation::Voice;
    /// use parapost_rules::{Position, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let position = Position::from_fen(&chess, "3k4/8/8/4pP2/8/8/8/R3K2R w KQ e6")?;
    /// for text in ["O-O-O+", "fxe6", "Rh8+", "Ke2"] {
    ///     let ply = position.read_with(text, Voice::Program)?.ply;
    ///     assert_eq!(position.san(&ply).as_deref(), Some(text));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn san(&self, ply: &Ply) -> Option<String> {
        if self.promotes_in_zone() {
            return None;
        }
        let text = match *ply {
            Ply::Castle(_) => self.text(ply),
            Ply::Drop { role, to } => drop('@', role, &to),
            Ply::Relocation { .. } | Ply::Placement(_) => return None,
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let piece = self.get(from)?;
                let captures = self.get(to).is_some() || self.is_en_passant(from, to);
                let origin = match piece.role {
                    Role::Pawn if captures => from.file().to_string(),
                    Role::Pawn => String::new(),
                    role => {
                        let origin = self.needed_origin(piece, from, to, promotion);
                        format!("{}{origin}", role.letter())
                    }
                };
                let sign = if captures { "x" } else { "" };
                let into = promotion.map(|role| format!("={}", role.letter()));
                format!("{origin}{sign}{to}{}", into.unwrap_or_default())
            }
        };
        Some(match self.play(ply).ok()?.mark() {
            Mark::None | Mark::Virtual => text,
            mark => format!("{text}{mark}"),
        })
    }

    /// A legal ply as the Universal Chess Interface has it: `g1f3`, `e7e8q`, `e1g1`
    /// for castling, `N@f3` for a drop. Where pieces promote in a zone, a
    /// promotion is a `+`.
    ///
    /// None where the notation has no form: relocations and placements of several
    /// pieces. [`Voice::Program`](crate::notation::Voice::Program) reads it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Ply, Role, Square, Variant};
    ///
    /// let start = Variant::find("chess", &[])?.start();
    /// let ply = Ply::Move { from: Square::G1, to: Square::F3, promotion: None };
    /// assert_eq!(start.uci(&ply).as_deref(), Some("g1f3"));
    /// let start = Variant::find("unachess", &[])?.start();
    /// let ply = Ply::Drop { role: Role::Knight, to: Square::F3 };
    /// assert_eq!(start.uci(&ply).as_deref(), Some("N@f3"));
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn uci(&self, ply: &Ply) -> Option<String> {
        Some(match *ply {
            Ply::Castle(side) => {
                let king = self.king(self.turn())?;
                let to = match side {
                    Side::King => Square::at(6, king.rank().index()),
                    Side::Queen => Square::at(2, king.rank().index()),
                };
                format!("{king}{to}")
            }
            Ply::Drop { role, to } => drop('@', role, &to),
            Ply::Relocation { .. } | Ply::Placement(_) => return None,
            Ply::Move {
                from,
                to,
                promotion,
            } => match promotion {
                None => format!("{from}{to}"),
                Some(role) if role.is_promoted() => format!("{from}{to}+"),
                Some(role) => format!("{from}{to}{}", role.letter().to_ascii_lowercase()),
            },
        })
    }

    /// A legal ply as the Universal Shogi Interface has it: `7g7f`, `8h2b+`, `P*5e`.
    ///
    /// None where the notation has no form: games on a board that is not 9 squares
    /// wide, or in which pieces do not promote in a zone; relocations.
    /// [`Voice::Program`](crate::notation::Voice::Program) reads it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::Variant;
    /// use parapost_rules::notation::Voice;
    ///
    /// let start = Variant::find("shogi", &[])?.start();
    /// let ply = start.read_with("7g7f", Voice::Program)?.ply;
    /// assert_eq!(start.text(&ply), "P-c4");
    /// assert_eq!(start.usi(&ply).as_deref(), Some("7g7f"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn usi(&self, ply: &Ply) -> Option<String> {
        if self.variant().rules().width != 9 || !self.promotes_in_zone() {
            return None;
        }
        match *ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let sign = promotion.map_or("", |_| "+");
                Some(format!("{}{}{sign}", shogi_square(from), shogi_square(to)))
            }
            Ply::Drop { role, to } => Some(drop('*', role, &shogi_square(to))),
            Ply::Castle(_) | Ply::Relocation { .. } | Ply::Placement(_) => None,
        }
    }

    /// Returns true if pieces promote in a zone, as in shogi.
    pub(crate) fn promotes_in_zone(&self) -> bool {
        matches!(self.variant().rules().promotion, Promotion::Zone { .. })
    }
}

fn drop(sign: char, role: Role, to: &impl ToString) -> String {
    format!("{}{sign}{}", role.letter(), to.to_string())
}

/// The name of a square in USI: the file counted from the first player's right, the
/// rank as a letter from the top.
fn shogi_square(square: Square) -> String {
    let (file, rank) = (square.file().index(), square.rank().index());
    format!("{}{}", 9 - file, char::from(b'i' - rank))
}
