//! Checked positions, their legal plies, and their keys: numbers of 64 bits that stand for
//! what repetition compares.
//!
//! A key is made of random numbers, one for each piece on each square and one for each
//! number of pieces of a role in a reserve, added bit by bit; what changes with a ply is
//! taken out and put in. The few rights are mixed in behind that.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use crate::board::{Board, ParseFenError, Square};
use crate::game::{Draws, Stalemate};
use crate::illegal::{IllegalMove, IllegalMoveKind};
use crate::movegen::{self, Each, Wanted};
use crate::outcome::{Mark, Outcome, Reason};
use crate::piece::{Color, Piece, Reserve, Role};
use crate::ply::{PieceChange, Placement, Ply};
use crate::sentences::sentences;
use crate::setup::{Setup, SetupError, SetupFault};
use crate::state::{Core, IndexedPly, RepetitionKey, State, bit_on, index_on, on_board, square_on};
use crate::tables::{Bitboard, Tables};
use crate::variant::Variant;
use crate::{explain, placement};

/// A position that has passed every check: board, reserves, the side to move,
/// and the rights that decide about legal plies.
///
/// A position has no history; [`crate::Record`] keeps it. Two positions are
/// equal if their variants, boards, reserves, sides to move, counts and usable
/// rights are.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Color, Position, Role, Setup, Variant};
///
/// let shogi = Variant::find("shogi", &[])?;
/// let setup = Setup::from_fen(&shogi, "4k4/9/4P4/9/9/9/9/9/4K4[G] w")?;
/// let position = Position::from_setup(&shogi, &setup)?;
/// assert_eq!(position.turn(), Color::White);
/// assert_eq!(position.reserve(Color::White).count(Role::Gold), 1);
/// assert_eq!(position.king(Color::Black), "e9".parse().ok());
/// assert!(!position.is_check());
/// assert_eq!(position.outcome(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    variant: Variant,
    core: Core,
}

impl PartialEq for Position {
    /// The same variant, board, reserves, side to move and counts, and the
    /// same rights as far as anybody can still use them.
    fn eq(&self, other: &Position) -> bool {
        self.variant == other.variant && self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.variant.hash(state);
        self.identity().hash(state);
    }
}

impl Position {
    /// The position the game starts from.
    #[must_use]
    pub fn start(variant: &Variant) -> Position {
        Position::of(variant, Setup::start(variant).to_core(variant))
    }

    fn of(variant: &Variant, core: Core) -> Position {
        let variant = variant.clone();
        Position { variant, core }
    }

    /// Checks a setup.
    ///
    /// # Errors
    ///
    /// All faults of the setup at once; a player in check who is not to move
    /// is looked for only if there are no others.
    pub fn from_setup(variant: &Variant, setup: &Setup) -> Result<Position, SetupError> {
        let mut faults = setup.faults(variant);
        if faults.is_empty() {
            let core = setup.to_core(variant);
            let waiting = !setup.turn;
            if !on_board!(&core, |t, state| state.is_check(t, waiting)) {
                return Ok(Position::of(variant, core));
            }
            faults.push(SetupFault::KingCanBeTaken(waiting));
        }
        let names = variant.names();
        Err(SetupError { names, faults })
    }

