//! Many processes at the same matches, and programs and servers that hang.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use parapost::matches::r#match::Match;

use crate::commands::play::demo;
use crate::durability::outcome::{Mail, Outcome};
use crate::durability::shim::Fault;
use crate::durability::sink::Sink;
use crate::support::Sandbox;
use crate::support::exim::{Exim, address};

const MATCHES: usize = 8;
const PROCESSES: usize = 32;

/// Starts a command that an alarm ends should it hang.
fn start(house: &Sandbox, line: &[&str], stderr: impl Into<Stdio>) -> Child {
    let mut command = house.parapost(line).command();
    Fault::Off.prepare(&mut command, Path::new(""));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .unwrap()
}

/// A referee's house with eight matches, and mailboxes with a letter for each
/// of them: White's move, the same move in another letter, Black's answer.
fn club() -> Sandbox {
    let house = Sandbox::new()
        .file(
            "config.toml",
            "[me]\nname = \"Ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n[mail]\nhtml = false\n",
        )
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", "2026-11-20T03:00:00Z")
        .env("PARAPOST_WAIT", "100")
        // The Message-IDs are to be the same in every house.
        .secret(".local/share/parapost/secret", [7; 32]);
    for i in 0..MATCHES {
        let id = format!("m{i}");
        let line = ["new", "--game", "unachess", "--id", &id, "--invited"];
        let players = [
            "--white",
            "Anna <anna@example.org>",
            "--black",
            "Ben <ben@example.org>",
        ];
        house
            .parapost(line.iter().chain(&players))
            .stdout(id.clone() + "\n")
            .run();
    }
    // Each from another match on: the processes meet everywhere.
    for (kind, from, body) in [
        ("move", "anna", "1. P>e3"),
        ("again", "anna", "P>e3"),
        ("answer", "ben", "1... n>g5"),
    ] {
        for first in 0..MATCHES {
            let letters: Vec<String> = (0..MATCHES)
                .map(|i| (first + i) % MATCHES)
                .map(|i| {
                    format!(
                        "From {from}@example.org Fri Nov 20 03:00:00 2026\n\
                         From: {from}@example.org\nTo: ref@example.org\n\
                         Subject: Re: [m{i}] Unachess\n\
                         Message-ID: <{kind}.{i}@{from}.test>\n\n{body}\n\n"
                    )
                })
                .collect();
            house.write(format!("{kind}.{first}"), letters.concat());
        }
    }
    house
}

/// What has come of each match.
fn outcomes(house: &Sandbox) -> Vec<Outcome> {
    let mails = Mail::in_folder(&house.path("games/outbox"));
    let of_match = |i: usize| {
        let alone = tempfile::tempdir().unwrap();
        let name = format!("m{i}.txt");
        fs::copy(house.path("games").join(&name), alone.path().join(&name)).unwrap();
        let own = |mail: &&Mail| mail.id.starts_with(&format!("<m{i}."));
        let mails: Vec<Mail> = mails.iter().filter(own).cloned().collect();
        Outcome::of(alone.path(), &mails).unwrap()
    };
    (0..MATCHES).map(of_match).collect()
}

#[test]
#[ignore = "takes long"]
fn many_processes_come_to_what_one_after_another_would() {
    // What may come of it: the letters in every order, one by one.
    let kinds = ["move", "again", "answer"];
    let mut serial: Vec<Vec<Outcome>> = Vec::new();
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let house = club();
        for kind in order {
            let inbox = format!("{}.0", kinds[kind]);
            start(&house, &["receive", "--send", &inbox], Stdio::null())
                .wait()
                .unwrap();
        }
        serial.push(outcomes(&house));
    }

    let house = club();
    let processes: Vec<(usize, Child)> = (0..PROCESSES)
        .map(|number| {
            // Half of them bring the very same letter.
            let kind = ["move", "again", "move", "answer"][number % 4];
            let inbox = format!("{kind}.{}", number / 4 % MATCHES);
            let said = File::create(house.path(format!("err.{number}"))).unwrap();
            (number, start(&house, &["receive", "--send", &inbox], said))
        })
        .collect();
    for (number, mut process) in processes {
        let status = process.wait().unwrap();
        let said = house.read(format!("err.{number}"));
        // An answer that comes before its move is refused.
        assert!(matches!(status.code(), Some(0 | 1)), "{status}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    for (i, outcome) in outcomes(&house).iter().enumerate() {
        assert!(outcome.is_settled(), "{outcome:?}");
        let mut possible = serial.iter().map(|outcomes| &outcomes[i]);
        // The order in which mail was noted as sent is nobody's concern.
        assert!(
            possible
                .any(|one| one.events == outcome.events && one.called_for == outcome.called_for),
            "m{i} has come to what no order comes to: {outcome:?}"
        );
    }
}

