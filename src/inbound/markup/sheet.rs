//! The style sheets of a document, as far as they may hide a text.
//!
//! A rule is kept by the last name of each of its selectors, so it is taken to be about at
//! least the elements that it is about.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::inbound::markup::declarations::Declarations;
use crate::inbound::markup::look::Look;
use crate::inbound::markup::tag::{self, Tag, Token};

/// The rules that matter.
#[derive(Default)]
pub(super) struct Sheet<'h> {
    /// By `.class`, `#id` or name.
    rules: HashMap<&'h str, Declarations>,
    /// Those of which it is unknown what they are about.
    of_all: Declarations,
}

impl<'h> Sheet<'h> {
    /// Reads all style sheets of a document. `lower` is the document in lower case.
    pub(super) fn of(html: &'h str, lower: &'h str) -> Sheet<'h> {
        let mut sheet = Sheet::default();
        if lower.contains("<style") {
            let read = tag::each(html, lower, |token| {
                if let Token::Sheet(text) = token {
                    sheet.read(text);
                }
                Ok::<(), Infallible>(())
            });
            read.unwrap_or_else(|never| match never {});
        }
        sheet
    }

    /// Returns the look of what stands in no element.
    pub(super) fn root(&self) -> Look {
        Look::default().with(&self.of_all)
    }

    /// Returns the look of an element inside one of this look, and whether one of the
    /// rules for it may hide its text.
    pub(super) fn look(&self, tag: &Tag<'_>, around: Look) -> Look {
        let mut look = around.with(&self.of_all);
        if !self.rules.is_empty() {
            for name in names(tag) {
                if let Some(rule) = self.rules.get(name.as_str()) {
                    look = look.with(rule);
                    // Another rule, or a style, may give way to this one.
                    let hides = look.may_be_unseen() && !around.may_be_unseen();
                    if hides || Look::default().with(rule).may_be_unseen() {
                        look = look.doubted();
                    }
                }
            }
        }
        look.with(&Declarations::of(tag))
    }

    fn read(&mut self, text: &'h str) {
        let mut rest = text;
        while let Some(open) = rest.find(['{', '}']) {
            let (before, behind) = (&rest[..open], &rest[open + 1..]);
            let is_open = rest[open..].starts_with('{');
            rest = behind;
            if !is_open {
                continue;
            }
            let end = behind.find(['{', '}']).unwrap_or(behind.len());
            let said = Declarations::read(&behind[..end]);
            if said.is_empty() {
                continue;
            }
            // Above a rule may stand a comment, and a rule without brackets.
            let head = before.rsplit(';').next().unwrap_or_default();
            let head = head.rsplit("*/").next().unwrap_or_default();
            if head.trim_start().starts_with('@') {
                continue;
            }
            for selector in head.split(',') {
                match key(selector) {
                    Some(key) => self.rules.entry(key).or_default().add_all(&said),
                    None => self.of_all.add_all(&said),
                }
            }
        }
    }
}

/// Returns the name in a selector that the elements have which it is about, if it has one.
fn key(selector: &str) -> Option<&str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '>' | '+' | '~' | '/');
    let last = selector.trim_end().rsplit(is_end).next()?;
    let bare = last.split([':', '[', '(', ')', ']']).next()?;
    if last.contains(['(', '\\', '"', '\'']) || bare.is_empty() || bare.contains('*') {
        return None;
    }
    let Some(at) = bare.find(['#', '.']) else {
        return Some(bare);
    };
    let end = bare[at + 1..].find(['#', '.']);
    Some(&bare[at..end.map_or(bare.len(), |end| at + 1 + end)])
}

/// Returns the names by which a rule can be about an element.
fn names(tag: &Tag<'_>) -> impl Iterator<Item = String> {
    let classes = tag.get("class").unwrap_or_default();
    let classes = classes.split_ascii_whitespace();
    let id = tag.get("id").map(|id| format!("#{}", id.trim()));
    std::iter::once(tag.name.to_owned())
        .chain(classes.map(|class| format!(".{class}")))
        .chain(id)
}
