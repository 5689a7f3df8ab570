//! Moves in Japanese signs in a position: their text in our notation.

use crate::notation::kif::row::{KifMove, KifSquare, PIECES};
use crate::rules::game::Slide;
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
        // If no piece on the board can make the move, it is a drop.
        [] if !found.promotes
            && role.is_some_and(|role| position.reserve(position.turn()).has(role)) =>
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
    let Some(role) = role(found.piece) else {
        return Vec::new();
    };
    let mut from = Vec::new();
    if found.signs.is_empty() {
        from = origins(found, to, role, position);
    }
    if from.is_empty() {
        let standing = position.board();
        let standing = standing.pieces().filter(|(from, piece)| {
            *piece == role.of(position.turn()) && reaches(position, role, *from, to)
        });
        from = standing.map(|(from, _)| coordinates(from)).collect();
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

/// Returns the squares of the pieces that can make a move, promoting as it says.
fn origins(found: &KifMove<'_>, to: KifSquare, role: Role, position: &Position) -> Vec<KifSquare> {
    let plies = position.single_plies().into_iter();
    let origins = plies.filter_map(|ply| match ply {
        Ply::Move {
            from,
            to: target,
            promotion,
        } if coordinates(target) == to && promotion.is_some() == found.promotes => Some(from),
        _ => None,
    });
    let of_role = |from: &Square| position.get(*from).is_some_and(|piece| piece.role == role);
    origins.filter(of_role).map(coordinates).collect()
}

/// Returns true if a piece of the player to move reaches a square, pinned or not: the signs of a
/// move tell all pieces apart that do.
fn reaches(position: &Position, role: Role, from: Square, to: KifSquare) -> bool {
    let Some(kind) = position.variant().rules().kind(role) else {
        return false;
    };
    let signed = |value: u8| i8::try_from(value).unwrap_or(0);
    let (file, rank) = coordinates(from);
    let (files, ranks) = (signed(to.0) - signed(file), signed(to.1) - signed(rank));
    let (right, forward) = match position.turn() {
        Color::White => (-files, -ranks),
        Color::Black => (files, ranks),
    };
    let is_along = kind.slides.iter().any(|slide| match slide {
        Slide::Orthogonal => right == 0 || forward == 0,
        Slide::Diagonal => right.abs() == forward.abs(),
        Slide::Forward => right == 0 && forward > 0,
        _ => false,
    });
    let steps = right.abs().max(forward.abs());
    let mut between = (1..steps).map(|step| {
        let along = |from: u8, by: i8| from.checked_add_signed(by.signum() * step);
        Some((along(file, files)?, along(rank, ranks)?))
    });
    let is_free = |at: Option<KifSquare>| {
        let at = at.and_then(|(file, rank)| Square::new(9 - file, 9 - rank));
        at.is_some_and(|at| position.get(at).is_none())
    };
    kind.steps.contains(&(right, forward)) || steps > 0 && is_along && between.all(is_free)
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
