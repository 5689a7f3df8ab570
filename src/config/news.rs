//! The section `[news]`: the news server, and the user's name and group there.

use std::path::Path;

use lettre::message::Mailbox;
use serde::Deserialize;

use crate::Error;
use crate::config::transport::{OneOrMany, login, resolve};
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::settings::{ConnectionSettings, Tls};
use crate::matches::article::NewsPace;

/// The news server, and the user's name and group there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewsSettings {
    /// The connection to the server.
    pub server: ConnectionSettings,
    /// The writer of the articles, whose address everybody reads.
    pub from: Mailbox,
    /// The group for matches that name no other.
    pub group: Newsgroup,
    /// How much of a match is posted by itself, and when.
    pub pace: NewsPace,
}

/// The most half-moves between two positions, or by which one is late.
const MOST_MOVES: usize = 100;

/// The most days by which an article is late.
const MOST_DAYS: u16 = 365;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNews {
    host: String,
    port: Option<u16>,
    tls: Option<Tls>,
    ca_file: Option<String>,
    user: Option<String>,
    password_file: Option<String>,
    password_command: Option<OneOrMany>,
    password_env: Option<String>,
    from: String,
    group: String,
    every: Option<usize>,
    delay_moves: Option<usize>,
    delay_days: Option<u16>,
    only_finished: Option<bool>,
}

impl RawNews {
    /// Checks the section. Relative paths in it start at `base`.
    pub(super) fn check(self, base: &Path) -> Result<NewsSettings, Error> {
        let wrong = |what: String| Error::refused(format!("[news] {what}"));
        let password = (self.password_file, self.password_command, self.password_env);
        let login = login("news", base, self.user, password, None)?;
        let tls = self.tls.unwrap_or(Tls::Tls);
        if login.is_some() && tls == Tls::None {
            return Err(wrong(
                "no password is sent without TLS: tls = \"starttls\" or \"tls\", or no user"
                    .to_owned(),
            ));
        }
        let pace = NewsPace {
            every: self.every.unwrap_or(1),
            delay_moves: self.delay_moves.unwrap_or_default(),
            delay_days: self.delay_days.unwrap_or_default(),
            only_finished: self.only_finished.unwrap_or_default(),
        };
        if !(1..=MOST_MOVES).contains(&pace.every) {
            return Err(wrong(format!("every: 1 to {MOST_MOVES} half-moves")));
        } else if pace.delay_moves > MOST_MOVES || pace.delay_days > MOST_DAYS {
            return Err(wrong(format!(
                "a delay: up to {MOST_MOVES} half-moves (delay_moves), or up to {MOST_DAYS} days (delay_days)"
            )));
        } else if pace.delay_moves > 0 && pace.delay_days > 0 {
            return Err(wrong(
                "a delay: delay_moves or delay_days, not both".to_owned(),
            ));
        } else if pace.only_finished && (pace.every, pace.delay_moves) != (1, 0) {
            return Err(wrong(
                "only_finished: then there is no position before the end, and neither every nor delay_moves".to_owned(),
            ));
        }
        let from: Option<Mailbox> = self.from.parse().ok();
        // The header of an article is in ASCII.
        let from = from.filter(|from| from.email.to_string().is_ascii());
        let from = from.ok_or_else(|| {
            let text = self.from.escape_debug();
            wrong(format!(
                "from: '{text}' is no name and address in ASCII, like 'Anna <anna@example.invalid>'; a name with signs such as a comma stands in quotes"
            ))
        })?;
        let group = self.group.parse();
        let group = group
            .map_err(|error| wrong(format!("group: '{}' is {error}", self.group.escape_debug())))?;
        Ok(NewsSettings {
            server: ConnectionSettings {
                host: self.host,
                port: self.port.unwrap_or(match tls {
                    Tls::None | Tls::Starttls => 119,
                    Tls::Tls => 563,
                }),
                tls,
                ca_file: self.ca_file.map(|file| resolve(base, &file)),
                login,
            },
            from,
            group,
            pace,
        })
    }
}
