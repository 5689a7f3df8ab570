//! Splits an HTML document into tags and texts, as the standard does, and tells the few
//! kinds of elements, and the tables of our mails, that a reduced document needs.
//!
//! html5ever's tokenizer is in the dependency tree but does not serve: it compares each
//! attribute of a tag with all before it and returns nothing until the tag ends, so 512
//! KiB of attributes cost half a minute and nothing can stop it. Regular expressions
//! take time linear in the length of any document.
//!
//! A program that quotes a document whole ends all its elements. Where one ends that has
//! never begun, or none ends that has, a quoted document may have ended the quotation
//! itself, so the text is doubtful from there on.

use crate::Pattern;
use crate::quoting::habits::HtmlHabits;

/// A piece of a document.
pub(super) enum Token<'h> {
    /// Text, with its character references undecoded.
    Text(&'h str),
    /// A start tag.
    Start(Tag<'h>),
    /// An end tag, by its name in lower case.
    End(&'h str),
    /// A style sheet in lower case.
    Sheet(&'h str),
}

/// A start tag in lower case.
pub(super) struct Tag<'h> {
    pub(super) name: &'h str,
    /// The text after the name.
    attributes: &'h str,
}

impl<'h> Tag<'h> {
    /// Returns a tag that is a name alone.
    pub(super) fn bare(name: &'h str) -> Tag<'h> {
        Tag {
            name,
            attributes: "",
        }
    }

    /// Returns the value of an attribute; the first one counts.
    pub(super) fn get(&self, name: &str) -> Option<&'h str> {
        let found = self.attributes().find(|(key, _)| *key == name);
        found.map(|(_, value)| value)
    }

    /// Returns the classes.
    pub(super) fn classes(&self) -> impl Iterator<Item = &'h str> + use<'h> {
        let classes = self.get("class").unwrap_or_default();
        classes.split_ascii_whitespace()
    }

    /// Returns the values of all attributes.
    pub(super) fn values(&self) -> impl Iterator<Item = &'h str> {
        self.attributes().map(|(_, value)| value)
    }

    /// Returns true if the tag has more than a name.
    pub(super) fn has_attributes(&self) -> bool {
        self.attributes.contains('=')
    }

    /// Returns true if the tag has attributes that are not examined.
    pub(super) fn has_too_many_attributes(&self) -> bool {
        self.attributes().count() == MOST_ATTRIBUTES
    }

    fn attributes(&self) -> impl Iterator<Item = (&'h str, &'h str)> + use<'h> {
        let mut rest = self.attributes;
        let attributes = std::iter::from_fn(move || next_attribute(&mut rest));
        attributes.take(MOST_ATTRIBUTES)
    }
}

/// Takes the name and the value of an attribute off the rest of a tag.
fn next_attribute<'h>(rest: &mut &'h str) -> Option<(&'h str, &'h str)> {
    let text = rest.trim_start_matches(NAME_END);
    // A "=" at the start of a name is part of it.
    let begin = text.chars().next()?.len_utf8();
    let end = text[begin..].find(|c| c == '=' || NAME_END.contains(&c));
    let (name, behind) = text.split_at(end.map_or(text.len(), |end| begin + end));
    let Some(value) = behind.trim_ascii_start().strip_prefix('=') else {
        *rest = behind;
        return Some((name, ""));
    };
    let value = value.trim_ascii_start();
    let (value, behind) = match value.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split_once(&value[..1]).unwrap_or((quoted, "")),
        None => value.split_at(
            value
                .find([' ', '\t', '\n', '\r', '\x0c', '>'])
                .unwrap_or(value.len()),
        ),
    };
    *rest = behind;
    Some((name, value))
}

/// The most attributes of a tag that are examined. Of a tag with more it is unknown
/// whether its text can be seen.
const MOST_ATTRIBUTES: usize = 40;

/// Elements whose contents are not HTML and are not read.
const RAW: &[&str] = &[
    "script", "style", "title", "textarea", "iframe", "noembed", "noframes",
];

/// The characters that end a name.
const NAME_END: [char; 7] = ['\t', '\n', '\x0c', '\r', ' ', '/', '>'];

/// A comment or a tag. Each alternative matches where it begins, closed or not, so
/// nothing is scanned twice.
static MARKUP: Pattern = Pattern::new(
    r#"(?x) < (?:
            !-- (?: -?> | (?s:.)*? (?: --> | \z ) )
          | /? [a-z] [^\t\n\f\r\x20/>]*
            (?: [\t\n\f\r\x20/]+
              | [^\t\n\f\r\x20/>] [^\t\n\f\r\x20/>=]*
                (?: [\t\n\f\r\x20]* = [\t\n\f\r\x20]*
                    (?: "[^"]*"? | '[^']*'? | [^\t\n\f\r\x20>"'] [^\t\n\f\r\x20>]* )? )?
            )* (?: > | \z )
          | (?: [!?] | /[^>] ) [^>]* >?
          | /> )"#,
);

