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

use crate::command::context::{Context, Counts, Sending, Status};
use crate::mail::files::{self, replace};
use crate::matches::event::{Disposition, Event};
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
    let mut all = Vec::from(of_matches(&*context.store_to_read()?)?);
    if let Some(path) = &context.global.metrics {
        for mut series in of_counts(&read(path)?) {
            series.numbers.retain(|(_, number)| *number > 0);
            series.numbers.sort_unstable();
            all.push(series);
        }
    }
    if args.json {
        let numbers = |series: Series| (series.kind, BTreeMap::from_iter(series.numbers));
        let object: BTreeMap<_, _> = all.into_iter().map(numbers).collect();
        context.print_json(&object)?;
        return Ok(Status::Done);
    }
    for Series { kind, numbers, .. } in all {
        for (word, number) in numbers {
            context.print(format_args!("{kind}\t{word}\t{number}\n"))?;
        }
    }
    Ok(Status::Done)
}

/// Numbers of one kind, each with its word.
struct Series {
    /// The word for the kind.
    kind: &'static str,
    /// The name of its metric, the type of that, and the label that has the words.
    metric: [&'static str; 3],
    help: &'static str,
    numbers: Vec<(String, u64)>,
}

/// The longest file that is read. One of ours has some 3 KiB.
const LONGEST: u64 = 1 << 20;

/// The time to wait for another process that adds its counts.
const WAIT: Duration = Duration::from_secs(5);

const MESSAGES: &str = "parapost_messages_total";
const SENDINGS: &str = "parapost_sendings_total";

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
    let failed = |error| Error::file(path, &error);
    let matches = of_matches(store)?;
    let now = clock::now()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let _lock = lock::take(&path.with_file_name(format!(".{name}.lock")), WAIT)?;
    let mut sum = read(path)?;
    sum.add(counts);
    replace::replace(
        path,
        text(of_counts(&sum).into_iter().chain(matches), now).as_bytes(),
    )
    .map_err(failed)
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
/// computed.
fn text(all: impl Iterator<Item = Series>, now: DateTime<Utc>) -> String {
    let mut text = String::new();
    for series in all {
        let [name, kind, label] = series.metric;
        let _ = writeln!(text, "# HELP {name} {}\n# TYPE {name} {kind}", series.help);
        for (word, number) in series.numbers {
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

/// Returns the numbers of what runs have done, with all outcomes there are.
fn of_counts(counts: &Counts) -> [Series; 2] {
    let numbers = |outcomes: &[&str], counts: &BTreeMap<&'static str, u64>| {
        let number = |outcome: &&str| counts.get(outcome).copied().unwrap_or(0);
        let numbers = outcomes
            .iter()
            .map(|word| ((*word).to_owned(), number(word)));
        numbers.collect()
    };
    [
        Series {
            kind: "messages",
            metric: [MESSAGES, "counter", "outcome"],
            help: "Messages received.",
            numbers: numbers(&Disposition::ALL.map(Disposition::as_str), &counts.messages),
        },
        Series {
            kind: "sendings",
            metric: [SENDINGS, "counter", "outcome"],
            help: "Attempts to send a mail.",
            numbers: numbers(&Sending::ALL.map(Sending::as_str), &counts.sendings),
        },
    ]
}

/// Counts the matches, and what the logs of those say in which anything is left to do.
///
/// # Errors
///
/// If the store cannot be read. A damaged match is counted as such.
fn of_matches(store: &dyn Store) -> Result<[Series; 3], Error> {
    let all = store.ids()?.len() as u64;
    let (mut going_on, mut damaged, mut owed, mut refused) = (0, 0, 0, 0);
    let mut events: BTreeMap<String, u64> = BTreeMap::new();
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
        owed += game.owed().len() as u64;
        refused += game.undelivered().len() as u64;
        for event in game.log() {
            // A word that this version does not know may be anything.
            let word = match &event.event {
                Event::Other { .. } => "other",
                event => event.kind(),
            };
            match events.get_mut(word) {
                Some(number) => *number += 1,
                None => drop(events.insert(word.to_owned(), 1)),
            }
        }
    }
    let over = all.saturating_sub(going_on + damaged);
    let states = [("going-on", going_on), ("over", over), ("damaged", damaged)];
    let mails = [("owed", owed), ("refused", refused)];
    Ok([
        Series {
            kind: "matches",
            metric: ["parapost_matches", "gauge", "state"],
            help: "Matches that are kept.",
            numbers: states
                .map(|(word, number)| (word.to_owned(), number))
                .into(),
        },
        Series {
            kind: "mails",
            metric: ["parapost_mails", "gauge", "state"],
            help: "Mails that have not gone.",
            numbers: mails.map(|(word, number)| (word.to_owned(), number)).into(),
        },
        Series {
            kind: "log",
            metric: ["parapost_log_lines", "gauge", "event"],
            help: "Lines in the logs of the matches.",
            numbers: events.into_iter().collect(),
        },
    ])
}
