//! The lock of a match's outgoing mail, whose file holds the Message-ID of the
//! mail being sent.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::match_id::Id;
use crate::message_id::MessageId;
use crate::store::lock;
use crate::store::store::Sending;
use crate::{Error, files};

/// The lock of a match's outgoing mail. A process that needs the match's own
/// lock too takes this one first.
#[derive(Debug)]
pub(super) struct SendLock {
    file: File,
    path: PathBuf,
}

impl SendLock {
    pub(super) fn take(folder: &Path, id: &Id, wait: Duration) -> Result<SendLock, Error> {
        let path = folder.join(format!(".{id}.send.lock"));
        let failed = |error| Error::file(&path, &error);
        let found = files::look(&path).map_err(failed)?;
        let file = lock::take(&path, wait)?;
        if found.is_none() {
            // A crash must not lose the file, since it says which mail is being
            // sent.
            files::sync_folder(folder).map_err(failed)?;
        }
        Ok(SendLock { file, path })
    }

    fn write(&mut self, text: &str) -> Result<(), Error> {
        let written = (|| -> io::Result<()> {
            self.file.set_len(0)?;
            self.file.rewind()?;
            self.file.write_all(text.as_bytes())?;
            self.file.sync_data()
        })();
        written.map_err(|error| Error::file(&self.path, &error))
    }
}

impl Sending for SendLock {
    fn begin(&mut self, id: &MessageId) -> Result<(), Error> {
        self.write(id.as_str())
    }

    fn end(&mut self) -> Result<(), Error> {
        self.write("")
    }

    fn unfinished(&mut self) -> Result<Option<MessageId>, Error> {
        let mut text = String::new();
        self.file
            .rewind()
            .and_then(|()| self.file.read_to_string(&mut text))
            .map_err(|error| Error::file(&self.path, &error))?;
        Ok(text.parse().ok())
    }
}
