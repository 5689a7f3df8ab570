//! Delivery of owed mail; all mail leaves through this file.

use std::io::Write;

use crate::Error;
use crate::args::Delivery;
use crate::command::context::Context;
use crate::command::session::Session;
use crate::config::transport::TransportSettings;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::outbound::transport::Transport;
use crate::outbound::transports::folder::FolderTransport;
use crate::outbound::transports::print::PrintTransport;
use crate::outbound::transports::sendmail::SendmailTransport;
use crate::outbound::transports::smtp::SmtpTransport;
use crate::store::store::Sending;
use crate::store::update::update;

/// The destination of mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outlet {
    /// The transport of the configuration.
    Configured,
    /// Standard output, unchanged.
    Print,
    /// Standard output, each message as an entry of an mbox file.
    PrintMbox,
}

impl Outlet {
    /// Returns the destination that a command's options ask for, or `None` if
    /// mail stays owed.
    pub(crate) fn of(delivery: Delivery) -> Option<Outlet> {
        match delivery {
            Delivery { print: true, .. } => Some(Outlet::Print),
            Delivery { send: true, .. } => Some(Outlet::Configured),
            Delivery { .. } => None,
        }
    }
}

/// Sends every mail that a match owes, oldest first, and returns how many were
/// sent.
///
/// # Errors
///
/// If a mail cannot be made or sent. It stays owed, and so do those after it.
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
    // Another process may have sent the mail while this one waited for the
    // lock.
    let mut stored = store.read(id)?;
    let mut transport = transport(outlet, session, &mut *context.stdout);
    let all = stored.game.owed().to_vec();
    let mut gone = 0;
    for owed in &all {
        let (me, templates) = (&session.me.player, &session.templates);
        let noted = OutgoingMessage::compose(&stored.game, owed, me, templates)
            .and_then(|message| send_one(&mut *sending, &mut *transport, &message))
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

/// Returns the transport for a destination.
fn transport<'t>(
    outlet: Outlet,
    session: &'t Session,
    stdout: &'t mut dyn Write,
) -> Box<dyn Transport + 't> {
    match (outlet, &session.config.transport) {
        (Outlet::PrintMbox, _) => Box::new(PrintTransport::mbox(stdout)),
        (Outlet::Print, _) | (_, TransportSettings::Print) => {
            Box::new(PrintTransport::plain(stdout))
        }
        (_, TransportSettings::Folder(Some(folder))) => Box::new(FolderTransport::new(folder)),
        (_, TransportSettings::Folder(None)) => Box::new(FolderTransport::new(&session.outbox)),
        (_, TransportSettings::Smtp(settings)) => Box::new(SmtpTransport::new(settings)),
        (_, TransportSettings::Sendmail(program)) => Box::new(SendmailTransport::new(program)),
    }
}

/// Sends one message, and returns the name of the transport.
fn send_one(
    sending: &mut dyn Sending,
    transport: &mut dyn Transport,
    message: &OutgoingMessage,
) -> Result<&'static str, Error> {
    sending.begin(message.id())?;
    transport.send(message).inspect_err(|error| {
        if error.is_certain() {
            // If this fails too, `undo` is refused without need.
            let _ = sending.end();
        }
    })?;
    Ok(transport.name())
}

/// Sends the mail that a command has called for, or reports that it is owed.
/// `done` tells the person what the command did.
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::clock;
    use crate::matches::mail_id::{MailIds, Secret};
    use crate::matches::r#match::{Match, MatchSettings, NewMail};
    use crate::outbound::templates::Templates;
    use crate::outbound::transport::SendError;
    use crate::outbound::transports::recording::RecordingTransport;
    use crate::rules::{Color, Variant};
    use crate::store::folder::Folder;
    use crate::store::store::Store as _;

    /// Creates a mail that a match in this folder owes, and takes its lock.
    fn mail(folder: &Folder, path: &Path) -> (Box<dyn Sending>, OutgoingMessage) {
        let settings = MatchSettings {
            id: "m".parse().unwrap(),
            variant: Variant::find("unachess", &[]).unwrap(),
            players: ["Anna <anna@example.org>", "Ben <ben@example.org>"]
                .map(|text| text.parse().unwrap()),
            event: None,
            time: None,
        };
        let now = clock::now().unwrap();
        let mut game = Match::new(settings, now);
        let secret = Secret::open(&path.join("secret")).unwrap();
        let ids = MailIds::new(secret, "example.org");
        game.owe(now, NewMail::new("position", Color::Black), &ids)
            .unwrap();
        let me = game.player(Color::White).clone();
        let templates = Templates::new("/nowhere");
        let message = OutgoingMessage::compose(&game, &game.owed()[0], &me, &templates).unwrap();
        (folder.sending(game.id()).unwrap(), message)
    }

    #[test]
    fn a_mail_is_under_way_until_it_is_certain_that_it_was_not_sent() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::new(temporary.path(), Duration::ZERO);
        let (mut sending, message) = mail(&folder, temporary.path());
        let mut transport = RecordingTransport::default();
        for (failure, is_under_way) in [
            (SendError::Permanent(Error::refused("no")), false),
            (SendError::Transient(Error::later("not now")), false),
            (SendError::Unknown(Error::later("broken off")), true),
        ] {
            let expected = failure.to_string();
            transport.failures.push_back(failure);
            let error = send_one(&mut *sending, &mut transport, &message).unwrap_err();
            assert_eq!(error.to_string(), expected);
            let left = sending.unfinished().unwrap();
            assert_eq!(left.as_ref(), is_under_way.then_some(message.id()));
        }
        let by = send_one(&mut *sending, &mut transport, &message).unwrap();
        assert_eq!((by, transport.attempts), ("recording", 4));
        let [sent] = transport.sent.as_slice() else {
            panic!("{} messages were sent", transport.sent.len());
        };
        assert_eq!(sent.bytes(), message.bytes());
        assert_eq!(sent.envelope().to(), ["ben@example.org".parse().unwrap()]);
    }
}
