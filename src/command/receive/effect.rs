//! What a message did in its match.

use std::mem;

use crate::matches::decision::Decision;
use crate::matches::event::{LogEntry, Who};
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::rules::Color;

/// What a message did in its match.
pub(super) struct Effect {
    /// The name of the player whose message it is.
    pub(super) player: String,
    /// What was written to the log because of this message alone.
    pub(super) events: Vec<LogEntry>,
    /// True if it gets an answer that counts.
    pub(super) is_answered: bool,
    /// The move it played.
    pub(super) played: Option<PlayedMove>,
}

/// A move that was played.
pub(super) struct PlayedMove {
    /// The number of the half-move, from 1.
    pub(super) ply: usize,
    /// The move in canonical form, with its mark.
    pub(super) text: String,
    /// The number of the move in a list.
    pub(super) number: String,
}

impl Effect {
    /// Tells what a side's message did by a decision, whose events are the last of a match,
    /// and takes them.
    pub(super) fn of_decision(side: Color, decision: &mut Decision, game: &Match) -> Effect {
        let is_answered = decision.is_counted() && !decision.mails.is_empty();
        Effect {
            is_answered,
            ..Effect::of(side, mem::take(&mut decision.events), game)
        }
    }

    /// Tells what a side's message did by events that are the last of a match.
    pub(super) fn of(side: Color, events: Vec<LogEntry>, game: &Match) -> Effect {
        let is_move = |event: &LogEntry| event.is_move() && event.who == side.into();
        let record = game.record();
        let played = events.iter().any(is_move).then(|| {
            let ply = record.steps().len();
            let step = record.steps().last()?;
            Some(PlayedMove {
                ply,
                text: step.to_string(),
                number: move_list::number_of_position(record.at(ply - 1)?),
            })
        });
        Effect {
            player: game.player(side).name().to_owned(),
            is_answered: false,
            events: events
                .into_iter()
                .filter(|event| event.who == Who::Player(side))
                .collect(),
            played: played.flatten(),
        }
    }
}
