//! `parapost new`: begins a match, or takes over a running one.

use clap::{Args, ValueEnum};
use lettre::Address;

use crate::command::arguments::{self, Delivery, Side, game_parser, no_random, variant};
use crate::command::ask::read_line;
use crate::command::context::{Context, Status};
use crate::command::delivery::finish;
use crate::config::{User, UserRole};
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::match_id::Id;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail::{MailKind, NewMail};
use crate::matches::r#match::{Day, Days, Match, MatchSettings};
use crate::matches::player::{Player, shared_mailbox};
use crate::matches::terms;
use crate::notation::judge;
use crate::printable::terminal_width;
use crate::referee::session::Session;
use crate::rules::{Color, Game, Variant, games};
use crate::suggest::nearest;
use crate::{Error, clock};

/// `parapost new`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/new.txt").trim_ascii_end())]
pub(super) struct New {
    /// The opponent: you play White, or as --as says
    #[arg(value_name = "ADDRESS|NAME <ADDRESS>", conflicts_with_all = ["white", "black"])]
    opponent: Option<Player>,
    /// The side that you play
    #[arg(long = "as", value_name = "SIDE", requires = "opponent", conflicts_with_all = ["white", "black"])]
    side: Option<Side>,
    /// The game [default: asked for at a terminal]
    #[arg(long, value_name = "G", value_parser = game_parser(), ignore_case = true)]
    game: Option<&'static Game>,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "O")]
    options: Vec<String>,
    /// The first player, of a match of others or with several addresses, set apart by commas
    #[arg(long, value_name = "NAME <ADDR>", requires = "black")]
    white: Option<Player>,
    /// The second player
    #[arg(long, value_name = "NAME <ADDR>", requires = "white")]
    black: Option<Player>,
    /// The id of the match [default: one made up]
    #[arg(long)]
    id: Option<Id>,
    /// The time for a move, in days, like 10d
    #[arg(long, value_name = "Nd")]
    time: Option<Days>,
    /// The last day of the invitation, like 2026-12-24: it lapses if nobody invited has played
    /// when that day is over everywhere on earth
    #[arg(long, value_name = "YYYY-MM-DD")]
    until: Option<Day>,
    /// The newsgroup that each move is posted to, with the names of both players; the invitation
    /// says so, and who plays on it agrees
    #[arg(long, value_name = "GROUP")]
    news: Option<Newsgroup>,
    /// The mailing list that each position is mailed to, with the names of both players; the
    /// invitation says so, and who plays on it agrees
    #[arg(long, value_name = "ADDRESS")]
    list: Option<Address>,
    /// Where moves count: by mail alone, or from the newsgroup of --news, too, where anybody can
    /// write in anybody's name
    #[arg(long, value_name = "WHERE", default_value = "mail")]
    play: PlayedWhere,
    /// Play this finished match again: the same game and terms, with the colours changed
    #[arg(long, value_name = "ID", conflicts_with_all = [
        "opponent", "side", "game", "options", "white", "black", "id", "time", "until", "event",
        "referee", "moves", "invited", "news", "play", "list",
    ])]
    rematch: Option<Id>,
    /// The event the match belongs to
    #[arg(long)]
    event: Option<String>,
    /// The referee who keeps the match, gets the mail and tells the opponent's moves
    #[arg(long, value_name = "ADDR")]
    referee: Option<Address>,
    /// The moves made so far, to take over a running match
    #[arg(long)]
    moves: Option<String>,
    /// The other player knows of the match: no invitation
    #[arg(long, conflicts_with_all = ["send", "print"])]
    invited: bool,
    /// The invitation.
    #[command(flatten)]
    delivery: Delivery,
}

/// Where the moves of a match count.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum PlayedWhere {
    /// By mail
    Mail,
    /// By mail and from the newsgroup
    News,
}

