//! `parapost doctor`: tries everything that is configured and says what is wrong.

pub(super) mod checks;
mod news;
mod round_trip;

use std::fs::{OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::Error;
use crate::command::context::{Context, Status, given};
use crate::command::database;
use crate::command::doctor::checks::{
    Finding, LIMIT, Report, check_mailbox, check_smtp, find_program,
};
use crate::config::store::{PostgresSettings, StoreSettings};
use crate::config::transport::TransportSettings;
use crate::config::{self, Config, UserRole};
use crate::inbound::known::Known;
use crate::mail::error::words;
use crate::mail::files;
use crate::mail::settings::{ImapSettings, Tls};
use crate::mail::wire;
use crate::matches::mail_id::IdSecret;
use crate::matches::r#match::Match;
use crate::plural::counted;

/// `parapost doctor`
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "\
Examples:
  parapost doctor
  parapost doctor --round-trip
  parapost doctor --quick

A line for each check: ok, note, or wrong with what to do. Nothing is changed,
neither here nor on a server; but --round-trip sends a mail to yourself, which
stays in your mailbox. --quick is for what asks each minute, such as the health
check of a container: it reads no match and talks to no mail server.

Exit status: 0 if nothing is wrong; 1 if something is.")]
pub(super) struct Doctor {
    /// Send a mail to yourself, and say when it comes; wait so many seconds at most [default: 120]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "120", value_parser = clap::value_parser!(u16).range(1..))]
    round_trip: Option<u16>,

    /// Check only the configuration, and where the matches are kept
    #[arg(long, conflicts_with = "round_trip")]
    quick: bool,
}

pub(super) fn run(args: Doctor, context: &mut Context<'_>) -> Result<Status, Error> {
    let mut report = Report::new(context, true);
    let config = match report.context.config() {
        Ok(config) => Some(config),
        Err(error) => {
            let remedy = "correct the file, or make a new one: 'parapost init --force'";
            report.add(Finding::wrong("configuration", error).mend(remedy))?;
            None
        }
    };
    if let Some(config) = &config {
        report.add(user(config))?;
    }
    if report.context.host.is_none() {
        let is_named = given(report.context.global.games.as_deref()).is_some();
        report.add(games_folder(&report.context.games_folder()?, is_named))?;
        report.add(secret())?;
    }
    let is_there = match config.as_ref().map(|config| &config.store) {
        Some(StoreSettings::Postgres(settings)) => check_database(settings, &mut report)?,
        _ => true,
    };
    if args.quick {
        return Ok(Status::of_check(report.is_sound));
    }
    let is_read = is_there && check_matches(&mut report)?;
    if let Some(config) = &config {
        if let Some(finding) = authorities(config) {
            report.add(finding)?;
        }
        let was_sound = mem::replace(&mut report.is_sound, true);
        if let Some(imap) = &config.imap {
            let store = report.context.store()?;
            let me = config.somebody().filter(|_| is_read);
            let known = me.and_then(|me| {
                let known = Known::of(&store, &me.player).ok()?;
                Some(move |fields: &[u8]| known.concerns(fields))
            });
            check_mailbox(imap, known, &mut report)?;
            report.add(fetched(imap, report.context))?;
        }
        check_sending(&config.transport, &mut report)?;
        if let Some(news) = &config.news {
            news::check_news(news, &mut report)?;
        }
        // Where a server does not answer as it should, no mail would come.
        if let Some(seconds) = args.round_trip
            && report.is_sound
        {
            let patience = Duration::from_secs(seconds.into());
            round_trip::check(config, patience, &mut report)?;
        }
        report.is_sound &= was_sound;
    }
    report.add(report.clock.finding())?;
    Ok(Status::of_check(report.is_sound))
}

/// Checks the matches. Returns true if they can be read at all.
///
/// # Errors
///
/// If the report cannot be written.
fn check_matches(report: &mut Report<'_, '_>) -> Result<bool, Error> {
    let store = report.context.store()?;
    let ids = match store.ids() {
        Ok(ids) => ids,
        Err(error) => {
            let finding = Finding::wrong("matches", error);
            report.add(finding.mend("give yourself the right to read them"))?;
            return Ok(false);
        }
    };
    for remark in store.remarks(true).unwrap_or_default() {
        report.add(Finding::note("matches", remark))?;
    }
    // One match after the other is in memory: a club has a hundred thousand.
    let (mut count, mut is_damaged, mut of_mail) = (0, false, Vec::new());
    for id in ids {
        let game = match store.find(&id) {
            Ok(Some(stored)) => stored.game,
            Ok(None) => continue,
            Err(error) => {
                is_damaged = true;
                let finding = Finding::wrong(format!("match {id}"), error);
                report.add(finding.mend(format!("'parapost repair {id}'")))?;
                continue;
            }
        };
        count += 1;
        if let Some(last) = game.log().last() {
            let what = format!("the last event of match {id}");
            report.clock.must_be_past(last.time, &what);
        }
        of_mail.extend(mail(&game));
    }
    if !is_damaged {
        let said = match count {
            0 => "there is none yet".to_owned(),
            1 => "one, not damaged".to_owned(),
            several => format!("{several}, none damaged"),
        };
        report.add(Finding::ok("matches", said))?;
    }
    if of_mail.is_empty() && count > 0 {
        report.add(Finding::ok("mail", "none is owed or refused"))?;
    }
    for finding in of_mail {
        report.add(finding)?;
    }
    Ok(true)
}

/// Returns what is found of the mail of a match.
fn mail(game: &Match) -> Vec<Finding> {
    let (id, what) = (game.id(), format!("mail of match {}", game.id()));
    let count = |count: usize, done: &str| match count {
        1 => format!("one mail {done}"),
        several => format!("{several} mails {done}"),
    };
    let mut found = Vec::new();
    if !game.owed().is_empty() {
        let said = count(game.owed().len(), "owed");
        found.push(Finding::note(&what, said).mend("'parapost send' sends it"));
    }
    let [owed, refused] = [game.owed_articles().len(), game.refused_articles().len()];
    if owed > 0 {
        let said = format!("{} to be posted", counted(owed, "article"));
        found.push(Finding::note(&what, said).mend("'parapost send' posts it"));
    }
    if refused > 0 {
        let said = format!("{} refused for good", counted(refused, "article"));
        found.push(Finding::wrong(&what, said).mend(format!(
            "'parapost mail list {id}' says which; post it again by 'parapost mail retry' or give it up by 'parapost mail drop'"
        )));
    }
    for (mails, done) in [
        (game.undelivered(), "refused for good"),
        (game.reported(), "reported undelivered"),
    ] {
        if !mails.is_empty() {
            let said = count(mails.len(), done);
            found.push(Finding::wrong(&what, said).mend(format!(
                "'parapost mail list {id}' says which; send it again or to another address by 'parapost mail retry' or 'redirect'"
            )));
        }
    }
    found
}

/// Checks the database. Returns true if matches can be read from it.
///
/// # Errors
///
/// If the report cannot be written.
fn check_database(settings: &PostgresSettings, report: &mut Report<'_, '_>) -> Result<bool, Error> {
    let what = format!("database {}", settings.database);
    let wait = report.context.wait().min(LIMIT);
    let (weaknesses, tables) = match database::weaknesses(settings, wait) {
        Ok(found) => found,
        Err(error) => {
            report.add(Finding::wrong(what, error))?;
            return Ok(false);
        }
    };
    let is_sound = weaknesses.is_empty();
    for [said, remedy] in weaknesses {
        report.add(Finding::wrong(&what, said).mend(remedy))?;
    }
    if let Err(error) = tables {
        report.add(Finding::wrong(what, error))?;
        return Ok(false);
    }
    if is_sound {
        let said = "it can be reached, and keeps what it acknowledges";
        report.add(Finding::ok(what, said))?;
    }
    Ok(true)
}

/// Checks that the configuration says who the user is.
fn user(config: &Config) -> Finding {
    let what = format!("configuration {}", config.path.display());
    match config.somebody() {
        Some(me) => {
            let role = match me.role {
                UserRole::Player => "a player",
                UserRole::Referee => "a referee",
            };
            Finding::ok(what, format!("{}, {role}", me.player))
        }
        None => Finding::wrong(what, "it does not say who you are")
            .mend("make a configuration: 'parapost init'"),
    }
}

/// Says whom TLS trusts where nobody else has said it.
fn authorities(config: &Config) -> Option<Finding> {
    let mailbox = config.imap.as_ref().map(|imap| &imap.ca_file);
    let mail_server = match &config.transport {
        TransportSettings::Smtp(smtp) if smtp.tls != Tls::None => Some(&smtp.ca_file),
        _ => None,
    };
    let database = match &config.store {
        StoreSettings::Postgres(database) if database.has_tls => Some(&database.ca_file),
        _ => None,
    };
    let mut files = [mailbox, mail_server, database].into_iter().flatten();
    let is_built_in = files.any(|file| wire::trusts_built_in_authorities(file.as_deref()));
    is_built_in.then(|| {
        let said = "this system has none; those are trusted that Mozilla trusted when this version of parapost was made";
        Finding::note("certificate authorities", said)
            .mend("install the system's (on Debian, ca-certificates), or name a file: ca_file")
    })
}

/// Checks that matches can be written into a folder and locked there. One that somebody has named
/// is refused by commands that read matches as long as it is not there: its name may be mistyped.
fn games_folder(folder: &Path, is_named: bool) -> Finding {
    let what = format!("games folder {}", folder.display());
    let existing = match existing(folder) {
        Ok(existing) => existing,
        Err(error) => return Finding::wrong(what, error).mend("name another: --games DIR"),
    };
    match try_locks(&existing) {
        Err(error) => Finding::wrong(what, format!("it cannot be written ({})", words(&error)))
            .mend("give yourself the right to write there, or name another: --games DIR"),
        Ok(Some(why)) => Finding::wrong(what, format!("files in it cannot be locked ({why})"))
            .mend("keep the matches on a file system that has locks"),
        Ok(None) if existing == folder => Finding::ok(what, "it can be written and locked"),
        Ok(None) if is_named => Finding::wrong(what, "there is no such folder").mend(
            "if the name is right, 'parapost new' makes it, with the first match; else name another: --games DIR",
        ),
        Ok(None) => Finding::ok(what, "it is made with the first match"),
    }
}

/// Says when the mailbox was last read to its end.
fn fetched(imap: &ImapSettings, context: &Context<'_>) -> Finding {
    let what = "fetch";
    match context.last_fetched(imap) {
        Ok(Some(time)) => Finding::ok(what, format!("mail was last fetched to its end: {time}")),
        Ok(None) => Finding::note(what, "mail has never been fetched to its end")
            .mend("'parapost fetch' reads it"),
        Err(error) => Finding::wrong(what, error),
    }
}

/// Checks that the secret of the Message-IDs can be read.
fn secret() -> Finding {
    let what = "secret of the Message-IDs";
    let file = match config::data_folder() {
        Ok(folder) => folder.join("secret"),
        Err(error) => return Finding::wrong(what, error).mend("set HOME"),
    };
    match files::look(&file) {
        Ok(None) => Finding::ok(what, "it is made with the first mail"),
        Ok(Some(_)) => match IdSecret::open(&file) {
            Ok(_) => Finding::ok(what, file.display()),
            Err(error) => Finding::wrong(what, error).mend("give yourself the right to read it"),
        },
        Err(error) => Finding::wrong(what, Error::file(&file, &error))
            .mend("give yourself the right to read it"),
    }
}

/// Returns a folder, or the nearest one above it that exists.
fn existing(folder: &Path) -> io::Result<PathBuf> {
    for at in folder.ancestors() {
        let here = if at.as_os_str().is_empty() {
            Path::new(".")
        } else {
            at
        };
        match files::look(here)? {
            Some(found) if found.is_dir() => return Ok(here.to_path_buf()),
            Some(_) => return Err(io::ErrorKind::NotADirectory.into()),
            None => {}
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

/// Writes a file into a folder, locks it twice and deletes it. Returns why locks do not work there,
/// if they do not.
fn try_locks(folder: &Path) -> io::Result<Option<String>> {
    let mut file = tempfile::Builder::new()
        .prefix(".parapost-doctor-")
        .suffix(".tmp")
        .tempfile_in(folder)?;
    file.write_all(b"tried\n")?;
    file.as_file().sync_all()?;
    if let Err(error) = file.as_file().try_lock() {
        return Ok(Some(match error {
            TryLockError::Error(error) => words(&error),
            TryLockError::WouldBlock => "a new file is locked already".to_owned(),
        }));
    }
    let second = OpenOptions::new()
        .read(true)
        .write(true)
        .open(file.path())?;
    let locks = match second.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        Err(TryLockError::Error(error)) => Some(words(&error)),
        Ok(()) => Some("two can lock one file at once".to_owned()),
    };
    file.close()?;
    Ok(locks)
}

/// Checks the transport.
///
/// # Errors
///
/// If the report cannot be written.
fn check_sending(settings: &TransportSettings, report: &mut Report<'_, '_>) -> Result<(), Error> {
    let outbox = report.context.outbox()?;
    let finding = match settings {
        TransportSettings::Print => {
            Finding::note("sending", "mail goes to standard output").mend("nothing else sends it")
        }
        TransportSettings::Folder(folder) => {
            let folder = folder.as_deref().unwrap_or(&outbox);
            let what = format!("outbox {}", folder.display());
            match existing(folder).and_then(|folder| try_locks(&folder)) {
                Ok(_) => Finding::note(what, "mail is written there")
                    .mend("nothing sends it on unless something else does"),
                Err(error) => Finding::wrong(what, format!("it cannot be written ({error})"))
                    .mend("give yourself the right to write there, or name another in [transport]"),
            }
        }
        TransportSettings::Sendmail(program) => {
            let what = format!("sendmail {}", program.display());
            match find_program(program) {
                Some(found) => Finding::ok(what, format!("it is {}", found.display())),
                None => Finding::wrong(what, "there is no such program")
                    .mend("install one, or name it: path in [transport]"),
            }
        }
        TransportSettings::Smtp(settings) => return check_smtp(settings, report),
    };
    report.add(finding)
}
