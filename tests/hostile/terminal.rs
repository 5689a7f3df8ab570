//! Nothing that came from outside steers a terminal, whatever the program prints.

use super::{FROM, receive, session};
use crate::support::{Output, Sandbox, parapost};

/// Escapes in all the forms in which a terminal takes them: C0 and C1, as characters and as the bytes of Latin-1, the title
/// of a window, a bell, erasing, and marks that turn the direction of writing.
const EVIL: &str = "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{9d}x\u{9c}\u{8}\u{7f}\u{0}\u{202e}\u{2066}\u{200f}\u{61c}\u{c}\u{b}";

/// A run's output has none of them.
#[track_caller]
fn tame(output: &Output) {
    for text in [&output.stdout, &output.stderr] {
        let wild = text.chars().find(|&c| {
            (c.is_control() && !matches!(c, '\n' | '\t'))
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(wild, None, "{text:?}");
    }
}

fn letter(n: usize, fields: &str, body: &str) -> String {
    format!("{FROM}Subject: [one]\nMessage-ID: <{n}@b.test>\n{fields}\n{body}\n")
}

#[test]
fn what_a_letter_says_is_shown_without_its_escapes() {
    let session = session();
    for (n, body) in [
        format!("n>e3{EVIL}\n1... n>e3 {EVIL}"),
        format!("I think n>g5 would be {EVIL} silly."),
        format!("K> h1{EVIL}"),
        format!("note hello{EVIL}"),
        format!("hello {EVIL}"),
        format!("1... n>g5 {EVIL}, your move"),
    ]
    .iter()
    .enumerate()
    {
        let run = session
            .parapost(["receive", "--print"])
            .stdin(letter(n, "", body))
            .any_stdout()
            .any_stderr();
        tame(&run.either());
    }
    for (n, fields) in [
        format!("Subject: {EVIL}\n"),
        format!("X-Loop: {EVIL}\n"),
        format!("In-Reply-To: <{EVIL}@b.test>\n"),
        format!("Authentication-Results: {EVIL}; dkim=pass\n"),
        format!("Auto-Submitted: {EVIL}\n"),
    ]
    .iter()
    .enumerate()
    {
        let fields = fields.replace('\u{0}', "");
        let run = session
            .parapost(["receive", "--print"])
            .stdin(letter(100 + n, &fields, "help"))
            .any_stdout()
            .any_stderr();
        tame(&run.either());
    }
    for arguments in [
        &["list"][..],
        &["show", "one"],
        &["list", "--json"],
        &["send", "--print"],
    ] {
        tame(&session.parapost(arguments).any_stdout().any_stderr().run());
    }
    // The record keeps what was said, in writing that steers nothing either.
    let file = session.read("games/one.txt");
    assert!(
        file.contains("\\u{1b}") && !file.contains('\u{1b}'),
        "{file}"
    );
}

#[test]
fn so_is_the_host_of_a_signature() {
    let session = session();
    let policy = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.test\"\n";
    session.write("config.toml", format!("{}{policy}", super::CONFIG));
    let fields = format!("Authentication-Results: x{EVIL}; dkim=pass\n").replace('\u{0}', "");
    tame(&receive(&session, letter(1, &fields, "n>g5"), "stranger"));
}

#[test]
fn check_shows_a_text_without_its_escapes() {
    let latin: Vec<u8> = b"1. P>e9\x9b31m\x1b[2J n>g5\x9d0;x\x9c\n".to_vec();
    for text in [
        format!("1. P>e9{EVIL} n>g5\n"),
        format!("1. P>e3 {EVIL} n>g5 {EVIL}\n2. P>e3\n"),
        format!("Game: {EVIL}\n\n1. P>e3\n"),
        format!("Rules: unachess\nOptions: {EVIL}\n\n1. P>e3\n"),
        format!("- - - {EVIL} - - - -\n{}", "- - - - - - - -\n".repeat(7)),
    ]
    .map(String::into_bytes)
    .into_iter()
    .chain([latin])
    {
        for arguments in [&["check"][..], &["check", "--json"], &["show", "-"]] {
            tame(
                &parapost(arguments)
                    .stdin(&text)
                    .any_stdout()
                    .any_stderr()
                    .either(),
            );
        }
    }
    let name = "a\u{1b}[2J\u{9b}31m\u{202e}.txt";
    let sandbox = Sandbox::new().file(name, "1. P>e9\n");
    for command in ["check", "show", "receive"] {
        tame(
            &sandbox
                .parapost([command, &format!("./{name}")])
                .any_stdout()
                .any_stderr()
                .either(),
        );
    }
}

/// Where wrong usage is told in colours, as on a terminal, the escapes of what
/// was pasted went out with those of the colours.
#[test]
fn wrong_usage_is_told_without_the_escapes_of_what_was_pasted() {
    let evil = EVIL.replace('\u{0}', "");
    let option = format!("--{evil}");
    for arguments in [
        &["show", &evil][..],
        &["move", &evil, "e4"],
        &["show", "one", "--at", &evil],
        &["perft", "--game", &evil, "1"],
        &["undo", "one", &evil],
        &["list", &option],
        &[&evil],
        &["help", &evil],
    ] {
        let run = parapost(arguments.iter().copied())
            .env("NO_COLOR", "")
            .env("CLICOLOR_FORCE", "1")
            .any_stderr()
            .status(2);
        tame(&run.run());
    }
}
