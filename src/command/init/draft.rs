//! The configuration that `init` writes.
//!
//! The source of the password or the token of a mailbox.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use clap::Args;
use lettre::Address;

use crate::command::arguments::path_parser;
use crate::command::ask::{self, Question};
use crate::command::context::Context;
use crate::command::doctor::checks::find_program;
use crate::command::init::servers::{Server, Servers};
use crate::config::{Config, UserRole};
use crate::mail::files;
use crate::mail::providers::CredentialKind;
use crate::mail::secret::{Credential, Login, Secret, SecretText};
use crate::mail::settings::ImapTls;
use crate::printable::filled;
use crate::{Error, shell};

/// The configuration, with the names of what is still to be filled in in double braces.
const CONFIG: &str = include_str!("config.toml");

/// Its sections of a server to send by, and of none.
const SMTP: &str = include_str!("smtp.toml");
const FOLDER: &str = include_str!("folder.toml");

/// Its sections of a mailbox to read, and of none.
const IMAP: &str = include_str!("imap.toml");
const NO_IMAP: &str = include_str!("no_imap.toml");

/// The longest wait for a connection: somebody sits there and has perhaps mistyped a port.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// The file of the password, beside the configuration.
const PASSWORD: &str = "password";

/// The most names that are tried for a file that must be new.
const NAMES: usize = 100;

/// A configuration that is still to be written.
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) address: Address,
    pub(super) role: UserRole,
    pub(super) servers: Servers,
    /// The user's name on both servers.
    pub(super) user: String,
    /// What proves who the user is; none without a server.
    pub(super) secret: Option<SecretSource>,
    pub(super) ca_file: Option<PathBuf>,
}

impl Draft {
    /// Returns the configuration as the program will read it.
    ///
    /// # Errors
    ///
    /// If a setting cannot be used.
    pub(super) fn config(&self, path: &Path) -> Result<Config, Error> {
        Config::parse(&self.text(PASSWORD)?, path.to_path_buf())
    }

    /// Replaces the secret of a login by the one that was typed.
    pub(super) fn tell(&self, login: &mut Login) {
        if let Some(SecretSource::Typed(value)) = &self.secret {
            login.credential = Credential::Password(Secret::Known(value.clone()));
        }
    }

    /// Writes the configuration and, if the password was typed, a file with it, both for
    /// the user alone, and tells of them. Nothing that exists is overwritten.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub(super) fn write(&self, path: &Path, context: &mut Context<'_>) -> Result<(), Error> {
        let folder = path.parent().unwrap_or(Path::new(""));
        files::make_folder(folder).map_err(|error| Error::file(folder, &error))?;
        let mut password = None;
        let mut name = PASSWORD.to_owned();
        if let Some(SecretSource::Typed(value)) = &self.secret {
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
        let secret = self.secret.as_ref();
        let secret = secret.map_or(Ok(String::new()), |secret| secret.line(password))?;
        let ca_file = match &self.ca_file {
            Some(file) => format!("ca_file = {}\n", quoted_path(file)?),
            None => String::new(),
        };
        let section = |section: &str, without: &str, server: &Option<Server>| {
            let Some(server) = server else {
                return Ok(without.to_owned());
            };
            let tls = match server.address.tls {
                ImapTls::Tls => "tls",
                ImapTls::Starttls => "starttls",
            };
            let (host, port) = (quoted(&server.address.host)?, server.address.port);
            let user = quoted(&self.user)?;
            let lines = format!(
                "host = {host}\nport = {port}\ntls = \"{tls}\"\n{ca_file}user = {user}\n{secret}"
            );
            Ok::<_, Error>(filled(section, &[("server", &lines)]))
        };
        let transport = section(SMTP, FOLDER, &self.servers.smtp)?;
        let mailbox = section(IMAP, NO_IMAP, &self.servers.imap)?;
        let (name, address) = (quoted(&self.name)?, quoted(self.address.as_ref())?);
        Ok(filled(
            CONFIG,
            &[
                ("name", &name),
                ("address", &address),
                ("role", role),
                ("transport", &transport),
                ("mailbox", &mailbox),
            ],
        ))
    }
}

/// Returns a path that does not depend on the current folder.
///
/// # Errors
///
/// If the current folder is not known.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|error| Error::file(path, &error))
}

/// Writes a text as TOML, which takes the strings of JSON.
pub(super) fn quoted(text: &str) -> Result<String, Error> {
    if text.contains(char::is_control) {
        let shown = text.escape_debug();
        return Err(Error::usage(format!("'{shown}' has control characters")));
    }
    serde_json::to_string(text).map_err(Error::refused)
}

pub(super) fn quoted_path(path: &Path) -> Result<String, Error> {
    let text = path.to_str();
    let text = text
        .ok_or_else(|| Error::usage(format!("{}: the name is not UTF-8 text", path.display())))?;
    quoted(text)
}

/// Finds a name beside a file, this one or the next with a number, for which `make` does not say
/// that something has it. Returns the path.
pub(super) fn beside(
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
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
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

impl SecretSource {
    /// Returns its line of the configuration. `password` is the name of the file with a password
    /// that was typed.
    pub(super) fn line(&self, password: &str) -> Result<String, Error> {
        Ok(match self {
            SecretSource::Typed(_) => format!("password_file = {}\n", quoted(password)?),
            SecretSource::File(file) => {
                format!("password_file = {}\n", quoted_path(&absolute(file)?)?)
            }
            SecretSource::Setting(setting, value) => format!("{setting} = {}\n", quoted(value)?),
        })
    }
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
pub(super) fn ask_secret(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::transport::TransportSettings;
    use crate::mail::providers::ServerAddress;
    use crate::mail::secret::SecretText;

    fn server(host: &'static str, port: u16) -> Server {
        Server {
            address: ServerAddress::new(host, port),
            is_way_known: true,
        }
    }

    fn draft(name: &str, secret: SecretSource) -> Draft {
        Draft {
            name: name.to_owned(),
            address: "anna@example.org".parse().unwrap(),
            role: UserRole::Referee,
            servers: Servers::of(
                Some(server("imap.test", 993)),
                Some(server("smtp.test", 587)),
                None,
            ),
            user: "anna \"x\" \\ ä".to_owned(),
            secret: Some(secret),
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

    #[test]
    fn a_configuration_may_have_one_server_or_none() {
        let secret = || SecretSource::Setting("password_env", "P".to_owned());
        for (has_imap, has_smtp) in [(true, false), (false, true), (false, false)] {
            let mut draft = draft("Anna", secret());
            draft.servers.imap.take_if(|_| !has_imap);
            draft.servers.smtp.take_if(|_| !has_smtp);
            if draft.servers.are_none() {
                draft.secret = None;
            }
            let config = draft.config(Path::new("/home/anna/config.toml")).unwrap();
            assert_eq!(config.imap.is_some(), has_imap);
            let is_smtp = matches!(config.transport, TransportSettings::Smtp(_));
            assert_eq!(is_smtp, has_smtp);
            let text = draft.text(PASSWORD).unwrap();
            assert!(!text.contains("{{") && !text.contains("\n\n\n"), "{text}");
        }
    }
}
