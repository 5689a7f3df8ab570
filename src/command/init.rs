//! `parapost init`: asks who the user is, finds the mail servers, tries them, and writes
//! the configuration.

mod draft;

use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lettre::Address;

use crate::command::arguments::{Delivery, Telling};
use crate::command::context::{Context, given};
use crate::command::doctor::finding::Report;
use crate::command::doctor::server;
use crate::command::fetch::{self, Fetch};
use crate::command::init::draft::{Draft, SecretArgs, SecretSource};
use crate::command::status::Status;
use crate::config::Config;
use crate::config::transport::TransportSettings;
use crate::config::user::UserRole;
use crate::mail::files;
use crate::mail::providers::{self, CredentialKind, Provider, ServerAddress};
use crate::mail::secret::SecretText;
use crate::mail::settings::ImapTls;
use crate::mail::srv::{Named, Resolver};
use crate::matches::player::Player;
use crate::{Error, clock};

/// `parapost init`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost init
  parapost init --name 'Anna White' --address anna@example.org --yes \\
      --password-command 'pass show mail/anna'

What is not given is asked for on the terminal. The servers of big providers
are known; for others, the resolver of this system is asked. A password is sent
only to servers that you have confirmed, over TLS with a certificate that is
trusted. Nothing is written before the servers are tried.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(super) struct Init {
    /// Your name, as your mail bears it
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Your address
    #[arg(long, value_name = "ADDR")]
    pub(super) address: Option<Address>,
    /// Whether you play, or stand between two other players
    #[arg(long, value_enum)]
    pub(super) role: Option<UserRole>,
    /// The server that your mail is read on
    #[arg(long, value_name = "HOST[:PORT]")]
    pub(super) imap: Option<String>,
    /// How that server begins TLS [default: what is usual for its port]
    #[arg(long, value_enum, value_name = "WAY", requires = "imap")]
    pub(super) imap_tls: Option<TlsWay>,
    /// The server that your mail is sent through
    #[arg(long, value_name = "HOST[:PORT]")]
    pub(super) smtp: Option<String>,
    /// How that server begins TLS [default: what is usual for its port]
    #[arg(long, value_enum, value_name = "WAY", requires = "smtp")]
    pub(super) smtp_tls: Option<TlsWay>,
    /// Your name on the servers [default: your address]
    #[arg(long)]
    pub(super) user: Option<String>,
    /// The source of your password or token.
    #[command(flatten)]
    pub(super) secret: SecretArgs,
    /// A certificate authority to trust besides those of the system, PEM
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(super) ca_file: Option<PathBuf>,
    /// The resolver to ask for servers [default: that of the system]
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = resolver)]
    pub(super) resolver: Option<Resolver>,
    /// Take the servers that are proposed, if the provider is a known one or they are
    /// below the domain of your address
    #[arg(long)]
    pub(super) yes: bool,
    /// Write the configuration without trying the servers
    #[arg(long)]
    pub(super) untested: bool,
    /// Replace a configuration that is there; the old one is kept beside it
    #[arg(long)]
    pub(super) force: bool,
    /// Read the mail of the last two weeks afterwards, for invitations
    #[arg(long)]
    pub(super) fetch: bool,
    /// Enter the matches that this mail invites you to, without asking
    #[arg(long, requires = "fetch")]
    pub(super) accept: bool,
}

/// The way to TLS.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TlsWay {
    /// From the first byte
    Tls,
    /// By STARTTLS
    Starttls,
}

fn resolver(text: &str) -> Result<Resolver, &'static str> {
    Resolver::parse(text).ok_or("write an address like 192.0.2.1 or 127.0.0.1:5353")
}

/// The age of the mail that is read for invitations, in days.
const INVITATIONS: i64 = 14;

pub(super) fn run(args: &Init, context: &mut Context<'_>) -> Result<Status, Error> {
    let path = Config::place(given(context.global.config.as_deref()))?;
    let is_there = files::look(&path).map_err(|error| Error::file(&path, &error))?;
    if is_there.is_some() && !args.force {
        return Err(Error::refused(format!(
            "{}: there is a configuration already; 'parapost doctor' tries it, and --force makes a new one and keeps this one beside it",
            path.display()
        )));
    }
    let (mut draft, proof) = draft(args, context)?;
    let is_tried = args.untested || try_until_right(&mut draft, proof, &path, context)?;
    let file = draft.write(&path)?;
    if let Some(old) = &file.old {
        context.say(format_args!("the old configuration is {}", old.display()));
    }
    if let Some(password) = &file.password {
        let said = "your password is written to this file, which only you can read";
        context.say(format_args!("{}: {said}", password.display()));
    }
    context.say(format_args!("{}: written", path.display()));
    if !is_tried {
        context.say("the servers do not answer as they should yet: 'parapost doctor' tries them");
        return Ok(Status::Done);
    }
    let wanted = args.fetch
        || context.can_ask()
            && !args.untested
            && is_yes(
                "Read the mail of the last two weeks now, for invitations?",
                true,
                context,
            )?;
    if wanted {
        let since = clock::now()? - TimeDelta::days(INVITATIONS);
        let fetch = Fetch {
            delivery: Delivery {
                send: true,
                print: false,
            },
            telling: Telling::default(),
            dry_run: false,
            accept: args.accept,
            since: Some(since.date_naive()),
            watch: false,
        };
        let status = fetch::run(&fetch, context)?;
        tell_what_is_next(&draft, true, context);
        return Ok(status);
    }
    tell_what_is_next(&draft, false, context);
    Ok(Status::Done)
}

