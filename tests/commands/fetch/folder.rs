//! Which messages are read, and what becomes of them and of the others.

use std::collections::BTreeSet;

use chrono::{Days, Utc};

use super::{Scene, begin, letter, plays, stranger, words};
use crate::durability::shim::{self, Fault};
use crate::support::Sandbox;
use crate::support::exim::address;

#[test]
#[ignore = "needs Dovecot"]
fn a_letter_that_names_no_match_is_not_read_in_the_first_run_and_each_later_one_once() {
    let scene = Scene::new();
    scene.deliver(&plays("white", "P>e4"));
    scene
        .fetch(&[])
        .stderr_contains("'INBOX' on localhost: this is the first run: of the mail since")
        .stderr_contains(
            "a letter of a player that came before this run names no match and was not read; 'parapost fetch --since",
        )
        .run();
    scene.fetch(&[]).run();
    assert_eq!(scene.moves(), "");
    scene.deliver(&plays("white", "P>e3"));
    scene.deliver(&plays("black", "n>g5"));
    let output = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&output.stdout), ["accepted", "accepted"]);
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
    scene.fetch(&[]).run();
    let place = scene.house.path("games/imap");
    let files = std::fs::read_dir(place).unwrap();
    assert_eq!(files.count(), 2, "a place and its lock");
}

