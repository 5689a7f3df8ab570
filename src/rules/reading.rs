//! Finds the meaning of a written move in a position.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use crate::board::Square;
use crate::explain;
use crate::game::Promotion;
use crate::illegal::{IllegalMove, IllegalMoveKind as Why};
use crate::movetext::{
    BoardText, MoveText, OriginText, ParseMoveError, PromotionText, SquareText, Way,
};
use crate::outcome::Mark;
use crate::piece::{Color, Role};
use crate::ply::{Placement, Ply, Side};
use crate::position::Position;
use crate::sentences::{list, sentences};

#[cfg(test)]
#[path = "tests/inside/direct.rs"]
mod direct;

/// A move as it was meant.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::Voice;
/// use parapost_rules::Variant;
///
/// let start = Variant::find("chess", &[])?.start();
/// let reading = start.read_with("e2e4 (=)", Voice::Alone)?;
/// assert_eq!(start.text(&reading.ply), "P-e4");
/// assert_eq!(reading.warnings[0].to_string(), "'e2e4' is read as 'P-e4'");
/// assert!(reading.offers_draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The ply.
    pub ply: Ply,
    /// Oddities of the way it was written. Empty for canonical text with the right mark or
    /// none.
    pub warnings: Vec<Warning>,
    /// True if a draw was offered with the move.
    pub offers_draw: bool,
}

/// An oddity of the way a move was written. As a text it is a clause for people, without a full
/// stop.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{Voice, Warning};
/// use parapost_rules::{Mark, Variant};
///
/// let start = Variant::find("chess", &[])?.start();
/// let reading = start.read_with("P-e4+", Voice::Alone)?;
/// let warning = Warning::WrongMark {
///     written: Mark::Check,
///     right: Mark::None,
/// };
/// assert_eq!(reading.warnings, [warning]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// The move is not written in the canonical form.
    OtherForm {
        /// The move as it was written, without its mark.
        written: String,
        /// The canonical form.
        canonical: String,
        /// True if it promotes as it must, and does not say so.
        is_forced: bool,
    },
    /// The mark behind the move is wrong.
    WrongMark {
        /// The mark as it was written.
        written: Mark,
        /// The right one; none if the move gives no check.
        right: Mark,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::OtherForm {
                written,
                canonical,
                is_forced,
            } => {
                let why = if *is_forced {
                    "the promotion is forced: "
                } else {
                    ""
                };
                write!(f, "{why}'{written}' is read as '{canonical}'")
            }
            Warning::WrongMark { written, right } => {
                write!(f, "the mark '{written}' is wrong: ")?;
                match right {
                    Mark::None => f.write_str("the move gives no check"),
                    right => write!(f, "it should be '{right}'"),
                }
            }
        }
    }
}

impl MoveText {
    /// Returns true if a piece follows a `=` that has a blank beside it: `S-e8= S`.
    #[must_use]
    pub fn is_parted(&self) -> bool {
        self.parted.is_some()
    }
}

impl Position {
    /// Reads a move as somebody wrote it. Canonical text is read as the ply whose
    /// [`text`](Position::text) it is.
    ///
    /// # Errors
    ///
    /// If it is no move, not allowed, or could be several.
    pub fn read(&self, text: &str) -> Result<Reading, ReadError> {
        self.read_with(text, Voice::default())
    }

    /// Reads a move that was written in a certain place.
    ///
    /// # Errors
    ///
    /// If it is no move, not allowed, or could be several.
    pub fn read_with(&self, text: &str, voice: Voice) -> Result<Reading, ReadError> {
        self.interpret(&text.parse().map_err(ReadError::NotAMove)?, voice)
    }

    /// Finds the one legal ply that a text can mean here.
    ///
    /// # Errors
    ///
    /// If it means none that is allowed, or several.
    pub fn interpret(&self, text: &MoveText, voice: Voice) -> Result<Reading, ReadError> {
        let of_program =
            (voice == Voice::Program).then(|| text.of_program(self.promotes_in_zone()));
        let text = of_program.as_ref().unwrap_or(text);
        if text.is_parted() {
            return self.interpret_parted(text, voice);
        }
        let meant = self.meant(text, &text.ways);
        let ply = match meant.as_slice() {
            [ply] => {
                let unfinished = self.unfinished(text);
                if voice == Voice::Alone && !unfinished.is_empty() {
                    return Err(self.several(&[&[*ply], unfinished.as_slice()].concat()));
                }
                let board = self.meant(text, &text.rivals);
                if !board.is_empty() {
                    return Err(self.several(&[&[*ply], board.as_slice()].concat()));
                }
                *ply
            }
            [] => return Err(self.why_none_is_meant(text, voice)),
            several => match several.iter().find(|ply| self.text(ply) == text.core) {
                Some(canonical) if voice == Voice::List && !self.may_promote_by(text) => *canonical,
                _ => return Err(self.several(several)),
            },
        };
        Ok(Reading {
            warnings: self.warnings(text, &ply),
            offers_draw: self.offers_draw(text),
            ply,
        })
    }

