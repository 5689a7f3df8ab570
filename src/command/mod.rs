//! The command line, parsed by clap, and the commands: a file each, with its arguments, its `run`
//! and its words for people. Parsing does no I/O and checks only forms.
//!
//! Some stand together: what the user does in a match in `act`, `say` and the words that go with
//! other mail in `words`, `export`, `import` and `forget` in `store`, `perft` in `legal`, `rules`,
//! `completions` and `man` in `manual`, `send` in `mail`.
//!
//! Commands share `arguments`, `ask`, `context`, `source`, `delivery` and `database`.

mod act;
mod analyse;
mod archive;
mod arguments;
mod ask;
mod check;
pub mod context;
mod database;
pub(crate) mod delivery;
mod doctor;
mod engine;
mod fetch;
mod fitting_games;
mod help;
mod init;
mod last_mail;
mod legal;
mod list;
mod mail;
mod manual;
mod new;
mod news;
mod open;
mod partner;
mod play;
mod puzzles;
mod receive;
mod repair;
#[cfg(unix)]
mod serve;
mod show;
mod source;
mod status;
mod store;
#[cfg(test)]
mod test_helpers;
mod unproven;
mod verify;
mod words;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::{env, io};

use clap::{
    ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum as _,
};

use crate::command::arguments::Global;
use crate::command::context::{Context, Host, Io, Status, visible};
#[cfg(unix)]
use crate::command::serve::run as serve;
use crate::paint::Paint;
use crate::printable::is_unprintable;
use crate::rules::games;
use crate::{Error, log};

/// Play drop-chess games by e-mail in the 1994 Unachess format.
#[derive(Parser, Debug)]
#[command(
    name = "parapost",
    version,
    disable_help_subcommand = true,
    after_help = "\
Example:
  parapost check game.txt

A piece is dropped with '>', which a shell takes for itself: write moves in
quotes, like 'N>d5'.

Exit status: 0 done; 1 refused; 2 wrong usage; 75 try again later."
)]
struct Arguments {
    /// The options of every command.
    #[command(flatten)]
    global: Global,
    /// The command.
    #[command(subcommand)]
    command: Option<Command>,
}

/// Defines the commands and what runs them from one table.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($args:ty) => $run:expr;)*) => {
        /// The commands.
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[$doc])* $name($args),)*
        }

        fn dispatch(command: &Command, context: &mut Context<'_>) -> Result<Status, Error> {
            match command {
                $(Command::$name(args) => {
                    let run: fn(&$args, &mut Context<'_>) -> Result<Status, Error> = $run;
                    run(args, context)
                })*
            }
        }
    };
}

