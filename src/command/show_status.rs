//! `parapost status`, and the file of `--metrics`: what has been done, in numbers.
//!
//! The file has the text form of Prometheus that `node_exporter`'s textfile collector reads. It
//! keeps the counts of messages and sendings itself: each run reads it, adds its own and
//! replaces it. What the logs of the matches keep is counted from them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use clap::Args;
use serde_json::json;

use crate::command::context::{self, Context};
use crate::command::counts::{Counts, Sending};
use crate::command::status::Status;
use crate::files::{self, replace};
use crate::matches::disposition::Disposition;
use crate::matches::event::Event;
use crate::store::lock;
use crate::store::store::{Open, Store};
use crate::{Error, clock};

/// `parapost status`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost status
  parapost status --metrics /var/lib/prometheus/parapost.prom")]
pub(super) struct ShowStatus {
    /// Write one JSON object instead
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &ShowStatus, context: &mut Context<'_>) -> Result<Status, Error> {
    let tally = Tally::of(&*context.store_to_read()?)?;
    let counts = match &context.global.metrics {
        Some(path) => Some(read(path)?),
        None => None,
    };
    let (matches, mails, events) = (tally.matches(), tally.mails(), tally.events());
    let mut kinds = vec![
        ("matches", matches.to_vec()),
        ("mails", mails.to_vec()),
        ("log", events),
    ];
    if let Some(counts) = &counts {
        let list = |counts: &BTreeMap<&'static str, u64>| {
            let counts = counts.iter().filter(|(_, number)| **number > 0);
            counts.map(|(word, number)| (*word, *number)).collect()
        };
        kinds.push(("messages", list(&counts.messages)));
        kinds.push(("sendings", list(&counts.sendings)));
    }
    if args.json {
        let map = |(kind, values): (&str, Vec<(&str, u64)>)| {
            let values: BTreeMap<&str, u64> = values.into_iter().collect();
            (kind.to_owned(), json!(values))
        };
        let object: serde_json::Map<_, _> = kinds.into_iter().map(map).collect();
        let object = context::json(&object)?;
        context.print(format_args!("{object}\n"))?;
        return Ok(Status::Done);
    }
    for (kind, values) in kinds {
        for (word, number) in values {
            context.print(format_args!("{kind}\t{word}\t{number}\n"))?;
        }
    }
    Ok(Status::Done)
}

/// The longest file that is read. One of ours has some 3 KiB.
const LONGEST: u64 = 1 << 20;

/// The time to wait for another process that adds its counts.
const WAIT: Duration = Duration::from_secs(5);

const MESSAGES: &str = "parapost_messages_total";
const SENDINGS: &str = "parapost_sendings_total";

/// Adds the counts of a run to the file of `--metrics`, if it was asked for. Trouble is
/// told, and changes nothing else: what was done is done.
pub(super) fn keep(context: &mut Context<'_>) {
    let Some(path) = context.global.metrics.clone() else {
        return;
    };
    let kept = context
        .store()
        .and_then(|store| add(&path, &context.counts, &*store));
    match kept {
        Ok(()) => context.counts = Counts::default(),
        Err(error) => context.say_error(&error),
    }
}

/// Adds counts to a file, and writes what the matches are now.
///
/// # Errors
///
/// If the matches or the file cannot be read, or the file cannot be written. The counts
/// are not added then.
pub(super) fn add(path: &Path, counts: &Counts, store: &dyn Store) -> Result<(), Error> {
    let failed = |error| Error::file(path, &error);
    let tally = Tally::of(store)?;
    let now = clock::now()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let _lock = lock::take(&path.with_file_name(format!(".{name}.lock")), WAIT)?;
    let mut sum = read(path)?;
    sum.add(counts);
    replace::replace(path, text(&tally, &sum, now).as_bytes()).map_err(failed)
}

/// Reads the counts that a file keeps. A file that is not there keeps none, and neither
/// does a line of another form.
///
/// # Errors
///
/// If the file cannot be read.
pub(super) fn read(path: &Path) -> Result<Counts, Error> {
    let text = match files::read(path, LONGEST) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Counts::default()),
        bytes => bytes.map_err(|error| Error::file(path, &error))?,
    };
    let text = String::from_utf8_lossy(&text);
    let of = |metric: &str, outcomes: &[&'static str]| {
        let read = |outcome: &&'static str| {
            let begin = format!("{metric}{{outcome=\"{outcome}\"}} ");
            let number = text.lines().find_map(|line| line.strip_prefix(&begin))?;
            Some((*outcome, number.trim().parse().ok()?))
        };
        outcomes.iter().filter_map(read).collect()
    };
    Ok(Counts {
        messages: of(MESSAGES, &Disposition::ALL.map(Disposition::as_str)),
        sendings: of(SENDINGS, &Sending::ALL.map(Sending::as_str)),
    })
}

