//! `parapost show` shows a position in a chosen form, `parapost legal` lists its legal moves, and
//! `parapost perft` counts the lines of play behind it.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use clap::Args;
use serde::{Serialize, Serializer};

use crate::command::arguments::{GameArgs, Input, PositionArgs, Source, file_or_id};
use crate::command::context::{Context, Status, json};
use crate::command::list::ListedMatch;
use crate::command::mail::refusals;
use crate::command::source::{self, One};
use crate::limits::PLACEMENTS;
use crate::mail::files;
use crate::mail::files::replace::{replace, replace_privately};
use crate::matches::codes::last_mail_with_code;
use crate::matches::mail::QueuedMail;
use crate::matches::mail_id::MailIds;
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::outbound::html_part;
use crate::outbound::taps::{self, Answer};
use crate::plural::half_moves;
use crate::render::format::{OutputFormat, PictureOptions, Style};
use crate::render::text::{PositionJson, side};
use crate::render::view::{Answering, Details, View};
use crate::rules::{Color, Ply, Position, Record, Role, Side};
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
    let style = Style {
        is_flipped: args.flip,
        has_marks: args.mark,
        is_indented: args.indent,
        picture: args.picture,
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
            refused = refusals(&game);
            ending = game.ending();
            details = on_page(&game, args, context)?;
            if args.json {
                let config = context.config()?;
                let me = config.somebody().map(|me| &me.player);
                listed = Some(ListedMatch::of(&game, me, clock::now()?));
            }
            One::Record(game.record().clone())
        }
        Source::Input(_) if args.notes => {
            return Err(Error::usage("--notes is about a match: name its id"));
        }
        Source::Input(_) if args.answer => return Err(no_match()),
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
            let shown = Shown {
                position,
                game: listed,
            };
            (json(&shown)? + "\n").into_bytes()
        }
        _ => form.render(&view, style).map_err(Error::refused)?,
    };
    match output {
        Some(path) => {
            // A page with a code, or with words of the players, is for the user alone.
            let is_private = args.notes || args.answer;
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

/// `parapost legal`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost legal --game unachess --moves '1. P>e3 n>g5'
  parapost legal k7f3qd")]
pub(super) struct Legal {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    choice: GameArgs,
    /// The position to look at.
    #[command(flatten)]
    position: PositionArgs,
    /// Kingchess: placements too, the first 10,000
    #[arg(long)]
    placements: bool,
    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
    /// A text or a match [default: standard input, without --moves and --fen]
    #[arg(value_name = "FILE|-|ID", value_parser = file_or_id, conflicts_with_all = ["moves", "fen"])]
    source: Option<Source>,
}

pub(super) fn legal(args: &Legal, context: &mut Context<'_>) -> Result<Status, Error> {
    if !matches!(args.source, Some(Source::Match(_))) {
        context.without_games()?;
    }
    let record = record(args, context)?;
    let is_over = record.outcome().is_some();
    if args.placements && !is_over && record.position().placements().nth(PLACEMENTS).is_some() {
        context.say(format_args!(
            "There are more placements than the first {PLACEMENTS}, which are listed."
        ));
    }
    if args.json {
        context.print_json(&LegalMoves::of(&record, args.placements))?;
        return Ok(Status::Done);
    }
    if !args.placements && !is_over && record.position().needs_placement() {
        context.say("placement needed");
    }
    let room = context.room();
    for (text, _) in moves(&record, args.placements) {
        match room {
            Some(columns) => context.print(move_list::broken(&text, columns) + "\n")?,
            None => context.print(text + "\n")?,
        }
    }
    Ok(Status::Done)
}

fn record(args: &Legal, context: &mut Context<'_>) -> Result<Record, Error> {
    let stdin = Source::Input(Input::Stdin);
    let line = &args.position;
    let source = match &args.source {
        Some(source) => source,
        // Avoids waiting for a typed list that the user did not announce.
        None if line.moves.is_none() && line.fen.is_none() && !io::stdin().is_terminal() => &stdin,
        None => return source::record(line, &args.choice),
    };
    match source::one(source, &args.choice, context)? {
        One::Record(record) => Ok(record),
        One::Drawn(_) => Err(Error::refused(
            "a diagram alone does not tell who is to move: the list of moves is needed too",
        )),
    }
}

/// The legal moves of a position.
#[derive(Serialize)]
struct LegalMoves<'r> {
    game: &'static str,
    options: Vec<&'static str>,
    /// The number of half-moves made.
    ply: usize,
    turn: &'static str,
    status: &'static str,
    fen: String,
    /// True if only a placement of several pieces is legal.
    placement_needed: bool,
    moves: Moves<'r>,
}

/// The moves, made one by one while they are written: Kingchess can have more placements
/// than memory has room for.
struct Moves<'r> {
    record: &'r Record,
    has_placements: bool,
}

/// A legal move.
#[derive(Serialize, Default)]
struct LegalMove {
    /// The move in canonical form, with its mark.
    text: String,
    /// The square that a piece leaves.
    from: Option<String>,
    /// The square that a piece goes to, or where it is put.
    to: Option<String>,
    /// The piece that comes from the reserve.
    drop: Option<String>,
    /// The piece that the mover becomes.
    promotion: Option<String>,
    /// `king` or `queen`: the side of castling.
    castling: Option<&'static str>,
    /// The square that a relocated pawn goes to.
    pawn: Option<String>,
    /// The pieces of a placement of several.
    placement: Option<Vec<Placed>>,
}

