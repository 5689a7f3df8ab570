//! Lines: whose words they are, and where they stand.

use parapost::mail::quoting::attribution::lines_at_end;
use parapost::mail::quoting::line::{self, Author};
use parapost::notation::reader::pasted;

/// Each line as its origin and text: `own`, the depth of quoting, or `sig`.
fn told(text: &str) -> Vec<(String, &str)> {
    pasted(text)
        .into_iter()
        .map(|line| {
            let author = match line.author {
                Author::Own => "own".to_owned(),
                Author::Quoted(depth) => depth.to_string(),
                Author::Signature => "sig".to_owned(),
                Author::Boilerplate => "added".to_owned(),
                Author::Carried | Author::Unclear | Author::Program => {
                    unreachable!("nothing was sent")
                }
            };
            (author, line.text)
        })
        .collect()
}

#[track_caller]
fn assert_told(text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|&(o, t)| (o.to_owned(), t)).collect();
    assert_eq!(told(text), expected, "{text:?}");
}

#[test]
fn any_line_end_ends_a_line() {
    assert_told(
        "\u{feff}a\r\nb\rc\n\nd",
        &[
            ("own", "a"),
            ("own", "b"),
            ("own", "c"),
            ("own", ""),
            ("own", "d"),
        ],
    );
    assert_told("", &[]);
    assert_eq!(pasted("a\n")[0].column, 1);
}

#[test]
fn marks_quote_with_and_without_blanks() {
    for (line, depth, text, column) in [
        ("> 1. P>e3", 1, " 1. P>e3", 2),
        (">1. P>e3", 1, "1. P>e3", 2),
        (">> x", 2, " x", 3),
        ("> > x", 2, " x", 4),
        (" > x", 1, " x", 3),
        ("\t> x", 1, " x", 3),
        ("| x", 1, " x", 2),
        (": x", 1, " x", 2),
        ("> | : x", 3, " x", 6),
        ("&gt; P&gt;e3", 1, " P&gt;e3", 5),
        (">", 1, "", 2),
    ] {
        let found = &pasted(line)[0];
        assert_eq!(found.author, Author::Quoted(depth), "{line:?}");
        assert_eq!((found.text, found.column), (text, column), "{line:?}");
    }
}

#[test]
fn what_only_looks_like_a_mark_does_not_quote() {
    for line in [
        ":-) well played",
        "P>e3",
        "K>h1 is safe",
        "K> h1",
        "n>7f",
        "AW> hello",
        "--> no double step",
        "|   |   | p |   |   |   |   |   |",
        "a>b",
    ] {
        assert_eq!(pasted(line)[0].author, Author::Own, "{line:?}");
    }
}

#[test]
fn initials_quote_where_several_lines_share_them() {
    assert_told(
        "AW> hello\nAW> 1. P>e3\nhello",
        &[("1", " hello"), ("1", " 1. P>e3"), ("own", "hello")],
    );
    assert_told(
        "> AW> hello\n> AW> 1. P>e3",
        &[("2", " hello"), ("2", " 1. P>e3")],
    );
}

#[test]
fn a_drop_is_no_quote_mark_whatever_the_other_lines_say() {
    assert_told(
        "K> hello\nK> you\nK>h1",
        &[("1", " hello"), ("1", " you"), ("own", "K>h1")],
    );
    // Several drops one below the other show nothing.
    assert_told("P>e3\nP>d3", &[("own", "P>e3"), ("own", "P>d3")]);
    assert_told("K> h1\nK> g1", &[("own", "K> h1"), ("own", "K> g1")]);
    // Another line shows that `K>` quotes.
    assert_told("K> h1\nK> hello", &[("1", " h1"), ("1", " hello")]);
}

#[test]
fn a_tab_before_many_lines_quotes() {
    let text = "\tFrom: Anna\n\tSubject: x\n\n\t1.  P>e3\n\tbye\n\nn>g5";
    assert_told(
        text,
        &[
            ("1", "From: Anna"),
            ("1", "Subject: x"),
            ("own", ""),
            ("1", "1.  P>e3"),
            ("1", "bye"),
            ("own", ""),
            ("own", "n>g5"),
        ],
    );
    assert_told(
        "My move:\n\n\tn>g5",
        &[("own", "My move:"), ("own", ""), ("own", "\tn>g5")],
    );
    assert_told(
        "Anna wrote:\n    1. P>e3\n    bye\nn>g5",
        &[
            ("own", "Anna wrote:"),
            ("1", "1. P>e3"),
            ("1", "bye"),
            ("own", "n>g5"),
        ],
    );
}

