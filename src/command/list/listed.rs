//! A match in a list.

use anstyle::Style;
use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::command::context::Context;
use crate::command::json::standing::Standing;
use crate::command::list::facts::Facts;
use crate::command::list::table::Row;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::plural::half_moves;
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
    pub(super) fn of(facts: Facts, now: DateTime<Utc>) -> ListedMatch {
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
        match facts.owed {
            0 => {}
            1 => standing.push_str(", a mail owed"),
            several => standing = format!("{standing}, {several} mails owed"),
        }
        match facts.undelivered {
            0 => {}
            1 => standing.push_str(", a mail refused"),
            several => standing = format!("{standing}, {several} mails refused"),
        }
        match facts.reported {
            0 => {}
            1 => standing.push_str(", a mail reported undelivered"),
            several => standing = format!("{standing}, {several} mails reported undelivered"),
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

    /// Returns the match as a row of the table, its standing in a colour.
    pub(super) fn row(&self) -> Row {
        let style = match &self.turn {
            _ if self.overdue => paint::ERROR,
            _ if self.owed + self.undelivered + self.reported > 0 => paint::WARNING,
            Some(_) if self.yours == Some(true) => paint::YOURS,
            Some(_) => Style::new(),
            None => paint::FAINT,
        };
        Row {
            cells: [
                self.id.clone(),
                self.game.clone(),
                format!("{} - {}", self.white, self.black),
                format!("{}, {}", half_moves(self.plies), self.standing),
            ],
            style,
        }
    }

    /// Returns what programs are told of a match, for whoever is configured.
    pub(crate) fn whole(game: &Match, context: &mut Context<'_>) -> Result<ListedMatch, Error> {
        let config = context.config()?;
        let me = config.somebody().map(|me| &me.player);
        Ok(ListedMatch::to_player(game, me, clock::now()?))
    }

    /// Returns what programs are told of a match, for this player.
    pub(crate) fn to_player(game: &Match, me: Option<&Player>, now: DateTime<Utc>) -> ListedMatch {
        ListedMatch::of(Facts::of(game, me), now)
    }
}
