//! The output formats of a position.
//!
//! Every format for people shows the same post: a diagram, a list and a line
//! that says who is to move. `check` can read each of them back, but for PNG.
//!
//! A match of shogi in KIF, for other programs: who plays, and a move to a line.
//!
//! A match of chess in PGN, for other programs: the seven standard tags, and the moves in SAN.

use std::fmt;
use std::fmt::Write as _;

use clap::{Args, ValueEnum, value_parser};

use crate::Error;
use crate::notation::diagram::{DiagramStyle, Script};
use crate::notation::kif;
use crate::printable::one_line;
use crate::render::annotation::Annotations;
use crate::render::picture::{self, Picture, Theme};
use crate::render::raster::{self, Motion};
use crate::render::view::{Score, View};
use crate::render::{page, text};
use crate::rules::{Color, Ply, Position, Reason, Record, Role, Square, games};

/// A form a position can be shown in.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// The diagram of the 1994 format
    Diagram,
    /// Diagram, list and who is to move, as the body of a message
    Post,
    /// The post, with files and ranks at the edges
    Coords,
    /// The post, with figurines or the characters of shogi
    Unicode,
    /// The post for a forum, in a `[code]` block
    Bbcode,
    /// The post for Markdown, in a fenced block
    Markdown,
    /// FEN with reserves
    Fen,
    /// For programs
    Json,
    /// A list for programs of chess
    Pgn,
    /// A list for programs of shogi
    Kif,
    /// A picture, with the post in its description
    Svg,
    /// A picture of pixels
    Png,
    /// A moving picture of pixels of a match
    Gif,
    /// What the board shows in words, for people who do not see it
    Words,
    /// A page to replay the match on, with the post in it
    Html,
}

/// The options of a format.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Style {
    /// Shows the board from the second player's side, as its edges then show.
    pub is_flipped: bool,
    /// Writes a [`MARK`](crate::notation::diagram::MARK) before each
    /// piece of the second player.
    pub has_marks: bool,
    /// Indents the Markdown block instead of fencing it.
    pub is_indented: bool,
    /// The form of a picture.
    pub picture: PictureOptions,
    /// What is drawn on the board of a picture or a page, and below it.
    pub annotations: Annotations,
    /// Paints the board of a form that people read at a terminal. The others are never
    /// painted.
    pub is_painted: bool,
    /// The columns of the terminal, if the form is for one: those that people read there
    /// are no wider.
    pub room: Option<usize>,
}

/// The options of a picture, as the command line has them.
#[derive(Args, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PictureOptions {
    /// In a picture: so many pixels wide, 64 to 4096 [default: 480]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(64..=4096))]
    pub size: Option<u32>,
    /// In a picture: the colours [default: light]
    #[arg(long, value_name = "THEME", value_enum)]
    pub theme: Option<Theme>,
    /// In a picture: letters on the pieces of shogi, not characters
    #[arg(long = "letters")]
    pub has_letters: bool,
}

