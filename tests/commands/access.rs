//! Who else can use the files of matches, and what is no file of a match.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Sandbox;

const CONFIG: &str = "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";

/// Anna's folder, with no match yet.
fn anna() -> Sandbox {
    Sandbox::new()
        .file("config.toml", CONFIG)
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_GAMES", "club/games")
        .env("PARAPOST_NOW", "2026-11-20T05:00:00Z")
}

/// Begins the match `m` of Anna and Ben and plays a move.
fn begin(session: &Sandbox) {
    session
        .parapost(["new", "--game", "unachess", "--id", "m", "--send"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "Ben <ben@example.test>"])
        .stdout("m\n")
        .any_stderr()
        .run();
    session
        .parapost(["move", "m", "P>e3", "--send"])
        .any_stderr()
        .run();
}

fn mode(session: &Sandbox, name: &str) -> u32 {
    let found = fs::metadata(session.path(name)).unwrap();
    found.permissions().mode() & 0o7777
}

fn set_mode(session: &Sandbox, name: &str, mode: u32) {
    fs::set_permissions(session.path(name), Permissions::from_mode(mode)).unwrap();
}

/// The modes of the games folder and of all below it, by name.
fn modes(session: &Sandbox) -> Vec<(String, u32)> {
    let names = session.contents();
    let names = names.iter().filter_map(|(name, _)| name.to_str());
    let own = names.filter(|name| name.starts_with("club/"));
    own.map(|name| (name.to_owned(), mode(session, name)))
        .collect()
}

const LETTER: &str = "From: ben@example.test\nSubject: [m]\nMessage-ID: <1@ben.test>\n\nn>g5\n";

/// State files, outbox and locks were 0644: other users read the tokens and could hold the lock.
#[test]
fn what_is_new_is_for_the_user_alone() {
    let session = anna();
    begin(&session);
    for folder in ["club", "club/games", "club/games/outbox"] {
        assert_eq!(mode(&session, folder), 0o700, "{folder}");
    }
    let modes = modes(&session);
    assert!(modes.len() >= 5, "{modes:?}");
    assert!(modes.iter().all(|(_, mode)| *mode == 0o600), "{modes:?}");
}

#[test]
fn in_a_shared_folder_it_is_for_its_group() {
    let session = anna().dir("club");
    set_mode(&session, "club", 0o2770);
    begin(&session);
    for folder in ["club/games", "club/games/outbox"] {
        assert_eq!(mode(&session, folder), 0o2770, "{folder}");
    }
    let all = modes(&session);
    assert!(all.iter().all(|(_, mode)| *mode == 0o660), "{all:?}");
    session.parapost(["note", "m", "hello"]).any_stderr().run();
    assert_eq!(modes(&session), all);
}

#[test]
fn what_is_there_keeps_the_rights_of_its_group_and_loses_those_of_others() {
    let session = anna();
    begin(&session);
    for (before, after) in [
        (0o644, 0o640),
        (0o666, 0o660),
        (0o606, 0o600),
        (0o600, 0o600),
    ] {
        for name in ["m.txt", ".m.lock"] {
            set_mode(&session, &format!("club/games/{name}"), before);
        }
        session.parapost(["note", "m", "hello"]).any_stderr().run();
        for name in ["m.txt", ".m.lock"] {
            assert_eq!(
                mode(&session, &format!("club/games/{name}")),
                after,
                "{name}"
            );
        }
    }
}

#[test]
fn list_and_verify_say_that_others_can_read_and_a_delivery_does_not() {
    let session = anna();
    begin(&session);
    let why = "others can read or change m.txt in this folder";
    set_mode(&session, "club/games/m.txt", 0o644);
    // Nobody gets at it through a folder that is the user's alone.
    session.parapost(["list"]).any_stdout().run();
    set_mode(&session, "club/games", 0o755);
    for command in [&["list"][..], &["verify", "m"]] {
        session
            .parapost(command.iter().copied())
            .any_stdout()
            .stderr_contains(why)
            .run();
    }
    session
        .parapost(["receive", "--deliver"])
        .stdin(LETTER)
        .any_stdout()
        .run();
    // It was replaced by one that others cannot read.
    assert_eq!(mode(&session, "club/games/m.txt"), 0o640);
    session.parapost(["list"]).any_stdout().run();
}

