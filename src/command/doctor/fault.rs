//! What is wrong with a server, and what to do about it.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Instant;

use rustls::CertificateError;

use crate::Error;
use crate::command::doctor::finding::Finding;
use crate::command::doctor::within::{LIMIT, within};
use crate::error::{causes, words};
use crate::mail::imap::error::ImapError;
use crate::mail::providers;
use crate::mail::secret::{Credential, Login};
use crate::mail::settings::{ImapSettings, ImapTls};
use crate::mail::settings::{SmtpSettings, Tls};
use crate::mail::smtp::LoginRefused;
use crate::mail::smtp::connection::SmtpError;

/// A server that the configuration names.
pub(crate) struct Service<'s> {
    section: &'static str,
    host: &'s str,
    port: u16,
    tls: Tls,
    login: Option<&'s Login>,
}

impl<'s> From<&'s ImapSettings> for Service<'s> {
    fn from(settings: &'s ImapSettings) -> Service<'s> {
        Service {
            section: "imap",
            host: &settings.host,
            port: settings.port,
            tls: match settings.tls {
                ImapTls::Tls => Tls::Tls,
                ImapTls::Starttls => Tls::Starttls,
            },
            login: Some(&settings.login),
        }
    }
}

impl<'s> From<&'s SmtpSettings> for Service<'s> {
    fn from(settings: &'s SmtpSettings) -> Service<'s> {
        Service {
            section: "smtp",
            host: &settings.host,
            port: settings.port,
            tls: settings.tls,
            login: settings.login.as_ref(),
        }
    }
}

