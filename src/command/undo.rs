//! `parapost undo`: takes back the user's own last move, or a resignation, while
//! nobody knows of it.

use std::cell::RefCell;

use clap::Args;

use crate::Error;
use crate::command::context::Context;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::ending::Ending;
use crate::matches::event::{Event, LogEntry};
use crate::matches::mail::NewMail;
use crate::matches::r#match::Match;
use crate::referee::session::Session;
use crate::store::attempts::Attempts;
use crate::store::update::update_by;

/// `parapost undo`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost undo k7f3qd")]
pub(super) struct Undo {
    /// The match
    pub(super) id: Id,
}

pub(super) fn run(args: &Undo, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    // Reports a missing match before the lock creates a file for it.
    session.store.read(&args.id)?;
    let attempts = RefCell::new(Attempts::open(session.store.sending(&args.id)?)?);
    let take_back = |game: &mut Match| {
        let sides = game.sides_of(&session.me.player);
        let resigned = match game.ending() {
            Some(Ending::Resigned(side)) if sides.contains(&side) => Some(side),
            _ => None,
        };
        let side = match (resigned, sides.as_slice()) {
            (Some(side), _) => side,
            (None, [_, _]) => !game.position().turn(),
            (None, _) => session.side(game)?,
        };
        let refused = game.undelivered().iter().map(|refused| &refused.mail);
        let mut unsent = game.owed().iter().chain(refused);
        if unsent.any(|mail| attempts.borrow().may_have_gone(&mail.msg)) {
            return Err(Error::refused(format!(
                "{}: a mail was being sent when the program or the mail server stopped, and may have gone; 'parapost send {}' sends it again",
                args.id, args.id
            )));
        }
        let owed = game.owed().to_vec();
        let (undo, undone) = if resigned.is_some() {
            (Event::UndoResignation, "the resignation".to_owned())
        } else {
            let last = game.record().steps().last();
            (
                Event::Undo,
                last.map(ToString::to_string).unwrap_or_default(),
            )
        };
        game.push(LogEntry::new(session.now, undo, side))?;
        // `undo` also drops the answers to messages that came since the move,
        // because they would tell of it. They are owed again.
        for owed in owed.iter().filter(|owed| owed.automatic) {
            if !game.owed().contains(owed) {
                game.owe(session.now, NewMail::again(owed), &session.ids)?;
            }
        }
        Ok(undone)
    };
    let store = &*session.store;
    let from = store.read_to_change(&args.id)?;
    let save = |game: &_, base: &_| attempts.borrow_mut().change(store, game, base);
    let (undone, _) = update_by(from, take_back, save)?;
    context.say(format_args!("{}: {undone} is taken back", args.id));
    Ok(Status::Done)
}
