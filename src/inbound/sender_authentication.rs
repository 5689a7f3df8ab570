//! Checks that a message is from its sender, beyond the address.
//!
//! Anybody can write any address into a From field. A message that cites a Message-ID
//! of ours proves that its sender has seen our mail. A signature that a trusted mail
//! server has checked proves that the domain of the address sent the message.

use std::collections::HashSet;

use lettre::Address;

use crate::config::{Policy, SenderPolicy};
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::mailing_list::{lines_disclosed, since_public};
use crate::mail::message_id::MessageId;
use crate::matches::event::{LogEntry, Who};
use crate::matches::mail::{MailKind, MailStep};
use crate::matches::r#match::Match;
use crate::rules::Color;

/// Checks that a message is from the player of this side, as the policy asks.
///
/// # Errors
///
/// If the message lacks the proof that the policy asks for.
pub fn check(
    policy: &Policy,
    message: &IncomingMessage,
    game: &Match,
    side: Color,
) -> Result<(), AuthenticationError> {
    match policy.identity {
        SenderPolicy::Address => Ok(()),
        SenderPolicy::Token if cites_own(message, game, side) => Ok(()),
        SenderPolicy::Token => Err(AuthenticationError::NoToken),
        SenderPolicy::Dkim => check_signature(policy, message),
    }
}

/// Checks the signature of a message, if the policy asks for one. An invitation has
/// nothing else that could prove its sender, and the answer code of a message from an unknown
/// address proves no signature.
///
/// # Errors
///
/// If the policy asks for a signature and the message has none that a trusted host has
/// checked.
pub fn check_signature(
    policy: &Policy,
    message: &IncomingMessage,
) -> Result<(), AuthenticationError> {
    if policy.identity != SenderPolicy::Dkim {
        return Ok(());
    }
    let sender = message.sender.as_ref();
    let sender = sender.ok_or(AuthenticationError::UnclearSender)?;
    vouched(message.results.as_deref(), sender, &policy.trusted)
}

/// Checks that a message from the referee's address is from the referee, as the policy
/// asks. `opponent` is the user's opponent, whose mail goes to the referee.
///
/// # Errors
///
/// If the message lacks the proof that the policy asks for.
pub fn check_referee(
    policy: &Policy,
    message: &IncomingMessage,
    game: &Match,
    opponent: Color,
) -> Result<(), AuthenticationError> {
    check(policy, message, game, opponent)?;
    match policy.identity {
        SenderPolicy::Token if !cites_mail_to_referee(message, game, opponent) => {
            Err(AuthenticationError::NoToken)
        }
        _ => Ok(()),
    }
}

/// Returns true if the message cites a mail that went to the referee only. What went to
/// the opponent's own address proves nothing, because the opponent knows its id.
fn cites_mail_to_referee(message: &IncomingMessage, game: &Match, opponent: Color) -> bool {
    let cites: HashSet<&str> = message.cites.iter().map(MessageId::bare).collect();
    let (mut mails, mut went_elsewhere) = (HashSet::new(), HashSet::new());
    for event in game.log() {
        let Some(id) = event.bare_message().filter(|id| cites.contains(id)) else {
            continue;
        };
        if !event.is_of_outgoing_mail() || event.who != Who::Player(opponent) {
            continue;
        }
        mails.insert(id);
        let to = event.get("to").map(str::parse::<Address>);
        if to.is_some_and(|to| !to.is_ok_and(|to| game.is_referee(&to))) {
            went_elsewhere.insert(id);
        }
    }
    mails.difference(&went_elsewhere).next().is_some()
}

/// Returns the addresses that the questions went to which a message answers: those
/// which match of the player's was meant. `own` are the player's matches.
pub fn questions_answered(message: &IncomingMessage, own: &[&Match]) -> Vec<Address> {
    if message.cites.is_empty() {
        return Vec::new();
    }
    let events = own.iter().flat_map(|keeper| keeper.log());
    let questions = events.filter(|event| {
        event.owed_kind() == Some(&MailKind::Question)
            && event
                .message_id("msg")
                .is_some_and(|id| message.cites.contains(&id))
    });
    questions
        .filter_map(|event| event.get("to")?.parse().ok())
        .collect()
}

/// Checks that a message is from the player of this side, as [`check`] does. A mail that
/// asked the player which match was meant counts in each of the player's matches, though
/// only one of them keeps it; `questions` are the addresses that those went to which the
/// message answers.
///
/// # Errors
///
/// The same as [`check`].
pub fn check_with_questions(
    policy: &Policy,
    message: &IncomingMessage,
    game: &Match,
    side: Color,
    questions: &[Address],
) -> Result<(), AuthenticationError> {
    let is_asked = || questions.iter().any(|asked| game.speaks_for(side, asked));
    let has_written_to_list = since_public(game, side).len() < game.log().len();
    match check(policy, message, game, side) {
        // A question may be kept in another match: nothing tells which of its ids is public.
        Err(AuthenticationError::NoToken) if !has_written_to_list && is_asked() => Ok(()),
        result => result,
    }
}

