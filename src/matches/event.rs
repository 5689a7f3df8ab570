//! One line of a match's log.
//!
//! ```text
//! TIME EVENT WHO ARGUMENT key=value…
//! ```
//!
//! A value that is not plain (blanks, quotes, anything but printable ASCII)
//! stands in double quotes. `\n`, `\t`, `\"`, `\\` and `\u{…}` escape the
//! characters that would end the value or its line. The log can thus keep
//! mailed text in full, and no such text can begin a line of its own.
//!
//! The outcome of a message is one of its arguments, a word.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::clock;
use crate::mail::message_id::MessageId;
use crate::matches::action::Action;
use crate::matches::article::NewsStep;
use crate::matches::mail::{MailKind, MailStep, MailWish, QueuedMail};
use crate::printable::is_unprintable;
use crate::rules::Color;

/// A line of a match's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEntry {
    /// The time of the event, in whole seconds.
    pub time: DateTime<Utc>,
    /// The event.
    pub event: Event,
    /// The person who did it; in an event of a mail of ours, the person the mail is for.
    pub who: Who,
    /// An argument that changes nothing: the reason of a claim, or one that this version
    /// does not know.
    remark: Option<String>,
    /// More values, in the order they were written; unknown keys are kept. Copies of a match,
    /// of which one is changed, share them.
    keys: Arc<Vec<(Cow<'static, str>, String)>>,
}

/// An event of a match, with the argument of its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The match begins, with the id of its game. The keys repeat options and players.
    New(Option<String>),
    /// A player acts.
    Act(Action),
    /// A move whose mail has not gone is taken back by its player.
    Undo,
    /// A resignation is taken back by its player. The position stays, and to the players
    /// nothing has happened.
    UndoResignation,
    /// The day until which the invitation stood has passed.
    Lapsed,
    /// A player wants another match, which has this id.
    Rematch(Option<String>),
    /// A person's words.
    Note(Option<String>),
    /// A message was handled and changed nothing.
    Refused(Option<Disposition>),
    /// A message asked a question and changed nothing. The command that asked.
    Asked(Option<String>),
    /// A player wishes something about the mail of the match.
    Wish(Option<MailWish>),
    /// A player is asked about an unknown address, or adds it.
    Address(Option<AddressStep>),
    /// Something becomes of an outgoing mail. Such an event has the mail's Message-ID; that
    /// of any other event is of a message received.
    Mail(MailStep, Option<MailKind>),
    /// Something becomes of an article in a newsgroup. Such an event is nobody's.
    News(Option<NewsStep>),
    /// The file was damaged and has been rebuilt. Says how.
    Repaired(Option<String>),
    /// A player was forgotten: name, addresses and words are gone from the lines above. The
    /// name that stands there instead.
    Forgotten(Option<String>),
    /// A kind that this version does not know, or one without what it needs. It is kept and
    /// changes nothing.
    Other {
        /// The word for its kind.
        kind: String,
        /// The argument.
        argument: Option<String>,
    },
}

words! {
    /// A step towards a further address of a player, which stands under [`ADDRESS`].
    AddressStep {
        /// The player is asked about it.
        Asked = "asked",
        /// The player adds it.
        Added = "added",
        /// A letter from there proves it.
        Proven = "proven",
    }
}

/// The argument of an `undo` event that takes back a resignation.
const RESIGN: &str = "resign";

/// The argument of the event of a message that was about none of several matches. It is
/// logged in one of the sender's matches, for lack of a better place.
const QUESTION: &str = "question";

/// The key of an agreed takeback about an offer of a draw.
pub const OFFER: &str = "offer";

/// The value of [`OFFER`] where the offer was made in the position that is taken back.
pub const LAPSED: &str = "lapsed";

/// The key of what the writer's programs may put around each letter that is asked about.
pub(crate) const BANNER: &str = "banner";

/// The key of a letter that answers a mail of ours which the log lacks.
pub(crate) const MISSING: &str = "missing";

/// The key of the address in an `address` event.
pub const ADDRESS: &str = "from";

/// The key of the events of a letter that went to other people, too, who know from it the ids of the
/// mails that it answers.
pub const COPIED: &str = "copied";

impl Event {
    /// Keeps a person's words.
    pub fn note(words: impl Into<String>) -> Event {
        Event::Note(Some(words.into()))
    }

