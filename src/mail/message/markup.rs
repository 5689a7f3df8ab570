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
//! What our own mails have besides words is left out: the texts of their links, if no other
//! words are in them, and the cells of their tables. A table is ours if it says so, or has a link or a picture of ours
//! in it.
//!
//! A document says that words are quoted by an element, by its class, or by the line above it,
//! which may say who wrote what stands below. Text that a reader may not see is marked as
//! doubtful on its way through the library, which breaks lines.

use crate::Pattern;
use crate::limits::{self, Excess};
use crate::message::markup::style::{Look, Sheet, attributes};
pub(super) use crate::message::markup::tag::LESS;
use crate::message::markup::tag::{
    Element, Nesting, Sort, Table, Tag, Token, UNSEEN, VOID, is_our_table, least_shown,
    without_references,
};
use crate::quoting::attribution::{has_source, is_attribution};
use crate::quoting::habits::HtmlHabits;
use crate::quoting::line::{DOUBT, without_noncharacters};

mod style;
mod tag;

/// Returns the reduced document.
///
/// # Errors
///
/// If it is too long, has too many elements, or nests them too deeply.
pub(super) fn reduce(html: &str, habits: &HtmlHabits) -> Result<String, Excess> {
    if html.len() > limits::HTML {
        return Err(Excess::Html);
    }
    let lower = html.to_ascii_lowercase();
    let sheet = Sheet::of(html, &lower);
    let read = |nesting| Reducer::read(html, &lower, &sheet, nesting, habits);
    let reducer = read(Nesting::default())?;
    let reducer = if reducer.nesting.is_broken() {
        // Somewhere the quotation ends too early, but it is unknown where.
        read(Nesting::distrusted())?
    } else {
        reducer
    };
    Ok(reducer.out)
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
    /// What kind of link it is, if its text may be left out.
    link: Option<LinkKind>,
    /// The place where its text begins.
    text: usize,
    look: Look,
}

/// A link whose text is left out if a program's mails have such a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkKind {
    /// One of ours, which writes an answer.
    Ours,
    /// One to an address alone.
    Address,
}

struct Reducer<'h> {
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
    above: Above,
    sheet: &'h Sheet,
    nesting: Nesting,
    /// The look of what stands in no element.
    root: Look,
    habits: &'h HtmlHabits,
}

