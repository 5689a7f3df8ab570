//! What the user does in a match: `parapost move`, `draw`, `takeback`, `resign`, `decline`,
//! `withdraw`, `note` and `undo`.

use std::cell::RefCell;
use std::slice;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::Error;
use crate::command::arguments::Delivery;
use crate::command::context::{Context, JSON_AND_MAIL, Status, json};
use crate::command::delivery::{finish, warn_of_backup};
use crate::command::list::ListedMatch;
use crate::command::words::{PublicWords, Words, check_public, check_room};
use crate::config::transport::TransportSettings;
use crate::mail::message_id::MessageId;
use crate::match_id::Id;
use crate::matches::action::{Action, Ending};
use crate::matches::decision::near_moves;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail::{MailKind, MailStep, NewMail, QueuedMail};
use crate::matches::r#match::{Day, Match};
use crate::matches::state::NotAllowed;
use crate::notation::move_list;
use crate::printable::half_moves;
use crate::referee::session::{NoArticle, Session};
use crate::rules::notation::{ReadError, Reading, Voice, Warning};
use crate::rules::{Color, Position, Role};
use crate::store::attempts::Attempts;
use crate::store::store::update_by;

/// `parapost move`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost move k7f3qd 'n>g5' --send
  parapost move k7f3qd 'n>g5' --say 'Your turn!' --send")]
pub(super) struct Move {
    /// The match
    id: Id,
    /// The move, in quotes
    #[arg(value_name = "MOVE", required = true)]
    words: Vec<String>,
    /// The words to the opponent.
    #[command(flatten)]
    said: Words,
    /// The words to everybody.
    #[command(flatten)]
    public: PublicWords,
    /// Write one JSON object instead
    #[arg(long, conflicts_with = "print")]
    json: bool,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
}

/// Opens a session to act in this match. Who plays against the program alone may have said nowhere
/// who they are, and need not: they are told how such a match goes on.
fn session_for(id: &Id, context: &mut Context<'_>) -> Result<Session, Error> {
    let opened = Session::open(context);
    if opened.is_err()
        && let Ok(store) = context.store_to_read()
        && let Ok(stored) = store.read(id)
    {
        stored.game.must_be_by_mail()?;
    }
    let session = opened?;
    warn_of_backup(&session, slice::from_ref(id), context);
    Ok(session)
}

