//! Rebuilding a damaged state file from what is left of it, and from what mails
//! prove.
//!
//! ```text
//! text ─ Version: headers, body, log in the order of its chain
//!      ─ Rebuilder: the log replayed, each line proven or doubtful
//!      ─ Evidence: what was played, or Undecided
//!      ─ Rebuilt
//! ```
//!
//! The log is the record, and a log whose chain holds is certain. Where the
//! chain is broken, the list and the diagram above the log must bear it out.
//! If they differ, a hash decides, that of a line or of a mail; else both
//! readings are shown and nothing is done.
//!
//! The evidence for a damaged log is the list and the diagram above it, and records from
//! elsewhere; what counts are the moves that all of them agree on.

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use crate::clock;
use crate::match_id::Id;
use crate::matches::action::{Action, Ending};
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::r#match::{Match, MatchSettings};
use crate::notation::diagram::Diagram;
use crate::notation::move_list::{self, FollowedList};
use crate::notation::moves::Manner;
use crate::notation::reader::{self, PartKind};
use crate::printable::half_moves;
use crate::rules::{Color, Record, Variant};
use crate::store::body::{WORDS, says_turn};
use crate::store::repair::version::{Fork, Link, LogLine, Version, versions};
use crate::store::state_file::{is_conflict, is_log, result};

mod version;

/// The most characters that the log says of a repair.
const LONGEST_ACCOUNT: usize = 600;

/// A match as it can be rebuilt, and what that takes.
#[derive(Clone, Debug)]
pub struct Rebuilt {
    /// The match; saved as it is, it can be read again.
    pub game: Match,
    /// The repairs, a clause each.
    pub done: Vec<String>,
    /// The losses, a clause each.
    pub lost: Vec<String>,
    /// True if the log is not, line for line, what its chain proves.
    pub is_log_changed: bool,
}

/// The remains of the state file of a match, which may be nothing.
pub struct DamagedFile {
    id: Id,
    /// Its text, or the two versions that a merge has left.
    texts: Vec<String>,
}

impl DamagedFile {
    /// The text that was the state file of that match.
    pub fn new(id: &Id, text: &str) -> DamagedFile {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // An editor may have written other line ends.
        DamagedFile {
            id: id.clone(),
            texts: versions(&text.replace("\r\n", "\n").replace('\r', "\n")),
        }
    }

    /// Returns the settings of the match, if the file still has them.
    pub fn settings(&self) -> Option<MatchSettings> {
        self.texts.iter().find_map(|text| {
            let version = Version::read(text, &self.id);
            let mut events = version.log.iter().filter_map(|line| line.event.as_ref());
            let logged = events.find_map(|event| MatchSettings::of_beginning(&self.id, event));
            logged.or_else(|| version.headers.settings(self.id.clone()).ok())
        })
    }

    /// The match rebuilt, with the help of the proofs. Where the file does not
    /// say what the match is about, `settings` does.
    ///
    /// # Errors
    ///
    /// If it could have been more than one match, or none.
    pub fn rebuild(
        &self,
        settings: Option<&MatchSettings>,
        proofs: &[OutsideRecord],
        now: DateTime<Utc>,
    ) -> Result<Rebuilt, Undecided> {
        let versions = self.texts.iter().map(|text| {
            let version = Version::read(text, &self.id);
            if let Some(Fork { at, one, other }) = &version.fork {
                return parted(*at, [one, other], AFTER_UNION);
            }
            Rebuilder::new(&self.id, &version, settings, proofs, now)?.finish()
        });
        let merged = versions.reduce(|first, second| merged(first?, second?));
        merged.unwrap_or_else(|| undecided(NO_SETTINGS))
    }
}

