//! What stays of a match when a player asks to be forgotten: the moves and the result.
//!
//! The name, the addresses and the words of the player go from every line of the log.
//! No line is taken away, since Message-IDs count them.

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::Error;
use crate::matches::chain::Link;
use crate::matches::event::{Event, EventKind, Who};
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::matches::state::State;
use crate::rules::Color;

/// The domain of what stands for an address: none has this one (RFC 2606).
const NOWHERE: &str = "forgotten.invalid";

/// The fewest letters of a name that is looked for in other people's words: a shorter one
/// stands in too many of them.
const SHORTEST: usize = 3;

/// What stands for a player who was forgotten.
struct Stranger {
    player: Player,
    /// The addresses and names that were the player's, in small letters.
    traces: Vec<String>,
}

impl Stranger {
    fn new(game: &Match, sides: &[Color], number: usize) -> Result<Stranger, Error> {
        let address = format!("player-{number}@{NOWHERE}");
        let address: Address = address.parse().map_err(Error::refused)?;
        let player =
            Player::new(&format!("Player {number}"), vec![address]).map_err(Error::refused)?;
        let mut traces = Vec::new();
        for side in sides {
            let known = game.player(*side);
            let added = game.log().iter().filter(|event| {
                event.kind == EventKind::Address && event.who == Who::Player(*side)
            });
            let added = added.filter_map(|event| event.get("from"));
            let addresses = known.addresses().iter().map(AsRef::as_ref);
            traces.extend(addresses.chain(added).map(str::to_ascii_lowercase));
            let name = known.given_name();
            if name.chars().count() >= SHORTEST {
                traces.push(name.to_ascii_lowercase());
            }
        }
        // The longest first: one may be a part of another.
        traces.sort_by_key(|trace| (std::cmp::Reverse(trace.len()), trace.clone()));
        traces.dedup();
        Ok(Stranger { player, traces })
    }

    /// Puts the new name into a text wherever a trace of the player stands. Takes time
    /// linear in the text, for each trace.
    fn without_traces(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for trace in &self.traces {
            // Small letters of ASCII stand where the capitals stood.
            let small = text.to_ascii_lowercase();
            let mut kept = String::with_capacity(text.len());
            let mut done = 0;
            for (at, found) in small.match_indices(trace.as_str()) {
                kept.push_str(&text[done..at]);
                kept.push_str(self.player.name());
                done = at + found.len();
            }
            kept.push_str(&text[done..]);
            text = kept;
        }
        text
    }

    /// Returns a line of the log as it stays; `number` is its number. A value that other
    /// lines or the rules refer to keeps its form.
    fn line(&self, event: &Event, number: usize, sides: &[Color]) -> Event {
        let is_own = sides.iter().any(|side| event.who == Who::Player(*side));
        let is_mail = event.kind.is_of_outgoing_mail();
        let name = || Some(self.player.name().to_owned());
        let mut new = event.clone().with_values(|key, value| match key {
            // The message was the player's, and its id has the name of a machine.
            "msg" if is_own && !is_mail => Some(format!("<{number}@{NOWHERE}>")),
            "msg" => Some(value),
            "edits" | "from" if is_own => None,
            "re" | "to" | "report" if is_own && is_mail => None,
            // The player's words, also in a mail to the opponent, and what the player
            // was written.
            "text" if is_own || carries_words(event) => name(),
            "text" => Some(self.without_traces(&value)),
            _ if is_unknown(&event.kind) => Some(self.without_traces(&value)),
            _ => Some(value),
        });
        new.argument = match new.argument {
            Some(_) if is_own && is_words(&event.kind) => name(),
            Some(text) if is_words(&event.kind) || is_unknown(&event.kind) => {
                Some(self.without_traces(&text))
            }
            argument => argument,
        };
        new
    }
}

/// Returns true if the argument is what a person wrote.
fn is_words(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Note | EventKind::Asked)
}

/// Returns true for a mail that carries the other player's words.
fn carries_words(event: &Event) -> bool {
    let kind = event.argument.as_deref();
    event.kind == EventKind::Owed && matches!(kind, Some("note" | "position"))
}

/// Returns true if the argument may hold any text.
fn is_unknown(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Repaired | EventKind::Other(_))
}

impl Match {
    /// Returns the match without the name, the addresses and the words of the player of
    /// these sides, who is called `Player NUMBER` from then on. Mail that was owed to the
    /// player is dropped.
    ///
    /// # Errors
    ///
    /// If the match goes on: the opponent would wait in vain.
    pub fn forgetting(
        &self,
        sides: &[Color],
        number: usize,
        now: DateTime<Utc>,
    ) -> Result<Match, Error> {
        if self.turn().is_some() {
            return Err(Error::refused(format!("{}: the match goes on", self.id())));
        }
        let stranger = Stranger::new(self, sides, number)?;
        let mut settings = self.settings.clone();
        for side in sides {
            settings.players[side.index()] = stranger.player.clone();
        }
        settings.event = settings.event.map(|event| stranger.without_traces(&event));
        let begun = self.log[0].clone().with_values(|key, value| match key {
            "white" => Some(settings.players[0].to_string()),
            "black" => Some(settings.players[1].to_string()),
            "event" => settings.event.clone(),
            _ => Some(value),
        });
        let headers = self.headers.iter();
        let mut game = Match {
            state: State::new(&settings.variant, begun.time),
            headers: headers
                .map(|(key, value)| (key.clone(), stranger.without_traces(value)))
                .collect(),
            links: vec![Link::first(&settings.id, &begun)],
            log: vec![begun],
            is_chained: true,
            settings,
        };
        for (number, event) in (2..).zip(&self.log[1..]) {
            game.push(stranger.line(event, number, sides))?;
        }
        let refused = game.undelivered().iter().map(|refused| &refused.mail);
        let mails = game.owed().iter().chain(refused);
        let mails = mails.filter(|mail| sides.contains(&mail.to));
        for mail in mails.map(|mail| mail.msg.clone()).collect::<Vec<_>>() {
            game.drop_mail(now, &mail)?;
        }
        for side in sides {
            let event = Event::new(now, EventKind::Forgotten, *side);
            game.push(event.argument(stranger.player.name()))?;
        }
        Ok(game)
    }

    /// Returns the number in the name of a player who was forgotten in this match.
    #[must_use]
    pub fn forgotten(&self) -> Option<usize> {
        let players = self.settings.players.iter();
        let numbers = players.filter_map(|player| {
            let name = player.given_name().strip_prefix("Player ")?;
            let is_forgotten = player.address().domain() == NOWHERE;
            name.parse().ok().filter(|_| is_forgotten)
        });
        numbers.max()
    }
}