pub(super) fn play(args: &Move, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = session_for(&args.id, context)?;
    if args.json && args.delivery.send && session.config.transport == TransportSettings::Print {
        return Err(Error::usage(JSON_AND_MAIL));
    }
    let words = args.words.join(" ");
    let readable = |game: &Match| {
        let side = session.side(game)?;
        must_stand(game, &session)?;
        game.must_be_turn(side)?;
        read_of_shell(game.position(), &words, &args.id).map(|reading| (side, reading))
    };
    // Nobody writes words for a move that cannot be played.
    if args.said.are_asked_for() {
        readable(&session.store.read(&args.id)?.game)?;
    }
    let said = args.said.get(context)?;
    let said = said.as_deref();
    let public = args.public.get()?;
    let public = public.as_deref();
    let ((numbered, warnings, unposted), stored) = session.change(&args.id, |game| {
        let (side, reading) = readable(game)?;
        check_room(&session, game, side, said)?;
        let text = game.position().text(&reading.ply);
        let numbered = move_list::number_of_position(game.position());
        game.push(LogEntry::new(session.now, Action::play(text), side))?;
        if reading.offers_draw && game.turn().is_some() && game.offer() != Some(side) {
            game.push(LogEntry::new(session.now, Action::OfferDraw, side))?;
        }
        let unposted = post(&session, game, side, public)?;
        session.tell_opponent(game, side, said)?;
        Ok((numbered, reading.warnings, unposted))
    })?;
    let game = &stored.game;
    let steps = game.record().steps();
    let step = steps.last().map(ToString::to_string).unwrap_or_default();
    if args.json {
        let played = Played {
            id: game.id().to_string(),
            ply: steps.len(),
            text: step.clone(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            game: ListedMatch::of(game, Some(&session.me.player), session.now),
        };
        // The move is on the disk, whatever becomes of its mail.
        context.report(json(&played)? + "\n")?;
    } else {
        for warning in warnings.iter().filter(|warning| is_news(game, warning)) {
            context.say(format_args!("warning: {warning}"));
        }
    }
    if unposted == Some(NoArticle::Room) {
        context.say(format_args!(
            "{}: no more of this match is posted today: the next article shows this move",
            args.id
        ));
    }
    let done = format!("{numbered} {step} is played");
    finish(context, &session, stored, args.delivery, &done)
}

/// Owes the article about a move, with these words for everybody. Returns why not, or `None`.
///
/// # Errors
///
/// If there are words that nobody would read, or that are not for everybody.
fn post(
    session: &Session,
    game: &mut Match,
    side: Color,
    words: Option<&str>,
) -> Result<Option<NoArticle>, Error> {
    check_public(session, game, side, words)?;
    let unposted = session.post(game, words)?;
    let why = match unposted.filter(|_| words.is_some()) {
        None => return Ok(unposted),
        Some(NoArticle::Forum) => "its moves are posted to no newsgroup and no mailing list",
        Some(NoArticle::Elsewhere) => "another program posts its moves",
        Some(NoArticle::Server) => "no news server is configured ('parapost init --news')",
        Some(NoArticle::Pace) => "this position is not posted, or not at once",
        Some(NoArticle::Room) => "where it is posted, no more of it goes today",
    };
    Err(Error::refused(format!(
        "{}: {why}, so nobody would read the words of --say-news; nothing is played",
        game.id()
    )))
}

/// Returns true for a warning that tells more than how the move is written here. Where no piece
/// is dropped, `Nf3` means one thing; and whose move it is tells the turn, not the size of its
/// letter.
pub(super) fn is_news(game: &Match, warning: &Warning) -> bool {
    match warning {
        Warning::OtherForm {
            written,
            canonical,
            is_forced: false,
        } => game.variant().rules().has_reserve() && !written.eq_ignore_ascii_case(canonical),
        _ => true,
    }
}

/// Reads a move as a person types it behind a command of a shell.
fn read_of_shell(position: &Position, text: &str, id: &Id) -> Result<Reading, Error> {
    let all = format!("'parapost legal {id}' lists the legal moves");
    read(position, text, &all).map_err(|refused| {
        if text.trim().len() > 1 {
            return refused;
        }
        // The shell leaves this of an unquoted n>g5.
        let hint = "A shell takes '>' for itself: write the move in quotes, like 'N>d5'.";
        match file_of_shell() {
            Some(name) => refused.and(format_args!(
                "{hint}\nIt has made an empty file '{name}' of the rest, which you can delete."
            )),
            None => refused.and(hint),
        }
    })
}

/// Reads a move as a person types it, with or without its number. `all` says how to see all
/// legal moves.
///
/// # Errors
///
/// If it is no legal move: why, and which are near.
pub(super) fn read(position: &Position, text: &str, all: &str) -> Result<Reading, Error> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].trim_start();
    let bare = if digits > 0 && rest.starts_with(['.', ')', '…']) {
        // People may mistake whose turn it is, so one dot fits both sides.
        if text[..digits].parse() != Ok(position.number()) {
            return Err(Error::refused(format!(
                "'{text}': the next move is {}",
                move_list::number_of_position(position)
            )));
        }
        rest.trim_start_matches(['.', ')', '…', ' '])
    } else {
        text
    };
    position
        .read_with(bare, Voice::Alone)
        .map_err(|error| match &error {
            // This error names the text itself.
            ReadError::NotAMove(error) if bare == text => Error::refused(error),
            ReadError::Illegal(_) => {
                Error::refused(format!("'{text}': {error}")).and(near(position, bare, all))
            }
            error => Error::refused(format!("'{text}': {error}")),
        })
}

/// Names the legal moves of the piece that are near to a text, and how to see all.
fn near(position: &Position, text: &str, all: &str) -> String {
    let role = text.chars().next().and_then(Role::from_letter);
    let moves = role
        .map(|role| near_moves(position, role, text))
        .unwrap_or_default();
    match (role, moves.is_empty()) {
        (Some(role), false) => format!(
            "legal moves of the {} near that: {}\n{all}",
            role.name(),
            moves.join(", ")
        ),
        _ => all.to_owned(),
    }
}

