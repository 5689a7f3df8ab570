//! The opening of a session: from the command line, the configuration and the user's data.

use crate::command::context::Context;
use crate::config::Config;
use crate::config::user::User;
use crate::matches::mail_id::MailIds;
use crate::outbound::templates::Templates;
use crate::referee::session::Session;
use crate::{Error, clock};

impl Session {
    /// Opens a session for the configured user.
    ///
    /// # Errors
    ///
    /// If the configuration is wrong or does not say who the user is, or there is no games
    /// folder.
    pub(crate) fn open(context: &mut Context<'_>) -> Result<Session, Error> {
        let config = context.config()?;
        let me = config.me()?.clone();
        context.must_have_games(&config.store)?;
        Session::of(context, config, me)
    }

    /// Opens a session for the configured user that takes in messages. Matches may begin
    /// with it, so that the games folder is made, unless nothing may change.
    ///
    /// # Errors
    ///
    /// If the configuration is wrong or does not say who the user is, or the games folder
    /// cannot be made.
    pub(crate) fn open_to_receive(
        context: &mut Context<'_>,
        is_dry_run: bool,
    ) -> Result<Session, Error> {
        let config = context.config()?;
        let me = config.me()?.clone();
        if !is_dry_run {
            context.make_games(&config.store)?;
        }
        Session::of(context, config, me)
    }

    /// Opens a session for this user.
    ///
    /// # Errors
    ///
    /// If the user's data directory cannot be used.
    pub(crate) fn of(
        context: &mut Context<'_>,
        config: Config,
        me: User,
    ) -> Result<Session, Error> {
        let store = context.store_of(&config.store)?;
        let secret = context.secret()?;
        Ok(Session {
            templates: Templates::new(config.templates()).with_settings(config.mail),
            ids: MailIds::new(secret, me.player.address().domain()),
            store,
            outbox: context.outbox()?,
            now: clock::now()?,
            config,
            me,
        })
    }

    /// Opens a session for a run that lasts: the templates are read now.
    ///
    /// # Errors
    ///
    /// As [`Session::open_to_receive`], and if a template of the user's is broken.
    pub(crate) fn open_to_last(context: &mut Context<'_>) -> Result<Session, Error> {
        let session = Session::open_to_receive(context, false)?;
        let templates = session.templates.kept()?;
        Ok(Session {
            templates,
            ..session
        })
    }
}