pub(super) fn run(args: &New, context: &mut Context<'_>) -> Result<Status, Error> {
    if let Some(id) = &args.rematch {
        return rematch(id, args.delivery, context);
    }
    let (mut players, is_drawn) = players(args, context)?;
    if args.play == PlayedWhere::News {
        players = known_in_news(players, context)?;
    }
    let game = match args.game {
        Some(game) => game,
        None => chosen(context)?,
    };
    let id = match &args.id {
        Some(id) => id.clone(),
        None => Id::random().map_err(no_random)?,
    };
    let settings = settings(args, id.clone(), variant(game, &args.options)?, players)?;
    if let Some(address) = settings.without_mail() {
        return Err(Error::usage(format!(
            "no mail can be made for the address {address}"
        )));
    }
    let mut game = Match::new(settings, clock::now()?);
    let has_passed = |day: &Day| day.end() <= game.started();
    if let Some(day) = args.until.filter(has_passed)
        && !args.invited
    {
        return Err(Error::usage(format!("--until {day}: this day has passed")));
    }
    if let Some(moves) = &args.moves {
        let record = judge::record(moves, game.variant())
            .map_err(|error| Error::refused(format!("--moves: {error}")))?;
        game.take_over(&record)?;
    }
    let session = host(args, &game, context)?;
    let is_me = |list: &&Address| {
        session
            .as_ref()
            .is_some_and(|session| session.me.player.has(list))
    };
    let own = args.list.as_ref().filter(is_me);
    if let Some(list) = game.settings().list_of_people().or(own) {
        return Err(Error::usage(format!(
            "--list {list}: this is an address of a player or of the referee, and no mailing list"
        )));
    }
    if let Some(referee) = &args.referee {
        check_referee(referee, &game, session.as_ref())?;
    }
    // A referee invites the players.
    let is_host = !args.invited && args.referee.is_none();
    let mut invited = Vec::new();
    if let Some(session) = session.as_ref().filter(|_| is_host) {
        invited = session.guests(&game);
        for to in &invited {
            let mut mail = NewMail::new(MailKind::Invitation, *to);
            if is_drawn {
                mail = mail.saying(DRAWN);
            }
            game.owe(session.now, mail, &session.ids)?;
        }
    }
    context.store()?.create(&game)?;

    // With --print, standard output is the message for a mail program.
    report(&id, args.delivery, context)?;
    if is_drawn {
        let mine = session.as_ref().map(|session| session.side(&game));
        if let Some(Ok(side)) = mine {
            let side = game.variant().player(side);
            context.say(format_args!("the lot has fallen: you play {side}"));
        }
    }
    if let Some([white, black]) = shared_mailbox(&game.settings().players) {
        context.say(format_args!(
            "{white} and {black} are addresses of one mailbox: a player is known by the whole \
             address here, and any other of that mailbox is a stranger's"
        ));
    }
    let wanted = args.delivery.send || args.delivery.print.is_some();
    if invited.is_empty() && wanted && args.referee.is_some() {
        context.say("nobody is invited: the referee invites the players");
    } else if invited.is_empty() && wanted {
        context.say("nobody is invited: you play neither side, nor are you the referee");
    }
    let is_poster = |session: &&Session| session.config.news.is_none() && session.is_poster(&game);
    if args.news.is_some()
        && let Some(session) = session.as_ref().filter(is_poster)
    {
        context.say(format_args!(
            "{id}: your program is the one to post its moves, and has no news server: nothing is posted until 'parapost init --news' has added the section [news] to {}",
            session.config.path.display()
        ));
    }
    if let Some(session) = session.filter(|_| !invited.is_empty()) {
        let done = are_invited(&game, &invited);
        let stored = session.store.read(&id)?;
        let status = finish(context, &session, stored, args.delivery, &done)?;
        if context.is_terminal {
            tell_what_follows(&game, &session, context);
        }
        return Ok(status);
    }
    Ok(Status::Done)
}

/// Tells somebody at a terminal what was begun, and what to do next.
fn tell_what_follows(game: &Match, session: &Session, context: &mut Context<'_>) {
    let (id, variant) = (game.id(), game.variant());
    let Ok(side) = session.side(game) else {
        return;
    };
    let (mine, opponent) = (variant.player(side), game.player(!side));
    let name = variant.game().name;
    context.say(format_args!(
        "{id}: {name}; you play {mine} against {}.",
        opponent.name()
    ));
    // A command stands on a line of its own, so that it is not folded.
    if game.turn() == Some(side) {
        context.say(format_args!(
            "Your move ('parapost legal {id}' lists the legal ones):"
        ));
        context.say(format_args!("  parapost move {id} 'MOVE' --send"));
    } else {
        context.say("The first move comes by mail, which this reads:");
        context.say("  parapost fetch --send");
    }
    if opponent.name() == opponent.address().to_string() {
        context.say(format_args!(
            "Your opponent has no name here, which 'NAME <{}>' in the place of the address would give.",
            opponent.address()
        ));
    }
}

/// What an invitation says where the colours were drawn.
const DRAWN: &str =
    "Who plays which side was drawn by lot, by the random numbers of the inviter's computer.";

