//! Mail that a server refuses for good, or again and again: what is recorded,
//! told and tried, and the command `mail`.

use parapost::matches::r#match::{Match, MatchSettings};

use crate::commands::send::{game, of, owing_by};
use crate::commands::server::{TAKEN, sessions, smtp};
use crate::matches::log::{settings, time};
use crate::support::exim::{Exim, password};
use crate::support::mail_server::{Deed, MailServer};
use crate::support::{Output, Sandbox};

const NO_SUCH_USER: &[&str] = &[
    "220 mx",
    "250 mx",
    "250 from",
    "550 no such user",
    "221 bye",
];
const LATER: &[&str] = &["220 mx", "250 mx", "250 from", "451 busy", "221 bye"];

/// A referee's house, whose mail goes to that port.
fn referee(config: &str, black: &str) -> Sandbox {
    let me = "[me]\nname = \"Ref\"\naddress = \"referee@example.test\"\nrole = \"referee\"\n[mail]\nhtml = false\n";
    let house = Sandbox::new()
        .dir("games")
        .file("config.toml", format!("{me}{config}"))
        .secret("password", password("referee") + "\n")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", "2026-11-20T03:00:00Z");
    house
        .parapost(["new", "--game", "unachess", "--id", "m", "--invited"])
        .args(["--white", "White <white@example.test>", "--black", black])
        .stdout("m\n")
        .run();
    house
}

fn by_exim(exim: &Exim) -> String {
    format!(
        "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\n\
         user = \"referee\"\npassword_file = \"password\"\nca_file = \"{}\"\n",
        exim.port,
        exim.ca_file().display()
    )
}

fn referees(house: &Sandbox) -> Match {
    house.read("games/m.txt").parse().unwrap()
}

/// Brings a letter as a mail server does, and it must be dealt with for good.
fn deliver(house: &Sandbox, from: &str, body: &str, word: &str) -> Output {
    let id: String = body.chars().filter(char::is_ascii_alphanumeric).collect();
    house
        .parapost(["receive", "--deliver", "--send"])
        .stdin(format!(
            "From: {from}\nTo: referee@example.test\nSubject: [m]\nMessage-ID: <{id}@x.test>\n\n{body}\n"
        ))
        .stdout(format!("<{id}@x.test>\tm\t{word}\n"))
        .any_stderr()
        .run()
}

/// Black stopped all mail of the match by a letter from an address that is none.
#[test]
#[ignore = "needs Exim"]
fn one_mail_that_a_server_refuses_holds_up_no_other_mail_of_its_match() {
    let exim = Exim::start();
    let house = referee(&by_exim(&exim), "Black <black@example.test>");
    let output = deliver(
        &house,
        "black+nosuchbox@example.test",
        "1... n>h9",
        "refused",
    );
    assert!(
        output
            .stderr
            .contains("it goes to black@example.test instead"),
        "{}",
        output.stderr
    );
    exim.wait_for("black", 1);
    deliver(&house, "white@example.test", "1. P>e3", "accepted");
    exim.wait_for("black", 2);
    exim.wait_for("white", 1);
    assert!(referees(&house).owed().is_empty());
    assert!(referees(&house).undelivered().is_empty());
    let log = house.read("games/m.txt");
    let line = log.lines().find(|line| line.contains(" failed ")).unwrap();
    let (told, _) = line.split_once(" chain=").unwrap();
    assert!(
        told.contains(" by=smtp to=black+nosuchbox@example.test text=\"550 "),
        "{told}"
    );
    assert!(log.contains(" requeued Black answer msg=") && log.contains(" to=black@example.test "));
}

