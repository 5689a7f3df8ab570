//! The ways of mail: the sections `[transport]` and `[smtp]`, by which it leaves, and `[imap]`, the
//! mailbox that `fetch` reads; and the values that several sections have: a list of texts, a path,
//! a command line, a login.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use crate::Error;
use crate::limits::SENDING;
use crate::mail::secret::{Credential, Login, Secret};
use crate::mail::settings::{After, ConnectionSettings, ImapSettings, ImapTls, Tls};

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
    Smtp(ConnectionSettings),
    /// The system's `sendmail` program.
    Sendmail(PathBuf),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTransport {
    kind: RawKind,
    path: Option<String>,
    pub(super) connections: Option<usize>,
}

#[derive(Deserialize)]
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
    ) -> Result<TransportSettings, Error> {
        let smtp = smtp.map(|raw| raw.check(base)).transpose()?;
        let Some(RawTransport { kind, path, .. }) = raw else {
            return match smtp {
                None => Ok(TransportSettings::Folder(None)),
                Some(_) => Err(Error::refused(
                    "[smtp] is of no use without [transport] kind = \"smtp\"",
                )),
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
            (RawKind::Print | RawKind::Smtp, Some(_)) => {
                return Err(Error::refused(
                    "[transport] path is for the kinds folder and sendmail",
                ));
            }
            (RawKind::Print, None) => TransportSettings::Print,
            (RawKind::Smtp, None) => TransportSettings::Smtp(smtp.ok_or_else(|| {
                Error::refused(
                    "[transport] kind = \"smtp\" needs a section [smtp] with at least host = \"…\"",
                )
            })?),
        })
    }
}

/// Returns over how many connections `serve` sends at a time, or by how many programs, if the
/// configuration asks for so many.
pub(super) fn connections(by: &TransportSettings, asked: Option<usize>) -> Result<usize, Error> {
    let is_one = matches!(by, TransportSettings::Folder(_) | TransportSettings::Print);
    match asked {
        None if is_one => Ok(1),
        Some(_) if is_one => Err(Error::refused(
            "[transport] connections is for the kinds smtp and sendmail",
        )),
        None => Ok(CONNECTIONS),
        Some(number) if (1..=SENDING).contains(&number) => Ok(number),
        Some(_) => Err(Error::refused(format!(
            "[transport] connections is a number from 1 to {SENDING}"
        ))),
    }
}

impl RawSmtp {
    fn check(self, base: &Path) -> Result<ConnectionSettings, Error> {
        let password = (self.password_file, self.password_command, self.password_env);
        let token = (self.token_file, self.token_command, self.token_env);
        let login = login("smtp", base, self.user, password, Some(token))?;
        let tls = self.tls.unwrap_or(Tls::Starttls);
        if login.is_some() && tls == Tls::None {
            return Err(Error::refused(
                "[smtp] no password is sent without TLS: tls = \"starttls\" or \"tls\", or no user",
            ));
        }
        Ok(ConnectionSettings {
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawImap {
    host: String,
    port: Option<u16>,
    #[serde(default)]
    tls: ImapTls,
    ca_file: Option<String>,
    user: Option<String>,
    password_file: Option<String>,
    password_command: Option<OneOrMany>,
    password_env: Option<String>,
    token_file: Option<String>,
    token_command: Option<OneOrMany>,
    token_env: Option<String>,
    folder: Option<String>,
    #[serde(default)]
    after: RawAfter,
    move_to: Option<String>,
}

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum RawAfter {
    #[default]
    Nothing,
    Keyword,
    Move,
}

impl RawImap {
    /// Checks the section. Relative paths in it start at `base`.
    pub(super) fn check(self, base: &Path) -> Result<ImapSettings, Error> {
        let password = (self.password_file, self.password_command, self.password_env);
        let token = (self.token_file, self.token_command, self.token_env);
        let login = login("imap", base, self.user, password, Some(token))?;
        let folder = self.folder.unwrap_or_else(|| "INBOX".to_owned());
        let named = |name: &str, setting| {
            let is_name = !name.is_empty() && !name.contains(char::is_control);
            is_name
                .then_some(())
                .ok_or_else(|| not_text("imap", setting))
        };
        named(&self.host, "host")?;
        named(&folder, "folder")?;
        let after = match (self.after, self.move_to) {
            (RawAfter::Nothing, None) => After::Nothing,
            (RawAfter::Keyword, None) => After::Keyword,
            (RawAfter::Move, Some(to)) if !is_same_folder(&to, &folder) => {
                named(&to, "move_to")?;
                After::Move(to)
            }
            _ => {
                return Err(Error::refused(
                    "[imap] after = \"move\" needs move_to = \"…\", another folder than the one that is read; without it move_to is of no use",
                ));
            }
        };
        Ok(ImapSettings {
            host: self.host,
            port: self.port.unwrap_or(match self.tls {
                ImapTls::Tls => 993,
                ImapTls::Starttls => 143,
            }),
            tls: self.tls,
            ca_file: self.ca_file.map(|file| resolve(base, &file)),
            login: login.ok_or_else(|| incomplete("imap", true))?,
            folder,
            after,
            keyword: "$Parapost",
            command: "parapost fetch",
        })
    }
}

/// Returns true if two names are of one folder. Only INBOX has a name that may be
/// written in any case.
fn is_same_folder(one: &str, other: &str) -> bool {
    let is_inbox = |name: &str| name.eq_ignore_ascii_case("INBOX");
    one == other || is_inbox(one) && is_inbox(other)
}

/// One text or a list of texts.
#[derive(Deserialize, PartialEq)]
#[serde(untagged, expecting = "a text or a list of texts")]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(super) fn into_vec(self) -> Vec<String> {
        match self {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }
    }
}

/// Reads one text or a list of texts as a list.
pub(super) fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    OneOrMany::deserialize(from).map(OneOrMany::into_vec)
}

/// Resolves a path of the configuration: `~/` is the home folder, and a relative
/// path starts at `base`.
pub(super) fn resolve(base: &Path, path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => base.join(path),
    }
}