    /// Returns the words for its kind and its argument in the log.
    fn words(&self) -> (&str, Option<&str>) {
        match self {
            Event::New(game) => ("new", game.as_deref()),
            Event::Act(action) => action.in_log(),
            Event::Undo => ("undo", None),
            Event::UndoResignation => ("undo", Some(RESIGN)),
            Event::Lapsed => ("lapsed", None),
            Event::Rematch(id) => ("rematch", id.as_deref()),
            Event::Note(words) => ("note", words.as_deref()),
            Event::Refused(why) => ("refused", why.map(refusal)),
            Event::Asked(request) => ("asked", request.as_deref()),
            Event::Wish(wish) => ("mail", wish.map(MailWish::as_str)),
            Event::Address(step) => ("address", step.map(AddressStep::as_str)),
            Event::Mail(step, kind) => (step.as_str(), kind.as_ref().map(MailKind::as_str)),
            Event::News(step) => ("news", step.map(NewsStep::as_str)),
            Event::Repaired(account) => ("repaired", account.as_deref()),
            Event::Forgotten(name) => ("forgotten", name.as_deref()),
            Event::Other { kind, argument } => (kind, argument.as_deref()),
        }
    }

    /// Reads an event, and takes what it is made of out of the argument.
    fn take(kind: &str, argument: &mut Option<String>) -> Event {
        match kind {
            "new" => Event::New(argument.take()),
            "undo" => match known(argument, |word| (word == RESIGN).then_some(())) {
                Some(()) => Event::UndoResignation,
                None => Event::Undo,
            },
            "lapsed" => Event::Lapsed,
            "rematch" => Event::Rematch(argument.take()),
            "note" => Event::Note(argument.take()),
            "refused" => {
                let mut all = Disposition::ALL.into_iter();
                Event::Refused(known(argument, |word| {
                    all.find(|why| refusal(*why) == word)
                }))
            }
            "asked" => Event::Asked(argument.take()),
            "mail" => Event::Wish(known(argument, MailWish::from_word)),
            "address" => Event::Address(known(argument, AddressStep::from_word)),
            "news" => Event::News(known(argument, NewsStep::from_word)),
            "repaired" => Event::Repaired(argument.take()),
            "forgotten" => Event::Forgotten(argument.take()),
            _ => match MailStep::from_word(kind) {
                Some(step) => Event::Mail(step, argument.take().map(MailKind::from)),
                None => match Action::take(kind, argument) {
                    Some(action) => Event::Act(action),
                    None => Event::Other {
                        kind: kind.to_owned(),
                        argument: argument.take(),
                    },
                },
            },
        }
    }

    /// Returns the word for its kind in the log.
    pub fn kind(&self) -> &str {
        self.words().0
    }
}

impl From<Action> for Event {
    fn from(action: Action) -> Event {
        Event::Act(action)
    }
}

/// Returns the word for why a message changed nothing.
const fn refusal(why: Disposition) -> &'static str {
    match why {
        Disposition::UnknownMatch => QUESTION,
        why => why.as_str(),
    }
}

/// Reads an argument and takes it, if it is one that `read` knows.
fn known<T>(argument: &mut Option<String>, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let value = read(argument.as_deref()?)?;
    *argument = None;
    Some(value)
}

/// The person who caused an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Who {
    /// A player.
    Player(Color),
    /// The referee.
    Referee,
    /// No particular person.
    Nobody,
}

impl Who {
    fn word(self) -> &'static str {
        match self {
            Who::Player(Color::White) => "White",
            Who::Player(Color::Black) => "Black",
            Who::Referee => "Referee",
            Who::Nobody => "-",
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl From<Color> for Who {
    fn from(color: Color) -> Who {
        Who::Player(color)
    }
}

/// The keys of most lines, which need no memory of their own.
const USUAL: [&str; 6] = ["msg", "re", "by", "to", "auto", "at"];

fn shared(key: &str) -> Cow<'static, str> {
    let usual = USUAL.into_iter().find(|usual| *usual == key);
    usual.map_or_else(|| Cow::Owned(key.to_owned()), Cow::Borrowed)
}

/// The bytes of a line's time, event, person and hash.
const LEAST: usize = 60;

impl LogEntry {
    /// Creates a line without keys.
    pub fn new(time: DateTime<Utc>, event: impl Into<Event>, who: impl Into<Who>) -> LogEntry {
        LogEntry {
            time,
            event: event.into(),
            who: who.into(),
            remark: None,
            keys: Arc::default(),
        }
    }

