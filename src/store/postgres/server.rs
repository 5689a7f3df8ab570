//! The settings of a server that decide whether an acknowledged write lasts.

use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::Error;
use crate::mail::server_text::ServerText;
use crate::store::postgres::connection::{Connection, Failure, Settings};
use crate::store::postgres::pool::Pool;
use crate::store::postgres::schema;
use crate::store::postgres::schema::{STEPS, VERSION, must_be_current, must_be_whole, version};

/// The encoding that has every text.
pub const ENCODING: &str = "UTF8";

/// The settings of a server, as it reports them. A missing one counts as being in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerSettings {
    /// True if a commit is on the disk before it is acknowledged.
    pub has_fsync: bool,
    /// True if a page of which a crash leaves only a part can be made whole again.
    pub has_full_page_writes: bool,
    /// The standbys that a commit waits for.
    pub standbys: Standbys,
    /// The encoding of the database, if it does not have every letter.
    pub poor_encoding: Option<ServerText>,
}

/// The standbys that a commit waits for before it is acknowledged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standbys {
    /// It waits for none.
    Unset,
    /// Fewer are connected than each commit waits for. What the setting says.
    TooFew(ServerText),
    /// Enough are connected, but these are not.
    Missing(ServerText),
    /// All that are named are connected, or the server does not tell.
    Connected,
}

impl ServerSettings {
    /// Asks the server, and looks at the tables.
    ///
    /// # Errors
    ///
    /// If the database is out of reach, or its tables are not those of this version.
    pub fn look(settings: Settings) -> Result<(ServerSettings, Result<(), Error>), Error> {
        let pool = Pool::unchecked(settings);
        pool.read(|connection| {
            let rows = connection.query(
                "select current_setting('fsync', true), current_setting('full_page_writes', true),
                 current_setting('synchronous_standby_names', true)",
                &[],
            )?;
            let row = rows.first();
            let text = |column: usize| {
                let text = row.map(|row| row.try_get::<_, Option<String>>(column));
                Ok::<_, Failure>(text.transpose()?.flatten())
            };
            let server = ServerSettings {
                has_fsync: text(0)?.is_none_or(|word| word != "off"),
                has_full_page_writes: text(1)?.is_none_or(|word| word != "off"),
                standbys: standbys(connection, text(2)?)?,
                poor_encoding: poor_encoding(connection)?,
            };
            let tables = match schema::check(connection, &pool.place()) {
                Err(failure) if failure.may_pass() => return Err(failure),
                tables => tables.map_err(|failure| failure.error(&pool.place())),
            };
            Ok((server, tables))
        })
    }
}

/// Asks which of the standbys that a commit waits for are connected. A role without
/// rights to the server's statistics learns only that one is.
fn standbys(connection: &Connection, setting: Option<String>) -> Result<Standbys, Failure> {
    let Some(setting) = setting else {
        return Ok(Standbys::Connected);
    };
    if setting.trim().is_empty() {
        return Ok(Standbys::Unset);
    }
    let rows = connection.query(
        "select application_name, coalesce(sync_state, '?') from pg_stat_replication
         where not pg_is_in_recovery()
         union all select null, '?' where pg_is_in_recovery()",
        &[],
    );
    let rows = match rows {
        // Not every engine tells.
        Err(Failure::Refused(..)) => return Ok(Standbys::Connected),
        rows => rows?,
    };
    let connected = rows.iter().map(|row| {
        let (name, state) = (row.try_get(0)?, row.try_get(1)?);
        Ok((name, state))
    });
    let connected: Vec<(Option<String>, String)> = connected.collect::<Result<_, Failure>>()?;
    let (count, named) = standbys_named(&setting);
    if connected.iter().any(|(_, state)| state == "?") {
        return Ok(Standbys::Connected);
    }
    let is_waited_for = |state: &str| matches!(state, "sync" | "quorum");
    let counting = connected.iter().filter(|(_, state)| is_waited_for(state));
    if counting.count() < count {
        return Ok(Standbys::TooFew(ServerText::new(setting)));
    }
    let is_connected = |name: &&str| {
        let mut connected = connected.iter().filter_map(|(known, _)| known.as_deref());
        *name == "*" || connected.any(|known| known.eq_ignore_ascii_case(name))
    };
    let missing = named.into_iter().filter(|name| !is_connected(name));
    let missing: Vec<&str> = missing.collect();
    Ok(if missing.is_empty() {
        Standbys::Connected
    } else {
        Standbys::Missing(ServerText::new(missing.join(", ")))
    })
}

/// Returns how many standbys `synchronous_standby_names` waits for, and their names: `FIRST 2
/// (a, b)`, `ANY 1 (a, b)`, `2 (a, b)` or `a, b`.
fn standbys_named(setting: &str) -> (usize, Vec<&str>) {
    let (count, names) = match setting.split_once('(') {
        Some((head, names)) => (
            head.split_whitespace().last(),
            names.trim_end().trim_end_matches(')'),
        ),
        None => (None, setting),
    };
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(1);
    let names = names.split(',').map(|name| name.trim().trim_matches('"'));
    (count, names.collect())
}

/// Returns the encoding of the database, if it does not have every letter.
fn poor_encoding(connection: &Connection) -> Result<Option<ServerText>, Failure> {
    let rows = match connection.query("select current_setting('server_encoding', true)", &[]) {
        // Not every engine tells its settings.
        Err(Failure::Refused(..)) => return Ok(None),
        rows => rows?,
    };
    let encoding = rows.first().map(|row| row.try_get::<_, Option<String>>(0));
    let encoding = encoding.transpose()?.flatten();
    let encoding = encoding.filter(|encoding| encoding != ENCODING);
    Ok(encoding.map(ServerText::new))
}

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
        for step in &STEPS[done..] {
            for statement in step.split_terminator(";\n") {
                connection.batch(statement)?;
            }
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
