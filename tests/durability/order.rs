//! A kill proves no sync: what was written is in the system's memory all the
//! same. That everything is on the disk before the next step relies on it is
//! told from the order of the calls.

use std::collections::BTreeSet;

use super::shim::Call;

/// `O_CREAT`, as Linux has it.
const CREATES: i64 = 0o100;
/// `RENAME_EXCHANGE`.
const EXCHANGES: i64 = 0b10;
/// `ENOENT`, as a result.
const ABSENT: i64 = -2;

/// The steps that others can see or rely on, in their order, and what was not
/// on the disk when one was taken, or at the end.
#[derive(Default)]
pub(crate) struct Order {
    /// The name that a file got; `MAIL` for one in the outbox; `print`, what is
    /// to be sent noted, `connect`; `say` where a connection is used again.
    pub(crate) steps: Vec<String>,
    pub(crate) faults: Vec<String>,
    /// Files with contents that are not on the disk.
    contents: BTreeSet<String>,
    /// Folders with names that are not on the disk.
    names: BTreeSet<String>,
    /// Files that were in use and have changed places with another, which is not on the disk.
    exchanged: BTreeSet<String>,
    /// Files that were looked for, are not there, and are to be found again.
    absent: BTreeSet<String>,
}

impl Order {
    pub(crate) fn of(trace: &[Call]) -> Order {
        let mut order = Order::default();
        for call in trace {
            order.take(call);
        }
        order.must_rest("the end");
        order
    }

    fn take(&mut self, call: &Call) {
        // The index is derived from the matches, and nothing relies on it. The ids of the last mails
        // cost a warning alone.
        if ["/.index", "/parapost/sent"]
            .iter()
            .any(|part| call.path.contains(part))
        {
            return;
        }
        let result = call.result.unwrap_or(-1);
        // The lock of a match says nothing to anybody, and may go again.
        if call.name == "statx" && result == ABSENT && call.path.ends_with(".send.lock") {
            self.absent.insert(call.path.clone());
        }
        if call.name == "connect" {
            // It says that it is under way.
            self.step(call.name.clone());
        }
        // What is said to a mail server that is connected already begins with a step.
        let last = self.steps.last().map(String::as_str);
        if call.name == "sendto" && !matches!(last, Some("connect" | "say")) {
            self.step("say".to_owned());
        }
        if result < 0 {
            return;
        }
        match call.name.as_str() {
            "write" | "writev" | "pwrite64" | "ftruncate" => match call.path.as_str() {
                "err" => {}
                "out" => self.step("print".to_owned()),
                path => {
                    // After a crash it would be in use again.
                    if self.exchanged.contains(path) {
                        let step = self.steps.len();
                        let fault = format!("'{path}' is written over before step {step}");
                        self.faults.push(fault);
                    }
                    self.contents.insert(path.to_owned());
                }
            },
            "fsync" | "fdatasync" => {
                self.contents.remove(&call.path);
                self.names.remove(&call.path);
                self.exchanged.retain(|path| folder(path) != call.path);
                if call.path.ends_with(".send.lock") {
                    self.steps.push("note".to_owned());
                }
            }
            "openat" if call.shown & CREATES != 0 && self.absent.remove(&call.path) => {
                self.names.insert(folder(&call.path));
            }
            "mkdir" | "mkdirat" => {
                self.names.insert(folder(&call.path));
            }
            // Nothing relies on a spare.
            "rename" | "renameat" if is_spare(&call.second) => {
                let was_exchanged = self.exchanged.remove(&call.path);
                self.exchanged
                    .extend(was_exchanged.then(|| call.second.clone()));
            }
            "rename" | "renameat" | "renameat2" | "link" | "linkat" => {
                let is_mail = call.second.starts_with("games/outbox/");
                let name = if is_mail { "MAIL" } else { &call.second };
                self.step(name.to_owned());
                self.names.insert(folder(&call.second));
                if call.name == "renameat2" && call.shown & EXCHANGES != 0 {
                    self.exchanged.insert(call.path.clone());
                }
            }
            _ => {}
        }
    }

    fn step(&mut self, step: String) {
        self.must_rest(&step);
        self.steps.push(step);
    }

    fn must_rest(&mut self, step: &str) {
        for path in self.contents.iter().chain(&self.names) {
            self.faults.push(format!(
                "'{path}' is not on the disk before step {}, {step}",
                self.steps.len()
            ));
        }
    }
}

/// Returns true for the names of a match's spare.
fn is_spare(path: &str) -> bool {
    path.ends_with(".txt.tmp") || path.ends_with(".txt.new")
}

fn folder(path: &str) -> String {
    path.rsplit_once('/')
        .map_or("", |(folder, _)| folder)
        .to_owned()
}
