//! Reads FEN and SFEN in a line: with fields left out, within prose and tags, as a command to an
//! engine, or in the address of an analysis board.

use std::borrow::Cow;

use crate::mail::quoting::line::{Author, Line};
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::moves::MoveEntry;
use crate::notation::positions::{Form, LocatedPosition, MOST, Reader};
use crate::rules::notation::MoveText;
use crate::rules::{Color, Role, Setup, Variant, games};

/// A FEN or SFEN with the fields that were written.
#[derive(Default)]
struct Fields {
    /// Eight or nine.
    width: u8,
    board: String,
    /// The pieces in reserve, as letters.
    reserves: Option<String>,
    turn: Option<Color>,
    /// True if the side is that of SFEN, in which Sente is `b`.
    is_sfen: bool,
    castling: String,
    en_passant: Option<String>,
    numbers: [Option<u32>; 2],
    memory: Option<String>,
    /// The byte behind the last field.
    end: usize,
}

/// Reads the positions of a line, from the left.
pub(super) fn read(
    reader: &Reader<'_>,
    at: usize,
    line: &Line<'_>,
    found: &mut Vec<Result<LocatedPosition, Problem>>,
) {
    let text = line.text;
    let can_be = |c: char| matches!(c, '/' | '%');
    if !text.contains(can_be) && !text.contains("startpos") {
        return;
    }
    let mut places = Places::of(line);
    let mut next = 0;
    while next < text.len() && found.len() <= MOST {
        let rest = &text[next..];
        let is_word = next == 0 || ends_word(&text[..next]);
        let before = &text[..next];
        let read = if is_start(text, next) {
            located(rest, is_word, before)
        } else {
            command(rest, is_word)
        };
        if let Some(command) = read {
            let is_open = command.1 == command.2 && next + command.2 == text.trim_end().len();
            let below = reader.below(at).filter(|_| is_open);
            let joined = below.and_then(|below| joined(rest, &command, below, before));
            let (whole, (fields, moves, end)) = match &joined {
                Some((whole, command)) => (whole.as_str(), command),
                None => (rest, &command),
            };
            let place = places.of_bytes(next, next + command.2);
            let below = below.filter(|_| joined.is_some());
            let mut places_below = below.map(Places::of);
            let mut place_of = |from: usize, to: usize| match &mut places_below {
                // The next line stands behind a blank.
                Some(places_below) if from > command.2 => {
                    let start = command.2 + 1;
                    places_below.of_bytes(from - start, to - start)
                }
                _ => places.of_bytes(next + from, next + to),
            };
            let mut entries = entries(&whole[*moves..*end], line.author, |from, to| {
                place_of(moves + from, moves + to)
            });
            let rows_taken = usize::from(joined.is_some());
            // A mail program may have wrapped the moves.
            let is_open = !entries.is_empty() && *end == whole.trim_end().len();
            let rows = reader.lines[at + 1 + rows_taken..].iter();
            let rows = rows.take_while(|row| is_open && is_row_of_program(row));
            let mut count = rows_taken;
            for row in rows {
                let mut places = Places::of(row);
                entries.extend(self::entries(row.text, row.author, |from, to| {
                    places.of_bytes(from, to)
                }));
                count += 1;
            }
            let mut one = reader.located(at, place, line.author, fields.as_ref(), entries);
            if let Ok(position) = &mut one {
                position.lines.end += count;
            }
            found.push(one);
            next += command.2;
        } else if is_start(text, next) && is_word_start(text, next) {
            let word = rest.split(char::is_whitespace).next().unwrap_or_default();
            if let Some(fields) = in_address(word) {
                let place = places.of_bytes(next, next + word.len());
                found.push(reader.located(at, place, line.author, Some(&fields), Vec::new()));
                next += word.len();
            } else {
                next += step(rest);
            }
        } else {
            next += step(rest);
        }
    }
}

