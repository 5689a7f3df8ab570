//! What is owed and how it goes: `send`, the transports, and what is left when
//! one of them fails.

use std::fs::{self, File};
use std::thread;
use std::time::Duration;

use mail_parser::MessageParser;
use parapost::matches::r#match::Match;
use parapost::store::folder::Folder;
use parapost::store::store::Store as _;

use crate::commands::play::demo;
use crate::support::Sandbox;

pub(crate) fn game(house: &Sandbox) -> Match {
    house.read("games/demo.txt").parse().unwrap()
}

pub(crate) fn of(words: &[&str]) -> Vec<String> {
    let line = ["--config", "anna.toml"].iter().chain(words);
    line.map(|word| (*word).to_owned()).collect()
}

/// Anna's move is made, and its mail is owed.
fn owing() -> Sandbox {
    let house = demo();
    house
        .parapost(of(&["move", "demo", "P>e3"]))
        .any_stderr()
        .run();
    assert_eq!(game(&house).owed().len(), 1);
    house
}

/// The same with more lines in the configuration.
pub(crate) fn owing_by(lines: &str) -> Sandbox {
    let house = owing();
    let config = house.read("anna.toml") + lines;
    house.file("anna.toml", config)
}

fn outbox(house: &Sandbox, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(house.path(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn without_a_transport_mail_goes_into_the_outbox() {
    let house = owing();
    let id = game(&house).owed()[0].msg.to_string();
    house
        .parapost(of(&["send"]))
        .stderr_contains("demo: the mail lies in games/outbox/demo.")
        .run();
    let names = outbox(&house, "games/outbox");
    assert_eq!(names.len(), 1);
    let token = id[1..].split('@').next().unwrap();
    assert_eq!(names[0], format!("{token}.eml"));
    let text = house.read(format!("games/outbox/{}", names[0]));
    assert!(text.contains(&format!("\nMessage-ID: {id}\n")), "{text}");
    assert!(game(&house).owed().is_empty());
    let log = house.read("games/demo.txt");
    let last = log.lines().last().unwrap();
    let sent = format!("sent Black position msg={id} by=folder chain=");
    assert!(last.contains(&sent), "{last}");
    // Nothing is left to do.
    house.parapost(of(&["send"])).run();
    house.parapost(of(&["send", "demo"])).run();
    assert_eq!(house.read("games/demo.txt"), log);
}

#[test]
fn what_goes_at_once_is_noted_as_gone() {
    let house = demo();
    house
        .parapost(of(&["move", "demo", "P>e3", "--send"]))
        .stderr_contains("demo: 1. P>e3 is played; the mail lies in games/outbox/demo.")
        .run();
    assert!(game(&house).owed().is_empty());
    assert_eq!(outbox(&house, "games/outbox").len(), 1);
}

#[test]
fn what_was_owed_before_goes_first() {
    let house = owing();
    house
        .parapost(of(&["draw", "offer", "demo", "--send"]))
        .any_stderr()
        .run();
    let lines: Vec<usize> = outbox(&house, "games/outbox")
        .iter()
        .map(|name| name.split('.').nth(1).unwrap().parse().unwrap())
        .collect();
    assert_eq!(lines, [3, 5], "the lines of the log that owed them");
    let sent = house.read("games/demo.txt");
    let sent: Vec<&str> = sent
        .lines()
        .filter(|line| line.contains(" sent "))
        .collect();
    assert!(
        sent[0].contains("<demo.3.") && sent[1].contains("<demo.5."),
        "{sent:?}"
    );
}

#[test]
fn a_folder_of_ones_own_and_an_older_mail_of_the_same_id() {
    let house = owing_by("[transport]\nkind = \"folder\"\npath = \"out\"\n");
    let before = house.read("games/demo.txt");
    house.parapost(of(&["send"])).any_stderr().run();
    let names = outbox(&house, "out");
    let text = house.read(format!("out/{}", names[0]));
    // A crash between the mail and the note of it: the same mail again.
    let house = house.file("games/demo.txt", before);
    house.parapost(of(&["send"])).any_stderr().run();
    assert_eq!(outbox(&house, "out"), names);
    assert_eq!(house.read(format!("out/{}", names[0])), text);
}

#[test]
fn printed_mail_is_one_message_or_a_mailbox() {
    let house = owing();
    let one = house
        .parapost(of(&["send", "--print"]))
        .any_stdout()
        .run()
        .stdout;
    assert!(one.starts_with("From: Anna <anna@example.org>\n"), "{one}");
    let read = MessageParser::default().parse(&one).unwrap();
    let subject = read.subject().unwrap();
    assert!(subject.starts_with("[demo] Unachess: "), "{subject}");
    house.parapost(of(&["send", "--print"])).run();

    let house = owing();
    house
        .parapost(of(&["draw", "offer", "demo"]))
        .any_stderr()
        .run();
    let several = house
        .parapost(of(&["send", "--print"]))
        .any_stdout()
        .run()
        .stdout;
    let entries = several
        .lines()
        .filter(|line| line.starts_with("From "))
        .count();
    assert_eq!(entries, 2, "{several}");
}

#[test]
fn a_configuration_can_print_too() {
    let house = owing_by("[transport]\nkind = \"print\"\n");
    house
        .parapost(of(&["send"]))
        .stdout_contains("Subject: [demo] Unachess: Anna - ")
        .any_stderr()
        .run();
}

#[test]
fn mail_for_a_closed_pipe_stays_owed() {
    let house = owing();
    let test = house.parapost(of(&["send", "--print"]));
    // Closed before the program starts: it cannot be faster.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = test.command().stdout(writer).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert!(said.contains("standard output was closed"), "{said}");
    assert_eq!(game(&house).owed().len(), 1);
}

#[test]
fn the_current_position_is_sent_again() {
    let house = owing();
    house.parapost(of(&["send"])).any_stderr().run();
    house
        .parapost(of(&["send", "--resend", "demo", "--print"]))
        .stdout_contains("Subject: [demo] Unachess: Anna - ")
        .run();
    assert!(game(&house).owed().is_empty());
    house
        .parapost(of(&["send", "--resend", "nosuch"]))
        .status(1)
        .stderr_contains("there is no match nosuch")
        .run();
}

#[test]
fn a_broken_template_loses_nothing() {
    let house = owing().file("templates/position.txt", "{{ happened }}\n{{ hapened }}\n");
    let before = house.read("games/demo.txt");
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("templates/position.txt:2: ")
        .stderr_contains("1 mail is still owed; 'parapost send demo' tries again")
        .run();
    assert_eq!(house.read("games/demo.txt"), before);
    let house = house.file("templates/position.txt", "Mine: {{ happened }}\n");
    house
        .parapost(of(&["send", "--print"]))
        .stdout_contains("\n\nMine: Anna (White) has played 1. P>e3.\n")
        .run();
}

#[test]
fn one_match_in_trouble_does_not_hold_up_the_others() {
    let house = owing();
    let other = house
        .read("games/demo.txt")
        .replace("Id: demo", "Id: damaged");
    let house = house.file("games/damaged.txt", other.replace("PPPPPPP-", "PPPPPPPP"));
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("games/damaged.txt:")
        .stderr_contains("demo: the mail lies in games/outbox/demo.")
        .run();
}

#[test]
fn a_lock_held_too_long_is_a_matter_for_later() {
    let house = owing().env("PARAPOST_WAIT", "0");
    let before = house.read("games/demo.txt");
    let folder = Folder::new(house.path("games"), Duration::ZERO);
    let id = "demo".parse().unwrap();
    let lock = folder.lock(&id).unwrap();
    for words in [
        &["move", "demo", "P>e3"][..],
        &["undo", "demo"],
        &["send", "demo"],
        &["resign", "demo"],
        &["note", "demo", "x"],
    ] {
        house
            .parapost(of(words))
            .status(75)
            .stderr_contains("try again later")
            .run();
        assert_eq!(house.read("games/demo.txt"), before, "{words:?}");
    }
    drop(lock);
    // While mail is on its way out, a second sender and undo wait; others not.
    let sending = folder.sending(&id).unwrap();
    for words in [&["undo", "demo"][..], &["send", "demo"]] {
        house
            .parapost(of(words))
            .status(75)
            .stderr_contains("try again later")
            .run();
    }
    house
        .parapost(of(&["note", "demo", "x"]))
        .stderr("demo: noted for yourself; it is mailed to nobody ('parapost say demo' writes to the opponent)\n")
        .run();
    drop(sending);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_changes_nothing() {
    let house = owing().file("out", "a file, not a folder");
    let config = house.read("anna.toml") + "[transport]\nkind = \"folder\"\npath = \"out\"\n";
    let house = house.file("anna.toml", config);
    let before = house.read("games/demo.txt");
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("still owed")
        .run();
    assert_eq!(house.read("games/demo.txt"), before);
}

const SENDMAIL: &str = "[transport]\nkind = \"sendmail\"\npath = \"bin/sendmail\"\n";

/// A house with that script for its `sendmail`.
fn program(house: Sandbox, script: &str) -> Sandbox {
    use std::os::unix::fs::PermissionsExt as _;

    let house = house.file("bin/sendmail", format!("#!/bin/sh\n{script}\n"));
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(house.path("bin/sendmail"), mode).unwrap();
    house
}

/// Where ours was killed before it had written the mail into the pipe, the
/// program took the end of the pipe for the end of the mail, and sent the
/// beginning of it, or an empty one.
#[test]
fn a_program_has_the_whole_mail_whatever_becomes_of_ours() {
    let script = "test -f /dev/stdin || exit 1\nkill -9 $PPID\ncat > part && mv part mail";
    let house = program(owing_by(SENDMAIL), script);
    let killed = house.parapost(of(&["send"])).any_stdout();
    let status = killed.command().status().unwrap();
    drop(killed);
    assert_eq!(status.code(), None, "{status}");
    while !house.path("mail").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let mail = house.read("mail");
    let house = program(house, "cat > again");
    // It may have gone.
    house
        .parapost(of(&["undo", "demo"]))
        .status(1)
        .stderr_contains("may have gone")
        .run();
    house.parapost(of(&["send"])).any_stderr().run();
    assert_eq!(house.read("again"), mail);
    // So it may where the program was killed.
    let house = program(owing_by(SENDMAIL), "cat > mail\nkill -9 $$");
    let send = house.parapost(of(&["send"])).status(75);
    send.stderr_contains("still owed").run();
    house
        .parapost(of(&["undo", "demo"]))
        .status(1)
        .stderr_contains("may have gone")
        .run();
}

#[test]
fn a_program_takes_the_mail() {
    let house = program(owing_by(SENDMAIL), "echo \"$@\" > args; cat > mail");
    house.parapost(of(&["send"])).any_stderr().run();
    assert_eq!(
        house.read("args"),
        "-i -f anna@example.org -- ben@example.org\n"
    );
    let text = house.read("mail");
    assert!(text.starts_with("From: Anna") && text.ends_with('\n') && !text.contains('\r'));
    assert!(game(&house).owed().is_empty());

    // That there is no such recipient is certain; other statuses are the
    // program's own trouble as well.
    let house = program(
        owing_by(SENDMAIL),
        "cat > /dev/null; echo 'no such user' >&2; exit 67",
    );
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("bin/sendmail has not taken the mail (exit status: 67): no such user")
        .run();
    assert_eq!(
        game(&house).undelivered()[0].reason,
        "exit status: 67: no such user"
    );
    for (script, status, why) in [
        ("cat > /dev/null; exit 75", 75, "has not taken the mail"),
        ("exit 75", 75, "has not taken the mail"),
        ("exit 65", 1, "has not taken the mail"),
        ("exit 68", 1, "has not taken the mail"),
        ("exit 1", 1, "has not taken the mail"),
        (
            "kill -9 $$",
            75,
            "it is not known whether bin/sendmail has taken the mail",
        ),
    ] {
        let house = program(owing_by(SENDMAIL), script);
        house
            .parapost(of(&["send"]))
            .status(status)
            .stderr_contains(why)
            .stderr_contains("1 mail is still owed")
            .run();
        assert_eq!(game(&house).owed().len(), 1);
    }
    let house = owing_by("[transport]\nkind = \"sendmail\"\npath = \"bin/none\"\n");
    house
        .parapost(of(&["send"]))
        .status(1)
        .stderr_contains("bin/none")
        .run();
}

#[cfg(unix)]
#[test]
fn the_secret_is_the_users_own() {
    use std::os::unix::fs::PermissionsExt as _;

    let house = owing();
    let secret = house.path(".local/share/parapost/secret");
    let mode = fs::metadata(&secret).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let bytes = fs::read(&secret).unwrap();
    assert_eq!(bytes.len(), 32);
    let state = fs::read(house.path("games/demo.txt")).unwrap();
    assert!(
        !state
            .windows(8)
            .any(|window| bytes.windows(8).any(|part| part == window))
    );
    // Another user's ids are other ones.
    assert_ne!(
        fs::read(owing().path(".local/share/parapost/secret")).unwrap(),
        bytes
    );

    File::create(&secret).unwrap();
    house
        .parapost(of(&["note", "demo", "x"]))
        .status(1)
        .stderr_contains("secret: this is no secret of 32 bytes")
        .run();
}

#[cfg(unix)]
#[test]
fn the_state_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;

    let house = demo();
    let file = house.path("games/demo.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    house
        .parapost(of(&["note", "demo", "x"]))
        .any_stderr()
        .run();
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}
