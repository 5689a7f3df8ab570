//! `parapost init`: asks who the user is, finds the mail servers, tries them, and writes
//! the configuration.

mod draft;
mod news;
mod servers;

use std::path::{Path, PathBuf};
use std::{env, fs};

use chrono::TimeDelta;
use clap::Args;
use lettre::Address;

use crate::command::arguments::{Delivery, path_parser};
use crate::command::ask::{Question, without_terminal};
use crate::command::context::{Context, Status, given};
use crate::command::doctor::checks::{
    Culprit, Finding, Report, check_mailbox, check_smtp, way_of_mail_server, way_of_mailbox,
};
use crate::command::fetch::{self, Fetch};
use crate::command::init::draft::{Draft, PATIENCE, SecretArgs, absolute};
use crate::command::init::news::NewsArgs;
use crate::command::init::servers::{Server, ServerArgs, is_domain};
use crate::config::transport::TransportSettings;
use crate::config::{Config, UserRole};
use crate::mail::files;
use crate::mail::settings::ImapTls;
use crate::matches::player::{Player, is_mailable};
use crate::store::folder;
use crate::{Error, clock};

/// `parapost init`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/init.txt").trim_ascii_end())]
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
    /// The servers.
    #[command(flatten)]
    servers: ServerArgs,
    /// The news server.
    #[command(flatten)]
    news: NewsArgs,
    /// Your name on the servers [default: your address]
    #[arg(long)]
    user: Option<String>,
    /// The source of your password or token.
    #[command(flatten)]
    secret: SecretArgs,
    /// A certificate authority to trust besides those of the system, PEM
    #[arg(long, value_name = "FILE", value_parser = path_parser())]
    ca_file: Option<PathBuf>,
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

/// The age of the mail that is read for invitations, in days.
const INVITATIONS: i64 = 14;

pub(super) fn run(args: &Init, context: &mut Context<'_>) -> Result<Status, Error> {
    let path = Config::place(given(context.global.config.as_deref()))?;
    if args.news.news {
        let login = (args.user.as_ref(), &args.secret, args.ca_file.as_deref());
        return news::add(&args.news, login, (&path, args.untested), context);
    }
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
    // A folder that is named and not there is refused by commands that read matches.
    let games = context.games_folder()?;
    folder::make_folder(&games).map_err(|error| Error::file(&games, &error))?;
    if !is_tried {
        context.say("the servers do not answer as they should yet: 'parapost doctor' tries them");
        return Ok(Status::Done);
    }
    let has_mailbox = draft.servers.imap.is_some();
    let is_to_ask = has_mailbox && context.can_ask() && !args.untested;
    // Who has ended the answers wants none; the configuration is written all the same.
    let is_wanted = args.fetch || is_to_ask && wants_mail(context).unwrap_or_default();
    let mut status = Status::Done;
    if is_wanted {
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
        status = fetch::run(&invitations, context)?;
    }
    tell_what_is_next(&draft, has_mailbox && !is_wanted, context)?;
    Ok(status)
}

fn wants_mail(context: &mut Context<'_>) -> Result<bool, Error> {
    let question = Question {
        text: "Read the mail of the last two weeks now, for invitations? yes/no",
        usual: "yes",
        help: "It looks for mail about matches and leaves all other mail alone. You are asked before a match is \
               entered. 'parapost fetch' does so at any time.",
    };
    question.is_yes(context)
}

/// Asks for what the arguments do not say.
fn draft(args: &Init, context: &mut Context<'_>) -> Result<Draft, Error> {
    let (asks, needs_servers) = (context.can_ask(), !args.servers.no_servers);
    if !asks {
        let mut missing = Vec::new();
        if args.name.is_none() {
            missing.push("--name");
        }
        if args.address.is_none() {
            missing.push("--address");
        }
        if needs_servers && args.secret.source().is_none() {
            missing.push(
                "--password-command, --password-file, --password-env or --token-command (or --no-servers)",
            );
        }
        if !missing.is_empty() {
            return Err(without_terminal(&missing));
        }
    }
    let (name, address) = person(args, context)?;
    let role = match args.role {
        Some(role) => role,
        None if asks => role(context)?,
        None => UserRole::Player,
    };
    let servers = servers::find(&args.servers, address.domain(), !args.untested, context)?;
    let user = args.user.clone();
    let mut draft = Draft {
        user: user.unwrap_or_else(|| address.to_string()),
        name,
        address,
        role,
        servers,
        secret: args.secret.source(),
        ca_file: args.ca_file.as_deref().map(absolute).transpose()?,
    };
    complete(&mut draft, context)?;
    Ok(draft)
}

/// Says what the provider of new servers wants, and asks for what proves who the user is, if
/// that is not known. Without servers there is none.
fn complete(draft: &mut Draft, context: &mut Context<'_>) -> Result<(), Error> {
    if draft.servers.are_none() {
        draft.secret = None;
        return Ok(());
    }
    if !draft.servers.advice.is_empty() {
        context.say(&draft.servers.advice);
    }
    if draft.secret.is_none() {
        draft.secret = Some(draft::ask_secret(
            draft.servers.proof,
            &draft.user,
            context,
        )?);
    }
    Ok(())
}

