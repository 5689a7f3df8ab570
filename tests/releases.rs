//! What released versions have left on disks, played on with this program: each folder of `tests/data/releases` is what
//! its version kept, made by `tests/data/releases/make`, which the checklist of a release names.

use std::fs;
use std::path::{Path, PathBuf};

use parapost::config::Config;
use parapost::rules::games;

use crate::support::{Sandbox, Test};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/releases");

/// How many half-moves of each sample the matches of the club have.
const KEPT_MOVES: usize = 5;

/// An hour after all that was kept.
const NOW: &str = "2026-11-26T11:00:00Z";

/// The versions that are kept, oldest first.
fn versions() -> Vec<String> {
    let listed = fs::read_dir(KEPT).unwrap().map(Result::unwrap);
    let folders = listed.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The disk of a version's users.
struct Disk(Sandbox);

impl Disk {
    fn of(version: &str) -> Disk {
        let disk = Disk(Sandbox::new());
        disk.copy(&Path::new(KEPT).join(version), Path::new(""));
        disk
    }

    /// Copies what is in a folder, for the user alone, as the program left it.
    fn copy(&self, from: &Path, to: &Path) {
        for entry in fs::read_dir(from).unwrap() {
            let (path, to) = (
                entry.as_ref().unwrap().path(),
                to.join(entry.unwrap().file_name()),
            );
            if path.is_dir() {
                self.copy(&path, &to);
            } else {
                self.0.write(to, fs::read(path).unwrap());
            }
        }
    }

    /// A run of somebody's: `club`, `anna` or `ben`. It may say anything.
    fn run(&self, who: &str, words: &[&str]) -> Test {
        let place = [
            "--config".to_owned(),
            format!("{who}/config.toml"),
            "--games".to_owned(),
            format!("{who}/games"),
        ];
        let words = words.iter().map(|&word| word.to_owned());
        self.0
            .parapost(place.into_iter().chain(words))
            .env("HOME", self.0.path(who))
            .now(NOW)
            .any_stdout()
            .any_stderr()
    }

    /// The last mail of a match to an address in somebody's outbox.
    fn mail(&self, who: &str, id: &str, address: &str) -> PathBuf {
        let outbox = self.0.path(who).join("games/outbox");
        let number = |path: &Path| {
            let name = path.file_name()?.to_str()?.strip_prefix(id)?;
            name.strip_prefix('.')?
                .split('.')
                .next()?
                .parse::<u32>()
                .ok()
        };
        let mails = fs::read_dir(outbox)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let to = format!("<{address}>\n");
        mails
            .filter(|path| number(path).is_some())
            .filter(|path| {
                let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
                text.lines().any(|line| {
                    line.starts_with("To: ") && to.starts_with(&line[line.find('<').unwrap()..])
                })
            })
            .max_by_key(|path| number(path))
            .unwrap_or_else(|| panic!("no mail of {id} to {address}"))
    }

    /// What an address answers to the referee's last mail of a match, by any mail program.
    fn answer(&self, id: &str, address: &str, words: &str) -> String {
        let asked = fs::read_to_string(self.mail("club", id, address)).unwrap();
        let asked = asked
            .lines()
            .find_map(|line| line.strip_prefix("Message-ID: "));
        let asked = asked.expect("a mail has an id").trim_end();
        letter(
            id,
            address,
            "first",
            &format!("In-Reply-To: {asked}\n\n{words}"),
        )
    }

    /// The referee takes letters, of each of which the same must come.
    fn take(&self, letters: &[String], outcome: &str, words: &[&str]) {
        // Each of an mbox begins with a line of its own, and ends with an empty one.
        let begin = "From someone Thu Nov 26 11:00:00 2026\n";
        let mailbox = letters.iter().flat_map(|letter| [begin, letter, "\n"]);
        self.0.write("letters", mailbox.collect::<String>());
        let words = [&["receive", "--mbox", "letters"], words].concat();
        let run = self.run("club", &words).run();
        let taken = run.stdout.matches(&format!("\t{outcome}\n")).count();
        assert_eq!(taken, letters.len(), "{}{}", run.stdout, run.stderr);
    }
}

/// A letter about a match; `rest` is the rest of its head, and its words.
fn letter(id: &str, address: &str, number: &str, rest: &str) -> String {
    format!(
        "From: {address}\nTo: chess@games.example.org\nSubject: [{id}] a move\n\
         Date: Thu, 26 Nov 2026 11:00:00 +0000\nMessage-ID: <{number}.{id}@example.org>\n{rest}\n"
    )
}

/// The address of a side.
fn address(is_white: bool) -> &'static str {
    if is_white {
        "anna@example.org"
    } else {
        "ben@example.test"
    }
}

/// The half-moves of the sample match of a game, and how it ends.
fn sample(game: &str) -> (Vec<(bool, String)>, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("games/{game}.txt"));
    let text = fs::read_to_string(file).unwrap();
    let (head, log) = text.split_once("\nLog\n").unwrap();
    let moves = log.lines().filter_map(|line| {
        let (_, event) = line.split_once(' ')?;
        let (side, text) = event.strip_prefix("move ")?.split_once(' ')?;
        let (text, _) = text.split_once(" chain=")?;
        Some((side == "White", text.to_owned()))
    });
    let result = head.lines().find_map(|line| line.strip_prefix("Result: "));
    (moves.collect(), result.unwrap().to_owned())
}

