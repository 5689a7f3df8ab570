//! The evidence for a damaged log: the list and the diagram above it, and records
//! from elsewhere; and the moves that all of them agree on.

use crate::notation::diagram::Diagram;
use crate::notation::move_list::{self, FollowedList};
use crate::notation::moves::Manner;
use crate::notation::reader::{self, PartKind};
use crate::plural::half_moves;
use crate::rules::{Record, Variant};

/// A record of a match from elsewhere.
#[derive(Clone, Debug)]
pub struct OutsideRecord {
    /// Its name in messages.
    pub name: String,
    /// The record of play.
    pub record: Record,
}

/// Why a match cannot be rebuilt: lines for people, with every match that it
/// could have been.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Undecided(String);

pub(super) fn undecided<T>(why: impl Into<String>) -> Result<T, Undecided> {
    Err(Undecided(why.into()))
}

/// The evidence besides the log.
pub(super) struct Evidence<'a> {
    list: FollowedList,
    diagram: Option<Diagram>,
    proofs: &'a [OutsideRecord],
}

impl<'a> Evidence<'a> {
    /// Reads the text between the headers and the log.
    pub(super) fn read(body: &str, variant: &Variant, proofs: &'a [OutsideRecord]) -> Evidence<'a> {
        let text = reader::read(body, variant);
        let start = Record::new(variant.start());
        let mut diagrams = text.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Diagram(drawn) => Some(drawn.diagram.clone()),
            _ => None,
        });
        Evidence {
            diagram: diagrams.next_back(),
            list: move_list::follow_lists(&start, &text, |manner| manner != Manner::Prose),
            proofs,
        }
    }

    /// The half-move of that number, from 0, by the list and by each proof.
    pub(super) fn moves_at(&self, ply: usize) -> impl Iterator<Item = String> {
        let records = self.proofs.iter().map(|proof| &proof.record);
        std::iter::once(&self.list.record)
            .chain(records)
            .filter_map(move |record| record.steps().get(ply))
            .map(|step| step.text.clone())
    }

    /// Returns true if the diagram is of the position that these moves lead to.
    fn shows(&self, record: &Record) -> bool {
        let diagram = self.diagram.as_ref();
        diagram.is_some_and(|diagram| diagram.shows(record.position()))
    }

    /// Returns true if the proofs have more than that many half-moves, and all agree
    /// with the record.
    fn prove(&self, record: &Record, beyond: usize) -> bool {
        let is_longer = |proof: &OutsideRecord| proof.record.steps().len() > beyond;
        self.proofs.iter().any(is_longer)
            && self.proofs.iter().all(|proof| agree(&proof.record, record))
    }

    /// Returns the play where the log cannot be trusted as it stands. `doubtful`
    /// are the lines of the log that no hash proves.
    ///
    /// # Errors
    ///
    /// If nothing bears those lines out, or the list has other moves and
    /// nothing proves which are right.
    pub(super) fn decide(&self, logged: &Record, doubtful: &[usize]) -> Result<Record, Undecided> {
        let listed = &self.list.record;
        let [shortest, longest] = ends(logged, listed);
        let same = common(logged, listed);
        if self.list.reach.is_none() && self.diagram.is_none() {
            return match doubtful {
                [first, ..] if !self.prove(logged, 0) => undecided(format!(
                    "line {first} was changed, or one before it lost, and nothing bears it out: neither a list above the log nor a mail (--from)"
                )),
                _ => Ok(logged.clone()),
            };
        }
        if same == longest {
            // A move that was changed may have been changed in both.
            let is_contradicted = self.diagram.is_some() && !self.shows(logged);
            return match doubtful {
                [first, ..] if is_contradicted && !self.prove(logged, same.saturating_sub(1)) => {
                    undecided(format!(
                        "line {first} was changed, or one before it lost, and the diagram shows another position than the moves lead to; a mail (--from) can decide"
                    ))
                }
                _ => Ok(logged.clone()),
            };
        }
        let only = |is_logged, is_listed| match (is_logged, is_listed) {
            (true, false) => Some(logged),
            (false, true) => Some(listed),
            _ => None,
        };
        // If they differ, the diagram bears out a log that nobody has
        // changed, but never a list against it.
        let (shows_log, shows_list) = (self.shows(logged), self.shows(listed));
        let shown = only(shows_log, shows_list)
            .filter(|_| same == shortest || shows_log && doubtful.is_empty());
        let proven = || only(self.prove(logged, same), self.prove(listed, same));
        match shown.or_else(proven) {
            Some(record) => Ok(record.clone()),
            None => undecided(format!(
                "the log and the list above it tell different matches, and nothing proves which is right:\n  the log:  {}\n  the list: {}\nmails of the match can decide (--from)",
                moves(logged, same),
                moves(listed, same)
            )),
        }
    }

    /// Returns the play by the list above a log that has gone: as much as is
    /// complete. Says in `lost` what is not.
    ///
    /// # Errors
    ///
    /// If there is no list either, nor a proof.
    pub(super) fn list_alone(&self, lost: &mut Vec<String>) -> Result<Record, Undecided> {
        let listed = &self.list.record;
        let is_shown = self.shows(listed);
        if listed.steps().is_empty() && !is_shown && self.proofs.is_empty() {
            return undecided(
                "neither a log nor a list is left of it; mails of the match may have one (--from)",
            );
        }
        lost.push("the log".to_owned());
        if !is_shown && self.diagram.is_some() {
            lost.push("the last moves: the diagram shows another position than those that are left lead to".to_owned());
        } else if !is_shown && self.list.reach.is_some() {
            lost.push("the last moves, if the list went on".to_owned());
        }
        Ok(listed.clone())
    }

    /// The record with the moves that proofs have beyond it. Older mails have
    /// moves that were taken back later: a proof that `is_past` does not count.
    ///
    /// # Errors
    ///
    /// If a proof has other moves than the record or another proof.
    pub(super) fn extend(
        &self,
        record: Record,
        is_past: impl Fn(&Record) -> bool,
    ) -> Result<Record, Undecided> {
        let proofs = self.proofs.iter().filter(|proof| !is_past(&proof.record));
        let mut proofs: Vec<&OutsideRecord> = proofs.collect();
        proofs.sort_by_key(|proof| proof.record.steps().len());
        let Some(longest) = proofs.last() else {
            return Ok(record);
        };
        for proof in &proofs {
            let mut others = [&record, &longest.record].into_iter();
            if let Some(other) = others.find(|other| !agree(&proof.record, other)) {
                let same = common(&proof.record, other);
                return undecided(format!(
                    "two records of the match part, and both may be right:\n  {}: {}\n  elsewhere: {}\nnothing is done; leave out the one that is not to count",
                    proof.name,
                    moves(&proof.record, same),
                    moves(other, same)
                ));
            }
        }
        let is_longer = longest.record.steps().len() > record.steps().len();
        Ok(if is_longer {
            longest.record.clone()
        } else {
            record
        })
    }
}

/// Returns the number of half-moves that two records have in common.
pub(super) fn common(one: &Record, other: &Record) -> usize {
    let steps = one.steps().iter().zip(other.steps());
    steps
        .take_while(|(one, other)| one.text == other.text)
        .count()
}

/// The lengths of the shorter and the longer of two records.
fn ends(one: &Record, other: &Record) -> [usize; 2] {
    let (one, other) = (one.steps().len(), other.steps().len());
    [one.min(other), one.max(other)]
}

/// Returns true if one of the records is the beginning of the other.
fn agree(one: &Record, other: &Record) -> bool {
    common(one, other) == ends(one, other)[0]
}

/// The moves from a half-move on, for people.
pub(super) fn moves(record: &Record, from: usize) -> String {
    if record.steps().len() == from {
        return format!("ends after {}", half_moves(from));
    }
    move_list::line(record, from)
}
