//! The paragraphs of a text whose lines were wrapped, for a page that wraps them itself.

use serde::Serialize;

/// A part of a text.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    kind: Kind,
    text: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Lines that belong together.
    Paragraph,
    /// An item, without its `- `.
    Item,
    /// An indented line, which stands alone.
    Line,
}

/// Joins the lines of a text into paragraphs. An empty line ends a paragraph, a line
/// that begins with `- ` is an item, and an indented line stands alone unless it
/// continues an item.
#[must_use]
pub(super) fn flow(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let said = line.trim();
        if said.is_empty() {
            is_open = false;
            continue;
        }
        let is_indented = line.starts_with("  ");
        let last = blocks.last_mut().filter(|_| is_open);
        let continued = last.filter(|last| match last.kind {
            Kind::Item => is_indented,
            Kind::Paragraph => !is_indented && !said.starts_with("- "),
            Kind::Line => false,
        });
        if let Some(block) = continued {
            block.text.push(' ');
            block.text.push_str(said);
            continue;
        }
        let (kind, said) = match said.strip_prefix("- ") {
            Some(item) if !is_indented => (Kind::Item, item),
            _ if is_indented => (Kind::Line, said),
            _ => (Kind::Paragraph, said),
        };
        let text = said.to_owned();
        blocks.push(Block { kind, text });
        is_open = true;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::{Kind, flow};

    #[test]
    fn lines_are_joined_as_they_belong_together() {
        let text = "One\nsentence.\n\nAnother:\n- an item\n  of two lines\n- a second\n\n    n>g5\n    p>e5\nand on.\n";
        let blocks = flow(text);
        let blocks: Vec<(Kind, &str)> = blocks
            .iter()
            .map(|block| (block.kind, block.text.as_str()))
            .collect();
        assert_eq!(
            blocks,
            [
                (Kind::Paragraph, "One sentence."),
                (Kind::Paragraph, "Another:"),
                (Kind::Item, "an item of two lines"),
                (Kind::Item, "a second"),
                (Kind::Line, "n>g5"),
                (Kind::Line, "p>e5"),
                (Kind::Paragraph, "and on."),
            ]
        );
    }
}
