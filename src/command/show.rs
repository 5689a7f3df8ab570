//! `parapost show`: shows a position in a chosen form.

use std::iter;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use clap::{Args, value_parser};
use serde::Serialize;

use crate::command::arguments::{GameArgs, Source, TurnArgs, file_or_id};
use crate::command::context::{Context, Progress, Status, json};
use crate::command::list::{ListedMatch, ListedNews};
use crate::command::mail::refusals;
use crate::command::source::{self, NO_TURN, One, SourceText};
use crate::mail::files::replace::{replace, replace_for_user, write_named};
use crate::matches::codes::last_mail_with_code;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::notation::diagnostic::Problem;
use crate::notation::header::Heading;
use crate::notation::move_list::numbered;
use crate::notation::positions::{LocatedPosition, alone};
use crate::notation::reader::{pasted, posted};
use crate::outbound::compose;
use crate::outbound::taps::{self, Answer};
use crate::printable::{counted, half_moves, one_line, width};
use crate::render::annotation::Annotations;
use crate::render::format::{OutputFormat, PictureOptions, Style};
use crate::render::raster::{self, DELAY, Motion};
use crate::render::text::PositionJson;
use crate::render::view::{Answering, Details, View};
use crate::rules::{Color, Record};
use crate::{Error, clock};

/// `parapost show`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost show k7f3qd
  parapost show --at 4 --as fen game.txt
  parapost show --as markdown --flip k7f3qd
  parapost show --fen '8/8/8/8/8/8/8/K1k5 w' --as coords
  parapost show --number --as bbcode quiz.txt
  parapost show --as png --size 800 -o board.png k7f3qd
  parapost show --as svg --arrow e2e4:red --caption 'White to move' -o a.svg game.txt
  parapost show --as gif -o game.gif game.txt
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
    #[command(flatten)]
    turn: TurnArgs,
    /// The position of this FEN
    #[arg(long, value_name = "FEN", conflicts_with_all = ["source", "answer", "notes", "at"])]
    fen: Option<String>,
    /// Write '1.', '2.' and so on above the positions of a text
    #[arg(long, conflicts_with_all = ["answer", "json"])]
    number: bool,
    /// After so many half-moves [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// The form [default: the diagram, of a match at a terminal with its edges and what the match waits for]
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<OutputFormat>,
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
    /// What is drawn on the board.
    #[command(flatten)]
    annotations: Annotations,
    /// With --as gif: begin after so many half-moves [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "at")]
    from: Option<usize>,
    /// With --as gif: end after so many half-moves [default: all]
    #[arg(long, value_name = "N", conflicts_with = "at")]
    to: Option<usize>,
    /// With --as gif: the milliseconds of each position, 20 to 60000; the last one is shown four times as long [default: 800]
    #[arg(long, value_name = "MS", value_parser = value_parser!(u32).range(20..=60_000))]
    delay: Option<u32>,
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

impl Show {
    fn form(&self) -> OutputFormat {
        self.form.unwrap_or(OutputFormat::Diagram)
    }
}

