//! `yes` in an answer to a question of ours is the line that it asks for: once, while nothing else
//! has happened, with the proof that the policy demands (docs/format.md 4).

use super::{Sandbox, answer, begin, ben, config, header, letter, log, mails, receive, session};

/// A policy, and a field that its letters need.
const POLICIES: [(&str, &str); 3] = [
    ("identity = \"address\"\n", ""),
    ("identity = \"token\"\n", ""),
    (
        "identity = \"dkim\"\ntrusted = \"mx.test\"\n",
        "Authentication-Results: mx.test; dkim=pass header.d=example.org\n",
    ),
];

/// A referee's match in which Ben is to move, and what proves his letters.
struct Desk {
    session: Sandbox,
    proof: &'static str,
}

impl Desk {
    fn new((policy, proof): (&str, &'static str)) -> Desk {
        let config = config("ref", "referee") + "[policy]\n" + policy;
        let session = session("ref", "referee").file("config.toml", config);
        begin(&session, "m", "K>e1 k>e8 P>e4 n>b6 P>d2");
        Desk { session, proof }
    }

    /// A letter to the referee, with the proof.
    fn proved(&self, letter: &str) -> String {
        let letter = letter.replacen("\nTo: anna@example.org\n", "\nTo: ref@example.org\n", 1);
        format!("{}{letter}", self.proof)
    }

    /// Receives a letter with the proof, and returns the mails to its sender.
    fn answered(&self, letter: &str, word: &str) -> Vec<String> {
        let run = receive(&self.session, &["--print"], &self.proved(letter), "m", word);
        let from = letter.lines().find(|line| line.starts_with("From:"));
        let is_bens = from.unwrap().contains("ben@");
        let mut mails = mails(&run.run().stdout);
        mails.retain(|mail| header(mail, "To:").contains("ben@") == is_bens);
        mails
    }

    /// The last mail to Ben, with the position.
    fn position(&self) -> String {
        let send = ["send", "--resend", "m", "--print"];
        let printed = self.session.parapost(send).any_stdout().any_stderr().run();
        printed.stdout
    }

    /// The question that this letter of Ben's raises.
    fn question(&self, body: &str, word: &str) -> String {
        let letter = answer(&self.position(), body);
        self.answered(&letter, word).remove(0)
    }

    /// The moves made since the beginning of the test.
    fn moves(&self) -> Vec<String> {
        let log = log(&self.session, "m");
        let lines = log[6..]
            .iter()
            .map(|line| line.split(' ').collect::<Vec<_>>());
        let moves = lines.filter(|words| words[1] == "move");
        moves.map(|words| words[3].to_owned()).collect()
    }
}

/// What becomes of a letter: its word, and the moves in the record then.
type Case = (
    &'static str,
    fn(&Desk) -> String,
    &'static str,
    &'static [&'static str],
);

const PROSE: &str = "I would take n>g5 here, I think.\n";

/// A letter of Ben's that answers a mail under the id of a relay, and refers to an older one.
fn relayed(old: &str, body: &str) -> String {
    let old = header(old, "Message-ID:");
    let fields = format!("\nIn-Reply-To: <1@relay.test>\nReferences: {old}\n <1@relay.test>\n\n");
    ben(body).replacen("\n\n", &fields, 1)
}

/// What a gateway puts above a letter.
const BANNER: &str =
    "Warning: this message is from outside.\nSender: ben@example.org\n--------------------\n\n";

/// Quotes a mail with marks.
fn quoted(mail: &str) -> String {
    let (_, body) = mail.split_once("\n\n").unwrap();
    let lines = body.lines().map(|line| format!("> {line}\n"));
    format!(
        "\nOn Friday, 20 November 2026, Ref <ref@example.org> wrote:\n\n{}",
        lines.collect::<String>()
    )
}

