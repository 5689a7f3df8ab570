//! Reduces HTML to the parts that the text of a letter depends on, before a library
//! reads it.
//!
//! A mail may hold any HTML, and the library has to make sense of all of it: elements
//! without an end, formatting that it must reopen in each paragraph, styles, pictures,
//! scripts. The reduced document has only a few kinds of elements, all of them closed.
//! Their styles only say whether they are visible and whether their line ends count. So
//! the number and the depth of the elements are known before the library creates the
//! first one.
//!
//! What our own mails have besides words is left out: the texts of their links, and the
//! cells of their tables. A table is ours if it says so, or has a link of ours or the
//! picture of a board in it.

mod quotation;
mod style;
mod tag;

use crate::inbound::markup::quotation::{has_line_on_the_left, has_source, is_named_quote};
use crate::inbound::markup::style::attributes;
use crate::inbound::markup::tag::{Tag, Token};
use crate::inbound::position_words::is_position;
use crate::inbound::tap_link::{could_be_played, is_address, is_tap};
use crate::limits::{self, Excess};

/// Stands for a `<` in the text of a reduced document. The library reads it many times
/// faster than a character reference. A document that has this character, which no text
/// may, could as well have the `<`.
pub(super) const LESS: &str = "\u{fdd0}";

/// Returns the reduced document.
///
/// # Errors
///
/// If it is too long, has too many elements, or nests them too deeply.
pub(super) fn reduce(html: &str) -> Result<String, Excess> {
    if html.len() > limits::HTML {
        return Err(Excess::Html);
    }
    let mut reducer = Reducer {
        out: String::with_capacity(html.len()),
        open: Vec::new(),
        gone: None,
        elements: 0,
        marks: 0,
        margin: 0,
        lines: 0,
        letters: 0,
        tables: Vec::new(),
        filled: 0,
        shown: 0,
        hidden: 0,
        ours: 0,
        line: String::new(),
        above: String::new(),
        source: None,
    };
    tag::each(html, &html.to_ascii_lowercase(), |token| match token {
        Token::Text(text) => reducer.text(text),
        Token::Start(tag) => reducer.start(&tag),
        Token::End(name) => reducer.end(name),
    })?;
    reducer.close_to(0);
    if reducer.filled > limits::HTML_TABLES {
        return Err(Excess::HtmlTables);
    }
    Ok(reducer.out)
}

/// The effect of an element on the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
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

/// An element to keep, with its name in the reduced document.
struct Element {
    kept: &'static str,
    sort: Sort,
}

/// An element that is still open.
struct Open {
    /// Its name in the document; empty if it has ended there but could not be closed
    /// yet.
    name: String,
    element: Element,
    /// True if it, or an element around it, is or holds a quotation.
    is_quote: bool,
    /// True if it is not visible.
    is_hidden: bool,
    /// True if it is a link of ours, whose text is left out.
    is_ours: bool,
    /// The place where its text begins, if it is a link to an address.
    address: Option<usize>,
}

struct Reducer {
    out: String,
    open: Vec<Open>,
    /// The element that is left out with its contents, and how deep it is nested in
    /// itself.
    gone: Option<(String, usize)>,
    /// The number of elements kept.
    elements: usize,
    /// The number of open elements whose lines stand after a mark.
    marks: usize,
    /// The total size in bytes of the marks before all lines, as a lower bound.
    margin: usize,
    /// Upper bounds of the lines and bytes of text so far.
    lines: usize,
    letters: usize,
    /// The open tables.
    tables: Vec<Table>,
    /// The total size in bytes of the tables that have ended, as an upper bound.
    filled: usize,
    /// The bytes of text that are surely shown, as a lower bound.
    shown: usize,
    /// The number of open elements that are not visible.
    hidden: usize,
    /// The number of open links of ours.
    ours: usize,
    /// The end of the present line of text, and of the last one that was not blank.
    line: String,
    above: String,
    /// Whether that one says who wrote what stands below it, if that is known.
    source: Option<bool>,
}

