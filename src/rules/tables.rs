//! A game's rules worked out square by square: what a piece reaches on an
//! empty board, where it may be dropped, where it could never move.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bitboard::{Bitboard, ahead};
use crate::game::{Kind, Promotion, Rules, Slide};
use crate::piece::{Color, Role};
use crate::ply::Side;

/// Squares of the largest board.
const SQUARES: usize = 81;

/// The lines through a square: its file, its rank, and its two diagonals.
pub(crate) const LINES: usize = 4;

/// A set of squares for every square.
type BySquare<B> = [B; SQUARES];

/// The two halves of a line, without the square it is seen from: `lower` has
/// the smaller indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<B> {
    pub(crate) lower: B,
    pub(crate) upper: B,
}

/// Castling on one side.
#[derive(Debug)]
pub(crate) struct Castling<B> {
    pub(crate) side: Side,
    /// King and rook, both unmoved.
    pub(crate) unmoved: B,
    /// The squares between them, all empty.
    pub(crate) between: B,
    /// The squares the king passes and lands on, none attacked.
    pub(crate) path: [u8; 2],
}

/// The moves of a piece, in one word for the innermost loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reach {
    /// Steps and leaps alone.
    Steps,
    /// Runs along file and rank, and does nothing else.
    Orthogonal,
    /// Runs along the diagonals, and does nothing else.
    Diagonal,
    /// Runs along all of them, and does nothing else.
    Both,
    /// Anything else.
    Mixed,
}

/// The movement of a piece, for the generator.
#[derive(Clone, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "the innermost loop reads each by itself"
)]
pub(crate) struct Movement<B> {
    pub(crate) role: Role,
    /// Its moves on an empty board.
    pub(crate) reach: Reach,
    pub(crate) orthogonal: bool,
    pub(crate) diagonal: bool,
    pub(crate) forward: bool,
    /// The role after promotion in the zone, if the game has one.
    pub(crate) promoted: Option<Role>,
    /// By colour: how far its one step straight ahead moves an index, if it
    /// goes in no other way.
    pub(crate) straight: [Option<i8>; 2],
    /// By colour and square: where single steps and leaps lead.
    steps: [BySquare<B>; 2],
    /// By colour and square: where steps and leaps that end there begin.
    sources: [BySquare<B>; 2],
    /// By colour: where it could never move again.
    pub(crate) immobile: [B; 2],
}

/// A game's rules worked out for its board.
#[derive(Debug)]
pub(crate) struct Tables<B> {
    pub(crate) rules: Rules,
    /// Every piece but the king and, in chess, the pawn.
    pub(crate) officers: Vec<Movement<B>>,
    /// By role: its place among the officers; one that is none for the rest.
    places: [usize; Role::COUNT],
    pub(crate) king: Movement<B>,
    pub(crate) pawn: Movement<B>,
    /// True if pawns go as in chess, and so are not among the officers.
    pub(crate) chess_pawns: bool,
    /// By colour and role: the ranks on which it may be dropped.
    drop_ranks: [[B; Role::COUNT]; 2],
    /// The roles that can be in reserve, in the order they are written.
    pub(crate) droppable: Vec<Role>,
    /// The roles that run along files and ranks, along diagonals, forward.
    pub(crate) orthogonal: Vec<Role>,
    pub(crate) diagonal: Vec<Role>,
    pub(crate) forward_only: Vec<Role>,
    lines: Box<[[Line<B>; LINES]; SQUARES]>,
    /// By square: its file and rank, and its two diagonals, without itself.
    straights: BySquare<B>,
    slants: BySquare<B>,
    /// By colour and square: the squares from which any of that colour's
    /// pieces could attack it by a step or leap.
    near: [BySquare<B>; 2],
    /// By colour and square: the same for a king's steps from the square, and
    /// for the square itself.
    near_king: [BySquare<B>; 2],
    /// By colour and side: how to castle.
    pub(crate) castling: [[Castling<B>; 2]; 2],
    /// By colour: the promotion zone (for chess pawns the last rank).
    pub(crate) zone: [B; 2],
    /// By colour: the second rank.
    pub(crate) second: [B; 2],
    /// By colour: the ranks a relocated pawn may go to.
    pub(crate) relocation: [B; 2],
    /// By file: its squares.
    pub(crate) files: [B; 9],
    /// The light squares, h1 among them.
    pub(crate) light: B,
}

