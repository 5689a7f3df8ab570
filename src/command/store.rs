//! The matches as they are kept: `parapost store` prepares their place; `export` and `import` copy
//! them to a folder and back, byte by byte, or write what is kept of one person; `name` corrects a
//! name; `forget` takes a player's name, addresses and words out of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use lettre::Address;

use crate::command::context::{Context, Status};
use crate::command::{database, last_mail};
use crate::config::store::StoreSettings;
use crate::limits::STATE_FILE;
use crate::mail::files;
use crate::mail::files::replace::replace_for_user;
use crate::match_id::Id;
use crate::matches::event::{LogEntry, Who};
use crate::matches::forget::Stranger;
use crate::matches::r#match::Match;
use crate::matches::player::{Player, is_nobodys, mailbox};
use crate::matches::terms;
use crate::notation::diagram::Diagram;
use crate::notation::header;
use crate::notation::move_list::MoveList;
use crate::printable::counted_matches;
use crate::rules::Color;
use crate::shell;
use crate::store::folder::Folder;
use crate::store::place::{id_of, is_like_match};
use crate::store::store;
use crate::store::store::update;
use crate::{Error, clock};

/// `parapost store`
#[derive(Args, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Example:
  parapost store setup"
)]
pub(super) struct Store {
    /// What to do.
    #[command(subcommand)]
    action: StoreAction,
}

/// What is done to the place of the matches.
#[derive(Subcommand, Clone, Copy, Debug)]
enum StoreAction {
    /// Make the tables in the configured database, or bring those of an earlier
    /// version up to date
    Setup,
}

pub(super) fn run(args: &Store, context: &mut Context<'_>) -> Result<Status, Error> {
    let StoreAction::Setup = args.action;
    let config = context.config()?;
    let StoreSettings::Postgres(settings) = &config.store else {
        return Err(Error::refused(format!(
            "matches are kept in a folder, which needs no setup; [store] kind = \"postgres\" in {} names a database",
            config.path.display()
        )));
    };
    let (place, is_done) = database::set_up(settings, context.wait())?;
    let said = if is_done { "made" } else { "there already" };
    context.say(format_args!("{place}: the tables are {said}"));
    Ok(Status::Done)
}

