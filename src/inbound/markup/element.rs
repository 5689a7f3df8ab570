//! The few kinds of elements of a reduced document.

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
    /// What a block quote becomes that is no quotation.
    pub(super) const INDENTATION: Element = Element {
        kept: "div",
        sort: Sort::Block,
    };

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

/// Returns true if the element is not text that its reader sees, or is struck out.
pub(super) fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "s" | "strike" | "del" | "select" | "button" | "template" | "svg" | "math"
    )
}

/// Returns true if a reader may see nothing of the element, or not before a tap on it, or
/// in another order.
pub(super) fn may_be_unseen(name: &str) -> bool {
    matches!(
        name,
        "details"
            | "dialog"
            | "datalist"
            | "audio"
            | "video"
            | "canvas"
            | "object"
            | "applet"
            | "progress"
            | "meter"
            | "marquee"
            | "rp"
            | "bdo"
            | "xmp"
            | "plaintext"
    )
}
