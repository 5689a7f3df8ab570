//! `parapost fetch --news`: reads what is new in the newsgroups that matches are posted to, once
//! or, with `--watch`, every few minutes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::command::context::{Context, Status};
use crate::command::fetch::{Fetch, Pauses, RETRY, Watched, heed_signals, send_owed};
use crate::command::news;
use crate::command::receive::Batch;
use crate::command::receive::reporter::Reporter;
use crate::config::news::NewsSettings;
use crate::inbound::known::Followed;
use crate::limits::NEWS_GROUPS;
use crate::mail::limits::NEWS_FIRST;
use crate::mail::nntp::connection::{NntpConnection, NntpError};
use crate::mail::nntp::group::GroupReading;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::nntp::{self, connect_watched};
use crate::mail::sources::Stop;
use crate::mail::sources::newsgroup::{GroupPlace, GroupSource};
use crate::mail::sources::place::TakeLock;
use crate::printable::counted;
use crate::referee::session::Session;
use crate::store::lock;
use crate::{Error, clock};

/// The time between two looks at the groups.
const WAIT: Duration = Duration::from_mins(5);

/// The command, for messages.
const COMMAND: &str = "parapost fetch --news";

impl Fetch {
    /// Reads the newsgroups.
    pub(super) fn read_news(
        &self,
        session: &mut Session,
        context: &mut Context<'_>,
    ) -> Result<Status, Error> {
        let settings = news::settings(session)?.clone();
        if self.watch {
            return watch(self, session, &settings, context);
        }
        let stop = Stop::default();
        round(self, session, &settings, self.back, &stop, context)
    }
}

/// Looks again and again, until the process is told to end.
fn watch(
    args: &Fetch,
    session: &mut Session,
    settings: &NewsSettings,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let stop = Arc::new(Stop::default());
    heed_signals(&stop)?;
    let mut watched = Watched::default();
    let mut pauses = Pauses::new();
    let mut back = args.back;
    while !stop.is_set() {
        let begun = Instant::now();
        let mut wait = match round(args, session, settings, back, &stop, context) {
            // The end of the run has closed the connection.
            _ if stop.is_set() => break,
            Ok(status) => {
                back = None;
                wait_after(status)
            }
            Err(error) if !error.is_transient() => return Err(error),
            Err(error) => {
                let pause = pauses.after(begun.elapsed());
                context.say(format_args!(
                    "parapost: {error}; the next attempt is in {} seconds",
                    pause.as_secs()
                ));
                pause
            }
        };
        if let Some(sooner) = send_owed(args, session, context, &mut watched)? {
            wait = wait.min(sooner);
        }
        context.flush()?;
        stop.sleep(wait);
    }
    Ok(Status::Done)
}

/// Returns the time until the next look at the groups.
fn wait_after(status: Status) -> Duration {
    match status {
        Status::Later => RETRY,
        _ => WAIT,
    }
}

/// Reads what is new in every group, handles it and answers. If the run is to end, that ends with
/// the article in its hands.
///
/// # Errors
///
/// If the matches cannot be read, or the server cannot be used. What was handled until then is
/// settled and answered.
fn round(
    args: &Fetch,
    session: &mut Session,
    settings: &NewsSettings,
    back: Option<u64>,
    stop: &Stop,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    session.now = clock::now()?;
    let session = &session.clone().for_a_run();
    let groups = groups(session, settings, context)?;
    let mut connection = connect_watched(&settings.server, |tcp| stop.watch(tcp))?;
    let mut batch = Batch::new(session, args.dry_run, context.is_terminal);
    batch.reporter = Reporter::new(args.telling, args.delivery, session, context.is_shown)?;
    batch.is_fetch = true;
    batch.is_watch = args.watch;
    let mut status = Status::Done;
    let mut ended = Ok(());
    for group in &groups {
        batch.group = Some(group.clone());
        let read = read(args, settings, &mut connection, &mut batch, back, context);
        match read {
            Ok(read) => status = status.max(read),
            // Nothing more comes over this connection.
            Err(error) if !connection.is_in_step() => {
                ended = Err(error);
                break;
            }
            // The others have nothing to do with it.
            Err(error) => {
                context.say_error(&error);
                status = status.max(Status::from(&error));
            }
        }
    }
    nntp::leave(connection);
    status = status.max(batch.finish(args.delivery, context));
    ended.map(|()| status)
}

