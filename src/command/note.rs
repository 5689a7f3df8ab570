//! `parapost note`: keeps a note in a match.

use crate::args;
use crate::command::context::Context;
use crate::command::session::Session;
use crate::command::status::Status;
use crate::matches::event::{Event, LogEntry, Who};
use crate::matches::quota::Usage;
use crate::{Error, limits};

pub(super) fn run(args: &args::Note, context: &mut Context<'_>) -> Result<Status, Error> {
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
