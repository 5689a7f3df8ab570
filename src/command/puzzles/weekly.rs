//! `parapost puzzles weekly`: the puzzle of the week, to the players who have asked for it.
//!
//! Everything that it has to know stands in the logs of the matches: who wishes what, and who got
//! which puzzle when. A mail is owed there before it goes, as every other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Datelike as _, IsoWeek, Utc};
use clap::Args;

use crate::Error;
use crate::command::context::{Context, Progress, Status};
use crate::command::delivery::send_due;
use crate::command::puzzles::finder::{Finder, NODES, as_first, name};
use crate::command::puzzles::memory::{self, Memory};
use crate::config;
use crate::config::UserRole;
use crate::engine::{Limits, Puzzle};
use crate::mail::files;
use crate::match_id::Id;
use crate::matches::event::{LogEntry, Who};
use crate::matches::mail::{MailedPuzzle, NewMail};
use crate::matches::r#match::Match;
use crate::printable::counted;
use crate::referee::session::Session;
use crate::render::puzzle::{PuzzleOrigin, PuzzleView};
use crate::rules::Color;
use crate::store::store::Store;

/// `parapost puzzles weekly`
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/weekly.txt").trim_ascii_end())]
pub(super) struct Weekly {
    /// Send the mail now
    #[arg(long)]
    send: bool,
}

/// What somebody at a mailbox has wished last about puzzles.
struct Wish {
    time: DateTime<Utc>,
    /// The match and the side by which the puzzles go out; none if none are wanted.
    to: Option<(Id, Color)>,
}

/// What the logs of the matches tell of the puzzles.
struct Subscribers {
    week: IsoWeek,
    /// The last wish of each mailbox.
    wishes: BTreeMap<String, Wish>,
    /// The mailboxes to which one was mailed in this week.
    served: BTreeSet<String>,
    /// The puzzles that were ever mailed.
    mailed: BTreeSet<String>,
    /// The one of this week, if it was mailed to anybody.
    of_week: Option<(MailedPuzzle, String)>,
}

impl Subscribers {
    /// Takes what a match tells. Of two wishes of the same second the one for less counts.
    fn take(&mut self, game: &Match) {
        for event in game.log() {
            let Who::Player(side) = event.who else {
                continue;
            };
            let is_reachable = !game.is_forgotten(side) && game.has_mailbox(side);
            let mailbox = is_reachable.then(|| mailbox(game, side));
            if let Some(wants) = event.puzzle_wish()
                && let Some(mailbox) = mailbox
            {
                let to = (wants && game.takes_mail(side)).then(|| (game.id().clone(), side));
                let known = self.wishes.get(&mailbox);
                let is_newer = known.is_none_or(|known| {
                    known.time < event.time || known.time == event.time && to.is_none()
                });
                if is_newer {
                    let time = event.time;
                    self.wishes.insert(mailbox, Wish { time, to });
                }
            } else if event.owes_puzzle() {
                let text = |key| event.get(key).unwrap_or_default().to_owned();
                let (name, solution) = (text("puzzle"), text("solution"));
                self.mailed.insert(name.clone());
                if event.time.iso_week() == self.week {
                    self.served.extend(mailbox);
                    let puzzle = MailedPuzzle { name, solution };
                    self.of_week.get_or_insert((puzzle, text("text")));
                }
            }
        }
    }

    /// Returns the matches and the sides by which the puzzle is still to go out.
    fn due(&self) -> Vec<(Id, Color)> {
        let wishes = self.wishes.iter();
        let unserved = wishes.filter(|(mailbox, _)| !self.served.contains(*mailbox));
        unserved.filter_map(|(_, wish)| wish.to.clone()).collect()
    }
}

/// Returns what tells mailboxes apart.
fn mailbox(game: &Match, side: Color) -> String {
    game.home(side).to_string().to_lowercase()
}

