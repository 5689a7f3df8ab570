//! How mail leaves the house.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use crate::config::transport::{Password, SmtpSettings, Tls};
use crate::files::replace::replace_locked;
use crate::outbound::outgoing_message::OutgoingMessage;
use crate::{Error, files};

/// How long a mail server may take for each step.
const PATIENCE: Duration = Duration::from_mins(1);

/// Why a mail has not gone, as far as one can know.
#[derive(Debug)]
pub struct Failure {
    /// Why.
    pub error: Error,
    /// Whether it may have gone after all.
    pub maybe: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure {
            error,
            maybe: false,
        }
    }
}

/// Puts a message into a folder, as a file named by its Message-ID: made
/// again, it is the same file. Whoever calls this holds the lock of the match's
/// outgoing mail.
///
/// # Errors
///
/// If it cannot be written.
pub fn folder(folder: &Path, message: &OutgoingMessage) -> Result<(), Failure> {
    let file = folder.join(format!("{}.eml", message.file_name()));
    files::make_folder(folder)
        .and_then(|()| replace_locked(&file, &message.text()))
        .map_err(|error| Error::file(&file, &error).into())
}

/// Hands a message to the system's `sendmail` program.
///
/// # Errors
///
/// If the program cannot be run or does not take the message.
pub fn sendmail(program: &Path, message: &OutgoingMessage) -> Result<(), Failure> {
    // A file that is whole before the program starts: a pipe would come to an
    // end in the middle of the message, which the program would send so, if
    // this process ended before it had written all.
    let text = spool(&message.text())
        .map_err(|error| Error::io("a temporary file for the mail", &error))?;
    let envelope = message.envelope();
    let mut command = Command::new(program);
    command.arg("-i");
    if let Some(from) = envelope.from() {
        command.arg("-f").arg(from);
    }
    command
        .arg("--")
        .args(envelope.to())
        .stdin(text)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command
        .spawn()
        .map_err(|error| Error::file(program, &error))?;
    let output = child.wait_with_output().map_err(|error| Failure {
        error: Error::file(program, &error),
        maybe: true,
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let message = format!(
        "{} has not taken the mail ({}): {}",
        program.display(),
        output.status,
        said.trim()
    );
    Err(Failure {
        error: match output.status.code() {
            // What sysexits.h calls a failure for now, and a death by signal.
            Some(75 | 71 | 74) | None => Error::later(message),
            _ => Error::refused(message),
        },
        // What it had done before it was killed, nobody knows.
        maybe: output.status.code().is_none(),
    })
}

/// A file without a name, to be read from its beginning.
fn spool(text: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(text)?;
    file.rewind()?;
    Ok(file)
}

/// Hands a message to a mail server.
///
/// # Errors
///
/// If the server cannot be reached, is not who it should be, or does not take
/// the message.
pub fn smtp(settings: &SmtpSettings, message: &OutgoingMessage) -> Result<(), Failure> {
    let mut connection = connect(settings)?;
    let sent = connection.send(message.envelope(), &message.bytes());
    connection.abort();
    sent.map(|_| ()).map_err(|error| Failure {
        // The server's word that it has not taken the mail is certain; a
        // connection that broke on the way tells nothing.
        maybe: !(error.is_transient() || error.is_permanent() || error.is_client()),
        error: unsent(settings, &error),
    })
}

/// A connection as private and as trusted as the settings ask for.
fn connect(settings: &SmtpSettings) -> Result<SmtpConnection, Error> {
    let failed = |error| unsent(settings, &error);
    let hello = ClientId::default();
    let parameters = match settings.tls {
        Tls::None => None,
        Tls::Starttls | Tls::Tls => Some(trust(settings)?),
    };
    let at_once = parameters.as_ref().filter(|_| settings.tls == Tls::Tls);
    let address = (settings.host.as_str(), settings.port);
    let mut connection =
        SmtpConnection::connect(address, Some(PATIENCE), &hello, at_once, None).map_err(failed)?;
    if let Some(parameters) = parameters.filter(|_| settings.tls == Tls::Starttls) {
        connection.starttls(&parameters, &hello).map_err(failed)?;
    }
    if let Some((user, password)) = &settings.login {
        if !connection.is_encrypted() {
            return Err(Error::refused("no password is sent without TLS"));
        }
        let credentials = Credentials::new(user.clone(), read_password(password)?);
        connection
            .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
            .map_err(failed)?;
    }
    Ok(connection)
}

/// Whom to trust: the system's authorities, and the one of the settings.
fn trust(settings: &SmtpSettings) -> Result<TlsParameters, Error> {
    let mut parameters = TlsParameters::builder(settings.host.clone());
    if let Some(file) = &settings.ca_file {
        let pem = fs::read(file).map_err(|error| Error::file(file, &error))?;
        // The library takes a file without any for no certificate at all.
        if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
            return Err(Error::refused(format!(
                "{}: there is no certificate in PEM form in it",
                file.display()
            )));
        }
        let certificate = Certificate::from_pem(&pem)
            .map_err(|error| Error::refused(format!("{}: {error}", file.display())))?;
        parameters = parameters.add_root_certificate(certificate);
    }
    parameters.build().map_err(|error| unsent(settings, &error))
}

/// What the mail server's refusal, or its silence, comes to.
fn unsent(settings: &SmtpSettings, error: &lettre::transport::smtp::Error) -> Error {
    let message = format!(
        "the mail server {}, port {}, has not taken the mail: {error}",
        settings.host, settings.port
    );
    if error.is_permanent() || error.is_client() || error.is_tls() || is_distrust(error) {
        Error::refused(message)
    } else {
        Error::later(message)
    }
}

/// Whether the server's certificate was not to be trusted. An answer that is not
/// UTF-8 is of the same kind, but has no cause of its own.
fn is_distrust(error: &(dyn std::error::Error + 'static)) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| {
            error.kind() == std::io::ErrorKind::InvalidData && error.get_ref().is_some()
        })
    })
}

fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

/// The first line of the file, or of what the command writes.
fn read_password(password: &Password) -> Result<String, Error> {
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
