//! Words that one of our mails carries: they stand in quote marks above its foot.
//!
//! This pass needs no knowledge of what was sent, so that a pasted mail of ours is read
//! by its own list alone.

use crate::quoting::id_line::IdLine;
use crate::quoting::line::{Author, Line};

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    ["Ben writes:", "> > "].map(str::to_owned).to_vec()
}

/// Marks the lines that are quoted deeper than a foot of our own below them.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let mut least: Option<usize> = None;
    for at in (0..lines.len()).rev() {
        let depth = lines[at].author.depth();
        if least.is_some_and(|least| least < depth) {
            lines[at].author = Author::Carried;
            continue;
        }
        let foot = IdLine::at(lines, at);
        if foot.is_some_and(|(foot, _)| foot.hash.is_some()) {
            least = Some(least.map_or(depth, |least| least.min(depth)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::quoting::classify::pasted;
    use crate::quoting::line::Author;

    #[test]
    fn what_our_mail_quotes_is_carried() {
        let foot = "Game m, 2 half-moves made.\nHash of the moves: 0123456789abcdef\n";
        let mail = format!(
            "Ben writes:\n\n> 1. P>e3\n> {}\n1. N>c3\n\n{foot}",
            foot.replace('\n', "\n> ")
        );
        for mark in ["", "> ", "> > "] {
            let marked = |line: &str| format!("{mark}{line}\n");
            let text: String = mail.lines().map(marked).collect();
            let lines = pasted(&text);
            let author = |text: &str| {
                let line = lines.iter().find(|line| line.text.trim() == text);
                line.map(|line| line.author)
            };
            assert_eq!(author("1. P>e3"), Some(Author::Carried), "{mark}");
            assert_ne!(author("1. N>c3"), Some(Author::Carried), "{mark}");
        }
        // Without a foot nothing tells whose mail it is.
        let lines = pasted("Ben writes:\n> 1. P>e3\n");
        assert_eq!(lines[1].author, Author::Quoted(1));
    }
}
