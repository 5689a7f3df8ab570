//! The reasons why a move is not allowed, in a player's words.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::IllegalMoveKind as Kind;
use super::{IllegalMove, MissingRule};
use crate::piece::Piece;
use crate::shown::list;
use crate::square::Square;

impl Display for IllegalMove {
    #[allow(
        clippy::too_many_lines,
        reason = "a sentence for each kind: one match holds that none is missing"
    )]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.names.game;
        let name = self.names.player(self.mover);
        let verb = |placed| if placed { "placed" } else { "dropped" };
        match &self.kind {
            Kind::GameOver(reason) => write!(f, "the game is over: {reason}"),
            Kind::OffBoard(square) => write!(f, "{square} is not a square of {game}"),
            Kind::NoSuchPiece(role) => write!(f, "there is no {role} in {game}"),
            Kind::NoSuchRule { rule, option } => self.no_such_rule(f, *rule, *option),
            Kind::EmptySquare(from) => write!(f, "there is no piece on {from}"),
            Kind::NotYours { from, piece } => {
                let Piece { color, role } = *piece;
                let owner = self.names.player(color);
                write!(
                    f,
                    "the {role} on {from} is {owner}'s, and it is {name}'s turn"
                )
            }
            Kind::OwnPiece { to, role } => {
                write!(f, "{name}'s own {role} stands on {to}")
            }
            Kind::OutOfReach {
                from,
                role,
                reaches,
            } => match reaches.as_slice() {
                [] => write!(f, "the {role} on {from} has nowhere to go"),
                _ => write!(f, "the {role} on {from} reaches {}", list(reaches, "and")),
            },
            Kind::InTheWay {
                from,
                role,
                blocker,
            } => {
                let blocker = self.whose(*blocker);
                write!(f, "{blocker} stands in the way of the {role} on {from}")
            }
            Kind::NotOnSecondRank(from) => write!(
                f,
                "the pawn on {from} is not on its second rank, so it goes one square only"
            ),
            Kind::NotDroppedThere(from) => write!(
                f,
                "the pawn on {from} was not dropped there, so it has no double step"
            ),
            Kind::NothingToCapture(to) => write!(f, "there is nothing to capture on {to}"),
            Kind::NotEnPassant(pawn) => write!(
                f,
                "the pawn on {pawn} did not come there by a double step on the turn before, so it can't be taken en passant"
            ),
            Kind::CaptureBeforeKing => write!(
                f,
                "{name}'s king is still in reserve, so {name} may not capture"
            ),
            Kind::NoPromotion(role) => write!(f, "a {role} does not promote"),
            Kind::NotOnLastRank(to) => {
                write!(f, "a pawn promotes on the last rank, not on {to}")
            }
            Kind::ChoosePromotion { to, choices } => {
                let names = list(choices, "or");
                write!(f, "a pawn that reaches {to} becomes a {names}")
            }
            Kind::AlreadyPromoted { from, role } => {
                write!(f, "the {role} on {from} is promoted already")
            }
            Kind::WrongPromotion { role, promoted } => {
                write!(f, "a {role} becomes a {promoted} only")
            }
            Kind::PromotionBeforeKing { king, stranded } => {
                let owner = self.names.player(*king);
                write!(
                    f,
                    "{owner}'s king is still in reserve, so {name} may not promote"
                )?;
                match stranded {
                    Some((role, to)) => write!(
                        f,
                        ", and a {role} on {to} could never move again without promoting"
                    ),
                    None => Ok(()),
                }
            }
            Kind::OutsideZone { from, to, ranks } => write!(
                f,
                "{name}'s pieces promote when their move begins or ends on ranks {}, not from {from} to {to}",
                list(ranks, "or")
            ),
            Kind::MustPromote { role, to } => write!(
                f,
                "a {role} that reaches {to} must promote: it could never move again"
            ),
            Kind::KingAttacked {
                king,
                attacker,
                dropped,
            } => {
                let attacker = self.whose(*attacker);
                let how = if *dropped { "be dropped" } else { "go" };
                write!(
                    f,
                    "{attacker} attacks {king}, so the king may not {how} there"
                )
            }
            Kind::KingExposed { king, attacker } => {
                let attacker = self.whose(*attacker);
                write!(f, "{attacker} would then attack {name}'s king on {king}")
            }
            Kind::CheckNotMet {
                checkers,
                needs_several,
            } => {
                let named: Vec<String> = checkers.iter().map(|at| self.whose(*at)).collect();
                let named = list(&named, "and");
                let them = if checkers.len() > 1 { "both" } else { "it" };
                write!(
                    f,
                    "{name} is in check from {named}, and this does not meet {them}"
                )?;
                if *needs_several {
                    f.write_str("; several pieces placed in one turn can")?;
                }
                Ok(())
            }
            Kind::CastlingPiece { role, square } => {
                write!(f, "to castle there {name} needs a {role} on {square}")
            }
            Kind::CastlingMoved { role, square } => write!(
                f,
                "{name}'s {role} on {square} has moved, so it can't castle"
            ),
            Kind::CastlingBlocked { blocker } => {
                write!(f, "{} stands between king and rook", self.whose(*blocker))
            }
            Kind::CastlingInCheck => {
                write!(f, "{name} is in check, and nobody castles out of check")
            }
            Kind::CastlingAttacked {
                square,
                attacker,
                lands,
            } => write!(
                f,
                "castling would take the king {} {square}, which {} attacks",
                if *lands { "to" } else { "across" },
                self.whose(*attacker)
            ),
            Kind::NeverInReserve { role, option } => {
                write!(f, "in {game}")?;
                if let Some(option) = option {
                    write!(f, " with {option}")?;
                }
                write!(f, " no {role} is ever in reserve")
            }
            Kind::NotInReserve(role) => write!(f, "{name} has no {role} in reserve"),
            Kind::TooFewInReserve { role, held } => {
                let s = if *held == 1 { "" } else { "s" };
                write!(f, "{name} has no more than {held} {role}{s} in reserve")
            }
            Kind::Occupied { square, piece } => {
                let piece = self.names.piece(*piece);
                write!(f, "{square} is not empty: {piece} stands there")
            }
            Kind::DropOnPawn { role, square, goal } => {
                write!(f, "{square} is not empty: {name}'s own pawn stands there; ")?;
                match goal {
                    Some(goal) => {
                        let drop = role.of(self.mover);
                        write!(f, "say where it goes, as in {drop}>{square}/{goal}")
                    }
                    None => f.write_str("there is no square for it to go to"),
                }
            }
            Kind::DropRank {
                role,
                square,
                ranks,
                single,
                placed,
            } => {
                let (verb, ranks) = (verb(*placed), list(ranks, "or"));
                let are = if *single { " is" } else { "s are" };
                write!(
                    f,
                    "{name}'s {role}{are} {verb} on ranks {ranks}, not on {square}"
                )
            }
            Kind::DropStranded { role, square } => {
                write!(f, "a {role} dropped on {square} could never move")
            }
            Kind::SecondPawn(file) => write!(
                f,
                "{name} already has an unpromoted pawn on the {file}-file, and may not drop a second there"
            ),
            Kind::BishopColor {
                square,
                light,
                placed,
            } => {
                let (verb, color) = (verb(*placed), if *light { "light" } else { "dark" });
                write!(
                    f,
                    "{name}'s first bishop was {verb} on a {color} square; the second goes on the other colour, and {square} is {color}"
                )
            }
            Kind::DropAttacks {
                role,
                square,
                victim,
                king_only,
            } => {
                let spared = if *king_only {
                    "the enemy king"
                } else {
                    "an enemy piece"
                };
                let victim = victim.map(|at| self.whose(at)).unwrap_or_default();
                write!(
                    f,
                    "a dropped piece may not attack {spared}; the {role} on {square} would attack {victim}"
                )
            }
            Kind::PawnDropMate(square) => write!(
                f,
                "a dropped pawn may not give checkmate, as it would on {square}"
            ),
            Kind::RelocationInCheck => {
                write!(f, "{name} is in check, and then no pawn may be relocated")
            }
            Kind::NoPawn(square) => {
                write!(f, "{name} has no pawn on {square} to put elsewhere")
            }
            Kind::RelocationRank { square, ranks } => write!(
                f,
                "{name}'s relocated pawn goes to ranks {}, not to {square}",
                list(ranks, "or")
            ),
            Kind::OneDropATurn => write!(f, "in {game} one piece is dropped at a time"),
            Kind::PlacementTooSmall => f.write_str("a placement is of two pieces or more"),
            Kind::KingFirst => write!(
                f,
                "{name}'s first turn must place the king, alone or with other pieces"
            ),
            Kind::Other => write!(f, "the rules of {game} do not allow this"),
        }
    }
}

impl IllegalMove {
    fn no_such_rule(
        &self,
        f: &mut fmt::Formatter<'_>,
        rule: MissingRule,
        option: Option<&str>,
    ) -> fmt::Result {
        f.write_str(self.names.game)?;
        if let Some(option) = option {
            write!(f, " with {option}")?;
        }
        match rule {
            MissingRule::Castling => f.write_str(" has no castling"),
            MissingRule::EnPassant => f.write_str(" has no capture en passant"),
            MissingRule::DoubleStep(from, to) => write!(
                f,
                " has no double step of pawns: the pawn on {from} can't go to {to}"
            ),
            MissingRule::Relocation => f.write_str(" has no relocation of pawns"),
            MissingRule::Drops => f.write_str(" has no drops"),
        }
    }

    /// "White's knight on g5".
    fn whose(&self, (square, piece): (Square, Piece)) -> String {
        format!("{} on {square}", self.names.piece(piece))
    }
}
