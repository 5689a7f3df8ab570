//! A match played at random, the mail its player to move was sent, and the move
//! that answers it.

use fastrand::Rng;
use parapost::inbound::incoming_message::IncomingMessage;
use parapost::matches::event::{Event, EventKind};
use parapost::matches::r#match::{Match, MatchSettings, NewMail};
use parapost::matches::player::Player;
use parapost::message_id::MessageId;
use parapost::outbound::outgoing_message::OutgoingMessage;
use parapost::outbound::templates::Templates;
use parapost::rules::{Color, Ply, Record, Variant};
use serde_json::json;

use crate::matches::log::{ids, settings, time};
use crate::rules::playing;

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
            json!({ "line": format!("I like {first}"), "number": number, "forms": moves }),
        ),
        1 => (
            "ambiguous",
            json!({ "line": first, "number": number, "forms": moves }),
        ),
        2 => ("help", json!({})),
        _ => {
            let lines = moves.iter().take(2).collect::<Vec<_>>();
            let why = "These are two different moves.";
            (
                "refused",
                json!({ "lines": lines, "why": why, "piece": "knight", "moves": moves }),
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

impl Scene {
    /// None where the game ends before it has a move to answer with.
    pub(crate) fn random(variant: &Variant, rng: &mut Rng) -> Option<Scene> {
        let plies = match rng.u8(..8) {
            0 => rng.usize(..3),
            1 => rng.usize(190..230),
            _ => rng.usize(1..70),
        };
        let after = playing::game(variant, plies + 1, rng);
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
            let event = Event::new(time(), EventKind::Move, position.turn());
            game.push(event.argument(position.text(&step.ply))).ok()?;
            replay.play(&step.ply).ok()?;
        }
        let side = game.turn()?;
        let templates = Templates::new("/nowhere");
        let mail = match rng.u8(..6) {
            0 => NewMail::new("answer", side).saying(answer(&game, &templates, rng)),
            1 => NewMail::new("note", side).saying("A hard choice!\n\nShould I have taken?"),
            2 => NewMail::new("position", side).saying("It is cold here.\n1. snow\n2. more snow"),
            _ if before.is_empty() => NewMail::new("invitation", side),
            _ => NewMail::new("position", side),
        };
        game.owe(time(), mail, &ids()).ok()?;
        let me: Player = if rng.bool() {
            game.player(!side).clone()
        } else {
            "Ref <ref@example.org>".parse().expect("a player")
        };
        let owed = game.owed();
        let sent = OutgoingMessage::compose(&game, owed.last()?, &me, &templates).expect("a mail");
        let letter = IncomingMessage::parse(&sent.text()).expect("a message");
        Some(Scene {
            side,
            next,
            after,
            mail: letter.text,
            parent: sent.id().clone(),
            sender: format!("Somebody <{}>", game.player(side).address()),
            recipient: me.to_string(),
            game,
        })
    }

    /// The move as it is written.
    pub(crate) fn text(&self) -> String {
        self.game.position().text(&self.next)
    }

    /// The number it has: `3.` or `3...`.
    pub(crate) fn number(&self) -> String {
        number(&self.game)
    }
}
