//! Postfix, from the Debian package that `tests/run` unpacks into `target/servers`,
//! because it cannot be installed beside Exim.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use tempfile::TempDir;

use crate::servers::dovecot_auth::DovecotAuth;
use crate::servers::{
    Owner, certify_for, command, end, free_ports, listens, messages_in, output, private_folder,
    wait_until,
};
use crate::support::exim::USERS;

/// Where the package is unpacked.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/servers/postfix");

/// How often a start is tried again because a port was taken in between.
const STARTS: usize = 5;

/// The services that it is made of, besides those that listen.
const SERVICES: [&str; 20] = [
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "tlsmgr unix - - n 1000? 1 tlsmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "verify unix - - n - 1 verify",
    "flush unix n - n 1000? 0 flush",
    "virtual unix - n n - - virtual",
    "smtp unix - - n - - smtp",
    "lmtp unix - - n - - lmtp",
    "pipe unix - n n - - pipe",
    "error unix - - n - - error",
    "retry unix - - n - - error",
    "anvil unix - - n - 1 anvil",
    "scache unix - - n - 1 scache",
    "proxymap unix - - n - - proxymap",
    "postlog unix-dgram n - n - 1 postlogd",
    "showq unix n - n - - showq",
];

/// How a Postfix differs from the usual one.
#[derive(Clone)]
pub(crate) struct Wishes {
    /// More lines of `main.cf`, which win. `FOLDER` is the server's own folder.
    pub(crate) main: String,
    /// More lines of `master.cf`, likewise.
    pub(crate) master: String,
    /// The host name in the certificate.
    pub(crate) host: &'static str,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            main: String::new(),
            master: String::new(),
            host: "localhost",
        }
    }
}

/// A running mail server: submission for the users of `example.test` over TLS and with a
/// password or a token, delivery into their Maildirs, and nothing else.
pub(crate) struct Postfix {
    child: Child,
    /// SMTP with STARTTLS. Without a login it takes mail for its own users alone.
    pub(crate) port: u16,
    /// SMTP in TLS from the first byte.
    pub(crate) tls_port: u16,
    /// Ends before the folder goes.
    _auth: DovecotAuth,
    folder: TempDir,
}

impl Postfix {
    /// Starts a server and waits until it listens.
    ///
    /// # Panics
    ///
    /// If Postfix, Dovecot or openssl is missing or does not do as told, with the log.
    pub(crate) fn start() -> Self {
        Self::with(&Wishes::default())
    }

    /// Starts a server that differs from the usual one.
    pub(crate) fn with(wishes: &Wishes) -> Self {
        assert!(
            Path::new(ROOT).exists(),
            "there is no {ROOT}: tests/run puts there what the tests need"
        );
        let folder = private_folder("pf");
        let owner = Owner::of(folder.path());
        furnish(folder.path(), &owner, wishes.host);
        let auth = DovecotAuth::start(&folder.path().join("auth"), &owner);
        for _ in 0..STARTS {
            let [port, tls_port] = free_ports();
            configure(folder.path(), &owner, wishes, [port, tls_port]);
            let mut child = command()
                .arg(program("lib/postfix/sbin/master"))
                .args(["-d", "-c"])
                .arg(folder.path().join("etc"))
                .env("LD_LIBRARY_PATH", program("lib/postfix"))
                .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
                .spawn()
                .expect("setpriv starts");
            if listens(&mut child, port) {
                return Self {
                    child,
                    port,
                    tls_port,
                    _auth: auth,
                    folder,
                };
            }
        }
        panic!("Postfix does not start:\n{}", log(folder.path()));
    }

    /// The server's folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The certificate of the authority that vouches for the server.
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// The mailbox of a user.
    pub(crate) fn maildir(&self, user: &str) -> PathBuf {
        self.folder.path().join("mail").join(user)
    }

    /// The messages in the mailbox of a user, read or not, oldest first.
    pub(crate) fn messages(&self, user: &str) -> Vec<PathBuf> {
        messages_in(&self.maildir(user))
    }

    /// Waits until a mailbox holds `count` messages.
    ///
    /// # Panics
    ///
    /// If there are more, or not enough in time, with the log.
    pub(crate) fn wait_for(&self, user: &str, count: usize) -> Vec<PathBuf> {
        wait_until(|| self.messages(user).len() >= count);
        let messages = self.messages(user);
        assert_eq!(
            messages.len(),
            count,
            "messages for {user}; the log of the server:\n{}",
            self.log()
        );
        messages
    }

    /// All that the server has logged.
    pub(crate) fn log(&self) -> String {
        log(self.folder.path())
    }

