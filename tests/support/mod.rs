//! Running the program and saying what must come of it.
//!
//! ```ignore
//! parapost(["legal", "--game", "chess", "-"]).stdin("1. e4").stdout("…").run();
//!
//! let anna = Sandbox::new().file("list.txt", "1. P>e3 n>g5\n").env("PARAPOST_GAMES", "games");
//! anna.parapost(["check", "list.txt"]).any_stdout().run();
//! anna.parapost(["check", "no.txt"]).status(1).stderr_contains("no.txt").run();
//! ```
//!
//! What a test does not state must be empty: standard input, standard output,
//! standard error; and the exit status must be 0. A panic fails the test
//! whatever it states, and so does a program that does not end.

#![allow(
    dead_code,
    reason = "what can be stated does not depend on which tests there are today"
)]

pub(crate) mod exim;
pub(crate) mod in_process;
pub(crate) mod lmtp;
pub(crate) mod mail_server;
pub(crate) mod many;
pub(crate) mod peak;
pub(crate) mod reader;
pub(crate) mod terminal;

use {
    sha2::{Digest, Sha256},
    similar::TextDiff,
    std::{
        ffi::{OsStr, OsString},
        fmt::Write as _,
        fs,
        io::{Read, Write as _},
        path::{Path, PathBuf},
        process::{Child, ChildStdin, Command, ExitStatus, Stdio},
        sync::Arc,
        thread,
        time::{Duration, Instant},
    },
    tempfile::TempDir,
};

/// How long a run may take before it counts as hanging. Long, because the
/// tests share few processors with a compiler.
const PATIENCE: Duration = Duration::from_mins(2);

/// Starts to state a test of the program in a folder of its own.
pub(crate) fn parapost<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Test {
    Sandbox::new().parapost(arguments)
}

