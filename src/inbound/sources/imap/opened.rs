//! The folder of a mailbox as its server describes it, and whether it is fit to be read.

use crate::config::imap::{After, ImapSettings};
use crate::inbound::imap::connection::Connection;
use crate::inbound::imap::error::ImapError;
use crate::inbound::imap::folder::{KEYWORD, Selected};
use crate::inbound::imap::login::TlsStream;

/// The folder as the server describes it, once that is fit to be read.
pub(super) struct Opened {
    pub(super) uid_validity: u32,
    pub(super) mailbox_id: Option<String>,
    /// The UID that the server gave for the next message.
    pub(super) uid_next: Option<u32>,
}

fn unfit(why: String) -> ImapError {
    ImapError::Unfit(why)
}

/// Opens the folder.
pub(super) fn select(
    connection: &mut Connection<TlsStream>,
    settings: &ImapSettings,
    is_to_change: bool,
) -> Result<Selected, ImapError> {
    let folder = &settings.folder;
    match connection.select(folder, is_to_change) {
        Err(ImapError::No(answer)) if answer.word == "NO" && !answer.is_trouble() => Err(unfit(
            format!("the folder '{folder}' cannot be opened: {answer}"),
        )),
        selected => selected,
    }
}

/// Returns what the numbers of its messages are good for.
pub(super) fn opened(selected: &Selected, settings: &ImapSettings) -> Result<Opened, ImapError> {
    let Some(uid_validity) = selected.uid_validity else {
        return Err(unfit(format!(
            "it does not keep the numbers of the messages in '{}' (no UIDVALIDITY)",
            settings.folder
        )));
    };
    Ok(Opened {
        uid_validity,
        mailbox_id: selected.mailbox_id.clone(),
        uid_next: selected.uid_next,
    })
}

/// Checks that the server can do what is to become of messages that are dealt with.
pub(super) fn can_put_away(
    connection: &mut Connection<TlsStream>,
    selected: &Selected,
    settings: &ImapSettings,
) -> Result<(), ImapError> {
    let folder = &settings.folder;
    let why = match &settings.after {
        After::Nothing => return Ok(()),
        After::Keyword if selected.takes_keyword(KEYWORD) => return Ok(()),
        After::Keyword => format!(
            "it does not let messages in '{folder}' have the keyword {KEYWORD}; set [imap] after to \"nothing\" or \"move\""
        ),
        After::Move(_) if selected.is_read_only => {
            format!("nothing can be moved out of '{folder}', which is read-only")
        }
        After::Move(_) if !connection.can_move() => {
            "it offers neither MOVE nor UIDPLUS, so that no message can be moved alone; set [imap] after to \"nothing\" or \"keyword\"".to_owned()
        }
        After::Move(to) if connection.has_folder(to)? => return Ok(()),
        After::Move(to) => format!("it has no folder '{to}', which move_to names; make it first"),
    };
    Err(unfit(why))
}