impl<B: Bitboard> Tables<B> {
    pub(crate) fn new(rules: &Rules) -> Tables<B> {
        let lines = Box::new(lines());
        let [straights, slants] = [0, 2].map(|first| pair(&lines, first));
        let movement = |role| Movement::new(rules, role);
        let chess_pawns = rules.has_chess_pawns();
        let is_officer = |role: &Role| *role != Role::King && !(chess_pawns && *role == Role::Pawn);
        let others = rules.kinds.iter().map(|kind| kind.role).filter(is_officer);
        let officers: Vec<Movement<B>> = others.map(movement).collect();
        let places = Role::ALL.map(|role| {
            let place = officers.iter().position(|officer| officer.role == role);
            place.unwrap_or(usize::MAX)
        });
        let (king, pawn) = (movement(Role::King), movement(Role::Pawn));
        let near = Color::ALL.map(|color| {
            core::array::from_fn(|square| {
                let sources =
                    |set, movement: &Movement<B>| set | movement.sources[color.index()][square];
                officers
                    .iter()
                    .chain([&king, &pawn])
                    .fold(B::EMPTY, sources)
            })
        });
        let near_king = Color::ALL.map(|color| {
            let near: &BySquare<B> = &near[color.index()];
            core::array::from_fn(|square| {
                let steps = king.steps[(!color).index()][square].squares();
                steps.fold(near[square], |set, to| set | near[usize::from(to)])
            })
        });
        let sliding = |slide| {
            let kinds = rules.kinds.iter();
            let sliding = kinds.filter(|kind| kind.slides.contains(&slide));
            sliding.map(|kind| kind.role).collect()
        };
        let zone_ranks = match rules.promotion {
            Promotion::LastRank(_) => 1,
            Promotion::Zone { ranks, .. } => ranks,
        };
        let ranks = |from, to| Color::ALL.map(|color| B::ranks(color, from, to));
        Tables {
            officers,
            places,
            king,
            pawn,
            chess_pawns,
            drop_ranks: Color::ALL.map(|color| {
                let ranks = |(first, last)| B::ranks(color, first, last);
                rules.drop_ranks.map(ranks)
            }),
            droppable: rules.slots().map(|(role, _)| role).collect(),
            orthogonal: sliding(Slide::Orthogonal),
            diagonal: sliding(Slide::Diagonal),
            forward_only: sliding(Slide::Forward),
            near,
            near_king,
            lines,
            straights,
            slants,
            castling: Color::ALL.map(|color| {
                [Side::King, Side::Queen].map(|side| {
                    let [king, rook, king_to, rook_to] = castling_path(color, side);
                    let between = king.min(rook) + 1..king.max(rook);
                    Castling {
                        side,
                        unmoved: B::bit(king) | B::bit(rook),
                        between: between.fold(B::EMPTY, |set, at| set | B::bit(at)),
                        path: [rook_to, king_to],
                    }
                })
            }),
            zone: ranks(B::WIDTH + 1 - zone_ranks, B::WIDTH),
            second: ranks(2, 2),
            relocation: rules
                .relocation
                .map_or([B::EMPTY; 2], |(from, to)| ranks(from, to)),
            files: core::array::from_fn(|file| {
                squares_where(|index: u8| usize::from(index % B::WIDTH) == file)
            }),
            light: squares_where(|index: u8| (index / B::WIDTH + index % B::WIDTH) % 2 == 1),
            rules: rules.clone(),
        }
    }

    /// The four lines through a square.
    #[inline]
    pub(crate) fn lines(&self, square: u8) -> &[Line<B>; LINES] {
        &self.lines[usize::from(square)]
    }

    /// The file and the rank of a square, without the square.
    #[inline]
    pub(crate) fn straights(&self, square: u8) -> B {
        self.straights[usize::from(square)]
    }

    /// The two diagonals of a square, without the square.
    #[inline]
    pub(crate) fn slants(&self, square: u8) -> B {
        self.slants[usize::from(square)]
    }

