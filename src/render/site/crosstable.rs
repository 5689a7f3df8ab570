//! A table of who played whom, and with what result.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;

use crate::render::page::escaped;
use crate::render::site::entry::{Ended, Entry};
use crate::rules::Color;

/// The most players of a table, those with the most matches: nobody can read a wider one,
/// and it grows with their square.
const MOST: usize = 40;

/// A player and the sum of the results.
struct Row<'e> {
    name: &'e str,
    /// Twice the points: a draw is half a one.
    halves: usize,
    matches: usize,
}

/// Writes the table of finished matches; nothing if there are none with names.
pub(super) fn write(entries: &[&Entry]) -> String {
    let mut rows: HashMap<&str, Row<'_>> = HashMap::new();
    let mut cells: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    // The oldest match first.
    for entry in entries.iter().rev() {
        let [white, black] = entry.players.each_ref().map(String::as_str);
        let Some(ended) = &entry.ended else { continue };
        if white.is_empty() || black.is_empty() || white == black {
            continue;
        }
        for (color, name, other) in [(Color::White, white, black), (Color::Black, black, white)] {
            let halves = halves(ended, color);
            let row = rows.entry(name).or_insert(Row {
                name,
                halves: 0,
                matches: 0,
            });
            row.halves += halves;
            row.matches += 1;
            cells.entry((name, other)).or_default().push(halves);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut rows: Vec<Row<'_>> = rows.into_values().collect();
    let all = rows.len();
    rows.sort_by_key(|row| (Reverse(row.matches), row.name));
    rows.truncate(MOST);
    rows.sort_by_key(|row| (Reverse(row.halves), row.matches, row.name));
    let mut table = String::new();
    if all > MOST {
        let _ = writeln!(
            table,
            "<p>The {MOST} players with the most matches, of {all}.</p>"
        );
    }
    table.push_str(
        "<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table class=\"cross\">\n<thead><tr><th scope=\"col\">Player</th>",
    );
    for number in 1..=rows.len() {
        let _ = write!(table, "<th scope=\"col\">{number}</th>");
    }
    table.push_str("<th scope=\"col\">Points</th></tr></thead>\n<tbody>\n");
    for (number, row) in (1..).zip(&rows) {
        let name = escaped(row.name);
        let _ = write!(
            table,
            "<tr><th scope=\"row\">{number}. <bdi>{name}</bdi></th>"
        );
        for other in &rows {
            let found = cells.get(&(row.name, other.name));
            let results = found.map_or(&[][..], Vec::as_slice);
            let results: Vec<String> = results.iter().map(|halves| points(*halves)).collect();
            let empty = if row.name == other.name {
                "\u{2013}"
            } else {
                ""
            };
            let shown = if results.is_empty() {
                empty.to_owned()
            } else {
                results.join(" ")
            };
            let _ = write!(table, "<td>{shown}</td>");
        }
        let _ = writeln!(
            table,
            "<td>{} of {}</td></tr>",
            points(row.halves),
            row.matches
        );
    }
    table.push_str("</tbody>\n</table></div>\n");
    table
}

/// Returns twice the points of a side.
fn halves(ended: &Ended, color: Color) -> usize {
    match ended.winner {
        None => 1,
        Some(winner) if winner == color => 2,
        Some(_) => 0,
    }
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
    use crate::rules::Variant;

    fn won(number: usize, white: &str, black: &str) -> Entry {
        Entry {
            id: format!("m{number}").parse().unwrap(),
            variant: Variant::find("unachess", &[]).unwrap(),
            players: [white, black].map(ToOwned::to_owned),
            event: String::new(),
            ended: Some(Ended {
                winner: Some(Color::White),
                sentence: String::new(),
            }),
            last: "2026-11-20T03:00:00Z".parse().unwrap(),
            plies: 1,
        }
    }

    #[test]
    fn a_table_has_the_players_with_the_most_matches() {
        let mut entries: Vec<Entry> = (0..41)
            .map(|number| won(number, "Anna", &format!("Ben {number:02}")))
            .collect();
        // Without this match Ben 40 would be one too many.
        entries.push(won(41, "Anna", "Ben 40"));
        let entries: Vec<&Entry> = entries.iter().collect();
        let table = write(&entries);
        assert!(table.contains("The 40 players with the most matches, of 42."));
        let rows = table.matches("<th scope=\"row\">").count();
        assert_eq!(rows, MOST);
        let has = |name: &str| table.contains(&format!("<bdi>{name}</bdi>"));
        let names = ["Anna", "Ben 37", "Ben 38", "Ben 39", "Ben 40"];
        assert_eq!(names.map(has), [true, true, false, false, true]);
        assert!(table.contains("<td>42 of 42</td>"));
    }
}
