//! `parapost doctor` against real servers with real faults.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use crate::commands::submission::begin;
use crate::durability::shim::Fault;
use crate::servers::dovecot::Dovecot;
use crate::servers::dovecot_auth::{base64, token};
use crate::servers::postfix::{Postfix, Wishes};
use crate::servers::{Owner, Unanswered, certify, expire, free_ports};
use crate::support::Sandbox;
use crate::support::exim::{address, password};

/// White's section `[me]`.
fn me() -> String {
    format!(
        "[me]\nname = \"White\"\naddress = \"{}\"\n",
        address("white")
    )
}

/// The section of White's mailbox, with further lines.
fn imap(dovecot: &Dovecot, port: u16, more: &str) -> String {
    format!(
        "[imap]\nhost = \"localhost\"\nport = {port}\nca_file = \"{}\"\nuser = \"white\"\n{more}\n",
        dovecot.ca_file().display()
    )
}

/// The sections of White's way to send mail, with further lines.
fn smtp(postfix: &Postfix, port: u16, more: &str) -> String {
    format!(
        "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"localhost\"\nport = {port}\n\
         ca_file = \"{}\"\nuser = \"white\"\n{more}\n",
        postfix.ca_file().display()
    )
}

const PASSWORD: &str = "password_file = \"password\"";

fn house(config: &str) -> Sandbox {
    Sandbox::new()
        .dir("games")
        .file("config.toml", me() + config)
        .secret("password", password("white") + "\n")
        .secret("wrong", "guesswork\n")
        .env("PARAPOST_CONFIG", "config.toml")
}

/// Runs `doctor`, which finds something wrong or not. Returns its list.
#[track_caller]
fn doctor(house: &Sandbox, status: i32) -> String {
    let run = house.parapost(["doctor"]).status(status).any_stdout();
    let run = run.any_stderr().run();
    for secret in [password("white"), "guesswork".to_owned()] {
        for form in [base64(secret.as_bytes(), false), secret] {
            let said = [run.stdout.as_str(), &run.stderr];
            assert!(said.iter().all(|said| !said.contains(&form)), "{said:?}");
        }
    }
    let words = ["ok     ", "note   ", "wrong  "];
    for line in run.stdout.lines() {
        assert!(words.iter().any(|word| line.starts_with(word)), "{line}");
        let is_mended = !line.starts_with("wrong") || line.contains("; ");
        assert!(is_mended, "nothing is said of what to do: {line}");
    }
    run.stdout
}

/// Runs `doctor`, which finds just this wrong.
#[track_caller]
fn finds(house: &Sandbox, expected: &[&str]) {
    let list = doctor(house, 1);
    let wrong: Vec<&str> = list
        .lines()
        .filter(|line| line.starts_with("wrong"))
        .collect();
    assert_eq!(wrong.len(), 1, "{list}");
    for expected in expected {
        assert!(wrong[0].contains(expected), "{expected:?}:\n{list}");
    }
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn where_all_is_well_nothing_is_changed() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let config = imap(&dovecot, dovecot.tls_port, PASSWORD)
        + &smtp(&postfix, postfix.port, "token_command = \"cat token\"");
    let house = house(&config).secret("token", token("white", 600) + "\n");
    dovecot.make("white", "Junk");
    dovecot.deliver(
        "white",
        "Junk",
        "",
        "From: shop@spam.test\nSubject: buy\n\nNow.\n",
    );
    begin(&house, "m", &address("black"));
    let before = house.contents();
    let list = doctor(&house, 0);
    for expected in [
        "ok     configuration config.toml: White <white@example.test>, a player\n",
        "ok     games folder games: it can be written and locked\n",
        "ok     matches: one, not damaged\n",
        "note   mail of match m: one mail owed; 'parapost send' sends it\n",
        ": 'white' is logged in\n",
        "ok     folder 'INBOX': 0 messages\n",
        "ok     unwanted mail: nothing about a match in 'Junk'\n",
        ": 'white' is logged in, and may send\n",
        "ok     clock: ",
    ] {
        assert!(list.contains(expected), "{expected:?}:\n{list}");
    }
    assert!(!list.contains(&token("white", 600)[..40]), "{list}");
    assert_eq!(house.contents(), before);
    let said = dovecot.said("white", true).to_uppercase();
    for word in [" SELECT", " STORE", " COPY", " MOVE", " APPEND", "EXPUNGE"] {
        assert!(!said.contains(word), "{said}");
    }
}

