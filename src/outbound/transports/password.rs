//! Passwords from a file or a command.

use std::fs;
use std::process::{Command, Stdio};

use crate::Error;
use crate::config::transport::Password;

/// Reads a password: the first line of a file, or of the output of a command.
///
/// # Errors
///
/// If the file cannot be read, the command fails, or the line is empty.
pub fn read(password: &Password) -> Result<String, Error> {
    let text = match password {
        Password::File(file) => {
            fs::read_to_string(file).map_err(|error| Error::file(file, &error))?
        }
        Password::Command(words) => {
            let output = Command::new(&words[0])
                .args(&words[1..])
                .stdin(Stdio::null())
                .stderr(Stdio::inherit())
                .output()
                .map_err(|error| Error::io(&format!("password_command {}", words[0]), &error))?;
            if !output.status.success() {
                return Err(Error::refused(format!(
                    "password_command has failed ({})",
                    output.status
                )));
            }
            String::from_utf8(output.stdout)
                .map_err(|_| Error::refused("password_command has written no UTF-8 text"))?
        }
    };
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => Err(Error::refused("the password is empty")),
    }
}
