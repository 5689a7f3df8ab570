//! `mail off`, `List-Unsubscribe` and `mail html off`.

use super::{anna, ben, config, events, header, letter, log, mails, receive, referee};
use crate::support::Sandbox;

/// The letter that a program sends which follows `List-Unsubscribe` of a mail.
fn unsubscription(mail: &str, from: &str) -> String {
    let (_, link) = mail.split_once("\nList-Unsubscribe: \n <mailto:").unwrap();
    let (link, _) = link.split_once(">\n").unwrap();
    let (_, subject) = link.split_once("?subject=").unwrap();
    let subject = subject.replace("%5B", "[").replace("%5D", "]");
    let subject = subject.replace("%20", " ");
    assert!(!subject.contains('%'), "{subject}");
    letter(from, &subject, "")
}

const BEN: &str = "Ben <ben@example.org>";
const ANNA: &str = "Anna <anna@example.org>";

fn printed(session: &Sandbox, letter: &str, word: &str) -> Vec<String> {
    mails(
        &receive(session, &["--print"], letter, "m", word)
            .run()
            .stdout,
    )
}

#[test]
#[ignore = "takes long"]
fn a_player_who_unsubscribes_gets_no_more_mail_and_loses_nothing() {
    let session = referee();
    let sent = printed(&session, &ben("n>g5\n"), "accepted");
    let [to_anna, receipt] = &sent[..] else {
        panic!("{sent:?}");
    };
    // An answer to a player's own words is no list mail.
    assert!(!receipt.contains("List-Unsubscribe"), "{receipt}");

    let from = log(&session, "m").len();
    let told = printed(&session, &unsubscription(to_anna, ANNA), "command");
    assert_eq!(told.len(), 2, "{told:?}");
    let to = |name: &str| {
        let mail = told.iter().find(|mail| header(mail, "To:").contains(name));
        mail.unwrap()
    };
    assert!(to("anna").contains("You get no more mail about this match."));
    assert!(to("ben").contains("Anna has asked for no more mail about this match"));
    assert_eq!(events(&session, from)[0], "mail White off");

    // Told once.
    let again = letter(ANNA, "[m] unsubscribe", "please\n");
    assert!(printed(&session, &again, "command").is_empty());

    // Words for her are kept, and answered like others.
    let notes = printed(&session, &ben("note are you there\n"), "command");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(header(&notes[0], "To:").contains("ben"));

    // Her move is taken, and with it the mail comes back.
    let played = printed(&session, &letter(ANNA, "Re: [m]", "B>f4\n"), "accepted");
    assert_eq!(played.len(), 2, "{played:?}");
    let next = printed(&session, &ben("n-e6\n"), "accepted");
    assert!(next.iter().any(|mail| header(mail, "To:").contains("anna")));
}

#[test]
fn mail_on_brings_the_mail_back_with_the_position() {
    let session = referee();
    printed(&session, &letter(ANNA, "[m]", "mail off\n"), "command");
    let played = printed(&session, &ben("n>g5\n"), "accepted");
    assert_eq!(played.len(), 1, "{played:?}");
    let told = printed(&session, &letter(ANNA, "[m]", "mail on\n"), "command");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("You get the mail about this match again."));
    assert!(told[0].contains("It is your move, White"), "{}", told[0]);
    let words = printed(&session, &ben("note hello\n"), "command");
    assert_eq!(words.len(), 2, "{words:?}");
}

#[test]
fn only_the_player_unsubscribes() {
    let session = referee();
    let before = log(&session, "m");
    let other = letter("Eve <eve@example.org>", "[m] unsubscribe", "");
    assert!(printed(&session, &other, "stranger").is_empty());
    // A quotation or a move is no wish.
    for body in ["> mail off\nthanks\n", "I get no mail off and on\n"] {
        printed(&session, &letter(ANNA, "Re: [m]", body), "note");
    }
    assert!(
        !log(&session, "m")
            .iter()
            .any(|line| line.contains(" mail White"))
    );
    assert!(log(&session, "m").len() >= before.len());
    let both = letter(BEN, "[m] unsubscribe", "n>g5\n");
    printed(&session, &both, "accepted");
}

/// What a program sends on one click cites nothing, so its subject has a code, which is
/// good for nothing else.
#[test]
fn a_code_unsubscribes_where_a_letter_must_cite_a_mail() {
    let session = referee();
    let policy = config("ref", "referee") + "[policy]\nidentity = \"token\"\n";
    std::fs::write(session.path("config.toml"), policy).unwrap();
    let position = session
        .parapost(["send", "--resend", "m", "--print"])
        .any_stdout()
        .any_stderr()
        .run();
    let letter_of = |body: &str| unsubscription(&position.stdout, BEN) + body;
    let bare = letter(BEN, "[m] unsubscribe", "");
    assert!(printed(&session, &bare, "stranger").is_empty());
    let of_anna = letter_of("").replace("From: Ben <ben@", "From: Anna <anna@");
    assert!(printed(&session, &of_anna, "stranger").is_empty());
    let from = log(&session, "m").len();
    printed(&session, &letter_of("n>g5\n"), "command");
    assert_eq!(events(&session, from)[0], "mail Black off");
    assert!(
        !log(&session, "m")
            .iter()
            .any(|line| line.contains(" move Black"))
    );
}

#[test]
#[ignore = "takes long"]
fn a_player_can_ask_for_text_alone_beside_a_move() {
    let session = referee();
    std::fs::write(
        session.path("config.toml"),
        config("ref", "referee").replace("html = false", "html = true"),
    )
    .unwrap();
    let body = "n>g5\nmail html off\n";
    let sent = printed(&session, &ben(body), "accepted");
    let kind = |name: &str| {
        let mail = sent.iter().find(|mail| header(mail, "To:").contains(name));
        header(mail.unwrap(), "Content-Type:").to_owned()
    };
    assert!(kind("anna").starts_with("multipart/related"), "{sent:?}");
    assert!(kind("ben").starts_with("text/plain"), "{sent:?}");
    let told = printed(&session, &ben("mail html on\n"), "command");
    assert!(header(&told[0], "Content-Type:").starts_with("multipart/related"));
}

/// A person's own program holds the mail back, too, and says so.
#[test]
fn a_players_program_owes_no_mail_to_one_who_wants_none() {
    let session = anna();
    printed(&session, &ben("n>g5\nmail off\n"), "accepted");
    session
        .parapost(["move", "m", "B>f4", "--print"])
        .stderr_contains("your opponent has asked for no more mail, so none is owed")
        .run();
    let resend = ["send", "--resend", "m", "--print"];
    let sent = session.parapost(resend).any_stdout().any_stderr().run();
    assert!(sent.stdout.contains("2. B>f4"), "{}", sent.stdout);
    printed(&session, &ben("n-e6\n"), "accepted");
    let next = ["move", "m", "P>e4", "--print"];
    let sent = session.parapost(next).any_stdout().any_stderr().run();
    assert!(sent.stdout.contains("3. P>e4"), "{}", sent.stdout);
}
