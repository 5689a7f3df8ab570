//! Whose words each line is: the same for `check` and for `receive`.

use std::fs;
use std::path::Path;

use parapost::inbound::incoming_message::{self, IncomingMessage};
use parapost::mail::quoting::line::{Author, Line};
use parapost::mail::quoting::sent::Sent;
use parapost::notation::reader::{self, classify, pasted};
use parapost::rules::Variant;

use crate::notation::paste::{FORUMS, PGN};

/// Texts as people paste them, each with its authors: a sign a line, `o` the writer's own, a number quoted that deep, `s`
/// signature, `b` boilerplate.
const QUOTED: [(&str, &str); 48] = [
    ("", ""),
    ("n>g5\n\nThanks!\n", "ooo"),
    // Marks.
    ("> 1. P>e3\n\nn>g5\n", "1oo"),
    (">> old\n> 1. P>e3\n>\n> bye\nn>g5\n", "2111o"),
    ("On Friday, Anna wrote:\n> 1. P>e3\n\nn>g5\n", "o1oo"),
    ("AW> 1. P>e3\nAW> bye\nn>g5\n", "11o"),
    ("K>h1\nn>g5\n", "oo"),
    (
        "| # | White | Black |\n|---|---|---|\n| 1 | P>e3 | n>g5 |\n",
        "ooo",
    ),
    ("| I think | that was all\nn>g5\n", "1o"),
    ("\u{200b}> bye\n\u{feff}> bye\nn>g5\n", "11o"),
    // Wrapped ends.
    (
        "> I have thought about this for days and\n>> weekends\n> bye\n",
        "121",
    ),
    (
        "> I have thought about this for days and\nweeks\n> 1. P>e3\nn>g5\n",
        "111o",
    ),
    ("> That was all.\nn>g5\n> bye\n", "1o1"),
    (
        "> I have thought about this for days and\nweeks\nn>g5\n",
        "1oo",
    ),
    // Indentation.
    ("\t1. P>e3\n\tn>g5\n\t2. B>f4\n\tbye\n\nn-e6\n", "1111oo"),
    ("Anna wrote:\n\n  1. P>e3\n  bye\n\nn>g5\n", "oo11oo"),
    ("My move:\n\n\tn>g5\n", "ooo"),
    // Signatures and PGP.
    ("n>g5\n-- \nBen\nq>d8\n> old\n", "osss1"),
    ("n>g5\n--\nBen\n", "oss"),
    ("n>g5\n--\n.oO Ben\n", "oss"),
    ("n>g5\n--\n\n\n\n\n\nBen\n", "osssssss"),
    ("n>g5\n--\na\nb\nc\nd\ne\n", "ooo++++"),
    (">> -- \n>> Anna\n> words\n>> more\n", "ss12"),
    ("Our game\n--\n1. P>e3 n>g5\n", "ooo"),
    ("n>g5\n--\n1 Ben\n2\n3\n4\n", "osssss"),
    (
        "n>g5\n-- \nBen\n\nFrom anna@b.test Fri Nov 20 03:00:00 2026 +0100\nSubject: x\n\nq>d8\n",
        "osss0000",
    ),
    (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nn>g5\n- -- \nBen\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n",
        "ssoossssss",
    ),
    // Quotations without marks.
    (
        "n>g5\n\n-----Original Message-----\nFrom: Anna\n\n1. P>e3\n",
        "oo0000",
    ),
    (
        "n>g5\n\nFrom: Anna\nSent: Friday\nTo: Ben\n\n1. P>e3\n",
        "o000000",
    ),
    ("n>g5\n\nFrom: Anna\nTo: Ben\n\n1. P>e3\n", "oo0000"),
    ("Hi\n\nOn Friday, Anna wrote:\n\n1. P>e3\n", "oo000"),
    (
        "----- Forwarded message -----\n\n1. P>e3\n\n----- End forwarded message -----\nn>g5\n",
        "11111o",
    ),
    (
        "Anna wrote:\n\n1. P>e3\n\nGame m, 1 half-move made.\nHash of the moves: 0123456789abcdef\n\nn>g5\n",
        "111111oo",
    ),
    (
        "n>g5\n-- \nBen\n\nOn 20.11.2026, Anna wrote:\n\n1. P>e3\n",
        "osss000",
    ),
    ("n>g5\n-- \nAs Anna wrote:\nbe good\n", "osss"),
    (
        "Anna wrote:\n\nbye\nGame m, 1 half-move made.\nn>g5\n",
        "1111o",
    ),
    ("From: Anna\nTo: Ben\nhello\nSubject: x\n\nn>g5\n", "000000"),
    (
        "From: Anna\nhello\nTo: Ben\nhello\nSubject: x\nhello\nn>g5\n",
        "ooooooo",
    ),
    (
        "From: Anna\n\nTo: Ben\n\nSubject: x\n\n1. P>e3\n",
        "0000000",
    ),
    ("n>g5\n\nAnna ha escrit:\n\nresign\n", "oo000"),
    ("n>g5\n\nAnna White je napisala/la:\n\nresign\n", "oo000"),
    // The writer's own sentences.
    ("n>g5\n\nSaya menulis ini:\n\nHello\n", "ooooo"),
    ("n>g5\n\nTôi đã viết:\n\nHello\n", "ooooo"),
    ("n>g5\n\nEt deixo això per escrit:\n\nHello\n", "ooooo"),
    ("n>g5\n\nKot je napisal trener:\n\nHello\n", "ooooo"),
    // Boilerplate.
    ("n>g5\n\nSent from my iPhone\n", "oob"),
    ("n>g5\n__________\nGames mailing list\nlistinfo\n", "obbb"),
    (
        "n>g5\n\nThis message is confidential. If it was not meant for you, tell its sender at once, please,\nand delete it.\n",
        "oobb",
    ),
];

