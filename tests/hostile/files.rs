//! What else may stand where a file of ours is looked for, and who else may write there.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{CONFIG, FROM, receive, session};
use crate::support::Sandbox;

const MOVE: &str = "From: Ben <ben@example.test>\nSubject: [one]\nMessage-ID: <a@b.test>\n\nn>g5\n";

fn pipe(session: &Sandbox, name: &str) {
    let made = Command::new("mkfifo").arg(session.path(name)).status();
    assert!(made.expect("mkfifo can be run").success());
}

fn mode(session: &Sandbox, name: &str, mode: u32) {
    fs::set_permissions(session.path(name), Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_link_is_not_written_through() {
    // A link in the place of a lock had what it led to cut to nothing, and one in the place of a state file was replaced.
    for name in ["one.txt", ".one.lock", ".one.send.lock"] {
        let session = session();
        let kept = if name == "one.txt" {
            session.read("games/one.txt")
        } else {
            "precious".to_owned()
        };
        session.write("outside", &kept);
        let place = session.path("games").join(name);
        let _ = fs::remove_file(&place);
        symlink("../outside", &place).unwrap();
        let run = session
            .parapost(["receive", "--send"])
            .stdin(MOVE)
            .any_stdout()
            .stderr_contains("this is a symbolic link")
            .status(1);
        match name {
            // The move is played before its mail is sent.
            ".one.send.lock" => run.stdout_contains("\taccepted\n").run(),
            _ => run.status(75).stdout_contains("\tdeferred\n").run(),
        };
        assert_eq!(session.read("outside"), kept, "{name}");
        assert!(fs::symlink_metadata(&place).unwrap().is_symlink(), "{name}");
    }
    // One that leads nowhere is not made into a file there.
    let session = session();
    let _ = fs::remove_file(session.path("games/.one.lock"));
    symlink("../nowhere", session.path("games/.one.lock")).unwrap();
    receive(&session, MOVE, "deferred");
    assert!(!session.path("nowhere").exists());
}

#[test]
fn nothing_waits_for_a_pipe_or_reads_a_device() {
    for name in ["one.txt", ".one.lock", ".one.send.lock"] {
        let session = session();
        let _ = fs::remove_file(session.path("games").join(name));
        pipe(&session, &format!("games/{name}"));
        let run = session
            .parapost(["receive", "--send"])
            .stdin(MOVE)
            .any_stdout();
        let status = if name == ".one.send.lock" { 1 } else { 75 };
        run.stderr_contains("this is a pipe or a device")
            .status(status)
            .run();
    }
    let session = session().dir("games/two.txt");
    symlink("/dev/zero", session.path("games/three.txt")).unwrap();
    let run = session
        .parapost(["list"])
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert!(run.stdout.contains("one  unachess"), "{}", run.stdout);
    for fault in [
        "two.txt: this is a folder",
        "three.txt: this is a pipe or a device",
    ] {
        assert!(run.stderr.contains(fault), "{}", run.stderr);
    }
}

/// A pipe at `.index/open` held up whoever added a row.
#[test]
fn nothing_waits_for_a_pipe_in_the_place_of_the_index() {
    for name in [
        "open",
        "listed",
        "rows.lock",
        "listing.lock",
        "rows.new",
        "a-all",
    ] {
        let session = session();
        session.parapost(["list"]).any_stdout().run();
        let names: Vec<String> = match name {
            "a-all" => (0..64).map(|number| format!("a-{number:02x}")).collect(),
            name => vec![name.to_owned()],
        };
        for name in names {
            let place = format!("games/.index/{name}");
            let _ = fs::remove_file(session.path(&place));
            pipe(&session, &place);
        }
        receive(&session, MOVE, "accepted");
        session.parapost(["list"]).any_stdout().any_stderr().run();
    }
}

/// It was read whole, and took twice its length of memory.
#[test]
fn a_lock_that_is_longer_than_any_of_ours_is_not_read() {
    let session = session();
    let lock = File::create(session.path("games/.one.send.lock")).unwrap();
    lock.set_len(300 << 20).unwrap();
    session
        .parapost(["receive", "--send"])
        .stdin(MOVE)
        .stdout_contains("\taccepted\n")
        .stderr_contains(".one.send.lock: this file is longer than 64 MiB")
        .status(1)
        .run();
}

#[test]
fn a_mask_that_lets_everything_through_leaves_the_secret_alone() {
    let session = session();
    let mode = |name: &str| {
        fs::metadata(session.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    let before = mode("games/one.txt");
    let run = session.parapost(["receive"]).command();
    let status = Command::new("sh")
        .args(["-c", "umask 000; exec \"$@\"", "sh"])
        .arg(run.get_program())
        .args(["receive", "--send"])
        .current_dir(session.folder())
        .env_clear()
        .envs(
            run.get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .stdin(letter(&session))
        .output()
        .expect("sh can be run")
        .status;
    assert!(status.success());
    assert_eq!(mode(".local/share/parapost/secret"), 0o600);
    assert_eq!(
        mode("games/one.txt"),
        before,
        "the match is as open as before"
    );
}

/// The letter with the move, as a stream.
fn letter(session: &Sandbox) -> fs::File {
    session.write("letter.eml", MOVE);
    fs::File::open(session.path("letter.eml")).unwrap()
}

#[test]
fn a_secret_that_others_can_read_is_none() {
    let session = session();
    receive(
        &session,
        format!("{FROM}Subject: [one]\nMessage-ID: <h@b.test>\n\nhelp\n"),
        "command",
    );
    let secret = ".local/share/parapost/secret";
    assert_eq!(
        fs::metadata(session.path(secret))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    for lax in [0o604, 0o640, 0o660, 0o666] {
        mode(&session, secret, lax);
        session
            .parapost(["send"])
            .stderr_contains("others can read or change this secret")
            .status(1)
            .run();
    }
    mode(&session, secret, 0o600);
    session.parapost(["send"]).run();
    fs::remove_file(session.path(secret)).unwrap();
    pipe(&session, secret);
    session
        .parapost(["send"])
        .stderr_contains("this is a pipe or a device")
        .status(1)
        .run();
}

#[test]
fn what_everybody_can_change_is_warned_of() {
    let session = session();
    let smtp = "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"mx.test\"\nuser = \"a\"\npassword_file = \"password\"\n";
    session.write("config.toml", format!("{CONFIG}{smtp}"));
    session.write("password", "x\n");
    mode(&session, "password", 0o640);
    session.parapost(["send"]).run();
    for (file, lax, warning) in [
        (
            "config.toml",
            0o666,
            "config.toml: everybody can change this file",
        ),
        (
            "games",
            0o777,
            "games: everybody can change the matches in this folder",
        ),
        (
            "password",
            0o622,
            "password: everybody can read or change this password",
        ),
        // Only its change was warned of.
        (
            "password",
            0o644,
            "password: everybody can read or change this password",
        ),
        // A configuration that nobody else can change can be taken away, and
        // templates be put beside it.
        (
            ".",
            0o777,
            "./: everybody can change what is configured in this folder",
        ),
    ] {
        let before = fs::metadata(session.path(file)).unwrap().permissions();
        mode(&session, file, lax);
        session
            .parapost(["send"])
            .stderr(format!("parapost: warning: {warning}\n"))
            .run();
        fs::set_permissions(session.path(file), before).unwrap();
    }
}

#[test]
#[ignore = "takes long"]
fn no_name_leads_out_of_the_games_folder() {
    let session = session();
    session.write("x.txt", session.read("games/one.txt"));
    let before = session.contents();
    let long = "a".repeat(33);
    for id in [
        "../x",
        "..",
        ".hidden",
        "/etc/passwd",
        "a/b",
        "a.b",
        "A",
        "-a",
        "",
        "a b",
        "a\nb",
        "\u{430}",
        &long,
    ] {
        let run = session.parapost(["new", "--game", "unachess", "--white", "<a@b.test>"]);
        run.args(["--black", "<c@d.test>", &format!("--id={id}")])
            .any_stderr()
            .status(2)
            .run();
        for head in [
            format!("Subject: [{id}]"),
            format!("In-Reply-To: <{id}.1.0@b.test>"),
        ] {
            let letter = format!(
                "{FROM}{}\n\nGame {id}, 1 half-moves made.\n",
                head.replace('\n', " ")
            );
            session
                .parapost(["receive", "--dry-run"])
                .stdin(letter)
                .any_stdout()
                .any_stderr()
                .either();
        }
    }
    let after: Vec<_> = session
        .contents()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let known: Vec<_> = before.into_iter().map(|(name, _)| name).collect();
    let new: Vec<_> = after.iter().filter(|name| !known.contains(name)).collect();
    assert!(new.iter().all(|name| name.ends_with("secret")), "{new:?}");
    // A file that says it is another match's is no match.
    session.write(
        "games/two.txt",
        session.read("games/one.txt").replace("Id: one", "Id: ../x"),
    );
    session
        .parapost(["list"])
        .any_stdout()
        .stderr_contains("two.txt:")
        .status(1)
        .run();
}

/// Its signal killed the program in the middle of a write, so that the mail server gave the message up.
#[test]
fn a_limit_on_the_size_of_files_is_a_matter_for_later() {
    let session = session();
    let before = session.contents();
    let limited = |limit: &str, words: &[&str]| {
        let test = session.parapost(words).any_stdout();
        let plain = test.command();
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("ulimit -f {limit}; exec \"$0\" \"$@\"")])
            .arg(plain.get_program())
            .args(plain.get_args())
            .current_dir(session.folder())
            .envs(
                plain
                    .get_envs()
                    .filter_map(|(key, value)| Some((key, value?))),
            )
            .stdin(File::open(session.path("letter")).unwrap());
        shell.output().unwrap()
    };
    let session = session.clone().file("letter", MOVE);
    for limit in ["0", "1"] {
        let output = limited(limit, &["receive", "--deliver", "--send"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(75), "{}: {said}", output.status);
        assert!(said.contains("File too large"), "{said}");
    }
    fs::remove_file(session.path("letter")).unwrap();
    let is_lock = |path: &Path| path.to_string_lossy().ends_with(".lock");
    let files = |all: Vec<(PathBuf, Vec<u8>)>| -> Vec<_> {
        all.into_iter().filter(|(path, _)| !is_lock(path)).collect()
    };
    assert_eq!(files(session.contents()), files(before), "nothing is left");
    // The message comes again, and is played.
    receive(&session, MOVE, "accepted");
}

/// Went wrong: with a pipe for the site, the puzzles, an output or a template, the run waited for
/// ever for somebody to read or write.
#[test]
fn nothing_waits_for_a_pipe_where_a_page_is_or_goes() {
    const FAULT: &str = "this is a pipe or a device, not a file";
    for command in [&["archive", "out", "--running"][..], &["puzzles", "out"]] {
        let session = session();
        let run = || session.parapost(command.iter().copied()).any_stdout();
        run().any_stderr().run();
        let files = session.contents().into_iter().map(|(name, _)| name);
        let files: Vec<PathBuf> = files.filter(|name| name.starts_with("out")).collect();
        assert!(files.len() > 1, "{files:?}");
        for name in files {
            let kept = session.read(&name);
            fs::remove_file(session.path(&name)).unwrap();
            pipe(&session, name.to_str().unwrap());
            let fault = format!("{}: {FAULT}", name.display());
            if name.ends_with("searched.jsonl") {
                // Without this file the folder is somebody else's.
                run().stderr_contains("something else").status(1).run();
            } else {
                run().stderr_contains(&fault).status(1).run();
            }
            fs::remove_file(session.path(&name)).unwrap();
            session.write(&name, kept);
        }
        // The program ignores files that are not its own.
        pipe(&session, "out/other.html");
        run().any_stderr().run();
    }
    let session = session();
    pipe(&session, "pipe");
    for command in [
        &["show", "one", "-o", "pipe"][..],
        &["show", "one", "--as", "html", "--notes", "-o", "pipe"],
        &["analyse", "./list", "-o", "pipe"],
        &["show", "one", "-o", "/dev/zero"],
    ] {
        session
            .parapost(command.iter().copied())
            .file("list", "1. P>e3 n>g5\n")
            .any_stdout()
            .stderr_contains(FAULT)
            .status(1)
            .run();
    }
    for (command, said) in [
        (
            &["show", "one", "--as", "fen", "-o", "/dev/stdout"],
            "/4P3/",
        ),
        (&["show", "one", "--as", "fen", "-o", "/dev/fd/1"], "/4P3/"),
        (&["show", "one", "--as", "fen", "-o", "/dev/null"], ""),
    ] {
        let run = session.parapost(command.iter().copied());
        run.stdout_contains(said).run();
    }
    session.clone().dir("templates");
    pipe(&session, "templates/position.txt");
    session
        .parapost(["receive", "--send"])
        .stdin(MOVE)
        .any_stdout()
        .stderr_contains(FAULT)
        .status(1)
        .run();
}

/// Went wrong: it was read until the memory was full.
#[test]
fn a_device_without_an_end_is_not_read() {
    let session = session();
    for command in [
        &["check", "/dev/zero"][..],
        &["show", "/dev/zero"],
        &["play", "--puzzle", "/dev/zero"],
        &["list", "--config", "/dev/zero"],
        &["receive", "/dev/zero"],
    ] {
        session
            .parapost(command.iter().copied())
            .any_stdout()
            .stderr_contains("/dev/zero: this is a pipe or a device, not a file")
            .status(1)
            .run();
    }
    for stdin in ["-", "/dev/stdin"] {
        let mut check = session.parapost(["check", stdin]).command();
        let output = check.stdin(File::open("/dev/zero").unwrap()).output();
        let output = output.expect("the program ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("longer than 64 MiB"), "{said}");
    }
    // A file that a shell passes, and an empty file by its usual name.
    let script = "exec \"$0\" check <(echo '1. P>e3 n>g5') /dev/null";
    let plain = session.parapost(["check"]).command();
    let mut shell = Command::new("bash");
    shell.args(["-c", script]).arg(plain.get_program());
    let output = shell.env_clear().current_dir(session.folder()).output();
    let output = output.expect("bash can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("/dev/null:1:1: error: there is no move list"),
        "{said}"
    );
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("P>e3"), "{told}{said}");
}

/// Went wrong: the program wrote a folder or a page through a link.
#[test]
fn a_link_below_a_folder_is_not_followed() {
    const FAULT: &str = "this is a symbolic link, which is not followed";
    let outside = |session: &Sandbox| fs::read_dir(session.path("outside")).unwrap().count();
    let session = session().dir("outside");
    let _ = fs::remove_dir_all(session.path("games/.index"));
    symlink("../outside", session.path("games/.index")).unwrap();
    session
        .parapost(["list"])
        .stdout_contains("one  unachess")
        .any_stderr()
        .run();
    receive(&session, MOVE, "accepted");
    assert_eq!(outside(&session), 0, "the index");

    let session = session.clone().dir("man").file("precious", "precious");
    symlink("../precious", session.path("man/parapost.1")).unwrap();
    let man = session.parapost(["man", "man"]);
    man.stderr_contains(FAULT).status(1).run();
    assert_eq!(session.read("precious"), "precious");

    for (command, names) in [
        ("archive", ["players", "matches"]),
        ("puzzles", ["puzzles", "solutions"]),
    ] {
        let run = || session.parapost([command, command]).any_stdout();
        run().any_stderr().run();
        for name in names {
            let place = session.path(command).join(name);
            if !place.exists() {
                continue;
            }
            fs::remove_dir_all(&place).unwrap();
            symlink("../outside", &place).unwrap();
            run().stderr_contains(FAULT).status(1).run();
            assert_eq!(outside(&session), 0, "{name}");
            fs::remove_file(&place).unwrap();
            run().any_stderr().run();
        }
    }
}

/// A name that is invisible or looks like another one is refused. A match of an earlier version
/// keeps such a name.
#[test]
fn a_name_with_a_character_that_shows_nothing_is_none() {
    let session = session();
    for name in ["\u{3164}", "An\u{ffa0}na", "Anna\u{2800}", "Anna\u{ad}"] {
        let player = format!("--white={name} <a@b.test>");
        session
            .parapost([
                "new",
                "--game",
                "unachess",
                "--black",
                "<c@d.test>",
                &player,
            ])
            .stderr_contains("the name has a character that does not belong in one")
            .status(2)
            .run();
        session
            .parapost(["new", "--game", "unachess", "--black", "<c@d.test>"])
            .args(["--white", "<a@b.test>", &format!("--event={name}")])
            .any_stderr()
            .status(2)
            .run();
    }
    let state = session.read("games/one.txt");
    let state = state.replace("Anna <", "An\u{ad}\u{3164}na <");
    session.write("games/one.txt", crate::support::chained(&state));
    session
        .parapost(["list"])
        .stdout_contains("one  unachess")
        .run();
}
