//! What a message asks for in its match.

use crate::inbound::answer_form::AnswerForm;
use crate::inbound::answer_form::TappedMove;
use crate::inbound::answered::AnsweredPosition;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::request::Unsubscribe;
use crate::inbound::{edited_message, intent, invitation};
use crate::matches::codes::CodeState;
use crate::matches::intent::{Intent, Request};
use crate::matches::mail::MailWish;
use crate::matches::r#match::Match;
use crate::notation::reader::ParsedText;
use crate::quoting::id_line::IdLine;
use crate::rules::Color;

/// How a message has proved its sender.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// As the policy asks.
    Usual,
    /// By the answer code of a mail, which stands for the mail's token in a move.
    Code,
    /// By the code of `List-Unsubscribe`, which is good for nothing else.
    Unsubscribe,
}

/// What was read of a message.
pub(super) struct Content<'m> {
    pub(super) message: &'m IncomingMessage,
    pub(super) text: &'m ParsedText<'m>,
    pub(super) id_lines: &'m [IdLine],
    /// Its answers to the links of our mails.
    pub(super) forms: &'m [&'m AnswerForm],
    /// True if this program made it, for the match.
    pub(super) is_made: bool,
    pub(super) code: CodeState,
    /// True if the message is read anew.
    pub(super) is_anew: bool,
    /// True if its subject has the code by which its sender asks for no more mail.
    pub(super) has_unsubscribe_code: bool,
}

impl Content<'_> {
    /// Returns what the message asks for in a match, from the player of this side.
    pub(super) fn intent(&self, proof: Proof, side: Color, game: &Match) -> Intent {
        let lines = &self.text.lines;
        let intent = if self.is_made && invitation::is_one(lines, game.id()) {
            Intent::Talk
        } else {
            let sides = sides_of(game, self.message);
            let answered = AnsweredPosition::of(self.message, game, &sides, self.code);
            let read = if self.is_anew {
                intent::read_anew
            } else {
                intent::read
            };
            read(game, side, self.text, self.id_lines, answered)
        };
        let tapped = TappedMove {
            forms: self.forms,
            lines,
            subject: &self.message.subject,
            is_stale: is_stale(game, self.code),
            is_by_code: proof == Proof::Code,
        };
        let intent = match self.forms {
            [] => intent,
            _ => tapped.intent(intent, game),
        };
        let sides = sides_of(game, self.message);
        let intent = edited_message::intent(intent, self.message, game, &sides);
        unsubscribed(intent, proof, self.message, game, self.has_unsubscribe_code)
    }
}

/// Returns the intent of a message that may be the letter of a program that unsubscribes
/// its user. What else such a letter asks for is done instead, if its sender is proved.
/// The subject of an answer is somebody else's: it needs the code.
fn unsubscribed(
    intent: Intent,
    proof: Proof,
    message: &IncomingMessage,
    game: &Match,
    has_code: bool,
) -> Intent {
    let is_asked = || {
        let asked = Unsubscribe::read(&message.subject, game.id());
        asked.is_some() && (has_code || message.parent.is_none())
    };
    if proof == Proof::Unsubscribe || intent == Intent::Talk && is_asked() {
        Intent::Command(Request::Mail(MailWish::Off))
    } else {
        intent
    }
}

/// Returns true if a code is of a mail that showed another position.
fn is_stale(game: &Match, code: CodeState) -> bool {
    match code {
        CodeState::Outdated(line) => game
            .as_of(line)
            .is_ok_and(|then| then.hash() != game.hash()),
        CodeState::Right | CodeState::Unknown => false,
    }
}

/// Returns the sides that the sender of a message plays. Somebody who plays against
/// himself may have been the other side when the message first came.
pub(super) fn sides_of(game: &Match, message: &IncomingMessage) -> Vec<Color> {
    let sender = message.sender.as_ref();
    sender.map_or(Vec::new(), |sender| game.sides(sender).collect())
}
