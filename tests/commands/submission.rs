//! Mail through Postfix: encryption, logins, refusals, and connections that break.

use std::fs;
use std::path::Path;

use crate::servers::cutting_proxy::{CuttingProxy, Way};
use crate::servers::dovecot_auth::token;
use crate::servers::postfix::{Postfix, Wishes};
use crate::servers::wait_until;
use crate::support::Sandbox;
use crate::support::exim::{Exim, address, password};

/// The configuration of White, whose mail goes to a port.
pub(crate) fn config(port: u16, ca_file: &Path, more: &str) -> String {
    format!(
        "[me]\nname = \"White\"\naddress = \"{}\"\n[transport]\nkind = \"smtp\"\n\
         [smtp]\nhost = \"localhost\"\nport = {port}\nca_file = \"{}\"\n{more}\n",
        address("white"),
        ca_file.display()
    )
}

/// White's house.
pub(crate) fn house(config: &str) -> Sandbox {
    Sandbox::new()
        .dir("games")
        .file("white.toml", config)
        .secret("password", password("white") + "\n")
        .secret("wrong", "guesswork\n")
        .env("PARAPOST_CONFIG", "white.toml")
}

/// Begins a match with somebody, which owes one mail with a move.
pub(crate) fn begin(house: &Sandbox, id: &str, black: &str) {
    let white = format!("White <{}>", address("white"));
    let black = format!("Black <{black}>");
    house
        .parapost(["new", "--game", "unachess", "--invited", "--id", id])
        .args(["--white", &white, "--black", &black])
        .stdout(format!("{id}\n"))
        .run();
    house.parapost(["move", id, "P>e3"]).any_stderr().run();
}

pub(crate) const PASSWORD: &str = "user = \"white\"\npassword_file = \"password\"";

#[test]
#[ignore = "needs Postfix, root"]
fn postfix_takes_mail_with_a_password_and_with_a_token() {
    let postfix = Postfix::start();
    let ca = postfix.ca_file();
    for (count, port, more) in [
        (1, postfix.port, PASSWORD.to_owned()),
        (2, postfix.tls_port, format!("{PASSWORD}\ntls = \"tls\"")),
        (
            3,
            postfix.port,
            "user = \"white\"\ntoken_command = \"cat token\"".to_owned(),
        ),
        (
            4,
            postfix.port,
            "user = \"white\"\npassword_env = \"WHITES\"".to_owned(),
        ),
    ] {
        let house = house(&config(port, &ca, &more))
            .secret("token", token("white", 600) + "\n")
            .env("WHITES", password("white"));
        begin(&house, "m", &address("black"));
        house.parapost(["send"]).stderr("m: 1 mail sent\n").run();
        postfix.wait_for("black", count);
    }
    let log = postfix.log();
    for how in ["sasl_method=PLAIN", "sasl_method=XOAUTH2"] {
        assert!(log.contains(how), "{log}");
    }
    assert!(!log.contains("lost connection after MAIL"), "{log}");
}

#[test]
#[ignore = "needs Postfix, root"]
fn postfix_refuses_a_wrong_password_and_an_old_token() {
    let postfix = Postfix::start();
    let ca = postfix.ca_file();
    for more in [
        "user = \"white\"\npassword_file = \"wrong\"",
        "user = \"white\"\ntoken_file = \"token\"",
    ] {
        let old = token("white", -60);
        let house = house(&config(postfix.port, &ca, more)).secret("token", format!("{old}\n"));
        begin(&house, "m", &address("black"));
        let said = house
            .parapost(["send"])
            .status(1)
            .stderr_contains("has not taken the login")
            .stderr_contains("535")
            .run();
        assert!(!said.stderr.contains(&old) && !said.stderr.contains("guesswork"));
    }
    assert!(postfix.messages("black").is_empty());
}

/// The certificate is another host's.
#[test]
#[ignore = "needs Postfix, root"]
fn a_certificate_of_another_host_is_not_trusted() {
    let postfix = Postfix::with(&Wishes {
        host: "mail.example.org",
        ..Wishes::default()
    });
    for (port, tls) in [(postfix.port, "starttls"), (postfix.tls_port, "tls")] {
        let more = format!("{PASSWORD}\ntls = \"{tls}\"");
        let house = house(&config(port, &postfix.ca_file(), &more));
        begin(&house, "m", &address("black"));
        house
            .parapost(["send"])
            .status(1)
            .stderr_contains("certificate")
            .run();
    }
    assert!(!postfix.log().contains("sasl_method"));
}

