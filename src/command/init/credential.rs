//! The source of the password or the token of a mailbox.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::Error;
use crate::command::arguments::path_parser;
use crate::command::ask::{self, Question};
use crate::command::context::Context;
use crate::command::doctor::checks::find_program;
use crate::mail::providers::CredentialKind;
use crate::mail::secret::SecretText;
use crate::shell;

/// The source of a password or a token. The secret itself is no argument, because
/// everybody on a machine can read those.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(super) struct SecretArgs {
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

/// The source of a password or a token.
pub(super) enum SecretSource {
    /// The user has typed it; it gets a file of its own.
    Typed(SecretText),
    /// A file that the user has.
    File(PathBuf),
    /// Another setting of the configuration, and its value.
    Setting(&'static str, String),
}

impl SecretArgs {
    /// Returns what the arguments say, if they do.
    pub(super) fn source(&self) -> Option<SecretSource> {
        let set =
            |setting, value: &Option<String>| Some(SecretSource::Setting(setting, value.clone()?));
        let file = self.password_file.clone().map(SecretSource::File);
        set("password_command", &self.password_command)
            .or(file)
            .or(set("password_env", &self.password_env))
            .or(set("token_command", &self.token_command))
    }
}

/// Asks for a password, or a command that prints one or a token.
///
/// # Errors
///
/// If nobody answers.
pub(super) fn ask(
    proof: CredentialKind,
    user: &str,
    context: &mut Context<'_>,
) -> Result<SecretSource, Error> {
    let what = match proof {
        CredentialKind::Token => return ask_token(user, context),
        CredentialKind::AppPassword => "app password",
        CredentialKind::Password => "password",
    };
    let help = "It goes to your mail servers alone, over TLS, and into a file that only you can read. Many \
                providers want a password made for one program (an app password), which the settings of \
                your mailbox make. An empty line, if a command such as 'pass' keeps it.";
    loop {
        if let Some(value) = ask::secret(what, help, context)? {
            return Ok(SecretSource::Typed(value));
        }
        if let Some(command) = ask_command(context)? {
            return Ok(SecretSource::Setting("password_command", command));
        }
    }
}

/// The answer that goes back to the question of a password.
const BACK: &str = "back";

/// Asks for a command that prints a password; none, if it is to be typed after all.
fn ask_command(context: &mut Context<'_>) -> Result<Option<String>, Error> {
    let question = Question {
        text: "A command that prints the password, like 'pass show mail':",
        usual: BACK,
        help: "The first line that it prints is the password. It is run whenever mail is read or sent, by a \
               shell. 'back' lets you type the password.",
    };
    question.ask(context, |answer| match answer {
        BACK => Ok(None),
        command => program_of(command).map(Some),
    })
}

/// Asks for a command that prints a token.
fn ask_token(user: &str, context: &mut Context<'_>) -> Result<SecretSource, Error> {
    let question = Question {
        text: "A command that prints an OAuth 2 token:",
        usual: &format!("oama access {}", shell::quote(user)),
        help: "This provider takes no password. A program such as oama or mutt_oauth2.py gets a token in \
               your browser once, and prints a fresh one from then on.",
    };
    let command = question.ask(context, program_of)?;
    Ok(SecretSource::Setting("token_command", command))
}

/// Takes a command that begins with a program. Anything else may be a password: it would be run,
/// and stand in the configuration.
fn program_of(command: &str) -> Result<String, String> {
    let program = command.split_whitespace().next().unwrap_or_default();
    match find_program(Path::new(program)) {
        Some(_) => Ok(command.to_owned()),
        None => {
            Err("there is no such program here; write its name first, then its words".to_owned())
        }
    }
}
