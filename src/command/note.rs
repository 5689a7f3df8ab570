//! `parapost note`: keeps a note in a match.

use crate::Error;
use crate::args;
use crate::command::session::Session;
use crate::command::{Context, Status};
use crate::matches::event::{Event, EventKind, Who};

pub(super) fn run(args: &args::Note, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    let mut game = session.folder.lock(&args.id)?;
    let who = session
        .side_or_referee(&game)?
        .map_or(Who::Referee, Who::Player);
    let text = args.words.join(" ");
    if text.trim().is_empty() {
        return Err(Error::usage("the note is empty"));
    }
    game.push(Event::new(session.now, EventKind::Note, who).argument(text))?;
    game.save()?;
    context.say(format_args!("{}: noted", args.id));
    Ok(Status::Done)
}
