//! A move as characters, before any position gives it a meaning.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::board::{File, Rank, Square};
use crate::outcome::Mark;
use crate::piece::Role;
use crate::ply::Side;
use crate::sentences::{is_unprintable, sentences, shown};

/// A move understood from its characters alone, with no position in mind.
///
/// One text can be understood in several ways (`bxc6` as the bishop's or the
/// b-pawn's); all are kept, and a position chooses.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::MoveText;
/// use parapost_rules::{Mark, Role};
///
/// let text: MoveText = "Bxe2 + (=)".parse()?;
/// assert_eq!((text.as_str(), text.role()), ("Bxe2", Some(Role::Bishop)));
/// assert_eq!((text.target(), text.mark()), ("e2".parse().ok(), Some(Mark::Check)));
/// assert!(!text.is_drop());
/// assert_eq!(text.to_string(), "Bxe2 + (=)");
/// # Ok::<(), parapost_rules::notation::ParseMoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// The move without mark and comment, as it was written.
    pub(crate) core: String,
    pub(crate) ways: Vec<Way>,
    pub(crate) mark: Option<Mark>,
    /// True if the mark touches the move: in shogi a `+` that does can mean
    /// promotion.
    pub(crate) mark_touches: bool,
    pub(crate) equals: bool,
    pub(crate) offer: bool,
    /// The moves on the board that others write with an arrow, if its drop sign
    /// is one.
    pub(crate) rivals: Vec<Way>,
    /// The piece behind a `=` with a blank beside it: `S-e8= S`. In shogi the
    /// move may be a promotion that has lost its `+`, or decline one.
    pub(crate) parted: Option<Role>,
}

/// One way to understand the characters of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Castle(Side),
    Board(BoardText),
    Drop(Role, SquareText),
    Relocation(Role, SquareText, SquareText),
    /// Several pieces, or one in the set-up style without a drop sign.
    Placement(Vec<(Role, SquareText)>),
}

/// A move on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardText {
    /// The piece, if a letter was written.
    pub(crate) role: Option<Role>,
    pub(crate) origin: OriginText,
    pub(crate) target: SquareText,
    pub(crate) promotion: PromotionText,
    pub(crate) en_passant: bool,
}

/// A square, and whether it was written in one of the ways of shogi players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SquareText {
    pub(crate) square: Square,
    /// Named by Hodges, USI or digits, which only a 9x9 board understands.
    pub(crate) shogi: bool,
}

/// The part of a promotion that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PromotionText {
    Nothing,
    /// `=Q`, `Q`, `(Q)`.
    To(Role),
    /// `=+S`, `=+`.
    Plus,
}

impl MoveText {
    /// The piece letter that was written, unpromoted; none for `e4` or `O-O`.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.first()?.0
    }

    /// The first piece and its target, as the text is understood first.
    fn first(&self) -> Option<(Option<Role>, Square)> {
        match self.ways.first()? {
            Way::Castle(_) => None,
            Way::Board(text) => Some((text.role.map(Role::base), text.target.square)),
            Way::Drop(role, to) | Way::Relocation(role, to, _) => Some((Some(*role), to.square)),
            Way::Placement(drops) => drops.first().map(|(role, to)| (Some(*role), to.square)),
        }
    }

    /// The square the piece arrives on, where one is named.
    #[must_use]
    pub fn target(&self) -> Option<Square> {
        Some(self.first()?.1)
    }

    /// Returns true if a drop sign was written, or several pieces are placed.
    #[must_use]
    pub fn is_drop(&self) -> bool {
        matches!(
            self.ways.first(),
            Some(Way::Drop(..) | Way::Relocation(..) | Way::Placement(_))
        )
    }

    /// The mark that was written, if any.
    #[must_use]
    pub fn mark(&self) -> Option<Mark> {
        self.mark
    }

    /// Returns true if the text could be a stray word or square in a sentence (`e4`,
    /// `b5`): it has neither a piece letter nor a sign.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.core.len() <= 2
    }

    /// The move as it was written, without mark and comment.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.core
    }

    /// Returns true if anything stands behind the move that may change its meaning: all but
    /// comment signs and a mark behind a blank. A mark that touches the move may promote.
    pub(crate) fn says_more(&self) -> bool {
        let touches = self.mark.is_some() && self.mark_touches;
        touches || self.equals || self.offer || self.parted.is_some() || !self.rivals.is_empty()
    }

    /// The same as a program means it: its pieces have capital letters, its drops a
    /// sign, and where pieces promote in a zone a `+` that touches the move promotes.
    pub(crate) fn of_program(&self, promotes_in_zone: bool) -> MoveText {
        let mut text = self.clone();
        let is_small = text.core.starts_with(|c: char| c.is_ascii_lowercase());
        text.ways.retain(|way| match way {
            Way::Board(board) => board.role.is_none() || !is_small,
            Way::Placement(drops) => drops.len() > 1,
            _ => true,
        });
        if text.ways.is_empty() {
            return self.clone();
        }
        if promotes_in_zone && text.mark_touches && text.mark == Some(Mark::Check) {
            text.mark = None;
            for way in &mut text.ways {
                if let Way::Board(board) = way
                    && board.promotion == PromotionText::Nothing
                {
                    board.promotion = PromotionText::Plus;
                }
            }
        }
        text
    }
}

