//! `parapost status`: tells what has been done.

use std::collections::BTreeMap;

use serde_json::json;

use crate::Error;
use crate::args::watching;
use crate::command::context::{self, Context};
use crate::command::metrics;
use crate::command::status::Status;
use crate::command::tally::Tally;

pub(super) fn run(args: &watching::Status, context: &mut Context<'_>) -> Result<Status, Error> {
    let tally = Tally::of(&*context.store_to_read()?)?;
    let counts = match &context.global.watching.metrics {
        Some(path) => Some(metrics::read(path)?),
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
