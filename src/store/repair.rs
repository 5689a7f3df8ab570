//! Rebuilding a damaged state file from what is left of it, and from what mails
//! prove.
//!
//! The log is the record, and a log whose chain holds is certain. Where it does
//! not hold, what stands above it, a second telling of the moves, must bear it
//! out; where the two part, a hash decides (that of the line, or of a mail), or
//! nobody does: then both readings are shown and nothing is done.

mod beginning;
mod builder;
mod decision;
mod head;

use std::fmt;

use chrono::{DateTime, Utc};

use crate::match_id::Id;
use crate::matches::event::Event;
use crate::matches::r#match::{Match, MatchSettings};
use crate::notation::move_list;
use crate::plural::half_moves;
use crate::rules::Record;
use crate::store::state_file::salvage::{Remains, versions};
use builder::Builder;

/// A record of a match from elsewhere.
#[derive(Clone, Debug)]
pub struct Proof {
    /// What it is called in messages.
    pub name: String,
    /// What was played.
    pub record: Record,
}

/// A match as it can be rebuilt, and what that takes.
#[derive(Clone, Debug)]
pub struct Rebuilt {
    /// The match; saved as it is, it can be read again.
    pub game: Match,
    /// What is done, a clause each.
    pub done: Vec<String>,
    /// What is lost by it, or was.
    pub lost: Vec<String>,
    /// Whether the log is not, line for line, what its chain proves.
    pub is_log_changed: bool,
}

/// Why a match cannot be rebuilt: lines for people, with all that it could
/// have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undecided(Vec<String>);

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

fn undecided<T>(why: impl Into<String>) -> Result<T, Undecided> {
    Err(Undecided(vec![why.into()]))
}

/// What is left of the state file of a match, which may be nothing.
pub struct DamagedFile {
    id: Id,
    versions: Vec<Remains>,
}

impl DamagedFile {
    /// What is left in a text that was the state file of that match.
    #[must_use]
    pub fn new(id: &Id, text: &str) -> DamagedFile {
        // Whatever a line's end was, to an editor that is gone.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let versions = versions(&text);
        DamagedFile {
            id: id.clone(),
            versions: versions.iter().map(|text| Remains::read(text)).collect(),
        }
    }

    /// What the match is about, if the ruin still says.
    #[must_use]
    pub fn settings(&self) -> Option<MatchSettings> {
        let mut settings = self.versions.iter().filter_map(|remains| {
            let begins = remains.log.iter().find(|entry| entry.is_beginning());
            let logged = begins
                .and_then(|entry| entry.event.as_ref())
                .and_then(|event| MatchSettings::of_beginning(&self.id, event));
            logged.or_else(|| remains.settings(&self.id))
        });
        settings.next()
    }

    /// The match rebuilt, with the help of those proofs. Where the ruin does
    /// not say what the match is about, `terms` does.
    ///
    /// # Errors
    ///
    /// If it could have been more than one match, or none.
    pub fn rebuild(
        &self,
        settings: Option<&MatchSettings>,
        proofs: &[Proof],
        now: DateTime<Utc>,
    ) -> Result<Rebuilt, Undecided> {
        let mut rebuilt = Vec::new();
        for remains in &self.versions {
            let builder = Builder::new(&self.id, remains, settings, proofs, now)?;
            rebuilt.push(builder.build()?);
        }
        let Some(second) = rebuilt.pop() else {
            return undecided("nothing is left of the file");
        };
        match rebuilt.pop() {
            None => Ok(second),
            Some(first) => merged(first, second),
        }
    }
}

/// Of two versions that a merge has left, the one that goes on where the other
/// ends.
fn merged(first: Rebuilt, second: Rebuilt) -> Result<Rebuilt, Undecided> {
    let logs = [&first, &second].map(|rebuilt| rebuilt.game.log());
    let same = logs[0]
        .iter()
        .zip(logs[1])
        .take_while(|(one, other)| one == other)
        .count();
    let is_whole = |rebuilt: &Rebuilt| rebuilt.lost.is_empty();
    let mut longer = if same == logs[0].len() && is_whole(&first) {
        second
    } else if same == logs[1].len() && is_whole(&second) {
        first
    } else {
        let line = |log: &[Event]| {
            log.get(same)
                .map_or_else(|| "the end of the log".to_owned(), Event::line)
        };
        return Err(Undecided(vec![
            format!(
                "two versions of the file were merged, and part in line {} of the log:",
                same + 1
            ),
            format!("  the first:  {}", line(logs[0])),
            format!("  the second: {}", line(logs[1])),
            "put one of the two back, whole".to_owned(),
        ]));
    };
    let what = "of two merged versions, the one is taken that the other is the beginning of";
    longer.done.insert(0, what.to_owned());
    Ok(longer)
}

/// How many half-moves two records have in common.
fn common(one: &Record, other: &Record) -> usize {
    let steps = one.steps().iter().zip(other.steps());
    steps
        .take_while(|(one, other)| one.text == other.text)
        .count()
}

fn is_beginning(one: &Record, other: &Record) -> bool {
    common(one, other) == one.steps().len()
}

/// The moves from a half-move on, for people.
fn moves(record: &Record, from: usize) -> String {
    if record.steps().len() == from {
        return format!("ends after {}", half_moves(from));
    }
    move_list::line(record, from)
}
