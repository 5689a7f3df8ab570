//! Mail that a delivery report says has not arrived: what it changes, and what not.

use lettre::Address;
use parapost::mail::message_id::MessageId;
use parapost::matches::action::Action;
use parapost::matches::decision::Usage;
use parapost::matches::event::{Event, LogEntry, Who};
use parapost::matches::mail::{MailWish, NewMail};
use parapost::matches::r#match::Match;
use parapost::rules::Color;

use super::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

/// A match with a move of White, of which Black's mail has gone.
fn told() -> (Match, MessageId) {
    let mut game = Match::new(settings("unachess", &[]), time());
    let moved = LogEntry::new(time(), Action::play("P>e3"), WHITE);
    game.push(moved.key("msg", Some("<w1@x.test>"))).unwrap();
    let mail = NewMail::new("position", BLACK);
    let msg = game.owe(time(), mail, &ids()).unwrap();
    game.sent(time(), &msg, "smtp").unwrap();
    (game, msg)
}

fn report(game: &mut Match, number: usize, msg: &MessageId, to: &str) -> Result<(), String> {
    let id = format!("<{number}@mx.test>").parse().unwrap();
    let to: Address = to.parse().unwrap();
    let failed = [(vec![to], "5.1.1 no such user\n".repeat(100))];
    let before = game.to_string();
    let reported = game.mail_reported(time(), &id, msg, &failed);
    if reported.is_err() {
        assert_eq!(
            game.to_string(),
            before,
            "what does not count leaves no trace"
        );
    }
    reported.map_err(|error| error.to_string())
}

fn letter(game: &mut Match, event: impl Into<Event>) {
    let event = LogEntry::new(time(), event, BLACK);
    game.push(event.key("msg", Some("<b1@x.test>"))).unwrap();
}

#[test]
fn a_mail_is_reported_once_and_owed_once_again() {
    let (mut game, msg) = told();
    let owed = game.mails_to(BLACK).next().unwrap();
    let (moves, deadline) = (game.hash(), game.deadline());
    report(&mut game, 1, &msg, "ben@example.org").unwrap();
    assert_eq!(game.owed(), [owed]);
    assert_eq!(game.reported().len(), 1);
    assert!(game.reported()[0].reason.chars().count() <= 501);
    assert!(game.has_report(&"<1@mx.test>".parse().unwrap()));
    // It is under way, or was reported before.
    report(&mut game, 2, &msg, "ben@example.org").unwrap_err();
    game.sent(time(), &msg, "smtp").unwrap();
    report(&mut game, 3, &msg, "ben@example.org").unwrap_err();
    assert!(game.owed().is_empty());
    assert_eq!(game.reported().len(), 1);
    assert_eq!((game.hash(), game.deadline()), (moves, deadline));
    // The file reads as the same match.
    let again: Match = game.to_string().parse().unwrap();
    assert_eq!(again.reported(), game.reported());
    letter(&mut game, Event::note("I am back."));
    assert!(game.reported().is_empty());
    report(&mut game, 4, &msg, "ben@example.org").unwrap_err();
}

#[test]
fn a_report_is_about_the_recipient_of_its_mail() {
    let (mut game, msg) = told();
    let other = "<demo.3.00000000000000000000@example.org>".parse().unwrap();
    report(&mut game, 1, &msg, "anna@example.org").unwrap_err();
    report(&mut game, 2, &other, "ben@example.org").unwrap_err();
    let letter: MessageId = "<w1@x.test>".parse().unwrap();
    report(&mut game, 3, &letter, "anna@example.org").unwrap_err();
    report(&mut game, 4, &msg, "BEN@example.ORG").unwrap();
}

#[test]
fn who_has_moved_or_wants_no_mail_gets_none_again() {
    let (mut game, msg) = told();
    letter(&mut game, Event::note("On the way."));
    let mut moved = game.clone();
    letter(&mut moved, Action::play("n>g5"));
    report(&mut moved, 1, &msg, "ben@example.org").unwrap_err();
    let mut off = game.clone();
    letter(&mut off, Event::Wish(Some(MailWish::Off)));
    report(&mut off, 1, &msg, "ben@example.org").unwrap_err();
    report(&mut game, 1, &msg, "ben@example.org").unwrap();
}

#[test]
fn a_reported_mail_can_be_given_up_and_no_move_be_taken_back_for_it() {
    let (mut game, msg) = told();
    report(&mut game, 1, &msg, "ben@example.org").unwrap();
    let undone = game.push(LogEntry::new(time(), Event::Undo, WHITE));
    assert!(undone.is_err(), "the mail may have arrived");
    let usage = Usage::of(&game, Who::Player(BLACK), time());
    assert_eq!(usage, Usage::default(), "it uses up nobody's letters");
    let mut refused = game.clone();
    refused
        .mail_failed(time(), &msg, "smtp", "550 no", false)
        .unwrap();
    assert_eq!(
        (refused.reported().len(), refused.undelivered().len()),
        (0, 1)
    );
    game.drop_mail(time(), &msg).unwrap();
    assert!(game.reported().is_empty() && game.owed().is_empty());
}
