//! The legal moves as links that write the answer: a tap is a move.
//!
//! A link begins a mail to us with the id of the match in its subject, the move in the first
//! line of its body, and below it the answer code of the mail that carries the link. For each
//! kind of piece in reserve there is a small board whose squares are links: a mail can have
//! hundreds, so they are short. No label of a link is a move to our reader, however a program
//! breaks it, so the squares of these boards have a plus sign alone. No move is set above another: a
//! referee gives no advice.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::{iter, mem};

use lettre::Address;
use serde::Serialize;

use crate::match_id::Id;
use crate::matches::codes::{AnswerCode, carries_code};
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::notation::move_list::{capitalized, clear_text};
use crate::printable::{half_moves, percent_encoded};
use crate::render::picture::is_dark;
use crate::render::text::LINKED;
use crate::render::view::Answering;
use crate::rules::{Color, File, Ply, Position, Rank, Role, Side, Square};

/// The most links to moves on the board. A screen shows a dozen.
pub const MOST: usize = 60;

/// The length that each link stays below, in bytes. Some programs cut a longer one off.
pub const LONGEST: usize = 500;

/// The links of a mail.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Taps {
    /// The links to moves on the board, by the piece that moves, in the order in which the
    /// reader sees the pieces.
    pub groups: Vec<TapGroup>,
    /// A board of links for each kind of piece in reserve.
    pub boards: Vec<TapBoard>,
    /// The kinds of pieces in reserve with moves that no board has: the link begins the move.
    pub begun: Vec<Tap>,
    /// The number of moves on the board that have no link, because there are too many.
    pub more: usize,
    /// True if a piece can be placed on a pawn, which goes elsewhere: no board has these moves.
    pub on_pawn: bool,
    /// True if several pieces must be placed in one turn.
    pub several: bool,
    /// True if the links of the boards have the names of their squares, for people who hear them.
    pub named: bool,
}

/// The links of one piece on the board.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct TapGroup {
    /// The piece with its square.
    pub heading: String,
    /// The links, at least one.
    pub links: Vec<Tap>,
}

/// The squares that a kind of piece can be placed on, as the reader sees the board.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct TapBoard {
    /// What a tap does: `Place a pawn`.
    pub heading: String,
    /// The link that begins the move, which stands for the board where it has no room.
    pub begin: Tap,
    /// The number of links.
    pub count: usize,
    /// The ranks from the top.
    pub rows: Vec<TapRow>,
    /// The letters of the files, which stand below: before a rank they would name a square.
    pub files: Vec<char>,
}

/// A rank of such a board.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct TapRow {
    /// The digit of the rank.
    pub rank: char,
    /// The squares from the left.
    pub squares: Vec<TapSquare>,
}

/// A square of such a board.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct TapSquare {
    /// The name of the square.
    pub name: String,
    /// True if it is a dark square.
    pub is_dark: bool,
    /// The target of the link: none if the piece cannot be placed there.
    pub href: Option<String>,
}

/// A link that writes an answer.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Tap {
    /// The move in words.
    pub label: String,
    /// The target of the link: `mailto:…`, in ASCII without blanks and quotes.
    pub href: String,
}

/// The answer that a page writes, and that is shown to those who write their own links. It has
/// more words than that of a link of a mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The subject: the id of the match in brackets, and the move.
    pub subject: String,
    /// The lines of the body: the move, the id line and the answer code.
    pub body: [String; 3],
}

impl Answer {
    /// Writes an answer with this text in the place of the move.
    pub fn new(text: &str, id: &Id, plies: usize, code: &AnswerCode) -> Answer {
        Answer {
            subject: format!("[{id}] {text}"),
            body: [
                text.to_owned(),
                format!("Game {id}, {} made.", half_moves(plies)),
                format!("Answer code: {code}"),
            ],
        }
    }
}

/// Writes the targets of the links of a mail.
struct Targets {
    /// What stands before the move.
    before: String,
    /// What stands behind it.
    behind: String,
}

