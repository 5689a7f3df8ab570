//! Mailboxes that are not as they were left, and two faults at once.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

use chrono::{Days, SecondsFormat, Utc};

use super::{Scene, begin, names, plays, stranger, words};
use crate::support::exim::address;

impl Scene {
    /// Copies the INBOX as it is.
    fn back_up(&self) -> PathBuf {
        let copy = self.house.path("backup");
        copy_all(&self.inbox(), &copy);
        copy
    }

    /// Puts the copy in the place of the INBOX.
    fn restore(&self, copy: &PathBuf) {
        fs::remove_dir_all(self.inbox()).unwrap();
        copy_all(copy, &self.inbox());
    }

    fn inbox(&self) -> PathBuf {
        self.dovecot.maildir("referee", "INBOX")
    }

    /// Somebody else's messages, so many, that `fetch` deals with.
    fn fill(&self, messages: usize) {
        for number in 0..messages {
            self.deliver(&foreign(number));
        }
        self.fetch(&[]).run();
    }

    fn accepts_once(&self, why: &str) {
        let run = self.fetch(&[]).any_stdout().stderr_contains(why).run();
        assert_eq!(words(&run.stdout), ["accepted"], "{run:?}");
        assert_eq!(self.moves(), "1. P>e3");
        self.fetch(&[]).run();
    }
}

fn copy_all(from: &PathBuf, to: &PathBuf) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

fn foreign(number: usize) -> String {
    stranger().replace('<', &format!("<{number}."))
}

const CHANGED: &str = "the messages are not those that were there, as after a restore";

#[test]
#[ignore = "needs Dovecot"]
fn a_clock_that_was_ahead_and_a_new_numbering() {
    let scene = Scene::new();
    scene.first();
    scene.fetch(&[]).now("2036-01-02T03:00:00Z").run();
    scene.renumber();
    scene.deliver(&names("white", "1. P>e3"));
    scene.accepts_once("the server has numbered the messages anew");
}

/// What the first run looked at would begin years behind the move that waits.
#[test]
#[ignore = "needs Dovecot"]
fn a_first_run_while_the_clock_is_years_ahead() {
    let scene = Scene::new();
    scene.deliver(&names("white", "1. P>e3"));
    let ahead = scene.fetch(&[]).now("2036-01-02T03:00:00Z");
    let run = ahead
        .any_stdout()
        .stderr_contains("this is the first run")
        .run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert_eq!(scene.moves(), "1. P>e3");
}