impl<'h> Reducer<'h> {
    fn read(
        html: &str,
        lower: &str,
        sheet: &'h Sheet,
        nesting: Nesting,
        habits: &'h HtmlHabits,
    ) -> Result<Reducer<'h>, Excess> {
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
            above: Above::default(),
            sheet,
            nesting,
            root: sheet.root(),
            habits,
        };
        tag::each(html, lower, |token| match token {
            Token::Sheet(_) => Ok(()),
            Token::Text(text) => reducer.text(text),
            Token::Start(tag) => reducer.start(&tag),
            Token::End(name) => reducer.end(name),
        })?;
        reducer.close_within(0);
        if reducer.filled > limits::HTML_TABLES {
            return Err(Excess::HtmlTables);
        }
        Ok(reducer)
    }

    fn text(&mut self, text: &str) -> Result<(), Excess> {
        if self.gone.is_some() {
            return Ok(());
        }
        if !text.trim().is_empty() {
            self.imply_cell()?;
        }
        for _ in text.matches('\n') {
            self.line()?;
        }
        let plain = text
            .replace('<', LESS)
            .replace("&lt;", LESS)
            .replace("&gt;", ">");
        if self.hidden == 0 && self.ours == 0 {
            self.shown += least_shown(&plain);
            if self.shown > limits::TEXT {
                return Err(Excess::Text);
            }
            self.above.add(&plain);
        }
        let plain = if self.is_doubtful() {
            marked(&plain)
        } else {
            plain
        };
        self.letters += plain.len();
        self.out.push_str(&plain);
        Ok(())
    }

    fn look(&self) -> Look {
        self.open.last().map_or(self.root, |open| open.look)
    }

    /// Returns what kind of link an element is, if its text may be left out.
    fn link_of(&self, tag: &Tag<'_>) -> Option<LinkKind> {
        if tag.name != "a" {
            return None;
        }
        if tag.values().any(self.habits.is_link) {
            return Some(LinkKind::Ours);
        }
        let is_address = tag
            .get("href")
            .is_some_and(|target| self.is_address(target));
        is_address.then_some(LinkKind::Address)
    }

    /// Returns true if the target of a link is an address alone, without a message to it.
    fn is_address(&self, target: &str) -> bool {
        let is_address = target.trim().to_ascii_lowercase().starts_with("mailto:");
        is_address && !(self.habits.is_link)(target)
    }

    /// Returns true if the reader may not see the text here, or the writer may not have
    /// written it.
    fn is_doubtful(&self) -> bool {
        self.look().may_be_unseen() || self.nesting.is_doubtful()
    }

    /// Opens a cell for what stands between the cells of a table. A library that shows pages
    /// would move it above the table, and so out of a quotation.
    fn imply_cell(&mut self) -> Result<(), Excess> {
        let sorts = self.open.iter().rev().map(|open| open.element.sort);
        let mut sorts = sorts.skip_while(|sort| !sort.is_of_table());
        let missing: &[&str] = match sorts.next() {
            Some(Sort::Table) => &["tr", "td"],
            Some(Sort::Row) => &["td"],
            _ => &[],
        };
        for name in missing {
            let look = self.look().doubted();
            let is_quote = self.open.last().is_some_and(|open| open.is_quote);
            self.open(&Tag::bare(name), Element::of(name), is_quote, look)?;
        }
        Ok(())
    }

    /// Returns true if a block quote is a quotation: if it, or an element around it, says
    /// so, or the line above says who wrote it. Else it indents.
    fn is_quotation(&mut self, tag: &Tag<'_>) -> bool {
        self.above.end_line();
        self.above.has_source()
            || tag.get("type").is_some_and(|kind| kind.trim() == "cite")
            || tag.get("cite").is_some()
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<(), Excess> {
        let name = tag.name;
        if let Some((gone, depth)) = &mut self.gone {
            *depth += usize::from(gone == name);
            return Ok(());
        }
        if UNSEEN.contains(&name) {
            self.gone = Some((name.to_owned(), 1));
            return Ok(());
        }
        match name {
            // What is above and what is below it stand on one line.
            "br" if self.sheet.may_join_lines(tag) => {
                return self.text(" ");
            }
            "br" | "hr" => {
                self.imply_cell()?;
                self.end_line()?;
                if name == "br" {
                    self.out.push_str("<br>");
                } else if !attributes(tag, name).contains("none") {
                    self.end_of("p", &[]);
                    self.line_of(RULE)?;
                }
                return Ok(());
            }
            "html" | "head" => {
                self.root = self.sheet.look(tag, self.root);
                return Ok(());
            }
            "tbody" | "thead" | "tfoot" => {
                let table = self.table().map(|table| &mut self.open[table]);
                if let Some(table) = table
                    && self.sheet.look(tag, table.look) != table.look
                {
                    table.look = table.look.doubted();
                }
                return Ok(());
            }
            "img" if tag.get("alt").is_some_and(self.habits.is_picture) => {
                self.mark_table();
                return Ok(());
            }
            // No link is in another.
            "a" => self.end("a")?,
            _ if VOID.contains(&name) => return Ok(()),
            _ => {}
        }
        let mut element = Element::of(name);
        if !matches!(element.sort, Sort::Row | Sort::Cell) {
            self.imply_cell()?;
        }
        let is_inside = self.open.last().is_some_and(|open| open.is_quote);
        let is_marked = matches!(name, "div" | "blockquote") && has_line_on_the_left(tag);
        let mut is_quote = is_inside || is_named_quote(tag) || is_marked;
        let look = self.sheet.look(tag, self.look());
        let mut look = match name {
            // A reader may see nothing of it, or not before a tap on it, or in another order.
            "details" | "dialog" | "datalist" | "audio" | "video" | "canvas" | "object"
            | "applet" | "progress" | "meter" | "marquee" | "rp" | "bdo" | "xmp" | "plaintext"
            | "q" => look.doubted(),
            // Nobody writes where a program names the person who is quoted.
            _ if has_attribution(tag) => look.doubted(),
            _ => look,
        };
        if is_marked {
            element = Element::of("blockquote");
        }
        if element.kept == "blockquote" {
            is_quote |= self.is_quotation(tag);
            if !is_quote {
                element = Element::of("div");
                // Some programs quote so.
                if !is_indentation(tag) {
                    look = look.doubted();
                }
            }
        }
        match element.sort {
            Sort::Inline => {}
            Sort::Row | Sort::Cell if self.table().is_none() => return Ok(()),
            Sort::Row => self.close_within(self.table().map_or(0, |table| table + 1)),
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
        if opens_quotation(tag) && self.nesting.enters_unmarked() {
            self.line_of(SEPARATOR)?;
        }
        self.open(tag, element, is_quote, look)
    }

    /// Adds a line of the program's own.
    fn line_of(&mut self, line: &str) -> Result<(), Excess> {
        self.end_line()?;
        self.letters += line.len();
        self.out.push_str(line);
        Ok(())
    }

    /// Opens an element that is kept.
    fn open(
        &mut self,
        tag: &Tag<'_>,
        element: Element,
        is_quote: bool,
        look: Look,
    ) -> Result<(), Excess> {
        self.add(match element.sort {
            Sort::Table => limits::HTML_TABLE,
            Sort::Marked => limits::HTML_MARKED,
            _ => 1,
        })?;
        if element.sort != Sort::Inline {
            self.line()?;
            self.above.end_line();
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
        let link = self.link_of(tag);
        if link == Some(LinkKind::Ours) {
            self.mark_table();
            self.ours += 1;
        }
        self.marks += usize::from(element.sort == Sort::Marked);
        if tag.name == "blockquote" {
            self.nesting.begin();
        }
        if is_quote {
            let is_in_list = || self.open.iter().any(|open| open.element.is_list());
            let is_beside = || self.tables.iter().any(|table| table.cells > 1) || is_in_list();
            self.nesting.enter(element.kept == "blockquote", is_beside);
        }
        match element.sort {
            Sort::Table => self.tables.push(Table {
                lines: self.lines,
                letters: self.letters,
                widest: 0,
                start,
                shown: self.shown,
                is_ours: is_our_table(tag, self.habits),
                cells: 0,
            }),
            Sort::Row => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row(self.letters);
                }
            }
            Sort::Cell => {
                if let Some(table) = self.tables.last_mut() {
                    table.cells += 1;
                }
            }
            _ => {}
        }
        self.open.push(Open {
            name: tag.name.to_owned(),
            element,
            is_quote,
            is_hidden,
            link,
            text: self.out.len(),
            look,
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
            self.end_line()?;
            self.out.push_str("<br>");
            return Ok(());
        }
        let meant = Element::of(name);
        let sort = meant.sort;
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
            } else if meant.has_end() {
                if meant.kept == "blockquote" {
                    self.nesting.miss_end();
                }
                self.nesting.doubt();
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
        self.check_within(at + 1);
        self.close_to(at);
        if name == "body" {
            self.nesting.end_body();
        }
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

    /// Counts an element that ends the line of text.
    fn end_line(&mut self) -> Result<(), Excess> {
        self.add(1)?;
        self.line()?;
        self.above.end_line();
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
            self.check_within(at + 1);
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
        self.close_within(row + 1);
    }

    /// Closes the elements below a depth, which others end without a word.
    fn close_within(&mut self, depth: usize) {
        self.check_within(depth);
        self.close_to(depth);
    }

    /// Notes if one of the elements below a depth should have been closed before.
    fn check_within(&mut self, depth: usize) {
        let is_torn = |open: &Open| open.element.has_end() && open.name != "body";
        if self.open[depth..].iter().any(is_torn) {
            self.nesting.doubt();
        }
    }

    /// Leaves out the text of a link, which begins at a place of the document, if a program's mails
    /// have such a text.
    fn close_link(&mut self, link: LinkKind, start: usize) {
        let first = self.out.len().saturating_sub(LONGEST_LINK);
        let is_long = first > start;
        let first = self.out.ceil_char_boundary(first.max(start));
        let text = without_references(&unmarked(&self.out[first..]));
        match link {
            LinkKind::Address => {
                if !is_long && (self.habits.is_order)(&text) {
                    self.out.truncate(start);
                }
            }
            LinkKind::Ours => {
                let words = without_tags(&text);
                if !is_long && (self.habits.is_of_link)(&words) {
                    self.out.truncate(start);
                } else {
                    // Somebody else may have chosen the link, and it may say who wrote what follows.
                    self.above.add(&words);
                }
                self.ours -= 1;
                // The texts beside it stay apart.
                self.out.push(' ');
            }
        }
    }

    /// Closes all elements but the outermost `depth`.
    fn close_to(&mut self, depth: usize) {
        let is_line = |open: &Open| open.element.sort != Sort::Inline;
        if self.open[depth..].iter().any(is_line) {
            self.above.end_line();
        }
        while self.open.len() > depth
            && let Some(open) = self.open.pop()
        {
            self.marks -= usize::from(open.element.sort == Sort::Marked);
            if open.is_quote {
                self.nesting.leave(open.element.kept == "blockquote");
            }
            self.hidden -= usize::from(open.is_hidden);
            if let Some(link) = open.link {
                self.close_link(link, open.text);
            }
            if open.element.sort == Sort::Table
                && let Some(mut table) = self.tables.pop()
            {
                // Without marks its words tell that it is the mail that the letter answers.
                if table.is_ours && !self.nesting.is_unmarked() {
                    // It tells what is quoted, and that an attribution has its quotation.
                    let is_told = self.nesting.is_marked();
                    let foot = is_told.then(|| (self.habits.foot)(&self.out[table.start..]));
                    let foot = foot.flatten().map(|foot| format!("<div>{foot}</div>"));
                    self.out.truncate(table.start);
                    self.out.push_str("<br>");
                    self.out.push_str(&foot.unwrap_or_default());
                    if !is_told {
                        // Its program may have put into it who wrote what stands below.
                        self.out.push_str(GAP);
                    }
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

/// The longest text of a link that may be left out, in bytes of the reduced document. A link may
/// stand within others, so that a longer text would be read once for each.
const LONGEST_LINK: usize = 4000;

/// A horizontal rule, as a line of its own.
const RULE: &str = "<div>---</div>";

/// The line of text that programs write above a quotation without marks.
const SEPARATOR: &str = "<div>-----Original Message-----</div>";

/// A line of doubtful text without words, for a table that is left out.
const GAP: &str = "<div>\u{e0fff}</div>";

/// Returns the words of a part of a reduced document.
fn without_tags(reduced: &str) -> String {
    static TAG: Pattern = Pattern::new("<[^>]*>");
    TAG.replace_all(reduced, " ").into_owned()
}

/// Returns true if the element's class, id or name says that it is or holds a quotation.
/// A program's own name for an indented paragraph is none.
fn is_named_quote(tag: &Tag<'_>) -> bool {
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
fn has_attribution(tag: &Tag<'_>) -> bool {
    tag.classes()
        .any(|name| name.ends_with("gmail_attr") || name.ends_with("moz-cite-prefix"))
}

/// Returns true if a line is drawn on the left of the element, as programs do beside a
/// quotation.
fn has_line_on_the_left(tag: &Tag<'_>) -> bool {
    let is_line = |declaration: &str| {
        let declaration = declaration.trim().to_ascii_lowercase();
        let is_drawn = ["solid", "dotted", "dashed", "double"];
        declaration.starts_with("border-left")
            && is_drawn.iter().any(|how| declaration.contains(how))
    };
    tag.get("style")
        .is_some_and(|style| style.split(';').any(is_line))
}

/// Returns true if a block quote is what the button of an editor makes to indent a
/// paragraph: that of browsers, which Gmail and others use.
fn is_indentation(tag: &Tag<'_>) -> bool {
    let is_named = |name: &str| name.ends_with("webkit-indent-blockquote");
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
    tag.classes().any(is_named) || is_drawn(&style)
}

/// Returns true if below the start of an element stands what its program quotes without
/// marks: Outlook, in all its forms, Yahoo, and Thunderbird where it forwards.
fn opens_quotation(tag: &Tag<'_>) -> bool {
    let id = tag.get("id").unwrap_or_default();
    let is_named = |name: &str| {
        name.ends_with("yahoo_quoted")
            || name.ends_with("outlookmessageheader")
            || name.ends_with("moz-forward-container")
            || name.ends_with("ms-outlook-mobile-reference-message")
    };
    let style = tag.get("style").unwrap_or_default();
    id.ends_with("divrplyfwdmsg")
        || id.ends_with("mail-editor-reference-message-container")
        || tag.classes().any(is_named)
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
            let from = self.line.len() - LONGEST_ATTRIBUTION;
            self.line.drain(..self.line.ceil_char_boundary(from));
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

    /// Returns true if the last line says who wrote what stands below it: by a form of
    /// attribution, an address or a date. Three digits count as one.
    pub(super) fn has_source(&mut self) -> bool {
        *self.source.get_or_insert_with(|| {
            let last = without_references(&self.last);
            has_source(&last) || is_attribution(&last)
        })
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
    let mut plain = without_noncharacters(&unmarked(line));
    plain.truncate(plain.trim_end_matches(' ').len());
    if is_doubtful {
        plain.push(DOUBT);
    }
    plain
}