/// Reads a position at the start of a text, with another one before it on its line: a FEN, perhaps with
/// moves, or a command to an engine.
fn located(text: &str, is_at_word: bool, before: &str) -> Option<Command> {
    command(text, is_at_word).or_else(|| {
        let fields = Fields::read(text, false)?;
        let end = fields.end;
        let is_alone = end == text.trim_end().len() && before.trim().is_empty();
        let (moves, last) = moves_behind(text, end).unwrap_or((end, end));
        let is_position = is_alone || fields.has_letters();
        is_position.then_some((Some(fields), moves, last))
    })
}

/// Reads a position that goes on in the line below, where a mail program has broken it between two
/// fields. Returns it with both lines joined by a blank; none if the line below is no part of it.
fn joined(
    text: &str,
    command: &Command,
    below: &Line<'_>,
    before: &str,
) -> Option<(String, Command)> {
    let end = command.2;
    let whole = format!("{} {}", &text[..end], below.text);
    let longer = located(&whole, true, before).filter(|longer| longer.2 > end + 1)?;
    let taken: Vec<&str> = whole[end + 1..longer.2].split_whitespace().collect();
    let is_whole = !whole[longer.2..].contains(char::is_alphanumeric);
    let numbers = command
        .0
        .as_ref()
        .map_or([None; 2], |fields| fields.numbers);
    let is_part = match (taken.as_slice(), numbers) {
        (["moves", ..], _) => true,
        _ if text[..end].trim_end().ends_with("moves") => true,
        // A square alone may be a move, and a number alone may count the positions.
        ([one], [clock, None]) => {
            is_whole && !is_square(one) && (clock.is_some() || number(one).is_none())
        }
        ([one], _) => is_whole && one.len() > 2,
        ([_, _], [_, None]) => is_whole,
        (_, [_, last]) => last.is_none(),
    };
    is_part.then_some((whole, longer))
}

/// Finds the first word that was meant for a FEN, and tells what is wrong in it.
pub(crate) fn faulty(lines: &[Line<'_>]) -> Option<Problem> {
    let is_meant = |word: &&str| {
        let is_sign = |c: char| c.is_ascii_alphanumeric() || "/+~[]-".contains(c);
        word.matches('/').count() >= LEAST_RANKS && word.chars().all(is_sign)
    };
    lines.iter().find_map(|line| {
        let word = line.text.split_whitespace().find(is_meant)?;
        let start = word.as_ptr() as usize - line.text.as_ptr() as usize;
        let game = if word.matches('/').count() >= 8 {
            &games::SHOGI
        } else {
            &games::CHESS
        };
        let variant = Variant::new(game, &[]).ok()?;
        let error = Setup::from_fen(&variant, word).err()?;
        let place = Places::of(line).of_bytes(start, start + word.len());
        let error = format!("this is no position of {}: {error}", game.name);
        Some(Problem::error(place, error))
    })
}

/// The fewest `/` of a word that was meant for a FEN.
const LEAST_RANKS: usize = 5;

/// The bytes of the first character.
fn step(text: &str) -> usize {
    text.chars().next().map_or(1, char::len_utf8)
}

/// Finds the places of bytes in a line, from the left to the right.
struct Places<'l> {
    line: &'l Line<'l>,
    byte: usize,
    column: usize,
}

impl<'l> Places<'l> {
    fn of(line: &'l Line<'_>) -> Places<'l> {
        Places {
            line,
            byte: 0,
            column: line.column,
        }
    }

    /// Returns the place of these bytes; none before the last ones is asked for.
    fn of_bytes(&mut self, start: usize, end: usize) -> TextPlace {
        if start < self.byte {
            (self.byte, self.column) = (0, self.line.column);
        }
        self.column += self.line.text[self.byte..start].chars().count();
        self.byte = start;
        let width = self.line.text[start..end].chars().count();
        TextPlace::new(self.line.number, self.column).wide(width.max(1))
    }
}

fn ends_word(before: &str) -> bool {
    !before.ends_with(char::is_alphanumeric)
}

/// Returns true if a board may begin at this byte: no word or number goes on there.
fn is_start(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '/' | '+' | '~' | '-' | '_' | '%'))
}

fn is_word_start(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .next_back()
        .is_none_or(char::is_whitespace)
}

