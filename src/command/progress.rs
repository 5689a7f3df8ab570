//! How far a long run has come, for somebody at a terminal.

use std::env;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// So many messages are dealt with before anybody wonders.
const HANDFUL: u64 = 8;

/// And so much time may pass.
const MOMENT: Duration = Duration::from_secs(1);

/// A bar on standard error, which goes when this goes.
pub(super) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    messages: u64,
    /// Whether it is still to be shown, should it take long.
    is_waiting: bool,
}

impl Progress {
    /// One that is shown if it takes long and standard error is a terminal
    /// whose owner wants to see more than text.
    pub(super) fn new(is_terminal: bool) -> Progress {
        let is_plain = env::var_os("NO_COLOR").is_some()
            || env::var_os("TERM").is_none_or(|term| term == "dumb");
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent:>3}%");
        let style = style.unwrap_or_else(|error| unreachable!("{error}"));
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        Progress {
            bar: bar.with_style(style.progress_chars("=> ")),
            begun: Instant::now(),
            messages: 0,
            is_waiting: is_terminal && !is_plain,
        }
    }

    /// So many more bytes are to be read.
    pub(super) fn expect(&self, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    /// So many bytes more are read.
    pub(super) fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// A message is dealt with.
    pub(super) fn count(&mut self) {
        self.messages += 1;
        if self.is_waiting && (self.messages > HANDFUL || self.begun.elapsed() > MOMENT) {
            self.is_waiting = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(format!("{} messages", self.messages));
    }

    /// Does something that may write to the terminal.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Takes the bar away for good.
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