/// `parapost export`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/export.txt").trim_ascii_end())]
pub(super) struct Export {
    /// Write what is kept of the person with this address, and nothing of others
    #[arg(long, value_name = "ADDRESS")]
    person: Option<Address>,
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// `parapost import`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost import games
  parapost import 'k7f3qd (conflicted copy).txt'

Brings the matches of a folder, or the match of a file, to where matches are
kept, byte by byte, damaged ones of a folder too. A match that is there already
and differs is left as it is, and named. A file may have any name: its 'Id:'
line names the match.

Exit status: 0 if every match is there; 1 if one is not.")]
pub(super) struct Import {
    /// The folder, as 'parapost export' makes it or as --games names it, or the
    /// file of a match
    #[arg(value_name = "DIR|FILE")]
    path: PathBuf,
}

pub(super) fn export(args: &Export, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    if let Some(address) = &args.person {
        return export_person(&*store, address, &args.folder, context);
    }
    copy(&*store, &Folder::new(&args.folder, context.wait()), context)
}

pub(super) fn import(args: &Import, context: &mut Context<'_>) -> Result<Status, Error> {
    let path = &args.path;
    let failed = |error| Error::file(path, &error);
    if !files::is_folder(path).map_err(failed)? {
        return match files::read_stable(path, STATE_FILE) {
            Ok((text, _)) => import_file(path, &text, context),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(Error::refused(format!(
                "{}: there is no such file or folder",
                path.display()
            ))),
            Err(error) => Err(failed(error)),
        };
    }
    let folder = Folder::new(path, context.wait());
    copy(&folder, &*context.store()?, context)
}

/// Brings the match of a file to where matches are kept.
fn import_file(path: &Path, text: &[u8], context: &mut Context<'_>) -> Result<Status, Error> {
    let path = path.display();
    let id =
        id_of(text).ok_or_else(|| Error::refused(format!("{path}: there is no match in it")))?;
    Match::read(text, &id).map_err(|error| Error::refused(format!("{path}: {error}")))?;
    let store = context.store()?;
    if store.add_text(&id, text)? {
        context.say(format_args!("match {id} copied to {}", store.place()));
    } else if store.text(&id)?.is_some_and(|there| there == text) {
        context.say(format_args!("match {id} is there already"));
    } else {
        return Err(Error::refused(format!(
            "{}: there is another text of the match {id}, which stays as it is; to compare the two: parapost verify {id} {}",
            store.name_of(&id),
            shell::quote(&path.to_string())
        )));
    }
    Ok(Status::Done)
}

/// The outcome for one match.
enum Copied {
    /// It is there now.
    Added,
    /// It was there already, byte by byte the same.
    Same,
    /// Its text is none of a match.
    NoMatch,
}

/// Copies all matches, and says which could not be. What is there already stays as it is.
///
/// # Errors
///
/// If the matches cannot be listed.
fn copy(
    from: &dyn store::Store,
    to: &dyn store::Store,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let mut status = Status::Done;
    let (mut added, mut same, mut refused) = (0, 0, 0);
    for id in from.ids()? {
        match copy_one(from, to, &id) {
            Ok(Copied::Added) => added += 1,
            Ok(Copied::Same) => same += 1,
            Ok(Copied::NoMatch) => context.say(format_args!(
                "parapost: {}: this is no match, and is passed over",
                from.name_of(&id)
            )),
            Err(error) => {
                context.say_trouble(&error, &mut status);
                refused += 1;
            }
        }
    }
    let matches = match added {
        1 => "one match".to_owned(),
        several => format!("{several} matches"),
    };
    let mut said = vec![format!("{matches} copied to {}", to.place())];
    if same > 0 {
        said.push(format!("{same} there already"));
    }
    if refused > 0 {
        said.push(format!("{refused} not copied"));
    }
    context.say(said.join(", "));
    Ok(status)
}

/// Copies a match, and what is known of the attempts to send its mail: else a move could
/// be taken back whose mail may have gone.
fn copy_one(from: &dyn store::Store, to: &dyn store::Store, id: &Id) -> Result<Copied, Error> {
    let Some(text) = from.text(id)? else {
        // Somebody has taken it away meanwhile.
        return Ok(Copied::NoMatch);
    };
    if !is_like_match(&text) {
        return Ok(Copied::NoMatch);
    }
    let has_mail = Match::read(&text, id).is_ok_and(|game| {
        game.owes() || !game.undelivered().is_empty() || !game.refused_articles().is_empty()
    });
    let attempts = if has_mail {
        from.sending(id)?.text()?
    } else {
        String::new()
    };
    let is_added = to.add_text(id, &text)?;
    if !is_added && to.text(id)?.is_none_or(|there| there != text) {
        return Err(Error::refused(format!(
            "{}: there is another match {id}, which stays as it is",
            to.name_of(id)
        )));
    }
    if !attempts.is_empty() {
        let mut sending = to.sending(id)?;
        // An earlier run may have ended before it came to this.
        if sending.text()?.is_empty() {
            sending.set_text(&attempts)?;
        }
    }
    Ok(if is_added {
        Copied::Added
    } else {
        Copied::Same
    })
}

/// Writes a file for each match of the person.
///
/// # Errors
///
/// If the matches cannot be listed, or a file cannot be written.
fn export_person(
    store: &dyn store::Store,
    address: &Address,
    folder: &Path,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let survey = store.by_address(address)?;
    let status = say_damaged(&survey, "", context);
    if survey.matches.is_empty() {
        context.say("There is no match of this person.");
        return Ok(Status::Refused);
    }
    files::make_folder(folder).map_err(|error| Error::file(folder, &error))?;
    for stored in &survey.matches {
        let game = &stored.game;
        let sides = game.proven_sides(address);
        let text = if sides.is_empty() {
            text_of_claim(game, address)
        } else {
            text(game, &sides)
        };
        let path = folder.join(format!("{}.txt", game.id()));
        replace_for_user(&path, text.as_bytes()).map_err(|error| Error::file(&path, &error))?;
    }
    let matches = counted_matches(survey.matches.len());
    context.say(format_args!("{matches} written to {}", folder.display()));
    Ok(status)
}

/// Tells of the matches that cannot be read. Returns the status that this comes to.
fn say_damaged(survey: &store::Survey, prefix: &str, context: &mut Context<'_>) -> Status {
    for (_, damaged) in &survey.damaged {
        context.say(format_args!("parapost: {prefix}{damaged}"));
    }
    Status::of_check(survey.damaged.is_empty())
}

/// Writes what is kept of the player of these sides.
fn text(game: &Match, sides: &[Color]) -> String {
    let mut text = format!("Match: {}\n", game.id());
    for color in Color::ALL {
        let player = game.player(color);
        let side = game.variant().player(color);
        let line = if sides.contains(&color) {
            game.proven_player(color).to_string()
        } else {
            player.given_name().to_owned()
        };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}", format!("{side}: {line}").trim_end());
    }
    let _ = writeln!(text, "Started: {}", clock::write(game.started()));
    let result = game.ending().map_or("*".to_owned(), |end| end.to_string());
    let _ = writeln!(text, "Result: {result}");
    for part in [
        header::write(game.variant()),
        Diagram::of(game.position()).to_string(),
        MoveList::of(game.record()).to_string(),
    ] {
        if !part.is_empty() {
            let _ = write!(text, "\n{part}");
        }
    }
    text.push_str("\nWhat the log has of this player:\n\n");
    let own = |event: &&LogEntry| sides.iter().any(|side| event.who == Who::Player(*side));
    for event in game.log().iter().filter(own) {
        let _ = writeln!(text, "{}", shown(event).line());
    }
    text
}

