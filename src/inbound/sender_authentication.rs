//! Checks that a message is from its sender, beyond the address.
//!
//! Anybody can write any address into a From field. A message that cites a Message-ID
//! of ours proves that its sender has seen our mail. A signature that a trusted mail server has
//! checked proves that the domain of the address sent the message, but not to whom or when: anybody
//! who has a signed letter can send it on to us unchanged.

use std::collections::HashSet;

use chrono::TimeDelta;
use lettre::Address;

use crate::config::{Policy, SenderPolicy};
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::mailing_list::{lines_disclosed, since_public};
use crate::mail::message::signature::DkimSignature;
use crate::mail::message_id::MessageId;
use crate::matches::event::{LogEntry, Who};
use crate::matches::mail::{MailKind, MailStep};
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::rules::Color;

/// What a trusted host has found valid in a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Good {
    /// A server of the sender's domain sent it (SPF), so nobody else has sent it on.
    Server,
    /// A signature, which stays valid when somebody sends the message on.
    Signature,
}

fn found_good(policy: &Policy, message: &IncomingMessage) -> Result<Good, AuthenticationError> {
    let sender = message.sender.as_ref();
    let sender = sender.ok_or(AuthenticationError::UnclearSender)?;
    let domain = sender.domain().to_ascii_lowercase();
    vouched(
        &message.results,
        &domain,
        is_signed(message),
        &policy.trusted,
    )
}

/// How long before the position a letter about it may have been written: clocks and time zones are
/// wrong by hours.
const EARLY: TimeDelta = TimeDelta::days(1);

/// The fields that say what a letter answers or replaces.
const OF_ANSWER: [&str; 3] = ["In-Reply-To", "References", "Chat-Edit"];

/// The fields that say to whom and when a letter went, and what it is about.
const OF_LETTER: [&str; 4] = ["To", "Cc", "Date", "Subject"];

/// The fields that another reader of a letter could change to make a new letter of it.
const OF_COPY: [&str; 3] = ["Message-ID", "Content-Type", "Content-Transfer-Encoding"];

/// Returns true if the signed part of a letter of this side shows that it answers us: it cites one
/// of our mails whose id nobody else is known to have, whatever its date.
fn answers_us(message: &IncomingMessage, game: &Match, side: Color) -> bool {
    // Some domains do not sign these fields: then they must sign the time, and it must fit. Some
    // hosts remove signatures.
    let is_sure = || {
        !is_signed(message)
            || covers(message, &[&OF_ANSWER])
            || is_timely(message, game) && covers(message, &[&["Date"]])
    };
    cites_undisclosed(message, game, side) && is_sure()
}

/// Returns true if a letter of this side went to the opponent, and no signed field says that it also
/// went to us. The opponent could have sent it on.
fn is_to_opponent(message: &IncomingMessage, game: &Match, side: Color, me: &Player) -> bool {
    let is_opponents =
        |to: &Address| game.speaks_for(!side, to) && !game.speaks_for(side, to) && !me.has(to);
    let says_us = || {
        let is_sure = !is_signed(message) || covers(message, &[&["To", "Cc"]]);
        names_us(message, game, me) && is_sure
    };
    message.recipients.iter().any(is_opponents) && !says_us()
}

/// Returns true if a letter went to us or to the match's list, as far as its fields say.
fn names_us(message: &IncomingMessage, game: &Match, me: &Player) -> bool {
    let is_ours = |to: &Address| me.has(to) || game.is_list(to);
    message.recipients.iter().any(is_ours)
}

/// Returns true if the signed part of a letter of this side shows that it was written to us or to
/// the match's list in the present position. Anybody who sends a letter on may add `Resent-To` and
/// similar fields, so they are ignored.
fn is_to_us(message: &IncomingMessage, game: &Match, side: Color, me: &Player) -> bool {
    let has = |is_one: &dyn Fn(&Address) -> bool| message.recipients.iter().any(is_one);
    let has_copies = has(&|to| !me.has(to) && !game.speaks_for(side, to));
    names_us(message, game, me)
        && is_timely(message, game)
        && covers(message, &[&OF_LETTER, &OF_ANSWER])
        && (!has_copies || covers(message, &[&OF_COPY]))
}

/// Returns true if a letter says that it was written in the present position.
fn is_timely(message: &IncomingMessage, game: &Match) -> bool {
    let since = game.position_since() - EARLY;
    message.date.is_some_and(|date| date >= since)
}

