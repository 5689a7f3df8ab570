//! The settings of a mailbox, of a mail server and of a news server.

use std::path::PathBuf;

use serde::Deserialize;

use crate::secret::Login;

/// A folder of a mailbox on a mail server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImapSettings {
    /// The server's name, which its certificate must contain.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The way to TLS. Nothing is read and nobody logs in without it.
    pub tls: ImapTls,
    /// A PEM certificate to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
    /// The login on the server.
    pub login: Login,
    /// The folder.
    pub folder: String,
    /// The treatment of a message on the server once it has been handled.
    pub after: After,
    /// The keyword of messages that have been handled.
    pub keyword: &'static str,
    /// The command that reads the folder, for messages.
    pub command: &'static str,
}

/// The way to TLS.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ImapTls {
    /// From the first byte.
    #[default]
    Tls,
    /// STARTTLS; a server without it is not used.
    Starttls,
}

/// The treatment of a message on the server once it has been handled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// Nothing.
    Nothing,
    /// It gets the keyword.
    Keyword,
    /// It is moved to this folder.
    Move(String),
}

/// The connection to a mail server or a news server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectionSettings {
    /// The server's name, which its certificate must contain.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The encryption of the connection. Nobody logs in without it.
    pub tls: Tls,
    /// A PEM certificate to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
    /// The login on the server.
    pub login: Option<Login>,
}

/// The encryption of a connection.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// None.
    None,
    /// STARTTLS; a server without it gets nothing.
    Starttls,
    /// TLS from the first byte.
    Tls,
}
