//! The positions in a text that a user gives to a command, in every form in which people and
//! programs write them: FEN and SFEN, diagrams, and lists of pieces. Mail is read without this:
//! there a FEN, an address or `White to move` means nothing.

mod boards;
mod fen;
mod words;

use std::ops::Range;

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::{Diagram, LocatedDiagram};
use crate::notation::header::{self, HeaderError, Key, Section};
use crate::notation::judge::{self, GameChoice, Judged};
use crate::notation::moves::MoveEntry;
use crate::notation::parsed_match::{DiagramClaim, ParsedMatch};
use crate::notation::reader::{self, OtherFormat};
use crate::rules::notation::Voice;
use crate::rules::{Color, Game, Position, Setup, SetupError, SetupFault, Variant, games};

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
    /// What was left out of it.
    pub warnings: Vec<Problem>,
    form: Form,
    /// True for a board of eight without reserves and without a name of its game. Whoever has to
    /// play on from it plays chess.
    is_of_eight: bool,
    /// The diagram, if it is one.
    drawn: Option<Box<LocatedDiagram>>,
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
        let own = || Variant::new(game, &[]).unwrap_or_else(|_| self.section.clone());
        if self.is_named || self.section.game().id == game.id {
            self.section.clone()
        } else {
            own()
        }
    }
}

impl LocatedPosition {
    fn new(lines: Range<usize>, place: TextPlace, author: Author, form: Form) -> LocatedPosition {
        let variant = Variant::new(&games::CHESS, &[]);
        let variant = variant.unwrap_or_else(|error| unreachable!("{error}"));
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
            drawn: None,
        }
    }

    /// Returns the position as a diagram, possible or not.
    pub fn diagram(&self) -> Diagram {
        let reserves = self.has_reserves.then_some(self.setup.reserves);
        Diagram::new(&self.variant, self.setup.board.clone(), reserves)
    }

    /// Returns the FEN with this side to move, of a position that is possible or not.
    pub fn fen(&self, turn: Color) -> String {
        let setup = Setup {
            turn,
            ..self.setup.clone()
        };
        setup.to_fen(&self.variant)
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
        let variant = if self.is_of_eight {
            Variant::new(&games::CHESS, &[]).unwrap_or_else(|_| self.variant.clone())
        } else {
            self.variant.clone()
        };
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
                    _ => return Err(self.impossible(&variant, setup, error)),
                }
            }
            if setup == before {
                return Err(error);
            }
            let warning = Problem::warning(self.place, format!("{error}: that is left out"));
            warnings.push(warning);
        }
    }

    /// Returns the error without the rights that could be left out.
    fn impossible(&self, variant: &Variant, mut setup: Setup, error: SetupError) -> SetupError {
        (setup.en_passant, setup.dropped_bishops) = (None, [None; 2]);
        setup.unmoved.clear();
        setup.single_step_pawns.clear();
        Position::from_setup(variant, &setup).err().unwrap_or(error)
    }

    /// Returns why no game can reach the position, whoever is to move.
    pub fn fault(&self) -> Option<SetupError> {
        let sides = self.turn.map_or(Color::ALL.to_vec(), |turn| vec![turn]);
        let mut errors = sides.into_iter().map(|side| self.position(side).err());
        let first = errors.next()??;
        errors.all(|error| error.is_some()).then_some(first)
    }

    /// Judges the position as a match that begins in it.
    pub(crate) fn judged(&self) -> Judged {
        let turn = self.turn.unwrap_or(Color::White);
        let mut problems = self.warnings.clone();
        let position = self.position(turn).or_else(|error| {
            // Whoever is to move may decide whether a check is possible.
            let other = if self.turn.is_none() { !turn } else { turn };
            self.position(other).map_err(|_| error)
        });
        let start = match position {
            Ok((position, left_out)) => {
                problems.extend(left_out);
                position
            }
            Err(error) => {
                let error = format!("no game can reach this position: {error}");
                problems.push(Problem::error(self.place, error));
                self.variant.start()
            }
        };
        let mut game = ParsedMatch::starting(start, Voice::Program);
        for entry in &self.moves {
            game.push_listed(entry.clone());
        }
        if self.moves.is_empty() {
            let drawn = LocatedDiagram::new(self.diagram(), self.author, self.place);
            game.claims.push(DiagramClaim {
                drawn,
                after: None,
                before: None,
            });
        } else {
            // The writing of its moves is that of the form.
            let errors = judge::problems(&game).into_iter();
            problems.extend(errors.filter(Problem::is_error));
        }
        Judged {
            variant: game.record().position().variant().clone(),
            game,
            problems,
        }
    }
}

/// A position, or the error at a text that was meant for one.
pub type Found = Result<LocatedPosition, Problem>;

/// Finds the positions in a text, from the top.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub fn find(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Found>, HeaderError> {
    let sections = match choice {
        GameChoice::Given(variant) => vec![Section {
            lines: 0..lines.len(),
            variant: variant.clone(),
        }],
        GameChoice::Named(default) => header::sections(lines, default)?,
    };
    let mut all = Vec::new();
    for Section {
        lines: range,
        variant,
    } in sections
    {
        let own = &lines[range.clone()];
        let names_game = |line: &Line<'_>| {
            header::read(line).is_some_and(|header| matches!(header.key, Key::Rules | Key::Game))
        };
        let is_named = matches!(choice, GameChoice::Given(_))
            || variant.game().id != header::DEFAULT.id
            || own.iter().any(names_game);
        let mut found = in_section(own, &variant, is_named);
        for position in found.iter_mut().flatten() {
            position.lines = position.lines.start + range.start..position.lines.end + range.start;
        }
        all.extend(found);
    }
    all.truncate(MOST);
    Ok(all)
}