/// Of two versions that a merge has left, the one that goes on where the other
/// ends.
fn merged(first: Rebuilt, second: Rebuilt) -> Result<Rebuilt, Undecided> {
    let [one, other] = [&first, &second].map(|rebuilt| rebuilt.game.log());
    let pairs = one.iter().zip(other);
    let same = pairs.take_while(|(one, other)| one == other).count();
    // A version that was cut has lost the end of its log: the other has lost it, too.
    let (mut longer, headers) = if same == one.len() {
        (second, first.game.headers)
    } else if same == other.len() {
        (first, second.game.headers)
    } else {
        let [one, other] = [one, other].map(|log| {
            log.get(same)
                .map_or_else(|| "the end of the log".to_owned(), LogEntry::line)
        });
        return parted(same + 1, [&one, &other], AT_CONFLICT);
    };
    // Both may have comments of their own.
    for header in headers {
        if !longer.game.headers.contains(&header) {
            longer.game.headers.push(header);
        }
    }
    let what = "of two merged versions, the one is taken that the other is the beginning of";
    longer.done.insert(0, what.to_owned());
    Ok(longer)
}

/// Two versions of a log part at this line, and nothing says which of the two is right.
fn parted<T>(at: usize, [one, other]: [&str; 2], commands: &str) -> Result<T, Undecided> {
    undecided(format!(
        "two versions of the file were merged, and part in line {at} of the log:\n  the first:  {one}\n  the second: {other}\nput one of the two back, whole: {commands}"
    ))
}

/// Commands that put a version back while git waits for the end of a merge.
const AT_CONFLICT: &str =
    "'git checkout --ours FILE' and 'git checkout --theirs FILE' do that after a merge of git";

/// Commands that put a version back after git has merged all lines of both.
const AFTER_UNION: &str = "after a merge of git 'git checkout HEAD^1 -- FILE' brings back yours and 'git checkout HEAD^2 -- FILE' the other";

/// Rebuilds one version: replays its log, decides what was played, and makes
/// the log one in which just that was played.
struct Rebuilder<'a> {
    version: &'a Version<'a>,
    evidence: Evidence<'a>,
    now: DateTime<Utc>,
    /// The match as far as the log has been replayed.
    game: Match,
    /// Every record the match has had: its length, that of the log, its hash.
    records: Vec<(usize, usize, String)>,
    /// True if every line hangs on the one before it, and none is missing.
    is_sound: bool,
    /// Lines that only evidence can bear out.
    doubtful: Vec<usize>,
    notes: Notes,
}

/// The steps of a repair.
#[derive(Default)]
struct Notes {
    /// The steps that leave the log as its chain proves that it was.
    mended: Vec<String>,
    /// The other steps.
    done: Vec<String>,
    lost: Vec<String>,
}

impl Notes {
    fn lose(&mut self, what: impl Into<String>) {
        self.lost.push(what.into());
    }
}

