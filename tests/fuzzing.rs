//! The fuzz targets of `tests/fuzz`, on the compiler and the time that every test has: on their stored seeds, on the
//! letters and texts of the other tests, and on mutations of all of them. `cargo fuzz` goes further with the same.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use fastrand::Rng;

use crate::fuzz_harness::TARGETS;

/// Mutations of each seed, and inputs of each target, at most.
const MUTATIONS: usize = 80;
const INPUTS: usize = 3000;

/// The most bytes of an input: the cost of a longer one is another test's.
const LONGEST: usize = 4096;

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

/// The stored seeds of a target, and what the other tests have that is like them.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut found = files(&tests.join("fuzz/seeds").join(target));
    assert!(!found.is_empty(), "no seeds for {target}");
    match target {
        "letter" => found.extend(files(&tests.join("mail"))),
        "text" | "diagram" => found.extend(files(&tests.join("data"))),
        "state" => found.extend(files(&tests.join("../games"))),
        _ => {}
    }
    found
        .iter()
        .map(|path| fs::read(path).expect("a readable seed"))
        .collect()
}

/// Another input, made of one or two: bytes changed, taken out, doubled, or lines put together.
fn mutate(rng: &mut Rng, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..rng.usize(1..5) {
        let at = rng.usize(0..=bytes.len());
        let end = (at + rng.usize(0..24)).min(bytes.len());
        match rng.u8(0..6) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.usize(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            2 => bytes.insert(at, rng.u8(..)),
            3 if at < bytes.len() => {
                bytes[at] = *rng
                    .choice(b">-x+#!=KkPpe48 \n\t.,:\"\\\xff")
                    .expect("a choice");
            }
            4 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(0..8),
            _ => {
                let from = rng.usize(0..=other.len());
                let until = (from + rng.usize(0..80)).min(other.len());
                bytes.splice(at..end, other[from..until].iter().copied());
            }
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

fn fuzz(name: &str) {
    let (_, run) = TARGETS
        .iter()
        .find(|(target, _)| *target == name)
        .expect("a target");
    let seeds = seeds(name);
    let mut rng = Rng::with_seed(1994);
    let mut tried = 0;
    let mut attempt = |input: &[u8]| {
        tried += 1;
        if let Err(failure) = panic::catch_unwind(|| run(input)) {
            let shown = input.escape_ascii();
            println!("the input was b\"{shown}\"");
            panic::resume_unwind(failure);
        }
    };
    let mutations = MUTATIONS.min(INPUTS / seeds.len());
    for seed in &seeds {
        attempt(&seed[..seed.len().min(LONGEST)]);
        for _ in 0..mutations {
            let other = rng.choice(&seeds).expect("a seed");
            attempt(&mutate(&mut rng, &seed[..seed.len().min(LONGEST)], other));
        }
    }
    println!("{name}: {tried} inputs");
}

macro_rules! targets {
    ($($name:ident $(($why:literal))?)*) => {
        $(
            #[test]
            $(#[ignore = $why])?
            fn $name() {
                fuzz(stringify!($name));
            }
        )*

        #[test]
        fn no_target_is_left_out() {
            let named = [$(stringify!($name)),*];
            assert_eq!(TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), named);
        }
    };
}

targets! { play("takes long") moves fen text diagram letter("takes long") html("takes long") state config imap }
