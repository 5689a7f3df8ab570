//! `parapost send` sends the owed mail; `parapost mail` tells of the mail of matches that has not
//! gone, and what becomes of mail that was refused for good.

use std::time::Duration;

use clap::{Args, Subcommand};
use lettre::Address;
use serde::Serialize;

use crate::command::arguments::PrintForm;
use crate::command::context::{Context, Status, visible};
use crate::command::delivery::{Mailer, Outlet, Which, deliver, deliver_each, warn_of_backup};
use crate::config::transport::TransportSettings;
use crate::mail::message_id::MessageId;
use crate::match_id::Id;
use crate::matches::article::QueuedArticle;
use crate::matches::mail::{MailKind, NewMail, QueuedMail};
use crate::matches::r#match::Match;
use crate::matches::player::is_mailable;
use crate::printable::counted;
use crate::referee::session::Session;
use crate::rules::Color;
use crate::store::store::{Store, Stored, update_by};
use crate::{Error, clock};

/// `parapost send`
#[derive(Args, Default, Debug)]
#[command(after_help = "\
Examples:
  parapost send
  parapost send --resend k7f3qd")]
pub(super) struct Send {
    /// The matches [default: all]
    pub(super) ids: Vec<Id>,
    /// Send the current position of this match again
    #[arg(long, value_name = "ID", conflicts_with = "ids")]
    pub(super) resend: Option<Id>,
    /// Write the mail to standard output instead; that counts as sent
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "auto", hide_possible_values = true)]
    pub(super) print: Option<PrintForm>,
}

pub(super) fn send(args: &Send, context: &mut Context<'_>) -> Result<Status, Error> {
    let patience = context.wait();
    let (mut status, held) = send_within(args, patience, context)?;
    for (_, error) in &held {
        context.say_trouble(error, &mut status);
    }
    Ok(status)
}

/// Sends, and looks for so long at the mail that other processes are sending. Returns an error for
/// each match whose mail they still send.
pub(super) fn send_within(
    args: &Send,
    patience: Duration,
    context: &mut Context<'_>,
) -> Result<(Status, Vec<(Id, Error)>), Error> {
    let session = Session::open(context)?;
    let (ids, which) = match &args.resend {
        Some(id) => {
            resend(&session, id)?;
            (vec![id.clone()], Which::All)
        }
        // Without a name, as a timer runs it, mail that has failed waits.
        None if args.ids.is_empty() => (session.store.owing()?, Which::Due),
        None => (args.ids.clone(), Which::All),
    };
    warn_of_backup(&session, &ids, context);
    let printed = match session.config.transport {
        TransportSettings::Print => args.print.or(Some(PrintForm::Auto)),
        _ => args.print,
    };
    let outlet = match printed {
        Some(form) => outlet_of_print(&session, &ids, which, form)?,
        None => Outlet::Configured,
    };
    let mut mailer = Mailer::new(&session, outlet);
    let (mut status, mut held) = (Status::Done, Vec::new());
    let matches = ids.into_iter().map(|id| (id, which)).collect();
    let read = |id: &Id, which| find(&*session.store, id, which);
    deliver_each(
        context,
        &mut mailer,
        matches,
        patience,
        read,
        |context, (id, _), delivered, _| match delivered {
            Ok(delivered) => {
                if !delivered.sent.is_empty() && args.print.is_none() {
                    let gone = delivered.counted(&session);
                    context.say(format_args!("{id}: {gone}"));
                }
                status = status.max(delivered.status);
            }
            Err(error) if error.is_held() => held.push((id.clone(), error)),
            Err(error) => context.say_trouble(&context.suggesting(error), &mut status),
        },
    );
    Ok((status, held))
}

/// Reads a match, if it is still there.
fn find(store: &dyn Store, id: &Id, which: Which) -> Option<Result<Stored, Error>> {
    match which {
        // The index may be out of date.
        Which::Due => store.find(id).transpose(),
        Which::All => Some(store.read(id)),
    }
}

/// Chooses the output of `--print`. A single message is printed unchanged; several become
/// entries of an mbox file, since nothing else would separate them.
///
/// # Errors
///
/// If the number of messages cannot be determined now.
fn outlet_of_print(
    session: &Session,
    ids: &[Id],
    which: Which,
    form: PrintForm,
) -> Result<Outlet, Error> {
    let mut owed = 0;
    for id in ids {
        match find(&*session.store, id, which) {
            Some(Ok(stored)) => owed += stored.game.owed().len(),
            Some(Err(error)) if error.is_transient() => return Err(error),
            // Such a match has no mail that can be sent; sending reports why.
            Some(Err(_)) | None => {}
        }
    }
    Ok(match owed {
        0 | 1 => Outlet::Print(form),
        _ => Outlet::PrintMbox(form),
    })
}

