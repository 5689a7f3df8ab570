//! `parapost send`: sends the owed mail.

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::delivery::{Outlet, deliver};
use crate::command::session::Session;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::r#match::NewMail;
use crate::rules::Color;

pub(super) fn run(args: &args::Send, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let ids = match &args.resend {
        Some(id) => {
            owe_again(&session, id)?;
            vec![id.clone()]
        }
        None if args.ids.is_empty() => session.store.owing()?,
        None => args.ids.clone(),
    };
    let outlet = outlet(args.print, &session, &ids)?;
    let mut status = Status::Done;
    for id in &ids {
        match deliver(context, &session, id, outlet) {
            Ok(0) => {}
            Ok(gone) => {
                if outlet == Outlet::Configured {
                    let what = if gone == 1 { "mail" } else { "mails" };
                    context.say(format_args!("{id}: {gone} {what} sent"));
                }
            }
            // Trouble with one match must not stop the others.
            Err(error) => {
                context.say(format_args!("parapost: {error}"));
                if status != Status::Later {
                    status = Status::from(&error);
                }
            }
        }
    }
    Ok(status)
}

/// Chooses the output. A single message is printed unchanged; several become
/// entries of an mbox file, since nothing else would separate them.
///
/// # Errors
///
/// If the number of messages cannot be determined now.
fn outlet(print: bool, session: &Session, ids: &[Id]) -> Result<Outlet, Error> {
    if !print {
        return Ok(Outlet::Configured);
    }
    let mut owed = 0;
    for id in ids {
        match session.store.read(id) {
            Ok(stored) => owed += stored.game.owed().len(),
            Err(error) if error.is_transient() => return Err(error),
            // Such a match has no mail that can be sent; sending reports why.
            Err(_) => {}
        }
    }
    Ok(match owed {
        0 | 1 => Outlet::Print,
        _ => Outlet::PrintMbox,
    })
}

/// Owes the current position again: to the user's opponent, or from a referee
/// to the player to move, or to both once the match is over.
fn owe_again(session: &Session, id: &Id) -> Result<(), Error> {
    session.change(id, |game| {
        let recipients = match (session.side_or_referee(game)?, game.turn()) {
            (Some(side), _) => vec![!side],
            (None, Some(turn)) => vec![turn],
            (None, None) => Color::ALL.to_vec(),
        };
        for to in recipients {
            let mail = NewMail::new("position", to).answering(game.last_received(to));
            game.owe(session.now, mail, &session.ids)?;
        }
        Ok(())
    })?;
    Ok(())
}
