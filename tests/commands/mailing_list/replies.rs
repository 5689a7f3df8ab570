//! Letters that answer what is on the list, and letters that come by the list and directly.

use super::{
    BEN, LIST, TOKEN, answer, begun, given, header, letter, log, mails, on_list, played, plies,
    to_ben,
};

/// The field by which a letter answers the last mail on the list.
fn to_copy(house: &crate::support::Sandbox) -> String {
    format!(
        "In-Reply-To: {0}\nReferences: {0}\n",
        header(on_list(house).last().unwrap(), "Message-ID")
    )
}

#[test]
fn who_answers_the_list_alone_is_told_once_how_to_play() {
    let anna = begun(TOKEN);
    let (before, sent) = (log(&anna), mails(&anna).len());
    let talk = letter(BEN, "talk", &to_copy(&anna), "What a match!\n");
    let said = given(&anna, &talk);
    assert!(said.contains("<talk@ben.test>\tdemo\tstranger\n"), "{said}");
    assert_eq!((log(&anna), mails(&anna).len()), (before, sent));

    for (id, to, word) in [
        ("one", LIST, "refused"),
        ("two", "anna@example.org", "stranger"),
    ] {
        let fields = format!("To: {to}\n{}", to_copy(&anna));
        let said = given(&anna, &letter(BEN, id, &fields, "k>e8\n\nSECRET\n"));
        assert!(
            said.contains(&format!("<{id}@ben.test>\tdemo\t{word}\n")),
            "{said}"
        );
    }
    assert_eq!(plies(&anna), 3);
    let told = to_ben(&anna);
    assert_eq!(mails(&anna).len(), sent + 1, "{told:?}");
    let told = told.last().unwrap();
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("please answer this mail") && !told.contains("SECRET"),
        "{told}"
    );
    assert!(!log(&anna).contains("SECRET"), "{}", log(&anna));
    assert_eq!(header(told, "Auto-Submitted"), "auto-replied");
    // An answer to that mail plays it, and in the next position Ben is told anew.
    let said = given(&anna, &answer(&anna, "three", "", "k>e8\n"));
    assert!(said.contains("\tdemo\taccepted\n"), "{said}");
    played(&anna, "P>d3");
    let sent = mails(&anna).len();
    given(&anna, &letter(BEN, "four", &to_copy(&anna), "3... n>c6\n"));
    assert_eq!(mails(&anna).len(), sent + 1);
    assert_eq!(plies(&anna), 5);
}

/// Under `address` the address is the proof, by whatever way it comes.
#[test]
fn under_address_an_answer_to_the_list_plays_in_the_position_that_it_shows() {
    let anna = begun("");
    let stale = format!(
        "In-Reply-To: {}\n",
        header(&on_list(&anna)[0], "Message-ID")
    );
    let said = given(&anna, &letter(BEN, "stale", &stale, "k>e8\n"));
    assert!(said.contains("\tdemo\trefused\n"), "{said}");
    assert!(to_ben(&anna).last().unwrap().contains("older position"));
    let fields = format!(
        "{}List-Id: <games.lists.test>\nTo: {LIST}\n",
        to_copy(&anna)
    );
    let said = given(&anna, &letter(BEN, "right", &fields, "k>e8\n"));
    assert!(said.contains("\tdemo\taccepted\n"), "{said}");
    assert_eq!(plies(&anna), 4);
}

/// The footer of a list.
const FOOTER: &str = "\
_______________________________________________
Games mailing list -- games@lists.test
To unsubscribe send an email to games-leave@lists.test
";

/// What a list that keeps `From` makes of a letter.
fn by_list(letter: &str, id: &str) -> String {
    let renamed = letter.replace("<move@ben.test>", &format!("<{id}>"));
    let prefixed = renamed.replace("Subject: Re: ", "Subject: [games] Re: ");
    format!("List-Id: Games <games.lists.test>\nPrecedence: list\n{prefixed}\n{FOOTER}")
}

#[test]
fn a_letter_by_the_list_and_directly_is_one() {
    for identity in ["", TOKEN] {
        for is_list_first in [false, true] {
            for id in ["move@ben.test", "list.8@lists.test"] {
                let anna = begun(identity);
                let direct = answer(
                    &anna,
                    "move",
                    &format!("To: Anna <anna@example.org>\nCc: {LIST}\n"),
                    "k>e8\n",
                );
                let copy = by_list(&direct, id);
                let both = if is_list_first {
                    [&copy, &direct]
                } else {
                    [&direct, &copy]
                };
                let said = given(&anna, both[0]);
                assert!(said.contains("\tdemo\taccepted\n"), "{said}");
                let sent = mails(&anna).len();
                let said = given(&anna, both[1]);
                assert!(
                    said.contains("\tdemo\tduplicate\n"),
                    "{identity}{is_list_first}{id}: {said}"
                );
                assert_eq!(plies(&anna), 4);
                assert_eq!(mails(&anna).len(), sent, "nobody is alarmed");
                // Nor when Anna has answered in between.
                played(&anna, "P>d3");
                let sent = mails(&anna).len();
                let late = by_list(&direct, "list.9@lists.test");
                let said = given(&anna, &late);
                assert!(said.contains("\tdemo\tduplicate\n"), "{identity}: {said}");
                assert_eq!((plies(&anna), mails(&anna).len()), (5, sent));
            }
        }
    }
}

/// What a list does to the text leaves the move.
#[test]
fn a_letter_that_the_list_has_encoded_anew_plays() {
    let text = format!("k>e8\n\nSee you, Björn\n\n{FOOTER}");
    let base64 = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n";
    let quoted =
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n";
    let encoded = encode(&text);
    let printable = text
        .replace('=', "=3D")
        .replace('ö', "=C3=B6")
        .replace("k>e8", "k=3Ee8");
    let part = "Content-Type: multipart/mixed; boundary=\"=_games\"\n";
    let parts = format!(
        "--=_games\n{base64}\n{}\n--=_games\nContent-Type: text/plain; charset=us-ascii\nContent-Disposition: inline\n\n{FOOTER}\n--=_games--\n",
        encode("k>e8\n")
    );
    for (fields, text) in [(base64, encoded), (quoted, printable), (part, parts)] {
        let anna = begun(TOKEN);
        let fields =
            format!("MIME-Version: 1.0\nTo: {LIST}\nList-Id: <games.lists.test>\n{fields}");
        let said = given(&anna, &answer(&anna, "move", &fields, &text));
        assert!(said.contains("\tdemo\taccepted\n"), "{said}");
        assert!(log(&anna).contains(" move Black k>e8"), "{}", log(&anna));
    }
}

fn encode(text: &str) -> String {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    let lines = encoded.as_bytes().chunks(76);
    let lines: Vec<_> = lines.map(|line| String::from_utf8_lossy(line)).collect();
    lines.join("\n") + "\n"
}