/// The authors of lines, a sign a line.
fn signs(lines: &[Line<'_>]) -> String {
    let sign = |line: &Line<'_>| match line.author {
        Author::Own => "o".to_owned(),
        Author::Quoted(depth) => depth.to_string(),
        Author::Signature => "s".to_owned(),
        Author::Boilerplate => "b".to_owned(),
        Author::Carried => "c".to_owned(),
        Author::Unclear => "+".to_owned(),
        Author::Program => "p".to_owned(),
    };
    lines.iter().map(sign).collect()
}

/// A message that has that text and nothing else.
fn message(text: &str) -> IncomingMessage {
    let head = "From: ben@b.test\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit";
    incoming_message::read(format!("{head}\n\n{text}").as_bytes()).unwrap()
}

#[test]
fn lines_have_the_authors_that_the_passes_give_them() {
    for (text, expected) in QUOTED {
        let crlf = text.replace('\n', "\r\n");
        for text in [text, &crlf] {
            assert_eq!(signs(&pasted(text)), expected, "{text}");
        }
    }
}

/// `check` left out two passes that `receive` ran.
#[test]
fn check_and_receive_see_the_same_authors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let mut messages: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "eml"))
        .map(|path| incoming_message::read(&fs::read(path).unwrap()).unwrap())
        .collect();
    assert!(messages.len() >= 170, "{}", messages.len());
    let quoted = QUOTED.map(|(text, _)| text);
    let texts: Vec<&str> = [&FORUMS[..], &PGN, &quoted].concat();
    assert!(texts.len() >= 40, "{}", texts.len());
    for text in texts {
        let message = message(text);
        // The text itself comes through.
        let sources = |lines: &[Line<'_>]| -> Vec<String> {
            lines.iter().map(|line| line.source.to_owned()).collect()
        };
        let lines = pasted(text);
        assert_eq!(
            sources(&classify(&message.text, &Sent::nothing())),
            sources(&lines),
            "{text}"
        );
        messages.push(message);
    }
    for message in messages {
        let received = classify(&message.text, &Sent::nothing());
        assert_eq!(received, pasted(&message.text), "{}", message.text);
    }
}

/// People paste games from anywhere, but what a program adds to a message is not meant for the match.
#[test]
fn only_a_pasted_text_is_read_in_its_boilerplate() {
    let variant = Variant::find("unachess", &[]).unwrap();
    let text = "----------\nOur mailing list plays:\n1. P>e3 n>g5\n";
    assert_eq!(reader::read(text, &variant).moves().count(), 1);
    let lines = message(text);
    let read = reader::read_lines(classify(&lines.text, &Sent::nothing()), &variant);
    assert_eq!(read.moves().count(), 0);
    let own = "Our mailing list plays:\n1. P>e3 n>g5\n";
    let read = reader::read_lines(pasted(own), &variant);
    assert_eq!(read.moves().count(), 1);
}
