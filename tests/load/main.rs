//! A club under load: `cargo bench -p parapost --bench load -- --matches 300 --seconds 60`.
//!
//! Players answer the mails of a referee, each after a random time, with a random legal
//! move. Their messages go to `parapost serve` by LMTP; its mails come back by SMTP. A
//! player knows what the mails say, and every mail's list of moves is compared with what
//! was played. At the end nothing may be lost, played twice, or sent under two ids.
//!
//! It starts a server of its own over a new folder.

mod club;
mod lmtp;
#[path = "../support/peak.rs"]
mod peak;
#[path = "../bench/program.rs"]
mod program;
#[path = "../bench/server.rs"]
mod server;
mod sink;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use parapost::rules::{Variant, games};

use crate::club::{Club, Letter, Played};
use crate::lmtp::{Client, Delivered};
use crate::peak::peak;
use crate::program::program;
use crate::server::Server;
use crate::sink::Arrival;

const REFEREE: &str = "referee@load.test";

/// Plays a club's matches by mail and checks the records.
#[derive(Parser)]
#[command(name = "load")]
struct Args {
    /// The number of players
    #[arg(long, default_value_t = 20)]
    players: usize,
    /// The number of matches, of all games in turn
    #[arg(long, default_value_t = 100)]
    matches: usize,
    /// How long the players play, in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// The mean time in which a player answers, in milliseconds
    #[arg(long, default_value_t = 500)]
    delay: u64,
    /// The half-moves after which a player resigns
    #[arg(long, default_value_t = 80)]
    plies: usize,
    /// The connections to the server
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// The seed of all that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Send mails with HTML and pictures
    #[arg(long)]
    html: bool,
    // Cargo gives it to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// How long a player may wait for the last mail.
const LAST: Duration = Duration::from_secs(90);

/// The longest time without a look at what is to be done.
const TICK: Duration = Duration::from_millis(200);

/// The time after which a letter comes again that was not taken.
const RETRY: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let args = Args::parse();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (happenings, events) = mpsc::channel();
    let mails = happenings.clone();
    let port = sink::start(move |arrival| mails.send(Happening::Mail(arrival)).is_ok());
    let matches = found(&args, folder.path(), port.expect("a free port"));
    let server = Server::start(folder.path(), |line| eprintln!("{line}"));
    let delay = Duration::from_millis(args.delay);
    let club = Club::new(matches, args.seed, delay, args.plies, REFEREE);
    let mut run = Run::new(club, &args, server.port, &happenings);
    let start = Instant::now();
    run.play(&events, Duration::from_secs(args.seconds));
    let seconds = start.elapsed().as_secs_f64();
    report(&mut run, seconds, server.child.id())
}

/// Writes the configuration and creates the matches.
fn found(args: &Args, folder: &Path, port: u16) -> Vec<Played> {
    let html = args.html;
    let config = format!(
        "[me]\naddress = \"{REFEREE}\"\nrole = \"referee\"\n[mail]\nhtml = {html}\n\
         [transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n"
    );
    fs::write(folder.join("config.toml"), config).expect("a configuration");
    let games: Vec<_> = games::ALL.iter().collect();
    let players = args.players.max(2);
    let create = |number: usize| {
        let game = games[number % games.len()];
        let white = number % players;
        let black = (white + 1 + number / players % (players - 1)) % players;
        let addresses = [white, black].map(|player| format!("p{player}@load.test"));
        let id = format!("load-{number}");
        let made = program(folder)
            .args(["new", "--game", game.id, "--id", &id])
            .args(["--white", &format!("Player {white} <{}>", addresses[0])])
            .args(["--black", &format!("Player {black} <{}>", addresses[1])])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("the program");
        assert!(made.success(), "{id} cannot be created");
        let variant = Variant::find(game.id, &[]).expect("a game");
        Played::new(id, variant, addresses)
    };
    (0..args.matches).map(create).collect()
}

/// The processor time that a process has taken, in seconds.
fn cpu(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"));
    let stat = stat.unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2);
    let ticks: u32 = ticks.filter_map(|ticks| ticks.parse::<u32>().ok()).sum();
    // Linux counts a hundred ticks a second.
    f64::from(ticks) / 100.0
}

/// A letter in the queue: the one that is due first comes first.
struct Queued(Letter);

impl PartialEq for Queued {
    fn eq(&self, other: &Queued) -> bool {
        self.0.due == other.0.due
    }
}
impl Eq for Queued {}
impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Queued {
    fn cmp(&self, other: &Queued) -> std::cmp::Ordering {
        self.0.due.cmp(&other.0.due)
    }
}

/// What the play waits for.
enum Happening {
    Mail(Arrival),
    Delivered(Done),
}

/// A letter that a connection has delivered.
struct Done {
    letter: Letter,
    outcome: Delivered,
    time: Duration,
}

/// The play of a club.
struct Run {
    club: Club,
    due: BinaryHeap<Reverse<Queued>>,
    ready: Sender<Letter>,
    under_way: usize,
    /// The letters that the server has taken.
    taken: usize,
    refused: usize,
    /// The letters that had to come again.
    again: usize,
    /// The times that the server took to reply to a letter.
    replies: Vec<Duration>,
}