    /// Shogi: the one legal ply of a text that may decline promotion or promote.
    fn interpret_parted(&self, written: &MoveText, voice: Voice) -> Result<Reading, ReadError> {
        let mut meant: Vec<Ply> = Vec::new();
        for sign in ["=", "=+"].iter().filter(|_| self.promotes_in_zone()) {
            let text = format!("{}{sign}", written.core).parse::<MoveText>();
            let text = text.map_err(ReadError::NotAMove)?;
            add_new(&mut meant, self.meant(&text, &text.ways));
        }
        match meant.as_slice() {
            [ply] => Ok(Reading {
                warnings: self.warnings(written, ply),
                offers_draw: false,
                ply: *ply,
            }),
            [] => Err(self.why_none_is_meant(written, voice)),
            several => Err(self.several(several)),
        }
    }

    /// Shogi: whether a `+` that touches the text, which canonical text does
    /// not have, could promote.
    fn may_promote_by(&self, text: &MoveText) -> bool {
        self.promotes_in_zone() && text.mark.is_some() && text.mark_touches
    }

    /// The `=` behind a move is a draw offer in chess games, in shogi games it
    /// declines promotion.
    fn offers_draw(&self, text: &MoveText) -> bool {
        text.offer || (text.equals && self.has_chess_pawns())
    }

    /// The promotions that a small `b` could mean, were their piece not
    /// missing: `bxc1` of Black, which the bishop can play.
    fn unfinished(&self, text: &MoveText) -> Vec<Ply> {
        let pawns = text.ways.iter().filter_map(|way| match way {
            Way::Board(board) if board.role.is_none() => Some(board),
            _ => None,
        });
        pawns
            .filter(|_| text.ways.len() > 1)
            .flat_map(|board| self.promotions(board))
            .collect()
    }

    /// Every legal ply the text can mean if it is understood in these ways.
    fn meant(&self, text: &MoveText, ways: &[Way]) -> Vec<Ply> {
        let mut meant: Vec<Ply> = Vec::new();
        for way in ways {
            let plies = match way {
                Way::Board(board) => self.meant_on_board(board, text),
                Way::Placement(_) if !self.variant().rules().placement => Vec::new(),
                way => match ply_of(way) {
                    (squares, Some(ply)) if squares.iter().all(|at| self.understands(*at)) => {
                        self.if_legal(ply)
                    }
                    _ => Vec::new(),
                },
            };
            add_new(&mut meant, plies);
        }
        meant
    }

    fn if_legal(&self, ply: Ply) -> Vec<Ply> {
        Vec::from_iter(self.is_legal(&ply).then_some(ply))
    }

    fn meant_on_board(&self, board: &BoardText, text: &MoveText) -> Vec<Ply> {
        if !self.understands(board.target) {
            return Vec::new();
        }
        if let Some(castle) = self.castling_by_king(board) {
            return self.if_legal(castle);
        }
        let moves = self.moves_of(board);
        match self.variant().rules().promotion {
            Promotion::LastRank(_) => moves
                .into_iter()
                .filter(|ply| match (promotion_of(ply), board.promotion) {
                    (into, PromotionText::Nothing) => into.is_none(),
                    (into, PromotionText::To(role)) => into == Some(role),
                    (_, PromotionText::Plus) => false,
                })
                .collect(),
            Promotion::Zone { .. } => self.shogi_promotion(board, text, moves),
        }
    }

