//! Lists in Japanese signs, in which programs of shogi keep matches and pages show them: KIF, a
//! numbered move to a line with the square it comes from, and KI2, `▲７六歩 △３四歩`.
//!
//! A list in KIF is read among any words, as its lines are like no others; one in KI2 only where
//! nothing but moves, headers and comments stands between its first move and its last.

mod encoding;
mod resolve;
mod row;
mod start;

use std::borrow::Cow;

use crate::mail::quoting::line::{self, Line};
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::hand::side;
use crate::notation::judge::Judged;
use crate::notation::kif::row::{Ending, KifMove, KifSquare, PIECES, Row, Token, TokenKind};
use crate::notation::kif::start::Heading;
use crate::notation::moves::MoveEntry;
use crate::notation::parsed_match::ParsedMatch;
use crate::rules::notation::{MoveText, Voice};
use crate::rules::{Color, Variant};

pub(crate) use encoding::decode;

/// Returns true if a line has signs that only Japanese texts have, or similar ones.
pub(crate) fn may_be(line: &str) -> bool {
    line.contains(|c: char| c >= '■')
}

/// Reads the matches of a text in Japanese signs, by a variant of shogi. Returns none if the text
/// is no such list.
pub(crate) fn read(lines: &[Line<'_>], variant: &Variant) -> Option<Vec<Judged>> {
    let lines = unquoted(lines);
    let mut reader = KifReader {
        lines: &lines,
        variant,
        games: Vec::new(),
        open: None,
        heading: Heading::default(),
        top: 0,
        is_branch: false,
        is_bare: false,
        mentions: false,
        words_since: false,
        has_words: false,
    };
    for (at, line) in lines.iter().enumerate() {
        reader.take(at, line)?;
    }
    reader.finish()
}

/// Takes off the quote marks that stand before every line, with the blank behind each.
fn unquoted<'l, 'a>(lines: &'l [Line<'a>]) -> Cow<'l, [Line<'a>]> {
    let mut lines = Cow::Borrowed(lines);
    let blank = |text: &str| text.trim().is_empty();
    let is_marked = |line: &Line<'_>| blank(line.source) || line.source.starts_with('>');
    if lines.iter().all(|line| blank(line.source)) || !lines.iter().all(is_marked) {
        return lines;
    }
    for line in lines.to_mut() {
        (line.text, line.column) = (line.source, 1);
    }
    for _ in 0..MOST_MARKS {
        let is_marked = |line: &Line<'_>| blank(line.text) || line.text.starts_with('>');
        if !lines.iter().all(is_marked) {
            break;
        }
        for line in lines.to_mut() {
            let rest = line.text.strip_prefix('>').unwrap_or(line.text);
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            line.column += line.text.len() - rest.len();
            line.text = rest;
        }
    }
    lines
}

/// The most quote marks before a line.
const MOST_MARKS: usize = 20;

/// Names the piece of these letters in our notation, as programs write it.
pub(crate) fn name(letters: &str) -> &'static str {
    let found = PIECES.iter().find(|(_, known)| *known == letters);
    found.map_or("", |(name, _)| name)
}

#[allow(clippy::struct_excessive_bools, reason = "each is of its own")]
struct KifReader<'t, 'a> {
    lines: &'t [Line<'a>],
    variant: &'t Variant,
    games: Vec<Judged>,
    open: Option<OpenGame>,
    /// The lines between the last move and the next.
    heading: Heading,
    /// The line at which that begins.
    top: usize,
    /// True in another line of play than the first.
    is_branch: bool,
    /// True once a list is read whose moves only stand alone.
    is_bare: bool,
    /// True if a move stands among other words.
    mentions: bool,
    /// True if other words stand behind the last move.
    words_since: bool,
    has_words: bool,
}

/// The match that is being read.
struct OpenGame {
    game: ParsedMatch,
    heading: Heading,
    /// The number of the next half-move.
    next: u32,
    /// The square of the last move.
    last: Option<KifSquare>,
    /// True after a fault, behind which nothing is read.
    is_halted: bool,
    stated: Vec<Option<Color>>,
}

impl KifReader<'_, '_> {
    /// Takes a line. Returns none if the text turns out to be no list.
    fn take(&mut self, at: usize, line: &Line<'_>) -> Option<()> {
        match Row::read(line.text) {
            Row::Moves { tokens, is_sourced } => {
                if self.is_branch && !self.heading.is_begun {
                    return Some(());
                }
                self.is_bare |= !is_sourced;
                if self.words_since && !is_sourced {
                    return None;
                }
                for token in &tokens {
                    self.take_token(at, line, token);
                }
                self.words_since = false;
            }
            Row::Branch => self.is_branch = self.open.is_some(),
            Row::Until(rest) => {
                if let Some(open) = self.open.as_mut().filter(|_| !self.is_branch) {
                    open.state(&stated(rest));
                }
            }
            Row::Other(mentions) => {
                if let Some(open) = self.open.as_mut().filter(|_| !self.is_branch) {
                    open.miss(line);
                }
                self.mentions |= mentions;
                self.words_since = self.open.is_some();
                self.has_words = true;
            }
            row => self
                .heading
                .take(&row, TextPlace::new(line.number, line.column)),
        }
        Some(())
    }

