//! Programs that read the mails of a referee who sends HTML beside the text.

use super::{config, letter, mails, receive, session};
use crate::support::Sandbox;

fn referee() -> Sandbox {
    let config = config("ref", "referee").replace("html = false", "html = true");
    session("ref", "referee").file("config.toml", config)
}

fn header<'a>(mail: &'a str, name: &str) -> &'a str {
    let mut lines = mail.lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .unwrap()
        .trim()
}

/// The mail without the `From ` line of its mailbox.
fn alone(mail: &str) -> &str {
    mail.split_once('\n').unwrap().1
}

/// A player's own program enters the match from the invitation and the opponent's move
/// from the next mail, as from text alone.
#[test]
fn a_players_program_reads_the_text() {
    let referee = referee();
    referee
        .parapost(["new", "--game", "unachess", "--id", "m"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "Ben <ben@example.org>"])
        .any_stdout()
        .any_stderr()
        .run();
    let command = ["send", "--print", "m"];
    let sent = referee.parapost(command).any_stdout().any_stderr().run();
    let invitations = mails(&sent.stdout);
    let of_ben = invitations
        .iter()
        .find(|mail| header(mail, "To:").contains("ben"));
    let ben = session("ben", "player");
    ben.parapost(["receive", "--accept"])
        .stdin(alone(of_ben.unwrap()))
        .stdout_contains("\tm\tinvitation\n")
        .any_stderr()
        .run();
    let first = letter("Anna <anna@example.org>", "Re: [m]", "P>e3\n");
    let moved = receive(&referee, &["--print"], &first, "m", "accepted").run();
    let moved = mails(&moved.stdout);
    let position = moved
        .iter()
        .find(|mail| header(mail, "To:").contains("ben"));
    let position = alone(position.unwrap());
    assert!(
        position.contains("Content-Type: multipart/related"),
        "{position}"
    );
    receive(&ben, &[], position, "m", "accepted").run();
    // A mail proves the record that it shows.
    ben.parapost(["verify", "m", "-"])
        .stdin(position)
        .any_stdout()
        .any_stderr()
        .run();
    let answer = ben.parapost(["move", "m", "n>g5", "--print"]);
    let answer = answer.any_stdout().any_stderr().run();
    receive(&referee, &["--print"], &answer.stdout, "m", "accepted").run();
}