/// Writes the file. Every series stands in it from the beginning, so that a rate can be
/// told.
fn text(tally: &Tally, counts: &Counts, now: DateTime<Utc>) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, kind: &str, help: &str, label: &str, values: &[(&str, u64)]| {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (value, number) in values {
            let _ = match label {
                "" => writeln!(text, "{name} {number}"),
                _ => writeln!(text, "{name}{{{label}=\"{value}\"}} {number}"),
            };
        }
    };
    let all = |outcomes: &[&'static str], counts: &BTreeMap<&'static str, u64>| {
        let number = |outcome: &&'static str| counts.get(outcome).copied().unwrap_or(0);
        let series = outcomes.iter().map(|outcome| (*outcome, number(outcome)));
        series.collect::<Vec<_>>()
    };
    let words = Disposition::ALL.map(Disposition::as_str);
    let messages = all(&words, &counts.messages);
    let help = "Messages received.";
    metric(MESSAGES, "counter", help, "outcome", &messages);
    let sendings = all(&Sending::ALL.map(Sending::as_str), &counts.sendings);
    let help = "Attempts to send a mail.";
    metric(SENDINGS, "counter", help, "outcome", &sendings);
    let help = "Matches that are kept.";
    metric("parapost_matches", "gauge", help, "state", &tally.matches());
    let help = "Mails that have not gone.";
    metric("parapost_mails", "gauge", help, "state", &tally.mails());
    let help = "Lines in the logs of the matches.";
    let events = tally.events();
    metric("parapost_log_lines", "gauge", help, "event", &events);
    let time = [("", u64::try_from(now.timestamp()).unwrap_or(0))];
    let help = "When this file was written.";
    metric("parapost_written_seconds", "gauge", help, "", &time);
    text
}

/// What the matches of a store come to.
#[derive(Default)]
pub(super) struct Tally {
    going_on: u64,
    over: u64,
    damaged: u64,
    owed: u64,
    refused: u64,
    events: BTreeMap<String, u64>,
}

impl Tally {
    /// Counts the matches, and what the logs of those say in which anything is left to do.
    ///
    /// # Errors
    ///
    /// If the store cannot be read. A damaged match is counted as such.
    pub(super) fn of(store: &dyn Store) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        let all = store.ids()?.len() as u64;
        for id in store.going_on()? {
            let game = match store.find(&id) {
                Ok(Some(stored)) => stored.game,
                Ok(None) => continue,
                Err(_) => {
                    tally.damaged += 1;
                    continue;
                }
            };
            if !Open::of(&game).is_any() {
                continue;
            }
            tally.going_on += u64::from(game.turn().is_some());
            tally.owed += game.owed().len() as u64;
            tally.refused += game.undelivered().len() as u64;
            for event in game.log() {
                // A word that this version does not know may be anything.
                let word = match &event.event {
                    Event::Other { .. } => "other",
                    event => event.kind(),
                };
                match tally.events.get_mut(word) {
                    Some(number) => *number += 1,
                    None => drop(tally.events.insert(word.to_owned(), 1)),
                }
            }
        }
        tally.over = all.saturating_sub(tally.going_on + tally.damaged);
        Ok(tally)
    }

    /// Returns the number of matches, by what state they are in.
    pub(super) fn matches(&self) -> [(&str, u64); 3] {
        [
            ("going-on", self.going_on),
            ("over", self.over),
            ("damaged", self.damaged),
        ]
    }

    /// Returns the number of mails that have not gone.
    pub(super) fn mails(&self) -> [(&str, u64); 2] {
        [("owed", self.owed), ("refused", self.refused)]
    }

    /// Returns the number of lines in the logs, by their words.
    pub(super) fn events(&self) -> Vec<(&str, u64)> {
        let events = self.events.iter();
        events
            .map(|(word, number)| (word.as_str(), *number))
            .collect()
    }
}
