//! Connecting to a mail server: encryption, trust and login.

use std::error::Error as StdError;
use std::time::Duration;
use std::{fs, io};

use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::Auth;
use lettre::transport::smtp::extension::ClientId;

use crate::config::secret::{Credential, Login};
use crate::config::transport::{SmtpSettings, Tls};
use crate::{Error, error};

/// The time limit for each step until mail can be handed over. A server that is there
/// answers sooner.
const LIMIT: Duration = Duration::from_mins(1);

pub(super) fn server(settings: &SmtpSettings) -> String {
    format!("the mail server {}, port {},", settings.host, settings.port)
}

/// Connects with the encryption and login of the settings.
pub(super) fn connect(settings: &SmtpSettings) -> Result<SmtpConnection, Error> {
    let failed = |error| unsent(settings, error);
    let hello = ClientId::default();
    let parameters = match settings.tls {
        Tls::None => None,
        Tls::Starttls | Tls::Tls => Some(trust(settings)?),
    };
    let at_once = parameters.as_ref().filter(|_| settings.tls == Tls::Tls);
    let address = (settings.host.as_str(), settings.port);
    let mut connection =
        SmtpConnection::connect(address, Some(LIMIT), &hello, at_once, None).map_err(failed)?;
    if let Some(parameters) = parameters.filter(|_| settings.tls == Tls::Starttls) {
        connection.starttls(&parameters, &hello).map_err(failed)?;
    }
    if let Some(login) = &settings.login {
        if !connection.is_encrypted() {
            return Err(Error::refused("no password is sent without TLS"));
        }
        log_in(&mut connection, settings, login)?;
    }
    Ok(connection)
}

/// Logs in by a mechanism that the server offers.
fn log_in(
    connection: &mut SmtpConnection,
    settings: &SmtpSettings,
    login: &Login,
) -> Result<(), Error> {
    let secret = login.credential.read()?;
    let mechanisms: &[Mechanism] = match login.credential {
        Credential::Password(_) => &[Mechanism::Plain, Mechanism::Login],
        Credential::Token(_) => &[Mechanism::Xoauth2],
    };
    let Some(mechanism) = connection.server_info().get_auth_mechanism(mechanisms) else {
        let names: Vec<String> = mechanisms.iter().map(ToString::to_string).collect();
        return Err(Error::refused(format!(
            "{} offers no login by {}",
            server(settings),
            names.join(" or ")
        )));
    };
    let credentials = Credentials::new(login.user.clone(), secret.expose().to_owned());
    let answer = match mechanism {
        Mechanism::Plain | Mechanism::Login => connection.auth(&[mechanism], &credentials),
        // A challenge says why the token is refused, and wants an empty answer before
        // the refusal itself.
        Mechanism::Xoauth2 => {
            let token = Auth::new(mechanism, credentials.clone(), None);
            token
                .and_then(|token| connection.command(token))
                .and_then(|answer| match answer.has_code(334) {
                    true => connection.command("\r\n"),
                    false => Ok(answer),
                })
        }
    };
    match answer {
        Ok(answer) if answer.has_code(235) => Ok(()),
        Ok(answer) => Err(Error::later(format!(
            "{} has not taken the login: it answers out of turn ({})",
            server(settings),
            answer.code()
        ))),
        // A server can repeat what it was sent, so the source is not kept.
        Err(error) => {
            let is_permanent = error.is_permanent() || error.is_client();
            let message = without_secret(&error.to_string(), secret.expose(), &credentials);
            let message = format!("{} has not taken the login: {message}", server(settings));
            Err(if is_permanent {
                Error::refused(message)
            } else {
                Error::later(message)
            })
        }
    }
}

/// Removes a secret from a server's words, also in the forms in which it is sent.
fn without_secret(words: &str, secret: &str, credentials: &Credentials) -> String {
    let sent = [
        Auth::new(Mechanism::Plain, credentials.clone(), None),
        Auth::new(Mechanism::Xoauth2, credentials.clone(), None),
        Auth::new(
            Mechanism::Login,
            credentials.clone(),
            Some("Password".to_owned()),
        ),
    ];
    let sent = sent.into_iter().flatten().map(|command| {
        let command = command.to_string();
        let word = command.split_whitespace().next_back();
        word.unwrap_or_default().to_owned()
    });
    sent.chain([secret.to_owned()])
        .filter(|form| !form.is_empty())
        .fold(words.to_owned(), |words, form| words.replace(&form, "…"))
}

/// Trusts the system's authorities, and the certificate of the settings.
fn trust(settings: &SmtpSettings) -> Result<TlsParameters, Error> {
    let mut parameters = TlsParameters::builder(settings.host.clone());
    if let Some(file) = &settings.ca_file {
        let pem = fs::read(file).map_err(|error| Error::file(file, &error))?;
        // The library accepts a file without certificates.
        if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
            return Err(Error::refused(format!(
                "{}: there is no certificate in PEM form in it",
                file.display()
            )));
        }
        let certificate = Certificate::from_pem(&pem).map_err(|error| {
            Error::refused(format!("{}: {error}", file.display())).with_source(error)
        })?;
        parameters = parameters.add_root_certificate(certificate);
    }
    parameters.build().map_err(|error| unsent(settings, error))
}

/// Converts a refusal or a failed connection to an error.
fn unsent(settings: &SmtpSettings, error: smtp::Error) -> Error {
    unsent_to(settings, "", error)
}

pub(super) fn unsent_to(settings: &SmtpSettings, to: &str, error: smtp::Error) -> Error {
    let message = format!("{} has not taken the mail{to}: {error}", server(settings));
    let is_permanent =
        error.is_permanent() || error.is_client() || error.is_tls() || is_distrust(&error);
    let unsent = if is_permanent {
        Error::refused(message)
    } else {
        Error::later(message)
    };
    unsent.with_source(error)
}

/// Returns true if the server's certificate is not trusted. An answer that is
/// not UTF-8 has the same kind of error, but no cause.
fn is_distrust(error: &(dyn StdError + 'static)) -> bool {
    error::causes(error).any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| {
            error.kind() == io::ErrorKind::InvalidData && error.get_ref().is_some()
        })
    })
}
