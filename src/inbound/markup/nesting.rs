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

/// Whether the quotations end where their elements do.
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
    /// What is known of a document whose elements are broken.
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
            self.is_beside
        } else {
            self.begun != Begun::None && (self.is_ended || self.trust == Trust::Distrusted)
        }
    }
}
