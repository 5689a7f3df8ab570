//! The partner's turns: a queue apart. No letter waits for it, and no lock of a match is held while
//! it thinks: a match is read, thought about, and changed only if it is still as it was.
//!
//! What is due is found by the partner's mailbox among the matches that go on, so that the cost
//! of a look grows with the matches that the partner has under way. Those that are over are read
//! for the time of their thoughts only once something is due.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::Error;
use crate::engine::{Engine, Level};
use crate::limits::THINKING;
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::Match;
use crate::matches::player::address_of_partner;
use crate::matches::program::PartnerCall;
use crate::referee::partner_invitation::first_mail;
use crate::referee::session::Session;
use crate::rules::Color;
use crate::store::errand::Errand;
use crate::store::store::{Store, Stored, update};

/// The key of a line of the log that a thought has caused: the processor's milliseconds.
const THOUGHT: &str = "thought";

/// One look at what is due, and the turns that follow from it, the longest due first.
pub(crate) struct Round {
    due: VecDeque<Id>,
    /// The processor time of the hour, so far.
    spent: Duration,
    /// Keeps others from thinking about the same.
    _lock: Option<Box<dyn Any>>,
}

/// What became of a turn that was due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TurnOutcome {
    /// The partner has done something, of which mail may be owed.
    Done,
    /// The match has gone on meanwhile, or nothing is due there.
    Nothing,
}

impl Round {
    /// Looks what is due. Returns none if nothing is, or another process is at it.
    ///
    /// # Errors
    ///
    /// If the store cannot tell.
    pub(crate) fn begin(store: &dyn Store, now: DateTime<Utc>) -> Result<Option<Round>, Error> {
        if due(store, now)?.is_empty() {
            return Ok(None);
        }
        let lock = {
            let _errand = Errand::without_waiting();
            match store.lock_partner() {
                Ok(lock) => lock,
                Err(error) if error.is_held() || error.is_transient() => return Ok(None),
                Err(error) => return Err(error),
            }
        };
        // Another process may just have been at it.
        Ok(Some(Round {
            due: due(store, now)?,
            spent: spent(store, now)?,
            _lock: lock,
        }))
    }

    /// Returns how many turns are due that this round has not come to.
    pub(crate) fn left(&self) -> usize {
        self.due.len()
    }

    /// Takes the next turn that is due, unless the time of the hour is used up.
    pub(crate) fn next(
        &mut self,
        session: &Session,
        store: &dyn Store,
    ) -> Option<(Id, Result<TurnOutcome, Error>)> {
        if self.spent >= THINKING {
            return None;
        }
        let id = self.due.pop_front()?;
        // A fault of ours in one match must not keep the others from their turns.
        let taken = catch_unwind(AssertUnwindSafe(|| take_turn(session, store, &id)));
        let taken = taken.unwrap_or_else(|_| {
            let fault = "a turn of the partner made the program panic, which is a bug";
            Err(Error::refused(format!("{id}: {fault}")))
        });
        let outcome = taken.map(|(outcome, thought)| {
            self.spent += thought;
            outcome
        });
        Some((id, outcome))
    }
}

/// Returns the matches that call for the partner, the longest due first.
fn due(store: &dyn Store, now: DateTime<Utc>) -> Result<VecDeque<Id>, Error> {
    let mut due = Vec::new();
    for id in store.going_on_of(&address_of_partner())? {
        // One that cannot be read waits until it is mended.
        let Ok(Some(Stored { game, .. })) = store.find(&id) else {
            continue;
        };
        if game.calls_partner(now).is_some() {
            due.push((last_action(&game), id));
        }
    }
    due.sort();
    Ok(due.into_iter().map(|(_, id)| id).collect())
}

