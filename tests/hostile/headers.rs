//! Nothing of a letter becomes a header, a template or a command in the mail that goes out because of it.

use super::hearing::{game, hear};
use super::{FROM, match_of, receive, session};
use crate::fuzz_harness::stranger::OUR_FIELDS;

/// The names of the header fields of every mail that a run printed, and the mails.
fn fields(stdout: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_head = false;
    for line in stdout.lines() {
        if line.starts_with("From ") {
            in_head = true;
        } else if line.is_empty() {
            in_head = false;
        } else if in_head && !line.starts_with([' ', '\t']) {
            names.push(line.split(':').next().unwrap_or_default().to_owned());
        }
    }
    names
}

#[test]
fn line_ends_do_not_begin_a_field() {
    for head in [
        "From: =?utf-8?q?Ben=0D=0ABcc:_eve=40evil.test?= <ben@example.test>\n",
        "From: Ben <ben@example.test>\nSubject: =?utf-8?q?[one]=0D=0ABcc:_eve=40evil.test?=\n",
        "From: Ben <ben@example.test>\nMessage-ID: <a@b.test>=?utf-8?q?=0D=0ABcc:_eve=40evil.test?=\n",
        "From: Ben <ben@example.test>\nMessage-ID: <a@b.test\r\n Bcc: eve@evil.test>\n",
        "From: Ben <ben@example.test>\nMessage-ID: <a@b.test\rBcc:eve@evil.test>\n",
        "From: Ben <ben@example.test>\nMessage-ID: a@b.test\n",
        "From: Ben <ben@example.test>\nMessage-ID: <\"a b\"@b.test>\n",
        "From: Ben <ben@example.test>\nMessage-ID: <<a@b.test>>\nMessage-ID: <c@d.test>\n",
        "From: Ben <ben@example.test>\nReferences: <a@b.test>\n\t<c@d.test\u{0}Bcc:eve@evil.test>\nIn-Reply-To: =?utf-8?q?=0D=0ABcc:_eve?=\n",
    ] {
        let session = session();
        let subject = if head.contains("Subject") {
            ""
        } else {
            "Subject: [one]\n"
        };
        let run = receive(&session, format!("{head}{subject}\nhelp\n"), "command");
        let names = fields(&run.stdout);
        assert!(
            names.contains(&"In-Reply-To".to_owned()),
            "{head}\n{}",
            run.stdout
        );
        for name in &names {
            assert!(
                OUR_FIELDS.contains(&name.as_str()),
                "{head}\n{name}\n{}",
                run.stdout
            );
        }
        assert_eq!(
            names.iter().filter(|name| *name == "To").count(),
            1,
            "{}",
            run.stdout
        );
        // An odd id that is one is quoted on a line of its own field.
        let about = run.stdout.lines().filter(|line| line.contains("evil.test"));
        for line in about {
            assert!(
                line.starts_with("In-Reply-To: <") || line.starts_with([' ', '<']),
                "{line}"
            );
        }
    }
}

#[test]
fn templates_are_ours_alone() {
    let session = match_of("{{ 1000 * 1001 }}", "{% include 'foot.txt' %}");
    let letter = format!(
        "{FROM}Subject: [one] {{{{ hash }}}}\nMessage-ID: <a@b.test>\n\n1... n>g5\n\nHello {{{{ 1000 * 1001 }}}} {{% raw %}} {{# no #}}\n"
    );
    let run = receive(&session, letter, "accepted");
    assert!(!run.stdout.contains("1001000"), "{}", run.stdout);
    for kept in [
        "{{ 1000 * 1001 }}",
        "{% include 'foot.txt' %}",
        "> Hello {{ 1000 * 1001 }} {% raw %} {# no #}",
    ] {
        assert!(run.stdout.contains(kept), "{kept}\n{}", run.stdout);
    }
}

#[test]
fn names_hold_nothing_that_turns_or_hides_what_follows() {
    let session = session();
    for name in [
        "Anna\u{202e}",
        "\u{2066}Anna",
        "An\u{200b}na",
        "Anna\u{200f}",
        "Anna\u{61c}",
        "Anna\u{feff}",
        "Anna\u{1b}[31m",
        "Anna\u{9b}31m",
        "Anna\r\nBcc: x",
        "Anna\u{e0041}",
        "An\u{2028}na",
        "Anna\u{7f}",
    ] {
        let white = format!("{name} <anna@example.org>");
        let run = session
            .parapost(["new", "--game", "unachess", "--id", "two", "--invited"])
            .args(["--white", &white, "--black", "Ben <ben@example.test>"])
            .any_stderr()
            .status(2)
            .run();
        let shown = run
            .stderr
            .chars()
            .all(|c| c == '\n' || (!c.is_control() && !is_turn(c)));
        assert!(shown, "{:?}", run.stderr);
    }
    // Letters of any script are names; which player is meant, addresses say.
    for name in ["Аnnа", "Анна", "آنا", "安娜", "O'Néill", "می‌خواهم"] {
        let _ = match_of(name, "Ben");
    }
}

fn is_turn(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

#[test]
fn letters_that_look_like_others_are_no_moves() {
    let game = game();
    // Cyrillic, Greek, mathematical, the sign of the Kelvin, digits of other scripts.
    for text in [
        "К>h1",
        "к>d8",
        "n>ɡ5",
        "𝐧>g5",
        "\u{212a}>d8",
        "n>g٥",
        "η>g5",
        "n〉g5",
    ] {
        for body in [
            text.to_owned(),
            format!("1... {text}"),
            format!("> 1. P>e3    {text}"),
        ] {
            let word = hear(&game, format!("{FROM}\n{body}\n").as_bytes());
            assert_ne!(word, "a move", "{body}");
        }
    }
    assert_eq!(hear(&game, format!("{FROM}\nn>g5\n").as_bytes()), "a move");
}
