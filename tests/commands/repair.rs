//! `parapost repair` as it is used (docs/cli.md).

use std::fs;

use parapost::matches::r#match::Match;

use crate::commands::verify::{house, verify};
use crate::support::{Sandbox, Test};

const DEMO: &str = include_str!("../../games/demo.txt");
const REPLY: &str = include_str!("../../games/reply.eml");

fn repair(house: &Sandbox, more: &[&str]) -> Test {
    house.parapost([&["repair", "demo"], more].concat())
}

/// Repairs, and holds that the file is whole and says the same as before.
fn repaired(house: &Sandbox, more: &[&str]) -> String {
    let damaged = fs::read(house.path("games/demo.txt")).ok();
    let before = house.contents();
    let shown = repair(house, more).any_stdout().run().stdout;
    assert!(
        shown.ends_with("demo: nothing is changed yet: --write does it\n"),
        "{shown}"
    );
    assert_eq!(
        house.contents(),
        before,
        "nothing is done before it is asked for"
    );
    let done = repair(house, &[more, &["--write"]].concat())
        .any_stdout()
        .run()
        .stdout;
    let (plan, _) = shown.rsplit_once("demo: nothing").unwrap();
    assert!(
        done.starts_with(plan),
        "what is shown is what is done: {done}"
    );
    verify(house, &[])
        .stdout_contains("demo: whole: 3 half-moves, hash cd76e8f319a4865e\n")
        .any_stdout()
        .run();
    if let Some(damaged) = damaged {
        assert!(
            done.ends_with(
                "games/demo.txt is written; what it was is in games/demo.txt.damaged-1\n"
            ),
            "{done}"
        );
        assert_eq!(
            fs::read(house.path("games/demo.txt.damaged-1")).unwrap(),
            damaged
        );
    }
    shown
}

#[test]
fn a_list_edited_by_hand_is_written_anew_from_the_log() {
    let house = house(
        &DEMO
            .replace("2.  B>f4\n", "2.  B>g4\n")
            .replace("- - - - - B - -", "- - - - - - - -"),
    );
    let shown = repaired(&house, &[]);
    assert!(shown.contains("written anew from the log"), "{shown}");
    // What a person has changed is named.
    assert!(shown.contains("left out"), "{shown}");
    assert!(shown.contains("2.  B>g4"), "{shown}");
    assert_eq!(house.read("games/demo.txt"), DEMO, "to the byte");
    repair(&house, &["--write"])
        .stdout("demo: the file is whole: nothing is to be done\n")
        .run();
}

#[test]
fn what_was_before_is_never_overwritten() {
    let damaged = DEMO.replace("2.  B>f4\n", "2.  B>g4\n");
    let house = house(&damaged).file("games/demo.txt.damaged-1", "precious");
    repair(&house, &["--write"])
        .stdout_contains("demo.txt.damaged-2\n")
        .run();
    assert_eq!(house.read("games/demo.txt.damaged-1"), "precious");
    assert_eq!(house.read("games/demo.txt.damaged-2"), damaged);
    house
        .parapost(["list"])
        .stdout_contains("demo  unachess")
        .run();
}

#[test]
fn a_line_that_was_changed_is_chained_anew_and_the_log_says_so() {
    let house = house(&DEMO.replace("T07:45:00Z move", "T07:46:00Z move"));
    let shown = repaired(&house, &[]);
    assert!(shown.contains("line 56 was changed"), "{shown}");
    let text = house.read("games/demo.txt");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("2026-11-20T05:00:00Z repaired - \"line 56 was changed"),
        "{last}"
    );
    verify(&house, &[])
        .stdout_contains("\ndemo: repaired 2026-11-20T05:00:00Z: line 56 was changed")
        .run();
}

#[test]
fn a_line_that_the_chain_does_not_know_is_left_out() {
    let resigns = "2026-11-06T07:45:00Z resign White";
    for line in [resigns, "Hello there", "2026-11-06T07:45:00Z note"] {
        let (before, after) = DEMO.split_once("2026-11-05T07:45:00Z sent White").unwrap();
        let house = house(&format!(
            "{before}{line}\n2026-11-05T07:45:00Z sent White{after}"
        ));
        let shown = repaired(&house, &[]);
        let said = format!("demo: line 60 is left out: the chain holds without it: {line}\n");
        assert!(shown.contains(&said), "{shown}");
        assert_eq!(house.read("games/demo.txt"), DEMO, "to the byte");
    }
}

