//! The context of every command: streams, settings, the place of the matches and the user's
//! session; a progress bar for long runs, shown on a terminal; and the outcome of a run.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fmt};

use anstyle::Style;
use chrono::TimeDelta;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::ser::Formatter;

use crate::command::arguments::{Global, games_behind_command, turned_round};
use crate::command::database;
use crate::command::last_mail;
use crate::config::club::ClubSettings;
use crate::config::store::StoreSettings;
use crate::config::{self, Config, User};
use crate::mail::files;
use crate::mail::quoting::line::Line;
use crate::mail::settings::ImapSettings;
use crate::mail::sources::place::Places;
use crate::matches::event::Disposition;
use crate::matches::mail_id::{IdSecret, MailIds};
use crate::matches::words;
use crate::notation::diagnostic::{self, Problem};
use crate::outbound::templates::Templates;
use crate::paint::{self, Paint};
use crate::printable::{escaped, is_unprintable, terminal_width, wrapped};
use crate::referee::session::Session;
use crate::rules::games;
use crate::store::folder::{self, Folder};
use crate::store::place::is_games_folder;
use crate::store::store::{MissingMatch, Store};
use crate::suggest::nearest_match;
use crate::{Error, clock};

/// The streams a run reads and writes.
pub struct Io<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Standard output: data.
    pub stdout: &'a mut dyn Write,
    /// Standard error: everything else.
    pub stderr: &'a mut dyn Write,
    /// True if `stderr` is the standard error of the process, and a terminal.
    pub is_terminal: bool,
    /// True if `stdout` is a terminal.
    pub is_shown: bool,
}

/// What to do about messages whose data the server does not send.
pub(super) const HELD_BACK: &str = "read them in another mail program; to play a move in one, save it and run 'parapost receive FILE'";

/// Replaces the user's folders.
pub struct Host {
    /// The store of matches.
    pub store: Arc<dyn Store>,
    /// The secret for Message-IDs.
    pub secret: IdSecret,
}

/// The context of every command.
pub(crate) struct Context<'a> {
    pub(crate) global: Global,
    /// The games folder, once it has been asked for: a run stays with the one it began with.
    pub(super) games: OnceCell<PathBuf>,
    pub(crate) stdin: &'a mut dyn Read,
    pub(super) stdout: &'a mut dyn Write,
    pub(super) stderr: &'a mut dyn Write,
    /// True if a progress bar may be drawn on standard error.
    pub(super) is_terminal: bool,
    /// True if standard output is a terminal.
    pub(super) is_shown: bool,
    /// The colours of standard output.
    pub(super) out: Paint,
    /// The colours of standard error.
    pub(super) err: Paint,
    /// Replaces the user's folders, if set.
    pub(super) host: Option<Host>,
    /// The words of the command line.
    pub(super) words: &'a [OsString],
    /// The counts of what this run has done.
    pub(crate) counts: Counts,
}

