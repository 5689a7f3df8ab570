//! Damaged state files rebuilt: what comes of it is the match as it was, or an earlier point of it with a word about what
//! is lost, or nothing.

use std::collections::BTreeMap;
use std::slice;

use parapost::mail::quoting::line;
use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::r#match::Match;
use parapost::rules::{Color, Record};
use parapost::store::repair::DamagedFile;
use parapost::store::repair::OutsideRecord;

use crate::matches::log::{settings, time};
use crate::store::damage::{Damage, Whole, damages, whole_damages};
use crate::store::damage_samples::files;

/// What became of the damages of a kind.
#[derive(Default)]
struct Count {
    /// The log as it was, line for line.
    exact: usize,
    /// The same moves and result; the log says that it was repaired.
    changed: usize,
    /// An earlier point of the match.
    earlier: usize,
    /// Nothing, but with the help of a mail one of the above.
    helped: usize,
    /// Nothing, whatever a mail says.
    refused: usize,
}

fn is_beginning(one: &Record, other: &Record) -> bool {
    other.steps().starts_with(one.steps())
}

/// Rebuilds a damaged file, and holds what comes of it against what it was.
fn judge(
    whole: &Whole,
    damage: &Damage,
    proofs: &[OutsideRecord],
    count: &mut Count,
) -> Result<(), String> {
    let id = whole.game.id();
    let text = line::decode(&damage.bytes);
    let ruin = DamagedFile::new(id, &text);
    let rebuilt = match ruin.rebuild(None, &[], time()) {
        Ok(rebuilt) => rebuilt,
        Err(_) => match ruin.rebuild(None, proofs, time()) {
            Err(_) => {
                count.refused += 1;
                return Ok(());
            }
            Ok(rebuilt) => {
                count.helped += 1;
                rebuilt
            }
        },
    };
    let game = &rebuilt.game;
    let was = &whole.game;
    let written: Match = game
        .to_string()
        .parse()
        .map_err(|error| format!("what was rebuilt cannot be read: {error}"))?;
    if written.log() != game.log() {
        return Err("it reads back otherwise".to_owned());
    }
    let settings = |game: &Match| {
        let settings = game.settings();
        let variant = (
            settings.variant.game().id,
            settings.variant.options().to_vec(),
        );
        (
            settings.players.clone(),
            variant,
            settings.event.clone(),
            settings.time,
        )
    };
    let is_cut_short = rebuilt
        .lost
        .iter()
        .any(|lost| lost.starts_with("the event and the time"));
    if settings(game) != settings(was) && !is_cut_short {
        return Err(format!("other terms: {:?}", rebuilt.done));
    }
    let last = game.log().last().map(|event| event.event.kind());
    if rebuilt.is_log_changed != (last == Some("repaired")) {
        return Err("a changed log says so, and no other".to_owned());
    }
    if game.record().steps() == was.record().steps() && game.ending() == was.ending() {
        if rebuilt.is_log_changed {
            count.changed += 1;
        } else if !whole.is_chained || game.log() == was.log() {
            count.exact += 1;
        } else {
            return Err("another log, and not a word about it".to_owned());
        }
        return Ok(());
    }
    let is_cut = matches!(
        damage.kind,
        "cut off at a byte" | "without its last line end"
    );
    if is_cut && !rebuilt.lost.is_empty() && is_beginning(game.record(), was.record()) {
        count.earlier += 1;
        return Ok(());
    }
    Err(format!(
        "another match: {} half-moves, {:?}; {:?}; lost {:?}",
        game.record().steps().len(),
        game.ending(),
        rebuilt.done,
        rebuilt.lost
    ))
}

