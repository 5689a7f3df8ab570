//! The command line, parsed by clap. Parsing does no I/O and checks only forms.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

use clap::{
    ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum as _,
};

use crate::command::act::{Draw, Resign, Takeback};
use crate::command::archive::Archive;
use crate::command::arguments::{Global, Receive, Serve};
use crate::command::check::Check;
use crate::command::doctor::Doctor;
use crate::command::export_import::{Export, Import};
use crate::command::fetch::Fetch;
use crate::command::forget::Forget;
use crate::command::init::Init;
use crate::command::legal::Legal;
use crate::command::list::List;
use crate::command::mail::Mail;
use crate::command::manual::{Completions, Man};
use crate::command::r#move::Move;
use crate::command::new::New;
use crate::command::note::Note;
use crate::command::perft::Perft;
use crate::command::repair::Repair;
use crate::command::rules::Rules;
use crate::command::send::Send;
use crate::command::show::Show;
use crate::command::show_status::ShowStatus;
use crate::command::store::Store;
use crate::command::undo::Undo;
use crate::command::verify::Verify;
use crate::rules::games;

/// Play drop-chess games by e-mail in the 1994 Unachess format.
#[derive(Parser, Debug)]
#[command(
    name = "parapost",
    version,
    arg_required_else_help = true,
    after_help = "\
Example:
  parapost check game.txt

A piece is dropped with '>', which a shell takes for itself: write moves in
quotes, like 'N>d5'.

Exit status: 0 done; 1 refused; 2 wrong usage; 75 try again later."
)]
pub(super) struct Arguments {
    /// The options of every command.
    #[command(flatten)]
    pub(super) global: Global,
    /// The command.
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Make a configuration for your mailbox
    Init(Box<Init>),
    /// Try everything that is configured, and say what is wrong
    Doctor(Doctor),
    /// Check the moves and diagrams of a text
    Check(Check),
    /// Show a position
    Show(Show),
    /// List the legal moves of a position
    Legal(Legal),
    /// Count the lines of play of a length
    Perft(Perft),
    /// Tell the rules of a game
    Rules(Rules),
    /// Begin a match
    New(New),
    /// Play a move
    Move(Move),
    /// Take back a move or a resignation whose mail has not gone
    Undo(Undo),
    /// Read mail and play the moves in it
    Receive(Receive),
    /// Read mail on a server and play the moves in it
    Fetch(Fetch),
    /// Take mail from a mail server, and send what is owed
    Serve(Serve),
    /// Send the mail that is owed
    Send(Send),
    /// List the mail that has not gone; send refused mail again, or drop it
    Mail(Mail),
    /// Resign a match
    Resign(Resign),
    /// Offer, accept, decline or claim a draw
    Draw(Draw),
    /// Propose, accept or decline to take the last move back
    Takeback(Takeback),
    /// Keep a note in a match
    Note(Note),
    /// List the matches
    List(List),
    /// Tell what has been done, in numbers
    Status(ShowStatus),
    /// Check a match's file, and compare it with another record
    Verify(Verify),
    /// Rebuild a damaged match's file
    Repair(Repair),
    /// Write all matches to a folder, a file each
    Export(Export),
    /// Bring the matches of a folder to where matches are kept
    Import(Import),
    /// Take a player's name, addresses and words out of the matches
    Forget(Forget),
    /// Write finished matches as pages for the web
    Archive(Archive),
    /// Prepare a database for the matches
    Store(Store),
    /// Write what makes a shell complete command lines
    Completions(Completions),
    /// Write the manual as pages for man
    Man(Man),
}

/// Returns the command line, with the help that is made from the games.
#[must_use]
pub(super) fn command_line() -> clap::Command {
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
    command
}

/// Parses a command line. The first word is the program's name.
///
/// # Errors
///
/// If a word is wrong, or help is asked for: what to print.
pub(super) fn parse(words: &[OsString], color: ColorChoice) -> Result<Arguments, clap::Error> {
    let mut command = command_line().color(color);
    let mut matches = command.try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Returns the choice of colours, also of a command line that is wrong or asks for help.
#[must_use]
pub(super) fn color_of(words: &[OsString]) -> ColorChoice {
    let mut choice = ColorChoice::Auto;
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let word = word.to_string_lossy();
        let value = match word.split_once('=') {
            Some(("--color", value)) => value.to_owned(),
            _ if word == "--" => break,
            _ if word == "--color" => match words.next() {
                Some(value) => value.to_string_lossy().into_owned(),
                None => break,
            },
            _ => continue,
        };
        choice = ColorChoice::from_str(&value, true).unwrap_or(choice);
    }
    choice
}

/// Returns the value of `--games` if it stands behind the command: what an alias or the
/// environment says stands before it, or nowhere.
#[must_use]
pub(super) fn games_behind_command(words: &[OsString]) -> Option<&OsStr> {
    let global = Arguments::command();
    let takes_value = |word: &str| {
        word.strip_prefix("--").is_some_and(|name| {
            let mut options = global.get_arguments();
            options
                .any(|option| option.get_long() == Some(name) && option.get_action().takes_values())
        })
    };
    let mut is_behind = false;
    let mut games = None;
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        let text = word.to_str().unwrap_or_default();
        if takes_value(text) {
            let value = words.next()?;
            if text == "--games" {
                games = is_behind.then_some(value.as_os_str());
            }
        } else if let Some(value) = text.strip_prefix("--games=") {
            games = is_behind.then_some(OsStr::new(value));
        } else {
            is_behind |= !text.starts_with('-');
        }
    }
    games
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
    fn a_folder_of_games_counts_only_behind_the_command() {
        for (line, games) in [
            ("parapost --games shogi check x", None),
            ("parapost --games=shogi check x", None),
            ("parapost check --games shogi x", Some("shogi")),
            ("parapost check x --games=shogi", Some("shogi")),
            (
                "parapost --wait 5 --games chess check --games shogi",
                Some("shogi"),
            ),
            ("parapost -v check --games", None),
            ("parapost note id -- --games shogi", None),
        ] {
            let words = words(line);
            let found = games_behind_command(&words);
            assert_eq!(found, games.map(OsStr::new), "{line}");
        }
    }
}
