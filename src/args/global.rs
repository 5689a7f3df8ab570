//! The options of every command.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ColorChoice};

use crate::args::watching::{HEADING, Watching};

/// The options of every command.
#[derive(Args, Clone, Default, Debug)]
pub struct Global {
    /// The folder of the matches [default: games, if there is such a folder
    /// here, with matches or empty, else one in the user's data directory]
    #[arg(
        long,
        value_name = "DIR",
        env = "PARAPOST_GAMES",
        global = true,
        help_heading = HEADING,
        hide_env_values = true,
        value_parser = path_parser()
    )]
    pub games: Option<PathBuf>,
    /// The configuration [default: config.toml in the user's configuration
    /// directory]
    #[arg(
        long,
        value_name = "FILE",
        env = "PARAPOST_CONFIG",
        global = true,
        help_heading = HEADING,
        hide_env_values = true,
        value_parser = path_parser()
    )]
    pub config: Option<PathBuf>,
    /// How long to wait for a match that another process works on
    #[arg(
        long,
        value_name = "SECONDS",
        env = "PARAPOST_WAIT",
        global = true,
        help_heading = HEADING,
        hide_env_values = true,
        default_value_t = WAIT,
        value_parser = seconds
    )]
    pub wait: u16,
    /// When to write in colours
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        help_heading = HEADING,
        value_enum,
        default_value_t = ColorChoice::Auto
    )]
    pub color: ColorChoice,
    /// How to watch the program.
    #[command(flatten)]
    pub watching: Watching,
}

/// The default time to wait for a lock, in seconds.
const WAIT: u16 = 20;

/// Parses a number of seconds. An empty environment variable means the default.
fn seconds(text: &str) -> Result<u16, SecondsError> {
    match text {
        "" => Ok(WAIT),
        _ => text.parse().map_err(|_| SecondsError),
    }
}

/// Not a number of seconds, or too many.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("write a number of seconds, at most {}", u16::MAX)]
struct SecondsError;

/// Parses a path. Accepts an empty one, unlike clap's parser, since an empty
/// environment variable gives one.
fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}
