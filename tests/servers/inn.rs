//! INN, a news server, from the Debian packages that `tests/run` unpacks into `target/servers`.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use tempfile::TempDir;

use crate::servers::{certify, command, end, free_ports, listens, output, private_folder};
use crate::support::exim::{USERS, password};

/// Where the packages are unpacked.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/servers/inn");

/// How often a start is tried again because a port was taken in between.
const STARTS: usize = 5;

/// A group in which everybody who is known may post.
pub(crate) const GROUP: &str = "rec.games.abstract";

/// A group whose articles go to its moderator.
pub(crate) const MODERATED: &str = "rec.games.moderated";

/// A group in which nobody may post.
pub(crate) const CLOSED: &str = "rec.games.closed";

/// A running news server.
pub(crate) struct Inn {
    innd: Child,
    nnrpd: Child,
    folder: TempDir,
    /// NNTP with STARTTLS.
    pub(crate) port: u16,
    /// NNTP in TLS from the first byte.
    pub(crate) tls_port: u16,
}

impl Inn {
    /// Starts a server that wants a login, or that serves everybody, and waits until it listens.
    ///
    /// # Panics
    ///
    /// If INN or openssl is missing or does not do as told, with INN's log.
    pub(crate) fn start(wants_login: bool) -> Inn {
        let bin = Path::new(ROOT).join("usr/lib/news/bin");
        assert!(
            bin.join("innd").exists(),
            "there is no INN in {ROOT}: tests/run unpacks what the tests need"
        );
        let folder = private_folder("in");
        certify(folder.path());
        configure(folder.path(), &bin, wants_login);
        if is_root() {
            output(
                Command::new("chown")
                    .args(["-R", "news:news"])
                    .arg(folder.path()),
            );
        }
        let history = folder.path().join("db/history");
        let history = history.to_str().unwrap();
        output(&mut program(
            folder.path(),
            "makedbz",
            &["-s", "1000", "-f", history, "-o"],
        ));
        for _ in 0..STARTS {
            let [port, tls_port] = free_ports();
            let address = ["-4", "127.0.0.1"];
            let (plain, tls) = (port.to_string(), tls_port.to_string());
            let run = |name, more: &[&str], port| {
                let mut child = program(folder.path(), name, &[&address[..], more].concat());
                let mut child = child.spawn().unwrap();
                listens(&mut child, port).then_some(child)
            };
            let Some(mut innd) = run("innd", &["-P", &plain, "-f", "-N"], port) else {
                continue;
            };
            let Some(nnrpd) = run("nnrpd", &["-D", "-f", "-S", "-p", &tls], tls_port) else {
                kill(&mut innd);
                continue;
            };
            return Inn {
                innd,
                nnrpd,
                folder,
                port,
                tls_port,
            };
        }
        let log = |name| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        panic!(
            "INN does not start:\n{}{}",
            log("log/news"),
            log("log/errlog")
        );
    }

    /// The certificate of the authority that vouches for the server.
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// The articles of a group, each as it lies in the spool, by number.
    pub(crate) fn articles(&self, group: &str) -> Vec<String> {
        let folder = self.folder.path().join("spool/articles");
        let folder = folder.join(group.replace('.', "/"));
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let paths = entries.map(|entry| entry.unwrap().path());
        let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
        let mut paths: Vec<(u64, PathBuf)> = paths
            .filter_map(|path| Some((number(&path)?, path)))
            .collect();
        paths.sort();
        let texts = paths.iter().map(|(_, path)| fs::read(path).unwrap());
        texts
            .map(|text| String::from_utf8_lossy(&text).replace("\r\n", "\n"))
            .collect()
    }

    /// What moderators were mailed.
    pub(crate) fn moderated(&self) -> String {
        fs::read_to_string(self.folder.path().join("moderator")).unwrap_or_default()
    }
}

impl Drop for Inn {
    fn drop(&mut self) {
        end(&mut self.nnrpd);
        kill(&mut self.innd);
    }
}

