//! Playing on from a position and taking back, for programs that look ahead.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::board::Square;
use crate::game::{Captured, Draws};
use crate::movegen::{self, Each, Origin, Visitor, Wanted};
use crate::piece::{Color, Piece, Reserve, Role};
use crate::placement;
use crate::ply::{PieceChange, Placement, Ply, Side};
use crate::position::{Position, key_of_change, key_of_pieces, to_ply, whole_key};
use crate::record::Record;
use crate::state::{Core, IndexedPly, State, index_on};
use crate::tables::{Bitboard, Tables, ahead, castling_path};

/// A way through the tree of a game: plays on from a position and takes back, many
/// million times a second.
///
/// Its moves are named by their place in a list that it makes itself, of legal plies
/// alone, and forgets with every step. So nothing needs to be checked again, and a
/// number that is wrong does no harm: one beyond the list plays nothing, and any other
/// plays a ply that is legal here.
///
/// # Examples
///
/// The lines of play of two plies, each played and taken back:
///
/// ```
/// use parapost_rules::{Listing, Variant, Walk};
///
/// let mut walk = Walk::new(&Variant::find("unachess", &[])?.start());
/// let mut lines = 0;
/// for first in 0..walk.list(Listing::All) {
///     assert!(walk.play(first));
///     for second in 0..walk.list(Listing::All) {
///         assert!(walk.play(second));
///         lines += 1;
///         assert!(walk.back());
///     }
///     assert!(walk.back());
/// }
/// assert_eq!(lines, walk.position().perft(2));
/// assert!(!walk.back(), "this is where it began");
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk {
    root: Position,
    path: Path,
}

/// The part of the legal plies that [`Walk::list`] lists.
///
/// # Examples
///
/// ```
/// use parapost_rules::{Listing, Role, Variant, Walk};
///
/// let mut walk = Walk::new(&Variant::find("unachess", &[])?.start());
/// assert_eq!(walk.list(Listing::All), 344);
/// assert_eq!(walk.list(Listing::Captures), 0);
/// assert_eq!(walk.list(Listing::Drops(Role::King)), 64);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Listing {
    /// All of [`Position::single_plies`].
    All,
    /// Those that capture, en passant, too, and those that promote in the promotion zone.
    Captures,
    /// The drops of a role on empty squares.
    Drops(Role),
}

/// A position that stood before on the same way: [`Walk::recurrence`].
///
/// # Examples
///
/// ```
/// use parapost_rules::{Listing, Ply, Square, Variant, Walk};
///
/// let mut walk = Walk::new(&Variant::find("chess", &[])?.start());
/// for (from, to) in [("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")] {
///     let (from, to): (Square, Square) = (from.parse()?, to.parse()?);
///     let ply = Ply::Move { from, to, promotion: None };
///     let mut listed = 0..walk.list(Listing::All);
///     let at = listed.find(|&at| walk.ply(at) == Some(ply)).expect("a legal ply");
///     assert!(walk.play(at));
/// }
/// assert_eq!(walk.recurrence().map(|recurrence| recurrence.times), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Recurrence {
    /// How often it stood before.
    pub times: usize,
    /// Who wins if it goes on like that: the victim of a perpetual check in the
    /// shogi games. None for a draw.
    pub winner: Option<Color>,
}

/// The way, on the word that fits its board.
#[derive(Clone, Debug)]
enum Path {
    Eight(Trail<u64>),
    Nine(Trail<u128>),
}

/// Runs an expression with the trail on either board.
macro_rules! on_trail {
    ($walk:expr, |$trail:ident| $body:expr) => {
        match $walk {
            Path::Eight($trail) => $body,
            Path::Nine($trail) => $body,
        }
    };
}

#[derive(Clone, Debug)]
struct Trail<B> {
    tables: Arc<Tables<B>>,
    /// The positions passed, never none: those of the record, the root, those behind it.
    nodes: Vec<Node<B>>,
    /// The number of nodes up to the root.
    root: usize,
    /// The lists of the nodes, one behind the other.
    plies: Vec<IndexedPly>,
    /// The placements of several pieces that were added to the lists.
    placements: Vec<Placement>,
}

