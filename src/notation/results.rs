//! The results that a text states: `[Result "1-0"]`, a line `Result:`, or `1-0` behind the moves. They
//! are claims of its writer, and change nothing in the match.

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::TextPlace;
use crate::notation::header;
use crate::rules::Color;

/// A result as it is written, and the winner, or none for a draw.
type Written = (&'static str, Option<Color>);

/// The results as they are written; `*` states none.
const RESULTS: [Written; 4] = [
    ("1-0", Some(Color::White)),
    ("0-1", Some(Color::Black)),
    ("1/2-1/2", None),
    ("½-½", None),
];

/// Returns the results that a text with one match states, each once: a winner, or none for a draw.
/// `last` is the place of the last move.
pub fn stated(lines: &[Line<'_>], last: TextPlace) -> Vec<Option<Color>> {
    let tags = lines.iter().filter_map(|line| read(&header::result(line)?));
    let mut results = Vec::new();
    for (_, result) in tags.chain(behind(lines, last)) {
        if !results.contains(result) {
            results.push(*result);
        }
    }
    results
}

/// Returns how a result is written.
pub fn score(result: Option<Color>) -> &'static str {
    let written = RESULTS.iter().find(|(_, known)| *known == result);
    written.map_or("", |(score, _)| score)
}

fn read(word: &str) -> Option<&'static Written> {
    RESULTS.iter().find(|(score, _)| *score == word)
}

/// Reads the last word of the paragraph of the last move, comments in braces left out, if it stands
/// behind the move.
fn behind(lines: &[Line<'_>], last: TextPlace) -> Option<&'static Written> {
    let at = lines.iter().position(|line| line.number == last.line)?;
    let rest = lines[at..].iter().take_while(|line| !line.is_blank());
    let end = rest.last()?;
    let text = if end.number == last.line {
        let column = (last.column + last.width).saturating_sub(1);
        let start = end.source.char_indices().nth(column);
        &end.source[start.map_or(end.source.len(), |(start, _)| start)..]
    } else {
        end.text
    };
    let mut text = text.trim_end();
    while let Some((before, _)) = text
        .strip_suffix('}')
        .and_then(|comment| comment.rsplit_once('{'))
    {
        text = before.trim_end();
    }
    read(text.split_whitespace().next_back()?)
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
        ] {
            let text = format!("{before}\n> 1. e4{behind}");
            let lines = pasted(&text);
            let line = before.lines().count() + 2;
            let last = TextPlace::new(line, 6).wide(2);
            assert_eq!(stated(&lines, last), results, "{text:?}");
        }
    }
}
