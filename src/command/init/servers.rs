//! The servers of a mailbox: those that the arguments name, those of a big provider, those that
//! the domain names, or those that the user names.

use std::net::IpAddr;

use clap::{Args, ValueEnum};

use crate::Error;
use crate::command::ask::{Question, without_terminal};
use crate::command::context::Context;
use crate::command::doctor::checks::within;
use crate::mail::providers::{self, CredentialKind, Named, Provider, Resolver, ServerAddress};
use crate::mail::settings::ImapTls;
use crate::mail::wire;

/// The arguments about servers.
#[derive(Args, Debug)]
pub(super) struct ServerArgs {
    /// The server that your mail is read on
    #[arg(long, value_name = "HOST[:PORT]")]
    imap: Option<String>,
    /// How that server begins TLS [default: what is usual for its port, else what is found by trying]
    #[arg(long, value_enum, value_name = "WAY", requires = "imap")]
    imap_tls: Option<TlsWay>,
    /// The server that your mail is sent through
    #[arg(long, value_name = "HOST[:PORT]")]
    smtp: Option<String>,
    /// How that server begins TLS [default: what is usual for its port, else what is found by trying]
    #[arg(long, value_enum, value_name = "WAY", requires = "smtp")]
    smtp_tls: Option<TlsWay>,
    /// Do without servers: mail lies in a folder, and 'parapost receive' reads what you have saved
    #[arg(long, conflicts_with_all = ["imap", "smtp", "user", "SecretArgs", "ca_file", "fetch"])]
    pub(super) no_servers: bool,
    /// The resolver to ask for servers [default: that of the system]
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = resolver)]
    resolver: Option<Resolver>,
    /// Take the servers that are proposed, if the provider is a known one or they are
    /// below the domain of your address
    #[arg(long)]
    yes: bool,
}

/// The way to TLS.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum TlsWay {
    /// From the first byte
    Tls,
    /// By STARTTLS
    Starttls,
}

fn resolver(text: &str) -> Result<Resolver, &'static str> {
    Resolver::parse(text).ok_or("write an address like 192.0.2.1 or 127.0.0.1:5353")
}

/// The usual ports, in TLS from the first byte.
const IMAP: u16 = 993;
const SMTP: u16 = 465;

/// The answer that there is no server.
const NONE: &str = "none";

/// A server.
pub(super) struct Server {
    pub(super) address: ServerAddress,
    /// True if it is known how it begins TLS: its port tells, or somebody has said so.
    pub(super) is_way_known: bool,
}

impl Server {
    /// Returns a server of whose way to TLS somebody knows.
    fn known(address: ServerAddress) -> Server {
        Server {
            address,
            is_way_known: true,
        }
    }

    /// Reads a server, of which nothing but its port tells the way to TLS.
    fn parse(text: &str, usual: u16) -> Option<Server> {
        let address = ServerAddress::parse(text, usual)?;
        Some(Server {
            is_way_known: address.is_port_usual(),
            address,
        })
    }
}

/// The servers, which the user has confirmed. There need be none.
#[derive(Default)]
pub(super) struct Servers {
    pub(super) imap: Option<Server>,
    pub(super) smtp: Option<Server>,
    /// The proof of identity that they want.
    pub(super) proof: CredentialKind,
    /// The things to do at the provider first; empty if they are not known.
    pub(super) advice: String,
}

impl Servers {
    /// Returns the servers with what is known of their provider.
    pub(super) fn of(
        imap: Option<Server>,
        smtp: Option<Server>,
        provider: Option<&Provider>,
    ) -> Servers {
        let advice = provider.filter(|provider| !provider.advice.is_empty());
        Servers {
            imap,
            smtp,
            proof: provider.map_or(CredentialKind::Password, |provider| provider.proof),
            advice: advice
                .map(|provider| format!("{}: {}", provider.name, provider.advice))
                .unwrap_or_default(),
        }
    }

    /// Returns true if there is no server at all.
    pub(super) fn are_none(&self) -> bool {
        self.imap.is_none() && self.smtp.is_none()
    }
}

/// Finds the servers of a mail domain. `is_tried` tells that the net can be asked for names.
///
/// # Errors
///
/// If none are found that the user confirms.
pub(super) fn find(
    args: &ServerArgs,
    domain: &str,
    is_tried: bool,
    context: &mut Context<'_>,
) -> Result<Servers, Error> {
    if args.no_servers {
        return Ok(Servers::default());
    }
    let mut guess = Some(domain).filter(|domain| is_domain(domain));
    if args.imap.is_some() && args.smtp.is_some() {
        return ask(Some(args), guess, is_tried, context);
    }
    if let Some(provider) = providers::of(domain) {
        let imap = argument_or(args, true, &provider.imap)?;
        let smtp = argument_or(args, false, &provider.smtp)?;
        context.say(format_args!(
            "{}: {}",
            provider.name,
            proposal(&imap, &smtp)
        ));
        let options = "--yes to take these servers, or --imap and --smtp with others";
        if are_right(true, args, options, context)? {
            return Ok(Servers::of(Some(imap), Some(smtp), Some(&provider)));
        }
        guess = None;
    } else if providers::is_without_imap(domain) {
        context.say(format_args!(
            "mail of {domain} cannot be read by other programs (there is no IMAP)"
        ));
        guess = None;
    } else if guess.is_some()
        && let Some(found) = named(args, domain, context)?
    {
        return Ok(found);
    }
    ask(Some(args), guess, is_tried, context)
}

