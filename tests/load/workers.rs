//! Four workers over one database, with a mail server that is slow and has faults, while
//! workers are killed, or others are stopped with claims in their hands.
//!
//! `cargo test --features postgres --test main workers:: -- --ignored --nocapture` takes a
//! quarter of an hour and prints a table. It fails where mail is silent for more than two
//! seconds, or comes later than docs/reliability.md says.

#[path = "lmtp.rs"]
mod lmtp;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::rules::{Color, Variant};
use parapost::store::store::Store as _;
use rustix::process::{Pid, Signal, kill_process};

use crate::matches::log::{ids, settings, time};
use crate::playing;
use crate::servers::postgresql::Postgresql;
use crate::support::Sandbox;
use crate::support::lmtp::Server;
use crate::support::mail_server::{Deed, Mail, MailServer, Step};
use crate::workers::lmtp::{Client, Delivered};

const REFEREE: &str = "ref@example.org";
const WORKERS: usize = 4;
const MATCHES: usize = 1000;
/// Each letter has a move, of which both players are told: 40 mails a second.
const LETTERS_A_SECOND: u32 = 20;
const HALF_MOVES: usize = 60;
/// The match whose first player's server takes its time, after all workers have connected.
const SLOW: &str = "m100";
const SLOWNESS: Duration = Duration::from_secs(10);
/// The connections that the mail server takes. The workers would like eight.
const TAKEN: usize = 7;
/// What is not measured yet.
const BEGINNING: Duration = Duration::from_secs(3);
/// The longest that anything may take at the end.
const PATIENCE: Duration = Duration::from_mins(3);

/// What befalls the workers.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    /// One is killed in the middle, and does not come back.
    KilledOnce,
    /// One at random is killed so often, and started again.
    Killed(Duration),
    /// So many other processes are stopped while they send the mail of a match.
    Stopped(usize),
}

/// A mail that is to come: of a match, of so many half-moves, to a player.
type Key = (String, usize, String);

/// What is known of the letters and the mails.
#[derive(Default)]
struct Known {
    /// When a letter was brought to which worker, by its match and half-moves.
    brought: HashMap<(String, usize), Vec<(usize, Instant)>>,
    /// The letters that were taken.
    taken: HashSet<(String, usize)>,
    killed: Vec<(usize, Instant)>,
}

/// The faults of the mail server: the mails it has refused for now or cut off.
#[derive(Clone, Default)]
struct Faults(Arc<Mutex<BTreeSet<String>>>);

impl Faults {
    /// One in two hundred, and nobody twice: what was refused twice waits for minutes.
    fn strikes(&self, who: &str) -> bool {
        fastrand::u32(..200) == 0 && self.0.lock().unwrap().insert(who.to_owned())
    }
}

fn player(game: &str, side: usize) -> String {
    format!("{}-{game}@example.org", ["white", "black"][side])
}

fn mail_server(faults: &Faults) -> MailServer {
    let faults = faults.clone();
    MailServer::start(move |step| match step {
        Step::Greeting(others) if others >= TAKEN => Deed::Say("421 4.7.0 too many connections"),
        Step::Greeting(_) => Deed::Take,
        Step::Recipient(to) => {
            if to == player(SLOW, 0) {
                thread::sleep(SLOWNESS);
                return Deed::Take;
            }
            match () {
                () if faults.strikes(to) => Deed::Say("451 4.7.1 later"),
                () if faults.strikes(to) => Deed::Cut,
                () => Deed::Take,
            }
        }
        Step::Text(mail) => {
            thread::sleep(Duration::from_millis(fastrand::u64(5..25)));
            if faults.strikes(&mail.to) {
                Deed::Cut
            } else {
                Deed::Take
            }
        }
    })
}

/// The workers, each in its slot.
struct Workers<'a> {
    house: &'a Sandbox,
    slots: Vec<Mutex<Option<Server>>>,
}

impl Workers<'_> {
    fn start(&self, slot: usize) {
        let run = self.house.parapost(["serve", "--lmtp", "127.0.0.1:0"]);
        let server = Server::of(&mut run.any_stdout().command());
        *self.slots[slot].lock().unwrap() = Some(server);
    }

    /// A worker that runs, with its port.
    fn any(&self) -> Option<(usize, u16)> {
        let slot = fastrand::usize(..WORKERS);
        let server = self.slots[slot].lock().unwrap();
        server.as_ref().map(|server| (slot, server.port))
    }

    fn kill(&self, slot: usize, known: &Mutex<Known>) {
        let server = self.slots[slot].lock().unwrap().take();
        if let Some(server) = server {
            server.kill();
            known.lock().unwrap().killed.push((slot, Instant::now()));
        }
    }
}

