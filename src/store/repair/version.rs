//! The remains of a state file, sorted: its headers, its text, and its log in the order of the chain.

use std::collections::{HashSet, VecDeque};

use crate::match_id::Id;
use crate::matches::event::LogEntry;
use crate::matches::hash::{self, split_chain};
use crate::store::state_file::{Headers, is_conflict, is_log};

/// The most lines that an editor may have made of one.
const MOST_WRAPPED: usize = 12;

/// The most lines ahead at which the next line of a chain is looked for: lines that were moved
/// have not gone far.
const FARTHEST: usize = 100;

/// The most broken lines for which a line is looked for that they follow.
const MOST_BROKEN: usize = 50;

/// The texts that the marks of a merge set apart: each as it would be without
/// the other. One where there are no such marks.
pub(super) fn versions(text: &str) -> Vec<String> {
    let mut versions = vec![String::new(); 2];
    let mut belongs = [true, true];
    let mut is_two = false;
    for line in text.split_inclusive('\n') {
        if is_conflict(line.trim_end()) {
            let in_conflict = belongs != [true, true];
            belongs = match line.as_bytes()[0] {
                b'<' => [true, false],
                // The text that both began with.
                b'|' if in_conflict => [false, false],
                b'=' if in_conflict => [false, true],
                _ => [true, true],
            };
            is_two |= belongs == [false, true];
            continue;
        }
        for (version, belongs) in versions.iter_mut().zip(belongs) {
            if belongs {
                version.push_str(line);
            }
        }
    }
    if !is_two {
        versions.truncate(1);
    }
    versions.dedup();
    versions
}

/// One version of a damaged state file.
pub(super) struct Version<'a> {
    pub(super) text: &'a str,
    /// Of several headers with a key the first.
    pub(super) headers: Headers<'a>,
    /// The text between the headers and the log: the diagram and the list.
    pub(super) body: String,
    /// The log in the order of its chain.
    pub(super) log: Vec<LogLine>,
    /// The hash of the last line of the log; the id if it has none.
    pub(super) end: String,
    /// True if the log is, or was, chained.
    pub(super) is_chained: bool,
    /// The first fork of the chain, which a merge without marks leaves.
    pub(super) fork: Option<Fork>,
}

/// Two lines of a log that follow the same line by their hashes.
pub(super) struct Fork {
    /// The number of the line in the log, from 1.
    pub(super) at: usize,
    pub(super) one: String,
    pub(super) other: String,
}

/// A line of a damaged log.
pub(super) struct LogLine {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// The line without its hash.
    pub(super) text: String,
    /// Its event, if that can be read.
    pub(super) event: Option<LogEntry>,
    /// The hash it ends in.
    pub(super) hash: Option<String>,
    /// What somebody has written behind the hash.
    pub(super) remark: Option<String>,
    /// The number of lines that an editor has made of it.
    pub(super) pieces: usize,
    /// True if it stood in another place.
    pub(super) is_moved: bool,
    pub(super) link: Link,
}

/// The link of a line of a log to the one before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Link {
    /// By its hash.
    Holds,
    /// It does not: this line was changed, or one before it lost. This is the
    /// hash of the line before.
    Broken(String),
    /// It has no hash.
    Loose,
    /// The line is there already.
    Doubled,
}

