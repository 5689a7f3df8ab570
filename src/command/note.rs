//! `parapost note`: keeps a note in a match.

use clap::Args;

use crate::command::context::Context;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::quota::Usage;
use crate::referee::session::Session;
use crate::{Error, limits};

/// `parapost note`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost note k7f3qd 'watch the diagonal to h1'")]
pub(super) struct Note {
    /// The match
    pub(super) id: Id,
    /// The note; it is kept in the match and mailed to nobody
    #[arg(value_name = "TEXT", required = true)]
    pub(super) words: Vec<String>,
}

pub(super) fn run(args: &Note, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let text = args.words.join(" ");
    session.change(&args.id, |game| {
        let side = session.side_or_referee(game)?;
        let who = side.map_or(Who::Referee, Who::Player);
        if text.trim().is_empty() {
            return Err(Error::usage("the note is empty"));
        }
        let usage = Usage::of(game, who, session.now);
        if !usage.has_room_for(&text) {
            return Err(Error::refused(format!(
                "{}: the match keeps {} MiB of one person's words, and yours would come to more",
                game.id(),
                limits::WORDS >> 20
            )));
        }
        game.push(LogEntry::new(session.now, Event::note(&text), who))
    })?;
    context.say(format_args!("{}: noted", args.id));
    Ok(Status::Done)
}
