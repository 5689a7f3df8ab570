//! The header lines of a state file, and the error of one that cannot be read.

use std::fmt;
use std::str::FromStr;

use crate::clock;
use crate::match_id::Id;
use crate::matches::event::LogEntry;
use crate::matches::r#match::MatchSettings;
use crate::matches::player::Player;
use crate::notation::header;
use crate::rules::Variant;

/// The version of the file format that is written, and the only one that is
/// read.
pub(super) const FORMAT: u32 = 1;

/// The header lines of a file.
#[derive(Default)]
pub(in crate::store) struct Headers<'a> {
    /// Line number, key and value of each.
    lines: Vec<(usize, &'a str, &'a str)>,
    /// The index of the line after the headers.
    pub(super) end: usize,
}

const KNOWN: [&str; 13] = [
    "Format", "Id", "Game", "Rules", "Options", "White", "Black", "Referee", "Event", "Started",
    "Time", "Result", "Chain",
];

impl<'a> Headers<'a> {
    pub(super) fn read(lines: &[&'a str]) -> Result<Headers<'a>, ParseMatchError> {
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
            if headers.find(key).is_some() {
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
    /// first header with each key.
    pub(in crate::store) fn take(&mut self, number: usize, line: &'a str) -> bool {
        let Some((key, value)) = pair(line) else {
            return false;
        };
        if self.find(key).is_none() {
            self.lines.push((number, key, value));
        }
        true
    }

    /// Returns the value of a header.
    pub(in crate::store) fn get(&self, key: &str) -> Option<&'a str> {
        self.find(key).map(|(_, value)| value)
    }

    pub(super) fn find(&self, key: &str) -> Option<(usize, &'a str)> {
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

    pub(super) fn id(&self) -> Result<Id, ParseMatchError> {
        self.need("Id")
    }

    /// Reads the terms of the match. Uses this id, whatever id the headers
    /// name.
    pub(in crate::store) fn settings(&self, id: Id) -> Result<MatchSettings, ParseMatchError> {
        Ok(MatchSettings {
            id,
            variant: self.variant()?,
            players: [self.need::<Player>("White")?, self.need::<Player>("Black")?],
            referee: self.parse("Referee")?,
            event: self.parse("Event")?,
            time: self.parse("Time")?,
        })
    }

    /// Reads the game from `Rules`, else from `Game`. Both must agree.
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

    /// Compares a header with the value that `source` gives it.
    pub(super) fn check(
        &self,
        key: &str,
        expected: &str,
        source: &str,
    ) -> Result<(), ParseMatchError> {
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
    pub(super) fn check_beginning(
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
        for (header, key) in [
            ("Rules", None),
            ("Options", Some("options")),
            ("White", Some("white")),
            ("Black", Some("black")),
            ("Referee", Some("referee")),
            ("Event", Some("event")),
            ("Time", Some("time")),
        ] {
            let [logged, expected] = [begin, &expected].map(|event| match key {
                Some(key) => event.get(key),
                None => event.argument(),
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
    pub(in crate::store) fn unknown(&self) -> Vec<(String, String)> {
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
    pub(super) fn newer(line: usize, message: String) -> ParseMatchError {
        ParseMatchError {
            line,
            message,
            is_newer: true,
        }
    }

    /// Returns true if the only fault is that a newer version of the program
    /// wrote the file.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        self.is_newer
    }
}

pub(super) fn fault<T>(line: usize, message: impl fmt::Display) -> Result<T, ParseMatchError> {
    Err(ParseMatchError {
        line,
        message: message.to_string(),
        is_newer: false,
    })
}
