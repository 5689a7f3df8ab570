//! Checks the record that a message was written to. Each of our mails ends with a hash
//! of the moves, which comes back in the quotation.

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::inbound::intent::reply::Reply;
use crate::inbound::intent::reply::TakenBack;
use crate::matches::intent::Refusal;
use crate::notation::follow::{self, Divergence};
use crate::notation::move_list::numbered;
use crate::plural::half_moves;
use crate::quoting::id_line::IdLine;
use crate::rules::Ply;

/// Checks that each quoted hash belongs to the record here, or did before a take-back.
/// `next` is the move that the message brings.
///
/// # Errors
///
/// If a hash belongs to another record.
pub(super) fn check(reply: &Reply<'_>, next: Option<&Ply>) -> Result<(), Refusal> {
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
    Refusal {
        lines: vec![format!("Hash of the moves: {there}")],
        why: format!(
            "Your message answers another record of this match: after {} the hash of the moves is {here} here. {why}",
            half_moves(line.plies)
        ),
        role: None,
    }
}
