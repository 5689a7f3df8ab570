//! Attacks: docs/rules.md 1.2 and 1.3.

use super::board::{Board, Kind, Piece, Side, Square, Step};

const ORTHOGONAL: &[Step] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: &[Step] = &[(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL_AROUND: &[Step] = &[
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];
const KNIGHT: &[Step] = &[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const GOLD: &[Step] = &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)];
const SILVER: &[Step] = &[(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)];

/// The captures of a piece, seen from the first player's seat: its single steps, then the directions in which it slides.
fn reach(piece: Piece) -> (&'static [Step], &'static [Step]) {
    match (piece.kind, piece.promoted) {
        (Kind::King, _) => (ALL_AROUND, &[]),
        (Kind::Queen, _) => (&[], ALL_AROUND),
        (Kind::Rook, false) => (&[], ORTHOGONAL),
        (Kind::Rook, true) => (DIAGONAL, ORTHOGONAL),
        (Kind::Bishop, false) => (&[], DIAGONAL),
        (Kind::Bishop, true) => (ORTHOGONAL, DIAGONAL),
        (Kind::Knight, _) => (KNIGHT, &[]),
        (Kind::Pawn, _) => (&[(-1, 1), (1, 1)], &[]),
        (Kind::Silver, false) => (SILVER, &[]),
        (Kind::ShogiKnight, false) => (&[(-1, 2), (1, 2)], &[]),
        (Kind::Lance, false) => (&[], &[(0, 1)]),
        (Kind::ShogiPawn, false) => (&[(0, 1)], &[]),
        (Kind::Gold, _)
        | (Kind::Silver | Kind::ShogiKnight | Kind::Lance | Kind::ShogiPawn, true) => (GOLD, &[]),
    }
}

/// Every square on which the piece on `from` could capture an enemy standing there, pins and the bar on captures before
/// one's king is placed disregarded (docs/rules.md 1.2). Squares of one's own pieces are among them.
pub(super) fn attacked_from(board: &Board, from: Square) -> Vec<Square> {
    let Some(piece) = board.at(from) else {
        return Vec::new();
    };
    let (steps, slides) = reach(piece);
    let mut squares = Vec::new();
    for &step in steps {
        squares.extend(board.step(from, piece.side.turned(step)));
    }
    for &slide in slides {
        let mut here = from;
        while let Some(next) = board.step(here, piece.side.turned(slide)) {
            squares.push(next);
            if board.at(next).is_some() {
                break;
            }
            here = next;
        }
    }
    squares
}

/// The squares of the pieces of `by` that attack `target`, whether or not their king is placed.
pub(super) fn attackers(board: &Board, target: Square, by: Side) -> Vec<Square> {
    board
        .pieces(by)
        .map(|(from, _)| from)
        .filter(|&from| attacked_from(board, from).contains(&target))
        .collect()
}

/// Attacked by a side whose own king is on the board: docs/rules.md 1.2.
pub(super) fn is_really_attacked(board: &Board, target: Square, by: Side) -> bool {
    board.king(by).is_some() && !attackers(board, target, by).is_empty()
}

/// Real check: docs/rules.md 1.2.
pub(super) fn in_real_check(board: &Board, side: Side) -> bool {
    board
        .king(side)
        .is_some_and(|king| is_really_attacked(board, king, side.other()))
}

/// Virtual check, the same attack while the attacker's king is in reserve: docs/rules.md 1.3.
pub(super) fn in_virtual_check(board: &Board, side: Side) -> bool {
    board.king(side).is_some_and(|king| {
        board.king(side.other()).is_none() && !attackers(board, king, side.other()).is_empty()
    })
}
