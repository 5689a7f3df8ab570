//! The links of a mail: all moves, none above another, and none that a program breaks.

use fastrand::Rng;
use parapost::inbound::intent;
use parapost::matches::action::{Action, Intent};
use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::notation::reader::{self, pasted};
use parapost::outbound::taps::{LONGEST, MOST, Taps};
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Ply, Record};

use crate::matches::log::{ids, settings, time};
use crate::playing;

const FROM: &str = "chess.referee+games@correspondence-club.example.org";

/// A match with the moves of a record.
pub(crate) fn match_of(record: &Record) -> Match {
    let variant = record.position().variant();
    let mut game = Match::new(settings(variant.game().id, variant.options()), time());
    for step in record.steps() {
        let side = game.position().turn();
        let event = LogEntry::new(time(), Action::play(&*step.text), side);
        game.push(event).unwrap();
    }
    game
}

/// Owes a mail to a side, and returns its links.
pub(crate) fn taps(game: &mut Match, to: Color) -> Taps {
    game.owe(time(), NewMail::new("position", to), &ids())
        .unwrap();
    let mail = game.owed().last().unwrap().clone();
    Taps::of(game, &mail, &FROM.parse().unwrap(), &ids())
}

/// A simple decoder of links, as a mail program has it: recipient, subject, body.
pub(crate) fn decode(href: &str) -> [String; 3] {
    let rest = href.strip_prefix("mailto:").expect("a mailto link");
    let (to, fields) = rest.split_once('?').expect("fields");
    let (subject, body) = fields.split_once('&').expect("two fields");
    let value = |field: &str, name: &str| plain(field.strip_prefix(name).expect(name));
    [plain(to), value(subject, "subject="), value(body, "body=")]
}

fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex = |byte: Option<u8>| char::from(byte.unwrap()).to_digit(16).unwrap();
        bytes.push(match byte {
            b'%' => u8::try_from(16 * hex(rest.next()) + hex(rest.next())).unwrap(),
            byte => byte,
        });
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_move_has_one_link_that_says_it() {
    let mut rng = Rng::with_seed(12);
    let mut cut = 0;
    for variant in crate::variants::variants() {
        for plies in [0..60, 90..120] {
            let plies = rng.usize(plies);
            let record = playing::game(&variant, plies, &mut rng);
            let mut game = match_of(&record);
            let Some(turn) = game.turn() else { continue };
            let taps = taps(&mut game, turn);
            cut += usize::from(taps.more > 0);
            let position = game.position();
            let on_board: usize = taps.groups.iter().map(|group| group.links.len()).sum();
            assert!(on_board <= MOST);
            let mut plies = position.single_plies();
            let mut kinds: Vec<String> = Vec::new();
            for href in taps.targets() {
                assert!(href.len() < LONGEST, "{href}");
                let is_plain = |c: char| c.is_ascii_alphanumeric() || ":@.-?=&%".contains(c);
                assert!(href.chars().all(is_plain), "{href}");
                let [to, subject, body] = decode(href);
                assert_eq!(to, FROM);
                let parts: Vec<&str> = body.split("\r\n").collect();
                let [text, code] = parts[..] else {
                    panic!("{body}")
                };
                assert_eq!(subject, "[demo]");
                let made = record.steps().len();
                let label = format!("Answer code:demo,{made},");
                assert_eq!(code.strip_prefix(&label).unwrap().len(), 16);
                if let Some(kind) = text.strip_suffix('>') {
                    assert!(!kinds.iter().any(|known| known == kind), "{kind}");
                    kinds.push(kind.to_owned());
                    continue;
                }
                let reading = position.read_with(text, Voice::Alone);
                let ply = reading
                    .unwrap_or_else(|error| panic!("{text}: {error}"))
                    .ply;
                let at = plies.iter().position(|other| *other == ply);
                plies.remove(at.unwrap_or_else(|| panic!("{text} is said twice")));
            }
            let (drops, board): (Vec<Ply>, Vec<Ply>) = plies
                .into_iter()
                .partition(|ply| matches!(ply, Ply::Drop { .. } | Ply::Relocation { .. }));
            assert_eq!(board.len(), taps.more, "{variant:?}");
            for ply in drops {
                assert!(matches!(ply, Ply::Relocation { .. }), "{ply:?}");
                let text = position.text(&ply);
                let (kind, _) = text.split_once('>').unwrap();
                assert!(kinds.iter().any(|known| known == kind), "{text}");
            }
        }
    }
    assert!(cut > 0, "no position has too many moves");
}

