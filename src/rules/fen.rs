//! FEN, with reserves in brackets: for people and for other programs.
//!
//! The writer gives every field. The reader wants the board and takes the
//! rest as it comes: fields left out at the end are those of a start. What the
//! board does not suggest of earlier drops (the colours of bishops, pawns that
//! may not go two squares) stands in a seventh field, `B-dark,b-none,e2`,
//! which is left out where there is nothing to say.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::board::{ParseFenError, ParseFenErrorKind, Square, board, owner, piece};
use crate::game::{DoubleStep, Rules};
use crate::piece::{Color, Reserve, Role};
use crate::position::Position;
use crate::sentences::sentences;
use crate::setup::{BishopColors, Setup, SetupError};
use crate::variant::Variant;

impl Setup {
    /// Reads a FEN of the variant: board, `[reserves]` where the game has
    /// them, and as many of side, castling, en passant, clock and number as
    /// there are.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN of the variant's board.
    pub fn from_fen(variant: &Variant, text: &str) -> Result<Setup, ParseFenError> {
        let rules = variant.rules();
        let text = text.trim();
        let (placement, rest) = text.split_at(text.find([' ', '[']).unwrap_or(text.len()));
        let board = board(rules.width, placement)?;
        let (reserves, rest) = reserves(rules, rest.trim_start())?;
        let mut fields = rest.split_whitespace().peekable();
        let turn = match fields.next() {
            None | Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => return Err(ParseFenErrorKind::Turn(other.to_string()).into()),
        };
        let unmoved = castling(rules, fields.next().unwrap_or("-"))?;
        let en_passant = match fields.next() {
            None | Some("-") => None,
            Some(field) => {
                let square = field.parse();
                Some(square.map_err(|_| ParseFenErrorKind::EnPassant(field.to_string()))?)
            }
        };
        let mut number = |kind: fn(String) -> ParseFenErrorKind, default: u32| match fields.next() {
            None => Ok(default),
            Some(field) => match field.parse() {
                Ok(number) if number <= 100_000 => Ok(number),
                _ => Err(kind(field.to_string())),
            },
        };
        let halfmoves = number(ParseFenErrorKind::Halfmoves, 0)?;
        let number = number(ParseFenErrorKind::Number, 1)?.max(1);
        let mut memory = Memory::default();
        let is_remembered =
            rules.bishops_differ || rules.double_step() == DoubleStep::DroppedOnSecondRank;
        if let Some(field) = fields.next_if(|_| is_remembered) {
            for item in field.split(',') {
                memory.read(item)?;
            }
        }
        if let Some(extra) = fields.next() {
            return Err(ParseFenErrorKind::ExtraField(extra.to_string()).into());
        }
        Ok(Setup {
            board,
            reserves,
            turn,
            unmoved,
            en_passant,
            dropped_bishops: memory.bishops,
            single_step_pawns: memory.pawns,
            halfmoves,
            number,
        })
    }

    /// The FEN.
    #[must_use]
    pub fn to_fen(&self, variant: &Variant) -> String {
        let rules = variant.rules();
        let mut fen = self.board.fen();
        if rules.has_reserve() {
            fen.push('[');
            for color in Color::ALL {
                for (role, _) in rules.slots() {
                    for _ in 0..self.reserves[color.index()].count(role) {
                        fen.push(role.of(color).letter());
                    }
                }
            }
            fen.push(']');
        }
        let en_passant = self
            .en_passant
            .map_or_else(|| "-".to_string(), |square| square.to_string());
        let _ = write!(
            fen,
            " {} {} {en_passant} {} {}",
            self.turn.letter(),
            write_castling(rules, self),
            self.halfmoves,
            self.number
        );
        write_memory(self, &mut fen);
        fen
    }
}

sentences! {
    /// The reason why a FEN is no position of a game.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{FenError, Position, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let error = Position::from_fen(&chess, "4k3/8/8/8/8/8/8/8 x").unwrap_err();
    /// assert!(matches!(error, FenError::Text(_)));
    /// let error = Position::from_fen(&chess, "4k3/8/8/8/8/8/8/8 w").unwrap_err();
    /// assert!(matches!(error, FenError::Setup(_)));
    /// assert_eq!(error.to_string(), "White has no king");
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum FenError() {
        /// The text is no FEN of the game.
        Text(error: ParseFenError) => ("{error}"),
        /// The position cannot stand.
        Setup(error: SetupError) => ("{error}"),
    }
}

impl core::error::Error for FenError {}

impl Position {
    /// The position of a FEN.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN of the variant's board, or the position cannot
    /// stand.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Color, Position, Role, Variant};
    ///
    /// let newchess = Variant::find("newchess", &[])?;
    /// let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[RBbn] b - - 0 20";
    /// let position = Position::from_fen(&newchess, fen)?;
    /// assert_eq!(position.reserve(Color::White).count(Role::Rook), 1);
    /// assert_eq!(position.fen(), fen);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fen(variant: &Variant, text: &str) -> Result<Position, FenError> {
        let setup = Setup::from_fen(variant, text).map_err(FenError::Text)?;
        Position::from_setup(variant, &setup).map_err(FenError::Setup)
    }

    /// The FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        self.to_setup().to_fen(self.variant())
    }
}

