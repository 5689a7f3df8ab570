//! `parapost show`: shows a position in a chosen form.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::command::arguments::{GameArgs, Source, file_or_id};
use crate::command::context::{Context, Status, json};
use crate::command::list::ListedMatch;
use crate::command::mail::refusals;
use crate::command::source::{self, One};
use crate::mail::files;
use crate::mail::files::replace::{replace, replace_privately};
use crate::matches::codes::last_mail_with_code;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::outbound::html_part;
use crate::outbound::taps::{self, Answer};
use crate::plural::half_moves;
use crate::render::format::{OutputFormat, PictureOptions, Style};
use crate::render::text::PositionJson;
use crate::render::view::{Answering, Details, View};
use crate::rules::Record;
use crate::{Error, clock};

/// `parapost show`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost show k7f3qd
  parapost show --at 4 --as fen game.txt
  parapost show --as markdown --flip k7f3qd
  parapost show --as png --size 800 -o board.png k7f3qd
  parapost show --as html -o match.html k7f3qd")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(super) struct Show {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    choice: GameArgs,
    /// Show the answer that the links of the last mail of a match begin, with its code
    #[arg(long, conflicts_with_all = ["game", "options", "at", "flip", "mark", "indent"])]
    answer: bool,
    /// After so many half-moves [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// The form
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = OutputFormat::Diagram)]
    form: OutputFormat,
    /// Write one JSON object instead; of a match, with what 'list --json' says of it
    #[arg(long, conflicts_with_all = ["form", "flip", "mark", "indent", "answer"])]
    json: bool,
    /// Show the board from the second player's side
    #[arg(long)]
    flip: bool,
    /// Mark the second player's pieces with a 'v', not by their case alone
    #[arg(long)]
    mark: bool,
    /// With --as markdown: indent the block instead of fencing it
    #[arg(long)]
    indent: bool,
    /// The look of a picture.
    #[command(flatten)]
    picture: PictureOptions,
    /// With --as html: show what was written in the match, too; not for everybody's eyes
    #[arg(long, conflicts_with = "json")]
    notes: bool,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A text or a match [default: standard input]
    #[arg(value_name = "FILE|-|ID", default_value = "-", hide_default_value = true, value_parser = file_or_id)]
    source: Source,
}