/// Returns the signatures of a message that may be the one that was found valid.
fn signatures(message: &IncomingMessage) -> impl Iterator<Item = &DkimSignature> {
    let domain = message.sender.as_ref().map(Address::domain);
    let domain = domain.unwrap_or_default();
    let all = message.signatures.iter();
    all.filter(move |signature| is_related(&signature.domain, domain))
}

fn is_signed(message: &IncomingMessage) -> bool {
    signatures(message).next().is_some()
}

/// Returns true if the valid signature of a message covers these fields. With several signatures it
/// is unknown which one is valid.
fn covers(message: &IncomingMessage, fields: &[&[&str]]) -> bool {
    is_signed(message)
        && signatures(message).all(|one| fields.iter().all(|fields| one.covers(fields)))
}

/// Returns true if the message answers the mail that last asked the player of this side whether
/// another message was the player's, or, in the position of that mail, any later mail to the player.
/// Nobody else may be known to have the id of the mail.
pub(crate) fn answers_proof_question(message: &IncomingMessage, game: &Match, side: Color) -> bool {
    let Some(line) = game.proof_question(side) else {
        return false;
    };
    let is_question = |event: &LogEntry| event.is_owed() && event.who == Who::Player(side);
    let mails = &game.log()[line..];
    let end = if game.has_asked_for_proof(side) {
        game.log().len()
    } else {
        let question = mails.iter().position(is_question);
        line + question.map_or(0, |question| question + 1)
    };
    let first = line.max(lines_disclosed(game, side)).min(end);
    has_mail(&game.log()[first..end], message, side, LogEntry::is_owed)
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
    found_good(policy, message).map(|_| ())
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
    match policy.identity {
        SenderPolicy::Address => Ok(()),
        SenderPolicy::Token
            if cites_own(message, game, opponent)
                && cites_mail_to_referee(message, game, opponent) =>
        {
            Ok(())
        }
        SenderPolicy::Token => Err(AuthenticationError::NoToken),
        // Its foot is of this match and position.
        SenderPolicy::Dkim => check_signature(policy, message),
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

/// Checks that a message is from the player of this side, and to `me`, the user, as the policy
/// asks. A mail that asked the player which match was meant counts in each of the player's
/// matches, though only one of them keeps it; `questions` are the addresses that those went to
/// which the message answers.
///
/// # Errors
///
/// If the message lacks the proof that the policy asks for.
pub fn check(
    policy: &Policy,
    message: &IncomingMessage,
    game: &Match,
    side: Color,
    questions: &[Address],
    me: &Player,
) -> Result<(), AuthenticationError> {
    // A question may be kept in another match, and then it is unknown which ids there are public.
    let has_written_to_list = since_public(game, side).len() < game.log().len();
    let is_asked = || questions.iter().any(|asked| game.speaks_for(side, asked));
    let answers_question = || !has_written_to_list && is_asked();
    match policy.identity {
        SenderPolicy::Address => Ok(()),
        SenderPolicy::Token if cites_own(message, game, side) || answers_question() => Ok(()),
        SenderPolicy::Token => Err(AuthenticationError::NoToken),
        SenderPolicy::Dkim => match found_good(policy, message)? {
            Good::Server => Ok(()),
            Good::Signature
                if is_to_us(message, game, side, me)
                    || !is_to_opponent(message, game, side, me)
                        && (answers_us(message, game, side)
                            || answers_proof_question(message, game, side)
                            || answers_question()) =>
            {
                Ok(())
            }
            Good::Signature => Err(AuthenticationError::Redirected),
        },
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
    /// Its signature is valid, but does not show that it was written to us in this position.
    #[error("no signed part of it says that it was written to you, about this position")]
    Redirected,
    /// Its `Authentication-Results` field has more than one result of DMARC, or does not follow RFC 8601.
    #[error("what the mail server says of its signature cannot be read for certain")]
    Unreadable,
}

impl AuthenticationError {
    /// Returns true if a code in the text of the message proves the same: the text is signed, too.
    pub(crate) const fn is_undone_by_code(&self) -> bool {
        matches!(
            self,
            AuthenticationError::NoToken | AuthenticationError::Redirected
        )
    }
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

/// Returns true if the message cites a mail that went to this player, and nobody else is known to
/// have its id.
pub(crate) fn cites_undisclosed(message: &IncomingMessage, game: &Match, side: Color) -> bool {
    let since = &game.log()[lines_disclosed(game, side)..];
    has_mail(since, message, side, LogEntry::is_owed)
}

/// Returns true if the message cites a mail that went to this player, even if its id is public.
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

/// Checks that the `Authentication-Results` fields (RFC 8601) of trusted hosts report a valid
/// signature of the sender's domain, by DKIM or by DMARC. `is_signed` says whether the message has a
/// signature that may be of the domain.
///
/// A mail system may write several fields: a filter's above the verifier's, or one for each method.
/// The topmost field must be of a trusted host. Of each host the topmost field counts, and of each
/// method the topmost report, since a lower field may have come with the message. Each host must
/// take fields of all these names out of that.
fn vouched(
    results: &[String],
    domain: &str,
    is_signed: bool,
    trusted: &[String],
) -> Result<Good, AuthenticationError> {
    let host_of = |field: &str| {
        let host = field.split(';').next().unwrap_or_default();
        host.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let is_trusted = |host: &str| trusted.iter().any(|name| name.eq_ignore_ascii_case(host));
    let mut hosts: Vec<String> = Vec::new();
    let mut read = Vec::new();
    for field in results {
        match without_comments(field) {
            Some(field) => read.push(field),
            // Below, other hosts may write as they like.
            None if !read.is_empty() && !is_trusted(&host_of(field)) => {}
            None => return Err(AuthenticationError::Unreadable),
        }
    }
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for field in &read {
        let (host, parts) = (host_of(field), field.split(';').skip(1));
        if !is_trusted(&host) {
            // Above a host's own field, another host's says that this one did not check.
            if hosts.is_empty() {
                return Err(AuthenticationError::UntrustedHost(host));
            }
            continue;
        }
        if hosts.iter().any(|known| known.eq_ignore_ascii_case(&host)) {
            continue;
        }
        hosts.push(host);
        let own: Vec<Statement<'_>> = parts.map(Statement::read).collect();
        // A host writes one. A second one is text that it repeats from the message.
        if own.iter().filter(|one| one.method == "dmarc").count() > 1 {
            return Err(AuthenticationError::Unreadable);
        }
        let known: HashSet<String> = statements.iter().map(|one| one.method.clone()).collect();
        // Wherever a host has found that DMARC fails, that counts.
        let is_new = |one: &Statement<'_>| !known.contains(&one.method) || one.is_failure();
        statements.extend(own.into_iter().filter(is_new));
    }
    let host = hosts.first().cloned();
    let host = host.ok_or(AuthenticationError::Unchecked)?;
    let of = |method| statements.iter().filter(move |one| one.method == method);
    let is_good = |one: &Statement<'_>, signer: Option<&str>| {
        one.is_good && signer.is_none_or(|signer| is_related(signer, domain))
    };
    let by_signature = of("dkim").any(|one| is_good(one, one.signer()));
    let is_by_server = of("spf").any(|one| is_good(one, one.server()));
    // DMARC passes for a reason, which another host's field may tell.
    let is_untold = of("dkim").chain(of("spf")).next().is_none();
    let has_reason = hosts.len() == 1 || is_untold || by_signature || is_by_server;
    let is_pass = |one: &Statement<'_>| one.is_pass(domain) && (one.method == "dkim" || has_reason);
    if !statements.iter().any(is_pass) || statements.iter().any(Statement::is_failure) {
        let domain = domain.to_owned();
        return Err(AuthenticationError::NoSignature { host, domain });
    }
    // DMARC accepts either, and compares the domain for which the server sent it.
    let by_server = !is_signed || of("dkim").next().is_some() && is_by_server;
    Ok(if by_signature || !by_server {
        Good::Signature
    } else {
        Good::Server
    })
}

/// Returns true if two domains may belong to one organization. DMARC then accepts a signature or a
/// server of one for the other. It accepts fewer pairs than this function.
fn is_related(one: &str, other: &str) -> bool {
    let ends = |domain: &str| {
        let mut labels = domain.rsplit('.').map(str::to_ascii_lowercase);
        [labels.next(), labels.next()]
    };
    ends(one) == ends(other)
}

/// A host's report on one method: the result, and what was checked.
struct Statement<'r> {
    /// The method, in small letters; empty if it is none.
    method: String,
    is_good: bool,
    is_fail: bool,
    /// The properties, whose names are in small letters.
    properties: Vec<(String, &'r str)>,
}

impl<'r> Statement<'r> {
    /// Reads a statement without quoted strings and comments.
    fn read(text: &'r str) -> Statement<'r> {
        let mut pairs = text.split_whitespace().filter_map(|word| {
            let (name, value) = word.split_once('=')?;
            let name = name.split('/').next().unwrap_or_default();
            Some((name.to_ascii_lowercase(), value))
        });
        // The first method of a statement is the one that its properties are about.
        let (method, result) = pairs.next().unwrap_or_default();
        Statement {
            method,
            is_good: result.eq_ignore_ascii_case("pass"),
            is_fail: result.eq_ignore_ascii_case("fail"),
            properties: pairs.collect(),
        }
    }

    /// Returns true if it says that neither a signature nor the server fits the sender's domain.
    fn is_failure(&self) -> bool {
        self.method == "dmarc" && self.is_fail
    }

    /// Returns the domain of the first property of this name.
    fn domain(&self, name: &str) -> Option<&'r str> {
        let mut all = self.properties.iter();
        let (_, value) = all.find(|(known, _)| known == name)?;
        Some(value.rsplit_once('@').map_or(*value, |(_, domain)| domain))
    }

    /// Returns the domain of the signature.
    fn signer(&self) -> Option<&'r str> {
        self.domain("header.d").or_else(|| self.domain("header.i"))
    }

    /// Returns the domain for which a server has sent the message.
    fn server(&self) -> Option<&'r str> {
        let from = self.domain("smtp.mailfrom");
        from.or_else(|| self.domain("smtp.helo"))
    }

    /// Returns true if it says that a signature of this domain is valid.
    fn is_pass(&self, domain: &str) -> bool {
        let is_dkim = self.method == "dkim";
        if !is_dkim && self.method != "dmarc" || !self.is_good {
            return false;
        }
        let (mut checked, mut identity) = (None, None);
        for (name, value) in &self.properties {
            let behind = value.rsplit_once('@').map(|(_, domain)| domain);
            match name.as_str() {
                // With two domains it is unclear which one was checked.
                "header.d" | "header.from" if checked.is_some() => return false,
                "header.d" if is_dkim => checked = Some(*value),
                // The signed identity, in the domain itself or a subdomain.
                "header.i" if is_dkim => identity = identity.or(behind),
                "header.from" if !is_dkim => checked = behind.or(Some(*value)),
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
}

/// Removes the comments of a field's value and the blanks beside `=`. Replaces `;`, `=`
/// and blanks in quoted strings, so that no part of a string can look like a statement.
///
/// Returns none for a value that does not follow RFC 8601: a comment or a string without an end, an
/// end without a beginning, a `\` outside of both. Returns none for a quotation mark in a comment,
/// too: if a host repeats an address in a comment without escaping it, its writer can end the
/// comment, add a result, and begin another comment.
fn without_comments(value: &str) -> Option<String> {
    let mut text = String::with_capacity(value.len());
    let (mut depth, mut is_quoted) = (0_usize, false);
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if depth > 0 || is_quoted => {
                chars.next()?;
            }
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => {
                depth += 1;
                if !text.ends_with('=') {
                    text.push(' ');
                }
            }
            ')' if !is_quoted => depth = depth.checked_sub(1)?,
            '"' | '\\' => return None,
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
    (depth == 0 && !is_quoted).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(results: &str, is_signed: bool) -> Result<Good, AuthenticationError> {
        let trusted = ["mx.example.net".to_owned()];
        vouched(&[results.to_owned()], "example.org", is_signed, &trusted)
    }

    fn check_results(results: &str) -> Result<(), AuthenticationError> {
        found(results, true).map(|_| ())
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
        let trusted = ["mx.example.net".to_owned()];
        let results = "mx.example.net; dkim=pass header.d=example.org";
        let below = vouched(&[results.to_owned()], "mail.example.org", true, &trusted);
        assert_eq!(below, Ok(Good::Signature));
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
        let trusted = ["mx.example.net".to_owned()];
        assert!(vouched(&[], "example.org", true, &trusted).is_err());
        let signed = "mx.example.net; dkim=pass header.d=example.org";
        assert!(vouched(&[signed.to_owned()], "example.org", true, &[]).is_err());
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

    /// Went wrong: text that a host repeats from the message was believed as the host's own result.
    #[test]
    fn a_field_that_cannot_be_read_for_certain_counts_for_nothing() {
        let address = "\"a); dmarc=pass header.from=example.org; (b\"@evil.test";
        for results in [
            format!("mx.example.net; spf=pass (domain of {address} is good) smtp.helo=evil.test"),
            format!("mx.example.net; spf=pass smtp.mailfrom={address} (good)"),
            format!("mx.example.net; spf=pass (<\"{address}\">) smtp.mailfrom=evil.test"),
            format!(
                "mx.example.net; spf=none smtp.mailfrom={}",
                address.replace('"', "")
            ),
            "mx.example.net; dmarc=fail (a); dmarc=pass header.from=example.org; x=y (b)"
                .to_owned(),
            "mx.example.net; dkim=pass (2\" of it) header.d=example.org".to_owned(),
            "mx.example.net; dkim=pass header.d=example.org; spf=pass (".to_owned(),
            "mx.example.net; dkim=pass header.d=example.org; spf=pass )".to_owned(),
            "mx.example.net; dkim=pass header.d=example.org; spf=pass \"".to_owned(),
            "mx.example.net; dkim=pass header.d=example.org \\".to_owned(),
            "mx.example.net; dkim=pass header.d=evil.test(x).example.org".to_owned(),
        ] {
            assert!(check_results(&results).is_err(), "{results}");
        }
        for results in [
            "mx.example.net; spf=pass (a (nested) one) smtp.mailfrom=\"b; (c\"@x.test; dkim=pass header.d=example.org",
            "mx.example.net; spf=pass (an escaped \\\" and \\) here); dkim=pass(good)header.d=(of)example.org",
        ] {
            assert_eq!(check_results(results), Ok(()), "{results}");
        }
    }

    /// Went wrong: where a filter or the server itself writes several fields, all letters were of
    /// strangers.
    #[test]
    fn fields_of_trusted_hosts_count_together() {
        let trusted = ["mx.example.net", "filter.example.net", "dmarc.example.net"];
        let trusted = trusted.map(str::to_owned);
        let found = |fields: &[&str]| {
            let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
            vouched(&fields, "example.org", true, &trusted)
        };
        let good = "mx.example.net; dkim=pass header.d=example.org";
        for fields in [
            &["filter.example.net; x-virus=none", good][..],
            &[good, "spam.test; dkim=fail header.d=example.org"],
            &[good, "spam.test; x-spam=(\"no"],
            &["filter.example.net; spf=pass smtp.mailfrom=a@x.test", good],
            &[
                "dmarc.example.net; dmarc=pass header.from=example.org",
                good,
                "filter.example.net; spf=fail smtp.mailfrom=x.test",
            ],
        ] {
            assert_eq!(found(fields), Ok(Good::Signature), "{fields:?}");
        }
        let by_server = [
            "dmarc.example.net; dmarc=pass header.from=example.org",
            "mx.example.net; dkim=fail header.d=example.org",
            "filter.example.net; spf=pass smtp.mailfrom=a@example.org",
        ];
        assert_eq!(found(&by_server), Ok(Good::Server));
        let forged =
            "mx.example.net; dkim=pass header.d=example.org; dmarc=pass header.from=example.org";
        for fields in [
            // Lower fields may have come with the message.
            &["mx.example.net; dkim=none", forged][..],
            &["filter.example.net; dkim=none", good],
            &[
                "filter.example.net; dkim=none; spf=pass smtp.mailfrom=evil.test",
                forged,
            ],
            &[
                good,
                "dmarc.example.net; dmarc=fail header.from=example.org",
            ],
            &[
                "dmarc.example.net; dmarc=fail header.from=example.org",
                good,
            ],
            &[
                "spam.test; dkim=pass header.d=example.org",
                "evil.test; dkim=pass header.d=example.org",
            ],
            &["spam.test; x-spam=(no", good],
            &[good, "filter.example.net; x-spam=(no"],
        ] {
            assert!(found(fields).is_err(), "{fields:?}");
        }
    }

    /// Somebody who sends a letter on uses a server of another domain, so DMARC by SPF proves the
    /// sender.
    #[test]
    fn dmarc_by_spf_alone_needs_no_signature() {
        for (is_signed, results, expected) in [
            (false, "dmarc=pass header.from=example.org", Good::Server),
            (true, "dmarc=pass header.from=example.org", Good::Signature),
            (
                true,
                "spf=pass smtp.mailfrom=a@example.org; dmarc=pass header.from=example.org",
                Good::Signature,
            ),
            (
                true,
                "dkim=fail header.d=example.org; spf=pass smtp.mailfrom=a@b.example.org; dmarc=pass header.from=example.org",
                Good::Server,
            ),
            (
                true,
                "dkim=fail header.d=example.org; spf=pass smtp.mailfrom=evil.test; dmarc=pass header.from=example.org",
                Good::Signature,
            ),
            (
                false,
                "dkim=pass header.d=lists.test; dmarc=pass header.from=example.org",
                Good::Server,
            ),
            (
                false,
                "dkim=pass header.d=mail.example.org; spf=pass smtp.mailfrom=example.org; dmarc=pass header.from=example.org",
                Good::Signature,
            ),
            (
                false,
                "dkim=pass; dmarc=pass header.from=example.org",
                Good::Signature,
            ),
            (false, "dkim=pass header.d=example.org", Good::Signature),
        ] {
            let results = format!("mx.example.net; {results}");
            assert_eq!(found(&results, is_signed), Ok(expected), "{results}");
        }
    }
}
