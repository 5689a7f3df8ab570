//! The eight games and their options: which rules hold, and how the game starts.

use super::board::{Board, Kind, Piece, Reserves, Side, Square};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Game {
    Chess,
    Shogi,
    Unachess,
    Unachess2,
    Parachute,
    Unashogi,
    NewChess,
    Kingchess,
}

/// An option of docs/rules.md 3, 4, 6, 7 or 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    NoCastlingNoEp,
    NoDoubleStep,
    Pawns1To4,
    PromoteOwnKing,
    PromoteEnemyKing,
    PromoteBothKings,
    RooksPlaced,
    NoCastling,
}

/// A game with the options chosen.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) game: Game,
    chosen: [bool; 8],
}

impl Rules {
    /// The game and options of these names; panics on a name or a combination that docs/rules.md does not know.
    pub(crate) fn named(game: &str, options: &[&str]) -> Rules {
        let game = match game {
            "chess" => Game::Chess,
            "shogi" => Game::Shogi,
            "unachess" => Game::Unachess,
            "unachess2" => Game::Unachess2,
            "parachute" => Game::Parachute,
            "unashogi" => Game::Unashogi,
            "newchess" => Game::NewChess,
            "kingchess" => Game::Kingchess,
            _ => panic!("no game is called {game}"),
        };
        let mut rules = Rules {
            game,
            chosen: [false; 8],
        };
        for &option in options {
            let choice = match (game, option) {
                (Game::Unachess, "no-castling-no-ep") => Choice::NoCastlingNoEp,
                (Game::Unachess | Game::Unachess2 | Game::Parachute, "no-double-step") => {
                    Choice::NoDoubleStep
                }
                (Game::Unachess | Game::Unachess2 | Game::Parachute, "pawns-1-4") => {
                    Choice::Pawns1To4
                }
                (Game::Unashogi, "promote-own-king") => Choice::PromoteOwnKing,
                (Game::Unashogi, "promote-enemy-king") => Choice::PromoteEnemyKing,
                (Game::Unashogi, "promote-both-kings") => Choice::PromoteBothKings,
                (Game::NewChess, "rooks-placed") => Choice::RooksPlaced,
                (Game::Kingchess, "no-castling") => Choice::NoCastling,
                _ => panic!("{game:?} has no option {option}"),
            };
            rules.chosen[choice as usize] = true;
        }
        assert!(
            game != Game::Unashogi || options.len() <= 1,
            "at most one promotion option"
        );
        rules
    }

    fn has(self, choice: Choice) -> bool {
        self.chosen[choice as usize]
    }

    /// The shogi games: 9x9, captured pieces change sides (docs/rules.md 1.8), draws as in 1.10.
    pub(crate) fn is_shogi(self) -> bool {
        matches!(self.game, Game::Shogi | Game::Unashogi)
    }

    /// docs/rules.md 2.1, 3.4, 4, 5, 7.5, 8.6.
    pub(crate) fn castling(self) -> bool {
        match self.game {
            Game::Chess | Game::NewChess => true,
            Game::Unachess => !self.has(Choice::NoCastlingNoEp),
            Game::Kingchess => !self.has(Choice::NoCastling),
            Game::Unachess2 | Game::Parachute | Game::Shogi | Game::Unashogi => false,
        }
    }

    /// docs/rules.md 2.1, 3.2, 4, 5, 7.4, 8.5.
    pub(crate) fn en_passant(self) -> bool {
        match self.game {
            Game::Chess | Game::NewChess | Game::Kingchess => true,
            Game::Unachess => !self.has(Choice::NoCastlingNoEp),
            Game::Unachess2 | Game::Parachute | Game::Shogi | Game::Unashogi => false,
        }
    }

    /// docs/rules.md 3, option `no-double-step`.
    pub(crate) fn double_step(self) -> bool {
        !self.is_shogi() && !self.has(Choice::NoDoubleStep)
    }

    /// The two bishops of a player go to squares of different colours: docs/rules.md 7.3, 8.3.
    pub(crate) fn bishops_differ(self) -> bool {
        matches!(self.game, Game::NewChess | Game::Kingchess)
    }

