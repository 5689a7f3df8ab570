//! The command line, parsed by clap. Parsing does no I/O and checks only forms.

pub mod command_line;
pub mod consent;
pub mod delivery;
pub mod doctor;
pub mod fetch;
pub mod game;
pub mod global;
pub mod init;
pub mod mail;
pub mod manual;
pub mod picture;
pub mod play;
pub mod serve;
pub mod store;
pub mod telling;
pub mod watching;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use lettre::Address;

use crate::args::consent::Consent;
use crate::args::delivery::Delivery;
use crate::args::doctor::Doctor;
use crate::args::fetch::Fetch;
use crate::args::game::{GameArgs, PositionArgs, game_parser};
use crate::args::global::Global;
use crate::args::init::Init;
use crate::args::mail::{AnswerArgs, Mail};
use crate::args::manual::{Completions, Man};
use crate::args::picture::PictureArgs;
use crate::args::play::{Draw, Move, Takeback, Undo};
use crate::args::telling::Telling;
use crate::match_id::{Id, ParseIdError};
use crate::matches::r#match::Days;
use crate::matches::player::Player;
use crate::render::format::OutputFormat;
use crate::rules::Game;

/// Play drop-chess games by e-mail in the 1994 Unachess format.
#[derive(Parser, Debug)]
#[command(
    name = "parapost",
    version,
    arg_required_else_help = true,
    after_help = "\
Example:
  parapost check game.txt

A piece is dropped with '>', which a shell takes for itself: write moves in
quotes, like 'N>d5'.

Exit status: 0 done; 1 refused; 2 wrong usage; 75 try again later."
)]
pub struct Arguments {
    /// The options of every command.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// An argument that cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum ArgumentError {
    /// Neither a path nor an id.
    #[error("{error}; {}", file_here(.argument))]
    Source {
        argument: String,
        #[source]
        error: ParseIdError,
    },
}

/// Says how a file is named where its name alone is that of a match.
pub(crate) fn file_here(name: &str) -> String {
    format!("a file here is written ./{name}")
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Make a configuration for your mailbox
    Init(Box<Init>),
    /// Try everything that is configured, and say what is wrong
    Doctor(Doctor),
    /// Check the moves and diagrams of a text
    Check(Check),
    /// Show a position
    Show(Show),
    /// List the legal moves of a position
    Legal(Legal),
    /// Count the lines of play of a length
    Perft(Perft),
    /// Tell the rules of a game
    Rules(Rules),
    /// Begin a match
    New(New),
    /// Play a move
    Move(Move),
    /// Take back a move or a resignation whose mail has not gone
    Undo(Undo),
    /// Read mail and play the moves in it
    Receive(Receive),
    /// Read mail on a server and play the moves in it
    Fetch(Fetch),
    /// Take mail from a mail server, and send what is owed
    Serve(serve::Serve),
    /// Send the mail that is owed
    Send(Send),
    /// List the mail that has not gone; send refused mail again, or drop it
    Mail(Mail),
    /// Resign a match
    Resign(Resign),
    /// Offer, accept, decline or claim a draw
    Draw(Draw),
    /// Propose, accept or decline to take the last move back
    Takeback(Takeback),
    /// Keep a note in a match
    Note(Note),
    /// List the matches
    List(List),
    /// Tell what has been done, in numbers
    Status(watching::Status),
    /// Check a match's file, and compare it with another record
    Verify(Verify),
    /// Rebuild a damaged match's file
    Repair(Repair),
    /// Write all matches to a folder, a file each
    Export(store::Export),
    /// Bring the matches of a folder to where matches are kept
    Import(store::Import),
    /// Take a player's name, addresses and words out of the matches
    Forget(store::Forget),
    /// Write finished matches as pages for the web
    Archive(store::Archive),
    /// Prepare a database for the matches
    Store(store::Store),
    /// Write what makes a shell complete command lines
    Completions(Completions),
    /// Write the manual as pages for man
    Man(Man),
}

/// A text to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file, or a folder where the command takes one.
    File(PathBuf),
}

impl From<OsString> for Input {
    fn from(argument: OsString) -> Input {
        if argument == "-" {
            Input::Stdin
        } else {
            Input::File(argument.into())
        }
    }
}

