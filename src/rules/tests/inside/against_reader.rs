//! Compares the direct way from a canonical text to its ply with the general reader.

use alloc::format;
use alloc::vec::Vec;

use fastrand::Rng;

use crate::damage::{SIGNS, damaged};
use crate::games;
use crate::movetext::MoveText;
use crate::outcome::Mark;
use crate::ply::Ply;
use crate::position::Position;
use crate::reading::Voice;
use crate::record::Record;
use crate::variant::Variant;

/// Counts of texts that both ways have found.
#[derive(Default)]
struct Tally {
    canonical: usize,
    others: usize,
}

/// Reads a text in both ways. The direct one has to find the ply of the general reader if
/// the text is that ply's canonical form, and else nothing.
fn compare(position: &Position, text: &str, tally: &mut Tally) {
    let read = position.read(text).ok();
    let expected = read
        .map(|reading| reading.ply)
        .filter(|ply| position.text(ply) == text);
    let found = position.play_canonical(text);
    let played = expected.and_then(|ply| Some((ply, position.play(&ply).ok()?)));
    assert_eq!(found, played, "{text} in {}", position.fen());
    if found.is_some() {
        tally.canonical += 1;
    } else {
        tally.others += 1;
    }
}

/// Plays a text with a mark or sign behind it in both ways. What the direct one plays, the
/// general reader reads as the same ply, and without a warning.
fn compare_marked(record: &Record, text: &str) -> bool {
    let Ok(parsed) = text.parse::<MoveText>() else {
        return false;
    };
    let mut after = record.clone();
    let Some(step) = after.play_marked(&parsed).cloned() else {
        assert_eq!(&after, record, "{text} has changed the record");
        return false;
    };
    let reading = record.position().interpret(&parsed, Voice::List);
    let reading = reading.expect("what is played can be read");
    assert_eq!(reading.ply, step.ply, "{text}");
    assert!(
        reading.warnings.is_empty() && !reading.offers_draw,
        "{text}"
    );
    let mut general = record.clone();
    general.play(&reading.ply).expect("a legal ply");
    assert_eq!(general.steps().last(), Some(&step), "{text}");
    assert_eq!(general.outcome(), after.outcome(), "{text}");
    true
}

/// Some of the legal plies, and placements among them.
fn some_plies(position: &Position, rng: &mut Rng) -> Vec<Ply> {
    let mut legal = position.single_plies();
    legal.extend(position.placements().take(40));
    let chosen = (0..legal.len().min(20)).map(|_| legal[rng.usize(..legal.len())]);
    chosen.collect()
}

fn compare_all(record: &Record, rng: &mut Rng, tally: &mut Tally) {
    let position = record.position();
    for ply in some_plies(position, rng) {
        let text = position.text(&ply);
        assert!(position.play_canonical(&text).is_some(), "{text}");
        compare(position, &text, tally);
        compare(position, &position.long_text(&ply), tally);
        compare(position, &text.to_lowercase(), tally);
        compare(position, &text.to_uppercase(), tally);
        compare(position, &text[1..], tally);
        compare(position, &text.replace(['-', 'x', '>'], ""), tally);
        compare(position, &text.replace('-', "x"), tally);
        compare(position, &text.replace('x', "-"), tally);
        let mut drops: Vec<&str> = text.split(',').collect();
        drops.reverse();
        compare(position, &drops.join(","), tally);
        // Each file and rank before the target, needed or not.
        for origin in "abcdefghi123456789".chars() {
            let piece = usize::from(text.starts_with('+')) + 1;
            let (piece, rest) = text.split_at(piece.min(text.len()));
            compare(position, &format!("{piece}{origin}{rest}"), tally);
        }
        for _ in 0..4 {
            compare(position, &damaged(rng, &text, SIGNS), tally);
        }
        let right = position.play(&ply).expect("a legal ply").mark();
        assert!(compare_marked(record, &format!("{text} {right}")), "{text}");
        for sign in [
            "+", " +", "#", " #", " !+", "=", " (=)", "!?", "= S", "=+", " ep",
        ] {
            let marked = format!("{text}{sign}");
            let is_played = compare_marked(record, &marked);
            let is_wrong = matches!(
                (sign, right),
                (" +", Mark::None | Mark::Virtual | Mark::Mate) | ("+" | "=" | " (=)" | "= S", _)
            );
            assert!(!(is_played && is_wrong), "{marked}");
        }
    }
}

/// Plays games of every variant at random.
#[test]
fn what_is_canonical_is_read_as_the_general_reader_reads_it() {
    let mut rng = Rng::with_seed(150);
    for game in games::ALL {
        let mut tally = Tally::default();
        let options = game.options.iter().map(|option| option.name);
        for options in core::iter::once(None).chain(options.map(Some)) {
            let options: Vec<&str> = options.into_iter().collect();
            let variant = Variant::new(game, &options).expect("one option of the game");
            let mut record = Record::new(variant.start());
            while record.steps().len() < 100 && record.outcome().is_none() {
                if record.steps().len().is_multiple_of(3) {
                    compare_all(&record, &mut rng, &mut tally);
                }
                let plies = some_plies(record.position(), &mut rng);
                let on_board = plies.iter().find(|ply| matches!(ply, Ply::Move { .. }));
                let ply = *on_board.filter(|_| rng.usize(..4) > 0).unwrap_or(&plies[0]);
                record.play(&ply).expect("a legal ply");
            }
        }
        assert!(tally.canonical > 300, "{}: {}", game.id, tally.canonical);
        assert!(tally.others > 5_000, "{}: {}", game.id, tally.others);
    }
}

/// Each kind of text that a game has, in a position where it has to be written so.
#[test]
fn every_form_of_a_canonical_move_is_played() {
    for (game, fen, texts) in [
        (
            "chess",
            "r3k2r/P6P/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            &["O-O", "O-O-O", "Pxd6ep", "P-e6", "R-b1"][..],
        ),
        (
            "chess",
            "4k3/P6P/8/N3N3/8/N7/8/4K3 w - - 0 1",
            &["P-a8=Q", "P-a8=N", "Na5-c4", "Ne-c4", "N3-c4", "K-d2"],
        ),
        (
            "shogi",
            "4k4/9/2P5P/9/9/9/9/9/4K4[G] w",
            &["P-c8", "P-c8=+P", "P-i8=+P", "G>e5"],
        ),
    ] {
        let variant = Variant::find(game, &[]).expect("a game");
        let setup = crate::setup::Setup::from_fen(&variant, fen).expect("a setup");
        let position = Position::from_setup(&variant, &setup).expect("a position");
        for text in texts {
            let expected = position.single_plies();
            let expected = expected.iter().find(|ply| position.text(ply) == *text);
            let found = position.play_canonical(text).map(|(ply, _)| ply);
            assert_eq!(found.as_ref(), Some(expected.expect("legal")), "{text}");
        }
    }
}
