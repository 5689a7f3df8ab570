//! `parapost init`: asks who the user is, finds the mail servers, tries them, and writes
//! the configuration.

mod draft;
mod questions;
mod servers;

use std::path::Path;

use chrono::TimeDelta;

use crate::args::delivery::Delivery;
use crate::args::fetch::Fetch;
use crate::args::init::Init;
use crate::args::telling::Telling;
use crate::command::context::{Context, given};
use crate::command::doctor::clock::Clock;
use crate::command::doctor::finding::Report;
use crate::command::doctor::{mailbox, sending};
use crate::command::fetch;
use crate::command::init::draft::{Draft, SecretSource};
use crate::command::init::questions::{choose, is_yes, line, secret, without_terminal};
use crate::command::status::Status;
use crate::config::Config;
use crate::config::transport::TransportSettings;
use crate::config::user::UserRole;
use crate::mail::providers::Proof;
use crate::matches::player::Player;
use crate::{Error, clock, files};

/// How far back mail is read for invitations, in days.
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
fn draft(args: &Init, context: &mut Context<'_>) -> Result<(Draft, Proof), Error> {
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
        Some(role) => role.into(),
        None if asks => {
            let question = "Do you play, or are you the referee between two others? player/referee";
            match choose(question, &["player", "referee"], context)? {
                1 => UserRole::Referee,
                _ => UserRole::Player,
            }
        }
        None => UserRole::Player,
    };
    let found = servers::find(args, address.domain(), context)?;
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

fn ask_secret(proof: Proof, context: &mut Context<'_>) -> Result<SecretSource, Error> {
    if proof == Proof::Token {
        let question = "A command that prints an OAuth 2 token:";
        return line(question, None, context).map(SecretSource::TokenCommand);
    }
    let what = match proof {
        Proof::AppPassword => "app password",
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
    mut proof: Proof,
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
                let found = servers::ask(None, context)?;
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
    let mut report = Report::to_stderr();
    let mut clock = Clock::read();
    if let Some(imap) = &mut config.imap {
        draft.tell(&mut imap.login);
        let nobody = None::<fn(&[u8]) -> bool>;
        mailbox::check(imap, nobody, &mut clock, &mut report, context)?;
    }
    if let TransportSettings::Smtp(smtp) = &mut config.transport {
        if let Some(login) = &mut smtp.login {
            draft.tell(login);
        }
        sending::server(smtp, &mut clock, &mut report, context)?;
    }
    let clock = clock.finding();
    if clock.is_wrong() {
        report.add(clock, context)?;
    }
    Ok(report.is_sound())
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
