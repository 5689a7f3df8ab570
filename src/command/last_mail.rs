//! The last mail of each match that this machine sent. If the log of a match lacks it, the file is an
//! older copy. The Message-IDs stand in the user's data folder, in `sent/PLACE/ID`, and the mails in the
//! outbox, if they go to a folder. Without these files, only the warning is missing.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, SubsecRound as _, Utc};
use sha2::{Digest as _, Sha256};

use crate::config;
use crate::mail::files;
use crate::mail::message_id::MessageId;
use crate::match_id::Id;
use crate::matches::decide::question_of_missing_mail;
use crate::matches::event::LogEntry;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;

/// The last mails of matches that went out.
pub(super) struct LastMails {
    folder: Option<PathBuf>,
    /// The time and the name of the last mail of each match in the outbox.
    outbox: HashMap<String, (SystemTime, String)>,
}

impl LastMails {
    /// Finds those of the matches of a place: its folder in the user's data folder, and its outbox.
    pub(super) fn of(folder: Option<PathBuf>, outbox: &Path) -> LastMails {
        let mut last: HashMap<String, (SystemTime, String)> = HashMap::new();
        for entry in fs::read_dir(outbox).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            let Some(mail) = name.strip_suffix(".eml") else {
                continue;
            };
            let changed = entry.metadata().and_then(|found| found.modified());
            let (Some(id), Ok(changed)) = (mail.rsplitn(3, '.').nth(2), changed) else {
                continue;
            };
            let newest = last
                .entry(id.to_owned())
                .or_insert((changed, String::new()));
            if newest.0 <= changed {
                *newest = (changed, mail.to_owned());
            }
        }
        LastMails {
            folder,
            outbox: last,
        }
    }

    /// Returns true if a mail of this match is known that went out.
    pub(super) fn knows(&self, id: &Id) -> bool {
        let is_noted = |folder: &PathBuf| folder.join(id.as_str()).exists();
        self.outbox.contains_key(id.as_str()) || self.folder.as_ref().is_some_and(is_noted)
    }

    /// Returns a warning if a match lacks a mail that went out.
    pub(super) fn warning(&self, game: &Match) -> Option<String> {
        const WARNING: &str =
            "the last mail that went out is missing from this file: is it a backup?";
        match game.player_of_missing_mail() {
            Some(side) => Some(question_of_missing_mail(game.player(side))),
            None => self.lacks(game).then(|| WARNING.to_owned()),
        }
    }

    /// Returns true if a match lacks the last mail that went out.
    pub(super) fn lacks(&self, game: &Match) -> bool {
        let noted = self
            .folder
            .as_deref()
            .and_then(|folder| noted(folder, game.id()));
        let mut last = noted.iter().chain(self.outbox.get(game.id().as_str()));
        last.any(|(time, msg)| is_lacking(game, *time, msg))
    }
}

/// Returns true if a match lacks a mail that went out at this time, and neither a repair nor a move by
/// letter has settled it since.
fn is_lacking(game: &Match, time: SystemTime, msg: &str) -> bool {
    // The log has whole seconds.
    let time = DateTime::<Utc>::from(time).trunc_subsecs(0);
    let settles = |event: &LogEntry| {
        let is_answer = event.is_move() && event.get("msg").is_some();
        event.time >= time && (event.is_repair() || is_answer)
    };
    let is_it = |event: &LogEntry| {
        event
            .get("msg")
            .is_some_and(|known| name(known) == name(msg))
    };
    let is_of_match = time >= game.started() && game.forgotten().is_none();
    is_of_match
        && !game
            .log()
            .iter()
            .rev()
            .any(|event| is_it(event) || settles(event))
}

/// Returns when the last mail of a match was noted, and its Message-ID.
fn noted(folder: &Path, id: &Id) -> Option<(SystemTime, String)> {
    let path = folder.join(id.as_str());
    let msg = String::from_utf8(files::read(&path, LONGEST).ok()?).ok()?;
    let time = fs::metadata(&path).ok()?.modified().ok()?;
    (!msg.is_empty()).then_some((time, msg))
}

/// The most bytes of a Message-ID.
const LONGEST: u64 = 1 << 10;

/// Notes the last mail of a match that went out, unless the match lacks the one before. An error does
/// no harm: only the warning is missing.
pub(super) fn note(folder: Option<&Path>, game: &Match, msg: &MessageId) {
    let Some(folder) = folder else { return };
    let id = game.id();
    let is_lost = noted(folder, id).is_some_and(|(time, before)| is_lacking(game, time, &before));
    if !is_lost && fs::create_dir_all(folder).is_ok() {
        // Nobody reads half a file, and a link is replaced, not followed.
        let (path, new) = (folder.join(id.as_str()), folder.join(format!(".{id}")));
        let _ = fs::remove_file(&new);
        let made = OpenOptions::new().write(true).create_new(true).open(&new);
        let written = made.and_then(|mut file| file.write_all(msg.as_str().as_bytes()));
        let _ = written.and_then(|()| fs::rename(&new, &path));
    }
}

/// Forgets the last mail of a match.
pub(super) fn forget(folder: Option<&Path>, id: &Id) {
    if let Some(folder) = folder {
        let _ = fs::remove_file(folder.join(id.as_str()));
    }
}

/// Returns the folder in the user's data folder for the matches of a place.
pub(super) fn folder(place: &str) -> Option<PathBuf> {
    let place = fs::canonicalize(place).unwrap_or_else(|_| place.into());
    let hash = Sha256::digest(place.as_os_str().as_encoded_bytes());
    let name = hex(&hash[..8]);
    Some(config::data_folder().ok()?.join("sent").join(name))
}

/// Returns what stands before the `@` of a Message-ID.
fn name(msg: &str) -> &str {
    let msg = msg.trim().trim_start_matches('<');
    msg.split('@').next().unwrap_or(msg)
}