/// Reads the board in the address of an analysis board or of a picture.
fn in_address(word: &str) -> Option<Fields> {
    let is_address = word.contains("://") || word.starts_with("www.");
    if !is_address && !word.contains(['%', '_']) {
        return None;
    }
    let decoded = decoded(word);
    let text = decoded.as_ref();
    let starts = text.char_indices().map(|(at, _)| at);
    let mut starts = starts.filter(|at| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(|c| matches!(c, '/' | '=' | ':' | '"' | '\'' | '(' | '<' | ' '))
    });
    starts.find_map(|at| Fields::read(&text[at..], true).filter(Fields::has_letters))
}

/// Decodes the percent signs of an address, and its blanks.
fn decoded(word: &str) -> Cow<'_, str> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = |at: usize| {
            behind
                .get(at)
                .and_then(|byte| char::from(*byte).to_digit(16))
        };
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                rest = &behind[2..];
            }
            (b'_', ..) => {
                bytes.push(b' ');
                rest = behind;
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// A command to an engine: its position, and the bytes where its moves begin and where it ends.
type Command = (Option<Fields>, usize, usize);

/// Reads `position fen …`, `position sfen …` and `position startpos`, with their moves. The start
/// has no fields.
fn command(text: &str, is_at_word: bool) -> Option<Command> {
    if !is_at_word {
        return None;
    }
    let position = after(text, "position");
    let start = position.unwrap_or(0);
    let rest = &text[start..];
    let (fields, end) = if let Some(end) = after(rest, "startpos") {
        (None, start + end)
    } else {
        position?;
        let sfen = after(rest, "sfen");
        let skip = sfen.or_else(|| after(rest, "fen"))?;
        let fields = Fields::read(&rest[skip..], false)?;
        let end = start + skip + fields.end;
        (Some(fields), end)
    };
    match moves_behind(text, end) {
        Some((moves, end)) => Some((fields, moves, end)),
        None => position.map(|_| (fields, end, end)),
    }
}

/// Returns the bytes behind a word and the blanks that follow it, if a text begins with it.
fn after(text: &str, word: &str) -> Option<usize> {
    let head = text.get(..word.len())?;
    let ends = text[word.len()..].chars().next();
    (head.eq_ignore_ascii_case(word) && ends.is_none_or(char::is_whitespace))
        .then(|| word.len() + blanks(&text[word.len()..]))
}

/// Returns the bytes where the moves behind a position begin and where they end: `moves e2e4 e7e5`.
/// A null move is one, and so is a move in another notation, so that none is lost.
fn moves_behind(text: &str, end: usize) -> Option<(usize, usize)> {
    let behind = end + blanks(&text[end..]);
    let start = behind + after(&text[behind..], "moves")?;
    let mut end = start;
    while let Some(word) = text[end..].split(char::is_whitespace).next()
        && is_like_move(word)
    {
        end += word.len();
        end += blanks(&text[end..]);
    }
    Some((start, end.min(text.trim_end().len()).max(start)))
}

fn is_like_move(word: &str) -> bool {
    word == "0000" || is_of_program(&word.to_ascii_lowercase()) || word.parse::<MoveText>().is_ok()
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns true for a move as programs write it: `e2e4`, `7g7f+`, `P*5e`.
fn is_of_program(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |square: &[u8]| {
        matches!(
            square,
            [b'a'..=b'i', b'1'..=b'9'] | [b'1'..=b'9', b'a'..=b'i']
        )
    };
    match bytes {
        [piece, b'*' | b'@', square @ ..] => piece.is_ascii_alphabetic() && is_square(square),
        [from @ .., _] if from.len() == 4 => is_square(&from[..2]) && is_square(&from[2..]),
        _ => bytes.len() == 4 && is_square(&bytes[..2]) && is_square(&bytes[2..]),
    }
}

/// Returns true for a line with nothing but such moves.
fn is_row_of_program(line: &Line<'_>) -> bool {
    !line.is_blank() && line.text.split_whitespace().all(is_of_program)
}

/// Makes the entries of the moves, separated by blanks. `place` is told the bytes of each.
fn entries(
    moves: &str,
    author: Author,
    mut place: impl FnMut(usize, usize) -> TextPlace,
) -> Vec<MoveEntry> {
    let start = moves.as_ptr() as usize;
    let entry = |word: &str| {
        let at = word.as_ptr() as usize - start;
        let small = word.to_ascii_lowercase();
        let is_pair = !is_of_program(word) && is_of_program(&small);
        MoveEntry {
            text: word.to_owned(),
            place: place(at, at + word.len()),
            author,
            number: None,
            is_aside: false,
            tail: String::new(),
            parsed: if is_pair {
                small.parse()
            } else {
                word.parse::<MoveText>()
            },
        }
    };
    moves.split_whitespace().map(entry).collect()
}

/// Reads a board: as many ranks as each has squares, eight or nine. Returns it with its bytes.
fn board(text: &str, width: u8) -> Option<(String, usize)> {
    let bytes = text.as_bytes();
    let (mut fen, mut at) = (String::new(), 0);
    for rank in 0..width {
        if rank > 0 {
            if bytes.get(at) != Some(&b'/') {
                return None;
            }
            fen.push('/');
            at += 1;
        }
        let mut files = 0;
        while files < width {
            let sign = char::from(*bytes.get(at)?);
            match sign {
                '1'..='9' => files += bytes[at] - b'0',
                '+' if width == 9 => {
                    Role::from_letter(char::from(*bytes.get(at + 1)?))?.promoted()?;
                }
                _ => {
                    Role::from_letter(sign)?;
                    files += 1;
                }
            }
            fen.push(sign);
            at += 1;
            // A piece that was a pawn, in crazyhouse.
            at += usize::from(bytes.get(at) == Some(&b'~'));
        }
        if files > width {
            return None;
        }
    }
    Some((fen, at))
}

/// The longest reserve that is read, in bytes.
const LONGEST_RESERVE: usize = 90;

impl Fields {
    /// Reads a FEN or SFEN at the start of a text. In an address, a plus is a blank.
    fn read(text: &str, is_in_address: bool) -> Option<Fields> {
        let (width, (board, end)) = [8, 9]
            .into_iter()
            .find_map(|width| Some((width, board(text, width)?)))?;
        let mut fields = Fields {
            width,
            board,
            castling: "-".to_owned(),
            end,
            ..Fields::default()
        };
        fields.take_reserves(text)?;
        let next = text[fields.end..].chars().next();
        if next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '_')) {
            return None;
        }
        let tokens = tokens(text, fields.end, is_in_address);
        fields.take_fields(&tokens);
        Some(fields)
    }

    /// Returns true if there is more than an empty board, which may be numbers of another kind.
    fn has_letters(&self) -> bool {
        self.board.contains(|c: char| c.is_ascii_alphabetic())
            || self.reserves.is_some()
            || self.turn.is_some()
    }

    /// Reads `[Qp]` or `/Qp` behind the board.
    fn take_reserves(&mut self, text: &str) -> Option<()> {
        let rest = &text[self.end..];
        let gap = blanks(rest);
        if let Some(inside) = rest[gap..].strip_prefix('[') {
            let most = inside.bytes().take(LONGEST_RESERVE);
            let held = most.take_while(|byte| *byte != b']').count();
            let is_held = |byte: u8| matches!(byte, b'-' | b' ') || byte.is_ascii_alphabetic();
            if inside.as_bytes().get(held) == Some(&b']')
                && inside.bytes().take(held).all(is_held)
                && !(gap > 0 && held == 0)
            {
                let letters = inside[..held].replace(['-', ' '], "");
                self.reserves = Some(letters);
                self.end += gap + held + 2;
            }
        } else if let Some(held) = rest.strip_prefix('/') {
            let letters = held.bytes().take(LONGEST_RESERVE);
            let letters = letters.take_while(u8::is_ascii_alphabetic).count();
            let is_piece = |c: char| Role::from_letter(c).is_some();
            if !held[..letters].chars().all(is_piece) {
                return None;
            }
            self.reserves = Some(held[..letters].to_owned());
            self.end += 1 + letters;
        }
        Some(())
    }

    /// Takes the fields behind the board, as far as they are some.
    fn take_fields(&mut self, tokens: &[(&str, usize)]) {
        let text = |at: usize| tokens.get(at).map(|(token, _)| *token);
        let Some(side) = text(0).filter(|side| matches!(*side, "w" | "b" | "W" | "B")) else {
            return;
        };
        let is_first = side.eq_ignore_ascii_case("w");
        let is_dash = |at: usize| text(at) == Some("-");
        self.is_sfen = self.width == 9 && self.reserves.is_none() && !(is_dash(1) && is_dash(2));
        let turn = if is_first { Color::White } else { Color::Black };
        self.turn = Some(if self.is_sfen { !turn } else { turn });
        let mut taken = 1;
        if self.is_sfen {
            if let Some(held) = text(1).and_then(hands) {
                self.reserves = Some(held);
                taken += 1;
                let number = text(2).and_then(number);
                taken += usize::from(number.is_some());
                self.numbers[1] = number;
            }
        } else {
            let is_square_or_dash = |token: &str| token == "-" || is_square(token);
            let is_right = |c: char| "KQkq".contains(c);
            let castling = text(1).filter(|token| {
                let is_old = |c: char| matches!(c.to_ascii_uppercase(), 'A'..='H');
                let has_next = || text(2).is_some_and(is_square_or_dash);
                *token == "-"
                    || token.chars().all(is_right)
                    || token.chars().all(|c| is_right(c) || is_old(c)) && has_next()
            });
            if let Some(castling) = castling {
                castling.clone_into(&mut self.castling);
                taken += 1;
                let is_next_number = text(3).and_then(number).is_some();
                let passed = text(2).filter(|token| {
                    let is_usual = token.ends_with(['3', '6']);
                    *token == "-" || is_square(token) && (is_usual || is_next_number)
                });
                if let Some(passed) = passed {
                    self.en_passant = Some(passed.to_owned()).filter(|passed| passed != "-");
                    taken += 1;
                }
            }
            for count in &mut self.numbers {
                *count = text(taken).and_then(number);
                taken += usize::from(count.is_some());
            }
            if self.numbers[1].is_some()
                && let Some(memory) = text(taken).filter(|token| is_memory(token))
            {
                self.memory = Some(memory.to_owned());
                taken += 1;
            }
        }
        self.end = tokens[taken - 1].1;
    }

    /// Makes the setup by these rules. Returns what was left out, too.
    fn setup(&self, variant: &Variant) -> Result<(Setup, Vec<String>), String> {
        let rules = variant.rules();
        let mut left_out = Vec::new();
        let mut castling = String::new();
        for letter in self.castling.chars().filter(|letter| *letter != '-') {
            let known = match letter {
                'K' | 'Q' | 'k' | 'q' => letter,
                // The files of the rooks, as Shredder writes them.
                'H' | 'A' | 'h' | 'a' if !rules.has_reserve() => match letter {
                    'H' => 'K',
                    'A' => 'Q',
                    'h' => 'k',
                    _ => 'q',
                },
                'E' | 'A' | 'H' | 'e' | 'a' | 'h' if rules.has_reserve() => letter,
                _ => '?',
            };
            if known == '?' || !rules.castling {
                left_out.push(format!("'{letter}' is no right to castle in this game"));
            } else {
                castling.push(known);
            }
        }
        if castling.is_empty() {
            castling.push('-');
        }
        let memory = self.memory.as_deref().unwrap_or_default();
        let fen = format!(
            "{}[{}] {} {castling} {} {} {} {memory}",
            self.board,
            self.reserves.as_deref().unwrap_or_default(),
            self.turn.unwrap_or(Color::White).letter(),
            self.en_passant.as_deref().unwrap_or("-"),
            self.numbers[0].unwrap_or(0),
            match self.numbers[1] {
                // SFEN counts half-moves.
                Some(number) if self.is_sfen => number.div_ceil(2),
                number => number.unwrap_or(1),
            },
        );
        let setup = Setup::from_fen(variant, &fen).map_err(|error| error.to_string())?;
        Ok((setup, left_out))
    }
}

