//! What Message-IDs and codes are bound to: the whole log up to the mail.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use parapost::mail::message_id::MessageId;
use parapost::matches::action::Action;
use parapost::matches::codes::CodeState;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::forget::Stranger;
use parapost::matches::mail::NewMail;
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Color;

use super::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

/// The match with the players of another season.
fn of_players(players: [&str; 2]) -> MatchSettings {
    MatchSettings {
        id: "r1-b1".parse().unwrap(),
        players: players.map(|player| player.parse().unwrap()),
        ..settings("chess", &[])
    }
}

fn begun(settings: &MatchSettings) -> Match {
    let mut game = Match::new(settings.clone(), time());
    for side in Color::ALL {
        game.owe(time(), NewMail::new("position", side), &ids())
            .unwrap();
    }
    game
}

fn owed(game: &Match) -> impl Iterator<Item = MessageId> + '_ {
    let log = game.log().iter();
    let owed = log.filter(|event| event.is_owed());
    owed.filter_map(|event| event.message_id("msg"))
}

#[test]
fn ids_differ_by_all_that_makes_mail_differ() {
    let game = Match::new(settings("chess", &[]), time());
    let made = |game: &Match, mail: NewMail, ids: &MailIds| {
        game.clone().owe(time(), mail, ids).unwrap().to_string()
    };
    let mail = || NewMail::new("position", WHITE);
    let mut later = game.clone();
    later
        .push(LogEntry::new(time(), Event::note("hello"), BLACK))
        .unwrap();
    let mut repaired = game.clone();
    let repair = LogEntry::new(time(), Event::Repaired(Some("lost: 1".to_owned())), BLACK);
    repaired.push(repair).unwrap();
    let other_id = MatchSettings {
        id: "demo2".parse().unwrap(),
        ..settings("chess", &[])
    };
    let other_id = Match::new(other_id, time());
    let re: MessageId = "<a@b.test>".parse().unwrap();
    let made = [
        made(&game, mail(), &ids()),
        made(&game, mail().answering(Some(re)), &ids()),
        made(&game, mail().saying("hello"), &ids()),
        made(&game, mail().showing(0), &ids()),
        made(&game, mail().automatic(), &ids()),
        made(
            &game,
            mail().at_address("a@b.test".parse().unwrap()),
            &ids(),
        ),
        made(&game, NewMail::new("position", BLACK), &ids()),
        made(&game, NewMail::new("receipt", WHITE), &ids()),
        made(&later, mail(), &ids()),
        made(&repaired, mail(), &ids()),
        made(&other_id, mail(), &ids()),
        made(
            &game,
            mail(),
            &MailIds::new(IdSecret::from_bytes([8; 32]), "example.org"),
        ),
    ];
    let different: BTreeSet<_> = made.iter().collect();
    assert_eq!(different.len(), made.len(), "{made:#?}");
    assert_eq!(
        game.clone()
            .owe(time(), mail(), &ids())
            .unwrap()
            .to_string(),
        made[0]
    );
}

/// A folder of another season, a match whose file was removed: whoever played under the
/// id before has no id and no code of the match that has it now.
#[test]
fn a_match_that_is_given_an_id_again_has_other_ids_and_codes() {
    let anna = "Anna <anna@example.org>";
    let first = begun(&of_players([anna, "Ben <ben@example.org>"]));
    let others = [
        begun(&of_players([anna, "Eve <eve@example.org>"])),
        begun(&of_players(["Ben <ben@example.org>", anna])),
        {
            let mut later = Match::new(
                of_players([anna, "Ben <ben@example.org>"]),
                time() + TimeDelta::days(300),
            );
            for side in Color::ALL {
                later
                    .owe(time(), NewMail::new("position", side), &ids())
                    .unwrap();
            }
            later
        },
    ];
    for second in &others {
        for mail in owed(&first) {
            assert!(!second.mailed(&mail), "{mail}");
            let code = ids().answer_code(&mail);
            for side in Color::ALL {
                let state = CodeState::of(&code, second, side, &ids());
                assert_eq!(state, CodeState::MissingMail);
            }
        }
        for side in Color::ALL {
            let code = ids().unsubscribe_code(&first, side).unwrap();
            assert!(ids().is_unsubscribe_code(&first, side, &code));
            assert!(!ids().is_unsubscribe_code(&first, !side, &code));
            for other in Color::ALL {
                assert!(!ids().is_unsubscribe_code(second, other, &code));
            }
        }
    }
}