impl fmt::Display for MoveText {
    /// A text that is read as the same move, mark and draw offer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.core)?;
        if let Some(mark) = self.mark {
            // Behind `=+` a second `+` would not be read as a check.
            let needs_word = mark == Mark::Check && self.core.ends_with('+');
            match (self.mark_touches, needs_word) {
                (true, true) => f.write_str(" check")?,
                (true, false) => write!(f, "{mark}")?,
                (false, _) => write!(f, " {mark}")?,
            }
        }
        f.write_str(match (self.equals, self.offer) {
            (false, false) => "",
            (true, false) => "=",
            (false, true) => " (=)",
            (true, true) => "= (=)",
        })?;
        match self.parted {
            Some(role) => write!(f, "= {}", role.letter()),
            None => Ok(()),
        }
    }
}

impl FromStr for MoveText {
    type Err = ParseMoveError;

    /// Reads one move: no number before it, its mark and comment signs glued
    /// on or after blanks, nothing else behind it.
    fn from_str(text: &str) -> Result<MoveText, ParseMoveError> {
        let plain = plain(text);
        if let Some((text, role)) = parted(plain.trim()) {
            let text: MoveText = text.parse()?;
            let parted = Some(role);
            return Ok(MoveText { parted, ..text });
        }
        let mut found = MoveText::without_tail(plain.trim());
        let core = &found.core;
        // The longest real move is a placement of sixteen pieces.
        if !core.is_empty() && core.len() <= 120 && core.is_ascii() {
            found.ways = match spoken_drop(core) {
                // "drop pawn e3?" asks for advice.
                Some(_) if text.contains(['?', '\u{ff1f}']) => Vec::new(),
                Some(drop) => vec![drop],
                None => ways(core),
            };
        }
        if found.ways.is_empty() {
            return Err(ParseMoveError::new(text, core));
        }
        if text.contains(is_arrow) && core.contains('>') {
            let moves = board_moves(&core.replace('>', "-"));
            found.rivals = moves.into_iter().map(Way::Board).collect();
        }
        Ok(found)
    }
}

impl MoveText {
    /// Cuts off the tail: mark, comment signs, draw offer. What is left has no meaning yet.
    fn without_tail(text: &str) -> MoveText {
        let mut tail = MoveText {
            core: String::new(),
            ways: Vec::new(),
            mark: None,
            mark_touches: false,
            equals: false,
            offer: false,
            rivals: Vec::new(),
            parted: None,
        };
        let mut rest = text;
        loop {
            rest = rest.trim_end();
            if let Some(cut) = strip_verdict(rest) {
                rest = cut;
            } else if let Some((cut, mark)) = strip_mark(rest) {
                // Of several marks the first written one stands; a later one
                // is a comment.
                tail.mark_touches = !cut.ends_with(' ');
                tail.mark = Some(mark);
                rest = cut;
            } else if let Some(cut) = rest.strip_suffix(['!', '?']) {
                rest = cut;
            } else if let Some(cut) = rest.strip_suffix(is_comment_sign) {
                rest = cut;
            } else if let Some(cut) = rest.strip_suffix("(=)") {
                tail.offer = true;
                rest = cut;
            } else if let Some(cut) = rest.strip_suffix('=') {
                tail.equals = true;
                rest = cut;
            } else if let Some(cut) = rest.strip_suffix([';', '.']).filter(|cut| {
                // A full stop that ends a sentence, not that of "e.p.". A
                // comma stays: behind it a placement may have been cut off.
                !cut.ends_with("e.p")
            }) {
                rest = cut;
            } else {
                break;
            }
        }
        tail.core = rest.to_string();
        tail
    }
}

