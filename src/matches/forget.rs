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
use crate::matches::traces::Traces;
use crate::matches::which_match::QUESTION;
use crate::rules::Color;

/// The domain of what stands for an address: none has this one (RFC 2606).
const NOWHERE: &str = "forgotten.invalid";

/// What stands for a player who is forgotten, and what is looked for.
#[derive(Clone, Debug)]
pub struct Stranger {
    player: Player,
    traces: Traces,
    /// What is looked for in the questions of earlier versions, which tell of matches
    /// by their players.
    of_questions: Traces,
}

impl Stranger {
    /// Creates the player `Player NUMBER`.
    ///
    /// # Errors
    ///
    /// Never, for a number.
    pub fn new(number: usize) -> Result<Stranger, Error> {
        let address = format!("player-{number}@{NOWHERE}");
        let address: Address = address.parse().map_err(Error::refused)?;
        let player =
            Player::new(&format!("Player {number}"), vec![address]).map_err(Error::refused)?;
        Ok(Stranger {
            player,
            traces: Traces::default(),
            of_questions: Traces::default(),
        })
    }

    /// Adds the names and addresses that the player of these sides has in a match: they
    /// are looked for in all.
    pub fn know(&mut self, game: &Match, sides: &[Color]) {
        self.traces.add(game, sides);
        self.of_questions = self.traces.clone();
    }

    /// Puts the new name into a text wherever a trace of the player stands.
    fn without_traces(&self, text: &str) -> String {
        self.traces.replaced(text, self.player.name())
    }

    /// Returns the same player, looked for in a match of others.
    fn in_match_of_others(&self, game: &Match) -> Stranger {
        Stranger {
            player: self.player.clone(),
            traces: self.traces.in_match_of_others(game),
            of_questions: self.of_questions.clone(),
        }
    }

    /// Returns an address as it stays.
    fn address(&self, text: String) -> String {
        let address = text.parse::<Address>();
        if address.is_ok_and(|address| self.traces.has(&address)) {
            self.player.address().to_string()
        } else {
            text
        }
    }

