//! A game that nobody plays, made up of nothing but a table entry.

use parapost_rules::game::{DropAttack, Kind, Promotion, Slide, Stalemate};
use parapost_rules::{Game, Role, games};

pub(crate) const KING: &[(i8, i8)] = &[
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];
pub(crate) const CAMEL: &[(i8, i8)] = &[
    (1, 3),
    (3, 1),
    (3, -1),
    (1, -3),
    (-1, -3),
    (-3, -1),
    (-3, 1),
    (-1, 3),
];

pub(crate) const fn leaper(role: Role, steps: &'static [(i8, i8)]) -> Kind {
    Kind {
        role,
        steps,
        slides: &[],
    }
}

pub(crate) const fn slider(role: Role, slides: &'static [Slide]) -> Kind {
    Kind {
        role,
        steps: &[],
        slides,
    }
}

/// Chess on nine files with camels (written S) in reserve, pawns dropped on ranks 1 to 3 and promoted to a camel as well.
pub(crate) fn caravan() -> Game {
    const KINDS: &[Kind] = &[
        leaper(Role::Pawn, &[(-1, 1), (1, 1)]),
        leaper(Role::Silver, CAMEL),
        slider(Role::Bishop, &[Slide::Diagonal]),
        slider(Role::Rook, &[Slide::Orthogonal]),
        slider(Role::Queen, &[Slide::Orthogonal, Slide::Diagonal]),
        leaper(Role::King, KING),
    ];
    let mut drop_ranks = [(1, 5); Role::COUNT];
    drop_ranks[Role::Pawn.index()] = (1, 3);
    Game {
        id: "caravan",
        name: "Caravan",
        credit: "made up for a test",
        text: "",
        options: &[],
        rules: games::CHESS_RULES
            .with_width(9)
            .with_players(["North", "South"])
            .with_kinds(KINDS)
            .with_start("r3k3r/9/ppppppppp/9/9/9/PPPPPPPPP/9/R3K3R")
            .with_slots([
                &[(Role::Silver, 2), (Role::Bishop, 2), (Role::Queen, 1)],
                &[(Role::Pawn, 3)],
            ])
            .with_reserve_at_start(true)
            .with_drop_ranks(drop_ranks)
            .with_drop_attack(DropAttack::NotTheKing)
            .with_bishops_differ(true)
            .with_promotion(Promotion::LastRank(&[Role::Queen, Role::Silver]))
            .with_castling(false)
            .with_stalemate(Stalemate::Loss),
    }
}
