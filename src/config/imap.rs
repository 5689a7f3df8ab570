//! The section `[imap]`: the mailbox that `fetch` reads.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::error::SettingError;
use crate::config::one_or_many::OneOrMany;
use crate::config::paths::resolve;
use crate::config::secret::{Login, RawLogin};

/// A folder of a mailbox on a mail server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImapSettings {
    /// The server's name, which its certificate must contain.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The way to TLS. Nothing is read and nobody logs in without it.
    pub tls: ImapTls,
    /// A PEM certificate to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
    /// The login on the server.
    pub login: Login,
    /// The folder.
    pub folder: String,
    /// What happens to a message on the server once its match is saved.
    pub after: After,
}

/// The way to TLS.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ImapTls {
    /// From the first byte.
    #[default]
    Tls,
    /// STARTTLS; a server without it is not used.
    Starttls,
}

/// What happens to a message on the server once its match is saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// Nothing.
    Nothing,
    /// It gets a keyword.
    Keyword,
    /// It is moved to this folder.
    Move(String),
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

impl ImapSettings {
    /// Checks the section. Relative paths in it start at `base`.
    pub(super) fn check(raw: RawImap, base: &Path) -> Result<ImapSettings, SettingError> {
        let login = RawLogin {
            user: raw.user,
            password_file: raw.password_file,
            password_command: raw.password_command,
            password_env: raw.password_env,
            token_file: raw.token_file,
            token_command: raw.token_command,
            token_env: raw.token_env,
        };
        let login = Login::check(login, "imap", base)?;
        let folder = raw.folder.unwrap_or_else(|| "INBOX".to_owned());
        let named = |name: &str, setting| {
            let is_name = !name.is_empty() && !name.contains(char::is_control);
            is_name.then_some(()).ok_or(SettingError::ImapName(setting))
        };
        named(&raw.host, "host")?;
        named(&folder, "folder")?;
        let after = match (raw.after, raw.move_to) {
            (RawAfter::Nothing, None) => After::Nothing,
            (RawAfter::Keyword, None) => After::Keyword,
            (RawAfter::Move, Some(to)) if !is_same_folder(&to, &folder) => {
                named(&to, "move_to")?;
                After::Move(to)
            }
            _ => return Err(SettingError::MoveTo),
        };
        Ok(ImapSettings {
            host: raw.host,
            port: raw.port.unwrap_or(match raw.tls {
                ImapTls::Tls => 993,
                ImapTls::Starttls => 143,
            }),
            tls: raw.tls,
            ca_file: raw.ca_file.map(|file| resolve(base, &file)),
            login: login.ok_or(SettingError::IncompleteLogin("imap"))?,
            folder,
            after,
        })
    }
}

/// Returns true if two names are of one folder. Only INBOX has a name that may be
/// written in any case.
fn is_same_folder(one: &str, other: &str) -> bool {
    let is_inbox = |name: &str| name.eq_ignore_ascii_case("INBOX");
    one == other || is_inbox(one) && is_inbox(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str) -> Result<ImapSettings, String> {
        let text = format!("host = \"imap.test\"\nuser = \"anna\"\n{lines}");
        let raw: RawImap = toml::from_str(&text).map_err(|error| error.to_string())?;
        ImapSettings::check(raw, Path::new("/home/anna")).map_err(|error| error.to_string())
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
