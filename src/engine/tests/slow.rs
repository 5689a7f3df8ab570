//! A prover of mates that is plainly right: every ply of the one, every answer of the other, each
//! position made anew by `Position::play`.

use parapost_rules::{Ply, Position};

/// What the prover found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// The player to move forces the win in at most so many half-moves, and no sooner.
    Mate(u32),
    /// There is none that short.
    None,
    /// It would take too long to find out.
    TooLong,
}

/// Looks for the shortest forced win in at most so many half-moves, an odd number, with so many
/// positions to spend.
pub(crate) fn prove(position: &Position, most: u32, budget: u64) -> Proof {
    let mut left = budget;
    for plies in (1..=most).step_by(2) {
        match wins(position, plies, &mut left) {
            Some(true) => return Proof::Mate(plies),
            Some(false) => {}
            None => return Proof::TooLong,
        }
    }
    Proof::None
}

/// Whether the player to move wins in at most so many half-moves; none if the budget ran out.
fn wins(position: &Position, plies: u32, left: &mut u64) -> Option<bool> {
    let us = position.turn();
    let mut behind = Vec::new();
    for ply in position.legal_plies() {
        *left = left.checked_sub(1)?;
        let after = position.play(&ply).expect("a legal ply");
        match after.outcome() {
            Some(end) if end.winner == Some(us) => return Some(true),
            // A check first, for it leaves few answers: the order decides nothing.
            None if plies > 1 => behind.push((!after.is_check(), after)),
            _ => {}
        }
    }
    behind.sort_by_key(|(is_quiet, _)| *is_quiet);
    for (_, after) in behind {
        if loses(&after, plies - 1, left)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether whatever the player to move does loses in at most so many half-moves.
pub(crate) fn loses(position: &Position, plies: u32, left: &mut u64) -> Option<bool> {
    let us = position.turn();
    // What refuted the last try mostly refutes this one, too: captures and the king's moves.
    let mut answers: Vec<Ply> = position.single_plies();
    answers.sort_by_key(|ply| match ply {
        Ply::Move { to, .. } => position.get(*to).is_none(),
        _ => true,
    });
    let is_several = |ply: &Ply| matches!(ply, Ply::Placement(_));
    let several = position.placements().filter(is_several);
    for ply in answers.into_iter().chain(several) {
        *left = left.checked_sub(1)?;
        let after = position.play(&ply).expect("a legal ply");
        match after.outcome() {
            Some(end) if end.winner == Some(!us) => {}
            Some(_) => return Some(false),
            None if !wins(&after, plies - 1, left)? => return Some(false),
            None => {}
        }
    }
    Some(true)
}
