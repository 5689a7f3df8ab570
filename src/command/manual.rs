//! `parapost rules`, `completions` and `man`: the rules of the games and their sources, and what
//! the command line tells of itself, for shells and for `man`.
//!
//! Completion of command lines in a shell: the program itself is asked at each Tab, and knows the
//! matches that are there. The script of `parapost completions` only asks it.
//!
//! A shell may expand what it is given, so only what looks like an id is: the names of files are
//! the shell's own affair.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs, io};

use clap::{Arg, Args, ColorChoice, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, Shell};

use crate::command::arguments::{Global, game_parser, values_of};
use crate::command::context::{Context, Status};
use crate::limits::FEW_MATCHES;
use crate::mail::files;
use crate::mail::files::replace::replace;
use crate::match_id::Id;
use crate::render::lesson;
use crate::rules::{Game, games};
use crate::store::store::Store;
use crate::{Error, printable};

/// `parapost rules`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost rules unachess")]
pub(super) struct Rules {
    /// The game [default: all, in a line each]
    #[arg(value_parser = game_parser(), ignore_case = true)]
    game: Option<&'static Game>,
}

pub(super) fn rules(args: &Rules, context: &mut Context<'_>) -> Result<Status, Error> {
    context.without_games()?;
    let room = context.room().unwrap_or(usize::MAX);
    if let Some(game) = args.game {
        context.print(text_of(game, room))?;
        return Ok(Status::Done);
    }
    let layout = textwrap::Options::new(room).subsequent_indent(BESIDE_ID);
    for game in games::ALL {
        let row = format!("{:<11} {}. {}.", game.id, game.name, game.credit);
        context.print(textwrap::fill(&row, &layout) + "\n")?;
    }
    Ok(Status::Done)
}

/// The indent below the id of a game where its line is broken.
const BESIDE_ID: &str = "            ";

/// The width of the lines, if there is room for it.
const WIDTH: usize = 72;

/// The place of more about the marks in the rules.
const READINGS: &str = "All such readings stand in docs/rules.md.";

pub(super) fn text_of(game: &Game, room: usize) -> String {
    let width = room.min(WIDTH);
    let mut text = format!("{} ({})\n", game.name, game.id);
    // Keeps a rights notice whole on its line.
    let credit = printable::wrapped(&format!("{}.", game.credit.replace("; ", ";\n")), room);
    let _ = write!(text, "{credit}\n\n{}\n", filled(game.text, room));
    if let Some(explanation) = lesson::rules_legend(game) {
        let legend = textwrap::fill(&format!("{explanation} {READINGS}"), width);
        let _ = writeln!(text, "\n{legend}");
    }
    if game.options.is_empty() {
        text.push_str("\nThere are no options.\n");
        return text;
    }
    text.push_str("\nOptions:\n\n");
    for option in game.options {
        let summary = format!("{}: {}.", option.name, option.summary);
        let _ = writeln!(text, "{}", indented("- ", &summary, width));
        if !option.excludes.is_empty() {
            let excluded = format!("Not together with {}.", option.excludes.join(", "));
            let _ = writeln!(text, "{}", indented("  ", &excluded, width));
        }
    }
    text
}

/// Lays out a text of a list behind two columns.
fn indented(start: &str, text: &str, width: usize) -> String {
    let layout = textwrap::Options::new(width)
        .initial_indent(start)
        .subsequent_indent("  ");
    textwrap::fill(text, layout)
}

