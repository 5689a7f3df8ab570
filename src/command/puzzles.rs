//! `parapost puzzles`: forced mates from finished matches, each with one solution.
//!
//! `memory` is what a folder of puzzles remembers of the matches that were searched.

mod memory;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::command::context::{Context, Progress, Status};
use crate::command::puzzles::memory::{FoundPuzzle, Memory, Searched};
use crate::engine::{Limits, NoPuzzle, Puzzle};
use crate::mail::files::replace::replace;
use crate::matches::action::Ending;
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::printable::{counted, counted_matches};
use crate::render::puzzle::{self, PuzzleOrigin, PuzzleReport, PuzzleView};
use crate::render::site::{self, SiteLook};
use crate::rules::{Color, Position};

/// The positions that are looked at to prove one puzzle, if nobody says otherwise.
pub(super) const NODES: u64 = 5_000_000;

/// The least and the most that one can ask for.
const FEWEST: u64 = 1_000;
const MOST: u64 = 1_000_000_000;

/// `parapost puzzles`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/puzzles.txt").trim_ascii_end())]
pub(super) struct Puzzles {
    /// Write posts and pages into this folder, which is made if it is not there
    /// [default: posts on standard output]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Positions to look at to prove one puzzle
    #[arg(long, value_name = "N", default_value_t = NODES, value_parser = clap::value_parser!(u64).range(FEWEST..=MOST))]
    nodes: u64,
    /// Write the solution behind each post
    #[arg(long, conflicts_with_all = ["folder", "json"])]
    solution: bool,
    /// Write one JSON object instead of posts, with the solutions
    #[arg(long)]
    json: bool,
}

/// What a run found, for programs.
#[derive(Serialize)]
struct PuzzlesReport {
    /// The finished matches.
    matches: usize,
    /// Those of them that were searched now.
    searched: usize,
    /// The positions that would have taken longer to prove or refute.
    too_long: usize,
    puzzles: Vec<PuzzleReport>,
}

/// A run over the matches.
struct Run {
    nodes: u64,
    folder: Option<PuzzleFolder>,
    memory: Memory,
    /// The names of the puzzles so far: a position is one puzzle, however often it was played.
    names: BTreeSet<String>,
    puzzles: Vec<PuzzleView>,
    matches: usize,
    searched: usize,
    too_long: usize,
}

pub(super) fn run(args: &Puzzles, context: &mut Context<'_>) -> Result<Status, Error> {
    let club = context.club()?;
    let look = SiteLook {
        colors: club.style(),
        name: club
            .name
            .map_or_else(|| "Puzzles".to_owned(), |name| format!("{name}: puzzles")),
    };
    let store = context.store_to_read()?;
    let folder = args.folder.as_deref();
    let folder = folder
        .map(|path| PuzzleFolder::open(path, look))
        .transpose()?;
    let memory = match &folder {
        Some(folder) => Memory::open(folder.path.join(memory::FILE))?,
        None => Memory::default(),
    };
    let mut run = Run {
        nodes: args.nodes,
        folder,
        memory,
        names: BTreeSet::new(),
        puzzles: Vec::new(),
        matches: 0,
        searched: 0,
        too_long: 0,
    };
    let mut status = Status::Done;
    let ids = store.ids()?;
    let mut progress = Progress::new(context.is_terminal, "matches");
    progress.expect(ids.len() as u64);
    for id in &ids {
        let posts = match store.read(id) {
            Ok(stored) => run.take(&stored.game)?,
            Err(error) => {
                progress.aside(|| context.say(format_args!("parapost: {error}")));
                status = status.max(Status::from(&error));
                run.memory.keep(id.as_str());
                0
            }
        };
        progress.advance(1);
        progress.count();
        if !args.json && run.folder.is_none() {
            let new = &run.puzzles[run.puzzles.len() - posts..];
            progress.aside(|| print(new, args.solution, context))?;
        }
    }
    progress.clear();
    run.end()?;
    if args.json {
        context.print_json(&PuzzlesReport {
            matches: run.matches,
            searched: run.searched,
            too_long: run.too_long,
            puzzles: run.puzzles.iter().map(PuzzleView::report).collect(),
        })?;
    }
    context.flush()?;
    context.say(run.sentence());
    Ok(status)
}