/// Asks for the name and the address of the user.
fn person(args: &Init, context: &mut Context<'_>) -> Result<(String, Address), Error> {
    let given = args.name.clone().zip(args.address.clone());
    if let Some((name, address)) = given {
        Player::new(&name, vec![address.clone()]).map_err(Error::usage)?;
        return Ok((name, address));
    }
    let login = ["USER", "LOGNAME", "USERNAME"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|login| !login.is_empty()));
    let name = match &args.name {
        Some(name) => name.clone(),
        None => asked_name(login.as_deref(), context)?,
    };
    let address = match &args.address {
        Some(address) => address.clone(),
        None => asked_address(login.as_deref(), context)?,
    };
    Player::new(&name, vec![address.clone()]).map_err(Error::usage)?;
    Ok((name, address))
}

fn asked_name(login: Option<&str>, context: &mut Context<'_>) -> Result<String, Error> {
    let usual = login.and_then(full_name).or(login.map(ToOwned::to_owned));
    let question = Question {
        text: "Your name, as your mail bears it:",
        usual: usual.as_deref().unwrap_or("Player"),
        help: "Your opponents read it in each mail, and it stands in the files of your matches.",
    };
    let nobody: Address = "nobody@localhost".parse().map_err(Error::refused)?;
    question.ask(context, |answer| {
        let player = Player::new(answer, vec![nobody.clone()]);
        let wrong = "that is no name: write at most 60 characters, without any of < > and \"";
        player
            .map(|_| answer.to_owned())
            .map_err(|_| wrong.to_owned())
    })
}

/// Returns the name that the system has of a user (the first part of the GECOS field).
fn full_name(login: &str) -> Option<String> {
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let mut users = users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>());
    let user = users.find(|fields| fields.first() == Some(&login))?;
    let name = user.get(4)?.split(',').next()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn asked_address(login: Option<&str>, context: &mut Context<'_>) -> Result<Address, Error> {
    let here = format!("{}@localhost", login.unwrap_or("player"));
    let usual = env::var("EMAIL").ok().filter(|text| address(text).is_ok());
    let question = Question {
        text: "Your address:",
        usual: usual.as_deref().unwrap_or(&here),
        help: "The mail address that you play with, like anna@example.org: your mail comes from it, and the \
               answers go there. Your mail servers are found by it. One at localhost is good for matches in \
               files alone.",
    };
    question.ask(context, address)
}

/// Reads an address. What has no domain behind its @ is none.
fn address(text: &str) -> Result<Address, String> {
    let address: Option<Address> = text.parse().ok();
    let has_domain = |address: &Address| {
        let domain = address.domain();
        is_domain(domain) || domain == "localhost" || domain.starts_with('[')
    };
    address
        .filter(|address| has_domain(address) && is_mailable(address))
        .ok_or_else(|| "that is no mail address: write one like anna@example.org".to_owned())
}

fn role(context: &mut Context<'_>) -> Result<UserRole, Error> {
    let question = Question {
        text: "Do you play, or are you the referee between two others? player/referee",
        usual: "player",
        help: "A player's program reads the opponent's moves and sends the player's own. A referee's program \
               stands between two players: it checks the moves that both send to it, and passes them on.",
    };
    Ok(match question.choose(&["player", "referee"], context)? {
        1 => UserRole::Referee,
        _ => UserRole::Player,
    })
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
    // A name on the servers that somebody has typed may be a password.
    let mut is_user_typed = false;
    loop {
        let Trial { is_sound, culprit } = try_servers(draft, path, is_user_typed, context)?;
        if is_sound {
            return Ok(true);
        }
        if !context.can_ask() {
            return Err(Error::refused(
                "nothing is written; correct what is wrong, or say --untested to write the configuration without trying it",
            ));
        }
        let question = Question {
            text: "What now? password/user/servers/authority/write/quit",
            usual: match culprit {
                Some(Culprit::Login) => "password",
                Some(Culprit::Authority) => "authority",
                None => "servers",
            },
            help: "password: another password (it is asked for next, and not shown). user: another name on the \
                   servers, which with some is not the whole address. servers: other servers, or none. \
                   authority: a file with the certificate of whoever has signed that of your own server. \
                   write: write the configuration nevertheless. quit: write nothing.",
        };
        let choices = ["password", "user", "servers", "authority", "write", "quit"];
        match question.choose(&choices, context)? {
            0 => draft.secret = None,
            1 => {
                draft.user = asked_user(&draft.address, context)?;
                is_user_typed = true;
            }
            2 => {
                let domain = draft.address.domain();
                let guess = Some(domain).filter(|domain| is_domain(domain));
                draft.servers = servers::ask_again(&draft.servers, guess, context)?;
            }
            3 => draft.ca_file = Some(asked_authority(context)?),
            4 => return Ok(false),
            _ => return Err(Error::refused("nothing is written")),
        }
        complete(draft, context)?;
    }
}

