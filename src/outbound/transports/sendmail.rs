//! The transport through the system's `sendmail` program.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::Error;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{SendError, Transport};

/// Hands messages to a program with the interface of `sendmail`.
pub struct SendmailTransport {
    program: PathBuf,
}

impl SendmailTransport {
    /// Creates a transport through this program.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> SendmailTransport {
        let program = program.into();
        SendmailTransport { program }
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
            .map_err(SendError::unsent)?;
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
        let child = command.spawn().map_err(failed).map_err(SendError::unsent)?;
        let output = child
            .wait_with_output()
            .map_err(|error| SendError::Unknown(failed(error)))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let text = format!(
            "{} has not taken the mail ({}): {}",
            self.program.display(),
            output.status,
            said.trim()
        );
        Err(match output.status.code() {
            // After a signal, nobody knows what the program had done.
            None => SendError::Unknown(Error::later(text)),
            // These are the temporary failures of sysexits.h.
            Some(75 | 71 | 74) => SendError::Transient(Error::later(text)),
            Some(_) => SendError::Permanent(Error::refused(text)),
        })
    }
}

/// Creates an unnamed file with the text, rewound to its beginning.
fn spool(text: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text)?;
    file.rewind()?;
    Ok(file)
}
