//! The limits on messages and what mail and news servers say, each with its unit and its reason.
//!
//! A reply holds some lines, perhaps a list of a few hundred rows,
//! quoted a few times. Each limit is far above that, and far below input that
//! would cost a mail server's pipe more than a moment or 50 MiB. Input beyond a
//! limit is refused as a whole with the limit named, and changes nothing.

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
/// thread with two mails a day reaches this number if no program shortens the
/// list.
pub const CITES: usize = 1000;

/// Addresses in the fields that name whom a letter went to, and in those that name its writer.
/// Those behind them are not looked at.
pub const ADDRESSES: usize = 100;

/// Bytes of the text of a letter, after conversion from HTML. A list of 10,000
/// lines fits.
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
/// laid out by three nested tables may have 1,300 lines.
pub const HTML_TABLES: usize = 15 << 20;

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

/// Days before today from which a folder without a place is read at most. No thread waits
/// longer for a letter that still means what it says.
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

/// Bytes of a line of a news server, an overview of an article or a line of one. An overview has
/// a subject, a writer, and up to a thousand bytes of ids.
pub const NEWS_LINE: usize = 64 << 10;

/// Bytes that a news server sends in answer to one command: [`NEWS_PORTION`] lines of an overview,
/// each of 16 KiB.
pub const NEWS_BYTES: usize = 16 << 20;

/// Bytes of an article. One with a move has a few thousand.
pub const NEWS_ARTICLE: usize = 256 << 10;

/// Lines of an article.
pub const NEWS_LINES: usize = 50_000;

/// Lines of the header of an article, where that stands in for its overview.
pub const NEWS_HEADER_LINES: usize = 1000;

/// Numbers of a newsgroup whose overview is asked for at once.
pub const NEWS_PORTION: u64 = 1000;

/// Numbers below the high mark of a newsgroup at which the first reading begins.
pub const NEWS_FIRST: u64 = 5000;

/// Numbers of a newsgroup that one reading looks at. The next one goes on there.
pub const NEWS_NUMBERS: u64 = 1_000_000;

/// Bytes of a message that each connection to `serve` may hold while it arrives. A letter
/// with a small picture has 60 KiB.
pub const HELD_BODY: usize = 128 << 10;

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

/// The reason why a message or its text is not read: a limit that it exceeds, or a form that cannot
/// be read.
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
    /// The text is in an encoding that cannot be undone.
    #[error("its text is encoded, and cannot be decoded")]
    Encoding,
    /// The text is encrypted.
    #[error("its text is encrypted")]
    Encrypted,
    /// The text is within a signature of S/MIME, and not in a part of its own.
    #[error("its text is inside an S/MIME signature")]
    OpaqueSigned,
    /// The text is within a file of another mail system (TNEF).
    #[error("its text is inside a file winmail.dat")]
    Winmail,
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