#[test]
fn text_below_the_mark_is_signature() {
    assert_told(
        "n>g5\n-- \nBen\nq>d8\n",
        &[
            ("own", "n>g5"),
            ("sig", "-- "),
            ("sig", "Ben"),
            ("sig", "q>d8"),
        ],
    );
    assert_told(
        "n>g5\n--\nBen",
        &[("own", "n>g5"), ("sig", "--"), ("sig", "Ben")],
    );
    // A signature above the quotation leaves the quotation alone.
    assert_told(
        "n>g5\n-- \nBen\n> 1. P>e3\n> -- \n> Anna\n",
        &[
            ("own", "n>g5"),
            ("sig", "-- "),
            ("sig", "Ben"),
            ("1", " 1. P>e3"),
            ("sig", " -- "),
            ("sig", " Anna"),
        ],
    );
    // A rule between two parts of a text.
    assert_told(
        "Our game\n--\n1. P>e3",
        &[("own", "Our game"), ("own", "--"), ("own", "1. P>e3")],
    );
    // The next message of a collection.
    assert_told(
        "a\n-- \nBen\nFrom: Anna\n1. P>e3",
        &[
            ("own", "a"),
            ("sig", "-- "),
            ("sig", "Ben"),
            ("own", "From: Anna"),
            ("own", "1. P>e3"),
        ],
    );
}

#[test]
fn dash_escapes_of_a_signed_message_are_undone() {
    let text = "\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

- - - - - n - - -
- -- \n\
Ben
-----BEGIN PGP SIGNATURE-----

iQEzBAEBCAAdFiEE
-----END PGP SIGNATURE-----
1. P>e3
";
    let found = pasted(text);
    assert_eq!(found[0].author, Author::Signature);
    assert_eq!(found[1].author, Author::Signature);
    assert_eq!(found[3].text, "- - - - n - - -");
    assert_eq!(found[3].column, 3);
    assert_eq!(found[3].author, Author::Own);
    assert_eq!(found[5].author, Author::Signature);
    assert_eq!(found[8].author, Author::Signature);
}

#[test]
fn glyphs_are_what_was_meant_and_keep_their_columns() {
    let line = &pasted("> P&gt;e3\u{a0}n–c6 …♞>g5")[0];
    let glyphs = line.glyphs();
    let text: String = glyphs.iter().map(|glyph| glyph.char).collect();
    assert_eq!(text, " P>e3 n-c6 ...n>g5");
    let column = |c: char| glyphs.iter().find(|g| g.char == c).unwrap().column;
    assert_eq!(
        (column('P'), column('>'), column('e'), column('c')),
        (3, 4, 8, 13)
    );
}

#[test]
fn files_of_any_encoding_are_read() {
    assert_eq!(line::decode("P>e3 ö".as_bytes()), "P>e3 ö");
    assert_eq!(line::decode(b"P>e3 \xf6 \x96"), "P>e3 ö –");
    assert_eq!(line::decode(b"\xff\xfeP\0>\0"), "P>");
    assert_eq!(line::decode(b"\xfe\xff\0P\0>"), "P>");
}

#[test]
fn all_of_windows_1252_is_known() {
    assert_eq!(line::decode(b"\x80 n\x9bg5 \x8a\xff"), "€ n›g5 Šÿ");
    // An unpaired surrogate of UTF-16, and half a unit at the end.
    assert_eq!(line::decode(b"\xff\xfe\x00\xd8P\0>"), "\u{fffd}P\u{fffd}");
}