/// A table that is still open.
struct Table {
    /// The number of lines before the table.
    lines: usize,
    /// The bytes of text before its last row.
    letters: usize,
    /// The length in bytes of its longest finished row.
    widest: usize,
    /// The place where it begins in the reduced document.
    start: usize,
    /// The bytes of text before it that are surely shown.
    shown: usize,
    /// True if it is of a mail of ours.
    is_ours: bool,
}

impl Table {
    /// Ends the last row. `letters` is the number of bytes of text so far.
    fn end_row(&mut self, letters: usize) {
        self.widest = self.widest.max(letters - self.letters);
        self.letters = letters;
    }
}

impl Reducer {
    fn text(&mut self, text: &str) -> Result<(), Excess> {
        if self.gone.is_some() || self.ours > 0 {
            return Ok(());
        }
        for _ in text.matches('\n') {
            self.line()?;
        }
        self.letters += text.len();
        let plain = text
            .replace('<', LESS)
            .replace("&lt;", LESS)
            .replace("&gt;", ">");
        if self.hidden == 0 {
            self.shown += least_shown(&plain);
            if self.shown > limits::TEXT {
                return Err(Excess::Text);
            }
            self.note(&plain);
        }
        self.out.push_str(&plain);
        Ok(())
    }

    /// Keeps the end of the present line of text.
    fn note(&mut self, text: &str) {
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
    fn end_line(&mut self) {
        if !without_references(&self.line).trim().is_empty() {
            std::mem::swap(&mut self.above, &mut self.line);
            self.source = None;
        }
        self.line.clear();
    }

    /// Returns true if a block quote is a quotation: if it, or an element around it, says
    /// so, or the line above says who wrote it. Else it indents.
    fn is_quotation(&mut self, tag: &Tag<'_>) -> bool {
        self.end_line();
        let above = &self.above;
        let has_source = self
            .source
            .get_or_insert_with(|| has_source(&without_references(above)));
        *has_source
            || tag.get("type").is_some_and(|kind| kind.trim() == "cite")
            || tag.get("cite").is_some()
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), Excess> {
        let name = tag.name;
        if let Some((gone, depth)) = &mut self.gone {
            *depth += usize::from(gone == name);
            return Ok(());
        }
        if is_unseen(name) {
            self.gone = Some((name.to_owned(), 1));
            return Ok(());
        }
        match name {
            "br" | "hr" => {
                self.add(1)?;
                self.line()?;
                self.end_line();
                if name == "br" {
                    self.out.push_str("<br>");
                } else if !attributes(tag, name).contains("none") {
                    self.end_of("p", &[]);
                    self.line()?;
                    self.letters += RULE.len();
                    self.out.push_str(RULE);
                }
                return Ok(());
            }
            "html" | "head" | "tbody" | "thead" | "tfoot" => return Ok(()),
            "img" if tag.get("alt").is_some_and(is_position) => {
                self.mark_table();
                return Ok(());
            }
            // No link is in another.
            "a" => self.end("a")?,
            _ if VOID.contains(&name) => return Ok(()),
            _ => {}
        }
        let mut element = element(name);
        let is_inside = self.open.last().is_some_and(|open| open.is_quote);
        let is_marked = matches!(name, "div" | "blockquote") && has_line_on_the_left(tag);
        let mut is_quote = is_inside || is_named_quote(tag) || is_marked;
        if is_marked {
            element = self::element("blockquote");
        }
        if element.kept == "blockquote" {
            is_quote |= self.is_quotation(tag);
            if !is_quote {
                element = INDENTATION;
            }
        }
        match element.sort {
            Sort::Inline => {}
            Sort::Row | Sort::Cell if self.table().is_none() => return Ok(()),
            Sort::Row => self.close_to(self.table().map_or(0, |table| table + 1)),
            Sort::Cell => self.close_cell(),
            Sort::Block | Sort::Marked | Sort::Table => {
                self.end_of("p", &[]);
                match element.kept {
                    "li" => self.end_of("li", &["ul", "ol", "blockquote"]),
                    "dt" | "dd" => {
                        self.end_of("dt", &["dl", "blockquote"]);
                        self.end_of("dd", &["dl", "blockquote"]);
                    }
                    _ => {}
                }
            }
        }
        self.open(tag, element, is_quote)
    }

    /// Opens an element that is kept.
    fn open(&mut self, tag: &Tag<'_>, element: Element, is_quote: bool) -> Result<(), Excess> {
        self.add(match element.sort {
            Sort::Table => limits::HTML_TABLE,
            Sort::Marked => limits::HTML_MARKED,
            _ => 1,
        })?;
        if element.sort != Sort::Inline {
            self.line()?;
            self.end_line();
        }
        if self.open.len() >= limits::HTML_DEPTH {
            return Err(Excess::HtmlDepth);
        }
        let start = self.out.len();
        self.out.push('<');
        self.out.push_str(element.kept);
        let attributes = attributes(tag, element.kept);
        self.out.push_str(&attributes);
        self.out.push('>');
        let is_hidden = attributes.contains("none");
        self.hidden += usize::from(is_hidden);
        let is_ours = tag.name == "a" && tag.values().any(is_tap);
        if is_ours {
            self.mark_table();
        }
        self.ours += usize::from(is_ours);
        let is_address = tag.name == "a" && tag.get("href").is_some_and(is_address);
        self.marks += usize::from(element.sort == Sort::Marked);
        match element.sort {
            Sort::Table => self.tables.push(Table {
                lines: self.lines,
                letters: self.letters,
                widest: 0,
                start,
                shown: self.shown,
                is_ours: is_our_table(tag),
            }),
            Sort::Row => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row(self.letters);
                }
            }
            _ => {}
        }
        self.open.push(Open {
            name: tag.name.to_owned(),
            element,
            is_quote,
            is_hidden,
            is_ours,
            address: is_address.then_some(self.out.len()),
        });
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), Excess> {
        if let Some((gone, depth)) = &mut self.gone {
            *depth -= usize::from(gone == name);
            if *depth == 0 {
                self.gone = None;
            }
            return Ok(());
        }
        if name == "br" {
            self.add(1)?;
            self.line()?;
            self.end_line();
            self.out.push_str("<br>");
            return Ok(());
        }
        let sort = element(name).sort;
        let bound = match sort {
            Sort::Table => 0,
            Sort::Row | Sort::Cell => self.table().unwrap_or(self.open.len()),
            _ => self
                .inmost(|open| open.element.sort == Sort::Cell)
                .map_or(0, |at| at + 1),
        };
        let found = self.open[bound..]
            .iter()
            .rposition(|open| open.name == name);
        let Some(at) = found.map(|at| bound + at) else {
            if name == "p" {
                // A stray `</p>` ends a line, too.
                self.add(1)?;
                self.line()?;
                self.out.push_str("<p></p>");
            }
            return Ok(());
        };
        let is_inmost = self.open[at + 1..]
            .iter()
            .all(|open| open.element.sort == Sort::Inline);
        if sort == Sort::Inline && !is_inmost {
            // Its formatting lasts until the blocks inside it end.
            self.open[at].name.clear();
            return Ok(());
        }
        self.close_to(at);
        while self.open.last().is_some_and(|open| open.name.is_empty()) {
            self.close_to(self.open.len() - 1);
        }
        Ok(())
    }

    /// Counts an element with this weight.
    fn add(&mut self, elements: usize) -> Result<(), Excess> {
        self.elements += elements;
        if self.elements > limits::HTML_NODES {
            return Err(Excess::HtmlNodes);
        }
        Ok(())
    }

    /// Counts a line with the marks before it.
    fn line(&mut self) -> Result<(), Excess> {
        self.lines += 1;
        self.margin += 2 * self.marks;
        if self.margin > limits::TEXT {
            return Err(Excess::Text);
        }
        Ok(())
    }

    fn inmost(&self, is_meant: impl Fn(&Open) -> bool) -> Option<usize> {
        self.open.iter().rposition(is_meant)
    }

    /// Returns the index of the nearest open table.
    fn table(&self) -> Option<usize> {
        self.inmost(|open| open.element.sort == Sort::Table)
    }

    /// Marks the nearest table as one of our mails. What is quoted within a table, as by
    /// a program that lays out a whole message in one, does not make it ours.
    fn mark_table(&mut self) {
        let Some(at) = self.table() else { return };
        let is_quoted = self.open[at..]
            .iter()
            .any(|open| open.element.kept == "blockquote");
        if let Some(table) = self.tables.last_mut()
            && !is_quoted
        {
            table.is_ours = true;
        }
    }

    /// Closes the nearest element `name`, unless a cell or one of the elements `bounds`
    /// lies between.
    fn end_of(&mut self, name: &str, bounds: &[&str]) {
        let is_bound =
            |open: &Open| open.element.sort == Sort::Cell || bounds.contains(&open.element.kept);
        let nearest = self.inmost(|open| open.element.kept == name || is_bound(open));
        if let Some(at) = nearest.filter(|&at| self.open[at].element.kept == name) {
            self.close_to(at);
        }
    }

    /// Closes the cell before the next one of its row.
    fn close_cell(&mut self) {
        let Some(table) = self.table() else { return };
        let row = self.open[table..]
            .iter()
            .position(|open| open.element.sort == Sort::Row)
            .map_or(table, |row| table + row);
        self.close_to(row + 1);
    }

    /// Closes all elements but the outermost `depth`.
    fn close_to(&mut self, depth: usize) {
        let is_line = |open: &Open| open.element.sort != Sort::Inline;
        if self.open[depth..].iter().any(is_line) {
            self.end_line();
        }
        for open in self.open.drain(depth..).rev() {
            self.marks -= usize::from(open.element.sort == Sort::Marked);
            self.hidden -= usize::from(open.is_hidden);
            if open.is_ours {
                // The texts beside it stay apart.
                self.out.push(' ');
                self.ours -= 1;
            }
            if let Some(start) = open.address
                && could_be_played(&without_references(&self.out[start..]))
            {
                self.out.truncate(start);
            }
            if open.element.sort == Sort::Table
                && let Some(mut table) = self.tables.pop()
            {
                if table.is_ours {
                    self.out.truncate(table.start);
                    self.out.push_str("<br>");
                    self.shown = table.shown;
                    continue;
                }
                table.end_row(self.letters);
                self.filled += (self.lines - table.lines) * table.widest.min(limits::HTML_WIDTH);
            }
            self.out.push_str("</");
            self.out.push_str(open.element.kept);
            self.out.push('>');
        }
    }
}

