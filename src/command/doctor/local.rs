//! What is checked on this machine: the user, the games folder and its locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::command::context::Context;
use crate::command::doctor::finding::Finding;
use crate::command::fetched;
use crate::config::user::UserRole;
use crate::config::{self, Config};
use crate::error::words;
use crate::mail::settings::ImapSettings;
use crate::matches::mail_id::Secret;
use crate::{Error, files};

/// Checks that the configuration says who the user is.
pub(super) fn user(config: &Config) -> Finding {
    let what = format!("configuration {}", config.path().display());
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

/// Checks that matches can be written into a folder and locked there.
pub(super) fn games_folder(folder: &Path) -> Finding {
    let what = format!("games folder {}", folder.display());
    let existing = match existing(folder) {
        Ok(existing) => existing,
        Err(error) => return Finding::wrong(what, error).mend("name another: --games DIR"),
    };
    match try_locks(&existing) {
        Err(error) => Finding::wrong(what, format!("it cannot be written ({})", words(&error)))
            .mend("give yourself the right to write there, or name another: --games DIR"),
        Ok(Locks::Missing(why)) => {
            Finding::wrong(what, format!("files in it cannot be locked ({why})"))
                .mend("keep the matches on a file system that has locks")
        }
        Ok(Locks::Work) if existing == folder => Finding::ok(what, "it can be written and locked"),
        Ok(Locks::Work) => Finding::ok(what, "it is made with the first match"),
    }
}

/// Says when the mailbox was last read to its end.
pub(super) fn fetched(imap: &ImapSettings, context: &Context<'_>) -> Finding {
    let what = "fetch";
    match fetched::last(imap, context) {
        Ok(Some(time)) => Finding::ok(what, format!("mail was last fetched to its end: {time}")),
        Ok(None) => Finding::note(what, "mail has never been fetched to its end")
            .mend("'parapost fetch' reads it"),
        Err(error) => Finding::wrong(what, error),
    }
}

/// Checks that the secret of the Message-IDs can be read.
pub(super) fn secret() -> Finding {
    let what = "secret of the Message-IDs";
    let file = match config::data_folder() {
        Ok(folder) => folder.join("secret"),
        Err(error) => return Finding::wrong(what, error).mend("set HOME"),
    };
    match files::look(&file) {
        Ok(None) => Finding::ok(what, "it is made with the first mail"),
        Ok(Some(_)) => match Secret::open(&file) {
            Ok(_) => Finding::ok(what, file.display()),
            Err(error) => Finding::wrong(what, error).mend("give yourself the right to read it"),
        },
        Err(error) => Finding::wrong(what, Error::file(&file, &error))
            .mend("give yourself the right to read it"),
    }
}

/// Checks that files can be written into a folder, which need not exist yet.
///
/// # Errors
///
/// If they cannot.
pub(super) fn try_write(folder: &Path) -> io::Result<()> {
    try_locks(&existing(folder)?).map(|_| ())
}

/// Returns a folder, or the nearest one above it that exists.
fn existing(folder: &Path) -> io::Result<PathBuf> {
    let mut at = folder;
    loop {
        let here = if at.as_os_str().is_empty() {
            Path::new(".")
        } else {
            at
        };
        if let Some(found) = files::look(here)? {
            if found.is_dir() {
                return Ok(here.to_path_buf());
            }
            return Err(io::ErrorKind::NotADirectory.into());
        }
        at = at.parent().unwrap_or(Path::new(""));
    }
}

enum Locks {
    Work,
    Missing(String),
}

/// Writes a file into a folder, locks it twice and deletes it.
fn try_locks(folder: &Path) -> io::Result<Locks> {
    let mut builder = tempfile::Builder::new();
    let mut file = builder
        .prefix(".parapost-doctor-")
        .suffix(".tmp")
        .tempfile_in(folder)?;
    file.write_all(b"tried\n")?;
    file.as_file().sync_all()?;
    let first: &File = file.as_file();
    if let Err(error) = first.try_lock() {
        return Ok(Locks::Missing(match error {
            TryLockError::Error(error) => words(&error),
            TryLockError::WouldBlock => "a new file is locked already".to_owned(),
        }));
    }
    let second = OpenOptions::new()
        .read(true)
        .write(true)
        .open(file.path())?;
    let locks = match second.try_lock() {
        Err(TryLockError::WouldBlock) => Locks::Work,
        Err(TryLockError::Error(error)) => Locks::Missing(words(&error)),
        Ok(()) => Locks::Missing("two can lock one file at once".to_owned()),
    };
    file.close()?;
    Ok(locks)
}
