//! `parapost doctor --round-trip`: sends a mail to its own sender and waits until it is in the
//! mailbox.
//!
//! It is no letter about a match, and none of the program's readers takes it for one: it says
//! that a program sent it, and neither its id nor its text is like those of our mails. It stays
//! in the mailbox: nothing there is changed.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox as Correspondent, Message};

use crate::command::doctor::checks::{Finding, Mailbox, Report, Stop, ask, log_in};
use crate::config::transport::TransportSettings;
use crate::config::{Config, User};
use crate::mail::imap::ImapError;
use crate::mail::imap::folder::MailFolder;
use crate::mail::message_id::MessageId;
use crate::mail::settings::ImapSettings;
use crate::mail::smtp::SmtpTransport;
use crate::mail::transport::{OutgoingMessage, SendError, SendmailTransport, Transport};
use crate::{Error, clock};

/// The name of the check in the list.
const WHAT: &str = "round trip";

/// The time between two looks at the mailbox.
const PAUSE: Duration = Duration::from_secs(1);

/// The random bytes of a mail's id: nobody guesses it, and no two are alike.
const RANDOM: usize = 10;

/// Sends a mail to the user, and waits so long for it.
///
/// # Errors
///
/// If the report cannot be written.
pub(super) fn check(
    config: &Config,
    patience: Duration,
    report: &mut Report<'_, '_>,
) -> Result<(), Error> {
    let trip = trip(config, patience, report);
    report.end(trip)
}

fn trip(config: &Config, patience: Duration, report: &mut Report<'_, '_>) -> Result<(), Stop> {
    let not_tried = |why: &str, remedy: &str| Finding::wrong(WHAT, why).mend(remedy);
    let Some(me) = config.somebody() else {
        let why = "the configuration does not say who you are";
        return Err(not_tried(why, "'parapost init' makes one").into());
    };
    let Some(imap) = &config.imap else {
        let why = "there is no mailbox in which a mail could be looked for";
        return Err(not_tried(why, "add a section [imap]").into());
    };
    let mut transport: Box<dyn Transport> = match &config.transport {
        TransportSettings::Smtp(settings) => Box::new(SmtpTransport::new(settings.clone())),
        TransportSettings::Sendmail(program) => Box::new(SendmailTransport::new(program)),
        TransportSettings::Folder(_) | TransportSettings::Print => {
            let why = "nothing is set up that sends mail";
            return Err(not_tried(
                why,
                "add a section [smtp], with kind = \"smtp\" in [transport]",
            )
            .into());
        }
    };
    let mailbox = log_in(imap, report)?;
    let (mailbox, places) = places(imap, mailbox)?;
    let token = token()?;
    let subject = format!("parapost: round trip {token}");
    let mail = mail(me, &token, &subject)?;
    let begun = Instant::now();
    transport.send(&mail).map_err(|error| unsent(&error))?;
    let to = me.player.address();
    report.context.say(format_args!(
        "a mail to {to} is sent, and waited for: {} seconds at most",
        patience.as_secs()
    ));
    let found = wait(mailbox, places, &token, patience)?;
    let seconds = begun.elapsed().as_secs();
    report.add(match found {
        Some(place) if place.is_junk => Finding::wrong(
            WHAT,
            format!("a mail to {to} came after {seconds} seconds, but to '{}', the folder of unwanted mail", place.name.escape_debug()),
        )
        .mend(format!(
            "move it ('{subject}') to '{}' and tell your provider that it is not junk",
            imap.folder.escape_debug()
        )),
        Some(place) => Finding::ok(
            WHAT,
            format!("a mail to {to} was in '{}' after {seconds} seconds; it stays there ('{subject}')", place.name.escape_debug()),
        ),
        None => Finding::wrong(
            WHAT,
            format!("a mail to {to} was sent, and has not come within {} seconds", patience.as_secs()),
        )
        .mend(format!(
            "look for it ('{subject}') in the other folders; some servers hold mail up for minutes: --round-trip=900"
        )),
    })?;
    Ok(())
}

