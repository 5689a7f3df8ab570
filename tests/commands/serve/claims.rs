//! Mail that another process was sending when it was stopped.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::commands::serve::{REFEREE, club, count, letter};
use crate::support::Sandbox;
use crate::support::lmtp::Server;

/// The most that the mail of the others may take: 5 seconds, and what a busy machine adds. It
/// took `--wait`, 60 seconds here.
const SOON: Duration = Duration::from_secs(8);

/// A process that was stopped.
struct Stopped(Child);

impl Stopped {
    /// Stops a process that sends the mail of the match `m0` by a server that says nothing.
    fn sending(house: &Sandbox) -> Stopped {
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = silent.local_addr().unwrap().port();
        let config = house.read("config.toml");
        let section = format!(
            "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n"
        );
        house.write("slow.toml", config + &section);
        let run = house.parapost(["--config", "slow.toml", "send", "m0"]);
        let mut command = run.command();
        let child = command.stderr(Stdio::null()).spawn().unwrap();
        let stopped = Stopped(child);
        let connection = silent.accept().unwrap();
        kill_process(Pid::from_child(&stopped.0), Signal::STOP).unwrap();
        drop(connection);
        stopped
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The matches of which a mail is in the outbox of the house.
fn mailed(house: &Sandbox) -> Vec<String> {
    let Ok(files) = fs::read_dir(house.path("games/outbox")) else {
        return Vec::new();
    };
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut ids: Vec<String> = names
        .map(|name| name.split('.').next().unwrap().to_owned())
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

fn comes_soon(what: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < SOON {
        if what() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// A move is made in each match, and the mail of `m0` is on its way.
fn held() -> (Sandbox, Stopped) {
    let house = club(4).env("PARAPOST_WAIT", "60");
    let letter = letter("anna", "m0", 1, "1. P>e3");
    let run = house.parapost(["receive"]).stdin(letter);
    run.any_stdout().any_stderr().run();
    let stopped = Stopped::sending(&house);
    (house, stopped)
}

#[test]
fn a_stopped_sender_holds_up_the_mail_of_no_other_match_in_serve() {
    let (house, stopped) = held();
    let server = Server::start(&house, &[]);
    let mut client = server.client();
    for id in ["m1", "m2", "m3"] {
        let message = letter("anna", id, 1, "1. P>e3");
        assert_eq!(client.deliver(&message, &[REFEREE]), ["250 2.0.0 ok"]);
    }
    assert!(
        comes_soon(|| mailed(&house) == ["m1", "m2", "m3"]),
        "{:?}",
        mailed(&house)
    );
    assert_eq!(count(&house, "m0", "sent"), 0);
    // Once it is killed, its mail goes as well.
    drop(stopped);
    assert!(comes_soon(|| count(&house, "m0", "sent") > 0));
}

#[test]
fn a_stopped_sender_holds_up_the_mail_of_no_other_match_in_send() {
    let (house, stopped) = held();
    for id in ["m1", "m2"] {
        let run = house
            .parapost(["receive"])
            .stdin(letter("anna", id, 1, "1. P>e3"));
        run.any_stdout().any_stderr().run();
    }
    let run = house.parapost(["send"]);
    let mut sender = run.command().stderr(Stdio::null()).spawn().unwrap();
    assert!(comes_soon(|| mailed(&house) == ["m1", "m2"]));
    drop(stopped);
    assert!(sender.wait().unwrap().success());
    assert!(count(&house, "m0", "sent") > 0);
}

#[test]
fn a_stopped_sender_holds_up_the_mail_of_no_other_match_in_receive() {
    let (house, stopped) = held();
    // Both are called for: a copy of the letter in `m0`, and a new one.
    let letters = [
        letter("anna", "m0", 1, "1. P>e3"),
        letter("anna", "m1", 1, "1. P>e3"),
    ];
    let paths = ["0.eml", "1.eml"];
    for (path, letter) in paths.iter().zip(letters) {
        house.write(path, letter);
    }
    let run = house.parapost(["receive", "--send", paths[0], paths[1]]);
    let mut receiver = run.command();
    let mut receiver = receiver
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(
        comes_soon(|| mailed(&house) == ["m1"]),
        "{:?}",
        mailed(&house)
    );
    drop(stopped);
    assert!(receiver.wait().unwrap().success());
    assert!(count(&house, "m0", "sent") > 0);
}

/// The mail went, could not be noted as sent, and went again and again; and each time
/// `serve` waited for the lock.
#[test]
#[ignore = "takes long"]
fn a_match_whose_lock_is_held_has_no_mail_sent_and_holds_up_no_other() {
    let house = club(3).env("PARAPOST_WAIT", "60");
    for id in ["m0", "m1", "m2"] {
        let run = house
            .parapost(["receive"])
            .stdin(letter("anna", id, 1, "1. P>e3"));
        run.any_stdout().any_stderr().run();
    }
    let file = fs::File::open(house.path("games/.m0.lock")).unwrap();
    file.lock().unwrap();
    let server = Server::start(&house, &[]);
    assert!(comes_soon(|| mailed(&house) == ["m1", "m2"]));
    assert_eq!(count(&house, "m0", "sent"), 0);
    drop(file);
    assert!(comes_soon(|| count(&house, "m0", "sent") == 2));
    server.stop();
}
