//! `parapost doctor`: tries everything that is configured and says what is wrong.
//!
//! `parapost doctor --round-trip`: sends a mail to its own sender and waits until it is in the
//! mailbox.
//!
//! It is no letter about a match, and none of the program's readers takes it for one: it says
//! that a program sent it, and neither its id nor its text is like those of our mails. It stays
//! in the mailbox: nothing there is changed.

pub(super) mod checks;
pub(super) mod news;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use std::{io, mem, thread};

use clap::Args;
use lettre::Address;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox as Correspondent, Message};

use crate::command::context::HELD_BACK;
use crate::command::context::{Context, Status, given};
use crate::command::database;
use crate::command::doctor::checks::{
    Finding, LIMIT, Mailbox, Report, Stop, ask, check_mailbox, check_smtp, find_program, log_in,
};
use crate::command::last_mail::LastMails;
use crate::config::store::{PostgresSettings, StoreSettings};
use crate::config::transport::TransportSettings;
use crate::config::{Config, SenderPolicy, User, UserRole};
use crate::inbound::known::Known;
use crate::mail::error::words;
use crate::mail::imap::ImapError;
use crate::mail::imap::folder::MailFolder;
use crate::mail::message_id::MessageId;
use crate::mail::settings::{ImapSettings, Tls};
use crate::mail::smtp::SmtpTransport;
use crate::mail::transport::{OutgoingMessage, SendError, SendmailTransport, Transport};
use crate::mail::{files, wire};
use crate::matches::decide::way_back;
use crate::matches::mail_id::IdSecret;
use crate::matches::r#match::Match;
use crate::printable::counted;
use crate::{Error, clock, config};

/// `parapost doctor`
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = include_str!("help/doctor.txt").trim_ascii_end())]
pub(super) struct Doctor {
    /// Send a mail to yourself, and say when it comes; wait so many seconds at most [default: 120]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "120", value_parser = clap::value_parser!(u16).range(1..))]
    round_trip: Option<u16>,

    /// Check only the configuration, and where the matches are kept
    #[arg(long, conflicts_with = "round_trip")]
    quick: bool,
}

pub(super) fn run(args: Doctor, context: &mut Context<'_>) -> Result<Status, Error> {
    let mut report = Report::new(context, true);
    let config = match report.context.config() {
        Ok(config) => Some(config),
        Err(error) => {
            let remedy = "correct the file, or make a new one: 'parapost init --force'";
            report.add(Finding::wrong("configuration", error).mend(remedy))?;
            None
        }
    };
    if let Some(config) = &config {
        report.add(user(config))?;
    }
    if report.context.host.is_none() {
        let is_named = given(report.context.global.games.as_deref()).is_some();
        report.add(games_folder(&report.context.games_folder()?, is_named))?;
        report.add(secret())?;
    }
    let is_there = match config.as_ref().map(|config| &config.store) {
        Some(StoreSettings::Postgres(settings)) => check_database(settings, &mut report)?,
        _ => true,
    };
    if args.quick {
        return Ok(Status::of_check(report.is_sound));
    }
    let is_read = is_there && check_matches(config.as_ref(), &mut report)?;
    if let Some(config) = &config {
        if let Some(finding) = authorities(config) {
            report.add(finding)?;
        }
        let was_sound = mem::replace(&mut report.is_sound, true);
        if let Some(imap) = &config.imap {
            let store = report.context.store()?;
            let me = config.somebody().filter(|_| is_read);
            let known = me.and_then(|me| {
                let known = Known::of(&store, &me.player).ok()?;
                Some(move |fields: &[u8]| known.concerns(fields))
            });
            check_mailbox(imap, known, &mut report)?;
            report.add(fetched(imap, report.context))?;
        }
        check_sending(&config.transport, &mut report)?;
        if let Some(news) = &config.news {
            news::check_news(news, &mut report)?;
        }
        // Where a server does not answer as it should, no mail would come.
        if let Some(seconds) = args.round_trip
            && report.is_sound
        {
            let patience = Duration::from_secs(seconds.into());
            let trip = round_trip(config, patience, &mut report);
            report.end(trip)?;
        }
        report.is_sound &= was_sound;
    }
    report.add(report.clock.finding())?;
    Ok(Status::of_check(report.is_sound))
}

