//! What matches cost that are all under way.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use parapost::inbound::known::Known;
use parapost::mail::sources::Interest as _;
use parapost::store::folder::Folder;
use parapost::store::store::Store;
use rustix::time::ClockId;

use crate::matches::{game, moves};
use crate::median::median;
use crate::peak::peak;
use crate::processor_time::milliseconds;
use crate::program::program;

/// The half-moves of a match.
const PLIES: usize = 4;

/// How often each is measured.
const TURNS: usize = 7;

/// The time after which a folder is listed again, and a little more.
const LISTING: Duration = Duration::from_secs(61);

/// Prints a table of folders of so many matches.
pub(crate) fn measure(arguments: &[String]) {
    let numbers: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    let numbers = match numbers.as_slice() {
        [] => &[10, 100, 1000, 10_000, 50_000, 100_000],
        given => given,
    };
    let moves = moves(PLIES);
    println!(
        "| matches under way | fetch, ms | with a listing, ms | list, ms | list, s by the clock | list --json, MiB | the first list, s | the first list --json, MiB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for number in numbers {
        let place = tempfile::tempdir().expect("a temporary folder");
        let games = place.path().join("games");
        fs::create_dir(&games).unwrap();
        let config = "[me]\nname = \"ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n";
        fs::write(place.path().join("config.toml"), config).unwrap();
        for index in 0..*number {
            let game = game(
                &format!("m{index}"),
                index,
                &moves[index % moves.len()],
                true,
            );
            fs::write(games.join(format!("m{index}.txt")), game.to_string()).unwrap();
        }
        let fetch = || milliseconds(ClockId::ThreadCPUTime, || ask(&games));
        ask(&games);
        // A file that was changed within a minute is read when the folder is listed.
        thread::sleep(LISTING);
        let listing = (0..TURNS).map(|_| {
            let _ = set_back(&games);
            fetch()
        });
        let listing = median(listing.collect());
        let quiet = median((0..TURNS).map(|_| fetch()).collect());
        let lists: Vec<Run> = (0..TURNS).map(|_| list(place.path(), &["list"])).collect();
        let [cost, clock] = [|run: &Run| run.cost, |run: &Run| run.seconds]
            .map(|of| median(lists.iter().map(of).collect()));
        let memory = list(place.path(), &["list", "--json"]).memory >> 10;
        // Nobody has listed them since the machine was started.
        let first = |words| {
            drop(fs::remove_file(games.join(".index/memo")));
            list(place.path(), words)
        };
        let (anew, json) = (first(&["list"]), first(&["list", "--json"]));
        let (anew, all) = (anew.seconds, json.memory >> 10);
        println!(
            "| {number} | {quiet:.2} | {listing:.1} | {cost:.0} | {clock:.2} | {memory} | {anew:.2} | {all} |"
        );
    }
}

/// Asks what a round of `fetch` asks of the matches before it looks at any mail.
fn ask(games: &Path) {
    let store = Arc::new(Folder::new(games, Duration::from_secs(5))) as Arc<dyn Store>;
    let known = Known::of(&store, &"<ref@example.org>".parse().unwrap()).unwrap();
    assert!(!known.has_hidden());
}

/// Makes the next listing of a folder due, if it is so large that it is not listed each time.
fn set_back(games: &Path) -> io::Result<()> {
    let path = games.join(".index/listed");
    let text = fs::read_to_string(&path)?;
    let (first, rest) = text.split_once('\n').unwrap_or_default();
    let mut words: Vec<String> = first.split(' ').map(ToOwned::to_owned).collect();
    let millis: u128 = words[1].parse().unwrap();
    words[1] = millis.saturating_sub(LISTING.as_millis()).to_string();
    let (rest, _) = rest.rsplit_once("end ").unwrap_or_default();
    let text = format!("{}\n{rest}", words.join(" "));
    let sum = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let sum = (sum >> 16) ^ (sum & 0xFFFF);
    fs::write(&path, format!("{text}end {sum:04x}\n"))
}

/// What a run of the program takes.
struct Run {
    /// Milliseconds of processors.
    cost: f64,
    seconds: f64,
    /// The most memory, in KiB.
    memory: usize,
}

fn list(folder: &Path, words: &[&str]) -> Run {
    let (before, begun) = (crate::of_children(), Instant::now());
    let mut command: Command = program(folder);
    let mut child = command.args(words).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (mut memory, mut piece) = (0, vec![0; 64 << 10]);
    while stdout.read(&mut piece).unwrap() > 0 {
        memory = memory.max(peak(child.id()).unwrap_or_default());
    }
    assert!(child.wait().unwrap().success());
    Run {
        cost: crate::of_children() - before,
        seconds: begun.elapsed().as_secs_f64(),
        memory,
    }
}
