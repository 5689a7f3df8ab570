//! Replies to our own mail, in every way of quoting and with every habit of
//! mail programs and people: the move in them is found, and none where there is
//! none.
//!
//! The mails are those that go out in matches played at random. A reply is made
//! of one in three steps: somebody puts a move into it ([`place`]), a program
//! quotes the mail ([`quoting`]), and something is done to the text on the way
//! ([`habit`]).

mod habit;
mod html_mail;
pub(crate) mod html_quoting;
mod html_text;
mod our_html;
mod place;
pub(crate) mod quoting;
mod scene;
pub(crate) mod strange;
mod whose;
mod words;

use std::collections::BTreeMap;
use std::fmt;

use fastrand::Rng;
use parapost::inbound::answered::{AnsweredMessage, AnsweredPosition};
use parapost::inbound::incoming_message::{self, IncomingMessage};
use parapost::inbound::intent;
use parapost::inbound::match_lookup::Lookup;
use parapost::mail::quoting::line::Line;
use parapost::mail::quoting::sent::Sent;
use parapost::matches::action::Intent;
use parapost::matches::codes::CodeState;
use parapost::matches::r#match::Match;
use parapost::notation::header;
use parapost::notation::reader::{self, classify};
use parapost::outbound::sent_mail;
use parapost::outbound::templates::Templates;

use habit::{Encoding, HABITS, Habit};
use place::{PLACES, Place};
use quoting::{QUOTINGS, Quoting};
use scene::Scene;

/// A reply before it is quoted: what its sender writes, and the mail answered,
/// which may be written into.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) above: String,
    pub(crate) mail: String,
    pub(crate) below: String,
}

/// How many matches there are of each variant.
const MATCHES: usize = 4;

/// How many replies with a move, and how many without, are made of each way of
/// quoting with each habit.
const EACH: usize = 3;

#[test]
#[ignore = "takes long"]
fn a_reply_to_our_own_mail_is_understood() {
    let mut rng = Rng::with_seed(42);
    let scenes: Vec<Scene> = crate::variants::variants()
        .iter()
        .flat_map(|variant| [variant; MATCHES])
        .filter_map(|variant| Scene::random(variant, &mut rng))
        .collect();
    let mut counts = [0, 0];
    let mut asked = 0;
    let mut faults: Vec<String> = Vec::new();
    let cases = QUOTINGS
        .iter()
        .flat_map(|quoting| HABITS.iter().map(move |habit| (quoting, habit)))
        .flat_map(|case| [case; EACH]);
    for (quoting, habit) in cases {
        let scene = rng.choice(&scenes).expect("there are matches");
        let way = Way {
            quoting,
            // A habit seldom comes alone.
            habits: [Some(habit), rng.choice(HABITS).filter(|_| rng.bool())],
            place: rng.choice(PLACES).expect("there are places"),
        };
        let seed = rng.u64(..);
        for has_move in [true, false] {
            let Some(letter) = way.letter(scene, has_move, &mut Rng::with_seed(seed)) else {
                continue;
            };
            counts[usize::from(has_move)] += 1;
            let said = read(scene, &letter);
            let is_right = match &said {
                Intent::Move(played) => has_move && played.reading.ply == scene.next,
                Intent::Words => !has_move,
                Intent::Mention { .. } => {
                    asked += 1;
                    true
                }
                _ => false,
            };
            if !is_right {
                let letter = whose::told(scene, &letter);
                faults.push(format!("{way}, {has_move}: {said:?}\n{letter}"));
            }
        }
    }
    let [without, with] = counts;
    println!(
        "{with} replies with a move and {without} without one, in {} matches",
        scenes.len()
    );
    assert!(with > 1000 && without > 1000);
    // What cannot be explained is asked about.
    assert!(asked * 100 <= with + without, "{asked} are asked about");
    faults.sort_by_key(String::len);
    if let Some(shortest) = faults.first() {
        panic!(
            "{} are misread, the shortest of them\n{shortest}",
            faults.len()
        );
    }
}

/// Ends of quoted lines stand at the margin where a program wraps them, and
/// below sixty columns not all of them can be told from the sender's own.
#[test]
#[ignore = "takes long"]
fn what_is_wrapped_narrowly_is_never_taken_for_a_move_or_command() {
    let mut rng = Rng::with_seed(43);
    let scenes: Vec<Scene> = crate::variants::variants()
        .iter()
        .flat_map(|variant| [variant; MATCHES])
        .filter_map(|variant| Scene::random(variant, &mut rng))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults: Vec<String> = Vec::new();
    for quoting in QUOTINGS.iter().flat_map(|quoting| [quoting; 60]) {
        let scene = rng.choice(&scenes).expect("there are matches");
        let way = Way {
            quoting,
            habits: [Some(&habit::NARROW), None],
            place: rng.choice(PLACES).expect("there are places"),
        };
        let seed = rng.u64(..);
        for has_move in [true, false] {
            let Some(letter) = way.letter(scene, has_move, &mut Rng::with_seed(seed)) else {
                continue;
            };
            let said = read(scene, &letter);
            let (is_right, word) = match &said {
                Intent::Move(played) => (has_move && played.reading.ply == scene.next, "a move"),
                Intent::Command(_) => (false, "a command"),
                Intent::Refused(_) => (true, "refused"),
                Intent::Words => (true, "talk"),
                _ => (true, "asked about"),
            };
            *counts.entry(word).or_default() += 1;
            if !is_right {
                let letter = String::from_utf8_lossy(&letter);
                faults.push(format!("{way}, {has_move}: {said:?}\n{letter}"));
            }
        }
    }
    println!("{counts:?}");
    assert!(counts["a move"] > 100);
    faults.sort_by_key(String::len);
    if let Some(shortest) = faults.first() {
        panic!(
            "{} are misread, the shortest of them\n{shortest}",
            faults.len()
        );
    }
}