    /// Shogi: a `+` that touches the move promotes where that is possible,
    /// `=` declines, nothing declines but where promotion is forced.
    fn shogi_promotion(&self, board: &BoardText, text: &MoveText, moves: Vec<Ply>) -> Vec<Ply> {
        let promoting = |ply: &Ply| promotion_of(ply).is_some();
        let plus = text.mark_touches && matches!(text.mark, Some(Mark::Check | Mark::Mate));
        match board.promotion {
            PromotionText::Plus => moves.into_iter().filter(promoting).collect(),
            // `=S` in chess's way: whatever it meant, it is not understood.
            PromotionText::To(_) => Vec::new(),
            PromotionText::Nothing if text.equals => {
                moves.into_iter().filter(|ply| !promoting(ply)).collect()
            }
            PromotionText::Nothing if plus && moves.iter().any(promoting) => moves
                .into_iter()
                .filter(|ply| promoting(ply) || self.gives(ply, text.mark))
                .collect(),
            PromotionText::Nothing => {
                let declined = moves.iter().copied().filter(|ply| !promoting(ply));
                let declined: Vec<Ply> = declined.collect();
                if declined.is_empty() { moves } else { declined }
            }
        }
    }

    /// Returns true if a legal ply leads to that mark.
    fn gives(&self, ply: &Ply, mark: Option<Mark>) -> bool {
        self.play(ply)
            .is_ok_and(|after| match (after.mark(), mark) {
                (Mark::Check, Some(Mark::Check)) => true,
                (after, mark) => Some(after) == mark && after == Mark::Mate,
            })
    }

    fn several(&self, plies: &[Ply]) -> ReadError {
        let mut forms: Vec<String> = plies.iter().map(|ply| self.unmistakable(ply)).collect();
        forms.sort_unstable();
        ReadError::Ambiguous(forms)
    }

    fn warnings(&self, text: &MoveText, ply: &Ply) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let canonical = self.text(ply);
        let forced = promotion_of(ply).is_some_and(Role::is_promoted)
            && text.ways.iter().all(
                |way| matches!(way, Way::Board(board) if board.promotion == PromotionText::Nothing),
            );
        let promoted_by_plus = forced && text.mark_touches && text.mark.is_some();
        if text.core != canonical {
            warnings.push(Warning::OtherForm {
                written: text.core.clone(),
                canonical,
                is_forced: forced && !promoted_by_plus,
            });
        }
        if let Some(written) = text.mark.filter(|_| !promoted_by_plus) {
            let right = self.play(ply).map_or(Mark::None, |after| after.mark());
            if written != right {
                warnings.push(Warning::WrongMark { written, right });
            }
        }
        warnings
    }
}

/// The place where a move was written. It decides how a small `b` is read.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{ReadError, Voice};
/// use parapost_rules::{Position, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let position = Position::from_fen(&chess, "4k3/1p3b2/2N5/3b4/8/8/8/4K3 b")?;
/// let read = |voice| position.read_with("bxc6", voice);
/// assert_eq!(position.text(&read(Voice::List)?.ply), "bxc6");
/// assert!(matches!(read(Voice::Alone), Err(ReadError::Ambiguous(_))));
/// assert_eq!(position.text(&read(Voice::Program)?.ply), "pxc6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Voice {
    /// In a list of moves: canonical text is canonical.
    #[default]
    List,
    /// Alone in a mail: `bxc6` that could be the bishop's or the b-pawn's is
    /// ambiguous.
    Alone,
    /// By a program, in SAN, UCI or USI: a piece's letter is a capital, so that
    /// `bxc6` is the b-pawn's, and the `+` behind a move of shogi promotes.
    Program,
}

impl Position {
    /// Shogi: whether a `=` behind the move declines promotion.
    fn declines(&self, text: &MoveText) -> bool {
        text.equals && !self.has_chess_pawns()
    }

    /// Chess: the promotions that a text without a piece to become could be.
    fn promotions(&self, board: &BoardText) -> Vec<Ply> {
        if board.promotion != PromotionText::Nothing || !self.has_chess_pawns() {
            return Vec::new();
        }
        let mut plies = self.moves_of(board);
        plies.retain(|ply| promotion_of(ply).is_some());
        plies
    }

    /// The legal plies that have the piece, the origin and the target of a text,
    /// promotions apart. Nothing else is looked for: a list asks for each of its moves.
    fn moves_of(&self, board: &BoardText) -> Vec<Ply> {
        let mut plies = self.moves_to(board.target.square, meant_role(board));
        plies.retain(|ply| self.could_be(board, ply));
        plies
    }

    /// Returns true if the board has the square, and names it that way.
    fn understands(&self, square: SquareText) -> bool {
        let width = self.variant().rules().width;
        square.square.is_on(width) && (!square.shogi || width == 9)
    }

