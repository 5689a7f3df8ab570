//! What a ply does, in a few words that are true of the position: it takes something, gives
//! check, saves or attacks a piece.

use core::fmt;

use parapost_rules::{Listing, Mark, Ply, Position, Role, Square, Walk};

use crate::engine::{Engine, Score};
use crate::values::Values;

/// Something that a ply does. `Display` writes it behind the name of who plays it: "takes the
/// rook".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Deed {
    /// It mates.
    Mates,
    /// It mates in so many moves, whatever the answers are.
    MatesIn(i32),
    /// It takes a piece.
    Takes(Role),
    /// It gives check.
    Checks,
    /// It gives virtual check.
    ChecksVirtually,
    /// It parries a check.
    AnswersCheck,
    /// It moves a piece that could be taken at a loss to where nothing can take it.
    Saves(Role),
    /// It promotes a piece.
    Promotes,
    /// It castles.
    Castles,
    /// It brings the king from the reserve to the board.
    PlacesKing,
    /// The piece that it moves or drops could take one at a gain, or either of two.
    Attacks(Role, Option<Role>),
    /// It would mate if it were its turn again.
    ThreatensMate,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Mates => f.write_str("mates"),
            Deed::MatesIn(2) => f.write_str("mates in two"),
            Deed::MatesIn(moves) => write!(f, "mates in {moves}"),
            Deed::Takes(role) => write!(f, "takes the {}", role.name()),
            Deed::Checks => f.write_str("gives check"),
            Deed::ChecksVirtually => f.write_str("gives virtual check"),
            Deed::AnswersCheck => f.write_str("answers the check"),
            Deed::Saves(role) => write!(f, "saves the {}", role.name()),
            Deed::Promotes => f.write_str("promotes"),
            Deed::Castles => f.write_str("castles"),
            Deed::PlacesKing => f.write_str("places the king"),
            Deed::Attacks(role, None) => write!(f, "attacks the {}", role.name()),
            Deed::Attacks(role, Some(other)) if role == other => {
                write!(f, "attacks two {}s", role.name())
            }
            Deed::Attacks(role, Some(other)) => {
                write!(f, "attacks the {} and the {}", role.name(), other.name())
            }
            Deed::ThreatensMate => f.write_str("threatens mate"),
        }
    }
}

/// The longest mate that is announced, in half-moves.
const ANNOUNCED: i32 = 3;

impl Engine {
    /// What a legal ply does, what matters most first; none if it is illegal or does nothing of
    /// the kind. `score` is what the engine thinks of the ply, from the side of who plays it.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_engine::{Deed, Engine, Score};
    /// use parapost_rules::{Position, Role, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let position = Position::from_fen(&chess, "3qk3/8/8/8/8/8/8/R3K3 w")?;
    /// let ply = position.read("R-d1")?.ply;
    /// let deeds = Engine::new(&chess).deeds(&position, &ply, Score::Pawns(0));
    /// assert_eq!(deeds, [Deed::Attacks(Role::Queen, None)]);
    /// assert_eq!(deeds[0].to_string(), "attacks the queen");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn deeds(&self, position: &Position, ply: &Ply, score: Score) -> Vec<Deed> {
        let Ok(after) = position.play(ply) else {
            return Vec::new();
        };
        let mark = after.mark();
        if mark == Mark::Mate {
            return vec![Deed::Mates];
        }
        let has_placements = position.variant().rules().placement;
        if let Score::Mate(plies @ 2..=ANNOUNCED) = score
            // Not all answers are tried where several pieces can be placed in one turn.
            && !has_placements
        {
            return vec![Deed::MatesIn((plies + 1) / 2)];
        }
        let look = Look {
            values: &self.evaluator.values,
            position,
            after: &after,
        };
        let mut deeds: Vec<Deed> = look.taken(ply).map(Deed::Takes).into_iter().collect();
        match *ply {
            Ply::Move { promotion, .. } if promotion.is_some() => deeds.push(Deed::Promotes),
            Ply::Castle(_) => deeds.push(Deed::Castles),
            _ => {}
        }
        let turn = position.turn();
        if position.king(turn).is_none() && after.king(turn).is_some() {
            deeds.push(Deed::PlacesKing);
        }
        match mark {
            Mark::Check => deeds.push(Deed::Checks),
            Mark::Virtual if Walk::new(position).is_aimed_at(!turn) => {}
            Mark::Virtual => deeds.push(Deed::ChecksVirtually),
            _ => {}
        }
        if position.is_check() {
            deeds.push(Deed::AnswersCheck);
        } else {
            deeds.extend(look.saved(ply).map(Deed::Saves));
        }
        deeds.extend(look.attacked(ply));
        if look.threatens_mate() {
            deeds.push(Deed::ThreatensMate);
        }
        deeds
    }
}

