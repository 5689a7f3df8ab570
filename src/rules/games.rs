//! The eight games, one entry each.
//!
//! The games' sources are short and leave holes. A ruling that fills one is
//! marked **\[R\]** in the entry's text, with the reason.

use crate::game::{
    Captured, DoubleStep, Draws, DropAttack, Game, GameOption, Kind, Kings, PawnRule, Promotion,
    Rules, Slide, Stalemate,
};
#[allow(
    clippy::enum_glob_use,
    reason = "a table of pieces reads best by their names"
)]
use crate::piece::Role::{self, *};

/// Every game, the drop-chess games first.
pub const ALL: &[&Game] = &[
    &UNACHESS, &UNACHESS2, &PARACHUTE, &UNASHOGI, &NEWCHESS, &KINGCHESS, &CHESS, &SHOGI,
];

/// The game of that id, as the command line names it.
#[must_use]
pub fn find(id: &str) -> Option<&'static Game> {
    ALL.iter().copied().find(|game| game.id == id)
}

/// Unachess, after its official rules of 1994 and 1995.
pub static UNACHESS: Game = Game {
    id: "unachess",
    name: "Unachess",
    credit: "Invented by Jeff Miller with help from Edward Jackman, 1994; all rights reserved by Jeff Miller",
    text: include_str!("games/unachess.txt"),
    options: &[NO_CASTLING_NO_EP, NO_DOUBLE_STEP, PAWNS_1_4],
    rules: UNACHESS_RULES,
};

const UNACHESS_RULES: Rules = Rules {
    start: "8/8/8/8/8/8/8/8",
    slots: [
        &[(Rook, 2), (Bishop, 2), (Knight, 2), (Queen, 1), (King, 1)],
        &[(Pawn, 8)],
    ],
    reserve_at_start: true,
    drop_ranks: drop_ranks((1, 8), &[(Pawn, (2, 4))]),
    king_before_capture: true,
    pawn: PawnRule::Chess {
        double_step: DoubleStep::DroppedOnSecondRank,
        en_passant: true,
    },
    ..CHESS_RULES
};

/// Unachess II, 1995.
pub static UNACHESS2: Game = Game {
    id: "unachess2",
    name: "Unachess II",
    credit: "Invented by Edward Jackman, 1995, based on Unachess by Jeff Miller",
    text: include_str!("games/unachess2.txt"),
    options: &[NO_DOUBLE_STEP, PAWNS_1_4],
    rules: UNACHESS2_RULES,
};

const UNACHESS2_RULES: Rules = Rules {
    castling: false,
    pawn: PawnRule::Chess {
        double_step: DoubleStep::DroppedOnSecondRank,
        en_passant: false,
    },
    drop_attack: DropAttack::NotTheKing,
    ..UNACHESS_RULES
};

/// Parachute chess (Unachess III), 1995.
pub static PARACHUTE: Game = Game {
    id: "parachute",
    name: "Parachute chess",
    credit: "Invented by Edward Jackman, 1995 (also Unachess III), based on Unachess by Jeff Miller",
    text: include_str!("games/parachute.txt"),
    options: &[NO_DOUBLE_STEP, PAWNS_1_4],
    rules: Rules {
        drop_attack: DropAttack::Nothing,
        ..UNACHESS2_RULES
    },
};

/// Unashogi, 1995.
pub static UNASHOGI: Game = Game {
    id: "unashogi",
    name: "Unashogi",
    credit: "Invented by Edward Jackman, 1995, based on Unachess by Jeff Miller; its author calls it completely untested",
    text: include_str!("games/unashogi.txt"),
    options: &[PROMOTE_OWN_KING, PROMOTE_ENEMY_KING, PROMOTE_BOTH_KINGS],
    rules: Rules {
        start: "9/9/9/9/9/9/9/9/9",
        slots: [
            &[
                (Rook, 1),
                (Bishop, 1),
                (Gold, 2),
                (Silver, 2),
                (Knight, 2),
                (Lance, 2),
                (King, 1),
            ],
            &[(Pawn, 9)],
        ],
        reserve_at_start: true,
        king_before_capture: true,
        ..SHOGI_RULES
    },
};