    /// Creates the line for what becomes of a mail.
    pub(super) fn of_mail(time: DateTime<Utc>, step: MailStep, mail: &QueuedMail) -> LogEntry {
        let event = Event::Mail(step, Some(mail.kind.clone()));
        LogEntry::new(time, event, mail.to).key("msg", Some(&mail.msg))
    }

    /// Sets the argument of an event that has none of its own.
    pub(crate) fn remark(mut self, remark: Option<impl fmt::Display>) -> LogEntry {
        self.remark = remark.map(|remark| remark.to_string());
        self
    }

    /// Returns the argument.
    pub fn argument(&self) -> Option<&str> {
        self.event.words().1.or(self.remark.as_deref())
    }

    /// Adds a key, unless the value is `None`.
    ///
    /// # Panics
    ///
    /// If the key does not have the form `[a-z][a-z0-9-]*`. Keys are constants
    /// of the program.
    #[must_use]
    pub fn key(mut self, key: &str, value: Option<impl fmt::Display>) -> LogEntry {
        assert!(is_key(key), "a key is a word of the program's own");
        if let Some(value) = value {
            Arc::make_mut(&mut self.keys).push((shared(key), value.to_string()));
        }
        self
    }

    /// Adds a key before the others.
    pub(super) fn first_key(mut self, key: &'static str, value: impl fmt::Display) -> LogEntry {
        Arc::make_mut(&mut self.keys).insert(0, (Cow::Borrowed(key), value.to_string()));
        self
    }

    /// Removes a key.
    pub(crate) fn without(mut self, key: &str) -> LogEntry {
        Arc::make_mut(&mut self.keys).retain(|(name, _)| name != key);
        self
    }

    /// Replaces the value of each key, or removes the key where there is none.
    pub(crate) fn with_values(
        mut self,
        mut change: impl FnMut(&str, String) -> Option<String>,
    ) -> LogEntry {
        let keys = Arc::unwrap_or_clone(self.keys).into_iter();
        let keys = keys.filter_map(|(key, value)| Some((key.clone(), change(&key, value)?)));
        self.keys = Arc::new(keys.collect());
        self
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.keys.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the full line. An event without argument and keys ends in a `-`
    /// that holds the argument's place, since more may follow on the line.
    pub fn line(&self) -> String {
        let mut line = String::with_capacity(2 * self.size());
        self.push_line(&mut line);
        line
    }

    /// Adds the full line to a text.
    pub(crate) fn push_line(&self, text: &mut String) {
        self.push_text(text);
        if self.argument().is_none() && self.keys.is_empty() {
            text.push_str(" -");
        }
    }

    /// Adds the line as people may write it. It is made for each line whenever a log
    /// is read or written, so it is put together by hand.
    fn push_text(&self, text: &mut String) {
        text.push_str(&clock::write(self.time));
        for word in [self.event.kind(), self.who.word()] {
            text.push(' ');
            text.push_str(word);
        }
        match self.argument() {
            // A bare `-` means that there is no argument.
            Some("-") => text.push_str(" \"-\""),
            Some(argument) => {
                text.push(' ');
                push_value(text, argument);
            }
            None if self.keys.is_empty() => {}
            None => text.push_str(" -"),
        }
        for (key, value) in self.keys.iter() {
            text.push(' ');
            text.push_str(key);
            text.push('=');
            push_value(text, value);
        }
    }

    /// Returns about how many bytes the line has, without looking at each
    /// character.
    pub(crate) fn size(&self) -> usize {
        let argument = self.argument().map_or(0, str::len);
        let keys = self.keys.iter().map(|(key, value)| key.len() + value.len());
        LEAST + argument + keys.sum::<usize>()
    }

    /// Returns what becomes of an outgoing mail by the event.
    pub const fn mail_step(&self) -> Option<MailStep> {
        if let Event::Mail(step, _) = self.event {
            Some(step)
        } else {
            None
        }
    }

    /// Returns what becomes of an article by the event.
    pub(crate) const fn news_step(&self) -> Option<NewsStep> {
        if let Event::News(step) = self.event {
            step
        } else {
            None
        }
    }

    /// Returns true if a letter was asked about, or refused.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.event, Event::Refused(_))
    }