#[cfg(unix)]
#[test]
fn the_old_file_is_kept_from_whom_it_was_kept() {
    use std::os::unix::fs::PermissionsExt as _;

    let house = house(&DEMO.replace("2.  B>f4\n", "2.  B>g4\n"));
    let mode = |name: &str| fs::metadata(house.path(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(
        house.path("games/demo.txt"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    repair(&house, &["--write"]).any_stdout().run();
    assert_eq!(
        (mode("games/demo.txt"), mode("games/demo.txt.damaged-1")),
        (0o600, 0o600)
    );
}

#[test]
fn a_move_that_was_changed_is_known_by_the_hash_of_its_line() {
    let house = house(&DEMO.replace("move White B>f4", "move White B>g4"));
    let shown = repaired(&house, &[]);
    assert!(
        shown.contains("which the hash of the line proves"),
        "{shown}"
    );
    assert_eq!(house.read("games/demo.txt"), DEMO, "to the byte");
}

/// A move that was changed in the log and in the list was taken for the one that
/// was played, although the hash of its line and the diagram said otherwise.
#[test]
fn a_move_that_was_changed_everywhere_is_known_by_the_hash_of_its_line() {
    let house = house(&DEMO.replace("B>f4", "B>g4"));
    let shown = repaired(&house, &[]);
    let said = "the move is put back as B>f4, which the hash of the line proves";
    assert!(shown.contains(said), "{shown}");
    assert_eq!(house.read("games/demo.txt"), DEMO, "to the byte");
}

/// The log and the list were believed against the diagram, whoever had changed
/// both.
#[test]
fn a_diagram_that_contradicts_a_changed_line_leaves_it_to_a_mail() {
    let changed = |demo: &str| {
        demo.replace("T07:45:00Z move White B>f4", "T07:46:00Z move White B>g4")
            .replace("2.  B>f4\n", "2.  B>g4\n")
    };
    let house = house(&changed(DEMO)).file("reply.eml", REPLY);
    let before = house.contents();
    repair(&house, &["--write"])
        .any_stdout()
        .stderr_contains("line 56 was changed")
        .stderr_contains("the diagram shows another position")
        .status(1)
        .run();
    // The mail proves another move than the two that were changed.
    repair(&house, &["--write", "--from", "reply.eml"])
        .any_stdout()
        .stderr_contains("the diagram shows another position")
        .status(1)
        .run();
    assert_eq!(house.contents(), before);
    house.write(
        "games/demo.txt",
        changed(DEMO).replace("White B>g4", "White B>f4"),
    );
    repaired(&house, &["--from", "reply.eml"]);
}

/// A copy under another name became another match with the players, the moves
/// and the mails of the first, and took in the replies to them.
#[test]
fn the_file_of_another_match_is_not_made_one_of_this() {
    let house = house(DEMO).file("games/copy.txt", DEMO);
    let before = house.contents();
    house
        .parapost(["repair", "copy", "--write"])
        .any_stdout()
        .stderr_contains("this is the file of the match demo")
        .status(1)
        .run();
    assert_eq!(house.contents(), before);
}

#[test]
fn nothing_is_known_of_an_empty_file_but_what_might_help() {
    repair(&house(""), &["--write"])
        .any_stdout()
        .stderr_contains("the file does not say who plays: mails of the match may (--from)\n")
        .status(1)
        .run();
}

#[test]
fn a_file_that_was_cut_has_its_moves_from_the_list() {
    let (before, _) = DEMO.split_once("2026-11-05T07:45:00Z move").unwrap();
    // Nothing but the Chain line tells that the log went on.
    let unchained = before.replace("Chain: 2c462889414af625\n", "");
    assert_ne!(unchained, before);
    for text in [before, &unchained] {
        let shown = repaired(&house(text), &[]);
        for said in [
            "put into the log as of now, from the list or the mails: 2. B>f4",
            "lost: when those moves were made",
            "no other mail is owed, whatever was: 'parapost send --resend demo'",
        ] {
            assert!(shown.contains(said), "{shown}");
        }
    }
}

#[test]
fn a_mail_that_is_owed_again_is_named() {
    // The line that says that the mail has gone is lost with the end of the file.
    let (before, _) = DEMO.split_once("2026-11-05T07:45:00Z sent Black").unwrap();
    let shown = repaired(&house(before), &[]);
    let owed =
        "demo: owed: the mail 'position' to Ben <demo.17.3398fd35576dbd12ac03@example.net>\n";
    assert!(shown.contains(owed), "{shown}");
    let mail = format!(
        "From: games@example.net\nSubject: [demo] Unachess: 2. B>f4\nMessage-ID: <demo.17.3398fd35576dbd12ac03@example.net>\n\n{}",
        REPLY.split_once("\n\n").unwrap().1
    );
    let house = house(before).file("sent/1", mail).file("sent/2", REPLY);
    repair(&house, &["--from", "sent"])
        .stdout_contains("@example.net>, which is among those mails, so that it has gone\n")
        .run();
}

#[test]
fn where_two_readings_are_possible_both_are_shown_and_nothing_is_done() {
    let cut: String = DEMO
        .replace("2.  B>f4\n", "2.  B>g4\n")
        .lines()
        .filter(|line| !line.contains("move White B>f4"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let house = house(&cut).file("reply.eml", REPLY);
    let before = house.contents();
    repair(&house, &["--write"])
        .any_stdout()
        .stderr_contains("the log:  ends after 2 half-moves\n")
        .stderr_contains("the list: 2. B>g4\n")
        .status(1)
        .run();
    let after: Vec<_> = house.contents();
    assert_eq!(after, before);
    // A mail decides, by its hash.
    repaired(&house, &["--from", "reply.eml"]);
}

/// Holds that two versions which part in a note are both shown.
fn parts_in_two_notes(house: &Sandbox) {
    repair(house, &["--write"])
        .any_stdout()
        .stderr_contains("part in line 21 of the log:\n")
        .stderr_contains("note White one\n")
        .stderr_contains("note White two\n")
        .status(1)
        .run();
}

/// The text of the match with another line in its log.
fn longer(line: &str) -> String {
    let text = crate::support::chained(&format!("{DEMO}{line}\n"));
    text.parse::<Match>().unwrap().to_string()
}

#[test]
fn of_two_merged_versions_the_longer_is_taken_and_two_that_part_are_left() {
    let line = "2026-11-05T07:45:00Z note White one";
    let longer = longer(line);
    let conflict =
        |ours: &str, theirs: &str| format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> branch\n");
    let house = house(&conflict(DEMO, &longer));
    let shown = repaired(&house, &[]);
    assert!(shown.contains("of two merged versions"), "{shown}");
    assert_eq!(house.read("games/demo.txt"), longer);
    let other = crate::support::chained(&format!("{DEMO}{}\n", line.replace("one", "two")));
    house.write("games/demo.txt", conflict(&other, &longer));
    parts_in_two_notes(&house);
}

/// `merge=union` of git leaves no marks. Went wrong: one of the two moves was kept.
#[test]
fn two_versions_that_a_merge_has_put_below_each_other_are_left() {
    let with = |line: &str| crate::support::chained(&format!("{DEMO}{line}\n"));
    let one = with("2026-11-05T07:45:00Z note White one");
    let other = with("2026-11-05T07:46:00Z note White two");
    let last = other.lines().last().unwrap();
    let house = house(&format!("{one}{last}\n"));
    let before = house.contents();
    parts_in_two_notes(&house);
    assert_eq!(house.contents(), before);
}

/// A line that was moved far away follows the same line as the one that now stands in its place, and
/// nothing was merged.
#[test]
fn a_line_that_was_moved_far_away_is_no_second_version() {
    let notes = (0..150).map(|n| format!("2026-11-05T07:45:00Z note White n{n}\n"));
    let text = crate::support::chained(&format!("{DEMO}{}", notes.collect::<String>()));
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains(" n10 "))
        .unwrap();
    let moved = lines.remove(at);
    lines.push(moved);
    let house = house(&(lines.join("\n") + "\n"));
    let shown = repair(&house, &[]).any_stdout().run().stdout;
    assert!(shown.contains("note White n10"), "{shown}");
}

#[test]
fn a_line_that_an_editor_broke_is_put_together_and_no_other_is_named() {
    let end = " by=folder chain=e9d9e8e1a29b5197\n";
    assert!(DEMO.contains(end));
    let shown = repaired(&house(&DEMO.replace(end, &format!("\n{end}"))), &[]);
    assert!(
        shown.contains("line 49: put together again out of several"),
        "{shown}"
    );
}

/// Went wrong: the line was lost, so that a mail that had gone out was owed again.
#[test]
fn a_remark_behind_a_line_is_left_out_and_the_line_stays() {
    let end = " by=folder chain=e9d9e8e1a29b5197\n";
    let house = house(&DEMO.replace(end, &format!("{} what a move!\n", end.trim_end())));
    let shown = repaired(&house, &[]);
    assert!(
        shown.contains("line 49: left out what stands behind it: what a move!"),
        "{shown}"
    );
    assert!(!shown.contains("lost"), "{shown}");
    assert_eq!(house.read("games/demo.txt"), DEMO);
}

#[test]
fn a_move_that_a_mail_disproves_is_cut_out_of_the_log() {
    let line = "move White B>f4 msg=<a2.81c9@mail.example.org>";
    let chained = format!("{line} chain=15d22641f56ab0aa");
    assert!(DEMO.contains(&chained));
    let changed = DEMO.replace(&chained, &line.replace("B>f4", "B>g4"));
    let house = house(&changed).file("reply.eml", REPLY);
    let shown = repaired(&house, &["--from", "reply.eml"]);
    assert!(
        shown.contains("out of the log: 2026-11-05T07:45:00Z move White B>g4"),
        "{shown}"
    );
}

/// What both versions began with, as `merge.conflictStyle = diff3` keeps it.
#[test]
fn what_two_merged_versions_began_with_belongs_to_neither() {
    let longer = longer("2026-11-05T07:45:00Z note White one");
    let house = house(&format!(
        "<<<<<<< HEAD\n{DEMO}||||||| base\n{DEMO}=======\n{longer}>>>>>>> branch\n"
    ));
    let shown = repaired(&house, &[]);
    assert!(!shown.contains("stands there twice"), "{shown}");
    assert_eq!(house.read("games/demo.txt"), longer);
}

#[test]
fn a_newer_file_is_left_alone() {
    let newer = DEMO.replace("Format: 1\n", "Format: 2\n");
    let house = house(&newer).file("reply.eml", REPLY);
    let before = house.contents();
    for arguments in [
        &["verify", "demo"][..],
        &["repair", "demo", "--write"],
        &["show", "demo"],
    ] {
        house
            .parapost(arguments)
            .status(1)
            .stderr("parapost: games/demo.txt:1: this file is of form 2, which a newer parapost has written; this one knows form 1, and leaves it as it is\n")
            .run();
    }
    assert_eq!(house.contents(), before);
}

#[test]
fn what_stands_in_a_damaged_file_does_not_steer_the_terminal() {
    let house = house(&format!("{DEMO}\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}\n"));
    let output = repair(&house, &[]).any_stdout().run();
    assert!(
        !output
            .stdout
            .contains(|c: char| c.is_control() && c != '\n'),
        "{:?}",
        output.stdout
    );
    assert!(!output.stdout.contains('\u{202e}'), "{:?}", output.stdout);
}

/// Anna, whose file of a match with Ben is lost; her mail is there.
fn bereft() -> (Sandbox, String) {
    let house = Sandbox::new()
        .file(
            "config.toml",
            "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n",
        )
        .dir("games")
        .env("PARAPOST_CONFIG", "config.toml")
        .env("PARAPOST_NOW", "2026-11-20T05:00:00Z");
    let new = [
        "new",
        "--game",
        "newchess",
        "--option",
        "rooks-placed",
        "--id",
        "demo",
        "--time",
        "10d",
        "--white",
        "Anna O'Neil <anna@example.org>",
        "--black",
        "Björn <ben@example.org>",
        "--send",
    ];
    house.parapost(new).any_stdout().any_stderr().run();
    house
        .parapost(["move", "demo", "N>f3", "--send"])
        .any_stdout()
        .any_stderr()
        .run();
    let text = house.read("games/demo.txt");
    fs::remove_file(house.path("games/demo.txt")).unwrap();
    (house, text)
}

#[test]
fn a_file_that_is_lost_is_rebuilt_from_the_mail() {
    let (house, was) = bereft();
    repair(&house, &[])
        .status(1)
        .stderr(
            "parapost: there is no match demo in games; from mails it can be rebuilt with --from\n",
        )
        .run();
    let from = ["--from", "games/outbox", "--write"];
    let said = repair(&house, &from).any_stdout().run().stdout;
    assert!(
        said.contains("demo: 2 of 2 messages or texts prove 1 half-move: games/outbox/"),
        "{said}"
    );
    assert!(
        said.contains("demo: by the invitation: 2026-11-20T05:00:00Z new - newchess "),
        "{said}"
    );
    let now = house.read("games/demo.txt");
    assert_eq!(crate::support::board(&now), crate::support::board(&was));
    let head = |text: &str| {
        let lines = text.lines().take_while(|line| !line.is_empty());
        lines
            .filter(|line| !line.starts_with("Chain"))
            .map(ToOwned::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(head(&now), head(&was));
    let hash = |stdout: &str| stdout.lines().next().unwrap().to_owned();
    let whole = hash(&verify(&house, &[]).any_stdout().run().stdout);
    house.write("games/demo.txt", was);
    assert_eq!(whole, hash(&verify(&house, &[]).any_stdout().run().stdout));
}

/// A copy of the whole file, a backup or the other player's, was said not to
/// tell who plays.
#[test]
fn a_file_that_is_lost_is_rebuilt_from_a_copy() {
    let (house, was) = bereft();
    let house = house.file("copy.txt", &was);
    let from = ["--from", "copy.txt", "--write"];
    for damaged in [None, Some("\u{0}")] {
        let _ = fs::remove_file(house.path("games/demo.txt"));
        if let Some(damaged) = damaged {
            house.write("games/demo.txt", damaged);
        }
        repair(&house, &from)
            .stdout_contains("demo: by the copy: 2026-11-20T05:00:00Z new - newchess ")
            .stdout_contains("demo: rebuilt: 1 half-move, ")
            .run();
        let now = house.read("games/demo.txt");
        assert_eq!(crate::support::board(&now), crate::support::board(&was));
    }
    // Of two that differ, none is taken; an invitation counts more than both.
    let other = was.replace("<ben@example.org>", "<eve@example.org>");
    fs::remove_file(house.path("games/demo.txt")).unwrap();
    house.write("other.txt", crate::support::chained(&other));
    let from = ["--from", "copy.txt", "--from", "other.txt"];
    repair(&house, &from)
        .any_stdout()
        .status(1)
        .stderr_contains("there are two copies")
        .run();
    let from = [&from[..], &["--from", "games/outbox"]].concat();
    repair(&house, &from)
        .stdout_contains("demo: by the invitation: ")
        .run();
}

#[test]
fn of_two_invitations_none_is_taken() {
    let (house, _) = bereft();
    let outbox = || fs::read_dir(house.path("games/outbox")).unwrap();
    let mails = outbox().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let invitation = mails
        .into_iter()
        .find(|mail| mail.contains("\nRules: "))
        .unwrap();
    let other = invitation.replace("rn <ben@example.org>\n", "rn <eve@example.org>\n");
    assert_ne!(other, invitation);
    house.write("games/outbox/other.eml", other);
    repair(&house, &["--from", "games/outbox", "--write"])
        .any_stdout()
        .status(1)
        .stderr_contains("there are two invitations")
        .stderr_contains("ben@example.org")
        .stderr_contains("eve@example.org")
        .run();
    assert!(!house.path("games/demo.txt").exists());
}

#[test]
fn without_the_invitation_the_command_is_told_that_takes_the_match_over() {
    let (house, _) = bereft();
    for entry in fs::read_dir(house.path("games/outbox")).unwrap() {
        let path = entry.unwrap().path();
        if fs::read_to_string(&path).unwrap().contains("\nRules: ") {
            fs::remove_file(path).unwrap();
        }
    }
    repair(&house, &["--from", "games/outbox", "--write"])
        .any_stdout()
        .status(1)
        .stderr_contains("proves 1 half-move; with the players filled in, this takes the match over:\nparapost new --id demo --invited --game newchess --option rooks-placed \\\n")
        .stderr_contains("--moves '1. N>f3'")
        .run();
    assert!(!house.path("games/demo.txt").exists());
}

#[test]
fn an_old_copy_is_brought_up_to_what_the_mails_prove() {
    let (before, _) = DEMO.split_once("2026-11-05T07:45:00Z move").unwrap();
    let mut old = before.replace("2.  B>f4\n", "");
    old = old
        .replace("- - - - - B - -", "- - - - - - - -")
        .replace("RRB-NNQK", "RRBBNNQK");
    let old = crate::support::chained(&old);
    let house = house(&old).file("reply.eml", REPLY);
    repair(&house, &[])
        .stdout("demo: the file is whole: nothing is to be done\n")
        .run();
    repaired(&house, &["--from", "reply.eml"]);
}

/// The diagram goes with the log, but so it would if somebody had changed both.
#[test]
fn a_diagram_bears_out_no_log_that_was_changed_against_the_list() {
    let changed = DEMO
        .replace("T07:45:00Z move White B>f4", "T07:46:00Z move White B>g4")
        .replace("- - - - - B - -", "- - - - - - B -");
    let house = house(&changed).file("reply.eml", REPLY);
    let before = house.contents();
    repair(&house, &["--write"])
        .any_stdout()
        .stderr_contains("the log:  2. B>g4\n")
        .stderr_contains("the list: 2. B>f4\n")
        .status(1)
        .run();
    assert_eq!(house.contents(), before);
    repaired(&house, &["--from", "reply.eml"]);
}
