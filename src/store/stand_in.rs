//! Stands in for the writers of `text` until they are there.

use crate::rules::{Position, Record};

pub(crate) fn diagram(position: &Position) -> String {
    format!("{}\n", position.fen())
}

pub(crate) fn movelist(record: &Record) -> String {
    record
        .steps()
        .iter()
        .enumerate()
        .fold(String::new(), |list, (i, step)| {
            let end = if i % 2 == 0 { "    " } else { "\n" };
            format!("{list}{step}{end}")
        })
}
