//! The state file: a match as text that people can read. It is not for others: its log
//! has the Message-IDs that prove who wrote.
//!
//! ```text
//! Format: 1
//! Id: k7f3qd
//! …
//! Chain: 5b7d09c1a2e4f680
//!
//! To move: White
//!
//! the diagram
//!
//! the list of moves
//!
//! the signs, the rules in a sentence, the players' words
//!
//! Log
//! 2026-11-20T03:00:00Z new - unachess white="Anna <anna@example.org>" … chain=…
//! 2026-11-20T03:05:00Z move White P>e3 chain=5b7d09c1a2e4f680
//! ```
//!
//! The log is the record. The text above it is read too and must agree with the
//! log. If they disagree, somebody has changed the file and should know, so the
//! program reports it and corrects nothing. The other paragraphs are for people alone.
//!
//! [`StoredText`] is that text as the store has it, to which the next change adds.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::clock;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::match_id::Id;
use crate::matches::action::Ending;
use crate::matches::event::LogEntry;
use crate::matches::hash::{Link, chained_line, split_chain};
use crate::matches::r#match::{Match, MatchSettings, counts_news};
use crate::matches::player::Player;
use crate::notation::header;
use crate::rules::{Position, Variant};
use crate::store::body;

/// The line before the log.
pub(super) const LOG: &str = "Log";

impl fmt::Display for Match {
    /// Writes the whole state file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_above_log(self, f)?;
        write_log(self, 0, f)
    }
}

/// Writes the lines above the log, and its heading.
fn write_above_log(game: &Match, f: &mut impl fmt::Write) -> fmt::Result {
    let settings = &game.settings;
    let [
        rules,
        options,
        start,
        white,
        black,
        referee,
        event,
        time,
        until,
        news,
        moves,
        list,
    ] = settings.terms(", ");
    for (key, value) in [
        ("Format", Some(FORMAT.to_string())),
        ("Id", Some(settings.id.to_string())),
        ("Game", Some(settings.variant.game().name.to_owned())),
        rules,
        options,
        start,
        white,
        black,
        referee,
        event,
        ("Started", Some(clock::write(game.started()))),
        time,
        until,
        news,
        moves,
        list,
        ("Result", Some(result(game.ending()))),
    ] {
        if let Some(value) = value {
            writeln!(f, "{key}: {value}")?;
        }
    }
    for (key, value) in &game.headers {
        writeln!(f, "{key}: {value}")?;
    }
    writeln!(f, "Chain: {}", game.last_link().as_str())?;
    if let Some(line) = body::above_diagram(game) {
        writeln!(f, "\n{line}")?;
    }
    for line in body::of_log(&game.state) {
        writeln!(f, "{line}")?;
    }
    for paragraph in body::below_list(game) {
        writeln!(f, "{paragraph}\n")?;
    }
    writeln!(f, "{LOG}")
}

/// Writes the lines of the log behind the first `lines`.
fn write_log(game: &Match, lines: usize, f: &mut impl fmt::Write) -> fmt::Result {
    for (event, link) in game.log.iter().zip(&game.links).skip(lines) {
        writeln!(f, "{}", chained_line(event, *link))?;
    }
    Ok(())
}

/// Returns the value of the `Result` header.
pub(super) fn result(ending: Option<Ending>) -> String {
    ending.map_or_else(|| "*".to_owned(), |ending| ending.to_string())
}

impl FromStr for Match {
    type Err = ParseMatchError;

    fn from_str(text: &str) -> Result<Match, ParseMatchError> {
        Match::parse(text, None, None).map(|(game, _)| game)
    }
}

impl Match {
    /// Reads the state file of the match with this id.
    ///
    /// # Errors
    ///
    /// If the file is damaged or belongs to another match: the place and the
    /// fault.
    pub fn read(bytes: &[u8], id: &Id) -> Result<Match, ParseMatchError> {
        Match::read_with_log(bytes, id).map(|(game, _)| game)
    }

