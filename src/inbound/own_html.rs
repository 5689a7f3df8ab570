//! The rests of our own HTML in the text of a message.
//!
//! Our mails have a picture of the board and links that write moves. Where a mail program
//! quotes them as plain text, nothing of that is the writer's, with or without quote marks:
//! neither the position in words, as those have it who see no pictures (`White: king on e1,
//! pawns on d2 and e4; in reserve: queen. Black: …`), nor the texts of the links (`Knight on
//! c3`, and below or beside it `to d5`, `takes e4`). A program breaks them anywhere, and then
//! `e4.` alone on a line is a move. The squares of a board of links have plus signs alone
//! (`8 + + +`), which are no move.
//!
//! They are known by their vocabulary, not by making them again, so those of another version
//! are known, too.
//!
//! A link is known by what it does, not by its address or by today's templates: it writes a
//! mail with a subject or a text. So the links of every version, of every user's templates and
//! of an address that has changed since are known, and those that a gateway has put into a
//! link of its own.
//!
//! The forms of a link are many: `P>e3 <mailto:…>`, `[P>e3](mailto:…)`, `P>e3 [1]` with
//! `[1] mailto:…` far below, broken anywhere and quoted again. The words beside such a link, and
//! those on the line above one that begins its line, are its text if they are of the same
//! vocabulary, or moves or orders. Any others stay: they may say who wrote what stands below, and
//! somebody else may have chosen the link.

use std::collections::HashSet;

use crate::inbound::link_target::{escaped, is_of_message, is_tap, letters};
use crate::inbound::position_words::{Start, Told, is_piece};
use crate::mail::Pattern;
use crate::mail::quoting::attribution::is_attribution;
use crate::mail::quoting::line::DOUBT;
use crate::matches::action::Request;
use crate::render::text::LINKED;
use crate::rules::Square;
use crate::rules::notation::MoveText;

/// Removes the links of our mails, with their texts, and positions in words. A line that
/// has a part of them is removed as a whole. The cost is linear in the text.
pub(super) fn without(text: String) -> String {
    let lines = split(&text);
    let mut is_ours = vec![false; lines.len()];
    mark_links(&text, &lines, &mut is_ours);
    mark_taps(&lines, &mut is_ours);
    mark_positions(&lines, &mut is_ours);
    if !is_ours.contains(&true) {
        return text;
    }
    let mut kept = String::with_capacity(text.len());
    for (line, is_ours) in lines.iter().zip(is_ours) {
        // Somebody may be called like a part of our HTML, and write what stands below.
        if !is_ours || is_attribution(line.text) {
            kept.push_str(line.source);
        } else if !kept.ends_with(GAP) {
            kept.push_str(line.marks());
            kept.push_str(GAP);
        }
    }
    kept
}

/// What stands for lines of our HTML, behind their quote marks: a line with the mark of doubt
/// alone. Whoever looks for the words that say who wrote what stands below sees that some are gone.
const GAP: &str = "\u{fdd1}\n";

/// A line of a text.
struct MarkedLine<'a> {
    /// The line with its end.
    source: &'a str,
    /// The place of `source` in the text, in bytes.
    start: usize,
    /// The text behind quote marks and blanks, without the line end.
    text: &'a str,
}

impl MarkedLine<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim_end_matches(DOUBT).trim().is_empty()
    }

    /// Returns the quote marks of the line. Other signs set off what is bold, or an entry.
    fn marks(&self) -> &str {
        let source = self.source.trim_end_matches('\n');
        let marks = source.strip_suffix(self.text).unwrap_or_default();
        if marks.contains(['>', '|']) {
            marks
        } else {
            ""
        }
    }
}

/// The longest initials before a quote mark, in bytes.
const INITIALS: usize = 10;

