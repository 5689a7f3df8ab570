//! A client of a mail server, by LMTP, for the benchmarks.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

/// A connection over which letters are delivered.
pub(crate) struct Client {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn new(port: u16) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.set_nodelay(true).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        let mut client = Client { stream, lines };
        client.expect("220");
        client.tell("LHLO bench\r\n");
        client.expect("250");
        client
    }

    fn tell(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    fn expect(&mut self, code: &str) {
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).unwrap();
            assert!(line.starts_with(code), "{line}");
            if line.as_bytes()[3] == b' ' {
                return;
            }
        }
    }

    /// Delivers a letter, which the server must take.
    pub(crate) fn deliver(&mut self, letter: &str, recipient: &str) {
        self.tell(&format!(
            "MAIL FROM:<x@example.org>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n"
        ));
        for code in ["250", "250", "354"] {
            self.expect(code);
        }
        self.tell(&format!("{letter}.\r\n"));
        self.expect("250");
    }
}