pub(super) fn run(args: &Show, context: &mut Context<'_>) -> Result<Status, Error> {
    if let Source::Input(_) = args.source {
        context.without_games()?;
    }
    if args.notes && args.form != OutputFormat::Html {
        return Err(Error::usage("--notes is for a page: --as html"));
    }
    if args.answer && args.form != OutputFormat::Html {
        return show_answer(args, context);
    }
    let output = args
        .output
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
    let style = args.style(output.is_some(), context);
    let form = if args.json {
        OutputFormat::Json
    } else {
        args.form
    };
    form.check(style)?;
    if form == OutputFormat::Png && output.is_none() && context.is_shown {
        return Err(Error::usage(
            "a picture of pixels is nothing for a terminal: name a file by -o",
        ));
    }
    let game = match &args.source {
        Source::Match(id) => Some(source::game(id, context)?),
        Source::Input(_) if args.notes => {
            return Err(Error::usage("--notes is about a match: name its id"));
        }
        Source::Input(_) if args.answer => return Err(no_match()),
        Source::Input(_) => None,
    };
    let (mut details, mut listed) = (Details::default(), None);
    let one = if let Some(game) = &game {
        details = on_page(game, args, context)?;
        if args.json {
            let config = context.config()?;
            let me = config.somebody().map(|me| &me.player);
            listed = Some(ListedMatch::of(game, me, clock::now()?));
        }
        One::Record(game.record().clone())
    } else {
        source::one(&args.source, &args.choice, context)?
    };
    let record;
    let view = match one {
        One::Record(whole) => {
            record = at(&whole, args.at)?;
            let is_last = record.steps().len() == whole.steps().len();
            if !is_last {
                // The legal moves and the ending are those of the last position.
                (details.answering, details.ending) = (None, None);
            }
            let view = View::of(&record).with_details(details);
            match game.as_ref().and_then(|game| game.ending()) {
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
    let shown = match view.record {
        Some(record) if args.json => {
            let shown = Shown {
                position: PositionJson::of(record),
                game: listed,
            };
            (json(&shown)? + "\n").into_bytes()
        }
        _ => form.render(&view, style)?,
    };
    match output {
        Some(path) => {
            // A page with a code, or with words of the players, is for the user alone.
            let is_private = args.notes || args.answer;
            write(path, &shown, is_private).map_err(|error| Error::file(path, &error))?;
        }
        None => context.print_bytes(&shown)?,
    }
    for mail in game.iter().flat_map(|game| refusals(game)) {
        context.say(mail);
    }
    Ok(Status::Done)
}

impl Show {
    /// Returns the look of what is shown, which a file gets without colours and in full width.
    fn style(&self, is_for_file: bool, context: &Context<'_>) -> Style {
        Style {
            is_flipped: self.flip,
            has_marks: self.mark,
            is_indented: self.indent,
            picture: self.picture,
            is_painted: context.out.is_on() && !is_for_file,
            room: context.room().filter(|_| !is_for_file),
        }
    }
}

/// Returns what a page tells of a match.
fn on_page(game: &Match, args: &Show, context: &mut Context<'_>) -> Result<Details, Error> {
    let details = html_part::details(game);
    if args.form != OutputFormat::Html {
        return Ok(details);
    }
    Ok(Details {
        notes: if args.notes {
            html_part::notes(game)
        } else {
            Vec::new()
        },
        answering: if args.answer {
            answering(game, context)?
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
        let verb = if played == 1 { "has" } else { "have" };
        let made = half_moves(played);
        return Err(Error::refused(format!(
            "only {made} {verb} been made, not {plies}"
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

/// Stands in the place of the move.
const MOVE: &str = "MOVE";

fn show_answer(args: &Show, context: &mut Context<'_>) -> Result<Status, Error> {
    let Source::Match(id) = &args.source else {
        return Err(no_match());
    };
    if args.form != OutputFormat::Diagram {
        return Err(Error::usage("--answer is a text, or with --as html a page"));
    }
    let game = source::game(id, context)?;
    let mail = last_mail(&game)?;
    // A code does not depend on the host.
    let code = MailIds::new(context.secret()?, "").answer_code(&mail.msg);
    let plies = game.record().steps().len();
    let Answer { subject, body } = Answer::new(MOVE, id, plies, &code);
    context.print(format_args!("Subject: {subject}\n\n{}\n", body.join("\n")))?;
    Ok(Status::Done)
}

/// Returns the same answer for a page on which the player to move picks the move.
fn answering(game: &Match, context: &mut Context<'_>) -> Result<Option<Answering>, Error> {
    let mail = last_mail(game)?;
    let ids = MailIds::new(context.secret()?, "");
    let config = context.config()?;
    let me = &config.me()?.player;
    // As the mail itself: it is from the other player, or from the referee.
    let sides = game.sides_of(me);
    let other = sides.into_iter().find(|side| *side != mail.to);
    let from = other.map_or(me, |side| game.player(side)).address();
    Ok(taps::answering(game, &mail, from, &ids))
}

/// Returns the last mail with links that are right now.
fn last_mail(game: &Match) -> Result<QueuedMail, Error> {
    let Some(turn) = game.turn() else {
        return Err(Error::refused("the match is over"));
    };
    last_mail_with_code(game).ok_or_else(|| {
        let name = game.player(turn).name();
        Error::refused(format!("no mail to {name} has links now"))
    })
}

/// The error where no match is named.
fn no_match() -> Error {
    Error::usage("--answer is about a match: name its id")
}

/// A position.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    position: PositionJson,
    /// The match as it is now; null for a text.
    #[serde(rename = "match")]
    game: Option<ListedMatch>,
}