/// Returns the words that run a command line in the system's shell.
fn shell(line: String) -> Vec<String> {
    let [shell, option] = if cfg!(windows) {
        ["cmd", "/C"]
    } else {
        ["sh", "-c"]
    };
    vec![shell.to_owned(), option.to_owned(), line]
}

/// The error that a setting is no text that can be used.
fn not_text(section: &str, setting: &str) -> Error {
    Error::refused(format!(
        "[{section}] {setting} is empty or has characters that it cannot have"
    ))
}

/// The error for a user without a password, or a password without a user.
fn incomplete(section: &str, takes_tokens: bool) -> Error {
    let token = if takes_tokens {
        " or a token (token_file, token_command or token_env)"
    } else {
        ""
    };
    Error::refused(format!(
        "[{section}] user needs a password (password_file, password_command or password_env){token}, and they need user"
    ))
}

/// The sources of a secret as a section has them: a file, a command and a variable.
pub(super) type RawSecret = (Option<String>, Option<OneOrMany>, Option<String>);

/// Checks the settings of a login in a section. Relative paths in them start at `base`.
pub(super) fn login(
    section: &'static str,
    base: &Path,
    user: Option<String>,
    password: RawSecret,
    token: Option<RawSecret>,
) -> Result<Option<Login>, Error> {
    let takes_tokens = token.is_some();
    let empty = |setting| not_text(section, setting);
    let command = |command: Option<OneOrMany>, setting| match command {
        None => Ok(None),
        Some(OneOrMany::Many(words)) if words.first().is_some_and(|word| !word.is_empty()) => {
            Ok(Some(Secret::Command(words)))
        }
        Some(OneOrMany::One(line)) if !line.trim().is_empty() => {
            Ok(Some(Secret::Command(shell(line))))
        }
        Some(_) => Err(empty(setting)),
    };
    let variable = |name: Option<String>, setting| match name {
        None => Ok(None),
        // Neither can be in a name, and asking for one panics on some systems.
        Some(name) if name.is_empty() || name.contains(['=', '\0']) => Err(empty(setting)),
        Some(name) => Ok(Some(Secret::Environment(name))),
    };
    let secrets = |(path, line, name): RawSecret, [of_line, of_name]: [&'static str; 2]| {
        let file = path.map(|path| Secret::File(resolve(base, &path)));
        let secrets = [file, command(line, of_line)?, variable(name, of_name)?];
        Ok::<_, Error>(secrets.into_iter().flatten())
    };
    let passwords = secrets(password, ["password_command", "password_env"])?;
    let tokens =
        secrets(token.unwrap_or_default(), ["token_command", "token_env"])?.map(Credential::Token);
    let mut credentials = passwords.map(Credential::Password).chain(tokens);
    match (user, credentials.next(), credentials.next()) {
        (_, _, Some(_)) => Err(Error::refused(format!(
            "[{section}] password_file, password_command, password_env{} exclude each other",
            if takes_tokens {
                ", token_file, token_command and token_env"
            } else {
                ""
            }
        ))),
        (None, None, None) => Ok(None),
        (Some(user), Some(credential), None) => {
            if user.contains(char::is_control) {
                return Err(empty("user"));
            }
            Ok(Some(Login { user, credential }))
        }
        _ => Err(incomplete(section, takes_tokens)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str) -> Result<ImapSettings, String> {
        let text = format!("host = \"imap.test\"\nuser = \"anna\"\n{lines}");
        let raw: RawImap = toml::from_str(&text).map_err(|error| error.to_string())?;
        raw.check(Path::new("/home/anna"))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_mailbox_has_the_usual_port_folder_and_tls() {
        let found = check("password_file = \"password\"").unwrap();
        assert_eq!((found.port, found.tls), (993, ImapTls::Tls));
        assert_eq!(
            (found.folder.as_str(), &found.after),
            ("INBOX", &After::Nothing)
        );
        let found = check("token_env = \"T\"\ntls = \"starttls\"\nfolder = \"Games\"").unwrap();
        assert_eq!((found.port, found.folder.as_str()), (143, "Games"));
        let found = check("token_env = \"T\"\nafter = \"move\"\nmove_to = \"Done\"").unwrap();
        assert_eq!(found.after, After::Move("Done".to_owned()));
    }

    #[test]
    fn what_cannot_be_read_safely_or_at_all_is_refused() {
        let secret = "password_env = \"P\"\n";
        for (lines, said) in [
            ("", "user needs a password"),
            (
                "password_env = \"P\"\ntoken_env = \"T\"",
                "exclude each other",
            ),
            (&format!("{secret}tls = \"none\""), "unknown variant `none`"),
            (&format!("{secret}folder = \"\""), "folder is empty"),
            (
                &format!("{secret}folder = \"a\\nb\""),
                "folder is empty or has",
            ),
            (&format!("{secret}after = \"move\""), "needs move_to"),
            (&format!("{secret}move_to = \"Done\""), "needs move_to"),
            (
                &format!("{secret}after = \"move\"\nmove_to = \"inbox\""),
                "another folder",
            ),
            (&format!("{secret}after = \"delete\""), "unknown variant"),
        ] {
            let error = check(lines).unwrap_err();
            assert!(error.contains(said), "{lines}: {error}");
        }
    }
}