commands! {
    /// Make a configuration for your mailbox
    Init(Box<init::Init>) => |args, context| init::run(args, context);
    /// Try everything that is configured, and say what is wrong
    Doctor(doctor::Doctor) => |args, context| doctor::run(*args, context);
    /// Check the moves and diagrams of a text
    Check(check::Check) => check::run;
    /// Show a position
    Show(show::Show) => show::run;
    /// Show a match in the browser
    Open(open::Open) => open::run;
    /// List the legal moves of a position
    Legal(legal::Legal) => legal::legal;
    /// Count the lines of play of a length
    Perft(legal::Perft) => legal::perft;
    /// Tell where a game turned
    Analyse(analyse::Analyse) => analyse::run;
    /// Find forced mates in finished matches, as puzzles
    Puzzles(puzzles::Puzzles) => puzzles::run;
    /// Play by the Universal Chess Interface, for programs with a board
    Engine(engine::Engine) => engine::run;
    /// Tell the rules of a game
    Rules(manual::Rules) => manual::rules;
    /// Play against the program, at once
    Play(play::Play) => play::run;
    /// Begin a match
    New(Box<new::New>) => |args, context| new::run(args, context);
    /// Play a move
    Move(act::Move) => act::play;
    /// Take back a move or a resignation whose mail has not gone
    Undo(act::Undo) => act::undo;
    /// Read mail and play the moves in it
    Receive(receive::Receive) => receive::run;
    /// Read mail on a server and play the moves in it
    Fetch(fetch::Fetch) => fetch::run;
    /// Take mail from a mail server, and send what is owed
    Serve(arguments::Serve) => serve;
    /// Take the program's turns in matches by mail
    Partner(partner::Partner) => partner::run;
    /// Send the mail that is owed
    Send(mail::Send) => mail::send;
    /// List the mail that has not gone; send refused mail again, or drop it
    Mail(mail::Mail) => mail::run;
    /// Post a match to a newsgroup
    News(news::News) => news::run;
    /// Resign a match
    Resign(act::Resign) => act::resign;
    /// Offer, accept, decline or claim a draw
    Draw(act::Draw) => act::draw;
    /// Propose, accept or decline to take the last move back
    Takeback(act::Takeback) => act::takeback;
    /// Decline an invitation
    Decline(act::Decline) => act::decline;
    /// Take an invitation of yours back
    Withdraw(act::Withdraw) => act::withdraw;
    /// Write to the opponent
    Say(words::Say) => words::say;
    /// Keep a note for yourself in a match
    Note(act::Note) => act::note;
    /// Correct the name of a player or of the event
    Name(store::Name) => store::name;
    /// List the matches
    List(list::List) => list::run;
    /// Tell what has been done, in numbers
    Status(status::ShowStatus) => status::run;
    /// Check a match's file, and compare it with another record
    Verify(verify::Verify) => verify::run;
    /// Rebuild a damaged match's file
    Repair(repair::Repair) => repair::run;
    /// Write all matches to a folder, a file each
    Export(store::Export) => store::export;
    /// Bring the matches of a folder to where matches are kept
    Import(store::Import) => store::import;
    /// Take a player's name, addresses and words out of the matches
    Forget(store::Forget) => store::forget;
    /// Write finished matches as pages for the web
    Archive(archive::Archive) => archive::run;
    /// Prepare a database for the matches
    Store(store::Store) => store::run;
    /// Write what makes a shell complete command lines
    Completions(manual::Completions) => |args, context| manual::completions(*args, context);
    /// Write the manual as pages for man
    Man(manual::Man) => |args, context| manual::man(args, command_line(), context);
    /// Tell about a command, or how to write moves
    Help(help::Help) => |args, context| help::run(args, command_line(), context);
}

#[cfg(not(unix))]
fn serve(_: &arguments::Serve, _: &mut Context<'_>) -> Result<Status, Error> {
    Err(Error::refused("'serve' needs a system like Unix"))
}

