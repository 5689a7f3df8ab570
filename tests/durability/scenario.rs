//! What is run while things fail: a command in a house where everything is
//! ready for it, and what a person or a mail server does afterwards.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use super::outcome::{Mail, Outcome};
use super::shim::{self, Call, Fault};
use super::sink::Sink;
use crate::support::Sandbox;

/// How mail leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Into the folder `games/outbox`.
    Folder,
    /// To standard output.
    Print,
    /// To a mail server.
    Smtp,
}

/// A command, and what is there before it.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Every file that is there before.
    before: Vec<(PathBuf, Vec<u8>)>,
    line: Vec<String>,
    stdin: &'static str,
    way: Way,
    /// The time when it is run.
    now: &'static str,
}

/// One run.
pub(crate) struct Run {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) trace: Vec<Call>,
}

const PLAYERS: [&str; 4] = [
    "--white",
    "Anna <anna@example.org>",
    "--black",
    "Ben <ben@example.org>",
];

fn letter(number: u32, from: &str, body: &str) -> String {
    format!(
        "From: {from}@example.org\nTo: ref@example.org\nSubject: Re: [demo] Unachess\n\
         Message-ID: <{number}@{from}.test>\n\n{body}\n"
    )
}

impl Scenario {
    /// The command of that line, in the house of that user.
    fn new(name: &'static str, user: &str, way: Way, line: &str) -> Scenario {
        let role = if user == "ref" { "referee" } else { "player" };
        let config = format!(
            "[me]\nname = \"{user}\"\naddress = \"{user}@example.org\"\nrole = \"{role}\"\n[mail]\nhtml = false\n"
        );
        Scenario {
            name,
            before: vec![("config.toml".into(), config.into())],
            line: words(line),
            stdin: "/dev/null",
            way,
            now: "2026-11-20T03:00:00Z",
        }
    }

    /// So late that every spare has been out of use for long enough, and is written over.
    pub(crate) fn later(self) -> Scenario {
        Scenario {
            now: "2126-11-20T03:00:00Z",
            ..self
        }
    }

    fn file(mut self, name: &str, contents: String) -> Scenario {
        self.before.push((name.into(), contents.into()));
        self
    }

    fn stdin(mut self, name: &'static str, contents: String) -> Scenario {
        self.stdin = name;
        self.file(name, contents)
    }

    /// After that command has been run.
    fn after(mut self, line: &str) -> Scenario {
        let house = self.house(None);
        let words = words(line);
        house
            .sandbox
            .parapost(&words)
            .any_stdout()
            .any_stderr()
            .run();
        self.before = house.sandbox.contents();
        self
    }

    /// A match between Anna and Ben is there.
    fn demo(self) -> Scenario {
        self.after("new --game unachess --id demo --invited PLAYERS")
    }

    /// A house in which everything is ready.
    pub(crate) fn house<'a>(&self, sink: Option<&'a Sink>) -> House<'a> {
        // Where a sync costs nothing, if there is such a place: what it is for
        // is told from the trace.
        let memory = Path::new("/dev/shm");
        let sandbox = if memory.is_dir() {
            Sandbox::within(memory)
        } else {
            Sandbox::new()
        };
        let sandbox = sandbox
            .env("PARAPOST_NOW", self.now)
            .env("PARAPOST_CONFIG", "config.toml")
            .env("PARAPOST_GAMES", "games")
            // A lock that outlived its process would be a failure at once.
            .env("PARAPOST_WAIT", "0");
        let house = House { sandbox, sink };
        self.furnish(&house);
        house
    }

    /// Makes everything in the house as it was before.
    pub(crate) fn furnish(&self, house: &House<'_>) {
        for entry in fs::read_dir(house.sandbox.folder()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                fs::remove_dir_all(path).unwrap();
            } else {
                fs::remove_file(path).unwrap();
            }
        }
        for (name, contents) in &self.before {
            let _ = house.sandbox.clone().secret(name, contents);
        }
        if let (Way::Smtp, Some(sink)) = (self.way, house.sink) {
            sink.take();
            let config = house.sandbox.read("config.toml");
            let smtp = format!(
                "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {}\ntls = \"none\"\n",
                sink.port
            );
            house.sandbox.write("config.toml", config + &smtp);
        }
    }

    /// Runs the command while that happens.
    pub(crate) fn run(&self, house: &House<'_>, fault: Fault) -> Run {
        house.run(&self.line, self.stdin, fault)
    }

    /// Sends what is still owed.
    pub(crate) fn send(&self, house: &House<'_>) -> Run {
        let line: &[&str] = match self.way {
            Way::Print => &["send", "--print"],
            Way::Folder | Way::Smtp => &["send"],
        };
        house.run(line, "/dev/null", Fault::Off)
    }

    /// The mails that have gone, by now or in that run.
    pub(crate) fn mails(&self, house: &House<'_>, run: &Run) -> Vec<Mail> {
        match (self.way, house.sink) {
            (Way::Print, _) => Mail::printed(&run.stdout),
            (Way::Smtp, Some(sink)) => sink.take().into_iter().map(Mail::new).collect(),
            _ => Mail::in_folder(&house.sandbox.path("games/outbox")),
        }
    }
}