#[derive(Clone, Copy, Debug)]
struct Node<B> {
    state: State<B>,
    /// The key of board and reserves alone.
    pieces: u64,
    key: u64,
    /// Where its list and its placements begin.
    first: usize,
    first_placement: usize,
    /// The oldest node that it can recur from: nothing recurs over a pass.
    since: usize,
}

impl Walk {
    /// A walk that begins with a position, of which it knows no history.
    #[must_use]
    pub fn new(root: &Position) -> Walk {
        Walk::along(core::iter::once(root), root)
    }

    /// A walk that begins at the end of a record, and knows the positions before.
    #[must_use]
    pub fn of_record(record: &Record) -> Walk {
        let positions = (0..=record.steps().len()).filter_map(|plies| record.at(plies));
        Walk::along(positions, record.position())
    }

    fn along<'a>(positions: impl Iterator<Item = &'a Position>, root: &Position) -> Walk {
        let path = match root.core() {
            Core::Eight(tables, _) => Path::Eight(Trail::new(tables)),
            Core::Nine(tables, _) => Path::Nine(Trail::new(tables)),
        };
        let mut walk = Walk {
            root: root.clone(),
            path,
        };
        for position in positions {
            match (&mut walk.path, position.core()) {
                (Path::Eight(trail), Core::Eight(_, state)) => trail.begin(*state),
                (Path::Nine(trail), Core::Nine(_, state)) => trail.begin(*state),
                // The positions of a record have one board.
                _ => {}
            }
        }
        walk
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> Position {
        let core = match &self.path {
            Path::Eight(trail) => Core::Eight(trail.tables.clone(), *trail.state()),
            Path::Nine(trail) => Core::Nine(trail.tables.clone(), *trail.state()),
        };
        self.root.with_core(core)
    }

    /// The number of steps from where it began.
    #[must_use]
    pub fn depth(&self) -> usize {
        on_trail!(&self.path, |trail| trail.nodes.len() - trail.root)
    }

    /// Lists legal plies, in the order of [`Position::single_plies`], in the place of
    /// those that were listed here before. Returns how many there are: they are named 0
    /// up to that.
    pub fn list(&mut self, listing: Listing) -> usize {
        on_trail!(&mut self.path, |trail| trail.list(listing))
    }

    /// Kingchess: adds a placement of several pieces to the list. Returns its number;
    /// none if it is not legal.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Listing, Placement, Ply, Role, Square, Variant, Walk};
    ///
    /// let mut walk = Walk::new(&Variant::find("kingchess", &[])?.start());
    /// let drops = [(Role::King, Square::B1), (Role::Pawn, Square::B2)];
    /// let placement = Placement::new(drops).expect("two squares");
    /// let single = walk.list(Listing::All);
    /// assert_eq!(walk.add(&placement), Some(single));
    /// assert_eq!(walk.ply(single), Some(Ply::Placement(placement)));
    /// # Ok::<(), parapost_rules::VariantError>(())
    /// ```
    pub fn add(&mut self, placement: &Placement) -> Option<usize> {
        on_trail!(&mut self.path, |trail| trail.add(placement))
    }

    /// The ply of that number; none if there is none in the list.
    #[must_use]
    pub fn ply(&self, at: usize) -> Option<Ply> {
        on_trail!(&self.path, |trail| match trail.listed(at)? {
            Listed::Single(ply) => Some(to_ply(trail.state(), ply)),
            Listed::Several(placement) => Some(Ply::Placement(placement)),
        })
    }

    /// The role that moves or is dropped by the ply of that number: the king's for
    /// castling, none for a placement of several pieces.
    #[must_use]
    pub fn role(&self, at: usize) -> Option<Role> {
        on_trail!(&self.path, |trail| match trail.listed(at)? {
            Listed::Single(IndexedPly::Castle(_)) => Some(Role::King),
            Listed::Single(
                IndexedPly::Move { role, .. }
                | IndexedPly::Drop { role, .. }
                | IndexedPly::Relocation { role, .. },
            ) => Some(role),
            Listed::Several(_) => None,
        })
    }

    /// Calls a function with each change that the ply of that number brings.
    pub fn changes(&self, at: usize, mut each: impl FnMut(PieceChange)) {
        on_trail!(&self.path, |trail| if let Some(listed) = trail.listed(at) {
            changes(&trail.tables, trail.state(), &listed, &mut each);
        });
    }

    /// Plays the ply of that number. Returns false, and plays nothing, if there is none
    /// in the list. The list of the position left stays until another is made there.
    pub fn play(&mut self, at: usize) -> bool {
        self.play_seen(at, |_| ())
    }

    /// Plays as [`Walk::play`] does, and calls a function with each change.
    pub fn play_seen(&mut self, at: usize, each: impl FnMut(PieceChange)) -> bool {
        on_trail!(&mut self.path, |trail| trail.play(at, each))
    }

    /// Gives the turn away without a ply, which no game allows: to see what the other
    /// player threatens. Returns false if the player to move is in real check.
    pub fn pass(&mut self) -> bool {
        on_trail!(&mut self.path, |trail| trail.pass())
    }

    /// Takes the last step back. Returns false at the position where it began.
    #[inline]
    pub fn back(&mut self) -> bool {
        on_trail!(&mut self.path, |trail| trail.back())
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        on_trail!(&self.path, |trail| trail.state().turn)
    }

    /// The piece on a square; none if it is empty or off the board.
    #[must_use]
    pub fn get(&self, square: Square) -> Option<Piece> {
        if !square.is_on(self.root.variant().rules().width) {
            return None;
        }
        on_trail!(&self.path, |trail| trail
            .state()
            .get(index_on(trail.state(), square)))
    }

    /// A player's reserve.
    #[must_use]
    pub fn reserve(&self, color: Color) -> Reserve {
        on_trail!(&self.path, |trail| trail.state().reserve(color))
    }

    /// The square of a player's king, if it is on the board.
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        on_trail!(&self.path, |trail| trail.king(color))
    }

    /// Returns true if the player to move is in real check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        on_trail!(&self.path, |trail| {
            let state = trail.state();
            state.is_check(&trail.tables, state.turn)
        })
    }

    /// Returns true if a player's king is attacked, really or virtually.
    #[must_use]
    pub fn is_aimed_at(&self, color: Color) -> bool {
        on_trail!(&self.path, |trail| trail
            .state()
            .is_aimed_at(&trail.tables, color))
    }

    /// The number of a player's pieces that attack a square, pinned ones among them.
    #[must_use]
    pub fn attackers(&self, by: Color, square: Square) -> u32 {
        if !square.is_on(self.root.variant().rules().width) {
            return 0;
        }
        on_trail!(&self.path, |trail| {
            let state = trail.state();
            let at = index_on(state, square);
            let attackers = state.attackers(&trail.tables, by, at, state.occupied());
            attackers.count()
        })
    }

    /// The number of a player's pieces, the king and pawns of chess apart, that attack the
    /// other's king or a square beside it; and the number of these squares that they
    /// attack. None if that king is in reserve.
    #[must_use]
    pub fn siege(&self, by: Color) -> Option<[u32; 2]> {
        on_trail!(&self.path, |trail| trail.siege(by))
    }

    /// Half-moves since the last pawn move, capture or drop.
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        on_trail!(&self.path, |trail| trail.state().clock)
    }

    /// A number that stands for the position: the same for two positions of one variant
    /// that repetition takes for the same, and otherwise almost certainly another. It is
    /// [`Position::key`], and costs nothing here.
    #[must_use]
    pub fn key(&self) -> u64 {
        on_trail!(&self.path, |trail| trail.node().key)
    }

    /// Whether the position stood before on this way or in the record that it began
    /// with; none if it is new.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::{Record, Variant, Walk};
    ///
    /// let mut record = Record::new(Variant::find("chess", &[])?.start());
    /// assert_eq!(Walk::of_record(&record).recurrence(), None);
    /// for text in ["N-f3", "n-f6", "N-g1", "n-g8"] {
    ///     record.play_text(text)?;
    /// }
    /// let recurrence = Walk::of_record(&record).recurrence().expect("it stood before");
    /// assert_eq!((recurrence.times, recurrence.winner), (1, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recurrence(&self) -> Option<Recurrence> {
        on_trail!(&self.path, |trail| trail.recurrence())
    }

    /// Returns true if the player to move may claim a draw by the count of moves, or
    /// no mate is possible any more.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        on_trail!(&self.path, |trail| {
            let state = trail.state();
            trail.tables.rules.draws == Draws::Chess
                && (state.clock >= 100 || state.is_dead(&trail.tables))
        })
    }

    /// Kingchess: the lines along which the player to move is in check, each the
    /// free squares between, where a piece can stand in the way. Empty where there is no
    /// check, or one that nothing can stop.
    #[must_use]
    pub fn open_lines(&self) -> Vec<Vec<Square>> {
        on_trail!(&self.path, |trail| trail.open_lines())
    }
}

