//! The state file: a match as a text that can be read, and posted, as it
//! stands.
//!
//! ```text
//! Format: 1
//! Id: k7f3qd
//! …
//!
//! the diagram
//!
//! the list of moves
//!
//! Log
//! 2026-11-20T03:00:00Z new - unachess white="Anna <anna@example.org>" …
//! 2026-11-20T03:05:00Z move White P>e3
//! ```
//!
//! The log is the record. What stands above it is read too, and must be what
//! the log comes to: a file in which they disagree was changed by somebody
//! who should be told, and is never set right in silence.

use std::fmt;
use std::str::FromStr;

use super::ending::Ending;
use super::event::Event;
use super::r#match::{Match, Terms};
use super::state::State;
use super::{Id, Player};
use crate::clock;
use crate::rules::Variant;
use crate::text::{Diagram, MoveList, header};

/// The version of the form that is written, and the only one that is read.
const FORMAT: &str = "1";

/// The line that the log begins after.
const LOG: &str = "Log";

/// What is wrong with a state file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMatchError {
    /// The line, from 1.
    pub line: usize,
    message: String,
}

impl fmt::Display for ParseMatchError {
    /// `LINE: why`, so that the file's name and a colon may stand before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseMatchError {}

fn fault<T>(line: usize, message: impl fmt::Display) -> Result<T, ParseMatchError> {
    Err(ParseMatchError {
        line,
        message: message.to_string(),
    })
}

impl fmt::Display for Match {
    /// The whole state file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Terms {
            id,
            variant,
            players: [white, black],
            event,
            time,
        } = &self.terms;
        writeln!(f, "Format: {FORMAT}")?;
        writeln!(f, "Id: {id}")?;
        writeln!(f, "Game: {}", variant.game().name)?;
        writeln!(f, "Rules: {}", variant.game().id)?;
        if !variant.options().is_empty() {
            writeln!(f, "Options: {}", variant.options().join(", "))?;
        }
        writeln!(f, "White: {white}")?;
        writeln!(f, "Black: {black}")?;
        if let Some(event) = event {
            writeln!(f, "Event: {event}")?;
        }
        writeln!(f, "Started: {}", clock::write(self.started()))?;
        if let Some(time) = time {
            writeln!(f, "Time: {time}")?;
        }
        writeln!(f, "Result: {}", result(self.ending()))?;
        for (key, value) in &self.headers {
            writeln!(f, "{key}: {value}")?;
        }
        for line in body(&self.state) {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "{LOG}")?;
        for event in &self.log {
            writeln!(f, "{event}")?;
        }
        Ok(())
    }
}

fn result(ending: Option<Ending>) -> String {
    ending.map_or_else(|| "*".to_owned(), |ending| ending.to_string())
}

/// The lines between the headers and the log.
fn body(state: &State) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut block = |text: String| {
        if !text.is_empty() {
            lines.extend(text.lines().map(|line| line.trim_end().to_owned()));
            lines.push(String::new());
        }
    };
    block(Diagram::of(state.record.position()).to_string());
    block(MoveList::of(&state.record).to_string());
    lines
}

impl FromStr for Match {
    type Err = ParseMatchError;

    fn from_str(text: &str) -> Result<Match, ParseMatchError> {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        if !text.ends_with('\n') {
            return fault(
                lines.len().max(1),
                "the file ends in the middle of a line: it has been cut",
            );
        }
        let headers = Headers::read(&lines)?;
        let Some(log) = lines
            .iter()
            .position(|line| *line == LOG || *line == "Log:")
        else {
            return fault(lines.len(), "the file ends without a log: it has been cut");
        };
        let terms = headers.terms()?;

        let mut events = lines[log + 1..]
            .iter()
            .enumerate()
            .map(|(i, line)| (log + 2 + i, *line))
            .filter(|(_, line)| !line.is_empty())
            .map(|(number, line)| match line.parse::<Event>() {
                Ok(event) => Ok((number, event)),
                Err(error) => fault(number, error),
            });
        let Some(begin) = events.next() else {
            return fault(log + 1, "the log is empty: the file has been cut");
        };
        let (number, begin) = begin?;
        headers.check_beginning(number, &begin, &terms)?;
        let mut game = Match {
            state: State::new(&terms.variant, begin.time),
            headers: headers.unknown(),
            log: vec![begin],
            terms,
        };
        for event in events {
            let (number, event) = event?;
            if let Err(error) = game.push(event) {
                return fault(number, error);
            }
        }
        let result = result(game.ending());
        headers.check("Result", &result, "the log")?;
        check_body(&lines[headers.end..log], headers.end + 1, &game.state)?;
        Ok(game)
    }
}

