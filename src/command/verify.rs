//! `parapost verify`: whether a match's file is whole, and whether another
//! record of the match agrees with it.

use std::io::BufReader;

use crate::args::{self, Input, Source};
use crate::command::{Context, Status, visible};
use crate::compare::record_source::RecordSource;
use crate::matches::event::EventKind;
use crate::matches::r#match::Match;
use crate::plural::half_moves;
use crate::{Error, clock};

pub(super) fn run(args: &args::Verify, context: &mut Context<'_>) -> Result<Status, Error> {
    let folder = context.folder()?;
    let game = folder.read(&args.id)?;
    context.report(visible(&whole(&game)))?;
    let Some(other) = &args.other else {
        return Ok(Status::Done);
    };
    let witnesses = match other {
        Source::Match(id) => vec![RecordSource::of(folder.read(id)?)],
        Source::Input(Input::File(path)) => RecordSource::open(path, game.id())?,
        Source::Input(Input::Stdin) => {
            RecordSource::read("-", BufReader::new(&mut *context.stdin), game.id())?
        }
    };
    if witnesses.is_empty() {
        return Err(Error::refused(format!(
            "there is no mail about the match {} in it",
            game.id()
        )));
    }
    let mut status = Status::Done;
    for witness in &witnesses {
        let verdict = witness.compare(&game);
        if verdict.differs.is_empty() {
            let agrees = verdict.agrees.join("; ");
            let line = format!("{}: agrees: {agrees}\n", witness.name);
            context.report(visible(&line))?;
        } else {
            status = Status::Refused;
            for difference in &verdict.differs {
                context.say(format_args!("parapost: {}: {difference}", witness.name));
            }
        }
    }
    Ok(status)
}

/// What holds in a file that could be read: that it could be is most of it.
fn whole(game: &Match) -> String {
    let (id, log) = (game.id(), game.log());
    let called = log
        .iter()
        .filter(|event| event.kind == EventKind::Owed)
        .count();
    let chained = if game.is_chained() {
        "chained"
    } else {
        "not chained before it is written next"
    };
    let owed = match game.owed().len() {
        0 => "none owed".to_owned(),
        owed => format!("{owed} owed"),
    };
    let mut text = format!(
        "{id}: whole: {}, hash {}\n{id}: log of {} lines, {chained}; {called} mails called for, {owed}\n",
        half_moves(game.record().steps().len()),
        game.hash(),
        log.len()
    );
    for event in log.iter().filter(|event| event.kind == EventKind::Repaired) {
        let what = event.argument.as_deref().unwrap_or_default();
        text = format!(
            "{text}{id}: repaired {}: {what}\n",
            clock::write(event.time)
        );
    }
    text
}
