//! FEN, with reserves in brackets: for people and for other programs.
//!
//! The writer gives every field. The reader wants the board and takes the
//! rest as it comes: fields left out at the end are those of a start. What a
//! FEN does not tell (bishop colours, pawns that have lost their double step)
//! only a list of moves does.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::game::Rules;
use crate::piece::{Color, Piece, Role};
use crate::ply::Side;
use crate::reserve::Reserve;
use crate::setup::Setup;
use crate::shown::shown;
use crate::square::Square;
use crate::state::castling_path;

/// A text that is no FEN of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFenError {
    message: String,
}

impl ParseFenError {
    fn new(message: String) -> ParseFenError {
        ParseFenError { message }
    }
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ParseFenError {}

pub(crate) fn read(rules: &Rules, text: &str) -> Result<Setup, ParseFenError> {
    let text = text.trim();
    let (placement, rest) = text.split_at(text.find([' ', '[']).unwrap_or(text.len()));
    let board = board(rules.width, placement)?;
    let (reserves, rest) = reserves(rules, rest.trim_start())?;
    let mut fields = rest.split_whitespace();
    let turn = match fields.next() {
        None | Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => {
            return Err(ParseFenError::new(format!(
                "the side to move is w or b, not '{}'",
                shown(other)
            )));
        }
    };
    let unmoved = castling(rules, fields.next().unwrap_or("-"))?;
    let en_passant = match fields.next() {
        None | Some("-") => None,
        Some(field) => Some(field.parse().map_err(|_| {
            ParseFenError::new(format!(
                "the en passant square '{}' is no square",
                shown(field)
            ))
        })?),
    };
    let mut number = |name: &str, default: u32| match fields.next() {
        None => Ok(default),
        Some(field) => match field.parse() {
            Ok(number) if number <= 100_000 => Ok(number),
            _ => Err(ParseFenError::new(format!(
                "{name} '{}' is no number",
                shown(field)
            ))),
        },
    };
    let halfmoves = number("the halfmove clock", 0)?;
    let number = number("the move number", 1)?.max(1);
    if let Some(extra) = fields.next() {
        return Err(ParseFenError::new(format!(
            "'{}' is one field too many",
            shown(extra)
        )));
    }
    Ok(Setup {
        board,
        reserves,
        turn,
        unmoved,
        en_passant,
        halfmoves,
        number,
    })
}

/// Reads the first field.
pub(crate) fn board(width: u8, text: &str) -> Result<Board, ParseFenError> {
    let mut board = Board::empty(width);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(width) {
        return Err(ParseFenError::new(format!(
            "the board has {} row{} instead of {width}",
            rows.len(),
            if rows.len() == 1 { "" } else { "s" }
        )));
    }
    for (rank, row) in (0..width).rev().zip(rows) {
        let mut file = 0;
        let mut promoted = false;
        for c in row.chars() {
            if c == '+' && !promoted {
                promoted = true;
                continue;
            }
            if let Some(blank) = c.to_digit(10).filter(|&n| n > 0 && !promoted) {
                file += blank;
                continue;
            }
            let piece = piece(c, promoted)
                .ok_or_else(|| ParseFenError::new(format!("'{}' is no piece", sign(c))))?;
            let at = u8::try_from(file).unwrap_or(u8::MAX);
            if at < width {
                board.set(Square::new(at, rank), Some(piece));
            }
            promoted = false;
            file += 1;
        }
        if promoted || file != u32::from(width) {
            return Err(ParseFenError::new(format!(
                "the row '{}' does not have {width} squares",
                shown(row)
            )));
        }
    }
    Ok(board)
}

fn sign(c: char) -> String {
    shown(c.encode_utf8(&mut [0; 4]))
}

fn piece(letter: char, promoted: bool) -> Option<Piece> {
    let role = Role::from_letter(letter)?;
    Some(Piece {
        color: if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        },
        role: if promoted { role.promoted()? } else { role },
    })
}