impl<'a> Context<'a> {
    /// Creates a context with these streams, none of which is a terminal.
    pub(super) fn new(
        global: Global,
        stdin: &'a mut dyn Read,
        stdout: &'a mut dyn Write,
        stderr: &'a mut dyn Write,
    ) -> Context<'a> {
        Context {
            global,
            games: OnceCell::new(),
            stdin,
            stdout,
            stderr,
            is_terminal: false,
            is_shown: false,
            out: Paint::default(),
            err: Paint::default(),
            host: None,
            words: &[],
            counts: Counts::default(),
        }
    }

    /// Writes data to standard output unchanged.
    pub(crate) fn print(&mut self, data: impl fmt::Display) -> Result<(), Error> {
        write!(self.stdout, "{data}").map_err(|error| Error::stdout(&error))
    }

    /// Writes a file's bytes to standard output.
    pub(crate) fn print_bytes(&mut self, data: &[u8]) -> Result<(), Error> {
        self.stdout
            .write_all(data)
            .map_err(|error| Error::stdout(&error))
    }

    /// Writes all that a source has to standard output.
    pub(crate) fn print_from(&mut self, mut source: impl Read) -> Result<(), Error> {
        let copied = io::copy(&mut source, &mut self.stdout);
        copied.map(drop).map_err(|error| Error::stdout(&error))
    }

    /// Writes a value as a line of JSON to standard output, part by part.
    pub(crate) fn print_json(&mut self, value: &impl Serialize) -> Result<(), Error> {
        self.print_part(value)?;
        self.print("\n")
    }

    /// Writes a value as a part of a line of JSON to standard output.
    pub(crate) fn print_part(&mut self, value: &impl Serialize) -> Result<(), Error> {
        write_json(&mut *self.stdout, value).map_err(|error| Error::stdout(&error))
    }

    /// Flushes standard output.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.stdout.flush().map_err(|error| Error::stdout(&error))
    }

    /// Writes a report of completed work to standard output at once. Ignores a
    /// reader that has gone, so that the remaining work is still done and
    /// recorded.
    pub(crate) fn report(&mut self, data: impl fmt::Display) -> Result<(), Error> {
        match self.print(data).and_then(|()| self.flush()) {
            Err(error) if error.is_hangup() => Ok(()),
            result => result,
        }
    }

    /// Loads the configuration. Warns if others can change it or read a
    /// password.
    pub(crate) fn config(&mut self) -> Result<Config, Error> {
        let config = Config::load(given(self.global.config.as_deref()))?;
        self.warn(&config.path, 0o002, "everybody can change this file");
        // The program uses any configuration and template found in this folder.
        let folder = Path::new(".").join(config.path.parent().unwrap_or(Path::new("")));
        self.warn(
            &folder,
            0o002,
            "everybody can change what is configured in this folder",
        );
        for file in config.secret_files() {
            self.warn(file, 0o006, "everybody can read or change this password");
        }
        Ok(config)
    }

    /// Warns if others have more rights to a file or folder than they should.
    pub(crate) fn warn(&mut self, path: &Path, bits: u32, what: &str) {
        if let Some(warning) = files::permission_warning(path, bits, what) {
            self.say(format_args!("parapost: {warning}"));
        }
    }

    /// Checks that a folder of matches that this command has no use for is not a game by its
    /// name.
    pub(super) fn without_games(&self) -> Result<(), Error> {
        let games = games_behind_command(self.words).and_then(OsStr::to_str);
        match games.and_then(|name| games::find(&name.to_lowercase())) {
            Some(game) => Err(Error::usage(format!(
                "--games names a folder of matches, of which this command has no use; did you mean --game {}?",
                game.id
            ))),
            None => Ok(()),
        }
    }

    /// Returns the store of matches.
    pub(crate) fn store(&self) -> Result<Arc<dyn Store>, Error> {
        self.store_of(&self.store_settings()?)
    }

    /// Returns the store of matches for a command that reads them.
    ///
    /// # Errors
    ///
    /// If there is no games folder, and as [`Context::store`].
    pub(crate) fn store_to_read(&self) -> Result<Arc<dyn Store>, Error> {
        let settings = self.store_settings()?;
        self.must_have_games(&settings)?;
        self.store_of(&settings)
    }

    /// Returns true if the matches are in the folder that is theirs without anybody naming one,
    /// and there is none yet.
    pub(super) fn lacks_own_games(&self) -> Result<bool, Error> {
        if given(self.global.games.as_deref()).is_some() {
            return Ok(false);
        }
        let Some(folder) = self.games_of(&self.store_settings()?)? else {
            return Ok(false);
        };
        Ok(matches!(files::look(&folder), Ok(None)))
    }

    fn store_settings(&self) -> Result<StoreSettings, Error> {
        let path = given(self.global.config.as_deref());
        // Somebody without a home has no configuration, and names the folder.
        if self.host.is_some() || Config::place(path).is_err() {
            return Ok(StoreSettings::Folder);
        }
        Ok(Config::load(path)?.store)
    }

    /// Returns the name and the colours of the club.
    pub(super) fn club(&self) -> Result<ClubSettings, Error> {
        let path = given(self.global.config.as_deref());
        // Somebody without a home has no configuration.
        if self.host.is_some() || Config::place(path).is_err() {
            return Ok(ClubSettings::default());
        }
        Ok(Config::load(path)?.club)
    }

    /// Checks that there is a games folder, if that is where the matches are.
    ///
    /// # Errors
    ///
    /// If there is none: where it was looked for.
    fn must_have_games(&self, settings: &StoreSettings) -> Result<(), Error> {
        let Some(folder) = self.games_of(settings)? else {
            return Ok(());
        };
        match files::look(&folder) {
            Ok(None) => Err(Error::refused(format!(
                "there is no folder of matches {}; 'parapost new' begins a match and makes it, 'parapost receive --accept' enters a match from its invitation, --games names another folder",
                folder.display()
            ))),
            // A folder that cannot be looked at is reported when it is read.
            _ => Ok(()),
        }
    }

    /// Returns the games folder, if that is where the matches are.
    fn games_of(&self, settings: &StoreSettings) -> Result<Option<PathBuf>, Error> {
        let is_folder = self.host.is_none() && *settings == StoreSettings::Folder;
        is_folder.then(|| self.games_folder()).transpose()
    }

    /// Returns the store of matches that a configuration names.
    fn store_of(&self, settings: &StoreSettings) -> Result<Arc<dyn Store>, Error> {
        if let Some(host) = &self.host {
            return Ok(Arc::clone(&host.store));
        }
        match settings {
            StoreSettings::Postgres(settings) => database::open(settings, self.wait()),
            StoreSettings::Folder => Ok(Arc::new(Folder::new(self.games_folder()?, self.wait()))),
        }
    }

    /// Adds the match that was probably meant to the error that there is no such match.
    /// Looks at the names of the matches alone.
    pub(crate) fn suggesting(&self, error: Error) -> Error {
        let Some(MissingMatch(id)) = MissingMatch::of(&error) else {
            return error;
        };
        let ids = self.store().and_then(|store| store.ids());
        let ids = ids.unwrap_or_default();
        if let Some(nearest) = nearest_match(id, &ids) {
            return error.and(format_args!("did you mean '{nearest}'?"));
        }
        match turned_round(self.words, id, &ids) {
            Some(line) => error.and(format_args!("the match comes first: {line}")),
            None => error,
        }
    }

    /// Returns how long to wait for what another process holds.
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_secs(self.global.wait.into())
    }

    /// Returns the games folder, which holds the matches unless another store
    /// does.
    pub(crate) fn games_folder(&self) -> Result<PathBuf, Error> {
        if let Some(folder) = self.games.get() {
            return Ok(folder.clone());
        }
        let folder = config::games_folder(given(self.global.games.as_deref()), is_games_folder)?;
        Ok(self.games.get_or_init(|| folder).clone())
    }

    /// Returns when a mailbox was last read to its end; none if that never was.
    ///
    /// # Errors
    ///
    /// If its place cannot be read.
    pub(super) fn last_fetched(&self, imap: &ImapSettings) -> Result<Option<String>, Error> {
        let complete = Places::last_complete(&self.games_folder()?, imap)?;
        Ok(complete.map(|complete| complete.to_string()))
    }

    /// Returns a clause about the messages that the server of a mailbox has kept back for more than
    /// a day; none if there are none. [`HELD_BACK`] says what to do.
    ///
    /// # Errors
    ///
    /// If the place of the mailbox cannot be read.
    pub(super) fn held_back(&self, imap: &ImapSettings) -> Result<Option<String>, Error> {
        /// The most messages that are named.
        const NAMED: usize = 5;
        let before = clock::now()? - TimeDelta::days(1);
        let held = Places::unread(&self.games_folder()?, imap, before)?;
        let Some(since) = held.values().min() else {
            return Ok(None);
        };
        let named: Vec<String> = held.keys().take(NAMED).map(u32::to_string).collect();
        let more = match held.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let folder = imap.folder.escape_debug();
        let (named, day) = (named.join(", "), since.date_naive());
        Ok(Some(format!(
            "since {day} the server has sent no data of messages in '{folder}' (UID {named}{more})"
        )))
    }

    /// Returns the folder that mail goes into without a way to send it.
    pub(crate) fn outbox(&self) -> Result<PathBuf, Error> {
        Ok(self.games_folder()?.join("outbox"))
    }

    /// Returns the folder with the Message-IDs of the last mails, if the user has one.
    pub(crate) fn sent(&self, store: &dyn Store) -> Option<PathBuf> {
        let is_users = self.host.is_none();
        is_users
            .then(|| last_mail::folder(&store.place()))
            .flatten()
    }

    /// Returns the secret for Message-IDs. Warns if everybody can change the
    /// matches.
    pub(crate) fn secret(&mut self) -> Result<IdSecret, Error> {
        if let Some(host) = &self.host {
            return Ok(host.secret.clone());
        }
        let folder = self.games_folder()?;
        let what = "everybody can change the matches in this folder";
        self.warn(&folder, 0o002, what);
        IdSecret::open(&config::data_folder()?.join("secret"))
    }

    /// Writes a line to standard error for the person at the keyboard. Ignores
    /// write errors, and escapes characters that could control a terminal.
    pub(crate) fn say(&mut self, line: impl fmt::Display) {
        self.say_painted(&line.to_string(), paint::STRONG);
    }

    /// Writes an error to standard error.
    pub(crate) fn say_error(&mut self, error: impl fmt::Display) {
        self.say_painted(&format!("parapost: {error}"), paint::ERROR);
    }

    /// Writes a line, with the name of the program before it in a style.
    fn say_painted(&mut self, line: &str, name: Style) {
        let line = self.wrapped_for_stderr(visible(line));
        let mut rest = line.as_str();
        // In one piece: what is typed meanwhile is shown below the line.
        let mut said = String::new();
        for (prefix, style) in [("parapost:", name), ("warning:", paint::WARNING)] {
            if let Some(behind) = rest.strip_prefix(prefix) {
                said += &self.err.text(style, prefix);
                rest = behind;
            }
        }
        said += rest;
        said.push('\n');
        let _ = self.stderr.write_all(said.as_bytes());
    }

    /// Reports trouble with one of several things, which must not stop or hide the others.
    /// The run ends with the status of the worst.
    pub(super) fn say_trouble(&mut self, error: &Error, status: &mut Status) {
        self.say_error(error);
        *status = (*status).max(Status::from(error));
    }

    /// Wraps the prose of a text for the terminal that standard error is, if it is one.
    fn wrapped_for_stderr(&self, text: String) -> String {
        if self.is_terminal {
            wrapped(&text, terminal_width())
        } else {
            text
        }
    }

    /// Writes the problems of a text to standard error.
    pub(crate) fn say_problems<'p>(
        &mut self,
        problems: impl IntoIterator<Item = &'p Problem>,
        file: &str,
        lines: &[Line<'_>],
    ) {
        let room = self.is_terminal.then(terminal_width);
        let texts: Box<dyn Iterator<Item = String>> = if self.err.is_on() {
            Box::new(diagnostic::painted(problems, file, lines, room))
        } else {
            let texts = diagnostic::rendered(problems, file, lines, room);
            Box::new(texts.map(|text| visible(&text)))
        };
        for text in texts {
            let _ = writeln!(self.stderr, "{}", text.trim_end());
        }
    }

    /// Wraps the prose of a text for the terminal that standard output is, if it is one.
    pub(crate) fn wrapped_for_stdout(&self, text: String) -> String {
        match self.room() {
            Some(room) => wrapped(&text, room),
            None => text,
        }
    }

    /// Returns the columns of the terminal that standard output is, if it is one.
    pub(crate) fn room(&self) -> Option<usize> {
        self.is_shown.then(terminal_width)
    }

    /// Returns true if there is a person to ask: standard error and standard input are a
    /// terminal.
    pub(crate) fn can_ask(&self) -> bool {
        self.is_terminal && io::stdin().is_terminal()
    }

    /// Asks the user a question that yes or no answers. Anything but yes is no.
    pub(super) fn ask(&mut self, question: &str) -> bool {
        self.say(format_args!("{question}? [y/n]"));
        is_yes(&mut self.stdin)
    }

    /// Tells the person at the terminal, if there is one, that standard input is read.
    pub(crate) fn say_waiting(&mut self, what: &str) {
        if self.can_ask() {
            let end = if cfg!(windows) {
                "Ctrl-Z and Enter end"
            } else {
                "Ctrl-D ends"
            };
            self.say(format_args!(
                "Type or paste {what}; {end} it on a line of its own."
            ));
        }
    }
}

