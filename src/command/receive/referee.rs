//! A message from the referee of a player's match.
//!
//! The referee's program keeps the match and sends each player the other's moves. Such a
//! mail is information: at most one move of it is entered, and nothing is answered.

use crate::Error;
use crate::command::receive::candidates::Candidates;
use crate::command::receive::effect::Effect;
use crate::command::receive::message::Handler;
use crate::command::receive::report::Report;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::{match_lookup, referee, sender_authentication};
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::Disposition;
use crate::matches::event::{Event, LogEntry};
use crate::matches::mail_id::looks_made_for;
use crate::matches::r#match::Match;
use crate::notation::reader;
use crate::quoting::sent::Sent;
use crate::rules::Color;
use crate::store::store::Store as _;
use crate::store::update::update;

impl Handler<'_> {
    /// Takes a message from the referee of a match that the user plays. Returns none if
    /// it is not from one. The subject names the match: the text may carry the words of
    /// a player, which could name another.
    ///
    /// # Errors
    ///
    /// If the message must come again: it could not be saved, or is a program's and
    /// about a match that cannot be read.
    pub(super) fn read_from_referee(
        &mut self,
        message: &IncomingMessage,
        candidates: &Candidates,
    ) -> Result<Option<Report>, Error> {
        let Some(sender) = &message.sender else {
            return Ok(None);
        };
        let is_named = |id: &Id| match_lookup::is_in_subject(message, id);
        let found = candidates.games().find_map(|game| {
            let is_about = game.is_referee(sender) && is_named(game.id());
            Some((game, self.opponent(game)?)).filter(|_| is_about)
        });
        let Some((game, opponent)) = found else {
            let hidden = candidates.survey.damaged.iter();
            let mut hidden = hidden.filter(|(id, _)| is_named(id));
            return match hidden.next().filter(|_| message.machine.is_some()) {
                Some((id, why)) => {
                    self.put_off.add([id.clone()]);
                    Err(Error::refused(why.clone()))
                }
                None => Ok(None),
            };
        };
        let id = game.id();
        let report =
            |word, reason: &str| Some(Report::of(message.id.clone(), word, reason).about(id));
        let policy = &self.session.config.policy;
        let checked = sender_authentication::check_referee(policy, message, game, opponent);
        if let Err(reason) = checked {
            return Ok(report(Disposition::Stranger, &reason.to_string()));
        }
        self.put_off.check(id)?;
        let entered = self.enter(message, game, opponent);
        if entered.is_err() {
            self.put_off.add([id.clone()]);
        }
        let (word, effect) = entered?;
        Ok(match word {
            Disposition::Ignored => report(
                Disposition::Ignored,
                "it is the referee's, and its list has no next move of the opponent",
            ),
            word => report(word, "").map(|report| report.doing(effect)),
        })
    }

    /// Enters the opponent's move that a referee's mail tells of, if it does.
    fn enter(
        &self,
        message: &IncomingMessage,
        game: &Match,
        opponent: Color,
    ) -> Result<(Disposition, Option<Effect>), Error> {
        let read = self.cache.read(game.id())?;
        let entry = |event| {
            let entry = LogEntry::new(self.session.now, event, opponent);
            entry.key("msg", Some(&message.id))
        };
        // The first mail is noted, so that the player's first mail can answer it: the
        // referee's policy may ask for that.
        let note = |game: &mut Match| {
            let is_first = game.last_received(opponent).is_none();
            if !is_first || !looks_made_for(game.id(), &message.id) {
                return Ok(Disposition::Ignored);
            }
            game.push(entry(Event::Note(None)))?;
            Ok(Disposition::Note)
        };
        let (word, stored) = update(&*self.cache, read, |game| {
            if game.received(opponent, &message.id).is_some() {
                return Ok(Disposition::Duplicate);
            }
            if game.turn() != Some(opponent) {
                return note(game);
            }
            let lines = message.lines(&Sent::nothing());
            let text = reader::read_lines(lines, game.variant());
            let Some(next) = referee::next_move(game, &text) else {
                return note(game);
            };
            game.push(entry(Action::play(next).into()))?;
            Ok(Disposition::Accepted)
        })?;
        let is_new = matches!(word, Disposition::Accepted | Disposition::Note);
        let event = stored.game.log().last().filter(|_| is_new);
        let effect = event.map(|event| Effect::of(opponent, vec![event.clone()], &stored.game));
        Ok((word, effect))
    }

    /// Returns true if a letter is the opponent's, in a match that a referee keeps. The
    /// opponent's moves come from the referee alone, so that both have the same.
    pub(super) fn bypasses_referee(&self, game: &Match, side: Color) -> bool {
        game.settings().referee.is_some() && self.opponent(game) == Some(side)
    }

    /// Returns the side of the user's opponent, if the user plays one side.
    fn opponent(&self, game: &Match) -> Option<Color> {
        match game.sides_of(&self.session.me.player).as_slice() {
            [side] => Some(!*side),
            _ => None,
        }
    }
}
