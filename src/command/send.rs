//! `parapost send`: sends the owed mail.

use crate::Error;
use crate::args;
use crate::command::context::Context;
use crate::command::delivery::{Mailer, Outlet, Which, deliver};
use crate::command::session::Session;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::r#match::NewMail;
use crate::rules::Color;
use crate::store::store::Stored;

pub(super) fn run(args: &args::Send, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let (ids, which) = match &args.resend {
        Some(id) => {
            owe_again(&session, id)?;
            (vec![id.clone()], Which::All)
        }
        // Without a name, as a timer runs it, mail that has failed waits.
        None if args.ids.is_empty() => (session.store.owing()?, Which::Due),
        None => (args.ids.clone(), Which::All),
    };
    let mut matches = Vec::new();
    for id in ids {
        let stored = match which {
            // What an index has may be out of date.
            Which::Due => session.store.find(&id).transpose(),
            Which::All => Some(session.store.read(&id)),
        };
        matches.extend(stored.map(|stored| (id, stored)));
    }
    let outlet = outlet(args.print, &matches)?;
    let mut mailer = Mailer::new(&session, outlet);
    let mut status = Status::Done;
    for (id, stored) in matches {
        let delivered = stored.and_then(|stored| deliver(context, &mut mailer, stored, which));
        match delivered {
            Ok(delivered) => {
                let gone = delivered.sent.len();
                if gone > 0 && outlet == Outlet::Configured {
                    let what = if gone == 1 { "mail" } else { "mails" };
                    context.say(format_args!("{id}: {gone} {what} sent"));
                }
                status = status.or_worse(delivered.status);
            }
            // Trouble with one match must not stop the others.
            Err(error) => {
                context.say(format_args!("parapost: {error}"));
                status = status.or_worse(Status::from(&error));
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
fn outlet(print: bool, matches: &[(Id, Result<Stored, Error>)]) -> Result<Outlet, Error> {
    if !print {
        return Ok(Outlet::Configured);
    }
    let mut owed = 0;
    for (_, stored) in matches {
        match stored {
            Ok(stored) => owed += stored.game.owed().len(),
            Err(error) if error.is_transient() => return Err(error.clone()),
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
