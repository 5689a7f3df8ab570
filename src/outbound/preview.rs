//! A mail of ours as a page: what a mail program shows of it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::Error;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::outbound::html_part;
use crate::outbound::template_context::TemplateContext;
use crate::outbound::templates::Templates;
use crate::outbound::wrap;
use crate::printable::{filled, html};

/// The page, with the names of its parts in double braces. What it shows runs no script and asks the network
/// for nothing, whatever a template of the user's says.
const PAGE: &str = include_str!("preview/page.html");

/// Writes a mail, from the user `me`, as a page: its head, its HTML with the picture, and its text.
///
/// # Errors
///
/// As [`compose`](crate::outbound::compose::compose).
pub fn page(
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
