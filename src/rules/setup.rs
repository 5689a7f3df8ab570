//! Positions not yet checked: the check with its error, and FEN with reserves in brackets, for
//! people and for other programs.
//!
//! The writer of FEN gives every field. The reader wants the board and takes the
//! rest as it comes: fields left out at the end are those of a start. What the
//! board does not suggest of earlier drops (the colours of bishops, pawns that
//! may not go two squares) stands in a seventh field, `B-dark,b-none,e2`,
//! which is left out where there is nothing to say.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::board::{Board, ParseFenError, Square, board, piece};
use crate::game::{Captured, DoubleStep, Promotion, Rules};
use crate::piece::{Color, Reserve, Role};
use crate::sentences::{clauses, sentences};
use crate::state::{Core, Engine, State};
use crate::tables::{Bitboard, Tables, castling_squares};
use crate::variant::{Names, Variant};

/// An unchecked position, possible or not. [`crate::Position::from_setup`]
/// checks it.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Position, Setup, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let mut setup = Setup::start(&chess);
/// setup.board.set("d8".parse()?, None);
/// setup.turn = Color::Black;
/// let without_queen = Position::from_setup(&chess, &setup)?;
/// assert_eq!(
///     without_queen.fen(),
///     "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// The reserves, the first player's first.
    pub reserves: [Reserve; 2],
    /// The side to move.
    pub turn: Color,
    /// Kings on e1 and e8 and rooks on corners that have not moved and may
    /// still castle, at once or after a drop of the other.
    pub unmoved: Vec<Square>,
    /// The square a pawn has just passed by a double step.
    pub en_passant: Option<Square>,
    /// The first player's bishops and the second's, where bishops must be
    /// dropped on different colours and the board does not suggest which they
    /// were: a player with one bishop left in reserve and one on the board is
    /// taken to have dropped that one.
    pub dropped_bishops: [Option<BishopColors>; 2],
    /// The pawns on their second rank that were not dropped there and may not
    /// go two squares, where only a pawn dropped there may.
    pub single_step_pawns: Vec<Square>,
    /// Half-moves since the last pawn move, capture or drop.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub number: u32,
}

/// The most moves that a setup counts, more than any game has; it leaves room
/// to count on from there.
const MOST_COUNTED: u32 = 1_000_000;

impl Setup {
    /// The setup a game starts from.
    #[must_use]
    pub fn start(variant: &Variant) -> Setup {
        let rules = variant.rules();
        let board = board(rules.width, rules.start).unwrap_or_else(|_| Board::blank(rules.width));
        let full =
            Reserve::new(rules.slots().filter(|_| rules.reserve_at_start)).unwrap_or_default();
        let can_castle = |square: &Square| rules.castling && may_castle_from(&board, *square);
        Setup {
            reserves: [full; 2],
            turn: Color::White,
            unmoved: Square::all(rules.width).filter(can_castle).collect(),
            board,
            en_passant: None,
            dropped_bishops: [None; 2],
            single_step_pawns: Vec::new(),
            halfmoves: 0,
            number: 1,
        }
    }

    /// The setup of a state.
    pub(crate) fn of<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> Setup {
        let mut board = Board::blank(B::WIDTH);
        for index in state.occupied().squares() {
            board.set(B::square(index), state.get(index));
        }
        let squares = |set: B| set.squares().map(B::square);
        let dropped_bishops = Color::ALL.map(|color| {
            let dropped = state.bishops[color.index()];
            let matters = t.rules.bishops_differ && state.reserve(color).has(Role::Bishop);
            (matters && dropped != suggested_bishops(t, state, color))
                .then(|| BishopColors::new(dropped))
        });
        let second = Color::ALL.into_iter().fold(B::EMPTY, |set, color| {
            set | suggested_double_steps(t, state, color)
        });
        Setup {
            dropped_bishops,
            single_step_pawns: squares(second & !state.double_step_pawns).collect(),
            board,
            reserves: state.reserves,
            turn: state.turn,
            unmoved: squares(state.live_rights(t)).collect(),
            en_passant: squares(state.passed).next(),
            halfmoves: state.clock,
            number: state.plies / 2 + 1,
        }
    }

    /// The setup for the generator, not checked.
    pub(crate) fn to_core(&self, variant: &Variant) -> Core {
        match variant.engine() {
            Engine::Eight(t) => Core::Eight(t.clone(), self.to_state(t)),
            Engine::Nine(t) => Core::Nine(t.clone(), self.to_state(t)),
        }
    }

