//! Levels of strength, and when to end a game.

use parapost_rules::{Ply, Record};

use crate::engine::{Engine, Score, Thought};
use crate::search::{Limits, Ways};
use crate::values::Strength;

/// A level of strength, 1 to 5: a number of positions that the engine looks at, the same on
/// every machine. At the lowest it makes a [`Mistake`] now and then.
///
/// # Examples
///
/// ```
/// use parapost_engine::{Engine, Level};
/// use parapost_rules::{Record, Variant};
///
/// let unachess = Variant::find("unachess", &[])?;
/// let record = Record::new(unachess.start());
/// let level = Level::new(2).expect("1 to 5");
/// let choice = Engine::new(&unachess).choose(&record, level, 1);
/// assert!(choice.ply.is_some_and(|ply| record.position().is_legal(&ply)));
/// assert_eq!(Level::new(6), None);
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 5] = [Level(1), Level(2), Level(3), Level(4), Level(5)];

    /// The level of a number from 1 to 5.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if 1 <= number && number <= 5 {
            Some(Level(number))
        } else {
            None
        }
    }

    /// Its number, 1 to 5.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its place in the tables of strengths.
    pub(crate) fn place(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl Strength {
    /// Of a hundred plies those that are a mistake of each kind.
    fn mistakes(self) -> [(Mistake, u64); 2] {
        [
            (Mistake::Idle, self.idle.into()),
            (Mistake::NoAnswer, self.no_answer.into()),
        ]
    }

    /// The mistake that a number below a hundred stands for, if it is one.
    fn mistake(self, mut chance: u64) -> Option<Mistake> {
        for (mistake, share) in self.mistakes() {
            if chance < share {
                return Some(mistake);
            }
            chance -= share;
        }
        None
    }
}

/// A mistake that the engine makes on purpose, so that a beginner can win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Mistake {
    /// It thought of nothing, and played whatever is legal.
    Idle,
    /// It looked at its own ply alone, and not at the answer: what it leaves or puts where it
    /// can be taken it does not see.
    NoAnswer,
}

/// What the engine plays at a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Pick {
    /// The ply; none if the game is over.
    pub ply: Option<Ply>,
    /// What it thinks of the position.
    pub score: Score,
    /// The mistake that it made on purpose.
    pub mistake: Option<Mistake>,
    /// Whether it would rather end the game.
    pub stance: Stance,
}

/// Whether the player to move would rather end the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(clippy::exhaustive_enums, reason = "there is no other end")]
pub enum Stance {
    /// It plays on.
    PlayOn,
    /// It resigns: whatever it does it is mated within two moves.
    Resign,
    /// It offers a draw, accepts one, or claims it where the rules let it: the position is
    /// equal, and the game is long.
    Draw,
}

/// Why the engine does not take a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(clippy::exhaustive_enums, reason = "there is no other reason")]
pub enum NoDraw {
    /// It stands better.
    Better,
    /// The game is too short to be given up as a draw.
    Early,
}

/// Half-moves after which a game is long.
const LONG: usize = 120;
/// What is equal, in hundredths of a pawn.
const EQUAL: i32 = 30;
/// What is so much better, in hundredths of a pawn, that the other takes any draw.
const WELL: i32 = 200;
/// The nearest mates, in half-moves, against which one resigns.
const HOPELESS: i32 = -4;

impl Engine {
    /// How strong it is at a level.
    #[must_use]
    pub fn strength(&self, level: Level) -> Strength {
        self.evaluator.values.levels[level.place()]
    }

    /// What it plays at a level. The same seed gives the same ply.
    pub fn choose(&mut self, record: &Record, level: Level, seed: u64) -> Pick {
        let limits = Limits {
            seed,
            ..Limits::default()
        };
        self.choose_within(record, level, &limits)
    }

    /// What it plays at a level, by the seed of these limits. It looks at as many positions as
    /// the level says, or fewer if another limit ends the thinking.
    pub fn choose_within(&mut self, record: &Record, level: Level, limits: &Limits) -> Pick {
        let drawn = mixed(limits.seed, record.steps().len() as u64);
        let strength = self.strength(level);
        let mistake = strength.mistake(drawn % 100);
        let given = limits.nodes.unwrap_or(u64::MAX);
        let limits = Limits {
            nodes: Some(given.min(strength.nodes)),
            ..limits.clone()
        };
        let thought = match mistake {
            None => self.think(record, &limits),
            Some(Mistake::Idle) => Thought::idle(record, drawn / 100),
            Some(Mistake::NoAnswer) => {
                let limits = Limits {
                    depth: Some(1),
                    ..limits.clone()
                };
                let ways = Ways {
                    quiescence: false,
                    varies_depth: false,
                };
                self.search(record, &limits, ways, |_| ())
            }
        };
        let stance = match mistake {
            None => Engine::stance(record, &thought),
            // What it has seen is too little to end a game.
            Some(_) => Stance::PlayOn,
        };
        Pick {
            ply: thought.ply,
            score: thought.score,
            mistake,
            stance,
        }
    }

