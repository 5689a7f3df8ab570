//! A player's program whose match a referee's program keeps.

use super::{NOW, config, events, header, log, mails, receive, session};
use crate::support::Sandbox;

/// A player's program that knows the referee of the match `m`.
fn player(name: &str) -> Sandbox {
    let session = session(name, "player");
    take_part(&session);
    session
}

/// A player's program that asks its referee's mail for a token.
fn careful(name: &str) -> Sandbox {
    let config = config(name, "player") + "[policy]\nidentity = \"token\"\n";
    let session = Sandbox::new()
        .file("config.toml", config)
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", NOW);
    take_part(&session);
    session
}

const PLAYERS: [&str; 4] = [
    "--white",
    "Anna <anna@example.org>",
    "--black",
    "Ben <ben@example.org>",
];

fn take_part(session: &Sandbox) {
    let mut words = vec!["new", "--game", "unachess", "--id", "m", "--invited"];
    words.extend(PLAYERS);
    words.extend(["--referee", "ref@example.org"]);
    session.parapost(words).stdout("m\n").run();
}

/// The referee's program, and its invitations.
fn host() -> (Sandbox, Vec<String>) {
    invites(session("ref", "referee"))
}

/// A referee's program, after it has invited the players, and its invitations.
fn invites(session: Sandbox) -> (Sandbox, Vec<String>) {
    let mut words = vec!["new", "--game", "unachess", "--id", "m", "--print"];
    words.extend(PLAYERS);
    let output = session.parapost(words).any_stdout().any_stderr().run();
    let parts = output.stdout.split("From: ").skip(1);
    let invitations = parts.map(|part| format!("From: {part}")).collect();
    (session, invitations)
}

/// Plays a move, and returns the mail that goes out.
fn plays(session: &Sandbox, text: &str) -> String {
    let words = ["move", "m", text, "--print"];
    session
        .parapost(words)
        .any_stdout()
        .any_stderr()
        .run()
        .stdout
}

/// Gives a player's mail to the referee, and returns the mails to the opponent and to
/// the player.
fn referees(session: &Sandbox, mail: &str) -> [String; 2] {
    let output = receive(session, &["--print"], mail, "m", "accepted").run();
    mails(&output.stdout).try_into().expect("two mails")
}

/// Gives a mail to a player's program, which must answer nothing.
fn reads(session: &Sandbox, mail: &str, word: &str) {
    let output = receive(session, &["--print"], mail, "m", word).run();
    assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
}

