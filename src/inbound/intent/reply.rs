//! A player's message together with its match.

use crate::inbound::answered::AnsweredPosition;
use crate::mail::quoting::line::Author;
use crate::matches::r#match::Match;
use crate::notation::header::IdLine;
use crate::notation::move_list;
use crate::notation::moves::MoveEntry;
use crate::notation::reader::ParsedText;
use crate::rules::{Color, Position, Record};

/// A player's message together with its match.
#[derive(Clone, Copy)]
pub(super) struct Reply<'a> {
    pub(super) game: &'a Match,
    pub(super) sender: Color,
    pub(super) text: &'a ParsedText<'a>,
    pub(super) id_lines: &'a [IdLine],
    /// The position that it answers, if that is known.
    pub(super) answered: Option<AnsweredPosition>,
    /// True if the message came long ago, or may have been read before.
    pub(super) is_anew: bool,
}

impl<'a> Reply<'a> {
    pub(super) fn record(&self) -> &'a Record {
        self.game.record()
    }

    pub(super) fn position(&self) -> &'a Position {
        self.record().position()
    }

    /// Returns the number of half-moves made.
    pub(super) fn plies(&self) -> usize {
        self.record().steps().len()
    }

    pub(super) fn is_senders_turn(&self) -> bool {
        self.position().turn() == self.sender
    }

    /// Returns true if the other player's offer or proposal stands.
    pub(super) fn has_offer(&self) -> bool {
        let other = Some(!self.sender);
        self.game.offer() == other || self.game.takeback() == other
    }

    /// Returns the number of the next move.
    pub(super) fn next_number(&self) -> String {
        move_list::number_of_ply(self.plies())
    }

    /// Returns a line of the text by its number, counted from 1.
    pub(super) fn line(&self, number: usize) -> Option<String> {
        let line = self.text.lines.get(number.checked_sub(1)?)?;
        Some(line.text.trim().to_owned())
    }

    /// Returns the line that a move stands on.
    pub(super) fn line_of(&self, entry: &MoveEntry) -> String {
        let line = self.line(entry.place.line);
        line.unwrap_or_else(|| entry.text.trim().to_owned())
    }

    /// Returns the position that a message answers: that of the foot which the sender's
    /// own program wrote, else that of the message it cites, else that of a quoted foot.
    pub(super) fn position_answered(
        game: &Match,
        id_lines: &[IdLine],
        cited: Option<AnsweredPosition>,
    ) -> Option<AnsweredPosition> {
        let foot = id_lines.first().filter(|foot| foot.id == *game.id());
        let quoted = |foot: &IdLine| {
            let made = game.record().steps().len();
            // The sender's own program has already counted the move; a mailer that quotes
            // without marks has not.
            let counts_it = foot.author == Author::Own && foot.plies == made + 1;
            let plies = foot.plies - usize::from(counts_it);
            let is_now = || foot.hash.as_ref() == Some(&game.hash());
            AnsweredPosition {
                plies,
                // The hash of another record is refused when the move is known.
                is_present: plies == made && (is_now() || !TakenBack::of(game).has(foot)),
                line: cited.and_then(|cited| cited.line),
            }
        };
        let is_program_s = |foot: &&IdLine| foot.author == Author::Own && foot.hash.is_some();
        let own = foot.filter(is_program_s);
        let own = own.map(quoted);
        own.or(cited).or_else(|| foot.map(quoted))
    }

    /// Returns true if the message may be about the present position: it answers that,
    /// or nobody knows which and it has just come.
    pub(super) fn is_about_now(&self) -> bool {
        self.answered
            .map_or(!self.is_anew, |answered| answered.is_present)
    }

    /// Returns the number of half-moves in the position that the message answers, if
    /// that is known.
    pub(super) fn plies_answered(&self) -> Option<usize> {
        self.answered.map(|answered| answered.plies)
    }
}

/// The most take-backs whose moves are compared with a quoted hash.
const MOST_TAKEN_BACK: usize = 8;

/// The match as it was before each of the last take-backs by agreement. Mails from before still
/// show the moves that were taken back.
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
