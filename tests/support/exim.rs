//! A real mail server for the length of a test.
//!
//! [`Exim::start`] runs Debian's Exim on free loopback ports with a folder, a
//! configuration (`exim.conf`), a certificate authority and Maildirs of its
//! own; several may run side by side. It needs no privilege: started by root,
//! it runs as `nobody`. Dropping it ends the server and removes everything.

use {
    crate::servers::{Owner, PATIENCE, certify, end, free_ports, messages_in},
    lettre::{
        SmtpTransport,
        transport::smtp::{
            authentication::Credentials,
            client::{Certificate, Tls, TlsParameters},
        },
    },
    std::{
        fs,
        path::{Path, PathBuf},
        process::Child,
        thread,
        time::{Duration, Instant},
    },
    tempfile::TempDir,
};

/// The program of the Debian package `exim4-daemon-light`, which `tests/run` unpacks: it
/// cannot be installed beside another mail server.
const PROGRAM: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/target/servers/exim/usr/sbin/exim4"
);

/// Those who have a mailbox and a password at `example.test`.
pub(crate) const USERS: [&str; 3] = ["white", "black", "referee"];

/// How often a start is tried again because a port was taken in between.
const STARTS: usize = 5;

/// The password of a user.
pub(crate) fn password(user: &str) -> String {
    format!("secret of {user}")
}

/// The address of a user.
pub(crate) fn address(user: &str) -> String {
    format!("{user}@example.test")
}

/// A running mail server.
pub(crate) struct Exim {
    folder: TempDir,
    child: Child,
    /// SMTP with STARTTLS.
    pub(crate) port: u16,
    /// SMTP in TLS from the first byte.
    pub(crate) tls_port: u16,
}

impl Exim {
    /// Starts a server and waits until it listens.
    ///
    /// It ends with the thread that starts it, if that does not drop it: a
    /// test that is broken off leaves nothing running.
    ///
    /// # Panics
    ///
    /// If Exim or openssl is missing or does not do as told, with Exim's log.
    pub(crate) fn start() -> Self {
        Self::offering("PLAIN:LOGIN:XOAUTH2", 1000)
    }

    /// Starts a server that offers these ways to log in alone, and takes so many mails in
    /// one connection.
    pub(crate) fn offering(mechanisms: &str, mails: usize) -> Self {
        Self::configured(mechanisms, mails, include_str!("exim.conf"))
    }

    /// Starts a server that delivers into the Maildirs of another one, `USER/Maildir` in a folder.
    pub(crate) fn delivering_into(folder: &Path) -> Self {
        let maildir = format!("{}/$local_part_data/Maildir", folder.display());
        let text = include_str!("exim.conf").replace("FOLDER/mail/$local_part_data", &maildir);
        Self::configured("PLAIN:LOGIN", 1000, &text)
    }

    /// Starts a server with a router and a transport more, which takes mail from this
    /// machine without a login, as servers do for their own machine.
    pub(crate) fn with(router: &str, transport: &str) -> Self {
        let login = "!authenticated = *";
        let text = include_str!("exim.conf")
            .replace(login, &format!("{login}\n          !hosts = 127.0.0.1"))
            .replace("begin routers\n", &format!("begin routers\n\n{router}"))
            .replace(
                "begin transports\n",
                &format!("begin transports\n\n{transport}"),
            );
        Self::configured("PLAIN", 1000, &text)
    }