/// The tokens behind a board, each with the byte behind it; no more than a FEN has fields.
fn tokens(text: &str, from: usize, is_in_address: bool) -> Vec<(&str, usize)> {
    let is_blank = |c: char| c.is_whitespace() || is_in_address && c == '+';
    let ends = |c: char| is_blank(c) || "[]\"'<>();&#?|*`".contains(c);
    let mut tokens = Vec::new();
    let mut at = from;
    while tokens.len() < 6 {
        let rest = &text[at..];
        let start = rest.len() - rest.trim_start_matches(is_blank).len();
        let token = &rest[start..];
        let length = token.find(ends).unwrap_or(token.len());
        // A comma or a full stop ends a sentence.
        let token = token[..length].trim_end_matches([',', '.', ':', '!']);
        if start == 0 || token.is_empty() {
            break;
        }
        at += start + token.len();
        tokens.push((token, at));
    }
    tokens
}

fn is_square(token: &str) -> bool {
    matches!(token.as_bytes(), [b'a'..=b'i', b'1'..=b'9'])
}

/// Reads a number of moves. Zero is one that programs write.
fn number(token: &str) -> Option<u32> {
    let is_number = token.len() <= 6 && token.bytes().all(|byte| byte.is_ascii_digit());
    token
        .parse()
        .ok()
        .filter(|number| is_number && *number <= 100_000)
}

