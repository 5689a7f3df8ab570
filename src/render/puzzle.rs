//! A puzzle: as a post of 1994, as a page without and one with the solution, in a list.

use std::fmt::Write as _;

use serde::Serialize;

use crate::Error;
use crate::match_id::Id;
use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::header::{self, DEFAULT};
use crate::notation::move_list;
use crate::notation::reader::pasted;
use crate::printable::{counted, filled, html};
use crate::render::page::{MARK, names, source};
use crate::render::picture::{self, Picture, Theme};
use crate::render::site::SiteLook;
use crate::render::text;
use crate::render::view::View;
use crate::rules::{Color, Ply, Position, Variant};

const STYLE: &str = concat!(
    "\n",
    include_str!("look.css"),
    include_str!("puzzle/puzzle.css")
);

/// The page, with the names of its parts in double braces.
const PAGE: &str = include_str!("puzzle/puzzle.html");

/// The start of the line with the position of a post.
pub const FEN: &str = "FEN: ";

/// A puzzle with all that is told of it.
#[derive(Clone, Debug)]
pub struct PuzzleView {
    /// Letters and digits that stand for the position.
    pub name: String,
    /// The position, as move 1.
    pub position: Position,
    /// The half-moves to the mate.
    pub plies: u32,
    /// The solution.
    pub line: Vec<Ply>,
    /// True if each later move of the solver, too, is the only one.
    pub is_line_unique: bool,
    /// The match that it comes from.
    pub origin: PuzzleOrigin,
}

/// The match that a puzzle comes from.
#[derive(Clone, Debug)]
pub struct PuzzleOrigin {
    /// The match.
    pub id: Id,
    /// The half-moves made before.
    pub ply: usize,
    /// The names as they are shown, the first player's first; empty where there is none.
    pub players: [String; 2],
    /// The move that was played there; none if the match ended.
    pub played: Option<String>,
}

/// A puzzle for programs, with its solution.
#[derive(Serialize, Debug)]
pub struct PuzzleReport {
    name: String,
    game: &'static str,
    options: Vec<&'static str>,
    fen: String,
    turn: &'static str,
    /// The moves to the mate.
    mate_in: u32,
    /// The solution, a half-move each, with its mark.
    solution: Vec<String>,
    /// True if each later move of the solver is the only one, too.
    is_line_unique: bool,
    #[serde(rename = "match")]
    id: String,
    /// The half-moves made before.
    ply: usize,
    white: String,
    black: String,
    /// The move that was played in the match.
    played: Option<String>,
}

/// A puzzle as a post poses it, without the solution.
#[derive(Clone, Debug)]
pub struct PosedPuzzle {
    /// The position.
    pub position: Position,
    /// What stands above the position as FEN, in lines: what is to be done, and what else there is to
    /// know.
    pub task: Vec<String>,
}

impl PosedPuzzle {
    /// Reads a post, as [`PuzzleView::post`] writes it. Returns none if no line has a position.
    ///
    /// # Errors
    ///
    /// If the text names an unknown game or option, or there is no such position.
    pub fn of(post: &str) -> Result<Option<PosedPuzzle>, Error> {
        let marks = ['>', ' ', '\t'];
        let lines = post
            .lines()
            .map(|line| line.trim_start_matches(marks).trim_end());
        let lines: Vec<&str> = lines.collect();
        let Some((at, fen)) = lines
            .iter()
            .enumerate()
            .find_map(|(at, line)| Some((at, line.strip_prefix(FEN)?)))
        else {
            return Ok(None);
        };
        let sections = header::sections(&pasted(post), DEFAULT);
        let variant = match sections.into_iter().next() {
            Some(section) => section
                .variant
                .map_err(|error| Error::refused(error.error))?,
            None => Variant::new(DEFAULT, &[]).map_err(Error::refused)?,
        };
        let position = Position::from_fen(&variant, fen.trim()).map_err(Error::refused)?;
        let above = lines[..at].iter().rev().skip_while(|line| line.is_empty());
        let task = above.take_while(|line| !line.is_empty());
        let mut task: Vec<String> = task.map(|line| (*line).to_owned()).collect();
        task.reverse();
        Ok(Some(PosedPuzzle { position, task }))
    }
}

