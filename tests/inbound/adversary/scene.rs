//! Matches that letters come to: each has a past of mails and letters.

use std::fmt::Write;

use fastrand::Rng;
use parapost::matches::r#match::Match;
use parapost::notation::diagram::Diagram;
use parapost::notation::move_list::MoveList;
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Record};

use super::desk::{Desk, Mail, Policy, REFEREE, log};
use super::foreign;

pub(super) const ANNA: &str = "anna@white.test";
const BEN: &str = "ben@black.test";

/// What has happened, a letter each: who wrote it, and what. 'C' is Anna, who answers to all, so
/// that Ben knows what she answered. `{m}` is a move, and `{note}` words that Ben chose well.
pub(super) const PASTS: &[(&str, &[(char, &str)])] = &[
    ("start", &[]),
    (
        "mid-game",
        &[
            ('A', "{m}"),
            ('B', "{m}\n\nIt rains here."),
            ('A', "{m}"),
            ('B', "{m}"),
        ],
    ),
    ("noted with a move", &[('A', "{m}"), ('B', "{m}\n\n{note}")]),
    ("noted", &[('A', "{m}"), ('B', "{m}"), ('B', "{note}")]),
    ("draw offered", &[('A', "{m}"), ('B', "{m}\noffer draw")]),
    (
        "draw lapsed",
        &[
            ('A', "{m}"),
            ('B', "{m}\noffer draw"),
            ('A', "{m}"),
            ('B', "{m}"),
        ],
    ),
    (
        "draw lapsed and offered again",
        &[
            ('A', "{m}"),
            ('B', "{m}\noffer draw"),
            ('A', "{m}"),
            ('B', "{m}\noffer draw"),
        ],
    ),
    (
        "take-back proposed",
        &[('A', "{m}"), ('B', "{m}"), ('B', "propose takeback")],
    ),
    (
        "take-back lapsed and proposed again",
        &[
            ('A', "{m}"),
            ('B', "{m}"),
            ('B', "propose takeback"),
            ('A', "{m}"),
            ('B', "{m}"),
            ('B', "propose takeback"),
        ],
    ),
    ("helped", &[('A', "{m}"), ('B', "{m}"), ('A', "help")]),
    (
        "told what is legal",
        &[('A', "{m}"), ('B', "{m}"), ('A', "legal")],
    ),
    ("refused", &[('A', "{m}"), ('B', "{m}"), ('A', "K>z9")]),
    (
        "asked about",
        &[('A', "{m}"), ('B', "{m}"), ('A', "I would take {m} here.")],
    ),
    (
        "answered to all",
        &[('A', "{m}"), ('B', "{m}"), ('C', "{m}"), ('B', "{m}")],
    ),
    (
        "talked to all",
        &[('A', "{m}"), ('B', "{m}"), ('C', "I see."), ('A', "help")],
    ),
    (
        "another move after a take-back",
        &[
            ('A', "{m}"),
            ('B', "{m}"),
            ('B', "propose takeback"),
            ('A', "accept takeback"),
            ('B', "{m}"),
        ],
    ),
];

/// The pasts in which our mails have HTML.
const HTML: [&str; 2] = ["noted with a move", "noted"];

/// A mail of ours to Anna, and what it was about.
pub(super) struct Shown {
    pub(super) mail: Mail,
    moves: Vec<String>,
    /// The lines of the log that made the offers which stood.
    offers: [Option<usize>; 2],
}

/// A match in which Anna is to move.
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) game: Match,
    /// Anna's side, as the log says it.
    pub(super) side: &'static str,
    /// Our mails to Anna, the latest last.
    pub(super) mails: Vec<Shown>,
    /// The first mails, so many, have ids that Ben knows.
    pub(super) disclosed: usize,
    /// The ids of Anna's letters.
    pub(super) letters: Vec<String>,
    /// A move that Anna may play, and one that Ben would like her to play.
    pub(super) moves: [String; 2],
    pub(super) note: String,
}

impl Scene {
    /// Each past, with Anna on either side.
    pub(super) fn all(desk: &Desk, each: usize, rng: &mut Rng) -> Vec<Scene> {
        let mut scenes = Vec::new();
        for past in PASTS.iter().flat_map(|past| [past].repeat(each)) {
            for side in [Color::White, Color::Black] {
                scenes.extend(Scene::after(desk, past, side, rng));
            }
        }
        scenes
    }

