//! One line of a list in Japanese signs: moves as KIF and KI2 write them, the words that end a
//! match, and the lines around them.

use crate::notation::diagnostic::TextPlace;
use crate::notation::diagram::hand::{mark, side};
use crate::rules::Color;

/// A square: the file from Sente's right, the rank from the top, both from 1.
pub(super) type KifSquare = (u8, u8);

/// A line of a list.
pub(super) enum Row<'a> {
    /// Moves. They are told apart by their origins (`is_sourced`), or stand alone in their line.
    Moves {
        tokens: Vec<Token<'a>>,
        is_sourced: bool,
    },
    /// `変化：3手`: another line of play begins below.
    Branch,
    /// `まで83手で先手の勝ち`: the end, and the words behind the first.
    Until(&'a str),
    /// `手数＝8 △３三角成 まで`: the half-moves before a board.
    Count(&'a str),
    /// `後手番`: who moves.
    Turn(Color),
    /// `棋戦：竜王戦`: a key and what stands behind it.
    Header(&'a str, &'a str),
    /// A comment, a board, a blank line.
    Passed,
    /// Other words, and true if a move stands among them.
    Other(bool),
}

/// A move or an end, as it is written.
pub(super) struct Token<'a> {
    pub(super) number: Option<u32>,
    /// The player whom a sign such as `▲` names.
    pub(super) mark: Option<Color>,
    pub(super) kind: TokenKind<'a>,
    /// The text behind the number, and its place: the line, the columns counted from the
    /// beginning of the text.
    pub(super) text: &'a str,
    pub(super) column: usize,
}

pub(super) enum TokenKind<'a> {
    Move(KifMove<'a>),
    End(Ending),
}

/// A move, not yet of any position.
pub(super) struct KifMove<'a> {
    /// The target; none for `同`, the target of the move before it.
    pub(super) to: Option<KifSquare>,
    /// The piece in our notation, `+S` for `成銀`.
    pub(super) piece: &'static str,
    pub(super) from: Option<KifSquare>,
    pub(super) is_drop: bool,
    pub(super) promotes: bool,
    /// The signs such as `右` that tell pieces of a kind apart.
    pub(super) signs: &'a str,
}

/// The meaning of a word at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The player to move wins.
    Wins,
    /// The player to move loses.
    Loses,
    Draw,
    /// It ends without a result.
    Open,
}

/// The words that take the place of a move.
const ENDINGS: [(&str, Ending); 19] = [
    ("投了", Ending::Loses),
    ("詰み", Ending::Loses),
    ("詰", Ending::Loses),
    ("切れ負け", Ending::Loses),
    ("時間切れ", Ending::Loses),
    ("反則負け", Ending::Loses),
    ("不戦敗", Ending::Loses),
    ("反則勝ち", Ending::Wins),
    ("入玉勝ち", Ending::Wins),
    ("入玉宣言", Ending::Wins),
    ("勝ち宣言", Ending::Wins),
    ("不戦勝", Ending::Wins),
    ("千日手", Ending::Draw),
    ("持将棋", Ending::Draw),
    ("引き分け", Ending::Draw),
    ("引分", Ending::Draw),
    ("中断", Ending::Open),
    ("封じ手", Ending::Open),
    ("不詰", Ending::Open),
];

/// The pieces, the longer names first, and of those for one piece the usual one.
pub(super) const PIECES: [(&str, &str); 20] = [
    ("成銀", "+S"),
    ("成桂", "+N"),
    ("成香", "+L"),
    ("全", "+S"),
    ("圭", "+N"),
    ("杏", "+L"),
    ("龍", "+R"),
    ("竜", "+R"),
    ("馬", "+B"),
    ("と", "+P"),
    ("玉", "K"),
    ("王", "K"),
    ("飛", "R"),
    ("角", "B"),
    ("金", "G"),
    ("銀", "S"),
    ("桂", "N"),
    ("香", "L"),
    ("歩", "P"),
    ("兵", "P"),
];

/// The ranks of a square, from the top.
const RANKS: &str = "一二三四五六七八九";

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Reads a digit from 1, wide or not.
fn digit(sign: char) -> Option<u8> {
    let value = match sign {
        '１'..='９' => u32::from(sign) - u32::from('０'),
        sign => sign.to_digit(10)?,
    };
    u8::try_from(value).ok().filter(|value| *value > 0)
}

fn is_digit(sign: char) -> bool {
    matches!(sign, '0'..='9' | '０'..='９')
}

/// Reads the number of a rank, in any signs.
fn rank(sign: char) -> Option<u8> {
    let at = RANKS.chars().position(|rank| rank == sign);
    at.and_then(|at| u8::try_from(at + 1).ok())
        .or_else(|| digit(sign))
}