/// An entry of a list.
enum Listed {
    Single(IndexedPly),
    Several(Placement),
}

impl<B: Bitboard> Trail<B> {
    fn new(tables: &Arc<Tables<B>>) -> Trail<B> {
        Trail {
            tables: tables.clone(),
            nodes: vec![],
            root: 0,
            plies: Vec::new(),
            placements: Vec::new(),
        }
    }

    /// Adds a position of the record; the last is the root.
    fn begin(&mut self, state: State<B>) {
        let pieces = key_of_pieces(&state);
        self.nodes.push(Node {
            state,
            pieces,
            key: whole_key(&self.tables, &state, pieces),
            first: 0,
            first_placement: 0,
            since: 0,
        });
        self.root = self.nodes.len();
    }

    #[inline]
    fn node(&self) -> &Node<B> {
        &self.nodes[self.nodes.len() - 1]
    }

    #[inline]
    fn state(&self) -> &State<B> {
        &self.node().state
    }

    fn king(&self, color: Color) -> Option<Square> {
        self.state().king(color).map(B::square)
    }

    fn list(&mut self, listing: Listing) -> usize {
        let node = &self.nodes[self.nodes.len() - 1];
        let (t, state, plies) = (&self.tables, &node.state, &mut self.plies);
        plies.truncate(node.first);
        self.placements.truncate(node.first_placement);
        match listing {
            Listing::All => {
                let (wanted, each) = (Wanted::ALL, |ply| plies.push(ply));
                movegen::generate(t, state, &mut Each { wanted, each });
            }
            Listing::Captures => {
                let enemy = state.of(!state.turn);
                let wanted = Wanted {
                    origins: B::FULL,
                    targets: enemy | state.passed | t.zone[state.turn.index()],
                    ..Wanted::NONE
                };
                let each = |ply| {
                    if is_sharp(enemy, state.passed, ply) {
                        plies.push(ply);
                    }
                };
                movegen::generate(t, state, &mut Each { wanted, each });
            }
            Listing::Drops(role) => {
                movegen::generate(t, state, &mut Drops { role, plies });
            }
        }
        self.plies.len() - node.first
    }