/// Earlier drops, as a FEN's last field tells them.
#[derive(Default)]
struct Memory {
    bishops: [Option<BishopColors>; 2],
    pawns: Vec<Square>,
}

impl Memory {
    /// Reads `B-dark`, `b-light`, `e2`, or `-` for nothing.
    fn read(&mut self, item: &str) -> Result<(), ParseFenError> {
        let bishops = |rest| BishopColors::from_word(rest).map(Some);
        let read = if item == "-" {
            Some(())
        } else if let Some(rest) = item.strip_prefix("B-") {
            bishops(rest).map(|colors| self.bishops[0] = colors)
        } else if let Some(rest) = item.strip_prefix("b-") {
            bishops(rest).map(|colors| self.bishops[1] = colors)
        } else {
            let square = item.parse().ok();
            square
                .filter(|square| !self.pawns.contains(square))
                .map(|square| self.pawns.push(square))
        };
        read.ok_or_else(|| ParseFenErrorKind::Memory(item.to_string()).into())
    }
}

/// Writes the last field, with the blank before it; nothing where there is
/// nothing to say.
fn write_memory(setup: &Setup, fen: &mut String) {
    let bishops = Color::ALL.into_iter().filter_map(|color| {
        let colors = setup.dropped_bishops[color.index()]?;
        Some(format!("{}-{colors}", Role::Bishop.of(color)))
    });
    let pawns = setup.single_step_pawns.iter().map(|at| format!("{at}"));
    for (i, item) in bishops.chain(pawns).enumerate() {
        fen.push(if i == 0 { ' ' } else { ',' });
        fen.push_str(&item);
    }
}

/// Reads `[RBnp]`, and gives what follows. A game with reserves may leave
/// empty ones out.
fn reserves<'a>(rules: &Rules, text: &'a str) -> Result<([Reserve; 2], &'a str), ParseFenError> {
    let mut reserves = [Reserve::EMPTY; 2];
    let Some(inside) = text.strip_prefix('[') else {
        return Ok((reserves, text));
    };
    let Some((inside, rest)) = inside.split_once(']') else {
        return Err(ParseFenErrorKind::ReservesOpen.into());
    };
    for c in inside.chars().filter(|c| !matches!(c, '-' | ' ')) {
        let piece = piece(c, false)
            .filter(|piece| rules.slots().any(|(role, _)| role == piece.role))
            .ok_or(ParseFenErrorKind::NotInReserve(c))?;
        let reserve = &mut reserves[piece.color.index()];
        if reserve.count(piece.role) >= 18 {
            return Err(ParseFenErrorKind::TooManyInReserve(c).into());
        }
        reserve.add(piece.role);
    }
    Ok((reserves, rest))
}

/// The letters of the castling field, each with the files of the unmoved pieces
/// it names: `KQkq` for king and rook, `E` `A` `H` for one of them that waits
/// for a drop of the other.
const CASTLING: [(char, &[u8], Option<Role>); 10] = [
    ('K', &[4, 7], None),
    ('Q', &[4, 0], None),
    ('k', &[4, 7], None),
    ('q', &[4, 0], None),
    ('E', &[4], Some(Role::Rook)),
    ('e', &[4], Some(Role::Rook)),
    ('A', &[0], Some(Role::King)),
    ('H', &[7], Some(Role::King)),
    ('a', &[0], Some(Role::King)),
    ('h', &[7], Some(Role::King)),
];

fn first_rank(letter: char, files: &[u8]) -> impl Iterator<Item = Square> {
    let rank = owner(letter).rank(0, 8);
    files.iter().map(move |&file| Square::at(file, rank))
}

fn castling(rules: &Rules, field: &str) -> Result<Vec<Square>, ParseFenError> {
    let mut unmoved = Vec::new();
    if field == "-" {
        return Ok(unmoved);
    }
    for letter in field.chars() {
        let (_, files, _) = CASTLING
            .into_iter()
            .find(|(known, ..)| *known == letter && rules.castling)
            .ok_or(ParseFenErrorKind::Castling(letter))?;
        for square in first_rank(letter, files) {
            if !unmoved.contains(&square) {
                unmoved.push(square);
            }
        }
    }
    Ok(unmoved)
}

/// A king alone is named where a rook in reserve can still join it, a rook
/// alone where the king can.
fn write_castling(rules: &Rules, setup: &Setup) -> String {
    let fits = |(letter, files, awaited): &(char, &[u8], Option<Role>)| {
        let reserve = setup.reserves[owner(*letter).index()];
        first_rank(*letter, files).all(|square| setup.unmoved.contains(&square))
            && awaited.is_none_or(|role| reserve.has(role))
    };
    let known = CASTLING.iter().filter(|_| rules.castling);
    let letters = known.filter(|named| fits(named)).map(|named| named.0);
    let field: String = letters.collect();
    if field.is_empty() {
        "-".to_string()
    } else {
        field
    }
}
