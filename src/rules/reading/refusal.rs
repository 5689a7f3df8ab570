//! Why a written move means none that is allowed.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::error::ReadError;
use super::meaning::{drop, fits_origin, placement};
use super::voice::Voice;
use crate::explain;
use crate::illegal::IllegalMove;
use crate::movetext::{BoardText, MoveText, OriginText, PromotionText, SquareText, Way};
use crate::piece::{Color, Piece, Role};
use crate::ply::Ply;
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Why a text that means no legal ply means none.
    pub(super) fn refusal(&self, text: &MoveText, voice: Voice) -> ReadError {
        let is_piece =
            voice == Voice::List && text.ways.iter().any(|way| self.is_canonical(way, text));
        let known: Vec<&Way> = text
            .ways
            .iter()
            .filter(|way| self.knows_piece(way) && !(is_piece && is_pawn(way)))
            .collect();
        let ways = if known.is_empty() {
            text.ways.iter().collect()
        } else {
            known
        };
        let mut reasons: Vec<String> = Vec::new();
        for way in ways {
            // The set-up style is one way among others only where it means
            // something.
            let beside = matches!(way, Way::Placement(_)) && !reasons.is_empty();
            if beside && !self.variant().rules().placement {
                continue;
            }
            match self.refuse_way(way, text) {
                error @ ReadError::Promotion(_) => return error,
                ReadError::Illegal(reason) => {
                    let reason = reason.to_string();
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
                _ => {}
            }
        }
        illegal(reasons.join("; "))
    }

    /// Whether a text begins with the letter of a piece that the mover has on
    /// the board, as the mover's moves are written: in a list `bxc2` of Black
    /// is the bishop's.
    fn is_canonical(&self, way: &Way, text: &MoveText) -> bool {
        let Way::Board(BoardText {
            role: Some(role), ..
        }) = way
        else {
            return false;
        };
        let (color, role) = (self.turn(), *role);
        text.core.starts_with(Piece { color, role }.letter()) && !self.own(role).is_empty()
    }

    /// Whether the game has the piece that a text names; `bxc6` names a pawn
    /// where pawns capture sideways.
    fn knows_piece(&self, way: &Way) -> bool {
        match way {
            Way::Board(board) => match (board.role, board.origin) {
                (Some(role), _) => self.variant().rules().kind(role).is_some(),
                (None, OriginText::File(_)) => self.has_chess_pawns(),
                (None, _) => true,
            },
            _ => true,
        }
    }

    fn refuse_way(&self, way: &Way, text: &MoveText) -> ReadError {
        match way {
            Way::Castle(side) => self.refuse(Ply::Castle(*side)),
            Way::Board(board) => self.refuse_board(board, text),
            Way::Drop(role, to) => self
                .not_understood(&[*to])
                .unwrap_or_else(|| self.refuse(drop(*role, *to))),
            Way::Relocation(role, to, pawn) => {
                self.not_understood(&[*to, *pawn]).unwrap_or_else(|| {
                    self.refuse(Ply::Relocation {
                        role: *role,
                        to: to.square,
                        pawn: pawn.square,
                    })
                })
            }
            Way::Placement(drops) => {
                let squares: Vec<SquareText> = drops.iter().map(|(_, to)| *to).collect();
                self.not_understood(&squares).unwrap_or_else(|| {
                    placement(drops).map_or_else(
                        || illegal("two pieces can't be placed on one square"),
                        |ply| self.refuse(ply),
                    )
                })
            }
        }
    }

    fn refuse(&self, ply: Ply) -> ReadError {
        match self.play(&ply) {
            Err(reason) => ReadError::Illegal(reason),
            // The set-up style in a game that has none.
            Ok(_) => illegal(format!("to drop it write {}", self.text(&ply))),
        }
    }

    fn not_understood(&self, squares: &[SquareText]) -> Option<ReadError> {
        let strange = squares.iter().find(|square| !self.understands(**square))?;
        let game = self.variant().game().name;
        Some(illegal(if strange.shogi {
            format!("in {game} squares are named a1 to h8")
        } else {
            format!(
                "there is no square {} in {game}; they are named a1 to h8",
                strange.square
            )
        }))
    }

    fn refuse_board(&self, board: &BoardText, text: &MoveText) -> ReadError {
        if let Some(error) = self.not_understood(&[board.target]) {
            return error;
        }
        if let Some(castle) = self.castling_by_king(board) {
            return self.refuse(castle);
        }
        if let Some(error) = self.missing_promotion(board) {
            return error;
        }
        let why = match self.candidates(board).as_slice() {
            [] => self.no_candidate(board),
            [from] => self.why_not(*from, board, text),
            several => self.why_none(several, board, text),
        };
        let role = board.role.unwrap_or(Role::Pawn);
        // What promotes, or declines to, is on the board.
        let promotes = board.promotion != PromotionText::Nothing || self.declines(text);
        let drop = (board.origin == OriginText::Nothing && !board.en_passant && !promotes)
            .then(|| self.droppable(role, board.target.square));
        illegal(match drop.flatten() {
            Some(drop) => format!("{why}; to drop one write {drop}"),
            None => why,
        })
    }

    /// Why the mover has no piece that a text can mean.
    fn no_candidate(&self, board: &BoardText) -> String {
        let mover = self.mover();
        let role = board.role.unwrap_or(Role::Pawn);
        let name = role.name();
        if self.variant().rules().kind(role).is_none() {
            return format!("there is no {name} in {}", self.variant().game().name);
        }
        let rules = self.variant().rules();
        if rules.placement && self.reserve(self.turn()).has(Role::King) {
            return explain::king_first(mover);
        }
        if let OriginText::Square(from) = board.origin {
            return match self.get(from) {
                None => format!("there is no piece on {from}"),
                Some(piece) if piece.color != self.turn() => {
                    let owner = self.variant().player(piece.color);
                    let there = piece.role.name();
                    format!("the {there} on {from} is {owner}'s, and it is {mover}'s turn")
                }
                Some(piece) => {
                    let there = piece.role.name();
                    format!("{mover}'s {there} stands on {from}, not a {name}")
                }
            };
        }
        let place = match board.origin {
            OriginText::File(file) => format!("on the {}-file", Square::at(file, 0).file()),
            OriginText::Rank(rank) => format!("on rank {}", rank + 1),
            _ => String::from("on the board"),
        };
        let promoted = role.promoted().filter(|role| !self.own(*role).is_empty());
        match promoted {
            Some(promoted) => {
                let color = self.turn();
                let written = Piece {
                    color,
                    role: promoted,
                };
                format!(
                    "{mover} has no {name} {place}; the {} is written {written}",
                    promoted.name()
                )
            }
            None => format!("{mover} has no {name} {place}"),
        }
    }

    /// Why none of several pieces may go there. One of them that reaches the
    /// square is the one that was meant, and its own reason counts.
    fn why_none(&self, several: &[Square], board: &BoardText, text: &MoveText) -> String {
        let to = board.target.square;
        let aiming = several
            .iter()
            .find(|from| explain::aims_at(self.variant(), self.core(), **from, to));
        if let Some(from) = aiming {
            return self.why_not(*from, board, text);
        }
        if self.get(to).is_some_and(|piece| piece.color == self.turn()) {
            return self.why_not(several[0], board, text);
        }
        // A pawn is looked for where it could come from.
        let sideways = board.en_passant || text.core.contains(['x', 'X', ':']);
        let near = |from: &&Square| {
            let files = from.file().index().abs_diff(to.file().index());
            let ranks = from.rank().index().abs_diff(to.rank().index());
            match self.get(**from).map(|piece| piece.role) {
                Some(Role::Pawn) if sideways && self.has_chess_pawns() => files == 1 && ranks == 1,
                Some(Role::Pawn) => files == 0,
                _ => true,
            }
        };
        let mut near: Vec<Square> = several.iter().filter(near).copied().collect();
        if near.len() == 1 {
            return self.why_not(near[0], board, text);
        }
        let strikes = |from: &&Square| self.strikes_ahead(**from, to);
        if let Some(pawn) = near.iter().find(strikes).filter(|_| sideways) {
            return self.why_not(*pawn, board, text);
        }
        if near.is_empty() {
            near = several.to_vec();
        }
        if near.len() > 3 {
            let role = board.role.unwrap_or(Role::Pawn).name();
            return format!("none of {}'s {role}s reaches {to}", self.mover());
        }
        let reaches: Vec<String> = near
            .iter()
            .filter_map(|from| explain::reach(self.variant(), self.core(), *from))
            .collect();
        reaches.join("; ")
    }

    /// Whether the mover's chess pawn on a square would capture on another.
    fn strikes_ahead(&self, from: Square, to: Square) -> bool {
        let (before, after) = match self.turn() {
            Color::White => (from.rank(), to.rank()),
            Color::Black => (to.rank(), from.rank()),
        };
        self.has_chess_pawns()
            && self.get(from).is_some_and(|piece| piece.role == Role::Pawn)
            && before.index() + 1 == after.index()
            && from.file().index().abs_diff(to.file().index()) == 1
    }

    /// Why the piece on a square may not go where a text says.
    fn why_not(&self, from: Square, board: &BoardText, text: &MoveText) -> String {
        let promotion = match board.promotion {
            PromotionText::To(role) => Some(role),
            // A piece that does not promote is told so.
            PromotionText::Plus => self
                .get(from)
                .map(|piece| piece.role.promoted().unwrap_or(piece.role)),
            PromotionText::Nothing => None,
        };
        let ply = Ply::Move {
            from,
            to: board.target.square,
            promotion,
        };
        match self.play(&ply) {
            Err(reason) => reason.to_string(),
            Ok(_) if board.en_passant => {
                format!("{} is no capture en passant", text.as_str())
            }
            Ok(_) => format!("write it as {}", self.text(&ply)),
        }
    }

    /// The mover's pieces that a text can mean, wherever they can go.
    fn candidates(&self, board: &BoardText) -> Vec<Square> {
        let roles = match (board.role, board.origin) {
            (Some(role), _) => vec![role],
            (None, OriginText::Square(_)) => Role::ALL.to_vec(),
            (None, _) => vec![Role::Pawn],
        };
        roles
            .into_iter()
            .flat_map(|role| self.own(role))
            .filter(|from| fits_origin(board.origin, *from))
            .collect()
    }

    /// Chess: the forms with a promotion piece, where only that is missing.
    fn missing_promotion(&self, board: &BoardText) -> Option<ReadError> {
        let plies = self.promotions(board);
        let forms: Vec<String> = plies.iter().map(|ply| self.text(ply)).collect();
        (!forms.is_empty()).then_some(ReadError::Promotion(forms))
    }

    /// The drop that would be legal where a text without a drop sign is not.
    fn droppable(&self, role: Role, to: Square) -> Option<String> {
        let ply = Ply::Drop { role, to };
        self.is_legal(&ply).then(|| self.text(&ply))
    }
}

/// Whether a text is understood as a pawn's move without its letter.
fn is_pawn(way: &Way) -> bool {
    matches!(way, Way::Board(board) if board.role.is_none())
}

fn illegal(reason: impl Into<String>) -> ReadError {
    ReadError::Illegal(IllegalMove::new(reason.into()))
}