    /// A king's move of two squares from its traditional square, written with
    /// both squares, castles (UCI).
    fn castling_by_king(&self, board: &BoardText) -> Option<Ply> {
        let OriginText::Square(from) = board.origin else {
            return None;
        };
        let king = Role::King.of(self.turn());
        let rules = self.variant().rules();
        let home = Square::at(4, king.color.rank(0, 8));
        if !rules.castling || self.get(from) != Some(king) || from != home {
            return None;
        }
        if board.role.is_some_and(|role| role != Role::King) {
            return None;
        }
        let to = board.target.square;
        match (from.rank() == to.rank(), to.file().index()) {
            (true, 6) => Some(Ply::Castle(Side::King)),
            (true, 2) => Some(Ply::Castle(Side::Queen)),
            _ => None,
        }
    }

    /// Returns true if a legal move of the right piece to the right square has the origin
    /// of a text.
    fn could_be(&self, board: &BoardText, ply: &Ply) -> bool {
        let Ply::Move { from, to, .. } = *ply else {
            return false;
        };
        board.origin.fits(from) && (!board.en_passant || self.is_en_passant(from, to))
    }
}

/// The squares of a way to understand a text, and the ply; no ply if two pieces are placed
/// on one square, or if only a position tells it, for it is a move on the board.
fn ply_of(way: &Way) -> (Vec<SquareText>, Option<Ply>) {
    let drop = |role, to: SquareText| Ply::Drop {
        role,
        to: to.square,
    };
    match *way {
        Way::Board(ref board) => (vec![board.target], None),
        Way::Castle(side) => (Vec::new(), Some(Ply::Castle(side))),
        Way::Drop(role, to) => (vec![to], Some(drop(role, to))),
        Way::Relocation(role, to, pawn) => {
            let squares = vec![to, pawn];
            let (to, pawn) = (to.square, pawn.square);
            (squares, Some(Ply::Relocation { role, to, pawn }))
        }
        Way::Placement(ref drops) => {
            let several = || Placement::new(drops.iter().map(|(role, to)| (*role, to.square)));
            let ply = match drops[..] {
                [(role, to)] => Some(drop(role, to)),
                _ => several().map(Ply::Placement),
            };
            (drops.iter().map(|(_, to)| *to).collect(), ply)
        }
    }
}

/// The piece that a text means: a pawn where no letter is written, and none where a square of
/// origin tells it.
fn meant_role(board: &BoardText) -> Option<Role> {
    let is_square = matches!(board.origin, OriginText::Square(_));
    board.role.or((!is_square).then_some(Role::Pawn))
}

/// Adds what is not there yet.
fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

fn promotion_of(ply: &Ply) -> Option<Role> {
    match ply {
        Ply::Move { promotion, .. } => *promotion,
        _ => None,
    }
}

impl Position {
    /// The reasons why a text means no legal ply.
    fn why_none_is_meant(&self, text: &MoveText, voice: Voice) -> ReadError {
        let is_piece =
            voice == Voice::List && text.ways.iter().any(|way| self.is_canonical(way, text));
        let known: Vec<&Way> = text
            .ways
            .iter()
            .filter(|way| self.knows_piece(way) && !(is_piece && self.is_idle_pawn(way)))
            .collect();
        let ways = if known.is_empty() {
            text.ways.iter().collect()
        } else {
            known
        };
        let mut reasons: Vec<Why> = Vec::new();
        for way in ways {
            // The set-up style is one way among others only where it means
            // something.
            let beside = matches!(way, Way::Placement(_)) && !reasons.is_empty();
            if beside && !self.variant().rules().placement {
                continue;
            }
            if let Way::Board(board) = way
                && self.understands(board.target)
                && let Some(error) = self.missing_promotion(board)
            {
                return error;
            }
            add_new(&mut reasons, self.why_not_way(way, text));
        }
        ReadError::Illegal(self.illegal(reasons))
    }

    /// Returns true if a text begins with the letter of a piece that the mover has on
    /// the board, as the mover's moves are written: in a list `bxc2` of Black
    /// is the bishop's.
    fn is_canonical(&self, way: &Way, text: &MoveText) -> bool {
        matches!(way, Way::Board(board) if board.role.is_some_and(|role| {
            text.core.starts_with(role.of(self.turn()).letter()) && !self.own(role).is_empty()
        }))
    }

    /// Returns true if a text is understood as a pawn's move without its letter, and
    /// not one that lacks only its promotion.
    fn is_idle_pawn(&self, way: &Way) -> bool {
        matches!(way, Way::Board(board) if board.role.is_none() && self.promotions(board).is_empty())
    }

