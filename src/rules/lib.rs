//! Exact rules of six drop-chess games (Unachess, Unachess II, Parachute
//! chess, Unashogi, New Chess, Kingchess) and of chess and shogi, the two they
//! come from.
//!
//! A [`Variant`] is a game with its options. It gives the [`Position`] the
//! game starts from, a position gives its legal plies ([`Ply`]), and a
//! [`Record`] keeps what was played and tells how it ends. Nothing here does
//! input or output; the crate is `no_std` and needs `alloc`.
//!
//! # Set up a position
//!
//! A [`Position`] has passed every check. A [`Setup`] can be anything, and is
//! checked when it becomes a position.
//!
//! ```
//! use parapost_rules::{Color, Position, Role, Square, Variant};
//!
//! let newchess = Variant::find("newchess", &["rooks-placed"])?;
//! let position = Position::from_fen(
//!     &newchess,
//!     "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[BBNNQbbnnq] w KQkq - 0 1",
//! )?;
//! assert_eq!(position, newchess.start());
//! assert_eq!(position.get(Square::E1), Some(Role::King.of(Color::White)));
//! assert_eq!(position.reserve(Color::White).count(Role::Bishop), 2);
//! assert_eq!(
//!     position.board().to_string(),
//!     "\
//! 8 r . . . k . . r
//! 7 p p p p p p p p
//! 6 . . . . . . . .
//! 5 . . . . . . . .
//! 4 . . . . . . . .
//! 3 . . . . . . . .
//! 2 P P P P P P P P
//! 1 R . . . K . . R
//!   a b c d e f g h",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # List the legal plies
//!
//! ```
//! use parapost_rules::{Ply, Role, Square, Variant};
//!
//! let start = Variant::find("unachess", &[])?.start();
//! assert_eq!(start.legal_plies().count(), 344);
//! assert!(start.is_legal(&Ply::Drop { role: Role::Knight, to: Square::F3 }));
//! # Ok::<(), parapost_rules::VariantError>(())
//! ```
//!
//! Kingchess has more than 10^15 first turns, so [`Position::legal_plies`] is
//! an iterator: take from it what you need.
//!
//! # Play
//!
//! [`Position::play`] gives the next position and leaves the old one as it is.
//!
//! ```
//! use parapost_rules::{Color, Ply, Square, Variant};
//!
//! let start = Variant::find("chess", &[])?.start();
//! let ply = Ply::Move { from: Square::E2, to: Square::E4, promotion: None };
//! let after = start.play(&ply)?;
//! assert_eq!(after.turn(), Color::Black);
//! assert_eq!(after.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program that looks ahead plays millions of plies a second and takes them back: a [`Walk`] does
//! so without checking again what it has listed as legal.
//!
//! # Read and write moves
//!
//! [`Position::read`] takes moves as people write them, [`Position::text`]
//! writes the one canonical form; [`Position::san`], [`Position::uci`] and
//! [`Position::usi`] write those of other programs. [`notation`] has more.
//!
//! ```
//! use parapost_rules::Variant;
//!
//! let start = Variant::find("chess", &[])?.start();
//! for text in ["N-f3", "Nf3", "g1f3", "Ng1-f3!?", "♘f3"] {
//!     let reading = start.read(text)?;
//!     assert_eq!(start.text(&reading.ply), "N-f3");
//!     assert_eq!(start.san(&reading.ply).as_deref(), Some("Nf3"));
//! }
//! let error = start.read("N-d2").unwrap_err();
//! assert_eq!(error.to_string(), "White's own pawn stands on d2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # See how a game ends
//!
//! A [`Record`] knows the repetitions and counts that a position does not.
//!
//! ```
//! use parapost_rules::{Color, Reason, Record, Variant};
//!
//! let mut record = Record::new(Variant::find("chess", &[])?.start());
//! for text in ["P-f3", "p-e5", "P-g4", "q-h4"] {
//!     record.play_text(text)?;
//! }
//! let outcome = record.outcome().expect("an end");
//! assert_eq!((outcome.winner, outcome.reason), (Some(Color::Black), Reason::Checkmate));
//! assert_eq!(outcome.score(), "0-1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Count lines of play
//!
//! ```
//! use parapost_rules::Variant;
//!
//! let chess = Variant::find("chess", &[])?.start();
//! assert_eq!(chess.perft(3), 8_902);
//! let shogi = Variant::find("shogi", &[])?.start();
//! assert_eq!(shogi.perft(3), 25_470);
//! # Ok::<(), parapost_rules::VariantError>(())
//! ```
//!
//! # Make a game of your own
//!
//! A [`Game`] is data: [`game`] has the parts, [`games`] the eight entries to
//! start from. What the crate does not do is refused with a [`RulesError`]: boards
//! other than 8x8 and 9x9, or pieces that change sides where pawns promote on the
//! last rank, as in crazyhouse.
//!
//! ```
//! use parapost_rules::{Game, Role, Rules, Variant, games};
//!
//! // Chess with a knight in hand, to be dropped on one's own half.
//! const SPARE_KNIGHT: Rules = games::CHESS_RULES
//!     .with_slots([&[(Role::Knight, 1)], &[]])
//!     .with_reserve_at_start(true)
//!     .with_drop_ranks([(1, 4); Role::COUNT]);
//!
//! let spare_knight = Game {
//!     id: "spare-knight",
//!     name: "Spare knight",
//!     rules: SPARE_KNIGHT,
//!     ..games::CHESS.clone()
//! };
//! let start = Variant::new(&spare_knight, &[])?.start();
//! assert_eq!(start.legal_plies().count(), 20 + 16);
//! # Ok::<(), parapost_rules::VariantError>(())
//! ```
//!
//! # Errors
//!
//! Every error's `Display` is a clause for a player, without a full stop. What
//! a program can act on is its kind, as [`IllegalMove::kind`] or
//! [`SetupError::faults`]. All kinds are `#[non_exhaustive]`.
//!
//! # Feature `serde`
//!
//! Off by default. Values that have a text form are written as that text
//! (a [`Square`] as `"e4"`, a [`Piece`] as `"+r"`, a
//! [`MoveText`](notation::MoveText) as `"N-f3 +"`), a [`Variant`] as
//! `{"game":"chess","options":[]}`, a [`Position`] with its `fen` beside
//! these, a [`Record`] with its `moves`. What is read is checked as any text
//! is. A game of one's own can be written but not read: only the ids of
//! [`games::ALL`] are known.
#![no_std]
#![deny(missing_docs)]