    /// A script that runs one of Postfix's commands, such as `postconf`, for this server.
    pub(crate) fn script(&self, name: &str) -> String {
        format!(
            "#!/bin/sh\nLD_LIBRARY_PATH={} exec {} -c {} \"$@\"\n",
            program("lib/postfix").display(),
            program("sbin").join(name).display(),
            self.folder.path().join("etc").display()
        )
    }

    /// Has the server try all mail again that waits.
    pub(crate) fn flush(&self) {
        output(
            Command::new(program("sbin/postqueue"))
                .arg("-c")
                .arg(self.folder.path().join("etc"))
                .arg("-f")
                .env("LD_LIBRARY_PATH", program("lib/postfix")),
        );
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn program(name: &str) -> PathBuf {
    Path::new(ROOT).join("usr").join(name)
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log/mail.log")).unwrap_or_default()
}

/// Puts into `folder` all that the server needs but its configuration.
fn furnish(folder: &Path, owner: &Owner, host: &str) {
    for part in ["etc", "log", "auth", "mail", "queue", "data"] {
        fs::create_dir(folder.join(part)).unwrap();
    }
    for user in USERS {
        for part in ["new", "cur", "tmp"] {
            fs::create_dir_all(folder.join("mail").join(user).join(part)).unwrap();
        }
    }
    for part in ["mail", "data"] {
        owner.take(&folder.join(part));
    }
    let queue = |name: &str, mode| {
        let path = folder.join("queue").join(name);
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        owner.take(&path);
    };
    for name in [
        "active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private",
        "saved", "trace",
    ] {
        queue(name, 0o700);
    }
    queue("public", 0o711);
    queue("maildrop", 0o730);
    fs::create_dir(folder.join("queue/pid")).unwrap();
    certify_for(folder, host);
}

/// Writes the configuration. Postfix begins as root and needs users and groups of its own.
fn configure(folder: &Path, owner: &Owner, wishes: &Wishes, [port, tls_port]: [u16; 2]) {
    assert!(
        fs::metadata("/proc/self").is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == 0),
        "Postfix starts as root alone: run the tests as root"
    );
    let (here, user) = (folder.display(), owner.name());
    let mut main = format!(
        "compatibility_level = 3.6
queue_directory = {here}/queue
data_directory = {here}/data
command_directory = {ROOT}/usr/sbin
daemon_directory = {ROOT}/usr/lib/postfix/sbin
shlib_directory = {ROOT}/usr/lib/postfix
meta_directory = {here}/etc
sendmail_path = {ROOT}/usr/sbin/sendmail
mail_owner = {user}
setgid_group = mail
default_privs = daemon
import_environment = MAIL_CONFIG MAIL_LOGTAG TZ LD_LIBRARY_PATH
export_environment = TZ PATH LANG=C
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.test
mydomain = example.test
mydestination =
alias_maps =
alias_database =
local_transport = error:there are no local users
maillog_file = {here}/log/mail.log
maillog_file_prefixes = {here}
virtual_mailbox_domains = example.test
virtual_mailbox_base = {here}/mail
virtual_mailbox_maps = inline:{{ {} }}
virtual_uid_maps = static:{}
virtual_gid_maps = static:{}
virtual_minimum_uid = 1
smtpd_tls_cert_file = {here}/server.pem
smtpd_tls_key_file = {here}/server.key
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {here}/auth/sasl
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions =
smtpd_client_restrictions =
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
smtp_host_lookup = native
disable_dns_lookups = yes
# The tests connect from one address, and often.
smtpd_client_connection_count_limit = 0
smtpd_error_sleep_time = 0
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
maximal_queue_lifetime = 1h
bounce_queue_lifetime = 1h
",
        USERS
            .map(|user| format!("{user}@example.test={user}/"))
            .join(", "),
        owner.uid,
        owner.gid,
    );
    let mut master = format!(
        "127.0.0.1:{port} inet n - n - - smtpd
127.0.0.1:{tls_port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
"
    );
    for line in SERVICES {
        let _ = writeln!(master, "{line}");
    }
    for (text, more, file) in [
        (&mut main, &wishes.main, "main.cf"),
        (&mut master, &wishes.master, "master.cf"),
    ] {
        let more = more.replace("FOLDER", &here.to_string());
        let key = |line: &str| line.split(" =").next().unwrap_or_default().to_owned();
        let keys: Vec<String> = more.lines().map(key).collect();
        let kept = text.lines().filter(|line| !keys.contains(&key(line)));
        let text = kept.chain(more.lines()).collect::<Vec<_>>().join("\n") + "\n";
        fs::write(folder.join("etc").join(file), text).unwrap();
    }
}