pub(super) fn run(args: &Show, context: &mut Context<'_>) -> Result<Status, Error> {
    if args.fen.is_some() || matches!(args.source, Source::Input(_)) {
        context.without_games()?;
    }
    args.check()?;
    if args.answer && args.form() != OutputFormat::Html {
        return show_answer(args, context);
    }
    let output = args
        .output
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
    let style = args.style(output.is_some(), context);
    let is_headed = args.is_headed(context);
    let form = args.form_of(is_headed);
    form.check(&style)?;
    if form.is_of_pixels() && output.is_none() && context.is_shown {
        return Err(Error::usage(
            "a picture of pixels is not written to a terminal: name a file with -o",
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
    let mut head = String::new();
    let one = if let Some(game) = &game {
        details = on_page(game, args, context)?;
        (listed, head) = told(game, args, is_headed, context)?;
        One::of(game.record().clone())
    } else {
        let text = match (&args.fen, &args.source) {
            (Some(fen), _) => SourceText::of_option("--fen", fen),
            (None, Source::Input(input)) => SourceText::read(input, context)?,
            (None, Source::Match(_)) => unreachable!("a match was read"),
        };
        let lines = posted(&text.text);
        let by = source::by(&args.choice, &lines)?;
        let found = source::positions(&text, &args.choice, &by, &lines, context)?;
        let is_match = |position: &LocatedPosition| !position.moves.is_empty();
        if found.is_empty() || found.len() == 1 && found.iter().any(is_match) {
            args.refuse_without_positions(&text)?;
            source::of_text(&text, &args.choice, context)?
        } else {
            let shown = args.shown(&found, form, &style, &text, context)?;
            return write(args, output, &shown, context);
        }
    };
    let record;
    let view = match one {
        One::Record(whole, stated, heading) => {
            record = source::agreeing(at(&whole, args.at.or(args.to))?, args.turn.turn)?;
            let is_last = record.steps().len() == whole.steps().len();
            if game.is_none() {
                take_heading(&mut details, heading);
            }
            if !is_last {
                // The legal moves and the ending are those of the last position.
                (details.answering, details.ending) = (None, None);
            }
            let view = View::of(&record).with_details(details);
            match game.as_ref().and_then(|game| game.ending()) {
                Some(ending) if is_last => view.ended(ending.result(), ending.status()),
                _ => match stated.as_slice() {
                    [winner] if is_last && form.is_list() => view.stated(*winner),
                    _ => view,
                },
            }
        }
        One::Position(_) => unreachable!("positions are shown above"),
    };
    let shown = match view.record {
        Some(record) if args.json => {
            let shown = Shown {
                position: PositionJson::of(&view, record),
                game: listed,
            };
            (json(&shown)? + "\n").into_bytes()
        }
        Some(record) if form == OutputFormat::Gif => {
            args.moving(&view, record, &style, context.is_terminal)?
        }
        _ => form.render(&view, &style)?,
    };
    if output.is_none() {
        context.print(head)?;
    }
    write(args, output, &shown, context)?;
    for mail in game.iter().flat_map(|game| refusals(game)) {
        context.say(mail);
    }
    Ok(Status::Done)
}

/// Writes what is shown to its file or to standard output.
fn write(
    args: &Show,
    output: Option<&Path>,
    shown: &[u8],
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    if let Some(path) = output {
        // A page with a code, or with words of the players, is for the user alone.
        let is_private = args.notes || args.answer;
        let replace = if is_private {
            replace_for_user
        } else {
            replace
        };
        write_named(path, shown, replace).map_err(|error| Error::file(path, &error))?;
    } else {
        context.print_bytes(shown)?;
    }
    Ok(Status::Done)
}

impl Show {
    /// Refuses the options of a form without it.
    fn check(&self) -> Result<(), Error> {
        if self.notes && self.form() != OutputFormat::Html {
            return Err(Error::usage("--notes is for a page: --as html"));
        }
        let is_moving = self.from.is_some() || self.to.is_some() || self.delay.is_some();
        if is_moving && self.form() != OutputFormat::Gif {
            return Err(Error::usage("--from, --to and --delay need --as gif"));
        }
        Ok(())
    }

    /// Returns how a match moves that ends with this record.
    fn motion(&self, record: &Record) -> Result<Motion, Error> {
        let (from, to) = (self.from.unwrap_or_default(), record.steps().len());
        if from > to {
            return Err(Error::refused(format!(
                "--from {from} is behind the last position, which is after {}",
                half_moves(to)
            )));
        }
        let delay = self.delay.map(|thousandths| thousandths / 10);
        let delay = delay.and_then(|hundredths| u16::try_from(hundredths).ok());
        Ok(Motion {
            plies: from..=to,
            delay: delay.unwrap_or(DELAY),
        })
    }

    /// Draws a match that moves, with its progress at a terminal.
    fn moving(
        &self,
        view: &View<'_>,
        record: &Record,
        style: &Style,
        is_terminal: bool,
    ) -> Result<Vec<u8>, Error> {
        let motion = self.motion(record)?;
        let mut progress = Progress::new(is_terminal, "pictures");
        progress.expect(2 * motion.plies.clone().count() as u64);
        raster::gif(view, record, &motion, &style.picture(), || {
            progress.advance(1);
            progress.count();
        })
    }

    /// Refuses an empty text, and numbers above a match.
    fn refuse_without_positions(&self, text: &SourceText) -> Result<(), Error> {
        if text.text.trim().is_empty() {
            let name = &text.name;
            return Err(Error::refused(format!(
                "{name}: there is nothing to show in it"
            )));
        }
        if self.number {
            return Err(Error::refused(
                "--number is for positions, and this text tells a match",
            ));
        }
        Ok(())
    }

    /// Returns the form of what is shown, with or without a head.
    fn form_of(&self, is_headed: bool) -> OutputFormat {
        match self.form {
            _ if self.json => OutputFormat::Json,
            // Whoever looks at a match wants to name squares, and to see how it came about.
            None if is_headed => OutputFormat::Coords,
            _ => self.form(),
        }
    }
}

/// Takes what the tags of a text say.
fn take_heading(details: &mut Details, heading: Heading) {
    details.players = heading.players.map(Option::unwrap_or_default);
    details.event = heading.event.unwrap_or_default();
    let date = heading.date.unwrap_or_default().replace(['.', '-'], "/");
    details.begun = NaiveDate::parse_from_str(&date, "%Y/%m/%d").ok();
}

impl Show {
    /// Returns true if a match is shown to somebody at a terminal. A form that is asked for by
    /// its name, written to a file or piped is for posting or for programs, and has no head.
    fn is_headed(&self, context: &Context<'_>) -> bool {
        let is_of_match = matches!(self.source, Source::Match(_));
        let is_plain = self.form.is_none() && self.at.is_none() && !self.json;
        is_of_match && is_plain && self.output.is_none() && context.is_shown
    }

    /// Returns the positions of a text in this form, one below the other.
    ///
    /// # Errors
    ///
    /// If there are several and the form is for one; or if it needs to know whose turn it is, and
    /// nothing tells that, or no game can reach the position.
    fn shown(
        &self,
        found: &[LocatedPosition],
        form: OutputFormat,
        style: &Style,
        text: &SourceText,
        context: &mut Context<'_>,
    ) -> Result<Vec<u8>, Error> {
        let name = &text.name;
        if self.at.is_some() {
            return Err(Error::refused(
                "a position alone has no others before it: the list of moves is needed too",
            ));
        }
        let is_of_several = form.is_text() && !form.is_for_one();
        if found.len() > 1 && !is_of_several {
            let several = source::several(name, found.len());
            return Err(Error::refused(format!(
                "{several}, and the form {form} is for one"
            )));
        }
        if self.number && !is_of_several {
            return Err(Error::usage(format!("the form {form} has no numbers")));
        }
        let mut warnings = Vec::new();
        let mut shown = Vec::new();
        for (at, position) in found.iter().enumerate() {
            if at > 0 {
                shown.push(b'\n');
            }
            if self.number {
                shown.extend(format!("{}.\n", at + 1).into_bytes());
            }
            shown.extend(self.position(position, form, style, name, &mut warnings)?);
        }
        context.say_problems(&warnings, name, &pasted(&text.text));
        Ok(shown)
    }

    /// Returns a position in this form. One that no game can reach is drawn, with a warning.
    fn position(
        &self,
        position: &LocatedPosition,
        form: OutputFormat,
        style: &Style,
        name: &str,
        warnings: &mut Vec<Problem>,
    ) -> Result<Vec<u8>, Error> {
        let place = position.place;
        let at = format!("{name}:{}:{}", place.line, place.column);
        let rendered = |record: &Record| {
            let view = View::of(record);
            if self.json {
                let position = PositionJson::of(&view, record);
                let shown = Shown {
                    position,
                    game: None,
                };
                return Ok((json(&shown)? + "\n").into_bytes());
            }
            form.render(&view, style)
        };
        if !position.moves.is_empty() {
            let judged = alone::judged(position);
            if let Some(error) = judged.problems.iter().find(|problem| problem.is_error()) {
                return Err(Error::refused(format!("{at}: error: {}", error.message)));
            }
            warnings.extend(judged.problems.iter().cloned());
            let record = source::agreeing(judged.game.into_record(), self.turn.turn)?;
            return rendered(&record);
        }
        warnings.extend(source::overruled(position, self.turn.turn));
        let turn = self.turn.turn.or(position.turn);
        let begun = turn.map(|turn| position.position(turn));
        let fault = match &begun {
            Some(Ok((start, left_out))) => {
                warnings.extend(position.warnings.iter().chain(left_out).cloned());
                return rendered(&Record::new(start.clone()));
            }
            Some(Err(error)) => Some(error.clone()),
            None => position.fault(),
        };
        warnings.extend(position.warnings.iter().cloned());
        let fault = fault.map(|error| format!("no game can reach this position: {error}"));
        if let (OutputFormat::Fen, Some(turn)) = (form, turn) {
            warnings.extend(fault.map(|fault| Problem::warning(place, fault)));
            return Ok((position.fen(turn) + "\n").into_bytes());
        }
        if form.needs_turn() {
            let why = fault.unwrap_or_else(|| NO_TURN.to_owned());
            return Err(Error::refused(format!("{at}: error: {why}")));
        }
        warnings.extend(fault.map(|fault| Problem::warning(place, fault)));
        form.render(&View::drawn(position.diagram()).to_move(turn), style)
    }

    /// Returns the look of what is shown, which a file gets without colours and in full width.
    fn style(&self, is_for_file: bool, context: &Context<'_>) -> Style {
        Style {
            is_flipped: self.flip,
            has_marks: self.mark,
            is_indented: self.indent,
            picture: self.picture,
            annotations: self.annotations.clone(),
            is_painted: context.out.is_on() && !is_for_file,
            room: context.room().filter(|_| !is_for_file),
        }
    }
}

/// Returns what is told of a match beside its position: to programs as in a list, to somebody at a
/// terminal in a head.
fn told(
    game: &Match,
    args: &Show,
    is_headed: bool,
    context: &mut Context<'_>,
) -> Result<(Option<ListedMatch>, String), Error> {
    let config = context.config()?;
    let me = config.somebody().map(|me| &me.player);
    if args.json {
        let listed = ListedMatch::of(game, me, clock::now()?);
        return Ok((Some(listed), String::new()));
    }
    let room = context.room().filter(|_| is_headed);
    Ok((
        None,
        room.map_or(String::new(), |room| head_of(game, me, room)),
    ))
}

/// Tells in three lines against whom a match is, what it waits for, and what was played last.
fn head_of(game: &Match, me: Option<&Player>, columns: usize) -> String {
    let player = |color| {
        // The head is for the user alone, and so may have an address.
        let (side, name) = (game.variant().player(color), game.player(color).name());
        if name == side {
            name.to_owned()
        } else {
            format!("{name} ({side})")
        }
    };
    let mine = game.own_sides(me);
    let players = match mine.as_slice() {
        [side] => format!("against {}", player(!*side)),
        _ => Color::ALL.map(player).join(" - "),
    };
    let options = game.variant().options().iter().copied();
    let rules: Vec<&str> = iter::once(game.variant().game().name)
        .chain(options)
        .collect();
    let mut last = match game.record().steps().last() {
        Some(step) => {
            let last = game.record().steps().len() - 1;
            format!("Last move: {}.", numbered(last, &step.to_string()))
        }
        None => "No move has been made.".to_owned(),
    };
    for (mails, done) in [
        (game.owed().len(), "owed"),
        (game.filed().count(), "unsent in a folder"),
    ] {
        let verb = if mails == 1 { "is" } else { "are" };
        if mails > 0 {
            last = format!("{last} {} {verb} {done}.", counted(mails, "mail"));
        }
    }
    let lines = [
        format!("{}: {}, {players}", game.id(), rules.join(", ")),
        waits_for(game, &mine, player),
        last,
    ];
    let lines = lines.into_iter().chain(in_newsgroup(game));
    let lines = lines.map(|line| cut(&one_line(&line), columns) + "\n");
    lines.collect::<String>() + "\n"
}

/// Tells what there is of a match in a newsgroup or on a mailing list, and how much of it is owed.
fn in_newsgroup(game: &Match) -> Option<String> {
    let news = ListedNews::of(game)?;
    let owed = match news.owed {
        0 => String::new(),
        owed => format!(", {owed} owed"),
    };
    let posted = counted(news.posted, "article");
    Some(format!("It is {news}: {posted} posted{owed}."))
}

/// Says whose turn it is since when, and what is to be answered; or how the match ended.
fn waits_for(game: &Match, mine: &[Color], player: impl Fn(Color) -> String) -> String {
    let Some(turn) = game.turn() else {
        let ending = game.ending();
        return ending.map_or(String::new(), |ending| {
            format!("{}: {}", ending.sentence(game.variant()), ending.score())
        });
    };
    let since = clock::for_people(game.state.since);
    let mut text = if mine == [turn] {
        format!("Your move since {since}")
    } else {
        format!("{} is to move since {since}", player(turn))
    };
    if let Some(deadline) = game.deadline() {
        text = format!("{text}, by {}", clock::for_people(deadline));
    }
    for (side, does) in [
        (game.offer(), "offers a draw"),
        (game.takeback(), "wants the last move back"),
    ] {
        if let Some(side) = side {
            text = format!("{text}; {} {does}", player(side));
        }
    }
    text
}

/// Cuts a line that is wider than a terminal.
fn cut(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_owned();
    }
    let mut kept = String::new();
    for c in line.chars() {
        kept.push(c);
        if width(&kept) >= columns {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// Returns what a page tells of a match.
fn on_page(game: &Match, args: &Show, context: &mut Context<'_>) -> Result<Details, Error> {
    let details = compose::details(game);
    if args.form() != OutputFormat::Html {
        return Ok(details);
    }
    Ok(Details {
        notes: if args.notes {
            compose::notes(game)
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
pub(super) fn own_turn(
    game: &Match,
    context: &mut Context<'_>,
) -> Result<Option<Answering>, Error> {
    let config = context.config()?;
    let (Some(me), Some(turn)) = (config.somebody(), game.turn()) else {
        return Ok(None);
    };
    let is_mine = game.sides_of(&me.player).contains(&turn) && !game.is_at_terminal();
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

/// Stands in the place of the move.
const MOVE: &str = "MOVE";

fn show_answer(args: &Show, context: &mut Context<'_>) -> Result<Status, Error> {
    let Source::Match(id) = &args.source else {
        return Err(no_match());
    };
    if args.form() != OutputFormat::Diagram {
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
