//! The user's name on a server, and where the password or the token is read.
//!
//! The value is read when it is used, once for each connection: a token expires.
//! It never stands in an argument of a process, in a message or in the output of
//! `Debug`.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, fmt};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::{Error, child, files};

/// The most bytes of a password or a token that are read. Tokens of the big
/// providers have some thousand.
const LONGEST: usize = 64 << 10;

/// The longest time that a command may take which prints one: it may ask somebody.
const LIMIT: Duration = Duration::from_mins(5);

/// The login on a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    /// The user's name on the server.
    pub user: String,
    /// The proof that it is the user.
    pub credential: Credential,
}

/// The proof to a server of who somebody is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Credential {
    /// A password, for PLAIN and LOGIN.
    Password(Secret),
    /// An OAuth 2 access token, for XOAUTH2.
    Token(Secret),
}

/// The source of a password or a token, of which the first line counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Secret {
    /// A file that others can neither read nor change.
    File(PathBuf),
    /// The output of a command: the program and its arguments.
    Command(Vec<String>),
    /// A variable of the environment.
    Environment(String),
    /// The secret itself, as somebody has just typed it or as it was read before.
    Known(SecretText),
}

/// A password or a token. `Debug` does not write it, and
/// [`ServerText`](crate::server_text::ServerText) removes it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(String);

/// The most secrets that are removed from what servers say. A long-running process reads a token
/// for each connection.
const MOST: usize = 100;

/// The secrets that this process has read, the last one at the end. They include those of all
/// servers, since a server still knows a secret in the next connection.
static IN_USE: Mutex<Vec<SecretText>> = Mutex::new(Vec::new());

/// Adds a secret. If there are too many, it replaces the oldest one.
fn note(in_use: &mut Vec<SecretText>, secret: &SecretText) {
    in_use.retain(|known| known != secret);
    if in_use.len() == MOST {
        in_use.remove(0);
    }
    in_use.push(secret.clone());
}

