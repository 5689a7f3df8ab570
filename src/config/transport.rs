//! The sections `[transport]` and `[smtp]`: the transport of mail.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::error::SettingError;
use crate::config::values::{OneOrMany, RawLogin, resolve};
use crate::limits::SENDING;
use crate::mail::settings::{SmtpSettings, Tls};

/// The connections over which `serve` sends, unless the configuration has another number: a
/// recipient for whom the server takes a minute holds up nobody else.
const CONNECTIONS: usize = 2;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTransport {
    kind: RawKind,
    path: Option<String>,
    connections: Option<usize>,
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
    password_env: Option<String>,
    token_file: Option<String>,
    token_command: Option<OneOrMany>,
    token_env: Option<String>,
}

impl TransportSettings {
    /// Checks the two sections. Relative paths in them start at `base`.
    pub(super) fn check(
        raw: Option<RawTransport>,
        smtp: Option<RawSmtp>,
        base: &Path,
    ) -> Result<TransportSettings, SettingError> {
        let smtp = smtp.map(|raw| raw.check(base)).transpose()?;
        let Some(RawTransport { kind, path, .. }) = raw else {
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

/// Returns over how many connections `serve` sends at a time, or by how many programs.
pub(super) fn connections(raw: Option<&RawTransport>) -> Result<usize, SettingError> {
    let kind = raw.map_or(RawKind::Folder, |raw| raw.kind);
    match (kind, raw.and_then(|raw| raw.connections)) {
        (RawKind::Folder | RawKind::Print, None) => Ok(1),
        (RawKind::Folder | RawKind::Print, Some(_)) => Err(SettingError::UnusedConnections),
        (RawKind::Smtp | RawKind::Sendmail, None) => Ok(CONNECTIONS),
        (RawKind::Smtp | RawKind::Sendmail, Some(number)) if (1..=SENDING).contains(&number) => {
            Ok(number)
        }
        (RawKind::Smtp | RawKind::Sendmail, Some(_)) => Err(SettingError::Connections),
    }
}

impl RawSmtp {
    fn check(self, base: &Path) -> Result<SmtpSettings, SettingError> {
        let login = RawLogin {
            user: self.user,
            password_file: self.password_file,
            password_command: self.password_command,
            password_env: self.password_env,
            token_file: self.token_file,
            token_command: self.token_command,
            token_env: self.token_env,
        };
        let login = login.check("smtp", base)?;
        let tls = self.tls.unwrap_or(Tls::Starttls);
        if login.is_some() && tls == Tls::None {
            return Err(SettingError::PasswordWithoutTls);
        }
        Ok(SmtpSettings {
            host: self.host,
            port: self.port.unwrap_or(match tls {
                Tls::None => 25,
                Tls::Starttls => 587,
                Tls::Tls => 465,
            }),
            tls,
            ca_file: self.ca_file.map(|file| resolve(base, &file)),
            login,
        })
    }
}
