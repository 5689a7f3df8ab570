//! Outgoing mail of a match, as its log describes it.

use std::fmt;
use std::ops::Deref;

use chrono::{DateTime, Utc};
use lettre::Address;

use crate::mail::message_id::MessageId;
use crate::rules::Color;

/// What the subject of a puzzle of the week begins with; the week follows.
pub const PUZZLE_SUBJECT: &str = "The puzzle of the week";

/// The kind of a mail, which names its template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailKind {
    /// The match begins.
    Invitation,
    /// The news of the match, and the position.
    Position,
    /// A person's words.
    Note,
    /// The answer to a message.
    Answer,
    /// The receipt of a message.
    Receipt,
    /// The rules of the game.
    Rules,
    /// The legal moves.
    Legal,
    /// The question which match a message is about. It is logged in one of the sender's
    /// matches, for lack of a better place, and says nothing about that match.
    Question,
    /// The puzzle of a week. It is logged in the match in which its reader asked for it, and says
    /// nothing about that match.
    Puzzle,
    /// The question whether an address is the player's. It says nothing about the match, since its
    /// reader may be somebody else.
    Address,
    /// A kind that this version does not know.
    Other(String),
}

impl MailKind {
    const KNOWN: [MailKind; 10] = [
        MailKind::Invitation,
        MailKind::Position,
        MailKind::Note,
        MailKind::Answer,
        MailKind::Receipt,
        MailKind::Rules,
        MailKind::Legal,
        MailKind::Question,
        MailKind::Puzzle,
        MailKind::Address,
    ];

    /// Returns its word.
    pub fn as_str(&self) -> &str {
        match self {
            MailKind::Invitation => "invitation",
            MailKind::Position => "position",
            MailKind::Note => "note",
            MailKind::Answer => "answer",
            MailKind::Receipt => "receipt",
            MailKind::Rules => "rules",
            MailKind::Legal => "legal",
            MailKind::Question => "question",
            MailKind::Puzzle => "puzzle",
            MailKind::Address => "address",
            MailKind::Other(word) => word,
        }
    }

    /// Returns true if such a mail tells of the match that keeps it.
    pub(crate) fn is_about_match(&self) -> bool {
        ![MailKind::Question, MailKind::Puzzle, MailKind::Address].contains(self)
    }

    /// Returns true if the text of such a mail is another person's words.
    pub(crate) fn carries_words(&self) -> bool {
        [MailKind::Note, MailKind::Position].contains(self)
    }
}

impl From<String> for MailKind {
    fn from(word: String) -> MailKind {
        let mut known = MailKind::KNOWN.into_iter();
        let found = known.find(|kind| kind.as_str() == word);
        found.unwrap_or(MailKind::Other(word))
    }
}

impl From<&str> for MailKind {
    fn from(word: &str) -> MailKind {
        MailKind::from(word.to_owned())
    }
}

impl fmt::Display for MailKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

words! {
    /// A step in the life of an outgoing mail.
    MailStep {
        /// The mail is owed.
        Owed = "owed",
        /// It was sent.
        Sent = "sent",
        /// It was refused for good. The text is the mail server's.
        Failed = "failed",
        /// It is owed again, to the address that the line names.
        Requeued = "requeued",
        /// It is not to go any more.
        Dropped = "dropped",
        /// A delivery report says that it has not reached its recipient. It is owed once
        /// again.
        Bounced = "bounced",
    }
}

words! {
    /// A wish about the mail of a match, or about the puzzles that its player gets.
    MailWish {
        /// No more mail but answers to the player's own letters.
        Off = "off",
        /// Mail as before.
        On = "on",
        /// Mail as text alone.
        HtmlOff = "html off",
        /// Mail with HTML, where the sender's program makes it.
        HtmlOn = "html on",
        /// No move posted to a newsgroup by itself any more.
        NewsOff = "news off",
        /// The puzzle of each week.
        PuzzlesWeekly = "puzzles weekly",
        /// No more puzzles.
        PuzzlesOff = "puzzles off",
    }
}

