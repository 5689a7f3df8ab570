//! Plays the games of `docs/study.md`, and makes its tables: see `tests/study -h`.

use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[path = "study/mod.rs"]
mod study;

use study::sets::{self, Set};
use study::{game, games, openings, report};

const USAGE: &str = "play [--sets NAME,…] [--nodes N,…] [--games N] [--jobs N] [DIR] | search [DIR] | report [DIR] | sample | game SET NODES N | sets";

/// What a run of games is asked for.
struct Asked {
    names: Vec<String>,
    nodes: Vec<u64>,
    games: Option<u64>,
    jobs: usize,
    folder: PathBuf,
}

impl Asked {
    fn of(arguments: &[String]) -> Result<Asked, String> {
        let mut asked = Asked {
            names: Vec::new(),
            nodes: Vec::new(),
            games: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            folder: PathBuf::from("docs/study"),
        };
        let number = |text: &str| {
            let number = text.parse::<u64>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| format!("'{text}' is no number above zero"))
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                asked.folder = PathBuf::from(word);
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} has no value"))?;
            match word.as_str() {
                "--sets" => asked.names = value.split(',').map(str::to_owned).collect(),
                "--nodes" => {
                    asked.nodes = value.split(',').map(number).collect::<Result<_, _>>()?;
                }
                "--games" => asked.games = Some(number(value)?),
                "--jobs" => asked.jobs = usize::try_from(number(value)?).unwrap_or(1),
                _ => return Err(format!("there is no option {word}")),
            }
        }
        Ok(asked)
    }

    /// The sets that are asked for, with as many games.
    fn sets(&self) -> Result<Vec<Set>, String> {
        let mut sets = sets::all();
        for name in &self.names {
            if sets.iter().all(|set| set.name != *name) {
                return Err(format!("there is no set '{name}'; `study sets` names them"));
            }
        }
        sets.retain(|set| self.names.is_empty() || self.names.contains(&set.name));
        for set in &mut sets {
            if !self.nodes.is_empty() {
                set.sizes.retain(|(nodes, _)| self.nodes.contains(nodes));
            }
            for (_, games) in &mut set.sizes {
                *games = self.games.unwrap_or(*games);
            }
        }
        Ok(sets)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("study: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["play", ..] => {
            let asked = Asked::of(&arguments[1..])?;
            fs::create_dir_all(&asked.folder)?;
            let file = asked.folder.join("games.csv");
            games::play_all(&file, &asked.sets()?, asked.jobs, |played, of| {
                if played % 100 == 0 || played == of {
                    eprintln!("{played} of {of} games");
                }
            })?;
            return write_report(&asked.folder);
        }
        ["search", folder @ ..] => {
            let folder = Path::new(folder.first().copied().unwrap_or("docs/study"));
            fs::create_dir_all(folder)?;
            fs::write(
                folder.join("queens.csv"),
                openings::csv(&openings::queens()),
            )?;
            fs::write(
                folder.join("replies.csv"),
                openings::csv(&openings::best_replies()),
            )?;
        }
        ["report", folder @ ..] => {
            let folder = Path::new(folder.first().copied().unwrap_or("docs/study"));
            return write_report(folder);
        }
        ["sample"] => return write_sample(),
        ["game", name, nodes, number] => {
            let sets = sets::all();
            let set = sets.iter().find(|set| set.name == *name);
            let set = set.ok_or_else(|| format!("there is no set '{name}'"))?;
            let (game, record) = game::play(set, nodes.parse()?, number.parse()?);
            for (pair, number) in record.steps().chunks(2).zip(1..) {
                let turns: Vec<String> = pair.iter().map(ToString::to_string).collect();
                println!("{number}. {}", turns.join(" "));
            }
            eprintln!("{}", game.line());
            eprintln!("parapost analyse {} FILE", set.arguments());
        }
        ["sets"] => {
            for set in sets::all() {
                let sizes = set.sizes.iter();
                let sizes: Vec<String> = sizes
                    .map(|(nodes, games)| format!("{nodes}:{games}"))
                    .collect();
                println!("{}  {}  {}", set.name, sizes.join(" "), set.title);
            }
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// Writes the tables and plots of a folder, and its page, which is the folder's name with `.md`. Where
/// there is none, one without prose is made.
fn write_report(folder: &Path) -> Result<(), Box<dyn Error>> {
    let lines = |name: &str| {
        let path = folder.join(name);
        let text = read(&path)?;
        let lines = text.map_or(Some(Vec::new()), |text| openings::read(&text));
        lines.ok_or_else(|| format!("{}: no table of openings", path.display()))
    };
    let (queens, replies) = (lines("queens.csv")?, lines("replies.csv")?);
    let file = folder.join("games.csv");
    let text = read(&file)?.ok_or_else(|| format!("{}: there are no games", file.display()))?;
    let games = games::read(&text).map_err(|what| format!("{}: {what}", file.display()))?;
    let path = folder.with_extension("md");
    let page = read(&path)?;
    let is_new = page.is_none();
    let page = page.unwrap_or_else(report::empty_page);
    let report = report::make(games, &queens, &replies, &page)?;
    for (name, text) in &report.files {
        fs::write(folder.join(name), text)?;
    }
    fs::write(&path, &report.page)?;
    if is_new || report.wrong.is_empty() {
        Ok(())
    } else {
        Err(report.wrong.join("\n").into())
    }
}

/// Keeps a hundredth of the games, and their report, for the tests of the crate.
fn write_sample() -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string("docs/study/games.csv")?;
    let mut games = games::read(&text)?;
    games.retain(|game| sets::sample().iter().any(|set| game.is_of(set)));
    let folder = Path::new("src/engine/tests/study");
    let lines: Vec<String> = games
        .iter()
        .map(|game| format!("{}\n", game.line()))
        .collect();
    fs::write(
        folder.join("games.csv"),
        format!("{}\n{}", games::HEAD, lines.concat()),
    )?;
    let report = report::make(games, &[], &[], &report::empty_page())?;
    fs::write(folder.join("page.md"), report.page)?;
    Ok(())
}

/// The text of a file; none if it is not there.
fn read(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
