//! Positions that no play leads to.

use super::Slow;
use super::board::{Board, Kind, Piece, Reserves, Side, Square};
use super::games::Rules;
use super::position::Position;

impl Slow {
    /// The position of a FEN as far as its board, its reserves and its side to move go: nobody may castle.
    pub(crate) fn from_fen(game: &str, options: &[&str], fen: &str) -> Slow {
        let (rows, rest) = fen.split_once('[').expect("reserves");
        let (reserves, rest) = rest.split_once(']').expect("reserves");
        let turn = if rest.trim_start().starts_with('w') {
            Side::First
        } else {
            Side::Second
        };
        Slow::set_up(Rules::named(game, options), rows, reserves, turn, "")
    }

    /// Some position of a game. The board is written as in FEN and SFEN, the reserves as letters; no pawn of the second rank
    /// has moved, and kings and rooks have not if they stand on the squares listed.
    pub(crate) fn set_up(
        rules: Rules,
        rows: &str,
        reserves: &str,
        turn: Side,
        unmoved: &str,
    ) -> Slow {
        let (start, _) = rules.start();
        let mut position = Position {
            board: Board::empty(start.size),
            reserves: Reserves::default(),
            turn,
            ..Position::start(rules)
        };
        for (row, text) in rows.split('/').enumerate() {
            let (mut file, mut promoted) = (0, false);
            for letter in text.chars() {
                if let Some(gap) = letter.to_digit(10) {
                    file += gap as usize;
                } else if letter == '+' {
                    promoted = true;
                } else {
                    let square = Square {
                        file,
                        rank: start.size - 1 - row,
                    };
                    let (side, kind) = piece(rules, letter);
                    let fresh = kind == Kind::Pawn || unmoved.contains(&square.name());
                    position.board.set(
                        square,
                        Some(Piece {
                            side,
                            kind,
                            promoted,
                            fresh,
                        }),
                    );
                    file += 1;
                    promoted = false;
                }
            }
            assert_eq!(file, start.size, "a whole row: {text}");
        }
        for letter in reserves.chars() {
            let (side, kind) = piece(rules, letter);
            position.reserves.put(side, kind);
        }
        Slow::at(&position)
    }
}

fn piece(rules: Rules, letter: char) -> (Side, Kind) {
    let side = if letter.is_ascii_uppercase() {
        Side::First
    } else {
        Side::Second
    };
    (
        side,
        rules
            .kind(letter.to_ascii_uppercase())
            .expect("a piece letter"),
    )
}
