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

/// Returns true if an element has what a program writes above a quotation, and so the name
/// of the person who is quoted.
pub(super) fn has_attribution(tag: &Tag<'_>) -> bool {
    let class = tag.get("class").unwrap_or_default();
    let mut names = class.split_ascii_whitespace();
    names.any(|name| name.ends_with("gmail_attr") || name.ends_with("moz-cite-prefix"))
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

/// Returns true if a block quote is what the button of an editor makes to indent a
/// paragraph: that of browsers, which Gmail and others use.
pub(super) fn is_indentation(tag: &Tag<'_>) -> bool {
    let is_named = |name: &str| name.ends_with("webkit-indent-blockquote");
    let class = tag.get("class").unwrap_or_default();
    let style: String = tag
        .get("style")
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let is_drawn = |style: &str| {
        let style = style
            .trim_end_matches(';')
            .replace("0px0px0px40px", "00040px");
        matches!(
            style.as_str(),
            "margin:00040px;border:none;padding:0px" | "margin:00040px;border:medium;padding:0px"
        )
    };
    class.split_ascii_whitespace().any(is_named) || is_drawn(&style)
}

/// Returns true if below the start of an element stands what its program quotes without
/// marks: Outlook, in all its forms, Yahoo, and Thunderbird where it forwards.
pub(super) fn opens_quotation(tag: &Tag<'_>) -> bool {
    let id = tag.get("id").unwrap_or_default();
    let is_named = |name: &str| {
        name.ends_with("yahoo_quoted")
            || name.ends_with("outlookmessageheader")
            || name.ends_with("moz-forward-container")
            || name.ends_with("ms-outlook-mobile-reference-message")
    };
    let class = tag.get("class").unwrap_or_default();
    let style = tag.get("style").unwrap_or_default();
    id.ends_with("divrplyfwdmsg")
        || id.ends_with("mail-editor-reference-message-container")
        || class.split_ascii_whitespace().any(is_named)
        || tag.name == "div" && is_header_of_outlook(style)
}

/// Returns true for the style of the line that Outlook draws above a header block.
fn is_header_of_outlook(style: &str) -> bool {
    let mut declarations = style.split(';').map(str::trim);
    let is_line = |said: &str| said.starts_with("border-top:solid");
    declarations.next() == Some("border:none")
        && declarations.next().is_some_and(is_line)
        && declarations.any(|said| said.starts_with("padding:3.0pt"))
}