/// Returns the finding that the mail was not sent.
fn unsent(error: &SendError) -> Finding {
    Finding::wrong(WHAT, error.error())
        .mend("the lines above say what is wrong, or try again later")
}

/// Returns what no other mail has in its header.
fn token() -> Result<String, Error> {
    let mut bytes = [0; RANDOM];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::later(format!("no random numbers to be had: {error}")))?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

fn mail(me: &User, token: &str, subject: &str) -> Result<OutgoingMessage, Error> {
    let address = me.player.address();
    // No match has an id with a capital letter.
    let id: MessageId = format!("<Round-Trip.{token}@{}>", address.domain())
        .parse()
        .map_err(Error::refused)?;
    let now = clock::now()?;
    let person = Correspondent::new(None, address.clone());
    let by_program = HeaderName::new_from_ascii_str("Auto-Submitted");
    let message = Message::builder()
        .from(person.clone())
        .to(person)
        .subject(subject)
        .date(SystemTime::from(now))
        .message_id(Some(id.as_str().to_owned()))
        .raw_header(HeaderValue::new(by_program, "auto-generated".to_owned()))
        .body("'parapost doctor --round-trip' has sent this mail to find out whether mail arrives.\r\nNobody waits for an answer, and you can delete it.\r\n".to_owned())
        .map_err(Error::refused)?;
    Ok(OutgoingMessage::new(message, id, now))
}

/// A folder in which the mail may come.
struct Place {
    name: String,
    is_junk: bool,
    /// The last message that was looked at.
    last: u32,
}

/// Returns the folder that is read and those for unwanted mail, as they are before the mail comes.
fn places(imap: &ImapSettings, mailbox: Mailbox) -> Result<(Mailbox, Vec<Place>), Finding> {
    let own = imap.folder.clone();
    let asked = ask(mailbox, move |mailbox| {
        let others = mailbox.folders()?.into_iter();
        let junk = others.filter(|folder| folder.is_junk && folder.name != own);
        let own = MailFolder {
            name: own.clone(),
            is_junk: false,
        };
        let mut places = Vec::new();
        for MailFolder { name, is_junk } in [own].into_iter().chain(junk) {
            mailbox.select(&name, false)?;
            let last = mailbox.last()?;
            places.push(Place {
                name,
                is_junk,
                last,
            });
        }
        Ok(places)
    });
    let (mailbox, places) = asked.map_err(lost)?;
    Ok((mailbox, places.map_err(lost)?))
}

/// Returns the finding that the mailbox could not be looked at.
fn lost(why: impl std::fmt::Display) -> Finding {
    let why = format!("the mailbox cannot be looked at: {why}");
    Finding::wrong(WHAT, why).mend("try again later")
}

/// Waits until a mail is in one of these folders, but at most so long. Returns the folder.
fn wait(
    mut mailbox: Mailbox,
    mut places: Vec<Place>,
    token: &str,
    patience: Duration,
) -> Result<Option<Place>, Finding> {
    let end = Instant::now() + patience;
    loop {
        let token = token.to_owned();
        let asked = ask(mailbox, move |mailbox| {
            let found = look(mailbox, &mut places, &token)?;
            Ok((places, found))
        });
        let (still, looked) = asked.map_err(lost)?;
        let (mut seen, found) = looked.map_err(lost)?;
        if let Some(at) = found {
            return Ok(Some(seen.swap_remove(at)));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        (mailbox, places) = (still, seen);
        thread::sleep(PAUSE.min(left));
    }
}

/// Looks at what is new in these folders. Returns which has the mail. Some servers give a mail
/// another Message-ID, so that its subject tells, too.
fn look(
    mailbox: &mut Mailbox,
    places: &mut [Place],
    token: &str,
) -> Result<Option<usize>, ImapError> {
    for (at, place) in places.iter_mut().enumerate() {
        mailbox.select(&place.name, false)?;
        let uids = mailbox.above(place.last)?;
        let Some(last) = uids.last() else {
            continue;
        };
        place.last = *last;
        let mut is_here = false;
        mailbox.heads(&uids, |head| {
            is_here |= String::from_utf8_lossy(&head.fields).contains(token);
        })?;
        if is_here {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
