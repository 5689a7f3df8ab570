//! What becomes of an invitation and of a match that is over: `decline`, `withdraw`, `resign`
//! before the first move, the last day, `rematch`.

use super::{header, letter, log, mails, receive, session};
use crate::support::Sandbox;

const NEW: &[&str] = &["new", "--game", "unachess", "--id", "m", "--send"];

/// Anna, who has invited Ben to the match `m`, in which she has White.
fn anna(more: &[&str]) -> Sandbox {
    let session = session("anna", "player");
    let line = [NEW, more, &["Ben <ben@example.org>"]].concat();
    session.parapost(line).stdout("m\n").any_stderr().run();
    session
}

/// A referee who has invited Anna and Ben.
fn referee() -> Sandbox {
    let session = session("ref", "referee");
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>",
    ];
    session
        .parapost([NEW, &players].concat())
        .stdout("m\n")
        .any_stderr()
        .run();
    session
}

fn ben(body: &str) -> String {
    letter(
        "Ben <ben@example.org>",
        "Re: [m] Unachess: invitation",
        body,
    )
}

fn from_anna(body: &str) -> String {
    letter("Anna <anna@example.org>", "Re: [m] Unachess", body)
}

fn result(session: &Sandbox, id: &str) -> String {
    let file = session.read(format!("games/{id}.txt"));
    let line = file.lines().find_map(|line| line.strip_prefix("Result: "));
    line.unwrap().to_owned()
}

/// A text without its line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "takes long"]
fn an_invitation_is_declined_by_mail_and_the_inviter_is_told() {
    for body in [
        "decline\n",
        "I decline the invitation.\n",
        "Decline invitation\n\nNo time before May.\n",
    ] {
        let session = anna(&[]);
        let output = receive(&session, &["--print"], &ben(body), "m", "command").run();
        let mails = mails(&output.stdout);
        assert_eq!(mails.len(), 1, "{}", output.stdout);
        for piece in [
            "Received, thank you. Ben (Black) declines the invitation.",
            "Black has declined the invitation. The match has no result, and nobody has lost.",
        ] {
            assert!(flat(&mails[0]).contains(piece), "{piece}{}", mails[0]);
        }
        assert_eq!(result(&session, "m"), "* (declined)");
        assert!(
            log(&session, "m")
                .iter()
                .any(|line| line.contains(" invitation Black declined msg="))
        );
        session.parapost(["list"]).run();
        session
            .parapost(["list", "--all"])
            .stdout_contains("* (declined)")
            .run();
        // It is in no archive, whatever is asked for.
        session
            .parapost(["archive", "site", "--running"])
            .stderr_contains("0 matches")
            .run();
        // What comes later changes nothing.
        receive(&session, &[], &ben("p>e6\n"), "m", "over").run();
        receive(&session, &[], &ben("rematch\n"), "m", "refused").run();
    }
    let session = referee();
    let output = receive(&session, &["--print"], &ben("decline\n"), "m", "command").run();
    let mails = mails(&output.stdout);
    let told = mails
        .iter()
        .find(|mail| header(mail, "To:").starts_with("Anna"))
        .unwrap();
    assert_eq!(header(told, "Subject:"), "[m] Unachess: Anna - Ben");
    assert!(
        told.contains("\nBen (Black) declines the invitation.\n"),
        "{told}"
    );
}

#[test]
fn what_is_declined_is_asked_where_it_may_be_two_things() {
    let session = referee();
    receive(
        &session,
        &[],
        &from_anna("P>e3\noffer draw\n"),
        "m",
        "accepted",
    )
    .run();
    let output = receive(&session, &["--print"], &ben("decline\n"), "m", "ambiguous").run();
    for line in ["\n- \"decline invitation\": ", "\n- \"decline draw\": "] {
        assert!(output.stdout.contains(line), "{}", output.stdout);
    }
    assert!(
        !output.stdout.contains("decline takeback\":"),
        "{}",
        output.stdout
    );
    receive(&session, &[], &ben("decline draw\n"), "m", "command").run();
    receive(
        &session,
        &[],
        &from_anna("propose takeback\n"),
        "m",
        "command",
    )
    .run();
    let asked = receive(&session, &["--print"], &ben("Decline.\n"), "m", "ambiguous").run();
    assert!(
        asked.stdout.contains("\n- \"decline takeback\": "),
        "{}",
        asked.stdout
    );
    receive(&session, &[], &ben("decline invitation\n"), "m", "command").run();
    assert_eq!(result(&session, "m"), "* (declined)");
    // A move is an answer to the invitation.
    let session = anna(&[]);
    session.parapost(["move", "m", "P>e3"]).any_stderr().run();
    receive(&session, &[], &ben("p>e6\n"), "m", "accepted").run();
    receive(&session, &[], &ben("decline\n"), "m", "refused").run();
    assert_eq!(result(&session, "m"), "*");
}

