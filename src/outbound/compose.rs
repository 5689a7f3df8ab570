//! Composes the mails of a match. They are made only from the state file and the templates,
//! so that the same bytes can be made again at any time.
//!
//! The HTML of a mail has the picture of the board. It says what the text says, from the same
//! values. Whatever came from outside is escaped by the templates; no value is a link but those
//! of the taps.
//!
//! A mail can carry a page to answer on, too, as an attachment. It has what the mail may hold
//! and no more: the names of both players, the moves, and the address, the subject and the
//! answer code that the links of that mail have.
//!
//! A mail of ours as a page: what a mail program shows of it.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::{DateTime, Utc};
use lettre::Address;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{
    Attachment, Body, Mailbox, Message, MultiPart, MultiPartBuilder, SinglePart,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::mail::transport::OutgoingMessage;
use crate::match_id::Id;
use crate::matches::codes::AnswerCode;
use crate::matches::event::{Event, Who};
use crate::matches::hash::hex;
use crate::matches::mail::{MailKind, MailStep, MailedPuzzle, QueuedMail};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::notation::diagram::Diagram;
use crate::notation::move_list;
use crate::outbound::taps::{self, Taps};
use crate::outbound::template_context::{TemplateContext, shown};
use crate::outbound::templates::Templates;
use crate::outbound::wrap::{self, quoted_printable};
use crate::printable::{filled, html, is_legal};
use crate::render::picture::{Picture, Theme};
use crate::render::puzzle::PosedPuzzle;
use crate::render::raster;
use crate::render::view::{Details, ShownNote, View};
use crate::render::{page, text};
use crate::rules::{Color, Record};

/// The maximum number of Message-IDs in `References`: the first and the last
/// ones. Without a limit, mail servers would refuse the header of a long match.
pub(super) const MOST_REFERENCES: usize = 20;

/// Makes an owed mail, from the user `me`. `ids` made its Message-ID.
///
/// # Errors
///
/// If a template of the user's is broken, or this version does not know the
/// kind of mail.
pub fn compose(
    game: &Match,
    owed: &QueuedMail,
    me: &Player,
    templates: &Templates,
    ids: &MailIds,
) -> Result<OutgoingMessage, Error> {
    // A mail shows the match at the time it became due.
    let then = game.as_of(owed.line)?;
    let context =
        TemplateContext::new(&then, owed, me).with_settings(&then, owed, templates.settings);
    let text = wrap::tidy(&templates.render(owed.kind.as_str(), &context)?);
    let from = context.from.clone();
    let address = game.address_of(owed);
    // The person who chose the name may have given somebody else's address.
    let is_unnamed = game.is_referee(address) || owed.kind == MailKind::Address;
    let to = if is_unnamed {
        Mailbox::new(None, address.clone())
    } else {
        mailbox(game.player(owed.to), address)
    };
    let mut builder = Message::builder()
        .from(mailbox(&from, from.address()))
        .to(to)
        .subject(context.subject.as_str())
        .date(date(owed.time))
        .raw_header(id_list("Message-ID", std::slice::from_ref(&owed.msg)));
    let mut thread = if owed.kind.is_about_match() {
        thread(&then, owed.to)
    } else {
        Vec::new()
    };
    if let Some(parent) = owed.re.clone().or_else(|| thread.last().cloned()) {
        builder = builder.raw_header(id_list("In-Reply-To", std::slice::from_ref(&parent)));
        thread.retain(|id| *id != parent);
        thread.push(parent);
        let surplus = thread.len().saturating_sub(MOST_REFERENCES);
        thread.drain(1..=surplus);
        builder = builder.raw_header(id_list("References", &thread));
    }
    // Lets the program recognise the mail if it comes back, forwarded or
    // under another id.
    builder = builder.raw_header(header("X-Loop", me.address().to_string()));
    let is_puzzle = owed.kind == MailKind::Puzzle;
    // An answer to the player's own letter has an address on its line in the log.
    let is_answer = then
        .log()
        .last()
        .is_some_and(|event| event.get("to").is_some());
    let code = ids.unsubscribe_code(&then, owed.to);
    if !is_answer
        && !game.is_referee(address)
        && let Some(code) = code
    {
        let word = if is_puzzle {
            "puzzles-off"
        } else {
            "unsubscribe"
        };
        let header = list_unsubscribe(then.id(), from.address(), word, code);
        builder = builder.raw_header(header);
    }
    if owed.automatic {
        let how = if is_puzzle {
            "auto-generated"
        } else {
            "auto-replied"
        };
        builder = builder.raw_header(header("Auto-Submitted", how.to_owned()));
    }
    let text = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .body(wrap::encoded(text));
    let html = html_part(&then, owed, &context, templates, ids)?;
    let page = attached_page(&then, owed, from.address(), templates, ids);
    let page = page.map(|page| attached(then.id(), page));
    // No mail has both: who gets a puzzle is not asked for a move.
    let page = owed.puzzle.as_ref().map(solution).or(page);
    let message = match (html, page) {
        (None, None) => builder.singlepart(text),
        (Some(html), None) => builder.multipart(multipart(&owed.msg, text, html)),
        (None, Some(page)) => builder.multipart(mixed(&owed.msg).singlepart(text).singlepart(page)),
        (Some(html), Some(page)) => {
            let shown = multipart(&owed.msg, text, html);
            builder.multipart(mixed(&owed.msg).multipart(shown).singlepart(page))
        }
    };
    let message = message
        .map_err(|error| Error::refused(format!("{}: {error}", owed.msg)).with_source(error))?;
    Ok(OutgoingMessage::new(message, owed.msg.clone(), owed.time))
}

/// Joins the parts in the form that mail programs show best. The library would choose
/// the boundaries by chance.
fn multipart(msg: &MessageId, text: SinglePart, html: HtmlPart) -> MultiPart {
    let page = SinglePart::builder()
        .header(ContentType::TEXT_HTML)
        .body(wrap::quoted_printable(html.html));
    let both = MultiPart::alternative()
        .boundary(part_name(msg, "alternative"))
        .singlepart(text)
        .singlepart(page);
    let kind = format!(
        "multipart/related; boundary=\"{}\"; type=\"multipart/alternative\"",
        part_name(msg, "related")
    );
    let kind = ContentType::parse(&kind).expect("the content type is well-formed");
    let png = ContentType::parse("image/png").expect("the content type is well-formed");
    let picture = Attachment::new_inline_with_name(html.content_id, "board.png".to_owned())
        .body(html.picture, png);
    MultiPart::builder()
        .header(kind)
        .multipart(both)
        .singlepart(picture)
}

/// Begins a mail with an attachment.
fn mixed(msg: &MessageId) -> MultiPartBuilder {
    MultiPart::mixed().boundary(part_name(msg, "mixed"))
}

/// Makes the attachment of a page. In base64 no line of it can be taken for a line of
/// the mail.
fn attached(id: &Id, page: String) -> SinglePart {
    let encoding = ContentTransferEncoding::Base64;
    // As bytes, so that no line end is changed.
    let body = Body::new_with_encoding(page.into_bytes(), encoding);
    let body = body.unwrap_or_else(Body::new);
    Attachment::new(format!("{id}.html")).body(body, ContentType::TEXT_HTML)
}

/// Makes the attachment with the solution of a puzzle, so that nobody reads it by accident.
fn solution(puzzle: &MailedPuzzle) -> SinglePart {
    let text = wrap::encoded(wrap::tidy(&wrap::lines(&puzzle.solution)));
    Attachment::new("solution.txt".to_owned()).body(text, ContentType::TEXT_PLAIN)
}

/// Returns the mailbox of a player at an address, with the name if one was given.
pub(crate) fn mailbox(player: &Player, address: &lettre::Address) -> Mailbox {
    let name = Some(player.given_name())
        .filter(|name| !name.is_empty())
        .map(ToOwned::to_owned);
    Mailbox::new(name, address.clone())
}

/// Writes Message-IDs into a header, one on each line. They are printable ASCII
/// and must not be encoded.
pub(super) fn id_list(name: &'static str, ids: &[MessageId]) -> HeaderValue {
    let ids: Vec<&str> = ids.iter().map(MessageId::as_str).collect();
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::dangerous_new_pre_encoded(name, ids.join(" "), ids.join("\r\n "))
}

pub(super) fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

/// Creates the header with the link by which a player asks for no more mail (RFC 2369), or for no
/// more puzzles, which must not be broken or encoded. Programs follow it on one click, and the mail
/// that they send cites nothing, so it has a code.
fn list_unsubscribe(id: &Id, from: &Address, word: &str, code: AnswerCode) -> HeaderValue {
    let subject = taps::encoded(&format!("[{id}] {word}"));
    let to = taps::encoded_address(from);
    let link = format!("mailto:{to}?subject={subject}-{code}");
    let name = HeaderName::new_from_ascii_str("List-Unsubscribe");
    HeaderValue::dangerous_new_pre_encoded(name, format!("<{link}>"), format!("\r\n <{link}>"))
}

/// Returns the earlier messages of a match that the recipient of its last owed
/// mail knows, oldest first: those to and from that player. It leaves out mails
/// that nobody got, because the move they report was taken back, or because
/// they were refused or dropped.
///
/// Only the log up to the owed mail counts, so that a mail made again has the
/// same thread.
fn thread(then: &Match, to: Color) -> Vec<MessageId> {
    let log = then.log();
    let sent = log
        .iter()
        .filter(|event| event.mail_step() == Some(MailStep::Sent));
    let sent = sent.filter_map(|event| event.get("msg"));
    let waiting = then.owed().iter().map(|owed| owed.msg.as_str());
    let goes: HashSet<&str> = sent.chain(waiting).collect();
    let mut known = HashSet::new();
    let mut thread = Vec::new();
    for event in &log[..log.len() - 1] {
        let concerns = event.who == Who::Player(to)
            && !event.owes_puzzle()
            && event.owed_kind() != Some(&MailKind::Address)
            && match event.mail_step() {
                Some(MailStep::Owed) => event.get("msg").is_some_and(|id| goes.contains(id)),
                step => step.is_none(),
            };
        if let Some(id) = event.message_id("msg").filter(|_| concerns)
            && known.insert(id.clone())
        {
            thread.push(id);
        }
    }
    thread
}

/// Returns the time of a `Date` field. The library supports no time before 1970,
/// and no leap second at the end of the year 9999.
pub(super) fn date(time: DateTime<Utc>) -> SystemTime {
    let seconds = u64::try_from(time.timestamp()).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The page, with the names of its parts in double braces. What it shows runs no script and asks the network
/// for nothing, whatever a template of the user's says.
const PAGE: &str = include_str!("preview/page.html");

/// Writes a mail, from the user `me`, as a page: its head, its HTML with the picture, and its text.
///
/// # Errors
///
/// As [`compose`].
pub fn preview(
    game: &Match,
    owed: &QueuedMail,
    me: &Player,
    templates: &Templates,
    ids: &MailIds,
) -> Result<String, Error> {
    let then = game.as_of(owed.line)?;
    let context =
        TemplateContext::new(&then, owed, me).with_settings(&then, owed, templates.settings);
    let text = wrap::tidy(&templates.render(owed.kind.as_str(), &context)?);
    let part = html_part(&then, owed, &context, templates, ids)?;
    let attached = attached_page(&then, owed, context.from.address(), templates, ids).is_some();
    let (from, to) = (&context.from, game.player(owed.to));
    let mailbox = |player: &Player, address: &lettre::Address| match player.given_name() {
        "" => address.to_string(),
        name => format!("{name} <{address}>"),
    };
    let from = mailbox(from, from.address());
    let to = mailbox(to, game.address_of(owed));
    let date = owed.time.format("%-d %B %Y, %H:%M UTC").to_string();
    let attachment = if attached {
        format!("<dt>Attached</dt><dd>{}.html</dd>\n", game.id())
    } else if owed.puzzle.is_some() {
        "<dt>Attached</dt><dd>solution.txt</dd>\n".to_owned()
    } else {
        String::new()
    };
    let shown = match &part {
        None => format!("<pre>{}</pre>", html(&text)),
        Some(part) => {
            let picture = format!("data:image/png;base64,{}", BASE64.encode(&part.picture));
            let shown = part
                .html
                .replace(&format!("cid:{}", part.content_id), &picture);
            let links = "allow-popups allow-top-navigation-to-custom-protocols";
            format!(
                "<iframe title=\"The mail\" sandbox=\"{links}\" srcdoc=\"{}\"></iframe>\n\
                 <details><summary>Its text, for programs that show no HTML</summary>\n<pre>{}</pre></details>",
                html(&shown),
                html(&text)
            )
        }
    };
    Ok(filled(
        PAGE,
        &[
            ("subject", &html(&context.subject)),
            ("from", &html(&from)),
            ("to", &html(&to)),
            ("date", &date),
            ("attachment", &attachment),
            ("mail", &shown),
        ],
    ))
}

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
struct HtmlPart {
    /// The page.
    html: String,
    /// The picture of the board, a PNG.
    picture: Vec<u8>,
    /// The Content-ID by which the page shows the picture, without brackets.
    content_id: String,
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
    /// None in a mail of a match.
    puzzle: Option<ShownPuzzle>,
}

/// A puzzle on the page, without its solution.
#[derive(Serialize)]
struct ShownPuzzle {
    game: &'static str,
    options: Vec<&'static str>,
    /// What is to be done, and below it what else there is to know.
    task: Vec<String>,
    fen: String,
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
fn html_part(
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
    let posed = match &owed.puzzle {
        None => None,
        // A position that this version does not know is drawn by no picture.
        Some(_) => match PosedPuzzle::of(&context.text) {
            Ok(Some(posed)) => Some(posed),
            Ok(None) | Err(_) => return Ok(None),
        },
    };
    let record = shown(then, owed);
    let (_, domain) = owed.msg.bare().split_once('@').unwrap_or_default();
    let content_id = format!("{}@{domain}", part_name(&owed.msg, "board"));
    let (position, reader) = match &posed {
        None => (record.position(), owed.to),
        Some(posed) => (&posed.position, posed.position.turn()),
    };
    let picture = match &posed {
        None => picture(&of_match(then, &record), reader)?,
        Some(_) => picture(&View::drawn(Diagram::of(position)), reader)?,
    };
    let height = height(&picture);
    let mut page = Page {
        context,
        subject: &context.subject,
        picture: ShownPicture {
            content_id: content_id.clone(),
            alt: text::in_words(position, reader),
            width: WIDTH,
            height: height * 2 / PIXELS,
        },
        taps: Taps::of(then, owed, context.from.address(), ids),
        words: clipped(&context.text, LONGEST_WORDS),
        moves: last_moves(&record),
        puzzle: posed.as_ref().map(ShownPuzzle::of),
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

impl ShownPuzzle {
    fn of(posed: &PosedPuzzle) -> ShownPuzzle {
        let variant = posed.position.variant();
        ShownPuzzle {
            game: variant.game().name,
            options: variant.options().to_vec(),
            task: posed.task.clone(),
            fen: posed.position.fen(),
        }
    }
}

/// Draws a position as its reader sees it, with letters, which are what an answer is written in.
fn picture(view: &View<'_>, reader: Color) -> Result<Vec<u8>, Error> {
    let picture = Picture {
        size: WIDTH * PIXELS / 2,
        is_flipped: reader == Color::Black,
        theme: Theme::Framed,
        has_letters: true,
        is_compact: true,
        ..Picture::default()
    };
    raster::png(view, &picture)
}

/// Views the last position of a record of a match.
fn of_match<'r>(then: &Match, record: &'r Record) -> View<'r> {
    let is_last = record.steps().len() == then.record().steps().len();
    match then.ending().filter(|_| is_last) {
        Some(ending) => View::of(record).ended(ending.result(), ending.status()),
        None => View::of(record),
    }
}

/// Returns the height of a PNG, which stands in its header.
fn height(png: &[u8]) -> u32 {
    let bytes = png.get(20..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Returns a name that is the same each time the mail is made. It tells nothing of the
/// Message-ID, by which a letter proves who wrote it.
fn part_name(msg: &MessageId, what: &str) -> String {
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
fn attached_page(
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
    let page = page::write(
        &View::of(then.record()).with_details(details),
        &Picture::default(),
    );
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
