//! The moves of a match that were taken back by agreement. Mails from before still show
//! them.

use crate::matches::r#match::Match;
use crate::quoting::id_line::IdLine;
use crate::quoting::line::Author;

/// The most take-backs whose moves are compared with a quoted hash.
const MOST_TAKEN_BACK: usize = 8;

/// The match as it was before each of the last take-backs by agreement.
pub(super) struct TakenBack(Vec<Match>);

impl TakenBack {
    pub(super) fn of(game: &Match) -> TakenBack {
        TakenBack(game.before_takebacks().take(MOST_TAKEN_BACK).collect())
    }

    /// Returns true if a quoted id line is of moves of this match, be they taken back. The
    /// sender's own program says what its record is now.
    pub(super) fn has(&self, line: &IdLine) -> bool {
        let is_it = |then: &Match| {
            let made = then.record().steps().get(..line.plies);
            made.is_some_and(|made| {
                let hash = then.hash_of_moves(made.iter().map(|step| step.text.as_str()));
                line.hash.as_ref() == Some(&hash)
            })
        };
        line.author != Author::Own && self.0.iter().any(is_it)
    }
}
