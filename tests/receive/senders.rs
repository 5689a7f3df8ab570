//! Who may say it.

use super::{ben, letter, mails, receive, referee};

#[test]
fn only_the_player_to_move_plays() {
    let desk = referee();
    let before = desk.contents();
    for from in [
        "Ben <mallory@example.org>",
        "\"ben@example.org\" <mallory@example.org>",
        "ben@example.org, mallory@example.org",
        "Ben",
        "=?utf-8?q?Ben_=3Cben=40example=2Eorg=3E?=",
    ] {
        let letter = letter(from, "[m]", "n>g5\n");
        let output = receive(&desk, &["--print"], &letter, "m", "stranger").run();
        assert_eq!(output.stdout.lines().count(), 1, "{}", output.stdout);
    }
    let nowhere = letter("mallory@example.org", "hello", "n>g5\n");
    receive(&desk, &["--print"], &nowhere, "-", "stranger").run();
    let untouched: Vec<_> = desk.contents();
    let games = |files: &[(std::path::PathBuf, Vec<u8>)]| {
        let mut games = files.to_vec();
        games.retain(|(name, _)| name.starts_with("games"));
        games
    };
    let changed = games(&untouched);
    let changed: Vec<_> = changed
        .iter()
        .filter(|file| !before.contains(file))
        .collect();
    assert!(
        changed.iter().all(|(name, _)| name.ends_with(".m.lock")),
        "{changed:?}"
    );

    let white = letter("anna@example.org", "[m]", "N>f3\n");
    let output = receive(&desk, &["--print"], &white, "m", "not-your-turn").run();
    let mail = &mails(&output.stdout)[0];
    assert!(
        mail.contains("\nIt is Ben's move, so nothing has been played.\n"),
        "{mail}"
    );
    for from in ["BEN@Example.Org", "Somebody Else <ben@work.test>"] {
        let desk = referee();
        receive(&desk, &[], &letter(from, "[m]", "n>g5\n"), "m", "accepted").run();
    }
}

#[test]
fn machines_and_our_own_mail_are_passed_over_in_silence() {
    let desk = referee();
    let refused = receive(&desk, &["--print"], &ben("n>e3\n"), "m", "refused").run();
    let own = mails(&refused.stdout)[0].clone();
    let (_, own) = own.split_once('\n').unwrap();
    let own = own.replace("Auto-Submitted: auto-replied\n", "");
    let before = desk.read("games/m.txt");
    receive(&desk, &["--print"], &own, "m", "ignored").run();
    for field in [
        "Auto-Submitted: auto-replied",
        "Return-Path: <>",
        "Precedence: bulk",
        "Precedence: list",
        "List-Id: <games.example.test>",
        "Content-Type: multipart/report; boundary=x",
    ] {
        let letter = format!("{field}\n{}", ben("n>g5\n"));
        receive(&desk, &["--print"], &letter, "-", "ignored").run();
    }
    assert_eq!(before, desk.read("games/m.txt"));
}
