//! What a list of many matches leaves behind for the next one: a match whose file is the same is
//! not read and replayed again.
//!
//! ```text
//! 0.1.0 Ref <ref@example.org>
//! k7f3qd 2049.131.1530.… {"id":"k7f3qd","game":"unachess",…}
//! ```

use std::collections::HashMap;

use crate::command::list::facts::Facts;
use crate::limits::FEW_MATCHES;
use crate::match_id::Id;
use crate::matches::player::Player;
use crate::store::store::Store;

/// What the last list has left behind.
pub(super) struct Memo {
    text: String,
    head: String,
}

/// Its rows, by the ids of the matches: the stamp of the file, and the facts.
pub(super) type Rows<'m> = HashMap<&'m str, &'m str>;

impl Memo {
    /// Reads what the last list has left behind. Returns none for a list of a few matches, which
    /// leaves nothing.
    pub(super) fn of(store: &dyn Store, ids: &[Id], me: Option<&Player>) -> Option<Memo> {
        if ids.len() <= FEW_MATCHES {
            return None;
        }
        let me = me.map(ToString::to_string).unwrap_or_default();
        let text = String::from_utf8(store.memo()?).unwrap_or_default();
        Some(Memo {
            text,
            // Another user has other turns, and another program may read a file otherwise.
            head: format!("{} {me}", env!("CARGO_PKG_VERSION")).replace('\n', " "),
        })
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        let rows = self.text.split_once('\n');
        let rows = rows.filter(|(head, _)| *head == self.head);
        let rows = rows.map_or("", |(_, rows)| rows).lines();
        rows.filter_map(|row| row.split_once(' ')).collect()
    }

    /// Leaves rows behind for the next list.
    pub(super) fn leave(&self, store: &dyn Store, rows: &str) {
        if self.text.split_once('\n') != Some((&self.head, rows)) {
            // Without it the next list reads the matches again.
            store.set_memo(format!("{}\n{rows}", self.head).as_bytes());
        }
    }
}

/// Returns the facts of a match whose text has this stamp, if they were left behind.
pub(super) fn recalled(rows: &Rows<'_>, id: &Id, stamp: &str) -> Option<Facts> {
    let facts = rows.get(id.as_str())?.strip_prefix(stamp)?;
    let facts: Facts = serde_json::from_str(facts.strip_prefix(' ')?).ok()?;
    (facts.id == id.as_str()).then_some(facts)
}

/// Returns the row of a match whose text had this stamp before it was read.
pub(super) fn row(id: &Id, stamp: &str, facts: &Facts) -> Option<String> {
    let facts = serde_json::to_string(facts).ok()?;
    Some(format!("{id} {stamp} {facts}\n"))
}
