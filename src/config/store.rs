//! The section `[store]`: where the matches are kept.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Error;
use crate::config::transport::{OneOrMany, RawSecret, login, resolve};
use crate::mail::secret::Credential;

/// The port of the database.
const PORT: u16 = 5432;

/// The place of the matches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum StoreSettings {
    /// A folder with a file for each match.
    #[default]
    Folder,
    /// A database.
    Postgres(PostgresSettings),
}

/// A database that speaks the protocol of `PostgreSQL`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostgresSettings {
    /// The servers: a name or a folder of sockets, and a port.
    pub hosts: Vec<(String, u16)>,
    /// The name of the database.
    pub database: String,
    /// The user's name there.
    pub user: String,
    /// The password, if there is one.
    pub password: Option<Credential>,
    /// True if connections have TLS.
    pub has_tls: bool,
    /// A file of certificates to trust besides those of the system.
    pub ca_file: Option<PathBuf>,
}

#[derive(Deserialize, PartialEq, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawStore {
    kind: RawKind,
    hosts: Option<OneOrMany>,
    database: Option<String>,
    user: Option<String>,
    password_file: Option<String>,
    password_command: Option<OneOrMany>,
    password_env: Option<String>,
    tls: Option<RawTls>,
    ca_file: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "lowercase")]
enum RawKind {
    #[default]
    Folder,
    Postgres,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum RawTls {
    Tls,
    None,
}

impl StoreSettings {
    /// Checks the section. Relative paths in it start at `base`.
    pub(super) fn check(raw: RawStore, base: &Path) -> Result<StoreSettings, Error> {
        if raw.kind == RawKind::Folder {
            if raw == RawStore::default() {
                return Ok(StoreSettings::Folder);
            }
            return Err(Error::refused(
                "[store] has settings of a database, which are of no use without kind = \"postgres\"",
            ));
        }
        let missing = |setting| {
            Error::refused(format!(
                "[store] kind = \"postgres\" needs {setting} = \"…\": hosts (one, or a list of names with or without a port), database and user"
            ))
        };
        let is_name = |name: &String| !name.is_empty() && !name.contains(char::is_control);
        let named =
            |name: Option<String>, setting| name.filter(is_name).ok_or_else(|| missing(setting));
        let database = named(raw.database, "database")?;
        let user = named(raw.user, "user")?;
        let hosts = raw.hosts.map_or_else(Vec::new, OneOrMany::into_vec);
        let hosts: Option<Vec<_>> = hosts.iter().map(|host| server(host)).collect();
        let hosts = hosts.filter(|hosts| !hosts.is_empty());
        let hosts = hosts.ok_or_else(|| missing("hosts"))?;
        let password = (raw.password_file, raw.password_command, raw.password_env);
        let user_of_password = (password != RawSecret::default()).then(|| user.clone());
        let login = login("store", base, user_of_password, password, None)?;
        let has_tls = raw.tls != Some(RawTls::None);
        if !has_tls && login.is_some() && !hosts.iter().all(|(host, _)| is_here(host)) {
            return Err(Error::refused(
                "[store] no password is sent without TLS: leave out tls = \"none\", or the password, or name hosts of this machine alone",
            ));
        }
        Ok(StoreSettings::Postgres(PostgresSettings {
            hosts,
            database,
            user,
            password: login.map(|login| login.credential),
            has_tls,
            ca_file: raw.ca_file.map(|file| resolve(base, &file)),
        }))
    }
}

/// Reads a server: `NAME`, `NAME:PORT`, `[ADDRESS]:PORT`, or the folder of a socket.
fn server(text: &str) -> Option<(String, u16)> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => {
            (host, port.parse().ok().filter(|port| *port > 0)?)
        }
        _ => (text, PORT),
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let is_host =
        !host.is_empty() && !host.contains([',', ' ']) && !host.contains(char::is_control);
    is_host.then(|| (host.to_owned(), port))
}

/// Returns true if a server is on this machine.
fn is_here(host: &str) -> bool {
    host.starts_with('/')
        || host == "localhost"
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str) -> Result<StoreSettings, String> {
        let raw: RawStore = toml::from_str(lines).map_err(|error| error.to_string())?;
        StoreSettings::check(raw, Path::new("/home/anna")).map_err(|error| error.to_string())
    }

    const CLUB: &str = "kind = \"postgres\"\ndatabase = \"club\"\nuser = \"chess\"\n";

    fn found(lines: &str) -> PostgresSettings {
        match check(&format!("{CLUB}{lines}")).unwrap() {
            StoreSettings::Postgres(found) => found,
            StoreSettings::Folder => panic!("a folder"),
        }
    }

    #[test]
    fn a_folder_needs_nothing() {
        assert_eq!(check(""), Ok(StoreSettings::Folder));
        assert_eq!(check("kind = \"folder\""), Ok(StoreSettings::Folder));
        let error = check("hosts = \"db\"").unwrap_err();
        assert!(error.contains("kind = \"postgres\""), "{error}");
    }

    #[test]
    fn a_database_has_hosts_with_ports_and_tls() {
        let hosts =
            "hosts = [\"db1.test\", \"db2.test:5433\", \"[::1]:5434\", \"::1\", \"/run/pg\"]\n";
        let settings = found(&format!(
            "{hosts}password_file = \"password\"\nca_file = \"ca.pem\""
        ));
        let hosts = settings
            .hosts
            .iter()
            .map(|(host, port)| format!("{host} {port}"));
        let hosts: Vec<String> = hosts.collect();
        assert_eq!(
            hosts,
            [
                "db1.test 5432",
                "db2.test 5433",
                "::1 5434",
                "::1 5432",
                "/run/pg 5432"
            ]
        );
        assert!(settings.has_tls && settings.password.is_some());
        assert_eq!(settings.ca_file, Some("/home/anna/ca.pem".into()));
        assert!(found("hosts = \"db\"").password.is_none());
    }

    #[test]
    fn what_cannot_be_reached_safely_or_at_all_is_refused() {
        let password = "password_env = \"P\"\n";
        for (lines, said) in [
            ("", "[store] kind = \"postgres\" needs hosts"),
            ("hosts = []", "needs hosts"),
            ("hosts = [\"db:0\"]", "needs hosts"),
            ("hosts = [\"a,b\"]", "needs hosts"),
            (
                "hosts = \"db\"\ntls = \"none\"\n",
                "no password is sent without TLS",
            ),
            (
                "hosts = \"db\"\npassword_file = \"p\"\n",
                "exclude each other",
            ),
        ] {
            let error = check(&format!("{CLUB}{lines}\n{password}")).unwrap_err();
            assert!(error.contains(said), "{lines}: {error}");
        }
        let here = format!("hosts = [\"127.0.0.1\", \"/run\"]\ntls = \"none\"\n{password}");
        assert!(!found(&here).has_tls);
        assert!(!found("hosts = \"db\"\ntls = \"none\"").has_tls);
        let error = check("kind = \"postgres\"\nhosts = \"db\"\nuser = \"u\"").unwrap_err();
        assert!(error.contains("needs database"), "{error}");
    }
}