/// The reason why a message does not prove its sender, as a clause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuthenticationError {
    /// It is from an address that no player has.
    #[error("its sender does not play in this match")]
    NoPlayer,
    /// It cites no mail of the match that went to its sender.
    #[error("it does not answer a mail of this match that went to its sender")]
    NoToken,
    /// It has no single address in its From field.
    #[error("its sender is unclear")]
    UnclearSender,
    /// It has no `Authentication-Results` field.
    #[error("no mail server has checked its signature")]
    Unchecked,
    /// Its signature was checked by this host, which is not trusted.
    #[error("the host that checked its signature, '{}', is not trusted", .0.escape_debug())]
    UntrustedHost(String),
    /// A trusted host found no good signature of the domain.
    #[error("{host} found no good signature of {domain}")]
    NoSignature {
        /// The host.
        host: String,
        /// The domain of the sender's address.
        domain: String,
    },
}

/// Returns true if the message cites a mail that went to this player. A mail to the
/// other player proves nothing, because the other player knows its id, and so may everybody where
/// the player has written to the mailing list since.
pub(crate) fn cites_own(message: &IncomingMessage, game: &Match, side: Color) -> bool {
    let since = since_public(game, side);
    let is_whole = since.len() == game.log().len();
    // One that was owed before may be sent behind.
    has_mail(since, message, side, |event| event.is_owed() || is_whole)
}

/// Returns true if the message cites a mail that went to this player, and whose id nobody else
/// is known to know.
pub(crate) fn cites_undisclosed(message: &IncomingMessage, game: &Match, side: Color) -> bool {
    let since = &game.log()[lines_disclosed(game, side)..];
    has_mail(since, message, side, LogEntry::is_owed)
}

/// Returns true if the message cites a mail that went to this player, be its id public or not.
pub(crate) fn cites_any_own(message: &IncomingMessage, game: &Match, side: Color) -> bool {
    has_mail(game.log(), message, side, |_| true)
}

fn has_mail(
    log: &[LogEntry],
    message: &IncomingMessage,
    side: Color,
    counts: impl Fn(&LogEntry) -> bool,
) -> bool {
    log.iter().any(|event| {
        matches!(event.mail_step(), Some(MailStep::Owed | MailStep::Sent))
            && counts(event)
            && event.who == Who::Player(side)
            && event
                .message_id("msg")
                .is_some_and(|id| message.cites.contains(&id))
    })
}

/// Checks that an `Authentication-Results` field (RFC 8601) of a trusted host
/// reports a good signature of the sender's domain, by DKIM or by DMARC.
fn vouched(
    results: Option<&str>,
    sender: &Address,
    trusted: &[String],
) -> Result<(), AuthenticationError> {
    let results = without_comments(results.ok_or(AuthenticationError::Unchecked)?);
    let mut statements = results.split(';');
    let host = statements.next().unwrap_or_default();
    let host = host.split_whitespace().next().unwrap_or_default();
    let host = host.trim_matches('"');
    if !trusted.iter().any(|name| name.eq_ignore_ascii_case(host)) {
        return Err(AuthenticationError::UntrustedHost(host.to_owned()));
    }
    let domain = sender.domain().to_ascii_lowercase();
    if statements.any(|statement| is_pass(statement, &domain)) {
        return Ok(());
    }
    Err(AuthenticationError::NoSignature {
        host: host.to_owned(),
        domain,
    })
}

/// Returns true if the statement says that a signature of this domain is good.
fn is_pass(statement: &str, domain: &str) -> bool {
    let mut pairs = statement.split_whitespace().filter_map(|word| {
        let (name, value) = word.split_once('=')?;
        let name = name.split('/').next().unwrap_or_default();
        Some((name.to_ascii_lowercase(), value.trim_matches('"')))
    });
    let (method, result) = pairs.next().unwrap_or_default();
    let is_dkim = method == "dkim";
    if !is_dkim && method != "dmarc" || !result.eq_ignore_ascii_case("pass") {
        return false;
    }
    let (mut checked, mut identity) = (None, None);
    for (name, value) in pairs {
        let behind = value.rsplit_once('@').map(|(_, domain)| domain);
        match name.as_str() {
            // With two domains it is unclear which one was checked.
            "header.d" | "header.from" if checked.is_some() => return false,
            "header.d" if is_dkim => checked = Some(value),
            // The signed identity, in the domain itself or a subdomain.
            "header.i" if is_dkim => identity = identity.or(behind),
            "header.from" if !is_dkim => checked = behind.or(Some(value)),
            _ => {}
        }
    }
    let signer = checked.or(identity).unwrap_or_default();
    let signer = signer.to_ascii_lowercase();
    let is_above = || {
        is_dkim
            && signer.contains('.')
            && domain
                .strip_suffix(signer.as_str())
                .is_some_and(|below| below.ends_with('.'))
    };
    !signer.is_empty() && (signer == domain || is_above())
}

