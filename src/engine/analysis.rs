//! The turning points of a game that has been played.

use parapost_rules::{Color, Ply, Reason, Record};

use crate::engine::{Engine, Score, Thought};
use crate::search::Limits;

/// How many times as long the engine thinks about what looks like a turning point, before it says so.
const SECOND_LOOK: u64 = 4;
/// In hundredths of a pawn, the value from which on a player has the lead.
const LEAD: i32 = 100;

/// A game that has been played, with a judgement of each of its plies.
///
/// # Examples
///
/// ```
/// use parapost_engine::{Analysis, Engine, Limits, Turning};
/// use parapost_rules::{Record, Variant};
///
/// let chess = Variant::find("chess", &[])?;
/// let mut record = Record::new(chess.start());
/// for text in ["P-f3", "p-e5", "P-g4", "p-a6"] {
///     record.play_text(text)?;
/// }
/// let mut engine = Engine::new(&chess);
/// let analysis = Analysis::of(&mut engine, &record, &Limits::nodes(20_000), 150, || ());
/// let analysis = analysis.expect("nobody stops it");
/// let turns: Vec<_> = analysis.turning_points().map(|(ply, one)| (ply, one.turning)).collect();
/// // The king's pawns walk away, and Black overlooks the mate.
/// assert_eq!(turns[0], (2, Some(Turning::AllowedMate)));
/// assert_eq!(turns[1], (3, Some(Turning::MissedMate)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Analysis {
    /// A judgement of each half-move, in their order.
    pub judgements: Vec<Judgement>,
}

/// What the engine thinks of a half-move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// Whose it is.
    pub side: Color,
    /// What the best ply is worth to that player, as far as the engine sees.
    pub best: Score,
    /// What the ply that was played is worth to that player.
    pub played: Score,
    /// The line that the engine would have played and expects; it begins with the ply that was
    /// played if that is the best.
    pub line: Vec<Ply>,
    /// How the game turned by it, if it did.
    pub turning: Option<Turning>,
}

/// How a half-move turned a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Turning {
    /// Another ply would have kept more: hundredths of a pawn, at least as many as the bound.
    Lost(i32),
    /// There was a forced mate, and is none any more.
    MissedMate,
    /// It lets the other player force a mate, as another ply would not have.
    AllowedMate,
}

impl Analysis {
    /// Judges each half-move of a record. `limits` holds for each position, and `bound` is what a ply
    /// must lose to be a turning point, in hundredths of a pawn. `told` hears of each half-move that is
    /// judged.
    ///
    /// Returns none if [`Limits::stop`] ends it.
    #[must_use]
    pub fn of(
        engine: &mut Engine,
        record: &Record,
        limits: &Limits,
        bound: i32,
        mut told: impl FnMut(),
    ) -> Option<Analysis> {
        let longer = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_mul(SECOND_LOOK)),
            ..limits.clone()
        };
        let mut judgements = Vec::with_capacity(record.steps().len());
        let mut position = record.until(0);
        let mut thought = think(engine, &position, limits)?;
        for (made, step) in record.steps().iter().enumerate() {
            let side = position.position().turn();
            let next = record.until(made + 1);
            let next_thought = think(engine, &next, limits)?;
            let mut judgement = Judgement::of(side, step.ply, &thought, &next_thought);
            judgement.turning = judgement.turning(step.ply, bound);
            if judgement.turning.is_some()
                || is_mistaken(&thought, step.ply, judgement.played, bound)
            {
                judgement = judge_again(engine, [&position, &next], step.ply, &longer, bound)?;
            }
            judgements.push(judgement);
            (position, thought) = (next, next_thought);
            told();
        }
        Some(Analysis { judgements })
    }

    /// The half-moves by which the game turned, with their number from 0.
    pub fn turning_points(&self) -> impl Iterator<Item = (usize, &Judgement)> {
        let numbered = self.judgements.iter().enumerate();
        numbered.filter(|(_, judgement)| judgement.turning.is_some())
    }

    /// How often the lead changed hands: the value is beyond one pawn for the one, for two half-moves
    /// at least, and then for the other.
    #[must_use]
    pub fn lead_changes(&self) -> usize {
        let value = |at: usize| self.judgements[at].value();
        leads(self.judgements.len(), value).len().saturating_sub(1)
    }
}

/// The players who had the lead in a game of so many half-moves, one after the other: a lead is a
/// value beyond one pawn for two half-moves at least, and lasts until the other player has one.
///
/// `value` gives what the position behind a half-move, counted from 0, is worth to the first player, in
/// hundredths of a pawn. It is asked for about every second half-move, and for the next ones where
/// the lead may change; of some half-moves twice.
#[must_use]
pub fn leads(half_moves: usize, mut value: impl FnMut(usize) -> i32) -> Vec<Color> {
    let mut leader = |at: usize| {
        let value = value(at);
        let side = if value > 0 {
            Color::White
        } else {
            Color::Black
        };
        (value.abs() > LEAD).then_some(side)
    };
    let mut leads = Vec::new();
    // Of two half-moves behind one another one has an odd number.
    for at in (1..half_moves).step_by(2) {
        let found = leader(at);
        if found.is_some() && found != leads.last().copied() {
            let is_held = leader(at - 1) == found || at + 1 < half_moves && leader(at + 1) == found;
            leads.extend(found.filter(|_| is_held));
        }
    }
    leads
}

