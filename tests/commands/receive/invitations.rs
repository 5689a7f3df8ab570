//! Invitations: what a stranger's program enters with its user's yes, and what a stranger
//! without the program makes of the mail alone.

use super::{config, header, letter, log, receive, session};
use crate::support::Sandbox;

const ANNA: &str = "Anna <anna@example.org>";
const BEN: &str = "Ben <ben@example.org>";

/// The games in which pieces drop.
const DROP_GAMES: [&str; 6] = [
    "unachess",
    "unachess2",
    "parachute",
    "unashogi",
    "newchess",
    "kingchess",
];

/// A user who has invited to the match `m` of Anna (White) and Ben (Black), and the
/// invitation.
fn invites(name: &str, role: &str, more: &[&str]) -> (Sandbox, String) {
    let session = session(name, role);
    let mut words = vec![
        "new", "--id", "m", "--print", "--white", ANNA, "--black", BEN,
    ];
    words.extend(more);
    if !more.contains(&"--game") {
        words.extend(["--game", "unachess"]);
    }
    let mail = session.parapost(words).any_stdout().any_stderr().run();
    (session, mail.stdout)
}

fn invitation(more: &[&str]) -> String {
    invites("anna", "player", more).1
}

/// Receives a mail with `--accept`, which must lead to that word.
#[track_caller]
fn accepts(session: &Sandbox, mail: &str, word: &str, reason: &str) {
    let run = session.parapost(["receive", "--accept"]).stdin(mail);
    let is_done = matches!(word, "invitation" | "duplicate" | "note" | "ignored");
    run.stdout_contains(&format!("\t{word}\n"))
        .stderr_contains(reason)
        .status(i32::from(!is_done))
        .run();
}

fn has_match(session: &Sandbox, id: &str) -> bool {
    session.folder().join(format!("games/{id}.txt")).exists()
}

