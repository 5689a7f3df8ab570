//! `parapost init`: from nothing to a configuration, and to the first move.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::UdpSocket;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::servers::NOBODY;
use crate::servers::dnsmasq::Dnsmasq;
use crate::servers::dovecot::Dovecot;
use crate::servers::postfix::Postfix;
use crate::servers::wait_until;
use crate::support::exim::{address, password};
use crate::support::{Sandbox, Test};

const CONFIG: &str = ".config/parapost/config.toml";

/// A fresh home, with the certificates of two servers.
fn home(dovecot: &Dovecot, postfix: &Postfix) -> Sandbox {
    let authorities = [dovecot.ca_file(), postfix.ca_file()];
    let authorities = authorities.map(|file| fs::read_to_string(file).unwrap());
    Sandbox::new()
        .file("ca.pem", authorities.concat())
        .secret("secret", password("white") + "\n")
        .secret("wrong", "guesswork\n")
}

/// `init` for White with these servers, and where the password is read.
fn init(home: &Sandbox, dovecot: &Dovecot, postfix: &Postfix, secret: &str) -> Test {
    home.parapost(["init", "--name", "White", "--address", &address("white")])
        .args(["--imap", &format!("localhost:{}", dovecot.tls_port)])
        .args(["--imap-tls", "tls"])
        .args(["--smtp", &format!("localhost:{}", postfix.port)])
        .args(["--ca-file", "ca.pem", "--user", "white"])
        .args(["--password-file", secret])
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Black invites White. Returns the letter.
pub(crate) fn invitation() -> String {
    let config = format!(
        "[me]\nname = \"Black\"\naddress = \"{}\"\n",
        address("black")
    );
    let house = Sandbox::new().dir("games").file("config.toml", config);
    let run = house
        .parapost([
            "new",
            "--config",
            "config.toml",
            "--game",
            "unachess",
            "--id",
            "first",
        ])
        .args(["--white", &format!("White <{}>", address("white"))])
        .args(["--black", &format!("Black <{}>", address("black"))])
        .args(["--print"])
        .any_stdout()
        .any_stderr()
        .run();
    run.stdout
}

/// The first move is out with one command after `init`.
#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn from_nothing_to_the_first_move() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    dovecot.deliver("white", "INBOX", "", &invitation());
    let home = home(&dovecot, &postfix);
    init(&home, &dovecot, &postfix, "secret")
        .args(["--fetch", "--accept"])
        .stdout_contains("first")
        .stderr_contains("'white' is logged in")
        .stderr_contains("config.toml: written")
        .stderr_contains("parapost move ID")
        .run();
    assert_eq!(mode(&home.path(CONFIG)), 0o600);
    assert_eq!(mode(&home.path(".config/parapost")), 0o700);
    home.parapost(["move", "first", "P>e3", "--send"])
        .any_stdout()
        .any_stderr()
        .run();
    let mails = postfix.wait_for("black", 1);
    let mail = fs::read_to_string(&mails[0]).unwrap();
    assert!(mail.contains("Subject: [first]"), "{mail}");
    home.parapost(["doctor"]).any_stdout().run();
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let home = home(&dovecot, &postfix);
    let before = home.contents();
    let run = init(&home, &dovecot, &postfix, "wrong")
        .status(1)
        .stderr_contains("does not accept the password of 'white'")
        .stderr_contains("nothing is written")
        .run();
    assert!(!run.stderr.contains("guesswork"), "{}", run.stderr);
    assert_eq!(home.contents(), before);
    init(&home, &dovecot, &postfix, "wrong")
        .args(["--untested"])
        .stderr_contains("written")
        .run();
    assert!(home.path(CONFIG).exists());
}

#[test]
fn a_configuration_that_is_there_is_kept() {
    let home = Sandbox::new().file(CONFIG, "# mine\n");
    let init = |more: &[&str]| {
        home.parapost(["init", "--name", "Anna", "--address", "anna@gmail.com"])
            .args(["--yes", "--untested", "--password-env", "P"])
            .args(more.iter().copied())
    };
    init(&[]).status(1).stderr_contains("--force").run();
    assert_eq!(home.read(CONFIG), "# mine\n");
    init(&["--force"]).any_stderr().run();
    init(&["--force", "--role", "referee"]).any_stderr().run();
    assert_eq!(home.read(format!("{CONFIG}.bak")), "# mine\n");
    let second = home.read(format!("{CONFIG}.bak-2"));
    assert!(second.contains("role = \"player\""), "{second}");
    assert!(home.read(CONFIG).contains("role = \"referee\""));
}