/// Writes what is kept of an address that a player of a match only claims. That player may be
/// somebody else.
fn text_of_claim(game: &Match, address: &Address) -> String {
    let mut text = format!(
        "Match: {}\nStarted: {}\n\nA player of this match has named the address {address}. No letter from there has confirmed it.\n\nWhat the log has of this address:\n\n",
        game.id(),
        clock::write(game.started())
    );
    let is_same = |value: &str| {
        let value = value.parse::<Address>();
        value.is_ok_and(|value| mailbox(&value) == mailbox(address))
    };
    for event in game.log() {
        let names = ["from", "to"]
            .iter()
            .any(|key| event.get(key).is_some_and(is_same));
        if names {
            let shown = event
                .clone()
                .with_values(|_, value| is_same(&value).then_some(value));
            let _ = writeln!(text, "{}", shown.line());
        }
    }
    text
}

/// Returns a line of the log without the words of others, and without our Message-IDs,
/// which prove who wrote.
fn shown(event: &LogEntry) -> LogEntry {
    let event = event.clone();
    if event.is_of_outgoing_mail() {
        event.with_values(|key: &str, value| matches!(key, "to" | "at").then_some(value))
    } else {
        event
    }
}

/// `parapost name`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost name k7f3qd black 'Ben Weiss'
  parapost name k7f3qd event 'Club cup, round 2'

The name changes in your file and in your later mails. Your opponent's file keeps what it has.
Addresses stay as they are.")]
pub(super) struct Name {
    /// The match
    id: Id,
    /// Whose name it is
    #[arg(value_enum)]
    of: Named,
    /// The name
    #[arg(value_name = "NAME", required = true)]
    words: Vec<String>,
}

/// What has a name in a match.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Named {
    /// The first player
    White,
    /// The second player
    Black,
    /// The event
    Event,
}

