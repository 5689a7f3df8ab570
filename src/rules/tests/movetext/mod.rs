//! Moves written and read: the tables of `docs/moves.md`, every legal move of random games, and garbage.

mod every_move;
mod noise;
mod tables;
