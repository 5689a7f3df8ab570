//! The same commands over the folder of files, a database and a store in memory, and
//! the outcomes of a change that only the latter can be made to have.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::mail::NewMail;
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::matches::state::{logged_moves_interpreted, moves_taken_in};
use parapost::rules::Color;
use parapost::store::cache::Cache;
use parapost::store::folder::Folder;
use parapost::store::store::{Store, update};

use regex::Regex;

use crate::commands::play;
use crate::durability::shim::{self, Fault as SystemFault};
use crate::matches::log::{settings, time};
#[cfg(feature = "postgres")]
use crate::servers::postgresql::Postgresql;
use crate::store::memory::{Fault, Memory};
use crate::support::in_process::{self, Run};

/// Anna's and a referee's house over one store.
struct House {
    folder: tempfile::TempDir,
    store: Arc<dyn Store>,
}

impl House {
    fn new(store: impl FnOnce(&Path) -> Arc<dyn Store>) -> House {
        let folder = tempfile::tempdir().unwrap();
        for (name, role) in [("anna", "player"), ("ref", "referee")] {
            let config = format!(
                "[me]\nname = \"{name}\"\naddress = \"{name}@example.org\"\nrole = \"{role}\"\n\
                 [mail]\nhtml = false\n\
                 [transport]\nkind = \"folder\"\npath = \"outbox\"\n"
            );
            fs::write(folder.path().join(format!("{name}.toml")), config).unwrap();
        }
        let store = store(&folder.path().join("games"));
        House { folder, store }
    }

    fn over_memory() -> (House, Arc<Memory>) {
        let memory = Arc::new(Memory::default());
        let store = Arc::clone(&memory);
        (House::new(|_| store), memory)
    }

    fn over_folder() -> House {
        House::new(|path| Arc::new(Folder::new(path, Duration::from_secs(20))))
    }

    fn run(&self, who: &str, words: &[&str], stdin: &str) -> Run {
        let config = self.folder.path().join(format!("{who}.toml"));
        let games = self.folder.path().join("games");
        let run = in_process::run(&self.store, &config, &games, words, stdin);
        let text = |text: String| {
            let folder = games.display().to_string();
            let text = text.replace(&folder, "PLACE").replace("memory", "PLACE");
            // A database has neither files nor folders.
            let text = text.replace(&self.store.place(), "PLACE");
            let text = text.replace("demo.txt", "demo");
            text.replace(", --games names another folder", "")
        };
        Run {
            status: run.status,
            stdout: text(run.stdout),
            stderr: text(run.stderr),
        }
    }

    fn begin(&self) {
        let new = [play::DEMO, &["--invited"]].concat();
        assert_eq!(self.run("ref", &new, "").status, 0);
    }

    fn receive(&self, who: &str, letter: &str) -> Run {
        self.run(who, &["receive"], letter)
    }

    fn game(&self) -> Match {
        let stored = self.store.read(&"demo".parse().unwrap()).unwrap();
        Match::clone(&stored.game)
    }

    /// The log without its times.
    fn log(&self) -> Vec<String> {
        let game = self.game();
        let lines = game.log().iter().map(LogEntry::line);
        lines
            .map(|line| without_tokens(line.split_once(' ').unwrap().1))
            .collect()
    }

    /// The names of the mails that have gone.
    fn outbox(&self) -> Vec<OsString> {
        let entries = fs::read_dir(self.folder.path().join("outbox"));
        let names = entries.into_iter().flatten();
        let name = |name: OsString| without_tokens(&name.into_string().unwrap()).into();
        let mut names: Vec<OsString> = names
            .map(|entry| name(entry.unwrap().file_name()))
            .collect();
        names.sort();
        names
    }
}

/// A text without the tokens of Message-IDs and the codes made of them, which hold the
/// times of a log.
fn without_tokens(text: &str) -> String {
    let token = Regex::new(r"\b[0-9a-f]{20}\b|unsubscribe-[a-z2-7]{16}").unwrap();
    token.replace_all(text, "TOKEN").into_owned()
}

fn letter(from: &str, number: usize, body: &str) -> String {
    format!(
        "From: {from}@example.org\nTo: ref@example.org\nSubject: Re: [demo] Unachess\n\
         Message-ID: <{number}@{from}.test>\n\n{body}\n"
    )
}