/// Ends the server at once, with its readers: it hears of a friendlier signal within minutes.
fn kill(innd: &mut Child) {
    let group = format!("kill -s KILL -- -{}", innd.id());
    let _ = Command::new("sh").args(["-c", &group]).status();
    let _ = innd.wait();
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// A program of INN as the user that it insists on, with an empty environment.
fn program(folder: &Path, name: &str, arguments: &[&str]) -> Command {
    let mut command = command();
    if is_root() {
        command.args(["--reuid=news", "--regid=news", "--clear-groups"]);
    } else {
        // Whoever runs the tests is that user there.
        command.args(["unshare", "-U", "--map-user=9", "--map-group=9"]);
    }
    let libraries = [
        "usr/lib/news",
        "usr/lib/x86_64-linux-gnu",
        "usr/lib/aarch64-linux-gnu",
    ];
    let libraries = libraries.map(|name| format!("{ROOT}/{name}")).join(":");
    command
        .arg(folder.join("bin").join(name))
        .args(arguments)
        .env("INNCONF", folder.join("etc/inn.conf"))
        .env("LD_LIBRARY_PATH", libraries);
    command
}

/// Writes all that a server needs into its folder.
fn configure(folder: &Path, bin: &Path, wants_login: bool) {
    let here = folder.display();
    for name in [
        "bin",
        "etc",
        "db",
        "log",
        "run",
        "tmp",
        "http",
        "filter",
        "spool/articles",
        "spool/overview",
        "spool/incoming",
        "spool/outgoing",
        "spool/archive",
    ] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    for entry in fs::read_dir(bin).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if name == "innbind" {
            // With the rights of another user it would not find the libraries.
            let copy = folder.join("bin/innbind");
            fs::write(&copy, fs::read(&path).unwrap()).unwrap();
            fs::set_permissions(copy, Permissions::from_mode(0o755)).unwrap();
        } else {
            symlink(&path, folder.join("bin").join(name)).unwrap();
        }
    }
    let mut users = String::new();
    for user in USERS {
        let hash = output(Command::new("openssl").args(["passwd", "-1", &password(user)]));
        let _ = writeln!(users, "{user}:{}", hash.trim());
    }
    let access = "access \"all\" {\n users: \"*\"\n newsgroups: \"*\"\n access: RPA\n}\n";
    let login = if wants_login {
        format!("auth \"login\" {{\n hosts: \"*\"\n auth: \"ckpasswd -f {here}/etc/passwd\"\n}}\n")
    } else {
        "auth \"everybody\" {\n hosts: \"*\"\n default: \"<everybody>\"\n}\n".to_owned()
    };
    let group = |name: &str, flag: char| format!("{name} 0000000000 0000000001 {flag}\n");
    for (name, text) in [
        ("etc/passwd", users),
        ("etc/readers.conf", login + access),
        (
            "etc/storage.conf",
            "method tradspool {\n newsgroups: *\n class: 0\n}\n".to_owned(),
        ),
        (
            "etc/expire.ctl",
            "/remember/:11\n*:A:1:10:never\n".to_owned(),
        ),
        (
            "etc/incoming.conf",
            "peer ME {\n hostname: \"localhost, 127.0.0.1\"\n}\n".to_owned(),
        ),
        ("etc/newsfeeds", "ME:!*::\n".to_owned()),
        ("etc/moderators", "*:moderator@example.test\n".to_owned()),
        (
            "db/active",
            group("control", 'n')
                + &group("control.cancel", 'n')
                + &group("junk", 'n')
                + &group(GROUP, 'y')
                + &group(MODERATED, 'm')
                + &group(CLOSED, 'n'),
        ),
        ("db/active.times", String::new()),
        ("db/newsgroups", String::new()),
        ("db/history", String::new()),
        ("mta", format!("#!/bin/sh\nexec cat >>{here}/moderator\n")),
        (
            "etc/inn.conf",
            format!(
                "domain: news.test\npathhost: news.test\norganization: tests\n\
                 runasuser: news\nrunasgroup: news\ntimer: 2\nnnrpdloadlimit: 0\nmta: \"{here}/mta %s\"\n\
                 hismethod: hisv6\nenableoverview: true\novmethod: tradindexed\n\
                 pathnews: {here}\npathbin: {here}/bin\npathdb: {here}/db\npathetc: {here}/etc\n\
                 pathspool: {here}/spool\npatharticles: {here}/spool/articles\n\
                 pathoverview: {here}/spool/overview\npathincoming: {here}/spool/incoming\n\
                 pathoutgoing: {here}/spool/outgoing\npatharchive: {here}/spool/archive\n\
                 pathlog: {here}/log\npathrun: {here}/run\npathtmp: {here}/tmp\n\
                 pathhttp: {here}/http\npathfilter: {here}/filter\n\
                 tlscertfile: {here}/server.pem\ntlskeyfile: {here}/server.key\n"
            ),
        ),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::set_permissions(folder.join("mta"), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(folder.join("server.key"), Permissions::from_mode(0o640)).unwrap();
}