#[test]
fn several_that_send_at_once_send_each_mail_and_note_it_once() {
    let sink = Sink::start();
    let house = owing_by(&format!(
        "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {}\ntls = \"none\"\n",
        sink.port
    ))
    .env("PARAPOST_WAIT", "100");
    house
        .parapost(of(&["draw", "offer", "demo"]))
        .any_stderr()
        .run();
    house
        .parapost(of(&["note", "demo", "hello"]))
        .any_stderr()
        .run();
    let owed = owed(&house);
    let processes: Vec<Child> = (0..8)
        .map(|_| start(&house, &["--config", "anna.toml", "send"], Stdio::null()))
        .collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let mails: Vec<Mail> = sink.take().into_iter().map(Mail::new).collect();
    let ids: Vec<&str> = mails.iter().map(|mail| mail.id.as_str()).collect();
    for id in owed {
        assert!(ids.contains(&id.as_str()), "{id}: {ids:?}");
    }
    let outcome = Outcome::of(&house.path("games"), &mails).unwrap();
    assert!(outcome.is_settled(), "{outcome:?}");
}

fn of<'a>(words: &[&'a str]) -> Vec<&'a str> {
    ["--config", "anna.toml"]
        .iter()
        .chain(words)
        .copied()
        .collect()
}

fn owed(house: &Sandbox) -> Vec<String> {
    let game: Match = house.read("games/demo.txt").parse().unwrap();
    game.owed()
        .iter()
        .map(|owed| owed.msg.to_string())
        .collect()
}

/// Anna's move is made and its mail owed, to go in the way those lines say.
fn owing_by(lines: &str) -> Sandbox {
    let house = demo();
    house
        .parapost(of(&["move", "demo", "P>e3"]))
        .any_stderr()
        .run();
    let config = house.read("anna.toml") + lines;
    house.file("anna.toml", config)
}

/// The match goes on, with nobody waiting, while a mail of its is on its way.
fn goes_on(house: &Sandbox) {
    let house = house.clone().env("PARAPOST_WAIT", "0");
    let letter = "From: ben@example.org\nTo: anna@example.org\nSubject: Re: [demo]\n\
                  Message-ID: <1@ben.test>\n\n1... n>g5\n";
    house
        .parapost(of(&["receive"]))
        .stdin(letter)
        .stdout("<1@ben.test>\tdemo\taccepted\n")
        .run();
    house
        .parapost(of(&["move", "demo", "N>d4"]))
        .stderr_contains("2. N>d4 is played")
        .run();
    house
        .parapost(of(&["list"]))
        .stdout_contains("3 half-moves")
        .run();
    // What must wait says so.
    for words in [&["send", "demo"][..], &["undo", "demo"]] {
        house
            .parapost(of(words))
            .status(75)
            .stderr_contains(".demo.send.lock: another process has held this lock")
            .run();
    }
    assert_eq!(owed(&house).len(), 2);
}

/// Waits until there is a file of that name.
fn until_there(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(
            start.elapsed() < Duration::from_mins(2),
            "{}",
            path.display()
        );
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_server_that_hangs_holds_up_no_letter_and_no_move() {
    // It hangs before a word is said, and when the mail is there.
    for answers in [0, 5] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let house = owing_by(&format!(
            "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n"
        ));
        let mut sender = start(&house, &of(&["send"]), Stdio::null());
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        for answer in ["220 mx", "250 mx", "250 from", "250 to", "354 go on"]
            .iter()
            .take(answers)
        {
            use std::io::Write as _;
            stream
                .write_all(format!("{answer}\r\n").as_bytes())
                .unwrap();
            lines.next().unwrap().unwrap();
        }
        if answers > 0 {
            let text = lines.by_ref().map_while(Result::ok);
            assert!(text.take_while(|line| line != ".").count() > 10);
        }
        goes_on(&house);
        drop((stream, lines));
        assert_eq!(sender.wait().unwrap().code(), Some(75));
        assert_eq!(owed(&house).len(), 2);
    }
}

