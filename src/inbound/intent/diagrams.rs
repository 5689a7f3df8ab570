//! Compares the diagrams that a sender has drawn with the match.

use crate::inbound::intent::reply::Reply;
use crate::matches::intent::{Played, Refusal};
use crate::notation::diagram::LocatedDiagram;
use crate::notation::move_list::numbered;
use crate::notation::reader::PartKind;
use crate::quoting::line::Author;
use crate::rules::Position;

/// The most diagrams that are searched for a move.
const MOST: usize = 20;

/// Returns the diagrams in the sender's own lines.
pub(super) fn own<'a>(reply: &Reply<'a>) -> Vec<&'a LocatedDiagram> {
    let parts = reply.text.parts.iter();
    let own = parts.filter_map(|part| match &part.kind {
        PartKind::Diagram(drawn) if drawn.author == Author::Own => Some(&**drawn),
        _ => None,
    });
    own.collect()
}

/// Checks that each diagram shows a position of the match or the one after the move.
///
/// # Errors
///
/// If a diagram shows any other position.
pub(super) fn check(
    reply: &Reply<'_>,
    drawn: &[&LocatedDiagram],
    played: &Played,
) -> Result<(), Refusal> {
    if drawn.is_empty() {
        return Ok(());
    }
    let Ok(after) = reply.position().play(&played.reading.ply) else {
        return Ok(());
    };
    // An older position is a quotation or a look back.
    let is_known = |drawn: &&&LocatedDiagram| {
        let positions = (0..=reply.plies()).filter_map(|plies| reply.record().at(plies));
        let mut positions = positions.chain([&after]);
        positions.any(|position| drawn.diagram.shows(position))
    };
    match drawn.iter().find(|drawn| !is_known(drawn)) {
        Some(drawn) => Err(contradiction(reply, played, drawn, &after)),
        None => Ok(()),
    }
}

fn contradiction(
    reply: &Reply<'_>,
    played: &Played,
    drawn: &LocatedDiagram,
    after: &Position,
) -> Refusal {
    let text = reply.position().text(&played.reading.ply);
    let mut lines = vec![played.line.clone()];
    let mut why = format!(
        "Your diagram is not the position after {}",
        numbered(reply.plies(), &text)
    );
    if let Some((difference, square)) = drawn.diagram.difference(after) {
        let place = square.and_then(|square| drawn.place_of(square));
        let place = place.unwrap_or_else(|| drawn.place());
        lines.extend(reply.line(place.line));
        why = format!("{why}: {difference}");
    }
    Refusal {
        lines,
        why: why + ".",
        role: None,
    }
}

/// Finds a diagram that exactly one legal move leads to. Returns its first line and
/// that move.
pub(super) fn shown_move(reply: &Reply<'_>, drawn: &[&LocatedDiagram]) -> Option<(String, String)> {
    let position = reply.position();
    drawn.iter().take(MOST).find_map(|drawn| {
        let plies = position.single_plies().into_iter();
        let mut leading = plies.filter(|ply| {
            let after = position.play(ply);
            after.is_ok_and(|after| drawn.diagram.shows(&after))
        });
        let (Some(ply), None) = (leading.next(), leading.next()) else {
            return None;
        };
        Some((reply.line(drawn.place().line)?, position.text(&ply)))
    })
}
