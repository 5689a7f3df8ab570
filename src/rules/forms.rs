//! The forms of a move: the canonical one, that of the 1994 post, written, and played
//! directly; and those of other programs, SAN, UCI and USI.
//!
//! The moves of a record are canonical and legal, save for damage. The general reader
//! ([`crate::Position::interpret`]) gathers every meaning of a text, and then asks for its
//! canonical form: each time it generates the moves to the target again. The direct way
//! generates them once, and the text must be exactly what [`crate::Position::text`] would
//! write; whatever differs is left to the general reader, which has the words for it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

use crate::board::{self, File, Rank, Square};
use crate::game::Promotion;
use crate::movegen::{self, Each, Wanted};
use crate::movetext::OriginText;
use crate::outcome::Mark;
use crate::piece::{Color, Piece, Role};
use crate::ply::{Placement, Ply, Side};
use crate::position::Position;
use crate::state::{IndexedPly, State, on_board};
use crate::tables::{Bitboard, Tables};

#[cfg(test)]
#[path = "tests/inside/against_reader.rs"]
mod against_reader;

impl Position {
    /// The canonical form of a legal ply, without its mark.
    #[must_use]
    pub fn text(&self, ply: &Ply) -> String {
        self.write(ply, false)
    }

    /// The canonical form of a legal ply, but with every origin in full:
    /// `Ng1-f3`, the same whatever else could go there.
    #[must_use]
    pub fn long_text(&self, ply: &Ply) -> String {
        self.write(ply, true)
    }

    fn write(&self, ply: &Ply, is_long: bool) -> String {
        match *ply {
            Ply::Castle(Side::King) => "O-O".to_string(),
            Ply::Castle(Side::Queen) => "O-O-O".to_string(),
            Ply::Drop { role, to } => self.drop_text(role, to),
            Ply::Relocation { role, to, pawn } => format!("{}/{pawn}", self.drop_text(role, to)),
            Ply::Placement(placement) => {
                let drops = placement.drops().map(|(role, to)| self.drop_text(role, to));
                drops.collect::<Vec<_>>().join(",")
            }
            Ply::Move {
                from,
                to,
                promotion,
            } => self.move_text(from, to, promotion, is_long),
        }
    }

    fn drop_text(&self, role: Role, to: Square) -> String {
        format!("{}>{to}", role.of(self.turn()))
    }

    fn move_text(&self, from: Square, to: Square, into: Option<Role>, is_long: bool) -> String {
        let Some(piece) = self.get(from) else {
            return format!("{from}-{to}");
        };
        let origin = if is_long {
            OriginText::Square(from)
        } else {
            self.needed_origin(piece.role, from, to, into)
        };
        let (sign, behind) = match (self.is_en_passant(from, to), self.get(to)) {
            (true, _) => ('x', "ep"),
            (false, Some(_)) => ('x', ""),
            (false, None) => ('-', ""),
        };
        let mut text = format!("{piece}{origin}{sign}{to}{behind}");
        if let Some(role) = into {
            let _ = write!(text, "={}", role.of(piece.color));
        }
        text
    }

    /// Returns true if a legal move of a pawn onto an empty square of another file
    /// takes en passant: in no other way does it get there.
    pub(crate) fn is_en_passant(&self, from: Square, to: Square) -> bool {
        from.file() != to.file()
            && self.get(to).is_none()
            && self.has_chess_pawns()
            && self.get(from).is_some_and(|p| p.role == Role::Pawn)
    }

    /// The origin of a legal move that is written.
    fn needed_origin(
        &self,
        role: Role,
        from: Square,
        to: Square,
        into: Option<Role>,
    ) -> OriginText {
        let moves = self.moves_to(to, Some(role));
        let others = moves.iter().filter_map(|ply| match *ply {
            Ply::Move {
                from: other,
                promotion,
                ..
            } if promotion == into && other != from => Some(other),
            _ => None,
        });
        needed_origin(from, others)
    }

