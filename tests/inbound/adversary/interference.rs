//! Non-interference: one player's words never affect how the program reads a letter of the other
//! player that has no sign of a quotation. Each letter goes to two matches that differ only in
//! these words.

use std::env;

use fastrand::Rng;

use super::desk::{Desk, Policy, REFEREE};
use super::orders::Order;
use super::scene::{ANNA, Scene};
use parapost::rules::Color;

/// The number of letters. `PARAPOST_LETTERS` sets another one.
const LETTERS: usize = 1_000;

/// The number of letters after which the test makes new matches.
const EACH: usize = 25;

/// Ben's words. Something that Anna may write replaces `{…}`.
const NOTES: &[&str] = &[
    "note {order}",
    "note Anna",
    "note {number} {order}",
    "note {chat}",
    "note {chat} {order}",
    "note {order} {chat}",
    "note Anna {order}",
    "note {order} Anna",
    "{chat}\n{order}x\n{chat}",
    "{chat}\n\nAnna\n{chat}",
];

/// Anna's lines without an order.
const CHAT: &[&str] = &[
    "Anna",
    "Hello",
    "Hi Ben",
    "Cheers",
    "It rains here today.",
    "I have been thinking about this for days and then again for some nights more",
    "That was a good one!",
    "yes",
    "What would you do in my place?",
];

/// A letter without a sign of a quotation.
fn letter(order: &str, rng: &mut Rng) -> Vec<String> {
    let mut lines = Vec::new();
    let place = rng.usize(..4);
    for at in 0..rng.usize(1..6) {
        if at == place.min(2) {
            lines.push(order.to_owned());
        } else {
            lines.push((*rng.choice(CHAT).expect("a line")).to_owned());
        }
        if rng.bool() {
            lines.push(String::new());
        }
    }
    lines
}

#[test]
#[ignore = "takes long"]
fn words_of_one_player_change_nothing_for_the_other() {
    let count =
        env::var("PARAPOST_LETTERS").map_or(LETTERS, |text| text.parse().expect("a number"));
    let seed = env::var("PARAPOST_TEST_SEED").map_or(50, |text| text.parse().expect("a number"));
    let mut rng = Rng::with_seed(seed);
    let desk = Desk::new();
    let (mut faults, mut compared, mut samples) = (0, 0, Vec::new());
    while compared < count {
        // Both matches get the same moves.
        let matches = rng.u64(..);
        let side = if rng.bool() {
            Color::White
        } else {
            Color::Black
        };
        let past = [('A', "{m}"), ('B', "{m}")];
        let make = |words: &[String]| {
            let said = words.iter().map(|words| ('B', words.as_str()));
            let past: Vec<(char, &str)> = past.into_iter().chain(said).collect();
            Scene::of_words(&desk, "said", &past, side, &mut Rng::with_seed(matches))
        };
        let Some(silent) = make(&[]) else { continue };
        let order = Order::any(&silent, &silent.moves[0], &mut rng);
        let chat = *rng.choice(CHAT).expect("a line");
        let notes: Vec<String> = (0..rng.usize(1..5))
            .map(|_| {
                let note = rng.choice(NOTES).expect("a note");
                let order = order.text.replace('\n', " ");
                note.replace("{order}", &order)
                    .replace("{number}", &silent.number())
                    .replace("{chat}", chat)
            })
            .collect();
        // A note with an order alone on a line has its own effect.
        let Some(said) = make(&notes) else { continue };
        if said.game.hash() != silent.game.hash() || said.game.offer() != silent.game.offer() {
            continue;
        }
        for _ in 0..EACH {
            let body = letter(&order.text, &mut rng).join("\n");
            let hear = |scene: &Scene, answers: bool| {
                let mail = &scene.mails[scene.current()].mail;
                let parent = if answers {
                    format!("In-Reply-To: {}\n", mail.id)
                } else {
                    String::new()
                };
                let text = format!(
                    "From: Anna <{ANNA}>\nTo: {REFEREE}\nSubject: Re: {}\nMessage-ID: <pair@white.test>\n{parent}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}\n",
                    mail.subject
                );
                desk.hear(Policy::Address, &scene.game, scene.side, &text)
            };
            let answers = rng.bool();
            let (with, without) = (hear(&said, answers), hear(&silent, answers));
            compared += 1;
            if (&with.done, &with.word, with.is_answered)
                != (&without.done, &without.word, without.is_answered)
            {
                faults += 1;
                samples.push(format!(
                    "{notes:?}\n{body}\nwith: {} {:?}\n{}\nwithout: {} {:?}\n{}",
                    with.word, with.done, with.log, without.word, without.done, without.log
                ));
            }
        }
    }
    samples
        .iter()
        .take(5)
        .for_each(|sample| println!("===== {sample}"));
    println!("{compared} letters, {faults} of them read otherwise after words of the opponent's");
    assert_eq!(faults, 0);
}
