//! Words for the opponent: `parapost say`, and `--say` of the commands that mail anyway.

use std::fs;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::slice;

use clap::Args;

use crate::command::arguments::Delivery;
use crate::command::context::{Context, Status};
use crate::command::delivery::{finish, warn_of_backup};
use crate::inbound::talk::LONGEST;
use crate::match_id::Id;
use crate::matches::codes::{AnswerCode, codes_of};
use crate::matches::decision::Usage;
use crate::matches::event::Who;
use crate::matches::mail::MailKind;
use crate::matches::mail_id::token;
use crate::matches::r#match::Match;
use crate::printable::is_unprintable;
use crate::referee::session::Session;
use crate::rules::Color;
use crate::{Error, limits};

/// The most bytes that are read of words: more than they may have in any script.
const MOST_BYTES: u64 = 8 * LONGEST as u64;

/// The words that go with the mail of a command.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct Words {
    /// Words for the opponent, which go with the mail: a text, '-' for standard input, or nothing
    /// to write them in $VISUAL or $EDITOR
    #[arg(
        long,
        value_name = "TEXT",
        num_args = 0..=1,
        default_missing_value = "",
        allow_hyphen_values = false
    )]
    say: Option<String>,
}

impl Words {
    /// Returns true if a person is to write them now.
    pub(super) fn are_asked_for(&self) -> bool {
        matches!(self.say.as_deref(), Some("" | "-"))
    }

    /// Returns the words, read from where the command line says.
    ///
    /// # Errors
    ///
    /// If there are none, they are too long or have what no mail carries, or nobody can be
    /// asked for them.
    pub(super) fn get(&self, context: &mut Context<'_>) -> Result<Option<String>, Error> {
        let Some(said) = &self.say else {
            return Ok(None);
        };
        let words = match said.as_str() {
            "-" => checked(&from_stdin(context)?),
            "" => from_editor(context),
            text => checked(text),
        };
        words.map(Some)
    }
}

/// The words that go with the article of a command.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct PublicWords {
    /// Words for everybody, which stand in the article to the newsgroup and in no mail
    #[arg(long, value_name = "TEXT", allow_hyphen_values = false)]
    say_news: Option<String>,
}

impl PublicWords {
    /// Returns the words.
    ///
    /// # Errors
    ///
    /// If there are none, they are too long or have what no article carries.
    pub(super) fn get(&self) -> Result<Option<String>, Error> {
        self.say_news.as_deref().map(checked).transpose()
    }
}

/// Checks that a match has room for words to everybody, and that they have nothing of the match
/// that is not for everybody: an address of a player, or what proves that somebody has a mail.
///
/// # Errors
///
/// If it has no room, or they have something of that kind.
pub(super) fn check_public(
    session: &Session,
    game: &Match,
    who: impl Into<Who>,
    words: Option<&str>,
) -> Result<(), Error> {
    let Some(words) = words else {
        return Ok(());
    };
    check_room(session, game, who, Some(words))?;
    let low = words.to_lowercase();
    let has = |what: &str| !what.is_empty() && low.contains(&what.to_lowercase());
    let refused = |what: &str| {
        Err(Error::refused(format!(
            "{}: your words for everybody have {what}, and everybody would read that",
            game.id()
        )))
    };
    let mut addresses = Color::ALL.into_iter().flat_map(|side| {
        let added = game.state.claims.added(side).iter();
        game.player(side).addresses().iter().chain(added)
    });
    if addresses.any(|address| has(address.as_ref())) {
        return refused("a player's address");
    }
    let mut ids = game.log().iter().filter_map(|entry| entry.get("msg"));
    let codes = codes_of(game.log(), &session.ids);
    let is_code = |code: &AnswerCode| has(&code.to_string());
    if ids.any(|id| token(id).is_some_and(has)) || codes.iter().any(is_code) {
        return refused("a code of its mails");
    }
    Ok(())
}

/// `parapost say`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost say k7f3qd 'Thank you for the game!' --send
  parapost say k7f3qd - --send < words.txt

The words are mailed to the opponent with the position, and are kept in the
match. 'parapost move ID MOVE --say TEXT' sends words with a move, 'parapost note'
keeps a note of your own and mails nothing.")]
pub(super) struct Say {
    /// The match
    id: Id,
    /// The words; '-' for standard input [default: write them in $VISUAL or $EDITOR]
    #[arg(value_name = "TEXT|-")]
    words: Vec<String>,
    /// The mail to the opponent.
    #[command(flatten)]
    delivery: Delivery,
}

pub(super) fn say(args: &Say, context: &mut Context<'_>) -> Result<Status, Error> {
    let session = Session::open(context)?;
    warn_of_backup(&session, slice::from_ref(&args.id), context);
    let read = session.store.read(&args.id)?;
    let side = session.side(&read.game)?;
    if !read.game.takes_mail(!side) {
        return Err(Error::refused(format!(
            "{}: {} has asked for no more mail",
            args.id,
            read.game.public_name(!side)
        )));
    }
    let words = Words {
        say: Some(args.words.join(" ")),
    };
    let words = words.get(context)?;
    let (side, stored) = session.change(&args.id, |game| {
        let side = session.side(game)?;
        check_room(&session, game, side, words.as_deref())?;
        session.mail_opponent(MailKind::Note, game, side, words.as_deref())?;
        Ok(side)
    })?;
    let opponent = stored.game.player(!side).name();
    let done = format!("your words to {opponent} are kept in the match");
    finish(context, &session, stored, args.delivery, &done)
}

