//! A run reports on its messages in lines, in JSON or in sentences.

use std::collections::BTreeSet;

use serde::Serialize;

use tracing::info;

use crate::Error;
use crate::command::arguments::{Delivery, Telling};
use crate::command::context::{Context, JSON_AND_MAIL, json};
use crate::command::receive::people;
use crate::command::status::Status;
use crate::config::transport::TransportSettings;
use crate::match_id::Id;
use crate::matches::event::Disposition;
use crate::referee::session::Session;
use crate::referee::verdict::Verdict;
use crate::store::cache::Cache;
use crate::store::store::Store as _;

/// The report on the messages of a run.
#[derive(Default)]
pub(crate) struct Reporter {
    form: Form,
    heard: Heard,
}

/// The form in which messages are reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Form {
    /// A line with tabs for each message.
    #[default]
    Porcelain,
    /// A JSON object for each message.
    Json,
    /// Sentences, for a person at a terminal.
    People,
}

/// The messages that a person has read about.
#[derive(Default)]
struct Heard {
    /// The messages that were reported.
    reported: usize,
    /// The messages that were handled in an earlier run.
    old: usize,
    /// The messages that are about no match.
    unrelated: usize,
    /// The matches whose position is to be shown in the end.
    matches: BTreeSet<Id>,
    /// The match of the last message that was handled in an earlier run.
    known: Option<Id>,
}

/// The reason why a message is passed over, for a person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PassedOver {
    Old,
    Unrelated,
}

impl Reporter {
    /// Creates what tells of messages as the command line says, or as standard output
    /// suggests, which may be a terminal.
    ///
    /// # Errors
    ///
    /// If JSON is asked for where the configured transport prints mail.
    pub(crate) fn new(
        args: Telling,
        delivery: Delivery,
        session: &Session,
        is_shown: bool,
    ) -> Result<Reporter, Error> {
        let prints = delivery.send && session.config.transport == TransportSettings::Print;
        let form = match args {
            Telling { json: true, .. } if prints => return Err(Error::usage(JSON_AND_MAIL)),
            Telling { json: true, .. } => Form::Json,
            Telling {
                porcelain: true, ..
            } => Form::Porcelain,
            Telling { .. } if is_shown => Form::People,
            Telling { .. } => Form::Porcelain,
        };
        Ok(Reporter {
            form,
            heard: Heard::default(),
        })
    }

    /// Tells what became of a message.
    pub(super) fn tell(
        &mut self,
        verdict: &Verdict,
        cache: &Cache<'_>,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        match self.form {
            Form::Porcelain => verdict.tell(context),
            Form::Json => context.report(json(&received(verdict))? + "\n"),
            Form::People => {
                let Some(passed_over) = passed_over(verdict, cache) else {
                    self.heard.reported += 1;
                    if is_about_position(verdict) {
                        self.heard.matches.extend(verdict.game.clone());
                    }
                    return context.report(people::account(verdict, people::columns()) + "\n");
                };
                match passed_over {
                    PassedOver::Old => self.heard.old += 1,
                    PassedOver::Unrelated => self.heard.unrelated += 1,
                }
                if passed_over == PassedOver::Old {
                    self.heard.known.clone_from(&verdict.game);
                }
                Ok(())
            }
        }
    }

    /// Ends the run: shows a person where the matches stand, and counts what was passed
    /// over.
    pub(super) fn close(
        &mut self,
        session: &Session,
        cache: &Cache<'_>,
        is_dry_run: bool,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        if self.form != Form::People {
            return Ok(());
        }
        let Heard {
            reported,
            old,
            unrelated,
            mut matches,
            known,
        } = std::mem::take(&mut self.heard);
        // Somebody who has a single message read again wants to see the match.
        if reported + old + unrelated == 1 {
            matches.extend(known);
        }
        let columns = people::columns();
        for id in matches {
            // A match that cannot be read has been reported.
            if let Ok(stored) = cache.read(&id) {
                let shown = people::standing(&stored.game, session, columns);
                context.report(shown + "\n")?;
            }
        }
        let mut last = people::passed_over(old, unrelated);
        if is_dry_run && reported > 0 {
            last.push_str("This was a dry run: nothing has been done.\n");
        }
        context.report(people::folded(&last, columns))
    }
}

impl Verdict {
    /// Logs and counts the message.
    pub(super) fn note(&self, context: &mut Context<'_>) {
        let game = self.game.as_ref().map_or("-", Id::as_str);
        info!(msg = %self.message, "match" = game, outcome = %self.word, "received");
        context.counts.received(self.word);
    }

    /// Writes the line of the message, and the reason for people.
    pub(super) fn tell(&self, context: &mut Context<'_>) -> Result<(), Error> {
        let game = self.game.as_ref().map_or("-", Id::as_str);
        let line = format!("{}\t{game}\t{}\n", self.message, self.word);
        context.report(line)?;
        if !self.reason.is_empty() {
            context.say(format_args!("{game}: {}: {}", self.word, self.reason));
        }
        if !self.hint.is_empty() {
            context.say(&self.hint);
        }
        Ok(())
    }

    /// Returns the exit status for the message.
    pub(super) fn status(&self) -> Status {
        match self.word {
            Disposition::Accepted
            | Disposition::Duplicate
            | Disposition::Command
            | Disposition::Note
            | Disposition::Invitation
            | Disposition::Undelivered
            | Disposition::Ignored => Status::Done,
            Disposition::Deferred => Status::Later,
            _ => Status::Refused,
        }
    }
}

/// Returns why nothing of a message is reported to a person, if that is so.
fn passed_over(verdict: &Verdict, cache: &Cache<'_>) -> Option<PassedOver> {
    if !verdict.hint.is_empty() {
        return None;
    }
    let is_own = |id: &Id| {
        let stored = cache.read(id);
        stored.is_ok_and(|stored| stored.game.mailed(&verdict.message))
    };
    match (verdict.word, &verdict.game) {
        (Disposition::Duplicate, _) => Some(PassedOver::Old),
        (Disposition::Stranger | Disposition::Ignored, None) => Some(PassedOver::Unrelated),
        (Disposition::Ignored, Some(id)) if is_own(id) => Some(PassedOver::Unrelated),
        _ => None,
    }
}

/// Returns true if a person wants to see the position of the match that a message is
/// about.
fn is_about_position(verdict: &Verdict) -> bool {
    match verdict.word {
        Disposition::Invitation => true,
        Disposition::Stranger | Disposition::Ignored | Disposition::Deferred => false,
        _ => verdict.effect.is_some(),
    }
}

/// The object that `--json` writes for a message in a match.
#[derive(Serialize)]
struct Received<'a> {
    message_id: &'a str,
    /// The match; null if the message is about none.
    id: Option<&'a str>,
    word: &'static str,
    /// The reason, for people.
    reason: Option<&'a str>,
    /// The next step, for people.
    hint: Option<&'a str>,
    /// The number of the half-move that was played, from 1.
    ply: Option<usize>,
    /// That half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    text: Option<&'a str>,
}

/// Tells a program what became of a message.
fn received(verdict: &Verdict) -> Received<'_> {
    let effect = verdict.effect.as_ref();
    let played = effect.and_then(|effect| effect.played.as_ref());
    Received {
        message_id: verdict.message.as_str(),
        id: verdict.game.as_ref().map(Id::as_str),
        word: verdict.word.as_str(),
        reason: said(&verdict.reason),
        hint: said(&verdict.hint),
        ply: played.map(|played| played.ply),
        text: played.map(|played| played.text.as_str()),
    }
}

/// Returns a text, or none for an empty one.
fn said(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