#[test]
fn who_resigns_before_the_first_move_is_asked() {
    let session = anna(&[]);
    let output = receive(
        &session,
        &["--print"],
        &ben("I resign.\n"),
        "m",
        "ambiguous",
    )
    .run();
    for line in ["\n- \"decline invitation\": ", "\n- \"resign match\": "] {
        assert!(output.stdout.contains(line), "{}", output.stdout);
    }
    assert_eq!(result(&session, "m"), "*");
    receive(&session, &[], &ben("resign match\n"), "m", "command").run();
    assert_eq!(result(&session, "m"), "1-0 (resignation)");

    let session = anna(&[]);
    session.parapost(["move", "m", "P>e3"]).any_stderr().run();
    receive(&session, &[], &ben("p>e6\n"), "m", "accepted").run();
    receive(&session, &[], &ben("resign\n"), "m", "command").run();
    assert_eq!(result(&session, "m"), "1-0 (resignation)");
}

#[test]
fn the_program_of_the_invited_declines_and_that_of_the_inviter_withdraws() {
    for (who, word, event) in [
        ("ben", "decline", "invitation Black declined"),
        ("anna", "withdraw", "invitation White withdrawn"),
    ] {
        let anna = anna(&[]);
        let ben = session("ben", "player");
        ben.parapost(["receive", "--accept"])
            .stdin(invitation_of(&anna))
            .any_stdout()
            .any_stderr()
            .run();
        let (one, other) = if who == "ben" {
            (&ben, &anna)
        } else {
            (&anna, &ben)
        };
        // A resignation is not meant, most probably.
        one.parapost(["resign", "m"])
            .status(1)
            .stderr_contains(&format!(
                "'parapost {word} m' ends the match without a result"
            ))
            .run();
        let mail = one
            .parapost([word, "m", "--say", "resign\nSorry!", "--print"])
            .any_stdout()
            .run();
        let mail = mail.stdout.replace("\r\n", "\n");
        assert!(mail.contains("\n> resign\n> Sorry!\n"), "{mail}");
        other
            .parapost(["receive"])
            .stdin(&*mail)
            .stdout_contains("\tm\tcommand\n")
            .any_stderr()
            .run();
        for session in [one, other] {
            assert!(result(session, "m").starts_with("* ("), "{mail}");
            assert!(
                log(session, "m").iter().any(|line| line.contains(event)),
                "{mail}"
            );
        }
        one.parapost([word, "m"])
            .status(1)
            .stderr_contains("the game is over")
            .run();
    }
}

/// Went wrong: the invited got two mails, an invitation and that it was withdrawn.
#[test]
fn of_an_invitation_that_has_not_gone_nobody_is_told() {
    let session = session("anna", "player");
    let line = [&NEW[..5], &["Ben <ben@example.org>"]].concat();
    session.parapost(&line).stdout("m\n").any_stderr().run();
    session
        .parapost(["withdraw", "m", "--say", "Sorry!", "--send"])
        .stderr_contains("m: the invitation is withdrawn; it had not gone, so nobody is told\n")
        .run();
    assert_eq!(result(&session, "m"), "* (withdrawn)");
    session.parapost(["mail", "list", "m"]).run();
    session.parapost(["send"]).run();
    assert!(!session.path("games/outbox").exists());
    // Whoever has written about the match knows of it.
    let known = self::session("anna", "player");
    known.parapost(line).stdout("m\n").any_stderr().run();
    receive(
        &known,
        &[],
        &ben("Hello Anna, what about a match?\n"),
        "m",
        "note",
    )
    .run();
    known
        .parapost(["withdraw", "m", "--send"])
        .stderr_contains("m: the invitation is withdrawn; ")
        .stderr_contains(" lie")
        .run();
    // Once it may be on its way, Ben is told.
    let sent = anna(&[]);
    sent.parapost(["withdraw", "m", "--send"])
        .stderr_contains("m: the invitation is withdrawn; the mail lies in ")
        .run();
}