#[test]
#[cfg_attr(feature = "postgres", ignore = "needs PostgreSQL")]
fn commands_do_the_same_over_all_stores() {
    let scenario = |house: &House| {
        let mut runs = vec![house.run("anna", &[play::DEMO, &["--invited"]].concat(), "")];
        for words in [
            play::DEMO,
            &["move", "demo", "P>e3"],
            &["undo", "demo"],
            &["undo", "demo"],
            &["move", "demo", "P>e4"],
            &["list", "--json"],
            &["send", "demo"],
            &["undo", "demo"],
        ] {
            runs.push(house.run("anna", words, ""));
        }
        for (from, number, body) in [
            ("ben", 1, "1... n>g5"),
            ("ben", 1, "1... n>g5"),
            ("ben", 2, "1... n>f6"),
            ("eve", 3, "1... n>f6"),
        ] {
            runs.push(house.receive("anna", &letter(from, number, body)));
        }
        for words in [
            &["draw", "offer", "demo"][..],
            &["takeback", "propose", "demo"],
            &["note", "demo", "hello"],
            &["send", "demo", "--print"],
            &["send"],
            &["verify", "demo"],
            &["repair", "demo"],
            &["resign", "nobody"],
            &["list"],
            &["forget", "ben@example.org", "--yes"],
            &["resign", "demo"],
            &["forget", "ben@example.org"],
            &["forget", "ben@example.org", "--yes"],
            &["forget", "ben@example.org", "--yes"],
            &["verify", "demo"],
            &["send", "demo"],
        ] {
            runs.push(house.run("anna", words, ""));
        }
        let folder = house.folder.path().display().to_string();
        let times = |run: Run| {
            // The wall clock is not the same in both.
            let is_dated = |line: &&str| {
                ["Date: ", "From anna"]
                    .iter()
                    .any(|it| line.starts_with(it))
            };
            let lines = |text: String| -> String {
                let lines = text.lines().filter(|line| !is_dated(line));
                let text: String = lines.flat_map(|line| [line, "\n"]).collect();
                without_tokens(&text.replace(&folder, "FOLDER"))
            };
            (run.status, lines(run.stdout), lines(run.stderr))
        };
        let runs: Vec<_> = runs.into_iter().map(times).collect();
        (runs, house.log(), house.outbox())
    };
    let (memory, _) = House::over_memory();
    let in_memory = scenario(&memory);
    #[cfg(feature = "postgres")]
    let server = Postgresql::start();
    for other in [
        House::over_folder(),
        #[cfg(feature = "postgres")]
        House::new(|_| Arc::new(server.store())),
    ] {
        let there = scenario(&other);
        for (one, other) in in_memory.0.iter().zip(&there.0) {
            assert_eq!(one, other);
        }
        assert_eq!(in_memory, there);
    }
    assert!(in_memory.1.len() > 8, "{:?}", in_memory.1);
}

#[test]
fn a_cache_hands_on_the_text_of_a_match() {
    let (house, memory) = House::over_memory();
    house.begin();
    let id = "demo".parse().unwrap();
    let cache = Cache::new(&*memory, false);
    let text = memory.text(&id).unwrap().expect("a match");
    assert!(text.starts_with(b"Format: 1\n"));
    assert_eq!(cache.text(&id).unwrap(), Some(text));
}

/// Neither the match from before the change counts, nor that from behind it.
#[test]
fn a_cache_forgets_a_match_whose_change_is_unknown() {
    let (house, memory) = House::over_memory();
    house.begin();
    let id = "demo".parse().unwrap();
    let cache = Cache::new(&*memory, false);
    let reads = || memory.reads.load(Ordering::Relaxed);
    let stored = cache.read(&id).unwrap();
    let before = reads();
    cache.read(&id).unwrap();
    assert_eq!(reads(), before, "it is known");
    memory.faults.lock().unwrap().push_back(Fault::LostRequest);
    let note = LogEntry::new(time(), Event::note("x"), Color::Black);
    update(&cache, stored, |game| game.push(note.clone())).unwrap_err();
    cache.read(&id).unwrap();
    assert_eq!(reads(), before + 1);
}