/// A piece of a placement.
#[derive(Serialize)]
struct Placed {
    drop: String,
    to: String,
}

impl<'r> LegalMoves<'r> {
    fn of(record: &'r Record, has_placements: bool) -> LegalMoves<'r> {
        let position = record.position();
        let variant = position.variant();
        LegalMoves {
            game: variant.game().id,
            options: variant.options().to_vec(),
            ply: record.steps().len(),
            turn: side(position.turn()),
            status: record.status(),
            fen: position.fen(),
            placement_needed: record.outcome().is_none() && position.needs_placement(),
            moves: Moves {
                record,
                has_placements,
            },
        }
    }
}

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = self.record.position().turn();
        let moves = moves(self.record, self.has_placements);
        serializer.collect_seq(moves.map(|(text, ply)| LegalMove::of(text, &ply, turn)))
    }
}

impl LegalMove {
    fn of(text: String, ply: &Ply, turn: Color) -> LegalMove {
        let piece = |role: Role| role.of(turn).to_string();
        let mut legal = LegalMove {
            text,
            ..LegalMove::default()
        };
        match *ply {
            Ply::Move {
                from,
                to,
                promotion,
            } => {
                (legal.from, legal.to) = (Some(from.to_string()), Some(to.to_string()));
                legal.promotion = promotion.map(piece);
            }
            Ply::Castle(Side::King) => legal.castling = Some("king"),
            Ply::Castle(Side::Queen) => legal.castling = Some("queen"),
            Ply::Drop { role, to } => {
                (legal.drop, legal.to) = (Some(piece(role)), Some(to.to_string()));
            }
            Ply::Relocation { role, to, pawn } => {
                (legal.drop, legal.to) = (Some(piece(role)), Some(to.to_string()));
                legal.pawn = Some(pawn.to_string());
            }
            Ply::Placement(placement) => {
                let drops = placement.drops().map(|(role, to)| Placed {
                    drop: piece(role),
                    to: to.to_string(),
                });
                legal.placement = Some(drops.collect());
            }
        }
        legal
    }
}

/// Returns the legal plies of a record's last position, each behind its canonical form
/// with its mark, sorted by that. Of placements there are the first, at most
/// [`PLACEMENTS`], each made when it is asked for.
fn moves(record: &Record, has_placements: bool) -> impl Iterator<Item = (String, Ply)> + '_ {
    let position = record.position();
    // No move is legal after an automatic end (docs/rules.md 1.13).
    let goes_on = record.outcome().is_none();
    // The placements include the single drops.
    let single = goes_on.then(|| position.single_plies());
    let mut single: Vec<(String, Ply)> = single
        .into_iter()
        .flatten()
        .filter(|ply| !(has_placements && is_placement(position, ply)))
        .map(|ply| (text(position, &ply), ply))
        .collect();
    single.sort_unstable();
    // There can be too many placements to sort, but the iterator sorts them.
    let placements = (goes_on && has_placements).then(|| position.placements());
    let mut placements = placements
        .into_iter()
        .flatten()
        .take(PLACEMENTS)
        .map(|ply| (text(position, &ply), ply))
        .peekable();
    let mut single = single.into_iter().peekable();
    iter::from_fn(move || {
        let is_single = match (single.peek(), placements.peek()) {
            (Some((single, _)), Some((placed, _))) => single < placed,
            (single, _) => single.is_some(),
        };
        if is_single {
            single.next()
        } else {
            placements.next()
        }
    })
}

/// Returns true for a drop in a game in which one turn can drop several pieces.
fn is_placement(position: &Position, ply: &Ply) -> bool {
    position.variant().rules().placement && matches!(ply, Ply::Drop { .. })
}

/// Returns the canonical form of a legal ply, with its mark.
fn text(position: &Position, ply: &Ply) -> String {
    let text = position.text(ply);
    match position.play(ply).map(|after| after.mark().to_string()) {
        Ok(mark) if !mark.is_empty() => format!("{text} {mark}"),
        _ => text,
    }
}

/// `parapost perft`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost perft --game unachess --divide 2")]
pub(super) struct Perft {
    /// The game.
    #[command(flatten)]
    choice: GameArgs,
    /// The position to begin with.
    #[command(flatten)]
    position: PositionArgs,
    /// Tell the count of each first move
    #[arg(long)]
    divide: bool,
    /// How many half-moves deep
    depth: u32,
}

pub(super) fn perft(args: &Perft, context: &mut Context<'_>) -> Result<Status, Error> {
    context.without_games()?;
    let record = source::record(&args.position, &args.choice)?;
    let position = record.position();
    if args.divide && args.depth > 0 {
        divide(position, args.depth, context)?;
    } else {
        context.print(format_args!("{}\n", position.perft(args.depth)))?;
    }
    Ok(Status::Done)
}

/// Writes the count of each first move, sorted, and their sum.
fn divide(position: &Position, depth: u32, context: &mut Context<'_>) -> Result<(), Error> {
    let count = |ply: Ply| {
        let after = position.play(&ply).map_err(Error::refused)?;
        Ok((position.text(&ply), after.perft(depth - 1)))
    };
    let counts: Result<Vec<(String, u64)>, Error> = position.legal_plies().map(count).collect();
    let mut counts = counts?;
    counts.sort_unstable();
    for (text, count) in &counts {
        context.print(format_args!("{text}: {count}\n"))?;
    }
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    context.print(format_args!("{sum}\n"))
}