#[test]
#[ignore = "takes long"]
fn an_invitation_is_entered_with_the_users_yes() {
    for (more, expected) in [
        (&[][..], "Rules: unachess\n"),
        (
            &["--game", "unashogi", "--option", "promote-own-king"],
            "Rules: unashogi\nOptions: promote-own-king\n",
        ),
        (
            &["--time", "10d", "--event", "The 'Cup' $HOME"],
            "\nEvent: The 'Cup' $HOME\n",
        ),
        (&["--moves", "1. P>e3 n>g5 2. B>f4"], "\n2.  B>f4\n"),
    ] {
        let ben = session("ben", "player");
        let (anna, mail) = invites("anna", "player", more);
        accepts(&ben, &mail, "invitation", "invites you to a match of");
        let [mine, theirs] = [&ben, &anna].map(|session| session.read("games/m.txt"));
        assert!(mine.contains(expected), "{mine}");
        let terms = |file: &str| {
            let (head, _) = file.split_once("\nLog\n").unwrap();
            let lines = head.lines().filter(|line| !line.starts_with("Chain: "));
            lines.map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(terms(&mine), terms(&theirs));
        // Nothing goes out, and the same mail again changes nothing.
        assert!(!mine.contains(" owed "), "{mine}");
        accepts(&ben, &mail, "duplicate", "");
        assert_eq!(ben.read("games/m.txt"), mine);
        // Another one to the same match is talk: its moves are examples.
        accepts(&ben, &invitation(more), "note", "");
    }
}

#[test]
fn an_address_that_no_mail_can_be_made_for_is_in_no_match() {
    for address in ["\"e v\"@example.org", "anna@[127.0.0.1]"] {
        let bad = format!("Anna <anna@example.org>, <{address}>");
        let ben = session("ben", "player");
        let mail = invitation(&[]).replace(
            "White: Anna <anna@example.org>",
            &format!("White: Anna <anna@example.org>,\n  <{address}>"),
        );
        assert!(mail.contains(address), "{mail}");
        accepts(
            &ben,
            &mail,
            "stranger",
            "no mail can be made for the address",
        );
        let words = [
            "new", "--game", "unachess", "--id", "m", "--white", &bad, "--black", BEN,
        ];
        let run = ben.parapost(words).status(2);
        run.stderr_contains(&format!("no mail can be made for the address {address}"))
            .run();
        assert!(!has_match(&ben, "m"));
        let own = config("ben", "player").replace("ben@example.org", &address.replace('"', "\\\""));
        ben.write("config.toml", own);
        ben.parapost(["send"])
            .status(1)
            .stderr_contains("is no mail address")
            .run();
    }
}

#[test]
fn the_first_mail_answers_the_invitation() {
    let (anna, mail) = invites("anna", "player", &[]);
    anna.write(
        "config.toml",
        config("anna", "player") + "[policy]\nidentity = \"token\"\n",
    );
    let ben = session("ben", "player");
    accepts(&ben, &mail, "invitation", "");
    for text in ["P>e3", "n>g5"] {
        let (mover, other) = if text == "P>e3" {
            (&anna, &ben)
        } else {
            (&ben, &anna)
        };
        let run = mover.parapost(["move", "m", text, "--print"]);
        let sent = run.any_stdout().any_stderr().run().stdout;
        receive(other, &[], &sent, "m", "accepted").run();
    }
}

/// Each player got all addresses of the other, private ones too.
#[test]
#[ignore = "takes long"]
fn a_referee_tells_each_player_the_name_of_the_other_and_no_address() {
    for (white, told) in [
        ("Anna ", "Anna"),
        ("", "White"),
        ("anna@home.test ", "White"),
    ] {
        let house = session("ref", "referee");
        let white = format!("{white}<anna@example.org>, <anna@private.test>");
        let mut words = vec!["new", "--id", "m", "--print", "--game", "unachess"];
        words.extend(["--white", &white, "--black", "Ben <ben@example.org>"]);
        let run = house.parapost(words).any_stdout().any_stderr().run();
        let mails: Vec<String> = (run.stdout.split("From: ").skip(1))
            .map(|part| format!("From: {part}"))
            .collect();
        let [to_anna, to_ben] = mails.as_slice() else {
            panic!("{mails:?}");
        };
        assert!(!to_ben.contains("anna@"), "{to_ben}");
        assert!(to_ben.contains(&format!("\nWhite: {told}\nBlack: Ben <ben@example.org>\n")));
        assert!(
            to_anna.contains("<anna@private.test>\nBlack: Ben\n"),
            "{to_anna}"
        );
        assert!(!to_anna.contains("ben@"), "{to_anna}");
        // Ben's program enters the match and plays it by the referee.
        let ben = session("ben", "player");
        accepts(
            &ben,
            to_ben,
            "invitation",
            &format!("as the referee, invites you to a match of Unachess with {told}"),
        );
        let mine = ben.read("games/m.txt");
        assert!(
            mine.contains(&format!("\nWhite: {told} <w@opponent.invalid>\n")),
            "{mine}"
        );
        let played = letter("anna@example.org", "Re: [m]", "P>e3\n");
        let mails = house.parapost(["receive", "--print"]).stdin(played);
        let mails = mails.any_stdout().any_stderr().run().stdout;
        let to_ben = super::mails(&mails).into_iter();
        let to_ben: Vec<String> = to_ben
            .filter(|mail| header(mail, "To:").contains("ben"))
            .collect();
        assert!(!to_ben[0].contains("anna@"), "{}", to_ben[0]);
        receive(&ben, &[], &to_ben[0], "m", "accepted").run();
        let answer = ben.parapost(["move", "m", "n>g5", "--print"]);
        let answer = answer.any_stdout().any_stderr().run().stdout;
        assert!(
            header(&answer, "To:").contains("ref@example.org"),
            "{answer}"
        );
        receive(&house, &[], &answer, "m", "accepted").run();
    }
}

#[test]
fn a_referees_invitation_names_the_referee() {
    let (_, mails) = invites("ref", "referee", &[]);
    let mails: Vec<String> = (mails.split("From: ").skip(1))
        .map(|part| format!("From: {part}"))
        .collect();
    for (name, mail) in ["anna", "ben"].into_iter().zip(&mails) {
        let player = session(name, "player");
        accepts(&player, mail, "invitation", "as the referee");
        assert!(
            player
                .read("games/m.txt")
                .contains("\nReferee: ref@example.org\n")
        );
        // Anybody else's is none, the opponent's included.
        for from in ["mallory@example.org", ANNA, BEN] {
            let other = session(name, "player");
            let forged = mail.replace(header(mail, "From:"), from);
            other
                .parapost(["receive", "--accept"])
                .stdin(forged)
                .any_stdout()
                .any_stderr()
                .either();
            assert!(!has_match(&other, "m"), "{from}");
        }
    }
}

/// Nothing is entered without a yes, and a mail server's pipe has none.
#[test]
fn nothing_is_entered_without_a_yes() {
    let mail = invitation(&[]);
    let ben = session("ben", "player");
    let hint = "'parapost receive --accept' enters the match";
    let run = ben.parapost(["receive"]).stdin(mail.as_str());
    run.stdout_contains("\t-\tconfirm\n")
        .stderr_contains(hint)
        .status(1)
        .run();
    let run = ben.parapost(["receive", "--deliver"]).stdin(mail.as_str());
    run.stdout_contains("\t-\tconfirm\n").any_stderr().run();
    let both = ["receive", "--deliver", "--accept"];
    let run = ben.parapost(both).stdin(mail.as_str());
    run.any_stderr().status(2).run();
    let dry = ["receive", "--dry-run", "--accept"];
    let run = ben.parapost(dry).stdin(mail.as_str());
    run.stdout_contains("\tm\tinvitation\n").any_stderr().run();
    assert!(!has_match(&ben, "m"));
}

/// An opponent's second invitation names a match that is not here.
#[test]
fn an_opponent_can_invite_to_a_second_match() {
    let ben = session("ben", "player");
    accepts(&ben, &invitation(&[]), "invitation", "");
    let anna = session("anna", "player");
    let new = "new --game kingchess --id second --print --white";
    let run = anna.parapost(new.split(' ').chain([ANNA, "--black", BEN]));
    let mail = run.any_stdout().any_stderr().run().stdout;
    let before = ben.read("games/m.txt");
    let run = ben.parapost(["receive"]).stdin(mail.as_str());
    run.stdout_contains("\t-\tunknown-match\n")
        .stderr_contains("'parapost receive --accept' enters the match")
        .status(1)
        .run();
    let run = ben.parapost(["receive", "--deliver"]).stdin(mail.as_str());
    run.stdout_contains("\t-\tunknown-match\n")
        .any_stderr()
        .run();
    // The opponent is not asked which match an invitation is about.
    assert_eq!(ben.read("games/m.txt"), before);
    assert!(!has_match(&ben, "second"));
    accepts(&ben, &mail, "invitation", "Kingchess");
    assert!(has_match(&ben, "second"));
}

#[test]
fn an_existing_match_is_never_replaced() {
    let ben = session("ben", "player");
    let words = [
        "new",
        "--game",
        "chess",
        "--id",
        "m",
        "--invited",
        "--white",
        ANNA,
    ];
    ben.parapost(words.into_iter().chain(["--black", BEN]))
        .stdout("m\n")
        .run();
    let run = ben.parapost(["receive", "--accept"]).stdin(invitation(&[]));
    run.any_stdout().any_stderr().either();
    assert!(ben.read("games/m.txt").contains("\nRules: chess\n"));
    // A damaged file is one, too.
    ben.write("games/m.txt", "Format: 1\nId: m\n");
    let run = ben.parapost(["receive", "--accept"]).stdin(invitation(&[]));
    run.stdout_contains("\tdeferred\n")
        .any_stderr()
        .status(75)
        .run();
    assert_eq!(ben.read("games/m.txt"), "Format: 1\nId: m\n");
}

/// What a stranger may try.
#[test]
#[ignore = "takes long"]
fn only_a_whole_and_honest_invitation_is_entered() {
    let mail = invitation(&["--moves", "1. P>e3"]);
    let block = "Rules: unachess\nWhite: Anna <anna@example.org>\nBlack: Ben <ben@example.org>\n";
    assert!(mail.contains(block), "{mail}");
    let terms = |terms: &str| mail.replace(block, terms);
    for (case, forged) in [
        (
            "another sender",
            mail.replace("From: Anna <anna@", "From: Anna <mallory@"),
        ),
        ("another id", mail.replace("Game m, 1", "Game n, 1")),
        (
            "another game",
            mail.replace("Rules: unachess", "Rules: unachess2"),
        ),
        (
            "an option",
            mail.replace("Rules: unachess\n", "Rules: unachess\nOptions: pawns-1-4\n"),
        ),
        ("another move", mail.replace("1.  P>e3", "1.  P>e4")),
        (
            "no foot",
            mail.replace("Game m, 1 half-move made", "So long"),
        ),
        ("a path", mail.replace("Game m, ", "Game ../m, ")),
        (
            "a path as the game",
            mail.replace("Rules: unachess", "Rules: ../unachess"),
        ),
        ("another player", terms(&block.replace("ben@", "carl@"))),
        ("both sides", terms(&block.replace("anna@", "ben@"))),
        (
            "an address that plays for the user",
            terms(&block.replace("<ben@example.org>", "<ben@example.org>, <mallory@x.test>")),
        ),
        ("terms twice", terms(&format!("{block}\n{block}"))),
        ("an unknown line", terms(&format!("{block}Send: yes\n"))),
        (
            "a referee of the user's",
            terms(&format!("{block}Referee: ben@example.org\n")),
        ),
        (
            "a player as referee",
            terms(&format!("{block}Referee: anna@example.org\n")),
        ),
        (
            "a quotation",
            mail.lines()
                .map(|line| match line.split_once(": ") {
                    Some(("From" | "To" | "Subject" | "Message-ID", _)) => format!("{line}\n"),
                    _ if line.is_empty() => "\n".to_owned(),
                    _ => format!("> {line}\n"),
                })
                .collect(),
        ),
        (
            "a machine",
            mail.replace(
                "\nMIME-Version",
                "\nAuto-Submitted: auto-generated\nMIME-Version",
            ),
        ),
    ] {
        assert_ne!(forged, mail, "{case}");
        let ben = session("ben", "player");
        let run = ben.parapost(["receive", "--accept"]).stdin(forged);
        run.any_stdout().any_stderr().either();
        let files = std::fs::read_dir(ben.folder().join("games")).unwrap();
        let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        let is_match = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".txt");
        assert!(!names.iter().any(is_match), "{case}: {names:?}");
    }
}

