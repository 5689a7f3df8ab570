//! A model of a match that is kept as people keep text files: two copies, backups, merges by git,
//! other names, changes by hand. Whatever happens, an answer is played in the position of the mail that
//! it answers, and in no other; nothing that a person wrote goes without being named; and the commands
//! that the messages name bring each file back. `PARAPOST_HISTORIES` and `PARAPOST_TEST_SEED` ask for
//! more.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use parapost::matches::r#match::Match;
use parapost::rules::{Color, Record};
use parapost::store::folder::Folder;
use parapost::store::store::Store;

use crate::matches::log::{settings, time};
use crate::support::in_process;

const HISTORIES: usize = 500;

const STEPS: usize = 12;

/// The disk is waited for, more than the processor.
const THREADS: usize = 6;

/// A mail to Ben, and the moves that it shows.
struct Sent {
    id: String,
    body: String,
    record: Record,
}

/// The two copies, and what Anna and Ben have.
struct World {
    folder: tempfile::TempDir,
    sent: Vec<Sent>,
    backups: Vec<String>,
    letters: usize,
    played: usize,
    told: Vec<String>,
}

fn moves(record: &Record) -> Vec<String> {
    record
        .steps()
        .iter()
        .map(|step| step.text.clone())
        .collect()
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let config =
            "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n[mail]\nhtml = false\n";
        fs::write(folder.path().join("config.toml"), config).unwrap();
        let game = Match::new(settings("chess", &[]), time());
        for copy in ["one", "two"] {
            let games = folder.path().join(copy);
            fs::create_dir(&games).unwrap();
            fs::write(games.join("demo.txt"), game.to_string()).unwrap();
        }
        World {
            folder,
            sent: Vec::new(),
            backups: vec![game.to_string()],
            letters: 0,
            played: 0,
            told: Vec::new(),
        }
    }

    fn games(&self, copy: usize) -> PathBuf {
        self.folder.path().join(["one", "two"][copy])
    }

    fn file(&self, copy: usize) -> PathBuf {
        self.games(copy).join("demo.txt")
    }

    fn text(&self, copy: usize) -> String {
        fs::read_to_string(self.file(copy)).unwrap()
    }

    fn write(&mut self, copy: usize, text: &str) {
        self.told.push(format!("{copy} is written:\n{text}"));
        fs::write(self.file(copy), text).unwrap();
    }

    /// Runs the program on a copy. Returns its exit status and all that it says.
    fn run(&mut self, copy: usize, words: &[&str], stdin: &str) -> (u8, String) {
        let games = self.games(copy);
        let store: Arc<dyn Store> = Arc::new(Folder::new(&games, Duration::from_secs(9)));
        let config = self.folder.path().join("config.toml");
        let run = in_process::run(&store, &config, &games, words, stdin);
        let said = run.stdout + &run.stderr;
        self.told.push(format!("{copy}: {words:?} {stdin}\n{said}"));
        (run.status, said)
    }

    /// Returns the match of a copy, if its file is whole.
    fn game(&self, copy: usize) -> Option<Match> {
        let game: Match = self.text(copy).parse().ok()?;
        Some(game)
    }

    fn panic(&self, why: &str) -> ! {
        panic!("{why}\n\n{}", self.told.join("\n"));
    }

    /// Anna plays any move, and sends it.
    fn anna_moves(&mut self, copy: usize, rng: &mut Rng) {
        let Some(text) = self.any_move(copy, Color::White, rng) else {
            return;
        };
        let (status, said) = self.run(copy, &["move", "demo", &text, "--print"], "");
        let Some(start) = said.find("Message-ID: ").filter(|_| status == 0) else {
            self.panic("a legal move was not played and sent");
        };
        let id = said[start..].lines().next().unwrap()["Message-ID: ".len()..].to_owned();
        let (_, body) = said[start..].split_once("\n\n").unwrap();
        let record = self.game(copy).unwrap().record().clone();
        let body = body.to_owned();
        self.sent.push(Sent { id, body, record });
    }

    fn any_move(&self, copy: usize, side: Color, rng: &mut Rng) -> Option<String> {
        let game = self.game(copy).filter(|game| game.turn() == Some(side))?;
        any_move(game.record(), rng)
    }

    /// Ben answers a mail that he has got, and Anna reads it with one of the copies.
    fn ben_answers(&mut self, copy: usize, rng: &mut Rng) {
        let Some(before) = self.game(copy).filter(|_| !self.sent.is_empty()) else {
            return;
        };
        let at = self.sent.len() - 1 - rng.usize(0..self.sent.len().min(4));
        let mail = &self.sent[at];
        let Some(text) = any_move(&mail.record, rng) else {
            return;
        };
        let number = mail.record.steps().len() / 2 + 1;
        let quoted = |body: &str| {
            let lines = body.trim_end().replace('\n', "\n> ");
            format!("\n\nOn Friday, Anna wrote:\n> {lines}\n")
        };
        let list = || {
            let row = moves(&mail.record).pop().unwrap();
            quoted(&format!("{number}. {row}"))
        };
        let cites = format!("In-Reply-To: {0}\nReferences: {0}\n", mail.id);
        let (fields, body) = match rng.usize(0..5) {
            0 => (cites, format!("{text}\n")),
            1 => (cites, format!("{number}... {text}{}", quoted(&mail.body))),
            2 => (String::new(), format!("{text}{}", quoted(&mail.body))),
            3 => (cites, format!("{number}... {text}\n")),
            _ => (String::new(), format!("{number}... {text}{}", list())),
        };
        let answered = moves(&mail.record);
        self.letters += 1;
        let letter = format!(
            "From: Ben <ben@example.org>\nTo: anna@example.org\nSubject: Re: [demo]\n\
             Message-ID: <ben.{}@phone.test>\n{fields}MIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n\n{body}",
            self.letters
        );
        self.run(copy, &["receive", "--print"], &letter);
        let Some(after) = self.game(copy) else {
            self.panic("a letter has damaged a file");
        };
        let (before, after) = (moves(before.record()), moves(after.record()));
        let is_played = after.len() > before.len();
        self.played += usize::from(is_played);
        if is_played && before != answered {
            self.panic(&format!(
                "a letter that answers {answered:?} was played after {before:?}"
            ));
        }
    }

    /// An editor, a synchroniser or git leaves another text in place of a copy, and the program brings
    /// it back.
    fn is_changed(&mut self, copy: usize, rng: &mut Rng) {
        let before = self.text(copy);
        let other = self.text(1 - copy);
        let mark = format!("zebra {}", self.told.len());
        let changed = match rng.usize(0..6) {
            0 => self.backups[rng.usize(0..self.backups.len())].clone(),
            1 => union(&before, &other),
            2 => format!("<<<<<<< ours\n{before}=======\n{other}>>>>>>> theirs\n"),
            _ => edited(&before, &mark, rng),
        };
        self.write(copy, &changed);
        self.mend(
            copy,
            &before,
            changed.contains(&mark).then_some(mark.as_str()),
        );
    }

    /// Mends a copy by the commands that the messages name. `mark` stands in what a person wrote.
    fn mend(&mut self, copy: usize, before: &str, mark: Option<&str>) {
        let (status, said) = self.run(copy, &["verify", "demo"], "");
        let mut named = said;
        if status != 0 {
            let (planned, said) = self.run(copy, &["repair", "demo"], "");
            named += &said;
            if planned == 0 {
                let (status, _) = self.run(copy, &["repair", "demo", "--write"], "");
                if status != 0 {
                    self.panic("a repair was planned and not made");
                }
            } else {
                // Both readings are shown, and a person puts one back.
                self.write(copy, before);
            }
        }
        let (status, _) = self.run(copy, &["note", "demo", "mended"], "");
        let after = self.text(copy);
        if status != 0 || after.parse::<Match>().is_err() {
            self.panic("a copy was not brought back");
        }
        if let Some(mark) = mark
            && !after.contains(mark)
            && !named.contains(mark)
        {
            self.panic("a line of a person's has gone without a word");
        }
    }

    /// A synchroniser keeps the other copy beside this one.
    fn is_doubled(&mut self, copy: usize) {
        let other = self.text(1 - copy);
        let beside = self.games(copy).join("demo (conflicted copy).txt");
        fs::write(&beside, &other).unwrap();
        let (_, said) = self.run(copy, &["list", "--all"], "");
        if !said.contains("demo (conflicted copy).txt") {
            self.panic("a copy beside a match is not named");
        }
        let path = beside.to_str().unwrap();
        let (status, _) = self.run(copy, &["verify", "demo", path], "");
        let [one, two] = [copy, 1 - copy].map(|copy| self.game(copy));
        if let (Some(one), Some(two)) = (one, two)
            && (status == 0) != one.log().starts_with(two.log())
        {
            self.panic("two copies were compared wrongly");
        }
        let dry = ["repair", "demo", "--from", path];
        let (status, said) = self.run(copy, &dry, "");
        if status == 0 {
            let (status, _) = self.run(copy, &[&dry[..], &["--write"]].concat(), "");
            if status != 0 || self.game(copy).is_none() {
                self.panic("a repair was planned and not made");
            }
        } else if !said.contains("both may be right") {
            self.panic("two copies that part are not shown");
        }
        fs::remove_file(beside).unwrap();
    }

    fn step(&mut self, rng: &mut Rng) {
        let copy = rng.usize(0..2);
        match rng.usize(0..10) {
            0..=2 => self.anna_moves(copy, rng),
            3..=6 => self.ben_answers(copy, rng),
            7 => self.is_doubled(copy),
            _ => self.is_changed(copy, rng),
        }
        let text = self.text(copy);
        self.backups.push(text);
    }
}

