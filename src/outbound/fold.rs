//! What of a text is folded on a page, so that the links below it stand within two screens of a
//! telephone.

use crate::outbound::wrap::Block;
use crate::printable::width;

/// The most rows of a text that are not folded.
const MOST: usize = 10;

/// How many columns of a text a telephone shows beside each other.
const COLUMNS: usize = 32;

/// Returns the text in one part, or in two of which the second is folded.
pub(super) fn text(text: &str) -> Vec<String> {
    let (mut taken, mut room) = (0, MOST);
    for line in text.split_inclusive('\n') {
        let needed = rows(line);
        if needed > room {
            taken += cut(line, room * COLUMNS, room == MOST);
            break;
        }
        taken += line.len();
        room -= needed;
    }
    let (first, rest) = text.split_at(taken);
    let rest = rest.trim_start();
    if rest.is_empty() || first.trim().is_empty() {
        return vec![text.to_owned()];
    }
    vec![first.trim_end().to_owned(), rest.to_owned()]
}

/// Returns the blocks in one part, or in two of which the second is folded.
pub(super) fn blocks(mut blocks: Vec<Block>) -> Vec<Vec<Block>> {
    let mut room = MOST;
    let shown = blocks.iter().take_while(|block| {
        let fits = rows(block.text()) <= room;
        room = room.saturating_sub(rows(block.text()));
        fits
    });
    let shown = shown.count().max(1);
    if shown >= blocks.len() {
        return vec![blocks];
    }
    let rest = blocks.split_off(shown);
    vec![blocks, rest]
}

/// Returns how many rows a line takes.
fn rows(line: &str) -> usize {
    width(line.trim_end()).div_ceil(COLUMNS).max(1)
}

/// Returns where to cut a line that has room for these columns: behind a word, or anywhere if
/// there is nothing else to show, as in Chinese, which has no blanks.
fn cut(line: &str, columns: usize, is_first: bool) -> usize {
    let mut seen = 0;
    let fitting = line.char_indices().find(|(_, c)| {
        seen += width(c.encode_utf8(&mut [0; 4]));
        seen > columns
    });
    let fitting = fitting.map_or(line.len(), |(at, _)| at);
    match line[..fitting].rfind(char::is_whitespace) {
        Some(at) => at,
        None if is_first => fitting,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbound::wrap::flow;

    #[test]
    fn a_short_text_is_not_folded() {
        for short in ["", "Hello!", "a\n\nb\n", &"word ".repeat(60)] {
            assert_eq!(text(short), [short]);
        }
        assert_eq!(blocks(flow("Hello!\n\n- one\n- two\n")).len(), 1);
        assert_eq!(blocks(Vec::new()), [Vec::new()]);
    }

    #[test]
    fn a_long_text_is_folded_behind_a_word() {
        for (long, first) in [
            ("x\n".repeat(30), "x\n".repeat(10)),
            ("word ".repeat(100), "word ".repeat(64)),
            (format!("a\n\n{}", "b".repeat(1000)), "a".to_owned()),
            ("言".repeat(400), "言".repeat(160)),
            ("x".repeat(400), "x".repeat(320)),
        ] {
            let parts = text(&long);
            assert_eq!((parts.len(), parts[0].as_str()), (2, first.trim_end()));
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&parts.concat()), bare(&long));
        }
        let parts = blocks(flow(&format!("- {}\n", "word ".repeat(30)).repeat(5)));
        let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
        assert_eq!(counts, [2, 3]);
        let parts = blocks(flow(&format!("{}\n\nb\n", "word ".repeat(100))));
        assert_eq!(parts.len(), 2);
    }
}
