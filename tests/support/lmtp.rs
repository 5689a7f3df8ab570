//! `parapost serve` for the length of a test, and a client of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use crate::support::Sandbox;
use crate::support::peak::peak;

const PATIENCE: Duration = Duration::from_mins(1);

/// A running `parapost serve --lmtp`.
pub(crate) struct Server {
    child: Child,
    /// Each line of standard error, as it comes.
    said: Arc<(Mutex<String>, Condvar)>,
    pub(crate) port: u16,
}

impl Server {
    /// Starts it at a free port of the loopback, and waits until it listens.
    pub(crate) fn start(house: &Sandbox, more: &[&str]) -> Server {
        let line = ["serve", "--lmtp", "127.0.0.1:0"];
        let test = house.parapost(line.iter().chain(more)).any_stdout();
        Server::of(&mut test.command())
    }

    /// Runs this command, which must come to serve a port.
    pub(crate) fn of(command: &mut Command) -> Server {
        Server::with_stdin(command, Stdio::null())
    }

    /// Runs it with this standard input.
    pub(crate) fn with_stdin(command: &mut Command, stdin: Stdio) -> Server {
        let mut child = command
            .stdin(stdin)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let (lines, heard) = (child.stderr.take().unwrap(), Arc::clone(&said));
        thread::spawn(move || {
            for line in BufReader::new(lines).lines().map_while(Result::ok) {
                heard.0.lock().unwrap().push_str(&(line + "\n"));
                heard.1.notify_all();
            }
        });
        let mut server = Server {
            child,
            said,
            port: 0,
        };
        let said = server.wait_for("listening at 127.0.0.1:");
        let (_, port) = said.split_once("listening at 127.0.0.1:").unwrap();
        server.port = port.lines().next().unwrap().parse().unwrap();
        server
    }

    /// Waits until it has said this on standard error.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        let (said, news) = &*self.said;
        let said = said.lock().unwrap();
        let waited = news.wait_timeout_while(said, PATIENCE, |said| !said.contains(text));
        let (said, result) = waited.unwrap();
        assert!(!result.timed_out(), "no '{text}' in:\n{said}");
        said.clone()
    }

    pub(crate) fn said(&self) -> String {
        self.said.0.lock().unwrap().clone()
    }

    /// Sends it a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -s {name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.unwrap().success());
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Ends it, which must succeed.
    pub(crate) fn stop(mut self) -> String {
        self.signal("TERM");
        let status = self.wait();
        assert!(status.success(), "{status}:\n{}", self.said());
        self.said()
    }

    /// Ends it at once.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.wait();
    }

    /// The most memory that it has used, in KiB.
    pub(crate) fn peak(&self) -> usize {
        peak(self.child.id()).unwrap()
    }

    pub(crate) fn client(&self) -> Client<TcpStream> {
        Client::to(self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client of LMTP, which has been greeted.
pub(crate) struct Client<S> {
    lines: BufReader<S>,
    stream: S,
}

impl Client<TcpStream> {
    /// Connects to a server at a port of the loopback.
    pub(crate) fn to(port: u16) -> Client<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client::new(stream.try_clone().unwrap(), stream)
    }
}

impl Client<UnixStream> {
    pub(crate) fn at(path: &Path) -> Client<UnixStream> {
        let stream = UnixStream::connect(path).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client::new(stream.try_clone().unwrap(), stream)
    }
}

impl<S: Read + Write> Client<S> {
    fn new(lines: S, stream: S) -> Client<S> {
        let lines = BufReader::new(lines);
        let mut client = Client { lines, stream };
        assert!(client.reply().starts_with("220 "));
        assert!(client.ask("LHLO client").starts_with("250 "));
        client
    }

    pub(crate) fn tell(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The last line of the next reply; empty at the end.
    pub(crate) fn reply(&mut self) -> String {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).is_err() {
                return String::new();
            }
            if line.as_bytes().get(3) != Some(&b'-') {
                return line.trim_end().to_owned();
            }
        }
    }

    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.tell(&format!("{line}\r\n"));
        self.reply()
    }

    /// Begins a message for recipients that are known.
    pub(crate) fn begin(&mut self, recipients: &[&str]) {
        let to = recipients.iter().map(|to| format!("RCPT TO:<{to}>\r\n"));
        let to: String = to.collect();
        self.tell(&format!("MAIL FROM:<x@y.test>\r\n{to}DATA\r\n"));
        for _ in 0..=recipients.len() {
            let reply = self.reply();
            assert!(reply.starts_with("250 "), "{reply}");
        }
        let reply = self.reply();
        assert!(reply.starts_with("354 "), "{reply}");
    }

    /// Delivers a message, and returns the replies.
    pub(crate) fn deliver(&mut self, message: &str, recipients: &[&str]) -> Vec<String> {
        self.begin(recipients);
        self.tell(&format!("{}\r\n.\r\n", message.replace('\n', "\r\n")));
        recipients.iter().map(|_| self.reply()).collect()
    }
}
