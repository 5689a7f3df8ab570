//! `PostgreSQL` with TLS and a password, on one port.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Duration;

use parapost::mail::wire;
use parapost::store::postgres::connection::Settings;
use parapost::store::postgres::server;
use parapost::store::postgres::store::Postgres;
use tempfile::TempDir;

use crate::servers::{Owner, certify, free_ports, output, private_folder, wait_until};

/// How often a start is tried again because a port was taken in between.
const STARTS: usize = 5;

pub(crate) const USER: &str = "chess";
pub(crate) const PASSWORD: &str = "tortoise and hare";

/// Where Debian keeps the programs of the newest version.
pub(crate) fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql");
    let versions = versions.expect("PostgreSQL is there: tests/run installs what the tests need");
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.unwrap().path()).collect();
    versions.sort();
    versions.pop().expect("a version of PostgreSQL").join("bin")
}

/// A running server. It keeps nothing when it ends.
pub(crate) struct Postgresql {
    child: Child,
    folder: TempDir,
    pub(crate) port: u16,
}

impl Postgresql {
    /// Starts a server with an empty database `club` and waits until it answers.
    ///
    /// # Panics
    ///
    /// If `PostgreSQL` or openssl is missing or does not do as told, with the server's log.
    pub(crate) fn start() -> Self {
        // What is killed here is never the machine.
        Self::start_with("off")
    }

    /// Starts one that keeps what it acknowledges even if the machine fails.
    ///
    /// # Panics
    ///
    /// As [`Postgresql::start`].
    pub(crate) fn start_safe() -> Self {
        Self::start_with("on")
    }

    fn start_with(fsync: &str) -> Self {
        let folder = private_folder("pg");
        let path = folder.path();
        let owner = Owner::of(path);
        certify(path);
        fs::set_permissions(path.join("server.key"), Permissions::from_mode(0o600)).unwrap();
        fs::write(path.join("password"), PASSWORD).unwrap();
        owner.take(path);
        output(
            owner
                .command(programs().join("initdb"))
                .current_dir(path)
                .args(["--pgdata=data", "--pwfile=password", "--auth=scram-sha-256"])
                .args(["--encoding=UTF8", "--locale=C", "--no-sync"])
                .arg(format!("--username={USER}")),
        );
        for _ in 0..STARTS {
            let [port] = free_ports();
            let mut server = Self {
                child: run(path, &owner, port, fsync),
                folder: tempfile::tempdir().unwrap(),
                port,
            };
            let mut is_there = false;
            let at = Place { folder: path, port };
            wait_until(|| {
                is_there = at.psql("postgres", "select 1").is_ok();
                is_there || server.child.try_wait().unwrap().is_some()
            });
            if is_there {
                server.folder = folder;
                server.make("club");
                return server;
            }
        }
        let log = fs::read_to_string(path.join("log")).unwrap_or_default();
        panic!("PostgreSQL does not start:\n{log}");
    }

    /// Makes an empty database.
    pub(crate) fn make(&self, database: &str) {
        self.sql("postgres", &format!("create database {database}"));
    }

    /// What a statement gives, a line a row.
    pub(crate) fn sql(&self, database: &str, statement: &str) -> String {
        let (folder, port) = (self.folder.path(), self.port);
        Place { folder, port }.psql(database, statement).unwrap()
    }