/// Returns the groups to read: that of the configuration, and those of the matches that go on.
/// Reads each match that is open in some way.
fn groups(
    session: &Session,
    settings: &NewsSettings,
    context: &mut Context<'_>,
) -> Result<BTreeSet<Newsgroup>, Error> {
    let mut groups = BTreeSet::from([settings.group.clone()]);
    let mut is_beyond = false;
    for id in session.store.going_on()? {
        // One that cannot be read is told of where it is named.
        let Ok(stored) = session.store.read(&id) else {
            continue;
        };
        // Nothing there changes one that is over, which may only owe a mail.
        if stored.game.ending().is_some() {
            continue;
        }
        for group in stored.game.news_groups() {
            if groups.len() < NEWS_GROUPS {
                groups.insert(group.clone());
            } else {
                is_beyond |= !groups.contains(group);
            }
        }
    }
    if is_beyond {
        context.say(format_args!(
            "parapost: the matches are posted to more than {NEWS_GROUPS} newsgroups; the others are not read"
        ));
    }
    Ok(groups)
}

/// Reads what is new in the group of a batch.
fn read(
    args: &Fetch,
    settings: &NewsSettings,
    connection: &mut NntpConnection,
    batch: &mut Batch<'_>,
    back: Option<u64>,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let Some(group) = batch.group.clone() else {
        return Ok(Status::Done);
    };
    let server = &settings.server;
    let wait = context.wait();
    let take_lock: TakeLock = Box::new(move |path| lock::take(path, wait));
    let take_lock = (!args.dry_run).then_some(&take_lock);
    let name = format!("{}:{}", server.host, server.port);
    let mut place = GroupPlace::open(&context.games_folder()?, &name, &group, take_lock)?;
    let failed = |error: NntpError| nntp::failed(server, "cannot be read", error);
    let interest = Followed::new(batch.cache(), group.clone());
    let mut source = GroupSource::begin(connection, &mut place, &interest, back, &failed)?;
    let read = batch.read_all(&mut source, context);
    let now = clock::now()?;
    let ended = source.end(now);
    let too_long = source.too_long;
    let keeps = source.keeps_articles();
    for remark in remarks(*source.reading(), too_long) {
        context.say(format_args!("parapost: {group}: {remark}"));
    }
    read.and(ended)?;
    Ok(if keeps { Status::Later } else { Status::Done })
}

/// Says what a person should know of a reading.
fn remarks(reading: GroupReading, too_long: u64) -> Vec<String> {
    let mut remarks = Vec::new();
    if reading.is_renumbered {
        remarks.push("the server has numbered the articles anew".to_owned());
    }
    if reading.begins_below {
        remarks.push(format!(
            "only the last {NEWS_FIRST} numbers are looked at, as the group was not read before; '{COMMAND} --back NUMBERS' looks further back"
        ));
    }
    if reading.expired > 0 {
        remarks.push(format!(
            "{} had expired before this run",
            counted(
                usize::try_from(reading.expired).unwrap_or(usize::MAX),
                "number"
            )
        ));
    }
    if too_long > 0 {
        let articles = usize::try_from(too_long).unwrap_or(usize::MAX);
        remarks.push(format!(
            "{} too long to be read",
            counted(articles, "article")
        ));
    }
    if reading.has_more {
        remarks.push("there is more, which the next run looks at".to_owned());
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody's server is asked more often than that, whatever has become of the articles.
    #[test]
    fn the_groups_are_looked_at_every_few_minutes() {
        for status in [Status::Done, Status::Refused] {
            assert_eq!(wait_after(status), Duration::from_mins(5));
        }
        assert_eq!(wait_after(Status::Later), Duration::from_mins(1));
    }
}
