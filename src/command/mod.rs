//! The commands: a file each, with its arguments, its `run` and its words for people.
//!
//! Some stand together: `draw`, `takeback` and `resign` in `act`, `export` and `import` in
//! `export_import`, `completions` and `man` in `manual`. `status` is in `show_status`.
//!
//! Commands share `command_line` and `arguments`, `context`, `session`, `source`, `delivery`,
//! `listed_match`, `record_source`, `database`, `progress`, and `status`, the outcome of a
//! run.

mod act;
mod archive;
mod arguments;
mod check;
mod command_line;
pub mod context;
mod database;
pub(crate) mod delivery;
mod doctor;
mod export_import;
mod fetch;
mod forget;
mod init;
mod legal;
mod list;
mod listed_match;
mod mail;
mod manual;
mod r#move;
mod new;
mod note;
mod open_session;
mod perft;
mod progress;
mod receive;
mod record_source;
mod repair;
mod rules;
mod send;
#[cfg(unix)]
mod serve;
mod show;
mod show_status;
mod source;
pub mod status;
mod store;
#[cfg(test)]
mod test_session;
#[cfg(test)]
mod test_source;
#[cfg(test)]
mod test_transport;
mod undo;
mod verify;

use std::ffi::{OsStr, OsString};
use std::{env, io};

use crate::command::arguments::Source;
use crate::command::command_line::Command;
use crate::command::context::{Context, Host, Io, visible};
use crate::command::status::Status;
use crate::paint::Paint;
use crate::printable::is_unprintable;
use crate::rules::games;
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
    let words: Vec<OsString> = arguments.into_iter().collect();
    let color = command_line::color_of(&words);
    let err = Paint::of(color, io.is_terminal);
    let arguments = match command_line::parse(&words, color) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            let rendered = error.render();
            let rendered = if err.is_on() && words.iter().all(is_harmless) {
                rendered.ansi().to_string()
            } else {
                // Arguments may be pasted from anywhere. The error has no colours
                // of its own, so any escape sequence in it is hostile and gets
                // escaped.
                visible(&rendered.to_string())
            };
            let _ = write!(io.stderr, "{rendered}");
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
        is_terminal: io.is_terminal,
        is_shown: io.is_shown,
        out: Paint::of(color, io.is_shown),
        err,
        host,
        ..Context::new(arguments.global, io.stdin, &mut stdout, io.stderr)
    };
    if context.global.verbose {
        log::start();
    }
    let result = dispatch(&arguments.command, &words, &mut context)
        .map_err(|error| context.suggesting(error));
    // Writes the output that precedes an error first.
    let flushed = context.flush();
    show_status::keep(&mut context);
    let (status, error) = match (result, flushed) {
        // A reader who stops early does not undo the command's work.
        (Ok(status), Err(error)) if error.is_hangup() => (status, error),
        (Err(error), _) | (Ok(_), Err(error)) => (Status::from(&error), error),
        (Ok(status), Ok(())) => return status,
    };
    if !error.is_hangup() {
        context.say_error(&error);
    }
    status
}

/// Returns true if a word of the command line cannot steer a terminal. Nor can what the
/// environment adds to it.
fn is_harmless(word: &OsString) -> bool {
    let is_plain = |text: &str| !text.contains(is_unprintable);
    let is_own = |name: &OsString| name.to_string_lossy().starts_with("PARAPOST_");
    let mut added = env::vars_os().filter(|(name, _)| is_own(name));
    word.to_str().is_some_and(is_plain)
        && added.all(|(_, value)| value.to_str().is_some_and(is_plain))
}

/// Checks that a folder of matches that a command has no use for is not a game by its name.
fn check_games(is_unused: bool, words: &[OsString]) -> Result<(), Error> {
    let games = command_line::games_behind_command(words).filter(|_| is_unused);
    let name = games.and_then(OsStr::to_str).map(str::to_lowercase);
    match name.as_deref().and_then(games::find) {
        Some(game) => Err(Error::usage(format!(
            "--games names a folder of matches, of which this command has no use; did you mean --game {}?",
            game.id
        ))),
        None => Ok(()),
    }
}

fn dispatch(
    command: &Command,
    words: &[OsString],
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let without_games = |is_unused| check_games(is_unused, words);
    match command {
        Command::Init(args) => init::run(args, context),
        Command::Doctor(_) => doctor::run(context),
        Command::Check(args) => without_games(true).and_then(|()| check::run(args, context)),
        Command::Show(args) => without_games(matches!(args.source, Source::Input(_)))
            .and_then(|()| show::run(args, context)),
        Command::Legal(args) => without_games(!matches!(args.source, Some(Source::Match(_))))
            .and_then(|()| legal::run(args, context)),
        Command::Perft(args) => without_games(true).and_then(|()| perft::run(args, context)),
        Command::Rules(args) => without_games(true).and_then(|()| rules::run(args, context)),
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
        Command::Resign(args) => act::resign(args, context),
        Command::Draw(args) => act::run(&args.id, &args.action, args.delivery, context),
        Command::Takeback(args) => act::run(&args.id, &args.action, args.delivery, context),
        Command::Note(args) => note::run(args, context),
        Command::List(args) => list::run(args, context),
        Command::Status(args) => show_status::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Repair(args) => repair::run(args, context),
        Command::Export(args) => export_import::export(args, context),
        Command::Import(args) => export_import::import(args, context),
        Command::Forget(args) => forget::run(args, context),
        Command::Archive(args) => archive::run(args, context),
        Command::Store(args) => store::run(args, context),
        Command::Completions(args) => without_games(true)
            .and_then(|()| manual::completions(*args, command_line::command_line(), context)),
        Command::Man(args) => {
            without_games(true).and_then(|()| manual::man(args, command_line::command_line()))
        }
    }
}