/// The log of the match, too, was written while the clock was ahead.
#[test]
#[ignore = "needs Dovecot"]
fn a_match_of_a_time_to_come_and_a_new_numbering() {
    let scene = Scene::new();
    let ahead = scene
        .house
        .clone()
        .env("PARAPOST_NOW", "2036-01-02T03:00:00Z");
    fs::remove_file(scene.house.path("games/m.txt")).unwrap();
    begin(&ahead, "m");
    scene.first();
    scene.renumber();
    scene.deliver(&names("white", "1. P>e3"));
    scene.arrived_days_ago(9);
    scene.accepts_once("the server has numbered the messages anew");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_new_numbering_and_arrivals_days_ago() {
    let scene = Scene::new();
    let old = scene
        .house
        .clone()
        .env("PARAPOST_NOW", "2026-11-10T03:00:00Z");
    fs::remove_file(scene.house.path("games/m.txt")).unwrap();
    begin(&old, "m");
    scene.first();
    scene.renumber();
    scene.deliver(&names("white", "1. P>e3"));
    scene.arrived_days_ago(6);
    scene.accepts_once("the server has numbered the messages anew");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_restored_mailbox_that_ends_before_the_place() {
    let scene = Scene::new();
    scene.first();
    scene.fill(1);
    let copy = scene.back_up();
    scene.fill(3);
    scene.restore(&copy);
    scene.deliver(&names("white", "1. P>e3"));
    scene.accepts_once(CHANGED);
}

#[test]
#[ignore = "needs Dovecot"]
fn a_restored_mailbox_that_has_outgrown_the_place() {
    let scene = Scene::new();
    scene.first();
    scene.fill(1);
    let copy = scene.back_up();
    scene.fill(3);
    scene.restore(&copy);
    scene.deliver(&names("white", "1. P>e3"));
    for number in 10..20 {
        scene.deliver(&foreign(number));
    }
    scene.accepts_once(CHANGED);
}

/// Whoever sends messages under the ids of earlier ones, at the same numbers, cannot choose
/// when they arrive: the place would pass over the move in front of them.
#[test]
#[ignore = "needs Dovecot"]
fn messages_under_the_ids_of_some_that_are_gone_are_others() {
    let scene = Scene::new();
    scene.first();
    scene.fill(1);
    let copy = scene.back_up();
    for number in 10..20 {
        scene.deliver(&foreign(number));
    }
    let hour_ago = SystemTime::now() - Duration::from_hours(1);
    for entry in fs::read_dir(scene.inbox().join("new")).unwrap() {
        let file = fs::File::options().write(true).open(entry.unwrap().path());
        file.unwrap().set_modified(hour_ago).unwrap();
    }
    scene.fetch(&[]).run();
    scene.restore(&copy);
    scene.deliver(&names("white", "1. P>e3"));
    for number in 11..20 {
        scene.deliver(&foreign(number));
    }
    scene.accepts_once(CHANGED);
}

/// The ids are what others write, and so no reason to begin anew.
#[test]
#[ignore = "needs Dovecot"]
fn messages_that_share_an_id_or_are_gone_show_no_other_mailbox() {
    let scene = Scene::new();
    scene.first();
    for _ in 0..3 {
        scene.deliver(&stranger());
    }
    scene.deliver(&stranger().replace("Message-ID: ", "X-Id: "));
    scene.deliver(&stranger().replace("Message-ID: ", "Message-ID: <a@b>\nMessage-ID: "));
    scene.fetch(&[]).run();
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    for name in scene.names("INBOX").iter().skip(1) {
        fs::remove_file(scene.inbox().join(name)).unwrap();
    }
    scene.fetch(&[]).run();
    for name in scene.names("INBOX") {
        fs::remove_file(scene.inbox().join(name)).unwrap();
    }
    scene.deliver(&plays("black", "n>g5"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    let text = fs::read_to_string(scene.place()).unwrap();
    assert!(text.contains(&format!("User: {}", "referee")), "{text}");
    assert!(!text.contains(&address("white")), "{text}");
}

/// Begins with a place that was complete so many days ago.
fn complete_days_ago(days: u64) -> Scene {
    let scene = Scene::new();
    let time = Utc::now() - Days::new(days);
    let time = time.to_rfc3339_opts(SecondsFormat::Secs, true);
    let first = scene.fetch(&[]).now(&time);
    first.stderr_contains("this is the first run").run();
    scene
}

/// A letter that waits for a damaged match.
fn keep_a_letter(scene: &Scene) {
    let whole = scene.house.read("games/m.txt");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    scene.deliver(&names("white", "1. P>e4"));
    let run = scene.fetch(&[]).any_stdout().any_stderr().status(75).run();
    assert_eq!(words(&run.stdout), ["deferred"]);
    scene.house.write("games/m.txt", whole);
}

/// What was complete then is so up to that day, whatever the clocks of both say: nothing
/// before it, and two days beside it.
#[test]
#[ignore = "needs Dovecot"]
fn a_new_numbering_begins_two_days_before_the_last_complete_run() {
    for (days, words_said) in [(15, &["accepted"][..]), (18, &[])] {
        let scene = complete_days_ago(14);
        keep_a_letter(&scene);
        scene.renumber();
        scene.deliver(&names("white", "1. P>e3"));
        scene.arrived_days_ago(days);
        let run = scene.fetch(&[]).any_stdout();
        let run = run.stderr_contains("numbered the messages anew").run();
        assert_eq!(words(&run.stdout), words_said, "{days}: {run:?}");
        scene.fetch(&[]).run();
    }
}

/// The number of the letter that was kept is now that of another message.
#[test]
#[ignore = "needs Dovecot"]
fn what_was_kept_by_its_number_is_forgotten_with_a_new_numbering() {
    let scene = Scene::new();
    scene.first();
    keep_a_letter(&scene);
    let again = || {
        let place = fs::read_to_string(scene.place()).unwrap();
        let line = place.lines().find(|line| line.starts_with("Again:"));
        line.unwrap().to_owned()
    };
    assert_eq!(again(), "Again: 1");
    scene.renumber();
    scene.deliver(&names("white", "1. P>e3"));
    scene.arrived_days_ago(60);
    let run = scene.fetch(&[]);
    run.stderr_contains("numbered the messages anew").run();
    assert_eq!((scene.moves().as_str(), again().as_str()), ("", "Again: "));
}

/// The place is above all that is there, and nothing of what it is known by is there.
#[test]
#[ignore = "needs Dovecot"]
fn a_restored_mailbox_that_has_none_of_the_last_messages() {
    let scene = Scene::new();
    scene.first();
    let copy = scene.back_up();
    scene.fill(12);
    scene.restore(&copy);
    scene.deliver(&names("white", "1. P>e3"));
    scene.accepts_once(CHANGED);
}

/// Else nothing would tell the folder from a restored one once the last messages are gone.
#[test]
#[ignore = "needs Dovecot"]
fn a_folder_is_known_by_what_is_there_once_the_last_messages_are_gone() {
    let scene = Scene::new();
    scene.first();
    scene.fill(1);
    for number in 10..20 {
        scene.deliver(&foreign(number));
    }
    scene.fetch(&[]).run();
    let traces = || {
        let text = fs::read_to_string(scene.place()).unwrap();
        text.lines()
            .filter(|line| line.starts_with("Trace: "))
            .count()
    };
    assert_eq!(traces(), 8);
    let first = foreign(0);
    let (_, id) = first.split_once("Message-ID: ").unwrap();
    let id = id.lines().next().unwrap();
    for name in scene.names("INBOX") {
        let path = scene.inbox().join(name);
        if !fs::read_to_string(&path).unwrap().contains(id) {
            fs::remove_file(path).unwrap();
        }
    }
    scene.fetch(&[]).run();
    assert_eq!(traces(), 1);
}
