//! Servers that repeat the password that they received, in every likely encoding.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::thread;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

use crate::servers::certify;
use crate::servers::dovecot_auth::base64;
use crate::support::{Sandbox, Test};

const SECRET: &str = "Zauberw0rt +7/x";

fn hex(text: &str) -> String {
    text.bytes()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn percent(text: &str) -> String {
    text.bytes()
        .fold(String::new(), |text, byte| text + &format!("%{byte:02X}"))
}

fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// The encodings of a text.
fn codings(text: &str) -> Vec<String> {
    let within = |before: &str| base64(format!("{before}{text}\u{1}").as_bytes(), false);
    vec![
        text.to_owned(),
        text.to_uppercase(),
        reversed(text),
        base64(text.as_bytes(), false),
        base64(format!("\0white\0{text}").as_bytes(), false),
        within("a"),
        within("ab"),
        hex(text),
        hex(text).to_uppercase(),
        percent(text),
        text.replace(' ', "%20")
            .replace('+', "%2b")
            .replace('/', "%2F"),
    ]
}

/// What a server says: each encoding between two words.
fn repeated() -> String {
    let mut said = "word".to_owned();
    for (number, coding) in codings(SECRET).iter().enumerate() {
        said = said + " " + coding + &format!(" w{number}");
    }
    said
}

/// The part of each encoding that identifies it, in small letters.
fn traces() -> Vec<String> {
    let core = &SECRET.to_lowercase()[..10];
    let mut traces = vec![core.to_owned(), reversed(core), hex(core), percent(core)];
    traces.push(hex(&SECRET[..10]));
    for before in ["", "a", "ab"] {
        let base64 = base64(format!("{before}{SECRET}").as_bytes(), false);
        traces.push(base64[4..16].to_lowercase());
    }
    traces
}

/// Checks that nothing in the house has the secret. The output to a person must have the words
/// between the encodings, and so must the file of the match if `is_in_file`.
fn check(house: &Sandbox, told: &str, is_in_file: bool, what: &str) {
    let is_without = |text: &str, place: &str| {
        let small = text.to_lowercase();
        for trace in traces() {
            assert!(
                !small.contains(&trace),
                "{what}: {place} has {trace}:\n{text}"
            );
        }
    };
    let has_rest =
        |text: &str| (0..codings(SECRET).len()).all(|number| text.contains(&format!("w{number}")));
    is_without(told, "what is said");
    assert!(has_rest(told), "{what}: {told}");
    for (path, bytes) in house.contents() {
        if path.ends_with("password") {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        is_without(&text, &path.display().to_string());
        if is_in_file && path.ends_with("games/m.txt") {
            assert!(has_rest(&text), "{what}: {text}");
        }
    }
}

/// Runs a command with a log, with any exit status. Returns all of its output.
fn said(test: Test) -> String {
    let test = test.args(["--verbose"]);
    let run = test.command().stdin(Stdio::null()).output().unwrap();
    let said = [run.stdout, run.stderr].map(|said| String::from_utf8(said).unwrap());
    said.concat()
}

/// A server with TLS whose client sends lines.
struct Server {
    port: u16,
    folder: TempDir,
}

impl Server {
    /// `answer` gets each line, but only the final dot of a text.
    fn start(greeting: &'static str, answer: impl Fn(&str) -> String + Send + 'static) -> Server {
        let folder = tempfile::tempdir().unwrap();
        certify(folder.path());
        let certificates = CertificateDer::pem_file_iter(folder.path().join("server.pem"));
        let key = PrivateKeyDer::from_pem_file(folder.path().join("server.key")).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(certificates.unwrap().map(Result::unwrap).collect(), key)
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let server = ServerConnection::new(Arc::clone(&config)).unwrap();
                // The client may hang up at any time.
                let _ = converse(StreamOwned::new(server, stream), greeting, &answer);
            }
        });
        Server { port, folder }
    }

    /// A house with a match in which a mail or an article is owed to this server.
    fn house(&self, sections: &str) -> Sandbox {
        let server = format!(
            "host = \"localhost\"\nport = {}\ntls = \"tls\"\nca_file = \"{}\"\nuser = \"white\"\npassword_file = \"password\"\n",
            self.port,
            self.folder.path().join("ca.pem").display(),
        );
        let sections = sections.replace("SERVER\n", &server);
        let me = "[me]\nname = \"White\"\naddress = \"white@example.test\"\n";
        let house = Sandbox::new()
            .dir("games")
            .file("config.toml", format!("{me}{sections}"))
            .secret("password", format!("{SECRET}\n"))
            .env("PARAPOST_CONFIG", "config.toml")
            .env("PARAPOST_WAIT", "0");
        house
            .parapost(["new", "--game", "unachess", "--id", "m", "--invited"])
            .args(["--white", "White <white@example.test>"])
            .args(["--black", "Black <black@example.test>"])
            .stdout("m\n")
            .run();
        house.parapost(["move", "m", "P>e3"]).any_stderr().run();
        house
    }
}

fn converse(
    stream: StreamOwned<ServerConnection, TcpStream>,
    greeting: &str,
    answer: &dyn Fn(&str) -> String,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.get_mut().write_all(greeting.as_bytes())?;
    let mut line = String::new();
    let mut is_text = false;
    while stream.read_line(&mut line)? > 0 {
        let command = line.trim_end();
        if !is_text || command == "." {
            let said = answer(command);
            is_text = said.starts_with("354") || said.starts_with("340");
            stream.get_mut().write_all(said.as_bytes())?;
        }
        line.clear();
    }
    Ok(())
}