    /// None where the moves at random leave no choice.
    pub(super) fn after(
        desk: &Desk,
        (name, past): &(&'static str, &[(char, &str)]),
        side: Color,
        rng: &mut Rng,
    ) -> Option<Scene> {
        Scene::of_words(desk, name, past, side, rng)
    }

    pub(super) fn of_words(
        desk: &Desk,
        name: &'static str,
        past: &[(char, &str)],
        side: Color,
        rng: &mut Rng,
    ) -> Option<Scene> {
        let [anna, ben] = [format!("Anna <{ANNA}>"), format!("Ben <{BEN}>")];
        let players = if side == Color::White {
            [&anna, &ben]
        } else {
            [&ben, &anna]
        };
        // A picture takes its time to be made: what Ben writes is in some of them.
        let policy = if HTML.contains(&name) {
            Policy::AddressWithHtml
        } else {
            Policy::Address
        };
        let (mut text, mails) = desk.begin(policy, players[0], players[1]);
        let mut house = House {
            mails: Vec::new(),
            shown: Vec::new(),
            letters: Vec::new(),
            disclosed: 0,
        };
        house.take(mails, &text);
        let note = foreign::note(rng);
        let first = (side == Color::Black).then_some(('B', "{m}"));
        for (n, (who, words)) in first.into_iter().chain(past.iter().copied()).enumerate() {
            let game: Match = text.parse().ok()?;
            let words = words
                .replace("{m}", &lone(&game, rng)?)
                .replace("{note}", &format!("note {note}"));
            let (from, to) = match who {
                'B' => (BEN, "Ben"),
                _ => (ANNA, "Anna"),
            };
            let copy = match who {
                'C' => format!("\nCc: {BEN}"),
                _ => String::new(),
            };
            let mail = house
                .mails
                .iter()
                .rev()
                .find(|mail| mail.to.starts_with(to))?;
            let id = format!("<letter.{n}@{}>", from.split_once('@')?.1);
            let letter = format!(
                "From: <{from}>\nTo: {REFEREE}{copy}\nSubject: Re: {}\nMessage-ID: {id}\nIn-Reply-To: {}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{words}\n",
                mail.subject, mail.id
            );
            if who != 'B' {
                house.letters.push(id);
            }
            if who == 'C' {
                house.disclosed = house.shown.len();
            }
            let mails;
            (text, mails) = desk.hear_and_send(policy, &game, &letter);
            house.take(mails, &text);
        }
        let game: Match = text.parse().ok()?;
        if game.turn() != Some(side) {
            return None;
        }
        let own = lone(&game, rng)?;
        let other = (0..20).find_map(|_| lone(&game, rng).filter(|other| *other != own))?;
        Some(Scene {
            name,
            side: if side == Color::White {
                "White"
            } else {
                "Black"
            },
            mails: house.shown,
            disclosed: house.disclosed,
            letters: house.letters,
            moves: [own, other],
            note,
            game,
        })
    }

    pub(super) fn current(&self) -> usize {
        self.mails.len() - 1
    }

    /// The latest mail that a letter of today cannot mean: of another position and, where
    /// there is one, of another offer.
    pub(super) fn older(&self) -> &Shown {
        let mails = self.mails.iter().enumerate().rev();
        let mut stale = mails
            .filter(|(at, _)| self.is_stale(*at))
            .map(|(_, mail)| mail);
        let offered = stale.clone().find(|mail| mail.offers != [None, None]);
        let last = offered.or_else(|| stale.next());
        last.unwrap_or(&self.mails[0])
    }

    /// Returns true if that mail showed another position than today's.
    pub(super) fn is_stale(&self, mail: usize) -> bool {
        self.mails[mail].moves != moves(&self.game)
    }

    /// Returns true if an acceptance in answer to that mail cannot mean what is offered now.
    pub(super) fn is_offer_stale(&self, mail: usize) -> bool {
        self.is_stale(mail) && self.mails[mail].offers != self.mails[self.current()].offers
    }

    /// The number of the next move: `3.` or `3...`.
    pub(super) fn number(&self) -> String {
        let dots = if self.side == "White" { "." } else { "..." };
        format!("{}{dots}", self.game.position().number())
    }

    fn with(&self, text: &str) -> Option<Record> {
        let mut record = self.game.record().clone();
        let ply = record.position().read_with(text, Voice::Alone).ok()?.ply;
        record.play(&ply).ok()?;
        Some(record)
    }

    /// The list of the moves so far with one more.
    pub(super) fn list_with(&self, text: &str) -> String {
        let record = self.with(text).expect("a legal move");
        MoveList::of(&record).to_string()
    }

    pub(super) fn diagram_with(&self, text: &str) -> String {
        let record = self.with(text).expect("a legal move");
        Diagram::of(record.position()).to_string()
    }

    /// The list of the moves so far, as our mail has it; none before the first.
    pub(super) fn list(&self) -> Option<String> {
        let list = MoveList::of(self.game.record()).to_string();
        let list = list.trim_end();
        (!list.is_empty()).then(|| list.to_owned())
    }

    /// The foot of our mail, with its hash or without.
    pub(super) fn foot(&self, has_hash: bool) -> String {
        let made = self.game.record().steps().len();
        let s = if made == 1 { "" } else { "s" };
        let mut foot = format!("Game m, {made} half-move{s} made");
        if has_hash {
            let _ = write!(foot, ", hash {}", self.game.hash());
        }
        foot + "."
    }
}

/// What has been mailed and written.
struct House {
    mails: Vec<Mail>,
    shown: Vec<Shown>,
    letters: Vec<String>,
    disclosed: usize,
}

impl House {
    fn take(&mut self, mails: Vec<Mail>, text: &str) {
        let game: Match = text.parse().expect("a match");
        for mail in mails {
            if mail.to.starts_with("Anna") {
                self.shown.push(Shown {
                    mail: mail.clone(),
                    moves: moves(&game),
                    offers: [
                        game.offer().and_then(|_| last(text, "offer ")),
                        game.takeback().and_then(|_| last(text, "takeback ")),
                    ],
                });
            }
            self.mails.push(mail);
        }
    }
}

fn moves(game: &Match) -> Vec<String> {
    game.record()
        .steps()
        .iter()
        .map(|step| step.text.clone())
        .collect()
}

fn last(text: &str, event: &str) -> Option<usize> {
    let events = log(text).map(|line| line.split_once(' ').unwrap_or_default().1);
    let found = events
        .enumerate()
        .filter(|(_, line)| line.starts_with(event));
    found.last().map(|(at, _)| at)
}

/// A legal move that can stand alone, as it is written.
fn lone(game: &Match, rng: &mut Rng) -> Option<String> {
    let position = game.position();
    let plies = position.single_plies();
    (0..20).find_map(|_| {
        let ply = rng.choice(&plies)?;
        let text = position.text(ply);
        let is_clear = position
            .read_with(&text, Voice::Alone)
            .is_ok_and(|read| read.ply == *ply);
        // A draw or a mate ends the match.
        (is_clear && !text.contains('#')).then_some(text)
    })
}