    /// A form of a legal ply that can be read in one way only: without a small
    /// letter that could be a file.
    pub(crate) fn unmistakable(&self, ply: &Ply) -> String {
        let text = self.text(ply);
        if let Ply::Move { from, to, .. } = ply
            && self.has_chess_pawns()
            && self.get(*from).is_some_and(|p| p.role == Role::Pawn)
            && from.file() != to.file()
        {
            let (piece, rest) = text.split_at(1);
            let file = from.file();
            let rest = rest.strip_prefix(file.letter()).unwrap_or(rest);
            return format!("{piece}{file}{rest}");
        }
        match text.chars().next() {
            Some('b' | 'g') => {
                let (piece, rest) = text.split_at(1);
                format!("{}{rest}", piece.to_ascii_uppercase())
            }
            _ => text,
        }
    }
}

/// The file if that tells the piece from all others that could make the same move, else
/// the rank, else both; nothing if there are no others.
fn needed_origin(from: Square, others: impl Iterator<Item = Square>) -> OriginText {
    let (mut is_alone, mut by_file, mut by_rank) = (true, true, true);
    for other in others {
        is_alone = false;
        by_file &= other.file() != from.file();
        by_rank &= other.rank() != from.rank();
    }
    match (is_alone, by_file, by_rank) {
        (true, ..) => OriginText::Nothing,
        (_, true, _) => OriginText::File(from.file()),
        (_, _, true) => OriginText::Rank(from.rank()),
        _ => OriginText::Square(from),
    }
}

/// A move on the board as canonical text tells it.
struct BoardMove {
    piece: Piece,
    origin: OriginText,
    captures: bool,
    to: Square,
    en_passant: bool,
    into: Option<Role>,
}

impl Position {
    /// The legal ply whose canonical form, without its mark, is exactly this text, and
    /// the position after it; none if there is no such ply.
    pub(crate) fn play_canonical(&self, text: &str) -> Option<(Ply, Position)> {
        if let Some(ply) = other_than_board_move(text, self.turn()) {
            let after = self.with_core(self.after(&ply)?);
            // The drops of a placement have an order, too.
            let is_exact = !matches!(ply, Ply::Placement(_)) || self.text(&ply) == text;
            return is_exact.then_some((ply, after));
        }
        let board = board_move(text.as_bytes())?;
        if board.piece.color != self.turn() {
            return None;
        }
        let (from, ply) = on_board!(self.core(), |t, state| find(t, state, &board))?;
        let core = self.core().played(ply);
        let en_passant = self.is_en_passant(from, board.to);
        let captures = en_passant || self.get(board.to).is_some();
        if (captures, en_passant) != (board.captures, board.en_passant) {
            return None;
        }
        let ply = Ply::Move {
            from,
            to: board.to,
            promotion: board.into,
        };
        Some((ply, self.with_core(core)))
    }
}

/// The one legal move that needs this origin, and the square from which it goes.
fn find<B: Bitboard>(
    t: &Tables<B>,
    state: &State<B>,
    board: &BoardMove,
) -> Option<(Square, IndexedPly)> {
    if !board.to.is_on(B::WIDTH) {
        return None;
    }
    let to = B::index(board.to);
    let role = board.piece.role;
    let mut origins = B::EMPTY;
    let each = |ply| {
        if let IndexedPly::Move {
            from, promotion, ..
        } = ply
            && promotion == board.into
        {
            origins |= B::bit(from);
        }
    };
    let wanted = Wanted {
        origins: state.role(role),
        targets: B::bit(to),
        ..Wanted::NONE
    };
    movegen::generate(t, state, &mut Each { wanted, each });
    let mut fitting = origins
        .squares()
        .filter(|&from| board.origin.fits(B::square(from)));
    let from = fitting.next()?;
    // A square to start from is written only where two have its file, and two its rank.
    if fitting.next().is_some() {
        return None;
    }
    let others = (origins & !B::bit(from)).squares().map(B::square);
    if needed_origin(B::square(from), others) != board.origin {
        return None;
    }
    let ply = IndexedPly::Move {
        role,
        from,
        to,
        promotion: board.into,
    };
    Some((B::square(from), ply))
}

