//! What is checked of the database: that it can be reached, that what it acknowledges
//! lasts, and its tables.

use crate::Error;
use crate::command::context::Context;
use crate::command::database;
use crate::command::doctor::finding::{Finding, Report};
use crate::command::doctor::within::LIMIT;
use crate::config::store::PostgresSettings;

/// Checks the database. Returns true if matches can be read from it.
///
/// # Errors
///
/// If the report cannot be written.
pub(super) fn check(
    settings: &PostgresSettings,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    let what = format!("database {}", settings.database);
    let (weaknesses, tables) = match database::weaknesses(settings, context.wait().min(LIMIT)) {
        Ok(found) => found,
        Err(error) => {
            report.add(Finding::wrong(what, error), context)?;
            return Ok(false);
        }
    };
    let is_sound = weaknesses.is_empty();
    for [said, remedy] in weaknesses {
        report.add(Finding::wrong(&what, said).mend(remedy), context)?;
    }
    if let Err(error) = tables {
        report.add(Finding::wrong(what, error), context)?;
        return Ok(false);
    }
    if is_sound {
        let said = "it can be reached, and keeps what it acknowledges";
        report.add(Finding::ok(what, said), context)?;
    }
    Ok(true)
}
