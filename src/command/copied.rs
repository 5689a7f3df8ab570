//! Matches that are copied from one store to another, byte by byte.

use crate::Error;
use crate::command::context::Context;
use crate::command::status::Status;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::place::is_like_match;
use crate::store::store::Store;

/// What became of one match.
enum Copied {
    /// It is there now.
    Added,
    /// It was there already, byte by byte the same.
    Same,
    /// Its text is none of a match.
    NoMatch,
}

/// Copies all matches, and says which could not be. What is there already stays as it is.
///
/// # Errors
///
/// If the matches cannot be listed.
pub(super) fn copy(
    from: &dyn Store,
    to: &dyn Store,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let mut status = Status::Done;
    let (mut added, mut same, mut refused) = (0, 0, 0);
    for id in from.ids()? {
        match copy_one(from, to, &id) {
            Ok(Copied::Added) => added += 1,
            Ok(Copied::Same) => same += 1,
            Ok(Copied::NoMatch) => context.say(format_args!(
                "parapost: {}: this is no match, and is passed over",
                from.name_of(&id)
            )),
            Err(error) => {
                context.say_error(&error);
                refused += 1;
                status = status.or_worse(Status::from(&error));
            }
        }
    }
    let mut said = vec![format!("{} copied to {}", matches(added), to.place())];
    if same > 0 {
        said.push(format!("{same} there already"));
    }
    if refused > 0 {
        said.push(format!("{refused} not copied"));
    }
    context.say(said.join(", "));
    Ok(status)
}

/// Copies a match, and what is known of the attempts to send its mail: else a move could
/// be taken back whose mail may have gone.
fn copy_one(from: &dyn Store, to: &dyn Store, id: &Id) -> Result<Copied, Error> {
    let Some(text) = from.text(id)? else {
        // Somebody has taken it away meanwhile.
        return Ok(Copied::NoMatch);
    };
    if !is_like_match(&text) {
        return Ok(Copied::NoMatch);
    }
    let has_mail = Match::read(&text, id)
        .is_ok_and(|game| !game.owed().is_empty() || !game.undelivered().is_empty());
    let attempts = if has_mail {
        from.sending(id)?.text()?
    } else {
        String::new()
    };
    let is_added = to.add_text(id, &text)?;
    if is_added || to.text(id)?.is_some_and(|there| there == text) {
        if !attempts.is_empty() {
            let mut sending = to.sending(id)?;
            // An earlier run may have ended before it came to this.
            if sending.text()?.is_empty() {
                sending.set_text(&attempts)?;
            }
        }
        return Ok(if is_added {
            Copied::Added
        } else {
            Copied::Same
        });
    }
    Err(Error::refused(format!(
        "{}: there is another match {id}, which stays as it is",
        to.name_of(id)
    )))
}

fn matches(count: usize) -> String {
    match count {
        1 => "one match".to_owned(),
        several => format!("{several} matches"),
    }
}
