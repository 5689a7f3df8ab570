//! Reads boards as other programs print them: rows of FICS and of python-chess become rows that
//! the reader of diagrams knows, CSA's `P1` to `P9` are read here, and so are the hands beside a
//! board of shogi.

use std::borrow::Cow;
use std::ops::Range;

use crate::mail::quoting::line::Line;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::diagram::{self, LocatedDiagram};
use crate::notation::positions::{Form, LocatedPosition, Reader};
use crate::notation::restored::unescaped;
use crate::rules::{Color, Reserve, Role, Setup, Square, games};

/// The longest row of a board that is read, in bytes.
const LONGEST: usize = 400;

/// Returns a row as the reader of diagrams knows it, if that is another than the text. `*R` of
/// FICS is a small letter, and what it writes beside the board is no reserve; the large circle of
/// python-chess is an empty square.
fn plain(text: &str) -> Cow<'_, str> {
    let text = match unescaped(text) {
        Cow::Owned(text) => return Cow::Owned(plain(&text).into_owned()),
        Cow::Borrowed(text) => text,
    };
    if text.len() > LONGEST {
        return Cow::Borrowed(text);
    }
    if text.contains('⭘') {
        return Cow::Owned(text.replace('⭘', "."));
    }
    let Some(end) = text.rfind('|').filter(|_| text.matches('|').count() >= 9) else {
        return Cow::Borrowed(text);
    };
    let (row, beside) = text.split_at(end + 1);
    let is_of_fics = ["Move #", "Moves :", "Clock :", "Strength :", "Material :"];
    let row = if is_of_fics.iter().any(|sign| beside.contains(sign)) {
        row
    } else {
        text
    };
    let mut plain = String::with_capacity(row.len());
    let mut signs = row.chars().peekable();
    while let Some(sign) = signs.next() {
        match signs.peek() {
            Some(piece) if sign == '*' && piece.is_ascii_uppercase() => {
                plain.push(' ');
                plain.push(piece.to_ascii_lowercase());
                signs.next();
            }
            _ => plain.push(sign),
        }
    }
    if plain == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(plain)
    }
}

/// Reads the diagrams of a text. Without a name of a game, a board of nine ranks is one of shogi.
pub(super) fn diagrams(reader: &Reader<'_>, found: &mut Vec<Result<LocatedPosition, Problem>>) {
    let texts: Vec<Cow<'_, str>> = reader.lines.iter().map(|line| plain(line.text)).collect();
    let lines = reader.lines.iter().zip(&texts);
    let lines: Vec<Line<'_>> = lines
        .map(|(line, text)| Line {
            text,
            ..line.clone()
        })
        .collect();
    let mut taken = reader.taken.clone();
    let mut bad = Vec::new();
    for (range, drawn) in diagram::read::find(&lines, &taken, reader.section, false) {
        match drawn {
            Ok(drawn) => found.push(Ok(reader.drawn(range, &drawn))),
            Err(error) => bad.push((range, error)),
        }
    }
    if !reader.is_named {
        for position in found.iter().flatten() {
            taken[position.lines.clone()].fill(true);
        }
        let shogi = reader.variant_or(&games::SHOGI);
        for (range, drawn) in diagram::read::find(&lines, &taken, &shogi, false) {
            // What is wrong in a Japanese board is not told by the rules of a board of eight.
            let has_kanji =
                |line: &Line<'_>| line.text.chars().any(|c| diagram::kanji(c).is_some());
            let is_japanese = || lines[range.clone()].iter().any(has_kanji);
            if drawn.is_err() && !is_japanese() {
                continue;
            }
            bad.retain(|(other, _)| other.end <= range.start || range.end <= other.start);
            match drawn {
                Ok(drawn) => found.push(Ok(reader.drawn(range, &drawn))),
                Err(error) => bad.push((range, error)),
            }
        }
    }
    let faults = bad.into_iter();
    found.extend(faults.map(|(_, error)| Err(Problem::error(error.place, error))));
}

