//! Answers to what the posts ask and say, each by a rule that is fixed before the games are played.

use std::fmt;

use super::game::Game;
use super::sets::{OTHER, QUEENS, REPLIES, STRONG, STRONGEST, WEAK, queen_name};
use super::statistics::Estimate;
use super::tallies::{Tallies, Tally};

/// An answer, as far as games can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Yes,
    No,
    Open,
}

/// A question with its answer.
pub(crate) struct Answer {
    pub(crate) question: &'static str,
    pub(crate) word: Word,
    /// What decides.
    pub(crate) rule: &'static str,
    pub(crate) figures: Vec<String>,
    /// The first paragraph of the page answers it, too.
    pub(crate) is_first: bool,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Word::Yes => "yes",
            Word::No => "no",
            Word::Open => "open",
        })
    }
}

impl Word {
    /// Of a difference: yes if its whole interval is above nothing, no if it is below.
    fn of(difference: Estimate) -> Word {
        if difference.is_above(0.0) {
            Word::Yes
        } else if difference.is_below(0.0) {
            Word::No
        } else {
            Word::Open
        }
    }
}

/// The score as `54.3 % (49.4 to 59.1, n = 400)`.
pub(crate) fn percent(share: Estimate) -> String {
    if share.games == 0 {
        return "(no games yet)".to_owned();
    }
    let [value, low, high] = [share.value, share.low, share.high].map(|one| 100.0 * one);
    format!("{value:.1} % ({low:.1} to {high:.1}, n = {})", share.games)
}

/// A difference of shares, in points of a hundred.
fn points(difference: Estimate) -> String {
    let [value, low, high] =
        [difference.value, difference.low, difference.high].map(|one| 100.0 * one);
    format!("{value:+.1} points ({low:+.1} to {high:+.1})")
}

fn plain(value: Estimate) -> String {
    format!(
        "{:.2} ({:.2} to {:.2}, n = {})",
        value.value, value.low, value.high, value.games
    )
}

/// All answers, in the order of the page.
pub(crate) fn all(games: &[Game]) -> Vec<Answer> {
    let tallies = Tallies::of(games);
    let mut answers = vec![unbeatable(&tallies), better_opening(&tallies, games)];
    answers.extend([
        advantage(&tallies),
        once(&tallies),
        back_and_forth(&tallies),
        longer(&tallies),
        forgiving(&tallies),
        better_game(&tallies),
        ranks(&tallies),
        unashogi(&tallies),
        own_king(&tallies),
    ]);
    answers
}

/// The reply against which White scored least, by the games of the stronger search, with what the
/// strongest says of it: other games, so that the choice does not flatter it.
fn best_reply(tallies: &Tallies, at: usize) -> Option<(&'static str, &Tally)> {
    let queen = QUEENS[at];
    let of = |reply: &str, nodes| tallies.get(&queen_name(queen, Some(reply)), nodes);
    let played = REPLIES[at]
        .into_iter()
        .filter(|reply| of(reply, STRONG).games > 0);
    let score = |reply: &str| of(reply, STRONG).score.value;
    let best = played.min_by(|one, other| score(one).total_cmp(&score(other)))?;
    Some((best, of(best, STRONGEST)))
}

fn unbeatable(tallies: &Tallies) -> Answer {
    let best = [0, 1].map(|at| best_reply(tallies, at));
    let is_refuted = |(_, tally): &(&str, &Tally)| tally.score.is_below(0.5);
    let figure = |(at, best): (usize, &Option<(&str, &Tally)>)| {
        let (reply, tally) = (*best)?;
        Some(format!(
            "after 1. {} {reply} 2. king White scores {}",
            QUEENS[at],
            percent(tally.score)
        ))
    };
    let mut figures: Vec<String> = best.iter().enumerate().filter_map(figure).collect();
    for queen in &QUEENS[..2] {
        let tally = tallies.get(&queen_name(queen, None), STRONGEST);
        let [wins, draws, losses] = tally.results;
        figures.push(format!(
            "with replies of Black's own choice after 1. {queen} 2. king: White wins {wins}, draws {draws}, loses {losses}"
        ));
    }
    Answer {
        question: "Has White an unbeatable game by the queen, followed by the king?",
        word: if best.iter().all(|one| one.as_ref().is_some_and(is_refuted)) {
            Word::No
        } else {
            Word::Open
        },
        rule: "no if against the best reply found White's interval at 100,000 nodes lies below 50 %, for both squares; else open: no game proves it",
        figures,
        is_first: true,
    }
}

fn better_opening(tallies: &Tallies, games: &[Game]) -> Answer {
    let names = [0, 1].map(|at| queen_name(QUEENS[at], None));
    let both = Tally::of(
        games
            .iter()
            .filter(|game| game.nodes == STRONG && names.contains(&game.set)),
    );
    let other = tallies.get(OTHER, STRONG);
    let difference = both.score.minus(other.score);
    Answer {
        question: "Does White do better with it than with the best opening without the queen?",
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference excludes 0, both squares together",
        figures: vec![format!(
            "{} against {}: {}",
            percent(both.score),
            percent(other.score),
            points(difference)
        )],
        is_first: false,
    }
}

fn advantage(tallies: &Tallies) -> Answer {
    let [unachess, chess] = ["unachess", "chess"].map(|name| tallies.get(name, STRONG).score);
    let difference = unachess.minus(chess);
    Answer {
        question: "Is White's advantage in Unachess too large, that is, larger than in chess?",
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference excludes 0",
        figures: vec![format!(
            "{} against {}: {}",
            percent(unachess),
            percent(chess),
            points(difference)
        )],
        is_first: false,
    }
}