/// Strips a verdict on the position, as books write it in ASCII. Without this
/// its `+` would be a mark, and its `=` a draw offer.
fn strip_verdict(text: &str) -> Option<&str> {
    ["+/-", "-/+", "+/=", "=/+", "-+", "=\u{221e}"]
        .iter()
        .find_map(|verdict| text.strip_suffix(verdict))
}

fn strip_mark(text: &str) -> Option<(&str, Mark)> {
    // Longer signs first: `!+` is not a comment and a check.
    let marks = [
        ("!+", Mark::Virtual),
        ("++", Mark::Mate),
        ("#", Mark::Mate),
        (" checkmate", Mark::Mate),
        (" mate", Mark::Mate),
        (" check", Mark::Check),
        (" ch", Mark::Check),
    ];
    let cut = |(sign, mark)| Some((text.strip_suffix(sign)?, mark));
    // `=+` is a promotion; a single `+` else a check.
    let check = || cut(("+", Mark::Check)).filter(|(cut, _)| !cut.ends_with('='));
    marks.into_iter().find_map(cut).or_else(check)
}

/// Every way to understand a move without its tail.
fn ways(core: &str) -> Vec<Way> {
    if let Some(side) = castle(core) {
        return vec![Way::Castle(side)];
    }
    if core.contains(',') || has_plural(core) {
        return placement(core).map(Way::Placement).into_iter().collect();
    }
    if core.contains(['>', '*', '@', '\'']) {
        return drop(core).into_iter().collect();
    }
    let mut ways: Vec<Way> = board_moves(core).into_iter().map(Way::Board).collect();
    if let Some(set_up) = bare_drop(core) {
        ways.push(Way::Placement(vec![set_up]));
    }
    ways
}

fn castle(core: &str) -> Option<Side> {
    match core.replace(['0', 'o'], "O").as_str() {
        "O-O" => Some(Side::King),
        "O-O-O" => Some(Side::Queen),
        _ => None,
    }
}

/// `N>d2`, `N>d2/c4`.
fn drop(core: &str) -> Option<Way> {
    let (piece, rest) = core.split_once(['>', '*', '@', '\''])?;
    let role = only_letter(piece)?;
    Some(match rest.split_once('/') {
        None => Way::Drop(role, square(rest)?),
        Some((to, pawn)) => {
            let pawn = pawn.strip_prefix(['P', 'p']).unwrap_or(pawn);
            Way::Relocation(role, square(to)?, square(pawn)?)
        }
    })
}

/// Words that make a drop of the piece and square behind them.
const DROP_WORDS: [&str; 3] = ["drop", "put", "place"];

/// `drop pawn e3`, `put N d4`, `place Nd4`: a drop in words, and nothing but it.
fn spoken_drop(core: &str) -> Option<Way> {
    let mut words = core.split_ascii_whitespace();
    let verb = words.next()?;
    let mut verbs = DROP_WORDS.iter();
    if !verbs.any(|word| verb.eq_ignore_ascii_case(word)) {
        return None;
    }
    match (words.next()?, words.next(), words.next()) {
        (glued, None, None) => match drop(glued) {
            None => bare_drop(glued).map(|(role, to)| Way::Drop(role, to)),
            found => found.filter(|way| matches!(way, Way::Drop(..))),
        },
        (piece, Some(to), None) => Some(Way::Drop(named(piece)?, square(to)?)),
        _ => None,
    }
}

/// The piece of a name or a letter.
fn named(text: &str) -> Option<Role> {
    let is_name = |role: &Role| !role.is_promoted() && role.name().eq_ignore_ascii_case(text);
    only_letter(text).or_else(|| Role::ALL.into_iter().find(is_name))
}

fn only_letter(text: &str) -> Option<Role> {
    let mut chars = text.chars();
    let role = Role::from_letter(chars.next()?)?;
    chars.next().is_none().then_some(role)
}

/// `Bb2`: the set-up style, without a drop sign.
fn bare_drop(core: &str) -> Option<(Role, SquareText)> {
    let (piece, to) = core.split_at_checked(1)?;
    Some((only_letter(piece)?, square(to)?))
}

