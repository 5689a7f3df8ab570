//! `fetch --watch`.

use std::net::TcpListener;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::{Scene, plays, words};
use crate::servers::wait_until;

/// A run that waits for mail.
struct Watch {
    child: Child,
}

impl Watch {
    fn start(scene: &Scene, words: &[&str]) -> Watch {
        let test = scene.fetch(&["--watch"]).args(words.iter().copied());
        let stdout = fs::File::create(scene.house.path("stdout")).unwrap();
        let stderr = fs::File::create(scene.house.path("stderr")).unwrap();
        let mut command = test.command();
        let command = command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
        let child = command.spawn().unwrap();
        Watch { child }
    }

    fn signal(&self) {
        let kill = format!("kill -s TERM {}", self.child.id());
        let killed = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(killed.success());
    }

    /// Ends it as a service manager does.
    fn end(mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        self.signal();
        let mut status = None;
        wait_until(|| {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        (status.expect("it ends"), begun.elapsed())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Scene {
    fn idles(&self, times: usize) {
        let idles = || self.dovecot.said("referee", true).matches("IDLE").count();
        assert!(
            wait_until(|| idles() >= times),
            "{}",
            self.house.read("stderr")
        );
    }

    fn wait_for_words(&self, expected: &[&str]) {
        let found = wait_until(|| words(&self.house.read("stdout")) == expected);
        assert!(
            found,
            "{}{}",
            self.house.read("stdout"),
            self.house.read("stderr")
        );
    }
}

#[test]
#[ignore = "needs Dovecot"]
fn a_message_is_handled_moments_after_it_came_and_answers_are_sent() {
    let scene = Scene::new();
    scene.first();
    let watch = Watch::start(&scene, &["--send"]);
    scene.idles(1);
    let other = scene.fetch(&[]).env("PARAPOST_WAIT", "0").status(75);
    other
        .stderr_contains("another 'parapost fetch' reads 'INBOX'")
        .run();
    let begun = Instant::now();
    scene.deliver(&plays("white", "P>e3"));
    scene.wait_for_words(&["accepted"]);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
    scene.deliver(&plays("black", "n>g5"));
    scene.wait_for_words(&["accepted", "accepted"]);
    let outbox = scene.house.path("games/outbox");
    let sent = || fs::read_dir(&outbox).map_or(0, Iterator::count);
    assert!(wait_until(|| sent() == 4), "{}", sent());
    scene.idles(3);
    let (status, took) = watch.end();
    assert_eq!(status.code(), Some(0), "{}", scene.house.read("stderr"));
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert_eq!(scene.house.read("stderr"), "");
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
}

/// The greeting of a mail server is waited for a minute.
#[test]
#[ignore = "needs Dovecot"]
fn a_second_signal_ends_a_watch_whose_mail_server_says_nothing() {
    let scene = Scene::new();
    scene.first();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let config = scene.house.read("config.toml");
    let section = format!(
        "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n"
    );
    scene.house.write("config.toml", config + &section);
    scene.deliver(&plays("white", "P>e3"));
    let mut watch = Watch::start(&scene, &["--send"]);
    let connection = silent.accept().unwrap();
    watch.signal();
    thread::sleep(Duration::from_secs(2));
    assert_eq!(watch.child.try_wait().unwrap(), None);
    let (status, took) = watch.end();
    assert_eq!(status.code(), Some(0));
    assert!(took < Duration::from_secs(20), "{took:?}");
    drop(connection);
    assert_eq!(scene.moves(), "1. P>e3");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_server_that_goes_and_comes_back_is_found_again() {
    let mut scene = Scene::new();
    scene.first();
    let watch = Watch::start(&scene, &[]);
    scene.idles(1);
    scene.dovecot.restart();
    scene.deliver(&plays("white", "P>e3"));
    scene.wait_for_words(&["accepted"]);
    scene.idles(2);
    let (status, _) = watch.end();
    assert_eq!(status.code(), Some(0));
    let said = scene.house.read("stderr");
    assert!(said.contains("the next attempt is in 2 seconds"), "{said}");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_server_without_idle_is_looked_at_from_time_to_time() {
    let capability = "protocol imap {\n imap_capability = IMAP4rev1 UIDPLUS\n}";
    let scene = Scene::with(capability, "");
    scene.first();
    scene.deliver(&plays("white", "P>e3"));
    let watch = Watch::start(&scene, &[]);
    scene.wait_for_words(&["accepted"]);
    // While it sleeps, it ends at once.
    thread::sleep(Duration::from_millis(200));
    let (status, took) = watch.end();
    assert_eq!(status.code(), Some(0), "{}", scene.house.read("stderr"));
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(!scene.dovecot.said("referee", true).contains("IDLE"));
}

#[test]
#[ignore = "needs Dovecot"]
fn what_trying_again_does_not_mend_ends_the_watch() {
    let scene = Scene::with("", "folder = \"Games\"");
    let run = scene.fetch(&["--watch"]).status(1);
    run.stderr_contains("the folder 'Games' cannot be opened")
        .run();
}
