//! Moves as people write them.
//!
//! A forgiving reader, a strict writer. The writer knows one form, that of
//! the 1994 post ([`Position::text`](crate::Position::text)). The reader takes
//! what people write (docs/format.md 2) in two steps: [`MoveText`] is a move
//! without meaning, understood from its characters alone;
//! [`Position::interpret`](crate::Position::interpret) finds the one legal
//! move it can mean, or says why there is none, or shows the several.

pub use crate::movetext::{MoveText, ParseMoveError, ParseMoveErrorKind};
pub use crate::reading::{ReadError, Reading, Voice};
pub use crate::refusal::{Place, Refusal, RefusalKind};
