//! What came of the letters, in figures.

use std::collections::BTreeMap;

use super::desk::{Desk, Outcome, Policy};
use super::letter::{Letter, Parent, Subject};
use super::scene::Scene;
use super::shrink;
use super::{Fault, heard_again};

/// The kinds of faults, as they were found first.
const KINDS: [&str; 10] = [
    "others",
    "1: the quoted person ends the quotation",
    "2: a move filled into quoted text by somebody else",
    "3: a stale acceptance",
    "4: a second answer to an old mail is a move of today",
    "5: silence",
    "6: the subject is quoted text",
    "7: wrapped quotations",
    "1: the quoted person ends the quotation, in HTML",
    "8: others, in answer to the question",
];

/// How many small letters are printed of each kind.
const PRINTED: usize = 3;

/// The feet of a mail of a match with the same id that is none of ours, as Ben writes them.
const OTHER_FEET: [&str; 2] = [
    "half-moves made, hash 0123456789abcdef. ",
    "half-moves made. Hash of the moves: 0123456789abcdef ",
];

#[derive(Default)]
pub(super) struct Figures {
    kinds: [usize; KINDS.len()],
    samples: BTreeMap<usize, Vec<String>>,
    ours: Side,
    unknown: Side,
    bens: Side,
    /// Of letters that cite nothing known, those below or between the lines of a quotation.
    lower: Side,
    /// Moves in letters that cite nothing known, with a foot or a list of moves that the match never had.
    missing: Side,
    letters: usize,
    boundaries: usize,
}

/// Orders of Anna's that should be carried out.
#[derive(Default)]
struct Side {
    done: usize,
    asked: usize,
    silent: usize,
    samples: Vec<String>,
}

impl Side {
    fn count(&mut self, order: &[String], outcome: &Outcome, text: impl FnOnce() -> String) {
        if outcome.done.first() == order.first() {
            self.done += 1;
            return;
        }
        if outcome.is_answered {
            self.asked += 1;
        } else {
            self.silent += 1;
        }
        self.samples.push(text());
    }

    fn sum(&self) -> usize {
        self.done + self.asked + self.silent
    }
}

impl Figures {
    pub(super) fn count(&mut self, letter: &Letter, scene: &Scene, outcome: &Outcome) {
        self.letters += 1;
        self.boundaries += usize::from(letter.has_boundary());
        let is_spoiled = !letter.banner.is_empty() || !letter.footer.is_empty();
        let Some(order) = letter.sure(scene).filter(|_| !is_spoiled) else {
            return;
        };
        let text = || {
            format!(
                "{}: {}\n{}\n{}",
                outcome.word,
                described(letter, scene),
                outcome.log,
                letter.text(scene)
            )
        };
        // Under `token` what cites nothing known is nobody's.
        let is_believed = matches!(letter.policy, Policy::Address);
        // Her own name above an order is what Ben's note said, word for word.
        let is_carried = scene.note.contains(&format!("Anna {}", order.text));
        // Whoever names two matches, in a quotation that nobody knows, is asked which is meant.
        let names_two =
            || outcome.word == "unknown-match" && letter.text(scene).contains("Game mm,");
        // A foot of ours ends a quotation that nobody knows, so a move below it may be hers, too.
        let shows_two = || {
            outcome.log.matches("\\n    ").count() > 2 && letter.text(scene).contains("\nGame m, ")
        };
        // The first foot counts, and that of the present position outweighs one that nobody knows.
        // A foot whose words are misspelt is none.
        let is_of_another = || {
            let text = plain(&letter.text(scene));
            let first = text.split("Game m, ").nth(1).unwrap_or_default();
            let first = first.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
            let is_other = OTHER_FEET.iter().any(|foot| first.starts_with(foot));
            is_other && !text.contains(&plain(&scene.foot(true)))
        };
        // Whoever quotes the foot of an older position is asked which one is meant.
        let answers_older = || {
            let is_asked = outcome.log.contains("answers an older position");
            is_asked && has_older_foot(&plain(&letter.text(scene)), scene)
        };
        let is_ours = letter.answers_us() && !letter.has_bens_words();
        if is_ours && letter.answered() == Some(scene.current()) && letter.is_usual() {
            self.ours.count(&order.done, outcome, text);
        } else if is_believed
            && matches!(letter.parent, Parent::Unknown)
            && order.done.iter().any(|done| done.starts_with("move"))
            && (is_of_another() || outcome.log.contains(" missing=yes"))
        {
            if outcome.done.first() == order.done.first() {
                self.missing.samples.insert(0, text());
            }
            self.missing.count(&order.done, outcome, text);
        } else if is_believed
            // One that cites nothing answers the foot that it quotes.
            && matches!(letter.parent, Parent::Unknown)
            && letter.is_top_posted()
            && !is_carried
            && !names_two()
            && !shows_two()
            && !answers_older()
            && !matches!(letter.subject, Subject::Bens(_))
        {
            self.unknown.count(&order.done, outcome, text);
        } else if letter.parent.is_bens()
            && letter.is_top_posted()
            && !matches!(letter.subject, Subject::Bens(_))
        {
            self.bens.count(&order.done, outcome, text);
        } else if is_believed && letter.has_unknown_parent() && !letter.is_top_posted() {
            self.lower.count(&order.done, outcome, text);
        }
    }