/// The letters of a dry run find the matches as those before them would have left them.
#[test]
fn a_dry_run_knows_its_changes_however_a_match_is_found() {
    let (house, memory) = House::over_memory();
    house.begin();
    let id = "demo".parse().unwrap();
    let anna = "anna@example.org".parse().unwrap();
    let cache = Cache::new(&*memory, true);
    let note = LogEntry::new(time(), Event::note("x"), Color::Black);
    let stored = cache.read(&id).unwrap();
    let ((), changed) = update(&cache, stored, |game| game.push(note.clone())).unwrap();
    let found = [
        vec![cache.find(&id).unwrap().unwrap()],
        cache.by_address(&anna).unwrap().matches,
        cache.recent(&anna).unwrap(),
        cache.survey().unwrap().matches,
    ];
    for found in found {
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].game.log(), changed.game.log());
    }
    assert_eq!(house.game().log().len() + 1, changed.game.log().len());
}

#[test]
fn a_change_that_somebody_else_was_faster_with_is_decided_again() {
    let (house, memory) = House::over_memory();
    house.begin();
    let note = LogEntry::new(time(), Event::note("first"), Color::Black);
    memory.faults.lock().unwrap().push_back(Fault::Faster(note));
    let run = house.receive("ref", &letter("anna", 1, "1. P>e3"));
    assert_eq!(run.stdout, "<1@anna.test>\tdemo\taccepted\n");
    let log = house.log();
    assert!(log[1].starts_with("note Black first"), "{log:?}");
    assert!(log[2].starts_with("move White P>e3"), "{log:?}");
    assert_eq!(memory.changes.load(Ordering::Relaxed), 2);
}

#[test]
fn a_message_that_another_process_was_faster_with_is_played_once() {
    let (house, memory) = House::over_memory();
    house.begin();
    let same =
        LogEntry::new(time(), Action::play("P>e3"), Color::White).key("msg", Some("<1@anna.test>"));
    memory.faults.lock().unwrap().push_back(Fault::Faster(same));
    let run = house.receive("ref", &letter("anna", 1, "1. P>e3"));
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "<1@anna.test>\tdemo\tduplicate\n")
    );
    assert_eq!(house.game().record().steps().len(), 1);
    assert_eq!(
        house.game().owed(),
        [],
        "the other process has called for it"
    );
}

#[test]
fn a_match_that_changes_all_the_time_is_a_matter_for_later() {
    let (house, memory) = House::over_memory();
    house.begin();
    let note = LogEntry::new(time(), Event::note("x"), Color::Black);
    let faults = (0..1000).map(|_| Fault::Faster(note.clone()));
    memory.faults.lock().unwrap().extend(faults);
    let run = house.receive("ref", &letter("anna", 1, "1. P>e3"));
    assert_eq!(run.stdout, "<1@anna.test>\t-\tdeferred\n");
    assert_eq!(run.status, 75);
    assert!(
        run.stderr.contains("others keep changing"),
        "{}",
        run.stderr
    );
    assert_eq!(house.game().record().steps().len(), 0);
    let tried = memory.changes.load(Ordering::Relaxed);
    assert!(tried < 100, "{tried} tries");
}

/// Nothing is said to be done, and the message that comes again is a duplicate
/// or is played now: the move is there once.
#[test]
fn a_change_of_which_nobody_knows_whether_it_is_done_is_a_matter_for_later() {
    for (fault, then) in [
        (Fault::LostAnswer, "duplicate"),
        (Fault::LostRequest, "accepted"),
    ] {
        let (house, memory) = House::over_memory();
        house.begin();
        memory.faults.lock().unwrap().push_back(fault);
        let anna = letter("anna", 1, "1. P>e3");
        let run = house.run("ref", &["receive", "--send"], &anna);
        assert_eq!(run.stdout, "<1@anna.test>\t-\tdeferred\n");
        assert_eq!(run.status, 75);
        assert!(run.stderr.contains("is not known"), "{}", run.stderr);
        assert_eq!(house.outbox(), [""; 0], "nobody is told");
        let run = house.run("ref", &["receive", "--send"], &anna);
        assert_eq!(run.stdout, format!("<1@anna.test>\tdemo\t{then}\n"));
        assert_eq!(run.status, 0);
        assert_eq!(house.game().record().steps().len(), 1);
        assert_eq!(house.outbox().len(), 2, "both are told now, once");
        assert_eq!(house.game().owed(), []);
    }
}

