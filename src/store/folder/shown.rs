//! A match that is read to be shown.

use crate::Error;
use crate::limits::STATE_FILE;
use crate::mail::files;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::folder::Folder;
use crate::store::store::Store as _;

impl Folder {
    /// Shows a match, and keeps nothing of its text for a change.
    pub(super) fn show_one(&self, id: &Id, see: &mut dyn FnMut(&Id, Result<&Match, &Error>)) {
        let read = files::read_stable(&self.file(id), STATE_FILE).ok();
        if let Some(game) = read.and_then(|(bytes, _)| Match::read(&bytes, id).ok()) {
            return see(id, Ok(&game));
        }
        // A fault in it is reported as everywhere.
        match self.find(id) {
            Ok(Some(stored)) => see(id, Ok(&stored.game)),
            Ok(None) => {}
            Err(error) => see(id, Err(&error)),
        }
    }
}