    /// The state of a setup.
    fn to_state<B: Bitboard>(&self, t: &Tables<B>) -> State<B> {
        let mut state = State::<B>::EMPTY;
        for (square, piece) in self.board.pieces() {
            state.put(B::index(square), piece);
        }
        let bit = |square: &Square| B::bit(B::index(*square));
        state.reserves = self.reserves;
        state.turn = self.turn;
        state.unmoved = self.unmoved.iter().fold(B::EMPTY, |set, s| set | bit(s));
        state.passed = self.en_passant.as_ref().map_or(B::EMPTY, bit);
        state.clock = self.halfmoves.min(MOST_COUNTED);
        state.plies = (self.number.clamp(1, MOST_COUNTED) - 1) * 2;
        state.plies += u32::from(self.turn == Color::Black);
        for color in Color::ALL {
            state.double_step_pawns |= suggested_double_steps(t, &state, color);
            state.bishops[color.index()] = self.dropped_bishops[color.index()].map_or_else(
                || suggested_bishops(t, &state, color),
                BishopColors::dark_and_light,
            );
        }
        for pawn in &self.single_step_pawns {
            state.double_step_pawns &= !bit(pawn);
        }
        state
    }

    /// Everything that is wrong with pieces, their places and their rights; it leaves out who
    /// is in check.
    pub(crate) fn faults(&self, variant: &Variant) -> Vec<SetupFault> {
        let (has, width) = (self.board.width(), variant.rules().width);
        if has != width {
            return vec![SetupFault::BoardSize { has, width }];
        }
        let mut faults = Vec::new();
        for color in Color::ALL {
            self.check_material(variant, color, &mut faults);
            self.check_pawns(variant, color, &mut faults);
        }
        self.check_rights(variant, &mut faults);
        self.check_en_passant(variant, &mut faults);
        self.check_memory(variant, &mut faults);
        faults
    }

    /// The number of a player's pieces of a base role, on the board and in
    /// reserve.
    fn holds(&self, color: Color, role: Role) -> u32 {
        let standing = self
            .board
            .pieces()
            .filter(|(_, piece)| piece.color == color && piece.role.base() == role)
            .count();
        u32::try_from(standing).unwrap_or(u32::MAX)
            + u32::from(self.reserves[color.index()].count(role))
    }

    fn check_material(&self, variant: &Variant, color: Color, faults: &mut Vec<SetupFault>) {
        let start = Setup::start(variant);
        match self.holds(color, Role::King) {
            1 => {}
            0 => faults.push(SetupFault::NoKing(color)),
            _ => faults.push(SetupFault::ManyKings(color)),
        }
        let rules = variant.rules();
        let placed = self.board.pieces().any(|(_, piece)| piece.color == color);
        if rules.placement && placed && self.reserves[color.index()].has(Role::King) {
            faults.push(SetupFault::KingNotPlaced(color));
        }
        let mut spare_pawns = start
            .holds(color, Role::Pawn)
            .saturating_sub(self.holds(color, Role::Pawn));
        for role in Role::ALL {
            if role.is_promoted() {
                continue;
            }
            let held = self.reserves[color.index()].count(role);
            if held > 0 && !rules.has_slot(role) {
                faults.push(SetupFault::NeverInReserve(role));
                continue;
            }
            if role == Role::King || rules.kind(role).is_none() {
                continue;
            }
            // Promoted pieces stand on the board.
            let most_held = start.reserves[color.index()].count(role);
            if rules.captured == Captured::Leaves && held > most_held {
                faults.push(SetupFault::TooManyInReserve { color, role, held });
                continue;
            }
            let has = self.holds(color, role);
            let mut most = start.holds(color, role);
            if rules.captured == Captured::ChangesSides {
                most = start.holds(Color::White, role) + start.holds(Color::Black, role);
                if color == Color::White && has + self.holds(Color::Black, role) > most {
                    faults.push(SetupFault::TooManyInAll { role, most });
                    continue;
                }
            } else if let Promotion::LastRank(roles) = rules.promotion
                && roles.contains(&role)
            {
                let promoted = has.saturating_sub(most).min(spare_pawns);
                spare_pawns -= promoted;
                most += promoted;
            }
            if has > most {
                faults.push(SetupFault::TooMany { color, role, has });
            }
        }
    }

