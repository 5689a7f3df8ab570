//! The opponent as an adversary: letters of Anna's, in which her program quotes what Ben
//! has written to have it taken for hers.
//!
//! A letter is composed of Anna's own words and of Ben's ([`foreign`]), which are drawn from
//! everything that any pass of `src/mail/quoting/` reacts to, quoted by any of the [`clients`],
//! under a header that cites anything. What the log says was carried out for Anna must stand
//! in her own words, and be about the position that her letter answers.
//!
//! One case is left out, because nobody can tell it: a program that puts Ben's words below
//! Anna's without any sign, no mark, no line, no attribution, no header, no rule. Where the
//! letter answers a mail of ours, the signs that a writer may use as well, a rule or a
//! bullet, are left out for the same reason.

mod clients;
mod desk;
mod enclosed;
mod figures;
mod foreign;
mod interference;
mod letter;
mod made;
mod named;
mod orders;
mod said;
mod scene;
mod sentences;
mod shrink;

use std::env;

use fastrand::Rng;
use parapost::matches::r#match::Match;

use clients::Client;
use desk::{Desk, Outcome};
use figures::Figures;
use letter::{Letter, Own, Parent};
use orders::About;
use scene::Scene;

/// How many letters are made. `PARAPOST_LETTERS` asks for more, and `PARAPOST_ONLY` hears only
/// those whose description has these words, to look at a fault again.
const LETTERS: usize = 10_000;

/// How many matches there are of each past and side.
const MATCHES: usize = 2;

#[test]
#[ignore = "takes long"]
fn only_own_words_about_the_position_answered_are_carried_out() {
    let count =
        env::var("PARAPOST_LETTERS").map_or(LETTERS, |text| text.parse().expect("a number"));
    let seed = env::var("PARAPOST_TEST_SEED").map_or(25, |text| text.parse().expect("a number"));
    let only = env::var("PARAPOST_ONLY").unwrap_or_default();
    let mut rng = Rng::with_seed(seed);
    let desk = Desk::new();
    let scenes = Scene::all(&desk, MATCHES, &mut rng);
    assert!(scenes.len() > 15 * MATCHES, "only {} matches", scenes.len());
    let clients = Client::all();
    let mut figures = Figures::default();
    for _ in 0..count {
        let scene = rng.choice(&scenes).expect("there are matches");
        let letter = Letter::random(scene, &clients, &mut rng);
        if !figures::described(&letter, scene).contains(&only) {
            continue;
        }
        let outcome = letter.heard(&desk, scene);
        figures.count(&letter, scene, &outcome);
        if let Some(fault) = fault(&desk, &letter, scene, &outcome) {
            figures.fault(&desk, scene, letter, &fault);
        }
    }
    figures.print();
    if only.is_empty() {
        figures.hold();
    }
}

/// What is wrong with what came of a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fault {
    /// Somebody else's words were carried out.
    Foreign(String),
    /// An order of Anna's was, though it was about another position or offer.
    Stale(String),
    /// Somebody else's words were carried out, when the same letter answered the question about it.
    Repeated(String),
    /// An order of Anna's was neither carried out nor answered.
    Silence,
}

impl Letter {
    /// The same words once more.
    fn again(&self) -> Letter {
        Letter {
            seed: self.seed ^ 1,
            ..self.clone()
        }
    }

    fn heard(&self, desk: &Desk, scene: &Scene) -> Outcome {
        desk.hear(self.policy, &scene.game, scene.side, &self.text(scene))
    }
}

fn fault(desk: &Desk, letter: &Letter, scene: &Scene, outcome: &Outcome) -> Option<Fault> {
    let (allowed, stale) = letter.allowed(scene);
    let wrong = outcome.done.iter().find(|done| !allowed.contains(done));
    if let Some(done) = wrong {
        let is_own = stale.iter().any(|(_, own)| own == done);
        let fault = if is_own { Fault::Stale } else { Fault::Foreign };
        return Some(fault(done.clone()));
    }
    if let Some(done) = repeated(desk, letter, scene, outcome) {
        return Some(Fault::Repeated(done));
    }
    let has_order = letter.orders().any(|order| order.is_sure);
    if !outcome.done.is_empty() || !letter.answers_us() || !has_order {
        return None;
    }
    // No program of hers shows what stands behind such an element, and she wrote nothing
    // that she did not see. What stands below a signature she was told is not read.
    let text = letter.text(scene);
    if letter.is_in_html() && hides_rest(&text) || has_signature(&text) {
        return None;
    }
    // A program that parts a quotation to write in it ends all of its blocks.
    if !letter.between.is_empty() && letter.opens_quotation() {
        return None;
    }
    // Who was answered once may try the same again, and hears as much.
    let is_heard = outcome.is_answered && {
        let again = letter.again();
        let game: Match = outcome.game.parse().expect("a match");
        let second = desk.hear(again.policy, &game, scene.side, &again.text(scene));
        second.is_answered || !second.done.is_empty()
    };
    (!is_heard).then_some(Fault::Silence)
}

