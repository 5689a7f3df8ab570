//! A match played at random, the mail its player to move was sent, and the move
//! that answers it.

use fastrand::Rng;
use parapost::inbound::incoming_message;
use parapost::mail::message_id::MessageId;
use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::matches::player::Player;
use parapost::outbound::compose;
use parapost::outbound::templates::Templates;
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Ply, Record, Variant};
use serde_json::json;

use crate::matches::log::{ids, settings, time};
use crate::outbound::messages::text_alone;
use crate::playing;

pub(crate) struct Scene {
    pub(crate) game: Match,
    /// Who is to move.
    pub(crate) side: Color,
    pub(crate) next: Ply,
    /// The record with the next move made.
    pub(crate) after: Record,
    /// The body of the mail that was sent.
    pub(crate) mail: String,
    pub(crate) parent: MessageId,
    pub(crate) sender: String,
    pub(crate) recipient: String,
    /// Who has sent the mail.
    pub(crate) me: Player,
}

/// What the sender is told of an earlier reply that could not be played. It
/// shows moves.
fn answer(game: &Match, templates: &Templates, rng: &mut Rng) -> String {
    let position = game.position();
    let plies = position.single_plies();
    let mut moves: Vec<String> = plies.iter().map(|ply| position.text(ply)).collect();
    rng.shuffle(&mut moves);
    moves.truncate(rng.usize(1..30));
    let first = moves.first().cloned().unwrap_or_default();
    let number = number(game);
    let (name, values) = match rng.u8(..4) {
        0 => (
            "confirm",
            json!({ "line": format!("I like {first}"), "number": number, "forms": moves, "again": false, "yes": false }),
        ),
        1 => (
            "ambiguous",
            json!({ "line": first, "number": number, "forms": moves, "again": false }),
        ),
        2 => {
            let level = rng.u8(1..=5);
            let partner = if rng.bool() {
                format!("{level}")
            } else {
                String::new()
            };
            (
                "help",
                json!({ "partner": partner, "partner_level": level, "puzzles": rng.bool() }),
            )
        }
        _ => {
            let lines = moves.iter().take(2).collect::<Vec<_>>();
            let why = "These are two different moves.";
            (
                "refused",
                json!({ "lines": lines, "why": why, "piece": "knight", "moves": moves, "again": false, "yes": false }),
            )
        }
    };
    templates.render(name, values).expect("a text")
}

/// The number of the next move: `3.` or `3...`.
fn number(game: &Match) -> String {
    let position = game.position();
    let dots = match position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.number())
}

/// A mail that carries words which could be read as something else.
fn hostile(game: &Match, rng: &mut Rng) -> NewMail {
    let kind = if rng.bool() { "note" } else { "position" };
    let words = super::words::hostile(game, rng);
    NewMail::new(kind, game.position().turn()).saying(words)
}

impl Scene {
    /// None where the game ends before it has a move to answer with.
    pub(crate) fn random(variant: &Variant, rng: &mut Rng) -> Option<Scene> {
        Scene::with(variant, rng, |game, rng| {
            let side = game.position().turn();
            match rng.u8(..6) {
                0 => {
                    let answer = answer(game, &Templates::new("/nowhere"), rng);
                    NewMail::new("answer", side).saying(answer)
                }
                1 => NewMail::new("note", side).saying("A hard choice!\n\nShould I have taken?"),
                2 => {
                    NewMail::new("position", side).saying("It is cold here.\n1. snow\n2. more snow")
                }
                _ if game.record().steps().is_empty() => NewMail::new("invitation", side),
                _ => NewMail::new("position", side),
            }
        })
    }

    /// The match of `recorded/`: Black is to move, and may play n-d5.
    pub(crate) fn recorded() -> Scene {
        let variant = Variant::find("unachess", &[]).expect("a game");
        let mut record = Record::new(variant.start());
        for text in ["K>e1", "k>e8", "P>e4", "n>b6", "P>d2", "n-d5"] {
            let reading = record.position().read_with(text, Voice::Alone);
            record.play(&reading.expect("a move").ply).expect("legal");
        }
        let mail = |game: &Match, _: &mut Rng| NewMail::new("position", game.position().turn());
        Scene::of(&record, &variant, &mut Rng::with_seed(0), mail).expect("a mail")
    }

