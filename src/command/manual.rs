//! `parapost rules`, `completions` and `man`: the rules of the games and their sources, and what
//! the command line tells of itself, for shells and for `man`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::{Args, ColorChoice};
use clap_complete::Shell;

use crate::Error;
use crate::command::arguments::game_parser;
use crate::command::completion;
use crate::command::context::{Context, Status};
use crate::printable;
use crate::render::lesson;
use crate::rules::{Game, games};

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

fn text_of(game: &Game, room: usize) -> String {
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
    context.print_bytes(&completion::script(args.shell)?)?;
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
    let written = page.render(&mut text).and_then(|()| fs::write(&path, text));
    written.map_err(|error| Error::file(&path, &error))?;
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            write_pages(below, args)?;
        }
    }
    Ok(())
}
