//! Threats to a king: checks, the squares that meet them, and pins, found in
//! one pass over the lines through it.

use crate::bitboard::Bitboard;
use crate::piece::Role;
use crate::state::{Sliders, State};
use crate::tables::{LINES, Tables};

/// The threats to a king along the lines through it.
pub(crate) struct Threats<B> {
    /// The pieces that give check.
    pub(crate) checkers: B,
    /// The squares on which a piece other than the king meets a single check:
    /// the checker's and those in between. Every square where there is no check.
    pub(crate) evasion: B,
    /// The squares of each line along which own pieces are pinned, from the
    /// king to the pinning piece.
    pins: [B; LINES],
    /// Squares that the enemy attacks by steps and leaps: those beside the
    /// king and the king's own, and some others.
    pub(crate) stepped_on: B,
}

impl<B: Bitboard> Threats<B> {
    pub(crate) fn none() -> Threats<B> {
        Threats {
            checkers: B::EMPTY,
            evasion: B::FULL,
            pins: [B::EMPTY; LINES],
            stepped_on: B::EMPTY,
        }
    }

    /// The threats to the king of the player to move, all of them real.
    #[inline]
    pub(crate) fn to(
        t: &Tables<B>,
        state: &State<B>,
        sliders: &Sliders<B>,
        king: u8,
    ) -> Threats<B> {
        let us = state.turn;
        let enemy = state.of(!us);
        let own = state.of(us);
        let occupied = own | enemy;
        let (mut checkers, mut stepped_on) = (B::EMPTY, B::EMPTY);
        let near = t.near_king(!us, king) & enemy;
        if !near.is_empty() {
            for (role, &pieces) in Role::ALL.iter().zip(&state.roles) {
                for (from, bit) in (near & pieces).each() {
                    let Some(movement) = t.movement(*role) else {
                        continue;
                    };
                    let steps = movement.steps(!us, from);
                    stepped_on |= steps;
                    if steps.has(king) {
                        checkers |= bit;
                    }
                }
            }
        }
        let mut evasion = checkers;
        let mut pins = [B::EMPTY; LINES];
        let lines = if sliders.aligned(t, king).is_empty() {
            &[][..]
        } else {
            &t.lines(king)[..]
        };
        for (i, line) in lines.iter().enumerate() {
            let (above, below) = sliders.on_line(i);
            if line.upper.meets(above) {
                let way = line.upper & occupied;
                let first = way.lowest_bit();
                if first.meets(above) {
                    checkers |= first;
                    evasion |= line.upper & (first | first.below());
                } else if first.meets(own) {
                    let second = (way ^ first).lowest_bit();
                    if second.meets(above) {
                        pins[i] |= line.upper & (second | second.below());
                    }
                }
            }
            if line.lower.meets(below) {
                let way = line.lower & occupied;
                let first = way.highest_bit();
                if first.meets(below) {
                    checkers |= first;
                    evasion |= line.lower & !first.below();
                } else if first.meets(own) {
                    let rest = way ^ first;
                    let second = rest.highest_bit() & rest;
                    if second.meets(below) {
                        pins[i] |= line.lower & !second.below();
                    }
                }
            }
        }
        if checkers.is_empty() {
            evasion = B::FULL;
        }
        Threats {
            checkers,
            evasion,
            pins,
            stepped_on,
        }
    }

    pub(crate) fn pinned(&self) -> B {
        self.pins.iter().fold(B::EMPTY, |all, &pin| all | pin)
    }

    /// The squares a pinned piece may go to without leaving its line.
    pub(crate) fn line_of(&self, square: B) -> B {
        self.pins.iter().fold(
            B::EMPTY,
            |line, &pin| if pin.meets(square) { pin } else { line },
        )
    }
}
