//! The long run: `cargo bench -p parapost --features postgres --bench long -- --seconds 3600`.
//!
//! Four workers serve one database of three servers, of which Patroni makes another the
//! leader when one fails. Letters and copies of letters come at fifty a second, to any of
//! the workers. Meanwhile workers are killed, and the leader is killed or stopped, and the
//! mail server refuses, defers, cuts connections and is slow. At the end every letter must
//! have had its one effect, and every mail must have come under its one Message-ID, in time.

#[path = "check.rs"]
mod check;
#[path = "../../support/exim.rs"]
#[allow(dead_code, unused_imports, reason = "the servers name its users alone")]
mod exim;
#[path = "history.rs"]
mod history;
#[path = "letters.rs"]
mod letters;
#[path = "../lmtp.rs"]
mod lmtp;
#[path = "mail_server.rs"]
mod mail_server;
#[path = "../../bench/program.rs"]
mod program;
#[path = "../../servers/mod.rs"]
mod servers;
#[path = "workers.rs"]
mod workers;

/// Where the servers look for what they share with the tests.
mod support {
    pub(crate) use crate::exim;
}

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use chrono::Utc;
use clap::Parser;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::store::postgres::connection::Settings;
use parapost::store::postgres::server;
use parapost::store::postgres::store::Postgres;
use parapost::store::store::Store as _;

use crate::check::Findings;
use crate::history::History;
use crate::letters::{Line, Post};
use crate::mail_server::MailServer;
use crate::program::program;
use crate::servers::patroni::Cluster;
use crate::servers::postgresql::USER;
use crate::workers::Worker;

const REFEREE: &str = "referee@load.test";
const WORKERS: usize = 4;

/// How long all letters may take to be taken at the end, and all mails to go.
const LAST: Duration = Duration::from_mins(5);