/// The error for JSON and mail on the same stream.
pub(super) const JSON_AND_MAIL: &str =
    "--json and the transport 'print' would write to standard output both";

/// Treats a path from an empty environment variable as absent.
pub(super) fn given(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| !path.as_os_str().is_empty())
}

/// Writes a value as JSON on one line. Escapes the characters that JSON allows
/// but that could control a terminal.
///
/// # Errors
///
/// If JSON cannot express the value.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Error> {
    let mut text = Vec::new();
    write_json(&mut text, value).map_err(Error::refused)?;
    String::from_utf8(text).map_err(Error::refused)
}

/// Writes a value as JSON, part by part.
fn write_json(writer: impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(writer, Harmless);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

/// JSON on one line, with nothing that could control a terminal.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_unprintable(*c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

/// Escapes every character that could control a terminal.
pub(crate) fn visible(text: &str) -> String {
    escaped(text, "\n\t")
}

/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 100;

fn is_yes(answer: &mut dyn Read) -> bool {
    let mut line = Vec::new();
    let mut byte = [0];
    // Reads no further than the line, because the next answer follows it.
    while line.len() < LONGEST_ANSWER && matches!(answer.read(&mut byte), Ok(1)) {
        if byte == *b"\n" {
            break;
        }
        line.extend(byte);
    }
    let line = line.trim_ascii().to_ascii_lowercase();
    matches!(line.as_slice(), b"y" | b"yes")
}

impl Session {
    /// Opens a session for the configured user.
    ///
    /// # Errors
    ///
    /// If the configuration is wrong or does not say who the user is, or there is no games
    /// folder.
    pub(crate) fn open(context: &mut Context<'_>) -> Result<Session, Error> {
        let config = context.config()?;
        let me = config.me()?.clone();
        context.must_have_games(&config.store)?;
        Session::of(context, config, me)
    }

    /// Opens a session for the configured user that takes in messages. Matches may begin
    /// with it, so that the games folder is made, unless nothing may change.
    ///
    /// # Errors
    ///
    /// If the configuration is wrong or does not say who the user is, or the games folder
    /// cannot be made.
    pub(crate) fn open_to_receive(
        context: &mut Context<'_>,
        is_dry_run: bool,
    ) -> Result<Session, Error> {
        let config = context.config()?;
        let me = config.me()?.clone();
        if let Some(folder) = context.games_of(&config.store)?.filter(|_| !is_dry_run) {
            folder::make_folder(&folder).map_err(|error| Error::file(&folder, &error))?;
        }
        Session::of(context, config, me)
    }

    /// Opens a session for this user.
    ///
    /// # Errors
    ///
    /// If the user's data directory cannot be used.
    pub(crate) fn of(
        context: &mut Context<'_>,
        config: Config,
        me: User,
    ) -> Result<Session, Error> {
        let store = context.store_of(&config.store)?;
        let secret = context.secret()?;
        Ok(Session {
            templates: Templates::new(config.templates()).with_settings(config.mail),
            ids: MailIds::new(secret, me.player.address().domain()),
            sent: context.sent(&*store),
            store,
            outbox: context.outbox()?,
            now: clock::now()?,
            config,
            me,
        })
    }

    /// Opens a session for a run that lasts: the templates are read now.
    ///
    /// # Errors
    ///
    /// As [`Session::open_to_receive`], and if a template of the user's is broken.
    pub(crate) fn open_to_last(context: &mut Context<'_>) -> Result<Session, Error> {
        let session = Session::open_to_receive(context, false)?;
        let templates = session.templates.kept()?;
        Ok(Session {
            templates,
            ..session
        })
    }
}

/// The outcome of a run, as its exit status tells it. Of several the last one here counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Status {
    /// Done.
    #[default]
    Done = 0,
    /// Refused, with the reason on standard error.
    Refused = 1,
    /// Wrong usage.
    Usage = 2,
    /// Try again later.
    Later = 75,
}

