//! Contradictions between a message and the match: in the diagrams that the sender has drawn, and
//! in the hash of the moves at the end of each of our mails, which comes back in the quotation.

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::inbound::intent::reply::{Reply, TakenBack};
use crate::matches::intent::{Played, Refusal};
use crate::notation::diagram::LocatedDiagram;
use crate::notation::follow::{self, Divergence};
use crate::notation::move_list::numbered;
use crate::notation::reader::PartKind;
use crate::plural::half_moves;
use crate::quoting::id_line::IdLine;
use crate::quoting::line::Author;
use crate::rules::{Ply, Position};

/// The most diagrams that are searched for a move.
const MOST: usize = 20;

/// Returns the diagrams in the sender's own lines.
pub(super) fn own_diagrams<'a>(reply: &Reply<'a>) -> Vec<&'a LocatedDiagram> {
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
pub(super) fn check_diagrams(
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
    Refusal::new(lines, why + ".")
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

/// Checks that each quoted hash belongs to the record here, or did before a take-back.
/// `next` is the move that the message brings.
///
/// # Errors
///
/// If a hash belongs to another record.
pub(super) fn check_hashes(reply: &Reply<'_>, next: Option<&Ply>) -> Result<(), Refusal> {
    let (game, made) = (reply.game, reply.plies());
    let steps = reply.record().steps();
    let next_text = next.map(|ply| reply.position().text(ply));
    // The sender's own program has already counted the move.
    let known = made + usize::from(next.is_some());
    let taken_back = LazyCell::new(|| TakenBack::of(game));
    let mut seen = HashSet::new();
    for line in reply.id_lines {
        let Some(there) = line.hash.as_deref() else {
            continue;
        };
        if line.id != *game.id() || line.plies > known || !seen.insert((line.plies, there)) {
            continue;
        }
        let moves = steps.iter().map(|step| step.text.as_str());
        let moves = moves.chain(next_text.as_deref()).take(line.plies);
        let here = game.hash_of_moves(moves);
        if here != there && !taken_back.has(line) {
            return Err(other_record(reply, next, line, &here, there));
        }
    }
    Ok(())
}

/// Refuses because the sender has another record, and tells where the two part.
fn other_record(
    reply: &Reply<'_>,
    next: Option<&Ply>,
    line: &IdLine,
    here: &str,
    there: &str,
) -> Refusal {
    let mut then = reply.record().until(line.plies);
    if then.steps().len() < line.plies
        && let Some(ply) = next
    {
        // A move that the record refuses is not followed either.
        let _ = then.play(ply);
    }
    let told = follow::follow_lists(&then, reply.text, follow::is_numbered);
    let own_move = |at: &Divergence| then.steps().get(at.ply).map(|step| &step.text);
    let part = told.divergence.as_ref();
    let part = part.and_then(|at| Some((at, own_move(at)?)));
    let why = match (part, told.reach) {
        (Some((at, own)), _) => format!(
            "The two records part at {}, where yours has {}.",
            numbered(at.ply, own),
            numbered(at.ply, &at.there)
        ),
        (None, Some(plies)) if plies >= line.plies => {
            "The moves you quote are the same, so it is the game or its options that differ."
                .to_owned()
        }
        _ => "Your message does not show where the two records part; please compare your list with this one.".to_owned(),
    };
    Refusal::new(
        vec![format!("Hash of the moves: {there}")],
        format!(
            "Your message answers another record of this match: after {} the hash of the moves is {here} here. {why}",
            half_moves(line.plies)
        ),
    )
}
