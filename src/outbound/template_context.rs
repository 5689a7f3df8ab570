//! The values that templates can use, as the recipient sees the match.

use std::borrow::Cow;

use serde::Serialize;

use crate::config::{MailSettings, MailSubject};
use crate::match_id::Id;
use crate::matches::action::{Action, Request};
use crate::matches::article::NewsStep;
use crate::matches::decision::moves_of;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::mail::{MailKind, MailWish, PUZZLE_SUBJECT, QueuedMail};
use crate::matches::r#match::{Day, Days, Match, MatchSettings, NEWS};
use crate::matches::player::Player;
use crate::matches::terms;
use crate::notation::diagram::Diagram;
use crate::notation::header;
use crate::notation::move_list::{self, MoveList};
use crate::outbound::wrap;
use crate::printable::half_moves;
use crate::render::lesson::{self, Lesson};
use crate::rules::{Color, Record, Role, Variant};
use crate::{clock, shell};

/// The values that templates can use.
#[derive(Serialize)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a separate condition for templates"
)]
pub(super) struct TemplateContext {
    /// The id of the match.
    id: String,
    /// The name of the game.
    game: &'static str,
    /// The recipient's side in the words of the game: White, Black, Sente, Gote.
    side: &'static str,
    /// The sender's name.
    sender: String,
    /// The recipient's name.
    recipient: String,
    /// The name of the player who is not the recipient.
    opponent: String,
    /// True if the sender is the referee, not a player.
    referee: bool,
    /// The tournament or other event of the match; may be empty.
    event: String,
    /// The days for a move; 0 if there is no limit.
    days: u16,
    /// The last day of the invitation, for people; empty if it has none.
    until: String,
    /// The newsgroup that the moves are posted to; empty if they are not.
    news: String,
    /// True if moves count from there, too.
    counts_news: bool,
    /// The mailing list that the positions are mailed to; empty if they are not.
    mailing_list: String,
    /// The last event, in sentences.
    happened: String,
    /// The last event as a command for the recipient's own program, such as
    /// `resign` or `offer draw`, or the move, if words go with it. Empty unless the event is the
    /// sender's own. No other line of a mail may consist of a command.
    order: String,
    /// A sentence that says who is to move and by when, or how the match ended.
    standing: String,
    /// True if the match is over.
    over: bool,
    /// True if the recipient is to move, and the mail shows the last position.
    pub(super) your_turn: bool,
    /// True if the recipient may ask for a rematch.
    rematch: bool,
    /// True if the recipient may decline to play the match.
    invited: bool,
    /// True if the other player's offer of a draw stands.
    offered: bool,
    /// True if the other player's proposal to take the last move back stands.
    takeback: bool,
    /// True in a receipt if its recipient can propose to take the last move back.
    regret: bool,
    /// The draw the recipient may claim; may be empty.
    claim: String,
    /// The number of the next move, as a list writes it: `3.` or `3...`.
    number: String,
    /// The lines that name the game, for people who paste the mail; empty for
    /// Unachess without options.
    header: String,
    /// The diagram.
    diagram: String,
    /// The list of moves; empty before the first.
    list: String,
    /// True if the game has pieces in reserve.
    reserve: bool,
    /// The options in force.
    options: Vec<OptionValue>,
    /// The rules of the game, a paragraph to a line; only in their mail, else empty.
    rules: String,
    /// The legal moves in rows, by the kind of piece; only in their mail, else empty.
    legal: Vec<LegalMoves>,
    /// True in that mail if a turn may place several pieces.
    placement: bool,
    /// Further text: the other player's words in a position, the explanation in
    /// an answer; may be empty.
    pub(super) text: String,
    /// The beginnings of the game, for somebody who has never seen it; only in the
    /// invitation.
    lesson: Option<Lesson>,
    /// The terms of the match in lines that the recipient's program reads; only in the
    /// invitation, else empty.
    terms: String,
    /// The command that sets the match up, split into lines.
    command: String,
    /// The number of half-moves.
    plies: usize,
    /// The hash of the match.
    hash: String,

