//! Lines of a text with the marks at their start, before anybody knows whose they are.

/// A line of a text.
pub(super) struct MarkedLine<'a> {
    /// The line with its end.
    pub(super) source: &'a str,
    /// The place of `source` in the text, in bytes.
    pub(super) start: usize,
    /// The text behind quote marks and blanks, without the line end.
    pub(super) text: &'a str,
}

impl MarkedLine<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The longest initials before a quote mark, in bytes.
const INITIALS: usize = 10;

/// Returns a line without the quote marks and blanks at its start, with or without a
/// quoter's initials.
pub(super) fn unmarked(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || ">|:│┃▌¦»}*•\u{feff}".contains(c);
    let text = line.trim_start_matches(is_mark);
    let behind = text.trim_start_matches(char::is_alphanumeric);
    let initials = text.len() - behind.len();
    match behind.strip_prefix("> ") {
        Some(quoted) if (1..=INITIALS).contains(&initials) && !quoted.trim().is_empty() => {
            quoted.trim_start_matches(is_mark)
        }
        _ => text,
    }
}

/// Splits a text into lines. Each is behind the last, so together they are the text.
pub(super) fn split(text: &str) -> Vec<MarkedLine<'_>> {
    let mut start = 0;
    let line = |source| {
        let line = MarkedLine {
            source,
            start,
            text: unmarked(source.trim_end_matches('\n')),
        };
        start += source.len();
        line
    };
    text.split_inclusive('\n').map(line).collect()
}
