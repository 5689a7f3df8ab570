//! An answer code goes to its player alone.

use super::{ANNA, BEN, Desk, Draft};

/// Everything that a text may hide, in small letters: as it is, and its letters and
/// digits alone, of the text and of its encoded forms.
fn uncovered(text: &str) -> String {
    let parts = mail_parser::MessageParser::default();
    let mut all = vec![text.to_owned(), percent(text), text.replace("=\n", "")];
    for mail in super::mails(text) {
        let (_, mail) = mail.split_once('\n').unwrap();
        if let Some(message) = parts.parse(mail.as_bytes()) {
            let texts = message.parts.iter().filter_map(|part| part.text_contents());
            all.extend(texts.flat_map(|text| [text.to_owned(), percent(text)]));
        }
    }
    let bare = |text: &String| -> String {
        let signs = text.chars().filter(char::is_ascii_alphanumeric);
        signs.collect::<String>().to_lowercase()
    };
    all.iter().map(bare).collect::<Vec<_>>().join("\n")
}

fn percent(text: &str) -> String {
    let mut plain = text.to_owned();
    for sign in (0x20..0x7f_u8).filter(|sign| *sign != b'%') {
        plain = plain.replace(&format!("%{sign:02X}"), &char::from(sign).to_string());
    }
    plain
}

#[test]
#[ignore = "takes long"]
fn a_code_is_never_carried_logged_or_reported() {
    let desk = Desk::new("address", "unachess", "P>e3");
    let draft = desk.tap("p>");
    let code = draft.code().to_owned();
    let form = draft.body.replace("\r\n", "\n");
    let spaced: String = code.chars().flat_map(|c| [c, ' ']).collect();
    let encoded: String = form
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() => c.to_string(),
            c => format!("%{:02X}", u32::from(c)),
        })
        .collect();
    let lines = form.replace('\n', "\n> ");
    let bodies = [
        format!("Hello {code}!\n"),
        format!("note {code}\n"),
        format!("The code is {}.\n", code.to_uppercase()),
        format!("It says Answer code: {code}, what is that?\n"),
        format!("It says answer\ncode:\n{code}\n"),
        format!("{spaced}\n"),
        format!("First {}\nthen {}\n", &code[..9], &code[9..]),
        format!("What is this?\n\n{form}\n"),
        format!("What is this?\n\n> {lines}\n"),
        format!("What is this? {}\n", form.replace('\n', " ")),
        format!("What is this?\n{encoded}\n"),
        format!("See mailto:ref@example.org?subject=%5Bdemo%5D&body={encoded}\n"),
        format!("p>e6 {code}\n"),
        format!("p>e6?? {code} or n>g5\n"),
        format!("1... p>e9 {code}\n"),
        format!("Answer code: {code}\np>a1\n"),
        format!("resign {code}\n"),
        format!("show {code}\n"),
        format!("\u{ff41}{}\n", &code[1..]),
        format!("= {}=\n{}\n", &code[..8], &code[8..]),
    ];
    for body in bodies {
        let desk = Desk::of("address", &desk.game());
        desk.count.set(50);
        for subject in [
            "[demo]",
            &format!("[demo] {code}"),
            &format!("[demo] p> {code}"),
        ] {
            let letter = Draft {
                subject: subject.to_owned(),
                body: body.clone(),
            };
            for from in [BEN, ANNA, "mallory@example.net"] {
                let heard = desk.hears_from(from, &letter);
                let log = desk.game().to_string();
                for text in [&heard.stdout, &heard.stderr, &log] {
                    assert!(
                        !uncovered(text).contains(&code),
                        "{subject}\n{body}\n{text}"
                    );
                }
            }
        }
        // What a spectator is shown.
        for form in ["post", "markdown", "json", "fen", "unicode"] {
            let (shown, told) = desk.run(&["show", "demo", "--as", form], "");
            assert!(
                !uncovered(&format!("{shown}{told}")).contains(&code),
                "{form}"
            );
        }
    }
}
