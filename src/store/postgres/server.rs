//! What a server says of itself: whether what it acknowledges lasts.

use crate::Error;
use crate::store::postgres::connection::Connection;
use crate::store::postgres::failure::Failure;
use crate::store::postgres::pool::Pool;
use crate::store::postgres::schema;
use crate::store::postgres::settings::Settings;

/// The encoding that has every text.
pub const ENCODING: &str = "UTF8";

/// What a server says of itself. What it does not know counts as being in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Server {
    /// True if a commit is on the disk before it is acknowledged.
    pub has_fsync: bool,
    /// True if a page of which a crash leaves only a part can be made whole again.
    pub has_full_page_writes: bool,
    /// True if a commit is acknowledged only when a standby has it.
    pub has_standbys: bool,
    /// The encoding of the database, if it does not have every letter.
    pub poor_encoding: Option<String>,
}

impl Server {
    /// Asks the server, and looks at the tables.
    ///
    /// # Errors
    ///
    /// If the database is out of reach, or its tables are not those of this version.
    pub fn look(settings: Settings) -> Result<(Server, Result<(), Error>), Error> {
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
                let text = text.transpose().map_err(|error| Failure::of(&error))?;
                Ok::<_, Failure>(text.flatten())
            };
            let server = Server {
                has_fsync: text(0)?.is_none_or(|word| word != "off"),
                has_full_page_writes: text(1)?.is_none_or(|word| word != "off"),
                has_standbys: text(2)?.is_none_or(|names| !names.trim().is_empty()),
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

/// Returns the encoding of the database, if it does not have every letter.
pub(super) fn poor_encoding(connection: &Connection) -> Result<Option<String>, Failure> {
    let rows = match connection.query("select current_setting('server_encoding', true)", &[]) {
        // Not every engine tells its settings.
        Err(Failure::Refused(..)) => return Ok(None),
        rows => rows?,
    };
    let encoding = rows.first().map(|row| row.try_get::<_, Option<String>>(0));
    let encoding = encoding.transpose().map_err(|error| Failure::of(&error))?;
    Ok(encoding.flatten().filter(|encoding| encoding != ENCODING))
}
