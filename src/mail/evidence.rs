//! What a letter shows of the record it was written to: the hash of the moves
//! at the foot of every mail of ours, which comes back in the quotation.

use std::collections::HashSet;

use super::finding::IdLine;
use super::request::Request;
use super::said::{Refusal, Said, half_moves, numbered};
use crate::rules::Record;
use crate::store::Match;
use crate::text::Text;
use crate::text::parting::{self, Parting};

/// What a letter says, or why that cannot count: it was written to another
/// record of the match than the one here.
#[must_use]
pub fn hold(game: &Match, text: &Text<'_>, id_lines: &[IdLine], said: Said) -> Said {
    let counts = match &said {
        Said::Move(_)
        | Said::OutOfTurn(_)
        | Said::Mention { .. }
        | Said::Ambiguous { .. }
        | Said::Command(_) => true,
        Said::Again(_) | Said::Refused(_) | Said::Talk => false,
    };
    let is_question = matches!(&said, Said::Command(Request::Show(_) | Request::Help));
    if !counts || is_question {
        return said;
    }
    let made = game.record().steps().len();
    let next = match &said {
        Said::Move(played) => Some(&played.reading.ply),
        _ => None,
    };
    let mut told = HashSet::new();
    let mut quoted = id_lines
        .iter()
        .filter(|line| line.id == *game.id() && line.plies <= made + 1)
        .filter(|line| told.insert((line.plies, &line.hash)));
    let refusal = quoted.find_map(|line| {
        let mut then = game.record().until(line.plies);
        // The sender's own program has counted the move it brings.
        if line.plies == then.steps().len() + 1
            && let Some(ply) = next
        {
            then.play(ply).ok()?;
        }
        contradiction(game, &then, text, line)
    });
    refusal.map_or(said, Said::Refused)
}

/// Why a quoted hash is not that of the record at that point; nothing if it is,
/// or the record does not go so far.
fn contradiction(game: &Match, then: &Record, text: &Text<'_>, line: &IdLine) -> Option<Refusal> {
    let (there, here) = (line.hash.as_ref()?, game.hash_of(then));
    if then.steps().len() != line.plies || *there == here {
        return None;
    }
    let told = parting::follow(then, text, parting::is_numbered);
    let within = |parting: &Parting| parting.ply < line.plies;
    let why = match (told.parting.filter(within), told.reach) {
        (Some(at), _) => format!(
            "The two records part at {}, where yours has {}.",
            numbered(at.ply, &then.steps()[at.ply].text),
            numbered(at.ply, &at.there)
        ),
        (None, Some(plies)) if plies >= line.plies => {
            "The moves you quote are the same, so it is the game or its options that differ."
                .to_owned()
        }
        _ => "Your message does not show where the two records part; please compare your list with this one.".to_owned(),
    };
    Some(Refusal {
        lines: vec![format!("Hash of the moves: {there}")],
        why: format!(
            "Your message answers another record of this match: after {} the hash of the moves is {here} here. {why}",
            half_moves(line.plies)
        ),
        role: None,
    })
}
