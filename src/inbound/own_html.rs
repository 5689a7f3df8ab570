//! The rests of our own HTML in the text of a message.
//!
//! Our mails have a picture of the board and links that write moves. Where a mail program
//! quotes them as plain text, nothing of that is the writer's, with or without quote marks:
//! neither the position in words, as those have it who see no pictures (`White: king on e1,
//! pawns on d2 and e4; in reserve: queen. Black: …`), nor the texts of the links (`Knight on
//! c3`, and below or beside it `to d5`, `takes e4`). A program breaks them anywhere, and then
//! `e4.` alone on a line is a move.
//!
//! They are known by their vocabulary, not by making them again, so those of another version
//! are known, too.

use crate::inbound::tap_text::{self, MarkedLine};
use crate::rules::{Role, Square};

/// Words other than pieces and squares that stand in such a text.
const FILLERS: [&str; 42] = [
    "a", "an", "and", "at", "board", "check", "empty", "figure", "from", "general", "generals",
    "hand", "has", "have", "hold", "holds", "image", "img", "in", "is", "it", "last", "move",
    "moved", "no", "none", "nobody", "nothing", "of", "on", "picture", "piece", "pieces",
    "promoted", "seen", "side", "the", "to", "virtual", "with", "yet", "position",
];

/// Numbers in words.
const NUMBERS: [&str; 18] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
];

/// The names of the players, as they begin a part of the text.
const SIDES: [&str; 4] = ["white", "black", "sente", "gote"];

/// The parts of a position in words that a text has.
#[derive(Clone, Copy, Default)]
struct Told {
    sides: usize,
    pieces: usize,
    squares: usize,
    has_reserve: bool,
}

impl Told {
    /// Returns what the text tells if it has no other words. At the start, what stands
    /// before the first player does not matter.
    fn by(text: &str, is_start: bool) -> Option<Told> {
        let mut told = Told::default();
        // A picture may stand in brackets, with its name or its number behind it.
        let is_end = |c: char| c.is_whitespace() || "[]()<>!".contains(c);
        for word in text.split(is_end) {
            let is_opened = word.ends_with(':');
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let bare = bare.strip_suffix("'s").unwrap_or(bare).to_lowercase();
            if is_start && told.sides == 0 {
                told.sides += usize::from(is_opened && SIDES.contains(&bare.as_str()));
            } else if FILLERS.contains(&bare.as_str())
                || is_number(&bare)
                || bare.starts_with("cid:")
            {
            } else if SIDES.contains(&bare.as_str()) {
                told.sides += usize::from(is_opened);
            } else if matches!(bare.as_str(), "reserve" | "reserves") {
                told.has_reserve = true;
            } else if is_piece(&bare) {
                told.pieces += 1;
            } else if bare.parse::<Square>().is_ok() {
                told.squares += 1;
            } else {
                return None;
            }
        }
        (!is_start || told.sides > 0).then_some(told)
    }

    fn and(self, other: Told) -> Told {
        Told {
            sides: self.sides + other.sides,
            pieces: self.pieces + other.pieces,
            squares: self.squares + other.squares,
            has_reserve: self.has_reserve || other.has_reserve,
        }
    }

    /// Returns true if the next line belongs to this, which ends with a full stop or a
    /// bracket. Below both players a writer may begin.
    fn goes_on_with(self, next: Told) -> bool {
        next.sides > 0 && self.sides + next.sides <= 2 || next.has_reserve
    }

    /// Returns true if this is a whole position. "Black: knight on d5" may be a player's
    /// move.
    fn is_position(self) -> bool {
        self.sides > 0
            && self.pieces > 0
            && (self.has_reserve || self.squares > 2 || self.sides > 1)
    }
}

fn is_number(word: &str) -> bool {
    // Signs alone come to an empty word.
    word.bytes().all(|byte| byte.is_ascii_digit()) || NUMBERS.contains(&word)
}

/// Returns true if a word in lower case names a piece, or is a part of a name.
pub(super) fn is_piece(word: &str) -> bool {
    let is_named = |word: &str| {
        let mut roles = Role::ALL.into_iter();
        roles.any(|role| {
            let mut names = role.name().split([' ', '-']);
            names.any(|name| name.eq_ignore_ascii_case(word))
        })
    };
    is_named(word) || word.strip_suffix('s').is_some_and(is_named)
}

/// Returns true if the text of a picture tells a position.
pub(super) fn is_position(text: &str) -> bool {
    Told::by(text, true).is_some_and(Told::is_position)
}

