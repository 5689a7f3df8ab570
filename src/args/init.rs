//! The arguments of `init`.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use lettre::Address;

use crate::config::user::UserRole;
use crate::mail::srv::Resolver;

/// `parapost init`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost init
  parapost init --name 'Anna White' --address anna@example.org --yes \\
      --password-command 'pass show mail/anna'

What is not given is asked for on the terminal. The servers of big providers
are known; for others, the resolver of this system is asked. A password is sent
only to servers that you have confirmed, over TLS with a certificate that is
trusted. Nothing is written before the servers are tried.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Init {
    /// Your name, as your mail bears it
    #[arg(long)]
    pub name: Option<String>,
    /// Your address
    #[arg(long, value_name = "ADDR")]
    pub address: Option<Address>,
    /// Whether you play, or stand between two other players
    #[arg(long, value_enum)]
    pub role: Option<Role>,
    /// The server that your mail is read on
    #[arg(long, value_name = "HOST[:PORT]")]
    pub imap: Option<String>,
    /// How that server begins TLS [default: what is usual for its port]
    #[arg(long, value_enum, value_name = "WAY", requires = "imap")]
    pub imap_tls: Option<TlsWay>,
    /// The server that your mail is sent through
    #[arg(long, value_name = "HOST[:PORT]")]
    pub smtp: Option<String>,
    /// How that server begins TLS [default: what is usual for its port]
    #[arg(long, value_enum, value_name = "WAY", requires = "smtp")]
    pub smtp_tls: Option<TlsWay>,
    /// Your name on the servers [default: your address]
    #[arg(long)]
    pub user: Option<String>,
    /// Where your password or token is read.
    #[command(flatten)]
    pub secret: SecretArgs,
    /// A certificate authority to trust besides those of the system, PEM
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub ca_file: Option<PathBuf>,
    /// The resolver to ask for servers [default: that of the system]
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = resolver)]
    pub resolver: Option<Resolver>,
    /// Take the servers that are proposed, if the provider is a known one or they are
    /// below the domain of your address
    #[arg(long)]
    pub yes: bool,
    /// Write the configuration without trying the servers
    #[arg(long)]
    pub untested: bool,
    /// Replace a configuration that is there; the old one is kept beside it
    #[arg(long)]
    pub force: bool,
    /// Read the mail of the last two weeks afterwards, for invitations
    #[arg(long)]
    pub fetch: bool,
    /// Enter the matches that this mail invites you to, without asking
    #[arg(long, requires = "fetch")]
    pub accept: bool,
}

/// Where a password or a token is read. The secret itself is no argument, because
/// everybody on a machine can read those.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct SecretArgs {
    /// A command whose first line is your password
    #[arg(long, value_name = "COMMAND")]
    pub password_command: Option<String>,
    /// A file whose first line is your password, and that others cannot read
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub password_file: Option<PathBuf>,
    /// A variable of the environment that has your password
    #[arg(long, value_name = "NAME")]
    pub password_env: Option<String>,
    /// A command whose first line is an OAuth 2 token (XOAUTH2)
    #[arg(long, value_name = "COMMAND")]
    pub token_command: Option<String>,
}

/// The user's part in matches.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// You play
    Player,
    /// You pass the moves between two other players
    Referee,
}

impl From<Role> for UserRole {
    fn from(role: Role) -> UserRole {
        match role {
            Role::Player => UserRole::Player,
            Role::Referee => UserRole::Referee,
        }
    }
}

/// The way to TLS.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TlsWay {
    /// From the first byte
    Tls,
    /// By STARTTLS
    Starttls,
}

fn resolver(text: &str) -> Result<Resolver, &'static str> {
    Resolver::parse(text).ok_or("write an address like 192.0.2.1 or 127.0.0.1:5353")
}
