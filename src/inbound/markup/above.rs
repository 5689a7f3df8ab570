//! The line above, which may say who wrote what stands below it.

use crate::inbound::markup::quotation;
use crate::inbound::markup::references::without_references;

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
