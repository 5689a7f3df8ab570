//! The index of a folder: whatever happens to the folder and to the index, it finds what a
//! survey of all files finds.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use lettre::Address;
use parapost::match_id::Id;
use parapost::matches::action::Action;
use parapost::matches::event::{AddressStep, Event, LogEntry};
use parapost::matches::mail::NewMail;
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Color;
use parapost::store::folder::Folder;
use parapost::store::store::{Open, Store as _, update};

use crate::matches::log::{settings, time};

/// The mailboxes of the players, and one of nobody.
const MAILBOXES: [&str; 6] = ["anna", "ben", "carl", "dora", "emil", "nobody"];

fn address(name: &str) -> Address {
    format!("{name}@example.org").parse().unwrap()
}

fn id(number: usize) -> Id {
    format!("m{number}").parse().unwrap()
}

fn game(number: usize, players: [&str; 2]) -> Match {
    let settings = MatchSettings {
        id: id(number),
        players: players.map(|name| format!("{name} <{name}@example.org>").parse().unwrap()),
        ..settings("chess", &[])
    };
    Match::new(settings, time())
}

fn ids() -> MailIds {
    MailIds::new(IdSecret::from_bytes([7; 32]), "example.org")
}

fn open(folder: &Path) -> Folder {
    Folder::new(folder, Duration::from_secs(5))
}

/// Compares what the index finds with what a survey finds.
fn check(folder: &Path, step: &str) {
    let store = open(folder);
    let survey = store.survey().unwrap();
    for name in MAILBOXES {
        let address = format!("{name}+x@EXAMPLE.org").parse().unwrap();
        let found = store.by_address(&address).unwrap();
        let found_ids: Vec<&Id> = found.matches.iter().map(|it| it.game.id()).collect();
        let plays = survey.matches.iter();
        let plays = plays.filter(|it| it.game.sides(&address).next().is_some());
        let expected: Vec<&Id> = plays.map(|it| it.game.id()).collect();
        assert_eq!(found_ids, expected, "{name} after {step}");
        // Whose players cannot be read may be anybody's.
        for (id, _) in &survey.damaged {
            let text = fs::read_to_string(store.file(id)).unwrap_or_default();
            let is_listed = found.damaged.iter().any(|(found, _)| found == id);
            let may_be = !text.contains("\nBlack: ") || text.contains(&format!("<{name}@"));
            assert!(is_listed || !may_be, "{id} for {name} after {step}");
        }
    }
    let [open, owing] =
        [store.going_on(), store.owing()].map(|ids| ids.unwrap().into_iter().collect());
    let (open, owing): (BTreeSet<Id>, BTreeSet<Id>) = (open, owing);
    for stored in &survey.matches {
        let id = stored.game.id();
        let left = Open::of(&stored.game);
        assert!(
            (!left.is_any() || open.contains(id)) && (!left.owes || owing.contains(id)),
            "{id} after {step}\n{}\n{}",
            fs::read_to_string(store.file(id)).unwrap_or_default(),
            fs::read_to_string(folder.join(".index/open")).unwrap_or_default()
        );
    }
    for (id, _) in &survey.damaged {
        assert!(open.contains(id), "{id} after {step}");
    }
}

