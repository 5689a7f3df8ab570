//! `parapost news`: posts a match to a newsgroup, ends that it is posted there or mailed to a list, and
//! shows what others write about it in the group.

mod comments;

use std::sync::Arc;

use clap::{Args, Subcommand};

use crate::command::arguments::Delivery;
use crate::command::context::{Context, Status, visible};
use crate::command::delivery::{Mailer, Outlet, Which, deliver, finish};
use crate::command::words::{PublicWords, check_public};
use crate::config::news::NewsSettings;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::match_id::Id;
use crate::matches::article::{Forum, NewArticle, QueuedArticle};
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail::MailWish;
use crate::matches::r#match::Match;
use crate::outbound::article;
use crate::referee::session::Session;
use crate::store::attempts::Attempts;
use crate::{Error, clock};

/// `parapost news`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost news post k7f3qd --print
  parapost news post k7f3qd
  parapost news stop k7f3qd --send
  parapost news comments k7f3qd

Without the program, the line 'mail news off' in an answer to a mail of the match
does what 'news stop' does.")]
pub(super) struct News {
    /// What to do
    #[command(subcommand)]
    action: NewsAction,
}

/// What to do with a match in a newsgroup.
#[derive(Subcommand, Debug)]
enum NewsAction {
    /// Post the position and the moves of a match, once the article is shown and you agree
    Post {
        /// The match
        id: Id,
        /// The newsgroup [default: the one that the players agreed on, else that of the configuration]
        #[arg(long, value_name = "NAME")]
        group: Option<Newsgroup>,
        /// Only show the article
        #[arg(long)]
        print: bool,
        /// Post without a question
        #[arg(long, conflicts_with = "print")]
        yes: bool,
        /// The words to everybody.
        #[command(flatten)]
        public: PublicWords,
    },
    /// Post no move of a match by itself any more, and mail none to a list; if another program does,
    /// it is asked to stop by mail
    Stop {
        /// The match
        id: Id,
        /// The mail to that program.
        #[command(flatten)]
        delivery: Delivery,
    },
    /// Show what others have written about a match
    Comments(comments::Comments),
}

pub(super) fn run(args: &News, context: &mut Context<'_>) -> Result<Status, Error> {
    match &args.action {
        NewsAction::Post {
            id,
            group,
            print,
            yes,
            public,
        } => post(id, group.as_ref(), (*print, *yes), public, context),
        NewsAction::Stop { id, delivery } => stop(id, *delivery, context),
        NewsAction::Comments(args) => {
            let session = Session::open(context)?;
            comments::run(args, &session, settings(&session)?, context)
        }
    }
}

/// Shows an article, and posts it if the user agrees.
fn post(
    id: &Id,
    group: Option<&Newsgroup>,
    (only_shows, is_agreed): (bool, bool),
    public: &PublicWords,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let news = settings(&session)?;
    let game = as_it_goes_out(&session, session.store.read(id)?.game)?;
    let who = session.side_or_referee(&game)?;
    let who = who.map_or(Who::Referee, Who::Player);
    let words = public.get()?;
    check_public(&session, &game, who, words.as_deref())?;
    let agreed = game.settings().news.as_ref();
    let group = group.or(agreed).unwrap_or(&news.group);
    let forum = &Forum::Group(group.clone());
    if agreed == Some(group) && game.news_terms_are_open() {
        return Err(Error::refused(format!(
            "{id}: an article in {group} has the names of both players, and not everybody has agreed to that by a move yet: wait for that move"
        )));
    }
    let shown = article::preview(&game, forum, &news.from, words.as_deref())?;
    if only_shows {
        context.print(visible(&shown))?;
        return Ok(Status::Done);
    }
    let mut waiting = game.owed_articles().iter();
    if let Some(until) = waiting.find_map(|owed| owed.is_held_until(session.now)) {
        return Err(Error::refused(format!(
            "{id}: an article waits until {}, and those behind it follow it: 'parapost mail list {id}' shows its number, and 'parapost mail drop --only N {id}' drops it",
            clock::for_people(until)
        )));
    }
    let hash = game.hash();
    let shows_this = |last: &&QueuedArticle| {
        let then = game.as_of(last.line);
        then.is_ok_and(|then| then.hash() == hash && then.ending() == game.ending())
    };
    if game.news_thread(forum).last().is_some_and(shows_this) {
        return Err(Error::refused(format!(
            "{id}: the last article in {group} shows this position already, or will: 'parapost mail list {id}' has what is owed"
        )));
    }
    if !is_agreed {
        if !context.can_ask() {
            return Err(Error::usage(
                "what is posted is posted: without a terminal to ask at, say --yes, or --print to see the article",
            ));
        }
        context.say(visible(&shown));
        if !context.ask(&format!("{id}: post this to {group}")) {
            context.say(format_args!("{id}: nothing is posted"));
            return Ok(Status::Refused);
        }
    }
    let host = news.from.email.domain();
    let (_, stored) = session.change(id, |now: &mut Match| {
        // The question was about what was shown.
        if now.hash() != hash || now.ending() != game.ending() {
            return Err(Error::later(format!(
                "{id}: the match has gone on meanwhile; look at the article again"
            )));
        }
        let mut called_for = NewArticle::to(forum);
        called_for.text.clone_from(&words);
        now.owe_article(session.now, &called_for, &session.ids, host)
    })?;
    let mut mailer = Mailer::new(&session, Outlet::Configured);
    mailer.is_for_news = true;
    let delivered = deliver(context, &mut mailer, stored, Which::All)?;
    Ok(delivered.status)
}