/// Calls `see` with the pieces of a document, in order, until `see` returns an error.
/// `lower` is the document in lower case.
///
/// # Errors
///
/// The error of `see`.
pub(super) fn each<'h, E>(
    html: &'h str,
    lower: &'h str,
    mut see: impl FnMut(Token<'h>) -> Result<(), E>,
) -> Result<(), E> {
    let mut at = 0;
    while let Some(markup) = MARKUP.find_at(lower, at) {
        see(Token::Text(&html[at..markup.start()]))?;
        at = markup.end();
        let inner = &markup.as_str()[1..];
        let (is_end, inner) = inner
            .strip_prefix('/')
            .map_or((false, inner), |inner| (true, inner));
        let (name, attributes) = inner.split_at(inner.find(NAME_END).unwrap_or(inner.len()));
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            // Skips a comment.
        } else if is_end {
            see(Token::End(name))?;
        } else if RAW.contains(&name) {
            let start = at;
            let end = lower[at..].find(&format!("</{name}"));
            at = end.map_or(lower.len(), |end| at + end);
            if name == "style" {
                see(Token::Sheet(&lower[start..at]))?;
            }
        } else {
            see(Token::Start(Tag { name, attributes }))?;
        }
    }
    see(Token::Text(&html[at..]))
}

/// The effect of an element on the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// It only has contents.
    Inline,
    /// It begins and ends a line.
    Block,
    /// A block whose lines stand after a mark.
    Marked,
    /// A table, whose cells bound the elements inside them.
    Table,
    /// A row or a cell of the nearest table.
    Row,
    Cell,
}

impl Sort {
    pub(super) fn is_of_table(self) -> bool {
        matches!(self, Sort::Table | Sort::Row | Sort::Cell)
    }
}

/// An element to keep, with its name in the reduced document.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub(super) kept: &'static str,
    pub(super) sort: Sort,
}

impl Element {
    /// Returns what an element of that name becomes.
    pub(super) fn of(name: &str) -> Element {
        let (kept, sort) = match name {
            // The library would put a mark before a heading.
            "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => ("p", Sort::Block),
            "pre" | "listing" => ("pre", Sort::Block),
            "blockquote" => ("blockquote", Sort::Marked),
            "ul" | "dir" | "menu" => ("ul", Sort::Block),
            "ol" => ("ol", Sort::Block),
            "li" => ("li", Sort::Marked),
            "dl" => ("dl", Sort::Block),
            "dt" => ("dt", Sort::Block),
            "dd" => ("dd", Sort::Marked),
            "table" => ("table", Sort::Table),
            "tr" => ("tr", Sort::Row),
            "td" | "th" => ("td", Sort::Cell),
            "sup" => ("sup", Sort::Inline),
            "div" | "body" | "center" | "section" | "article" | "header" | "footer" | "main"
            | "address" | "aside" | "nav" | "form" | "fieldset" | "figure" | "figcaption"
            | "details" | "summary" | "caption" | "hgroup" | "legend" | "option" => {
                ("div", Sort::Block)
            }
            _ => ("span", Sort::Inline),
        };
        Element { kept, sort }
    }

    /// Returns true if marks that are none of a quotation stand before its lines.
    pub(super) fn is_list(self) -> bool {
        matches!(self.kept, "ul" | "ol" | "li" | "dl" | "dt" | "dd")
    }

    /// Returns true if its end must be said: nothing but its own end tag ends it.
    pub(super) fn has_end(self) -> bool {
        match self.sort {
            Sort::Inline | Sort::Row | Sort::Cell => false,
            _ => !matches!(self.kept, "p" | "li" | "dt" | "dd"),
        }
    }
}

/// Elements without contents.
pub(super) const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "col", "colgroup", "embed", "frame", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements that are no text that their reader sees, or are struck out.
pub(super) const UNSEEN: &[&str] = &[
    "s", "strike", "del", "select", "button", "template", "svg", "math",
];

/// The facts about the quotations in a document.
#[derive(Default)]
pub(super) struct Nesting {
    /// The number of open elements that are quotations with marks.
    marked: usize,
    /// True if something may stand before their marks.
    is_beside: bool,
    /// True if a quotation should have ended where an element in it has no end.
    has_missed_end: bool,
    begun: Begun,
    /// True if the body has ended.
    is_ended: bool,
    trust: Trust,
}