fn once(tallies: &Tallies) -> Answer {
    let share = tallies.get("unachess", STRONG).changes_twice;
    Answer {
        question: "Is it unlikely in Unachess that the lead changes hands more than once?",
        word: if share.is_below(0.5) {
            Word::Yes
        } else if share.is_above(0.5) {
            Word::No
        } else {
            Word::Open
        },
        rule: "yes if the interval of the share of such games lies below 50 %, no if above",
        figures: vec![percent(share)],
        is_first: false,
    }
}

fn back_and_forth(tallies: &Tallies) -> Answer {
    let [second, first] = ["unachess2", "unachess"].map(|name| tallies.get(name, STRONG).changes);
    Answer {
        question: "Does the lead change hands more often in Unachess II than in Unachess?",
        word: Word::of(second.minus(first)),
        rule: "yes or no if the interval of the difference excludes 0",
        figures: vec![format!(
            "{} times a game against {}",
            plain(second),
            plain(first)
        )],
        is_first: false,
    }
}

fn longer(tallies: &Tallies) -> Answer {
    let [second, first] = ["unachess2", "unachess"].map(|name| tallies.get(name, STRONG).length);
    Answer {
        question: "Are games of Unachess II longer than those of Unachess?",
        word: Word::of(second.minus(first)),
        rule: "yes or no if the interval of the difference of the means excludes 0",
        figures: vec![format!(
            "{} half-moves against {}",
            plain(second),
            plain(first)
        )],
        is_first: false,
    }
}

fn forgiving(tallies: &Tallies) -> Answer {
    let [second, first] =
        ["unachess2", "unachess"].map(|name| tallies.get(name, STRONG).first_lead_wins);
    let difference = first.minus(second);
    Answer {
        question: "Is Unachess II more forgiving: does the first lead win less often than in Unachess?",
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference excludes 0",
        figures: vec![format!("{} against {}", percent(second), percent(first))],
        is_first: false,
    }
}

fn better_game(tallies: &Tallies) -> Answer {
    let [parachute, second] = ["parachute", "unachess2"].map(|name| tallies.get(name, STRONG));
    let evener = Word::of(second.score.off_half().minus(parachute.score.off_half()));
    let livelier = Word::of(parachute.changes.minus(second.changes));
    let both = [evener, livelier];
    let has = |word| both.contains(&word);
    Answer {
        question: "Is Parachute chess a better game than Unachess II?",
        word: match (has(Word::Yes), has(Word::No)) {
            (true, false) => Word::Yes,
            (false, true) => Word::No,
            _ => Word::Open,
        },
        rule: "yes if White's score is nearer to 50 % or the lead changes more often, and neither is the other way round; no likewise",
        figures: vec![
            format!(
                "White scores {} against {}",
                percent(parachute.score),
                percent(second.score)
            ),
            format!(
                "the lead changes {} times a game against {}",
                plain(parachute.changes),
                plain(second.changes)
            ),
        ],
        is_first: true,
    }
}

fn ranks(tallies: &Tallies) -> Answer {
    let [changed, plain_game] =
        ["unachess-pawns-1-4", "unachess"].map(|name| tallies.get(name, STRONG));
    let differences = [
        changed.score.minus(plain_game.score),
        changed.changes.minus(plain_game.changes),
        changed.length.minus(plain_game.length),
    ];
    let has_effect = differences.iter().any(|one| Word::of(*one) != Word::Open);
    Answer {
        question: "Has the drop of pawns on ranks 1-4 an effect on Unachess?",
        word: if has_effect { Word::Yes } else { Word::Open },
        rule: "yes if the interval of a difference excludes 0, in White's score, changes of the lead or length; else open",
        figures: vec![format!(
            "{}; {:+.2} ({:+.2} to {:+.2}) changes; {:+.1} ({:+.1} to {:+.1}) half-moves; n = {}",
            points(differences[0]),
            differences[1].value,
            differences[1].low,
            differences[1].high,
            differences[2].value,
            differences[2].low,
            differences[2].high,
            differences[0].games
        )],
        is_first: false,
    }
}

fn unashogi(tallies: &Tallies) -> Answer {
    let both = [WEAK, STRONG].map(|nodes| tallies.get("unashogi", nodes));
    let is_outside = |score: Estimate| score.is_below(0.4) || score.is_above(0.6);
    let is_inside = |score: Estimate| score.low >= 0.4 && score.high <= 0.6;
    let ends =
        |tally: &Tally| Estimate::share(super::statistics::number(tally.given_up), tally.games);
    Answer {
        question: "Does Unashogi, which nobody had tested, hold up: is it even, and does it come to an end?",
        word: if both.iter().any(|tally| is_outside(tally.score)) {
            Word::No
        } else if both
            .iter()
            .all(|tally| is_inside(tally.score) && ends(tally).is_below(0.05))
        {
            Word::Yes
        } else {
            Word::Open
        },
        rule: "yes if at both strengths Sente's interval lies in 40 to 60 % and under 5 % of the games have no end; no if it lies outside at either",
        figures: vec![format!(
            "{} at 1,000 nodes and {} at 10,000; {} games without an end",
            percent(both[0].score),
            percent(both[1].score),
            both[0].given_up + both[1].given_up
        )],
        is_first: true,
    }
}

fn own_king(tallies: &Tallies) -> Answer {
    let [own, plain_game] =
        ["unashogi-promote-own-king", "unashogi"].map(|name| tallies.get(name, STRONG).score);
    let difference = plain_game.off_half().minus(own.off_half());
    Answer {
        question: "Is Unashogi more even where pieces promote only after their own king is placed?",
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference of the distances from 50 % excludes 0",
        figures: vec![format!("{} against {}", percent(own), percent(plain_game))],
        is_first: false,
    }
}