#[test]
fn tags_of_forums_are_taken_off_the_ends_of_lines() {
    for (source, text, column) in [
        ("[code]- - n -", "- - n -", 7),
        ("[quote=\"Anna\"][CODE] P>e3", " P>e3", 21),
        ("> [/quote]n>g5 [/code]", "n>g5 ", 11),
        ("PPPPPPP-[/code][/quote] ", "PPPPPPP-", 1),
        ("[code]", "", 7),
        // Other brackets are somebody's words, or a comment.
        ("[codex] yes", "[codex] yes", 1),
        ("[Event \"x\"]", "[Event \"x\"]", 1),
        ("1. P>e3 [so]", "1. P>e3 [so]", 1),
        ("[quote", "[quote", 1),
        ("a quote]", "a quote]", 1),
    ] {
        let lines = pasted(source);
        assert_eq!((lines[0].text, lines[0].column), (text, column), "{source}");
    }
}

#[test]
fn struck_out_text_leaves_a_blank() {
    for struck in [
        "~~P>e3~~",
        "[s]P>e3[/s]",
        "[STRIKE]P>e3[/strike]",
        "<s>P>e3</s>",
        "<del>P>e3</del>",
        "<strike>P>e3</strike>",
    ] {
        let text = format!("x {struck} n>g5");
        let lines = pasted(&text);
        assert_eq!(lines[0].plain(), "x   n>g5", "{text}");
        let last = lines[0].glyphs().pop().unwrap();
        assert_eq!(last.column as usize, text.len(), "{text}");
    }
    for text in ["~ P>e3 ~", "~~~~", "~~ P>e3 ~~", "[x] P>e3", "~~P>e3"] {
        assert_eq!(pasted(text)[0].plain(), text);
    }
}

#[test]
fn a_backslash_goes_only_where_it_escapes_a_sign() {
    for (text, plain) in [
        (r"n\>g5", "n>g5"),
        (r"\*n>g5\*", "*n>g5*"),
        (r"C:\games", r"C:\games"),
        (r"n>g5\", r"n>g5\"),
    ] {
        assert_eq!(pasted(text)[0].plain(), plain, "{text}");
    }
}

#[test]
fn an_attribution_takes_the_line_above_only_if_it_was_wrapped() {
    for (text, count) in [
        ("n>g5\nAnna wrote:", 1),
        ("On Friday, 20 November 2026,\nAnna wrote:", 2),
        ("Anna of the Dragon Club,\nthe White one, wrote:", 2),
        ("Well,\nOn 20 Nov 2026 at 03:00, Anna wrote:", 1),
        ("Anna wrote:\nn>g5", 0),
    ] {
        assert_eq!(lines_at_end(&pasted(text)), count, "{text}");
    }
}

#[test]
fn marks_behind_blanks_are_not_quoted_twice() {
    let text = "Anna wrote:\n > 1. P>e3 n>g5\n > 2. B>g4\n";
    let authors: Vec<_> = pasted(text).iter().map(|line| line.author).collect();
    assert_eq!(authors[1..3], [Author::Quoted(1); 2]);
}

#[test]
fn a_line_below_an_indented_quotation_is_its_end_only_if_that_goes_on() {
    let long = "    I have been thinking about this game for the whole of the week, and\n";
    let author = |text: &str| {
        let lines = pasted(text);
        let line = lines.iter().find(|line| line.text.trim() == "n>g5");
        line.map(|line| line.author)
    };
    let own = format!("Anna wrote:\n{long}{long}n>g5\n\nGreetings\n");
    assert_eq!(author(&own), Some(Author::Own));
    let wrapped = format!("Anna wrote:\n{long}{long}n>g5\n{long}\nGreetings\n");
    assert_eq!(author(&wrapped), Some(Author::Quoted(1)));
}

/// Went wrong: a board whose first squares are empty was a quotation with the mark `·`.
#[test]
fn a_board_with_variation_selectors_is_no_quotation() {
    let row = " · v♟︎  · v♟︎  ·  ·  ·  ·\n";
    let whole = row.repeat(4);
    assert!(row.contains("♟\u{fe0e}"));
    let expected = [("own", row.trim_end_matches('\n')); 4];
    assert_told(&whole, &expected);
    let words = "· some words of Ben's\n".repeat(4);
    assert_told(&words, &[("1", " some words of Ben's"); 4]);
}
