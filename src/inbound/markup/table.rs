//! Tables, and which of them are of our mails.

use std::sync::LazyLock;

use regex::Regex;

use crate::inbound::markup::tag::Tag;

/// A table that is still open.
pub(super) struct Table {
    /// The number of lines before the table.
    pub(super) lines: usize,
    /// The bytes of text before its last row.
    pub(super) letters: usize,
    /// The length in bytes of its longest finished row.
    pub(super) widest: usize,
    /// The place where it begins in the reduced document.
    pub(super) start: usize,
    /// The bytes of text before it that are surely shown.
    pub(super) shown: usize,
    /// True if it is of a mail of ours.
    pub(super) is_ours: bool,
    /// The number of cells in its last row.
    pub(super) cells: usize,
}

impl Table {
    /// Ends the last row. `letters` is the number of bytes of text so far.
    pub(super) fn end_row(&mut self, letters: usize) {
        self.widest = self.widest.max(letters - self.letters);
        self.letters = letters;
        self.cells = 0;
    }
}

/// The name of our tables. Programs put a word of their own before it.
const OUR_NAME: &str = "parapost";

/// Returns true if a table says that it is of one of our mails.
pub(super) fn is_our_table(tag: &Tag<'_>) -> bool {
    let names = ["class", "id", "name", "title", "summary", "aria-label"].into_iter();
    let mut names = names.filter_map(|name| tag.get(name));
    names.any(|name| name.contains(OUR_NAME))
}

/// Returns the foot of our mail in a part of a reduced document, as a block: the line with
/// the match and the hash of its moves.
pub(super) fn foot(reduced: &str) -> Option<String> {
    static FOOT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"Game [a-z0-9-]{1,32}, [0-9]{1,6} half-moves? made, hash [0-9a-f]{16}\.")
            .expect("the pattern is well-formed")
    });
    let last = &reduced[reduced.rfind("Game ")?..];
    let text = last.split('<').next().unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    FOOT.find(&words.join(" "))
        .map(|foot| format!("<div>{}</div>", foot.as_str()))
}
