//! What goes to the list, and when.

use super::{
    BEN, LIST, TOKEN, answer, begun, given, header, house, log, mails, on_list, played, run, to_ben,
};
use crate::commands::server::{TAKEN, sessions, smtp};
use crate::support::Sandbox;

/// The words of a mail as one line.
fn flowed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn each_position_is_two_mails_of_which_the_list_has_one_without_a_secret() {
    let house = begun(TOKEN);
    let (ours, list) = (to_ben(&house), on_list(&house));
    // The invitation, two moves, and a receipt.
    let [first, second] = &list[..] else {
        panic!("{list:?}")
    };
    for mail in &list {
        let (head, body) = mail.split_once("\n\n").unwrap();
        assert_eq!(header(mail, "From"), "Anna <anna@example.org>");
        assert!(
            head.contains("text/plain") && !head.contains("multipart"),
            "{head}"
        );
        assert!(!head.contains("ben@") && !body.contains('@'), "{mail}");
        assert!(
            body.is_ascii() && body.lines().all(|line| line.len() <= 72),
            "{body}"
        );
        for secret in [
            "List-Unsubscribe",
            "mailto:",
            "http",
            "answer code",
            "Game demo,",
        ] {
            assert!(!mail.contains(secret), "{secret}: {mail}");
        }
        for own in &ours {
            let id = header(own, "Message-ID");
            let token = id.split('.').nth(2).unwrap().split('@').next().unwrap();
            assert!(!mail.contains(token), "{token}: {mail}");
        }
    }
    assert!(
        first.contains("A match of Unachess by mail between Anna (White) and Ben (Black), posted\nas it goes on."),
        "{first}"
    );
    assert!(
        first.contains("1.  P>e3    n>g5\n\nWhite to move.\n"),
        "{first}"
    );
    assert!(second.contains("2.  K>e1\n\nBlack to move.\n"), "{second}");
    assert_eq!(header(first, "Subject"), "[demo] Unachess: Anna - Ben");
    assert_eq!(header(second, "Subject"), "Re: [demo] Unachess: Anna - Ben");
    assert_eq!(header(second, "References"), header(first, "Message-ID"));
    // What Ben gets is as ever, and has another id.
    let own = ours.last().unwrap();
    assert!(own.contains("Game demo, 3 half-moves made"), "{own}");
    assert_ne!(header(own, "Message-ID"), header(second, "Message-ID"));
    assert!(!own.contains(&header(first, "Message-ID")), "{own}");
    assert_eq!(mails(&house).len(), list.len() + ours.len());
    let said = run(&house, &["list"]);
    assert!(said.contains(&format!("on {LIST}, move by move")), "{said}");
    let said = run(&house, &["list", "--json"]);
    let expected = format!(
        "\"news\":{{\"group\":null,\"list\":\"{LIST}\",\"goes_on\":true,\"posted\":2,\"owed\":0,\"refused\":0,\"reported\":0}}"
    );
    assert!(said.contains(&expected), "{said}");
    run(&house, &["verify", "demo"]);
}

/// Ben's house, whose program enters Anna's invitation.
fn bens() -> Sandbox {
    let config = "[me]\nname = \"Ben\"\naddress = \"ben@example.test\"\n";
    Sandbox::new()
        .dir("games")
        .file("anna.toml", config)
        .env("PARAPOST_CONFIG", "anna.toml")
}

fn accepted(house: &Sandbox, invitation: &str) -> String {
    let test = house.parapost(["receive", "--accept"]);
    let run = test.stdin(invitation).any_stdout().any_stderr().run();
    run.stdout + &run.stderr
}

fn invited(anna: &Sandbox) -> String {
    let new = [
        "new", "--game", "unachess", "--id", "demo", "--list", LIST, "--send", BEN,
    ];
    run(anna, &new);
    to_ben(anna).pop().unwrap()
}