/// Removes the comments of a field's value and the blanks beside `=`. Replaces `;`, `=`
/// and blanks in quoted strings, so that no part of a string can look like a statement.
fn without_comments(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let (mut depth, mut is_quoted) = (0_usize, false);
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            c if is_quoted && (c == ';' || c == '=' || c.is_whitespace()) => text.push('_'),
            '=' => {
                text.truncate(text.trim_end().len());
                text.push('=');
            }
            c if c.is_whitespace() && text.ends_with('=') => {}
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_results(results: &str) -> Result<(), AuthenticationError> {
        let sender = "ben@Example.org".parse().unwrap();
        vouched(Some(results), &sender, &["mx.example.net".to_owned()])
    }

    #[test]
    fn a_trusted_host_vouches_for_the_domain() {
        for results in [
            "mx.example.net; dkim=pass header.d=example.org",
            "MX.Example.NET; dkim=PASS header.d=EXAMPLE.ORG header.s=x",
            "mx.example.net 1; dkim=pass (good; signature) header.d=example.org",
            "mx.example.net;\r\n\tspf=fail smtp.mailfrom=x.test;\r\n\tdkim=pass header.i=@example.org",
            "mx.example.net; dkim=fail header.d=x.test; dkim=pass header.d=example.org",
            "mx.example.net; dkim/1 = pass reason=\"all; good\" header.d = example.org",
            "mx.example.net; dmarc=pass (p=none) header.from=example.org",
            "\"mx.example.net\"; dmarc=pass header.from=ben@example.org",
        ] {
            assert_eq!(check_results(results), Ok(()), "{results}");
        }
        let below = "ben@mail.example.org".parse().unwrap();
        let trusted = ["mx.example.net".to_owned()];
        let results = "mx.example.net; dkim=pass header.d=example.org";
        assert_eq!(vouched(Some(results), &below, &trusted), Ok(()));
    }

    #[test]
    fn nothing_else_vouches() {
        for results in [
            "",
            "mx.example.net",
            "mx.example.net; none",
            "evil.test; dkim=pass header.d=example.org",
            "mx.example.net.evil.test; dkim=pass header.d=example.org",
            "mx.example.net; dkim=fail header.d=example.org",
            "mx.example.net; dkim=pass header.d=evil.test",
            // The domain that DMARC compares says nothing about a signature.
            "mx.example.net; dkim=pass header.i=@evil.test header.from=example.org",
            "mx.example.net; dkim=pass header.from=example.org header.i=@evil.test",
            "mx.example.net; dkim=pass header.d=notexample.org",
            "mx.example.net; dkim=pass header.d=mail.example.org",
            "mx.example.net; dkim=pass header.d=org",
            "mx.example.net; dkim=pass",
            "mx.example.net; spf=pass smtp.mailfrom=example.org",
            "mx.example.net; spf=pass header.d=example.org dkim=pass",
            "mx.example.net; dmarc=pass header.d=example.org",
            "mx.example.net; dmarc=pass header.from=evil.test",
            // Regression: the last of two domains counted as the one that was checked.
            "mx.example.net; dmarc=pass header.from=evil.test header.from=example.org",
            "mx.example.net; (dkim=pass header.d=example.org)",
            "mx.example.net; dkim=fail reason=\"; dkim=pass header.d=example.org\"",
            "mx.example.net; dkim=fail reason=\"x\\\"; dkim=pass header.d=example.org\"",
            "(mx.example.net) evil.test; dkim=pass header.d=example.org",
            "mx.example.net; x-dkim=pass header.d=example.org",
        ] {
            assert!(check_results(results).is_err(), "{results}");
        }
        let sender = "ben@example.org".parse().unwrap();
        assert!(vouched(None, &sender, &["mx.example.net".to_owned()]).is_err());
        let signed = "mx.example.net; dkim=pass header.d=example.org";
        assert!(vouched(Some(signed), &sender, &[]).is_err());
    }

    /// The first method of a statement is the one that its properties are about.
    #[test]
    fn a_statement_has_one_method_and_its_properties() {
        for results in [
            "mx.example.net; spf=pass dkim=pass header.d=example.org",
            "mx.example.net; dkim=fail dkim=pass header.d=example.org",
            "mx.example.net; dkim=fail dmarc=pass header.from=example.org",
            "mx.example.net; dkim=fail header.d=example.org dkim=pass",
            // A signed identity is not what DMARC has checked.
            "mx.example.net; dmarc=pass header.i=@example.org",
            "mx.example.net; dmarc=pass header.i=@example.org header.from=evil.test",
        ] {
            assert!(check_results(results).is_err(), "{results}");
        }
    }

    #[test]
    fn quotes_in_comments_and_brackets_in_quotes_stay_what_they_are() {
        for results in [
            "mx.example.net; dkim=pass (2\" of it) header.d=example.org",
            "mx.example.net; dkim=pass reason=\"(\" header.d=example.org",
            "mx.example.net; dkim=pass reason=\":)\" header.d=example.org",
        ] {
            assert_eq!(check_results(results), Ok(()), "{results}");
        }
        for results in [
            "mx.example.net; dkim=pass header.d=\"example.org)\"",
            "mx.example.net; dkim=pass header.d=\"(x)example.org\"",
        ] {
            assert!(check_results(results).is_err(), "{results}");
        }
    }
}
