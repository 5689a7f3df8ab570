//! Reactions and edited messages, as Delta Chat sends them.

use super::{begin, ben, letter, log, mails, receive, referee};

/// The Message-ID of a letter.
fn id_of(letter: &str) -> &str {
    let (_, rest) = letter.split_once("Message-ID: ").unwrap();
    rest.lines().next().unwrap()
}

/// A letter that puts that one right.
fn edit(first: &str, from: &str, old: &str, new: &str) -> String {
    let body = format!("> {old}\n\n\u{270f}\u{fe0f}{new}\n");
    let id = id_of(first);
    let fields = format!(
        "Chat-Version: 1.0\nChat-Edit: {id}\nIn-Reply-To: {id}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    );
    fields + &letter(from, "Message from Ben", &body)
}

#[test]
fn a_reaction_is_no_note_and_is_never_answered() {
    let session = referee();
    let before = session.read("games/m.txt");
    let parts = |disposition: &str, text: &str| {
        format!(
            "MIME-Version: 1.0\nChat-Version: 1.0\n{}",
            ben("").replacen(
                "\n\n",
                &format!(
                    "\nContent-Type: multipart/mixed; boundary=x\n\n\
                     --x\nContent-Type: text/plain; charset=utf-8\n{disposition}\n\n{text}\n--x--\n"
                ),
                1
            )
        )
    };
    let whole = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Disposition: reaction\n";
    for reaction in [
        format!("{whole}{}", ben("\u{1f44d}\n")),
        format!("{whole}{}", ben("resign\n")),
        parts("Content-Disposition: reaction\n", "\u{1f44d} \u{2764}"),
        parts("content-disposition: Reaction; x=y\n", "n>g5"),
    ] {
        receive(&session, &["--print"], &reaction, "-", "ignored").run();
    }
    assert_eq!(before, session.read("games/m.txt"));
    // Another text beside a reaction counts.
    let both = parts("Content-Disposition: reaction\n", "resign")
        .replace("--x--", "--x\nContent-Type: text/plain\n\nn>g5\n--x--");
    receive(&session, &[], &both, "m", "accepted").run();
}

#[test]
fn an_edited_message_is_played_if_the_first_was_not() {
    for (first, word) in [
        ("n>g9", "refused"),
        ("I like n>g5", "confirm"),
        ("Hello", "note"),
    ] {
        let session = referee();
        begin(&session, "other", "P>e3");
        let mistyped = ben(&format!("{first}\n"));
        receive(&session, &[], &mistyped, "m", word).run();
        // It names its match by the message that it puts right.
        let corrected = edit(&mistyped, "ben@example.org", first, "n>g5");
        receive(&session, &[], &corrected, "m", "accepted").run();
        receive(&session, &[], &corrected, "m", "duplicate").run();
    }
}

/// An edited message whose move was played already is no next move.
#[test]
fn an_edited_message_changes_no_move_that_is_played() {
    let session = referee();
    let first = ben("n>g5\n");
    receive(&session, &[], &first, "m", "accepted").run();
    let told = |new: &str| {
        let corrected = edit(&first, "ben@example.org", "n>g5", new);
        let output = receive(&session, &["--print"], &corrected, "m", "refused").run();
        let mails = mails(&output.stdout);
        let [.., mail] = mails.as_slice() else {
            panic!("{}", output.stdout)
        };
        assert!(mail.contains("propose takeback"), "{mail}");
    };
    // The same move again is the same move.
    let same = edit(&first, "ben@example.org", "n>g5", "n>g5 !");
    receive(&session, &[], &same, "m", "duplicate").run();
    told("n>f6");
    let anna = letter("anna@example.org", "[m]", "B>f4\n");
    receive(&session, &[], &anna, "m", "accepted").run();
    told("n>c6");
    told("I would like n>d6");
    assert!(!session.read("games/m.txt").contains("move Black n>c6"));
    // A command is done.
    let takeback = edit(&first, "ben@example.org", "n>g5", "propose takeback");
    receive(&session, &[], &takeback, "m", "command").run();
}

/// Once it is taken back, the message is none whose move is played.
#[test]
fn an_edited_message_is_played_after_a_takeback() {
    let session = referee();
    let first = ben("n>g5\n");
    receive(&session, &[], &first, "m", "accepted").run();
    receive(&session, &[], &ben("propose takeback\n"), "m", "command").run();
    let agreed = letter("anna@example.org", "[m]", "accept takeback\n");
    receive(&session, &[], &agreed, "m", "command").run();
    let corrected = edit(&first, "ben@example.org", "n>g5", "n>f6");
    receive(&session, &[], &corrected, "m", "accepted").run();
}

#[test]
fn only_the_players_own_message_is_put_right() {
    let session = referee();
    let annas = letter("anna@example.org", "[m]", "Hello\n");
    receive(&session, &[], &annas, "m", "note").run();
    // It says what it says, as any other message.
    let other = edit(&annas, "ben@example.org", "Hello", "n>g5");
    receive(&session, &[], &other, "m", "accepted").run();
    // The opponent cannot have the player told anything.
    let first = ben("n>g5\n");
    let forged = edit(&first, "anna@example.org", "n>g5", "B>f4");
    receive(&session, &[], &forged, "m", "accepted").run();
}

/// A mistyped message that was overtaken by its correction would be the next move.
#[test]
fn a_message_that_comes_behind_its_correction_is_not_played() {
    let session = referee();
    let first = ben("n>c6\n");
    let corrected = edit(&first, "ben@example.org", "n>c6", "n>g5");
    receive(&session, &[], &corrected, "m", "accepted").run();
    let anna = letter("anna@example.org", "[m]", "B>f4\n");
    receive(&session, &[], &anna, "m", "accepted").run();
    let lines = log(&session, "m").len();
    receive(&session, &[], &first, "m", "duplicate").run();
    assert_eq!(log(&session, "m").len(), lines);
}

/// The second edit of a message whose first edit was played was the next move.
#[test]
fn a_message_edited_twice_is_played_once() {
    let session = referee();
    let first = ben("n>g9\n");
    receive(&session, &[], &first, "m", "refused").run();
    let once = edit(&first, "ben@example.org", "n>g9", "n>g5");
    receive(&session, &[], &once, "m", "accepted").run();
    let anna = letter("anna@example.org", "[m]", "B>f4\n");
    receive(&session, &[], &anna, "m", "accepted").run();
    let twice = edit(&first, "ben@example.org", "n>g5", "n>f6");
    receive(&session, &[], &twice, "m", "refused").run();
    // Nor is it named by what stands in the subject alone.
    let of_edit = edit(&once, "ben@example.org", "n>g5", "n>c6").replace("In-Reply-To", "X-Reply");
    receive(&session, &[], &of_edit, "m", "refused").run();
    assert!(!session.read("games/m.txt").contains("2.  B>f4  n"));
}