impl OutputFormat {
    /// Checks that the format supports a style.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn check(self, style: &Style) -> Result<(), Error> {
        let has_board = !matches!(
            self,
            OutputFormat::Fen | OutputFormat::Json | OutputFormat::Pgn | OutputFormat::Kif
        );
        if style.picture != PictureOptions::default() && !self.is_picture() {
            Err(Error::usage(
                "--size, --theme and --letters need --as svg, png or gif",
            ))
        } else if style.annotations != Annotations::default()
            && !self.is_picture()
            && self != OutputFormat::Html
        {
            Err(Error::usage(
                "--arrow, --circle, --light, --caption and --coords need --as svg, png, gif or html",
            ))
        } else if style.is_flipped && !has_board {
            Err(Error::usage(format!(
                "the form {self} has no board to flip"
            )))
        } else if style.has_marks && (!has_board || !self.is_text() || self == OutputFormat::Words)
        {
            Err(Error::usage(format!(
                "the form {self} has no board to mark"
            )))
        } else if style.is_indented && self != OutputFormat::Markdown {
            Err(Error::usage("only the form 'markdown' is indented"))
        } else {
            Ok(())
        }
    }

    /// Returns true for a picture.
    pub fn is_picture(self) -> bool {
        matches!(
            self,
            OutputFormat::Svg | OutputFormat::Png | OutputFormat::Gif
        )
    }

    /// Returns true for a file of pixels, which no terminal shows.
    pub(crate) fn is_of_pixels(self) -> bool {
        matches!(self, OutputFormat::Png | OutputFormat::Gif)
    }

    /// Returns true for a form that is read where it is printed, and not pasted elsewhere.
    fn is_for_terminals(self) -> bool {
        matches!(
            self,
            OutputFormat::Diagram
                | OutputFormat::Post
                | OutputFormat::Coords
                | OutputFormat::Unicode
        )
    }

    /// Returns true for a form of one match, for programs.
    pub(crate) fn is_for_one(self) -> bool {
        matches!(
            self,
            OutputFormat::Json | OutputFormat::Pgn | OutputFormat::Kif
        )
    }

    /// Returns true for a form that tells who is to move.
    pub(crate) fn needs_turn(self) -> bool {
        self.is_for_one() || self == OutputFormat::Fen
    }

    /// Returns true for a text that people read as it stands.
    pub fn is_text(self) -> bool {
        !self.is_picture() && self != OutputFormat::Html
    }

    /// Writes a view in this format: text in UTF-8, every line of which ends in a line
    /// end, or the file of a picture.
    ///
    /// # Errors
    ///
    /// If the format needs a match and there is only a diagram, or if a PNG is too small
    /// or too large.
    pub fn render(self, view: &View<'_>, style: &Style) -> Result<Vec<u8>, Error> {
        let look = DiagramStyle {
            is_flipped: style.is_flipped,
            has_marks: style.has_marks,
            is_painted: style.is_painted && self.is_for_terminals(),
            room: style.room.filter(|_| self.is_for_terminals()),
            ..DiagramStyle::default()
        };
        let post = |look| text::post(view, look);
        let record = || {
            view.record.ok_or_else(|| {
                Error::refused(
                    "a position alone does not tell who is to move: the list of moves is needed too",
                )
            })
        };
        // Other programs begin at the start of their game, without options.
        let of_game = |id: &str| {
            let record = record()?;
            let variant = record.start().variant();
            if self == OutputFormat::Kif && record.start().fen() != variant.start().fen() {
                return Err(Error::refused(
                    "the form 'kif' is for a match from the start of the game, and this begins elsewhere",
                ));
            }
            if variant.game().id == id && variant.options().is_empty() {
                return Ok(record);
            }
            let name = games::find(id).map_or("", |game| game.name);
            Err(Error::refused(format!(
                "the form {self} is for {name} alone"
            )))
        };
        let picture = style.picture();
        let text = match self {
            OutputFormat::Diagram => view.diagram.draw(look),
            OutputFormat::Post => post(look),
            OutputFormat::Coords => post(DiagramStyle {
                has_edges: true,
                ..look
            }),
            OutputFormat::Unicode => post(DiagramStyle {
                script: Script::beyond_ascii(view.diagram.variant().rules()),
                ..look
            }),
            OutputFormat::Bbcode => text::bbcode(&post(look)),
            OutputFormat::Markdown => text::markdown(&post(look), style.is_indented),
            OutputFormat::Fen => format!("{}\n", record()?.position().fen()),
            OutputFormat::Json => text::json(view, record()?),
            OutputFormat::Pgn => pgn(view, of_game("chess")?),
            OutputFormat::Kif => kif(view, of_game("shogi")?),
            OutputFormat::Svg => picture::svg(view, &picture)?,
            OutputFormat::Png => return raster::png(view, &picture),
            OutputFormat::Gif => {
                let record = record()?;
                let motion = Motion::whole(record);
                return raster::gif(view, record, &motion, &picture, || ());
            }
            OutputFormat::Words => text::words(view, style.is_flipped),
            OutputFormat::Html => {
                picture.check(view.diagram.variant())?;
                page::write(view, &picture)
            }
        };
        Ok(text.into_bytes())
    }
}

impl Style {
    /// Returns the form of a picture in this style.
    pub(crate) fn picture(&self) -> Picture {
        let default = Picture::default();
        Picture {
            size: self.picture.size.unwrap_or(default.size),
            is_flipped: self.is_flipped,
            theme: self.picture.theme.unwrap_or(default.theme),
            has_letters: self.picture.has_letters,
            is_compact: false,
            annotations: self.annotations.clone(),
        }
    }
}

impl OutputFormat {
    /// Returns true for a list for other programs, which states the result of a match.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, OutputFormat::Pgn | OutputFormat::Kif)
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        let name = value.as_ref().map_or("", |value| value.get_name());
        write!(f, "'{name}'")
    }
}

/// The files as the squares of KIF name them, from Sente's right.
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// The ranks, from the top.
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Writes a match of shogi.
fn kif(view: &View<'_>, record: &Record) -> String {
    let mut text = String::new();
    if let Some(begun) = view.details.begun {
        let _ = writeln!(text, "開始日時：{}", begun.format("%Y/%m/%d"));
    }
    if record.start() == &record.start().variant().start() {
        text.push_str("手合割：平手\n");
    } else {
        text.push_str(&board(record.start()));
    }
    for (side, name) in ["先手", "後手"].into_iter().zip(&view.details.players) {
        let _ = writeln!(text, "{side}：{}", one_line(name));
    }
    text.push_str("手数----指手---------消費時間--\n");
    let mut last = None;
    for (ply, step) in record.steps().iter().enumerate() {
        let Some(position) = record.at(ply) else {
            break;
        };
        let _ = writeln!(text, "{:>4} {}", ply + 1, line(position, &step.ply, last));
        last = step.ply.target();
    }
    if let Some(end) = end(view, record) {
        let _ = writeln!(text, "{:>4} {end}", record.steps().len() + 1);
    }
    text
}

