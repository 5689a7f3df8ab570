//! How many moves a second are accepted and on the disk: `cargo bench -p parapost --bench pace [MATCHES [PLIES]]`.
//!
//! The letters of games between two players come to their referee, of all games in turn: in a batch, an mbox that `receive` reads, and to
//! `serve` by LMTP, over as many connections as it handles letters at once. Nothing is sent. In the same run two bounds are measured: (a) what the disk does,
//! files of a match's length that are written, synced and renamed, with a sync of the folder, by the same number of threads; (b) what
//! the processors do if a move takes a millisecond of one. Each is the median of five runs in turns. Prints a table in Markdown,
//! and checks that each move is played once.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use parapost::limits::HANDLED;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Variant;
use parapost::store::folder::Folder;
use parapost::store::store::Store as _;

mod lmtp_client;
mod median;
mod move_letters;
mod program;
mod server;

use crate::lmtp_client::Client;
use crate::median::median;
use crate::move_letters::letters;
use crate::program::program;
use crate::server::Server;

/// How often each is measured.
const RUNS: usize = 5;

/// Has the letters of games brought, and returns the time.
type Way = fn(&Path, &[Vec<String>]) -> Duration;

fn main() {
    let arguments = std::env::args().skip(1);
    let mut arguments = arguments.filter_map(|argument| argument.parse().ok());
    let matches: usize = arguments.next().unwrap_or(128);
    let plies: usize = arguments.next().unwrap_or(20);
    let games: Vec<Vec<String>> = (0..matches).map(|number| letters(number, plies)).collect();
    let moves = matches * plies;
    let mut rates: [Vec<f64>; 3] = Default::default();
    for _ in 0..RUNS {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let mut length = 0;
        for (rate, time) in [(0, by_batch as Way), (1, by_lmtp)] {
            furnish(folder.path(), matches);
            let time = time(folder.path(), &games);
            length = check(folder.path(), matches, plies);
            rates[rate].push(per_second(moves, time));
        }
        rates[2].push(per_second(moves, disk(folder.path(), moves, length)));
    }
    let [batch, lmtp, disk] = rates.map(median);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let processors = f64::from(u32::try_from(cores).unwrap()) * 1000.0;
    let bound = disk.min(processors);
    println!("| {moves} moves of {matches} matches | a second | of the lower bound |");
    println!("|---|---|---|");
    for (name, rate) in [
        ("accepted, `receive` of an mbox", batch),
        ("accepted, `serve` by LMTP", lmtp),
        ("(a) files by the disk", disk),
        ("(b) moves by the processors", processors),
    ] {
        println!("| {name} | {rate:.0} | {:.2} |", rate / bound);
    }
}

/// Makes everything ready: a referee, and matches without a move.
fn furnish(folder: &Path, matches: usize) {
    // A port where nobody listens: nothing is sent.
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let config = format!(
        "[me]\naddress = \"ref@example.org\"\nrole = \"referee\"\n[mail]\nhtml = false\n\
         [transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {}\ntls = \"none\"\n",
        closed.expect("a port").port()
    );
    fs::write(folder.join("config.toml"), config).unwrap();
    let games = folder.join("games");
    let _ = fs::remove_dir_all(&games);
    let store = Folder::new(games, Duration::ZERO);
    for number in 0..matches {
        let settings = MatchSettings {
            id: format!("m{number}").parse().unwrap(),
            variant: Variant::find("unachess", &[]).unwrap(),
            players: ["anna@example.org", "ben@example.org"].map(|who| who.parse().unwrap()),
            referee: None,
            event: None,
            time: None,
            until: None,
            news: None,
            list: None,
            counts_news: false,
            start: None,
        };
        let game = Match::new(settings, "2026-11-20T03:00:00Z".parse().unwrap());
        store.create(&game).unwrap();
    }
}

/// Checks that each move is played once, and returns the mean length of the matches' files.
fn check(folder: &Path, matches: usize, plies: usize) -> usize {
    let mut length = 0;
    for number in 0..matches {
        let path = folder.join(format!("games/m{number}.txt"));
        let text = fs::read_to_string(path).unwrap();
        length += text.len();
        let game: Match = text.parse().unwrap();
        let events = game.log().iter();
        let moves = events.filter(|event| event.is_move());
        assert_eq!(moves.count(), plies, "m{number}");
    }
    length / matches
}

/// Has an mbox received, and returns the time.
fn by_batch(folder: &Path, games: &[Vec<String>]) -> Duration {
    let mut mbox = String::new();
    for ply in 0..games[0].len() {
        for game in games {
            mbox += "From anna@example.org Fri Nov 20 03:00:00 2026\n";
            mbox += &game[ply].replace('\r', "");
            mbox.push('\n');
        }
    }
    fs::write(folder.join("letters.mbox"), mbox).unwrap();
    let start = Instant::now();
    let output = program(folder)
        .args(["receive", "letters.mbox"])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let time = start.elapsed();
    assert!(output.status.success(), "{}", output.status);
    time
}

/// Delivers the letters to a server, and returns the time.
fn by_lmtp(folder: &Path, games: &[Vec<String>]) -> Duration {
    let server = Server::start(folder, drop);
    let mut clients: Vec<Client> = (0..HANDLED).map(|_| Client::new(server.port)).collect();
    let start = Instant::now();
    thread::scope(|scope| {
        for (first, client) in clients.iter_mut().enumerate() {
            scope.spawn(move || {
                for ply in 0..games[0].len() {
                    for game in games.iter().skip(first).step_by(HANDLED) {
                        client.deliver(&game[ply], "ref@example.org");
                    }
                }
            });
        }
    });
    start.elapsed()
}

/// Replaces files of such a length so often as durably as a match's, and returns the time.
fn disk(folder: &Path, times: usize, length: usize) -> Duration {
    let files = folder.join("files");
    fs::create_dir_all(&files).unwrap();
    let text = vec![b'x'; length];
    let (files, text) = (&files, &text);
    let start = Instant::now();
    thread::scope(|scope| {
        for thread in 0..HANDLED {
            scope.spawn(move || {
                for number in (thread..times).step_by(HANDLED) {
                    let path = files.join(format!("m{}.txt", number % 128));
                    let new = path.with_extension(format!("{thread}.tmp"));
                    let mut file = File::create(&new).unwrap();
                    file.write_all(text).unwrap();
                    file.sync_all().unwrap();
                    drop(file);
                    fs::rename(&new, &path).unwrap();
                    File::open(files).unwrap().sync_all().unwrap();
                }
            });
        }
    });
    start.elapsed()
}

fn per_second(count: usize, time: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap()) / time.as_secs_f64()
}
