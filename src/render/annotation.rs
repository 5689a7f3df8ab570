//! What a poster draws on a board: arrows, circles and light squares.

use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::Error;
use crate::rules::{Rules, Square};

/// The drawings on a board, and the caption below it, as the command line has them.
#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub struct Annotations {
    /// In a picture or a page: an arrow, 'e2e4' or 'e2e4:red'; may be given several times
    #[arg(long = "arrow", value_name = "SQUARES[:COLOR]")]
    pub arrows: Vec<Annotation>,
    /// In a picture or a page: a circle around each of these squares, 'd5' or 'd5,e4:blue'
    #[arg(long = "circle", value_name = "SQUARES[:COLOR]")]
    pub circles: Vec<Annotation>,
    /// In a picture or a page: another colour for each of these squares, 'c3,c4:yellow'
    #[arg(long = "light", value_name = "SQUARES[:COLOR]")]
    pub lights: Vec<Annotation>,
    /// In a picture or a page: a line of text below the board
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
    /// In a picture or a page: where files and ranks are written [default: out]
    #[arg(long, value_name = "WHERE", value_enum)]
    pub coords: Option<Coords>,
}

/// The place of the names of files and ranks.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Coords {
    /// Left of the board and below it
    #[default]
    Out,
    /// In the corners of squares
    In,
    /// Nowhere
    None,
    /// As books on shogi have them: 9 to 1 above, in Japanese at the right
    Shogi,
}

/// Squares with a colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub(super) squares: Vec<Square>,
    pub(super) color: AnnotationColor,
}

/// The colour of a drawing on a board.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AnnotationColor {
    /// The colour where none is named
    #[default]
    Green,
    /// For a threat
    Red,
    /// For another idea
    Blue,
    /// For a third one
    Yellow,
}

impl AnnotationColor {
    /// Returns the colour, which stands out from light and dark boards.
    pub(super) fn hex(self) -> &'static str {
        match self {
            AnnotationColor::Green => "#1d8a2a",
            AnnotationColor::Red => "#d2291f",
            AnnotationColor::Blue => "#1f63c4",
            AnnotationColor::Yellow => "#ffd400",
        }
    }
}

impl FromStr for Annotation {
    type Err = String;

    /// Reads squares, with commas, hyphens or nothing between them, and perhaps a colour.
    fn from_str(text: &str) -> Result<Annotation, String> {
        let (squares, color) = text.split_once(':').unwrap_or((text, ""));
        let color = match color {
            "" => AnnotationColor::default(),
            name => AnnotationColor::from_str(name, true).map_err(|_| {
                format!("'{name}' is not one of the colours green, red, blue and yellow")
            })?,
        };
        let signs: Vec<char> = squares
            .chars()
            .filter(|sign| !matches!(sign, ',' | '-' | ' '))
            .collect();
        let squares = signs.chunks(2).map(|pair| {
            let name: String = pair.iter().collect();
            let square = name.parse();
            square.map_err(|_| format!("'{name}' is not a square; write one like 'e4'"))
        });
        let squares: Vec<Square> = squares.collect::<Result<_, _>>()?;
        if squares.is_empty() {
            return Err("there is no square; write one like 'e4'".to_owned());
        }
        Ok(Annotation { squares, color })
    }
}

impl Annotations {
    /// Checks that everything is on the board of a game, and can be drawn.
    ///
    /// # Errors
    ///
    /// If a square is not on the board, an arrow has not two different ends, the caption has a sign
    /// that cannot be drawn, or the game has no coordinates of that kind.
    pub(super) fn check(&self, rules: &Rules, draws: impl Fn(char) -> bool) -> Result<(), Error> {
        let on_squares = [&self.arrows, &self.circles, &self.lights];
        let mut squares = on_squares
            .into_iter()
            .flatten()
            .flat_map(|one| &one.squares);
        let is_off = |square: &&Square| {
            square.file().index() >= rules.width || square.rank().index() >= rules.width
        };
        if let Some(square) = squares.find(is_off) {
            return Err(Error::usage(format!("{square} is not on this board")));
        }
        let is_arrow = |arrow: &&Annotation| matches!(arrow.squares[..], [from, to] if from != to);
        if !self.arrows.iter().all(|arrow| is_arrow(&arrow)) {
            return Err(Error::usage(
                "an arrow leads from one square to another, as in '--arrow e2e4'",
            ));
        }
        let caption = self.caption().unwrap_or_default();
        if let Some(sign) = caption.chars().find(|sign| !draws(*sign)) {
            return Err(Error::usage(format!(
                "a caption cannot have '{}': it takes Latin letters, digits and common signs",
                sign.escape_debug()
            )));
        }
        if caption.chars().count() > CAPTION {
            return Err(Error::usage(format!(
                "a caption has at most {CAPTION} characters"
            )));
        }
        if self.coords == Some(Coords::Shogi) && rules.width != 9 {
            return Err(Error::usage("'--coords shogi' is for a board of shogi"));
        }
        Ok(())
    }

    /// Returns the caption on one line, with plain signs for typographic ones; none if it is empty.
    pub(super) fn caption(&self) -> Option<String> {
        let words: Vec<&str> = self.caption.as_deref()?.split_whitespace().collect();
        let mut caption = words.join(" ");
        for (signs, plain) in [
            (&['\u{2010}', '\u{2011}', '–', '—', '−'][..], "-"),
            (&['“', '”', '„', '«', '»'], "\""),
            (&['‘', '’', '‚'], "'"),
            (&['…'], "..."),
        ] {
            caption = caption.replace(signs, plain);
        }
        Some(caption).filter(|caption| !caption.is_empty())
    }

    /// Returns true if something is drawn on the board.
    pub(super) fn has_drawings(&self) -> bool {
        !(self.arrows.is_empty() && self.circles.is_empty() && self.lights.is_empty())
    }
}

/// The length of a caption, in characters.
const CAPTION: usize = 200;