/// Returns the players of the new match, and true if their sides were drawn.
///
/// # Errors
///
/// If the command line does not name them, or it is not configured who the user is.
fn players(args: &New, context: &mut Context<'_>) -> Result<([Player; 2], bool), Error> {
    let named = [&args.opponent, &args.white, &args.black];
    if named
        .into_iter()
        .flatten()
        .any(|player| player.level().is_some())
    {
        return Err(Error::usage(
            "this is the address of the program, to which no mail goes: 'parapost play' begins a match against it",
        ));
    }
    if let (Some(white), Some(black)) = (&args.white, &args.black) {
        return Ok(([white.clone(), black.clone()], false));
    }
    let Some(opponent) = args.opponent.clone() else {
        return Err(Error::usage(
            "whom do you want to play? Name the opponent, like 'Ben <ben@example.org>', or both players by --white and --black",
        ));
    };
    let config = context.config()?;
    let me = config.somebody().map(|me| me.player.clone());
    let me = me.ok_or_else(|| unknown_user(context))?;
    if opponent
        .addresses()
        .iter()
        .any(|address| me.has_exactly(address))
    {
        return Err(Error::usage(format!(
            "{}: this is your own address; --white and --black name one who plays both sides",
            opponent.address()
        )));
    }
    let side = args.side.unwrap_or(Side::White);
    let (is_black, is_drawn) = (side.color()? == Color::Black, side == Side::Random);
    let players = if is_black {
        [opponent, me]
    } else {
        [me, opponent]
    };
    Ok((players, is_drawn))
}

/// Says how somebody who is not configured gets the same match: by which commands.
fn unknown_user(context: &Context<'_>) -> Error {
    let again = arguments::line(context.words);
    Error::usage(format!(
        "who you are is not configured: 'parapost init' asks for it, and needs no mail server. Then say the same again:\n  parapost init\n  {again}\nOr name both players by --white and --black."
    ))
}

/// Asks the user which game to play.
///
/// # Errors
///
/// If there is no terminal, or no answer.
fn chosen(context: &mut Context<'_>) -> Result<&'static Game, Error> {
    if !context.can_ask() {
        let names: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
        return Err(Error::usage(format!(
            "which game? Name it by --game: {}; 'parapost rules' tells of each",
            names.join(", ")
        )));
    }
    context.say("Which game?");
    for (number, game) in (1..).zip(games::ALL) {
        for line in told(number, game).lines() {
            context.say(line);
        }
    }
    loop {
        context.say(format_args!(
            "Its number or name, 1 to {} [1]:",
            games::ALL.len()
        ));
        let answer = read_line(context)?.trim().to_lowercase();
        let number = if answer.is_empty() {
            Some(1)
        } else {
            answer.parse().ok()
        };
        let numbered = number.and_then(|number: usize| games::ALL.get(number.checked_sub(1)?));
        let mut named = games::ALL.iter();
        let named = || named.find(|game| game.id == answer || game.name.to_lowercase() == answer);
        if let Some(game) = numbered.or_else(named) {
            return Ok(game);
        }
        let ids: Vec<&str> = games::ALL.iter().map(|game| game.id).collect();
        match nearest(&answer, &ids) {
            Some(name) => context.say(format_args!(
                "no game has that name; did you mean '{name}'?"
            )),
            None => context.say("no game has that number or name"),
        }
    }
}

/// The indent of what is told of a game in the menu.
const BESIDE_NAME: &str = "                     ";

/// Tells a game for the menu: how its rules begin.
fn told(number: usize, game: &Game) -> String {
    let first = game.text.split(['.', ':', ';']).next().unwrap_or_default();
    let text = format!("  {number}  {:<15} {}", game.name, first.replace('\n', " "));
    let layout = textwrap::Options::new(terminal_width()).subsequent_indent(BESIDE_NAME);
    textwrap::fill(&text, layout)
}

/// Begins a match that follows another one, or names the one that does already.
fn rematch(of: &Id, delivery: Delivery, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let game = session.store.read(of)?.game;
    game.must_be_by_mail()?;
    let who = session
        .side_or_referee(&game)?
        .map_or(Who::Referee, Who::Player);
    if let Some(referee) = &game.settings().referee {
        return Err(Error::refused(format!(
            "{of}: the referee begins the rematch: send {referee} the line 'rematch' in an answer to a mail of this match"
        )));
    }
    if Color::ALL.into_iter().any(|side| game.is_forgotten(side)) {
        return Err(Error::refused(format!(
            "{of}: a player of this match is forgotten"
        )));
    }
    let begun = game.state.rematch.as_deref().map(str::parse).transpose();
    let begun: Option<Id> = begun.map_err(Error::refused)?;
    let is_begun = begun.is_some();
    let id = begun.unwrap_or_else(|| game.rematch_id());
    if !is_begun {
        let event = LogEntry::new(session.now, Event::Rematch(Some(id.to_string())), who);
        game.state_after(&event).map_err(Error::refused)?;
        if !session.begin_rematch(&*session.store, &game, None)? {
            return Err(Error::refused(format!(
                "{of}: the rematch would be the match {id}, and there is another one of that id"
            )));
        }
        session.change(of, |game| match &game.state.rematch {
            Some(_) => Ok(()),
            None => game.push(event.clone()),
        })?;
    }
    report(&id, delivery, context)?;
    let stored = session.store.read(&id)?;
    let is_news = stored
        .game
        .owed()
        .iter()
        .any(|mail| mail.kind == MailKind::Invitation);
    if is_begun || !is_news {
        context.say(format_args!("{of}: the rematch is {id} already"));
        return Ok(Status::Done);
    }
    let done = are_invited(&stored.game, &session.guests(&stored.game)) + " to a rematch";
    finish(context, &session, stored, delivery, &done)
}

/// Adds the address that the user's articles come from to those of the user's side, by which the
/// opponent's program knows them.
fn known_in_news(players: [Player; 2], context: &mut Context<'_>) -> Result<[Player; 2], Error> {
    let config = context.config()?;
    let (Some(me), Some(news)) = (config.somebody(), &config.news) else {
        return Ok(players);
    };
    let address = &news.from.email;
    let is_known = players.iter().any(|player| player.has(address));
    let is_mine = |player: &Player| {
        let mut own = me.player.addresses().iter();
        own.any(|own| player.has(own))
    };
    let sides = players.iter().filter(|player| is_mine(player)).count();
    if is_known || sides != 1 {
        return Ok(players);
    }
    Ok(players.map(|player| {
        if is_mine(&player) {
            player.with_addresses(std::slice::from_ref(address))
        } else {
            player
        }
    }))
}

/// Writes the id of a match that has begun, beside the invitation if that is printed.
fn report(id: &Id, delivery: Delivery, context: &mut Context<'_>) -> Result<(), Error> {
    if delivery.print.is_none() {
        return context.report(format_args!("{id}\n"));
    }
    context.say(id);
    Ok(())
}

/// Tells who is invited.
fn are_invited(game: &Match, guests: &[Color]) -> String {
    let names: Vec<&str> = guests.iter().map(|to| game.player(*to).name()).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} invited", names.join(" and "))
}

