//! Compares the direct way to find the moves of a text with the slow one, which looks
//! through all legal moves.

use alloc::vec::Vec;

use fastrand::Rng;

use super::ply_of;
use crate::board::Square;
use crate::damage::{SIGNS, damaged};
use crate::games;
use crate::movetext::{BoardText, MoveText, OriginText, Way};
use crate::piece::Role;
use crate::ply::{Placement, Ply, Side};
use crate::position::Position;
use crate::record::Record;
use crate::variant::Variant;

/// The moves that fit a text, among all legal ones.
fn slowly(position: &Position, legal: &[Ply], board: &BoardText) -> Vec<Ply> {
    let fits = |ply: &&Ply| {
        let Ply::Move { from, to, .. } = **ply else {
            return false;
        };
        let role = position.get(from).map(|piece| piece.role);
        to == board.target.square
            && (!board.en_passant || position.is_en_passant(from, to))
            && match (board.role, board.origin) {
                (Some(wanted), _) => role == Some(wanted),
                (None, OriginText::Square(_)) => true,
                (None, _) => role == Some(Role::Pawn),
            }
            && board.origin.fits(from)
    };
    legal.iter().filter(fits).copied().collect()
}

/// Compares both ways for a text; returns the number of meanings compared.
fn compare(position: &Position, legal: &[Ply], text: &str) -> usize {
    let Ok(parsed) = text.parse::<MoveText>() else {
        return 0;
    };
    let is_legal = |ply: Ply| {
        assert_eq!(position.is_legal(&ply), legal.contains(&ply), "{text}");
    };
    for way in &parsed.ways {
        match way {
            Way::Board(board) => {
                let slow = slowly(position, legal, board);
                assert_eq!(position.moves_of(board), slow, "{text} in {position:?}");
            }
            Way::Placement(_) => {}
            way => is_legal(ply_of(way).1.expect("no move on the board")),
        }
    }
    parsed.ways.len()
}

/// Compares both ways for every square and role, and for moves that are mostly illegal.
fn compare_all(position: &Position, legal: &[Ply], rng: &mut Rng) {
    let squares: Vec<Square> = Square::all(9).collect();
    for &to in &squares {
        for role in Role::ALL.into_iter().map(Some).chain([None]) {
            let slow = legal.iter().filter(|ply| match ply {
                Ply::Move { from, to: at, .. } => {
                    let mover = position.get(*from).map(|piece| piece.role);
                    *at == to && (role.is_none() || mover == role)
                }
                _ => false,
            });
            let slow: Vec<Ply> = slow.copied().collect();
            assert_eq!(position.moves_to(to, role), slow, "{role:?} to {to}");
        }
    }
    for _ in 0..50 {
        let mut square = || squares[rng.usize(..squares.len())];
        let (from, to) = (square(), square());
        let role = Role::ALL[rng.usize(..Role::COUNT)];
        let side = [Side::King, Side::Queen][rng.usize(..2)];
        let pawn = from;
        for ply in [
            Ply::Move {
                from,
                to,
                promotion: None,
            },
            Ply::Move {
                from,
                to,
                promotion: Some(role),
            },
            Ply::Castle(side),
            Ply::Drop { role, to },
            Ply::Relocation { role, to, pawn },
        ] {
            assert_eq!(position.is_legal(&ply), legal.contains(&ply), "{ply:?}");
        }
    }
    for ply in legal {
        assert!(position.is_legal(ply), "{ply:?}");
    }
}

/// A reserve counts a promoted bishop as a bishop, but a turn cannot place one.
#[test]
fn no_promoted_piece_is_placed() {
    let variant = Variant::find("kingchess", &[]).expect("a game");
    let start = variant.start();
    let at = |name: &str| name.parse::<Square>().expect("a square");
    for (role, legal) in [(Role::Bishop, true), (Role::Horse, false)] {
        let drops = [(Role::King, at("b1")), (role, at("b2"))];
        let placement = Placement::new(drops).expect("two squares");
        assert_eq!(start.is_legal(&Ply::Placement(placement)), legal, "{role}");
    }
}

/// Plays games of every variant at random and reads right, wrong and ambiguous texts.
#[test]
fn the_direct_way_finds_what_the_slow_way_finds() {
    let mut rng = Rng::with_seed(1994);
    let mut compared = 0;
    for game in games::ALL {
        let options = game.options.iter().map(|option| option.name);
        for options in core::iter::once(None).chain(options.map(Some)) {
            let options: Vec<&str> = options.into_iter().collect();
            let variant = Variant::new(game, &options).expect("one option of the game");
            let mut record = Record::new(variant.start());
            while record.steps().len() < 120 && record.outcome().is_none() {
                let position = record.position();
                let legal = position.single_plies();
                let is_stuck = legal.is_empty() && position.placements().next().is_none();
                assert_eq!(position.is_stuck(), is_stuck, "{}", position.fen());
                if legal.is_empty() {
                    break;
                }
                if record.steps().len().is_multiple_of(8) {
                    compare_all(position, &legal, &mut rng);
                }
                for _ in 0..12 {
                    let ply = &legal[rng.usize(..legal.len())];
                    for text in [position.text(ply), position.long_text(ply)] {
                        compared += compare(position, &legal, &text);
                        compared += compare(position, &legal, &damaged(&mut rng, &text, SIGNS));
                        // Without the letter, without the sign: often ambiguous.
                        compared += compare(position, &legal, &text[1..]);
                        compared += compare(position, &legal, &text.replace(['-', 'x', '>'], ""));
                    }
                }
                let moves: Vec<Ply> = legal
                    .iter()
                    .filter(|ply| matches!(ply, Ply::Move { .. } | Ply::Castle(_)))
                    .copied()
                    .collect();
                let from = if rng.usize(..4) > 0 && !moves.is_empty() {
                    &moves
                } else {
                    &legal
                };
                let ply = from[rng.usize(..from.len())];
                record.play(&ply).expect("a legal ply");
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}
