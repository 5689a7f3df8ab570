//! A run reports on its messages in lines, in JSON or in sentences.
//!
//! The sentences are for a person at a terminal: who played what, the words, where the match
//! stands, and what to do next. Whatever a message brought is folded and freed of what could
//! control a terminal, and a player's words stand behind a mark on each line, so that they look
//! like nothing else.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;
use tracing::info;

use crate::command::arguments::{Delivery, Telling};
use crate::command::context::{Context, JSON_AND_MAIL, Status, json};
use crate::config::transport::TransportSettings;
use crate::match_id::Id;
use crate::matches::action::Action;
use crate::matches::event::{ADDRESS, AddressStep, Disposition, Event, LogEntry};
use crate::matches::mail::MailWish;
use crate::matches::r#match::Match;
use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::move_list::MoveList;
use crate::printable::{counted, fold, half_moves, one_line, padded, terminal_width, width};
use crate::referee::session::Session;
use crate::referee::verdict::{Effect, Verdict};
use crate::rules::Color;
use crate::store::cache::Cache;
use crate::store::store::Store as _;
use crate::{Error, clock};

/// The report on the messages of a run.
#[derive(Default)]
pub(crate) struct Reporter {
    form: Form,
    /// The messages that a person has read about.
    reported: usize,
    /// The messages that were handled in an earlier run.
    old: usize,
    /// The messages that are about no match.
    unrelated: usize,
    /// The matches whose position is to be shown in the end.
    matches: BTreeSet<Id>,
    /// The match of the last message that was handled in an earlier run.
    known: Option<Id>,
    /// What is to be told of the mails that were sent.
    pub(super) told: Vec<String>,
    /// True if mail was written to standard output, which says where its match stands.
    pub(super) has_printed: bool,
}

/// The form in which messages are reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Form {
    /// A line with tabs for each message.
    #[default]
    Porcelain,
    /// A JSON object for each message.
    Json,
    /// Sentences, for a person at a terminal.
    People,
}

impl Reporter {
    /// Creates what tells of messages as the command line says, or as standard output
    /// suggests, which may be a terminal.
    ///
    /// # Errors
    ///
    /// If JSON is asked for where the configured transport prints mail.
    pub(crate) fn new(
        args: Telling,
        delivery: Delivery,
        session: &Session,
        is_shown: bool,
    ) -> Result<Reporter, Error> {
        let prints = delivery.send && session.config.transport == TransportSettings::Print;
        let form = match args {
            Telling { json: true, .. } if prints => return Err(Error::usage(JSON_AND_MAIL)),
            Telling { json: true, .. } => Form::Json,
            Telling {
                porcelain: true, ..
            } => Form::Porcelain,
            Telling { .. } if is_shown => Form::People,
            Telling { .. } => Form::Porcelain,
        };
        Ok(Reporter {
            form,
            ..Reporter::default()
        })
    }

    /// Returns true if the report is for a person at a terminal.
    pub(crate) fn is_for_people(&self) -> bool {
        self.form == Form::People
    }

    /// Tells what became of a message. Counts it for a person who `is_told` its reason already, by
    /// another letter.
    pub(super) fn tell(
        &mut self,
        verdict: &Verdict,
        is_told: bool,
        cache: &Cache<'_>,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        match self.form {
            Form::Porcelain => verdict.tell(is_told, context),
            Form::People if is_told => {
                self.unrelated += 1;
                Ok(())
            }
            Form::Json => context.report(json(&received(verdict))? + "\n"),
            Form::People => {
                if self.passes_over(verdict, cache) {
                    return Ok(());
                }
                self.reported += 1;
                if is_about_position(verdict) {
                    self.matches.extend(verdict.game.clone());
                }
                context.report(account(verdict, columns()) + "\n")
            }
        }
    }

    /// Counts a message of which nothing is reported to a person. Returns false for any other.
    fn passes_over(&mut self, verdict: &Verdict, cache: &Cache<'_>) -> bool {
        if !verdict.hint.is_empty() {
            return false;
        }
        let is_own = |id: &Id| {
            let stored = cache.read(id);
            stored.is_ok_and(|stored| stored.game.mailed(&verdict.message))
        };
        match (verdict.word, &verdict.game) {
            (Disposition::Duplicate, _) => {
                self.old += 1;
                self.known.clone_from(&verdict.game);
            }
            (Disposition::Stranger | Disposition::Ignored, None) => self.unrelated += 1,
            (Disposition::Ignored, Some(id)) if is_own(id) => self.unrelated += 1,
            _ => return false,
        }
        true
    }

    /// Ends the run: shows a person where the matches stand, and counts what was passed
    /// over.
    pub(super) fn close(
        mut self,
        session: &Session,
        cache: &Cache<'_>,
        is_dry_run: bool,
        context: &mut Context<'_>,
    ) -> Result<(), Error> {
        if self.form != Form::People {
            return Ok(());
        }
        // Somebody who has a single message read again wants to see the match.
        if self.reported + self.old + self.unrelated == 1 {
            self.matches.extend(self.known);
        }
        let columns = columns();
        if self.has_printed {
            self.matches.clear();
        }
        for id in self.matches {
            // A match that cannot be read has been reported.
            if let Ok(stored) = cache.read(&id) {
                context.report(standing(&stored.game, session, columns) + "\n")?;
            }
        }
        for told in &self.told {
            context.report(format_args!("{told}\n"))?;
        }
        let mut last = count_passed_over(self.old, self.unrelated);
        if is_dry_run && self.reported > 0 {
            last.push_str("This was a dry run: nothing has been done.\n");
        }
        context.report(folded(&last, columns))
    }
}