    /// The squares a rook attacks from a square.
    #[inline]
    pub(crate) fn orthogonals(&self, square: u8, occupied: B) -> B {
        let [file, rank, ..] = self.lines(square);
        B::seen(file.lower, file.upper, occupied) | B::seen(rank.lower, rank.upper, occupied)
    }

    /// The squares a bishop attacks from a square.
    #[inline]
    pub(crate) fn diagonals(&self, square: u8, occupied: B) -> B {
        let [_, _, one, other] = self.lines(square);
        B::seen(one.lower, one.upper, occupied) | B::seen(other.lower, other.upper, occupied)
    }

    /// The squares a lance attacks from a square.
    #[inline]
    pub(crate) fn forward(&self, color: Color, square: u8, occupied: B) -> B {
        let file = self.lines(square)[0];
        match color {
            Color::White => B::seen(B::EMPTY, file.upper, occupied),
            Color::Black => B::seen(file.lower, B::EMPTY, occupied),
        }
    }

    /// The squares a piece attacks from a square.
    #[inline]
    pub(crate) fn attacks(
        &self,
        movement: &Movement<B>,
        color: Color,
        square: u8,
        occupied: B,
    ) -> B {
        match movement.reach {
            Reach::Steps => return movement.steps(color, square),
            Reach::Orthogonal => return self.orthogonals(square, occupied),
            Reach::Diagonal => return self.diagonals(square, occupied),
            Reach::Both | Reach::Mixed => {}
        }
        let mut reached = movement.steps(color, square);
        if movement.orthogonal {
            reached |= self.orthogonals(square, occupied);
        }
        if movement.diagonal {
            reached |= self.diagonals(square, occupied);
        }
        if movement.forward {
            reached |= self.forward(color, square, occupied);
        }
        reached
    }

    /// The squares from which any piece of the player could attack a square
    /// by a step or leap.
    #[inline]
    pub(crate) fn near(&self, color: Color, square: u8) -> B {
        self.near[color.index()][usize::from(square)]
    }

    /// The squares from which any piece of the player could by a step or leap
    /// attack a king on that square, or a square that it goes to.
    #[inline]
    pub(crate) fn near_king(&self, color: Color, square: u8) -> B {
        self.near_king[color.index()][usize::from(square)]
    }

    /// The squares of the ranks on which a player may drop a role.
    #[inline]
    pub(crate) fn drop_ranks(&self, color: Color, role: Role) -> B {
        self.drop_ranks[color.index()][role.index()]
    }

    /// The movement of a role that the game has.
    #[inline]
    pub(crate) fn movement(&self, role: Role) -> Option<&Movement<B>> {
        match role {
            Role::King => Some(&self.king),
            Role::Pawn if self.chess_pawns => Some(&self.pawn),
            _ => self.officers.get(self.places[role.index()]),
        }
    }

    /// Every movement: the officers, the king, the chess pawn.
    pub(crate) fn movements(&self) -> impl Iterator<Item = &Movement<B>> {
        let pawn = self.chess_pawns.then_some(&self.pawn);
        self.officers.iter().chain([&self.king]).chain(pawn)
    }
}

impl<B: Bitboard> Movement<B> {
    fn new(rules: &Rules, role: Role) -> Movement<B> {
        let kind = rules.kind(role);
        let (steps, slides) = kind.map_or((&[][..], &[][..]), |kind| (kind.steps, kind.slides));
        let along = |slide| slides.contains(&slide);
        let toward = |color, sign: i8| -> BySquare<B> {
            core::array::from_fn(|index| {
                steps.iter().fold(B::EMPTY, |set, &(file, rank)| {
                    let rank = if color == Color::White { rank } else { -rank };
                    set | step::<B>(index, (sign * file, sign * rank)).map_or(B::EMPTY, bit_of)
                })
            })
        };
        let steps = Color::ALL.map(|color| toward(color, 1));
        Movement {
            role,
            reach: match (kind.map_or(&[][..], |kind| kind.steps), slides) {
                (_, []) => Reach::Steps,
                ([], [Slide::Orthogonal]) => Reach::Orthogonal,
                ([], [Slide::Diagonal]) => Reach::Diagonal,
                ([], [Slide::Orthogonal, Slide::Diagonal]) => Reach::Both,
                _ => Reach::Mixed,
            },
            orthogonal: along(Slide::Orthogonal),
            diagonal: along(Slide::Diagonal),
            forward: along(Slide::Forward),
            promoted: match rules.promotion {
                Promotion::Zone { .. } => role.promoted(),
                Promotion::LastRank(_) => None,
            },
            straight: Color::ALL.map(|color| match kind {
                Some(Kind {
                    steps: [(0, rank)],
                    slides: [],
                    ..
                }) => Some(rank * ahead::<B>(color)),
                _ => None,
            }),
            immobile: Color::ALL.map(|color| {
                let forward = (0, if color == Color::White { 1 } else { -1 });
                squares_where(|index| {
                    let index = usize::from(index);
                    let slides = along(Slide::Orthogonal) || along(Slide::Diagonal);
                    let runs = along(Slide::Forward) && step::<B>(index, forward).is_some();
                    steps[color.index()][index].is_empty() && !slides && !runs
                })
            }),
            steps,
            sources: Color::ALL.map(|color| toward(color, -1)),
        }
    }