/// Thinks about the end of a record. Returns none if it was stopped.
pub(crate) fn think(engine: &mut Engine, record: &Record, limits: &Limits) -> Option<Thought> {
    let thought = best_so_far(engine, record, limits);
    (!limits.is_stopped()).then_some(thought)
}

/// Thinks about the end of a record, until it is stopped.
///
/// The engine plays an only legal ply at once, and hardly looks at it: what the position is worth, that
/// behind the ply tells.
pub(crate) fn best_so_far(engine: &mut Engine, record: &Record, limits: &Limits) -> Thought {
    if let Some((ply, next)) = forced(record) {
        let mut thought = best_so_far(engine, &next, limits);
        thought.ply = Some(ply);
        thought.score = thought.score.for_other();
        thought.line.insert(0, ply);
        return thought;
    }
    let mut thought = engine.think(record, limits);
    if let Some(outcome) = record.outcome() {
        let turn = record.position().turn();
        thought.score = match outcome.winner {
            None => Score::Pawns(0),
            Some(winner) if winner == turn => Score::Pawns(Score::WON),
            Some(_) if outcome.reason == Reason::Checkmate => Score::Mate(0),
            Some(_) => Score::Pawns(-Score::WON),
        };
    }
    thought
}

/// Judges a ply that looks like a turning point, before and behind it, by longer thought.
fn judge_again(
    engine: &mut Engine,
    [before, behind]: [&Record; 2],
    ply: Ply,
    limits: &Limits,
    bound: i32,
) -> Option<Judgement> {
    let side = before.position().turn();
    let best = think(engine, before, limits)?;
    let actual = think(engine, behind, limits)?;
    let mut judgement = Judgement::of(side, ply, &best, &actual);
    let mut others = before.position().single_plies();
    others.retain(|other| *other != ply);
    if is_mistaken(&best, ply, judgement.played, bound) && !others.is_empty() {
        // The engine would have made the same mistake: the best of what else there was tells what it cost.
        let only = Limits {
            only: others,
            ..limits.clone()
        };
        let other = think(engine, before, &only)?;
        judgement = Judgement::of(side, ply, &other, &actual);
    }
    judgement.turning = judgement.turning(ply, bound);
    Some(judgement)
}

/// Returns true if the engine would have played a ply, too, but thinks less of it behind it, by the bound.
fn is_mistaken(before: &Thought, ply: Ply, played: Score, bound: i32) -> bool {
    before.ply == Some(ply) && before.score.bounded() - played.bounded() >= bound
}

/// The only legal ply behind a record, and the record with it; none if there are several, or none.
fn forced(record: &Record) -> Option<(Ply, Record)> {
    if record.outcome().is_some() {
        return None;
    }
    let mut plies = record.position().legal_plies();
    let ply = plies.next().filter(|_| plies.next().is_none())?;
    let mut next = record.clone();
    next.play(&ply).ok()?;
    Some((ply, next))
}

impl Judgement {
    fn of(side: Color, ply: Ply, before: &Thought, after: &Thought) -> Judgement {
        let is_best = before.ply == Some(ply);
        // Deeper by what was played.
        let played = after.score.for_other();
        Judgement {
            side,
            best: if is_best { played } else { before.score },
            played,
            line: if is_best {
                let rest = after.line.iter().copied();
                std::iter::once(ply).chain(rest).collect()
            } else {
                before.line.clone()
            },
            turning: None,
        }
    }

    fn turning(&self, ply: Ply, bound: i32) -> Option<Turning> {
        if self.line.first() == Some(&ply) {
            return None;
        }
        let lost = self.best.bounded() - self.played.bounded();
        let mates = |score| matches!(score, Score::Mate(1..));
        let is_mated = |score| matches!(score, Score::Mate(..=0));
        if mates(self.best) && !mates(self.played) {
            Some(Turning::MissedMate)
        } else if is_mated(self.played) && !is_mated(self.best) && lost > 0 {
            Some(Turning::AllowedMate)
        } else {
            (lost >= bound).then_some(Turning::Lost(lost))
        }
    }

    /// What the position behind it is worth to the first player, in hundredths of a pawn, at most
    /// ten pawns.
    #[must_use]
    pub fn value(&self) -> i32 {
        let value = self.played.bounded();
        if self.side == Color::White {
            value
        } else {
            -value
        }
    }
}

#[cfg(test)]
mod tests {
    use parapost_rules::{Position, Variant};

    use super::*;