    /// Reads a state file as [`Match::read`] does. Also returns where the lines of its log
    /// begin, if they are to the byte as they would be written.
    fn read_with_log(bytes: &[u8], id: &Id) -> Result<(Match, Option<usize>), ParseMatchError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Match::parse(text, Some(id), None),
            Err(error) => {
                let good = &bytes[..error.valid_up_to()];
                let line = good.split(|byte| *byte == b'\n').count();
                fault(line, "this is not UTF-8 text")
            }
        }
    }

    /// Reads the text that was made of a match, as it will be read from a file. Only what
    /// differs from the match is hashed again.
    ///
    /// # Errors
    ///
    /// As [`Match::read`].
    pub(super) fn read_back(text: &str, written: &Match) -> Result<Match, ParseMatchError> {
        Match::parse(text, None, Some(written)).map(|(game, _)| game)
    }

    /// Reads what is new in a text that continues the one of `known`: what stands above
    /// byte `log`, where its log begins, and the lines of the log from byte `new` on. Those
    /// between are the bytes that `known` was read from: they were replayed then, and would
    /// come to the same again.
    ///
    /// # Errors
    ///
    /// As [`Match::read`] of the whole text.
    fn read_on(text: &str, log: usize, new: usize, known: &Match) -> Result<(), ParseMatchError> {
        let above: Vec<&str> = text[..log].lines().collect();
        let headers = Headers::read(&above)?;
        let settings = headers.settings(headers.need("Id", Id::from_str)?)?;
        if settings != known.settings || headers.unknown() != known.headers {
            return fault(1, "the headers have become others");
        }
        let first = above.len() + 1;
        headers.check_beginning(first, &known.log[0], &settings)?;
        let (mut state, mut end) = (known.state.clone(), known.last_link());
        for (at, line) in (known.log.len()..).zip(text[new..].lines()) {
            let (line, hash) = split_chain(line);
            let event: LogEntry = line.parse().or_else(|error| fault(first + at, error))?;
            end = Link::of(end.as_str(), &event);
            if hash != Some(end.as_str()) {
                return fault(first + at, "its chain does not hold");
            }
            let applied = state.apply(at + 1, &event);
            applied.or_else(|error| fault(first + at, error))?;
        }
        headers.check("Chain", end.as_str(), "the log")?;
        headers.check("Result", &result(state.ending), "the log")?;
        let body = above.get(headers.end..above.len() - 1);
        body::check(body.unwrap_or_default(), headers.end + 1, &state)
            .map_or_else(|(line, why)| fault(line, why), |_| Ok(()))
    }

    fn parse(
        text: &str,
        id: Option<&Id>,
        written: Option<&Match>,
    ) -> Result<(Match, Option<usize>), ParseMatchError> {
        let file = text;
        // Some editors write a byte order mark before the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        if let Some(i) = lines.iter().position(|line| is_conflict(line)) {
            return fault(
                i + 1,
                "two versions of this file have been merged here; put one of them back, whole",
            );
        }
        if lines.iter().all(|line| line.is_empty()) {
            return fault(
                1,
                "this file is empty; if no match was in it, move it away or delete it",
            );
        }
        let headers = Headers::read(&lines)?;
        if let Some(id) = id
            && let Some((line, found)) = headers.find("Id")
            && found != id.as_str()
        {
            return fault(
                line,
                format_args!("the Id is {found}, but the file is that of {id}"),
            );
        }
        if !text.ends_with('\n') {
            // Some editors leave out the last line end.
            return match Match::parse(&format!("{text}\n"), id, written) {
                Ok((game, _)) if game.is_chained => Ok((game, None)),
                _ => fault(
                    lines.len().max(1),
                    "the file ends in the middle of a line: it has been cut",
                ),
            };
        }
        let Some(log) = lines.iter().position(|line| is_log(line)) else {
            // The log may still be there and only its heading be gone.
            return match lines
                .iter()
                .position(|line| line.parse::<LogEntry>().is_ok())
            {
                Some(first) => fault(
                    first + 1,
                    format_args!("the log begins here, but no line '{LOG}' stands before it"),
                ),
                None => fault(lines.len(), "the file ends without a log: it has been cut"),
            };
        };
        let (mut game, is_as_written) = read_log(&headers, &lines[log + 1..], log + 2, written)?;
        headers.check("Result", &result(game.ending()), "the log")?;
        let asides = body::check(&lines[headers.end..log], headers.end + 1, &game.state)
            .or_else(|(line, why)| fault(line, why))?;
        for line in body::of_person(&game, &asides) {
            let words = line.strip_prefix("Comment:").unwrap_or(line).trim();
            game.headers.push((COMMENT.to_owned(), words.to_owned()));
        }
        let begin = is_as_written.then(|| begin_of_log(file, &lines[log + 1..]));
        Ok((game, begin.flatten()))
    }
}

