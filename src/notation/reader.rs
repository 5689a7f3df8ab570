//! Reads any text: whose words each line is, by the habits of this program, and the diagrams,
//! moves and lines that name the game, each with its place. `check` and `receive` both read
//! texts here and nowhere else. Lists in the formats of other programs are recognised, and
//! not read; those in Japanese signs are read for commands elsewhere (`kif`).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use crate::mail::quoting;
use crate::mail::quoting::habits::{Foot, Habits};
use crate::mail::quoting::line::{Author, Line, is_blank, is_number};
use crate::mail::quoting::sent::Sent;
use crate::notation::diagnostic::TextPlace;
use crate::notation::diagram::{DiagramError, LocatedDiagram, read as diagrams};
use crate::notation::header::{self, Header, IdLine};
use crate::notation::moves::{self, Gap, Moves};
use crate::notation::restored::{restored, unescaped};
use crate::notation::results;
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
pub fn read<'a>(text: &'a str, variant: &Variant) -> ParsedText<'a> {
    let lines = pasted(text);
    let parts = parts(&lines, variant);
    ParsedText { lines, parts }
}

/// Reads the lines of a message, for this game.
///
/// Boilerplate is left out, too, because text that a program adds is not meant for the
/// match.
pub fn read_lines<'a>(lines: Vec<Line<'a>>, variant: &Variant) -> ParsedText<'a> {
    let parts = parts_by(&lines, variant, Author::is_read);
    ParsedText { lines, parts }
}