    pub(super) fn fault(&mut self, desk: &Desk, scene: &Scene, letter: Letter, fault: &Fault) {
        let kind = kind(desk, scene, &letter, fault);
        self.kinds[kind] += 1;
        let samples = self.samples.entry(kind).or_default();
        if samples.len() < PRINTED {
            let small = shrink::shrunk(desk, scene, letter, fault);
            let outcome = small.heard(desk, scene);
            let again = heard_again(desk, &small, scene, &outcome);
            let again = again.map(|(text, second)| format!("{}\n{text}", second.log));
            samples.push(format!(
                "{fault:?} in {}\n{}\n{}\n===== in answer to the question\n{}",
                described(&small, scene),
                outcome.log,
                small.text(scene),
                again.unwrap_or_default()
            ));
        }
    }

    pub(super) fn print(&self) {
        for (kind, samples) in &self.samples {
            for sample in samples {
                println!("===== {}\n{sample}", KINDS[*kind]);
            }
        }
        for (name, side) in [
            ("ours", &self.ours),
            ("unknown", &self.unknown),
            ("Ben's", &self.bens),
            ("lower", &self.lower),
            ("with another record", &self.missing),
        ] {
            for sample in side.samples.iter().take(PRINTED) {
                println!("===== not carried out, {name}\n{sample}");
            }
        }
        println!(
            "{} letters, {} with an order at a boundary, {} faulty",
            self.letters,
            self.boundaries,
            self.kinds.iter().sum::<usize>()
        );
        for (name, number) in KINDS.iter().zip(self.kinds) {
            println!("{number:6} {name}");
        }
        for (name, side) in [
            ("in answers to a mail of ours", &self.ours),
            (
                "at the top of letters that cite nothing known",
                &self.unknown,
            ),
            ("at the top of answers to Ben", &self.bens),
            ("lower in letters that cite nothing known", &self.lower),
            (
                "that are moves above the foot of another record",
                &self.missing,
            ),
        ] {
            println!(
                "own orders {name}: {} carried out, {} asked about, {} without an answer",
                side.done, side.asked, side.silent
            );
        }
    }

    /// Fails if there was a fault, or too much was asked.
    pub(super) fn hold(&self) {
        let faulty: usize = self.kinds.iter().sum();
        assert_eq!(faulty, 0, "letters are faulty, see above");
        let Side { asked, silent, .. } = self.ours;
        assert!(
            (asked + silent) * 500 <= self.ours.sum(),
            "{asked} asked about, {silent} lost"
        );
        let Side { asked, silent, .. } = self.unknown;
        assert_eq!(
            (asked, silent),
            (0, 0),
            "asked about and lost at the top of letters that cite nothing known"
        );
        assert_eq!(
            self.lower.silent, 0,
            "lower in letters that cite nothing known"
        );
        assert_eq!(
            (self.missing.done, self.missing.silent),
            (0, 0),
            "played and lost above the foot of another record"
        );
        assert!(
            self.boundaries * 3 >= self.letters,
            "too few orders at boundaries"
        );
    }
}

/// Returns the words of a text without quote marks, each with a blank behind it. Elements of HTML are
/// words of their own.
fn plain(text: &str) -> String {
    let text = text.replace('<', " <");
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_start_matches(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| !word.is_empty());
    words.flat_map(|word| [word, " "]).collect()
}

/// Returns true if a text without line ends has the foot of another position of the match.
fn has_older_foot(text: &str, scene: &Scene) -> bool {
    text.split("Game m, ").skip(1).any(|foot| {
        let hash = foot.split_once(" made, hash ").map(|(_, hash)| hash);
        hash.is_some_and(|hash| !hash.starts_with(&scene.game.hash()))
    })
}

/// Tells the kind of a fault by what makes it go away.
fn kind(desk: &Desk, scene: &Scene, letter: &Letter, fault: &Fault) -> usize {
    let is_without = |change: &dyn Fn(&mut Letter)| {
        let mut other = letter.clone();
        change(&mut other);
        let outcome = other.heard(desk, scene);
        super::fault(desk, &other, scene, &outcome).is_none()
    };
    match fault {
        Fault::Silence => 5,
        Fault::Repeated(_) => 9,
        Fault::Stale(done) if done.starts_with("move") => 4,
        Fault::Stale(_) => 3,
        Fault::Foreign(_) if is_without(&|letter| letter.subject = Subject::Ours) => 6,
        Fault::Foreign(_) if letter.wrap.is_some() && is_without(&|letter| letter.wrap = None) => 7,
        Fault::Foreign(_) if is_without(&Letter::drop_rows) => 2,
        Fault::Foreign(_) if letter.is_in_html() => 8,
        Fault::Foreign(_) if letter.has_bens_words() => 1,
        Fault::Foreign(_) => 0,
    }
}

pub(super) fn described(letter: &Letter, scene: &Scene) -> String {
    let clients: Vec<&str> = letter
        .blocks
        .iter()
        .map(|block| block.client.name)
        .collect();
    format!(
        "{} ({}), {}, {:?}, quoted by {clients:?}, wrapped {:?}, note {:?}",
        scene.name,
        scene.side,
        letter.policy.name(),
        letter.parent,
        letter.wrap,
        scene.note
    )
}