    /// The subject of the mail.
    #[serde(skip)]
    pub(super) subject: String,
    /// The sender.
    #[serde(skip)]
    pub(super) from: Player,
}

/// A row of the legal moves of one kind of piece. The name of the piece before them keeps
/// the row from being read as moves of the match.
#[derive(Serialize)]
struct LegalMoves {
    piece: &'static str,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct OptionValue {
    name: &'static str,
    summary: &'static str,
}

impl TemplateContext {
    /// Collects the values for an owed mail, from the match as it was when the
    /// mail became due, all but the diagram and the list of moves.
    pub(super) fn new(then: &Match, owed: &QueuedMail, me: &Player) -> TemplateContext {
        TemplateContext::naming(then, owed, me, Naming::Public)
    }

    /// Collects the values as earlier versions did, if they differ: a referee's mails had
    /// addresses of the other player.
    pub(super) fn earlier(then: &Match, owed: &QueuedMail, me: &Player) -> Option<TemplateContext> {
        let has_names =
            Color::ALL.map(|color| then.player(color).name() == then.public_name(color));
        let is_referees = then.sides_of(me).iter().all(|color| *color == owed.to);
        let differs = is_referees && (owed.kind == MailKind::Invitation || has_names != [true; 2]);
        differs.then(|| TemplateContext::naming(then, owed, me, Naming::Addresses))
    }

    fn naming(then: &Match, owed: &QueuedMail, me: &Player, naming: Naming) -> TemplateContext {
        let variant = then.variant();
        let record = shown(then, owed);
        let mine = then
            .sides_of(me)
            .into_iter()
            .find(|color| *color != owed.to);
        let from = mine.map_or(me, |color| then.player(color)).clone();
        // The players know each other's addresses, if no referee stands between them.
        let naming = match mine {
            Some(_) => Naming::Addresses,
            None => naming,
        };
        let settings = match naming {
            Naming::Addresses => Cow::Borrowed(then.settings()),
            Naming::Public => Cow::Owned(then.told_by_referee(owed.to)),
        };
        let has_words = owed.kind == MailKind::Position && owed.text.is_some();
        let last = last_event(then, mine, naming, has_words);
        let position = record.position();
        let rules = variant.game().options.iter();
        let is_last = record.steps().len() == then.record().steps().len();
        let is_legal = owed.kind == MailKind::Legal;
        let is_invitation = owed.kind == MailKind::Invitation;
        let referee = mine.is_none().then(|| me.address());
        TemplateContext {
            id: then.id().to_string(),
            game: variant.game().name,
            side: variant.player(owed.to),
            sender: from.name().to_owned(),
            recipient: then.player(owed.to).name().to_owned(),
            opponent: naming.name(then, !owed.to).to_owned(),
            referee: mine.is_none(),
            event: settings.event.clone().unwrap_or_default(),
            days: settings.time.map_or(0, Days::days),
            until: settings.until.map(Day::for_people).unwrap_or_default(),
            news: settings
                .news
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            counts_news: settings.counts_news,
            mailing_list: settings
                .list
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            happened: last.sentences,
            order: last.order,
            standing: standing(then, owed.to, &record, naming),
            over: then.ending().is_some(),
            rematch: then.ending().is_some_and(|ending| !ending.is_void())
                && then.state.rematch.is_none()
                && then.state.have_both_played()
                && then.settings().referee.is_none(),
            invited: then.state.is_invited(owed.to),
            your_turn: is_last && then.turn() == Some(owed.to),
            offered: then.ending().is_none() && then.offer() == Some(!owed.to),
            takeback: then.ending().is_none() && then.takeback() == Some(!owed.to),
            regret: owed.kind == MailKind::Receipt && can_regret(then, owed),
            claim: then
                .turn()
                .filter(|turn| *turn == owed.to)
                .and_then(|_| then.record().claim())
                .map(|claim| claim.to_string())
                .unwrap_or_default(),
            number: move_list::number_of_position(then.position()),
            header: header::write(variant).trim_end().to_owned(),
            diagram: String::new(),
            list: String::new(),
            reserve: variant.rules().has_reserve(),
            options: rules
                .filter(|option| variant.options().contains(&option.name))
                .map(|option| OptionValue {
                    name: option.name,
                    summary: option.summary,
                })
                .collect(),
            rules: if owed.kind == MailKind::Rules {
                lesson::rules_text(variant.game())
            } else {
                String::new()
            },
            placement: is_legal && then.turn().is_some() && variant.rules().placement,
            legal: if is_legal { legal(then) } else { Vec::new() },
            text: owed.text.clone().unwrap_or_default(),
            lesson: is_invitation.then(|| Lesson::new(position, owed.to)),
            terms: if is_invitation {
                let terms = terms::write(&settings, referee);
                terms.trim_end().to_owned()
            } else {
                String::new()
            },
            command: command(then, &settings, mine.is_none().then_some(me)),
            plies: record.steps().len(),
            hash: then.hash_of(&record),
            subject: subject(then, owed, &last.subject),
            from,
        }
    }
}