    #[inline]
    fn listed(&self, at: usize) -> Option<Listed> {
        let node = self.node();
        let single = self.plies.get(node.first..)?;
        if let Some(&ply) = single.get(at) {
            return Some(Listed::Single(ply));
        }
        let added = self.placements.get(node.first_placement..)?;
        Some(Listed::Several(*added.get(at - single.len())?))
    }

    fn add(&mut self, placement: &Placement) -> Option<usize> {
        placed(&self.tables, self.state(), placement)?;
        let node = *self.node();
        self.placements.push(*placement);
        let added = self.placements.len() - node.first_placement;
        Some(self.plies.len() - node.first + added - 1)
    }

    #[inline]
    fn play(&mut self, at: usize, each: impl FnMut(PieceChange)) -> bool {
        match self.listed(at) {
            Some(Listed::Single(ply)) => {
                self.step(ply, each);
                true
            }
            Some(Listed::Several(placement)) => self.place(&placement, each),
            None => false,
        }
    }

    #[inline]
    fn step(&mut self, ply: IndexedPly, mut each: impl FnMut(PieceChange)) {
        let node = *self.node();
        let (t, before) = (&*self.tables, &node.state);
        let mut pieces = node.pieces;
        changes_of_single(t, before, ply, &mut |change| {
            pieces ^= key_of_change::<B>(before, change);
            each(change);
        });
        let mut next = Node {
            pieces,
            first: self.plies.len(),
            first_placement: self.placements.len(),
            ..node
        };
        next.state.make(t, ply);
        next.key = whole_key(t, &next.state, pieces);
        self.nodes.push(next);
    }

