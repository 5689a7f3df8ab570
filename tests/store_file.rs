//! The state file: what is written reads back, what was changed by hand is
//! refused with its line.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parapost::rules::games;
use parapost::rules::notation::Voice;
use parapost::store::{Event, Folder, Id, Mail, Match, Terms, What};

use crate::store_match::{ids, terms, time};
use crate::support::chained;

/// A match of random legal moves, until it ends or is long enough.
fn random(game: &str, options: &[&str], seed: u64) -> Match {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Match::new(terms(game, options), time());
    for _ in 0..random.usize(1..120) {
        let plies = game.position().legal_plies();
        let Some(turn) = game.turn() else {
            break;
        };
        let Some(ply) = random.choice(&plies) else {
            break;
        };
        let text = game.position().text(ply);
        game.push(Event::new(time(), What::Move, turn).argument(text))
            .unwrap();
        let mail = Mail::new("position", !turn);
        let msg = game.owe(time(), mail, &ids()).unwrap();
        if random.bool() {
            game.sent(time(), &msg, "print").unwrap();
        } else if random.u8(..8) == 0 {
            game.push(Event::new(time(), What::Undo, turn)).unwrap();
        }
    }
    game
}

#[test]
fn a_random_game_reads_back_to_the_same_position() {
    let mut longest = 0;
    for game in games::ALL {
        for seed in 0..6 {
            let option: Vec<&str> = game.options.iter().map(|o| o.name).take(1).collect();
            let options = if seed % 2 == 0 { &[][..] } else { &option };
            let played = random(game.id, options, seed);
            let text = played.to_string();
            let read: Match = text
                .parse()
                .unwrap_or_else(|error| panic!("{} {seed}: {error}\n{text}", game.id));
            assert_eq!(read.to_string(), text);
            assert_eq!(read.position().fen(), played.position().fen());
            assert_eq!(read.log(), played.log());
            assert_eq!(read.owed(), played.owed());
            assert_eq!(read.ending(), played.ending());
            assert_eq!(read.hash(), played.hash());
            longest = longest.max(read.record().steps().len());
        }
    }
    assert!(
        longest > 60,
        "the games are too short to mean much: {longest}"
    );
}

fn example() -> String {
    let mut game = Match::new(
        Terms {
            event: Some("Autumn cup".to_owned()),
            time: Some("10d".parse().unwrap()),
            ..terms("unachess", &["no-double-step", "pawns-1-4"])
        },
        time(),
    );
    for text in ["P>e3", "n>g5", "B>f4", "n-e6"] {
        let turn = game.position().turn();
        game.push(Event::new(time(), What::Move, turn).argument(text))
            .unwrap();
    }
    let note = Event::new(time(), What::Note, parapost::rules::Color::White);
    game.push(note.argument("a \"note\"\nof two lines"))
        .unwrap();
    game.owe(
        time(),
        Mail::new("position", parapost::rules::Color::White),
        &ids(),
    )
    .unwrap();
    game.to_string()
}

/// Reads a state file, or says why not; a match has far too much to be shown
/// when a test fails.
fn read(text: &str) -> Result<Match, String> {
    text.parse::<Match>().map_err(|error| error.to_string())
}

/// Why a text is no state file, and on which line.
fn refused(text: &str) -> (usize, String) {
    match text.parse::<Match>() {
        Ok(_) => panic!("this was taken:\n{text}"),
        Err(error) => (error.line, error.to_string()),
    }
}

/// The first line (from 1) that begins so.
fn line(text: &str, start: &str) -> usize {
    1 + text
        .lines()
        .position(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("no line {start}"))
}

