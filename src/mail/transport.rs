//! A message on its way out, and the trait of all transports of mail, with typed errors.

use std::fmt;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use chrono::{DateTime, Utc};
use lettre::address::Envelope;
use lettre::message::Message;

use crate::files::replace::replace_locked;
use crate::message_id::MessageId;
use crate::server_text::ServerText;
use crate::{Error, child, files};

/// An outgoing message.
#[derive(Clone, Debug)]
pub struct OutgoingMessage {
    message: Message,
    id: MessageId,
    time: DateTime<Utc>,
}

impl OutgoingMessage {
    /// Makes a message of the parts that the library has put together, with the id and the
    /// date that its header has.
    #[must_use]
    pub fn new(message: Message, id: MessageId, time: DateTime<Utc>) -> OutgoingMessage {
        OutgoingMessage { message, id, time }
    }

    /// Returns the Message-ID.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Returns the sender and the recipient.
    #[must_use]
    pub fn envelope(&self) -> &Envelope {
        self.message.envelope()
    }

    /// Returns the message with CR LF line ends, without one after the last
    /// line.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.message.formatted();
        while bytes.ends_with(b"\r\n") {
            bytes.truncate(bytes.len() - 2);
        }
        bytes
    }

    /// Returns the message as a text file, with LF line ends.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let mut text = self.bytes();
        text.retain(|byte| *byte != b'\r');
        text.push(b'\n');
        text
    }

    /// Returns the message as an entry of an mbox file, quoted as in mboxrd: a
    /// `>` precedes every line that is `From ` after any number of `>`.
    #[must_use]
    pub fn mbox_entry(&self) -> Vec<u8> {
        let sender = self.envelope().from();
        let sender = sender.map_or("MAILER-DAEMON", AsRef::as_ref);
        let date = self.time.format("%a %b %e %H:%M:%S %Y");
        let mut entry = format!("From {sender} {date}\n").into_bytes();
        for line in self.text().split_inclusive(|byte| *byte == b'\n') {
            let quotes = line.iter().take_while(|byte| **byte == b'>').count();
            if line[quotes..].starts_with(b"From ") {
                entry.push(b'>');
            }
            entry.extend_from_slice(line);
        }
        entry.push(b'\n');
        entry
    }

    /// Returns a file name without extension: the Message-ID before the `@`,
    /// which consists of letters, digits, `-` and `.`.
    #[must_use]
    pub fn file_name(&self) -> String {
        let id = self.id.as_str().trim_start_matches('<');
        id.chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))
            .collect()
    }
}

/// The name of the transport that keeps mail in a folder and sends none.
pub const FOLDER: &str = "folder";

/// A way to send mail.
pub trait Transport {
    /// Returns the name that a log keeps, such as `smtp`.
    fn name(&self) -> &'static str;

    /// Sends one message.
    ///
    /// # Errors
    ///
    /// If the message was not sent, or if it is unknown whether it was.
    /// [`SendError`] tells these apart, and whether the message is the cause.
    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError>;

    /// Returns the file in which a message lies then, if the transport does not send it but
    /// keeps it for somebody who will.
    fn place(&self, _message: &OutgoingMessage) -> Option<PathBuf> {
        None
    }
}

impl<T: Transport + ?Sized> Transport for &mut T {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        (**self).send(message)
    }

    fn place(&self, message: &OutgoingMessage) -> Option<PathBuf> {
        (**self).place(message)
    }
}

/// Why a message was not sent, or may not have been.
#[derive(Clone, Debug)]
pub enum SendError {
    /// The message was refused for good: another attempt would end the same.
    Refused(Rejection),
    /// The server or program has not taken the message this time; others may be taken.
    Deferred(Error),
    /// The connection ended before the message was handed over, so that the server has said
    /// nothing about it.
    Broken(Error),
    /// The message was not sent, and neither would others be now: the settings
    /// are wrong, or the server cannot be reached.
    SetUp(Error),
    /// The message may have been sent. Sending it again may deliver it twice.
    Unknown(Error),
}

/// Returns a connection to a server that could be reached so far. `failed` keeps why it could
/// not: it is not tried again for each message.
pub(crate) fn connected<C>(
    failed: &mut Option<Error>,
    connect: impl FnOnce() -> Result<C, Error>,
) -> Result<C, SendError> {
    if let Some(error) = failed {
        return Err(SendError::SetUp(error.clone()));
    }
    connect().map_err(|error| SendError::SetUp(failed.insert(error).clone()))
}

/// Sends a message, and once more where the connection ended before it was handed over: it has
/// certainly not gone, and the next connection may last.
pub(crate) fn again_if_broken(
    mut send: impl FnMut() -> Result<(), SendError>,
) -> Result<(), SendError> {
    match send() {
        Err(SendError::Broken(_)) => send(),
        outcome => outcome,
    }
}

/// A refusal of one message.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The words of the server or program, for a log.
    pub words: String,
    /// The error for the person at the keyboard.
    pub error: Error,
}

impl SendError {
    /// Returns the error for the person at the keyboard.
    #[must_use]
    pub fn error(&self) -> &Error {
        match self {
            SendError::Refused(Rejection { error, .. })
            | SendError::Deferred(error)
            | SendError::Broken(error)
            | SendError::SetUp(error)
            | SendError::Unknown(error) => error,
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl std::error::Error for SendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error().source()
    }
}

/// Writes messages into a folder. The Message-ID names the file, so sending a
/// message again replaces its file.
///
/// The caller must hold a lock that others who send this mail take, too.
pub struct FolderTransport {
    folder: PathBuf,
}

impl FolderTransport {
    /// Creates a transport into a folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> FolderTransport {
        let folder = folder.into();
        FolderTransport { folder }
    }