/// Returns where the log begins in a file whose lines behind the heading are these without
/// their ends, if nothing else stands there.
fn begin_of_log(file: &str, lines: &[&str]) -> Option<usize> {
    if lines.iter().any(|line| line.is_empty()) {
        return None;
    }
    let length: usize = lines.iter().map(|line| line.len() + 1).sum();
    let begin = file.len().checked_sub(length)?;
    let above = file.get(..begin)?.strip_suffix('\n')?;
    let is_heading = above.strip_suffix(LOG)?.ends_with('\n');
    is_heading.then_some(begin)
}

/// Returns true for the line before the log.
pub(super) fn is_log(line: &str) -> bool {
    line == LOG || line == "Log:"
}

/// Returns true for a marker that a version control system writes between two
/// versions it could not merge.
pub(super) fn is_conflict(line: &str) -> bool {
    ["<<<<<<< ", "||||||| ", ">>>>>>> "]
        .iter()
        .any(|mark| line.starts_with(mark))
        || line == "======="
}

/// Replays the log, whose first line is line `first` of the file. `written` is the match
/// that the file was made of, if it was made just now. Also returns true if each line is as
/// it would be written.
fn read_log(
    headers: &Headers,
    lines: &[&str],
    first: usize,
    written: Option<&Match>,
) -> Result<(Match, bool), ParseMatchError> {
    let settings = headers.settings(headers.need("Id", Id::from_str)?)?;
    let written = written.filter(|written| *written.id() == settings.id);
    let mut is_as_written = written.is_none();
    // One for all lines, of which there are thousands.
    let mut line_again = String::new();
    // A file written by hand or by another program has no chain. It gets one
    // when it is next written.
    let is_chained =
        headers.find("Chain").is_some() || lines.iter().any(|line| split_chain(line).1.is_some());
    let mut game: Option<Match> = None;
    let mut last = first;
    let lines = (first..).zip(lines).filter(|(_, line)| !line.is_empty());
    for (at, (number, line)) in lines.enumerate() {
        let (text, hash) = split_chain(line);
        let event: LogEntry = text.parse().or_else(|error| fault(number, error))?;
        let end = game.as_ref().map(Match::last_link);
        let known = written.and_then(|written| written.known_link(at, &event, end));
        let link = known.unwrap_or_else(|| {
            line_again.clear();
            event.push_line(&mut line_again);
            is_as_written &= line_again == text && hash.is_some();
            let previous = end.as_ref().map_or(settings.id.as_str(), Link::as_str);
            Link::of_line(previous, &line_again)
        });
        let broken = match hash {
            Some(hash) if hash == link.as_str() => None,
            Some(_) => Some(
                "this line has been changed, or one before it is missing: its chain does not hold",
            ),
            None if !is_chained => None,
            None => Some("this line is not chained to the one before it"),
        };
        let Some(begun) = &mut game else {
            headers.check_beginning(number, &event, &settings)?;
            if let Some(broken) = broken {
                // The first hash covers the id.
                let id = headers.find("Id").map_or(headers.end, |(line, _)| line);
                let or_id = format_args!("{broken} (or the Id in line {id} has been changed)");
                return fault(number, broken_chain(or_id));
            }
            game = Some(Match {
                headers: headers.unknown(),
                is_chained,
                ..Match::begun(settings.clone(), event, link)
            });
            last = number;
            continue;
        };
        match (broken, begun.push_linked(event, link)) {
            (None, Ok(())) => last = number,
            (None, Err(error)) => return fault(number, error),
            (Some(broken), Ok(())) => return fault(number, broken_chain(broken)),
            (Some(broken), Err(error)) => {
                return fault(number, format_args!("{error}; {}", broken_chain(broken)));
            }
        }
    }
    let Some(game) = game else {
        return fault(first - 1, "the log is empty: the file has been cut");
    };
    let end = game.last_link();
    let end = end.as_str();
    match headers.find("Chain") {
        None if !is_chained => Ok((game, false)),
        None => fault(headers.end, broken_chain("there is no Chain line")),
        Some((_, found)) if found == end => Ok((game, is_as_written)),
        Some((number, found)) => fault(
            last,
            broken_chain(format_args!(
                "the log ends here with {end}, but by line {number} it ends with {found}: lines have been cut off"
            )),
        ),
    }
}

