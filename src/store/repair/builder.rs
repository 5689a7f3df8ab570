//! Rebuilding one version of a state file: its log replayed, what was played
//! decided, and the log made one in which just that was played.

use chrono::{DateTime, Utc};

use crate::match_id::Id;
use crate::matches::ending::Ending;
use crate::matches::event::{Event, EventKind, Who};
use crate::matches::r#match::{Match, MatchSettings};
use crate::rules::{Color, Record};
use crate::store::chain;
use crate::store::repair::beginning::Beginning;
use crate::store::repair::head::Head;
use crate::store::repair::{Proof, Rebuilt, Undecided, common, moves, undecided};
use crate::store::state_file::salvage::{Entry, Link, Remains, Thread};

/// Rebuilds one version.
pub(super) struct Builder<'a> {
    pub(super) remains: &'a Remains,
    thread: Thread,
    /// The match as far as the log has been replayed.
    pub(super) game: Match,
    /// What stands above the log.
    pub(super) head: Head,
    pub(super) proofs: &'a [Proof],
    now: DateTime<Utc>,
    /// How many lines the log had after each half-move of the record.
    lines: Vec<usize>,
    /// The hashes of every record the match has had.
    pub(super) past: Vec<String>,
    /// Whether every line hangs on the one before it, and none is missing.
    pub(super) is_sound: bool,
    /// Lines that nothing but what stands above the log can bear out.
    pub(super) doubtful: Vec<usize>,
    /// What is mended and leaves the log as its chain proves that it was.
    mended: Vec<String>,
    done: Vec<String>,
    pub(super) lost: Vec<String>,
}

/// The most characters that the log says of a repair.
const LONGEST_ACCOUNT: usize = 600;

