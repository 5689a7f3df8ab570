//! The workers: `parapost serve`, each in a folder of its own, over one database.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::program;

/// How long a worker may take until it listens, and until it has ended when it is told to.
const PATIENCE: Duration = Duration::from_mins(1);

/// A worker, which runs but for the moments between being killed and started again.
pub(crate) struct Worker {
    folder: PathBuf,
    child: Child,
    pub(crate) port: u16,
}

impl Worker {
    /// Makes a worker's folder below another one, with this configuration, and starts it.
    pub(crate) fn start(below: &Path, number: usize, config: &str) -> Worker {
        let folder = below.join(format!("w{number}"));
        fs::create_dir(&folder).expect("a new folder");
        fs::write(folder.join("config.toml"), config).expect("a configuration");
        let port = free_port();
        let child = run(&folder, port);
        Worker {
            folder,
            child,
            port,
        }
    }

    /// Kills it.
    ///
    /// # Errors
    ///
    /// If it had ended by itself, with what it said last.
    pub(crate) fn kill(&mut self) -> Result<(), String> {
        let ended = self.child.try_wait().ok().flatten();
        let _ = self.child.kill();
        let _ = self.child.wait();
        match ended {
            None => Ok(()),
            Some(status) => Err(format!(
                "a worker ended by itself: {status}: {}",
                self.said()
            )),
        }
    }

    /// Starts it again.
    pub(crate) fn revive(&mut self) {
        self.child = run(&self.folder, self.port);
    }

    /// Tells it to end.
    ///
    /// # Errors
    ///
    /// If it does not, or not well.
    pub(crate) fn stop(&mut self) -> Result<(), String> {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Ok(Some(status)) = self.child.try_wait() {
                return if status.success() {
                    Ok(())
                } else {
                    Err(format!("a worker ended with {status}: {}", self.said()))
                };
            }
            thread::sleep(Duration::from_millis(100));
        }
        Err("a worker that was told to end goes on".to_owned())
    }

    /// The last lines of standard error.
    fn said(&self) -> String {
        let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.lines().rev().take(3).collect();
        lines.join(" / ")
    }

    /// Returns true if a worker has said that it panicked.
    pub(crate) fn has_panicked(&self) -> bool {
        let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        log.contains("panic")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(folder: &Path, port: u16) -> Child {
    let log = File::options()
        .create(true)
        .append(true)
        .open(folder.join("log"))
        .expect("a log");
    program(folder)
        // One secret for all.
        .env("HOME", folder.parent().expect("a folder above"))
        .args(["serve", "--lmtp", &format!("127.0.0.1:{port}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("the program")
}

/// A port that no connection takes by itself while its worker is away.
fn free_port() -> u16 {
    loop {
        let port = fastrand::u16(20_000..32_000);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
