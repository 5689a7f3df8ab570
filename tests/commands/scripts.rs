//! The bot and the key for Mutt of docs/scripts.md, as they stand there.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::readme::blocks_of;
use crate::support::Sandbox;
use crate::support::terminal::by_shell;

/// The only block of the page in a language.
fn block(language: &str) -> String {
    let mut blocks = blocks_of(include_str!("../../docs/scripts.md")).into_iter();
    let block = blocks.find(|block| block.language == language);
    block.expect("a block").text
}

/// A machine where the program is installed, and the mail of a player arrives.
fn machine(name: &str) -> Sandbox {
    let config = format!("[me]\nname = \"{name}\"\naddress = \"{name}@example.org\"\n");
    let program = Path::new(env!("CARGO_BIN_EXE_parapost")).parent().unwrap();
    let path = env::var("PATH").unwrap();
    Sandbox::new()
        .file(".config/parapost/config.toml", config)
        .dir("Maildir/new")
        .dir("Maildir/cur")
        .dir("Maildir/tmp")
        .dir("games")
        .env("PATH", format!("{}:{path}", program.display()))
}

fn from_anna(number: usize, id: &str, body: &str) -> String {
    format!(
        "From: Anna <anna@example.org>\nTo: bot@example.org\nSubject: [{id}]\nMessage-ID: <{number}@anna.test>\n\n{body}\n"
    )
}

/// A program run by a shell in a machine.
fn shell(machine: &Sandbox, command: &str) -> std::process::Output {
    let program = program(machine);
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(machine.folder());
    let envs = program
        .get_envs()
        .filter_map(|(key, value)| Some((key, value?)));
    let output = shell.env_clear().envs(envs).stdin(Stdio::null()).output();
    output.unwrap()
}

/// What a terminal of a machine shows of a command of the shell.
fn at_terminal(machine: &Sandbox, command: &str) -> String {
    let mut program = program(machine);
    program.env("TERM", "xterm");
    by_shell(&program, 80, command, "").sent
}

/// The program in a machine, which is not run: for its folder and its environment.
fn program(machine: &Sandbox) -> Command {
    let any = machine.parapost(["list"]);
    let program = any.command();
    drop(any.any_stdout());
    program
}

#[test]
#[ignore = "needs jq"]
fn the_bot_of_the_manual_plays_a_match() {
    let script = block("sh");
    assert!(script.lines().count() <= 10, "ten lines:\n{script}");
    let machine = machine("bot").file("bot.sh", &script);
    fs::set_permissions(machine.path("bot.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    // Anna's program invites the bot.
    let anna = self::machine("anna");
    anna.parapost(["new", "--game", "unachess", "--id", "m", "--send"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "bot <bot@example.org>"])
        .stdout("m\n")
        .any_stderr()
        .run();
    let outbox = fs::read_dir(anna.path("games/outbox")).unwrap();
    for entry in outbox {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().extension().is_some_and(|kind| kind == "eml") {
            let to = machine.path(format!("Maildir/new/{name}"));
            fs::copy(entry.path(), to).unwrap();
        }
    }
    let plies = |machine: &Sandbox| -> u64 {
        let shown = machine.parapost(["show", "--json", "m"]).any_stdout().run();
        let shown: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
        shown["ply"].as_u64().unwrap()
    };
    for turn in 0..4 {
        let output = shell(&machine, "./bot.sh");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(plies(&machine), 2 * turn, "{output:?}");
        // White answers with the last legal move.
        let legal = machine.parapost(["legal", "m"]).any_stdout().run().stdout;
        let next = legal.lines().last().expect("a legal move");
        let number = usize::try_from(turn).unwrap();
        machine.write(
            format!("Maildir/new/{number}"),
            from_anna(number, "m", next),
        );
        // Twice, as a timer would: it answers once.
        for _ in 0..2 {
            let output = shell(&machine, "./bot.sh");
            assert_eq!(plies(&machine), 2 * turn + 2, "{output:?}");
        }
    }
    let log = machine.read("bot.log");
    assert_eq!(log.matches("\"word\":\"invitation\"").count(), 1, "{log}");
    assert_eq!(log.matches("\"word\":\"accepted\"").count(), 4, "{log}");
    let sent = fs::read_dir(machine.path("games/outbox")).unwrap();
    let sent = sent.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".eml")
    });
    assert_eq!(sent.count(), 4);
}

#[test]
#[ignore = "needs Mutt"]
fn the_key_of_the_manual_plays_a_mail_in_mutt() {
    let machine = machine("ben");
    machine
        .parapost(["new", "--game", "unachess", "--id", "m", "--invited"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "Ben <ben@example.org>"])
        .stdout("m\n")
        .run();
    let mail = from_anna(1, "m", "P>e3\n\nGood luck!");
    machine.write(
        "mail",
        format!("From anna@example.org Fri Nov 20 03:00:00 2026\n{mail}\n"),
    );
    let settings = "set folder=\".\" mbox_type=mbox spoolfile=\"mail\" header_cache=\"\" charset=utf-8\n\
        set quit=yes delete=no move=no mark_old=no wait_key=no sleep_time=0 crypt_use_gpgme=no\n";
    let keys = "push \",pq\"\n";
    machine.write("muttrc", [settings, &block("muttrc"), keys].concat());
    let shown = at_terminal(&machine, "exec mutt -n -F muttrc -f mail");
    for part in [
        "m: Anna played 1. P>e3, and writes:\n\n  > Good luck!\n",
        "3  - - - - P - - -\n",
        "  parapost move m 'MOVE' --send\n",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    assert!(machine.read("games/m.txt").contains(" move White P>e3 "));
    // The same mail again changes nothing, and shows where the match stands.
    let shown = at_terminal(&machine, "exec mutt -n -F muttrc -f mail");
    assert!(shown.contains("3  - - - - P - - -\n"), "{shown}");
    assert!(shown.contains("1 message was passed over"), "{shown}");
}