    /// Returns a line of the log as it stays; `number` is its number. A value that other
    /// lines or the rules refer to keeps its form.
    fn line(&self, event: &Event, number: usize, sides: &[Color]) -> Event {
        let is_own = sides.iter().any(|side| event.who == Who::Player(*side));
        let is_mail = event.kind.is_of_outgoing_mail();
        let has_words = is_own || !sides.is_empty() && carries_words(event);
        let name = || Some(self.player.name().to_owned());
        let mut new = event.clone().with_values(|key, value| match key {
            // The message was the player's, and its id has the name of a machine.
            "msg" if is_own && !is_mail => Some(format!("<{number}@{NOWHERE}>")),
            "msg" => Some(value),
            "edits" | "from" if is_own => None,
            "re" | "to" | "report" if is_own && is_mail => None,
            "from" | "to" => Some(self.address(value)),
            // The player's words, also in a mail to the opponent, and what the player
            // was written.
            "text" if has_words => name(),
            "text" if is_question(event) => {
                Some(self.of_questions.replaced(&value, self.player.name()))
            }
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

/// Returns true for a mail that asks which match is meant.
fn is_question(event: &Event) -> bool {
    event.kind == EventKind::Owed && event.argument.as_deref() == Some(QUESTION)
}

/// Returns true if the argument may hold any text.
fn is_unknown(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Repaired | EventKind::Other(_))
}

impl Match {
    /// Returns the match without the name, the addresses and the words of the player of
    /// these sides. Mail that was owed to the player is dropped.
    ///
    /// # Errors
    ///
    /// If the match goes on: the opponent would wait in vain.
    pub fn forgetting(
        &self,
        sides: &[Color],
        stranger: &Stranger,
        now: DateTime<Utc>,
    ) -> Result<Match, Error> {
        if self.turn().is_some() {
            return Err(Error::refused(format!("{}: the match goes on", self.id())));
        }
        let mut game = self.without_traces(sides, stranger)?;
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

    /// Returns the match of other players without the traces of one, if it has any. Its
    /// last line says so, since the lines above are no longer those that were written.
    ///
    /// # Errors
    ///
    /// If the log does not accept a line without them.
    pub fn cleared_of(
        &self,
        stranger: &Stranger,
        now: DateTime<Utc>,
    ) -> Result<Option<Match>, Error> {
        let mut cleared = self.without_traces(&[], &stranger.in_match_of_others(self))?;
        if cleared.log == self.log && cleared.headers == self.headers {
            return Ok(None);
        }
        let event = Event::new(now, EventKind::Forgotten, Who::Nobody);
        cleared.push(event.argument(stranger.player.name()))?;
        Ok(Some(cleared))
    }

    fn without_traces(&self, sides: &[Color], stranger: &Stranger) -> Result<Match, Error> {
        let mut settings = self.settings.clone();
        for side in sides {
            settings.players[side.index()] = stranger.player.clone();
        }
        settings.event = settings.event.map(|event| stranger.without_traces(&event));
        let begun = self.log[0].clone().with_values(|key, value| match key {
            "white" if sides.contains(&Color::White) => Some(settings.players[0].to_string()),
            "black" if sides.contains(&Color::Black) => Some(settings.players[1].to_string()),
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
        Ok(game)
    }

    /// Returns true if the player of this side was forgotten: no mail reaches anybody there.
    #[must_use]
    pub fn is_forgotten(&self, side: Color) -> bool {
        self.player(side).address().domain() == NOWHERE
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;
    use crate::matches::mail_id::{MailIds, Secret};
    use crate::matches::r#match::{MatchSettings, NewMail};

    fn now() -> DateTime<Utc> {
        clock::read("2026-11-20T03:00:00Z").unwrap()
    }

    fn game(id: &str, players: [&str; 2]) -> Match {
        let settings = MatchSettings {
            players: players.map(|player| player.parse().unwrap()),
            ..MatchSettings::sample(id)
        };
        Match::new(settings, now())
    }

    fn text(game: &Match) -> String {
        let lines = game.log().iter().map(Event::line);
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Such a question was kept in another match, and mailed from there.
    #[test]
    fn a_question_of_an_earlier_version_in_another_match_is_searched_and_stays_owed() {
        let ids = MailIds::new(Secret::from_bytes([7; Secret::LENGTH]), "example.org");
        let of_al = game("one", ["Al <al@example.org>", "Ben <ben@example.org>"]);
        let mut stranger = Stranger::new(3).unwrap();
        stranger.know(&of_al, &[Color::White]);
        let mut other = game(
            "two",
            ["Ben <ben@example.org>", "Albert <albert@example.org>"],
        );
        let question = "Your games:\n\n  [one] Unachess: Al - Ben, over\n";
        let mail = NewMail::new(QUESTION, Color::White).saying(question);
        other.owe(now(), mail, &ids).unwrap();
        let asked = Event::new(now(), EventKind::Address, Color::White);
        let asked = asked
            .argument("asked")
            .key("from", Some("al+chess@example.org"));
        other.push(asked).unwrap();
        let note = Event::new(now(), EventKind::Note, Color::White);
        other
            .push(note.argument("Albert, AL+x@Example.org says hello"))
            .unwrap();
        let cleared = other.cleared_of(&stranger, now()).unwrap().unwrap();
        let expected = text(&other)
            .replace("Al - Ben", "Player 3 - Ben")
            .replace("al+chess@example.org", "player-3@forgotten.invalid")
            .replace("AL+x@Example.org", "Player 3");
        let last = "\n2026-11-20T03:00:00Z forgotten - \"Player 3\"";
        assert_eq!(text(&cleared), expected + last);
        assert_eq!(cleared.owed()[0].msg, other.owed()[0].msg);
        assert!(cleared.cleared_of(&stranger, now()).unwrap().is_none());
    }

    /// The report has the name of the player's machine in its id, and the address in its words.
    #[test]
    fn nothing_stays_of_a_report_about_a_mail_to_the_player() {
        let ids = MailIds::new(Secret::from_bytes([7; Secret::LENGTH]), "example.org");
        let mut game = game("one", ["Al <al@home.test>", "Ben <ben@example.org>"]);
        game.push(Event::new(now(), EventKind::Resign, Color::White))
            .unwrap();
        let msg = game
            .owe(now(), NewMail::new("position", Color::White), &ids)
            .unwrap();
        game.sent(now(), &msg, "smtp").unwrap();
        let report = "<report.7@pc.home.test>".parse().unwrap();
        let address: Address = "al@home.test".parse().unwrap();
        let failed = [(
            vec![address],
            "550 no mailbox of Al's at home.test".to_owned(),
        )];
        game.mail_reported(now(), &report, &msg, &failed).unwrap();
        assert!(text(&game).contains(" bounced White position ") && game.has_report(&report));
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        let text = text(&game);
        assert!(text.contains(" bounced White position "), "{text}");
        assert!(
            !text.contains("home.test") && !text.contains(" report="),
            "{text}"
        );
    }

    /// The letter that another one put right has the name of the player's machine, too.
    #[test]
    fn nothing_stays_of_a_letter_that_was_put_right() {
        let mut game = game("one", ["Al <al@home.test>", "Ben <ben@example.org>"]);
        for (side, host) in [
            (Color::White, "pc.home.test"),
            (Color::Black, "pc.example.org"),
        ] {
            let note = Event::new(now(), EventKind::Note, side).argument("hello");
            let note = note.key("msg", Some(format!("<second@{host}>")));
            game.push(note.edits(&format!("<first@{host}>").parse().unwrap()))
                .unwrap();
        }
        game.push(Event::new(now(), EventKind::Resign, Color::White))
            .unwrap();
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        let text = text(&game);
        assert!(!text.contains("home.test"), "{text}");
        let edits: Vec<Option<&str>> = game.log().iter().map(|event| event.get("edits")).collect();
        assert_eq!(
            edits[1..3],
            [None, Some("<first@pc.example.org>")],
            "{text}"
        );
    }

    /// It would be owed again by `mail retry`.
    #[test]
    fn mail_to_the_player_that_was_refused_is_dropped() {
        let ids = MailIds::new(Secret::from_bytes([7; Secret::LENGTH]), "example.org");
        let mut game = game("one", ["Al <al@home.test>", "Ben <ben@example.org>"]);
        game.push(Event::new(now(), EventKind::Resign, Color::White))
            .unwrap();
        for side in Color::ALL {
            let mail = NewMail::new("position", side);
            let msg = game.owe(now(), mail, &ids).unwrap();
            game.mail_failed(now(), &msg, "smtp", "550 no", false)
                .unwrap();
        }
        assert_eq!(game.undelivered().len(), 2);
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        let left = game.undelivered().iter().map(|refused| refused.mail.to);
        assert_eq!(left.collect::<Vec<_>>(), [Color::Black]);
    }

    /// A name that another player has is that player's in a match of others.
    #[test]
    fn a_namesake_keeps_the_name() {
        let anna = game("one", ["Anna <anna@example.org>", "Ben <ben@example.org>"]);
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&anna, &[Color::White]);
        let mut other = game(
            "two",
            ["Ben <ben@example.org>", "Anna Alt <alt@example.org>"],
        );
        let note = Event::new(now(), EventKind::Note, Color::White);
        other.push(note.argument("Well played, Anna!")).unwrap();
        assert!(other.cleared_of(&stranger, now()).unwrap().is_none());
        let mut third = game(
            "three",
            ["Ben <ben@example.org>", "Carl <carl@example.org>"],
        );
        let note = Event::new(now(), EventKind::Note, Color::White);
        third.push(note.argument("I lost to ANNA.")).unwrap();
        let cleared = third.cleared_of(&stranger, now()).unwrap().unwrap();
        assert!(
            text(&cleared).contains("I lost to Player 1."),
            "{}",
            text(&cleared)
        );
    }

    #[test]
    fn nobody_owes_mail_to_a_player_who_was_forgotten() {
        let mut game = game("one", ["Anna <anna@example.org>", "Ben <ben@example.org>"]);
        game.push(Event::new(now(), EventKind::Resign, Color::White))
            .unwrap();
        let mut stranger = Stranger::new(1).unwrap();
        stranger.know(&game, &[Color::White]);
        let game = game.forgetting(&[Color::White], &stranger, now()).unwrap();
        assert!(game.is_forgotten(Color::White) && !game.is_forgotten(Color::Black));
        let to = |side| NewMail::new("note", side);
        assert!(!game.takes(&to(Color::White)) && game.takes(&to(Color::Black)));
        let answer = to(Color::White).at_address("anna@example.org".parse().unwrap());
        assert!(!game.takes(&answer));
    }
}
