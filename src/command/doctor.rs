//! `parapost doctor`: tries everything that is configured and says what is wrong.

pub(crate) mod clock;
pub(crate) mod database;
pub(crate) mod fault;
pub(crate) mod finding;
pub(crate) mod local;
pub(crate) mod mailbox;
pub(crate) mod matches;
pub(crate) mod sending;
pub(crate) mod within;

use crate::Error;
use crate::command::context::Context;
use crate::command::doctor::clock::Clock;
use crate::command::doctor::finding::{Finding, Report};
use crate::command::status::Status;
use crate::config::store::StoreSettings;
use crate::inbound::known::Known;

pub(super) fn run(context: &mut Context<'_>) -> Result<Status, Error> {
    let mut report = Report::to_stdout();
    let config = match context.config() {
        Ok(config) => Some(config),
        Err(error) => {
            let finding = Finding::wrong("configuration", error);
            let remedy = "correct the file, or make a new one: 'parapost init --force'";
            report.add(finding.mend(remedy), context)?;
            None
        }
    };
    if let Some(config) = &config {
        report.add(local::user(config), context)?;
    }
    let mut clock = Clock::read();
    if context.host.is_none() {
        let games = context.games_folder()?;
        report.add(local::games_folder(&games), context)?;
        report.add(local::secret(), context)?;
    }
    let is_there = match config.as_ref().map(|config| &config.store) {
        Some(StoreSettings::Postgres(settings)) => database::check(settings, &mut report, context)?,
        _ => true,
    };
    let is_read = is_there && matches::check(&mut clock, &mut report, context)?;
    if let Some(config) = &config {
        if let Some(imap) = &config.imap {
            let me = config.somebody();
            let store = context.store()?;
            let known = me.filter(|_| is_read).and_then(|me| {
                let known = Known::of(&store, &me.player).ok()?;
                Some(move |fields: &[u8]| known.concerns(fields))
            });
            mailbox::check(imap, known, &mut clock, &mut report, context)?;
            report.add(local::fetched(imap, context), context)?;
        }
        let outbox = context.outbox()?;
        sending::check(&config.transport, &outbox, &mut clock, &mut report, context)?;
    }
    report.add(clock.finding(), context)?;
    Ok(if report.is_sound() {
        Status::Done
    } else {
        Status::Refused
    })
}