/// Returns the name of the empty file in this folder that the shell has made of the square
/// behind an unquoted `>`: it is where standard output goes.
#[cfg(unix)]
fn file_of_shell() -> Option<String> {
    use std::fs::{self, File};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let stdout = std::io::stdout().as_fd().try_clone_to_owned().ok()?;
    let stdout = File::from(stdout).metadata().ok()?;
    if !stdout.is_file() || stdout.len() > 0 {
        return None;
    }
    let squares = ('a'..='i').flat_map(|file| ('1'..='9').map(move |rank| format!("{file}{rank}")));
    let is_stdout = |name: &String| {
        let found = fs::metadata(name);
        found.is_ok_and(|found| (found.dev(), found.ino()) == (stdout.dev(), stdout.ino()))
    };
    squares.into_iter().find(is_stdout)
}

#[cfg(not(unix))]
fn file_of_shell() -> Option<String> {
    None
}

/// A move that was played.
#[derive(Serialize)]
struct Played {
    id: String,
    /// The number of the half-move, from 1.
    ply: usize,
    /// The half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    text: String,
    warnings: Vec<String>,
    /// The match behind the move.
    #[serde(rename = "match")]
    game: ListedMatch,
}

/// `parapost draw`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost draw offer k7f3qd --send")]
pub(super) struct Draw {
    /// What to do
    #[arg(value_parser = actions("draw", [
        ("offer", "Offer one; the offer lapses at the opponent's next move"),
        ("accept", "Accept the opponent's offer"),
        ("decline", "Decline the opponent's offer"),
        ("claim", "Claim one by repetition or the count of moves, before moving"),
    ]))]
    action: Action,
    /// The match and the mail.
    #[command(flatten)]
    of: Acting,
}

/// `parapost takeback`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost takeback propose k7f3qd --send")]
pub(super) struct Takeback {
    /// What to do
    #[arg(value_parser = actions("takeback", [
        ("propose", "Propose it; the proposal lapses at the next move"),
        ("accept", "Agree to the opponent's proposal: the move is taken back"),
        ("decline", "Decline the opponent's proposal"),
    ]))]
    action: Action,
    /// The match and the mail.
    #[command(flatten)]
    of: Acting,
}

/// `parapost resign`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost resign k7f3qd --send

On a terminal it asks first. 'parapost undo' takes it back while its mail has
not gone. Before your first move, 'parapost decline' ends the match without
anybody's having lost it; to resign then all the same takes --yes.")]
pub(super) struct Resign {
    /// Resign without being asked
    #[arg(long, short)]
    yes: bool,
    /// The match and the mail.
    #[command(flatten)]
    of: Acting,
}

/// The match in which the user acts.
#[derive(Args, Debug)]
pub(super) struct Acting {
    /// The match
    id: Id,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
}

/// Parses the verb of an action, with the help for each.
fn actions<const N: usize>(
    object: &'static str,
    verbs: [(&'static str, &'static str); N],
) -> impl TypedValueParser<Value = Action> {
    let verbs = verbs.map(|(verb, help)| PossibleValue::new(verb).help(help));
    PossibleValuesParser::new(verbs)
        .try_map(move |verb| Action::of_command(&verb, object).ok_or("this is no action"))
}

pub(super) fn draw(args: &Draw, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = session_for(&args.of.id, context)?;
    args.of.act(&args.action, None, &session, context)
}

pub(super) fn takeback(args: &Takeback, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = session_for(&args.of.id, context)?;
    args.of.act(&args.action, None, &session, context)
}

pub(super) fn resign(args: &Resign, context: &mut Context<'_>) -> Result<Status, Error> {
    let (session, id) = (session_for(&args.of.id, context)?, &args.of.id);
    if !args.yes {
        let instead = instead(&session, id)?;
        if let Some(instead) = &instead {
            context.say(format_args!("{id}: {instead}"));
        }
        let is_meant = if context.can_ask() {
            is_meant(&session, id, context)?
        } else {
            instead.is_none()
        };
        if !is_meant {
            return Err(Error::refused(format!("{id}: nobody has resigned")));
        }
    }
    args.of.act(&Action::Resign, None, &session, context)
}

