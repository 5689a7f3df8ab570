//! `parapost puzzles`: forced mates from finished matches, each with one solution.
//!
//! `finder` finds them, `memory` is what a folder of puzzles remembers of the matches that were
//! searched, and `weekly` mails one in each week.

mod finder;
mod memory;
mod weekly;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::Error;
use crate::command::context::{Context, Progress, Status};
use crate::command::puzzles::finder::Finder;
pub(super) use crate::command::puzzles::finder::NODES;
use crate::command::puzzles::memory::Memory;
use crate::mail::files;
use crate::mail::files::replace::replace;
use crate::matches::r#match::Match;
use crate::printable::{counted, counted_matches};
use crate::render::puzzle::{self, PuzzleReport, PuzzleView};
use crate::render::site::SiteLook;

/// The least and the most that one can ask for.
const FEWEST: u64 = 1_000;
const MOST: u64 = 1_000_000_000;

/// `parapost puzzles`
#[derive(Args, Debug)]
#[command(
    after_help = include_str!("help/puzzles.txt").trim_ascii_end(),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub(super) struct Puzzles {
    /// What to do, if not to write them
    #[command(subcommand)]
    action: Option<PuzzlesAction>,
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

/// What to do with puzzles, if not to write them.
#[derive(Subcommand, Debug)]
enum PuzzlesAction {
    /// Mail the puzzle of the week to the players who have asked for it
    Weekly(weekly::Weekly),
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
    finder: Finder,
    folder: Option<PuzzleFolder>,
    puzzles: Vec<PuzzleView>,
}

pub(super) fn run(args: &Puzzles, context: &mut Context<'_>) -> Result<Status, Error> {
    if let Some(PuzzlesAction::Weekly(args)) = &args.action {
        return weekly::run(args, context);
    }
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
        finder: Finder::new(args.nodes, memory, BTreeSet::new()),
        folder,
        puzzles: Vec::new(),
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
                run.finder.memory.keep(id.as_str());
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
            matches: run.finder.matches,
            searched: run.finder.searched,
            too_long: run.finder.too_long,
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
    /// Takes the puzzles of a match, and returns their number.
    fn take(&mut self, game: &Match) -> Result<usize, Error> {
        let found = self.finder.take(game)?;
        if let Some(folder) = &self.folder {
            for view in &found {
                folder.write(view)?;
            }
        }
        let number = found.len();
        self.puzzles.extend(found);
        Ok(number)
    }

    /// Writes the list, and takes away what is no puzzle any more.
    fn end(&mut self) -> Result<(), Error> {
        self.finder.memory.end()?;
        match &self.folder {
            Some(folder) => folder.end(&self.puzzles, &self.finder.names),
            None => Ok(()),
        }
    }

    fn sentence(&self) -> String {
        let puzzles = counted(self.puzzles.len(), "puzzle");
        let matches = counted_matches(self.finder.matches);
        let mut said = format!(
            "{puzzles} from {matches}, {} searched now",
            self.finder.searched
        );
        if self.finder.too_long > 0 {
            let positions = counted(self.finder.too_long, "position");
            said = format!(
                "{said}; {positions} would take more than --nodes {}",
                self.finder.nodes
            );
        }
        said
    }
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
            let below = path.join(name);
            files::must_be_folder(&below)
                .and_then(|()| fs::create_dir_all(&below))
                .map_err(|error| Error::file(&below, &error))?;
        }
        Ok(PuzzleFolder {
            path: path.to_owned(),
            look,
        })
    }

    /// Writes a file, unless it is there with the same text.
    fn put(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        let failed = |error| Error::file(&path, &error);
        if files::holds(&path, text.as_bytes()).map_err(failed)? {
            return Ok(());
        }
        replace(&path, text.as_bytes()).map_err(failed)
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