impl<'a> Version<'a> {
    /// Sorts the lines of the damaged file of that match.
    pub(super) fn read(text: &'a str, id: &Id) -> Version<'a> {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let is_chained = lines.iter().any(|line| split_chain(line).1.is_some());
        let is_cut = !text.is_empty() && !text.ends_with('\n');
        let mut headers = Headers::default();
        let mut body = String::new();
        let mut log = VecDeque::new();
        let mut in_log = false;
        let mut next = 0;
        while let Some(&text) = lines.get(next) {
            let mut line = LogLine::join(&lines[next..], next + 1, is_chained);
            // Nobody knows how a line that was cut went on.
            let is_cut = is_cut && next + 1 == lines.len();
            next += 1;
            if is_log(text) {
                in_log = true;
            } else if line.event.is_some() || in_log && !text.is_empty() {
                next += line.pieces - 1;
                if is_cut && line.hash.is_none() {
                    line.event = None;
                }
                log.push_back(line);
            } else if !is_cut && !in_log && !headers.take(next, text) {
                body.push_str(text);
                body.push('\n');
            }
        }
        let chain = headers.get("Chain");
        let (log, end, fork) = in_order(log, id, chain);
        Version {
            fork,
            text,
            is_chained: is_chained || chain.is_some(),
            headers,
            body,
            log,
            end,
        }
    }
}

/// The log in the order of its chain, which begins with the id, the hash it
/// ends in, and the first fork in it. `chain` is the end by the headers.
fn in_order(
    mut left: VecDeque<LogLine>,
    id: &Id,
    chain: Option<&str>,
) -> (Vec<LogLine>, String, Option<Fork>) {
    let mut log: Vec<LogLine> = Vec::new();
    // For each line of the log the hash before it.
    let mut ends: Vec<String> = Vec::new();
    let mut fork = None;
    let mut seen = HashSet::new();
    let mut end = id.to_string();
    let mut broken = 0;
    while let Some(first) = left.front() {
        ends.push(end.clone());
        let holds = |line: &LogLine| line.is_next(&end, line.event.as_ref());
        let (at, link) = if holds(first) {
            (0, Link::Holds)
        } else if first.hash.is_none() {
            // Its own hash may be what was lost; then the next line, or the
            // header, knows it.
            let link = first.event.as_ref();
            let link = link.map(|event| hash::Link::of(&end, event));
            let hash = link.map(|link| link.as_str().to_owned());
            let hash = hash.filter(|hash| match left.get(1) {
                Some(after) => !holds(after) && after.is_next(hash, after.event.as_ref()),
                None => chain == Some(hash),
            });
            let link = hash.as_ref().map_or(Link::Loose, |_| Link::Holds);
            end = hash.unwrap_or(end);
            (0, link)
        } else if seen.contains(&(first.text.clone(), first.hash.clone())) {
            (0, Link::Doubled)
        } else if let Some(at) = left.iter().take(FARTHEST).position(holds) {
            (at, Link::Holds)
        } else {
            let follows = |end: &String| first.is_next(end, first.event.as_ref());
            broken += 1;
            if fork.is_none() && broken <= MOST_BROKEN {
                let at = ends.iter().position(follows);
                // A line that was moved far away follows the line before its place.
                let at = at.filter(|at| log[*at].link == Link::Holds);
                fork = at.map(|at| Fork {
                    at: at + 1,
                    one: log[at].text.clone(),
                    other: first.text.clone(),
                });
            }
            (0, Link::Broken(end.clone()))
        };
        let Some(mut next) = left.remove(at) else {
            break;
        };
        if let Some(hash) = next.hash.as_ref().filter(|_| link != Link::Doubled) {
            end.clone_from(hash);
            seen.insert((next.text.clone(), next.hash.clone()));
        }
        next.is_moved = at > 0;
        next.link = link;
        log.push(next);
    }
    (log, end, fork)
}

impl LogLine {
    fn read(number: usize, pieces: usize, line: &str, is_chained: bool) -> LogLine {
        let (line, remark) = split_remark(line);
        let (text, hash) = split_chain(line);
        let event = text.parse::<LogEntry>().ok();
        LogLine {
            number,
            text: text.to_owned(),
            // In a chained log such a key is a damaged hash.
            event: if is_chained {
                event.map(|event| event.without("chain"))
            } else {
                event
            },
            hash: hash.map(ToOwned::to_owned),
            remark: remark.map(ToOwned::to_owned),
            pieces,
            is_moved: false,
            link: Link::Loose,
        }
    }

    /// The first of these lines, joined with those that an editor has broken
    /// off it.
    fn join(lines: &[&str], number: usize, is_chained: bool) -> LogLine {
        let is_whole =
            |line: &LogLine| line.event.is_some() && (line.hash.is_some() || !is_chained);
        let alone = LogLine::read(number, 1, lines[0], is_chained);
        let begins = lines[0].starts_with(|c: char| c.is_ascii_digit()) && lines[0].contains('T');
        if !begins || is_whole(&alone) {
            return alone;
        }
        let mut joined = lines[0].to_owned();
        for (i, line) in lines.iter().enumerate().take(MOST_WRAPPED).skip(1) {
            if line.is_empty() || line.parse::<LogEntry>().is_ok() {
                break;
            }
            joined = format!("{joined} {}", line.trim_start());
            let whole = LogLine::read(number, i + 1, &joined, is_chained);
            if is_whole(&whole) {
                return whole;
            }
        }
        alone
    }

    /// Returns true if the line, read as that event, has the hash of one that follows
    /// the line with the hash `end`.
    pub(super) fn is_next(&self, end: &str, event: Option<&LogEntry>) -> bool {
        let link = event.map(|event| hash::Link::of(end, event));
        link.is_some_and(|link| self.hash.as_deref() == Some(link.as_str()))
    }

    /// Returns true if it is the first line of a log.
    pub(super) fn is_beginning(&self) -> bool {
        self.event.as_ref().is_some_and(LogEntry::is_beginning)
    }
}

/// Splits what somebody has written behind the hash of a line from the line.
fn split_remark(line: &str) -> (&str, Option<&str>) {
    let ends = line.match_indices(' ').map(|(at, _)| line.split_at(at));
    let is_whole =
        |whole: &str| split_chain(whole).1.is_some() && whole.parse::<LogEntry>().is_ok();
    let found = match split_chain(line).1 {
        None => ends.rev().find(|(whole, _)| is_whole(whole)),
        Some(_) => None,
    };
    found.map_or((line, None), |(whole, remark)| (whole, Some(remark.trim())))
}
