//! Which text of a document may be a quotation that has ended too early.
//!
//! A program that quotes a document whole ends all its elements. Where one ends that has
//! never begun, or none ends that has, a quoted document may have ended the quotation
//! itself.

/// What is known of the quotations in a document.
#[derive(Default)]
pub(super) struct Nesting {
    /// The number of open elements that are quotations with marks.
    marked: usize,
    /// True if something may stand before their marks.
    is_beside: bool,
    /// True if a quotation has begun.
    is_quoted: bool,
    /// True if one without marks has.
    is_unmarked: bool,
    /// True if the body has ended.
    is_ended: bool,
    /// True if elements end where they should not.
    is_broken: bool,
    /// True if nothing below a quotation is trusted.
    is_distrusted: bool,
}

impl Nesting {
    /// What is known of a document whose elements are broken.
    pub(super) fn distrusted() -> Nesting {
        Nesting {
            is_distrusted: true,
            ..Nesting::default()
        }
    }

    /// Enters a quotation. `is_beside` tells whether anything may stand before its marks
    /// on its lines.
    pub(super) fn enter(&mut self, is_marked: bool, is_beside: impl FnOnce() -> bool) {
        self.is_quoted = true;
        if is_marked {
            self.is_beside = if self.marked == 0 {
                is_beside()
            } else {
                self.is_beside
            };
            self.marked += 1;
        }
    }

    pub(super) fn leave(&mut self, is_marked: bool) {
        self.marked -= usize::from(is_marked);
    }

    /// Enters a quotation without marks. Returns false within another.
    pub(super) fn enters_unmarked(&mut self) -> bool {
        let is_first = !self.is_unmarked && self.marked == 0;
        self.is_quoted = true;
        self.is_unmarked = true;
        is_first
    }

    /// Returns true in a quotation with marks.
    pub(super) fn is_marked(&self) -> bool {
        self.marked > 0
    }

    pub(super) fn end_body(&mut self) {
        self.is_ended = true;
    }

    /// Notes that an element ends where it should not.
    pub(super) fn doubt(&mut self) {
        self.is_broken |= self.is_quoted;
    }

    /// Returns true if the document has to be read again with distrust.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken && !self.is_distrusted
    }

    /// Returns true if the text here may be a quotation whose marks have ended, or do not
    /// stand at the start of its lines.
    pub(super) fn is_doubtful(&self) -> bool {
        if self.marked > 0 {
            self.is_beside
        } else {
            self.is_quoted && (self.is_ended || self.is_distrusted)
        }
    }
}
