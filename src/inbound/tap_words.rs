//! The texts of our links where a program has kept no targets: headings, `Knight on c3`,
//! and below or beside them `to d5`, `takes e4`.
//!
//! None of them is a move, but a program may break a line before the `e4` of `takes e4`.
//! They are known by their vocabulary, so those of another version are known too.

use crate::inbound::marked_line::MarkedLine;
use crate::inbound::position_words::is_piece;
use crate::rules::Square;

/// Words other than pieces and squares that stand in such texts.
const FILLERS: [&str; 34] = [
    "a",
    "an",
    "and",
    "at",
    "becomes",
    "becoming",
    "capture",
    "captures",
    "castle",
    "castles",
    "drop",
    "en",
    "it",
    "king's",
    "move",
    "of",
    "on",
    "one",
    "or",
    "passant",
    "place",
    "promoted",
    "promotes",
    "put",
    "queen's",
    "reserve",
    "relocate",
    "side",
    "stays",
    "takes",
    "the",
    "to",
    "unpromoted",
    "with",
];

/// Words before a square or a piece: the line is broken off behind one.
const OPEN: [&str; 8] = ["to", "takes", "on", "a", "an", "the", "becomes", "captures"];

/// What a line has of such texts.
#[derive(Clone, Copy, Default)]
struct Told {
    /// The headings: a piece on a square.
    heads: usize,
    /// The squares to go to, and the other texts that are no square.
    targets: usize,
}

/// A line as its words.
struct Words {
    words: Vec<String>,
    /// True if the line breaks off behind its last word.
    is_open: bool,
}

impl Words {
    fn of(line: &MarkedLine<'_>) -> Words {
        let is_end = |c: char| c.is_whitespace() || "[](),;:.…·•|*-".contains(c);
        let words = line.text.split(is_end).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        let is_cut = line.text.trim_end().ends_with(char::is_alphanumeric);
        let is_open = words
            .last()
            .is_some_and(|word| OPEN.contains(&word.as_str()));
        Words {
            words,
            is_open: is_open && is_cut,
        }
    }

    /// Returns what the line tells if it has no other words.
    fn told(&self) -> Option<Told> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let is_known = |word: &&str| FILLERS.contains(word) || is_square(word) || is_piece(word);
        if words.is_empty() || !words.iter().all(is_known) {
            return None;
        }
        let heads = words.windows(3).filter(|words| is_head(words)).count();
        let pairs = words.windows(2);
        let targets = pairs.filter(|words| {
            matches!(words[0], "to" | "takes" | "captures") && is_square(words[1])
                || matches!(words, ["place" | "drop" | "put", "a" | "an" | "the"])
                || matches!(words, ["castle" | "castles", "on"])
        });
        Some(Told {
            heads,
            targets: targets.count(),
        })
    }

    /// Returns true if the line begins one of the texts. "Knight to d5" begins none,
    /// because a player may write it below them.
    fn begins_text(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["to" | "takes" | "captures", square, ..] => is_square(square),
            ["place" | "drop" | "put", "a" | "an", ..] | ["castle" | "castles", "on", ..] => true,
            words => words.get(..3).is_some_and(is_head) || matches!(words, ["drop" | "place"]),
        }
    }
}

fn is_head(words: &[&str]) -> bool {
    matches!(words, [piece, "on", square] if is_piece(piece) && is_square(square))
}

fn is_square(word: &str) -> bool {
    word.parse::<Square>().is_ok()
}

/// Marks the lines with such texts in `is_ours`, where a heading and the text of a link
/// stand one below or beside the other. "Knight on c3 to d5" alone may be a player's. The cost is linear in the lines.
pub(super) fn mark(lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
    let mut at = 0;
    while at < lines.len() {
        let words = Words::of(&lines[at]);
        let Some(mut told) = words.told().filter(|_| words.begins_text()) else {
            at += 1;
            continue;
        };
        let (mut end, mut is_open, mut is_broken) = (at + 1, words.is_open, false);
        loop {
            // Programs set each cell on a line, with empty lines between.
            let next = end
                + lines[end..]
                    .iter()
                    .take_while(|line| line.is_blank())
                    .count();
            let Some(words) = lines.get(next).map(Words::of) else {
                break;
            };
            let Some(more) = words.told().filter(|_| is_open || words.begins_text()) else {
                break;
            };
            told.heads += more.heads;
            told.targets += more.targets;
            is_broken |= is_open;
            is_open = words.is_open;
            end = next + 1;
        }
        if told.heads > 0 && (told.targets > 1 || is_broken) || told.targets > 2 {
            is_ours[at..end].fill(true);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::marked_line;

    fn kept(text: &str) -> String {
        let lines = marked_line::split(text);
        let mut is_ours = vec![false; lines.len()];
        mark(&lines, &mut is_ours);
        let kept = lines.iter().zip(is_ours).filter(|(_, is_ours)| !is_ours);
        kept.map(|(line, _)| line.source).collect()
    }

    #[test]
    fn the_texts_of_our_links_are_dropped_wherever_they_are_broken() {
        for text in [
            "Knight on c3\nto d5\ntakes e4\nto b1\n",
            "Knight on c3\n\nto d5\n\ntakes e4\n\n",
            "Knight on c3: to d5, takes e4, to b1, takes\ne4\n",
            "Knight on c3: takes\ne4\n",
            "> Knight on c3   to d5 to e4 takes\n> d5 to b1\n",
            "Pawn on e7\nto e8, becomes a queen\nto e8, becomes a knight\ntakes d8, becomes a\nqueen\n",
            "King on e1\nto e2\ncastle on the king's side\ncastle on the queen's side\nPlace a pawn on …\nPlace a knight on …\n",
        ] {
            let text = format!("Hello\n{text}Knight to d5\n");
            let kept = kept(&text).replace("\n\n", "\n");
            assert_eq!(kept, "Hello\nKnight to d5\n", "{text}");
        }
    }

    #[test]
    fn what_a_player_writes_stays() {
        for text in [
            "Knight on c3 to d5\n",
            "Knight to d5\n",
            "Pawn takes e4\n",
            "Place a pawn on e3\n",
            "e4\n",
            "Knight on c3\n\ne5\n",
            "castle on the king's side\n",
            "My knight on c3 goes to d5, or it takes e4. What do you think?\n",
        ] {
            assert_eq!(kept(text), text);
        }
        let ours = "Knight on c3\nto d5\nto e4\n";
        for own in ["e5\n", "n-d5\n", "\ne5\n", "Knight e5\n"] {
            assert_eq!(kept(&format!("{ours}{own}")), own, "{own}");
        }
    }
}