/// Returns a line without the quote marks and blanks at its start, with or without a
/// quoter's initials.
fn unmarked(line: &str) -> &str {
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
fn split(text: &str) -> Vec<MarkedLine<'_>> {
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

/// The most bytes of a link that is broken over lines. Ours have 500, and a gateway
/// that puts one into its own makes it three times as long.
const LONGEST: usize = 4000;

/// The length of the longest number of a link with its brackets, in bytes.
const LONGEST_NUMBER: usize = 10;

/// The most pieces of a link that is broken over lines.
const MOST_PIECES: usize = 60;

/// The longest line above a link that can be its text, in characters.
const LONGEST_LABEL: usize = 80;

/// The width above which a program may break the line of a reference, in characters.
const FILLED: usize = 50;

/// The number of letters and digits of an answer code, which ends most of our links.
const CODE: usize = 16;

/// Marks the lines that hold links of ours, or the texts of these, in `is_ours`. `lines`
/// are those of `text`. The cost is linear in the text.
fn mark_links(text: &str, lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
    // What stands behind the first bracket of a link that a program has decoded.
    static DECODED: Pattern = Pattern::new(r"(?i)^\[[a-z0-9-]{1,32}\](.*?)&(?:amp;)?body=(.*)$");
    let has_links = mentions_link(text);
    let mut numbers = HashSet::new();
    let mut at = 0;
    while let Some(hint) = HINT.find_at(text, at) {
        let start = start_of_link(text, at, hint.start());
        let link = Link::at(text, start);
        at = link.end.max(hint.end());
        if !is_tap(&link.target) || !has_links && is_left_encoded(&link.target) {
            continue;
        }
        let line_of = |at: usize| lines.partition_point(|line| line.start <= at) - 1;
        let (first, last) = (line_of(start), line_of(link.end - 1));
        let indent = lines[first].text.as_ptr() as usize - text.as_ptr() as usize;
        let behind = text[link.end..].split('\n').next().unwrap_or_default();
        let behind = match DECODED.captures(behind) {
            Some(parts) if is_text_of_links(&parts[1]) => parts.get(2).map_or("", |it| it.as_str()),
            _ => behind,
        };
        let is_alone = [&text[indent.min(start)..start], behind]
            .into_iter()
            .all(|beside| {
                let beside = without_links(beside);
                is_text_of_links(beside.trim_end().trim_end_matches(':'))
            });
        if !is_alone {
            continue;
        }
        is_ours[first..=last].fill(true);
        if !link.target.contains('%') {
            let below = last + 1 + message_below(&lines[last + 1..]);
            is_ours[last + 1..below].fill(true);
        }
        let before = text[indent.min(start)..start].trim();
        let before = before.trim_end_matches(['<', '(', '[', '"']).trim_end();
        if let Some(number) = number(before) {
            numbers.insert(number);
        } else if before.is_empty()
            && !is_before_its_text(text, start)
            && let Some(above) = first.checked_sub(1)
            && is_label(&lines[above])
        {
            is_ours[above] = true;
            numbers.extend(number(lines[above].text));
        }
    }
    if !numbers.is_empty() {
        mark_references(lines, &numbers, is_ours);
    }
}

/// What only a link of ours has, or the message that it writes.
static HINT: Pattern = Pattern::new(r"(?i)mailto|answer(?:\+|%(?:25)*20)code");

/// Returns the start of the link that has a hint, not before a place in the text.
fn start_of_link(text: &str, from: usize, hint: usize) -> usize {
    let before = text.as_bytes()[from..hint].iter();
    hint - before.rev().take_while(|byte| is_uri(**byte)).count()
}

/// Returns a part of a line without the links of ours in it.
fn without_links(text: &str) -> String {
    let (mut rest, mut at) = (String::new(), 0);
    while let Some(hint) = HINT.find_at(text, at) {
        let start = start_of_link(text, at, hint.start());
        let link = Link::at(text, start);
        let end = link.end.max(hint.end());
        rest.push_str(&text[at..start]);
        if !is_tap(&link.target) {
            rest.push_str(&text[start..end]);
        }
        at = end;
    }
    rest + &text[at..]
}

/// The number by which a text refers to a link.
static REFERENCE: Pattern = Pattern::new(r"\[(\d{1,4})\]");

/// Marks the lines that refer to links of ours by their numbers.
fn mark_references(lines: &[MarkedLine<'_>], numbers: &HashSet<&str>, is_ours: &mut [bool]) {
    for (i, line) in lines.iter().enumerate() {
        let mut found = REFERENCE.captures_iter(line.text);
        if !line.text.contains('[')
            || !found.any(|found| numbers.contains(&found[1]))
            || !is_ours[i] && !is_text_of_links(line.text)
        {
            continue;
        }
        is_ours[i] = true;
        let is_alone = REFERENCE.replace_all(line.text, "").trim().is_empty();
        if let Some(above) = i.checked_sub(1).filter(|_| is_alone) {
            is_ours[above] |= is_label(&lines[above]);
        }
        // The text of the last link on the line may have been broken.
        let length = line.text.trim_end().chars().count();
        if let Some(next) = lines.get(i + 1)
            && let Some(word) = next.text.split_whitespace().next()
            && length + word.chars().count() > FILLED
        {
            is_ours[i + 1] |= is_label(next);
        }
    }
}

/// Returns true for a message that one of our links has written and that a program has
/// left encoded, which is the player's own. A link has more than the message.
fn is_left_encoded(target: &str) -> bool {
    !target.contains(['?', '=', '&', '/'])
}

/// Returns true if the text of a link stands behind it: `[url=mailto:…]P>e3[/url]`,
/// `[[mailto:…][P>e3]]`.
fn is_before_its_text(text: &str, start: usize) -> bool {
    let scheme = text[start..].split([':', '%']).next().unwrap_or_default();
    text[..start].ends_with("[[") || scheme.contains('=')
}

/// The most lines of a message that a decoded link writes, below its first.
const MESSAGE: usize = 4;

/// Returns the number of lines below a link that it writes into a message. Lynx decodes
/// the links that it lists.
fn message_below(lines: &[MarkedLine<'_>]) -> usize {
    let message = lines.iter().take(MESSAGE);
    let is_part = |text: &str| is_of_message(text) && !text.contains('@') || is_text_of_links(text);
    let message = message.take_while(|line| !line.is_blank() && is_part(line.text));
    let last = message
        .enumerate()
        .filter(|(_, line)| is_of_message(line.text))
        .last();
    last.map_or(0, |(i, _)| i + 1)
}

fn is_label(line: &MarkedLine<'_>) -> bool {
    !line.is_blank()
        && !is_of_message(line.text)
        && line.text.chars().count() <= LONGEST_LABEL
        && is_text_of_links(line.text)
}

/// Returns true if a text has nothing but the texts of links, with or without their numbers.
///
/// Somebody else may have chosen the words beside a link, or have put a link below the line that
/// says who wrote it. So nothing else is one: no address, no name and no heading.
pub(super) fn is_text_of_links(text: &str) -> bool {
    let is_sign = |c: char| c.is_whitespace() || "<>()[]{}\"'*_|.,;+•·".contains(c);
    let is_one = |text: &str| {
        let bare = text.trim_matches(is_sign);
        let squeezed: String = bare.chars().filter(|c| !c.is_whitespace()).collect();
        bare.is_empty()
            || number(text).is_some()
            || squeezed.parse::<MoveText>().is_ok()
            || Request::parse(bare).is_some()
            || TapsTold::of(text, true).is_some()
    };
    let is_each = |text: &str| is_one(text) || text.split_whitespace().all(is_one);
    // The tags of links in forums, and brackets.
    let without_tags = TAG.replace_all(text, " ");
    let mut parts = without_tags.split(|c| "[]<(){}|".contains(c));
    parts.all(is_each)
}

/// A tag around a link, in HTML or in a forum's own signs.
static TAG: Pattern =
    Pattern::new(r"(?i)\[/?(?:url|email|link)(?:=|\])|</?a\b[^<>]{0,20}(?:>|=)|\[\d{1,4}\]:?");

/// Returns the number of a link in a list of links, if the text is one: `[1]`, `1.`.
fn number(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.len() > LONGEST_NUMBER {
        return None;
    }
    let number = text.trim_matches(|c: char| "[](){}.:^".contains(c));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && number.len() < text.len()).then_some(number)
}

/// A link in plain text.
struct Link {
    /// The target, without the line ends and marks in it.
    target: String,
    /// Its end in the text, behind its closing bracket.
    end: usize,
}

impl Link {
    /// Reads the link whose target begins at a place of a text.
    fn at(text: &str, start: usize) -> Link {
        let bytes = text.as_bytes();
        let opening = start.checked_sub(1).map(|before| bytes[before]);
        let closing = match opening {
            Some(b'<') => Some(b'>'),
            Some(b'(') => Some(b')'),
            Some(b'[') => Some(b']'),
            _ => None,
        };
        let mut link = Link {
            target: String::new(),
            end: start,
        };
        for _ in 0..MOST_PIECES {
            let piece = piece(&text[link.end..]);
            link.target.push_str(piece);
            link.end += piece.len();
            let next = bytes.get(link.end).copied();
            if next.is_some() && next == closing {
                link.end += 1;
                break;
            }
            let gap = gap(&text[link.end..]);
            if gap == 0 || link.target.len() > LONGEST || !link.goes_on(text, gap, closing) {
                break;
            }
            link.end += gap;
        }
        link
    }

    /// Returns true if what stands behind a gap is a further piece of the link.
    fn goes_on(&self, text: &str, gap: usize, closing: Option<u8>) -> bool {
        let rest = &text[self.end + gap..];
        let piece = piece(rest);
        if piece.is_empty() {
            return false;
        }
        let behind = &rest.as_bytes()[piece.len()..];
        // In `n>g5` nothing is closed.
        let is_closed = closing.is_some()
            && behind.first().copied() == closing
            && !behind.get(1).is_some_and(u8::is_ascii_alphanumeric);
        is_closed
            || (0..piece.len()).any(|at| escaped(&piece.as_bytes()[at..]).is_some())
            || is_cut_in_escape(&self.target)
            || !self.target.contains('?') && piece.contains(['?', '@'])
            || piece.len() <= missing(&self.target)
                && piece.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && !behind.first().is_some_and(u8::is_ascii_punctuation)
    }
}

/// Returns the characters of a link at the start of a text.
fn piece(text: &str) -> &str {
    let length = text.bytes().take_while(|byte| is_uri(*byte)).count();
    &text[..length]
}

/// Returns the number of bytes between two pieces of a broken link: blanks, a line end
/// and the quote marks behind it.
fn gap(text: &str) -> usize {
    let blanks = text.len() - text.trim_start_matches([' ', '\t', '\r', DOUBT]).len();
    let Some(below) = text[blanks..].strip_prefix('\n') else {
        return blanks;
    };
    let line = below.split('\n').next().unwrap_or_default();
    let marked = unmarked(line);
    blanks + 1 + line.len() - marked.len()
}

fn is_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"%@?=&.-_+~!*',;:/#$".contains(&byte)
}

fn is_cut_in_escape(target: &str) -> bool {
    let end = &target.as_bytes()[target.len().saturating_sub(2)..];
    end.contains(&b'%')
}

/// Returns how many letters and digits a target lacks of its answer code.
fn missing(target: &str) -> usize {
    // Before the code stand the id of the match and the number of half-moves.
    static MATCH: Pattern =
        Pattern::new(r"^(?:[a-z0-9-]|%(?:25)*2d)+(?:,|%(?:25)*2c)[0-9]+(?:,|%(?:25)*2c)");
    let lower = target.to_ascii_lowercase();
    let Some((_, behind)) = lower.rsplit_once("code") else {
        return 0;
    };
    let mut code = behind;
    while let Some(rest) = ["%25", "%3a", "%20", "3a", "20", "+", ":"]
        .iter()
        .find_map(|sign| code.strip_prefix(sign))
    {
        code = rest;
    }
    let code = MATCH.find(code).map_or(code, |found| &code[found.end()..]);
    let is_code = code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_code {
        CODE.saturating_sub(code.len())
    } else {
        0
    }
}

/// Returns true if a text has a link that writes a mail, or a part of one.
///
/// A link to an address alone, as Outlook writes it behind each address, writes no text.
pub(super) fn mentions_link(text: &str) -> bool {
    static ADDRESS: Pattern = Pattern::new(r"(?i)<mailto:[a-z0-9.+_-]+@[a-z0-9.-]+>");
    let letters = letters(&ADDRESS.replace_all(text, ""));
    letters.contains("mailto") || letters.contains("subject5b")
}

/// Returns true if the text of a link to an address could be read as a move or a command.
/// A name and an address stay, because they tell who wrote what stands below.
pub(super) fn could_be_played(label: &str) -> bool {
    let has_move = || {
        let label = label.to_ascii_lowercase();
        let castlings = ["o-o", "0-0", "ooo"];
        label.contains(|c: char| c.is_ascii_digit())
            || castlings.iter().any(|castling| label.contains(castling))
    };
    !label.contains('@') && (has_move() || Request::parse(label).is_some())
}

/// Marks the lines that tell a position, or a part of it, in `is_ours`. The cost is linear
/// in the lines.
fn mark_positions(lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
    let read = |run: Option<Run<'_, Told>>, line: &MarkedLine<'_>| {
        let Some((told, above, blank)) = run else {
            return Told::by(line.text, Start::Line);
        };
        let has_ended = above.text.trim_end().ends_with(['.', ']', ')']);
        let more = Told::by(line.text, Start::None)?;
        // Programs double line ends.
        let is_part = blank <= 1 && (!has_ended || told.goes_on_with(more));
        is_part.then(|| told.and(more))
    };
    mark_runs(lines, is_ours, read, |told| told.is_position());
}

/// What the lines of a run have, the last of them, and the number of empty ones below that.
type Run<'r, T> = (&'r T, &'r MarkedLine<'r>, usize);

