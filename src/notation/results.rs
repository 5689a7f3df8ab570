//! The results that a text states: `[Result "1-0"]` or a line `Result:` above the moves, or `1-0` behind them. They
//! are claims of its writer, and change nothing in the match.

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::TextPlace;
use crate::notation::header;
use crate::rules::Color;
use crate::rules::notation::MoveText;

/// Returns the results that a text with one match states, each once: a winner, or none for a draw.
/// `last` is the place of the last move.
pub fn stated(lines: &[Line<'_>], last: TextPlace) -> Vec<Option<Color>> {
    let above = lines.iter().take_while(|line| line.number < last.line);
    let tags = above.filter_map(|line| result(&header::result(line)?)?.told());
    let mut results = Vec::new();
    let behind = behind(lines, last).and_then(StatedResult::told);
    for result in tags.chain(behind) {
        if !results.contains(&result) {
            results.push(result);
        }
    }
    results
}

/// Returns how a result is written.
pub fn score(result: Option<Color>) -> &'static str {
    match result {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// A result as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StatedResult {
    /// A player has won.
    Won(Color),
    /// Nobody has won.
    Drawn,
    /// `*`: the result is not told.
    Untold,
}

impl StatedResult {
    /// Returns the winner, or none for a draw, if the result is told.
    #[expect(
        clippy::option_option,
        reason = "as everywhere: a winner, or none for a draw"
    )]
    pub(crate) fn told(self) -> Option<Option<Color>> {
        match self {
            StatedResult::Won(winner) => Some(Some(winner)),
            StatedResult::Drawn => Some(None),
            StatedResult::Untold => None,
        }
    }
}

/// Reads a result in any of its forms.
pub(super) fn result(word: &str) -> Option<StatedResult> {
    let is_sign = |c: char| matches!(c, '–' | '—' | '−' | '‐' | '‑' | ':');
    let text = word.trim_end_matches(['.', ',', '!']).replace(is_sign, "-");
    match text.as_str() {
        "*" => Some(StatedResult::Untold),
        "1-0" => Some(StatedResult::Won(Color::White)),
        "0-1" => Some(StatedResult::Won(Color::Black)),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "1/2-½" | "½-1/2" | "0.5-0.5" | ".5-.5" | "0,5-0,5" => {
            Some(StatedResult::Drawn)
        }
        _ => None,
    }
}

/// The words for the players, the first player's first.
pub(super) const PLAYERS: [[&str; 4]; 2] = [
    ["white", "sente", "blanc", "weiß"],
    ["black", "gote", "noir", "schwarz"],
];

/// The words by which somebody loses, by which somebody wins, and by which nobody does.
pub(super) const LOSING: [&str; 8] = [
    "resigns",
    "resign",
    "resigned",
    "loses",
    "lost",
    "forfeits",
    "forfeited",
    "aufgegeben",
];
pub(super) const WINNING: [&str; 6] = ["wins", "won", "win", "mates", "gewinnt", "victory"];
pub(super) const DRAWING: [&str; 7] = [
    "draw",
    "drawn",
    "draws",
    "remis",
    "stalemate",
    "agreed",
    "nulle",
];

/// The words beside these.
pub(super) const BESIDE: [&str; 16] = [
    "the",
    "game",
    "is",
    "a",
    "by",
    "on",
    "in",
    "time",
    "agreement",
    "mutual",
    "repetition",
    "and",
    "offered",
    "accepted",
    "to",
    "here",
];

/// Returns a line without the result in words behind its last move: `n-e6 White resigned`.
pub(super) fn without_result(text: &str) -> &str {
    let (mut rest, mut is_told) = (text.trim_end(), false);
    loop {
        let Some(word) = rest
            .rsplit(char::is_whitespace)
            .next()
            .filter(|word| !word.is_empty())
        else {
            return text;
        };
        let plain = word.trim_end_matches(['.', ',', '!']).to_lowercase();
        let is = |words: &[&str]| words.contains(&plain.as_str());
        if is(&LOSING) || is(&WINNING) || is(&DRAWING) || result(word).is_some() {
            is_told = true;
        } else if !(is(&BESIDE) || PLAYERS.iter().any(|players| is(players))) {
            let has_square = || {
                plain.bytes().any(|byte| byte.is_ascii_digit()) && word.parse::<MoveText>().is_ok()
            };
            return if is_told && has_square() { rest } else { text };
        }
        rest = rest[..rest.len() - word.len()].trim_end();
    }
}

