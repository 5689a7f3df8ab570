//! Hints in games of the lower levels, judged by a search of ten times their positions, a hint a line of CSV.

use fastrand::Rng;
use parapost_engine::{Engine, Level, Limits, Score};
use parapost_rules::{Ply, Record, Variant, games};

use super::statistics::Estimate;

/// The head of a file of hints.
pub(crate) const HEAD: &str = "version,game,number,fen,hint,best,score_of_hint,score_of_best\n";
/// Positions of each look for a hint, as `parapost play` has them.
const HINT: u64 = 1_000_000;
/// Positions of the judgement.
const JUDGEMENT: u64 = 10_000_000;
/// In hundredths of a pawn, what a hint may lose.
const BOUND: i32 = 150;
/// The longest mate in half-moves that a hint must not allow.
const MATE: i32 = 5;
/// The most half-moves made in a position.
const LONGEST: usize = 80;

/// What all lines of a game begin with.
pub(crate) fn heading(variant: &Variant) -> String {
    format!("{},{},", env!("CARGO_PKG_VERSION"), variant.game().id)
}

/// Draws the position of a number from a game of level 1, 2 or 3 against itself.
pub(crate) fn drawn(variant: &Variant, number: u64) -> Record {
    let mut rng = Rng::with_seed(number);
    loop {
        let level = Level::ALL[rng.usize(0..3)];
        let (mut engine, seed) = (Engine::new(variant), rng.u64(1..));
        let half_moves = rng.usize(2..LONGEST);
        let mut record = Record::new(variant.start());
        while record.outcome().is_none() && record.steps().len() < half_moves {
            let Some(ply) = engine.choose(&record, level, seed).ply else {
                break;
            };
            record.play(&ply).expect("a legal ply");
        }
        if record.outcome().is_none() {
            return record;
        }
    }
}

/// Returns what a ply is worth to its player behind it.
fn worth(record: &Record, ply: &Ply) -> Score {
    let mut next = record.clone();
    next.play(ply).expect("a legal ply");
    let Some(end) = next.outcome() else {
        let mut engine = Engine::new(next.position().variant());
        let behind = engine.think(&next, &Limits::nodes(JUDGEMENT));
        return behind.score.for_other();
    };
    match end.winner {
        None => Score::Pawns(0),
        Some(winner) if winner == record.position().turn() => Score::Mate(1),
        Some(_) => Score::Mate(-2),
    }
}

/// Asks for a hint in the position of a number, and judges it.
pub(crate) fn line(variant: &Variant, number: u64) -> String {
    let record = drawn(variant, number);
    let position = record.position();
    let advice = Engine::new(variant).advise(&record, &Limits::nodes(HINT));
    let hint = advice.and_then(|advice| advice.thought.ply);
    let hint = hint.expect("the game is not over");
    let thought = Engine::new(variant).think(&record, &Limits::nodes(JUDGEMENT));
    let best = thought.ply.expect("the game is not over");
    let [of_hint, of_best] = if hint == best {
        [thought.score; 2]
    } else {
        [worth(&record, &hint), thought.score]
    };
    let texts = [&hint, &best].map(|ply| position.text(ply));
    format!(
        "{}{number},{},{},{},{},{}",
        heading(variant),
        position.fen(),
        texts[0],
        texts[1],
        of_hint.value(),
        of_best.value()
    )
}

/// What the lines of a file say of the hints of a game.
pub(crate) struct Verdict {
    pub(crate) hints: usize,
    /// Those that lose more than [`BOUND`].
    pub(crate) losing: u32,
    /// Those that lose to a mate of [`MATE`] half-moves at most, where the best does not.
    pub(crate) mated: usize,
}

/// Counts the hints of a game in a file, and those that lose something.
pub(crate) fn verdict(text: &str, variant: &Variant) -> Verdict {
    let heading = heading(variant);
    let mut verdict = Verdict {
        hints: 0,
        losing: 0,
        mated: 0,
    };
    for line in text.lines().filter(|line| line.starts_with(&heading)) {
        let mut scores = line.rsplit(',').map(str::parse::<i32>);
        let mut score = || scores.next().expect("a field").expect("a score");
        let (best, hint) = (score(), score());
        let bounded = |score: i32| score.clamp(-Score::WON, Score::WON);
        let is_mate = |score: i32| score <= Score::Mate(-MATE - 1).value();
        verdict.hints += 1;
        verdict.losing += u32::from(bounded(best) - bounded(hint) > BOUND);
        verdict.mated += usize::from(is_mate(hint) && !is_mate(best));
    }
    verdict
}

/// The table of `docs/engine.md`.
pub(crate) fn table(text: &str) -> String {
    let mut table =
        "| game | hints | lose more than 1.5 pawns, % | allow a mate in three that the best does not |\n\
         |---|---|---|---|\n"
            .to_owned();
    for game in games::ALL {
        let verdict = verdict(text, &Variant::find(game.id, &[]).expect("a game"));
        let share = Estimate::share(verdict.losing.into(), verdict.hints);
        let [value, low, high] = [share.value, share.low, share.high].map(|part| 100.0 * part);
        let cells = match verdict.hints {
            0 => "not asked | ".to_owned(),
            _ => format!("{value:.1} ({low:.1} to {high:.1}) | {}", verdict.mated),
        };
        let (name, hints) = (game.name, verdict.hints.to_string());
        table += &["| ", name, " | ", &hints, " | ", &cells, " |\n"].concat();
    }
    table
}
