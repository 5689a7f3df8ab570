//! Mail through a real mail server, with TLS and a password.

use std::fs;

use mail_parser::MessageParser;

use crate::support::Sandbox;
use crate::support::exim::{Exim, address, password};

/// White's house, where a move is made and its mail owed.
fn white(exim: &Exim, tls: &str, more: &str) -> Sandbox {
    let port = if tls == "tls" {
        exim.tls_port
    } else {
        exim.port
    };
    let config = format!(
        "[me]\nname = \"Änne White\"\naddress = \"{}\"\n\
         [transport]\nkind = \"smtp\"\n\
         [smtp]\nhost = \"localhost\"\nport = {port}\ntls = \"{tls}\"\nuser = \"white\"\n{more}\n",
        address("white"),
    );
    let house = Sandbox::new()
        .dir("games")
        .file("white.toml", config)
        .secret("password", password("white") + "\n")
        .secret("wrong", "guesswork\n")
        .env("PARAPOST_CONFIG", "white.toml");
    let (white, black) = (address("white"), address("black"));
    let (white, black) = (format!("Änne White <{white}>"), format!("Black <{black}>"));
    let line = [
        "new",
        "--game",
        "unachess",
        "--id",
        "demo",
        "--invited",
        "--white",
        &white,
        "--black",
        &black,
    ];
    house.parapost(line).stdout("demo\n").run();
    house.parapost(["move", "demo", "P>e3"]).any_stderr().run();
    house
}

fn ca(exim: &Exim) -> String {
    format!("ca_file = \"{}\"", exim.ca_file().display())
}

#[test]
#[ignore = "needs Exim"]
fn mail_goes_by_starttls_and_by_tls_with_a_password() {
    let exim = Exim::start();
    for (count, tls, secret) in [
        (1, "starttls", "password_file = \"password\"".to_owned()),
        (
            2,
            "tls",
            format!("password_command = \"echo '{}'\"", password("white")),
        ),
        (
            3,
            "tls",
            format!("password_command = [\"echo\", \"{}\"]", password("white")),
        ),
    ] {
        let house = white(&exim, tls, &format!("{secret}\n{}", ca(&exim)));
        house.parapost(["send"]).stderr("demo: 1 mail sent\n").run();
        let arrived = exim.wait_for("black", count);
        let bytes = fs::read(arrived.last().unwrap()).unwrap();
        let read = MessageParser::default().parse(&bytes).unwrap();
        let subject = read.subject().unwrap();
        assert!(subject.starts_with("[demo] Unachess: "), "{subject}");
        assert_eq!(
            read.from().unwrap().first().unwrap().name(),
            Some("Änne White")
        );
        let body = read.body_text(0).unwrap();
        assert!(
            body.contains("Änne White (White) has played 1. P>e3."),
            "{body}"
        );
        assert!(body.contains("\n- - - - P - - -\n"), "{body}");
    }
}

#[test]
#[ignore = "needs Exim"]
fn a_wrong_password_and_a_server_nobody_vouches_for_are_refused_for_good() {
    let exim = Exim::start();
    let wrong = "password_file = \"wrong\"";
    let right = "password_file = \"password\"";
    for (tls, more, why) in [
        ("starttls", format!("{wrong}\n{}", ca(&exim)), "535"),
        ("tls", format!("{wrong}\n{}", ca(&exim)), "535"),
        ("starttls", right.to_owned(), "certificate"),
        ("tls", right.to_owned(), "certificate"),
        (
            "tls",
            format!("{right}\nca_file = \"password\""),
            "no certificate in PEM form",
        ),
        (
            "tls",
            format!("password_command = \"exit 3\"\n{}", ca(&exim)),
            "password_command has failed",
        ),
        (
            "tls",
            format!("password_file = \"none\"\n{}", ca(&exim)),
            "none",
        ),
        (
            "tls",
            format!("password_command = \"true\"\n{}", ca(&exim)),
            "the password is empty",
        ),
    ] {
        let house = white(&exim, tls, &more);
        let before = house.read("games/demo.txt");
        house
            .parapost(["send"])
            .status(1)
            .stderr_contains(why)
            .stderr_contains("1 mail is still owed")
            .run();
        assert_eq!(house.read("games/demo.txt"), before);
        // It certainly has not gone.
        house.parapost(["undo", "demo"]).any_stderr().run();
    }
    assert!(exim.messages("black").is_empty());
}
