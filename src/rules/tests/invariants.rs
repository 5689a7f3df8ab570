//! Truths of every position of every game: nothing is lost, everything that is not legal is refused with a reason, and
//! the reason is true.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use parapost_rules::game::Captured;
use parapost_rules::{Color, Placement, Ply, Position, Role, Side, Square};
use regex::Regex;

use crate::agree::{Taste, random_game};
use crate::variants::variants;

/// The number of pieces of each base role that a player has on the board and in reserve.
fn pieces(position: &Position) -> BTreeMap<(Color, Role), u32> {
    let mut pieces = BTreeMap::new();
    for (_, piece) in position.board().pieces() {
        *pieces.entry((piece.color, piece.role.base())).or_insert(0) += 1;
    }
    for color in Color::ALL {
        for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
            let held = u32::from(position.reserve(color).count(role));
            if held > 0 {
                *pieces.entry((color, role)).or_insert(0) += held;
            }
        }
    }
    pieces
}

/// The piece that a ply takes away, its player, and the goal of a pawn that promotes.
fn expected(
    before: &Position,
    ply: &Ply,
    mut pieces: BTreeMap<(Color, Role), u32>,
) -> BTreeMap<(Color, Role), u32> {
    let Ply::Move {
        from,
        to,
        promotion,
    } = *ply
    else {
        return pieces;
    };
    let mover = before.turn();
    let rules = before.variant().rules();
    let role = before.get(from).expect("a piece").role;
    let passed = Square::from_coords(to.file(), from.rank());
    let en_passant = rules.has_chess_pawns()
        && role == Role::Pawn
        && from.file() != to.file()
        && before.get(to).is_none();
    let captured = before.get(if en_passant { passed } else { to });
    let mut change = |key, by: i32| {
        let count = pieces.entry(key).or_insert(0);
        *count = count.checked_add_signed(by).expect("a piece less");
        if *count == 0 {
            pieces.remove(&key);
        }
    };
    if let Some(captured) = captured {
        change((captured.color, captured.role.base()), -1);
        if rules.captured == Captured::ChangesSides {
            change((mover, captured.role.base()), 1);
        }
    }
    if let Some(into) = promotion
        && into.base() != role
    {
        change((mover, role), -1);
        change((mover, into), 1);
    }
    pieces
}

#[test]
fn no_piece_is_lost() {
    for variant in variants() {
        for (seed, taste) in (60..).zip(Taste::ALL) {
            let record = random_game(&variant, seed, taste, 200);
            for (at, step) in record.steps().iter().enumerate() {
                let before = record.at(at).expect("the position before");
                let after = record.at(at + 1).expect("the position after");
                let wanted = expected(before, &step.ply, pieces(before));
                assert_eq!(pieces(after), wanted, "{} in {}", step.text, before.fen());
                assert_eq!(after.turn(), !before.turn());
            }
        }
    }
}

/// Every ply that can be said of a position but for most promotions and placements.
fn every_ply(position: &Position, rng: &mut Rng) -> Vec<Ply> {
    let width = position.variant().rules().width;
    let squares: Vec<Square> = Square::all(width).collect();
    let mut plies = vec![Ply::Castle(Side::King), Ply::Castle(Side::Queen)];
    for &from in &squares {
        for &to in &squares {
            plies.push(Ply::Move {
                from,
                to,
                promotion: None,
            });
        }
    }
    for ply in position.single_plies() {
        if let Ply::Move { from, to, .. } = ply {
            let becoming = |role| Ply::Move {
                from,
                to,
                promotion: Some(role),
            };
            plies.extend(Role::ALL.map(becoming));
        }
    }
    for role in Role::ALL {
        plies.extend(squares.iter().map(|&to| Ply::Drop { role, to }));
    }
    for role in [Role::Knight, Role::Bishop, Role::Pawn] {
        for _ in 0..200 {
            let (to, pawn) = (
                *rng.choice(&squares).expect("a square"),
                *rng.choice(&squares).expect("a square"),
            );
            plies.push(Ply::Relocation { role, to, pawn });
        }
        let pawns: Vec<Square> = position
            .board()
            .pieces()
            .filter(|(_, piece)| piece.color == position.turn() && piece.role == Role::Pawn)
            .map(|(square, _)| square)
            .collect();
        for &to in &pawns {
            plies.extend(
                squares
                    .iter()
                    .map(|&pawn| Ply::Relocation { role, to, pawn }),
            );
        }
    }
    // Squares that the board does not have.
    let off = Square::new(8, 8).expect("a square");
    plies.push(Ply::Move {
        from: off,
        to: squares[0],
        promotion: None,
    });
    plies.push(Ply::Drop {
        role: Role::King,
        to: off,
    });
    for count in 0..4 {
        for _ in 0..100 {
            let drops: Vec<(Role, Square)> = (0..count)
                .map(|_| {
                    (
                        *rng.choice(&Role::ALL).expect("a role"),
                        *rng.choice(&squares).expect("a square"),
                    )
                })
                .collect();
            plies.extend(Placement::new(drops).map(Ply::Placement));
        }
    }
    plies
}

