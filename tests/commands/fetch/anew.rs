//! A folder that is read without a place, and what is no reason to do so.

use std::fs;

use parapost::matches::r#match::Match;

use super::{Scene, begin, letter, names, plays, stranger, words};
use crate::support::Sandbox;
use crate::support::exim::address;
use crate::support::terminal::at_terminal;

/// The first run passed it over for good.
#[test]
#[ignore = "needs Dovecot"]
fn a_move_that_waits_is_read_by_the_first_run() {
    let scene = Scene::new();
    scene.deliver(&stranger());
    scene.deliver(&names("white", "1. P>e3"));
    let run = scene.fetch(&[]).any_stdout();
    let run = run.stderr_contains("this is the first run: of the mail since");
    assert_eq!(words(&run.run().stdout), ["accepted"]);
    assert_eq!(scene.moves(), "1. P>e3");
    scene.deliver(&plays("black", "n>g5"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    let said = scene.dovecot.said("referee", false);
    assert!(!said.contains("Nobody else may read this."), "{said}");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_dry_run_without_a_place_changes_nothing() {
    let scene = Scene::new();
    scene.deliver(&names("white", "1. P>e3"));
    let before = scene.house.contents();
    let run = scene.fetch(&["--dry-run"]).any_stdout().any_stderr();
    assert_eq!(words(&run.run().stdout), ["accepted"]);
    assert_eq!(scene.house.contents(), before);
}

/// The match has waited for the letter longer than two weeks.
#[test]
#[ignore = "needs Dovecot"]
fn the_run_begins_where_the_longest_silence_of_a_match_does() {
    let scene = Scene::new();
    let old = scene
        .house
        .clone()
        .env("PARAPOST_NOW", "2026-08-20T03:00:00Z");
    begin(&old, "old");
    let first = plays("white", "1. P>e3").replace("Subject: ", "Subject: [old] ");
    scene.deliver(&first);
    scene.arrived_days_ago(30);
    let late = plays("white", "1. P>e4").replace("Subject: ", "Subject: [m] ");
    scene.deliver(&late);
    let run = scene.fetch(&[]).any_stdout();
    let run = run.stderr_contains("of the mail since 2026-08-18").run();
    assert_eq!(words(&run.stdout), ["accepted", "accepted"]);
}

/// It waits for nothing, though it owes mail.
#[test]
#[ignore = "needs Dovecot"]
fn a_match_that_is_over_sets_no_beginning() {
    let scene = Scene::new();
    let old = scene
        .house
        .clone()
        .env("PARAPOST_NOW", "2026-08-20T03:00:00Z");
    begin(&old, "old");
    let resign = names("white", "resign").replace("[m]", "[old]");
    let run = old.parapost(["receive"]).stdin(resign);
    let run = run.any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["command"]);
    scene.deliver(&names("white", "1. P>e3"));
    let run = scene.fetch(&[]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert!(!run.stderr.contains("2026-08-18"), "{run:?}");
}

/// Another run reads the folder, by another name of its server.
#[test]
#[ignore = "needs Dovecot"]
fn one_run_at_a_time_reads_a_folder_whatever_the_name_of_its_server() {
    let scene = Scene::new();
    scene.first();
    let place = scene.place();
    let name = place.file_stem().unwrap().to_str().unwrap();
    let lock = place.with_file_name(format!(".{name}.lock"));
    let held = fs::File::options().write(true).open(lock).unwrap();
    held.lock().unwrap();
    let config = scene.house.read("config.toml");
    let other = config.replace("\"localhost\"", "\"127.0.0.1\"");
    scene.house.write("config.toml", other);
    let run = scene.fetch(&[]).env("PARAPOST_WAIT", "0").status(75);
    run.stderr_contains("another 'parapost fetch' reads 'INBOX'")
        .run();
    drop(held);
    scene.fetch(&[]).run();
}

/// The folder is looked at anew for the match that was entered.
/// Has this person, who plays a match with the user of the configuration `mine`, invite the
/// user to the match `new1`.
fn invitation(scene: &Scene, person: &str) -> String {
    let config = scene.house.read("config.toml");
    let mine = config.replace("role = \"referee\"", "");
    scene.house.write("config.toml", mine);
    let me = format!("Referee <{}>", address("referee"));
    let host = Sandbox::new()
        .dir("games")
        .file(
            "config.toml",
            format!("[me]\nname = \"Zoe\"\naddress = \"{person}\"\n"),
        )
        .env("PARAPOST_CONFIG", "config.toml");
    host.parapost(["new", "--game", "unachess", "--id", "new1", "--print"])
        .args(["--white", &format!("Zoe <{person}>"), "--black", &me])
        .any_stdout()
        .any_stderr()
        .run()
        .stdout
}

#[test]
#[ignore = "needs Dovecot"]
fn a_letter_that_names_no_match_is_counted_once_though_a_match_is_entered_behind_it() {
    let scene = Scene::new();
    let invitation = invitation(&scene, "zoe@example.org");
    scene.deliver(&plays("white", "Hello!"));
    scene.deliver(&invitation);
    let run = scene.fetch(&["--accept"]).any_stdout();
    let run = run
        .stderr_contains("a letter of a player that came before this run names no match")
        .run();
    assert_eq!(words(&run.stdout), ["invitation"], "{run:?}");
}

/// It names a match that is not here yet.
#[test]
#[ignore = "needs Dovecot"]
fn an_old_invitation_from_a_player_is_shown() {
    let scene = Scene::new();
    let invitation = invitation(&scene, &address("white"));
    scene.deliver(&invitation);
    let run = scene.fetch(&[]).any_stdout().status(1);
    let run = run
        .stderr_contains("'parapost fetch --accept --since YYYY-MM-DD', with the day it came")
        .run();
    assert_eq!(words(&run.stdout), ["unknown-match"], "{run:?}");
}

/// Beyond 400 days nothing is read, and without a match what has come in two weeks.
#[test]
#[ignore = "needs Dovecot"]
fn the_run_begins_at_most_400_days_ago() {
    let scene = Scene::new();
    let old = scene
        .house
        .clone()
        .env("PARAPOST_NOW", "2020-08-20T03:00:00Z");
    begin(&old, "old");
    let day = |now: &str| {
        let run = scene.fetch(&["--dry-run"]).now(now).any_stderr().run();
        let (_, rest) = run.stderr.split_once("mail since ").unwrap();
        rest[..10].to_owned()
    };
    assert_eq!(day("2026-11-30T03:00:00Z"), "2025-10-26");
    for id in ["m", "old"] {
        fs::remove_file(scene.house.path(format!("games/{id}.txt"))).unwrap();
    }
    assert_eq!(day("2026-11-30T03:00:00Z"), "2026-11-16");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    assert_eq!(day("2026-11-30T03:00:00Z"), "2025-10-26");
}

/// Each skipped the move that waits.
#[test]
#[ignore = "needs Dovecot"]
fn other_names_of_the_same_folder_are_no_reason_to_read_it_anew() {
    let scene = Scene::new();
    scene.first();
    let config = scene.house.read("config.toml");
    let tls_port = format!("port = {}", scene.dovecot.tls_port);
    let port = format!("port = {}\ntls = \"starttls\"", scene.dovecot.port);
    let folder = |name: &str| format!("user = \"referee\"\nfolder = \"{name}\"");
    let white = ["1. K>e1", "2. R>h1", "3. P>c3", "4. P>f2"];
    let black = ["b>b4", "n>f6", "b-a5", "p>d7"];
    let cases = [
        (tls_port.as_str(), port.as_str()),
        ("\"localhost\"", "\"127.0.0.1\""),
        ("user = \"referee\"", &folder("inbox")),
        ("user = \"referee\"", &folder("INBOX")),
    ];
    for ((from, to), (white, black)) in cases.into_iter().zip(white.into_iter().zip(black)) {
        scene.deliver(&names("white", white));
        let run = scene.fetch(&[]).any_stdout().run();
        assert_eq!(words(&run.stdout), ["accepted"], "{white}");
        // It names no match by itself: read anew, it would not be played.
        let reply = names("black", black).replace("Subject: [m] my", "Subject: your");
        scene.deliver(&reply);
        scene.house.write("config.toml", config.replace(from, to));
        let run = scene.fetch(&[]).any_stdout().run();
        assert_eq!(words(&run.stdout).len(), 1, "{to}: {run:?}");
        scene.place();
    }
    scene.house.write("config.toml", config);
    scene.fetch(&[]).run();
}

/// Another folder of that name may have another login.
#[test]
#[ignore = "needs Dovecot"]
fn a_place_is_of_one_folder_of_one_login() {
    let scene = Scene::new();
    scene.dovecot.make("referee", "Games");
    scene.first();
    let config = scene.house.read("config.toml");
    let games = "user = \"referee\"\nfolder = \"Games\"";
    scene
        .house
        .write("config.toml", config.replace("user = \"referee\"", games));
    scene.first();
    let white = config.replace("user = \"referee\"", "user = \"white\"");
    let password = crate::support::exim::password("white");
    scene.house.write("password", password + "\n");
    scene.house.write("config.toml", white);
    scene.first();
}

/// A year of an opponent's mail about other things is nobody's business here.
#[test]
#[ignore = "needs Dovecot"]
fn old_letters_that_name_no_match_are_counted_and_neither_read_nor_kept() {
    let scene = Scene::new();
    for number in 0..5 {
        let body = format!("Letter {number}: the secret of the soup is thyme.");
        scene.deliver(&plays("white", &body));
    }
    // It quotes the foot of a mail about a match that is not here.
    let quoted = "Thyme.\n\n> Game gone, 1 half-move made, hash 0123456789abcdef.";
    scene.deliver(&plays("white", quoted));
    let before = scene.house.read("games/m.txt");
    let run = scene.fetch(&[]).stderr_contains(
        "6 letters of players that came before this run name no match and were not read",
    );
    run.run();
    assert_eq!(scene.house.read("games/m.txt"), before);
    let said = scene.dovecot.said("referee", false);
    assert!(!said.contains("the secret of the soup"), "{said}");
    scene.fetch(&[]).run();
}

/// What the match has received already needs no word.
#[test]
#[ignore = "needs Dovecot"]
fn letters_that_were_received_are_not_counted_again() {
    let scene = Scene::new();
    scene.first();
    scene.deliver(&plays("white", "P>e3"));
    scene.fetch(&[]).any_stdout().run();
    scene.lose_the_place();
    let run = scene.fetch(&[]).any_stderr().run();
    assert!(run.stderr.contains("this is the first run"), "{run:?}");
    assert!(!run.stderr.contains("name no match"), "{run:?}");
}

/// Each way to name a match.
#[test]
#[ignore = "needs Dovecot"]
fn old_letters_that_name_a_match_are_read() {
    let answered = |scene: &Scene| {
        let resend = scene.house.parapost(["send", "--resend", "m"]);
        resend.any_stdout().any_stderr().run();
        let game: Match = scene.house.read("games/m.txt").parse().unwrap();
        let mut events = game.log().iter().rev();
        let msg = events.find_map(|event| event.get("msg").map(ToOwned::to_owned));
        let shown = scene.house.parapost(["show", "m", "--answer"]);
        let shown = shown.any_stdout().run().stdout;
        let (_, code) = shown.split_once("Answer code: ").unwrap();
        (game.hash(), msg.unwrap(), code[..16].to_owned())
    };
    let letters: [fn(&str, &str, &str) -> String; 6] = [
        |_, _, _| names("white", "1. P>e3"),
        |_, _, _| names("white", "1. P>e3").replace("Subject: [m] my", "Subject: Re: [M] my"),
        |hash, _, _| {
            let foot = format!("> Game m, 0 half-moves made, hash {hash}.");
            plays("white", &format!("1. P>e3\n\n{foot}"))
        },
        |_, msg, _| {
            let cites = format!("In-Reply-To: {msg}\nDate: ");
            plays("white", "1. P>e3").replace("Date: ", &cites)
        },
        |_, _, code| {
            let form = format!("Game m, 0 half-moves made.\nAnswer code: {code}");
            plays("white", &format!("P>e3\n{form}"))
        },
        // Nothing else in it is as our mails write it.
        |_, _, code| {
            let form = format!("Game m, 0 half moves\nmade. Answer code: {code}");
            plays("white", &format!("P>e3\n{form}"))
        },
    ];
    for letter in letters {
        let scene = Scene::new();
        let (hash, msg, code) = answered(&scene);
        let letter = letter(&hash, &msg, &code);
        scene.deliver(&letter);
        let run = scene.fetch(&[]).any_stdout();
        let run = run.stderr_contains("this is the first run").run();
        assert_eq!(words(&run.stdout), ["accepted"], "{letter}\n{run:?}");
        assert_eq!(scene.moves(), "1. P>e3");
        assert!(!run.stderr.contains("name no match"), "{run:?}");
    }
    // That of another position names the match, and plays nothing.
    let scene = Scene::new();
    let foot = "> Game m, 0 half-moves made, hash 0123456789abcdef.";
    scene.deliver(&plays("white", &format!("1. P>e3\n\n{foot}")));
    let run = scene.fetch(&[]).any_stdout().any_stderr().either();
    assert_eq!(words(&run.stdout), ["refused"], "{run:?}");
    assert_eq!(scene.moves(), "");
}

/// Nobody knows which position its writer saw.
#[test]
#[ignore = "needs Dovecot"]
fn an_old_move_needs_its_number_or_cites_the_present_position() {
    let scene = Scene::new();
    scene.deliver(&names("white", "P>e4"));
    let run = scene.fetch(&["--send"]).any_stdout().any_stderr().status(1);
    assert_eq!(words(&run.run().stdout), ["refused"]);
    assert_eq!(scene.moves(), "");
    let outbox = scene.house.path("games/outbox");
    let mails = || -> Vec<String> {
        let files = fs::read_dir(&outbox).unwrap();
        let files = files.map(|entry| entry.unwrap().path());
        files
            .map(|path| fs::read_to_string(path).unwrap())
            .collect()
    };
    let asked = mails();
    let asks = "put the number before the move: 1. P>e4";
    let is_asked = |mail: &String| mail.replace('\n', " ").contains(asks);
    assert_eq!(
        asked.iter().filter(|mail| is_asked(mail)).count(),
        1,
        "{asked:?}"
    );
    scene.deliver(&names("white", "1. P>e3"));
    scene.fetch(&["--send"]).any_stdout().run();
    let mails = mails();
    let to = format!("To: black <{}>", address("black"));
    let shown = mails
        .iter()
        .find(|mail| mail.contains(&to))
        .expect("a mail to Black");
    let id = shown
        .lines()
        .find_map(|line| line.strip_prefix("Message-ID: "));
    let answer = |body: &str| {
        let cites = format!("In-Reply-To: {}\nDate: ", id.unwrap());
        plays("black", body).replace("Date: ", &cites)
    };
    scene.lose_the_place();
    scene.deliver(&answer("n>g5"));
    let run = scene.fetch(&[]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert_eq!(scene.moves(), "1. P>e3 n>g5");
}

/// The offer may be another one than that which the letter accepts.
#[test]
#[ignore = "needs Dovecot"]
fn an_old_letter_accepts_no_offer_that_it_does_not_cite() {
    let scene = Scene::new();
    scene.first();
    scene.deliver(&names("white", "P>e3\n\noffer draw"));
    scene.fetch(&[]).any_stdout().run();
    scene.deliver(&names("black", "accept draw"));
    scene.lose_the_place();
    let run = scene.fetch(&[]).any_stdout().any_stderr().status(1).run();
    assert_eq!(words(&run.stdout), ["refused"]);
    assert!(!scene.house.read("games/m.txt").contains("1/2"), "{run:?}");
}

#[test]
#[ignore = "needs Dovecot"]
fn old_letters_get_twenty_answers_and_moves_among_them_are_played() {
    let scene = Scene::new();
    let config = scene.house.read("config.toml");
    scene
        .house
        .write("config.toml", config + "[policy]\nanswers = 100\n");
    for number in 0..25 {
        scene.deliver(&names("white", &format!("K>a{number}")));
    }
    scene.deliver(&names("white", "1. P>e3"));
    let run = scene
        .fetch(&["--send"])
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert!(words(&run.stdout).ends_with(&["accepted"]), "{run:?}");
    assert_eq!(run.stderr.matches("enough answers").count(), 5, "{run:?}");
    let sent = fs::read_dir(scene.house.path("games/outbox")).unwrap();
    // Two more are those of the move.
    assert_eq!(sent.count(), 22, "{run:?}");
    // Those that come now are answered as ever.
    scene.deliver(&names("white", "K>b1"));
    let run = scene
        .fetch(&["--send"])
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert!(!run.stderr.contains("enough answers"), "{run:?}");
}

#[test]
#[ignore = "needs Dovecot"]
fn what_has_the_keyword_and_what_a_forgotten_player_wrote_stays_out() {
    let scene = Scene::with("", "after = \"keyword\"");
    scene.first();
    let before = scene.house.read("games/m.txt");
    scene.deliver(&names("white", "1. P>e3"));
    scene.fetch(&[]).any_stdout().run();
    // Nothing but the keyword tells that it was read.
    scene.house.write("games/m.txt", &before);
    fs::remove_dir_all(scene.house.path("games/.index")).ok();
    scene.lose_the_place();
    let run = scene.fetch(&[]).any_stderr().run();
    assert!(run.stderr.contains("this is the first run"), "{run:?}");
    assert_eq!(scene.moves(), "");
}

#[test]
#[ignore = "needs Dovecot"]
fn letters_of_a_forgotten_player_stay_out() {
    let scene = Scene::new();
    scene.first();
    scene.deliver(&names("white", "1. P>e3\n\nMy cat is called Mitzi."));
    scene.deliver(&names("white", "resign"));
    scene.fetch(&["--send"]).any_stdout().any_stderr().run();
    let forget = ["forget", &address("white"), "--yes"];
    let forget = scene.house.parapost(forget).any_stdout().any_stderr();
    forget.run();
    let before = scene.house.read("games/m.txt");
    assert!(!before.contains("Mitzi"), "{before}");
    scene.lose_the_place();
    let run = scene.fetch(&["--send"]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["ignored", "ignored"]);
    assert_eq!(scene.house.read("games/m.txt"), before);
}

#[test]
#[ignore = "needs Dovecot"]
fn the_user_can_have_all_mail_since_a_day_read() {
    let scene = Scene::new();
    scene.deliver(&plays("white", "P>e3"));
    scene.fetch(&[]).any_stderr().run();
    assert_eq!(scene.moves(), "");
    let run = scene.fetch(&["--since", "2001-02-03"]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    scene.fetch(&[]).run();
}

#[test]
#[ignore = "needs Dovecot"]
fn list_and_doctor_say_when_the_last_complete_fetch_was() {
    let scene = Scene::new();
    let list = |words: &[&str]| {
        let list = scene.house.parapost(["list"]).args(words.iter().copied());
        let run = list.any_stdout().any_stderr().run();
        run.stdout + &run.stderr
    };
    let doctor = || {
        scene
            .house
            .parapost(["doctor"])
            .any_stdout()
            .any_stderr()
            .either()
    };
    assert!(list(&[]).contains("Mail has never been fetched to its end"));
    assert!(list(&["--json"]).contains("\"fetched\":null"));
    assert!(
        doctor()
            .stdout
            .contains("note   fetch: mail has never been fetched to its end")
    );
    let time = "2026-11-24T03:00:00Z";
    scene.fetch(&[]).now(time).any_stderr().run();
    // What is kept is not complete.
    let whole = scene.house.read("games/m.txt");
    scene.house.write("games/m.txt", "Format: nonsense\n");
    scene.deliver(&names("white", "P>e3"));
    scene.fetch(&[]).any_stdout().any_stderr().status(75).run();
    scene.house.write("games/m.txt", whole);
    assert!(list(&[]).contains(&format!("Mail was last fetched to its end: {time}.")));
    assert!(list(&["--json"]).contains(&format!("\"fetched\":\"{time}\"")));
    let said = doctor().stdout;
    let line = format!("ok     fetch: mail was last fetched to its end: {time}");
    assert!(said.contains(&line), "{said}");
}

/// Writes the place as earlier versions did.
fn make_earlier(scene: &Scene, change: impl Fn(String) -> String) {
    let place = scene.place();
    let text = fs::read_to_string(&place).unwrap();
    let is_known = |line: &&str| {
        let new = ["Trace: ", "Complete: ", "Old: ", "Mailbox: "];
        !new.iter().any(|new| line.starts_with(new))
    };
    let lines: Vec<&str> = text.lines().filter(is_known).collect();
    let text = lines
        .join("\n")
        .replace("parapost-imap 2", "parapost-imap 1");
    fs::write(place, change(text + "\n")).unwrap();
}

#[test]
#[ignore = "needs Dovecot"]
fn a_place_of_an_earlier_version_counts_where_it_did() {
    let scene = Scene::new();
    scene.first();
    make_earlier(&scene, |text| text);
    scene.deliver(&plays("white", "P>e3"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    let text = fs::read_to_string(scene.place()).unwrap();
    assert!(text.starts_with("Format: parapost-imap 2\n"), "{text}");
    assert!(text.contains("\nTrace: 1 "), "{text}");
    // The INBOX had the name that the configuration gave it.
    make_earlier(&scene, |text| text.replace("INBOX", "Inbox"));
    let renamed = scene.house.path("games/imap/0123456789abcdef.txt");
    fs::rename(scene.place(), &renamed).unwrap();
    scene.deliver(&plays("black", "n>g5"));
    let run = scene.fetch(&[]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert!(!renamed.exists() && scene.place().exists());
    // That of another server tells nothing.
    make_earlier(&scene, |text| text.replace("localhost", "elsewhere"));
    fs::rename(scene.place(), &renamed).unwrap();
    scene
        .fetch(&[])
        .stderr_contains("this is the first run")
        .run();
    assert!(renamed.exists());
}

#[test]
#[ignore = "needs Dovecot"]
fn a_place_has_no_word_of_a_message() {
    let scene = Scene::new();
    scene.first();
    scene.deliver(&letter("mallory@example.org", "lunch", "Soup."));
    scene.fetch(&[]).run();
    let text = fs::read_to_string(scene.place()).unwrap();
    assert!(text.contains("\nTrace: 1 "), "{text}");
    assert!(!text.contains("mail.test"), "{text}");
}

/// `fetch` that finds nothing said nothing.
#[test]
#[ignore = "needs Dovecot"]
fn at_a_terminal_a_run_says_what_it_looked_at_and_since_when() {
    let scene = Scene::new();
    scene.first();
    let fetch = || {
        let screen = at_terminal(scene.fetch(&[]), 120, "");
        assert_eq!(screen.status, 0, "{}", screen.sent);
        screen.text()
    };
    let nothing = "'INBOX' on localhost: no message has come since 20";
    assert!(fetch().contains(nothing), "{}", fetch());
    for number in 0..2 {
        scene.deliver(&format!(
            "From: shop@spam.test\nSubject: buy {number}\n\nNow.\n"
        ));
    }
    scene.deliver(&plays("white", "P>e3"));
    let told = fetch();
    let line = "'INBOX' on localhost: looked at 3 messages since 20";
    assert!(told.contains(line), "{told}");
    assert!(
        told.contains("; 2 are about no match and were not read."),
        "{told}"
    );
    assert!(fetch().contains(nothing), "{}", fetch());
    // A script is told nothing of it.
    scene.fetch(&[]).run();
}
