//! Puzzles at the prompt: a person forces mate, the program defends as long as it can, and says
//! what is wrong with any other move.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;
use crate::command::arguments::Input;
use crate::command::context::{Context, Status, visible};
use crate::command::play::desk::Desk;
use crate::command::play::word::{BoardForm, listed};
use crate::command::puzzles::NODES;
use crate::command::source::SourceText;
use crate::command::{act, legal, manual};
use crate::engine::{Limits, NoPuzzle, Puzzle, Trial};
use crate::notation::move_list;
use crate::paint;
use crate::render::puzzle::{FEN, PosedPuzzle, numbered_line, rights, task};
use crate::rules::{Game, Ply, Position, Record, Side};
use crate::suggest::nearest;

/// How many times as many positions a puzzle at the prompt may take as one that is looked for: it
/// is one alone.
const LONGER: u64 = 4;

/// Where puzzles are.
#[derive(Clone, Debug)]
pub(super) enum Posed {
    /// One that the program has, from 1.
    Sample(usize),
    /// A post, or a folder of posts.
    Path(PathBuf),
}

/// A position that may be a puzzle, and what it is called.
struct Task {
    name: String,
    position: Position,
}

/// The words that can be typed, with what they do.
const WORDS: [(&str, &str); 8] = [
    ("legal", "lists the legal moves"),
    (
        "hint",
        "says what kind of move it is, and more if you ask again",
    ),
    ("solution", "tells the solution"),
    ("next", "goes on to the next puzzle"),
    ("board", "shows the board"),
    ("rules", "tells the rules of the game"),
    ("help", "lists these words"),
    ("quit", "ends the program"),
];

/// Solves puzzles until they or the input end.
pub(super) fn run(
    posed: &Posed,
    game: Option<&'static Game>,
    form: BoardForm,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    context.without_games()?;
    let tasks = match posed {
        Posed::Sample(number) => samples(*number, game)?,
        Posed::Path(_) if game.is_some() => {
            return Err(Error::usage(
                "a game is for the puzzles that the program has: a post has its game",
            ));
        }
        Posed::Path(path) => posts(path, context)?,
    };
    let mut desk = Desk::of(form, context)?;
    let count = tasks.len();
    for (at, task) in tasks.into_iter().enumerate() {
        let limits = Limits {
            stop: Some(Arc::clone(&desk.interrupt.stop)),
            ..Limits::nodes(LONGER * NODES)
        };
        let puzzle = match Puzzle::of(&task.position, &limits) {
            Ok(puzzle) => puzzle,
            Err(_) if desk.interrupt.is_pressed() => break,
            Err(why) if count == 1 => return Err(Error::refused(refusal(&task.name, why))),
            Err(why) => {
                desk.refuse(refusal(&task.name, why))?;
                continue;
            }
        };
        let mut solving = Solving {
            left: puzzle.plies,
            start: task.position.clone(),
            position: task.position,
            puzzle,
            limits,
            is_last: at + 1 == count,
            is_over: false,
            hinted: None,
            desk,
        };
        solving.pose(&task.name)?;
        let goes_on = solving.take_lines()?;
        desk = solving.desk;
        if !goes_on {
            break;
        }
    }
    Ok(desk.status)
}