/// A look at a position and the one that a ply leads to.
struct Look<'l> {
    values: &'l Values,
    position: &'l Position,
    after: &'l Position,
}

impl Look<'_> {
    fn worth(&self, role: Role) -> i32 {
        match role {
            // It is never given for anything.
            Role::King => i32::MAX,
            role => self.values.worth(role).board,
        }
    }

    /// The piece that the ply takes.
    fn taken(&self, ply: &Ply) -> Option<Role> {
        let Ply::Move { from, to, .. } = *ply else {
            return None;
        };
        if let Some(piece) = self.position.get(to) {
            return Some(piece.role);
        }
        // En passant: a piece of the other's is gone that did not stand there.
        let count = |position: &Position| position.board().pieces().count();
        let is_gone = count(self.after) < count(self.position);
        is_gone.then(|| self.position.get(from).map(|piece| piece.role))?
    }

    /// The squares on which the ply puts a piece, but for castling.
    fn put(ply: &Ply) -> Vec<Square> {
        match ply {
            Ply::Move { to, .. } | Ply::Drop { to, .. } => vec![*to],
            Ply::Relocation { to, pawn, .. } => vec![*to, *pawn],
            Ply::Placement(placement) => placement.drops().map(|(_, to)| to).collect(),
            Ply::Castle(_) => Vec::new(),
        }
    }

    /// The piece that the ply takes out of danger: the other could take it at a gain, and nothing can
    /// take it where it goes.
    fn saved(&self, ply: &Ply) -> Option<Role> {
        let Ply::Move { from, to, .. } = *ply else {
            return None;
        };
        let role = self.position.get(from)?.role;
        let mut before = Walk::new(self.position);
        let is_guarded = before.attackers(self.position.turn(), from) > 0;
        if role == Role::King || !before.pass() {
            return None;
        }
        let is_in_danger = captures(&mut before)
            .into_iter()
            .filter(|(_, at)| *at == from)
            .filter_map(|(taker, _)| self.position.get(taker))
            .any(|taker| self.gains(taker.role, role, is_guarded));
        if !is_in_danger || role == Role::Pawn {
            return None;
        }
        let takers = captures(&mut Walk::new(self.after));
        takers.into_iter().all(|(_, at)| at != to).then_some(role)
    }

    /// The pieces that one which the ply has put somewhere could take at a gain, the most
    /// valuable two.
    fn attacked(&self, ply: &Ply) -> Option<Deed> {
        let put = Look::put(ply);
        let mut targets: Vec<(i32, Square, Role)> = Vec::new();
        for (from, at) in self.attacks(&put) {
            let (Some(taker), Some(piece)) = (self.after.get(from), self.after.get(at)) else {
                continue;
            };
            let is_guarded = Walk::new(self.after).attackers(piece.color, at) > 0;
            let is_new = targets.iter().all(|(_, known, _)| *known != at);
            if is_new && self.gains(taker.role, piece.role, is_guarded) {
                targets.push((self.worth(piece.role), at, piece.role));
            }
        }
        targets.sort_by_key(|(worth, ..)| -worth);
        let mut roles = targets.into_iter().map(|(.., role)| role);
        roles.next().map(|role| Deed::Attacks(role, roles.next()))
    }

    /// What pieces on these squares attack, each by both squares: what they could take next. As
    /// long as the king is in reserve, which may keep them from taking, it is what they aim at
    /// since the ply, if one piece was put.
    fn attacks(&self, put: &[Square]) -> Vec<(Square, Square)> {
        let mut walk = Walk::new(self.after);
        let mine = self.position.turn();
        if self.after.king(mine).is_some() {
            if !walk.pass() {
                return Vec::new();
            }
            let taken = captures(&mut walk).into_iter();
            return taken.filter(|(from, _)| put.contains(from)).collect();
        }
        let before = Walk::new(self.position);
        let &[from] = put else {
            return Vec::new();
        };
        let board = self.after.board();
        let others = board.pieces().filter(|(_, piece)| {
            // A king that is aimed at is in virtual check.
            piece.color != mine && piece.role != Role::King
        });
        let squares = others.map(|(square, _)| square);
        let aimed = squares.filter(|at| walk.attackers(mine, *at) > before.attackers(mine, *at));
        aimed.map(|at| (from, at)).collect()
    }

    /// Returns true if a piece gains by taking another.
    fn gains(&self, taker: Role, role: Role, is_guarded: bool) -> bool {
        !is_guarded || self.worth(role) > self.worth(taker)
    }

    /// Returns true if whoever has played would mate with another ply at once.
    fn threatens_mate(&self) -> bool {
        let mut walk = Walk::new(self.after);
        if !walk.pass() {
            return false;
        }
        (0..walk.list(Listing::All)).any(|at| {
            walk.play(at);
            let is_mate = walk.is_check() && walk.position().mark() == Mark::Mate;
            walk.back();
            is_mate
        })
    }
}

