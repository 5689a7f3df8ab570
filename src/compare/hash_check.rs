//! What a letter shows of the record it was written to: the hash of the moves
//! at the foot of every mail of ours, which comes back in the quotation.

use std::collections::HashSet;

use crate::inbound::intent::numbered;
use crate::matches::intent::{Intent, Refusal, Request};
use crate::matches::r#match::Match;
use crate::notation::divergence::{self, Divergence};
use crate::notation::reader::ParsedText;
use crate::plural::half_moves;
use crate::quoting::id_line::IdLine;
use crate::rules::Record;

/// What a letter says, or why that cannot count: it was written to another
/// record of the match than the one here.
#[must_use]
pub fn hold(game: &Match, text: &ParsedText<'_>, id_lines: &[IdLine], said: Intent) -> Intent {
    let counts = match &said {
        Intent::Move(_)
        | Intent::OutOfTurn(_)
        | Intent::Mention { .. }
        | Intent::Ambiguous { .. }
        | Intent::Command(_) => true,
        Intent::Again(_) | Intent::Refused(_) | Intent::Talk => false,
    };
    let is_question = matches!(&said, Intent::Command(Request::Show(_) | Request::Help));
    if !counts || is_question {
        return said;
    }
    let made = game.record().steps().len();
    let next = match &said {
        Intent::Move(played) => Some(&played.reading.ply),
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
    refusal.map_or(said, Intent::Refused)
}

/// Why a quoted hash is not that of the record at that point; nothing if it is,
/// or the record does not go so far.
fn contradiction(
    game: &Match,
    then: &Record,
    text: &ParsedText<'_>,
    line: &IdLine,
) -> Option<Refusal> {
    let (there, here) = (line.hash.as_ref()?, game.hash_of(then));
    if then.steps().len() != line.plies || *there == here {
        return None;
    }
    let told = divergence::follow(then, text, divergence::is_numbered);
    let within = |parting: &Divergence| parting.ply < line.plies;
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
