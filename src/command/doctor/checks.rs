//! The list of what the checks find, with what several of them need: the clock of this machine and
//! a time limit; and the checks of a server: that it can be reached and trusted, takes the login
//! and, if it has the mailbox, can be read.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fmt, thread};

use chrono::{DateTime, FixedOffset, TimeDelta, Utc};
use rustls::CertificateError;

use crate::command::context::{Context, visible};
use crate::mail::error::{causes, words};
use crate::mail::imap::ImapError;
use crate::mail::imap::connection::{Connection, connect};
use crate::mail::imap::folder::{MailFolder, StorageQuota};
use crate::mail::nntp::connection::NntpError;
use crate::mail::providers;
use crate::mail::secret::{Credential, Login, LoginRefused};
use crate::mail::server_text::ServerText;
use crate::mail::settings::{After, ConnectionSettings, ImapSettings, ImapTls, Tls};
use crate::mail::smtp;
use crate::mail::smtp::connection::SmtpError;
use crate::mail::wire::{self, TimedSocket, TlsStream};
use crate::{Error, clock};

/// The state of the thing that was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Ok,
    Note,
    Wrong,
}

/// The finding of a check. `Display` writes one line.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    verdict: Verdict,
    what: String,
    said: String,
    remedy: Option<String>,
    /// The setting at fault, where that is known.
    culprit: Option<Culprit>,
}

/// The setting that makes a server refuse, or makes it no server to trust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Culprit {
    /// The user or the password: the server refuses the login.
    Login,
    /// The authority to trust: nobody knows who has signed the certificate.
    Authority,
}

impl Finding {
    /// Creates a finding that all is well.
    pub(crate) fn ok(what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding::new(Verdict::Ok, what, said)
    }

    /// Creates a finding that a person may want to know.
    pub(crate) fn note(what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding::new(Verdict::Note, what, said)
    }

    /// Creates a finding of a fault.
    pub(crate) fn wrong(what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding::new(Verdict::Wrong, what, said)
    }

    fn new(verdict: Verdict, what: impl fmt::Display, said: impl fmt::Display) -> Finding {
        Finding {
            verdict,
            what: what.to_string(),
            said: said.to_string(),
            remedy: None,
            culprit: None,
        }
    }

    /// Adds what to do.
    pub(crate) fn mend(mut self, remedy: impl fmt::Display) -> Finding {
        self.remedy = Some(remedy.to_string());
        self
    }

    /// Returns true if something is wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Verdict::Ok => "ok",
            Verdict::Note => "note",
            Verdict::Wrong => "wrong",
        };
        // A finding is one line, whatever a server or a file has put into it.
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "{word:6} {}: {}", self.what, one_line(&self.said))?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {}", one_line(remedy)),
            None => Ok(()),
        }
    }
}

/// Why a check goes no further.
pub(crate) enum Stop {
    /// It has found something behind which nothing can be checked.
    Found(Finding),
    /// The program cannot go on with it.
    Failed(Error),
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Stop {
        Stop::Found(finding)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

/// The list of findings, which is written line by line.
pub(crate) struct Report<'r, 'c> {
    pub(crate) context: &'r mut Context<'c>,
    /// The clock of this machine, whose finding is added at the end.
    pub(crate) clock: Clock,
    is_data: bool,
    /// The longest wait for a connection.
    pub(crate) patience: Duration,
    /// True if nothing is wrong so far.
    pub(crate) is_sound: bool,
    /// The setting that was at fault last, where that is known.
    pub(crate) culprit: Option<Culprit>,
    /// The texts that must not be written, even if a server repeats them.
    hidden: Vec<String>,
}

impl<'r, 'c> Report<'r, 'c> {
    /// Begins a list, on standard output if it is data, else on standard error.
    pub(crate) fn new(context: &'r mut Context<'c>, is_data: bool) -> Report<'r, 'c> {
        Report {
            context,
            clock: Clock::read(),
            is_data,
            patience: LIMIT,
            is_sound: true,
            culprit: None,
            hidden: Vec::new(),
        }
    }

    /// Keeps a text out of what is said of faults.
    pub(crate) fn hide_text(&mut self, text: &str) {
        self.hidden.push(text.to_owned());
    }

    /// Writes a finding.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn add(&mut self, mut finding: Finding) -> Result<(), Error> {
        self.culprit = finding.culprit.or(self.culprit);
        // A server's name for a folder is no error.
        finding.said = ServerText::new(&finding.said).to_string();
        if finding.is_wrong() {
            self.is_sound = false;
            for hidden in &self.hidden {
                finding.said = finding.said.replace(hidden.as_str(), "…");
            }
        }
        let line = finding.to_string();
        if self.is_data {
            let line = self.context.wrapped_for_stdout(visible(&line));
            return self.context.report(format_args!("{line}\n"));
        }
        self.context.say(line);
        Ok(())
    }

    /// Returns an answer, or writes why there is none.
    fn answer<T>(&mut self, answer: Result<T, Finding>) -> Result<Option<T>, Error> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(finding) => self.add(finding).map(|()| None),
        }
    }

    /// Writes what has ended a check, if anything has.
    ///
    /// # Errors
    ///
    /// If the list cannot be written.
    pub(crate) fn end(&mut self, check: Result<(), Stop>) -> Result<(), Error> {
        match check {
            Ok(()) => Ok(()),
            Err(Stop::Found(finding)) => self.add(finding),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// The longest time that a check takes.
pub(crate) const LIMIT: Duration = Duration::from_secs(10);

/// Does some work, and returns none if it takes longer than [`LIMIT`]. It then goes on
/// behind our back until its own limits or the process end.
pub(crate) fn within<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let _ = sender.send(work());
    });
    receiver.recv_timeout(LIMIT).ok()
}

