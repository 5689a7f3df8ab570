//! `parapost open`: shows a match, or its last mail, in the browser.

use std::fs::{self, DirBuilder};
use std::path::Path;
use std::{env, io};

use clap::{Args, ValueEnum};

use crate::command::context::{Context, Status};
use crate::command::show::own_turn;
use crate::command::source;
use crate::mail::files::replace::replace_for_user;
use crate::match_id::Id;
use crate::matches::mail::QueuedMail;
use crate::matches::r#match::Match;
use crate::outbound::compose;
use crate::printable::percent_encoded;
use crate::referee::session::Session;
use crate::render::page;
use crate::render::picture::Picture;
use crate::render::view::{Details, View};
use crate::rules::Color;
use crate::{Error, config};

/// `parapost open`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/open.txt").trim_ascii_end())]
pub(super) struct Open {
    /// What to show
    #[arg(long = "as", value_name = "WHAT", value_enum, default_value_t = What::Page)]
    what: What,
    /// The match
    #[arg(value_name = "ID")]
    id: Id,
}

/// What is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// A page to replay the match on, and to pick your move
    Page,
    /// Its last mail to the player to move, as a mail program shows it
    Mail,
}

pub(super) fn run(args: &Open, context: &mut Context<'_>) -> Result<Status, Error> {
    let game = source::game(&args.id, context)?;
    let (folder, text) = match args.what {
        What::Page => ("pages", match_page(&game, context)?),
        What::Mail => ("mails", mail_page(&game, context)?),
    };
    // The name of the file is the id, which is letters, digits and dashes.
    let folder = config::cache_folder()?.join(folder);
    let path = folder.join(format!("{}.html", game.id()));
    make_private(&folder).map_err(|error| Error::file(&folder, &error))?;
    replace_for_user(&path, text.as_bytes()).map_err(|error| Error::file(&path, &error))?;
    context.print(format_args!("{}\n", path.display()))?;
    context.flush()?;
    match show(&path) {
        Ok(()) => context.say(format_args!("{}: the browser shows it", game.id())),
        Err(why) => context.say(format_args!(
            "{}: {why}: open that file in a browser",
            game.id()
        )),
    }
    Ok(Status::Done)
}

/// Writes the page of a match for its user, with all that was written in it.
fn match_page(game: &Match, context: &mut Context<'_>) -> Result<String, Error> {
    let details = Details {
        notes: compose::notes(game),
        answering: own_turn(game, context)?,
        ..compose::details(game)
    };
    let config = context.config()?;
    let me = config.somebody().map(|me| &me.player);
    let is_flipped = game.own_sides(me) == [Color::Black];
    let view = View::of(game.record()).with_details(details);
    let view = match game.ending() {
        Some(ending) => view.ended(ending.result(), ending.status()),
        None => view,
    };
    let picture = Picture {
        is_flipped,
        ..Picture::default()
    };
    Ok(page::write(&view, &picture))
}

/// Writes the last mail as its reader sees it.
fn mail_page(game: &Match, context: &mut Context<'_>) -> Result<String, Error> {
    let session = Session::open(context)?;
    let Some(mail) = last_mail(game) else {
        return Err(Error::refused(format!(
            "{}: no mail of this match yet",
            game.id()
        )));
    };
    compose::preview(
        game,
        &mail,
        &session.me.player,
        &session.templates,
        &session.ids,
    )
}

/// Returns the last mail to the player to move, or the last of all.
fn last_mail(game: &Match) -> Option<QueuedMail> {
    let to_move = game.turn().and_then(|turn| game.mails_to(turn).last());
    let all = || {
        let mails = Color::ALL
            .into_iter()
            .flat_map(|color| game.mails_to(color));
        mails.max_by_key(|mail| mail.line)
    };
    to_move.or_else(all)
}

/// Makes a folder for the user alone.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Shows a page in the user's browser.
///
/// # Errors
///
/// If it cannot be shown: why, in words.
fn show(path: &Path) -> Result<(), String> {
    if !has_screen() {
        return Err("there is no screen here".to_owned());
    }
    let path = fs::canonicalize(path).map_err(|error| error.to_string())?;
    webbrowser::open(&address(&path)).map_err(|error| format!("no browser was found ({error})"))
}

/// Returns true if a window can be shown, or a browser of the terminal is asked for.
fn has_screen() -> bool {
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let names = ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
    cfg!(target_os = "macos") || cfg!(windows) || names.iter().any(is_set)
}

/// Returns the address of a file. Whatever could part it is encoded.
fn address(path: &Path) -> String {
    let path = path.as_os_str().as_encoded_bytes();
    format!("file://{}", percent_encoded(path, b"/-_."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_file_is_one_word() {
        let path = Path::new("/home/anna/my games/%s;ls/k7f3qd.html");
        let expected = "file:///home/anna/my%20games/%25s%3Bls/k7f3qd.html";
        assert_eq!(address(path), expected);
    }
}