/// Asks the resolver for the servers that a domain names, and the user whether they are
/// right.
fn named(
    args: &ServerArgs,
    domain: &str,
    context: &mut Context<'_>,
) -> Result<Option<Servers>, Error> {
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
    let imap = argument_or(args, true, imap)?;
    let smtp = argument_or(args, false, smtp)?;
    context.say(format_args!("{domain}: {}", proposal(&imap, &smtp)));
    let is_told = [args.imap.is_some(), args.smtp.is_some()];
    let foreign: Vec<&ServerAddress> = [&imap.address, &smtp.address]
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
    let is_sure = foreign.is_empty();
    let mut options = "--imap and --smtp with the servers, if they are right".to_owned();
    if is_sure {
        options = format!("--yes, or {options}");
    }
    let is_confirmed = are_right(is_sure, args, &options, context)?;
    Ok(is_confirmed.then(|| Servers::of(Some(imap), Some(smtp), None)))
}

/// Returns true if the servers that were proposed are right: the user is asked, unless the
/// arguments say yes to those that are sure.
///
/// # Errors
///
/// If nobody can be asked: the options that say it.
fn are_right(
    is_sure: bool,
    args: &ServerArgs,
    options: &str,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    if args.yes && is_sure {
        return Ok(true);
    }
    if !context.can_ask() {
        return Err(without_terminal(&[options]));
    }
    let question = Question {
        text: "Are these your servers? yes/no",
        usual: if is_sure { "yes" } else { "no" },
        help: "Your password goes to them, and to nobody else. Your provider's help pages name them, \
               under IMAP and SMTP. 'no' lets you name others, or do without.",
    };
    question.is_yes(context)
}

/// Takes the servers from the arguments, where there are any, or asks for them. `guess` is a
/// domain whose servers may have the names that many have.
///
/// # Errors
///
/// If nobody can be asked, or an argument is no server.
pub(super) fn ask(
    args: Option<&ServerArgs>,
    guess: Option<&str>,
    is_tried: bool,
    context: &mut Context<'_>,
) -> Result<Servers, Error> {
    let is_told = args.is_some_and(|args| args.imap.is_some() && args.smtp.is_some());
    if !context.can_ask() && !is_told {
        return Err(without_terminal(&[
            "--imap HOST",
            "--smtp HOST (or --no-servers alone)",
        ]));
    }
    let mut one = |is_imap: bool, guess: Option<String>| -> Result<Option<Server>, Error> {
        let given = args.map(|args| argument(args, is_imap)).transpose()?;
        match given.flatten() {
            Some(given) => Ok(Some(given)),
            None => ask_one(is_imap, guess.as_deref(), is_tried, context),
        }
    };
    let imap = one(true, guess.map(|domain| format!("imap.{domain}")))?;
    // Who has no mailbox to read has hardly a server to send by.
    let host = imap.as_ref().map(|server| server.address.host.to_string());
    let smtp = one(false, host.as_deref().map(beside))?;
    Ok(with_provider(imap, smtp))
}

/// Asks for other servers than these, each of which an empty line keeps.
///
/// # Errors
///
/// If nobody can be asked.
pub(super) fn ask_again(
    before: &Servers,
    guess: Option<&str>,
    context: &mut Context<'_>,
) -> Result<Servers, Error> {
    // In brackets, as an address of IPv6 has its own colons.
    let text = |server: &Server| {
        let (host, port) = (&server.address.host, server.address.port);
        if host.contains(':') {
            format!("[{host}]:{port}")
        } else {
            format!("{host}:{port}")
        }
    };
    let guess = guess.map(|domain| format!("imap.{domain}"));
    let imap = before.imap.as_ref().map(text).or(guess);
    let imap = ask_one(true, imap.as_deref(), true, context)?;
    let smtp = before.smtp.as_ref().map(text);
    let smtp = ask_one(false, smtp.as_deref(), true, context)?;
    Ok(with_provider(imap, smtp))
}

fn with_provider(imap: Option<Server>, smtp: Option<Server>) -> Servers {
    let host = imap.as_ref().map(|server| server.address.host.to_string());
    let provider = host.as_deref().and_then(providers::by_host);
    Servers::of(imap, smtp, provider.as_ref())
}