impl Targets {
    /// The subject has no move: each byte counts where there are hundreds of links. Some programs
    /// ask whether a mail without any subject is to go, so it has the id.
    fn new(to: &Address, id: &Id, plies: usize, code: &AnswerCode) -> Targets {
        let line = encoded(&format!("{id},{plies},{code}"));
        let (to, subject) = (encoded_address(to), encoded(&format!("[{id}]")));
        Targets {
            before: format!("mailto:{to}?subject={subject}&body="),
            behind: format!("%0D%0AAnswer%20code:{line}"),
        }
    }

    fn of(&self, text: &str) -> String {
        format!("{}{}{}", self.before, encoded(text), self.behind)
    }
}

impl Taps {
    /// Makes the links of a mail, whose answers go to the address `from`. `then` is the
    /// match at the time of the mail.
    ///
    /// There are none if the mail does not show the last position to the side to move,
    /// or if a link would be too long.
    pub fn of(then: &Match, mail: &QueuedMail, from: &Address, ids: &MailIds) -> Taps {
        if !carries_code(then, mail) {
            return Taps::default();
        }
        let code = ids.answer_code(&mail.msg);
        let plies = then.record().steps().len();
        let targets = Targets::new(from, then.id(), plies, &code);
        let position = then.position();
        let of_ply = |ply: &Ply| Some(targets.of(&clear_text(position, ply)?));
        let taps = of_position(position, &of_ply, &|text| targets.of(text));
        let is_long = taps.targets().any(|href| href.len() >= LONGEST);
        if is_long { Taps::default() } else { taps }
    }

    /// Returns the targets of all links.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        let links = self.groups.iter().flat_map(|group| &group.links);
        let links = links.chain(&self.begun).map(|tap| tap.href.as_str());
        let rows = self.boards.iter().flat_map(|board| &board.rows);
        let squares = rows.flat_map(|row| &row.squares);
        links.chain(squares.filter_map(|square| square.href.as_deref()))
    }

    /// Takes the subject out of the links of the boards, then the names of their squares, then the
    /// board with the most links: the link that begins the move stands for it. Returns false if
    /// there is nothing more to take out.
    pub(super) fn shorten(&mut self) -> bool {
        let rows = self.boards.iter_mut().flat_map(|board| &mut board.rows);
        let squares = rows.flat_map(|row| &mut row.squares);
        let mut is_shorter = false;
        for href in squares.filter_map(|square| square.href.as_mut()) {
            if let Some((to, fields)) = href.split_once("?subject=")
                && let Some((_, body)) = fields.split_once('&')
            {
                *href = format!("{to}?{body}");
                is_shorter = true;
            }
        }
        // The names are dear, but a link is dearer.
        if is_shorter || mem::take(&mut self.named) {
            return true;
        }
        let boards = self.boards.iter().enumerate();
        let Some((most, _)) = boards.max_by_key(|(_, board)| board.count) else {
            return false;
        };
        let board = self.boards.remove(most);
        if !self.begun.contains(&board.begin) {
            self.begun.push(board.begin);
        }
        true
    }
}

/// Returns the headings and the labels of the links of a mail that shows a position, each
/// on a line.
pub(super) fn words(position: &Position) -> String {
    let mut words = String::new();
    for (square, piece) in position.board().pieces() {
        let _ = writeln!(words, "{} on {square}", capitalized(piece.role.name()));
    }
    let taps = of_position(position, &|_| Some(String::new()), &|_| String::new());
    for group in taps.groups {
        let _ = writeln!(words, "{}", group.heading);
        for tap in group.links {
            let _ = writeln!(words, "{}", tap.label);
        }
    }
    for board in &taps.boards {
        board.write(&mut words);
    }
    let boards = taps.boards.iter().map(|board| &board.begin);
    for begin in taps.begun.iter().chain(boards) {
        let _ = writeln!(words, "{}", begin.label);
    }
    words
}

