//! `parapost init`: asks who the user is, finds the mail servers, tries them, and writes
//! the configuration.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use clap::{Args, ValueEnum};
use lettre::Address;

use crate::command::arguments::{Delivery, path_parser};
use crate::command::context::{Context, Status, given};
use crate::command::doctor::checks::{Report, check_mailbox, check_smtp};
use crate::command::fetch::{self, Fetch};
use crate::config::transport::TransportSettings;
use crate::config::{Config, UserRole};
use crate::mail::files;
use crate::mail::providers::{self, CredentialKind, Provider, ServerAddress};
use crate::mail::secret::{Credential, Login, Secret, SecretText};
use crate::mail::settings::ImapTls;
use crate::mail::srv::{Named, Resolver};
use crate::matches::player::Player;
use crate::printable::filled;
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
    name: Option<String>,
    /// Your address
    #[arg(long, value_name = "ADDR")]
    address: Option<Address>,
    /// Whether you play, or stand between two other players
    #[arg(long, value_enum)]
    role: Option<UserRole>,
    /// The server that your mail is read on
    #[arg(long, value_name = "HOST[:PORT]")]
    imap: Option<String>,
    /// How that server begins TLS [default: what is usual for its port]
    #[arg(long, value_enum, value_name = "WAY", requires = "imap")]
    imap_tls: Option<TlsWay>,
    /// The server that your mail is sent through
    #[arg(long, value_name = "HOST[:PORT]")]
    smtp: Option<String>,
    /// How that server begins TLS [default: what is usual for its port]
    #[arg(long, value_enum, value_name = "WAY", requires = "smtp")]
    smtp_tls: Option<TlsWay>,
    /// Your name on the servers [default: your address]
    #[arg(long)]
    user: Option<String>,
    /// The source of your password or token.
    #[command(flatten)]
    secret: SecretArgs,
    /// A certificate authority to trust besides those of the system, PEM
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    ca_file: Option<PathBuf>,
    /// The resolver to ask for servers [default: that of the system]
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = resolver)]
    resolver: Option<Resolver>,
    /// Take the servers that are proposed, if the provider is a known one or they are
    /// below the domain of your address
    #[arg(long)]
    yes: bool,
    /// Write the configuration without trying the servers
    #[arg(long)]
    untested: bool,
    /// Replace a configuration that is there; the old one is kept beside it
    #[arg(long)]
    force: bool,
    /// Read the mail of the last two weeks afterwards, for invitations
    #[arg(long)]
    fetch: bool,
    /// Enter the matches that this mail invites you to, without asking
    #[arg(long, requires = "fetch")]
    accept: bool,
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
    let mut draft = draft(args, context)?;
    let is_tried = args.untested || try_until_right(&mut draft, &path, context)?;
    draft.write(&path, context)?;
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
        let invitations = Fetch {
            delivery: Delivery {
                send: true,
                print: None,
            },
            accept: args.accept,
            since: Some(since.date_naive()),
            ..Fetch::default()
        };
        let status = fetch::run(&invitations, context)?;
        tell_what_is_next(&draft, true, context);
        return Ok(status);
    }
    tell_what_is_next(&draft, false, context);
    Ok(Status::Done)
}

/// Asks for what the arguments do not say.
fn draft(args: &Init, context: &mut Context<'_>) -> Result<Draft, Error> {
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
    Ok(Draft {
        user: user.unwrap_or_else(|| address.to_string()),
        name,
        address,
        role,
        servers: found,
        secret,
        ca_file: args.ca_file.as_deref().map(absolute).transpose()?,
    })
}

fn ask_secret(proof: CredentialKind, context: &mut Context<'_>) -> Result<SecretSource, Error> {
    let what = match proof {
        CredentialKind::Token => None,
        CredentialKind::AppPassword => Some("app password"),
        CredentialKind::Password => Some("password"),
    };
    if let Some(what) = what
        && let Some(value) = secret(what, context)?
    {
        return Ok(SecretSource::Typed(value));
    }
    let (setting, printed) = match what {
        None => ("token_command", "an OAuth 2 token"),
        Some(_) => ("password_command", "the password"),
    };
    let command = line(&format!("A command that prints {printed}:"), None, context)?;
    Ok(SecretSource::Setting(setting, command))
}