/// Brings letters to the workers, each until it is taken, as a mail server does.
fn bring(
    letters: &Mutex<Receiver<(String, usize, String)>>,
    workers: &Workers<'_>,
    known: &Mutex<Known>,
) {
    let mut clients: HashMap<u16, Client> = HashMap::new();
    loop {
        let next = letters.lock().unwrap().recv();
        let Ok((game, plies, text)) = next else {
            return;
        };
        let side = (plies + 1) % 2;
        let from = player(&game, side);
        let dots = [".", "..."][side];
        let letter = format!(
            "From: {from}\r\nTo: {REFEREE}\r\nSubject: Re: [{game}] Unachess\r\n\
             Message-ID: <{plies}.{game}@players.test>\r\n\r\n{}{dots} {text}\r\n",
            plies.div_ceil(2)
        );
        loop {
            if let Some((slot, port)) = workers.any() {
                let mut of_known = known.lock().unwrap();
                let brought = of_known.brought.entry((game.clone(), plies)).or_default();
                brought.push((slot, Instant::now()));
                drop(of_known);
                let client = clients
                    .entry(port)
                    .or_insert_with(|| Client::new(port, REFEREE));
                if client.deliver(&from, &letter) == Delivered::Taken {
                    break;
                }
            }
            thread::sleep(Duration::from_millis(100));
        }
        known.lock().unwrap().taken.insert((game, plies));
    }
}

/// A process that was stopped while it sends.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Stops processes, each with the claim of a match `held…` in its hands.
fn stop(count: usize, house: &Sandbox, database: &Postgresql) -> Vec<Stopped> {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let config = house.read("config.toml");
    let (_, own) = config.rsplit_once("port = ").unwrap();
    let own = own.lines().next().unwrap();
    let slow = config.replace(&format!("port = {own}\n"), &format!("port = {port}\n"));
    house.write("slow.toml", slow);
    let stopped = (0..count).map(|number| {
        let id = format!("held{number}");
        let run = house.parapost(["--config", "slow.toml", "send", &id]);
        let child = run.command().stderr(Stdio::null()).spawn().unwrap();
        let stopped = Stopped(child);
        let connection = silent.accept().unwrap();
        kill_process(Pid::from_child(&stopped.0), Signal::STOP).unwrap();
        drop(connection);
        stopped
    });
    let stopped = stopped.collect();
    // As long as the load lasts, however long a claim is.
    let end = "update match_mail set expires = now() + interval '1 hour' where owner <> ''";
    database.sql("club", end);
    stopped
}

/// Makes the matches.
fn found(database: &Postgresql, held: usize) -> Vec<String> {
    let store = database.store();
    let make = |id: &str| {
        let mut settings = settings("unachess", &[]);
        settings.id = id.parse().unwrap();
        settings.players = [0, 1].map(|side| player(id, side).parse().unwrap());
        Match::new(settings, time())
    };
    for number in 0..held {
        let mut game = make(&format!("held{number}"));
        game.owe(time(), NewMail::new("position", Color::White), &ids())
            .unwrap();
        store.create(&game).unwrap();
    }
    let games = (0..MATCHES).map(|number| format!("m{number}"));
    let games: Vec<String> = games.collect();
    for id in &games {
        store.create(&make(id)).unwrap();
    }
    games
}

