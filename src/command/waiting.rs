//! What `parapost` alone begins with: the matches that wait for the user.

use std::fmt::Write as _;

use crate::clock;
use crate::command::context::{Context, given};
use crate::command::list::{self, ListedMatch};
use crate::config::Config;
use crate::plural::counted_matches;

/// The matches that are shown.
const SHOWN: usize = 5;

/// The longest wait for matches that somebody else works on, in seconds.
const WAIT: u16 = 1;

/// Tells which matches wait for the user, in lines with an empty one behind them; an empty text if
/// none does, or that cannot be told: nobody has asked for it.
pub(super) fn text(context: &mut Context<'_>) -> String {
    context.global.wait = WAIT;
    let Some(waiting) = waiting(context) else {
        return String::new();
    };
    let verb = if waiting.len() == 1 { "waits" } else { "wait" };
    let what = counted_matches(waiting.len());
    let mut text = format!("{what} {verb} for you:\n");
    for listed in waiting.iter().take(SHOWN) {
        let _ = writeln!(text, "  {listed}");
    }
    if let Some(more @ 1..) = waiting.len().checked_sub(SHOWN) {
        let _ = writeln!(text, "  and {more} more: parapost list");
    }
    text + "\n"
}

/// Returns the matches that wait for the user, if there are any.
fn waiting(context: &Context<'_>) -> Option<Vec<ListedMatch>> {
    let config = Config::load(given(context.global.config.as_deref())).ok()?;
    let me = &config.somebody()?.player;
    let store = context.store_to_read().ok()?;
    let waiting = list::waiting(&*store, me, clock::now().ok()?)?;
    (!waiting.is_empty()).then_some(waiting)
}