impl Run {
    /// Opens the connections.
    fn new(club: Club, args: &Args, port: u16, happenings: &Sender<Happening>) -> Run {
        let (ready, letters) = mpsc::channel::<Letter>();
        let letters = Arc::new(Mutex::new(letters));
        for _ in 0..args.connections.max(1) {
            let mut client = Client::new(port, REFEREE);
            let (letters, happenings) = (Arc::clone(&letters), happenings.clone());
            thread::spawn(move || {
                loop {
                    let letter = letters.lock().expect("no thread panics").recv();
                    let Ok(letter) = letter else { return };
                    let start = Instant::now();
                    let outcome = client.deliver(&letter.sender, &letter.text);
                    let time = start.elapsed();
                    let done = Done {
                        letter,
                        outcome,
                        time,
                    };
                    if happenings.send(Happening::Delivered(done)).is_err() {
                        return;
                    }
                }
            });
        }
        Run {
            club,
            due: BinaryHeap::new(),
            ready,
            under_way: 0,
            taken: 0,
            refused: 0,
            again: 0,
            replies: Vec::new(),
        }
    }

    /// Plays for this time, and goes on until every player has been told of the last move.
    fn play(&mut self, happenings: &Receiver<Happening>, time: Duration) {
        let start = Instant::now();
        let mut patience = start + time + LAST;
        loop {
            let now = Instant::now();
            let is_over = now >= start + time;
            let is_quiet = self.under_way == 0 && self.due.is_empty();
            if is_over && (now >= patience || is_quiet && self.club.is_told()) {
                return;
            }
            // At the end what is written already goes at once.
            let is_ready = |Reverse(next): &Reverse<Queued>| is_over || next.0.due <= now;
            while self.due.peek().is_some_and(is_ready) {
                if let Some(Reverse(Queued(letter))) = self.due.pop() {
                    self.under_way += 1;
                    self.ready.send(letter).expect("the connections live");
                }
            }
            let next = self.due.peek().map(|Reverse(next)| next.0.due);
            let wait = next.unwrap_or(now + TICK).saturating_duration_since(now);
            match happenings.recv_timeout(wait.min(TICK)) {
                Ok(Happening::Mail(arrival)) => {
                    patience = patience.max(Instant::now() + LAST);
                    let letter = self.club.read(&arrival, !is_over);
                    self.due
                        .extend(letter.map(|letter| Reverse(Queued(letter))));
                }
                Ok(Happening::Delivered(done)) => self.delivered(done),
                Err(_) => {}
            }
        }
    }

    fn delivered(&mut self, done: Done) {
        let Done {
            letter,
            outcome,
            time,
        } = done;
        self.under_way -= 1;
        match outcome {
            Delivered::Taken => {
                self.taken += 1;
                self.replies.push(time);
                self.club.taken(&letter);
            }
            Delivered::Refused => self.refused += 1,
            // The same letter comes again, with its Message-ID.
            Delivered::Later => {
                self.again += 1;
                self.under_way += 1;
                let ready = self.ready.clone();
                thread::spawn(move || {
                    thread::sleep(RETRY);
                    ready.send(letter)
                });
            }
        }
    }
}

/// Prints what came of it. Fails if anything was lost or wrong.
fn report(run: &mut Run, seconds: f64, server: u32) -> ExitCode {
    let Run { club, .. } = run;
    let played: usize = club
        .matches
        .iter()
        .map(|played| played.record.steps().len())
        .sum();
    let over = club.matches.iter().filter(|played| played.is_over).count();
    let count = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    println!("| what | |\n|---|---|");
    println!(
        "| matches, of these over | {}, {over} |",
        club.matches.len()
    );
    println!("| moves played | {played} |");
    println!(
        "| messages taken, a second | {}, {:.1} |",
        run.taken,
        count(run.taken) / seconds
    );
    println!(
        "| messages that had to come again, refused | {}, {} |",
        run.again, run.refused
    );
    println!(
        "| mails received, of these again | {}, {} |",
        club.told.mails, club.told.again
    );
    println!(
        "| time to a reply, median and 99 of 100, ms | {} |",
        times(&mut run.replies)
    );
    println!(
        "| time from the reply to the mail, median and 99 of 100, ms | {} |",
        times(&mut club.told.times)
    );
    let cpu = cpu(server);
    println!(
        "| processor time a message, ms | {:.2} |",
        1000.0 * cpu / count(run.taken.max(1))
    );
    let memory = peak(server).unwrap_or_default() >> 10;
    println!("| memory at most, MiB | {memory} |");
    for fault in &club.told.faults {
        println!("fault: {fault}");
    }
    let is_complete = run.under_way == 0 && club.is_told();
    if !is_complete {
        println!("fault: not every player has been told of the last move");
    }
    if is_complete && run.refused == 0 && club.told.faults.is_empty() {
        println!("\nevery record is complete");
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns the median and the 99th of a hundred, in milliseconds.
fn times(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |share: usize| {
        let time = times.get(times.len() * share / 100);
        time.map_or(0, Duration::as_millis)
    };
    format!("{}, {}", at(50), at(99))
}
