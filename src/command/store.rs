//! `parapost store`: prepares the place of the matches.

use crate::Error;
use crate::args::store::{Store, StoreAction};
use crate::command::context::Context;
use crate::command::database;
use crate::command::status::Status;
use crate::config::store::StoreSettings;

pub(super) fn run(args: &Store, context: &mut Context<'_>) -> Result<Status, Error> {
    match args.action {
        StoreAction::Setup => set_up(context),
    }
}

fn set_up(context: &mut Context<'_>) -> Result<Status, Error> {
    let config = context.config()?;
    let StoreSettings::Postgres(settings) = &config.store else {
        return Err(Error::refused(format!(
            "matches are kept in a folder, which needs no setup; [store] kind = \"postgres\" in {} names a database",
            config.path().display()
        )));
    };
    let (place, is_done) = database::set_up(settings, context.wait())?;
    context.say(match is_done {
        true => format!("{place}: the tables are made"),
        false => format!("{place}: the tables are there already"),
    });
    Ok(Status::Done)
}