const CASES: &[Case] = &[
    (
        "yes alone",
        |desk| answer(&desk.question(PROSE, "confirm"), "yes\n"),
        "accepted",
        &["n>g5"],
    ),
    (
        "yes below the quotation",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            answer(
                &question,
                &format!("{}\nyes\n", quoted(&question).trim_start()),
            )
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "yes below the quotation of another mail",
        |desk| {
            let old = desk.position();
            let question = desk.question(PROSE, "confirm");
            answer(&question, &format!("{}\nyes\n", quoted(&old).trim_start()))
        },
        "note",
        &[],
    ),
    (
        "ja",
        |desk| answer(&desk.question(PROSE, "confirm"), "Ja!\n"),
        "accepted",
        &["n>g5"],
    ),
    (
        "oui",
        |desk| answer(&desk.question(PROSE, "confirm"), "\n oui. \n"),
        "accepted",
        &["n>g5"],
    ),
    (
        "above a quotation",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            answer(&question, &format!("OK\n{}", quoted(&question)))
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "above a quotation without marks",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            let (_, body) = question.split_once("\n\n").unwrap();
            let head = "From: Ref <ref@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben\nSubject: hello\n";
            answer(&question, &format!("yes\n\n{head}\n{body}"))
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "with a signature",
        |desk| {
            answer(
                &desk.question(PROSE, "confirm"),
                "yes\n-- \nBen, 5 Long Lane\n",
            )
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "with what a program adds and its link",
        |desk| {
            answer(
                &desk.question(PROSE, "confirm"),
                "yes\n\nGet Outlook for iOS<https://program.test/o>\n",
            )
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "with a closing that no program marks",
        |desk| {
            let closing = "yes\n\nBest regards,\nBen\n";
            answer(&desk.question(PROSE, "confirm"), closing)
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "with another closing than the player's",
        |desk| {
            answer(
                &desk.question(PROSE, "confirm"),
                "yes\n\nBest regards,\nAnna\n",
            )
        },
        "note",
        &[],
    ),
    (
        "with more words",
        |desk| answer(&desk.question(PROSE, "confirm"), "yes, please do\n"),
        "note",
        &[],
    ),
    (
        "with more lines",
        |desk| {
            answer(
                &desk.question(PROSE, "confirm"),
                "yes\n\nor should I wait?\n",
            )
        },
        "note",
        &[],
    ),
    (
        "below more lines",
        |desk| answer(&desk.question(PROSE, "confirm"), "Let me see.\n\nyes\n"),
        "note",
        &[],
    ),
    (
        "with a question mark",
        |desk| answer(&desk.question(PROSE, "confirm"), "yes?\n"),
        "note",
        &[],
    ),
    (
        "with another move",
        |desk| answer(&desk.question(PROSE, "confirm"), "yes\n\n3... p>e5\n"),
        "accepted",
        &["p>e5"],
    ),
    (
        "with another move in prose",
        |desk| {
            answer(
                &desk.question(PROSE, "confirm"),
                "yes\n\nI like p>e5 more, though.\n",
            )
        },
        "confirm",
        &[],
    ),
    (
        "quoted",
        |desk| answer(&desk.question(PROSE, "confirm"), "> yes\n"),
        "refused",
        &[],
    ),
    (
        "below a quotation of somebody else",
        |desk| {
            let other = "Anna <anna@example.org> wrote on 20 November 2026:\n> shall we?\n\nyes\n";
            answer(&desk.question(PROSE, "confirm"), other)
        },
        "note",
        &[],
    ),
    // Went wrong: where a relay gives our mails other ids, these did nothing.
    (
        "under another id, above the quotation of the question",
        |desk| {
            let old = desk.position();
            let question = desk.question(PROSE, "confirm");
            relayed(&old, &format!("yes\n{}", quoted(&question)))
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "under another id, without a quotation",
        |desk| {
            let old = desk.position();
            desk.question(PROSE, "confirm");
            relayed(&old, "yes\n")
        },
        "refused",
        &[],
    ),
    (
        "a move under another id, above the quotation of the present mail",
        |desk| {
            let old = desk.position();
            desk.answered(&answer(&old, "3... p>e5\n"), "accepted");
            desk.anna("4. P>a2\n");
            let present = desk.position();
            relayed(&old, &format!("n>g5\n{}", quoted(&present)))
        },
        "accepted",
        &["p>e5", "P>a2", "n>g5"],
    ),
    (
        "a move under another id, above the quotation of an older mail",
        |desk| {
            let old = desk.position();
            desk.answered(&answer(&old, "3... p>e5\n"), "accepted");
            desk.anna("4. P>a2\n");
            relayed(&old, &format!("n>g5\n{}", quoted(&old)))
        },
        "refused",
        &["p>e5", "P>a2"],
    ),
    (
        "the question returned by a program",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            let (_, body) = question.split_once("\n\n").unwrap();
            answer(&question, &format!("I am away until Monday.\n\n{body}"))
        },
        "note",
        &[],
    ),
    (
        // Both have the same words but for the lines, and of two questions either may be quoted.
        "words above a quotation of an older question without marks",
        |desk| {
            let both = "n>g5 and then we will see\n\nn>f6 and then we will see\n";
            let older = desk.question(both, "confirm");
            let newer = desk.question("n>f6 and then we will see\n", "confirm");
            let (_, body) = older.split_once("\n\n").unwrap();
            let head = "-----Original Message-----\nFrom: Ref <ref@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Ben\nSubject: hello\n";
            answer(&newer, &format!("Thank you.\n\n{head}\n{body}"))
        },
        "note",
        &[],
    ),
    (
        "twice",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            desk.answered(&answer(&question, "yes\n"), "accepted");
            answer(&question, "Yes.\n")
        },
        "note",
        &["n>g5"],
    ),
    (
        "the same letter twice",
        |desk| {
            let letter = answer(&desk.question(PROSE, "confirm"), "yes\n");
            desk.answered(&letter, "accepted");
            letter
        },
        "duplicate",
        &["n>g5"],
    ),
    (
        "twice, and the move taken back in between",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            let receipt = desk
                .answered(&answer(&question, "yes\n"), "accepted")
                .remove(0);
            let proposed = desk.answered(&answer(&receipt, "propose takeback\n"), "command");
            assert!(!proposed.is_empty());
            desk.anna("accept takeback\n");
            answer(&question, "Yes.\n")
        },
        "note",
        &["n>g5"],
    ),
    (
        "an older position",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            desk.answered(&answer(&question, "3... p>e5\n"), "accepted");
            desk.anna("4. P>a2\n");
            answer(&question, "yes\n")
        },
        "note",
        &["p>e5", "P>a2"],
    ),
    (
        "an offer has come since",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            desk.anna("offer draw\n");
            answer(&question, "ok\n")
        },
        "note",
        &[],
    ),
    (
        "an older question",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            desk.answered(&answer(&question, "Or p>e5, perhaps.\n"), "confirm");
            answer(&question, "yes\n")
        },
        "note",
        &[],
    ),
    (
        "a question that was followed by a refusal",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            desk.answered(&answer(&question, "n>z9\n"), "refused");
            answer(&question, "yes\n")
        },
        "note",
        &[],
    ),
    (
        "words in between",
        |desk| {
            let question = desk.question(PROSE, "confirm");
            desk.answered(&answer(&question, "Let me think.\n"), "note");
            answer(&question, "yes\n")
        },
        "accepted",
        &["n>g5"],
    ),
    (
        "another mail",
        |desk| {
            desk.question(PROSE, "confirm");
            answer(&desk.position(), "yes\n")
        },
        "note",
        &[],
    ),
    (
        "the answer that no move was read",
        |desk| answer(&desk.question("What a nice day.\n", "note"), "yes\n"),
        "note",
        &[],
    ),
    (
        "two readings",
        |desk| {
            // The knight on b6 goes there, too.
            answer(&desk.question("N d5\n", "confirm"), "yes\n")
        },
        "note",
        &[],
    ),
    (
        "two moves in prose",
        |desk| {
            answer(
                &desk.question("Either n>g5 or p>e5, I think.\n", "confirm"),
                "yes\n",
            )
        },
        "note",
        &[],
    ),
    (
        "an ambiguous move",
        |desk| answer(&desk.question("n→d5\n", "ambiguous"), "yes\n"),
        "note",
        &[],
    ),
    (
        "a move that cannot be played",
        |desk| answer(&desk.question("nxe3\n", "refused"), "yes\n"),
        "note",
        &[],
    ),
];