    fn check_pawns(&self, variant: &Variant, color: Color, faults: &mut Vec<SetupFault>) {
        let rules = variant.rules();
        let mut files = [0; 9];
        for (square, piece) in self.board.pieces() {
            if piece.color != color {
                continue;
            }
            if rules.kind(piece.role).is_none() {
                let role = piece.role;
                faults.push(SetupFault::NoSuchPiece { role, square });
            } else if rules.is_stranded(piece, square) {
                faults.push(SetupFault::Stranded {
                    color,
                    role: piece.role,
                    square,
                });
            }
            if piece.role == Role::Pawn {
                files[usize::from(square.file().index())] += 1;
            }
        }
        if rules.one_pawn_a_file && files.iter().any(|&pawns| pawns > 1) {
            faults.push(SetupFault::TwoPawnsOnFile(color));
        }
    }

    fn check_rights(&self, variant: &Variant, faults: &mut Vec<SetupFault>) {
        for &square in &self.unmoved {
            if !variant.rules().castling || !may_castle_from(&self.board, square) {
                faults.push(SetupFault::Castling(square));
            }
        }
    }

    /// Checks what is remembered of earlier drops.
    fn check_memory(&self, variant: &Variant, faults: &mut Vec<SetupFault>) {
        let rules = variant.rules();
        if !rules.bishops_differ && self.dropped_bishops != [None; 2] {
            faults.push(SetupFault::BishopColors);
        }
        for &square in &self.single_step_pawns {
            let fits = rules.double_step() == DoubleStep::DroppedOnSecondRank
                && self.board.get(square).is_some_and(|piece| {
                    piece.role == Role::Pawn
                        && piece.color.rank(1, rules.width) == square.rank().index()
                });
            if !fits {
                faults.push(SetupFault::SingleStep(square));
            }
        }
    }

    fn check_en_passant(&self, variant: &Variant, faults: &mut Vec<SetupFault>) {
        let Some(square) = self.en_passant else {
            return;
        };
        let rules = variant.rules();
        if !rules.en_passant() {
            faults.push(SetupFault::NoEnPassant);
            return;
        }
        let width = rules.width;
        let mover = !self.turn;
        let along = |steps: i8| {
            let step = if mover == Color::White { steps } else { -steps };
            let rank = square.rank().index().checked_add_signed(step)?;
            (rank < width).then(|| Square::at(square.file().index(), rank))
        };
        let pawn = Role::Pawn.of(mover);
        let empty = |at: Option<Square>| at.is_some_and(|at| self.board.get(at).is_none());
        let fits = square.rank().index() == mover.rank(2, width)
            && empty(Some(square))
            && empty(along(-1))
            && along(1).is_some_and(|at| self.board.get(at) == Some(pawn));
        if !fits {
            faults.push(SetupFault::EnPassant(square));
        }
    }
}

/// Returns true if a king or a rook stands on a square where it can castle unmoved.
fn may_castle_from(board: &Board, square: Square) -> bool {
    let index = <u64 as Bitboard>::index(square);
    let standing = board.get(square);
    standing.is_some_and(|piece| castling_squares(piece.color, piece.role).contains(&index))
}

/// The pawns that a board suggests may go two squares, where only a pawn
/// dropped on its second rank may: all that stand there.
fn suggested_double_steps<B: Bitboard>(t: &Tables<B>, state: &State<B>, color: Color) -> B {
    if t.rules.double_step() == DoubleStep::DroppedOnSecondRank {
        state.pieces(color, Role::Pawn) & t.second[color.index()]
    } else {
        B::EMPTY
    }
}

