//! A mail server without TLS that does as a test says: it takes its time, refuses, cuts.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// What a client comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'s> {
    /// It has connected. So many connections stand besides.
    Greeting(usize),
    /// It names a recipient.
    Recipient(&'s str),
    /// It has brought the text of a mail.
    Text(&'s Mail),
}

/// What the server does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// It goes on.
    Take,
    /// It says this, such as `451 later`.
    Say(&'static str),
    /// It ends the connection without a word.
    Cut,
}

/// A mail that was brought.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    pub(crate) to: String,
    /// The match that its subject names.
    pub(crate) game: String,
    pub(crate) message_id: String,
    /// The half-moves that its foot tells of.
    pub(crate) plies: usize,
    pub(crate) at: Instant,
}

/// A server that runs to the end of the process.
pub(crate) struct MailServer {
    pub(crate) port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    open: AtomicUsize,
    most: AtomicUsize,
    taken: Mutex<Vec<Mail>>,
}

impl MailServer {
    /// Starts one that asks `deed` at each step, on the thread of the connection.
    pub(crate) fn start(
        deed: impl Fn(Step<'_>) -> Deed + Clone + Send + Sync + 'static,
    ) -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<State>::default();
        let of_server = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (state, deed) = (Arc::clone(&of_server), deed.clone());
                thread::spawn(move || {
                    let others = state.open.fetch_add(1, Ordering::SeqCst);
                    state.most.fetch_max(others + 1, Ordering::SeqCst);
                    let _ = session(&stream, others, &state, &deed);
                    state.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        MailServer { port, state }
    }

    /// The sections of a configuration.
    pub(crate) fn config(&self, connections: usize) -> String {
        format!(
            "[transport]\nkind = \"smtp\"\nconnections = {connections}\n\
             [smtp]\nhost = \"127.0.0.1\"\nport = {}\ntls = \"none\"\n",
            self.port
        )
    }

    /// The mails that were taken, in their order.
    pub(crate) fn taken(&self) -> Vec<Mail> {
        self.state.taken.lock().unwrap().clone()
    }

    /// The matches of those mails, each as often as it has one.
    pub(crate) fn games(&self) -> Vec<String> {
        let taken = self.taken();
        taken.into_iter().map(|mail| mail.game).collect()
    }

    /// The most connections that stood at one time.
    pub(crate) fn most(&self) -> usize {
        self.state.most.load(Ordering::SeqCst)
    }
}

fn session(
    stream: &TcpStream,
    others: usize,
    state: &State,
    deed: &impl Fn(Step<'_>) -> Deed,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream);
    let mut output = stream;
    // What it says if nothing else is said, or nothing for the end.
    let mut say = |deed: Deed, usual: &str| -> io::Result<bool> {
        let words = match deed {
            Deed::Take => usual,
            Deed::Say(words) => words,
            Deed::Cut => return Ok(false),
        };
        output.write_all(format!("{words}\r\n").as_bytes())?;
        Ok(!words.starts_with("421") && !words.starts_with("554"))
    };
    if !say(deed(Step::Greeting(others)), "220 here")? {
        return Ok(());
    }
    let mut to = String::new();
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        let goes_on = match verb.as_str() {
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1);
                address.unwrap_or_default().clone_into(&mut to);
                say(deed(Step::Recipient(&to)), "250 ok")?
            }
            "DATA" => {
                say(Deed::Take, "354 go on")?;
                let mail = read(&mut input, &to)?;
                let done = deed(Step::Text(&mail));
                if done == Deed::Take {
                    state.taken.lock().unwrap().push(mail);
                }
                say(done, "250 ok")?
            }
            "QUIT" => {
                say(Deed::Take, "221 bye")?;
                false
            }
            "EHLO" => say(Deed::Take, "250-here\r\n250-8BITMIME\r\n250 SMTPUTF8")?,
            _ => say(Deed::Take, "250 ok")?,
        };
        if !goes_on {
            return Ok(());
        }
    }
}

/// Reads a mail to its dot.
fn read(input: &mut BufReader<&TcpStream>, to: &str) -> io::Result<Mail> {
    let mut mail = Mail {
        to: to.to_owned(),
        game: String::new(),
        message_id: String::new(),
        plies: 0,
        at: Instant::now(),
    };
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line == "." {
            mail.at = Instant::now();
            return Ok(mail);
        }
        if let Some(id) = line.strip_prefix("Message-ID: ") {
            id.clone_into(&mut mail.message_id);
        } else if let Some(subject) = line.strip_prefix("Subject: ") {
            let game = subject.split(['[', ']']).nth(1);
            game.unwrap_or_default().clone_into(&mut mail.game);
        } else if let Some((before, _)) = line.split_once(" half-move") {
            // `Game m0, 6 half-moves made, hash …`
            let plies = before.rsplit(' ').next().map(str::parse);
            mail.plies = plies.and_then(Result::ok).unwrap_or(mail.plies);
        }
    }
}