/// The name of the other player in a mail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// The name, or the side of a player without one.
    Public,
    /// The name, or the address of a player without one; in an invitation all addresses.
    Addresses,
}

impl Naming {
    fn name(self, game: &Match, color: Color) -> &str {
        match self {
            Naming::Public => game.public_name(color),
            Naming::Addresses => game.player(color).name(),
        }
    }
}

impl TemplateContext {
    /// Adds the diagram and the list of moves, and has the subject that the user's settings say.
    pub(super) fn with_settings(
        self,
        then: &Match,
        owed: &QueuedMail,
        settings: MailSettings,
    ) -> TemplateContext {
        let record = shown(then, owed);
        let diagram = Diagram::of(record.position()).draw(settings.look(owed.to));
        // The question which match is meant, and a puzzle, are about none.
        let has_move = settings.subject == MailSubject::Move || !owed.kind.is_about_match();
        TemplateContext {
            diagram: diagram.trim_end().to_owned(),
            list: MoveList::of(&record).to_string().trim_end().to_owned(),
            subject: if has_move {
                self.subject
            } else {
                thread_subject(then)
            },
            ..self
        }
    }

    /// Carries another text.
    pub(super) fn saying(self, text: &str) -> TemplateContext {
        TemplateContext {
            text: text.to_owned(),
            ..self
        }
    }

    /// Returns what mails say beside their text: the deadline and the hash in the words of
    /// earlier versions, and the line of the match in HTML.
    pub(super) fn other_wording(&self, then: &Match) -> String {
        let deadline = then.deadline().map(clock::write).unwrap_or_default();
        let TemplateContext { game, id, hash, .. } = self;
        let event = match self.event.as_str() {
            "" => String::new(),
            event => format!(", {event}"),
        };
        format!("due by {deadline}\nHash of the moves: {hash}\n{game}{event}. Match {id}.\n")
    }
}

/// Returns true if the recipient of a mail has made the last move and can propose to take it back.
fn can_regret(then: &Match, owed: &QueuedMail) -> bool {
    let event = then.entry(owed.time, Action::ProposeTakeback, owed.to);
    let acts = then.log().iter().filter_map(|entry| match &entry.event {
        Event::Act(action) => Some(action),
        _ => None,
    });
    let last = acts.rev().find(|action| **action != Action::OfferDraw);
    then.turn() == Some(!owed.to)
        && matches!(last, Some(Action::Move(_)))
        && then.state_after(&event).is_ok()
        && then.must_be_first(&event).is_ok()
}