/// Finds the positions of a text that has no list of moves.
///
/// # Errors
///
/// If the text names an unknown game or option.
pub(crate) fn alone(lines: &[Line<'_>], choice: &GameChoice) -> Result<Vec<Found>, HeaderError> {
    let is_foreign = |(format, _)| format != OtherFormat::Usi;
    if OtherFormat::find(lines).is_some_and(is_foreign) {
        return Ok(Vec::new());
    }
    let found = find(lines, choice)?;
    if found.is_empty() {
        return Ok(found);
    }
    let mut rest = lines.to_vec();
    for position in found.iter().flatten() {
        for line in &mut rest[position.lines.clone()] {
            line.text = "";
        }
    }
    let judged = judge::judge(&rest, choice)?;
    Ok(if judged.iter().all(|one| one.game.turns.is_empty()) {
        found
    } else {
        Vec::new()
    })
}

/// Finds the positions of lines that are of one game.
fn in_section(lines: &[Line<'_>], variant: &Variant, is_named: bool) -> Vec<Found> {
    let mut reader = Reader {
        lines,
        taken: reader::unread(lines),
        section: variant,
        is_named,
        unnamed: variant.clone(),
    };
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < lines.len() && found.len() < MOST {
        if reader.taken[at] {
            at += 1;
            continue;
        }
        if let Some((position, end)) = boards::csa(&reader, at) {
            reader.taken[at..end].fill(true);
            found.push(position);
            at = end;
            continue;
        }
        if let Some((position, end)) = words::read(&reader, at) {
            reader.taken[at..end].fill(true);
            found.push(Ok(position));
            at = end;
            continue;
        }
        let before = found.len();
        fen::read(&reader, at, &lines[at], &mut found);
        reader.taken[at] |= found.len() > before;
        at += 1;
    }
    boards::diagrams(&reader, &mut found);
    found.sort_by_key(|one| match one {
        Ok(position) => (position.place.line, position.place.column),
        Err(problem) => (problem.place.line, problem.place.column),
    });
    let mut found = merged(found);
    tell_turns(lines, &mut found);
    found
}

/// Joins a board and the FEN below or above it, if both show one position.
fn merged(found: Vec<Found>) -> Vec<Found> {
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for next in found {
        if let (Some(Ok(last)), Ok(next)) = (merged.last_mut(), &next)
            && last.form != next.form
            && next.lines.start <= last.lines.end + 4
            && last.setup.board == next.setup.board
            && (!last.has_reserves
                || !next.has_reserves
                || last.setup.reserves == next.setup.reserves)
        {
            let lines = last.lines.start..next.lines.end;
            let (place, has_reserves) = (last.place, last.has_reserves);
            if next.form == Form::Fen {
                let reserves = last.setup.reserves;
                *last = next.clone();
                if has_reserves && !last.has_reserves {
                    (last.setup.reserves, last.has_reserves) = (reserves, true);
                }
            }
            (last.lines, last.place) = (lines, place);
            continue;
        }
        merged.push(next);
    }
    merged
}

/// The most lines between a position and the words that say whose turn it is.
const REACH: usize = 6;

/// Tells each position whose turn it is, where words beside it do.
fn tell_turns(lines: &[Line<'_>], found: &mut [Found]) {
    let ranges: Vec<Range<usize>> = found
        .iter()
        .map(|one| match one {
            Ok(position) => position.lines.clone(),
            Err(problem) => {
                let at = lines.partition_point(|line| line.number < problem.place.line);
                at..at + 1
            }
        })
        .collect();
    let told = |range: Range<usize>| {
        let mut range = range;
        range.find_map(|at| words::turn(lines.get(at)?.text))
    };
    let first = ranges.first().map_or(0, |range| range.start);
    let last = ranges.last().map_or(0, |range| range.end);
    let end = lines.len().min(last + REACH);
    let above_first = told(first.saturating_sub(REACH)..first);
    // Where words stand above the first position and not below the last, they head each.
    let are_headings = above_first.is_some() && told(last..end).is_none();
    let mut has_own = false;
    for at in 0..ranges.len() {
        let range = ranges[at].clone();
        let previous = at.checked_sub(1).map_or(0, |at| ranges[at].end);
        let next = ranges.get(at + 1).map_or(lines.len(), |next| next.start);
        let above = previous.max(range.start.saturating_sub(REACH))..range.start;
        let below = range.end..next.min(range.end + REACH);
        let own = told(range);
        let turn = match (own, are_headings) {
            (Some(own), _) => Some(own),
            (None, true) => told(above),
            (None, false) => told(below).or_else(|| told(above).filter(|_| at == 0)),
        };
        has_own |= at > 0 && turn.is_some();
        if let Ok(position) = &mut found[at] {
            position.turn = position.turn.or(turn);
        }
    }
    // One heading may be for all of them.
    if !has_own && are_headings {
        for position in found.iter_mut().flatten() {
            position.turn = position.turn.or(above_first);
        }
    }
}