/// Returns true if a doubled letter and a colon begin a row of like pieces (`pp:`).
fn has_plural(core: &str) -> bool {
    core.split(',').any(|item| plural(item.trim()).is_some())
}

fn plural(item: &str) -> Option<(Role, &str)> {
    let (letters, rest) = item.split_once(':')?;
    let [one, other] = letters.as_bytes() else {
        return None;
    };
    (one == other).then_some((Role::from_letter(char::from(*one))?, rest.trim()))
}

/// `K>b1,B>b2,P>b3` or, as in the source, `Kb1,Bb2,pp: b3,c2`.
fn placement(core: &str) -> Option<Vec<(Role, SquareText)>> {
    let mut drops = Vec::new();
    let mut row = None;
    for item in core.split(',') {
        let item = item.trim();
        if let Some((role, first)) = plural(item) {
            row = Some(role);
            drops.push((role, square(first)?));
        } else if let (Some(role), Some(to)) = (row, square(item)) {
            drops.push((role, to));
        } else {
            row = None;
            drops.push(match drop(item) {
                Some(Way::Drop(role, to)) => (role, to),
                _ => bare_drop(item)?,
            });
        }
    }
    Some(drops)
}

/// Reads a square in one of the ways to name one: `e3`; Hodges and USI `7f`;
/// digits `76`, file and rank as Hodges counts them.
fn square(text: &str) -> Option<SquareText> {
    let (square, shogi) = match *text.as_bytes() {
        [file, rank] if file.is_ascii_digit() => {
            let square = Square::from_coords(shogi_file(file)?, shogi_rank(rank)?);
            (square, true)
        }
        _ => (text.parse().ok()?, false),
    };
    Some(SquareText { square, shogi })
}

/// A file counted from 1 at the first player's right.
fn shogi_file(digit: u8) -> Option<File> {
    b'9'.checked_sub(digit).and_then(File::new)
}

/// A rank counted from the top, `a` or `1`.
fn shogi_rank(sign: u8) -> Option<Rank> {
    let last = if sign.is_ascii_digit() { b'9' } else { b'i' };
    last.checked_sub(sign).and_then(Rank::new)
}

/// Every way to understand a move on the board.
fn board_moves(core: &str) -> Vec<BoardText> {
    let mut signs = ["e.p.", "e.p", "ep"].iter();
    let cut = signs.find_map(|sign| core.strip_suffix(sign));
    let (core, en_passant) = (cut.map_or(core, str::trim_end), cut.is_some());
    let mut found: Vec<BoardText> = Vec::new();
    for (role, rest) in pieces(core) {
        for (rest, promotion) in promotions(rest) {
            let at = rest.len().checked_sub(2);
            let parts = at.and_then(|at| rest.split_at_checked(at));
            let Some((before, target)) = parts.and_then(|(a, b)| Some((a, square(b)?))) else {
                continue;
            };
            let (before, signed) = match before.strip_suffix(['-', 'x', 'X', ':']) {
                Some(cut) => (cut, true),
                None => (before, false),
            };
            let Some(origin) = origin(before, target, role.is_none()) else {
                continue;
            };
            let sensible = match (role, origin) {
                (None, OriginText::Nothing) => !signed,
                (None, OriginText::Rank(_)) => false,
                // A pawn's capture: `bxc6`, `bc6`.
                (None, OriginText::File(file)) => {
                    file.index().abs_diff(target.square.file().index()) == 1
                }
                _ => true,
            };
            let text = BoardText {
                role,
                origin,
                target,
                promotion,
                en_passant,
            };
            if sensible && !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// The piece a text can begin with, and what follows: its letter, with a `+`
/// where it is promoted, or none at all.
fn pieces(core: &str) -> Vec<(Option<Role>, &str)> {
    let promoted = core.strip_prefix('+');
    let rest = promoted.unwrap_or(core);
    let role = rest.chars().next().and_then(Role::from_letter);
    let role = role.and_then(|role| promoted.map_or(Some(role), |_| role.promoted()));
    let named = role.map(|_| (role, &rest[1..]));
    let bare = promoted.is_none().then_some((None, core));
    named.into_iter().chain(bare).collect()
}

/// The promotion a text can end with, and what stands before.
fn promotions(text: &str) -> Vec<(&str, PromotionText)> {
    let mut found = vec![(text, PromotionText::Nothing)];
    if let Some(cut) = text.strip_suffix("=+") {
        found.push((cut, PromotionText::Plus));
    }
    let Some((at, letter)) = text.char_indices().next_back() else {
        return found;
    };
    if letter == ')' {
        if let Some((cut, inside)) = text[..at].rsplit_once('(')
            && let Some(role) = only_letter(inside)
        {
            found.push((cut, PromotionText::To(role)));
        }
    } else if let Some(role) = Role::from_letter(letter) {
        let cut = &text[..at];
        if let Some(cut) = cut.strip_suffix("=+") {
            found.push((cut, PromotionText::Plus));
        } else {
            let cut = cut.strip_suffix('=').unwrap_or(cut);
            found.push((cut, PromotionText::To(role)));
        }
    }
    found
}

/// Reads the origin. It follows its target's system. A single
/// file letter without a piece is small, as in SAN.
fn origin(text: &str, target: SquareText, bare: bool) -> Option<OriginText> {
    match *text.as_bytes() {
        [] => Some(OriginText::Nothing),
        [sign] if target.shogi => match sign {
            b'1'..=b'9' => shogi_file(sign).map(OriginText::File),
            _ => shogi_rank(sign).map(OriginText::Rank),
        },
        [sign] if sign.is_ascii_digit() => Rank::from_digit(char::from(sign)).map(OriginText::Rank),
        [sign] if bare && sign.is_ascii_uppercase() => None,
        [sign] => File::from_letter(char::from(sign)).map(OriginText::File),
        [_, _] => {
            let from = square(text)?;
            (from.shogi == target.shogi).then_some(OriginText::Square(from.square))
        }
        _ => None,
    }
}

/// The part of the origin that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OriginText {
    Nothing,
    File(File),
    Rank(Rank),
    Square(Square),
}

impl fmt::Display for OriginText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OriginText::Nothing => Ok(()),
            OriginText::File(file) => file.fmt(f),
            OriginText::Rank(rank) => rank.fmt(f),
            OriginText::Square(square) => square.fmt(f),
        }
    }
}

