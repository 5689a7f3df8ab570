//! What is checked of the matches: damage, and mail that has not arrived.

use crate::Error;
use crate::command::context::Context;
use crate::command::doctor::clock::Clock;
use crate::command::doctor::finding::{Finding, Report};
use crate::matches::r#match::Match;

/// Checks the matches. Returns true if they can be read at all.
///
/// # Errors
///
/// If the report cannot be written.
pub(super) fn check(
    clock: &mut Clock,
    report: &mut Report,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    let store = context.store()?;
    let survey = match store.survey() {
        Ok(survey) => survey,
        Err(error) => {
            let finding = Finding::wrong("matches", error);
            report.add(
                finding.mend("give yourself the right to read them"),
                context,
            )?;
            return Ok(false);
        }
    };
    for remark in store.remarks(true).unwrap_or_default() {
        report.add(Finding::note("matches", remark), context)?;
    }
    for (id, error) in &survey.damaged {
        let finding = Finding::wrong(format!("match {id}"), error);
        report.add(finding.mend(format!("'parapost repair {id}'")), context)?;
    }
    if survey.damaged.is_empty() {
        let said = match survey.matches.len() {
            0 => "there is none yet".to_owned(),
            1 => "one, not damaged".to_owned(),
            several => format!("{several}, none damaged"),
        };
        report.add(Finding::ok("matches", said), context)?;
    }
    let mut has_gone = true;
    for stored in &survey.matches {
        let game = &stored.game;
        if let Some(last) = game.log().last() {
            clock.must_be_past(last.time, &format!("the last event of match {}", game.id()));
        }
        for finding in mail(game) {
            has_gone = false;
            report.add(finding, context)?;
        }
    }
    if has_gone && !survey.matches.is_empty() {
        report.add(Finding::ok("mail", "none is owed or refused"), context)?;
    }
    Ok(true)
}

/// Returns what is found of the mail of a match.
fn mail(game: &Match) -> Vec<Finding> {
    let (id, what) = (game.id(), format!("mail of match {}", game.id()));
    let count = |count: usize, done: &str| match count {
        1 => format!("one mail {done}"),
        several => format!("{several} mails {done}"),
    };
    let mut found = Vec::new();
    if !game.owed().is_empty() {
        let said = count(game.owed().len(), "owed");
        found.push(Finding::note(&what, said).mend("'parapost send' sends it"));
    }
    for (mails, done) in [
        (game.undelivered(), "refused for good"),
        (game.reported(), "reported undelivered"),
    ] {
        if !mails.is_empty() {
            let said = count(mails.len(), done);
            found.push(Finding::wrong(&what, said).mend(format!(
                "'parapost mail list {id}' says which; send it again or to another address by 'parapost mail retry' or 'redirect'"
            )));
        }
    }
    found
}
