//! Reads positions in words, `White: Kg1, Qd1, pawns a2, b2`, and the words that say whose turn
//! it is.

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::positions::{Form, LocatedPosition, Reader};
use crate::rules::{Color, Reserve, Role, Setup, Square, games};

const BROKEN: &str = "this list of pieces cannot be read from here on: write each piece with its squares, as in 'bishops on c1 and f1'";

/// The longest line of words that is read, in bytes.
const LONGEST: usize = 2_000;

/// The most lines of a list of pieces.
const MOST_LINES: usize = 24;

/// Returns the player whom a word names.
fn side(word: &str) -> Option<Color> {
    match word {
        "white" | "sente" => Some(Color::White),
        "black" | "gote" => Some(Color::Black),
        _ => None,
    }
}

/// Returns the player whose turn a line says it is: `White to move`, `Black to play and mate in
/// two`, `It is Sente's turn`, `To move: Gote`.
pub(super) fn turn(line: &Line<'_>) -> Option<Color> {
    if line.text.len() > LONGEST {
        return None;
    }
    let text = without_tags(&line.plain());
    for (word, color) in [
        ("先手番", Color::White),
        ("下手番", Color::White),
        ("後手番", Color::Black),
        ("上手番", Color::Black),
    ] {
        if text.contains(word) {
            return Some(color);
        }
    }
    let lower = text.to_lowercase();
    let split = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = split.filter(|word| !word.is_empty()).collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    (0..words.len()).find_map(|at| {
        let color = side(words[at])?;
        let next = at + 1 + usize::from(matches!(word(at + 1), "s" | "is"));
        let is_told = match word(next) {
            "to" => matches!(
                word(next + 1),
                "move" | "play" | "mate" | "win" | "draw" | "begin" | "start"
            ),
            "moves" | "plays" | "mates" | "begins" | "starts" => !text.contains("Moves :"),
            "turn" | "move" => next == at + 2,
            "on" => word(next + 1) == "move" || (word(next + 1), word(next + 2)) == ("the", "move"),
            _ => false,
        };
        let is_behind = at > 0
            && matches!(words[at - 1], "move" | "turn" | "play")
            && (at == 1 || matches!(word(at.wrapping_sub(2)), "to" | "side" | "player"));
        (is_told || is_behind).then_some(color)
    })
}

/// Leaves out the tags of a forum, `[b]White[/b] to move`.
fn without_tags(text: &str) -> String {
    let mut parts = text.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_tag = |(tag, _): &(&str, &str)| {
            let is_word = !tag.contains(' ') && side(&tag.to_lowercase()).is_none();
            is_word || tag.contains('=')
        };
        let tag = part.split_once(']').filter(is_tag);
        plain.push(' ');
        plain.push_str(tag.map_or(part, |(_, rest)| rest));
    }
    plain
}

/// The pieces that words name.
#[derive(Clone)]
struct Words {
    setup: Setup,
    side: Option<Color>,
    role: Option<Role>,
    /// True behind the word for the reserve.
    is_held: bool,
    /// True behind the word for a promoted piece.
    is_promoted: bool,
    count: u8,
    /// For each side, the pieces on the board, and the kings anywhere.
    placed: [u32; 2],
    kings: [u32; 2],
    has_reserves: bool,
    /// The pieces with their names, as in `king on e1`: a move has its letter.
    named: u32,
    /// Those of them that have no square yet.
    unplaced: u32,
    width: u8,
}

