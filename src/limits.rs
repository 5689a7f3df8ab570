//! How much is taken of what anybody can send: every limit on a letter or a
//! state file, with its unit and its reason, in one place.
//!
//! A letter holds a line with a move, perhaps a list of a few hundred rows,
//! quoted a few times. Each limit lies far above that and far below what would
//! cost a mail server's pipe more than a moment or 50 MiB. What goes beyond one
//! is refused as a whole with the limit named, and changes nothing. docs/limits.md
//! is the table for users.

use std::fmt;

/// Bytes of a message, attachments included. Mail servers take 10 to 50 MiB.
pub const MESSAGE: usize = 32 << 20;

/// Bytes of the header of a message or of a part. Mail servers take 100 KiB to
/// 1 MiB; long threads and chains of signatures come to 30 KiB.
pub const HEADER: usize = 256 << 10;

/// Fields in one header. A message that went through ten servers has a hundred.
pub const FIELDS: usize = 1000;

/// Bytes of one line of a header. Mail may have 998; some programs do not fold
/// what they add. The parser looks for the end of an encoded word as far as the
/// line's end, again for each that has none.
pub const HEADER_LINE: usize = 16 << 10;

/// Beginnings of encoded words, `=?`, in one header: a name that is written in
/// another script takes one or two.
pub const ENCODED_WORDS: usize = 1000;

/// Bytes of a `Content-Type` or `Content-Disposition` field: a file's name of
/// 255 characters, each encoded as nine. The parser puts the pieces of such a
/// name together by looking each up among all.
pub const CONTENT_FIELD: usize = 4 << 10;

/// Parts of a message, those of the messages within it included.
pub const PARTS: usize = 250;

/// Parts that hold other parts, and messages within the message: no more of
/// them can lie in each other, and for each the parser may look through the
/// whole message. Forwarding once makes three.
pub const CONTAINERS: usize = 30;

/// Message-IDs in the fields that say what a letter answers. A year's match
/// with two mails a day comes to as many, if no program cuts the list.
pub const CITES: usize = 1000;

/// Bytes of the text of a letter, HTML made plain: a list of 10,000 moves.
pub const TEXT: usize = 256 << 10;

/// Lines of the text of a letter: a thread of a hundred letters has fewer.
pub const LINES: usize = 10_000;

/// Bytes of HTML. Programs need ten to thirty for each that is seen.
pub const HTML: usize = 512 << 10;

/// How deep elements of HTML may lie in each other. Programs that quote by
/// nested tables stay far below.
pub const HTML_DEPTH: usize = 200;

/// Elements of HTML, a table counted as [`HTML_TABLE`], and an item of a list or
/// a quotation as [`HTML_MARKED`]: each takes its reader some three kilobytes.
/// The wordiest programs write three for a line.
pub const HTML_NODES: usize = 6000;

/// As many elements as a table takes as much time as.
pub const HTML_TABLE: usize = 20;

/// As many elements as one takes as much time as whose lines have a mark before
/// them: an item of a list, a quotation.
pub const HTML_MARKED: usize = 2;

/// Columns of a line of HTML made plain before it is broken: a person's line
/// ends where the sender ended it.
pub const HTML_WIDTH: usize = 4000;

/// Bytes of the tables of HTML made plain: every line in a table is filled up
/// with blanks to the table's width, once more for each table around it. A
/// letter laid out by three tables in each other may have 500 lines.
pub const HTML_TABLES: usize = 6 << 20;

/// Bytes of a state file, ours or another's. A match of a thousand moves, each
/// with a long note, comes to a fifth of it.
pub const STATE_FILE: u64 = 64 << 20;

/// Bytes of a match's log beyond which no more words of letters are kept in
/// it: the rest of [`STATE_FILE`] is for moves and for what is told of them.
pub const LOG_WITH_WORDS: usize = 32 << 20;

/// A limit that something goes beyond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// [`MESSAGE`]
    Message,
    /// [`HEADER`]
    Header,
    /// [`FIELDS`]
    Fields,
    /// [`HEADER_LINE`]
    HeaderLine,
    /// [`ENCODED_WORDS`]
    EncodedWords,
    /// [`CONTENT_FIELD`]
    ContentField,
    /// [`PARTS`]
    Parts,
    /// [`CONTAINERS`]
    Containers,
    /// A message within the message is encoded, against RFC 2046, 5.2.1: what
    /// is in it could only be measured by decoding it.
    EncodedMessage,
    /// [`CITES`]
    Cites,
    /// [`TEXT`]
    Text,
    /// [`LINES`]
    Lines,
    /// [`HTML`]
    Html,
    /// [`HTML_DEPTH`]
    HtmlDepth,
    /// [`HTML_NODES`]
    HtmlNodes,
    /// [`HTML_TABLES`]
    HtmlTables,
}

impl fmt::Display for Excess {
    /// What goes beyond which limit, as a clause.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kib = |bytes: usize| bytes >> 10;
        match self {
            Excess::Message => write!(f, "the message is longer than {} MiB", MESSAGE >> 20),
            Excess::Header => write!(f, "a header of it is longer than {} KiB", kib(HEADER)),
            Excess::Fields => write!(f, "a header of it has more than {FIELDS} fields"),
            Excess::HeaderLine => write!(
                f,
                "a line of a header of it is longer than {} KiB",
                kib(HEADER_LINE)
            ),
            Excess::EncodedWords => write!(
                f,
                "a header of it has more than {ENCODED_WORDS} encoded words"
            ),
            Excess::ContentField => write!(
                f,
                "a field that describes a part of it is longer than {} KiB",
                kib(CONTENT_FIELD)
            ),
            Excess::Parts => write!(f, "it has more than {PARTS} parts"),
            Excess::Containers => write!(
                f,
                "more than {CONTAINERS} of its parts hold further parts or messages"
            ),
            Excess::EncodedMessage => f.write_str("a message within it is encoded"),
            Excess::Cites => write!(f, "it answers more than {CITES} messages"),
            Excess::Text => write!(f, "its text is longer than {} KiB", kib(TEXT)),
            Excess::Lines => write!(f, "its text has more than {LINES} lines"),
            Excess::Html => write!(f, "its HTML is longer than {} KiB", kib(HTML)),
            Excess::HtmlDepth => write!(
                f,
                "its HTML has elements more than {HTML_DEPTH} deep in each other"
            ),
            Excess::HtmlNodes => write!(f, "its HTML has more than {HTML_NODES} elements"),
            Excess::HtmlTables => write!(
                f,
                "the tables of its HTML, blanks included, are longer than {} MiB",
                HTML_TABLES >> 20
            ),
        }
    }
}

impl std::error::Error for Excess {}
