//! Our own HTML, quoted back: nothing of it is ever the player's. What the player writes
//! is played or asked about.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use parapost::matches::action::Intent;

use super::habit::{HABITS, Habit};
use super::html_mail::{self, Labels};
use super::html_quoting::{AS_HTML, AS_TEXT, WITHOUT_TARGETS};
use super::quoting::Quoting;
use super::scene::Scene;
use super::whose::{Answer, told};
use super::{Reply, Way, read};

/// How many replies are made of each way of quoting, for each answer.
const EACH: usize = 12;

/// Went wrong: talk above the links of our HTML played the one legal move in three of six
/// shapes.
#[test]
#[ignore = "takes long"]
fn nothing_in_our_html_is_the_player_s() {
    let mut rng = Rng::with_seed(45);
    let variants = crate::variants::variants();
    let mut mails: Vec<Mail> = (variants.iter())
        .filter_map(|variant| Scene::random(variant, &mut rng))
        .map(|scene| Mail::of(scene, false))
        .collect();
    let without_drops = variants
        .iter()
        .filter(|variant| ["chess", "newchess"].contains(&variant.game().id));
    for variant in without_drops {
        let hostile = (0..2).filter_map(|_| Scene::forced(variant, &mut rng));
        mails.extend(
            hostile
                .map(|scene| Mail::of(scene, true))
                .collect::<Vec<_>>(),
        );
        let alone = (0..4).filter_map(|_| Scene::forced_alone(variant, &mut rng));
        mails.extend(alone.map(|scene| Mail::of(scene, false)));
    }
    let forced = mails.iter().filter(|mail| mail.scene.is_forced()).count();
    assert!(forced > 3, "only {forced} positions have one legal move");
    let mut tally = Tally::default();
    for (quotings, worst) in [
        (AS_HTML, Labels::Moves),
        (AS_TEXT, Labels::Moves),
        (WITHOUT_TARGETS, Labels::Words),
    ] {
        for quoting in quotings.iter().flat_map(|quoting| [quoting; EACH]) {
            let mail = rng.choice(&mails).expect("there are matches");
            let is_mild = rng.u8(..4) == 0;
            let labels = if is_mild { Labels::Words } else { worst };
            tally.quote(quoting, mail, labels, &mut rng);
        }
    }
    tally.judge();
}

/// What real programs make of such a mail (`recorded/`), below an answer without marks
/// and with them. A text of a link is dropped where its target is near, and asked about at
/// most where it is a bare move without one.
#[test]
#[ignore = "takes long"]
fn what_real_programs_make_of_our_html_is_not_the_player_s() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inbound/replies/recorded");
    let scene = Scene::recorded();
    let index = fs::read_to_string(folder.join("index.tsv")).unwrap();
    let names: Vec<&str> = index
        .lines()
        .skip(1)
        .filter_map(|row| row.split('\t').next())
        .collect();
    assert!(names.len() >= 18, "{names:?}");
    for name in names {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let may_ask = name.starts_with("bare-moves") && !text.contains("mailto:");
        let line = |line: &str| format!("> {line}\n");
        let quoted: String = text.lines().map(line).collect();
        for quotation in [&text, &quoted] {
            for (talk, is_move) in [
                ("", false),
                ("I will think about it over the weekend.\n", false),
                ("n-d5\n", true),
            ] {
                let letter = format!(
                    "From: {}\nMessage-ID: <1@ben.test>\nIn-Reply-To: {}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{talk}\n{quotation}",
                    scene.sender, scene.parent
                );
                let intent = read(&scene, letter.as_bytes());
                let is_right = match &intent {
                    Intent::Move(_) => is_move,
                    Intent::Words => !is_move,
                    Intent::Mention { .. } | Intent::Refused(_) => may_ask,
                    _ => false,
                };
                let lines = told(&scene, letter.as_bytes());
                assert!(is_right, "{name}: {intent:?}\n{lines}");
            }
        }
    }
}

/// A mail of ours with its HTML.
struct Mail {
    scene: Scene,
    /// True if it has words of the opponent's that could be read as something else.
    is_hostile: bool,
    /// With each sort of texts of links.
    html: [String; 2],
}

impl Mail {
    fn of(scene: Scene, is_hostile: bool) -> Mail {
        let html = [Labels::Moves, Labels::Words].map(|labels| html_mail::of(&scene, labels));
        Mail {
            scene,
            is_hostile,
            html,
        }
    }
}

/// What became of the replies.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(Answer, &'static str), usize>,
    faults: Vec<String>,
    /// How many replies without an opponent's hostile words there are, and how many of
    /// them are asked about.
    replies: usize,
    asked: usize,
    samples: Vec<String>,
}

impl Tally {
    /// Quotes a mail in one way below or above each answer.
    fn quote(
        &mut self,
        quoting: &'static (&'static str, Quoting),
        mail: &Mail,
        labels: Labels,
        rng: &mut Rng,
    ) {
        let scene = &mail.scene;
        let html = &mail.html[labels as usize];
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
                mail: html.clone(),
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
                (Intent::Words, Answer::Move) => (false, "talk"),
                (Intent::Words, _) => (true, "talk"),
                (Intent::OutOfTurn(_), _) => (false, "out of turn"),
                (Intent::Again(_), _) => (answer != Answer::Move, "again"),
                (Intent::Mention { .. } | Intent::Ambiguous { .. }, _) => (true, "asked"),
                (Intent::Refused(_), _) => (true, "refused"),
            };
            *self.counts.entry((answer, word)).or_default() += 1;
            if !mail.is_hostile {
                self.replies += 1;
                let is_asked = ["asked", "refused"].contains(&word);
                self.asked += usize::from(is_asked);
                if is_asked {
                    let lines = told(scene, &bytes);
                    self.samples.push(format!("{way}, {answer:?}\n{lines}"));
                }
            }
            if !is_right {
                let lines = told(scene, &bytes);
                self.faults
                    .push(format!("{way}, {answer:?}: {intent:?}\n{lines}"));
            }
        }
    }

    fn judge(mut self) {
        println!("{:?}", self.counts);
        self.faults.sort_by_key(String::len);
        if let Some(shortest) = self.faults.first() {
            panic!("{} faults, the shortest\n{shortest}", self.faults.len());
        }
        let Tally { replies, asked, .. } = self;
        self.samples.sort_by_key(String::len);
        let shortest = self.samples.into_iter().take(8);
        assert!(
            asked * 50 <= replies,
            "{asked} of {replies} are asked about, the shortest\n{}",
            shortest.collect::<Vec<_>>().join("\n")
        );
    }
}