    /// Returns true if the game has the piece that a text names; `bxc6` names a pawn
    /// where pawns capture sideways.
    fn knows_piece(&self, way: &Way) -> bool {
        match way {
            Way::Board(board) => match (board.role, board.origin) {
                (Some(role), _) => self.variant().rules().kind(role).is_some(),
                (None, OriginText::File(_)) => self.has_chess_pawns(),
                (None, _) => true,
            },
            _ => true,
        }
    }

    fn why_not_way(&self, way: &Way, text: &MoveText) -> Vec<Why> {
        let (squares, ply) = ply_of(way);
        if let Some(strange) = squares.iter().find(|square| !self.understands(**square)) {
            return vec![if strange.shogi {
                Why::SquareName
            } else {
                Why::NoSquare(strange.square)
            }];
        }
        match (way, ply) {
            (Way::Board(board), _) => self.why_not_on_board(board, text),
            (_, Some(ply)) => self.why_not_meant(ply),
            (_, None) => vec![Why::SharedSquare],
        }
    }

    fn why_not_meant(&self, ply: Ply) -> Vec<Why> {
        // Legal is the set-up style in a game that has none.
        let why = self.why_not(&ply);
        vec![why.unwrap_or_else(|| Why::WriteDrop(self.text(&ply)))]
    }

    fn why_not_on_board(&self, board: &BoardText, text: &MoveText) -> Vec<Why> {
        if let Some(castle) = self.castling_by_king(board) {
            return self.why_not_meant(castle);
        }
        let mut reasons = match self.candidates(board).as_slice() {
            [] => vec![self.no_candidate(board)],
            [from] => vec![self.why_not_from(*from, board, text)],
            several => self.why_none(several, board, text),
        };
        let role = board.role.unwrap_or(Role::Pawn);
        // A piece that promotes, or declines to, is on the board.
        let promotes = board.promotion != PromotionText::Nothing || self.declines(text);
        let drop = (board.origin == OriginText::Nothing && !board.en_passant && !promotes)
            .then(|| self.droppable(role, board.target.square));
        reasons.extend(drop.flatten().map(Why::OrDrop));
        reasons
    }

    /// The reason why the mover has no piece that a text can mean.
    fn no_candidate(&self, board: &BoardText) -> Why {
        let role = board.role.unwrap_or(Role::Pawn);
        let rules = self.variant().rules();
        if rules.kind(role).is_none() {
            return Why::NoSuchPiece(role);
        }
        if rules.placement && self.reserve(self.turn()).has(Role::King) {
            return Why::KingFirst;
        }
        if let OriginText::Square(from) = board.origin {
            return match self.get(from) {
                None => Why::EmptySquare(from),
                Some(piece) if piece.color != self.turn() => Why::NotYours { from, piece },
                Some(piece) => Why::OtherPiece {
                    from,
                    there: piece.role,
                    wanted: role,
                },
            };
        }
        Why::NoPiece {
            role,
            file: match board.origin {
                OriginText::File(file) => Some(file),
                _ => None,
            },
            rank: match board.origin {
                OriginText::Rank(rank) => Some(rank),
                _ => None,
            },
            promoted: role.promoted().filter(|role| !self.own(*role).is_empty()),
        }
    }

    /// The reasons why none of several pieces may go there. One of them that reaches the
    /// square is the one that was meant, and its own reason counts.
    fn why_none(&self, several: &[Square], board: &BoardText, text: &MoveText) -> Vec<Why> {
        let to = board.target.square;
        let aiming = several
            .iter()
            .find(|from| explain::aims_at(self.variant(), self.core(), **from, to));
        if let Some(from) = aiming {
            return vec![self.why_not_from(*from, board, text)];
        }
        if self.get(to).is_some_and(|piece| piece.color == self.turn()) {
            return vec![self.why_not_from(several[0], board, text)];
        }
        // A pawn is looked for where it could come from.
        let sideways = board.en_passant || text.core.contains(['x', 'X', ':']);
        let near = |from: &&Square| {
            let files = from.file().index().abs_diff(to.file().index());
            let ranks = from.rank().index().abs_diff(to.rank().index());
            match self.get(**from).map(|piece| piece.role) {
                Some(Role::Pawn) if sideways && self.has_chess_pawns() => files == 1 && ranks == 1,
                Some(Role::Pawn) => files == 0,
                _ => true,
            }
        };
        let mut near: Vec<Square> = several.iter().filter(near).copied().collect();
        // What stands in the way of one of them is more than where the others go.
        let blocked = |from: &Square| match self.why_not_from(*from, board, text) {
            why @ Why::InTheWay { .. } => Some(why),
            _ => None,
        };
        let blocked: Vec<Why> = near.iter().filter_map(blocked).collect();
        if !blocked.is_empty() {
            return blocked;
        }
        if near.len() == 1 {
            return vec![self.why_not_from(near[0], board, text)];
        }
        let strikes = |from: &&Square| self.strikes_ahead(**from, to);
        if let Some(pawn) = near.iter().find(strikes).filter(|_| sideways) {
            return vec![self.why_not_from(*pawn, board, text)];
        }
        if near.is_empty() {
            near = several.to_vec();
        }
        if near.len() > 3 {
            let role = board.role.unwrap_or(Role::Pawn);
            return vec![Why::NoneReaches { role, to }];
        }
        near.iter()
            .filter_map(|from| explain::reach(self.variant(), self.core(), *from))
            .collect()
    }

