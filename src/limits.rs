//! The limits on messages and state files, each with its unit and its reason.
//!
//! A letter holds a line with a move, perhaps a list of a few hundred rows,
//! quoted a few times. Each limit is far above that, and far below input that
//! would cost a mail server's pipe more than a moment or 50 MiB. Input beyond a
//! limit is refused as a whole with the limit named, and changes nothing.
//! docs/limits.md has the table for users.

use std::time::Duration;

/// Bytes of a message, including attachments. Mail servers accept 10 to 50 MiB.
pub const MESSAGE: usize = 32 << 20;

/// Bytes of the header of a message or of a part. Mail servers accept 100 KiB
/// to 1 MiB; long threads and chains of signatures reach 30 KiB.
pub const HEADER: usize = 256 << 10;

/// Fields in one header. A message that went through ten servers has a hundred.
pub const FIELDS: usize = 1000;

/// Bytes of one line of a header. Mail may have 998, but some programs do not
/// fold the lines they add. For each encoded word without an end, the parser
/// searches the rest of the line.
pub const HEADER_LINE: usize = 16 << 10;

/// Beginnings of encoded words, `=?`, in one header. A name in another script
/// takes one or two.
pub const ENCODED_WORDS: usize = 1000;

/// Bytes of a `Content-Type` or `Content-Disposition` field. A file name of 255
/// characters, each encoded as nine, fits. The parser joins the pieces of such
/// a name by searching all pieces for each.
pub const CONTENT_FIELD: usize = 4 << 10;

/// Parts of a message, including those of the messages within it.
pub const PARTS: usize = 250;

/// Parts that hold other parts, and messages within the message. This also
/// bounds their nesting, and for each of them the parser may search the whole
/// message. Forwarding once makes three.
pub const CONTAINERS: usize = 30;

/// Message-IDs in the fields that name the messages a letter answers. A year's
/// match with two mails a day reaches this number if no program shortens the
/// list.
pub const CITES: usize = 1000;

/// Bytes of the text of a letter, after conversion from HTML. A list of 10,000
/// moves fits.
pub const TEXT: usize = 256 << 10;

/// Lines of the text of a letter. A thread of a hundred letters has fewer.
pub const LINES: usize = 10_000;

/// Bytes of HTML. Programs write ten to thirty for each visible one.
pub const HTML: usize = 512 << 10;

/// Nesting depth of HTML elements. Programs that quote by nested tables stay
/// far below.
pub const HTML_DEPTH: usize = 200;

/// Elements of HTML. A table counts as [`HTML_TABLE`], and a list item or a
/// quotation as [`HTML_MARKED`]. Each costs the converter some three kilobytes.
/// The wordiest programs write three per line.
pub const HTML_NODES: usize = 6000;

/// The number of elements that take as much time as a table.
pub const HTML_TABLE: usize = 20;

/// The number of elements that take as much time as one whose lines get a mark
/// in front: a list item or a quotation.
pub const HTML_MARKED: usize = 2;

/// Columns of a line of converted HTML before it is broken, so many that a
/// person's lines end where the sender ended them.
pub const HTML_WIDTH: usize = 4000;

/// Bytes of the tables of converted HTML. Every line in a table is padded with
/// blanks to the table's width, once more for each table around it. A letter
/// laid out by three nested tables may have 500 lines.
pub const HTML_TABLES: usize = 6 << 20;

/// Bytes of a state file, the user's or another's. A match of a thousand moves,
/// each with a long note, takes a fifth of it.
pub const STATE_FILE: u64 = 64 << 20;

/// Bytes of a state file that is brought into a database. Engines that spread a table over
/// machines are slow with longer values, or refuse them. A match that has grown beyond it
/// there goes on: no letter may stop a match.
pub const DATABASE_TEXT: u64 = 1 << 20;

/// Bytes of the words of one person that a match keeps. A letter a day with a
/// page of talk comes to half of it in a year.
pub const WORDS: usize = 1 << 20;

/// Bytes of a match's log, mails included, that the letters of one player may
/// take which are no moves, resignations, acceptances or justified claims. With
/// both players' words in moves that is a third of [`STATE_FILE`]: the rest is
/// for moves. Two refusals a day come to a quarter of it in a year.
pub const LETTERS: usize = 8 << 20;

/// Bytes of an address that a player is asked about: it fits a line of a mail.
pub const ADDRESS: usize = 64;

/// Questions to one player in a match about unknown addresses. Nobody has more
/// telephones.
pub const ADDRESS_QUESTIONS: usize = 5;

/// Matches that one run of `receive --accept` enters. A person has a few invitations at
/// a time, and a mailbox may hold a stranger's thousand.
pub const INVITATIONS: usize = 20;

/// Bytes of the line in which an IMAP server tells the numbers of messages: those of
/// [`IMAP_MESSAGES`].
pub const IMAP_SEARCH: usize = 12 << 20;

/// Messages of an IMAP folder that one run looks at.
pub const IMAP_MESSAGES: usize = 1_000_000;

/// Messages of an IMAP folder whose headers are asked for at once.
pub const IMAP_PORTION: usize = 200;

/// Messages of an IMAP folder that are to be tried again. Beyond that the next run begins
/// with the first that cannot be kept.
pub const IMAP_AGAIN: usize = 10_000;

/// Days before today from which a folder without a place is read at most. No game waits
/// longer for a letter that still means its position.
pub const IMAP_DAYS: u64 = 400;