/// Says what kind of ply it is, and the second time where it begins.
fn hint(position: &Position, ply: &Ply, is_second: bool) -> String {
    match ply {
        Ply::Drop { role, to } if is_second => {
            format!("A drop of the {} on the {}-file.", role.name(), to.file())
        }
        Ply::Drop { role, .. } => format!("A drop from reserve: {}.", role.name()),
        Ply::Move {
            from, promotion, ..
        } => {
            let piece = position.get(*from);
            let piece = piece.map_or("piece", |piece| piece.role.name());
            let place = if is_second {
                format!(" on {from}")
            } else {
                String::new()
            };
            let promotes = promotion.map_or("", |_| ", which promotes");
            format!("A move by the {piece}{place}{promotes}.")
        }
        Ply::Castle(side) if is_second => match side {
            Side::King => "Castle on the king's side.".to_owned(),
            Side::Queen => "Castle on the queen's side.".to_owned(),
        },
        Ply::Castle(_) => "Castle.".to_owned(),
        Ply::Relocation { role, .. } if is_second => {
            format!("A drop of the {} on the square of a pawn.", role.name())
        }
        Ply::Relocation { .. } => "A drop on the square of a pawn, which makes room.".to_owned(),
        Ply::Placement(placement) if is_second => {
            let pieces: Vec<&str> = placement.drops().map(|(role, _)| role.name()).collect();
            format!("These pieces are placed at once: {}.", pieces.join(", "))
        }
        Ply::Placement(_) => "Several pieces are placed at once.".to_owned(),
    }
}

/// Says why a position is no puzzle.
fn refusal(name: &str, why: NoPuzzle) -> String {
    let why = match why {
        NoPuzzle::NoMate => "no mate in at most three moves was found in it",
        NoPuzzle::Several => "it has more than one solution",
        NoPuzzle::TooMany => "it has too many legal moves to try them all",
        _ => "it would take too long to try every move",
    };
    format!("{name}: this position is no puzzle: {why}")
}

/// The puzzles that the program has, of one game or of all, from this one on.
fn samples(number: usize, game: Option<&Game>) -> Result<Vec<Task>, Error> {
    let of_game =
        |position: &Position| game.is_none_or(|game| position.variant().game().id == game.id);
    let all: Vec<_> = Puzzle::samples()
        .map(|(position, _)| position)
        .filter(of_game)
        .collect();
    let count = all.len();
    if number > count {
        return Err(Error::refused(format!(
            "there are {count} puzzles, and none is number {number}"
        )));
    }
    let numbered = (1..).zip(all).skip(number - 1);
    let tasks = numbered.map(|(at, position)| Task {
        name: format!("Puzzle {at} of {count}"),
        position,
    });
    Ok(tasks.collect())
}

/// The most posts of a folder that are read.
const POSTS: usize = 10_000;

/// The puzzles of a post, or of the posts of a folder.
fn posts(path: &Path, context: &mut Context<'_>) -> Result<Vec<Task>, Error> {
    if !path.exists() {
        return Err(Error::refused(format!(
            "{}: No such file or directory; 'parapost play --puzzle' poses the puzzles that the program brings, 'parapost play GAME --puzzle' those of a game",
            path.display()
        )));
    }
    if !path.is_dir() {
        return Ok(vec![post(path, context)?]);
    }
    let below = path.join("puzzles");
    let folder = if below.is_dir() { &below } else { path };
    let fault = |error| Error::file(folder, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(fault)?.take(POSTS) {
        let file = entry.map_err(fault)?.path();
        if file.extension().is_some_and(|kind| kind == "txt") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Error::refused(format!(
            "{}: there is no puzzle in this folder; 'parapost puzzles DIR' writes some",
            path.display()
        )));
    }
    files.iter().map(|file| post(file, context)).collect()
}

/// Reads a post with a position as FEN.
fn post(path: &Path, context: &mut Context<'_>) -> Result<Task, Error> {
    let text = SourceText::read(&Input::File(path.to_owned()), context)?;
    let name = text.name;
    let posed = PosedPuzzle::of(&text.text);
    let posed = posed.map_err(|error| Error::refused(format!("{name}: {error}")))?;
    let Some(PosedPuzzle { position, .. }) = posed else {
        return Err(Error::refused(format!(
            "{name}: this is no puzzle: a line '{FEN}…' with the position is needed"
        )));
    };
    Ok(Task {
        position,
        name: visible(&name),
    })
}

/// A puzzle that is being solved.
struct Solving<'d, 'a> {
    desk: Desk<'d, 'a>,
    puzzle: Puzzle,
    start: Position,
    position: Position,
    /// The half-moves in which mate is forced.
    left: u32,
    limits: Limits,
    is_last: bool,
    /// True if it is solved, or its solution was told.
    is_over: bool,
    /// The position of the last hint.
    hinted: Option<Position>,
}

