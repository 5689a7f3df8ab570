//! Messages that put an earlier one right, as Delta Chat sends them.

use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::message_id::MessageId;
use crate::matches::event::LogEntry;
use crate::matches::intent::{Intent, Refusal};
use crate::matches::r#match::Match;
use crate::rules::Color;

/// Notes in the events of a message that it puts this one right: so that this one is a
/// duplicate if it comes later, and a further edit of it knows what came of it.
pub fn note(events: &mut [LogEntry], edited: &MessageId) {
    for event in events {
        *event = event.clone().edits(edited);
    }
}

/// Returns what a message asks for, if it puts an earlier one right: the same, unless a
/// move of the earlier one stands in the record. A move cannot be changed by its player
/// alone, so that the other move, which would be taken for the next one, is refused.
///
/// `sides` are the sides that its sender plays. Any other message is left alone: what it
/// puts right is of another match or of somebody else, or never came.
#[must_use]
pub fn intent(intent: Intent, message: &IncomingMessage, game: &Match, sides: &[Color]) -> Intent {
    let Some(edited) = &message.edits else {
        return intent;
    };
    let mut sides = sides.iter();
    let Some(played) = sides.find_map(|side| game.played_by(*side, edited)) else {
        return intent;
    };
    let line = match intent {
        Intent::Again(_) | Intent::Command(_) | Intent::Words => return intent,
        Intent::Move(played) => Some(played.line),
        Intent::OutOfTurn(line) | Intent::Mention { line, .. } | Intent::Ambiguous { line, .. } => {
            Some(line)
        }
        Intent::Refused(refusal) => refusal.lines.into_iter().next(),
    };
    Intent::Refused(Refusal::new(
        line.into_iter().collect(),
        format!(
            "You have edited a message whose move {played} is played, and an edited message \
             changes no move. To take the move back, send 'propose takeback' alone on a line; \
             if your opponent accepts, you can make another move."
        ),
    ))
}