#[test]
fn a_later_message_waits_for_one_whose_change_is_unknown() {
    let (house, memory) = House::over_memory();
    house.begin();
    memory.faults.lock().unwrap().push_back(Fault::LostRequest);
    let mbox = [letter("anna", 1, "1. P>e3"), letter("ben", 2, "1... n>g5")]
        .map(|letter| format!("From x@y Fri Nov 20 03:00:00 2026\n{letter}\n"))
        .concat();
    let run = house.run("ref", &["receive", "--mbox"], &mbox);
    assert_eq!(
        run.stdout,
        "<1@anna.test>\t-\tdeferred\n<2@ben.test>\t-\tdeferred\n"
    );
    assert_eq!(house.game().log().len(), 1);
}

#[test]
fn a_command_says_nothing_is_done_if_that_is_not_known() {
    let (house, memory) = House::over_memory();
    house.begin();
    for words in [
        &["move", "demo", "P>e3", "--send"][..],
        &["draw", "offer", "demo"],
        &["note", "demo", "x"],
        &["resign", "demo"],
    ] {
        memory.faults.lock().unwrap().push_back(Fault::LostRequest);
        let run = house.run("anna", words, "");
        assert_eq!((run.status, run.stdout.as_str()), (75, ""), "{words:?}");
        assert!(run.stderr.contains("is not known"), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    }
    assert_eq!(house.outbox(), [""; 0]);
}

/// A mail that has gone while that could not be noted goes again, under the
/// same Message-ID, or is noted already.
#[test]
fn a_mail_whose_note_is_unknown_goes_again_or_is_noted() {
    for fault in [Fault::LostAnswer, Fault::LostRequest] {
        let (house, memory) = House::over_memory();
        house.begin();
        assert_eq!(house.run("anna", &["move", "demo", "P>e3"], "").status, 0);
        memory.faults.lock().unwrap().push_back(fault);
        assert_eq!(house.run("anna", &["send"], "").status, 75);
        // It may have gone: its move cannot be taken back before that is known.
        let run = house.run("anna", &["undo", "demo"], "");
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert_eq!(house.run("anna", &["send"], "").status, 0);
        assert_eq!(house.outbox().len(), 1, "the folder has one file a mail");
        assert_eq!(house.game().owed(), []);
        let sent = house.log();
        let sent = sent.iter().filter(|line| line.starts_with("sent "));
        assert_eq!(sent.count(), 1);
    }
}

/// A match of that many half-moves, each the first legal one by a die.
fn long(plies: usize) -> Match {
    let mut random = fastrand::Rng::with_seed(5);
    loop {
        let mut game = Match::new(settings("unachess", &[]), time());
        while game.record().steps().len() < plies && game.turn().is_some() {
            let legal = game.position().single_plies();
            let ply = legal[random.usize(..legal.len())];
            let played = Action::Move(game.position().text(&ply));
            let event = LogEntry::new(time(), played, game.position().turn());
            game.push(event).unwrap();
        }
        if game.turn().is_some() {
            return game;
        }
    }
}

/// An accepted move replayed its match eleven times.
#[test]
fn an_accepted_move_reads_once_and_replays_at_most_twice() {
    const PLIES: usize = 56;
    let game = long(PLIES);
    let next = game.position().text(&game.position().single_plies()[0]);
    let anna = letter("anna", 1, &format!("{}. {next}", PLIES / 2 + 1));
    let (over_memory, memory) = House::over_memory();
    // The folder knows the text that it has read, and reads back what is new alone.
    for (house, replays) in [(over_memory, 2), (House::over_folder(), 1)] {
        house.store.create(&game).unwrap();
        let (before, read) = (moves_taken_in(), logged_moves_interpreted());
        memory.reads.store(0, Ordering::Relaxed);
        memory.changes.store(0, Ordering::Relaxed);
        let run = house.receive("ref", &anna);
        assert_eq!(
            run.stdout, "<1@anna.test>\tdemo\taccepted\n",
            "{}",
            run.stderr
        );
        let moves = moves_taken_in() - before;
        // And of the new move: decided, added to the match, and read back.
        let most = replays * PLIES as u64 + 3;
        assert!(moves <= most, "{moves} moves were taken in, not {most}");
        assert_eq!(logged_moves_interpreted(), read, "the log is canonical");
        assert!(memory.reads.load(Ordering::Relaxed) <= 1);
        assert!(memory.changes.load(Ordering::Relaxed) <= 1);
    }
    assert_eq!(memory.changes.load(Ordering::Relaxed), 0, "of the folder");
}

/// The same of the folder, by the calls of the system.
#[test]
fn an_accepted_move_opens_its_file_once_and_writes_it_once() {
    let house = play::demo();
    house.write("letter", letter("anna", 1, "1. P>e3"));
    let trace = house.path("trace");
    let mut command = house
        .parapost(play::of("ref", &["receive", "letter"]))
        .command();
    SystemFault::None.prepare(&mut command, &trace);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let calls = shim::trace(&trace, house.folder());
    let of = |name: &str| {
        let named = calls.iter().filter(|call| call.name.starts_with(name));
        let of_match = |call: &&shim::Call| {
            call.path.ends_with("games/demo.txt") || call.second.ends_with("games/demo.txt")
        };
        named.filter(of_match).count()
    };
    // Before that its beginning tells that the folder is one of matches.
    assert_eq!(of("open"), 2);
    assert_eq!(of("rename"), 1);
}

/// A delivery read the match before it took the lock, and again with it.
#[test]
fn mail_is_sent_after_one_reading_of_its_match() {
    let (house, memory) = House::over_memory();
    house.begin();
    for (words, readings) in [
        (&["move", "demo", "P>e3"][..], 1),
        (&["send", "demo"], 1),
        (&["draw", "offer", "demo", "--send"], 1),
        // Once to owe it, once to send it.
        (&["send", "--resend", "demo"], 2),
    ] {
        let before = memory.reads.load(Ordering::Relaxed);
        let run = house.run("anna", words, "");
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        let read = memory.reads.load(Ordering::Relaxed) - before;
        assert_eq!(read, readings, "{words:?}");
    }
    assert!(house.game().owed().is_empty());
}

/// A message that names its match costs the same however many matches there are.
#[test]
fn a_message_that_names_its_match_has_that_match_read_alone() {
    let (house, memory) = House::over_memory();
    house.begin();
    for number in 0..5 {
        let settings = MatchSettings {
            id: format!("other{number}").parse().unwrap(),
            ..settings("unachess", &[])
        };
        memory.create(&Match::new(settings, time())).unwrap();
    }
    let ids = MailIds::new(IdSecret::from_bytes([7; 32]), "example.org");
    let stored = memory.read(&"demo".parse().unwrap()).unwrap();
    let mail = NewMail::new("position", Color::White);
    let (mail, _) = update(&*memory, stored, |game| {
        game.owe(time(), mail.clone(), &ids)
    })
    .unwrap();
    let foot = "> Game demo, 0 half-moves made.\n";
    let reads = |fields: &str, body: &str| {
        let before = memory.reads.load(Ordering::Relaxed);
        let letter = format!("From: anna@example.org\n{fields}\n{body}");
        let run = house.run("ref", &["receive", "--dry-run"], &letter);
        assert!(run.stdout.contains("\tdemo\taccepted"), "{run:?}");
        memory.reads.load(Ordering::Relaxed) - before
    };
    for fields in [
        "Subject: Re: [demo] Unachess: invitation\n".to_owned(),
        format!("In-Reply-To: {mail}\n"),
        format!("Subject: x\nReferences: <a@b.test> {mail}\n"),
    ] {
        assert_eq!(reads(&fields, "1. P>e3\n"), 1, "{fields}");
        assert_eq!(reads(&fields, &format!("1. P>e3\n\n{foot}")), 1, "{fields}");
    }
    // A line of the text alone may have been carried from another match.
    assert_eq!(reads("", &format!("1. P>e3\n\n{foot}")), 7);
}

#[test]
fn a_message_that_names_more_matches_than_are_read_is_asked_about() {
    let (house, memory) = House::over_memory();
    house.begin();
    let mut subject = String::from("Subject: ");
    for number in 0..40 {
        let settings = MatchSettings {
            id: format!("other{number}").parse().unwrap(),
            ..settings("unachess", &[])
        };
        memory.create(&Match::new(settings, time())).unwrap();
        let _ = write!(subject, "[other{number}] ");
    }
    let letter = format!("From: anna@example.org\nMessage-ID: <1@a.test>\n{subject}\n\nP>e3\n");
    let run = house.receive("ref", &letter);
    assert!(run.stdout.contains("\tunknown-match\n"), "{run:?}");
}
