//! A mail server that takes every mail, for as many connections as come.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Instant;

/// A mail that has arrived.
pub(crate) struct Arrival {
    pub(crate) bytes: Vec<u8>,
    /// The address after `RCPT TO`.
    pub(crate) recipient: String,
    pub(crate) at: Instant,
}

/// Starts the server, which lives as long as the process. Returns its port.
///
/// `arrived` is called for each mail, and returns false if nobody wants any more.
pub(crate) fn start(arrived: impl Fn(Arrival) -> bool + Clone + Send + 'static) -> io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let arrived = arrived.clone();
            // A client that goes away only ends its own session.
            thread::spawn(move || session(&stream, &arrived));
        }
    });
    Ok(port)
}

fn session(stream: &TcpStream, arrived: &impl Fn(Arrival) -> bool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream);
    let mut output = stream;
    output.write_all(b"220 sink\r\n")?;
    let mut recipient = String::new();
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1);
                address.unwrap_or_default().clone_into(&mut recipient);
                output.write_all(b"250 ok\r\n")?;
            }
            "DATA" => {
                output.write_all(b"354 go on\r\n")?;
                let bytes = data(&mut input)?;
                let arrival = Arrival {
                    bytes,
                    recipient: recipient.clone(),
                    at: Instant::now(),
                };
                if !arrived(arrival) {
                    return Ok(());
                }
                output.write_all(b"250 ok\r\n")?;
            }
            "QUIT" => return output.write_all(b"221 bye\r\n"),
            "EHLO" => output.write_all(b"250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n")?,
            _ => output.write_all(b"250 ok\r\n")?,
        }
    }
}

/// Reads a message to its dot, and takes the doubled dots back.
fn data(input: &mut BufReader<&TcpStream>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == b".\r\n" {
            return Ok(bytes);
        }
        bytes.extend(line.strip_prefix(b".").unwrap_or(&line));
    }
}