extern crate alloc;

pub mod game;
pub mod games;

mod board;
#[cfg(test)]
#[path = "tests/damage.rs"]
mod damage;
mod explain;
mod forms;
mod illegal;
mod movegen;
mod movetext;
mod outcome;
mod piece;
mod placement;
mod ply;
mod position;
mod reading;
mod record;
mod sentences;
#[cfg(feature = "serde")]
mod serialize;
mod setup;
mod state;
mod tables;
mod variant;
mod walk;

pub mod notation {
    //! Moves as people write them.
    //!
    //! The writer, [`Position::text`](crate::Position::text), knows one form, that
    //! of the 1994 post: `N>f3` drops a knight, `N-e5` moves it, `Nxe5` captures,
    //! `P-e8=Q` promotes, `O-O` castles, `R>e2/e3` relocates a pawn of New Chess,
    //! `K>b1,P>b2` places several pieces of Kingchess. Black's pieces are small
    //! letters. A mark may follow: `+` check, `#` checkmate, `!+` virtual check.
    //!
    //! The reader is forgiving: it takes SAN, UCI, USI and Hodges, figurines,
    //! several signs for a drop, and comment signs. It works in two steps.
    //! [`MoveText`] is understood from its characters alone;
    //! [`Position::interpret`](crate::Position::interpret) finds the one legal
    //! move it can mean, or returns the reason why there is none or the several
    //! there are.
    //!
    //! # Examples
    //!
    //! ```
    //! use parapost_rules::Variant;
    //! use parapost_rules::notation::{MoveText, Voice};
    //!
    //! let start = Variant::find("shogi", &[])?.start();
    //! let text: MoveText = "7g7f".parse()?;
    //! let reading = start.interpret(&text, Voice::Alone)?;
    //! assert_eq!(start.text(&reading.ply), "P-c4");
    //! assert_eq!(start.long_text(&reading.ply), "Pc3-c4");
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```

    pub use crate::movetext::{MoveText, ParseMoveError, ParseMoveErrorKind, is_comment_sign};
    pub use crate::reading::{ReadError, Reading, Voice, Warning};
}

pub use board::{Board, File, ParseFenError, ParseSquareError, Rank, Square};
pub use game::{Game, Rules, RulesError};
pub use illegal::{IllegalMove, IllegalMoveKind, MissingRule};
pub use outcome::{Claim, Mark, Outcome, Reason};
pub use piece::{Color, Piece, Reserve, Role};
pub use ply::{PieceChange, Placement, Ply, Side};
pub use position::{FenError, Position};
pub use record::{Record, Step};
pub use setup::{BishopColors, Setup, SetupError, SetupFault};
pub use variant::{Variant, VariantError};
pub use walk::{Listing, Recurrence, Walk};

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
