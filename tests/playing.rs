//! Games played at random, the same for the same seed.

use fastrand::Rng;
use parapost::rules::{Placement, Ply, Position, Record, Role, Square, Variant};

/// A game played at random until it ends or so many half-moves are made.
/// Kingchess begins with a placement of several pieces.
pub(crate) fn game(variant: &Variant, plies: usize, rng: &mut Rng) -> Record {
    let mut record = Record::new(variant.start());
    while record.steps().len() < plies && record.outcome().is_none() {
        let Some(ply) = choose(&record, rng) else {
            break;
        };
        record.play(&ply).unwrap_or_else(|error| panic!("{error}"));
    }
    record
}

fn choose(record: &Record, rng: &mut Rng) -> Option<Ply> {
    let position = record.position();
    let plies = position.single_plies();
    if position.variant().rules().placement
        && (plies.is_empty() || rng.u8(..8) == 0)
        && let Some(placement) = place(position, rng)
    {
        return Some(placement);
    }
    // Captures and promotions come seldom by chance alone.
    let telling: Vec<Ply> = plies
        .iter()
        .filter(|ply| position.text(ply).contains(['x', '=', 'O']))
        .copied()
        .collect();
    if rng.u8(..3) == 0 && !telling.is_empty() {
        return rng.choice(telling);
    }
    rng.choice(plies)
}

/// A placement of some pieces on some squares, if one of many is legal.
fn place(position: &Position, rng: &mut Rng) -> Option<Ply> {
    let reserve = position.reserve(position.turn());
    let held: Vec<Role> = Role::ALL
        .into_iter()
        .flat_map(|role| std::iter::repeat_n(role, usize::from(reserve.count(role))))
        .collect();
    let needs_king = reserve.has(Role::King);
    (0..200).find_map(|_| {
        let mut roles = held.clone();
        rng.shuffle(&mut roles);
        roles.truncate(rng.usize(2..8));
        if held.len() < 2 {
            return None;
        }
        if needs_king && !roles.contains(&Role::King) {
            roles.push(Role::King);
        }
        let drops = roles.into_iter().map(|role| {
            (
                role,
                Square::new(rng.u8(..8), rng.u8(..8)).expect("a square"),
            )
        });
        let ply = Ply::Placement(Placement::new(drops)?);
        position.is_legal(&ply).then_some(ply)
    })
}
