//! How far a long run has come, as a terminal shows it.

use std::iter::once;
use std::process::{Command, Stdio};

use parapost::shell;

use super::{letter, referee};
use crate::support::Sandbox;

/// A desk with a mailbox of so many strangers' letters, and the lines that
/// `receive` writes about them.
fn session(letters: usize) -> (Sandbox, String) {
    let entry = |number: usize| {
        let letter = letter("mallory@example.org", "[m]", &format!("{number}\n"));
        ["From - Fri Nov 20 03:00:00 2026\n", &letter, "\n"].concat()
    };
    let mailbox: String = (0..letters).map(entry).collect();
    let session = referee().file("mbox", mailbox);
    let output = session.parapost(["receive", "mbox"]).status(1).any_stdout();
    let lines = output.any_stderr().run().stdout;
    assert_eq!(lines.lines().count(), letters);
    (session, lines)
}

/// What a terminal gets of a run: of both streams, as far as the shell's words
/// behind the command leave them there.
fn on_terminal(session: &Sandbox, environment: [&str; 2], behind: &str) -> String {
    let program = session.parapost(["receive", "mbox"]).command();
    let words = once(program.get_program()).chain(program.get_args());
    let words: Vec<String> = words
        .map(|word| shell::quote(word.to_str().expect("a plain path")))
        .collect();
    let output = Command::new("script")
        .args(["-q", "-c"])
        .arg(format!("{} {behind}", words.join(" ")))
        .arg("/dev/null")
        .current_dir(session.folder())
        .env_clear()
        .envs(
            program
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .env(environment[0], environment[1])
        .stdin(Stdio::null())
        .output()
        .expect("script, of util-linux, starts");
    String::from_utf8(output.stdout).expect("UTF-8")
}

const ANY: [&str; 2] = ["LANG", "C"];

#[test]
fn a_terminal_shows_how_far_many_messages_have_come() {
    let (session, lines) = session(12);
    let shown = on_terminal(&session, ANY, "> out");
    let full = "12 messages [==============================] 100%";
    for part in ["9 messages [==", full, "m: stranger: its sender does not"] {
        assert!(shown.contains(part), "{part} in\n{shown:?}");
    }
    assert!(shown.trim_end().ends_with("\x1b[2K"), "it goes: {shown:?}");
    assert_eq!(session.read("out"), lines);
    // Lines that go to the same terminal stand there as they are.
    let shown = on_terminal(&session, ANY, "--porcelain");
    assert!(shown.contains("12 messages"), "{shown:?}");
    for line in lines.lines() {
        let (before, _) = shown.split_once(&format!("{line}\r\n")).expect(line);
        assert!(
            before.is_empty() || before.ends_with(['\n', '\r', 'K']),
            "{before:?}"
        );
    }
}

#[test]
fn nothing_is_drawn_where_nobody_wants_it() {
    let (many, _) = session(12);
    let (few, _) = session(3);
    for (session, environment, behind) in [
        (&few, ANY, "> out"),
        (&many, ["NO_COLOR", "1"], "> out"),
        (&many, ["TERM", "dumb"], "> out"),
        (&many, ANY, "2> err"),
        (&many, ANY, "2>&1 | cat"),
    ] {
        let shown = on_terminal(session, environment, behind);
        assert!(!shown.contains("messages ["), "{behind}: {shown:?}");
        assert!(!shown.contains('\x1b'), "{behind}: {shown:?}");
    }
    assert!(!many.read("err").contains('\x1b'));
}
