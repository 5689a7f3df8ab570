//! A mail server that refuses, defers, cuts connections and is slow, and remembers what it
//! did to each mail.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

/// What the server does to a mail, and to how many of 10,000.
const FAULTS: [(Fault, u32); 9] = [
    (Fault::DeferRecipient, 150),
    (Fault::RefuseRecipient, 20),
    (Fault::CutBeforeText, 50),
    (Fault::CutText, 50),
    (Fault::CutAfterText, 50),
    (Fault::DeferText, 150),
    (Fault::RefuseText, 20),
    (Fault::Slow, 200),
    (Fault::VerySlow, 2),
];

/// Of so many connections it refuses one at its greeting.
const GREETINGS: u32 = 1000;

/// How long a recipient takes that is very slow.
const MINUTE: Duration = Duration::from_mins(1);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    DeferRecipient,
    RefuseRecipient,
    CutBeforeText,
    CutText,
    /// It takes the mail and does not say so.
    CutAfterText,
    DeferText,
    RefuseText,
    Slow,
    VerySlow,
}

/// A mail that was not taken, or of which that was not said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Failed {
    pub(crate) at: SystemTime,
    /// True if the connection was cut: nothing was said about the mail.
    pub(crate) is_cut: bool,
}

impl Failed {
    fn now(is_cut: bool) -> Failed {
        let at = SystemTime::now();
        Failed { at, is_cut }
    }
}

/// What became of a mail at the server.
#[derive(Clone, Default)]
pub(crate) struct Mail {
    pub(crate) recipient: String,
    /// When the server took it.
    pub(crate) taken: Vec<SystemTime>,
    /// When it was deferred or cut, without those at its recipient.
    pub(crate) failed: Vec<Failed>,
    /// True if the server refused it for good.
    pub(crate) is_refused: bool,
    /// The sum of its text.
    sum: Option<u64>,
    /// True if another text came under the same id.
    pub(crate) has_two_texts: bool,
}

/// What the server did at a recipient, where it does not know which mail was meant.
#[derive(Clone, Default)]
pub(crate) struct Recipient {
    pub(crate) failed: Vec<Failed>,
    pub(crate) is_refused: bool,
}

/// All that the server remembers.
#[derive(Default)]
pub(crate) struct Memory {
    /// The mails by their Message-IDs.
    pub(crate) mails: HashMap<String, Mail>,
    pub(crate) recipients: HashMap<String, Recipient>,
    /// When mails were taken.
    pub(crate) arrivals: Vec<SystemTime>,
    /// How often each fault was played.
    pub(crate) faults: HashMap<&'static str, usize>,
    /// When nothing went wrong any more.
    pub(crate) mended: Option<SystemTime>,
}

/// A running server, which lives as long as the process.
#[derive(Clone)]
pub(crate) struct MailServer {
    memory: Arc<Mutex<Memory>>,
    /// True while it does what goes wrong.
    is_faulty: Arc<AtomicBool>,
    pub(crate) port: u16,
}

