//! The README, word by word: its two commands, the installation and the tutorial, in a fresh copy of what is under
//! version control, with an empty home.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A block of a page: the language behind its fence, and its lines.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn blocks() -> Vec<Block> {
    blocks_of(&fs::read_to_string(root().join("README.md")).expect("a README"))
}

/// The blocks of a page, in order.
pub(crate) fn blocks_of(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push(Block {
                    language: language.to_owned(),
                    text: String::new(),
                });
            }
        } else if inside {
            let block = blocks.last_mut().expect("a fence was opened");
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    blocks
}

/// Where a newcomer's commands build, a folder for each profile.
const BUILT: &str = "target/readme";

/// Lends a newcomer the crates of others that are built for the tests already: to build them again takes minutes, and Cargo
/// builds anew whatever doesn't fit.
fn lend() {
    let built = std::env::current_exe().expect("a test has a program");
    let built = built
        .ancestors()
        .nth(2)
        .expect("it is in target/debug/deps");
    let to = root().join(BUILT).join("debug");
    if !to.exists() {
        fs::create_dir_all(&to).expect("a new folder");
        for part in ["deps", "build", ".fingerprint"] {
            // Links take no room; what Cargo writes over is copied.
            let how = if part == ".fingerprint" { "-a" } else { "-al" };
            let copied = Command::new("cp")
                .arg(how)
                .arg(built.join(part))
                .arg(&to)
                .status();
            assert!(copied.expect("cp runs").success(), "{part}");
        }
    }
}

/// A newcomer's machine: a fresh checkout, an empty home, the toolchain.
struct Newcomer {
    folder: tempfile::TempDir,
}

impl Newcomer {
    fn new() -> Newcomer {
        let newcomer = Newcomer {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        for folder in ["home", "checkout", "try", "tmp"] {
            fs::create_dir(newcomer.path(folder)).expect("a new folder");
        }
        newcomer.check_out();
        lend();
        newcomer
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Copies the files under version control, and those that could be.
    fn check_out(&self) {
        let listed = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root())
            .output()
            .expect("git lists the files");
        assert!(
            listed.status.success(),
            "{}",
            String::from_utf8_lossy(&listed.stderr)
        );
        let names = String::from_utf8(listed.stdout).expect("names in UTF-8");
        for name in names.split_terminator('\0') {
            let (from, to) = (root().join(name), self.path("checkout").join(name));
            // A file that was deleted and is still listed.
            if !from.exists() {
                continue;
            }
            fs::create_dir_all(to.parent().expect("a file is in a folder")).expect("a new folder");
            fs::copy(&from, &to).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    /// Runs a script in one of the folders. Time stands still, and what is built is built without optimisation and kept
    /// for the next run of this test: nothing else is different from a newcomer's shell.
    fn shell(&self, folder: &str, script: &str) -> Output {
        let home = std::env::var("HOME").unwrap_or_default();
        let keep = |name: &str, below: &str| {
            std::env::var(name).unwrap_or_else(|_| format!("{home}/{below}"))
        };
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.path("installed/bin");
        Command::new("bash")
            .args(["-euo", "pipefail", "-c", script])
            .current_dir(self.path(folder))
            .env_clear()
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            .env("CARGO_HOME", keep("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", keep("RUSTUP_HOME", ".rustup"))
            .env("CARGO_INSTALL_ROOT", self.path("installed"))
            .env("CARGO_TARGET_DIR", root().join(BUILT))
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env("PARAPOST_NOW", "2026-11-06T21:10:00Z")
            .output()
            .expect("bash runs")
    }

    /// Runs a script that must succeed, and gives what it prints.
    fn run(&self, folder: &str, script: &str) -> String {
        let output = self.shell(folder, script);
        assert!(
            output.status.success(),
            "{script}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// The commands and the expected output of the `console` blocks, in order.
fn dialogue() -> Vec<(String, String)> {
    let mut said: Vec<(String, String)> = Vec::new();
    for block in blocks().iter().filter(|block| block.language == "console") {
        for line in block.text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                said.push((command.to_owned(), String::new()));
            } else {
                let (_, output) = said.last_mut().expect("a block begins with a command");
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    said
}

#[test]
#[ignore = "needs git"]
fn the_readme_is_true() {
    let newcomer = Newcomer::new();
    let scripts: Vec<String> = blocks()
        .into_iter()
        .filter(|block| block.language == "sh")
        .map(|block| block.text)
        .collect();
    let [main_job, tests, install, shells] = scripts.as_slice() else {
        panic!("the README has two commands, the installation, and what shells and man read");
    };

    let first = newcomer.run("checkout", main_job);
    assert_eq!(first, "<b2.4e1a@mail.example.test>\tdemo\taccepted\n");
    let mail = newcomer.run("tmp", "cat */outbox/demo.23.*.eml");
    assert!(
        mail.contains("\nTo: Anna <anna@example.org>\nSubject: [demo] Unachess: Anna - "),
        "{mail}"
    );
    assert!(
        mail.contains("\n- - - - n - - -       rrbbn-qk\n"),
        "{mail}"
    );
    assert_eq!(
        newcomer.run("checkout", main_job),
        first,
        "run twice it does the same"
    );

    // The test command cannot run itself; it must be there to be run.
    let runner = newcomer.path("checkout").join(tests.trim());
    assert!(
        fs::metadata(&runner).is_ok_and(|data| data.is_file()),
        "{tests}"
    );

    newcomer.run("checkout", install);
    newcomer.run("home", shells);
    for file in [
        "bash-completion/completions/parapost",
        "man/man1/parapost-check.1",
    ] {
        let file = newcomer.path("home/.local/share").join(file);
        assert!(
            fs::metadata(&file).is_ok_and(|found| found.len() > 0),
            "{}",
            file.display()
        );
    }
    tutorial(&newcomer);
}

/// Plays the dialogue in one shell and compares what is printed.
fn tutorial(newcomer: &Newcomer) {
    use std::fmt::Write as _;
    let said = dialogue();
    let mut script = String::from("set +e\nexec 2>&1\nshopt -s expand_aliases\n");
    for (command, _) in &said {
        let _ = writeln!(script, "{command}\nprintf '\\001'");
    }
    let printed = newcomer.run("try", &script);
    let printed: Vec<&str> = printed.split_terminator('\u{1}').collect();
    assert_eq!(printed.len(), said.len());
    for ((command, expected), printed) in said.iter().zip(printed) {
        assert!(
            is_alike(printed, expected),
            "$ {command}\n{printed}instead of\n{expected}"
        );
    }
}

/// Returns true if a text is the expected one, where `…` stands for anything within a line: a
/// name that is another one each time.
fn is_alike(printed: &str, expected: &str) -> bool {
    let mut rows = printed.split('\n');
    let alike = expected.split('\n').all(|expected| {
        let Some(printed) = rows.next() else {
            return false;
        };
        match expected.split_once('…') {
            Some((begin, end)) => {
                printed.len() >= begin.len() + end.len()
                    && printed.starts_with(begin)
                    && printed.ends_with(end)
            }
            None => printed == expected,
        }
    });
    alike && rows.next().is_none()
}