impl TapBoard {
    /// Writes its words and signs, a row to a line.
    fn write(&self, words: &mut String) {
        let spaced = |signs: &mut dyn Iterator<Item = char>| {
            let signs: Vec<String> = signs.map(String::from).collect();
            signs.join(" ")
        };
        let _ = writeln!(words, "{}", self.heading);
        for row in &self.rows {
            let linked = row.squares.iter().filter(|square| square.href.is_some());
            let mut signs = iter::once(row.rank).chain(linked.map(|_| LINKED));
            let _ = writeln!(words, "{}", spaced(&mut signs));
        }
        let _ = writeln!(words, "{}", spaced(&mut self.files.iter().copied()));
    }
}

/// Returns what the links of a mail write around each move, for a page that writes them
/// itself; none if the mail has no links. `then` is the match at the time of the mail.
pub fn answering(
    then: &Match,
    mail: &QueuedMail,
    from: &Address,
    ids: &MailIds,
) -> Option<Answering> {
    let plies = then.record().steps().len();
    let code = ids.answer_code(&mail.msg);
    let Answer { subject, body } = Answer::new("", then.id(), plies, &code);
    let [_, id, code] = body;
    carries_code(then, mail).then(|| Answering::Mail {
        to: encoded_address(from),
        subject,
        lines: vec![id, code],
    })
}

/// Makes the links of a position. Beyond the limit whole groups of moves on the board are
/// left out, the last ones; never those of the reserve. `of_ply` writes the target of the link
/// to a move, and `of_text` that of one to the beginning of a move.
fn of_position(
    position: &Position,
    of_ply: &impl Fn(&Ply) -> Option<String>,
    of_text: &impl Fn(&str) -> String,
) -> Taps {
    let plies = position.single_plies();
    let (boards, begun) = reserve(position, &plies, of_ply, of_text);
    let mut taps = Taps {
        named: !boards.is_empty(),
        on_pawn: plies
            .iter()
            .any(|ply| matches!(ply, Ply::Relocation { .. })),
        several: position.needs_placement(),
        boards,
        begun,
        ..Taps::default()
    };
    let mut room = MOST;
    for (square, mut moves) in by_piece(position, &plies) {
        let reader = position.turn();
        moves.sort_by_key(|ply| (ply.target().map(|to| place(to, reader)), promotion(ply)));
        let texts = moves.iter().filter_map(|ply| {
            Some(Tap {
                href: of_ply(ply)?,
                label: label(position, ply, &moves),
            })
        });
        let links: Vec<Tap> = texts.collect();
        if links.is_empty() {
            continue;
        }
        if taps.more > 0 || links.len() > room {
            taps.more += links.len();
            continue;
        }
        room -= links.len();
        let piece = position.get(square).map_or("", |piece| piece.role.name());
        let heading = format!("{} on {square}", capitalized(piece));
        taps.groups.push(TapGroup { heading, links });
    }
    taps
}

/// Makes the links of the reserve: for each kind a board of the squares it can be placed on,
/// and a link that begins the move with `P>` if it has others, on the square of a pawn or of
/// several pieces in one turn.
fn reserve(
    position: &Position,
    plies: &[Ply],
    of_ply: &impl Fn(&Ply) -> Option<String>,
    of_text: &impl Fn(&str) -> String,
) -> (Vec<TapBoard>, Vec<Tap>) {
    let side = position.turn();
    let (mut boards, mut others) = (Vec::new(), Vec::new());
    for role in Role::ALL {
        let is_relocated =
            |ply: &Ply| matches!(ply, Ply::Relocation { role: dropped, .. } if *dropped == role);
        let squares = plies.iter().filter_map(|ply| match ply {
            Ply::Drop { role: dropped, to } if *dropped == role => Some((*to, of_ply(ply)?)),
            _ => None,
        });
        let squares: BTreeMap<Square, String> = squares.collect();
        let begin = Tap {
            label: format!("Place a {role} on …"),
            href: of_text(&format!("{}>", role.of(side))),
        };
        let is_placed = position.needs_placement() && position.reserve(side).has(role);
        if plies.iter().any(is_relocated) {
            others.push(Tap {
                label: format!("Place a {role} on your pawn …"),
                href: begin.href.clone(),
            });
        } else if squares.is_empty() && is_placed {
            others.push(begin.clone());
        }
        if !squares.is_empty() {
            let heading = format!("Place a {role}");
            boards.push(TapBoard::new(position, heading, begin, squares));
        }
    }
    (boards, others)
}

