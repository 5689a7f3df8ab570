//! A connection to a mail server: commands and their answers (RFC 5321).

use std::io;
use std::time::Duration;

use crate::error::words;
use crate::server_text::ServerText;
use crate::wire::{self, AnswerLimits, AnyStream, Stream, Wire, WireError, tls_error};

/// The most bytes of an answer's line. RFC 5321 has 512.
const LINE: usize = 4096;

/// The most lines of an answer.
const LINES: usize = 200;

/// The bounds of an answer. Each step has a time of its own.
const ANSWER: AnswerLimits = AnswerLimits {
    silence: None,
    bytes: LINES * LINE,
};

/// Why a command was not done.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    /// The server has refused it.
    #[error("{} error ({}): {}", if .0.is_permanent() { "permanent" } else { "transient" }, .0.code, .0.text)]
    Refused(SmtpReply),
    /// The server has given an answer that is not one to the command. It may be about to
    /// close the connection.
    #[error("it answers out of turn ({0})")]
    OutOfTurn(u16),
    /// The server has given something else than an answer.
    #[error("it gives {0}")]
    Malformed(&'static str),
    /// The server has closed the connection.
    #[error("it has closed the connection")]
    Closed,
    /// The server has not answered in time.
    #[error("it has not answered in time")]
    TimedOut,
    /// The server's certificate is not to be trusted, or TLS has failed otherwise.
    #[error("{}", ServerText::new(.0.to_string()))]
    Tls(#[source] rustls::Error),
    /// The server cannot do what is needed.
    #[error("{0}")]
    Unfit(String),
    /// The connection has failed.
    #[error("{}", ServerText::new(words(.0)))]
    Io(#[source] io::Error),
}

impl SmtpError {
    /// Returns true if the connection has ended, as 421 announces, so that the server has
    /// said nothing about what it was asked.
    #[must_use]
    pub fn is_end(&self) -> bool {
        match self {
            SmtpError::Refused(answer) => answer.code == 421,
            SmtpError::Closed | SmtpError::Io(_) => true,
            _ => false,
        }
    }

    /// Returns true if another attempt would end the same.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        match self {
            SmtpError::Refused(answer) => answer.is_permanent(),
            SmtpError::Tls(_) | SmtpError::Unfit(_) => true,
            _ => false,
        }
    }
}

impl From<WireError> for SmtpError {
    fn from(error: WireError) -> SmtpError {
        match error {
            WireError::Closed => SmtpError::Closed,
            WireError::TimedOut => SmtpError::TimedOut,
            WireError::LongLine => SmtpError::Malformed("a line without an end"),
            WireError::LongAnswer => SmtpError::Malformed("something else than an answer"),
            WireError::BehindStarttls => {
                SmtpError::Malformed("words behind its answer to STARTTLS")
            }
            WireError::Io(error) => match tls_error(&error) {
                Some(tls) => SmtpError::Tls(tls.clone()),
                None => SmtpError::Io(error),
            },
        }
    }
}

impl From<io::Error> for SmtpError {
    fn from(error: io::Error) -> SmtpError {
        WireError::from(error).into()
    }
}

/// An answer of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtpReply {
    /// The three digits.
    pub code: u16,
    /// The words, the lines joined.
    pub text: ServerText,
}

impl SmtpReply {
    fn is_permanent(&self) -> bool {
        self.code >= 500
    }
}

/// A connection to a mail server.
pub struct SmtpConnection<S = AnyStream> {
    wire: Wire<S>,
    /// The server's extensions: a line each, in capitals.
    extensions: Vec<String>,
    /// The words of the greeting.
    pub greeting: ServerText,
    /// The lines of the last answer as the server sent them, without their code.
    lines: Vec<Vec<u8>>,
    /// True while every answer was one to what was said last.
    is_in_step: bool,
}