/// Went wrong: of two who began the rematch at once neither could take the other's word that it
/// is not played.
#[test]
#[ignore = "takes long"]
fn a_rematch_that_both_begin_at_once_can_be_ended_by_either() {
    for (who, word) in [
        ("anna", "withdraw"),
        ("ben", "withdraw"),
        ("anna", "decline"),
    ] {
        let (anna, ben) = (anna(&[]), session("ben", "player"));
        let mail = |from: &Sandbox, to: &Sandbox, words: &[&str]| {
            let line = [words, &["--print"]].concat();
            let printed = from.parapost(line).any_stderr().any_stdout().run();
            let mut command = vec!["receive"];
            if words[0] == "new" && !to.path("games/m.txt").exists() {
                command.push("--accept");
            }
            to.parapost(command)
                .stdin(printed.stdout.replace("\r\n", "\n"))
                .any_stdout()
                .any_stderr()
                .run()
        };
        ben.parapost(["receive", "--accept"])
            .stdin(invitation_of(&anna))
            .any_stdout()
            .any_stderr()
            .run();
        mail(&anna, &ben, &["move", "m", "P>e3"]);
        mail(&ben, &anna, &["move", "m", "p>e6"]);
        mail(&anna, &ben, &["resign", "m", "--yes"]);
        // Both begin it before the mail of the other comes.
        let begin = |session: &Sandbox| {
            let line = ["new", "--rematch", "m", "--print"];
            let run = session.parapost(line).any_stderr().any_stdout().run();
            run.stdout.replace("\r\n", "\n")
        };
        let [of_anna, of_ben] = [begin(&anna), begin(&ben)];
        for (to, invitation) in [(&ben, &of_anna), (&anna, &of_ben)] {
            to.parapost(["receive"])
                .stdin(invitation.as_str())
                .any_stdout()
                .any_stderr()
                .run();
        }
        let (_, id) = of_anna.split_once("Subject: [").unwrap();
        let id = &id[..6];
        let (one, other) = if who == "anna" {
            (&anna, &ben)
        } else {
            (&ben, &anna)
        };
        if word == "decline" {
            one.parapost([word, id])
                .status(1)
                .stderr_contains(&format!("'parapost withdraw {id}' does that"))
                .run();
            continue;
        }
        let told = mail(one, other, &[word, id]);
        assert!(told.stdout.contains("\tcommand\n"), "{}", told.stdout);
        for session in [one, other] {
            assert_eq!(result(session, id), "* (withdrawn)", "{who}");
        }
    }
}

/// The invitation in Anna's outbox.
fn invitation_of(anna: &Sandbox) -> String {
    let contents = anna.contents().into_iter();
    let mut texts = contents.filter_map(|(_, bytes)| String::from_utf8(bytes).ok());
    let mail = texts.find(|text| text.contains(" invites you to a match "));
    mail.expect("an invitation").replace("\r\n", "\n")
}

