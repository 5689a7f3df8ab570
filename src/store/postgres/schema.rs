//! The tables and their version.

use tokio_postgres::error::SqlState;

use crate::Error;
use crate::store::postgres::connection::{Connection, Failure};

/// The version of the tables that this version of the program uses.
pub(super) const VERSION: i64 = 3;

/// The statements that make the tables of each version from those of the one before. Each can
/// be run again: not every engine has them in a transaction.
pub(super) const STEPS: [&str; 3] = [
    include_str!("version-1.sql"),
    include_str!("version-2.sql"),
    // Texts that are there stay in `body`, as a whole.
    include_str!("version-3.sql"),
];

/// The tables of the steps.
const TABLES: [&str; 6] = [
    "match",
    "match_address",
    "match_mail",
    "match_kept",
    "match_worker",
    "match_part",
];

/// Checks that the tables are there and of this version.
pub(super) fn check(connection: &Connection, place: &str) -> Result<(), Failure> {
    let version = match version(connection) {
        Err(Failure::Refused(_, code)) if code == SqlState::UNDEFINED_TABLE => None,
        version => version.map_err(Failure::before_any_change)?,
    };
    must_be_current(version, place)?;
    must_be_whole(connection, place)
}

/// Checks that no table is missing. One that was made and has gone is not made again: what
/// was in it would be missing without a word.
pub(super) fn must_be_whole(connection: &Connection, place: &str) -> Result<(), Failure> {
    // All at once: a new process asks this first.
    let all = TABLES.map(|table| format!("select 1 from {table} where 1 = 0"));
    match connection.query(&all.join(" union all "), &[]) {
        Err(Failure::Refused(said, code)) if code == SqlState::UNDEFINED_TABLE => {
            Err(Failure::Other(Error::refused(format!(
                "{place}: a table is missing: {said}; restore it from a backup"
            ))))
        }
        // A role needs no right to a table that it does not use.
        Err(Failure::Refused(_, SqlState::INSUFFICIENT_PRIVILEGE)) => Ok(()),
        whole => whole.map(drop).map_err(Failure::before_any_change),
    }
}

/// Reads the version of the tables.
pub(super) fn version(connection: &Connection) -> Result<Option<i64>, Failure> {
    let rows = connection.query(
        "select version from parapost_schema where name = 'matches'",
        &[],
    )?;
    let version = rows.first().map(|row| row.try_get(0));
    Ok(version.transpose()?)
}

/// Checks a version of the tables.
pub(super) fn must_be_current(version: Option<i64>, place: &str) -> Result<(), Error> {
    match version {
        Some(VERSION) => Ok(()),
        None => Err(Error::refused(format!(
            "{place}: there are no matches and no tables for them; 'parapost store setup' makes them"
        ))),
        Some(older) if older < VERSION => Err(Error::refused(format!(
            "{place}: the tables are of version {older}, and this program uses {VERSION}; 'parapost store setup' brings them up to date"
        ))),
        Some(newer) => Err(Error::refused(format!(
            "{place}: the tables are of version {newer}, and this program knows no later one than {VERSION}; use a newer parapost"
        ))),
    }
}
