//! `parapost verify`: checks that a match's file is whole, and compares other
//! records of the match with it.

use std::io::BufReader;

use clap::Args;

use crate::command::arguments::{Input, Source, file_or_id};
use crate::command::context::{Context, visible};
use crate::command::record_source::RecordSource;
use crate::command::source;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::event::Event;
use crate::matches::r#match::Match;
use crate::plural::half_moves;
use crate::{Error, clock};

/// `parapost verify`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost verify k7f3qd
  parapost verify k7f3qd reply.eml

Exit status: 0 if the file is whole and the other record agrees with it, also
as a shorter beginning or a longer continuation; 1 with the first difference.")]
pub(super) struct Verify {
    /// The match
    pub(super) id: Id,
    /// Another record of it: a state file, a mail, a mailbox, a pasted list, or
    /// another match of the games folder
    #[arg(value_name = "FILE|-|ID", value_parser = file_or_id)]
    pub(super) other: Option<Source>,
}

pub(super) fn run(args: &Verify, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    for remark in store.remarks(true)? {
        context.say(format_args!("parapost: {remark}"));
    }
    let game = store.read(&args.id)?.game;
    context.report(context.wrapped_for_stdout(visible(&whole(&game))))?;
    let Some(other) = &args.other else {
        return Ok(Status::Done);
    };
    let sources = match other {
        Source::Match(id) => vec![RecordSource::of(Match::clone(&*source::game(id, context)?))],
        Source::Input(Input::File(path)) => RecordSource::open(path, game.id())?,
        Source::Input(Input::Stdin) => {
            RecordSource::read("-", BufReader::new(&mut *context.stdin), game.id())?
        }
    };
    if sources.is_empty() {
        return Err(Error::refused(format!(
            "there is no mail about the match {} in it",
            game.id()
        )));
    }
    let mut status = Status::Done;
    for source in &sources {
        let comparison = source.compare(&game);
        if comparison.differs.is_empty() {
            let agrees = comparison.agrees.join("; ");
            let line = format!("{}: agrees: {agrees}\n", source.name);
            context.report(context.wrapped_for_stdout(visible(&line)))?;
        } else {
            status = Status::Refused;
            for difference in &comparison.differs {
                context.say(format_args!("parapost: {}: {difference}", source.name));
            }
        }
    }
    Ok(status)
}

/// The state of a file that could be read, in words.
fn whole(game: &Match) -> String {
    let (id, log) = (game.id(), game.log());
    let called = log.iter().filter(|event| event.is_owed()).count();
    let chained = if game.is_chained() {
        "chained"
    } else {
        "not chained before it is written next"
    };
    let owed = match game.owed().len() {
        0 => "none owed".to_owned(),
        owed => format!("{owed} owed"),
    };
    let refused = match game.undelivered().len() {
        0 => String::new(),
        refused => format!(", {refused} refused"),
    };
    let mut text = format!(
        "{id}: whole: {}, hash {}\n{id}: log of {} lines, {chained}; {called} mails called for, {owed}{refused}\n",
        half_moves(game.record().steps().len()),
        game.hash(),
        log.len()
    );
    for event in log {
        let Event::Repaired(what) = &event.event else {
            continue;
        };
        let (time, what) = (
            clock::write(event.time),
            what.as_deref().unwrap_or_default(),
        );
        text = format!("{text}{id}: repaired {time}: {what}\n");
    }
    text
}
