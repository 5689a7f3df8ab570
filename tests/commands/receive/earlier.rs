//! Replies to mails of earlier versions: their wording, the two lines at their foot.

use super::{answer, begin, letter, log, receive, session};
use crate::support::Sandbox;

const POSITION: &str = include_str!("../../data/earlier/position-deadline.eml");

/// Anna, who has sent that mail, as far as can be made again.
fn anna() -> Sandbox {
    sent().0
}

/// Anna, and the mail as it is made today.
fn sent() -> (Sandbox, String) {
    let session = session("anna", "player").env("PARAPOST_NOW", "2026-11-20T03:00:00Z");
    let new = "new --game unachess --id m --invited --time 10d";
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>",
    ];
    let run = session.parapost(new.split(' ').chain(players));
    run.stdout("m\n").run();
    let run = session.parapost(["move", "m", "P>e3", "--print"]);
    let mail = run.any_stdout().any_stderr().run().stdout;
    (session, mail)
}

fn body() -> &'static str {
    POSITION.split_once("\n\n").unwrap().1
}

fn ben(body: &str) -> String {
    letter("Ben <ben@example.org>", "Re: your move", body)
}

fn marked(text: &str, mark: &str) -> String {
    text.lines()
        .map(|line| [mark, line, "\n"].concat())
        .collect()
}

#[test]
fn a_move_above_a_mail_of_an_earlier_version_is_played() {
    for quoted in [
        marked(body(), "> "),
        marked(body(), "| "),
        format!("Anna <anna@example.org> wrote:\n\n{}", marked(body(), "> ")),
        format!("-----Original Message-----\n{}", body()),
    ] {
        let reply = format!("n>g5\n\n{quoted}");
        receive(&anna(), &[], &ben(&reply), "m", "accepted").run();
    }
}

#[test]
fn a_move_typed_into_its_list_is_played() {
    let filled = body().replace("1.  P>e3\n", "1.  P>e3    n>g5\n");
    assert_ne!(filled, body());
    for mark in ["> ", "> > "] {
        let reply = format!("Here it is.\n\n{}", marked(&filled, mark));
        let (anna, mail) = sent();
        receive(&anna, &[], &answer(&mail, &reply), "m", "accepted").run();
    }
    // Its hash is still compared.
    let other = filled.replace("79680bc9d84487ee", "0123456789abcdef");
    let reply = marked(&other, "> ");
    receive(&anna(), &[], &ben(&reply), "m", "refused").run();
}

/// The foot names the match where nothing else does.
#[test]
fn its_foot_names_the_match() {
    let session = anna();
    begin(&session, "other", "");
    let wrapped = body().replace("half-move made.\nHash", "half-move\nmade. Hash");
    for text in [body(), &wrapped] {
        let reply = format!("n>e3\n\n{}", marked(text, "> "));
        receive(&session, &[], &ben(&reply), "m", "refused").run();
    }
    let reply = format!("n>g5\n\n{}", marked(body(), "> "));
    receive(&session, &[], &ben(&reply), "m", "accepted").run();
}

/// Without quote marks its sentences are ours, too.
#[test]
fn talk_above_its_unmarked_words_is_talk() {
    for text in [body().to_owned(), body().replace('\n', "\n\n")] {
        let session = anna();
        let reply = format!("Thanks, I'll think about it.\n\n{text}");
        receive(&session, &[], &ben(&reply), "m", "note").run();
        let log = log(&session, "m");
        let note = log.iter().find(|line| line.contains(" note ")).unwrap();
        let words = note.split_once("note Black ").unwrap().1;
        assert!(
            words.starts_with("\"Thanks, I'll think about it.\" "),
            "{note}"
        );
    }
}