/// The difference that nobody minds: servers are not to the minute either.
const SLACK: TimeDelta = TimeDelta::minutes(5);

/// The weekdays that a date in a greeting begins with.
const WEEKDAYS: [&str; 7] = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"];

/// The clock of this machine, and what speaks against it.
///
/// No mail server has to tell the time. What is held against our clock is the greeting of
/// the mail server, which often has a date, and what must have happened already: the
/// arrival of the newest mail and what stands in the matches.
pub(crate) struct Clock {
    now: Result<DateTime<Utc>, Error>,
    compared: bool,
    wrong: Option<String>,
}

impl Clock {
    /// Reads the clock.
    pub(crate) fn read() -> Clock {
        Clock {
            now: clock::now(),
            compared: false,
            wrong: None,
        }
    }

    /// Learns of a time that must have passed.
    pub(crate) fn must_be_past(&mut self, time: DateTime<Utc>, what: &str) {
        self.compared = true;
        if let Ok(now) = &self.now
            && time - now > SLACK
        {
            let (time, now) = (clock::write(time), clock::write(*now));
            let said = format!("it says {now}, but {what} is of {time}");
            self.wrong.get_or_insert(said);
        }
    }

    /// Learns of the greeting of a mail server.
    pub(crate) fn greeted(&mut self, greeting: &str, server: &str) {
        let (Ok(now), Some(time)) = (&self.now, date_in(greeting)) else {
            return;
        };
        self.compared = true;
        if (time - now).abs() > SLACK {
            let (time, now) = (clock::write(time), clock::write(*now));
            let said = format!("it says {now}, but {server} says {time}");
            self.wrong.get_or_insert(said);
        }
    }

    /// Returns what is found.
    pub(crate) fn finding(&self) -> Finding {
        let remedy = "set the clock of this machine, and have it set from the network";
        match (&self.now, &self.wrong) {
            (Err(error), _) => Finding::wrong("clock", error).mend(remedy),
            (_, Some(said)) => Finding::wrong("clock", said).mend(remedy),
            (Ok(now), None) => {
                let why = if self.compared {
                    "nothing speaks against it"
                } else {
                    "as it says"
                };
                Finding::ok("clock", format!("{}, {why}", clock::write(*now)))
            }
        }
    }
}

/// Returns the date in a greeting: `mx.test ESMTP Exim 4.96 Sun, 22 Nov 2026 09:16:00 +0000`.
fn date_in(greeting: &str) -> Option<DateTime<Utc>> {
    let words: Vec<&str> = greeting.split_whitespace().collect();
    let starts = words.windows(6).filter(|six| WEEKDAYS.contains(&six[0]));
    let mut dates = starts.filter_map(|six| DateTime::parse_from_rfc2822(&six.join(" ")).ok());
    dates.next().map(|date| date.to_utc())
}

