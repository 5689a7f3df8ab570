//! The tables of the page, and the same with every figure as CSV.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::game::Game;
use super::openings::Line;
use super::plot::{Dot, Plot, Row};
use super::sets::{CHANCE, OTHER, Part, QUEENS, STRONG, STRONGEST, Set, WEAK, queen_name};
use super::statistics::Estimate;
use super::tallies::{Tallies, Tally};

/// Games of a group below which it has no row on the page; the CSV has all.
const FEW: usize = 10;

/// Nodes as the page writes them.
fn thousands(nodes: u64) -> String {
    match nodes {
        1_000.. => format!("{},{:03}", nodes / 1_000, nodes % 1_000),
        _ => nodes.to_string(),
    }
}

fn share(estimate: Estimate) -> String {
    format!("{:.1} %", 100.0 * estimate.value)
}

fn interval(estimate: Estimate) -> String {
    format!("{:.1}-{:.1}", 100.0 * estimate.low, 100.0 * estimate.high)
}

/// The sets of a part with each number of nodes that they have games of.
fn rows<'a>(
    sets: &'a [Set],
    part: Part,
    tallies: &'a Tallies,
) -> impl Iterator<Item = (&'a Set, u64, &'a Tally)> {
    let sets = sets.iter().filter(move |set| set.part == part);
    let all = sets.flat_map(move |set| {
        let of = move |nodes| (set, nodes, tallies.get(&set.name, nodes));
        [WEAK, STRONG, STRONGEST].map(of)
    });
    all.filter(|(_, _, tally)| tally.games > 0)
}

/// White's score and the length of the games.
pub(crate) fn scores(sets: &[Set], part: Part, tallies: &Tallies) -> String {
    let mut text = String::from(
        "| games of | nodes | n | White scores | 95 % | wins, draws, losses | draws | 95 % | half-moves |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (set, nodes, tally) in rows(sets, part, tallies) {
        let [wins, draws, losses] = tally.results;
        let [quarter, half, three] = tally.quartiles;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {wins}, {draws}, {losses} | {} | {} | {half} ({quarter}-{three}) |",
            set.title,
            thousands(nodes),
            tally.games,
            share(tally.score),
            interval(tally.score),
            share(tally.draws),
            interval(tally.draws)
        );
    }
    text
}

/// How often the lead changes hands.
pub(crate) fn leads(sets: &[Set], tallies: &Tallies) -> String {
    let mut text = String::from(
        "| games of | nodes | n | changes a game | 95 % | more than one | 95 % | first lead wins | 95 % | of |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (set, nodes, tally) in rows(sets, Part::Game, tallies) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.2} | {:.2}-{:.2} | {} | {} | {} | {} | {} |",
            set.title,
            thousands(nodes),
            tally.games,
            tally.changes.value,
            tally.changes.low,
            tally.changes.high,
            share(tally.changes_twice),
            interval(tally.changes_twice),
            share(tally.first_lead_wins),
            interval(tally.first_lead_wins),
            tally.first_lead_wins.games
        );
    }
    text
}

/// The openings of Unachess, and how each differs from those without the queen.
pub(crate) fn openings(sets: &[Set], tallies: &Tallies) -> String {
    let mut text = String::from(
        "| opening | nodes | n | White scores | 95 % | against the best other | against any other | half-moves |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (set, nodes, tally) in rows(sets, Part::Opening, tallies) {
        let against = |name: &str| {
            let other = tallies.get(name, nodes);
            if set.name == name || other.games == 0 {
                return String::new();
            }
            let [value, low, high] = {
                let difference = tally.score.minus(other.score);
                [difference.value, difference.low, difference.high].map(|one| 100.0 * one)
            };
            format!("{value:+.1} ({low:+.1} to {high:+.1})")
        };
        let [quarter, half, three] = tally.quartiles;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {half} ({quarter}-{three}) |",
            set.title,
            thousands(nodes),
            tally.games,
            share(tally.score),
            interval(tally.score),
            against(OTHER),
            against(CHANCE)
        );
    }
    text
}

/// The games that begin with the queen and the king, by their half-move `at`: the tallies of each, the
/// best for White first.
fn grouped(games: &[Game], queen: &str, at: usize) -> Vec<(String, Tally)> {
    let name = queen_name(queen, None);
    let mut groups: BTreeMap<&str, Vec<&Game>> = BTreeMap::new();
    for game in games {
        if game.set == name
            && game.nodes == STRONG
            && let Some(text) = game.opening.get(at)
        {
            groups.entry(text).or_default().push(game);
        }
    }
    let tally = |(text, games): (&str, Vec<&Game>)| (text.to_owned(), Tally::of(games.into_iter()));
    let mut groups: Vec<(String, Tally)> = groups.into_iter().map(tally).collect();
    groups.sort_by(|(_, one), (_, other)| other.score.value.total_cmp(&one.score.value));
    groups
}

/// What a table without rows says.
const NO_ROWS: &str = "None of them was played so often yet.\n";

/// The king's squares behind the queen's, or Black's replies to it.
pub(crate) fn groups(games: &[Game], at: usize, what: &str) -> String {
    let mut text =
        format!("| White begins | {what} | n | White scores | 95 % |\n|---|---|---:|---:|---:|\n");
    for queen in QUEENS {
        for (name, tally) in grouped(games, queen, at) {
            if tally.games >= FEW {
                let _ = writeln!(
                    text,
                    "| {queen} | {name} | {} | {} | {} |",
                    tally.games,
                    share(tally.score),
                    interval(tally.score)
                );
            }
        }
    }
    if text.lines().count() > 2 {
        text
    } else {
        NO_ROWS.to_owned()
    }
}