#[test]
fn both_programs_agree_on_the_list_and_one_of_them_mails_to_it() {
    let (anna, ben) = (house(""), bens());
    let invitation = invited(&anna);
    assert!(
        invitation.contains(&format!("\nList: {LIST}\n")),
        "{invitation}"
    );
    let words = format!(
        "Each position is also mailed to the mailing list {LIST}, with the names of both of you"
    );
    assert!(flowed(&invitation).contains(&words), "{invitation}");
    let said = accepted(&ben, &invitation);
    let told =
        format!("each position is mailed to the mailing list {LIST}, where you are named 'Ben'");
    assert!(said.contains(&told), "{said}");
    for text in [log(&anna), log(&ben)] {
        assert!(text.contains(&format!("\nList: {LIST}\n")), "{text}");
    }
    played(&anna, "P>e3");
    let mail = to_ben(&anna).pop().unwrap();
    given(&ben, &mail);
    run(&ben, &["move", "demo", "n>g5", "--send"]);
    let reply = mails(&ben);
    assert_eq!(reply.len(), 1, "whoever began mails to the list: {reply:?}");
    given(&anna, &reply[0]);
    assert_eq!(on_list(&anna).len(), 1);
    // The list brings that to both, the second time under another id.
    let copy = on_list(&anna).remove(0);
    let id = header(&copy, "Message-ID");
    let renamed = copy.replace(&id, "<list.7@lists.test>");
    let munged = renamed.replace(
        "From: Anna <anna@example.org>",
        &format!("From: Anna via games <{LIST}>"),
    );
    for house in [&anna, &ben] {
        let before = (log(house), mails(house).len());
        for copy in [&copy, &renamed, &munged] {
            let said = given(house, copy);
            assert!(said.contains("\tignored\n"), "{said}");
        }
        assert_eq!((log(house), mails(house).len()), before);
    }
}

#[test]
fn nothing_goes_to_the_list_of_an_invitation_that_is_declined() {
    let anna = house("");
    invited(&anna);
    let said = given(&anna, &answer(&anna, "no", "", "decline\n"));
    assert!(
        said.contains("\tdemo\taccepted\n") || said.contains("\tdemo\tcommand\n"),
        "{said}"
    );
    run(&anna, &["send"]);
    assert_eq!(on_list(&anna).len(), 0);
}

#[test]
fn a_list_is_nobody_who_plays() {
    for list in ["ben@example.test", "Ben+x@example.test", "anna@example.org"] {
        let house = house("");
        let new = ["new", "--game", "unachess", "--list", list, BEN];
        let test = house.parapost(new).status(2);
        test.stderr_contains("no mailing list").run();
    }
    let (anna, ben) = (house(""), bens());
    let invitation =
        invited(&anna).replace("\nList: games@lists.test\n", "\nList: anna@example.org\n");
    let test = ben.parapost(["receive", "--accept"]).stdin(invitation);
    let said = test.status(1).any_stdout().any_stderr().run().stderr;
    assert!(
        said.contains("its mailing list is the address of a player or of the referee"),
        "{said}"
    );
    assert!(!ben.path("games/demo.txt").exists());
}

#[test]
fn either_player_ends_it() {
    let anna = begun("");
    let said = run(&anna, &["news", "stop", "demo"]);
    assert!(said.contains("posts no more moves"), "{said}");
    given(&anna, &answer(&anna, "second", "", "k>e8\n"));
    assert_eq!(on_list(&anna).len(), 2);

    for words in ["mail news off", "no news", "k>e8\n\nmail news off"] {
        let anna = begun("");
        given(&anna, &answer(&anna, "off", "", &format!("{words}\n")));
        let told = to_ben(&anna).pop().unwrap();
        assert!(
            flowed(&told).contains("mailed to a mailing list by itself any more"),
            "{told}"
        );
        if !words.contains("k>e8") {
            given(&anna, &answer(&anna, "second", "", "k>e8\n"));
        }
        played(&anna, "P>d3");
        assert_eq!(on_list(&anna).len(), 2, "{}", log(&anna));
    }

    // Ben's program asks Anna's.
    let (anna, ben) = (house(""), bens());
    accepted(&ben, &invited(&anna));
    run(&ben, &["news", "stop", "demo", "--send"]);
    let asked = mails(&ben).pop().unwrap();
    assert!(
        flowed(&asked).contains("wants no more moves of this match posted to the mailing list."),
        "{asked}"
    );
    given(&anna, &asked);
    assert!(
        log(&anna).contains(" mail Black \"news off\" "),
        "{}",
        log(&anna)
    );
}