/// Owes the current position again: to the user's opponent, or from a referee
/// to the player to move, or to both once the match is over.
fn resend(session: &Session, id: &Id) -> Result<(), Error> {
    session.change(id, |game| {
        game.must_be_by_mail()?;
        let recipients = match (session.side_or_referee(game)?, game.turn()) {
            (Some(side), _) => vec![!side],
            (None, Some(turn)) => vec![turn],
            (None, None) => Color::ALL.to_vec(),
        };
        for to in recipients {
            if game.is_forgotten(to) || game.player(to).is_partner() {
                continue;
            }
            let mail = NewMail::new(MailKind::Position, to).answering(game.last_received(to));
            game.owe(session.now, mail, &session.ids)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// `parapost mail`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost mail list
  parapost mail retry k7f3qd --send
  parapost mail redirect k7f3qd ben@example.net
  parapost mail drop k7f3qd --only 12")]
pub(super) struct Mail {
    /// What to do
    #[command(subcommand)]
    pub(super) action: MailAction,
}

/// What to do with mail that has not gone.
#[derive(Subcommand, Debug)]
pub(super) enum MailAction {
    /// List the mail that is owed or was refused for good
    List {
        /// The matches [default: all]
        ids: Vec<Id>,
        /// Write one JSON object instead
        #[arg(long)]
        json: bool,
    },
    /// Owe refused mail again
    Retry {
        /// The matches [default: all]
        ids: Vec<Id>,
        /// Only the mail with this number, which the list says
        #[arg(long, value_name = "N")]
        only: Option<usize>,
        /// Send it now
        #[arg(long)]
        send: bool,
    },
    /// Owe refused mail again, to another address
    Redirect {
        /// The mails.
        #[command(flatten)]
        choice: MailChoice,
        /// The address
        address: Address,
        /// Send it now
        #[arg(long)]
        send: bool,
    },
    /// Drop refused mail: it is not to go any more
    Drop {
        /// The mails.
        #[command(flatten)]
        choice: MailChoice,
    },
}

/// Mails of a match.
#[derive(Args, Clone, Debug)]
pub(super) struct MailChoice {
    /// The match
    pub(super) id: Id,
    /// Only the mail with this number, which the list says; it may be one that
    /// is still owed
    #[arg(long, value_name = "N")]
    pub(super) only: Option<usize>,
}

pub(super) fn run(args: &Mail, context: &mut Context<'_>) -> Result<Status, Error> {
    match &args.action {
        MailAction::List { ids, json } => list(ids, *json, context),
        MailAction::Retry { ids, only, send } => retry(ids, *only, *send, context),
        MailAction::Redirect {
            choice,
            address,
            send,
        } => {
            let session = Session::open(context)?;
            owe_again(&session, choice, Some(address), *send, context)
        }
        MailAction::Drop { choice } => drop_refused(choice, context),
    }
}

/// A mail that has not gone, as programs get it.
#[derive(Serialize)]
struct ListedMail {
    id: String,
    /// The number of its line in the log.
    number: usize,
    /// `owed`, `refused`, or `reported` undelivered.
    state: &'static str,
    kind: String,
    to: String,
    /// The time it was owed, refused or reported.
    since: String,
    message_id: String,
    /// The words by which it was refused; null if it is owed.
    reason: Option<String>,
}

/// The kind of an article, which goes to a newsgroup or a mailing list.
const ARTICLE: &str = "article";

/// The state of a mail that was reported undelivered.
const REPORTED: &str = "reported";

/// The same in a sentence.
const REPORTED_UNDELIVERED: &str = "reported undelivered";

impl ListedMail {
    fn all(game: &Match) -> Vec<ListedMail> {
        let of = |state, mail: &QueuedMail| ListedMail {
            id: game.id().to_string(),
            number: mail.line,
            state,
            kind: mail.kind.to_string(),
            to: game.address_of(mail).to_string(),
            since: clock::write(mail.time),
            message_id: mail.msg.to_string(),
            reason: None,
        };
        let of_article = |state, article: &QueuedArticle| ListedMail {
            id: game.id().to_string(),
            number: article.line,
            state,
            kind: ARTICLE.to_owned(),
            to: article.forum.to_string(),
            since: clock::write(article.time),
            message_id: article.id.to_string(),
            reason: article
                .after
                .map(|after| format!("waits until {}", clock::write(after))),
        };
        let owed = game.owed().iter().map(|mail| of("owed", mail));
        let articles = game.owed_articles().iter();
        let articles = articles.map(|article| of_article("owed", article));
        let mut all: Vec<ListedMail> = owed.chain(articles).collect();
        for (state, failed) in [
            ("refused", game.refused_articles()),
            (REPORTED, game.reported_articles()),
        ] {
            all.extend(failed.iter().map(|failed| ListedMail {
                since: clock::write(failed.time),
                reason: Some(failed.reason.clone()),
                ..of_article(state, &failed.article)
            }));
        }
        for (state, failed) in [("refused", game.undelivered()), (REPORTED, game.reported())] {
            all.extend(failed.iter().map(|failed| ListedMail {
                since: clock::write(failed.time),
                reason: Some(failed.reason.clone()),
                ..of(state, &failed.mail)
            }));
        }
        all.sort_by_key(|mail| mail.number);
        all
    }

    /// Tells of the mail in a sentence, with what can be done.
    fn told(&self) -> String {
        let (id, number, kind, to) = (&self.id, self.number, &self.kind, &self.to);
        let mail = if kind == ARTICLE {
            format!("{id}: the article {number} to {to}")
        } else {
            format!("{id}: the mail {number} ({kind}) to {to}")
        };
        let Some(reason) = &self.reason else {
            let since = self.since.parse().map(clock::for_people);
            let since = since.unwrap_or_else(|_| self.since.clone());
            return format!("{mail} is owed since {since}; 'parapost send {id}' sends it");
        };
        let (done, hint) = if self.state == REPORTED && kind == ARTICLE {
            let next = "the list may not take mail from you; the next position goes to it as ever";
            (REPORTED_UNDELIVERED, next.to_owned())
        } else if self.state == REPORTED {
            let again = "it is sent once again, and 'parapost send --resend";
            (REPORTED_UNDELIVERED, format!("{again} {id}' sends another"))
        } else {
            (
                "refused",
                format!("'parapost mail retry {id}' owes it again"),
            )
        };
        format!("{mail} was {done}: {reason}; {hint}")
    }
}

fn list(ids: &[Id], as_json: bool, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    let mut all = Vec::new();
    let mut status = Status::Done;
    let (ids, which) = match ids {
        [] => (store.going_on()?, Which::Due),
        _ => (ids.to_vec(), Which::All),
    };
    for id in &ids {
        match find(&*store, id, which) {
            None => {}
            Some(Ok(stored)) => all.extend(ListedMail::all(&stored.game)),
            Some(Err(error)) => context.say_trouble(&context.suggesting(error), &mut status),
        }
    }
    if as_json {
        context.print_json(&serde_json::json!({ "mails": all }))?;
    } else if context.is_shown {
        if all.is_empty() {
            context.say("No mail is owed, and none was refused.");
        }
        for mail in all {
            let text = context.wrapped_for_stdout(visible(&mail.told()));
            context.print(format_args!("{text}\n"))?;
        }
    } else {
        for mail in all {
            let reason = mail.reason.as_deref().unwrap_or("-").replace('\t', " ");
            let (id, number, state) = (&mail.id, mail.number, mail.state);
            let (kind, to, since) = (&mail.kind, &mail.to, &mail.since);
            let line = format!("{id}\t{number}\t{state}\t{kind}\t{to}\t{since}\t{reason}");
            let line = context.wrapped_for_stdout(visible(&line));
            context.print(format_args!("{line}\n"))?;
        }
    }
    Ok(status)
}

/// Returns a line for the person at the keyboard for each mail of a match that was refused or
/// reported undelivered.
pub(super) fn refusals(game: &Match) -> Vec<String> {
    let all = ListedMail::all(game).into_iter();
    let undelivered = all.filter(|mail| mail.reason.is_some());
    undelivered.map(|mail| mail.told()).collect()
}

/// Owes refused mail again.
fn retry(
    ids: &[Id],
    only: Option<usize>,
    send: bool,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    if only.is_some() && ids.len() != 1 {
        return Err(Error::usage("--only needs one match"));
    }
    let session = Session::open(context)?;
    let ids = if ids.is_empty() {
        let mut open = session.store.going_on()?;
        open.retain(|id| {
            let found = session.store.find(id).ok().flatten();
            let has_refused = |game: &Match| {
                !game.undelivered().is_empty() || !game.refused_articles().is_empty()
            };
            found.is_some_and(|stored| has_refused(&stored.game))
        });
        open
    } else {
        ids.to_vec()
    };
    let mut status = Status::Done;
    for id in ids {
        let choice = MailChoice { id, only };
        match owe_again(&session, &choice, None, send, context) {
            Ok(met) => status = status.max(met),
            Err(error) => context.say_trouble(&context.suggesting(error), &mut status),
        }
    }
    Ok(status)
}

/// Owes mails of a match again, to another address if one is given.
fn owe_again(
    session: &Session,
    choice: &MailChoice,
    address: Option<&Address>,
    send: bool,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let id = &choice.id;
    if let Some(address) = address.filter(|address| !is_mailable(address)) {
        return Err(Error::usage(format!(
            "no mail can be made for the address {address}"
        )));
    }
    // Reports a missing match before the lock creates a file for it.
    session.store.read(id)?;
    let lock = session.store.sending(id)?;
    let (count, stored) = session.change(id, |game| {
        let (chosen, articles) = chosen(game, choice.only)?;
        if address.is_some() && choice.only.is_some() && !articles.is_empty() {
            return Err(Error::refused(format!(
                "{id}: an article goes to its newsgroup, or to its mailing list, and to no other address"
            )));
        }
        let refused = game.undelivered().iter().map(|refused| refused.mail.to);
        let sides: Vec<_> = refused.collect();
        if address.is_some() && choice.only.is_none() && sides.iter().any(|side| *side != sides[0])
        {
            return Err(Error::refused(format!(
                "{id}: mail to both players was refused; --only N says which to send to that address"
            )));
        }
        for msg in &chosen {
            game.requeue(session.now, msg, address.cloned())?;
        }
        let articles = if address.is_none() { articles } else { Vec::new() };
        for article in &articles {
            game.requeue_article(session.now, article)?;
        }
        Ok((chosen.len(), articles.len()))
    })?;
    drop(lock);
    let Some(count) = counted_each(count) else {
        context.say(format_args!("{id}: no mail was refused"));
        return Ok(Status::Done);
    };
    if !send {
        context.say(format_args!(
            "{id}: {count} owed again until 'parapost send {id}'"
        ));
        return Ok(Status::Done);
    }
    let mut mailer = Mailer::new(session, Outlet::Configured);
    let delivered = deliver(context, &mut mailer, stored, Which::All)?;
    let gone = delivered.counted(session);
    context.say(format_args!("{id}: {count} owed again, {gone}"));
    Ok(delivered.status)
}

fn drop_refused(choice: &MailChoice, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let id = &choice.id;
    // Reports a missing match before the lock creates a file for it.
    session.store.read(id)?;
    // A mail must not be dropped while it is being sent.
    let mut lock = session.store.sending(id)?;
    let store = &*session.store;
    let drop_chosen = |game: &mut Match| {
        let (mails, articles) = chosen(game, choice.only)?;
        for msg in &mails {
            game.drop_mail(session.now, msg)?;
        }
        for article in &articles {
            game.drop_article(session.now, article)?;
        }
        Ok((mails.len(), articles.len()))
    };
    let save = |game: &_, base: &_| lock.change(store, game, base);
    let (count, _) = update_by(store.read_to_change(id)?, drop_chosen, save)?;
    context.say(match counted_each(count) {
        None => format!("{id}: no mail was refused"),
        Some(count) => format!("{id}: {count} dropped"),
    });
    Ok(Status::Done)
}

/// Names so many mails and articles; none if there are none.
fn counted_each((mails, articles): (usize, usize)) -> Option<String> {
    let named = [(mails, "mail"), (articles, "article")].into_iter();
    let named = named.filter(|(count, _)| *count > 0);
    let named: Vec<String> = named.map(|(count, what)| counted(count, what)).collect();
    (!named.is_empty()).then(|| named.join(" and "))
}

/// Returns the refused mails and articles of a match, or the one with a number, which may
/// also be owed.
fn chosen(game: &Match, only: Option<usize>) -> Result<(Vec<MessageId>, Vec<MessageId>), Error> {
    let refused = game.undelivered().iter().map(|refused| &refused.mail);
    let Some(number) = only else {
        let articles = game.refused_articles().iter();
        return Ok((
            refused.map(|mail| mail.msg.clone()).collect(),
            articles.map(|refused| refused.article.id.clone()).collect(),
        ));
    };
    let mut mails = game.owed().iter().chain(refused);
    let mut articles = game.unposted();
    let mail = mails.find(|mail| mail.line == number);
    let article = articles.find(|article| article.line == number);
    match (mail, article) {
        (Some(mail), _) => Ok((vec![mail.msg.clone()], Vec::new())),
        (None, Some(article)) => Ok((Vec::new(), vec![article.id.clone()])),
        (None, None) => Err(Error::refused(format!(
            "{0}: no mail of the number {number} is owed or was refused; 'parapost mail list {0}' tells which there are",
            game.id()
        ))),
    }
}