/// The legal captures, each by the squares of who takes and of what is taken.
fn captures(walk: &mut Walk) -> Vec<(Square, Square)> {
    let count = walk.list(Listing::Captures);
    let plies = (0..count).filter_map(|at| walk.ply(at));
    let moves = plies.filter_map(|ply| match ply {
        Ply::Move { from, to, .. } if walk.get(to).is_some() => Some((from, to)),
        _ => None,
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use parapost_rules::{Record, Variant};

    use super::*;
    use crate::search::Limits;

    fn deeds(game: &str, fen: &str, text: &str) -> String {
        let variant = Variant::find(game, &[]).expect("a game");
        let position = Position::from_fen(&variant, fen).expect("a position");
        let ply = position.read(text).expect("a move").ply;
        let deeds = Engine::new(&variant).deeds(&position, &ply, Score::Pawns(0));
        let deeds: Vec<String> = deeds.iter().map(ToString::to_string).collect();
        deeds.join(", ")
    }

    #[test]
    fn each_deed_is_told_where_it_is_done_and_nowhere_else() {
        for (game, fen, text, expected) in [
            ("chess", "6k1/5ppp/8/8/8/8/8/R5K1 w", "R-a8", "mates"),
            (
                "chess",
                "4k3/8/8/3r4/8/8/8/3RK3 w",
                "Rxd5",
                "takes the rook",
            ),
            ("chess", "4k3/8/8/3r4/8/8/8/5QK1 w", "Q-b5", "gives check"),
            ("chess", "4k3/8/8/8/8/8/8/3RK3 w", "R-d5", ""),
            // The bishop was taken for nothing, and cannot be any more.
            (
                "chess",
                "4k3/8/8/3r4/8/3B4/8/4K3 w",
                "B-f1",
                "saves the bishop",
            ),
            // Nothing takes a guarded bishop with a rook.
            ("chess", "4k3/8/8/3r4/8/3B4/2K5/8 w", "B-f1", ""),
            ("chess", "4k3/8/8/8/1r6/3B4/8/4K3 w", "B-c4", ""),
            // Guarded, and worth less than the rook.
            ("chess", "3nk3/8/8/8/8/8/8/R3K3 w", "R-d1", ""),
            ("chess", "4k3/8/3q1r2/8/8/8/4P3/4K3 w", "P-e4", ""),
            (
                "chess",
                "4k3/8/3q1r2/8/4P3/8/8/4K3 w",
                "P-e5",
                "attacks the queen and the rook",
            ),
            (
                "chess",
                "4k3/8/3r1r2/8/4P3/8/8/4K3 w",
                "P-e5",
                "attacks two rooks",
            ),
            ("chess", "4k3/8/8/8/8/8/8/4K2R w K", "O-O", "castles"),
            ("chess", "8/P3k3/8/8/8/8/8/4K3 w", "P-a8=B", "promotes"),
            (
                "chess",
                "4k3/8/8/8/4r3/8/8/3QK3 w",
                "K-f2",
                "answers the check",
            ),
            (
                "chess",
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
                "Pxd6ep",
                "takes the pawn",
            ),
            (
                "chess",
                "6k1/5ppp/8/8/8/8/8/1R4K1 w",
                "R-c1",
                "threatens mate",
            ),
        ] {
            assert_eq!(deeds(game, fen, text), expected, "{fen} {text}");
        }
    }

    #[test]
    fn what_is_dropped_attacks() {
        let unachess = Variant::find("unachess", &[]).expect("a game");
        let mut record = Record::new(unachess.start());
        for text in ["P>e3", "r>c7"] {
            record.play_text(text).expect("a legal move");
        }
        let position = record.position();
        let ply = position.read("N>d5").expect("a move").ply;
        let deeds = Engine::new(&unachess).deeds(position, &ply, Score::Pawns(0));
        assert_eq!(deeds, [Deed::Attacks(Role::Rook, None)]);
    }

    #[test]
    fn kings_in_reserve_are_placed_and_aimed_at() {
        let unachess = Variant::find("unachess", &[]).expect("a game");
        let mut record = Record::new(unachess.start());
        let engine = Engine::new(&unachess);
        for (text, expected) in [
            ("Q>d1", &[][..]),
            ("k>d8", &[Deed::PlacesKing]),
            ("N>c5", &[]),
            ("p>h7", &[]),
            ("K>a1", &[Deed::PlacesKing, Deed::Checks]),
            ("p>d7", &[Deed::AnswersCheck]),
        ] {
            let ply = record.position().read(text).expect("a move").ply;
            let deeds = engine.deeds(record.position(), &ply, Score::Pawns(0));
            assert_eq!(deeds, expected, "{text}");
            record.play(&ply).expect("a legal move");
        }
    }

    /// What is announced as a mate is one, whatever the answers are.
    #[test]
    fn a_mate_that_is_announced_comes() {
        let chess = Variant::find("chess", &[]).expect("a game");
        let start = Position::from_fen(&chess, "7k/8/R7/8/8/8/8/1R4K1 w").expect("a position");
        let mut engine = Engine::new(&chess);
        let thought = engine.think(&Record::new(start.clone()), &Limits::nodes(50_000));
        let ply = thought.ply.expect("a move");
        let deeds = engine.deeds(&start, &ply, thought.score);
        assert_eq!(deeds, [Deed::MatesIn(2)]);
        let after = start.play(&ply).expect("a legal move");
        for answer in after.single_plies() {
            let then = after.play(&answer).expect("a legal move");
            let mut plies = then.single_plies().into_iter();
            let mates = |ply: Ply| then.play(&ply).is_ok_and(|end| end.mark() == Mark::Mate);
            assert!(plies.any(mates), "{}", after.text(&answer));
        }
    }

    /// In positions as chance makes them, too; there are dozens of these mates.
    #[test]
    fn no_announcement_of_a_mate_is_wrong() {
        let mut announced = 0;
        let games = [
            "chess",
            "unachess",
            "unachess2",
            "parachute",
            "newchess",
            "shogi",
        ];
        for (game, seed) in games.into_iter().zip(1..) {
            let variant = Variant::find(game, &[]).expect("a game");
            let mut engine = Engine::new(&variant);
            let mut random = fastrand::Rng::with_seed(seed);
            for _ in 0..4 {
                let mut record = Record::new(variant.start());
                while record.outcome().is_none() && record.steps().len() < 200 {
                    let plies = record.position().single_plies();
                    let Some(any) = random.choice(plies) else {
                        break;
                    };
                    record.play(&any).expect("a legal ply");
                    let position = record.position();
                    let thought = engine.think(&record, &Limits::nodes(1_000));
                    let Some(ply) = thought.ply.filter(|_| thought.score == Score::Mate(3)) else {
                        continue;
                    };
                    assert_eq!(
                        engine.deeds(position, &ply, thought.score),
                        [Deed::MatesIn(2)]
                    );
                    let after = position.play(&ply).expect("a legal ply");
                    assert!(is_mated(&after), "{game} {}", position.fen());
                    announced += 1;
                }
            }
        }
        assert!(announced > 30, "{announced}");
    }

    /// Returns true if every answer is mated at once.
    fn is_mated(position: &Position) -> bool {
        let mut walk = Walk::new(position);
        (0..walk.list(Listing::All)).all(|answer| {
            walk.play(answer);
            let is_mate = (0..walk.list(Listing::All)).any(|at| {
                walk.play(at);
                let is_mate = walk.is_check() && walk.position().mark() == Mark::Mate;
                walk.back();
                is_mate
            });
            walk.back();
            is_mate
        })
    }
}