#[test]
#[ignore = "needs openssl"]
fn a_mail_server_that_repeats_the_password_gets_it_written_nowhere() {
    for (at, code) in [
        ("RCPT", 550),
        ("RCPT", 451),
        (".", 554),
        (".", 452),
        ("MAIL", 550),
        ("DATA", 554),
        ("AUTH", 535),
    ] {
        let server = Server::start("220 here\r\n", move |line| {
            let word = line.split(' ').next().unwrap_or_default();
            if word == at {
                return format!("{code}-first\r\n{code} {}\r\n", repeated());
            }
            let usual = match word {
                "EHLO" => "250-here\r\n250 AUTH PLAIN",
                "AUTH" => "235 in",
                "DATA" => "354 go on",
                _ => "250 ok",
            };
            format!("{usual}\r\n")
        });
        let house = server.house("[transport]\nkind = \"smtp\"\n[smtp]\nSERVER\n");
        let told = said(house.parapost(["send"]));
        let is_failed = matches!((at, code), ("RCPT", 550) | (".", 554));
        let what = format!("{at} {code}");
        check(&house, &told, is_failed, &what);
        if is_failed {
            check(
                &house,
                &said(house.parapost(["mail", "list", "m"])),
                true,
                &what,
            );
        }
    }
}

#[test]
#[ignore = "needs openssl"]
fn a_news_server_that_repeats_the_password_gets_it_written_nowhere() {
    for (at, code) in [(".", 441), ("POST", 440), ("PASS", 481)] {
        let server = Server::start("200 here\r\n", move |line| {
            let words: Vec<&str> = line.split(' ').collect();
            if words.contains(&at) {
                return format!("{code} {}\r\n", repeated());
            }
            let usual = match words.as_slice() {
                ["CAPABILITIES"] => {
                    "101 these\r\nVERSION 2\r\nREADER\r\nPOST\r\nAUTHINFO USER\r\n."
                }
                ["AUTHINFO", "USER", _] => "381 more",
                ["AUTHINFO", "PASS", ..] => "281 in",
                ["POST"] => "340 go on",
                ["STAT", _] => "430 none",
                ["LIST", ..] => "503 no",
                _ => "200 ok",
            };
            format!("{usual}\r\n")
        });
        let news = "[news]\nSERVER\nfrom = \"White <white@example.invalid>\"\ngroup = \"rec.games.abstract\"\n";
        let house = server.house(news);
        let told = said(house.parapost(["news", "post", "m", "--yes"]));
        check(&house, &told, at == ".", at);
    }
}

#[test]
#[ignore = "needs openssl"]
fn a_mailbox_that_repeats_the_password_gets_it_written_nowhere() {
    for at in ["AUTHENTICATE", "EXAMINE", "UID"] {
        for word in ["NO", "BAD", "NO [SERVERBUG]", "* BYE"] {
            let server = Server::start("* OK here\r\n", move |line| {
                let (tag, command) = line.split_once(' ').unwrap_or_default();
                let tag = if word == "* BYE" { "" } else { tag };
                if command.starts_with(at) {
                    return format!("{tag} {word} {}\r\n", repeated())
                        .trim_start()
                        .to_owned();
                }
                let before = match command.split(' ').next() {
                    Some("CAPABILITY") => "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN\r\n",
                    Some("EXAMINE") => {
                        "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\n"
                    }
                    _ => "",
                };
                format!("{before}{} OK done\r\n", line.split(' ').next().unwrap())
            });
            let house = server.house("[imap]\nSERVER\n");
            check(
                &house,
                &said(house.parapost(["fetch"])),
                false,
                &format!("{at} {word}"),
            );
        }
    }
}

/// A database server without TLS on this machine, which asks for the password as it is.
#[cfg(feature = "postgres")]
mod database {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use super::{SECRET, check, repeated, said};
    use crate::support::Sandbox;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len() + 4).unwrap();
        [&[kind], &length.to_be_bytes()[..], body].concat()
    }

    fn error(severity: &str, code: &str) -> Vec<u8> {
        let said = repeated();
        let fields = format!("S{severity}\0V{severity}\0C{code}\0M{said}\0\0");
        message(b'E', fields.as_bytes())
    }

    #[test]
    fn a_database_that_repeats_the_password_gets_it_written_nowhere() {
        for (is_let_in, severity, code) in [
            (false, "FATAL", "28P01"),
            (false, "FATAL", "53300"),
            (true, "ERROR", "XX000"),
            (true, "FATAL", "57P01"),
        ] {
            let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            thread::spawn(move || {
                for mut stream in listener.incoming().map_while(Result::ok) {
                    thread::spawn(move || {
                        let mut buffer = [0; 4096];
                        // The beginning, the password, and the first statement.
                        let _ = stream.read(&mut buffer);
                        let _ = stream.write_all(&message(b'R', &3_u32.to_be_bytes()));
                        let _ = stream.read(&mut buffer);
                        if is_let_in {
                            let ready = [message(b'R', &0_u32.to_be_bytes()), message(b'Z', b"I")];
                            let _ = stream.write_all(&ready.concat());
                            let _ = stream.read(&mut buffer);
                        }
                        let ready = message(b'Z', b"I");
                        let said = [error(severity, code), ready].concat();
                        let _ = stream.write_all(&said);
                        let _ = stream.read(&mut buffer);
                    });
                }
            });
            let config = format!(
                "[store]\nkind = \"postgres\"\nhosts = [\"127.0.0.1:{port}\"]\ndatabase = \"club\"\nuser = \"white\"\npassword_file = \"password\"\ntls = \"none\"\n"
            );
            let house = Sandbox::new()
                .file("config.toml", config)
                .secret("password", format!("{SECRET}\n"))
                .env("PARAPOST_CONFIG", "config.toml")
                .env("PARAPOST_WAIT", "0");
            check(&house, &said(house.parapost(["list"])), false, code);
        }
    }
}