/// The quotations that have begun.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Begun {
    #[default]
    None,
    Some,
    /// One without marks, too.
    Unmarked,
}

/// The trust that quotations end where their elements do.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Trust {
    #[default]
    Whole,
    /// Elements end where they should not.
    Broken,
    /// Nothing below a quotation is trusted.
    Distrusted,
}

impl Nesting {
    /// The facts about a document whose elements are broken.
    pub(super) fn distrusted() -> Nesting {
        Nesting {
            trust: Trust::Distrusted,
            ..Nesting::default()
        }
    }

    /// Notes an element that may be a quotation, even an empty one.
    pub(super) fn begin(&mut self) {
        self.begun = self.begun.max(Begun::Some);
    }

    /// Enters a quotation. `is_beside` tells whether anything may stand before its marks
    /// on its lines.
    pub(super) fn enter(&mut self, is_marked: bool, is_beside: impl FnOnce() -> bool) {
        self.begin();
        if is_marked {
            if self.marked == 0 {
                self.is_beside = is_beside();
            }
            self.marked += 1;
        }
    }

    pub(super) fn leave(&mut self, is_marked: bool) {
        self.marked -= usize::from(is_marked);
    }

    /// Notes the end of a block quote that lies behind an element without an end: its
    /// program has meant the quotation to end here, though it goes on.
    pub(super) fn miss_end(&mut self) {
        self.has_missed_end |= self.is_marked();
    }

    /// Enters a quotation without marks. Returns false within another.
    pub(super) fn enters_unmarked(&mut self) -> bool {
        let is_first = self.begun != Begun::Unmarked && self.marked == 0;
        self.begun = Begun::Unmarked;
        is_first
    }

    /// Returns true in a quotation with marks.
    pub(super) fn is_marked(&self) -> bool {
        self.marked > 0
    }

    /// Returns true in a quotation without marks.
    pub(super) fn is_unmarked(&self) -> bool {
        self.begun == Begun::Unmarked && !self.is_marked()
    }

    pub(super) fn end_body(&mut self) {
        self.is_ended = true;
    }

    /// Notes that an element ends where it should not.
    pub(super) fn doubt(&mut self) {
        if self.begun != Begun::None && self.trust == Trust::Whole {
            self.trust = Trust::Broken;
        }
    }

    /// Returns true if the document has to be read again with distrust.
    pub(super) fn is_broken(&self) -> bool {
        self.trust == Trust::Broken
    }

    /// Returns true if the text here may be a quotation whose marks have ended, or do not
    /// stand at the start of its lines.
    pub(super) fn is_doubtful(&self) -> bool {
        if self.is_marked() {
            self.is_beside || self.has_missed_end
        } else {
            self.begun != Begun::None && (self.is_ended || self.trust == Trust::Distrusted)
        }
    }
}

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

/// Returns true if a table says that it is of one of our mails. Programs put a word of their
/// own before its name.
pub(super) fn is_our_table(tag: &Tag<'_>, habits: &HtmlHabits) -> bool {
    let names = ["class", "id", "name", "title", "summary", "aria-label"].into_iter();
    let mut names = names.filter_map(|name| tag.get(name));
    let is_ours = |name: &str| habits.table.is_some_and(|table| name.contains(table));
    names.any(is_ours)
}

/// Stands for a `<` in the text of a reduced document. The library reads it many times
/// faster than a character reference. A document that has this character, which no text
/// may, could as well have the `<`.
pub(crate) const LESS: &str = "\u{fdd0}";

/// Returns a text with a blank for each character reference.
pub(super) fn without_references(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain.push_str(before);
        plain.push(' ');
        let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
        let behind = &behind[end.unwrap_or(behind.len())..];
        rest = behind.strip_prefix(';').unwrap_or(behind);
    }
    (plain + rest).replace(LESS, "<")
}

/// Returns a number of bytes that a text surely comes to: blanks may be dropped, and
/// references stand for fewer bytes than they have.
pub(super) fn least_shown(text: &str) -> usize {
    let mut is_reference = false;
    let mut count = text.matches(LESS).count();
    for byte in text.bytes() {
        match byte {
            b'&' => is_reference = true,
            _ if is_reference && (byte.is_ascii_alphanumeric() || byte == b'#') => {}
            _ => {
                is_reference = false;
                count += usize::from(byte.is_ascii_graphic() && byte != b';');
            }
        }
    }
    count
}