    fn place(&mut self, placement: &Placement, mut each: impl FnMut(PieceChange)) -> bool {
        let node = *self.node();
        let Some(state) = placed(&self.tables, &node.state, placement) else {
            return false;
        };
        changes_of_placement(node.state.turn, placement, &mut each);
        let pieces = key_of_pieces(&state);
        self.nodes.push(Node {
            state,
            pieces,
            key: whole_key(&self.tables, &state, pieces),
            first: self.plies.len(),
            first_placement: self.placements.len(),
            ..node
        });
        true
    }

    fn pass(&mut self) -> bool {
        let mut node = *self.node();
        let state = &mut node.state;
        if state.is_check(&self.tables, state.turn) {
            return false;
        }
        state.passed = B::EMPTY;
        state.clock += 1;
        state.pass();
        node.key = whole_key(&self.tables, state, node.pieces);
        node.first = self.plies.len();
        node.first_placement = self.placements.len();
        node.since = self.nodes.len();
        self.nodes.push(node);
        true
    }

    #[inline]
    fn back(&mut self) -> bool {
        if self.nodes.len() <= self.root {
            return false;
        }
        let node = self.node();
        let (first, first_placement) = (node.first, node.first_placement);
        self.plies.truncate(first);
        self.placements.truncate(first_placement);
        self.nodes.pop();
        true
    }

    fn recurrence(&self) -> Option<Recurrence> {
        let now = self.nodes.len() - 1;
        let node = self.node();
        // Where captured pieces leave, no position from before a capture, a pawn move or
        // a drop can recur.
        let oldest = match self.tables.rules.captured {
            Captured::ChangesSides => node.since,
            _ => node
                .since
                .max(now.saturating_sub(node.state.clock as usize)),
        };
        let earlier = (oldest..now).rev().skip(1).step_by(2);
        let mut same = earlier.filter(|&at| self.nodes[at].key == node.key);
        let last = same.next()?;
        let times = 1 + same.count();
        let always_checks = |color: Color| {
            let mut after = self.nodes[last + 1..].iter();
            after.all(|node| {
                node.state.turn == color || node.state.is_check(&self.tables, node.state.turn)
            })
        };
        let winner = match self.tables.rules.draws {
            Draws::Chess => None,
            Draws::Shogi => match Color::ALL.map(always_checks) {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            },
        };
        Some(Recurrence { times, winner })
    }

    fn siege(&self, by: Color) -> Option<[u32; 2]> {
        let state = self.state();
        let t = &*self.tables;
        let king = state.king(!by)?;
        let ring = t.king.steps(!by, king) | B::bit(king);
        let occupied = state.occupied();
        let (mut attackers, mut attacked) = (0, B::EMPTY);
        for movement in &t.officers {
            for from in state.pieces(by, movement.role).squares() {
                let there = t.attacks(movement, by, from, occupied) & ring;
                attackers += u32::from(!there.is_empty());
                attacked |= there;
            }
        }
        Some([attackers, attacked.count()])
    }

    fn open_lines(&self) -> Vec<Vec<Square>> {
        let state = self.state();
        let lines = state
            .king(state.turn)
            .and_then(|king| placement::open_lines(&self.tables, state, king));
        let named = |line: B| line.squares().map(B::square).collect();
        lines.into_iter().flatten().map(named).collect()
    }
}