impl Desk {
    /// Receives a letter of Anna's, in answer to our last mail to her.
    fn anna(&self, body: &str) {
        let log = log(&self.session, "m");
        let owed = |line: &&String| line.contains(" owed White ");
        let Some(line) = log.iter().rev().find(owed) else {
            // Nothing has gone to her; the invitation would have.
            let note = answer(&self.position(), "Hello, Anna.\n");
            self.answered(&note, "note");
            return self.anna(body);
        };
        let parent = line.split(' ').find_map(|word| word.strip_prefix("msg="));
        let parent = parent.unwrap().to_owned();
        let letter = letter("Anna <anna@example.org>", "[m]", body);
        let letter = letter.replacen("\n\n", &format!("\nIn-Reply-To: {parent}\n\n"), 1);
        let run = ["receive", "--print", "--deliver"];
        let run = self.session.parapost(run).stdin(self.proved(&letter));
        run.any_stdout().any_stderr().run();
    }
}

#[test]
#[ignore = "takes long"]
fn yes_is_the_line_that_was_asked_for_once_and_nowhere_else() {
    for policy in POLICIES {
        for (name, make, word, moves) in CASES {
            let desk = Desk::new(policy);
            let letter = make(&desk);
            let context = format!("{name}, {}", policy.0);
            let before = desk.moves();
            println!("{context}");
            let letter = desk.proved(&letter);
            let told = receive(&desk.session, &["--print"], &letter, "m", word).run();
            assert_eq!(desk.moves(), *moves, "{context}, from {before:?}");
            // The word is no message for Anna then, unless a move stands for itself.
            let is_carried =
                *name != "with another move" && told.stdout.to_lowercase().contains("\n> yes");
            assert!(
                *word != "accepted" || !is_carried,
                "{context}\n{}",
                told.stdout
            );
        }
    }
}