/// The state file of a match of the club.
fn kept(disk: &Disk, id: &str) -> PathBuf {
    disk.0.path(format!("club/games/{id}.txt"))
}

/// Each match of the club goes on where it was, and comes to the end of the sample whose beginning it is.
#[test]
#[ignore = "takes long"]
fn a_club_goes_on() {
    assert!(!versions().is_empty());
    for version in versions() {
        let disk = Disk::of(&version);
        let ids: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
        let listed = disk.run("club", &["list", "--all"]).run().stdout;
        for id in ["offered", "over"] {
            assert!(listed.contains(&format!("{id} ")), "{version}: {listed}");
            disk.run("club", &["verify", id]).run();
        }
        assert!(listed.contains("0-1 (checkmate)"), "{version}: {listed}");
        let mut letters = Vec::new();
        for id in &ids {
            // A version may know fewer games, and then it kept fewer.
            if !kept(&disk, id).exists() {
                continue;
            }
            let (moves, _) = sample(id);
            // The first answers a mail that the version wrote; the others come at once, by their numbers.
            let mut coming = moves.iter().enumerate().skip(KEPT_MOVES);
            let (_, (is_white, text)) = coming.next().unwrap();
            let answer = disk.answer(id, address(*is_white), text);
            disk.take(&[answer], "accepted", &["--send"]);
            letters.extend(coming.map(|(at, (is_white, text))| {
                let number = format!("{}.{}", at / 2 + 1, if *is_white { "" } else { ".." });
                letter(
                    id,
                    address(*is_white),
                    &at.to_string(),
                    &format!("\n{number} {text}"),
                )
            }));
        }
        disk.take(&letters, "accepted", &[]);
        for id in ids {
            let (_, result) = sample(id);
            if let Ok(text) = fs::read_to_string(kept(&disk, id)) {
                assert!(
                    text.contains(&format!("\nResult: {result}\n")),
                    "{version}: {text}"
                );
                disk.run("club", &["verify", id]).run();
            }
        }
    }
}

/// An offer that a version wrote is accepted by an answer to its mail.
#[test]
fn an_offer_is_still_open() {
    for version in versions() {
        let disk = Disk::of(&version);
        disk.take(
            &[disk.answer("offered", "anna@example.org", "accept draw")],
            "command",
            &["--send"],
        );
        let listed = disk.run("club", &["list", "--all"]).run().stdout;
        assert!(listed.contains("1/2-1/2"), "{version}: {listed}");
    }
}

/// Two players go on: a mail under way, an invitation that nobody has answered yet, and a mail that is owed.
#[test]
#[ignore = "takes long"]
fn players_go_on() {
    for version in versions() {
        let disk = Disk::of(&version);
        let mail = |who: &str, id: &str, address: &str| {
            disk.mail(who, id, address)
                .into_os_string()
                .into_string()
                .unwrap()
        };
        let to_anna = mail("ben", "first", "anna@example.org");
        disk.run("anna", &["receive", &to_anna])
            .stdout_contains("\tfirst\taccepted\n")
            .run();
        disk.run("anna", &["move", "first", "B>f4", "--send"]).run();
        let to_ben = mail("anna", "first", "ben@example.test");
        disk.run("ben", &["receive", &to_ben])
            .stdout_contains("\tfirst\taccepted\n")
            .run();
        disk.run("ben", &["verify", "first", "anna/games/first.txt"])
            .stdout_contains("agrees: all 3 half-moves")
            .run();

        let invitation = mail("anna", "second", "ben@example.test");
        disk.run("ben", &["receive", "--accept", &invitation])
            .stdout_contains("\tsecond\tinvitation\n")
            .run();
        disk.run("anna", &["move", "second", "P-c4", "--send"])
            .run();
        let to_ben = mail("anna", "second", "ben@example.test");
        disk.run("ben", &["receive", &to_ben])
            .stdout_contains("\tsecond\taccepted\n")
            .run();

        disk.run("anna", &["send", "third"]).run();
        let to_ben = fs::read_to_string(disk.mail("anna", "third", "ben@example.test")).unwrap();
        assert!(to_ben.contains("e4"), "{version}: {to_ben}");
    }
}

/// The configuration that was the manual of a version is one of ours, with each setting that it names.
#[test]
fn configurations_are_read() {
    for version in versions() {
        let manual =
            fs::read_to_string(Path::new(KEPT).join(&version).join("parapost.toml")).unwrap();
        crate::config::try_manual(&manual);
    }
}

/// One that a later version writes is refused, with the setting that is not known, and the one that is most like it.
#[test]
fn a_configuration_from_the_future_is_told_by_its_first_word() {
    for (future, words) in [
        (
            "[mail]\npages = true\n",
            "line 2: there is no setting `pages` here (did you mean `page`?)",
        ),
        (
            "[policies]\n",
            "line 1: there is no section [policies] (did you mean `policy`?)",
        ),
        (
            "[transport]\nkind = \"smtps\"\n",
            "line 2: `smtps` is not one of",
        ),
        (
            "[policy]\nidentity = \"tokens\"\n",
            "(did you mean `token`?)",
        ),
    ] {
        let error = Config::parse(future, PathBuf::from("/home/anna/config.toml")).unwrap_err();
        assert!(error.to_string().contains(words), "{future}: {error}");
    }
}
