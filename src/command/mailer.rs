//! The way of mail to its destination.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lettre::Address;

use crate::command::arguments::Delivery;
use crate::command::session::Session;
use crate::config::transport::TransportSettings;
use crate::mail::settings::SmtpSettings;
use crate::mail::smtp::SmtpTransport;
use crate::mail::transport::{
    FolderTransport, PrintTransport, SendError, SendmailTransport, Transport,
};
use crate::matches::r#match::Match;

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

/// What carries the mails of a run to their destination. One connection to a mail
/// server serves the mails of all matches.
pub(crate) struct Mailer<'s> {
    session: &'s Session,
    outlet: Outlet,
    smtp: Option<SmtpTransport>,
    recipients: Option<&'s Recipients>,
}

impl<'s> Mailer<'s> {
    /// Creates a mailer. It connects to a mail server when there is a mail to send, and
    /// takes leave of it when it is dropped.
    pub(crate) fn new(session: &'s Session, outlet: Outlet) -> Mailer<'s> {
        Mailer {
            session,
            outlet,
            smtp: None,
            recipients: None,
        }
    }

    /// Creates one of several mailers that work at the same time. It goes on with the
    /// connection of an earlier one, if that is to the server of this session.
    pub(crate) fn one_of_several(
        session: &'s Session,
        outlet: Outlet,
        recipients: &'s Recipients,
        smtp: Option<SmtpTransport>,
    ) -> Mailer<'s> {
        let smtp = smtp.filter(|smtp| match &session.config.transport {
            TransportSettings::Smtp(settings) => smtp.is_of(settings),
            _ => false,
        });
        Mailer {
            session,
            outlet,
            smtp,
            recipients: Some(recipients),
        }
    }

    /// Connects to the mail server, if mail goes to one.
    ///
    /// # Errors
    ///
    /// If no mail can be sent now.
    pub(crate) fn make_ready(&mut self) -> Result<(), SendError> {
        let session = self.session;
        match &session.config.transport {
            TransportSettings::Smtp(settings) if self.outlet == Outlet::Configured => {
                self.smtp(settings).make_ready()
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    pub(crate) fn outlet(&self) -> Outlet {
        self.outlet
    }

    /// Returns those to whom any of several mailers has mail on its way.
    pub(crate) fn recipients(&self) -> Option<&'s Recipients> {
        self.recipients
    }

    /// Returns the connection, for the next mailer.
    pub(crate) fn into_connection(self) -> Option<SmtpTransport> {
        self.smtp
    }

    /// Returns one of the recipients of the mail that a match owes, if other connections
    /// have mail for all of them.
    pub(crate) fn is_served_elsewhere(&self, game: &Match) -> Option<Address> {
        let recipients = self.recipients?;
        let mut addresses = game.owed().iter().map(|owed| game.address_of(owed));
        let first = addresses.next()?;
        let is_served = |address: &Address| recipients.are_served(address);
        (is_served(first) && addresses.all(is_served)).then(|| first.clone())
    }

    fn smtp(&mut self, settings: &SmtpSettings) -> &mut SmtpTransport {
        self.smtp
            .get_or_insert_with(|| SmtpTransport::new(settings.clone()))
    }

    /// Returns the transport for the destination.
    pub(crate) fn transport<'t>(
        &'t mut self,
        stdout: &'t mut dyn Write,
    ) -> Box<dyn Transport + 't> {
        let session = self.session;
        match (self.outlet, &session.config.transport) {
            (Outlet::PrintMbox, _) => Box::new(PrintTransport::mbox(stdout)),
            (Outlet::Print, _) | (_, TransportSettings::Print) => {
                Box::new(PrintTransport::plain(stdout))
            }
            (_, TransportSettings::Folder(Some(folder))) => Box::new(FolderTransport::new(folder)),
            (_, TransportSettings::Folder(None)) => Box::new(FolderTransport::new(&session.outbox)),
            (_, TransportSettings::Smtp(settings)) => Box::new(self.smtp(settings)),
            (_, TransportSettings::Sendmail(program)) => Box::new(SendmailTransport::new(program)),
        }
    }
}

/// The recipients to whom mail is on its way over any connection of this process.
#[derive(Default, Debug)]
pub(crate) struct Recipients(Mutex<HashSet<Address>>);

/// A mail on its way to a recipient, until it is dropped.
pub(crate) struct OnItsWay<'r> {
    recipients: &'r Recipients,
    address: Address,
}

impl Recipients {
    /// Notes that a mail is on its way to a recipient. Returns `None` if another one is.
    pub(crate) fn begin(&self, address: &Address) -> Option<OnItsWay<'_>> {
        let is_first = self.on_their_way().insert(address.clone());
        is_first.then(|| OnItsWay {
            recipients: self,
            address: address.clone(),
        })
    }

    /// Returns true if a mail is on its way to a recipient.
    pub(crate) fn are_served(&self, address: &Address) -> bool {
        self.on_their_way().contains(address)
    }

    fn on_their_way(&self) -> MutexGuard<'_, HashSet<Address>> {
        // A set, never half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        self.recipients.on_their_way().remove(&self.address);
    }
}