    /// Returns true if the mover's chess pawn on a square would capture on another.
    fn strikes_ahead(&self, from: Square, to: Square) -> bool {
        let (before, after) = match self.turn() {
            Color::White => (from.rank(), to.rank()),
            Color::Black => (to.rank(), from.rank()),
        };
        self.has_chess_pawns()
            && self.get(from).is_some_and(|piece| piece.role == Role::Pawn)
            && before.index() + 1 == after.index()
            && from.file().index().abs_diff(to.file().index()) == 1
    }

    /// The reason why the piece on a square may not go where a text says.
    fn why_not_from(&self, from: Square, board: &BoardText, text: &MoveText) -> Why {
        let promotion = match board.promotion {
            PromotionText::To(role) => Some(role),
            // The error names a piece that does not promote.
            PromotionText::Plus => self
                .get(from)
                .map(|piece| piece.role.promoted().unwrap_or(piece.role)),
            PromotionText::Nothing => None,
        };
        let ply = Ply::Move {
            from,
            to: board.target.square,
            promotion,
        };
        self.why_not(&ply).unwrap_or_else(|| {
            if board.en_passant {
                Why::WrittenEnPassant(text.as_str().to_string())
            } else {
                Why::WriteAs(self.text(&ply))
            }
        })
    }

    /// The mover's pieces that a text can mean, wherever they can go.
    fn candidates(&self, board: &BoardText) -> Vec<Square> {
        let roles = meant_role(board).map_or(Role::ALL.to_vec(), |role| vec![role]);
        let pieces = roles.into_iter().flat_map(|role| self.own(role));
        pieces.filter(|from| board.origin.fits(*from)).collect()
    }

    /// Chess: the forms with a promotion piece, where only that is missing.
    fn missing_promotion(&self, board: &BoardText) -> Option<ReadError> {
        let plies = self.promotions(board);
        let forms: Vec<String> = plies.iter().map(|ply| self.text(ply)).collect();
        (!forms.is_empty()).then_some(ReadError::Promotion(forms))
    }

    /// The drop that would be legal where a text without a drop sign is not.
    fn droppable(&self, role: Role, to: Square) -> Option<String> {
        let ply = Ply::Drop { role, to };
        self.is_legal(&ply).then(|| self.text(&ply))
    }
}

sentences! {
    /// The reason why a text was not read as one legal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::notation::{ReadError, Voice};
    /// use parapost_rules::{Position, Setup, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let setup = Setup::from_fen(&chess, "7k/P7/8/8/8/8/8/R6K w")?;
    /// let position = Position::from_setup(&chess, &setup)?;
    /// let Err(ReadError::Promotion(forms)) = position.read_with("a8", Voice::Alone) else {
    ///     panic!("the pawn must become something");
    /// };
    /// assert_eq!(forms.len(), 4);
    /// assert!(forms.contains(&"P-a8=Q".to_owned()));
    /// assert!(matches!(position.read_with("hello", Voice::Alone), Err(ReadError::NotAMove(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum ReadError() {
        /// It is no move at all.
        NotAMove(error: ParseMoveError) => ("{error}"),
        /// It is a move, and not allowed.
        Illegal(error: IllegalMove) => ("{error}"),
        /// It can mean several legal moves: their unmistakable forms.
        Ambiguous(forms: Vec<String>) => ("this can be read as {}", list(forms, "or")),
        /// A promotion without the piece: the forms that have it.
        Promotion(forms: Vec<String>) =>
            ("the pawn must become another piece: {}", list(forms, "or")),
    }
}

impl core::error::Error for ReadError {}
