//! A file with messages, and how they are divided.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use crate::inbound::mbox::Messages;
use crate::{Error, files};

/// A file with messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailFile {
    /// Its path.
    pub path: PathBuf,
    /// How its messages are divided.
    pub division: Division,
}

/// How a file's messages are divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// The file is one message. A line in it that looks like the beginning of another
    /// one was written by its sender.
    Single,
    /// The file is an mbox if it begins with a postmark, else one message.
    ByPostmark,
}

impl MailFile {
    /// Opens the file.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or is a named pipe.
    pub fn open(&self) -> Result<BufReader<File>, Error> {
        let file = files::open(&self.path).map_err(|error| Error::file(&self.path, &error))?;
        Ok(BufReader::new(file))
    }

    /// Opens the messages in the file.
    ///
    /// # Errors
    ///
    /// The same as [`MailFile::open`].
    pub fn messages(&self) -> Result<Messages<BufReader<File>>, Error> {
        Ok(self.division.messages(self.open()?))
    }
}

impl Division {
    /// Divides a stream into its messages.
    pub fn messages<R: BufRead>(self, stream: R) -> Messages<R> {
        match self {
            Division::Single => Messages::only(stream),
            Division::ByPostmark => Messages::new(stream),
        }
    }
}