/// Tells what ends a match that has hardly begun without a result, in place of a resignation.
fn instead(session: &Session, id: &Id) -> Result<Option<String>, Error> {
    let game = session.store.read(id)?.game;
    let side = session.side(&game)?;
    let (word, what) = if game.state.is_invited(side) && !game.has_moved(side) {
        ("decline", "you have not played yet")
    } else if game.state.can_withdraw(Some(side)).is_ok() && !game.has_moved(!side) {
        let opponent = game.public_name(!side);
        ("withdraw", &*format!("{opponent} has not played yet"))
    } else {
        return Ok(None);
    };
    Ok(Some(format!(
        "{what}: 'parapost {word} {id}' ends the match without a result, and nobody has lost; 'parapost resign {id} --yes' loses it"
    )))
}

/// `parapost decline`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost decline k7f3qd --send
  parapost decline k7f3qd --say 'No time before May, sorry.' --send

It ends a match to which you were invited and in which you have not played. There
is no result, and nobody has lost.")]
pub(super) struct Decline {
    /// The words to the opponent.
    #[command(flatten)]
    said: Words,
    #[command(flatten)]
    of: Acting,
}

pub(super) fn decline(args: &Decline, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    warn_of_backup(&session, slice::from_ref(&args.of.id), context);
    let game = session.store.read(&args.of.id)?.game;
    let side = session.side(&game)?;
    game.state.can_decline(side).map_err(|error| match error {
        NotAllowed::OwnInvitation => {
            Error::refused(error).and(format_args!("'parapost withdraw {}' does that", args.of.id))
        }
        error => Error::refused(error),
    })?;
    let words = args.said.get(context)?;
    let action = Action::DeclineInvitation;
    args.of.act(&action, words.as_deref(), &session, context)
}

/// `parapost withdraw`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost withdraw k7f3qd --say 'I found another opponent.' --send

It takes an invitation of yours back, as long as nobody invited has played on it.
There is no result, and nobody has lost. The referee of a match can do so, too.")]
pub(super) struct Withdraw {
    /// The words to the invited.
    #[command(flatten)]
    said: Words,
    #[command(flatten)]
    of: Acting,
}

pub(super) fn withdraw(args: &Withdraw, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    warn_of_backup(&session, slice::from_ref(&args.of.id), context);
    let (store, id) = (&*session.store, &args.of.id);
    let game = store.read(id)?.game;
    game.must_be_by_mail()?;
    let by = session.side_or_referee(&game)?;
    if by.is_some_and(|side| game.state.is_invited(side)) {
        return Err(Error::refused(NotAllowed::OthersInvitation)
            .and(format_args!("'parapost decline {id}' does that")));
    }
    game.state.can_withdraw(by).map_err(Error::refused)?;
    let words = args.said.get(context)?;
    let words = words.as_deref();
    let attempts = RefCell::new(Attempts::open(store.sending(id)?)?);
    let take_back = |game: &mut Match| {
        game.must_be_by_mail()?;
        let by = session.side_or_referee(game)?;
        let who = by.map_or(Who::Referee, Who::Player);
        check_room(&session, game, who, words)?;
        let mut told: Vec<Color> = by.map_or(Color::ALL.to_vec(), |side| vec![!side]);
        told.retain(|to| game.takes_mail(*to));
        let unsent = unsent_to(game, &told, &attempts.borrow());
        game.push(LogEntry::new(session.now, Action::Withdraw, who))?;
        if let Some(words) = words {
            game.push(LogEntry::new(session.now, Event::note(words), who))?;
        }
        for mail in &unsent {
            game.drop_mail(session.now, &mail.msg)?;
        }
        told.retain(|to| unsent.iter().all(|mail| mail.to != *to));
        for to in &told {
            let mut mail = NewMail::new(MailKind::Position, *to).answering(game.last_received(*to));
            if let Some(words) = words {
                mail = mail.saying(words);
            }
            game.owe(session.now, mail, &session.ids)?;
        }
        Ok(told.is_empty() && !unsent.is_empty())
    };
    let save = |game: &_, base: &_| attempts.borrow_mut().change(store, game, base);
    let (was_unsent, stored) = update_by(store.read_to_change(id)?, take_back, save)?;
    drop(attempts);
    if was_unsent {
        context.say(format_args!(
            "{id}: the invitation is withdrawn; it had not gone, so nobody is told"
        ));
        return Ok(Status::Done);
    }
    let done = "the invitation is withdrawn";
    finish(context, &session, stored, args.of.delivery, done)
}