/// Went wrong: with lines of a gateway above each letter, no answer was ever enough.
#[test]
fn lines_of_a_gateway_that_are_named_hinder_no_answer() {
    let policy =
        "banners = [\"Warning: this message is from outside.\", \"Sender: ben@example.org\"]\n";
    for body in ["yes\n", "3... n>g5\n", "n>g5\n\nCheers\n"] {
        let desk = Desk::new((policy, ""));
        let question = desk.question(&format!("{BANNER}{PROSE}"), "confirm");
        let letter = answer(&question, &format!("{BANNER}{body}{}", quoted(&question)));
        receive(&desk.session, &["--print"], &letter, "m", "accepted").run();
        assert_eq!(desk.moves(), ["n>g5"], "{body}");
    }
}

/// Whoever cannot prove the sender has no word in the match.
#[test]
fn yes_needs_the_proof_of_the_policy() {
    for (policy, forged) in POLICIES.iter().zip([
        // Under `address` the opponent does not know the Message-ID of the question.
        ben("yes\n"),
        ben("yes\n"),
        String::new(),
    ]) {
        let desk = Desk::new(*policy);
        let question = desk.question(PROSE, "confirm");
        let forged = match forged.as_str() {
            // The right parent, and no signature.
            "" => answer(&question, "yes\n"),
            _ => forged,
        };
        let word = if policy.0.contains("address") {
            "note"
        } else {
            "stranger"
        };
        receive(&desk.session, &[], &forged, "m", word).run();
        assert!(desk.moves().is_empty(), "{}", policy.0);
        // From another address it is nothing either.
        let other = letter("Anna <anna@example.org>", "[m]", "yes\n");
        let parent = header(&question, "Message-ID:");
        let other = other.replacen("\n\n", &format!("\nIn-Reply-To: {parent}\n\n"), 1);
        let run = ["receive", "--print", "--deliver"];
        let run = desk.session.parapost(run).stdin(desk.proved(&other));
        run.any_stdout().any_stderr().run();
        assert!(desk.moves().is_empty(), "{}", policy.0);
    }
}

/// An order to an older mail is asked about, and `yes` is that order; one that may be a quotation
/// is asked about, too, and needs its own line.
#[test]
fn yes_stands_for_an_order_that_was_plainly_the_players() {
    let desk = Desk::new(POLICIES[1]);
    let old = desk.position();
    desk.answered(&answer(&old, "3... p>e5\n"), "accepted");
    desk.anna("4. P>a2\n");
    let question = desk
        .answered(&answer(&old, "offer draw\n"), "refused")
        .remove(0);
    assert!(question.contains("The word \"yes\" alone"), "{question}");
    assert!(
        log(&desk.session, "m")
            .iter()
            .any(|line| line.contains(" asks=\"offer draw\""))
    );
    desk.answered(&answer(&question, "yes\n"), "command");
    let log_now = log(&desk.session, "m");
    let offered = log_now.iter().find(|line| line.contains(" offer Black "));
    let parent = header(&question, "Message-ID:");
    assert!(
        offered.unwrap().contains(&format!(" yes={parent}")),
        "{log_now:?}"
    );
    // A second time it is a word.
    desk.answered(&answer(&question, "Yes.\n"), "note");

    let doubted = Desk::new(POLICIES[1]);
    let body = "Anna <anna@example.org> wrote on 20 November 2026:\n\nresign\n";
    let question = doubted.question(body, "refused");
    assert!(question.contains("may be a quotation"), "{question}");
    assert!(!question.contains("\"yes\""), "{question}");
    doubted.answered(&answer(&question, "ok\n"), "note");
    let log = log(&doubted.session, "m");
    assert!(log.iter().all(|line| !line.contains(" resign ")), "{log:?}");
}

#[test]
fn the_question_says_that_yes_will_do_where_it_does() {
    let desk = Desk::new(POLICIES[0]);
    let question = desk.question(PROSE, "confirm");
    let said =
        "\n    3... n>g5\n\nThe word \"yes\" alone, as an answer to this mail, does as well.\n";
    assert!(question.contains(said), "{question}");
    let log = log(&desk.session, "m");
    assert!(log.last().unwrap().contains(" by=print"), "{log:?}");
    assert!(
        log.iter().any(|line| line.contains(" asks=\"3... n>g5\"")),
        "{log:?}"
    );
    let several = desk.question("N d5\n", "confirm");
    assert!(!several.contains("\"yes\""), "{several}");
    // A letter to an older position is asked for the number of its move.
    let desk = Desk::new(POLICIES[0]);
    let old = desk.position();
    desk.answered(&answer(&old, "3... p>e5\n"), "accepted");
    desk.anna("4. P>a2\n");
    let question = desk.answered(&answer(&old, "n>g5\n"), "refused").remove(0);
    assert!(question.contains("4... n>g5."), "{question}");
    assert!(question.contains("The word \"yes\" alone"), "{question}");
    desk.answered(&answer(&question, "yes\n"), "accepted");
}