/// Asks for what the arguments do not say. Returns what the servers want as proof, too.
fn draft(args: &Init, context: &mut Context<'_>) -> Result<(Draft, CredentialKind), Error> {
    let asks = context.can_ask();
    if !asks {
        let mut missing = Vec::new();
        if args.name.is_none() {
            missing.push("--name");
        }
        if args.address.is_none() {
            missing.push("--address");
        }
        if args.secret.source().is_none() {
            missing.push("--password-command, --password-file, --password-env or --token-command");
        }
        if !missing.is_empty() {
            return Err(without_terminal(&missing));
        }
    }
    let (name, address) = loop {
        let name = match &args.name {
            Some(name) => name.clone(),
            None => line("Your name, as your mail bears it:", None, context)?,
        };
        let address = match &args.address {
            Some(address) => address.clone(),
            None => loop {
                let text = line("Your address:", None, context)?;
                match text.parse() {
                    Ok(address) => break address,
                    Err(_) => context.say(format_args!("'{text}' is no mail address")),
                }
            },
        };
        match Player::new(&name, vec![address.clone()]) {
            Ok(_) => break (name, address),
            Err(error) if args.name.is_some() && args.address.is_some() => {
                return Err(Error::usage(error));
            }
            Err(error) => context.say(error),
        }
    };
    let role = match args.role {
        Some(role) => role,
        None if asks => {
            let question = "Do you play, or are you the referee between two others? player/referee";
            match choose(question, &["player", "referee"], context)? {
                1 => UserRole::Referee,
                _ => UserRole::Player,
            }
        }
        None => UserRole::Player,
    };
    let found = find_servers(args, address.domain(), context)?;
    if !found.advice.is_empty() {
        context.say(&found.advice);
    }
    let secret = match args.secret.source() {
        Some(source) => source,
        None => ask_secret(found.proof, context)?,
    };
    let user = args.user.clone();
    let draft = Draft {
        user: user.unwrap_or_else(|| address.to_string()),
        name,
        address,
        role,
        imap: found.imap,
        smtp: found.smtp,
        secret,
        ca_file: args.ca_file.as_deref().map(draft::absolute).transpose()?,
    };
    Ok((draft, found.proof))
}

fn ask_secret(proof: CredentialKind, context: &mut Context<'_>) -> Result<SecretSource, Error> {
    if proof == CredentialKind::Token {
        let question = "A command that prints an OAuth 2 token:";
        return line(question, None, context).map(SecretSource::TokenCommand);
    }
    let what = match proof {
        CredentialKind::AppPassword => "app password",
        _ => "password",
    };
    typed(what, context)
}

/// Asks for a password, or for a command that prints it.
fn typed(what: &str, context: &mut Context<'_>) -> Result<SecretSource, Error> {
    if let Some(value) = secret(what, context)? {
        return Ok(SecretSource::Typed(value));
    }
    let question = "A command that prints the password:";
    line(question, None, context).map(SecretSource::PasswordCommand)
}

/// Tries the servers until they answer as they should, or the user has had enough. Returns
/// false if the configuration is to be written nevertheless.
///
/// # Errors
///
/// If nothing is to be written.
fn try_until_right(
    draft: &mut Draft,
    mut proof: CredentialKind,
    path: &Path,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    loop {
        if try_servers(draft, path, context)? {
            return Ok(true);
        }
        if !context.can_ask() {
            return Err(Error::refused(
                "nothing is written; correct what is wrong, or say --untested to write the configuration without trying it",
            ));
        }
        let question = "What now? password: another password; user: another name on the servers; servers: others; write: write it nevertheless; quit";
        let choices = ["password", "user", "servers", "write", "quit"];
        match choose(question, &choices, context)? {
            0 => draft.secret = ask_secret(proof, context)?,
            1 => draft.user = line("Your name on the servers:", Some(&draft.user), context)?,
            2 => {
                let found = ask_servers(None, context)?;
                if !found.advice.is_empty() {
                    context.say(&found.advice);
                }
                (draft.imap, draft.smtp, proof) = (found.imap, found.smtp, found.proof);
            }
            3 => return Ok(false),
            _ => return Err(Error::refused("nothing is written")),
        }
    }
}

