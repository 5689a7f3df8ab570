//! The messages in files and folders: a message, an mbox, a Maildir, an MH folder, or a
//! folder of `.eml` files such as our own outbox. Only this file tells them apart. Standard
//! input is a message, or an mbox, too.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::vec;

use crate::error::causes;
use crate::sources::mbox::Messages;
use crate::sources::{MailSource, MessageKey, RawMessage};
use crate::{Error, files};

/// Opens the messages at a path: a message, an mbox, a Maildir, an MH folder or a
/// folder of `.eml` files. Nothing there is moved, marked or deleted. `named` says how a
/// file that is not in a folder of those is divided, if its name and place do not.
///
/// # Errors
///
/// The same as [`files()`].
pub fn open(path: &Path, named: Option<Division>) -> Result<FileSource, Error> {
    let mut files = files(path)?;
    if let (Some(division), [file]) = (named, files.as_mut_slice())
        && file.path == path
    {
        file.division = division;
    }
    Ok(FileSource::new(path, files))
}

/// Returns the files with messages at a path: the file itself, or the files of a
/// folder, oldest first.
///
/// # Errors
///
/// If the path cannot be read, or is a folder of another kind.
pub fn files(path: &Path) -> Result<Vec<MailFile>, Error> {
    let single = |path| MailFile {
        path,
        division: Division::Single,
    };
    if !files::is_folder(path).map_err(|error| Error::file(path, &error))? {
        let path = path.to_path_buf();
        let division = division(&path);
        return Ok(vec![MailFile { path, division }]);
    }
    for kind in [maildir_files, mh_files, eml_files] {
        if let Some(found) = kind(path)? {
            return Ok(found.into_iter().map(single).collect());
        }
    }
    Err(Error::refused(format!(
        "{}: no messages here: no Maildir (no 'new' and 'cur'), no MH folder (no numbered files), no .eml files",
        path.display()
    )))
}

/// Returns how a file is divided, by its name and the folder it is in: a file of a
/// Maildir or an MH folder is one message though it is named alone.
fn division(path: &Path) -> Division {
    let is_eml = |end: &OsStr| end.eq_ignore_ascii_case("eml");
    if path.extension().is_some_and(is_eml) {
        return Division::Single;
    }
    let whole = fs::canonicalize(path);
    let whole = whole.as_deref().unwrap_or(path);
    let Some(folder) = whole.parent() else {
        return Division::ByPostmark;
    };
    let is_maildir = || {
        let is_half = ["new", "cur"].iter().any(|name| folder.ends_with(name));
        let above = folder.parent().filter(|_| is_half);
        above.is_some_and(|above| above.join("new").is_dir() && above.join("cur").is_dir())
    };
    let is_mh = || {
        let name = whole
            .file_name()
            .and_then(OsStr::to_str)
            .unwrap_or_default();
        name.parse::<u64>().is_ok() && folder.join(".mh_sequences").exists()
    };
    if is_maildir() || is_mh() {
        Division::Single
    } else {
        Division::ByPostmark
    }
}

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
            let opened = file.open().map_err(|error| {
                if file.path != self.path && is_not_found(&error) {
                    // Whoever else uses the folder has renamed or removed it since.
                    return Error::later(format!("{error}; it was there a moment ago"));
                }
                error
            })?;
            let messages = file.division.messages(opened);
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
        Some(bytes.map(|bytes| counted(&mut self.count, bytes)))
    }
}

/// Makes the next message of a source that counts them.
fn counted(count: &mut u64, bytes: Vec<u8>) -> RawMessage {
    *count += 1;
    RawMessage {
        key: MessageKey(*count),
        bytes,
        anew: None,
    }
}

/// Returns the `.eml` files of a folder, oldest first, or none if it has none.
///
/// # Errors
///
/// If the folder cannot be read.
fn eml_files(folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    let mut found = list(folder)?;
    found.retain(|file| file.path.extension().is_some_and(|end| end == "eml"));
    found.sort_by_cached_key(|file| (file.written, file.path.clone()));
    let paths: Vec<PathBuf> = found.into_iter().map(|file| file.path).collect();
    Ok(Some(paths).filter(|paths| !paths.is_empty()))
}

/// A file with messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailFile {
    /// Its path.
    pub path: PathBuf,
    /// The way in which its messages are divided.
    pub division: Division,
}

/// The way in which a file's messages are divided.
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

/// A file in a folder.
struct FolderFile {
    path: PathBuf,
    name: String,
    /// The time of its last change, if the system knows it.
    written: Option<SystemTime>,
}

/// Lists the files of a folder that are not hidden and have a name in UTF-8, in no particular
/// order.
///
/// # Errors
///
/// If the folder or one of its entries cannot be read. Such an entry must not be
/// skipped, because later messages would be handled before it.
fn list(folder: &Path) -> Result<Vec<FolderFile>, Error> {
    let mut found = Vec::new();
    let entries = files::retry_on_eintr(|| fs::read_dir(folder))
        .map_err(|error| Error::file(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::file(folder, &error))?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let name = name.to_owned();
        let is_hidden = name.is_empty() || name.starts_with('.');
        let data = files::look(&path).map_err(|error| Error::file(&path, &error))?;
        if let Some(data) = data.filter(|data| data.is_file() && !is_hidden) {
            let written = data.modified().ok();
            found.push(FolderFile {
                path,
                name,
                written,
            });
        }
    }
    Ok(found)
}

