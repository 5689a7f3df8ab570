//! The errors of settings that are valid TOML but cannot be used.

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
    /// The mail server is missing.
    #[error("[transport] kind = \"smtp\" needs a section [smtp] with at least host = \"…\"")]
    NoSmtp,
    /// One password has two sources.
    #[error("[smtp] password_file and password_command exclude each other")]
    TwoPasswords,
    /// The command that prints the password is empty.
    #[error("[smtp] password_command is empty")]
    EmptyPasswordCommand,
    /// A user without a password, or a password without a user.
    #[error("[smtp] user needs password_file or password_command, and they need user")]
    IncompleteLogin,
    /// A password would be sent in the clear.
    #[error("[smtp] no password is sent without TLS: tls = \"starttls\" or \"tls\", or no user")]
    PasswordWithoutTls,
}
