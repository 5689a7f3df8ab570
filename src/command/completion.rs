//! Completion of command lines in a shell: the program itself is asked at each Tab, and knows the
//! matches that are there. The script of `parapost completions` only asks it.
//!
//! A shell may expand what it is given, so only what looks like an id is: the names of files are
//! the shell's own affair.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, io};

use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use crate::Error;
use crate::command::arguments::Global;
use crate::command::context::Context;
use crate::rules::games;

/// Asks the program, in the environment of a script, what completes a line.
const VARIABLE: &str = "PARAPOST_COMPLETE";

/// The name of the program.
const NAME: &str = "parapost";

/// The longest wait for matches in a database, in seconds: somebody has pressed a key.
const WAIT: u16 = 2;

/// Returns the script by which a shell completes.
///
/// # Errors
///
/// If the script cannot be written.
pub(super) fn script(shell: Shell) -> Result<Vec<u8>, Error> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let name = shell.to_string();
    let Some(writer) = shells.completer(&name) else {
        return Err(Error::usage(format!("no completions for {name}")));
    };
    writer
        .write_registration(VARIABLE, NAME, NAME, NAME, &mut script)
        .map_err(|error| Error::io("the script", &error))?;
    if shell == Shell::Zsh {
        // Where zsh loads the file by itself, it does so to complete a line.
        script.extend_from_slice(
            b"if [ \"$funcstack[1]\" = \"_parapost\" ]; then\n    _clap_dynamic_completer_parapost \"$@\"\nfi\n",
        );
    }
    Ok(script)
}

/// Completes a line if a shell has asked for that. Returns false if none has.
///
/// # Errors
///
/// If the shell is not known, or does not read the answer.
pub(super) fn answer(words: &[OsString], line: fn() -> Command) -> io::Result<bool> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let typed: Arc<[OsString]> = words.into();
    let factory = || with_values(line(), &typed);
    CompleteEnv::with_factory(factory)
        .var(VARIABLE)
        .bin(NAME)
        .completer(NAME)
        .try_complete(words.iter().cloned(), env::current_dir().ok().as_deref())
        .map_err(io::Error::other)
}

/// Returns the command line, with what completes the values of its arguments.
fn with_values(mut command: Command, typed: &Arc<[OsString]>) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    for name in names {
        command = command.mut_subcommand(&name, |below| {
            // The id of a new match is made up.
            let is_new = name == "new";
            with_values(below, typed).mut_args(|argument| {
                if is_new && argument.get_id() == "id" {
                    argument
                } else {
                    with_value(argument, typed)
                }
            })
        });
    }
    command
}

/// Returns an argument, with what completes its value.
fn with_value(argument: Arg, typed: &Arc<[OsString]>) -> Arg {
    if argument.get_id() == "options" {
        let typed = Arc::clone(typed);
        return argument.add(ArgValueCompleter::new(move |current: &OsStr| {
            options(current, &typed)
        }));
    }
    let mut values: Vec<String> = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect();
    if values.is_empty() && !argument.get_action().takes_values() {
        return argument;
    }
    if values.is_empty() {
        values.push(argument.get_id().as_str().to_uppercase());
    }
    let has = |wanted: &str| {
        let mut parts = values
            .iter()
            .flat_map(|value| value.split(|c: char| !c.is_ascii_alphabetic()));
        parts.any(|part| part == wanted)
    };
    if !has("ID") && !has("IDS") {
        return argument;
    }
    let takes_files = has("FILE") || has("DIR");
    let typed = Arc::clone(typed);
    argument.add(ArgValueCompleter::new(move |current: &OsStr| {
        let mut found = ids(current, &typed);
        if takes_files {
            found.extend(PathCompleter::any().complete(current));
        }
        found
    }))
}

/// Returns the ids that begin so.
fn ids(current: &OsStr, typed: &[OsString]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else {
        return Vec::new();
    };
    let [games, config] = ["--games", "--config"].map(|name| value_of(name, typed));
    let global = Global {
        games: games
            .or_else(|| env::var_os("PARAPOST_GAMES"))
            .map(PathBuf::from),
        config: config
            .or_else(|| env::var_os("PARAPOST_CONFIG"))
            .map(PathBuf::from),
        wait: WAIT,
        ..Global::default()
    };
    let (mut stdin, mut stdout, mut stderr) = (io::empty(), io::sink(), io::sink());
    let context = Context::new(global, &mut stdin, &mut stdout, &mut stderr);
    // Without matches nothing is completed; the command says why.
    let ids = context.store_to_read().and_then(|store| store.ids());
    let ids = ids.unwrap_or_default().into_iter();
    let ids = ids.filter(|id| id.as_str().starts_with(current));
    ids.map(|id| CompletionCandidate::new(id.to_string()))
        .collect()
}

/// Returns the options of the game on the command line, or of all games, that begin so.
fn options(current: &OsStr, typed: &[OsString]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else {
        return Vec::new();
    };
    let game = value_of("--game", typed);
    let game = game.and_then(|name| games::find(&name.to_string_lossy().to_lowercase()));
    let mut names: Vec<&str> = games::ALL
        .iter()
        .filter(|one| game.is_none_or(|game| game.id == one.id))
        .flat_map(|game| game.options)
        .map(|option| option.name)
        .filter(|name| name.starts_with(current))
        .collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// Returns the value of an option on the command line.
fn value_of(name: &str, typed: &[OsString]) -> Option<OsString> {
    let mut words = typed.iter();
    let mut value = None;
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        if text == name {
            value = words.next().cloned();
        } else if let Some(glued) = text
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('='))
        {
            value = Some(glued.into());
        }
    }
    value
}