#[test]
fn a_policy_of_signatures_holds_for_invitations() {
    let policy = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.test\"\n";
    let ben = session("ben", "player");
    ben.write("config.toml", config("ben", "player") + policy);
    let mail = invitation(&[]);
    accepts(
        &ben,
        &mail,
        "stranger",
        "cannot be entered: no mail server has checked",
    );
    let signed = format!("Authentication-Results: mx.test; dkim=pass header.d=example.org\n{mail}");
    accepts(&ben, &signed, "invitation", "");
}

#[test]
#[ignore = "takes long"]
fn one_run_enters_a_bounded_number() {
    let mut mailbox = String::new();
    for i in 0..25 {
        let id = format!("m{i}");
        let anna = session("anna", "player");
        let words = [
            "new", "--game", "unachess", "--id", &id, "--print", "--white", ANNA,
        ];
        let run = anna.parapost(words.into_iter().chain(["--black", BEN]));
        let mail = run.any_stdout().any_stderr().run().stdout;
        mailbox.extend([
            "From anna@example.org Fri Nov 20 03:00:00 2026\n",
            &mail,
            "\n",
        ]);
    }
    let ben = session("ben", "player");
    let enter = || {
        let run = ["receive", "--accept", "--mbox"];
        let run = ben.parapost(run).stdin(mailbox.as_str());
        let output = run.any_stdout().any_stderr().either();
        output.stdout.matches("\tinvitation\n").count()
    };
    assert_eq!([enter(), enter(), enter()], [20, 5, 0]);
}