fn board(session: &Sandbox) -> String {
    let file = session.read("games/m.txt");
    let (head, _) = file.split_once("\nLog\n").unwrap();
    let (_, board) = head.split_once("\nChain: ").unwrap();
    board.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn players_programs_and_a_referees_play_by_their_mails_alone() {
    let (referee, invitations) = host();
    let (anna, ben) = (player("anna"), player("ben"));
    assert_eq!(invitations.len(), 2);
    for (mail, session) in invitations.iter().zip([&anna, &ben]) {
        assert!(mail.contains("\nReferee: ref@example.org\n"), "{mail}");
        reads(session, mail, "note");
    }
    assert!(
        anna.read("games/m.txt")
            .contains("\nReferee: ref@example.org\n")
    );
    let sides = [(&anna, &ben), (&ben, &anna)];
    let moves = ["P>e3", "n>g5", "B>f4", "n-e6", "K>e1"];
    for (text, (mover, other)) in moves.into_iter().zip(sides.into_iter().cycle()) {
        let mail = plays(mover, text);
        assert_eq!(header(&mail, "To:"), "ref@example.org", "{mail}");
        let [position, receipt] = referees(&referee, &mail);
        assert!(position.contains("\nAuto-Submitted: "), "{position}");
        reads(mover, &receipt, "ignored");
        reads(other, &position, "accepted");
        reads(other, &position, "duplicate");
        for session in [mover, other] {
            assert_eq!(board(session), board(&referee), "{text}");
        }
    }
    // The invitation alone is noted, so that the first mail can answer it.
    let own = log(&ben, "m");
    let notes = own.iter().filter(|line| line.contains(" note "));
    assert_eq!(notes.count(), 1, "{own:?}");
}

#[test]
fn a_list_among_carried_words_is_not_entered() {
    let (referee, _) = host();
    let anna = player("anna");
    let [_, receipt] = referees(&referee, &plays(&anna, "P>e3"));
    // Ben's words are what the referee would send after his move.
    let scratch = session("ref", "referee");
    let mut words = vec!["new", "--game", "unachess", "--id", "m", "--invited"];
    words.extend(PLAYERS);
    words.extend(["--moves", "P>e3 n>g5"]);
    scratch.parapost(words).stdout("m\n").run();
    let shown = ["send", "--resend", "m", "--print"];
    let shown = scratch
        .parapost(shown)
        .any_stdout()
        .any_stderr()
        .run()
        .stdout;
    let (_, body) = shown.split_once("\n\n").unwrap();
    assert!(body.contains("n>g5") && body.contains("half-moves made, hash "));
    reads(&anna, &receipt, "note");
    let before = log(&anna, "m").len();
    for (i, quote) in ["> ", "", "| "].into_iter().enumerate() {
        let words: Vec<String> = body.lines().map(|line| format!("{quote}{line}")).collect();
        let words = words.join("\n");
        let (head, rest) = receipt.split_once("\n\n").unwrap();
        let head = head.replace("Message-ID: <", &format!("Message-ID: <{i}."));
        let mail = format!("{head}\n\nBen writes:\n\n{words}\n{rest}");
        reads(&anna, &mail, "ignored");
    }
    assert_eq!(log(&anna, "m").len(), before);
}

#[test]
fn only_the_referees_address_enters_moves() {
    let (referee, _) = host();
    let (anna, ben) = (player("anna"), player("ben"));
    let [position, _] = referees(&referee, &plays(&anna, "P>e3"));
    let from = header(&position, "From:").to_owned();
    for (other, word) in [("ref@elsewhere.test", "-"), ("anna@example.org", "-")] {
        let forged = position.replace(&format!("From: {from}"), &format!("From: {other}"));
        receive(&ben, &[], &forged, word, "ignored").run();
    }
    assert_eq!(log(&ben, "m").len(), 1);
    // A list that goes two moves further is no next move either.
    let [to_anna, _] = referees(&referee, &plays_by_hand(&position, "n>g5"));
    let [further, _] = referees(&referee, &plays_by_hand(&to_anna, "B>f4"));
    reads(&ben, &further, "note");
    assert_eq!(log(&ben, "m").len(), 2);
    assert!(!log(&ben, "m")[1].contains(" move "));
}

/// A player's answer by hand to the referee's mail.
fn plays_by_hand(mail: &str, text: &str) -> String {
    let (to, id) = (header(mail, "To:"), header(mail, "Message-ID:"));
    let subject = header(mail, "Subject:");
    format!(
        "From: {to}\nSubject: Re: {subject}\nIn-Reply-To: {id}\nMessage-ID: <{}@hand.test>\n\n{text}\n",
        text.replace(['>', ' '], "")
    )
}

#[test]
fn the_opponent_cannot_bypass_the_referee() {
    let (referee, _) = host();
    let anna = player("anna");
    let [to_ben, _] = referees(&referee, &plays(&anna, "P>e3"));
    let before = log(&anna, "m").len();
    for text in ["n>f6", "resign", "offer draw"] {
        reads(&anna, &plays_by_hand(&to_ben, text), "ignored");
    }
    assert_eq!(log(&anna, "m").len(), before);
    let [position, _] = referees(&referee, &plays_by_hand(&to_ben, "n>g5"));
    reads(&anna, &position, "accepted");
}

#[test]
fn a_referees_policy_may_ask_for_a_token() {
    let config = config("ref", "referee") + "[policy]\nidentity = \"token\"\n";
    let (referee, invitations) = invites(
        Sandbox::new()
            .file("config.toml", config)
            .dir("games")
            .env("PARAPOST_CONFIG", "config.toml")
            .env("PARAPOST_NOW", NOW),
    );
    let (anna, ben) = (player("anna"), player("ben"));
    reads(&anna, &invitations[0], "note");
    reads(&ben, &invitations[1], "note");
    let [position, _] = referees(&referee, &plays(&anna, "P>e3"));
    reads(&ben, &position, "accepted");
    let [position, _] = referees(&referee, &plays(&ben, "n>g5"));
    reads(&anna, &position, "accepted");
}

#[test]
fn a_forged_referee_is_a_stranger_under_token() {
    let (referee, _) = host();
    let anna = careful("anna");
    let [to_ben, receipt] = referees(&referee, &plays(&anna, "P>e3"));
    reads(&anna, &receipt, "note");
    let [position, _] = referees(&referee, &plays_by_hand(&to_ben, "n>g5"));
    let (head, body) = position.split_once("\n\n").unwrap();
    let kept = |line: &&str| {
        ["From:", "Subject:", "Message-ID:", "Auto-Submitted:"]
            .iter()
            .any(|name| line.starts_with(name))
    };
    let fields: Vec<&str> = head.lines().filter(kept).collect();
    let cited = header(&to_ben, "Message-ID:");
    for cites in [String::new(), format!("In-Reply-To: {cited}\n")] {
        let forged = format!("{}\n{cites}\n{body}", fields.join("\n"));
        receive(&anna, &[], &forged, "m", "stranger").run();
    }
    reads(&anna, &position, "accepted");
    assert_eq!(events(&anna, 1).last().unwrap(), "move Black n>g5");
}

/// The opponent knows the id of a mail that was sent to the opponent's own address.
#[test]
fn a_mail_that_went_to_the_opponent_proves_no_referee() {
    let (referee, _) = host();
    let anna = careful("anna");
    let run = |words: &[&str]| {
        let run = anna.parapost(words.iter().copied());
        run.any_stdout().any_stderr().run().stdout
    };
    run(&["move", "m", "P>e3"]);
    run(&["mail", "redirect", "m", "ben@example.org", "--only", "3"]);
    let mail = run(&["send", "m", "--print"]);
    assert_eq!(header(&mail, "To:"), "Ben <ben@example.org>", "{mail}");
    let [to_ben, receipt] = referees(&referee, &mail);
    let id = header(&mail, "Message-ID:");
    assert!(receipt.contains(id), "{receipt}");
    let before = anna.read("games/m.txt");
    receive(&anna, &[], &receipt, "m", "stranger").run();
    let [position, _] = referees(&referee, &plays_by_hand(&to_ben, "n>g5"));
    receive(&anna, &[], &position, "m", "stranger").run();
    assert_eq!(anna.read("games/m.txt"), before);
}

#[test]
fn a_referee_is_somebody_else() {
    let new = |session: &Sandbox, referee: &str, says: &str| {
        let mut words = vec!["new", "--game", "unachess", "--id", "m"];
        words.extend(PLAYERS);
        words.extend(["--referee", referee]);
        let run = session.parapost(words).status(2).stderr_contains(says);
        run.run();
    };
    new(
        &session("anna", "player"),
        "ben@example.org",
        "a player of the match",
    );
    new(
        &session("ref", "referee"),
        "ref@example.org",
        "names somebody else",
    );
    new(
        &session("carl", "player"),
        "ref@example.org",
        "names somebody else",
    );
}
