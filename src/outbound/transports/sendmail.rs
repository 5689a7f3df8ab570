//! The transport through the system's `sendmail` program.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{Refusal, SendError, Transport};
use crate::{Error, child};

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
        let said = String::from_utf8_lossy(&said);
        let (program, said) = (self.program.display(), said.trim());
        let text = format!("{program} has not taken the mail ({status}): {said}");
        Err(match status.code() {
            // After a signal, nobody knows what the program had done.
            None => SendError::Unknown(Error::later(format!(
                "it is not known whether {program} has taken the mail ({status}): {said}"
            ))),
            Some(NO_USER) => SendError::Refused(Refusal {
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