    /// Returns true if a mail or an article has gone, so that others may know of what was before.
    pub(super) fn tells_others(&self) -> bool {
        let is_puzzle = self.event == Event::Mail(MailStep::Sent, Some(MailKind::Puzzle));
        self.mail_step() == Some(MailStep::Sent) && !is_puzzle
            || self.news_step() == Some(NewsStep::Posted)
    }

    /// Returns true if the event is about an outgoing mail.
    pub const fn is_of_outgoing_mail(&self) -> bool {
        self.mail_step().is_some()
    }

    /// Returns true if a mail is owed.
    pub fn is_owed(&self) -> bool {
        self.mail_step() == Some(MailStep::Owed)
    }

    /// Returns the kind of mail that is owed.
    pub(crate) fn owed_kind(&self) -> Option<&MailKind> {
        if let Event::Mail(MailStep::Owed, kind) = &self.event {
            kind.as_ref()
        } else {
            None
        }
    }

    /// Returns true if the puzzle of a week is owed.
    pub(crate) fn owes_puzzle(&self) -> bool {
        self.owed_kind() == Some(&MailKind::Puzzle)
    }

    /// Returns true if a player wishes the puzzle of each week, false for no more of them.
    pub(crate) fn puzzle_wish(&self) -> Option<bool> {
        let wishes = |wish| self.event == Event::Wish(Some(wish));
        let is_more = wishes(MailWish::PuzzlesWeekly);
        (is_more || wishes(MailWish::PuzzlesOff)).then_some(is_more)
    }

    /// Returns the action that it is.
    pub const fn action(&self) -> Option<&Action> {
        if let Event::Act(action) = &self.event {
            Some(action)
        } else {
            None
        }
    }

    /// Returns true if a move is played.
    pub const fn is_move(&self) -> bool {
        matches!(self.action(), Some(Action::Move(_)))
    }

    /// Returns true for a move, be it one whose text is lost.
    pub(crate) fn is_any_move(&self) -> bool {
        self.event.kind() == Action::Move(String::new()).in_log().0
    }

    /// Returns the line with another event.
    pub(crate) fn with(mut self, event: impl Into<Event>) -> LogEntry {
        (self.event, self.remark) = (event.into(), None);
        self
    }

    /// Returns true if the match begins.
    pub(crate) const fn is_beginning(&self) -> bool {
        matches!(self.event, Event::New(_))
    }

    /// Returns true for a person's words, and for a message that says nothing.
    pub const fn is_note(&self) -> bool {
        matches!(self.event, Event::Note(_))
    }

    /// Returns true for the question which match is meant, and for the message that caused
    /// it. Neither says anything about the match that keeps it.
    pub(crate) fn is_question(&self) -> bool {
        if let Event::Mail(_, kind) = &self.event {
            *kind == Some(MailKind::Question)
        } else {
            self.event == Event::Refused(Some(Disposition::UnknownMatch))
        }
    }

    /// Returns true if the position is another one after it.
    pub(crate) fn changes_position(&self) -> bool {
        [Event::Undo, WITHDRAWN].contains(&self.event)
            || self.action().is_some_and(Action::changes_position)
    }

    /// Returns true if the file was damaged, and the lines above may not be those that were
    /// written.
    pub const fn is_repair(&self) -> bool {
        matches!(self.event, Event::Repaired(_))
    }

    /// Returns true if the event changes nothing in the match but its mail.
    pub(super) const fn is_aside(&self) -> bool {
        match self.event {
            Event::Rematch(_)
            | Event::Note(_)
            | Event::Refused(_)
            | Event::Asked(_)
            | Event::Wish(_)
            | Event::Mail(..)
            | Event::Repaired(_)
            | Event::Forgotten(_)
            | Event::Other { .. } => true,
            Event::News(step) => !matches!(step, Some(NewsStep::Withdrawn)),
            Event::New(_)
            | Event::Act(_)
            | Event::Undo
            | Event::UndoResignation
            | Event::Lapsed
            | Event::Address(_) => false,
        }
    }

    /// Returns true if a message from outside with this id caused the event, or
    /// one that put that message right.
    pub(crate) fn came_by(&self, id: &MessageId) -> bool {
        let edited = self.get(EDITS).map(bare);
        !self.is_of_outgoing_mail() && (self.has_message(id) || edited == Some(id.bare()))
    }

    /// Notes that the message which caused the event puts this one right.
    #[must_use]
    pub fn edits(self, id: &MessageId) -> LogEntry {
        self.key(EDITS, Some(id))
    }

