//! The `yes` that answers a question of ours: it stands for the line that the question asks for.
//!
//! A question asks for one line: "If you mean it, send this line". Whoever reads that on a phone
//! answers `yes`. As the line may be any move and many orders, `yes` counts only alone, above all
//! that is quoted, in an answer to that very mail, by the mail's own reader, and as long as nothing
//! else has happened: `question_of_yes` tells that. Anywhere else it is a word like any other.

use crate::inbound::answered::Parent;
use crate::inbound::incoming_message::IncomingMessage;
use crate::mail::quoting::line::{Author, Line};
use crate::matches::decide::question_of_yes;
use crate::matches::intent::{Intent, Played, Request};
use crate::matches::mail::QueuedMail;
use crate::matches::r#match::Match;
use crate::rules::Color;
use crate::rules::notation::Voice;

/// The words that mean yes, in small letters.
const WORDS: [&str; 4] = ["yes", "ja", "oui", "ok"];

/// A letter that says yes to a question.
pub struct Consent {
    /// The question.
    pub(crate) question: QueuedMail,
    /// What the line that it asks for would do.
    pub(crate) intent: Intent,
}

impl Consent {
    /// Reads the consent of a letter from the player of this side that says nothing but these
    /// words of its own, and neither moves nor orders. Its sender must have been proved as the
    /// policy asks.
    #[must_use]
    pub fn of(
        message: &IncomingMessage,
        lines: &[Line<'_>],
        words: &str,
        game: &Match,
        side: Color,
    ) -> Option<Consent> {
        if message.edits.is_some() || !is_yes(words) || !begins_with_yes(lines) {
            return None;
        }
        let Parent::OurMail(line) = Parent::of(message, game, &[side]) else {
            return None;
        };
        let question = question_of_yes(game, side, line)?;
        let intent = intent_of(question.asks.as_deref()?, game, side)?;
        Some(Consent { question, intent })
    }
}

/// Returns true if the first line of a letter is a plain `yes` of its writer's.
fn begins_with_yes(lines: &[Line<'_>]) -> bool {
    let first = lines.iter().find(|line| !line.is_blank());
    first.is_some_and(|line| {
        line.author == Author::Own && line.column == 1 && !line.is_doubtful && is_yes(line.text)
    })
}

/// Returns true if a text is one of the words, with or without a full stop.
fn is_yes(text: &str) -> bool {
    let word = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    WORDS.contains(&word.as_str())
}

/// Returns what a line does that a question asked for: a command, or a move with its number.
fn intent_of(line: &str, game: &Match, side: Color) -> Option<Intent> {
    if let Some(request) = Request::parse(line) {
        let is_action = matches!(request, Request::Act(_));
        return is_action.then_some(Intent::Command(request));
    }
    let (_, text) = line.rsplit_once(' ')?;
    if game.turn() != Some(side) {
        return None;
    }
    let reading = game.position().read_with(text, Voice::Alone).ok()?;
    Some(Intent::Move(Played {
        line: line.to_owned(),
        reading,
        offers_draw: false,
    }))
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn yes_is_a_word_alone() {
        for text in ["yes", " Yes. ", "JA", "oui!", "ok", "OK."] {
            assert!(is_yes(text), "{text}");
        }
        for text in [
            "",
            ".",
            "yes?",
            "yes, please",
            "yes\nyes",
            "no",
            "okay",
            "\"yes\"",
            "> yes",
            "yes no",
        ] {
            assert!(!is_yes(text), "{text}");
        }
    }
}