pub(super) fn name(args: &Name, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    let now = clock::now()?;
    let name = args.words.join(" ");
    let (of, side) = match args.of {
        Named::White => ("White", Some(Color::White)),
        Named::Black => ("Black", Some(Color::Black)),
        Named::Event => ("the event", None),
    };
    update(&*store, store.read_to_change(&args.id)?, |game| {
        let mut settings = game.settings.clone();
        let (who, before) = if let Some(side) = side {
            let player = game.player(side);
            if name.trim().is_empty() {
                return Err(Error::usage("the name is empty"));
            }
            if player.level().is_some() || game.is_forgotten(side) {
                return Err(Error::refused(format!("{}: {of} is no person", args.id)));
            }
            let renamed = Player::new(&name, player.addresses().to_vec());
            settings.players[side.index()] = renamed.map_err(|error| Error::usage(error.why()))?;
            (Who::Player(side), player.name().to_owned())
        } else {
            let event = terms::event(&name).ok_or_else(|| Error::usage(terms::NO_EVENT))?;
            settings.event = Some(event);
            let before = game.settings.event.clone();
            (Who::Nobody, before.unwrap_or_default())
        };
        if settings != game.settings {
            *game = game.renamed(settings, who, &before, now)?;
        }
        Ok(())
    })?;
    context.say(format_args!("{}: {of} is {name}", args.id));
    Ok(Status::Done)
}

/// `parapost forget`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/forget.txt").trim_ascii_end())]
pub(super) struct Forget {
    /// The addresses of the player
    #[arg(value_name = "ADDRESS", required = true)]
    addresses: Vec<Address>,
    /// Do it
    #[arg(long)]
    yes: bool,
}

pub(super) fn forget(args: &Forget, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    let now = clock::now()?;
    let mut status = Status::Done;
    let mut found: BTreeMap<Id, bool> = BTreeMap::new();
    // Matches of players who have named one of the addresses but may be other people.
    let mut claimed: BTreeSet<Id> = BTreeSet::new();
    if let Some(address) = args.addresses.iter().find(|address| is_nobodys(address)) {
        return Err(Error::usage(format!("'{address}' is nobody's address")));
    }
    for address in &args.addresses {
        let survey = store.by_address(address)?;
        for stored in &survey.matches {
            let game = &stored.game;
            if game.proven_sides(address).is_empty() {
                claimed.insert(game.id().clone());
            } else {
                found.insert(game.id().clone(), game.turn().is_some());
            }
        }
        status = status.max(say_damaged(&survey, "", context));
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
    claimed.retain(|id| !found.contains_key(id));
    if found.is_empty() && claimed.is_empty() {
        context.say("There is no match of this player.");
        return Ok(status.max(Status::Refused));
    }
    let matches = counted_matches(found.len());
    if !args.yes {
        let ids: BTreeSet<&str> = found.keys().chain(&claimed).map(Id::as_str).collect();
        let matches = counted_matches(ids.len());
        let ids: Vec<&str> = ids.into_iter().collect();
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
        stranger.know(game, &game.proven_sides_of_any(&args.addresses));
    }
    stranger.know_addresses(&args.addresses);
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
        update(&*store, store.read_to_change(id)?, |game| {
            let sides = game.proven_sides_of_any(&args.addresses);
            if !sides.is_empty() {
                *game = game.forgetting(&sides, &stranger, now)?;
            } else if let Some(other) = game.cleared_of(&stranger, now)? {
                *game = other;
            }
            Ok(())
        })?;
        last_mail::forget(context.sent(&*store).as_deref(), id);
    }
    status = status.max(say_damaged(&survey, "not searched: ", context));
    if cleared > 0 {
        let matches = counted_matches(cleared);
        context.say(format_args!(
            "Player {number} in others' words in {matches}"
        ));
    }
    if !found.is_empty() {
        context.say(format_args!("Player {number} in {matches}"));
    }
    Ok(status)
}

/// Returns the number of the next player to be forgotten.
fn next_number(survey: &store::Survey) -> usize {
    let numbers = survey.matches.iter();
    let last = numbers.filter_map(|stored| stored.game.forgotten()).max();
    last.unwrap_or_default() + 1
}