/// Reads the list of pieces that begins at a line. Returns it, or what is wrong with it, with the line
/// behind it.
pub(super) fn read(
    reader: &Reader<'_>,
    at: usize,
) -> Option<(Result<LocatedPosition, Problem>, usize)> {
    let first = &reader.lines[at];
    let start = words(first.text).find(|word| !word.is_empty())?;
    let color = side(&start.to_lowercase()).or(match (start, first.text.contains(':')) {
        ("W", true) => Some(Color::White),
        ("B", true) => Some(Color::Black),
        _ => None,
    })?;
    let game = if reader.is_named {
        reader.section
    } else {
        &reader.unnamed
    };
    let mut words = Words {
        setup: Setup {
            board: game.empty_board(),
            reserves: Default::default(),
            unmoved: Vec::new(),
            ..Setup::start(game)
        },
        side: Some(color),
        role: None,
        is_held: false,
        is_promoted: false,
        count: 0,
        placed: [0; 2],
        kings: [0; 2],
        has_reserves: false,
        named: 0,
        unplaced: 0,
        width: game.rules().width,
    };
    let (mut end, mut blank) = (at, 0);
    let (mut is_ended, mut is_open) = (false, false);
    let mut broken = None;
    for next in at..reader.lines.len().min(at + MOST_LINES) {
        let line = &reader.lines[next];
        if reader.taken[next] || line.text.len() > LONGEST || blank > 1 {
            break;
        }
        if line.is_blank() {
            blank += 1;
            continue;
        }
        // Behind a full stop and an empty line other words follow, unless they say whose pieces come.
        if (is_ended || blank > 0 && words.has_pieces() && !is_open) && !begins_list(line.text) {
            break;
        }
        let (took, goes_on, rest) = words.take(line, is_open);
        broken = broken.or(rest.map(|rest| (line.number, line.column, rest)));
        if took {
            (end, blank) = (next + 1, 0);
            let text = line.text.trim_end();
            is_ended = text.ends_with('.') || !goes_on && rest.is_none();
            is_open = words.unplaced > 0 || text.ends_with([',', ';']);
        }
        // Behind a remark at the end of a line the other player's pieces may follow.
        if !(goes_on || took && is_ended) {
            break;
        }
    }
    let last = &reader.lines[end.max(at + 1) - 1];
    if is_open {
        let column = last.text.chars().count();
        broken = broken.or(Some((last.number, last.column, column.saturating_sub(1))));
    }
    let is_list = words.placed[0] + words.placed[1] >= 3 || words.named > 0;
    let is_told = is_list && words.kings.iter().all(|kings| *kings > 0);
    if !is_told {
        return None;
    }
    let indent = first.text.len() - first.text.trim_start().len();
    let column = first.column + first.text[..indent].chars().count();
    let place = TextPlace::new(first.number, column).wide(first.text.trim().chars().count());
    if let Some((line, column, rest)) = broken {
        let place = TextPlace::new(line, column + rest);
        return Some((Err(Problem::error(place, BROKEN)), end));
    }
    let mut position = LocatedPosition::new(at..end, place, first.author, Form::Board);
    position.variant = match (words.width, words.has_reserves) {
        (9, _) => reader.variant_or(&games::SHOGI),
        (_, true) => reader.variant_or(&games::UNACHESS),
        _ => reader.variant_or(&games::CHESS),
    };
    position.has_reserves = words.has_reserves || !position.variant.rules().has_reserve();
    position.setup = words.setup;
    Some((Ok(position), end))
}

/// Splits a text into its words; a heading's colon and full stops separate them, too.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let separates = |c: char| c.is_whitespace() || ",;:.()/|*_-–—".contains(c);
    text.split(separates).filter(|word| !word.is_empty())
}

/// Returns true if a line begins with a player, or with the word for the reserve.
fn begins_list(text: &str) -> bool {
    let first = words(text).next().unwrap_or_default();
    let lower = first.to_lowercase();
    side(lower.trim_end_matches("'s")).is_some()
        || matches!(first, "W" | "B")
        || lower == "in"
        || is_reserve(&lower)
}

fn is_reserve(word: &str) -> bool {
    matches!(word, "reserve" | "hand" | "pocket" | "holding" | "holdings")
}

impl Words {
    /// Returns true if a piece has been taken.
    fn has_pieces(&self) -> bool {
        self.placed != [0; 2] || self.setup.reserves != [Reserve::EMPTY; 2]
    }

    /// Takes a line, below one whose list is open or not. Returns true if it has pieces, true if the list may go on below it, and the number of
    /// characters before a word that belongs to no list but stands within its sentence.
    fn take(&mut self, line: &Line<'_>, is_open: bool) -> (bool, bool, Option<usize>) {
        let before = self.clone();
        let mut is_heading = false;
        let mut is_side = false;
        let mut rest = None;
        for (at, word) in words(line.text).enumerate() {
            let lower = word.to_lowercase();
            let single = match word {
                "W" if at == 0 => Some(Color::White),
                "B" if at == 0 => Some(Color::Black),
                _ => None,
            };
            if let Some(color) = side(lower.trim_end_matches("'s")).or(single) {
                (self.side, self.role, self.is_held) = (Some(color), None, false);
                (is_heading, is_side) = (true, true);
            } else if self.word(word, &lower) {
                is_side = false;
            } else {
                let start = word.as_ptr().addr() - line.text.as_ptr().addr();
                rest = Some(&line.text[..start]);
                break;
            }
        }
        let goes_on = rest.is_none();
        let is_remark = |text: &&str| text.trim_end().ends_with(['.', '(', '!', '?']);
        let is_end_of_list = || is_open && rest.as_ref().is_some_and(is_remark);
        if !(goes_on || is_heading || is_end_of_list()) {
            // A sentence that begins as a list may.
            *self = before;
            return (false, false, None);
        }
        let rest = rest.filter(|text| !is_side && !is_remark(text));
        let rest = rest.map(|text| text.chars().count());
        let now = (self.placed, self.kings, self.setup.reserves);
        let has_pieces = now != (before.placed, before.kings, before.setup.reserves);
        (has_pieces || is_heading && goes_on, goes_on, rest)
    }

