//! Two workers on each match of a cluster, both bringing the same letters, while its
//! servers and the workers themselves are killed.
//!
//! Every move that was acknowledged must be there once and in its order, no move accepted
//! twice, no stale text taken, and each mail sent under one Message-ID. First nothing is
//! killed: an engine that loses writes does so without any help.
//!
//! The leader alone is killed in a plain run, which takes some two minutes. With
//! `PARAPOST_CLUSTER=all` everything is, which takes some six.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::Color;
use parapost::store::postgres::connection::Settings;
use parapost::store::postgres::server;
use parapost::store::postgres::store::Postgres;
use parapost::store::store::{Change, Store};

use crate::commands::play;
use crate::matches::log::{settings, time};
use crate::servers::patroni::Cluster;
use crate::servers::postgresql::USER;
use crate::support::Sandbox;

const MATCHES: usize = 16;
const WORKERS: usize = 2;
/// More moves than are made.
const PLIES: usize = 400;

/// What was counted.
#[derive(Default, Debug)]
struct Counts {
    accepted: AtomicUsize,
    duplicates: AtomicUsize,
    deferred: AtomicUsize,
    killed: AtomicUsize,
    stale_refused: AtomicUsize,
}

/// The work of a phase, which all its workers share.
struct Work<'a> {
    house: &'a Sandbox,
    store: &'a Postgres,
    moves: &'a [String],
    counts: &'a Counts,
    is_over: &'a AtomicBool,
    /// True if workers are killed.
    kills: bool,
    /// When a letter was acknowledged last, and the longest time without.
    pace: &'a Mutex<(Instant, Duration)>,
}

/// A match and how far a worker has come in it.
struct Line {
    name: String,
    /// The letters that were acknowledged, in their order, as each worker has it.
    done: [AtomicUsize; WORKERS],
    /// The numbers of the letters that were told to be accepted.
    accepted: Mutex<Vec<usize>>,
}

/// A game of so many half-moves: the texts of its moves.
fn moves() -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(5);
    loop {
        let mut game = Match::new(settings("unachess", &[]), time());
        let mut texts = Vec::new();
        while texts.len() < PLIES && game.turn().is_some() {
            let legal = game.position().single_plies();
            let ply = legal[random.usize(..legal.len())];
            let text = game.position().text(&ply);
            let turn = game.position().turn();
            game.push(LogEntry::new(time(), Action::play(&text), turn))
                .unwrap();
            texts.push(text.clone());
        }
        if texts.len() == PLIES {
            return texts;
        }
    }
}

/// The letter with a half-move, always the same.
fn letter(name: &str, number: usize, text: &str) -> String {
    let (from, dots) = if number.is_multiple_of(2) {
        ("anna", ".")
    } else {
        ("ben", "...")
    };
    format!(
        "From: {from}@example.org\nTo: ref@example.org\nSubject: Re: [{name}] Unachess\n\
         Message-ID: <{number}.{name}@{from}.test>\n\n{}{dots} {text}\n",
        number / 2 + 1
    )
}

