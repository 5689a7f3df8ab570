//! Answers to what the posts ask and say, each by a rule: what the figures have to be for a yes or a no.

use std::fmt;

use super::game::Game;
use super::sets::{self, OTHER, QUEENS, REPLIES, STRONG, STRONGEST, WEAK, queen_name};
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
    /// The sets of games that it rests on, with their nodes.
    rests_on: Vec<(String, u64)>,
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

/// A difference as `+0.03 (-0.25 to +0.30)`.
fn signed(difference: Estimate) -> String {
    format!(
        "{:+.2} ({:+.2} to {:+.2})",
        difference.value, difference.low, difference.high
    )
}

/// The same to a thousandth, where that decides.
fn fine(difference: Estimate) -> String {
    format!(
        "{:+.3} ({:+.3} to {:+.3})",
        difference.value, difference.low, difference.high
    )
}

/// The difference of two sets at the lower strength, which decides nothing.
fn at_weak(
    tallies: &Tallies,
    [one, other]: [&str; 2],
    of: fn(&Tally) -> Estimate,
    shown: fn(Estimate) -> String,
) -> String {
    let [one, other] = [one, other].map(|name| of(tallies.get(name, WEAK)));
    format!(
        "at 1,000 nodes, which does not decide: {}",
        shown(one.minus(other))
    )
}

/// The sets of these names, each at so many nodes.
fn at<'n>(nodes: u64, names: impl IntoIterator<Item = &'n str>) -> Vec<(String, u64)> {
    let names = names.into_iter();
    names.map(|name| (name.to_owned(), nodes)).collect()
}

/// All answers, in the order of the page. A question is open until all games that its answer rests on
/// are played: who looks again and again sees a difference some time.
pub(crate) fn all(games: &[Game]) -> Vec<Answer> {
    let tallies = Tallies::of(games);
    let planned = sets::all();
    let mut answers = decided(&tallies, games);
    for answer in &mut answers {
        let (mut played, mut all) = (0, 0);
        for (name, nodes) in &answer.rests_on {
            let size = planned.iter().filter(|set| set.name == *name);
            let mut size = size.flat_map(|set| &set.sizes);
            let size = size
                .find(|(of, _)| of == nodes)
                .map_or(0, |(_, size)| *size);
            let tally = tallies.get(name, *nodes);
            played += (tally.games + tally.duplicates).min(usize::try_from(size).unwrap_or(0));
            all += usize::try_from(size).unwrap_or(0);
        }
        if played < all {
            let early = format!(
                "early: {played} of {all} games are played; so far it would be {}",
                answer.word
            );
            answer.figures.push(early);
            answer.word = Word::Open;
        }
    }
    answers
}

