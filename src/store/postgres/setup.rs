//! Making the tables, and bringing them up to date.

use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::Error;
use crate::store::postgres::connection::Connection;
use crate::store::postgres::failure::Failure;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::schema::{STEPS, VERSION, must_be_current, must_be_whole, version};
use crate::store::postgres::server::{ENCODING, poor_encoding};
use crate::store::postgres::settings::Settings;

/// Makes the tables, or brings those of an earlier version up to date. Returns false if
/// there was nothing to do.
///
/// # Errors
///
/// If the database is out of reach, does not allow it, cannot keep every text, or has tables
/// of a newer version.
pub fn set_up(settings: Settings) -> Result<bool, Error> {
    let pool = Pool::unchecked(settings);
    let place = pool.place();
    let done = pool.with(|connection| {
        must_keep_every_text(connection, &place)?;
        connection.batch(
            "create table if not exists parapost_schema (
                name text primary key,
                version bigint not null)",
        )?;
        let found = version(connection)?;
        let from = found.unwrap_or(0);
        if from >= VERSION {
            must_be_current(found, &place)?;
            return must_be_whole(connection, &place).map(|()| false);
        }
        let done = usize::try_from(from).unwrap_or(0);
        for statement in STEPS[done..].iter().copied().flatten() {
            connection.batch(statement)?;
        }
        connection.query(
            "insert into parapost_schema (name, version) values ('matches', $1)
             on conflict (name) do update set version = excluded.version returning version",
            &[(&VERSION, Type::INT8)],
        )?;
        Ok(true)
    });
    done.map_err(|failure| match failure {
        Failure::Refused(_, SqlState::UNIQUE_VIOLATION) => {
            Error::later(format!("{place}: somebody else sets it up now"))
        }
        failure => failure.error(&place),
    })
}

/// Checks that the database can keep whatever stands in a letter. In another encoding a
/// letter with a name or a word that it lacks would be deferred for ever.
fn must_keep_every_text(connection: &Connection, place: &str) -> Result<(), Failure> {
    match poor_encoding(connection)? {
        Some(encoding) => Err(Failure::Other(Error::refused(format!(
            "{place}: the database has the encoding {encoding}, which does not have every letter; make one with \"create database … encoding '{ENCODING}' template template0\""
        )))),
        None => Ok(()),
    }
}