/// All of them as CSV.
pub(crate) fn groups_csv(games: &[Game], at: usize) -> String {
    let mut text = String::from("queen,half_move,games,score,low,high\n");
    for queen in QUEENS {
        for (name, tally) in grouped(games, queen, at) {
            let score = tally.score;
            let _ = writeln!(
                text,
                "{queen},{name},{},{:.4},{:.4},{:.4}",
                tally.games, score.value, score.low, score.high
            );
        }
    }
    text
}

/// What a search without games says: the first lines, the best of the side that chooses first.
pub(crate) fn lines(lines: &[Line], most: usize) -> String {
    let mut text =
        String::from("| queen | Black replies | king | worth to White |\n|---|---|---|---:|\n");
    for line in lines.iter().take(most) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:+.2} |",
            line.queen,
            line.reply,
            line.king,
            f64::from(line.value) / 100.0
        );
    }
    text
}

/// Every figure of every set.
pub(crate) fn csv(sets: &[Set], tallies: &Tallies) -> String {
    let mut text = String::from(
        "set,nodes,games,duplicates,white_wins,draws,black_wins,given_up,score,score_low,score_high,draw_share,draw_low,draw_high,\
         length,length_low,length_high,changes,changes_low,changes_high,\
         changes_twice,changes_twice_low,changes_twice_high,first_lead_wins,first_lead_wins_low,first_lead_wins_high,first_lead_games,length_quarter,length_half,length_three_quarters\n",
    );
    for part in [Part::Game, Part::Opening, Part::Check] {
        for (set, nodes, tally) in rows(sets, part, tallies) {
            let mut fields = vec![set.name.clone(), nodes.to_string()];
            let counts = [tally.games, tally.duplicates]
                .into_iter()
                .chain(tally.results);
            fields.extend(
                counts
                    .chain([tally.given_up])
                    .map(|count| count.to_string()),
            );
            let mut estimates = |all: &[Estimate]| {
                for one in all {
                    fields.extend([one.value, one.low, one.high].map(|one| format!("{one:.4}")));
                }
            };
            estimates(&[tally.score, tally.draws, tally.length]);
            estimates(&[tally.changes, tally.changes_twice, tally.first_lead_wins]);
            fields.push(tally.first_lead_wins.games.to_string());
            fields.extend(tally.quartiles.map(|one| one.to_string()));
            let _ = writeln!(text, "{}", fields.join(","));
        }
    }
    text
}

/// A dot of a tally, if it has games.
fn dot(tally: &Tally, estimate: Estimate, times: f64) -> Option<Dot> {
    (tally.games > 0).then_some(Dot {
        value: times * estimate.value,
        low: times * estimate.low,
        high: times * estimate.high,
        games: estimate.games,
    })
}

/// The plots, by the names of their files.
pub(crate) fn plots(sets: &[Set], tallies: &Tallies) -> Vec<(&'static str, String)> {
    let rows = |part: Part, nodes: &[u64], of: &dyn Fn(&Tally) -> Option<Dot>| -> Vec<Row> {
        let sets = sets.iter().filter(|set| set.part == part);
        let row = |set: &Set| Row {
            name: set.title.clone(),
            dots: nodes
                .iter()
                .map(|nodes| of(tallies.get(&set.name, *nodes)))
                .collect(),
        };
        sets.map(row).collect()
    };
    let both = vec!["1,000 nodes", "10,000 nodes"];
    let score = |tally: &Tally| dot(tally, tally.score, 100.0);
    let scores = Plot {
        title: "White's score, with 95 % intervals",
        unit: "per cent of the points",
        step: 10.0,
        mark: Some(50.0),
        series: both.clone(),
        rows: rows(Part::Game, &[WEAK, STRONG], &score),
    };
    let leads = Plot {
        title: "How often the lead changes hands, with 95 % intervals",
        unit: "times a game",
        step: 0.5,
        mark: Some(0.0),
        series: both.clone(),
        rows: rows(Part::Game, &[WEAK, STRONG], &|tally| {
            dot(tally, tally.changes, 1.0)
        }),
    };
    let length = |tally: &Tally| {
        let [low, value, high] = tally.quartiles.map(super::statistics::number);
        (tally.games > 0).then_some(Dot {
            value,
            low,
            high,
            games: tally.games,
        })
    };
    let lengths = Plot {
        title: "The length of games: the median, and between which lengths half of them lie",
        unit: "half-moves",
        step: 50.0,
        mark: Some(0.0),
        series: both,
        rows: rows(Part::Game, &[WEAK, STRONG], &length),
    };
    let openings = Plot {
        title: "Openings of Unachess: White's score, with 95 % intervals",
        unit: "per cent of the points",
        step: 10.0,
        mark: Some(50.0),
        series: vec!["10,000 nodes", "100,000 nodes"],
        rows: rows(Part::Opening, &[STRONG, STRONGEST], &score),
    };
    vec![
        ("score.svg", scores.svg()),
        ("leads.svg", leads.svg()),
        ("length.svg", lengths.svg()),
        ("openings.svg", openings.svg()),
    ]
}