/// Returns the moves that a mail shows.
pub(super) fn shown<'m>(then: &'m Match, owed: &QueuedMail) -> Cow<'m, Record> {
    match owed.at {
        Some(plies) => Cow::Owned(then.record().until(plies)),
        None => Cow::Borrowed(then.record()),
    }
}

/// Returns the legal moves, none if the match is over.
fn legal(game: &Match) -> Vec<LegalMoves> {
    if game.turn().is_none() {
        return Vec::new();
    }
    let mut rows: Vec<LegalMoves> = Vec::new();
    for role in Role::ALL.into_iter().filter(|role| !role.is_promoted()) {
        let piece = role.name();
        let mut width = wrap::WIDTH;
        for text in moves_of(game.position(), role) {
            let more = text.len() + ", ".len();
            match rows.last_mut() {
                Some(row) if width + more <= wrap::WIDTH => row.moves.push(text),
                _ => {
                    width = piece.len() + ": ".len();
                    let moves = vec![text];
                    rows.push(LegalMoves { piece, moves });
                }
            }
            width += more;
        }
    }
    rows
}

fn subject(game: &Match, owed: &QueuedMail, event: &str) -> String {
    let about = match owed.kind {
        // This mail is about no match, and must not look as if it were about
        // this one.
        MailKind::Question => return "Which game is your message about?".to_owned(),
        MailKind::Address => return "Is this your address?".to_owned(),
        // The same of a puzzle.
        MailKind::Puzzle => {
            return format!("{PUZZLE_SUBJECT} {}", owed.time.format("%G-W%V"));
        }
        MailKind::Note => "a message",
        MailKind::Answer => "about your message",
        MailKind::Invitation => "invitation",
        MailKind::Rules => "the rules",
        MailKind::Legal => "the legal moves",
        MailKind::Position | MailKind::Receipt | MailKind::Other(_) => event,
    };
    format!("[{}] {}: {about}", game.id(), game.variant().game().name)
}

/// The most characters of the subject of a match. A telephone shows 40.
const LONGEST_SUBJECT: usize = 60;

/// Returns the subject of every mail of a match. A name has no brackets in it, which might
/// name another match, and no beginning of an encoded word, which might hold them.
pub(super) fn thread_subject(game: &Match) -> String {
    let name = |color| {
        game.public_name(color)
            .replace(['[', ']'], "")
            .replace("=?", "")
    };
    let [white, black] = Color::ALL.map(name);
    let (id, title) = (game.id(), game.variant().game().name);
    let subject = format!("[{id}] {title}: {white} - {black}");
    let cut: String = subject.chars().take(LONGEST_SUBJECT).collect();
    cut.trim_end().to_owned()
}

/// The last event of a match that matters to players.
struct LastEvent {
    sentences: String,
    subject: String,
    /// The command that the event was, if it is the sender's own.
    order: String,
}