/// Looks for what is wrong with a reason: English, and whether what it names stands there.
struct Judge {
    articles: Regex,
    piece: Regex,
    reach: Regex,
    said: BTreeSet<String>,
}

impl Judge {
    fn new() -> Judge {
        let pattern = |text| Regex::new(text).expect("a pattern");
        let roles = "((?:promoted )?[a-z]+)";
        Judge {
            articles: pattern(r"\ba [aeiou]|\ban [^aeiou]|  |\.$|^[^a-zA-Z0-9]|^$|do not allow"),
            piece: pattern(&format!(
                r"(White|Black|Sente|Gote)'s {roles} on ([a-i][1-9])"
            )),
            reach: pattern(&format!(
                r"^the {roles} on ([a-i][1-9]) reaches ([a-i1-9, and]+)$"
            )),
            said: BTreeSet::new(),
        }
    }

    fn reason(&mut self, position: &Position, ply: &Ply, reason: &str) {
        let place = || format!("{ply:?} in {}: {reason}", position.fen());
        assert!(!self.articles.is_match(reason), "{}", place());
        for found in self.piece.captures_iter(reason) {
            let square: Square = found[3].parse().expect("a square");
            // The square on which it stands now, or would after the ply.
            let coming = match *ply {
                Ply::Move { to, .. } | Ply::Drop { to, .. } => to == square,
                _ => false,
            };
            let stands = position.get(square).is_some_and(|piece| {
                piece.role.name() == &found[2]
                    && position.variant().player(piece.color) == &found[1]
            });
            assert!(stands || coming, "{}", place());
        }
        if let Some(found) = self.reach.captures(reason) {
            let from: Square = found[2].parse().expect("a square");
            let Ply::Move { to, .. } = *ply else {
                panic!("{}", place())
            };
            let squares: BTreeSet<Square> = found[3]
                .split([',', ' '])
                .filter_map(|word| word.parse().ok())
                .collect();
            assert!(!squares.contains(&to), "{}", place());
            for legal in position.single_plies() {
                if let Ply::Move {
                    from: start, to, ..
                } = legal
                    && start == from
                {
                    assert!(squares.contains(&to), "{to}: {}", place());
                }
            }
        }
        let kind = reason.split(|c: char| c.is_ascii_digit()).next();
        self.said.extend(kind.map(str::to_owned));
    }
}

/// `is_legal` knows the plies that `legal_plies` lists, and no others; all others are refused with a true reason.
#[test]
fn what_is_not_legal_is_refused_with_a_reason() {
    let mut rng = Rng::with_seed(2004);
    let mut judge = Judge::new();
    for variant in variants() {
        for (seed, taste) in (80..).zip(Taste::ALL) {
            let record = random_game(&variant, seed, taste, 120);
            let last = record.steps().len();
            for at in [0, last / 5, last / 3, last / 2, last] {
                let position = record.at(at).expect("a position");
                let legal: BTreeSet<Ply> = position.single_plies().into_iter().collect();
                let mut refused = 0;
                for ply in every_ply(position, &mut rng) {
                    let listed = legal.contains(&ply);
                    let is_legal = position.is_legal(&ply);
                    if !matches!(ply, Ply::Placement(_)) {
                        assert_eq!(is_legal, listed, "{ply:?} in {}", position.fen());
                    }
                    match position.play(&ply) {
                        Ok(_) => assert!(is_legal),
                        Err(reason) => {
                            assert!(!is_legal);
                            refused += 1;
                            // Every seventh will do.
                            if refused % 7 == 0 {
                                judge.reason(position, &ply, &reason.to_string());
                            }
                        }
                    }
                }
                assert!(legal.iter().all(|ply| position.is_legal(ply)));
                assert!(refused > 1000);
            }
        }
    }
    assert!(judge.said.len() > 100, "{:?}", judge.said);
}

/// A placement is legal if and only if the stream has it.
#[test]
fn placements_agree_with_their_stream() {
    let mut rng = Rng::with_seed(2005);
    let mut looked = 0;
    for variant in variants().iter().filter(|v| v.rules().placement) {
        for seed in 0..12 {
            let record = random_game(variant, seed, Taste::Fight, 120);
            for at in 0..=record.steps().len() {
                let position = record.at(at).expect("a position");
                let held = position.reserve(position.turn()).total();
                if !(1..=2).contains(&held) || rng.u8(0..4) > 0 {
                    continue;
                }
                let streamed: Vec<Ply> = position.placements().collect();
                let set: BTreeSet<Ply> = streamed.iter().copied().collect();
                assert_eq!(
                    set.len(),
                    streamed.len(),
                    "a set twice in {}",
                    position.fen()
                );
                for ply in every_ply(position, &mut rng) {
                    if let Ply::Placement(placement) = ply
                        && placement.len() > 1
                    {
                        assert_eq!(position.is_legal(&ply), set.contains(&ply), "{ply:?}");
                    }
                }
                assert!(set.iter().all(|ply| position.is_legal(ply)));
                looked += 1;
            }
        }
    }
    assert!(looked > 20, "{looked}");
}