fn any_move(record: &Record, rng: &mut Rng) -> Option<String> {
    let position = record.position();
    // Few moves, so that the copies often part and meet.
    let plies = position.single_plies();
    let ply = plies.get(rng.usize(0..plies.len().clamp(1, 4)))?;
    Some(position.text(ply))
}

/// Merges two texts by lines as git's `union` does: what both have once, and of the rest both.
fn union(one: &str, other: &str) -> String {
    let (mut ours, mut theirs): (Vec<&str>, Vec<&str>) =
        (one.lines().collect(), other.lines().collect());
    let same = ours
        .iter()
        .zip(&theirs)
        .take_while(|(one, other)| one == other)
        .count();
    let head = ours[..same].join("\n");
    (ours, theirs) = (ours.split_off(same), theirs.split_off(same));
    let tails = ours.iter().rev().zip(theirs.iter().rev());
    let end = tails.take_while(|(one, other)| one == other).count();
    let tail = ours.split_off(ours.len() - end);
    theirs.truncate(theirs.len() - end);
    let lines = [head.lines().collect(), ours, theirs, tail].concat();
    lines.join("\n") + "\n"
}

/// Changes, adds or takes away a line, as a person with an editor.
fn edited(text: &str, mark: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = rng.usize(0..lines.len());
    match rng.usize(0..5) {
        0 => lines[at] = format!("{} {mark}", lines[at]),
        1 => lines.insert(at, mark.to_owned()),
        2 => {
            lines.insert(at, String::new());
            lines.insert(at, mark.to_owned());
            lines.insert(at, String::new());
        }
        3 => lines.insert(at, format!("Comment: {mark}")),
        _ => drop(lines.remove(at)),
    }
    let end = if rng.usize(0..4) == 0 { "" } else { "\n" };
    lines.join("\n") + end
}

