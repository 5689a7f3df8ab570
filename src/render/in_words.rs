//! A position in words, for people who do not see its picture.

use crate::plural::counted;
use crate::rules::{Board, Color, Piece, Position, Reserve, Role, Square, Variant};

/// Keeps a piece and its squares together. A mail program that breaks the text into
/// lines must not leave a square alone on one, where it would read as a pawn's move.
const GLUE: &str = "\u{a0}";

/// Writes a position in sentences, the pieces of each player by their kinds, then
/// those in reserve. The last sentence names the side from which the board is seen.
#[must_use]
pub fn write(position: &Position, seen_from: Color) -> String {
    let reserves = Color::ALL.map(|color| position.reserve(color));
    let pieces = pieces(position.variant(), &position.board(), Some(reserves));
    let side = position.variant().player(seen_from);
    format!("{pieces} The board is seen from {side}'s side.")
}

/// Writes the pieces on a board in sentences, those of each player by their kinds, and
/// those in reserve, where these are known.
pub(super) fn pieces(variant: &Variant, board: &Board, reserves: Option<[Reserve; 2]>) -> String {
    let mut sentences: Vec<String> = Vec::new();
    let mut pieces: Vec<(Square, Piece)> = board.pieces().collect();
    pieces.sort_by_key(|(square, _)| (square.file().index(), square.rank().index()));
    for color in Color::ALL {
        let player = variant.player(color);
        let placed: Vec<String> = Role::ALL
            .into_iter()
            .filter_map(|role| placed(&pieces, Piece { color, role }))
            .collect();
        sentences.push(match placed.as_slice() {
            [] => format!("{player}: no piece on the board."),
            _ => format!("{player}: {}.", placed.join("; ")),
        });
        let Some(reserves) = reserves else { continue };
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

#[cfg(test)]
mod tests {
    use super::{GLUE, write};
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
        write(&position, position.turn())
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
            let text = write(&Position::start(&variant), Color::White);
            assert!(text.len() < 2000, "{text}");
        }
    }
}