/// Marks the lines that tell a position, or a part of it, in `is_ours`. The cost is linear
/// in the lines.
pub(super) fn mark(lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
    let mut at = 0;
    while at < lines.len() {
        let Some(start) = Told::by(lines[at].text, true) else {
            at += 1;
            continue;
        };
        let mut told = start;
        let mut end = at + 1;
        loop {
            let has_ended = lines[end - 1].text.trim_end().ends_with(['.', ']', ')']);
            // Programs double line ends.
            let is_blank = lines.get(end).is_some_and(MarkedLine::is_blank);
            let next = end + usize::from(is_blank);
            let Some(more) = lines
                .get(next)
                .filter(|line| !line.is_blank())
                .and_then(|line| Told::by(line.text, false))
                .filter(|more| !has_ended || told.goes_on_with(*more))
            else {
                break;
            };
            told = told.and(more);
            end = next + 1;
        }
        if told.is_position() {
            is_ours[at..end].fill(true);
        }
        at = end;
    }
}

/// Words other than pieces and squares that stand in such texts.
const TAP_FILLERS: [&str; 34] = [
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

/// The parts of such texts that a line has.
#[derive(Clone, Copy, Default)]
struct TapsTold {
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
    fn told(&self) -> Option<TapsTold> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let is_known =
            |word: &&str| TAP_FILLERS.contains(word) || is_square(word) || is_piece(word);
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
        Some(TapsTold {
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
pub(super) fn mark_taps(lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
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

/// Removes the links of our mails, with their texts, and positions in words. A line that
/// has a part of them is removed as a whole. The cost is linear in the text.
#[must_use]
pub(super) fn without(text: String) -> String {
    let lines = tap_text::split(&text);
    let mut is_ours = vec![false; lines.len()];
    tap_text::mark(&text, &lines, &mut is_ours);
    mark_taps(&lines, &mut is_ours);
    mark(&lines, &mut is_ours);
    if !is_ours.contains(&true) {
        return text;
    }
    let kept = lines.iter().zip(is_ours).filter(|(_, is_ours)| !is_ours);
    kept.map(|(line, _)| line.source).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::tap_text;

    fn kept(text: &str) -> String {
        kept_by(mark, text)
    }

    fn kept_of_taps(text: &str) -> String {
        kept_by(mark_taps, text)
    }

    fn kept_by(mark: fn(&[MarkedLine<'_>], &mut [bool]), text: &str) -> String {
        let lines = tap_text::split(text);
        let mut is_ours = vec![false; lines.len()];
        mark(&lines, &mut is_ours);
        let kept = lines.iter().zip(is_ours).filter(|(_, is_ours)| !is_ours);
        kept.map(|(line, _)| line.source).collect()
    }

    #[test]
    fn a_position_in_words_is_dropped_wherever_it_is_broken() {
        for text in [
            "White: king on e1, pawns on d2 and e4; in reserve: queen, 2 rooks. Black: king on e8, knight on b6; in reserve: queen.",
            "[image: White: king on e1, pawns on d2 and e4. Black: king on e8.]",
            "![White: king on e1, pawns on d2 and e4. Black: king on e8.](cid:board@parapost)",
            "[1]White: king on e1, pawns on d2 and e4. Black: king on e8.",
            "Sente: king on e1, promoted pawn on d2, gold general on e4; reserve: 2 lances. Gote: king on e9; reserve: nothing.",
            "White: king on e1. Black: king on e8.",
            "White: nothing on the board; in reserve: king, queen, 8 pawns.",
        ] {
            for width in [5, 12, 20, 76] {
                for (mark, end) in [("", "\n"), ("> ", "\n"), ("> ", "\n> \n"), ("", "\n\n")] {
                    let mut broken = String::new();
                    let mut length = 0;
                    for word in text.split(' ') {
                        // The first two words stay together: they say what follows.
                        let is_first = broken.is_empty() || length < 14 && broken.len() < 20;
                        if length + word.len() > width && !is_first {
                            broken += end;
                            length = 0;
                        }
                        broken += if length == 0 { mark } else { " " };
                        broken += word;
                        length += word.len() + 1;
                    }
                    let kept = kept(&format!("Hello\n{mark}\n{broken}\n{mark}\nn>g5\n"));
                    assert_eq!(kept, format!("Hello\n{mark}\n{mark}\nn>g5\n"), "{broken}");
                }
            }
        }
    }

    #[test]
    fn a_player_s_words_about_pieces_stay() {
        for text in [
            "Black: knight on d5\n",
            "Black: Knight to d5\ne5\n",
            "White: your king on e1 looks lonely, and your queen on d2 too\n",
            "Hi White: how about a pawn on e4, on d4 or on c4?\n",
            "Black's pieces in reserve:\n\nrrbbnnqk\npppppppp\n",
            "White       Black\n\n1.  P>e3    n>g5\n",
        ] {
            assert_eq!(kept(text), text);
        }
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
            let kept = kept_of_taps(&text).replace("\n\n", "\n");
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
            assert_eq!(kept_of_taps(text), text);
        }
        let ours = "Knight on c3\nto d5\nto e4\n";
        for own in ["e5\n", "n-d5\n", "\ne5\n", "Knight e5\n"] {
            assert_eq!(kept_of_taps(&format!("{ours}{own}")), own, "{own}");
        }
    }
}
