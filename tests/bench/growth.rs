//! What the number of matches costs: `cargo bench -p parapost --bench growth [MATCHES…] [FILE.svg]`. Makes folders of so
//! many matches, a hundred of them at most under way and the others over, and prints a table in Markdown: the processor's
//! time and the memory of one message and of `parapost list`, and the time in which the index is made anew. Then the time
//! of an accepted move by the length of the match, of many in one batch. Draws both into the file. With `running` before
//! the numbers, all matches are under way, each of a few half-moves: what a `fetch` with nothing new asks of them, without
//! and with a listing of the folder, `parapost list`, and the memory of `parapost list --json`.

mod chart;
#[path = "../support/in_process.rs"]
mod in_process;
mod matches;
mod median;
#[path = "../support/peak.rs"]
mod peak;
mod processor_time;
mod program;
mod running;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use parapost::matches::r#match::Match;
use parapost::notation::move_list;
use parapost::store::folder::Folder;
use parapost::store::store::Store;
use rustix::time::ClockId;
use tempfile::TempDir;

use crate::chart::{Chart, Line};
use crate::matches::{game, moves};
use crate::median::median;
use crate::processor_time::milliseconds;
use crate::program::program;

/// How often each is measured.
const TURNS: usize = 15;

/// The matches that go on.
const RUNNING: usize = 100;

/// The half-moves of a match.
const PLIES: usize = 56;

/// The half-moves of the matches in which accepted moves are measured.
const LENGTHS: [usize; 5] = [1, 15, 29, 57, 113];

/// The accepted moves that are measured.
const MOVES: usize = 1000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "running") {
        return running::measure(&arguments[1..]);
    }
    let numbers: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    let numbers = match numbers.as_slice() {
        [] => &[1, 100, 1000, 10_000, 100_000],
        given => given,
    };
    let moves = moves(PLIES);
    let places: Vec<TempDir> = numbers
        .iter()
        .map(|_| tempfile::tempdir().expect("a temporary folder"))
        .collect();
    let mut clubs: Vec<Club> = places.iter().map(|place| Club::new(place.path())).collect();
    for (club, number) in clubs.iter().zip(numbers) {
        club.fill(*number, &moves);
    }
    let anew: Vec<Duration> = (clubs.iter().zip(numbers))
        .map(|(club, number)| club.index_anew(*number))
        .collect();
    // In turns: the pace of a machine changes from one minute to the next.
    for _ in 0..TURNS {
        clubs.iter_mut().for_each(Club::take_a_turn);
    }
    println!(
        "| matches | named, ms | unnamed, ms | a stranger's, ms | memory, KiB | list, ms | index anew, s |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for ((club, number), anew) in clubs.into_iter().zip(numbers).zip(anew) {
        let memory = club.memory >> 10;
        let [named, unnamed, stranger, list] = club.times.map(median);
        println!(
            "| {number} | {named:.2} | {unnamed:.2} | {stranger:.2} | {memory} | {list:.1} | {:.2} |",
            anew.as_secs_f64()
        );
        rows.push((*number, [named, unnamed, stranger, list]));
    }
    println!("\n| half-moves | an accepted move, ms |\n|---|---|");
    let mut lengths = Vec::new();
    for half_moves in LENGTHS {
        let place = tempfile::tempdir().expect("a temporary folder");
        let cost = Club::new(place.path()).accepted(half_moves);
        println!("| {half_moves} | {cost:.2} |");
        lengths.push((half_moves, cost));
    }
    if let Some(picture) = arguments.iter().find(|argument| is_picture(argument)) {
        fs::write(picture, draw(&rows, &lengths)).expect("the picture");
    }
}

fn is_picture(argument: &str) -> bool {
    let kind = Path::new(argument).extension();
    kind.is_some_and(|kind| kind == "svg")
}

/// Draws what was measured.
fn draw(rows: &[(usize, [f64; 4])], lengths: &[(usize, f64)]) -> String {
    let names = ["named", "unnamed", "a stranger's", "list"];
    let line = |at: usize| Line {
        name: names[at],
        points: rows.iter().map(|(x, costs)| (*x, costs[at])).collect(),
    };
    let by_number = Chart {
        title: "ms of one message, or list, by matches",
        lines: (0..names.len()).map(line).collect(),
    };
    let by_length = Chart {
        title: "ms of an accepted move, by half-moves",
        lines: vec![Line {
            name: "accepted",
            points: lengths.to_vec(),
        }],
    };
    chart::svg(&[by_number, by_length])
}

/// A referee's folder, and what was measured of it.
struct Club {
    games: PathBuf,
    config: PathBuf,
    /// The milliseconds of messages that name their match, that name none and that a stranger wrote, and of lists.
    times: [Vec<f64>; 4],
    /// The most bytes that a message took.
    memory: u64,
}

