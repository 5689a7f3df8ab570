//! The vocabulary of the slow rules: sides, kinds, pieces, squares, the board and the reserves, all of them plain arrays.

/// The two players: `First` is White or Sente, written in capitals; `Second` is Black or Gote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    First,
    Second,
}

impl Side {
    pub(crate) fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// A step given as (files, ranks) from the first player's seat, as this side makes it.
    pub(crate) fn turned(self, (files, ranks): Step) -> Step {
        match self {
            Side::First => (files, ranks),
            Side::Second => (files, -ranks),
        }
    }
}

/// The kind of a piece. The knights and pawns of chess and shogi move differently and so are different kinds, though they
/// share a letter. A promoted shogi piece keeps its kind (`Piece::promoted`); a promoted chess pawn changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Rook,
    Bishop,
    Gold,
    Silver,
    ShogiKnight,
    Lance,
    Knight,
    Queen,
    King,
    Pawn,
    ShogiPawn,
}

impl Kind {
    /// Every kind, in the order in which the reserves of the diagrams list them.
    pub(crate) const ALL: [Kind; 11] = [
        Kind::Rook,
        Kind::Bishop,
        Kind::Gold,
        Kind::Silver,
        Kind::ShogiKnight,
        Kind::Lance,
        Kind::Knight,
        Kind::Queen,
        Kind::King,
        Kind::Pawn,
        Kind::ShogiPawn,
    ];

    pub(crate) fn letter(self, side: Side) -> char {
        let letter = match self {
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Gold => 'G',
            Kind::Silver => 'S',
            Kind::ShogiKnight | Kind::Knight => 'N',
            Kind::Lance => 'L',
            Kind::Queen => 'Q',
            Kind::King => 'K',
            Kind::Pawn | Kind::ShogiPawn => 'P',
        };
        match side {
            Side::First => letter,
            Side::Second => letter.to_ascii_lowercase(),
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) side: Side,
    pub(crate) kind: Kind,
    /// Turned over (shogi games only).
    pub(crate) promoted: bool,
    /// Not moved since it came to the square where it stands, from the start, by a drop or by a relocation. Castling
    /// (docs/rules.md 3.4, 7.5) and the initial double step (3.2, 7.4) both hang on this one flag.
    pub(crate) fresh: bool,
}

impl Piece {
    pub(crate) fn fresh(side: Side, kind: Kind) -> Piece {
        Piece {
            side,
            kind,
            promoted: false,
            fresh: true,
        }
    }

    /// The letter in the owner's case, `+` before it when promoted.
    pub(crate) fn text(self) -> String {
        let mark = if self.promoted { "+" } else { "" };
        format!("{mark}{}", self.kind.letter(self.side))
    }
}

/// A step over the board: how many files to the right, how many ranks up.
pub(crate) type Step = (isize, isize);

/// A square; file and rank count from 0. Ordered by file, then rank, as a placement lists its squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Square {
    pub(crate) file: usize,
    pub(crate) rank: usize,
}

impl Square {
    /// The square with an algebraic name such as `e4`.
    pub(crate) fn named(name: &str) -> Option<Square> {
        let mut letters = name.bytes();
        let (file, rank) = (letters.next()?, letters.next()?);
        if !(b'a'..=b'i').contains(&file)
            || !(b'1'..=b'9').contains(&rank)
            || letters.next().is_some()
        {
            return None;
        }
        Some(Square {
            file: usize::from(file - b'a'),
            rank: usize::from(rank - b'1'),
        })
    }

    pub(crate) fn name(self) -> String {
        format!(
            "{}{}",
            ["a", "b", "c", "d", "e", "f", "g", "h", "i"][self.file],
            self.rank + 1
        )
    }

    /// 0 or 1; squares that share an edge differ.
    pub(crate) fn colour(self) -> usize {
        (self.file + self.rank) % 2
    }
}

/// The squares and what stands on them. An 8x8 board leaves the ninth file and rank unused.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    pub(crate) size: usize,
    squares: [[Option<Piece>; 9]; 9],
}

impl Board {
    pub(crate) fn empty(size: usize) -> Board {
        Board {
            size,
            squares: [[None; 9]; 9],
        }
    }

    pub(crate) fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.rank][square.file]
    }

    pub(crate) fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.rank][square.file] = piece;
    }

    /// Every square, by file and then by rank.
    pub(crate) fn all(&self) -> impl Iterator<Item = Square> + use<> {
        let size = self.size;
        (0..size).flat_map(move |file| (0..size).map(move |rank| Square { file, rank }))
    }

    /// The square one step away, if it is on the board.
    pub(crate) fn step(&self, from: Square, (files, ranks): Step) -> Option<Square> {
        let file = from.file.checked_add_signed(files)?;
        let rank = from.rank.checked_add_signed(ranks)?;
        (file < self.size && rank < self.size).then_some(Square { file, rank })
    }

    /// Everything a side has on the board.
    pub(crate) fn pieces(&self, side: Side) -> impl Iterator<Item = (Square, Piece)> {
        self.all()
            .filter_map(move |square| Some((square, self.at(square)?)))
            .filter(move |(_, piece)| piece.side == side)
    }

    pub(crate) fn king(&self, side: Side) -> Option<Square> {
        self.pieces(side)
            .find(|(_, piece)| piece.kind == Kind::King)
            .map(|(square, _)| square)
    }

    /// The rank as the side counts it, from 1 (docs/rules.md, terms: ranks are relative).
    pub(crate) fn relative_rank(&self, square: Square, side: Side) -> usize {
        match side {
            Side::First => square.rank + 1,
            Side::Second => self.size - square.rank,
        }
    }

    /// The square on the given file (from 0) and relative rank (from 1).
    pub(crate) fn relative_square(&self, file: usize, rank: usize, side: Side) -> Square {
        match side {
            Side::First => Square {
                file,
                rank: rank - 1,
            },
            Side::Second => Square {
                file,
                rank: self.size - rank,
            },
        }
    }
}

/// The pieces not on the board, counted by side and kind.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reserves {
    counts: [[u8; Kind::ALL.len()]; 2],
}

impl Reserves {
    pub(crate) fn count(&self, side: Side, kind: Kind) -> u8 {
        self.counts[side as usize][kind as usize]
    }

    pub(crate) fn put(&mut self, side: Side, kind: Kind) {
        self.counts[side as usize][kind as usize] += 1;
    }

    /// Takes one out; panics if there is none.
    pub(crate) fn take(&mut self, side: Side, kind: Kind) {
        self.counts[side as usize][kind as usize] -= 1;
    }

    /// The kinds a side has at least one of.
    pub(crate) fn kinds(&self, side: Side) -> impl Iterator<Item = Kind> {
        Kind::ALL
            .into_iter()
            .filter(move |&kind| self.count(side, kind) > 0)
    }

    pub(crate) fn are_empty(&self) -> bool {
        self.kinds(Side::First).next().is_none() && self.kinds(Side::Second).next().is_none()
    }

    /// A letter for every piece, in the order of `Kind::ALL`.
    pub(crate) fn text(&self, side: Side) -> String {
        self.kinds(side)
            .flat_map(|kind| (0..self.count(side, kind)).map(move |_| kind.letter(side)))
            .collect()
    }
}