/// Invitations of earlier versions have a command in place of the lines.
#[test]
fn an_invitation_of_an_earlier_version_is_entered() {
    for (mail, expected) in [
        (
            include_str!("../../data/earlier/invitation-ten-days.eml"),
            "\nEvent: Club championship\n",
        ),
        (
            include_str!("../../data/earlier/invitation-two-half-moves.eml"),
            "\n1.  P>e3    n>g5\n",
        ),
    ] {
        let ben = session("ben", "player");
        accepts(&ben, mail, "invitation", "");
        let file = ben.read("games/m.txt");
        assert!(file.contains(expected), "{file}");
        for forged in [
            mail.replace("--white", "--config x --white"),
            mail.replace("--game unachess", "--game unachess2"),
            mail.replace("--id m", "--id n"),
        ] {
            let ben = session("ben", "player");
            accepts(&ben, &forged, "stranger", "cannot be entered");
            assert!(!has_match(&ben, "m") && !has_match(&ben, "n"));
        }
        let forged = mail.replace("parapost new", "parapost new; parapost new");
        accepts(&session("ben", "player"), &forged, "stranger", "");
    }
}

/// The body of an invitation in which Anna, who begins, is the stranger.
fn to_white(game: &str) -> (Sandbox, String) {
    let (ben, mail) = invites("ben", "player", &["--game", game]);
    let (_, body) = mail.split_once("\n\n").unwrap();
    (ben, body.to_owned())
}