impl Verdict {
    /// Logs and counts the message.
    pub(super) fn note(&self, context: &mut Context<'_>) {
        let game = self.game.as_ref().map_or("-", Id::as_str);
        info!(msg = %self.message, "match" = game, outcome = %self.word, "received");
        context.counts.received(self.word);
    }

    /// Writes the line of the message, and the reason for people, unless they are told it already.
    pub(super) fn tell(&self, is_told: bool, context: &mut Context<'_>) -> Result<(), Error> {
        let game = self.game.as_ref().map_or("-", Id::as_str);
        let line = format!("{}\t{game}\t{}\n", self.message, self.word);
        context.report(line)?;
        if !self.reason.is_empty() && !is_told {
            context.say(format_args!("{game}: {}: {}", self.word, self.reason));
        }
        if !self.hint.is_empty() {
            context.say(&self.hint);
        }
        Ok(())
    }

    /// Returns the exit status for the message.
    pub(super) fn status(&self) -> Status {
        match self.word {
            Disposition::Accepted
            | Disposition::Duplicate
            | Disposition::Command
            | Disposition::Note
            | Disposition::Invitation
            | Disposition::Undelivered
            | Disposition::Ignored => Status::Done,
            Disposition::Deferred => Status::Later,
            _ => Status::Refused,
        }
    }
}

/// Returns true if a person wants to see the position of the match that a message is
/// about.
fn is_about_position(verdict: &Verdict) -> bool {
    match verdict.word {
        Disposition::Invitation => true,
        Disposition::Stranger | Disposition::Ignored | Disposition::Deferred => false,
        _ => verdict.effect.is_some(),
    }
}

/// The object that `--json` writes for a message in a match.
#[derive(Serialize)]
struct Received<'a> {
    message_id: &'a str,
    /// The match; null if the message is about none.
    id: Option<&'a str>,
    word: &'static str,
    /// The reason, for people.
    reason: Option<&'a str>,
    /// The next step, for people.
    hint: Option<&'a str>,
    /// The number of the half-move that was played, from 1.
    ply: Option<usize>,
    /// That half-move in canonical form, with its mark.
    #[serde(rename = "move")]
    text: Option<&'a str>,
}

/// Tells a program what became of a message.
fn received(verdict: &Verdict) -> Received<'_> {
    let effect = verdict.effect.as_ref();
    let played = effect.and_then(|effect| effect.played.as_ref());
    Received {
        message_id: verdict.message.as_str(),
        id: verdict.game.as_ref().map(Id::as_str),
        word: verdict.word.as_str(),
        reason: said(&verdict.reason),
        hint: said(&verdict.hint),
        ply: played.map(|played| played.ply),
        text: played.map(|played| played.text.as_str()),
    }
}

