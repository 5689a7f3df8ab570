//! Cross-tables: who played whom, and what came of it.

use std::cmp::Reverse;
use std::collections::HashMap;

use minijinja::{Value, context};

use crate::render::site::{SiteEntry, filled, halves};
use crate::rules::Color;

/// The most players of a table, those with the most matches: nobody can read a wider one,
/// and it grows with their square.
const WIDEST: usize = 40;

/// The most results in a cell. More are summed up.
const MOST_RESULTS: usize = 3;

/// A player and the sum of the results.
struct Row<'e> {
    name: &'e str,
    /// Twice the points: a draw is half a one.
    halves: usize,
    matches: usize,
    /// The same against each other player, the oldest first.
    results: HashMap<&'e str, Vec<usize>>,
}

/// Writes a table for each game of these matches, the newest of which comes first; nothing if none
/// of them is over between two players with names. A game that is a title has a heading.
pub(super) fn tables(newest: &[&SiteEntry], has_headings: bool) -> String {
    let mut games: Vec<&'static str> = newest.iter().map(|e| e.variant.game().name).collect();
    games.sort_unstable();
    games.dedup();
    let tables = games.iter().map(|name| {
        let of_game = newest.iter().filter(|e| e.variant.game().name == *name);
        let of_game: Vec<&SiteEntry> = of_game.copied().collect();
        let heading = if has_headings { name } else { "" };
        crosstable(&of_game, heading)
    });
    tables.collect()
}

/// Writes the table of the players of finished matches and their results; nothing if
/// there are none with names.
fn crosstable(newest: &[&SiteEntry], heading: &str) -> String {
    let mut results: HashMap<&str, HashMap<&str, Vec<usize>>> = HashMap::new();
    // The oldest match first.
    for entry in newest.iter().rev() {
        let [white, black] = entry.players.each_ref().map(String::as_str);
        let Some(ended) = &entry.ended else { continue };
        if white.is_empty() || black.is_empty() || white == black {
            continue;
        }
        for (color, name, other) in [(Color::White, white, black), (Color::Black, black, white)] {
            let against = results.entry(name).or_default().entry(other).or_default();
            against.push(halves(ended, color));
        }
    }
    if results.is_empty() {
        return String::new();
    }
    let row = |(name, results): (_, HashMap<_, Vec<usize>>)| Row {
        name,
        halves: results.values().flatten().sum(),
        matches: results.values().map(Vec::len).sum(),
        results,
    };
    let mut rows: Vec<Row<'_>> = results.into_iter().map(row).collect();
    let players = rows.len();
    rows.sort_by_key(|row| (Reverse(row.matches), row.name));
    rows.truncate(WIDEST);
    rows.sort_by_key(|row| (Reverse(row.halves), row.matches, row.name));
    let shown = rows.iter().map(|row| {
        let cells = rows.iter().map(|other| match row.results.get(other.name) {
            Some(found) => cell(found),
            None => String::new(),
        });
        let (name, points, matches) = (row.name, points(row.halves), row.matches);
        context! { name, cells => cells.collect::<Value>(), points, matches }
    });
    let rows = shown.collect::<Value>();
    filled("crosstable.html", context! { heading, players, rows })
}

/// Writes the results of two players, the oldest first; many of them as a sum.
fn cell(found: &[usize]) -> String {
    if found.len() > MOST_RESULTS {
        return format!("{} of {}", points(found.iter().sum()), found.len());
    }
    let found: Vec<String> = found.iter().map(|halves| points(*halves)).collect();
    found.join(" ")
}

/// Writes points, given twice: `2½`.
fn points(halves: usize) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "\u{bd}".to_owned(),
        (whole, 1) => format!("{whole}\u{bd}"),
        (whole, _) => whole.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::site::tests::won;

    #[test]
    fn a_table_has_the_players_with_the_most_matches() {
        let mut entries: Vec<SiteEntry> = (0..41)
            .map(|number| won(number, "Anna", &format!("Ben {number:02}")))
            .collect();
        // Without this match Ben 40 would be one too many.
        entries.push(won(41, "Anna", "Ben 40"));
        let entries: Vec<&SiteEntry> = entries.iter().collect();
        let table = tables(&entries, true);
        assert!(table.contains("<h2>Unachess</h2>"), "{table}");
        assert!(table.contains("The 40 players with the most matches, of 42."));
        let rows = table.matches("<th scope=\"row\">").count();
        assert_eq!(rows, WIDEST);
        let has = |name: &str| table.contains(&format!("<bdi>{name}</bdi>"));
        let names = ["Anna", "Ben 37", "Ben 38", "Ben 39", "Ben 40"];
        assert_eq!(names.map(has), [true, true, false, false, true]);
        assert!(table.contains("<td class=\"points\">42</td><td>42</td>"));
    }

    /// Two players may meet without end, and a page may not.
    #[test]
    fn many_results_of_two_players_are_summed_up() {
        assert_eq!(cell(&[2, 1, 0]), "1 \u{bd} 0");
        assert_eq!(cell(&[2, 1, 0, 2]), "2\u{bd} of 4");
    }
}