/// Checks the matches. Returns true if they can be read at all.
///
/// # Errors
///
/// If the report cannot be written.
fn check_matches(config: Option<&Config>, report: &mut Report<'_, '_>) -> Result<bool, Error> {
    let has_news_server = config.is_some_and(|config| config.news.is_some());
    let store = report.context.store()?;
    let ids = match store.ids() {
        Ok(ids) => ids,
        Err(error) => {
            let finding = Finding::wrong("matches", error);
            report.add(finding.mend("give yourself the right to read them"))?;
            return Ok(false);
        }
    };
    for remark in store.remarks(true).unwrap_or_default() {
        report.add(Finding::note("matches", remark))?;
    }
    let mails = LastMails::of(report.context.sent(&*store), &report.context.outbox()?);
    // One match after the other is in memory: a club has a hundred thousand.
    let (mut count, mut is_damaged, mut of_mail) = (0, false, Vec::new());
    let mut elsewhere = BTreeMap::new();
    for id in ids {
        let game = match store.find(&id) {
            Ok(Some(stored)) => stored.game,
            Ok(None) => continue,
            Err(error) => {
                is_damaged = true;
                let finding = Finding::wrong(format!("match {id}"), error);
                report.add(finding.mend(format!("'parapost repair {id}'")))?;
                continue;
            }
        };
        count += 1;
        if let Some(latest) = game.log().iter().map(|event| event.time).max() {
            let what = format!("the latest event of match {id}");
            report.clock.must_be_past(latest, &what);
        }
        if let Some(warning) = mails.warning(&game) {
            let finding = Finding::wrong(format!("mail of match {id}"), warning);
            of_mail.push(finding.mend(way_back(&id)));
        }
        of_mail.extend(mail(&game, has_news_server));
        for address in game.addresses_of_unproven() {
            let letters = elsewhere.entry(address.to_string().to_ascii_lowercase());
            letters.or_insert((0, address)).0 += 1;
        }
    }
    if !is_damaged {
        let said = match count {
            0 => "there is none yet".to_owned(),
            1 => "one, not damaged".to_owned(),
            several => format!("{several}, none damaged"),
        };
        report.add(Finding::ok("matches", said))?;
    }
    if of_mail.is_empty() && count > 0 {
        report.add(Finding::ok("mail", "none is owed or refused"))?;
    }
    for finding in of_mail.into_iter().chain(aliases(config, elsewhere)) {
        report.add(finding)?;
    }
    Ok(true)
}

/// The most addresses for which the checks say that they may be the user's.
const ALIASES: usize = 5;

/// Lists the addresses that are not configured, so that letters to them did not count.
fn aliases(config: Option<&Config>, elsewhere: BTreeMap<String, (usize, Address)>) -> Vec<Finding> {
    let me = config.and_then(Config::somebody);
    let mut unknown: Vec<(usize, Address)> = elsewhere.into_values().collect();
    unknown.retain(|(_, address)| !me.is_some_and(|me| me.player.has(address)));
    unknown.sort_by_key(|(letters, _)| Reverse(*letters));
    let findings = unknown.into_iter().take(ALIASES).map(|(letters, address)| {
        let letters = counted(letters, "letter");
        let said = format!("{letters} to {address} did not count, and the players were asked");
        Finding::note("[me] address", said).mend(
            "if mail to that address comes to you, and to nobody else, add it to 'address' in [me]",
        )
    });
    findings.collect()
}

/// Returns what is found of the mail of a match.
fn mail(game: &Match, has_news_server: bool) -> Vec<Finding> {
    let (id, what) = (game.id(), format!("mail of match {}", game.id()));
    let count = |count: usize, done: &str| match count {
        1 => format!("one mail {done}"),
        several => format!("{several} mails {done}"),
    };
    let mut found = Vec::new();
    if !game.owed().is_empty() {
        let said = count(game.owed().len(), "owed");
        found.push(Finding::note(&what, said).mend("'parapost send' sends it"));
    }
    let [owed, refused] = [game.owed_articles().len(), game.refused_articles().len()];
    if owed > 0 {
        let said = format!("{} to be posted", counted(owed, "article"));
        let mut articles = game.owed_articles().iter();
        let is_to_group = articles.any(|owed| owed.forum.group().is_some());
        let remedy = if has_news_server || !is_to_group {
            "'parapost send' tries again"
        } else {
            "no news server is configured: 'parapost init --news' adds it"
        };
        found.push(Finding::note(&what, said).mend(remedy));
    }
    if refused > 0 {
        let said = format!("{} refused for good", counted(refused, "article"));
        found.push(Finding::wrong(&what, said).mend(format!(
            "'parapost mail list {id}' says which; post it again by 'parapost mail retry' or give it up by 'parapost mail drop'"
        )));
    }
    for reported in game.reported_articles() {
        let said = format!(
            "the mail to the list {} is reported undelivered",
            reported.article.forum
        );
        found.push(Finding::wrong(&what, said).mend(format!(
            "'parapost mail list {id}' has the server's words; the list may not take mail from your address"
        )));
    }
    for (mails, done) in [
        (game.undelivered(), "refused for good"),
        (game.reported(), "reported undelivered"),
    ] {
        if !mails.is_empty() {
            let said = count(mails.len(), done);
            found.push(Finding::wrong(&what, said).mend(format!(
                "'parapost mail list {id}' says which; send it again or to another address by 'parapost mail retry' or 'redirect'"
            )));
        }
    }
    found
}