    /// The text of a match in the database `club`, as its tables have it.
    pub(crate) fn text(&self, id: &str) -> String {
        let text = self.sql(
            "club",
            &format!(
                "select above || body || coalesce((select string_agg(match_part.body, ''
                 order by number) from match_part where match_part.id = match.id), '') || tail
                 from match where id = '{id}'"
            ),
        );
        // The row ends in a line end besides that of the text.
        text.strip_suffix('\n').unwrap_or_default().to_owned()
    }

    /// What the server has told its log.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Starts a program that receives what the server writes, as a standby of this name
    /// does, until it is dropped.
    pub(crate) fn standby(&self, name: &str) -> Standby {
        let folder = self.folder.path();
        let place = tempfile::tempdir().unwrap();
        let (host, port) = (folder.display(), self.port);
        let child = Command::new(programs().join("pg_receivewal"))
            .env_clear()
            .env("PGPASSWORD", PASSWORD)
            .args(["--synchronous", "--no-loop", "-D"])
            .arg(place.path())
            .arg(format!(
                "--dbname=host={host} port={port} user={USER} application_name={name}"
            ))
            .spawn()
            .unwrap();
        Standby {
            child,
            _place: place,
        }
    }

    /// The certificate of the authority that vouches for the server.
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// What a store connects with, to that port.
    pub(crate) fn settings(&self, database: &str, port: u16) -> Settings {
        let tls = wire::tls_client(Some(&self.ca_file())).unwrap();
        Settings {
            hosts: vec![("127.0.0.1".to_owned(), port)],
            database: database.to_owned(),
            user: USER.to_owned(),
            password: Some(Arc::new(|| Ok(PASSWORD.to_owned()))),
            tls: Some(Arc::new(tls)),
            wait: Duration::from_secs(20),
        }
    }

    /// A store in the database `club`, with its tables.
    pub(crate) fn store(&self) -> Postgres {
        let settings = self.settings("club", self.port);
        server::set_up(settings.clone()).unwrap();
        Postgres::new(settings)
    }

    /// The section of a configuration.
    pub(crate) fn config(&self, database: &str) -> String {
        format!(
            "[store]\nkind = \"postgres\"\nhosts = [\"127.0.0.1:{}\"]\ndatabase = \"{database}\"\n\
             user = \"{USER}\"\npassword_command = [\"echo\", \"{PASSWORD}\"]\nca_file = \"{}\"\n",
            self.port,
            self.ca_file().display()
        )
    }
}

impl Drop for Postgresql {
    fn drop(&mut self) {
        // TERM would wait for the clients.
        let end = format!("kill -s INT {}", self.child.id());
        let _ = Command::new("sh").args(["-c", &end]).status();
        let _ = self.child.wait();
    }
}

/// What a server sends its changes to.
pub(crate) struct Standby {
    child: Child,
    _place: TempDir,
}

impl Drop for Standby {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Place<'a> {
    folder: &'a Path,
    port: u16,
}

impl Place<'_> {
    fn psql(&self, database: &str, statement: &str) -> Result<String, String> {
        let output = Command::new(programs().join("psql"))
            .env_clear()
            .env("PGPASSWORD", PASSWORD)
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"])
            .args(["-h", &self.folder.display().to_string()])
            .args(["-p", &self.port.to_string(), "-U", USER, "-d", database])
            .args(["-c", statement])
            .output()
            .unwrap();
        if output.status.success() {
            Ok(String::from_utf8(output.stdout).unwrap())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}

fn run(folder: &Path, owner: &Owner, port: u16, fsync: &str) -> Child {
    let set = |name: &str, value: &str| ["-c".to_owned(), format!("{name}={value}")];
    let log = fs::File::create(folder.join("log")).unwrap();
    owner
        .command(programs().join("postgres"))
        .current_dir(folder)
        .stderr(log)
        .args(["-D", "data"])
        .args(set("port", &port.to_string()))
        .args(set("listen_addresses", "127.0.0.1"))
        .args(set(
            "unix_socket_directories",
            &folder.display().to_string(),
        ))
        .args(set("ssl", "on"))
        .args(set(
            "ssl_cert_file",
            &folder.join("server.pem").display().to_string(),
        ))
        .args(set(
            "ssl_key_file",
            &folder.join("server.key").display().to_string(),
        ))
        .args(set("fsync", fsync))
        // A hundred processes that were stopped keep theirs.
        .args(set("max_connections", "300"))
        .spawn()
        .expect("setpriv starts")
}