/// Returns the mails to those of the invited to whom none has gone, nor may have.
fn unsent_to(game: &Match, invited: &[Color], attempts: &Attempts) -> Vec<QueuedMail> {
    // A mail that a report has called undelivered may have arrived all the same.
    let has_gone = |mail: &QueuedMail| {
        let mut log = game.log().iter();
        let sent = log.any(|entry| {
            entry.mail_step() == Some(MailStep::Sent) && entry.get("msg") == Some(mail.msg.as_str())
        });
        sent || attempts.may_have_gone(&mail.msg)
    };
    let is_unsent =
        |mail: &QueuedMail| game.owed().iter().any(|owed| owed.msg == mail.msg) && !has_gone(mail);
    // Whoever has written about the match knows of it.
    let unheard = invited.iter().filter(|to| {
        game.last_received(**to).is_none() && game.mails_to(**to).all(|mail| is_unsent(&mail))
    });
    unheard.flat_map(|to| game.mails_to(*to)).collect()
}

/// Checks that the invitation to a match has not lapsed.
///
/// # Errors
///
/// If it has.
fn must_stand(game: &Match, session: &Session) -> Result<(), Error> {
    if !game.has_lapsed(session.now) {
        return Ok(());
    }
    let until = game.settings().until.map(Day::for_people);
    Err(Error::refused(format!(
        "{}: the invitation has lapsed: it stood until the end of {}; 'parapost new' begins another match",
        game.id(),
        until.unwrap_or_default()
    )))
}

impl Acting {
    fn act(
        &self,
        action: &Action,
        words: Option<&str>,
        session: &Session,
        context: &mut Context<'_>,
    ) -> Result<Status, Error> {
        let (side, stored) = session.change(&self.id, |game| {
            let side = side(session, game, action)?;
            if *action != Action::DeclineInvitation {
                must_stand(game, session)?;
            }
            check_room(session, game, side, words)?;
            let event = game.entry(session.now, action.clone(), side);
            let allowed = game.state_after(&event);
            let allowed = allowed.and_then(|_| game.must_be_first(&event));
            allowed.map_err(Error::refused)?;
            game.push(event)?;
            if game.ending().is_some() {
                session.post(game, None)?;
            } else {
                session.post_take_back(game)?;
            }
            session.tell_opponent(game, side, words)?;
            Ok(side)
        })?;
        let done = match action {
            Action::OfferDraw => "a draw is offered",
            Action::AcceptDraw => "the draw is accepted",
            Action::DeclineDraw => "the draw is declined",
            Action::ClaimDraw => "the draw is claimed",
            Action::ProposeTakeback => "taking the last move back is proposed",
            Action::AcceptTakeback => "the last move is taken back",
            Action::DeclineTakeback => "taking the last move back is declined",
            Action::DeclineInvitation => "the invitation is declined",
            Action::Withdraw => "the invitation is withdrawn",
            Action::Move(_) | Action::Resign => {
                &format!("{} {}", stored.game.variant().player(side), action.deed())
            }
        };
        finish(context, session, stored, self.delivery, done)
    }
}

/// Returns the side that acts. A user who plays both sides answers the offer or the proposal
/// that stands.
fn side(session: &Session, game: &Match, action: &Action) -> Result<Color, Error> {
    let asked = match action {
        Action::AcceptDraw | Action::DeclineDraw => game.offer(),
        Action::AcceptTakeback | Action::DeclineTakeback => game.takeback(),
        Action::Move(_)
        | Action::Resign
        | Action::OfferDraw
        | Action::ClaimDraw
        | Action::ProposeTakeback
        | Action::DeclineInvitation
        | Action::Withdraw => None,
    };
    match asked {
        Some(other) if game.sides_of(&session.me.player).len() == 2 => Ok(!other),
        _ => session.side(game),
    }
}

/// Asks the user whether to resign.
///
/// # Errors
///
/// If the user cannot resign.
fn is_meant(session: &Session, id: &Id, context: &mut Context<'_>) -> Result<bool, Error> {
    let game = session.store.read(id)?.game;
    let side = session.side(&game)?;
    Match::clone(&game).push(game.entry(session.now, Action::Resign, side))?;
    let question = format!(
        "{id}: resign as {} against {}, after {}",
        game.variant().player(side),
        game.player(!side).name(),
        half_moves(game.record().steps().len())
    );
    Ok(context.ask(&question))
}

/// `parapost note`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost note k7f3qd 'watch the diagonal to h1'

