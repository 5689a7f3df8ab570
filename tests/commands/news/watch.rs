//! `parapost fetch --news --watch`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::commands::news::attack::{config_at, house_at};
use crate::commands::news::fetch::fetched;
use crate::commands::news::stand_in::{self, Group};
use crate::servers::NOBODY;
use crate::support::Sandbox;

/// How long to wait for a line of the run.
const PATIENCE: Duration = Duration::from_mins(6);

/// The longest time that an end takes, where a server would be waited for much longer.
const AT_ONCE: Duration = Duration::from_secs(20);

/// A run that watches, and the lines that it says.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(house: &Sandbox) -> Watch {
        let mut command = house.parapost(["fetch", "--news", "--watch"]).command();
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let (tell, lines) = channel();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let more = tell.clone();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = more.send(line);
            }
        });
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
        Watch { child, lines }
    }

    /// Waits for a line with these words. Returns those before it.
    fn wait_for(&self, words: &str) -> Vec<String> {
        let mut before = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("{words}: {before:#?}"));
            if line.contains(words) {
                return before;
            }
            before.push(line);
        }
    }

    /// Ends the run by a signal, as a terminal or a supervisor does. Returns what it still says.
    fn end(mut self, signal: &str) -> Vec<String> {
        let begun = Instant::now();
        let process = self.child.id().to_string();
        let kill = format!("kill -s {signal} {process}");
        let sent = Command::new("sh").args(["-c", &kill]).status();
        assert!(sent.unwrap().success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
        self.lines.iter().collect()
    }
}

/// A group of comments on the match of a house.
fn commented(high: u64) -> (Sandbox, Arc<Group>) {
    let article: stand_in::Article = Arc::new(|number: u64| {
        format!(
            "From: Kim <kim@example.net>\nSubject: [demo] a match\nMessage-ID: <{number}@reader.test>\n\nNice!\n"
        )
    });
    let group = Arc::new(Group::new(1..=high, article));
    let port = stand_in::serve_group(&group);
    let (house, _) = house_at(NOBODY);
    house.write("white.toml", config_at(port));
    (house, group)
}

#[test]
fn a_watch_asks_again_after_trouble_and_ends_at_once_and_loses_nothing() {
    let (house, group) = commented(1);
    group.turned_away.store(1, Ordering::SeqCst);
    let watch = Watch::start(&house);
    watch.wait_for("the next attempt is in 2 seconds");
    watch.wait_for("<1@reader.test>\tdemo\tignored");
    // It waits for minutes now.
    watch.end("TERM");
    // In the middle of an article that does not come.
    group.high.store(3, Ordering::SeqCst);
    group.silent_at.store(3, Ordering::SeqCst);
    let watch = Watch::start(&house);
    let before = watch.wait_for("<2@reader.test>\tdemo\tignored");
    assert!(!before.concat().contains("<1@"), "{before:?}");
    // It may not have asked for the next one yet.
    thread::sleep(Duration::from_millis(300));
    let said = watch.end("INT").concat();
    assert!(!said.contains("<3@") && !said.contains("attempt"), "{said}");
    group.silent_at.store(0, Ordering::SeqCst);
    let said = fetched(&house, 0, &[]);
    assert!(
        said.starts_with("<3@reader.test>\tdemo\tignored\n") && !said.contains("<2@"),
        "{said}"
    );
}

/// Where nothing is to be tried again, it asks as often, but every five minutes.
#[test]
#[ignore = "takes long"]
fn a_watch_looks_again_within_minutes() {
    let (house, group) = commented(1);
    let whole = house.read("games/demo.txt");
    house.write("games/demo.txt", whole.replace("Log\n", "Lag\n"));
    let watch = Watch::start(&house);
    watch.wait_for("<1@reader.test>");
    house.write("games/demo.txt", whole);
    group.high.store(2, Ordering::SeqCst);
    watch.wait_for("<1@reader.test>\tdemo\tignored");
    watch.wait_for("<2@reader.test>\tdemo\tignored");
    watch.end("TERM");
}

#[test]
#[ignore = "by hand: it waits for five minutes"]
fn a_watch_looks_again_every_five_minutes() {
    let (house, group) = commented(1);
    let watch = Watch::start(&house);
    watch.wait_for("<1@reader.test>\tdemo\tignored");
    group.high.store(2, Ordering::SeqCst);
    let begun = Instant::now();
    watch.wait_for("<2@reader.test>\tdemo\tignored");
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    assert!((4.9..5.5).contains(&minutes), "{minutes}");
    watch.end("TERM");
}
