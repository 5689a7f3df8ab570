//! Input that nobody should have given: a clear message, the right exit
//! status, nothing changed, no panic (`support` sees to the last).

use {
    crate::support::{Sandbox, board, parapost},
    std::{fs, io, os::unix::fs::symlink, process::Stdio},
};

const WHOLE_GAME: &str = include_str!("../data/whole-game.txt");

const PLAYERS: [&str; 4] = [
    "--white",
    "Anna White <white@example.test>",
    "--black",
    "Black <black@example.test>",
];

/// A match of two half-moves, seen by White; its mail goes into a folder.
fn running_match() -> Sandbox {
    let home = Sandbox::new()
        .dir("games")
        .file(
            "parapost.toml",
            "[me]\nname = \"Anna White\"\naddress = \"white@example.test\"\nrole = \"player\"\n",
        )
        .env("PARAPOST_CONFIG", "parapost.toml")
        .env("PARAPOST_NOW", "2026-11-20T03:00:00Z");
    home.parapost(["new", "--game", "unachess", "--id", "g7"])
        .args(["--moves", "1. P>e3 n>g5"])
        .args(PLAYERS)
        .stdout("g7\n")
        .any_stderr()
        .run();
    home
}

/// Ten million bytes from a fixed seed: any bytes, or only such as are in
/// diagrams and lists, with lines and without.
fn noise(alphabet: &[u8]) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(1994);
    (0..10_000_000)
        .map(|_| *random.choice(alphabet).expect("an alphabet"))
        .collect()
}

fn every_byte() -> Vec<u8> {
    (0..=u8::MAX).collect()
}

/// A text that these commands must refuse, from a file and as standard input.
fn refused_by(commands: &[&str], contents: &[u8], reason: &str) {
    for command in commands {
        let home = Sandbox::new().file("text", contents);
        let before = home.contents();
        home.parapost([*command, "./text"])
            .status(1)
            .stderr_contains(reason)
            .run();
        home.parapost([*command, "-"])
            .stdin(contents)
            .status(1)
            .stderr_contains(reason)
            .run();
        assert_eq!(home.contents(), before);
    }
}

#[test]
fn an_empty_file() {
    refused_by(&["check"], b"", "no move list");
    refused_by(&["check"], b"\n\n \n", "no move list");
    let home = running_match().file("empty.eml", "");
    let before = home.contents();
    home.parapost(["receive", "--send", "empty.eml"])
        .stdout_contains("\t-\trefused\n")
        .stderr_contains("not a mail message")
        .status(1)
        .run();
    assert_eq!(home.contents(), before);
}

#[test]
fn a_binary() {
    let program = fs::read(env!("CARGO_BIN_EXE_parapost")).unwrap();
    refused_by(
        &["check", "show", "legal"],
        &program[..200_000],
        "no move list",
    );
}

#[test]
#[ignore = "takes long"]
fn ten_megabytes_of_noise() {
    for alphabet in [
        every_byte(),
        b"KQRBNPkqrbnp->x=+# .1234567890abcdefgh\n".to_vec(),
        b"- \n".to_vec(),
        b"-".to_vec(),
    ] {
        let noise = noise(&alphabet);
        parapost(["check"])
            .stdin(&noise)
            .status(1)
            .any_stderr()
            .run();
    }
}

#[test]
#[ignore = "takes long"]
fn ten_megabytes_of_noise_by_mail() {
    let home = running_match();
    for (alphabet, word) in [
        (every_byte(), "refused"),
        (b"Subject: [g7] From\n>x".to_vec(), "stranger"),
    ] {
        home.write("noise.eml", noise(&alphabet));
        let before = home.contents();
        let output = home
            .parapost(["receive", "--send", "noise.eml"])
            .any_stdout()
            .any_stderr()
            .status(1)
            .run();
        assert!(
            output.stdout.ends_with(&format!("\t-\t{word}\n")),
            "{output:?}"
        );
        assert_eq!(home.contents(), before);
    }
}