#[test]
#[ignore = "needs Dovecot"]
fn mail_that_was_there_before_is_read_since_a_day() {
    let scene = Scene::new();
    scene.deliver(&plays("white", "P>e3"));
    scene.first();
    let later = scene.fetch(&["--since", "2199-01-01"]);
    later.run();
    let before = scene.house.contents();
    let dry = scene.fetch(&["--since", "2001-02-03", "--dry-run"]);
    assert_eq!(words(&dry.any_stdout().run().stdout), ["accepted"]);
    assert_eq!(scene.house.contents(), before);
    let run = scene.fetch(&["--since", "2001-02-03"]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    // What is received already is a duplicate, which nobody wants to hear of.
    scene.fetch(&["--since", "2001-02-03"]).run();
    assert_eq!(scene.moves(), "1. P>e3");
    scene
        .fetch(&["--since", "yesterday"])
        .status(2)
        .any_stderr()
        .run();
}

/// Whoever finds the keyword takes the message for dealt with.
#[test]
#[ignore = "needs Dovecot"]
fn a_strangers_letter_that_names_a_match_gets_no_keyword() {
    let scene = Scene::with("", "after = \"keyword\"");
    scene.first();
    scene.deliver(&letter("mallory@example.org", "[m] my move", "1. P>e3"));
    let run = scene.fetch(&[]).any_stdout().any_stderr().status(1).run();
    assert_eq!(words(&run.stdout), ["stranger"]);
    let names = scene.names("INBOX");
    assert!(names.iter().all(|name| name.ends_with(":2,")), "{names:?}");
    scene.fetch(&[]).run();
}

#[test]
#[ignore = "needs Dovecot"]
fn a_first_run_since_a_day_goes_on_from_there() {
    let scene = Scene::new();
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&["--since", "2001-02-03"]).any_stdout();
    let run = run
        .stderr_contains("all mail since 2001-02-03 is read")
        .run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    scene.deliver(&plays("black", "n>g5"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
}

/// What arrived before the day is left alone, whatever it says.
#[test]
#[ignore = "needs Dovecot"]
fn a_first_run_since_a_day_reads_nothing_before_it() {
    for (days_ago, is_read) in [(1, false), (5, true)] {
        let scene = Scene::new();
        scene.deliver(&plays("white", "P>e3"));
        scene.arrived_days_ago(3);
        let since = Utc::now().date_naive() - Days::new(days_ago);
        let run = scene.fetch(&["--since", &since.to_string()]);
        let run = run.any_stdout().any_stderr().run();
        assert_eq!(words(&run.stdout).contains(&"accepted"), is_read, "{since}");
    }
}

/// The day was mistyped.
#[test]
#[ignore = "needs Dovecot"]
fn a_first_run_since_a_day_to_come_begins_today() {
    let scene = Scene::new();
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&["--since", "2199-01-01"]).any_stdout();
    let run = run.stderr_contains("this is the first run").run();
    assert_eq!(words(&run.stdout), ["accepted"]);
}

#[test]
#[ignore = "needs Dovecot"]
fn what_was_seen_is_read_and_other_mail_is_neither_read_nor_touched() {
    let scene = Scene::new();
    scene.first();
    let dovecot = &scene.dovecot;
    dovecot.deliver("referee", "INBOX", "S", &plays("white", "P>e3"));
    dovecot.deliver("referee", "INBOX", "FS", &stranger());
    scene.deliver(&stranger().replace("lunch", "[debian-devel] dinner"));
    // Somebody with another address than the match knows quotes our mail.
    let quoted = "n>g5\n\n> Game m, 1 half-move made, hash 0123456789abcdef.";
    scene.deliver(&letter("ben@elsewhere.test", "my move", quoted));
    let cites = stranger().replace("Date: ", "In-Reply-To: <m.3.0011@example.test>\nDate: ");
    scene.deliver(&cites.replace("Nobody", "Cited: nobody"));
    let before = scene.names("INBOX");
    let run = scene.fetch(&[]).any_stdout().any_stderr().status(1).run();
    assert_eq!(words(&run.stdout), ["accepted", "stranger", "stranger"]);
    assert_eq!(scene.names("INBOX"), before);
    let said = scene.dovecot.said("referee", false);
    assert!(
        said.contains("P>e3") && said.contains("Cited: nobody"),
        "{said}"
    );
    assert!(!said.contains("Nobody else may read this."), "{said}");
    let told = scene.dovecot.said("referee", true);
    assert!(
        told.contains("EXAMINE") && !told.contains("SELECT"),
        "{told}"
    );
    assert!(!told.contains("STORE") && !told.contains("BODY["), "{told}");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_mail_of_ours_that_comes_back_is_read_though_its_sender_is_nobody() {
    let scene = Scene::new();
    scene.first();
    let report = "Your mail was not delivered.\n\nSubject: [gone] x\nX-Loop: referee@example.test";
    let report = letter("mailer-daemon@mail.test", "Undelivered", report);
    scene.deliver(&report.replace("Date: ", "Auto-Submitted: auto-replied\nDate: "));
    let run = scene.fetch(&[]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["ignored"]);
}

#[test]
#[ignore = "needs Dovecot"]
fn a_message_that_is_dealt_with_gets_a_keyword() {
    let scene = Scene::with("", "after = \"keyword\"");
    scene.first();
    scene.deliver(&stranger());
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    let keywords = scene.dovecot.maildir("referee", "INBOX");
    let keywords = std::fs::read_to_string(keywords.join("dovecot-keywords")).unwrap();
    assert_eq!(keywords, "0 $Parapost\n");
    let names = scene.names("INBOX");
    let marked: Vec<_> = names.iter().filter(|name| name.ends_with(":2,a")).collect();
    assert_eq!(marked.len(), 1, "{names:?}");
    assert!(marked[0].contains(".000001."), "{names:?}");
    assert!(names.iter().all(|name| !name.contains(",S")), "{names:?}");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_message_that_is_dealt_with_is_moved_by_move_or_by_copy_and_expunge() {
    for (capability, command) in [
        ("", "UID MOVE"),
        (
            "protocol imap {\n imap_capability = IMAP4rev1 UIDPLUS IDLE\n}",
            "UID EXPUNGE",
        ),
    ] {
        let scene = Scene::with(capability, "after = \"move\"\nmove_to = \"Gäste\"");
        let missing = scene.fetch(&[]).status(1);
        missing
            .stderr_contains("it has no folder 'Gäste', which move_to names")
            .run();
        scene.dovecot.make("referee", "G&AOQ-ste");
        scene.first();
        scene.deliver(&stranger());
        scene.deliver(&plays("white", "P>e3"));
        // Somebody else has marked it for deletion, which is that person's to do.
        scene.dovecot.deliver("referee", "INBOX", "T", &stranger());
        let run = scene.fetch(&[]).any_stdout().run();
        assert_eq!(words(&run.stdout), ["accepted"]);
        assert_eq!(scene.names("INBOX").len(), 2);
        assert_eq!(scene.names("G&AOQ-ste").len(), 1);
        let told = scene.dovecot.said("referee", true);
        assert!(told.contains(command), "{told}");
    }
}

#[test]
#[ignore = "needs Dovecot"]
fn a_server_that_cannot_move_one_message_alone_is_not_asked_to() {
    let capability = "protocol imap {\n imap_capability = IMAP4rev1 IDLE\n}";
    let scene = Scene::with(capability, "after = \"move\"\nmove_to = \"Done\"");
    let run = scene.fetch(&[]).status(1);
    run.stderr_contains("it offers neither MOVE nor UIDPLUS")
        .run();
}

#[test]
#[ignore = "needs Dovecot"]
fn where_the_quota_is_full_the_message_stays_and_is_moved_later() {
    let capability = "protocol imap {\n imap_capability = IMAP4rev1 UIDPLUS\n}";
    let scene = Scene::with(capability, "after = \"move\"\nmove_to = \"Done\"");
    scene.dovecot.make("referee", "Done");
    scene.first();
    scene.dovecot.set_quota(1);
    scene.deliver(&plays("white", "P>e3"));
    scene.deliver(&plays("black", "n>g5"));
    let run = scene.fetch(&[]).any_stdout().status(75);
    let run = run.stderr_contains("could not be moved to 'Done', and stays where it is");
    let run = run.stderr_contains("OVERQUOTA").run();
    assert_eq!(words(&run.stdout), ["accepted", "accepted"]);
    assert_eq!(run.stderr.matches("OVERQUOTA").count(), 1, "{}", run.stderr);
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
    assert_eq!(scene.names("INBOX").len(), 2);
    scene.dovecot.set_quota(100);
    scene.fetch(&[]).run();
    assert_eq!(scene.names("INBOX").len(), 0);
    assert_eq!(scene.names("Done").len(), 2);
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_message_beyond_the_limit_is_not_read_to_its_end() {
    let scene = Scene::new();
    scene.first();
    let long = "a line of seventy characters, which is what people write by habit now\n";
    scene.deliver(&plays("white", &long.repeat(500_000)));
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&[]).any_stdout().status(1);
    let run = run
        .stderr_contains("the message is longer than 32 MiB")
        .run();
    assert_eq!(words(&run.stdout), ["refused", "accepted"]);
    let told = scene.dovecot.said("referee", true);
    assert!(told.contains("BODY.PEEK[]<0.33554433>"), "{told}");
}

/// The user plays, and has looked into the folder once.
fn invited() -> Scene {
    let scene = Scene::new();
    let ours = scene.house.read("config.toml");
    let mine = ours.replace("role = \"referee\"", "");
    scene.house.write("config.toml", mine);
    scene.first();
    scene
}

/// Another person with the program.
fn zoe() -> Sandbox {
    let config = "[me]\nname = \"Zoe\"\naddress = \"zoe@example.org\"\n";
    Sandbox::new()
        .dir("games")
        .file("config.toml", config)
        .env("PARAPOST_CONFIG", "config.toml")
}

/// Zoe's invitation of the user.
fn invitation(zoe: &Sandbox, id: &str) -> String {
    let me = format!("Referee <{}>", address("referee"));
    let new = zoe
        .parapost(["new", "--game", "unachess", "--id", id, "--print"])
        .args(["--white", "Zoe <zoe@example.org>", "--black", &me]);
    new.any_stdout().any_stderr().run().stdout
}

#[test]
#[ignore = "needs Dovecot"]
fn an_invitation_is_entered_and_the_mail_behind_it_is_read() {
    let scene = invited();
    let zoe = zoe();
    // White invites the user, who plays Black, and writes once more before an answer.
    scene.deliver(&letter("zoe@example.org", "my move", "P>e3"));
    scene.deliver(&invitation(&zoe, "new1"));
    let run = scene.fetch(&[]).any_stdout().status(1);
    run.stderr_contains("'parapost fetch --accept --since YYYY-MM-DD'")
        .run();
    let run = scene
        .fetch(&["--accept", "--since", "2001-02-03"])
        .any_stdout()
        .stderr_contains("new1: invitation: Zoe")
        .run();
    assert_eq!(words(&run.stdout), ["invitation", "accepted"]);
    let game = scene.house.read("games/new1.txt");
    assert!(game.contains("1.  P>e3\n"), "{game}");
    begin(&scene.house, "other");
}

#[test]
#[ignore = "needs Dovecot"]
fn invitations_beyond_the_bound_of_a_run_are_entered_by_the_next() {
    let scene = invited();
    let zoe = zoe();
    for number in 0..22 {
        scene.deliver(&invitation(&zoe, &format!("new{number}")));
    }
    let run = scene.fetch(&["--accept"]).any_stdout().status(75);
    let run = run.stderr_contains("the next run takes more").run();
    assert_eq!(run.stdout.matches("\tinvitation\n").count(), 20);
    // What is kept is looked at once more, for the matches that were entered.
    let lines = run
        .stdout
        .lines()
        .filter(|line| line.ends_with("\tdeferred"));
    assert_eq!(lines.collect::<BTreeSet<_>>().len(), 2);
    let run = scene.fetch(&["--accept"]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["invitation", "invitation"]);
}

/// Each was asked about twice, as a player's and as a referee's, and each time the folder was
/// listed.
#[test]
#[ignore = "needs Dovecot"]
fn for_each_letter_of_a_stranger_the_folder_is_listed_once() {
    let scene = Scene::new();
    scene.first();
    let listings = |letters: usize| {
        for number in 0..letters {
            let body = format!("{letters} and {number}: nobody else may read this.");
            scene.deliver(&letter("mallory@example.org", "lunch", &body));
        }
        let trace = scene.house.path("trace");
        let mut command = scene.fetch(&[]).command();
        Fault::None.prepare(&mut command, &trace);
        assert!(command.output().unwrap().status.success());
        let calls = shim::trace(&trace, scene.house.folder());
        let lists = |call: &&shim::Call| call.path == "games" && call.name == "openat";
        calls.iter().filter(lists).count()
    };
    let before = listings(0);
    assert_eq!(listings(3), before + 3);
}