/// Returns true for the field of earlier drops, `B-dark,b-none,e2`.
fn is_memory(token: &str) -> bool {
    let is_item = |item: &str| {
        is_square(item)
            || matches!(
                item.split_once('-'),
                Some(("B" | "b", "none" | "dark" | "light" | "both"))
            )
    };
    token == "-" || token.split(',').all(is_item)
}

/// Reads the hands of SFEN, `R2b3p`, as letters.
fn hands(token: &str) -> Option<String> {
    let mut held = String::new();
    let mut count = 0;
    if token == "-" {
        return Some(held);
    }
    for c in token.chars() {
        if let Some(digit) = c.to_digit(10) {
            count = count * 10 + digit as usize;
        } else {
            Role::from_letter(c)?;
            held.extend(std::iter::repeat_n(c, count.max(1)));
            count = 0;
        }
        if count > 18 || held.len() > LONGEST_RESERVE {
            return None;
        }
    }
    (count == 0).then_some(held)
}

impl<'t> Reader<'t> {
    /// Returns the line below one, if it is of the same author and not yet read.
    fn below(&self, at: usize) -> Option<&'t Line<'t>> {
        let below = self.lines.get(at + 1)?;
        let is_free = !self.taken[at + 1] && below.author == self.lines[at].author;
        is_free.then_some(below)
    }

