//! What counts against the bounds of letters.

use parapost::matches::action::Action;
use parapost::matches::decision::{REPEATED, Usage};
use parapost::matches::event::{Event, LogEntry, Who};
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::rules::Color;

use super::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn event(event: impl Into<Event>, number: usize) -> LogEntry {
    let id = format!("<{number}@ben.test>");
    LogEntry::new(time(), event, BLACK).key("msg", Some(id))
}

fn usage(game: &Match) -> Usage {
    Usage::of(game, Who::Player(BLACK), time())
}

/// A player who writes from addresses that refuse mail could fill the log with the
/// refusals, uncounted.
#[test]
fn what_becomes_of_a_mail_counts_with_the_letter_that_called_for_it() {
    let mut game = Match::new(settings("unachess", &[]), time());
    game.push(event(Event::Asked(Some("help".to_owned())), 1))
        .unwrap();
    let answer = game
        .owe(time(), NewMail::new("answer", BLACK), &ids())
        .unwrap();
    let before = usage(&game);
    assert_eq!(before.letters, 1);
    let reason = "no such mailbox ".repeat(30);
    game.mail_failed(time(), &answer, "smtp", &reason, true)
        .unwrap();
    game.requeue(time(), &answer, None).unwrap();
    game.drop_mail(time(), &answer).unwrap();
    let after = usage(&game);
    assert_eq!(after.letters, 1);
    assert!(after.bytes > before.bytes + reason.len(), "{after:?}");
    // A move is free, and so is what becomes of its mails.
    let moved = LogEntry::new(time(), Action::play("P>e3"), WHITE);
    game.push(moved).unwrap();
    game.push(event(Action::play("n>g5"), 2)).unwrap();
    let position = game
        .owe(time(), NewMail::new("position", WHITE), &ids())
        .unwrap();
    let notice = game.mail_failed(time(), &position, "smtp", &reason, true);
    let notice = notice.unwrap().unwrap().mail;
    game.owe(time(), notice, &ids()).unwrap();
    game.requeue(time(), &position, None).unwrap();
    assert_eq!(usage(&game), after);
}

#[test]
fn what_only_repeats_a_move_takes_nothing_of_a_bound() {
    let mut game = Match::new(settings("unachess", &[]), time());
    for number in 0..50 {
        game.push(event(REPEATED, number)).unwrap();
    }
    assert_eq!(usage(&game), Usage::default());
}