/// Reads castling, a drop, a relocation or a placement of this player.
fn other_than_board_move(text: &str, turn: Color) -> Option<Ply> {
    match text {
        "O-O" => return Some(Ply::Castle(Side::King)),
        "O-O-O" => return Some(Ply::Castle(Side::Queen)),
        _ => {}
    }
    let bytes = text.as_bytes();
    if bytes.get(1) != Some(&b'>') {
        return None;
    }
    if bytes.contains(&b',') {
        let drops: Option<Vec<_>> = text
            .split(',')
            .map(|text| drop(text.as_bytes(), turn))
            .collect();
        return Placement::new(drops?).map(Ply::Placement);
    }
    if let [.., b'/', file, rank] = *bytes {
        let (role, to) = drop(&bytes[..bytes.len() - 3], turn)?;
        let pawn = square(file, rank)?;
        return Some(Ply::Relocation { role, to, pawn });
    }
    let (role, to) = drop(bytes, turn)?;
    Some(Ply::Drop { role, to })
}

/// `N>d2`.
fn drop(text: &[u8], turn: Color) -> Option<(Role, Square)> {
    let [letter, b'>', file, rank] = *text else {
        return None;
    };
    match piece(&[letter])? {
        (piece, []) if piece.color == turn => Some((piece.role, square(file, rank)?)),
        _ => None,
    }
}

