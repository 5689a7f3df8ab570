//! HTML cut down to what the text of a letter depends on, before a library
//! reads it.
//!
//! Anything may stand in a mail, and a reader of HTML has to make sense of all
//! of it: elements without end, marks of type that it must open again in each
//! paragraph, styles, pictures, scripts. What is kept here is a few elements,
//! every one of them closed, with styles that say nothing but whether they are
//! seen and whether their line ends count. So how many elements there will be,
//! and how deep in each other, is known before the first is made.

mod tag;

use std::sync::LazyLock;

use regex::Regex;

use crate::limits::{self, Excess};
use tag::{Tag, Token};

/// The document, cut down.
///
/// # Errors
///
/// If it is too long, or has too many elements, or too deep in each other.
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

/// What an element is to the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// Nothing but its contents.
    Inline,
    /// It begins and ends a line.
    Block,
    /// The same, and its lines stand behind a mark.
    Marked,
    /// A table, which keeps to itself what is in it.
    Table,
    /// A row, a cell: of the nearest table.
    Row,
    Cell,
}

/// An element that is kept, by the name that it has in what is kept.
struct Element {
    kept: &'static str,
    sort: Sort,
}

/// An element that has not ended.
struct Open {
    /// Its name in the document; empty where it has ended there and could not
    /// be closed.
    name: String,
    element: Element,
}

struct Reducer {
    out: String,
    open: Vec<Open>,
    /// The element that is left out with all that is in it, and how often it
    /// lies in itself.
    gone: Option<(String, usize)>,
    /// How many elements are kept.
    elements: usize,
    /// How many of the open elements stand behind a mark.
    marks: usize,
    /// How many bytes the marks before all lines come to, at least.
    margin: usize,
    /// How many lines and bytes of text there are so far, at most.
    lines: usize,
    letters: usize,
    /// The open elements that are tables.
    tables: Vec<Table>,
    /// How many bytes the tables that have ended come to, at most.
    filled: usize,
}

/// A table that has not ended.
struct Table {
    /// The lines there were before it.
    lines: usize,
    /// The bytes of text there were before its last row.
    letters: usize,
    /// Bytes of the longest of the rows before.
    widest: usize,
}

impl Table {
    /// Ends the last row, where there are so many bytes of text.
    fn end_row(&mut self, letters: usize) {
        self.widest = self.widest.max(letters - self.letters);
        self.letters = letters;
    }
}

