//! The confirmation that what was read counts: one write stands for whatever letters have read
//! before it.
//!
//! Each acknowledged write of this process will do. Where there is none, the letters that wait
//! share one of a row that no other process is likely to write. However many strangers write,
//! there are two such writes a second at most.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::Error;
use crate::store::errand::{Reads, ServerRun, Wait};

/// The time from one shared write to the next.
const PERIOD: Duration = Duration::from_millis(500);

/// The rows of all processes. Were there one for each process, those that a mail server starts
/// for every letter would leave as many. Two that have the same one wait for each other.
const ROWS: i64 = 1024;

/// The confirmations of the reads of a process.
#[derive(Default, Debug)]
pub(super) struct Confirmations {
    state: Mutex<State>,
    changed: Condvar,
    /// The row that this process writes.
    row: OnceLock<i64>,
}

#[derive(Default, Debug)]
struct State {
    /// The server that has acknowledged a write last, and when it was asked for it.
    acknowledged: Option<(ServerRun, Instant)>,
    /// When the last shared write began.
    begun: Option<Instant>,
    is_under_way: bool,
}

/// The next step of a letter.
pub(super) enum Turn {
    /// Its reads count.
    Done,
    /// It has read a server that has been replaced, by this one.
    Superseded(ServerRun),
    /// It is the one that writes, for all.
    Write,
    /// Time is over.
    TooLate,
}

impl Confirmations {
    fn state(&self) -> MutexGuard<'_, State> {
        // Each part is set as a whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a server has acknowledged a write that it was asked for then.
    pub(super) fn note(&self, server: &ServerRun, asked: Instant) {
        let mut state = self.state();
        let last = state.acknowledged.as_ref();
        if last.is_none_or(|(_, last)| *last < asked) {
            state.acknowledged = Some((server.clone(), asked));
            self.changed.notify_all();
        }
    }

    /// Waits until it is known what was read, or until this letter has to write.
    pub(super) fn turn(&self, reads: &mut Reads, wait: &Wait) -> Turn {
        let mut state = self.state();
        loop {
            if let Some((server, asked)) = &state.acknowledged {
                reads.confirm(server, *asked);
                if reads.are_superseded_by(server, *asked) {
                    return Turn::Superseded(server.clone());
                }
            }
            if reads.is_empty() {
                return Turn::Done;
            }
            let left = wait.left();
            let pause = match state.begun {
                _ if state.is_under_way => left,
                Some(begun) => PERIOD.saturating_sub(begun.elapsed()),
                None => Duration::ZERO,
            };
            if pause.is_zero() && !state.is_under_way {
                state.is_under_way = true;
                state.begun = Some(Instant::now());
                return Turn::Write;
            }
            if left.is_zero() {
                return Turn::TooLate;
            }
            let waited = self.changed.wait_timeout(state, pause.min(left));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns the number of this process's row.
    pub(super) fn row(&self) -> Result<i64, Error> {
        if let Some(row) = self.row.get() {
            return Ok(*row);
        }
        let mut bytes = [0; 2];
        getrandom::fill(&mut bytes)
            .map_err(|error| Error::later(format!("no random numbers: {error}")))?;
        let row = i64::from(u16::from_be_bytes(bytes)) % ROWS;
        Ok(*self.row.get_or_init(|| row))
    }
}

/// The end of a shared write, however it ends.
pub(super) struct UnderWay<'c>(pub(super) &'c Confirmations);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.state().is_under_way = false;
        self.0.changed.notify_all();
    }
}
