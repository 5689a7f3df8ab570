//! `parapost init --news`: adds a news server to a configuration that is there.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lettre::message::Mailbox;

use crate::Error;
use crate::command::ask::{Question, without_terminal};
use crate::command::context::{Context, Status};
use crate::command::doctor::checks::Report;
use crate::command::doctor::news::check_news;
use crate::command::init::draft::{
    PATIENCE, SecretArgs, SecretSource, absolute, ask_secret, beside, create, quoted, quoted_path,
};
use crate::config::Config;
use crate::config::news::NewsSettings;
use crate::mail::files::replace::replace_privately;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::providers::{CredentialKind, ServerAddress};
use crate::mail::secret::{Credential, Secret};

/// The arguments about a news server.
#[derive(Args, Debug)]
pub(super) struct NewsArgs {
    /// Add a news server to the configuration that is there
    #[arg(long, conflicts_with_all = ["name", "address", "role", "ServerArgs", "force", "fetch", "token_command"])]
    pub(super) news: bool,
    /// The news server
    #[arg(long, value_name = "HOST[:PORT]", requires = "news")]
    server: Option<String>,
    /// How it begins TLS [default: starttls at port 119, else tls]
    #[arg(long, value_enum, value_name = "WAY", requires = "news")]
    tls: Option<NewsTls>,
    /// The writer of the articles, whom everybody reads
    #[arg(long, value_name = "NAME <ADDR>", requires = "news")]
    from: Option<Mailbox>,
    /// The newsgroup
    #[arg(long, value_name = "GROUP", requires = "news")]
    group: Option<Newsgroup>,
}

/// The way to TLS, where there is a server that can do without.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum NewsTls {
    /// From the first byte
    Tls,
    /// By STARTTLS
    Starttls,
    /// Without it: then there is no login
    None,
}

impl NewsTls {
    const WORDS: [&'static str; 3] = ["tls", "starttls", "none"];

    const fn word(self) -> &'static str {
        match self {
            NewsTls::Tls => "tls",
            NewsTls::Starttls => "starttls",
            NewsTls::None => "none",
        }
    }

    /// Returns the way that is usual at a port.
    const fn of_port(port: u16) -> NewsTls {
        match port {
            119 => NewsTls::Starttls,
            _ => NewsTls::Tls,
        }
    }
}

/// The usual port, in TLS from the first byte.
const PORT: u16 = 563;

/// The group in which this began.
const GROUP: &str = "rec.games.abstract";

/// The answer that the server asks for no login.
const NOBODY: &str = "none";

/// The file of the password, beside the configuration.
const PASSWORD: &str = "news-password";

/// What is to be written.
struct NewsDraft {
    server: ServerAddress,
    tls: NewsTls,
    /// The name on the server and what proves it.
    login: Option<(String, SecretSource)>,
    ca_file: Option<PathBuf>,
    from: String,
    group: Newsgroup,
}

/// Asks for a news server, tries it, and adds it to the configuration.
///
/// # Errors
///
/// If there is no configuration or it has a news server, or the server does not answer as it
/// should and nobody says that it is to be written nevertheless.
pub(super) fn add(
    args: &NewsArgs,
    (user, secret, ca_file): (Option<&String>, &SecretArgs, Option<&Path>),
    (path, is_untested): (&Path, bool),
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let path = fs::canonicalize(path).map_err(|error| {
        Error::file(path, &error).and("'parapost init' makes a configuration first")
    })?;
    let old = Config::text(&path).map_err(|error| Error::file(&path, &error))?;
    let config = Config::parse(&old, path.clone())?;
    if config.news.is_some() {
        return Err(Error::refused(format!(
            "{}: there is a section [news] already; 'parapost doctor' tries it",
            path.display()
        )));
    }
    let draft = draft(args, (user, secret, ca_file), &config, context)?;
    let new = |password: &str| -> Result<(String, NewsSettings), Error> {
        let text = format!("{}\n{}", old.trim_end(), draft.text(password)?);
        let news = Config::parse(&text, path.clone())?.news;
        let news = news.ok_or_else(|| Error::refused("no section [news] can be added"))?;
        Ok((text, news))
    };
    let (_, mut news) = new(PASSWORD)?;
    if !is_untested && !is_sound(&draft, &mut news, context)? && !is_wanted(context)? {
        return Err(Error::refused(
            "nothing is written; --untested writes it without trying it",
        ));
    }
    let mut name = PASSWORD.to_owned();
    if let Some((_, SecretSource::Typed(value))) = &draft.login {
        let text = format!("{}\n", value.expose());
        let file = beside(&path, PASSWORD, |file| create(file, &text))?;
        if let Some(found) = file.file_name().and_then(|name| name.to_str()) {
            found.clone_into(&mut name);
        }
        let said = "your password is written to this file, which only you can read";
        context.say(format_args!("{}: {said}", file.display()));
    }
    let (text, _) = new(&name)?;
    replace_privately(&path, text.as_bytes()).map_err(|error| Error::file(&path, &error))?;
    context.say(format_args!(
        "{}: a section [news] is added; 'parapost news post ID' and 'parapost new --news {}' use it",
        path.display(),
        draft.group
    ));
    Ok(Status::Done)
}

