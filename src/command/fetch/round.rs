//! One round of `fetch`: what is new in the folder.

use std::io::IsTerminal as _;

use chrono::NaiveDate;

use crate::args::fetch::Fetch;
use crate::command::context::Context;
use crate::command::receive::batch::Batch;
use crate::command::receive::invitation::Consent;
use crate::command::receive::teller::Teller;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::inbound::beginning::beginning;
use crate::inbound::known::Known;
use crate::mail::sources::mailbox::{ImapSource, Wish};
use crate::{Error, clock};

impl Fetch {
    /// Returns what a run does with the folder.
    pub(super) fn wish(&self, since: Option<NaiveDate>) -> Wish {
        Wish {
            since,
            is_dry_run: self.dry_run,
        }
    }

    fn consent(&self, context: &Context<'_>) -> Consent {
        let can_ask = context.is_terminal && std::io::stdin().is_terminal();
        match (self.accept, can_ask) {
            (true, _) => Consent::Given,
            (false, true) if !self.watch && !self.dry_run => Consent::Asked,
            (false, _) => Consent::Missing,
        }
    }
}

/// Reads what is new in a folder, handles it and answers.
///
/// # Errors
///
/// If the matches or the place cannot be read, or the connection has failed before
/// messages were read. What was handled until then is settled and answered.
pub(super) fn round(
    args: &Fetch,
    session: &mut Session,
    source: &mut ImapSource<'_>,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    session.now = clock::now()?;
    let session = &session.clone().for_a_run();
    let mut batch = Batch::new(session, args.dry_run, context.is_terminal);
    let teller = Teller::new(args.telling, args.delivery, session, context.is_shown)?;
    batch = batch.fetching(args.consent(context)).telling(teller);
    let known = Known::of(&session.store, &session.me.player)?;
    let beginning = || beginning(&*session.store, session.now);
    source.begin_round(known, session.now, &beginning)?;
    let mut read = batch.read_all(source, context);
    // Mail about a match that has just been entered may have been passed over before.
    if read.is_ok() && batch.entered > 0 {
        let known = Known::of(&session.store, &session.me.player)?;
        read = source.begin_again(known);
        read = read.and_then(|()| batch.read_all(source, context));
    }
    let ended = read.and_then(|()| source.end_round(session.now));
    let mut status = batch.finish(args.delivery, context);
    for remark in source.take_remarks() {
        context.say(format_args!("parapost: {}: {remark}", source.folder()));
    }
    ended?;
    if source.keeps_messages() {
        status = status.or_worse(Status::Later);
    }
    Ok(status)
}