impl OriginText {
    /// Returns true if a move from that square may have this origin.
    pub(crate) fn fits(self, from: Square) -> bool {
        match self {
            OriginText::Nothing => true,
            OriginText::File(file) => from.file() == file,
            OriginText::Rank(rank) => from.rank() == rank,
            OriginText::Square(square) => from == square,
        }
    }
}

/// Cuts off a piece behind a `=` that has a blank beside it: `S-e8= S`, `S-e8 =+S`.
fn parted(text: &str) -> Option<(&str, Role)> {
    let (before, behind) = text.rsplit_once('=')?;
    let is_parted = before.ends_with(' ') || behind.starts_with(' ');
    let piece = behind.trim_start();
    let mut letters = piece.strip_prefix('+').unwrap_or(piece).chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    let role = Role::from_letter(letter)?;
    is_parted.then_some((before.trim_end(), role))
}

/// Figurines, dashes and other typographic signs as plain ones.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '♔'..='♟' => out.extend("KQRBNPkqrbnp".chars().nth(c as usize - '♔' as usize)),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push('-'),
            '×' | '✕' => out.push('x'),
            '\u{2018}' | '\u{2019}' | '`' | '\u{b4}' => out.push('\''),
            '\u{203a}' => out.push('>'),
            // The full-width forms of ASCII, which keyboards for Japanese and Chinese give.
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(u32::from(c) - 0xfee0)),
            c if is_arrow(c) && ends_with_piece(&out) => out.push('>'),
            '†' => out.push('+'),
            '‡' => out.push('#'),
            // Variation selectors that mail programs put after figurines, and
            // the marks they put around a word in another script.
            '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{2066}' | '\u{2068}' | '\u{2069}' => {}
            c if c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// An arrow to the right. Between a piece and a square it is a drop sign.
fn is_arrow(c: char) -> bool {
    matches!(
        c,
        '\u{2192}' | '\u{27f6}' | '\u{2794}' | '\u{279c}' | '\u{279e}' | '\u{27a1}'
    )
}

/// Returns true if the last item of a text is a piece letter alone.
fn ends_with_piece(text: &str) -> bool {
    let mut chars = text.rsplit(',').next().unwrap_or(text).trim_start().chars();
    chars.next().and_then(Role::from_letter).is_some() && chars.next().is_none()
}

