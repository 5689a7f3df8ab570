//! A view or a position as text: the post, as the body of a message; words, for people who do
//! not see a picture; JSON, for programs.

use std::iter;

use serde::Serialize;

use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::header;
use crate::notation::move_list::MoveList;
use crate::printable::counted;
use crate::render::view::{Score, View};
use crate::rules::{
    Color, File, Mark, Outcome, Piece, Position, Rank, Record, Reserve, Role, Rules, Square,
};

/// Writes the post of a view.
pub(super) fn post(view: &View<'_>, style: DiagramStyle) -> String {
    let game = header::write(view.diagram.variant());
    let diagram = view.diagram.draw(style);
    let mut parts = vec![game, diagram];
    if let Some(record) = view.record {
        let list = MoveList::of(record);
        let columns = style.room.unwrap_or(usize::MAX);
        let standing = standing(view, record) + "\n";
        parts.extend([list.within(columns).to_string(), standing]);
    } else if let Some(turn) = view.turn() {
        parts.push(to_move(view, turn) + "\n");
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Writes a line that says who is to move, or how the match ended.
fn standing(view: &View<'_>, record: &Record) -> String {
    ending(view, record).unwrap_or_else(|| to_move(view, record.position().turn()))
}

fn to_move(view: &View<'_>, turn: Color) -> String {
    format!("{} to move.", view.diagram.variant().player(turn))
}

/// Says in words what a board shows, for people who do not see it: the game, who is to move and who is
/// in check, then a line for the pieces of each player. The squares of a kind are in the order of the
/// ranks from the reader's side.
pub(super) fn words(view: &View<'_>, is_flipped: bool) -> String {
    let variant = view.diagram.variant();
    let mut lines = vec![format!("Game: {}", variant.game().name)];
    if !variant.options().is_empty() {
        lines.push(format!("Options: {}", variant.options().join(", ")));
    }
    let mut standing = Vec::new();
    if let Some(record) = view.record {
        standing.push(self::standing(view, record));
        let (turn, mark) = (record.position().turn(), record.position().mark());
        let in_check = match mark {
            Mark::Check => Some("in check"),
            Mark::Virtual => Some("in virtual check"),
            Mark::None | Mark::Mate => None,
        };
        let player = variant.player(turn);
        standing.extend(in_check.map(|how| format!("{player} is {how}.")));
    } else if let Some(turn) = view.turn() {
        standing.push(to_move(view, turn));
    }
    if !standing.is_empty() {
        lines.push(standing.join(" "));
    }
    let mut pieces: Vec<(Square, Piece)> = view.diagram.board().pieces().collect();
    pieces.sort_by_key(|(square, _)| (square.rank(), square.file()));
    if is_flipped {
        pieces.reverse();
    }
    let players = Color::ALL.map(|color| player_in_words(&view.diagram, &pieces, color));
    lines.extend(players.map(|words| words.replace(GLUE, " ")));
    // An empty line between them, since many forums join lines.
    lines.join("\n\n") + "\n"
}

/// Says how a match ended, if it is over.
pub(super) fn ending(view: &View<'_>, record: &Record) -> Option<String> {
    let player = |color| record.position().variant().player(color);
    let by_rules = record
        .outcome()
        .map(|Outcome { winner, reason }| match winner {
            Some(winner) => format!("{} has won by {reason}.", player(winner)),
            None => format!("The game is drawn: {reason}."),
        });
    by_rules.or_else(|| view.details.ending.clone())
}

/// Puts a post into a block for forums that keeps its columns.
pub(super) fn bbcode(post: &str) -> String {
    format!("[code]\n{post}[/code]\n")
}

/// Puts a post into a fenced or an indented block of Markdown that keeps its columns.
pub(super) fn markdown(post: &str, is_indented: bool) -> String {
    if !is_indented {
        return format!("```\n{post}```\n");
    }
    let lines = post.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    lines.collect()
}

/// The mark of a square that a piece can be placed on, in a board whose squares are links. It is no
/// move, nor an empty square of a diagram, and is one byte in a mail.
pub const LINKED: char = '+';

/// Keeps a piece and its squares together. A mail program that breaks the text into
/// lines must not leave a square alone on one, where it would read as a pawn's move.
const GLUE: &str = "\u{a0}";

/// Writes a position in sentences, the pieces of each player by their kinds, then
/// those in reserve. The last sentence names the side from which the board is seen.
pub fn in_words(position: &Position, seen_from: Color) -> String {
    let pieces = pieces_in_words(&Diagram::of(position));
    let side = position.variant().player(seen_from);
    format!("{pieces} The board is seen from {side}'s side.")
}

/// Writes the pieces on a board in sentences, those of each player by their kinds, and
/// those in reserve, where these are known.
pub(super) fn pieces_in_words(diagram: &Diagram) -> String {
    let pieces: Vec<(Square, Piece)> = diagram.board().pieces().collect();
    Color::ALL
        .map(|color| player_in_words(diagram, &pieces, color))
        .join(" ")
}

/// Writes the pieces of a player in sentences, those on the board by their kinds, in this order.
fn player_in_words(diagram: &Diagram, pieces: &[(Square, Piece)], color: Color) -> String {
    let variant = diagram.variant();
    let player = variant.player(color);
    let placed: Vec<String> = Role::ALL
        .into_iter()
        .filter_map(|role| placed(pieces, Piece { color, role }))
        .collect();
    let mut sentences = vec![match placed.as_slice() {
        [] => format!("{player}: no piece on the board."),
        _ => format!("{player}: {}.", placed.join("; ")),
    }];
    if let Some(reserves) = diagram.reserves() {
        let held: Vec<String> = variant
            .rules()
            .slots()
            .map(|(role, _)| (role, usize::from(reserves[color.index()].count(role))))
            .filter(|(_, count)| *count > 0)
            .map(|(role, count)| counted(count, role.name()).replace(' ', GLUE))
            .collect();
        let has_reserve = variant.rules().slots().next().is_some();
        sentences.extend(has_reserve.then(|| match held.as_slice() {
            [] => "In reserve: nothing.".to_owned(),
            _ => format!("In reserve: {}.", held.join(", ")),
        }));
    }
    sentences.join(" ")
}

/// Writes the squares of the pieces of one kind: `knights on c3 and g1`.
fn placed(pieces: &[(Square, Piece)], kind: Piece) -> Option<String> {
    let mut squares: Vec<String> = pieces
        .iter()
        .filter(|(_, piece)| *piece == kind)
        .map(|(square, _)| square.to_string())
        .collect();
    let last = squares.pop()?;
    let role = kind.role.name();
    let text = match squares.as_slice() {
        [] => format!("{role} on {last}"),
        _ => format!("{role}s on {} and {last}", squares.join(", ")),
    };
    Some(text.replace(' ', GLUE))
}

pub(super) fn json(view: &View<'_>, record: &Record) -> String {
    let object = serde_json::to_string(&PositionJson::of(view, record));
    // Serializing texts and numbers cannot fail.
    object.unwrap_or_else(|error| unreachable!("{error}")) + "\n"
}

/// A position for programs.
#[derive(Serialize)]
pub(crate) struct PositionJson {
    game: &'static str,
    options: Vec<&'static str>,
    /// The number of half-moves made.
    ply: usize,
    turn: &'static str,
    status: &'static str,
    /// `1-0`, `0-1`, `1/2-1/2`; null while the match goes on.
    result: Option<&'static str>,
    /// A sentence that says how it ended.
    ending: Option<String>,
    /// The rows from the top; `-` is an empty square, and `+` precedes a
    /// promoted piece.
    board: Vec<String>,
    reserves: Reserves,
    moves: Vec<String>,
    fen: String,
    diagram: String,
}

/// The pieces in reserve, in the order of the diagram's slots.
#[derive(Serialize)]
struct Reserves {
    white: String,
    black: String,
}

impl PositionJson {
    /// Creates it of a view and its record.
    pub(crate) fn of(view: &View<'_>, record: &Record) -> PositionJson {
        let position = record.position();
        let variant = position.variant();
        let rules = variant.rules();
        let width = rules.width;
        let square = |file, rank| {
            let piece = position.get(Square::from_coords(file, rank));
            piece.map_or_else(|| "-".to_owned(), |piece| piece.to_string())
        };
        let row = |rank| File::all(width).map(|file| square(file, rank)).collect();
        PositionJson {
            game: variant.game().id,
            options: variant.options().to_vec(),
            ply: record.steps().len(),
            turn: side(position.turn()),
            status: view.status.unwrap_or(record.status()),
            result: view.score.map(Score::result),
            ending: ending(view, record),
            board: Rank::all(width).rev().map(row).collect(),
            reserves: Reserves {
                white: held(rules, position.reserve(Color::White), Color::White),
                black: held(rules, position.reserve(Color::Black), Color::Black),
            },
            moves: record.steps().iter().map(ToString::to_string).collect(),
            fen: position.fen(),
            diagram: Diagram::of(position).to_string(),
        }
    }
}

/// Returns the word for a side in JSON, whatever a game calls it.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the letters of a player's pieces in reserve.
pub(super) fn held(rules: &Rules, reserve: Reserve, color: Color) -> String {
    let mut letters = String::new();
    for (role, _) in rules.slots() {
        let count = usize::from(reserve.count(role));
        letters.extend(iter::repeat_n(role.of(color).letter(), count));
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::{GLUE, in_words};
    use crate::rules::{Color, Position, Variant};

    fn after(game: &str, moves: &str) -> String {
        let variant = Variant::find(game, &[]).unwrap();
        let mut position = Position::start(&variant);
        for text in moves.split_whitespace() {
            let ply = position
                .single_plies()
                .into_iter()
                .find(|ply| position.text(ply) == text)
                .unwrap();
            position = position.play(&ply).unwrap();
        }
        in_words(&position, position.turn())
    }

    #[test]
    fn both_sides_are_told_with_their_reserves() {
        assert_eq!(
            after("unachess", "P>e3 n>g5 P>a2").replace(GLUE, " "),
            "White: pawns on a2 and e3. In reserve: 2 rooks, 2 bishops, 2 knights, 1 queen, 1 king, \
             6 pawns. Black: knight on g5. In reserve: 2 rooks, 2 bishops, 1 knight, 1 queen, 1 king, \
             8 pawns. The board is seen from Black's side."
        );
        let chess = after("chess", "");
        assert!(!chess.contains("reserve"), "{chess}");
        let shogi = after("shogi", "");
        assert!(shogi.starts_with("Sente: king"), "{shogi}");
        assert!(shogi.contains("In reserve: nothing."), "{shogi}");
    }

    /// A square alone on a line is a move of a pawn to the reader of messages.
    #[test]
    fn no_line_of_it_begins_or_ends_amid_squares() {
        let text = after("chess", "P-e4 p-e5");
        for word in text.split(' ') {
            let is_square = word.len() == 2 && word.as_bytes()[1].is_ascii_digit();
            assert!(!is_square, "{word}");
        }
        assert!(text.ends_with("side."));
    }

    #[test]
    fn every_game_has_its_words() {
        for game in crate::rules::games::ALL {
            let variant = Variant::new(game, &[]).unwrap();
            let text = in_words(&Position::start(&variant), Color::White);
            assert!(text.len() < 2000, "{text}");
        }
    }
}
