//! `parapost serve` over a folder, for the benchmarks.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::program::program;

/// A server of LMTP at a port of the loopback. It is told to end, and waited for, when this is dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) port: u16,
}

impl Server {
    /// Starts the program and waits until it listens. Gives away each line that it says after that.
    ///
    /// # Panics
    ///
    /// If it does not listen.
    pub(crate) fn start(folder: &Path, said: impl Fn(String) + Send + 'static) -> Server {
        let mut child = program(folder)
            .args(["serve", "--lmtp", "127.0.0.1:0"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let stderr = child.stderr.take().expect("a pipe");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("listening at 127.0.0.1:")?;
            port.parse().ok()
        });
        // What it says must not fill the pipe.
        thread::spawn(move || lines.for_each(said));
        let port = port.expect("it listens");
        Server { child, port }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let id = self.child.id().to_string();
        let _ = Command::new("kill").arg(id).status();
        let _ = self.child.wait();
    }
}
