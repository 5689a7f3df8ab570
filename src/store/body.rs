//! The lines of a state file between its headers and its log. The diagram and the list must agree with
//! the log. The other paragraphs are for readers: whose turn it is, the signs, the rules in a sentence,
//! the players' words. A line that somebody added becomes a `Comment:` at the next change.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::matches::event::{Event, Who};
use crate::matches::r#match::Match;
use crate::matches::state::State;
use crate::notation::diagram::Diagram;
use crate::notation::move_list::MoveList;
use crate::printable::{fold, wrapped};
use crate::rules::Variant;

/// The columns of a line.
const WIDTH: usize = 72;

/// The bytes of players' words from which on older ones are left out: each change writes them again.
const MOST_WORDS: usize = 2_000;

/// The mark before each line of the players' words.
pub(super) const WORDS: &str = "| ";

/// The key before the side to move.
const TO_MOVE: &str = "To move: ";

/// The bytes from which on a list in the sentence about the rules is left out.
const LONG_LIST: usize = 50;

const END: &str = "Below is the program's own record. Add nothing there: use parapost note.";

/// The signs, with a reserve in two lines and without in one.
const SIGNS: &str = include_str!("../../templates/legend.txt");

/// Returns the diagram and the list, with an empty line before and behind each.
pub(super) fn of_log(state: &State) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut block = |text: String| {
        if !text.is_empty() {
            lines.extend(text.lines().map(|line| line.trim_end().to_owned()));
            lines.push(String::new());
        }
    };
    block(Diagram::of(state.record.position()).to_string());
    block(MoveList::of(&state.record).to_string());
    lines
}

/// Compares the diagram and the list with the log. `found` are the lines between the headers and the
/// log, from line `first` of the file on. Returns the lines of the other paragraphs.
///
/// # Errors
///
/// If they differ: the number of the line, and why.
pub(super) fn check<'a>(
    found: &[&'a str],
    first: usize,
    state: &State,
) -> Result<Vec<&'a str>, (usize, String)> {
    let expected = of_log(state);
    let known: HashSet<&str> = expected.iter().map(String::as_str).collect();
    let is_aside = |line: &&str| !known.contains(line) && !is_row(line);
    let mut asides = Vec::new();
    let (mut at, mut next) = (0, 0);
    while at < found.len() || next < expected.len() {
        let (line, own) = (found.get(at).copied(), expected.get(next));
        if line == own.map(String::as_str) {
            (at, next) = (at + 1, next + 1);
            continue;
        }
        let rest = &found[at..];
        let length = rest.iter().take_while(|line| !line.is_empty()).count();
        let begins = at > 0 && found[at - 1].is_empty() && line.is_some();
        let is_beside = next <= 1 || next == expected.len();
        if begins && is_beside && rest[..length].iter().all(is_aside) {
            asides.extend(&rest[..length]);
            at = (at + length + 1).min(found.len());
            continue;
        }
        // A line for people may have lost the empty line below it.
        let at = at + usize::from(line.is_some_and(says_turn));
        let message = match (found.get(at), own) {
            (Some(line), Some(own)) => {
                format!("'{line}' stands here, but the log comes to '{own}'")
            }
            (None, Some(own)) => format!("'{own}' is missing here, to which the log comes"),
            (line, None) => format!("'{}' does not belong here", line.unwrap_or(&"")),
        };
        return Err((first + at, message));
    }
    Ok(asides)
}

/// Returns true for a line that begins as a row of the list does.
fn is_row(line: &str) -> bool {
    let number = line.trim_start().split('.').next().unwrap_or_default();
    line.contains('.') && number.parse::<u32>().is_ok()
}

/// Returns the line for people above the diagram, if the match goes on.
pub(super) fn above_diagram(game: &Match) -> Option<String> {
    let turn = game.turn()?;
    Some(format!("{TO_MOVE}{}", Who::Player(turn)))
}

/// Returns the paragraphs for people below the list.
pub(super) fn below_list(game: &Match) -> Vec<String> {
    let variant = &game.settings.variant;
    let mut paragraphs = vec![signs(variant), rules(variant)];
    paragraphs.extend(words(game));
    paragraphs.push(END.to_owned());
    paragraphs
}

/// Returns those of the other lines that this program did not write.
pub(super) fn of_person<'a>(game: &Match, lines: &[&'a str]) -> Vec<&'a str> {
    let own = below_list(game).join("\n");
    let own: HashSet<&str> = own.lines().collect();
    let mut lines = lines.to_vec();
    lines.retain(|line| !says_turn(line) && !own.contains(line));
    lines
}

/// Returns true for a line that says whose turn it is, and nothing else.
pub(super) fn says_turn(line: &str) -> bool {
    let name = line.strip_prefix(TO_MOVE);
    name.is_some_and(|name| ["White", "Black"].contains(&name))
}

fn signs(variant: &Variant) -> String {
    let is_of_game = |line: &&str| line.starts_with("'-'") != variant.rules().has_reserve();
    let lines = SIGNS.lines().filter(|line| !line.starts_with('{'));
    lines.filter(is_of_game).collect::<Vec<_>>().join("\n")
}

/// Returns the first sentence of the rules, and who invented the game.
fn rules(variant: &Variant) -> String {
    let game = variant.game();
    let text = game.text.replace('\n', " ");
    let sentence = text.split(". ").next().unwrap_or_default();
    // A long list behind a colon is for the rules themselves.
    let sentence = match sentence.split_once(": ") {
        Some((head, list)) if list.len() > LONG_LIST => head,
        _ => sentence.trim_end_matches(['.', ' ']),
    };
    wrapped(&format!("{sentence}. {}.", game.credit), WIDTH)
}

/// Returns the players' newest words.
fn words(game: &Match) -> Option<String> {
    let mut length = 0;
    let notes = game.log().iter().rev().filter_map(|entry| {
        let (Event::Note(Some(words)), Who::Player(side)) = (&entry.event, entry.who) else {
            return None;
        };
        Some((entry.time, side, words))
    });
    let newest = notes.take_while(|(_, _, words)| {
        let before = length;
        // With the line that says whose they are.
        length += words.len() + WIDTH;
        before < MOST_WORDS
    });
    let mut blocks: Vec<String> = newest
        .map(|(time, side, words)| {
            let name = game.player(side).name();
            let said = fold(words, WIDTH - 2 * WORDS.len());
            let said = said.iter().map(|line| format!("{WORDS}  {line}"));
            let (side, day) = (Who::Player(side), time.format("%Y-%m-%d"));
            let head = format!("{WORDS}{name} ({side}), {day}:");
            // A reader takes blanks off the end of a line.
            let lines = std::iter::once(head).chain(said);
            let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
            lines.join("\n")
        })
        .collect();
    blocks.reverse();
    (!blocks.is_empty()).then(|| blocks.join("\n"))
}

/// Empties the lines of the players' words in a state file, so that no command reads moves in them.
/// Returns any other text unchanged.
pub(crate) fn without_words(text: &str) -> Cow<'_, str> {
    let begins = text.trim_start_matches('\u{feff}').starts_with("Format: ");
    let Some(log) = text
        .find("\nLog\n")
        .or_else(|| text.find("\nLog\r"))
        .filter(|_| begins)
    else {
        return Cow::Borrowed(text);
    };
    let (above, log) = text.split_at(log);
    let mut kept = String::with_capacity(text.len());
    for line in above.split_inclusive('\n') {
        kept.push_str(if line.starts_with('|') { "\n" } else { line });
    }
    kept.push_str(log);
    Cow::Owned(kept)
}