/// A text to read, or a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A text.
    Input(Input),
    /// A match of the games folder.
    Match(Id),
}

/// Parses a file or an id: an argument that contains `/` or `.`, or is `-`, is a
/// file.
fn source(argument: &str) -> Result<Source, ArgumentError> {
    if argument == "-" || argument.contains(['/', '.', '\\']) {
        return Ok(Source::Input(OsString::from(argument).into()));
    }
    let id = argument.parse().map(Source::Match);
    id.map_err(|error| ArgumentError::Source {
        argument: argument.to_owned(),
        error,
    })
}

/// `parapost check`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost check --game unachess game.txt
  parapost check games/*.txt

Of several texts, each line begins with the name of its file.")]
pub struct Check {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    pub choice: GameArgs,
    /// Write one JSON object instead
    #[arg(long)]
    pub json: bool,
    /// The texts [default: standard input]
    #[arg(value_name = "FILE|-", default_value = "-", hide_default_value = true)]
    pub files: Vec<Input>,
}

/// `parapost show`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost show k7f3qd
  parapost show --at 4 --as fen game.txt
  parapost show --as markdown --flip k7f3qd
  parapost show --as png --size 800 -o board.png k7f3qd
  parapost show --as html -o match.html k7f3qd")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub struct Show {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    pub choice: GameArgs,
    /// The answer.
    #[command(flatten)]
    pub links: AnswerArgs,
    /// After so many half-moves [default: all]
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// The form
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = OutputFormat::Diagram)]
    pub form: OutputFormat,
    /// Write one JSON object instead; of a match, with what 'list --json' says of it
    #[arg(long, conflicts_with_all = ["form", "flip", "mark", "indent", "answer"])]
    pub json: bool,
    /// Show the board from the second player's side
    #[arg(long)]
    pub flip: bool,
    /// Mark the second player's pieces with a 'v', not by their case alone
    #[arg(long)]
    pub mark: bool,
    /// With --as markdown: indent the block instead of fencing it
    #[arg(long)]
    pub indent: bool,
    /// How a picture looks
    #[command(flatten)]
    pub picture: PictureArgs,
    /// With --as html: show what was written in the match, too; not for everybody's eyes
    #[arg(long, conflicts_with = "json")]
    pub notes: bool,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// A text or a match [default: standard input]
    #[arg(value_name = "FILE|-|ID", default_value = "-", hide_default_value = true, value_parser = source)]
    pub source: Source,
}

/// `parapost legal`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost legal --game unachess --moves '1. P>e3 n>g5'
  parapost legal k7f3qd")]
pub struct Legal {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    pub choice: GameArgs,
    /// Where to look.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Kingchess: placements too, the first 10,000
    #[arg(long)]
    pub placements: bool,
    /// Write one JSON object instead
    #[arg(long)]
    pub json: bool,
    /// A text or a match [default: standard input, without --moves and --fen]
    #[arg(value_name = "FILE|-|ID", value_parser = source, conflicts_with_all = ["moves", "fen"])]
    pub source: Option<Source>,
}

/// `parapost perft`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost perft --game unachess --divide 2")]
pub struct Perft {
    /// The game.
    #[command(flatten)]
    pub choice: GameArgs,
    /// Where to begin.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Tell the count of each first move
    #[arg(long)]
    pub divide: bool,
    /// How many half-moves deep
    pub depth: u32,
}

/// `parapost rules`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost rules unachess")]
pub struct Rules {
    /// The game [default: all, in a line each]
    #[arg(value_parser = game_parser(), ignore_case = true)]
    pub game: Option<&'static Game>,
}

/// `parapost new`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost new --game unachess --white 'Anna <anna@example.org>' \\
      --black 'Ben <ben@example.org>' --time 10d --send

The id is written to standard output, or with --print, where the invitation is
that, to standard error.")]
pub struct New {
    /// The game
    #[arg(long, value_name = "G", value_parser = game_parser(), ignore_case = true)]
    pub game: &'static Game,
    /// An option of the game; may be given several times
    #[arg(long = "option", value_name = "O")]
    pub options: Vec<String>,
    /// The first player; several addresses are set apart by commas
    #[arg(long, value_name = "NAME <ADDR>")]
    pub white: Player,
    /// The second player
    #[arg(long, value_name = "NAME <ADDR>")]
    pub black: Player,
    /// The id of the match [default: one made up]
    #[arg(long)]
    pub id: Option<Id>,
    /// The time for a move, in days, like 10d
    #[arg(long, value_name = "Nd")]
    pub time: Option<Days>,
    /// The event the match belongs to
    #[arg(long)]
    pub event: Option<String>,
    /// The referee who keeps the match, gets the mail and tells the opponent's moves
    #[arg(long, value_name = "ADDR")]
    pub referee: Option<Address>,
    /// The moves made so far, to take over a running match
    #[arg(long)]
    pub moves: Option<String>,
    /// The other player knows of the match: no invitation
    #[arg(long, conflicts_with_all = ["send", "print"])]
    pub invited: bool,
    /// The invitation.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// `parapost receive`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost receive --accept invitation.eml
  parapost receive --send ~/Maildir")]
pub struct Receive {
    /// The answers.
    #[command(flatten)]
    pub delivery: Delivery,
    /// Say what would be done, and do nothing
    #[arg(long, conflicts_with_all = ["send", "print"])]
    pub dry_run: bool,
    /// The consent to invitations.
    #[command(flatten)]
    pub consent: Consent,
    /// What is told of the messages.
    #[command(flatten)]
    pub telling: Telling,
    /// For a mail server's pipe: one message; exit status 0 unless it should try again
    #[arg(long)]
    pub deliver: bool,
    /// The input is a mailbox (mbox) even if it does not look like one
    #[arg(long, conflicts_with = "deliver")]
    pub mbox: bool,
    /// One .eml, an mbox, a Maildir or MH folder [default: one message on stdin]
    #[arg(value_name = "FILE|-|DIR")]
    pub inputs: Vec<Input>,
}

/// `parapost send`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost send
  parapost send --resend k7f3qd")]
pub struct Send {
    /// The matches [default: all]
    pub ids: Vec<Id>,
    /// Send the current position of this match again
    #[arg(long, value_name = "ID", conflicts_with = "ids")]
    pub resend: Option<Id>,
    /// Write the mail to standard output instead; that counts as sent
    #[arg(long)]
    pub print: bool,
}

/// `parapost resign`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost resign k7f3qd --send

On a terminal it asks first. 'parapost undo' takes it back while its mail has
not gone.")]
pub struct Resign {
    /// The match
    pub id: Id,
    /// Resign without being asked
    #[arg(long, short)]
    pub yes: bool,
    /// The mail to the opponent.
    #[command(flatten)]
    pub delivery: Delivery,
}

/// `parapost note`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost note k7f3qd 'watch the diagonal to h1'")]
pub struct Note {
    /// The match
    pub id: Id,
    /// The note; it is kept in the match and mailed to nobody
    #[arg(value_name = "TEXT", required = true)]
    pub words: Vec<String>,
}

/// `parapost list`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost list
  parapost list --all

A match that is over and owes no mail is listed with --all only.")]
pub struct List {
    /// List the matches that are over, too
    #[arg(long)]
    pub all: bool,

    /// Write one JSON object instead
    #[arg(long)]
    pub json: bool,
}

/// `parapost verify`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost verify k7f3qd
  parapost verify k7f3qd reply.eml

Exit status: 0 if the file is whole and the other record agrees with it, also
as a shorter beginning or a longer continuation; 1 with the first difference.")]
pub struct Verify {
    /// The match
    pub id: Id,
    /// Another record of it: a state file, a mail, a mailbox, a pasted list, or
    /// another match of the games folder
    #[arg(value_name = "FILE|-|ID", value_parser = source)]
    pub other: Option<Source>,
}

/// `parapost repair`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost repair k7f3qd
  parapost repair k7f3qd --from ~/Maildir --write

Without --write nothing is changed. With it the old file is kept beside the new
one.")]
pub struct Repair {
    /// The match
    pub id: Id,
    /// Mails of the match, sent and received, or a list of its moves: one .eml,
    /// an mbox, a Maildir or MH folder, a text; may be given several times
    #[arg(long, value_name = "FILE|DIR")]
    pub from: Vec<PathBuf>,
    /// Write the file as it is shown
    #[arg(long)]
    pub write: bool,
}