/// Answers to the letters from before a run without a place. One letter waits as a rule; a
/// restored mailbox may bring a year of them back.
pub const IMAP_ANSWERS: u32 = 20;

/// Places of folders of one name and login that are compared with a mailbox. Each server
/// that has such a folder has one.
pub const IMAP_PLACES: usize = 16;

/// Responses of an IMAP server to one command. Another program may have emptied a folder
/// of so many messages meanwhile, each of which has a line then.
pub const IMAP_RESPONSES: usize = 100_000;

/// Bytes that an IMAP server sends in answer to one command: [`IMAP_PORTION`] headers, each
/// as long as [`HEADER`], have 50 MiB.
pub const IMAP_BYTES: usize = 64 << 20;

/// Bytes of a folder's name in an answer of an IMAP server.
pub const IMAP_NAME: usize = 4 << 10;

/// Connections that `serve` holds at once. Others wait to be accepted: mail servers open
/// some twenty.
pub const CONNECTIONS: usize = 256;

/// Messages that a run reads ahead, to handle some at once.
pub const READ_AHEAD: usize = 64;

/// Once a run has read this many bytes ahead, it stops reading ahead.
pub const READ_AHEAD_BYTES: usize = 4 << 20;

/// Messages that `serve` or a run handles at once. They mostly wait for the disk.
pub const HANDLED: usize = 8;

/// Bytes of a message that each connection to `serve` may hold while it arrives. A letter
/// with a picture of the board has 60 KiB.
pub const HELD_BODY: usize = 128 << 10;

/// Messages longer than [`HELD_BODY`] that `serve` holds at once. The others wait.
pub const LARGE_BODIES: usize = 2;

/// Bytes of a command line that `serve` reads. RFC 5321 asks for 512, and extensions add
/// to it.
pub const COMMAND_LINE: usize = 2048;

/// Recipients of a message to `serve`, which RFC 5321 asks for.
pub const RECIPIENTS: usize = 100;

/// Commands of a client of `serve` from one message to the next: a message has as many as
/// it has recipients, and two more.
pub const COMMANDS: usize = 1000;

/// Bytes of a client of `serve` from the end of one message to that of the next. A longer
/// message than [`MESSAGE`] is read to its end, if it has one, so that it can be refused.
pub const SESSION_BYTES: usize = 8 * MESSAGE;

/// The time in which a client of `serve` must bring a message: 32 MiB in it are 18 KiB a
/// second, and two clients alone may hold so long a message.
pub const SESSION_TIME: Duration = Duration::from_mins(30);

/// Kingchess turns of several pieces that are listed. There are more than 10^15 first
/// turns, and nobody reads more than some thousand.
pub const PLACEMENTS: usize = 10_000;

/// Bytes of the matches that a run keeps in memory after it has read them, twice at most.
/// One of 57 half-moves takes some 130 KiB. Those beyond are read again.
pub const CACHED: usize = 8 << 20;

/// Matches that are here and that a message names, of which each is read. Beyond that its
/// sender is asked which one is meant.
pub const NAMED: usize = 16;

/// Connections to a mail server over which `serve` sends at a time. Servers take ten to
/// twenty from one client.
pub const SENDING: usize = 16;

/// Matches of a folder that is listed whenever its index is asked, for a letter once. A
/// larger one is listed once a minute.
pub const FEW_MATCHES: usize = 256;

/// A limit that the input exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Excess {
    /// [`MESSAGE`]
    #[error("the message is longer than {} MiB", MESSAGE >> 20)]
    Message,
    /// [`HEADER`]
    #[error("a header of it is longer than {} KiB", HEADER >> 10)]
    Header,
    /// [`FIELDS`]
    #[error("a header of it has more than {} fields", FIELDS)]
    Fields,
    /// [`HEADER_LINE`]
    #[error("a line of a header of it is longer than {} KiB", HEADER_LINE >> 10)]
    HeaderLine,
    /// [`ENCODED_WORDS`]
    #[error("a header of it has more than {} encoded words", ENCODED_WORDS)]
    EncodedWords,
    /// [`CONTENT_FIELD`]
    #[error("a field that describes a part of it is longer than {} KiB", CONTENT_FIELD >> 10)]
    ContentField,
    /// [`PARTS`]
    #[error("it has more than {} parts", PARTS)]
    Parts,
    /// [`CONTAINERS`]
    #[error("more than {} of its parts hold further parts or messages", CONTAINERS)]
    Containers,
    /// A message within the message is encoded, which RFC 2046, 5.2.1 forbids.
    /// Measuring its contents would require decoding it.
    #[error("a message within it is encoded")]
    EncodedMessage,
    /// [`CITES`]
    #[error("it answers more than {} messages", CITES)]
    Cites,
    /// [`TEXT`]
    #[error("its text is longer than {} KiB", TEXT >> 10)]
    Text,
    /// [`LINES`]
    #[error("its text has more than {} lines", LINES)]
    Lines,
    /// [`HTML`]
    #[error("its HTML is longer than {} KiB", HTML >> 10)]
    Html,
    /// [`HTML_DEPTH`]
    #[error("its HTML has elements more than {} deep in each other", HTML_DEPTH)]
    HtmlDepth,
    /// [`HTML_NODES`]
    #[error("its HTML has more than {} elements", HTML_NODES)]
    HtmlNodes,
    /// [`HTML_TABLES`]
    #[error("the tables of its HTML, blanks included, are longer than {} MiB", HTML_TABLES >> 20)]
    HtmlTables,
}