/// A server that the configuration names.
pub(super) struct Service<'s> {
    section: &'static str,
    kind: &'static str,
    usual_ports: &'static str,
    host: &'s str,
    port: u16,
    is_starttls: bool,
    ca_file: Option<&'s Path>,
    login: Option<&'s Login>,
    /// The longest wait for a connection.
    patience: Duration,
}

impl<'s> Service<'s> {
    /// Returns the service of a mailbox.
    fn of_mailbox(settings: &'s ImapSettings, patience: Duration) -> Service<'s> {
        Service {
            section: "imap",
            kind: "mailbox",
            usual_ports: "usual are 993 with tls = \"tls\" and 143 with \"starttls\"",
            host: &settings.host,
            port: settings.port,
            is_starttls: settings.tls == ImapTls::Starttls,
            ca_file: settings.ca_file.as_deref(),
            login: Some(&settings.login),
            patience,
        }
    }

    /// Returns the service of a mail server.
    fn of_mail_server(settings: &'s ConnectionSettings, patience: Duration) -> Service<'s> {
        Service {
            section: "smtp",
            kind: "mail server",
            usual_ports: "usual are 465 with tls = \"tls\" and 587 with \"starttls\"",
            host: &settings.host,
            port: settings.port,
            is_starttls: settings.tls == Tls::Starttls,
            ca_file: settings.ca_file.as_deref(),
            login: settings.login.as_ref(),
            patience,
        }
    }

    /// Returns the service of a news server.
    pub(super) fn of_news_server(
        settings: &'s ConnectionSettings,
        patience: Duration,
    ) -> Service<'s> {
        Service {
            section: "news",
            kind: "news server",
            usual_ports: "usual are 563 with tls = \"tls\" and 119 with \"starttls\"",
            ..Service::of_mail_server(settings, patience)
        }
    }

    /// Returns the name of the service in the list.
    pub(super) fn what(&self) -> String {
        format!("{} {}, port {}", self.kind, self.host, self.port)
    }

    /// Returns the finding that it has a fault, with what to do.
    pub(super) fn wrong(&self, said: impl fmt::Display, remedy: impl fmt::Display) -> Finding {
        Finding::wrong(self.what(), said).mend(remedy)
    }

    /// Returns the login with what is read of its secret.
    ///
    /// # Errors
    ///
    /// The finding, if that cannot be read.
    fn known_login(&self) -> Result<Option<Login>, Finding> {
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

    /// Reads the login, and looks for the server.
    ///
    /// # Errors
    ///
    /// The finding, if there is no such secret, or nobody can be reached.
    pub(super) fn prepare(&self) -> Result<Option<Login>, Finding> {
        let login = self.known_login()?;
        self.reach()?;
        Ok(login)
    }

    /// Looks for the server and connects to it, without saying anything.
    ///
    /// # Errors
    ///
    /// The finding, if nobody can be reached there.
    fn reach(&self) -> Result<(), Finding> {
        let (section, seconds) = (self.section, self.patience.as_secs());
        let (host, port) = (self.host.to_owned(), self.port);
        let found = within(move || wire::addresses(&host, port));
        let found = match found {
            Some(Ok(found)) if !found.is_empty() => found,
            Some(Err(error)) => {
                return Err(self.wrong(
                    format!("no address is found for this name ({})", words(&error)),
                    format!("check host in [{section}], and that this machine is online"),
                ));
            }
            _ => {
                return Err(self.wrong(
                    format!(
                        "no address is found for this name within {} seconds",
                        LIMIT.as_secs()
                    ),
                    "check that this machine is online and has a name server that answers",
                ));
            }
        };
        reach_one(&found, self.patience).map_err(|error| match error.kind() {
            ErrorKind::ConnectionRefused => self.wrong(
                "the connection is refused: nobody listens on this port",
                format!("check port in [{section}]: {}", self.usual_ports),
            ),
            ErrorKind::TimedOut | ErrorKind::WouldBlock => self.wrong(
                format!("no answer within {seconds} seconds"),
                format!(
                    "check host and port in [{section}] ({}), and whether a firewall is in between",
                    self.usual_ports
                ),
            ),
            _ => self.wrong(words(&error), "check that this machine is online"),
        })
    }

    /// Finds out how the server begins TLS: one that does not from the first byte answers
    /// the beginning of TLS with words in the clear. Nothing else is said to it.
    ///
    /// # Errors
    ///
    /// The finding, if nobody answers there.
    fn way(&self) -> Result<ImapTls, Finding> {
        self.reach()?;
        let (host, port) = (self.host.to_owned(), self.port);
        let client = wire::tls_connection(&host, self.ca_file, self.section);
        let mut client = client.map_err(|error| self.fault(&error))?;
        let patience = self.patience;
        let tried = within(move || {
            let socket = wire::connect(&host, port, patience)?;
            let mut socket = TimedSocket::new(socket, LIMIT);
            client.complete_io(&mut socket)
        });
        match self.answered(tried.map(Ok))? {
            Ok(_) => Ok(ImapTls::Tls),
            Err(error) => match error.get_ref().and_then(|error| error.downcast_ref()) {
                Some(rustls::Error::InvalidMessage(_)) => Ok(ImapTls::Starttls),
                // What is wrong with its TLS is told when it is checked.
                Some(_) => Ok(ImapTls::Tls),
                None => Err(self.wrong(words(&error), "check host and port, or try again later")),
            },
        }
    }

    /// Returns what the server has answered once the connection stood.
    ///
    /// # Errors
    ///
    /// The finding, if it has failed, or has not answered in time.
    pub(super) fn answered<T>(&self, answer: Option<Result<T, Error>>) -> Result<T, Finding> {
        let (section, ports) = (self.section, self.usual_ports);
        match answer {
            Some(answer) => answer.map_err(|error| self.fault(&error)),
            None => Err(self.wrong(
                format!("it has not answered within {} seconds", LIMIT.as_secs()),
                format!("check that tls in [{section}] suits the port: {ports}"),
            )),
        }
    }

    /// Converts a failure after the connection stood.
    fn fault(&self, error: &Error) -> Finding {
        let (section, ports) = (self.section, self.usual_ports);
        for cause in causes(error) {
            let tls = cause.downcast_ref::<rustls::Error>().or_else(|| {
                let error = cause.downcast_ref::<io::Error>()?.get_ref()?;
                error.downcast_ref()
            });
            match tls {
                Some(rustls::Error::InvalidCertificate(why)) => return self.certificate(why),
                Some(rustls::Error::InvalidMessage(_)) => {
                    let remedy = format!("check tls and port in [{section}]: {ports}");
                    return self.wrong("it does not begin with TLS", remedy);
                }
                _ => {}
            }
            let is_login = cause.is::<LoginRefused>()
                || matches!(cause.downcast_ref(), Some(ImapError::No(_)));
            if is_login {
                let refused = self.wrong(error, self.about_login());
                return Finding {
                    culprit: Some(Culprit::Login),
                    ..refused
                };
            }
            let is_unfit = matches!(cause.downcast_ref(), Some(ImapError::Unfit(_)))
                || matches!(cause.downcast_ref(), Some(NntpError::Unfit(_)))
                || matches!(cause.downcast_ref(), Some(SmtpError::Unfit(_)));
            if is_unfit && self.is_starttls {
                let remedy = format!(
                    "if it has a port with TLS from the first byte, say so in [{section}]: {ports}"
                );
                return self.wrong(error, remedy);
            }
        }
        let remedy = if error.is_transient() {
            "try again later"
        } else {
            "ask who runs the server"
        };
        self.wrong(error, remedy)
    }

    fn certificate(&self, why: &CertificateError) -> Finding {
        let section = self.section;
        let other_name = |names: &str| {
            self.wrong(
                format!("its certificate is for another name{names}"),
                format!("write that name as host in [{section}], if it is this server's"),
            )
        };
        match why {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => self.wrong(
                "its certificate has expired",
                "if the clock of this machine is right, who runs the server has to renew it",
            ),
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => self
                .wrong(
                    "its certificate is valid only from a later time on",
                    "the clock of this machine is probably wrong: set it",
                ),
            CertificateError::UnknownIssuer => Finding {
                culprit: Some(Culprit::Authority),
                ..self.wrong(
                    "its certificate is not trusted: it is signed by nobody that this system knows",
                    format!(
                        "if the server is your own, name the certificate of its authority (ca_file in [{section}]); if not, somebody else may be answering in its place"
                    ),
                )
            },
            CertificateError::NotValidForName => other_name(""),
            CertificateError::NotValidForNameContext { presented, .. } => {
                other_name(&format!(" ({})", presented.join(", ")))
            }
            other => self.wrong(
                format!("its certificate is not trusted: {other}"),
                "ask who runs the server",
            ),
        }
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

/// Connects to one of these addresses, in all within a limit, and hangs up.
fn reach_one(addresses: &[SocketAddr], limit: Duration) -> io::Result<()> {
    let end = Instant::now() + limit;
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

/// The limits on the unwanted mail that is looked at: its age in days, and its number.
const JUNK_DAYS: i64 = 60;
const JUNK_MESSAGES: usize = 1000;

/// The percentage from which a quota is nearly used up.
const NEARLY_FULL: u64 = 95;

/// The most folders that a line names.
const NAMES: usize = 20;

pub(super) type Mailbox = Connection<TlsStream>;

/// Checks a mailbox, and changes nothing in it. `concerns` tells from header fields whether
/// a message is about a match; without it nobody's mail is looked for in other folders.
///
/// # Errors
///
/// If the report cannot be written.
pub(crate) fn check_mailbox(
    settings: &ImapSettings,
    concerns: Option<impl Fn(&[u8]) -> bool>,
    report: &mut Report<'_, '_>,
) -> Result<(), Error> {
    let check = mailbox(settings, concerns, report);
    report.end(check)
}

fn mailbox(
    settings: &ImapSettings,
    concerns: Option<impl Fn(&[u8]) -> bool>,
    report: &mut Report<'_, '_>,
) -> Result<(), Stop> {
    let mailbox = log_in(settings, report)?;
    let user = settings.login.user.escape_debug();
    let said = format!("'{user}' is logged in");
    let what = Service::of_mailbox(settings, report.patience).what();
    report.add(Finding::ok(what, said))?;
    let mailbox = folder(settings, mailbox, report)?;
    let mailbox = quota(settings, mailbox, report)?;
    match concerns {
        Some(concerns) => junk(settings, mailbox, &concerns, report),
        None => Ok(()),
    }
}

/// Logs in on the server of a mailbox.
///
/// # Errors
///
/// The finding, if that fails.
pub(super) fn log_in(
    settings: &ImapSettings,
    report: &mut Report<'_, '_>,
) -> Result<Mailbox, Finding> {
    let service = Service::of_mailbox(settings, report.patience);
    let mut known = settings.clone();
    known.login = service.known_login()?.unwrap_or(known.login);
    service.reach()?;
    service.answered(within(move || connect(&known, |_| ())))
}

/// Finds out how a mailbox's server begins TLS; none if that is not to be found out, which is
/// reported.
///
/// # Errors
///
/// If the report cannot be written.
pub(crate) fn way_of_mailbox(
    settings: &ImapSettings,
    report: &mut Report<'_, '_>,
) -> Result<Option<ImapTls>, Error> {
    let way = Service::of_mailbox(settings, report.patience).way();
    report.answer(way)
}

/// Finds out the same of a mail server.
///
/// # Errors
///
/// As [`way_of_mailbox`].
pub(crate) fn way_of_mail_server(
    settings: &ConnectionSettings,
    report: &mut Report<'_, '_>,
) -> Result<Option<ImapTls>, Error> {
    let way = Service::of_mail_server(settings, report.patience).way();
    report.answer(way)
}

/// Checks a mail server: that it can be reached and trusted, and takes the login.
///
/// # Errors
///
/// If the report cannot be written.
pub(crate) fn check_smtp(
    settings: &ConnectionSettings,
    report: &mut Report<'_, '_>,
) -> Result<(), Error> {
    let finding = mail_server(settings, report).unwrap_or_else(|finding| finding);
    report.add(finding)
}

fn mail_server(
    settings: &ConnectionSettings,
    report: &mut Report<'_, '_>,
) -> Result<Finding, Finding> {
    let service = Service::of_mail_server(settings, report.patience);
    let login = service.prepare()?;
    let known = ConnectionSettings {
        login: login.clone(),
        ..settings.clone()
    };
    let greeting = service.answered(within(move || smtp::probe(&known)))?;
    report.clock.greeted(&greeting, &settings.host);
    let said = match login {
        Some(login) => format!("'{}' is logged in, and may send", login.user.escape_debug()),
        None => "it can be reached; there is no login".to_owned(),
    };
    Ok(Finding::ok(service.what(), said))
}

/// Asks a mailbox something. Returns it with the answer, or what went wrong. That the
/// server says no is an answer.
pub(super) fn ask<T: Send + 'static>(
    mut mailbox: Mailbox,
    question: impl FnOnce(&mut Mailbox) -> Result<T, ImapError> + Send + 'static,
) -> Result<(Mailbox, Result<T, ImapError>), String> {
    let answered = within(move || {
        let answer = question(&mut mailbox);
        (mailbox, answer)
    });
    match answered {
        None => Err(format!(
            "the server has not answered within {} seconds",
            LIMIT.as_secs()
        )),
        Some((mailbox, answer @ (Ok(_) | Err(ImapError::No(_))))) => Ok((mailbox, answer)),
        Some((_, Err(error))) => Err(error.to_string()),
    }
}

/// The folder that is read, as the server shows it.
struct Seen {
    messages: u32,
    newest: Option<DateTime<FixedOffset>>,
    has_target: bool,
    can_move: bool,
}

/// Checks the folder that is read, and what is to happen to its messages.
fn folder(
    settings: &ImapSettings,
    mailbox: Mailbox,
    report: &mut Report<'_, '_>,
) -> Result<Mailbox, Stop> {
    let what = folder_named(&settings.folder);
    let later = |said: String| Finding::wrong(&what, said).mend("try again later");
    let (name, after) = (settings.folder.clone(), settings.after.clone());
    let asked = ask(mailbox, move |mailbox| {
        mailbox.select(&name, false)?;
        let has_target = match &after {
            After::Move(to) => mailbox.has_folder(to)?,
            _ => true,
        };
        Ok(Seen {
            messages: mailbox.messages(),
            newest: mailbox.newest_arrival()?,
            has_target,
            can_move: mailbox.can_move(),
        })
    });
    let (mailbox, seen) = asked.map_err(later)?;
    let seen = match seen {
        Ok(seen) => seen,
        Err(error) => {
            let said = format!("it cannot be opened ({error})");
            return Err(Stop::Found(match &error {
                ImapError::No(answer) if answer.is_trouble() => later(said),
                _ => missing(&settings.folder, &said, mailbox, "folder"),
            }));
        }
    };
    if let Some(newest) = seen.newest {
        let what = "the arrival of the newest mail";
        report.clock.must_be_past(newest.to_utc(), what);
    }
    let said = match seen.messages {
        1 => "one message".to_owned(),
        several => format!("{several} messages"),
    };
    report.add(Finding::ok(&what, said))?;
    match &settings.after {
        After::Move(to) if !seen.has_target => {
            let said = "mail that is dealt with is to go there, and there is no such folder";
            return Err(missing(to, said, mailbox, "move_to").into());
        }
        After::Move(_) if !seen.can_move => {
            let said = "the server cannot move one message alone (no MOVE, no UIDPLUS)";
            let remedy = "write after = \"keyword\" or \"nothing\" in [imap]";
            report.add(Finding::wrong(what, said).mend(remedy))?;
        }
        _ => {}
    }
    Ok(mailbox)
}

/// Returns the name of the check of a folder.
fn folder_named(name: &str) -> String {
    format!("folder '{}'", name.escape_debug())
}

/// Says that a folder cannot be opened or is missing, and which there are.
fn missing(name: &str, said: &str, mailbox: Mailbox, setting: &str) -> Finding {
    let folders = match ask(mailbox, Mailbox::folders) {
        Ok((_, Ok(folders))) => folders,
        _ => Vec::new(),
    };
    let mut names: Vec<String> = folders
        .iter()
        .take(NAMES)
        .map(|folder| format!("'{}'", folder.name.escape_debug()))
        .collect();
    if folders.len() > NAMES {
        names.push("…".to_owned());
    }
    let is_there = folders.iter().any(|folder| folder.name == name);
    let remedy = match names.as_slice() {
        _ if is_there => {
            "the folder exists: ask whoever runs the server about its answer".to_owned()
        }
        [] => format!("correct {setting} in [imap]"),
        names => format!(
            "correct {setting} in [imap], or make the folder; there are {}",
            names.join(", ")
        ),
    };
    Finding::wrong(folder_named(name), said).mend(remedy)
}

/// Checks that mail can still come in.
fn quota(
    settings: &ImapSettings,
    mailbox: Mailbox,
    report: &mut Report<'_, '_>,
) -> Result<Mailbox, Stop> {
    let name = settings.folder.clone();
    let (mailbox, quotas) = ask(mailbox, move |mailbox| mailbox.quota(&name))
        .map_err(|said| Finding::wrong("quota", said).mend("try again later"))?;
    for quota in quotas.iter().flatten() {
        report.add(fullness(quota))?;
    }
    Ok(mailbox)
}

fn fullness(quota: &StorageQuota) -> Finding {
    let (used, limit) = (quota.used, quota.limit);
    let said = match &*quota.resource {
        "STORAGE" => format!("{used} of {limit} KiB"),
        "MESSAGE" => format!("{used} of {limit} messages"),
        other => format!("{used} of {limit} ({})", other.escape_debug()),
    };
    let remedy = "delete mail, or the moves of others will not arrive";
    let percent = used.saturating_mul(100).checked_div(limit).unwrap_or(100);
    match percent {
        100.. => Finding::wrong("quota", format!("the mailbox is full: {said}")).mend(remedy),
        NEARLY_FULL.. => {
            Finding::note("quota", format!("the mailbox is nearly full: {said}")).mend(remedy)
        }
        _ => Finding::ok("quota", said),
    }
}

/// Looks for mail about matches in the folders for unwanted mail.
fn junk(
    settings: &ImapSettings,
    mailbox: Mailbox,
    concerns: &impl Fn(&[u8]) -> bool,
    report: &mut Report<'_, '_>,
) -> Result<(), Stop> {
    let what = "unwanted mail";
    let not_looked_at = |said: String| Finding::note(what, format!("it was not looked at: {said}"));
    let (mut mailbox, folders) = ask(mailbox, Mailbox::folders).map_err(not_looked_at)?;
    let folders = folders.map_err(|error| not_looked_at(error.to_string()))?;
    let is_looked_at = |folder: &MailFolder| folder.is_junk && folder.name != settings.folder;
    let since = clock::now()? - TimeDelta::days(JUNK_DAYS);
    let mut looked_at = Vec::new();
    for MailFolder { name, .. } in folders.into_iter().filter(is_looked_at) {
        let folder = name.clone();
        let asked = ask(mailbox, move |mailbox| {
            mailbox.select(&folder, false)?;
            let mut uids = mailbox.since(since.date_naive())?;
            uids.drain(..uids.len().saturating_sub(JUNK_MESSAGES));
            let mut heads = Vec::new();
            if !uids.is_empty() {
                mailbox.heads(&uids, |head| heads.push(head.fields))?;
            }
            Ok(heads)
        });
        let (still, heads) = asked.map_err(not_looked_at)?;
        mailbox = still;
        let heads = heads.unwrap_or_default();
        let found = heads.iter().filter(|fields| concerns(fields)).count();
        let shown = name.escape_debug();
        if found > 0 {
            let what = format!("folder '{shown}'");
            let said = match found {
                1 => "a mail of a player or about a match is in it".to_owned(),
                several => format!("{several} mails of players or about matches are in it"),
            };
            let remedy = format!(
                "move what is wanted to '{}' and tell your provider that it is not junk; then 'parapost fetch --send'",
                settings.folder.escape_debug()
            );
            report.add(Finding::wrong(what, said).mend(remedy))?;
        } else {
            looked_at.push(format!("'{shown}'"));
        }
    }
    if !looked_at.is_empty() {
        let said = format!("nothing about a match in {}", looked_at.join(", "));
        report.add(Finding::ok(what, said))?;
    }
    Ok(())
}

/// Returns the path of a program, as it would be run.
pub(crate) fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return is_program(program).then(|| program.to_path_buf());
    }
    let path = env::var_os("PATH")?;
    let mut found = env::split_paths(&path).map(|folder| folder.join(program));
    found.find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let found = path.metadata();
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file() || path.with_extension("exe").is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_found_in_greetings() {
        for (greeting, expected) in [
            (
                "mx.test ESMTP Exim 4.96 Sun, 22 Nov 2026 09:16:00 +0100",
                Some("2026-11-22T08:16:00Z"),
            ),
            (
                "MX.test Microsoft ESMTP MAIL Service ready at Sun, 22 Nov 2026 09:16:00 +0000",
                Some("2026-11-22T09:16:00Z"),
            ),
            ("mx.test ESMTP Postfix", None),
            ("Sun, 22 Nov", None),
            ("Sun, 99 Nov 2026 09:16:00 +0000", None),
        ] {
            let found = date_in(greeting).map(clock::write);
            assert_eq!(found.as_deref(), expected, "{greeting}");
        }
    }
}