#[test]
#[ignore = "takes long"]
fn the_index_finds_what_a_survey_finds_whatever_happens() {
    let steps = if cfg!(debug_assertions) { 250 } else { 2000 };
    let place = tempfile::tempdir().unwrap();
    let path = place.path();
    // Two processes, one of which has known the folder for long.
    let stores = [open(path), open(path)];
    let index = path.join(".index");
    let mut random = fastrand::Rng::with_seed(14);
    let mut next = 0;
    for number in 0..steps {
        let store = &stores[random.usize(..2)];
        let any = id(random.usize(..next.max(1)));
        let mut two = || {
            let first = random.usize(..5);
            [
                MAILBOXES[first],
                MAILBOXES[(first + random.usize(1..5)) % 5],
            ]
        };
        let players = two();
        let change = |change: &dyn Fn(&mut Match) -> Result<(), parapost::Error>| {
            if let Ok(stored) = store.read(&any) {
                let _ = update(store, stored, change);
            }
        };
        let files: Vec<_> = fs::read_dir(&index)
            .map(|files| files.map(|file| file.unwrap().path()).collect())
            .unwrap_or_default();
        let choice = random.usize(..16);

        let file = (!files.is_empty()).then(|| files[random.usize(..files.len())].clone());
        match choice {
            0..4 => {
                store.create(&game(next, players)).unwrap();
                next += 1;
            }
            4 => change(&|game| game.push(LogEntry::new(time(), Action::Resign, Color::White))),
            5 | 6 => change(&|game| {
                game.owe(time(), NewMail::new("position", Color::Black), &ids())
                    .map(|_| ())
            }),
            7 => change(&|game| match game.owed().first() {
                Some(owed) => game.sent(time(), &owed.msg.clone(), "test"),
                None => Ok(()),
            }),
            8 => change(&|game| {
                let added = Event::Address(Some(AddressStep::Added));
                let event = LogEntry::new(time(), added, Color::White);
                game.push(event.key("from", Some(address(players[0]))))
            }),
            9 => {
                // Copied in.
                let text = game(next, players).to_string();
                fs::write(store.file(&id(next)), text).unwrap();
                next += 1;
            }
            10 => {
                // Edited in place.
                let text = game(any.as_str()[1..].parse().unwrap(), players).to_string();
                fs::write(store.file(&any), text).unwrap();
            }
            11 => {
                let damage = ["Format: nonsense\n", "", "no match\n"][random.usize(..3)];
                fs::write(store.file(&any), damage).unwrap();
            }
            12 => drop(fs::remove_file(store.file(&any))),
            13 => drop(fs::remove_dir_all(&index)),
            14 => drop(file.map(fs::remove_file)),
            _ => {
                if let Some(file) = file
                    && let Ok(mut bytes) = fs::read(&file)
                    && !bytes.is_empty()
                {
                    let at = random.usize(..bytes.len());
                    match random.usize(..3) {
                        0 => bytes.truncate(at),
                        1 => bytes[at] ^= 1,
                        _ => bytes.extend(b"torn"),
                    }
                    fs::write(&file, bytes).unwrap();
                }
            }
        }
        if number % 3 == 0 {
            check(path, &format!("step {number}, {choice}"));
        }
    }
    assert!(next > 50);
}

/// Makes a folder so large that it is not listed each time.
fn large() -> (tempfile::TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    let store = open(place.path());
    let text = game(0, ["anna", "ben"]).to_string();
    for number in 0..300 {
        // The chain of the log holds the id.
        let text = if number == 0 {
            text.clone()
        } else {
            game(number, ["anna", "ben"]).to_string()
        };
        fs::write(store.file(&id(number)), text).unwrap();
    }
    assert_eq!(
        store.by_address(&address("anna")).unwrap().matches.len(),
        300
    );
    (place, store)
}

/// Changes the first line of what the last listing left behind.
fn set_listed(folder: &Path, change: impl Fn(&mut Vec<String>)) {
    let path = folder.join(".index/listed");
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut words: Vec<String> = first.split(' ').map(ToOwned::to_owned).collect();
    change(&mut words);
    let (rest, _) = rest.rsplit_once("end ").unwrap();
    let text = format!("{}\n{rest}", words.join(" "));
    let sum = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let sum = (sum >> 16) ^ (sum & 0xFFFF);
    fs::write(&path, format!("{text}end {sum:04x}\n")).unwrap();
}

/// Sets the last listing back by a minute.
fn a_minute_passes(folder: &Path) {
    set_listed(folder, |words| {
        let millis: i64 = words[1].parse().unwrap();
        words[1] = (millis - 61_000).max(0).to_string();
    });
}