impl Status {
    /// Returns the outcome of a run that has found what it looked at good, or not.
    pub(crate) const fn of_check(is_good: bool) -> Status {
        if is_good {
            Status::Done
        } else {
            Status::Refused
        }
    }

    /// Returns the exit status.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

impl From<&Error> for Status {
    fn from(error: &Error) -> Status {
        if error.is_hangup() {
            Status::Done
        } else if error.is_transient() {
            Status::Later
        } else if error.is_usage() {
            Status::Usage
        } else {
            Status::Refused
        }
    }
}

words! {
    /// The outcome of an attempt to send a mail.
    Sending {
        /// It was sent: a mail server, a program or standard output has taken it.
        Sent = "sent",
        /// It lies in a folder.
        Filed = "filed",
        /// It was refused for good.
        Refused = "refused",
        /// It was not sent and stays owed.
        Deferred = "deferred",
        /// Nobody knows whether it was sent; it stays owed.
        Unknown = "unknown",
    }
}

/// Numbers of one kind, each with its word.
pub(super) type Numbers = Vec<(Cow<'static, str>, u64)>;

/// The counts of what a run has done: the messages received, and the attempts to send a mail, each
/// by all outcomes there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Counts(pub(super) [Numbers; 2]);

impl Default for Counts {
    fn default() -> Counts {
        let messages = Disposition::ALL.map(|outcome| (outcome.as_str().into(), 0));
        let sendings = Sending::ALL.map(|outcome| (outcome.as_str().into(), 0));
        Counts([messages.into(), sendings.into()])
    }
}

impl Counts {
    /// Counts a message.
    pub(crate) fn received(&mut self, outcome: Disposition) {
        let [messages, _] = &mut self.0;
        count(messages, outcome.as_str());
    }

    /// Counts an attempt to send a mail.
    pub(crate) fn tried(&mut self, outcome: Sending) {
        let [_, sendings] = &mut self.0;
        count(sendings, outcome.as_str());
    }

    /// Adds the counts of another run.
    pub(super) fn add(&mut self, other: &Counts) {
        let sums = self.0.iter_mut().flatten();
        for ((_, sum), (_, number)) in sums.zip(other.0.iter().flatten()) {
            *sum = sum.saturating_add(*number);
        }
    }
}

/// Counts what has this word.
fn count(numbers: &mut Numbers, word: &str) {
    for (_, number) in numbers.iter_mut().filter(|(name, _)| name == word) {
        *number += 1;
    }
}

/// The number of things that are handled before a progress bar appears.
const HANDFUL: u64 = 8;

/// The time that passes before the bar appears.
const MOMENT: Duration = Duration::from_secs(1);

/// A progress bar on standard error.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The things that are counted, in the plural.
    noun: &'static str,
    count: u64,
    /// True while the bar is hidden and may still appear.
    is_waiting: bool,
}

impl Progress {
    /// Creates a bar that appears if the run takes long and standard error is a
    /// terminal whose owner wants more than plain text.
    pub(super) fn new(is_terminal: bool, noun: &'static str) -> Progress {
        let is_plain = env::var_os("NO_COLOR").is_some()
            || env::var_os("TERM").is_none_or(|term| term == "dumb");
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent:>3}%");
        let style = style.unwrap_or_else(|error| unreachable!("{error}"));
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        Progress {
            bar: bar.with_style(style.progress_chars("=> ")),
            noun,
            count: 0,
            is_waiting: is_terminal && !is_plain,
        }
    }

