//! The section `[imap]`: the mailbox that `fetch` reads.

use std::path::Path;

use serde::Deserialize;

use crate::config::error::SettingError;
use crate::config::values::{OneOrMany, RawLogin, resolve};
use crate::mail::settings::{After, ImapSettings, ImapTls};

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
    pub(super) fn check(self, base: &Path) -> Result<ImapSettings, SettingError> {
        let login = RawLogin {
            user: self.user,
            password_file: self.password_file,
            password_command: self.password_command,
            password_env: self.password_env,
            token_file: self.token_file,
            token_command: self.token_command,
            token_env: self.token_env,
        };
        let login = login.check("imap", base)?;
        let folder = self.folder.unwrap_or_else(|| "INBOX".to_owned());
        let named = |name: &str, setting| {
            let is_name = !name.is_empty() && !name.contains(char::is_control);
            is_name.then_some(()).ok_or(SettingError::ImapName(setting))
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
            _ => return Err(SettingError::MoveTo),
        };
        Ok(ImapSettings {
            host: self.host,
            port: self.port.unwrap_or(match self.tls {
                ImapTls::Tls => 993,
                ImapTls::Starttls => 143,
            }),
            tls: self.tls,
            ca_file: self.ca_file.map(|file| resolve(base, &file)),
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
