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
//! let reading = start.interpret(&text, Voice::Lone)?;
//! assert_eq!(start.text(&reading.ply), "P-c4");
//! assert_eq!(start.long_text(&reading.ply), "Pc3-c4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::movetext::{MoveText, ParseMoveError, ParseMoveErrorKind, is_comment_sign};
pub use crate::reading::{ReadError, Reading, Voice};
pub use crate::refusal::{Place, Refusal, RefusalKind};