    fn analysis(game: &str, fen: Option<&str>, moves: &[&str]) -> Analysis {
        let variant = Variant::find(game, &[]).expect("a game");
        let start = fen.map_or(variant.start(), |fen| {
            Position::from_fen(&variant, fen).expect("a position")
        });
        let mut record = Record::new(start);
        for text in moves {
            record.play_text(text).expect("a legal move");
        }
        let mut engine = Engine::new(&variant);
        let limits = Limits::nodes(20_000);
        Analysis::of(&mut engine, &record, &limits, 150, || ()).expect("an analysis")
    }

    #[test]
    fn a_queen_that_is_left_where_it_can_be_taken_is_a_turning_point() {
        let analysis = analysis(
            "chess",
            Some("4k3/pppp1ppp/8/8/8/8/PPPPPPPP/3QK3 w"),
            &["Q-c1", "k-e7", "Q-b1", "k-e8"],
        );
        assert_eq!(analysis.turning_points().count(), 0, "{analysis:?}");
        let analysis = super::tests::analysis(
            "chess",
            Some("4k3/p1pp1ppp/8/1p6/8/8/P1PPPPPP/3QK3 w"),
            &["P-c4", "p-a6", "Q-a4", "pxa4"],
        );
        let turns: Vec<usize> = analysis.turning_points().map(|(at, _)| at).collect();
        assert_eq!(turns, [2], "{analysis:?}");
    }

    /// Réti against Tartakower, Vienna 1910: the queen is given up, and the king has to take it.
    #[test]
    fn a_position_with_an_only_answer_is_worth_what_comes_of_it() {
        let analysis = analysis(
            "chess",
            None,
            &[
                "P-e4", "p-c6", "P-d4", "p-d5", "N-c3", "pxe4", "Nxe4", "n-f6", "Q-d3", "p-e5",
                "Pxe5", "q-a5", "B-d2", "qxe5", "O-O-O", "nxe4", "Q-d8", "kxd8", "B-g5", "k-c7",
                "B-d8",
            ],
        );
        let turned = analysis.judgements[15].turning;
        assert_eq!(turned, Some(Turning::AllowedMate));
        for judgement in &analysis.judgements[15..] {
            assert_eq!(judgement.value(), Score::WON, "{judgement:?}");
        }
        let given = &analysis.judgements[16];
        assert_eq!((given.played, given.turning), (Score::Mate(5), None));
    }

    #[test]
    fn a_mate_given_is_worth_it_and_a_draw_nothing() {
        let mated = analysis("chess", Some("6k1/5ppp/8/8/8/8/8/R5K1 w"), &["R-a8"]);
        assert_eq!(mated.judgements[0].played, Score::Mate(1));
        assert_eq!(mated.judgements[0].turning, None);
        let stalemate = analysis("chess", Some("7k/8/5K2/6Q1/8/8/8/8 w"), &["Q-g6"]);
        assert_eq!(stalemate.judgements[0].played, Score::Pawns(0));
        assert_eq!(stalemate.judgements[0].turning, Some(Turning::MissedMate));
    }

    #[test]
    fn a_lead_counts_when_it_is_held() {
        for (values, changes) in [
            (&[][..], 0),
            (&[0, 300, 300, -300, 300, 300], 0),
            (&[300, 300, -300, -300], 1),
            (&[300, 300, 0, 0, 300, 300, -101, -101, 101, 101], 2),
            (&[100, 100, -100, -100], 0),
            (&[300, 300, -300, 0, -300, 0], 0),
        ] {
            let leads = leads(values.len(), |at| values[at]);
            assert_eq!(leads.len().saturating_sub(1), changes, "{values:?}");
        }
    }

    /// The players who had the lead, half-move by half-move.
    fn slow_leads(values: &[i32]) -> Vec<Color> {
        let mut leads = Vec::new();
        for pair in values.windows(2) {
            for (side, sign) in [(Color::White, 1), (Color::Black, -1)] {
                let is_held = pair.iter().all(|value| sign * value > LEAD);
                if is_held && leads.last() != Some(&side) {
                    leads.push(side);
                }
            }
        }
        leads
    }

    #[test]
    fn every_second_half_move_tells_who_has_the_lead() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut changes = 0;
        for _ in 0..2_000 {
            let count = rng.usize(0..30);
            let step = |_| [-300, 0, 101, 300][rng.usize(0..4)] * [1, -1][rng.usize(0..2)];
            let values: Vec<i32> = (0..count).map(step).collect();
            let expected = slow_leads(&values);
            assert_eq!(leads(count, |at| values[at]), expected, "{values:?}");
            changes += expected.len();
        }
        assert!(changes > 2_000, "{changes}");
    }

    #[test]
    fn it_ends_at_once_when_it_is_stopped() {
        let chess = Variant::find("chess", &[]).expect("a game");
        let stop = std::sync::Arc::new(true.into());
        let limits = Limits {
            stop: Some(stop),
            ..Limits::default()
        };
        let mut engine = Engine::new(&chess);
        let record = Record::new(chess.start());
        assert_eq!(
            Analysis::of(&mut engine, &record, &limits, 150, || ()),
            None
        );
    }
}
