//! `parapost partner`: the program's turns in the matches that people play against it by mail.
//!
//! It is for a timer beside `fetch` or a mail server's pipe, which never wait for it; `serve` has a
//! thread of its own for the same.

use clap::Args;

use crate::Error;
use crate::command::context::{Context, Status};
use crate::command::delivery::send_due;
use crate::printable::counted;
use crate::referee::session::Session;
use crate::referee::thinking::{Round, TurnOutcome};

/// `parapost partner`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost partner --send

Takes the turns that are due in the matches against the program that letters like
'new unachess with partner level 1' have begun, as the section [partner] of the
configuration lets them: the one that waits longest first. In an hour it thinks for
ten minutes at most; what is due then waits. 'serve' does this by itself.")]
pub(super) struct Partner {
    /// Send the mail now
    #[arg(long)]
    send: bool,
}

pub(super) fn run(args: &Partner, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    if session.config.partner.is_none() {
        return Err(Error::refused(format!(
            "no program plays by mail here: add these lines to {}:\n\n[partner]\nlevels = [1, 2, 3]",
            session.config.path.display()
        )));
    }
    let (mut done, mut status) = (Vec::new(), Status::Done);
    let store = &*session.store;
    let Some(mut round) = Round::begin(store, session.now)? else {
        return Ok(status);
    };
    while let Some((id, outcome)) = round.next(&session, store) {
        match outcome {
            Ok(TurnOutcome::Done) => done.push(id),
            Ok(TurnOutcome::Nothing) => {}
            Err(error) => context.say_trouble(&error, &mut status),
        }
    }
    if let left @ 1.. = round.left() {
        let verb = if left == 1 { "waits" } else { "wait" };
        let turns = counted(left, "turn");
        context.say(format_args!(
            "parapost: {turns} of the partner {verb}: it has thought as long in this hour as it may"
        ));
    }
    // A slow mail server keeps nobody else from thinking.
    drop(round);
    if args.send {
        status = status.max(send_due(&session, done, context).0);
    }
    Ok(status)
}