/// Checks the database. Returns true if matches can be read from it.
///
/// # Errors
///
/// If the report cannot be written.
fn check_database(settings: &PostgresSettings, report: &mut Report<'_, '_>) -> Result<bool, Error> {
    let what = format!("database {}", settings.database);
    let wait = report.context.wait().min(LIMIT);
    let (weaknesses, tables) = match database::weaknesses(settings, wait) {
        Ok(found) => found,
        Err(error) => {
            report.add(Finding::wrong(what, error))?;
            return Ok(false);
        }
    };
    let is_sound = weaknesses.is_empty();
    for [said, remedy] in weaknesses {
        report.add(Finding::wrong(&what, said).mend(remedy))?;
    }
    if let Err(error) = tables {
        report.add(Finding::wrong(what, error))?;
        return Ok(false);
    }
    if is_sound {
        let said = "it can be reached, and keeps what it acknowledges";
        report.add(Finding::ok(what, said))?;
    }
    Ok(true)
}

/// Checks that the configuration says who the user is.
fn user(config: &Config) -> Finding {
    let what = format!("configuration {}", config.path.display());
    match config.somebody() {
        Some(me) => {
            let role = match me.role {
                UserRole::Player => "a player",
                UserRole::Referee => "a referee",
            };
            Finding::ok(what, format!("{}, {role}", me.player))
        }
        None => Finding::wrong(what, "it does not say who you are")
            .mend("make a configuration: 'parapost init'"),
    }
}

/// Says whom TLS trusts where nobody else has said it.
fn authorities(config: &Config) -> Option<Finding> {
    let mailbox = config.imap.as_ref().map(|imap| &imap.ca_file);
    let mail_server = match &config.transport {
        TransportSettings::Smtp(smtp) if smtp.tls != Tls::None => Some(&smtp.ca_file),
        _ => None,
    };
    let database = match &config.store {
        StoreSettings::Postgres(database) if database.has_tls => Some(&database.ca_file),
        _ => None,
    };
    let mut files = [mailbox, mail_server, database].into_iter().flatten();
    let is_built_in = files.any(|file| wire::trusts_built_in_authorities(file.as_deref()));
    is_built_in.then(|| {
        let said = "this system has none; those are trusted that Mozilla trusted when this version of parapost was made";
        Finding::note("certificate authorities", said)
            .mend("install the system's (on Debian, ca-certificates), or name a file: ca_file")
    })
}

/// Checks that matches can be written into a folder and locked there. One that somebody has named
/// is refused by commands that read matches as long as it is not there: its name may be mistyped.
fn games_folder(folder: &Path, is_named: bool) -> Finding {
    let what = format!("games folder {}", folder.display());
    let existing = match existing(folder) {
        Ok(existing) => existing,
        Err(error) => return Finding::wrong(what, error).mend("name another: --games DIR"),
    };
    match try_locks(&existing) {
        Err(error) => Finding::wrong(what, format!("it cannot be written ({})", words(&error)))
            .mend("give yourself the right to write there, or name another: --games DIR"),
        Ok(Some(why)) => Finding::wrong(what, format!("files in it cannot be locked ({why})"))
            .mend("keep the matches on a file system that has locks"),
        Ok(None) if existing == folder => Finding::ok(what, "it can be written and locked"),
        Ok(None) if is_named => Finding::wrong(what, "there is no such folder").mend(
            "if the name is right, 'parapost new' makes it, with the first match; else name another: --games DIR",
        ),
        Ok(None) => Finding::ok(what, "it is made with the first match"),
    }
}

