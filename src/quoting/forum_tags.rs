//! Tags of forums around a text: `[code]` often stands on the line of its
//! first row, and `[/code]` on that of its last.

use crate::quoting::line::Line;

/// Tags that a text is put between, or a part of it.
const TAGS: [&str; 19] = [
    "code", "quote", "pre", "tt", "mono", "fixed", "font", "size", "spoiler", "hide", "pgn",
    "color", "center", "indent", "list", "*", "b", "i", "u",
];

/// Takes them off the ends of the lines.
pub(super) fn cut(lines: &mut [Line<'_>]) {
    for line in lines {
        while let Some(bytes) = opening(line.text) {
            line.cut(bytes, line.author);
        }
        while let Some(text) = line.text.trim_end().strip_suffix(']')
            && let Some((text, tag)) = text.rsplit_once('[')
            && let Some(name) = tag.strip_prefix('/')
            && is_tag(name)
        {
            line.text = text;
        }
    }
}

/// How many bytes a tag at the start takes, with the blanks before it.
fn opening(text: &str) -> Option<usize> {
    let tag = text.trim_start().strip_prefix('[')?;
    let (tag, behind) = tag.split_once(']')?;
    // What is said of it: `[quote="Anna"]`.
    let name = tag.split_once('=').map_or(tag, |(name, _)| name);
    is_tag(name.strip_prefix('/').unwrap_or(name)).then(|| text.len() - behind.len())
}

fn is_tag(name: &str) -> bool {
    TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name.trim()))
}