impl Work<'_> {
    /// Brings the letters of a match one after another, each until it is acknowledged.
    fn bring(&self, line: &Line, worker: usize) {
        let mut random = fastrand::Rng::new();
        let id = line.name.parse().unwrap();
        while !self.is_over.load(Ordering::Relaxed) {
            let number = line.done[worker].load(Ordering::Relaxed);
            let before = self.store.read(&id);
            let letter = letter(&line.name, number, &self.moves[number]);
            let kill = self.kills && random.u8(..6) == 0;
            let kill = kill.then(|| Duration::from_millis(random.u64(..250)));
            let Some(word) = self.run(&letter, kill) else {
                self.counts.killed.fetch_add(1, Ordering::Relaxed);
                continue;
            };
            match word.as_str() {
                "accepted" => {
                    line.accepted.lock().unwrap().push(number);
                    self.counts.accepted.fetch_add(1, Ordering::Relaxed);
                }
                "duplicate" => {
                    self.counts.duplicates.fetch_add(1, Ordering::Relaxed);
                }
                "deferred" => {
                    self.counts.deferred.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                word => panic!("{}: letter {number}: {word}", line.name),
            }
            line.done[worker].store(number + 1, Ordering::Relaxed);
            {
                let mut pace = self.pace.lock().unwrap();
                pace.1 = pace.1.max(pace.0.elapsed());
                pace.0 = Instant::now();
            }
            let Ok(before) = before else { continue };
            if number.is_multiple_of(4) && before.game.record().steps().len() <= number {
                let mut stale = Match::clone(&before.game);
                let note = LogEntry::new(time(), Event::note("stale"), Color::White);
                stale.push(note).unwrap();
                match self.store.change(&Arc::new(stale), &before.revision) {
                    Ok(Change::Conflict(_)) => {
                        self.counts.stale_refused.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(Change::Done(_)) => panic!("{}: a stale text was taken", line.name),
                    // The end shows that it was not taken.
                    Ok(Change::Unknown(_)) | Err(_) => {}
                }
            }
        }
    }

    /// Runs the program on a letter, and kills it after that time. Returns what it says, or
    /// nothing if it was killed before.
    fn run(&self, letter: &str, kill: Option<Duration>) -> Option<String> {
        let words = ["--wait", "5", "receive", "--send"];
        let mut command = self.house.parapost(play::of("ref", &words)).command();
        let mut child = command
            .env_remove("PARAPOST_NOW")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(letter.as_bytes())
            .unwrap();
        if let Some(after) = kill {
            thread::sleep(after);
            let _ = child.kill();
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        // What was said before the end counts.
        let line = said.lines().next()?;
        line.split('\t').nth(2).map(ToOwned::to_owned)
    }
}

#[test]
#[ignore = "needs Patroni, PostgreSQL"]
fn every_acknowledged_move_survives_the_servers_once_and_in_order() {
    let is_all = std::env::var_os("PARAPOST_CLUSTER").is_some_and(|value| value == "all");
    let start = Instant::now();
    let mut cluster = Cluster::start();
    eprintln!("the cluster is up after {:?}", start.elapsed());
    let house = house(&cluster);
    let settings = Settings {
        hosts: cluster
            .ports
            .map(|port| ("127.0.0.1".to_owned(), port))
            .to_vec(),
        database: "club".to_owned(),
        user: USER.to_owned(),
        password: None,
        tls: None,
        wait: Duration::from_mins(1),
    };
    server::set_up(settings.clone()).unwrap();
    let store = Postgres::new(Settings {
        wait: Duration::from_secs(5),
        ..settings.clone()
    });
    let lines: Vec<Line> = (0..MATCHES).map(|number| begin(&house, number)).collect();
    let moves = moves();
    let counts = Counts::default();
    let phases: &[(&str, bool, u64)] = if is_all {
        &[
            ("nothing fails", false, 20),
            ("workers are killed", true, 30),
            ("the leader is killed", true, 75),
            ("the leader is stopped and wakes", true, 75),
            ("all servers are killed", true, 75),
        ]
    } else {
        &[
            ("nothing fails", false, 8),
            ("the leader is killed", true, 50),
        ]
    };
    for (name, kills, seconds) in phases {
        let before = Snapshot::of(&counts);
        let pace = Mutex::new((Instant::now(), Duration::ZERO));
        let is_over = AtomicBool::new(false);
        let work = Work {
            house: &house,
            store: &store,
            moves: &moves,
            counts: &counts,
            is_over: &is_over,
            kills: *kills,
            pace: &pace,
        };
        let begun = Instant::now();
        thread::scope(|scope| {
            for line in &lines {
                for worker in 0..WORKERS {
                    let work = &work;
                    scope.spawn(move || work.bring(line, worker));
                }
            }
            thread::sleep(Duration::from_secs(seconds / 5));
            fail(&mut cluster, name);
            let end = Duration::from_secs(*seconds);
            thread::sleep(end.saturating_sub(begun.elapsed()));
            is_over.store(true, Ordering::Relaxed);
        });
        let longest = pace.lock().unwrap().1.as_secs_f32();
        let told = Snapshot::of(&counts).since(&before);
        eprintln!(
            "{name}, {seconds} s: {told}; {longest:.1} s the longest without an acknowledgement"
        );
        cluster.wait_until_ready();
    }
    let leader = cluster.leader().expect("it is ready");
    // The claims of those who were killed would end in minutes.
    cluster
        .sql(leader, "club", "update match_mail set expires = now()")
        .unwrap();
    send_the_rest(&house);
    check(&house, &Postgres::new(settings), &lines, &moves);
    eprintln!("all in all {:?}", start.elapsed());
}

/// Does to a cluster what the name of a phase says.
fn fail(cluster: &mut Cluster, name: &str) {
    let leader = cluster.leader();
    match (name, leader) {
        ("the leader is killed", Some(leader)) => {
            cluster.kill(leader);
            thread::sleep(Duration::from_secs(2));
            cluster.revive(leader);
        }
        ("the leader is stopped and wakes", Some(leader)) => {
            cluster.starve(leader);
            thread::sleep(Duration::from_secs(35));
            cluster.signal(leader, "CONT");
        }
        ("all servers are killed", _) => {
            for number in 0..cluster.ports.len() {
                cluster.kill(number);
            }
            for number in 0..cluster.ports.len() {
                cluster.revive(number);
            }
        }
        _ => {}
    }
}

/// The referee's house, whose mail goes into files that tell their Message-IDs.
fn house(cluster: &Cluster) -> Sandbox {
    let house = play::house().dir("sent");
    let sent = house.path("sent");
    let script = format!(
        "#!/bin/sh\nfile=$(mktemp {}/XXXXXXXXXX)\ngrep -i -m1 '^message-id:' >\"$file\"\n",
        sent.display()
    );
    house.write("sendmail", script);
    fs::set_permissions(house.path("sendmail"), Permissions::from_mode(0o755)).unwrap();
    let config = house.read("ref.toml")
        + "[transport]\nkind = \"sendmail\"\npath = \"./sendmail\"\n"
        + &cluster.config();
    house.write("ref.toml", config);
    house
}

fn begin(house: &Sandbox, number: usize) -> Line {
    let name = format!("club{number}");
    let mut words = vec!["--wait", "60"];
    words.extend(play::DEMO);
    words.push("--invited");
    let words: Vec<&str> = words
        .into_iter()
        .map(|word| if word == "demo" { name.as_str() } else { word })
        .collect();
    house
        .parapost(play::of("ref", &words))
        .any_stderr()
        .stdout(format!("{name}\n"))
        .run();
    Line {
        name,
        done: Default::default(),
        accepted: Mutex::default(),
    }
}

/// Sends what is owed until nothing is.
fn send_the_rest(house: &Sandbox) {
    let end = Instant::now() + Duration::from_mins(5);
    loop {
        let mut command = house
            .parapost(play::of("ref", &["--wait", "60", "send"]))
            .command();
        let output = command.stdin(Stdio::null()).output().unwrap();
        if output.status.success() {
            return;
        }
        assert!(
            Instant::now() < end,
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

fn check(house: &Sandbox, store: &Postgres, lines: &[Line], moves: &[String]) {
    let mut owed = BTreeSet::new();
    let mut made = 0;
    for line in lines {
        let game = store.read(&line.name.parse().unwrap()).unwrap().game;
        assert_eq!(game.owed(), [], "{}", line.name);
        let log = game.log().iter();
        let played = log.clone().filter(|event| event.is_move());
        let played: Vec<(String, String)> = played
            .map(|event| {
                let text = event.argument().unwrap_or_default().to_owned();
                (text, event.get("msg").unwrap_or_default().to_owned())
            })
            .collect();
        for (number, (text, msg)) in played.iter().enumerate() {
            let from = ["anna", "ben"][number % 2];
            assert_eq!(*text, moves[number], "{}", line.name);
            assert_eq!(*msg, format!("<{number}.{}@{from}.test>", line.name));
        }
        for done in &line.done {
            let done = done.load(Ordering::Relaxed);
            assert!(
                done <= played.len(),
                "{}: {done} of {} are there",
                line.name,
                played.len()
            );
        }
        let accepted = line.accepted.lock().unwrap();
        let once: BTreeSet<usize> = accepted.iter().copied().collect();
        assert_eq!(
            once.len(),
            accepted.len(),
            "{}: accepted twice: {accepted:?}",
            line.name
        );
        let notes = log.clone().filter(|event| event.is_note());
        assert_eq!(notes.count(), 0, "{}: a stale text was taken", line.name);
        let calls = log.filter(|event| event.is_owed());
        owed.extend(calls.filter_map(|event| event.get("msg").map(ToOwned::to_owned)));
        made += played.len();
    }
    let files = fs::read_dir(house.path("sent")).unwrap();
    let sent = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let sent: Vec<String> = sent
        .filter_map(|text| Some(text.split_once(':')?.1.trim().to_owned()))
        .collect();
    let distinct: BTreeSet<String> = sent.iter().cloned().collect();
    eprintln!(
        "{made} moves are there, each once; {} mails were owed, {} sent {} times",
        owed.len(),
        distinct.len(),
        sent.len()
    );
    assert!(made > MATCHES, "hardly anything was done");
    let missing: Vec<&String> = owed.difference(&distinct).collect();
    assert!(missing.is_empty(), "never sent: {missing:?}");
    let others: Vec<&String> = distinct.difference(&owed).collect();
    assert!(others.is_empty(), "sent and never owed: {others:?}");
}

/// The counts at a time.
struct Snapshot([usize; 5]);

impl Snapshot {
    fn of(counts: &Counts) -> Self {
        let all = [
            &counts.accepted,
            &counts.duplicates,
            &counts.deferred,
            &counts.killed,
            &counts.stale_refused,
        ];
        Self(all.map(|count| count.load(Ordering::Relaxed)))
    }

    fn since(&self, before: &Self) -> String {
        let [accepted, duplicates, deferred, killed, stale] =
            std::array::from_fn(|at| self.0[at] - before.0[at]);
        format!(
            "{accepted} accepted, {duplicates} duplicates, {deferred} deferred, {killed} workers killed, {stale} stale swaps refused"
        )
    }
}
