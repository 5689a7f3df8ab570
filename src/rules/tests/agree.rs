//! The rules crate held against the slow rules of [`crate::slow`]: in random games of every game with every combination
//! of options, both must see the same moves, the same marks and the same ends, position by position.

mod rare;

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use parapost_rules::game::{DoubleStep, PawnRule};
use parapost_rules::{Color, Mark, Piece, Placement, Ply, Position, Record, Role, Square, Variant};

use crate::slow::Slow;
use crate::variants::variants;

/// The plies that a random game prefers. Pure chance drops pieces for fifty plies and never sees what is rare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taste {
    /// Captures, checks, promotions.
    Fight,
    /// Kings and rooks at home until they castle, double steps, en passant.
    Castle,
    /// Going back and forth, until positions repeat.
    Shuffle,
}

impl Taste {
    pub(crate) const ALL: [Taste; 3] = [Taste::Fight, Taste::Castle, Taste::Shuffle];

    fn weight(self, position: &Position, back: Option<Ply>, ply: &Ply) -> u32 {
        let home_rank = if position.turn() == Color::White {
            0
        } else {
            7
        };
        let home = |square: Square| square.rank().index() == home_rank;
        match *ply {
            Ply::Castle(_) => 400,
            Ply::Move {
                promotion: Some(_), ..
            } => 60,
            Ply::Move { .. } if self == Taste::Shuffle && Some(*ply) == back => 4000,
            Ply::Move { from, to, .. } => {
                let role = position.get(from).map(|piece| piece.role);
                let steps = from.rank().index().abs_diff(to.rank().index());
                let captures = position.get(to).is_some();
                match (self, role) {
                    (Taste::Castle, Some(Role::Pawn)) if from.file() != to.file() && !captures => {
                        1000
                    }
                    (Taste::Castle, Some(Role::Pawn)) if steps == 2 => {
                        if beside_enemy_pawn(position, to) {
                            4000
                        } else {
                            20
                        }
                    }
                    (Taste::Castle, Some(Role::Pawn)) => 40,
                    (Taste::Castle, Some(Role::King | Role::Rook)) if home(from) => 1,
                    _ if captures => 30,
                    _ => 12,
                }
            }
            Ply::Drop { role, to } if self == Taste::Castle => match (role, to.file().index()) {
                (Role::King, 4) if home(to) => 400,
                (Role::Rook, 0 | 7) if home(to) => 100,
                (Role::Pawn, _) => 3,
                _ if home(to) => 0,
                _ => 1,
            },
            Ply::Drop {
                role: Role::King, ..
            } => 3,
            Ply::Drop { to, .. } if king_zone(position, to) => 6,
            Ply::Relocation { .. } | Ply::Placement(_) | Ply::Drop { .. } => 1,
        }
    }
}

/// Returns true if a pawn that arrives there by a double step can be taken en passant.
fn beside_enemy_pawn(position: &Position, square: Square) -> bool {
    let pawn = Piece {
        color: !position.turn(),
        role: Role::Pawn,
    };
    let (file, rank) = (square.file().index(), square.rank().index());
    [file.checked_sub(1), Some(file + 1).filter(|file| *file < 8)]
        .into_iter()
        .flatten()
        .filter_map(|file| Square::new(file, rank))
        .any(|beside| position.get(beside) == Some(pawn))
}

/// A ply drawn at random after a taste; `back` takes back the mover's last.
fn pick(rng: &mut Rng, taste: Taste, position: &Position, back: Option<Ply>) -> Ply {
    let plies = position.single_plies();
    let weights: Vec<u32> = plies
        .iter()
        .map(|ply| taste.weight(position, back, ply))
        .collect();
    let total: u32 = weights.iter().sum();
    if total == 0 {
        return plies[rng.usize(0..plies.len())];
    }
    let mut left = rng.u32(0..total);
    for (ply, weight) in plies.iter().zip(weights) {
        if left < weight {
            return *ply;
        }
        left -= weight;
    }
    unreachable!("the weights add up to the total")
}

/// The ply that takes back the mover's last one, if it was a plain move.
fn back(record: &Record) -> Option<Ply> {
    let steps = record.steps();
    match steps.get(steps.len().checked_sub(2)?)?.ply {
        Ply::Move {
            from,
            to,
            promotion: None,
        } => Some(Ply::Move {
            from: to,
            to: from,
            promotion: None,
        }),
        _ => None,
    }
}

/// Returns true if a square is near the enemy king: drops there give and meet checks.
fn king_zone(position: &Position, square: Square) -> bool {
    position.king(!position.turn()).is_some_and(|king| {
        king.file().index().abs_diff(square.file().index()) <= 2
            && king.rank().index().abs_diff(square.rank().index()) <= 2
    })
}

fn texts(position: &Position) -> BTreeSet<String> {
    position
        .single_plies()
        .iter()
        .map(|ply| position.long_text(ply))
        .collect()
}

fn total_in_reserve(position: &Position, color: Color) -> u32 {
    position.reserve(color).total()
}

