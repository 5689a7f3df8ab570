//! The end of a run that waits for messages.

use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The wish to end a run. Setting it ends every wait at once, even for a server.
#[derive(Default)]
pub struct Stop {
    state: Mutex<State>,
    changed: Condvar,
    /// Held while a message is put away on the server, which is done to its end.
    busy: Mutex<()>,
}

#[derive(Default)]
struct State {
    is_set: bool,
    /// The connection that is waited for.
    tcp: Option<TcpStream>,
}

impl Stop {
    /// Ends the run.
    pub fn set(&self) {
        let busy = self.busy();
        let mut state = self.state();
        state.is_set = true;
        if let Some(tcp) = state.tcp.take() {
            let _ = tcp.shutdown(Shutdown::Both);
        }
        drop((state, busy));
        self.changed.notify_all();
    }

    /// Returns true if the run is to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.state().is_set
    }

    /// Has the end of the run close this connection.
    pub(super) fn watch(&self, tcp: &TcpStream) {
        let mut state = self.state();
        if state.is_set {
            let _ = tcp.shutdown(Shutdown::Both);
        }
        // Without a second handle, a wait for the server goes on to its own end.
        state.tcp = tcp.try_clone().ok();
    }

    /// Keeps the run from being ended while the returned value exists.
    pub(super) fn busy(&self) -> MutexGuard<'_, ()> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps so long, or until the run is to end.
    pub fn sleep(&self, longest: Duration) {
        let end = Instant::now() + longest;
        let mut state = self.state();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if state.is_set || left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
