//! Letters that a list has put whole into a message of its own, in the shapes that Mailman has
//! published for "wrap message".

use super::{TOKEN, begun, given, header, log, mails, on_list, plies, to_ben};
use crate::support::Sandbox;

const ADDRESS: &str = "ben@example.test";

/// A letter of its writer, before the list has it.
fn letter(writer: &str, address: &str, fields: &str, text: &str) -> String {
    format!(
        "From: {writer} <{address}>\nTo: games@lists.test\nSubject: Re: [demo] Unachess: Anna - Ben\n\
         Message-ID: <1@example.test>\n{fields}\n{text}"
    )
}

/// The header of the list's message around it: what Mailman keeps, and what it adds.
fn outer(writer: &str, address: &str, fields: &str) -> String {
    format!(
        "Return-Path: <games-bounces@lists.test>\n\
         MIME-Version: 1.0\n\
         Message-ID: <mailman.7.1795741200.31.games@lists.test>\n\
         Subject: [Games] Re: [demo] Unachess: Anna - Ben\n\
         {fields}\
         X-BeenThere: games@lists.test\n\
         X-Mailman-Version: 2.1.39\n\
         Precedence: list\n\
         List-Id: Games by mail <games.lists.test>\n\
         List-Post: <mailto:games@lists.test>\n\
         From: {writer} via Games <games@lists.test>\n\
         Reply-To: {writer} <{address}>\n\
         To: games@lists.test\n\
         Sender: \"Games\" <games-bounces@lists.test>\n"
    )
}

/// Without a text of the list's.
fn bare(outer: &str, letter: &str) -> String {
    format!("{outer}Content-Type: message/rfc822\nContent-Disposition: inline\n\n{letter}")
}

/// With the list's text above, and its footer below.
fn explained(outer: &str, letter: &str) -> String {
    let text = "Content-Type: text/plain; charset=\"us-ascii\"\nContent-Disposition: inline\n\n";
    format!(
        "{outer}Content-Type: multipart/mixed; boundary=\"===b==\"\n\n\
         --===b==\n{text}\
         The message cannot be sent with its own From, and is wrapped\nautomatically by the mailing list software.\n\
         --===b==\nContent-Type: message/rfc822\nMIME-Version: 1.0\nContent-Disposition: inline\n\n{letter}\n\
         --===b==\n{text}\
         _______________________________________________\nGames mailing list\ngames@lists.test\n\
         --===b==--\n"
    )
}

/// The message of the list around a letter.
type Shape = fn(&str, &str) -> String;

const SHAPES: [Shape; 2] = [bare, explained];

/// The fields by which Ben's letter answers the last mail to him.
fn proof(house: &Sandbox) -> String {
    let id = header(to_ben(house).last().unwrap(), "Message-ID");
    format!("In-Reply-To: {id}\nReferences: {id}\n")
}

#[test]
fn a_wrapped_letter_that_answers_a_mail_to_its_writer_plays() {
    for identity in ["", TOKEN] {
        for shape in SHAPES {
            let anna = begun(identity);
            let fields = proof(&anna);
            let direct = letter("Ben", ADDRESS, &fields, "k>e8\n");
            let by_list = shape(&outer("Ben", ADDRESS, &fields), &direct);
            let said = given(&anna, &by_list);
            assert!(
                said.contains("<1@example.test>\tdemo\taccepted\n"),
                "{identity}: {said}"
            );
            assert_eq!(plies(&anna), 4);
            // It comes directly, too, and once more by the list.
            for again in [
                &direct,
                &by_list,
                &by_list.replace("<mailman.7.", "<mailman.8."),
            ] {
                let said = given(&anna, again);
                assert!(said.contains("\tdemo\tduplicate\n"), "{identity}: {said}");
            }
            assert_eq!(plies(&anna), 4);
            super::run(&anna, &["verify", "demo"]);
        }
    }
}