fn board_move(text: &[u8]) -> Option<BoardMove> {
    let (piece, rest) = piece(text)?;
    let sign = rest.iter().position(|byte| matches!(byte, b'-' | b'x'))?;
    let origin = match rest[..sign] {
        [] => OriginText::Nothing,
        [digit @ b'1'..=b'9'] => OriginText::Rank(Rank::from_digit(char::from(digit))?),
        [letter] => OriginText::File(file(letter)?),
        [file, rank] => OriginText::Square(square(file, rank)?),
        _ => return None,
    };
    let [sign, file, rank, ref rest @ ..] = rest[sign..] else {
        return None;
    };
    let (en_passant, rest) = match rest {
        [b'e', b'p', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let into = match rest {
        [] => None,
        [b'=', rest @ ..] => match self::piece(rest)? {
            (into, []) if into.color == piece.color => Some(into.role),
            _ => return None,
        },
        _ => return None,
    };
    Some(BoardMove {
        piece,
        origin,
        captures: sign == b'x',
        to: square(file, rank)?,
        en_passant,
        into,
    })
}

/// Splits off a piece: a letter in its owner's case, behind a `+` if it is promoted.
fn piece(text: &[u8]) -> Option<(Piece, &[u8])> {
    let (is_promoted, text) = match text {
        [b'+', text @ ..] => (true, text),
        text => (false, text),
    };
    let (letter, rest) = text.split_first()?;
    Some((board::piece(char::from(*letter), is_promoted)?, rest))
}

fn square(letter: u8, digit: u8) -> Option<Square> {
    let rank = Rank::from_digit(char::from(digit))?;
    Some(Square::from_coords(file(letter)?, rank))
}

/// The file of a small letter.
fn file(letter: u8) -> Option<File> {
    File::from_letter(char::from(letter)).filter(|_| letter.is_ascii_lowercase())
}

impl Position {
    /// A legal ply in standard algebraic notation, as PGN has it: `Nf3`, `exd6`,
    /// `e8=Q+`, `O-O`. A drop is written `N@f3`, a pawn's `P@e4`.
    ///
    /// None where the notation has no form: relocations, placements of several
    /// pieces, games in which pieces promote in a zone.
    /// [`Voice::Program`](crate::notation::Voice::Program) reads it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::notation::Voice;
    /// use parapost_rules::{Position, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let position = Position::from_fen(&chess, "3k4/8/8/4pP2/8/8/8/R3K2R w KQ e6")?;
    /// for text in ["O-O-O+", "fxe6", "Rh8+", "Ke2"] {
    ///     let ply = position.read_with(text, Voice::Program)?.ply;
    ///     assert_eq!(position.san(&ply).as_deref(), Some(text));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn san(&self, ply: &Ply) -> Option<String> {
        if self.promotes_in_zone() {
            return None;
        }
        let text = match *ply {
            Ply::Castle(_) => self.text(ply),
            Ply::Drop { role, to } => dropped('@', role, &to),
            Ply::Relocation { .. } | Ply::Placement(_) => return None,
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let piece = self.get(from)?;
                let captures = self.get(to).is_some() || self.is_en_passant(from, to);
                let origin = match piece.role {
                    Role::Pawn if captures => from.file().to_string(),
                    Role::Pawn => String::new(),
                    role => {
                        let origin = self.needed_origin(role, from, to, promotion);
                        format!("{}{origin}", role.letter())
                    }
                };
                let sign = if captures { "x" } else { "" };
                let into = promotion.map(|role| format!("={}", role.letter()));
                format!("{origin}{sign}{to}{}", into.unwrap_or_default())
            }
        };
        Some(match self.play(ply).ok()?.mark() {
            Mark::None | Mark::Virtual => text,
            mark => format!("{text}{mark}"),
        })
    }

    /// A legal ply as the Universal Chess Interface has it: `g1f3`, `e7e8q`, `e1g1`
    /// for castling, `N@f3` for a drop. Where pieces promote in a zone, a
    /// promotion is a `+`.
    ///
    /// None where the notation has no form: relocations and placements of several
    /// pieces. [`Voice::Program`](crate::notation::Voice::Program) reads it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Ply, Role, Square, Variant};
    ///
    /// let start = Variant::find("chess", &[])?.start();
    /// let ply = Ply::Move { from: Square::G1, to: Square::F3, promotion: None };
    /// assert_eq!(start.uci(&ply).as_deref(), Some("g1f3"));
    /// let start = Variant::find("unachess", &[])?.start();
    /// let ply = Ply::Drop { role: Role::Knight, to: Square::F3 };
    /// assert_eq!(start.uci(&ply).as_deref(), Some("N@f3"));
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn uci(&self, ply: &Ply) -> Option<String> {
        Some(match *ply {
            Ply::Castle(side) => {
                let king = self.king(self.turn())?;
                let to = match side {
                    Side::King => Square::at(6, king.rank().index()),
                    Side::Queen => Square::at(2, king.rank().index()),
                };
                format!("{king}{to}")
            }
            Ply::Drop { role, to } => dropped('@', role, &to),
            Ply::Relocation { .. } | Ply::Placement(_) => return None,
            Ply::Move {
                from,
                to,
                promotion,
            } => match promotion {
                None => format!("{from}{to}"),
                Some(role) if role.is_promoted() => format!("{from}{to}+"),
                Some(role) => format!("{from}{to}{}", role.letter().to_ascii_lowercase()),
            },
        })
    }

    /// A legal ply as the Universal Shogi Interface has it: `7g7f`, `8h2b+`, `P*5e`.
    ///
    /// None where the notation has no form: games on a board that is not 9 squares
    /// wide, or in which pieces do not promote in a zone; relocations.
    /// [`Voice::Program`](crate::notation::Voice::Program) reads it back.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::Variant;
    /// use parapost_rules::notation::Voice;
    ///
    /// let start = Variant::find("shogi", &[])?.start();
    /// let ply = start.read_with("7g7f", Voice::Program)?.ply;
    /// assert_eq!(start.text(&ply), "P-c4");
    /// assert_eq!(start.usi(&ply).as_deref(), Some("7g7f"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn usi(&self, ply: &Ply) -> Option<String> {
        if self.variant().rules().width != 9 || !self.promotes_in_zone() {
            return None;
        }
        match *ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                let sign = promotion.map_or("", |_| "+");
                Some(format!("{}{}{sign}", shogi_square(from), shogi_square(to)))
            }
            Ply::Drop { role, to } => Some(dropped('*', role, &shogi_square(to))),
            Ply::Castle(_) | Ply::Relocation { .. } | Ply::Placement(_) => None,
        }
    }

    /// Returns true if pieces promote in a zone, as in shogi.
    pub(crate) fn promotes_in_zone(&self) -> bool {
        matches!(self.variant().rules().promotion, Promotion::Zone { .. })
    }
}

fn dropped(sign: char, role: Role, to: &impl ToString) -> String {
    format!("{}{sign}{}", role.letter(), to.to_string())
}

/// The name of a square in USI: the file counted from the first player's right, the
/// rank as a letter from the top.
fn shogi_square(square: Square) -> String {
    let (file, rank) = (square.file().index(), square.rank().index());
    format!("{}{}", 9 - file, char::from(b'i' - rank))
}
