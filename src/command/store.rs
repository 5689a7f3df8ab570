//! `parapost store`: prepares the place of the matches.

use clap::{Args, Subcommand};

use crate::Error;
use crate::command::context::Context;
use crate::command::database;
use crate::command::status::Status;
use crate::config::store::StoreSettings;

/// `parapost store`
#[derive(Args, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Example:
  parapost store setup"
)]
pub(super) struct Store {
    /// What to do.
    #[command(subcommand)]
    pub(super) action: StoreAction,
}

/// What is done to the place of the matches.
#[derive(Subcommand, Clone, Copy, Debug)]
pub(super) enum StoreAction {
    /// Make the tables in the configured database, or bring those of an earlier
    /// version up to date
    Setup,
}

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