/// Returns the terms of the new match.
///
/// # Errors
///
/// A usage error if the game does not have the options, or the name of the
/// event is not one line.
fn settings(
    args: &New,
    id: Id,
    variant: Variant,
    players: [Player; 2],
) -> Result<MatchSettings, Error> {
    let event = args
        .event
        .as_deref()
        .map(|text| terms::event(text).ok_or_else(|| Error::usage(terms::NO_EVENT)));
    if args.play == PlayedWhere::News && args.news.is_none() {
        return Err(Error::usage(
            "--play news: name the newsgroup by --news GROUP",
        ));
    }
    Ok(MatchSettings {
        id,
        variant,
        players,
        referee: args.referee.clone(),
        event: event.transpose()?,
        time: args.time,
        until: args.until,
        news: args.news.clone(),
        counts_news: args.play == PlayedWhere::News,
        start: None,
        list: args.list.clone(),
    })
}

/// Checks that the referee is neither a player nor the user, and that the user plays:
/// in a match with a referee, all mail of the user's goes there.
fn check_referee(referee: &Address, game: &Match, session: Option<&Session>) -> Result<(), Error> {
    if game
        .settings()
        .players
        .iter()
        .any(|player| player.has(referee))
    {
        return Err(Error::usage(format!(
            "--referee {referee}: this is a player of the match"
        )));
    }
    match session.map(|session| &session.me.player) {
        Some(me) if me.has(referee) || game.sides_of(me).len() != 1 => Err(Error::usage(
            "--referee names somebody else, for a user who plays one side; you need none",
        )),
        _ => Ok(()),
    }
}

/// Returns the session of the person who invites. A match needs no
/// configuration; without one, an invitation goes out in the first player's
/// name if the command asks for it.
fn host(args: &New, game: &Match, context: &mut Context<'_>) -> Result<Option<Session>, Error> {
    let config = context.config()?;
    let me = match config.somebody() {
        Some(me) => me.clone(),
        None if args.delivery.send || args.delivery.print.is_some() => {
            context.say(format_args!(
                "who you are is not configured; the invitation is in the name of {}",
                game.player(Color::White).name()
            ));
            User {
                player: game.player(Color::White).clone(),
                role: UserRole::Player,
            }
        }
        None => return Ok(None),
    };
    Session::of(context, config, me).map(Some)
}
