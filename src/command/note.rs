//! `parapost note`: keeps a note in a match.

use crate::Error;
use crate::args;
use crate::command::session::Desk;
use crate::command::{Context, Status};
use crate::matches::event::{Event, What, Who};

pub(super) fn run(args: &args::Note, context: &mut Context<'_>) -> Result<Status, Error> {
    let desk = Desk::open(context)?;
    let mut game = desk.folder.lock(&args.id)?;
    let who = desk
        .side_or_referee(&game)?
        .map_or(Who::Referee, Who::Player);
    let text = args.words.join(" ");
    if text.trim().is_empty() {
        return Err(Error::usage("the note is empty"));
    }
    game.push(Event::new(desk.now, What::Note, who).argument(text))?;
    game.save()?;
    context.say(format_args!("{}: noted", args.id));
    Ok(Status::Done)
}