fn anna(body: &str) -> String {
    letter(ANNA, "Re: [m] invitation", body)
}

fn plays(session: &Sandbox) -> bool {
    let log = log(session, "m");
    log.iter()
        .any(|line| line.split(' ').nth(1) == Some("move"))
}

/// A stranger who does what the invitation says, and nothing else: each form of placing
/// a piece, and each of the first moves.
#[test]
#[ignore = "takes long"]
fn whoever_follows_the_invitation_makes_a_legal_first_move() {
    for game in DROP_GAMES {
        let (_, body) = to_white(game);
        let flat = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let placing = flat.split("- to place").skip(1).map(|way| {
            let (_, example) = way.split_once("as in ").unwrap();
            example.split(' ').next().unwrap().to_owned()
        });
        let (_, samples) = flat.split_once("are no advice: ").unwrap();
        let (samples, _) = samples.split_once(". ").unwrap();
        let samples = samples.split(" or ").map(ToOwned::to_owned);
        let moves: Vec<String> = placing.chain(samples).collect();
        assert!(moves.len() > 3, "{game}: {moves:?}");
        for text in moves {
            for form in [text.clone(), text.to_lowercase(), format!("1. {text}")] {
                let ben = to_white(game).0;
                let quoted: String = body
                    .lines()
                    .map(|line| ["> ", line, "\n"].concat())
                    .collect();
                let reply = format!("{form}\n\nBen wrote:\n{quoted}");
                receive(&ben, &[], &anna(&reply), "m", "accepted").run();
                assert!(plays(&ben), "{game}: {form}");
            }
        }
    }
}

#[test]
fn the_words_that_an_invitation_names_are_answered() {
    for (text, expected) in [
        ("rules", "You asked for the rules."),
        ("\"rules\"", "You asked for the rules."),
        ("\u{201c}legal\u{201d}", "You asked for the legal moves."),
        ("Help", "You asked for help."),
    ] {
        let (ben, body) = to_white("newchess");
        let quoted: String = body
            .lines()
            .map(|line| ["> ", line, "\n"].concat())
            .collect();
        let reply = format!("{text}\n\nBen wrote:\n{quoted}");
        let output = receive(&ben, &["--print"], &anna(&reply), "m", "command").run();
        assert!(output.stdout.contains(expected), "{}", output.stdout);
    }
}

/// Breaks lines at a width, as a telephone does.
fn narrowed(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut narrow = String::new();
        for word in line.split(' ') {
            if !narrow.is_empty() && narrow.len() + 1 + word.len() > width {
                lines.push(std::mem::take(&mut narrow));
            } else if !narrow.is_empty() {
                narrow.push(' ');
            }
            narrow.push_str(word);
        }
        lines.push(narrow);
    }
    lines.join("\n")
}

/// The examples of an invitation are ours, wherever a program breaks its lines.
#[test]
#[ignore = "takes long"]
fn an_invitation_quoted_back_plays_nothing() {
    for game in DROP_GAMES {
        let (ben, body) = to_white(game);
        let policy = "[policy]\nanswers = 1000\n";
        ben.write("config.toml", config("ben", "player") + policy);
        let joined = body.split_whitespace().collect::<Vec<_>>().join(" ");
        let narrow = (8..=72).step_by(4).map(|width| narrowed(&body, width));
        let texts = [body.clone(), joined.clone()].into_iter().chain(narrow);
        for text in texts {
            for mark in ["", "> ", "| "] {
                let quoted: String = text
                    .lines()
                    .map(|line| [mark, line, "\n"].concat())
                    .collect();
                let reply = format!("Thanks, I'll think about it.\n\n{quoted}");
                let run = ben.parapost(["receive"]).stdin(anna(&reply));
                let output = run.any_stdout().any_stderr().either();
                assert!(!plays(&ben), "{game}\n{reply}");
                // Where the board stands in the same line, the examples may be asked about.
                let may_be_asked = text == joined && mark.is_empty();
                let is_talk = output.stdout.contains("\tnote\n")
                    || may_be_asked && output.stdout.contains("\tconfirm\n");
                assert!(is_talk, "{game}: {}\n{reply}", output.stdout);
            }
        }
    }
}