    fn take_token(&mut self, at: usize, line: &Line<'_>, token: &Token<'_>) {
        let begins = match (&self.open, token.number) {
            (None, _) => true,
            (Some(_), Some(1)) => !self.is_branch || self.heading.is_begun,
            (Some(open), Some(number)) => self.heading.is_begun && number != open.next,
            (Some(_), None) => self.heading.is_begun,
        };
        if begins && matches!(token.kind, TokenKind::Move(_)) {
            self.begin(at);
        }
        let place = token.place(line.number, line.column);
        if !begins
            && self.top < at
            && let Some(open) = &mut self.open
            && !open.is_halted
            && let Some(problem) =
                start::differs(&self.lines[self.top..at], open.game.record().position())
        {
            open.halt(problem);
        }
        self.heading = Heading::default();
        self.top = at + 1;
        let Some(open) = self.open.as_mut().filter(|open| !open.is_halted) else {
            return;
        };
        match &token.kind {
            TokenKind::End(ending) => {
                let mover = open.mover();
                let results: &[Option<Color>] = match ending {
                    Ending::Wins => &[Some(mover)],
                    Ending::Loses => &[Some(!mover)],
                    Ending::Draw => &[None],
                    Ending::Open => &[],
                };
                open.state(results);
            }
            TokenKind::Move(found) => {
                if let Err(why) = open.push(line, token, found, place, self.variant) {
                    open.halt(Problem::error(place, why));
                }
            }
        }
    }

    /// Begins a match whose first move stands in a line.
    fn begin(&mut self, at: usize) {
        self.close();
        self.is_branch = false;
        let heading = std::mem::take(&mut self.heading);
        let (start, problem) = match heading.position(&self.lines[self.top..at], self.variant) {
            Ok(position) => (position, None),
            Err(problem) => (self.variant.start(), Some(problem)),
        };
        let mut open = OpenGame {
            game: ParsedMatch::starting(start, Voice::List),
            next: 1,
            last: heading.last,
            heading,
            is_halted: false,
            stated: Vec::new(),
        };
        if let Some(problem) = problem {
            open.halt(problem);
        }
        self.open = Some(open);
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let mut judged = Judged::of(open.game, self.variant);
            judged.problems.retain(Problem::is_error);
            let Heading {
                players,
                event,
                date,
                ..
            } = open.heading;
            self.games.push(Judged {
                stated: open.stated,
                heading: crate::notation::header::Heading {
                    players,
                    event,
                    date,
                    ..crate::notation::header::Heading::default()
                },
                ..judged
            });
        }
    }

    fn finish(mut self) -> Option<Vec<Judged>> {
        // A file of a match in which nothing has been played.
        let is_alone = self.open.is_none() && self.games.is_empty();
        if is_alone && self.heading.handicap.is_some() && !self.has_words {
            self.begin(self.lines.len());
        }
        self.close();
        let is_none = self.games.is_empty() || self.is_bare && self.mentions;
        (!is_none).then_some(self.games)
    }
}

impl OpenGame {
    fn mover(&self) -> Color {
        let first = self.game.record().start().turn();
        if self.game.turns.len().is_multiple_of(2) {
            first
        } else {
            !first
        }
    }

    /// Adds results that are stated.
    fn state(&mut self, results: &[Option<Color>]) {
        for result in results {
            if !self.stated.contains(result) {
                self.stated.push(*result);
            }
        }
    }

    /// Reports a fault, behind which nothing is read.
    fn halt(&mut self, problem: Problem) {
        self.game.problems.push(problem);
        self.is_halted = true;
    }

    /// Ends the reading at a line with the number of the next move in which no move can be read.
    fn miss(&mut self, line: &Line<'_>) {
        let text = line.text.trim_start_matches(line::is_blank);
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &text[..text.len() - rest.len()];
        let is_next = digits.parse() == Ok(self.next) && rest.starts_with(line::is_blank);
        if is_next && !self.is_halted {
            let column = line.column + line.text[..line.text.len() - text.len()].chars().count();
            let place = TextPlace::new(line.number, column).wide(text.trim_end().chars().count());
            self.halt(Problem::error(place, "no move can be read in this line"));
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If it is none in its place: the reason.
    fn push(
        &mut self,
        line: &Line<'_>,
        token: &Token<'_>,
        found: &KifMove<'_>,
        place: TextPlace,
        variant: &Variant,
    ) -> Result<(), String> {
        let is_first = self.game.turns.is_empty();
        if let Some(number) = token.number {
            if is_first && number == self.heading.count + 1 {
                self.next = number;
            }
            if number != self.next {
                let next = self.next;
                return Err(format!(
                    "this is move {number}, where the list needs move {next}"
                ));
            }
        }
        let mover = self.mover();
        if token.mark.is_some_and(|mark| mark != mover) {
            let [named, mover] = [!mover, mover].map(|color| variant.player(color));
            return Err(format!(
                "this is a move of {named}, and it is {mover}'s turn"
            ));
        }
        let to = found.to.or(self.last);
        let to = to.ok_or("同 is the square of the move before, and there is none")?;
        let text = resolve::text(found, to, self.game.record().position())?;
        self.game.push_listed(MoveEntry {
            text: token.text.to_owned(),
            place,
            author: line.author,
            number: None,
            is_aside: false,
            tail: String::new(),
            parsed: text.parse::<MoveText>(),
        });
        self.last = Some(to);
        self.next = self.next.saturating_add(1);
        self.is_halted = self.game.fault().is_some();
        Ok(())
    }
}

/// Returns the result that a line such as `まで83手で先手の勝ち` states behind its first word, if it states
/// one: a winner, or none for a draw.
fn stated(rest: &str) -> Vec<Option<Color>> {
    let draws = ["千日手", "持将棋", "引き分け", "引分"];
    if draws.iter().any(|draw| rest.contains(draw)) {
        return vec![None];
    }
    let mut sides = rest.char_indices().filter_map(|(at, _)| side(&rest[at..]));
    match sides.next_back() {
        Some((color, behind)) if behind.contains('勝') => vec![Some(color)],
        Some((color, behind)) if behind.contains('負') => vec![Some(!color)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