/// Returns the processor time of the partner's thoughts within the last hour, as the logs of its
/// matches have it, of those that are over, too.
fn spent(store: &dyn Store, now: DateTime<Utc>) -> Result<Duration, Error> {
    let begin = now - TimeDelta::hours(1);
    let recent = store.recent(&address_of_partner())?;
    let games = recent.iter().map(|stored| &*stored.game);
    Ok(games.map(|game| spent_in(game, begin)).sum())
}

/// Returns the time of the last thing that a player has done.
fn last_action(game: &Match) -> DateTime<Utc> {
    let mut log = game.log().iter().rev();
    let last = log.find(|event| event.action().is_some());
    last.map_or(game.started(), |event| event.time)
}

fn spent_in(game: &Match, begin: DateTime<Utc>) -> Duration {
    let log = game.log().iter().rev();
    let recent = log.take_while(|event| event.time > begin);
    let thoughts = recent.filter_map(|event| event.get(THOUGHT)?.parse().ok());
    thoughts.map(Duration::from_millis).sum()
}

/// What of a match a thought rests on.
fn seen(game: &Match) -> (String, Option<Color>, Option<Color>, Option<Color>) {
    (game.hash(), game.turn(), game.offer(), game.takeback())
}

/// Does what a match calls for. Returns the processor time that it took to think.
fn take_turn(
    session: &Session,
    store: &dyn Store,
    id: &Id,
) -> Result<(TurnOutcome, Duration), Error> {
    let Some(Stored { game, .. }) = store.find(id)? else {
        return Ok((TurnOutcome::Nothing, Duration::ZERO));
    };
    let Some((call, partner)) = game.calls_partner(session.now).zip(game.partner()) else {
        return Ok((TurnOutcome::Nothing, Duration::ZERO));
    };
    let begun = processor_time();
    let actions = answer(&game, partner, call);
    let thought = processor_time().saturating_sub(begun);
    let session = &session.at_present()?;
    let known = seen(&game);
    let from = store.read_to_change(id)?;
    let (outcome, _) = update(store, from, |game| {
        if seen(game) != known || game.calls_partner(session.now) != Some(call) {
            return Ok(TurnOutcome::Nothing);
        }
        if call == PartnerCall::Lapse {
            game.push(LogEntry::new(session.now, Event::Lapsed, Who::Nobody))?;
        } else {
            record(game, partner.0, &actions, thought, session)?;
        }
        Ok(TurnOutcome::Done)
    })?;
    Ok((outcome, thought))
}

/// Returns what the partner does: nothing where its invitation has lapsed.
fn answer(game: &Match, partner: (Color, Level), call: PartnerCall) -> Vec<Action> {
    match call {
        PartnerCall::Lapse => Vec::new(),
        PartnerCall::GiveUp => vec![Action::Resign],
        PartnerCall::Turn => {
            if let Some(answer) = game.answer_to_takeback() {
                return vec![answer];
            }
            let mut engine = Engine::new(game.variant());
            let turn = game.turn_of_program(&mut engine, partner, None);
            // It plays on as long as there is a move, and the rules end the game where none is.
            turn.map_or(vec![Action::Resign], |turn| turn.actions)
        }
    }
}

/// Adds what the partner does to a match, and the mail that tells the person.
fn record(
    game: &mut Match,
    side: Color,
    actions: &[Action],
    thought: Duration,
    session: &Session,
) -> Result<(), Error> {
    let now = session.now;
    let mut thought = Some(thought.as_millis());
    for action in actions {
        if game.turn().is_some() {
            let entry = game.entry(now, action.clone(), side);
            game.push(entry.key(THOUGHT, thought.take()))?;
        }
    }
    let person = !side;
    if !game.takes_mail(person) {
        return Ok(());
    }
    let mail = if game.mails_to(person).next().is_none() {
        first_mail(game, person)
    } else {
        NewMail::new(MailKind::Position, person)
            .answering(game.last_received(person))
            .automatic()
    };
    game.owe(now, mail, &session.ids).map(|_| ())
}

/// Returns the processor time of this thread; where there is no such clock, the time that passes.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::sync::LazyLock;

    static BEGIN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}