/// Tries the servers as `doctor` does.
fn try_servers(draft: &Draft, path: &Path, context: &mut Context<'_>) -> Result<bool, Error> {
    let mut config = draft.config(path)?;
    let mut report = Report::to_stderr(context);
    if let Some(imap) = &mut config.imap {
        draft.tell(&mut imap.login);
        server::check_mailbox(imap, None::<fn(&[u8]) -> bool>, &mut report)?;
    }
    if let TransportSettings::Smtp(smtp) = &mut config.transport {
        if let Some(login) = &mut smtp.login {
            draft.tell(login);
        }
        server::check_smtp(smtp, &mut report)?;
    }
    let clock = report.clock.finding();
    if clock.is_wrong() {
        report.add(clock)?;
    }
    Ok(report.is_sound)
}

fn tell_what_is_next(draft: &Draft, is_fetched: bool, context: &mut Context<'_>) {
    let me = format!("{} <{}>", draft.name, draft.address);
    if !is_fetched {
        context
            .say("next: 'parapost fetch --send' reads new mail, plays the moves in it and answers");
    }
    match draft.role {
        UserRole::Player => {
            context.say(format_args!(
                "to invite somebody: parapost new --game unachess --white '{me}' --black 'Ben <ben@example.org>' --send"
            ));
            context.say("to play a move: parapost move ID 'MOVE' --send");
        }
        UserRole::Referee => {
            context.say(
                "to begin a match of two players: parapost new --game unachess --white 'Anna <anna@example.org>' --black 'Ben <ben@example.org>' --send",
            );
        }
    }
}

/// The longest answer that is read, in bytes.
const LONGEST: usize = 1000;

/// Returns the error that nobody can be asked for these arguments.
fn without_terminal(missing: &[&str]) -> Error {
    Error::usage(format!(
        "there is no terminal to ask on; say {}",
        missing.join(", and ")
    ))
}

/// Asks for a line of text, until there is one. An empty line is the usual answer, if
/// there is one.
///
/// # Errors
///
/// If nobody answers.
fn line(question: &str, usual: Option<&str>, context: &mut Context<'_>) -> Result<String, Error> {
    if !context.can_ask() {
        return Err(without_terminal(&["what is asked for here"]).and(question));
    }
    loop {
        match usual {
            Some(usual) => context.say(format_args!("{question} [{usual}]")),
            None => context.say(question),
        }
        let answer = read_line(context)?;
        match (answer.as_str(), usual) {
            ("", None) => {}
            ("", Some(usual)) => return Ok(usual.to_owned()),
            _ => return Ok(answer),
        }
    }
}

/// Asks for one of some words, of which the first is usual. Its beginning will do.
///
/// # Errors
///
/// If nobody answers.
fn choose(question: &str, words: &[&str], context: &mut Context<'_>) -> Result<usize, Error> {
    loop {
        let answer = line(question, words.first().copied(), context)?;
        let answer = answer.to_lowercase();
        let meant = words
            .iter()
            .position(|word| word.starts_with(answer.as_str()));
        if let Some(chosen) = meant {
            return Ok(chosen);
        }
    }
}

/// Asks a question that yes or no answers.
///
/// # Errors
///
/// If nobody answers.
fn is_yes(question: &str, usual: bool, context: &mut Context<'_>) -> Result<bool, Error> {
    let words = if usual { ["yes", "no"] } else { ["no", "yes"] };
    let chosen = choose(question, &words, context)?;
    Ok((chosen == 0) == usual)
}

/// Asks for a password without showing it. An empty line is none.
///
/// # Errors
///
/// If there is no terminal.
fn secret(what: &str, context: &mut Context<'_>) -> Result<Option<SecretText>, Error> {
    loop {
        let prompt = format!(
            "Your {what}, which is not shown (an empty line, to give a command that prints it): "
        );
        let typed = rpassword::prompt_password(prompt)
            .map_err(|error| Error::io("the terminal", &error))?;
        if typed.is_empty() {
            return Ok(None);
        }
        match SecretText::new(&typed, what) {
            Ok(value) => return Ok(Some(value)),
            Err(error) => context.say(error),
        }
    }
}

/// Reads a line, and no further, because the next answer follows it.
fn read_line(context: &mut Context<'_>) -> Result<String, Error> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        let read = context.stdin.read(&mut byte);
        match read.map_err(|error| Error::io("standard input", &error))? {
            0 if line.is_empty() => {
                return Err(Error::refused("the answers end here; nothing is written"));
            }
            0 => break,
            _ if byte == *b"\n" => break,
            _ if line.len() == LONGEST => {
                return Err(Error::refused(
                    "this answer is too long; nothing is written",
                ));
            }
            _ => line.extend(byte),
        }
    }
    Ok(String::from_utf8_lossy(&line).trim().to_owned())
}

