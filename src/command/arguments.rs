//! The arguments that several commands share.
//!
//! The order of words on a command line: people write `draw k7f3qd accept` as well as
//! `draw accept k7f3qd`, and a move before its match.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Command, ValueEnum};

use crate::match_id::{Id, ParseIdError};
use crate::rules::{Color, Game, Variant, games};
use crate::{Error, shell, suggest};

/// The options of every command.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The folder of the matches [default: games, if there is such a folder
    /// here, with matches or empty, else one in the user's data directory]
    #[arg(long, value_name = "DIR", env = "PARAPOST_GAMES", value_parser = path_parser())]
    #[arg(global = true, hide_env_values = true)]
    pub(crate) games: Option<PathBuf>,
    /// The configuration [default: config.toml in the user's configuration
    /// directory]
    #[arg(long, value_name = "FILE", env = "PARAPOST_CONFIG", value_parser = path_parser())]
    #[arg(global = true, hide_env_values = true)]
    pub(crate) config: Option<PathBuf>,
    /// How long to wait for a match that another process works on
    #[arg(long, value_name = "SECONDS", env = "PARAPOST_WAIT", value_parser = seconds)]
    #[arg(global = true, hide_env_values = true, default_value_t = WAIT)]
    pub(crate) wait: u16,
    /// When to write in colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    #[arg(global = true)]
    pub(crate) color: ColorChoice,
    /// Log on standard error what is done
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
    /// Keep counts in this file, in the text form of Prometheus
    #[arg(long, value_name = "FILE", env = "PARAPOST_METRICS", value_parser = path_parser())]
    #[arg(global = true, hide_env_values = true)]
    pub(crate) metrics: Option<PathBuf>,
}

/// The default time to wait for a lock, in seconds.
const WAIT: u16 = 20;

/// Parses a number of seconds. An empty environment variable means the default.
fn seconds(text: &str) -> Result<u16, String> {
    match text {
        "" => Ok(WAIT),
        _ => text
            .parse()
            .map_err(|_| format!("write a number of seconds, at most {}", u16::MAX)),
    }
}

/// Parses a path. Accepts an empty one, unlike clap's parser, since an empty
/// environment variable gives one.
pub(super) fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Returns the value of `--games` if it stands behind the command: what an alias or the
/// environment says stands before it, or nowhere.
pub(super) fn games_behind_command(words: &[OsString]) -> Option<&OsStr> {
    let global = Global::augment_args(clap::Command::default());
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

/// The game and its options.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct GameArgs {
    /// The game
    #[arg(long, value_name = "G", value_parser = game_parser(), ignore_case = true)]
    pub(super) game: Option<&'static Game>,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "O")]
    pub(super) options: Vec<String>,
}

/// Returns a game with the chosen options.
///
/// # Errors
///
/// A usage error if the game lacks an option or two options exclude each
/// other. It lists the game's options and suggests the nearest.
pub(super) fn variant(game: &Game, options: &[String]) -> Result<Variant, Error> {
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    Variant::new(game, &options).map_err(|error| Error::usage(suggest::explain(&error)))
}

/// Parses the name of a game. The argument must ignore case.
pub(crate) fn game_parser() -> impl TypedValueParser<Value = &'static Game> {
    PossibleValuesParser::new(games::ALL.iter().map(|game| game.id)).map(|id| {
        games::find(&id.to_lowercase())
            .unwrap_or_else(|| unreachable!("only names of games are let through"))
    })
}

/// A position on the command line.
#[derive(Args, Clone, Default, Debug)]
#[group(multiple = false)]
pub(super) struct PositionArgs {
    /// The position after these moves
    #[arg(long, value_name = "MOVES")]
    pub(super) moves: Option<String>,
    /// The position of this FEN
    #[arg(long, value_name = "FEN")]
    pub(super) fen: Option<String>,
}

/// The side to move in a position that does not tell it.
#[derive(Args, Clone, Copy, Default, Debug)]
pub(super) struct TurnArgs {
    /// The side to move in a position, whatever the text says: white or black, sente or gote
    #[arg(long = "turn", value_name = "SIDE", value_parser = turn)]
    pub(super) turn: Option<Color>,
}

/// Parses the side to move.
fn turn(text: &str) -> Result<Color, String> {
    match text.to_lowercase().as_str() {
        "white" | "sente" | "w" => Ok(Color::White),
        "black" | "gote" | "b" => Ok(Color::Black),
        _ => Err("the side to move is white or black, sente or gote".to_owned()),
    }
}

/// The side of the user, in the words of the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Side {
    /// You begin
    White,
    /// The opponent begins
    Black,
    /// Drawn by lot; an invitation says so
    Random,
}

impl Side {
    /// Returns the side, drawn now if it is to be.
    ///
    /// # Errors
    ///
    /// If there are no random numbers to draw it with.
    pub(super) fn color(self) -> Result<Color, Error> {
        let mut byte = [0];
        if self == Side::Random {
            getrandom::fill(&mut byte).map_err(no_random)?;
        }
        Ok(match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Random => Color::ALL[usize::from(byte[0] & 1)],
        })
    }
}

/// The error where the system has no random numbers.
pub(super) fn no_random(error: getrandom::Error) -> Error {
    Error::later(format!("no random numbers to be had: {error}"))
}

/// Says how a file is named where its name alone is that of a match.
pub(crate) fn file_here(name: &str) -> String {
    format!("a file here is written ./{name}")
}

/// A text to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// Standard input.
    Stdin,
    /// A file, or a folder where the command takes one.
    File(PathBuf),
}

impl From<OsString> for Input {
    fn from(argument: OsString) -> Input {
        if argument == "-" {
            Input::Stdin
        } else {
            Input::File(argument.into())
        }
    }
}

