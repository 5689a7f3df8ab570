//! The options that let somebody watch the program, and `parapost status`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

/// The options that let somebody watch the program.
#[derive(Args, Clone, Default, Debug)]
pub struct Watching {
    /// Log on standard error what is done
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Keep counts in this file, for node_exporter's textfile collector
    #[arg(
        long,
        value_name = "FILE",
        env = "PARAPOST_METRICS",
        global = true,
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
