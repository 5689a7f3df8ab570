//! How mail leaves the house: the sections `[transport]` and `[smtp]`, checked.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::OneOrMany;

/// How mail leaves the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Transport {
    /// Into a folder, an `.eml` file a message; none: `outbox` in the games
    /// folder.
    Folder(Option<PathBuf>),
    /// To standard output.
    Print,
    /// To a mail server.
    Smtp(Smtp),
    /// Through the system's `sendmail` program.
    Sendmail(PathBuf),
}

/// How a mail server is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smtp {
    /// Its name, which its certificate must bear.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is kept private.
    pub tls: Tls,
    /// A certificate to trust besides those of the system, PEM.
    pub ca_file: Option<PathBuf>,
    /// The user's name there and where the password is to be had.
    pub login: Option<(String, Password)>,
}

/// How a connection is kept private.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// Not at all.
    None,
    /// By STARTTLS, or the mail does not go.
    Starttls,
    /// From the first byte.
    Tls,
}

/// Where a password is to be had.
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

/// The transport that those two sections say; paths in them begin at `base`.
pub(super) fn check(
    raw: Option<RawTransport>,
    smtp: Option<RawSmtp>,
    base: &Path,
) -> Result<Transport, String> {
    let smtp = smtp.map(|raw| Smtp::check(raw, base)).transpose()?;
    let Some(raw) = raw else {
        return match smtp {
            None => Ok(Transport::Folder(None)),
            Some(_) => Err("[smtp] is of no use without [transport] kind = \"smtp\"".to_owned()),
        };
    };
    let path = raw.path;
    match (raw.kind, &path) {
        (RawKind::Folder, _) => Ok(Transport::Folder(path.map(|path| resolve(base, &path)))),
        (RawKind::Sendmail, None) => Ok(Transport::Sendmail("sendmail".into())),
        // A bare name is looked for where programs are.
        (RawKind::Sendmail, Some(path)) if !path.contains('/') => {
            Ok(Transport::Sendmail(path.into()))
        }
        (RawKind::Sendmail, Some(path)) => Ok(Transport::Sendmail(resolve(base, path))),
        (RawKind::Print | RawKind::Smtp, Some(_)) => {
            Err("[transport] path is for the kinds folder and sendmail".to_owned())
        }
        (RawKind::Print, None) => Ok(Transport::Print),
        (RawKind::Smtp, None) => smtp.map(Transport::Smtp).ok_or_else(|| {
            "[transport] kind = \"smtp\" needs a section [smtp] with at least host = \"…\""
                .to_owned()
        }),
    }
}

impl Smtp {
    fn check(raw: RawSmtp, base: &Path) -> Result<Smtp, String> {
        let password = match (raw.password_file, raw.password_command) {
            (Some(_), Some(_)) => {
                return Err(
                    "[smtp] password_file and password_command exclude each other".to_owned(),
                );
            }
            (Some(file), None) => Some(Password::File(resolve(base, &file))),
            (None, Some(OneOrMany::Many(words))) if !words.is_empty() => {
                Some(Password::Command(words))
            }
            (None, Some(OneOrMany::One(line))) if !line.trim().is_empty() => {
                Some(Password::Command(shell(line)))
            }
            (None, Some(_)) => return Err("[smtp] password_command is empty".to_owned()),
            (None, None) => None,
        };
        let tls = raw.tls.unwrap_or(Tls::Starttls);
        let login = match (raw.user, password) {
            (None, None) => None,
            (Some(user), Some(password)) => Some((user, password)),
            _ => {
                return Err(
                    "[smtp] user needs password_file or password_command, and they need user"
                        .to_owned(),
                );
            }
        };
        if login.is_some() && tls == Tls::None {
            return Err(
                "[smtp] no password is sent without TLS: tls = \"starttls\" or \"tls\", or no user"
                    .to_owned(),
            );
        }
        Ok(Smtp {
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

/// A command line as the system's shell takes it.
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

/// A path of the configuration: `~/` is the home folder, and what is not
/// absolute begins at `base`.
fn resolve(base: &Path, path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => base.join(path),
    }
}