/// The colours, dark and light, on which a board suggests that the player has
/// dropped a bishop. A bishop on the board while both are in reserve is a
/// promoted pawn, and does not count.
fn suggested_bishops<B: Bitboard>(t: &Tables<B>, state: &State<B>, color: Color) -> [bool; 2] {
    let bishops = state.pieces(color, Role::Bishop);
    let one_left = state.reserve(color).count(Role::Bishop) == 1;
    let is_told = t.rules.bishops_differ && one_left && bishops.count() == 1;
    let is_light = bishops.meets(t.light);
    [is_told && !is_light, is_told && is_light]
}

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
        let mut setup = Setup {
            board,
            reserves,
            ..Setup::start(variant)
        };
        setup.turn = match fields.next() {
            None | Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => return Err(ParseFenError::Turn(other.to_string())),
        };
        setup.unmoved = castling(rules, fields.next().unwrap_or("-"))?;
        setup.en_passant = match fields.next() {
            None | Some("-") => None,
            Some(field) => {
                let square = field.parse();
                Some(square.map_err(|_| ParseFenError::EnPassant(field.to_string()))?)
            }
        };
        let mut number = |kind: fn(String) -> ParseFenError, default: u32| match fields.next() {
            None => Ok(default),
            Some(field) => match field.parse() {
                Ok(number) if number <= 100_000 => Ok(number),
                _ => Err(kind(field.to_string())),
            },
        };
        setup.halfmoves = number(ParseFenError::Halfmoves, 0)?;
        setup.number = number(ParseFenError::Number, 1)?.max(1);
        let is_remembered =
            rules.bishops_differ || rules.double_step() == DoubleStep::DroppedOnSecondRank;
        if let Some(field) = fields.next_if(|_| is_remembered) {
            for item in field.split(',') {
                let memory = || ParseFenError::Memory(item.to_string());
                setup.remember(item).ok_or_else(memory)?;
            }
        }
        if let Some(extra) = fields.next() {
            return Err(ParseFenError::ExtraField(extra.to_string()));
        }
        Ok(setup)
    }

    /// Takes an item of the field of earlier drops: `B-dark`, `b-light`, `e2`, or `-` for
    /// nothing.
    fn remember(&mut self, item: &str) -> Option<()> {
        if let Some((bishop @ ("B" | "b"), word)) = item.split_once('-') {
            let dropped = &mut self.dropped_bishops[usize::from(bishop == "b")];
            *dropped = Some(BishopColors::from_word(word)?);
        } else if item != "-" {
            let pawn = item.parse().ok()?;
            if self.single_step_pawns.contains(&pawn) {
                return None;
            }
            self.single_step_pawns.push(pawn);
        }
        Some(())
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
        return Err(ParseFenError::ReservesOpen);
    };
    for c in inside.chars().filter(|c| !matches!(c, '-' | ' ')) {
        let piece = piece(c, false)
            .filter(|piece| rules.has_slot(piece.role))
            .ok_or(ParseFenError::NotInReserve(c))?;
        let reserve = &mut reserves[piece.color.index()];
        if reserve.count(piece.role) >= 18 {
            return Err(ParseFenError::TooManyInReserve(c));
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
    let rank = Color::of_letter(letter).rank(0, 8);
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
            .ok_or(ParseFenError::Castling(letter))?;
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
        let reserve = setup.reserves[Color::of_letter(*letter).index()];
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

/// A position that cannot stand, with everything that is wrong with it.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Position, Setup, SetupFault, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let setup = Setup::from_fen(&chess, "8/8/8/8/8/8/8/4K2P w")?;
/// let error = Position::from_setup(&chess, &setup).unwrap_err();
/// assert!(error.faults().contains(&SetupFault::NoKing(Color::Black)));
/// assert_eq!(error.to_string(), "White can't have a pawn on h1; Black has no king");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    pub(crate) names: Names,
    pub(crate) faults: Vec<SetupFault>,
}

sentences! {
    /// Something that is wrong with a position.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Color, Position, Setup, SetupFault, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let setup = Setup::from_fen(&chess, "4k3/8/8/8/4R3/8/8/4K3 w")?;
    /// let error = Position::from_setup(&chess, &setup).unwrap_err();
    /// assert_eq!(error.faults(), [SetupFault::KingCanBeTaken(Color::Black)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum SetupFault(names: Names, game: &str) {
        /// The board has another size than the game's.
        BoardSize {
            /// The width of the board.
            has: u8,
            /// The width of the game's board.
            width: u8,
        } => ("the board is {has}x{has} instead of {width}x{width}"),
        /// The player has no king.
        NoKing(color: Color) => ("{} has no king", names.player(*color)),
        /// The player has several kings.
        ManyKings(color: Color) => ("{} has more than one king", names.player(*color)),
        /// Kingchess: the player has pieces on the board but no king.
        KingNotPlaced(color: Color) =>
            ("{}'s first turn must have placed the king", names.player(*color)),
        /// The game never has the piece in reserve.
        NeverInReserve(role: Role) => ("a {role} can't be in reserve in {game}"),
        /// A player holds more of these pieces than the game can give.
        TooManyInReserve {
            /// The player.
            color: Color,
            /// The role.
            role: Role,
            /// The number the player holds.
            held: u8,
        } => ("{} has {held} {role}s in reserve, more than {game} can give", names.player(*color)),
        /// A player has more of these pieces than the game can give.
        TooMany {
            /// The player.
            color: Color,
            /// The role.
            role: Role,
            /// The number the player has, on the board and in reserve.
            has: u32,
        } => ("{} has {has} {role}s, more than {game} can give", names.player(*color)),
        /// Both players together have more of these pieces than the game.
        TooManyInAll {
            /// The role.
            role: Role,
            /// The number the game has.
            most: u32,
        } => ("there are more than {most} {role}s in all"),
        /// The game does not have the piece.
        NoSuchPiece {
            /// The role.
            role: Role,
            /// The square of one of them.
            square: Square,
        } => ("{game} has no {role}, as on {square}"),
        /// The piece cannot have come to its square, or could never leave it.
        Stranded {
            /// The player.
            color: Color,
            /// The role.
            role: Role,
            /// The square.
            square: Square,
        } => ("{} can't have a {role} on {square}", names.player(*color)),
        /// The player has two unpromoted pawns on a file.
        TwoPawnsOnFile(color: Color) =>
            ("{} has two unpromoted pawns on one file", names.player(*color)),
        /// Nothing on the square can have a right to castle.
        Castling(square: Square) => ("nothing on {square} can have a right to castle"),
        /// The game has no capture en passant.
        NoEnPassant => ("{game} as played here has no capture en passant"),
        /// The game does not ask where bishops were dropped.
        BishopColors => ("{game} does not ask where bishops were dropped"),
        /// No pawn on the square can have lost its double step.
        SingleStep(square: Square) => ("no pawn on {square} can have lost its double step"),
        /// No pawn can just have passed the square.
        EnPassant(square: Square) => ("no pawn can just have passed {square}"),
        /// The player is in check, and the other one is to move.
        KingCanBeTaken(color: Color) =>
            ("{0} is in check, but it is not {0}'s turn", names.player(*color)),
    }
}