#[test]
fn a_file_copied_in_is_found_by_id_at_once_and_by_address_within_a_minute() {
    let (place, store) = large();
    let carl = address("carl");
    fs::write(
        store.file(&id(999)),
        game(999, ["anna", "carl"]).to_string(),
    )
    .unwrap();
    assert!(store.find(&id(999)).unwrap().is_some());
    assert_eq!(store.by_address(&carl).unwrap().matches.len(), 0);
    a_minute_passes(place.path());
    assert_eq!(store.by_address(&carl).unwrap().matches.len(), 1);
    assert!(store.going_on().unwrap().contains(&id(999)));
    // What the program writes itself is found at once.
    store.create(&game(1000, ["dora", "emil"])).unwrap();
    let dora = store.by_address(&address("dora")).unwrap();
    assert_eq!(dora.matches.len(), 1);
    assert!(store.going_on().unwrap().contains(&id(1000)));
}

#[test]
fn an_edit_in_place_is_found_within_a_minute() {
    let (place, store) = large();
    let text = game(7, ["dora", "ben"]).to_string();
    fs::write(store.file(&id(7)), text).unwrap();
    a_minute_passes(place.path());
    let dora = store.by_address(&address("dora")).unwrap();
    assert_eq!(dora.matches[0].game.id(), &id(7));
    // A row that is out of date does no harm.
    let anna = store.by_address(&address("anna")).unwrap();
    assert_eq!(anna.matches.len(), 299);
}

#[test]
fn a_clock_that_jumps_back_does_not_stop_the_listing() {
    let (place, store) = large();
    // The clock was ahead by years when the folder was listed.
    set_listed(place.path(), |words| {
        let nanos: i128 = words[2].parse().unwrap();
        words[2] = (nanos + 100_000_000_000_000_000).to_string();
    });
    a_minute_passes(place.path());
    fs::write(
        store.file(&id(999)),
        game(999, ["anna", "carl"]).to_string(),
    )
    .unwrap();
    let carl = store.by_address(&address("carl")).unwrap();
    assert_eq!(carl.matches.len(), 1);
}

#[test]
fn after_a_start_of_the_system_all_files_are_scanned() {
    let (place, store) = large();
    for entry in fs::read_dir(place.path().join(".index")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("a-") || name == "open" {
            // What a crash has left of the rows.
            fs::write(&path, "\0\0\0").unwrap();
        }
    }
    set_listed(place.path(), |words| words[0] = "before".to_owned());
    assert_eq!(
        store.by_address(&address("ben")).unwrap().matches.len(),
        300
    );
    assert_eq!(store.going_on().unwrap().len(), 300);
}

#[test]
fn while_another_process_lists_the_folder_only_an_unknown_address_waits() {
    let (place, _) = large();
    let store = Folder::new(place.path(), Duration::from_millis(50));
    a_minute_passes(place.path());
    let lock = fs::File::open(place.path().join(".index/listing.lock")).unwrap();
    lock.lock().unwrap();
    let begun = Instant::now();
    assert_eq!(
        store.by_address(&address("anna")).unwrap().matches.len(),
        300
    );
    assert_eq!(store.going_on().unwrap().len(), 300);
    let error = store.by_address(&address("nobody")).unwrap_err();
    assert!(error.is_transient(), "{error}");
    // Without any index nobody is known.
    fs::remove_file(place.path().join(".index/listed")).unwrap();
    assert!(
        store
            .by_address(&address("anna"))
            .unwrap_err()
            .is_transient()
    );
    assert!(store.owing().unwrap_err().is_transient());
    assert!(begun.elapsed() < Duration::from_secs(20));
    drop(lock);
    assert_eq!(
        store.by_address(&address("nobody")).unwrap().matches.len(),
        0
    );
}

