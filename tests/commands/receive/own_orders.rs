//! The user's own orders by mail, in a player's own program: anybody can write the user's address
//! into a letter (docs/identity.md).

use super::{Sandbox, begin, config, header, letter, log, mails, receive, session};

/// Anna's own program in the match `m`, in which she is to move.
fn begun(policy: &str) -> Sandbox {
    let config = config("anna", "player") + policy;
    let anna = session("anna", "player").file("config.toml", config);
    begin(&anna, "m", "K>e1 k>e8");
    anna
}

const TOKEN: &str = "[policy]\nidentity = \"token\"\n";

const DKIM: &str = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.test\"\n";

fn own(fields: &str, body: &str) -> String {
    let letter = letter("Anna <anna@example.org>", "[m]", body);
    format!("{fields}{letter}")
}

/// The question in the only mail, which goes to the user.
fn asked(anna: &Sandbox, letter: &str, word: &str) -> Option<String> {
    let run = receive(anna, &["--print"], letter, "m", word).run();
    let mails = mails(&run.stdout);
    assert!(mails.len() < 2, "{}", mails.concat());
    let mail = mails.first()?;
    assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
    let flat = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("nothing proves"), "{mail}");
    Some(header(mail, "Message-ID:").to_owned())
}

fn says(anna: &Sandbox, what: &str) -> bool {
    log(anna, "m").iter().any(|line| line.contains(what))
}

/// A letter with the user's address resigned for the user.
#[test]
fn a_forged_order_of_the_user_s_does_nothing_before_the_user_says_so() {
    for (policy, fields) in [
        ("", ""),
        (TOKEN, ""),
        (DKIM, ""),
        // A letter of another address was signed.
        (
            DKIM,
            "Authentication-Results: mx.test; dkim=pass header.d=evil.test\n",
        ),
    ] {
        let anna = begun(policy);
        let forged = own(fields, "resign\n");
        let question = asked(&anna, &forged, "confirm").expect("a question");
        assert!(!says(&anna, " resign "), "{policy}");
        // Once in a position.
        let again = forged.replace("Message-ID: <", "Message-ID: <2.");
        let word = if policy.is_empty() {
            "confirm"
        } else {
            "stranger"
        };
        assert_eq!(asked(&anna, &again, word), None);
        assert!(!says(&anna, " resign "), "{policy}");
        let answer = own(&format!("In-Reply-To: {question}\n"), "resign\n");
        let answer = answer.replace("Message-ID: <", "Message-ID: <3.");
        receive(&anna, &["--print"], &answer, "m", "command").run();
        assert!(says(&anna, " resign White"), "{policy}");
    }
}

#[test]
fn each_order_that_ends_a_match_is_asked_about_under_address() {
    let anna = begun("");
    let offer = letter("ben@example.org", "[m]", "offer draw\n");
    receive(&anna, &["--print"], &offer, "m", "command").run();
    // If no mail told the player of the offer, the program always asks about the answer.
    let run = receive(
        &anna,
        &["--print"],
        &own("", "accept draw\n"),
        "m",
        "refused",
    )
    .run();
    let question = header(&mails(&run.stdout)[0], "Message-ID:").to_owned();
    assert!(!says(&anna, " accept White"));
    let answer = own(&format!("In-Reply-To: {question}\n"), "\naccept draw\n");
    receive(&anna, &["--print"], &answer, "m", "command").run();
    assert!(says(&anna, " accept White"));
    // Anna has invited Ben.
    let anna = session("anna", "player");
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.org>",
    ];
    let new = ["new", "--game", "unachess", "--id", "m", "--print"]
        .into_iter()
        .chain(players);
    anna.parapost(new).any_stdout().any_stderr().run();
    let question = asked(&anna, &own("", "withdraw invitation\n"), "confirm").expect("a question");
    assert!(!says(&anna, " invitation White withdrawn"));
    let answer = own(
        &format!("In-Reply-To: {question}\n"),
        "\nwithdraw invitation\n",
    );
    receive(&anna, &["--print"], &answer, "m", "command").run();
    assert!(says(&anna, " invitation White withdrawn"));
}

/// A user who mails the user's own program is not asked about moves and wishes, nor about letters
/// with the token.
#[test]
fn what_ends_nothing_counts_as_before() {
    let anna = begun("");
    receive(
        &anna,
        &["--print"],
        &own("", "offer draw\n"),
        "m",
        "command",
    )
    .run();
    receive(&anna, &["--print"], &own("", "P>d3\n"), "m", "accepted").run();
    for policy in [TOKEN, DKIM] {
        let anna = begun(policy);
        // The program does not ask about words.
        assert_eq!(asked(&anna, &own("", "Dear Ben\n"), "stranger"), None);
        let question = asked(&anna, &own("", "P>d3\n"), "confirm").expect("a question");
        let answer = own(&format!("In-Reply-To: {question}\n"), "\nP>d3\n");
        receive(&anna, &["--print"], &answer, "m", "accepted").run();
    }
}