/// Returns the parts of a text for this game, from the top.
///
/// People paste matches from anywhere, so the words of any author are read, except in
/// signatures and in words that one of our mails carries.
pub fn parts(lines: &[Line<'_>], variant: &Variant) -> Vec<TextPart> {
    let texts: Vec<Cow<'_, str>> = lines.iter().map(|line| unescaped(line.text)).collect();
    let lines = lines.iter().zip(&texts).map(|(line, text)| Line {
        text: results::without_result(text),
        ..line.clone()
    });
    parts_by(&lines.collect::<Vec<_>>(), variant, is_pasted)
}

fn is_pasted(author: Author) -> bool {
    !matches!(author, Author::Signature | Author::Carried)
}

/// Marks the lines of a user's text in which no position is looked for.
pub(super) fn unread(lines: &[Line<'_>]) -> Vec<bool> {
    taken(lines, is_pasted)
}

/// Marks the lines of which nothing is read.
fn taken(lines: &[Line<'_>], is_read: fn(Author) -> bool) -> Vec<bool> {
    let mut taken: Vec<bool> = lines.iter().map(|line| !is_read(line.author)).collect();
    take_log(lines, &mut taken);
    for command in commands(lines) {
        taken[command].fill(true);
    }
    taken
}

/// Returns the parts in the words of the authors for which `is_read` holds.
fn parts_by(lines: &[Line<'_>], variant: &Variant, is_read: fn(Author) -> bool) -> Vec<TextPart> {
    let mut taken = taken(lines, is_read);
    let mut parts = Vec::new();
    let diagrams = diagrams::find(lines, &taken, variant, true);
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

/// The habits of this program.
pub static HABITS: Habits = Habits {
    // The fields of our mails and posts.
    fields: &[
        "Game", "Rules", "Options", "White", "Black", "Time", "Event", "Referee", "Until", "News",
        "Moves", "List", "FEN", "Variant",
    ],
    headings: &["reserve:", CODE],
    page: Some(["<!DOCTYPE html>", "<pre id=\"post\">", "</pre>", "</html>"]),
    is_no_mark: is_drop,
    may_be_no_mark: could_be_drop,
    is_like_order: is_like_move,
    foot: |lines, at| {
        let (IdLine { hash, .. }, end) = IdLine::at(lines, at)?;
        Some(Foot { hash, end })
    },
    is_of_form,
    samples,
};

/// Splits a text into lines and tells whose words each is
/// ([`quoting::classify`]). The same text with the same `sent` has the same authors
/// in every command.
///
/// # Examples
///
/// ```
/// use parapost::notation::reader::classify;
/// use parapost::mail::quoting::line::Author;
/// use parapost::mail::quoting::sent::Sent;
///
/// // A drop is no quote mark.
/// let lines = classify("> K>h1\nK>h1\n", &Sent::nothing());
/// assert_eq!(lines[0].author, Author::Quoted(1));
/// assert_eq!(lines[1].author, Author::Own);
/// ```
pub fn classify<'a>(text: &'a str, sent: &Sent) -> Vec<Line<'a>> {
    quoting::classify(text, sent, &HABITS)
}

/// Classifies a text that a user gives to a command, with nothing known to have been
/// sent.
pub fn pasted(text: &str) -> Vec<Line<'_>> {
    let mut lines = classify(text, &Sent::nothing());
    // The title of a picture says in words what the post below it shows.
    let is_tag = |line: &str, tag| line.trim_start_matches(['>', '|', ' ']).starts_with(tag);
    let pairs = text.lines().zip(text.lines().skip(1)).zip(1..);
    let titles =
        pairs.filter(|((title, below), _)| is_tag(title, "<title>") && is_tag(below, "<desc>"));
    let titles: HashSet<usize> = titles.map(|(_, number)| number).collect();
    for line in &mut lines {
        if titles.contains(&line.number) {
            line.text = "";
        }
    }
    lines
}

/// Classifies a pasted text like [`pasted`], and leaves out what forums put between and before the lines
/// of a board.
pub fn posted(text: &str) -> Vec<Line<'_>> {
    restored(pasted(text))
}

/// Returns the name of everything that is looked for, with samples of it.
pub fn tokens() -> Vec<(&'static str, Vec<String>)> {
    quoting::tokens(&HABITS)
}

/// Stands before an answer code.
const CODE: &str = "Answer code:";

/// The letters that name a piece, of either side and any game.
const PIECES: &str = "KQRBNPGSL";

/// Returns true if `>` is the drop sign: it stands between a piece letter and a square,
/// without blanks, as in `K>h1`.
fn is_drop(initials: &str, behind: &str) -> bool {
    names_piece(initials) && begins_with_square(behind)
}

/// Returns true if a line with these initials could be a misspelt drop: `K> h1` or
/// `P>j9`.
fn could_be_drop(initials: &str, behind: &str) -> bool {
    let next = behind.trim_start_matches(is_blank);
    let touches = next.len() == behind.len() && !next.is_empty() && !next.starts_with('>');
    names_piece(initials) && (touches || begins_with_square(next))
}

fn names_piece(initials: &str) -> bool {
    initials.len() == 1 && PIECES.contains(&initials.to_ascii_uppercase())
}

/// Returns true if the text begins with a square in any notation: `e3`, or `7f` and
/// `76` of shogi.
fn begins_with_square(text: &str) -> bool {
    matches!(
        text.as_bytes(),
        [b'a'..=b'i' | b'A'..=b'I', b'1'..=b'9', ..] | [b'1'..=b'9', b'a'..=b'i' | b'1'..=b'9', ..]
    )
}

/// Returns true if a word may be a move: it has a digit among letters, or castles.
fn is_like_move(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    has_digit && !is_number(word)
        || ["OO", "oo", "00"]
            .iter()
            .any(|castling| word.starts_with(castling))
}

/// Returns true if an answer has the line that a link of ours has begun: it names the
/// match or is the place of the answer code.
fn is_of_form(lines: &[Line<'_>], at: usize) -> bool {
    let is_code = |at: usize| {
        let line = lines.get(at);
        line.is_some_and(|line| line.text.trim_start().starts_with(CODE))
    };
    let is_id_line = |at: usize| IdLine::at(lines, at).is_some();
    is_code(at + 1) && is_id_line(at) || is_code(at) && at.checked_sub(1).is_some_and(is_id_line)
}

/// Makes samples of what our mails have.
fn samples() -> Vec<(&'static str, Vec<String>)> {
    let sent = [
        "It is your move, White.",
        "Received, thank you.",
        "White       Black",
        "'>' places a piece from the reserve, '-' moves one, 'x' captures;",
        "White's pieces in reserve:",
    ];
    let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
    vec![
        ("id_line", owned(&header::ID_LINE_SAMPLES)),
        ("sent", owned(&sent)),
    ]
}

/// A format of other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherFormat {
    /// KIF and KI2, in Japanese: `1 ７六歩(77)`, `▲７六歩`.
    Kif,
    /// CSA: `+7776FU`.
    Csa,
    /// A command of USI: `position startpos moves 7g7f`.
    Usi,
}

impl OtherFormat {
    /// Finds the first line that is written in such a format.
    pub fn find(lines: &[Line<'_>]) -> Option<(OtherFormat, TextPlace)> {
        lines.iter().find_map(|line| {
            if line.author == Author::Signature || line.text.len() > LONGEST {
                return None;
            }
            let text = line.text.trim();
            let format = OtherFormat::of(text)?;
            let before = line.text.len() - line.text.trim_start().len();
            let column = line.column + line.text[..before].chars().count();
            let place = TextPlace::new(line.number, column);
            Some((format, place.wide(text.chars().count())))
        })
    }

    /// Returns the format that a line with a move is written in.
    fn of(line: &str) -> Option<OtherFormat> {
        let begins = |start: &&str| {
            let head = line.as_bytes().get(..start.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
        };
        let commands = ["position startpos", "position sfen ", "startpos moves "];
        if commands.iter().any(begins) {
            Some(OtherFormat::Usi)
        } else if is_csa(line) {
            Some(OtherFormat::Csa)
        } else {
            is_kif(line).then_some(OtherFormat::Kif)
        }
    }
}

/// The longest line that is examined, in bytes.
const LONGEST: usize = 20_000;

impl fmt::Display for OtherFormat {
    /// Names the format, and the form to send instead.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            OtherFormat::Kif => {
                return f.write_str(
                    "this is a move in KIF, which is read in a list of shogi alone: put no other words between its moves, as in '▲７六歩 △３四歩'",
                );
            }
            OtherFormat::Csa => "a list in CSA",
            OtherFormat::Usi => "a command of USI",
        };
        write!(
            f,
            "this is {name}, which is not read; write the moves alone, as in '1. P-7f P-3d' or '7g7f 3c3d'"
        )
    }
}