/// New Chess, 2006.
pub static NEWCHESS: Game = Game {
    id: "newchess",
    name: "New Chess",
    credit: "Invented by M. Winther, June 2006; (c) M. Winther 2006",
    text: include_str!("games/newchess.txt"),
    options: &[ROOKS_PLACED],
    rules: Rules {
        start: "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3",
        slots: [&[(Rook, 2), (Bishop, 2), (Knight, 2), (Queen, 1)], &[]],
        reserve_at_start: true,
        drop_ranks: [(1, 4); Role::COUNT],
        relocation: Some((2, 4)),
        bishops_differ: true,
        ..CHESS_RULES
    },
};

/// Kingchess, 1999.
pub static KINGCHESS: Game = Game {
    id: "kingchess",
    name: "Kingchess",
    credit: "Invented by V. Sinelnikov; described by Yury Adonin, 1999, after E. J. Gik and A. V. Suharev",
    text: include_str!("games/kingchess.txt"),
    options: &[NO_CASTLING],
    rules: Rules {
        start: "8/8/8/8/8/8/8/8",
        slots: UNACHESS_RULES.slots,
        reserve_at_start: true,
        drop_ranks: drop_ranks((1, 4), &[(Pawn, (2, 4))]),
        bishops_differ: true,
        placement: true,
        king_before_capture: true,
        ..CHESS_RULES
    },
};

/// Orthodox chess.
pub static CHESS: Game = Game {
    id: "chess",
    name: "Chess",
    credit: "FIDE Laws of Chess, 2023",
    text: include_str!("games/chess.txt"),
    options: &[],
    rules: CHESS_RULES,
};

/// The rules of chess, to begin rules of one's own with.
pub const CHESS_RULES: Rules = Rules {
    width: 8,
    players: ["White", "Black"],
    kinds: CHESS_KINDS,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    slots: [&[], &[]],
    reserve_at_start: false,
    drop_ranks: [(1, 8); Role::COUNT],
    drop_attack: DropAttack::Anything,
    one_pawn_a_file: false,
    pawn_drop_mate: true,
    relocation: None,
    bishops_differ: false,
    placement: false,
    king_before_capture: false,
    captured: Captured::Leaves,
    promotion: Promotion::LastRank(&[Queen, Rook, Bishop, Knight]),
    pawn: PawnRule::Chess {
        double_step: DoubleStep::OnSecondRank,
        en_passant: true,
    },
    castling: true,
    stalemate: Stalemate::Draw,
    draws: Draws::Chess,
};

/// Standard shogi.
pub static SHOGI: Game = Game {
    id: "shogi",
    name: "Shogi",
    credit: "Traditional",
    text: include_str!("games/shogi.txt"),
    options: &[],
    rules: SHOGI_RULES,
};

/// The rules of shogi, to begin rules of one's own with.
pub const SHOGI_RULES: Rules = Rules {
    width: 9,
    players: ["Sente", "Gote"],
    kinds: SHOGI_KINDS,
    start: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
    slots: [
        &[
            (Rook, 1),
            (Bishop, 1),
            (Gold, 2),
            (Silver, 2),
            (Knight, 2),
            (Lance, 2),
        ],
        &[(Pawn, 9)],
    ],
    reserve_at_start: false,
    drop_ranks: drop_ranks((1, 9), &[(Pawn, (1, 8)), (Lance, (1, 8)), (Knight, (1, 7))]),
    one_pawn_a_file: true,
    pawn_drop_mate: false,
    captured: Captured::ChangesSides,
    promotion: Promotion::Zone {
        ranks: 3,
        after: Kings::None,
    },
    pawn: PawnRule::Shogi,
    castling: false,
    stalemate: Stalemate::Loss,
    draws: Draws::Shogi,
    ..CHESS_RULES
};

const NO_CASTLING_NO_EP: GameOption = GameOption {
    name: "no-castling-no-ep",
    summary: "neither castling nor en passant (highly recommended by the source)",
    apply: |rules| {
        rules.castling = false;
        if let PawnRule::Chess { en_passant, .. } = &mut rules.pawn {
            *en_passant = false;
        }
    },
    excludes: &[],
};

const NO_DOUBLE_STEP: GameOption = GameOption {
    name: "no-double-step",
    summary: "no initial double step of pawns",
    apply: |rules| {
        if let PawnRule::Chess { double_step, .. } = &mut rules.pawn {
            *double_step = DoubleStep::Never;
        }
    },
    excludes: &[],
};

const PAWNS_1_4: GameOption = GameOption {
    name: "pawns-1-4",
    summary: "pawns may be dropped on ranks 1 to 4; one dropped on rank 1 never has a double step [R: the source gives it to pawns entered on the second row]",
    apply: |rules| rules.drop_ranks[Pawn.index()] = (1, 4),
    excludes: &[],
};

