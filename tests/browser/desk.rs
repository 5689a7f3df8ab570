//! The program under test in a folder of its own, and the mails it writes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::mail::Mail;

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of the user who runs the program: a player, or the referee.
pub(crate) struct Desk {
    folder: TempDir,
    /// The mails that [`mails`](Self::mails) has given.
    given: RefCell<BTreeSet<PathBuf>>,
}

impl Desk {
    /// The referee `ref@example.org`.
    pub(crate) fn referee() -> Desk {
        Desk::of("The Referee", "ref@example.org", "referee")
    }

    /// Anna, who plays White.
    pub(crate) fn anna() -> Desk {
        Desk::of("Anna", "anna@example.org", "player")
    }

    fn of(name: &str, address: &str, role: &str) -> Desk {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let config = format!(
            "[me]\nname = \"{name}\"\naddress = \"{address}\"\nrole = \"{role}\"\n\n[mail]\n"
        );
        fs::create_dir(folder.path().join("games")).unwrap();
        fs::write(folder.path().join("config.toml"), config).unwrap();
        Desk {
            folder,
            given: RefCell::default(),
        }
    }

    /// Adds a line to the configuration, in the section `[mail]` or one of its own.
    pub(crate) fn configure(&self, lines: &str) {
        let file = self.path().join("config.toml");
        let config = fs::read_to_string(&file).unwrap();
        fs::write(file, config + lines).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program on `stdin` and gives its exit status, standard output
    /// and standard error.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or panics.
    pub(crate) fn try_run(&self, words: &[&str], stdin: &str) -> (Option<i32>, String, String) {
        // `tests/browser/run` builds it.
        let program = root().join("target/debug/parapost");
        let mut child = Command::new(&program)
            .args(words)
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("PARAPOST_CONFIG", "config.toml")
            .env("PARAPOST_NOW", "2026-11-20T03:00:00Z")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let mut pipe = child.stdin.take().expect("piped");
        let input = stdin.to_owned();
        // The program need not read all of it.
        let feeder = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(!stderr.contains("panicked at"), "{words:?}: {stderr}");
        (output.status.code(), stdout, stderr)
    }

    /// Runs the program, which must do what it is asked for, and gives its
    /// standard output.
    #[track_caller]
    pub(crate) fn run(&self, words: &[&str]) -> String {
        let (status, stdout, stderr) = self.try_run(words, "");
        assert_eq!(status, Some(0), "{words:?}: {stdout}{stderr}");
        stdout
    }

    /// Makes the match `m` of Anna and Ben with more options of `new`.
    #[track_caller]
    pub(crate) fn begin(&self, game: &str, moves: &str, more: &[&str]) {
        let mut words = vec!["new", "--id", "m", "--game", game];
        if !more.contains(&"--white") {
            words.extend(["--white", "Anna <anna@example.org>"]);
            words.extend(["--black", "Ben <ben@example.org>"]);
        }
        if !moves.is_empty() {
            words.extend(["--moves", moves]);
        }
        words.extend(more);
        self.run(&words);
    }

    /// Receives a message of `ADDRESS` (without its domain) about the match `m`
    /// and answers it; gives what it was taken for.
    #[track_caller]
    pub(crate) fn receive(&self, from: &str, body: &str) -> String {
        let id = body
            .bytes()
            .fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
        let message = format!(
            "From: {from}@example.org\nTo: ref@example.org\nSubject: Re: [m]\nMessage-ID: <{id}@mail.test>\n\
             MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
        );
        self.receive_message(&message, &["--send"])
    }

    /// The same for a whole message and more options of `receive`.
    #[track_caller]
    pub(crate) fn receive_message(&self, message: &str, more: &[&str]) -> String {
        let words = [&["receive", "--deliver"], more].concat();
        let (_, stdout, stderr) = self.try_run(&words, message);
        let word = stdout.trim_end().rsplit('\t').next();
        let word = word.filter(|word| !word.is_empty());
        word.unwrap_or_else(|| panic!("no word on the message: {stderr}"))
            .to_owned()
    }

    /// The mails that have been sent since this was last asked for, by recipient.
    pub(crate) fn mails(&self) -> Vec<Mail> {
        let Ok(outbox) = fs::read_dir(self.path().join("games/outbox")) else {
            return Vec::new();
        };
        let mut given = self.given.borrow_mut();
        let new: BTreeSet<PathBuf> = outbox
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
            .filter(|path| given.insert(path.clone()))
            .collect();
        let mut mails: Vec<_> = new.iter().map(|path| Mail::read(path)).collect();
        mails.sort_by(|a, b| a.to.cmp(&b.to));
        mails
    }

    /// What `show --as json` says of the match `m`.
    pub(crate) fn shown(&self, more: &[&str]) -> Value {
        let words = [&["show", "--as", "json", "m"], more].concat();
        serde_json::from_str(&self.run(&words)).unwrap()
    }
}

/// The games, each of which has a sample match in `games/`.
pub(crate) const GAMES: [&str; 8] = [
    "chess",
    "kingchess",
    "newchess",
    "parachute",
    "shogi",
    "unachess",
    "unachess2",
    "unashogi",
];

/// The moves of the sample match of a game, without marks.
pub(crate) fn sample(game: &str) -> Vec<String> {
    let desk = Desk::anna();
    let file = root().join(format!("games/{game}.txt"));
    let file = file.to_str().expect("a path in UTF-8");
    let shown: Value = serde_json::from_str(&desk.run(&["show", "--as", "json", file])).unwrap();
    let moves = shown["moves"].as_array().unwrap().iter();
    moves
        .map(|text| text.as_str().unwrap())
        .map(|text| text.split(' ').next().unwrap().to_owned())
        .collect()
}