/// Describes a broken chain, and how to mend it.
fn broken_chain(wrong: impl fmt::Display) -> String {
    format!("{wrong}; put back the file as it was before")
}

/// The version of the file format that is written, and the only one that is
/// read.
const FORMAT: u32 = 1;

/// The header lines of a file.
#[derive(Default)]
pub(super) struct Headers<'a> {
    /// Line number, key and value of each.
    lines: Vec<(usize, &'a str, &'a str)>,
    /// The index of the line after the headers.
    end: usize,
}

/// The header of a person's own words, the only one that may stand more than once.
pub(super) const COMMENT: &str = "Comment";

const KNOWN: [&str; 18] = [
    "Format", "Id", "Game", "Rules", "Options", "FEN", "White", "Black", "Referee", "Event",
    "Started", "Time", "Until", "News", "Moves", "List", "Result", "Chain",
];

impl<'a> Headers<'a> {
    fn read(lines: &[&'a str]) -> Result<Headers<'a>, ParseMatchError> {
        let mut headers = Headers {
            lines: Vec::new(),
            end: lines.len(),
        };
        for (i, line) in lines.iter().enumerate() {
            if line.is_empty() {
                headers.end = i;
                break;
            }
            let Some((key, value)) = pair(line) else {
                return fault(i + 1, "this is no header line of the form Key: value");
            };
            if key != COMMENT && headers.find(key).is_some() {
                return fault(i + 1, format_args!("{key} is said twice"));
            }
            headers.lines.push((i + 1, key, value));
            // Checks the format before anything else, since another format may
            // give other lines other meanings.
            if key == "Format" {
                check_format(i + 1, value)?;
            }
        }
        if headers.find("Format").is_none() {
            return fault(1, "this is no state file: it has no Format line");
        }
        Ok(headers)
    }

    /// Adds a line if it is a header, and returns whether it is. Keeps only the
    /// first header with each key but `Comment`.
    pub(super) fn take(&mut self, number: usize, line: &'a str) -> bool {
        let Some((key, value)) = pair(line) else {
            return false;
        };
        if key == COMMENT || self.find(key).is_none() {
            self.lines.push((number, key, value));
        }
        true
    }

    /// Returns the value of a header.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        self.find(key).map(|(_, value)| value)
    }

    fn find(&self, key: &str) -> Option<(usize, &'a str)> {
        let found = self.lines.iter().find(|(_, name, _)| *name == key);
        found.map(|(line, _, value)| (*line, *value))
    }

    fn parse<T: FromStr<Err: fmt::Display>>(
        &self,
        key: &str,
    ) -> Result<Option<T>, ParseMatchError> {
        let Some((line, value)) = self.find(key) else {
            return Ok(None);
        };
        match value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(error) => fault(line, error),
        }
    }

