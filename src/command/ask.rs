//! Questions to the person at the terminal, each answered by a line.
//!
//! People type a password at the wrong question. So an answer that cannot be one is refused
//! without being repeated, and is wiped off the screen, where the terminal has shown it.

use std::env;
use std::io::Read;

use crate::Error;
use crate::command::context::Context;
use crate::mail::secret::SecretText;
use crate::printable;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 1000;

/// The answer that asks what a question means.
const WHAT: &str = "?";

/// A question.
#[derive(Clone, Copy)]
pub(super) struct Question<'q> {
    /// What is asked.
    pub(super) text: &'q str,
    /// What an empty line stands for.
    pub(super) usual: &'q str,
    /// What `?` tells.
    pub(super) help: &'q str,
}

impl Question<'_> {
    /// Asks until `read` takes an answer. What it says of any other must not repeat that.
    ///
    /// # Errors
    ///
    /// If nobody answers.
    pub(super) fn ask<T>(
        &self,
        context: &mut Context<'_>,
        mut read: impl FnMut(&str) -> Result<T, String>,
    ) -> Result<T, Error> {
        if !context.can_ask() {
            return Err(without_terminal(&["what is asked for here"]).and(self.text));
        }
        loop {
            context.say(format_args!("{} [{}]", self.text, self.usual));
            let typed = read_line(context)?;
            let answer = match typed.trim() {
                "" => self.usual,
                WHAT => {
                    context.say(self.help);
                    continue;
                }
                answer => answer,
            };
            let read = if answer.contains(char::is_control) {
                Err("that has a character which no answer has, as of an arrow key".to_owned())
            } else {
                read(answer)
            };
            match read {
                Ok(answer) => return Ok(answer),
                Err(why) => {
                    wipe(&typed, context);
                    context.say(why);
                }
            }
        }
    }

    /// Asks for one of some words. Its beginning will do.
    ///
    /// # Errors
    ///
    /// If nobody answers.
    pub(super) fn choose(&self, words: &[&str], context: &mut Context<'_>) -> Result<usize, Error> {
        self.ask(context, |answer| {
            let answer = answer.to_lowercase();
            let meant = words.iter().position(|word| word.starts_with(&answer));
            meant.ok_or_else(|| format!("that is none of {}", words.join(", ")))
        })
    }

    /// Asks what yes or no answers.
    ///
    /// # Errors
    ///
    /// If nobody answers.
    pub(super) fn is_yes(&self, context: &mut Context<'_>) -> Result<bool, Error> {
        Ok(self.choose(&["yes", "no"], context)? == 0)
    }
}

/// Returns the error that nobody can be asked for these arguments.
pub(super) fn without_terminal(missing: &[&str]) -> Error {
    Error::usage(format!(
        "there is no terminal to ask on; say {}",
        missing.join(", and ")
    ))
}

/// Asks for a password without showing it. An empty line is none.
///
/// # Errors
///
/// If there is no terminal.
pub(super) fn secret(
    what: &str,
    help: &str,
    context: &mut Context<'_>,
) -> Result<Option<SecretText>, Error> {
    loop {
        let prompt = format!(
            "Your {what}, which is not shown (an empty line if a command prints it; ? explains): "
        );
        let typed = rpassword::prompt_password(prompt)
            .map_err(|error| Error::io("the terminal", &error))?;
        match typed.as_str() {
            "" => return Ok(None),
            WHAT => context.say(help),
            typed => match SecretText::new(typed, what) {
                Ok(value) => return Ok(Some(value)),
                Err(error) => context.say(error),
            },
        }
    }
}

/// Reads an answer, and no further, because the next one follows it.
pub(super) fn read_line(context: &mut Context<'_>) -> Result<String, Error> {
    let line = next_line(context.stdin, "this answer is too long; nothing is written")?;
    line.ok_or_else(|| Error::refused("the answers end here; nothing is written"))
}

/// Reads a line, and no further. Returns `None` at the end.
///
/// # Errors
///
/// `too_long` if it is, and if the input cannot be read.
pub(super) fn next_line(input: &mut dyn Read, too_long: &str) -> Result<Option<String>, Error> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        let read = input.read(&mut byte);
        match read.map_err(|error| Error::io("standard input", &error))? {
            0 if line.is_empty() => return Ok(None),
            0 => break,
            _ if byte == *b"\n" => break,
            _ if line.len() == LONGEST => return Err(Error::refused(too_long)),
            _ => line.extend(byte),
        }
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// Takes the line that was just typed off the screen, if that is a terminal which can do so.
fn wipe(typed: &str, context: &mut Context<'_>) {
    if env::var_os("TERM").is_none_or(|term| term == "dumb") {
        return;
    }
    let rows = rows(typed, printable::terminal_width());
    // Up to where it begins, and clear from there.
    let _ = write!(context.stderr, "\x1b[{rows}A\r\x1b[J");
    let _ = context.stderr.flush();
}

/// Returns the rows of a screen that a typed line has taken.
fn rows(typed: &str, columns: usize) -> usize {
    // A terminal shows a control as ^X, and a tab as up to eight blanks.
    let (controls, shown): (String, String) = typed.chars().partition(|c| c.is_control());
    let controls = controls.chars().map(|c| if c == '\t' { 8 } else { 2 });
    let width = printable::width(&shown) + controls.sum::<usize>();
    width.div_ceil(columns.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_typed_line_takes_the_rows_that_it_fills() {
        for (typed, expected) in [
            ("", 1),
            ("secret", 1),
            ("0123456789", 1),
            ("0123456789a", 2),
            ("将将将将将将", 2),
            ("012345678\u{1b}", 2),
            ("012\t", 2),
        ] {
            assert_eq!(rows(typed, 10), expected, "{typed:?}");
        }
    }
}