    /// The squares that single steps and leaps lead to from a square.
    #[inline]
    pub(crate) fn steps(&self, color: Color, square: u8) -> B {
        self.steps[color.index()][usize::from(square)]
    }

    /// The squares from which single steps and leaps lead to a square.
    #[inline]
    pub(crate) fn sources(&self, color: Color, square: u8) -> B {
        self.sources[color.index()][usize::from(square)]
    }
}

/// The lines through every square.
fn lines<B: Bitboard>() -> [[Line<B>; LINES]; SQUARES] {
    core::array::from_fn(|index| {
        [(0, 1), (1, 0), (1, 1), (-1, 1)].map(|(file, rank)| Line {
            upper: ray::<B>(index, (file, rank)),
            lower: ray::<B>(index, (-file, -rank)),
        })
    })
}

/// By square: the squares of two lines through it, from that line on.
fn pair<B: Bitboard>(lines: &[[Line<B>; LINES]; SQUARES], first: usize) -> BySquare<B> {
    core::array::from_fn(|square| {
        let two = lines[square].iter().skip(first).take(2);
        two.fold(B::EMPTY, |set, line| set | line.lower | line.upper)
    })
}

/// The squares whose index the condition likes.
fn squares_where<B: Bitboard>(likes: impl Fn(u8) -> bool) -> B {
    (0..B::WIDTH * B::WIDTH)
        .filter(|&index| likes(index))
        .fold(B::EMPTY, |set, index| set | B::bit(index))
}

#[allow(clippy::cast_possible_truncation, reason = "an index below 81")]
fn bit_of<B: Bitboard>(index: usize) -> B {
    B::bit(index as u8)
}

/// The index one step away, if it is on the board.
#[allow(clippy::cast_possible_truncation, reason = "an index below 81")]
fn step<B: Bitboard>(index: usize, (file, rank): (i8, i8)) -> Option<usize> {
    let width = B::WIDTH;
    let index = index as u8;
    if index >= width * width {
        return None;
    }
    let file = (index % width).checked_add_signed(file)?;
    let rank = (index / width).checked_add_signed(rank)?;
    (file < width && rank < width).then(|| usize::from(rank * width + file))
}

/// All squares in one direction.
fn ray<B: Bitboard>(from: usize, direction: (i8, i8)) -> B {
    let mut set = B::EMPTY;
    let mut at = from;
    while let Some(next) = step::<B>(at, direction) {
        set |= bit_of(next);
        at = next;
    }
    set
}

/// King from, rook from, king to, rook to: on e1, h1 or a1 and the squares of
/// chess, or on the eighth rank.
pub(crate) const fn castling_path(color: Color, side: Side) -> [u8; 4] {
    let home = match color {
        Color::White => 0,
        Color::Black => 56,
    };
    match side {
        Side::King => [home + 4, home + 7, home + 6, home + 5],
        Side::Queen => [home + 4, home, home + 2, home + 3],
    }
}

/// The squares on which an unmoved piece can castle.
pub(crate) const fn castling_squares(color: Color, role: Role) -> &'static [u8] {
    match (color, role) {
        (Color::White, Role::King) => &[4],
        (Color::Black, Role::King) => &[60],
        (Color::White, Role::Rook) => &[0, 7],
        (Color::Black, Role::Rook) => &[56, 63],
        _ => &[],
    }
}