/// Returns what of Ben's is carried out if the same letter answers the question about it. Whatever
/// made the first one doubtful, his words in it are still his.
fn repeated(desk: &Desk, letter: &Letter, scene: &Scene, outcome: &Outcome) -> Option<String> {
    let is_asked = outcome.is_answered && outcome.done.is_empty();
    if !is_asked || !letter.answers_us() {
        return None;
    }
    let (_, second) = heard_again(desk, letter, scene, outcome)?;
    let (allowed, stale) = letter.allowed(scene);
    let is_own =
        |done: &&String| allowed.contains(done) || stale.iter().any(|(_, own)| own == *done);
    let wrong = second.done.iter().find(|done| !is_own(done));
    wrong.cloned()
}

/// Returns the same letter in answer to the question about it, and what came of that. Returns none if
/// there is no question, and for a letter that is quoted as a whole.
fn heard_again(
    desk: &Desk,
    letter: &Letter,
    scene: &Scene,
    outcome: &Outcome,
) -> Option<(String, Outcome)> {
    let owed = format!(" owed {} ", scene.side);
    let question = outcome.log.lines().find(|line| line.contains(&owed))?;
    let id = question.split_once("msg=")?.1.split(' ').next()?;
    let again = letter.again();
    let text = again.text(scene).replace("\r\n", "\n");
    let (head, body) = text.split_once("\n\n")?;
    // A program may quote all that its user writes. A move so quoted counts in the answer to a question
    // about it, if no line says who is quoted.
    let mut words = body.lines().filter(|line| !line.trim().is_empty());
    if words.all(|line| line.starts_with('>')) {
        return None;
    }
    let is_kept = |line: &&str| {
        !["In-Reply-To", "References", " <"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let head: Vec<&str> = head.lines().filter(is_kept).collect();
    let head = head.join("\n");
    let text = format!("{head}\nIn-Reply-To: {id}\n\n{body}");
    let game: Match = outcome.game.parse().expect("a match");
    let second = desk.hear(letter.policy, &game, scene.side, &text);
    Some((text, second))
}

/// Returns true if a document has an element without an end that hides all behind it.
fn hides_rest(html: &str) -> bool {
    let html = html.to_lowercase();
    let hiding = [
        ("<style", "</style"),
        ("<script", "</script"),
        ("<title", "</title"),
        ("<textarea", "</textarea"),
        ("<!--", "-->"),
    ];
    hiding.iter().any(|(begin, end)| {
        let last = html.rfind(begin);
        last.is_some_and(|last| !html[last..].contains(end))
    })
}

fn has_signature(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    lines.any(|line| ["--", "—"].contains(&line))
}

impl Letter {
    /// The one order of a letter that is told to be carried out, if it has no other.
    fn sure(&self, scene: &Scene) -> Option<&orders::Order> {
        let mut orders = self.orders();
        let (order, None) = (orders.next()?, orders.next()) else {
            return None;
        };
        let is_of_today = match (order.about, self.answered()) {
            (About::Position, Some(mail)) => !scene.is_stale(mail),
            _ => true,
        };
        (order.is_sure && is_of_today).then_some(order)
    }

    /// Returns true if the order stands on the top, with nothing else but chat.
    fn is_top_posted(&self) -> bool {
        self.between.is_empty()
            && self.below.is_empty()
            && self.filled.is_none()
            && self.above.iter().any(|own| matches!(own, Own::Order(_)))
    }

    fn has_unknown_parent(&self) -> bool {
        matches!(self.parent, Parent::None | Parent::Unknown)
    }
}