/// Checks that a match has room for more words of a player.
///
/// # Errors
///
/// If it has none.
pub(super) fn check_room(
    session: &Session,
    game: &Match,
    who: impl Into<Who>,
    words: Option<&str>,
) -> Result<(), Error> {
    let words = words.unwrap_or_default();
    if Usage::of(game, who.into(), session.now).has_room_for(words) {
        return Ok(());
    }
    Err(Error::refused(format!(
        "{}: the match keeps {} MiB of one person's words, and yours would come to more",
        game.id(),
        limits::WORDS >> 20
    )))
}

/// Returns words as a mail carries them: without blanks at the ends.
///
/// # Errors
///
/// If there are none, they are too long, or have a character that nobody could see.
fn checked(text: &str) -> Result<String, Error> {
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
    let lines: Vec<&str> = lines.map(str::trim_end).collect();
    for (at, line) in lines.iter().enumerate() {
        let hidden = line
            .chars()
            .enumerate()
            .find(|(_, c)| *c != '\t' && is_unprintable(*c));
        if let Some((column, c)) = hidden {
            return Err(Error::refused(format!(
                "your words: line {}, column {}: the character U+{:04X} cannot be seen, and is not sent",
                at + 1,
                column + 1,
                u32::from(c)
            )));
        }
    }
    let words = lines.join("\n").trim_matches('\n').to_owned();
    let count = words.chars().count();
    if words.trim().is_empty() {
        return Err(Error::refused("there are no words, so nothing is done"));
    } else if count > LONGEST {
        return Err(Error::refused(format!(
            "your words have {count} characters, and a mail carries {LONGEST} of them: please send them in parts"
        )));
    }
    Ok(words)
}

fn from_stdin(context: &mut Context<'_>) -> Result<String, Error> {
    context.say_waiting("your words");
    let mut bytes = Vec::new();
    let read = (&mut *context.stdin)
        .take(MOST_BYTES)
        .read_to_end(&mut bytes);
    read.map_err(|error| Error::io("standard input", &error))?;
    String::from_utf8(bytes).map_err(|_| Error::refused("your words are not UTF-8"))
}

/// Lets the user write words in an editor. Those that are refused are kept.
fn from_editor(context: &mut Context<'_>) -> Result<String, Error> {
    if !context.can_ask() {
        return Err(Error::usage(
            "words are written in an editor at a terminal alone: give them as a text, or '-' for standard input",
        ));
    }
    let named = |name| std::env::var_os(name).filter(|editor| !editor.is_empty());
    let editor = named("VISUAL").or_else(|| named("EDITOR"));
    let editor = editor.ok_or_else(|| {
        Error::usage(
            "no editor is named: set VISUAL or EDITOR, or give the words as a text, or '-'",
        )
    })?;
    let fault = |error| Error::io("the file for your words", &error);
    let file = tempfile::Builder::new()
        .prefix("parapost-")
        .suffix(".txt")
        .tempfile()
        .map_err(fault)?;
    // As other programs do: the variable may have arguments of the editor's.
    let mut command = if cfg!(windows) {
        Command::new(&editor)
    } else {
        let mut command = Command::new("sh");
        let mut line = editor.clone();
        line.push(" \"$@\"");
        command.arg("-c").arg(line).arg(&editor);
        command
    };
    let status = command
        .arg(file.path())
        .stdin(Stdio::inherit())
        .status()
        .map_err(|error| Error::io(&editor.to_string_lossy(), &error))?;
    if !status.success() {
        return Err(Error::refused(format!(
            "{} has ended with {status}, so nothing is done",
            editor.to_string_lossy()
        )));
    }
    // An editor may have put another file in its place.
    let mut text = String::new();
    let written = fs::File::open(file.path()).map_err(fault)?;
    let read = written.take(MOST_BYTES).read_to_string(&mut text);
    read.map_err(fault)?;
    checked(&text).map_err(|error| match file.keep() {
        Ok((_, path)) if !text.trim().is_empty() => {
            error.and(format_args!("what you wrote is in {}", path.display()))
        }
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_a_mail_can_carry() {
        for (text, words) in [
            ("hello", "hello"),
            ("\n hello \r\nBen\n\n", " hello\nBen"),
            ("a\tb", "a\tb"),
            ("👩\u{200d}🚀", "👩\u{200d}🚀"),
            ("resign\nn>g5", "resign\nn>g5"),
        ] {
            assert_eq!(checked(text).unwrap(), words, "{text:?}");
        }
        for (text, why) in [
            ("", "there are no words"),
            (" \n\n", "there are no words"),
            ("a\nb\u{1b}[2J", "line 2, column 2: the character U+001B"),
            ("\u{202e}", "line 1, column 1: the character U+202E"),
            (&"x".repeat(LONGEST + 1), "your words have 4001 characters"),
        ] {
            let error = checked(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(checked(&"x".repeat(LONGEST)).unwrap().len(), LONGEST);
    }
}
