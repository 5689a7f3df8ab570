//! `parapost forget`: takes a player's name, addresses and words out of the matches.

use std::collections::BTreeMap;

use clap::Args;
use lettre::Address;

use crate::command::context::{Context, Status};
use crate::match_id::Id;
use crate::matches::forget::Stranger;
use crate::matches::r#match::Match;
use crate::plural::counted_matches;
use crate::rules::Color;
use crate::store::store::Survey;
use crate::store::update::update;
use crate::{Error, clock};

/// `parapost forget`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost forget anna@example.org --yes

In each match of this player the name and the addresses become 'Player N', and so do
the player's words. The moves and the results stay. Mail that is owed to the player
is dropped. It cannot be undone. What is outside the matches stays: mail that was
sent, the outbox folder, backups, files that were exported.

A match that goes on is refused: the player resigns first. Without --yes it says
what it would do.

Exit status: 0 if every match is changed; 1 if one is not.")]
pub(super) struct Forget {
    /// The addresses of the player
    #[arg(value_name = "ADDRESS", required = true)]
    pub(super) addresses: Vec<Address>,
    /// Do it
    #[arg(long)]
    pub(super) yes: bool,
}

pub(super) fn run(args: &Forget, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    let now = clock::now()?;
    let mut status = Status::Done;
    let mut found: BTreeMap<Id, bool> = BTreeMap::new();
    for address in &args.addresses {
        let survey = store.by_address(address)?;
        for stored in survey.matches {
            found.insert(stored.game.id().clone(), stored.game.turn().is_some());
        }
        for (_, damaged) in survey.damaged {
            context.say(format_args!("parapost: {damaged}"));
            status = Status::Refused;
        }
    }
    let running: Vec<&str> = found
        .iter()
        .filter(|(_, goes_on)| **goes_on)
        .map(|(id, _)| id.as_str())
        .collect();
    if !running.is_empty() {
        return Err(Error::refused(format!(
            "{}: the player resigns first, by mail or by 'parapost resign', or the opponent would wait in vain",
            running.join(", ")
        )));
    }
    if found.is_empty() {
        context.say("There is no match of this player.");
        return Ok(status.or_worse(Status::Refused));
    }
    let matches = counted_matches(found.len());
    if !args.yes {
        let ids: Vec<&str> = found.keys().map(Id::as_str).collect();
        let ids = ids.join(", ");
        context.say(format_args!(
            "This would change {matches}, for good: {ids}\nSay --yes to do it."
        ));
        return Ok(status);
    }
    let survey = store.survey()?;
    let number = next_number(&survey);
    let mut stranger = Stranger::new(number)?;
    for stored in &survey.matches {
        let game = &stored.game;
        stranger.know(game, &sides(game, &args.addresses));
    }
    // The words about the player in others' matches go first: after a break the player is
    // still found, and all is done again.
    let mut others = Vec::new();
    for stored in &survey.matches {
        let id = stored.game.id();
        if !found.contains_key(id) && stored.game.cleared_of(&stranger, now)?.is_some() {
            others.push(id);
        }
    }
    let cleared = others.len();
    for id in others.into_iter().chain(found.keys()) {
        let from = store.read_to_change(id)?;
        update(&*store, from, |game| {
            let sides = sides(game, &args.addresses);
            if !sides.is_empty() {
                *game = game.forgetting(&sides, &stranger, now)?;
            } else if let Some(other) = game.cleared_of(&stranger, now)? {
                *game = other;
            }
            Ok(())
        })?;
    }
    for (_, damaged) in &survey.damaged {
        context.say(format_args!("parapost: not searched: {damaged}"));
        status = Status::Refused;
    }
    if cleared > 0 {
        let matches = counted_matches(cleared);
        context.say(format_args!(
            "Player {number} in others' words in {matches}"
        ));
    }
    context.say(format_args!("Player {number} in {matches}"));
    Ok(status)
}

fn sides(game: &Match, addresses: &[Address]) -> Vec<Color> {
    let speaks = |color: &Color| {
        let mut addresses = addresses.iter();
        addresses.any(|address| game.speaks_for(*color, address))
    };
    Color::ALL.into_iter().filter(speaks).collect()
}

/// Returns the number of the next player to be forgotten.
fn next_number(survey: &Survey) -> usize {
    let numbers = survey.matches.iter();
    let last = numbers.filter_map(|stored| stored.game.forgotten()).max();
    last.unwrap_or_default() + 1
}