impl<'a> Rebuilder<'a> {
    /// Replays the log of the match of that id.
    ///
    /// # Errors
    ///
    /// If it is unknown how the match begins.
    fn new(
        id: &Id,
        version: &'a Version<'a>,
        given: Option<&MatchSettings>,
        proofs: &'a [OutsideRecord],
        now: DateTime<Utc>,
    ) -> Result<Rebuilder<'a>, Undecided> {
        let mut notes = Notes::default();
        let first = version.log.first().filter(|line| line.is_beginning());
        let (settings, started, is_sound) = match first {
            Some(first) => begin(id, version, first, &mut notes)?,
            None => begin_without_log(id, version, given, now, &mut notes)?,
        };
        let mut game = Match::new(settings, started);
        let whole = version.text.parse::<Match>();
        game.headers = whole.map_or_else(|_| version.headers.unknown(), |whole| whole.headers);
        let mut rebuilder = Rebuilder {
            evidence: Evidence::read(&version.body, game.variant(), proofs),
            version,
            now,
            records: vec![(0, 1, game.hash())],
            game,
            is_sound,
            doubtful: Vec::new(),
            notes,
        };
        rebuilder.replay(&version.log[usize::from(first.is_some())..]);
        Ok(rebuilder)
    }

    /// The match, and what rebuilding it takes.
    ///
    /// # Errors
    ///
    /// If it could have been more than one.
    fn finish(mut self) -> Result<Rebuilt, Undecided> {
        let logged = self.game.record();
        let record = if self.is_sound {
            logged.clone()
        } else if self.version.log.is_empty() {
            self.evidence.list_alone(&mut self.notes.lost)?
        } else {
            self.evidence.decide(logged, &self.doubtful)?
        };
        let is_past = |record: &Record| {
            let hash = self.game.hash_of(record);
            self.records.iter().any(|(_, _, past)| *past == hash)
        };
        let record = self.evidence.extend(record, is_past)?;
        self.play(&record)?;
        self.check_result()?;
        let changes = [&self.notes.done[..], &self.notes.lost].concat();
        if !changes.is_empty() {
            let account: String = changes.join("; ").chars().take(LONGEST_ACCOUNT).collect();
            let event = Event::Repaired(Some(account));
            self.push(LogEntry::new(self.now, event, Who::Nobody))?;
        }
        let Notes {
            mut mended,
            mut done,
            lost,
        } = self.notes;
        let written = self.game.to_string();
        if above_log(&written).ne(above_log(self.version.text)) {
            mended.push("headers, diagram and list are written anew from the log".to_owned());
            if self.version.text.parse::<Match>().is_err() {
                let id = self.game.id();
                mended.extend(left_out(id, self.version.text, &written));
            }
        }
        done.append(&mut mended);
        Ok(Rebuilt {
            game: self.game,
            done,
            lost,
            is_log_changed: !changes.is_empty(),
        })
    }

    fn push(&mut self, event: LogEntry) -> Result<(), Undecided> {
        let played = self.game.record().steps().len();
        if let Err(error) = self.game.push(event) {
            return undecided(error.to_string());
        }
        let now = self.game.record().steps().len();
        if now != played {
            let (lines, hash) = (self.game.log.len(), self.game.hash());
            self.records.push((now, lines, hash));
        }
        Ok(())
    }

    /// Takes in the lines of the log, in the order of their chain.
    fn replay(&mut self, log: &[LogLine]) {
        let mut mend = |is_one: fn(&LogLine) -> bool, what: &str| {
            let lines = self.version.log.iter().filter(|line| is_one(line));
            let numbers: Vec<String> = lines.map(|line| line.number.to_string()).collect();
            if !numbers.is_empty() {
                let numbers = numbers.join(", ");
                self.notes.mended.push(format!("line {numbers}: {what}"));
            }
        };
        mend(|line| line.pieces > 1, "put together again out of several");
        mend(|line| line.is_moved, "put back into the order of the chain");
        let is_doubled = |line: &LogLine| line.link == Link::Doubled;
        mend(is_doubled, "left out, because it stands there twice");
        for line in &self.version.log {
            if let Some(remark) = &line.remark {
                let number = line.number;
                let remark = clipped(remark);
                let what = format!("line {number}: left out what stands behind it: {remark}");
                self.notes.mended.push(what);
            }
        }
        let chain = self.version.headers.get("Chain");
        let holds_to_end = chain == Some(self.version.end.as_str());
        let is_broken = |line: &LogLine| matches!(line.link, Link::Broken(_));
        // A chain that holds from end to end without a line proves that it is
        // not of the log.
        let is_whole = self.is_sound && holds_to_end && !log.iter().any(is_broken);
        for line in log {
            self.take(line, is_whole);
        }
        if self.version.is_chained && !holds_to_end {
            self.is_sound = false;
            if chain.is_some() {
                self.notes.lose("whatever stood behind the last line of the log: the Chain line knows another end");
            } else {
                let done = "without its Chain line the end of the log is taken for whole";
                self.notes.done.push(done.to_owned());
            }
        }
    }

    /// Takes in a line of the log; `is_whole` if the chain holds from end to
    /// end without the lines that have no hash.
    fn take(&mut self, line: &LogLine, is_whole: bool) {
        let LogLine { number, text, .. } = line;
        if line.link == Link::Doubled {
            return;
        }
        if is_whole && line.link == Link::Loose {
            self.notes.mended.push(format!(
                "line {number} is left out: the chain holds without it: {}",
                clipped(text)
            ));
            return;
        }
        if let Some(event) = self.known_by_hash(line) {
            let played = event.argument().unwrap_or_default().to_owned();
            if self.push(event).is_ok() {
                self.notes.mended.push(format!(
                    "line {number}: the move is put back as {played}, which the hash of the line proves"
                ));
                return;
            }
        }
        let pushed = match line.event.clone() {
            None => Err("cannot be read".to_owned()),
            Some(event) => self
                .push(event)
                .map_err(|error| format!("cannot be so ({error})")),
        };
        let changed = match &line.link {
            Link::Broken(_) => " was changed, or a line before it lost; it",
            Link::Loose if self.version.is_chained => ", which had no chain,",
            _ => "",
        };
        match pushed {
            Err(why) => self
                .notes
                .lose(format!("line {number}, which {why}: {}", clipped(text))),
            Ok(()) if changed.is_empty() => return,
            Ok(()) => self.notes.done.push(format!(
                "line {number}{changed} is chained as it stands: {text}"
            )),
        }
        self.is_sound = false;
        self.doubtful.push(*number);
    }

    /// The move of a line that was changed, if the line's hash proves which of
    /// the legal moves it was. Of the placements of several pieces, which are
    /// too many, only those of the list above and of the proofs are tried.
    fn known_by_hash(&self, line: &LogLine) -> Option<LogEntry> {
        let Link::Broken(end) = &line.link else {
            return None;
        };
        let event = line.event.as_ref()?;
        if !event.is_any_move() {
            return None;
        }
        let position = self.game.position();
        let plies = position.single_plies().into_iter();
        let legal = plies.map(|ply| position.text(&ply));
        let changes = self.evidence.moves_at(self.game.record().steps().len());
        let mut events = changes
            .chain(legal)
            .map(|text| event.clone().with(Action::Move(text)));
        events.find(|event| line.is_next(end, Some(event)))
    }

    /// Makes the match one in which just that has been played.
    fn play(&mut self, record: &Record) -> Result<(), Undecided> {
        let same = common(self.game.record(), record);
        let mut records = self.records.iter();
        let then = records.rfind(|(plies, ..)| *plies == same);
        if let Some((_, lines, _)) = then.filter(|_| same < self.game.record().steps().len()) {
            // From the first move that was not played on, the log is another's.
            let cut = self.game.log[*lines..].iter();
            let lost = cut.map(|event| format!("out of the log: {}", event.line()));
            self.notes.lost.extend(lost);
            let kept = self.game.as_of(*lines);
            self.game = kept.or_else(|error| undecided(error.to_string()))?;
        }
        if record.steps().len() == same {
            return Ok(());
        }
        let end = self.take_end()?;
        for step in &record.steps()[same..] {
            let turn = self.game.position().turn();
            self.push(LogEntry::new(self.now, Action::play(&step.text), turn))?;
        }
        if !end.is_empty() {
            let what = "the end of the match is put behind those moves";
            self.notes.done.push(what.to_owned());
        }
        for event in end {
            self.push(event)?;
        }
        self.notes.done.push(format!(
            "put into the log as of now, from the list or the mails: {}",
            moves(record, same)
        ));
        let notes = &mut self.notes;
        notes.lose("when those moves were made, and by which messages");
        Ok(())
    }

    /// Takes the line with which a player has ended the match, and those below it, out of the log. The
    /// log may be an older copy, in which later moves were missing.
    fn take_end(&mut self) -> Result<Vec<LogEntry>, Undecided> {
        let ends = |event: &LogEntry| event.action().is_some_and(Action::ends_match);
        let end = self.game.log.iter().rposition(ends);
        let Some(at) = end.filter(|_| self.game.ending().is_some()) else {
            return Ok(Vec::new());
        };
        let end = self.game.log[at..].to_vec();
        let before = self.game.as_of(at);
        self.game = before.or_else(|error| undecided(error.to_string()))?;
        Ok(end)
    }

    /// Compares the result above the log with that of the match. A resignation
    /// that only stands there is put into the log.
    fn check_result(&mut self) -> Result<(), Undecided> {
        let headers = &self.version.headers;
        let Some(said) = headers.get("Result").filter(|_| !self.is_sound) else {
            return Ok(());
        };
        let ending = self.game.ending();
        let logged = result(ending);
        if said == logged || matches!(ending, Some(Ending::Rules(_))) {
            return Ok(());
        }
        let mut colors = Color::ALL.into_iter();
        let resigns = colors.find(|color| said == Ending::Resigned(*color).to_string());
        if let (Some(color), None) = (resigns, ending) {
            self.push(LogEntry::new(self.now, Action::Resign, color))?;
            self.notes.done.push(format!(
                "put into the log as of now, from the Result line: {said}"
            ));
            return Ok(());
        }
        undecided(format!(
            "the log and the Result line above it say different things, and nothing proves which is right:\n  the log:         {logged}\n  the Result line: {said}\ncorrect the Result line by hand if the log is right"
        ))
    }
}

