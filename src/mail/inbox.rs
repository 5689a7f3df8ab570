//! Where messages come from: a stream that holds one, an mbox, a Maildir, an MH
//! folder, a folder of `.eml` files. Nothing is moved, marked or deleted there.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::{Error, files, limits};

/// As much of a message as is kept: enough to show that it is too long.
const ENOUGH: u64 = limits::MESSAGE as u64 + 1;

/// The messages in a stream: the one it holds, or all of an mbox, which is told
/// by its first line.
pub struct Messages<R> {
    stream: R,
    place: Place,
}

enum Place {
    /// Nothing has been read.
    Start,
    /// In an mbox, behind a `From ` line.
    Mbox,
    /// All has been read.
    End,
}

impl<R: BufRead> Messages<R> {
    /// The messages in that stream.
    pub fn new(stream: R) -> Messages<R> {
        Messages {
            stream,
            place: Place::Start,
        }
    }

    /// The one message in that stream, as a mail server hands it over. A `From `
    /// line before its header is passed over.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read.
    pub fn single(mut stream: R) -> io::Result<Vec<u8>> {
        let mut message = line(&mut stream)?;
        if message.starts_with(b"From ") {
            message.clear();
        }
        stream.take(ENOUGH).read_to_end(&mut message)?;
        Ok(message)
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.place {
            Place::End => Ok(None),
            Place::Mbox => self.entry().map(Some),
            Place::Start => {
                let mut message = line(&mut self.stream)?;
                if message.starts_with(b"From ") {
                    self.place = Place::Mbox;
                    return self.entry().map(Some);
                }
                self.place = Place::End;
                (&mut self.stream).take(ENOUGH).read_to_end(&mut message)?;
                Ok(Some(message))
            }
        }
    }

    /// The rest of an mbox entry, up to the next `From ` line or the end.
    fn entry(&mut self) -> io::Result<Vec<u8>> {
        let mut message = Vec::new();
        let mut after_blank = false;
        loop {
            let line = line(&mut self.stream)?;
            if line.is_empty() {
                self.place = Place::End;
                return Ok(message);
            }
            if after_blank && is_separator(&line) {
                return Ok(message);
            }
            after_blank = line == b"\n" || line == b"\r\n";
            if message.len() <= limits::MESSAGE {
                message.extend_from_slice(unescaped(&line));
            }
        }
    }
}

impl<R: BufRead> Iterator for Messages<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let result = self.read();
        if result.is_err() {
            self.place = Place::End;
        }
        result.transpose()
    }
}