impl Reader<'_> {
    /// Makes the position of a diagram.
    fn drawn(&self, range: Range<usize>, drawn: &LocatedDiagram) -> LocatedPosition {
        let mut position =
            LocatedPosition::new(range.clone(), drawn.place, drawn.author, Form::Board);
        position.variant = drawn.diagram.variant().clone();
        let reserves = drawn.diagram.reserves();
        position.has_reserves = reserves.is_some();
        position.setup = Setup {
            board: drawn.diagram.board().clone(),
            reserves: reserves.unwrap_or_default(),
            unmoved: Vec::new(),
            ..Setup::start(&position.variant)
        };
        let width = position.setup.board.width();
        if width == 9
            && reserves.is_none()
            && let Some((lines, reserves)) = hands(self, &range)
        {
            position.lines = lines;
            position.setup.reserves = reserves;
            position.has_reserves = true;
        }
        position.is_of_eight = width == 8 && !self.is_named && reserves.is_none();
        if !drawn.tells_side && position.has_kings_across() {
            let note = Problem::note(drawn.place, UPSIDE_DOWN);
            position.warnings.push(note);
        }
        let row = |at: usize| self.lines.get(at).map_or("", |line| line.text);
        position.turn = range.clone().find_map(|at| turn_of_fics(row(at)));
        position
    }
}

const UPSIDE_DOWN: &str = "each king stands on the other side's home row, so this diagram may be upside down: \
     White's side is below where the edges do not tell another; if it is seen from Black's side, write the letters of the files, h to a, below it";

/// Reads whose turn it is beside a board of FICS: `Move # : 1 (White)`.
fn turn_of_fics(text: &str) -> Option<Color> {
    let (_, behind) = text.split_once("Move #")?;
    if behind.contains("(White)") {
        Some(Color::White)
    } else {
        behind.contains("(Black)").then_some(Color::Black)
    }
}

/// Reads the hands above and below a board of shogi: `後手の持駒：　角二`, or ` B*1 b*1` as
/// python-shogi prints them. Returns the lines of all of it, too.
fn hands(reader: &Reader<'_>, board: &Range<usize>) -> Option<(Range<usize>, [Reserve; 2])> {
    let mut lines = board.clone();
    let mut hands = [Reserve::EMPTY; 2];
    let mut is_told = false;
    let above = board.start.saturating_sub(4)..board.start;
    let below = board.end..reader.lines.len().min(board.end + 4);
    for at in above.rev().chain(below) {
        let text = reader.lines[at].text;
        if reader.taken[at] || text.len() > LONGEST {
            continue;
        }
        let told = japanese(text).or_else(|| {
            let starred = starred(text).filter(|_| at >= board.end);
            starred.map(|hands| hands.map(Some))
        });
        let Some(told) = told else {
            continue;
        };
        is_told = true;
        for (hand, told) in hands.iter_mut().zip(told) {
            *hand = told.unwrap_or(*hand);
        }
        lines = lines.start.min(at)..lines.end.max(at + 1);
    }
    is_told.then_some((lines, hands))
}

/// Reads `先手の持駒：飛　角二　歩十八`: the hand of one player.
fn japanese(text: &str) -> Option<[Option<Reserve>; 2]> {
    let (heading, held) = text.split_once('：').or_else(|| text.split_once(':'))?;
    if !heading.contains("持駒") && !heading.contains("持ち駒") {
        return None;
    }
    let has = |signs: [&str; 3]| signs.iter().any(|sign| heading.contains(sign));
    let color = if has(["先手", "下手", "▲"]) {
        Color::White
    } else if has(["後手", "上手", "△"]) {
        Color::Black
    } else {
        return None;
    };
    let mut hand = Reserve::EMPTY;
    let mut signs = held.chars().filter(|c| !c.is_whitespace()).peekable();
    while let Some(sign) = signs.next() {
        let Some(role) = diagram::kanji(sign) else {
            if "なし無".contains(sign) {
                continue;
            }
            break;
        };
        let mut count = 0;
        while let Some(digit) = signs.peek().and_then(|c| "一二三四五六七八九十".find(*c))
        {
            let value = u8::try_from(digit / "一".len() + 1).unwrap_or(1);
            count = if count == 10 { count + value } else { value };
            signs.next();
        }
        for _ in 0..count.max(1) {
            hand = hand.with(role)?;
        }
    }
    let mut hands = [None; 2];
    hands[color.index()] = Some(hand);
    Some(hands)
}

