//! `parapost list`: lists the matches and their state.

mod table;

use anstyle::Style;
use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::command::context::Context;
use crate::command::fetched;
use crate::command::json::standing::Standing;
use crate::command::list::table::Row;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::plural::half_moves;
use crate::render::json::side;
use crate::rules::Color;
use crate::store::store::{Open, Store, Survey};
use crate::{Error, args, clock, columns, paint};

/// A line of the list. `Display` is for people, `Serialize` for programs.
#[derive(Serialize)]
pub(crate) struct ListedMatch {
    id: String,
    /// The rule set, as the command line names it.
    game: &'static str,
    options: Vec<&'static str>,
    white: String,
    black: String,
    plies: usize,
    /// `white` or `black`; null once the match is over.
    turn: Option<&'static str>,
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
    more: Option<Standing>,
    #[serde(skip)]
    standing: String,
}

/// A match whose file cannot be read.
#[derive(Serialize)]
struct Damaged {
    id: String,
    error: String,
}

pub(super) fn run(args: &args::List, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    let config = context.config()?;
    let me = config.somebody().map(|me| &me.player);
    let now = clock::now()?;
    for remark in store.remarks(args.all)? {
        context.say(format_args!("parapost: {remark}"));
    }
    let survey = if args.all {
        store.survey()?
    } else {
        open(&*store)?
    };
    let matches = survey.matches.iter().map(|stored| &stored.game);
    let entries: Vec<ListedMatch> = matches
        .map(|game| ListedMatch {
            more: args.json.then(|| Standing::of(game)),
            ..ListedMatch::new(game.id(), game, me, now)
        })
        .collect();
    let damaged = survey.damaged.into_iter();
    let damaged: Vec<Damaged> = damaged
        .map(|(id, error)| Damaged {
            id: id.to_string(),
            error,
        })
        .collect();
    // A place that cannot be read is no reason to list nothing.
    let imap = config.imap.as_ref();
    let fetched = imap.map(|imap| fetched::last(imap, context));
    if args.json {
        let mut object = serde_json::json!({ "matches": entries, "damaged": damaged });
        if let Some(Ok(fetched)) = &fetched {
            object["fetched"] = fetched.clone().into();
        }
        let object = crate::command::context::json(&object)?;
        context.print(format_args!("{object}\n"))?;
    } else {
        let rows: Vec<Row> = entries.iter().map(ListedMatch::row).collect();
        if context.is_shown {
            let room = columns::of_terminal();
            if rows.is_empty() {
                context.say(hint(args.all, &*store));
            } else {
                context.print(table::for_people(&rows, room, context.out))?;
            }
        } else {
            context.print(table::plain(&rows, context.out))?;
        }
        for Damaged { error, .. } in &damaged {
            context.say_error(error);
        }
        match fetched {
            None => {}
            Some(Ok(Some(time))) => {
                context.say(format_args!("Mail was last fetched to its end: {time}."));
            }
            Some(Ok(None)) => {
                context.say("Mail has never been fetched to its end: 'parapost fetch' reads it.");
            }
            Some(Err(error)) => context.say_error(&error),
        }
    }
    Ok(if damaged.is_empty() {
        Status::Done
    } else {
        Status::Refused
    })
}

/// Tells somebody whose list is empty what to do.
fn hint(is_of_all: bool, store: &dyn Store) -> String {
    if is_of_all {
        format!(
            "There is no match in {} yet. 'parapost new' begins one, 'parapost receive' takes in an invitation.",
            store.place()
        )
    } else {
        format!(
            "No match in {} has anything left to do. 'parapost list --all' lists those that are over, 'parapost new' begins one.",
            store.place()
        )
    }
}

/// Reads the matches in which anything is left to do.
fn open(store: &dyn Store) -> Result<Survey, Error> {
    let mut survey = Survey::default();
    for id in store.going_on()? {
        match store.find(&id) {
            Ok(found) => survey.matches.extend(found),
            Err(error) => survey.damaged.push((id, error.to_string())),
        }
    }
    survey
        .matches
        .retain(|stored| Open::of(&stored.game).is_any());
    Ok(survey)
}

impl ListedMatch {
    /// Returns the match as a row of the table, its standing in a colour.
    fn row(&self) -> Row {
        let style = match self.turn {
            _ if self.overdue => paint::ERROR,
            _ if self.owed + self.undelivered + self.reported > 0 => paint::WARNING,
            Some(_) if self.yours == Some(true) => paint::YOURS,
            Some(_) => Style::new(),
            None => paint::FAINT,
        };
        Row {
            cells: [
                self.id.clone(),
                self.game.to_owned(),
                format!("{} - {}", self.white, self.black),
                format!("{}, {}", half_moves(self.plies), self.standing),
            ],
            style,
        }
    }

    /// Returns what programs are told of a match, for whoever is configured.
    pub(super) fn whole(game: &Match, context: &mut Context<'_>) -> Result<ListedMatch, Error> {
        let config = context.config()?;
        let me = config.somebody().map(|me| &me.player);
        Ok(ListedMatch::to_player(game, me, clock::now()?))
    }

    /// Returns what programs are told of a match, for this player.
    pub(super) fn to_player(game: &Match, me: Option<&Player>, now: DateTime<Utc>) -> ListedMatch {
        ListedMatch {
            more: Some(Standing::of(game)),
            ..ListedMatch::new(game.id(), game, me, now)
        }
    }

    fn new(id: &Id, game: &Match, me: Option<&Player>, now: DateTime<Utc>) -> ListedMatch {
        let turn = game.turn();
        let sides = me.map(|me| game.sides_of(me));
        let yours = sides.map(|sides| turn.is_some_and(|turn| sides.contains(&turn)));
        let overdue = game.is_overdue(now);
        let mut standing = match (turn, game.ending()) {
            (Some(turn), _) if yours == Some(true) => {
                format!("{} to move (you)", game.variant().player(turn))
            }
            (Some(turn), _) => format!("{} to move", game.variant().player(turn)),
            (None, ending) => ending.map(|ending| ending.to_string()).unwrap_or_default(),
        };
        let deadline = game.deadline().map(clock::write);
        if let Some(deadline) = &deadline {
            let word = if overdue { "overdue since" } else { "by" };
            standing = format!("{standing} {word} {deadline}");
        }
        match game.owed().len() {
            0 => {}
            1 => standing.push_str(", a mail owed"),
            several => standing = format!("{standing}, {several} mails owed"),
        }
        match game.undelivered().len() {
            0 => {}
            1 => standing.push_str(", a mail refused"),
            several => standing = format!("{standing}, {several} mails refused"),
        }
        match game.reported().len() {
            0 => {}
            1 => standing.push_str(", a mail reported undelivered"),
            several => standing = format!("{standing}, {several} mails reported undelivered"),
        }
        ListedMatch {
            id: id.to_string(),
            game: game.variant().game().id,
            options: game.variant().options().to_vec(),
            white: game.player(Color::White).name().to_owned(),
            black: game.player(Color::Black).name().to_owned(),
            plies: game.record().steps().len(),
            turn: turn.map(side),
            yours,
            deadline,
            overdue,
            result: game.ending().map(|ending| ending.to_string()),
            owed: game.owed().len(),
            undelivered: game.undelivered().len(),
            reported: game.reported().len(),
            more: None,
            standing,
        }
    }
}