impl<'a> Builder<'a> {
    /// Begins to rebuild the match of that id.
    ///
    /// # Errors
    ///
    /// If it cannot be told how it begins.
    pub(super) fn new(
        id: &Id,
        remains: &'a Remains,
        given: Option<&MatchSettings>,
        proofs: &'a [Proof],
        now: DateTime<Utc>,
    ) -> Result<Builder<'a>, Undecided> {
        let mut thread = remains.thread(id);
        let Beginning {
            settings,
            time,
            is_sound,
            mended,
            done,
            lost,
        } = Beginning::read(id, remains, &mut thread, given, now)?;
        let game = Match {
            headers: remains.unknown(),
            ..Match::new(settings, time)
        };
        Ok(Builder {
            head: Head::read(&remains.body, game.variant()),
            past: vec![game.hash()],
            lines: vec![1],
            remains,
            thread,
            game,
            proofs,
            now,
            is_sound,
            doubtful: Vec::new(),
            mended,
            done,
            lost,
        })
    }

    /// The match, and what rebuilding it takes.
    ///
    /// # Errors
    ///
    /// If it could have been more than one.
    pub(super) fn build(mut self) -> Result<Rebuilt, Undecided> {
        self.replay();
        self.look_at_end();
        let record = self.decide()?;
        let record = self.extend(record)?;
        self.play(&record)?;
        self.hold_result()?;
        let told: Vec<&str> = (self.done.iter().chain(&self.lost))
            .map(String::as_str)
            .collect();
        let is_log_changed = !told.is_empty();
        if is_log_changed {
            let account: String = told.join("; ").chars().take(LONGEST_ACCOUNT).collect();
            let event = Event::new(self.now, EventKind::Repaired, Who::Nobody);
            self.push(event.argument(account))?;
        }
        if self.is_head_wrong() {
            self.mended
                .push("headers, diagram and list are written anew from the log".to_owned());
        }
        self.done.append(&mut self.mended);
        Ok(Rebuilt {
            game: self.game,
            is_log_changed,
            done: self.done,
            lost: self.lost,
        })
    }

    fn push(&mut self, event: Event) -> Result<(), Undecided> {
        let played = self.game.record().steps().len();
        if let Err(error) = self.game.push(event) {
            return undecided(error.to_string());
        }
        let now = self.game.record().steps().len();
        if now != played {
            self.lines.truncate(now);
            self.lines.push(self.game.log.len());
            self.past.push(self.game.hash());
        }
        Ok(())
    }

    /// Takes in the lines of the log, in the order of their chain.
    fn replay(&mut self) {
        let joined = |numbers: &[usize]| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            numbers.join(", ")
        };
        let entries = self.thread.entries.iter().map(|(entry, _)| entry);
        let wrapped = entries.filter(|entry| entry.pieces > 1);
        let wrapped: Vec<usize> = wrapped.map(|entry| entry.number).collect();
        for (numbers, what) in [
            (&wrapped, "put together again out of several"),
            (&self.thread.moved, "put back into the order of the chain"),
            (
                &self.thread.doubled,
                "left out, because it stands there twice",
            ),
        ] {
            if !numbers.is_empty() {
                self.mended
                    .push(format!("line {}: {what}", joined(numbers)));
            }
        }
        let is_chained = self.remains.is_chained();
        // A chain that holds from end to end without a line proves that it is
        // not of the log.
        let mut links = self.thread.entries.iter().map(|(_, link)| link);
        let is_whole = self.is_sound
            && self.remains.header("Chain") == Some(&self.thread.end)
            && links.all(|link| !matches!(link, Link::Broken(_)));
        for (entry, link) in std::mem::take(&mut self.thread.entries) {
            let number = entry.number;
            if is_whole && link == Link::Loose {
                self.mended.push(format!(
                    "line {number} is left out: the chain holds without it: {}",
                    entry.text
                ));
                continue;
            }
            if let Some(event) = self.known_by_hash(&entry, &link) {
                let text = event.argument.clone().unwrap_or_default();
                if self.push(event).is_ok() {
                    self.mended.push(format!(
                        "line {number}: the move is put back as {text}, which the hash of the line proves"
                    ));
                    continue;
                }
            }
            let Some(event) = entry.event.clone() else {
                self.doubt(number);
                self.lost.push(format!(
                    "line {number}, which cannot be read: {}",
                    entry.text
                ));
                continue;
            };
            if let Err(error) = self.push(event) {
                self.doubt(number);
                self.lost.push(format!(
                    "line {number}, which cannot be so ({error}): {}",
                    entry.text
                ));
                continue;
            }
            match link {
                Link::Holds => {}
                Link::Loose if !is_chained => {}
                Link::Loose => {
                    self.doubt(number);
                    self.done.push(format!(
                        "line {number}, which had no chain, is chained as it stands: {}",
                        entry.text
                    ));
                }
                Link::Broken(_) => {
                    self.doubt(number);
                    self.done.push(format!(
                        "line {number} was changed, or a line before it lost; it is chained as it stands: {}",
                        entry.text
                    ));
                }
            }
        }
    }

    fn doubt(&mut self, line: usize) {
        self.is_sound = false;
        self.doubtful.push(line);
    }

    /// The move of a line that was changed, if the line's hash proves which of
    /// the legal moves it was. Of the placements of several pieces, which are
    /// too many, only those of the list above and of the proofs are tried.
    fn known_by_hash(&self, entry: &Entry, link: &Link) -> Option<Event> {
        let Link::Broken(end) = link else {
            return None;
        };
        let event = entry
            .event
            .as_ref()
            .filter(|event| event.kind == EventKind::Move)?;
        let ply = self.game.record().steps().len();
        let others = self.proofs.iter().map(|proof| &proof.record);
        let told = std::iter::once(&self.head.told.record)
            .chain(others)
            .filter_map(|record| record.steps().get(ply))
            .map(|step| step.text.clone());
        let position = self.game.position();
        let plies = position.single_plies().into_iter();
        let legal = plies.map(|ply| position.text(&ply));
        let mut events = told.chain(legal).map(|text| event.clone().argument(text));
        events.find(|event| entry.hash.as_deref() == Some(chain::next(end, event).as_str()))
    }

    /// Whether lines are missing at the end of the log.
    fn look_at_end(&mut self) {
        if !self.remains.is_chained() {
            return;
        }
        match self.remains.header("Chain") {
            Some(end) if end == self.thread.end => {}
            Some(_) => {
                self.is_sound = false;
                self.lost.push("whatever stood behind the last line of the log: the Chain line knows another end".to_owned());
            }
            None => {
                self.is_sound = false;
                self.done.push(
                    "without its Chain line the end of the log is taken for whole".to_owned(),
                );
            }
        }
    }

    /// Makes the match one in which just that has been played.
    fn play(&mut self, record: &Record) -> Result<(), Undecided> {
        let same = common(self.game.record(), record);
        if same < self.game.record().steps().len() {
            // From the first move that was not played on, the log is another's.
            let cut = self.lines[same];
            for event in &self.game.log[cut..] {
                self.lost.push(format!("out of the log: {}", event.line()));
            }
            self.game = match self.game.as_of(cut) {
                Ok(game) => game,
                Err(error) => return undecided(error.to_string()),
            };
            self.lines.truncate(same + 1);
        }
        let added = &record.steps()[same..];
        if added.is_empty() {
            return Ok(());
        }
        let first = same;
        for step in added {
            let turn = self.game.position().turn();
            self.push(Event::new(self.now, EventKind::Move, turn).argument(&step.text))?;
        }
        self.done.push(format!(
            "put into the log as of now, from the list or the mails: {}",
            moves(record, first)
        ));
        self.lost
            .push("when those moves were made, and by which messages".to_owned());
        Ok(())
    }

    /// Holds the result above the log against what it comes to now.
    fn hold_result(&mut self) -> Result<(), Undecided> {
        if self.is_sound {
            return Ok(());
        }
        let Some(said) = self.remains.header("Result").map(ToOwned::to_owned) else {
            return Ok(());
        };
        let comes_to = |game: &Match| {
            game.ending()
                .map_or_else(|| "*".to_owned(), |ending| ending.to_string())
        };
        if said == comes_to(&self.game) || matches!(self.game.ending(), Some(Ending::Rules(_))) {
            return Ok(());
        }
        let resigns = Color::ALL
            .into_iter()
            .find(|color| said == Ending::Resigned(*color).to_string());
        if let (Some(color), None) = (resigns, self.game.ending()) {
            self.push(Event::new(self.now, EventKind::Resign, color))?;
            self.done.push(format!(
                "put into the log as of now, from the Result line: {said}"
            ));
            return Ok(());
        }
        Err(Undecided(vec![
            "the log and the Result line above it say different things, and nothing proves which is right:".to_owned(),
            format!("  the log:         {}", comes_to(&self.game)),
            format!("  the Result line: {said}"),
            "correct the Result line by hand if the log is right".to_owned(),
        ]))
    }

    /// Whether anything but the log has to be written anew.
    fn is_head_wrong(&self) -> bool {
        let text = self.game.to_string();
        let written = Remains::read(&text);
        let words = |body: &str| {
            body.split_whitespace()
                .map(ToOwned::to_owned)
                .collect::<Vec<_>>()
        };
        let keys = [
            "Format", "Id", "Game", "Rules", "Options", "White", "Black", "Event", "Started",
            "Time", "Result",
        ];
        words(&written.body) != words(&self.remains.body)
            || keys
                .iter()
                .any(|key| written.header(key) != self.remains.header(key))
    }
}