/// Returns how the match begins by the first line of the log, when, and whether that is
/// certain.
///
/// # Errors
///
/// If the headers say something else and no hash proves either, or the file is
/// that of another match.
fn begin(
    id: &Id,
    version: &Version<'_>,
    first: &LogLine,
    notes: &mut Notes,
) -> Result<(MatchSettings, DateTime<Utc>, bool), Undecided> {
    let Some(event) = &first.event else {
        return undecided(NO_SETTINGS);
    };
    let named = version.headers.get("Id").and_then(|name| name.parse().ok());
    if let Some(other) = named.filter(|named: &Id| named != id)
        && first.is_next(other.as_str(), Some(event))
    {
        return undecided(format!(
            "the first line of its log proves that this is the file of the match {other}, as its Id says. Give it the name {other}.txt, or move it away if there is such a file"
        ));
    }
    let logged = MatchSettings::of_beginning(id, event);
    let headers = version.headers.settings(id.clone()).ok();
    let begin = |settings: &MatchSettings| settings.begin(event.time);
    let is_proven = |settings: &MatchSettings| first.is_next(id.as_str(), Some(&begin(settings)));
    let LogLine { number, text, .. } = first;
    let settings = match (logged, headers) {
        (Some(logged), _) if first.link == Link::Holds || is_proven(&logged) => {
            return Ok((logged, event.time, true));
        }
        (_, Some(headers)) if is_proven(&headers) => {
            notes.mended.push(format!(
                "line {number} is put back by the headers, which its hash proves"
            ));
            return Ok((headers, event.time, true));
        }
        (Some(logged), Some(headers)) if begin(&logged) != begin(&headers) => {
            return undecided(format!(
                "the headers and the log say different things of the match:\n  the headers:       {}\n  the log (line {number}): {}\ncorrect the wrong one by hand",
                begin(&headers).line(),
                begin(&logged).line()
            ));
        }
        (Some(settings), _) | (None, Some(settings)) => settings,
        (None, None) => return undecided(NO_SETTINGS),
    };
    if version.is_chained {
        notes.done.push(format!(
            "line {number} was changed; it is chained as it stands: {text}"
        ));
    }
    Ok((settings, event.time, false))
}