/// Compares the lines between the headers and the log, of which the first is
/// the file's line `first`, with what the log comes to.
fn check_body(found: &[&str], first: usize, state: &State) -> Result<(), ParseMatchError> {
    let expected = body(state);
    for (i, expected) in expected.iter().enumerate() {
        match found.get(i) {
            Some(found) if found == expected => {}
            Some(found) => {
                return fault(
                    first + i,
                    format_args!("'{found}' stands here, but the log comes to '{expected}'"),
                );
            }
            None => {
                return fault(
                    first + i,
                    format_args!("'{expected}' is missing here, to which the log comes"),
                );
            }
        }
    }
    match found.get(expected.len()) {
        Some(line) => fault(
            first + expected.len(),
            format_args!("'{line}' does not belong here"),
        ),
        None => Ok(()),
    }
}

/// The header lines as they were read.
struct Headers<'a> {
    /// Line, key, value.
    lines: Vec<(usize, &'a str, &'a str)>,
    /// The index of the line after them.
    end: usize,
}

const KNOWN: [&str; 11] = [
    "Format", "Id", "Game", "Rules", "Options", "White", "Black", "Event", "Started", "Time",
    "Result",
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
            let pair = line.split_once(':').filter(|(key, _)| is_key(key));
            let Some((key, value)) = pair else {
                return fault(i + 1, "this is no header line of the form Key: value");
            };
            if headers.find(key).is_some() {
                return fault(i + 1, format_args!("{key} is said twice"));
            }
            headers.lines.push((i + 1, key, value.trim()));
            // Before anything else is made of a file of another form.
            if key == "Format" && value.trim() != FORMAT {
                return fault(
                    i + 1,
                    format_args!(
                        "the form of this file is {}; this program knows form {FORMAT}",
                        value.trim()
                    ),
                );
            }
        }
        if headers.find("Format").is_none() {
            return fault(1, "this is no state file: it has no Format line");
        }
        Ok(headers)
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

    fn need<T: FromStr<Err: fmt::Display>>(&self, key: &str) -> Result<T, ParseMatchError> {
        match self.parse(key)? {
            Some(value) => Ok(value),
            None => fault(self.end, format_args!("there is no {key} line")),
        }
    }

    fn terms(&self) -> Result<Terms, ParseMatchError> {
        Ok(Terms {
            id: self.need::<Id>("Id")?,
            variant: self.variant()?,
            players: [self.need::<Player>("White")?, self.need::<Player>("Black")?],
            event: self.parse("Event")?,
            time: self.parse("Time")?,
        })
    }

    /// The game from `Rules`, else from `Game`; both must say the same.
    fn variant(&self) -> Result<Variant, ParseMatchError> {
        let (rules, name) = (self.find("Rules"), self.find("Game"));
        let Some((line, text)) = rules.or(name) else {
            return fault(self.end, "there is no Rules line");
        };
        let game = header::game(text).or_else(|error| fault(line, error))?;
        if let Some((line, text)) = name
            && header::game(text).is_ok_and(|named| named.id != game.id)
        {
            return fault(
                line,
                format_args!("Game is '{text}', but Rules are those of {}", game.name),
            );
        }
        let (line, options) = self.find("Options").unwrap_or((line, ""));
        header::variant(game, options).or_else(|error| fault(line, error))
    }

    /// Compares a header with what it must be, as that says.
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

    /// Compares the first line of the log, and the headers, with what the
    /// headers and that line say.
    fn check_beginning(
        &self,
        number: usize,
        begin: &Event,
        terms: &Terms,
    ) -> Result<(), ParseMatchError> {
        let expected = terms.begin(begin.time);
        if begin.what != expected.what {
            return fault(number, "the log does not begin with 'new': it has been cut");
        }
        self.check("Started", &clock::write(begin.time), "the log")?;
        let differs = |header: &str, logged: Option<&str>| {
            let (line, found) = self.find(header).unwrap_or((self.end, "missing"));
            fault(
                line,
                format_args!(
                    "{header} is '{found}', but the match began with '{}' (line {number})",
                    logged.unwrap_or_default()
                ),
            )
        };
        if begin.argument != expected.argument {
            return differs("Rules", begin.argument.as_deref());
        }
        for (header, key) in [
            ("Options", "options"),
            ("White", "white"),
            ("Black", "black"),
        ] {
            if begin.get(key) != expected.get(key) {
                return differs(header, begin.get(key));
            }
        }
        Ok(())
    }

    fn unknown(&self) -> Vec<(String, String)> {
        self.lines
            .iter()
            .filter(|(_, key, _)| !KNOWN.contains(key))
            .map(|(_, key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }
}

fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