#[test]
fn a_big_providers_servers_are_known_and_what_it_wants() {
    for (address, imap, smtp, advice) in [
        (
            "a@gmail.com",
            "imap.gmail.com",
            "smtp.gmail.com",
            "app password",
        ),
        (
            "a@gmx.net",
            "imap.gmx.net",
            "mail.gmx.net",
            "Allow POP3 and IMAP",
        ),
        (
            "a@outlook.com",
            "outlook.office365.com",
            "smtp-mail.outlook.com",
            "takes no password",
        ),
    ] {
        let home = Sandbox::new();
        home.parapost(["init", "--name", "A", "--address", address, "--yes"])
            .args(["--untested", "--password-command", "false"])
            .stderr_contains(advice)
            .stderr_contains(imap)
            .run();
        let config = home.read(CONFIG);
        for host in [imap, smtp] {
            assert!(config.contains(&format!("host = \"{host}\"")), "{config}");
        }
    }
}

#[test]
fn without_a_terminal_what_is_missing_is_named() {
    let home = Sandbox::new();
    home.parapost(["init"])
        .status(2)
        .stderr_contains(
            "there is no terminal to ask on; say --name, and --address, and --password-command",
        )
        .run();
    // Nobody has confirmed the servers.
    home.parapost([
        "init",
        "--name",
        "A",
        "--address",
        "a@gmail.com",
        "--password-env",
        "P",
    ])
    .status(2)
    .stderr_contains("imap.gmail.com")
    .stderr_contains("say --yes")
    .run();
    home.parapost([
        "init",
        "--name",
        "A",
        "--address",
        "a@tuta.com",
        "--password-env",
        "P",
    ])
    .status(2)
    .stderr_contains("there is no IMAP")
    .run();
    assert!(home.contents().is_empty());
}

/// The answer of a resolver is not signed: a server of somebody else's needs a yes.
#[test]
#[ignore = "needs dnsmasq"]
fn servers_that_a_domain_names_are_proposed() {
    let dns = Dnsmasq::start(&[
        ("_imaps._tcp.club.test", "mail.club.test", 993, 5),
        ("_imaps._tcp.club.test", "old.club.test", 993, 9),
        ("_submission._tcp.club.test", "mail.club.test", 587, 0),
        ("_imaps._tcp.other.test", "imap.hoster.test", 993, 0),
        ("_submissions._tcp.other.test", "smtp.other.test", 465, 0),
    ]);
    let resolver = format!("127.0.0.1:{}", dns.port);
    let home = Sandbox::new();
    let init = |address: &str, resolver: &str| {
        home.parapost(["init", "--name", "A", "--address", address, "--yes"])
            .args(["--untested", "--password-env", "P", "--resolver", resolver])
    };
    init("a@other.test", &resolver)
        .status(2)
        .stderr_contains("imap.hoster.test: not below other.test, and the answer is not signed")
        .stderr_contains("say --imap and --smtp")
        .run();
    init("a@none.test", &resolver)
        .status(2)
        .stderr_contains("it names none")
        .run();
    init("a@club.test", &format!("127.0.0.1:{NOBODY}"))
        .status(2)
        .stderr_contains("nothing is to be learnt there")
        .run();
    assert!(home.contents().is_empty());
    init("a@club.test", &resolver)
        .stderr_contains(&format!("asking the resolver {resolver}"))
        .stderr_contains("mail.club.test, port 993")
        .run();
    let config = home.read(CONFIG);
    assert!(config.contains("host = \"mail.club.test\"\nport = 587\ntls = \"starttls\""));
    assert!(config.contains("host = \"mail.club.test\"\nport = 993\ntls = \"tls\""));
}

/// The records of a domain that names its server many times, the best one last.
fn many(service: &str) -> Vec<(String, String, u16, u16)> {
    let name = format!("{service}._tcp.big.test");
    (0..25)
        .map(|n| {
            (
                name.clone(),
                format!("mail-number-{n:02}.servers.big.test"),
                993,
                90 - n,
            )
        })
        .collect()
}

#[test]
#[ignore = "needs dnsmasq"]
fn an_answer_that_is_too_long_for_a_datagram_is_read_by_tcp() {
    let records = [many("_imaps"), many("_submissions")].concat();
    let records = records
        .iter()
        .map(|(a, b, c, d)| (a.as_str(), b.as_str(), *c, *d));
    let dns = Dnsmasq::start(&records.collect::<Vec<_>>());
    let resolver = format!("127.0.0.1:{}", dns.port);
    assert!(is_truncated(dns.port), "the answer is not too long");
    let home = Sandbox::new();
    home.parapost(["init", "--name", "A", "--address", "a@big.test", "--yes"])
        .args(["--untested", "--password-env", "P", "--resolver", &resolver])
        .stderr_contains("mail is read on mail-number-24.servers.big.test, port 993")
        .run();
}