    /// Checks the setup of a problem, which no game needs to come to: kings may be missing, as
    /// that of the player who mates in problems of shogi, pawns may stand on one file, and
    /// pieces where they cannot move.
    ///
    /// # Errors
    ///
    /// All other faults, as [`Position::from_setup`].
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Position, Setup, Variant};
    ///
    /// let shogi = Variant::find("shogi", &[])?;
    /// let problem = Setup::from_fen(&shogi, "4k4/9/4P4/9/9/9/9/9/9[G] w")?;
    /// assert!(Position::from_setup(&shogi, &problem).is_err());
    /// let problem = Position::from_problem(&shogi, &problem)?;
    /// assert!(problem.read("G>e8").is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_problem(variant: &Variant, setup: &Setup) -> Result<Position, SetupError> {
        let error = match Position::from_setup(variant, setup) {
            Ok(position) => return Ok(position),
            Err(error) => error,
        };
        let is_of_problem = |fault: &SetupFault| {
            matches!(
                fault,
                SetupFault::NoKing(_) | SetupFault::TwoPawnsOnFile(_) | SetupFault::Stranded { .. }
            )
        };
        let core = setup.to_core(variant);
        let waiting = !setup.turn;
        let is_taken = || on_board!(&core, |t, state| state.is_check(t, waiting));
        if error.faults.iter().all(is_of_problem) && !is_taken() {
            return Ok(Position::of(variant, core));
        }
        Err(error)
    }

    /// The setup of the position. [`Position::from_setup`] gives the position
    /// back.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        on_board!(&self.core, |t, state| Setup::of(t, state))
    }

    /// The game and its options.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        on_board!(&self.core, |_t, state| state.turn)
    }

    /// The number of the move to be made, from 1: it grows after the second
    /// player's turn.
    #[must_use]
    pub fn number(&self) -> u32 {
        on_board!(&self.core, |_t, state| state.plies / 2 + 1)
    }

    /// Half-moves since the last pawn move, capture or drop.
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        on_board!(&self.core, |_t, state| state.clock)
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        self.to_setup().board
    }

    /// The piece on a square; none if it is empty or off the board.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Piece> {
        if !square.is_on(self.variant.rules().width) {
            return None;
        }
        on_board!(&self.core, |_t, state| state.get(index_on(state, square)))
    }

    /// A player's reserve.
    #[must_use]
    pub fn reserve(&self, color: Color) -> Reserve {
        on_board!(&self.core, |_t, state| state.reserve(color))
    }

    /// The square of a player's king, if it is on the board.
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        on_board!(&self.core, |_t, state| state
            .king(color)
            .map(|king| square_on(state, king)))
    }

    /// Every legal ply, Kingchess placements included.
    ///
    /// Single plies come first, then the placements of several pieces, each
    /// made only when it is asked for. Kingchess has more than 10^15 first
    /// turns: take some of them, but don't collect them. In every other game
    /// the iterator is as short as [`Position::single_plies`].
    pub fn legal_plies(&self) -> impl Iterator<Item = Ply> + '_ {
        let several = self
            .placements()
            .filter(|ply| matches!(ply, Ply::Placement(_)));
        self.single_plies().into_iter().chain(several)
    }

    /// Every legal ply but Kingchess placements of several pieces.
    ///
    /// In Kingchess this can be empty while the player can meet a check by
    /// placing several pieces: [`Position::needs_placement`].
    #[must_use]
    pub fn single_plies(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        on_board!(&self.core, |t, state| {
            let (wanted, each) = (Wanted::ALL, |ply| plies.push(to_ply(state, ply)));
            movegen::generate(t, state, &mut Each { wanted, each });
        });
        plies
    }

    /// Every legal move on the board to a square, castling apart, in the order
    /// of [`Position::single_plies`]; by pieces of one role, if one is given.
    pub(crate) fn moves_to(&self, to: Square, role: Option<Role>) -> Vec<Ply> {
        let mut plies = Vec::new();
        if to.is_on(self.variant.rules().width) {
            on_board!(&self.core, |t, state| {
                let mut wanted = Wanted::NONE;
                wanted.targets |= bit_on(state, to);
                wanted.origins |= role.map_or(state.of(state.turn), |role| state.role(role));
                let each = |ply| plies.push(to_ply(state, ply));
                movegen::generate(t, state, &mut Each { wanted, each });
            });
        }
        plies
    }

    /// Kingchess: every legal placement of one piece or more, made while
    /// iterating, sorted bytewise by text. One of one piece is a
    /// [`Ply::Drop`]. Empty in every other game.
    pub fn placements(&self) -> impl Iterator<Item = Ply> + '_ {
        on_board!(&self.core, |t, state| {
            Box::new(placements(t, state)) as Box<dyn Iterator<Item = Ply>>
        })
    }

    /// Kingchess: the drops that placements consist of, sorted by letter and square. A
    /// set of them need not be legal, nor one of them alone. Empty in every other game.
    #[must_use]
    pub fn placement_drops(&self) -> Vec<Ply> {
        on_board!(&self.core, |t, state| {
            let placements = placement::Placements::new(t, state);
            let drops = placements.drops().iter().copied();
            let at = |to| square_on(state, to);
            drops
                .map(|(role, to)| Ply::Drop { role, to: at(to) })
                .collect()
        })
    }

    /// Returns true if nothing but a Kingchess placement of several pieces is legal.
    #[must_use]
    pub fn needs_placement(&self) -> bool {
        on_board!(&self.core, |t, state| !movegen::any(t, state)
            && placement::any(t, state))
    }

    /// Returns true if no ply is legal.
    pub(crate) fn is_stuck(&self) -> bool {
        on_board!(&self.core, |t, state| !movegen::any(t, state)
            && !placement::any(t, state))
    }

    /// Returns true if the ply is legal, placements included.
    #[must_use]
    pub fn is_legal(&self, ply: &Ply) -> bool {
        self.after(ply).is_some()
    }

    /// The core after the ply, if it is legal.
    pub(crate) fn after(&self, ply: &Ply) -> Option<Core> {
        match &self.core {
            Core::Eight(t, state) => Some(Core::Eight(t.clone(), after(t, state, ply)?)),
            Core::Nine(t, state) => Some(Core::Nine(t.clone(), after(t, state, ply)?)),
        }
    }

    /// A position of the same variant.
    pub(crate) fn with_core(&self, core: Core) -> Position {
        Position::of(&self.variant, core)
    }

    /// The position after the ply.
    ///
    /// # Errors
    ///
    /// If the ply is not legal: the reason.
    pub fn play(&self, ply: &Ply) -> Result<Position, IllegalMove> {
        match self.after(ply) {
            Some(core) => Ok(self.with_core(core)),
            None => Err(self.illegal(vec![explain::why_not(&self.variant, &self.core, ply)])),
        }
    }

    /// The reason why a ply is not legal, if it is not.
    pub(crate) fn why_not(&self, ply: &Ply) -> Option<IllegalMoveKind> {
        (!self.is_legal(ply)).then(|| explain::why_not(&self.variant, &self.core, ply))
    }

    /// A move of the player to move that is not allowed.
    pub(crate) fn illegal(&self, why: Vec<IllegalMoveKind>) -> IllegalMove {
        IllegalMove::new(self.variant.names(), self.turn(), why)
    }

    /// The mark of the move that led here: the threat to the king of the
    /// player to move.
    #[must_use]
    pub fn mark(&self) -> Mark {
        let (aimed, real) = on_board!(&self.core, |t, state| (
            state.is_aimed_at(t, state.turn),
            state.is_real()
        ));
        match (aimed, real) {
            (false, _) => Mark::None,
            (true, false) => Mark::Virtual,
            (true, true) if self.is_stuck() => Mark::Mate,
            (true, true) => Mark::Check,
        }
    }

    /// Returns true if the player to move is in real check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        on_board!(&self.core, |t, state| state.is_check(t, state.turn))
    }

    /// The end by checkmate, stalemate or a dead position.
    /// [`crate::Record::outcome`] knows the others, which depend on earlier
    /// positions or on counts.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let other = Some(!self.turn());
        let rules = self.variant.rules();
        if self.is_stuck() {
            let (winner, reason) = match (self.is_check(), rules.stalemate) {
                (true, _) => (other, Reason::Checkmate),
                (false, Stalemate::Draw) => (None, Reason::Stalemate),
                (false, Stalemate::Loss) => (other, Reason::Stalemate),
            };
            return Some(Outcome { winner, reason });
        }
        (rules.draws == Draws::Chess && on_board!(&self.core, |t, state| state.is_dead(t)))
            .then_some(Outcome::draw(Reason::Dead))
    }

    /// The part of the position that repetition compares.
    pub(crate) fn repetition_key(&self) -> RepetitionKey {
        match &self.core {
            Core::Eight(t, state) => RepetitionKey::Eight(movegen::repetition_key(t, state)),
            Core::Nine(t, state) => RepetitionKey::Nine(movegen::repetition_key(t, state)),
        }
    }

    pub(crate) fn has_chess_pawns(&self) -> bool {
        self.variant().rules().has_chess_pawns()
    }

    /// The squares of the mover's pieces of a role, by name.
    pub(crate) fn own(&self, role: Role) -> Vec<Square> {
        let wanted = role.of(self.turn());
        let board = self.board();
        let own = board.pieces().filter(|(_, piece)| *piece == wanted);
        own.map(|(square, _)| square).collect()
    }

    /// The part of the position that equality compares.
    fn identity(&self) -> RepetitionKey {
        match &self.core {
            Core::Eight(t, state) => RepetitionKey::Eight(state.identity(t)),
            Core::Nine(t, state) => RepetitionKey::Nine(state.identity(t)),
        }
    }

    /// A number that stands for the position: the same for two positions of one variant
    /// that repetition takes for the same, and otherwise almost certainly another. It
    /// is the same in every run of one version of the crate; no secret is in it.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::Variant;
    ///
    /// let start = Variant::find("chess", &[])?.start();
    /// let played = |texts: [&str; 4]| {
    ///     texts.iter().fold(start.clone(), |position, text| {
    ///         let ply = position.read(text).expect("a legal move").ply;
    ///         position.play(&ply).expect("a legal move")
    ///     })
    /// };
    /// let one = played(["N-f3", "n-f6", "P-d4", "p-d5"]);
    /// let other = played(["P-d4", "p-d5", "N-f3", "n-f6"]);
    /// assert_eq!(one.key(), other.key());
    /// assert_ne!(one.key(), start.key());
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        on_board!(self.core(), |t, state| whole_key(
            t,
            state,
            key_of_pieces(state)
        ))
    }

    /// The number of lines of play of that many plies. Draws do not end a line.
    /// A Kingchess placement counts once, as a set.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        on_board!(&self.core, |t, state| perft(t, state, depth))
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