impl Service<'_> {
    /// Returns the name of the service in the list.
    pub(crate) fn what(&self) -> String {
        let kind = match self.section {
            "imap" => "mailbox",
            _ => "mail server",
        };
        format!("{kind} {}, port {}", self.host, self.port)
    }

    /// Returns the login with what is read of its secret.
    ///
    /// # Errors
    ///
    /// The finding, if that cannot be read.
    pub(crate) fn known_login(&self) -> Result<Option<Login>, Finding> {
        let Some(login) = self.login else {
            return Ok(None);
        };
        match login.credential.known() {
            Ok(credential) => Ok(Some(Login {
                user: login.user.clone(),
                credential,
            })),
            Err(error) => {
                let what = match login.credential {
                    Credential::Password(_) => "password",
                    Credential::Token(_) => "token",
                };
                let what = format!("{what} for {}", self.host);
                let remedy = format!("correct what [{}] says of it", self.section);
                Err(Finding::wrong(what, error).mend(remedy))
            }
        }
    }

    /// Looks for the server and connects to it, without saying anything.
    ///
    /// # Errors
    ///
    /// The finding, if nobody can be reached there.
    pub(crate) fn reach(&self) -> Result<(), Finding> {
        let wrong = |said: String| Finding::wrong(self.what(), said);
        let section = self.section;
        let name = (self.host.to_owned(), self.port);
        let found = within(move || name.to_socket_addrs().map(Vec::from_iter));
        let found = match found {
            Some(Ok(found)) if !found.is_empty() => found,
            Some(Err(error)) => {
                return Err(wrong(format!(
                    "no address is found for this name ({})",
                    words(&error)
                ))
                .mend(format!(
                    "check host in [{section}], and that this machine is online"
                )));
            }
            _ => {
                let seconds = LIMIT.as_secs();
                return Err(wrong(format!(
                    "no address is found for this name within {seconds} seconds"
                ))
                .mend("check that this machine is online and has a name server that answers"));
            }
        };
        reach_one(&found).map_err(|error| match error.kind() {
            ErrorKind::ConnectionRefused => {
                wrong("the connection is refused: nobody listens on this port".to_owned())
                    .mend(format!("check port in [{section}]: {}", self.usual_ports()))
            }
            ErrorKind::TimedOut | ErrorKind::WouldBlock => {
                wrong(format!("no answer within {} seconds", LIMIT.as_secs())).mend(format!(
                    "check host and port in [{section}] ({}), and whether a firewall is in between",
                    self.usual_ports()
                ))
            }
            _ => wrong(words(&error)).mend("check that this machine is online"),
        })
    }

    fn usual_ports(&self) -> &'static str {
        match self.section {
            "imap" => "usual are 993 with tls = \"tls\" and 143 with \"starttls\"",
            _ => "usual are 465 with tls = \"tls\" and 587 with \"starttls\"",
        }
    }

    /// Converts a failure after the connection stood; none if it took too long.
    pub(crate) fn fault(&self, error: Option<&Error>) -> Finding {
        let wrong = |said: String| Finding::wrong(self.what(), said);
        let section = self.section;
        let Some(error) = error else {
            let said = format!("it has not answered within {} seconds", LIMIT.as_secs());
            return wrong(said).mend(format!(
                "check that tls in [{section}] suits the port: {}",
                self.usual_ports()
            ));
        };
        for cause in causes(error) {
            let tls = cause.downcast_ref::<rustls::Error>().or_else(|| {
                let error = cause.downcast_ref::<io::Error>()?.get_ref()?;
                error.downcast_ref()
            });
            match tls {
                Some(rustls::Error::InvalidCertificate(why)) => return self.certificate(why),
                Some(rustls::Error::InvalidMessage(_)) => {
                    return wrong("it does not begin with TLS".to_owned()).mend(format!(
                        "check tls and port in [{section}]: {}",
                        self.usual_ports()
                    ));
                }
                _ => {}
            }
            let is_login = cause.is::<LoginRefused>()
                || matches!(cause.downcast_ref(), Some(ImapError::No(_)));
            if is_login {
                return wrong(error.to_string()).mend(self.about_login());
            }
            let is_unfit = matches!(cause.downcast_ref(), Some(ImapError::Unfit(_)))
                || matches!(cause.downcast_ref(), Some(SmtpError::Unfit(_)));
            if is_unfit && self.tls == Tls::Starttls {
                return wrong(error.to_string()).mend(format!(
                    "if it has a port with TLS from the first byte, say so in [{section}]: {}",
                    self.usual_ports()
                ));
            }
        }
        let remedy = if error.is_transient() {
            "try again later"
        } else {
            "ask who runs the server"
        };
        wrong(error.to_string()).mend(remedy)
    }

    fn certificate(&self, why: &CertificateError) -> Finding {
        let wrong = |said: &str| Finding::wrong(self.what(), said);
        let section = self.section;
        match why {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => wrong(
                "its certificate has expired",
            )
            .mend("if the clock of this machine is right, who runs the server has to renew it"),
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                wrong("its certificate is valid only from a later time on")
                    .mend("the clock of this machine is probably wrong: set it")
            }
            CertificateError::UnknownIssuer => wrong(
                "its certificate is not trusted: it is signed by nobody that this system knows",
            )
            .mend(format!(
                "if the server is your own, name the certificate of its authority: ca_file in [{section}]; else somebody may stand between"
            )),
            CertificateError::NotValidForName => self.other_name(""),
            CertificateError::NotValidForNameContext { presented, .. } => {
                self.other_name(&format!(" ({})", presented.join(", ")))
            }
            other => wrong(&format!("its certificate is not trusted: {other}"))
                .mend("ask who runs the server"),
        }
    }

    fn other_name(&self, names: &str) -> Finding {
        let said = format!("its certificate is for another name{names}");
        Finding::wrong(self.what(), said).mend(format!(
            "write that name as host in [{}], if it is this server's",
            self.section
        ))
    }

    /// Returns what to do when a login is refused.
    fn about_login(&self) -> String {
        let what = match self.login.map(|login| &login.credential) {
            Some(Credential::Token(_)) => "check user and that the token is a fresh one",
            _ => {
                "check user and password; many providers want a password made for this program (an app password)"
            }
        };
        match providers::by_host(self.host) {
            Some(provider) if !provider.advice.is_empty() => {
                format!("{what}. {}: {}", provider.name, provider.advice)
            }
            _ => what.to_owned(),
        }
    }
}

/// Connects to one of these addresses, in all within the limit, and hangs up.
fn reach_one(addresses: &[SocketAddr]) -> io::Result<()> {
    let end = Instant::now() + LIMIT;
    let mut last = io::Error::from(ErrorKind::TimedOut);
    for address in addresses {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(address, left) {
            Ok(_) => return Ok(()),
            Err(error) => last = error,
        }
    }
    Err(last)
}