impl Solving<'_, '_> {
    fn pose(&mut self, name: &str) -> Result<(), Error> {
        let game = self.position.variant().game().name;
        let task = task(&self.position, self.left);
        let rights = rights(&self.position);
        let said = format!("{name}. {game}: {task} {rights}");
        self.desk.tell(said.trim_end())?;
        self.show()?;
        if self.desk.prompt.is_terminal() {
            self.desk
                .tell("Type your move, or 'help' for what else there is.")?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Error> {
        self.desk.show(&self.position, self.start.turn())
    }

    /// Says what comes behind this puzzle.
    fn next(&self) -> &'static str {
        if self.is_last {
            "That was the last puzzle."
        } else {
            "'next' goes on to the next puzzle."
        }
    }

    /// Reads lines until the next puzzle is wanted. Returns false if none is.
    fn take_lines(&mut self) -> Result<bool, Error> {
        loop {
            if self.desk.interrupt.is_pressed() {
                return Ok(false);
            }
            let position = &self.position;
            self.desk.prompt.completes(|| {
                let words = WORDS.iter().map(|(word, _)| (*word).to_owned());
                let plies = position.single_plies();
                words
                    .chain(plies.iter().map(|ply| position.text(ply)))
                    .collect()
            });
            let number = move_list::number_of_position(&self.position);
            let Some(line) = self.desk.line(&format!("{number} "))? else {
                return Ok(false);
            };
            match line.trim().to_lowercase().as_str() {
                "" => {}
                "legal" => {
                    let text =
                        legal::for_people(&Record::new(self.position.clone()), self.desk.columns());
                    self.desk.context.print(text)?;
                }
                "hint" => self.hint()?,
                "solution" => self.solution()?,
                "next" if self.is_last => {
                    self.desk.tell(self.next())?;
                    return Ok(false);
                }
                "next" => return Ok(true),
                "board" => self.show()?,
                "rules" => {
                    let text = manual::text_of(self.position.variant().game(), self.desk.columns());
                    self.desk.context.print(text)?;
                }
                "help" | "?" => self.help()?,
                "quit" | "exit" | "q" | "bye" => return Ok(false),
                _ if self.is_over => self.desk.refuse(self.next())?,
                _ => self.attempt(line.trim())?,
            }
        }
    }

    fn help(&mut self) -> Result<(), Error> {
        let mut text =
            "A move is written like P>e3, or in any other way that is clear. The other words:\n"
                .to_owned();
        text = self.desk.context.wrapped_for_stdout(text);
        text += &listed(&WORDS, self.desk.columns());
        self.desk.context.print(text)?;
        self.desk.list_signs(self.position.variant().rules())
    }

    /// Judges what was typed, if it is a legal move.
    fn attempt(&mut self, text: &str) -> Result<(), Error> {
        let ply = match act::read(&self.position, text, "'legal' lists the legal moves") {
            Ok(reading) => reading.ply,
            Err(why) => {
                let is_word = text.len() > 2 && text.chars().all(char::is_alphabetic);
                let words = WORDS.map(|(word, _)| word);
                return match nearest(text, &words).filter(|_| is_word) {
                    Some(word) => self.desk.refuse(format_args!(
                        "'{text}' is no move and no word here; did you mean '{word}'?"
                    )),
                    None => self.desk.refuse(why),
                };
            }
        };
        self.desk.context.flush()?;
        let written = numbered_line(&self.position, &[ply]);
        match Puzzle::attempt(&self.position, &ply, self.left, &self.limits) {
            Ok(Trial::Mate) => {
                self.is_over = true;
                self.play(ply)?;
                self.tell_strong(&format!("{written}  Right."))?;
                self.show()?;
                let next = self.next();
                self.desk.tell(&format!("Solved: mate. {next}"))
            }
            Ok(Trial::Forced(answer)) => {
                let both = numbered_line(&self.position, &[ply, answer]);
                self.play(ply)?;
                self.play(answer)?;
                self.left = self.left.saturating_sub(2);
                self.tell_strong(&format!("{both}  Right."))?;
                self.show()?;
                let task = task(&self.position, self.left);
                self.desk.tell(&task)
            }
            Ok(Trial::Missed(answer)) => self.refute(&written, &ply, answer),
            Err(_) if self.desk.interrupt.is_pressed() => Ok(()),
            Err(_) => self.desk.refuse(format_args!(
                "{written}: it would take too long to try every answer"
            )),
        }
    }

    fn play(&mut self, ply: Ply) -> Result<(), Error> {
        self.position = self.position.play(&ply).map_err(Error::refused)?;
        Ok(())
    }

    fn tell_strong(&mut self, text: &str) -> Result<(), Error> {
        let text = self.desk.fitting(text);
        let painted = self.desk.context.out.text(paint::STRONG, &text);
        self.desk.context.print(format!("{painted}\n"))?;
        self.desk.explain(&text)
    }

    /// Says why a move does not force mate in time. The position stays.
    fn refute(&mut self, written: &str, ply: &Ply, answer: Option<Ply>) -> Result<(), Error> {
        let leads = match answer {
            None => "ends the game without mate".to_owned(),
            Some(answer) => {
                let both = numbered_line(&self.position, &[*ply, answer]);
                let behind = match self.left {
                    1 => "it is no mate",
                    2 | 3 => "there is no mate in one",
                    _ => "there is no mate in two",
                };
                let answered = both.strip_prefix(written).unwrap_or(&both).trim();
                format!("leads to {answered}, and {behind}")
            }
        };
        let task = task(&self.position, self.left);
        let still = task
            .rsplit_once(", ")
            .map_or("mate", |(_, mate)| mate.trim_end_matches('.'));
        let said = format!("Not so: {written} {leads}. There is still a {still}.");
        self.desk.tell(&said)?;
        self.desk.explain(&said)
    }

    /// A move that forces mate in time; none if it cannot be found within the limits.
    fn solving_move(&self, position: &Position, left: u32) -> Option<Ply> {
        if *position == self.start {
            return self.puzzle.line.first().copied();
        }
        position.legal_plies().find(|ply| {
            let attempt = Puzzle::attempt(position, ply, left, &self.limits);
            matches!(attempt, Ok(Trial::Mate | Trial::Forced(_)))
        })
    }

    fn hint(&mut self) -> Result<(), Error> {
        if self.is_over {
            return self.desk.refuse(self.next());
        }
        self.desk.context.flush()?;
        let ply = self.solving_move(&self.position, self.left);
        let Some(ply) = ply else { return Ok(()) };
        let is_second = self.hinted.as_ref() == Some(&self.position);
        let hint = hint(&self.position, &ply, is_second);
        self.hinted = Some(self.position.clone());
        self.desk.tell(&hint)
    }

    /// Tells the solution from here on.
    fn solution(&mut self) -> Result<(), Error> {
        if self.is_over {
            return self.desk.refuse(self.next());
        }
        self.desk.context.flush()?;
        let (mut position, mut left, mut line) = (self.position.clone(), self.left, Vec::new());
        while let Some(ply) = self.solving_move(&position, left) {
            line.push(ply);
            let Ok(Trial::Forced(answer)) = Puzzle::attempt(&position, &ply, left, &self.limits)
            else {
                break;
            };
            line.push(answer);
            let next = position.play(&ply).and_then(|after| after.play(&answer));
            position = next.map_err(Error::refused)?;
            left = left.saturating_sub(2);
        }
        if self.desk.interrupt.is_pressed() {
            return Ok(());
        }
        let line = numbered_line(&self.position, &line);
        self.is_over = true;
        self.desk.tell(&line)?;
        self.desk.explain(&line)?;
        let next = self.next();
        self.desk.tell(next)
    }
}
