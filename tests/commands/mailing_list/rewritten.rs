//! Letters in whose `From` a list has put its own address, in the shapes that Mailman and Google
//! Groups have published.

use super::{BEN, LIST, TOKEN, begun, given, header, log, mails, on_list, plies, to_ben};
use crate::support::Sandbox;

/// A letter by Mailman, whose `dmarc_moderation_action` is "munge From".
fn mailman(writer: &str, address: &str, fields: &str, text: &str) -> String {
    format!(
        "Return-Path: <games-bounces@lists.test>\n\
         Message-ID: <1@example.test>\n\
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
         Sender: \"Games\" <games-bounces@lists.test>\n\
         \n{text}\n\
         _______________________________________________\n\
         Games mailing list\n\
         games@lists.test\n\
         https://lists.test/mailman/listinfo/games\n"
    )
}

/// A letter by Google Groups.
fn google(writer: &str, address: &str, fields: &str, text: &str) -> String {
    format!(
        "Return-Path: <games+bncBAAAA@lists.test>\n\
         X-Original-Authentication-Results: gmr-mx.google.com; dkim=pass header.i=@example.test\n\
         Message-ID: <1@example.test>\n\
         Subject: Re: [demo] Unachess: Anna - Ben\n\
         {fields}\
         MIME-Version: 1.0\n\
         Content-Type: text/plain; charset=\"UTF-8\"\n\
         X-Original-Sender: {address}\n\
         X-Original-From: {writer} <{address}>\n\
         From: \"'{writer}' via Games\" <games@lists.test>\n\
         Reply-To: {writer} <{address}>\n\
         To: games@lists.test\n\
         Precedence: list\n\
         Mailing-list: list games@lists.test; contact games+owners@lists.test\n\
         List-ID: <games.lists.test>\n\
         List-Post: <https://groups.google.com/group/games/post>, <mailto:games@lists.test>\n\
         \n{text}\n\
         -- \n\
         You received this message because you are subscribed to the Google Groups \"Games\" group.\n\
         To unsubscribe from this group and stop receiving emails from it, send an email to games+unsubscribe@lists.test.\n"
    )
}

/// A letter of a writer, by name and address, with these fields and this text.
type Shape = fn(&str, &str, &str, &str) -> String;

const SHAPES: [Shape; 2] = [mailman, google];

/// The field by which Ben's letter answers the last mail to him.
fn proof(house: &Sandbox) -> String {
    let id = header(to_ben(house).last().unwrap(), "Message-ID");
    format!("In-Reply-To: {id}\n")
}

const ADDRESS: &str = "ben@example.test";

#[test]
fn whose_mail_a_letter_answers_is_its_writer() {
    for identity in ["", TOKEN] {
        for shape in SHAPES {
            let anna = begun(identity);
            let letter = shape("Ben", ADDRESS, &proof(&anna), "k>e8\n");
            let said = given(&anna, &letter);
            assert!(said.contains("\tdemo\taccepted\n"), "{said}");
            assert_eq!(plies(&anna), 4);
            let list = on_list(&anna).len();
            // It comes directly, too, and once more by the list.
            let direct = letter.replace("Ben via Games <games@lists.test>", BEN);
            for again in [&direct, &letter, &letter.replace("<1@", "<2@")] {
                let said = given(&anna, again);
                assert!(said.contains("\tdemo\tduplicate\n"), "{identity}: {said}");
            }
            // An answer to such a letter goes to the player.
            super::played(&anna, "P>d3");
            let sent = to_ben(&anna).len();
            let wrong =
                shape("Ben", ADDRESS, &proof(&anna), "n>e4xx\n\nk>h9\n").replace("<1@", "<3@");
            let said = given(&anna, &wrong);
            assert!(said.contains("\tdemo\trefused\n"), "{said}");
            assert_eq!(to_ben(&anna).len(), sent + 1);
            assert_eq!(
                on_list(&anna).len(),
                list + 1,
                "the list gets positions alone"
            );
        }
    }
}

#[test]
fn a_letter_without_its_proof_is_told_of_to_whom_it_names_and_plays_nothing() {
    for identity in ["", TOKEN] {
        for shape in SHAPES {
            let anna = begun(identity);
            let sent = mails(&anna).len();
            let copy = header(on_list(&anna).last().unwrap(), "Message-ID");
            let fields = format!("In-Reply-To: {copy}\nReferences: {copy}\n");
            let said = given(&anna, &shape("Ben", ADDRESS, &fields, "k>e8\n"));
            assert!(said.contains("\tdemo\trefused\n"), "{identity}: {said}");
            assert_eq!((plies(&anna), mails(&anna).len()), (3, sent + 1));
            let told = to_ben(&anna).pop().unwrap();
            assert!(told.contains("mailing list"), "{told}");
        }
    }
}

#[test]
fn a_comment_of_a_reader_is_no_players() {
    for identity in ["", TOKEN] {
        for shape in SHAPES {
            let anna = begun(identity);
            let (before, sent) = (log(&anna), mails(&anna).len());
            let ids = proof(&anna).replace("In-Reply-To: ", "");
            let ids = ids.trim();
            let copy = header(on_list(&anna).last().unwrap(), "Message-ID");
            // What answers Ben's letter cites what that cited; a careless program names that alone.
            for fields in [
                format!("In-Reply-To: <1@ben.test>\nReferences: {ids} <1@ben.test>\n"),
                format!("References: {ids}\n"),
                format!("In-Reply-To: {ids}\n"),
                format!("In-Reply-To: {copy}\n"),
                String::new(),
            ] {
                let said = given(&anna, &shape("Kim", "kim@example.net", &fields, "k>e8\n"));
                assert!(said.contains("\tstranger\n"), "{identity}{fields}: {said}");
            }
            assert_eq!((log(&anna), mails(&anna).len()), (before, sent));
        }
    }
}

#[test]
fn under_dkim_what_a_list_has_signed_proves_nothing() {
    let dkim = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.example.org\"\n";
    for shape in SHAPES {
        let anna = super::house(dkim);
        super::run(
            &anna,
            &[
                "new", "--game", "unachess", "--id", "demo", "--list", LIST, "--send", BEN,
            ],
        );
        super::played(&anna, "P>e3");
        for results in [
            "mx.example.org; dkim=pass header.d=lists.test",
            "mx.example.org; dkim=fail header.d=example.test",
            "mx.example.org; dkim=fail header.d=example.test; dkim=pass header.d=lists.test",
        ] {
            let munged = shape("Ben", ADDRESS, &proof(&anna), "n>g5\n");
            let kept = munged.replace("Ben via Games <games@lists.test>", BEN);
            let kept = kept.replace("\"'Ben' via Games\" <games@lists.test>", BEN);
            for letter in [munged, kept] {
                let said = given(
                    &anna,
                    &format!("Authentication-Results: {results}\n{letter}"),
                );
                assert!(said.contains("\tdemo\tstranger\n"), "{results}: {said}");
            }
        }
        let direct = format!(
            "Authentication-Results: mx.example.org; dkim=pass header.d=example.test\n{}",
            super::answer(&anna, "direct", "", "n>g5\n")
        );
        let said = given(&anna, &direct);
        assert!(said.contains("\tdemo\taccepted\n"), "{said}");
    }
}