/// Returns the secrets that this process has read.
pub(crate) fn in_use() -> Vec<SecretText> {
    IN_USE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

impl SecretText {
    /// Takes a text for a password or a token, `what` in messages.
    ///
    /// # Errors
    ///
    /// If it is empty or has control characters.
    pub fn new(text: &str, what: &str) -> Result<SecretText, Error> {
        match text {
            "" => Err(Error::refused(format!("the {what} is empty"))),
            // A NUL or a ^A would end it in the middle of a login.
            text if text.contains(char::is_control) => {
                Err(Error::refused(format!("the {what} has control characters")))
            }
            text => Ok(SecretText::used(text.to_owned())),
        }
    }

    /// Records a text as a secret to remove from what servers say.
    fn used(text: String) -> SecretText {
        let secret = SecretText(text);
        note(
            &mut IN_USE.lock().unwrap_or_else(PoisonError::into_inner),
            &secret,
        );
        secret
    }

    /// Returns the text, to be sent to the server alone.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

impl Credential {
    /// Reads the password or the token.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or others have rights to it, a command fails, a
    /// variable is not set, or the first line is empty or has control characters.
    pub fn read(&self) -> Result<SecretText, Error> {
        let what = match self {
            Credential::Password(_) => "password",
            Credential::Token(_) => "token",
        };
        self.secret().read(what)
    }

    /// Reads the password or the token and returns it as one that is known, so that its
    /// source is not asked again.
    ///
    /// # Errors
    ///
    /// As [`Credential::read`].
    pub fn known(&self) -> Result<Credential, Error> {
        let value = Secret::Known(self.read()?);
        Ok(match self {
            Credential::Password(_) => Credential::Password(value),
            Credential::Token(_) => Credential::Token(value),
        })
    }

    /// Returns the source.
    #[must_use]
    pub fn secret(&self) -> &Secret {
        match self {
            Credential::Password(secret) | Credential::Token(secret) => secret,
        }
    }
}

impl Secret {
    /// Reads the secret. `what` names it in messages and is the first word of its
    /// settings.
    fn read(&self, what: &str) -> Result<SecretText, Error> {
        let bytes = match self {
            Secret::Known(value) => return Ok(value.clone()),
            Secret::File(file) => read_file(file, what)?,
            Secret::Command(words) => read_command(words, what, LIMIT)?,
            Secret::Environment(name) => match env::var_os(name) {
                Some(value) => value.into_encoded_bytes(),
                None => {
                    return Err(Error::refused(format!(
                        "{what}_env: the variable {name} is not set"
                    )));
                }
            },
        };
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::refused(format!("the {what} is not UTF-8 text")))?;
        SecretText::new(text.lines().next().unwrap_or_default(), what)
    }
}

/// Reads what a command prints.
fn read_command(words: &[String], what: &str, limit: Duration) -> Result<Vec<u8>, Error> {
    let failed = |error: io::Error| Error::io(&format!("{what}_command {}", words[0]), &error);
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    let mut started = command.spawn().map_err(failed)?;
    let Some(pipe) = started.stdout.take() else {
        unreachable!("it has a pipe");
    };
    let (status, output) = child::wait(&mut started, pipe, LONGEST, limit).map_err(failed)?;
    if !status.success() {
        return Err(Error::refused(format!(
            "{what}_command has failed ({status})"
        )));
    }
    Ok(output)
}

/// Reads a file that holds a secret. Asks the opened file for its permissions, so
/// that no other file can take its place in between.
fn read_file(path: &Path, what: &str) -> Result<Vec<u8>, Error> {
    let failed = |error: io::Error| Error::file(path, &error);
    let file = files::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    // What a shell passes as a pipe has nobody else.
    if found.is_file() && files::opens_to_others(&found) {
        return Err(Error::refused(format!(
            "{}: everybody can read or change this {what}, so it is not used: 'chmod 600' it",
            path.display()
        )));
    }
    let mut bytes = Vec::new();
    file.take(LONGEST as u64)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

impl Login {
    /// Returns what a login by PLAIN says (RFC 4616), in Base64.
    #[must_use]
    pub fn plain(&self, password: &SecretText) -> String {
        let words = format!("\0{}\0{}", self.user, password.0);
        SecretText::used(BASE64.encode(words)).0
    }

    /// Returns what a login by XOAUTH2 says, in Base64.
    #[must_use]
    pub fn xoauth2(&self, token: &SecretText) -> String {
        let words = format!("user={}\x01auth=Bearer {}\x01\x01", self.user, token.0);
        SecretText::used(BASE64.encode(words)).0
    }
}

/// The source of an error: a server refuses the user or what proves who it is.
#[derive(Debug, thiserror::Error)]
#[error("the login is refused ({0})")]
pub struct LoginRefused(u16);

/// Returns the error of a failed login. `code` is the code of the server's refusal.
pub(crate) fn failed_login(
    server: &str,
    error: &impl fmt::Display,
    (is_permanent, code): (bool, Option<u16>),
) -> Error {
    let message = format!("{server} has not taken the login: {error}");
    let error = Error::refused_or_later(is_permanent, message);
    match code.filter(|_| is_permanent) {
        Some(code) => error.with_source(LoginRefused(code)),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Secret {
        Secret::Command(["sh", "-c", line].map(ToOwned::to_owned).to_vec())
    }

    #[test]
    fn the_first_line_counts() {
        let read = |line: &str| command(line).read("token");
        assert_eq!(
            read("printf 'd33p w4ter\\nc\\n'").unwrap().expose(),
            "d33p w4ter"
        );
        assert_eq!(read("printf 'w4ter\\r\\n'").unwrap().expose(), "w4ter");
        for (line, said) in [
            ("true", "the token is empty"),
            ("printf '\\na'", "the token is empty"),
            ("printf 'a\\001b'", "the token has control characters"),
            ("printf '\\377'", "the token is not UTF-8 text"),
            ("echo a; false", "token_command has failed"),
        ] {
            let error = read(line).unwrap_err().to_string();
            assert!(error.starts_with(said), "{line}: {error}");
        }
    }

    #[test]
    fn a_command_that_does_not_end_is_a_matter_for_later() {
        let words = ["sleep", "60"].map(ToOwned::to_owned);
        let error = read_command(&words, "token", Duration::from_millis(50)).unwrap_err();
        assert!(error.is_transient());
        let said = error.to_string();
        assert!(
            said.starts_with("token_command sleep: it has not ended"),
            "{said}"
        );
    }

    #[test]
    fn of_a_long_output_the_first_line_counts() {
        let value = command("echo w4ter; yes | head -c 1000000")
            .read("token")
            .unwrap();
        assert_eq!(value.expose(), "w4ter");
    }

    /// A process that reads a token for each connection has many after a while.
    #[test]
    fn the_last_secrets_are_kept() {
        let mut in_use = Vec::new();
        let [password, token] = ["kept for ever", "token"].map(|it| SecretText(it.to_owned()));
        for round in 0..300 {
            note(&mut in_use, &password);
            note(&mut in_use, &SecretText(format!("{round}")));
            note(&mut in_use, &token);
        }
        assert_eq!(in_use.len(), MOST);
        assert!(in_use.contains(&password) && in_use.contains(&token));
        assert_eq!(in_use[MOST - 2].expose(), "299");
    }

    #[test]
    fn a_variable_has_the_secret() {
        let read = |name: &str| Secret::Environment(name.to_owned()).read("password");
        assert_eq!(
            read("PATH").unwrap().expose(),
            env::var("PATH").unwrap().as_str()
        );
        let error = read("PARAPOST_NO_SUCH_VARIABLE").unwrap_err().to_string();
        assert!(error.starts_with("password_env: the variable "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_use_is_refused() {
        use std::fs::{Permissions, set_permissions, write};
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        write(&path, "deep secret\n").unwrap();
        for (mode, is_read) in [(0o600, true), (0o640, true), (0o604, false), (0o602, false)] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let value = Secret::File(path.clone()).read("password");
            assert_eq!(value.is_ok(), is_read, "{mode:o}");
            let said = format!("{value:?}");
            assert!(!said.contains("deep"), "{said}");
        }
    }
}