/// Finds the last event that matters to players. A move and the offer of a draw
/// on the next line of the log count as one.
/// `mine` is the side of the sender.
fn last_event(game: &Match, mine: Option<Color>, naming: Naming, has_words: bool) -> LastEvent {
    // No mail reports a resignation that was taken back.
    let goes_on = game.turn().is_some();
    let is_told = |event: &LogEntry| match &event.event {
        Event::Wish(Some(MailWish::NewsOff)) => mine.map(Who::Player) == Some(event.who),
        Event::New(_) | Event::Undo | Event::Lapsed => true,
        Event::News(step) => *step == Some(NewsStep::Withdrawn),
        Event::Act(action) => *action != Action::Resign || !goes_on,
        Event::UndoResignation
        | Event::Rematch(_)
        | Event::Note(_)
        | Event::Refused(_)
        | Event::Asked(_)
        | Event::Wish(_)
        | Event::Address(_)
        | Event::Mail(..)
        | Event::Repaired(_)
        | Event::Forgotten(_)
        | Event::Other { .. } => false,
    };
    let Some(at) = game.log().iter().rposition(is_told) else {
        unreachable!("every log begins with 'new'");
    };
    let last = &game.log()[at];
    let who = |event: &LogEntry| match event.who {
        Who::Player(color) => full_name(game, color, naming),
        Who::Referee => "The referee".to_owned(),
        Who::Nobody => "Somebody".to_owned(),
    };
    let played = || {
        let record = game.record();
        let step = record.steps().last();
        let step = step.and_then(|step| Some((step, record.at(record.steps().len() - 1)?)));
        step.map_or(String::new(), |(step, before)| {
            format!("{} {step}", move_list::number_of_position(before))
        })
    };
    let (what, subject) = if let Event::Act(action) = &last.event {
        let before = game.log()[..at].last();
        let with_move = before.is_some_and(|before| before.is_move() && before.who == last.who);
        let deed = action.deed();
        let score = || game.ending().map_or(String::new(), |end| end.to_string());
        let text = last.get("move").unwrap_or("the last one");
        match action {
            Action::Move(_) => (format!("has played {}.", played()), played()),
            Action::OfferDraw if with_move => (
                format!("has played {} and {deed}.", played()),
                format!("{}, draw offered", played()),
            ),
            Action::OfferDraw => (format!("{deed}."), "draw offered".to_owned()),
            Action::DeclineDraw => (format!("{deed}."), "draw declined".to_owned()),
            Action::AcceptDraw | Action::ClaimDraw | Action::Resign => {
                (format!("{deed}."), score())
            }
            Action::DeclineInvitation => (format!("{deed}."), "invitation declined".to_owned()),
            Action::Withdraw => (format!("{deed}."), "invitation withdrawn".to_owned()),
            Action::ProposeTakeback => (format!("{deed}, {text}."), "takeback proposed".to_owned()),
            Action::AcceptTakeback => (format!("{deed}, {text}."), "move taken back".to_owned()),
            Action::DeclineTakeback => (format!("{deed}, {text}."), "takeback declined".to_owned()),
        }
    } else if last.event == Event::Undo {
        (
            "has taken a move back.".to_owned(),
            "move taken back".to_owned(),
        )
    } else {
        return without_action(game, last, &who(last));
    };
    let is_mine = mine.map(Who::Player) == Some(last.who);
    let order = last.action().filter(|_| is_mine && !last.is_move());
    let order = order.map(ToString::to_string);
    // Earlier versions take the sentence above somebody's words for prose.
    let is_of_move = is_mine && has_words && what.starts_with("has played");
    let lines = is_of_move.then(played).into_iter().chain(order);
    LastEvent {
        sentences: format!("{} {what}", who(last)),
        order: lines.collect::<Vec<_>>().join("\n"),
        subject,
    }
}

/// Describes an event that is no action, of which `who` is the name of whoever caused it.
fn without_action(game: &Match, last: &LogEntry, who: &str) -> LastEvent {
    let told = |sentences: String, subject: &str, order: String| LastEvent {
        sentences,
        subject: subject.to_owned(),
        order,
    };
    let only = |sentence: &str, subject| told(sentence.to_owned(), subject, String::new());
    if last.news_step() == Some(NewsStep::Withdrawn) {
        return only(
            "The last move is taken back, since articles in the newsgroup have disagreed about it.",
            "move taken back",
        );
    }
    if last.event == Event::Wish(Some(MailWish::NewsOff)) {
        let settings = game.settings();
        let places = match (&settings.news, &settings.list) {
            (Some(_), Some(_)) => "the newsgroup and the mailing list",
            (None, Some(_)) => "the mailing list",
            _ => "the newsgroup",
        };
        let sentence = format!("{who} wants no more moves of this match posted to {places}.");
        let order = Request::Mail(MailWish::NewsOff).to_string();
        return told(sentence, "no more articles", order);
    }
    if last.event == Event::Lapsed {
        return only("The invitation has lapsed.", "invitation lapsed");
    }
    only("The match begins.", "the match begins")
}

