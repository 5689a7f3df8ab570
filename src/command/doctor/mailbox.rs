//! What is checked of the mailbox: the login, the folders, the quota, the clock.

use chrono::{DateTime, FixedOffset, TimeDelta};

use crate::command::context::Context;
use crate::command::doctor::clock::Clock;
use crate::command::doctor::fault::Service;
use crate::command::doctor::finding::{Finding, Report};
use crate::command::doctor::within::{LIMIT, within};
use crate::mail::imap::connection::Connection;
use crate::mail::imap::connection::{TlsStream, connect};
use crate::mail::imap::error::ImapError;
use crate::mail::imap::folder::{MailFolder, Quota};
use crate::mail::settings::{After, ImapSettings};
use crate::{Error, clock};

/// How far back unwanted mail is looked at, in days, and at most how many.
const JUNK_DAYS: i64 = 60;
const JUNK_MESSAGES: usize = 1000;

/// The percentage from which a quota is nearly used up.
const NEARLY_FULL: u64 = 95;

/// The most folders that a line names.
const NAMES: usize = 20;

type Mailbox = Connection<TlsStream>;

/// Checks a mailbox, and changes nothing in it. `concerns` tells from header fields whether
/// a message is about a match; without it nobody's mail is looked for in other folders.
///
/// # Errors
///
/// If the report cannot be written.
pub(crate) fn check(
    settings: &ImapSettings,
    concerns: Option<impl Fn(&[u8]) -> bool>,
    clock: &mut Clock,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let service = Service::from(settings);
    let mut known = settings.clone();
    match service.known_login() {
        Ok(login) => known.login = login.unwrap_or(known.login),
        Err(finding) => return report.add(finding, context),
    }
    report.hide(&known.login);
    if let Err(finding) = service.reach() {
        return report.add(finding, context);
    }
    let mailbox = match within(move || connect(&known, |_| ())) {
        Some(Ok(mailbox)) => mailbox,
        Some(Err(error)) => return report.add(service.fault(Some(&error)), context),
        None => return report.add(service.fault(None), context),
    };
    let user = settings.login.user.escape_debug();
    let said = format!("'{user}' is logged in");
    report.add(Finding::ok(service.what(), said), context)?;
    let Some(mailbox) = folder(settings, mailbox, clock, report, context)? else {
        return Ok(());
    };
    let Some(mailbox) = quota(settings, mailbox, report, context)? else {
        return Ok(());
    };
    if let Some(concerns) = concerns {
        junk(settings, mailbox, &concerns, report, context)?;
    }
    Ok(())
}

/// Asks a mailbox something. Returns it with the answer, or what went wrong. That the
/// server says no is an answer.
fn ask<T: Send + 'static>(
    mut mailbox: Mailbox,
    question: impl FnOnce(&mut Mailbox) -> Result<T, ImapError> + Send + 'static,
) -> Result<(Mailbox, Result<T, ImapError>), String> {
    let answered = within(move || {
        let answer = question(&mut mailbox);
        (mailbox, answer)
    });
    match answered {
        None => Err(format!(
            "the server has not answered within {} seconds",
            LIMIT.as_secs()
        )),
        Some((mailbox, answer @ (Ok(_) | Err(ImapError::No(_))))) => Ok((mailbox, answer)),
        Some((_, Err(error))) => Err(error.to_string()),
    }
}

/// What is seen of the folder that is read.
struct Seen {
    messages: u32,
    newest: Option<DateTime<FixedOffset>>,
    has_target: bool,
    can_move: bool,
}