/// Returns a text, or none for an empty one.
fn said(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The most columns that lines take.
const MOST: usize = 80;

/// The fewest columns that lines are folded to.
const FEWEST: usize = 20;

/// The most lines of a player's words that are shown.
const LINES: usize = 200;

/// The mark before each line of a player's words.
const QUOTE: &str = "  > ";

/// Returns the columns of the terminal that lines may take.
fn columns() -> usize {
    terminal_width().clamp(FEWEST, MOST)
}

/// Folds sentences.
fn folded(text: &str, columns: usize) -> String {
    let lines = fold(text, columns).into_iter();
    lines.map(|line| line + "\n").collect()
}

/// Tells what a message did, with its words.
fn account(verdict: &Verdict, columns: usize) -> String {
    let mut sentence = match &verdict.effect {
        Some(effect) => doings(verdict, effect),
        None => undecided(verdict),
    };
    if let Some(id) = &verdict.game {
        sentence = format!("{id}: {sentence}");
    }
    let words = verdict.effect.as_ref().map_or(Vec::new(), Effect::words);
    let mut text = folded(&sentence, columns);
    for words in words {
        let mut lines = fold(words, columns - width(QUOTE));
        let left = lines.len().saturating_sub(LINES);
        lines.truncate(LINES);
        text.push('\n');
        for line in lines {
            let _ = writeln!(text, "{}", format!("{QUOTE}{line}").trim_end());
        }
        if left > 0 {
            let _ = writeln!(
                text,
                "  ({} more in the match's file)",
                counted(left, "line")
            );
        }
    }
    // The reason beside a move is a warning.
    if verdict.word == Disposition::Accepted && !verdict.reason.is_empty() {
        text.push('\n');
        text.push_str(&folded(&one_line(&verdict.reason), columns));
    }
    if !verdict.hint.is_empty() {
        text.push('\n');
        text.push_str(&folded(&verdict.hint, columns));
    }
    text
}

/// Tells what a player's message did in the match.
fn doings(verdict: &Verdict, effect: &Effect) -> String {
    let player = one_line(&effect.player);
    let done = match verdict.word {
        Disposition::Accepted | Disposition::Command | Disposition::Note => {
            effect.events.iter().filter_map(|event| effect.doing(event))
        }
        word => return format!("{player}'s message: {}", clause(word, &verdict.reason)),
    };
    let done: Vec<String> = done.collect();
    let has_words = !effect.words().is_empty();
    match (done.as_slice(), has_words) {
        ([], true) => format!("{player} writes:"),
        ([], false) if verdict.reason.is_empty() => {
            format!("{player}'s message asks for nothing.")
        }
        ([], false) => format!("{player} asks for: {}", one_line(&verdict.reason)),
        (done, true) => format!("{player} {}, and writes:", done.join(", and ")),
        (done, false) => format!("{player} {}.", done.join(", and ")),
    }
}

impl Effect {
    /// Returns the words that the message brought.
    fn words(&self) -> Vec<&str> {
        let notes = self.events.iter().filter(|event| event.is_note());
        notes.filter_map(LogEntry::argument).collect()
    }

    /// Tells what its player did by an event, as what follows the name.
    fn doing(&self, event: &LogEntry) -> Option<String> {
        let done = match &event.event {
            Event::Act(Action::Move(_)) => {
                let played = self.played.as_ref()?;
                return Some(format!("played {} {}", played.number, played.text));
            }
            Event::Act(Action::AcceptTakeback) => "agrees: the last move is taken back",
            Event::Act(Action::DeclineTakeback) => "declines to take the last move back",
            Event::Act(action) => action.deed(),
            Event::Wish(Some(MailWish::Off)) => "wants no more mail",
            Event::Wish(Some(MailWish::On)) => "wants mail again",
            Event::Wish(Some(MailWish::HtmlOff)) => "wants mail as text alone",
            Event::Wish(Some(MailWish::HtmlOn)) => "wants mail with HTML",
            Event::Wish(Some(MailWish::PuzzlesWeekly)) => "wants the puzzle of each week",
            Event::Wish(Some(MailWish::PuzzlesOff)) => "wants no more puzzles",
            Event::Wish(Some(MailWish::NewsOff)) => {
                "wants no more articles in a newsgroup or on a list"
            }
            Event::Address(Some(AddressStep::Added)) => {
                let address = event.get(ADDRESS).unwrap_or_default();
                return Some(one_line(&format!("plays from {address}, too")));
            }
            Event::Asked(request) => {
                let request = request.as_deref().unwrap_or_default();
                return Some(one_line(&format!("asks for: {request}")));
            }
            Event::Rematch(id) => {
                let id = id.as_deref().unwrap_or_default();
                return Some(one_line(&format!("wants a rematch: {id} is begun")));
            }
            Event::New(_)
            | Event::Undo
            | Event::UndoResignation
            | Event::Lapsed
            | Event::Note(_)
            | Event::Refused(_)
            | Event::Wish(None)
            | Event::Address(_)
            | Event::Mail(..)
            | Event::News(_)
            | Event::Repaired(_)
            | Event::Forgotten(_)
            | Event::Other { .. } => return None,
        };
        Some(done.to_owned())
    }
}

/// Tells of a message of which no player's part is known.
fn undecided(verdict: &Verdict) -> String {
    let reason = one_line(&verdict.reason);
    match verdict.word {
        Disposition::Confirm if reason.is_empty() && !verdict.hint.is_empty() => {
            "you are invited to a match, which waits for your yes:".to_owned()
        }
        Disposition::Invitation => format!("you have entered the match: {reason}."),
        Disposition::Undelivered => reason,
        word => format!("a message {}: {}", verdict.message, clause(word, &reason)),
    }
}

/// Says why a message does nothing.
fn clause(word: Disposition, reason: &str) -> String {
    let why = match word {
        Disposition::Deferred => "it is put off to a later run",
        Disposition::Stranger => "it is not taken for a player's",
        Disposition::Ambiguous => "its move is ambiguous",
        Disposition::Confirm => "its move is to be confirmed",
        Disposition::UnknownMatch => "it does not say which match it is about",
        Disposition::Duplicate => "it was read before",
        _ => "it changes nothing",
    };
    // These reasons are written to the sender, who is answered with them.
    let is_to_sender = matches!(
        word,
        Disposition::Refused | Disposition::Confirm | Disposition::Ambiguous
    );
    if reason.is_empty() {
        format!("{why}.")
    } else if is_to_sender {
        format!("{why}; to its writer: {}", one_line(reason))
    } else {
        format!("{why} ({word}): {}", one_line(reason))
    }
}

/// Counts the messages of which nothing was reported, in a line; empty if there are none.
fn count_passed_over(old: usize, unrelated: usize) -> String {
    let was = |count: usize| if count == 1 { "was" } else { "were" };
    let mut kinds = Vec::new();
    if old > 0 {
        kinds.push(format!("{old} {} read before", was(old)));
    }
    if unrelated > 0 {
        let verb = if unrelated == 1 { "is" } else { "are" };
        kinds.push(format!("{unrelated} {verb} about no match here"));
    }
    if kinds.is_empty() {
        return String::new();
    }
    let all = old + unrelated;
    format!(
        "{} {} passed over: {} (--porcelain lists all).\n",
        counted(all, "message"),
        was(all),
        kinds.join(", ")
    )
}

/// Shows where a match stands: players, board, and what the user can do next.
fn standing(game: &Match, session: &Session, columns: usize) -> String {
    let me = game.sides_of(&session.me.player);
    let id = game.id();
    let rules = game.variant().game().id;
    let made = half_moves(game.record().steps().len());
    let mut text = folded(&format!("{id}, {rules}, {made}"), columns);
    text.push_str(&players(game, &me, session, columns));
    text.push('\n');
    text.push_str(&board(game, &me, session, columns));
    let (moves, next) = (last_moves(game, columns), next(game, &me, columns));
    text.push_str(&moves);
    if !moves.is_empty() && !next.is_empty() {
        text.push('\n');
    }
    for line in next {
        let _ = writeln!(text, "{line}");
    }
    text.trim_end().to_owned() + "\n"
}

/// A line for each player: side, name, and what the match waits for.
fn players(game: &Match, me: &[Color], session: &Session, columns: usize) -> String {
    let rows = Color::ALL.map(|color| {
        let mut notes = Vec::new();
        if me.contains(&color) {
            notes.push("you".to_owned());
        }
        if game.turn() == Some(color) {
            let by = match game.deadline().map(clock::write) {
                Some(time) if game.is_overdue(session.now) => format!(" since {time}, overdue"),
                Some(time) => format!(" by {time}"),
                None => String::new(),
            };
            notes.push(format!("to move{by}"));
        }
        if game.turn().is_some() && game.offer() == Some(color) {
            notes.push("offers a draw".to_owned());
        }
        if game.turn().is_some() && game.takeback() == Some(color) {
            notes.push("wants the last move back".to_owned());
        }
        let name = one_line(game.player(color).name());
        (game.variant().player(color), name, notes.join(", "))
    });
    let wide = |texts: [&str; 2]| texts.map(width).into_iter().max().unwrap_or(0);
    let side = wide([rows[0].0, rows[1].0]);
    let name = wide([&rows[0].1, &rows[1].1]);
    let notes = wide([&rows[0].2, &rows[1].2]);
    let is_one_line = 2 + side + 2 + name + 2 + notes <= columns;
    let indent = " ".repeat(2 + side + 2);
    let mut text = String::new();
    for (color, player, notes) in &rows {
        let begins = format!("  {}  ", padded(color, side));
        if is_one_line {
            let line = format!("{begins}{}  {notes}", padded(player, name));
            let _ = writeln!(text, "{}", line.trim_end());
            continue;
        }
        let lines = [player, notes].map(|part| fold(part, columns - width(&indent)));
        for (at, line) in lines.iter().flatten().enumerate() {
            let before = if at == 0 { &begins } else { &indent };
            let _ = writeln!(text, "{before}{line}");
        }
    }
    text
}

/// The board from the side that the user wants, with files and ranks, and the reserves
/// below it where there is no room beside it.
fn board(game: &Match, me: &[Color], session: &Session, columns: usize) -> String {
    let reader = match me {
        [side] => *side,
        _ => Color::White,
    };
    let look = DiagramStyle {
        // A referee sees the form that the mails have.
        has_edges: !me.is_empty(),
        room: Some(columns),
        ..session.config.mail.look(reader)
    };
    Diagram::of(game.position()).draw(look) + "\n"
}

/// The most lines of the list of moves, its heading left out.
const LAST_MOVES: usize = 6;

/// The end of the list of moves, as in the format of 1994.
fn last_moves(game: &Match, columns: usize) -> String {
    let list = MoveList::of(game.record()).within(columns).to_string();
    let mut lines: Vec<&str> = list.lines().collect();
    let heading = lines
        .iter()
        .position(|line| line.is_empty())
        .map_or(0, |at| at + 1);
    let surplus = (lines.len() - heading).saturating_sub(LAST_MOVES);
    lines.drain(heading..heading + surplus);
    lines.join("\n") + if lines.is_empty() { "" } else { "\n" }
}

/// The lines that say what the user can do next.
fn next(game: &Match, me: &[Color], columns: usize) -> Vec<String> {
    let id = game.id();
    let mut lines = Vec::new();
    let mut say = |text: &str, command: Option<String>| {
        lines.extend(fold(text, columns));
        // A command is not folded, so that it can be copied.
        lines.extend(command.map(|command| format!("  parapost {command}")));
    };
    let asks = |color: Option<Color>| color.is_some_and(|color| me.contains(&!color));
    match (game.turn(), game.ending()) {
        (Some(turn), _) => {
            if asks(game.offer()) {
                let command = format!("draw accept {id} --send");
                say("To accept the draw ('decline' declines it):", Some(command));
            }
            if asks(game.takeback()) {
                let text = "To give the last move back ('decline' declines it):";
                say(text, Some(format!("takeback accept {id} --send")));
            }
            if me.contains(&turn) {
                say("Your move:", Some(format!("move {id} 'MOVE' --send")));
            }
            if me.iter().any(|side| game.state.is_invited(*side)) {
                say(
                    "If you do not want to play:",
                    Some(format!("decline {id} --send")),
                );
            }
        }
        (None, Some(ending)) => {
            let sentence = ending.sentence(game.variant());
            let text = if ending.is_void() {
                format!("{sentence}: the match is not played, and nobody has lost.")
            } else {
                format!("The match is over: {sentence} ({}).", ending.score())
            };
            say(&text, None);
        }
        (None, None) => {}
    }
    match game.owed().len() {
        0 => {}
        owed => {
            let verb = if owed == 1 { "is" } else { "are" };
            let text = format!("{} {verb} owed:", counted(owed, "mail"));
            say(&text, Some(format!("send {id}")));
        }
    }
    let is_undelivered = !game.undelivered().is_empty() || !game.reported().is_empty();
    if is_undelivered || !game.reported_articles().is_empty() {
        let command = format!("mail list {id}");
        say("There is mail that has not arrived:", Some(command));
    }
    lines
}
