//! `--verbose`, `--metrics` and `parapost status`.

use serde_json::Value;

use crate::commands::play::demo;
use crate::support::Sandbox;

fn letter(from: &str, id: &str, text: &str) -> String {
    format!("From: {from}\nTo: anna@example.org\nSubject: Re: [demo]\nMessage-ID: {id}\n\n{text}\n")
}

/// Anna has moved; the mail is owed.
fn house() -> Sandbox {
    let house = demo().env("PARAPOST_CONFIG", "anna.toml");
    house.parapost(["move", "demo", "P>e3"]).any_stderr().run();
    house
}

#[test]
fn each_line_of_the_log_names_the_message_and_the_match() {
    let house = house();
    let output = house
        .parapost(["receive", "--verbose"])
        .stdin(letter("ben@example.org", "<1@ben.test>", "1... n>g5"))
        .any_stdout()
        .any_stderr()
        .run();
    let line = output.stderr.lines().next().unwrap();
    assert!(
        line.ends_with(" INFO received outcome=accepted message=<1@ben.test> match=demo"),
        "{line}"
    );
    let output = house.parapost(["send", "-v"]).any_stderr().run();
    let line = output.stderr.lines().next().unwrap();
    assert!(
        line.contains(" INFO sending by=folder kind=position outcome=filed message=<demo.")
            && line.ends_with(" match=demo"),
        "{line}"
    );
    // Without the option nothing of it is written.
    house
        .parapost(["receive"])
        .stdin(letter("ben@example.org", "<1@ben.test>", "1... n>g5"))
        .stdout("<1@ben.test>\tdemo\tduplicate\n")
        .run();
}

#[test]
fn a_hostile_message_id_cannot_begin_a_line_of_the_log() {
    let output = house()
        .parapost(["receive", "--verbose"])
        .stdin(letter(
            "x@y.test",
            "<a\u{1b}[2J\u{202e}@b>",
            "hello\u{1b}[31m",
        ))
        .status(1)
        .any_stdout()
        .any_stderr()
        .run();
    assert!(!output.stderr.contains('\u{1b}'), "{}", output.stderr);
    let logged = output.stderr.lines().filter(|line| line.contains(" INFO "));
    assert_eq!(logged.count(), 1, "{}", output.stderr);
}

#[test]
fn a_file_of_metrics_sums_up_run_after_run() {
    let house = house();
    for id in ["<1@ben.test>", "<1@ben.test>", "<2@ben.test>"] {
        house
            .parapost(["receive", "--metrics", "m.prom"])
            .stdin(letter("ben@example.org", id, "1... n>g5"))
            .any_stdout()
            .any_stderr()
            .run();
    }
    house
        .parapost(["receive", "--dry-run", "--metrics", "m.prom"])
        .stdin(letter("ben@example.org", "<3@ben.test>", "n>g5"))
        .any_stdout()
        .any_stderr()
        .either();
    house
        .parapost(["send", "--metrics", "m.prom"])
        .any_stderr()
        .run();
    let text = house.read("m.prom");
    for line in [
        "# TYPE parapost_messages_total counter",
        "parapost_messages_total{outcome=\"accepted\"} 1",
        "parapost_messages_total{outcome=\"duplicate\"} 2",
        "parapost_messages_total{outcome=\"refused\"} 0",
        "parapost_sendings_total{outcome=\"sent\"} 0",
        "parapost_sendings_total{outcome=\"filed\"} 1",
        "parapost_matches{state=\"going-on\"} 1",
        "parapost_mails{state=\"owed\"} 0",
        "parapost_log_lines{event=\"move\"} 2",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    for line in text.lines() {
        let is_help = line.starts_with("# HELP ") || line.starts_with("# TYPE ");
        let number = line.rsplit(' ').next().unwrap();
        assert!(is_help || number.parse::<u64>().is_ok(), "{line}");
    }
    // What is no file of ours is no count, and trouble with it changes nothing else.
    house.write("m.prom", [0xff, 0, b'\n']);
    house
        .parapost(["receive", "--metrics", "m.prom"])
        .stdin(letter("ben@example.org", "<1@ben.test>", "1... n>g5"))
        .any_stdout()
        .run();
    let text = house.read("m.prom");
    assert!(text.contains("{outcome=\"duplicate\"} 1\n"), "{text}");
    house
        .parapost(["receive", "--metrics", "none/m.prom"])
        .stdin(letter("ben@example.org", "<1@ben.test>", "1... n>g5"))
        .any_stdout()
        .stderr_contains("none/.m.prom.lock: ")
        .run();
}

#[test]
fn status_tells_what_has_been_done() {
    let house = house();
    house
        .parapost(["receive", "--metrics", "m.prom"])
        .stdin(letter("ben@example.org", "<1@ben.test>", "1... n>g5"))
        .any_stdout()
        .run();
    house
        .parapost(["status"])
        .stdout(
            "matches\tgoing-on\t1\nmatches\tover\t0\nmatches\tdamaged\t0\nmails\towed\t1\n\
             mails\trefused\t0\nlog\tmove\t2\nlog\tnew\t1\nlog\towed\t1\n",
        )
        .run();
    let output = house
        .parapost(["status", "--json", "--metrics", "m.prom"])
        .any_stdout()
        .run();
    let status: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(status["messages"]["accepted"], 1);
    assert_eq!(status["matches"]["going-on"], 1);
    assert_eq!(status["mails"]["owed"], 1);
    house.write("games/bad.txt", "");
    house
        .parapost(["status"])
        .stdout_contains("matches\tdamaged\t1\n")
        .run();
}
