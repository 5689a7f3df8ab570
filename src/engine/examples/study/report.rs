//! Makes the tables, plots and page of the study from its games.

use std::fmt::Write as _;

use super::answers::{self, Answer};
use super::game::Game;
use super::openings::Line;
use super::sets::{self, Part};
use super::tables;
use super::tallies::Tallies;

/// What the games come to, as files.
pub(crate) struct Report {
    /// The page, with its tables made anew.
    pub(crate) page: String,
    /// The names and texts of the files beside it.
    pub(crate) files: Vec<(&'static str, String)>,
    /// What the page says in its first paragraph and the games do not.
    pub(crate) wrong: Vec<String>,
}

/// The places of the page that are made anew.
const PLACES: [&str; 10] = [
    "answers",
    "scores",
    "leads",
    "openings",
    "queens searched",
    "replies searched",
    "replies",
    "kings",
    "checks",
    "numbers",
];

/// A page with all places and no prose.
pub(crate) fn empty_page() -> String {
    let places = PLACES.map(|name| format!("<!-- {name} -->\n<!-- end -->\n"));
    format!("# The study\n\n{}", places.join("\n"))
}

/// Makes the report of these games; the prose of the page stays.
///
/// # Errors
///
/// If the page lacks a place for a table.
pub(crate) fn make(
    mut games: Vec<Game>,
    queens: &[Line],
    replies: &[Line],
    page: &str,
) -> Result<Report, String> {
    games.sort_by(|one, other| {
        let key = |game: &Game| (game.set.clone(), game.nodes, game.number);
        key(one).cmp(&key(other))
    });
    let (sets, tallies) = (sets::all(), Tallies::of(&games));
    let answers = answers::all(&games);
    let mut page = page.to_owned();
    let texts = [
        list(&answers),
        tables::scores(&sets, Part::Game, &tallies),
        tables::leads(&sets, &tallies),
        tables::openings(&sets, &tallies),
        tables::lines(queens, 8),
        tables::lines(replies, usize::MAX),
        tables::groups(&games, 1, "Black replies"),
        tables::groups(&games, 2, "king"),
        tables::scores(&sets, Part::Check, &tallies),
        numbers(&games, &tallies),
    ];
    for (name, text) in PLACES.into_iter().zip(texts) {
        page = filled(&page, name, &text)?;
    }
    let mut files = vec![
        ("sets.csv", tables::csv(&sets, &tallies)),
        ("by_reply.csv", tables::groups_csv(&games, 1)),
        ("by_king.csv", tables::groups_csv(&games, 2)),
    ];
    files.extend(tables::plots(&sets, &tallies));
    let wrong = wrong(&page, &answers);
    Ok(Report { page, files, wrong })
}

/// The page with a table between its marks.
fn filled(page: &str, name: &str, table: &str) -> Result<String, String> {
    let (mark, end) = (format!("<!-- {name} -->\n"), "<!-- end -->");
    let missing = || format!("the page has no place '{name}': {}…{end}", mark.trim_end());
    let (before, rest) = page.split_once(&mark).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    Ok(format!(
        "{before}{mark}\n{}\n\n{end}{after}",
        table.trim_end()
    ))
}

/// The answers as a numbered list.
fn list(answers: &[Answer]) -> String {
    let mut text = String::new();
    for (answer, number) in answers.iter().zip(1..) {
        let _ = writeln!(text, "{number}. {} **{}**", answer.question, answer.word);
        for figure in &answer.figures {
            let _ = writeln!(text, "   - {figure}");
        }
        let _ = writeln!(text, "   - rule: {}", answer.rule);
    }
    text
}

/// How many games there are, and how many of them twice.
fn numbers(games: &[Game], tallies: &Tallies) -> String {
    let (mut duplicates, mut given_up) = (0, 0);
    for set in sets::all() {
        for &(nodes, _) in &set.sizes {
            let tally = tallies.get(&set.name, nodes);
            duplicates += tally.duplicates;
            given_up += tally.given_up;
        }
    }
    format!(
        "{} games; {duplicates} of them had come before in their set and are counted once; {given_up} were given up as draws \
         for their length.",
        games.len()
    )
}

/// The words of the first paragraph that are not what the games say.
fn wrong(page: &str, answers: &[Answer]) -> Vec<String> {
    let first = page.split("\n\n").nth(1).unwrap_or("");
    let said: Vec<&str> = first.split("**").skip(1).step_by(2).collect();
    let expected: Vec<&Answer> = answers.iter().filter(|answer| answer.is_first).collect();
    if said.len() != expected.len() {
        return vec![format!(
            "the first paragraph has {} answers in bold letters, and {} questions",
            said.len(),
            expected.len()
        )];
    }
    let pairs = said.into_iter().zip(expected);
    let differ = pairs.filter(|(said, answer)| *said != answer.word.to_string());
    differ
        .map(|(said, answer)| {
            format!(
                "{} The page says {said}, the games {}.",
                answer.question, answer.word
            )
        })
        .collect()
}