    /// Returns true if the event is about our own mail with this id.
    pub(crate) fn went_out_as(&self, id: &MessageId) -> bool {
        self.is_of_outgoing_mail() && self.has_message(id)
    }

    /// Compares without making an id of every line.
    fn has_message(&self, id: &MessageId) -> bool {
        self.bare_message() == Some(id.bare())
    }

    /// Returns the Message-ID of the event without its brackets, which a person
    /// who wrote the line may have left out.
    pub(crate) fn bare_message(&self) -> Option<&str> {
        self.get("msg").map(bare)
    }

    /// Returns the Message-ID under a key, if the value is one.
    pub fn message_id(&self, key: &str) -> Option<MessageId> {
        self.get(key)?.parse().ok()
    }
}

/// The event that takes back a move which came by an article.
const WITHDRAWN: Event = Event::News(Some(NewsStep::Withdrawn));

/// The key with the message that the event's message puts right.
const EDITS: &str = "edits";

/// Returns a Message-ID without its brackets.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('<');
    inner
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(text)
}

impl fmt::Display for LogEntry {
    /// Writes the line, without its end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(2 * self.size());
        self.push_text(&mut text);
        f.write_str(&text)
    }
}

fn push_value(text: &mut String, value: &str) {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    if !value.is_empty() && value.bytes().all(is_plain) {
        text.push_str(value);
        return;
    }
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c if is_unprintable(c) => text.extend(c.escape_unicode()),
            c => text.push(c),
        }
    }
    text.push('"');
}

/// The error for a line that is no event, in words for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParseEventError(String);

fn wrong<T>(why: impl fmt::Display) -> Result<T, ParseEventError> {
    Err(ParseEventError(format!(
        "{why}; a line of the log is TIME EVENT WHO ARGUMENT key=value…"
    )))
}

impl FromStr for LogEntry {
    type Err = ParseEventError;

    fn from_str(line: &str) -> Result<LogEntry, ParseEventError> {
        let (time, rest) = word(line);
        let Some(time) = clock::read(time) else {
            return wrong(format_args!(
                "'{}' is no time like 2026-11-20T03:00:00Z",
                time.escape_debug()
            ));
        };
        let (what, rest) = word(rest);
        if !is_key(what) {
            return wrong(format_args!("'{}' is no event", what.escape_debug()));
        }
        let (who, mut rest) = word(rest);
        let who = match who {
            "White" => Who::Player(Color::White),
            "Black" => Who::Player(Color::Black),
            "Referee" => Who::Referee,
            "-" => Who::Nobody,
            _ => {
                return wrong(format_args!(
                    "'{}' is none of White, Black, Referee and -",
                    who.escape_debug()
                ));
            }
        };
        let mut argument = None;
        if !rest.is_empty() {
            let bare = !rest.starts_with('"');
            let (word, after) = value(rest)?;
            argument = Some(word).filter(|word| !bare || word != "-");
            rest = after;
        }
        let event = Event::take(what, &mut argument);
        let mut entry = LogEntry::new(time, event, who).remark(argument);
        while !rest.is_empty() {
            let Some((key, after)) = rest.split_once('=').filter(|(key, _)| is_key(key)) else {
                return wrong(format_args!("'{}' is no key=value", rest.escape_debug()));
            };
            if entry.get(key).is_some() {
                return wrong(format_args!("'{key}' is said twice"));
            }
            let (value, after) = value(after)?;
            Arc::make_mut(&mut entry.keys).push((shared(key), value));
            rest = after;
        }
        Ok(entry)
    }
}

fn is_key(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Splits off the first word and its blank.
fn word(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

/// Splits off the first value, quoted or not, and its blank.
fn value(text: &str) -> Result<(String, &str), ParseEventError> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (bare, rest) = word(text);
        if bare.is_empty() || bare.bytes().any(|byte| matches!(byte, b'"' | b'\\')) {
            return wrong(format_args!(
                "'{}' must stand in quotes",
                bare.escape_debug()
            ));
        }
        return Ok((bare.to_owned(), rest));
    };
    let mut value = String::new();
    let mut rest = quoted;
    loop {
        let Some(end) = rest.find(['"', '\\']) else {
            return wrong("a quotation is not closed");
        };
        value.push_str(&rest[..end]);
        let closes = rest.as_bytes()[end] == b'"';
        rest = &rest[end + 1..];
        if closes {
            break;
        }
        let (c, after) = escape(rest)?;
        value.push(c);
        rest = after;
    }
    match rest.strip_prefix(' ') {
        Some(rest) => Ok((value, rest)),
        None if rest.is_empty() => Ok((value, rest)),
        None => wrong("something is glued to a closing quote"),
    }
}

