//! Tests of finding the match that a message is about.

use super::*;
use crate::inbound::incoming_message;
use crate::mail::quoting::sent::Sent;
use crate::matches::event::Disposition;
use crate::matches::event::{Event, LogEntry};
use crate::matches::mail::{MailKind, MailStep};
use crate::matches::r#match::MatchSettings;
use crate::notation::reader::classify;

const TIME: &str = "2026-11-20T03:00:00Z";

/// Makes matches with the given ids; each knows the message `<ID@host>`.
fn matches(ids: &[&str], black: &str) -> Vec<Match> {
    let make = |id: &&str| {
        let settings = MatchSettings {
            players: ["White <white@example.test>", black].map(|text| text.parse().unwrap()),
            ..MatchSettings::sample(id)
        };
        let time = TIME.parse().unwrap();
        let mut game = Match::new(settings, time);
        let msg = format!("<{id}@host>");
        game.push(
            LogEntry::new(time, Event::Note(None), crate::rules::Color::White)
                .key("msg", Some(msg)),
        )
        .unwrap();
        game
    };
    ids.iter().map(make).collect()
}

fn found(sender: &str, fields: &str, body: &str, matches: &[Match]) -> Result<String, String> {
    let text = format!("From: {sender}\n{fields}\n{body}\n");
    let message = incoming_message::read(text.as_bytes()).unwrap();
    let lines = classify(&message.text, &Sent::nothing());
    find(&message, &lines, matches, &[])
        .map(|game| game.id().to_string())
        .map_err(|error| match error {
            NotFound::Stranger => "stranger".to_owned(),
            NotFound::Hidden => unreachable!("no match is hidden"),
            NotFound::Ask(why) => why,
        })
}

#[test]
fn a_game_is_found_by_each_of_its_names() {
    let games = matches(&["one", "two"], "Black <black@example.test>");
    for (fields, body) in [
        ("In-Reply-To: <two@host>\n", ""),
        ("References: <unknown@host> <two@host>\n", ""),
        ("Subject: Re: [two] Unachess: 1. P>e3\n", ""),
        ("Subject: [EXT] AW: [TWO] whatever\n", ""),
        ("Subject: [unknown]\n", "> Game two, 0 half-moves made.\n"),
        ("", "Game two, 1 half-move made.\n"),
        (
            "",
            "> > Game one, 0 half-moves made.\n> Game two, 0 half-moves made.\n",
        ),
        (
            "In-Reply-To: <two@host>\nSubject: [gone] Unachess: 1. P>e3\n",
            "> Game gone, 0 half-moves made.\n",
        ),
    ] {
        let found = found("white@example.test", fields, body, &games);
        assert_eq!(found.as_deref(), Ok("two"), "{fields}{body}");
    }
}

#[test]
fn names_that_disagree_are_asked_about() {
    let games = matches(&["one", "two"], "Black <black@example.test>");
    for (fields, body) in [
        ("References: <one@host> <two@host>\n", ""),
        ("In-Reply-To: <one@host>\nSubject: [two]\n", ""),
        ("Subject: [one] [two]\n", ""),
        ("Subject: [one]\n", "> Game two, 0 half-moves made.\n"),
        (
            "",
            "> Game one, 0 half-moves made.\n> Game two, 0 half-moves made.\n",
        ),
    ] {
        let found = found("white@example.test", fields, body, &games).unwrap_err();
        assert!(
            found.contains("names more than one"),
            "{fields}{body}: {found}"
        );
    }
}

#[test]
fn the_only_game_that_waits_is_meant_where_none_is_named() {
    let games = matches(&["one"], "Black <black@example.test>");
    assert_eq!(
        found("White@Example.TEST", "", "", &games).as_deref(),
        Ok("one")
    );
    // It is not Black's turn. Black is told so about this match.
    assert_eq!(
        found("black@example.test", "", "", &games).as_deref(),
        Ok("one")
    );
    let both = matches(&["one", "two"], "Black <black@example.test>");
    let asked = found("white@example.test", "", "", &both).unwrap_err();
    assert!(asked.contains("does not say"), "{asked}");
    let asked = found("black@example.test", "", "", &both).unwrap_err();
    assert!(asked.contains("does not say"), "{asked}");
}

#[test]
fn a_game_that_is_not_there_is_not_taken_for_another() {
    let games = matches(&["one"], "Black <black@example.test>");
    for (fields, body) in [
        ("Subject: Re: [gone] Unachess II: 1. P>e3\n", ""),
        ("", "> Game gone, 2 half-moves made.\n"),
    ] {
        let asked = found("white@example.test", fields, body, &games).unwrap_err();
        assert!(asked.contains("gone, which is not here"), "{asked}");
    }
    let found = found(
        "white@example.test",
        "Subject: [game 7] 1. P>e3\n",
        "",
        &games,
    );
    assert_eq!(found.as_deref(), Ok("one"));
}