#[test]
fn each_answer_is_played_where_it_belongs_and_nothing_of_a_person_is_lost() {
    let number = |name: &str, default| env::var(name).map_or(default, |text| text.parse().unwrap());
    let seed = number("PARAPOST_TEST_SEED", 52);
    let histories = number("PARAPOST_HISTORIES", HISTORIES);
    let played: Vec<[usize; 2]> = thread::scope(|scope| {
        let threads = (0..THREADS).map(|first| {
            scope.spawn(move || {
                let mine = (first..histories).step_by(THREADS);
                let outcomes = mine.map(|history| lived((seed * 1_000_000 + history) as u64));
                outcomes.fold([0; 2], |[one, two], [more, of]| [one + more, two + of])
            })
        });
        let threads: Vec<_> = threads.collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let [letters, played] = [0, 1].map(|at| played.iter().map(|of| of[at]).sum::<usize>());
    assert!(
        letters > histories && played * 4 > letters,
        "{played} of {letters}"
    );
}

/// Lives through a history. Returns how many letters came, and how many of them were played.
fn lived(seed: u64) -> [usize; 2] {
    let mut rng = Rng::with_seed(seed);
    let mut world = World::new();
    for _ in 0..STEPS {
        world.step(&mut rng);
    }
    for copy in 0..2 {
        let text = world.text(copy);
        world.mend(copy, &text, None);
    }
    [world.letters, world.played]
}