/// Reads `[RBnp]`, and gives what follows. A game with reserves may leave
/// empty ones out.
fn reserves<'a>(rules: &Rules, text: &'a str) -> Result<([Reserve; 2], &'a str), ParseFenError> {
    let mut reserves = [Reserve::EMPTY; 2];
    let Some(inside) = text.strip_prefix('[') else {
        return Ok((reserves, text));
    };
    let Some((inside, rest)) = inside.split_once(']') else {
        return Err(ParseFenError::new("the reserves lack their ']'".into()));
    };
    for c in inside.chars().filter(|c| !matches!(c, '-' | ' ')) {
        let piece = piece(c, false)
            .filter(|piece| rules.slots().any(|(role, _)| role == piece.role))
            .ok_or_else(|| {
                ParseFenError::new(format!("'{}' can't be in reserve in this game", sign(c)))
            })?;
        let reserve = &mut reserves[piece.color.index()];
        if reserve.count(piece.role) >= 18 {
            return Err(ParseFenError::new(format!("too many '{c}' in reserve")));
        }
        reserve.add(piece.role);
    }
    Ok((reserves, rest))
}

/// The letters of the castling field, each with the unmoved squares it names:
/// `KQkq` for king and rook, `E` `A` `H` for one of them that waits for a
/// drop of the other.
fn castling_letters() -> impl Iterator<Item = (char, Vec<Square>)> {
    let squares = |letter, color, side, places: &[usize]| {
        let path = castling_path(color, side);
        let named = places.iter().map(|&i| <u64 as Bitboard>::square(path[i]));
        let letter = match color {
            Color::White => letter,
            Color::Black => char::to_ascii_lowercase(&letter),
        };
        (letter, named.collect::<Vec<_>>())
    };
    let both = Color::ALL.into_iter().flat_map(move |color| {
        [('K', Side::King), ('Q', Side::Queen)]
            .map(|(letter, side)| squares(letter, color, side, &[0, 1]))
    });
    let kings = Color::ALL.map(|color| squares('E', color, Side::King, &[0]));
    let rooks = Color::ALL.into_iter().flat_map(move |color| {
        [('A', Side::Queen), ('H', Side::King)]
            .map(|(letter, side)| squares(letter, color, side, &[1]))
    });
    both.chain(kings).chain(rooks)
}

fn castling(rules: &Rules, field: &str) -> Result<Vec<Square>, ParseFenError> {
    let mut unmoved = Vec::new();
    if field == "-" {
        return Ok(unmoved);
    }
    for letter in field.chars() {
        let named = castling_letters()
            .find(|(known, _)| *known == letter)
            .filter(|_| rules.castling)
            .ok_or_else(|| {
                ParseFenError::new(format!("'{}' is no right to castle", sign(letter)))
            })?;
        for square in named.1 {
            if !unmoved.contains(&square) {
                unmoved.push(square);
            }
        }
    }
    Ok(unmoved)
}

pub(crate) fn write(rules: &Rules, setup: &Setup) -> String {
    let mut fen = String::new();
    for rank in (0..rules.width).rev() {
        let mut blank = 0;
        for file in 0..rules.width {
            if let Some(piece) = setup.board.get(Square::new(file, rank)) {
                if blank > 0 {
                    let _ = write!(fen, "{blank}");
                }
                blank = 0;
                let _ = write!(fen, "{piece}");
            } else {
                blank += 1;
            }
        }
        if blank > 0 {
            let _ = write!(fen, "{blank}");
        }
        if rank > 0 {
            fen.push('/');
        }
    }
    if rules.has_reserve() {
        fen.push('[');
        for color in Color::ALL {
            for (role, _) in rules.slots() {
                for _ in 0..setup.reserves[color.index()].count(role) {
                    fen.push(Piece { color, role }.letter());
                }
            }
        }
        fen.push(']');
    }
    let en_passant = setup
        .en_passant
        .map_or_else(|| String::from("-"), |square| format!("{square}"));
    let _ = write!(
        fen,
        " {} {} {en_passant} {} {}",
        setup.turn.letter(),
        write_castling(rules, setup),
        setup.halfmoves,
        setup.number
    );
    fen
}

/// A king alone is named where a rook in reserve can still join it, a rook
/// alone where the king can.
fn write_castling(rules: &Rules, setup: &Setup) -> String {
    let mut field = String::new();
    if rules.castling {
        for (letter, squares) in castling_letters() {
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let awaited = match letter.to_ascii_uppercase() {
                'E' => Some(Role::Rook),
                'A' | 'H' => Some(Role::King),
                _ => None,
            };
            let reserve = setup.reserves[color.index()];
            if squares.iter().all(|square| setup.unmoved.contains(square))
                && awaited.is_none_or(|role| reserve.has(role))
            {
                field.push(letter);
            }
        }
    }
    if field.is_empty() {
        field.push('-');
    }
    field
}