/// The numbers of pieces in hand, from none.
const NUMERALS: [&str; 19] = [
    "", "", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四",
    "十五", "十六", "十七", "十八",
];

/// Draws the board from which a match begins, with the pieces in hand.
fn board(position: &Position) -> String {
    let hand = |color: Color| {
        let reserve = position.reserve(color);
        let slots = position.variant().rules().slots();
        let held = slots.filter(|(role, _)| reserve.has(*role));
        let held = held.map(|(role, _)| {
            let count = NUMERALS.get(usize::from(reserve.count(role)));
            name(role).to_owned() + count.copied().unwrap_or_default()
        });
        let held: Vec<String> = held.collect();
        if held.is_empty() {
            "なし".to_owned()
        } else {
            held.join("　")
        }
    };
    let border = "+---------------------------+";
    let mut text = format!(
        "手合割：その他\n後手の持駒：{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n{border}\n",
        hand(Color::Black)
    );
    for (rank, label) in (0..9).rev().zip(RANKS) {
        let squares = (0..9).filter_map(|file| Square::new(file, rank));
        let squares = squares.map(|square| match position.get(square) {
            None => " ・".to_owned(),
            Some(piece) => {
                let mark = if piece.color == Color::White {
                    ' '
                } else {
                    'v'
                };
                format!("{mark}{}", Script::Kanji.sign(piece))
            }
        });
        let squares: String = squares.collect();
        let _ = writeln!(text, "|{squares}|{label}");
    }
    let _ = writeln!(text, "{border}\n先手の持駒：{}", hand(Color::White));
    if position.turn() == Color::Black {
        text.push_str("後手番\n");
    }
    text
}

/// Writes a move, after one to the square `last`.
fn line(position: &Position, ply: &Ply, last: Option<Square>) -> String {
    let square = |to: Square| {
        if Some(to) == last {
            return "同　".to_owned();
        }
        let (file, rank) = coordinates(to);
        format!("{}{}", FILES[file], RANKS[rank])
    };
    match *ply {
        Ply::Move {
            from,
            to,
            promotion,
        } => {
            let role = position.get(from).map_or(Role::Pawn, |piece| piece.role);
            let (file, rank) = coordinates(from);
            let becomes = if promotion.is_some() { "成" } else { "" };
            format!(
                "{}{}{becomes}({}{})",
                square(to),
                name(role),
                file + 1,
                rank + 1
            )
        }
        Ply::Drop { role, to } => format!("{}{}打", square(to), name(role)),
        // Shogi has no others.
        _ => position.text(ply),
    }
}

/// Returns the file from Sente's right and the rank from the top, from 0.
fn coordinates(square: Square) -> (usize, usize) {
    let [file, rank] = [square.file().index(), square.rank().index()].map(usize::from);
    (8 - file, 8 - rank)
}

fn name(role: Role) -> &'static str {
    let promoted = if role.is_promoted() { "+" } else { "" };
    kif::name(&format!("{promoted}{}", role.letter()))
}

/// Returns how the match ended, if it is over.
fn end(view: &View<'_>, record: &Record) -> Option<&'static str> {
    let reason = record.outcome().map(|outcome| outcome.reason);
    Some(match (view.score?, reason) {
        (Score::Won(_), Some(Reason::Checkmate)) => "詰み",
        (Score::Won(_), Some(_)) => "反則負け",
        (Score::Won(winner), None) if winner != record.position().turn() => "投了",
        (Score::Drawn, Some(_)) => "千日手",
        (Score::Won(_) | Score::Drawn, None) => "中断",
    })
}

/// The columns of the moves.
const WIDTH: usize = 79;

/// Writes a match of chess.
fn pgn(view: &View<'_>, record: &Record) -> String {
    let details = &view.details;
    let result = view.score.map_or("*", Score::result);
    let [white, black] = &details.players;
    let begun = details.begun.map(|day| day.format("%Y.%m.%d").to_string());
    let mut text = String::new();
    for (tag, value) in [
        ("Event", details.event.as_str()),
        ("Site", ""),
        ("Date", begun.as_deref().unwrap_or("????.??.??")),
        ("Round", ""),
        ("White", white),
        ("Black", black),
        ("Result", result),
    ] {
        let value = if value.is_empty() { "?" } else { value };
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    let start = record.start();
    if start.fen() != start.variant().start().fen() {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", start.fen());
    }
    let mut words = Vec::new();
    let mut number = start.number();
    for (ply, step) in record.steps().iter().enumerate() {
        let Some(position) = record.at(ply) else {
            break;
        };
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if ply == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        // Chess has no move without such a form.
        words.push(position.san(&step.ply).unwrap_or_else(|| step.to_string()));
        if position.turn() == Color::Black {
            number += 1;
        }
    }
    words.push(result.to_owned());
    let moves = textwrap::fill(
        &words.join(" "),
        textwrap::Options::new(WIDTH).word_splitter(textwrap::WordSplitter::NoHyphenation),
    );
    text + "\n" + &moves + "\n"
}
