//! The limits on state files, runs and matches, each with its unit and its reason: those on
//! messages are [`mail::limits`](crate::mail::limits).
//!
//! A letter holds a line with a move, perhaps a list of a few hundred rows,
//! quoted a few times. Each limit is far above that, and far below input that
//! would cost a mail server's pipe more than a moment or 50 MiB. Input beyond a
//! limit is refused as a whole with the limit named, and changes nothing.
//! docs/limits.md has the table for users.

use std::time::Duration;

use chrono::TimeDelta;

/// Bytes of a state file, the user's or another's. A match of a thousand moves,
/// each with a long note, takes a fifth of it.
pub const STATE_FILE: u64 = 64 << 20;

/// Bytes of a text that a command reads, as `check` and `show` do: more than the moves that they read
/// need. A device may never end.
pub const TEXT: u64 = 64 << 20;

/// Bytes of a configuration or of a user's template. The program's own have 4 KiB.
pub const SETTINGS: u64 = 1 << 20;

/// Lines of a text that a command reads, each of which is kept with its place in some 100
/// bytes. A book of a thousand long games, a move a line, takes a fifth of them.
pub const TEXT_LINES: usize = 1_000_000;

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

/// The time within which at most one mail goes to a claimed address, over all matches: its reader
/// may be somebody else.
pub const ADDRESS_PAUSE: TimeDelta = TimeDelta::days(30);

/// Questions to one player in a match about unknown addresses. Nobody has more
/// telephones.
pub const ADDRESS_QUESTIONS: usize = 5;

/// Matches that one run of `receive --accept` enters. A person has a few invitations at
/// a time, and a mailbox may hold a stranger's thousand.
pub const INVITATIONS: usize = 20;

/// Connections that `serve` holds at once. Others wait to be accepted: mail servers open
/// some twenty.
pub const CONNECTIONS: usize = 256;

/// Messages that a run reads ahead, to handle some at once.
pub const READ_AHEAD: usize = 64;

/// Once a run has read this many bytes ahead, it stops reading ahead.
pub const READ_AHEAD_BYTES: usize = 4 << 20;

/// Messages that `serve` or a run handles at once. They mostly wait for the disk.
pub const HANDLED: usize = 8;

/// Messages longer than [`HELD_BODY`](crate::mail::limits::HELD_BODY) that `serve` holds at
/// once. The others wait.
pub const LARGE_BODIES: usize = 2;

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

/// Newsgroups that one run reads. A match has one, which both players have agreed on.
pub const NEWS_GROUPS: usize = 100;

/// Comments of a newsgroup that are shown, the newest ones.
pub const COMMENTS: usize = 100;

/// Lines of a comment that are shown.
pub const COMMENT_LINES: usize = 200;

/// Matches with the partner that one person has under way. Somebody who learns a game plays one,
/// and perhaps one of each colour; each is read whenever the partner looks for its turns.
pub const PARTNER_MATCHES_EACH: usize = 3;

/// Matches with the partner that the letters of one person begin in a day. Each causes a mail, and
/// whoever loses in a few moves begins again.
pub const PARTNER_BEGUN_EACH: usize = 6;

/// Matches with the partner that begin in a day before the next stranger waits: a flood of invented
/// senders causes no more mails than these. What it leaves in the seven days of an invitation is less than
/// [`PARTNER_MATCHES`], so that there is always room for those who play here.
pub const PARTNER_BEGUN: usize = 50;

/// Matches with the partner that are under way. All are read whenever the partner looks for its
/// turns, which for so many takes a second where none is in memory.
pub const PARTNER_MATCHES: usize = 500;

/// The time for which a match with the partner waits for the first move of whoever asked for it.
/// Until then the letter may have been anybody's: nobody who is not known begins another one.
pub const PARTNER_INVITATION: TimeDelta = TimeDelta::days(7);

/// The time after which the partner gives a match up whose other player is to move. Nobody is
/// hurried; without an end the matches that people forget would fill [`PARTNER_MATCHES`].
pub const PARTNER_PATIENCE: TimeDelta = TimeDelta::days(120);

/// Processor time in an hour for the partner's thoughts: a sixth of one core, which is some
/// thousand moves of the middle level. Beyond it moves wait.
pub const THINKING: Duration = Duration::from_mins(10);