#[test]
fn where_no_index_can_be_written_all_matches_are_read() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(".index"), "in the way").unwrap();
    let store = open(place.path());
    store.create(&game(1, ["anna", "ben"])).unwrap();
    assert_eq!(store.by_address(&address("anna")).unwrap().matches.len(), 1);
    assert_eq!(store.going_on().unwrap(), [id(1)]);
}

#[test]
fn a_match_that_is_over_and_owes_nothing_leaves_the_list() {
    let (_place, store) = large();
    for number in [3, 5] {
        let stored = store.read(&id(number)).unwrap();
        update(&store, stored, |game| {
            game.push(LogEntry::new(time(), Action::Resign, Color::White))?;
            let mail = NewMail::new("position", Color::Black);
            game.owe(time(), mail, &ids()).map(|_| ())
        })
        .unwrap();
    }
    assert_eq!(store.owing().unwrap(), [id(3), id(5)]);
    let stored = store.read(&id(3)).unwrap();
    let msg = stored.game.owed()[0].msg.clone();
    update(&store, stored, |game| game.sent(time(), &msg, "test")).unwrap();
    assert_eq!(store.owing().unwrap(), [id(5)]);
    let open = store.going_on().unwrap();
    assert!(!open.contains(&id(3)) && open.contains(&id(5)));
    assert!(store.find(&id(3)).unwrap().is_some());
}

/// The process is killed when the rows are written and the match is not.
#[test]
fn rows_without_their_match_do_no_harm() {
    let (_place, store) = large();
    store.create(&game(400, ["anna", "carl"])).unwrap();
    fs::remove_file(store.file(&id(400))).unwrap();
    let carl = store.by_address(&address("carl")).unwrap();
    assert!(carl.matches.is_empty() && carl.damaged.is_empty());
    // Then it is made after all.
    store.create(&game(400, ["anna", "carl"])).unwrap();
    assert_eq!(store.by_address(&address("carl")).unwrap().matches.len(), 1);
}

/// The process is killed when the match is written, and what it would note behind it is not.
#[test]
fn rows_are_there_before_their_match() {
    let (place, store) = large();
    let carl = || store.by_address(&address("carl")).unwrap().matches.len();
    // What is in the way of the match is the match, as somebody has copied it.
    let made = game(400, ["anna", "carl"]);
    fs::write(store.file(&id(400)), made.to_string()).unwrap();
    assert_eq!(carl(), 0);
    store.create(&made).unwrap_err();
    assert_eq!(carl(), 1);

    let stored = store.read(&id(5)).unwrap();
    let mut owing = Match::clone(&stored.game);
    let mail = NewMail::new("position", Color::Black);
    owing.owe(time(), mail, &ids()).unwrap();
    let in_the_way = place.path().join(".m5.txt.tmp");
    fs::create_dir(&in_the_way).unwrap();
    update(&store, stored, |game| {
        *game = owing.clone();
        Ok(())
    })
    .unwrap_err();
    fs::write(store.file(&id(5)), owing.to_string()).unwrap();
    assert_eq!(store.owing().unwrap(), [id(5)]);
}

#[cfg(unix)]
#[test]
fn the_index_is_as_private_as_the_matches() {
    use std::os::unix::fs::PermissionsExt as _;
    let (place, _store) = large();
    let index = place.path().join(".index");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
    assert_eq!(mode(&index), 0);
    for entry in fs::read_dir(&index).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0, "{}", path.display());
    }
}