/// A text to read, or a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A text.
    Input(Input),
    /// A match of the games folder.
    Match(Id),
}

/// Parses a file or an id: an argument that contains `/` or `.`, or is `-`, is a
/// file.
pub(super) fn file_or_id(argument: &str) -> Result<Source, String> {
    if argument == "-" || argument.contains(['/', '.', '\\']) {
        return Ok(Source::Input(OsString::from(argument).into()));
    }
    let id = argument.parse().map(Source::Match);
    id.map_err(|error: ParseIdError| format!("{error}; {}", file_here(argument)))
}

/// The way of the mail that a command makes.
#[derive(Args, Clone, Copy, Default, Debug)]
#[group(multiple = false)]
pub(crate) struct Delivery {
    /// Send the mail now
    #[arg(long)]
    pub(crate) send: bool,
    /// Write the mail to standard output instead; that counts as sent
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "auto", hide_possible_values = true)]
    pub(crate) print: Option<PrintForm>,
}

/// The form of a mail on standard output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum PrintForm {
    /// At a terminal what its reader reads, elsewhere the whole message
    #[default]
    Auto,
    /// The whole message
    Raw,
}

/// The form in which a command tells what became of messages. Without an option, a person at a
/// terminal gets sentences, and a program lines.
#[derive(Args, Clone, Copy, Default, Debug)]
#[group(multiple = false)]
pub(super) struct Telling {
    /// Write a line with tabs for each message, as where standard output is no terminal
    #[arg(long)]
    pub(super) porcelain: bool,
    /// Write a JSON object for each message, on a line each
    #[arg(long, conflicts_with = "print")]
    pub(super) json: bool,
}

/// `parapost serve`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost serve --lmtp unix:/run/parapost/lmtp
  parapost serve --lmtp 127.0.0.1:2424

It answers each message after it is dealt with for good, and sends what is owed.
SIGTERM ends it, SIGHUP makes it read the configuration again. Sockets that
systemd passes are served, too.")]
pub(super) struct Serve {
    /// Take mail by LMTP at this address or socket; may be given several times
    #[arg(long, value_name = "HOST:PORT|unix:PATH")]
    pub(super) lmtp: Vec<String>,
    /// How long a client may be silent
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) idle: u16,
}

/// Returns what a wrong command line may mean: the same, with two words behind the command
/// changed. Only a line that is right by itself counts, so that nothing is guessed.
pub(super) fn reordered(words: &[OsString], line: &Command) -> Vec<Vec<OsString>> {
    let command = words.iter().enumerate().skip(1).find_map(|(at, word)| {
        let command = line.find_subcommand(word)?;
        Some((at, command))
    });
    let Some((at, command)) = command else {
        return Vec::new();
    };
    let plain: Vec<usize> = (at + 1..words.len())
        .filter(|at| !words[*at].to_string_lossy().starts_with('-'))
        .collect();
    let Some(first) = command.get_positionals().next() else {
        // The word is a command of this command: `mail k7f3qd drop`.
        let is_verb = |at: &usize| command.find_subcommand(&words[*at]).is_some();
        return changed(words, &plain, is_verb);
    };
    let verbs = first.get_possible_values();
    if verbs.is_empty() && first.get_id() == "id" {
        // A match and other words. A drop and a sentence are no match, however that is misspelt.
        let is_other = |at: usize| words[at].to_string_lossy().contains(['>', ' ']);
        return match plain.as_slice() {
            [one, other] if is_other(*one) => vec![swapped(words, *one, *other)],
            _ => Vec::new(),
        };
    }
    let is_verb = |at: &usize| {
        let word = words[*at].to_string_lossy();
        verbs.iter().any(|verb| verb.matches(&word, false))
    };
    changed(words, &plain, is_verb)
}

/// Returns the lines in which the first of these words that is a verb has changed places with
/// one before it.
fn changed(
    words: &[OsString],
    plain: &[usize],
    is_verb: impl Fn(&usize) -> bool,
) -> Vec<Vec<OsString>> {
    let Some(verb) = plain.iter().position(is_verb) else {
        return Vec::new();
    };
    let before = plain[..verb].iter();
    before.map(|at| swapped(words, *at, plain[verb])).collect()
}

fn swapped(words: &[OsString], one: usize, other: usize) -> Vec<OsString> {
    let mut words = words.to_vec();
    words.swap(one, other);
    words
}

/// Returns the command line that was meant where one says `id`, of which there is no match, and
/// then one of these ids: `move e4 k7f3qd`.
pub(super) fn turned_round(words: &[OsString], id: &Id, ids: &[Id]) -> Option<String> {
    let one = words.iter().position(|word| word == id.as_str())?;
    let is_match = |word: &OsString| ids.iter().any(|id| word == id.as_str());
    let other = words.iter().skip(one + 1).position(is_match)? + one + 1;
    Some(line(&swapped(words, one, other)))
}

/// Writes a command line of this program for somebody to paste.
pub(super) fn line(words: &[OsString]) -> String {
    let rest = words.iter().skip(1);
    let rest = rest.map(|word| shell::quote(&word.to_string_lossy()));
    let words: Vec<String> = std::iter::once("parapost".to_owned()).chain(rest).collect();
    words.join(" ")
}

/// Returns the values of an option among the words of a command line, the last one at the end.
pub(super) fn values_of(name: &str, words: &[OsString]) -> Vec<OsString> {
    let mut words = words.iter();
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if text == name {
            values.extend(words.next().cloned());
        } else if let Some((_, glued)) = text.split_once('=').filter(|(known, _)| *known == name) {
            values.push(glued.into());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let found = games_behind_command(&words);
            assert_eq!(found, games.map(OsStr::new), "{line}");
        }
    }
}
