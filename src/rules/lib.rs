//! Exact rules of six drop-chess games (Unachess, Unachess II, Parachute
//! chess, Unashogi, New Chess, Kingchess) and of chess and shogi, the two they
//! come from.
//!
//! In the order a reader needs them:
//!
//! - the vocabulary: [`Square`], [`Color`], [`Role`], [`Piece`], [`Reserve`],
//!   [`Board`];
//! - the games as data: [`game`] says what a game is made of, [`games`] has
//!   the eight, [`Variant`] is one with its options chosen;
//! - what can be written down, [`Setup`], and what can stand on a table,
//!   [`Position`];
//! - one player's turn, [`Ply`]; how it is written and read, [`notation`];
//!   why it is not allowed, [`IllegalMove`];
//! - a course of play, [`Record`], and how it ends, [`Outcome`].
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

pub mod game;
pub mod games;
pub mod notation;

mod bishops;
mod bitboard;
mod board;
mod board_text;
mod castling;
mod drop_restrictions;
mod engine;
mod explain;
mod fen;
mod fen_error;
mod illegal;
mod movegen;
mod movetext;
mod names;
mod outcome;
mod perft;
mod piece;
mod placement;
mod ply;
mod position;
mod reading;
mod record;
mod refusal;
mod reserve;
mod rules_error;
mod setup;
mod setup_error;
mod shown;
mod square;
mod state;
mod tables;
mod threats;
mod variant;
mod writing;

pub use bishops::BishopColors;
pub use board::Board;
pub use fen_error::{ParseFenError, ParseFenErrorKind};
pub use game::{Game, Rules};
pub use illegal::{IllegalMove, IllegalMoveKind, MissingRule};
pub use outcome::{Claim, Mark, Outcome, Reason};
pub use piece::{Color, Piece, Role};
pub use ply::{Placement, Ply, Side};
pub use position::Position;
pub use record::{Record, Step};
pub use reserve::Reserve;
pub use rules_error::RulesError;
pub use setup::Setup;
pub use setup_error::{SetupError, SetupFault};
pub use shown::is_unprintable;
pub use square::{File, ParseSquareError, Rank, Square};
pub use variant::{Variant, VariantError};
