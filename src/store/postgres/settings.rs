//! The settings of a connection to the database.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;

use crate::Error;

/// Reads the password, once for each connection.
pub type ReadPassword = Arc<dyn Fn() -> Result<String, Error> + Send + Sync>;

/// The settings of a connection to the database.
#[derive(Clone)]
pub struct Settings {
    /// The servers: a name or a folder of sockets, and a port. The one that takes writes
    /// is used.
    pub hosts: Vec<(String, u16)>,
    /// The name of the database.
    pub database: String,
    /// The user's name there.
    pub user: String,
    /// The password of the user, if the server asks.
    pub password: Option<ReadPassword>,
    /// TLS, or none.
    pub tls: Option<Arc<ClientConfig>>,
    /// The time to go on where the database is out of reach.
    pub wait: Duration,
}

impl Settings {
    /// Returns the place in messages: `postgresql://HOST,HOST:PORT/DATABASE`.
    #[must_use]
    pub fn place(&self) -> String {
        let hosts = self.hosts.iter().map(|(host, port)| match port {
            5432 => host.clone(),
            port => format!("{host}:{port}"),
        });
        let hosts: Vec<String> = hosts.collect();
        format!("postgresql://{}/{}", hosts.join(","), self.database)
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Settings({})", self.place())
    }
}