/// Returns the name that the server to send by may have beside one to read on.
fn beside(imap: &str) -> String {
    match imap.strip_prefix("imap.") {
        Some(domain) => format!("smtp.{domain}"),
        None => imap.to_owned(),
    }
}

fn ask_one(
    is_imap: bool,
    guess: Option<&str>,
    is_tried: bool,
    context: &mut Context<'_>,
) -> Result<Option<Server>, Error> {
    let (what, protocol, port) = if is_imap {
        ("read on", "imap", IMAP)
    } else {
        ("sent through", "smtp", SMTP)
    };
    let without = if is_imap {
        "'none': no mailbox is read; 'parapost receive FILE' takes in the mail that you have saved."
    } else {
        "'none': no mail is sent; each lies in a folder, for you to carry to its reader."
    };
    let question = Question {
        text: &format!("The server that your mail is {what} (HOST, HOST:PORT or none):"),
        usual: guess.unwrap_or(NONE),
        help: &format!(
            "Its name is on the help pages of your provider, beside {}, and often {protocol}. with the domain of your \
             address behind it. Without a port it is {port}.\n{without}",
            protocol.to_uppercase()
        ),
    };
    let mut refused = None;
    question.ask(context, |answer| {
        if answer.eq_ignore_ascii_case(NONE) {
            return Ok(None);
        }
        let server = typed(answer, port)?;
        // Somebody who is not on the net says the same once more.
        let is_insisted = refused.as_deref() == Some(answer);
        if is_tried && !is_insisted && !has_address(&server.address.host) {
            refused = Some(answer.to_owned());
            return Err("no server of that name is found; check its spelling, and that this machine is online (the same once more is taken)".to_owned());
        }
        Ok(Some(server))
    })
}

/// Reads a server that somebody has typed. A word that is no name of the net is none: it may be
/// a password.
fn typed(answer: &str, usual: u16) -> Result<Server, String> {
    let not_one = || {
        "that is no server: write its name, like mail.example.org or mail.example.org:993, or none"
            .to_owned()
    };
    let server = Server::parse(answer, usual).ok_or_else(not_one)?;
    let host: &str = &server.address.host;
    let is_name = is_domain(host) || host == "localhost" || host.parse::<IpAddr>().is_ok();
    // A house may have a server by the name 'mail'.
    let has_port = answer != host;
    if is_name || has_port {
        Ok(server)
    } else {
        Err("a name without a dot needs its port, too, as in mail:993".to_owned())
    }
}

/// Returns true if a text looks like a domain of the net: labels with dots, and letters at the
/// end.
pub(super) fn is_domain(text: &str) -> bool {
    let Some((before, last)) = text.rsplit_once('.') else {
        return false;
    };
    let is_last = last.len() >= 2 && last.chars().all(|c| c.is_ascii_alphabetic());
    (is_last || last.starts_with("xn--")) && before.split('.').all(|label| !label.is_empty())
}

/// Returns true if a name has an address.
fn has_address(host: &str) -> bool {
    let host = host.to_owned();
    let found = within(move || wire::addresses(&host, IMAP));
    found.is_some_and(|found| found.is_ok_and(|found| !found.is_empty()))
}

/// Returns the server that the arguments name, or another of whose way to TLS is known.
fn argument_or(args: &ServerArgs, is_imap: bool, other: &ServerAddress) -> Result<Server, Error> {
    let given = argument(args, is_imap)?;
    Ok(given.unwrap_or_else(|| Server::known(other.clone())))
}

/// Returns the server that the arguments name, if they do.
fn argument(args: &ServerArgs, is_imap: bool) -> Result<Option<Server>, Error> {
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
        None => return Ok(Some(server)),
    };
    let address = ServerAddress {
        tls,
        ..server.address
    };
    Ok(Some(Server::known(address)))
}

fn proposal(imap: &Server, smtp: &Server) -> String {
    let (imap, smtp) = (&imap.address, &smtp.address);
    format!("mail is read on {imap}, and sent through {smtp}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_server_is_not_taken_for_one() {
        for (answer, is_taken) in [
            ("mail.example.org", true),
            ("mail.example.org:1993", true),
            ("localhost", true),
            ("[::1]:993", true),
            ("192.0.2.1", true),
            ("mail:993", true),
            ("mail", false),
            ("hunter2", false),
            ("Tr0ub4dor.3", false),
            ("correct horse", false),
            (".example.org", false),
            ("p@ss.word", false),
        ] {
            let server = typed(answer, IMAP);
            assert_eq!(server.is_ok(), is_taken, "{answer}");
            if let Err(why) = server {
                assert!(!why.contains(answer) || answer == "mail", "{why}");
            }
        }
    }
}
