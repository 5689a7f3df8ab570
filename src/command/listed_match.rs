//! A match in the list of matches, and in the JSON of other commands.

use anstyle::Style;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::command::context::Context;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::plural::half_moves;
use crate::render::text::side;
use crate::rules::Color;
use crate::{Error, clock, paint};

/// A line of the list. `Display` is for people, `Serialize` for programs.
#[derive(Serialize)]
pub(crate) struct ListedMatch {
    id: String,
    /// The rule set, as the command line names it.
    game: String,
    options: Vec<String>,
    white: String,
    black: String,
    plies: usize,
    /// `white` or `black`; null once the match is over.
    turn: Option<String>,
    /// True if it is the user's turn; null without a configuration.
    yours: Option<bool>,
    deadline: Option<String>,
    overdue: bool,
    /// The score and the reason; null while the match goes on.
    result: Option<String>,
    /// The number of owed mails.
    owed: usize,
    /// The number of mails that were refused for good.
    undelivered: usize,
    /// The number of mails of which a delivery report says that they have not arrived.
    reported: usize,
    /// Only for programs.
    #[serde(flatten)]
    more: Standing,
    #[serde(skip)]
    standing: String,
}

impl ListedMatch {
    /// Returns the line of the list at a time.
    pub(crate) fn of(facts: Facts, now: DateTime<Utc>) -> ListedMatch {
        let deadline = facts.deadline.as_deref().and_then(clock::read);
        let overdue = deadline.is_some_and(|deadline| deadline < now);
        let mut standing = match (&facts.to_move, &facts.result) {
            (Some(player), _) if facts.yours == Some(true) => format!("{player} to move (you)"),
            (Some(player), _) => format!("{player} to move"),
            (None, result) => result.clone().unwrap_or_default(),
        };
        if let Some(deadline) = &facts.deadline {
            let word = if overdue { "overdue since" } else { "by" };
            standing = format!("{standing} {word} {deadline}");
        }
        for (mails, done) in [
            (facts.owed, "owed"),
            (facts.undelivered, "refused"),
            (facts.reported, "reported undelivered"),
        ] {
            match mails {
                0 => {}
                1 => standing = format!("{standing}, a mail {done}"),
                several => standing = format!("{standing}, {several} mails {done}"),
            }
        }
        ListedMatch {
            id: facts.id,
            game: facts.game,
            options: facts.options,
            white: facts.white,
            black: facts.black,
            plies: facts.plies,
            turn: facts.turn,
            yours: facts.yours,
            deadline: facts.deadline,
            overdue,
            result: facts.result,
            owed: facts.owed,
            undelivered: facts.undelivered,
            reported: facts.reported,
            more: facts.standing,
            standing,
        }
    }

    /// Returns the cells of the match in a table.
    pub(crate) fn cells(&self) -> [String; 4] {
        [
            self.id.clone(),
            self.game.clone(),
            format!("{} - {}", self.white, self.black),
            format!("{}, {}", half_moves(self.plies), self.standing),
        ]
    }

    /// Returns the style of the last cell.
    pub(crate) fn style(&self) -> Style {
        match &self.turn {
            _ if self.overdue => paint::ERROR,
            _ if self.owed + self.undelivered + self.reported > 0 => paint::WARNING,
            Some(_) if self.yours == Some(true) => paint::YOURS,
            Some(_) => Style::new(),
            None => paint::FAINT,
        }
    }

    /// Returns the data of a match for programs, for whoever is configured.
    pub(crate) fn whole(game: &Match, context: &mut Context<'_>) -> Result<ListedMatch, Error> {
        let config = context.config()?;
        let me = config.somebody().map(|me| &me.player);
        Ok(ListedMatch::to_player(game, me, clock::now()?))
    }

    /// Returns the data of a match for programs, for this player.
    pub(crate) fn to_player(game: &Match, me: Option<&Player>, now: DateTime<Utc>) -> ListedMatch {
        ListedMatch::of(Facts::of(game, me), now)
    }
}

/// The facts in a list about a match, for this user, as long as the match is not changed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct Facts {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) options: Vec<String>,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) plies: usize,
    /// `white` or `black`; none once the match is over.
    pub(crate) turn: Option<String>,
    /// The name of the player to move: that of the side in this game.
    pub(crate) to_move: Option<String>,
    pub(crate) yours: Option<bool>,
    pub(crate) deadline: Option<String>,
    pub(crate) result: Option<String>,
    pub(crate) owed: usize,
    pub(crate) undelivered: usize,
    pub(crate) reported: usize,
    pub(crate) standing: Standing,
}

impl Facts {
    pub(crate) fn of(game: &Match, me: Option<&Player>) -> Facts {
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

/// The position of a match, and the addresses of its players.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(crate) struct Standing {
    fen: String,
    /// The last half-move in canonical form, with its mark; null before the first.
    last_move: Option<String>,
    addresses: Addresses,
}

/// The addresses that speak for each player, those added in the match included.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct Addresses {
    white: Vec<String>,
    black: Vec<String>,
}

impl Standing {
    pub(crate) fn of(game: &Match) -> Standing {
        let addresses = |color: Color| {
            let own = game.player(color).addresses().iter();
            let added = game.state.added[color.index()].iter();
            own.chain(added).map(ToString::to_string).collect()
        };
        Standing {
            fen: game.position().fen(),
            last_move: game.record().steps().last().map(ToString::to_string),
            addresses: Addresses {
                white: addresses(Color::White),
                black: addresses(Color::Black),
            },
        }
    }
}
