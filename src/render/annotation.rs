//! What a poster draws on a board: arrows, circles and light squares.

use std::collections::BTreeMap;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::Error;
use crate::rules::{Rules, Square};

/// The drawings on a board, and the caption below it, as the command line has them.
#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub struct Annotations {
    /// In a picture or a page: draw an arrow, 'e2e4' or 'e2e4:red'. The colours are green (default), red, blue, yellow; repeat the option for more arrows
    #[arg(long = "arrow", value_name = "SQUARES[:COLOR]")]
    pub arrows: Vec<Annotation>,
    /// In a picture or a page: draw a circle on these squares, 'd5' or 'd5,e4:blue'
    #[arg(long = "circle", value_name = "SQUARES[:COLOR]")]
    pub circles: Vec<Annotation>,
    /// In a picture or a page: highlight these squares, 'c3' or 'c3,c4:yellow'
    #[arg(long = "light", value_name = "SQUARES[:COLOR]")]
    pub lights: Vec<Annotation>,
    /// In a picture or a page: write a text below the board, of up to 200 characters
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
    /// In a picture or a page: the place of the letters and numbers of files and ranks [default: out]
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
    /// As in books on shogi: files 9 to 1 above, ranks in Japanese at the right
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

    /// Reads squares, with commas or nothing between them, and perhaps a colour behind a colon.
    fn from_str(text: &str) -> Result<Annotation, String> {
        let (squares, color) = match text.rsplit_once(':') {
            Some((squares, name)) => {
                let color = AnnotationColor::from_str(name, true).map_err(|_| {
                    format!("'{name}' is not a colour here: write green, red, blue or yellow, behind all squares")
                })?;
                (squares, color)
            }
            None => (text, AnnotationColor::default()),
        };
        let pairs = squares.split(',').flat_map(|part| {
            let signs: Vec<char> = part.chars().collect();
            let pairs = signs.chunks(2).map(|pair| pair.iter().collect::<String>());
            let pairs: Vec<String> = if part.is_empty() {
                vec![String::new()]
            } else {
                pairs.collect()
            };
            pairs
        });
        let read: Result<Vec<Square>, _> = pairs.map(|pair| pair.parse()).collect();
        let squares = read
            .map_err(|_| format!("'{squares}' is not a list of squares: write 'e4', or 'd5,e4'"))?;
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
            return Err(Error::usage(format!("this board has no square {square}")));
        }
        let is_arrow = |arrow: &&Annotation| matches!(arrow.squares[..], [from, to] if from != to);
        if !self.arrows.iter().all(|arrow| is_arrow(&arrow)) {
            return Err(Error::usage(
                "an arrow needs two squares, as in '--arrow e2e4'; for more arrows, repeat --arrow",
            ));
        }
        let caption = self.caption().unwrap_or_default();
        if let Some(sign) = caption.chars().find(|sign| !draws(*sign)) {
            return Err(Error::usage(format!(
                "a caption cannot have '{}': it can have Latin letters, digits and common signs",
                sign.escape_debug()
            )));
        }
        if caption.chars().count() > CAPTION {
            return Err(Error::usage(format!(
                "a caption has at most {CAPTION} characters"
            )));
        }
        if self.coords == Some(Coords::Shogi) && rules.width != 9 {
            return Err(Error::usage("'--coords shogi' needs a board of shogi"));
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
            // A soft hyphen, and signs without width.
            (&['\u{ad}', '\u{200b}', '\u{200d}', '\u{feff}'], ""),
        ] {
            caption = caption.replace(signs, plain);
        }
        Some(caption).filter(|caption| !caption.is_empty())
    }

    /// Returns true if there are arrows or circles.
    pub(super) fn has_lines(&self) -> bool {
        !(self.arrows.is_empty() && self.circles.is_empty())
    }

    /// Returns the colours of the light squares by their names.
    pub(super) fn light_squares(&self) -> BTreeMap<String, &'static str> {
        let lights = self.lights.iter().flat_map(|light| {
            let squares = light.squares.iter();
            squares.map(|square| (square.to_string(), light.color.hex()))
        });
        lights.collect()
    }
}

/// The length of a caption, in characters.
const CAPTION: usize = 200;
