use std::fs;
use std::path::PathBuf;

use super::*;
use crate::matches::hash::Link;

fn event() -> LogEntry {
    let time = "2026-11-20T03:00:00Z".parse().unwrap();
    LogEntry::new(time, Event::Note(None), Color::White)
}

fn note(words: &str) -> LogEntry {
    event().with(Event::note(words))
}

#[test]
fn whatever_is_said_stays_on_one_line_and_reads_back() {
    for text in [
        "",
        "-",
        "plain",
        "two words",
        "p-e1=q",
        "a=b",
        "\"",
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\u{85}x\u{2028}",
        "2026-11-20T03:00:00Z resign White\n2026-11-20T03:00:00Z resign White",
        "Zwölf Boxkämpfer",
        "\u{1b}[2J",
        "\u{202e}",
        "\t",
        " ",
        "\"\" x=\"y\"",
    ] {
        for said in [
            note(text),
            event().key("text", Some(text)),
            note(text).key("msg", Some(text)).key("x", Some("")),
        ] {
            let line = said.to_string();
            assert!(!line.chars().any(is_unprintable), "{line:?}");
            assert_eq!(line.parse::<LogEntry>().as_ref(), Ok(&said), "{line}");
        }
    }
}

#[test]
fn nothing_said_is_not_an_empty_argument() {
    assert_eq!(event().to_string(), "2026-11-20T03:00:00Z note White");
    let said = event().key("msg", Some("<a@b.test>"));
    assert_eq!(
        said.to_string(),
        "2026-11-20T03:00:00Z note White - msg=<a@b.test>"
    );
    assert_eq!(said.to_string().parse::<LogEntry>(), Ok(said));
}

#[test]
fn an_unknown_event_with_unknown_keys_is_kept() {
    let line = "2026-11-20T03:00:00Z adjourn Referee until-may weather=\"rain, wind\"";
    assert_eq!(line.parse::<LogEntry>().unwrap().to_string(), line);
}

#[test]
fn other_lines_are_refused() {
    for line in [
        "",
        "Log",
        "2026-11-20 note White",
        "2026-11-20T03:00:00Z",
        "2026-11-20T03:00:00Z note",
        "2026-11-20T03:00:00Z Note White",
        "2026-11-20T03:00:00Z note Green",
        "2026-11-20T03:00:00Z note White \"open",
        "2026-11-20T03:00:00Z note White \"a\"b",
        "2026-11-20T03:00:00Z note White \"\\x\"",
        "2026-11-20T03:00:00Z note White \"\\u{d800}\"",
        "2026-11-20T03:00:00Z note White a b",
        "2026-11-20T03:00:00Z note White a x=1 x=2",
        "2026-11-20T03:00:00Z note White a  x=1",
    ] {
        assert!(line.parse::<LogEntry>().is_err(), "{line}");
    }
}

/// Words that may stand where the kind or the argument stands, known ones among them.
const WORDS: [&str; 40] = [
    "new",
    "move",
    "undo",
    "takeback",
    "offer",
    "accept",
    "decline",
    "claim",
    "resign",
    "note",
    "refused",
    "asked",
    "mail",
    "address",
    "owed",
    "sent",
    "failed",
    "requeued",
    "dropped",
    "bounced",
    "repaired",
    "forgotten",
    "adjourn",
    "propose",
    "question",
    "unknown-match",
    "duplicate",
    "command",
    "off",
    "html off",
    "html on",
    "added",
    "position",
    "limerick",
    "P>e3",
    "-",
    "",
    "a \"b\"\n\\",
    "Zwölf",
    "\u{202e}",
];

/// A line as any version may have written it, and the bytes that it counts for.
fn made_up(random: &mut fastrand::Rng) -> (String, usize) {
    let word = |random: &mut fastrand::Rng| WORDS[random.usize(..WORDS.len())];
    let kind = WORDS[random.usize(..23)];
    let who = ["White", "Black", "Referee", "-"][random.usize(..4)];
    let argument = random.bool().then(|| word(random));
    let mut keys = ["msg", "from", "to", "move", "draw", "chain", "x-y", "x2"];
    random.shuffle(&mut keys);
    let keys = &keys[..random.usize(..4)];
    let mut line = format!("2026-11-20T03:00:{:02}Z {kind} {who} ", random.u8(..60));
    let mut size = LEAST;
    match argument {
        Some("-") => line.push_str("\"-\""),
        Some(argument) => push_value(&mut line, argument),
        None => line.push('-'),
    }
    size += argument.map_or(0, str::len);
    for key in keys {
        let value = word(random);
        line.extend([" ", key, "="]);
        push_value(&mut line, value);
        size += key.len() + value.len();
    }
    (line, size)
}

/// The chain hashes each line, so that no version may write one otherwise than another has:
/// not a kind, an argument or a key that it does not know, nor what it does know in a line
/// where it means nothing. `PARAPOST_LINES` says how many lines.
#[test]
fn a_line_is_written_as_it_was_read_and_counts_as_it_did() {
    let lines = std::env::var("PARAPOST_LINES").map_or(20_000, |lines| lines.parse().unwrap());
    let mut random = fastrand::Rng::with_seed(27);
    for _ in 0..lines {
        let (line, size) = made_up(&mut random);
        let entry: LogEntry = line.parse().unwrap();
        assert_eq!(entry.line(), line);
        assert_eq!(entry.size(), size, "{line}");
        assert_eq!(Link::of("", &entry), Link::of_line("", &line), "{line}");
    }
}

/// Those of the matches in the project, and of the samples of its tests.
#[test]
fn every_line_of_a_log_in_the_project_is_written_as_it_was_read() {
    let mut folders = ["games", "tests"]
        .map(|name| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name))
        .to_vec();
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("target")).then_some(path));
                continue;
            }
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            let times = |line: &&str| clock::read(word(line.trim_start()).0).is_some();
            for line in text.lines().filter(times) {
                let line = line.trim_start();
                let Ok(entry) = line.parse::<LogEntry>() else {
                    continue;
                };
                count += 1;
                let written = entry.line();
                let as_people_write_it = [line, " -"].concat();
                assert!(written == line || written == as_people_write_it, "{line}");
            }
        }
    }
    assert!(count > 60, "{count} lines were found");
}