/// The longest key of a header, in characters.
const LONGEST_KEY: usize = 12;

impl<'a> Row<'a> {
    /// Reads the text of a line.
    pub(super) fn read(line: &'a str) -> Row<'a> {
        let text = line.trim_matches(is_blank);
        let Some(first) = text.chars().next() else {
            return Row::Passed;
        };
        if "*#&|＊＃".contains(first) || text.chars().all(|c| "+-|".contains(c)) {
            return Row::Passed;
        }
        if text.starts_with("変化") {
            return Row::Branch;
        }
        if let Some(rest) = text.strip_prefix("まで") {
            return Row::Until(rest);
        }
        if let Some(rest) = text.strip_prefix("手数") {
            return match rest.strip_prefix(['＝', '=']) {
                Some(rest) => Row::Count(rest),
                None => Row::Header("手数", rest),
            };
        }
        if let Some((color, "番")) = side(text) {
            return Row::Turn(color);
        }
        if text.chars().all(|c| is_digit(c) || is_blank(c)) {
            return Row::Passed;
        }
        if let Some(row) = moves(line, text) {
            return row;
        }
        match text.split_once(['：', ':']) {
            Some((key, value)) if key.chars().count() <= LONGEST_KEY && !key.contains(' ') => {
                Row::Header(key.trim_end_matches(is_blank), value.trim_matches(is_blank))
            }
            _ => Row::Other(mentions_move(text)),
        }
    }
}

impl Row<'_> {
    /// Reads the move in words such as `▲７六歩 まで`: its player, and where it went.
    pub(super) fn last_move(text: &str) -> Option<(Option<Color>, Option<KifSquare>)> {
        let (text, column) = (text.trim_start_matches(is_blank), 0);
        let token = Cursor {
            text,
            at: 0,
            column,
        }
        .read()?;
        match token.kind {
            TokenKind::Move(found) => Some((token.mark, found.to)),
            TokenKind::End(_) => None,
        }
    }
}

/// Reads a line that begins with a move, or is the word of an end alone.
fn moves<'a>(line: &'a str, text: &'a str) -> Option<Row<'a>> {
    let mut cursor = Cursor {
        text: line,
        at: 0,
        column: 0,
    };
    cursor.skip(is_blank);
    if let Some((_, ending)) = ENDINGS.iter().find(|(word, _)| *word == text) {
        let token = cursor.token(
            None,
            None,
            TokenKind::End(*ending),
            cursor.at,
            cursor.column,
        );
        return Some(Row::Moves {
            tokens: vec![token],
            is_sourced: true,
        });
    }
    let first = cursor.read()?;
    let is_sourced = first.is_sourced();
    let mut tokens = vec![first];
    loop {
        cursor.skip(|c| is_blank(c) || c == '+');
        if cursor.rest().starts_with(['(', '（']) {
            // The time that the move took.
            if let Some(end) = cursor.rest().find([')', '）']) {
                let end = cursor.at + end;
                cursor.skip_to(end);
                cursor.take();
                continue;
            }
        }
        match cursor.read() {
            Some(token) if token.is_sourced() || !is_sourced => tokens.push(token),
            // `△８四歩 投了`
            None if !(cursor.rest().is_empty()
                || is_sourced
                || cursor.rest().starts_with("まで")) =>
            {
                let (start, column) = (cursor.at, cursor.column);
                let Some(ending) = cursor.one_of(&ENDINGS) else {
                    return Some(Row::Other(true));
                };
                tokens.push(cursor.token(None, None, TokenKind::End(ending), start, column));
            }
            Some(_) | None => break,
        }
    }
    Some(Row::Moves { tokens, is_sourced })
}

/// Returns true if a move with the sign of a player stands anywhere in a text.
fn mentions_move(text: &str) -> bool {
    let signs = text.char_indices().filter(|(_, c)| mark(*c).is_some());
    signs.into_iter().any(|(at, _)| {
        let (text, column) = (&text[at..], 0);
        Cursor {
            text,
            at: 0,
            column,
        }
        .read()
        .is_some()
    })
}

impl Token<'_> {
    /// Returns true if it says itself what it means, in whatever position it stands, and has a
    /// number, as in KIF.
    fn is_sourced(&self) -> bool {
        self.number.is_some()
            && match &self.kind {
                TokenKind::Move(found) => found.is_drop || found.from.is_some(),
                TokenKind::End(_) => true,
            }
    }

    /// Returns its place in a line whose text begins at a column.
    pub(super) fn place(&self, line: usize, column: usize) -> TextPlace {
        TextPlace::new(line, column + self.column).wide(self.text.chars().count())
    }
}

