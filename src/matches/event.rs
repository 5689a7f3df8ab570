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

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};

use crate::clock;
use crate::message_id::MessageId;
use crate::printable::is_unprintable;
use crate::rules::Color;

/// An event of a match's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The time of the event, in whole seconds.
    pub time: DateTime<Utc>,
    /// The kind of event.
    pub kind: EventKind,
    /// The person who did it; in `owed`, `sent` and the like, the person the mail
    /// is for.
    pub who: Who,
    /// The event's main value: a move, a note, a kind of mail.
    pub argument: Option<String>,
    /// More values, in the order they were written; unknown keys are kept.
    keys: Vec<(Cow<'static, str>, String)>,
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// The kind of an event.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum EventKind {
            $($(#[$doc])* $name,)*
            /// A kind that this version does not know; it is kept and changes
            /// nothing.
            Other(String),
        }

        impl EventKind {
            /// Returns the word for this kind in the log.
            #[must_use]
            pub fn word(&self) -> &str {
                match self {
                    $(EventKind::$name => $word,)*
                    EventKind::Other(word) => word,
                }
            }

            fn from_word(word: &str) -> EventKind {
                match word {
                    $($word => EventKind::$name,)*
                    _ => EventKind::Other(word.to_owned()),
                }
            }
        }
    };
}

words! {
    /// The match begins; repeats rules, options and players.
    New = "new",
    /// A move is played. The argument is the move in canonical form, without
    /// its mark.
    Move = "move",
    /// A move whose mail has not gone is taken back by its player.
    Undo = "undo",
    /// A player proposes to take the last move back, agrees or declines, as the
    /// argument says.
    Takeback = "takeback",
    /// A draw is offered.
    Offer = "offer",
    /// The offer is accepted.
    Accept = "accept",
    /// The offer is declined.
    Decline = "decline",
    /// A draw is claimed with good reason.
    Claim = "claim",
    /// A player resigns.
    Resign = "resign",
    /// A person's words, in the argument.
    Note = "note",
    /// A message was handled and changed nothing. The argument is its
    /// disposition.
    Refused = "refused",
    /// A message asked a question and changed nothing. The argument is the
    /// question.
    Asked = "asked",
    /// A player wishes something about the mail of the match. The argument is the
    /// wish.
    Mail = "mail",
    /// A player is asked about an unknown address, or adds it, as the argument
    /// says.
    Address = "address",
    /// A mail is owed. The argument is its kind.
    Owed = "owed",
    /// The mail with this Message-ID was sent.
    Sent = "sent",
    /// The mail with this Message-ID was refused for good. The text is the mail
    /// server's.
    Failed = "failed",
    /// The mail with this Message-ID is owed again, to the address it names.
    Requeued = "requeued",
    /// The mail with this Message-ID is not to go any more.
    Dropped = "dropped",
    /// A delivery report says that the mail with this Message-ID has not reached its
    /// recipient. It is owed once again.
    Bounced = "bounced",
    /// The file was damaged and has been rebuilt. The argument says how.
    Repaired = "repaired",
    /// A player was forgotten: name, addresses and words are gone from the lines
    /// above. The argument is the name that stands there instead.
    Forgotten = "forgotten",
}

impl EventKind {
    /// Returns true if the event changes nothing in the match but its mail.
    pub(super) fn is_aside(&self) -> bool {
        self.is_of_outgoing_mail()
            || matches!(
                self,
                EventKind::Note
                    | EventKind::Refused
                    | EventKind::Asked
                    | EventKind::Mail
                    | EventKind::Repaired
                    | EventKind::Forgotten
                    | EventKind::Other(_)
            )
    }

    /// Returns true for what becomes of an outgoing mail. Such an event has the
    /// mail's Message-ID; that of any other event is of a message received.
    #[must_use]
    pub fn is_of_outgoing_mail(&self) -> bool {
        matches!(
            self,
            EventKind::Owed
                | EventKind::Sent
                | EventKind::Failed
                | EventKind::Requeued
                | EventKind::Dropped
                | EventKind::Bounced
        )
    }
}

/// The argument of an `address` event that asks a player about an address.
pub const ASKED: &str = "asked";

/// The argument of an `undo` event that takes back a resignation.
pub const RESIGN: &str = "resign";

/// The key of an agreed `takeback` event about an offer of a draw.
pub const OFFER: &str = "offer";

/// The value of [`OFFER`] where the offer was made in the position that is taken back.
pub const LAPSED: &str = "lapsed";

/// The argument of an `address` event that adds an address.
pub const ADDED: &str = "added";

/// The key of the address in an `address` event.
pub const ADDRESS: &str = "from";

