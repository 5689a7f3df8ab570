//! The sections `[transport]` and `[smtp]`: the transport of mail.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::error::SettingError;
use crate::config::one_or_many::OneOrMany;

/// The transport of mail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TransportSettings {
    /// A folder that gets one `.eml` file for each message; the default is
    /// `outbox` in the games folder.
    Folder(Option<PathBuf>),
    /// Standard output.
    Print,
    /// A mail server.
    Smtp(SmtpSettings),
    /// The system's `sendmail` program.
    Sendmail(PathBuf),
}

/// The connection to a mail server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtpSettings {
    /// The server's name, which its certificate must contain.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The encryption of the connection.
    pub tls: Tls,
    /// A PEM certificate to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
    /// The user's name on the server, and the password.
    pub login: Option<(String, Password)>,
}

/// The encryption of a connection.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// None.
    None,
    /// STARTTLS; a server without it gets no mail.
    Starttls,
    /// TLS from the first byte.
    Tls,
}

/// The source of a password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Password {
    /// The first line of a file.
    File(PathBuf),
    /// The first line that a command writes: the program and its arguments.
    Command(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTransport {
    kind: RawKind,
    path: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum RawKind {
    Folder,
    Print,
    Smtp,
    Sendmail,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSmtp {
    host: String,
    port: Option<u16>,
    tls: Option<Tls>,
    ca_file: Option<String>,
    user: Option<String>,
    password_file: Option<String>,
    password_command: Option<OneOrMany>,
}

impl TransportSettings {
    /// Checks the two sections. Relative paths in them start at `base`.
    pub(super) fn check(
        raw: Option<RawTransport>,
        smtp: Option<RawSmtp>,
        base: &Path,
    ) -> Result<TransportSettings, SettingError> {
        let smtp = smtp.map(|raw| SmtpSettings::check(raw, base)).transpose()?;
        let Some(RawTransport { kind, path }) = raw else {
            return match smtp {
                None => Ok(TransportSettings::Folder(None)),
                Some(_) => Err(SettingError::UnusedSmtp),
            };
        };
        Ok(match (kind, path) {
            (RawKind::Folder, path) => {
                TransportSettings::Folder(path.map(|path| resolve(base, &path)))
            }
            (RawKind::Sendmail, None) => TransportSettings::Sendmail("sendmail".into()),
            // PATH is searched for a bare name.
            (RawKind::Sendmail, Some(path)) if !path.contains('/') => {
                TransportSettings::Sendmail(path.into())
            }
            (RawKind::Sendmail, Some(path)) => TransportSettings::Sendmail(resolve(base, &path)),
            (RawKind::Print | RawKind::Smtp, Some(_)) => return Err(SettingError::UnusedPath),
            (RawKind::Print, None) => TransportSettings::Print,
            (RawKind::Smtp, None) => TransportSettings::Smtp(smtp.ok_or(SettingError::NoSmtp)?),
        })
    }
}

impl SmtpSettings {
    fn check(raw: RawSmtp, base: &Path) -> Result<SmtpSettings, SettingError> {
        let password = match (raw.password_file, raw.password_command) {
            (Some(_), Some(_)) => return Err(SettingError::TwoPasswords),
            (Some(file), None) => Some(Password::File(resolve(base, &file))),
            (None, Some(OneOrMany::Many(words))) if !words.is_empty() => {
                Some(Password::Command(words))
            }
            (None, Some(OneOrMany::One(line))) if !line.trim().is_empty() => {
                Some(Password::Command(shell(line)))
            }
            (None, Some(_)) => return Err(SettingError::EmptyPasswordCommand),
            (None, None) => None,
        };
        let tls = raw.tls.unwrap_or(Tls::Starttls);
        let login = match (raw.user, password) {
            (None, None) => None,
            (Some(user), Some(password)) => Some((user, password)),
            _ => return Err(SettingError::IncompleteLogin),
        };
        if login.is_some() && tls == Tls::None {
            return Err(SettingError::PasswordWithoutTls);
        }
        Ok(SmtpSettings {
            host: raw.host,
            port: raw.port.unwrap_or(match tls {
                Tls::None => 25,
                Tls::Starttls => 587,
                Tls::Tls => 465,
            }),
            tls,
            ca_file: raw.ca_file.map(|file| resolve(base, &file)),
            login,
        })
    }
}

/// Returns the words that run a command line in the system's shell.
fn shell(line: String) -> Vec<String> {
    let words = if cfg!(windows) {
        ["cmd", "/C"]
    } else {
        ["sh", "-c"]
    };
    words
        .into_iter()
        .map(ToOwned::to_owned)
        .chain([line])
        .collect()
}

/// Resolves a path of the configuration: `~/` is the home folder, and a relative
/// path starts at `base`.
fn resolve(base: &Path, path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => base.join(path),
    }
}