    /// Adds to the length of the bar: bytes to read, or things to count.
    pub(super) fn expect(&self, bytes: u64) {
        self.bar.inc_length(bytes);
    }

    /// Adds to what is done of it.
    pub(super) fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Counts a message or another thing that has been handled.
    pub(super) fn count(&mut self) {
        self.count += 1;
        // Somebody may have thought about a question for long, and there is nothing left to do.
        let has_more = Some(self.bar.position()) < self.bar.length();
        let is_long = has_more && self.bar.elapsed() > MOMENT;
        if self.is_waiting && (self.count > HANDFUL || is_long) {
            self.is_waiting = false;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar
            .set_message(format!("{} {}", self.count, self.noun));
    }

    /// Runs code that may write to the terminal, with the bar out of the way.
    pub(super) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the bar for good.
    pub(super) fn clear(&mut self) {
        self.is_waiting = false;
        self.bar.finish_and_clear();
    }
}

/// Shows that a command thinks, at a terminal whose owner wants more than plain text, until the
/// spinner is cleared.
pub(super) fn spinner(is_terminal: bool, what: &'static str) -> ProgressBar {
    let is_plain = env::var_os("TERM").is_none_or(|term| term == "dumb");
    if !is_terminal || is_plain {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{MOMENT, Progress, is_yes};

    /// A bar for one message flashed up when its question had been answered.
    #[test]
    fn a_bar_is_for_what_is_left_to_do() {
        for (messages, is_shown) in [(1, false), (2, true)] {
            let mut progress = Progress::new(false, "messages");
            progress.is_waiting = true;
            progress.expect(100 * messages);
            progress.advance(100);
            thread::sleep(MOMENT * 11 / 10);
            progress.count();
            assert_eq!(progress.is_waiting, !is_shown, "{messages}");
        }
    }

    #[test]
    fn only_yes_is_yes() {
        for (answer, expected) in [
            ("y\n", true),
            ("Yes\r\n", true),
            (" y \nn\n", true),
            ("", false),
            ("\n", false),
            ("n\ny\n", false),
            ("yes please\n", false),
        ] {
            assert_eq!(is_yes(&mut answer.as_bytes()), expected, "{answer:?}");
        }
        let mut answers = "y\nn\ny\n".as_bytes();
        let read: Vec<bool> = (0..4).map(|_| is_yes(&mut answers)).collect();
        assert_eq!(read, [true, false, true, false]);
        assert!(!is_yes(&mut std::io::repeat(b'y')));
    }
}
