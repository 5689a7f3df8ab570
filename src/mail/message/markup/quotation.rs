//! How a document says that words are quoted: by an element, by its class, by the line
//! above it, which may say who wrote what stands below. Text that a reader may not see is
//! marked as doubtful on its way through the library that breaks lines.

use crate::message::markup::quotation;
use crate::message::markup::tag::{Tag, without_references};
use crate::quoting::attribution::is_attribution;
use crate::quoting::line::{DOUBT, without_noncharacters};

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

/// The ends of the last lines of text.
#[derive(Default)]
pub(super) struct Above {
    /// That of the present line.
    line: String,
    /// That of the last line that was not blank.
    last: String,
    /// Whether that one says who wrote what stands below it, if that is known.
    source: Option<bool>,
}

impl Above {
    /// Adds to the present line of text.
    pub(super) fn add(&mut self, text: &str) {
        self.line.push_str(text);
        if self.line.len() > 2 * LONGEST_ATTRIBUTION {
            let mut from = self.line.len() - LONGEST_ATTRIBUTION;
            while !self.line.is_char_boundary(from) {
                from += 1;
            }
            self.line.drain(..from);
        }
    }

    /// Ends the present line of text.
    pub(super) fn end_line(&mut self) {
        if !without_references(&self.line).trim().is_empty() {
            std::mem::swap(&mut self.last, &mut self.line);
            self.source = None;
        }
        self.line.clear();
    }

    /// Returns true if the last line says who wrote what stands below it.
    pub(super) fn has_source(&mut self) -> bool {
        let last = &self.last;
        *self
            .source
            .get_or_insert_with(|| quotation::has_source(&without_references(last)))
    }
}

/// The bytes of a line that are kept to see whether it is an attribution.
const LONGEST_ATTRIBUTION: usize = 600;

/// Stands between the characters of a doubtful text in a reduced document. It has no
/// width, so wherever the library breaks a line, each of its lines has one.
const BETWEEN: char = '\u{e0fff}';

/// Puts the sign between all characters of a text. References stay whole.
pub(super) fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '&' => reference(rest),
            c => c.len_utf8(),
        };
        let (sign, behind) = rest.split_at(length);
        rest = behind;
        if c.is_whitespace() || BLANKS.contains(&sign) {
            out.push_str(sign);
        } else {
            out.push(BETWEEN);
            out.push_str(sign);
            out.push(BETWEEN);
        }
    }
    out
}

/// References to blanks, which programs write where nothing is to be seen.
const BLANKS: [&str; 7] = [
    "&nbsp;", "&#160;", "&#xa0;", "&#32;", "&zwnj;", "&#8203;", "&#8204;",
];

/// Returns the length of the reference at the start of a text, or of its `&`.
fn reference(text: &str) -> usize {
    let name = text[1..].bytes();
    let name = name.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
    let end = 1 + name.take(LONGEST).count();
    end + usize::from(text[end..].starts_with(';'))
}

/// The longest name of a character in HTML.
const LONGEST: usize = 32;

/// Returns a text without the signs.
pub(super) fn unmarked(text: &str) -> String {
    text.replace(BETWEEN, "")
}

/// Returns a line as it goes on: with the mark of doubt at its end if it has such text,
/// and without all characters that no text may have.
pub(crate) fn ended(line: &str) -> String {
    let is_doubtful = line.contains(BETWEEN);
    let mut plain = without_noncharacters(&unmarked(line)).into_owned();
    plain.truncate(plain.trim_end_matches(' ').len());
    if is_doubtful && !plain.is_empty() {
        plain.push(DOUBT);
    }
    plain
}
