//! Reads what a referee's mail tells a player's program: the opponent's next move.

use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::message::automated::Automated;
use crate::mail::quoting::line::Author;
use crate::matches::r#match::Match;
use crate::notation::header;
use crate::notation::moves::{Manner, MoveEntry};
use crate::notation::reader::{ParsedText, PartKind};
use crate::rules::notation::Voice;

/// The rows of moves that are tried, from the foot of the mail upwards. The list of our
/// mails stands there.
const ROWS: usize = 16;

/// Returns true if a referee's program may have sent the message. It marks its mails as
/// automatic.
#[must_use]
pub fn may_send(message: &IncomingMessage) -> bool {
    matches!(message.machine, None | Some(Automated::AutoSubmitted))
}

/// Returns the move, in canonical form, by which the list of a referee's mail goes
/// further than the record. Returns none if the list does not agree with the record and
/// go exactly one legal move further.
///
/// The foot of the mail decides: its hash covers every move of the referee's record.
/// Words of the opponent that the mail carries stand above it, so that no list and no
/// foot among them count.
#[must_use]
pub fn next_move(game: &Match, text: &ParsedText<'_>) -> Option<String> {
    game.turn()?;
    let steps = game.record().steps();
    let feet = header::id_lines(&text.lines);
    let foot = feet.last().filter(|foot| {
        is_own(foot.author) && foot.id == *game.id() && foot.plies == steps.len() + 1
    })?;
    let hash = foot.hash.as_ref()?;
    let rows = text.parts.iter().rev().filter_map(|part| match &part.kind {
        PartKind::Moves(moves) if moves.manner == Manner::List => moves.of_list().last(),
        _ => None,
    });
    let own = rows.filter(|entry| is_own(entry.author));
    own.take(ROWS).find_map(|entry| {
        let next = read(game, entry)?;
        let made = steps.iter().map(|step| step.text.as_str());
        let all = made.chain([next.as_str()]);
        (game.hash_of_moves(all) == *hash).then_some(next)
    })
}

/// Reads an entry of a list as the next move, in canonical form.
fn read(game: &Match, entry: &MoveEntry) -> Option<String> {
    let position = game.position();
    let parsed = entry.parsed.as_ref().ok()?;
    let reading = position.interpret(parsed, Voice::List).ok()?;
    Some(position.text(&reading.ply))
}

/// Returns true if a line without quote marks is not known to be somebody else's.
fn is_own(author: Author) -> bool {
    matches!(author, Author::Own | Author::Quoted(0))
}