/// Runs one command line, on the user's folder or on another host. The first argument is the
/// program's name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    io: Io<'_>,
    host: Option<Host>,
) -> Status {
    let words: Vec<OsString> = arguments.into_iter().collect();
    match manual::complete(&words, command_line) {
        Ok(false) => {}
        Ok(true) => return Status::Done,
        Err(_) => return Status::Refused,
    }
    let color = color_of(&words);
    let err = Paint::of(color, io.is_terminal);
    let arguments = match parse_in_any_order(&words, color) {
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
        words: &words,
        ..Context::new(arguments.global, io.stdin, &mut stdout, io.stderr)
    };
    if context.global.verbose {
        log::start();
    }
    let result = if let Some(command) = &arguments.command {
        dispatch(command, &mut context)
    } else {
        let waiting = list::of_waiting(&mut context);
        context.print(waiting + help::FIRST).map(|()| Status::Done)
    };
    let result = result.map_err(|error| context.suggesting(error));
    // Writes the output that precedes an error first.
    let flushed = context.flush();
    status::keep(&mut context);
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

/// Returns the command line, with the help that is made from the games.
fn command_line() -> clap::Command {
    let options = options_of_games();
    let mut command = Arguments::command();
    for command in command.get_subcommands_mut() {
        let has_options = command
            .get_arguments()
            .any(|argument| argument.get_id() == "options");
        if !has_options {
            continue;
        }
        let help = command.get_after_help().map(ToString::to_string);
        let help = format!("{}\n\n{options}", help.unwrap_or_default());
        *command = std::mem::take(command).after_help(help.trim_start().to_owned());
    }
    let command = command.mut_subcommand("move", |play| {
        let help = play.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        play.after_help(format!("{help}\n\n{}", help::of_move()))
    });
    help::grouped(command)
}

/// Parses a command line, also one whose words stand in another order, if that is right.
///
/// # Errors
///
/// As [`parse`].
fn parse_in_any_order(words: &[OsString], color: ColorChoice) -> Result<Arguments, clap::Error> {
    parse(words, color).or_else(|error| {
        if !error.use_stderr() {
            return Err(error);
        }
        let meant = arguments::reordered(words, &command_line()).into_iter();
        let mut meant = meant.filter_map(|words| parse(&words, color).ok());
        meant.next().ok_or(error)
    })
}

/// Parses a command line. The first word is the program's name.
///
/// # Errors
///
/// If a word is wrong, or help is asked for: what to print.
fn parse(words: &[OsString], color: ColorChoice) -> Result<Arguments, clap::Error> {
    let mut command = command_line().color(color);
    let mut matches = command.try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Returns the choice of colours, also of a command line that is wrong or asks for help.
fn color_of(words: &[OsString]) -> ColorChoice {
    let options = words.split(|word| word == "--").next();
    let values = arguments::values_of("--color", options.unwrap_or_default());
    let read = |value: &OsString| ColorChoice::from_str(&value.to_string_lossy(), true).ok();
    let last = values.iter().filter_map(read).next_back();
    last.unwrap_or(ColorChoice::Auto)
}

/// Lists the options of each game.
fn options_of_games() -> String {
    let mut text = "Options of the games, which 'parapost rules GAME' explains:".to_owned();
    for game in games::ALL {
        let names: Vec<&str> = game.options.iter().map(|option| option.name).collect();
        let names = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        let line = format!("{:<11} {names}", game.id);
        let layout = textwrap::Options::new(76)
            .initial_indent("  ")
            .subsequent_indent("              ");
        let _ = write!(text, "\n{}", textwrap::fill(&line, layout));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_command_line_is_sound() {
        command_line().debug_assert();
    }

    #[test]
    fn the_choice_of_colours_is_found_in_wrong_lines() {
        for (line, choice) in [
            ("parapost list", ColorChoice::Auto),
            ("parapost --color always lst", ColorChoice::Always),
            ("parapost list --color=never --help", ColorChoice::Never),
            ("parapost list --color", ColorChoice::Auto),
            ("parapost list --color blue", ColorChoice::Auto),
            ("parapost note id -- --color always", ColorChoice::Auto),
        ] {
            assert_eq!(color_of(&words(line)), choice, "{line}");
        }
    }

    #[test]
    fn a_match_may_stand_before_or_behind_what_is_done_in_it() {
        let parsed = |line: &str| {
            let parsed = parse_in_any_order(&words(line), ColorChoice::Never);
            parsed.map(|arguments| format!("{:?}", arguments.command))
        };
        for (meant, written) in [
            ("draw accept k7", "draw k7 accept"),
            ("draw accept k7 --send", "draw k7 accept --send"),
            ("draw --send accept k7", "draw --send k7 accept"),
            ("takeback propose k7", "takeback k7 propose"),
            ("mail drop --only 2 k7", "mail k7 drop --only 2"),
            ("move k7 P>e3", "move P>e3 k7"),
        ] {
            let line = |words: &str| parsed(&format!("parapost {words}"));
            assert_eq!(line(written).unwrap(), line(meant).unwrap(), "{written}");
        }
        // A match may have the name of what is done.
        let draw = parsed("parapost draw offer accept").unwrap();
        assert!(draw.contains("OfferDraw"), "{draw}");
        for line in [
            "draw k7 k8",
            "draw k7",
            "draw K7 accept",
            "move P>e3 K7",
            "move K7 e4",
        ] {
            assert!(parsed(&format!("parapost {line}")).is_err(), "{line}");
        }
    }
}
