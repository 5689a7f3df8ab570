//! `parapost fetch` with a real IMAP server.

mod again;
mod anew;
mod broken;
mod counted;
mod folder;
mod login;
mod many;
mod partner;
mod restored;
mod stand_in;
#[cfg(feature = "postgres")]
mod superseded;
mod watch;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::servers::dovecot::Dovecot;
use crate::servers::wait_until;
use crate::support::exim::{address, password};
use crate::support::{Sandbox, Test};

/// A referee whose mailbox is on a server.
struct Scene {
    house: Sandbox,
    dovecot: Dovecot,
}

impl Scene {
    /// With the match `m` of White and Black.
    fn new() -> Scene {
        Scene::with("", "")
    }

    /// With more lines of the server's configuration, and of the section `[imap]`.
    fn with(server: &str, imap: &str) -> Scene {
        let dovecot = Dovecot::start(server);
        let house = house(dovecot.tls_port, &dovecot.ca_file(), imap);
        Scene { house, dovecot }
    }

    /// Puts a message that nobody has seen into the referee's INBOX.
    fn deliver(&self, message: &str) {
        self.dovecot.deliver("referee", "INBOX", "", message);
    }

    /// Starts to state a run of `fetch`.
    fn fetch(&self, words: &[&str]) -> Test {
        self.house.parapost(["fetch"]).args(words)
    }

    /// Notes the place, so that what comes from now on is read.
    fn first(&self) {
        let test = self.fetch(&[]);
        test.stderr_contains("this is the first run").run();
    }

    /// Takes the place away.
    fn lose_the_place(&self) {
        fs::remove_file(self.place()).unwrap();
    }

    /// The file of the place, of which there is one.
    fn place(&self) -> PathBuf {
        place(&self.house)
    }

    /// Numbers the messages of the INBOX anew. None is left.
    fn renumber(&self) {
        use std::os::unix::fs::{MetadataExt as _, chown};

        let inbox = self.dovecot.maildir("referee", "INBOX");
        // The number is made from the time in seconds.
        let second = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            since.unwrap().as_secs()
        };
        let begun = second();
        assert!(wait_until(|| second() > begun + 1));
        fs::remove_dir_all(&inbox).unwrap();
        self.dovecot.make("referee", "Other");
        let owner = fs::metadata(self.dovecot.ca_file()).unwrap();
        let parts = ["new", "cur", "tmp"].map(|part| inbox.join(part));
        for path in parts.iter().chain([&inbox]) {
            fs::create_dir_all(path).unwrap();
            chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
    }

    /// Has the messages that nobody has looked for yet arrive so many days ago.
    fn arrived_days_ago(&self, days: u64) {
        let new = self.dovecot.maildir("referee", "INBOX").join("new");
        for entry in fs::read_dir(new).unwrap() {
            let file = fs::File::options().write(true).open(entry.unwrap().path());
            let time = SystemTime::now() - Duration::from_hours(24 * days);
            file.unwrap().set_modified(time).unwrap();
        }
    }

    /// The moves of the match.
    fn moves(&self) -> String {
        moves(&self.house)
    }

    /// The names of the messages in a folder of the referee.
    fn names(&self, folder: &str) -> Vec<String> {
        self.dovecot.names("referee", folder)
    }
}

/// A referee's house with the match `m`, whose mailbox is on this port.
fn house(port: u16, ca_file: &Path, imap: &str) -> Sandbox {
    let house = Sandbox::new()
        .dir("games")
        .file("config.toml", config(port, ca_file, PASSWORD, imap))
        .secret("password", password("referee") + "\n")
        .env("PARAPOST_CONFIG", "config.toml");
    begin(&house, "m");
    house
}

/// The file of the place in a house that has one.
fn place(house: &Sandbox) -> PathBuf {
    let files = fs::read_dir(house.path("games/imap")).unwrap();
    let mut paths = files.map(|entry| entry.unwrap().path());
    let is_place = |path: &PathBuf| path.extension().is_some_and(|end| end == "txt");
    let place = paths.find(is_place).expect("a place");
    assert!(!paths.any(|path| is_place(&path)), "two places");
    place
}

const PASSWORD: &str = "password_file = \"password\"";

fn config(port: u16, ca_file: &Path, secret: &str, imap: &str) -> String {
    format!(
        "[me]\nname = \"Referee\"\naddress = \"{}\"\nrole = \"referee\"\n[mail]\nhtml = false\n\
         [imap]\nhost = \"localhost\"\nport = {port}\nca_file = \"{}\"\nuser = \"referee\"\n{secret}\n{imap}\n",
        address("referee"),
        ca_file.display()
    )
}

fn begin(house: &Sandbox, id: &str) {
    let [white, black] = ["white", "black"].map(|name| format!("{name} <{}>", address(name)));
    house
        .parapost(["new", "--game", "unachess", "--invited", "--id", id])
        .args(["--white", &white, "--black", &black])
        .stdout(format!("{id}\n"))
        .run();
}

fn moves(house: &Sandbox) -> String {
    let file = house.read("games/m.txt");
    let lines = file
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let lines = lines.filter(|line| line.contains(".  ") && !line.contains(" chain="));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A message whose text makes its Message-ID.
fn letter(from: &str, subject: &str, body: &str) -> String {
    let mut id = String::new();
    for byte in body.bytes().take(40) {
        let _ = write!(id, "{byte:02x}");
    }
    format!(
        "From: {from}\nTo: {}\nSubject: {subject}\nMessage-ID: <{id}@mail.test>\nDate: Fri, 20 Nov 2026 03:00:00 +0000\n\n{body}\n",
        address("referee")
    )
}

/// A move of a player, in a message that names no match.
fn plays(name: &str, body: &str) -> String {
    letter(&format!("{name} <{}>", address(name)), "my move", body)
}

/// A letter of a player that names the match `m` in its subject.
fn names(name: &str, body: &str) -> String {
    plays(name, body).replace("Subject: my move", "Subject: [m] my move")
}

/// Somebody else's message.
fn stranger() -> String {
    letter("mallory@example.org", "lunch", "Nobody else may read this.")
}

/// The last words of the lines of a run.
fn words(stdout: &str) -> Vec<&str> {
    stdout
        .lines()
        .filter_map(|line| line.rsplit('\t').next())
        .collect()
}