#[test]
fn without_a_server_only_what_is_local_is_checked() {
    let house = house("");
    let list = doctor(&house, 0);
    assert!(list.contains("note   outbox games/outbox: "), "{list}");
    let nobody = Sandbox::new();
    let list = doctor(&nobody, 1);
    assert!(list.contains("it does not say who you are; "), "{list}");
    assert!(list.contains("'parapost init'"), "{list}");
    let broken = house.file("config.toml", "[me");
    let list = doctor(&broken, 1);
    assert!(
        list.contains("wrong  configuration: config.toml: "),
        "{list}"
    );
    assert!(list.contains("ok     games folder"), "{list}");
}

/// Once a minute nobody wants a login on a mail server, nor each match read.
#[test]
fn a_quick_look_talks_to_nobody() {
    let silent = Unanswered::start();
    let config = format!(
        "[imap]\nhost = \"localhost\"\nport = {}\nuser = \"white\"\n{PASSWORD}\n",
        silent.port
    );
    let house = house(&config)
        .file("games/m.txt", "no match\n")
        .env("PARAPOST_GAMES", "games");
    let quick = |house: &Sandbox, status| {
        let run = house.parapost(["doctor", "--quick"]).status(status);
        run.any_stdout().run().stdout
    };
    let list = quick(&house, 0);
    assert_eq!(list.lines().count(), 3, "{list}");
    assert!(list.contains("ok     games folder games: "), "{list}");
    let broken = house.file("config.toml", "[me");
    assert!(quick(&broken, 1).contains("wrong  configuration: "));
    let gone = broken.env("PARAPOST_GAMES", "gone");
    assert!(quick(&gone, 1).contains("there is no such folder"));
}