#[test]
fn a_wrapped_letter_without_its_proof_is_told_of_and_plays_nothing() {
    for identity in ["", TOKEN] {
        for shape in SHAPES {
            let anna = begun(identity);
            let sent = mails(&anna).len();
            let copy = header(on_list(&anna).last().unwrap(), "Message-ID");
            let fields = format!("In-Reply-To: {copy}\nReferences: {copy}\n");
            let direct = letter("Ben", ADDRESS, &fields, "k>e8\n");
            let said = given(&anna, &shape(&outer("Ben", ADDRESS, &fields), &direct));
            assert!(said.contains("\tdemo\trefused\n"), "{identity}: {said}");
            assert_eq!((plies(&anna), mails(&anna).len()), (3, sent + 1));
            let told = to_ben(&anna).pop().unwrap();
            assert!(told.contains("mailing list"), "{told}");
        }
    }
}

/// A reader's own letter, one that a reader has forwarded or forged, what no list of the match has
/// sent on, and an answer by a machine.
#[test]
fn what_a_player_has_not_sent_to_the_list_is_no_players() {
    for identity in ["", TOKEN] {
        for shape in SHAPES {
            let anna = begun(identity);
            let (before, sent) = (log(&anna), mails(&anna).len());
            let fields = proof(&anna);
            let bens = letter("Ben", ADDRESS, &fields, "k>e8\n");
            let kims = letter("Kim", "kim@example.net", &fields, "k>e8\n");
            let by_ben = outer("Ben", ADDRESS, &fields);
            let by_kim = outer("Kim", "kim@example.net", &fields);
            let elsewhere = by_ben.replace("<games@lists.test>", "<games@evil.test>");
            let by_hand = by_ben
                .replace("Precedence: list\n", "")
                .replace("List-", "X-List-");
            for (outer, letter) in [
                (&by_kim, &kims),
                (&by_kim, &bens),
                (&elsewhere, &bens),
                (
                    &by_hand.replace("Ben via Games <games@lists.test>", "Kim <kim@example.net>"),
                    &bens,
                ),
                (&by_ben, &format!("Auto-Submitted: auto-replied\n{bens}")),
            ] {
                let said = given(&anna, &shape(outer, letter));
                assert!(!said.contains("accepted"), "{identity}: {said}");
            }
            assert_eq!((log(&anna), mails(&anna).len()), (before, sent));
        }
    }
}

#[test]
fn under_dkim_a_wrapped_letter_proves_nothing() {
    let dkim = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.example.org\"\n";
    for shape in SHAPES {
        let anna = super::house(dkim);
        let new = ["new", "--game", "unachess", "--id", "demo"];
        super::run(
            &anna,
            &[&new[..], &["--list", super::LIST, "--send", super::BEN]].concat(),
        );
        super::played(&anna, "P>e3");
        let fields = proof(&anna);
        let signed = "Authentication-Results: mx.example.org; dkim=pass header.d=example.test\n";
        let bens = letter("Ben", ADDRESS, &fields, "n>g5\n");
        for (outside, inside) in [(signed, ""), ("", signed), (signed, signed)] {
            let outer = format!("{outside}{}", outer("Ben", ADDRESS, &fields));
            let said = given(&anna, &shape(&outer, &format!("{inside}{bens}")));
            assert!(!said.contains("accepted"), "{said}");
        }
        assert_eq!(plies(&anna), 1);
    }
}

/// What a player's program has mailed to the list comes back so, too.
#[test]
fn what_a_program_has_mailed_to_the_list_is_known_in_its_wrapping() {
    for shape in SHAPES {
        let anna = begun("");
        let before = log(&anna);
        let copy = on_list(&anna).pop().unwrap();
        let said = given(&anna, &shape(&outer("Anna", "anna@example.org", ""), &copy));
        assert!(said.contains("\tdemo\tignored\n"), "{said}");
        assert!(
            said.contains("what a program has mailed to a list"),
            "{said}"
        );
        assert_eq!(log(&anna), before);
    }
}