/// Checks the folder that is read, and what is to happen to its messages.
fn folder(
    settings: &ImapSettings,
    mailbox: Mailbox,
    clock: &mut Clock,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<Option<Mailbox>, Error> {
    let what = format!("folder '{}'", settings.folder.escape_debug());
    let (name, after) = (settings.folder.clone(), settings.after.clone());
    let asked = ask(mailbox, move |mailbox| {
        mailbox.select(&name, false)?;
        let has_target = match &after {
            After::Move(to) => mailbox.has_folder(to)?,
            _ => true,
        };
        Ok(Seen {
            messages: mailbox.messages(),
            newest: mailbox.newest_arrival()?,
            has_target,
            can_move: mailbox.can_move(),
        })
    });
    let (mailbox, seen) = match asked {
        Ok((mailbox, Ok(seen))) => (mailbox, seen),
        Ok((mailbox, Err(error))) => {
            let said = format!("it cannot be opened ({error})");
            if matches!(&error, ImapError::No(answer) if answer.is_trouble()) {
                report.add(Finding::wrong(what, said).mend("try again later"), context)?;
                return Ok(None);
            }
            missing(what, said, mailbox, "folder", report, context)?;
            return Ok(None);
        }
        Err(said) => {
            report.add(Finding::wrong(what, said).mend("try again later"), context)?;
            return Ok(None);
        }
    };
    if let Some(newest) = seen.newest {
        clock.must_be_past(newest.to_utc(), "the arrival of the newest mail");
    }
    let said = match seen.messages {
        1 => "one message".to_owned(),
        several => format!("{several} messages"),
    };
    report.add(Finding::ok(&what, said), context)?;
    match &settings.after {
        After::Move(to) if !seen.has_target => {
            let what = format!("folder '{}'", to.escape_debug());
            let said = "mail that is dealt with is to go there, and there is no such folder";
            let said = said.to_owned();
            missing(what, said, mailbox, "move_to", report, context)?;
            return Ok(None);
        }
        After::Move(_) if !seen.can_move => {
            let said = "the server cannot move one message alone (no MOVE, no UIDPLUS)";
            let remedy = "write after = \"keyword\" or \"nothing\" in [imap]";
            report.add(Finding::wrong(what, said).mend(remedy), context)?;
        }
        _ => {}
    }
    Ok(Some(mailbox))
}

/// Says that a folder is missing, and which there are.
fn missing(
    what: String,
    said: String,
    mailbox: Mailbox,
    setting: &str,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let folders = match ask(mailbox, Mailbox::folders) {
        Ok((_, Ok(folders))) => folders,
        _ => Vec::new(),
    };
    let mut names: Vec<String> = folders
        .iter()
        .take(NAMES)
        .map(|folder| format!("'{}'", folder.name.escape_debug()))
        .collect();
    if folders.len() > NAMES {
        names.push("…".to_owned());
    }
    let remedy = match names.as_slice() {
        [] => format!("correct {setting} in [imap]"),
        names => format!(
            "correct {setting} in [imap], or make the folder; there are {}",
            names.join(", ")
        ),
    };
    report.add(Finding::wrong(what, said).mend(remedy), context)
}

/// Checks that mail can still come in.
fn quota(
    settings: &ImapSettings,
    mailbox: Mailbox,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<Option<Mailbox>, Error> {
    let name = settings.folder.clone();
    let (mailbox, quotas) = match ask(mailbox, move |mailbox| mailbox.quota(&name)) {
        Ok((mailbox, quotas)) => (mailbox, quotas.unwrap_or_default()),
        Err(said) => {
            report.add(
                Finding::wrong("quota", said).mend("try again later"),
                context,
            )?;
            return Ok(None);
        }
    };
    for quota in &quotas {
        report.add(fullness(quota), context)?;
    }
    Ok(Some(mailbox))
}

fn fullness(quota: &Quota) -> Finding {
    let Quota {
        resource,
        used,
        limit,
    } = quota;
    let said = match resource.as_str() {
        "STORAGE" => format!("{used} of {limit} KiB"),
        "MESSAGE" => format!("{used} of {limit} messages"),
        other => format!("{used} of {limit} ({})", other.escape_debug()),
    };
    let remedy = "delete mail, or the moves of others will not arrive";
    let percent = used.saturating_mul(100).checked_div(*limit).unwrap_or(100);
    match percent {
        100.. => Finding::wrong("quota", format!("the mailbox is full: {said}")).mend(remedy),
        NEARLY_FULL.. => {
            Finding::note("quota", format!("the mailbox is nearly full: {said}")).mend(remedy)
        }
        _ => Finding::ok("quota", said),
    }
}

/// Looks for mail about matches in the folders for unwanted mail.
fn junk(
    settings: &ImapSettings,
    mailbox: Mailbox,
    concerns: &impl Fn(&[u8]) -> bool,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let what = "unwanted mail";
    let not_looked_at = |said: String| Finding::note(what, format!("it was not looked at: {said}"));
    let (mut mailbox, folders) = match ask(mailbox, Mailbox::folders) {
        Ok((mailbox, Ok(folders))) => (mailbox, folders),
        Ok((_, Err(error))) => return report.add(not_looked_at(error.to_string()), context),
        Err(said) => return report.add(not_looked_at(said), context),
    };
    let is_looked_at = |folder: &MailFolder| folder.is_junk && folder.name != settings.folder;
    let since = clock::now()? - TimeDelta::days(JUNK_DAYS);
    let mut looked_at = Vec::new();
    for MailFolder { name, .. } in folders.into_iter().filter(is_looked_at) {
        let folder = name.clone();
        let asked = ask(mailbox, move |mailbox| {
            mailbox.select(&folder, false)?;
            let mut uids = mailbox.since(since.date_naive())?;
            uids.drain(..uids.len().saturating_sub(JUNK_MESSAGES));
            let mut heads = Vec::new();
            if !uids.is_empty() {
                mailbox.heads(&uids, |head| heads.push(head.fields))?;
            }
            Ok(heads)
        });
        let heads = match asked {
            Ok((still, heads)) => {
                mailbox = still;
                heads.unwrap_or_default()
            }
            Err(said) => return report.add(not_looked_at(said), context),
        };
        let found = heads.iter().filter(|fields| concerns(fields)).count();
        let shown = name.escape_debug();
        if found > 0 {
            let what = format!("folder '{shown}'");
            let said = match found {
                1 => "a mail of a player or about a match is in it".to_owned(),
                several => format!("{several} mails of players or about matches are in it"),
            };
            let remedy = format!(
                "move what is wanted to '{}' and tell your provider that it is not junk; then 'parapost fetch --send'",
                settings.folder.escape_debug()
            );
            report.add(Finding::wrong(what, said).mend(remedy), context)?;
        } else {
            looked_at.push(format!("'{shown}'"));
        }
    }
    if looked_at.is_empty() {
        return Ok(());
    }
    let said = format!("nothing about a match in {}", looked_at.join(", "));
    report.add(Finding::ok(what, said), context)
}
