//! The memo beside the index for the next reader of the matches.

use std::fs;
use std::io::{self, Write as _};

use crate::mail::files;
use crate::store::index::Index;
use crate::store::index::listed::boot;
use crate::store::index::row::sum_of_lines;

/// The file.
const MEMO: &str = "memo";

/// The most bytes that are left.
const MOST: u64 = 256 << 20;

impl Index {
    /// Returns what was last left since the start of the system. It is empty if there is nothing, or
    /// it is damaged.
    pub(in crate::store) fn memo(&self) -> Vec<u8> {
        let read = files::read(&self.folder.join(MEMO), MOST);
        let mut bytes = read.unwrap_or_default();
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            return Vec::new();
        };
        let is_whole = bytes[..end] == *head(&bytes[end + 1..]).as_bytes();
        if is_whole {
            bytes.split_off(end + 1)
        } else {
            Vec::new()
        }
    }

    /// Leaves something. If that fails nothing is left.
    pub(in crate::store) fn set_memo(&self, memo: &[u8]) {
        if self.exists() && memo.len() as u64 + 100 < MOST {
            let _ = self.write_memo(memo);
        }
    }

    fn write_memo(&self, memo: &[u8]) -> io::Result<()> {
        // Two processes may be at it: what they mix has a wrong sum.
        let new = self.folder.join("memo.new");
        drop(fs::remove_file(&new));
        let mut file = files::open_to_append(&new)?;
        file.write_all(format!("{}\n", head(memo)).as_bytes())?;
        file.write_all(memo)?;
        fs::rename(&new, self.folder.join(MEMO))
    }
}

/// Returns the first line: the start of the system and a sum.
fn head(memo: &[u8]) -> String {
    format!("{} {:08x}", boot(), sum_of_lines(memo))
}
