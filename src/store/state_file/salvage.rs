//! What is left of a damaged state file: its lines, sorted by what they are,
//! those of the log in the order of its chain.

use std::collections::VecDeque;

use crate::match_id::Id;
use crate::matches::event::{Event, EventKind};
use crate::store::chain::{self, Chain};
use crate::store::state_file::headers::{self, Headers};
use crate::store::state_file::{MatchSettings, is_conflict, is_log};

/// How many lines an editor may have made of one.
const MOST_WRAPPED: usize = 12;

/// How far ahead the next line of a chain is looked for: lines that were moved
/// have not gone far.
const FARTHEST: usize = 100;

/// What is left of a damaged state file.
pub(in crate::store) struct Remains {
    /// Line, key, value; of several with a key the first.
    headers: Vec<(usize, String, String)>,
    /// What is neither header nor log: the diagram and the list.
    pub(in crate::store) body: String,
    /// The lines of the log, in the order of the file.
    pub(in crate::store) log: Vec<Entry>,
    /// Whether the file ends in the middle of a line.
    pub(in crate::store) is_cut: bool,
}

/// A line of a damaged log.
#[derive(Clone, Debug)]
pub(in crate::store) struct Entry {
    /// Its line in the file, from 1.
    pub(in crate::store) number: usize,
    /// The line as it stands, without its hash.
    pub(in crate::store) text: String,
    /// What it says, if that can be read.
    pub(in crate::store) event: Option<Event>,
    /// The hash it ends in.
    pub(in crate::store) hash: Option<String>,
    /// How many lines an editor has made of it.
    pub(in crate::store) pieces: usize,
}

/// How a line of a log hangs on the one before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::store) enum Link {
    /// By its hash.
    Holds,
    /// Not: it was changed, or what stood before it. This is the hash of the
    /// line before.
    Broken(String),
    /// It has no hash.
    Loose,
}

/// A log in the order of its chain.
pub(in crate::store) struct Thread {
    pub(in crate::store) entries: Vec<(Entry, Link)>,
    /// The hash at its end.
    pub(in crate::store) end: String,
    /// Lines that stood in another place.
    pub(in crate::store) moved: Vec<usize>,
    /// Lines that stood there twice.
    pub(in crate::store) doubled: Vec<usize>,
}

/// The texts that the marks of a merge set apart: each as it would be without
/// the other. One where there are no such marks.
pub(in crate::store) fn versions(text: &str) -> Vec<String> {
    let mut versions = [String::new(), String::new()];
    let mut in_conflict = false;
    let mut side = None;
    let mut is_two = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if is_conflict(bare) {
            side = match bare.as_bytes()[0] {
                b'<' => {
                    in_conflict = true;
                    Some(0)
                }
                // What both began with is neither's.
                b'|' if in_conflict => Some(2),
                b'=' if in_conflict => {
                    is_two = true;
                    Some(1)
                }
                _ => {
                    in_conflict = false;
                    None
                }
            };
            continue;
        }
        for (i, version) in versions.iter_mut().enumerate() {
            if side.is_none_or(|side| side == i) {
                version.push_str(line);
            }
        }
    }
    let [first, second] = versions;
    if is_two && first != second {
        vec![first, second]
    } else {
        vec![first]
    }
}

