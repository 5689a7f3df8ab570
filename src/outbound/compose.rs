//! Composes the mails of a match. They are made only from the state file and the templates,
//! so that the same bytes can be made again at any time.
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

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::mail::transport::OutgoingMessage;
use crate::match_id::Id;
use crate::matches::codes::AnswerCode;
use crate::matches::event::Who;
use crate::matches::mail::{MailKind, MailStep, QueuedMail};
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::outbound::html_part::{self, HtmlPart};
use crate::outbound::template_context::TemplateContext;
use crate::outbound::templates::Templates;
use crate::outbound::{taps, wrap};
use crate::printable::{filled, html};
use crate::rules::Color;

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
    let to = if game.is_referee(address) {
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
    let mut thread = if owed.kind == MailKind::Question {
        Vec::new()
    } else {
        thread(&then, owed.to)
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
        builder = builder.raw_header(list_unsubscribe(then.id(), from.address(), code));
    }
    if owed.automatic {
        builder = builder.raw_header(header("Auto-Submitted", "auto-replied".to_owned()));
    }
    let text = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .body(wrap::encoded(text));
    let html = html_part::make(&then, owed, &context, templates, ids)?;
    let page = html_part::attached_page(&then, owed, from.address(), templates, ids);
    let page = page.map(|page| attached(then.id(), page));
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
        .boundary(html_part::name(msg, "alternative"))
        .singlepart(text)
        .singlepart(page);
    let kind = format!(
        "multipart/related; boundary=\"{}\"; type=\"multipart/alternative\"",
        html_part::name(msg, "related")
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
    MultiPart::mixed().boundary(html_part::name(msg, "mixed"))
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

/// Creates the header with the link by which a player asks for no more mail (RFC 2369), which
/// must not be broken or encoded. Programs follow it on one click, and the mail that they send
/// cites nothing, so it has a code.
fn list_unsubscribe(id: &Id, from: &Address, code: AnswerCode) -> HeaderValue {
    let subject = taps::encoded(&format!("[{id}] unsubscribe"));
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
    let part = html_part::make(&then, owed, &context, templates, ids)?;
    let attached =
        html_part::attached_page(&then, owed, context.from.address(), templates, ids).is_some();
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
