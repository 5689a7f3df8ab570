//! The rules crate.

pub(crate) mod agree;
mod by_number;
mod fen;
mod invariants;
mod movetext;
mod ninth_game;
mod perft;
pub(crate) mod playing;
pub(crate) mod slow;
