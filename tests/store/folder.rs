//! The folder of the files: locks, full disks, killed processes.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use parapost::match_id::Id;
use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Color;
use parapost::store::folder::Folder;
use parapost::store::store::{Change, Store as _, update};

use crate::matches::log::{settings, time};

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
    let game = Match::new(settings("chess", &[]), time());
    folder.create(&game).unwrap();
    let before = fs::read(folder.file(&demo())).unwrap();
    let other = Match::new(settings("unachess", &[]), time());
    let error = folder.create(&other).unwrap_err();
    assert!(error.to_string().contains("already") && !error.is_transient());
    assert_eq!(fs::read(folder.file(&demo())).unwrap(), before);
}

/// Whoever copies a file into the folder takes no lock.
#[test]
fn a_file_that_was_copied_in_is_not_overwritten_under_a_lock() {
    let (_place, folder) = folder();
    let game = Match::new(settings("chess", &[]), time());
    folder.create(&game).unwrap();
    let stored = folder.lock(&demo()).unwrap();
    let other = Match::new(settings("unachess", &[]), time()).to_string();
    let copy = folder.path().join("copy");
    fs::write(&copy, &other).unwrap();
    fs::rename(&copy, folder.file(&demo())).unwrap();
    let change = folder.change(&stored.game, &stored.revision).unwrap();
    let Change::Conflict(now) = change else {
        panic!("{change:?}");
    };
    assert_eq!(fs::read_to_string(folder.file(&demo())).unwrap(), other);
    let change = folder.change(&now.game, &now.revision).unwrap();
    assert!(matches!(change, Change::Done(_)), "{change:?}");
}

/// A file was written that was too long to be read again.
#[test]
#[ignore = "takes long"]
fn no_file_is_written_that_is_too_long_to_be_read() {
    let (_place, folder) = folder();
    let text = Match::new(settings("chess", &[]), time()).to_string();
    let long = "x".repeat((64 << 20) - text.len() - "X: \n".len());
    let text = text.replace("\nChain: ", &format!("\nX: {long}\nChain: "));
    assert_eq!(text.len(), 64 << 20);
    fs::write(folder.file(&demo()), &text).unwrap();
    let stored = folder.lock(&demo()).unwrap();
    let saved = folder.change(&stored.game, &stored.revision).unwrap();
    assert!(matches!(saved, Change::Done(_)), "{saved:?}");
    drop(stored);
    let note = LogEntry::new(time(), Event::note("x"), Color::White);
    let error = update(&folder, folder.read(&demo()).unwrap(), |game| {
        game.push(note.clone())
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("longer than 64 MiB"), "{error}");
    assert!(fs::read(folder.file(&demo())).unwrap() == text.as_bytes());
    folder.read(&demo()).unwrap();
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
        MatchSettings {
            id: "demo2".parse().unwrap(),
            ..settings("chess", &[])
        },
        time(),
    );
    assert!(say(other.to_string().as_bytes()).contains("the Id is demo2"));
}

#[test]
fn a_lock_that_is_held_too_long_is_a_matter_for_later() {
    let (_place, folder) = folder();
    folder
        .create(&Match::new(settings("chess", &[]), time()))
        .unwrap();
    let held = folder.lock(&demo()).unwrap();
    assert!(folder.lock(&demo()).unwrap_err().is_transient());
    // Reading needs no lock.
    folder.read(&demo()).unwrap();
    drop(held);
    folder.lock(&demo()).unwrap();
}

#[test]
fn a_match_that_is_as_it_was_is_renewed_without_its_lock() {
    let (_place, folder) = folder();
    folder
        .create(&Match::new(settings("chess", &[]), time()))
        .unwrap();
    let _renewed = folder.renewed(folder.lock(&demo()).unwrap()).unwrap();
    folder.lock(&demo()).unwrap();
}

/// Somebody has put the file right, or made one, since it was looked at.
#[test]
fn a_file_that_has_changed_meanwhile_is_not_restored() {
    let (_place, folder) = folder();
    let game = Match::new(settings("chess", &[]), time());
    fs::write(folder.file(&demo()), "Format: nonsense\n").unwrap();
    let seen = folder.text(&demo()).unwrap();
    fs::write(folder.file(&demo()), "Format: other\n").unwrap();
    for seen in [seen.as_deref(), None] {
        let error = folder.restore(&game, seen).unwrap_err();
        assert!(error.is_transient(), "{error}");
    }
    fs::remove_file(folder.file(&demo())).unwrap();
    let error = folder.restore(&game, seen.as_deref()).unwrap_err();
    assert!(error.is_transient(), "{error}");
    assert!(!folder.file(&demo()).exists());
    assert_eq!(folder.restore(&game, None).unwrap(), None);
    assert_eq!(folder.read(&demo()).unwrap().game.log(), game.log());
}

