//! A problem in a text, reported with its place: one line that programs can read, then
//! the line of the text with a caret under the token.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

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

    fn head(&self, file: &str, [strong, style]: [Style; 2], room: Option<usize>) -> String {
        let TextPlace { line, column, .. } = self.place;
        let ((severity, ..), message) = (self.severity.shown(), &self.message);
        let head = format!(
            "{strong}{file}:{line}:{column}:{strong:#} {style}{severity}:{style:#} {message}"
        );
        wrapped(&head, room) + "\n"
    }

    /// Shows a part of its line, with a caret under these bytes of the part.
    fn snippet(
        &self,
        (part, bytes): (&str, Range<usize>),
        renderer: Renderer,
        room: Option<usize>,
    ) -> String {
        /// The columns before a line of the text, or of the help.
        const BEFORE: usize = 12;
        let (_, _, level) = self.severity.shown();
        let snippet = Snippet::source(part)
            .line_start(self.place.line)
            .annotation(AnnotationKind::Primary.span(bytes));
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

/// Renders each problem for people and programs: `FILE:LINE:COLUMN: error: …`, then the line
/// with a caret, or the part of a long line that a terminal has room for. `lines` are the
/// lines of the file, `room` the columns of a terminal, to which prose is wrapped and lines
/// are cut.
pub fn rendered<'p>(
    problems: impl IntoIterator<Item = &'p Problem>,
    file: &str,
    lines: &[Line<'_>],
    room: Option<usize>,
) -> impl Iterator<Item = String> {
    let mut shown = ShownLines::of(lines);
    problems.into_iter().map(move |problem| {
        let head = problem.head(file, [Style::new(); 2], room);
        let part = shown.part(problem.place);
        let snippet = |part| problem.snippet(part, Renderer::plain(), room);
        head + &part.map(snippet).unwrap_or_default()
    })
}

/// Renders each problem as [`rendered`] does, in colours. No character of the text or the name
/// controls the terminal.
pub fn painted<'p>(
    problems: impl IntoIterator<Item = &'p Problem>,
    file: &str,
    lines: &[Line<'_>],
    room: Option<usize>,
) -> impl Iterator<Item = String> {
    let (mut shown, file) = (ShownLines::of(lines), harmless(file));
    problems.into_iter().map(move |problem| {
        let (_, style, _) = problem.severity.shown();
        let head = problem.head(&file, [paint::STRONG, style], room);
        let part = shown.part(problem.place);
        let snippet = |(part, bytes): (&str, Range<usize>)| {
            let before = harmless(&part[..bytes.start]);
            let under = harmless(&part[bytes.clone()]);
            let bytes_shown = before.len()..before.len() + under.len();
            let part = before + &under + &harmless(&part[bytes.end..]);
            problem.snippet((&part, bytes_shown), Renderer::styled(), room)
        };
        head + &part.map(snippet).unwrap_or_default()
    })
}

/// The lines of a file, for snippets. Finding the place of a problem in a long line takes the same
/// time at its end as at its start.
struct ShownLines<'l> {
    lines: &'l [Line<'l>],
    /// For each long line, by its number, the bytes where every [`STEP`]th character begins.
    steps: HashMap<usize, Vec<usize>>,
}

/// The number of characters from one known place in a long line to the next.
const STEP: usize = 1_000;

/// The most characters of a long line that a snippet takes on either side of the start of its
/// problem. It shows those that fit on the terminal.
const REACH: usize = 1_000;

impl<'l> ShownLines<'l> {
    fn of(lines: &'l [Line<'_>]) -> ShownLines<'l> {
        ShownLines {
            lines,
            steps: HashMap::new(),
        }
    }

    /// Returns the part of a place's line to show, and the bytes of the place in it. A very long
    /// line cannot be shown whole for each of its problems.
    fn part(&mut self, place: TextPlace) -> Option<(&'l str, Range<usize>)> {
        let lines = self.lines;
        let at = lines.binary_search_by_key(&place.line, |line| line.number);
        let line = lines[at.ok()?].source;
        let first = place.column - 1;
        let end = first.saturating_add(place.width);
        if line.len() <= REACH {
            let [start, end] = [first, end].map(|column| byte_of(line, column));
            return Some((line, start..end));
        }
        let steps = self.steps.entry(place.line).or_insert_with(|| {
            let bytes = line.char_indices().map(|(byte, _)| byte);
            bytes.step_by(STEP).collect()
        });
        let byte = |column: usize| match steps.get(column / STEP) {
            Some(step) => step + byte_of(&line[*step..], column % STEP),
            None => line.len(),
        };
        let [left, right] = [
            byte(first.saturating_sub(REACH)),
            byte(first.saturating_add(REACH)),
        ];
        let [start, end] = [byte(first), byte(end).min(right)];
        Some((&line[left..right], start - left..end - left))
    }
}

/// Returns the byte where a character begins, or the end of the line.
fn byte_of(line: &str, character: usize) -> usize {
    let byte = line.char_indices().nth(character);
    byte.map_or(line.len(), |(byte, _)| byte)
}

#[cfg(test)]
mod tests {
    use super::{Problem, TextPlace, rendered};
    use crate::notation::reader::pasted;

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

    /// A problem anywhere in a long line is shown like one in a short line.
    #[test]
    fn a_snippet_of_a_long_line_shows_its_problem() {
        for before in [0, 1, 139, 999, 1_000, 1_001, 5_432] {
            for behind in [0, 1, 139, 999, 1_000, 5_432] {
                let text = format!("{}QQQ{}", "é ".repeat(before), " é".repeat(behind));
                let lines = pasted(&text);
                let problem = Problem::error(TextPlace::new(1, 2 * before + 1).wide(3), "so");
                let shown: String = rendered([&problem], "f", &lines, None).collect();
                let [.., line, caret, _] = shown.split('\n').collect::<Vec<_>>()[..] else {
                    panic!("{shown}");
                };
                let column = |line: &str, sign| line.chars().position(|c| c == sign);
                assert_eq!(column(line, 'Q'), column(caret, '^'), "{shown}");
                assert!(shown.len() < 1_000 && caret.ends_with(" ^^^"), "{shown}");
                let cut = (before > 70, behind > 70);
                assert_eq!(
                    (line.contains("| ..."), line.ends_with("...")),
                    cut,
                    "{shown}"
                );
            }
        }
    }
}
