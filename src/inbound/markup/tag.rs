//! The tags and texts of an HTML document, as the standard takes it apart.

/// A piece of a document.
pub(super) enum Token<'h> {
    /// Text, with its character references as they stand.
    Text(&'h str),
    /// The beginning of an element.
    Start(Tag<'h>),
    /// The end of an element of that name, in small letters.
    End(String),
}

/// The beginning of an element.
pub(super) struct Tag<'h> {
    /// Its name, in small letters.
    pub(super) name: String,
    /// The attributes as they stand, in order.
    attributes: Vec<(&'h str, &'h str)>,
}

impl Tag<'_> {
    /// The value of an attribute; the first counts.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self
            .attributes
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| *value)
    }
}

/// The most attributes of a tag that are kept: who writes more has no style to
/// show.
const MOST_ATTRIBUTES: usize = 40;

/// Elements whose contents are no HTML, and nothing that is read.
const RAW: &[&str] = &[
    "script", "style", "title", "textarea", "iframe", "noembed", "noframes",
];

/// The pieces of a document, in order.
pub(super) struct Tokens<'h> {
    rest: &'h str,
}

impl<'h> Tokens<'h> {
    pub(super) fn of(html: &'h str) -> Tokens<'h> {
        Tokens { rest: html }
    }

    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'h str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    /// Passes over all up to that mark and the mark, or to the end.
    fn pass(&mut self, mark: &str) {
        let end = self.rest.find(mark).map(|at| at + mark.len());
        self.take(end.unwrap_or(self.rest.len()));
    }

    /// A comment, of any kind.
    fn comment(&mut self) {
        if self.rest.starts_with("<!-->") || self.rest.starts_with("<!--->") {
            self.pass(">");
        } else if self.rest.starts_with("<!--") {
            self.take("<!--".len());
            self.pass("-->");
        } else {
            self.pass(">");
        }
    }

    /// A tag, behind its `<` or `</`; none where the document ends in it.
    fn tag(&mut self) -> Option<Tag<'h>> {
        let end = self
            .rest
            .find(|c: char| is_space(c) || c == '/' || c == '>')?;
        let name = self.take(end).to_ascii_lowercase();
        let mut attributes = Vec::new();
        loop {
            let text = self.rest.trim_start_matches(|c| is_space(c) || c == '/');
            self.rest = text;
            if text.starts_with('>') {
                self.take(1);
                return Some(Tag { name, attributes });
            }
            // A "=" that begins a name is part of it.
            let end = text
                .char_indices()
                .find(|&(at, c)| is_space(c) || c == '/' || c == '>' || (at > 0 && c == '='))?;
            let key = self.take(end.0);
            let value = self.value()?;
            if attributes.len() < MOST_ATTRIBUTES {
                attributes.push((key, value));
            }
        }
    }

    /// The value of an attribute, behind its name; empty where there is none.
    fn value(&mut self) -> Option<&'h str> {
        let Some(text) = self.rest.trim_start_matches(is_space).strip_prefix('=') else {
            return Some("");
        };
        self.rest = text.trim_start_matches(is_space);
        let quote = self.rest.chars().next()?;
        if !matches!(quote, '"' | '\'') {
            let end = self.rest.find(|c: char| is_space(c) || c == '>')?;
            return Some(self.take(end));
        }
        self.take(1);
        let end = self.rest.find(quote)?;
        let value = self.take(end);
        self.take(1);
        Some(value)
    }

    /// Passes over what is no HTML, up to the end tag of that name.
    fn pass_raw(&mut self, name: &str) {
        let is_end = |at: usize| {
            let tag = &self.rest.as_bytes()[at + 2..];
            tag.get(..name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        };
        let mut ends = self.rest.match_indices("</").map(|(at, _)| at);
        let end = ends.find(|&at| is_end(at));
        self.take(end.unwrap_or(self.rest.len()));
    }
}

impl<'h> Iterator for Tokens<'h> {
    type Item = Token<'h>;

    fn next(&mut self) -> Option<Token<'h>> {
        loop {
            let mut behind = self.rest.chars();
            if behind.next()? != '<' {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                return Some(Token::Text(self.take(end)));
            }
            match (behind.next(), behind.next()) {
                (Some(c), _) if c.is_ascii_alphabetic() => {
                    self.take(1);
                    let Some(tag) = self.tag() else {
                        self.rest = "";
                        return None;
                    };
                    if RAW.contains(&tag.name.as_str()) {
                        self.pass_raw(&tag.name);
                        continue;
                    }
                    return Some(Token::Start(tag));
                }
                (Some('/'), Some(c)) if c.is_ascii_alphabetic() => {
                    self.take(2);
                    let Some(tag) = self.tag() else {
                        self.rest = "";
                        return None;
                    };
                    return Some(Token::End(tag.name));
                }
                (Some('!' | '?'), _) | (Some('/'), Some(_)) => self.comment(),
                _ => return Some(Token::Text(self.take(1))),
            }
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}
