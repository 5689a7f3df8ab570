//! Counting lines of play: the measure of a generator.

use crate::bitboard::Bitboard;
use crate::movegen;
use crate::movegen::{Count, Each, Origin, Visitor};
use crate::piece::Role;
use crate::placement;
use crate::ply::Side;
use crate::state::State;
use crate::tables::Tables;

/// The number of lines of play of a length. The last ply is counted, not
/// played.
pub(crate) fn perft<B: Bitboard>(t: &Tables<B>, state: &State<B>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(t, state),
        _ => {
            let mut total = 0;
            let mut walk = Each(|ply| {
                // Made in place: a state returned is a state copied.
                let mut next = *state;
                next.make(t, ply);
                total += perft(t, &next, depth - 1);
            });
            if t.rules.placement {
                movegen::generate(t, state, &mut Moves(walk));
                for drops in placement::Placements::new(t, state) {
                    if let Some(next) = placement::play(t, state, drops.into_iter()) {
                        total += perft(t, &next, depth - 1);
                    }
                }
            } else {
                movegen::generate(t, state, &mut walk);
            }
            total
        }
    }
}

fn leaves<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> u64 {
    if t.rules.placement {
        let mut moves = Moves(Count::new());
        movegen::generate(t, state, &mut moves);
        moves.0.total() + placement::count(t, state)
    } else {
        movegen::count(t, state)
    }
}

/// Passes on all but drops, which placements have among them.
struct Moves<S>(S);

impl<B: Bitboard, S: Visitor<B>> Visitor<B> for Moves<S> {
    fn moves(&mut self, role: Role, origin: Origin, targets: B, becoming: &[Option<Role>]) {
        self.0.moves(role, origin, targets, becoming);
    }

    fn castle(&mut self, side: Side) {
        Visitor::<B>::castle(&mut self.0, side);
    }

    fn drops(&mut self, _: Role, _: B) {}

    fn relocations(&mut self, role: Role, pawns: B, targets: B) {
        self.0.relocations(role, pawns, targets);
    }
}
