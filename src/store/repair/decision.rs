//! What was played in a match whose log cannot be trusted as it stands.

use crate::matches::r#match::hash;
use crate::rules::Record;
use crate::store::repair::builder::Builder;
use crate::store::repair::{Proof, Undecided, common, is_beginning, moves, undecided};

impl Builder<'_> {
    /// What was played, by the log and what stands above it.
    pub(super) fn decide(&mut self) -> Result<Record, Undecided> {
        let logged = self.game.record().clone();
        let listed = self.head.told.record.clone();
        if self.is_sound {
            return Ok(logged);
        }
        if self.remains.log.is_empty() {
            return self.list_alone(listed);
        }
        let (l, h) = (logged.steps().len(), listed.steps().len());
        let same = common(&logged, &listed);
        let mut choices = if self.head.says_nothing() {
            match self.doubtful.as_slice() {
                [] => return Ok(logged),
                [first, ..] if !self.is_proven(&logged, 0) => {
                    return undecided(format!(
                        "line {first} was changed, or one before it lost, and nothing bears it out: neither a list above the log nor a mail (--from)"
                    ));
                }
                _ => vec![&logged],
            }
        } else if same == l && l == h {
            // Whoever changed a move may have changed it in both.
            let is_certain =
                self.doubtful.is_empty() || self.head.diagram.is_none() || self.head.shows(&logged);
            if !is_certain && !self.is_proven(&logged, l.saturating_sub(1)) {
                return undecided(format!(
                    "line {} was changed, or one before it lost, and the diagram shows another position than the moves lead to; a mail (--from) can decide",
                    self.doubtful[0]
                ));
            }
            vec![&logged]
        } else {
            // With the diagram two of three say the same.
            let both = [&logged, &listed].into_iter();
            both.filter(|record| self.head.shows(record)).collect()
        };
        // Where they part, the diagram bears a log out that nobody has touched,
        // and never a list against it.
        let is_borne_out = same == l.min(h)
            || self.doubtful.is_empty()
                && choices
                    .first()
                    .is_some_and(|record| common(record, &logged) == l);
        if choices.len() != 1 || !is_borne_out {
            let both = [&logged, &listed].into_iter();
            choices = both.filter(|record| self.is_proven(record, same)).collect();
        }
        match choices.as_slice() {
            [record] => Ok((*record).clone()),
            _ => Err(Undecided(vec![
                "the log and the list above it tell different matches, and nothing proves which is right:".to_owned(),
                format!("  the log:  {}", moves(&logged, same)),
                format!("  the list: {}", moves(&listed, same)),
                "mails of the match can decide (--from)".to_owned(),
            ])),
        }
    }

    /// Whether the proofs know more than so many half-moves, and all agree with
    /// that record.
    fn is_proven(&self, record: &Record, beyond: usize) -> bool {
        let mut long = self.proofs.iter();
        long.any(|proof| proof.record.steps().len() > beyond)
            && self.proofs.iter().all(|proof| {
                is_beginning(&proof.record, record) || is_beginning(record, &proof.record)
            })
    }

    /// What was played by the list above a log that has gone: as much as is
    /// complete.
    fn list_alone(&mut self, listed: Record) -> Result<Record, Undecided> {
        let is_shown = self.head.shows(&listed);
        if listed.steps().is_empty() && !is_shown && self.proofs.is_empty() {
            return undecided(
                "neither a log nor a list is left of it; mails of the match may have one (--from)",
            );
        }
        self.lost.push("the log".to_owned());
        if !is_shown && self.head.diagram.is_some() {
            self.lost.push(
                "the last moves: the diagram shows another position than those that are left lead to".to_owned(),
            );
        } else if !is_shown && self.head.told.reach.is_some() {
            self.lost
                .push("the last moves, if the list went on".to_owned());
        }
        Ok(listed)
    }

    /// The record with what proofs know beyond it.
    pub(super) fn extend(&mut self, record: Record) -> Result<Record, Undecided> {
        let id = self.game.id().clone();
        let variant = self.game.variant().clone();
        // What was taken back later stands in older mails.
        let is_past = |proof: &&Proof| self.past.contains(&hash(&id, &variant, &proof.record));
        let mut open: Vec<&Proof> = self.proofs.iter().filter(|proof| !is_past(proof)).collect();
        open.sort_by_key(|proof| proof.record.steps().len());
        let Some(longest) = open.last() else {
            return Ok(record);
        };
        for proof in &open {
            for other in [&record, &longest.record] {
                if is_beginning(&proof.record, other) || is_beginning(other, &proof.record) {
                    continue;
                }
                let same = common(&proof.record, other);
                return Err(Undecided(vec![
                    "two records of the match part, and both may be right:".to_owned(),
                    format!("  {}: {}", proof.name, moves(&proof.record, same)),
                    format!("  elsewhere: {}", moves(other, same)),
                    "nothing is done; leave out the one that is not to count".to_owned(),
                ]));
            }
        }
        if longest.record.steps().len() <= record.steps().len() {
            return Ok(record);
        }
        Ok(longest.record.clone())
    }
}
