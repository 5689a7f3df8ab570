//! What the second and the third set-up share: the referee's house, and a match in it.

use std::fs;
use std::path::PathBuf;

use lettre::SmtpTransport;
use mail_parser::MessageParser;

use super::{Machine, PROGRAM, commands};
use crate::servers::{messages_in, output, wait_until};
use crate::support::exim::address;
use crate::support::reader::{Habit, Letter, Reader};

/// A machine with a mail server at this port, where this user does the work.
pub(super) fn machine(port: u16, user: &str, group: &str) -> Machine {
    let mut machine = Machine::new();
    // In a clone of the repository.
    machine.place = env!("CARGO_MANIFEST_DIR").into();
    // Who does the work here has another home than useradd would have given.
    let home = machine.path("var/lib/parapost");
    let script = format!("#!/bin/sh\nHOME={} exec {PROGRAM} \"$@\"\n", home.display());
    machine.program("home/.cargo/bin/parapost", &script);
    machine
        .folder("/etc/parapost")
        .folder("/etc/cron.d")
        .folder("/var/lib/parapost")
        .folder("/usr/local/bin")
        .replacing("port = 25\n", format!("port = {port}\n"))
        .replacing("-o parapost -g parapost", format!("-o {user} -g {group}"))
        .replacing("parapost:parapost", format!("{user}:{group}"))
        .replacing("-u parapost", format!("-u {user}"))
        .replacing("* * * * parapost", format!("* * * * {user}"))
        .replacing("anna@example.org", address("white"))
        .replacing("ben@example.org", address("black"))
}

/// Makes the house, and leaves what begins a match.
pub(super) fn build(machine: &Machine) -> String {
    let blocks = commands("A referee's house");
    let [files, begin, cron] = blocks.as_slice() else {
        panic!("{blocks:?}");
    };
    machine.run(files);
    machine.run(cron);
    assert_eq!(
        machine.done()[0],
        "useradd --system --home-dir /var/lib/parapost --shell /usr/sbin/nologin parapost".replace(
            "/var/lib/parapost",
            &machine.path("var/lib/parapost").display().to_string()
        )
    );
    begin.clone()
}

/// Runs what cron would run.
pub(super) fn tick(machine: &Machine) {
    let table = machine.sandbox.read("etc/cron.d/parapost");
    let mut fields = table.trim_end().splitn(7, ' ');
    let user = fields.nth(5).expect("a user");
    let command = fields.next().expect("a command");
    assert!(table.starts_with("*/10 * * * * "), "{table}");
    output(&mut machine.shell(&format!("runuser -u {user} -- {command}")));
}

/// Plays a match of two half-moves, in which each player sees a mailbox and nothing else.
/// `log` tells what the mail server did, if nothing comes.
pub(super) fn play(
    machine: &Machine,
    begin: &str,
    port: u16,
    maildir: impl Fn(&str) -> PathBuf,
    log: impl Fn() -> String,
) {
    machine.run(begin);
    let reader = |name: &str| Reader {
        address: address(name),
        habit: Habit::Top,
        port,
        desk: machine.path(name),
        transport: SmtpTransport::builder_dangerous("127.0.0.1")
            .port(port)
            .build(),
    };
    for (name, words) in [("white", "P>e3"), ("black", "n>g5"), ("white", "B>f4")] {
        let mut turn = None;
        wait_until(|| {
            turn = messages_in(&maildir(name)).into_iter().find_map(|path| {
                let bytes = fs::read(&path).unwrap();
                let mail = MessageParser::new().parse(&bytes)?;
                let letter = Letter::of(&mail);
                let made = match words {
                    "P>e3" => 0,
                    "n>g5" => 1,
                    _ => 2,
                };
                let is_turn = letter.text.contains("It is your move") && letter.plies == Some(made);
                is_turn.then_some((letter, path))
            });
            turn.is_some()
        });
        let Some((letter, path)) = turn else {
            panic!("{name} hears nothing:\n{}", log());
        };
        reader(name).write(&letter, &path, words);
    }
    let show = || {
        let games = fs::read_dir(machine.path("var/lib/parapost/games")).unwrap();
        let paths = games.map(|entry| entry.unwrap().path());
        let mut games = paths.filter(|path| path.extension().is_some_and(|it| it == "txt"));
        fs::read_to_string(games.next().expect("a match")).unwrap()
    };
    let is_played = wait_until(|| show().contains("\n2.  B>f4\n"));
    assert!(is_played, "{}\n{}", show(), log());
}
