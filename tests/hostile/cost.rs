//! What the worst messages cost, counted in bytes allocated and in instructions: a message of so many times the length costs
//! so many times as much.

use allocation_counter::measure;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

use super::hearing::{game, hear};
use super::shapes::{SHAPES, Shape};
use crate::support::Sandbox;

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

/// Lengths whose instructions are counted, in KiB, which makes each of them take some fifty times as long. With the first,
/// whatever is built once for all messages of its shape is there.
const LENGTHS: [usize; 3] = [1, 2, 8];

/// The last of them costs at most so many times as much as the one before, in percent.
const LONGER: u64 = 500;

/// A table takes as much as its lines and its width come to: `limits::HTML_TABLES` bounds that, and the benchmark tells it.
const BOUNDED: [&str; 1] = ["cells of a row"];

/// Of how many shapes the instructions of one are counted, unless `PARAPOST_EVERY_SHAPE` is set: all of them take ten minutes.
fn one_of() -> usize {
    if std::env::var_os("PARAPOST_EVERY_SHAPE").is_some() {
        1
    } else {
        3
    }
}

/// Tells the test below that its instructions are counted.
const COUNTED: &str = "PARAPOST_INSTRUCTIONS_ARE_COUNTED";

#[test]
#[ignore = "takes long"]
fn every_shape_is_heard() {
    let game = game();
    let counted = std::env::var_os(COUNTED).is_some();
    let messages: Vec<_> = SHAPES
        .iter()
        .step_by(if counted { one_of() } else { 1 })
        .flat_map(|(_, shape)| LENGTHS.map(|kib| shape(kib << 10)))
        .collect();
    // Whatever is before the first call is counted with it.
    hear(&game, b"From: ben@example.test\n\nn>g5\n");
    for message in &messages {
        assert_ne!(hear(&game, message), "no message");
    }
}

/// How many instructions each call of `hear` takes in the test above, as valgrind counts them. The first has in it all that
/// is before it.
fn instructions() -> Vec<u64> {
    let folder = Sandbox::new();
    let out = folder.path("counts");
    let mut out_file = std::ffi::OsString::from("--callgrind-out-file=");
    out_file.push(&out);
    let status = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--combine-dumps=yes"])
        .args(["--dump-line=no", "--dump-after=*hearing::hear*"])
        .arg(out_file)
        .arg(std::env::current_exe().expect("a test has a program"))
        .args([
            "--include-ignored",
            "--exact",
            "hostile::cost::every_shape_is_heard",
        ])
        .env(COUNTED, "1")
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
fn work_grows_as_messages_do() {
    let counts = instructions();
    let shapes = SHAPES.iter().step_by(one_of());
    assert_eq!(counts.len(), 1 + LENGTHS.len() * shapes.len());
    let mut faults = String::new();
    for ((name, _), lengths) in shapes.zip(counts[1..].chunks(LENGTHS.len())) {
        let [_, less, more] = lengths else {
            unreachable!("three lengths")
        };
        println!("{name}: {less}, {more}");
        if more * 100 > less * LONGER && !BOUNDED.contains(name) {
            let _ = writeln!(
                faults,
                "{name}: {less} instructions, four times as long {more}"
            );
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