/// Two points of the log have as many half-moves: that before the take-back was taken, and
/// the moves of the list were put behind a move that had been taken back.
#[test]
fn a_list_that_parts_from_the_log_behind_a_takeback_is_put_behind_it() {
    let mut game = Match::new(settings("unachess", &[]), time());
    let play = |game: &mut Match, text: &str| {
        let side = game.position().turn();
        let played = LogEntry::new(time(), Action::play(text), side);
        game.push(played).unwrap();
    };
    play(&mut game, "P>e3");
    play(&mut game, "n>g5");
    for (side, action) in [
        (Color::Black, Action::ProposeTakeback),
        (Color::White, Action::AcceptTakeback),
    ] {
        let event = game.entry(time(), action, side);
        game.push(event).unwrap();
    }
    play(&mut game, "n>f6");
    let kept = game.log().len();
    play(&mut game, "B>f4");
    let whole = game.to_string();
    let (rest, _) = whole.rsplit_once(" chain=").unwrap();
    let (before, _) = rest.rsplit_once("B>f4").unwrap();
    let ruin = DamagedFile::new(game.id(), &format!("{before}B>g4\n"));
    let proof = OutsideRecord {
        name: "a mail".to_owned(),
        record: game.record().clone(),
    };
    let rebuilt = ruin.rebuild(None, &[proof], time()).unwrap();
    assert_eq!(rebuilt.game.record().steps(), game.record().steps());
    assert_eq!(rebuilt.game.log()[..kept], game.log()[..kept]);
    let cut = |lost: &&String| lost.starts_with("out of the log: ");
    let cut: Vec<&String> = rebuilt.lost.iter().filter(cut).collect();
    assert!(
        matches!(cut[..], [line] if line.ends_with(" move White B>g4")),
        "{cut:?}"
    );
}

/// A match with these moves, of White and Black in turn.
fn played(moves: &[&str]) -> Match {
    let mut game = Match::new(settings("unachess", &[]), time());
    for text in moves {
        let side = game.position().turn();
        let played = LogEntry::new(time(), Action::play(*text), side);
        game.push(played).unwrap();
    }
    game
}

/// Older mails have moves that were taken back later.
#[test]
fn a_proof_from_before_a_takeback_counts_no_more() {
    let mut game = played(&["P>e3", "n>g5"]);
    let before = OutsideRecord {
        name: "an old mail".to_owned(),
        record: game.record().clone(),
    };
    for (side, action) in [
        (Color::Black, Action::ProposeTakeback),
        (Color::White, Action::AcceptTakeback),
    ] {
        let entry = game.entry(time(), action, side);
        game.push(entry).unwrap();
    }
    for (side, text) in [(Color::Black, "n>f6"), (Color::White, "B>f4")] {
        game.push(LogEntry::new(time(), Action::play(text), side))
            .unwrap();
    }
    let damaged = game.to_string().replace("B>f4\n", "B>g4\n");
    let ruin = DamagedFile::new(game.id(), &damaged);
    let rebuilt = ruin
        .rebuild(None, slice::from_ref(&before), time())
        .unwrap();
    assert_eq!(rebuilt.game.log(), game.log());
    // One that never was one of the match does.
    let never = OutsideRecord {
        record: played(&["P>e3", "n>g5", "B>f4"]).record().clone(),
        ..before
    };
    let error = ruin.rebuild(None, &[never], time()).unwrap_err();
    assert!(error.to_string().contains("two records"), "{error}");
}

#[test]
fn a_resignation_that_only_the_result_tells_is_put_into_the_log() {
    let mut game = played(&["P>e3", "n>g5"]);
    game.push(LogEntry::new(time(), Action::Resign, Color::White))
        .unwrap();
    let whole = game.to_string();
    let end = whole.trim_end().rfind('\n').unwrap();
    assert!(whole[end..].contains(" resign White "), "{whole}");
    let ruin = DamagedFile::new(game.id(), &whole[..=end]);
    let rebuilt = ruin.rebuild(None, &[], time()).unwrap();
    assert_eq!(rebuilt.game.ending(), game.ending());
    let said = "put into the log as of now, from the Result line: ";
    assert!(
        rebuilt.done.iter().any(|done| done.starts_with(said)),
        "{:?}",
        rebuilt.done
    );
}

