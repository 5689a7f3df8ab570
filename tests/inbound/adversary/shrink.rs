//! Makes a faulty letter small: drops what can be dropped while it stays faulty.

use super::clients::Client;
use super::desk::{Desk, Policy};
use super::foreign::Kind;
use super::letter::{Letter, Own, Parent, Subject};
use super::scene::Scene;
use super::{Fault, fault};

/// A change that makes a letter smaller; none if it changes nothing.
type Step = Box<dyn Fn(&Letter) -> Option<Letter>>;

/// Returns the smallest letter with a fault of the same kind that dropping finds.
pub(super) fn shrunk(desk: &Desk, scene: &Scene, letter: Letter, kind: &Fault) -> Letter {
    let is_faulty = |letter: &Letter| {
        let outcome = letter.heard(desk, scene);
        let found = fault(desk, letter, scene, &outcome);
        found.is_some_and(|found| std::mem::discriminant(&found) == std::mem::discriminant(kind))
    };
    let mut letter = letter;
    loop {
        let steps = steps(&letter);
        let smaller = steps.iter().filter_map(|step| step(&letter));
        let Some(found) = smaller.into_iter().find(|smaller| is_faulty(smaller)) else {
            return letter;
        };
        letter = found;
    }
}

impl Letter {
    /// Drops the lists that Ben has added a move to.
    pub(super) fn drop_rows(&mut self) {
        for block in &mut self.blocks {
            block.pieces.retain(|piece| piece.kind != Kind::Row);
        }
    }
}

fn step(change: impl Fn(&mut Letter) + 'static) -> Step {
    Box::new(move |letter| {
        let mut smaller = letter.clone();
        change(&mut smaller);
        Some(smaller)
    })
}

fn when(is: bool, change: impl Fn(&mut Letter) + 'static) -> Option<Step> {
    is.then(|| step(change))
}

fn steps(letter: &Letter) -> Vec<Step> {
    let mut steps = Vec::new();
    for at in (0..letter.blocks.len()).rev() {
        steps.push(step(move |letter| drop(letter.blocks.remove(at))));
        for piece in (0..letter.blocks[at].pieces.len()).rev() {
            steps.push(step(move |letter| {
                drop(letter.blocks[at].pieces.remove(piece));
            }));
        }
        let has_nested = letter.blocks[at].nested.is_some();
        steps.extend(when(has_nested, move |letter| {
            letter.blocks[at].nested = None;
        }));
        let has_name = letter.blocks[at].name.is_some();
        steps.extend(when(has_name, move |letter| {
            letter.blocks[at].name = None;
        }));
    }
    for at in 0..letter.above.len() {
        steps.push(step(move |letter| drop(letter.above.remove(at))));
    }
    for at in 0..letter.below.len() {
        steps.push(step(move |letter| drop(letter.below.remove(at))));
    }
    steps.extend(when(!letter.between.is_empty(), |letter| {
        letter.between.clear();
    }));
    steps.extend(when(letter.filled.is_some(), |letter| letter.filled = None));
    steps.extend(when(letter.wrap.is_some(), |letter| letter.wrap = None));
    steps.extend(when(letter.is_closed_up, |letter| {
        letter.is_closed_up = false;
    }));
    steps.extend(when(letter.has_crlf, |letter| letter.has_crlf = false));
    steps.extend(when(!letter.banner.is_empty(), |letter| letter.banner = ""));
    steps.extend(when(!letter.footer.is_empty(), |letter| letter.footer = ""));
    let is_token = letter.policy == Policy::Token;
    steps.extend(when(is_token, |letter| letter.policy = Policy::Address));
    let is_plain = matches!(letter.subject, Subject::Plain);
    steps.extend(when(!is_plain, |letter| letter.subject = Subject::Plain));
    let is_beside = matches!(letter.parent, Parent::BenBeside(_) | Parent::BenLast(_));
    steps.extend(when(is_beside, |letter| {
        letter.parent = Parent::BenAbove(letter.answered().unwrap_or_default());
    }));
    for at in 0..letter.blocks.len() {
        let is_first = letter.blocks[at].client.name == Client::all()[0].name;
        let is_bens = letter.blocks[at].mail.is_none() && !letter.blocks[at].client.is_html();
        steps.extend(when(!is_first && is_bens, move |letter| {
            letter.blocks[at].client = Client::all()[0];
        }));
        for piece in 0..letter.blocks[at].pieces.len() {
            let text = &letter.blocks[at].pieces[piece].text;
            for line in (0..text.lines().count()).filter(|_| text.lines().count() > 1) {
                steps.push(step(move |letter| {
                    let text = &mut letter.blocks[at].pieces[piece].text;
                    *text = without(text.lines(), line, "\n");
                }));
            }
            if text.lines().count() == 1 {
                for word in 0..text.split(' ').count() {
                    steps.push(step(move |letter| {
                        let text = &mut letter.blocks[at].pieces[piece].text;
                        *text = without(text.split(' '), word, " ");
                    }));
                }
            }
        }
    }
    steps.retain(|step| step(letter).is_some_and(|smaller| smaller.size() < letter.size()));
    steps
}

fn without<'a>(parts: impl Iterator<Item = &'a str>, at: usize, between: &str) -> String {
    let parts = parts.enumerate().filter(|(n, _)| *n != at);
    parts
        .map(|(_, part)| part)
        .collect::<Vec<_>>()
        .join(between)
}

impl Letter {
    /// Grows with everything that a step drops.
    fn size(&self) -> usize {
        let pieces = self.blocks.iter().flat_map(|block| &block.pieces);
        let words = pieces.map(|piece| piece.text.len() + 1).sum::<usize>();
        let first = Client::all()[0].name;
        let habits = self
            .blocks
            .iter()
            .filter(|block| block.client.name != first);
        let nested = self.blocks.iter().filter(|block| block.nested.is_some());
        let named = self.blocks.iter().filter(|block| block.name.is_some());
        let own = self.above.iter().chain(&self.between).chain(&self.below);
        let own = own.map(|own| match own {
            Own::Chat(_) => 1,
            Own::Order(_) => 2,
        });
        let flags = [
            self.filled.is_some(),
            self.wrap.is_some(),
            self.is_closed_up,
            self.has_crlf,
            !self.banner.is_empty(),
            !self.footer.is_empty(),
            self.policy == Policy::Token,
            !matches!(self.subject, Subject::Plain),
            matches!(self.parent, Parent::BenBeside(_) | Parent::BenLast(_)),
        ];
        words
            + 4 * self.blocks.len()
            + habits.count()
            + nested.count()
            + named.count()
            + own.sum::<usize>()
            + flags.iter().filter(|flag| **flag).count()
    }
}
