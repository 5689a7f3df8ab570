//! The errors of settings that are valid TOML but cannot be used.

use crate::limits::SENDING;
use crate::matches::player::ParsePlayerError;

/// A setting that cannot be used. `Display` writes a clause that names its
/// section.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// An address of the user is not a mail address.
    #[error("[me] address: '{0}' is no mail address")]
    Address(String),
    /// The user's name or addresses cannot be a player's.
    #[error("[me] {0}")]
    Player(#[from] ParsePlayerError),
    /// Signatures are required, but no host is trusted to check them.
    #[error(
        "[policy] identity = \"dkim\" needs trusted = \"…\", the name of the mail server that checks signatures, as it stands in Authentication-Results"
    )]
    NoTrustedHost,
    /// A mail server is configured but not used.
    #[error("[smtp] is of no use without [transport] kind = \"smtp\"")]
    UnusedSmtp,
    /// The transport has no use for a path.
    #[error("[transport] path is for the kinds folder and sendmail")]
    UnusedPath,
    /// The transport has no use for several connections.
    #[error("[transport] connections is for the kinds smtp and sendmail")]
    UnusedConnections,
    /// There cannot be so many connections.
    #[error("[transport] connections is a number from 1 to {SENDING}")]
    Connections,
    /// The mail server is missing.
    #[error("[transport] kind = \"smtp\" needs a section [smtp] with at least host = \"…\"")]
    NoSmtp,
    /// One password has two sources, or there is a token besides.
    #[error(
        "[{0}] password_file, password_command, password_env, token_file, token_command and token_env exclude each other"
    )]
    TwoPasswords(&'static str),
    /// The command that prints a secret or the variable that holds it cannot be one.
    #[error("[{section}] {setting} is empty or has characters that it cannot have")]
    EmptySecret {
        /// The section of the configuration.
        section: &'static str,
        /// The setting.
        setting: &'static str,
    },
    /// A user without a password, or a password without a user.
    #[error(
        "[{0}] user needs a password (password_file, password_command or password_env) or a token (token_file, token_command or token_env), and they need user"
    )]
    IncompleteLogin(&'static str),
    /// A password would be sent in the clear.
    #[error("[smtp] no password is sent without TLS: tls = \"starttls\" or \"tls\", or no user")]
    PasswordWithoutTls,
    /// The name of a folder on a mail server cannot be one.
    #[error("[imap] {0} is empty or has characters that it cannot have")]
    ImapName(&'static str),
    /// Mail is to be moved nowhere, or to the folder where it is.
    #[error(
        "[imap] after = \"move\" needs move_to = \"…\", another folder than the one that is read; without it move_to is of no use"
    )]
    MoveTo,
    /// A database is described but not used.
    #[error("[store] has settings of a database, which are of no use without kind = \"postgres\"")]
    UnusedDatabase,
    /// A setting of the database is missing or cannot be used.
    #[error(
        "[store] kind = \"postgres\" needs {0} = \"…\": hosts (one, or a list of names with or without a port), database and user"
    )]
    Database(&'static str),
    /// A password would be sent to another machine in the clear.
    #[error(
        "[store] no password is sent without TLS: leave out tls = \"none\", or the password, or name hosts of this machine alone"
    )]
    DatabaseWithoutTls,
}
