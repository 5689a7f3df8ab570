//! `parapost fetch`: reads the folder of a mailbox on a server and plays the moves in it, once
//! or, with `--watch`, whenever mail comes; or the newsgroups of the matches.

mod newsgroups;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use clap::Args;

use crate::command::arguments::{Delivery, Telling};
use crate::command::context::{Context, Status};
use crate::command::mail::{Send, send_within};
use crate::command::receive::reporter::Reporter;
use crate::command::receive::{Batch, Consent};
use crate::inbound::known::{Known, beginning};
use crate::mail::error::causes;
use crate::mail::imap::ImapError;
use crate::mail::settings::ImapSettings;
use crate::mail::sources::Stop;
use crate::mail::sources::mailbox::{ImapSource, RoundSummary, Wish};
use crate::mail::sources::place::{Places, TakeLock};
use crate::match_id::Id;
use crate::printable::counted;
use crate::referee::session::Session;
use crate::store::lock;
use crate::{Error, clock};

/// `parapost fetch`
#[derive(Args, Default, Debug)]
#[command(after_help = "\
Examples:
  parapost fetch --send
  parapost fetch --since 2026-11-20
  parapost fetch --watch --send
  parapost fetch --news --send

The mailbox is that of the section [imap] of the configuration. Of mail
from before the first run it reads only what names a match; with --since it reads all.
With --news it reads the newsgroups that matches are posted to, as [news] says.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(super) struct Fetch {
    /// The answers.
    #[command(flatten)]
    pub(super) delivery: Delivery,
    /// The report on the messages.
    #[command(flatten)]
    pub(super) telling: Telling,
    /// Say what would be done, and do nothing
    #[arg(long, conflicts_with_all = ["send", "print", "watch"])]
    pub(super) dry_run: bool,
    /// Enter the matches that messages invite you to, without asking
    #[arg(long)]
    pub(super) accept: bool,
    /// Read also what arrived on this day or later
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(super) since: Option<NaiveDate>,
    /// Wait for mail until the process is told to end; with --send also send what is owed
    #[arg(long)]
    pub(super) watch: bool,
    /// Read the newsgroups of the matches in place of the mailbox
    #[arg(long, conflicts_with_all = ["since", "accept"])]
    pub(super) news: bool,
    /// Look at so many numbers below the last article of each group
    #[arg(long, value_name = "NUMBERS", requires = "news", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) back: Option<u64>,
}

pub(super) fn run(args: &Fetch, context: &mut Context<'_>) -> Result<Status, Error> {
    let mut session = Session::open_to_receive(context, args.dry_run)?;
    if args.news {
        return args.read_news(&mut session, context);
    }
    let settings = settings(&session)?;
    let wait = context.wait();
    let games = context.games_folder()?;
    let take_lock =
        (!args.dry_run).then(|| -> TakeLock { Box::new(move |path| lock::take(path, wait)) });
    let places = Places::open(&games, &settings, take_lock)?;
    if args.watch {
        return watch(args, &mut session, &settings, &places, context);
    }
    let stop = Stop::default();
    let mut source = ImapSource::open(&settings, &places, &stop, args.wish(args.since))?;
    let status = round(args, &mut session, &mut source, context)?;
    source.leave();
    Ok(status)
}

/// Returns the settings of the mailbox.
fn settings(session: &Session) -> Result<ImapSettings, Error> {
    session.config.imap.clone().ok_or_else(|| {
        Error::refused(format!(
            "which mailbox to read is not configured; add these lines, with your own server and user, to {}:\n\n[imap]\nhost = \"imap.example.org\"\nuser = \"anna\"\npassword_file = \"imap-password\"",
            session.config.path.display()
        ))
    })
}

impl Fetch {
    /// Returns what a run does with the folder.
    fn wish(&self, since: Option<NaiveDate>) -> Wish {
        Wish {
            since,
            is_dry_run: self.dry_run,
        }
    }
}

/// Reads what is new in a folder, handles it and answers.
///
/// # Errors
///
/// If the matches or the place cannot be read, or the connection has failed before
/// messages were read. What was handled until then is settled and answered.
fn round(
    args: &Fetch,
    session: &mut Session,
    source: &mut ImapSource<'_>,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    session.now = clock::now()?;
    let session = &session.clone().for_a_run();
    let mut batch = Batch::new(session, args.dry_run, context.is_terminal);
    batch.reporter = Reporter::new(args.telling, args.delivery, session, context.is_shown)?;
    batch.consent = Consent::of(args.accept, !args.watch && !args.dry_run, context);
    batch.is_fetch = true;
    batch.is_watch = args.watch;
    let partner = session.config.partner.as_ref();
    let is_open = partner.is_some_and(|partner| partner.open);
    let known = || {
        let known = Known::of(&session.store, &session.me.player)?;
        Ok::<_, Error>(known.with_wishes(is_open))
    };
    let beginning = |now| beginning(&*session.store, now);
    source.begin_round(known()?, session.now, &beginning)?;
    let mut read = batch.read_all(source, context);
    // Mail about a match that has just been entered may have been passed over before.
    if read.is_ok() && batch.entered > 0 {
        read = source.begin_again(known()?);
        read = read.and_then(|()| batch.read_all(source, context));
    }
    let ended = read.and_then(|()| source.end_round(session.now));
    let is_for_people = batch.reporter.is_for_people();
    let mut status = batch.finish(args.delivery, context);
    let summary = source.summary();
    for remark in source.take_remarks() {
        context.say(format_args!("parapost: {}: {remark}", source.folder()));
    }
    if is_for_people && ended.is_ok() && (summary.looked_at > 0 || !args.watch) {
        let line = context.wrapped_for_stdout(looked_at(&source.folder(), summary));
        context.report(line + "\n")?;
    }
    ended?;
    if source.keeps_messages() {
        status = status.max(Status::Later);
    }
    Ok(status)
}

