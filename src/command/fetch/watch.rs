//! `parapost fetch --watch`: waits for mail until the process is told to end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::NaiveDate;

use crate::Error;
use crate::args::Send;
use crate::args::fetch::Fetch;
use crate::command::context::Context;
use crate::command::fetch::round::round;
use crate::command::send;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::error::causes;
use crate::mail::imap::error::ImapError;
use crate::mail::settings::ImapSettings;
use crate::mail::sources::mailbox::ImapSource;
use crate::mail::sources::place::Places;
use crate::mail::sources::source::Stop;

/// The longest wait for messages. Servers end an IDLE after 29 minutes, and some networks
/// forget a silent connection sooner.
const WAIT: Duration = Duration::from_mins(10);

/// The wait where messages are to be tried again.
const RETRY: Duration = Duration::from_mins(1);

/// The shortest time between two looks, whatever a server says to be new.
const PACE: Duration = Duration::from_secs(1);

/// The age of a connection after which the next attempt comes soon again.
const LASTING: Duration = Duration::from_mins(1);

/// The first and the longest wait before another attempt to connect.
const PAUSES: [Duration; 2] = [Duration::from_secs(2), Duration::from_mins(10)];

pub(super) fn run(
    args: &Fetch,
    session: &mut Session,
    settings: &ImapSettings,
    places: &Places,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let stop = Arc::new(Stop::default());
    heed_signals(&stop)?;
    let mut since = args.since;
    let mut pauses = Pauses::new();
    let mut was_in = false;
    loop {
        let mut lasted = Duration::ZERO;
        let watched = ImapSource::open(settings, places, &stop, args.wish(since));
        let watched = watched.and_then(|mut source| {
            was_in = true;
            let begun = Instant::now();
            loop {
                let turned = turn(args, session, &mut source, &stop, context, &mut since);
                lasted = begun.elapsed();
                turned?;
                if stop.is_set() {
                    source.leave();
                    return Ok(());
                }
            }
        });
        let error = match watched {
            // The end of the run has closed the connection.
            _ if stop.is_set() => return Ok(Status::Done),
            Ok(()) => return Ok(Status::Done),
            // Whoever stands between for a while, such as the page of a hotel's network, is
            // no reason to wait no more. Nothing was said to them.
            Err(error) if was_in && is_of_tls(&error) => error,
            Err(error) if !error.is_transient() => return Err(error),
            Err(error) => error,
        };
        let pause = pauses.after(lasted);
        context.say(format_args!(
            "parapost: {error}; the next attempt is in {} seconds",
            pause.as_secs()
        ));
        stop.sleep(pause);
    }
}

/// The waits before the attempts to connect, each twice as long as the last.
struct Pauses {
    next: Duration,
}

impl Pauses {
    fn new() -> Pauses {
        Pauses { next: PAUSES[0] }
    }

    /// Returns the wait after a connection that has lasted so long, whatever has ended it.
    /// A server that drops every connection at once is asked less and less often.
    fn after(&mut self, lasted: Duration) -> Duration {
        if lasted > LASTING {
            self.next = PAUSES[0];
        }
        let pause = self.next;
        self.next = (pause * 2).min(PAUSES[1]);
        pause
    }
}

/// Returns true if an error is of the connection alone, and so of TLS if it is final.
fn is_of_tls(error: &Error) -> bool {
    causes(error).any(|cause| matches!(cause.downcast_ref(), Some(ImapError::Io(_))))
}

/// Handles what is there, sends what is owed, and waits for more. Clears `since` once what
/// has arrived since that day is read.
fn turn(
    args: &Fetch,
    session: &mut Session,
    source: &mut ImapSource<'_>,
    stop: &Stop,
    context: &mut Context<'_>,
    since: &mut Option<NaiveDate>,
) -> Result<(), Error> {
    let begun = Instant::now();
    round(args, session, source, context)?;
    *since = None;
    if args.delivery.send && !session.store.owing()?.is_empty() {
        let all = Send {
            ids: Vec::new(),
            resend: None,
            print: false,
        };
        // Trouble with mail that goes out is no reason to read none.
        if let Err(error) = send::run(&all, context) {
            context.say_error(&error);
        }
    }
    context.flush()?;
    source.wait(if source.keeps_messages() { RETRY } else { WAIT })?;
    stop.sleep(PACE.saturating_sub(begun.elapsed()));
    Ok(())
}

/// Has SIGTERM and SIGINT end the run. The second of them ends the process at once.
#[cfg(unix)]
fn heed_signals(stop: &Arc<Stop>) -> Result<(), Error> {
    use std::io::Read as _;
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    let failed = |error: std::io::Error| Error::io("signals", &error);
    let (mut told, tell) = UnixStream::pair().map_err(failed)?;
    let is_second = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        flag::register_conditional_shutdown(signal, 0, Arc::clone(&is_second)).map_err(failed)?;
        flag::register(signal, Arc::clone(&is_second)).map_err(failed)?;
        let tell = tell.try_clone().map_err(failed)?;
        low_level::pipe::register(signal, tell).map_err(failed)?;
    }
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let _ = told.read(&mut [0]);
        stop.set();
    });
    Ok(())
}

/// Without signals, a process is only ended at once, which is safe.
#[cfg(not(unix))]
fn heed_signals(_: &Arc<Stop>) -> Result<(), Error> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A router that forgets connections after five minutes ends each of them in the same
    /// silence.
    #[test]
    fn a_connection_that_has_lasted_is_soon_made_again() {
        let mut pauses = Pauses::new();
        let at_once = [2, 4, 8].map(Duration::from_secs);
        assert_eq!(
            [Duration::ZERO; 3].map(|lasted| pauses.after(lasted)),
            at_once
        );
        for _ in 0..20 {
            assert_eq!(pauses.after(Duration::from_mins(5)), PAUSES[0]);
        }
        for _ in 0..20 {
            pauses.after(LASTING);
        }
        assert_eq!(pauses.after(Duration::ZERO), PAUSES[1]);
    }
}