/// Runs the load under this trouble for this time, and prints a line of the table.
fn run(trouble: Trouble, length: Duration) -> Vec<String> {
    let database = Postgresql::start();
    let faults = Faults::default();
    let mails = mail_server(&faults);
    let config = format!(
        "[me]\nname = \"Ref\"\naddress = \"{REFEREE}\"\nrole = \"referee\"\n[mail]\nhtml = false\n{}{}",
        database.config("club"),
        mails.config(2),
    );
    let house = Sandbox::new()
        .dir("games")
        .file("config.toml", config)
        .env("PARAPOST_CONFIG", "config.toml");
    let held = if let Trouble::Stopped(count) = trouble {
        count
    } else {
        0
    };
    let games = found(&database, held);
    let stopped = stop(held, &house, &database);
    let slots = (0..WORKERS).map(|_| Mutex::default()).collect();
    let workers = Workers {
        house: &house,
        slots,
    };
    thread::scope(|scope| {
        for slot in 0..WORKERS {
            let workers = &workers;
            scope.spawn(move || workers.start(slot));
        }
    });
    let known = Mutex::<Known>::default();
    let (begun, ended) = load(trouble, length, &games, &workers, &known);
    let freed = Instant::now();
    if held > 0 {
        drop(stopped);
        let end = "update match_mail set expires = now() + interval '30 seconds' where owner <> ''";
        database.sql("club", end);
    }
    let owing = || database.sql("club", "select id from match where owes");
    while !owing().trim().is_empty() && freed.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(owing().trim(), "", "all mail goes");
    for slot in &workers.slots {
        if let Some(server) = slot.lock().unwrap().take() {
            server.stop();
        }
    }
    let mut known = known.into_inner().unwrap();
    if held > 0 {
        known.brought.retain(|(game, _), _| game.starts_with('m'));
    }
    let struck = faults.0.lock().unwrap().clone();
    Figures::of(&known, &mails.taken(), &struck, (begun, ended), freed).check(trouble)
}

/// Brings letters at the pace of the load. Returns when it began and ended.
fn load(
    trouble: Trouble,
    length: Duration,
    games: &[String],
    workers: &Workers<'_>,
    known: &Mutex<Known>,
) -> (Instant, Instant) {
    let variant = Variant::find("unachess", &[]).unwrap();
    let record = playing::game(&variant, HALF_MOVES, &mut fastrand::Rng::with_seed(7));
    let texts = record.steps().iter().map(|step| step.text.clone());
    let texts: Vec<String> = texts.collect();
    let (letters, taken) = mpsc::channel();
    let taken = Mutex::new(taken);
    let is_over = AtomicBool::new(false);
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| bring(&taken, workers, known));
        }
        scope.spawn(|| befall(trouble, begun + length / 3, workers, known, &is_over));
        let mut number: u32 = 0;
        while begun.elapsed() < length {
            let turn = number as usize;
            let (game, plies) = (&games[turn * 7 % games.len()], turn / games.len() + 1);
            let has_gone = plies == 1 || {
                let before = (game.clone(), plies - 1);
                known.lock().unwrap().taken.contains(&before)
            };
            assert!(has_gone, "{game}: the letter before was not taken yet");
            let letter = (game.clone(), plies, texts[plies - 1].clone());
            letters.send(letter).unwrap();
            number += 1;
            let due = begun + Duration::from_secs(1) * number / LETTERS_A_SECOND;
            thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        is_over.store(true, Ordering::SeqCst);
        drop(letters);
    });
    (begun, begun + length)
}

/// Does to the workers what befalls them.
fn befall(
    trouble: Trouble,
    at: Instant,
    workers: &Workers<'_>,
    known: &Mutex<Known>,
    is_over: &AtomicBool,
) {
    match trouble {
        Trouble::KilledOnce => {
            thread::sleep(at.saturating_duration_since(Instant::now()));
            workers.kill(fastrand::usize(..WORKERS), known);
        }
        Trouble::Killed(pause) => loop {
            thread::sleep(pause);
            if is_over.load(Ordering::SeqCst) {
                return;
            }
            let slot = fastrand::usize(..WORKERS);
            workers.kill(slot, known);
            workers.start(slot);
        },
        Trouble::Stopped(_) => {}
    }
}

/// What came of it.
struct Figures {
    letters: usize,
    mails: usize,
    twice: usize,
    missing: usize,
    killed: usize,
    silence: Duration,
    /// The ages of the mails that nothing befell.
    free: Vec<Duration>,
    /// The ages of those that a killed worker had in its hands.
    dead: Vec<Duration>,
    /// The ages of those that the mail server has refused for now or cut off.
    faulty: Vec<Duration>,
    /// The age of those that stopped processes held, from the time they were killed.
    held: Vec<Duration>,
}