/// Marks the runs of lines that are ours. `read` returns what a run has with a further line, if
/// that belongs to it, or what a line has that may begin one; `is_whole` tells whether what was
/// read is ours. The cost is linear in the lines.
fn mark_runs<T>(
    lines: &[MarkedLine<'_>],
    is_ours: &mut [bool],
    read: impl Fn(Option<Run<'_, T>>, &MarkedLine<'_>) -> Option<T>,
    is_whole: impl Fn(&T) -> bool,
) {
    let mut at = 0;
    while at < lines.len() {
        let mut end = at + 1;
        if let Some(mut run) = read(None, &lines[at]) {
            loop {
                let below = lines[end..].iter();
                let blank = below.take_while(|line| line.is_blank()).count();
                let next = lines.get(end + blank);
                let above = &lines[end - 1];
                let Some(more) = next.and_then(|next| read(Some((&run, above, blank)), next))
                else {
                    break;
                };
                run = more;
                end += blank + 1;
            }
            if is_whole(&run) {
                is_ours[at..end].fill(true);
            }
        }
        at = end;
    }
}

/// The parts of the texts of our links that lines have.
struct TapsTold {
    /// The headings: a piece on a square.
    heads: usize,
    /// The squares to go to, and the other texts that are no square.
    targets: usize,
    /// True if the last line breaks off behind its last word.
    is_open: bool,
    /// True if another line does.
    is_broken: bool,
}

impl TapsTold {
    /// Returns what a line tells if it has no other words and begins one of the texts, or goes
    /// on with one that `is_open`.
    fn of(line: &str, is_open: bool) -> Option<TapsTold> {
        if let Some(marks) = marks_of_row(line) {
            return Some(TapsTold {
                heads: 0,
                targets: marks,
                is_open: false,
                is_broken: false,
            });
        }
        // The heading of a board may stand beside its rows.
        let has_row = ["+ +", "++"].iter().any(|row| line.contains(row));
        let marks = if has_row {
            line.matches(LINKED).count()
        } else {
            0
        };
        let is_end =
            |c: char| c.is_whitespace() || "[](),;:.…·•|*-".contains(c) || has_row && c == LINKED;
        let text = line.to_lowercase();
        let words = text.split(is_end).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let is_known = |word: &&str| match *word {
            "a" | "an" | "and" | "at" | "becomes" | "becoming" | "capture" | "captures"
            | "castle" | "castles" | "drop" | "en" | "in" | "it" | "king's" | "move" | "of"
            | "on" | "one" | "or" | "passant" | "place" | "promoted" | "promotes" | "put"
            | "queen's" | "reserve" | "relocate" | "side" | "stays" | "takes" | "the" | "to"
            | "unpromoted" | "with" | "your" => true,
            word => is_square(word) || is_piece(word) || has_row && is_edge(word),
        };
        let last = words.last()?;
        // Whoever is called so may write what stands below.
        let is_name = line.trim_end().ends_with([':', '：']);
        if is_name || !words.iter().all(is_known) || !is_open && !begins_text(&words) {
            return None;
        }
        let heads = words.windows(3).filter(|words| is_head(words)).count();
        let pairs = words.windows(2);
        let targets = pairs.filter(|words| {
            matches!(words[0], "to" | "takes" | "captures") && is_square(words[1])
                || matches!(words, ["place" | "drop" | "put", "a" | "an" | "the"])
                || matches!(words, ["castle" | "castles", "on"])
        });
        // A square or a piece follows these.
        let is_open = matches!(*last, "to" | "takes" | "on" | "a" | "an" | "the")
            || matches!(*last, "becomes" | "captures");
        Some(TapsTold {
            heads,
            targets: targets.count() + marks,
            is_open: is_open && line.trim_end().ends_with(char::is_alphanumeric),
            is_broken: false,
        })
    }
}

/// Returns the number of marks in a line that is a part of a board of links, and has nothing but
/// these and the names of files and ranks. No square is one, so no move is taken for a part.
fn marks_of_row(text: &str) -> Option<usize> {
    let is_end = |c: char| c.is_whitespace() || "[]()|".contains(c);
    let mut words = text.split(is_end).filter(|word| !word.is_empty());
    // The numbers of links may stand before the marks.
    let is_number = |word: &str| word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |word: &str| {
        let name = word.trim_end_matches(LINKED);
        name.is_empty() || is_edge(name) || text.contains(LINKED) && is_number(name)
    };
    let is_row = !text.trim().is_empty() && words.all(is_part);
    is_row.then(|| text.matches(LINKED).count())
}

/// Returns true for the name of a file or a rank, and for those of all files.
fn is_edge(word: &str) -> bool {
    const FILES: [&str; 4] = ["abcdefgh", "hgfedcba", "abcdefghi", "ihgfedcba"];
    matches!(word.as_bytes(), [b'1'..=b'9' | b'a'..=b'i']) || FILES.contains(&word)
}

/// Returns true if a line of these words begins one of the texts. "Knight to d5" begins none,
/// because a player may write it below them.
fn begins_text(words: &[&str]) -> bool {
    match words {
        ["to" | "takes" | "captures", square, ..] => is_square(square),
        ["place" | "drop" | "put", "a" | "an", ..] | ["castle" | "castles", "on", ..] => true,
        words => words.get(..3).is_some_and(is_head) || matches!(words, ["drop" | "place"]),
    }
}

fn is_head(words: &[&str]) -> bool {
    matches!(words, [piece, "on", square] if is_piece(piece) && is_square(square))
}

fn is_square(word: &str) -> bool {
    word.parse::<Square>().is_ok()
}

/// Marks the lines with such texts in `is_ours`, where a heading and the text of a link
/// stand one below or beside the other. "Knight on c3 to d5" alone may be a player's. The cost is linear in the lines.
fn mark_taps(lines: &[MarkedLine<'_>], is_ours: &mut [bool]) {
    // Programs set each cell on a line, with empty lines between.
    let read = |run: Option<Run<'_, TapsTold>>, line: &MarkedLine<'_>| {
        let Some((told, ..)) = run else {
            return TapsTold::of(line.text, false);
        };
        let more = TapsTold::of(line.text, told.is_open)?;
        Some(TapsTold {
            heads: told.heads + more.heads,
            targets: told.targets + more.targets,
            is_open: more.is_open,
            is_broken: told.is_broken || told.is_open,
        })
    };
    let is_whole = |told: &TapsTold| {
        told.heads > 0 && (told.targets > 1 || told.is_broken) || told.targets > 2
    };
    mark_runs(lines, is_ours, read, is_whole);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        kept_by(mark_positions, text)
    }

    fn kept_of_taps(text: &str) -> String {
        kept_by(mark_taps, text)
    }

    fn kept_by(mark: impl Fn(&[MarkedLine<'_>], &mut [bool]), text: &str) -> String {
        let lines = split(text);
        let mut is_ours = vec![false; lines.len()];
        mark(&lines, &mut is_ours);
        let kept = lines.iter().zip(is_ours).filter(|(_, is_ours)| !is_ours);
        kept.map(|(line, _)| line.source).collect()
    }

    const LINK: &str = "mailto:ref@example.org?subject=%5Bm%5D%20P%3Ee4&body=P%3Ee4%0D%0AGame%20m%2C%206%20half-moves%20made.%0D%0AAnswer%20code%3A%20abcde4ghne4klmno";

    const SHORT: &str =
        "mailto:ref@example.org?body=P%3Ee4%0D%0AAnswer%20code:a%2Dmatch%2C16%2Cabcde4ghne4klmno";

    fn kept_of_links(text: &str) -> String {
        kept_by(|lines, is_ours| mark_links(text, lines, is_ours), text)
    }

    #[test]
    fn a_link_of_ours_goes_with_its_text_in_every_form() {
        for form in [
            "P>e4 <LINK>",
            "P>e4<LINK>",
            "P>e4 (LINK)",
            "P>e4 [LINK]",
            "[P>e4](LINK)",
            "[P>e4](<LINK>)",
            "* [P>e4](LINK)",
            "P>e4: LINK",
            "P>e4\n<LINK>",
            "P>e4\nLINK",
            "[url=LINK]P>e4[/url]",
            "<a href=\"LINK\">P>e4</a>",
            "[[LINK][P>e4]]",
            "\"P>e4\":LINK",
            "P>e4 <LINK>, P-e4 <LINK>\n· P>e5 <LINK>",
            "P>e4 <https://safe.test/?url=ESCAPED&data=5>",
        ] {
            let escaped = LINK
                .replace('%', "%25")
                .replace(':', "%3A")
                .replace('?', "%3F");
            let ours = form.replace("LINK", LINK).replace("ESCAPED", &escaped);
            for mark in ["", "> ", ">> ", "| ", "AW> ", ": "] {
                let marked: Vec<String> = ours.lines().map(|line| mark.to_owned() + line).collect();
                let ours = marked.join("\n") + "\n";
                let text = format!("Hello\n\n{ours}n>g5\n{ours}\nBye\n");
                assert_eq!(kept_of_links(&text), "Hello\n\nn>g5\n\nBye\n", "{text}");
            }
        }
    }

    /// The end of an answer code on a line of its own was a move.
    #[test]
    fn a_link_may_be_broken_anywhere() {
        for form in ["P>e4 <LINK>", "[P>e4](LINK)", "P>e4 [LINK]", "[1] LINK"] {
            let whole = form.replace("LINK", LINK);
            for whole in [form.replace("LINK", SHORT), whole.clone()] {
                let first = whole.find(':').unwrap() + 5;
                for at in first..whole.len() - 1 {
                    for mark in ["", "> ", "AW> "] {
                        let broken = format!("{mark}{}\n{mark}{}", &whole[..at], &whole[at..]);
                        let text = format!("Hello\n\n{broken}\n\nn>g5\n");
                        assert_eq!(kept_of_links(&text), "Hello\n\n\nn>g5\n", "{text}");
                        let below = format!("{broken}\nn>g5\n");
                        assert_eq!(kept_of_links(&below), "n>g5\n", "{below}");
                    }
                }
            }
            for width in [20, 40, 76] {
                let bytes: Vec<&[u8]> = whole.as_bytes().chunks(width).collect();
                let broken = bytes.join(&b"\n> "[..]);
                let text = format!("> {}\n\nn>g5\n", String::from_utf8(broken).unwrap());
                assert_eq!(kept_of_links(&text), "\nn>g5\n", "{text}");
            }
        }
    }

    #[test]
    fn a_numbered_link_goes_with_what_refers_to_it() {
        for (text, list) in [
            ("[1]P>e4", "   1. LINK\n"),
            (
                "   [1]P>e4   [2]P>e5",
                "References\n\n   1. LINK\n   2. LINK\n",
            ),
            ("P>e4[1]", "[1] LINK\n"),
            ("P>e4 [1]", "[1]: LINK\n"),
            ("[P>e4][1]", "[1]: <LINK>\n"),
            ("P>e4\n[1]", "[1]\nLINK\n"),
            ("> P>e4 [1]", "> [1] LINK\n"),
            (
                "[1]to d4, [2]to d5, [3]to d6, [2]to d7, [3]to d8, takes\ne4",
                "[1] LINK\n[2] LINK\n[3] LINK\n",
            ),
        ] {
            let list = list.replace("LINK", LINK);
            let text = format!("Hello [9]\n\n{text}\n\nn>g5\n\n{list}");
            let kept = kept_of_links(&text).replace("References\n\n", "");
            assert_eq!(kept.trim_end(), "Hello [9]\n\n\nn>g5", "{text}");
        }
    }

    #[test]
    fn other_links_and_words_stay() {
        for text in [
            "On Friday, Anna <anna@example.org<mailto:anna@example.org>> wrote:\n",
            "Anna [mailto:anna@example.org]\nn>g5\n",
            "Anna [1]\nn>g5\n\n[1] mailto:anna@example.org\n[2] https://example.org/?body=x\n",
            "mailto\nmailto:\nmailto:?\n".trim_end_matches("mailto:?\n"),
            "1. P>e3 n>g5 [1]\n",
        ] {
            assert_eq!(kept_of_links(text), text);
        }
    }

    #[test]
    fn a_link_that_writes_a_message_is_ours_in_every_form() {
        for target in [
            "mailto:ref@example.org?subject=%5Bm%5D%20P%3Ee3&body=P%3Ee3",
            "MAILTO:ref@example.org?body=P%3Ee3",
            " mailto:ref@example.org?subject=x&amp;body=P%3Ee3",
            "mailto:ref@example.org?sub\r\n ject=x",
            "mailto:ref%40example.org%3Fbody=x",
            "https://safe.test/?url=mailto%3Aref%40example.org%3Fsubject%3Dx&data=05",
            "https://safe.test/?url=mailto%253Aref%2540example.org%253Fsubject%253Dx",
            "https://mail.test/?view=cm&to=ref@example.org&body=P%3Ee3%0D%0AAnswer+code:+abcd",
            "https://mail.test/compose?text=Game%20m%2C%206%20half-moves%20made.",
        ] {
            assert!(is_tap(target), "{target}");
        }
        for target in [
            "mailto:anna@example.org",
            "https://example.org/?a=b",
            "",
            "%",
            "%4",
            "#mailto",
        ] {
            assert!(!is_tap(target), "{target}");
        }
    }

    #[test]
    fn the_text_of_a_link_to_an_address_stays_if_it_is_a_name() {
        for label in ["P>e3", "O-O", "0-0-0", "resign", "Accept draw"] {
            assert!(could_be_played(label), "{label}");
        }
        for label in ["Anna White", "anna2@example.org", "", "P@e3"] {
            assert!(!could_be_played(label), "{label}");
        }
    }

    #[test]
    fn a_position_in_words_is_dropped_wherever_it_is_broken() {
        for text in [
            "White: king on e1, pawns on d2 and e4; in reserve: queen, 2 rooks. Black: king on e8, knight on b6; in reserve: queen.",
            "[image: White: king on e1, pawns on d2 and e4. Black: king on e8.]",
            "![White: king on e1, pawns on d2 and e4. Black: king on e8.](cid:board@parapost)",
            "[1]White: king on e1, pawns on d2 and e4. Black: king on e8.",
            "Sente: king on e1, promoted pawn on d2, gold general on e4; reserve: 2 lances. Gote: king on e9; reserve: nothing.",
            "White: king on e1. Black: king on e8.",
            "White: nothing on the board; in reserve: king, queen, 8 pawns.",
        ] {
            for width in [5, 12, 20, 76] {
                for (mark, end) in [("", "\n"), ("> ", "\n"), ("> ", "\n> \n"), ("", "\n\n")] {
                    let mut broken = String::new();
                    let mut length = 0;
                    for word in text.split(' ') {
                        // The first words stay together: they say what follows.
                        let is_first = broken.is_empty() || length < 16 && broken.len() < 20;
                        if length + word.len() > width && !is_first {
                            broken += end;
                            length = 0;
                        }
                        broken += if length == 0 { mark } else { " " };
                        broken += word;
                        length += word.len() + 1;
                    }
                    let kept = kept(&format!("Hello\n{mark}\n{broken}\n{mark}\nn>g5\n"));
                    assert_eq!(kept, format!("Hello\n{mark}\n{mark}\nn>g5\n"), "{broken}");
                }
            }
        }
    }

    #[test]
    fn a_player_s_words_about_pieces_stay() {
        for text in [
            "Black: knight on d5\n",
            "Black: Knight to d5\ne5\n",
            "White: your king on e1 looks lonely, and your queen on d2 too\n",
            "Hi White: how about a pawn on e4, on d4 or on c4?\n",
            "Black's pieces in reserve:\n\nrrbbnnqk\npppppppp\n",
            "White       Black\n\n1.  P>e3    n>g5\n",
            "White:\n",
            "[Black:]\n",
        ] {
            assert_eq!(kept(text), text);
        }
    }

    #[test]
    fn the_texts_of_our_links_are_dropped_wherever_they_are_broken() {
        for text in [
            "Knight on c3\nto d5\ntakes e4\nto b1\n",
            "Knight on c3\n\nto d5\n\ntakes e4\n\n",
            "Knight on c3: to d5, takes e4, to b1, takes\ne4\n",
            "Knight on c3: takes\ne4\n",
            "> Knight on c3   to d5 to e4 takes\n> d5 to b1\n",
            "Pawn on e7\nto e8, becomes a queen\nto e8, becomes a knight\ntakes d8, becomes a\nqueen\n",
            "Place a pawn\n3 + +\n2 + + +\na b c\n",
            "Place a pawn\n\n3\n\n+\n\n+\n\n2\n\n+\n\na\n\nb\n\n",
            "> Place a pawn   3 + +\n> 2 + + +   a b c\nPlace a knight\n3++\n2+++\nabcdefgh\n",
            "King on e1\nto e2\ncastle on the king's side\ncastle on the queen's side\nPlace a pawn on …\nPlace a knight on …\n",
        ] {
            let text = format!("Hello\n{text}Knight to d5\n");
            let kept = kept_of_taps(&text).replace("\n\n", "\n");
            assert_eq!(kept, "Hello\nKnight to d5\n", "{text}");
        }
    }

    #[test]
    fn what_a_player_writes_stays() {
        for text in [
            "Knight on c3 to d5\n",
            "Knight to d5\n",
            "Pawn takes e4\n",
            "Place a pawn on e3\n",
            "Place a pawn\n",
            "e4\n",
            "a4\n+\n",
            "+ P>e3\n+ P>e4\n",
            "+ e3\n",
            "Place a pawn\nP>e3+\n",
            "to e4+\n",
            "Knight on c3\n\ne5\n",
            "castle on the king's side\n",
            "My knight on c3 goes to d5, or it takes e4. What do you think?\n",
        ] {
            assert_eq!(kept_of_taps(text), text);
        }
        for ours in [
            "Knight on c3\nto d5\nto e4\n",
            "Place a pawn\n8 + +\n7 + +\na b\n",
        ] {
            for own in ["e5\n", "n-d5\n", "\ne5\n", "Knight e5\n"] {
                assert_eq!(kept_of_taps(&format!("{ours}{own}")), own, "{own}");
            }
        }
    }
}