/// Asks for what the arguments do not say.
fn draft(
    args: &NewsArgs,
    (user, secret, ca_file): (Option<&String>, &SecretArgs, Option<&Path>),
    config: &Config,
    context: &mut Context<'_>,
) -> Result<NewsDraft, Error> {
    let asks = context.can_ask();
    let missing = [
        ("--server", args.server.is_none()),
        ("--from", args.from.is_none()),
        ("--group", args.group.is_none()),
    ];
    let missing = missing.iter().filter(|(_, is_missing)| *is_missing);
    let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    if !asks && !missing.is_empty() {
        return Err(without_terminal(&missing));
    }
    let parse = |text: &str| {
        ServerAddress::parse(text, PORT)
            .ok_or_else(|| "that is no server: write HOST or HOST:PORT".to_owned())
    };
    let server = match &args.server {
        Some(text) => parse(text).map_err(Error::usage)?,
        None => asked_server(config, parse, context)?,
    };
    let tls = match args.tls {
        Some(tls) => tls,
        None if asks && args.server.is_none() => {
            let question = Question {
                text: "How does it begin TLS? tls/starttls/none",
                usual: NewsTls::of_port(server.port).word(),
                help: "tls: from the first byte, usual at 563. starttls: by a command, usual at 119. none: not at \
                       all; then no password is sent.",
            };
            match question.choose(&NewsTls::WORDS, context)? {
                0 => NewsTls::Tls,
                1 => NewsTls::Starttls,
                _ => NewsTls::None,
            }
        }
        None => NewsTls::of_port(server.port),
    };
    let login = login(user, secret, tls, context)?;
    let from = match &args.from {
        Some(from) => from.to_string(),
        None => asked_writer(config, context)?,
    };
    let group = match &args.group {
        Some(group) => group.clone(),
        None => asked_group(context)?,
    };
    Ok(NewsDraft {
        server,
        tls,
        login,
        ca_file: ca_file.map(absolute).transpose()?,
        from,
        group,
    })
}

fn asked_server(
    config: &Config,
    parse: impl Fn(&str) -> Result<ServerAddress, String>,
    context: &mut Context<'_>,
) -> Result<ServerAddress, Error> {
    let me = config.somebody().map(|me| me.player.address().domain());
    let question = Question {
        text: "The news server, HOST or HOST:PORT:",
        usual: &format!("news.{}", me.unwrap_or("example.org")),
        help: "Any server that lets you post, of your provider, a university or a club. Without a port it is 563, \
               where TLS begins with the first byte; servers at 119 have STARTTLS.",
    };
    question.ask(context, parse)
}

fn asked_group(context: &mut Context<'_>) -> Result<Newsgroup, Error> {
    let question = Question {
        text: "The newsgroup:",
        usual: GROUP,
        help: "The one for matches that name no other. The match that you post must fit there.",
    };
    question.ask(context, |answer| {
        let group: Result<Newsgroup, _> = answer.parse();
        group.map_err(|error| format!("that is {error}"))
    })
}