    fn file(&self, message: &OutgoingMessage) -> PathBuf {
        self.folder.join(format!("{}.eml", message.file_name()))
    }
}

impl Transport for FolderTransport {
    fn name(&self) -> &'static str {
        FOLDER
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let file = self.file(message);
        files::make_folder(&self.folder)
            .and_then(|()| replace_locked(&file, &message.text()))
            .map_err(|error| SendError::SetUp(Error::file(&file, &error)))
    }

    fn place(&self, message: &OutgoingMessage) -> Option<PathBuf> {
        Some(self.file(message))
    }
}

/// Writes messages to standard output.
pub struct PrintTransport<W> {
    stdout: W,
    is_mbox: bool,
}

impl<W: Write> PrintTransport<W> {
    /// Creates a transport that writes a single message unchanged.
    pub fn plain(stdout: W) -> PrintTransport<W> {
        let is_mbox = false;
        PrintTransport { stdout, is_mbox }
    }

    /// Creates a transport that writes each message as an entry of an mbox
    /// file.
    pub fn mbox(stdout: W) -> PrintTransport<W> {
        let is_mbox = true;
        PrintTransport { stdout, is_mbox }
    }
}

impl<W: Write> Transport for PrintTransport<W> {
    fn name(&self) -> &'static str {
        "print"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        let text = if self.is_mbox {
            message.mbox_entry()
        } else {
            message.text()
        };
        let printed = self
            .stdout
            .write_all(&text)
            .and_then(|()| self.stdout.flush());
        printed.map_err(|error| {
            let error = Error::stdout(&error);
            SendError::SetUp(if error.is_hangup() {
                Error::later("standard output was closed before the mail was written")
            } else {
                error
            })
        })
    }
}

/// Hands messages to a program with the interface of `sendmail`.
pub struct SendmailTransport {
    program: PathBuf,
    /// The longest time that it may take for a message.
    limit: Duration,
}

/// The longest time that the program may take: some pass mail on to a server, which may
/// take ten minutes to answer the end of it.
const LIMIT: Duration = Duration::from_mins(10);

/// The most bytes of its words that are kept.
const LONGEST: usize = 16 << 10;

impl SendmailTransport {
    /// Creates a transport through this program.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> SendmailTransport {
        SendmailTransport {
            program: program.into(),
            limit: LIMIT,
        }
    }
}

impl Transport for SendmailTransport {
    fn name(&self) -> &'static str {
        "sendmail"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        // Passes a complete file instead of a pipe: if this process ended while
        // writing to a pipe, the program would send half a message.
        let text = spool(&message.text())
            .map_err(|error| Error::io("a temporary file for the mail", &error))
            .map_err(SendError::SetUp)?;
        let envelope = message.envelope();
        let mut command = Command::new(&self.program);
        command.arg("-i");
        if let Some(from) = envelope.from() {
            command.arg("-f").arg(from);
        }
        command
            .arg("--")
            .args(envelope.to())
            .stdin(text)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let failed = |error| Error::file(&self.program, &error);
        let mut started = command.spawn().map_err(failed).map_err(SendError::SetUp)?;
        let Some(pipe) = started.stderr.take() else {
            unreachable!("it has a pipe");
        };
        let (status, said) = child::wait(&mut started, pipe, LONGEST, self.limit)
            .map_err(|error| SendError::Unknown(failed(error)))?;
        if status.success() {
            return Ok(());
        }
        let (program, said) = (self.program.display(), ServerText::new(said.trim_ascii()));
        let text = format!("{program} has not taken the mail ({status}): {said}");
        Err(match status.code() {
            // After a signal, nobody knows what the program had done.
            None => SendError::Unknown(Error::later(format!(
                "it is not known whether {program} has taken the mail ({status}): {said}"
            ))),
            Some(NO_USER) => SendError::Refused(Rejection {
                words: format!("{status}: {said}"),
                error: Error::refused(text),
            }),
            Some(LATER | SYSTEM_ERROR | INPUT_OUTPUT_ERROR) => {
                SendError::Deferred(Error::later(text))
            }
            Some(_) => SendError::Deferred(Error::refused(text)),
        })
    }
}

/// `EX_NOUSER` of sysexits.h: there is no such recipient. It is the only status
/// that is certainly about one mail. Of the others, programs that pass mail on
/// to a server use `EX_NOHOST` if that server's name has no address, and
/// `EX_DATAERR` and `EX_UNAVAILABLE` for a refused sender as well as for a
/// refused recipient; many use nothing but 1. Such a mail stays owed, and the
/// others are tried all the same.
const NO_USER: i32 = 67;

/// `EX_TEMPFAIL`.
const LATER: i32 = 75;

/// `EX_OSERR`, such as no more processes.
const SYSTEM_ERROR: i32 = 71;

/// `EX_IOERR`.
const INPUT_OUTPUT_ERROR: i32 = 74;

/// Creates an unnamed file with the text, rewound to its beginning.
fn spool(text: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text)?;
    file.rewind()?;
    Ok(file)
}
