//! What counts against the bounds of letters.

use parapost::matches::event::{Event, EventKind, Who};
use parapost::matches::r#match::{Match, NewMail};
use parapost::matches::quota::{REPEATED, Usage};
use parapost::rules::Color;

use super::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn event(kind: EventKind, number: usize) -> Event {
    let id = format!("<{number}@ben.test>");
    Event::new(time(), kind, BLACK).key("msg", Some(id))
}

fn usage(game: &Match) -> Usage {
    Usage::of(game, Who::Player(BLACK), time())
}

/// A player who writes from addresses that refuse mail could fill the log with the
/// refusals, uncounted.
#[test]
fn what_becomes_of_a_mail_counts_with_the_letter_that_called_for_it() {
    let mut game = Match::new(settings("unachess", &[]), time());
    game.push(event(EventKind::Asked, 1).argument("help"))
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
    let moved = Event::new(time(), EventKind::Move, WHITE).argument("P>e3");
    game.push(moved).unwrap();
    game.push(event(EventKind::Move, 2).argument("n>g5"))
        .unwrap();
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
        game.push(event(EventKind::Refused, number).argument(REPEATED))
            .unwrap();
    }
    assert_eq!(usage(&game), Usage::default());
}
