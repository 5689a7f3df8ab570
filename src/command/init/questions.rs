//! Questions to the user at a terminal.

use crate::Error;
use crate::command::context::Context;
use crate::mail::secret::Value;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 1000;

/// Returns the error that nobody can be asked for these arguments.
pub(super) fn without_terminal(missing: &[&str]) -> Error {
    Error::usage(format!(
        "there is no terminal to ask on; say {}",
        missing.join(", and ")
    ))
}

/// Asks for a line of text, until there is one. An empty line is the usual answer, if
/// there is one.
///
/// # Errors
///
/// If nobody answers.
pub(super) fn line(
    question: &str,
    usual: Option<&str>,
    context: &mut Context<'_>,
) -> Result<String, Error> {
    if !context.can_ask() {
        return Err(without_terminal(&["what is asked for here"]).and(question));
    }
    loop {
        match usual {
            Some(usual) => context.say(format_args!("{question} [{usual}]")),
            None => context.say(question),
        }
        let answer = read(context)?;
        match (answer.as_str(), usual) {
            ("", None) => {}
            ("", Some(usual)) => return Ok(usual.to_owned()),
            _ => return Ok(answer),
        }
    }
}

/// Asks for one of some words, of which the first is usual. Its beginning will do.
///
/// # Errors
///
/// If nobody answers.
pub(super) fn choose(
    question: &str,
    words: &[&str],
    context: &mut Context<'_>,
) -> Result<usize, Error> {
    loop {
        let answer = line(question, words.first().copied(), context)?;
        let answer = answer.to_lowercase();
        let meant = words
            .iter()
            .position(|word| word.starts_with(answer.as_str()));
        if let Some(chosen) = meant {
            return Ok(chosen);
        }
    }
}

/// Asks a question that yes or no answers.
///
/// # Errors
///
/// If nobody answers.
pub(super) fn is_yes(
    question: &str,
    usual: bool,
    context: &mut Context<'_>,
) -> Result<bool, Error> {
    let words = if usual { ["yes", "no"] } else { ["no", "yes"] };
    let chosen = choose(question, &words, context)?;
    Ok((chosen == 0) == usual)
}

/// Asks for a password without showing it. An empty line is none.
///
/// # Errors
///
/// If there is no terminal.
pub(super) fn secret(what: &str, context: &mut Context<'_>) -> Result<Option<Value>, Error> {
    loop {
        let prompt = format!(
            "Your {what}, which is not shown (an empty line, to give a command that prints it): "
        );
        let typed = rpassword::prompt_password(prompt)
            .map_err(|error| Error::io("the terminal", &error))?;
        if typed.is_empty() {
            return Ok(None);
        }
        match Value::new(&typed, what) {
            Ok(value) => return Ok(Some(value)),
            Err(error) => context.say(error),
        }
    }
}

/// Reads a line, and no further, because the next answer follows it.
fn read(context: &mut Context<'_>) -> Result<String, Error> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        let read = context.stdin.read(&mut byte);
        match read.map_err(|error| Error::io("standard input", &error))? {
            0 if line.is_empty() => {
                return Err(Error::refused("the answers end here; nothing is written"));
            }
            0 => break,
            _ if byte == *b"\n" => break,
            _ if line.len() == LONGEST => {
                return Err(Error::refused(
                    "this answer is too long; nothing is written",
                ));
            }
            _ => line.extend(byte),
        }
    }
    Ok(String::from_utf8_lossy(&line).trim().to_owned())
}