    fn need<T, E: fmt::Display>(
        &self,
        key: &str,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, ParseMatchError> {
        let Some((line, value)) = self.find(key) else {
            return fault(self.end, format_args!("there is no {key} line"));
        };
        read(value).or_else(|error| fault(line, error))
    }

    /// Reads the terms of the match. Uses this id, whatever id the headers
    /// name.
    pub(super) fn settings(&self, id: Id) -> Result<MatchSettings, ParseMatchError> {
        let news: Option<Newsgroup> = self.parse("News")?;
        let moves: Option<String> = self.parse("Moves")?;
        let Some(counts_news) = counts_news(moves.as_deref(), news.is_some()) else {
            let line = self.find("Moves").map_or(self.end, |(line, _)| line);
            return fault(line, "Moves: is 'news', below a line 'News:'");
        };
        let player = |key| self.need(key, Player::read_state);
        let variant = self.variant()?;
        let players = [player("White")?, player("Black")?];
        Ok(MatchSettings {
            id,
            start: self.start(&variant, &players)?,
            variant,
            players,
            referee: self.parse("Referee")?,
            event: self.parse("Event")?,
            time: self.parse("Time")?,
            until: self.parse("Until")?,
            news,
            counts_news,
            list: self.parse("List")?,
        })
    }

    /// Reads the position in which the match begins, if it is another than the game's start.
    fn start(
        &self,
        variant: &Variant,
        players: &[Player],
    ) -> Result<Option<Position>, ParseMatchError> {
        let Some((line, fen)) = self.find("FEN") else {
            return Ok(None);
        };
        let plays_here = |player: &Player| player.level().is_some() && !player.is_partner();
        if !players.iter().any(plays_here) {
            return fault(
                line,
                "only a match at the terminal begins in another position",
            );
        }
        Position::from_fen(variant, fen)
            .map(Some)
            .or_else(|error| fault(line, format_args!("FEN: {error}")))
    }

    /// Reads the game from `Rules`, else from `Game`. Both must agree.
    fn variant(&self) -> Result<Variant, ParseMatchError> {
        let (rules, name) = (self.find("Rules"), self.find("Game"));
        let Some((line, text)) = rules.or(name) else {
            return fault(self.end, "there is no Rules line");
        };
        let game = header::game(text).or_else(|error| fault(line, error))?;
        if let Some((line, text)) = name
            && !header::game(text).is_ok_and(|named| named.id == game.id)
        {
            return fault(
                line,
                format_args!("Game is '{text}', but Rules are those of {}", game.name),
            );
        }
        let (line, options) = self.find("Options").unwrap_or((line, ""));
        header::variant(game, options).or_else(|error| fault(line, error))
    }

    /// Compares a header with the value that `source` gives it.
    fn check(&self, key: &str, expected: &str, source: &str) -> Result<(), ParseMatchError> {
        match self.find(key) {
            Some((_, found)) if found == expected => Ok(()),
            Some((line, found)) => fault(
                line,
                format_args!("{key} is '{found}', but {source} comes to '{expected}'"),
            ),
            None => fault(self.end, format_args!("there is no {key} line")),
        }
    }

    /// Checks that the first line of the log and the headers agree.
    fn check_beginning(
        &self,
        number: usize,
        begin: &LogEntry,
        settings: &MatchSettings,
    ) -> Result<(), ParseMatchError> {
        let expected = settings.begin(begin.time);
        if !begin.is_beginning() {
            return fault(number, "the log does not begin with 'new': it has been cut");
        }
        let log = format!("the log (line {number})");
        self.check("Started", &clock::write(begin.time), &log)?;
        for header in [
            "Rules", "Options", "FEN", "White", "Black", "Referee", "Event", "Time", "Until",
            "News", "Moves", "List",
        ] {
            let [logged, expected] = [begin, &expected].map(|event| match header {
                "Rules" => event.argument(),
                header => event.get(&header.to_ascii_lowercase()),
            });
            if logged != expected {
                let logged = logged.unwrap_or_default();
                let otherwise = format_args!("but the match began with '{logged}' (line {number})");
                let Some((line, found)) = self.find(header) else {
                    let missing = format_args!("there is no {header} line, {otherwise}");
                    return fault(self.end, missing);
                };
                return fault(line, format_args!("{header} is '{found}', {otherwise}"));
            }
        }
        Ok(())
    }

    /// Returns the headers that this version does not know.
    pub(super) fn unknown(&self) -> Vec<(String, String)> {
        self.lines
            .iter()
            .filter(|(_, key, _)| !KNOWN.contains(key))
            .map(|(_, key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }
}

/// Splits a header line into key and value.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':').filter(|(key, _)| is_key(key))?;
    Some((key, value.trim()))
}

/// Checks that this version can read a format.
fn check_format(line: usize, form: &str) -> Result<(), ParseMatchError> {
    match form.parse::<u32>() {
        Ok(FORMAT) => Ok(()),
        Ok(newer) if newer > FORMAT => Err(ParseMatchError::newer(
            line,
            format!(
                "this file is of form {newer}, which a newer parapost has written; this one knows form {FORMAT}, and leaves it as it is"
            ),
        )),
        _ => fault(
            line,
            format_args!("'{form}' is no form of a state file; this program knows form {FORMAT}"),
        ),
    }
}

fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A fault in a state file, and its place. `Display` writes `LINE: why`, so
/// that a caller can put the file's name and a colon before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ParseMatchError {
    /// The line number, from 1.
    pub line: usize,
    message: String,
    is_newer: bool,
}

impl ParseMatchError {
    /// Creates the error for a file that a newer version of the program wrote.
    fn newer(line: usize, message: String) -> ParseMatchError {
        ParseMatchError {
            line,
            message,
            is_newer: true,
        }
    }

