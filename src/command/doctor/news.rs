//! The check of a news server: that it can be reached and trusted, takes the login, has the group,
//! and lets its user post there.

use crate::Error;
use crate::command::doctor::checks::{Finding, Report, Service, Stop, within};
use crate::config::news::NewsSettings;
use crate::mail::nntp;
use crate::mail::nntp::connection::{NntpError, Posting};
use crate::mail::settings::ConnectionSettings;
use crate::printable::counted;

/// What a news server says of its group: the articles there, and whether one may post.
struct Seen {
    articles: u64,
    may_post: bool,
    posting: Option<Posting>,
}

/// Checks a news server, and posts nothing.
///
/// # Errors
///
/// If the report cannot be written.
pub(crate) fn check_news(
    settings: &NewsSettings,
    report: &mut Report<'_, '_>,
) -> Result<(), Error> {
    let check = news_server(settings, report);
    report.end(check)
}

fn news_server(settings: &NewsSettings, report: &mut Report<'_, '_>) -> Result<(), Stop> {
    let (server, group) = (&settings.server, &settings.group);
    let service = Service::of_news_server(server, report.patience);
    let known = ConnectionSettings {
        login: service.prepare()?,
        ..server.clone()
    };
    let asked = group.clone();
    let seen = service.answered(within(move || {
        let mut connection = nntp::connect(&known)?;
        let seen = connection.group(&asked).and_then(|marks| {
            Ok(Seen {
                articles: marks.most_articles(),
                may_post: connection.may_post
                    || !connection.tells_capabilities()
                    || connection.can("POST", None),
                posting: connection.posting(&asked, nntp::LIMIT)?,
            })
        });
        nntp::leave(connection);
        Ok(seen)
    }))?;
    let seen = seen.map_err(|error| match &error {
        NntpError::NeedsLogin(_) => service.wrong(
            error,
            "write user and password_file, password_command or password_env in [news]",
        ),
        NntpError::Unfit(_) => service.wrong(error, "check group in [news]"),
        _ if error.is_permanent() => {
            service.wrong(error, "check group, and user and password, in [news]")
        }
        _ => service.wrong(error, "try again later"),
    })?;
    let closed = || format!("nobody may post to {group} there");
    report.add(match seen.posting {
        _ if !seen.may_post => service.wrong(
            "it lets this user read alone",
            "ask who runs the server, or write user and password in [news]",
        ),
        Some(Posting::Closed) => service.wrong(closed(), "check group in [news]"),
        Some(Posting::Moderated) => Finding::note(
            service.what(),
            format!("articles to {group} go to its moderator, who decides"),
        ),
        Some(Posting::Open) | None => Finding::ok(
            service.what(),
            format!(
                "{group} has {}, and one may post there",
                counted(
                    usize::try_from(seen.articles).unwrap_or(usize::MAX),
                    "article"
                )
            ),
        ),
    })?;
    Ok(())
}