    fn configured(mechanisms: &str, mails: usize, text: &str) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "there is no {PROGRAM}: tests/run installs what the tests need"
        );
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let owner = Owner::of(folder.path());
        furnish(folder.path());
        let mut complaints = String::new();
        for _ in 0..STARTS {
            let [port, tls_port] = free_ports();
            let configuration = folder.path().join("exim.conf");
            fs::write(
                &configuration,
                format!(
                    "FOLDER = {}\nOWNER_UID = {}\nOWNER_GID = {}\n\
                     SMTP_PORT = {port}\nTLS_PORT = {tls_port}\nUSERS = {}\n\
                     MECHANISMS = {mechanisms}\nMAILS = {mails}\n\n{}",
                    folder.path().display(),
                    owner.uid,
                    owner.gid,
                    USERS.join(" : "),
                    text,
                ),
            )
            .unwrap();
            owner.take(folder.path());
            let mut child = owner
                .command(folder.path().join("exim4"))
                .arg("-C")
                .arg(&configuration)
                .args(["-bdf", "-q10s"])
                .spawn()
                .expect("setpriv starts");
            if listens(&mut child, &folder.path().join("exim.pid")) {
                return Self {
                    folder,
                    child,
                    port,
                    tls_port,
                };
            }
            complaints = log(folder.path());
        }
        panic!("Exim does not start:\n{complaints}");
    }

    /// The certificate of the authority that vouches for the server.
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// What a client needs to trust the server.
    fn trust(&self) -> TlsParameters {
        let authority = fs::read(self.ca_file()).unwrap();
        TlsParameters::builder("localhost".to_owned())
            .add_root_certificate(Certificate::from_pem(&authority).unwrap())
            .build()
            .unwrap()
    }

    /// The mail program of a user.
    pub(crate) fn client(&self, user: &str) -> SmtpTransport {
        SmtpTransport::builder_dangerous("localhost")
            .port(self.port)
            .tls(Tls::Required(self.trust()))
            .credentials(Credentials::new(user.to_owned(), password(user)))
            .build()
    }

    /// The mailbox of a user.
    pub(crate) fn maildir(&self, user: &str) -> PathBuf {
        maildir(self.folder.path(), user)
    }

    /// All that the server has logged.
    pub(crate) fn log(&self) -> String {
        log(self.folder.path())
    }

    /// The messages in the mailbox of a user, read or not, oldest first.
    pub(crate) fn messages(&self, user: &str) -> Vec<PathBuf> {
        messages_in(&self.maildir(user))
    }

    /// Waits until a mailbox holds `count` messages and gives them as
    /// [`messages`](Self::messages) does.
    ///
    /// # Panics
    ///
    /// If there are more, or not enough in time, with Exim's log.
    pub(crate) fn wait_for(&self, user: &str, count: usize) -> Vec<PathBuf> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let messages = self.messages(user);
            if messages.len() == count {
                return messages;
            }
            assert!(
                messages.len() < count && Instant::now() < deadline,
                "{} messages for {user} instead of {count}; the log of the server:\n{}",
                messages.len(),
                self.log()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Exim {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Puts into `folder` all that the server needs but its configuration.
fn furnish(folder: &Path) {
    // A copy has no setuid bit, so that it stays who it is started as.
    fs::copy(PROGRAM, folder.join("exim4")).unwrap();
    let mut program = fs::metadata(folder.join("exim4")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut program, 0o755);
    fs::set_permissions(folder.join("exim4"), program).unwrap();

    for part in ["spool", "log"] {
        fs::create_dir(folder.join(part)).unwrap();
    }
    let mut passwords = String::new();
    for user in USERS {
        for part in ["new", "cur", "tmp"] {
            fs::create_dir_all(maildir(folder, user).join(part)).unwrap();
        }
        passwords.extend([user, ": ", &password(user), "\n"]);
    }
    fs::write(folder.join("passwords"), passwords).unwrap();
    certify(folder);
}

fn maildir(folder: &Path, user: &str) -> PathBuf {
    folder.join("mail").join(user)
}

/// Waits until the server has written its id into `pid_file`, which it does
/// once it listens; false if it ends instead.
fn listens(child: &mut Child, pid_file: &Path) -> bool {
    let deadline = Instant::now() + PATIENCE;
    let pid = child.id().to_string();
    while Instant::now() < deadline {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if fs::read_to_string(pid_file).is_ok_and(|text| text.trim() == pid) {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// All that the server has logged.
fn log(folder: &Path) -> String {
    fs::read_dir(folder.join("log"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect()
}

mod tests {
    use {
        super::{Exim, address, password},
        lettre::{
            SmtpTransport, Transport,
            address::Envelope,
            transport::smtp::{
                Error,
                authentication::{Credentials, Mechanism},
                client::{SmtpConnection, Tls},
                extension::ClientId,
            },
        },
        std::{fs, time::Duration},
    };

    /// Sends a message from white to `recipient`.
    fn send(port: u16, tls: Tls, password: &str, recipient: &str) -> Result<(), Error> {
        let sender = address("white").parse().unwrap();
        let envelope = Envelope::new(Some(sender), vec![recipient.parse().unwrap()]).unwrap();
        SmtpTransport::builder_dangerous("localhost")
            .port(port)
            .tls(tls)
            .credentials(Credentials::new("white".into(), password.into()))
            .build()
            .send_raw(&envelope, b"Subject: a test\r\n\r\nhello\r\n")
            .map(|_| ())
    }

    #[test]
    #[ignore = "needs Exim"]
    fn mail_reaches_the_maildir_by_starttls_and_by_tls() {
        let exim = Exim::start();
        let secret = password("white");
        let [starttls, tls] = [Tls::Required(exim.trust()), Tls::Wrapper(exim.trust())];
        send(exim.port, starttls, &secret, &address("black")).unwrap();
        exim.wait_for("black", 1);
        send(exim.tls_port, tls, &secret, &address("black")).unwrap();
        for message in exim.wait_for("black", 2) {
            let text = fs::read_to_string(message).unwrap();
            assert!(text.contains("\nSubject: a test\n"), "{text}");
            assert!(text.trim_end().ends_with("\n\nhello"), "{text}");
        }
        assert_eq!(exim.messages("white").len(), 0);
    }

    #[test]
    #[ignore = "needs Exim"]
    fn wrong_passwords_strangers_and_other_hosts_are_refused() {
        let exim = Exim::start();
        let tls = || Tls::Required(exim.trust());
        let refusals = [
            ("wrong", address("black"), "535"),
            (&password("black"), address("black"), "535"),
            (&password("white"), address("nobody"), "550"),
            (&password("white"), "black@example.org".to_owned(), "550"),
        ];
        for (secret, recipient, code) in refusals {
            let error = send(exim.port, tls(), secret, &recipient).unwrap_err();
            assert!(error.is_permanent(), "{recipient}: {error}");
            assert_eq!(error.status().unwrap().to_string(), code, "{error}");
        }
    }

    #[test]
    #[ignore = "needs Exim"]
    fn an_authority_that_is_not_known_is_not_trusted() {
        let [exim, other] = [Exim::start(), Exim::start()];
        let tls = Tls::Required(other.trust());
        let error = send(exim.port, tls, &password("white"), &address("black")).unwrap_err();
        let error = format!("{error:?}");
        assert!(error.contains("InvalidCertificate"), "{error}");
    }

    #[test]
    #[ignore = "needs Exim"]
    fn passwords_are_asked_for_only_within_tls() {
        let exim = Exim::start();
        let mut connection = SmtpConnection::connect(
            ("localhost", exim.port),
            Some(Duration::from_mins(1)),
            &ClientId::default(),
            None,
            None,
        )
        .unwrap();
        let mechanisms = [Mechanism::Plain, Mechanism::Login];
        let asked = |connection: &SmtpConnection| {
            mechanisms.map(|m| connection.server_info().supports_auth_mechanism(m))
        };
        assert_eq!(asked(&connection), [false, false]);
        connection
            .starttls(&exim.trust(), &ClientId::default())
            .unwrap();
        assert_eq!(asked(&connection), [true, true]);
        connection.quit().unwrap();
    }

    #[test]
    #[ignore = "needs Exim"]
    fn nothing_is_left_of_a_server() {
        let exim = Exim::start();
        let (port, folder) = (exim.port, exim.folder.path().to_path_buf());
        drop(exim);
        assert!(!folder.exists());
        std::net::TcpStream::connect(("127.0.0.1", port)).unwrap_err();
    }
}
