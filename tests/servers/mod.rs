//! Real servers from Debian packages on loopback ports, each in a private folder
//! with its own configuration, data and log, for the length of a test.
//!
//! `Exim` is in `support::exim`. All know the same users, addresses and passwords.

#![allow(
    dead_code,
    reason = "what a server can do does not depend on which tests there are today"
)]

pub(crate) mod cutting_proxy;
pub(crate) mod dnsmasq;
pub(crate) mod dovecot;
pub(crate) mod dovecot_auth;
pub(crate) mod inn;
pub(crate) mod mlmmj;
#[cfg(feature = "postgres")]
pub(crate) mod patroni;
pub(crate) mod postfix;
#[cfg(feature = "postgres")]
pub(crate) mod postgresql;

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long to wait for what must happen. Long, because the tests share few
/// processors with a compiler.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Whom a server runs as.
pub(crate) struct Owner {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// True if that is somebody else than who runs the tests.
    is_other: bool,
}

impl Owner {
    /// Whoever made `folder`, but `nobody` for root, as whom servers do not deliver.
    pub(crate) fn of(folder: &Path) -> Self {
        let data = folder.metadata().unwrap();
        let is_other = data.uid() == 0;
        let id = |of: &str| {
            let id = output(Command::new("id").args([of, "nobody"]));
            id.trim().parse().unwrap()
        };
        Self {
            uid: if is_other { id("-u") } else { data.uid() },
            gid: if is_other { id("-g") } else { data.gid() },
            is_other,
        }
    }

    /// The name of the user.
    pub(crate) fn name(&self) -> String {
        let name = output(Command::new("id").args(["-nu", &self.uid.to_string()]));
        name.trim().to_owned()
    }

    /// The name of the group.
    pub(crate) fn group(&self) -> String {
        let name = output(Command::new("id").args(["-ng", &self.uid.to_string()]));
        name.trim().to_owned()
    }

    /// Makes a folder and all in it this user's.
    pub(crate) fn take(&self, folder: &Path) {
        if self.is_other {
            let owner = format!("{}:{}", self.uid, self.gid);
            output(Command::new("chown").arg("-R").arg(owner).arg(folder));
        }
    }

    /// `program` run as this user, with an empty environment; see [`command`].
    pub(crate) fn command(&self, program: impl Into<PathBuf>) -> Command {
        let mut command = command();
        if self.is_other {
            command
                .arg(format!("--reuid={}", self.uid))
                .arg(format!("--regid={}", self.gid))
                .arg("--clear-groups");
        }
        command.arg(program.into());
        command
    }
}

