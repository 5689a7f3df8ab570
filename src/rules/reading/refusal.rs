//! Finds the reasons why a written move means no legal one.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::error::ReadError;
use super::meaning::{drop, placement};
use super::voice::Voice;
use crate::explain;
use crate::illegal::IllegalMoveKind;
use crate::movetext::{BoardText, MoveText, OriginText, PromotionText, SquareText, Way};
use crate::piece::{Color, Role};
use crate::ply::Ply;
use crate::position::Position;
use crate::refusal::{Place, Refusal, RefusalKind};
use crate::square::Square;

impl Position {
    /// The reasons why a text means no legal ply.
    pub(super) fn refusal(&self, text: &MoveText, voice: Voice) -> ReadError {
        let is_piece =
            voice == Voice::List && text.ways.iter().any(|way| self.is_canonical(way, text));
        let known: Vec<&Way> = text
            .ways
            .iter()
            .filter(|way| self.knows_piece(way) && !(is_piece && self.is_idle_pawn(way)))
            .collect();
        let ways = if known.is_empty() {
            text.ways.iter().collect()
        } else {
            known
        };
        let mut reasons: Vec<RefusalKind> = Vec::new();
        for way in ways {
            // The set-up style is one way among others only where it means
            // something.
            let beside = matches!(way, Way::Placement(_)) && !reasons.is_empty();
            if beside && !self.variant().rules().placement {
                continue;
            }
            if let Way::Board(board) = way
                && self.understands(board.target)
                && let Some(error) = self.missing_promotion(board)
            {
                return error;
            }
            for reason in self.refuse_way(way, text) {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        ReadError::Illegal(Refusal::new(self.variant().names(), self.turn(), reasons))
    }

    /// Returns true if a text begins with the letter of a piece that the mover has on
    /// the board, as the mover's moves are written: in a list `bxc2` of Black
    /// is the bishop's.
    fn is_canonical(&self, way: &Way, text: &MoveText) -> bool {
        let Way::Board(BoardText {
            role: Some(role), ..
        }) = way
        else {
            return false;
        };
        text.core.starts_with(role.of(self.turn()).letter()) && !self.own(*role).is_empty()
    }

    /// Returns true if a text is understood as a pawn's move without its letter, and
    /// not one that lacks only its promotion.
    fn is_idle_pawn(&self, way: &Way) -> bool {
        matches!(way, Way::Board(board) if board.role.is_none() && self.promotions(board).is_empty())
    }

    /// Returns true if the game has the piece that a text names; `bxc6` names a pawn
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

    fn refuse_way(&self, way: &Way, text: &MoveText) -> Vec<RefusalKind> {
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
                    placement(drops)
                        .map_or_else(|| vec![RefusalKind::SharedSquare], |ply| self.refuse(ply))
                })
            }
        }
    }

    fn refuse(&self, ply: Ply) -> Vec<RefusalKind> {
        vec![match self.play(&ply) {
            Err(reason) => RefusalKind::Illegal(reason),
            // The set-up style in a game that has none.
            Ok(_) => RefusalKind::WriteDrop(self.text(&ply)),
        }]
    }

    fn not_understood(&self, squares: &[SquareText]) -> Option<Vec<RefusalKind>> {
        let strange = squares.iter().find(|square| !self.understands(**square))?;
        Some(vec![if strange.shogi {
            RefusalKind::SquareName
        } else {
            RefusalKind::NoSquare(strange.square)
        }])
    }

    fn refuse_board(&self, board: &BoardText, text: &MoveText) -> Vec<RefusalKind> {
        if let Some(reasons) = self.not_understood(&[board.target]) {
            return reasons;
        }
        if let Some(castle) = self.castling_by_king(board) {
            return self.refuse(castle);
        }
        let mut reasons = match self.candidates(board).as_slice() {
            [] => vec![self.no_candidate(board)],
            [from] => vec![self.why_not(*from, board, text)],
            several => self.why_none(several, board, text),
        };
        let role = board.role.unwrap_or(Role::Pawn);
        // A piece that promotes, or declines to, is on the board.
        let promotes = board.promotion != PromotionText::Nothing || self.declines(text);
        let drop = (board.origin == OriginText::Nothing && !board.en_passant && !promotes)
            .then(|| self.droppable(role, board.target.square));
        reasons.extend(drop.flatten().map(RefusalKind::OrDrop));
        reasons
    }

    /// The reason why the mover has no piece that a text can mean.
    fn no_candidate(&self, board: &BoardText) -> RefusalKind {
        let illegal = |why| RefusalKind::Illegal(self.illegal(why));
        let role = board.role.unwrap_or(Role::Pawn);
        let rules = self.variant().rules();
        if rules.kind(role).is_none() {
            return illegal(IllegalMoveKind::NoSuchPiece(role));
        }
        if rules.placement && self.reserve(self.turn()).has(Role::King) {
            return illegal(IllegalMoveKind::KingFirst);
        }
        if let OriginText::Square(from) = board.origin {
            return match self.get(from) {
                None => illegal(IllegalMoveKind::EmptySquare(from)),
                Some(piece) if piece.color != self.turn() => {
                    illegal(IllegalMoveKind::NotYours { from, piece })
                }
                Some(piece) => RefusalKind::OtherPiece {
                    from,
                    there: piece.role,
                    wanted: role,
                },
            };
        }
        RefusalKind::NoPiece {
            role,
            place: match board.origin {
                OriginText::File(file) => Place::File(file),
                OriginText::Rank(rank) => Place::Rank(rank),
                _ => Place::Board,
            },
            promoted: role.promoted().filter(|role| !self.own(*role).is_empty()),
        }
    }

    /// The reasons why none of several pieces may go there. One of them that reaches the
    /// square is the one that was meant, and its own reason counts.
    fn why_none(&self, several: &[Square], board: &BoardText, text: &MoveText) -> Vec<RefusalKind> {
        let to = board.target.square;
        let aiming = several
            .iter()
            .find(|from| explain::aims_at(self.variant(), self.core(), **from, to));
        if let Some(from) = aiming {
            return vec![self.why_not(*from, board, text)];
        }
        if self.get(to).is_some_and(|piece| piece.color == self.turn()) {
            return vec![self.why_not(several[0], board, text)];
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
            return vec![self.why_not(near[0], board, text)];
        }
        let strikes = |from: &&Square| self.strikes_ahead(**from, to);
        if let Some(pawn) = near.iter().find(strikes).filter(|_| sideways) {
            return vec![self.why_not(*pawn, board, text)];
        }
        if near.is_empty() {
            near = several.to_vec();
        }
        if near.len() > 3 {
            let role = board.role.unwrap_or(Role::Pawn);
            return vec![RefusalKind::NoneReaches { role, to }];
        }
        near.iter()
            .filter_map(|from| explain::reach(self.variant(), self.core(), *from))
            .map(|why| RefusalKind::Illegal(self.illegal(why)))
            .collect()
    }

    /// Returns true if the mover's chess pawn on a square would capture on another.
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

    /// The reason why the piece on a square may not go where a text says.
    fn why_not(&self, from: Square, board: &BoardText, text: &MoveText) -> RefusalKind {
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
            Err(reason) => RefusalKind::Illegal(reason),
            Ok(_) if board.en_passant => RefusalKind::NotEnPassant(text.as_str().to_string()),
            Ok(_) => RefusalKind::WriteAs(self.text(&ply)),
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
            .filter(|from| board.origin.fits(*from))
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