impl Variant {
    /// The position the game starts from.
    #[must_use]
    pub fn start(&self) -> Position {
        Position::start(self)
    }
}

/// The state after a ply, if it is legal.
fn after<B: Bitboard>(t: &Tables<B>, state: &State<B>, ply: &Ply) -> Option<State<B>> {
    if let Ply::Placement(placement) = ply {
        let on_board = placement.drops().all(|(_, to)| to.is_on(B::WIDTH));
        let drops = placement.drops().map(|(role, to)| (role, B::index(to)));
        // One piece alone is a drop.
        let is_placement = on_board && placement.len() > 1;
        return is_placement.then(|| placement::play(t, state, drops))?;
    }
    let mut found = None;
    let each = |legal| {
        if to_ply(state, legal) == *ply {
            found = Some(legal);
        }
    };
    let wanted = wanted(ply)?;
    movegen::generate(t, state, &mut Each { wanted, each });
    found.map(|legal| state.play(t, legal))
}

/// The part of the turns that a ply is among; none if it names a square that
/// the board does not have.
fn wanted<B: Bitboard>(ply: &Ply) -> Option<Wanted<B>> {
    let bit = |square: Square| square.is_on(B::WIDTH).then(|| B::bit(B::index(square)));
    let none = Wanted::NONE;
    Some(match ply {
        Ply::Move { from, to, .. } => Wanted {
            origins: bit(*from)?,
            targets: bit(*to)?,
            ..none
        },
        Ply::Castle(_) => Wanted {
            // The king's own.
            origins: B::FULL,
            castling: true,
            ..none
        },
        Ply::Drop { to, .. } | Ply::Relocation { to, .. } => Wanted {
            targets: bit(*to)?,
            drops: true,
            ..none
        },
        Ply::Placement(_) => none,
    })
}