/// Plays a random game on both sides and compares at every step.
fn compare(variant: &Variant, rng: &mut Rng, taste: Taste, plies: usize, seen: &mut Seen) {
    let id = variant.game().id;
    let mut fast = Record::new(variant.start());
    let mut slow = Slow::start(id, variant.options());
    for _ in 0..plies {
        let position = fast.position();
        let context = || {
            format!(
                "{id} {:?}\n{}\n{}",
                variant.options(),
                position.fen(),
                slow.diagram()
            )
        };
        assert_eq!(texts(position), slow.moves(), "moves of {}", context());
        assert_eq!(
            position.is_check(),
            slow.in_check(),
            "check in {}",
            context()
        );
        assert_eq!(
            position.mark() == Mark::Virtual,
            slow.in_virtual_check(),
            "virtual check in {}",
            context()
        );
        assert_eq!(fast.status(), slow.status(), "status of {}", context());
        assert_eq!(
            fast.claim().is_some(),
            slow.claimable(),
            "claim in {}",
            context()
        );
        let kingchess = variant.rules().placement;
        if kingchess && total_in_reserve(position, position.turn()) <= 3 {
            let placements: BTreeSet<String> = position
                .placements()
                .map(|ply| position.long_text(&ply))
                .collect();
            assert_eq!(placements, slow.placements(), "placements of {}", context());
            let drops = position
                .single_plies()
                .iter()
                .filter(|ply| matches!(ply, Ply::Drop { .. }))
                .count();
            let moves = position.single_plies().len() - drops;
            assert_eq!(
                position.perft(1),
                (moves + placements.len()) as u64,
                "count of {}",
                context()
            );
        } else if !kingchess {
            assert_eq!(
                position.perft(1),
                position.single_plies().len() as u64,
                "count of {}",
                context()
            );
        }
        seen.positions += 1;
        *seen.statuses.entry(fast.status()).or_insert(0) += 1;
        if fast.outcome().is_some() {
            return;
        }
        let ply = random_ply(rng, taste, &fast);
        let text = position.long_text(&ply);
        slow.play(&text);
        seen.castled += usize::from(text.starts_with("O-O"));
        seen.en_passant += usize::from(text.ends_with("ep"));
        seen.promoted += usize::from(text.contains('='));
        fast.play(&ply).expect("a legal ply");
    }
}

/// A random game of at most so many half-moves, which may end before.
pub(crate) fn random_game(variant: &Variant, seed: u64, taste: Taste, plies: usize) -> Record {
    let mut rng = Rng::with_seed(seed);
    let mut record = Record::new(variant.start());
    while record.steps().len() < plies && record.outcome().is_none() {
        let ply = random_ply(&mut rng, taste, &record);
        record.play(&ply).expect("a legal ply");
    }
    record
}

/// A ply of a game that goes on.
pub(crate) fn random_ply(rng: &mut Rng, taste: Taste, record: &Record) -> Ply {
    if record.position().variant().rules().placement {
        kingchess_ply(rng, taste, record)
    } else {
        pick(rng, taste, record.position(), back(record))
    }
}

/// A move, or a placement drawn by trial.
fn kingchess_ply(rng: &mut Rng, taste: Taste, record: &Record) -> Ply {
    let position = record.position();
    let stuck = position.single_plies().is_empty();
    for _ in 0..200 {
        if !stuck && rng.u32(0..3) > 0 {
            break;
        }
        if let Some(ply) = random_placement(rng, position)
            && position.is_legal(&ply)
        {
            return ply;
        }
    }
    if stuck {
        position.placements().next().expect("the game goes on")
    } else {
        pick(rng, taste, position, back(record))
    }
}

fn random_placement(rng: &mut Rng, position: &Position) -> Option<Ply> {
    let mut drops = Vec::new();
    for (role, count) in position.variant().rules().slots() {
        for _ in 0..count.min(position.reserve(position.turn()).count(role)) {
            let first = position.reserve(position.turn()).has(Role::King);
            let wanted = role == Role::King || rng.bool() || first && rng.bool();
            if wanted {
                drops.push((
                    role,
                    Square::new(rng.u8(0..8), rng.u8(0..8)).expect("a square"),
                ));
            }
        }
    }
    (drops.len() > 1).then_some(())?;
    Placement::new(drops).map(Ply::Placement)
}

/// Counts of what random games came across.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    castled: usize,
    en_passant: usize,
    promoted: usize,
    statuses: BTreeMap<&'static str, usize>,
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// Plays so many matches of each taste and variant. `PARAPOST_TEST_SCALE` multiplies them, `PARAPOST_TEST_SEED` draws
/// others.
fn agree(games: &[&str], matches: usize, plies: usize, at_least: usize) {
    let seed = number("PARAPOST_TEST_SEED", 1994) as u64;
    for variant in variants().iter().filter(|v| games.contains(&v.game().id)) {
        let mut rng = Rng::with_seed(seed);
        let mut met = Seen::default();
        for _ in 0..matches * number("PARAPOST_TEST_SCALE", 1) {
            for taste in Taste::ALL {
                compare(variant, &mut rng, taste, plies, &mut met);
            }
        }
        let name = format!("{} {:?}", variant.game().id, variant.options());
        println!("{name}: {met:?}");
        let rules = variant.rules();
        assert!(met.positions >= at_least, "too few positions of {name}");
        assert!(met.castled > 0 || !rules.castling, "no castling in {name}");
        assert!(met.promoted > 0, "no promotion in {name}");
        assert!(met.statuses.len() > 1, "no end in {name}");
        if let PawnRule::Chess {
            double_step,
            en_passant: true,
        } = rules.pawn
            && double_step != DoubleStep::Never
        {
            assert!(met.en_passant > 0, "no en passant in {name}");
        }
    }
}

#[test]
fn unachess_agrees() {
    agree(&["unachess"], 9, 160, 2000);
}

#[test]
fn unachess2_agrees() {
    agree(&["unachess2"], 4, 160, 1000);
}

#[test]
fn parachute_agrees() {
    agree(&["parachute"], 4, 160, 1000);
}

#[test]
fn newchess_agrees() {
    agree(&["newchess"], 4, 120, 600);
}

#[test]
fn kingchess_agrees() {
    agree(&["kingchess"], 6, 120, 800);
}

#[test]
fn chess_agrees() {
    agree(&["chess"], 10, 300, 2000);
}

#[test]
fn shogi_games_agree() {
    agree(&["shogi", "unashogi"], 2, 200, 600);
}