#[test]
fn an_invitation_lapses_behind_its_last_day() {
    let session = anna(&["--until", "2026-12-01"]);
    let mail = invitation_of(&session);
    for piece in [
        "The invitation stands until the end of Tuesday, 1 December 2026, wherever you live: if you have not played by then, it lapses.",
        "Until: 2026-12-01",
        "If you do not want to play, reply with \"decline\" alone on a line: the match then ends without a result, and nobody has lost.",
    ] {
        assert!(flat(&mail).contains(piece), "{piece}{mail}");
    }
    session.parapost(["move", "m", "P>e3"]).any_stderr().run();
    session
        .parapost(["list"])
        .stdout_contains("invited until 2026-12-02T12:00:00Z")
        .run();
    let late = session.env("PARAPOST_NOW", "2026-12-02T12:00:00Z");
    late.parapost(["list"])
        .stdout_contains("the invitation has lapsed")
        .run();
    let output = receive(&late, &["--print"], &ben("p>e6\n"), "m", "over").run();
    assert!(
        flat(&output.stdout).contains(
            "The invitation has lapsed: it stood until the end of Tuesday, 1 December 2026."
        ),
        "{}",
        output.stdout
    );
    assert_eq!(result(&late, "m"), "* (lapsed)");
    // The other program does not enter it any more.
    let ben = super::session("ben", "player").env("PARAPOST_NOW", "2026-12-02T12:00:00Z");
    ben.parapost(["receive", "--accept"])
        .stdin(mail)
        .status(1)
        .any_stdout()
        .stderr_contains("it has lapsed")
        .run();

    let session = anna(&["--until", "2026-12-01"]).env("PARAPOST_NOW", "2026-12-02T12:00:00Z");
    session
        .parapost(["move", "m", "P>e3"])
        .status(1)
        .stderr_contains("the invitation has lapsed")
        .run();
    session.parapost(["withdraw", "m"]).any_stderr().run();
}

#[test]
fn a_rematch_is_one_match_with_the_colours_changed() {
    let session = anna(&["--time", "10d", "--option", "no-double-step"]);
    play_to_the_end(&session);
    let output = receive(&session, &["--print"], &ben("Rematch!\n"), "m", "command").run();
    let id = log(&session, "m")
        .iter()
        .find_map(|line| {
            Some(
                line.split_once(" rematch Black ")?
                    .1
                    .split(' ')
                    .next()?
                    .to_owned(),
            )
        })
        .unwrap();
    let mails = mails(&output.stdout);
    assert_eq!(mails.len(), 5, "{}", output.stdout);
    assert!(
        output
            .stdout
            .contains(&format!("\nThe rematch is game {id}: ")),
        "{}",
        output.stdout
    );
    assert!(
        flat(&output.stdout).contains("in which you play White."),
        "{}",
        output.stdout
    );
    let file = session.read(format!("games/{id}.txt"));
    for line in [
        "White: Ben <",
        "Black: anna <",
        "Time: 10d\n",
        "Options: no-double-step\n",
    ] {
        assert!(file.contains(line), "{file}");
    }
    // Whoever asks once more, and however.
    let output = receive(
        &session,
        &["--print"],
        &ben("Please.\n\nrematch\n"),
        "m",
        "command",
    )
    .run();
    assert!(
        output
            .stdout
            .contains(&format!("is there already: game {id}.")),
        "{}",
        output.stdout
    );
    session
        .parapost(["new", "--rematch", "m"])
        .stdout(format!("{id}\n"))
        .stderr_contains("already")
        .run();
    let is_match = |path: &std::path::Path| {
        path.parent()
            .is_some_and(|folder| folder.ends_with("games"))
            && path.extension().is_some_and(|kind| kind == "txt")
    };
    let contents = session.contents();
    let matches = contents.iter().filter(|(path, _)| is_match(path)).count();
    assert_eq!(matches, 2);
}

/// Plays a match until its end, with a word of a rematch before.
fn play_to_the_end(session: &Sandbox) {
    session.parapost(["move", "m", "P>e3"]).any_stderr().run();
    receive(session, &[], &ben("p>e6\n"), "m", "accepted").run();
    receive(session, &[], &ben("rematch\n"), "m", "refused").run();
    receive(session, &[], &ben("resign\n"), "m", "command").run();
}

#[test]
fn a_rematch_is_begun_once_by_whomever() {
    // By the command first: the other's letter begins no second one.
    let session = anna(&[]);
    play_to_the_end(&session);
    let output = session
        .parapost(["new", "--rematch", "m", "--send"])
        .any_stdout()
        .stderr_contains("Ben is invited to a rematch")
        .run();
    let id = output.stdout.trim().to_owned();
    let output = receive(&session, &["--print"], &ben("Rematch.\n"), "m", "command").run();
    assert!(
        output
            .stdout
            .contains(&format!("is there already: game {id}.")),
        "{}",
        output.stdout
    );

    // A referee invites both.
    let session = referee();
    receive(&session, &[], &from_anna("P>e3\n"), "m", "accepted").run();
    receive(&session, &[], &ben("p>e6\n"), "m", "accepted").run();
    receive(&session, &[], &ben("resign\n"), "m", "command").run();
    let output = receive(
        &session,
        &["--print"],
        &from_anna("rematch\n"),
        "m",
        "command",
    )
    .run();
    let mails = super::mails(&output.stdout);
    let invited: Vec<&str> = mails
        .iter()
        .filter(|mail| mail.contains("\nref is the referee of a match "))
        .map(|mail| header(mail, "To:"))
        .collect();
    assert_eq!(invited.len(), 2, "{}", output.stdout);
}

