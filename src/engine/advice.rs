//! Advice to a player: a ply that a second look bears out, and what the other player threatens.

use parapost_rules::{Ply, Position, Record};

use crate::analysis::{best_so_far, think};
use crate::engine::{Engine, Score, Thought};
use crate::search::Limits;

/// In hundredths of a pawn, what a ply may be worth less at a second look.
const BOUND: i32 = 150;
/// The most plies that get a second look.
const MOST_TRIED: usize = 4;
/// In hundredths of a pawn, what the other player would win by a threat.
const THREAT: i32 = 200;

/// What the engine advises.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Advice {
    /// The ply, what it is worth behind it, and the line that the engine expects.
    pub thought: Thought,
    /// What the other player would play if it were that player's turn, if that wins something, and the
    /// position in which it does.
    pub threat: Option<Threat>,
}

/// A ply that the other player would like to make.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Threat {
    /// The position with the other player to move.
    pub position: Position,
    /// The ply.
    pub ply: Ply,
    /// What it is worth to the other player.
    pub score: Score,
}

impl Engine {
    /// Advises a ply at the end of a record. The limits hold for each of the looks, two as a rule. As the
    /// [analysis](crate::Analysis) does, it looks again behind the ply, and takes another one if the ply
    /// turns out to lose something or to let the other player mate.
    ///
    /// Returns none if the game is over. If [`Limits::stop`] ends a look, the advice is the best ply so far.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_engine::{Engine, Limits};
    /// use parapost_rules::{Position, Record, Variant};
    ///
    /// let chess = Variant::find("chess", &[])?;
    /// let start = Position::from_fen(&chess, "6k1/5ppp/8/8/8/8/1r3PPP/3R2K1 w")?;
    /// let record = Record::new(start.clone());
    /// let advice = Engine::new(&chess).advise(&record, &Limits::nodes(5_000));
    /// let ply = advice.and_then(|advice| advice.thought.ply).expect("a move");
    /// assert_eq!(start.text(&ply), "R-d8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advise(&mut self, record: &Record, limits: &Limits) -> Option<Advice> {
        let mut candidate = best_so_far(self, record, limits);
        let mut others = record.position().single_plies();
        let mut best: Option<Thought> = None;
        for _ in 0..MOST_TRIED {
            let Some(ply) = candidate.ply else { break };
            let expected = candidate.score;
            let Some(verified) = self.verified(record, &candidate, limits) else {
                best = best.or(Some(candidate));
                break;
            };
            let is_mated = |score: Score| score.value() < -Score::WON;
            let is_good = expected.bounded() - verified.score.bounded() < BOUND
                && (is_mated(expected) || !is_mated(verified.score));
            let value = |thought: &Thought| thought.score.value();
            if best
                .as_ref()
                .is_none_or(|best| value(&verified) > value(best))
            {
                best = Some(verified);
            }
            others.retain(|other| *other != ply);
            if is_good || others.is_empty() {
                break;
            }
            let limits = Limits {
                only: others.clone(),
                ..limits.clone()
            };
            let Some(other) = think(self, record, &limits) else {
                break;
            };
            candidate = other;
        }
        let thought = best?;
        let threat = self.threat(record, thought.score, limits);
        Some(Advice { thought, threat })
    }

    /// Looks behind the ply of a thought.
    fn verified(&mut self, record: &Record, thought: &Thought, limits: &Limits) -> Option<Thought> {
        let ply = thought.ply?;
        let mut next = record.clone();
        next.play(&ply).ok()?;
        let behind = think(self, &next, limits)?;
        let line = std::iter::once(ply).chain(behind.line);
        Some(Thought {
            score: behind.score.for_other(),
            line: line.collect(),
            ..thought.clone()
        })
    }

    /// Returns what the other player threatens, if that wins something against what the position is
    /// worth to the player to move.
    fn threat(&mut self, record: &Record, score: Score, limits: &Limits) -> Option<Threat> {
        let position = record.position();
        let mut setup = position.to_setup();
        (setup.turn, setup.en_passant) = (!position.turn(), None);
        let position = Position::from_setup(position.variant(), &setup).ok()?;
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes / 4),
            time: limits.time.map(|time| time / 4),
            ..limits.clone()
        };
        let thought = think(self, &Record::new(position.clone()), &limits)?;
        let is_one = thought.score.bounded() + score.bounded() >= THREAT;
        Some(Threat {
            ply: thought.ply.filter(|_| is_one)?,
            score: thought.score,
            position,
        })
    }
}