    /// Returns true if the only fault is that a newer version of the program
    /// wrote the file.
    pub fn is_newer(&self) -> bool {
        self.is_newer
    }
}

fn fault<T>(line: usize, message: impl fmt::Display) -> Result<T, ParseMatchError> {
    Err(ParseMatchError {
        line,
        message: message.to_string(),
        is_newer: false,
    })
}

/// A match as the store has it, and its text, of which the lines of the log need not be
/// made again.
#[derive(Debug)]
pub struct StoredText {
    pub(super) game: Arc<Match>,
    pub(super) text: String,
    /// The byte at which the log begins, below its heading.
    log: usize,
}

/// A text that continues another: by what stands between `above` and `new` in both.
#[cfg_attr(not(feature = "postgres"), allow(dead_code))]
#[derive(Debug)]
pub(super) struct Continued<'t> {
    /// The text above the log.
    pub(super) above: &'t str,
    /// The bytes above the other text's log.
    pub(super) old_above: i64,
    /// The new lines of the log.
    pub(super) new: &'t str,
    /// The bytes of the other text.
    pub(super) old_text: i64,
}

impl StoredText {
    /// Returns how this text, which was made by [`StoredText::continued`], continues that one.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code))]
    pub(super) fn beyond(&self, old: &StoredText) -> Option<Continued<'_>> {
        let (above, log) = self.text.split_at_checked(self.log)?;
        let (_, old_log) = old.text.split_at_checked(old.log)?;
        Some(Continued {
            above,
            old_above: i64::try_from(old.log).ok()?,
            new: log.strip_prefix(old_log)?,
            old_text: i64::try_from(old.text.len()).ok()?,
        })
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the match with this id. A text whose log would be written otherwise, as a
    /// person may have written it, is not kept: the next change writes it anew.
    ///
    /// # Errors
    ///
    /// As [`Match::read`].
    pub fn read(
        bytes: Vec<u8>,
        id: &Id,
    ) -> Result<(Arc<Match>, Option<StoredText>), ParseMatchError> {
        let (game, log) = Match::read_with_log(&bytes, id)?;
        let game = Arc::new(game);
        let text = log.and_then(|log| {
            Some(StoredText {
                game: Arc::clone(&game),
                text: String::from_utf8(bytes).ok()?,
                log,
            })
        });
        Ok((game, text))
    }