/// Returns true for a sign that people and programs glue to a move as a
/// comment, and that means nothing in a move: `\u{b1}`, `\u{203c}`, `\u{25a1}`, an emoji, a
/// footnote's number.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::is_comment_sign;
///
/// assert!(['\u{b1}', '\u{221e}', '\u{b9}', '\u{1f44d}'].into_iter().all(is_comment_sign));
/// assert!(!['e', '3', '+', '\u{99ac}', '\u{202e}'].into_iter().any(is_comment_sign));
/// ```
#[must_use]
pub fn is_comment_sign(c: char) -> bool {
    let is_raised = matches!(
        c,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}'..='\u{209c}' | '\u{2460}'..='\u{249b}'
    );
    let is_text = c.is_ascii() || c.is_alphanumeric() || c.is_whitespace() || is_unprintable(c);
    is_raised || !(is_text || matches!(c, '\u{2020}' | '\u{2021}'))
}

/// A text that is no move.
///
/// Its `Display` repeats at most forty characters of the text, with a question
/// mark for each that would steer a terminal.
///
/// # Examples
///
/// ```
/// use parapost_rules::notation::{MoveText, ParseMoveErrorKind};
///
/// let error = "K> h1".parse::<MoveText>().unwrap_err();
/// assert_eq!(error.kind(), ParseMoveErrorKind::BlankInDrop);
/// assert_eq!(
///     error.to_string(),
///     "'K> h1' has a blank beside the '>'; a drop is written without, as in K>h1",
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMoveError {
    kind: ParseMoveErrorKind,
    /// The beginning of the text, or its square, fit to be repeated.
    shown: String,
}

sentences! {
    /// The reason why a text is no move.
    ///
    /// # Examples
    ///
    /// ```
    /// use parapost_rules::notation::{MoveText, ParseMoveErrorKind};
    ///
    /// let error = "hello".parse::<MoveText>().unwrap_err();
    /// assert_eq!(error.kind(), ParseMoveErrorKind::NotAMove);
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum ParseMoveErrorKind(shown: &str) {
        /// It looks like no move.
        NotAMove =>
            ("'{shown}' is not a move; a move is written like P>e3 (drop), N-f3 (move) or Bxe2 \
            (capture)"),
        /// It would be a drop but for the blank beside the `>`.
        BlankInDrop =>
            ("'{shown}' has a blank beside the '>'; a drop is written without, as in K>h1"),
        /// It would be a move, but no board has its square: `K>z9`.
        NoSquare =>
            ("there is no square {shown}; they are named a1 to h8, in the shogi games a1 to i9"),
    }
}

impl ParseMoveError {
    /// The error of a text, whose part without the tail is `core`.
    fn new(text: &str, core: &str) -> ParseMoveError {
        let has_blank = core.contains("> ") || core.contains(" >");
        let (kind, repeated) = match no_square(core) {
            _ if has_blank => (ParseMoveErrorKind::BlankInDrop, text),
            Some(square) => (ParseMoveErrorKind::NoSquare, square),
            None => (ParseMoveErrorKind::NotAMove, text),
        };
        ParseMoveError {
            kind,
            shown: shown(repeated),
        }
    }

    /// The reason why the text is no move.
    #[must_use]
    pub fn kind(&self) -> ParseMoveErrorKind {
        self.kind
    }
}

/// The square that a move names although no board has it: the `z9` of `K>z9`.
fn no_square(core: &str) -> Option<&str> {
    let at = core.rfind(['>', '*', '@', '\'', '-', 'x', 'X', ':'])?;
    let piece = core[..at].trim_start_matches('+');
    let square = &core[at + 1..];
    let is_piece = piece.len() <= 3 && piece.chars().next().and_then(Role::from_letter).is_some();
    let is_lost = match square.as_bytes() {
        [file, rank] if file.is_ascii_alphabetic() && rank.is_ascii_digit() => {
            square.parse::<Square>().is_err()
        }
        [file, rank] if file.is_ascii_digit() && rank.is_ascii_alphabetic() => {
            *file == b'0' || File::from_letter(char::from(*rank)).is_none()
        }
        _ => false,
    };
    (is_piece && is_lost).then_some(square)
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.write(f, &self.shown)
    }
}

impl core::error::Error for ParseMoveError {}
