//! The hash of the moves of a match, by which two records are compared.

use sha2::{Digest, Sha256};

use crate::match_id::Id;
use crate::matches::hex::hex;
use crate::rules::{Record, Variant};

/// Computes the hash of a record, for the match with this id.
#[must_use]
pub fn hash(id: &Id, variant: &Variant, record: &Record) -> String {
    let moves = record.steps().iter().map(|step| step.text.as_str());
    hash_of_moves(id, variant, moves)
}

/// Computes the hash of moves in canonical form, for the match with this id.
#[must_use]
pub fn hash_of_moves<'m>(
    id: &Id,
    variant: &Variant,
    moves: impl IntoIterator<Item = &'m str>,
) -> String {
    let mut hash = Sha256::new();
    let mut line = |text: &str| {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    };
    line(id.as_str());
    line(variant.game().id);
    line(&variant.options().join(","));
    for text in moves {
        line(text);
    }
    hex(&hash.finalize()[..8])
}