/// The beginning of a command that ends with the thread that starts it, so that a test
/// that is broken off leaves nothing running. It leads a process group of its own, has
/// an empty environment and says nothing.
pub(crate) fn command() -> Command {
    let mut command = Command::new("setpriv");
    command
        .args(["--pdeathsig", "TERM"])
        .env_clear()
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Ends a server that leads a process group, and with it all that it started.
pub(crate) fn end(child: &mut Child) {
    // The shell's `kill` is there where no other is.
    let group = format!("kill -s TERM -- -{}", child.id());
    if !Command::new("sh")
        .args(["-c", &group])
        .status()
        .is_ok_and(|status| status.success())
    {
        let _ = child.kill();
    }
    let _ = child.wait();
}

/// Makes a certificate authority (`ca.pem`) and a certificate for `localhost`
/// (`server.pem`, `server.key`) in a folder.
pub(crate) fn certify(folder: &Path) {
    certify_for(folder, "localhost");
}

/// Makes a certificate authority and a certificate for this host name and 127.0.0.1.
pub(crate) fn certify_for(folder: &Path, host: &str) {
    fs::write(
        folder.join("openssl.conf"),
        format!(
            "[req]\ndistinguished_name = name\n[name]\n\
             [ca]\nbasicConstraints = critical,CA:TRUE\nkeyUsage = critical,keyCertSign\n\
             [server]\nsubjectAltName = DNS:{host}{}\nextendedKeyUsage = serverAuth\n",
            if host == "localhost" {
                ",IP:127.0.0.1"
            } else {
                ""
            },
        ),
    )
    .unwrap();
    let certificate = |name: &str, subject: &str, signed_by: &[&str]| {
        output(
            Command::new("openssl")
                .current_dir(folder)
                .args(["req", "-x509", "-config", "openssl.conf", "-days", "30"])
                .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
                .args(["-noenc", "-extensions", name, "-subj", subject])
                .args(["-keyout", &format!("{name}.key")])
                .args(["-out", &format!("{name}.pem")])
                .args(signed_by),
        );
    };
    certificate("ca", "/CN=authority of the tests", &[]);
    let authority = ["-CA", "ca.pem", "-CAkey", "ca.key"];
    certificate("server", &format!("/CN={host}"), &authority);
}

/// Makes a certificate (`expired.pem`, for `server.key`) whose time is over, in a folder
/// with an authority.
pub(crate) fn expire(folder: &Path) {
    fs::write(
        folder.join("expired.conf"),
        "[ca]\ndefault_ca = here\n\
         [here]\ndatabase = index\nnew_certs_dir = .\ndefault_md = sha256\npolicy = any\n\
         rand_serial = yes\nx509_extensions = server\n\
         [any]\ncommonName = supplied\n\
         [server]\nsubjectAltName = DNS:localhost,IP:127.0.0.1\nextendedKeyUsage = serverAuth\n",
    )
    .unwrap();
    fs::write(folder.join("index"), "").unwrap();
    let openssl = |words: &str| {
        let words = words.split(' ');
        output(Command::new("openssl").current_dir(folder).args(words));
    };
    openssl("req -new -config openssl.conf -key server.key -subj /CN=localhost -out request.pem");
    openssl(
        "ca -batch -notext -config expired.conf -in request.pem -cert ca.pem -keyfile ca.key \
         -startdate 20240101000000Z -enddate 20240201000000Z -out expired.pem",
    );
}

/// A port of the loopback at which no connection is ever answered: its queue is full.
pub(crate) struct Unanswered {
    child: Child,
    pub(crate) port: u16,
}

impl Unanswered {
    pub(crate) fn start() -> Unanswered {
        // The standard library chooses the length of the queue itself. Each of the
        // connections that fill it waits; the last one has no room.
        let script = "use Socket qw(:DEFAULT SOCK_NONBLOCK);
            socket(S, PF_INET, SOCK_STREAM, 0) && listen(S, 0) or die;
            my $at = getsockname(S);
            my ($port) = sockaddr_in($at);
            my @held;
            for (1 .. 8) {
                socket(my $c, PF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0) or die;
                connect($c, sockaddr_in($port, INADDR_LOOPBACK));
                push @held, $c;
            }
            $| = 1;
            print \"$port\\n\";
            sleep;";
        let mut child = command()
            .args(["perl", "-e", script])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        let port = line.trim().parse().expect("a port");
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let wait = Duration::from_millis(200);
        let error = TcpStream::connect_timeout(&address, wait).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut, "somebody answers");
        Unanswered { child, port }
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// An empty folder that other users can enter. Its path is short, as those of sockets
/// must be.
pub(crate) fn private_folder(prefix: &str) -> TempDir {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir_in("/tmp");
    let folder = folder.expect("a temporary folder can be made");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Waits until a server listens on a port. Returns false if it ends before, or does not
/// in time; then it is ended.
pub(crate) fn listens(server: &mut Child, port: u16) -> bool {
    let mut is_there = false;
    wait_until(|| {
        is_there = TcpStream::connect(("127.0.0.1", port)).is_ok();
        is_there || server.try_wait().unwrap().is_some()
    });
    if !is_there {
        end(server);
    }
    is_there
}

/// A port that nobody listens on while the tests run: no system gives it away.
pub(crate) const NOBODY: u16 = 1;

/// Ports that nobody listens on yet.
pub(crate) fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

/// Waits until a condition holds; false if it does not in time.
pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// The messages in a Maildir, read or not, oldest first.
pub(crate) fn messages_in(maildir: &Path) -> Vec<PathBuf> {
    let mut messages: Vec<_> = ["new", "cur"]
        .iter()
        .filter_map(|part| fs::read_dir(maildir.join(part)).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    messages.sort_by_key(|path| {
        let data = path.metadata().unwrap();
        (data.mtime(), data.mtime_nsec())
    });
    messages
}

/// Runs a command that must succeed and gives what it says.
pub(crate) fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{}: {error}", command.get_program().display());
    });
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}