/// Lays out paragraphs and items anew if there is no room for their lines.
fn filled(text: &str, room: usize) -> String {
    let text = text.trim_end();
    if text.lines().all(|line| printable::width(line) <= room) {
        return text.to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines() {
        match parts.last_mut() {
            Some(part) if !part.is_empty() && !line.is_empty() && !line.starts_with("- ") => {
                part.push(' ');
                part.push_str(line.trim_start());
            }
            _ => parts.push(line.to_owned()),
        }
    }
    let parts = parts.iter().map(|part| match part.strip_prefix("- ") {
        Some(part) => indented("- ", part, room),
        None => textwrap::fill(part, room),
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// `parapost completions`
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "\
Examples:
  parapost completions bash > ~/.local/share/bash-completion/completions/parapost
  parapost completions fish > ~/.config/fish/completions/parapost.fish
  parapost completions zsh > ~/.zfunc/_parapost

zsh reads the last one if ~/.zfunc is in its fpath. The script asks parapost itself\nat each Tab, so that the ids of your matches are completed, too.")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// `parapost man`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost man ~/.local/share/man/man1

A page for the program, and one for each command: 'man parapost-check'.")]
pub(super) struct Man {
    /// The folder to write the pages to; it is made if there is none
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// The name of the program.
const NAME: &str = "parapost";

pub(super) fn completions(args: Completions, context: &mut Context<'_>) -> Result<Status, Error> {
    context.without_games()?;
    context.print_bytes(&script(args.shell)?)?;
    Ok(Status::Done)
}

pub(super) fn man(
    args: &Man,
    command_line: clap::Command,
    context: &Context<'_>,
) -> Result<Status, Error> {
    context.without_games()?;
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|error| Error::file(folder, &error))?;
    let mut command = command_line.color(ColorChoice::Never);
    command.build();
    write_pages(&command, args)?;
    Ok(Status::Done)
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(command: &clap::Command, args: &Man) -> Result<(), Error> {
    let name = command.get_display_name().unwrap_or(NAME).to_owned();
    let page = clap_mangen::Man::new(command.clone()).title(name.to_uppercase());
    let path = args.folder.join(format!("{name}.1"));
    let mut text = Vec::new();
    let written = page
        .render(&mut text)
        .and_then(|()| files::must_be_file(&path))
        .and_then(|()| replace(&path, &text));
    written.map_err(|error| Error::file(&path, &error))?;
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            write_pages(below, args)?;
        }
    }
    Ok(())
}

/// Asks the program, in the environment of a script, what completes a line.
const VARIABLE: &str = "PARAPOST_COMPLETE";

/// The longest wait for matches in a database, in seconds: somebody has pressed a key.
const WAIT: u16 = 2;

/// Returns the script by which a shell completes.
///
/// # Errors
///
/// If the script cannot be written.
fn script(shell: Shell) -> Result<Vec<u8>, Error> {
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
pub(super) fn complete(words: &[OsString], line: fn() -> Command) -> io::Result<bool> {
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
            let is_new = name == "new" || name == "play";
            let goes_on = RUNNING.contains(&name.as_str());
            with_values(below, typed).mut_args(|argument| {
                if is_new && argument.get_id() == "id" {
                    argument
                } else {
                    with_value(argument, goes_on, typed)
                }
            })
        });
    }
    command
}

/// The commands that are for matches that go on.
const RUNNING: [&str; 7] = [
    "move", "play", "draw", "takeback", "resign", "decline", "withdraw",
];

/// Returns an argument, with what completes its value: the id of a match that goes on, or of any.
fn with_value(argument: Arg, goes_on: bool, typed: &Arc<[OsString]>) -> Arg {
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
    let (takes_files, takes_games) = (has("FILE") || has("DIR"), has("GAME"));
    let typed = Arc::clone(typed);
    argument.add(ArgValueCompleter::new(move |current: &OsStr| {
        let mut found = ids(current, goes_on, &typed);
        if takes_games {
            let games = games::ALL.iter().map(|game| game.id);
            let begun =
                games.filter(|id| current.to_str().is_some_and(|text| id.starts_with(text)));
            found.extend(begun.map(CompletionCandidate::new));
        }
        if takes_files {
            found.extend(PathCompleter::any().complete(current));
        }
        found
    }))
}

/// Returns the ids that begin so, of the matches that go on or of all.
fn ids(current: &OsStr, goes_on: bool, typed: &[OsString]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else {
        return Vec::new();
    };
    let [games, config] = ["--games", "--config"].map(|name| values_of(name, typed).pop());
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
    let ids = context.store_to_read().and_then(|store| {
        let mut ids = if goes_on {
            store.going_on()?
        } else {
            store.ids()?
        };
        ids.retain(|id| id.as_str().starts_with(current));
        if goes_on {
            keep_running(&*store, &mut ids);
        }
        Ok(ids)
    });
    let ids = ids.unwrap_or_default().into_iter();
    ids.map(|id| CompletionCandidate::new(id.to_string()))
        .collect()
}

/// Leaves out the matches that are over and owe mail; not one that cannot be read, which may go on.
/// Of too many to be read none is left out.
fn keep_running(store: &dyn Store, ids: &mut Vec<Id>) {
    if ids.len() > FEW_MATCHES {
        return;
    }
    ids.retain(|id| match store.find(id) {
        Ok(Some(stored)) => stored.game.turn().is_some(),
        Ok(None) => false,
        Err(_) => true,
    });
}

/// Returns the options of the game on the command line, or of all games, that begin so.
fn options(current: &OsStr, typed: &[OsString]) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else {
        return Vec::new();
    };
    // A game is named by an option, or is what is played.
    let played = typed.iter().skip_while(|word| *word != "play").nth(1);
    let game = values_of("--game", typed).pop().or_else(|| played.cloned());
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
