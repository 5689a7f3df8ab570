//! What a list tells of a match, whenever it is made.

use serde::{Deserialize, Serialize};

use crate::clock;
use crate::command::json::standing::Standing;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::render::json::side;
use crate::rules::Color;

/// What a list tells of a match, for this user, as long as the match is not changed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(super) struct Facts {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) options: Vec<String>,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) plies: usize,
    /// `white` or `black`; none once the match is over.
    pub(super) turn: Option<String>,
    /// The name of the player to move: that of the side in this game.
    pub(super) to_move: Option<String>,
    pub(super) yours: Option<bool>,
    pub(super) deadline: Option<String>,
    pub(super) result: Option<String>,
    pub(super) owed: usize,
    pub(super) undelivered: usize,
    pub(super) reported: usize,
    pub(super) standing: Standing,
}

impl Facts {
    pub(super) fn of(game: &Match, me: Option<&Player>) -> Facts {
        let turn = game.turn();
        let sides = me.map(|me| game.sides_of(me));
        let options = game.variant().options().iter();
        Facts {
            id: game.id().to_string(),
            game: game.variant().game().id.to_owned(),
            options: options.map(|option| (*option).to_owned()).collect(),
            white: game.player(Color::White).name().to_owned(),
            black: game.player(Color::Black).name().to_owned(),
            plies: game.record().steps().len(),
            turn: turn.map(|turn| side(turn).to_owned()),
            to_move: turn.map(|turn| game.variant().player(turn).to_owned()),
            yours: sides.map(|sides| turn.is_some_and(|turn| sides.contains(&turn))),
            deadline: game.deadline().map(clock::write),
            result: game.ending().map(|ending| ending.to_string()),
            owed: game.owed().len(),
            undelivered: game.undelivered().len(),
            reported: game.reported().len(),
            standing: Standing::of(game),
        }
    }
}
