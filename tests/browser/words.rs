//! A position told in words, as in the alternative text of a picture, and as the program shows it to programs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The pieces on the board, as `White knight g1`, and how many of a kind each
/// player holds, as `White knight`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    board: BTreeSet<String>,
    held: BTreeMap<String, usize>,
}

/// What the second player's letters are called is the first player's in capitals.
fn role(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'k' => "king",
        'q' => "queen",
        'r' => "rook",
        'b' => "bishop",
        'n' => "knight",
        'p' => "pawn",
        'g' => "gold",
        's' => "silver",
        'l' => "lance",
        other => panic!("the piece {other}"),
    }
}

/// What the players of a game are called.
pub(crate) fn players(game: &str) -> [&'static str; 2] {
    if game.contains("shogi") {
        ["Sente", "Gote"]
    } else {
        ["White", "Black"]
    }
}

impl Pieces {
    /// The pieces of what `show --as json` prints.
    pub(crate) fn of_json(shown: &Value) -> Pieces {
        let [first, second] = players(shown["game"].as_str().unwrap());
        let owner = |letter: char| if letter.is_uppercase() { first } else { second };
        let mut pieces = Pieces::default();
        let rows = shown["board"].as_array().unwrap();
        for (row, rank) in rows.iter().zip((1..=rows.len()).rev()) {
            let mut file = b'a';
            let mut promoted = "";
            for letter in row.as_str().unwrap().chars() {
                match letter {
                    '+' => {
                        promoted = "promoted ";
                        continue;
                    }
                    '-' => {}
                    _ => {
                        let (owner, role) = (owner(letter), role(letter));
                        let square = char::from(file);
                        let piece = format!("{owner} {promoted}{role} {square}{rank}");
                        pieces.board.insert(piece);
                    }
                }
                promoted = "";
                file += 1;
            }
        }
        for side in ["white", "black"] {
            for letter in shown["reserves"][side].as_str().unwrap_or_default().chars() {
                let piece = format!("{} {}", owner(letter), role(letter));
                *pieces.held.entry(piece).or_default() += 1;
            }
        }
        pieces
    }

    /// The pieces of a position in words, which stands somewhere in `text` and
    /// may be broken into lines anywhere; none if there is no such thing.
    pub(crate) fn of_words(text: &str, game: &str) -> Option<Pieces> {
        let text: Vec<_> = text.split_whitespace().collect();
        let text = text.join(" ");
        let end = text.find(". The board is seen from ")?;
        let start = text[..end].rfind(&format!("{}: ", players(game)[0]))?;
        let mut pieces = Pieces::default();
        let mut owner = "";
        for sentence in text[start..end].split(". ") {
            let (head, list) = sentence.split_once(": ")?;
            if head == "In reserve" {
                for item in list.split(", ").filter(|item| *item != "nothing") {
                    let (count, role) = item.split_once(' ')?;
                    let piece = format!("{owner} {}", singular(role));
                    pieces.held.insert(piece, count.parse().ok()?);
                }
                continue;
            }
            owner = head;
            for kind in list
                .split("; ")
                .filter(|kind| !kind.starts_with("no piece"))
            {
                let (role, squares) = kind.split_once(" on ")?;
                for square in squares.replace(" and ", ", ").split(", ") {
                    let piece = format!("{owner} {} {square}", singular(role));
                    pieces.board.insert(piece);
                }
            }
        }
        Some(pieces)
    }
}

fn singular(role: &str) -> &str {
    role.strip_suffix('s').unwrap_or(role)
}
