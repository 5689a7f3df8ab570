//! Moves in Japanese signs in a position: their text in our notation.

use crate::notation::kif::row::{KifMove, KifSquare, PIECES};
use crate::rules::{Color, Ply, Position, Role, Square};

/// The ranks in our names of squares, from the top.
const LETTERS: [char; 9] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

/// Returns the text in our notation of a move to a square.
///
/// # Errors
///
/// If its signs fit several moves or none: the reason.
pub(super) fn text(
    found: &KifMove<'_>,
    to: KifSquare,
    position: &Position,
) -> Result<String, String> {
    let (piece, square) = (found.piece, name(to));
    let becomes = if found.promotes { "=+" } else { "" };
    if found.is_drop {
        return Ok(format!("{piece}*{square}"));
    }
    if let Some(from) = found.from {
        return Ok(format!("{piece}{}-{square}{becomes}", name(from)));
    }
    let candidates = candidates(found, to, position);
    let role = role(found.piece);
    match candidates.as_slice() {
        [from] => Ok(format!("{piece}{}-{square}{becomes}", name(*from))),
        [] if !found.signs.is_empty() => Err(format!(
            "no {} goes there as '{}' says",
            japanese(piece),
            found.signs
        )),
        // What no piece on the board can be meant by is a drop.
        [] if !found.promotes
            && role.is_some_and(|role| position.reserve(position.turn()).has(role))
            && origins(found, to, &free(position, found), false).is_empty() =>
        {
            Ok(format!("{piece}*{square}"))
        }
        // The reader says why it cannot go there.
        [] => Ok(format!("{piece}-{square}{becomes}")),
        several => {
            let forms = several.iter().map(|(file, rank)| {
                let becomes = if found.promotes { "成" } else { "" };
                format!("{}{becomes}({file}{rank})", japanese(piece))
            });
            let forms: Vec<String> = forms.collect();
            Err(format!(
                "this can be read as {}: say which by a sign such as 右, or its square in brackets",
                forms.join(" or ")
            ))
        }
    }
}

/// Returns the squares of the pieces that a move without its origin can be meant for.
fn candidates(found: &KifMove<'_>, to: KifSquare, position: &Position) -> Vec<KifSquare> {
    let mut from = Vec::new();
    if found.signs.is_empty() {
        from = origins(found, to, position, true);
    }
    if from.is_empty() {
        from = origins(found, to, &free(position, found), true);
    }
    // From the player's side: steps to the right, and forward.
    let side = |value: u8| match position.turn() {
        Color::White => -i16::from(value),
        Color::Black => i16::from(value),
    };
    for sign in found.signs.chars() {
        from.retain(|(file, rank)| {
            let forward = side(to.1) - side(*rank);
            match sign {
                '上' | '行' | '入' | '跳' => forward > 0,
                '引' => forward < 0,
                '寄' => forward == 0,
                '直' => forward > 0 && *file == to.0,
                _ => true,
            }
        });
    }
    for (sign, outward) in [('右', 1), ('左', -1)] {
        if found.signs.contains(sign) {
            let reach = |from: &KifSquare| side(from.0) * outward;
            let furthest = from.iter().map(reach).max();
            from.retain(|from| Some(reach(from)) == furthest);
        }
    }
    from
}

/// Returns the squares of the pieces that can make a move, promoting only as it says if `is_exact`.
fn origins(
    found: &KifMove<'_>,
    to: KifSquare,
    position: &Position,
    is_exact: bool,
) -> Vec<KifSquare> {
    let Some(role) = role(found.piece) else {
        return Vec::new();
    };
    let mut squares = Vec::new();
    for ply in position.single_plies() {
        if let Ply::Move {
            from,
            to: target,
            promotion,
        } = ply
            && coordinates(target) == to
            && position.get(from).is_some_and(|piece| piece.role == role)
            && (!is_exact || promotion.is_some() == found.promotes)
            && !squares.contains(&coordinates(from))
        {
            squares.push(coordinates(from));
        }
    }
    squares
}

/// Returns the position without the king of the player to move, in which pinned pieces move, too:
/// the signs of a move tell all pieces apart that reach its square.
fn free(position: &Position, found: &KifMove<'_>) -> Position {
    let mut setup = position.to_setup();
    if let Some(king) = position.king(position.turn())
        && found.piece != "K"
    {
        setup.board.set(king, None);
    }
    Position::from_problem(position.variant(), &setup).unwrap_or_else(|_| position.clone())
}

fn role(piece: &str) -> Option<Role> {
    let base = Role::from_letter(piece.chars().next_back()?)?;
    if piece.starts_with('+') {
        base.promoted()
    } else {
        Some(base)
    }
}

fn japanese(piece: &str) -> &'static str {
    let found = PIECES.iter().find(|(_, letters)| *letters == piece);
    found.map_or("", |(name, _)| name)
}

/// Returns a square as KIF counts it.
fn coordinates(square: Square) -> KifSquare {
    (9 - square.file().index(), 9 - square.rank().index())
}

/// Names a square by its file and a letter, as players of shogi do in the West.
fn name((file, rank): KifSquare) -> String {
    let letter = LETTERS.get(usize::from(rank) - 1);
    format!("{file}{}", letter.copied().unwrap_or('?'))
}