/// Writes a number of moves to mate: `two`.
fn in_word(moves: u32) -> &'static str {
    match moves {
        1 => "one",
        2 => "two",
        _ => "three",
    }
}

/// Says what is to be done: `White to move, mate in two.`
pub fn task(position: &Position, plies: u32) -> String {
    let player = position.variant().player(position.turn());
    let moves = in_word(plies.div_ceil(2));
    format!("{player} to move, mate in {moves}.")
}

/// Says what no diagram shows and yet is part of a position: who may castle, and a pawn that can be
/// taken in passing. Empty if there is nothing.
pub fn rights(position: &Position) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut said = Vec::new();
    if position.variant().rules().castling {
        let castling = fields.get(2).filter(|field| **field != "-");
        said.extend(castling.map(|field| format!("Castling, as in the FEN: {field}.")));
    }
    let setup = position.to_setup();
    if let Some(square) = setup.en_passant {
        said.push(format!("A pawn has just passed {square}."));
    }
    if setup.dropped_bishops != [None; 2] || !setup.single_step_pawns.is_empty() {
        said.push("Which pieces were dropped, where that matters, stands in the FEN.".to_owned());
    }
    said.join(" ")
}

/// Writes a line of moves with their numbers and marks.
pub fn numbered_line(start: &Position, line: &[Ply]) -> String {
    let mut position = start.clone();
    let mut words = Vec::new();
    for ply in line {
        let Ok(after) = position.play(ply) else {
            break;
        };
        if words.is_empty() || position.turn() == Color::White {
            words.push(move_list::number_of_position(&position));
        }
        words.push(marked(&position, ply));
        position = after;
    }
    words.join(" ")
}

/// Writes a legal move with its mark.
pub fn marked(position: &Position, ply: &Ply) -> String {
    let mark = position.play(ply).map(|after| after.mark().to_string());
    let text = format!("{} {}", position.text(ply), mark.unwrap_or_default());
    text.trim_end().to_owned()
}

impl PuzzleView {
    /// Says which game, whose move and how many: `Chess: White to move, mate in two`.
    fn title(&self) -> String {
        let game = self.position.variant().game().name;
        let task = task(&self.position, self.plies);
        format!("{game}: {}", task.trim_end_matches('.'))
    }

    /// Says which players played it, if their names are known.
    fn between(&self) -> Option<String> {
        let players = &self.origin.players;
        let is_named = players.iter().any(|name| !name.is_empty());
        is_named.then(|| names(self.position.variant(), players).join(" - "))
    }

    /// Writes it as a post, without the solution: a text that `play --puzzle` reads.
    #[must_use]
    pub fn post(&self) -> String {
        let view = View::drawn(Diagram::of(&self.position));
        let mut post = text::post(&view, DiagramStyle::default());
        let _ = write!(post, "\n{}\n", task(&self.position, self.plies));
        for said in [self.between().unwrap_or_default(), rights(&self.position)] {
            if !said.is_empty() {
                let _ = writeln!(post, "{said}");
            }
        }
        let _ = writeln!(post, "\n{FEN}{}", self.position.fen());
        post
    }

    /// Tells the solution, in lines: paragraphs to be wrapped.
    #[must_use]
    pub fn solution(&self) -> String {
        let line = numbered_line(&self.position, &self.line);
        format!("{line}\n{}\n", self.proof())
    }

    /// Says what was proven, and what was played.
    fn proof(&self) -> String {
        let player = self.position.variant().player(self.position.turn());
        let mut said = "Every other first move was tried, and none mates as soon.".to_owned();
        said += match (self.plies, self.is_line_unique) {
            (1, _) => "",
            (_, true) => " Each later move of this line is the only one, too.",
            (_, false) => " Later on another move mates as soon, too.",
        };
        if let Some(played) = &self.origin.played {
            let first = self.line.first().map(|ply| marked(&self.position, ply));
            let what = if first.as_ref() == Some(played) {
                "found it".to_owned()
            } else {
                format!("played {played}")
            };
            let _ = write!(said, " In the match {player} {what}.");
        }
        said
    }

