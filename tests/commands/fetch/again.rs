//! Messages that come again: after trouble here, and when a server numbers them anew.

use std::fs;

use super::{Scene, begin, names, plays, stranger, words};
use crate::support::exim::address;

#[test]
#[ignore = "needs Dovecot"]
fn a_message_that_cannot_be_handled_now_holds_up_no_other_and_is_tried_again() {
    let scene = Scene::new();
    begin(&scene.house, "n");
    scene.first();
    let whole = scene.house.read("games/m.txt");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    let about = |id: &str, name: &str, body: &str| {
        plays(name, body).replace("Subject: my move", &format!("Subject: [{id}] my move"))
    };
    scene.deliver(&about("m", "white", "P>e3"));
    scene.deliver(&about("n", "white", "P>e4"));
    scene.deliver(&about("m", "black", "n>g5"));
    let run = scene.fetch(&[]).any_stdout().any_stderr().status(75).run();
    assert_eq!(words(&run.stdout), ["deferred", "accepted", "deferred"]);
    scene.deliver(&about("n", "black", "n>f6"));
    let run = scene.fetch(&[]).any_stdout().any_stderr().status(75).run();
    assert_eq!(words(&run.stdout), ["deferred", "deferred", "accepted"]);
    scene.house.write("games/m.txt", whole);
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted", "accepted"]);
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
    scene.fetch(&[]).run();
}

/// Who plays in a damaged match is not known: the message was passed over for good.
#[test]
#[ignore = "needs Dovecot"]
fn mail_that_may_be_about_a_damaged_match_is_looked_at_again() {
    let scene = Scene::new();
    scene.first();
    let whole = scene.house.read("games/m.txt");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    scene.deliver(&stranger());
    scene.deliver(&plays("white", "P>e3"));
    for _ in 0..2 {
        let run = scene.fetch(&[]);
        run.stderr_contains("may be about a match that cannot be read")
            .run();
    }
    scene.house.write("games/m.txt", whole);
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    scene.fetch(&[]).run();
    let said = scene.dovecot.said("referee", false);
    assert!(!said.contains("Nobody else may read this."), "{said}");
}

/// The first one is the player's own: a stranger's before it would bring it along.
#[test]
#[ignore = "needs Dovecot"]
fn the_first_message_that_was_passed_over_is_looked_at_again() {
    let scene = Scene::new();
    scene.first();
    let whole = scene.house.read("games/m.txt");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    scene.deliver(&plays("white", "P>e3"));
    scene.deliver(&stranger());
    let run = scene.fetch(&[]);
    run.stderr_contains("may be about a match that cannot be read")
        .run();
    scene.house.write("games/m.txt", whole);
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert_eq!(scene.moves(), "1. P>e3");
}

#[test]
#[ignore = "needs Dovecot"]
fn what_is_gone_from_the_server_is_not_tried_again() {
    let scene = Scene::new();
    scene.first();
    let whole = scene.house.read("games/m.txt");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    let about = plays("white", "P>e3").replace("Subject: ", "Subject: [m] ");
    scene.deliver(&about);
    scene.fetch(&[]).any_stdout().any_stderr().status(75).run();
    scene.house.write("games/m.txt", whole);
    let inbox = scene.dovecot.maildir("referee", "INBOX");
    for name in scene.names("INBOX") {
        fs::remove_file(inbox.join(name)).unwrap();
    }
    scene.fetch(&[]).run();
}

#[test]
#[ignore = "needs Dovecot"]
fn a_folder_that_is_numbered_anew_is_read_again_by_date_without_a_word_of_duplicates() {
    let scene = Scene::new();
    scene.first();
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&["--send"]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    let sent = fs::read_dir(scene.house.path("games/outbox"))
        .unwrap()
        .count();
    scene.renumber();
    scene.deliver(&stranger());
    scene.deliver(&plays("white", "P>e3"));
    scene.deliver(&names("black", "1... n>g5"));
    let run = scene.fetch(&["--send"]).any_stdout();
    let run = run.stderr_contains("numbered the messages anew").run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
    let all = fs::read_dir(scene.house.path("games/outbox"))
        .unwrap()
        .count();
    assert_eq!(all, 2 * sent, "what was answered is not answered again");
    scene.fetch(&[]).run();
}

#[test]
#[ignore = "needs Dovecot"]
fn the_place_is_safe_to_lose_and_a_damaged_one_is_said() {
    let scene = Scene::new();
    scene.first();
    scene.deliver(&plays("white", "P>e3"));
    scene.fetch(&[]).any_stdout().run();
    let place = scene.place();
    let text = fs::read_to_string(&place).unwrap();
    assert!(text.contains("\nUser: referee\nFolder: INBOX\n"), "{text}");
    assert!(!text.contains(&address("white")), "{text}");
    fs::write(&place, &text[..text.len() / 2]).unwrap();
    scene
        .fetch(&[])
        .status(1)
        .stderr_contains("this file is damaged; remove it")
        .run();
    fs::remove_file(&place).unwrap();
    let run = scene.fetch(&["--since", "2001-02-03"]);
    run.stderr_contains("this is the first run").run();
    assert_eq!(scene.moves(), "1. P>e3");
}