impl Reducer {
    fn text(&mut self, text: &str) -> Result<(), Excess> {
        if self.gone.is_some() {
            return Ok(());
        }
        for _ in text.matches('\n') {
            self.line()?;
        }
        self.letters += text.len();
        // A number is read twice as fast as a name.
        self.out.push_str(&text.replace('<', "&#60;"));
        Ok(())
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
                if name == "hr" {
                    self.end_of("p", &[]);
                }
                self.add(1)?;
                self.line()?;
                self.out
                    .push_str(if name == "br" { "<br>" } else { "<hr>" });
                return Ok(());
            }
            "html" | "head" | "tbody" | "thead" | "tfoot" => return Ok(()),
            _ if VOID.contains(&name) => return Ok(()),
            _ => {}
        }
        let element = element(name);
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
        self.add(match element.sort {
            Sort::Table => limits::HTML_TABLE,
            Sort::Marked => limits::HTML_MARKED,
            _ => 1,
        })?;
        if element.sort != Sort::Inline {
            self.line()?;
        }
        if self.open.len() >= limits::HTML_DEPTH {
            return Err(Excess::HtmlDepth);
        }
        self.out.push('<');
        self.out.push_str(element.kept);
        self.out.push_str(&attributes(tag, element.kept));
        self.out.push('>');
        self.marks += usize::from(element.sort == Sort::Marked);
        match element.sort {
            Sort::Table => self.tables.push(Table {
                lines: self.lines,
                letters: self.letters,
                widest: 0,
            }),
            Sort::Row => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row(self.letters);
                }
            }
            _ => {}
        }
        self.open.push(Open {
            name: name.to_owned(),
            element,
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
                // It ends a line all the same.
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
            // What it marks goes on to the end of the lines within it.
            self.open[at].name.clear();
            return Ok(());
        }
        self.close_to(at);
        while self.open.last().is_some_and(|open| open.name.is_empty()) {
            self.close_to(self.open.len() - 1);
        }
        Ok(())
    }

    /// Counts an element as so many.
    fn add(&mut self, elements: usize) -> Result<(), Excess> {
        self.elements += elements;
        if self.elements > limits::HTML_NODES {
            return Err(Excess::HtmlNodes);
        }
        Ok(())
    }

    /// Counts what stands before a line.
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

    /// Where the nearest table is.
    fn table(&self) -> Option<usize> {
        self.inmost(|open| open.element.sort == Sort::Table)
    }

    /// Ends the nearest element of that name that lies in no cell or element
    /// of those names by itself.
    fn end_of(&mut self, name: &str, bounds: &[&str]) {
        let is_bound =
            |open: &Open| open.element.sort == Sort::Cell || bounds.contains(&open.element.kept);
        let nearest = self.inmost(|open| open.element.kept == name || is_bound(open));
        if let Some(at) = nearest.filter(|&at| self.open[at].element.kept == name) {
            self.close_to(at);
        }
    }

    /// Ends the cell before the next one of a row.
    fn close_cell(&mut self) {
        let Some(table) = self.table() else { return };
        let row = self.open[table..]
            .iter()
            .position(|open| open.element.sort == Sort::Row)
            .map_or(table, |row| table + row);
        self.close_to(row + 1);
    }

    /// Ends all elements but the first so many.
    fn close_to(&mut self, depth: usize) {
        for open in self.open.drain(depth..).rev() {
            self.marks -= usize::from(open.element.sort == Sort::Marked);
            if open.element.sort == Sort::Table
                && let Some(mut table) = self.tables.pop()
            {
                table.end_row(self.letters);
                self.filled += (self.lines - table.lines) * table.widest.min(limits::HTML_WIDTH);
            }
            self.out.push_str("</");
            self.out.push_str(open.element.kept);
            self.out.push('>');
        }
    }
}

/// Elements that have no contents.
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "col", "colgroup", "embed", "frame", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Whether nothing is seen of an element, or it is withdrawn.
fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "s" | "strike" | "del" | "select" | "button" | "template" | "svg" | "math"
    )
}

/// What an element of that name is kept as.
fn element(name: &str) -> Element {
    let (kept, sort) = match name {
        // A heading would get a mark before it.
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

/// Whether a style may be one that counts: hardly any does.
fn is_telling(style: &str) -> bool {
    ["none", "hidden", "line-through", "overflow", "white-space"]
        .iter()
        .any(|word| style.contains(word))
}

/// What is kept of an element's attributes.
fn attributes(tag: &Tag<'_>, kept: &str) -> String {
    static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x) display\s*:\s*none | text-decoration(?:-line)?\s*:[^;]*line-through
              | visibility\s*:\s*hidden",
        )
        .expect("the pattern is well-formed")
    });
    static CUT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:^|[;\s])(?:max-)?height\s*:\s*0").expect("the pattern is well-formed")
    });
    static KEPT_LINES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"white-space\s*:\s*(pre\b(?:-wrap|-line)?|break-spaces)")
            .expect("the pattern is well-formed")
    });
    let style = tag.get("style").unwrap_or_default();
    if !is_telling(style) && tag.get("hidden").is_none() && kept != "ol" {
        return String::new();
    }
    let is_cut = || CUT.is_match(style) && style.contains("overflow");
    if HIDDEN.is_match(style) || is_cut() || tag.get("hidden").is_some() {
        return r#" style="display:none""#.to_owned();
    }
    let number = |name: &str| {
        let value = tag.get(name)?.trim().parse::<u16>().ok()?;
        Some(format!(" {name}=\"{value}\""))
    };
    match kept {
        "ol" => number("start").unwrap_or_default(),
        _ if KEPT_LINES.is_match(style) => r#" style="white-space:pre-wrap""#.to_owned(),
        _ => String::new(),
    }
}