/// Went wrong: whoever was invited to a match with moves could only lose it, and the inviter went on
/// to the next by losing it.
#[test]
fn moves_that_were_taken_over_are_no_answer_to_the_invitation() {
    let moves = ["--moves", "K>e1 k>e8 P>e4 n>b6 P>d2"];
    let declined = anna(&moves);
    receive(&declined, &[], &ben("decline\n"), "m", "command").run();
    assert_eq!(result(&declined, "m"), "* (declined)");
    let withdrawn = anna(&moves);
    withdrawn.parapost(["withdraw", "m"]).any_stderr().run();
    assert_eq!(result(&withdrawn, "m"), "* (withdrawn)");
    // Whoever has moved there means a resignation.
    let resigned = anna(&moves);
    receive(&resigned, &[], &ben("resign\n"), "m", "command").run();
    assert_eq!(result(&resigned, "m"), "1-0 (resignation)");
    // Nor have both moved then, as a rematch asks for.
    let lost = anna(&moves);
    let mail = lost
        .parapost(["resign", "m", "--yes", "--print"])
        .any_stdout()
        .any_stderr()
        .run();
    assert!(!mail.stdout.contains("rematch"), "{}", mail.stdout);
    receive(&lost, &[], &ben("rematch\n"), "m", "refused").run();
}

/// Went wrong: by losing a match a player forced the other one into the next.
#[test]
fn a_rematch_that_a_letter_begins_can_be_declined_by_the_other_player() {
    let session = anna(&[]);
    play_to_the_end(&session);
    let output = receive(&session, &["--print"], &ben("Rematch!\n"), "m", "command").run();
    let (_, id) = output.stdout.split_once("The rematch is game ").unwrap();
    let id = &id[..6];
    session
        .parapost(["decline", id])
        .any_stdout()
        .any_stderr()
        .run();
    assert_eq!(result(&session, id), "* (declined)");
}

/// Went wrong: one player alone began match after match, and lost each.
#[test]
fn a_rematch_follows_a_match_in_which_both_have_moved() {
    let session = anna(&[]);
    receive(&session, &[], &ben("resign match\n"), "m", "command").run();
    receive(&session, &[], &ben("rematch\n"), "m", "refused").run();
    session
        .parapost(["new", "--rematch", "m"])
        .status(1)
        .stderr_contains("not both players have moved")
        .run();
}

/// Went wrong: the match went on, and so did the one that followed it.
#[test]
fn the_end_of_a_match_that_another_follows_stays() {
    let session = anna(&[]);
    session.parapost(["move", "m", "P>e3"]).any_stderr().run();
    receive(&session, &[], &ben("p>e6\n"), "m", "accepted").run();
    session
        .parapost(["resign", "m", "--yes"])
        .any_stderr()
        .run();
    session
        .parapost(["new", "--rematch", "m"])
        .any_stdout()
        .any_stderr()
        .run();
    session
        .parapost(["undo", "m"])
        .status(1)
        .stderr_contains("follows this one already")
        .run();
}

/// Went wrong: the letter waited for ever, and nobody heard of it.
#[test]
fn a_rematch_whose_id_is_taken_is_answered() {
    let session = anna(&[]);
    play_to_the_end(&session);
    let id = session
        .parapost(["new", "--rematch", "m"])
        .any_stdout()
        .any_stderr()
        .run()
        .stdout;
    let id = id.trim();
    // The same once more, with a match of somebody else's there.
    let session = anna(&[]);
    play_to_the_end(&session);
    session
        .parapost(["new", "--game", "chess", "--id", id, "zoe@example.org"])
        .any_stdout()
        .any_stderr()
        .run();
    receive(&session, &["--print"], &ben("Rematch!\n"), "m", "refused").run();
}
