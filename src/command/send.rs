//! `parapost send`: sends the owed mail.

use std::time::{Duration, Instant};
use std::{mem, thread};

use clap::Args;

use crate::Error;
use crate::command::context::Context;
use crate::command::delivery::{
    Delivered, Mailer, Outlet, Which, deliver_if_free, tell_of_untried,
};
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::mail::{MailKind, NewMail};
use crate::plural::counted;
use crate::referee::session::Session;
use crate::rules::Color;
use crate::store::store::Stored;

/// `parapost send`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost send
  parapost send --resend k7f3qd")]
pub(super) struct Send {
    /// The matches [default: all]
    pub(super) ids: Vec<Id>,
    /// Send the current position of this match again
    #[arg(long, value_name = "ID", conflicts_with = "ids")]
    pub(super) resend: Option<Id>,
    /// Write the mail to standard output instead; that counts as sent
    #[arg(long)]
    pub(super) print: bool,
}

/// The time until the mail that another process was sending is looked at again.
const PAUSE: Duration = Duration::from_millis(500);

pub(super) fn run(args: &Send, context: &mut Context<'_>) -> Result<Status, Error> {
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
    let outlet = if args.print {
        outlet_of_print(&session, &ids, which)?
    } else {
        Outlet::Configured
    };
    let mut mailer = Mailer::new(&session, outlet);
    let mut status = Status::Done;
    let mut ids = ids.into_iter();
    let deadline = Instant::now() + context.wait();
    // The matches whose mail another process sends, which hold up no other.
    let mut busy = Vec::new();
    // One match after the other is in memory: an outage leaves mail in thousands.
    loop {
        let Some(id) = ids.next() else {
            if busy.is_empty() {
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            thread::sleep(PAUSE.min(left));
            ids = mem::take(&mut busy).into_iter();
            continue;
        };
        let Some(stored) = find(&session, &id, which) else {
            continue;
        };
        let is_last_look = Instant::now() >= deadline;
        let delivered =
            stored.and_then(|stored| deliver_if_free(context, &mut mailer, stored, which));
        match delivered {
            Ok(Delivered {
                busy: Some(error), ..
            }) if is_last_look => context.say_trouble(&error, &mut status),
            Ok(Delivered { busy: Some(_), .. }) => busy.push(id),
            Ok(delivered) => {
                if !delivered.sent.is_empty() && outlet == Outlet::Configured {
                    let gone = counted(delivered.sent.len(), "mail");
                    context.say(format_args!("{id}: {gone} sent"));
                }
                status = status.or_worse(delivered.status);
                if delivered.is_set_up_broken {
                    tell_of_untried(ids.len() + busy.len(), context);
                    break;
                }
            }
            Err(error) => context.say_trouble(&context.suggesting(error), &mut status),
        }
    }
    Ok(status)
}

/// Reads a match, if it is still there.
fn find(session: &Session, id: &Id, which: Which) -> Option<Result<Stored, Error>> {
    match which {
        // The index may be out of date.
        Which::Due => session.store.find(id).transpose(),
        Which::All => Some(session.store.read(id)),
    }
}

/// Chooses the output of `--print`. A single message is printed unchanged; several become
/// entries of an mbox file, since nothing else would separate them.
///
/// # Errors
///
/// If the number of messages cannot be determined now.
fn outlet_of_print(session: &Session, ids: &[Id], which: Which) -> Result<Outlet, Error> {
    let mut owed = 0;
    for id in ids {
        match find(session, id, which) {
            Some(Ok(stored)) => owed += stored.game.owed().len(),
            Some(Err(error)) if error.is_transient() => return Err(error),
            // Such a match has no mail that can be sent; sending reports why.
            Some(Err(_)) | None => {}
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
            if game.is_forgotten(to) {
                continue;
            }
            let mail = NewMail::new(MailKind::Position, to).answering(game.last_received(to));
            game.owe(session.now, mail, &session.ids)?;
        }
        Ok(())
    })?;
    Ok(())
}