#[test]
#[ignore = "needs Dovecot"]
fn a_server_that_cannot_be_reached_is_named_with_the_reason() {
    let dovecot = Dovecot::start("");
    let [port] = free_ports();
    finds(
        &house(&imap(&dovecot, port, PASSWORD)),
        &["the connection is refused", "check port in [imap]"],
    );
    let nowhere =
        imap(&dovecot, port, PASSWORD).replace("\"localhost\"", "\"no-such-host.invalid\"");
    finds(&house(&nowhere), &["no address is found"]);
    let clear = imap(&dovecot, dovecot.port, PASSWORD);
    finds(
        &house(&clear),
        &["it does not begin with TLS", "\"starttls\""],
    );
    // Both wait for the other to begin.
    let late = format!("{PASSWORD}\ntls = \"starttls\"");
    finds(
        &house(&imap(&dovecot, dovecot.tls_port, &late)),
        &["it has not answered within 10 seconds", "tls in [imap]"],
    );
    assert_eq!(dovecot.said("white", true), "");
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_certificate_that_is_not_trusted_is_named_with_the_reason() {
    let dovecot = Dovecot::start("");
    let config = imap(&dovecot, dovecot.tls_port, PASSWORD);
    let alone: Vec<&str> = config
        .lines()
        .filter(|line| !line.starts_with("ca_file"))
        .collect();
    finds(
        &house(&alone.join("\n")),
        &["its certificate is not trusted", "ca_file in [imap]"],
    );
    let postfix = Postfix::with(&Wishes {
        host: "mail.example.org",
        ..Wishes::default()
    });
    finds(
        &house(&smtp(&postfix, postfix.port, PASSWORD)),
        &["its certificate is for another name", "mail.example.org"],
    );
    assert!(!postfix.log().contains("sasl_"));
    assert_eq!(dovecot.said("white", true), "");
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_certificate_that_has_expired_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    certify(folder.path());
    expire(folder.path());
    Owner::of(folder.path()).take(folder.path());
    let here = folder.path().display();
    let dovecot = Dovecot::start(&format!(
        "ssl_cert = <{here}/expired.pem\nssl_key = <{here}/server.key"
    ));
    let postfix = Postfix::with(&Wishes {
        main: format!(
            "smtpd_tls_cert_file = {here}/expired.pem\nsmtpd_tls_key_file = {here}/server.key\n"
        ),
        ..Wishes::default()
    });
    let ours = |config: String, theirs: PathBuf| {
        let theirs = theirs.display().to_string();
        house(&config.replace(&theirs, &format!("{here}/ca.pem")))
    };
    let reading = ours(
        imap(&dovecot, dovecot.tls_port, PASSWORD),
        dovecot.ca_file(),
    );
    let sending = ours(smtp(&postfix, postfix.port, PASSWORD), postfix.ca_file());
    begin(&sending, "m", &address("black"));
    for (house, command) in [(&reading, "fetch"), (&sending, "send")] {
        finds(house, &["its certificate has expired", "has to renew it"]);
        house
            .parapost([command])
            .status(1)
            .stderr_contains("expired")
            .run();
    }
    assert_eq!(dovecot.said("white", true), "");
    assert!(!postfix.log().contains("sasl_"), "{}", postfix.log());
}

/// The limits of `fetch` and `send` are longer, and no test waits for them.
#[test]
#[ignore = "takes long"]
fn a_server_that_never_answers_is_named() {
    let silent = Unanswered::start();
    let config = format!(
        "[imap]\nhost = \"localhost\"\nport = {}\nuser = \"white\"\n{PASSWORD}\n",
        silent.port
    );
    let begun = Instant::now();
    finds(
        &house(&config),
        &[
            "localhost",
            "no answer within 10 seconds",
            "check host and port in [imap]",
        ],
    );
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_server_without_tls_gets_no_password() {
    let dovecot = Dovecot::start("ssl = no");
    let config = format!("{PASSWORD}\ntls = \"starttls\"");
    finds(
        &house(&imap(&dovecot, dovecot.port, &config)),
        &["it does not offer STARTTLS"],
    );
    let postfix = Postfix::with(&Wishes {
        main: "smtpd_tls_security_level = none".to_owned(),
        ..Wishes::default()
    });
    finds(
        &house(&smtp(&postfix, postfix.port, PASSWORD)),
        &["STARTTLS is not supported"],
    );
    assert_eq!(dovecot.said("white", true), "");
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_refused_password_is_named() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let wrong = "password_file = \"wrong\"";
    finds(
        &house(&imap(&dovecot, dovecot.tls_port, wrong)),
        &["does not accept the password of 'white'", "app password"],
    );
    finds(
        &house(&smtp(&postfix, postfix.port, wrong)),
        &["has not taken the login", "check user and password"],
    );
    let old = house(&imap(&dovecot, dovecot.tls_port, "token_file = \"token\""));
    let old = old.secret("token", token("white", -60) + "\n");
    finds(&old, &["does not accept the token", "a fresh one"]);
    let missing = house(&imap(
        &dovecot,
        dovecot.tls_port,
        "password_file = \"none\"",
    ));
    finds(&missing, &["password for localhost", "none"]);
}

#[test]
#[ignore = "needs Dovecot"]
fn a_missing_folder_is_named_and_those_that_there_are() {
    let dovecot = Dovecot::start("");
    dovecot.make("white", "Spiele");
    let config = format!("{PASSWORD}\nfolder = \"Games\"");
    finds(
        &house(&imap(&dovecot, dovecot.tls_port, &config)),
        &["folder 'Games'", "'Spiele'", "'INBOX'", "correct folder"],
    );
    let config = format!("{PASSWORD}\nafter = \"move\"\nmove_to = \"Done\"");
    finds(
        &house(&imap(&dovecot, dovecot.tls_port, &config)),
        &["folder 'Done'", "'Spiele'", "correct move_to"],
    );
}

#[test]
#[ignore = "needs Dovecot"]
fn a_full_mailbox_is_named() {
    let dovecot = Dovecot::start("");
    dovecot.set_quota(3);
    let house = house(&imap(&dovecot, dovecot.tls_port, PASSWORD));
    dovecot.deliver("white", "INBOX", "", "Subject: one\n\nOne.\n");
    dovecot.deliver("white", "INBOX", "", "Subject: two\n\nTwo.\n");
    let list = doctor(&house, 0);
    assert!(list.contains("ok     quota: 2 of 3 messages\n"), "{list}");
    dovecot.set_quota(2);
    finds(
        &house,
        &["the mailbox is full: 2 of 2 messages", "delete mail"],
    );
}

#[test]
#[ignore = "needs Dovecot"]
fn mail_of_players_in_the_junk_folder_is_found() {
    let dovecot = Dovecot::start("");
    let house = house(&imap(&dovecot, dovecot.tls_port, PASSWORD));
    begin(&house, "m", &address("black"));
    dovecot.make("white", "Spam");
    let spam = "From: shop@spam.test\nSubject: buy\n\nNow.\n";
    let move_ = "From: black@example.test\nSubject: hello\n\nn>g5\n";
    let other = "From: somebody@else.test\nSubject: Re: [m] Unachess\n\nn>g5\n";
    for message in [spam, move_, other] {
        dovecot.deliver("white", "Spam", "", message);
    }
    let before = dovecot.names("white", "Spam");
    finds(&house, &["folder 'Spam'", "2 mails of players", "'INBOX'"]);
    assert_eq!(dovecot.names("white", "Spam"), before);
}

#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn a_clock_that_goes_wrong_is_found() {
    let ago = SystemTime::now() - Duration::from_hours(2);
    let ago = chrono::DateTime::<chrono::Utc>::from(ago);
    let dovecot = Dovecot::start("");
    dovecot.deliver("white", "INBOX", "", "Subject: one\n\nOne.\n");
    let late =
        house(&imap(&dovecot, dovecot.tls_port, PASSWORD)).env("PARAPOST_NOW", ago.to_rfc3339());
    finds(&late, &["clock", "the arrival of the newest mail"]);
    let postfix = Postfix::with(&Wishes {
        main: format!("smtpd_banner = mx ESMTP {}", ago.to_rfc2822()),
        ..Wishes::default()
    });
    let early = house(&smtp(&postfix, postfix.port, PASSWORD));
    finds(&early, &["clock", "localhost says"]);
    let before = house("");
    begin(&before, "m", &address("black"));
    finds(
        &before.env("PARAPOST_NOW", ago.to_rfc3339()),
        &["clock", "the latest event of match m"],
    );
}

#[test]
fn a_games_folder_that_cannot_be_written_or_locked_is_found() {
    // Not even root can make a file there.
    let house = house("").env("PARAPOST_GAMES", "/proc/games");
    let list = doctor(&house, 1);
    assert!(
        list.contains("wrong  games folder /proc/games: it cannot be written"),
        "{list}"
    );
    for error in [95, 37] {
        let house = self::house("");
        let mut command = house.parapost(["doctor"]).command();
        Fault::Locks(error).prepare(&mut command, &house.path("trace"));
        let run = command.stdin(Stdio::null()).output().unwrap();
        let list = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(1), "{list}");
        assert!(list.contains("files in it cannot be locked"), "{list}");
    }
}

