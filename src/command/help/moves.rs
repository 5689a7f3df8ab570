//! How to write a move of each game at a shell. The tests read every example, as a shell does
//! and by the rules.

use std::fmt::Write as _;

use crate::printable::width;
use crate::rules::games;
use crate::shell::quote;

/// The games whose moves are written alike.
struct Family {
    games: &'static [&'static str],
    examples: &'static [Example],
}

/// A move, and what it does.
struct Example {
    /// The moves before it, or the position as a FEN.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests play it there"))]
    before: Before,
    text: &'static str,
    does: &'static str,
}

/// A position.
#[derive(Clone, Copy)]
#[cfg_attr(not(test), expect(dead_code, reason = "the tests play it there"))]
enum Before {
    Moves(&'static str),
    Fen(&'static str),
}

const fn after(before: &'static str, text: &'static str, does: &'static str) -> Example {
    Example {
        before: Before::Moves(before),
        text,
        does,
    }
}

const fn at(before: &'static str, text: &'static str, does: &'static str) -> Example {
    Example {
        before: Before::Fen(before),
        text,
        does,
    }
}

const FAMILIES: [Family; 5] = [
    Family {
        games: &["unachess", "unachess2", "parachute"],
        examples: &[
            after("", "K>e1", "White's king drops from the reserve onto e1"),
            after(
                "K>e1",
                "k>e8",
                "Black's pieces are written in small letters",
            ),
            after("K>e1 k>e8 N>f3 p>e5", "N-d4", "the knight moves to d4"),
            after("K>e1 k>e8 N>f3 p>e5", "Nxe5", "the knight captures on e5"),
            after(
                "K>e1 k>e8 N>b1 p>e5 N>f1 p>d5",
                "Nb-d2",
                "of two knights the one on the b-file",
            ),
        ],
    },
    Family {
        games: &["newchess"],
        examples: &[
            after("", "N>a3", "a knight drops onto an empty square"),
            after(
                "",
                "N>d2/c4",
                "it drops onto the pawn on d2, which goes to c4",
            ),
            after("N>d2/c4 n>g7/g6", "N-f3", "the knight moves to f3"),
        ],
    },
    Family {
        games: &["kingchess"],
        examples: &[
            after(
                "",
                "K>e1,B>c1,P>d2",
                "the first turn: the king, and what you like",
            ),
            after(
                "K>e1,P>b4 k>e8,p>a5",
                "N>f3,P>c2",
                "later turns place one piece or more",
            ),
            after(
                "K>e1,P>b4 k>e8,p>a5",
                "Pxa5",
                "or move one: the pawn captures on a5",
            ),
        ],
    },
    Family {
        games: &["unashogi", "shogi"],
        examples: &[
            at(SHOGI, "G>e5", "a gold drops from the reserve onto e5"),
            at(SHOGI, "S-d5", "the silver moves to d5"),
            at(SHOGI, "S-c7=+S", "it moves to c7 and promotes"),
            at(SHOGI, "S-7c", "7c is c7, as players of shogi write it"),
        ],
    },
    Family {
        games: &["chess"],
        examples: &[
            after("", "P-e4", "the pawn moves to e4; e4 alone will do"),
            after("e4 d5", "Pxd5", "the pawn captures on d5; exd5 will do"),
            after(
                "e4 e5 Nf3 Nc6 Bc4 Bc5",
                "O-O",
                "castling; O-O-O on the queen's side",
            ),
            at(
                "8/P6k/8/8/8/8/8/K7 w - -",
                "P-a8=Q",
                "the pawn becomes a queen",
            ),
        ],
    },
];

/// A position of shogi with a gold in reserve.
const SHOGI: &str = "4k4/9/9/2S6/9/9/9/9/4K4[G] w - -";

/// The words before the examples.
const BEFORE: &str = "\
A move is the letter of the piece, a sign and a square: '>' drops a piece from
the reserve, '-' moves one, 'x' captures. White's letters are capitals, Black's
small. Pieces are K king, Q queen, R rook, B bishop, N knight, P pawn; in the
shogi games G gold, S silver, L lance, and '+' before a promoted piece.

A shell takes '>' for itself, and would write a file 'e4' for P>e4: write moves
in quotes.

  parapost move ID 'N>f3' --send
";

/// The words behind the examples.
const BEHIND: &str = "\
Other ways of writing are read, too, where they are clear (Nf3, e2e4, N@f3); the
number may stand before a move ('5. N>f3'). 'parapost legal ID' lists all legal
moves, 'parapost rules GAME' tells the rules, docs/moves.md all that is read.
";

/// The columns of the moves.
const MOVES: usize = 20;

/// Returns how moves are written, with examples for each game.
pub(super) fn text() -> String {
    let mut text = BEFORE.to_owned();
    for family in &FAMILIES {
        let names: Vec<&str> = family.games.iter().map(|id| name(id)).collect();
        let _ = writeln!(text, "\n{}:", names.join(", "));
        for example in family.examples {
            let word = quote(example.text);
            let blanks = MOVES.saturating_sub(width(&word)).max(2);
            let _ = writeln!(text, "  {word}{:blanks$}{}", "", example.does);
        }
    }
    text.push('\n');
    text.push_str(BEHIND);
    text
}

fn name(id: &str) -> &'static str {
    games::find(id).map_or("", |game| game.name)
}

/// Returns the part of the text that fits below the help of `parapost move`.
pub(super) fn of_move() -> String {
    let all = text();
    let (_, examples) = all.split_once("--send\n\n").unwrap_or_default();
    let (examples, _) = examples.split_once(BEHIND).unwrap_or_default();
    format!(
        "'>' drops a piece from the reserve, '-' moves one, 'x' captures. In quotes, since a\n\
         shell takes '>' for itself:\n\n{}",
        examples.trim_end()
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::notation::judge;
    use crate::rules::notation::Voice;
    use crate::rules::{Position, Variant};

    fn position(before: Before, variant: &Variant) -> Position {
        match before {
            Before::Moves(moves) => judge::record(moves, variant).unwrap().position().clone(),
            Before::Fen(fen) => Position::from_fen(variant, fen).unwrap(),
        }
    }

    #[test]
    fn every_example_is_a_legal_move() {
        for family in &FAMILIES {
            for id in family.games {
                let variant = Variant::find(id, &[]).unwrap();
                for example in family.examples {
                    let position = position(example.before, &variant);
                    let read = position.read_with(example.text, Voice::Alone);
                    assert!(read.is_ok(), "{id} {}: {read:?}", example.text);
                }
            }
        }
        let mut told: Vec<&str> = FAMILIES
            .iter()
            .flat_map(|family| family.games)
            .copied()
            .collect();
        told.sort_unstable();
        let mut all: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
        all.sort_unstable();
        assert_eq!(told, all);
    }

    /// The example as it stands in the help is one word for a shell: the move.
    #[test]
    fn a_shell_takes_every_example() {
        let text = text();
        let lines = text.lines().filter(|line| line.starts_with("  "));
        let words = lines.filter_map(|line| line.trim_start().split("  ").next());
        let words: Vec<&str> = words.filter(|word| !word.starts_with("parapost")).collect();
        let script = format!("printf '%s\\n' {}", words.join(" "));
        let printed = Command::new("sh").args(["-c", &script]).output();
        let printed = String::from_utf8(printed.unwrap().stdout).unwrap();
        assert_eq!(printed.lines().count(), words.len(), "{printed}");
        for (word, printed) in words.iter().zip(printed.lines()) {
            let examples = FAMILIES.iter().flat_map(|family| family.examples);
            assert!(
                examples.into_iter().any(|example| example.text == printed),
                "{word}: {printed}"
            );
        }
        assert!(text.lines().all(|line| width(line) <= 80));
    }
}
