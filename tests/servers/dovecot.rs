//! Dovecot with mailboxes, for IMAP.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use crate::servers::dovecot_auth::{PROGRAM, accept_tokens, launch};
use crate::servers::{
    Owner, certify, end, free_ports, listens, messages_in, private_folder, wait_until,
};
use crate::support::exim::{USERS, password};

/// How often a start is tried again because a port was taken in between.
const STARTS: usize = 5;

/// A running IMAP server with Maildirs. It writes down what it is told and what it says.
pub(crate) struct Dovecot {
    child: Child,
    folder: TempDir,
    owner: Owner,
    more: String,
    /// IMAP with STARTTLS.
    pub(crate) port: u16,
    /// IMAP in TLS from the first byte.
    pub(crate) tls_port: u16,
    delivered: AtomicUsize,
}

impl Dovecot {
    /// Starts a server and waits until it listens. `more` are further lines of its
    /// configuration, which win. `FOLDER` is the server's own folder.
    ///
    /// # Panics
    ///
    /// If Dovecot or openssl is missing or does not do as told, with Dovecot's log.
    pub(crate) fn start(more: &str) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "there is no {PROGRAM}: tests/run installs what the tests need"
        );
        let folder = private_folder("dc");
        let owner = Owner::of(folder.path());
        certify(folder.path());
        accept_tokens(folder.path());
        for user in USERS {
            for part in ["Maildir/new", "Maildir/cur", "Maildir/tmp", "raw"] {
                fs::create_dir_all(folder.path().join(user).join(part)).unwrap();
            }
        }
        write_users(folder.path(), &owner, "");
        for _ in 0..STARTS {
            let ports = free_ports();
            if let Some(child) = run(folder.path(), &owner, ports, more) {
                let [port, tls_port] = ports;
                return Self {
                    child,
                    folder,
                    owner,
                    more: more.to_owned(),
                    port,
                    tls_port,
                    delivered: AtomicUsize::new(0),
                };
            }
        }
        panic!("Dovecot does not start:\n{}", log(folder.path()));
    }

    /// Ends the server and starts it again on the same ports.
    pub(crate) fn restart(&mut self) {
        end(&mut self.child);
        let mut child = None;
        let ports = [self.port, self.tls_port];
        let is_there = wait_until(|| {
            child = run(self.folder.path(), &self.owner, ports, &self.more);
            child.is_some()
        });
        assert!(is_there, "Dovecot does not start again:\n{}", self.log());
        self.child = child.unwrap();
    }

    /// Limits the number of messages that each user may have.
    pub(crate) fn set_quota(&self, messages: usize) {
        let rule = format!("::userdb_quota_rule=*:messages={messages}");
        write_users(self.folder.path(), &self.owner, &rule);
        // Dovecot looks at the file once a second.
        let second = || {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap()
                .as_secs()
        };
        let written = second();
        wait_until(|| second() > written);
    }

    /// The certificate of the authority that vouches for the server.
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A folder of a user; `INBOX` is the Maildir itself.
    pub(crate) fn maildir(&self, user: &str, folder: &str) -> PathBuf {
        let maildir = self.folder.path().join(user).join("Maildir");
        match folder {
            "INBOX" => maildir,
            folder => maildir.join(format!(".{folder}")),
        }
    }

    /// Makes a folder of a user.
    pub(crate) fn make(&self, user: &str, folder: &str) {
        for part in ["new", "cur", "tmp"] {
            fs::create_dir_all(self.maildir(user, folder).join(part)).unwrap();
        }
        self.owner.take(&self.maildir(user, folder));
    }

    /// Puts a message into a folder, as its `count`th since the server began. `flags` are
    /// those of a Maildir, empty for a message that nobody has seen.
    pub(crate) fn deliver(&self, user: &str, folder: &str, flags: &str, message: &str) {
        let count = self.delivered.fetch_add(1, Ordering::SeqCst);
        let maildir = self.maildir(user, folder);
        let name = format!("1795146822.{count:06}.test");
        let waiting = maildir.join("tmp").join(&name);
        fs::write(&waiting, message).unwrap();
        chown(&waiting, Some(self.owner.uid), Some(self.owner.gid)).unwrap();
        let place = if flags.is_empty() {
            maildir.join("new").join(name)
        } else {
            maildir.join("cur").join(format!("{name}:2,{flags}"))
        };
        fs::rename(waiting, place).unwrap();
    }

    /// The names of the messages in a folder with their flags, and the folder each is in.
    pub(crate) fn names(&self, user: &str, folder: &str) -> Vec<String> {
        let maildir = self.maildir(user, folder);
        let mut names: Vec<String> = messages_in(&maildir)
            .iter()
            .map(|path| path.strip_prefix(&maildir).unwrap().display().to_string())
            .collect();
        names.sort();
        names
    }

    /// All that the server was told by a user, or that it told the user.
    pub(crate) fn said(&self, user: &str, is_by_user: bool) -> String {
        let end = if is_by_user { "in" } else { "out" };
        let mut said = String::new();
        for entry in fs::read_dir(self.folder.path().join(user).join("raw")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == end) {
                said.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap()));
            }
        }
        said
    }

    /// All that the server has logged.
    pub(crate) fn log(&self) -> String {
        log(self.folder.path())
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Writes who has a mailbox, and what may be in it.
fn write_users(folder: &Path, owner: &Owner, rule: &str) {
    let mut users = String::new();
    for user in USERS {
        let Owner { uid, gid, .. } = owner;
        let (here, password) = (folder.display(), password(user));
        let _ = writeln!(
            users,
            "{user}:{{PLAIN}}{password}:{uid}:{gid}::{here}/{user}{rule}"
        );
    }
    fs::write(folder.join("users.new"), users).unwrap();
    fs::rename(folder.join("users.new"), folder.join("users")).unwrap();
}

/// Starts the server. Returns none if it ends instead.
fn run(folder: &Path, owner: &Owner, ports: [u16; 2], more: &str) -> Option<Child> {
    let (here, user, group) = (folder.display(), owner.name(), owner.group());
    let [port, tls_port] = ports;
    let more = more.replace("FOLDER", &here.to_string());
    fs::write(
        folder.join("dovecot.conf"),
        format!(
            "base_dir = {here}/run\nstate_dir = {here}/run\nlog_path = {here}/log\n\
             protocols = imap\nlisten = 127.0.0.1, 127.0.0.2\n\
             ssl = required\nssl_cert = <{here}/server.pem\nssl_key = <{here}/server.key\n\
             default_internal_user = {user}\ndefault_internal_group = {group}\n\
             default_login_user = {user}\nfirst_valid_uid = 1\n\
             auth_mechanisms = plain login xoauth2\nauth_failure_delay = 0\n\
             mail_location = maildir:~/Maildir\nmail_plugins = quota\n\
             rawlog_dir = {here}/%u/raw\n\
             passdb {{\n driver = passwd-file\n mechanisms = plain login\n args = {here}/users\n}}\n\
             passdb {{\n driver = oauth2\n mechanisms = xoauth2\n args = {here}/oauth2.conf\n}}\n\
             userdb {{\n driver = passwd-file\n args = {here}/users\n}}\n\
             namespace inbox {{\n inbox = yes\n separator = .\n}}\n\
             protocol imap {{\n mail_plugins = quota imap_quota\n mail_max_userip_connections = 100\n}}\n\
             plugin {{\n quota = maildir:User quota\n}}\n\
             service anvil {{\n chroot =\n}}\nservice stats {{\n chroot =\n}}\n\
             service imap-login {{\n chroot =\n process_min_avail = 1\n\
             \x20inet_listener imap {{\n  port = {port}\n }}\n\
             \x20inet_listener imaps {{\n  port = {tls_port}\n  ssl = yes\n }}\n}}\n\
             {more}\n"
        ),
    )
    .unwrap();
    owner.take(folder);
    let mut child = launch(folder, owner);
    listens(&mut child, port).then_some(child)
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap_or_default()
}
