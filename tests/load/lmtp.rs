//! A client that delivers messages by LMTP, and delivers again what may not have arrived.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// How long a server may take for a reply.
const PATIENCE: Duration = Duration::from_mins(1);

/// What became of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Delivered {
    /// The server has it: 2xx.
    Taken,
    /// It is to come again: 4xx, or the connection broke and nobody knows.
    Later,
    /// The server refuses it for good: 5xx.
    Refused,
}

/// A client with one connection, which it opens when it needs it.
pub(crate) struct Client {
    port: u16,
    recipient: String,
    connection: Option<BufReader<TcpStream>>,
}

impl Client {
    pub(crate) fn new(port: u16, recipient: &str) -> Client {
        Client {
            port,
            recipient: recipient.to_owned(),
            connection: None,
        }
    }

    /// Delivers a message whose lines end with CRLF.
    pub(crate) fn deliver(&mut self, sender: &str, message: &str) -> Delivered {
        let code = self.transaction(sender, message).unwrap_or_default();
        match code.first() {
            Some(b'2') => Delivered::Taken,
            Some(b'5') => Delivered::Refused,
            _ => {
                self.connection = None;
                Delivered::Later
            }
        }
    }

    /// Returns the code that ends the transaction.
    fn transaction(&mut self, sender: &str, message: &str) -> io::Result<Vec<u8>> {
        if self.connection.is_none() {
            let stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            self.connection = Some(BufReader::new(stream));
            self.reply()?;
            self.tell("LHLO load.test\r\n")?;
            self.reply()?;
        }
        let recipient = &self.recipient;
        self.tell(&format!(
            "MAIL FROM:<{sender}>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n"
        ))?;
        for expected in [b'2', b'2', b'3'] {
            let code = self.reply()?;
            if code.first() != Some(&expected) {
                // The replies that are left belong to nobody.
                self.connection = None;
                return Ok(code);
            }
        }
        let message = message.replace("\r\n.", "\r\n..");
        self.tell(&format!("{message}\r\n.\r\n"))?;
        self.reply()
    }

    fn stream(&mut self) -> io::Result<&mut BufReader<TcpStream>> {
        self.connection
            .as_mut()
            .ok_or_else(|| io::ErrorKind::NotConnected.into())
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        self.stream()?.get_mut().write_all(text.as_bytes())
    }

    /// Reads a reply to its last line.
    fn reply(&mut self) -> io::Result<Vec<u8>> {
        loop {
            let mut line = Vec::new();
            if self.stream()?.read_until(b'\n', &mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if line.get(3) != Some(&b'-') {
                line.truncate(3);
                return Ok(line);
            }
        }
    }
}
