//! Letters in somebody else's name: one mail, and no more.

use super::{
    LEVELS, OPEN, again, anna, answer, begun, club, config, empty, eve, letter, only, partners,
    receive, receive_at, turns, turns_at,
};

const WORDS: &str = "new unachess as white with partner level 1";

/// A week long, whatever comes in the name of somebody who has not answered causes nothing.
#[test]
fn forged_letters_cause_one_mail_and_nobody_plays() {
    let house = empty(OPEN);
    assert_eq!(receive(&house, &eve(1, WORDS), "\tcommand\n").len(), 1);
    let game = only(&house);
    let by_subject = eve(3, "P>e3").replace("Subject: hello", "Subject: Re: Unachess");
    for letter in [
        eve(2, "P>e3"),
        by_subject,
        eve(4, "decline"),
        eve(5, "help"),
        eve(6, WORDS),
        eve(7, "new chess as black with partner level 3"),
        letter("eve+x@elsewhere.test", 8, WORDS),
        letter("Eve@Elsewhere.test", 9, WORDS),
    ] {
        assert!(
            receive(&house, &letter, "\tstranger\n").is_empty(),
            "{letter}"
        );
        assert!(turns(&house).is_empty());
    }
    assert_eq!(again(&house, game.id().as_str()).hash(), game.hash());
    assert_eq!(partners(&house).len(), 1);
    // The invitation lapses, and is no match any more.
    let lapsed = "2026-11-28T13:00:00Z";
    assert!(turns_at(&house, lapsed).is_empty());
    assert!(
        again(&house, game.id().as_str())
            .ending()
            .unwrap()
            .is_void()
    );
    assert!(receive_at(&house, lapsed, &eve(10, WORDS), "\tstranger\n").is_empty());
    let later = "2026-12-20T06:00:00Z";
    assert_eq!(
        receive_at(&house, later, &eve(11, WORDS), "\tcommand\n").len(),
        1
    );
}

/// Declining does not make room for the next.
#[test]
fn whoever_declines_gets_no_other_in_that_week() {
    let house = empty(OPEN);
    let mails = receive(&house, &eve(1, WORDS), "\tcommand\n");
    let declined = answer("eve@elsewhere.test", 2, &mails[0], "decline");
    receive(&house, &declined, "\tcommand\n");
    assert!(receive(&house, &eve(3, WORDS), "\tstranger\n").is_empty());
    assert_eq!(partners(&house).len(), 1);
}

/// Who has the mail can play, and is known from then on.
#[test]
fn an_answer_to_the_first_mail_begins_the_match() {
    let house = empty(OPEN);
    let mails = receive(&house, &eve(1, WORDS), "\tcommand\n");
    let game = only(&house);
    let first = answer("eve@elsewhere.test", 2, &mails[0], "P>e3");
    let receipt = receive(&house, &first, "\taccepted\n");
    assert_eq!(
        receipt.len(),
        1,
        "a receipt for Eve, and nothing for the program"
    );
    assert_eq!(turns(&house).len(), 1);
    assert_eq!(again(&house, game.id().as_str()).record().steps().len(), 2);
    // From now on it is a match like any other, and she a player like any other.
    let mails = receive(&house, &eve(3, "new x with partner level 1"), "\trefused\n");
    assert_eq!(mails.len(), 1);
    let mails = receive(&house, &eve(4, WORDS), "\tcommand\n");
    assert_eq!(mails.len(), 1);
}

/// A known player's address proves what it proves in the player's other matches.
#[test]
fn under_each_policy_a_letter_needs_its_proof() {
    let dkim = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.example.org\"\n";
    let signed = |letter: String| {
        let domain = letter.split('@').nth(1).unwrap().lines().next().unwrap();
        let signature = format!(
            "DKIM-Signature: d={domain}; h=from:to:date:subject\nDate: Fri, 20 Nov 2026 04:00:00 +0000"
        );
        format!(
            "Authentication-Results: mx.example.org; dkim=pass header.d={domain}\n{signature}\n{letter}"
        )
    };
    for section in [LEVELS, OPEN] {
        let house = club(section).file("config.toml", config(&(section.to_owned() + dkim)));
        assert!(receive(&house, &anna(1, WORDS), "\tstranger\n").is_empty());
        assert!(receive(&house, &eve(1, WORDS), "\tstranger\n").is_empty());
        assert_eq!(
            receive(&house, &signed(anna(2, WORDS)), "\tcommand\n").len(),
            1
        );
        let is_open = section == OPEN;
        let word = if is_open {
            "\tcommand\n"
        } else {
            "\tstranger\n"
        };
        let mails = receive(&house, &signed(eve(2, WORDS)), word);
        assert_eq!(mails.len(), usize::from(is_open));
    }
    let token = "[policy]\nidentity = \"token\"\n";
    let house = club(LEVELS).file("config.toml", config(&(LEVELS.to_owned() + token)));
    assert!(receive(&house, &anna(1, WORDS), "\tstranger\n").is_empty());
    let sent = house.parapost(["send", "--resend", "m"]).any_stderr();
    let mail = sent.any_stdout().run().stdout;
    let proven = answer("anna@example.org", 2, &mail, WORDS);
    assert_eq!(receive(&house, &proven, "\tcommand\n").len(), 1);
    // In the name of a player it is one mail, as of anybody.
    let house = club(OPEN).file("config.toml", config(&(OPEN.to_owned() + token)));
    assert_eq!(receive(&house, &anna(1, WORDS), "\tcommand\n").len(), 1);
    assert!(receive(&house, &anna(2, WORDS), "\tstranger\n").is_empty());
}

/// A machine's letter, one of a mailing list and one of the referee's own begin nothing.
#[test]
fn letters_that_nobody_wrote_begin_nothing() {
    let house = empty(OPEN);
    for field in [
        "Auto-Submitted: auto-replied",
        "Precedence: bulk",
        "X-Loop: ref@example.org",
        "List-Id: <list.example.org>",
    ] {
        let letter = format!("{field}\n{}", eve(1, WORDS));
        let run = house.parapost(["receive", "--deliver"]).stdin(letter);
        run.any_stdout().any_stderr().run();
        assert!(partners(&house).is_empty(), "{field}");
    }
    for from in [
        "ref@example.org",
        "a@b.invalid",
        "\"a b\"@elsewhere.test",
        "a, b@c.test",
    ] {
        let run = house.parapost(["receive", "--deliver"]);
        let run = run.stdin(letter(from, 1, WORDS));
        run.any_stdout().any_stderr().run();
        assert!(partners(&house).is_empty(), "{from}");
    }
}

/// A letter that is late, or answers an earlier mail, plays nothing twice.
#[test]
fn stale_letters_play_nothing() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    let first = answer("anna@example.org", 2, &mail, "P>e3");
    receive(&house, &first, "\taccepted\n");
    turns(&house);
    let before = again(&house, game.id().as_str());
    assert!(receive(&house, &first, "\tduplicate\n").is_empty());
    let stale = answer("anna@example.org", 3, &mail, "1. P>e4");
    receive(&house, &stale, "\trefused\n");
    assert_eq!(again(&house, game.id().as_str()).hash(), before.hash());
    assert!(turns(&house).is_empty());
}