/// A cleaner may remove the files of the index, or all of it, while it is made and asked.
#[test]
#[ignore = "takes long"]
fn whoever_removes_the_index_meanwhile_hides_no_match() {
    let (place, store) = large();
    store.create(&game(500, ["anna", "carl"])).unwrap();
    a_minute_passes(place.path());
    let carl = store.by_address(&address("carl")).unwrap();
    assert_eq!(carl.matches.len(), 1);
    let index = place.path().join(".index");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut random = fastrand::Rng::with_seed(14);
            while !is_over.load(Ordering::Relaxed) {
                if random.u8(..) < 16 {
                    drop(fs::remove_dir_all(&index));
                } else if let Ok(entries) = fs::read_dir(&index) {
                    let files = entries.flatten().filter(|_| random.bool());
                    files.for_each(|entry| drop(fs::remove_file(entry.path())));
                }
                thread::sleep(Duration::from_micros(random.u64(..3000)));
            }
        });
        let ask = || {
            for _ in 0..60 {
                let store = open(place.path());
                let carl = store.by_address(&address("carl"));
                // Others may be at it for long.
                if let Ok(carl) = carl {
                    assert_eq!(carl.matches.len(), 1);
                }
                if let Ok(open) = store.going_on() {
                    assert_eq!(open.len(), 301);
                }
            }
        };
        let asking = [scope.spawn(ask), scope.spawn(ask)];
        let asked = asking.map(thread::ScopedJoinHandle::join);
        is_over.store(true, Ordering::Relaxed);
        assert!(asked.iter().all(Result::is_ok));
    });
    let carl = store.by_address(&address("carl")).unwrap();
    assert_eq!(carl.matches.len(), 1);
}

/// Somebody copies a large file slowly: half of it tells no players.
#[test]
fn a_match_that_could_not_be_read_is_nobodys_once_it_can_be() {
    let (place, store) = large();
    let path = store.file(&id(7));
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace("\nBlack: ", "\nB: ")).unwrap();
    a_minute_passes(place.path());
    let nobody = address("nobody");
    assert_eq!(store.by_address(&nobody).unwrap().damaged[0].0, id(7));
    fs::write(&path, whole).unwrap();
    a_minute_passes(place.path());
    assert!(store.by_address(&nobody).unwrap().damaged.is_empty());
    let rows = fs::read_to_string(place.path().join(".index/a-00")).unwrap();
    assert!(!rows.contains("hidden"), "{rows}");
    assert_eq!(
        store.by_address(&address("anna")).unwrap().matches.len(),
        300
    );
}

/// The index knows nothing of the match but that it could not be read.
#[test]
fn a_match_that_is_restored_and_over_leaves_the_list() {
    let (place, store) = large();
    let damage = "Format: nonsense\n";
    fs::write(store.file(&id(7)), damage).unwrap();
    a_minute_passes(place.path());
    let is_listed = || store.going_on().unwrap().contains(&id(7));
    assert!(is_listed());
    let mut over = game(7, ["anna", "ben"]);
    over.push(LogEntry::new(time(), Action::Resign, Color::White))
        .unwrap();
    store.restore(&over, Some(damage.as_bytes())).unwrap();
    assert!(!is_listed());
}

/// A mail that was sent and reported back counts as owed when the file is scanned.
#[test]
fn a_match_that_is_over_stays_off_the_list_after_a_start_of_the_system() {
    let (place, store) = large();
    let stored = store.read(&id(3)).unwrap();
    update(&store, stored, |game| {
        game.push(LogEntry::new(time(), Action::Resign, Color::White))?;
        let mail = NewMail::new("position", Color::Black);
        game.owe(time(), mail, &ids()).map(|_| ())?;
        let msg = game.owed()[0].msg.clone();
        game.sent(time(), &msg, "test")?;
        let report = "<report@example.org>".parse().unwrap();
        let failed = [(vec![address("ben")], "no such mailbox".to_owned())];
        game.mail_reported(time(), &report, &msg, &failed)?;
        for mail in game.owed().to_vec() {
            game.sent(time(), &mail.msg, "test")?;
        }
        Ok(())
    })
    .unwrap();
    let stored = store.read(&id(3)).unwrap();
    let left = Open::of(&stored.game);
    let is_listed = || store.going_on().unwrap().contains(&id(3));
    assert_eq!(is_listed(), left.is_any());
    set_listed(place.path(), |words| words[0] = "before".to_owned());
    assert_eq!(is_listed(), left.is_any());
    assert!(!left.owes);
}
