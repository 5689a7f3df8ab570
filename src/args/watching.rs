//! The options that let somebody watch the program, and `parapost status`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

/// The heading of the options of every command in the help.
pub(super) const HEADING: &str = "Global options";

/// The options that let somebody watch the program.
#[derive(Args, Clone, Default, Debug)]
pub struct Watching {
    /// Log on standard error what is done
    #[arg(long, short, global = true, help_heading = HEADING)]
    pub verbose: bool,
    /// Keep counts in this file, in the text form of Prometheus
    #[arg(
        long,
        value_name = "FILE",
        env = "PARAPOST_METRICS",
        global = true,
        help_heading = HEADING,
        hide_env_values = true,
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    pub metrics: Option<PathBuf>,
}

/// `parapost status`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost status
  parapost status --metrics /var/lib/prometheus/parapost.prom")]
pub struct Status {
    /// Write one JSON object instead
    #[arg(long)]
    pub json: bool,
}
