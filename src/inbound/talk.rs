//! Extracts the sender's words for the other player: a message without its moves,
//! commands and boards.

use crate::inbound::request;
use crate::matches::intent::Request;
use crate::notation::moves::Manner;
use crate::notation::reader::ParsedText;
use crate::notation::reader::PartKind;
use crate::quoting::attribution;
use crate::quoting::id_line::IdLine;
use crate::quoting::line::{Author, Line};

/// The most characters that are passed on. A longer text is cut.
pub const LONGEST: usize = 4000;

/// Stands in place of words that were cut.
const CUT: &str = "[…]";

/// Returns the sender's own words in a message. Returns an empty text if there are
/// none, or if a program wrote the message.
#[must_use]
pub fn of(text: &ParsedText<'_>, id_lines: &[IdLine]) -> String {
    if id_lines.iter().any(|line| line.author == Author::Own) {
        return String::new();
    }
    let mut is_talk: Vec<bool> = text
        .lines
        .iter()
        .map(|line| {
            let request = Request::parse(line.text);
            line.author == Author::Own && request.is_none_or(|request| request == Request::Note)
        })
        .collect();
    for part in &text.parts {
        let talks = match &part.kind {
            PartKind::Header(_) | PartKind::Gap(_) => true,
            PartKind::Moves(moves) => {
                let has_words = |tail: &str| tail.contains(char::is_alphabetic);
                matches!(moves.manner, Manner::Prose | Manner::Named(_))
                    || moves.entries.iter().any(|entry| has_words(&entry.tail))
            }
            PartKind::Heading
            | PartKind::Diagram(_)
            | PartKind::BadDiagram(_)
            | PartKind::Surplus(_) => false,
        };
        if !talks {
            is_talk[part.lines.clone()].fill(false);
        }
    }
    let mut above = None;
    for (at, line) in text.lines.iter().enumerate() {
        if matches!(line.author, Author::Quoted(_))
            && let Some(last) = above
        {
            take_attribution(&text.lines[..=last], &mut is_talk[..=last]);
        }
        if !line.is_blank() {
            above = Some(at);
        }
    }
    let mut words: Vec<&str> = text
        .lines
        .iter()
        .zip(is_talk)
        .filter(|(_, is_talk)| *is_talk)
        .map(|(line, _)| request::noted(line.text).unwrap_or(line.text.trim_end()))
        .collect();
    words.dedup_by(|next, last| next.is_empty() && last.is_empty());
    cut(words.join("\n").trim_matches('\n'))
}

/// Removes the attribution above a quotation, `On Friday, Anna wrote:`, in one or two
/// lines, or a rule.
fn take_attribution(above: &[Line<'_>], is_talk: &mut [bool]) {
    let last = above.len() - 1;
    if !is_talk[last] {
        return;
    }
    let text = above[last].text.trim_end();
    let count = if text.contains(char::is_alphanumeric) {
        attribution::lines_at_end(above)
    } else {
        1
    };
    is_talk[above.len() - count..].fill(false);
}

fn cut(words: &str) -> String {
    match words.char_indices().nth(LONGEST) {
        None => words.to_owned(),
        Some((end, _)) => format!("{}\n{CUT}", &words[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::reader;
    use crate::quoting::classify::classify;
    use crate::quoting::id_line;
    use crate::quoting::sent::Sent;
    use crate::rules::Variant;

    fn of_body(body: &str) -> String {
        let lines = classify(body, &Sent::nothing());
        let text = reader::read_lines(lines, &Variant::find("unachess", &[]).unwrap());
        of(&text, &id_line::id_lines(&text.lines))
    }

    #[test]
    fn words_are_kept_and_the_rest_is_not() {
        for (body, expected) in [
            ("n>g5\n", ""),
            ("Hello Anna,\n\nn>g5\n\nBye\n", "Hello Anna,\n\nBye"),
            ("1... n>g5, your move\n", "1... n>g5, your move"),
            ("n>g5\n-- \nBlack\n", ""),
            ("I resign.\nGood game!\n", "Good game!"),
            ("n>f6 was an idea\n", "n>f6 was an idea"),
            ("> 1. P>e3\n\nThanks\n", "Thanks"),
            ("Hi\n\nOn Friday, Anna wrote:\n> 1. P>e3\n", "Hi"),
            (
                "Hi\n\nOn Friday the twentieth of November,\nAnna <a@b.test> wrote:\n\n> 1. P>e3\n",
                "Hi",
            ),
            ("Hi\n____\n> 1. P>e3\n", "Hi"),
            ("Hi\n\nGame g7, 1 half-move made.\n", ""),
        ] {
            assert_eq!(of_body(body), expected, "{body:?}");
        }
    }

    #[test]
    fn endless_talk_is_cut() {
        let talk = of_body(&"blah ".repeat(LONGEST));
        assert_eq!(talk.chars().count(), LONGEST + 4);
    }
}