/// The state after a placement of several pieces, if it is legal.
fn placed<B: Bitboard>(t: &Tables<B>, state: &State<B>, placement: &Placement) -> Option<State<B>> {
    let on_board = placement.drops().all(|(_, to)| to.is_on(B::WIDTH));
    if !on_board || placement.len() < 2 {
        return None;
    }
    let drops = placement.drops().map(|(role, to)| (role, B::index(to)));
    placement::play(t, state, drops)
}

/// Returns true if a move captures or promotes.
fn is_sharp<B: Bitboard>(enemy: B, passed: B, ply: IndexedPly) -> bool {
    match ply {
        IndexedPly::Move {
            role,
            from,
            to,
            promotion,
        } => {
            let is_en_passant =
                role == Role::Pawn && passed.has(to) && from % B::WIDTH != to % B::WIDTH;
            enemy.has(to) || promotion.is_some() || is_en_passant
        }
        _ => false,
    }
}

/// Takes the drops of one role.
struct Drops<'a> {
    role: Role,
    plies: &'a mut Vec<IndexedPly>,
}

impl<B: Bitboard> Visitor<B> for Drops<'_> {
    fn moves(&mut self, _: Role, _: Origin, _: B, _: &[Option<Role>]) {}

    fn castle(&mut self, _: Side) {}

    fn drops(&mut self, role: Role, targets: B) {
        if role == self.role {
            let drops = targets.squares().map(|to| IndexedPly::Drop { role, to });
            self.plies.extend(drops);
        }
    }

    fn relocations(&mut self, _: Role, _: B, _: B) {}

    fn origins(&self, _: B) -> B {
        B::EMPTY
    }

    fn wants_castling(&self) -> bool {
        false
    }
}

fn changes<B: Bitboard>(
    t: &Tables<B>,
    before: &State<B>,
    listed: &Listed,
    each: &mut impl FnMut(PieceChange),
) {
    match listed {
        Listed::Single(ply) => changes_of_single(t, before, *ply, each),
        Listed::Several(placement) => changes_of_placement(before.turn, placement, each),
    }
}

fn changes_of_placement(us: Color, placement: &Placement, each: &mut impl FnMut(PieceChange)) {
    for (role, to) in placement.drops() {
        let piece = role.of(us);
        each(PieceChange::new(piece, None, false));
        each(PieceChange::new(piece, Some(to), true));
    }
}

/// What a turn that the generator gave changes, in the order in which it is done.
#[inline]
fn changes_of_single<B: Bitboard>(
    t: &Tables<B>,
    before: &State<B>,
    ply: IndexedPly,
    each: &mut impl FnMut(PieceChange),
) {
    let us = before.turn;
    let mut put = |role: Role, at: u8, comes| {
        each(PieceChange::new(role.of(us), Some(B::square(at)), comes));
    };
    match ply {
        IndexedPly::Move {
            role,
            from,
            to,
            promotion,
        } => {
            put(role, from, false);
            put(promotion.unwrap_or(role), to, true);
            let bit = B::bit(to);
            let taken = if bit.meets(before.of(!us)) {
                (before.role_of(to), to)
            } else if role == Role::Pawn
                && t.chess_pawns
                && bit.meets(before.passed)
                && from % B::WIDTH != to % B::WIDTH
            {
                (Role::Pawn, bit.shift(ahead::<B>(!us)).lowest())
            } else {
                return;
            };
            let (role, at) = taken;
            each(PieceChange::new(role.of(!us), Some(B::square(at)), false));
            if t.rules.captured == Captured::ChangesSides {
                each(PieceChange::new(role.base().of(us), None, true));
            }
        }
        IndexedPly::Castle(side) => {
            let [king, rook, king_to, rook_to] = castling_path(us, side);
            for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
                put(role, from, false);
                put(role, to, true);
            }
        }
        IndexedPly::Drop { role, to } => {
            each(PieceChange::new(role.of(us), None, false));
            each(PieceChange::new(role.of(us), Some(B::square(to)), true));
        }
        IndexedPly::Relocation { role, to, pawn } => {
            put(Role::Pawn, to, false);
            put(Role::Pawn, pawn, true);
            each(PieceChange::new(role.of(us), None, false));
            each(PieceChange::new(role.of(us), Some(B::square(to)), true));
        }
    }
}
