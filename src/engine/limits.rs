//! How long the engine thinks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use parapost_rules::Ply;

/// How long the engine thinks: the first limit that is reached ends it. Without any it
/// thinks to the greatest depth.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use parapost_engine::Limits;
///
/// let limits = Limits::nodes(10_000);
/// assert_eq!(limits.nodes, Some(10_000));
/// let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
/// assert_eq!(limits.nodes, None);
/// ```
#[derive(Clone, Default, Debug)]
#[allow(clippy::exhaustive_structs, reason = "made with `..Limits::default()`")]
pub struct Limits {
    /// Positions looked at. The same number gives the same answer on every machine.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Half-moves; checks and captures are followed further.
    pub depth: Option<u32>,
    /// Ends the thinking at once when it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
    /// Chooses among plies that are equally good at first sight: another seed, another game.
    /// Zero chooses nothing.
    pub seed: u64,
    /// Hundredths of a pawn: the seed may choose a ply that the search finds worse than the best by
    /// as much as this.
    pub variety: u16,
    /// The plies to choose from; all if none of them is one that the engine tries.
    pub only: Vec<Ply>,
}

impl Limits {
    /// So many positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// So many half-moves.
    #[must_use]
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }
}