/// Reads the escape after a backslash, and returns the rest of the text.
fn escape(text: &str) -> Result<(char, &str), ParseEventError> {
    match text.split_at_checked(1) {
        Some(("n", rest)) => return Ok(('\n', rest)),
        Some(("t", rest)) => return Ok(('\t', rest)),
        Some(("\"", rest)) => return Ok(('"', rest)),
        Some(("\\", rest)) => return Ok(('\\', rest)),
        _ => {}
    }
    text.strip_prefix("u{")
        .and_then(|text| text.split_once('}'))
        .and_then(|(digits, rest)| {
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(code)?, rest))
        })
        .map_or_else(|| wrong("a backslash stands for nothing"), Ok)
}

words! {
    /// The outcome of a message. Its word is what `receive` prints, and also names the
    /// template of the answer, if there is one.
    Disposition {
        /// The move is played.
        Accepted = "accepted",
        /// The message was handled before, or its move was.
        Duplicate = "duplicate",
        /// The message asks for something that cannot be done.
        Refused = "refused",
        /// The move can be read in several ways.
        Ambiguous = "ambiguous",
        /// The move stands in prose, and the sender is asked to confirm it.
        Confirm = "confirm",
        /// The sender may not act in the match.
        Stranger = "stranger",
        /// It is the other player's move.
        NotYourTurn = "not-your-turn",
        /// The message does not say which match it is about.
        UnknownMatch = "unknown-match",
        /// The match is over.
        Over = "over",
        /// The command is carried out.
        Command = "command",
        /// The words are kept.
        Note = "note",
        /// The match that the message invites to is entered.
        Invitation = "invitation",
        /// A delivery report says that a mail of ours has not arrived.
        Undelivered = "undelivered",
        /// The message asks for nothing.
        Ignored = "ignored",
        /// The message must be delivered again later.
        Deferred = "deferred",
    }
}

impl Disposition {
    /// Returns true if the sender gets an answer, within the quota.
    pub const fn is_answered(self) -> bool {
        matches!(
            self,
            Disposition::Refused
                | Disposition::Ambiguous
                | Disposition::Confirm
                | Disposition::NotYourTurn
                | Disposition::Over
                | Disposition::Command
        )
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::matches::hash::Link;

    fn event() -> LogEntry {
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        LogEntry::new(time, Event::Note(None), Color::White)
    }

    fn note(words: &str) -> LogEntry {
        event().with(Event::note(words))
    }

    #[test]
    fn whatever_is_said_stays_on_one_line_and_reads_back() {
        for text in [
            "",
            "-",
            "plain",
            "two words",
            "p-e1=q",
            "a=b",
            "\"",
            "\\",
            "\\n",
            "\n",
            "\r\n",
            "\u{85}x\u{2028}",
            "2026-11-20T03:00:00Z resign White\n2026-11-20T03:00:00Z resign White",
            "Zwölf Boxkämpfer",
            "\u{1b}[2J",
            "\u{202e}",
            "\t",
            " ",
            "\"\" x=\"y\"",
        ] {
            for said in [
                note(text),
                event().key("text", Some(text)),
                note(text).key("msg", Some(text)).key("x", Some("")),
            ] {
                let line = said.to_string();
                assert!(!line.chars().any(is_unprintable), "{line:?}");
                assert_eq!(line.parse::<LogEntry>().as_ref(), Ok(&said), "{line}");
            }
        }
    }

    #[test]
    fn nothing_said_is_not_an_empty_argument() {
        assert_eq!(event().to_string(), "2026-11-20T03:00:00Z note White");
        let said = event().key("msg", Some("<a@b.test>"));
        assert_eq!(
            said.to_string(),
            "2026-11-20T03:00:00Z note White - msg=<a@b.test>"
        );
        assert_eq!(said.to_string().parse::<LogEntry>(), Ok(said));
    }

    #[test]
    fn an_unknown_event_with_unknown_keys_is_kept() {
        let line = "2026-11-20T03:00:00Z adjourn Referee until-may weather=\"rain, wind\"";
        assert_eq!(line.parse::<LogEntry>().unwrap().to_string(), line);
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "",
            "Log",
            "2026-11-20 note White",
            "2026-11-20T03:00:00Z",
            "2026-11-20T03:00:00Z note",
            "2026-11-20T03:00:00Z Note White",
            "2026-11-20T03:00:00Z note Green",
            "2026-11-20T03:00:00Z note White \"open",
            "2026-11-20T03:00:00Z note White \"a\"b",
            "2026-11-20T03:00:00Z note White \"\\x\"",
            "2026-11-20T03:00:00Z note White \"\\u{d800}\"",
            "2026-11-20T03:00:00Z note White a b",
            "2026-11-20T03:00:00Z note White a x=1 x=2",
            "2026-11-20T03:00:00Z note White a  x=1",
        ] {
            assert!(line.parse::<LogEntry>().is_err(), "{line}");
        }
    }

