//! The texts and matches that a command reads.

use std::path::Path;
use std::sync::Arc;

use crate::Error;
use crate::command::arguments::{self, GameArgs, Input, PositionArgs, file_here};
use crate::command::context::Context;
use crate::command::fitting_games::{name_better_games, say_assumed};
use crate::inbound::incoming_message;
use crate::limits::{TEXT, TEXT_LINES};
use crate::mail::quoting::line;
use crate::mail::{Pattern, files};
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::notation::diagnostic::{Problem, TextPlace};
use crate::notation::header::{self, DEFAULT, Heading};
use crate::notation::judge::{self, GameChoice, Judged};
use crate::notation::kif;
use crate::notation::positions::alone::{self, Content};
use crate::notation::positions::{LocatedPosition, fen};
use crate::notation::reader::{OtherFormat, pasted, posted};
use crate::rules::{Color, Position, Record, Setup, Variant, games};
use crate::store::body::without_words;
use crate::store::store::MissingMatch;

/// The message for a text with nothing to read.
pub(super) const NOTHING: &str =
    "there is no move list and no diagram in this text; a list looks like '1. P>e3 n>g5'";

/// A text, and its name in messages.
pub(super) struct SourceText {
    pub(super) name: String,
    pub(super) text: String,
}

impl SourceText {
    /// Makes the text that an option gives, like `--fen`.
    pub(super) fn of_option(option: &str, text: &str) -> SourceText {
        SourceText {
            name: option.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Reads a file or standard input in any encoding.
    pub(super) fn read(input: &Input, context: &mut Context<'_>) -> Result<SourceText, Error> {
        let (name, bytes) = match input {
            Input::Stdin => {
                context.say_waiting(
                    "a text (Ctrl-C stops this, if you mean a match or a file: name it)",
                );
                let read = files::read_to_end(&mut context.stdin, TEXT);
                let bytes = read.map_err(|error| Error::io("standard input", &error))?;
                ("-".to_owned(), bytes)
            }
            Input::File(path) => {
                let read = files::open(path).and_then(|file| files::read_to_end(file, TEXT));
                let bytes = read.map_err(|error| Error::file(path, &error))?;
                (path.display().to_string(), bytes)
            }
        };
        let text = match kif::decode(&bytes) {
            Some(text) => decoded(&name, text.as_bytes())?,
            None => decoded(&name, &bytes)?,
        };
        let text = text_of_mail(&bytes, &text).unwrap_or(text);
        let text = without_words(&text).into_owned();
        Ok(SourceText { name, text })
    }
}

/// Reads a text in Japanese signs, a list of shogi. Returns none if it is none, or is to be read by
/// another game.
pub(super) fn kif(
    choice: &GameArgs,
    lines: &[line::Line<'_>],
) -> Result<Option<Vec<Judged>>, Error> {
    let shogi = games::find("shogi");
    let Some(game) = choice.game.or(shogi).filter(|game| game.id == "shogi") else {
        return Ok(None);
    };
    if !lines.iter().any(|line| kif::may_be(line.text)) {
        return Ok(None);
    }
    let found = kif::read(lines, &arguments::variant(game, &[])?);
    if found.is_some() {
        // It has no options.
        arguments::variant(game, &choice.options)?;
    }
    Ok(found)
}

/// Decodes a text in any encoding.
///
/// # Errors
///
/// If it has more lines than are read.
pub(super) fn decoded(name: &str, bytes: &[u8]) -> Result<String, Error> {
    let text = line::decode(bytes);
    if line::count(&text) > TEXT_LINES {
        return Err(Error::refused(format!(
            "{name}: this text has more than {TEXT_LINES} lines"
        )));
    }
    Ok(text.into_owned())
}

/// Returns the text of a mail that has other parts, too, as HTML and its picture. It stands on the
/// lines that it has in the file, where no encoding has moved them.
fn text_of_mail(bytes: &[u8], source: &str) -> Option<String> {
    static HAS_PARTS: Pattern = Pattern::new(
        r"(?i)\A(?:From .*\n)?(?:[!-9;-~]+:.*\n(?:[ \t].*\n)*?)*?content-type:\s*multipart/",
    );
    static NEXT_OF_MBOX: Pattern = Pattern::new(r"\n\r?\nFrom \S+ .*\d\d:\d\d");
    if !HAS_PARTS.is_match(source) || NEXT_OF_MBOX.is_match(source) {
        return None;
    }
    // A mail of a mailbox has a line above its head.
    let head = if source.starts_with("From ") {
        bytes.iter().position(|byte| *byte == b'\n')? + 1
    } else {
        0
    };
    let text = incoming_message::read(&bytes[head..]).ok()?.text;
    if text.trim().is_empty() {
        return None;
    }
    let source = source.replace("\r\n", "\n");
    let place = source.find(text.trim_end()).unwrap_or_default();
    let above = source[..place].matches('\n').count();
    Some("\n".repeat(above) + &text)
}

/// Chooses the game by which a text is read: the one chosen on the command
/// line, else the one the text names. Options chosen without a game apply to
/// the game that the text names.
pub(super) fn by(choice: &GameArgs, lines: &[line::Line<'_>]) -> Result<GameChoice, Error> {
    if choice.game.is_none() && choice.options.is_empty() {
        return Ok(GameChoice::Named(DEFAULT));
    }
    let game = choice.game.unwrap_or_else(|| header::named(lines, DEFAULT));
    arguments::variant(game, &choice.options).map(GameChoice::Given)
}

/// Returns the game chosen on the command line.
pub(super) fn variant(choice: &GameArgs) -> Result<Variant, Error> {
    arguments::variant(choice.game.unwrap_or(DEFAULT), &choice.options)
}

/// Returns the record of a position given on the command line: from a list of
/// moves, a FEN, or the start.
pub(super) fn record(
    line: &PositionArgs,
    choice: &GameArgs,
    turn: Option<Color>,
    context: &mut Context<'_>,
) -> Result<Record, Error> {
    let variant = variant(choice)?;
    if let Some(moves) = &line.moves {
        let record = judge::record(moves, &variant)
            .map_err(|error| Error::refused(format!("--moves: {error}")))?;
        return agreeing(record, turn);
    }
    match &line.fen {
        Some(fen) => of_fen("--fen", fen, choice, turn, context),
        None => agreeing(Record::new(variant.start()), turn),
    }
}

/// Returns a match in which it is this side's turn, if one is given.
///
/// # Errors
///
/// If the moves tell that it is the other side's.
pub(super) fn agreeing(record: Record, turn: Option<Color>) -> Result<Record, Error> {
    let position = record.position();
    if turn.is_some_and(|turn| turn != position.turn()) {
        let player = position.variant().player(position.turn());
        return Err(Error::usage(format!(
            "--turn is for a position that does not tell whose turn it is, and here it is {player}'s"
        )));
    }
    Ok(record)
}

/// Warns where the side that is given is not the one that a position tells.
pub(super) fn overruled(position: &LocatedPosition, turn: Option<Color>) -> Option<Problem> {
    let (given, told) = turn
        .zip(position.turn)
        .filter(|(given, told)| given != told)?;
    let [given, told] = [given, told].map(|color| position.variant.player(color));
    let message =
        format!("the text says that {told} is to move, and --turn says {given}, which counts");
    Some(Problem::warning(position.place, message))
}

/// Returns the record of the position that an option gives.
///
/// # Errors
///
/// If it is none, nothing tells who is to move, or no game can reach it.
pub(super) fn of_fen(
    option: &str,
    fen: &str,
    choice: &GameArgs,
    turn: Option<Color>,
    context: &mut Context<'_>,
) -> Result<Record, Error> {
    let text = SourceText::of_option(option, fen);
    let found = alone::alone(&posted(fen), &by(choice, &[])?).unwrap_or_default();
    if let [Ok(position)] = found.as_slice() {
        return begun_in(position, turn, &text, context);
    }
    let refused = |error: &dyn std::fmt::Display| Error::refused(format!("{option}: {error}"));
    let variant = variant(choice)?;
    let setup = Setup::from_fen(&variant, fen).map_err(|error| refused(&error))?;
    let position = Position::from_setup(&variant, &setup).map_err(|error| refused(&error))?;
    agreeing(Record::new(position), turn)
}

/// Returns the match of this name, which may be that of a file, too.
///
/// # Errors
///
/// If it cannot be read. Where there is no such match, and a file or folder has its name:
/// how that is written.
pub(super) fn game(id: &Id, context: &Context<'_>) -> Result<Arc<Match>, Error> {
    let hinting = |error: Error| {
        if Path::new(id.as_str()).exists() {
            error.and(file_here(id.as_str()))
        } else {
            error
        }
    };
    let store = context.store_to_read().map_err(hinting)?;
    let stored = store.read(id).map_err(|error| {
        if MissingMatch::of(&error).is_some() {
            hinting(error)
        } else {
            error
        }
    })?;
    Ok(stored.game)
}

/// Returns the match of a text, which may be a position alone, with the results that it states.
///
/// # Errors
///
/// If nothing tells who is to move, or no game can reach the position.
pub(super) fn begun(
    one: One,
    turn: Option<Color>,
    text: &SourceText,
    context: &mut Context<'_>,
) -> Result<(Record, Vec<Option<Color>>), Error> {
    match one {
        One::Record(record, stated, _) => Ok((agreeing(record, turn)?, stated)),
        One::Position(position) => Ok((begun_in(&position, turn, text, context)?, Vec::new())),
    }
}

/// Begins a match in a position, and tells what had to be left out of it.
fn begun_in(
    position: &LocatedPosition,
    turn: Option<Color>,
    text: &SourceText,
    context: &mut Context<'_>,
) -> Result<Record, Error> {
    let name = &text.name;
    let overruled = overruled(position, turn);
    let Some(turn) = turn.or(position.turn) else {
        return Err(Error::refused(format!("{name}: {NO_TURN}")));
    };
    let place = position.place;
    let (start, left_out) = position.position(turn).map_err(|error| {
        let (line, column) = (place.line, place.column);
        Error::refused(format!(
            "{name}:{line}:{column}: error: no game can reach this position: {error}"
        ))
    })?;
    let warnings = overruled.iter().chain(&position.warnings);
    context.say_problems(warnings.chain(&left_out), name, &pasted(&text.text));
    Ok(Record::new(start))
}

/// The message for a position that does not tell whose turn it is.
pub(super) const NO_TURN: &str = "this position does not tell who is to move: add --turn white or --turn black, or the list of moves";

/// Returns the positions of a text without a list of moves, or those in which several lists of it
/// begin; none if it has other lists, or neither. Commands of an engine with moves are matches, and no
/// positions.
///
/// # Errors
///
/// As [`content`].
pub(super) fn positions(
    text: &SourceText,
    choice: &GameArgs,
    by: &GameChoice,
    lines: &[line::Line<'_>],
    context: &mut Context<'_>,
) -> Result<Vec<LocatedPosition>, Error> {
    let judged = match content(text, choice, by, lines, context)? {
        Content::Positions(found) => return Ok(found.into_iter().flatten().collect()),
        Content::Matches(judged) => judged,
    };
    // No list can be played from the start: they are the solutions.
    let has_no_move = |one: &Judged| !one.is_legal() && one.game.record().steps().is_empty();
    let are_solutions = !judged.is_empty() && judged.iter().all(has_no_move);
    let begins_elsewhere = |one: &Judged| *one.game.record().start() != one.variant.start();
    if !are_solutions && (judged.len() < 2 || !judged.iter().all(begins_elsewhere)) {
        return Ok(Vec::new());
    }
    let found = alone::find(lines, by).unwrap_or_default();
    let found: Vec<LocatedPosition> = found.into_iter().flatten().collect();
    if found.len() < judged.len().max(2) {
        return Ok(Vec::new());
    }
    let name = &text.name;
    context.say(format!(
        "{name}: the lists beside the positions are not shown"
    ));
    Ok(found)
}

/// Returns the content of a text.
///
/// # Errors
///
/// If the text names an unknown game, or something that was meant for a position cannot be read:
/// reports that on standard error.
fn content(
    text: &SourceText,
    choice: &GameArgs,
    by: &GameChoice,
    lines: &[line::Line<'_>],
    context: &mut Context<'_>,
) -> Result<Content, Error> {
    if let Some(judged) = kif(choice, lines)? {
        return Ok(Content::Matches(judged));
    }
    let name = &text.name;
    let mut held = alone::content(lines, by).map_err(|error| {
        let TextPlace { line, column, .. } = error.place;
        Error::refused(format!("{name}:{line}:{column}: {error}"))
    })?;
    match &mut held {
        Content::Matches(judged) => name_better_games(judged, lines, choice),
        Content::Positions(found) => {
            let faults: Vec<_> = found.iter().filter_map(|one| one.as_ref().err()).collect();
            if !faults.is_empty() {
                context.say_problems(faults, name, lines);
                return Err(Error::refused(format!("{name}: {CANNOT_BE_PLAYED}")));
            }
        }
    }
    Ok(held)
}

const CANNOT_BE_PLAYED: &str = "this match cannot be played so";

/// Returns the only match or position of a text.
///
/// # Errors
///
/// If there is none, or there are several, or the match has a fault.
/// Reports each fault with its place on standard error.
pub(super) fn of_text(
    text: &SourceText,
    choice: &GameArgs,
    context: &mut Context<'_>,
) -> Result<One, Error> {
    let lines = posted(&text.text);
    let by = by(choice, &lines)?;
    let name = &text.name;
    let judged = match content(text, choice, &by, &lines, context)? {
        Content::Matches(judged) => judged,
        Content::Positions(found) if found.len() > 1 => {
            return Err(Error::refused(several(name, found.len())));
        }
        Content::Positions(found) => {
            let position = found.into_iter().flatten().next();
            let position = position.unwrap_or_else(|| unreachable!("there is one"));
            if position.moves.is_empty() {
                return Ok(One::Position(Box::new(position)));
            }
            vec![alone::judged(&position)]
        }
    };
    say_assumed(judged.iter().find_map(|one| one.assumed), name, context);
    let judged = match <[Judged; 1]>::try_from(judged) {
        Ok([judged]) => judged,
        Err(none) if none.is_empty() && text.text.trim().is_empty() => {
            let variant = match by {
                GameChoice::Given(variant) => variant,
                GameChoice::Named(_) => variant(choice)?,
            };
            return Ok(One::of(Record::new(variant.start())));
        }
        Err(none) if none.is_empty() => {
            if let Some((format, place)) = OtherFormat::find(&lines) {
                let (line, column) = (place.line, place.column);
                return Err(Error::refused(format!("{name}:{line}:{column}: {format}")));
            }
            if let Some(Problem { place, message, .. }) = fen::faulty(&lines) {
                let (line, column) = (place.line, place.column);
                return Err(Error::refused(format!("{name}:{line}:{column}: {message}")));
            }
            return Err(Error::refused(format!("{name}: {NOTHING}")));
        }
        Err(several) => {
            return Err(Error::refused(format!(
                "{name}: this text tells {} matches, not one",
                several.len()
            )));
        }
    };
    if !judged.is_legal() {
        context.say_problems(&judged.problems, name, &lines);
        return Err(Error::refused(format!("{name}: {CANNOT_BE_PLAYED}")));
    }
    let Judged {
        game,
        stated,
        heading,
        ..
    } = judged;
    Ok(One::Record(game.into_record(), stated, heading))
}

/// The message for a text with several positions, where one is wanted.
pub(super) fn several(name: &str, count: usize) -> String {
    format!("{name}: this text has {count} positions, not one")
}

/// The content of a text.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(super) enum One {
    /// A match, the results that its text states, each a winner or none for a draw, and its tags.
    Record(Record, Vec<Option<Color>>, Heading),
    /// A position without moves, possible or not.
    Position(Box<LocatedPosition>),
}

impl One {
    /// Makes the content of a text that says nothing beside the moves.
    pub(super) fn of(record: Record) -> One {
        One::Record(record, Vec::new(), Heading::default())
    }
}
