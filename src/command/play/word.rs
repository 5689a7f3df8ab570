//! What can be typed at the prompt of `parapost play`: words, among them the forms of the board;
//! everything else is a move.

use clap::ValueEnum;

use crate::command::context::Context;
use crate::notation::diagram::{Diagram, DiagramStyle, Script};
use crate::rules::{Color, Position, Rules};
use crate::suggest::nearest;

/// Defines the words from one table, with what each does.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $also:expr, $does:literal;)*) => {
        /// A word that is typed alone.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Word {
            $($(#[$doc])* $name,)*
        }

        impl Word {
            /// The words with what they do, in the order in which `help` lists them.
            pub(super) const ALL: &[(Word, &str, &str)] = &[$((Word::$name, $word, $does)),*];

            fn named(text: &str) -> Option<Word> {
                $(
                    let also: &[&str] = &$also;
                    if text == $word || also.contains(&text) {
                        return Some(Word::$name);
                    }
                )*
                None
            }
        }
    };
}

words! {
    /// The legal moves.
    Legal = "legal", [], "lists the legal moves";
    /// A move that the program would play.
    Hint = "hint", [], "names a good move";
    /// The last move of each side is taken back.
    Undo = "undo", ["takeback", "back"], "takes your last move back, and the answer to it";
    /// The board again.
    Board = "board", [], "shows the board; 'board unicode', 'board coords' and 'board diagram' change its form";
    /// The moves so far.
    Moves = "moves", ["list"], "lists the moves so far";
    /// The rules of the game.
    Rules = "rules", [], "tells the rules of the game";
    /// A draw is claimed, accepted or offered.
    Draw = "draw", [], "claims a draw where the rules give one, or else offers or accepts one";
    /// The player resigns.
    Resign = "resign", [], "ends the match: you lose";
    /// Where the match is kept.
    Save = "save", [], "says where the match is kept; each move is, at once";
    /// The words.
    Help = "help", ["?"], "lists these words";
    /// The match goes on another time.
    Quit = "quit", ["exit", "q", "bye"], "ends the program; the match goes on another time";
}

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed<'t> {
    /// Nothing.
    Nothing,
    /// A word.
    Word(Word),
    /// Another form of the board.
    Form(BoardForm),
    /// A form of the board that there is not.
    UnknownForm(&'t str),
    /// What should be a move.
    Move(&'t str),
}

impl Typed<'_> {
    /// Reads a line.
    pub(super) fn of(line: &str) -> Typed<'_> {
        let text = line.trim();
        let small = text.to_lowercase();
        if text.is_empty() {
            return Typed::Nothing;
        }
        if let Some(word) = Word::named(&small) {
            return Typed::Word(word);
        }
        match text.split_once(char::is_whitespace) {
            Some((first, form)) if first.eq_ignore_ascii_case("board") => {
                let form = form.trim();
                BoardForm::from_str(form, true).map_or(Typed::UnknownForm(form), Typed::Form)
            }
            _ => Typed::Move(text),
        }
    }
}

/// A sign in a move, as the moves of a match are shown.
pub(super) struct Sign {
    pub(super) text: &'static str,
    /// Its meaning, as a clause.
    pub(super) means: &'static str,
    /// True for a mark behind a move that is explained when it is first shown. The sign of
    /// checkmate is not: how the match ended is told right behind it.
    is_explained: bool,
    /// True if moves of a game can have it.
    is_in: fn(&Rules) -> bool,
}

const SIGNS: [Sign; 7] = {
    const fn sign(text: &'static str, means: &'static str) -> Sign {
        Sign {
            text,
            means,
            is_explained: false,
            is_in: |_| true,
        }
    }
    [
        Sign {
            is_in: Rules::has_reserve,
            ..sign(">", "places a piece from the reserve")
        },
        sign("-", "moves a piece"),
        sign("x", "captures"),
        sign("=", "promotes"),
        Sign {
            is_explained: true,
            ..sign("+", "check, which has to be answered")
        },
        sign("#", "checkmate"),
        Sign {
            is_explained: true,
            is_in: |rules| rules.king_before_capture,
            ..sign(
                "!+",
                "virtual check, by a side whose own king is still in reserve: it binds nobody",
            )
        },
    ]
};

/// Returns the signs that moves of a game can have.
pub(super) fn signs(rules: &Rules) -> impl Iterator<Item = &'static Sign> {
    SIGNS.iter().filter(|sign| (sign.is_in)(rules))
}

/// Returns the marks behind the moves of a line that are explained when they are first shown.
pub(super) fn marks(line: &str) -> impl Iterator<Item = &'static Sign> {
    let marks = SIGNS.iter().filter(|sign| sign.is_explained);
    marks.filter(|sign| {
        let mut words = line.split([' ', '\n', ',']);
        words.any(|word| word == sign.text)
    })
}

/// Lists words or signs, each with what it does or means, in lines of at most so many columns.
pub(super) fn listed(words: &[(&str, &str)], columns: usize) -> String {
    let widths = words.iter().map(|(word, _)| word.len());
    let width = widths.max().unwrap_or_default();
    let indent = " ".repeat(width + 4);
    let layout = textwrap::Options::new(columns)
        .subsequent_indent(&indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines = words.iter().map(|(word, does)| {
        let line = format!("  {word:<width$}  {does}");
        textwrap::fill(&line, &layout) + "\n"
    });
    lines.collect()
}

/// Returns the word that was probably meant by what is no move.
pub(super) fn meant(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = Word::ALL.iter().map(|(_, word, _)| *word).collect();
    let is_word = text.len() > 2 && text.chars().all(char::is_alphabetic);
    nearest(text, &words).filter(|_| is_word)
}

/// A form of the board at the prompt.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoardForm {
    /// The diagram of the 1994 format
    Diagram,
    /// The same from your side, with files and ranks at the edges
    Coords,
    /// That with figurines or the characters of shogi
    Unicode,
}

impl BoardForm {
    /// Draws the board and the reserves, for a player of this side.
    pub(super) fn draw(self, position: &Position, side: Color, context: &Context<'_>) -> String {
        let is_plain = self == BoardForm::Diagram;
        let script = match self {
            BoardForm::Unicode => Script::beyond_ascii(position.variant().rules()),
            BoardForm::Diagram | BoardForm::Coords => Script::default(),
        };
        Diagram::of(position).draw(DiagramStyle {
            script,
            has_edges: !is_plain,
            is_flipped: !is_plain && side == Color::Black,
            is_painted: context.out.is_on(),
            room: context.room(),
            ..DiagramStyle::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_moves() {
        for (line, typed) in [
            ("", Typed::Nothing),
            (" \t", Typed::Nothing),
            ("help", Typed::Word(Word::Help)),
            (" Undo ", Typed::Word(Word::Undo)),
            ("?", Typed::Word(Word::Help)),
            ("board", Typed::Word(Word::Board)),
            ("board  Unicode", Typed::Form(BoardForm::Unicode)),
            ("board big", Typed::UnknownForm("big")),
            ("b2", Typed::Move("b2")),
            ("resign now", Typed::Move("resign now")),
            (" 1. P>e3 ", Typed::Move("1. P>e3")),
        ] {
            assert_eq!(Typed::of(line), typed, "{line:?}");
        }
    }

    #[test]
    fn a_word_that_is_misspelt_is_found_and_a_move_is_none() {
        for (text, word) in [
            ("hlep", Some("help")),
            ("resing", Some("resign")),
            ("P>e3", None),
            ("e4", None),
            ("bxc", None),
        ] {
            assert_eq!(meant(text), word, "{text}");
        }
    }
}
