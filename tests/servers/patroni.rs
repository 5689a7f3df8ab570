//! Three `PostgreSQL` servers, of which Patroni makes another the leader when one fails, and
//! the etcd in which they agree.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::servers::postgresql::{USER, programs};
use crate::servers::{Owner, end, free_ports, listens, private_folder};

const NODES: usize = 3;

/// How long a cluster may take until a leader takes writes and a standby has them.
const PATIENCE: Duration = Duration::from_mins(4);

/// A little longer than Patroni's `loop_wait`.
const ROUND: Duration = Duration::from_millis(2200);

/// What Patroni keeps in etcd: who is the leader, and who may become it.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    port: u16,
}

impl Keys {
    /// The names of the keys.
    pub(crate) const NAMES: [&str; 2] = ["leader", "sync"];

    /// Returns what etcd answers about a key, in one line, or nothing.
    pub(crate) fn read(self, name: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let time = Some(Duration::from_secs(2));
        stream.set_read_timeout(time).ok()?;
        write!(
            stream,
            "GET /v2/keys/tests/club/{name} HTTP/1.0\r\nHost: etcd\r\n\r\n"
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (_, value) = answer.split_once("\"value\":\"")?;
        let (value, _) = value.split_once("\",\"")?;
        Some(value.replace("\\\"", "\""))
    }
}

/// A running cluster. It keeps nothing when it ends but logs that are elsewhere.
pub(crate) struct Cluster {
    etcd: Child,
    /// The keys of the cluster.
    pub(crate) keys: Keys,
    nodes: Vec<Option<Child>>,
    /// The folder of the logs.
    logs: PathBuf,
    folder: TempDir,
    owner: Owner,
    /// The ports of the servers.
    pub(crate) ports: [u16; NODES],
}

impl Cluster {
    /// Starts a cluster in which each commit waits for a standby, with a database `club`.
    ///
    /// # Panics
    ///
    /// If a program is missing or does not do as told.
    pub(crate) fn start() -> Self {
        let folder = private_folder("pa");
        let logs = folder.path().to_owned();
        Self::start_in(folder, logs)
    }

    /// As [`Cluster::start`], with logs in another folder, which stay: `n0.log` to `n2.log` of
    /// Patroni and its server, and `etcd.log`.
    ///
    /// # Panics
    ///
    /// As [`Cluster::start`].
    pub(crate) fn start_with_logs(logs: &Path) -> Self {
        Self::start_in(private_folder("pa"), logs.to_owned())
    }

    fn start_in(folder: TempDir, logs: PathBuf) -> Self {
        let path = folder.path();
        let owner = Owner::of(path);
        let [a, b, c, rest_a, rest_b, rest_c, client, peer] = free_ports();
        let (ports, rests) = ([a, b, c], [rest_a, rest_b, rest_c]);
        for (number, (port, rest)) in ports.into_iter().zip(rests).enumerate() {
            fs::create_dir(path.join(format!("n{number}"))).unwrap();
            let text = configuration(path, number, port, rest, client);
            fs::write(path.join(format!("n{number}.yml")), text).unwrap();
        }
        owner.take(path);
        let [client_url, peer_url] = [client, peer].map(|port| format!("http://127.0.0.1:{port}"));
        let mut etcd = owner
            .command("/usr/bin/etcd")
            .current_dir(path)
            .args([
                "--name",
                "only",
                "--data-dir",
                "etcd",
                "--log-level",
                "error",
            ])
            .args([
                "--listen-client-urls",
                &client_url,
                "--advertise-client-urls",
                &client_url,
            ])
            .args([
                "--listen-peer-urls",
                &peer_url,
                "--initial-advertise-peer-urls",
                &peer_url,
            ])
            .args(["--initial-cluster", &format!("only={peer_url}")])
            // What is killed here is never the machine.
            .arg("--unsafe-no-fsync")
            // See `configuration`.
            .arg("--enable-v2")
            .stderr(log(&logs, "etcd"))
            .spawn()
            .expect("setpriv starts");
        assert!(listens(&mut etcd, client), "etcd does not start");
        let mut cluster = Self {
            etcd,
            keys: Keys { port: client },
            nodes: (0..NODES).map(|_| None).collect(),
            logs,
            folder,
            owner,
            ports,
        };
        for number in 0..NODES {
            cluster.revive(number);
        }
        cluster.wait_until_ready();
        let leader = cluster.leader().unwrap();
        cluster
            .sql(leader, "postgres", "create database club")
            .unwrap();
        cluster
    }

    /// Starts a node that does not run.
    pub(crate) fn revive(&mut self, number: usize) {
        let log = log(&self.logs, &format!("n{number}"));
        let path = format!("{}:/usr/bin:/bin", programs().display());
        let child = self
            .owner
            .command("/usr/bin/patroni")
            .current_dir(self.folder.path())
            // Else libpq reads root's certificates.
            .env("HOME", self.folder.path())
            .env("PATH", path)
            .env("LC_ALL", "C.UTF-8")
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .arg(format!("n{number}.yml"))
            .spawn()
            .expect("setpriv starts");
        self.nodes[number] = Some(child);
    }

    /// The node that takes writes, if there is one.
    pub(crate) fn leader(&self) -> Option<usize> {
        let is_leader = |number: &usize| {
            self.sql(*number, "postgres", "select pg_is_in_recovery()")
                .is_ok_and(|is| is == "f\n")
        };
        (0..NODES).find(is_leader)
    }