    /// Makes the position of some fields, or of the start of a game where there are none.
    fn located(
        &self,
        at: usize,
        place: TextPlace,
        author: Author,
        fields: Option<&Fields>,
        moves: Vec<MoveEntry>,
    ) -> Result<LocatedPosition, Problem> {
        let refused = |error: String| Problem::error(place, error);
        let mut position = LocatedPosition::new(at..at + 1, place, author, Form::Fen);
        position.moves = moves;
        let Some(fields) = fields else {
            let first = position.moves.first().map(|entry| entry.text.as_str());
            let is_shogi = first.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
            let game = if is_shogi {
                &games::SHOGI
            } else {
                &games::CHESS
            };
            position.variant = self.variant_or(game);
            position.setup = Setup::start(&position.variant);
            position.turn = Some(position.setup.turn);
            return Ok(position);
        };
        let held = fields.reserves.as_deref();
        let has_kings = held.is_some_and(|held| held.contains(['K', 'k']));
        let game = match (fields.width, held) {
            (9, _) if has_kings => &games::UNASHOGI,
            (9, _) => &games::SHOGI,
            (_, Some(_)) => &games::UNACHESS,
            _ => &games::CHESS,
        };
        position.variant = self.variant(fields.width, game).map_err(refused)?;
        let (setup, left_out) = fields.setup(&position.variant).map_err(refused)?;
        let warning = |text| Problem::warning(place, format!("{text}: it is left out"));
        position.warnings = left_out.into_iter().map(warning).collect();
        position.setup = setup;
        position.turn = fields.turn;
        position.has_reserves = fields.reserves.is_some() || fields.turn.is_some();
        Ok(position)
    }
}