/// Returns the messages of a Maildir, a folder with the subfolders `new` and `cur`, oldest
/// first, or none if the folder is no Maildir.
///
/// # Errors
///
/// If the folder cannot be read.
fn maildir_files(folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    let mut found = Vec::new();
    for sub in ["new", "cur"] {
        let folder = folder.join(sub);
        if !files::is_folder(&folder).map_err(|error| Error::file(&folder, &error))? {
            return Ok(None);
        }
        found.push(folder);
    }
    let [new, cur] = [list(&found[0])?, list(&found[1])?];
    let mut found: Vec<FolderFile> = new.into_iter().chain(cur).collect();
    found.sort_by_cached_key(|file| (seconds(file), file.written, file.name.clone()));
    Ok(Some(found.into_iter().map(|file| file.path).collect()))
}

/// Returns the delivery time in seconds that the file name starts with.
fn seconds(file: &FolderFile) -> u64 {
    let digits = file.name.split('.').next();
    digits
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_default()
}

/// Returns the messages of an MH folder in the order of their numbers, or none if the
/// folder is no MH folder.
///
/// # Errors
///
/// If the folder cannot be read.
fn mh_files(folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    let number = |file: FolderFile| Some((file.name.parse::<u64>().ok()?, file.path));
    let mut found: Vec<(u64, PathBuf)> = list(folder)?.into_iter().filter_map(number).collect();
    found.sort();
    let paths: Vec<PathBuf> = found.into_iter().map(|(_, path)| path).collect();
    Ok(Some(paths).filter(|paths| !paths.is_empty()))
}

/// The messages of standard input.
pub struct StdinSource<R> {
    content: Content<R>,
    bytes_expected: u64,
    bytes_read: u64,
    count: u64,
}

enum Content<R> {
    /// The only message, until it is given.
    Single(Option<Vec<u8>>),
    Mbox(Messages<BufReader<R>>),
}

impl<R: Read> StdinSource<R> {
    /// Reads the one message of standard input. All of it is read before it is given,
    /// so that nothing is done if the input breaks off.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read, and a usage error if it looks like an mbox.
    pub fn message(stdin: R) -> Result<StdinSource<R>, Error> {
        let read = Messages::single_or_several(BufReader::new(stdin));
        let message = read.map_err(|error| Error::io(NAME, &error))?;
        let Some(message) = message else {
            return Err(Error::usage(format!(
                "{NAME}: this begins as a mailbox and a further message seems to follow; \
                 nothing of it was done: '--mbox' reads a mailbox, '--deliver' one message, whatever it holds"
            )));
        };
        Ok(StdinSource::of(message))
    }

    /// Reads one message, as a mail server hands it over.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read.
    pub fn delivered(stdin: R) -> Result<StdinSource<R>, Error> {
        let message = Messages::single(BufReader::new(stdin));
        let message = message.map_err(|error| Error::io(NAME, &error))?;
        Ok(StdinSource::of(message))
    }

    /// Reads an mbox, one message at a time.
    pub fn mbox(stdin: R) -> StdinSource<R> {
        StdinSource {
            content: Content::Mbox(Messages::new(BufReader::new(stdin))),
            bytes_expected: 0,
            bytes_read: 0,
            count: 0,
        }
    }

    fn of(message: Vec<u8>) -> StdinSource<R> {
        StdinSource {
            bytes_expected: message.len() as u64,
            content: Content::Single(Some(message)),
            bytes_read: 0,
            count: 0,
        }
    }
}

/// The name of standard input in messages.
const NAME: &str = "standard input";

impl<R: Read> MailSource for StdinSource<R> {
    fn bytes_expected(&self) -> u64 {
        self.bytes_expected
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let bytes = match &mut self.content {
            Content::Single(message) => {
                let message = message.take()?;
                self.bytes_read = message.len() as u64;
                message
            }
            Content::Mbox(messages) => {
                let message = messages.next()?;
                self.bytes_read = messages.bytes_read();
                match message {
                    // An mbox without messages is an empty file.
                    Ok(_) if self.bytes_read == 0 => return None,
                    Ok(message) => message,
                    Err(error) => return Some(Err(Error::io(NAME, &error))),
                }
            }
        };
        Some(Ok(counted(&mut self.count, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Division, *};

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

    #[test]
    fn a_maildir_is_read_oldest_first_without_its_hidden_files() {
        let folder = tempfile::tempdir().unwrap();
        for sub in ["new", "cur", "tmp"] {
            fs::create_dir(folder.path().join(sub)).unwrap();
        }
        for file in [
            "new/20.b.host",
            "cur/9.a.host:2,S",
            "new/100.c.host",
            "tmp/1.x.host",
            "new/.hidden",
        ] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let found: Vec<String> = maildir_files(folder.path())
            .unwrap()
            .unwrap()
            .iter()
            .map(|file| {
                file.strip_prefix(folder.path())
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect();
        assert_eq!(
            found,
            ["cur/9.a.host:2,S", "new/20.b.host", "new/100.c.host"]
        );
    }

    #[test]
    fn an_mh_folder_is_read_by_number_and_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(files(folder.path()).is_err());
        for file in ["10", "9", ".mh_sequences", "notes"] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let found: Vec<_> = files(folder.path()).unwrap();
        let found: Vec<_> = found.into_iter().map(|file| file.path).collect();
        assert_eq!(found, [folder.path().join("9"), folder.path().join("10")]);
    }
}
