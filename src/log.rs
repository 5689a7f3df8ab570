//! The log that `--verbose` writes to standard error, a line for each step.
//!
//! ```text
//! TIME LEVEL WORDS key=value… message=MESSAGE-ID match=ID
//! ```
//!
//! Every line names the message and the match that it is about, or `-`. A caller gives
//! them as the fields `msg` and `"match"`, and never a secret or an answer code:
//!
//! ```
//! # let (id, game) = ("<1@ben.test>", "k7f3qd");
//! tracing::info!(msg = %id, "match" = %game, outcome = "accepted", "received");
//! ```

use std::fmt::{self, Write as _};
use std::io::Write as _;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::clock;
use crate::printable::escaped;

/// Starts to write the log, for as long as the process lives.
pub fn start() {
    // A process that runs several commands has one log.
    let _ = tracing::subscriber::set_global_default(Log);
}

/// Writes the events of the program and of its mail. Spans say nothing here.
struct Log;

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = metadata.target();
        let (package, _) = target.split_once("::").unwrap_or((target, ""));
        matches!(package, "parapost" | "parapost_mail")
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        let time = clock::now().map(clock::write).unwrap_or_default();
        let line = format!("{time} {} {line}\n", event.metadata().level());
        // In one piece, so that lines of several threads do not mix. A failure has no
        // place to be reported.
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The fields of an event, escaped.
#[derive(Default)]
struct Line {
    words: String,
    fields: String,
    message: Option<String>,
    game: Option<String>,
}

impl Line {
    fn take(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => self.words = escaped(value, ""),
            "msg" => self.message = Some(quoted(value)),
            "match" => self.game = Some(quoted(value)),
            name => {
                let _ = write!(self.fields, " {name}={}", quoted(value));
            }
        }
    }
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.take(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.take(field, value);
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message.as_deref().unwrap_or("-");
        let game = self.game.as_deref().unwrap_or("-");
        let Line { words, fields, .. } = self;
        write!(f, "{words}{fields} message={message} match={game}")
    }
}

/// Writes a value so that the next one cannot be mistaken for a part of it.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && c != '"' && c != '=';
    // Message-IDs may have an '='.
    let is_id = text.starts_with('<') && text.ends_with('>');
    if !text.is_empty() && text.chars().all(|c| is_plain(c) || is_id && c == '=') {
        return text.to_owned();
    }
    let inner = escaped(&text.replace('\\', "\\\\").replace('"', "\\\""), "");
    format!("\"{inner}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_a_line_or_passes_for_another_field() {
        for (text, expected) in [
            ("accepted", "accepted"),
            ("<a=b@c.test>", "<a=b@c.test>"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("a=b", "\"a=b\""),
            ("a\" match=\"x", "\"a\\\" match=\\\"x\""),
            ("a\n2026 INFO x", "\"a\\n2026 INFO x\""),
            ("a\r\n\t", "\"a\\r\\n\\t\""),
            ("\u{1b}[2J", "\"\\u{1b}[2J\""),
            ("\u{202e}", "\"\\u{202e}\""),
            ("\\", "\\"),
        ] {
            assert_eq!(quoted(text), expected, "{text:?}");
        }
        assert_eq!(escaped("a\nb \u{1b}[31m", ""), "a\\nb \\u{1b}[31m");
    }
}