/// A script that says it has begun and then waits until the pipe `gate` opens.
fn waits(house: &Sandbox, name: &str, then: &str) {
    house.write(
        name,
        format!("#!/bin/sh\n: > started\nread line < gate\n{then}\n"),
    );
    fs::set_permissions(house.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    let made = Command::new("mkfifo").arg(house.path("gate")).status();
    assert!(made.unwrap().success());
}

/// Opens the gate for whoever waits at it.
fn open_gate(house: &Sandbox) {
    use std::io::Write as _;
    let gate = OpenOptions::new().write(true).open(house.path("gate"));
    gate.unwrap().write_all(b"go\n").unwrap();
}

#[test]
fn a_mail_program_that_hangs_holds_up_no_letter_and_no_move() {
    let house = owing_by("[transport]\nkind = \"sendmail\"\npath = \"bin/sendmail\"\n");
    waits(&house, "bin/sendmail", "cat > mail");
    let mut sender = start(&house, &of(&["send"]), Stdio::null());
    until_there(&house.path("started"));
    goes_on(&house);
    open_gate(&house);
    assert!(sender.wait().unwrap().success());
    assert!(house.read("mail").contains("1. P>e3"));
    // The mail that was called for meanwhile waits for the next time.
    assert_eq!(owed(&house).len(), 1);
}

#[test]
#[ignore = "needs Exim"]
fn a_password_command_that_hangs_holds_up_no_letter_and_no_move() {
    let exim = Exim::start();
    let house = owing_by(&format!(
        "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\n\
         ca_file = \"{}\"\nuser = \"white\"\npassword_command = [\"./ask\"]\n",
        exim.port,
        exim.ca_file().display()
    ));
    waits(&house, "ask", "exit 1");
    let mut sender = start(&house, &of(&["send"]), Stdio::null());
    until_there(&house.path("started"));
    goes_on(&house);
    open_gate(&house);
    assert_eq!(sender.wait().unwrap().code(), Some(1));
    assert!(exim.messages("black").is_empty(), "{}", address("black"));
    assert_eq!(owed(&house).len(), 2);
}

/// The lock of a killed process goes with it; its file stays and means nothing.
#[test]
fn a_lock_file_of_a_killed_process_blocks_nobody() {
    /// The operation of `flock` that releases a lock, which is none to be killed under.
    const LOCK_UN: i64 = 8;
    let house = owing_by("").env("PARAPOST_WAIT", "0");
    let trace = house.path("trace");
    let run = |fault: Fault| {
        let mut command = house.parapost(of(&["send"])).command();
        fault.prepare(&mut command, &trace);
        command.stderr(Stdio::null()).status().unwrap();
        crate::durability::shim::trace(&trace, house.folder())
    };
    let before = house.contents();
    let restore = || {
        // Each run makes the index anew.
        drop(fs::remove_dir_all(house.path("games/.index")));
        for (path, contents) in &before {
            house.write(path, contents);
        }
    };
    // The first run makes lock files and the outbox; later ones find them.
    run(Fault::None);
    restore();
    let calls = run(Fault::None);
    let locks: Vec<usize> = calls
        .iter()
        .filter(|call| call.name == "flock" && call.shown != LOCK_UN)
        .map(|call| call.number)
        .collect();
    // Those of the index, for the mail, for the match, and the index's when all is done.
    let (_, locks) = locks.split_last().unwrap();
    assert!(locks.len() > 2, "{locks:?}");
    for &lock in locks {
        restore();
        let calls = run(Fault::Kill(lock + 1));
        assert_eq!(calls[lock - 1].name, "flock");
        assert_eq!(calls[lock - 1].result, Some(0), "it has the lock");
        assert_eq!(calls[lock].result, None, "and is killed");
        house
            .parapost(of(&["send"]))
            .stderr_contains("demo: the mail lies in games/outbox/demo.")
            .run();
    }
}