/// Writes puzzles as posts, each at once: what was found stays, whatever ends the run.
fn print(
    puzzles: &[PuzzleView],
    with_solution: bool,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    for puzzle in puzzles {
        context.print(puzzle.post() + "\n")?;
        if with_solution {
            let solution = context.wrapped_for_stdout(puzzle.solution());
            context.print(format!("Solution: {solution}\n"))?;
        }
    }
    context.flush()
}

impl Run {
    /// Takes the puzzles of a match, and returns their number. One that goes on has none: a
    /// program would play for one of its players.
    fn take(&mut self, game: &Match) -> Result<usize, Error> {
        let is_void = game.ending().is_some_and(Ending::is_void);
        if game.turn().is_some() || is_void {
            return Ok(0);
        }
        self.matches += 1;
        let known = self.memory.find(game.id(), &game.hash(), self.nodes);
        let views = known.and_then(|known| Self::views(game, &known.puzzles));
        let views = if let Some(views) = views {
            self.memory.keep(game.id().as_str());
            views
        } else {
            let searched = search(game, self.nodes);
            let views = Self::views(game, &searched.puzzles).unwrap_or_default();
            self.searched += 1;
            self.memory.add(searched)?;
            views
        };
        self.too_long += self.memory.too_long(game.id());
        let before = self.puzzles.len();
        for view in views {
            if self.names.insert(view.name.clone()) {
                if let Some(folder) = &self.folder {
                    folder.write(&view)?;
                }
                self.puzzles.push(view);
            }
        }
        Ok(self.puzzles.len() - before)
    }

    /// Returns what is told of the puzzles of a match. None if one of them is not of this match.
    fn views(game: &Match, found: &[FoundPuzzle]) -> Option<Vec<PuzzleView>> {
        let views = found.iter().map(|found| {
            let position = as_first(game.record().at(found.ply)?)?;
            let mut line = Vec::new();
            let mut at = position.clone();
            for text in &found.line {
                let ply = at.read(text).ok()?.ply;
                at = at.play(&ply).ok()?;
                line.push(ply);
            }
            let is_mate = at
                .outcome()
                .is_some_and(|end| end.winner == Some(position.turn()));
            let played = game.record().steps().get(found.ply);
            is_mate.then(|| PuzzleView {
                name: name(&position),
                plies: u32::try_from(line.len()).unwrap_or(u32::MAX),
                position,
                line,
                is_line_unique: found.is_line_unique,
                origin: PuzzleOrigin {
                    id: game.id().clone(),
                    ply: found.ply,
                    players: Color::ALL.map(|color| site::public(game.player(color).given_name())),
                    played: played.map(ToString::to_string),
                },
            })
        });
        views.collect()
    }

    /// Writes the list, and takes away what is no puzzle any more.
    fn end(&mut self) -> Result<(), Error> {
        self.memory.end()?;
        match &self.folder {
            Some(folder) => folder.end(&self.puzzles, &self.names),
            None => Ok(()),
        }
    }

    fn sentence(&self) -> String {
        let puzzles = counted(self.puzzles.len(), "puzzle");
        let matches = counted_matches(self.matches);
        let mut said = format!("{puzzles} from {matches}, {} searched now", self.searched);
        if self.too_long > 0 {
            let positions = counted(self.too_long, "position");
            said = format!(
                "{said}; {positions} would take more than --nodes {}",
                self.nodes
            );
        }
        said
    }
}

