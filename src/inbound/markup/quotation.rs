//! How a document says that words are quoted.

use crate::inbound::markup::tag::Tag;
use crate::quoting::attribution::is_attribution;

/// Returns true if the element's class, id or name says that it is or holds a quotation.
/// A program's own name for an indented paragraph is none.
pub(super) fn is_named_quote(tag: &Tag<'_>) -> bool {
    let is_quote = |name: &str| {
        let name = name.to_ascii_lowercase();
        (name.contains("quote") || name.contains("cite")) && !name.contains("indent")
    };
    let names = ["class", "id", "name"]
        .into_iter()
        .filter_map(|attribute| tag.get(attribute));
    names.flat_map(str::split_ascii_whitespace).any(is_quote)
}

/// Returns true if a line is drawn on the left of the element, as programs do beside a
/// quotation.
pub(super) fn has_line_on_the_left(tag: &Tag<'_>) -> bool {
    let is_line = |declaration: &str| {
        let declaration = declaration.trim().to_ascii_lowercase();
        let is_drawn = ["solid", "dotted", "dashed", "double"];
        declaration.starts_with("border-left")
            && is_drawn.iter().any(|how| declaration.contains(how))
    };
    tag.get("style")
        .is_some_and(|style| style.split(';').any(is_line))
}

/// Returns true if a line says who wrote what stands below it: by a form of attribution,
/// an address or a date. Three digits count as one.
pub(super) fn has_source(line: &str) -> bool {
    line.contains('@')
        || line.bytes().filter(u8::is_ascii_digit).count() >= 3
        || is_attribution(line)
}