#[test]
fn the_file_looks_as_it_always_has() {
    let text = example();
    let head: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        head,
        [
            "Format: 1",
            "Id: demo",
            "Game: Unachess",
            "Rules: unachess",
            "Options: no-double-step, pawns-1-4",
            "White: Anna White <anna@example.org>, <anna@work.test>",
            "Black: Björn <ben@example.org>",
            "Event: Autumn cup",
            "Started: 2026-11-20T03:00:00Z",
            "Time: 10d",
            "Result: *",
            "Chain: 1354ddfe19e670cb",
        ]
    );
    let log: Vec<&str> = text.lines().skip_while(|line| *line != "Log").collect();
    assert_eq!(
        log,
        [
            "Log",
            "2026-11-20T03:00:00Z new - unachess options=no-double-step,pawns-1-4 white=\"Anna White <anna@example.org>, <anna@work.test>\" black=\"Björn <ben@example.org>\" event=\"Autumn cup\" time=10d chain=ac7a48018dc269e1",
            "2026-11-20T03:00:00Z move White P>e3 chain=d164181ddf28bb53",
            "2026-11-20T03:00:00Z move Black n>g5 chain=36fb99990661573b",
            "2026-11-20T03:00:00Z move White B>f4 chain=52108bdc6b5d9f70",
            "2026-11-20T03:00:00Z move Black n-e6 chain=f22dc595d6aaa147",
            "2026-11-20T03:00:00Z note White \"a \\\"note\\\"\\nof two lines\" chain=24155f901be425a8",
            "2026-11-20T03:00:00Z owed White position msg=<demo.7.7bf3090ffee18b630a00@example.org> chain=1354ddfe19e670cb",
        ]
    );
}

#[test]
fn unknown_headers_and_keys_are_kept() {
    let text = example()
        .replace(
            "Result: *\n",
            "Result: *\nArbiter: Eve <eve@example.org>\nX-Board: wood\n",
        )
        .replace(
            "move White P>e3\n",
            "move White P>e3 weather=\"rain, wind\" msg=<a@b.test>\n",
        )
        .replace(
            "Black n-e6\n",
            "Black n-e6\n2026-11-20T03:00:00Z adjourn Referee lunch until=two\n",
        );
    let text = chained(&text);
    assert_eq!(read(&text).unwrap().to_string(), text);
}

#[test]
fn headers_may_stand_in_any_order_and_lines_end_in_any_way() {
    let text = example();
    let turned = text.replace("Id: demo\nGame: Unachess\n", "Game: Unachess\nId: demo\n");
    assert_ne!(turned, text);
    for other in [
        turned,
        text.replace('\n', "\r\n"),
        text.replace("\nLog\n", "\nLog:\n"),
        text.replace('\n', " \t\n"),
        format!("\u{feff}{text}"),
        format!("{text}\n\n"),
    ] {
        assert_eq!(read(&other).unwrap().to_string(), text);
    }
}