#[test]
fn no_label_is_a_move() {
    let mut rng = Rng::with_seed(13);
    for variant in crate::variants::variants() {
        let plies = rng.usize(0..60);
        let record = playing::game(&variant, plies, &mut rng);
        let mut game = match_of(&record);
        let Some(turn) = game.turn() else { continue };
        let taps = taps(&mut game, turn);
        let mut lines = Vec::new();
        for group in &taps.groups {
            lines.push(group.heading.as_str());
            lines.extend(group.links.iter().map(|tap| tap.label.as_str()));
        }
        lines.extend(taps.begun.iter().map(|tap| tap.label.as_str()));
        let mut rows = Vec::new();
        for board in &taps.boards {
            rows.push(board.heading.clone());
            for row in &board.rows {
                let open = row.squares.iter().filter(|square| square.href.is_some());
                rows.push(format!("{} {}", row.rank, "+ ".repeat(open.count())));
            }
            rows.push(board.files.iter().collect());
        }
        lines.extend(rows.iter().flat_map(|row| [row.as_str(), "+"]));
        for text in [lines.join("\n"), lines.join("\n\n")] {
            let parsed = reader::read_lines(pasted(&text), game.variant());
            let intent = intent::read(&game, turn, &parsed, &[], None, false, false);
            assert_eq!(intent, Intent::Words, "{text}");
        }
    }
}

#[test]
fn links_go_to_the_side_to_move_with_the_last_position_alone() {
    let mut game = Match::new(settings("chess", &[]), time());
    assert!(taps(&mut game, Color::Black).targets().next().is_none());
    let first = taps(&mut game, Color::White);
    assert!(!first.groups.is_empty());
    // Each mail has a code of its own.
    assert_ne!(first, taps(&mut game, Color::White));
    for mail in [
        NewMail::new("question", Color::White),
        NewMail::new("answer", Color::White).showing(1),
    ] {
        game.owe(time(), mail, &ids()).unwrap();
        let mail = game.owed().last().unwrap().clone();
        let links = Taps::of(&game, &mail, &FROM.parse().unwrap(), &ids());
        assert!(links.groups.is_empty(), "{}", mail.kind);
    }
    let resigns = LogEntry::new(time(), Action::Resign, Color::White);
    game.push(resigns).unwrap();
    assert!(taps(&mut game, Color::White).groups.is_empty());
}

#[test]
fn where_one_link_is_too_long_there_are_none() {
    let mut game = Match::new(settings("chess", &[]), time());
    game.owe(time(), NewMail::new("position", Color::White), &ids())
        .unwrap();
    let mail = game.owed().last().unwrap().clone();
    let of = |address: &str| Taps::of(&game, &mail, &address.parse().unwrap(), &ids());
    assert!(!of(&format!("a@{}.test", "b".repeat(60))).groups.is_empty());
    let domain = ["b", "c", "d", "e"].map(|label| label.repeat(60)).join(".");
    let long = format!("a{}@{domain}.test", "+".repeat(60));
    assert!(of(&long).targets().next().is_none());
}

#[test]
fn a_lost_plus_makes_no_other_move() {
    use parapost::notation::move_list::clear_text;
    let mut rng = Rng::with_seed(14);
    let shogi = crate::variants::variants().into_iter();
    let shogi = shogi.filter(|variant| variant.game().id.contains("shogi"));
    let mut seen = 0;
    for variant in shogi {
        let record = playing::game(&variant, 160, &mut rng);
        for plies in (40..=record.steps().len()).step_by(7) {
            let position = record.at(plies).unwrap();
            for ply in position.single_plies() {
                let text = clear_text(position, &ply).expect("a clear text");
                if !text.contains('+') {
                    continue;
                }
                seen += 1;
                for damaged in [text.replace('+', ""), text.replace('+', " ")] {
                    if let Ok(reading) = position.read_with(&damaged, Voice::Alone) {
                        assert_eq!(reading.ply, ply, "{text} became {damaged}");
                    }
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}
