//! Forum tags: `[code]` often stands on the line of its first row, and `[/code]` on
//! that of its last, where they would hide the row. So could the tags around the post in
//! a picture's description, and the lines of the drawing are no orders. Of a page of ours
//! nothing is read but the post in its `<pre>`.

use crate::quoting::habits::Habits;
use crate::quoting::line::Line;

/// The names of tags that enclose a text or a part of it.
const TAGS: [&str; 19] = [
    "code", "quote", "pre", "tt", "mono", "fixed", "font", "size", "spoiler", "hide", "pgn",
    "color", "center", "indent", "list", "*", "b", "i", "u",
];

/// The names of tags that a picture in SVG consists of.
const DRAWING: [&str; 9] = [
    "svg", "title", "desc", "defs", "g", "path", "rect", "circle", "use",
];

/// Returns samples of what this pass reacts to.
pub(super) fn tokens(habits: &Habits) -> Vec<String> {
    let tags = TAGS.map(|tag| [format!("[{tag}]"), format!("[/{tag}]")]);
    let drawing = DRAWING.map(|tag| [format!("<{tag}>"), format!("</{tag}>")]);
    let tags = tags.into_iter().chain(drawing).flatten();
    let page = habits.page.into_iter().flatten().map(str::to_owned);
    tags.chain(page).collect()
}

/// Cuts the tags off both ends of each line.
pub(super) fn mark(lines: &mut [Line<'_>], habits: &Habits) {
    for line in lines.iter_mut() {
        while let Some(bytes) = opening(line.text).or_else(|| drawn(line.text)) {
            line.cut(bytes, line.author);
        }
        if let Some(text) = line.text.trim_end().strip_suffix("</title>") {
            line.text = text;
        }
        while let Some(text) = line.text.trim_end().strip_suffix(']')
            && let Some((text, tag)) = text.rsplit_once('[')
            && let Some(name) = tag.strip_prefix('/')
            && is_tag(name)
        {
            line.text = text;
        }
    }
    if let Some(page) = habits.page {
        cut_pages(lines, page);
    }
}

/// Empties the lines of each page of ours but those of its post. A page that is not whole
/// is none: it must not hide what stands below.
fn cut_pages(lines: &mut [Line<'_>], page: [&str; 4]) {
    // The places of the lines that have been found, in their order.
    let mut found: Vec<usize> = Vec::new();
    for at in 0..lines.len() {
        let text = lines[at].text.trim();
        if !text.starts_with('<') || text.len() > LONGEST_BOUND {
            continue;
        }
        let text = text.replace('\u{a0}', " ");
        if text == page[0] {
            found.clear();
        }
        if text != page[found.len()] {
            continue;
        }
        found.push(at);
        if let [start, post, behind, end] = found[..] {
            let (before, rest) = lines.split_at_mut(behind);
            for line in before[start..=post]
                .iter_mut()
                .chain(&mut rest[..=end - behind])
            {
                line.text = "";
            }
            found.clear();
        }
    }
}

/// The most bytes of a line that bounds a part of a page.
const LONGEST_BOUND: usize = 40;

/// Returns the length in bytes of the tag at the start, with the blanks before it.
fn opening(text: &str) -> Option<usize> {
    let tag = text.trim_start().strip_prefix('[')?;
    let (tag, behind) = tag.split_once(']')?;
    // A tag may have a value: `[quote="Anna"]`.
    let name = tag.split_once('=').map_or(tag, |(name, _)| name);
    is_tag(name.strip_prefix('/').unwrap_or(name)).then(|| text.len() - behind.len())
}

/// Returns the length in bytes of the tag of a picture at the start, with the blanks
/// before it.
fn drawn(text: &str) -> Option<usize> {
    let tag = text.trim_start().strip_prefix('<')?;
    let name = tag.strip_prefix('/').unwrap_or(tag);
    let end = name.find(|c: char| !c.is_ascii_lowercase())?;
    if !DRAWING.contains(&&name[..end]) {
        return None;
    }
    let (_, behind) = tag.split_once('>')?;
    Some(text.len() - behind.len())
}

/// Returns true if a line begins somebody's words by a tag: `[quote="Anna"]`.
pub(super) fn quotes(line: &str) -> bool {
    let tag = line.trim_start().strip_prefix('[');
    let name = tag.and_then(|tag| tag.get(..QUOTE.len()));
    name.is_some_and(|name| name.eq_ignore_ascii_case(QUOTE))
}

/// The name of the tag around somebody's words.
const QUOTE: &str = "quote";

fn is_tag(name: &str) -> bool {
    TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name.trim()))
}