impl Figures {
    fn of(
        known: &Known,
        taken: &[Mail],
        faulty: &BTreeSet<String>,
        (begun, ended): (Instant, Instant),
        freed: Instant,
    ) -> Figures {
        let mut came: BTreeMap<Key, Instant> = BTreeMap::new();
        for mail in taken {
            let key = (mail.game.clone(), mail.plies, mail.to.clone());
            let at = came.entry(key).or_insert(mail.at);
            *at = mail.at.min(*at);
        }
        let mut times = taken.iter().map(|mail| mail.at);
        let mut times: Vec<Instant> = times.by_ref().collect();
        times.sort_unstable();
        times.retain(|at| (begun + BEGINNING..ended).contains(at));
        times.insert(0, begun + BEGINNING);
        times.push(ended);
        let silences = times.windows(2).map(|pair| pair[1] - pair[0]);
        let mut figures = Figures {
            letters: known.taken.len(),
            mails: taken.len(),
            twice: taken.len() - came.len(),
            missing: 0,
            killed: known.killed.len(),
            silence: silences.max().unwrap_or_default(),
            free: Vec::new(),
            dead: Vec::new(),
            faulty: Vec::new(),
            held: Vec::new(),
        };
        for ((game, plies), brought) in &known.brought {
            for side in 0..2 {
                let to = player(game, side);
                let Some(at) = came.get(&(game.clone(), *plies, to.clone())) else {
                    figures.missing += 1;
                    continue;
                };
                let age = at.saturating_duration_since(brought[0].1);
                let was_killed = brought.iter().any(|(worker, from)| {
                    let mut killed = known.killed.iter();
                    killed.any(|(slot, time)| slot == worker && from <= time && time <= at)
                });
                if game == SLOW {
                    // It takes longer than from one kill to the next.
                } else if was_killed {
                    figures.dead.push(age);
                } else if (0..2).any(|side| faulty.contains(&player(game, side))) {
                    figures.faulty.push(age);
                } else if brought[0].1 > begun + BEGINNING {
                    figures.free.push(age);
                }
            }
        }
        let held = came
            .iter()
            .filter(|((game, ..), _)| game.starts_with("held"));
        let ages = held.map(|(_, at)| at.saturating_duration_since(freed));
        figures.held = ages.collect();
        for ages in [&mut figures.free, &mut figures.dead, &mut figures.faulty] {
            ages.sort_unstable();
        }
        figures
    }

    /// Prints a line of the table. Returns what is not as it should be.
    fn check(&self, trouble: Trouble) -> Vec<String> {
        let last = |ages: &[Duration]| ages.iter().max().copied().unwrap_or_default();
        let most = self.free.get(self.free.len() * 99 / 100).copied();
        let most = most.unwrap_or_default();
        println!(
            "| {trouble:?} | {} | {}, {} | {} | {:.2} | {:.2}, {:.2} | {}, {:.1} | {}, {:.1} | {}, {:.1} |",
            self.letters,
            self.mails,
            self.twice,
            self.killed,
            self.silence.as_secs_f64(),
            most.as_secs_f64(),
            last(&self.free).as_secs_f64(),
            self.dead.len(),
            last(&self.dead).as_secs_f64(),
            self.faulty.len(),
            last(&self.faulty).as_secs_f64(),
            self.held.len(),
            last(&self.held).as_secs_f64(),
        );
        let within = |what: &str, age: Duration, seconds: u64| {
            (age > Duration::from_secs(seconds))
                .then(|| format!("{trouble:?}: {what}: {age:?}, not {seconds} s"))
        };
        let missing = self.missing;
        [
            (missing > 0).then(|| format!("{trouble:?}: {missing} mails are missing")),
            within("silence", self.silence, 2),
            within("99 of 100", most, 2),
            within("a dead worker's", last(&self.dead), 60),
            within("held", last(&self.held), 60),
            within("not refused", last(&self.free), 120),
            within("refused or cut off", last(&self.faulty), 120),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[test]
#[ignore = "by hand: it takes a quarter of an hour"]
fn no_mail_waits_for_a_dead_neighbour() {
    println!(
        "| trouble | letters | mails, of these twice | killed | longest silence | 99 of 100, all | in dead hands | refused or cut off | held |"
    );
    let minute = Duration::from_mins(1);
    let mut faults = Vec::new();
    for (trouble, length) in [
        (Trouble::KilledOnce, minute),
        (Trouble::Stopped(1), minute),
        (Trouble::Stopped(4), minute),
        (Trouble::Stopped(100), minute),
        (Trouble::Killed(Duration::from_secs(5)), minute * 5),
    ] {
        faults.extend(run(trouble, length));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