/// A folder with everything that a scenario needs.
pub(crate) struct House<'a> {
    pub(crate) sandbox: Sandbox,
    sink: Option<&'a Sink>,
}

impl House<'_> {
    /// What has come of it, if those mails have gone.
    ///
    /// # Errors
    ///
    /// As [`Outcome::of`].
    pub(crate) fn outcome(&self, mails: &[Mail]) -> Result<Outcome, String> {
        Outcome::of(&self.sandbox.path("games"), mails)
    }

    /// What a process has left of files that were to take the place of others.
    /// One that makes a file where none was may leave it under a name of its
    /// own, and a match that goes on has a spare.
    pub(crate) fn leftovers(&self) -> Vec<PathBuf> {
        let files = self.sandbox.contents().into_iter().map(|(path, _)| path);
        let mut left: Vec<PathBuf> = files.filter(|path| is_left(path)).collect();
        let is_match = |path: &PathBuf| match_of_spare(path).is_some();
        let spares = left.iter().filter_map(|path| match_of_spare(path));
        let mut matches: Vec<PathBuf> = spares.collect();
        matches.sort();
        let all = matches.len();
        matches.dedup();
        let goes_on = |path: &PathBuf| {
            let text = std::fs::read_to_string(self.sandbox.path(path)).unwrap_or_default();
            text.contains("\nResult: *\n")
        };
        if matches.len() == all && matches.iter().all(goes_on) {
            left.retain(|path| !is_match(path));
        }
        left
    }

    fn run<A: AsRef<str>>(&self, line: &[A], stdin: &str, fault: Fault) -> Run {
        // Outside of the games folder: what is said is no state.
        let path = |name: &str| self.sandbox.path(name);
        let words = line.iter().map(AsRef::as_ref);
        let mut command = self.sandbox.parapost(words).command();
        fault.prepare(&mut command, &path("trace"));
        let status = command
            .stdin(File::open(path(stdin)).unwrap())
            .stdout(File::create(path("out")).unwrap())
            .stderr(File::create(path("err")).unwrap())
            .status()
            .unwrap();
        let run = Run {
            status,
            stdout: self.sandbox.read("out"),
            stderr: self.sandbox.read("err"),
            trace: match fault {
                Fault::Off => Vec::new(),
                _ => shim::trace(&path("trace"), self.sandbox.folder()),
            },
        };
        assert!(
            status.code() != Some(99),
            "the failures cannot be tried: {}",
            run.stderr
        );
        run
    }
}

fn is_left(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    (name.ends_with(".tmp") || name.ends_with(".new")) && !name.starts_with(".parapost-")
}

/// The file of the match that a spare belongs to, whichever of its two names it has.
fn match_of_spare(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_prefix('.')?;
    let name = name.strip_suffix(".tmp").or(name.strip_suffix(".new"))?;
    let game = path.with_file_name(name);
    game.extension()
        .is_some_and(|end| end == "txt")
        .then_some(game)
}

impl Run {
    pub(crate) fn was_killed(&self) -> bool {
        self.status.signal() == Some(9)
    }
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in line.split(' ') {
        match word {
            "PLAYERS" => words.extend(PLAYERS.map(ToOwned::to_owned)),
            word => words.push(word.to_owned()),
        }
    }
    words
}

