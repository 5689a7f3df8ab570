use super::*;

fn event() -> Event {
    let time = "2026-11-20T03:00:00Z".parse().unwrap();
    Event::new(time, EventKind::Note, Color::White)
}

#[test]
fn whatever_is_said_stays_on_one_line_and_reads_back() {
    for text in [
        "",
        "-",
        "plain",
        "two words",
        "p-e1=q",
        "a=b",
        "\"",
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\u{85}x\u{2028}",
        "2026-11-20T03:00:00Z resign White\n2026-11-20T03:00:00Z resign White",
        "Zwölf Boxkämpfer",
        "\u{1b}[2J",
        "\u{202e}",
        "\t",
        " ",
        "\"\" x=\"y\"",
    ] {
        for said in [
            event().argument(text),
            event().key("text", Some(text)),
            event()
                .argument(text)
                .key("msg", Some(text))
                .key("x", Some("")),
        ] {
            let line = said.to_string();
            assert!(!line.chars().any(is_unprintable), "{line:?}");
            assert_eq!(line.parse::<Event>().as_ref(), Ok(&said), "{line}");
        }
    }
}

#[test]
fn nothing_said_is_not_an_empty_argument() {
    assert_eq!(event().to_string(), "2026-11-20T03:00:00Z note White");
    let said = event().key("msg", Some("<a@b.test>"));
    assert_eq!(
        said.to_string(),
        "2026-11-20T03:00:00Z note White - msg=<a@b.test>"
    );
    assert_eq!(said.to_string().parse::<Event>(), Ok(said));
}

#[test]
fn an_unknown_event_with_unknown_keys_is_kept() {
    let line = "2026-11-20T03:00:00Z adjourn Referee until-may weather=\"rain, wind\"";
    assert_eq!(line.parse::<Event>().unwrap().to_string(), line);
}

#[test]
fn other_lines_are_refused() {
    for line in [
        "",
        "Log",
        "2026-11-20 note White",
        "2026-11-20T03:00:00Z",
        "2026-11-20T03:00:00Z note",
        "2026-11-20T03:00:00Z Note White",
        "2026-11-20T03:00:00Z note Green",
        "2026-11-20T03:00:00Z note White \"open",
        "2026-11-20T03:00:00Z note White \"a\"b",
        "2026-11-20T03:00:00Z note White \"\\x\"",
        "2026-11-20T03:00:00Z note White \"\\u{d800}\"",
        "2026-11-20T03:00:00Z note White a b",
        "2026-11-20T03:00:00Z note White a x=1 x=2",
        "2026-11-20T03:00:00Z note White a  x=1",
    ] {
        assert!(line.parse::<Event>().is_err(), "{line}");
    }
}