    /// Makes the text of a match.
    pub(super) fn of(game: &Arc<Match>) -> StoredText {
        let mut text = String::new();
        // A text takes whatever is written to it.
        let _ = write_above_log(game, &mut text);
        let log = text.len();
        let _ = write_log(game, 0, &mut text);
        StoredText {
            game: Arc::clone(game),
            text,
            log,
        }
    }

    /// Makes the text of this match with more lines in its log, and reads what is new in it.
    /// Returns none if it is another match or its log has become another.
    pub(super) fn continued(
        &self,
        game: &Arc<Match>,
    ) -> Option<Result<StoredText, ParseMatchError>> {
        let lines = self.game.log.len();
        let is_continued = game.settings == self.game.settings
            && game.headers == self.game.headers
            && game.links.get(..lines) == Some(self.game.links.as_slice())
            && game.log.get(..lines) == Some(self.game.log.as_slice());
        if !is_continued {
            return None;
        }
        let mut text = String::with_capacity(self.text.len() + 1024);
        let _ = write_above_log(game, &mut text);
        let log = text.len();
        text.push_str(&self.text[self.log..]);
        let new = text.len();
        let _ = write_log(game, lines, &mut text);
        let read = Match::read_on(&text, log, new, &self.game);
        Some(read.map(|()| StoredText {
            game: Arc::clone(game),
            text,
            log,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::action::Action;
    use crate::matches::event::{Event, LogEntry};
    use crate::matches::r#match::MatchSettings;
    use crate::rules::{Color, games};

    /// In a damaged file each line that looks like a header is one.
    #[test]
    fn no_paragraph_for_people_looks_like_a_header() {
        for game in games::ALL.iter().copied() {
            let settings = MatchSettings {
                variant: Variant::new(game, &[]).unwrap(),
                ..MatchSettings::sample("m")
            };
            let game = Match::new(settings, "2026-11-20T03:00:00Z".parse().unwrap());
            let text = body::below_list(&game).join("\n");
            assert!(text.lines().count() > 2, "{text}");
            for line in text.lines() {
                assert!(pair(line).is_none() && line.len() < 80, "{line}");
            }
        }
    }

    /// Hashes are not computed again of the lines that were read; a wrong one is found all
    /// the same.
    #[test]
    fn what_is_read_back_has_the_chain_of_what_was_written() {
        let settings = MatchSettings::sample("m");
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let mut game = Match::new(settings, time);
        let note = |text: &str| LogEntry::new(time, Event::note(text), Color::White);
        game.push(note("one")).unwrap();
        let mut read: Match = game.to_string().parse().unwrap();
        read.push(note("two")).unwrap();
        let text = read.to_string();
        let back = Match::read_back(&text, &read).unwrap();
        assert_eq!((&back.links, &back.log), (&read.links, &read.log));
        assert_eq!(back.links, text.parse::<Match>().unwrap().links);
        for (line, link) in back.links.iter().enumerate() {
            let other = if link.as_str().starts_with('0') {
                "1"
            } else {
                "0"
            };
            let wrong = format!("{other}{}", &link.as_str()[1..]);
            let text = text.replace(link.as_str(), &wrong);
            assert!(Match::read_back(&text, &read).is_err(), "{line}");
        }
        let renamed = text.replace("Id: m\n", "Id: n\n");
        assert!(Match::read_back(&renamed, &read).is_err());
        let changed = text.replace("note White one", "note White won");
        assert!(Match::read_back(&changed, &read).is_err());
    }

    fn id() -> Id {
        "m".parse().unwrap()
    }

    fn event(event: impl Into<Event>, color: Color) -> LogEntry {
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        LogEntry::new(time, event, color)
    }

    fn begun() -> Match {
        let settings = MatchSettings::sample("m");
        let mut game = Match::new(settings, "2026-11-20T03:00:00Z".parse().unwrap());
        game.push(event(Action::play("P>e3"), Color::White))
            .unwrap();
        game.push(event(
            Event::note("a \"note\"\n of two lines"),
            Color::White,
        ))
        .unwrap();
        game
    }

    fn stored(game: &Match) -> StoredText {
        let read = StoredText::read(game.to_string().into_bytes(), &id()).unwrap();
        read.1.unwrap()
    }

    #[test]
    fn a_longer_text_is_what_would_be_written_anew() {
        let mut stored = stored(&begun());
        let mut game = Match::clone(&stored.game);
        for event in [
            event(Action::play("n>g5"), Color::Black),
            event(Event::note("x"), Color::Black),
            event(Action::Resign, Color::White).remark(Some("x")),
        ] {
            game.push(event).unwrap();
            let longer = Arc::new(game.clone());
            let before = stored;
            stored = before.continued(&longer).unwrap().unwrap();
            assert_eq!(stored.text, game.to_string());
            let Continued {
                above,
                old_above,
                new,
                old_text,
            } = stored.beyond(&before).unwrap();
            let kept = &before.text[usize::try_from(old_above).unwrap()..];
            assert_eq!([above, kept, new].concat(), stored.text);
            assert_eq!(before.text.len(), usize::try_from(old_text).unwrap());
            assert_eq!(stored.text, StoredText::of(&longer).text);
            stored.text.parse::<Match>().unwrap();
        }
    }

    /// Each has been wrong in memory, as by a fault of the program.
    #[test]
    fn what_is_new_is_read_back_and_must_come_to_the_match() {
        let stored = stored(&begun());
        let longer = |change: fn(&mut Match)| {
            let mut game = Match::clone(&stored.game);
            game.push(event(Action::play("n>g5"), Color::Black))
                .unwrap();
            change(&mut game);
            stored.continued(&Arc::new(game))
        };
        assert!(longer(|_| {}).unwrap().is_ok());
        for change in [
            |game: &mut Match| game.links[3] = game.links[2],
            |game: &mut Match| drop(game.state.record.undo()),
            |game: &mut Match| game.log[3] = event(Action::play("n>g4"), Color::Black),
            |game: &mut Match| game.state.ending = Some(crate::matches::action::Ending::Agreed),
        ] {
            assert!(longer(change).unwrap().is_err());
        }
        // These are not the same match with more lines.
        for change in [
            |game: &mut Match| game.log[1] = event(Action::play("P>e4"), Color::White),
            |game: &mut Match| game.links[1] = game.links[2],
            |game: &mut Match| game.headers.push(("Place".to_owned(), "Rome".to_owned())),
            |game: &mut Match| game.settings.event = Some("Cup".to_owned()),
            |game: &mut Match| {
                game.log.truncate(2);
                game.links.truncate(2);
            },
        ] {
            assert!(longer(change).is_none());
        }
    }

    /// Its lines would not be written again as they are.
    #[test]
    fn a_log_that_somebody_wrote_otherwise_is_not_kept() {
        let text = begun().to_string();
        let is_kept = |text: &str| {
            let read = StoredText::read(text.as_bytes().to_vec(), &id());
            let (game, stored) = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(game.to_string(), begun().to_string());
            stored.is_some()
        };
        assert!(is_kept(&text));
        assert!(is_kept(&format!("\u{feff}{text}")));
        let lines = text.lines().filter(|line| !line.starts_with("Chain:"));
        let lines = lines.map(|line| line.split(" chain=").next().unwrap());
        let unchained = lines.collect::<Vec<_>>().join("\n") + "\n";
        for other in [
            text.replace('\n', "\r\n"),
            text.replace("\nLog\n", "\nLog:\n"),
            text.replace("\nLog\n", "\nLog\n\n"),
            text.replace("P>e3 chain", "\"P>e3\" chain"),
            text.replace("T03:00:00Z move", "T04:00:00+01:00 move"),
            format!("{text}\n"),
            format!("{} \n", text.trim_end()),
            unchained,
        ] {
            assert!(!is_kept(&other), "{other}");
        }
    }
}
