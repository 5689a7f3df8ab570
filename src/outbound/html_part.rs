//! The HTML of a mail, with the picture of the board.
//!
//! It says what the text says, from the same values. Whatever came from outside is
//! escaped by the templates; no value is a link but those of the taps.
//!
//! A mail can carry a page to answer on, too, as an attachment. It has what the mail may hold
//! and no more: the names of both players, the moves, and the address, the subject and the
//! answer code that the links of that mail have.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::matches::event::{Event, Who};
use crate::matches::hash::hex;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::outbound::taps::{self, Taps};
use crate::outbound::template_context::{TemplateContext, shown};
use crate::outbound::templates::Templates;
use crate::outbound::wrap::{self, quoted_printable};
use crate::printable::is_legal;
use crate::render::picture::{self, Picture, Theme};
use crate::render::view::{Details, ShownNote, View};
use crate::render::{page, text};
use crate::rules::{Color, Record};

/// The most bytes of HTML as it is sent, in quoted-printable: Gmail clips what is longer than
/// 102 KiB. The links give way; a page that is longer without them is left out, since the text
/// says it all.
const LONGEST: usize = 95_000;

/// The most bytes of a page in a mail. A longer one is left out, since the text of the
/// mail says it all.
const LONGEST_PAGE: usize = 500_000;

/// The most bytes of the words of another person in HTML, where each may take six.
const LONGEST_WORDS: usize = 20_000;

/// The most bytes of the list of moves in HTML.
const LONGEST_LIST: usize = 12_000;

/// The bytes of the number of a move and of the tags around it.
const MARKUP: usize = 30;

/// The width at which the picture is shown where there is room.
const WIDTH: u32 = 480;

/// The pixels of the picture for each two of that width: a phone 360 wide has two for each, and
/// shows all of them.
const PIXELS: u32 = 3;

/// The HTML of a mail.
pub(super) struct HtmlPart {
    /// The page.
    pub(super) html: String,
    /// The picture of the board, a PNG.
    pub(super) picture: Vec<u8>,
    /// The Content-ID by which the page shows the picture, without brackets.
    pub(super) content_id: String,
}

/// The values that templates of HTML can use besides those of the text.
#[derive(Serialize)]
struct Page<'c> {
    #[serde(flatten)]
    context: &'c TemplateContext,
    subject: &'c str,
    picture: ShownPicture,
    taps: Taps,
    /// The words of another person, or what an answer says.
    words: Clipped,
    moves: Moves,
}

/// The picture of the board on the page.
#[derive(Serialize)]
struct ShownPicture {
    content_id: String,
    /// The position in words.
    alt: String,
    /// The size at which it is shown, in pixels.
    width: u32,
    height: u32,
}

/// A text that may be cut.
#[derive(Serialize, PartialEq, Eq, Debug)]
struct Clipped {
    text: String,
    is_cut: bool,
    /// The text in one part, or in two of which the second is folded.
    parts: Vec<String>,
}

/// The list of moves, or its end.
#[derive(Serialize)]
struct Moves {
    /// The half-moves, each with its number where one is needed.
    list: Vec<String>,
    is_cut: bool,
}

/// Makes the HTML of a mail, or returns `None` if the mail is text alone.
///
/// # Errors
///
/// If a template of the user's is broken.
pub(super) fn make(
    then: &Match,
    owed: &QueuedMail,
    context: &TemplateContext,
    templates: &Templates,
    ids: &MailIds,
) -> Result<Option<HtmlPart>, Error> {
    let is_wanted = templates.settings.html && then.takes_html(owed.to);
    if !is_wanted || then.is_referee(then.address_of(owed)) {
        return Ok(None);
    }
    let record = shown(then, owed);
    let (_, domain) = owed.msg.bare().split_once('@').unwrap_or_default();
    let content_id = format!("{}@{domain}", name(&owed.msg, "board"));
    let picture = picture(then, &record, owed.to)?;
    let height = height(&picture);
    let mut page = Page {
        context,
        subject: &context.subject,
        picture: ShownPicture {
            content_id: content_id.clone(),
            alt: text::in_words(record.position(), owed.to),
            width: WIDTH,
            height: height * 2 / PIXELS,
        },
        taps: Taps::of(then, owed, context.from.address(), ids),
        words: clipped(&context.text, LONGEST_WORDS),
        moves: last_moves(&record),
    };
    loop {
        let Some(html) = templates.render_html(owed.kind.as_str(), &page)? else {
            return Ok(None);
        };
        let html: String = html.chars().filter(|c| is_legal(*c)).collect();
        let sent = quoted_printable(html.clone());
        if sent.as_ref().len() < LONGEST {
            return Ok(Some(HtmlPart {
                html,
                picture,
                content_id,
            }));
        }
        if !page.taps.shorten() {
            return Ok(None);
        }
    }
}

