//! Ctrl-C while the program thinks or writes: it ends what it does, and says how the match goes on.
//! While it waits for a line, the process ends at once as any other does: every half-move is kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Error;

/// Knows whether somebody has pressed Ctrl-C.
pub(super) struct Interrupt {
    /// True from then on.
    pub(super) stop: Arc<AtomicBool>,
    /// True while a line is read.
    waits: Arc<AtomicBool>,
}

impl Interrupt {
    /// Heeds Ctrl-C, if there is somebody who can press it.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub(super) fn heed(is_terminal: bool) -> Result<Interrupt, Error> {
        let interrupt = Interrupt {
            stop: Arc::default(),
            waits: Arc::default(),
        };
        if is_terminal {
            interrupt.register()?;
        }
        Ok(interrupt)
    }

    #[cfg(unix)]
    fn register(&self) -> Result<(), Error> {
        use signal_hook::consts::SIGINT;
        use signal_hook::flag;

        let failed = |error: std::io::Error| Error::io("signals", &error);
        flag::register_conditional_default(SIGINT, Arc::clone(&self.waits)).map_err(failed)?;
        flag::register(SIGINT, Arc::clone(&self.stop)).map_err(failed)?;
        Ok(())
    }

    /// Without signals, a process is only ended at once, which is safe.
    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)]
    fn register(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns true if it was pressed.
    pub(super) fn is_pressed(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs what waits for a line.
    pub(super) fn waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.waits.store(true, Ordering::Relaxed);
        let line = wait();
        self.waits.store(false, Ordering::Relaxed);
        line
    }
}
