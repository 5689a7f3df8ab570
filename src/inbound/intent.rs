//! Reads the intent of a message: a move, a command, a question, or talk.
//!
//! Nothing is guessed. A move counts if it stands alone on a line, if a line begins
//! with the right number and the move, or if it ends a list that agrees with the match
//! up to there. Moves in prose are shown, and the sender is asked. A message that
//! contradicts itself, the record, the sender's own diagram or a quoted hash is
//! refused, and the answer shows both sides.

mod evidence;
mod moves;
mod reply;

use crate::inbound::answered::AnsweredPosition;
use crate::inbound::intent::evidence::Evidence;
use crate::inbound::intent::reply::Reply;
use crate::matches::intent::Intent;
use crate::matches::r#match::Match;
use crate::notation::header::IdLine;
use crate::notation::reader::ParsedText;
use crate::rules::Color;

/// Reads what a player's message asks for in a match. `answered` is the position that
/// the message answers, as far as that is known without its text.
///
/// `is_anew` is true of a message that came long ago, or that may have been read before: what
/// does not say which position it means is not taken for one about the position now.
pub fn read(
    game: &Match,
    sender: Color,
    text: &ParsedText<'_>,
    id_lines: &[IdLine],
    answered: Option<AnsweredPosition>,
    is_anew: bool,
) -> Intent {
    let reply = Reply {
        game,
        sender,
        text,
        id_lines,
        answered: Reply::position_answered(game, id_lines, answered),
        is_anew,
    };
    let intent = Evidence::gather(&reply).intent();
    intent.unwrap_or_else(Intent::Refused)
}
