//! The servers of the user's provider: known, named in the DNS, or told by the user.

use crate::Error;
use crate::args::init::{Init, TlsWay};
use crate::command::context::Context;
use crate::command::init::questions::{is_yes, line, without_terminal};
use crate::mail::providers;
use crate::mail::providers::{Proof, Server};
use crate::mail::settings::ImapTls;
use crate::mail::srv::{Named, Resolver};

/// The usual ports, in TLS from the first byte.
const IMAP: u16 = 993;
const SMTP: u16 = 465;

/// The servers, which the user has confirmed.
pub(super) struct Found {
    pub(super) imap: Server,
    pub(super) smtp: Server,
    /// What they want as proof of who somebody is.
    pub(super) proof: Proof,
    /// What has to be done at the provider first; empty if that is not known.
    pub(super) advice: String,
}

/// Finds the servers of a mail domain.
///
/// # Errors
///
/// If none are found that the user confirms.
pub(super) fn find(args: &Init, domain: &str, context: &mut Context<'_>) -> Result<Found, Error> {
    if args.imap.is_some() && args.smtp.is_some() {
        return ask(Some(args), context);
    }
    if let Some(provider) = providers::of(domain) {
        let (imap, smtp) = (
            given_or(args, true, provider.imap)?,
            given_or(args, false, provider.smtp)?,
        );
        context.say(format_args!(
            "{}: {}",
            provider.name,
            proposal(&imap, &smtp)
        ));
        if args.yes || context.can_ask() && is_yes("Are these your servers?", true, context)? {
            let mut advice = String::new();
            if !provider.advice.is_empty() {
                advice = format!("{}: {}", provider.name, provider.advice);
            }
            return Ok(Found {
                imap,
                smtp,
                proof: provider.proof,
                advice,
            });
        }
        if !context.can_ask() {
            let what = "--yes to take these servers, or --imap and --smtp with others";
            return Err(without_terminal(&[what]));
        }
        return ask(Some(args), context);
    }
    if providers::is_without_imap(domain) {
        context.say(format_args!(
            "mail of {domain} cannot be read by other programs (there is no IMAP)"
        ));
        return ask(Some(args), context);
    }
    match named(args, domain, context)? {
        Some(found) => Ok(found),
        None => ask(Some(args), context),
    }
}

/// Asks the resolver for the servers that a domain names, and the user whether they are
/// right.
fn named(args: &Init, domain: &str, context: &mut Context<'_>) -> Result<Option<Found>, Error> {
    let resolver = match args.resolver {
        Some(resolver) => Ok(resolver),
        None => Resolver::of_system(),
    };
    let named = resolver.and_then(|resolver| {
        context.say(format_args!(
            "the servers of {domain} are not known here; asking the resolver {resolver} (SRV)"
        ));
        resolver.servers_of(domain)
    });
    let named = named.unwrap_or_else(|error| {
        context.say(format_args!("nothing is to be learnt there: {error}"));
        Named::default()
    });
    let (Some(imap), Some(smtp)) = (&named.imap, &named.smtp) else {
        match named.imap.or(named.smtp) {
            Some(one) => context.say(format_args!("it names only {one}")),
            None => context.say("it names none"),
        }
        return Ok(None);
    };
    let (imap, smtp) = (
        given_or(args, true, imap.clone())?,
        given_or(args, false, smtp.clone())?,
    );
    context.say(format_args!("{domain}: {}", proposal(&imap, &smtp)));
    let is_told = [args.imap.is_some(), args.smtp.is_some()];
    let foreign: Vec<&Server> = [&imap, &smtp]
        .into_iter()
        .zip(is_told)
        .filter(|(server, is_told)| !is_told && !server.is_below(domain))
        .map(|(server, _)| server)
        .collect();
    if !foreign.is_empty() {
        let hosts: Vec<&str> = foreign.iter().map(|server| server.host.as_ref()).collect();
        context.say(format_args!(
            "{}: not below {domain}, and the answer is not signed: whoever can change it on the way could name a server of his own, which would get your password",
            hosts.join(", ")
        ));
    }
    let is_confirmed = if context.can_ask() && (!args.yes || !foreign.is_empty()) {
        is_yes("Are these your servers?", foreign.is_empty(), context)?
    } else {
        args.yes && foreign.is_empty()
    };
    if !is_confirmed {
        if !context.can_ask() {
            let what = "--imap and --smtp with the servers, if they are right";
            return Err(match foreign.as_slice() {
                [] => without_terminal(&[&format!("--yes, or {what}")]),
                _ => without_terminal(&[what]),
            });
        }
        return Ok(None);
    }
    Ok(Some(Found {
        imap,
        smtp,
        proof: Proof::Password,
        advice: String::new(),
    }))
}

/// Takes the servers from the arguments, where there are any, or asks for them.
///
/// # Errors
///
/// If nobody can be asked, or an argument is no server.
pub(super) fn ask(args: Option<&Init>, context: &mut Context<'_>) -> Result<Found, Error> {
    let is_told = args.is_some_and(|args| args.imap.is_some() && args.smtp.is_some());
    if !context.can_ask() && !is_told {
        return Err(without_terminal(&["--imap HOST", "--smtp HOST"]));
    }
    let mut one = |is_imap: bool| -> Result<Server, Error> {
        if let Some(args) = args
            && let Some(server) = told(args, is_imap)?
        {
            return Ok(server);
        }
        let (what, usual) = if is_imap {
            ("read on", IMAP)
        } else {
            ("sent through", SMTP)
        };
        loop {
            let question = format!("The server that your mail is {what} (HOST or HOST:PORT):");
            let text = line(&question, None, context)?;
            match Server::parse(&text, usual) {
                Some(server) => return Ok(server),
                None => context.say(format_args!("'{text}' is no server")),
            }
        }
    };
    let (imap, smtp) = (one(true)?, one(false)?);
    let known = providers::by_host(&imap.host);
    Ok(Found {
        imap,
        smtp,
        proof: known.as_ref().map_or(Proof::Password, |known| known.proof),
        advice: known
            .filter(|known| !known.advice.is_empty())
            .map(|known| format!("{}: {}", known.name, known.advice))
            .unwrap_or_default(),
    })
}

/// Returns the server that the arguments name, or another.
fn given_or(args: &Init, is_imap: bool, other: Server) -> Result<Server, Error> {
    Ok(told(args, is_imap)?.unwrap_or(other))
}

/// Returns the server that the arguments name, if they do.
fn told(args: &Init, is_imap: bool) -> Result<Option<Server>, Error> {
    let (text, way, usual, option) = if is_imap {
        (&args.imap, args.imap_tls, IMAP, "--imap")
    } else {
        (&args.smtp, args.smtp_tls, SMTP, "--smtp")
    };
    let Some(text) = text else {
        return Ok(None);
    };
    let server = Server::parse(text, usual);
    let server = server.ok_or_else(|| Error::usage(format!("{option} '{text}' is no server")))?;
    let tls = match way {
        Some(TlsWay::Tls) => ImapTls::Tls,
        Some(TlsWay::Starttls) => ImapTls::Starttls,
        None => server.tls,
    };
    Ok(Some(Server { tls, ..server }))
}

fn proposal(imap: &Server, smtp: &Server) -> String {
    format!("mail is read on {imap}, and sent through {smtp}")
}