#[test]
fn half_a_diagram() {
    let half = WHOLE_GAME.lines().take(4).collect::<Vec<_>>().join("\n");
    parapost(["check"])
        .stdin(&half)
        .status(1)
        .stderr_contains("-:1:1: error: this diagram has 4 rows instead of 8")
        .run();
}

#[test]
fn a_move_too_many() {
    let text = WHOLE_GAME.replace("Q>g8 #", "Q>g8 #  kxe7");
    let line = text.lines().count();
    parapost(["check"])
        .stdin(&text)
        .status(1)
        .stderr_contains(&format!("-:{line}:13: error: "))
        .stderr_contains("checkmate")
        .run();
}

#[test]
fn the_whole_game_itself_is_fine() {
    parapost(["check"])
        .stdin(WHOLE_GAME)
        .stdout(WHOLE_GAME)
        .stderr("-: Unachess, 45 half-moves, over by checkmate\n")
        .run();
}

#[test]
fn an_unknown_game() {
    for command in ["check", "show", "legal", "new"] {
        parapost([command, "--game", "unaches"])
            .status(2)
            .stderr_contains("unachess")
            .run();
    }
    parapost(["rules", "unaches"])
        .status(2)
        .stderr_contains("unachess")
        .run();
    parapost(["check"])
        .stdin("Rules: unaches\n\n1. P>e3\n")
        .status(1)
        .stderr_contains("unaches")
        .run();
}

#[test]
fn an_unknown_option() {
    for arguments in [
        ["check", "--game", "unachess"].as_slice(),
        &["perft", "--game", "unachess", "1"],
        &["legal", "--game", "unachess"],
    ] {
        parapost(arguments)
            .args(["--option", "no-castling"])
            .status(2)
            .stderr_contains("no-castling-no-ep")
            .run();
    }
    // An option of a game that has it, in one that has not.
    parapost(["perft", "--game", "chess", "--option", "pawns-1-4", "1"])
        .status(2)
        .stderr_contains("pawns-1-4")
        .run();
}

#[test]
fn an_unknown_option_begins_no_match() {
    let home = Sandbox::new().dir("games");
    home.parapost(["new", "--game", "unachess", "--option", "pawns-2-5"])
        .args(PLAYERS)
        .status(2)
        .stderr_contains("pawns-1-4")
        .run();
    assert_eq!(home.contents(), []);
}

#[test]
#[ignore = "takes long"]
fn a_state_file_cut_anywhere() {
    let home = running_match();
    // The lock file is made once and stays.
    home.parapost(["note", "g7", "well met"]).any_stderr().run();
    let whole = home.read("games/g7.txt");
    let last_move = whole.rfind(" move ").expect("a move in the log");
    for end in (0..=last_move).step_by(23) {
        let end = whole.floor_char_boundary(end);
        home.write("games/g7.txt", &whole[..end]);
        let before = home.contents();
        for arguments in [
            ["show", "g7"].as_slice(),
            &["legal", "g7"],
            &["move", "g7", "P>e4", "--send"],
            &["undo", "g7"],
            &["resign", "g7", "--send"],
            &["draw", "offer", "g7", "--send"],
            &["note", "g7", "a note"],
            &["send", "g7"],
        ] {
            home.parapost(arguments)
                .status(1)
                .stderr_contains("g7")
                .run();
            assert_eq!(home.contents(), before, "{arguments:?} at {end}");
        }
    }
}

#[test]
fn a_damaged_match_does_not_hide_the_others() {
    let home = running_match().file("games/broken.txt", "Format: 1\nId: broken\n");
    home.parapost(["list"])
        .status(1)
        .stdout_contains("g7")
        .stderr_contains("broken")
        .run();
}