/// Whoever was too late keeps the lock to decide anew, which may come to nothing.
#[test]
fn a_change_that_comes_to_nothing_keeps_no_lock() {
    let (_place, folder) = folder();
    folder
        .create(&Match::new(settings("chess", &[]), time()))
        .unwrap();
    let old = folder.read(&demo()).unwrap();
    let once = |game: &mut Match| match game.log().len() {
        1 => game.push(LogEntry::new(time(), Event::note("once"), Color::White)),
        _ => Ok(()),
    };
    update(&folder, old.clone(), once).unwrap();
    let ((), known) = update(&folder, old, once).unwrap();
    assert_eq!(known.game.log().len(), 2);
    folder.lock(&demo()).unwrap();
}

#[test]
fn whoever_has_the_lock_sees_what_was_done_before() {
    let place = tempfile::tempdir().unwrap();
    let folder = Arc::new(Folder::new(place.path(), Duration::from_mins(1)));
    folder
        .create(&Match::new(settings("chess", &[]), time()))
        .unwrap();
    thread::scope(|scope| {
        for writer in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                for i in 0..5 {
                    let note = Event::note(format!("{writer}.{i}"));
                    let note = LogEntry::new(time(), note, parapost::rules::Color::White);
                    update(&**folder, folder.read(&demo()).unwrap(), |game| {
                        game.push(note.clone())
                    })
                    .unwrap();
                }
            });
        }
    });
    let game = folder.read(&demo()).unwrap();
    assert_eq!(game.game.log().len(), 1 + 4 * 5, "no note is lost");
    let names: Vec<_> = fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(
        names.len(),
        3,
        "a state file, its spare and a lock, nothing else: {names:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_reader_of_the_old_file_keeps_it_whole() {
    use std::io::Read as _;

    let (_place, folder) = folder();
    folder
        .create(&Match::new(settings("chess", &[]), time()))
        .unwrap();
    let before = fs::read_to_string(folder.file(&demo())).unwrap();
    let mut reader = fs::File::open(folder.file(&demo())).unwrap();
    update(&folder, folder.read(&demo()).unwrap(), |game| {
        let ply = game.position().read("e4").unwrap().ply;
        let text = game.position().text(&ply);
        let white = parapost::rules::Color::White;
        game.push(LogEntry::new(time(), Action::play(text), white))
    })
    .unwrap();
    let mut seen = String::new();
    reader.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, before, "the file is replaced, not written into");
}

/// The spare of a match that goes on. Only whoever adds to the log leaves one.
#[test]
fn a_match_that_has_ended_leaves_one_file() {
    let (place, folder) = folder();
    folder
        .create(&Match::new(settings("chess", &[]), time()))
        .unwrap();
    let add = |event: Event| {
        let event = LogEntry::new(time(), event, Color::White);
        let add = |game: &mut Match| game.push(event.clone());
        update(&folder, folder.read(&demo()).unwrap(), add).unwrap();
    };
    let spare = place.path().join(".demo.txt.tmp");
    add(Event::note("one"));
    let before = fs::read_to_string(folder.file(&demo())).unwrap();
    add(Event::note("two"));
    assert!(spare.exists());
    add(Event::note("three"));
    assert!(spare.exists());
    // Somebody else's text, which the next one does not continue.
    let unchained = before.lines().filter(|line| !line.starts_with("Chain:"));
    let unchained = unchained.map(|line| line.split(" chain=").next().unwrap());
    let unchained = unchained.collect::<Vec<_>>().join("\n") + "\n";
    fs::write(folder.file(&demo()), unchained).unwrap();
    add(Event::note("two"));
    assert!(!spare.exists());
    add(Event::note("three"));
    assert!(spare.exists());
    add(Event::Act(Action::Resign));
    assert!(!spare.exists());
    add(Event::note("good game"));
    let mut names: Vec<_> = fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, [".demo.lock", "demo.txt"]);
}

#[test]
fn only_files_that_are_named_like_a_match_are_matches() {
    let (place, folder) = folder();
    folder
        .create(&Match::new(settings("chess", &[]), time()))
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
    let house = crate::commands::play::demo();
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
#[ignore = "takes long"]
fn a_process_that_is_killed_leaves_the_file_whole() {
    let house = crate::commands::play::demo();
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
