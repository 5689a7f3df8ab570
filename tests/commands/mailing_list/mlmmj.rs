//! A match on a list of mlmmj, behind Exim.

use std::fs;
use std::path::Path;

use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport as _};

use crate::commands::mailing_list::{header, log, plies, run};
use crate::servers::mlmmj::{FOOTER, LIST, Mlmmj, PREFIX};
use crate::support::Sandbox;
use crate::support::exim::{Exim, address, password};

/// White's house, whose mail goes by the server.
pub(super) fn house(exim: &Exim) -> Sandbox {
    let config = format!(
        "[me]\nname = \"Anna\"\naddress = \"white@example.test\"\n[policy]\nidentity = \"token\"\n\
         [transport]\nkind = \"smtp\"\n[smtp]\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\n\
         user = \"white\"\npassword_file = \"password\"\nca_file = \"{}\"\n",
        exim.port,
        exim.ca_file().display()
    );
    Sandbox::new()
        .dir("games")
        .file("anna.toml", config)
        .secret("password", password("white") + "\n")
        .env("PARAPOST_CONFIG", "anna.toml")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// Sends a user's letter to these addresses.
pub(super) fn send(client: &SmtpTransport, user: &str, to: &[&str], letter: &str) {
    let to: Vec<_> = to.iter().map(|to| to.parse().unwrap()).collect();
    let envelope = Envelope::new(Some(address(user).parse().unwrap()), to).unwrap();
    client
        .send_raw(&envelope, letter.replace('\n', "\r\n").as_bytes())
        .unwrap();
}

/// What a house says that reads its whole mailbox.
fn received(house: &Sandbox, exim: &Exim) -> String {
    let mailbox = exim.maildir("white");
    let test = house.parapost(["receive", "--send", mailbox.to_str().unwrap()]);
    let run = test.any_stdout().any_stderr().either();
    run.stdout + &run.stderr
}

/// The id of the last mail in a mailbox that went to its user alone.
pub(super) fn last_id(exim: &Exim, user: &str) -> String {
    let mails = exim
        .messages(user)
        .into_iter()
        .rev()
        .map(|path| text(&path));
    let mut own = mails.filter(|mail| header(mail, "To") != LIST);
    header(&own.next().unwrap(), "Message-ID")
}

/// The mails in a mailbox that came by the list.
pub(super) fn by_list(exim: &Exim, user: &str) -> Vec<String> {
    let mails = exim.messages(user).into_iter().map(|path| text(&path));
    mails.filter(|mail| mail.contains("\nList-Id: ")).collect()
}

#[test]
#[ignore = "needs Exim, mlmmj, openssl"]
fn a_match_is_followed_on_a_list_of_mlmmj() {
    let list = Mlmmj::start();
    let exim = &list.exim;
    let house = house(exim);
    let new = [
        "new", "--game", "unachess", "--id", "demo", "--list", LIST, "--send",
    ];
    run(&house, &[&new[..], &["Ben <black@example.test>"]].concat());
    let (black, kim) = (exim.client("black"), exim.client("referee"));
    let letter = |id: &str, to: &str, cited: &str, body: &str| {
        format!(
            "From: Ben <black@example.test>\nTo: {to}\nSubject: Re: [demo] Unachess: Anna - Ben\n\
             Message-ID: <{id}@ben.test>\nIn-Reply-To: {cited}\nDate: Thu, 26 Nov 2026 03:00:00 +0000\n\n{body}\n"
        )
    };
    let white = address("white");
    run(&house, &["move", "demo", "P>e3", "--send"]);
    // The invitation and the move.
    exim.wait_for("black", 2);
    let moves = [("n>g5", "K>e1"), ("k>e8", "P>d3"), ("p>d6", "Q>d1")];
    let (mut whites, mut blacks) = (0, 2);
    for (turn, (reply, next)) in moves.into_iter().enumerate() {
        // One answer to all: it comes directly and by the list.
        let both = letter(
            &format!("move-{turn}"),
            &format!("{white}, {LIST}"),
            &last_id(exim, "black"),
            reply,
        );
        send(&black, "black", &[&white, LIST], &both);
        whites += 2;
        blacks += 1;
        exim.wait_for("white", whites);
        let said = received(&house, exim);
        let fates = said
            .matches(&format!("<move-{turn}@ben.test>\tdemo\t"))
            .count();
        assert_eq!(fates, 2, "{said}");
        assert!(
            said.contains(&format!("<move-{turn}@ben.test>\tdemo\taccepted\n")),
            "{said}"
        );
        assert!(
            said.contains(&format!("<move-{turn}@ben.test>\tdemo\tduplicate\n")),
            "{said}"
        );
        run(&house, &["move", "demo", next, "--send"]);
        // Both positions by the list, and the second directly.
        whites += 2;
        blacks += 3;
        exim.wait_for("white", whites);
        exim.wait_for("black", blacks);
        assert_eq!(plies(&house), 2 * turn + 3);
    }
    let before = log(&house);
    let said = received(&house, exim);
    assert!(
        said.contains("\tignored\n"),
        "our own mails come back: {said}"
    );
    assert_eq!(log(&house), before);

    // Two positions and Ben's letter in each turn.
    exim.wait_for("referee", 9);
    let copies = by_list(exim, "referee");
    let ours: Vec<_> = copies
        .iter()
        .filter(|copy| copy.contains(".news."))
        .collect();
    assert_eq!(ours.len(), 6);
    for copy in &ours {
        let subject = header(copy, "Subject");
        assert!(subject.starts_with(&format!("{PREFIX} ")), "{subject}");
        assert!(copy.trim_end().ends_with(FOOTER.trim_end()), "{copy}");
        assert!(!copy.contains("black@"), "{copy}");
    }

    // A reader's word is nobody's move, and who answers the list alone is told by mail.
    let copy = header(ours.last().unwrap(), "Message-ID");
    let comment = letter("kim", LIST, &copy, "n>c6").replace("Ben <black@", "Kim <referee@");
    send(&kim, "referee", &[LIST], &comment);
    send(
        &black,
        "black",
        &[LIST],
        &letter("alone", LIST, &copy, "n>c6"),
    );
    whites += 2;
    exim.wait_for("white", whites);
    let said = received(&house, exim);
    assert!(said.contains("<kim@ben.test>\tdemo\tstranger\n"), "{said}");
    assert!(said.contains("<alone@ben.test>\tdemo\trefused\n"), "{said}");
    // The two by the list, and the word of how to play.
    exim.wait_for("black", blacks + 3);
    assert_eq!(plies(&house), 7);
    let real = letter("real", &white, &last_id(exim, "black"), "n>c6");
    send(&black, "black", &[&white], &real);
    exim.wait_for("white", whites + 1);
    let said = received(&house, exim);
    assert!(said.contains("<real@ben.test>\tdemo\taccepted\n"), "{said}");
    run(&house, &["verify", "demo"]);
}
