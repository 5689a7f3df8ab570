//! What is written is read back, whatever becomes of it on its way.

use std::fmt::Write;

use fastrand::Rng;
use mail_parser::MessageParser;
use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::notation::diagnostic;
use parapost::notation::diagram::Diagram;
use parapost::notation::header;
use parapost::notation::judge::{self, GameChoice};
use parapost::notation::move_list::MoveList;
use parapost::notation::reader::pasted;
use parapost::outbound::compose;
use parapost::rules::{Color, Record};

use crate::matches::log::{ids, settings, time};
use crate::outbound::messages::text_alone;
use crate::playing;

/// What mailers do to a text, and people who answer.
const WAYS: [fn(&str) -> String; 14] = [
    str::to_owned,
    |text| quoted(text, "> "),
    |text| quoted(text, ">"),
    |text| quoted(text, "> >> "),
    |text| quoted(text, "| "),
    |text| quoted(text, ": "),
    |text| quoted(text, "AW> "),
    |text| quoted(text, "\t"),
    |text| quoted(text, "   "),
    |text| text.replace('\n', "\r\n"),
    |text| text.replace(' ', "\u{a0}"),
    |text| text.replace('>', "&gt;"),
    |text| text.replace('\n', "   \n"),
    |text| format!("Hello,\n\nhere is my move.\n\n{text}\nRegards\n-- \nAnna, 1. P>a4\n"),
];

fn quoted(text: &str, mark: &str) -> String {
    text.lines().flat_map(|line| [mark, line, "\n"]).collect()
}

#[test]
#[ignore = "takes long"]
fn every_diagram_and_list_written_reads_back() {
    let mut rng = Rng::with_seed(1994);
    for variant in crate::variants::variants() {
        for way in WAYS {
            let plies = rng.usize(1..120);
            let record = playing::game(&variant, plies, &mut rng);
            let mut part = record.clone();
            for _ in 0..rng.usize(..record.steps().len().max(1)) {
                part.undo();
            }
            let text = format!(
                "{}\n{}\n{}",
                Diagram::of(part.position()),
                MoveList::of(&record),
                Diagram::of(record.position())
            );
            assert_reads(&way(&text), &record);
        }
    }
}

#[test]
fn the_mails_of_every_variant_read_back_without_a_word_about_the_game() {
    let mut rng = Rng::with_seed(2026);
    for variant in crate::variants::variants() {
        let record = playing::game(&variant, 40, &mut rng);
        let options = variant.options();
        let mut game = Match::new(settings(variant.game().id, options), time());
        for step in record.steps() {
            let side = game.position().turn();
            let event = LogEntry::new(time(), Action::play(&step.text), side);
            game.push(event).unwrap();
        }
        game.owe(time(), NewMail::new("position", Color::Black), &ids())
            .unwrap();
        let (me, templates) = (game.player(Color::White).clone(), text_alone("/nowhere"));
        let mail = compose::compose(&game, &game.owed()[0], &me, &templates, &ids()).unwrap();
        let mail = mail.bytes();
        let mail = MessageParser::default().parse(&mail).unwrap();
        let text = quoted(&mail.body_text(0).unwrap(), "> ");
        let judged = judge::judge(&pasted(&text), &GameChoice::Named(header::DEFAULT)).unwrap();
        let [one] = judged.as_slice() else {
            panic!("{} matches in:\n{text}", judged.len());
        };
        assert!(one.is_legal(), "{:?}\n{text}", one.problems);
        assert_eq!(one.variant.game().id, variant.game().id, "{text}");
        assert_eq!(one.variant.options(), options, "{text}");
        assert_eq!(one.game.record().steps(), record.steps(), "{text}");
        assert_eq!(one.game.claims.len(), 1, "{text}");
    }
}

#[track_caller]
fn assert_reads(text: &str, record: &Record) {
    let variant = record.position().variant();
    let judged = judge::judge(&pasted(text), &GameChoice::Given(variant.clone())).unwrap();
    let name = format!("{} {:?}", variant.game().id, variant.options());
    let [one] = judged.as_slice() else {
        panic!("{name}: {} matches\n{text}", judged.len());
    };
    assert_eq!(one.problems, [], "{name}\n{text}");
    assert_same(one.game.record(), record, &format!("{name}\n{text}"));
    assert_eq!(one.game.claims.len(), 2, "{name}\n{text}");
}

