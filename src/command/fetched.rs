//! When the mailbox was last read to its end, for `list` and `doctor`.

use crate::command::context::Context;
use crate::mail::settings::ImapSettings;
use crate::mail::sources::place::{Complete, Places};
use crate::{Error, clock};

/// Returns when a mailbox was last read to its end, as a time or a day; none if that never
/// was.
///
/// # Errors
///
/// If its place cannot be read.
pub(super) fn last(imap: &ImapSettings, context: &Context<'_>) -> Result<Option<String>, Error> {
    let complete = Places::last_complete(&context.games_folder()?, imap)?;
    Ok(complete.map(|complete| match complete {
        Complete::Time(time) => clock::write(time),
        Complete::Day(day) => day.to_string(),
    }))
}