impl Remains {
    /// Sorts the lines of a text.
    pub(in crate::store) fn read(text: &str) -> Remains {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut remains = Remains {
            headers: Vec::new(),
            body: String::new(),
            log: Vec::new(),
            is_cut: !text.is_empty() && !text.ends_with('\n'),
        };
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let is_chained = lines.iter().any(|line| chain::split(line).1.is_some());
        let mut in_log = false;
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            let is_last = at + 1 == lines.len() && remains.is_cut;
            if is_log(line) {
                in_log = true;
            } else if let Some((entry, taken)) = entry(&lines[at..], at + 1, is_chained) {
                at += taken - 1;
                remains.log.push(entry);
            } else if in_log {
                if !line.is_empty() {
                    let (text, hash) = chain::split(line);
                    remains.log.push(Entry {
                        number: at + 1,
                        text: text.to_owned(),
                        event: None,
                        hash: hash.map(ToOwned::to_owned),
                        pieces: 1,
                    });
                }
            } else if let Some((key, value)) = headers::pair(line) {
                let is_new = remains.headers.iter().all(|(_, known, _)| known != key);
                if is_new && !is_last {
                    remains
                        .headers
                        .push((at + 1, key.to_owned(), value.to_owned()));
                }
            } else if !is_last {
                remains.body.push_str(line);
                remains.body.push('\n');
            }
            at += 1;
        }
        // Of a line that was cut nobody knows what it went on with.
        if remains.is_cut
            && let Some(last) = remains.log.last_mut()
            && last.hash.is_none()
            && last.number == lines.len()
        {
            last.event = None;
        }
        remains
    }

    /// What a header says.
    pub(in crate::store) fn header(&self, key: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(_, name, _)| name == key);
        found.map(|(_, _, value)| value.as_str())
    }

    /// What the headers say of the match of that id, whatever id they name.
    pub(in crate::store) fn settings(&self, id: &Id) -> Option<MatchSettings> {
        let mut headers = Headers::of(
            self.headers
                .iter()
                .filter(|(_, key, _)| key != "Id")
                .map(|(line, key, value)| (*line, key.as_str(), value.as_str())),
        );
        headers.add("Id", id.as_str());
        headers.settings().ok()
    }

    /// The headers that nobody knows, as far as they can be written again.
    pub(in crate::store) fn unknown(&self) -> Vec<(String, String)> {
        let lines = self.headers.iter();
        Headers::of(lines.map(|(line, key, value)| (*line, key.as_str(), value.as_str()))).unknown()
    }

    /// Whether the log is, or was, chained.
    pub(in crate::store) fn is_chained(&self) -> bool {
        self.header("Chain").is_some() || self.log.iter().any(|entry| entry.hash.is_some())
    }

    /// The log in the order of its chain, which begins with the id.
    pub(in crate::store) fn thread(&self, id: &Id) -> Thread {
        let mut left: VecDeque<Entry> = self.log.iter().cloned().collect();
        let mut thread = Thread {
            entries: Vec::new(),
            end: Chain::new(id).to_string(),
            moved: Vec::new(),
            doubled: Vec::new(),
        };
        while let Some(first) = left.front() {
            let end = thread.end.clone();
            let holds = |entry: &Entry| entry.hash.is_some() && entry.hash == entry.next(&end);
            if holds(first) {
                thread.take(&mut left, 0, Link::Holds);
            } else if first.hash.is_none() {
                // Its own hash may be what was lost, and the next line knows it.
                let next = first.next(&end);
                let is_known = next.as_deref().is_some_and(|next| match left.get(1) {
                    Some(after) => {
                        !holds(after) && after.hash.is_some() && after.hash == after.next(next)
                    }
                    None => self.header("Chain") == Some(next),
                });
                let link = if is_known { Link::Holds } else { Link::Loose };
                thread.take(&mut left, 0, link);
                if is_known {
                    thread.end = next.unwrap_or(end);
                }
            } else if thread.entries.iter().any(|(entry, _)| entry.is(first)) {
                thread.doubled.push(first.number);
                left.pop_front();
            } else if let Some(at) = left.iter().take(FARTHEST).position(holds) {
                thread.moved.push(left[at].number);
                thread.take(&mut left, at, Link::Holds);
            } else {
                thread.take(&mut left, 0, Link::Broken(end));
            }
        }
        thread
    }
}

impl Thread {
    fn take(&mut self, left: &mut VecDeque<Entry>, at: usize, link: Link) {
        if let Some(entry) = left.remove(at) {
            if let Some(hash) = &entry.hash {
                self.end.clone_from(hash);
            }
            self.entries.push((entry, link));
        }
    }
}

impl Entry {
    /// The hash it has behind a line of that hash.
    fn next(&self, end: &str) -> Option<String> {
        self.event.as_ref().map(|event| chain::next(end, event))
    }

    fn is(&self, other: &Entry) -> bool {
        self.text == other.text && self.hash == other.hash
    }

    /// Whether it is the first line of a log.
    pub(in crate::store) fn is_beginning(&self) -> bool {
        self.event
            .as_ref()
            .is_some_and(|event| event.kind == EventKind::New)
    }
}

/// The line of a log that the first of these lines is, or that an editor has
/// made these lines of; and how many.
fn entry(lines: &[&str], number: usize, is_chained: bool) -> Option<(Entry, usize)> {
    let read = |line: &str| {
        let (text, hash) = chain::split(line);
        let event: Option<Event> = text.parse().ok();
        // What is written like a hash and is none is a hash that was damaged.
        let event = event.map(|event| {
            if is_chained {
                event.without("chain")
            } else {
                event
            }
        });
        event.map(|event| Entry {
            number,
            text: text.to_owned(),
            event: Some(event),
            hash: hash.map(ToOwned::to_owned),
            pieces: 1,
        })
    };
    let alone = read(lines[0]);
    let begins = lines[0].starts_with(|c: char| c.is_ascii_digit()) && lines[0].contains('T');
    if !begins
        || alone
            .as_ref()
            .is_some_and(|entry| entry.hash.is_some() || !is_chained)
    {
        return alone.map(|entry| (entry, 1));
    }
    let mut joined = lines[0].to_owned();
    for (i, line) in lines.iter().enumerate().take(MOST_WRAPPED).skip(1) {
        if line.is_empty() || line.parse::<Event>().is_ok() {
            break;
        }
        joined = format!("{joined} {}", line.trim_start());
        if let Some(entry) = read(&joined).filter(|entry| entry.hash.is_some() || !is_chained) {
            let pieces = i + 1;
            return Some((Entry { pieces, ..entry }, pieces));
        }
    }
    alone.map(|entry| (entry, 1))
}
