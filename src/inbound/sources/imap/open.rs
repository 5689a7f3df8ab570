//! Opening the folder of a mailbox.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tracing::debug;

use crate::Error;
use crate::config::imap::{After, ImapSettings};
use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::login;
use crate::inbound::sources::imap::known::Known;
use crate::inbound::sources::imap::opened::{can_put_away, opened, select};
use crate::inbound::sources::imap::place::Place;
use crate::inbound::sources::imap::places::Places;
use crate::inbound::sources::imap::stop::Stop;
use crate::inbound::sources::imap::{ImapSource, Wish};

impl<'a> ImapSource<'a> {
    /// Connects to the server and opens the folder.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached or does not let the user in, if there is no such
    /// folder, or if the server cannot do what the settings ask for.
    pub fn open(
        settings: &'a ImapSettings,
        places: &'a Places,
        stop: &'a Stop,
        wish: Wish,
    ) -> Result<ImapSource<'a>, Error> {
        let server = login::name(settings);
        let failed = |error: ImapError| error.of(&server);
        let mut connection = login::connect(settings, |tcp| stop.watch(tcp))?;
        let is_to_change = settings.after != After::Nothing && !wish.is_dry_run;
        let selected = select(&mut connection, settings, is_to_change).map_err(failed)?;
        let opened = opened(&selected, settings).map_err(failed)?;
        if is_to_change {
            can_put_away(&mut connection, &selected, settings).map_err(failed)?;
        }
        let folder = &settings.folder;
        debug!(msg = "-", "match" = "-", server = %server, folder = %folder, "opened");
        Ok(ImapSource {
            settings,
            stop,
            wish,
            has_idle: connection.can("IDLE"),
            connection,
            opened,
            places,
            file: None,
            locks: BTreeMap::new(),
            place: Place::default(),
            known: Known::default(),
            wished: BTreeSet::new(),
            found: VecDeque::new(),
            first: 0,
            unnamed_before: 0,
            todo: VecDeque::new(),
            chosen: VecDeque::new(),
            traces: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            portion: 0,
            last: 0,
            is_stuck: false,
            bytes_read: 0,
            remarks: BTreeSet::new(),
            server,
        })
    }

    /// Opens the folder once more, for what has come since.
    pub(super) fn open_again(&mut self) -> Result<(), ImapError> {
        let is_to_change = self.settings.after != After::Nothing && !self.wish.is_dry_run;
        let selected = select(&mut self.connection, self.settings, is_to_change)?;
        self.opened = opened(&selected, self.settings)?;
        Ok(())
    }
}