    /// Returns it for programs.
    #[must_use]
    pub fn report(&self) -> PuzzleReport {
        let variant = self.position.variant();
        let mut position = self.position.clone();
        let mut solution = Vec::new();
        for ply in &self.line {
            solution.push(marked(&position, ply));
            position = position.play(ply).unwrap_or(position);
        }
        let [white, black] = self.origin.players.clone();
        PuzzleReport {
            name: self.name.clone(),
            game: variant.game().id,
            options: variant.options().to_vec(),
            fen: self.position.fen(),
            turn: text::side(self.position.turn()),
            mate_in: self.plies.div_ceil(2),
            solution,
            is_line_unique: self.is_line_unique,
            id: self.origin.id.to_string(),
            ply: self.origin.ply,
            white,
            black,
            played: self.origin.played.clone(),
        }
    }

    /// Draws the position behind so many moves of the solution, from the side of who solves it.
    fn picture(&self, made: usize) -> String {
        let mut position = self.position.clone();
        for ply in self.line.iter().take(made) {
            position = position.play(ply).unwrap_or(position);
        }
        let turn = self.position.turn();
        let picture = Picture {
            is_flipped: turn == Color::Black,
            // It stands on a light page or on a dark one.
            theme: Theme::Framed,
            ..Picture::default()
        };
        let drawn = picture::drawing(&View::drawn(Diagram::of(&position)), &picture);
        let words = html(&text::in_words(&position, turn));
        let label = format!("role=\"img\" aria-label=\"{words}\"");
        drawn.replacen("role=\"img\"", &label, 1)
    }

    /// Says from which match it is, as HTML; empty if no name is known.
    fn players(&self) -> String {
        let between = self.between();
        between.map_or(String::new(), |names| {
            format!("<p>From a match: <bdi>{}</bdi></p>\n", html(&names))
        })
    }

    /// Writes the page without the solution: one file that asks the network for nothing. The page
    /// with it is `solutions/NAME.html` beside the folder of this one.
    #[must_use]
    pub fn page(&self, look: &SiteLook) -> String {
        let rights = match rights(&self.position) {
            none if none.is_empty() => none,
            some => format!("<p>{}</p>\n", html(&some)),
        };
        let body = format!(
            "<figure>{}</figure>\n{}{rights}<p><a href=\"../solutions/{}.html\">The solution</a></p>\n<details>\n<summary>As a post</summary>\n<pre>{}</pre>\n</details>\n",
            self.picture(0),
            self.players(),
            self.name,
            html(&self.post()),
        );
        page(look, "../", &self.title(), &body)
    }

    /// Writes the page with the solution.
    #[must_use]
    pub fn solution_page(&self, look: &SiteLook) -> String {
        let body = format!(
            "<p class=\"line\">{}</p>\n<figure>{}<figcaption>The end of the solution.</figcaption></figure>\n<p>{}</p>\n{}<p><a href=\"../puzzles/{}.html\">The puzzle</a></p>\n",
            html(&numbered_line(&self.position, &self.line)),
            self.picture(self.line.len()),
            html(&self.proof()),
            self.players(),
            self.name,
        );
        page(
            look,
            "../",
            &format!("{}: the solution", self.title()),
            &body,
        )
    }
}

/// Writes the list of puzzles.
#[must_use]
pub fn index(puzzles: &[PuzzleView], look: &SiteLook) -> String {
    let mut rows = String::new();
    for puzzle in puzzles {
        let between = puzzle.between().unwrap_or_default();
        let _ = writeln!(
            rows,
            "<li><a href=\"puzzles/{}.html\">{}</a> <bdi>{}</bdi></li>",
            puzzle.name,
            html(&puzzle.title()),
            html(&between)
        );
    }
    let body = format!(
        "<p>{}. Each has one solution: every other first move was tried.</p>\n<ol>\n{rows}</ol>\n",
        counted(puzzles.len(), "puzzle")
    );
    page(look, "", "Puzzles", &body)
}

/// Writes a page with a heading; `up` leads to the folder of the list.
fn page(look: &SiteLook, up: &str, title: &str, body: &str) -> String {
    let style = [STYLE, &look.colors].concat();
    let policy = format!(
        "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'",
        source(&style)
    );
    filled(
        PAGE,
        &[
            ("policy", &policy),
            ("mark", MARK),
            ("style", &style),
            ("up", up),
            ("name", &html(&look.name)),
            ("title", &html(title)),
            ("body", body),
        ],
    )
}
