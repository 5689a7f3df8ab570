//! Where a list in a text and a record of the same match part.

use super::moves::Manner;
use super::reader::Text;
use crate::rules::Record;

/// The first half-move that a list has otherwise than a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The half-move, from 0.
    pub ply: usize,
    /// What the list has there, as it stands.
    pub there: String,
}

/// How the lists of a text compare with a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// There is no list.
    Silent,
    /// They agree, and the longest list has so many half-moves.
    Agrees(usize),
    /// One does not.
    Parts(Parting),
}

/// Compares the lists of a text, all of them of one match, with a record. What
/// comes behind the record's last move is not looked at.
#[must_use]
pub fn compare(record: &Record, text: &Text<'_>) -> Comparison {
    let played = record.steps().len();
    let mut longest = None;
    let mut next = 0;
    let lists = text.moves().filter(|moves| moves.manner == Manner::List);
    for entry in lists.flat_map(|moves| &moves.entries) {
        if entry.is_aside {
            continue;
        }
        let ply = entry.ply(next);
        next = ply + 1;
        if ply < played && !entry.is_step(record, ply) {
            return Comparison::Parts(Parting {
                ply,
                there: entry.text.clone(),
            });
        }
        longest = longest.max(Some(next));
    }
    longest.map_or(Comparison::Silent, Comparison::Agrees)
}
