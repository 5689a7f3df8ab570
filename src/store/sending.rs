//! The lock of a match's mail on its way out.
//!
//! It is another one than the match's own, which is not held while a mail
//! server is slow: letters can come in meanwhile. What must not happen
//! meanwhile is a second process that sends the same mail, or an `undo` of the
//! move it tells of. So that `undo` also knows of a process that was killed
//! on the way, the file holds the Message-ID of the mail that is under way.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use crate::match_id::Id;
use crate::message_id::MessageId;
use crate::store::folder::Folder;
use crate::store::lock;
use crate::{Error, files};

/// The lock of a match's outgoing mail.
#[derive(Debug)]
pub struct Sending {
    file: File,
    path: PathBuf,
}

impl Folder {
    /// Takes the lock of a match's outgoing mail. Whoever takes the match's
    /// own lock too takes this one first.
    ///
    /// # Errors
    ///
    /// A transient one if another process holds it too long.
    pub fn sending(&self, id: &Id) -> Result<Sending, Error> {
        let path = self.path().join(format!(".{id}.send.lock"));
        let failed = |error| Error::file(&path, &error);
        let found = files::look(&path).map_err(failed)?;
        let file = lock::take(&path, self.wait())?;
        if found.is_none() {
            // What is noted in it shall be found again.
            files::sync_folder(self.path()).map_err(failed)?;
        }
        Ok(Sending { file, path })
    }
}

impl Sending {
    /// Notes that the mail is under way.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn begin(&mut self, id: &MessageId) -> Result<(), Error> {
        self.write(id.as_str())
    }

    /// Notes that no mail is under way: it has gone and that is in the log, or
    /// it certainly has not.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn end(&mut self) -> Result<(), Error> {
        self.write("")
    }

    /// The mail that a process was sending when it ended, which may have gone.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unfinished(&mut self) -> Result<Option<MessageId>, Error> {
        let mut text = String::new();
        self.file
            .rewind()
            .and_then(|()| self.file.read_to_string(&mut text))
            .map_err(|error| Error::file(&self.path, &error))?;
        Ok(text.parse().ok())
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
