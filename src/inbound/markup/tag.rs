//! Splits an HTML document into tags and texts, as the standard does.
//!
//! html5ever's tokenizer is in the dependency tree but does not serve: it compares each
//! attribute of a tag with all before it and returns nothing until the tag ends, so 512
//! KiB of attributes cost half a minute and nothing can stop it. Regular expressions
//! take time linear in the length of any document.

use std::sync::LazyLock;

use regex::Regex;

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
static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
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
    )
    .expect("the pattern is well-formed")
});

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
