//! A match as its log tells it: what is allowed when, and what is owed.

use chrono::{DateTime, TimeDelta, Utc};
use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry, Who};
use parapost::matches::mail::{MailStep, NewMail};
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Day, Days};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::matches::player::Player;
use parapost::rules::{Color, Variant};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

pub(crate) fn time() -> DateTime<Utc> {
    "2026-11-20T03:00:00Z".parse().unwrap()
}

fn player(text: &str) -> Player {
    text.parse().unwrap()
}

pub(crate) fn ids() -> MailIds {
    MailIds::new(IdSecret::from_bytes([7; 32]), "example.org")
}

pub(crate) fn settings(game: &str, options: &[&str]) -> MatchSettings {
    MatchSettings {
        id: "demo".parse().unwrap(),
        variant: Variant::find(game, options).unwrap(),
        players: [
            player("Anna White <anna@example.org>, <anna@work.test>"),
            player("Björn <ben@example.org>"),
        ],
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        list: None,
        counts_news: false,
        start: None,
    }
}

fn chess() -> Match {
    Match::new(settings("chess", &[]), time())
}

fn play(game: &mut Match, moves: &str) {
    for text in moves.split_whitespace() {
        let side = game.position().turn();
        game.push(LogEntry::new(time(), Action::play(text), side))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

fn does(game: &mut Match, what: impl Into<Event>, side: Color) -> Result<(), String> {
    let before = game.to_string();
    let result = game.push(LogEntry::new(time(), what, side));
    if result.is_err() {
        assert_eq!(game.to_string(), before, "a refusal leaves no trace");
    }
    result.map_err(|error| error.to_string())
}

fn owe(game: &mut Match, to: Color) -> parapost::mail::message_id::MessageId {
    game.owe(time(), NewMail::new("position", to), &ids())
        .unwrap()
}

#[test]
fn players_move_in_turn_and_in_canonical_form() {
    let mut game = chess();
    let refuse = |game: &mut Match, side: Color, text: &str, why: &str| {
        let event = LogEntry::new(time(), Action::play(text), side);
        let error = game.push(event).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    refuse(&mut game, BLACK, "p-e5", "it is White's turn");
    refuse(&mut game, WHITE, "P-e5", "cannot be played");
    refuse(&mut game, WHITE, "e4", "is written P-e4");
    refuse(&mut game, WHITE, "nonsense", "cannot be played");
    let referee = LogEntry::new(time(), Action::play("P-e4"), Who::Referee);
    assert!(game.push(referee).is_err());
    play(&mut game, "P-e4 p-e5");
    assert_eq!(game.turn(), Some(WHITE));
    assert_eq!(game.record().steps().len(), 2);
}

#[test]
fn a_match_that_is_over_is_over() {
    let mut game = chess();
    play(&mut game, "P-f3 p-e5 P-g4 q-h4");
    assert_eq!(game.ending().unwrap().to_string(), "0-1 (checkmate)");
    assert_eq!(game.turn(), None);
    for what in [
        Action::Resign,
        Action::OfferDraw,
        Action::AcceptDraw,
        Action::DeclineDraw,
        Action::ClaimDraw,
    ] {
        let why = does(&mut game, what, WHITE).unwrap_err();
        assert!(why.contains("the game is over, 0-1 (checkmate)"), "{why}");
    }
    let note = LogEntry::new(time(), Event::note("well played"), WHITE);
    game.push(note).unwrap();
}

#[test]
fn either_player_may_resign_at_any_time() {
    for (side, result) in [(WHITE, "0-1 (resignation)"), (BLACK, "1-0 (resignation)")] {
        let mut game = chess();
        does(&mut game, Action::Resign, side).unwrap();
        assert_eq!(game.ending().unwrap().to_string(), result);
    }
}

#[test]
fn an_invitation_can_be_declined_and_withdrawn_until_it_is_played_on() {
    let invited = |to: &[Color]| {
        let mut game = chess();
        for to in to {
            let mail = NewMail::new("invitation", *to);
            game.owe(time(), mail, &ids()).unwrap();
        }
        game
    };
    let (decline, withdraw) = (Action::DeclineInvitation, Action::Withdraw);
    let mut game = invited(&[BLACK]);
    assert!(
        does(&mut game, decline.clone(), WHITE)
            .unwrap_err()
            .contains("is yours")
    );
    // Of two who begin a rematch at once, each has invited the other: it comes to the same.
    let mut crossed = game.clone();
    does(&mut crossed, withdraw.clone(), BLACK).unwrap();
    assert_eq!(crossed.ending().unwrap().to_string(), "* (withdrawn)");
    // What the inviter plays is no answer.
    play(&mut game, "P-e4");
    let mut declined = game.clone();
    does(&mut declined, decline.clone(), BLACK).unwrap();
    let ending = declined.ending().unwrap();
    assert_eq!(ending.to_string(), "* (declined)");
    assert!(ending.is_void() && ending.winner().is_none() && declined.turn().is_none());
    assert!(declined.to_string().contains("\nResult: * (declined)\n"));
    assert_eq!(
        declined.to_string().parse::<Match>().unwrap().to_string(),
        declined.to_string()
    );
    let again = LogEntry::new(time(), Event::Rematch(Some("x".to_owned())), WHITE);
    assert!(
        declined
            .push(again)
            .unwrap_err()
            .to_string()
            .contains("not both players have moved")
    );
    let mut withdrawn = game.clone();
    does(&mut withdrawn, withdraw.clone(), WHITE).unwrap();
    assert_eq!(withdrawn.ending().unwrap().to_string(), "* (withdrawn)");
    let mut lapsed = game.clone();
    lapsed
        .push(LogEntry::new(time(), Event::Lapsed, Who::Nobody))
        .unwrap();
    assert_eq!(lapsed.ending().unwrap().to_string(), "* (lapsed)");
    play(&mut game, "p-e5");
    assert!(!game.is_invitation_open());
    assert!(
        does(&mut game, decline.clone(), BLACK)
            .unwrap_err()
            .contains("has played on")
    );
    assert!(
        does(&mut game, withdraw.clone(), WHITE)
            .unwrap_err()
            .contains("has played on")
    );
    assert!(
        game.push(LogEntry::new(time(), Event::Lapsed, Who::Nobody))
            .is_err()
    );

    // A referee invites both, and withdraws as long as one has not played.
    let mut game = invited(&[WHITE, BLACK]);
    play(&mut game, "P-e4");
    assert!(does(&mut game, decline.clone(), WHITE).is_err());
    assert!(does(&mut game, withdraw.clone(), WHITE).is_err());
    let mut declined = game.clone();
    does(&mut declined, decline, BLACK).unwrap();
    game.push(LogEntry::new(time(), withdraw, Who::Referee))
        .unwrap();
}

#[test]
fn a_day_is_over_when_it_is_over_everywhere() {
    let day: Day = "2026-12-01".parse().unwrap();
    assert_eq!(day.end().to_rfc3339(), "2026-12-02T12:00:00+00:00");
    assert_eq!(day.for_people(), "Tuesday, 1 December 2026");
    for text in [
        "",
        "1.12.2026",
        "2026-12-32",
        "2026-2-3",
        "+2026-12-01",
        "2026-12-01 ",
        "1999-12-31",
    ] {
        assert!(text.parse::<Day>().is_err(), "{text}");
    }
    let mut terms = settings("chess", &[]);
    terms.until = Some(day);
    let mut game = Match::new(terms, time());
    game.owe(time(), NewMail::new("invitation", BLACK), &ids())
        .unwrap();
    assert!(!game.has_lapsed(day.end() - TimeDelta::seconds(1)) && game.has_lapsed(day.end()));
    let text = game.to_string();
    assert!(
        text.contains("\nUntil: 2026-12-01\n") && text.contains(" until=2026-12-01 "),
        "{text}"
    );
    assert_eq!(text.parse::<Match>().unwrap().to_string(), text);
    play(&mut game, "P-e4 p-e5");
    assert!(!game.has_lapsed(day.end()));
}

#[test]
fn an_offer_can_be_answered_and_lapses_at_the_opponents_move() {
    let mut game = chess();
    assert!(does(&mut game, Action::AcceptDraw, BLACK).is_err());
    does(&mut game, Action::OfferDraw, WHITE).unwrap();
    assert!(does(&mut game, Action::OfferDraw, WHITE).is_err());
    assert!(does(&mut game, Action::AcceptDraw, WHITE).is_err());
    // One's own move leaves it standing, the other player's ends it.
    play(&mut game, "P-e4");
    assert_eq!(game.offer(), Some(WHITE));
    play(&mut game, "p-e5");
    assert_eq!(game.offer(), None);
    assert!(does(&mut game, Action::AcceptDraw, BLACK).is_err());

    does(&mut game, Action::OfferDraw, BLACK).unwrap();
    does(&mut game, Action::DeclineDraw, WHITE).unwrap();
    assert_eq!(game.offer(), None);
    does(&mut game, Action::OfferDraw, BLACK).unwrap();
    does(&mut game, Action::AcceptDraw, WHITE).unwrap();
    assert_eq!(game.ending().unwrap().to_string(), "1/2-1/2 (agreement)");
}

#[test]
fn a_refused_offer_or_answer_names_the_player_it_is_about() {
    let mut game = chess();
    play(&mut game, "P-e4");
    does(&mut game, Action::OfferDraw, WHITE).unwrap();
    let again = does(&mut game, Action::OfferDraw, WHITE);
    assert_eq!(again.unwrap_err(), "the draw is offered already");
    let too = does(&mut game, Action::OfferDraw, BLACK);
    assert_eq!(
        too.unwrap_err(),
        "White has offered a draw, which can be accepted"
    );
    for (side, other) in [(BLACK, "White"), (WHITE, "Black")] {
        let error = game.push(game.entry(time(), Action::AcceptTakeback, side));
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("no proposal by {other} to take a move back stands")
        );
    }
}

#[test]
fn a_draw_is_claimed_by_the_player_to_move_when_there_is_one_to_claim() {
    let mut game = chess();
    let why = does(&mut game, Action::ClaimDraw, WHITE).unwrap_err();
    assert!(why.contains("has not occurred three times"), "{why}");
    play(&mut game, "N-f3 n-f6 N-g1 n-g8 N-f3 n-f6 N-g1 n-g8");
    assert!(does(&mut game, Action::ClaimDraw, BLACK).is_err());
    does(&mut game, Action::ClaimDraw, WHITE).unwrap();
    let result = game.ending().unwrap().to_string();
    assert_eq!(result, "1/2-1/2 (claim of the third occurrence)");
}

#[test]
fn a_move_is_taken_back_only_while_nobody_knows_of_it() {
    let mut game = chess();
    assert!(does(&mut game, Event::Undo, WHITE).is_err());
    play(&mut game, "P-e4");
    let untold = does(&mut game, Event::Undo, WHITE).unwrap_err();
    assert!(untold.contains("not told by mail"), "{untold}");

    let first = owe(&mut game, BLACK);
    assert!(does(&mut game, Event::Undo, BLACK).is_err());
    does(&mut game, Event::Undo, WHITE).unwrap();
    assert_eq!(game.record().steps().len(), 0);
    assert!(
        game.owed().is_empty(),
        "the mail tells of a move that was not made"
    );
    assert!(does(&mut game, Event::Undo, WHITE).is_err());

    play(&mut game, "P-d4");
    let second = owe(&mut game, BLACK);
    assert_ne!(first, second, "two answers never have the same id");
    game.sent(time(), &second, "print").unwrap();
    let known = does(&mut game, Event::Undo, WHITE).unwrap_err();
    assert!(known.contains("has gone"), "{known}");
}

#[test]
fn taking_back_a_move_brings_back_the_offer_it_ended() {
    let mut game = chess();
    does(&mut game, Action::OfferDraw, BLACK).unwrap();
    play(&mut game, "P-e4");
    does(&mut game, Action::OfferDraw, WHITE).unwrap();
    owe(&mut game, BLACK);
    does(&mut game, Event::Undo, WHITE).unwrap();
    assert_eq!(game.offer(), Some(BLACK));
    does(&mut game, Action::AcceptDraw, WHITE).unwrap();
}

fn takes_back(game: &mut Match) {
    let side = !game.position().turn();
    for (side, action) in [
        (side, Action::ProposeTakeback),
        (!side, Action::AcceptTakeback),
    ] {
        let event = game.entry(time(), action, side);
        game.push(event).unwrap();
    }
}

#[test]
fn an_offer_made_in_a_position_goes_with_it_when_it_is_taken_back() {
    for side in Color::ALL {
        let mut game = chess();
        play(&mut game, "P-e4");
        does(&mut game, Action::OfferDraw, side).unwrap();
        takes_back(&mut game);
        assert_eq!(game.offer(), None, "{side:?}");
        assert!(does(&mut game, Action::AcceptDraw, !side).is_err());
    }
    // One that stood before the move stands again, if it was not declined since.
    for (side, is_declined) in [(WHITE, false), (WHITE, true), (BLACK, false)] {
        let mut game = chess();
        does(&mut game, Action::OfferDraw, side).unwrap();
        play(&mut game, "P-e4");
        if is_declined {
            does(&mut game, Action::DeclineDraw, !side).unwrap();
        }
        takes_back(&mut game);
        let expected = Some(side).filter(|_| !is_declined);
        assert_eq!(game.offer(), expected, "{side:?} {is_declined}");
    }
}

/// In earlier versions the offer stood on, and could be accepted.
#[test]
fn a_log_of_an_earlier_version_with_such_an_offer_is_read_as_it_was_written() {
    let mut game = chess();
    play(&mut game, "P-e4");
    does(&mut game, Action::OfferDraw, BLACK).unwrap();
    for (side, action) in [
        (WHITE, Action::ProposeTakeback),
        (BLACK, Action::AcceptTakeback),
    ] {
        let event = LogEntry::new(time(), action, side);
        game.push(event.key("move", Some("P-e4"))).unwrap();
    }
    assert_eq!(game.offer(), Some(BLACK));
    does(&mut game, Action::AcceptDraw, WHITE).unwrap();
    assert!(game.ending().is_some());
}

#[test]
fn taking_back_a_mate_lets_the_match_go_on() {
    let mut game = chess();
    play(&mut game, "P-f3 p-e5 P-g4 q-h4");
    owe(&mut game, WHITE);
    does(&mut game, Event::Undo, BLACK).unwrap();
    assert_eq!(game.turn(), Some(BLACK));
    assert_eq!(game.ending(), None);
}

#[test]
fn the_time_for_a_move_runs_from_the_event_that_passed_the_turn() {
    let mut game = Match::new(
        MatchSettings {
            time: Some("10d".parse::<Days>().unwrap()),
            until: None,
            news: None,
            list: None,
            counts_news: false,
            start: None,
            ..settings("unachess", &[])
        },
        time(),
    );
    let day = TimeDelta::days(1);
    assert_eq!(game.deadline(), Some(time() + day * 10));
    let event = LogEntry::new(time() + day, Action::play("P>e3"), WHITE);
    game.push(event).unwrap();
    assert_eq!(game.deadline(), Some(time() + day * 11));
    // Mail and notes pass no turn.
    game.owe(time() + day * 5, NewMail::new("position", BLACK), &ids())
        .unwrap();
    assert_eq!(game.deadline(), Some(time() + day * 11));
    assert!(!game.is_overdue(time() + day * 11));
    assert!(game.is_overdue(time() + day * 12));
    does(&mut game, Action::Resign, WHITE).unwrap();
    assert_eq!(game.deadline(), None);
}

#[test]
fn mail_is_owed_until_it_is_sent_and_has_one_id_for_ever() {
    let mut game = chess();
    play(&mut game, "P-e4");
    let mut twin = game.clone();
    let id = owe(&mut game, BLACK);
    assert_eq!(owe(&mut twin, BLACK), id, "the same mail made again");
    assert!(id.as_str().starts_with("<demo.3.") && id.as_str().ends_with("@example.org>"));
    assert_eq!(game.owed().len(), 1);
    game.sent(time(), &id, "print").unwrap();
    assert!(game.owed().is_empty());
    let log = game.log().len();
    // A second process that sent the same mail notes nothing new.
    game.sent(time(), &id, "print").unwrap();
    assert_eq!(game.log().len(), log);
}

#[test]
fn mail_that_nothing_called_for_settles_nothing() {
    let mut game = chess();
    play(&mut game, "P-e4");
    owe(&mut game, BLACK);
    let other = LogEntry::new(time(), Event::Mail(MailStep::Sent, None), BLACK)
        .key("msg", Some("<x@y.test>"));
    game.push(other).unwrap();
    assert_eq!(game.owed().len(), 1);
}

#[test]
fn the_hash_is_of_the_moves_and_nothing_else() {
    let mut game = chess();
    let start = game.hash();
    assert_eq!(start.len(), 16);
    play(&mut game, "P-e4");
    let moved = game.hash();
    assert_ne!(start, moved);
    owe(&mut game, BLACK);
    assert_eq!(game.hash(), moved);
    does(&mut game, Event::Undo, WHITE).unwrap();
    assert_eq!(game.hash(), start);
    let other = Match::new(settings("unachess", &[]), time());
    assert_ne!(other.hash(), start);
    let option = Match::new(settings("unachess", &["pawns-1-4"]), time());
    assert_ne!(option.hash(), other.hash());
}

#[test]
fn a_message_that_came_in_is_known_and_mail_that_went_out_is_no_such_message() {
    let mut game = chess();
    let id = "<in@x.test>".parse().unwrap();
    assert!(game.received(WHITE, &id).is_none());
    let event = LogEntry::new(time(), Action::play("P-e4"), WHITE).key("msg", Some(&id));
    game.push(event).unwrap();
    let out = owe(&mut game, BLACK);
    assert!(game.received(WHITE, &id).unwrap().is_move());
    assert!(game.received(BLACK, &id).is_none());
    assert!(game.received(WHITE, &out).is_none() && game.received(BLACK, &out).is_none());
    assert!(game.mailed(&out) && !game.mailed(&id));
    assert_eq!(game.played_by(WHITE, &id), Some("P-e4"));
    assert_eq!(game.played_by(BLACK, &id), None);
    assert_eq!(game.last_received(WHITE), Some(id));
    assert_eq!(game.last_received(BLACK), None);
}

#[test]
fn addresses_speak_for_a_player_whatever_their_case_and_tag() {
    let game = chess();
    let sides = |address: &str| -> Vec<Color> { game.sides(&address.parse().unwrap()).collect() };
    assert_eq!(sides("ANNA@Example.org"), [WHITE]);
    assert_eq!(sides("anna@work.test"), [WHITE]);
    assert_eq!(sides("ben@example.org"), [BLACK]);
    assert_eq!(sides("Ben+Chess@example.org"), [BLACK]);
    for nobody in [
        "eve@example.org",
        "ben@sub.example.org",
        "benn@example.org",
        "+ben@example.org",
        "eve+ben@example.org",
    ] {
        assert_eq!(sides(nobody), [], "{nobody}");
    }
    let tagged = player("Ben <ben+games@example.org>");
    assert!(tagged.has(&"ben@example.org".parse().unwrap()));
    assert!(tagged.has(&"ben+post@example.org".parse().unwrap()));
}

/// Each of two players at one mailbox spoke for both.
#[test]
fn the_whole_address_decides_in_a_mailbox_of_two_players() {
    let sides = |players: [&str; 2], address: &str| -> Vec<Color> {
        let mut settings = settings("chess", &[]);
        settings.players = players.map(player);
        let game = Match::new(settings, time());
        game.sides(&address.parse().unwrap()).collect()
    };
    let tagged = ["<c+anna@x.test>, <anna@y.test>", "<c+ben@x.test>"];
    assert_eq!(sides(tagged, "C+Anna@x.test"), [WHITE]);
    assert_eq!(sides(tagged, "c+ben@x.test"), [BLACK]);
    assert_eq!(sides(tagged, "anna+mail@y.test"), [WHITE]);
    for nobody in ["c@x.test", "c+carl@x.test", "c+@x.test", "c+anna+1@x.test"] {
        assert_eq!(sides(tagged, nobody), [], "{nobody}");
    }
    let half = ["<c@x.test>", "<c+ben@x.test>"];
    assert_eq!(sides(half, "c@x.test"), [WHITE]);
    assert_eq!(sides(half, "c+ben@x.test"), [BLACK]);
    assert_eq!(sides(half, "c+anna@x.test"), []);
    // Somebody who plays against himself has nobody to be told from.
    let alone = ["<c@x.test>", "<C@x.test>"];
    assert_eq!(sides(alone, "c+late@x.test"), [WHITE, BLACK]);
}
