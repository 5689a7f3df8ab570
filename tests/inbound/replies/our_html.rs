//! Our own HTML, quoted back: nothing of it is ever the player's. What the player writes
//! is played or asked about.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use parapost::matches::intent::Intent;

use super::habit::{HABITS, Habit};
use super::html_mail::{self, Labels};
use super::html_quoting::{AS_HTML, AS_TEXT, WITHOUT_TARGETS};
use super::quoting::Quoting;
use super::scene::Scene;
use super::whose::{Answer, told};
use super::{Reply, Way, read};
use crate::rules::playing;

/// How many replies are made of each way of quoting, for each answer.
const EACH: usize = 16;

/// Went wrong: talk above the links of our HTML played the one legal move in three of six
/// shapes.
#[test]
fn nothing_in_our_html_is_the_player_s() {
    let mut rng = Rng::with_seed(45);
    let variants = playing::variants();
    let mut scenes: Vec<Scene> = (variants.iter())
        .filter_map(|variant| Scene::random(variant, &mut rng))
        .collect();
    let without_drops = variants
        .iter()
        .filter(|variant| ["chess", "newchess"].contains(&variant.game().id));
    for variant in without_drops {
        scenes.extend((0..4).filter_map(|_| Scene::forced(variant, &mut rng)));
    }
    let forced = scenes.iter().filter(|scene| scene.is_forced()).count();
    assert!(forced > 3, "only {forced} positions have one legal move");
    let mut tally = Tally::default();
    for (quotings, worst) in [
        (AS_HTML, Labels::Moves),
        (AS_TEXT, Labels::Moves),
        (WITHOUT_TARGETS, Labels::Words),
    ] {
        for quoting in quotings.iter().flat_map(|quoting| [quoting; EACH]) {
            let scene = rng.choice(&scenes).expect("there are matches");
            let labels = if rng.u8(..4) == 0 {
                Labels::Words
            } else {
                worst
            };
            tally.quote(quoting, scene, &html_mail::of(scene, labels), &mut rng);
        }
    }
    tally.judge();
}

/// What real programs make of such a mail (`recorded/`), below an answer without marks
/// and with them.
#[test]
fn what_real_programs_make_of_our_html_is_not_the_player_s() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inbound/replies/recorded");
    let scene = Scene::recorded();
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".txt") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        for quotation in [&text, &quoted] {
            for (talk, is_move) in [
                ("", false),
                ("I will think about it over the weekend.\n", false),
                ("n-d5\n", true),
            ] {
                count += 1;
                let letter = format!(
                    "From: {}\nMessage-ID: <1@ben.test>\nIn-Reply-To: {}\nContent-Type: text/plain; charset=utf-8\n\n{talk}\n{quotation}",
                    scene.sender, scene.parent
                );
                let intent = read(&scene, letter.as_bytes());
                let is_right = match &intent {
                    Intent::Move(_) => is_move,
                    Intent::Command(_) => false,
                    Intent::Talk => !is_move,
                    _ => true,
                };
                let lines = told(&scene, letter.as_bytes());
                assert!(is_right, "{name}: {intent:?}\n{lines}");
            }
        }
    }
    assert!(count >= 100, "{count}");
}

/// What became of the replies.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(Answer, &'static str), usize>,
    faults: Vec<String>,
    questions: Vec<String>,
    moves: usize,
    asked: usize,
}

impl Tally {
    /// Quotes a mail in one way below or above each answer.
    fn quote(
        &mut self,
        quoting: &'static (&'static str, Quoting),
        scene: &Scene,
        html: &str,
        rng: &mut Rng,
    ) {
        let is_of_bytes = |habit: &&(&str, Habit)| matches!(habit.1, Habit::Bytes(_));
        let bytes: Vec<_> = HABITS.iter().filter(is_of_bytes).collect();
        let way = Way {
            quoting,
            habits: [rng.choice(bytes), None],
            place: &("above or below", |_, _, _| true),
        };
        for answer in [Answer::Nothing, Answer::Talk, Answer::Move] {
            let mut reply = Reply {
                above: String::new(),
                mail: html.to_owned(),
                below: String::new(),
            };
            match answer {
                Answer::Nothing => {}
                Answer::Talk => reply.talk(rng),
                Answer::Move if rng.u8(..4) > 0 => reply.above = scene.lone() + "\n",
                Answer::Move => reply.below = scene.lone() + "\n",
            }
            let Some(bytes) = way.made_of(scene, reply, rng) else {
                continue;
            };
            let intent = read(scene, &bytes);
            let (is_right, word) = match (&intent, answer) {
                (Intent::Move(played), Answer::Move) => (played.reading.ply == scene.next, "move"),
                (Intent::Move(_), _) => (false, "move"),
                (Intent::Command(_), _) => (false, "command"),
                (Intent::Talk, Answer::Move) => (false, "talk"),
                (Intent::Talk, _) => (true, "talk"),
                (Intent::OutOfTurn(_), _) => (false, "out of turn"),
                (Intent::Again(_), _) => (answer != Answer::Move, "again"),
                (Intent::Mention { .. } | Intent::Ambiguous { .. }, _) => (true, "asked"),
                (Intent::Refused(_), _) => (true, "refused"),
            };
            *self.counts.entry((answer, word)).or_default() += 1;
            if matches!(word, "asked" | "refused") {
                let lines = told(scene, &bytes);
                self.questions
                    .push(format!("{way}, {answer:?}: {intent:?}\n{lines}"));
            }
            self.moves += usize::from(answer == Answer::Move);
            self.asked += usize::from(answer == Answer::Move && word != "move");
            if !is_right {
                let lines = told(scene, &bytes);
                self.faults
                    .push(format!("{way}, {answer:?}: {intent:?}\n{lines}"));
            }
        }
    }

    fn judge(mut self) {
        println!("{:?}", self.counts);
        if let Ok(f) = std::env::var("QDUMP") {
            self.questions.sort_by_key(String::len);
            fs::write(f, self.questions.join("\n=====\n")).unwrap();
        }
        self.faults.sort_by_key(String::len);
        if let Some(shortest) = self.faults.first() {
            panic!("{} faults, the shortest\n{shortest}", self.faults.len());
        }
        let Tally { moves, asked, .. } = self;
        assert!(
            asked * 20 <= moves,
            "{asked} of {moves} moves are not played"
        );
    }
}