/// Returns how the match begins, and when, where the first line of the log is lost;
/// that is never certain.
///
/// # Errors
///
/// If nothing says it.
fn begin_without_log(
    id: &Id,
    version: &Version<'_>,
    given: Option<&MatchSettings>,
    now: DateTime<Utc>,
    notes: &mut Notes,
) -> Result<(MatchSettings, DateTime<Utc>, bool), Undecided> {
    if !version.log.is_empty() {
        notes.lose("the first line of the log");
    }
    let is_cut = version.headers.get("Result").is_none();
    let settings = match (version.headers.settings(id.clone()).ok(), given) {
        // The headers end with the result; of those that were cut off, an
        // invitation knows.
        (Some(headers), given) if is_cut => {
            let basics = |settings: &MatchSettings| {
                let begin = settings.begin(now);
                begin.without("event").without("time")
            };
            let is_same = |given: &&MatchSettings| basics(given) == basics(&headers);
            given.filter(is_same).cloned().unwrap_or_else(|| {
                notes.lose("the event and the time for a move, if there were any");
                headers
            })
        }
        (Some(headers), _) => headers,
        (None, Some(given)) => given.clone(),
        (None, None) => return undecided(NO_SETTINGS),
    };
    let started = version.headers.get("Started").and_then(clock::read);
    let mut events = version.log.iter().filter_map(|line| line.event.as_ref());
    let started = started.or_else(|| Some(events.next()?.time));
    Ok((settings, started.unwrap_or(now), false))
}