#[test]
fn what_was_taken_back_is_told_on_the_list() {
    let anna = begun("");
    run(&anna, &["takeback", "propose", "demo", "--send"]);
    let said = given(&anna, &answer(&anna, "back", "", "accept takeback\n"));
    assert!(said.contains("\tdemo\tcommand\n"), "{said}");
    assert_eq!(on_list(&anna).len(), 3);
    let last = &on_list(&anna)[2];
    let told = "\n\nWhite has taken back 2. K>e1.\nThe position is again the one below.\n";
    assert!(last.contains(told), "{last}");
    // Nothing takes the place of a mail.
    assert_eq!(header(last, "Supersedes"), "");
}

#[test]
fn words_for_everybody_go_to_the_list_and_to_nobody_else() {
    let anna = begun("");
    given(&anna, &answer(&anna, "second", "", "k>e8\n"));
    let words = ["--say-news", "My bishops rest.", "--send"];
    run(&anna, &[&["move", "demo", "P>d3"][..], &words].concat());
    let copy = on_list(&anna).pop().unwrap();
    assert!(copy.contains("\nPoster: My bishops rest.\n"), "{copy}");
    let own = to_ben(&anna).pop().unwrap();
    assert!(!own.contains("bishops rest"), "{own}");
}

/// A server that refuses one mail to the list takes Ben's, and the next one to the list.
#[test]
fn it_is_owed_sent_and_refused_as_mail_is() {
    const REFUSED: &[&str] = &[
        "220 mx",
        "250 mx",
        "250 from",
        "250 to",
        "354 go on",
        "250 taken",
        "250 from",
        "550 you are no member",
        "250 reset",
        "250 from",
        "250 to",
        "354 go on",
        "250 taken",
        "221 bye",
    ];
    let anna = house("[mail]\nhtml = false\n");
    invited(&anna);
    played(&anna, "P>e3");
    let reply = answer(&anna, "first", "", "n>g5\n");
    let test = anna.parapost(["receive", "--deliver"]).stdin(&reply);
    test.any_stdout().any_stderr().run();
    run(&anna, &["move", "demo", "K>e1"]);
    let listed = run(&anna, &["mail", "list"]);
    let owed = format!("\towed\tarticle\t{LIST}\t");
    assert_eq!(listed.matches(&owed).count(), 2, "{listed}");
    let said = run(&anna, &["list"]);
    assert!(said.contains("a mail owed, 2 articles owed"), "{said}");
    let (port, session) = sessions(vec![REFUSED]);
    let config = anna.read("anna.toml");
    anna.write(
        "anna.toml",
        format!("{config}{}", smtp(port, "tls = \"none\"")),
    );
    let test = anna.parapost(["send"]).status(1);
    test.stderr_contains("that article is not tried again")
        .run();
    let heard = session.join().unwrap().join("\n");
    assert_eq!(
        heard.matches("RCPT TO:<games@lists.test>").count(),
        2,
        "{heard}"
    );
    let listed = run(&anna, &["mail", "list"]);
    assert!(!listed.contains(&owed), "{listed}");
    let refused = format!("\trefused\tarticle\t{LIST}\t");
    assert_eq!(listed.matches(&refused).count(), 1, "{listed}");
    assert!(listed.contains("you are no member"), "{listed}");
    // It is tried again under the same id, and once it is taken, no more.
    let log = log(&anna);
    let (_, failed) = log
        .split_once(" failed - article=")
        .or_else(|| log.split_once(" failed article="))
        .unwrap();
    let (port, session) = sessions(vec![TAKEN]);
    anna.write(
        "anna.toml",
        format!("{config}{}", smtp(port, "tls = \"none\"")),
    );
    let said = run(&anna, &["mail", "retry", "demo", "--send"]);
    assert!(
        said.contains(&format!("an article is mailed to the list {LIST}")),
        "{said}"
    );
    let heard = session.join().unwrap().join("\n");
    let id = failed.split(' ').next().unwrap();
    assert!(
        heard.contains(&format!("Message-ID: {id}")),
        "{id}: {heard}"
    );
    run(&anna, &["send"]);
    run(&anna, &["verify", "demo"]);
}
