//! A match that is given an id again, or a file that a backup brought back: ids and codes
//! of mails are of one course of one match.

use super::{begin, config, header, letter, log, receive, session};
use crate::support::Sandbox;

const BEN: &str = "Ben <ben@example.org>";

/// The match `m` of a referee who asks for the token, and the first mail in it, to Ben.
fn begun(session: &Sandbox) -> String {
    begin(session, "m", "P>e3");
    let sent = session
        .parapost(["send", "--resend", "m", "--print"])
        .any_stdout()
        .any_stderr()
        .run();
    assert!(header(&sent.stdout, "To:").contains("ben"));
    sent.stdout
}

fn referee() -> Sandbox {
    let session = session("ref", "referee");
    let policy = config("ref", "referee") + "[policy]\nidentity = \"token\"\n";
    session.write("config.toml", policy);
    session
}

fn unsubscription(mail: &str) -> String {
    let (_, code) = mail.split_once("unsubscribe-").unwrap();
    let (code, _) = code.split_once('>').unwrap();
    letter(BEN, &format!("[m] unsubscribe-{code}"), "")
}

/// Under one secret the ids and codes of a season's mails were right in the next one's.
#[test]
fn a_player_of_a_match_that_was_removed_plays_and_resigns_in_none_that_has_its_id() {
    let house = referee();
    let first = begun(&house);
    let id = header(&first, "Message-ID:").to_owned();
    for left in ["games/m.txt", "games/outbox", "games/.index"] {
        let path = house.path(left);
        let _ = std::fs::remove_dir_all(&path);
        let _ = std::fs::remove_file(&path);
    }
    let house = house.env("PARAPOST_NOW", "2027-11-20T05:00:00Z");
    let second = begun(&house);
    assert_ne!(header(&second, "Message-ID:"), id);
    let before = log(&house, "m");
    let citing = |body: &str, id: &str| {
        letter(BEN, "Re: [m]", body)
            .replace("\nSubject:", &format!("\nIn-Reply-To: {id}\nSubject:"))
    };
    for old in [
        citing("resign\n", &id),
        citing("n>g5\n", &id),
        unsubscription(&first),
    ] {
        receive(&house, &["--print"], &old, "m", "stranger").run();
    }
    assert_eq!(log(&house, "m"), before);
    let id = header(&second, "Message-ID:").to_owned();
    receive(
        &house,
        &["--print"],
        &citing("n>g5 \n", &id),
        "m",
        "accepted",
    )
    .run();
    receive(
        &house,
        &["--print"],
        &unsubscription(&second),
        "m",
        "command",
    )
    .run();
}

/// The mail after a backup had the Message-ID of the one that had gone out before, and
/// its file in the outbox.
#[test]
fn a_state_file_from_a_backup_takes_no_mail_of_the_other_course_away() {
    let house = referee();
    let config = config("ref", "referee") + "[transport]\nkind = \"folder\"\n";
    house.write("config.toml", config);
    begin(&house, "m", "P>e3");
    let backup = house.read("games/m.txt");
    let mut known: Vec<(std::path::PathBuf, Vec<u8>)> = Vec::new();
    for (time, body) in [
        ("2026-11-20T05:00:00Z", "n>g5\n"),
        ("2026-11-20T05:00:00Z", "n>g6\n"),
        // The same letter once more, at another time.
        ("2026-11-21T05:00:00Z", "n>g5\n"),
    ] {
        house.write("games/m.txt", &backup);
        let words = letter(BEN, "Re: [m]", body);
        receive(&house, &["--send"], &words, "m", "accepted")
            .now(time)
            .run();
        let outbox = house.contents().into_iter();
        let outbox: Vec<_> = outbox
            .filter(|(path, _)| path.starts_with("games/outbox"))
            .collect();
        assert!(outbox.len() > known.len(), "{body}: {}", outbox.len());
        for (path, mail) in &known {
            let now = outbox.iter().find(|(other, _)| other == path);
            assert_eq!(now.map(|(_, mail)| mail), Some(mail), "{body}");
        }
        known = outbox;
    }
    assert_eq!(known.len(), 6, "two mails for each course");
}
