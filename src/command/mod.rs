//! The commands, one file each, with their shared parts and the exit status.

mod check;
pub mod context;
mod copied;
pub(crate) mod counts;
mod database;
pub(crate) mod delivery;
mod doctor;
mod draw;
mod export;
mod fetch;
mod import;
mod init;
mod json;
mod legal;
mod list;
mod mail;
mod metrics;
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
#[cfg(unix)]
mod serve;
pub(crate) mod session;
mod show;
mod show_answer;
mod show_status;
mod source;
pub mod status;
mod store;
mod takeback;
mod tally;
#[cfg(test)]
mod test_session;
mod undo;
mod verify;

use std::ffi::OsString;
use std::io;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::command::context::{Context, Host, Io, visible};
use crate::command::counts::Counts;
use crate::command::status::Status;
use crate::{Error, log};

/// Runs one command line. The first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>, io: Io<'_>) -> Status {
    run_in(arguments, io, None)
}

/// Runs one command line on another store than the user's folder.
pub fn run_over(arguments: impl IntoIterator<Item = OsString>, io: Io<'_>, host: Host) -> Status {
    run_in(arguments, io, Some(host))
}

fn run_in(arguments: impl IntoIterator<Item = OsString>, io: Io<'_>, host: Option<Host>) -> Status {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // Arguments may be pasted from anywhere. The error has no colours
            // of its own, so any escape sequence in it is hostile and gets
            // escaped.
            let told = error.render().to_string();
            let _ = write!(io.stderr, "{}", visible(&told));
            return Status::Usage;
        }
        // Help and version go to standard output.
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
        is_shown: io.is_shown,
        host,
        counts: Counts::default(),
    };
    if context.global.watching.verbose {
        log::start();
    }
    let result = dispatch(&arguments.command, &mut context);
    // Writes the output that precedes an error first.
    let flushed = context.flush();
    metrics::keep(&mut context);
    let (status, error) = match (result, flushed) {
        // A reader who stops early does not undo the command's work.
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
        Command::Init(args) => init::run(args, context),
        Command::Doctor(_) => doctor::run(context),
        Command::Check(args) => check::run(args, context),
        Command::Show(args) => show::run(args, context),
        Command::Legal(args) => legal::run(args, context),
        Command::Perft(args) => perft::run(args, context),
        Command::Rules(args) => rules::run(args, context),
        Command::New(args) => new::run(args, context),
        Command::Move(args) => r#move::run(args, context),
        Command::Undo(args) => undo::run(args, context),
        Command::Receive(args) => receive::run(args, context),
        Command::Fetch(args) => fetch::run(args, context),
        #[cfg(unix)]
        Command::Serve(args) => serve::run(args, context),
        #[cfg(not(unix))]
        Command::Serve(_) => Err(Error::refused("'serve' needs a system like Unix")),
        Command::Send(args) => send::run(args, context),
        Command::Mail(args) => mail::run(args, context),
        Command::Resign(args) => resign::run(args, context),
        Command::Draw(args) => draw::run(args, context),
        Command::Takeback(args) => takeback::run(args, context),
        Command::Note(args) => note::run(args, context),
        Command::List(args) => list::run(args, context),
        Command::Status(args) => show_status::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Repair(args) => repair::run(args, context),
        Command::Export(args) => export::run(args, context),
        Command::Import(args) => import::run(args, context),
        Command::Store(args) => store::run(args, context),
    }
}
