//! The list of matches as a table.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::Style;
use textwrap::WordSplitter;

use crate::columns::{columns, padded};
use crate::paint::{self, Paint};

/// The headings of the table for people.
const HEADINGS: [&str; 4] = ["ID", "GAME", "PLAYERS", "STANDING"];

/// The columns between two cells.
const GAP: usize = 2;

/// The least columns of the players and of the standing, before the table gives way to
/// blocks.
const LEAST: [usize; 2] = [15, 25];

/// The cells of a match, and the style of the last of them.
pub(super) struct Row {
    pub(super) cells: [String; 4],
    pub(super) style: Style,
}

/// Lays the rows out in columns, one line each, for programs and pipes: cells are
/// filled up by characters, and nothing is cut.
pub(super) fn plain(rows: &[Row], paint: Paint) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row.cells[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let [a, b, c] = [width(0), width(1), width(2)];
    let mut table = String::new();
    for Row { cells, style } in rows {
        let [id, game, players, standing] = cells;
        let standing = styled(paint, *style, standing);
        let _ = writeln!(table, "{id:a$}  {game:b$}  {players:c$}  {standing}");
    }
    table
}

/// Lays the rows out for a terminal with so many columns: as a table with headings, or
/// in blocks where that is too narrow.
pub(super) fn for_people(rows: &[Row], room: usize, paint: Paint) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| columns(&row.cells[column]));
        cells.max().unwrap_or(0).max(columns(HEADINGS[column]))
    };
    let [id, game, players, standing] = [0, 1, 2, 3].map(width);
    let left = room.saturating_sub(id + game + 2 * GAP);
    let [least_players, least_standing] = LEAST;
    let (players, standing) = if players + GAP + standing <= left {
        (players, standing)
    } else if left >= least_players + GAP + least_standing {
        let room_of_players = left.saturating_sub(GAP + standing).max(left / 3);
        let players = players.min(room_of_players.max(least_players));
        (players, left - GAP - players)
    } else {
        return blocks(rows, room, paint);
    };
    let widths = [id, game, players];
    let mut table = String::new();
    let [heads @ .., last] = HEADINGS;
    for (head, width) in heads.iter().zip(widths) {
        let _ = write!(
            table,
            "{}  ",
            paint.text(paint::STRONG, padded(head, width))
        );
    }
    let _ = writeln!(table, "{}", paint.text(paint::STRONG, last));
    for Row { cells, style } in rows {
        let [id, game, players, last] = cells;
        let players = wrapped(players, widths[2], WordSplitter::HyphenSplitter);
        let standings = wrapped(last, standing, WordSplitter::NoHyphenation);
        for at in 0..players.len().max(standings.len()) {
            let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            let (id, game) = if at == 0 {
                (id.as_str(), game.as_str())
            } else {
                ("", "")
            };
            let cells = [id, game, &line(&players)];
            let mut row = String::new();
            for (cell, width) in cells.into_iter().zip(widths) {
                let _ = write!(row, "{}  ", padded(cell, width));
            }
            let standing = line(&standings);
            if !standing.is_empty() {
                row.push_str(&styled(paint, *style, &standing));
            }
            let _ = writeln!(table, "{}", row.trim_end());
        }
    }
    table
}

/// Writes a match in some lines.
fn blocks(rows: &[Row], room: usize, paint: Paint) -> String {
    let mut text = String::new();
    for Row { cells, style } in rows {
        let [id, game, players, standing] = cells;
        let id = paint.text(paint::STRONG, id);
        let _ = writeln!(text, "{id}  {game}");
        let inner = room.saturating_sub(GAP).max(8);
        for line in wrapped(players, inner, WordSplitter::HyphenSplitter) {
            let _ = writeln!(text, "  {line}");
        }
        for line in wrapped(standing, inner, WordSplitter::NoHyphenation) {
            let _ = writeln!(text, "  {}", styled(paint, *style, &line));
        }
    }
    text
}

fn styled(paint: Paint, style: Style, text: &str) -> String {
    if style == Style::new() {
        text.to_owned()
    } else {
        paint.text(style, text)
    }
}

/// Wraps a text between words, and at hyphens or not: those of a time stay.
fn wrapped(text: &str, room: usize, splitter: WordSplitter) -> Vec<String> {
    let layout = textwrap::Options::new(room).word_splitter(splitter);
    let lines = textwrap::wrap(text, layout);
    lines.into_iter().map(Cow::into_owned).collect()
}