impl Club {
    fn new(place: &Path) -> Club {
        let config = "[me]\nname = \"ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n\
                      [transport]\nkind = \"folder\"\npath = \"outbox\"\n";
        let club = Club {
            games: place.join("games"),
            config: place.join("config.toml"),
            times: Default::default(),
            memory: 0,
        };
        fs::create_dir(&club.games).unwrap();
        fs::write(&club.config, config).unwrap();
        club
    }

    fn run(&self, words: &[&str], stdin: &str) -> String {
        let store = Arc::new(Folder::new(&self.games, Duration::from_secs(5))) as Arc<dyn Store>;
        let run = in_process::run(&store, &self.config, &self.games, words, stdin);
        run.stdout + &run.stderr
    }

    /// Makes so many matches.
    fn fill(&self, number: usize, moves: &[Vec<String>]) {
        for index in 0..number {
            // Those that go on stand among the others.
            let goes_on = index % (number / RUNNING).max(1) == 0;
            let (id, texts) = (format!("m{index}"), &moves[index % moves.len()]);
            let game = game(&id, index, texts, goes_on);
            fs::write(self.file(&id), game.to_string()).unwrap();
        }
    }

    /// Has the index made, and returns the time.
    fn index_anew(&self, number: usize) -> Duration {
        let begun = Instant::now();
        let store = Folder::new(&self.games, Duration::from_secs(5));
        assert_eq!(store.going_on().unwrap().len(), number.min(RUNNING));
        begun.elapsed()
    }

    /// Measures each once.
    fn take_a_turn(&mut self) {
        let letter = |from: &str, subject: &str| {
            format!(
                "From: {from}@example.org\nSubject: {subject}\nMessage-ID: <x@y.test>\n\nP>e3 zzz\n"
            )
        };
        let letters = [
            letter("w0", "[m0]"),
            letter("w0", "move"),
            letter("nobody", "move"),
        ];
        for (kind, letter) in letters.iter().enumerate() {
            let mut bytes = 0;
            let time = milliseconds(ClockId::ThreadCPUTime, || {
                let receive = ["receive", "--dry-run"];
                bytes = measure(|| drop(self.run(&receive, letter))).bytes_max;
            });
            self.times[kind].push(time);
            self.memory = self.memory.max(bytes);
        }
        let time = milliseconds(ClockId::ThreadCPUTime, || drop(self.run(&["list"], "")));
        self.times[letters.len()].push(time);
    }

    /// Returns the milliseconds of an accepted move in matches of so many half-moves, by the program itself: in one batch,
    /// behind a batch of other moves, since a match that goes on has had a move before.
    fn accepted(&self, half_moves: usize) -> f64 {
        let moves = moves(half_moves - 1);
        let mut games: Vec<Match> = (0..MOVES)
            .map(|index| {
                game(
                    &format!("m{index}"),
                    index,
                    &moves[index % moves.len()],
                    true,
                )
            })
            .collect();
        for game in &games {
            fs::write(self.file(game.id().as_str()), game.to_string()).unwrap();
        }
        self.bring(&mut games);
        self.bring(&mut games) / f64::from(u32::try_from(MOVES).unwrap())
    }

    /// Has the program receive a move in each match, and returns its milliseconds.
    fn bring(&self, games: &mut [Match]) -> f64 {
        let mut mbox = String::new();
        for (index, game) in games.iter_mut().enumerate() {
            let (id, half_moves) = (game.id(), game.record().steps().len());
            let from = ["w", "b"][half_moves % 2];
            let number = move_list::number_of_position(game.position());
            let next = next_of(game);
            let _ = write!(
                mbox,
                "From {from}{index}@example.org Fri Nov 20 03:00:00 2026\nFrom: {from}{index}@example.org\nSubject: [{id}]\n\
                 Message-ID: <{half_moves}.{index}@w.test>\n\n{number} {next}\n\n"
            );
        }
        let folder = self.games.parent().expect("a folder");
        fs::write(folder.join("letters.mbox"), mbox).unwrap();
        let before = of_children();
        let told = program(folder)
            .args(["receive", "--mbox"])
            .stdin(File::open(folder.join("letters.mbox")).unwrap())
            .output()
            .expect("the program");
        let cost = of_children() - before;
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        assert_eq!(told.matches("\taccepted\n").count(), MOVES, "{told}");
        for game in games {
            let text = fs::read(self.file(game.id().as_str())).unwrap();
            *game = Match::read(&text, game.id()).unwrap();
        }
        cost
    }

    fn file(&self, id: &str) -> PathBuf {
        self.games.join(format!("{id}.txt"))
    }
}

/// Returns the milliseconds that all ended children have had processors for.
pub(crate) fn of_children() -> f64 {
    /// Linux tells them in hundredths of a second.
    const TICK: f64 = 10.0;
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    let fields = fields.split_whitespace().skip(13).take(2);
    fields
        .map(|ticks| ticks.parse::<f64>().unwrap() * TICK)
        .sum()
}

fn next_of(game: &Match) -> String {
    let ply = game.position().legal_plies().next().expect("a move");
    game.position().text(&ply)
}
