//! The commands, one file each; what they have in common; the exit status.

mod check;
pub(crate) mod delivery;
mod draw;
mod legal;
mod list;
mod r#move;
mod new;
mod note;
mod perft;
mod progress;
mod receive;
mod repair;
mod resign;
mod rules;
mod send;
pub(crate) mod session;
mod show;
mod source;
mod takeback;
mod undo;
mod verify;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use serde::Serialize;

use crate::args::{Arguments, Command, Global};
use crate::config::{self, Config};
use crate::rules::is_unprintable;
use crate::store::folder::Folder;
use crate::{Error, files};

/// The streams a run reads and writes.
pub struct Io<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Standard output: data.
    pub stdout: &'a mut dyn Write,
    /// Standard error: everything else.
    pub stderr: &'a mut dyn Write,
    /// Whether that is the standard error of the process, and a terminal.
    pub is_terminal: bool,
}

/// How a run ended, as its exit status tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// 0: done.
    Done,
    /// 1: refused, and the reason was told.
    Refused,
    /// 2: used wrongly.
    Usage,
    /// 75: to be tried again later.
    Later,
}

impl Status {
    /// The exit status.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Refused => 1,
            Status::Usage => 2,
            Status::Later => 75,
        }
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

/// Runs one command line, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>, io: Io<'_>) -> Status {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // What was pasted may be anybody's, and an escape in it looks like
            // one of a colour: there are none here.
            let told = error.render().to_string();
            let _ = write!(io.stderr, "{}", visible(&told));
            return Status::Usage;
        }
        // Help and version are data.
        Err(help) => {
            let Err(error) = help.print() else {
                return Status::Done;
            };
            let error = Error::stdout(&error);
            if !error.is_hangup() {
                let _ = writeln!(io.stderr, "parapost: {error}");
            }
            return Status::from(&error);
        }
    };
    let mut stdout = io::BufWriter::with_capacity(1 << 16, io.stdout);
    let mut context = Context {
        global: arguments.global,
        stdin: io.stdin,
        stdout: &mut stdout,
        stderr: io.stderr,
        is_terminal: io.is_terminal,
    };
    let result = dispatch(&arguments.command, &mut context);
    // Before an error is told, what was written before it.
    let flushed = context.flush();
    let (status, error) = match (result, flushed) {
        // A reader who has seen enough changes nothing about what was done.
        (Ok(status), Err(error)) if error.is_hangup() => (status, error),
        (Err(error), _) | (Ok(_), Err(error)) => (Status::from(&error), error),
        (Ok(status), Ok(())) => return status,
    };
    if !error.is_hangup() {
        context.say(format_args!("parapost: {error}"));
    }
    status
}

fn dispatch(command: &Command, context: &mut Context<'_>) -> Result<Status, Error> {
    match command {
        Command::Check(args) => check::run(args, context),
        Command::Show(args) => show::run(args, context),
        Command::Legal(args) => legal::run(args, context),
        Command::Perft(args) => perft::run(args, context),
        Command::Rules(args) => rules::run(args, context),
        Command::New(args) => new::run(args, context),
        Command::Move(args) => r#move::run(args, context),
        Command::Undo(args) => undo::run(args, context),
        Command::Receive(args) => receive::run(args, context),
        Command::Send(args) => send::run(args, context),
        Command::Resign(args) => resign::run(args, context),
        Command::Draw(args) => draw::run(args, context),
        Command::Takeback(args) => takeback::run(args, context),
        Command::Note(args) => note::run(args, context),
        Command::List(args) => list::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Repair(args) => repair::run(args, context),
    }
}

/// What every command is given.
pub(crate) struct Context<'a> {
    pub(crate) global: Global,
    pub(crate) stdin: &'a mut dyn Read,
    stdout: &'a mut dyn Write,
    stderr: &'a mut dyn Write,
    /// Whether a bar may be drawn on standard error.
    is_terminal: bool,
}

impl Context<'_> {
    /// Writes data to standard output, as it stands.
    pub(crate) fn print(&mut self, data: impl fmt::Display) -> Result<(), Error> {
        write!(self.stdout, "{data}").map_err(|error| Error::stdout(&error))
    }

    /// Makes sure that what was written has gone.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.stdout.flush().map_err(|error| Error::stdout(&error))
    }

    /// Writes what was done to standard output, at once. That its reader has
    /// gone is no reason to leave the rest undone, nor to say that it is done.
    pub(crate) fn report(&mut self, data: impl fmt::Display) -> Result<(), Error> {
        match self.print(data).and_then(|()| self.flush()) {
            Err(error) if error.is_hangup() => Ok(()),
            result => result,
        }
    }

    /// The configuration. That others can change it, or read a password, is said.
    pub(crate) fn config(&mut self) -> Result<Config, Error> {
        let config = Config::load(given(self.global.config.as_deref()))?;
        self.warn(config.path(), 0o002, "everybody can change this file");
        // What it says, and the templates, are taken from whoever puts them there.
        let folder = config.path().parent().unwrap_or(Path::new(""));
        let folder = Path::new(".").join(folder);
        self.warn(
            &folder,
            0o002,
            "everybody can change what is configured in this folder",
        );
        if let Some(file) = config.password_file() {
            self.warn(file, 0o006, "everybody can read or change this password");
        }
        Ok(config)
    }

    /// Warns if others can do more with a file or a folder than they should.
    pub(crate) fn warn(&mut self, path: &Path, bits: u32, what: &str) {
        if let Some(warning) = files::permission_warning(path, bits, what) {
            self.say(format_args!("parapost: {warning}"));
        }
    }

    /// The folder of the matches.
    pub(crate) fn folder(&self) -> Result<Folder, Error> {
        let path = config::games_folder(given(self.global.games.as_deref()))?;
        let wait = Duration::from_secs(self.global.wait.into());
        Ok(Folder::new(path, wait))
    }

    /// Says a line to the person at the keyboard. That nobody listens is no
    /// reason to stop. What could steer a terminal is shown, not sent.
    pub(crate) fn say(&mut self, line: impl fmt::Display) {
        let _ = writeln!(self.stderr, "{}", visible(&line.to_string()));
    }
}

/// A path that was given; an empty variable of the environment gives none.
fn given(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| !path.as_os_str().is_empty())
}

/// A value as JSON on one line, in which nothing steers a terminal: what the
/// form lets stand of such characters is written by its number.
///
/// # Errors
///
/// If it has no form in JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Error> {
    use std::fmt::Write as _;
    let text = serde_json::to_string(value).map_err(Error::refused)?;
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unprintable(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    Ok(safe)
}

/// The text with every character that would steer a terminal written out.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && c != '\t' && is_unprintable(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}