/// Kills what serves letters, and checks that nothing is lost, doubled or late.
#[derive(Parser)]
#[command(name = "long")]
struct Args {
    /// How long it goes on, in seconds
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// The number of matches, of all games in turn
    #[arg(long, default_value_t = 1000)]
    matches: usize,
    /// The letters a second, copies included
    #[arg(long, default_value_t = 50)]
    rate: u32,
    /// The mean time from one kill of a worker to the next, in seconds; 0 for none
    #[arg(long, default_value_t = 20)]
    kill_workers: u64,
    /// The mean time from one kill of the leader to the next, in seconds; 0 for none
    #[arg(long, default_value_t = 120)]
    kill_leaders: u64,
    /// The connections by which letters are brought, to each worker
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// The mail server does all that it should
    #[arg(long)]
    good_mail_server: bool,
    /// Keep the folder with the logs of the workers and of the servers of the database, and with
    /// the times at which they were killed; a run that fails keeps it
    #[arg(long)]
    keep: bool,
    // Cargo gives it to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Sets a flag when it is dropped, be it by a panic, so that no other thread goes on.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What was done to the workers and the servers of the database.
#[derive(Default)]
struct Done {
    /// How long letters were written.
    time: Duration,
    workers_killed: usize,
    leaders_killed: usize,
    leaders_stopped: usize,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut folder = tempfile::tempdir().expect("a temporary folder");
    folder.disable_cleanup(true);
    eprintln!("the logs are in {}", folder.path().display());
    let history = History::begin(folder.path());
    let mut cluster = Cluster::start_with_logs(folder.path());
    let settings = |wait| settings(&cluster, wait);
    server::set_up(settings(Duration::from_mins(1))).expect("a database");
    let store = Postgres::new(settings(Duration::from_mins(1)));
    let post = Post::new(args.matches);
    for line in post.lines().iter() {
        store.create(&begin(line)).expect("a new match");
    }
    let mail_server = MailServer::start().expect("a free port");
    if args.good_mail_server {
        mail_server.mend();
    }
    let config = configuration(&cluster, mail_server.port);
    let workers: Vec<Mutex<Worker>> = (0..WORKERS)
        .map(|number| Mutex::new(Worker::start(folder.path(), number, &config)))
        .collect();
    eprintln!("{} matches, {WORKERS} workers: it begins", args.matches);
    let mut done = Done::default();
    run(
        &args,
        &mut cluster,
        &workers,
        &post,
        &mail_server,
        &history,
        &mut done,
    );
    eprintln!("all letters are taken: the last mails go");
    let early = drain(folder.path(), &post, &store, &mail_server);
    for worker in &workers {
        let mut worker = worker.lock().expect("no thread panics");
        if let Err(fault) = worker.stop() {
            post.fault(fault);
        }
        if worker.has_panicked() {
            post.fault("a worker panicked".to_owned());
        }
    }
    let mut findings = Findings::default();
    mail_server.with(|memory| {
        for line in post.lines().iter() {
            let stored = store.read(&line.id.parse().expect("an id"));
            findings.check(
                line,
                &stored.expect("it can be read").game,
                memory,
                &history,
            );
        }
    });
    let faults = report(&args, &done, early, &post, &mail_server, &mut findings);
    if faults.is_empty() {
        println!("\nnothing was lost, doubled or late");
        folder.disable_cleanup(args.keep);
        return ExitCode::SUCCESS;
    }
    for fault in &faults {
        println!("fault: {fault}");
    }
    let all = findings.all().join("\n");
    fs::write(folder.path().join("faults"), all).expect("there is room");
    println!(
        "\nthe logs and all faults are in {}",
        folder.path().display()
    );
    ExitCode::FAILURE
}

fn settings(cluster: &Cluster, wait: Duration) -> Settings {
    let hosts = cluster.ports.map(|port| ("127.0.0.1".to_owned(), port));
    Settings {
        hosts: hosts.to_vec(),
        database: "club".to_owned(),
        user: USER.to_owned(),
        password: None,
        tls: None,
        wait,
    }
}

fn configuration(cluster: &Cluster, port: u16) -> String {
    format!(
        "[me]\nname = \"Referee\"\naddress = \"{REFEREE}\"\nrole = \"referee\"\n\
         [policy]\nidentity = \"address\"\nanswers = 1000000\n[mail]\nhtml = false\n\
         [transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n{}",
        cluster.config()
    )
}

/// A match that has just begun.
fn begin(line: &Line) -> Match {
    let player = |side: usize| {
        let text = format!("{} <{}>", ["Anna", "Ben"][side], line.players[side]);
        text.parse().expect("a player")
    };
    let settings = MatchSettings {
        id: line.id.parse().expect("an id"),
        variant: line.variant.clone(),
        players: [player(0), player(1)],
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        list: None,
        counts_news: false,
        start: None,
    };
    Match::new(settings, Utc::now())
}

/// Writes and brings letters, while workers and servers are killed, until all are taken.
fn run(
    args: &Args,
    cluster: &mut Cluster,
    workers: &[Mutex<Worker>],
    post: &Post,
    mail_server: &MailServer,
    history: &History,
    done: &mut Done,
) {
    let ports = workers
        .iter()
        .map(|worker| worker.lock().expect("no thread panics").port);
    let ports: Vec<u16> = ports.collect();
    let is_over = AtomicBool::new(false);
    let (errands, brought) = mpsc::channel();
    let brought = Arc::new(Mutex::new(brought));
    let begun = Instant::now();
    let end = begun + Duration::from_secs(args.seconds);
    thread::scope(|scope| {
        // With it the letters end, and then those who bring them.
        let ends = Ends(&is_over);
        for _ in 0..args.connections {
            let (brought, ports) = (Arc::clone(&brought), &ports);
            scope.spawn(move || post.carry(&brought, ports));
        }
        let is_over = &is_over;
        scope.spawn(move || post.write(args.rate, &errands, is_over));
        let killed = scope.spawn(move || kill_workers(args, workers, post, history, is_over));
        let keys = cluster.keys;
        scope.spawn(move || history.follow(keys, is_over));
        fail_leaders(args, cluster, end, history, done);
        mail_server.mend();
        drop(ends);
        done.time = begun.elapsed();
        done.workers_killed = killed.join().expect("no thread panics");
        let end = Instant::now() + LAST;
        while post.under_way.load(Ordering::Relaxed) > 0 {
            if Instant::now() > end {
                post.gives_up.store(true, Ordering::Relaxed);
                post.fault("letters were not taken at the end".to_owned());
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
    });
}

/// A random time with this mean, never longer than three times it.
fn about(seconds: u64) -> Duration {
    let mean = Duration::from_secs(seconds);
    mean.mul_f64((-fastrand::f64().max(1e-9).ln()).clamp(0.05, 3.0))
}

/// Sleeps, unless all is over before.
fn sleep(time: Duration, is_over: impl Fn() -> bool) {
    let end = Instant::now() + time;
    while Instant::now() < end && !is_over() {
        thread::sleep(Duration::from_millis(100).min(time));
    }
}

/// Kills workers, and starts them again some seconds later. Returns how many it has killed.
fn kill_workers(
    args: &Args,
    workers: &[Mutex<Worker>],
    post: &Post,
    history: &History,
    is_over: &AtomicBool,
) -> usize {
    let is_over = || is_over.load(Ordering::Relaxed);
    let mut killed = 0;
    while args.kill_workers > 0 && !is_over() {
        sleep(about(args.kill_workers), is_over);
        if is_over() {
            break;
        }
        let number = fastrand::usize(..workers.len());
        let mut worker = workers[number].lock().expect("no thread panics");
        history.note(format!("worker {number} is killed"));
        if let Err(fault) = worker.kill() {
            post.fault(fault);
        }
        killed += 1;
        thread::sleep(Duration::from_millis(fastrand::u64(..5000)));
        worker.revive();
    }
    killed
}

/// Kills the leader, or stops it for longer than its place is kept, again and again.
fn fail_leaders(
    args: &Args,
    cluster: &mut Cluster,
    end: Instant,
    history: &History,
    done: &mut Done,
) {
    let is_over = || Instant::now() >= end;
    while args.kill_leaders > 0 && !is_over() {
        sleep(about(args.kill_leaders), is_over);
        if is_over() {
            break;
        }
        let Some(leader) = cluster.leader() else {
            continue;
        };
        if fastrand::u8(..3) > 0 {
            history.note(format!("the leader n{leader} is killed"));
            cluster.kill(leader);
            thread::sleep(Duration::from_millis(fastrand::u64(2000..20_000)));
            history.note(format!("n{leader} starts again"));
            cluster.revive(leader);
            done.leaders_killed += 1;
        } else {
            // Wherever it is in its round, or where it believes to be the leader still.
            if fastrand::bool() {
                history.note(format!("the leader n{leader} is stopped"));
                cluster.signal(leader, "STOP");
            } else {
                history.note(format!("the leader n{leader} is stopped, its server first"));
                cluster.starve(leader);
            }
            thread::sleep(Duration::from_secs(35));
            history.note(format!("n{leader} wakes"));
            cluster.signal(leader, "CONT");
            done.leaders_stopped += 1;
        }
        cluster.wait_until_ready();
    }
    sleep(end.saturating_duration_since(Instant::now()), is_over);
}

/// Waits until all mails have gone but those that wait for a time that is far away, and has
/// those sent at once. Returns how many they were.
fn drain(folder: &Path, post: &Post, store: &Postgres, mail_server: &MailServer) -> usize {
    let end = Instant::now() + LAST;
    loop {
        thread::sleep(Duration::from_secs(5));
        let mut owing = Vec::new();
        let mut owed = 0;
        let mut waits = true;
        for line in post.lines().iter() {
            let stored = store.read(&line.id.parse().expect("an id"));
            let game = stored.expect("it can be read").game;
            owed += game.owed().len();
            if !game.owed().is_empty() {
                owing.push(line.id.clone());
            }
            for mail in game.owed() {
                waits &= mail_server
                    .with(|memory| has_failed_twice(memory, line, &mail.msg.to_string()));
            }
        }
        if owing.is_empty() {
            return 0;
        }
        if waits || Instant::now() > end {
            if !waits {
                post.fault(format!("{owed} mails are owed at the end"));
            }
            let status = program(&folder.join("w0"))
                .env("HOME", folder)
                // A claim of a worker that was killed may be left.
                .args(["--wait", "300", "send"])
                .args(&owing)
                .status();
            if !status.expect("the program").success() {
                post.fault("the last mails cannot be sent".to_owned());
            }
            return owed;
        }
    }
}

/// Returns true if a mail waits for minutes, for all that the mail server knows.
fn has_failed_twice(memory: &mail_server::Memory, line: &Line, id: &str) -> bool {
    let here = memory.mails.get(id).map_or(0, |mail| mail.failed.len());
    let there = line.players.iter().map(|player| {
        let of = memory.recipients.get(player);
        of.map_or(0, |of| of.failed.len())
    });
    here + there.max().unwrap_or_default() >= 2
}

/// Prints what came of it. Returns what was lost, doubled or late.
fn report(
    args: &Args,
    done: &Done,
    early: usize,
    post: &Post,
    mail_server: &MailServer,
    findings: &mut Findings,
) -> Vec<String> {
    let counts = &post.counts;
    let count = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::Relaxed);
    let (written, copies) = (count(&counts.written), count(&counts.copies));
    println!("| what | |\n|---|---|");
    println!(
        "| seconds, matches, workers | {}, {}, {WORKERS} |",
        done.time.as_secs(),
        args.matches
    );
    println!(
        "| workers killed; leaders killed, stopped | {}; {}, {} |",
        done.workers_killed, done.leaders_killed, done.leaders_stopped
    );
    let letters = f64::from(u32::try_from(written + copies).unwrap_or(u32::MAX));
    println!(
        "| letters written, copies brought besides, of both a second | {written}, {copies}, {:.1} |",
        letters / done.time.as_secs_f64()
    );
    println!(
        "| deferred or broken off and brought again; not written in time | {}, {} |",
        count(&counts.again),
        count(&counts.held)
    );
    println!(
        "| longest time without a letter taken, s | {:.1} |",
        post.longest_pause().as_secs_f32()
    );
    println!(
        "| moves, other letters, each with one effect | {}, {} |",
        findings.moves, findings.others
    );
    let Findings {
        owed,
        refused,
        taken,
        most,
        ..
    } = findings;
    println!("| mails called for, of these refused for good | {owed}, {refused} |");
    println!("| times that mails came, most of one | {taken}, {most} |");
    mail_server.with(|memory| {
        let mut faults: Vec<String> = memory
            .faults
            .iter()
            .map(|(name, number)| format!("{number} {name}"))
            .collect();
        faults.sort();
        println!("| faults of the mail server | {} |", faults.join(", "));
        println!(
            "| longest time without a mail, s | {:.1} |",
            longest(memory)
        );
    });
    println!(
        "| age of a mail that never failed: median, 99 of 100, most, s | {} |",
        times(&mut findings.ages)
    );
    println!(
        "| after the time of its next attempt, of those that failed: median, 99 of 100, most, s | {} |",
        times(&mut findings.lateness)
    );
    println!("| mails that were not due at the end and were sent by hand | {early} |");
    let mut faults = post.faults.lock().expect("no thread panics").clone();
    faults.extend(findings.told());
    faults
}

/// The longest time between two mails while letters came, in seconds.
fn longest(memory: &mut mail_server::Memory) -> f32 {
    let mended = memory.mended;
    memory
        .arrivals
        .retain(|time| mended.is_none_or(|mended| *time < mended));
    memory.arrivals.sort_unstable();
    let pairs = memory.arrivals.windows(2);
    let gaps = pairs.map(|pair| pair[1].duration_since(pair[0]).unwrap_or_default());
    gaps.max().unwrap_or_default().as_secs_f32()
}

/// The median, the 99th of a hundred and the most, in seconds.
fn times(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| {
        let last = times.len().saturating_sub(1);
        let time = times.get((times.len() * share / 100).min(last));
        time.map_or(0.0, Duration::as_secs_f32)
    };
    format!("{:.1}, {:.1}, {:.1}", at(50), at(99), at(100))
}
