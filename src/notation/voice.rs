//! The notation of a list, told by its moves: the 1994 format, in which Black's pieces have small
//! letters and a pawn has its letter, or SAN, in which all pieces have capital letters and a pawn has
//! none. It decides what a small `b` is.

use crate::rules::notation::{MoveText, Voice};
use crate::rules::{Color, Game, games};

/// Signs of the notation and the game in the moves of a list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a sign of its own")]
pub(super) struct Evidence {
    /// True if a move is written as in SAN.
    is_san: bool,
    /// True if a move is written as in the 1994 format.
    is_own: bool,
    /// True if a move is a pair of squares, and if one is neither that nor a drop beside such moves.
    has_pairs: bool,
    has_others: bool,
    /// True if a piece is dropped.
    has_drops: bool,
    /// True if the first move is a drop.
    begins_with_drop: bool,
    /// True if a square is named as in shogi, and if one is as in chess.
    names_shogi: bool,
    names_chess: bool,
    /// The number of moves.
    moves: usize,
}

impl Evidence {
    /// Takes a move of a player.
    pub(super) fn take(&mut self, color: Color, text: &MoveText) {
        let written = text.as_str();
        let is_pair = is_pair(written);
        self.has_pairs |= is_pair;
        self.has_others |= !is_pair && !is_drop_beside_pairs(written);
        self.begins_with_drop |= self.moves == 0 && text.is_drop();
        self.moves += 1;
        self.has_drops |= text.is_drop();
        self.names_shogi |= has_square(written, |a, b| {
            a.is_ascii_digit() && matches!(b, b'a'..=b'i')
        });
        // In `7g7f` there is no `g7`.
        let is_shogi_pair = is_pair && written.starts_with(|c: char| c.is_ascii_digit());
        self.names_chess |= !is_shogi_pair
            && has_square(written, |a, b| {
                matches!(a, b'a'..=b'i') && b.is_ascii_digit()
            });
        if is_pair || written.starts_with(['O', 'o', '0']) {
            return;
        }
        let first = written.chars().next().unwrap_or(' ');
        // A pawn goes on in its file. A longer move by `b` or `g` may be that of a bishop or of a gold
        // general.
        let is_short = written
            .get(2..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        match (first, color) {
            ('P' | 'p' | 'k' | 'q' | 'r' | 'n' | 's' | 'l', _) => self.is_own = true,
            ('b' | 'g', _) if !is_short => {}
            ('K' | 'Q' | 'R' | 'B' | 'N', Color::Black) | ('a'..='h', _) => self.is_san = true,
            _ => {}
        }
    }

    /// Returns the notation. If the moves tell none or both, a small `b` may be either.
    pub(super) fn voice(self) -> Voice {
        match (self.is_san, self.is_own) {
            _ if self.has_pairs && !self.has_others => Voice::Program,
            (true, false) => Voice::Program,
            (false, true) => Voice::List,
            _ => Voice::Alone,
        }
    }

    /// Returns the notation of a list that may have tags of PGN above it.
    pub(super) fn voice_below(self, has_tags: bool) -> Voice {
        match (has_tags, self.is_own) {
            (false, _) => self.voice(),
            (true, false) => Voice::Program,
            (true, true) => Voice::Alone,
        }
    }

    /// Returns the game that the notation belongs to, if nothing names one: chess for SAN without a
    /// drop, shogi for its squares.
    pub(super) fn game(self) -> Option<&'static Game> {
        if self.moves == 0 || self.begins_with_drop {
            return None;
        }
        if self.names_shogi && !self.names_chess {
            return games::find("shogi");
        }
        let is_san = !self.is_own && self.names_chess;
        (is_san && !self.has_drops).then_some(&games::CHESS)
    }
}

/// Returns true if a move is a pair of squares, as in UCI or USI: `e2e4`, `e7e8q`, `g9f8`, `8h2b+`.
fn is_pair(text: &str) -> bool {
    let is_square = |file: u8, rank: u8| {
        let is_latin = matches!(file, b'a'..=b'i') && matches!(rank, b'1'..=b'9');
        is_latin || matches!(file, b'1'..=b'9') && matches!(rank, b'a'..=b'i')
    };
    match text.as_bytes() {
        [a, b, c, d, rest @ ..] => {
            let rest = rest.strip_prefix(b"=").unwrap_or(rest);
            is_square(*a, *b)
                && is_square(*c, *d)
                && matches!(
                    rest,
                    [] | [b'q' | b'r' | b'b' | b'n' | b'Q' | b'R' | b'B' | b'N' | b'+']
                )
        }
        _ => false,
    }
}

/// Returns true if a move is a drop as UCI writes it, for either side: `G@f8`.
fn is_drop_beside_pairs(text: &str) -> bool {
    let (piece, square) = text.split_at_checked(1).unwrap_or_default();
    piece.chars().all(char::is_uppercase) && square.starts_with('@')
}

/// Returns true if two letters beside each other name a square.
fn has_square(text: &str, is_square: impl Fn(u8, u8) -> bool) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|pair| is_square(pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_list_tell_its_notation() {
        let voice = |moves: &str| {
            let mut evidence = Evidence::default();
            for (at, text) in moves.split(' ').enumerate() {
                let color = if at % 2 == 0 {
                    Color::White
                } else {
                    Color::Black
                };
                evidence.take(color, &text.parse().unwrap());
            }
            evidence.voice()
        };
        for (moves, expected) in [
            ("e4 b5", Voice::Program),
            ("Nf3 Nf6", Voice::Program),
            ("e2e4 e7e5", Voice::Program),
            ("c3c4 g9f8", Voice::Program),
            ("c3c4 g9f8 G@e5", Voice::Program),
            ("G@e5 g@e6", Voice::Alone),
            ("P-e4 p-b5", Voice::List),
            ("K>e1 k>e8", Voice::List),
            ("N-f3 n-f6", Voice::List),
            ("P>c3 g>c7 B-a5 gxc6 S-d2 s>d4 L>a1 l-a2", Voice::List),
            ("P>c3 g>c7 P>d3 g8-c7", Voice::List),
            ("K>e1 bxc4", Voice::Alone),
            ("e4 p-b5", Voice::Alone),
        ] {
            assert_eq!(voice(moves), expected, "{moves}");
        }
    }
}
