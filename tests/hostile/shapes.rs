//! Messages made to cost as much as they can: one function a shape, which is given how long the message shall be. Used by
//! the tests of this folder and by `tests/bench/letters.rs`.

#![allow(
    dead_code,
    reason = "not everybody who includes this file uses all of it"
)]

/// Makes a message of about so many bytes.
pub(crate) type Shape = fn(usize) -> Vec<u8>;

/// Every shape by its name.
pub(crate) const SHAPES: &[(&str, Shape)] = &[
    // Lines of text.
    ("one line of letters", |n| text(&"a".repeat(n))),
    ("one line beyond ASCII", |n| text(&"é".repeat(n / 2))),
    ("one line of moves", |n| fill("1. P>e3 ", n)),
    ("one line of numbers", |n| fill("1. ", n)),
    ("one line of marks", |n| text(&">".repeat(n))),
    ("one line of brackets", |n| text(&"(".repeat(n))),
    ("one line of tags", |n| fill("[code]", n)),
    ("one line of entities", |n| fill("&gt;", n)),
    ("one line of addresses", |n| fill("<a@b.test>: ", n)),
    ("one line of wrote", |n| fill("wrote ", n)),
    ("one placement", |n| fill("K>b1,", n)),
    ("empty lines", |n| text(&"\n".repeat(n))),
    ("empty lines of CR LF", |n| text(&"\r\n".repeat(n / 2))),
    ("empty quoted lines", |n| fill(">\n", n)),
    ("short lines", |n| fill("a\n", n)),
    ("short quoted lines", |n| fill("> a\n", n)),
    ("a list", |n| fill("1. P>e3 n>g5\n", n)),
    ("a quoted list", |n| fill("> 1. P>e3 n>g5\n", n)),
    ("the match again and again", |n| fill("1. P>e3\n\n", n)),
    ("moves alone", |n| fill("n>g5\n", n)),
    ("moves in prose", |n| {
        fill("I think n>g5 would be silly.\n", n)
    }),
    ("slips", |n| fill("K> h1\n", n)),
    ("initials", |n| fill("AB> a\nCD> b\n", n)),
    ("rows", |n| fill("- - - - - - - -\n", n)),
    ("diagrams", |n| fill(DIAGRAM, n)),
    ("quoted diagrams", |n| {
        fill(&DIAGRAM.replace("- - - - - - - -", "> - - - - - - - -"), n)
    }),
    ("frames", |n| {
        fill(
            "+---+---+---+---+---+---+---+---+\n|   |   |   |   |   |   |   |   |\n",
            n,
        )
    }),
    ("headings", |n| fill("White       Black\n", n)),
    ("commands", |n| numbered(n, |i| format!("show {i}\n"))),
    ("id lines", |n| {
        numbered(n, |i| {
            format!("Game one, {} half-moves made.\n", i % 1_000_000)
        })
    }),
    ("id lines with hashes", |n| {
        fill(
            "Game one, 1 half-moves made.\nHash of the moves: 0123456789abcdef\n",
            n,
        )
    }),
    ("separators", |n| fill("-----Original Message-----\n", n)),
    ("separators set off", |n| {
        fill(
            "  -----Original Message-----\n  Game a, 1 half-moves made.\n",
            n,
        )
    }),
    ("header lines", |n| fill("From: a\n b\n b\n", n)),
    ("header lines behind empty ones", |n| {
        fill("\n\n\n\n\n\n\nFrom: a\n", n)
    }),
    ("attributions", |n| fill("On Friday, Anna wrote:\n", n)),
    ("attributions and marks", |n| {
        fill("On Friday, Anna wrote:\n\n> a\n\n\n", n)
    }),
    ("a disclaimer", |n| {
        fill("This e-mail is not for everybody, but it is long.\n", n)
    }),
    ("rules of lists", |n| fill("____________\n", n)),
    ("signature marks", |n| fill("--\n", n)),
    ("signatures", |n| fill("-- \na\n> b\n", n)),
    ("tabs", |n| fill("\ta\n", n)),
    ("indented lines", |n| {
        fill("On Friday, Anna wrote:\n  a\n\n", n)
    }),
    ("comments", |n| fill("1. P>e3 {a\n", n)),
    ("flowed lines", |n| {
        part(
            "text/plain; format=flowed; delsp=yes",
            &"a \n".repeat(n / 3),
        )
    }),
    // What MIME makes of bytes.
    ("base64", |n| {
        encoded("text/plain", "base64", &"YQpiCmMK\n".repeat(n / 9))
    }),
    ("quoted-printable", |n| {
        encoded("text/plain", "quoted-printable", &"=61".repeat(n / 3))
    }),
    ("broken base64", |n| {
        encoded("text/plain", "base64", &"####\n".repeat(n / 5))
    }),
    ("an attachment", |n| {
        encoded(
            "application/octet-stream",
            "base64",
            &"QUJDREVG\n".repeat(n / 9),
        )
    }),
    ("messages in messages", |n| {
        "Content-Type: message/rfc822\n\n"
            .repeat(n / 30)
            .into_bytes()
    }),
    ("messages in digests", |n| {
        numbered_bytes(n, |i| {
            format!("Content-Type: multipart/digest; boundary={i}\n\n--{i}\n\n")
        })
    }),
    ("parts in parts", |n| {
        numbered_bytes(n, |i| {
            format!("Content-Type: multipart/mixed; boundary=b{i}x\n\n--b{i}x\n")
        })
    }),
    ("parts in parts of one boundary", |n| {
        "Content-Type: multipart/mixed; boundary=a\n\n--a\n"
            .repeat(n / 48)
            .into_bytes()
    }),
    ("parts without end", |n| {
        mixed(&"--x\nContent-Type: multipart/mixed; boundary=zz\n\n".repeat(n / 50))
    }),
    ("empty parts", |n| mixed(&"--x\n\n".repeat(n / 5))),
    ("200 parts of text", |n| {
        mixed(&format!("--x\n\n{}\n", "a\n".repeat(n / 420)).repeat(200))
    }),
    ("20 parts without end", |n| {
        let head = "--x\nContent-Type: multipart/mixed; boundary=zz\n\n".repeat(20);
        mixed(&format!("{head}{}", "a\n".repeat(n / 2)))
    }),
    ("a boundary that is everywhere", |n| {
        let head = "Content-Type: multipart/mixed; boundary=\"-\"\n\n";
        format!("{FROM}MIME-Version: 1.0\n{head}{}", "-".repeat(n)).into_bytes()
    }),
    // Headers.
    ("fields", |n| header(&"a: b\n".repeat(n / 5))),
    ("a long line of a header", |n| {
        header(&format!("Subject: {}\n", "a".repeat(n)))
    }),
    ("ids", |n| {
        header(&folded("References:", n, |i| format!("<{i}@b>")))
    }),
    ("ids of one letter", |n| {
        header(&folded("References:", n, |_| "<a>".to_owned()))
    }),
    ("addresses", |n| {
        header(&folded("To:", n, |i| format!("a{i}@b.test,")))
    }),
    ("groups", |n| {
        header(&folded("Cc:", n, |i| format!("g{i}:a@b.test;")))
    }),
    ("comments in addresses", |n| {
        header(&folded("To:", n, |_| "(((((((".to_owned()))
    }),
    ("encoded words", |n| {
        header(&folded("Subject:", n, |_| "=?utf-8?q?=41?=".to_owned()))
    }),
    ("encoded words without end", |n| {
        header(&format!("Subject: {}\n", "=?utf-8?q?a".repeat(n / 11)))
    }),
    ("encoded words without end, folded", |n| {
        header(&folded("Subject:", n, |_| "=?utf-8?q?a".repeat(80)))
    }),
    ("ids in a subject", |n| {
        header(&folded("Subject:", n, |i| format!("[{i}]")))
    }),
    ("pieces of a file's name", |n| {
        header(&folded("Content-Type: text/plain;", n, |i| {
            format!("a{i}*1=x;")
        }))
    }),
    ("results", |n| {
        header(&folded("Authentication-Results: mx;", n, |_| {
            "dkim=fail;".to_owned()
        }))
    }),
    ("machine fields", |n| {
        header(&"X-Autoreply: no\n".repeat(n / 16))
    }),
    // HTML.
    ("nested tables", |n| {
        html(&"<table><tr><td>a".repeat(n / 16))
    }),
    ("10 nested tables", |n| nested_tables(10, n)),
    ("50 nested tables", |n| nested_tables(50, n)),
    ("60 nested tables", |n| nested_tables(60, n)),
    ("tables", |n| {
        html(&"<table><tr><td>a</table>".repeat(n / 24))
    }),
    ("rows of a table", |n| {
        html(&format!("<table>{}", "<tr><td>a".repeat(n / 9)))
    }),
    ("cells of a row", |n| {
        html(&format!("<table><tr>{}", "<td>a".repeat(n / 5)))
    }),
    ("a wide table", |n| {
        let row = format!("<tr><td>{}<td>a", "a".repeat(4000));
        html(&format!("<table>{row}{}", "<tr><td>a<td>b".repeat(n / 14)))
    }),
    ("block quotes", |n| {
        html(&"<blockquote type=cite>a".repeat(n / 23))
    }),
    ("190 block quotes", |n| {
        html(&format!(
            "{}{}",
            "<blockquote type=cite>".repeat(190),
            "a<br>".repeat(n / 5)
        ))
    }),
    ("line ends in block quotes", |n| {
        html(&format!(
            "{}<pre>{}",
            "<blockquote type=cite>".repeat(190),
            "a\n".repeat(n / 2)
        ))
    }),
    ("paragraphs", |n| html(&"<p>a".repeat(n / 4))),
    ("breaks", |n| html(&"a<br>".repeat(n / 5))),
    ("a list with breaks", |n| {
        html(&"1. P&gt;e3 n&gt;g5<br>".repeat(n / 22))
    }),
    ("a list of items", |n| {
        html(&format!("<ul>{}", "<li>1. P&gt;e3 n&gt;g5".repeat(n / 22)))
    }),
    ("a list of quoted items", |n| {
        let row = "<blockquote type=cite>1. P&gt;e3 n&gt;g5</blockquote>";
        html(&row.repeat(n / row.len()))
    }),
    ("a list in a table", |n| {
        let row = "<tr><td>1.<td>P&gt;e3<td>n&gt;g5";
        html(&format!("<table>{}", row.repeat(n / row.len())))
    }),
    ("marks of type", |n| {
        html(&format!(
            "{}{}",
            numbered_text(180, |i| format!("<b a={i}>")),
            "<p>a".repeat(n / 4)
        ))
    }),
    ("marks of type that cross", |n| {
        html(&"<b><p>a</b>".repeat(n / 11))
    }),
    ("ends of others", |n| html(&"<div></b>".repeat(n / 9))),
    ("ends in attributes", |n| {
        html(&"<div a=\"</div>\">".repeat(n / 16))
    }),
    ("lists", |n| html(&"<ul><li>a".repeat(n / 9))),
    ("items", |n| html(&format!("<ol>{}", "<li>a".repeat(n / 5)))),
    ("cells in a picture", |n| {
        html(&format!("<svg>{}", "<td>".repeat(n / 4)))
    }),
    ("HTML comments", |n| html(&"<!-- a -->".repeat(n / 10))),
    ("comments without end", |n| html(&"<!--".repeat(n / 4))),
    ("tags without end", |n| html(&"<p ".repeat(n / 3))),
    ("raw text without end", |n| {
        html(&"<style></styl".repeat(n / 13))
    }),
    ("attributes", |n| {
        html(&format!("<p {}>a", "a=b ".repeat(n / 4)))
    }),
    ("attributes of many names", |n| {
        html(&format!(
            "<p {}>a",
            numbered_text(n / 7, |i| format!("a{i} "))
        ))
    }),
    ("empty comments", |n| html(&"<!>".repeat(n / 3))),
    ("signs of tags", |n| html(&"<".repeat(n))),
    ("styles", |n| {
        html(&"<p style='display:block;color:red'>a".repeat(n / 36))
    }),
    ("one paragraph", |n| html(&"a ".repeat(n / 2))),
    ("preformatted text", |n| {
        html(&format!("<pre>{}", "a  \n".repeat(n / 4)))
    }),
    ("character references", |n| html(&"&gt;".repeat(n / 4))),
];

