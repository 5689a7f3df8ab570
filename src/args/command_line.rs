//! The command line as clap takes it, and what only its words tell.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

use clap::{ColorChoice, Command, CommandFactory as _, FromArgMatches as _, ValueEnum as _};

use crate::args::Arguments;
use crate::rules::games;

/// Returns the command line, with the help that is made from the games.
#[must_use]
pub fn command_line() -> Command {
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
pub fn parse(words: &[OsString], color: ColorChoice) -> Result<Arguments, clap::Error> {
    let mut command = command_line().color(color);
    let mut matches = command.try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Returns the choice of colours, also of a command line that is wrong or asks for help.
#[must_use]
pub fn color_of(words: &[OsString]) -> ColorChoice {
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
pub fn games_behind_command(words: &[OsString]) -> Option<&OsStr> {
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