/// The answers by the games that there are.
fn decided(tallies: &Tallies, games: &[Game]) -> Vec<Answer> {
    let mut answers = vec![unbeatable(tallies), better_opening(tallies, games)];
    answers.extend([
        advantage(tallies),
        once(tallies),
        back_and_forth(tallies),
        longer(tallies),
        forgiving(tallies),
        better_game(tallies),
        ranks(tallies),
        unashogi(tallies),
        own_king(tallies),
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
        let name = queen_name(QUEENS[at], Some(reply));
        Some(format!(
            "after 1. {} {reply} 2. king White scores {} at 100,000 nodes, {} at 10,000",
            QUEENS[at],
            percent(tally.score),
            percent(tallies.get(&name, STRONG).score)
        ))
    };
    let mut figures: Vec<String> = best.iter().enumerate().filter_map(figure).collect();
    for queen in &QUEENS[..2] {
        let tally = tallies.get(&queen_name(queen, None), STRONGEST);
        let [wins, draws, losses] = tally.results;
        figures.push(format!(
            "with replies of Black's own choice after 1. {queen} 2. king at 100,000 nodes: White wins {wins}, draws {draws}, loses {losses}"
        ));
    }
    let mut rests_on = Vec::new();
    for (queen, replies) in QUEENS.into_iter().zip(REPLIES) {
        for reply in replies {
            let name = queen_name(queen, Some(reply));
            rests_on.extend([STRONG, STRONGEST].map(|nodes| (name.clone(), nodes)));
        }
    }
    Answer {
        rests_on,
        question: "Does White have an unbeatable game by dropping the queen and then the king?",
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
        rests_on: at(STRONG, names.iter().map(String::as_str).chain([OTHER])),
        question: "Does White do better with the queen on b2 or c3 and the king than with what the search likes best but the queen?",
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
        rests_on: at(STRONG, ["unachess", "chess"]),
        question: "Does White score more in Unachess than in the engine's own chess?",
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference excludes 0",
        figures: vec![
            format!(
                "{} against {}: {}",
                percent(unachess),
                percent(chess),
                points(difference)
            ),
            at_weak(tallies, ["unachess", "chess"], |tally| tally.score, points),
        ],
        is_first: false,
    }
}

fn once(tallies: &Tallies) -> Answer {
    let share = tallies.get("unachess", STRONG).changes_twice;
    Answer {
        rests_on: at(STRONG, ["unachess"]),
        question: "Is it unlikely in Unachess that the lead changes hands more than once?",
        word: if share.is_below(0.5) {
            Word::Yes
        } else if share.is_above(0.5) {
            Word::No
        } else {
            Word::Open
        },
        rule: "yes if the interval of the share of such games lies below 50 %, no if above",
        figures: vec![format!(
            "{} of the games; in Unachess II {}",
            percent(share),
            percent(tallies.get("unachess2", STRONG).changes_twice)
        )],
        is_first: false,
    }
}

fn back_and_forth(tallies: &Tallies) -> Answer {
    let [second, first] = ["unachess2", "unachess"].map(|name| tallies.get(name, STRONG).changes);
    Answer {
        question: "Does the lead change hands more often in Unachess II than in Unachess?",
        rests_on: at(STRONG, ["unachess2", "unachess"]),
        word: Word::of(second.minus(first)),
        rule: "yes or no if the interval of the difference excludes 0",
        figures: vec![
            format!(
                "{} times a game against {}: {}",
                plain(second),
                plain(first),
                fine(second.minus(first))
            ),
            at_weak(
                tallies,
                ["unachess2", "unachess"],
                |tally| tally.changes,
                signed,
            ),
        ],
        is_first: false,
    }
}

fn longer(tallies: &Tallies) -> Answer {
    let [second, first] = ["unachess2", "unachess"].map(|name| tallies.get(name, STRONG).length);
    Answer {
        question: "Are games of Unachess II longer than those of Unachess?",
        rests_on: at(STRONG, ["unachess2", "unachess"]),
        word: Word::of(second.minus(first)),
        rule: "yes or no if the interval of the difference of the means excludes 0",
        figures: vec![
            format!(
                "{} half-moves against {}: {}",
                plain(second),
                plain(first),
                signed(second.minus(first))
            ),
            at_weak(
                tallies,
                ["unachess2", "unachess"],
                |tally| tally.length,
                signed,
            ),
        ],
        is_first: false,
    }
}

fn forgiving(tallies: &Tallies) -> Answer {
    let [second, first] =
        ["unachess2", "unachess"].map(|name| tallies.get(name, STRONG).first_lead_wins);
    let difference = first.minus(second);
    Answer {
        question: "Is Unachess II more forgiving: does the first lead win less often than in Unachess?",
        rests_on: at(STRONG, ["unachess2", "unachess"]),
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference excludes 0",
        figures: vec![
            format!(
                "it wins {} against {}: {}",
                percent(second),
                percent(first),
                points(second.minus(first))
            ),
            at_weak(
                tallies,
                ["unachess2", "unachess"],
                |tally| tally.first_lead_wins,
                points,
            ),
        ],
        is_first: false,
    }
}

fn better_game(tallies: &Tallies) -> Answer {
    let [parachute, second] = ["parachute", "unachess2"].map(|name| tallies.get(name, STRONG));
    let evener = second.score.off_half().minus(parachute.score.off_half());
    let livelier = parachute.changes.minus(second.changes);
    let both = [evener, livelier].map(Word::of);
    let has = |word| both.contains(&word);
    Answer {
        rests_on: at(STRONG, ["parachute", "unachess2"]),
        question: "Is Parachute chess a better game than Unachess II: more even, or with a lead that changes more often?",
        word: match (has(Word::Yes), has(Word::No)) {
            (true, false) => Word::Yes,
            (false, true) => Word::No,
            _ => Word::Open,
        },
        rule: "yes if the interval of one difference lies above 0, and that of the other does not lie below; no likewise",
        figures: vec![
            format!(
                "White scores {} against {}: {} nearer to 50 %",
                percent(parachute.score),
                percent(second.score),
                points(evener)
            ),
            format!(
                "the lead changes {} times a game against {}: {}",
                plain(parachute.changes),
                plain(second.changes),
                signed(livelier)
            ),
        ],
        is_first: true,
    }
}

fn ranks(tallies: &Tallies) -> Answer {
    let names = ["unachess-pawns-1-4", "unachess"];
    let differences = |nodes| {
        let [changed, plain_game] = names.map(|name| tallies.get(name, nodes));
        [
            changed.score.minus(plain_game.score),
            changed.changes.minus(plain_game.changes),
            changed.length.minus(plain_game.length),
        ]
    };
    let both = [WEAK, STRONG].map(differences);
    let words = both.map(|differences| differences.map(Word::of));
    let mut pairs = words[0].into_iter().zip(words[1]);
    let has_effect = pairs.any(|(weak, strong)| weak == strong && weak != Word::Open);
    let figure = |(differences, nodes): ([Estimate; 3], &str)| {
        let [score, changes, length] = differences;
        format!(
            "at {nodes} nodes {}; {} changes of the lead; {} half-moves; n = {}",
            points(score),
            signed(changes),
            signed(length),
            score.games
        )
    };
    Answer {
        rests_on: [WEAK, STRONG]
            .into_iter()
            .flat_map(|nodes| at(nodes, names))
            .collect(),
        question: "Does it matter in Unachess whether pawns may be dropped on ranks 1 to 4?",
        word: if has_effect { Word::Yes } else { Word::Open },
        rule: "yes if at both strengths the interval of a difference, in White's score, changes of the lead or length, lies on the same side of 0; else open",
        figures: both
            .into_iter()
            .zip(["1,000", "10,000"])
            .map(figure)
            .collect(),
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
        rests_on: [WEAK, STRONG]
            .map(|nodes| ("unashogi".to_owned(), nodes))
            .into(),
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
        rule: "no if at a strength the first player's interval lies outside 40 to 60 %; yes if at both it lies inside, and that of stopped games below 5 %",
        figures: vec![
            format!(
                "the first player scores {} at 1,000 nodes and {} at 10,000",
                percent(both[0].score),
                percent(both[1].score)
            ),
            format!(
                "stopped after 500 half-moves: {} and {}",
                percent(ends(both[0])),
                percent(ends(both[1]))
            ),
        ],
        is_first: true,
    }
}

fn own_king(tallies: &Tallies) -> Answer {
    let [own, plain_game] =
        ["unashogi-promote-own-king", "unashogi"].map(|name| tallies.get(name, STRONG).score);
    let difference = plain_game.off_half().minus(own.off_half());
    Answer {
        question: "Is Unashogi more even where pieces promote only after their own king is placed?",
        rests_on: at(STRONG, ["unashogi-promote-own-king", "unashogi"]),
        word: Word::of(difference),
        rule: "yes or no if the interval of the difference of the distances from 50 % excludes 0",
        figures: vec![format!(
            "{} against {}: {} nearer",
            percent(own),
            percent(plain_game),
            points(difference)
        )],
        is_first: false,
    }
}