const PROMOTE_OWN_KING: GameOption = GameOption {
    name: "promote-own-king",
    summary: "no promotion before one's own king is placed (strongly recommended by the source)",
    apply: |rules| promote_after(rules, Kings::Own),
    excludes: &["promote-enemy-king", "promote-both-kings"],
};

const PROMOTE_ENEMY_KING: GameOption = GameOption {
    name: "promote-enemy-king",
    summary: "no promotion before the enemy king is placed",
    apply: |rules| promote_after(rules, Kings::Enemy),
    excludes: &["promote-own-king", "promote-both-kings"],
};

const PROMOTE_BOTH_KINGS: GameOption = GameOption {
    name: "promote-both-kings",
    summary: "no promotion before both kings are placed",
    apply: |rules| promote_after(rules, Kings::Both),
    excludes: &["promote-own-king", "promote-enemy-king"],
};

const ROOKS_PLACED: GameOption = GameOption {
    name: "rooks-placed",
    summary: "the rooks stand on the corners from the start (the second variant)",
    apply: |rules| {
        rules.start = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R";
        rules.slots = [&[(Bishop, 2), (Knight, 2), (Queen, 1)], &[]];
    },
    excludes: &[],
};

const NO_CASTLING: GameOption = GameOption {
    name: "no-castling",
    summary: "no castling, for those who read the source's list of moves as complete",
    apply: |rules| rules.castling = false,
    excludes: &[],
};

fn promote_after(rules: &mut Rules, kings: Kings) {
    if let Promotion::Zone { after, .. } = &mut rules.promotion {
        *after = kings;
    }
}

/// The ranks of drops: one range for all roles but some.
const fn drop_ranks(most: (u8, u8), exceptions: &[(Role, (u8, u8))]) -> [(u8, u8); Role::COUNT] {
    let mut ranks = [most; Role::COUNT];
    let mut i = 0;
    while i < exceptions.len() {
        ranks[exceptions[i].0.index()] = exceptions[i].1;
        i += 1;
    }
    ranks
}

const ORTHOGONAL_STEPS: &[(i8, i8)] = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL_STEPS: &[(i8, i8)] = &[(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KING_STEPS: &[(i8, i8)] = &[
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];
const GOLD_STEPS: &[(i8, i8)] = &[(0, 1), (1, 1), (1, 0), (0, -1), (-1, 0), (-1, 1)];

const CHESS_KINDS: &[Kind] = &[
    steps(Pawn, &[(-1, 1), (1, 1)]),
    steps(
        Knight,
        &[
            (1, 2),
            (2, 1),
            (2, -1),
            (1, -2),
            (-1, -2),
            (-2, -1),
            (-2, 1),
            (-1, 2),
        ],
    ),
    slides(Bishop, &[Slide::Diagonal]),
    slides(Rook, &[Slide::Orthogonal]),
    slides(Queen, &[Slide::Orthogonal, Slide::Diagonal]),
    steps(King, KING_STEPS),
];

const SHOGI_KINDS: &[Kind] = &[
    steps(Pawn, &[(0, 1)]),
    slides(Lance, &[Slide::Forward]),
    steps(Knight, &[(-1, 2), (1, 2)]),
    steps(Silver, &[(0, 1), (1, 1), (1, -1), (-1, -1), (-1, 1)]),
    steps(Gold, GOLD_STEPS),
    slides(Bishop, &[Slide::Diagonal]),
    slides(Rook, &[Slide::Orthogonal]),
    steps(King, KING_STEPS),
    steps(Tokin, GOLD_STEPS),
    steps(PromotedLance, GOLD_STEPS),
    steps(PromotedKnight, GOLD_STEPS),
    steps(PromotedSilver, GOLD_STEPS),
    Kind {
        role: Horse,
        steps: ORTHOGONAL_STEPS,
        slides: &[Slide::Diagonal],
    },
    Kind {
        role: Dragon,
        steps: DIAGONAL_STEPS,
        slides: &[Slide::Orthogonal],
    },
];

const fn steps(role: Role, steps: &'static [(i8, i8)]) -> Kind {
    Kind {
        role,
        steps,
        slides: &[],
    }
}

const fn slides(role: Role, slides: &'static [Slide]) -> Kind {
    Kind {
        role,
        steps: &[],
        slides,
    }
}