#[test]
#[ignore = "needs Postfix, root"]
fn a_server_that_offers_no_starttls_gets_neither_mail_nor_password() {
    let postfix = Postfix::with(&Wishes {
        main: "smtpd_tls_security_level = none\nsmtpd_tls_auth_only = no".to_owned(),
        ..Wishes::default()
    });
    for more in ["", PASSWORD] {
        let house = house(&config(postfix.port, &postfix.ca_file(), more));
        begin(&house, "m", &address("black"));
        house
            .parapost(["send"])
            .status(1)
            .stderr_contains("STARTTLS is not supported")
            .run();
    }
    let log = postfix.log();
    assert!(!log.contains("auth=") && !log.contains("mail="), "{log}");
}

/// A recipient that is refused for good, one that is refused for now, and one that is
/// taken, in one connection.
#[test]
#[ignore = "needs Postfix, root"]
fn one_connection_takes_the_mails_of_all_matches_whatever_becomes_of_each() {
    let postfix = Postfix::with(&Wishes {
        main: "smtpd_recipient_restrictions = check_recipient_access \
               inline:{ { later@example.test = 450 4.2.0 come again } }"
            .to_owned(),
        ..Wishes::default()
    });
    let house = house(&config(postfix.port, &postfix.ca_file(), PASSWORD));
    for (id, to) in [
        ("a", "black"),
        ("b", "later"),
        ("c", "nobody"),
        ("d", "referee"),
    ] {
        begin(&house, id, &address(to));
    }
    let said = house
        .parapost(["send"])
        .status(75)
        .stderr_contains("a: 1 mail sent\n")
        .stderr_contains("d: 1 mail sent\n")
        .stderr_contains("come again")
        .stderr_contains("User unknown")
        .run();
    assert!(
        said.stderr.contains("b: 1 mail is still owed"),
        "{}",
        said.stderr
    );
    postfix.wait_for("black", 1);
    postfix.wait_for("referee", 1);
    let ended = || postfix.log().matches("ehlo=2 starttls=1").count();
    assert!(wait_until(|| ended() > 0));
    assert_eq!(ended(), 1, "{}", postfix.log());
    assert!(house.read("games/c.txt").contains(" failed Black "));
    house.parapost(["send"]).status(75).any_stderr().run();
    assert!(postfix.log().matches("come again").count() >= 2);
}

/// By default Postfix says what it has against a sender or a client only when a recipient is
/// named.
#[test]
#[ignore = "needs Postfix, root"]
fn a_refused_sender_is_no_word_about_the_recipients() {
    let postfix = Postfix::with(&Wishes {
        main: "smtpd_sender_restrictions = reject_authenticated_sender_login_mismatch\n\
               smtpd_sender_login_maps = inline:{ { white@example.test = black } }"
            .to_owned(),
        ..Wishes::default()
    });
    let by_login = house(&config(postfix.port, &postfix.ca_file(), PASSWORD));
    begin(&by_login, "m", &address("black"));
    // Without a login this server relays for nobody.
    let by_none = house(&config(postfix.port, &postfix.ca_file(), ""));
    begin(&by_none, "m", "ben@elsewhere.test");
    for (house, said) in [
        (&by_login, "Sender address rejected: not owned by user"),
        (&by_none, "Relay access denied"),
    ] {
        house
            .parapost(["send"])
            .status(1)
            .stderr_contains(said)
            .stderr_contains("m: 1 mail is still owed")
            .run();
        let log = house.read("games/m.txt");
        assert!(!log.contains(" failed "), "{log}");
    }
}

/// The number of connections that Exim has had.
fn connections(exim: &Exim) -> usize {
    exim.log().matches("(TCP/IP connection count").count()
}

