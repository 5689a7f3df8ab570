//! The file of games: a line of CSV for each, written whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use parapost_rules::Color;

use super::game::{Game, play};
use super::sets::Set;

/// The head of the file.
pub(crate) const HEAD: &str = "set,nodes,game,result,ending,half_moves,leads,hash,opening";
/// Games of a set that are played before those of the next: whenever a run ends, all sets have about as many.
const ROUND: u64 = 20;

impl Game {
    /// It as a line of the file.
    pub(crate) fn line(&self) -> String {
        let result = match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        let leads: String = self.leads.iter().map(|side| side.letter()).collect();
        // What is placed at once in Kingchess has commas.
        format!(
            "{},{},{},{result},{},{},{leads},{},\"{}\"",
            self.set,
            self.nodes,
            self.number,
            self.ending,
            self.half_moves,
            self.hash,
            self.opening.join(" / ")
        )
    }

    /// The game of a line; none if it is not whole.
    pub(crate) fn of_line(line: &str) -> Option<Game> {
        let fields: Vec<&str> = line.splitn(9, ',').collect();
        let [
            set,
            nodes,
            number,
            result,
            ending,
            half_moves,
            leads,
            hash,
            opening,
        ] = fields.as_slice()
        else {
            return None;
        };
        let side = |letter: char| match letter {
            'w' => Some(Color::White),
            'b' => Some(Color::Black),
            _ => None,
        };
        let opening = opening.strip_prefix('"')?.strip_suffix('"')?;
        Some(Game {
            set: (*set).to_owned(),
            nodes: nodes.parse().ok()?,
            number: number.parse().ok()?,
            winner: match *result {
                "1-0" => Some(Color::White),
                "0-1" => Some(Color::Black),
                "1/2-1/2" => None,
                _ => return None,
            },
            ending: (*ending).to_owned(),
            half_moves: half_moves.parse().ok()?,
            leads: leads.chars().map(side).collect::<Option<_>>()?,
            opening: opening.split(" / ").map(str::to_owned).collect(),
            hash: (*hash).to_owned(),
        })
    }
}

/// Reads the games of a text. The last line is passed over if a run was killed while it wrote it.
///
/// # Errors
///
/// If a line is none of a game: its number.
pub(crate) fn read(text: &str) -> Result<Vec<Game>, String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().zip(1..);
    if let Some((head, _)) = lines.next()
        && head != HEAD
    {
        return Err(format!("line 1 is not '{HEAD}'"));
    }
    let game = |(line, number)| {
        Game::of_line(line).ok_or_else(|| format!("line {number} is no game: {line}"))
    };
    lines.map(game).collect()
}

/// What is to be played: the place of the set, the nodes, the number of the game.
type Task = (usize, u64, u64);

/// Plays the games that a file does not have yet, and appends them in the same order whatever the
/// number of threads. `told` hears how many of how many games there are.
///
/// # Errors
///
/// If the file cannot be read or written, or has a line that is none of a game.
pub(crate) fn play_all(
    path: &Path,
    sets: &[Set],
    jobs: usize,
    mut told: impl FnMut(usize, usize),
) -> Result<(), String> {
    let about = |error: io::Error| format!("{}: {error}", path.display());
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(about(error)),
    };
    let known = read(&text).map_err(|what| format!("{}: {what}", path.display()))?;
    let mut file = opened(path, &text).map_err(about)?;
    let tasks = tasks(sets, &known);
    let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (sender, next, tasks) = (sender.clone(), &next, &tasks);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(set, nodes, number)) = tasks.get(at) else {
                        break;
                    };
                    let (game, _) = play(&sets[set], nodes, number);
                    if sender.send((at, game.line())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut written) = (BTreeMap::new(), 0);
        for (at, line) in receiver {
            waiting.insert(at, line);
            while let Some(line) = waiting.remove(&written) {
                file.write_all(format!("{line}\n").as_bytes())
                    .map_err(about)?;
                written += 1;
                told(written, tasks.len());
            }
        }
        Ok(())
    })
}

/// The file, open at its end, with its head and without a line that is not whole.
fn opened(path: &Path, text: &str) -> io::Result<File> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    if whole == 0 {
        file.write_all(format!("{HEAD}\n").as_bytes())?;
    }
    Ok(file)
}

fn tasks(sets: &[Set], known: &[Game]) -> Vec<Task> {
    let known: BTreeSet<(&str, u64, u64)> = known
        .iter()
        .map(|game| (game.set.as_str(), game.nodes, game.number))
        .collect();
    let sizes = sets.iter().flat_map(|set| &set.sizes);
    let most = sizes.map(|(_, games)| *games).max().unwrap_or(0);
    let mut tasks = Vec::new();
    for first in (0..most).step_by(usize::try_from(ROUND).unwrap_or(1)) {
        for (at, set) in sets.iter().enumerate() {
            for &(nodes, games) in &set.sizes {
                let round = first..games.min(first + ROUND);
                let new = round.filter(|number| !known.contains(&(&set.name, nodes, *number)));
                tasks.extend(new.map(|number| (at, nodes, number)));
            }
        }
    }
    tasks
}