/// Says what a round has looked at.
fn looked_at(folder: &str, summary: RoundSummary) -> String {
    let RoundSummary {
        looked_at,
        read,
        since,
    } = summary;
    if looked_at == 0 {
        return format!("{folder}: no message has come since {since}.");
    }
    let unread = match looked_at - read.min(looked_at) {
        0 => String::new(),
        1 => "; one is about no match and was not read".to_owned(),
        several => format!("; {several} are about no match and were not read"),
    };
    let messages = counted(looked_at, "message");
    format!("{folder}: looked at {messages} since {since}{unread}.")
}

/// The longest wait for messages. Servers end an IDLE after 29 minutes, and some networks
/// forget a silent connection sooner.
const WAIT: Duration = Duration::from_mins(10);

/// The wait where messages are to be tried again.
const RETRY: Duration = Duration::from_mins(1);

/// The wait where other processes are sending mail: they may have been killed.
const HELD: Duration = Duration::from_secs(5);

/// The shortest time between two looks, whatever a server says to be new.
const PACE: Duration = Duration::from_secs(1);

/// The age of a connection after which the next attempt comes soon again.
const LASTING: Duration = Duration::from_mins(1);

/// The first and the longest wait before another attempt to connect.
const PAUSES: [Duration; 2] = [Duration::from_secs(2), Duration::from_mins(10)];

fn watch(
    args: &Fetch,
    session: &mut Session,
    settings: &ImapSettings,
    places: &Places,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let stop = Arc::new(Stop::default());
    heed_signals(&stop)?;
    let mut watched = Watched {
        since: args.since,
        held: BTreeSet::new(),
    };
    let mut pauses = Pauses::new();
    let mut was_in = false;
    loop {
        let mut lasted = Duration::ZERO;
        let opened = ImapSource::open(settings, places, &stop, args.wish(watched.since));
        let ended = opened.and_then(|mut source| {
            was_in = true;
            let begun = Instant::now();
            loop {
                let turned = turn(args, session, &mut source, &stop, context, &mut watched);
                lasted = begun.elapsed();
                turned?;
                if stop.is_set() {
                    source.leave();
                    return Ok(());
                }
            }
        });
        let error = match ended {
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

/// What a watch remembers from one round to the next.
#[derive(Default)]
struct Watched {
    /// The day since which mail is read, until that was done.
    since: Option<NaiveDate>,
    /// The matches of which it was said that another process sends their mail.
    held: BTreeSet<Id>,
}

/// Handles what is there, sends what is owed, and waits for more.
fn turn(
    args: &Fetch,
    session: &mut Session,
    source: &mut ImapSource<'_>,
    stop: &Stop,
    context: &mut Context<'_>,
    watched: &mut Watched,
) -> Result<(), Error> {
    let begun = Instant::now();
    round(args, session, source, context)?;
    watched.since = None;
    let mut wait = if source.keeps_messages() { RETRY } else { WAIT };
    if let Some(sooner) = send_owed(args, session, context, watched)? {
        wait = sooner;
    }
    context.flush()?;
    source.wait(wait)?;
    stop.sleep(PACE.saturating_sub(begun.elapsed()));
    Ok(())
}

/// Sends what is owed, if the run sends. Returns the time after which to look again, if some of it
/// waits.
fn send_owed(
    args: &Fetch,
    session: &Session,
    context: &mut Context<'_>,
    watched: &mut Watched,
) -> Result<Option<Duration>, Error> {
    if !args.delivery.send || session.store.owing()?.is_empty() {
        return Ok(None);
    }
    // Trouble with mail that goes out is no reason to read none.
    match send_within(&Send::default(), Duration::ZERO, context) {
        Ok((status, held)) => {
            let wait = match status {
                _ if !held.is_empty() => Some(HELD),
                Status::Later => Some(RETRY),
                _ => None,
            };
            // Once is enough, for as long as somebody is at it.
            let new = held.iter().filter(|(id, _)| !watched.held.contains(id));
            for (_, error) in new {
                context.say_error(error);
            }
            watched.held = held.into_iter().map(|(id, _)| id).collect();
            Ok(wait)
        }
        Err(error) => {
            context.say_error(&error);
            Ok(error.is_transient().then_some(RETRY))
        }
    }
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
    let (mut waker, tell) = UnixStream::pair().map_err(failed)?;
    let is_second = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        flag::register_conditional_shutdown(signal, 0, Arc::clone(&is_second)).map_err(failed)?;
        flag::register(signal, Arc::clone(&is_second)).map_err(failed)?;
        let tell = tell.try_clone().map_err(failed)?;
        low_level::pipe::register(signal, tell).map_err(failed)?;
    }
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let _ = waker.read(&mut [0]);
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