/// The usual ports, in TLS from the first byte.
const IMAP: u16 = 993;
const SMTP: u16 = 465;

/// The servers, which the user has confirmed.
struct Found {
    imap: ServerAddress,
    smtp: ServerAddress,
    /// The proof of identity that they want.
    proof: CredentialKind,
    /// The things to do at the provider first; empty if they are not known.
    advice: String,
}

impl Found {
    /// Returns the servers with what is known of their provider.
    fn of(imap: ServerAddress, smtp: ServerAddress, provider: Option<&Provider>) -> Found {
        let advice = provider.filter(|provider| !provider.advice.is_empty());
        Found {
            imap,
            smtp,
            proof: provider.map_or(CredentialKind::Password, |provider| provider.proof),
            advice: advice
                .map(|provider| format!("{}: {}", provider.name, provider.advice))
                .unwrap_or_default(),
        }
    }
}

/// Finds the servers of a mail domain.
///
/// # Errors
///
/// If none are found that the user confirms.
fn find_servers(args: &Init, domain: &str, context: &mut Context<'_>) -> Result<Found, Error> {
    if args.imap.is_some() && args.smtp.is_some() {
        return ask_servers(Some(args), context);
    }
    if let Some(provider) = providers::of(domain) {
        let imap = given_or(args, true, provider.imap.clone())?;
        let smtp = given_or(args, false, provider.smtp.clone())?;
        context.say(format_args!(
            "{}: {}",
            provider.name,
            proposal(&imap, &smtp)
        ));
        if args.yes || context.can_ask() && is_yes("Are these your servers?", true, context)? {
            return Ok(Found::of(imap, smtp, Some(&provider)));
        }
        if !context.can_ask() {
            let what = "--yes to take these servers, or --imap and --smtp with others";
            return Err(without_terminal(&[what]));
        }
    } else if providers::is_without_imap(domain) {
        context.say(format_args!(
            "mail of {domain} cannot be read by other programs (there is no IMAP)"
        ));
    } else if let Some(found) = named(args, domain, context)? {
        return Ok(found);
    }
    ask_servers(Some(args), context)
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
    let foreign: Vec<&ServerAddress> = [&imap, &smtp]
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
    Ok(Some(Found::of(imap, smtp, None)))
}

/// Takes the servers from the arguments, where there are any, or asks for them.
///
/// # Errors
///
/// If nobody can be asked, or an argument is no server.
fn ask_servers(args: Option<&Init>, context: &mut Context<'_>) -> Result<Found, Error> {
    let is_told = args.is_some_and(|args| args.imap.is_some() && args.smtp.is_some());
    if !context.can_ask() && !is_told {
        return Err(without_terminal(&["--imap HOST", "--smtp HOST"]));
    }
    let mut one = |is_imap: bool| -> Result<ServerAddress, Error> {
        if let Some(args) = args
            && let Some(server) = argument(args, is_imap)?
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
            match ServerAddress::parse(&text, usual) {
                Some(server) => return Ok(server),
                None => context.say(format_args!("'{text}' is no server")),
            }
        }
    };
    let (imap, smtp) = (one(true)?, one(false)?);
    let provider = providers::by_host(&imap.host);
    Ok(Found::of(imap, smtp, provider.as_ref()))
}

/// Returns the server that the arguments name, or another.
fn given_or(args: &Init, is_imap: bool, other: ServerAddress) -> Result<ServerAddress, Error> {
    Ok(argument(args, is_imap)?.unwrap_or(other))
}

/// Returns the server that the arguments name, if they do.
fn argument(args: &Init, is_imap: bool) -> Result<Option<ServerAddress>, Error> {
    let (text, way, usual, option) = if is_imap {
        (&args.imap, args.imap_tls, IMAP, "--imap")
    } else {
        (&args.smtp, args.smtp_tls, SMTP, "--smtp")
    };
    let Some(text) = text else {
        return Ok(None);
    };
    let server = ServerAddress::parse(text, usual);
    let server = server.ok_or_else(|| Error::usage(format!("{option} '{text}' is no server")))?;
    let tls = match way {
        Some(TlsWay::Tls) => ImapTls::Tls,
        Some(TlsWay::Starttls) => ImapTls::Starttls,
        None => server.tls,
    };
    Ok(Some(ServerAddress { tls, ..server }))
}

fn proposal(imap: &ServerAddress, smtp: &ServerAddress) -> String {
    format!("mail is read on {imap}, and sent through {smtp}")
}