    /// Returns true if a drop of this kind on an empty square of this relative rank is allowed, all else disregarded:
    /// docs/rules.md 2.2, 3.1 with the option `pawns-1-4`, 7.1, 8.2, 8.3.
    pub(crate) fn may_drop_on_rank(self, kind: Kind, rank: usize) -> bool {
        match self.game {
            Game::Chess => false,
            Game::Unachess | Game::Unachess2 | Game::Parachute => {
                let lowest = if self.has(Choice::Pawns1To4) { 1 } else { 2 };
                kind != Kind::Pawn || (lowest..=4).contains(&rank)
            }
            Game::NewChess => rank <= 4,
            Game::Kingchess => rank <= 4 && (kind != Kind::Pawn || rank > 1),
            Game::Shogi | Game::Unashogi => !Rules::is_dead_end(kind, rank),
        }
    }

    /// An unpromoted shogi piece of this kind could never move again from this relative rank: docs/rules.md 2.2.
    pub(crate) fn is_dead_end(kind: Kind, rank: usize) -> bool {
        match kind {
            Kind::ShogiPawn | Kind::Lance => rank == 9,
            Kind::ShogiKnight => rank >= 8,
            _ => false,
        }
    }

    /// Returns true if the options of docs/rules.md 6 let `side` promote now.
    pub(crate) fn may_promote(self, board: &Board, side: Side) -> bool {
        let own = board.king(side).is_some();
        let enemy = board.king(side.other()).is_some();
        (own || !self.has(Choice::PromoteOwnKing))
            && (enemy || !self.has(Choice::PromoteEnemyKing))
            && (own && enemy || !self.has(Choice::PromoteBothKings))
    }

    /// The board and reserves at the start.
    pub(crate) fn start(self) -> (Board, Reserves) {
        let mut board = Board::empty(if self.is_shogi() { 9 } else { 8 });
        let mut reserves = Reserves::default();
        // One's own ranks from the first on, for both sides, and the reserve.
        let (ranks, reserve): (&[&str], &str) = match self.game {
            Game::Chess => (&["RNBQKBNR", "PPPPPPPP"], ""),
            Game::Shogi => (&["LNSGKGSNL", ".B.....R.", "PPPPPPPPP"], ""),
            Game::Unachess | Game::Unachess2 | Game::Parachute | Game::Kingchess => {
                (&[], "KQRRBBNNPPPPPPPP")
            }
            Game::Unashogi => (&[], "KRBGGSSNNLLPPPPPPPPP"),
            Game::NewChess if self.has(Choice::RooksPlaced) => (&["R...K..R", "PPPPPPPP"], "QBBNN"),
            Game::NewChess => (&["....K...", "PPPPPPPP"], "QRRBBNN"),
        };
        for side in [Side::First, Side::Second] {
            for (rank, row) in ranks.iter().enumerate() {
                for (file, letter) in row.chars().enumerate() {
                    if let Some(kind) = self.kind(letter) {
                        let square = match side {
                            Side::First => Square { file, rank },
                            // Shogi sets up by half a turn, chess by a mirror.
                            Side::Second if self.is_shogi() => Square {
                                file: 8 - file,
                                rank: 8 - rank,
                            },
                            Side::Second => Square {
                                file,
                                rank: 7 - rank,
                            },
                        };
                        board.set(square, Some(Piece::fresh(side, kind)));
                    }
                }
            }
            for letter in reserve.chars() {
                reserves.put(side, self.kind(letter).expect("the reserves hold pieces"));
            }
        }
        (board, reserves)
    }

    /// The kind a capital letter stands for in this game.
    pub(crate) fn kind(self, letter: char) -> Option<Kind> {
        let kind = match (letter, self.is_shogi()) {
            ('K', _) => Kind::King,
            ('R', _) => Kind::Rook,
            ('B', _) => Kind::Bishop,
            ('Q', false) => Kind::Queen,
            ('N', false) => Kind::Knight,
            ('P', false) => Kind::Pawn,
            ('G', true) => Kind::Gold,
            ('S', true) => Kind::Silver,
            ('N', true) => Kind::ShogiKnight,
            ('L', true) => Kind::Lance,
            ('P', true) => Kind::ShogiPawn,
            _ => return None,
        };
        Some(kind)
    }
}