pub(super) fn run(args: &Weekly, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if session.me.role != UserRole::Referee {
        return Err(Error::refused(
            "only a referee mails puzzles: 'role = \"referee\"' in the section [me] of the configuration makes you one",
        ));
    }
    let week = session.now.iso_week();
    let mut subscribers = Subscribers {
        week,
        wishes: BTreeMap::new(),
        served: BTreeSet::new(),
        mailed: BTreeSet::new(),
        of_week: None,
    };
    let mut status = Status::Done;
    let store = Arc::clone(&session.store);
    let ids = store.ids()?;
    // One match after the other is in memory.
    for id in &ids {
        match store.read(id) {
            Ok(stored) => subscribers.take(&stored.game),
            Err(error) => context.say_trouble(&error, &mut status),
        }
    }
    let due = subscribers.due();
    let said = format!("puzzle of the week {}", session.now.format("%G-W%V"));
    if due.is_empty() {
        context.say(format_args!("{said}: nobody is still to get it"));
        return Ok(status);
    }
    let found = match subscribers.of_week.clone() {
        Some(found) => Some(found),
        None => next(&*store, &ids, &subscribers.mailed, context)?,
    };
    let Some((puzzle, post)) = found else {
        context.say(format_args!(
            "{said}: none is left that was not mailed before"
        ));
        return Ok(status);
    };
    let mut owed = Vec::new();
    for (id, side) in due {
        match owe(&session, &id, side, (&puzzle, &post)) {
            Ok(true) => owed.push(id),
            Ok(false) => {}
            Err(error) => context.say_trouble(&error, &mut status),
        }
    }
    let mails = counted(owed.len(), "mail");
    if !args.send {
        context.say(format_args!("{said}: {mails} owed; 'parapost send' sends"));
        return Ok(status);
    }
    let (of_mail, sent) = send_due(&session, owed, context);
    status = status.max(of_mail);
    context.say(format_args!("{said}: {sent} of {mails} sent"));
    Ok(status)
}

/// Owes the puzzle of the week to a player. Returns false if others were faster.
fn owe(
    session: &Session,
    id: &Id,
    side: Color,
    (puzzle, post): (&MailedPuzzle, &str),
) -> Result<bool, Error> {
    let week = session.now.iso_week();
    let (is_owed, _) = session.change(id, |game| {
        let mut own = game.log().iter().filter(|event| event.who == side.into());
        let is_served = own
            .clone()
            .any(|event| event.owes_puzzle() && event.time.iso_week() == week);
        let wish = own.rfind(|event| event.puzzle_wish().is_some());
        let is_wanted = wish.and_then(LogEntry::puzzle_wish) == Some(true);
        if is_served || !is_wanted || !game.takes_mail(side) {
            return Ok(false);
        }
        let mail = NewMail::of_puzzle(side, puzzle.clone(), post.to_owned());
        game.owe(session.now, mail, &session.ids)?;
        Ok(true)
    })?;
    Ok(is_owed)
}

/// Returns the first puzzle that was not mailed before, with its post: one of a finished match, else
/// one that the program brings. It has no names, which would stay in the log of another match when
/// a player is forgotten.
fn next(
    store: &dyn Store,
    ids: &[Id],
    mailed: &BTreeSet<String>,
    context: &mut Context<'_>,
) -> Result<Option<(MailedPuzzle, String)>, Error> {
    let mut finder = Finder::new(NODES, remembered(), mailed.clone());
    let mut found = None;
    let mut progress = Progress::new(context.is_terminal, "matches");
    progress.expect(ids.len() as u64);
    for id in ids {
        // One that cannot be read was named before.
        if let Ok(stored) = store.read(id) {
            found = finder.take(&stored.game)?.into_iter().next();
        }
        progress.advance(1);
        progress.count();
        if found.is_some() {
            break;
        }
    }
    progress.clear();
    Ok(found.or_else(|| sample(mailed)).map(|view| mail(&view)))
}

/// Opens what is remembered of the matches that were searched, so that each is searched once. It is
/// kept among what the user's programs can make again; without a place for it nothing is lost but
/// time.
fn remembered() -> Memory {
    let open = || {
        let folder = config::cache_folder().ok()?;
        files::make_folder(&folder).ok()?;
        Memory::open(folder.join(memory::FILE)).ok()
    };
    open().unwrap_or_default()
}

/// Returns the first puzzle of the program's own that was not mailed before.
fn sample(mailed: &BTreeSet<String>) -> Option<PuzzleView> {
    Puzzle::samples().find_map(|(position, _)| {
        let position = as_first(&position)?;
        let name = name(&position);
        if mailed.contains(&name) {
            return None;
        }
        let puzzle = Puzzle::of(&position, &Limits::nodes(NODES)).ok()?;
        Some(PuzzleView {
            origin: PuzzleOrigin {
                id: name.parse().ok()?,
                ply: 0,
                players: Default::default(),
                played: None,
            },
            name,
            plies: u32::try_from(puzzle.line.len()).ok()?,
            position,
            line: puzzle.line,
            is_line_unique: puzzle.is_line_unique,
        })
    })
}

/// Writes what a mail has of a puzzle.
fn mail(view: &PuzzleView) -> (MailedPuzzle, String) {
    let nameless = PuzzleView {
        origin: PuzzleOrigin {
            players: Default::default(),
            ..view.origin.clone()
        },
        ..view.clone()
    };
    let puzzle = MailedPuzzle {
        name: view.name.clone(),
        solution: nameless.solution(),
    };
    (puzzle, nameless.post().trim_end().to_owned())
}