/// Reads the first word behind the last move, comments left out, in lines of who wrote the move or sends the text: whatever
/// else stands there, a result further down is a part of that.
fn behind(lines: &[Line<'_>], last: TextPlace) -> Option<StatedResult> {
    let at = lines.iter().position(|line| line.number == last.line)?;
    let (first, rest) = lines[at..].split_first()?;
    let column = (last.column + last.width).saturating_sub(1);
    let start = first.source.char_indices().nth(column);
    let end = &first.source[start.map_or(first.source.len(), |(start, _)| start)..];
    // Marks that the move has, as `#` and `?!`, belong to it.
    let mut text = end
        .trim_start_matches(|c: char| !c.is_whitespace() && c != '{')
        .to_owned();
    for line in rest
        .iter()
        .take_while(|line| [first.author, Author::Own].contains(&line.author))
    {
        text.push('\n');
        // A line for programs that write PGN.
        if !line.text.starts_with('%') {
            text += line.text;
        }
    }
    let mut text = text.trim_start();
    loop {
        let comment = match text.chars().next()? {
            '{' => text.split_once('}'),
            ';' => text.split_once('\n'),
            _ => break,
        };
        text = comment?.1.trim_start();
    }
    result(text.split([' ', '\t', '\r', '\n', '{', ';']).next()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::reader::pasted;

    #[test]
    fn results_are_read_where_they_are_stated_alone() {
        const WHITE: Option<Color> = Some(Color::White);
        const BLACK: Option<Color> = Some(Color::Black);
        for (before, behind, results) in [
            ("", "", &[][..]),
            ("", " 1-0", &[WHITE]),
            ("", " { Black resigns. } 1-0", &[WHITE]),
            ("", " 0-1 {time} {thanks}", &[BLACK]),
            ("", "\n1/2-1/2\n", &[None]),
            ("", "\n½-½\n\n1-0", &[None]),
            ("", " *", &[]),
            ("", "\n\nIt was 1-0", &[]),
            ("", " 1-0?", &[]),
            ("[Result \"0-1\"]\n", "", &[BLACK]),
            ("[Result \"0-1\"]\n", " 0-1", &[BLACK]),
            ("[Result \"0-1\"]\n", " 1-0", &[BLACK, WHITE]),
            ("[Result \"*\"]\n", " *", &[]),
            ("[Result \"won\"]\n", "", &[]),
            ("[White \"1-0\"]\n", "", &[]),
            ("Result: 1-0 (resignation)\n", "", &[WHITE]),
            ("1-0\n", "", &[]),
            ("", "# 0-1", &[BLACK]),
            ("", " {Black\n> resigns} 1-0", &[WHITE]),
            ("", " 1-0 ; Black resigns", &[WHITE]),
            ("", "\n>> 1-0", &[]),
            ("", " ; I hope for 1-0", &[]),
            ("", " {I hope for\n> 1-0", &[]),
            ("", "\n>\n> 1-0", &[WHITE]),
            ("", "\n1-0", &[WHITE]),
            ("", "\n> -- \n> Anna, 1-0", &[]),
            ("", " - against Bob I lost 1-0", &[]),
            ("", "\n> % 1-0", &[]),
            ("", "\n> [Result \"0-1\"]", &[]),
        ] {
            let text = format!("{before}\n> 1. e4{behind}");
            let lines = pasted(&text);
            let line = before.lines().count() + 2;
            let last = TextPlace::new(line, 6).wide(2);
            assert_eq!(stated(&lines, last), results, "{text:?}");
        }
    }
}