A note is for you alone: it is kept in the file of the match, and mailed to nobody.
'parapost say' sends words to the opponent.")]
pub(super) struct Note {
    /// The match
    id: Id,
    /// The note; it is kept in the match and mailed to nobody
    #[arg(value_name = "TEXT", required = true)]
    words: Vec<String>,
}

pub(super) fn note(args: &Note, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    warn_of_backup(&session, slice::from_ref(&args.id), context);
    let text = args.words.join(" ");
    session.change(&args.id, |game| {
        let side = session.side_or_referee(game)?;
        let who = side.map_or(Who::Referee, Who::Player);
        if text.trim().is_empty() {
            return Err(Error::usage("the note is empty"));
        }
        check_room(&session, game, who, Some(&text))?;
        game.push(LogEntry::new(session.now, Event::note(&text), who))
    })?;
    let id = &args.id;
    context.say(format_args!(
        "{id}: noted for yourself; it is mailed to nobody ('parapost say {id}' writes to the opponent)"
    ));
    Ok(Status::Done)
}

/// `parapost undo`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost undo k7f3qd")]
pub(super) struct Undo {
    /// The match
    id: Id,
}

/// Says why a move cannot be taken back whose mail is out of the user's hands, and what can be
/// done.
fn told(game: &Match, side: Color) -> Error {
    let id = game.id();
    let is_filed = game.filed().any(|mail| mail.to == !side);
    let refused = if is_filed {
        Error::refused(format!(
            "{id}: the mail that tells of the last move lies in a folder, from where it may have been taken"
        ))
    } else {
        Error::refused(format!("{id}: {}", NotAllowed::Told))
    };
    refused.and(format_args!(
        "'parapost takeback propose {id}' asks your opponent to take the move back"
    ))
}

pub(super) fn undo(args: &Undo, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = session_for(&args.id, context)?;
    // Reports a missing match before the lock creates a file for it.
    session.store.read(&args.id)?;
    let attempts = RefCell::new(Attempts::open(session.store.sending(&args.id)?)?);
    let take_back = |game: &mut Match| {
        game.must_be_by_mail()?;
        let sides = game.sides_of(&session.me.player);
        let resigned = match game.ending() {
            Some(Ending::Resigned(side)) if sides.contains(&side) => Some(side),
            _ => None,
        };
        let side = match (resigned, sides.as_slice()) {
            (Some(side), _) => side,
            (None, [_, _]) => !game.position().turn(),
            (None, _) => session.side(game)?,
        };
        let refused = game.undelivered().iter().map(|refused| &refused.mail);
        let mut unsent = game.owed().iter().chain(refused);
        let may_have_gone = |id: &MessageId| attempts.borrow().may_have_gone(id);
        if unsent.any(|mail| may_have_gone(&mail.msg))
            || game.unposted().any(|article| may_have_gone(&article.id))
        {
            return Err(Error::refused(format!(
                "{}: a mail was being sent when the program or the mail server stopped, and may have gone; 'parapost send {}' sends it again",
                args.id, args.id
            )));
        }
        let owed = game.owed().to_vec();
        let (undo, undone) = if resigned.is_some() {
            (Event::UndoResignation, "the resignation".to_owned())
        } else {
            let last = game.record().steps().last();
            (
                Event::Undo,
                last.map(ToString::to_string).unwrap_or_default(),
            )
        };
        let undo = LogEntry::new(session.now, undo, side);
        if let Err(NotAllowed::Told) = game.state_after(&undo) {
            return Err(told(game, side));
        }
        game.push(undo)?;
        // `undo` also drops the answers to messages that came since the move,
        // because they would tell of it. They are owed again.
        // So are words that go by themselves.
        let stays = |owed: &&QueuedMail| owed.automatic || owed.kind == MailKind::Note;
        for owed in owed.iter().filter(stays) {
            if !game.owed().contains(owed) {
                game.owe(session.now, owed.mail.again(), &session.ids)?;
            }
        }
        Ok(undone)
    };
    let store = &*session.store;
    let from = store.read_to_change(&args.id)?;
    let save = |game: &_, base: &_| attempts.borrow_mut().change(store, game, base);
    let (undone, _) = update_by(from, take_back, save)?;
    context.say(format_args!("{}: {undone} is taken back", args.id));
    Ok(Status::Done)
}
