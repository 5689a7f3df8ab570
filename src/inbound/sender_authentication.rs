//! Whether a letter is from whom it says: what is asked besides the address.
//!
//! Anybody can write any address into a From field. A Message-ID of ours that a
//! letter cites shows that its writer has seen our mail; a signature that a
//! trusted mail server has checked shows that the domain of the address has
//! sent it.

use lettre::Address;
use serde::Deserialize;

use crate::inbound::incoming_message::IncomingMessage;
use crate::matches::event::{EventKind, Who};
use crate::matches::r#match::Match;
use crate::rules::Color;

/// What shows that a letter is from whom it says.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum SenderPolicy {
    /// The address in its From field.
    #[default]
    Address,
    /// That address, and that it cites a mail of this match that went to its
    /// writer.
    Token,
    /// That address, and that a trusted host has checked a signature of its
    /// domain.
    Dkim,
}

impl SenderPolicy {
    /// Holds the letter of somebody who plays that side against what is asked.
    ///
    /// # Errors
    ///
    /// Why the letter is not taken for that player's, as a clause.
    pub fn hold(
        self,
        letter: &IncomingMessage,
        game: &Match,
        side: Color,
        trusted: &[String],
    ) -> Result<(), String> {
        match self {
            SenderPolicy::Address => Ok(()),
            SenderPolicy::Token if cites_own(letter, game, side) => Ok(()),
            SenderPolicy::Token => {
                Err("it does not answer a mail of this match that went to its sender".to_owned())
            }
            SenderPolicy::Dkim => {
                let Some(sender) = &letter.sender else {
                    return Err("its sender is unclear".to_owned());
                };
                vouched(letter.results.as_deref(), sender, trusted)
            }
        }
    }
}

/// Whether a letter cites a mail that went to that player. What went to the
/// other one proves nothing: the other one knows it.
fn cites_own(letter: &IncomingMessage, game: &Match, side: Color) -> bool {
    game.log().iter().any(|event| {
        matches!(event.kind, EventKind::Owed | EventKind::Sent)
            && event.who == Who::Player(side)
            && event
                .message_id("msg")
                .is_some_and(|id| letter.cites.contains(&id))
    })
}

/// Whether an `Authentication-Results` field (RFC 8601) of a trusted host says
/// that a signature of the sender's domain is good, by DKIM or by DMARC.
///
/// # Errors
///
/// Why not.
fn vouched(results: Option<&str>, sender: &Address, trusted: &[String]) -> Result<(), String> {
    let Some(results) = results else {
        return Err("no mail server has checked its signature".to_owned());
    };
    let results = without_comments(results);
    let mut statements = results.split(';');
    let host = statements.next().unwrap_or_default();
    let host = host.split_whitespace().next().unwrap_or_default();
    let host = host.trim_matches('"');
    if !trusted.iter().any(|name| name.eq_ignore_ascii_case(host)) {
        return Err(format!(
            "the host that checked its signature, '{}', is not trusted",
            host.escape_debug()
        ));
    }
    let domain = sender.domain().to_ascii_lowercase();
    if statements.any(|statement| is_pass(statement, &domain)) {
        return Ok(());
    }
    Err(format!("{host} found no good signature of {domain}"))
}

/// Whether one statement says that a signature of that domain is good.
fn is_pass(statement: &str, domain: &str) -> bool {
    let mut method = "";
    let mut is_pass = false;
    let mut signer = None;
    let mut domains = 0;
    for word in statement.split_whitespace() {
        let Some((name, value)) = word.split_once('=') else {
            continue;
        };
        let value = value.trim_matches('"');
        let name = name.split('/').next().unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            name @ ("dkim" | "dmarc") if method.is_empty() => {
                method = if name == "dkim" { "dkim" } else { "dmarc" };
                is_pass = value.eq_ignore_ascii_case("pass");
            }
            _ if method.is_empty() => return false,
            // Of two domains none can be told to be meant.
            "header.d" | "header.from" if domains > 0 => return false,
            "header.d" if method == "dkim" => {
                domains += 1;
                signer = Some(value);
            }
            // The identity that is signed for, of that domain or below it.
            "header.i" if method == "dkim" => {
                signer = signer.or(value.rsplit_once('@').map(|(_, domain)| domain));
            }
            "header.from" if method == "dmarc" => {
                domains += 1;
                signer = Some(value.rsplit_once('@').map_or(value, |(_, domain)| domain));
            }
            _ => {}
        }
    }
    let signer = signer.unwrap_or_default().to_ascii_lowercase();
    let is_above = || {
        method == "dkim"
            && signer.contains('.')
            && domain
                .strip_suffix(signer.as_str())
                .is_some_and(|below| below.ends_with('.'))
    };
    is_pass && !signer.is_empty() && (signer == domain || is_above())
}

/// A field's value without its comments, and with no blanks beside `=`. What is
/// quoted keeps neither `;` nor blanks: nothing in it may pass for a statement.
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

    fn check(results: &str) -> Result<(), String> {
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
            assert_eq!(check(results), Ok(()), "{results}");
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
            // What DMARC would compare says nothing about a signature.
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
            // The last of two domains was taken for the one that was checked.
            "mx.example.net; dmarc=pass header.from=evil.test header.from=example.org",
            "mx.example.net; (dkim=pass header.d=example.org)",
            "mx.example.net; dkim=fail reason=\"; dkim=pass header.d=example.org\"",
            "mx.example.net; dkim=fail reason=\"x\\\"; dkim=pass header.d=example.org\"",
            "(mx.example.net) evil.test; dkim=pass header.d=example.org",
            "mx.example.net; x-dkim=pass header.d=example.org",
        ] {
            assert!(check(results).is_err(), "{results}");
        }
        let sender = "ben@example.org".parse().unwrap();
        assert!(vouched(None, &sender, &["mx.example.net".to_owned()]).is_err());
        let signed = "mx.example.net; dkim=pass header.d=example.org";
        assert!(vouched(Some(signed), &sender, &[]).is_err());
    }
}