#[test]
fn a_code_to_unsubscribe_is_the_same_in_each_mail_of_a_match() {
    let mut game = begun(&settings("chess", &[]));
    let code = ids().unsubscribe_code(&game, BLACK);
    assert!(code.is_some());
    game.push(LogEntry::new(time(), Action::play("P-e4"), WHITE))
        .unwrap();
    game.owe(time(), NewMail::new("position", BLACK), &ids())
        .unwrap();
    assert_eq!(ids().unsubscribe_code(&game, BLACK), code);
    // Nor does it go with the name of the opponent.
    game.push(LogEntry::new(time(), Action::Resign, WHITE))
        .unwrap();
    let game = game
        .forgetting(&[WHITE], &Stranger::new(1).unwrap(), time())
        .unwrap();
    assert_eq!(ids().unsubscribe_code(&game, BLACK), code);
}

/// Two courses of a match from any line on: what a backup brings back goes on otherwise.
#[test]
fn no_two_mails_of_any_courses_of_a_match_have_one_id() {
    let mut random = fastrand::Rng::with_seed(13);
    // The text up to a mail, with it, by its id.
    let mut known: BTreeMap<MessageId, String> = BTreeMap::new();
    let mut mails = 0;
    for _ in 0..300 {
        let mut game = begun(&settings("chess", &[]));
        let length = random.usize(1..12);
        let mut seen = BTreeSet::new();
        for _ in 0..length {
            step(&mut game, &mut random);
        }
        // A backup is brought back now and then.
        if random.bool() {
            let line = random.usize(1..=game.log().len());
            collect(&game, &mut known, &mut seen);
            game = game.as_of(line).unwrap();
            for _ in 0..random.usize(1..6) {
                step(&mut game, &mut random);
            }
        }
        collect(&game, &mut known, &mut seen);
        mails += seen.len();
    }
    assert!(mails > 500, "{mails}");
}

/// Notes the mails of a match; one that has the id of a known one must be the same mail.
fn collect(game: &Match, known: &mut BTreeMap<MessageId, String>, seen: &mut BTreeSet<MessageId>) {
    let mut text = String::new();
    for event in game.log() {
        text.push_str(&event.line());
        text.push('\n');
        if event.is_owed() {
            let id = event.message_id("msg").unwrap();
            let before = known.entry(id.clone()).or_insert_with(|| text.clone());
            assert_eq!(*before, text, "{id}");
            seen.insert(id);
        }
    }
}

/// Adds a line that says little, so that courses often meet in all but a word.
fn step(game: &mut Match, random: &mut fastrand::Rng) {
    let side = if random.bool() { WHITE } else { BLACK };
    let now = time() + TimeDelta::seconds(random.i64(0..2));
    match random.usize(0..4) {
        0 => {
            let word = if random.bool() { "yes" } else { "no" };
            let note = LogEntry::new(now, Event::note(word), side);
            game.push(note).unwrap();
        }
        1 => {
            let text = if random.bool() { "a" } else { "b" };
            let mail = NewMail::new("answer", side).saying(text);
            // The same mail cannot be owed twice.
            let _ = game.owe(now, mail, &ids());
        }
        2 => {
            let _ = game.push(LogEntry::new(now, Action::OfferDraw, side));
        }
        _ => {
            let turn = game.position().turn();
            let text = game
                .position()
                .single_plies()
                .first()
                .map(|ply| game.position().text(ply));
            let event = LogEntry::new(now, Action::play(text.unwrap()), turn);
            let _ = game.push(event);
        }
    }
}
