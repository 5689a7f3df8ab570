//! What the worst messages cost, counted in bytes allocated and in instructions: a message of so many times the length costs
//! so many times as much.

use allocation_counter::measure;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;

use parapost::store::store::Store;

use super::growth::{Job, Kind, kinds};
use super::hearing::{game, hear};
use super::shapes::{SHAPES, Shape};
use crate::store::memory::Memory;
use crate::support::{Sandbox, in_process};

/// Bytes allocated in all and held at most while a message is heard, and what became of it.
fn cost(message: &[u8]) -> (u64, u64, String) {
    let game = game();
    let mut word = String::new();
    let counted = measure(|| word = hear(&game, message));
    (counted.bytes_total, counted.bytes_max, word)
}

/// A message of twice the length costs at most so many times as much, in percent. Vectors that double their room make
/// it uneven.
const TWICE: u64 = 230;

/// What every message costs, however short.
const BASE: u64 = 16 << 10;

/// Where the memory of a shape grows faster than its length, if it does.
fn too_fast(name: &str, shape: Shape) -> Option<String> {
    let costs = [8, 16, 32].map(|kib| cost(&shape(kib << 10)));
    costs.windows(2).find_map(|pair| {
        let [(less, ..), (more, _, word)] = pair else {
            unreachable!("a pair")
        };
        (more * 100 > less * TWICE + BASE * 100)
            .then(|| format!("{name} ({word}): {less} bytes, twice as long {more}\n"))
    })
}

#[test]
#[ignore = "takes long"]
fn memory_grows_as_messages_do() {
    // What is built once for all messages.
    cost(b"From: ben@example.test\n\nn>g5\n");
    let faults: String = SHAPES
        .iter()
        // An expression whose cache another thread has makes a new one, which counts. Then it is measured again.
        .filter_map(|(name, shape)| {
            too_fast(name, *shape)
                .and_then(|_| too_fast(name, *shape))
                .and_then(|_| too_fast(name, *shape))
        })
        .collect();
    assert!(faults.is_empty(), "{faults}");
}

/// Memory does not grow with the games of a long file of PGN. One game is illegal, so that nothing is printed.
#[test]
fn a_long_file_is_read_game_by_game() {
    let held = |games: usize| {
        let first = "[White \"A\"]\n\n1. e5 *\n\n".to_owned();
        let text = first + &"[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(games);
        let house = Sandbox::new().file("a.pgn", text).dir("games");
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let path = house.path("a.pgn");
        let words = ["check", path.to_str().expect("a path")];
        let counted = measure(|| {
            let (config, games) = (house.path("config.toml"), house.path("games"));
            let run = in_process::run(&store, &config, &games, &words, "");
            assert_eq!(run.status, 1, "{}", run.stderr);
            assert!(
                run.stderr.ends_with("games are legal; refused: 1\n"),
                "{}",
                run.stderr
            );
        });
        counted.bytes_max
    };
    // What is built once for all.
    held(4_000);
    let [few, many] = [4_000, 16_000].map(held);
    assert!(
        many < few + few / 10,
        "{few} bytes, four times as long {many}"
    );
}

/// An input twice as long costs at most twice as much and a quarter more, in percent: 2.5 times. One four times as long
/// costs at most five times as much.
const GROWTH: u64 = 125;

/// A table takes as much as its lines and its width come to: `limits::HTML_TABLES` bounds that, and the benchmark tells it.
const BOUNDED: [&str; 1] = ["cells of a row"];

/// Instructions are counted for one in so many kinds, unless `PARAPOST_EVERY_SHAPE` is set.
fn one_of() -> usize {
    if std::env::var_os("PARAPOST_EVERY_SHAPE").is_some() {
        1
    } else {
        3
    }
}

/// Does the work of a job. Its instructions are counted by its name.
#[inline(never)]
fn spend(job: &Job) {
    job();
    // Prevents a tail call, whose instructions would count for another function.
    std::hint::black_box(());
}

#[test]
#[ignore = "takes long"]
fn every_input_is_dealt_with() {
    let jobs: Vec<_> = kinds(one_of()).iter().flat_map(Kind::jobs).collect();
    // Whatever is before the first call is counted with it.
    let first: Job = Box::new(|| ());
    spend(&first);
    for job in &jobs {
        spend(job);
    }
}

/// How many instructions each call of `spend` takes in the test above, as valgrind counts them. The first has in it all that
/// is before it.
fn instructions() -> Vec<u64> {
    let folder = Sandbox::new();
    let out = folder.path("counts");
    let mut out_file = std::ffi::OsString::from("--callgrind-out-file=");
    out_file.push(&out);
    let status = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--combine-dumps=yes"])
        .args(["--dump-line=no", "--dump-after=*cost::spend*"])
        .arg(out_file)
        .arg(std::env::current_exe().expect("a test has a program"))
        .args([
            "--include-ignored",
            "--exact",
            "hostile::cost::every_input_is_dealt_with",
        ])
        .stdout(Stdio::null())
        .status()
        .expect("valgrind is there: tests/run installs it");
    assert!(status.success(), "{status}");
    let mut counts: Vec<u64> = std::fs::read_to_string(out)
        .expect("valgrind has counted")
        .lines()
        .filter_map(|line| line.strip_prefix("summary: "))
        .map(|count| count.parse().expect("a number"))
        .collect();
    // The last is of what is behind the last call.
    counts.pop();
    counts
}

#[test]
#[ignore = "needs valgrind"]
fn work_grows_as_inputs_do() {
    let counts = instructions();
    let kinds = kinds(one_of());
    assert_eq!(counts.len(), 1 + 3 * kinds.len());
    let mut faults = String::new();
    for (kind, counts) in kinds.iter().zip(counts[1..].chunks(3)) {
        let (name, [_, short, long]) = (&kind.name, kind.lengths);
        let (less, more) = (counts[1], counts[2]);
        println!("{name}: {less}, {more}");
        let times = (long / short) as u64;
        if more > less * times * GROWTH / 100 && !BOUNDED.contains(&name.as_str()) {
            let _ = writeln!(
                faults,
                "{name}: {less} instructions of {short} KiB, {more} of {long}"
            );
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
