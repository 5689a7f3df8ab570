//! What readers of the list can do, who know all that is on it.

use super::{
    BEN, LIST, TOKEN, answer, begun, given, header, letter, log, mails, on_list, played, plies,
    to_ben,
};

/// What a player sends to the list has the ids of all mails that the player had.
#[test]
fn an_id_that_a_player_has_sent_to_the_list_proves_nothing_any_more() {
    let anna = begun(TOKEN);
    let spent = header(to_ben(&anna).last().unwrap(), "Message-ID");
    let by_list = answer(
        &anna,
        "public",
        &format!("Cc: {LIST}\n"),
        "Thank you for K>e1!\n",
    );
    let said = given(&anna, &by_list);
    assert!(said.contains("\tdemo\tnote\n"), "{said}");
    let before = (plies(&anna), mails(&anna).len());
    let told = |id: &str, text: &str| {
        let forged = letter(BEN, id, &format!("In-Reply-To: {spent}\n"), text);
        given(&anna, &forged)
    };
    let said = told("resign", "resign\n");
    assert!(said.contains("\tdemo\trefused\n"), "{said}");
    for (id, text) in [
        ("move", "n>c6\n"),
        ("draw", "offer draw\n"),
        ("note", "note You lose.\n"),
        ("back", "propose takeback\n"),
    ] {
        let said = told(id, text);
        assert!(said.contains("\tdemo\tstranger\n"), "{text}: {said}");
    }
    assert_eq!(
        (plies(&anna), mails(&anna).len()),
        (before.0, before.1 + 1),
        "Ben is told once"
    );
    assert!(!log(&anna).contains("You lose"));
    // That mail is Ben's alone.
    let said = given(&anna, &answer(&anna, "real", "", "k>e8\n"));
    assert!(said.contains("\tdemo\taccepted\n"), "{said}");
    played(&anna, "P>d3");
    assert!(told("late", "resign\n").contains("\tdemo\trefused\n"));
    let said = given(&anna, &answer(&anna, "end", "", "resign\n"));
    assert!(said.contains("\tdemo\tcommand\n"), "{said}");
    super::run(&anna, &["verify", "demo"]);
}

/// Even where nothing came of the letter.
#[test]
fn a_letter_to_the_list_that_says_nothing_has_its_ids_all_the_same() {
    let anna = begun(TOKEN);
    let spent = header(to_ben(&anna).last().unwrap(), "Message-ID");
    given(
        &anna,
        &answer(&anna, "empty", &format!("Cc: {LIST}\n"), "\n"),
    );
    let before = log(&anna);
    assert!(before.contains(&format!("list={LIST}")), "{before}");
    let fields = format!("In-Reply-To: {spent}\nCc: {LIST}\n");
    for id in ["empty", "again"] {
        given(&anna, &letter(BEN, id, &fields, "\n"));
    }
    assert_eq!(log(&anna), before, "it is noted once");
    let forged = letter(BEN, "move", &format!("In-Reply-To: {spent}\n"), "k>e8\n");
    assert!(given(&anna, &forged).contains("\tdemo\trefused\n"));
    assert_eq!(plies(&anna), 3);
}

/// A thousand letters in Ben's name to the list cause one mail to Ben.
#[test]
fn whoever_writes_to_the_list_causes_one_mail_in_a_position_and_none_there() {
    let anna = begun(TOKEN);
    let (sent, list) = (mails(&anna).len(), on_list(&anna).len());
    let copies: Vec<String> = on_list(&anna)
        .iter()
        .map(|mail| header(mail, "Message-ID"))
        .collect();
    let mut batch = String::new();
    for number in 0..300 {
        let copy = &copies[number % copies.len()];
        let from = [BEN, LIST, "Kim <kim@example.net>"][number % 3];
        let fields = format!(
            "In-Reply-To: {copy}\nTo: {LIST}\nReply-To: {LIST}\nList-Id: <games.lists.test>\n"
        );
        let text = [
            "k>e8",
            "resign",
            "mail on",
            "help",
            "rules",
            "n>h9",
            "add address games@lists.test",
        ][number % 7];
        let letter = letter(from, &number.to_string(), &fields, &format!("{text}\n"));
        batch.extend(["From - Fri Nov 20 03:00:00 2026\n", &letter, "\n\n"]);
    }
    let test = anna.parapost(["receive", "--mbox", "--send"]).stdin(batch);
    test.status(1).any_stdout().any_stderr().run();
    assert_eq!((mails(&anna).len(), on_list(&anna).len()), (sent + 1, list));
    assert_eq!(plies(&anna), 3);
}

/// Our own mails come back by the list, and those of a loop.
#[test]
fn what_comes_back_is_never_answered() {
    let anna = begun("");
    let (before, sent) = (log(&anna), mails(&anna).len());
    let copy = on_list(&anna).pop().unwrap();
    let id = header(&copy, "Message-ID");
    let by_list = format!("List-Id: <games.lists.test>\n{copy}");
    let renamed = by_list.replace(&id, "<list.1@lists.test>");
    let munged = renamed.replace("From: Anna <", &format!("Reply-To: {LIST}\nX-Was: <"));
    let munged = format!("From: Anna via games <{LIST}>\n{munged}");
    // A player's program has answered it, or somebody has sent it to the list again.
    let forwarded = renamed.replace(
        "From: Anna <anna@example.org>",
        "From: Ben <ben@example.test>",
    );
    let of_ben = forwarded.replace("X-Loop: anna@example.org", "X-Loop: ben@example.test");
    for mail in [copy, by_list, renamed, munged, forwarded, of_ben] {
        let said = given(&anna, &mail);
        assert!(said.contains("\tignored\n"), "{mail}\n{said}");
    }
    assert_eq!((log(&anna), mails(&anna).len()), (before, sent));
}

/// A vacation notice is one by whatever way it comes.
#[test]
fn a_machines_letter_stays_one_though_a_list_has_sent_it_on() {
    let anna = begun("");
    let (before, sent) = (log(&anna), mails(&anna).len());
    for field in [
        "Auto-Submitted: auto-replied\n",
        "X-Autoreply: yes\n",
        "Return-Path: <>\n",
    ] {
        let fields = format!("{field}List-Id: <games.lists.test>\nTo: {LIST}\n");
        let said = given(&anna, &answer(&anna, "away", &fields, "k>e8\n"));
        assert!(said.contains("\tignored\n"), "{said}");
    }
    // So does what another list has sent on.
    let fields = "List-Id: <chess.lists.test>\nTo: chess@lists.test\n";
    let said = given(&anna, &answer(&anna, "other", fields, "k>e8\n"));
    assert!(said.contains("\tignored\n"), "{said}");
    assert_eq!((log(&anna), mails(&anna).len()), (before, sent));
}
