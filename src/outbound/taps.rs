//! The legal moves as links that write the answer: a tap is a move.
//!
//! A link begins a mail to us with the move in its subject and in the first line of its
//! body, then the id line and the answer code of the mail that carries the link. No
//! label of a link is a move to our reader, and no move is set above another: a referee
//! gives no advice.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use lettre::Address;
use serde::Serialize;

use crate::match_id::Id;
use crate::matches::codes::{AnswerCode, carries_code};
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::notation::move_list::{capitalized, clear_text};
use crate::plural::half_moves;
use crate::render::view::Answering;
use crate::rules::{Ply, Position, Role, Side, Square};

/// The most links of a mail. A screen shows a dozen, and the program of a reader may cut
/// a mail off that is longer than 100 KiB.
pub const MOST: usize = 60;

/// The length that each link stays below, in bytes. Some programs cut a longer one off.
pub const LONGEST: usize = 500;

/// The links of a mail.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Debug)]
pub struct Taps {
    /// The links, by the piece that moves. The squares stand as in the diagram, each
    /// rank from the a-file on; the reserve stands last.
    pub groups: Vec<TapGroup>,
    /// The number of moves on the board that have no link, because there are too many.
    pub more: usize,
}

/// The links of one piece on the board, or those of the reserve.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct TapGroup {
    /// The piece with its square, or the reserve.
    pub heading: String,
    /// The links, at least one.
    pub links: Vec<Tap>,
}

/// A link that writes an answer.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Tap {
    /// The move in words.
    pub label: String,
    /// The target of the link: `mailto:…`, in ASCII without blanks and quotes.
    pub href: String,
}

/// The answer that a link writes.
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

    fn href(&self, to: &str) -> String {
        let subject = encoded(&self.subject);
        let body = self
            .body
            .each_ref()
            .map(|line| encoded(line))
            .join("%0D%0A");
        format!("mailto:{to}?subject={subject}&body={body}")
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
        let to = encoded_address(from);
        let link = |label: String, text: &str| Tap {
            label,
            href: Answer::new(text, then.id(), plies, &code).href(&to),
        };
        let taps = of_position(then.position(), link);
        let mut links = taps.groups.iter().flat_map(|group| &group.links);
        if links.any(|tap| tap.href.len() >= LONGEST) {
            return Taps::default();
        }
        taps
    }
}

/// Returns the headings and the labels of the links of a mail that shows a position, each
/// on a line.
pub(super) fn words(position: &Position) -> String {
    let link = |label: String, _: &str| Tap {
        label,
        href: String::new(),
    };
    let mut words = String::new();
    for (square, piece) in position.board().pieces() {
        let _ = writeln!(words, "{} on {square}", capitalized(piece.role.name()));
    }
    for group in of_position(position, link).groups {
        let _ = writeln!(words, "{}", group.heading);
        for tap in group.links {
            let _ = writeln!(words, "{}", tap.label);
        }
    }
    words
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
/// left out, the last ones; never those of the reserve.
fn of_position(position: &Position, link: impl Fn(String, &str) -> Tap) -> Taps {
    let plies = position.single_plies();
    let reserve = reserve(position, &plies, &link);
    let mut room = MOST - reserve.len().min(MOST);
    let mut taps = Taps::default();
    for (square, mut moves) in by_piece(position, &plies) {
        moves.sort_by_key(|ply| (ply.target().map(place), promotion(ply)));
        let texts = moves.iter().filter_map(|ply| {
            let text = clear_text(position, ply)?;
            Some(link(label(position, ply, &moves), &text))
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
    if !reserve.is_empty() {
        taps.groups.push(TapGroup {
            heading: "In your reserve".to_owned(),
            links: reserve,
        });
    }
    taps
}

/// Makes a link for each kind of piece that can be dropped: the answer begins with `P>`,
/// and its writer adds the square.
fn reserve(position: &Position, plies: &[Ply], link: &impl Fn(String, &str) -> Tap) -> Vec<Tap> {
    let side = position.turn();
    let is_placed = position.needs_placement();
    let can_be_dropped = |role: &Role| {
        is_placed && position.reserve(side).has(*role)
            || plies.iter().any(|ply| match ply {
                Ply::Drop { role: dropped, .. } | Ply::Relocation { role: dropped, .. } => {
                    dropped == role
                }
                Ply::Move { .. } | Ply::Castle(_) | Ply::Placement(_) => false,
            })
    };
    let roles = Role::ALL.into_iter().filter(can_be_dropped);
    roles
        .map(|role| {
            link(
                format!("Place a {role} on …"),
                &format!("{}>", role.of(side)),
            )
        })
        .collect()
}

/// Sorts the moves on the board by the piece that moves, as it stands in the diagram.
fn by_piece(position: &Position, plies: &[Ply]) -> Vec<(Square, Vec<Ply>)> {
    let king = position.king(position.turn());
    let mut groups: BTreeMap<_, (Square, Vec<Ply>)> = BTreeMap::new();
    for ply in plies {
        let from = match ply {
            Ply::Move { from, .. } => Some(*from),
            Ply::Castle(_) => king,
            Ply::Drop { .. } | Ply::Relocation { .. } | Ply::Placement(_) => None,
        };
        let Some(from) = from else { continue };
        let (_, moves) = groups.entry(place(from)).or_insert((from, Vec::new()));
        moves.push(*ply);
    }
    groups.into_values().collect()
}

/// Returns the place of a square in the diagram: the ranks from the top, each from the
/// a-file on.
fn place(square: Square) -> impl Ord {
    (Reverse(square.rank()), square.file())
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
    percent(text, |_| false)
}

/// Encodes an address, but for its `@` and the signs that no program takes for another.
pub(super) fn encoded_address(address: &Address) -> String {
    let signs = |byte| matches!(byte, b'.' | b'-' | b'_');
    format!(
        "{}@{}",
        percent(address.user(), signs),
        percent(address.domain(), signs)
    )
}

fn percent(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(3 * text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || is_plain(byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