/// A private temporary folder, the working directory and home of every run in
/// it. Clones are the same folder; it goes with the last of them.
#[derive(Clone)]
pub(crate) struct Sandbox {
    folder: Arc<TempDir>,
    environment: Vec<(OsString, OsString)>,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self {
            folder: Arc::new(tempfile::tempdir().expect("a temporary folder can be made")),
            environment: Vec::new(),
        }
    }

    /// One in that folder, where the machine's temporary folder will not do.
    pub(crate) fn within(parent: &Path) -> Self {
        Self {
            folder: Arc::new(tempfile::tempdir_in(parent).expect("a folder can be made there")),
            environment: Vec::new(),
        }
    }

    /// The folder itself.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the file of that name is or would be.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder().join(name)
    }

    /// Begins with this file, and the folders it needs.
    pub(crate) fn file(self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Self {
        self.write(name, contents);
        self
    }

    /// Writes a file, and the folders it needs, over what may be there. Nobody
    /// but its owner can use a new one, as with those of the program.
    pub(crate) fn write(&self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) {
        use std::os::unix::fs::OpenOptionsExt as _;

        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).unwrap();
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(path).unwrap();
        file.write_all(contents.as_ref()).unwrap();
    }

    /// Begins with this file, which nobody but its owner can read.
    pub(crate) fn secret(self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Self {
        use std::os::unix::fs::PermissionsExt as _;

        self.write(&name, contents);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        self
    }

    /// Begins with an empty folder of that name.
    pub(crate) fn dir(self, name: impl AsRef<Path>) -> Self {
        fs::create_dir_all(self.path(name)).unwrap();
        self
    }

    /// Sets a variable of the environment for every run in this folder.
    pub(crate) fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .push((key.as_ref().into(), value.as_ref().into()));
        self
    }

    /// Reads a text file.
    ///
    /// # Panics
    ///
    /// If it is not there or not UTF-8.
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Every file below the folder with its contents, sorted by name: equal
    /// before and after a run that must not change anything. The index of the matches is
    /// left out: it is derived from them, and any run may make it.
    pub(crate) fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.ends_with(".index") {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.folder()).unwrap().to_path_buf();
                    files.push((name, fs::read(path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }

    /// Starts to state a run of the program in this folder.
    pub(crate) fn parapost<A: Into<OsString>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Test {
        Test {
            sandbox: self.clone(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            stdin: Vec::new(),
            stdout: Expected::Exactly(String::new()),
            stderr: Expected::Exactly(String::new()),
            status: 0,
        }
    }
}

/// The text of a state file with the chain its log must have (docs/format.md,
/// 5), whatever chain it has: what somebody writes who knows the format.
pub(crate) fn chained(text: &str) -> String {
    const MARK: &str = " chain=";
    let id = text.lines().find_map(|line| line.strip_prefix("Id: "));
    let mut end = id.unwrap_or_default().to_owned();
    let mut lines: Vec<String> = Vec::new();
    let mut is_log = false;
    for line in text.lines() {
        let line = line.rsplit_once(MARK).map_or(line, |(line, _)| line);
        if is_log && !line.is_empty() {
            let hash = Sha256::digest(format!("{end}\n{line}\n"));
            end.clear();
            for byte in &hash[..8] {
                let _ = write!(end, "{byte:02x}");
            }
            lines.push(format!("{line}{MARK}{end}"));
        } else {
            is_log |= line == "Log";
            lines.push(line.to_owned());
        }
    }
    if let Some(line) = lines.iter_mut().find(|line| line.starts_with("Chain: ")) {
        *line = format!("Chain: {end}");
    }
    lines.join("\n") + "\n"
}

/// The diagram and the list of a state file: what stands between its headers
/// and its log.
pub(crate) fn board(text: &str) -> String {
    let (_, rest) = text.split_once("\n\n").expect("headers");
    let (board, _) = rest.split_once("\nLog\n").expect("a log");
    board.to_owned()
}

/// What a stream must have said.
enum Expected {
    Exactly(String),
    /// Every one of these pieces, in any order; no pieces: anything.
    Containing(Vec<String>),
}

impl Expected {
    fn also_containing(&mut self, fragment: &str) {
        match self {
            Self::Containing(fragments) => fragments.push(fragment.to_owned()),
            Self::Exactly(_) => *self = Self::Containing(vec![fragment.to_owned()]),
        }
    }

    /// Adds to `faults` what `actual` has wrong.
    fn compare(&self, stream: &str, actual: &str, faults: &mut String) {
        match self {
            Self::Exactly(expected) if expected != actual => {
                let diff = TextDiff::from_lines(expected.as_str(), actual);
                let mut diff = diff.unified_diff();
                let diff = diff.header("expected", "actual").missing_newline_hint(true);
                let _ = writeln!(faults, "{stream} is not as expected:\n{diff}");
            }
            Self::Exactly(_) => {}
            Self::Containing(fragments) => {
                for fragment in fragments.iter().filter(|f| !actual.contains(*f)) {
                    let _ = writeln!(faults, "{stream} does not contain {fragment:?}");
                }
            }
        }
    }
}

/// One run of the program and what must come of it.
#[must_use = "nothing is tested before `run`"]
pub(crate) struct Test {
    sandbox: Sandbox,
    arguments: Vec<OsString>,
    stdin: Vec<u8>,
    stdout: Expected,
    stderr: Expected,
    status: i32,
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Test {
    /// More arguments.
    pub(crate) fn args<A: Into<OsString>>(mut self, more: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(more.into_iter().map(Into::into));
        self
    }

    /// Writes a file into the folder of the run.
    pub(crate) fn file(mut self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Self {
        self.sandbox = self.sandbox.file(name, contents);
        self
    }

    /// Sets a variable of the environment.
    pub(crate) fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.sandbox = self.sandbox.env(key, value);
        self
    }

    /// Sets the program's clock, a time as in RFC 3339.
    pub(crate) fn now(self, time: &str) -> Self {
        self.env("PARAPOST_NOW", time)
    }

    /// What the run reads from standard input.
    pub(crate) fn stdin(mut self, input: impl AsRef<[u8]>) -> Self {
        self.stdin = input.as_ref().to_vec();
        self
    }

    /// Standard output must be this.
    pub(crate) fn stdout(mut self, text: impl Into<String>) -> Self {
        self.stdout = Expected::Exactly(text.into());
        self
    }

    /// Standard output must contain this, and whatever else is asked for so.
    pub(crate) fn stdout_contains(mut self, fragment: &str) -> Self {
        self.stdout.also_containing(fragment);
        self
    }

    /// Standard output may be anything: the caller looks at it.
    pub(crate) fn any_stdout(mut self) -> Self {
        self.stdout = Expected::Containing(Vec::new());
        self
    }

    /// Standard error must be this.
    pub(crate) fn stderr(mut self, text: impl Into<String>) -> Self {
        self.stderr = Expected::Exactly(text.into());
        self
    }

    /// Standard error must contain this, and whatever else is asked for so.
    pub(crate) fn stderr_contains(mut self, fragment: &str) -> Self {
        self.stderr.also_containing(fragment);
        self
    }

    /// Standard error may be anything but a panic.
    pub(crate) fn any_stderr(mut self) -> Self {
        self.stderr = Expected::Containing(Vec::new());
        self
    }

    /// The exit status must be this.
    pub(crate) fn status(mut self, status: i32) -> Self {
        self.status = status;
        self
    }

    /// Runs the program and holds what comes of it against what was stated.
    ///
    /// # Panics
    ///
    /// If they differ, with everything that differs.
    #[track_caller]
    pub(crate) fn run(self) -> Output {
        let (status, output) = self.run_to_its_end();
        let mut faults = String::new();
        if status.code() != Some(self.status) {
            let _ = writeln!(
                faults,
                "expected exit status {}, but it ended with {status}",
                self.status
            );
        }
        self.stdout.compare("stdout", &output.stdout, &mut faults);
        self.stderr.compare("stderr", &output.stderr, &mut faults);
        if output.stderr.contains("panicked at") {
            faults.push_str("the program panicked\n");
        }
        assert!(
            faults.is_empty(),
            "parapost {:?}\n{faults}--- stdout\n{}--- stderr\n{}---",
            self.arguments,
            output.stdout,
            output.stderr
        );
        output
    }

    /// Runs the program, which may do it or refuse it: exit status 0 or 1.
    ///
    /// # Panics
    ///
    /// If it ends in another way.
    #[track_caller]
    pub(crate) fn either(self) -> Output {
        let (status, output) = self.run_to_its_end();
        let is_either = matches!(status.code(), Some(0 | 1)) && !output.stderr.contains("panicked");
        assert!(
            is_either,
            "parapost {:?} ended with {status}\n{}",
            self.arguments, output.stderr
        );
        output
    }

    /// The program as it would be run, for a test that needs its hands on the
    /// process: nothing of the caller's environment but `PATH`, so that no
    /// configuration of the machine plays along.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parapost"));
        command
            .args(&self.arguments)
            .current_dir(self.sandbox.folder())
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.sandbox.folder())
            .env("TMPDIR", self.sandbox.folder())
            .env("NO_COLOR", "1")
            .envs(self.sandbox.environment.iter().map(|(k, v)| (k, v)));
        command
    }

    fn run_to_its_end(&self) -> (ExitStatus, Output) {
        let mut child = self
            .command()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take().expect("piped");
        let stdout = child.stdout.take().expect("piped");
        let stderr = child.stderr.take().expect("piped");
        thread::scope(|scope| {
            scope.spawn(|| feed(stdin, &self.stdin));
            let stdout = scope.spawn(|| drain(stdout));
            let stderr = scope.spawn(|| drain(stderr));
            let status = wait(&mut child, &self.arguments);
            let output = Output {
                stdout: stdout.join().expect("stdout is UTF-8"),
                stderr: stderr.join().expect("stderr is UTF-8"),
            };
            (status, output)
        })
    }
}

/// Writes all of `input`, as far as the program cares to read it.
fn feed(mut stdin: ChildStdin, input: &[u8]) {
    let _ = stdin.write_all(input);
}

fn drain(mut stream: impl Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("UTF-8");
    text
}

/// Waits for the end of `child`, with limited patience.
fn wait(child: &mut Child, arguments: &[OsString]) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().expect("a child can be ended");
            panic!("parapost {arguments:?} did not end within {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

mod tests {
    use super::parapost;

    #[test]
    #[should_panic(expected = "expected exit status 1, but it ended with")]
    fn another_exit_status_fails() {
        parapost(["--version"]).any_stdout().status(1).run();
    }

    #[test]
    #[should_panic(expected = "stdout is not as expected:\n--- expected")]
    fn another_output_fails() {
        parapost(["--version"]).stdout("nothing like it\n").run();
    }

    #[test]
    #[should_panic(expected = "stdout does not contain \"nothing like it\"")]
    fn output_without_the_fragment_fails() {
        parapost(["--version"])
            .stdout_contains("nothing like it")
            .run();
    }
}
