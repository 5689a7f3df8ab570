//! A source for files that each hold a message or an mbox.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::vec;

use crate::Error;
use crate::error::causes;
use crate::inbound::mail_source::{MailSource, MessageKey, RawMessage};
use crate::inbound::mbox::Messages;
use crate::inbound::sources::mail_file::MailFile;

/// The messages of several files, one file after the other. Only one message is in
/// memory at a time.
pub struct FileSource {
    path: PathBuf,
    files: vec::IntoIter<MailFile>,
    /// The file being read.
    current: Option<(PathBuf, Messages<BufReader<File>>)>,
    bytes_expected: u64,
    /// The bytes of the files that were read to the end.
    bytes_behind: u64,
    count: u64,
    /// True if the files are files, not pipes that somebody may write to.
    are_regular: bool,
}

impl FileSource {
    /// Makes a source of these files, which all belong to the place at `path`.
    #[must_use]
    pub fn new(path: &Path, files: Vec<MailFile>) -> FileSource {
        let (mut bytes_expected, mut are_regular) = (0, true);
        for file in &files {
            // A file that is gone is told of when it is read.
            if let Ok(found) = fs::metadata(&file.path) {
                bytes_expected += found.len();
                are_regular &= found.is_file();
            }
        }
        FileSource {
            path: path.to_path_buf(),
            bytes_expected,
            files: files.into_iter(),
            current: None,
            bytes_behind: 0,
            count: 0,
            are_regular,
        }
    }

    fn read(&mut self) -> Result<Option<Vec<u8>>, Error> {
        loop {
            if let Some((path, messages)) = &mut self.current {
                if let Some(bytes) = messages.next() {
                    return bytes.map(Some).map_err(|error| Error::file(path, &error));
                }
                self.bytes_behind += messages.bytes_read();
                self.current = None;
            }
            let Some(file) = self.files.next() else {
                return Ok(None);
            };
            let messages = file.messages().map_err(|error| {
                if file.path != self.path && is_not_found(&error) {
                    // Whoever else uses the folder has renamed or removed it since.
                    return Error::later(format!("{error}; it was there a moment ago"));
                }
                error
            })?;
            self.current = Some((file.path, messages));
        }
    }
}

fn is_not_found(error: &Error) -> bool {
    let mut causes = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::NotFound)
}

impl MailSource for FileSource {
    fn bytes_expected(&self) -> u64 {
        self.bytes_expected
    }

    fn bytes_read(&self) -> u64 {
        let current = self.current.as_ref();
        self.bytes_behind + current.map_or(0, |(_, messages)| messages.bytes_read())
    }

    fn can_be_read_ahead(&self) -> bool {
        self.are_regular
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let bytes = self.read().transpose()?;
        self.count += 1;
        let key = MessageKey(self.count);
        Some(bytes.map(|bytes| RawMessage {
            key,
            bytes,
            anew: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::sources::mail_file::Division;

    #[test]
    fn every_message_of_every_file_is_given_and_every_byte_counted() {
        let folder = tempfile::tempdir().unwrap();
        let entry = "From a@b.test Fri Nov 20 03:00:00 2026\nSubject: x\n\nhi\n\n";
        let paths = ["1", "2", "gone"].map(|name| folder.path().join(name));
        fs::write(&paths[0], "Subject: one\n\nhi\n").unwrap();
        fs::write(&paths[1], entry.repeat(2)).unwrap();
        let files = paths.map(|path| MailFile {
            path,
            division: Division::ByPostmark,
        });
        let mut source = FileSource::new(folder.path(), files.to_vec());
        let mut keys = Vec::new();
        for _ in 0..3 {
            let message = source.next().unwrap().unwrap();
            assert!(message.bytes.starts_with(b"Subject: "));
            keys.push(message.key.0);
        }
        assert_eq!(keys, [1, 2, 3]);
        assert_eq!(source.bytes_read(), source.bytes_expected());
        let error = source.next().unwrap().unwrap_err();
        assert!(error.to_string().contains("gone"), "{error}");
        assert!(source.next().is_none());
    }

    /// A mail program moves a message from `new` to `cur` while the folder is read.
    #[test]
    fn a_file_of_a_folder_that_has_gone_is_a_matter_for_later_and_a_named_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/1.a.host");
        for (source, is_transient) in [(folder.path(), true), (&path, false)] {
            let file = MailFile {
                path: path.clone(),
                division: Division::Single,
            };
            let error = FileSource::new(source, vec![file]).next().unwrap();
            assert_eq!(error.unwrap_err().is_transient(), is_transient);
        }
    }
}