/// Both have lost the same, and their logs are one: they were said to part at their ends.
#[test]
fn two_merged_versions_with_one_log_and_one_loss_are_one() {
    let mut game = played(&["P>e3", "n>g5", "B>f4"]);
    let kept = game.log().len();
    let note = LogEntry::new(time(), Event::note("lost"), Color::White);
    game.push(note).unwrap();
    let whole = game.to_string();
    let (cut, _) = whole.split_once("2026-11-20T03:00:00Z note ").unwrap();
    let list = "2.  B>f4\n";
    let conflict = format!("<<<<<<< HEAD\n{list}=======\n>>>>>>> branch\n");
    let torn = cut.replace(list, &conflict);
    assert_ne!(torn, cut);
    let ruin = DamagedFile::new(game.id(), &torn);
    let rebuilt = ruin.rebuild(None, &[], time()).unwrap();
    assert_eq!(rebuilt.game.log()[..kept], game.log()[..kept]);
    assert_eq!(rebuilt.lost.len(), 1, "{:?}", rebuilt.lost);
}

#[test]
#[ignore = "takes long"]
fn what_is_rebuilt_is_the_match_or_nothing() {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut bad = Vec::new();
    for (name, text) in files() {
        let whole = Whole::new(text);
        let proofs = [OutsideRecord {
            name: "a mail".to_owned(),
            record: whole.game.record().clone(),
        }];
        let all = whole_damages(&whole.text).into_iter().enumerate();
        let cuts = all.filter(|(i, damage)| {
            let is_edge = damage.bytes.ends_with(b"\n");
            damage.kind != "cut off at a byte" || i % 41 == 0 || is_edge
        });
        let edits = damages(&whole.text, false).into_iter().enumerate();
        // A long match takes long to rebuild.
        let step = if whole.text.lines().count() < 70 {
            1
        } else {
            7
        };
        let edits = edits.step_by(step).filter(|(i, damage)| {
            let is_frequent =
                damage.kind.starts_with("a word") || damage.kind.starts_with("a char");
            !is_frequent || i % 5 == 0
        });
        for (_, damage) in edits.chain(cuts) {
            if Match::read(&damage.bytes, whole.game.id()).is_ok() {
                continue;
            }
            let count = counts.entry(damage.kind).or_default();
            if let Err(why) = judge(&whole, &damage, &proofs, count) {
                let text = String::from_utf8_lossy(&damage.bytes);
                let line = text
                    .lines()
                    .nth(damage.lines.start() - 1)
                    .unwrap_or_default();
                bad.push(format!(
                    "{name}: {}: {}| {line}\n  {why}\n",
                    damage.kind,
                    damage.lines.start()
                ));
            }
        }
    }
    println!(
        "{:28} {:>7} {:>8} {:>8} {:>7} {:>8}",
        "damage", "exact", "changed", "earlier", "helped", "refused"
    );
    let mut rebuilt = 0;
    for (kind, count) in &counts {
        let Count {
            exact,
            changed,
            earlier,
            helped,
            refused,
        } = count;
        println!("{kind:28} {exact:7} {changed:8} {earlier:8} {helped:7} {refused:8}");
        rebuilt += exact + changed + earlier;
    }
    let told = bad.iter().take(30).map(String::as_str);
    assert!(
        bad.is_empty(),
        "{}:\n{}",
        bad.len(),
        told.collect::<String>()
    );
    let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
    let (helped, refused) = (sum(|count| count.helped), sum(|count| count.refused));
    assert!(helped > 50, "mails help: {helped}");
    assert!(
        rebuilt > 5 * (refused + helped),
        "{rebuilt} rebuilt, {refused} not"
    );
    for kind in [
        "a line wrapped",
        "two lines swapped",
        "the marks of a merge",
    ] {
        assert!(counts[kind].exact > 10, "{kind}");
    }
}