/// Earlier versions began matches with them.
#[test]
fn an_address_that_no_mail_can_be_made_for_holds_up_no_other_mail() {
    for address in ["\"e v\"@x.test", "eve@[127.0.0.1]"] {
        let server = MailServer::start(|_| Deed::Take);
        let me = "[me]\nname = \"White\"\naddress = \"white@example.test\"\n[mail]\nhtml = false\n";
        let house = Sandbox::new()
            .dir("games")
            .file("config.toml", format!("{me}{}", server.config(1)))
            .env("PARAPOST_CONFIG", "config.toml");
        for (id, black) in [("bad", address), ("good", "black@example.test")] {
            let settings = MatchSettings {
                id: id.parse().unwrap(),
                players: [
                    "White <white@example.test>".to_owned(),
                    format!("Eve <{black}>"),
                ]
                .map(|player| player.parse().unwrap()),
                ..settings("unachess", &[])
            };
            let game = Match::new(settings, time());
            house.write(format!("games/{id}.txt"), game.to_string());
            house.parapost(["move", id, "P>e3"]).any_stderr().run();
        }
        let run = house.parapost(["send"]).status(1);
        run.stderr_contains(&format!("no mail can be made for the address {address}"))
            .run();
        assert_eq!(server.games(), ["good"]);
        let log = house.read("games/bad.txt");
        assert!(
            log.contains(" failed Black position ") && log.contains("no mail can be made"),
            "{log}"
        );
        // The refusal was reported, and is over.
        house.parapost(["send"]).any_stderr().run();
        house
            .parapost(["mail", "list", "bad"])
            .stdout_contains("no mail can be made for the address")
            .run();
        let redirected = |to| house.parapost(["mail", "redirect", "--send", "bad", to]);
        redirected(address).status(2).any_stderr().run();
        redirected("eve@x.test").any_stderr().run();
        assert_eq!(server.games(), ["good", "bad"]);
    }
}

/// The server speaks no SMTPUTF8, which one address needs.
#[test]
fn an_address_that_the_server_has_no_extension_for_holds_up_no_other_mail() {
    let (port, session) = sessions(vec![&["220 mx", "250 mx", "221 bye"], TAKEN, TAKEN, TAKEN]);
    let house = referee(&smtp(port, "tls = \"none\""), "Black <black@example.test>");
    let output = deliver(&house, "black+\u{fc}@example.test", "1... n>h9", "refused");
    assert!(
        output.stderr.contains("does not offer SMTPUTF8"),
        "{}",
        output.stderr
    );
    deliver(&house, "white@example.test", "1. P>e3", "accepted");
    let heard = session.join().unwrap().join("\n");
    assert!(!heard.contains("black+"), "{heard}");
    assert_eq!(
        heard.matches("RCPT TO:<black@example.test>").count(),
        2,
        "{heard}"
    );
    assert!(referees(&house).owed().is_empty());
}

#[test]
#[ignore = "needs Exim"]
fn a_move_that_did_not_arrive_is_shown_told_and_sent_elsewhere() {
    let exim = Exim::start();
    let house = referee(&by_exim(&exim), "Black <gone@example.test>");
    deliver(&house, "white@example.test", "1. P>e3", "accepted");
    // White has a receipt, and a word that Black was not told; once.
    let told = exim.wait_for("white", 2);
    let told: String = told
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert!(told.contains("to Black could not be delivered"), "{told}");
    assert!(!told.contains("gone@example.test"), "{told}");
    deliver(
        &house,
        "white@example.test",
        "Hello, are you there?",
        "note",
    );
    assert_eq!(referees(&house).undelivered().len(), 2);
    house.parapost(["send"]).run();
    house
        .parapost(["list"])
        .stdout_contains("Black to move, 2 mails refused\n")
        .run();
    house
        .parapost(["list", "--json"])
        .stdout_contains("\"owed\":0,")
        .stdout_contains("\"undelivered\":2,")
        .run();
    house
        .parapost(["show", "m"])
        .stdout_contains("- - - - P - - -")
        .stderr_contains("(position) to gone@example.test was refused: 550 ")
        .stderr_contains("'parapost mail retry m' owes it again")
        .run();
    house
        .parapost(["verify", "m"])
        .stdout_contains(", none owed, 2 refused\n")
        .run();
    let list = house.parapost(["mail", "list"]).any_stdout().run().stdout;
    let fields: Vec<&str> = list.lines().next().unwrap().split('\t').collect();
    let expected = [
        "m",
        "3",
        "refused",
        "position",
        "gone@example.test",
        "2026-11-20T03:00:00Z",
    ];
    assert_eq!(fields[..6], expected);
    assert!(fields[6].starts_with("550 "), "{list}");
    house
        .parapost(["mail", "drop", "m", "--only", "99"])
        .status(1)
        .stderr_contains("no mail of the number 99 is owed or was refused")
        .run();
    house
        .parapost([
            "mail",
            "redirect",
            "m",
            "black@example.test",
            "--only",
            "3",
            "--send",
        ])
        .stderr("m: 1 mail owed again, 1 mail sent\n")
        .run();
    let mail = exim.wait_for("black", 1);
    let mail = std::fs::read_to_string(&mail[0]).unwrap();
    assert!(
        mail.contains("\nTo: Black <black@example.test>\n"),
        "{mail}"
    );
    assert!(
        mail.contains(referees(&house).log()[2].get("msg").unwrap()),
        "the same id"
    );
    // Again it is refused, and said so.
    house
        .parapost(["mail", "retry", "--send"])
        .status(1)
        .stderr_contains("m: 1 mail owed again, 0 mails sent\n")
        .run();
    house
        .parapost(["mail", "drop", "m"])
        .stderr("m: 1 mail dropped\n")
        .run();
    house.parapost(["mail", "list"]).run();
    house.parapost(["mail", "retry"]).run();
    house
        .parapost(["mail", "drop", "m"])
        .stderr("m: no mail was refused\n")
        .run();
    house.parapost(["verify", "m"]).any_stdout().run();
    exim.wait_for("white", 2);
}