#[test]
fn an_id_with_a_path_in_it() {
    let home = running_match().dir("elsewhere");
    let before = home.contents();
    for id in [
        "../elsewhere/x",
        "/tmp/x",
        "a/b",
        "..",
        ".",
        "",
        "G7",
        "g7\n",
        "-x",
    ] {
        home.parapost(["new", "--game", "unachess", &format!("--id={id}")])
            .args(PLAYERS)
            .status(2)
            .stderr_contains("id")
            .run();
        home.parapost(["move", "--", id, "P>e4"])
            .status(2)
            .stderr_contains("id")
            .run();
    }
    assert_eq!(home.contents(), before);
}

#[test]
fn a_path_as_the_id_in_a_mail() {
    // Two matches that wait for Black, so that the id would have to tell.
    let home = running_match();
    for id in ["h8", "i9"] {
        home.parapost(["new", "--game", "unachess", "--id", id])
            .args(["--moves", "1. P>e3"])
            .args(PLAYERS)
            .stdout(format!("{id}\n"))
            .any_stderr()
            .run();
    }
    // What is asked is logged; what is played stands above the log.
    let games = || ["g7", "h8", "i9"].map(|id| board(&home.read(format!("games/{id}.txt"))));
    let before = games();
    for (number, id) in ["../h8", "games/h8", "/etc/passwd", "h8.txt", "./h8"]
        .into_iter()
        .enumerate()
    {
        home.write(
            "mail.eml",
            format!(
                "From: black@example.test\nTo: white@example.test\nMessage-ID: <{number}@b.test>\n\
                 Date: Fri, 20 Nov 2026 03:00:00 +0000\nSubject: [{id}] 1... n>g5\n\n\
                 1... n>g5\n\nGame {id}, 1 half-moves made.\n"
            ),
        );
        home.parapost(["receive", "mail.eml"])
            .stdout_contains("@b.test>\t-\t")
            .any_stderr()
            .status(1)
            .run();
        assert_eq!(games(), before);
        assert!(!home.path("h8.txt").exists());
    }
}

#[test]
fn a_file_that_cannot_be_read() {
    let home = running_match().dir("folder.d");
    symlink("loop.txt", home.path("loop.txt")).unwrap();
    for name in ["missing.txt", "folder.d", "loop.txt", "missing.d/x.txt"] {
        for command in ["check", "show", "legal"] {
            home.parapost([command, name])
                .status(1)
                .stderr_contains(name)
                .run();
        }
    }
    home.parapost(["receive", "missing.eml"])
        .status(1)
        .stderr_contains("missing.eml")
        .run();
}

#[test]
fn a_terminal_is_not_steered_by_what_is_read() {
    let output = parapost(["check"])
        .stdin("1. P>e3 n>e3\x1b[31m\x1b]0;title\x07\u{9b}1m\n")
        .status(1)
        .stderr_contains("-:1:9: error: ")
        .run();
    let controls = |c: char| c.is_control() && c != '\n';
    assert!(!output.stderr.contains(controls), "{:?}", output.stderr);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in [
        ["legal", "--game", "unachess", "--moves", "1. P>e3"].as_slice(),
        &["perft", "--game", "unachess", "--divide", "2"],
        &["rules", "unachess"],
        &["check"],
        &["--help"],
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = parapost(arguments)
            .command()
            .stdin(fs::File::open("tests/data/whole-game.txt").unwrap())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let found = "-: Unachess, 45 half-moves, over by checkmate\n";
        let expected = if *arguments == ["check"] { found } else { "" };
        assert_eq!(stderr, expected, "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn numbers_out_of_all_bounds() {
    for depth in ["-1", "x", "99999999999999999999", "1.5", ""] {
        parapost(["perft", "--game", "chess", "--", depth])
            .status(2)
            .any_stderr()
            .run();
    }
    parapost(["show", "--at", "46"])
        .stdin(WHOLE_GAME)
        .status(1)
        .stderr_contains("45")
        .run();
}