    /// The mail carries words of the opponent's that could be read as something else.
    pub(crate) fn hostile(variant: &Variant, rng: &mut Rng) -> Option<Scene> {
        Scene::with(variant, rng, hostile)
    }

    /// The same in a position with one legal move; none if random games reach none.
    pub(crate) fn forced(variant: &Variant, rng: &mut Rng) -> Option<Scene> {
        Scene::forced_with(variant, rng, hostile)
    }

    /// A position with one legal move, and a mail without words.
    pub(crate) fn forced_alone(variant: &Variant, rng: &mut Rng) -> Option<Scene> {
        let mail = |game: &Match, _: &mut Rng| NewMail::new("position", game.position().turn());
        Scene::forced_with(variant, rng, mail)
    }

    fn forced_with(
        variant: &Variant,
        rng: &mut Rng,
        mail: fn(&Match, &mut Rng) -> NewMail,
    ) -> Option<Scene> {
        (0..20).find_map(|_| {
            let record = playing::game(variant, 120, rng);
            let is_forced = |plies: &usize| {
                let position = record.at(*plies);
                position.is_some_and(|position| position.single_plies().len() == 1)
            };
            let plies = (0..record.steps().len()).find(is_forced)?;
            Scene::of(&record.until(plies + 1), variant, rng, mail)
        })
    }

    /// True if the player has no choice.
    pub(crate) fn is_forced(&self) -> bool {
        self.game.position().single_plies().len() == 1
    }

    fn with(
        variant: &Variant,
        rng: &mut Rng,
        mail: impl Fn(&Match, &mut Rng) -> NewMail,
    ) -> Option<Scene> {
        let plies = match rng.u8(..8) {
            0 => rng.usize(..3),
            1 => rng.usize(190..230),
            _ => rng.usize(1..70),
        };
        Scene::of(&playing::game(variant, plies + 1, rng), variant, rng, mail)
    }

    /// The last move of the record is the one that answers.
    fn of(
        after: &Record,
        variant: &Variant,
        rng: &mut Rng,
        mail: impl Fn(&Match, &mut Rng) -> NewMail,
    ) -> Option<Scene> {
        let next = after.steps().last()?.ply;
        let mut game = Match::new(
            MatchSettings {
                variant: variant.clone(),
                ..settings(variant.game().id, variant.options())
            },
            time(),
        );
        let mut replay = Record::new(variant.start());
        let (_, before) = after.steps().split_last()?;
        for step in before {
            let position = replay.position();
            let event = Action::Move(position.text(&step.ply));
            game.push(LogEntry::new(time(), event, position.turn()))
                .ok()?;
            replay.play(&step.ply).ok()?;
        }
        let side = game.turn()?;
        let templates = text_alone("/nowhere");
        let mail = mail(&game, rng);
        game.owe(time(), mail, &ids()).ok()?;
        let me: Player = if rng.bool() {
            game.player(!side).clone()
        } else {
            "Ref <ref@example.org>".parse().expect("a player")
        };
        let owed = game.owed();
        let sent = compose::compose(&game, owed.last()?, &me, &templates, &ids()).expect("a mail");
        let letter = incoming_message::read(&sent.text()).expect("a message");
        Some(Scene {
            side,
            next,
            after: after.clone(),
            mail: letter.text,
            parent: sent.id().clone(),
            sender: format!("Somebody <{}>", game.player(side).address()),
            recipient: me.to_string(),
            me,
            game,
        })
    }

    /// The move as it is written.
    pub(crate) fn text(&self) -> String {
        self.game.position().text(&self.next)
    }

    /// The move as it can stand alone.
    pub(crate) fn lone(&self) -> String {
        let position = self.game.position();
        let text = self.text();
        match position.read_with(&text, Voice::Alone) {
            Ok(reading) if reading.ply == self.next => text,
            // A small b that could be two pieces.
            _ => position.long_text(&self.next),
        }
    }

    /// The number it has: `3.` or `3...`.
    pub(crate) fn number(&self) -> String {
        number(&self.game)
    }
}
