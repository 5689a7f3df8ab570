//! `parapost show ID --answer`: the answer that the links of the last mail begin.

use crate::Error;
use crate::args::{self, Source};
use crate::command::context::Context;
use crate::command::source;
use crate::command::status::Status;
use crate::matches::codes::last_mail_with_code;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::outbound::taps::{self, Answer};
use crate::render::format::OutputFormat;
use crate::render::view::Answering;

/// Stands in the place of the move.
const MOVE: &str = "MOVE";

pub(super) fn run(args: &args::Show, context: &mut Context<'_>) -> Result<Status, Error> {
    let Source::Match(id) = &args.source else {
        return Err(no_match());
    };
    if args.form != OutputFormat::Diagram {
        return Err(Error::usage("--answer is a text, or with --as html a page"));
    }
    let game = source::game(id, context)?;
    let mail = last_mail(&game)?;
    // A code does not depend on the host.
    let code = MailIds::new(context.secret()?, "").answer_code(&mail.msg);
    let answer = Answer::new(MOVE, id, game.record().steps().len(), &code);
    let Answer { subject, body } = answer;
    context.print(format_args!("Subject: {subject}\n\n{}\n", body.join("\n")))?;
    Ok(Status::Done)
}

/// Returns the same answer for a page on which the player to move picks the move.
pub(super) fn on_page(game: &Match, context: &mut Context<'_>) -> Result<Option<Answering>, Error> {
    let mail = last_mail(game)?;
    let ids = MailIds::new(context.secret()?, "");
    let config = context.config()?;
    let me = &config.me()?.player;
    // As the mail itself: it is from the other player, or from the referee.
    let sides = game.sides_of(me);
    let other = sides.into_iter().find(|side| *side != mail.to);
    let from = other.map_or(me, |side| game.player(side)).address();
    Ok(taps::answering(game, &mail, from, &ids))
}

/// Returns the last mail with links that are right now.
fn last_mail(game: &Match) -> Result<QueuedMail, Error> {
    let Some(turn) = game.turn() else {
        return Err(Error::refused("the match is over"));
    };
    last_mail_with_code(game).ok_or_else(|| {
        let name = game.player(turn).name();
        Error::refused(format!("no mail to {name} has links now"))
    })
}

/// The error where no match is named.
pub(super) fn no_match() -> Error {
    Error::usage("--answer is about a match: name its id")
}
