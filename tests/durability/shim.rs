//! The preloaded C library (`shim.c`) that makes system calls fail, fall short
//! or be the last, and what it writes down.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

/// What happens to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Nothing; its calls are written down.
    None,
    /// It is killed instead of making that call.
    Kill(usize),
    /// Of what that call writes, only half is written.
    Half(usize),
    /// The same, and it is killed.
    Torn(usize),
    /// That call fails with that error number.
    Fail(usize, i32),
    /// No lock can be had, for that reason.
    Locks(i32),
    /// It is killed instead of ending, when all is done.
    #[cfg(feature = "postgres")]
    Exit,
    /// No search for the name of a host ever ends.
    #[cfg(feature = "postgres")]
    Names,
    /// Every sync takes as long as it may on a disk.
    Slow,
    /// It is left alone, but for an alarm that ends it should it hang.
    Off,
}

impl Fault {
    /// Has the run of that command meet the fault and write its calls down in
    /// that file.
    pub(crate) fn prepare(self, command: &mut Command, trace: &Path) {
        let fault = match self {
            Fault::None => "none".to_owned(),
            Fault::Kill(n) => format!("kill:{n}"),
            Fault::Half(n) => format!("half:{n}"),
            Fault::Torn(n) => format!("torn:{n}"),
            Fault::Fail(n, error) => format!("fail:{n}:{error}"),
            Fault::Locks(error) => format!("locks:{error}"),
            #[cfg(feature = "postgres")]
            Fault::Exit => "exit".to_owned(),
            #[cfg(feature = "postgres")]
            Fault::Names => "names".to_owned(),
            Fault::Slow => "slow".to_owned(),
            Fault::Off => "off".to_owned(),
        };
        command
            .env("LD_PRELOAD", library())
            .env("FAULT", fault)
            .env("TRACE", trace);
    }
}

/// The library, compiled by whoever needs it first and kept for as long as its
/// source stays the same.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = include_str!("shim.c");
        let hash: [u8; 8] = *Sha256::digest(source).first_chunk().unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.join(format!("shim-{:016x}.so", u64::from_be_bytes(hash)));
        if !library.exists() {
            fs::create_dir_all(folder).unwrap();
            let fresh = tempfile::Builder::new().tempfile_in(folder).unwrap();
            let output = Command::new("cc")
                .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"])
                .arg("-o")
                .arg(fresh.path())
                .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/durability/shim.c"))
                .output()
                .expect("cc is there: Rust links with it");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "shim.c: {said}");
            fresh.persist(&library).unwrap();
        }
        library
    })
}

/// A system call that a run has made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) name: String,
    /// The file it is about, below the folder of the run if it is there.
    pub(crate) path: String,
    /// Where a name goes.
    pub(crate) second: String,
    /// The flags of an `openat`, the size of a `write`.
    pub(crate) shown: i64,
    /// What came of it; nothing if the program was killed.
    pub(crate) result: Option<i64>,
    /// Whether it is tried to fail it.
    pub(crate) may_fail: bool,
    /// Whether it can write less than it is told.
    pub(crate) writes: bool,
}

impl Call {
    /// Whether the kernel can break it off because of a signal (signal(7)).
    pub(crate) fn is_interruptible(&self) -> bool {
        matches!(
            self.name.as_str(),
            "open"
                | "openat"
                | "read"
                | "pread64"
                | "write"
                | "pwrite64"
                | "writev"
                | "fsync"
                | "fdatasync"
                | "ftruncate"
                | "flock"
                | "sendto"
                | "recvfrom"
                | "poll"
        )
    }
}

/// The calls that are written down in that file, by a run in that folder.
pub(crate) fn trace(file: &Path, folder: &Path) -> Vec<Call> {
    let text = fs::read_to_string(file).unwrap();
    let folder = folder.to_str().unwrap();
    let below = |path: &str| {
        let rest = path.strip_prefix(folder).unwrap_or(path);
        rest.trim_start_matches('/').to_owned()
    };
    let call = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let [number, name, path, second, shown, result, marks] = parts[..] else {
            panic!("a line of a trace: {line:?}");
        };
        Call {
            number: number.parse().unwrap(),
            name: name.to_owned(),
            path: below(path),
            second: below(second),
            shown: shown.parse().unwrap_or_default(),
            result: result.parse().ok(),
            may_fail: marks.contains('f'),
            writes: marks.contains('w'),
        }
    };
    // A thread that is killed while it writes a line leaves a part of it.
    let whole = text
        .split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'));
    whole.map(call).collect()
}
