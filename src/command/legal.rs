//! `parapost legal` lists the legal moves of a position, `parapost perft` counts the lines of play
//! behind it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::iter;

use clap::Args;
use serde::{Serialize, Serializer};

use crate::Error;
use crate::command::arguments::{GameArgs, Input, PositionArgs, Source, TurnArgs, file_or_id};
use crate::command::context::{Context, Status};
use crate::command::source::{self, SourceText};
use crate::limits::PLACEMENTS;
use crate::notation::move_list;
use crate::printable::wrapped;
use crate::render::text::side;
use crate::rules::{Color, Ply, Position, Record, Role, Side};

/// `parapost legal`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost legal --game unachess --moves '1. P>e3 n>g5'
  parapost legal --fen '7k/8/8/8/8/8/8/K5Q1 w'
  parapost legal k7f3qd")]
pub(super) struct Legal {
    /// The game [default: what the text says, else unachess]
    #[command(flatten)]
    choice: GameArgs,
    /// The position to look at.
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    turn: TurnArgs,
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
    if let Some(columns) = room
        && !args.placements
    {
        context.print(for_people(&record, columns))?;
        return Ok(Status::Done);
    }
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
        None => return source::record(line, &args.choice, args.turn.turn, context),
    };
    let input = match source {
        Source::Match(id) => {
            let record = source::game(id, context)?.record().clone();
            return source::agreeing(record, args.turn.turn);
        }
        Source::Input(input) => input,
    };
    let text = SourceText::read(input, context)?;
    let one = source::of_text(&text, &args.choice, context)?;
    let (record, _) = source::begun(one, args.turn.turn, &text, context)?;
    Ok(record)
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

/// Lists the legal moves for a person at a terminal with so many columns, but no placement of
/// several pieces.
pub(super) fn for_people(record: &Record, columns: usize) -> String {
    let moves = moves(record, false).map(|(text, _)| text);
    let (mut text, area) = grouped(moves, columns);
    if let Some(area) = area {
        let told = format!("\n{area} stands for every square between these corners.\n");
        text += &wrapped(&told, columns);
    }
    text
}

/// Groups moves by the piece and the sign, for a person: `P> a2-h4`, `N- f3 h3`. Returns the
/// first area, too, if there is one.
fn grouped(moves: impl Iterator<Item = String>, columns: usize) -> (String, Option<String>) {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for text in moves {
        let (bare, mark) = text.split_once(' ').unwrap_or((&text, ""));
        let at = bare.rfind(['>', '-', 'x', '/']).map_or(0, |at| at + 1);
        let (begins, rest) = bare.split_at(at);
        if bare.starts_with("O-O") {
            groups
                .entry("O".to_owned())
                .or_default()
                .words
                .push(text.replace(' ', ""));
            continue;
        }
        let group = groups.entry(begins.to_owned()).or_default();
        match *rest.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'1'..=b'9'] if mark.is_empty() => {
                group.squares.insert((rank, file));
            }
            _ => group.words.push(format!("{rest}{mark}")),
        }
    }
    let (mut text, mut first) = (String::new(), None);
    for (begins, group) in groups {
        let mut words = areas(group.squares);
        first = first.or_else(|| words.iter().find(|word| word.contains('-')).cloned());
        words.extend(group.words);
        let line = if begins == "O" {
            words.join(" ")
        } else {
            format!("{begins} {}", words.join(" "))
        };
        let layout = textwrap::Options::new(columns)
            .subsequent_indent("   ")
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        text.push_str(&textwrap::fill(&line, layout));
        text.push('\n');
    }
    (text, first)
}

/// The moves of a piece with one sign.
#[derive(Default)]
struct Group {
    /// The squares, by rank and file.
    squares: BTreeSet<(u8, u8)>,
    /// What is more than a square.
    words: Vec<String>,
}

/// The fewest squares that are named as an area.
const FEWEST: usize = 3;

/// Names squares, rectangles of them by two corners.
fn areas(mut squares: BTreeSet<(u8, u8)>) -> Vec<String> {
    let mut words = Vec::new();
    while let Some(&(rank, file)) = squares.first() {
        let mut last = (rank, file);
        while squares.contains(&(rank, last.1 + 1)) {
            last.1 += 1;
        }
        let is_row = |rank: u8, squares: &BTreeSet<(u8, u8)>| {
            (file..=last.1).all(|file| squares.contains(&(rank, file)))
        };
        while is_row(last.0 + 1, &squares) {
            last.0 += 1;
        }
        let area: Vec<(u8, u8)> = (rank..=last.0)
            .flat_map(|rank| (file..=last.1).map(move |file| (rank, file)))
            .collect();
        let name = |(rank, file): (u8, u8)| format!("{}{}", char::from(file), char::from(rank));
        if area.len() < FEWEST {
            words.extend(area.iter().copied().map(name));
        } else {
            words.push(format!("{}-{}", name((rank, file)), name(last)));
        }
        for square in &area {
            squares.remove(square);
        }
    }
    words
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
    let record = source::record(&args.position, &args.choice, None, context)?;
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