/// Reads ` B*1 b*1`.
fn starred(text: &str) -> Option<[Reserve; 2]> {
    let mut hands = [Reserve::EMPTY; 2];
    let mut words = text.split_whitespace().peekable();
    words.peek()?;
    for word in words {
        let (letter, count) = word.split_once('*')?;
        let sign = letter.chars().next().filter(|_| letter.len() == 1)?;
        let role = Role::from_letter(sign)?;
        let count: u8 = count
            .parse()
            .ok()
            .filter(|count| (1..=18).contains(count))?;
        let hand = &mut hands[Color::of_letter(sign).index()];
        for _ in 0..count {
            *hand = hand.with(role)?;
        }
    }
    Some(hands)
}

/// The pieces as CSA names them.
const CSA: [(&str, Role); 14] = [
    ("FU", Role::Pawn),
    ("KY", Role::Lance),
    ("KE", Role::Knight),
    ("GI", Role::Silver),
    ("KI", Role::Gold),
    ("KA", Role::Bishop),
    ("HI", Role::Rook),
    ("OU", Role::King),
    ("TO", Role::Tokin),
    ("NY", Role::PromotedLance),
    ("NK", Role::PromotedKnight),
    ("NG", Role::PromotedSilver),
    ("UM", Role::Horse),
    ("RY", Role::Dragon),
];

fn csa_role(name: &str) -> Option<Role> {
    CSA.iter()
        .find(|(known, _)| *known == name)
        .map(|(_, role)| *role)
}

/// Returns the square of a file from Sente's right and a rank from the top, both from 1.
fn csa_square(file: u8, rank: u8) -> Option<Square> {
    Square::new(9_u8.checked_sub(file)?, 9_u8.checked_sub(rank)?)
}

/// Reads a position in CSA that begins at a line. Returns it with the line behind it.
pub(super) fn csa(
    reader: &Reader<'_>,
    at: usize,
) -> Option<(Result<LocatedPosition, Problem>, usize)> {
    let line = &reader.lines[at];
    let text = line.text.trim_end();
    let is_setup = text
        .strip_prefix("PI")
        .is_some_and(|rest| rest.len() % 4 == 0 && rest.is_ascii());
    let is_by_pieces = text.starts_with("P+") || text.starts_with("P-");
    if !(is_setup || is_by_pieces || text.starts_with("P1")) {
        return None;
    }
    if is_by_pieces && pieces(&text[2..]).is_none_or(|pieces| pieces.is_empty()) {
        return None;
    }
    let variant = reader.variant(9, &games::SHOGI).ok()?;
    let mut setup = Setup::start(&variant);
    if !is_setup {
        setup.board = variant.empty_board();
    }
    let place = TextPlace::new(line.number, line.column).wide(text.chars().count());
    let mut position = LocatedPosition::new(at..at, place, line.author, Form::Board);
    let (mut end, mut next_rank) = (at, 1);
    for next in at..reader.lines.len().min(at + 40) {
        let text = reader.lines[next].text.trim_end();
        if reader.taken[next] || text.len() > LONGEST {
            break;
        }
        let took = if let Some(rest) = text.strip_prefix("PI") {
            removed(&mut setup, rest)
        } else if let Some(rest) = text.strip_prefix('P')
            && let Some(rank) = rest.chars().next().and_then(|c| c.to_digit(10))
        {
            next_rank += 1;
            (rank + 1 == next_rank)
                .then(|| row(&mut setup, u8::try_from(rank).ok()?, &rest[1..]))
                .flatten()
        } else if let Some(rest) = text.strip_prefix("P+") {
            placed(&mut setup, Color::White, rest)
        } else if let Some(rest) = text.strip_prefix("P-") {
            placed(&mut setup, Color::Black, rest)
        } else if text == "+" || text == "-" {
            position.turn = Some(if text == "+" {
                Color::White
            } else {
                Color::Black
            });
            end = next + 1;
            break;
        } else if text.starts_with('\'') {
            Some(())
        } else {
            break;
        };
        if took.is_none() {
            let place = TextPlace::new(reader.lines[next].number, reader.lines[next].column);
            let error = "this line of a board in CSA cannot be read";
            let error = Problem::error(place.wide(text.chars().count().max(1)), error);
            // A word that begins like a board is none.
            return (next > at).then_some((Err(error), next + 1));
        }
        end = next + 1;
    }
    // Two letters alone may be anything.
    let is_word = text == "PI" && end == at + 1;
    let has_ranks = next_rank == 10 || is_by_pieces && next_rank == 1;
    if is_word || !is_setup && !has_ranks || setup.board.pieces().next().is_none() {
        return None;
    }
    position.lines = at..end;
    position.variant = variant;
    position.setup = setup;
    position.has_reserves = true;
    Some((Ok(position), end))
}

