//! The same letter, or the same move, once more.

use super::{begin, ben, receive, referee, session};

#[test]
fn the_same_letter_again_changes_nothing() {
    for (body, word) in [
        ("n>g5\n", "accepted"),
        ("n>e3\n", "refused"),
        ("I like n>g5\n", "confirm"),
        ("help\n", "command"),
        ("resign\n", "command"),
        ("Hello!\n", "note"),
    ] {
        let session = referee();
        receive(&session, &["--print"], &ben(body), "m", word).run();
        let after = session.read("games/m.txt");
        let output = receive(&session, &["--print"], &ben(body), "m", "duplicate").run();
        assert_eq!(output.stdout.lines().count(), 1, "{body}");
        assert_eq!(after, session.read("games/m.txt"), "{body}");
    }
}

#[test]
fn the_same_move_in_another_letter_changes_nothing() {
    let session = referee();
    receive(&session, &["--print"], &ben("n>g5\n"), "m", "accepted").run();
    let after = session.read("games/m.txt");
    for body in [
        "n>g5\n\n",
        "1... n>g5\n",
        "N>g5 !\n",
        "> 1.  P>e3    n>g5\n>\n> Game m, 1 half-moves made.\n",
    ] {
        let output = receive(&session, &["--print"], &ben(body), "m", "duplicate").run();
        assert_eq!(output.stdout.lines().count(), 1, "{body}");
    }
    assert_eq!(after, session.read("games/m.txt"));
    receive(&session, &[], &ben("n>f6\n"), "m", "not-your-turn").run();
}

#[test]
fn a_letter_without_an_id_is_known_again() {
    let session = referee();
    let letter = "From: ben@example.org\nSubject: [m]\n\nn>g5\n";
    let mut outputs = Vec::new();
    for _ in 0..2 {
        let run = session.parapost(["receive"]).stdin(letter).any_stdout();
        outputs.push(run.run().stdout);
    }
    assert!(
        outputs[0].ends_with("@derived.invalid>\tm\taccepted\n"),
        "{outputs:?}"
    );
    assert_eq!(outputs[1], outputs[0].replace("accepted", "duplicate"));
}

/// The answer to a letter that came behind a move was lost when the move was
/// taken back.
#[test]
fn a_letter_is_answered_though_a_move_is_taken_back() {
    let session = session("anna", "player");
    begin(&session, "m", "P>e3 n>g5");
    let run = |words: &[&str]| {
        let words = words.iter().copied();
        session
            .parapost(words)
            .any_stdout()
            .any_stderr()
            .run()
            .stdout
    };
    run(&["move", "m", "B>f4"]);
    receive(&session, &[], &ben("help\n"), "m", "command").run();
    run(&["undo", "m"]);
    let sent = run(&["send", "--print"]);
    assert!(sent.contains("You asked for help."), "{sent}");
    assert!(sent.contains("Game m, 2 half-moves made,"), "{sent}");
    assert!(!sent.contains("B>f4"), "{sent}");
    assert_eq!(run(&["send", "--print"]), "");
    receive(&session, &["--print"], &ben("help\n"), "m", "duplicate").run();
}