/// An owed mail, as its line in the log describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedMail {
    /// The number of its line in the log, from 1.
    pub line: usize,
    /// The time the mail was called for; also its `Date`.
    pub time: DateTime<Utc>,
    /// The Message-ID, the same each time the mail is made.
    pub msg: MessageId,
    /// The mail that was called for. A queued mail is read as one, too.
    pub mail: NewMail,
}

impl Deref for QueuedMail {
    type Target = NewMail;

    fn deref(&self) -> &NewMail {
        &self.mail
    }
}

/// A mail that was refused for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndeliveredMail {
    /// The mail, with the address that was tried last.
    pub mail: QueuedMail,
    /// The time of the refusal.
    pub time: DateTime<Utc>,
    /// The words of the mail server or program; may be empty.
    pub reason: String,
}

/// A mail to owe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMail {
    /// The player it is for.
    pub to: Color,
    /// The kind of mail.
    pub kind: MailKind,
    /// The message it answers.
    pub re: Option<MessageId>,
    /// The address it goes to, if not the player's first.
    pub address: Option<Address>,
    /// The half-move whose position it shows, if not the last.
    pub at: Option<usize>,
    /// The text it carries, if the match does not supply it.
    pub text: Option<String>,
    /// The line that it asks its reader to send, if that is one and `yes` stands for it.
    pub asks: Option<String>,
    /// True if the program sends it without a person's request.
    pub automatic: bool,
    /// What a puzzle has beside its post, which is the text.
    pub puzzle: Option<MailedPuzzle>,
}

/// What the mail of a puzzle has beside its post.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailedPuzzle {
    /// Letters and digits that stand for the position.
    pub name: String,
    /// The solution, which is attached.
    pub solution: String,
}

impl NewMail {
    /// Creates a mail to this player.
    pub fn new(kind: impl Into<MailKind>, to: Color) -> NewMail {
        NewMail {
            to,
            kind: kind.into(),
            re: None,
            address: None,
            at: None,
            text: None,
            asks: None,
            automatic: false,
            puzzle: None,
        }
    }

    /// Returns the same mail, to call for it again. It asks for no line to which `yes` would be
    /// the answer: that was asked about another state of the match.
    #[must_use]
    pub fn again(&self) -> NewMail {
        NewMail {
            asks: None,
            ..self.clone()
        }
    }

    /// Creates the mail of a puzzle to this player, with its post.
    pub(crate) fn of_puzzle(to: Color, puzzle: MailedPuzzle, post: String) -> NewMail {
        NewMail {
            puzzle: Some(puzzle),
            ..NewMail::new(MailKind::Puzzle, to)
        }
        .saying(post)
        .automatic()
    }

    /// Returns true if it answers the player's own letter, and goes where that came
    /// from.
    pub(crate) fn is_answer(&self) -> bool {
        self.address.is_some()
    }

    /// Sets the message that this mail answers.
    #[must_use]
    pub fn answering(self, re: Option<MessageId>) -> NewMail {
        NewMail { re, ..self }
    }

    /// Sets the address it goes to.
    #[must_use]
    pub fn at_address(mut self, address: Address) -> NewMail {
        self.address = Some(address);
        self
    }

    /// Shows the position after this many half-moves instead of the last.
    #[must_use]
    pub fn showing(mut self, plies: usize) -> NewMail {
        self.at = Some(plies);
        self
    }

    /// Sets the text, in lines of any length.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> NewMail {
        self.text = Some(text.into());
        self
    }

    /// Adds a paragraph to the text; in a receipt, which has one remark, some words.
    pub(crate) fn add(&mut self, words: &str) {
        let is_remark = self.kind == MailKind::Receipt;
        let text = self.text.get_or_insert_default();
        if !text.is_empty() {
            text.push_str(if is_remark { "; " } else { "\n\n" });
        }
        text.push_str(words);
        if is_remark {
            // The template ends the sentence.
            text.truncate(text.trim_end_matches('.').len());
        }
    }

    /// Marks a mail that the program sends without a person's request.
    #[must_use]
    pub fn automatic(mut self) -> NewMail {
        self.automatic = true;
        self
    }
}