/// Asks for the name on the server and what proves it, if it wants any.
fn login(
    user: Option<&String>,
    secret: &SecretArgs,
    tls: NewsTls,
    context: &mut Context<'_>,
) -> Result<Option<(String, SecretSource)>, Error> {
    let user = match user {
        Some(user) => user.clone(),
        None if tls == NewsTls::None || !context.can_ask() => return Ok(None),
        None => {
            let question = Question {
                text: "Your name on the server, or none:",
                usual: NOBODY,
                help: "What you log in with; 'none' if it asks for nothing.",
            };
            match question.ask(context, |answer| Ok(answer.to_owned()))? {
                answer if answer == NOBODY => return Ok(None),
                user => user,
            }
        }
    };
    let secret = match secret.source() {
        Some(secret) => secret,
        None if context.can_ask() => ask_secret(CredentialKind::Password, &user, context)?,
        None => {
            return Err(without_terminal(&[
                "--password-command, --password-file or --password-env",
            ]));
        }
    };
    Ok(Some((user, secret)))
}

/// Asks for the writer of the articles. What is proposed is an address that nobody has.
fn asked_writer(config: &Config, context: &mut Context<'_>) -> Result<String, Error> {
    let me = config.somebody().map(|me| &me.player);
    let usual = me.map(|me| {
        let (address, name) = (me.address(), me.given_name());
        let munged = format!("{}@{}.invalid", address.user(), address.domain());
        let address = munged.parse().ok();
        let name = Some(name.to_owned()).filter(|name| !name.is_empty());
        address.map(|address| Mailbox::new(name, address).to_string())
    });
    let usual = usual.flatten();
    let question = Question {
        text: "The writer of your articles:",
        usual: usual.as_deref().unwrap_or("Anna <anna@example.invalid>"),
        help: "It stands on every article, for everybody to read and for spammers to collect, so it may be an \
               address that nobody has: they end in .invalid.",
    };
    question.ask(context, |answer| {
        let from: Option<Mailbox> = answer.parse().ok();
        let is_good = from.is_some_and(|from| from.email.to_string().is_ascii());
        let wrong = || "that is no name and address: write one like Anna <anna@example.invalid>";
        is_good
            .then(|| answer.to_owned())
            .ok_or_else(|| wrong().to_owned())
    })
}

/// Tries the server as `doctor` does.
fn is_sound(
    draft: &NewsDraft,
    news: &mut NewsSettings,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    if let (Some((_, SecretSource::Typed(value))), Some(login)) =
        (&draft.login, &mut news.server.login)
    {
        login.credential = Credential::Password(Secret::Known(value.clone()));
    }
    let mut report = Report::new(context, false);
    report.patience = PATIENCE;
    check_news(news, &mut report)?;
    Ok(report.is_sound)
}

/// Asks whether what does not work is to be written.
fn is_wanted(context: &mut Context<'_>) -> Result<bool, Error> {
    if !context.can_ask() {
        return Ok(false);
    }
    let question = Question {
        text: "Write it nevertheless? yes/no",
        usual: "no",
        help: "yes: the section is written, and 'parapost doctor' tries it again. no: nothing is written.",
    };
    question.is_yes(context)
}

impl NewsDraft {
    /// Returns the section. `password` is the name of the file with the password.
    fn text(&self, password: &str) -> Result<String, Error> {
        let (host, port) = (quoted(&self.server.host)?, self.server.port);
        let tls = self.tls.word();
        let ca_file = match &self.ca_file {
            Some(file) => format!("ca_file = {}\n", quoted_path(file)?),
            None => String::new(),
        };
        let login = match &self.login {
            Some((user, secret)) => {
                format!("user = {}\n{}", quoted(user)?, secret.line(password)?)
            }
            None => String::new(),
        };
        let (from, group) = (quoted(&self.from)?, quoted(self.group.as_str())?);
        Ok(format!(
            "\n[news]\nhost = {host}\nport = {port}\ntls = \"{tls}\"\n{ca_file}{login}from = {from}\ngroup = {group}\n"
        ))
    }
}
