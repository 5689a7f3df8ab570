//! The file of `--metrics`, in the text form of Prometheus that `node_exporter`'s textfile
//! collector reads.
//!
//! The file keeps the counts of messages and sendings itself: each run reads it, adds its
//! own and replaces it. What the logs of the matches keep is counted from them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::command::context::Context;
use crate::command::counts::{Counts, Sending};
use crate::command::tally::Tally;
use crate::files::replace;
use crate::matches::event::Disposition;
use crate::store::lock;
use crate::store::store::Store;
use crate::{Error, clock, files};

/// The longest file that is read. One of ours has some 3 KiB.
const LONGEST: u64 = 1 << 20;

/// The time to wait for another process that adds its counts.
const WAIT: Duration = Duration::from_secs(5);

const MESSAGES: &str = "parapost_messages_total";
const SENDINGS: &str = "parapost_sendings_total";

/// Adds the counts of a run to the file of `--metrics`, if it was asked for. Trouble is
/// told, and changes nothing else: what was done is done.
pub(super) fn keep(context: &mut Context<'_>) {
    let Some(path) = context.global.watching.metrics.clone() else {
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