impl TapBoard {
    /// Creates a board with links on these squares, as the side to move sees it.
    fn new(
        position: &Position,
        heading: String,
        begin: Tap,
        mut squares: BTreeMap<Square, String>,
    ) -> TapBoard {
        let width = position.variant().rules().width;
        let count = squares.len();
        let (mut files, mut ranks): (Vec<File>, Vec<Rank>) =
            (File::all(width).collect(), Rank::all(width).collect());
        match position.turn() {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let row = |rank: &Rank| TapRow {
            rank: rank.digit(),
            squares: files
                .iter()
                .map(|file| {
                    let square = Square::from_coords(*file, *rank);
                    TapSquare {
                        name: square.to_string(),
                        is_dark: is_dark(square),
                        href: squares.remove(&square),
                    }
                })
                .collect(),
        };
        let rows = ranks.iter().map(row).collect();
        TapBoard {
            heading,
            begin,
            count,
            files: files.iter().map(|file| file.letter()).collect(),
            rows,
        }
    }
}

/// Sorts the moves on the board by the piece that moves, as the side to move sees it.
fn by_piece(position: &Position, plies: &[Ply]) -> Vec<(Square, Vec<Ply>)> {
    let reader = position.turn();
    let king = position.king(reader);
    let mut groups: BTreeMap<_, (Square, Vec<Ply>)> = BTreeMap::new();
    for ply in plies {
        let from = match ply {
            Ply::Move { from, .. } => Some(*from),
            Ply::Castle(_) => king,
            Ply::Drop { .. } | Ply::Relocation { .. } | Ply::Placement(_) => None,
        };
        let Some(from) = from else { continue };
        let (_, moves) = groups
            .entry(place(from, reader))
            .or_insert((from, Vec::new()));
        moves.push(*ply);
    }
    groups.into_values().collect()
}

/// Returns the place of a square in the picture that a player sees: the rows from the top,
/// each from the left.
fn place(square: Square, reader: Color) -> (u8, u8) {
    let (file, rank) = (square.file().index(), square.rank().index());
    match reader {
        Color::White => (u8::MAX - rank, file),
        Color::Black => (rank, u8::MAX - file),
    }
}

fn promotion(ply: &Ply) -> Option<Role> {
    match ply {
        Ply::Move { promotion, .. } => *promotion,
        _ => None,
    }
}

/// Says in words what a move does; `moves` are all of the same piece.
fn label(position: &Position, ply: &Ply, moves: &[Ply]) -> String {
    let (from, to, promotion) = match ply {
        Ply::Castle(Side::King) => return "castle on the king's side".to_owned(),
        Ply::Castle(Side::Queen) => return "castle on the queen's side".to_owned(),
        Ply::Move {
            from,
            to,
            promotion,
        } => (*from, *to, *promotion),
        Ply::Drop { .. } | Ply::Relocation { .. } | Ply::Placement(_) => return String::new(),
    };
    let mut label = if position.get(to).is_some() {
        format!("takes {to}")
    } else if position.text(ply).ends_with("ep") {
        format!("takes on {to} in passing")
    } else {
        format!("to {to}")
    };
    let has_choice = || {
        let mut others = moves.iter();
        others.any(|other| other.target() == Some(to) && self::promotion(other).is_some())
    };
    match (promotion, position.get(from)) {
        (Some(role), _) => {
            let _ = write!(label, ", becomes a {role}");
        }
        (None, Some(piece)) if has_choice() => {
            let _ = write!(label, ", stays a {}", piece.role);
        }
        _ => {}
    }
    label
}

/// Writes everything but letters and digits of ASCII in its encoded form.
pub(super) fn encoded(text: &str) -> String {
    percent_encoded(text.as_bytes(), b"")
}

/// Encodes an address, but for its `@` and the signs that no program takes for another.
pub(super) fn encoded_address(address: &Address) -> String {
    let percent = |text: &str| percent_encoded(text.as_bytes(), b".-_");
    format!("{}@{}", percent(address.user()), percent(address.domain()))
}