/// Returns true for a move of CSA, `+7776FU`, perhaps with its time.
fn is_csa(line: &str) -> bool {
    matches!(line.split(',').next().unwrap_or(line).as_bytes(), [b'+' | b'-', squares @ .., a, b]
        if squares.len() == 4
            && squares.iter().all(u8::is_ascii_digit)
            && a.is_ascii_uppercase()
            && b.is_ascii_uppercase())
}

/// Returns true for a line that begins with a move of KIF or KI2.
fn is_kif(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let rest = rest.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let is_marked = rest.len() < line.len();
    let mut chars = rest.chars().filter(|c| !matches!(c, ' ' | '\u{3000}'));
    let is_square = match chars.next() {
        Some('同') => true,
        Some('1'..='9' | '１'..='９') => matches!(
            chars.next(),
            Some('一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九')
        ),
        _ => false,
    };
    let is_piece = |c: char| "玉王飛角金銀桂香歩龍竜馬全圭杏と成".contains(c);
    is_marked && is_square && chars.next().is_some_and(is_piece)
}

#[cfg(test)]
mod tests {
    use super::OtherFormat::{self, Csa, Kif, Usi};

    #[test]
    fn a_line_tells_its_format() {
        for (line, expected) in [
            ("1 ７六歩(77)   ( 0:16/00:00:16)", Some(Kif)),
            ("2 同　銀(31)", Some(Kif)),
            ("▲７六歩", Some(Kif)),
            ("☗2六歩 ☖3四歩", Some(Kif)),
            ("+7776FU", Some(Csa)),
            ("-3334FU,T12", Some(Csa)),
            ("position startpos moves 7g7f 3c3d", Some(Usi)),
            ("position sfen lnsgkgsnl/9/9/9/9/9/9/9/9 b - 1", Some(Usi)),
            ("7g7f 3c3d", None),
            ("1. P-7f P-3d", None),
            ("７六歩", None),
            ("+1234567", None),
            ("The position startpos is known", None),
            ("", None),
        ] {
            assert_eq!(OtherFormat::of(line), expected, "{line}");
        }
    }
}