/// Tries the servers until they answer as they should, or the user has had enough. Returns
/// false if the configuration is to be written nevertheless.
///
/// # Errors
///
/// If nothing is to be written.
fn try_until_right(
    draft: &mut Draft,
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
            0 => draft.secret = ask_secret(draft.servers.proof, context)?,
            1 => draft.user = line("Your name on the servers:", Some(&draft.user), context)?,
            2 => {
                draft.servers = ask_servers(None, context)?;
                if !draft.servers.advice.is_empty() {
                    context.say(&draft.servers.advice);
                }
            }
            3 => return Ok(false),
            _ => return Err(Error::refused("nothing is written")),
        }
    }
}

/// Tries the servers as `doctor` does.
fn try_servers(draft: &Draft, path: &Path, context: &mut Context<'_>) -> Result<bool, Error> {
    let mut config = draft.config(path)?;
    let mut report = Report::new(context, false);
    if let Some(imap) = &mut config.imap {
        draft.tell(&mut imap.login);
        check_mailbox(imap, None::<fn(&[u8]) -> bool>, &mut report)?;
    }
    if let TransportSettings::Smtp(smtp) = &mut config.transport {
        if let Some(login) = &mut smtp.login {
            draft.tell(login);
        }
        check_smtp(smtp, &mut report)?;
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
        let answer = line(question, words.first().copied(), context)?.to_lowercase();
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
pub(super) fn read_line(context: &mut Context<'_>) -> Result<String, Error> {
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
        let options = "--yes to take these servers, or --imap and --smtp with others";
        if are_right(true, args, options, context)? {
            return Ok(Found::of(imap, smtp, Some(&provider)));
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
    let is_sure = foreign.is_empty();
    let mut options = "--imap and --smtp with the servers, if they are right".to_owned();
    if is_sure {
        options = format!("--yes, or {options}");
    }
    let is_confirmed = are_right(is_sure, args, &options, context)?;
    Ok(is_confirmed.then(|| Found::of(imap, smtp, None)))
}

/// Returns true if the servers that were proposed are right: the user is asked, unless the
/// arguments say yes to those that are sure.
///
/// # Errors
///
/// If nobody can be asked: the options that say it.
fn are_right(
    is_sure: bool,
    args: &Init,
    options: &str,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    if args.yes && is_sure {
        return Ok(true);
    }
    if !context.can_ask() {
        return Err(without_terminal(&[options]));
    }
    is_yes("Are these your servers?", is_sure, context)
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

/// The source of a password or a token. The secret itself is no argument, because
/// everybody on a machine can read those.
#[derive(Args, Debug)]
#[group(multiple = false)]
struct SecretArgs {
    /// A command whose first line is your password
    #[arg(long, value_name = "COMMAND")]
    password_command: Option<String>,
    /// A file whose first line is your password, and that others cannot read
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    password_file: Option<PathBuf>,
    /// A variable of the environment that has your password
    #[arg(long, value_name = "NAME")]
    password_env: Option<String>,
    /// A command whose first line is an OAuth 2 token (XOAUTH2)
    #[arg(long, value_name = "COMMAND")]
    token_command: Option<String>,
}

/// The configuration, with the names of what is still to be filled in in double braces.
const CONFIG: &str = include_str!("init/config.toml");

/// The file of the password, beside the configuration.
const PASSWORD: &str = "password";

/// The most names that are tried for a file that must be new.
const NAMES: usize = 100;

/// The source of a password or a token.
enum SecretSource {
    /// The user has typed it; it gets a file of its own.
    Typed(SecretText),
    /// A file that the user has.
    File(PathBuf),
    /// Another setting of the configuration, and its value.
    Setting(&'static str, String),
}

impl SecretArgs {
    /// Returns what the arguments say, if they do.
    fn source(&self) -> Option<SecretSource> {
        let set =
            |setting, value: &Option<String>| Some(SecretSource::Setting(setting, value.clone()?));
        let file = self.password_file.clone().map(SecretSource::File);
        set("password_command", &self.password_command)
            .or(file)
            .or(set("password_env", &self.password_env))
            .or(set("token_command", &self.token_command))
    }
}

/// A configuration that is still to be written.
struct Draft {
    name: String,
    address: Address,
    role: UserRole,
    servers: Found,
    /// The user's name on both servers.
    user: String,
    secret: SecretSource,
    ca_file: Option<PathBuf>,
}

impl Draft {
    /// Returns the configuration as the program will read it.
    ///
    /// # Errors
    ///
    /// If a setting cannot be used.
    fn config(&self, path: &Path) -> Result<Config, Error> {
        Config::parse(&self.text(PASSWORD)?, path.to_path_buf())
    }

    /// Replaces the secret of a login by the one that was typed.
    fn tell(&self, login: &mut Login) {
        if let SecretSource::Typed(value) = &self.secret {
            login.credential = Credential::Password(Secret::Known(value.clone()));
        }
    }

    /// Writes the configuration and, if the password was typed, a file with it, both for
    /// the user alone, and tells of them. Nothing that exists is overwritten.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    fn write(&self, path: &Path, context: &mut Context<'_>) -> Result<(), Error> {
        let folder = path.parent().unwrap_or(Path::new(""));
        files::make_folder(folder).map_err(|error| Error::file(folder, &error))?;
        let mut password = None;
        let mut name = PASSWORD.to_owned();
        if let SecretSource::Typed(value) = &self.secret {
            let text = format!("{}\n", value.expose());
            let file = beside(path, PASSWORD, |file| create(file, &text))?;
            if let Some(found) = file.file_name().and_then(|name| name.to_str()) {
                found.clone_into(&mut name);
            }
            password = Some(file);
        }
        let text = self.text(&name)?;
        let failed = |error: io::Error| Error::file(path, &error);
        let mut old = None;
        if fs::symlink_metadata(path).is_ok() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let kept = beside(path, &format!("{name}.bak"), |file| {
                let found = fs::symlink_metadata(file);
                found.map_or(Ok(()), |_| Err(ErrorKind::AlreadyExists.into()))
            })?;
            fs::rename(path, &kept).map_err(failed)?;
            old = Some(kept);
        }
        if let Err(error) = create(path, &text) {
            if let Some(kept) = &old {
                let _ = fs::rename(kept, path);
            }
            return Err(failed(error));
        }
        files::sync_folder(folder).map_err(failed)?;
        if let Some(old) = &old {
            context.say(format_args!("the old configuration is {}", old.display()));
        }
        if let Some(password) = &password {
            let said = "your password is written to this file, which only you can read";
            context.say(format_args!("{}: {said}", password.display()));
        }
        context.say(format_args!("{}: written", path.display()));
        Ok(())
    }

    /// Returns the text of the file. `password` is the name of the file with the password.
    fn text(&self, password: &str) -> Result<String, Error> {
        let role = match self.role {
            UserRole::Player => "player",
            UserRole::Referee => "referee",
        };
        let secret = match &self.secret {
            SecretSource::Typed(_) => format!("password_file = {}", quoted(password)?),
            SecretSource::File(file) => {
                format!("password_file = {}", quoted_path(&absolute(file)?)?)
            }
            SecretSource::Setting(setting, value) => format!("{setting} = {}", quoted(value)?),
        };
        let ca_file = match &self.ca_file {
            Some(file) => format!("ca_file = {}\n", quoted_path(file)?),
            None => String::new(),
        };
        let server = |server: &ServerAddress| -> Result<String, Error> {
            let tls = match server.tls {
                ImapTls::Tls => "tls",
                ImapTls::Starttls => "starttls",
            };
            let (host, port, user) = (quoted(&server.host)?, server.port, quoted(&self.user)?);
            Ok(format!(
                "host = {host}\nport = {port}\ntls = \"{tls}\"\n{ca_file}user = {user}\n{secret}\n"
            ))
        };
        let (name, address) = (quoted(&self.name)?, quoted(self.address.as_ref())?);
        let (smtp, imap) = (server(&self.servers.smtp)?, server(&self.servers.imap)?);
        Ok(filled(
            CONFIG,
            &[
                ("name", &name),
                ("address", &address),
                ("role", role),
                ("smtp", &smtp),
                ("imap", &imap),
            ],
        ))
    }
}

/// Returns a path that does not depend on the current folder.
///
/// # Errors
///
/// If the current folder is not known.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|error| Error::file(path, &error))
}

/// Writes a text as TOML, which takes the strings of JSON.
fn quoted(text: &str) -> Result<String, Error> {
    if text.contains(char::is_control) {
        let shown = text.escape_debug();
        return Err(Error::usage(format!("'{shown}' has control characters")));
    }
    serde_json::to_string(text).map_err(Error::refused)
}

fn quoted_path(path: &Path) -> Result<String, Error> {
    let text = path.to_str();
    let text = text
        .ok_or_else(|| Error::usage(format!("{}: the name is not UTF-8 text", path.display())))?;
    quoted(text)
}

/// Finds a name beside a file, this one or the next with a number, for which `make` does not say
/// that something has it. Returns the path.
fn beside(
    path: &Path,
    name: &str,
    make: impl Fn(&Path) -> io::Result<()>,
) -> Result<PathBuf, Error> {
    let numbered = (2..=NAMES).map(|number| format!("{name}-{number}"));
    for name in std::iter::once(name.to_owned()).chain(numbered) {
        let path = path.with_file_name(name);
        match make(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::file(&path, &error)),
            Ok(()) => return Ok(path),
        }
    }
    let path = path.with_file_name(name);
    Err(Error::refused(format!(
        "{}: {NAMES} such files are there",
        path.display()
    )))
}

/// Creates a file for the user alone, which must not exist. Leaves no half one behind.
fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(name: &str, secret: SecretSource) -> Draft {
        Draft {
            name: name.to_owned(),
            address: "anna@example.org".parse().unwrap(),
            role: UserRole::Referee,
            servers: Found::of(
                ServerAddress::new("imap.test", 993),
                ServerAddress::new("smtp.test", 587),
                None,
            ),
            user: "anna \"x\" \\ ä".to_owned(),
            secret,
            ca_file: Some("/a \"b\".pem".into()),
        }
    }

    #[test]
    fn what_is_written_is_read_as_it_was_meant() {
        for (secret, expected) in [
            (
                SecretSource::Setting(
                    "password_command",
                    "pass show 'a b' | head \\ \"$X\"".to_owned(),
                ),
                None,
            ),
            (SecretSource::File("/x/secret".into()), Some("/x/secret")),
            (
                SecretSource::Typed(SecretText::new("deep", "password").unwrap()),
                Some("/home/anna/password"),
            ),
        ] {
            let draft = draft("Anna = x # y", secret);
            assert!(!draft.text(PASSWORD).unwrap().contains("deep"));
            let config = draft.config(Path::new("/home/anna/config.toml")).unwrap();
            let me = config.me().unwrap();
            assert_eq!(me.player.name(), "Anna = x # y");
            assert_eq!(me.role, UserRole::Referee);
            let imap = config.imap.as_ref().unwrap();
            assert_eq!((imap.host.as_str(), imap.port), ("imap.test", 993));
            assert_eq!(imap.login.user, draft.user);
            assert_eq!(imap.ca_file.as_deref(), Some(Path::new("/a \"b\".pem")));
            let files: Vec<&Path> = config.secret_files().collect();
            assert_eq!(files.first().copied(), expected.map(Path::new));
        }
    }
}