/// Says when the mailbox was last read to its end, and what its server holds back.
fn fetched(imap: &ImapSettings, context: &Context<'_>) -> Finding {
    let what = "fetch";
    match context.held_back(imap) {
        Ok(None) => {}
        Ok(Some(held)) => return Finding::wrong(what, held).mend(HELD_BACK),
        Err(error) => return Finding::wrong(what, error),
    }
    match context.last_fetched(imap) {
        Ok(Some(time)) => Finding::ok(what, format!("mail was last fetched to its end: {time}")),
        Ok(None) => Finding::note(what, "mail has never been fetched to its end")
            .mend("'parapost fetch' reads it"),
        Err(error) => Finding::wrong(what, error),
    }
}

/// Checks that the secret of the Message-IDs can be read.
fn secret() -> Finding {
    let what = "secret of the Message-IDs";
    let file = match config::data_folder() {
        Ok(folder) => folder.join("secret"),
        Err(error) => return Finding::wrong(what, error).mend("set HOME"),
    };
    match files::look(&file) {
        Ok(None) => Finding::ok(what, "it is made with the first mail"),
        Ok(Some(_)) => match IdSecret::open(&file) {
            Ok(_) => Finding::ok(what, file.display()),
            Err(error) => Finding::wrong(what, error).mend("give yourself the right to read it"),
        },
        Err(error) => Finding::wrong(what, Error::file(&file, &error))
            .mend("give yourself the right to read it"),
    }
}

