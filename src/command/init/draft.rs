//! A configuration that is still to be written.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use lettre::Address;

use crate::Error;
use crate::config::Config;
use crate::config::user::UserRole;
use crate::mail::files;
use crate::mail::providers::ServerAddress;
use crate::mail::secret::{Credential, Login, Secret, SecretText};
use crate::mail::settings::ImapTls;

/// The source of a password or a token. The secret itself is no argument, because
/// everybody on a machine can read those.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(crate) struct SecretArgs {
    /// A command whose first line is your password
    #[arg(long, value_name = "COMMAND")]
    pub(crate) password_command: Option<String>,
    /// A file whose first line is your password, and that others cannot read
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(crate) password_file: Option<PathBuf>,
    /// A variable of the environment that has your password
    #[arg(long, value_name = "NAME")]
    pub(crate) password_env: Option<String>,
    /// A command whose first line is an OAuth 2 token (XOAUTH2)
    #[arg(long, value_name = "COMMAND")]
    pub(crate) token_command: Option<String>,
}

/// The file of the password, beside the configuration.
const PASSWORD: &str = "password";

/// The most names that are tried for a file that must be new.
const NAMES: usize = 100;

/// The source of a password or a token.
pub(super) enum SecretSource {
    /// The user has typed it; it gets a file of its own.
    Typed(SecretText),
    PasswordCommand(String),
    PasswordFile(PathBuf),
    PasswordEnv(String),
    TokenCommand(String),
}

impl SecretArgs {
    /// Returns what the arguments say, if they do.
    pub(super) fn source(&self) -> Option<SecretSource> {
        if let Some(command) = &self.password_command {
            return Some(SecretSource::PasswordCommand(command.clone()));
        }
        if let Some(file) = &self.password_file {
            return Some(SecretSource::PasswordFile(file.clone()));
        }
        if let Some(name) = &self.password_env {
            return Some(SecretSource::PasswordEnv(name.clone()));
        }
        let token = self.token_command.as_ref();
        token.map(|command| SecretSource::TokenCommand(command.clone()))
    }
}

/// A configuration that is still to be written.
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) address: Address,
    pub(super) role: UserRole,
    pub(super) imap: ServerAddress,
    pub(super) smtp: ServerAddress,
    /// The user's name on both servers.
    pub(super) user: String,
    pub(super) secret: SecretSource,
    pub(super) ca_file: Option<PathBuf>,
}

/// The files that were written.
pub(super) struct Written {
    /// The file of the password, if there is one.
    pub(super) password: Option<PathBuf>,
    /// The new name of the configuration that was there before.
    pub(super) old: Option<PathBuf>,
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
        if let SecretSource::Typed(value) = &self.secret {
            login.credential = Credential::Password(Secret::Known(value.clone()));
        }
    }

    /// Writes the configuration and, if the password was typed, a file with it, both for
    /// the user alone. Nothing that exists is overwritten.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub(super) fn write(&self, path: &Path) -> Result<Written, Error> {
        let folder = path.parent().unwrap_or(Path::new(""));
        files::make_folder(folder).map_err(|error| Error::file(folder, &error))?;
        let mut password = None;
        let mut name = PASSWORD.to_owned();
        if let SecretSource::Typed(value) = &self.secret {
            let file = create_beside(path, PASSWORD, &format!("{}\n", value.expose()))?;
            if let Some(found) = file.file_name().and_then(|name| name.to_str()) {
                found.clone_into(&mut name);
            }
            password = Some(file);
        }
        let text = self.text(&name)?;
        let failed = |error: io::Error| Error::file(path, &error);
        let mut old = None;
        if fs::symlink_metadata(path).is_ok() {
            let kept = free(path, &format!("{}.bak", name_of(path)))?;
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
        Ok(Written { password, old })
    }

    /// Returns the text of the file. `password` is the name of the file with the password.
    fn text(&self, password: &str) -> Result<String, Error> {
        let role = match self.role {
            UserRole::Player => "player",
            UserRole::Referee => "referee",
        };
        let secret = match &self.secret {
            SecretSource::Typed(_) => format!("password_file = {}", quoted(password)?),
            SecretSource::PasswordCommand(line) => {
                format!("password_command = {}", quoted(line)?)
            }
            SecretSource::PasswordFile(file) => {
                format!("password_file = {}", quoted_path(&absolute(file)?)?)
            }
            SecretSource::PasswordEnv(name) => format!("password_env = {}", quoted(name)?),
            SecretSource::TokenCommand(line) => format!("token_command = {}", quoted(line)?),
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
        let (smtp, imap) = (server(&self.smtp)?, server(&self.imap)?);
        Ok(format!(
            "# The configuration of parapost, as 'parapost init' has made it. Change what you
# like; 'parapost doctor' tries what stands here. The manual of all settings is
# docs/parapost.toml.

# Who you are: the name your mail bears, and the address it comes from. Moves
# are played for the player with this address.
[me]
name = {name}
address = {address}
# \"player\", or \"referee\" for somebody who stands between two players.
role = \"{role}\"

# Mail is sent through the mail server in [smtp].
[transport]
kind = \"smtp\"

# No password is sent without TLS, nor to a server whose certificate is not for
# this host. tls = \"tls\" is TLS from the first byte, \"starttls\" later.
[smtp]
{smtp}
# The mailbox that 'parapost fetch' reads. Nothing in it is changed, unless
# 'after' says so.
[imap]
{imap}#folder = \"INBOX\"
# What happens to a mail on the server once its move is played: \"nothing\",
# \"keyword\" (it gets $Parapost), or \"move\" with move_to = \"a folder\".
#after = \"nothing\"
"
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

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns a path beside another where nothing is.
fn free(path: &Path, name: &str) -> Result<PathBuf, Error> {
    let mut paths = names(path, name);
    let found = paths.find(|path| fs::symlink_metadata(path).is_err());
    found.ok_or_else(|| taken(path, name))
}

/// Creates a file beside another, with this name or the next that is free.
fn create_beside(path: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    for path in names(path, name) {
        match create(&path, text) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => {
                return made
                    .map(|()| path.clone())
                    .map_err(|error| Error::file(&path, &error));
            }
        }
    }
    Err(taken(path, name))
}

fn names(path: &Path, name: &str) -> impl Iterator<Item = PathBuf> {
    let numbered = (2..=NAMES).map(move |number| format!("{name}-{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .map(|name| path.with_file_name(name))
}

fn taken(path: &Path, name: &str) -> Error {
    let path = path.with_file_name(name);
    Error::refused(format!("{}: {NAMES} such files are there", path.display()))
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
            imap: ServerAddress::new("imap.test", 993),
            smtp: ServerAddress::new("smtp.test", 587),
            user: "anna \"x\" \\ ä".to_owned(),
            secret,
            ca_file: Some("/a \"b\".pem".into()),
        }
    }

    #[test]
    fn what_is_written_is_read_as_it_was_meant() {
        for (secret, expected) in [
            (
                SecretSource::PasswordCommand("pass show 'a b' | head \\ \"$X\"".to_owned()),
                None,
            ),
            (
                SecretSource::PasswordFile("/x/secret".into()),
                Some("/x/secret"),
            ),
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