/// Searches the positions of a match. Behind a puzzle the half-moves of its solution are passed
/// over: they are the same combination.
fn search(game: &Match, nodes: u64) -> Searched {
    let record = game.record();
    let mut searched = Searched::of(game.id(), game.hash(), nodes);
    let mut ply = 0;
    while let Some(position) = record.at(ply) {
        match Puzzle::of(position, &Limits::nodes(nodes)) {
            Ok(puzzle) => {
                let mut at = position.clone();
                let mut line = Vec::new();
                for step in &puzzle.line {
                    line.push(at.text(step));
                    at = at.play(step).unwrap_or(at);
                }
                searched.puzzles.push(FoundPuzzle {
                    ply,
                    line,
                    is_line_unique: puzzle.is_line_unique,
                });
                ply += puzzle.line.len();
            }
            Err(NoPuzzle::TooLong) => searched.too_long += 1,
            Err(_) => {}
        }
        ply += 1;
    }
    searched
}

/// The position as the first of a game, as a puzzle shows it.
fn as_first(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    (setup.number, setup.halfmoves) = (1, 0);
    Position::from_setup(position.variant(), &setup).ok()
}

/// Letters and digits that stand for a position of a game.
fn name(position: &Position) -> String {
    let variant = position.variant();
    let options = variant.options().join(" ");
    let text = format!("{}\n{options}\n{}", variant.game().id, position.fen());
    hex(&Sha256::digest(text)[..5])
}

/// The folders of a folder of puzzles.
const FOLDERS: [&str; 2] = ["puzzles", "solutions"];

/// A folder of puzzles: posts, pages, a list.
struct PuzzleFolder {
    path: PathBuf,
    look: SiteLook,
}

impl PuzzleFolder {
    /// Makes the folder, unless it is one that holds something else.
    fn open(path: &Path, look: SiteLook) -> Result<PuzzleFolder, Error> {
        let fault = |error| Error::file(path, &error);
        fs::create_dir_all(path).map_err(fault)?;
        let is_empty = fs::read_dir(path).map_err(fault)?.next().is_none();
        if !is_empty && !path.join(memory::FILE).is_file() {
            return Err(Error::refused(format!(
                "{}: this folder holds something else than puzzles of parapost; name another, or a new one",
                path.display()
            )));
        }
        for name in FOLDERS {
            fs::create_dir_all(path.join(name)).map_err(fault)?;
        }
        Ok(PuzzleFolder {
            path: path.to_owned(),
            look,
        })
    }

    /// Writes a file, unless it is there with the same text.
    fn put(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        replace(&path, text.as_bytes()).map_err(|error| Error::file(&path, &error))
    }

    /// Writes the post and the pages of a puzzle.
    fn write(&self, puzzle: &PuzzleView) -> Result<(), Error> {
        let name = &puzzle.name;
        self.put(&format!("puzzles/{name}.txt"), &puzzle.post())?;
        self.put(
            &format!("solutions/{name}.html"),
            &puzzle.solution_page(&self.look),
        )?;
        self.put(&format!("puzzles/{name}.html"), &puzzle.page(&self.look))
    }

    /// Writes the list, and removes the files of puzzles that are none any more.
    fn end(&self, puzzles: &[PuzzleView], names: &BTreeSet<String>) -> Result<(), Error> {
        self.put("index.html", &puzzle::index(puzzles, &self.look))?;
        for folder in FOLDERS {
            let folder = self.path.join(folder);
            let fault = |error| Error::file(&folder, &error);
            for entry in fs::read_dir(&folder).map_err(fault)? {
                let path = entry.map_err(fault)?.path();
                let name = path.file_stem().and_then(|name| name.to_str());
                let is_ours = |name: &str| {
                    name.len() == 10 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
                };
                if name.is_some_and(|name| is_ours(name) && !names.contains(name)) {
                    fs::remove_file(&path).map_err(|error| Error::file(&path, &error))?;
                }
            }
        }
        Ok(())
    }
}
