//! The replacement of a match's file.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use crate::mail::files::replace::{self, Replaced};
use crate::mail::files::spare;
use crate::match_id::Id;
use crate::store::folder::Folder;
use crate::{Error, clock};

impl Folder {
    /// Replaces the file of a match whose lock is held. `is_to_go_on` tells that this text adds
    /// to the one that is there and that more will be added: then the old file is kept for the
    /// next text. Otherwise one file is left, and what was taken out of a log is in none.
    pub(super) fn replace(
        &self,
        id: &Id,
        text: &[u8],
        is_to_go_on: bool,
    ) -> Result<Replaced, Error> {
        let path = self.file(id);
        let replaced = if is_to_go_on {
            spare::try_exchange_locked(&path, text, clock::now()?.into())
        } else {
            spare::remove(&path).and_then(|()| replace::try_replace_locked(&path, text))
        };
        replaced.map_err(|error: io::Error| Error::file(&path, &error))
    }

    /// Keeps the old bytes of a state file in a new file beside it.
    pub(super) fn keep(&self, id: &Id, bytes: &[u8]) -> Result<PathBuf, Error> {
        let mut number = 1;
        loop {
            let path = self.path.join(format!("{id}.txt.damaged-{number}"));
            match replace::create_like(&self.file(id), &path, bytes) {
                Ok(()) => return Ok(path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::file(&path, &error)),
            }
        }
    }
}