/// The person who caused an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl Event {
    /// Returns true for an `undo` that takes back a resignation, not a move: the position
    /// stays, and to the players nothing has happened.
    #[must_use]
    pub fn is_undo_of_resignation(&self) -> bool {
        self.kind == EventKind::Undo && self.argument.as_deref() == Some(RESIGN)
    }

    /// Creates an event without argument and keys.
    #[must_use]
    pub fn new(time: DateTime<Utc>, what: EventKind, who: impl Into<Who>) -> Event {
        Event {
            time,
            kind: what,
            who: who.into(),
            argument: None,
            keys: Vec::new(),
        }
    }

    /// Sets the argument.
    #[must_use]
    pub fn argument(self, argument: impl Into<String>) -> Event {
        Event {
            argument: Some(argument.into()),
            ..self
        }
    }

    /// Adds a key, unless the value is `None`.
    ///
    /// # Panics
    ///
    /// If the key does not have the form `[a-z][a-z0-9-]*`. Keys are constants
    /// of the program.
    #[must_use]
    pub fn key(mut self, key: &str, value: Option<impl fmt::Display>) -> Event {
        assert!(is_key(key), "a key is a word of the program's own");
        if let Some(value) = value {
            self.keys.push((shared(key), value.to_string()));
        }
        self
    }

    /// Adds a key before the others.
    #[must_use]
    pub(super) fn first_key(mut self, key: &'static str, value: impl fmt::Display) -> Event {
        self.keys.insert(0, (Cow::Borrowed(key), value.to_string()));
        self
    }

    /// Removes a key.
    #[must_use]
    pub(crate) fn without(mut self, key: &str) -> Event {
        self.keys.retain(|(name, _)| name != key);
        self
    }

    /// Replaces the value of each key, or removes the key where there is none.
    #[must_use]
    pub(crate) fn with_values(
        mut self,
        mut change: impl FnMut(&str, String) -> Option<String>,
    ) -> Event {
        let keys = self.keys.into_iter();
        let keys = keys.filter_map(|(key, value)| Some((key.clone(), change(&key, value)?)));
        self.keys = keys.collect();
        self
    }

    /// Returns the value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.keys.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the full line. An event without argument and keys ends in a `-`
    /// that holds the argument's place, since more may follow on the line.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = String::with_capacity(2 * self.size());
        self.push_line(&mut line);
        line
    }

    /// Adds the full line to a text.
    pub(crate) fn push_line(&self, text: &mut String) {
        self.push_text(text);
        if self.argument.is_none() && self.keys.is_empty() {
            text.push_str(" -");
        }
    }

    /// Adds the line as people may write it. It is made for each line whenever a log
    /// is read or written, so it is put together by hand.
    fn push_text(&self, text: &mut String) {
        text.push_str(&clock::write(self.time));
        for word in [self.kind.word(), self.who.word()] {
            text.push(' ');
            text.push_str(word);
        }
        match self.argument.as_deref() {
            // A bare `-` means that there is no argument.
            Some("-") => text.push_str(" \"-\""),
            Some(argument) => {
                text.push(' ');
                push_value(text, argument);
            }
            None if self.keys.is_empty() => {}
            None => text.push_str(" -"),
        }
        for (key, value) in &self.keys {
            text.push(' ');
            text.push_str(key);
            text.push('=');
            push_value(text, value);
        }
    }

    /// Returns about how many bytes the line has, without looking at each
    /// character.
    #[must_use]
    pub(crate) fn size(&self) -> usize {
        let argument = self.argument.as_ref().map_or(0, String::len);
        let keys = self.keys.iter().map(|(key, value)| key.len() + value.len());
        LEAST + argument + keys.sum::<usize>()
    }

    /// Returns true if a message from outside with this id caused the event, or
    /// one that put that message right.
    #[must_use]
    pub fn came_by(&self, id: &MessageId) -> bool {
        !self.kind.is_of_outgoing_mail()
            && (self.has_message(id)
                || self
                    .get(EDITS)
                    .is_some_and(|edited| bare(edited) == id.bare()))
    }

    /// Notes that the message which caused the event puts this one right.
    #[must_use]
    pub fn edits(self, id: &MessageId) -> Event {
        self.key(EDITS, Some(id))
    }

    /// Returns true if the event is about our own mail with this id.
    #[must_use]
    pub fn went_out_as(&self, id: &MessageId) -> bool {
        self.kind.is_of_outgoing_mail() && self.has_message(id)
    }

    /// Compares without making an id of every line.
    fn has_message(&self, id: &MessageId) -> bool {
        self.bare_message() == Some(id.bare())
    }

    /// Returns the Message-ID of the event without its brackets, which a person
    /// who wrote the line may have left out.
    #[must_use]
    pub fn bare_message(&self) -> Option<&str> {
        self.get("msg").map(bare)
    }

    /// Returns the Message-ID under a key, if the value is one.
    #[must_use]
    pub fn message_id(&self, key: &str) -> Option<MessageId> {
        self.get(key)?.parse().ok()
    }
}

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

impl fmt::Display for Event {
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

impl FromStr for Event {
    type Err = ParseEventError;

    fn from_str(line: &str) -> Result<Event, ParseEventError> {
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
        let mut event = Event::new(time, EventKind::from_word(what), who);
        if !rest.is_empty() {
            let bare = !rest.starts_with('"');
            let (argument, after) = value(rest)?;
            event.argument = Some(argument).filter(|argument| !bare || argument != "-");
            rest = after;
        }
        while !rest.is_empty() {
            let Some((key, after)) = rest.split_once('=').filter(|(key, _)| is_key(key)) else {
                return wrong(format_args!("'{}' is no key=value", rest.escape_debug()));
            };
            if event.get(key).is_some() {
                return wrong(format_args!("'{key}' is said twice"));
            }
            let (value, after) = value(after)?;
            event.keys.push((shared(key), value));
            rest = after;
        }
        Ok(event)
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
    let simple = match text.as_bytes().first() {
        Some(b'n') => Some('\n'),
        Some(b't') => Some('\t'),
        Some(b'"') => Some('"'),
        Some(b'\\') => Some('\\'),
        _ => None,
    };
    if let Some(c) = simple {
        return Ok((c, &text[1..]));
    }
    text.strip_prefix("u{")
        .and_then(|text| text.split_once('}'))
        .and_then(|(digits, rest)| {
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(code)?, rest))
        })
        .map_or_else(|| wrong("a backslash stands for nothing"), Ok)
}

#[cfg(test)]
mod tests;