/// The next line with its end, or as much of it as is kept at a time; empty at
/// the end of the stream.
fn line(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    stream.take(ENOUGH).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Whether a line that follows an empty one begins an entry of an mbox: `From `,
/// an address, a date with a time of day and a year.
fn is_separator(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else {
        return false;
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    text.starts_with("From ")
        && text
            .split_whitespace()
            .any(|word| word.len() == 4 && is_number(word))
        && text
            .split_whitespace()
            .any(|word| word.contains(':') && word.split(':').all(is_number))
}

/// A line of an mbox without the `>` that hides a `From `.
fn unescaped(line: &[u8]) -> &[u8] {
    let marks = line.iter().take_while(|byte| **byte == b'>').count();
    if marks > 0 && line[marks..].starts_with(b"From ") {
        &line[1..]
    } else {
        line
    }
}

/// The files below a path that hold messages: the file itself, or all messages
/// of a Maildir, of an MH folder or of a folder of `.eml` files such as our own
/// outbox, oldest first.
///
/// # Errors
///
/// If the path cannot be read, or is a folder of another kind.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_folder = |path: &Path| files::is_folder(path).map_err(|error| Error::file(path, &error));
    if !is_folder(path)? {
        return Ok(vec![path.to_path_buf()]);
    }
    let (new, cur) = (path.join("new"), path.join("cur"));
    if is_folder(&new)? && is_folder(&cur)? {
        let mut found = list(&new)?;
        found.extend(list(&cur)?);
        found.sort_by_cached_key(|file| (file.seconds(), file.written, file.name().to_owned()));
        return Ok(paths(found));
    }
    let mut found = list(path)?;
    let number = |file: &Found| file.name().parse::<u64>().ok();
    if found.iter().any(|file| number(file).is_some()) {
        found.retain(|file| number(file).is_some());
        found.sort_by_key(number);
    } else {
        found.retain(|file| file.path.extension().is_some_and(|end| end == "eml"));
        found.sort_by_cached_key(|file| (file.written, file.path.clone()));
    }
    if found.is_empty() {
        return Err(Error::refused(format!(
            "{}: no messages here: no Maildir (no 'new' and 'cur'), no MH folder (no numbered files), no .eml files",
            path.display()
        )));
    }
    Ok(paths(found))
}

/// A file of a folder.
struct Found {
    path: PathBuf,
    /// When it was written, if the system knows.
    written: Option<SystemTime>,
}

impl Found {
    fn name(&self) -> &str {
        name(&self.path).unwrap_or_default()
    }

    /// The seconds that a Maildir's file is named by.
    fn seconds(&self) -> u64 {
        let digits = self.name().split('.').next();
        digits
            .and_then(|digits| digits.parse().ok())
            .unwrap_or_default()
    }
}

fn paths(found: Vec<Found>) -> Vec<PathBuf> {
    found.into_iter().map(|file| file.path).collect()
}

/// The files of a folder that are not hidden.
fn list(folder: &Path) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).map_err(|error| Error::file(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| Error::file(folder, &error))?.path();
        let is_hidden = name(&path).is_none_or(|name| name.starts_with('.'));
        // A file that cannot be looked at must not be passed over: the ones
        // behind it would be read before it.
        let data = files::look(&path).map_err(|error| Error::file(&path, &error))?;
        if let Some(data) = data.filter(|data| data.is_file() && !is_hidden) {
            let written = data.modified().ok();
            found.push(Found { path, written });
        }
    }
    Ok(found)
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The messages of a file.
///
/// # Errors
///
/// If it cannot be opened.
pub fn open(path: &Path) -> Result<Messages<BufReader<File>>, Error> {
    let file = File::open(path).map_err(|error| Error::file(path, &error))?;
    Ok(Messages::new(BufReader::new(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        Messages::new(text.as_bytes())
            .map(|message| String::from_utf8(message.unwrap()).unwrap())
            .collect()
    }

    #[test]
    fn a_stream_without_a_from_line_is_one_message() {
        let text = "Subject: x\n\nhi\n\nFrom me Fri Nov 20 03:00:00 2026\n>From you\n";
        assert_eq!(messages(text), [text]);
        assert_eq!(messages(""), [""]);
    }

    #[test]
    fn an_mbox_is_taken_apart() {
        let text = "From a@b.test Fri Nov 20 03:00:00 2026\nSubject: x\n\nhi\n\
                    From here on it's easy\n>From you\n>>From them\n\n\
                    From the start\n\n\
                    From a@b.test Fri Nov 20 03:00:01 2026\nSubject: y\n\n";
        assert_eq!(
            messages(text),
            [
                "Subject: x\n\nhi\nFrom here on it's easy\nFrom you\n>From them\n\nFrom the start\n\n",
                "Subject: y\n\n",
            ]
        );
        let crlf: String = messages(&text.replace('\n', "\r\n")).concat();
        assert_eq!(crlf.replace("\r\n", "\n"), messages(text).concat());
    }

    #[test]
    fn a_mail_server_hands_over_one_message() {
        let text = "From a@b.test Fri Nov 20 03:00:00 2026\nSubject: x\n\n\nFrom a@b.test Fri Nov 20 03:00:01 2026\n";
        let (_, rest) = text.split_once('\n').unwrap();
        assert_eq!(Messages::single(text.as_bytes()).unwrap(), rest.as_bytes());
        assert_eq!(Messages::single(rest.as_bytes()).unwrap(), rest.as_bytes());
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
        let found: Vec<String> = files(folder.path())
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
        assert_eq!(found, [folder.path().join("9"), folder.path().join("10")]);
    }
}
