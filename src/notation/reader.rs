//! Finds diagrams, moves and the lines that name the game in any text, each with its
//! place. `check` and `receive` both read texts here and nowhere else.

use std::ops::Range;

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::TextPlace;
use crate::notation::diagram::{DiagramError, LocatedDiagram, read as diagrams};
use crate::notation::habits::pasted;
use crate::notation::header::{self, Header};
use crate::notation::moves::{self, Gap, Moves};
use crate::rules::Variant;

/// A text with the parts found in it.
#[derive(Clone, Debug)]
pub struct ParsedText<'a> {
    /// The lines of the text.
    pub lines: Vec<Line<'a>>,
    /// The parts found in the lines, from the top.
    pub parts: Vec<TextPart>,
}

/// A part found in a text.
#[derive(Clone, Debug)]
pub struct TextPart {
    /// The lines of the part, counted from 0.
    pub lines: Range<usize>,
    /// The kind of the part, with its contents.
    pub kind: PartKind,
}

/// The kind of a part.
#[derive(Clone, Debug)]
pub enum PartKind {
    /// A line about the game.
    Header(Header),
    /// A diagram.
    Diagram(Box<LocatedDiagram>),
    /// A diagram that cannot be read.
    BadDiagram(DiagramError),
    /// The heading of a list: `White       Black`.
    Heading,
    /// The moves of a line.
    Moves(Moves),
    /// A number as in a list, followed by text that is no move.
    Gap(Gap),
    /// The place where reading stopped, because there are too many moves or diagrams.
    Surplus(TextPlace),
}

/// Reads a text that a user gives to a command, for this game.
///
/// Signatures are left out, and so are the log of a state file and the commands that
/// set matches up.
#[must_use]
pub fn read<'a>(text: &'a str, variant: &Variant) -> ParsedText<'a> {
    let lines = pasted(text);
    let parts = parts(&lines, variant);
    ParsedText { lines, parts }
}

/// Reads the lines of a message, for this game.
///
/// Boilerplate is left out, too, because text that a program adds is not meant for the
/// match.
#[must_use]
pub fn read_lines<'a>(lines: Vec<Line<'a>>, variant: &Variant) -> ParsedText<'a> {
    let parts = parts_by(&lines, variant, Author::is_read);
    ParsedText { lines, parts }
}

/// Returns the parts of a text for this game, from the top.
///
/// People paste matches from anywhere, so the words of any author are read, except in
/// signatures and in words that one of our mails carries.
#[must_use]
pub fn parts(lines: &[Line<'_>], variant: &Variant) -> Vec<TextPart> {
    let is_read = |author| !matches!(author, Author::Signature | Author::Carried);
    parts_by(lines, variant, is_read)
}

/// Returns the parts in the words of the authors for which `is_read` holds.
fn parts_by(lines: &[Line<'_>], variant: &Variant, is_read: fn(Author) -> bool) -> Vec<TextPart> {
    let mut taken: Vec<bool> = lines.iter().map(|line| !is_read(line.author)).collect();
    take_log(lines, &mut taken);
    for command in commands(lines) {
        taken[command].fill(true);
    }
    let mut parts = Vec::new();
    let diagrams = diagrams::find(lines, &taken, variant);
    if diagrams.len() == diagrams::MOST
        && let Some((last, _)) = diagrams.last()
    {
        parts.push(surplus(lines, last.end - 1));
    }
    for (lines, found) in diagrams {
        taken[lines.clone()].fill(true);
        let kind = match found {
            Ok(drawn) => PartKind::Diagram(Box::new(drawn)),
            Err(error) => PartKind::BadDiagram(error),
        };
        parts.push(TextPart { lines, kind });
    }
    for (at, line) in lines.iter().enumerate() {
        let kind = if taken[at] {
            continue;
        } else if let Some(header) = header::read(line) {
            PartKind::Header(header)
        } else if is_heading(line, variant) {
            PartKind::Heading
        } else {
            continue;
        };
        taken[at] = true;
        parts.push(TextPart::line(at, kind));
    }
    let scanned = moves::scan(lines, |at| !taken[at], variant.rules());
    parts.extend(scanned.moves.into_iter().map(|moves| TextPart {
        lines: moves.lines.clone(),
        kind: PartKind::Moves(moves),
    }));
    for (at, gap) in scanned.gaps {
        parts.push(TextPart::line(at, PartKind::Gap(gap)));
    }
    parts.extend(scanned.unread.map(|at| surplus(lines, at)));
    parts.sort_by_key(|part| (part.lines.start, part.lines.end));
    parts
}

/// Makes the part from which on nothing is read.
fn surplus(lines: &[Line<'_>], at: usize) -> TextPart {
    TextPart {
        lines: at..lines.len(),
        kind: PartKind::Surplus(TextPlace::new(lines[at].number, 1)),
    }
}

impl TextPart {
    /// Makes the part of one line.
    fn line(at: usize, kind: PartKind) -> TextPart {
        let lines = at..at + 1;
        TextPart { lines, kind }
    }

    /// Returns the moves, if the part is a line of them.
    pub(super) fn moves(&self) -> Option<&Moves> {
        match &self.kind {
            PartKind::Moves(moves) => Some(moves),
            _ => None,
        }
    }
}

impl ParsedText<'_> {
    /// Returns the moves, line by line.
    pub fn moves(&self) -> impl Iterator<Item = &Moves> {
        self.parts.iter().filter_map(TextPart::moves)
    }
}

/// Returns the lines of the commands that set matches up, as in invitations. A long
/// list of moves in one is broken wherever a line is full; a backslash ends each line
/// but the last.
#[must_use]
pub fn commands(lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let goes_on = |line: &Line<'_>| line.text.trim_end().ends_with('\\');
    let mut commands: Vec<Range<usize>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match commands.last_mut() {
            Some(last) if last.end == at && goes_on(&lines[at - 1]) => last.end += 1,
            _ if line.text.trim_start().starts_with("parapost new ") => commands.push(at..at + 1),
            _ => {}
        }
    }
    commands
}

/// Marks the log of a state file as taken, because its moves repeat those of the list,
/// among times and names.
fn take_log(lines: &[Line<'_>], taken: &mut [bool]) {
    let mut in_log = false;
    for (at, line) in lines.iter().enumerate() {
        if line.text == "Log" {
            in_log = lines.get(at + 1).is_none_or(|next| is_logged(next.text));
        } else if in_log && is_logged(line.text) {
            taken[at] = true;
        } else if !line.is_blank() {
            in_log = false;
        }
    }
}

/// Returns true if a line begins with a time as in RFC 3339.
fn is_logged(text: &str) -> bool {
    let shape = b"0000-00-00T00:00:00";
    text.len() > shape.len()
        && text.bytes().zip(shape).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            sign => byte == *sign,
        })
}

fn is_heading(line: &Line<'_>, variant: &Variant) -> bool {
    let mut words = line.text.split_whitespace();
    variant.rules().players.iter().all(|name| {
        words
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case(name))
    }) && words.next().is_none()
}
