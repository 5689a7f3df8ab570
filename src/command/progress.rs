//! A progress bar for long runs, shown on a terminal.

use std::env;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The number of things that are handled before the bar appears.
const HANDFUL: u64 = 8;

/// The time that passes before the bar appears.
const MOMENT: Duration = Duration::from_secs(1);

/// A progress bar on standard error.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The things that are counted, in the plural.
    noun: &'static str,
    count: u64,
    /// True while the bar is hidden and may still appear.
    is_waiting: bool,
}

impl Progress {
    /// Creates a bar that appears if the run takes long and standard error is a
    /// terminal whose owner wants more than plain text.
    pub(super) fn new(is_terminal: bool, noun: &'static str) -> Progress {
        let is_plain = env::var_os("NO_COLOR").is_some()
            || env::var_os("TERM").is_none_or(|term| term == "dumb");
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent:>3}%");
        let style = style.unwrap_or_else(|error| unreachable!("{error}"));
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        Progress {
            bar: bar.with_style(style.progress_chars("=> ")),
            noun,
            count: 0,
            is_waiting: is_terminal && !is_plain,
        }
    }

    /// Adds to the length of the bar: bytes to read, or things to count.
    pub(super) fn expect(&self, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    /// Adds to what is done of it.
    pub(super) fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Counts a message or another thing that has been handled.
    pub(super) fn count(&mut self) {
        self.count += 1;
        if self.is_waiting && (self.count > HANDFUL || self.bar.elapsed() > MOMENT) {
            self.is_waiting = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar
            .set_message(format!("{} {}", self.count, self.noun));
    }

    /// Runs code that may write to the terminal, with the bar out of the way.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the bar for good.
    pub(super) fn clear(&mut self) {
        self.is_waiting = false;
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
