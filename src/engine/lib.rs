//! Plays six drop-chess games, chess and shogi by looking ahead on their exact rules.
//!
//! An [`Engine`] thinks about a [`Record`](parapost_rules::Record) within [`Limits`], and
//! gives a [`Thought`]: the ply it would play, its [`Score`], the line it expects. With the
//! same number of nodes and the same seed it thinks the same on every machine.
//!
//! An [`Advice`] is a ply that a second look bears out. An [`Analysis`] judges each half-move of a game that has been played. A [`Puzzle`] is a forced mate
//! with one solution, proven by trying everything.
//!
//! What is legal and how a game ends it asks the rules; what it knows of a game beyond
//! that is a table of [`Values`]. How it searches is told at the head of `search.rs`, and
//! which placements of Kingchess it tries at that of `placements.rs`.
#![deny(missing_docs)]

mod advice;
mod analysis;
mod deed;
mod engine;
mod level;
mod mate;
mod order;
mod placements;
mod puzzle;
mod search;
pub mod uci;
pub mod values;

#[cfg(test)]
#[path = "tests/inside/mod.rs"]
mod inside;

pub use advice::{Advice, Threat};
pub use analysis::{Analysis, Judgement, Turning, leads};
pub use deed::Deed;
pub use engine::{Engine, Score, Thought};
pub use level::{Level, Mistake, NoDraw, Pick, Stance};
pub use puzzle::{NoPuzzle, Puzzle, Trial};
pub use search::Limits;
pub use values::{Strength, Values, Worth};

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