    /// Whether a player who thinks so would rather end the game.
    ///
    /// It resigns if every ply loses to a mate within two moves. Where several pieces can be
    /// placed in one turn it plays on, for it has not tried every placement.
    #[must_use]
    pub fn stance(record: &Record, thought: &Thought) -> Stance {
        let position = record.position();
        let may_place =
            position.variant().rules().placement && position.reserve(position.turn()).total() > 1;
        match thought.score {
            _ if record.outcome().is_some() => Stance::PlayOn,
            Score::Mate(HOPELESS..0) if !may_place => Stance::Resign,
            Score::Pawns(value) if value.abs() <= EQUAL && record.steps().len() >= LONG => {
                Stance::Draw
            }
            Score::Pawns(value) if value <= EQUAL && record.claim().is_some() => Stance::Draw,
            _ => Stance::PlayOn,
        }
    }

    /// Whether the engine takes a draw that somebody offers to whom the position is worth so much.
    ///
    /// # Errors
    ///
    /// If it does not: why.
    pub fn takes_draw(record: &Record, score: Score) -> Result<(), NoDraw> {
        match score.value() {
            WELL.. => Ok(()),
            value if value < -EQUAL => Err(NoDraw::Better),
            _ if record.steps().len() < LONG => Err(NoDraw::Early),
            _ => Ok(()),
        }
    }
}

/// A number that looks random, by a seed and a place.
fn mixed(seed: u64, place: u64) -> u64 {
    let mut mixed = (seed ^ place.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use parapost_rules::{Position, Variant};

    use super::*;
    use crate::values::Values;

    fn record(game: &str, fen: &str) -> Record {
        let variant = Variant::find(game, &[]).expect("a game");
        Record::new(Position::from_fen(&variant, fen).expect("a position"))
    }

    fn stance(record: &Record) -> Stance {
        let mut engine = Engine::new(record.position().variant());
        let thought = engine.think(record, &Limits::nodes(20_000));
        Engine::stance(record, &thought)
    }

    #[test]
    fn it_resigns_when_mated_in_two_with_nothing_left_and_not_before() {
        for (game, fen, expected) in [
            // Two rooks, mate in two whatever Black does.
            ("chess", "8/7k/R7/8/8/8/8/1R4K1 b", Stance::Resign),
            // A queen down, but no mate in sight.
            (
                "chess",
                "4k3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 b",
                Stance::PlayOn,
            ),
            // Mate in one for the player who would have to resign.
            ("chess", "6k1/5ppp/8/8/8/8/q4PPP/R5K1 w", Stance::PlayOn),
        ] {
            assert_eq!(stance(&record(game, fen)), expected, "{fen}");
        }
    }

    #[test]
    fn it_takes_a_draw_when_equal_and_the_game_is_long() {
        let mut long = record("chess", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w");
        assert_eq!(stance(&long), Stance::PlayOn);
        // A third occurrence can be claimed, however short the game is.
        let shuffle = ["K-e2", "k-e7", "K-e1", "k-e8"];
        for text in shuffle.iter().cycle().take(8) {
            long.play_text(text).expect("a legal move");
        }
        let thought = Thought {
            score: Score::Pawns(0),
            ..Engine::new(long.position().variant()).think(&long, &Limits::depth(1))
        };
        assert_eq!(Engine::stance(&long, &thought), Stance::Draw);
        let better = Thought {
            score: Score::Pawns(200),
            ..thought
        };
        assert_eq!(Engine::stance(&long, &better), Stance::PlayOn);
    }

    #[test]
    fn an_offer_is_judged_by_who_makes_it() {
        let record = record("chess", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w");
        let takes = |record: &Record, value| Engine::takes_draw(record, Score::Pawns(value));
        assert_eq!(takes(&record, 0), Err(NoDraw::Early));
        assert_eq!(takes(&record, -100), Err(NoDraw::Better));
        assert_eq!(takes(&record, 300), Ok(()));
        // The program's own value is the other way round, and a mate a half-move longer.
        assert_eq!(Score::Pawns(300).for_other(), Score::Pawns(-300));
        assert_eq!(Score::Mate(1).for_other(), Score::Mate(-2));
        assert_eq!(Score::Mate(0).for_other(), Score::Mate(1));
    }

    #[test]
    fn mistakes_are_as_frequent_as_said_and_known_as_such() {
        for level in Values::of(&Variant::find("chess", &[]).expect("a game")).levels {
            for (mistake, share) in level.mistakes() {
                let drawn = (0..1_000_u64).map(|seed| level.mistake(mixed(seed, 7) % 100));
                let count = drawn.filter(|drawn| *drawn == Some(mistake)).count() as u64;
                assert!(count.abs_diff(10 * share) < 60, "{level:?}: {count}");
            }
        }
        let record = record(
            "chess",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        );
        let mut engine = Engine::new(record.position().variant());
        let strength = engine.strength(Level(1));
        let choices = (0..40).map(|seed| engine.choose(&record, Level(1), seed));
        let mistakes = choices.filter(|choice| choice.mistake == Some(Mistake::NoAnswer));
        // Of forty, three standard deviations either way.
        let expected = 40 * u64::from(strength.no_answer) / 100;
        let count = mistakes.count() as u64;
        assert!(
            (1..40).contains(&count) && count.abs_diff(expected) < 10,
            "{count}"
        );
    }
}
