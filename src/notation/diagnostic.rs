//! A problem in a text, reported with its place: one line that programs can read, then
//! the line of the text with a caret under the token.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::Style;
use serde::Serialize;

use crate::mail::quoting::line::Line;
use crate::paint;
use crate::printable::{self, is_unprintable};

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct TextPlace {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column of its first character, from 1; a tab is one character.
    pub column: usize,
    /// The width in characters, at least 1.
    #[serde(skip)]
    pub width: usize,
}

impl TextPlace {
    /// Makes the place of one character.
    pub fn new(line: usize, column: usize) -> TextPlace {
        TextPlace {
            line,
            column,
            width: 1,
        }
    }

    /// Returns the place with another width.
    #[must_use]
    pub fn wide(self, width: usize) -> TextPlace {
        TextPlace { width, ..self }
    }
}

/// A problem in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The place in the text.
    #[serde(flatten)]
    pub place: TextPlace,
    /// The problem, as a clause without a full stop. Unprintable characters are
    /// replaced, so that text repeated in it cannot control a terminal.
    pub message: String,
    /// The text to write instead.
    pub suggestion: Option<String>,
    /// The reason for the suggestion, or what was expected, as a clause.
    #[serde(skip)]
    pub help: Option<String>,
}

/// The severity of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The text is refused.
    Error,
    /// The text is understood, but could be written better.
    Warning,
    /// Belongs to the error before it.
    Note,
}

impl Severity {
    /// Returns its word, its colours, and its level in a snippet.
    fn shown(self) -> (&'static str, Style, Level<'static>) {
        match self {
            Severity::Error => ("error", paint::ERROR, Level::ERROR),
            Severity::Warning => ("warning", paint::WARNING, Level::WARNING),
            Severity::Note => ("note", paint::STRONG, Level::NOTE),
        }
    }
}

/// Replaces each unprintable character with a question mark.
fn printable(text: impl fmt::Display) -> String {
    text.to_string().replace(is_unprintable, "?")
}

/// Replaces each character that could steer a terminal by one that stands for it. Tabs
/// stay.
fn harmless(text: &str) -> String {
    let steers = |c: char| c != '\t' && is_unprintable(c);
    text.replace(steers, "\u{fffd}")
}

/// Wraps prose between words, where it is for a terminal.
fn wrapped(text: &str, room: Option<usize>) -> String {
    match room {
        Some(columns) => printable::wrapped(text, columns),
        None => text.to_owned(),
    }
}

impl Problem {
    /// Makes an error at a place.
    pub fn error(place: TextPlace, message: impl fmt::Display) -> Problem {
        Problem::new(Severity::Error, place, message)
    }

    /// Makes a warning at a place.
    pub fn warning(place: TextPlace, message: impl fmt::Display) -> Problem {
        Problem::new(Severity::Warning, place, message)
    }

    /// Makes a note at a place.
    pub fn note(place: TextPlace, message: impl fmt::Display) -> Problem {
        Problem::new(Severity::Note, place, message)
    }

    /// Returns true if it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn new(severity: Severity, place: TextPlace, message: impl fmt::Display) -> Problem {
        Problem {
            severity,
            place,
            message: printable(message),
            suggestion: None,
            help: None,
        }
    }

    /// Adds the text to write instead.
    pub(crate) fn suggesting(mut self, suggestion: impl fmt::Display) -> Problem {
        self.suggestion = Some(printable(suggestion));
        self
    }

    /// Adds what was expected.
    pub(crate) fn helping(mut self, help: impl fmt::Display) -> Problem {
        self.help = Some(printable(help));
        self
    }

    /// Renders the problem for people and programs: `FILE:LINE:COLUMN: error: …`, then
    /// the line with a caret. `lines` are the lines of the file, `room` the columns of a
    /// terminal, to which prose is wrapped and lines are cut.
    pub fn render(&self, file: &str, lines: &[Line<'_>], room: Option<usize>) -> String {
        let head = self.head(file, [Style::new(); 2], room);
        let snippet = |line: &str| self.snippet(line, Renderer::plain(), room);
        head + &self.source(lines).map(snippet).unwrap_or_default()
    }

    /// Renders the problem as [`Problem::render`] does, in colours. No character of the
    /// text or of the name steers the terminal.
    pub fn paint(&self, file: &str, lines: &[Line<'_>], room: Option<usize>) -> String {
        let (_, style, _) = self.severity.shown();
        let head = self.head(&harmless(file), [paint::STRONG, style], room);
        let snippet = |line| self.snippet(&harmless(line), Renderer::styled(), room);
        head + &self.source(lines).map(snippet).unwrap_or_default()
    }

    fn head(&self, file: &str, [strong, style]: [Style; 2], room: Option<usize>) -> String {
        let TextPlace { line, column, .. } = self.place;
        let ((severity, ..), message) = (self.severity.shown(), &self.message);
        let head = format!(
            "{strong}{file}:{line}:{column}:{strong:#} {style}{severity}:{style:#} {message}"
        );
        wrapped(&head, room) + "\n"
    }

    /// Returns the line of the problem as it stands in the file.
    fn source<'a>(&self, lines: &[Line<'a>]) -> Option<&'a str> {
        let at = lines.binary_search_by_key(&self.place.line, |line| line.number);
        Some(lines[at.ok()?].source)
    }

    fn snippet(&self, line: &str, renderer: Renderer, room: Option<usize>) -> String {
        /// The columns before a line of the text, or of the help.
        const BEFORE: usize = 12;
        let at = |column: usize| {
            let byte = line.char_indices().nth(column - 1);
            byte.map_or(line.len(), |(byte, _)| byte)
        };
        let start = at(self.place.column);
        let end = at(self.place.column + self.place.width);
        let (_, _, level) = self.severity.shown();
        let snippet = Snippet::source(line)
            .line_start(self.place.line)
            .annotation(AnnotationKind::Primary.span(start..end));
        let mut group = Group::with_level(level).element(snippet);
        if let Some(help) = &self.help {
            let room = room.map(|columns| columns.saturating_sub(BEFORE));
            group = group.element(Level::HELP.message(wrapped(help, room)));
        }
        let renderer = match room {
            Some(columns) => renderer.term_width(columns),
            None => renderer,
        };
        renderer.render(&[group]) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, TextPlace};

    /// Regression: a message repeated a move of the text together with an escape
    /// sequence after it.
    #[test]
    fn a_problem_repeats_nothing_that_steers_a_terminal() {
        let problem = Problem::error(TextPlace::new(1, 1), "no Nf3\u{1b}[2J")
            .suggesting("Nf3\u{202e}")
            .helping("\u{7} is a bell");
        assert_eq!(problem.message, "no Nf3?[2J");
        assert_eq!(problem.suggestion.as_deref(), Some("Nf3?"));
        assert_eq!(problem.help.as_deref(), Some("? is a bell"));
    }
}