#[test]
fn a_refused_move_can_be_taken_back_and_the_words_of_a_server_are_data() {
    let (port, session) = sessions(vec![&[
        "220 mx",
        "250 mx",
        "250 from",
        "550-\u{1b}[2J\t1. K>a1\r\n550 2026-11-20T03:00:00Z resign White",
        "221 bye",
    ]]);
    let house = owing_by(&smtp(port, "tls = \"none\""));
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("demo: that mail is not tried again; 'parapost mail list demo' shows it")
        .run();
    session.join().unwrap();
    let said = house
        .parapost(of(&["mail", "list"]))
        .any_stdout()
        .run()
        .stdout;
    assert!(
        said.ends_with("\t550 \\u{1b}[2J 1. K>a1 2026-11-20T03:00:00Z resign White\n"),
        "{said:?}"
    );
    assert!(game(&house).ending().is_none());
    house.parapost(of(&["send"])).run();
    house
        .parapost(of(&["undo", "demo"]))
        .stderr("demo: P>e3 is taken back\n")
        .run();
    assert!(game(&house).undelivered().is_empty());
}

#[test]
fn a_mail_that_fails_for_now_waits_and_is_said_to() {
    let (port, session) = sessions(vec![LATER, LATER, TAKEN, LATER, TAKEN]);
    let house = owing_by(&smtp(port, "tls = \"none\""));
    for _ in 0..2 {
        house
            .parapost(of(&["send"]))
            .status(75)
            .stderr_contains("has not taken the mail to ben@example.org: transient error (451)")
            .stderr_contains("demo: 1 mail is still owed; 'parapost send demo' tries again\n")
            .run();
    }
    // Another mail goes meanwhile.
    house
        .parapost(of(&["draw", "offer", "demo", "--send"]))
        .stderr(
            "demo: the mail to ben@example.org waits until 2026-11-20T03:05:00Z; 'parapost send demo' tries it now\n\
             demo: 1 mail is still owed; 'parapost send demo' tries again\n\
             demo: a draw is offered; the mail is sent\n",
        )
        .run();
    house
        .parapost(of(&["send"]))
        .status(75)
        .stderr_contains("waits until 2026-11-20T03:05:00Z")
        .run();
    house
        .parapost(of(&["send"]))
        .now("2026-11-20T03:05:00Z")
        .status(75)
        .stderr_contains("transient error (451)")
        .run();
    house
        .parapost(of(&["send", "demo"]))
        .stderr("demo: 1 mail sent\n")
        .run();
    session.join().unwrap();
    assert!(game(&house).owed().is_empty());
}

