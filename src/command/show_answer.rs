//! `parapost show ID --answer`: the answer that the links of the last mail begin.

use crate::Error;
use crate::args::{self, Source};
use crate::command::context::Context;
use crate::command::status::Status;
use crate::matches::answer_code::last_mail_with_code;
use crate::matches::mail_id::MailIds;
use crate::outbound::taps::Answer;

/// Stands in the place of the move.
const MOVE: &str = "MOVE";

pub(super) fn run(args: &args::Show, context: &mut Context<'_>) -> Result<Status, Error> {
    let Source::Match(id) = &args.source else {
        return Err(Error::usage("--answer is about a match: name its id"));
    };
    let game = context.store_to_read()?.read(id)?.game;
    let Some(turn) = game.turn() else {
        return Err(Error::refused("the match is over"));
    };
    let Some(mail) = last_mail_with_code(&game) else {
        return Err(Error::refused(format!(
            "no mail to {} has links now",
            game.player(turn).name()
        )));
    };
    // A code does not depend on the host.
    let code = MailIds::new(context.secret()?, "").answer_code(&mail.msg);
    let answer = Answer::new(MOVE, id, game.record().steps().len(), &code);
    let Answer { subject, body } = answer;
    context.print(format_args!("Subject: {subject}\n\n{}\n", body.join("\n")))?;
    Ok(Status::Done)
}