/// A place in a line.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The number of characters before it.
    column: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        self.column += 1;
        Some(next)
    }

    /// Takes the next character if it means anything to `read`.
    fn take_as<T>(&mut self, read: impl Fn(char) -> Option<T>) -> Option<T> {
        let found = read(self.rest().chars().next()?)?;
        self.take();
        Some(found)
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        while self.take_as(|c| skipped(c).then_some(())).is_some() {}
    }

    fn skip_to(&mut self, end: usize) {
        while self.at < end && self.take().is_some() {}
    }

    /// Takes a word if it comes next.
    fn eat(&mut self, word: &str) -> bool {
        let is_next = self.rest().starts_with(word);
        if is_next {
            self.skip_to(self.at + word.len());
        }
        is_next
    }

    /// Takes the first word of a table that comes next.
    fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table
            .iter()
            .find_map(|(word, means)| self.eat(word).then_some(*means))
    }

    /// Reads a move or an end, with its number or its sign. Stays where it is if there is none.
    fn read(&mut self) -> Option<Token<'a>> {
        let mut cursor = *self;
        let number = cursor.number();
        let (start, column) = (cursor.at, cursor.column);
        let mark = cursor.take_as(mark);
        if number.is_none() && mark.is_none() {
            return None;
        }
        cursor.skip(is_blank);
        let kind = match cursor.one_of(&ENDINGS) {
            Some(ending) => TokenKind::End(ending),
            None => TokenKind::Move(cursor.read_move()?),
        };
        *self = cursor;
        Some(self.token(number, mark, kind, start, column))
    }

    fn token(
        &self,
        number: Option<u32>,
        mark: Option<Color>,
        kind: TokenKind<'a>,
        start: usize,
        column: usize,
    ) -> Token<'a> {
        let end = if self.at > start {
            self.at
        } else {
            self.text.len()
        };
        let text = self.text[start..end].trim_end_matches(is_blank);
        Token {
            number,
            mark,
            kind,
            text,
            column,
        }
    }

    /// Reads the number of a half-move, with what separates it from the move.
    fn number(&mut self) -> Option<u32> {
        let mut cursor = *self;
        let is_wide = !cursor.rest().starts_with(|c: char| c.is_ascii_digit());
        cursor.skip(|c| is_digit(c) && c.is_ascii() != is_wide);
        let digits = &self.rest()[..cursor.at - self.at];
        let mut value: u32 = 0;
        for digit in digits.chars() {
            let digit = digit
                .to_digit(10)
                .or_else(|| u32::from(digit).checked_sub(u32::from('０')))?;
            value = value.checked_mul(10)?.checked_add(digit)?;
        }
        let is_end =
            |c: char| is_blank(c) || ".．、:：)）手".contains(c) || c == '同' || mark(c).is_some();
        let is_number = cursor.rest().starts_with(|c: char| {
            is_end(c)
                || !is_wide && is_digit(c)
                || ENDINGS.iter().any(|(word, _)| word.starts_with(c))
        });
        if digits.is_empty() || !is_number {
            return None;
        }
        let _ = cursor.eat("手目");
        cursor.skip(|c| is_blank(c) || ".．、:：)）".contains(c));
        *self = cursor;
        Some(value)
    }

    fn square(&mut self) -> Option<KifSquare> {
        Some((self.take_as(digit)?, self.take_as(rank)?))
    }

    fn read_move(&mut self) -> Option<KifMove<'a>> {
        let to = if self.eat("同") {
            self.skip(is_blank);
            None
        } else {
            Some(self.square()?)
        };
        let piece = self.one_of(&PIECES.map(|(name, letters)| (name, letters)))?;
        let start = self.at;
        self.skip(|c| "右左直上引寄行入跳".contains(c));
        let signs = &self.text[start..self.at];
        let stays = self.eat("不成") || self.eat("生");
        let promotes = !stays && self.eat("成");
        let is_drop = self.eat("打");
        let from = self.origin();
        Some(KifMove {
            to,
            piece,
            from,
            is_drop,
            promotes,
            signs,
        })
    }

    /// Reads `(77)`.
    fn origin(&mut self) -> Option<KifSquare> {
        let mut cursor = *self;
        cursor.take_as(|c| matches!(c, '(' | '（').then_some(()))?;
        let from = (cursor.take_as(digit)?, cursor.take_as(digit)?);
        cursor.take_as(|c| matches!(c, ')' | '）').then_some(()))?;
        *self = cursor;
        Some(from)
    }
}