/// Reads the squares of a rank, `-KY-KE * `.
fn row(setup: &mut Setup, rank: u8, text: &str) -> Option<()> {
    let mut rest = text;
    for file in (1..=9).rev() {
        rest = rest.trim_start();
        let square = csa_square(file, rank)?;
        if let Some(behind) = rest.strip_prefix('*') {
            rest = behind;
            setup.board.set(square, None);
            continue;
        }
        let color = match rest.as_bytes().first()? {
            b'+' => Color::White,
            b'-' => Color::Black,
            _ => return None,
        };
        let role = csa_role(rest.get(1..3)?)?;
        setup.board.set(square, Some(role.of(color)));
        rest = &rest[3..];
    }
    rest.trim().is_empty().then_some(())
}

/// Removes the pieces of a handicap, `82HI22KA`, from the start.
fn removed(setup: &mut Setup, text: &str) -> Option<()> {
    for (file, rank, _) in pieces(text)? {
        setup.board.set(csa_square(file, rank)?, None);
    }
    Some(())
}

/// Puts pieces on the board or, at `00`, into a hand; `AL` stands for all that are left.
fn placed(setup: &mut Setup, color: Color, text: &str) -> Option<()> {
    for (file, rank, role) in pieces(text)? {
        match (file, rank, role) {
            (0, 0, None) => rest_of_all(setup, color)?,
            (0, 0, Some(role)) => {
                let hand = &mut setup.reserves[color.index()];
                *hand = hand.with(role)?;
            }
            (file, rank, Some(role)) => {
                setup
                    .board
                    .set(csa_square(file, rank)?, Some(role.of(color)));
            }
            _ => return None,
        }
    }
    Some(())
}

/// Reads squares with pieces, `00FU59OU`; no piece for `AL`.
fn pieces(text: &str) -> Option<Vec<(u8, u8, Option<Role>)>> {
    if !text.is_ascii() || !text.len().is_multiple_of(4) {
        return None;
    }
    let read = |at: usize| {
        let digit = |at: usize| {
            text.as_bytes()[at]
                .checked_sub(b'0')
                .filter(|digit| *digit <= 9)
        };
        let name = &text[at + 2..at + 4];
        let role = csa_role(name);
        (role.is_some() || name == "AL").then_some((digit(at)?, digit(at + 1)?, role))
    };
    (0..text.len()).step_by(4).map(read).collect()
}

/// Gives a player every piece that stands nowhere, but no king.
fn rest_of_all(setup: &mut Setup, color: Color) -> Option<()> {
    let start = Setup::start(&super::plain(&games::SHOGI));
    let count = |setup: &Setup, role: Role| {
        let pieces = setup
            .board
            .pieces()
            .filter(|(_, piece)| piece.role.base() == role);
        pieces.count()
            + Color::ALL
                .map(|color| usize::from(setup.reserves[color.index()].count(role)))
                .iter()
                .sum::<usize>()
    };
    for role in Role::ALL
        .into_iter()
        .filter(|role| !role.is_promoted() && *role != Role::King)
    {
        for _ in count(setup, role)..count(&start, role) {
            let hand = &mut setup.reserves[color.index()];
            *hand = hand.with(role)?;
        }
    }
    Some(())
}