/// Asks a resolver as a program that knows datagrams alone.
fn is_truncated(port: u16) -> bool {
    let mut question = vec![0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in ["_imaps", "_tcp", "big", "test", ""] {
        question.push(u8::try_from(label.len()).unwrap());
        question.extend(label.bytes());
    }
    question.extend([0, 33, 0, 1]);
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(("127.0.0.1", port)).unwrap();
    socket.send(&question).unwrap();
    let mut answer = [0; 4096];
    socket.recv(&mut answer).unwrap();
    answer[2] & 2 != 0
}

/// No server does this, but what stands between may.
#[test]
fn a_resolver_that_cuts_its_answers_off_and_has_no_tcp_is_of_no_use() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let resolver = socket.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut bytes) {
            bytes[2] |= 0x82;
            let _ = socket.send_to(&bytes[..length], from);
        }
    });
    let home = Sandbox::new();
    home.parapost(["init", "--name", "A", "--address", "a@big.test", "--yes"])
        .args(["--untested", "--password-env", "P", "--resolver", &resolver])
        .status(2)
        .stderr_contains("nothing is to be learnt there: Connection refused")
        .run();
    assert!(home.contents().is_empty());
}

/// A server of another domain gets a password after a yes alone.
#[test]
#[ignore = "needs Dovecot, Postfix, dnsmasq, root"]
fn a_foreign_server_is_asked_about_before_a_password() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let dns = Dnsmasq::start(&[
        ("_imap._tcp.club.test", "localhost", dovecot.port, 0),
        ("_submission._tcp.club.test", "localhost", postfix.port, 0),
    ]);
    let home = home(&dovecot, &postfix);
    let resolver = format!("127.0.0.1:{}", dns.port);
    let init = || {
        let line = ["init", "--name", "White", "--address", "white@club.test"];
        let test = home.parapost(line).args(["--yes", "--force"]);
        let test = test.args(["--ca-file", "ca.pem", "--user", "white"]);
        Terminal::run(&test.args(["--role", "player", "--resolver", &resolver]))
    };
    // An empty line says no, and the servers are asked for.
    let mut terminal = init();
    terminal.answer("localhost: not below club.test", "");
    terminal.answer("read on", &format!("localhost:{}", dovecot.port));
    terminal.answer("sent through", &format!("localhost:{}", postfix.port));
    assert!(!dovecot.log().contains("Login") && !postfix.log().contains("ehlo="));
    terminal.answer_hidden("not shown", &password("white"));
    terminal.answer("Read the mail", "no");
    terminal.end();
    let mut terminal = init();
    terminal.answer("Are these your servers?", "yes");
    terminal.answer_hidden("not shown", &password("white"));
    terminal.answer("Read the mail", "no");
    let screen = terminal.end();
    assert!(!screen.contains("read on (HOST"), "{screen}");
    assert!(home.read(CONFIG).contains("host = \"localhost\""));
}

/// A terminal, as a person sits at it.
pub(crate) struct Terminal {
    child: Child,
    keyboard: ChildStdin,
    screen: Arc<Mutex<String>>,
    /// It ends when the terminal is shut, with all that was shown on the screen.
    reader: JoinHandle<()>,
    seen: usize,
}

