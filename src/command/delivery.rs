//! Sending what is owed: the one way by which mail leaves.

use crate::Error;
use crate::args::Delivery;
use crate::command::context::Context;
use crate::command::session::Session;
use crate::config::transport::Transport;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::{self, Failure};
use crate::store::store::Sending;
use crate::store::update::update;

/// Where mail goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outlet {
    /// As the configuration says.
    Configured,
    /// To standard output, as it is.
    Print,
    /// To standard output, each message as an entry of an mbox file.
    PrintMbox,
}

impl Outlet {
    /// Where a command's options say that mail goes; none if it stays.
    pub(crate) fn of(delivery: Delivery) -> Option<Outlet> {
        match delivery {
            Delivery { print: true, .. } => Some(Outlet::Print),
            Delivery { send: true, .. } => Some(Outlet::Configured),
            Delivery { .. } => None,
        }
    }
}

/// Sends every mail that a match owes, oldest first, and says how many have
/// gone.
///
/// # Errors
///
/// If one cannot be made or does not go: it stays owed, and so do those after
/// it.
pub(crate) fn deliver(
    context: &mut Context<'_>,
    session: &Session,
    id: &Id,
    outlet: Outlet,
) -> Result<usize, Error> {
    let store = &*session.store;
    if store.read(id)?.game.owed().is_empty() {
        return Ok(0);
    }
    let mut sending = store.sending(id)?;
    // Another process may have sent it while this one waited.
    let mut stored = store.read(id)?;
    let all = stored.game.owed().to_vec();
    let mut gone = 0;
    for owed in &all {
        let (me, templates) = (&session.me.player, &session.templates);
        let noted = OutgoingMessage::compose(&stored.game, owed, me, templates)
            .and_then(|message| send_one(context, session, &mut *sending, &message, outlet))
            .and_then(|by| {
                let note = |game: &mut Match| game.sent(session.now, &owed.msg, by);
                update(store, stored.clone(), note)
            });
        match noted {
            Ok(((), now)) => stored = now,
            Err(error) => {
                let left = all.len() - gone;
                let what = if left == 1 { "mail is" } else { "mails are" };
                return Err(error.and(format_args!(
                    "{id}: {left} {what} still owed; 'parapost send {id}' tries again"
                )));
            }
        }
        sending.end()?;
        gone += 1;
    }
    Ok(gone)
}

/// Sends one message, and says by what.
fn send_one(
    context: &mut Context<'_>,
    session: &Session,
    sending: &mut dyn Sending,
    message: &OutgoingMessage,
    outlet: Outlet,
) -> Result<&'static str, Error> {
    sending.begin(message.id())?;
    let print = |context: &mut Context<'_>, text: Vec<u8>| {
        let printed = context
            .print_bytes(&text)
            .and_then(|()| context.flush())
            .map_err(|error| {
                if error.is_hangup() {
                    Error::later("standard output was closed before the mail was written")
                } else {
                    error
                }
            });
        printed.map(|()| "print").map_err(Failure::from)
    };
    let sent = match (outlet, &session.config.transport) {
        (Outlet::PrintMbox, _) => print(context, message.mbox_entry()),
        (Outlet::Print, _) | (_, Transport::Print) => print(context, message.text()),
        (_, Transport::Folder(folder)) => {
            transport::folder(folder.as_ref().unwrap_or(&session.outbox), message)
                .map(|()| "folder")
        }
        (_, Transport::Smtp(settings)) => transport::smtp(settings, message).map(|()| "smtp"),
        (_, Transport::Sendmail(program)) => {
            transport::sendmail(program, message).map(|()| "sendmail")
        }
    };
    sent.map_err(|failure| {
        if !failure.maybe {
            // Should this fail too, `undo` is refused where it need not be.
            let _ = sending.end();
        }
        failure.error
    })
}

/// Sends the mail that a command has called for, or says that it is owed.
/// `done` is what the command has done, for the person.
///
/// # Errors
///
/// As [`deliver`].
pub(crate) fn finish(
    context: &mut Context<'_>,
    session: &Session,
    id: &Id,
    delivery: Delivery,
    done: &str,
) -> Result<(), Error> {
    match Outlet::of(delivery) {
        None => context.say(format_args!(
            "{id}: {done}; the mail is owed until 'parapost send {id}'"
        )),
        Some(outlet) => {
            deliver(context, session, id, outlet)?;
            if outlet == Outlet::Configured {
                context.say(format_args!("{id}: {done}; the mail is sent"));
            }
        }
    }
    Ok(())
}
