//! Letters with a player's address that do not prove their sender, in a file of the user's data folder.
//! The program tells the user of such letters once a day for each player, and `list` counts them.
//!
//! ```text
//! 2026-11-20T05:00:00Z 2026-11-21T05:00:00Z 3 g7 Black no mail server has checked its signature
//! ```
//!
//! A line has the times of the first and the last letter, their number, the match, the side, and
//! why the last one proves nothing.

use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use crate::config;
use crate::mail::files::replace;
use crate::match_id::Id;
use crate::matches::event::Who;
use crate::printable::one_line;
use crate::referee::verdict::Verdict;
use crate::rules::Color;
use crate::{Error, clock};

/// The most players whose letters are counted, those of the last letters.
const MOST: usize = 50;

/// The most characters of a reason.
const LONGEST: usize = 120;

/// The time after which letters are forgotten.
const KEPT: TimeDelta = TimeDelta::days(7);

/// The letters that do not prove their sender, by player.
pub(super) struct Unproven {
    path: PathBuf,
    letters: Vec<Letters>,
}

/// The letters of a player.
struct Letters {
    first: DateTime<Utc>,
    last: DateTime<Utc>,
    count: u32,
    id: Id,
    side: Color,
    why: String,
}

impl Unproven {
    /// Reads them. Lines that are none are left out, and so are those that are too old.
    ///
    /// # Errors
    ///
    /// If the user has no home, or the time is unknown.
    pub(super) fn read() -> Result<Unproven, Error> {
        let now = clock::now()?;
        let path = config::data_folder()?.join("unproven");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let letters = text.lines().filter_map(Letters::parse);
        let letters = letters.filter(|letters| now - letters.last < KEPT);
        Ok(Unproven {
            letters: letters.take(MOST).collect(),
            path,
        })
    }

    /// Counts the letter of a verdict, if it is such a letter. Returns true if the user has been
    /// told of another one of that player's on this day. If the file cannot be written, it stays as it was.
    pub(super) fn met(verdict: &Verdict) -> bool {
        let Some((id, side)) = &verdict.unproven else {
            return false;
        };
        let (Ok(now), Ok(mut known)) = (clock::now(), Unproven::read()) else {
            return false;
        };
        let is_it = |letters: &Letters| letters.id == *id && letters.side == *side;
        let before = known.letters.iter().position(is_it);
        let before = before.map(|at| known.letters.remove(at));
        let is_told = before
            .as_ref()
            .is_some_and(|before| before.last.date_naive() == now.date_naive());
        let letters = Letters {
            first: before.as_ref().map_or(now, |before| before.first),
            last: now,
            count: before.map_or(0, |before| before.count).saturating_add(1),
            id: id.clone(),
            side: *side,
            why: one_line(&verdict.reason).chars().take(LONGEST).collect(),
        };
        known.letters.insert(0, letters);
        known.letters.truncate(MOST);
        let text: String = known.letters.iter().map(Letters::line).collect();
        let written = replace::replace_for_user(&known.path, text.as_bytes());
        is_told && written.is_ok()
    }

    /// Returns a clause for each player of these matches with several such letters.
    pub(super) fn told(&self, is_here: impl Fn(&Id) -> bool) -> impl Iterator<Item = String> {
        let several = self.letters.iter();
        let several = several.filter(move |letters| letters.count > 1 && is_here(&letters.id));
        several.map(|letters| {
            let Letters {
                count,
                id,
                side,
                why,
                ..
            } = letters;
            let (first, last) = (letters.first.date_naive(), letters.last.date_naive());
            format!(
                "{id}: {count} letters from the address of {} did not count ({first} to {last}); the last one: {why}",
                Who::from(*side)
            )
        })
    }
}

impl Letters {
    fn parse(line: &str) -> Option<Letters> {
        let mut words = line.splitn(6, ' ');
        let mut time = || words.next()?.parse().ok();
        let (first, last) = (time()?, time()?);
        Some(Letters {
            first,
            last,
            count: words.next()?.parse().ok()?,
            id: words.next()?.parse().ok()?,
            side: side_of(words.next()?)?,
            why: one_line(words.next()?),
        })
    }

    fn line(&self) -> String {
        let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
        let (first, last) = (time(self.first), time(self.last));
        let Letters {
            count,
            id,
            side,
            why,
            ..
        } = self;
        format!("{first} {last} {count} {id} {} {why}\n", Who::from(*side))
    }
}

fn side_of(word: &str) -> Option<Color> {
    let mut sides = Color::ALL.into_iter();
    sides.find(|side| Who::from(*side).to_string() == word)
}