impl Terminal {
    pub(crate) fn run(test: &Test) -> Terminal {
        let program = test.command();
        let words: Vec<String> = std::iter::once(program.get_program())
            .chain(program.get_args())
            .map(|word| format!("'{}'", word.to_str().unwrap()))
            .collect();
        let mut command = Command::new("script");
        command
            .args(["-qec", &words.join(" "), "/dev/null"])
            .env_clear();
        for (key, value) in program.get_envs() {
            command.env(key, value.unwrap());
        }
        let mut child = command
            .current_dir(program.get_current_dir().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script starts");
        let screen = Arc::new(Mutex::new(String::new()));
        let (mut output, shown) = (child.stdout.take().unwrap(), Arc::clone(&screen));
        let reader = thread::spawn(move || {
            let mut bytes = [0; 1024];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                shown
                    .lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        });
        Terminal {
            keyboard: child.stdin.take().unwrap(),
            child,
            screen,
            reader,
            seen: 0,
        }
    }

    /// Waits for a question and answers it.
    #[track_caller]
    pub(crate) fn answer(&mut self, question: &str, answer: &str) {
        let mut at = None;
        wait_until(|| {
            let screen = self.screen.lock().unwrap();
            at = screen[self.seen..].find(question);
            at.is_some()
        });
        let screen = self.screen.lock().unwrap().clone();
        let at = at.unwrap_or_else(|| panic!("no {question:?} in\n{screen}"));
        self.seen += at + question.len();
        writeln!(self.keyboard, "{answer}").unwrap();
    }

    /// Waits for the question of a password, and until the terminal shows nothing
    /// more of what is typed, and answers it.
    #[track_caller]
    pub(crate) fn answer_hidden(&mut self, question: &str, answer: &str) {
        let device = self.device();
        wait_until(|| {
            let screen = self.screen.lock().unwrap();
            screen[self.seen..].contains(question) && !echoes(&device)
        });
        self.answer(question, answer);
    }

    /// The terminal that the program runs at.
    fn device(&self) -> PathBuf {
        let parent = self.child.id();
        let children = format!("/proc/{parent}/task/{parent}/children");
        let mut device = None;
        wait_until(|| {
            let children = fs::read_to_string(&children).unwrap_or_default();
            let child = children.split_whitespace().next();
            device = child.and_then(|child| fs::read_link(format!("/proc/{child}/fd/0")).ok());
            device.is_some()
        });
        device.expect("script has started the program")
    }

    /// Waits for the end. Returns what the terminal was sent.
    pub(crate) fn end(self) -> String {
        self.end_with(0)
    }

    /// Waits for the end with this exit status.
    pub(crate) fn end_with(mut self, expected: i32) -> String {
        drop(self.keyboard);
        let status = self.child.wait().unwrap();
        self.reader.join().unwrap();
        let screen = self.screen.lock().unwrap().clone();
        assert_eq!(status.code(), Some(expected), "{screen}");
        screen
    }
}

/// Returns true if a terminal shows what is typed.
fn echoes(terminal: &Path) -> bool {
    let mut stty = Command::new("stty");
    let stty = stty.arg("-a").arg("-F").arg(terminal).output().unwrap();
    assert!(stty.status.success(), "{}: {stty:?}", terminal.display());
    let settings = String::from_utf8(stty.stdout).unwrap();
    settings.split_whitespace().any(|setting| setting == "echo")
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn on_a_terminal_it_asks() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let home = home(&dovecot, &postfix);
    let test = home
        .parapost([
            "init",
            "--ca-file",
            "ca.pem",
            "--user",
            "white",
            "--imap-tls",
            "tls",
        ])
        .args(["--imap", &format!("localhost:{}", dovecot.tls_port)])
        .args(["--resolver", &format!("127.0.0.1:{NOBODY}")]);
    let mut terminal = Terminal::run(&test);
    terminal.answer("Your name", "White");
    terminal.answer("Your address", "nonsense");
    terminal.answer("that is no mail address", "?");
    terminal.answer("that you play with", &address("white"));
    terminal.answer("player/referee", "");
    terminal.answer("sent through", &format!("localhost:{}", postfix.port));
    terminal.answer_hidden("not shown", "guesswork");
    terminal.answer("What now?", "password");
    terminal.answer_hidden("not shown", &password("white"));
    terminal.answer("Read the mail", "no");
    let screen = terminal.end();
    for secret in ["guesswork".to_owned(), password("white")] {
        assert!(!screen.contains(&secret), "{screen}");
    }
    let file = home.path(".config/parapost/password");
    assert_eq!(mode(&file), 0o600);
    assert_eq!(fs::read_to_string(file).unwrap(), password("white") + "\n");
    let config = home.read(CONFIG);
    assert!(config.contains("password_file = \"password\""), "{config}");
    assert!(!config.contains(&password("white")), "{config}");
    home.parapost(["doctor"]).any_stdout().run();
}

/// Servers that the arguments name can be wrong.
#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn other_servers_than_those_of_the_arguments_are_asked_for() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let home = home(&dovecot, &postfix);
    let test = home
        .parapost(["init", "--name", "White", "--address", &address("white")])
        .args(["--ca-file", "ca.pem", "--user", "white", "--role", "player"])
        .args(["--password-file", "secret"])
        .args(["--imap", &format!("localhost:{NOBODY}")])
        .args(["--smtp", &format!("localhost:{}", postfix.port)]);
    let mut terminal = Terminal::run(&test);
    terminal.answer("What now?", "servers");
    terminal.answer("read on", &format!("localhost:{}", dovecot.port));
    terminal.answer("sent through", &format!("localhost:{}", postfix.port));
    terminal.answer("Read the mail", "no");
    terminal.end();
    let config = home.read(CONFIG);
    assert!(
        config.contains(&format!("port = {}\n", dovecot.port)),
        "{config}"
    );
}
