//! Taking the last move back by agreement of both.

use std::fmt;
use std::str::FromStr;

use crate::matches::event::{Event, EventKind};
use crate::matches::r#match::Match;
use crate::matches::state::State;
use crate::rules::Color;

/// What a player does about taking the last move back: the argument of the
/// event `takeback`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takeback {
    /// Proposes it; that lapses at the next move.
    Propose,
    /// Agrees: the move is taken back.
    Accept,
    /// Does not agree.
    Decline,
}

impl fmt::Display for Takeback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Takeback::Propose => "propose",
            Takeback::Accept => "accept",
            Takeback::Decline => "decline",
        })
    }
}

impl FromStr for Takeback {
    type Err = String;

    fn from_str(word: &str) -> Result<Takeback, String> {
        [Takeback::Propose, Takeback::Accept, Takeback::Decline]
            .into_iter()
            .find(|action| action.to_string() == word)
            .ok_or_else(|| format!("'{word}' is none of propose, accept and decline"))
    }
}

impl Match {
    /// The match as it was each time before a move was taken back by agreement,
    /// the last time first. The mails of that time are about that.
    pub fn before_takebacks(&self) -> impl Iterator<Item = Match> + '_ {
        let accept = Takeback::Accept.to_string();
        let log = self.log().iter().enumerate().rev();
        log.filter(move |(_, event)| {
            event.kind == EventKind::Takeback && event.argument.as_deref() == Some(accept.as_str())
        })
        .filter_map(|(lines, _)| self.as_of(lines).ok())
    }
}

impl State {
    /// Takes in the event `takeback` of that player.
    ///
    /// # Errors
    ///
    /// If there is nothing to take back or nothing to answer.
    pub(super) fn take_back(&mut self, event: &Event, color: Color) -> Result<(), String> {
        self.must_go_on()?;
        let action = event.argument.as_deref().unwrap_or_default().parse()?;
        match (action, self.takeback) {
            (Takeback::Propose, None) => {
                if self.record.steps().is_empty() {
                    return Err("nothing has been played".to_owned());
                }
                self.takeback = Some(color);
            }
            (Takeback::Propose, Some(other)) if other == color => {
                return Err("that is proposed already".to_owned());
            }
            (Takeback::Propose, Some(other)) => {
                return Err(format!(
                    "{} has proposed it, which can be accepted",
                    self.name(other)
                ));
            }
            (Takeback::Accept, Some(other)) if other != color => {
                self.unplay();
                self.since = event.time;
            }
            (Takeback::Decline, Some(other)) if other != color => self.takeback = None,
            (Takeback::Accept | Takeback::Decline, _) => {
                return Err(format!(
                    "no proposal by {} to take a move back stands",
                    self.name(!color)
                ));
            }
        }
        Ok(())
    }
}