fn placements<'a, B: Bitboard>(
    t: &'a Tables<B>,
    state: &'a State<B>,
) -> impl Iterator<Item = Ply> + 'a {
    placement::Placements::new(t, state).filter_map(|drops| {
        let mut drops = drops.iter().map(|&(role, to)| (role, B::square(to)));
        match drops.len() {
            1 => drops.next().map(|(role, to)| Ply::Drop { role, to }),
            _ => Placement::new(drops).map(Ply::Placement),
        }
    })
}

pub(crate) fn to_ply<B: Bitboard>(_: &State<B>, ply: IndexedPly) -> Ply {
    match ply {
        IndexedPly::Move {
            from,
            to,
            promotion,
            ..
        } => Ply::Move {
            from: B::square(from),
            to: B::square(to),
            promotion,
        },
        IndexedPly::Castle(side) => Ply::Castle(side),
        IndexedPly::Drop { role, to } => Ply::Drop {
            role,
            to: B::square(to),
        },
        IndexedPly::Relocation { role, to, pawn } => Ply::Relocation {
            role,
            to: B::square(to),
            pawn: B::square(pawn),
        },
    }
}

/// The number of lines of play of a length. The last ply is counted, not
/// played.
fn perft<B: Bitboard>(t: &Tables<B>, state: &State<B>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(t, state),
        _ => {
            let mut total = 0;
            let each = |ply| {
                // Made in place: a state returned is a state copied.
                let mut next = *state;
                next.make(t, ply);
                total += perft(t, &next, depth - 1);
            };
            // Placements have the drops among them.
            let wanted = Wanted {
                drops: !t.rules.placement,
                ..Wanted::ALL
            };
            movegen::generate(t, state, &mut Each { wanted, each });
            if t.rules.placement {
                for drops in placement::Placements::new(t, state) {
                    if let Some(next) = placement::play(t, state, drops.into_iter()) {
                        total += perft(t, &next, depth - 1);
                    }
                }
            }
            total
        }
    }
}