impl<S: Stream> SmtpConnection<S> {
    /// Creates a connection over a stream on which nothing has been said.
    #[must_use]
    pub fn over(stream: S) -> SmtpConnection<S> {
        SmtpConnection {
            wire: Wire::new(stream, ANSWER),
            extensions: Vec::new(),
            greeting: ServerText::default(),
            lines: Vec::new(),
            is_in_step: true,
        }
    }

    /// Returns true if the next answer will be one to what is said next. An answer that
    /// came late or not at all may still come, and would be taken for the next one.
    #[must_use]
    pub fn is_in_step(&self) -> bool {
        self.is_in_step
    }

    /// Returns the stream.
    ///
    /// # Errors
    ///
    /// As [`Wire::into_stream`].
    pub fn into_stream(self) -> Result<S, SmtpError> {
        Ok(self.wire.into_stream()?)
    }

    /// Returns true if the connection is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.wire.is_encrypted()
    }

    /// Reads the greeting of a server.
    ///
    /// # Errors
    ///
    /// If the server turns the client away or the connection fails.
    pub fn greeted(stream: S, limit: Duration) -> Result<SmtpConnection<S>, SmtpError> {
        let mut connection = SmtpConnection::over(stream);
        connection.greeting = connection.answer(&[220], limit)?.text;
        Ok(connection)
    }

    /// Introduces the client, and notes what the server can do.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn hello(&mut self, limit: Duration) -> Result<(), SmtpError> {
        // The machine's own name and address are nobody's business.
        self.say("EHLO [127.0.0.1]", &[250], limit)?;
        let lines = self.lines.iter().skip(1);
        let lines = lines.map(|line| String::from_utf8_lossy(line).to_ascii_uppercase());
        self.extensions = lines.collect();
        Ok(())
    }

    /// Returns true if the server offers this extension.
    #[must_use]
    pub fn offers(&self, extension: &str) -> bool {
        let mut lines = self.extensions.iter();
        lines.any(|line| line.split(' ').next() == Some(extension))
    }

    /// Returns true if the server offers this way to log in.
    #[must_use]
    pub fn takes_login(&self, mechanism: &str) -> bool {
        let mut lines = self.extensions.iter();
        lines.any(|line| {
            // Old servers write `AUTH=`.
            let words = line.strip_prefix("AUTH");
            let words = words.filter(|words| words.starts_with([' ', '=']));
            words.is_some_and(|words| words[1..].split(' ').any(|word| word == mechanism))
        })
    }

    /// Gives a command, and returns the answer, which has one of these codes.
    ///
    /// # Errors
    ///
    /// If the answer is another one or does not come in time.
    pub fn say(
        &mut self,
        command: &str,
        codes: &[u16],
        limit: Duration,
    ) -> Result<SmtpReply, SmtpError> {
        if command.contains(['\r', '\n', '\0']) {
            return Err(SmtpError::Unfit(
                "a command has characters that would end it".to_owned(),
            ));
        }
        self.exchange(format!("{command}\r\n").as_bytes(), codes, limit)
    }

    /// Sends the text of a mail after DATA, and waits for the answer to its final dot.
    ///
    /// # Errors
    ///
    /// As [`SmtpConnection::say`]. Unless the server has refused the mail, nobody knows
    /// whether it has it.
    pub fn send_text(&mut self, text: &[u8], limit: Duration) -> Result<(), SmtpError> {
        self.exchange(&wire::stuffed(text), &[250], limit)
            .map(|_| ())
    }

    fn exchange(
        &mut self,
        bytes: &[u8],
        codes: &[u16],
        limit: Duration,
    ) -> Result<SmtpReply, SmtpError> {
        let sent = self.wire.send(bytes, limit).map_err(SmtpError::from);
        let answer = sent.and_then(|()| self.answer(codes, limit));
        self.is_in_step = matches!(answer, Ok(_) | Err(SmtpError::Refused(_)));
        answer
    }

    fn answer(&mut self, codes: &[u16], limit: Duration) -> Result<SmtpReply, SmtpError> {
        self.wire.expect_answer(limit);
        self.lines.clear();
        let mut code = None;
        loop {
            let line = self.wire.line(LINE)?;
            let malformed = || SmtpError::Malformed("something else than an answer");
            let (digits, rest) = line.split_at_checked(3).ok_or_else(malformed)?;
            let said = match digits {
                [b'2'..=b'5', b'0'..=b'9', b'0'..=b'9'] => digits
                    .iter()
                    .fold(0, |number, digit| number * 10 + u16::from(digit - b'0')),
                _ => return Err(malformed()),
            };
            if self.lines.len() == LINES || *code.get_or_insert(said) != said {
                return Err(malformed());
            }
            let (is_last, words) = match rest.split_first() {
                Some((b'-', words)) => (false, words),
                Some((b' ', words)) => (true, words),
                None => (true, rest),
                Some(_) => return Err(malformed()),
            };
            self.lines.push(words.trim_ascii().to_vec());
            if is_last {
                return match said {
                    code if codes.contains(&code) => Ok(self.reply(code)),
                    ..400 => Err(SmtpError::OutOfTurn(said)),
                    code => Err(SmtpError::Refused(self.reply(code))),
                };
            }
        }
    }

    fn reply(&self, code: u16) -> SmtpReply {
        let text = ServerText::new(joined(&self.lines));
        SmtpReply { code, text }
    }
}

