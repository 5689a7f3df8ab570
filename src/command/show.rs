//! `parapost show`: shows a position in a chosen form.

use std::fs;
use std::path::Path;

use crate::args::Source;
use crate::command::context::{Context, json};
use crate::command::json::shown::Shown;
use crate::command::list::listed::ListedMatch;
use crate::command::mail::Refused;
use crate::command::show_answer;
use crate::command::source::{self, One};
use crate::command::status::Status;
use crate::files::replace::{replace, replace_privately};
use crate::matches::r#match::Match;
use crate::outbound::page_part;
use crate::render::format::{OutputFormat, Style};
use crate::render::json::PositionJson;
use crate::render::view::{Answering, Details, View};
use crate::rules::Record;
use crate::{Error, args, files};

pub(super) fn run(args: &args::Show, context: &mut Context<'_>) -> Result<Status, Error> {
    if args.notes && args.form != OutputFormat::Html {
        return Err(Error::usage("--notes is for a page: --as html"));
    }
    if args.links.answer && args.form != OutputFormat::Html {
        return show_answer::run(args, context);
    }
    let output = args
        .output
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
    let style = Style {
        is_flipped: args.flip,
        has_marks: args.mark,
        is_indented: args.indent,
        picture: args.picture.options(),
        is_painted: context.out.is_on() && output.is_none(),
        room: context.room().filter(|_| output.is_none()),
    };
    let form = if args.json {
        OutputFormat::Json
    } else {
        args.form
    };
    form.check(style).map_err(Error::usage)?;
    if form == OutputFormat::Png && output.is_none() && context.is_shown {
        return Err(Error::usage(
            "a picture of pixels is nothing for a terminal: name a file by -o",
        ));
    }
    let (mut refused, mut ending, mut listed) = (Vec::new(), None, None);
    let mut details = Details::default();
    let one = match &args.source {
        Source::Match(id) => {
            let game = source::game(id, context)?;
            refused = Refused::all(&game);
            ending = game.ending();
            details = on_page(&game, args, context)?;
            if args.json {
                listed = Some(ListedMatch::whole(&game, context)?);
            }
            One::Record(game.record().clone())
        }
        Source::Input(_) if args.notes => {
            return Err(Error::usage("--notes is about a match: name its id"));
        }
        Source::Input(_) if args.links.answer => return Err(show_answer::no_match()),
        Source::Input(_) => source::one(&args.source, &args.choice, context)?,
    };
    let record;
    let view = match one {
        One::Record(whole) => {
            record = at(&whole, args.at)?;
            let is_last = record.steps().len() == whole.steps().len();
            if !is_last {
                // The legal moves and the ending are those of the last position.
                details = Details {
                    answering: None,
                    ending: None,
                    ..details
                };
            }
            let view = View::of(&record).with_details(details);
            match ending {
                Some(ending) if is_last => view.ended(ending.winner()),
                _ => view,
            }
        }
        One::Drawn(_) if args.at.is_some() => {
            return Err(Error::refused(
                "a diagram alone has no other positions: the list of moves is needed too",
            ));
        }
        One::Drawn(diagram) => View::drawn(diagram),
    };
    let shown = match view.record() {
        Some(record) if args.json => {
            let position = PositionJson::of(record);
            let game = listed;
            (json(&Shown { position, game })? + "\n").into_bytes()
        }
        _ => form.render(&view, style).map_err(Error::refused)?,
    };
    match output {
        Some(path) => {
            // A page with a code, or with words of the players, is for the user alone.
            let is_private = args.notes || args.links.answer;
            write(path, &shown, is_private).map_err(|error| Error::file(path, &error))?;
        }
        None => context.print_bytes(&shown)?,
    }
    for mail in refused {
        context.say(mail);
    }
    Ok(Status::Done)
}

/// Returns what a page tells of a match.
fn on_page(game: &Match, args: &args::Show, context: &mut Context<'_>) -> Result<Details, Error> {
    let details = page_part::details(game);
    if args.form != OutputFormat::Html {
        return Ok(details);
    }
    Ok(Details {
        notes: if args.notes {
            page_part::notes(game)
        } else {
            Vec::new()
        },
        answering: if args.links.answer {
            show_answer::on_page(game, context)?
        } else {
            own_turn(game, context)?
        },
        ..details
    })
}

/// Lets the user pick a move on the page at the user's own turn. The page can be posted,
/// so it has no address and no code, but the command that plays the move.
fn own_turn(game: &Match, context: &mut Context<'_>) -> Result<Option<Answering>, Error> {
    let config = context.config()?;
    let (Some(me), Some(turn)) = (config.somebody(), game.turn()) else {
        return Ok(None);
    };
    let is_mine = game.sides_of(&me.player).contains(&turn);
    Ok(is_mine.then(|| Answering::Command {
        before: format!("parapost move {} '", game.id()),
        behind: "' --send".to_owned(),
    }))
}

/// Returns the record after this many half-moves.
fn at(record: &Record, plies: Option<usize>) -> Result<Record, Error> {
    let played = record.steps().len();
    let plies = plies.unwrap_or(played);
    if plies > played {
        return Err(Error::refused(format!(
            "only {} been made, not {plies}",
            match played {
                1 => "1 half-move has".to_owned(),
                _ => format!("{played} half-moves have"),
            }
        )));
    }
    Ok(record.until(plies))
}

/// Writes a file, in full or not at all.
fn write(path: &Path, data: &[u8], is_private: bool) -> std::io::Result<()> {
    let replace = if is_private {
        replace_privately
    } else {
        replace
    };
    let Some(found) = files::look(path)? else {
        return replace(path, data);
    };
    match fs::canonicalize(path) {
        // Replaces the target of a link, not the link.
        Ok(there) if found.is_file() => replace(&there, data),
        // A device or a pipe must stay in its place. So must a link to one that
        // has no path of its own, such as /dev/stdout.
        _ => fs::write(path, data),
    }
}
