//! `parapost show`: shows a position in a chosen form.

use std::fs;
use std::path::Path;

use crate::args::Source;
use crate::command::context::{Context, json};
use crate::command::json::shown::Shown;
use crate::command::list::ListedMatch;
use crate::command::mail::Refused;
use crate::command::show_answer;
use crate::command::source::{self, One};
use crate::command::status::Status;
use crate::files::replace::replace;
use crate::render::format::{OutputFormat, Style};
use crate::render::json::PositionJson;
use crate::render::view::View;
use crate::rules::Record;
use crate::{Error, args, files};

pub(super) fn run(args: &args::Show, context: &mut Context<'_>) -> Result<Status, Error> {
    if args.links.answer {
        return show_answer::run(args, context);
    }
    let style = Style {
        is_flipped: args.flip,
        has_marks: args.mark,
        is_indented: args.indent,
        picture: args.picture.options(),
    };
    let form = if args.json {
        OutputFormat::Json
    } else {
        args.form
    };
    form.check(style).map_err(Error::usage)?;
    let output = args
        .output
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
    if form == OutputFormat::Png && output.is_none() && context.is_shown {
        return Err(Error::usage(
            "a picture of pixels is nothing for a terminal: name a file by -o",
        ));
    }
    let (mut refused, mut ending, mut listed) = (Vec::new(), None, None);
    let one = match &args.source {
        Source::Match(id) => {
            let game = context.store()?.read(id)?.game;
            refused = Refused::all(&game);
            ending = game.ending();
            if args.json {
                listed = Some(ListedMatch::whole(&game, context)?);
            }
            One::Record(game.record().clone())
        }
        Source::Input(_) => source::one(&args.source, &args.choice, context)?,
    };
    let record;
    let view = match one {
        One::Record(whole) => {
            record = at(&whole, args.at)?;
            let view = View::of(&record);
            match ending {
                Some(ending) if record.steps().len() == whole.steps().len() => {
                    view.ended(ending.winner())
                }
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
            write(path, &shown).map_err(|error| Error::file(path, &error))?;
        }
        None => context.print_bytes(&shown)?,
    }
    for mail in refused {
        context.say(mail);
    }
    Ok(Status::Done)
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
fn write(path: &Path, data: &[u8]) -> std::io::Result<()> {
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