impl MailServer {
    pub(crate) fn start() -> io::Result<MailServer> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let server = MailServer {
            memory: Arc::default(),
            is_faulty: Arc::new(AtomicBool::new(true)),
            port: listener.local_addr()?.port(),
        };
        let serving = server.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let server = serving.clone();
                // A client that goes away only ends its own session.
                thread::spawn(move || server.session(&stream));
            }
        });
        Ok(server)
    }

    /// Nothing goes wrong from here on.
    pub(crate) fn mend(&self) {
        self.is_faulty.store(false, Ordering::Relaxed);
        self.with(|memory| memory.mended = Some(SystemTime::now()));
    }

    /// Reads or changes what the server remembers.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Memory) -> T) -> T {
        act(&mut self.memory.lock().expect("no thread panics"))
    }

    /// Draws what goes wrong with a mail.
    fn draw(&self) -> Option<Fault> {
        if !self.is_faulty.load(Ordering::Relaxed) {
            return None;
        }
        let mut drawn = fastrand::u32(..10_000);
        let fault = FAULTS.iter().find(|(_, share)| {
            let is_it = drawn < *share;
            drawn = drawn.wrapping_sub(*share);
            is_it
        });
        fault.map(|(fault, _)| *fault)
    }

    fn played(&self, name: &'static str) {
        self.with(|memory| *memory.faults.entry(name).or_default() += 1);
    }

    fn session(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut input = BufReader::new(stream);
        let mut output = stream;
        if self.is_faulty.load(Ordering::Relaxed) && fastrand::u32(..GREETINGS) == 0 {
            self.played("connections refused");
            return output.write_all(b"421 4.3.2 too busy\r\n");
        }
        output.write_all(b"220 faulty\r\n")?;
        let mut recipient = String::new();
        let mut fault = None;
        loop {
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
            let answer: &[u8] = match verb.as_str() {
                "RCPT" => {
                    let address = line.split(['<', '>']).nth(1);
                    address.unwrap_or_default().clone_into(&mut recipient);
                    fault = self.draw();
                    match self.recipient(&recipient, fault) {
                        Some(answer) => answer,
                        None => return Ok(()),
                    }
                }
                "DATA" => {
                    output.write_all(b"354 go on\r\n")?;
                    match self.text(&mut input, &recipient, fault.take())? {
                        Some(answer) => answer,
                        None => return Ok(()),
                    }
                }
                "QUIT" => return output.write_all(b"221 bye\r\n"),
                "EHLO" => b"250-faulty\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
                _ => b"250 ok\r\n",
            };
            output.write_all(answer)?;
        }
    }

    /// Answers a recipient, or cuts the connection.
    fn recipient(&self, recipient: &str, fault: Option<Fault>) -> Option<&'static [u8]> {
        let note = |failed: Option<Failed>| {
            self.with(|memory| {
                let of = memory.recipients.entry(recipient.to_owned()).or_default();
                match failed {
                    Some(failed) => of.failed.push(failed),
                    None => of.is_refused = true,
                }
            });
        };
        match fault {
            Some(Fault::DeferRecipient) => {
                self.played("recipients deferred");
                note(Some(Failed::now(false)));
                Some(b"450 4.2.1 later\r\n")
            }
            Some(Fault::RefuseRecipient) => {
                self.played("recipients refused");
                note(None);
                Some(b"550 5.2.1 never\r\n")
            }
            Some(Fault::CutBeforeText) => {
                self.played("connections cut before the text");
                note(Some(Failed::now(true)));
                None
            }
            Some(Fault::VerySlow) => {
                self.played("recipients that took a minute");
                thread::sleep(MINUTE);
                Some(b"250 ok\r\n")
            }
            _ => Some(b"250 ok\r\n"),
        }
    }

    /// Reads a mail and answers it, or cuts the connection.
    fn text(
        &self,
        input: &mut BufReader<&TcpStream>,
        recipient: &str,
        fault: Option<Fault>,
    ) -> io::Result<Option<&'static [u8]>> {
        let mut bytes = Vec::new();
        loop {
            let begin = bytes.len();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                // The worker was killed.
                return Ok(None);
            }
            let line = &bytes[begin..];
            if line == b".\r\n" {
                break;
            }
            if line == b"\r\n" && fault == Some(Fault::CutText) {
                self.played("connections cut in a text");
                self.with(|memory| {
                    mail(memory, &bytes, recipient)
                        .failed
                        .push(Failed::now(true));
                });
                return Ok(None);
            }
        }
        if fault == Some(Fault::Slow) {
            self.played("slow answers");
            thread::sleep(Duration::from_millis(fastrand::u64(50..1000)));
        }
        let now = SystemTime::now();
        self.with(|memory| {
            let mail = mail(memory, &bytes, recipient);
            let mut sum = DefaultHasher::new();
            bytes.hash(&mut sum);
            let sum = sum.finish();
            mail.has_two_texts |= *mail.sum.get_or_insert(sum) != sum;
            match fault {
                Some(Fault::DeferText) => mail.failed.push(Failed::now(false)),
                Some(Fault::RefuseText) => mail.is_refused = true,
                _ => {
                    mail.taken.push(now);
                    if fault == Some(Fault::CutAfterText) {
                        mail.failed.push(Failed::now(true));
                    }
                    memory.arrivals.push(now);
                }
            }
        });
        Ok(match fault {
            Some(Fault::DeferText) => {
                self.played("texts deferred");
                Some(b"451 4.3.0 later\r\n")
            }
            Some(Fault::RefuseText) => {
                self.played("texts refused");
                Some(b"554 5.6.0 never\r\n")
            }
            Some(Fault::CutAfterText) => {
                self.played("connections cut with the mail taken");
                None
            }
            _ => Some(b"250 ok\r\n"),
        })
    }
}

/// The mail with the Message-ID of this text.
fn mail<'m>(memory: &'m mut Memory, bytes: &[u8], recipient: &str) -> &'m mut Mail {
    let text = String::from_utf8_lossy(bytes);
    let mut fields = text.lines().take_while(|line| !line.is_empty());
    let id = fields.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.eq_ignore_ascii_case("message-id")).then(|| value.trim().to_owned())
    });
    let mail = memory.mails.entry(id.unwrap_or_default()).or_default();
    recipient.clone_into(&mut mail.recipient);
    mail
}