const NO_SETTINGS: &str = "neither the file nor the mails say which game is played, and by whom";

/// Returns true for the hash of a line.
fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The lines above the log, but the one with the hash of its end.
fn above_log(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim_end);
    lines
        .take_while(|line| !is_log(line))
        .filter(|line| !line.strip_prefix("Chain: ").is_some_and(is_hash))
}

/// The most lines above the log that are named.
const MOST_LEFT_OUT: usize = 20;

/// Names the lines above the log that a person may have changed or added, and that the match as it is
/// written has not.
fn left_out(id: &Id, text: &str, written: &str) -> Option<String> {
    let kept: HashSet<&str> = above_log(written).map(str::trim).collect();
    let lines = above_log(text).map(str::trim);
    let mut lines = lines.filter(|line| {
        !line.is_empty() && !kept.contains(line) && !is_conflict(line) && !says_turn(line)
    });
    let mut hints = Vec::new();
    let mut name = |line| {
        let hint = hint(id, line);
        if !hints.contains(&hint) {
            hints.push(hint);
        }
        clipped(line)
    };
    let named: Vec<String> = lines.by_ref().take(MOST_LEFT_OUT).map(&mut name).collect();
    let more = match lines.count() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (!named.is_empty()).then(|| {
        format!(
            "these lines are left out, since the log does not say so: {}{more} ({})",
            named.join("; "),
            hints.join("; ")
        )
    })
}

/// Tells how to change what a line above the log says.
fn hint(id: &Id, line: &str) -> String {
    let (key, value) = line.split_once(':').unwrap_or_default();
    let key = key.to_lowercase();
    let is_row = || line.starts_with(|c: char| c.is_ascii_digit());
    match key.as_str() {
        "white" | "black" if value.contains('@') => format!(
            "'parapost name {id} {key} NAME' corrects a name; an address changes when its owner writes from the new one"
        ),
        "white" | "black" | "event" => {
            format!("'parapost name {id} {key} NAME' corrects a name")
        }
        "result" => format!("'parapost resign {id}' or 'parapost draw' ends the match"),
        "rules" | "options" | "started" | "time" | "referee" => {
            "such a line is fixed when the match begins".to_owned()
        }
        _ if is_row() => format!("'parapost move {id} MOVE' plays a move"),
        _ => format!("'parapost note {id} TEXT' keeps words"),
    }
}

/// The most characters of a line of the file that a message repeats.
const MOST_REPEATED: usize = 200;

/// Returns a line as a message repeats it.
fn clipped(line: &str) -> String {
    let mut signs = line.chars();
    let mut text: String = signs.by_ref().take(MOST_REPEATED).collect();
    if signs.next().is_some() {
        text.push('…');
    }
    text
}

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

fn undecided<T>(why: impl Into<String>) -> Result<T, Undecided> {
    Err(Undecided(why.into()))
}

/// The evidence besides the log.
struct Evidence<'a> {
    list: FollowedList,
    diagram: Option<Diagram>,
    proofs: &'a [OutsideRecord],
}

impl<'a> Evidence<'a> {
    /// Reads the text between the headers and the log.
    fn read(body: &str, variant: &Variant, proofs: &'a [OutsideRecord]) -> Evidence<'a> {
        let lines = body.lines().filter(|line| !line.starts_with(WORDS));
        let body = lines.collect::<Vec<_>>().join("\n");
        let text = reader::read(&body, variant);
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
    fn moves_at(&self, ply: usize) -> impl Iterator<Item = String> {
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
    fn decide(&self, logged: &Record, doubtful: &[usize]) -> Result<Record, Undecided> {
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
    fn list_alone(&self, lost: &mut Vec<String>) -> Result<Record, Undecided> {
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
    fn extend(
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
                    "two records of the match part, and both may be right:\n  {}: {}\n  elsewhere: {}\nnothing is done; leave out the one that is not to count; if that is this file, move it away first",
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
fn common(one: &Record, other: &Record) -> usize {
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
fn moves(record: &Record, from: usize) -> String {
    if record.steps().len() == from {
        return format!("ends after {}", half_moves(from));
    }
    move_list::line(record, from)
}