/// What is changed, into what, on which line of the file (by how it begins)
/// the fault is then, and what is said.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    ("Format: 1", "Format: 2", "Format", "this one knows form 1"),
    (
        "Format: 1",
        "Format: one",
        "Format",
        "no form of a state file",
    ),
    ("Format: 1\n", "", "Format", "no Format line"),
    ("Id: demo", "Id: ../demo", "Id", "no id"),
    (
        "Rules: unachess",
        "Rules: unches",
        "Rules",
        "did you mean 'unachess'?",
    ),
    (
        "Game: Unachess",
        "Game: Chess",
        "Game",
        "Rules are those of Unachess",
    ),
    (
        "Rules: unachess",
        "Rules: chess",
        "Game",
        "Game is 'Unachess'",
    ),
    (
        "Options: no-double-step, ",
        "Options: ",
        "Options",
        "but the match began with",
    ),
    ("Options: no", "Options: on", "Options", "has no option"),
    ("White: Anna", "White: Hanna", "White", "White is"),
    (
        "Black: Björn <ben@",
        "Black: Björn <eve@",
        "Black",
        "Black is",
    ),
    (
        "Black: Björn <ben@example.org>",
        "Black: Björn",
        "Black",
        "no mail address",
    ),
    ("Started: 2026", "Started: 2025", "Started", "Started is"),
    ("Time: 10d", "Time: ten", "Time", "no time for a move"),
    (
        "Result: *",
        "Result: 1-0",
        "Result",
        "is '1-0', but the log comes to '*'",
    ),
    ("Result: *\n", "", "Result", "there is no Result line"),
    (
        "Event: Autumn cup",
        "Event; Autumn cup",
        "Event",
        "no header line",
    ),
    (
        "Time: 10d",
        "Time: 10d\nTime: 9d",
        "Result",
        "Time is said twice",
    ),
    (
        "move White P>e3",
        "move White P>e9",
        "2026-11-20T03:00:00Z move",
        "cannot be played",
    ),
    (
        "move White P>e3",
        "move Black P>e3",
        "2026-11-20T03:00:00Z move",
        "it is White's turn",
    ),
    (
        "move White P>e3",
        "move White P>E3",
        "2026-11-20T03:00:00Z move",
        "is written P>e3",
    ),
    (
        "move White P>e3",
        "Move White P>e3",
        "2026-11-20T03:00:00Z move",
        "is no event",
    ),
    (
        "position msg=<",
        "position x=<",
        "2026-11-20T03:00:00Z owed",
        "there is no msg=",
    ),
    (
        "Z new - unachess",
        "Z old - unachess",
        "2026-11-20T03:00:00Z new",
        "begin with 'new'",
    ),
    (
        "Z note White \"a",
        "Z note White a",
        "2026-11-20T03:00:00Z note",
        "is no key=value",
    ),
];

#[test]
fn a_file_changed_by_hand_is_refused_with_the_line_at_fault() {
    let text = example();
    for (old, new, at, why) in CHANGES {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        let changed = text.replace(old, new);
        // As it is, and by somebody who knows how the log is chained.
        for changed in [&changed, &chained(&changed)] {
            let (number, error) = refused(changed);
            assert_eq!(number, line(&text, at), "{new}: {error}");
            assert!(error.contains(why), "{new}: {error}");
        }
    }
}

#[test]
fn every_changed_line_between_headers_and_log_is_found() {
    let text = example();
    let lines: Vec<&str> = text.lines().collect();
    let (first, log) = (line(&text, "Chain:"), line(&text, "Log"));
    for number in first + 1..log {
        let join = |lines: Vec<&str>| format!("{}\n", lines.join("\n"));
        let mut changed = lines.clone();
        let other = format!("{} x", lines[number - 1]);
        changed[number - 1] = &other;
        let mut missing = lines.clone();
        missing.remove(number - 1);
        let mut added = lines.clone();
        added.insert(number, "something else");
        for (text, near) in [(changed, 0), (missing, 1), (added, 1)] {
            let (found, error) = refused(&join(text));
            assert!(found.abs_diff(number) <= near, "{number}: {error}");
        }
    }
}

#[test]
fn a_move_that_was_cut_out_of_the_log_is_missed() {
    let text = example();
    let gone = line(&text, "2026-11-20T03:00:00Z note") - 1;
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(lines.remove(gone - 1).contains("move Black n-e6"));
    let cut = lines.join("\n") + "\n";
    let (number, error) = refused(&cut);
    assert_eq!(number, gone, "the line that follows: {error}");
    assert!(error.contains("one before it is missing"), "{error}");
    // Chained anew, it is the first row of the diagram that is not what the
    // rest comes to.
    let (number, error) = refused(&chained(&cut));
    assert!(number > 12 && number < line(&text, "Log"), "{error}");
}

#[test]
fn a_file_that_was_cut_anywhere_is_refused() {
    let text = example();
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let cut = &text[..end];
        let (number, error) = refused(cut);
        let last = cut.lines().count().max(1);
        assert!(number <= last, "line {number} of {last}: {error}");
    }
}

