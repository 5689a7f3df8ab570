//! `legal --json`: the legal moves of a position.

use serde::{Serialize, Serializer};

use crate::command::legal::moves::moves;
use crate::render::json::side;
use crate::rules::{Color, Ply, Record, Role, Side};

/// The legal moves of a position.
#[derive(Serialize)]
pub(crate) struct LegalMoves<'r> {
    game: &'static str,
    options: Vec<&'static str>,
    /// The number of half-moves made.
    ply: usize,
    turn: &'static str,
    status: &'static str,
    fen: String,
    /// True if only a placement of several pieces is legal.
    placement_needed: bool,
    moves: Moves<'r>,
}

/// The moves, made one by one while they are written: Kingchess can have more placements
/// than memory has room for.
struct Moves<'r> {
    record: &'r Record,
    has_placements: bool,
}

/// A legal move.
#[derive(Serialize)]
struct LegalMove {
    /// The move in canonical form, with its mark.
    text: String,
    /// The square that a piece leaves.
    from: Option<String>,
    /// The square that a piece goes to, or where it is put.
    to: Option<String>,
    /// The piece that comes from the reserve.
    drop: Option<String>,
    /// The piece that the mover becomes.
    promotion: Option<String>,
    /// `king` or `queen`: the side of castling.
    castling: Option<&'static str>,
    /// The square that a relocated pawn goes to.
    pawn: Option<String>,
    /// The pieces of a placement of several.
    placement: Option<Vec<Placed>>,
}

/// A piece of a placement.
#[derive(Serialize)]
struct Placed {
    drop: String,
    to: String,
}

impl<'r> LegalMoves<'r> {
    pub(crate) fn of(record: &'r Record, has_placements: bool) -> LegalMoves<'r> {
        let position = record.position();
        let variant = position.variant();
        LegalMoves {
            game: variant.game().id,
            options: variant.options().to_vec(),
            ply: record.steps().len(),
            turn: side(position.turn()),
            status: record.status(),
            fen: position.fen(),
            placement_needed: record.outcome().is_none() && position.needs_placement(),
            moves: Moves {
                record,
                has_placements,
            },
        }
    }
}

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = self.record.position().turn();
        let moves = moves(self.record, self.has_placements);
        serializer.collect_seq(moves.map(|(text, ply)| LegalMove::of(text, &ply, turn)))
    }
}

impl LegalMove {
    fn of(text: String, ply: &Ply, turn: Color) -> LegalMove {
        let piece = |role: Role| role.of(turn).to_string();
        let none = LegalMove {
            text,
            from: None,
            to: None,
            drop: None,
            promotion: None,
            castling: None,
            pawn: None,
            placement: None,
        };
        match *ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => LegalMove {
                from: Some(from.to_string()),
                to: Some(to.to_string()),
                promotion: promotion.map(piece),
                ..none
            },
            Ply::Castle(side) => LegalMove {
                castling: Some(match side {
                    Side::King => "king",
                    Side::Queen => "queen",
                }),
                ..none
            },
            Ply::Drop { role, to } => LegalMove {
                drop: Some(piece(role)),
                to: Some(to.to_string()),
                ..none
            },
            Ply::Relocation { role, to, pawn } => LegalMove {
                drop: Some(piece(role)),
                to: Some(to.to_string()),
                pawn: Some(pawn.to_string()),
                ..none
            },
            Ply::Placement(placement) => LegalMove {
                placement: Some(
                    placement
                        .drops()
                        .map(|(role, to)| Placed {
                            drop: piece(role),
                            to: to.to_string(),
                        })
                        .collect(),
                ),
                ..none
            },
        }
    }
}