/// Returns a folder, or the nearest one above it that exists.
fn existing(folder: &Path) -> io::Result<PathBuf> {
    for at in folder.ancestors() {
        let here = if at.as_os_str().is_empty() {
            Path::new(".")
        } else {
            at
        };
        match files::look(here)? {
            Some(found) if found.is_dir() => return Ok(here.to_path_buf()),
            Some(_) => return Err(io::ErrorKind::NotADirectory.into()),
            None => {}
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

/// Writes a file into a folder, locks it twice and deletes it. Returns why locks do not work there,
/// if they do not.
fn try_locks(folder: &Path) -> io::Result<Option<String>> {
    let mut file = tempfile::Builder::new()
        .prefix(".parapost-doctor-")
        .suffix(".tmp")
        .tempfile_in(folder)?;
    file.write_all(b"tried\n")?;
    file.as_file().sync_all()?;
    if let Err(error) = file.as_file().try_lock() {
        return Ok(Some(match error {
            TryLockError::Error(error) => words(&error),
            TryLockError::WouldBlock => "a new file is locked already".to_owned(),
        }));
    }
    let second = OpenOptions::new()
        .read(true)
        .write(true)
        .open(file.path())?;
    let locks = match second.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        Err(TryLockError::Error(error)) => Some(words(&error)),
        Ok(()) => Some("two can lock one file at once".to_owned()),
    };
    file.close()?;
    Ok(locks)
}

/// Checks the transport.
///
/// # Errors
///
/// If the report cannot be written.
fn check_sending(settings: &TransportSettings, report: &mut Report<'_, '_>) -> Result<(), Error> {
    let outbox = report.context.outbox()?;
    let finding = match settings {
        TransportSettings::Print => {
            Finding::note("sending", "mail goes to standard output").mend("nothing else sends it")
        }
        TransportSettings::Folder(folder) => {
            let folder = folder.as_deref().unwrap_or(&outbox);
            let what = format!("outbox {}", folder.display());
            match existing(folder).and_then(|folder| try_locks(&folder)) {
                Ok(_) => Finding::note(what, "mail is written there")
                    .mend("nothing sends it on unless something else does"),
                Err(error) => Finding::wrong(what, format!("it cannot be written ({error})"))
                    .mend("give yourself the right to write there, or name another in [transport]"),
            }
        }
        TransportSettings::Sendmail(program) => {
            let what = format!("sendmail {}", program.display());
            match find_program(program) {
                Some(found) => Finding::ok(what, format!("it is {}", found.display())),
                None => Finding::wrong(what, "there is no such program")
                    .mend("install one, or name it: path in [transport]"),
            }
        }
        TransportSettings::Smtp(settings) => return check_smtp(settings, report),
    };
    report.add(finding)
}

/// The name of the check in the list.
const ROUND_TRIP: &str = "round trip";

/// The time between two looks at the mailbox.
const PAUSE: Duration = Duration::from_secs(1);

/// The random bytes of a mail's id: nobody guesses it, and no two are alike.
const RANDOM: usize = 10;

/// Sends a mail to the user, and waits so long for it.
fn round_trip(
    config: &Config,
    patience: Duration,
    report: &mut Report<'_, '_>,
) -> Result<(), Stop> {
    let not_tried = |why: &str, remedy: &str| Finding::wrong(ROUND_TRIP, why).mend(remedy);
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
    let mail = round_trip_mail(me, &token, &subject)?;
    let begun = Instant::now();
    transport.send(&mail).map_err(|error| unsent(&error))?;
    let to = me.player.address();
    report.context.say(format_args!(
        "a mail to {to} is sent, and waited for: {} seconds at most",
        patience.as_secs()
    ));
    let found = wait(mailbox, places, &token, patience)?;
    let seconds = begun.elapsed().as_secs();
    let is_renamed = found.as_ref().is_some_and(|(_, keeps_id)| !keeps_id);
    let found = found.map(|(place, _)| place);
    report.add(match found {
        Some(place) if place.is_junk => Finding::wrong(
            ROUND_TRIP,
            format!("a mail to {to} came after {seconds} seconds, but to '{}', the folder of unwanted mail", place.name.escape_debug()),
        )
        .mend(format!(
            "move it ('{subject}') to '{}' and tell your provider that it is not junk",
            imap.folder.escape_debug()
        )),
        Some(place) => Finding::ok(
            ROUND_TRIP,
            format!("a mail to {to} was in '{}' after {seconds} seconds; it stays there ('{subject}')", place.name.escape_debug()),
        ),
        None => Finding::wrong(
            ROUND_TRIP,
            format!("a mail to {to} was sent, and has not come within {} seconds", patience.as_secs()),
        )
        .mend(format!(
            "look for it ('{subject}') in the other folders; some servers hold mail up for minutes: --round-trip=900"
        )),
    })?;
    if is_renamed {
        report.add(renamed(config.policy.identity))?;
    }
    Ok(())
}

/// Says what follows if the server replaces the Message-IDs of mails.
fn renamed(identity: SenderPolicy) -> Finding {
    let what = "Message-IDs";
    match identity {
        SenderPolicy::Token => Finding::wrong(
            what,
            "your mail server replaces the Message-IDs of your mails, so no answer can prove its sender by one",
        )
        .mend("send through another server, or write identity = \"address\" or \"dkim\" in [policy]"),
        SenderPolicy::Address | SenderPolicy::Dkim => Finding::note(
            what,
            "your mail server replaces the Message-IDs of your mails; an answer counts for the position in the mail that it quotes",
        ),
    }
}

/// Returns the finding that the mail was not sent.
fn unsent(error: &SendError) -> Finding {
    Finding::wrong(ROUND_TRIP, error.error())
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

fn round_trip_mail(me: &User, token: &str, subject: &str) -> Result<OutgoingMessage, Error> {
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
    Finding::wrong(ROUND_TRIP, why).mend("try again later")
}

/// Waits until a mail is in one of these folders, but at most so long. Returns the folder, and true
/// if the mail still has its Message-ID.
fn wait(
    mut mailbox: Mailbox,
    mut places: Vec<Place>,
    token: &str,
    patience: Duration,
) -> Result<Option<(Place, bool)>, Finding> {
    let end = Instant::now() + patience;
    loop {
        let token = token.to_owned();
        let asked = ask(mailbox, move |mailbox| {
            let found = look(mailbox, &mut places, &token)?;
            Ok((places, found))
        });
        let (still, looked) = asked.map_err(lost)?;
        let (mut seen, found) = looked.map_err(lost)?;
        if let Some((at, keeps_id)) = found {
            return Ok(Some((seen.swap_remove(at), keeps_id)));
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        (mailbox, places) = (still, seen);
        thread::sleep(PAUSE.min(left));
    }
}

/// Looks at what is new in these folders. Returns which has the mail, and true if the mail still has
/// its Message-ID. Some servers give a mail another one, so that its subject tells, too.
fn look(
    mailbox: &mut Mailbox,
    places: &mut [Place],
    token: &str,
) -> Result<Option<(usize, bool)>, ImapError> {
    for (at, place) in places.iter_mut().enumerate() {
        mailbox.select(&place.name, false)?;
        let uids = mailbox.above(place.last)?;
        let Some(last) = uids.last() else {
            continue;
        };
        place.last = *last;
        let (mut is_here, mut keeps_id) = (false, false);
        mailbox.heads(&uids, |head| {
            let fields = String::from_utf8_lossy(&head.fields);
            is_here |= fields.contains(token);
            keeps_id |= fields.contains(&format!("Round-Trip.{token}"));
        })?;
        if is_here {
            return Ok(Some((at, keeps_id)));
        }
    }
    Ok(None)
}