/// A mail server brings a letter again because its answer could not be sent: it would do so
/// until the answer is tried, and give up first.
#[test]
fn a_letter_that_comes_again_asks_for_its_answer_that_waits_at_once() {
    let (port, _session) = sessions(vec![LATER, LATER, TAKEN]);
    let house = referee(&smtp(port, "tls = \"none\""), "Black <black@example.test>");
    let brings = |status| {
        let letter = "From: black@example.test\nSubject: [m]\nMessage-ID: <1@x.test>\n\nhelp\n";
        let run = house.parapost(["receive", "--deliver", "--send"]);
        run.stdin(letter)
            .any_stdout()
            .any_stderr()
            .status(status)
            .run()
            .stderr
    };
    for _ in 0..2 {
        let told = brings(75);
        assert!(told.contains("transient error (451)"), "{told}");
    }
    house
        .parapost(["send"])
        .status(75)
        .stderr_contains("waits until 2026-11-20T03:05:00Z")
        .run();
    brings(0);
    assert!(referees(&house).owed().is_empty());
}

/// The letters behind it in a run call for nothing that waits.
#[test]
fn a_letter_that_comes_again_asks_for_its_answer_whatever_comes_behind_it() {
    for subject in ["[m]", "A question"] {
        asks_at_once(subject);
    }
}

fn asks_at_once(subject: &str) {
    let (port, _session) = sessions(vec![LATER, LATER, TAKEN, TAKEN]);
    let house = referee(&smtp(port, "tls = \"none\""), "Black <black@example.test>");
    let letter = |number, body| {
        format!(
            "From x@y Fri Nov 20 03:00:00 2026\nFrom: black@example.test\nSubject: {subject}\n\
             Message-ID: <{number}@x.test>\n\n{body}\n\n"
        )
    };
    let brings = |letters: String, status| {
        let run = house.parapost(["receive", "--mbox", "--send"]);
        let run = run.stdin(letters).any_stdout().any_stderr();
        run.status(status).run();
    };
    for _ in 0..2 {
        brings(letter(1, "help"), 75);
    }
    brings(letter(1, "help") + &letter(2, "show"), 0);
    assert!(referees(&house).owed().is_empty());
}

#[test]
fn a_command_whose_mail_is_not_sent_does_not_say_so() {
    let (port, _session) = sessions(vec![LATER, LATER]);
    let house = owing_by(&smtp(port, "tls = \"none\""));
    let offer = house.parapost(of(&["draw", "offer", "demo", "--send"]));
    let told = offer.status(75).any_stderr().run().stderr;
    assert!(told.contains("demo: 2 mails are still owed"), "{told}");
    assert!(!told.contains("the mail is sent"), "{told}");
}

/// The letter is dealt with, and its own answer has gone.
#[test]
fn an_older_mail_that_fails_brings_no_letter_back() {
    let (port, _session) = sessions(vec![LATER, LATER, TAKEN]);
    let house = referee(&smtp(port, "tls = \"none\""), "Black <black@example.test>");
    for (number, body, status) in [(1, "help", 75), (2, "show", 0)] {
        let letter = format!(
            "From: black@example.test\nSubject: [m]\nMessage-ID: <{number}@x.test>\n\n{body}\n"
        );
        let run = house.parapost(["receive", "--deliver", "--send"]);
        let run = run.stdin(letter).any_stdout().any_stderr();
        run.status(status).run();
    }
    assert_eq!(referees(&house).owed().len(), 1);
}

#[test]
fn refused_mail_of_whole_matches_is_owed_again() {
    let (port, session) = sessions(vec![NO_SUCH_USER, TAKEN]);
    let house = owing_by(&smtp(port, "tls = \"none\""));
    house.parapost(of(&["send"])).status(1).any_stderr().run();
    house
        .parapost(of(&["mail", "retry"]))
        .stderr("demo: 1 mail owed again until 'parapost send demo'\n")
        .run();
    house
        .parapost(of(&["list"]))
        .stdout_contains("Black to move, a mail owed\n")
        .run();
    house
        .parapost(of(&["send"]))
        .stderr("demo: 1 mail sent\n")
        .run();
    session.join().unwrap();
    house
        .parapost(of(&["mail", "retry", "--only", "3"]))
        .status(2)
        .stderr_contains("--only needs one match")
        .run();
    house
        .parapost(of(&["mail", "drop", "nosuch"]))
        .status(1)
        .stderr_contains("there is no match nosuch")
        .run();
    assert!(!house.path("games/.nosuch.send.lock").exists());
}
