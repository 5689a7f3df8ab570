//! `docs/servers.md` as written. Each test lists what it replaces in the commands of the
//! page: hosts, ports, folders and users. What would change the machine is noted and not
//! done; the tests stand in for systemd and cron, from the files that the commands write.

mod first_contact;
mod house;
mod lmtp;
mod mailbox;
mod pipe;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::readme::blocks_of;
use crate::servers::output;
use crate::support::Sandbox;

const PROGRAM: &str = env!("CARGO_BIN_EXE_parapost");

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/servers.md")).unwrap()
}

/// The commands between a heading of the page and the next heading.
fn commands(heading: &str) -> Vec<String> {
    let page = page();
    let mut parts = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        inside ^= line.starts_with("```");
        if line.starts_with('#') && !inside {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    let part = parts
        .iter()
        .find(|part| part.lines().next().unwrap().trim_start_matches('#') == format!(" {heading}"))
        .unwrap_or_else(|| panic!("no heading {heading}"));
    let blocks = blocks_of(part).into_iter();
    let blocks = blocks.filter(|block| block.language == "sh");
    blocks.map(|block| block.text).collect()
}

/// A machine of the test's own: a folder in the place of `/`, with a home.
struct Machine {
    sandbox: Sandbox,
    /// What is replaced in the commands, and by what.
    replaced: Vec<(&'static str, String)>,
    /// Where the commands run.
    place: PathBuf,
}

impl Machine {
    /// A machine with `parapost` where `cargo install` puts it.
    fn new() -> Machine {
        let sandbox = Sandbox::new().dir("bin").dir("home/.cargo/bin");
        fs::set_permissions(sandbox.folder(), Permissions::from_mode(0o755)).unwrap();
        let machine = Machine {
            place: sandbox.path("home"),
            sandbox,
            replaced: Vec::new(),
        };
        // A script is copied sooner than the program.
        let script = format!("#!/bin/sh\nexec {PROGRAM} \"$@\"\n");
        machine.program("home/.cargo/bin/parapost", &script);
        symlink(PROGRAM, machine.path("bin/parapost")).unwrap();
        for name in ["systemctl", "loginctl", "useradd", "update-exim4.conf"] {
            let done = machine.path("done");
            let script = format!("#!/bin/sh\necho \"{name} $*\" >>{}\n", done.display());
            machine.program(&format!("bin/{name}"), &script);
        }
        machine
    }

    /// The machine with this folder of `/` in its own.
    fn folder(mut self, path: &'static str) -> Machine {
        let place = self.path(path.trim_start_matches('/'));
        fs::create_dir_all(&place).unwrap();
        self.replaced.push((path, place.display().to_string()));
        self
    }

    fn replacing(mut self, text: &'static str, by: impl Into<String>) -> Machine {
        self.replaced.push((text, by.into()));
        self
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.sandbox.path(name)
    }

    fn program(&self, name: &str, script: &str) {
        self.sandbox.write(name, script);
        fs::set_permissions(self.path(name), Permissions::from_mode(0o755)).unwrap();
    }

    /// A text of the page with everything replaced.
    fn replace(&self, text: &str) -> String {
        let replaced = self.replaced.iter();
        replaced.fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
    }

    /// A shell on this machine.
    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        let path = std::env::var("PATH").unwrap();
        command
            .args(["-euc", script])
            .current_dir(&self.place)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("HOME", self.path("home"))
            .env("NO_COLOR", "1");
        command
    }

    /// Runs a block of the page, with everything replaced.
    fn run(&self, block: &str) -> String {
        output(&mut self.shell(&self.replace(block)))
    }

    /// Checks that each text that is replaced stands on the page.
    fn check(&self) {
        for (text, _) in &self.replaced {
            assert!(page().contains(text), "{text}");
        }
    }

    /// The commands that were noted, in order.
    fn done(&self) -> Vec<String> {
        let done = self.sandbox.read("done");
        done.lines().map(str::to_owned).collect()
    }

    /// The values of a key of a unit.
    fn unit(&self, path: &str, key: &str) -> Vec<String> {
        let unit = self.sandbox.read(path);
        let lines = unit.lines().filter_map(|line| line.split_once('='));
        let values = lines.filter(|(name, _)| *name == key);
        let home = self.path("home").display().to_string();
        values
            .map(|(_, value)| value.replace("%h", &home))
            .collect()
    }
}

#[test]
fn every_block_of_the_page_is_run() {
    let page = page();
    let blocks = blocks_of(&page);
    assert!(blocks.iter().all(|block| block.language == "sh"));
    let run = [
        "Your own mailbox",
        "Every five minutes",
        "As it comes",
        "A referee's house",
        "Postfix",
        "Exim",
        "Others",
        "A referee behind LMTP",
    ];
    let number: usize = run.iter().map(|heading| commands(heading).len()).sum();
    assert_eq!(number, blocks.len());
}
