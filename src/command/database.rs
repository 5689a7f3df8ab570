//! The database of the configuration, where this program is built with it.

use std::sync::Arc;
use std::time::Duration;

use crate::Error;
use crate::config::store::PostgresSettings;
use crate::store::store::Store;

/// The risks to a match in a database, each with its remedy; and an error unless the
/// tables are those of this version.
type Checked = (Vec<[String; 2]>, Result<(), Error>);

/// Opens the store in a database.
///
/// # Errors
///
/// If the certificates of the settings cannot be read, or this program is built without
/// databases.
#[cfg(feature = "postgres")]
pub(super) fn open(settings: &PostgresSettings, wait: Duration) -> Result<Arc<dyn Store>, Error> {
    use crate::store::postgres::store::Postgres;
    Ok(Arc::new(Postgres::new(ready(settings, wait)?)))
}

/// Makes the tables of a database. Returns its place, and false if there was nothing to do.
///
/// # Errors
///
/// As [`open`], and if the database is out of reach or does not allow it.
#[cfg(feature = "postgres")]
pub(super) fn set_up(settings: &PostgresSettings, wait: Duration) -> Result<(String, bool), Error> {
    use crate::store::postgres::server;
    let settings = ready(settings, wait)?;
    let place = settings.place();
    server::set_up(settings).map(|is_done| (place, is_done))
}

/// Looks at what the server says of itself, and at the tables.
///
/// # Errors
///
/// As [`open`], and if the database is out of reach.
#[cfg(feature = "postgres")]
pub(super) fn weaknesses(settings: &PostgresSettings, wait: Duration) -> Result<Checked, Error> {
    use crate::store::postgres::server::{ENCODING, ServerSettings, Standbys};
    let (server, tables) = ServerSettings::look(ready(settings, wait)?)?;
    let mut weak = Vec::new();
    let mut say = |said: &str, remedy: &str| weak.push([said.to_owned(), remedy.to_owned()]);
    if !server.has_fsync {
        say(
            "fsync is off: a crash of its machine can lose moves that were acknowledged, or the whole database",
            "set fsync = on in its postgresql.conf",
        );
    }
    if !server.has_full_page_writes {
        say(
            "full_page_writes is off: a crash of its machine can leave pages of which a part is old",
            "set full_page_writes = on in its postgresql.conf",
        );
    }
    match server.standbys {
        Standbys::Unset if settings.hosts.len() > 1 => say(
            "several hosts are configured, and synchronous_standby_names is empty: moves are acknowledged that no other host has, and go with the machine of this one",
            "have each commit wait for a standby (synchronous_standby_names; with Patroni, synchronous_mode)",
        ),
        Standbys::TooFew(names) => say(
            &format!(
                "each commit waits for standbys ({names}), and too few are connected: no move can be taken"
            ),
            "start the standbys, or correct synchronous_standby_names",
        ),
        Standbys::Missing(names) => say(
            &format!(
                "of the standbys in synchronous_standby_names some are not connected ({names}): the others alone keep what is acknowledged"
            ),
            "start them, or correct synchronous_standby_names",
        ),
        Standbys::Unset | Standbys::Connected => {}
    }
    if let Some(encoding) = server.poor_encoding {
        say(
            &format!("its encoding is {encoding}, which does not have every letter"),
            &format!(
                "make a database with encoding '{ENCODING}', and take the matches there: 'parapost export' and 'parapost import'"
            ),
        );
    }
    Ok((weak, tables))
}

#[cfg(feature = "postgres")]
fn ready(
    settings: &PostgresSettings,
    wait: Duration,
) -> Result<crate::store::postgres::connection::Settings, Error> {
    use crate::mail::wire;
    use crate::store::postgres::connection::{ReadPassword, Settings};
    let password = settings.password.clone().map(|password| -> ReadPassword {
        Arc::new(move || Ok(password.read()?.expose().to_owned()))
    });
    let tls = settings
        .has_tls
        .then(|| wire::tls_client(settings.ca_file.as_deref()).map(Arc::new));
    Ok(Settings {
        hosts: settings.hosts.clone(),
        database: settings.database.clone(),
        user: settings.user.clone(),
        password,
        tls: tls.transpose()?,
        wait,
    })
}

#[cfg(not(feature = "postgres"))]
pub(super) fn open(_: &PostgresSettings, _: Duration) -> Result<Arc<dyn Store>, Error> {
    Err(not_built())
}

#[cfg(not(feature = "postgres"))]
pub(super) fn set_up(_: &PostgresSettings, _: Duration) -> Result<(String, bool), Error> {
    Err(not_built())
}

#[cfg(not(feature = "postgres"))]
pub(super) fn weaknesses(_: &PostgresSettings, _: Duration) -> Result<Checked, Error> {
    Err(not_built())
}

#[cfg(not(feature = "postgres"))]
fn not_built() -> Error {
    Error::refused(
        "[store] kind = \"postgres\": this parapost is built without PostgreSQL; 'cargo install --path . --locked --features postgres' installs one that has it",
    )
}