    /// Words that may stand where the kind or the argument stands, known ones among them.
    const WORDS: [&str; 45] = [
        "new",
        "invitation",
        "lapsed",
        "rematch",
        "move",
        "undo",
        "takeback",
        "offer",
        "accept",
        "decline",
        "claim",
        "resign",
        "note",
        "refused",
        "asked",
        "mail",
        "address",
        "owed",
        "sent",
        "failed",
        "requeued",
        "dropped",
        "bounced",
        "repaired",
        "forgotten",
        "adjourn",
        "declined",
        "withdrawn",
        "propose",
        "question",
        "unknown-match",
        "duplicate",
        "command",
        "off",
        "html off",
        "html on",
        "added",
        "position",
        "limerick",
        "P>e3",
        "-",
        "",
        "a \"b\"\n\\",
        "Zwölf",
        "\u{202e}",
    ];

    /// A line as any version may have written it, and the bytes that it counts for.
    fn made_up(random: &mut fastrand::Rng) -> (String, usize) {
        let word = |random: &mut fastrand::Rng| WORDS[random.usize(..WORDS.len())];
        let kind = WORDS[random.usize(..26)];
        let who = ["White", "Black", "Referee", "-"][random.usize(..4)];
        let argument = random.bool().then(|| word(random));
        let mut keys = ["msg", "from", "to", "move", "draw", "chain", "x-y", "x2"];
        random.shuffle(&mut keys);
        let keys = &keys[..random.usize(..4)];
        let mut line = format!("2026-11-20T03:00:{:02}Z {kind} {who} ", random.u8(..60));
        let mut size = LEAST;
        match argument {
            Some("-") => line.push_str("\"-\""),
            Some(argument) => push_value(&mut line, argument),
            None => line.push('-'),
        }
        size += argument.map_or(0, str::len);
        for key in keys {
            let value = word(random);
            line.extend([" ", key, "="]);
            push_value(&mut line, value);
            size += key.len() + value.len();
        }
        (line, size)
    }

    /// The chain hashes each line, so that no version may write one otherwise than another has:
    /// not a kind, an argument or a key that it does not know, nor what it does know in a line
    /// where it means nothing. `PARAPOST_LINES` says how many lines.
    #[test]
    fn a_line_is_written_as_it_was_read_and_counts_as_it_did() {
        let lines = std::env::var("PARAPOST_LINES").map_or(20_000, |lines| lines.parse().unwrap());
        let mut random = fastrand::Rng::with_seed(27);
        for _ in 0..lines {
            let (line, size) = made_up(&mut random);
            let entry: LogEntry = line.parse().unwrap();
            assert_eq!(entry.line(), line);
            assert_eq!(entry.size(), size, "{line}");
            assert_eq!(Link::of("", &entry), Link::of_line("", &line), "{line}");
        }
    }

    /// Those of the matches in the project, and of the samples of its tests.
    #[test]
    fn every_line_of_a_log_in_the_project_is_written_as_it_was_read() {
        let mut folders = ["games", "tests"]
            .map(|name| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name))
            .to_vec();
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.extend((!path.ends_with("target")).then_some(path));
                    continue;
                }
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                let times = |line: &&str| clock::read(word(line.trim_start()).0).is_some();
                for line in text.lines().filter(times) {
                    let line = line.trim_start();
                    let Ok(entry) = line.parse::<LogEntry>() else {
                        continue;
                    };
                    count += 1;
                    let written = entry.line();
                    let as_people_write_it = [line, " -"].concat();
                    assert!(written == line || written == as_people_write_it, "{line}");
                }
            }
        }
        assert!(count > 60, "{count} lines were found");
    }
}