/// A horizontal rule, as a line of its own.
const RULE: &str = "<div>---</div>";

/// What a block quote becomes that is no quotation.
const INDENTATION: Element = Element {
    kept: "div",
    sort: Sort::Block,
};

/// The bytes of a line that are kept to see whether it is an attribution.
const LONGEST_ATTRIBUTION: usize = 600;

/// Returns a text with a blank for each character reference.
fn without_references(text: &str) -> String {
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

/// The name of our tables. Programs put a word of their own before it.
const OUR_NAME: &str = "parapost";

/// Returns true if a table says that it is of one of our mails.
fn is_our_table(tag: &Tag<'_>) -> bool {
    let names = ["class", "id", "name", "title", "summary", "aria-label"].into_iter();
    let mut names = names.filter_map(|name| tag.get(name));
    names.any(|name| name.contains(OUR_NAME))
}

/// Returns a number of bytes that a text surely comes to: blanks may be dropped, and
/// references stand for fewer bytes than they have.
fn least_shown(text: &str) -> usize {
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

/// Elements without contents.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "col", "colgroup", "embed", "frame", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Returns true if the element is not text that its reader sees, or is struck out.
fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "s" | "strike" | "del" | "select" | "button" | "template" | "svg" | "math"
    )
}

/// Returns what an element of that name becomes.
fn element(name: &str) -> Element {
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
