//! dnsmasq as a resolver that knows some SRV records.

use std::path::Path;
use std::process::Child;

use tempfile::TempDir;

use crate::servers::{Owner, end, free_ports, listens};

const PROGRAM: &str = "/usr/sbin/dnsmasq";

/// How often a start is tried again because a port was taken in between.
const STARTS: usize = 5;

/// A running resolver that asks nobody.
pub(crate) struct Dnsmasq {
    child: Child,
    pub(crate) port: u16,
    _folder: TempDir,
}

impl Dnsmasq {
    /// Starts a resolver with these records: name, host, port and priority. For all other
    /// names below `test` there is nothing.
    ///
    /// # Panics
    ///
    /// If dnsmasq is missing or does not start.
    pub(crate) fn start(records: &[(&str, &str, u16, u16)]) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "there is no {PROGRAM}: tests/run installs what the tests need"
        );
        let folder = tempfile::tempdir().unwrap();
        let owner = Owner::of(folder.path());
        let records = records.iter();
        let records: Vec<String> = records
            .map(|(name, host, port, priority)| {
                format!("--srv-host={name},{host},{port},{priority},1")
            })
            .collect();
        for _ in 0..STARTS {
            let [port] = free_ports();
            let mut child = owner
                .command(PROGRAM)
                .args([
                    "--keep-in-foreground",
                    "--conf-file=/dev/null",
                    "--pid-file=",
                ])
                .args(["--no-resolv", "--no-hosts", "--no-poll", "--local=/test/"])
                .args(["--listen-address=127.0.0.1", "--bind-interfaces"])
                .arg(format!("--port={port}"))
                .args(&records)
                .spawn()
                .expect("setpriv starts");
            if listens(&mut child, port) {
                return Self {
                    child,
                    port,
                    _folder: folder,
                };
            }
        }
        panic!("dnsmasq does not start");
    }
}

impl Drop for Dnsmasq {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}
