//! The earlier messages that a mail names.

use std::collections::BTreeSet;

use parapost::config::MailSubject;
use parapost::inbound::incoming_message;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::outbound::compose;
use parapost::rules::Color;

use super::messages::{anna, compose, compose_about, owed, play, text, text_alone, unachess};
use crate::matches::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

#[test]
fn after_an_undo_no_mail_cites_one_that_was_never_sent() {
    let mut game = unachess();
    let invitation = game
        .owe(time(), NewMail::new("invitation", BLACK), &ids())
        .unwrap();
    game.sent(time(), &invitation, "folder").unwrap();
    play(&mut game, "P>e3");
    let untold = game
        .owe(time(), NewMail::new("position", BLACK), &ids())
        .unwrap();
    game.push(LogEntry::new(time(), Event::Undo, WHITE))
        .unwrap();
    play(&mut game, "N>d4");
    let game = owed(game, NewMail::new("position", BLACK));
    let message = text(&compose(&game));
    assert!(!message.contains(untold.as_str()), "{message}");
    let references = format!("\nReferences: {invitation}\n");
    assert!(message.contains(&references), "{message}");
}

/// Gmail and Outlook show mails of another subject as another conversation.
#[test]
fn all_mails_of_a_match_have_one_subject() {
    let mut settings = settings("unachess", &[]);
    settings.players = [
        "Anna [b] [c7] Chess: <a@example.org>",
        "Ben <b@example.org>",
    ]
    .map(|player| player.parse().unwrap());
    let mut game = Match::new(settings, time());
    play(&mut game, "P>e3");
    let mut subjects = BTreeSet::new();
    let kinds = [
        "invitation",
        "position",
        "receipt",
        "answer",
        "note",
        "rules",
        "legal",
    ];
    for (kind, about) in kinds
        .into_iter()
        .flat_map(|kind| [MailSubject::Match, MailSubject::Move].map(|about| (kind, about)))
    {
        let game = owed(game.clone(), NewMail::new(kind, BLACK).saying("x"));
        let bytes = compose_about(&game, &anna(), about).bytes();
        let read = incoming_message::read(&bytes).unwrap();
        if about == MailSubject::Match {
            subjects.insert(read.subject);
        } else {
            assert!(read.subject.starts_with("[demo] Unachess: "));
        }
    }
    let subjects: Vec<String> = subjects.into_iter().collect();
    assert_eq!(subjects, ["[demo] Unachess: Anna b c7 Chess: - Ben"]);
}

#[test]
fn a_subject_has_sixty_characters_at_most() {
    let mut settings = settings("unachess", &[]);
    let name = "ä".repeat(50);
    settings.players[0] = format!("\"{name}\" <a@example.org>").parse().unwrap();
    let game = Match::new(settings, time());
    let game = owed(game, NewMail::new("invitation", BLACK));
    let read = incoming_message::read(&compose(&game).bytes()).unwrap();
    assert_eq!(read.subject, format!("[demo] Unachess: {}", "ä".repeat(43)));
}

/// A move with two mails took time quadratic in the opponent's lines of the log: 9 s at 80,000.
#[test]
fn a_mail_costs_time_linear_in_the_log() {
    let cost = |lines: usize| {
        let mut game = Match::new(settings("unachess", &[]), time());
        for number in 0..lines {
            let note = LogEntry::new(time(), Event::note("hello"), BLACK).key(
                "msg",
                Some(format!(
                    "<a-rather-long-name-of-a-message-{number}@ben.test>"
                )),
            );
            game.push(note).unwrap();
        }
        game.owe(time(), NewMail::new("position", BLACK), &ids())
            .unwrap();
        let me = game.player(WHITE).clone();
        let templates = text_alone("/nowhere");
        let compose = || {
            let start = std::time::Instant::now();
            compose::compose(&game, &game.owed()[0], &me, &templates, &ids()).unwrap();
            start.elapsed()
        };
        compose().min(compose())
    };
    let (less, more) = (cost(3_000), cost(24_000));
    assert!(more < less * 24, "{less:?}, eight times the lines {more:?}");
}