impl SetupError {
    /// Everything that is wrong with the position.
    #[must_use]
    pub fn faults(&self) -> &[SetupFault] {
        &self.faults
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        clauses(f, &self.faults, |f, fault| {
            fault.write(f, self.names, self.names.game)
        })
    }
}

impl core::error::Error for SetupError {}

sentences! {
    /// The colours of the squares on which a player has dropped bishops, in a game
    /// in which they must differ.
    ///
    /// Its `Display` is the word of a FEN: `none`, `dark`, `light` or `both`.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{BishopColors, Setup, Variant};
    ///
    /// let newchess = Variant::find("newchess", &[])?;
    /// let fen = "4k3/8/8/8/8/8/8/4K3[RRBNNQrrbbnnq] w - - 0 9 B-light";
    /// let setup = Setup::from_fen(&newchess, fen)?;
    /// assert_eq!(setup.dropped_bishops, [Some(BishopColors::Light), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum BishopColors() {
        /// No bishop has been dropped.
        None => ("none"),
        /// A bishop was dropped on a dark square.
        Dark => ("dark"),
        /// A bishop was dropped on a light square.
        Light => ("light"),
        /// Bishops were dropped on squares of both colours.
        Both => ("both"),
    }
}

impl BishopColors {
    const ALL: [BishopColors; 4] = [
        BishopColors::None,
        BishopColors::Dark,
        BishopColors::Light,
        BishopColors::Both,
    ];

    /// The colours of a word of a FEN.
    pub(crate) fn from_word(word: &str) -> Option<BishopColors> {
        let mut all = BishopColors::ALL.into_iter();
        all.find(|colors| colors.to_string() == word)
    }

    /// From whether one was dropped on a dark, and on a light square.
    pub(crate) const fn new([dark, light]: [bool; 2]) -> BishopColors {
        BishopColors::ALL[dark as usize + 2 * light as usize]
    }

    /// Returns true if one was dropped on a dark, and on a light square.
    pub(crate) const fn dark_and_light(self) -> [bool; 2] {
        [self as u8 & 1 == 1, self as u8 & 2 == 2]
    }
}