pub(crate) fn new() -> Scenario {
    let line = "new --game unachess --id demo --send PLAYERS";
    Scenario::new("new --send", "anna", Way::Folder, line)
}

pub(crate) fn r#move() -> Scenario {
    Scenario::new("move --send", "anna", Way::Folder, "move --send demo P>e3").demo()
}

pub(crate) fn undo() -> Scenario {
    Scenario::new("undo", "ref", Way::Folder, "undo --config anna.toml demo")
        .file(
            "anna.toml",
            "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n".to_owned(),
        )
        .demo()
        // Two moves of White's, so that one too many would be seen.
        .after("move --config anna.toml demo P>e3")
        .after("send demo")
        .stdin("reply", letter(1, "ben", "1... n>g5"))
        .after("receive reply")
        .after("send demo")
        .after("move --config anna.toml demo N>d4")
}

pub(crate) fn resign() -> Scenario {
    Scenario::new("resign --send", "anna", Way::Folder, "resign --send demo").demo()
}

/// As [`resign`], where the match has a spare.
pub(crate) fn resign_second() -> Scenario {
    Scenario::new(
        "resign --send, after a move",
        "anna",
        Way::Folder,
        "resign --send demo",
    )
    .demo()
    .after("move --send demo P>e3")
}

pub(crate) fn receive() -> Scenario {
    Scenario::new("receive --send", "ref", Way::Folder, "receive --send -")
        .demo()
        .stdin("letter", letter(1, "anna", "1. P>e3\n\nGood luck!"))
}

/// As [`receive`], where a mail of the match has gone before.
pub(crate) fn receive_second() -> Scenario {
    Scenario::new(
        "receive --send, again",
        "ref",
        Way::Folder,
        "receive --send -",
    )
    .demo()
    .file("first", letter(1, "anna", "1. P>e3"))
    .after("receive --send first")
    .stdin("letter", letter(2, "ben", "1... n>g5"))
}

pub(crate) fn receive_maildir() -> Scenario {
    Scenario::new("receive DIR", "ref", Way::Folder, "receive mail")
        .demo()
        .file("mail/cur/1.a.host:2,S", letter(1, "anna", "1. P>e3"))
        .file("mail/new/2.b.host", letter(2, "ben", "1... n>g5"))
        .file("mail/new/3.c.host", letter(3, "anna", "2. N>d4"))
}

/// Three moves each in eight matches: enough for three threads.
pub(crate) fn receive_side_by_side() -> Scenario {
    let mut letters = String::new();
    for (who, body) in [
        ("anna", "1. P>e3"),
        ("ben", "1... n>g5"),
        ("anna", "2. N>d4"),
    ] {
        for id in 0..8 {
            let text = letter(id, who, body).replace("[demo]", &format!("[m{id}]"));
            let plain = format!("<{id}@{who}.test>");
            let text = text.replace(&plain, &format!("<{}.{id}@{who}.test>", &body[..1]));
            let postmark = format!("From {who}@example.org Fri Nov 20 03:00:00 2026\n");
            letters.extend([postmark.as_str(), &text, "\n"]);
        }
    }
    let mut scenario = Scenario::new("receive MBOX", "ref", Way::Folder, "receive letters.mbox");
    for id in 0..8 {
        scenario = scenario.after(&format!("new --game unachess --id m{id} --invited PLAYERS"));
    }
    scenario.file("letters.mbox", letters)
}

pub(crate) fn receive_deliver() -> Scenario {
    let line = "receive --deliver --send";
    Scenario::new("receive --deliver --send", "ref", Way::Folder, line)
        .demo()
        .file("first", letter(1, "anna", "1. P>e3"))
        .after("receive --send first")
        .stdin("letter", letter(2, "ben", "1... n>e3"))
}

/// Anna's mails of a move and of an offer are owed.
fn owing(name: &'static str, way: Way, line: &str) -> Scenario {
    Scenario::new(name, "anna", way, line)
        .demo()
        .after("move demo P>e3")
        .after("draw offer demo")
}

pub(crate) fn send() -> Scenario {
    owing("send, to a folder", Way::Folder, "send")
}

pub(crate) fn send_print() -> Scenario {
    owing("send --print", Way::Print, "send --print")
}

pub(crate) fn send_smtp() -> Scenario {
    owing("send, to a mail server", Way::Smtp, "send")
}
