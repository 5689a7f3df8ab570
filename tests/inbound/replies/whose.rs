//! Whose move it is: an opponent's words, carried to a player and quoted in any way,
//! are never played, and no command in them is carried out. What the player writes is.

use std::collections::BTreeMap;

use fastrand::Rng;
use parapost::inbound::incoming_message;
use parapost::mail::quoting::line::Line;
use parapost::matches::action::Intent;

use super::habit::HABITS;
use super::quoting::QUOTINGS;
use super::scene::Scene;
use super::strange::STRANGE;
use super::{Reply, Way, classified, read};

/// How many replies are made of each way of quoting.
const EACH: usize = 16;

/// What the player does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Answer {
    Nothing,
    Talk,
    Move,
}

#[test]
#[ignore = "takes long"]
fn no_carried_words_are_played_or_done() {
    let mut rng = Rng::with_seed(44);
    let variants = crate::variants::variants();
    let mut scenes: Vec<Scene> = variants
        .iter()
        .flat_map(|variant| [variant; 8])
        .filter_map(|variant| Scene::hostile(variant, &mut rng))
        .collect();
    let without_drops = variants
        .iter()
        .filter(|variant| ["chess", "newchess"].contains(&variant.game().id));
    for variant in without_drops {
        scenes.extend((0..12).filter_map(|_| Scene::forced(variant, &mut rng)));
    }
    let forced = scenes.iter().filter(|scene| scene.is_forced()).count();
    assert!(forced > 10, "only {forced} positions have one legal move");
    let mut counts: BTreeMap<(Answer, &str), usize> = BTreeMap::new();
    let mut faults: Vec<String> = Vec::new();
    let mut lost: Vec<String> = Vec::new();
    for quoting in QUOTINGS
        .iter()
        .chain(STRANGE)
        .flat_map(|quoting| [quoting; EACH])
    {
        let scene = rng.choice(&scenes).expect("there are matches");
        let way = Way {
            quoting,
            habits: [rng.choice(HABITS).filter(|_| rng.bool()), None],
            place: &("above or below", |_, _, _| true),
        };
        for answer in [Answer::Nothing, Answer::Talk, Answer::Move] {
            let mut reply = Reply {
                above: String::new(),
                mail: scene.mail.clone(),
                below: String::new(),
            };
            match answer {
                Answer::Nothing => {}
                Answer::Talk => reply.talk(&mut rng),
                Answer::Move if rng.bool() => reply.above = scene.lone() + "\n",
                Answer::Move => reply.below = scene.lone() + "\n",
            }
            let Some(bytes) = way.made_of(scene, reply, &mut rng) else {
                continue;
            };
            let intent = read(scene, &bytes);
            let (is_right, word) = match (&intent, answer) {
                (Intent::Move(played), Answer::Move) => (
                    played.reading.ply == scene.next && !played.offers_draw,
                    "move",
                ),
                (Intent::Move(_), _) => (false, "move"),
                (Intent::Command(_), _) => (false, "command"),
                (Intent::Again(_), _) => (true, "again"),
                (Intent::Mention { .. } | Intent::Ambiguous { .. }, _) => (true, "asked"),
                (Intent::Refused(_), _) => (true, "refused"),
                (Intent::OutOfTurn(_), _) => (false, "out of turn"),
                (Intent::Words, _) => (true, "talk"),
            };
            *counts.entry((answer, word)).or_default() += 1;
            let text = || format!("{way}, {answer:?}: {intent:?}\n{}", told(scene, &bytes));
            if !is_right {
                faults.push(text());
            } else if answer == Answer::Move && word != "move" {
                lost.push(text());
            }
        }
    }
    println!("{counts:?}");
    faults.sort_by_key(String::len);
    if let Some(shortest) = faults.first() {
        panic!("{} faults, the shortest\n{shortest}", faults.len());
    }
    let moves: usize = counts
        .iter()
        .filter(|((answer, _), _)| *answer == Answer::Move)
        .map(|(_, count)| count)
        .sum();
    lost.sort_by_key(String::len);
    assert!(
        lost.len() * 100 <= moves,
        "{} of {moves} moves are not played, the shortest\n{}",
        lost.len(),
        lost[0]
    );
}

/// The lines of a letter, each with its author.
pub(super) fn told(scene: &Scene, bytes: &[u8]) -> String {
    let message = incoming_message::read(bytes).expect("a message");
    let line = |line: Line<'_>| format!("{:12}{}\n", format!("{:?}", line.author), line.source);
    classified(scene, &message).into_iter().map(line).collect()
}