#[test]
fn noise_is_refused() {
    let mut random = fastrand::Rng::with_seed(1);
    let text = example();
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        // Whatever comes of it, it is no panic.
        let _ = String::from_utf8_lossy(&bytes).parse::<Match>();
    }
    for text in [
        "",
        "\n",
        "\n\n\n",
        "Log\n",
        "Format: 1\n",
        "Format: 1\n\nLog\n",
        "\u{0}\n",
    ] {
        assert!(text.parse::<Match>().is_err(), "{text:?}");
    }
}

fn folder() -> (tempfile::TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path(), Duration::from_millis(200));
    (place, folder)
}

fn demo() -> Id {
    "demo".parse().unwrap()
}

#[test]
fn a_match_is_never_overwritten() {
    let (_place, folder) = folder();
    let game = Match::new(terms("chess", &[]), time());
    folder.create(&game).unwrap();
    let before = fs::read(folder.file(&demo())).unwrap();
    let other = Match::new(terms("unachess", &[]), time());
    let error = folder.create(&other).unwrap_err();
    assert!(error.to_string().contains("already") && !error.is_transient());
    assert_eq!(fs::read(folder.file(&demo())).unwrap(), before);
}

#[test]
fn reading_says_file_and_line() {
    let (_place, folder) = folder();
    let file = folder.file(&demo());
    let absent = folder.lock(&demo()).unwrap_err().to_string();
    assert!(absent.contains("there is no match demo"), "{absent}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no trace");

    let say = |contents: &[u8]| {
        fs::write(&file, contents).unwrap();
        folder.read(&demo()).unwrap_err().to_string()
    };
    let name = file.display();
    assert!(say(b"Format: 1\nId: demo\n\xff\n").starts_with(&format!("{name}:3: ")));
    assert!(say(b"hello\n").starts_with(&format!("{name}:1: ")));
    let other = Match::new(
        Terms {
            id: "demo2".parse().unwrap(),
            ..terms("chess", &[])
        },
        time(),
    );
    assert!(say(other.to_string().as_bytes()).contains("the Id is demo2"));
}

#[test]
fn a_lock_that_is_held_too_long_is_a_matter_for_later() {
    let (_place, folder) = folder();
    folder
        .create(&Match::new(terms("chess", &[]), time()))
        .unwrap();
    let held = folder.lock(&demo()).unwrap();
    assert!(folder.lock(&demo()).unwrap_err().is_transient());
    // Reading needs no lock.
    folder.read(&demo()).unwrap();
    drop(held);
    folder.lock(&demo()).unwrap();
}

#[test]
fn whoever_has_the_lock_sees_what_was_done_before() {
    let place = tempfile::tempdir().unwrap();
    let folder = Arc::new(Folder::new(place.path(), Duration::from_mins(1)));
    folder
        .create(&Match::new(terms("chess", &[]), time()))
        .unwrap();
    thread::scope(|scope| {
        for writer in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                for i in 0..5 {
                    let mut game = folder.lock(&demo()).unwrap();
                    let note = Event::new(time(), What::Note, parapost::rules::Color::White);
                    game.push(note.argument(format!("{writer}.{i}"))).unwrap();
                    game.save().unwrap();
                }
            });
        }
    });
    let game = folder.read(&demo()).unwrap();
    assert_eq!(game.log().len(), 1 + 4 * 5, "no note is lost");
    let names: Vec<_> = fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(
        names.len(),
        2,
        "a state file and a lock, nothing else: {names:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_reader_of_the_old_file_keeps_it_whole() {
    use std::io::Read as _;

    let (_place, folder) = folder();
    folder
        .create(&Match::new(terms("chess", &[]), time()))
        .unwrap();
    let before = fs::read_to_string(folder.file(&demo())).unwrap();
    let mut reader = fs::File::open(folder.file(&demo())).unwrap();
    let mut game = folder.lock(&demo()).unwrap();
    let ply = game.position().read("e4", Voice::List).unwrap().ply;
    let text = game.position().text(&ply);
    game.push(Event::new(time(), What::Move, parapost::rules::Color::White).argument(text))
        .unwrap();
    game.save().unwrap();
    let mut seen = String::new();
    reader.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, before, "the file is replaced, not written into");
}

