//! Remarks on a folder of matches, for people.

use std::fs;

use crate::Error;
use crate::mail::files;
use crate::store::folder::Folder;
use crate::store::index::Index;
use crate::store::store::Store as _;

impl Folder {
    /// Returns what people should know of the folder: the files that are no matches, and the rights
    /// that others have.
    pub(super) fn remarks_about(&self, of_all: bool) -> Result<Vec<String>, Error> {
        let ids = if of_all {
            self.ids()?
        } else {
            self.going_on()?
        };
        let known = if of_all {
            None
        } else {
            self.ask(Index::others, |_| true)?
        };
        let others = known.map_or(ids.clone(), |known| known.into_iter().collect());
        let mut remarks = Vec::new();
        for id in others.iter().filter(|id| self.is_other_text(id)) {
            remarks.push(format!(
                "warning: {}: this is no match, and is passed over",
                self.name_of(id)
            ));
        }
        let names = ids.iter().flat_map(|id| {
            let lock = [format!(".{id}.lock"), format!(".{id}.send.lock")];
            [format!("{id}.txt")].into_iter().chain(lock)
        });
        let is_open = |name: &String| {
            let found = fs::symlink_metadata(self.path.join(name));
            found.is_ok_and(|found| found.is_file() && files::access::opens_to_others(&found))
        };
        let open: Vec<String> = if files::access::is_open_to_others(&self.path) {
            names.filter(is_open).collect()
        } else {
            Vec::new()
        };
        if let Some(first) = open.first() {
            let more = match open.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            remarks.push(format!(
                "warning: {}: others can read or change {first}{more} in this folder, and whoever reads a match can write as its players; 'chmod o-rwx' takes that from them",
                self.path.display()
            ));
        }
        Ok(remarks)
    }
}