/// How a reply is made.
struct Way {
    quoting: &'static (&'static str, Quoting),
    habits: [Option<&'static (&'static str, Habit)>; 2],
    place: &'static (&'static str, Place),
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.quoting.0, self.place.0)?;
        let mut habits = self.habits.iter().flatten();
        habits.try_for_each(|habit| write!(f, " / {}", habit.0))
    }
}

impl Way {
    /// A reply as it comes in; none where it cannot be made so.
    fn letter(&self, scene: &Scene, has_move: bool, rng: &mut Rng) -> Option<Vec<u8>> {
        let mut reply = Reply {
            above: String::new(),
            mail: scene.mail.clone(),
            below: String::new(),
        };
        if !has_move {
            reply.talk(rng);
        } else if !self.place.1(scene, &mut reply, rng) {
            return None;
        }
        self.made_of(scene, reply, rng)
    }

    /// A reply that is written already; none where a habit does not apply.
    fn made_of(&self, scene: &Scene, mut reply: Reply, rng: &mut Rng) -> Option<Vec<u8>> {
        let mut encoding: Encoding = habit::plain;
        let mut wrap: Option<fn(&str, &mut Rng) -> String> = None;
        for (_, habit) in self.habits.iter().flatten() {
            match habit {
                Habit::Text(change) => {
                    if !change(&mut reply, rng) {
                        return None;
                    }
                }
                Habit::Lines(change) => wrap = Some(*change),
                Habit::Bytes(other) => encoding = *other,
            }
        }
        // The ways of quoting name Anna White as the sender of the mail.
        let kept = "An\u{2}na";
        reply.mail = reply.mail.replace("Anna", kept);
        reply.mail = reply.mail.replace("anna@", "an\u{2}na@");
        let mut message = self.quoting.1(&reply, rng);
        message.rename(|text| {
            text.replace("Anna White", scene.me.name())
                .replace("anna@example.org", scene.me.address().as_ref())
                .replace('\u{2}', "")
        });
        if let Some(wrap) = wrap {
            message.change(|text| wrap(text, rng));
        }
        let text = format!(
            "From: {}\nTo: {}\nSubject: Re: hello\nMessage-ID: <reply@ben.test>\nIn-Reply-To: {}\nMIME-Version: 1.0\n{}",
            scene.sender,
            scene.recipient,
            scene.parent,
            message.entity(encoding)
        );
        let end = if rng.bool() { "\r\n" } else { "\n" };
        Some(text.replace('\n', end).into_bytes())
    }
}

impl Reply {
    /// Words without a move.
    fn talk(&mut self, rng: &mut Rng) {
        const TALK: &[&str] = &[
            "",
            "Thanks!\n",
            "I'll think about it until Sunday, 22.11.\n",
            "Ich überlege noch. Viele Grüße\n",
            "Two remarks:\n\n1. your pawn is weak\n2. so is mine\n",
            "J'attends 3 jours : c'est difficile !\n",
        ];
        let talk = *rng.choice(TALK).expect("there is some");
        let place = if rng.bool() {
            &mut self.above
        } else {
            &mut self.below
        };
        talk.clone_into(place);
    }
}

/// What a letter says, as `receive` reads it.
fn read(scene: &Scene, bytes: &[u8]) -> Intent {
    let letter = incoming_message::read(bytes).expect("a message");
    let lines = classify(&letter.text, &Sent::nothing());
    let game = Lookup::new(&letter, &lines, std::slice::from_ref(&scene.game), &[])
        .find()
        .expect("the match is named");
    let answered = AnsweredPosition::of(
        &letter,
        game,
        &[scene.side],
        CodeState::Unknown,
        &crate::matches::log::ids(),
    );
    let text = reader::read_lines(classified(scene, &letter), game.variant());
    let id_lines = header::id_lines(&text.lines);
    intent::read(game, scene.side, &text, &id_lines, answered, false, false)
}

/// The lines of a letter with their authors, as `receive` tells them. The templates are
/// those of today, and need not be those of the mail.
fn classified<'m>(scene: &Scene, letter: &'m IncomingMessage) -> Vec<Line<'m>> {
    let templates = Templates::new("/nowhere");
    let Scene { game, side, me, .. } = scene;
    let sent = sent_mail::sent_to(game, *side, &letter.cites, me, &templates);
    let mut lines = classify(&letter.text, &sent);
    let text = |game: &Match, mail: &_| sent_mail::text_of(game, mail, me, &templates);
    AnsweredMessage::of(letter, game, &[]).bound(&mut lines, me, &text);
    lines
}