fn leaves<B: Bitboard>(t: &Tables<B>, state: &State<B>) -> u64 {
    if !t.rules.placement {
        return movegen::count(t, state);
    }
    let without_drops = State {
        reserves: [Reserve::EMPTY; 2],
        ..*state
    };
    movegen::count(t, &without_drops) + placement::count(t, state)
}

/// Indices of the largest board.
const SQUARES: usize = 81;
/// The counts of a role in a reserve.
const COUNTS: usize = 32;

/// By colour, role and square.
static ON_BOARD: [[[u64; SQUARES]; Role::COUNT]; 2] = {
    let mut keys = [[[0; SQUARES]; Role::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Role::COUNT * SQUARES {
        let (square, rest) = (i % SQUARES, i / SQUARES);
        keys[rest / Role::COUNT][rest % Role::COUNT][square] = mixed(i as u64 + 1);
        i += 1;
    }
    keys
};

/// By colour, role and count; that of none is zero.
static IN_RESERVE: [[[u64; COUNTS]; Role::COUNT]; 2] = {
    let mut keys = [[[0; COUNTS]; Role::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Role::COUNT * COUNTS {
        let (count, rest) = (i % COUNTS, i / COUNTS);
        if count > 0 {
            keys[rest / Role::COUNT][rest % Role::COUNT][count] = mixed(i as u64 + 100_001);
        }
        i += 1;
    }
    keys
};

const TO_MOVE: u64 = mixed(200_001);

/// A number that looks random, another for each (the finalizer of `SplitMix64`).
const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The key of board and reserves.
pub(crate) fn key_of_pieces<B: Bitboard>(state: &State<B>) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let keys = &ON_BOARD[color.index()][role.index()];
            for square in state.pieces(color, role).squares() {
                key ^= keys[usize::from(square)];
            }
            if !role.is_promoted() {
                let count = usize::from(state.reserve(color).count(role));
                key ^= IN_RESERVE[color.index()][role.index()][count];
            }
        }
    }
    key
}

/// The change of the key of board and reserves by one change, the only one of a reserve.
#[inline]
pub(crate) fn key_of_change<B: Bitboard>(before: &State<B>, change: PieceChange) -> u64 {
    let (color, role) = (change.piece.color.index(), change.piece.role.index());
    if let Some(square) = change.square {
        return ON_BOARD[color][role][usize::from(B::index(square))];
    }
    let keys = &IN_RESERVE[color][role];
    let count = usize::from(before.reserves[color].count(change.piece.role));
    let after = if change.comes { count + 1 } else { count - 1 };
    keys[count] ^ keys[after]
}

/// The key of the position, with that of its board and reserves.
#[inline]
pub(crate) fn whole_key<B: Bitboard>(t: &Tables<B>, state: &State<B>, pieces: u64) -> u64 {
    let mut key = pieces;
    if state.turn == Color::Black {
        key ^= TO_MOVE;
    }
    if !state.unmoved.is_empty() {
        key ^= key_of_set(state.live_rights(t), 1);
    }
    if !state.double_step_pawns.is_empty() {
        key ^= key_of_set(state.double_step_pawns, 2);
    }
    if !state.passed.is_empty() && movegen::can_take_en_passant(t, state) {
        key ^= key_of_set(state.passed, 3);
    }
    if t.rules.bishops_differ {
        key ^= key_of_set(bishops::<B>(state.live_bishops()), 4);
    }
    key
}

/// The colours of dropped bishops, as squares.
fn bishops<B: Bitboard>(dropped: [[bool; 2]; 2]) -> B {
    let flags = dropped.into_iter().flatten().zip(0..);
    flags.fold(
        B::EMPTY,
        |set, (is_dropped, at)| {
            if is_dropped { set | B::bit(at) } else { set }
        },
    )
}

/// The key of a set of squares that means something; zero of the empty set.
fn key_of_set<B: Bitboard>(squares: B, meaning: u64) -> u64 {
    squares.squares().fold(0, |key, square| {
        key ^ mixed(300_000 + 1_000 * meaning + u64::from(square))
    })
}