/// A copy held up every letter that names no match, and nobody was told of a file under another name.
#[test]
fn a_match_under_another_name_is_passed_over_named_and_taken_in() {
    let session = anna();
    begin(&session);
    let text = session.read("club/games/m.txt");
    session.write("club/games/m-backup.txt", &text);
    session.write("club/games/m (conflicted copy).txt", &text);
    let other = text.replace("\nId: m\n", "\nId: k\n");
    session.write("club/games/Game with Ben.TXT", &other);
    for number in 0..3 {
        session.write(format!("club/games/a{number}.txt"), "milk\n");
    }
    let listed = session.parapost(["list"]).any_stdout().any_stderr().run();
    for said in [
        "m-backup.txt: this is a copy of the match m, and is passed over; to compare the two: parapost verify m ",
        "m (conflicted copy).txt: this is a copy of the match m",
        "Game with Ben.TXT: this is the match k under another name, and is passed over; to take it in: parapost import '",
        "a0.txt and 2 more files: these are no matches",
    ] {
        assert!(listed.stderr.contains(said), "{}", listed.stderr);
    }
    let stranger = "From: mallory@evil.test\nMessage-ID: <2@evil.test>\n\nHello\n";
    session
        .parapost(["receive", "--deliver"])
        .stdin(stranger)
        .stdout("<2@evil.test>\t-\tstranger\n")
        .any_stderr()
        .run();
    let import = |file: &str| session.parapost(["import", file]);
    import("club/games/m-backup.txt")
        .stderr_contains("match m is there already")
        .run();
    session.write("other.txt", text.replace("White: ", "White: X"));
    import("other.txt").any_stderr().status(1).run();
    import("club/games/a0.txt")
        .stderr_contains("there is no match in it")
        .status(1)
        .run();
    import("nothing.txt")
        .stderr_contains("there is no such file or folder")
        .status(1)
        .run();
    assert_eq!(session.read("club/games/m.txt"), text);
    std::fs::remove_file(session.path("club/games/m.txt")).unwrap();
    import("club/games/m (conflicted copy).txt")
        .stderr_contains("match m copied to ")
        .run();
    assert_eq!(session.read("club/games/m.txt"), text);
}

/// Any `.txt` in the games folder put off all mail that names no match.
#[test]
fn a_text_that_is_no_match_is_passed_over_and_named() {
    let session = anna();
    begin(&session);
    session.write("club/games/shopping.txt", "milk\n");
    for command in [&["list"][..], &["verify", "m"]] {
        session
            .parapost(command.iter().copied())
            .any_stdout()
            .stderr_contains("shopping.txt: this is no match, and is passed over")
            .run();
    }
    let stranger = "From: mallory@evil.test\nMessage-ID: <2@evil.test>\n\nHello\n";
    session
        .parapost(["receive", "--deliver"])
        .stdin(stranger)
        .stdout("<2@evil.test>\t-\tstranger\n")
        .any_stderr()
        .run();
    let unnamed = LETTER.replace("Subject: [m]\n", "");
    session
        .parapost(["receive", "--deliver"])
        .stdin(unnamed)
        .stdout("<1@ben.test>\tm\taccepted\n")
        .run();
    session.parapost(["send"]).any_stderr().run();
}

/// A letter that may be about a damaged match waits, and is never a stranger's.
#[test]
#[ignore = "takes long"]
fn a_text_with_any_sign_of_a_match_is_a_damaged_one() {
    for (text, lock) in [
        ("milk\n", true),
        ("Format: 1\n", false),
        ("", false),
        ("2026-11-20T03:05:00Z move White P>e3\n", false),
    ] {
        let session = anna();
        begin(&session);
        session.write("club/games/shopping.txt", text);
        if lock {
            session.write("club/games/.shopping.lock", "");
        }
        for letter in [
            "From: carl@example.test\nMessage-ID: <1@c.test>\n\nn>g5\n",
            "From: carl@example.test\nSubject: [m]\nMessage-ID: <1@c.test>\n\nn>g5\n",
            "From: ben@example.test\nMessage-ID: <1@c.test>\n\nn>g5\n",
        ] {
            session
                .parapost(["receive", "--deliver"])
                .stdin(letter)
                .stdout_contains("\tdeferred\n")
                .any_stderr()
                .status(75)
                .run();
        }
        session
            .parapost(["list"])
            .any_stdout()
            .stderr_contains("shopping.txt")
            .status(1)
            .run();
        // Whoever names another match that is theirs is not held up.
        session
            .parapost(["receive", "--deliver"])
            .stdin(LETTER)
            .stdout("<1@ben.test>\tm\taccepted\n")
            .run();
    }
}
