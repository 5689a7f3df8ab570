//! The board of a mail with files and ranks, or from the reader's side: read back as ever.

use super::{answer, config, receive, session};
use crate::support::Sandbox;

/// The user of that name with these settings of mail, who has begun a match with those
/// moves and made one more, and the mail with it.
fn mailed(name: &str, mail: &str, game: &str, moves: &str, next: &str) -> (Sandbox, String) {
    let (session, mail) = whole(name, mail, game, moves, next);
    (session, mail.split_once("\n\n").unwrap().1.to_owned())
}

/// The same with the header of the mail.
fn whole(name: &str, mail: &str, game: &str, moves: &str, next: &str) -> (Sandbox, String) {
    let session = session(name, "player");
    session.write("config.toml", config(name, "player") + mail);
    let words = ["new", "--game", game, "--id", "m", "--invited"];
    let players = ["--white", "anna@example.org", "--black", "ben@example.org"];
    let more: &[&str] = if moves.is_empty() {
        &[]
    } else {
        &["--moves", moves]
    };
    let words = words.iter().chain(&players).chain(more);
    session.parapost(words.copied()).stdout("m\n").run();
    let run = session.parapost(["move", "m", next, "--print"]);
    let sent = run.any_stdout().any_stderr().run().stdout;
    (session, sent)
}

#[test]
fn the_board_has_edges_and_may_be_the_readers() {
    let (_, body) = mailed("anna", "coords = true\n", "unachess", "", "P>e3");
    assert!(body.contains("\n3  - - - - P - - -\n"), "{body}");
    assert!(body.contains("\n   a b c d e f g h "), "{body}");
    // Ben, the reader, plays Black.
    let (_, body) = mailed("anna", "side = \"own\"\n", "unachess", "", "P>e3");
    assert!(body.contains("\n3  - - - P - - - - "), "{body}");
    assert!(body.contains("\n   h g f e d c b a"), "{body}");
    let (_, body) = mailed("ben", "side = \"own\"\n", "unachess", "P>e3", "n>g5");
    assert!(body.contains("\n3  - - - - P - - -\n"), "{body}");
    let (_, body) = mailed("anna", "side = \"white\"\n", "unachess", "", "P>e3");
    assert!(body.contains("\n- - - - P - - -\n"), "{body}");
}

#[test]
#[ignore = "takes long"]
fn a_reply_that_quotes_it_is_read() {
    for (game, first, next) in [
        ("unachess", "P>e3", "n>g5"),
        ("unashogi", "P>e3", "n>g5"),
        ("newchess", "N>f3", "n>f6/e6"),
        ("shogi", "P-c4", "p-c6"),
    ] {
        let next = if game == "newchess" { "n>f6" } else { next };
        for mail in ["", "coords = true\n", "side = \"own\"\n"] {
            let (_, body) = mailed("anna", mail, game, "", first);
            let row = format!("1.  {first}");
            assert!(body.contains(&row), "{body}");
            let filled = body.replace(&row, &format!("{row}    {next}"));
            for (text, mark) in [
                (&filled, "> "),
                (&filled, "> > "),
                (&body, "> "),
                (&body, ""),
            ] {
                for says in ["", "Thanks, I'll think about it.\n\n"] {
                    let (session, sent) = whole("anna", mail, game, "", first);
                    let quoted: String = text
                        .lines()
                        .map(|line| [mark, line, "\n"].concat())
                        .collect();
                    let own = if text == &body && says.is_empty() {
                        next
                    } else {
                        ""
                    };
                    let reply = format!("{own}\n\n{says}{quoted}");
                    let reply = answer(&sent, &reply);
                    let is_move = text == &filled || !own.is_empty();
                    let word = if is_move { "accepted" } else { "note" };
                    receive(&session, &[], &reply, "m", word).run();
                }
            }
        }
    }
}

/// What is pasted into `check` has the same position.
#[test]
fn a_pasted_mail_is_the_same_match() {
    let checked = |mail: &str| {
        let (session, body) = mailed("anna", mail, "unashogi", "P>e3 n>g5", "K>a1");
        let run = session.parapost(["check"]).stdin(body);
        run.any_stdout().any_stderr().run().stdout
    };
    let plain = checked("");
    assert!(plain.contains("2.  K>a1"), "{plain}");
    assert_eq!(checked("coords = true\n"), plain);
    assert_eq!(checked("side = \"own\"\n"), plain);
}
