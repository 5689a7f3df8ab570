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
    let said = if is_done { "made" } else { "there already" };
    context.say(format_args!("{place}: the tables are {said}"));
    Ok(Status::Done)
}