/// Joins the lines of an answer. Of an enhanced status code that each line repeats, only
/// the first is left.
fn joined(lines: &[Vec<u8>]) -> Vec<u8> {
    let first = lines
        .first()
        .and_then(|line| line.split(|byte| *byte == b' ').next());
    let is_status = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let status = first.filter(|word| !word.is_empty() && word.iter().all(is_status));
    let mut words: Vec<&[u8]> = Vec::new();
    for line in lines {
        let rest = status.and_then(|status| line.strip_prefix(status)?.strip_prefix(b" "));
        let rest = rest.filter(|_| !words.is_empty());
        words.push(rest.unwrap_or(line).trim_ascii());
    }
    words.join(&b' ').trim_ascii().to_vec()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc::{self, TryRecvError};
    use std::thread;

    use super::*;
    use crate::wire::TimedSocket;

    fn over(tcp: TcpStream) -> SmtpConnection<TimedSocket> {
        SmtpConnection::over(TimedSocket::new(tcp, Duration::from_mins(1)))
    }

    /// A connection to somebody who says this and closes it.
    fn told(words: &'static [u8]) -> SmtpConnection<TimedSocket> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(words).unwrap();
        });
        over(TcpStream::connect(address).unwrap())
    }

    fn answer(words: &'static [u8]) -> Result<SmtpReply, SmtpError> {
        told(words).answer(&[250], Duration::from_mins(1))
    }

    #[test]
    fn answers_are_read() {
        for (words, text) in [
            (&b"250 yes\r\n"[..], "yes"),
            (b"250\r\n", ""),
            (b"250-2.0.0 a\r\n250 2.0.0 b\n", "2.0.0 a b"),
            (b"250-\r\n250-x\r\n250 sch\xf6n\r\n", "x sch\u{fffd}n"),
        ] {
            assert_eq!(&*answer(words).unwrap().text, text);
        }
        let refused = answer(b"550-5.1.1 no\r\n550 5.1.1 such user\r\n").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "permanent error (550): 5.1.1 no such user"
        );
        let later = answer(b"451 later\r\n").unwrap_err();
        assert_eq!(later.to_string(), "transient error (451): later");
        assert!(refused.is_permanent() && !later.is_permanent());
        assert!(matches!(
            answer(b"221 bye\r\n"),
            Err(SmtpError::OutOfTurn(221))
        ));
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for words in [
            &b"hello\r\n"[..],
            b"25\r\n",
            b"950 x\r\n",
            b"250_x\r\n",
            b"250-x\r\n550 y\r\n",
            b"\xff\xff\xff\xff\r\n",
        ] {
            assert!(
                matches!(answer(words), Err(SmtpError::Malformed(_))),
                "{words:?}"
            );
        }
        for words in [&b""[..], b"250", b"250-x\r\n"] {
            assert!(matches!(answer(words), Err(SmtpError::Closed)), "{words:?}");
        }
        let long: &'static [u8] = vec![b'2'; LINE + 1].leak();
        assert!(matches!(answer(long), Err(SmtpError::Malformed(_))));
        let many: &'static [u8] = b"250-x\r\n".repeat(LINES + 1).leak();
        assert!(matches!(answer(many), Err(SmtpError::Malformed(_))));
    }

    /// A server whose answers have no end, in lines of all lengths and forms.
    #[test]
    fn an_answer_without_an_end_is_left() {
        let mut rng = fastrand::Rng::with_seed(25);
        for round in 0..30 {
            let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let address = listener.local_addr().unwrap();
            let longest = 1 << (round % 15);
            let mut lines = Vec::new();
            for _ in 0..9 {
                let code = [220, 250, 250, 250, 451, 550][rng.usize(..6)];
                let mark = ["-", "-", "-", " ", ""][rng.usize(..5)];
                let words = "x".repeat(rng.usize(..longest));
                let end = ["\r\n", "\r\n", "\n", ""][rng.usize(..4)];
                lines.extend(format!("{code}{mark}{words}{end}").into_bytes());
            }
            let server = thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                while stream.write_all(&lines).is_ok() {}
            });
            let mut connection = over(TcpStream::connect(address).unwrap());
            // However many answers come, each command takes one, and that has an end.
            for _ in 0..9 {
                let before = connection.wire.unread();
                let _ = connection.say("NOOP", &[250], Duration::from_mins(1));
                assert!(connection.wire.unread() <= before.max(5 * LINE), "{round}");
            }
            drop(connection);
            server.join().unwrap();
        }
    }

    /// What comes gains no time, and the next command has its own.
    #[test]
    fn an_answer_ends_with_the_time_of_its_step() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (late, is_late) = mpsc::channel::<()>();
        let drip = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            while is_late.try_recv() == Err(TryRecvError::Empty) {
                stream.write_all(b"250-x\r\n").unwrap();
                thread::sleep(Duration::from_millis(10));
            }
            stream.write_all(b"250 y\r\n").unwrap();
        });
        let mut connection = over(TcpStream::connect(address).unwrap());
        let answer = connection.answer(&[250], Duration::from_millis(1));
        assert!(matches!(answer, Err(SmtpError::TimedOut)), "{answer:?}");
        late.send(()).unwrap();
        let answer = connection.answer(&[250], Duration::from_mins(1));
        assert!(answer.unwrap().text.ends_with('y'));
        drip.join().unwrap();
    }

    #[test]
    fn what_a_server_offers_is_known() {
        let mut connection =
            told(b"250-mx\r\n250-Starttls\r\n250-AUTH plain LOGIN\r\n250 AUTH=XOAUTH2\r\n");
        connection.hello(Duration::from_mins(1)).unwrap();
        assert!(connection.offers("STARTTLS") && !connection.offers("MX"));
        for mechanism in ["PLAIN", "LOGIN", "XOAUTH2"] {
            assert!(connection.takes_login(mechanism), "{mechanism}");
        }
        assert!(!connection.takes_login("CRAM-MD5"));
    }

    #[test]
    fn no_command_has_two_lines() {
        let mut connection = told(b"250 yes\r\n");
        let said = connection.say("RCPT TO:<a@b.test>\r\nDATA", &[250], Duration::from_mins(1));
        assert!(said.unwrap_err().is_permanent());
    }
}
