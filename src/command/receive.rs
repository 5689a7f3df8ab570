//! `parapost receive`: reads messages and plays the moves in them.

pub(super) mod batch;
mod delivered;
mod people;
pub(super) mod reporter;
#[cfg(test)]
mod side_by_side_tests;
#[cfg(test)]
mod tests;

use crate::Error;
use crate::command::arguments::{Input, Receive};
use crate::command::context::Context;
use crate::command::receive::batch::Batch;
pub(super) use crate::command::receive::delivered::delivered;
use crate::command::receive::reporter::Reporter;
use crate::command::status::Status;
use crate::referee::session::Session;

pub(super) fn run(args: &Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let result = receive(args, context);
    match result {
        // With --deliver, trouble of this program makes the mail server keep
        // the message and try again. Every verdict, even a refusal, completes
        // the delivery.
        Err(error) if args.deliver => {
            context.say_error(&error);
            Ok(Status::Later)
        }
        Ok(Status::Refused) if args.deliver => Ok(Status::Done),
        result => result,
    }
}

fn receive(args: &Receive, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open_to_receive(context, args.dry_run)?.for_a_run();
    let reporter = Reporter::new(args.telling, args.delivery, &session, context.is_shown)?;
    let batch = Batch::new(&session, args.dry_run, context.is_terminal);
    let mut batch = batch.telling(reporter);
    let stdin = [Input::Stdin];
    let inputs = if args.inputs.is_empty() {
        &stdin[..]
    } else {
        &args.inputs
    };
    for input in inputs {
        if let Err(error) = batch.read(input, args, context) {
            batch.fail(&error, args.deliver, context);
        }
    }
    Ok(batch.finish(args.delivery, context))
}
