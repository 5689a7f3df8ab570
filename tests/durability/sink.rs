//! A mail server that takes everything and keeps it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A mail server on a port of its own, for as long as the tests run.
pub(crate) struct Sink {
    pub(crate) port: u16,
    mails: Arc<Mutex<Vec<String>>>,
}

impl Sink {
    pub(crate) fn start() -> Sink {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let mails = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&mails);
        // One session after another: see `take`.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = session(&stream, &kept);
            }
        });
        Sink { port, mails }
    }

    /// All mails that were taken since the last time, with LF at their line
    /// ends, in the order they came.
    pub(crate) fn take(&self) -> Vec<String> {
        // Who is greeted knows that all who came before have gone.
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut greeting = String::new();
        BufReader::new(stream).read_line(&mut greeting).unwrap();
        std::mem::take(&mut self.mails.lock().unwrap())
    }
}

fn session(mut stream: &TcpStream, mails: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    // An answer that left in two pieces would wait for the client's system to
    // acknowledge the first, which takes its time.
    stream.set_nodelay(true)?;
    let mut say = |answer: &str| stream.write_all(format!("{answer}\r\n").as_bytes());
    say("220 sink")?;
    while let Some(line) = lines.next().transpose()? {
        let answer = match line.get(..4).unwrap_or_default() {
            "EHLO" | "MAIL" | "RCPT" => "250 yes",
            "QUIT" => "221 bye",
            "DATA" => {
                say("354 go on")?;
                let mut text = String::new();
                loop {
                    let Some(line) = lines.next().transpose()? else {
                        return Ok(()); // Broken off: nothing is taken.
                    };
                    if line == "." {
                        break;
                    }
                    text.push_str(line.strip_prefix('.').unwrap_or(&line));
                    text.push('\n');
                }
                mails.lock().unwrap().push(text);
                "250 taken"
            }
            _ => "500 what",
        };
        say(answer)?;
    }
    Ok(())
}
