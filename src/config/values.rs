//! Values that several sections have: a list of texts, a path, a command line, a login.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::error::SettingError;
use crate::mail::secret::{Credential, Login, Secret};

/// One text or a list of texts.
#[derive(Deserialize)]
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

/// Resolves a path of the configuration: `~/` is the home folder, and a relative
/// path starts at `base`.
pub(super) fn resolve(base: &Path, path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest),
        _ => base.join(path),
    }
}

/// Returns the words that run a command line in the system's shell.
pub(super) fn shell(line: String) -> Vec<String> {
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

/// The settings of a login as a section has them.
pub(super) struct RawLogin {
    pub(super) user: Option<String>,
    pub(super) password_file: Option<String>,
    pub(super) password_command: Option<OneOrMany>,
    pub(super) password_env: Option<String>,
    pub(super) token_file: Option<String>,
    pub(super) token_command: Option<OneOrMany>,
    pub(super) token_env: Option<String>,
}

impl RawLogin {
    /// Checks the settings of a section. Relative paths in them start at `base`.
    pub(super) fn check(
        self,
        section: &'static str,
        base: &Path,
    ) -> Result<Option<Login>, SettingError> {
        let empty = |setting| SettingError::EmptySecret { section, setting };
        let file = |file: Option<String>| file.map(|file| Secret::File(resolve(base, &file)));
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
        let passwords = [
            file(self.password_file),
            command(self.password_command, "password_command")?,
            variable(self.password_env, "password_env")?,
        ];
        let tokens = [
            file(self.token_file),
            command(self.token_command, "token_command")?,
            variable(self.token_env, "token_env")?,
        ];
        let passwords = passwords.into_iter().flatten().map(Credential::Password);
        let tokens = tokens.into_iter().flatten().map(Credential::Token);
        let mut credentials = passwords.chain(tokens);
        match (self.user, credentials.next(), credentials.next()) {
            (_, _, Some(_)) => Err(SettingError::TwoPasswords(section)),
            (None, None, None) => Ok(None),
            (Some(user), Some(credential), None) => {
                if user.contains(char::is_control) {
                    return Err(empty("user"));
                }
                Ok(Some(Login { user, credential }))
            }
            _ => Err(SettingError::IncompleteLogin(section)),
        }
    }
}