fn asked_user(address: &Address, context: &mut Context<'_>) -> Result<String, Error> {
    let question = Question {
        text: "Your name on the servers:",
        usual: address.as_ref(),
        help: "What you log in with: the address with most providers, with some the part before the @, or a number.",
    };
    question.ask(context, |answer| {
        let is_one = !answer.contains(char::is_whitespace);
        let wrong = || "that is no name on a server: it has no blanks".to_owned();
        is_one.then(|| answer.to_owned()).ok_or_else(wrong)
    })
}

fn asked_authority(context: &mut Context<'_>) -> Result<PathBuf, Error> {
    let question = Question {
        text: "The file with the certificate of the authority (PEM):",
        usual: "ca.pem",
        help: "Whoever runs your server has it. What this authority signs is trusted besides what the system trusts.",
    };
    question.ask(context, |answer| {
        let path = absolute(Path::new(answer)).ok();
        let is_there = |path: &PathBuf| path.is_file();
        path.filter(is_there)
            .ok_or_else(|| "there is no such file".to_owned())
    })
}

/// The outcome of a trial.
struct Trial {
    is_sound: bool,
    /// The setting at fault, where that is known.
    culprit: Option<Culprit>,
}

/// Tries the servers as `doctor` does.
fn try_servers(
    draft: &mut Draft,
    path: &Path,
    is_user_typed: bool,
    context: &mut Context<'_>,
) -> Result<Trial, Error> {
    let mut report = Report::new(context, false);
    report.patience = PATIENCE;
    if is_user_typed {
        report.hide_text(&draft.user);
    }
    let config = draft.config(path)?;
    let (mut reads, mut sends) = (true, true);
    if let (Some(settings), Some(server)) = (&config.imap, &mut draft.servers.imap) {
        reads = server.is_way_known
            || settle(server, way_of_mailbox(settings, &mut report)?, &mut report)?;
    }
    if let (TransportSettings::Smtp(settings), Some(server)) =
        (&config.transport, &mut draft.servers.smtp)
    {
        let way = |report: &mut Report<'_, '_>| way_of_mail_server(settings, report);
        sends = server.is_way_known || settle(server, way(&mut report)?, &mut report)?;
    }
    let mut config = draft.config(path)?;
    if let Some(imap) = config.imap.as_mut().filter(|_| reads) {
        draft.tell(&mut imap.login);
        check_mailbox(imap, None::<fn(&[u8]) -> bool>, &mut report)?;
    }
    if let TransportSettings::Smtp(smtp) = &mut config.transport
        && sends
    {
        if let Some(login) = &mut smtp.login {
            draft.tell(login);
        }
        check_smtp(smtp, &mut report)?;
    }
    let clock = report.clock.finding();
    if clock.is_wrong() {
        report.add(clock)?;
    }
    Ok(Trial {
        is_sound: report.is_sound,
        culprit: report.culprit,
    })
}

/// Takes the way to TLS that was found by trying, and says which it is. Returns false if none was.
fn settle(
    server: &mut Server,
    way: Option<ImapTls>,
    report: &mut Report<'_, '_>,
) -> Result<bool, Error> {
    let Some(way) = way else {
        return Ok(false);
    };
    server.address.tls = way;
    server.is_way_known = true;
    let said = match way {
        ImapTls::Tls => "TLS from the first byte (tls)",
        ImapTls::Starttls => "it answers in plain text, so that TLS begins by STARTTLS (starttls)",
    };
    report.add(Finding::ok(&server.address, said))?;
    Ok(true)
}

fn tell_what_is_next(
    draft: &Draft,
    has_mail_to_read: bool,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    if has_mail_to_read {
        context
            .say("next: 'parapost fetch --send' reads new mail, plays the moves in it and answers");
    }
    if draft.servers.smtp.is_none() {
        context.say(format_args!(
            "no mail server is set up: with --send each mail lies in {}, for you to carry to its reader; --print shows it",
            context.outbox()?.display()
        ));
    }
    if draft.servers.imap.is_none() {
        context.say(
            "no mailbox is set up: 'parapost receive FILE' takes in the mail that you have saved",
        );
    }
    match draft.role {
        UserRole::Player => {
            context.say(
                "to invite somebody: parapost new --game unachess 'Ben <ben@example.org>' --send",
            );
            context.say("to play a move: parapost move ID 'MOVE' --send");
            if draft.servers.imap.is_some() {
                context.say("to read the answer: parapost fetch --send");
            }
        }
        UserRole::Referee => {
            context.say(
                "to begin a match of two players: parapost new --game unachess --white 'Anna <anna@example.org>' --black 'Ben <ben@example.org>' --send",
            );
        }
    }
    Ok(())
}