/// Returns a match without the articles that are dropped when it is posted, as what they show was
/// taken back before they went out: one that is called for now follows none of them.
fn as_it_goes_out(session: &Session, mut game: Arc<Match>) -> Result<Arc<Match>, Error> {
    let mut attempts = None;
    for owed in game.owed_articles().to_vec() {
        if !game.is_moot(&owed)? {
            continue;
        }
        // Only where it matters, nobody who sends is waited for.
        let attempts = match &mut attempts {
            Some(attempts) => attempts,
            none => none.insert(Attempts::open(session.store.sending(game.id())?)?),
        };
        if !attempts.may_have_gone(&owed.id) {
            Arc::make_mut(&mut game).drop_article(session.now, &owed.id)?;
        }
    }
    Ok(game)
}

/// Posts no move of a match by itself any more, or asks the program that posts them to do so.
fn stop(id: &Id, delivery: Delivery, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let (is_alone, stored) = session.change(id, |game| {
        let side = session.side_or_referee(game)?;
        if game.settings().forums().is_empty() {
            return Err(Error::refused(format!(
                "{id}: no newsgroup and no mailing list was agreed on, so nothing is posted by itself"
            )));
        }
        // Where moves count from the group, each player's program posts that player's own.
        let is_alone = session.is_poster(game) && (side.is_none() || !game.settings().counts_news);
        match side.filter(|_| !is_alone) {
            None => game.stop_news(session.now)?,
            Some(side) => {
                if !game.takes_mail(!side) {
                    return Err(Error::refused(format!(
                        "{id}: another program posts its moves, and {} has asked for no more mail",
                        game.public_name(!side)
                    )));
                }
                let wish = Event::Wish(Some(MailWish::NewsOff));
                game.push(LogEntry::new(session.now, wish, side))?;
                session.tell_opponent(game, side, None)?;
            }
        }
        Ok(is_alone)
    })?;
    if !is_alone {
        let done = "the program that posts its moves is asked to stop";
        return finish(context, &session, stored, delivery, done);
    }
    context.say(format_args!(
        "{id}: this program posts no more moves of it; what was posted stays"
    ));
    if !stored.game.owed_articles().is_empty() {
        context.say(format_args!(
            "{id}: an article is still to be posted: 'parapost mail list {id}' shows its number, and 'parapost mail drop --only N {id}' drops it"
        ));
    }
    Ok(Status::Done)
}

/// Returns the news server of the configuration.
pub(super) fn settings(session: &Session) -> Result<&NewsSettings, Error> {
    session.config.news.as_ref().ok_or_else(|| {
        Error::refused(format!(
            "no news server is configured: 'parapost init --news' asks for one, tries it, and adds the section [news] to {}",
            session.config.path.display()
        ))
    })
}