    /// Takes a word that names no side. Returns false if it belongs to no list of pieces.
    fn word(&mut self, word: &str, lower: &str) -> bool {
        let Some(side) = self.side else {
            return false;
        };
        if is_reserve(lower) {
            (self.is_held, self.has_reserves, self.role) = (true, true, None);
            return true;
        }
        if matches!(
            lower,
            "on" | "and"
                | "at"
                | "in"
                | "the"
                | "a"
                | "has"
                | "no"
                | "piece"
                | "pieces"
                | "board"
                | "nothing"
                | "none"
        ) {
            return true;
        }
        if let Ok(count) = word.parse::<u8>() {
            self.count = count.min(31);
            return true;
        }
        let named = Role::ALL.into_iter().find(|role| {
            let name = role.name();
            lower == name || lower.strip_suffix('s') == Some(name)
        });
        if lower == "promoted" {
            self.is_promoted = true;
            return true;
        }
        if let Some(role) = named {
            let is_promoted = std::mem::take(&mut self.is_promoted);
            let role = role.promoted().filter(|_| is_promoted).unwrap_or(role);
            self.role = Some(role);
            self.named += 1;
            self.unplaced = u32::from(!self.is_held);
            return !self.is_held || self.hold(side, role, self.count.max(1));
        }
        if self.is_held {
            let roles: Option<Vec<Role>> = word.chars().map(Role::from_letter).collect();
            let mut roles = roles.into_iter().flatten().peekable();
            return roles.peek().is_some() && roles.all(|role| self.hold(side, role, 1));
        }
        self.squares(side, word)
    }

    fn hold(&mut self, side: Color, role: Role, count: u8) -> bool {
        self.count = 0;
        let reserve = &mut self.setup.reserves[side.index()];
        for _ in 0..count {
            let Some(more) = reserve.with(role) else {
                return false;
            };
            *reserve = more;
        }
        self.kings[side.index()] += u32::from(role == Role::King);
        true
    }

    /// Takes `Kg1`, `a2`, `+Rb3`, or several squares in a word.
    fn squares(&mut self, side: Color, word: &str) -> bool {
        let (is_promoted, rest) = match word.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let letter = rest.chars().next().and_then(Role::from_letter);
        let has_letter = rest.len() % 2 == 1 && letter.is_some();
        let role = if has_letter {
            letter
        } else {
            self.role.or(Some(Role::Pawn))
        };
        let role = if is_promoted {
            role.and_then(Role::promoted)
        } else {
            role
        };
        let squares = &rest[usize::from(has_letter)..];
        let Some(role) = role.filter(|_| !squares.is_empty() && squares.is_ascii()) else {
            return false;
        };
        if has_letter {
            // Squares behind it are those of pawns: `Kg1, Qd1, a2, b2`.
            self.role = None;
        }
        let pairs: Vec<&str> = squares
            .as_bytes()
            .chunks(2)
            .map(|pair| str::from_utf8(pair).unwrap_or_default())
            .collect();
        for pair in pairs {
            let square = pair.parse::<Square>().ok();
            let Some(square) = square.filter(|square| square.is_on(self.width)) else {
                return false;
            };
            let is_taken = self.setup.board.get(square).is_some();
            if is_taken || !pair.starts_with(|c: char| c.is_ascii_lowercase()) {
                return false;
            }
            self.setup.board.set(square, Some(role.of(side)));
            self.placed[side.index()] += 1;
            self.kings[side.index()] += u32::from(role == Role::King);
        }
        self.unplaced = 0;
        true
    }
}