#[track_caller]
fn assert_same(read: &Record, written: &Record, text: &str) {
    let (read, written) = (read.steps(), written.steps());
    let differs = |at: &usize| read.get(*at) != written.get(*at);
    if let Some(at) = (0..read.len().max(written.len())).find(differs) {
        panic!(
            "half-move {at}: {:?} is read as {:?} in\n{text}",
            written.get(at),
            read.get(at)
        );
    }
}

#[test]
fn a_list_split_anywhere_reads_back() {
    let mut rng = Rng::with_seed(1995);
    for variant in crate::variants::variants() {
        let record = playing::game(&variant, 60, &mut rng);
        let list = MoveList::of(&record).to_string();
        let mut text = String::new();
        for line in list.lines() {
            text.push_str(line);
            text.push('\n');
            if rng.u8(..4) == 0 && !line.ends_with(',') && !line.is_empty() {
                text.push_str("\nwhat a move!\n\n");
            }
        }
        let judged = judge::judge(&pasted(&text), &GameChoice::Given(variant.clone())).unwrap();
        assert_eq!(judged.len(), 1, "{text}");
        assert_eq!(judged[0].problems, [], "{text}");
        assert_same(judged[0].game.record(), &record, &text);
    }
}

/// The moves of a record as other people would write them.
#[test]
fn long_forms_and_glued_marks_read_back() {
    let mut rng = Rng::with_seed(1996);
    for variant in crate::variants::variants() {
        let record = playing::game(&variant, 60, &mut rng);
        let mut text = String::new();
        for (at, step) in record.steps().iter().enumerate() {
            let number = at / 2 + 1;
            let dots = if at % 2 == 0 { "." } else { "..." };
            let position = record.at(at).unwrap();
            let long = position.long_text(&step.ply);
            let _ = writeln!(text, "{number}{dots} {long}");
        }
        let judged = judge::judge(&pasted(&text), &GameChoice::Given(variant.clone())).unwrap();
        assert_eq!(judged.len(), 1, "{text}");
        let errors: Vec<_> = judged[0]
            .problems
            .iter()
            .filter(|p| !p.message.contains("read as"))
            .collect();
        assert!(errors.is_empty(), "{text}\n{errors:?}");
        assert_same(judged[0].game.record(), &record, &text);
    }
}

#[test]
#[ignore = "takes long"]
fn no_text_makes_the_reader_panic() {
    let mut rng = Rng::with_seed(1997);
    let pieces = [
        "1.",
        "1...",
        "2.",
        " ",
        " ",
        " ",
        "\n",
        "\n",
        "> ",
        "P>e3",
        "n>g5",
        "- ",
        "-",
        "K> h1",
        "(",
        ")",
        "{",
        "}",
        ";",
        "--",
        "-- \n",
        "rrbbn-qk",
        "Black's pieces in reserve:",
        "|",
        "+",
        "é",
        "\u{a0}",
        "\t",
        "&gt;",
        "♞",
        ",",
        "K>b1,",
        "pp:",
        "...",
        "O-O",
        "e4",
        "Nf3",
        "[",
        "]",
        "Rules:",
        "Options: x",
        "White Black",
        "\u{202e}",
        "…",
        "- - - - - - - -\n",
        "8 ",
        "\r",
        "12:30",
        "1-0",
        "!+",
        "#",
        "e.p.",
        "=Q",
        "+R",
        "7f",
    ];
    for variant in crate::variants::variants() {
        for _ in 0..150 {
            let count = rng.usize(..60);
            let text: String = (0..count)
                .map(|_| pieces[rng.usize(..pieces.len())])
                .collect();
            let lines = pasted(&text);
            let judged = judge::judge(&lines, &GameChoice::Given(variant.clone())).unwrap();
            for problem in judged.iter().flat_map(|one| &one.problems) {
                let line = &lines[problem.place.line - 1];
                let width = line.source.chars().count();
                assert!(problem.place.column <= width.max(1), "{text:?} {problem:?}");
                let mut shown = diagnostic::rendered([problem], "x", &lines, None);
                assert!(shown.next().is_some_and(|shown| shown.starts_with("x:")));
            }
        }
    }
}