#[test]
fn only_files_that_are_named_like_a_match_are_matches() {
    let (place, folder) = folder();
    folder
        .create(&Match::new(terms("chess", &[]), time()))
        .unwrap();
    for name in [
        "README.txt",
        ".hidden.txt",
        "notes.md",
        "UPPER.txt",
        "a b.txt",
    ] {
        fs::write(place.path().join(name), "x").unwrap();
    }
    assert_eq!(folder.ids().unwrap(), [demo()]);
    let nowhere = Folder::new(place.path().join("nowhere"), Duration::ZERO);
    assert_eq!(nowhere.ids().unwrap(), []);
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_and_is_a_matter_for_later() {
    let house = crate::commands_play::demo();
    let before = house.read("games/demo.txt");
    // A file that may not grow beyond a block behaves like a disk that is
    // full in the middle of it.
    let test = house.parapost(["--config", "anna.toml", "note", "demo", &"x".repeat(4096)]);
    let program = test.command();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    shell.arg(program.get_program()).args(program.get_args());
    shell.current_dir(house.folder()).env_clear();
    for (key, value) in program.get_envs() {
        shell.envs(value.map(|value| (key, value)));
    }
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert!(said.contains("games/demo.txt: "), "{said}");
    drop(test.any_stdout());
    assert_eq!(house.read("games/demo.txt"), before);
    let left: Vec<_> = fs::read_dir(house.path("games"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.contains(".lock"))
        .collect();
    assert_eq!(left, ["demo.txt"]);
}

#[test]
fn a_process_that_is_killed_leaves_the_file_whole() {
    let house = crate::commands_play::demo();
    let mut random = fastrand::Rng::with_seed(3);
    let start = || {
        let test = house.parapost(["--config", "anna.toml", "note", "demo", "x"]);
        let mut command = test.command();
        drop(test.any_stdout());
        command.stderr(std::process::Stdio::null()).spawn().unwrap()
    };
    // As long as it takes undisturbed, twice that, or any time between.
    let clock = Instant::now();
    assert!(start().wait().unwrap().success());
    let longest = u64::try_from(clock.elapsed().as_micros()).unwrap() * 2;
    let mut notes = 1;
    for _ in 0..60 {
        let mut child = start();
        thread::sleep(Duration::from_micros(random.u64(..longest)));
        let _ = child.kill();
        let done = child.wait().unwrap().success();
        let game: Match = house.read("games/demo.txt").parse().unwrap();
        let now = game.log().len() - 1;
        assert!(now == notes || now == notes + 1, "{notes} and then {now}");
        assert!(
            !done || now == notes + 1,
            "what was said to be done is done"
        );
        notes = now;
    }
}

/// A file as the format describes it, written by hand: without a chain, and with mail that went out by other means.
#[test]
fn a_file_without_any_chain_is_read_and_chained_when_written() {
    let text = "\
Format: 1
Id: g7
Rules: unachess
White: Anna White <white@example.test>
Black: Bj\u{f6}rn Black <black@example.test>
Started: 2026-11-20T02:59:00Z
Result: *

- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - - - - -       rrbbnnqk
- - - - - - - -       pppppppp
- - - - - - - -
- - - - P - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRBBNNQK
                      PPPPPPP-

White       Black

1.  P>e3

Log
2026-11-20T02:59:00Z new - unachess white=\"Anna White <white@example.test>\" black=\"Bj\u{f6}rn Black <black@example.test>\"
2026-11-20T03:00:00Z move White P>e3
2026-11-20T03:00:00Z sent Black position msg=<g7.m1@mail.example.test>
";
    let game = read(text).unwrap();
    assert_eq!(game.record().steps().len(), 1);
    let written = game.to_string();
    assert!(written.contains("\nChain: "), "{written}");
    assert_eq!(read(&written).unwrap().to_string(), written);
}
