//! `parapost serve`

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

/// `parapost serve`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost serve --lmtp unix:/run/parapost/lmtp
  parapost serve --lmtp 127.0.0.1:2424

It answers each message after it is dealt with for good, and sends what is owed.
SIGTERM ends it, SIGHUP makes it read the configuration again. Sockets that
systemd passes are served, too.")]
pub struct Serve {
    /// Take mail by LMTP at this address or socket; may be given several times
    #[arg(long, value_name = "HOST:PORT|unix:PATH")]
    pub lmtp: Vec<Endpoint>,
    /// How long a client may be silent
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u16).range(1..))]
    pub idle: u16,
}

/// A place to listen at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// A host and a port.
    Tcp(String),
    /// A socket in the file system.
    Unix(PathBuf),
}

impl FromStr for Endpoint {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Endpoint, Infallible> {
        Ok(match text.strip_prefix("unix:") {
            Some(path) => Endpoint::Unix(path.into()),
            None => Endpoint::Tcp(text.to_owned()),
        })
    }
}