/// Sends three mails, and waits until they have arrived.
fn send_three(exim: &Exim, more: &str) {
    let house = house(&config(exim.port, &exim.ca_file(), more));
    for id in ["a", "b", "c"] {
        begin(&house, id, &address("black"));
    }
    house
        .parapost(["send"])
        .stderr("a: 1 mail sent\nb: 1 mail sent\nc: 1 mail sent\n")
        .run();
    exim.wait_for("black", 3);
}

#[test]
#[ignore = "needs Exim"]
fn exim_takes_a_batch_in_one_connection_by_each_kind_of_login() {
    for (offered, more) in [
        ("PLAIN", PASSWORD),
        ("LOGIN", PASSWORD),
        ("XOAUTH2", "user = \"white\"\ntoken_file = \"password\""),
    ] {
        let exim = Exim::offering(offered, 1000);
        send_three(&exim, more);
        let log = exim.log();
        let name = format!("A={}:white", offered.to_lowercase());
        assert_eq!(log.matches(&name).count(), 3, "{log}");
        assert_eq!(connections(&exim), 1, "{log}");
    }
}

/// Exim answers 421 to the sender of one mail more, and closes the connection.
#[test]
#[ignore = "needs Exim"]
fn a_server_that_has_enough_of_a_connection_gets_the_rest_in_another() {
    let exim = Exim::offering("PLAIN", 2);
    send_three(&exim, PASSWORD);
    assert_eq!(connections(&exim), 2, "{}", exim.log());
}

/// What is sent in this process is known by its Message-ID.
fn ids(house: &Sandbox, id: &str) -> Vec<String> {
    let log = house.read(format!("games/{id}.txt"));
    let owed = log.lines().filter(|line| line.contains(" owed "));
    let ids = owed.filter_map(|line| line.split_once(" msg=")?.1.split(' ').next());
    ids.map(ToOwned::to_owned).collect()
}

/// Each run sends three mails, the first connection is cut, and the mails are sent until
/// none is owed. With `PARAPOST_EVERY_BYTE` set, it is cut after every byte.
#[test]
#[ignore = "needs Exim"]
fn however_a_connection_breaks_no_mail_is_lost_or_sent_under_another_id() {
    let exim = Exim::start();
    let proxy = CuttingProxy::start(exim.port);
    let house = house(&config(proxy.port, &exim.ca_file(), PASSWORD));
    let mut expected: Vec<String> = Vec::new();
    let mut run = |id: String, cut: Option<(Way, usize)>| {
        for part in ["a", "b", "c"] {
            begin(&house, &format!("{id}{part}"), &address("black"));
        }
        if let Some((way, bytes)) = cut {
            proxy.cut_next(way, bytes);
        }
        let is_done = (0..4).any(|_| {
            let send = house.parapost(["send"]).any_stderr();
            send.command().output().unwrap().status.success()
        });
        assert!(is_done, "{cut:?}");
        for part in ["a", "b", "c"] {
            let id = format!("{id}{part}");
            let log = house.read(format!("games/{id}.txt"));
            assert_eq!(log.matches(" sent ").count(), 1, "{cut:?}\n{log}");
            assert_eq!(log.matches(" owed ").count(), 1, "{cut:?}\n{log}");
            expected.extend(ids(&house, &id));
            fs::remove_file(house.path(format!("games/{id}.txt"))).unwrap();
        }
    };
    run("n".to_owned(), None);
    let whole = Way::ALL.map(|way| proxy.passed(way));
    for (way, whole) in Way::ALL.into_iter().zip(whole) {
        let step = if std::env::var_os("PARAPOST_EVERY_BYTE").is_some() {
            1
        } else {
            whole / 8 + 1
        };
        for bytes in (1..whole).step_by(step) {
            run(format!("x{}n{bytes}", way as usize), Some((way, bytes)));
        }
    }
    let arrived = || {
        let texts = exim.messages("black").into_iter();
        let texts = texts.map(|path| fs::read_to_string(path).unwrap());
        let id = |text: String| {
            let (_, rest) = text.split_once("\nMessage-ID: ").unwrap();
            rest.lines().next().unwrap().to_owned()
        };
        let mut ids: Vec<String> = texts.map(id).collect();
        ids.sort();
        ids.dedup();
        ids
    };
    expected.sort();
    wait_until(|| arrived().len() >= expected.len());
    assert_eq!(arrived(), expected);
}