const FROM: &str = "From: ben@example.test\nSubject: Re: [one]\n";

const DIAGRAM: &str = "- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n\
    - - - - - - - -\n- - - - P - - -\n- - - - - - - -\n- - - - - - - -\n\n";

fn text(body: &str) -> Vec<u8> {
    format!("{FROM}\n{body}").into_bytes()
}

/// Lines in so many tables, each in the one before.
fn nested_tables(depth: usize, bytes: usize) -> Vec<u8> {
    let tables = "<table><tr><td>a".repeat(depth);
    html(&format!("{tables}{}", "a<br>".repeat(bytes / 5)))
}

/// A text of that piece again and again.
fn fill(piece: &str, bytes: usize) -> Vec<u8> {
    text(&piece.repeat(bytes / piece.len()))
}

fn numbered_text(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

fn numbered_bytes(bytes: usize, piece: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::from(FROM);
    let mut i = 0;
    while text.len() < bytes {
        text.push_str(&piece(i));
        i += 1;
    }
    text.into_bytes()
}

fn numbered(bytes: usize, piece: impl Fn(usize) -> String) -> Vec<u8> {
    let mut message = text("");
    message.extend(numbered_bytes(bytes, piece).into_iter().skip(FROM.len()));
    message
}

/// A field of many pieces, in lines of a hundred.
fn folded(name: &str, bytes: usize, piece: impl Fn(usize) -> String) -> String {
    let mut field = name.to_owned();
    let mut i = 0;
    while field.len() < bytes {
        let begin = if i % 100 == 99 { "\n " } else { " " };
        field.push_str(begin);
        field.push_str(&piece(i));
        i += 1;
    }
    field + "\n"
}

fn header(fields: &str) -> Vec<u8> {
    format!("{FROM}{fields}\nn>g5\n").into_bytes()
}

fn part(kind: &str, body: &str) -> Vec<u8> {
    format!("{FROM}MIME-Version: 1.0\nContent-Type: {kind}\n\n{body}").into_bytes()
}

fn encoded(kind: &str, encoding: &str, body: &str) -> Vec<u8> {
    let head = format!("{FROM}MIME-Version: 1.0\nContent-Type: {kind}\n");
    format!("{head}Content-Transfer-Encoding: {encoding}\n\n{body}").into_bytes()
}

fn mixed(body: &str) -> Vec<u8> {
    part("multipart/mixed; boundary=x", &format!("{body}--x--\n"))
}

fn html(body: &str) -> Vec<u8> {
    part("text/html; charset=utf-8", body)
}
