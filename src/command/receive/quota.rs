//! What may still be mailed because of a letter.

use crate::command::receive::Disposition;
use crate::command::receive::ruling::Ruling;

/// Why somebody is not answered who else would be.
pub(super) const ENOUGH: &str = "not answered: there were enough answers in a day";

/// What may still be mailed because of a letter.
#[derive(Clone, Copy)]
pub(super) struct Quota {
    /// An explanation to its sender.
    pub(super) answers: bool,
    /// Its words to the other player.
    pub(super) notes: bool,
}

impl Quota {
    /// The reason of a ruling, and that there is no answer where one was due.
    pub(super) fn tell(self, ruling: Ruling) -> String {
        let is_answered = matches!(
            ruling.word,
            Disposition::Refused
                | Disposition::Ambiguous
                | Disposition::Confirm
                | Disposition::NotYourTurn
                | Disposition::Over
                | Disposition::Command
        );
        if self.answers || !is_answered {
            ruling.reason
        } else {
            format!("{} ({ENOUGH})", ruling.reason)
        }
    }
}
