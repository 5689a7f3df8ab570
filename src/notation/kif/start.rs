//! The lines above the moves of a list in Japanese signs: the players, and the position from which
//! they play.

use std::slice;

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::hand::side;
use crate::notation::diagram::read as diagrams;
use crate::notation::kif::row::{KifSquare, Row};
use crate::notation::positions::find::in_section;
use crate::rules::{Color, Position, Setup, Variant};

/// The lines above the moves.
#[derive(Clone, Default)]
pub(super) struct Heading {
    pub(super) players: [Option<String>; 2],
    pub(super) event: Option<String>,
    pub(super) date: Option<String>,
    /// The handicap as it is written, and its place.
    pub(super) handicap: Option<(String, TextPlace)>,
    turn: Option<Color>,
    /// The number of half-moves before the board.
    pub(super) count: u32,
    /// The target of the move before the board.
    pub(super) last: Option<KifSquare>,
    /// True if anything here begins another match, where one stands above.
    pub(super) is_begun: bool,
}

/// The rows of Gote, who gives the handicap.
const HANDICAPS: [(&str, &str); 20] = [
    ("平手", "lnsgkgsnl/1r5b1"),
    ("香落", "lnsgkgsn1/1r5b1"),
    ("左香落", "lnsgkgsn1/1r5b1"),
    ("右香落", "1nsgkgsnl/1r5b1"),
    ("角落", "lnsgkgsnl/1r7"),
    ("飛車落", "lnsgkgsnl/7b1"),
    ("飛落", "lnsgkgsnl/7b1"),
    ("飛香落", "lnsgkgsn1/7b1"),
    ("二枚落", "lnsgkgsnl/9"),
    ("三枚落", "lnsgkgsn1/9"),
    ("四枚落", "1nsgkgsn1/9"),
    ("五枚落", "2sgkgsn1/9"),
    ("右五枚落", "2sgkgsn1/9"),
    ("左五枚落", "1nsgkgs2/9"),
    ("六枚落", "2sgkgs2/9"),
    ("左七枚落", "2sgkg3/9"),
    ("右七枚落", "3gkgs2/9"),
    ("八枚落", "3gkg3/9"),
    ("九枚落", "4kg3/9"),
    ("十枚落", "4k4/9"),
];

/// The rows of a board without a handicap.
const EVEN: &str = HANDICAPS[0].1;

/// The word for a position that is drawn.
const OTHER: &str = "その他";

impl Heading {
    /// Takes a line that is no move.
    pub(super) fn take(&mut self, row: &Row<'_>, place: TextPlace) {
        let value = |value: &str| Some(value.to_owned()).filter(|value| !value.is_empty());
        match row {
            Row::Header("手合割", found) => self.handicap = Some(((*found).to_owned(), place)),
            Row::Header("棋戦" | "表題", found) => {
                self.event = self.event.take().or(value(found));
            }
            Row::Header("開始日時" | "対局日", found) => self.date = value(found),
            Row::Header("手番", found) => self.turn = side(found).map(|(color, _)| color),
            // Such a line can stand anywhere.
            Row::Header("手数", _) => {}
            Row::Header(key, found) => match side(key) {
                Some((color, "")) => self.players[color.index()] = value(found),
                _ => return,
            },
            Row::Turn(color) => self.turn = Some(*color),
            Row::Count(text) => {
                let digits = text.bytes().take_while(u8::is_ascii_digit).count();
                self.count = text[..digits].parse().unwrap_or(0);
                if let Some((mover, to)) = Row::last_move(&text[digits..]) {
                    self.turn = self.turn.or(mover.map(|mover| !mover));
                    self.last = to;
                }
                return;
            }
            _ => return,
        }
        self.is_begun = true;
    }

    /// Returns the position from which the moves are played. `lines` are those above them, since
    /// the match before.
    ///
    /// # Errors
    ///
    /// If no match can begin so.
    pub(super) fn position(
        &self,
        lines: &[Line<'_>],
        variant: &Variant,
    ) -> Result<Position, Problem> {
        let (handicap, place) = match &self.handicap {
            Some((name, place)) => (name.as_str(), *place),
            None => (
                "",
                TextPlace::new(lines.first().map_or(1, |line| line.number), 1),
            ),
        };
        let board = match drawn(lines, variant) {
            Some(board) => Some(board?),
            None => None,
        };
        if let Some((mut setup, place)) = board {
            setup.turn = self.turn.unwrap_or(setup.turn);
            let position = Position::from_problem(variant, &setup);
            return position.map_err(|error| {
                Problem::error(
                    place,
                    format!("no match can begin from this board: {error}"),
                )
            });
        }
        let name = handicap.trim_end_matches(['ち', '\u{3000}', ' ']);
        let known = HANDICAPS.iter().find(|(known, _)| *known == name);
        let rows = match known {
            Some((_, rows)) => rows,
            None if name.is_empty() => EVEN,
            None => {
                let why = if name == OTHER {
                    "this list begins from a position that it does not draw: draw its board above the moves".to_owned()
                } else {
                    format!("there is no handicap '{handicap}': draw the board above the moves")
                };
                return Err(Problem::error(place, why));
            }
        };
        let turn = if rows == EVEN { 'w' } else { 'b' };
        let fen = format!("{rows}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn}");
        Position::from_fen(variant, &fen).map_err(|error| Problem::error(place, error))
    }
}

/// Returns the last board that lines draw, or else the last SFEN, and its place; none if there is
/// no board.
fn drawn(lines: &[Line<'_>], variant: &Variant) -> Option<Result<(Setup, TextPlace), Problem>> {
    if !lines.iter().any(|line| line.source.contains('|')) {
        let has_ranks = |line: &&Line<'_>| line.text.matches('/').count() >= 8;
        let rows = lines.iter().filter(has_ranks);
        let mut found = rows.flat_map(|line| in_section(slice::from_ref(line), variant, true));
        let position = found.next_back()?;
        return Some(position.map(|position| {
            let turn = position.turn.unwrap_or(Color::White);
            let setup = Setup {
                turn,
                ..position.setup
            };
            (setup, position.place)
        }));
    }
    let (_, found) = diagrams::find(lines, &vec![false; lines.len()], variant, true).pop()?;
    Some(match found {
        Ok(drawn) => {
            let mut setup = Setup::start(variant);
            setup.board = drawn.diagram.board().clone();
            setup.reserves = drawn.diagram.reserves().unwrap_or_default();
            Ok((setup, drawn.place))
        }
        Err(error) => Err(Problem::error(error.place, &error)),
    })
}

/// Returns true if lines draw a board of another position.
pub(super) fn differs(lines: &[Line<'_>], position: &Position) -> Option<Problem> {
    match drawn(lines, position.variant())? {
        Ok((setup, place)) => {
            let is = position.to_setup();
            let is_same = setup.board == is.board && setup.reserves == is.reserves;
            let why = "this board does not show the position after the moves above it";
            (!is_same).then(|| Problem::error(place, why))
        }
        Err(problem) => Some(problem),
    }
}