#[test]
#[ignore = "needs Postfix, root"]
fn damage_and_mail_that_has_not_arrived_are_found() {
    let postfix = Postfix::start();
    let house = house(&smtp(&postfix, postfix.port, PASSWORD));
    begin(&house, "m", &address("black"));
    begin(&house, "r", &address("nobody"));
    house.parapost(["send", "r"]).status(1).any_stderr().run();
    finds(
        &house,
        &[
            "mail of match r: one mail refused for good",
            "parapost mail",
        ],
    );
    let list = doctor(&house, 1);
    assert!(
        list.contains("note   mail of match m: one mail owed"),
        "{list}"
    );
    house
        .parapost(["mail", "drop", "r"])
        .any_stdout()
        .any_stderr()
        .run();
    let text = house.read("games/m.txt");
    house.write("games/m.txt", &text[..text.len() - 40]);
    finds(&house, &["match m: ", "'parapost repair m'"]);
}

/// No argument of any process that `doctor` starts has the password or the token, and
/// nothing that it says with a log asked for.
#[test]
#[ignore = "needs Dovecot, Postfix, root"]
fn no_argument_of_a_process_has_a_secret() {
    let (dovecot, postfix) = (Dovecot::start(""), Postfix::start());
    let config = imap(
        &dovecot,
        dovecot.tls_port,
        "password_command = \"cat password\"",
    ) + &smtp(&postfix, postfix.port, "token_command = \"cat token\"");
    let token = token("white", 600);
    let house = house(&config).secret("token", token.clone() + "\n");
    let mut child = house
        .parapost(["doctor"])
        .command()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let own = std::process::id().to_string();
    let mut seen = 0;
    while child.try_wait().unwrap().is_none() {
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            let is_process = name.bytes().all(|byte| byte.is_ascii_digit());
            // Other tests that run now write passwords into arguments.
            let place = fs::read_link(entry.path().join("cwd"));
            let is_ours = place.is_ok_and(|place| place == house.folder());
            if !is_process || !is_ours || name == own {
                continue;
            }
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            seen += usize::from(line.contains("doctor"));
            for secret in [password("white"), token.clone()] {
                let form = base64(secret.as_bytes(), false);
                assert!(!line.contains(&secret) && !line.contains(&form), "{line}");
            }
        }
    }
    assert!(seen > 0, "the process was never looked at");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains(&password("white")) && !said.contains(&token));
}