/// Draws the last position of a record as its reader sees it, with letters, which are
/// what an answer is written in.
fn picture(then: &Match, record: &Record, reader: Color) -> Result<Vec<u8>, Error> {
    let picture = Picture {
        size: WIDTH * PIXELS / 2,
        is_flipped: reader == Color::Black,
        theme: Theme::Framed,
        has_letters: true,
        is_compact: true,
    };
    let is_last = record.steps().len() == then.record().steps().len();
    let view = match then.ending().filter(|_| is_last) {
        Some(ending) => View::of(record).ended(ending.result(), ending.status()),
        None => View::of(record),
    };
    picture::png(&view, &picture)
}

/// Returns the height of a PNG, which stands in its header.
fn height(png: &[u8]) -> u32 {
    let bytes = png.get(20..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Returns a name that is the same each time the mail is made. It tells nothing of the
/// Message-ID, by which a letter proves who wrote it.
pub(super) fn name(msg: &MessageId, what: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(what.as_bytes());
    hash.update(b"\n");
    hash.update(msg.as_str().as_bytes());
    let hash = hash.finalize();
    format!("{what}-{}", hex(&hash[..12]))
}

/// Cuts a text so that it takes at most this many bytes of HTML.
fn clipped(text: &str, most: usize) -> Clipped {
    let mut bytes = 0;
    let end = text.char_indices().find(|(_, c)| {
        bytes += escaped(*c);
        bytes > most
    });
    let text = match end {
        None => text.to_owned(),
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
    };
    Clipped {
        parts: wrap::folded(&text),
        is_cut: end.is_some(),
        text,
    }
}

/// Returns the number of bytes of a character in HTML.
fn escaped(c: char) -> usize {
    match c {
        '<' | '>' | '&' | '"' | '\'' | '/' => "&quot;".len(),
        c => c.len_utf8(),
    }
}

/// Writes the moves, from the first one that leaves room for the rest.
fn last_moves(record: &Record) -> Moves {
    let steps = record.steps();
    let mut bytes = 0;
    let kept = steps.iter().rev().take_while(|step| {
        bytes += MARKUP + step.text.chars().map(escaped).sum::<usize>();
        bytes <= LONGEST_LIST
    });
    let from = steps.len() - kept.count();
    let list = steps.iter().enumerate().skip(from);
    let list = list.map(|(ply, step)| {
        if ply == from || move_list::mover(ply) == Color::White {
            // The number stays beside its move.
            move_list::numbered(ply, &step.text).replace(". ", ".\u{a0}")
        } else {
            step.text.clone()
        }
    });
    Moves {
        list: list.collect(),
        is_cut: from > 0,
    }
}

/// Makes the page of a mail, or returns `None` if the mail has none: nobody asked for
/// one, or its reader is not to move or wants text alone.
pub(super) fn attached_page(
    then: &Match,
    owed: &QueuedMail,
    from: &lettre::Address,
    templates: &Templates,
    ids: &MailIds,
) -> Option<String> {
    let is_wanted = templates.settings.page && then.takes_html(owed.to);
    if !is_wanted || then.is_referee(then.address_of(owed)) {
        return None;
    }
    let details = Details {
        answering: Some(taps::answering(then, owed, from, ids)?),
        ..details(then)
    };
    let page = page::write(&View::of(then.record()).with_details(details), false);
    (page.len() <= LONGEST_PAGE).then_some(page)
}

/// Returns what a page tells of a match: names, never addresses.
pub fn details(game: &Match) -> Details {
    let ending = game.ending();
    Details {
        players: Color::ALL.map(|color| game.player(color).given_name().to_owned()),
        event: game.settings().event.clone().unwrap_or_default(),
        begun: Some(game.started().date_naive()),
        ending: ending.map(|ending| format!("{}.", ending.sentence(game.variant()))),
        ..Details::default()
    }
}

/// Returns what was written in a match, each at the last move before it that still stands.
pub fn notes(game: &Match) -> Vec<ShownNote> {
    let moves: Vec<usize> = game.state.lines().collect();
    let lines = (1..).zip(game.log());
    lines
        .filter_map(|(line, event)| {
            let Event::Note(text) = &event.event else {
                return None;
            };
            let by = match event.who {
                Who::Player(color) => Some(color),
                Who::Referee => None,
                Who::Nobody => return None,
            };
            Some(ShownNote {
                plies: moves.partition_point(|of_move| *of_move < line),
                by,
                text: text.clone()?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Clipped, clipped};

    #[test]
    fn a_text_is_cut_where_its_html_would_be_too_long() {
        let whole = |text: &str| Clipped {
            text: text.to_owned(),
            is_cut: false,
            parts: vec![text.to_owned()],
        };
        assert_eq!(clipped("a&b", 8), whole("a&b"));
        let cut = clipped("a&b", 7);
        assert_eq!((cut.text.as_str(), cut.is_cut), ("a& …", true));
        assert_eq!(clipped("", 0), whole(""));
    }
}