/// Regression: a move was played in the match of the subject although the quoted
/// mail was of another match.
#[test]
fn a_game_that_is_not_there_is_asked_about_beside_one_that_is() {
    let games = matches(&["one", "two"], "Black <black@example.test>");
    for (fields, body) in [
        ("Subject: Re: [one]\n", "> Game gone, 2 half-moves made.\n"),
        (
            "Subject: Re: [gone] Unachess: 1. P>e3\n",
            "> Game one, 0 half-moves made.\n",
        ),
        (
            "",
            "> Game one, 0 half-moves made.\n> Game gone, 0 half-moves made.\n",
        ),
    ] {
        let asked = found("white@example.test", fields, body, &games).unwrap_err();
        assert!(
            asked.contains("one, and gone, which is not here"),
            "{asked}"
        );
    }
}

#[test]
fn a_stranger_is_only_told_from_a_named_game() {
    let games = matches(&["one", "two"], "Black <black@example.test>");
    let nobody = "nobody@example.test";
    assert_eq!(found(nobody, "", "", &games).unwrap_err(), "stranger");
    let both = found(nobody, "Subject: [one] [two]\n", "", &games);
    assert_eq!(both.unwrap_err(), "stranger");
    let gone = found(nobody, "", "Game gone, 2 half-moves made.\n", &games);
    assert_eq!(gone.unwrap_err(), "stranger");
    let named = found(nobody, "In-Reply-To: <one@host>\n", "", &games);
    assert_eq!(named.as_deref(), Ok("one"));
    let unclear = found("nobody", "In-Reply-To: <one@host>\n", "", &games);
    assert_eq!(unclear.as_deref(), Ok("one"));
}

/// Regression: a message of the opponent's, under an id that a player's letter cites,
/// made the letter name its match.
#[test]
fn the_opponents_messages_name_no_match() {
    let games = matches(&["one", "two"], "Black <black@example.test>");
    let black = "black@example.test";
    for (fields, expected) in [
        ("In-Reply-To: <two@host>\n", "It does not say"),
        ("References: <one@host> <two@host>\n", "It does not say"),
    ] {
        let asked = found(black, fields, "", &games).unwrap_err();
        assert!(asked.starts_with(expected), "{fields}: {asked}");
    }
    let named = found(
        black,
        "References: <two@host>\nSubject: [one]\n",
        "",
        &games,
    );
    assert_eq!(named.as_deref(), Ok("one"));
}

/// What a player's own message names may change, what our mail names does not.
#[test]
fn a_message_is_settled_by_what_it_says_itself() {
    let mut games = matches(&["one", "two"], "Black <black@example.test>");
    let sent = Event::Mail(MailStep::Owed, Some(MailKind::Position));
    let sent =
        LogEntry::new(TIME.parse().unwrap(), sent, Color::White).key("msg", Some("<two.3.x@host>"));
    games[1].push(sent).unwrap();
    for (fields, is_settled) in [
        ("", false),
        ("In-Reply-To: <two@host>\n", false),
        ("In-Reply-To: <two.3.x@host>\n", true),
        ("References: <two@host> <two.3.x@host>\n", true),
        ("References: <one@host> <two.3.x@host>\n", false),
        ("Subject: [two]\n", true),
        ("Subject: [one] [two]\n", false),
        ("Subject: [gone]\n", false),
    ] {
        let text = format!("From: white@example.test\n{fields}\nn>g5\n");
        let message = incoming_message::read(text.as_bytes()).unwrap();
        let lines = classify(&message.text, &Sent::nothing());
        let lookup = Lookup::new(&message, &lines, &games, &[]);
        assert_eq!(lookup.is_settled(), is_settled, "{fields}");
        assert_eq!(lookup.own().len(), 2, "{fields}");
    }
}

#[test]
fn an_answer_to_the_question_which_game_names_none() {
    let mut games = matches(&["one", "two"], "Black <black@example.test>");
    let time = TIME.parse().unwrap();
    for (what, msg) in [
        (
            Event::Refused(Some(Disposition::UnknownMatch)),
            "<letter@host>",
        ),
        (
            Event::Mail(MailStep::Owed, Some(MailKind::Question)),
            "<question@host>",
        ),
    ] {
        games[0]
            .push(LogEntry::new(time, what, crate::rules::Color::White).key("msg", Some(msg)))
            .unwrap();
    }
    let fields = "In-Reply-To: <question@host>\nReferences: <letter@host> <question@host>\n";
    let asked = found("white@example.test", fields, "", &games).unwrap_err();
    assert!(asked.contains("does not say"), "{asked}");
}
