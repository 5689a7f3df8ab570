//! Which match a letter is about.

use super::{begin, ben, header, letter, mails, receive, referee, session};

#[test]
fn a_player_of_several_games_is_asked_which_one() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    begin(&session, "two", "P>d3");
    let letter = letter("ben@example.org", "my move", "n>g5\n");
    let output = receive(&session, &["--print"], &letter, "-", "unknown-match").run();
    let mails = mails(&output.stdout);
    let [mail] = mails.as_slice() else {
        panic!("{}", output.stdout);
    };
    assert_eq!(
        header(mail, "Subject:"),
        "Which game is your message about?"
    );
    assert!(
        mail.contains("\n  [one] Unachess: you are Black, your move\n"),
        "{mail}"
    );
    assert!(
        mail.contains("\n  [two] Unachess: you are Black, your move\n"),
        "{mail}"
    );
    receive(&session, &["--print"], &letter, "one", "duplicate").run();

    // The question itself names neither, and must not be taken to.
    let question = header(mail, "Message-ID:");
    let again = format!(
        "From: ben@example.org\nIn-Reply-To: {question}\nReferences: {} {question}\n\
         Subject: Re: Which game is your message about?\nMessage-ID: <again@ben.test>\n\nn>g5\n",
        header(mail, "In-Reply-To:")
    );
    receive(&session, &[], &again, "-", "unknown-match").run();
    let clear = again
        .replace("Re: Which", "Re: [two] Which")
        .replace("<again", "<clear");
    receive(&session, &[], &clear, "two", "accepted").run();
}

/// The question names all matches of a player, and a letter may invent a sub-address.
#[test]
fn which_match_is_meant_is_asked_at_an_address_that_is_known() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    begin(&session, "two", "P>d3");
    let letter = letter("ben+elsewhere@example.org", "my move", "n>g5\n");
    let output = receive(&session, &["--print"], &letter, "-", "unknown-match").run();
    let mails = mails(&output.stdout);
    let to: Vec<_> = mails.iter().map(|mail| header(mail, "To:")).collect();
    assert_eq!(to.len(), 1, "{}", output.stdout);
    assert!(to[0].contains("ben@example.org"), "{to:?}");
}

#[test]
fn ids_that_disagree_are_asked_about() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    begin(&session, "two", "P>d3");
    let body = "n>g5\n\n> Game one, 1 half-moves made.\n";
    let letter = letter("ben@example.org", "[two] Unachess: 1. P>d3", body);
    receive(&session, &[], &letter, "-", "unknown-match").run();
    for id in ["one", "two"] {
        assert!(!session.read(format!("games/{id}.txt")).contains("n>g5"));
    }
}

/// Mails said "1 half-moves made." once, and replies go on quoting them.
#[test]
fn the_id_line_is_read_in_its_older_wording_too() {
    for count in ["1 half-move", "1 half-moves"] {
        let session = session("ref", "referee");
        begin(&session, "one", "P>e3");
        begin(&session, "two", "P>d3");
        let body = format!("n>g5\n\n> Game one, {count} made.\n");
        let letter = letter("ben@example.org", "My move", &body);
        receive(&session, &[], &letter, "one", "accepted").run();
    }
}

#[test]
fn an_id_from_a_letter_is_never_a_path() {
    let session = referee();
    let before = session.contents();
    for subject in ["[../m]", "[/etc/passwd]", "[m.txt]", "[..]"] {
        let letter = letter(
            "mallory@example.org",
            subject,
            "n>g5\n\n> Game ../m, 1 half-moves made.\n",
        );
        receive(&session, &[], &letter, "-", "stranger").run();
    }
    let names = |files: Vec<(std::path::PathBuf, Vec<u8>)>| -> Vec<std::path::PathBuf> {
        files.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(before), names(session.contents()));
}

