//! The transport that writes messages to a stream, such as standard output.

use std::io::Write;

use crate::Error;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{SendError, Transport};

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
