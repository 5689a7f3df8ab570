//! `parapost status`, and the file of `--metrics`: what has been done, in numbers.
//!
//! The file has the text form of Prometheus that `node_exporter`'s textfile collector reads. It
//! keeps the counts of messages and sendings itself: each run reads it, adds its own and
//! replaces it. What the logs of the matches keep is counted from them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use clap::Args;

use crate::command::context::{Context, Counts, Numbers, Status};
use crate::mail::files::{self, replace};
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
    json: bool,
}

pub(super) fn run(args: &ShowStatus, context: &mut Context<'_>) -> Result<Status, Error> {
    let [of_runs @ .., matches, mails, log] = KINDS.map(word);
    let of_matches = of_matches(&*context.store_to_read()?)?;
    let mut all: Vec<_> = [matches, mails, log].into_iter().zip(of_matches).collect();
    if let Some(path) = &context.global.metrics {
        for (kind, mut numbers) in of_runs.into_iter().zip(read(path)?.0) {
            numbers.retain(|(_, number)| *number > 0);
            numbers.sort_unstable();
            all.push((kind, numbers));
        }
    }
    if args.json {
        let numbers = |(kind, numbers)| (kind, BTreeMap::from_iter(numbers));
        let object: BTreeMap<_, _> = all.into_iter().map(numbers).collect();
        context.print_json(&object)?;
        return Ok(Status::Done);
    }
    for (kind, numbers) in all {
        for (word, number) in numbers {
            context.print(format_args!("{kind}\t{word}\t{number}\n"))?;
        }
    }
    Ok(Status::Done)
}

/// The kinds of numbers: the metric of each behind `parapost_`, the label that has its words, and
/// what it is of. A metric that ends in `_total` is a counter, any other a gauge.
const KINDS: [[&str; 3]; 5] = [
    ["messages_total", "outcome", "Messages received."],
    ["sendings_total", "outcome", "Attempts to send a mail."],
    ["matches", "state", "Matches that are kept."],
    ["mails", "state", "Mails that have not gone."],
    ["log_lines", "event", "Lines in the logs of the matches."],
];

/// Returns the word for the numbers of a metric, with which it begins.
fn word([metric, ..]: [&'static str; 3]) -> &'static str {
    metric.split('_').next().unwrap_or(metric)
}

/// The longest file that is read. One of ours has some 3 KiB.
const LONGEST: u64 = 1 << 20;

/// The time to wait for another process that adds its counts.
const WAIT: Duration = Duration::from_secs(5);

/// Adds the counts of a run to the file of `--metrics`, if it was asked for. Trouble is
/// reported, and changes nothing else: what was done is done.
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
    let matches = of_matches(store)?;
    let now = clock::now()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let _lock = lock::take(&path.with_file_name(format!(".{name}.lock")), WAIT)?;
    let mut sum = read(path)?;
    sum.add(counts);
    let text = text(sum.0.into_iter().chain(matches), now);
    replace::replace(path, text.as_bytes()).map_err(|error| Error::file(path, &error))
}

/// Reads the counts that a file keeps. A file that is not there keeps none, and neither
/// does a line of another form.
///
/// # Errors
///
/// If the file cannot be read.
fn read(path: &Path) -> Result<Counts, Error> {
    let text = match files::read(path, LONGEST) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Counts::default()),
        bytes => bytes.map_err(|error| Error::file(path, &error))?,
    };
    let text = String::from_utf8_lossy(&text);
    let mut counts = Counts::default();
    for ([metric, ..], numbers) in KINDS.into_iter().zip(&mut counts.0) {
        for (outcome, number) in numbers {
            let begin = format!("parapost_{metric}{{outcome=\"{outcome}\"}} ");
            let kept = text.lines().find_map(|line| line.strip_prefix(&begin));
            *number = kept.map_or(0, |kept| kept.trim().parse().unwrap_or(0));
        }
    }
    Ok(counts)
}

/// Writes the file. Every series stands in it from the beginning, so that a rate can be
/// computed.
fn text(all: impl Iterator<Item = Numbers>, now: DateTime<Utc>) -> String {
    let mut text = String::new();
    for ([metric, label, help], numbers) in KINDS.into_iter().zip(all) {
        let name = format!("parapost_{metric}");
        let is_counter = metric.ends_with("_total");
        let kind = if is_counter { "counter" } else { "gauge" };
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (word, number) in numbers {
            let _ = writeln!(text, "{name}{{{label}=\"{word}\"}} {number}");
        }
    }
    let (name, time) = ("parapost_written_seconds", now.timestamp().max(0));
    let help = "When this file was written.";
    let _ = writeln!(
        text,
        "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {time}"
    );
    text
}

/// Counts the matches, and what the logs of those say in which anything is left to do.
///
/// # Errors
///
/// If the store cannot be read. A damaged match is counted as such.
fn of_matches(store: &dyn Store) -> Result<[Numbers; 3], Error> {
    let all = store.ids()?.len() as u64;
    let (mut going_on, mut damaged, mut owed, mut refused) = (0, 0, 0, 0);
    let mut events: BTreeMap<Cow<'static, str>, u64> = BTreeMap::new();
    for id in store.going_on()? {
        let game = match store.find(&id) {
            Ok(Some(stored)) => stored.game,
            Ok(None) => continue,
            Err(_) => {
                damaged += 1;
                continue;
            }
        };
        if !Open::of(&game).is_any() {
            continue;
        }
        going_on += u64::from(game.turn().is_some());
        owed += (game.owed().len() + game.owed_articles().len()) as u64;
        refused += (game.undelivered().len() + game.refused_articles().len()) as u64;
        for event in game.log() {
            // A word that this version does not know may be anything.
            let word = match &event.event {
                Event::Other { .. } => "other",
                event => event.kind(),
            };
            match events.get_mut(word) {
                Some(number) => *number += 1,
                None => drop(events.insert(word.to_owned().into(), 1)),
            }
        }
    }
    let over = all.saturating_sub(going_on + damaged);
    let states = [("going-on", going_on), ("over", over), ("damaged", damaged)];
    let mails = [("owed", owed), ("refused", refused)];
    let worded = |(word, number): (&'static str, u64)| (word.into(), number);
    Ok([
        states.map(worded).into(),
        mails.map(worded).into(),
        events.into_iter().collect(),
    ])
}
