//! Quotations without marks: where they begin and end.

use parapost::mail::quoting::line::Author;
use parapost::notation::reader::pasted;

/// The text of the lines that stay the sender's own, and of those that may
/// be, in brackets.
fn own(body: &str) -> String {
    let lines = pasted(body);
    let shown = lines.iter().filter(|line| !line.is_blank());
    let shown = shown.filter_map(|line| match line.author {
        Author::Own => Some(line.text.to_owned()),
        Author::Quoted(0) => Some(format!("({})", line.text)),
        _ => None,
    });
    shown.collect::<Vec<_>>().join("|")
}

#[test]
fn what_stands_below_a_separator_may_be_quoted() {
    for separator in [
        "-----Original Message-----",
        "----- Original Message -----",
        "-------- Forwarded Message --------",
        "---------- Forwarded message ---------",
        "----- Forwarded message from Anna-Lena <anna-lena@b.test> -----",
        "------- Forwarded Message",
        "-----Ursprüngliche Nachricht-----",
        "-------- Mensaje original --------",
        "-----Message d'origine-----",
        "Begin forwarded message:",
        "From: Anna <anna@example.org>\nSent: Friday\nSubject: [m]",
        "From: Anna <anna@example.org>\n\nSent: Friday\n\nSubject: [m]",
        "From a@b.test Fri Nov 20 03:00:00 2026\nFrom: Anna\nTo: Ben\nSubject: [m]",
        "From: Anna <anna@example.org>\nReferences: <a@b.test>\n\t<c@d.test>\nSubject: [m]",
        "Von: Anna <anna@example.org>\nGesendet: Freitag\nAn: Ben\nBetreff: [m]",
        "*From:* Anna\n*Sent:* Friday\n*To:* Ben",
        "发件人：Anna \n发送时间： Friday\n主题： [m]",
        "On Friday, Anna wrote:",
        "Le 20 nov. 2026, Anna a écrit :",
        ">>> Anna <anna@example.org> 20.11.2026 04:00 >>>",
    ] {
        let own = own(&format!("Hi\n\n{separator}\n\nn>g5\n"));
        assert!(own.starts_with("Hi") && own.ends_with("(n>g5)"), "{own}");
        assert_eq!(own.matches("n>g5").count(), 1, "{own}");
    }
}

#[test]
fn other_rules_and_labels_are_the_sender_s() {
    for body in [
        "---\nn>g5",
        "-----\nn>g5",
        "--- my move ---\nn>g5",
        "From: here on\nn>g5",
        "From: Anna\n\nTo: Ben\n\nn>g5",
        "From: Anna\n\n\nTo: Ben\n\n\nDate: now\n\nn>g5",
        "My move:\nn>g5",
        "- - - - - - - -\nn>g5",
    ] {
        let lines: Vec<&str> = body.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(own(body), lines.join("|"), "{body}");
    }
    // Two fields directly below each other may be the head of a quotation.
    let fields = "From: Anna\nTo: Ben\nn>g5";
    assert_eq!(own(fields), "(From: Anna)|(To: Ben)|(n>g5)");
}

#[test]
fn the_end_is_known_where_something_tells_it() {
    let mail =
        "It is your move.\n\nGame m, 1 half-moves made.\nHash of the moves: 0123456789abcdef\n";
    for head in [
        "-----Original Message-----",
        "-----Original Message-----\nFrom: Anna\nSent: Friday\nTo: Ben",
        "From: Anna\n\nSent: Friday\n\nTo: Ben\n",
        "On Friday, Anna wrote:",
        "Am Freitag schrieb Anna :",
    ] {
        let body = format!("top\n{head}\n\n{mail}\nbottom\n");
        assert_eq!(own(&body), "top|bottom", "{head}");
    }
    for body in [
        "----- Forwarded message from Anna -----\n\nold\n\n----- End forwarded message -----\nn>g5\n",
        "------- Forwarded Message\n\nFrom: Anna\n\nold\n\n------- End of Forwarded Message\n\nn>g5\n",
        "  From: Anna\n  To: Ben\n  Subject: [m]\n\n  old\n\n  old\n\nn>g5\n",
    ] {
        assert_eq!(own(body), "n>g5", "{body}");
    }
}

#[test]
fn marks_below_go_on_as_marks_do() {
    for head in [
        "On Friday, Anna wrote:",
        "-----Original Message-----",
        "-----Original Message-----\nOn 20.11.2026 Anna wrote:",
        "From: Anna\nSent: Friday\nTo: Ben",
    ] {
        let body = format!("top\n{head}\n\n> old\n> 1. P>e3\n\nn>g5\n");
        let own = own(&body);
        assert!(own.ends_with("|n>g5"), "{own}");
        assert!(!own.contains("Anna") || head.starts_with("On "), "{own}");
    }
}
