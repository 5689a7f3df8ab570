//! `parapost fetch`: reads the folder of a mailbox on a server and plays the moves in it.

mod round;
mod watch;

use std::time::Duration;

use crate::Error;
use crate::args::fetch::Fetch;
use crate::command::context::Context;
use crate::command::fetch::round::round;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::mail::settings::ImapSettings;
use crate::mail::sources::mailbox::ImapSource;
use crate::mail::sources::place::{Places, TakeLock};
use crate::mail::sources::source::Stop;
use crate::store::lock;

pub(super) fn run(args: &Fetch, context: &mut Context<'_>) -> Result<Status, Error> {
    let mut session = Session::open_to_receive(context, args.dry_run)?;
    let settings = settings(&session)?;
    let wait = Duration::from_secs(context.global.wait.into());
    let games = context.games_folder()?;
    let take_lock =
        (!args.dry_run).then(|| -> TakeLock { Box::new(move |path| lock::take(path, wait)) });
    let places = Places::open(&games, &settings, take_lock)?;
    if args.watch {
        return watch::run(args, &mut session, &settings, &places, context);
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
            session.config.path().display()
        ))
    })
}
