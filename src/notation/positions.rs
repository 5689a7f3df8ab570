//! The positions in a text that a user gives to a command, in every form in which people and
//! programs write them: FEN and SFEN, diagrams, and lists of pieces. Mail is read without this:
//! there a FEN, an address or `White to move` means nothing.

pub mod alone;
mod boards;
pub(crate) mod fen;
pub mod find;
mod words;

use std::ops::Range;

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::{Diagram, LocatedDiagram};
use crate::notation::header;
use crate::notation::moves::MoveEntry;
use crate::rules::{Color, Game, Position, Role, Setup, SetupError, SetupFault, Variant, games};

/// The most positions that are read of one text.
const MOST: usize = 10_000;

/// A position in a text.
#[derive(Clone, Debug)]
pub struct LocatedPosition {
    /// Its lines, counted from 0.
    pub lines: Range<usize>,
    /// The place of its first sign.
    pub place: TextPlace,
    /// The author of its first line.
    pub author: Author,
    /// The game with its options.
    pub variant: Variant,
    /// The position, which may be impossible. Its turn counts only if [`Self::turn`] tells it.
    pub setup: Setup,
    /// True if the text tells the reserves, empty ones, too.
    pub has_reserves: bool,
    /// The side to move, if the text tells it.
    pub turn: Option<Color>,
    /// The moves behind it in a command to an engine.
    pub moves: Vec<MoveEntry>,
    /// Warnings about the parts that were left out.
    pub warnings: Vec<Problem>,
    form: Form,
    /// True for a board of eight without reserves and without a name of its game. A command that
    /// plays on from it plays chess.
    is_of_eight: bool,
}

/// The form of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Fen,
    Board,
}

/// The lines of one game, and what is read of them.
struct Reader<'t> {
    lines: &'t [Line<'t>],
    taken: Vec<bool>,
    section: &'t Variant,
    /// True if the user or the text names the game.
    is_named: bool,
    /// The game of pieces in words where none is named.
    unnamed: Variant,
}

/// Returns a game without options.
pub(super) fn plain(game: &Game) -> Variant {
    header::variant(game, "").unwrap_or_else(|error| unreachable!("{error}"))
}

impl Reader<'_> {
    /// Returns the game of a position of this width; where none is named, this one.
    fn variant(&self, width: u8, game: &'static Game) -> Result<Variant, String> {
        let is_fit = self.section.rules().width == width;
        if self.is_named && !is_fit {
            let (name, has) = (self.section.game().name, self.section.rules().width);
            return Err(format!(
                "this board has {width} ranks, and that of {name} has {has}"
            ));
        }
        Ok(self.variant_or(game))
    }

    /// Returns the game that is named, or else this one.
    fn variant_or(&self, game: &'static Game) -> Variant {
        if self.is_named || self.section.game().id == game.id {
            self.section.clone()
        } else {
            plain(game)
        }
    }
}

impl LocatedPosition {
    fn new(lines: Range<usize>, place: TextPlace, author: Author, form: Form) -> LocatedPosition {
        let variant = plain(&games::CHESS);
        LocatedPosition {
            lines,
            place,
            author,
            setup: Setup::start(&variant),
            variant,
            has_reserves: true,
            turn: None,
            moves: Vec::new(),
            warnings: Vec::new(),
            form,
            is_of_eight: false,
        }
    }

    /// Returns the position as a diagram, possible or not.
    pub fn diagram(&self) -> Diagram {
        let reserves = self.has_reserves.then_some(self.setup.reserves);
        Diagram::new(&self.variant, self.setup.board.clone(), reserves)
    }

    /// Returns the position as a diagram with its place.
    pub(super) fn drawn(&self) -> LocatedDiagram {
        LocatedDiagram::new(self.diagram(), self.author, self.place)
    }

    /// Returns the game that goes on from the position.
    fn played(&self) -> Variant {
        if self.is_of_eight {
            plain(&games::CHESS)
        } else {
            self.variant.clone()
        }
    }

    /// Returns true if in chess both kings stand on the home row of the other side.
    fn has_kings_across(&self) -> bool {
        let stands = |color, rank| {
            let king =
                (self.setup.board.pieces()).find(|(_, piece)| *piece == Role::King.of(color));
            king.is_some_and(|(square, _)| square.rank().digit() == rank)
        };
        let is_chess = self.played().game().id == games::CHESS.id;
        is_chess && stands(Color::White, '8') && stands(Color::Black, '1')
    }

    /// Returns the FEN with this side to move, of a position that is possible or not.
    pub fn fen(&self, turn: Color) -> String {
        let setup = Setup {
            turn,
            ..self.setup.clone()
        };
        setup.to_fen(&self.played())
    }

    /// Returns the position with this side to move, and what had to be left out: a right to
    /// castle or to capture en passant that the board does not bear out.
    ///
    /// # Errors
    ///
    /// If no game can reach it.
    pub fn position(&self, turn: Color) -> Result<(Position, Vec<Problem>), SetupError> {
        let mut setup = Setup {
            turn,
            ..self.setup.clone()
        };
        let variant = self.played();
        let mut warnings = Vec::new();
        loop {
            let error = match Position::from_setup(&variant, &setup) {
                Ok(position) => return Ok((position, warnings)),
                Err(error) => error,
            };
            let before = setup.clone();
            for fault in error.faults() {
                match fault {
                    SetupFault::Castling(square) => setup.unmoved.retain(|other| other != square),
                    SetupFault::EnPassant(_) | SetupFault::NoEnPassant => setup.en_passant = None,
                    SetupFault::BishopColors => setup.dropped_bishops = [None; 2],
                    SetupFault::SingleStep(square) => {
                        setup.single_step_pawns.retain(|other| other != square);
                    }
                    _ => {}
                }
            }
            if setup == before {
                return Err(error);
            }
            let warning = Problem::warning(self.place, format!("{error}: that is left out"));
            warnings.push(warning);
        }
    }

    /// Returns why no game can reach the position with either side to move.
    pub fn fault(&self) -> Option<SetupError> {
        let sides = self.turn.map_or(Color::ALL.to_vec(), |turn| vec![turn]);
        let mut errors = sides.into_iter().map(|side| self.position(side).err());
        let first = errors.next()??;
        errors.all(|error| error.is_some()).then_some(first)
    }
}

/// A position, or the error at a text that was meant for one.
pub type Found = Result<LocatedPosition, Problem>;