    /// Waits until all nodes run and the leader has two standbys, one of them synchronous.
    pub(crate) fn wait_until_ready(&self) {
        let start = Instant::now();
        let states = "select count(*) from pg_stat_replication where state = 'streaming'
                      union all select count(*) from pg_stat_replication where sync_state <> 'async'";
        loop {
            let leader = self.leader();
            let found = leader.map(|leader| self.sql(leader, "postgres", states));
            if found == Some(Ok("2\n1\n".to_owned())) {
                return;
            }
            if start.elapsed() > PATIENCE {
                let logs = (0..NODES).map(|number| {
                    let log = self.logs.join(format!("n{number}.log"));
                    let log = fs::read_to_string(log).unwrap_or_default();
                    let lines: Vec<&str> = log.lines().rev().take(15).collect();
                    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
                });
                let logs: Vec<String> = logs.collect();
                panic!(
                    "the cluster does not come up: {found:?}\n{}",
                    logs.join("\n--\n")
                );
            }
            thread::sleep(Duration::from_millis(500));
        }
    }

    /// Sends a signal to all processes of a node: its server's first, so that Patroni does
    /// nothing about it. The server is stopped before its processes are counted: one that it
    /// starts meanwhile would live on, and keep the memory that the next server asks for.
    pub(crate) fn signal(&self, number: usize, signal: &str) {
        let Some(patroni) = &self.nodes[number] else {
            return;
        };
        let (server, patroni) = (self.server(number), patroni.id());
        let script = format!(
            "kill -s STOP {server}; children=$(pgrep -P {server}; pgrep -P {patroni}); kill -s {signal} {patroni} {server} $children"
        );
        let _ = Command::new("sh").args(["-c", &script]).output();
    }

    /// Sends a signal to all processes of a node's server, and leaves Patroni alone.
    fn signal_server(&self, number: usize, signal: &str) {
        let server = self.server(number);
        let script =
            format!("kill -s STOP {server}; kill -s {signal} {server} $(pgrep -P {server})");
        let _ = Command::new("sh").args(["-c", &script]).output();
    }

    /// Returns the process id of a node's server, or nothing if there is none. A zero would
    /// stand for whoever sends the signal.
    fn server(&self, number: usize) -> String {
        let file = format!("n{number}/data/postmaster.pid");
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        text.lines().next().unwrap_or_default().to_owned()
    }

    /// Stops a node as a machine does that has less and less time: its server first, for which
    /// Patroni waits when it has looked who is the leader, and then Patroni. If the node was the
    /// leader it believes so when it wakes, however long that takes.
    pub(crate) fn starve(&self, number: usize) {
        self.signal_server(number, "STOP");
        thread::sleep(ROUND);
        self.signal(number, "STOP");
    }

    /// Kills a node, server and all.
    pub(crate) fn kill(&mut self, number: usize) {
        self.signal(number, "KILL");
        if let Some(mut patroni) = self.nodes[number].take() {
            let _ = patroni.wait();
        }
    }

    /// What a statement gives at a node.
    pub(crate) fn sql(
        &self,
        number: usize,
        database: &str,
        statement: &str,
    ) -> Result<String, String> {
        psql(self.ports[number], database, statement)
    }

    /// The section of a configuration.
    pub(crate) fn config(&self) -> String {
        let hosts = self.ports.map(|port| format!("\"127.0.0.1:{port}\""));
        format!(
            "[store]\nkind = \"postgres\"\nhosts = [{}]\ndatabase = \"club\"\nuser = \"{USER}\"\ntls = \"none\"\n",
            hosts.join(", ")
        )
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for number in 0..NODES {
            self.kill(number);
        }
        end(&mut self.etcd);
    }
}

/// Opens a log, which the next process of that name goes on with.
fn log(folder: &Path, name: &str) -> File {
    let path = folder.join(format!("{name}.log"));
    let file = File::options().create(true).append(true).open(path);
    file.expect("a log can be written")
}

fn psql(port: u16, database: &str, statement: &str) -> Result<String, String> {
    let output = Command::new("timeout")
        .arg("5")
        .arg(programs().join("psql"))
        .env("PGCONNECT_TIMEOUT", "2")
        .args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
        ])
        .args([
            "-p",
            &port.to_string(),
            "-U",
            USER,
            "-d",
            database,
            "-c",
            statement,
        ])
        .output()
        .unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The configuration of a node. It asks etcd by version 2 of its protocol: by version 3, Patroni
/// before 3.0.3 writes the leader's key whoever has it, so that a leader that was stopped and
/// wakes takes its place back from its successor, with whose server go the commits that were
/// acknowledged meanwhile. Debian 12 has 3.0.2.
fn configuration(folder: &Path, number: usize, port: u16, rest: u16, etcd: u16) -> String {
    let own: PathBuf = folder.join(format!("n{number}"));
    let (own, programs) = (own.display(), programs());
    let programs = programs.display();
    format!(
        "\
scope: club
namespace: /tests/
name: n{number}
restapi: {{listen: '127.0.0.1:{rest}', connect_address: '127.0.0.1:{rest}'}}
etcd: {{host: '127.0.0.1:{etcd}'}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 3
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 300, wal_keep_size: 256MB, wal_log_hints: 'on', log_line_prefix: '%m [%p] '}}
  initdb:
  - encoding: UTF8
  - locale: C
  - no-sync
postgresql:
  listen: '127.0.0.1:{port}'
  connect_address: '127.0.0.1:{port}'
  data_dir: {own}/data
  bin_dir: {programs}
  pgpass: {own}/pgpass
  authentication:
    superuser: {{username: {USER}, password: x}}
    replication: {{username: replicator, password: x}}
    rewind: {{username: rewinder, password: x}}
  parameters: {{unix_socket_directories: {own}}}
  pg_hba:
  - local all all trust
  - host all all 127.0.0.1/32 trust
  - host replication all 127.0.0.1/32 trust
"
    )
}