/// Says who is to move and by when, or how the match ended. Says of an earlier
/// position that it is one, and how far the match has gone on.
fn standing(game: &Match, reader: Color, record: &Record, naming: Naming) -> String {
    let variant = game.variant();
    let (shown, made) = (record.steps().len(), game.record().steps().len());
    let below =
        (shown < made).then(|| format!("Below is the position after {}.", half_moves(shown)));
    if let Some(ending) = game.ending() {
        let below = below.map(|below| below + " ").unwrap_or_default();
        if ending.is_void() {
            let sentence = ending.sentence(variant);
            return format!("{below}{sentence}. The match has no result, and nobody has lost.");
        }
        return format!(
            "{below}The match is over. {}: {}.",
            ending.sentence(variant),
            ending.score()
        );
    }
    let turn = game.position().turn();
    let name = variant.player(turn);
    let deadline = game.deadline().map(clock::for_people);
    let to_move = if turn == reader {
        let due = deadline.map(|time| format!(", by {time}"));
        format!("your move, {name}{}.", due.unwrap_or_default())
    } else {
        let due = deadline.map(|time| format!(" by {time}"));
        let player = full_name(game, turn, naming);
        format!("{player} is to move{}.", due.unwrap_or_default())
    };
    match (below, turn == reader) {
        (None, true) => format!("It is {to_move}"),
        (None, false) => to_move,
        (Some(below), is_theirs) => {
            let made = half_moves(made);
            let it_is = if is_theirs { "it is " } else { "" };
            format!("{below} The match has gone on to {made} since; there {it_is}{to_move}")
        }
    }
}

/// Names a player with the side.
fn full_name(game: &Match, color: Color, naming: Naming) -> String {
    let (name, side) = (naming.name(game, color), game.variant().player(color));
    if name == side {
        return name.to_owned();
    }
    format!("{name} ({side})")
}

/// Returns the command that sets up the match on another machine. `referee` is the
/// sender, if the sender is not a player.
fn command(game: &Match, settings: &MatchSettings, referee: Option<&Player>) -> String {
    let [white, black] = settings.players.each_ref().map(ToString::to_string);
    let time = settings.time.map(|time| ("--time", time.to_string()));
    let event = settings.event.clone().map(|event| ("--event", event));
    let referee = referee.map(|referee| ("--referee", referee.address().to_string()));
    let until = settings.until.map(|day| ("--until", day.to_string()));
    let news = settings
        .news
        .as_ref()
        .map(|group| ("--news", group.to_string()));
    let counts_news = settings.counts_news.then(|| ("--play", NEWS.to_owned()));
    let list = settings
        .list
        .as_ref()
        .map(|list| ("--list", list.to_string()));
    let more = referee
        .into_iter()
        .chain(time)
        .chain(event)
        .chain(until)
        .chain(news)
        .chain(counts_news)
        .chain(list);
    let more: Vec<_> = more.collect();
    let players = [white.as_str(), &black];
    new_command(game.id(), game.variant(), players, &more, game.record())
}

/// Returns the command that sets up a match in which these moves were made.
/// `more` holds further options with their values.
pub(crate) fn new_command(
    id: &Id,
    variant: &Variant,
    players: [&str; 2],
    more: &[(&str, String)],
    record: &Record,
) -> String {
    let mut words = vec![
        "parapost new".to_owned(),
        format!("--id {id}"),
        "--invited".to_owned(),
        format!("--game {}", variant.game().id),
    ];
    let options = variant.options().iter();
    words.extend(options.map(|option| format!("--option {option}")));
    let mut say = |option: &str, value: &str| {
        words.push(format!("{option} {}", shell::quote(value)));
    };
    say("--white", players[0]);
    say("--black", players[1]);
    for (option, value) in more {
        say(option, value);
    }
    let moves = move_list::line(record, 0);
    if !moves.is_empty() {
        say("--moves", &moves);
    }
    shell::lines(&words, wrap::WIDTH)
}