#[test]
fn a_damaged_match_that_may_be_meant_puts_the_letter_off() {
    let session = referee();
    let whole = session.read("games/m.txt");
    let session = session.file("games/m.txt", &whole[..whole.len() / 2]);
    let before = session.read("games/m.txt");
    receive(&session, &[], &ben("n>g5\n"), "-", "deferred")
        .stderr_contains("games/m.txt:")
        .run();
    receive(&session, &["--deliver"], &ben("n>g5\n"), "-", "deferred").run();
    assert_eq!(before, session.read("games/m.txt"));
    let session = session.file("games/m.txt", whole);
    receive(&session, &[], &ben("n>g5\n"), "m", "accepted").run();
}

#[test]
fn a_letter_to_a_damaged_match_is_not_taken_for_one_to_another() {
    let session = session("ref", "referee");
    begin(&session, "one", "P>e3");
    begin(&session, "two", "P>e3");
    let mail = session
        .parapost(["send", "--resend", "one", "--print"])
        .any_stdout()
        .run()
        .stdout;
    let answer = format!(
        "From: ben@example.org\nIn-Reply-To: {}\nMessage-ID: <again@ben.test>\n\nn>g5\n",
        header(&mail, "Message-ID:")
    );
    let whole = session.read("games/one.txt");
    let session = session.file("games/one.txt", whole.replace("Result: *\n", ""));
    let two = session.read("games/two.txt");
    receive(&session, &[], &answer, "-", "deferred")
        .stderr_contains("games/one.txt:")
        .run();
    assert_eq!(session.read("games/two.txt"), two);
    let session = session.file("games/one.txt", whole);
    receive(&session, &[], &answer, "one", "accepted").run();
}

/// While another process lists the folder nobody is called a stranger by half a list.
#[test]
fn an_unnamed_letter_from_an_unknown_address_waits_for_the_list() {
    let session = referee().env("PARAPOST_WAIT", "0");
    let unnamed = |body: &str| letter("Ben <ben@example.org>", "my move", body);
    let stranger = letter("Mallory <mallory@example.org>", "hello", "n>g5\n");
    // This makes the index.
    receive(
        &session,
        &["--deliver", "--dry-run"],
        &stranger,
        "-",
        "stranger",
    )
    .status(0)
    .run();
    let lock = std::fs::File::open(session.path("games/.index/listing.lock")).unwrap();
    lock.lock().unwrap();
    receive(&session, &["--deliver"], &stranger, "-", "deferred").run();
    // A player who is known waits for nothing, nor does a letter that names its match.
    receive(
        &session,
        &["--deliver"],
        &unnamed("n>g5\n"),
        "m",
        "accepted",
    )
    .run();
    receive(&session, &["--deliver"], &ben("n>g5\n\n"), "m", "duplicate").run();
    drop(lock);
    receive(&session, &["--deliver"], &stranger, "-", "stranger")
        .status(0)
        .run();
}

#[test]
fn a_match_that_is_over_and_owes_nothing_is_listed_with_all_alone() {
    let session = referee();
    begin(&session, "two", "P>e3");
    let over = session.read("games/two.txt");
    let mut over: parapost::matches::r#match::Match = over.parse().unwrap();
    let time = super::NOW.parse().unwrap();
    let resign = parapost::matches::action::Action::Resign;
    let white = parapost::rules::Color::White;
    over.push(parapost::matches::event::LogEntry::new(time, resign, white))
        .unwrap();
    let session = session.file("games/two.txt", over.to_string());
    let listed = |words: &[&str]| {
        let output = session.parapost(words.iter().copied()).any_stdout().run();
        let lines = output.stdout.lines();
        let ids = lines.filter_map(|line| line.split_whitespace().next());
        ids.map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed(&["list"]), ["m"]);
    assert_eq!(listed(&["list", "--all"]), ["m", "two"]);
    // What cannot be read may go on.
    let session = session.file("games/two.txt", "Format: nonsense\n");
    session
        .parapost(["list"])
        .any_stdout()
        .stderr_contains("games/two.txt")
        .status(1)
        .run();
}
